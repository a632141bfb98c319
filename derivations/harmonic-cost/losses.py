"""Harmonic costs with c0 uniform, which is not the log loss

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    0    up to p = 1/3
    (5 - 3*p)*(3*p - 1)/(72*(1 - p)**2)    up to p = 5/6
    15/8    up to p = 1
loss1(p) =
    log(2)/9 + log(5)/9 + 1/2    up to p = 1/3
    log(1 - p)/9 - log(p)/9 + log(5)/9 + (5 - 6*p)/(9*(1 - p))    up to p = 5/6
    0    up to p = 1
"""

import numpy as np


def loss0(p):
    """Return the loss of p when the class is 0."""
    p = _probability(p)
    highs = (1.0 / 3.0, 5.0 / 6.0, 1.0)
    formulas = (
        lambda p: 0.0,
        lambda p: (5.0 - 3.0 * p) * (3.0 * p - 1.0) / ((1.0 - p) * (1.0 - p)) / 72.0,
        lambda p: 15.0 / 8.0,
    )
    return _by_piece(p, highs, formulas, 0.0, 15.0 / 8.0)


def loss1(p):
    """Return the loss of p when the class is 1."""
    p = _probability(p)
    highs = (1.0 / 3.0, 5.0 / 6.0, 1.0)
    formulas = (
        lambda p: 0.7558427881104495,
        lambda p: 0.1111111111111111 * np.log1p((5.0 - p) / p) + 0.1111111111111111 * np.log1p(-p) + 0.1111111111111111 * (5.0 - 6.0 * p) / (1.0 - p),
        lambda p: 0.0,
    )
    return _by_piece(p, highs, formulas, 0.7558427881104495, 0.0)


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
