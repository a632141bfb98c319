"""Euclidean costs: c0^2 + c1^2 = 2

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    sqrt(2)*sqrt(p**2 + (1 - p)**2)/2 + asinh(2*p - 1)/2 - sqrt(2)/2 + log(1 + sqrt(2))/2    up to p = 1
loss1(p) =
    sqrt(2)*sqrt(p**2 + (1 - p)**2)/2 - asinh(2*p - 1)/2 - sqrt(2)/2 + log(1 + sqrt(2))/2    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: (((((((((((((((((((((-16.869950964493807 * p - 12.708556458056323) * p - 3.9463471539479706) * p + 3.1048770032386765) * p + 5.661113299447165) * p + 4.324974874128172) * p + 1.3612049255711394) * p - 1.1004953499435899) * p - 2.042231186653491) * p - 1.595034813756318) * p - 0.512907382747694) * p + 0.43411568662689737) * p + 0.8306495852859017) * p + 0.675066005164032) * p + 0.225881332879036) * p - 0.2099223256647563) * p - 0.42931483143468957) * p - 0.38301617314271325) * p - 0.1414213562373095) * p + 0.1767766952966369) * p + 0.4714045207910317) * p + 0.7071067811865476) * p * p,
        lambda p, q: 0.7071067811865476 * np.sqrt(p * p + q * q) + 0.5 * np.log1p(1.4142135623730951) + 0.5 * np.arcsinh(2.0 * p - 1.0) - 0.7071067811865476,
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=np.log1p(1.4142135623730951))


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: 0.7071067811865476 * np.sqrt(p * p + q * q) + 0.5 * np.log1p(1.4142135623730951) - 0.5 * np.arcsinh(2.0 * p - 1.0) - 0.7071067811865476,
        lambda p, q: (((((((((((((((((((((-16.869950964493807 * q - 12.708556458056323) * q - 3.9463471539479706) * q + 3.1048770032386765) * q + 5.661113299447165) * q + 4.324974874128172) * q + 1.3612049255711394) * q - 1.1004953499435899) * q - 2.042231186653491) * q - 1.595034813756318) * q - 0.512907382747694) * q + 0.43411568662689737) * q + 0.8306495852859017) * q + 0.675066005164032) * q + 0.225881332879036) * q - 0.2099223256647563) * q - 0.42931483143468957) * q - 0.38301617314271325) * q - 0.1414213562373095) * q + 0.1767766952966369) * q + 0.4714045207910317) * q + 0.7071067811865476) * q * q,
    )
    return _by_piece(p, ends, formulas, at_zero=np.log1p(1.4142135623730951), at_one=0.0)


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


def _by_piece(p, ends, formulas, at_zero, at_one):
    """Apply each formula from the end of the one before it, exclusive, to its own end, inclusive."""
    p = _probability(p)
    losses, inside, low = np.empty(p.shape), (p > 0) & (p < 1), 0.0
    for end, formula in zip(ends, formulas):
        here = inside & (low < p) & (p <= end)
        losses[here] = formula(p[here], 1 - p[here])
        low = end
    losses[p == 0], losses[p == 1] = at_zero, at_one
    return losses[()]
