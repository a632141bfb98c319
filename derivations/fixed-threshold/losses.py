"""Known costs at a wrong threshold: improper, with a witness

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    0    up to p = 1/2
    1    up to p = 1
loss1(p) =
    4    up to p = 1/2
    0    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 2.0, 1.0,)
    formulas = (
        lambda p, q: 0.0,
        lambda p, q: 1.0,
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=1.0)


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (1.0 / 2.0, 1.0,)
    formulas = (
        lambda p, q: 4.0,
        lambda p, q: 0.0,
    )
    return _by_piece(p, ends, formulas, at_zero=4.0, at_one=0.0)


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
