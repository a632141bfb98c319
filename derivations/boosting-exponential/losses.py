"""Boosting: geometric costs with the log-odds of the threshold uniform on the whole line

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    2*b*sqrt(p)/sqrt(1 - p)    up to p = 1
loss1(p) =
    2*b*sqrt(1 - p)/sqrt(p)    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At b = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.
"""

import numpy as np


NEAR_ZERO_0 = (
    1.0, 0.5, 0.375, 0.3125,
    0.2734375, 0.24609375, 0.2255859375, 0.20947265625,
    0.196380615234375, 0.1854705810546875, 0.17619705200195312, 0.16818809509277344,
    0.1611802577972412, 0.15498101711273193, 0.14944598078727722, 0.14446444809436798,
    0.13994993409141898, 0.13583375955931842, 0.13206059957155958,
)

NEAR_ZERO_1 = (
    1.0, 0.5, 0.375, 0.3125,
    0.2734375, 0.24609375, 0.2255859375, 0.20947265625,
    0.196380615234375, 0.1854705810546875, 0.17619705200195312, 0.16818809509277344,
    0.1611802577972412, 0.15498101711273193, 0.14944598078727722, 0.14446444809436798,
    0.13994993409141898, 0.13583375955931842, 0.13206059957155958,
)

def loss0(p, *, b):
    """Return the loss of p when the class is 0."""
    _check(0 < b < float("inf"), 'b > 0 and finite')
    p = _probability(p)
    highs = (1.0 / 8.0, 1.0)
    formulas = (
        lambda p: (2.0 * b) * _series(p, 0.5, 1.0, NEAR_ZERO_0),
        lambda p: 2.0 * b * np.sqrt(p) / np.sqrt(1.0 - p),
    )
    return _by_piece(p, highs, formulas, 0.0, np.inf)


def loss1(p, *, b):
    """Return the loss of p when the class is 1."""
    _check(0 < b < float("inf"), 'b > 0 and finite')
    p = _probability(p)
    highs = (7.0 / 8.0, 1.0)
    formulas = (
        lambda p: 2.0 * b * np.sqrt(1.0 - p) / np.sqrt(p),
        lambda p: (2.0 * b) * _series(1.0 - p, 0.5, 1.0, NEAR_ZERO_1),
    )
    return _by_piece(p, highs, formulas, np.inf, 0.0)


def loss(y_true, y_proba, sample_weight=None, *, b):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = np.asarray(y_true), _probability(y_proba)
    if y.ndim != 1 or y.shape != p.shape or not y.size:
        raise ValueError(f"y_true and y_proba need one equal length, not shapes {y.shape} and {p.shape}")
    if not np.isin(y, (0, 1)).all():
        raise ValueError("y_true must hold labels 0 and 1 only")
    weight = np.ones(y.shape) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != y.shape or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    used = weight > 0
    y, p, weight = y[used], p[used], weight[used]
    losses = np.empty(p.shape)
    losses[y == 0] = loss0(p[y == 0], b=b)
    losses[y == 1] = loss1(p[y == 1], b=b)
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


def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent


def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
