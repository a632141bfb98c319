"""The languages in which a scoring rule can be written as a program: one row of ``TARGETS`` each.

A frame holds the formulas; its places are ``losses`` (the functions ``loss0`` and ``loss1``),
``parameters`` (what follows in a signature) and ``passed`` (what follows in a call).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_COMMON = ("exp", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
_SPECIAL = ("erf", "erfc", "gamma")
_INVERSE = ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh")


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

SERIES = '''

def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent
'''

CHECK = """

def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
"""

TARGETS: Mapping[str, Target] = {
    "numpy": Target(
        {
            **{name: f"np.{name}" for name in _COMMON},
            **{name: f"np.arc{name[1:]}" for name in _INVERSE},
            **{name: f"np.vectorize(math.{name}, otypes=[float])" for name in _SPECIAL},
            "Abs": "np.abs",
        },
        "np.inf",
        _NUMPY_FRAME,
    ),
    "python": Target(
        {name: f"math.{name}" for name in (*_COMMON, *_INVERSE, *_SPECIAL)} | {"Abs": "abs"},
        "math.inf",
        _MATH_FRAME,
    ),
}
