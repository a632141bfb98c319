"""A scoring rule as a program that stands alone: it imports neither costderive nor SymPy.

A target is one row of ``TARGETS``: the names of its functions, and the frame around the formulas. Formulas keep
their digits near the end where a loss is 0: ``log(1 - p)`` becomes ``log1p(-p)``, constants are folded into the
nearest double, and a sum that would cancel there gives way to its power series in p or sqrt(p).
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import gcd
from typing import Any

import mpmath
import sympy
from sympy import Expr, Integral, Rational
from sympy.printing.str import StrPrinter

import costderive
from costderive.errors import ExportError
from costderive.pieces import Given, Piece, Pieces
from costderive.rule import Losses, ScoringRule
from costderive.symbols import p

NEAR_END = Rational(1, 8)  # a loss that starts from 0 uses its series up to here
MAX_EXACT = 2**53

_COMMON = "exp log log1p sqrt sin cos tan sinh cosh tanh".split()
_INVERSE = "asin acos atan atan2 asinh acosh atanh".split()


@dataclass(frozen=True, slots=True)
class Target:
    """A language: its name for each function, for infinity, and the frame that holds the formulas."""

    names: Mapping[str, str]
    infinity: str
    frame: str


_NUMPY_FRAME = '''
import numpy as np

{losses}

def loss(y_true, y_proba, sample_weight=None{parameters}):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = np.asarray(y_true), _probability(y_proba)
    if y.ndim != 1 or y.shape != p.shape or not y.size:
        raise ValueError(f"y_true and y_proba need one equal length, not shapes {{y.shape}} and {{p.shape}}")
    if not np.isin(y, (0, 1)).all():
        raise ValueError("y_true must hold labels 0 and 1 only")
    weight = np.ones(y.shape) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != y.shape or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    used = weight > 0
    y, p, weight = y[used], p[used], weight[used]
    losses = np.empty(p.shape)
    losses[y == 0] = loss0(p[y == 0]{passed})
    losses[y == 1] = loss1(p[y == 1]{passed})
    return float(np.average(losses, weights=weight))


def _probability(p):
    p = np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability lies between 0 and 1")
    return p


def _by_piece(p, highs, formulas, at0, at1):
    """Apply each formula from the end of the one before it (exclusive) to its own end (inclusive)."""
    losses, inside, low = np.empty(p.shape), (p > 0) & (p < 1), 0.0
    for high, formula in zip(highs, formulas):
        here = inside & (low < p) & (p <= high)
        losses[here] = formula(p[here])
        low = high
    losses[p == 0], losses[p == 1] = at0, at1
    return losses[()]
'''

_MATH_FRAME = '''
import math

{losses}

def loss(y_true, y_proba, sample_weight=None{parameters}):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = list(y_true), list(y_proba)
    weight = [1.0] * len(y) if sample_weight is None else list(sample_weight)
    if not len(y) == len(p) == len(weight) or not y:
        raise ValueError(f"need equal lengths, not {{len(y)}}, {{len(p)}} and {{len(weight)}}")
    if any(label not in (0, 1) for label in y):
        raise ValueError("y_true must hold labels 0 and 1 only")
    if not all(0 <= w < math.inf for w in weight) or not any(weight):
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    losses = [w * (loss1 if c else loss0)(x{passed}) for c, x, w in zip(y, p, weight) if w]
    return math.fsum(losses) / math.fsum(weight)


def _probability(p):
    if not 0 <= p <= 1:
        raise ValueError(f"a probability lies between 0 and 1, and {{p}} does not")
    return float(p)


def _by_piece(p, highs, formulas, at0, at1):
    """Apply the formula whose end is the first one at or above p."""
    if p in (0.0, 1.0):
        return float(at1 if p else at0)
    return float(next(formula for high, formula in zip(highs, formulas) if p <= high)(p))
'''

_SERIES = '''

def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent
'''

_CHECK = '''

def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
'''

TARGETS: Mapping[str, Target] = {
    "python": Target(
        {
            **{name: f"np.{name}" for name in _COMMON},
            **{name: f"np.arc{name[1:]}" for name in _INVERSE},
            "Abs": "np.abs",
        },
        "np.inf",
        _NUMPY_FRAME,
    ),
    "math": Target(
        {name: f"math.{name}" for name in (*_COMMON, *_INVERSE, "erf", "erfc", "gamma")} | {"Abs": "abs"},
        "math.inf",
        _MATH_FRAME,
    ),
}


def code(rule: ScoringRule, target: str = "python", *, title: str = "") -> str:
    """Return a program with ``loss0(p)``, ``loss1(p)`` and ``loss(y_true, y_proba, sample_weight=None)``.

    Target ``"python"`` works on NumPy arrays, ``"math"`` on single numbers with the standard library alone.
    Parameters of the rule become keyword arguments; the facts about them are checked when it is called.

    Raises:
        ExportError: for an unknown target, a loss without closed form, a function that the target lacks, or a
            parameter whose name the program needs itself.
    """
    if target not in TARGETS:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(TARGETS)}.")
    writer = _Writer(rule, TARGETS[target])
    losses = f"{writer.constants()}\n{writer.function(0)}\n\n{writer.function(1)}".lstrip()
    signature = "".join([", *", *[f", {name}" for name in writer.names]]) if writer.names else ""
    frame = TARGETS[target].frame.format(losses=losses, parameters=signature, passed=writer.passed)
    helpers = (_SERIES if "_series(" in losses else "") + (_CHECK if writer.names else "")
    return _docstring(rule, title) + frame + helpers


# ---- text around the formulas


def _docstring(rule: ScoringRule, title: str) -> str:
    lines = [title, "", f"Written by costderive {costderive.__version__}. p is the probability of class 1."]
    for given, losses in rule.cases:
        facts = [f"{_plain(fact)} > 0" for fact in given.positive]
        facts += [f"{_plain(fact)} >= 0" for fact in given.nonnegative]
        lines += ["", f"If {' and '.join(facts)}:"] if facts else [""]
        for name, loss in (("loss0", losses.loss0), ("loss1", losses.loss1)):
            lines += [f"{name}(p) =", *[f"    {_plain(piece.value)}    up to p = {_plain(piece.high)}" for piece in loss]]
    text = "\n".join(lines if title else lines[2:])
    plain = "".join(c if c == "\n" or c.isprintable() else "?" for c in text)
    return '"""' + plain.replace("\\", "/").replace('"', "'") + '\n"""\n'


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the losses of a rule in one target."""

    rule: ScoringRule
    target: Target

    @property
    def names(self) -> list[str]:
        """The names of the parameters, which become names in the program."""
        own = {"np", "math", "loss", "loss0", "loss1", "y_true", "y_proba", "sample_weight", *dir(builtins)}
        found = [symbol.name for symbol in self.rule.parameters]
        for name in found:
            if name in own or keyword.iskeyword(name) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
                raise ExportError(f"{name!r} cannot be a parameter in a program", "Rename the parameter.")
        return found

    @property
    def passed(self) -> str:
        """The parameters as they are handed on in a call."""
        return "".join(f", {name}={name}" for name in self.names)

    def function(self, label: int) -> str:
        """Return the program text of the loss of one class."""
        signature = f"p, *, {', '.join(self.names)}" if self.names else "p"
        lines = [f"def loss{label}({signature}):", f'    """Return the loss of p when the class is {label}."""']
        lines += [f"    _check({name} > 0, {f'{name} > 0'!r})" for name in self.names]
        lines += ["    p = _probability(p)"]
        for number, (given, losses) in enumerate(self.rule.cases, start=1):
            lines += self._case(given, losses, label, last=number == len(self.rule.cases))
        return "\n".join(lines) + "\n"

    def _case(self, given: Given, losses: Losses, label: int, last: bool) -> Iterator[str]:
        """Return the lines of one case; the facts of the last one are those that are left."""
        for fact in given.positive if last else ():
            yield f"    _check({self.text(fact)} > 0, {f'{_plain(fact)} > 0'!r})"
        indent = "    "
        if not last:
            yield f"    if {' and '.join(f'{self.text(fact)} >= 0' for fact in given.nonnegative)}:"
            indent *= 2
        pieces = losses.loss1 if label else losses.loss0
        highs, formulas = zip(*self._formulas(pieces, label), strict=True)
        at0, at1 = (losses.worst1, sympy.S.Zero) if label else (sympy.S.Zero, losses.worst0)
        yield f"{indent}highs = ({', '.join(highs)}{',' * (len(highs) == 1)})"
        yield f"{indent}formulas = ("
        yield from [f"{indent}    lambda p: {formula}," for formula in formulas]
        yield f"{indent})"
        yield f"{indent}return _by_piece(p, highs, formulas, {self.text(at0)}, {self.text(at1)})"

    def _formulas(self, pieces: Pieces, label: int) -> Iterator[tuple[str, str]]:
        """Yield the end and the formula of each piece, with the series at the end where the loss is 0."""
        near = pieces.pieces[-1] if label else pieces.pieces[0]
        for piece in pieces:
            found = _series_of(piece, label) if piece is near else None
            if found is not None and not label:
                yield self.text(NEAR_END), self._call(found, label)
            if found is not None and label:
                yield self.text(1 - NEAR_END), self.text(piece.value)
                yield "1", self._call(found, label)
            else:
                yield self.text(piece.high), self.text(piece.value)

    def _call(self, series: _Series, label: int) -> str:
        factor = "" if series.factor == 1 else f"({self.text(series.factor)}) * "
        return f"{factor}_series({'1 - p' if label else 'p'}, {series.exponent!r}, {series.step!r}, NEAR_ZERO_{label})"

    def constants(self) -> str:
        """Return the coefficients of the series that the formulas use."""
        return "".join(map(self._coefficients, (0, 1)))

    def _coefficients(self, label: int) -> str:
        losses = [x.loss1.pieces[-1] if label else x.loss0.pieces[0] for _, x in self.rule.cases]
        found = [series for series in (_series_of(piece, label) for piece in losses) if series]
        if not found:
            return ""
        rows = [found[0].coefficients[k : k + 4] for k in range(0, len(found[0].coefficients), 4)]
        lines = [f"    {', '.join(map(repr, row))}," for row in rows]
        return "\n".join([f"NEAR_ZERO_{label} = (", *lines, ")"]) + "\n\n"

    def text(self, expr: Expr) -> str:
        """Return the formula of an expression in the target."""
        if expr.has(Integral):
            remedy = "Give the parameters numbers, or use costderive.numeric.compile, which integrates numerically."
            raise ExportError("the loss has no closed form: it is left as an integral", remedy)
        try:
            return str(_Printer(self.target).doprint(_folded(expr)))
        except OverflowError:
            raise ExportError("a number in the loss is too large for a double", "Rescale the costs.") from None


# ---- formulas


class _Plain(StrPrinter):
    """Starts a sum with a term that is added, if there is one: b - a, not -a + b."""

    def _as_ordered_terms(self, expr: Expr, order: Any = None) -> list[Expr]:
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((term for term in terms if not term.could_extract_minus_sign()), terms[0])
        return [first, *[term for term in terms if term is not first]]


def _plain(expr: Expr) -> str:
    return str(_Plain().doprint(expr))


class _Printer(_Plain):
    """Prints an expression of known functions; everything else is refused."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target

    def emptyPrinter(self, expr: Any) -> str:
        raise ExportError(f"there is no {type(expr).__name__} in this target", f"Functions: {', '.join(self.target.names)}.")

    def _call(self, name: str, *args: Expr) -> str:
        if name not in self.target.names:
            raise ExportError(f"there is no {name} in this target", f"Functions: {', '.join(self.target.names)}.")
        return f"{self.target.names[name]}({', '.join(self._print(arg) for arg in args)})"

    def _print_Function(self, expr: Expr) -> str:
        return self._call(expr.func.__name__, *expr.args)

    def _print_log(self, expr: Expr) -> str:
        argument = expr.args[0]
        return self._call("log1p", argument - 1) if argument.is_Add and 1 in argument.args else self._call("log", argument)

    def _print_asin(self, expr: Expr) -> str:
        """Write asin(sqrt(x)) as an angle of a right triangle: asin itself loses half of the digits near 1."""
        base, exponent = expr.args[0].as_base_exp()
        if exponent == Rational(1, 2):
            return self._call("atan2", sympy.sqrt(base), sympy.sqrt(1 - base))
        return self._call("asin", expr.args[0])

    def _print_Abs(self, expr: Expr) -> str:
        return self._call("Abs", *expr.args)

    def _print_Pow(self, expr: Expr, rational: bool = False) -> str:
        if expr.exp == Rational(1, 2):
            return self._call("sqrt", expr.base)
        if expr.exp == -Rational(1, 2):
            return f"1/{self._call('sqrt', expr.base)}"
        return str(super()._print_Pow(expr, rational=rational))

    def _print_Float(self, expr: Expr) -> str:
        return repr(float(expr))

    def _print_Integer(self, expr: Expr) -> str:
        return str(expr.p) if abs(expr.p) <= MAX_EXACT else repr(float(expr.p))

    def _print_Rational(self, expr: Expr) -> str:
        exact = max(abs(expr.p), expr.q) <= MAX_EXACT
        return f"{expr.p}/{expr.q}" if exact else repr(expr.p / expr.q)

    def _print_Infinity(self, expr: Expr) -> str:
        return self.target.infinity


def _folded(expr: Expr) -> Expr:
    """Replace each constant that is not rational by the nearest double, together with its rational neighbours."""
    if expr.is_Rational or expr.is_Symbol or expr.is_infinite:
        return expr
    if expr.is_number:
        return sympy.Float(str(expr.evalf(40)), precision=53)
    if not (expr.is_Add or expr.is_Mul):
        return expr.func(*map(_folded, expr.args), evaluate=False)
    numbers = [arg for arg in expr.args if arg.is_number]
    rest = [_folded(arg) for arg in expr.args if not arg.is_number]
    return expr.func(*([_folded(expr.func(*numbers))] if numbers else []), *rest, evaluate=False)


# ---- power series


@dataclass(frozen=True, slots=True)
class _Series:
    """``factor * x**exponent * sum of coefficients[k] x**(k step)``."""

    factor: Expr
    exponent: float
    step: float
    coefficients: tuple[float, ...]


def _series_of(piece: Piece, label: int) -> _Series | None:
    """Find the series, in the distance x from the end where a loss is 0, of a loss that would cancel there."""
    value = piece.value.subs(p, 1 - p) if label else piece.value
    factor, rest = sympy.factor_terms(value).as_independent(p, as_Add=False)
    length = piece.high - piece.low
    if rest.is_rational_function(p) or rest.free_symbols != {p} or rest.func is sympy.log or rest.has(Integral):
        return None
    if length.free_symbols or length <= NEAR_END:
        return None
    factor, rest = (factor, rest) if factor.free_symbols else (sympy.S.One, factor * rest)
    found = _expansion(rest)
    return found and _Series(factor, *found)


@lru_cache(maxsize=64)
def _expansion(function: Expr) -> tuple[float, float, tuple[float, ...]] | None:
    """Find exponent, step and coefficients of a series in p, or else in sqrt(p), that has 15 digits."""
    with mpmath.workdps(60):
        for root in (1, 2):
            in_root = sympy.lambdify(p, function.subs(p, p**root), "mpmath")
            exponents, coefficients = _taylor(in_root, mpmath.mpf(1) / 8 ** (1 / mpmath.mpf(root)))
            if exponents and _agrees(exponents, coefficients, in_root, root):
                step = reduce(gcd, [k - exponents[0] for k in exponents]) or 1
                chosen = range(exponents[0], exponents[-1] + 1, step)
                return exponents[0] / root, step / root, tuple(float(coefficients[k]) for k in chosen)
    return None


def _taylor(function: Callable[[Any], Any], end: Any) -> tuple[list[int], list[Any]]:
    """Find Taylor coefficients by Cauchy's integral over a circle, and which of them count up to ``end``."""
    radius, half = mpmath.mpf(2) / 5, 128
    circle = [radius * mpmath.expjpi((k + mpmath.mpf(1) / 2) / half) for k in range(half)]  # the upper half is enough
    terms = [function(v) for v in circle]
    coefficients = []
    for _ in range(half // 2):
        coefficients.append(mpmath.fsum(terms).real / half)
        if abs(coefficients[-1]) < mpmath.mpf(10) ** -25 * max(map(abs, terms)):
            coefficients[-1] = mpmath.mpf(0)
        terms = [term / v for term, v in zip(terms, circle, strict=True)]
    sizes = [abs(coefficient) * end**k for k, coefficient in enumerate(coefficients)]
    kept = [k for k, size in enumerate(sizes) if size > max(sizes) * mpmath.mpf(10) ** -18]
    return kept, coefficients


def _agrees(exponents: list[int], coefficients: list[Any], function: Callable[[Any], Any], root: int) -> bool:
    """Tell whether the series has 15 digits of the function, from the end of its range down to 1e-12."""
    for x in (mpmath.mpf(1) / 8, mpmath.mpf(1) / 11, mpmath.mpf(1) / 50, mpmath.mpf(10) ** -12):
        v = x ** (mpmath.mpf(1) / root)
        total, exact = mpmath.fsum(coefficients[k] * v**k for k in exponents), function(v)
        if abs(total - exact) > abs(exact) * mpmath.mpf(10) ** -15:
            return False
    return True
