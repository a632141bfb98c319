"""Independent Gamma costs of one scale: Beta-weighted thresholds

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    theta*betainc(a + 1, b, 0, p)*gamma(a + b + 1)/(gamma(a)*gamma(b))    up to p = 1
loss1(p) =
    theta*betainc(b + 1, a, 0, 1 - p)*gamma(a + b + 1)/(gamma(a)*gamma(b))    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At a = 2, b = 3, theta = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.

A ValueError is raised for what is not a probability.
A ValueError is raised for parameters that break a condition above.
They are numbers, or arrays with one for each row.
Written by costderive 0.2.0.
"""

import math

import numpy as np


def loss0(p, *, a, b, theta):
    """Return the loss of a probability of class 1 if the class is 0."""
    a = _numbers(p, "a", a)
    b = _numbers(p, "b", b)
    theta = _numbers(p, "theta", theta)
    ends = (1.0,)
    formulas = (
        lambda p, q: _loss0_part1(p, q, a, b, theta),
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=a * theta)


def loss1(p, *, a, b, theta):
    """Return the loss of a probability of class 1 if the class is 1."""
    a = _numbers(p, "a", a)
    b = _numbers(p, "b", b)
    theta = _numbers(p, "theta", theta)
    ends = (1.0,)
    formulas = (
        lambda p, q: _loss1_part1(p, q, a, b, theta),
    )
    return _by_piece(p, ends, formulas, at_zero=b * theta, at_one=0.0)


def loss(y_true, y_proba, sample_weight=None, *, a, b, theta):
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
    losses = np.where(y == 1, loss1(p, a=a, b=b, theta=theta), loss0(p, a=a, b=b, theta=theta))
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


def _beta(a, b):
    gamma = np.vectorize(math.gamma, otypes=[float])
    return gamma(a) * gamma(b) / gamma(a + b)


def _near_zero(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, by its continued fraction."""
    fraction, c, d = 1.0, 1.0, 0.0
    for n in range(1, 1000):
        m = n // 2
        top = -(a + m) * (a + b + m) if n % 2 else m * (b - m)
        term = top * x / ((a + n - 1) * (a + n))
        c, d = 1 + term / c, 1 / (1 + term * d)
        fraction = fraction * (c * d)
        if (abs(c * d - 1) < 3e-16).all():
            break
    return x**a * y**b / (a * fraction)


def _incomplete_beta(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end."""
    is_low = x <= (a + 1) / (a + b + 2)
    first, second = np.where(is_low, a, b), np.where(is_low, b, a)
    near = _near_zero(first, second, np.where(is_low, x, y), np.where(is_low, y, x))
    return np.where(is_low, near, _beta(a, b) - near)
def _loss0_part1(p, q, a, b, theta):
    x0 = a + 1.0
    return theta * _incomplete_beta(x0, b, p, q) * np.vectorize(math.gamma, otypes=[float])(b + x0) / (np.vectorize(math.gamma, otypes=[float])(a) * np.vectorize(math.gamma, otypes=[float])(b))


def _loss1_part1(p, q, a, b, theta):
    x0 = b + 1.0
    return theta * _incomplete_beta(x0, a, q, p) * np.vectorize(math.gamma, otypes=[float])(a + x0) / (np.vectorize(math.gamma, otypes=[float])(a) * np.vectorize(math.gamma, otypes=[float])(b))
