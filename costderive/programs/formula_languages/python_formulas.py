"""Python: functions of arrays with NumPy, and of numbers with the standard library alone."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from costderive.programs.formula_languages.target import (
    INVERSE,
    OWN,
    Shape,
    Steps,
    Target,
    in_rows,
    named,
)
from costderive.programs.power_series import Series

SPECIAL = ("erf", "erfc", "gamma")


class Python(Shape):
    """Python, with parameters as keyword arguments."""

    comment = ('"""', "", '\n"""')
    both = " and "
    taken = OWN | {"np", "math", "y_true", "y_proba", "sample_weight", *dir(builtins), *keyword.kwlist}

    def parameters(self, names: Sequence[str]) -> str:
        return f", *, {', '.join(names)}" if names else ""

    def passed(self, names: Sequence[str]) -> str:
        return "".join(f", {name}={name}" for name in names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        head = f'def {name}({variable}{self.parameters(names)}):\n    """Return {about}."""\n'
        return head + indent("\n".join(body), "    ") + "\n"

    def positive(self, symbol: str) -> str:
        return f'0 < {symbol} < float("inf")'

    def check(self, fact: str, text: str) -> str:
        return f"_check({fact}, {text!r})"

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield from [f"if {condition}:"] if condition else []
        yield from [f"    {line}" if condition else line for line in lines]

    def steps(self, steps: Steps) -> Iterator[str]:
        yield f"highs = ({', '.join(high for high, _ in steps.rows)}{',' if len(steps.rows) == 1 else ''})"
        yield "formulas = ("
        yield from [f"    lambda {steps.variable}: {formula}," for _, formula in steps.rows]
        yield ")"
        yield f"return _by_piece({steps.variable}, highs, formulas, {steps.at0}, {steps.at1})"

    def constants(self, name: str, numbers: Sequence[float]) -> str:
        return "\n".join([f"{name} = (", *[f"    {row}," for row in in_rows(numbers)], ")\n\n"])

    def series(self, distance: str, series: Series, table: str) -> str:
        return f"_series({distance}, {series.exponent!r}, {series.step!r}, {table})"


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
    losses, inside, low = np.full(p.shape, np.nan), (p > 0) & (p < 1), 0.0
    for high, formula in zip(highs, formulas):
        here = inside & (low < p) & (p <= high)
        losses[here] = formula(p[here])
        low = high
    losses[p == 0], losses[p == 1] = at0, at1
    return losses[()]
{helpers}'''

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
{helpers}'''

_HELPERS = {
    "_series": '''

def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent
''',
    "_check": """

def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
""",
}
_COMPLETE_BETA = """

def _beta(a, b):
    return math.gamma(a) * math.gamma(b) / math.gamma(a + b)
"""
_FRACTION = '''

def _near_zero(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, by its continued fraction."""
    fraction, c, d = 1.0, 1.0, 0.0
    for n in range(1, 1000):
        m = n // 2
        top = -(a + m) * (a + b + m) if n % 2 else m * (b - m)
        term = top * x / ((a + n - 1) * (a + n))
        c, d = 1 + term / c, 1 / (1 + term * d)
        fraction = fraction * (c * d)
        if CONVERGED:
            break
    return x**a * y**b / (a * fraction)
'''
_BETA_OF_ARRAYS = {
    "_incomplete_beta": '''

def _incomplete_beta(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    low = x <= (a + 1) / (a + b + 2)
    found = np.full(x.shape, _beta(a, b))
    found[low] = _near_zero(a, b, x[low], y[low])
    found[~low] -= _near_zero(b, a, y[~low], x[~low])
    return found
''',
    "_near_zero": _FRACTION.replace("CONVERGED", "(abs(c * d - 1) < 3e-16).all()"),
    "_beta": _COMPLETE_BETA,
}
_BETA_OF_NUMBERS = {
    "_incomplete_beta": '''

def _incomplete_beta(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end."""
    if x <= (a + 1) / (a + b + 2):
        return _near_zero(a, b, x, y)
    return _beta(a, b) - _near_zero(b, a, y, x)
''',
    "_near_zero": _FRACTION.replace("CONVERGED", "abs(c * d - 1) < 3e-16"),
    "_beta": _COMPLETE_BETA,
}
_BETA = {"betainc": "_incomplete_beta", "beta": "_beta", "abs": "abs"}
_PREPARED = ("p = _probability(p)",)

NUMPY = Target(
    {
        **named("np.", "np.log", "np.log1p", power="np.power"),
        **{name: f"np.{name}" for name in INVERSE},
        **{name: f"np.vectorize(math.{name}, otypes=[float])" for name in SPECIAL},
        **_BETA,
    },
    "np.inf",
    _NUMPY_FRAME,
    _HELPERS | _BETA_OF_ARRAYS,
    Python(),
    prepared=_PREPARED,
)
PYTHON = Target(
    named("math.", "math.log", "math.log1p", power="pow")
    | {name: f"math.{name}" for name in SPECIAL}
    | _BETA,
    "math.inf",
    _MATH_FRAME,
    _HELPERS | _BETA_OF_NUMBERS,
    Python(),
    prepared=_PREPARED,
)
