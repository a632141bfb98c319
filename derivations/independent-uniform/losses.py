"""Independent uniform costs with any bounds

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.

If b - a > 0 and e - d > 0 and b*d >= a*e:
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

If b - a > 0 and e - d > 0 and a*e >= b*d:
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

A ValueError is raised for what is not a probability.
A ValueError is raised for parameters that break a condition above.
They are numbers, or arrays with one for each row.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p, *, a, b, d, e):
    """Return the loss of a probability of class 1 if the class is 0."""
    a = _numbers(p, "a", a)
    b = _numbers(p, "b", b)
    d = _numbers(p, "d", d)
    e = _numbers(p, "e", e)
    _check((b - a > 0), "b - a > 0")
    _check((e - d > 0), "e - d > 0")
    in_case1 = (b * d - a * e >= 0)
    ends = (a / (a + e), np.where(in_case1, a / (a + d), b / (b + e)), np.where(in_case1, b / (b + e), a / (a + d)), b / (b + d), 1.0,)
    formulas = (
        lambda p, q: 0.0,
        lambda p, q: _loss0_part2(p, q, a, b, d, e),
        lambda p, q: np.where(in_case1, (-3.0 * (a * a) * (q * q) + p * p * (d * d + d * e + e * e)) / (q * q * (-a + b)) / 6.0, (3.0 * e * p * (a + b) + q * (-2.0 * (a * a) - 2.0 * a * b - 2.0 * (b * b))) / (p * (-d + e)) / 6.0),
        lambda p, q: _loss0_part4(p, q, a, b, d, e),
        lambda p, q: 0.5 * a + 0.5 * b,
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=0.5 * a + 0.5 * b)


def loss1(p, *, a, b, d, e):
    """Return the loss of a probability of class 1 if the class is 1."""
    a = _numbers(p, "a", a)
    b = _numbers(p, "b", b)
    d = _numbers(p, "d", d)
    e = _numbers(p, "e", e)
    _check((b - a > 0), "b - a > 0")
    _check((e - d > 0), "e - d > 0")
    in_case1 = (b * d - a * e >= 0)
    ends = (a / (a + e), np.where(in_case1, a / (a + d), b / (b + e)), np.where(in_case1, b / (b + e), a / (a + d)), b / (b + d), 1.0,)
    formulas = (
        lambda p, q: 0.5 * d + 0.5 * e,
        lambda p, q: _loss1_part2(p, q, a, b, d, e),
        lambda p, q: np.where(in_case1, (-2.0 * p * (d * d + d * e + e * e) + q * (d * (3.0 * b) + e * (3.0 * b))) / (q * (-a + b)) / 6.0, (-3.0 * (d * d) * (p * p) + q * q * (a * a + a * b + b * b)) / (p * p * (-d + e)) / 6.0),
        lambda p, q: _loss1_part4(p, q, a, b, d, e),
        lambda p, q: 0.0,
    )
    return _by_piece(p, ends, formulas, at_zero=0.5 * d + 0.5 * e, at_one=0.0)


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
    losses = np.where(y == 1, loss1(p, a=a, b=b, d=d, e=e), loss0(p, a=a, b=b, d=d, e=e))
    return float(np.average(losses[used], weights=weight[used]))


def _probability(p):
    p = np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability lies between 0 and 1")
    return p


def _numbers(p, name, values):
    """Return a parameter: one number, or one for each row."""
    values = np.asarray(values, dtype=float)
    if values.ndim and values.shape != np.shape(p):
        raise ValueError(f"{name} needs one number, or one for each row")
    _check((0 < values) & (values < np.inf), f"{name} > 0 and finite")
    return values


def _check(condition, what):
    if not np.all(condition):
        raise ValueError(f"the parameters need {what}")


def _by_piece(p, ends, formulas, at_zero, at_one):
    """Apply in each row the formula of the first end at or above p."""
    p = _probability(p)
    x = np.where((p > 0) & (p < 1), p, 0.5)
    with np.errstate(all="ignore"):  # of formulas for other rows
        losses = np.select([x <= end for end in ends], [formula(x, 1 - x) for formula in formulas])
    return np.where(p == 0, at_zero, np.where(p == 1, at_one, losses))[()]
def _loss0_part2(p, q, a, b, d, e):
    x0 = a * q
    return (e * p - x0) * (e * p - x0) * (e * p + 2.0 * x0) / (p * (q * q) * (-a + b) * (-d + e)) / 6.0


def _loss0_part4(p, q, a, b, d, e):
    x0 = b * q
    return 0.5 * a + 0.5 * b - 0.16666666666666666 * ((d * p - x0) * (d * p - x0)) * (d * p + 2.0 * x0) / (p * (q * q) * (-a + b) * (-d + e))


def _loss1_part2(p, q, a, b, d, e):
    x0 = a * q
    return 0.5 * d + 0.5 * e - 0.16666666666666666 * ((e * p - x0) * (e * p - x0)) * (2.0 * e * p + x0) / (p * p * q * (-a + b) * (-d + e))


def _loss1_part4(p, q, a, b, d, e):
    x0 = b * q
    return (d * p - x0) * (d * p - x0) * (2.0 * d * p + x0) / (p * p * q * (-a + b) * (-d + e)) / 6.0
