"""Ordered classes, and rejecting at a known cost

Written by costderive 0.2.0.

The act with the least expected cost is taken, of several the first; the loss is what it costs in the class.
Classes and acts are counted from 0. A row of probabilities may miss the sum 1 by roundings.
A ValueError is raised for what is not a label, or not a row of probabilities.
"""

import numpy as np

TIED = 1.0000000000000022  # what differs by no more is rounding
COSTS = np.array([
    [0.0, 1.0, 2.0, 0.25],
    [1.0, 0.0, 1.0, 0.25],
    [2.0, 1.0, 0.0, 0.25]
])
BEYOND = np.array([  # the least cost of each class
    [0.0, 1.0, 2.0, 0.25],
    [1.0, 0.0, 1.0, 0.25],
    [2.0, 1.0, 0.0, 0.25]
])


def decide(p):
    """Return the act of each row, shape (n,), that costs least at probabilities of shape (n, 3)."""
    expected = _probabilities(p) @ BEYOND
    return (expected <= TIED * expected.min(axis=1, keepdims=True)).argmax(axis=1)


def losses(p):
    """Return the loss of each class, of the same shape (n, 3) as the probabilities of the classes."""
    return COSTS.T[decide(p)]


def loss(y_true, y_proba, sample_weight=None):
    """Return the (weighted) mean loss of probabilities of shape (n, K), given labels from 0 to K - 1."""
    p = _probabilities(y_proba)
    y, weight = _labels(y_true, p.shape), _weights(sample_weight, len(p))
    found = losses(p)[np.arange(len(y)), y]
    return float(np.average(found[weight > 0], weights=weight[weight > 0]))


def _labels(y_true, shape):
    y = np.asarray(y_true)
    if y.shape != shape[:1] or not y.size or not np.isin(y, range(shape[1])).all():
        raise ValueError("y_true must hold one label from 0 to K - 1 for each row")
    return y.astype(int)


def _weights(sample_weight, rows):
    weight = np.ones(rows) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != (rows,) or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    return weight


def _probabilities(p):
    p = np.asarray(p)
    rounding = max(1e-8, 1e-5 * (p.dtype == np.float32), 1e-2 * (p.dtype == np.float16))
    p = p.astype(float)
    wrong = p.ndim != 2 or p.shape[1] != len(COSTS) or not (p >= 0).all()
    if wrong or not (abs(p.sum(axis=1) - 1) <= rounding).all():
        raise ValueError("rows of probabilities of all classes are wanted, which add up to 1")
    return p / p.sum(axis=1, keepdims=True)
