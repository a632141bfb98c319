"""Boosting: geometric costs with the log-odds of the threshold uniform on the whole line

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    2*b*sqrt(p)/sqrt(1 - p)    up to p = 1
loss1(p) =
    2*b*sqrt(1 - p)/sqrt(p)    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At b = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.

A ValueError is raised for what is not a probability.
A ValueError is raised for parameters that break a condition above.
They are numbers, or arrays with one for each row.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p, *, b):
    """Return the loss of a probability of class 1 if the class is 0."""
    b = _numbers(p, "b", b)
    ends = (1.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: 2.0 * b * ((((((((((((((((((0.13206059957155958 * p + 0.13583375955931842) * p + 0.13994993409141898) * p + 0.14446444809436798) * p + 0.14944598078727722) * p + 0.15498101711273193) * p + 0.1611802577972412) * p + 0.16818809509277344) * p + 0.17619705200195312) * p + 0.1854705810546875) * p + 0.196380615234375) * p + 0.20947265625) * p + 0.2255859375) * p + 0.24609375) * p + 0.2734375) * p + 0.3125) * p + 0.375) * p + 0.5) * p + 1.0) * np.sqrt(p),
        lambda p, q: 2.0 * b * np.sqrt(p) / np.sqrt(q),
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=np.inf)


def loss1(p, *, b):
    """Return the loss of a probability of class 1 if the class is 1."""
    b = _numbers(p, "b", b)
    ends = (7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: 2.0 * b * np.sqrt(q) / np.sqrt(p),
        lambda p, q: 2.0 * b * ((((((((((((((((((0.13206059957155958 * q + 0.13583375955931842) * q + 0.13994993409141898) * q + 0.14446444809436798) * q + 0.14944598078727722) * q + 0.15498101711273193) * q + 0.1611802577972412) * q + 0.16818809509277344) * q + 0.17619705200195312) * q + 0.1854705810546875) * q + 0.196380615234375) * q + 0.20947265625) * q + 0.2255859375) * q + 0.24609375) * q + 0.2734375) * q + 0.3125) * q + 0.375) * q + 0.5) * q + 1.0) * np.sqrt(q),
    )
    return _by_piece(p, ends, formulas, at_zero=np.inf, at_one=0.0)


def loss(y_true, y_proba, sample_weight=None, *, b):
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
    losses = np.where(y == 1, loss1(p, b=b), loss0(p, b=b))
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
