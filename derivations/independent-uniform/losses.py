"""Independent uniform costs with any bounds

Written by costderive 0.1.0. p is the probability of class 1.

If b - a > 0 and e - d > 0 and b*d - a*e >= 0:
loss0(p) =
    0    up to p = a/(a + e)
    (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = a/(a + d)
    (p**2*(d**2 + d*e + e**2) - 3*a**2*(1 - p)**2)/(6*(1 - p)**2*(b - a))    up to p = b/(b + e)
    a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
    a/2 + b/2    up to p = 1
loss1(p) =
    d/2 + e/2    up to p = a/(a + e)
    d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = a/(a + d)
    (3*b*d + 3*b*e + p*(-3*b*d - 3*b*e - 2*d**2 - 2*d*e - 2*e**2))/(6*(1 - p)*(b - a))    up to p = b/(b + e)
    (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
    0    up to p = 1

If b - a > 0 and e - d > 0 and a*e - b*d >= 0:
loss0(p) =
    0    up to p = a/(a + e)
    (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + e)
    (p*(2*a**2 + 2*a*b + 3*a*e + 2*b**2 + 3*b*e) - 2*a**2 - 2*a*b - 2*b**2)/(6*p*(e - d))    up to p = a/(a + d)
    a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
    a/2 + b/2    up to p = 1
loss1(p) =
    d/2 + e/2    up to p = a/(a + e)
    d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + e)
    ((1 - p)**2*(a**2 + a*b + b**2) - 3*d**2*p**2)/(6*p**2*(e - d))    up to p = a/(a + d)
    (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
    0    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At a = 1, b = 2, d = 1, e = 3 they are within 1e-14 of the largest loss, in Python at 291 reports.
"""

import numpy as np


def loss0(p, *, a, b, d, e):
    """Return the loss of p when the class is 0."""
    _check(0 < a < float("inf"), 'a > 0 and finite')
    _check(0 < b < float("inf"), 'b > 0 and finite')
    _check(0 < d < float("inf"), 'd > 0 and finite')
    _check(0 < e < float("inf"), 'e > 0 and finite')
    p = _probability(p)
    _check(b - a > 0, 'b - a > 0')
    _check(e - d > 0, 'e - d > 0')
    if b * d - a * e >= 0:
        highs = (a / (a + e), a / (a + d), b / (b + e), b / (b + d), 1.0)
        formulas = (
            lambda p: 0.0,
            lambda p: (e * p - a * (1.0 - p)) * (e * p - a * (1.0 - p)) * (e * p + 2.0 * (a * (1.0 - p))) / (p * ((1.0 - p) * (1.0 - p)) * (b - a) * (e - d)) / 6.0,
            lambda p: (p * p * (d * d + d * e + e * e) - 3.0 * (a * a) * ((1.0 - p) * (1.0 - p))) / ((1.0 - p) * (1.0 - p) * (b - a)) / 6.0,
            lambda p: 0.5 * a + 0.5 * b - 0.16666666666666666 * ((d * p - b * (1.0 - p)) * (d * p - b * (1.0 - p))) * (d * p + 2.0 * (b * (1.0 - p))) / (p * ((1.0 - p) * (1.0 - p)) * (b - a) * (e - d)),
            lambda p: 0.5 * a + 0.5 * b,
        )
        return _by_piece(p, highs, formulas, 0.0, 0.5 * a + 0.5 * b)
    highs = (a / (a + e), b / (b + e), a / (a + d), b / (b + d), 1.0)
    formulas = (
        lambda p: 0.0,
        lambda p: (e * p - a * (1.0 - p)) * (e * p - a * (1.0 - p)) * (e * p + 2.0 * (a * (1.0 - p))) / (p * ((1.0 - p) * (1.0 - p)) * (b - a) * (e - d)) / 6.0,
        lambda p: (3.0 * e * p * (a + b) + (1.0 - p) * (-2.0 * (a * a) - 2.0 * a * b - 2.0 * (b * b))) / (p * (e - d)) / 6.0,
        lambda p: 0.5 * a + 0.5 * b - 0.16666666666666666 * ((d * p - b * (1.0 - p)) * (d * p - b * (1.0 - p))) * (d * p + 2.0 * (b * (1.0 - p))) / (p * ((1.0 - p) * (1.0 - p)) * (b - a) * (e - d)),
        lambda p: 0.5 * a + 0.5 * b,
    )
    return _by_piece(p, highs, formulas, 0.0, 0.5 * a + 0.5 * b)


def loss1(p, *, a, b, d, e):
    """Return the loss of p when the class is 1."""
    _check(0 < a < float("inf"), 'a > 0 and finite')
    _check(0 < b < float("inf"), 'b > 0 and finite')
    _check(0 < d < float("inf"), 'd > 0 and finite')
    _check(0 < e < float("inf"), 'e > 0 and finite')
    p = _probability(p)
    _check(b - a > 0, 'b - a > 0')
    _check(e - d > 0, 'e - d > 0')
    if b * d - a * e >= 0:
        highs = (a / (a + e), a / (a + d), b / (b + e), b / (b + d), 1.0)
        formulas = (
            lambda p: 0.5 * d + 0.5 * e,
            lambda p: 0.5 * d + 0.5 * e - 0.16666666666666666 * ((e * p - a * (1.0 - p)) * (e * p - a * (1.0 - p))) * (2.0 * e * p + a * (1.0 - p)) / (p * p * (1.0 - p) * (b - a) * (e - d)),
            lambda p: ((1.0 - p) * (d * (3.0 * b) + e * (3.0 * b)) - 2.0 * p * (d * d + d * e + e * e)) / ((1.0 - p) * (b - a)) / 6.0,
            lambda p: (d * p - b * (1.0 - p)) * (d * p - b * (1.0 - p)) * (2.0 * d * p + b * (1.0 - p)) / (p * p * (1.0 - p) * (b - a) * (e - d)) / 6.0,
            lambda p: 0.0,
        )
        return _by_piece(p, highs, formulas, 0.5 * d + 0.5 * e, 0.0)
    highs = (a / (a + e), b / (b + e), a / (a + d), b / (b + d), 1.0)
    formulas = (
        lambda p: 0.5 * d + 0.5 * e,
        lambda p: 0.5 * d + 0.5 * e - 0.16666666666666666 * ((e * p - a * (1.0 - p)) * (e * p - a * (1.0 - p))) * (2.0 * e * p + a * (1.0 - p)) / (p * p * (1.0 - p) * (b - a) * (e - d)),
        lambda p: ((1.0 - p) * (1.0 - p) * (a * a + a * b + b * b) - 3.0 * (d * d) * (p * p)) / (p * p * (e - d)) / 6.0,
        lambda p: (d * p - b * (1.0 - p)) * (d * p - b * (1.0 - p)) * (2.0 * d * p + b * (1.0 - p)) / (p * p * (1.0 - p) * (b - a) * (e - d)) / 6.0,
        lambda p: 0.0,
    )
    return _by_piece(p, highs, formulas, 0.5 * d + 0.5 * e, 0.0)


def loss(y_true, y_proba, sample_weight=None, *, a, b, d, e):
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
    losses[y == 0] = loss0(p[y == 0], a=a, b=b, d=d, e=e)
    losses[y == 1] = loss1(p[y == 1], a=a, b=b, d=d, e=e)
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


def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
