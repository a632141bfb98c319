"""The one door through which the text and the numbers of a user become exact SymPy expressions.

Text is hostile. A grammar of our own reads it, never ``eval``, ``ast`` or ``sympify``. And because SymPy
evaluates while it builds, it is only asked to build what is known to stay small: `_facts` bounds, before each
step, the numbers that powers, logarithms and roots can merge into.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import mpmath
import sympy
from mpmath.libmp import NoConvergence
from sympy import Expr, S
from sympy.core.function import AppliedUndef

from costderive import symbols
from costderive.errors import SpecError

MAX_CHARACTERS, MAX_TOKENS, MAX_DEPTH, MAX_NAME = 2_000, 200, 50, 40
MAX_DIGITS, MAX_DECIMAL_EXPONENT, MAX_EXPONENT = 100, 400, 10_000
MAX_BITS = 10_000  # of a number in a result; Python prints no integer of more than 4300 digits
MAX_GROWTH = 400_000  # bits of a number on the way to a result: milliseconds
MAX_ROOT_BITS = 400  # SymPy factors the number under a root
MAX_HEIGHT = 4  # functions inside each other; SymPy's evalf takes twice as long for each
MAX_SIGN_WORK = 20  # SymPy isolates the roots of a polynomial to find its sign: seconds at degree 50
MAX_ARGUMENT, MAX_GAMMA_ARGUMENT, MAX_MAGNITUDE = 10**6, 10**3, 2**20
HUGE = 1e300

_GRAMMAR = "An expression has numbers, names, + - * / ^, parentheses and functions such as exp, log, sqrt."
_SMALLER = "Write a smaller expression, or use a parameter and give it a value afterwards."
_REAL = "Logarithms, roots, quotients and functions must stay inside the finite real numbers."
_CONSTANTS = {"pi": S.Pi, "oo": S.Infinity, "inf": S.Infinity}
_MISREAD = frozenset({"E", "I", "y", "nan", "NaN", "NAN", "Inf", "INF", "infinity", "Infinity", "zoo"})
_INFINITE = (S.Infinity, S.NegativeInfinity)
_MP = mpmath.mp.clone()
_MP.prec = 350
_CANCELLED = _MP.ldexp(1, -250)


def parse(text: str, *, place: str = "expression", names: Mapping[str, Expr] | None = None) -> Expr:
    """Return the exact expression that ``text`` writes in the grammar of costderive.

    Decimals are exact, ``^`` and ``**`` are powers, ``pi`` is a constant (Euler's number is ``exp(1)``).
    ``names`` gives reserved letters their symbols; every other name is a positive parameter. ``oo``, or
    ``inf``, may only stand alone, with a sign.

    Raises ``SpecError``, which starts with ``place`` and points at the column, also for a text whose value is
    not a finite real number or would take SymPy long to build.

    >>> parse("0.1*a + 2^-3", place="context.c0.low")
    a/10 + 1/8
    >>> parse("exp(-s)", names={"s": symbols.s})
    exp(-s)
    """
    if not isinstance(text, str):
        raise SpecError(f"{place} = {_shown(text)} is not text", _GRAMMAR)
    if len(text) > MAX_CHARACTERS:
        problem = f'{place} = "{_printable(text[:40])}..." has {len(text)} characters'
        raise SpecError(problem, f"An expression has at most {MAX_CHARACTERS}.")
    return _Parser(text, place, names or {}).parse()


def exact(value: object, *, place: str) -> Expr:
    """Return a number, a text or a SymPy expression of a user as an exact expression.

    A float means its shortest decimal: 0.1 is 1/10. In a SymPy expression the same holds for each Float, and
    each symbol becomes the letter of `costderive.symbols` or the positive parameter of the same name.

    Raises ``SpecError`` for a bool, NaN, an array, and an expression that is not real and finite or has a
    symbol that cannot be positive.

    >>> exact(0.1, place="context.c0.low")
    1/10
    >>> exact(sympy.Symbol("a") / 2, place="context.c0.low") == parse("a/2")
    True
    """
    if isinstance(value, str):
        return parse(value, place=place)
    try:
        return _declared(value) if isinstance(value, Expr) else _exact_number(value)
    except _RefusedError as refusal:
        raise SpecError(f"{place} = {_shown(value)}: {refusal.problem}", refusal.remedy) from None


class _RefusedError(Exception):
    """Why something is not an expression, before it is known where it stands."""

    def __init__(self, problem: str, remedy: str = _SMALLER) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


# ---- numbers, names and the SymPy expressions of a user


def _exact_number(value: Any) -> Expr:
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        value = Decimal(float.__repr__(value))
    if isinstance(value, Decimal):
        return _exact_decimal(value)
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        remedy = "Write an int, a float, a Fraction, a Decimal, a text or a SymPy expression."
        raise _RefusedError(f"{type(value).__name__} is no number", remedy)
    _bound(value.numerator.bit_length() + value.denominator.bit_length(), MAX_BITS)
    return sympy.Rational(value.numerator, value.denominator)


def _exact_decimal(value: Decimal) -> Expr:
    if value.is_nan():
        raise _RefusedError("NaN is no number", "Every number must be known.")
    if value.is_infinite():
        return S.Infinity if value > 0 else S.NegativeInfinity
    digits, size = len(value.as_tuple().digits), abs(value.adjusted())
    if digits > 2 * MAX_DIGITS or size > MAX_DECIMAL_EXPONENT + MAX_DIGITS:
        raise _RefusedError("too many digits")
    return _exact_number(Fraction(value))


def _number(token: str) -> Expr:
    """Return the exact value of a number token, whose digits and exponent are bounded before conversion."""
    if max(map(len, re.split("[.eE+-]", token))) > MAX_DIGITS:
        raise _RefusedError(f"more than {MAX_DIGITS} digits in a row")
    if abs(int(token.lower().partition("e")[2] or 0)) > MAX_DECIMAL_EXPONENT:
        raise _RefusedError(f"a decimal exponent beyond {MAX_DECIMAL_EXPONENT}")
    return _exact_decimal(Decimal(token))


def _named(name: str, names: Mapping[str, Expr]) -> Expr:
    if name in names:
        return names[name]
    if name in symbols.RESERVED:
        reserved = f"{', '.join(sorted(symbols.RESERVED))} have a meaning of their own"
        here = f"of them, {', '.join(names)} may stand here" if names else "none of them may stand here"
        remedy = f"{reserved}; {here}. A parameter needs another name."
        raise _RefusedError(f'the letter "{name}" is reserved', remedy)
    return _CONSTANTS[name] if name in _CONSTANTS else symbols.parameter(_checked(name))


def _checked(name: str) -> str:
    """Return the name of a parameter, which generated code can use as it is."""
    if not re.fullmatch(rf"[A-Za-z][A-Za-z0-9_]{{0,{MAX_NAME - 1}}}", name) or keyword.iskeyword(name):
        remedy = f"A name is a letter, then up to {MAX_NAME - 1} letters, digits and _; no Python keyword."
        raise _RefusedError(f'"{_printable(name[: MAX_NAME + 1])}" is not a name', remedy)
    if name in _FUNCTIONS or name in _CONSTANTS or name in _MISREAD:
        remedy = "Write exp(1) for Euler's number, oo for infinity, log(a) for a function, or another name."
        raise _RefusedError(f'"{name}" is not the name of a parameter', remedy)
    return name


def _declared(expression: Expr) -> Expr:
    """Return the SymPy expression of a user with our symbols and without Floats."""
    floats = {number: _exact_decimal(_decimal(number)) for number in expression.atoms(sympy.Float)}
    letters = {symbol: _letter(symbol) for symbol in expression.free_symbols}
    if len(set(letters.values())) < len(letters):
        raise _RefusedError("two different symbols have the same name", "Use one of them throughout.")
    result = expression.xreplace({**floats, **letters})
    unreal = result.is_number and result.is_extended_real is False
    unknown = result.has(S.NaN, S.ComplexInfinity, S.ImaginaryUnit, AppliedUndef, *_INFINITE)
    if result not in _INFINITE and (unreal or unknown):
        raise _RefusedError("this is not a finite real expression of known functions", _REAL)
    return result


def _decimal(number: Any) -> Decimal:
    """Return the shortest decimal of a double, and the printed digits of any other precision."""
    double = float(number)
    return Decimal(repr(double) if number._prec == 53 and double == number else str(number))


def _letter(symbol: Any) -> Expr:
    if symbol.is_positive is False or not symbol.is_Symbol:
        raise _RefusedError(f"{_shown(symbol)} is not positive", "Parameters are: write -a for the negative.")
    return symbols.parameter(_checked(symbol.name))


# ---- what an expression may grow into


@dataclass(frozen=True, slots=True)
class _Facts:
    """What bounds the work that SymPy may do on an expression.

    ``value``: the number, if there is no symbol. ``sign``: +1 or -1 where the structure alone shows it.
    ``bits``: of the numbers that powers may merge into; ``logs``: of those inside logarithms, which ``exp``
    may turn into powers; ``reach``: the number that it may become as an exponent; ``height``: how many
    functions and powers stand inside each other, each of which SymPy may evaluate twice.
    """

    value: Any = None
    sign: int = 0
    bits: float = 0
    logs: float = 0
    reach: float = 1
    height: int = 0


@lru_cache(maxsize=4096)
def _facts(expression: Any) -> _Facts:
    if expression.is_Rational:
        bits = expression.p.bit_length() + expression.q.bit_length()
        _bound(bits, MAX_BITS)
        value = _MP.mpf(expression.p) / expression.q
        return _Facts(value, int(_MP.sign(value)), bits, reach=float(min(HUGE, max(1, abs(value)))))
    if expression.is_Symbol:
        return _Facts(sign=int(bool(expression.is_positive)))
    if expression in (S.Pi, S.Exp1):
        return _Facts(value=+_MP.pi if expression is S.Pi else +_MP.e, sign=1)
    if expression.is_Pow or isinstance(expression, sympy.exp):
        return _power_facts(*expression.as_base_exp())
    if expression in _INFINITE:
        raise _RefusedError("infinity inside an expression", "Infinity may only stand alone, as oo or -oo.")
    if expression.func not in _NUMERIC:
        raise _RefusedError("this is not a finite real number", _REAL)
    return _node_facts(expression, [_facts(part) for part in expression.args])


def _node_facts(expression: Expr, parts: list[_Facts]) -> _Facts:
    values, signs = [part.value for part in parts], {part.sign for part in parts}
    value = None if None in values else _bounded(expression.func, values)
    bits, logs = sum(part.bits for part in parts), sum(part.logs for part in parts)
    height = max(part.height for part in parts)
    if expression.is_Mul:
        reach = min(HUGE, math.prod(part.reach for part in parts))
        return _Facts(value, math.prod(part.sign for part in parts), bits, logs, reach, height)
    if expression.is_Add:
        if value is not None and not expression.has(sympy.Function, sympy.NumberSymbol, sympy.Max, sympy.Min):
            _refuse_hidden_rational(value)
        sign = signs.pop() if len(signs) == 1 else int(_MP.sign(value or 0))
        return _Facts(value, sign, bits, logs, min(HUGE, sum(part.reach for part in parts)), height)
    sign = int(_MP.sign(value or 0)) or int(expression.func in (sympy.Abs, sympy.cosh, sympy.erfc))
    _bound_height(height + 1)
    return _Facts(value, sign, bits, logs + bits * isinstance(expression, sympy.log), height=height + 1)


def _power_facts(base: Any, exponent: Any) -> _Facts:
    b, e = _facts(base), _facts(exponent)
    odd = b.sign if exponent.is_Integer else 0
    function_like = not (exponent.is_Integer or (base.is_Rational and exponent.is_Rational))
    return _Facts(
        value=None if b.value is None or e.value is None else _power_value(b.value, e.value),
        sign=1 if b.sign > 0 or (exponent.is_Integer and exponent.is_even) else odd,
        bits=min(HUGE, (b.bits + b.logs + e.logs) * e.reach),
        logs=b.logs + e.logs,
        reach=b.reach**e.reach if e.reach * math.log2(b.reach) < 900 else HUGE,
        height=_bound_height(max(b.height, e.height) + function_like),
    )


def _power_value(base: Any, exponent: Any) -> Any:
    if base == 0 and exponent < 0:
        raise _RefusedError("division by zero", "A denominator must differ from 0, beyond doubt.")
    if abs(exponent) * max(1, abs(_MP.mag(base or 1))) > 2 * MAX_MAGNITUDE:
        raise _RefusedError("this number is too large or too small")
    return _bounded(sympy.Pow, [base, exponent])


def _bounded(function: Any, values: list[Any]) -> Any:
    """Return the number, once the arguments are small enough for mpmath and SymPy to come back."""
    limit = _LIMITS.get(function, MAX_ARGUMENT)
    if any(abs(value) > limit for value in values):
        raise _RefusedError(f"{function.__name__} of a number beyond {limit}")
    value = _NUMERIC[function](*values)
    if not isinstance(value, _MP.mpf) or not _MP.isfinite(value):
        raise _RefusedError("this is not a finite real number", _REAL)
    if value and abs(_MP.mag(value)) > MAX_MAGNITUDE:
        raise _RefusedError("this number is too large or too small")
    return value


def _bound_height(height: int) -> int:
    if height > MAX_HEIGHT:
        raise _RefusedError(f"more than {MAX_HEIGHT} functions inside each other")
    return height


def _total(*values: Any) -> Any:
    """Return the sum, or 0 if it cancels to nothing that the working precision can tell from 0."""
    total = _MP.fsum(values)
    return _MP.zero if abs(total) < _CANCELLED * max(map(abs, values)) else total


def _refuse_hidden_rational(value: Any) -> None:
    """Refuse sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)): SymPy would search for its minimal polynomial."""
    nearest = _MP.nint(2 * value)
    if abs(2 * value - nearest) <= _CANCELLED * max(1, abs(nearest)):
        problem = f"roots that add up to {S(int(nearest)) / 2} in seventy digits"
        raise _RefusedError(problem, "Write the number itself.")


def _bound(bits: float, limit: int = MAX_GROWTH) -> None:
    if bits > limit:
        raise _RefusedError("numbers grow too large")


# ---- the steps of SymPy, each behind a bound


def _add(terms: list[Expr]) -> Expr:
    _bound(sum(_facts(term).bits for term in terms))
    return sympy.Add(*terms)


def _negate(operand: Expr) -> Expr:
    return -operand if operand in _INFINITE else _multiply([S.NegativeOne, operand])


def _multiply(factors: list[Expr]) -> Expr:
    _bound(sum(_facts(factor).bits for factor in factors))
    _bound_roots([part for factor in factors for part in sympy.Mul.make_args(factor)])
    return sympy.Mul(*factors)


def _bound_roots(factors: list[Any]) -> None:
    """Bound the numbers under roots, which SymPy tries to factor."""
    roots = [part.base for part in factors if part.is_Pow and part.base.is_Rational and part.exp.is_Rational]
    _bound(sum(_facts(root).bits for root in roots), MAX_ROOT_BITS)


def _power(base: Any, exponent: Any) -> Expr:
    b, e = _facts(base), _facts(exponent)
    if exponent == 1:
        return base
    if b.value == 0 and e.sign <= 0 and exponent != 0:
        raise _RefusedError("division by zero", "A denominator must differ from 0, beyond doubt.")
    if b.sign < 0 and not exponent.is_Integer:
        raise _RefusedError("this is not a finite real number", _REAL)
    if b.value is not None and e.value is not None:
        _power_value(b.value, e.value)
    if exponent.is_Rational and abs(exponent) > MAX_EXPONENT:
        raise _RefusedError(f"an exponent beyond {MAX_EXPONENT}")
    _bound((b.bits + b.logs + e.logs) * e.reach * (_facts(base.exp).reach if base.is_Pow else 1))
    if base.is_Rational and exponent.is_Rational and exponent.q > 1:
        return _root(base, exponent)
    return _merged_power(base, exponent)


def _root(base: Any, exponent: Any) -> Expr:
    """Return the product of the roots of the primes: for 24^0.7654321, SymPy would compute 3^7654321."""
    _bound(_facts(base).bits, MAX_ROOT_BITS)
    primes = base.factors(limit=2**15).items()
    return sympy.Mul(*(sympy.Pow(prime, count * exponent) for prime, count in primes))


def _merged_power(base: Any, exponent: Any) -> Expr:
    """Merge powers of powers and of products here, where each step is bounded, as SymPy would."""
    if base.is_Pow or isinstance(base, sympy.exp):
        root, inner = base.as_base_exp()
        if exponent.is_Integer or _facts(root).sign > 0:
            return _power(root, _multiply([inner, exponent]))
        if inner.is_Integer and inner.is_even:
            return _power(_absolute(root), _multiply([inner, exponent]))
    if base.is_Mul:
        free = [factor for factor in base.args if exponent.is_Integer or _facts(factor).sign > 0]
        rest = sympy.Mul(*(factor for factor in base.args if factor not in free))
        if free:
            return _multiply([_power(factor, exponent) for factor in [*free, rest]])
    if not _is_quick(*base.args, *exponent.args):
        raise _RefusedError("SymPy would search too long for the signs in this power")
    return sympy.Pow(base, exponent)


def _is_quick(*expressions: Expr) -> bool:
    """Return whether SymPy finds signs here at once: it isolates the roots of sums that are polynomials."""
    sums = {part for expression in expressions for part in expression.atoms(sympy.Add)}
    harder = {part: 2 if part.has(sympy.NumberSymbol) else 1 for part in sums}
    return sum(max(1, harder[part] * _degree(part)) ** 2 for part in sums) <= MAX_SIGN_WORK


@lru_cache(maxsize=4096)
def _degree(expression: Any) -> int:
    """Return the degree of a polynomial, and a bound on those in the numerators of a rational function."""
    if expression.is_Symbol:
        return 1
    if expression.is_Pow and expression.exp.is_Integer:
        return _degree(expression.base) * abs(int(expression.exp))
    degrees = [_degree(part) for part in expression.args if expression.is_Add or expression.is_Mul]
    return sum(degrees) if expression.is_Mul else max(degrees, default=0)


def _absolute(operand: Expr) -> Expr:
    sign = _facts(operand).sign
    if sign or operand is S.Zero:
        return operand if sign >= 0 else _negate(operand)
    if operand.is_Mul:
        return _multiply([_absolute(factor) for factor in operand.args])
    return sympy.Abs(operand, evaluate=False)


def _extreme(function: Any, *operands: Expr) -> Expr:
    """Return the least or the greatest; SymPy compares every pair, so only a few letters and numbers."""
    for operand in operands:
        _facts(operand)  # refuses infinity
    few = len(operands) < 9 and all(operand.is_Atom for operand in operands)
    return function(*operands, evaluate=few)


def _apply(function: Any, operand: Expr) -> Expr:
    facts = _facts(operand)
    if function is sympy.log and facts.sign < 0:
        raise _RefusedError("this is not a finite real number", _REAL)
    if function is sympy.log and isinstance(operand, sympy.exp):
        return operand.args[0]
    if function in (sympy.sinh, sympy.cosh, sympy.tanh) and facts.height:
        remedy = "SymPy cannot tell quickly that this is real: write it with exp."
        raise _RefusedError(f"{function.__name__} of a function", remedy)
    if facts.value is not None:
        _bounded(function, [facts.value])
    return function(operand, evaluate=_is_quick(operand) and facts.height <= (facts.value is not None))


def _beta(x: Any, y: Any) -> Expr:
    """Return B(x, y), in closed form for integers and their halves, where Gamma has one."""
    result = sympy.beta(x, y, evaluate=False)
    if _facts(result).value is None or not ((2 * x).is_Integer and (2 * y).is_Integer and min(x, y) > 0):
        return result
    return sympy.gamma(x) * sympy.gamma(y) / sympy.gamma(x + y)


def _normal_cdf(x: Expr) -> Expr:
    return _multiply([S.Half, _add([S.One, _apply(sympy.erf, _multiply([x, sympy.sqrt(2) / 2]))])])


# fmt: off
_ONE_REAL = {function.__name__: function for function in (
    sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan, sympy.sinh, sympy.cosh,
    sympy.tanh, sympy.asinh, sympy.acosh, sympy.atanh, sympy.erf, sympy.erfc, sympy.gamma)}
# fmt: on
_NUMERIC: dict[Any, Callable[..., Any]] = {
    **{function: getattr(_MP, name) for name, function in _ONE_REAL.items()},
    **{sympy.Add: _total, sympy.Mul: lambda *values: _MP.fprod(values), sympy.Pow: _MP.power},
    **{sympy.Abs: abs, sympy.Max: max, sympy.Min: min, sympy.beta: _MP.beta, sympy.cot: _MP.cot},
}
_LIMITS = {sympy.gamma: MAX_GAMMA_ARGUMENT, sympy.beta: MAX_GAMMA_ARGUMENT} | dict.fromkeys(
    (sympy.Add, sympy.Mul, sympy.Pow, sympy.Abs, sympy.Max, sympy.Min, sympy.log), math.inf
)
_FUNCTIONS: dict[str, Callable[..., Expr]] = {
    "exp": partial(_power, S.Exp1),
    "ln": partial(_apply, sympy.log),
    "sqrt": partial(_power, exponent=S.Half),
    "abs": _absolute,
    "min": partial(_extreme, sympy.Min),
    "max": partial(_extreme, sympy.Max),
    **{name: partial(_apply, function) for name, function in _ONE_REAL.items()},
    "beta": _beta,
    "Phi": _normal_cdf,
}


# ---- the grammar


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    index: int


_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|[-+*/^(),])|(?P<space>[ \t\r\n]+)|(?P<other>.)",
    re.DOTALL,
)


class _Parser:
    """Precedence climbing over the tokens of one text; each method reads the phrase it is named after."""

    def __init__(self, text: str, place: str, names: Mapping[str, Expr]) -> None:
        self.text, self.place, self.names = text, place, names
        self.tokens = self._tokens()
        self.position = self.depth = 0

    def parse(self) -> Expr:
        result = self._sum()
        if self._now.kind != "end":
            raise self._unexpected()
        return result

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        for match in _TOKEN.finditer(self.text):
            token = _Token(match.lastgroup or "", match.group(), match.start())
            if token.kind == "other":
                raise self._error(token.index, f'unexpected "{_printable(token.text)}"')
            if len(tokens) == MAX_TOKENS:
                raise self._error(token.index, f"more than {MAX_TOKENS} numbers, names and signs", _SMALLER)
            tokens += [token] if token.kind != "space" else []
        return [*tokens, _Token("end", "", len(self.text))]

    @property
    def _now(self) -> _Token:
        return self.tokens[self.position]

    def _take(self, *marks: str) -> _Token | None:
        """Return the token and step over it if it is one of the marks."""
        token = self._now
        if token.kind != "mark" or token.text not in marks:
            return None
        self.position += 1
        return token

    def _expect(self, mark: str) -> None:
        if self._take(mark) is None:
            raise self._unexpected()

    def _deeper(self, phrase: Callable[[], Expr]) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(self._now.index, f"more than {MAX_DEPTH} levels of nesting", _SMALLER)
        result = phrase()
        self.depth -= 1
        return result

    def _sum(self) -> Expr:
        start, terms = self._now.index, [self._product()]
        while mark := self._take("+", "-"):
            term = self._product()
            terms.append(self._step(mark.index, _negate, term) if mark.text == "-" else term)
        return self._step(start, _add, terms) if len(terms) > 1 else terms[0]

    def _product(self) -> Expr:
        start, factors = self._now.index, [self._signed()]
        while mark := self._take("*", "/"):
            factor = self._signed()
            divides = mark.text == "/"
            factors.append(self._step(mark.index, _power, factor, S.NegativeOne) if divides else factor)
        return self._step(start, _multiply, factors) if len(factors) > 1 else factors[0]

    def _signed(self) -> Expr:
        start, negative = self._now.index, False
        while mark := self._take("+", "-"):
            negative ^= mark.text == "-"
        operand = self._raised()
        return self._step(start, _negate, operand) if negative else operand

    def _raised(self) -> Expr:
        base = self._atom()
        mark = self._take("^", "**")
        return self._step(mark.index, _power, base, self._deeper(self._signed)) if mark else base

    def _atom(self) -> Expr:
        token = self._now
        if self._take("("):
            inside = self._deeper(self._sum)
            self._expect(")")
            return inside
        if token.kind not in ("number", "name"):
            raise self._unexpected()
        self.position += 1
        if token.kind == "number":
            return self._step(token.index, _number, token.text)
        if self._take("("):
            return self._call(token)
        return self._step(token.index, _named, token.text, self.names)

    def _call(self, name: _Token) -> Expr:
        if name.text not in _FUNCTIONS:
            problem = f'"{name.text[:MAX_NAME]}" is not a function'
            remedy = f"A product needs its *. Functions: {', '.join(_FUNCTIONS)}."
            raise self._error(name.index, problem, remedy)
        operands = self._operands()
        least, most = {"beta": (2, 2), "min": (1, MAX_TOKENS), "max": (1, MAX_TOKENS)}.get(name.text, (1, 1))
        if not least <= len(operands) <= most:
            wanted = f"{least} value{'s' * (least > 1)}" if least == most else "at least one value"
            raise self._error(name.index, f"{name.text} takes {wanted}, not {len(operands)},")
        return self._step(name.index, _FUNCTIONS[name.text], *operands)

    def _operands(self) -> list[Expr]:
        operands: list[Expr] = []
        while not self._take(")"):
            if operands:
                self._expect(",")
            operands.append(self._deeper(self._sum))
        return operands

    def _step(self, index: int, step: Callable[..., Expr], *operands: Any) -> Expr:
        """Return the finite real result of one step, or say at which column it was refused."""
        try:
            result = step(*operands)
            _ = result in _INFINITE or _facts(result)
        except _RefusedError as refusal:
            raise self._error(index, refusal.problem, refusal.remedy) from None
        except (ArithmeticError, ValueError, TypeError, NotImplementedError, RecursionError, NoConvergence):
            raise self._error(index, "this has no finite real value that can be found", _REAL) from None
        return result

    def _unexpected(self) -> SpecError:
        token = self._now
        found = f'"{token.text[:MAX_NAME]}"' if token.text else "end"
        return self._error(token.index, f"unexpected {found}")

    def _error(self, index: int, problem: str, remedy: str = _GRAMMAR) -> SpecError:
        """Return the error with the text, cut to sixty characters around the column, and a caret under it."""
        start = max(0, min(index - 30, len(self.text) - 60))
        left = "..." * (start > 0) + _printable(self.text[start:index])
        right = _printable(self.text[index : start + 60]) + "..." * (start + 60 < len(self.text))
        pointer = f"  {left}{right}\n    {' ' * len(left)}^\n  {remedy}"
        return SpecError(f'{self.place} = "{left}{right}": {problem} at column {index + 1}', pointer)


def _printable(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in text)


def _shown(value: object) -> str:
    try:
        return _printable(repr(value)[:80])
    except ValueError:  # an int of more than 4300 digits
        return f"a large {type(value).__name__}"
