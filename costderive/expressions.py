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
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from mpmath.libmp import NoConvergence
from sympy import Expr, S

from costderive import symbols
from costderive.errors import SpecError

MAX_CHARACTERS, MAX_TOKENS, MAX_DEPTH, MAX_NAME = 2_000, 500, 50, 40
MAX_DIGITS, MAX_DECIMAL_EXPONENT, MAX_EXPONENT = 100, 400, 10_000
MAX_BITS = 10_000  # of a number in a result; Python prints no integer of more than 4300 digits
MAX_GROWTH = 400_000  # bits of a number on the way to a result: milliseconds
MAX_ROOT_BITS = 1_000  # SymPy factors the number under a root
MAX_SIGN_DEGREE = 5  # SymPy isolates the roots of a polynomial to find its sign: seconds at degree 50
MAX_ARGUMENT, MAX_GAMMA_ARGUMENT, MAX_MAGNITUDE = 10**6, 10**3, 2**20
HUGE = 1e300

_GRAMMAR = "An expression has numbers, names, + - * / ^, parentheses and functions such as exp, log, sqrt."
_SMALLER = "Write a smaller expression, or use a parameter and give it a value afterwards."
_REAL = "Logarithms, roots, quotients and functions must stay inside the finite real numbers."
_CONSTANTS = {"pi": S.Pi, "e": S.Exp1, "oo": S.Infinity, "inf": S.Infinity}
_NOT_NAMES = {
    "E": "Write e for Euler's number; a parameter needs another name.",
    "I": "Expressions are real; a parameter needs another name.",
    "nan": "Every number must be known; a parameter needs another name.",
    "infinity": "Write oo for infinity; a parameter needs another name.",
}
_MP = mpmath.mp.clone()
_MP.prec = 350
_CANCELLED = _MP.ldexp(1, -250)


class _Refused(Exception):
    """Why something is not an expression, before it is known where it stands."""

    def __init__(self, problem: str, remedy: str = _SMALLER) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


# ------------------------------------------------------------------ what an expression may grow into


@dataclass(frozen=True, slots=True)
class _Facts:
    """What bounds the work that SymPy may do on an expression.

    ``value``: the number, if there is no symbol. ``sign``: +1 or -1 where the structure alone shows it.
    ``bits``: of the numbers that powers may merge into; ``logs``: of those inside logarithms, which ``exp``
    may turn into powers; ``reach``: the size that it has as an exponent; ``root_bits`` and ``root_index``:
    of the numbers under roots; ``degree``: of its largest polynomial.
    """

    value: Any = None
    sign: int = 0
    bits: float = 0
    logs: float = 0
    reach: float = 1
    root_bits: float = 0
    root_index: int = 1
    degree: float = 0


def _merged(parts: list[_Facts], **changed: Any) -> _Facts:
    sums: dict[str, Any] = {name: min(HUGE, sum(getattr(part, name) for part in parts))
                            for name in ("bits", "logs", "reach", "root_bits", "degree")}  # fmt: skip
    index = min(10**9, math.lcm(*(part.root_index for part in parts)))
    return _Facts(**{**sums, "root_index": index, **changed})


@lru_cache(maxsize=4096)
def _facts(expression: Expr) -> _Facts:
    if expression.is_Rational:
        return _rational_facts(expression)
    if expression.is_Symbol:
        return _Facts(sign=int(bool(expression.is_positive)), degree=1)
    if expression in (S.Pi, S.Exp1):
        return _Facts(value=+_MP.pi if expression is S.Pi else +_MP.e, sign=1)
    if expression.is_Pow or isinstance(expression, sympy.exp):
        return _power_facts(*expression.as_base_exp())
    parts = [_facts(part) for part in expression.args]
    if expression.is_Add:
        return _sum_facts(parts, algebraic=not expression.has(sympy.Function, sympy.NumberSymbol))
    if expression.is_Mul:
        return _product_facts(parts)
    if expression.func in _NUMERIC:
        return _function_facts(expression.func, parts)
    if expression in (S.Infinity, S.NegativeInfinity):
        raise _Refused("infinity inside an expression", "Infinity may only stand alone, as oo or -oo.")
    raise _Refused("this is not a finite real number", _REAL)


def _rational_facts(number: Expr) -> _Facts:
    bits = number.p.bit_length() + number.q.bit_length()
    _bound(bits, MAX_BITS)
    value = _MP.mpf(number.p) / number.q
    return _Facts(value, int(_MP.sign(value)), bits, reach=float(min(HUGE, max(1, abs(value)))))


def _sum_facts(parts: list[_Facts], algebraic: bool) -> _Facts:
    value = _total([part.value for part in parts])
    if algebraic and value is not None:
        _refuse_hidden_rational(value)
    signs = {part.sign for part in parts}
    sign = signs.pop() if len(signs) == 1 else int(_MP.sign(value or 0))
    return _merged(parts, value=value, sign=sign, degree=max(part.degree for part in parts))


def _total(values: list[Any]) -> Any:
    """Return the sum, or 0 if it cancels to nothing that the working precision can tell from 0."""
    if None in values:
        return None
    total = _MP.fsum(values)
    return _MP.zero if abs(total) < _CANCELLED * max(map(abs, values)) else total


def _refuse_hidden_rational(value: Any) -> None:
    """Refuse sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)): SymPy would search for its minimal polynomial."""
    nearest = _MP.nint(2 * value)
    if abs(2 * value - nearest) <= _CANCELLED * max(1, abs(nearest)):
        raise _Refused(f"roots that add up to {S(int(nearest)) / 2}", "Write the number itself.")


def _product_facts(parts: list[_Facts]) -> _Facts:
    values = [part.value for part in parts]
    value = None if None in values else _bounded(_MP.fprod(values))
    reach = min(HUGE, math.prod(part.reach for part in parts))
    return _merged(parts, value=value, sign=math.prod(part.sign for part in parts), reach=reach)


def _power_facts(base: Expr, exponent: Expr) -> _Facts:
    b, e = _facts(base), _facts(exponent)
    root = base.is_Rational and exponent.is_Rational and exponent.q > 1
    odd = b.sign if exponent.is_Integer else 0
    return _Facts(
        value=None if b.value is None or e.value is None else _power_value(b.value, e.value),
        sign=1 if b.sign > 0 or (exponent.is_Integer and exponent.is_even) else odd,
        bits=min(HUGE, (b.bits + b.logs + e.logs) * e.reach),
        logs=b.logs + e.logs,
        reach=b.reach**e.reach if e.reach * math.log2(b.reach) < 900 else HUGE,
        root_bits=b.bits if root else b.root_bits,
        root_index=min(10**9, exponent.q) if root else b.root_index,
        degree=b.degree * e.reach if exponent.is_Integer and exponent.p > 0 else max(b.degree, e.degree),
    )


def _function_facts(function: Any, parts: list[_Facts]) -> _Facts:
    values = [part.value for part in parts]
    value = None if None in values else _function_value(function, values)
    sign = int(_MP.sign(value or 0)) or int(function in (sympy.Abs, sympy.cosh, sympy.erfc))
    inside = sum(part.bits for part in parts) if function is sympy.log else 0
    return _merged(parts, value=value, sign=sign, reach=1, logs=inside + sum(part.logs for part in parts))


def _power_value(base: Any, exponent: Any) -> Any:
    if base == 0 and exponent < 0:
        raise _Refused("division by zero", "A denominator must differ from 0, beyond doubt.")
    if abs(exponent) * max(1, abs(_MP.mag(base or 1))) > 2 * MAX_MAGNITUDE:
        raise _Refused("this number is too large or too small")
    return _bounded(base**exponent)


def _function_value(function: Any, values: list[Any]) -> Any:
    """Return the number, once its arguments are small enough for mpmath and SymPy to come back."""
    limits = {sympy.log: math.inf, sympy.Abs: math.inf, sympy.gamma: MAX_GAMMA_ARGUMENT, sympy.beta: MAX_GAMMA_ARGUMENT}
    limit = limits.get(function, MAX_ARGUMENT)
    if any(abs(value) > limit for value in values):
        raise _Refused(f"{function.__name__} of a number beyond {limit}")
    return _bounded(_NUMERIC[function](*values))


def _bounded(value: Any) -> Any:
    if not isinstance(value, _MP.mpf) or not _MP.isfinite(value):
        raise _Refused("this is not a finite real number", _REAL)
    if value and abs(_MP.mag(value)) > MAX_MAGNITUDE:
        raise _Refused("this number is too large or too small")
    return value


def _bound(bits: float, limit: int = MAX_GROWTH) -> None:
    if bits > limit:
        raise _Refused("numbers here grow too large")


# ------------------------------------------------------------------ the steps of SymPy, each behind a bound


def _sum(terms: list[Expr]) -> Expr:
    if len(terms) > 1:
        _bound(_merged([_facts(term) for term in terms]).bits)
    return sympy.Add(*terms)


def _negative(operand: Expr) -> Expr:
    return -operand if operand in (S.Infinity, S.NegativeInfinity) else _product([S.NegativeOne, operand])


def _product(factors: list[Expr]) -> Expr:
    if len(factors) > 1:
        facts = _merged([_facts(factor) for factor in factors])
        _bound(facts.bits)
        _bound_roots(facts.root_bits, facts.root_index)
    return sympy.Mul(*factors)


def _bound_roots(bits: float, index: int) -> None:
    """Bound what SymPy factors under a root, and (2^3*3)^(7654321/10^7), for which it computes 3^7654321."""
    _bound(bits, MAX_ROOT_BITS)
    _bound(bits * index)


def _power(base: Expr, exponent: Expr) -> Expr:
    b, e = _facts(base), _facts(exponent)
    if b.value == 0 and e.sign <= 0 and exponent != 0:
        raise _Refused("division by zero", "A denominator must differ from 0, beyond doubt.")
    if b.value is not None and e.value is not None:
        _power_value(b.value, e.value)
    if exponent.is_Rational and abs(exponent) > MAX_EXPONENT:
        raise _Refused(f"an exponent beyond {MAX_EXPONENT}")
    reach = e.reach * (_facts(base.exp).reach if base.is_Pow else 1)
    _bound((b.bits + b.logs + e.logs) * reach)
    if base.is_Rational and exponent.is_Rational and exponent.q > 1:
        _bound_roots(b.bits, max(abs(exponent.p), exponent.q))
    return _merged_power(base, exponent)


def _merged_power(base: Expr, exponent: Expr) -> Expr:
    """Merge powers of powers and of products here, where each step is bounded, as SymPy would."""
    if base.is_Pow or isinstance(base, sympy.exp):
        root, inner = base.as_base_exp()
        if exponent.is_Integer or _facts(root).sign > 0:
            return _power(root, _product([inner, exponent]))
        if inner.is_Integer and inner.is_even:
            return _power(_absolute(root), _product([inner, exponent]))
    if base.is_Mul:
        free = [factor for factor in base.args if exponent.is_Integer or _facts(factor).sign > 0]
        rest = [factor for factor in base.args if factor not in free]
        if free:
            powers = [_power(factor, exponent) for factor in free]
            return _product([*powers, _power(sympy.Mul(*rest), exponent)] if rest else powers)
    if not exponent.is_Integer and not base.is_Add and not _is_quick(base):
        raise _Refused("SymPy cannot quickly find a sign in this power")
    if base is S.Exp1 and not _is_quick(exponent):
        raise _Refused("SymPy cannot quickly find a sign in this exponent")
    return sympy.Pow(base, exponent)


def _is_quick(expression: Expr) -> bool:
    """Return whether SymPy finds signs in the expression without isolating the roots of long polynomials."""
    return sum(max(1, _facts(part).degree) ** 2 for part in expression.atoms(sympy.Add)) <= MAX_SIGN_WORK


def _absolute(operand: Expr) -> Expr:
    sign = _facts(operand).sign
    if sign or operand is S.Zero:
        return operand if sign >= 0 else _negative(operand)
    if operand.is_Mul:
        return _product([_absolute(factor) for factor in operand.args])
    if operand.is_number:
        raise _Refused("the sign of this number is in doubt", "Write the number so that it is not a difference.")
    return sympy.Abs(operand, evaluate=False)


def _extreme(function: Any, pick: Callable[..., Expr], operands: tuple[Expr, ...]) -> Expr:
    """Return the least or the greatest operand; SymPy may decide among letters, we decide among numbers."""
    flat = [part for operand in operands for part in (operand.args if operand.func is function else [operand])]
    numbers = [part for part in flat if _facts(part).value is not None]
    chosen = [_chosen(pick, numbers)] if numbers else []
    rest = sorted({part for part in flat if part not in numbers}, key=sympy.default_sort_key)
    return function(*chosen, *rest, evaluate=len(rest) < 9 and all(part.is_Atom for part in rest))


def _chosen(pick: Callable[..., Expr], numbers: list[Expr]) -> Expr:
    best = pick(numbers, key=lambda number: _facts(number).value)
    for number in numbers:
        if number != best and not _total([_facts(best).value, -_facts(number).value]):
            raise _Refused("which of these numbers is larger is in doubt", "Leave one of them out.")
    return best


def _beta(x: Expr, y: Expr) -> Expr:
    """Return B(x, y), reduced to rational numbers and pi where Gamma is known in closed form."""
    _apply(sympy.beta, x, y)
    if all((2 * z).is_Integer and z > 0 for z in (x, y)):
        return sympy.gamma(x) * sympy.gamma(y) / sympy.gamma(x + y)
    return sympy.beta(x, y, evaluate=False)


def _apply(function: Any, *operands: Expr) -> Expr:
    values = [_facts(operand).value for operand in operands]
    if None not in values:
        _function_value(function, values)
    return function(*operands, evaluate=function is not sympy.beta and all(map(_is_quick, operands)))


def _normal_cdf(x: Expr) -> Expr:
    return _product([S.Half, _sum([S.One, _apply(sympy.erf, _product([x, _power(S(2), -S.Half)]))])])


_ELEMENTARY = {name: getattr(sympy, name) for name in
               "log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc gamma".split()}  # fmt: skip
_NUMERIC = {function: getattr(_MP, name) for name, function in _ELEMENTARY.items()} | {
    sympy.Abs: abs, sympy.Max: max, sympy.Min: min, sympy.beta: _MP.beta, sympy.cot: _MP.cot}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Expr]] = {name: partial(_apply, function) for name, function in _ELEMENTARY.items()} | {
    "ln": partial(_apply, sympy.log),
    "exp": partial(_power, S.Exp1),
    "sqrt": partial(_power, exponent=S.Half),
    "abs": _absolute,
    "min": partial(_extreme, sympy.Min, min),
    "max": partial(_extreme, sympy.Max, max),
    "beta": _beta,
    "Phi": _normal_cdf,
}


# ------------------------------------------------------------------ the grammar


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    index: int


_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<mark>\*\*|[-+*/^(),])|(?P<space>[ \t\r\n]+)|(?P<other>.)",
    re.DOTALL,
)


def parse(text: str, *, place: str = "expression", names: Mapping[str, Expr] | None = None) -> Expr:
    """Return the exact expression that ``text`` writes in the grammar of costderive.

    Decimals are exact, ``^`` and ``**`` are powers, ``e`` and ``pi`` constants. ``names`` gives reserved
    letters their symbols; every other name is a positive parameter. ``oo`` may only stand alone.

    Raises ``SpecError`` that starts with ``place`` and points at the column, also for a text whose value is
    not a finite real number or would take SymPy long to build.

    >>> parse("0.1*a + 2^-3", place="context.c0.low")
    a/10 + 1/8
    >>> parse("exp(-s)", names={"s": symbols.s})
    exp(-s)
    """
    if not isinstance(text, str):
        raise SpecError(f"{place} = {_shown(text)} is not text", _GRAMMAR)
    if len(text) > MAX_CHARACTERS:
        raise SpecError(f'{place} = "{_printable(text[:40])}..." has {len(text)} characters',
                        f"An expression has at most {MAX_CHARACTERS}.")  # fmt: skip
    return _Parser(text, place, names or {}).parse()


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
        if result not in (S.Infinity, S.NegativeInfinity):
            self._step(0, _facts, result)
        return result

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        for match in _TOKEN.finditer(self.text):
            token = _Token(match.lastgroup or "", match.group(), match.start())
            if token.kind == "other":
                raise self._error(token.index, f'unexpected "{_printable(token.text)}"')
            if token.kind != "space":
                tokens.append(token)
            if len(tokens) > MAX_TOKENS:
                raise self._error(token.index, f"more than {MAX_TOKENS} numbers, names and signs", _SMALLER)
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
            terms.append(self._step(mark.index, _negative, term) if mark.text == "-" else term)
        return self._step(start, _sum, terms) if len(terms) > 1 else terms[0]

    def _product(self) -> Expr:
        start, factors = self._now.index, [self._signed()]
        while mark := self._take("*", "/"):
            factor = self._signed()
            factors.append(self._step(mark.index, _power, factor, S.NegativeOne) if mark.text == "/" else factor)
        return self._step(start, _product, factors) if len(factors) > 1 else factors[0]

    def _signed(self) -> Expr:
        start, negative = self._now.index, False
        while mark := self._take("+", "-"):
            negative ^= mark.text == "-"
        operand = self._raised()
        return self._step(start, _negative, operand) if negative else operand

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
            raise self._error(name.index, f'"{name.text}" is not a function', f"Functions: {', '.join(_FUNCTIONS)}.")
        operands: list[Expr] = []
        while not self._take(")"):
            if operands:
                self._expect(",")
            operands.append(self._deeper(self._sum))
        arity = {"beta": 2}.get(name.text, 1)
        ...
