"""Geometric costs: the loss left open by Flach

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    asin(sqrt(p)) - sqrt(p)*sqrt(1 - p)    up to p = 1
loss1(p) =
    asin(sqrt(1 - p)) - sqrt(p)*sqrt(1 - p)    up to p = 1
"""

import numpy as np


NEAR_ZERO_0 = (
    0.6666666666666666, 0.2, 0.10714285714285714, 0.06944444444444445,
    0.04971590909090909, 0.03786057692307692, 0.030078125, 0.024643841911764705,
    0.02067164370888158, 0.017663864862351192, 0.015321482782778532, 0.013455047607421874,
    0.011939278355351201, 0.010688346007774616, 0.009641676179824336, 0.008755421096628363,
    0.007997139090938228, 0.007342365381584779,
)

NEAR_ZERO_1 = (
    0.6666666666666666, 0.2, 0.10714285714285714, 0.06944444444444445,
    0.04971590909090909, 0.03786057692307692, 0.030078125, 0.024643841911764705,
    0.02067164370888158, 0.017663864862351192, 0.015321482782778532, 0.013455047607421874,
    0.011939278355351201, 0.010688346007774616, 0.009641676179824336, 0.008755421096628363,
    0.007997139090938228, 0.007342365381584779,
)

def loss0(p):
    """Return the loss of p when the class is 0."""
    p = _probability(p)
    highs = (1.0 / 8.0, 1.0)
    formulas = (
        lambda p: _series(p, 1.5, 1.0, NEAR_ZERO_0),
        lambda p: np.arctan(np.sqrt(p) / np.sqrt(1.0 - p)) - np.sqrt(p) * np.sqrt(1.0 - p),
    )
    return _by_piece(p, highs, formulas, 0.0, 3.141592653589793 / 2.0)


def loss1(p):
    """Return the loss of p when the class is 1."""
    p = _probability(p)
    highs = (7.0 / 8.0, 1.0)
    formulas = (
        lambda p: np.arctan(np.sqrt(1.0 - p) / np.sqrt(p)) - np.sqrt(p) * np.sqrt(1.0 - p),
        lambda p: _series(1.0 - p, 1.5, 1.0, NEAR_ZERO_1),
    )
    return _by_piece(p, highs, formulas, 3.141592653589793 / 2.0, 0.0)


def loss(y_true, y_proba, sample_weight=None):
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
    losses[y == 0] = loss0(p[y == 0])
    losses[y == 1] = loss1(p[y == 1])
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
