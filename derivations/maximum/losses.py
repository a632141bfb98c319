"""The larger cost is known: max(c0, c1) = 1

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    -p - log(1 - p)    up to p = 1/2
    p - 1 + log(2)    up to p = 1
loss1(p) =
    log(2) - p    up to p = 1/2
    p - log(p) - 1    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 8.0, 1.0 / 2.0, 1.0,)
    formulas = (
        lambda p, q: ((((((((((((((((((0.05 * p + 0.05263157894736842) * p + 0.05555555555555555) * p + 0.058823529411764705) * p + 0.0625) * p + 0.06666666666666667) * p + 0.07142857142857142) * p + 0.07692307692307693) * p + 0.08333333333333333) * p + 0.09090909090909091) * p + 0.1) * p + 0.1111111111111111) * p + 0.125) * p + 0.14285714285714285) * p + 0.16666666666666666) * p + 0.2) * p + 0.25) * p + 0.3333333333333333) * p + 0.5) * p * p,
        lambda p, q: -p - np.log1p(-p),
        lambda p, q: p - 0.3068528194400547,
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=0.6931471805599453)


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (1.0 / 2.0, 7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: 0.6931471805599453 - p,
        lambda p, q: p - np.log(p) - 1.0,
        lambda p, q: ((((((((((((((((((0.05 * q + 0.05263157894736842) * q + 0.05555555555555555) * q + 0.058823529411764705) * q + 0.0625) * q + 0.06666666666666667) * q + 0.07142857142857142) * q + 0.07692307692307693) * q + 0.08333333333333333) * q + 0.09090909090909091) * q + 0.1) * q + 0.1111111111111111) * q + 0.125) * q + 0.14285714285714285) * q + 0.16666666666666666) * q + 0.2) * q + 0.25) * q + 0.3333333333333333) * q + 0.5) * q * q,
    )
    return _by_piece(p, ends, formulas, at_zero=0.6931471805599453, at_one=0.0)


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
