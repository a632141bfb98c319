"""Euclidean costs: c0^2 + c1^2 = 2

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    sqrt(2)*sqrt(p**2 + (1 - p)**2)/2 + asinh(2*p - 1)/2 - sqrt(2)/2 + log(1 + sqrt(2))/2    up to p = 1
loss1(p) =
    sqrt(2)*sqrt(p**2 + (1 - p)**2)/2 - asinh(2*p - 1)/2 - sqrt(2)/2 + log(1 + sqrt(2))/2    up to p = 1
"""

import numpy as np


NEAR_ZERO_0 = (
    0.7071067811865476, 0.4714045207910317, 0.1767766952966369, -0.1414213562373095,
    -0.38301617314271325, -0.42931483143468957, -0.2099223256647563, 0.225881332879036,
    0.675066005164032, 0.8306495852859017, 0.43411568662689737, -0.512907382747694,
    -1.595034813756318, -2.042231186653491, -1.1004953499435899, 1.3612049255711394,
    4.324974874128172, 5.661113299447165, 3.1048770032386765, -3.9463471539479706,
    -12.708556458056323, -16.869950964493807,
)

NEAR_ZERO_1 = (
    0.7071067811865476, 0.4714045207910317, 0.1767766952966369, -0.1414213562373095,
    -0.38301617314271325, -0.42931483143468957, -0.2099223256647563, 0.225881332879036,
    0.675066005164032, 0.8306495852859017, 0.43411568662689737, -0.512907382747694,
    -1.595034813756318, -2.042231186653491, -1.1004953499435899, 1.3612049255711394,
    4.324974874128172, 5.661113299447165, 3.1048770032386765, -3.9463471539479706,
    -12.708556458056323, -16.869950964493807,
)

def loss0(p):
    """Return the loss of p when the class is 0."""
    p = _probability(p)
    highs = (1.0 / 8.0, 1.0)
    formulas = (
        lambda p: _series(p, 2.0, 1.0, NEAR_ZERO_0),
        lambda p: 0.7071067811865476 * np.sqrt(p * p + (1.0 - p) * (1.0 - p)) + 0.5 * np.log1p(1.4142135623730951) + 0.5 * np.arcsinh(2.0 * p - 1.0) - 0.7071067811865476,
    )
    return _by_piece(p, highs, formulas, 0.0, np.log1p(1.4142135623730951))


def loss1(p):
    """Return the loss of p when the class is 1."""
    p = _probability(p)
    highs = (7.0 / 8.0, 1.0)
    formulas = (
        lambda p: 0.7071067811865476 * np.sqrt(p * p + (1.0 - p) * (1.0 - p)) + 0.5 * np.log1p(1.4142135623730951) - 0.5 * np.arcsinh(2.0 * p - 1.0) - 0.7071067811865476,
        lambda p: _series(1.0 - p, 2.0, 1.0, NEAR_ZERO_1),
    )
    return _by_piece(p, highs, formulas, np.log1p(1.4142135623730951), 0.0)


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
