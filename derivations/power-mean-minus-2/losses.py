"""Costs whose power mean with exponent -2 is known

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    sqrt(2)*(asinh(p/(1 - p))/2 - sqrt(p**2 + (1 - p)**2)/2 - sqrt(2)*asinh(2*p - 1)/4) - log(1 + sqrt(2))/2 + sqrt(2)/2    up to p = 1
loss1(p) =
    sqrt(2)*(asinh((1 - p)/p)/2 - sqrt(p**2 + (1 - p)**2)/2 + sqrt(2)*asinh(2*p - 1)/4) - log(1 + sqrt(2))/2 + sqrt(2)/2    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: (((((((((((((((((((0.13291376198429447 * p - 0.07203643518858026) * p - 0.15032540809893047) * p - 0.10455115829006417) * p + 0.0028916109826354177) * p + 0.10010440727149399) * p + 0.1430391786719439) * p + 0.1274300757261514) * p + 0.07872087212428361) * p + 0.03189011406629671) * p + 0.013258252147247766) * p + 0.031304206458779446) * p + 0.07733980419227864) * p + 0.13258252147247765) * p + 0.1767766952966369) * p + 0.19445436482630057) * p + 0.1767766952966369) * p + 0.11785113019775792) * p + 0.0) * p + 0.7071067811865476) * p,
        lambda p, q: 1.4142135623730951 * (-0.5 * np.sqrt(p * p + q * q) + 0.5 * np.arcsinh(p / q) - 0.3535533905932738 * np.arcsinh(2.0 * p - 1.0)) - 0.5 * np.log1p(1.4142135623730951) + 0.7071067811865476,
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=np.inf)


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: 1.4142135623730951 * (-0.5 * np.sqrt(p * p + q * q) + 0.5 * np.arcsinh(q / p) + 0.3535533905932738 * np.arcsinh(2.0 * p - 1.0)) - 0.5 * np.log1p(1.4142135623730951) + 0.7071067811865476,
        lambda p, q: (((((((((((((((((((0.13291376198429447 * q - 0.07203643518858026) * q - 0.15032540809893047) * q - 0.10455115829006417) * q + 0.0028916109826354177) * q + 0.10010440727149399) * q + 0.1430391786719439) * q + 0.1274300757261514) * q + 0.07872087212428361) * q + 0.03189011406629671) * q + 0.013258252147247766) * q + 0.031304206458779446) * q + 0.07733980419227864) * q + 0.13258252147247765) * q + 0.1767766952966369) * q + 0.19445436482630057) * q + 0.1767766952966369) * q + 0.11785113019775792) * q + 0.0) * q + 0.7071067811865476) * q,
    )
    return _by_piece(p, ends, formulas, at_zero=np.inf, at_one=0.0)


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
