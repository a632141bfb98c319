"""Independent uniform costs of three classes: the Inverse Score of three classes

Written by costderive 0.2.0. pi is the probability of class i.

Where p0 <= p1 <= p2:
loss0(p) = 1/2 - p0**2/(4*p1*p2)
loss1(p) = p0**3/(12*p1**2*p2) - p1/(3*p2) + 1/2
loss2(p) = p0**3/(12*p1*p2**2) + p1**2/(6*p2**2)

In other orders alike: classes whose costs have the same law may be exchanged.

The losses are these formulas as they stand, compared at 400 forecasts with quadrature: within 1e-14 of the mean cost.
A probability counts as at least 1e-30, so that at 0 there are the limits.
A ValueError is raised for what is not a label, or not a probability.
"""

import numpy as np

MARKED = (2, 1, 0)  # the classes whose costs have marks
MARKS = (1.0, 1.0, 1.0)
LAWS = (0, 0, 0)  # classes of the same number have the same law of costs
CELLS = {  # the losses of the classes, by the ascending order of the marks that the probabilities weigh
    ((0, 1.0), (1, 1.0), (2, 1.0)): lambda p0, p1, p2: (
        0.5 - 0.25 * (p0 * p0) / (p1 * p2),
        0.08333333333333333 * (p0 * p0 * p0) * (1.0 / p2) / (p1 * p1) + 0.5 - 0.3333333333333333 * p1 * (1.0 / p2),
        0.08333333333333333 * (p0 * p0 * p0) * (1.0 / (p2 * p2)) / p1 + 0.16666666666666666 * (p1 * p1) * (1.0 / (p2 * p2)),
    ),
}


def losses(p):
    """Return the loss of each class, of the same shape (n, 3) as the probabilities of the classes."""
    p = np.maximum(_probabilities(p), 1e-30)
    return _at(p, p)


def _at(p, values):
    """Return the losses at values next to probabilities, by the formulas of these; they depend on ratios alone."""
    weighed = p[:, MARKED] * np.array(MARKS)
    orders, cells = np.unique(np.argsort(weighed, axis=1, kind="stable"), axis=0, return_inverse=True)
    found = np.empty_like(values)
    for number, order in enumerate(orders):
        rows, marks = np.flatnonzero(cells.ravel() == number), [(MARKED[k], MARKS[k]) for k in order]
        standing = _standing([label for label, _ in marks])
        formulas = CELLS[tuple((standing.index(label), mark) for label, mark in marks)]
        for label, loss in zip(standing, formulas(*values[rows][:, standing].T)):
            found[rows, label] = loss
    return found


def _standing(labels):
    """Return the class that takes each place when classes of the same law are numbered as their marks appear."""
    seen = list(dict.fromkeys(labels))
    waiting = {law: iter([label for label in seen if LAWS[label] == law]) for law in LAWS}
    return [next(waiting[law], label) for label, law in enumerate(LAWS)]

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
    wrong = p.ndim != 2 or p.shape[1] != 3 or not (p >= 0).all()
    if wrong or not (abs(p.sum(axis=1) - 1) <= rounding).all():
        raise ValueError("rows of probabilities of all classes are wanted, which add up to 1")
    return p / p.sum(axis=1, keepdims=True)
