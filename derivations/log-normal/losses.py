"""Independent log-normal costs

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    (1 - erf(sqrt(2)*(mu - nu + sigma**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))))*exp(mu + sigma**2/2)/2    up to p = 1
loss1(p) =
    (erf(sqrt(2)*(mu - nu - tau**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))) + 1)*exp(nu + tau**2/2)/2    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At mu = 1/2, sigma = 1/2, nu = 1, tau = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.

A ValueError is raised for what is not a probability.
A ValueError is raised for parameters that break a condition above.
They are numbers, or arrays with one for each row.
Written by costderive 0.2.0.
"""

import math

import numpy as np


def loss0(p, *, mu, nu, sigma, tau):
    """Return the loss of a probability of class 1 if the class is 0."""
    mu = _numbers(p, "mu", mu)
    nu = _numbers(p, "nu", nu)
    sigma = _numbers(p, "sigma", sigma)
    tau = _numbers(p, "tau", tau)
    ends = (1.0,)
    formulas = (
        lambda p, q: _loss0_part1(p, q, mu, nu, sigma, tau),
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=np.exp(mu + 0.5 * (sigma * sigma)))


def loss1(p, *, mu, nu, sigma, tau):
    """Return the loss of a probability of class 1 if the class is 1."""
    mu = _numbers(p, "mu", mu)
    nu = _numbers(p, "nu", nu)
    sigma = _numbers(p, "sigma", sigma)
    tau = _numbers(p, "tau", tau)
    ends = (1.0,)
    formulas = (
        lambda p, q: _loss1_part1(p, q, mu, nu, sigma, tau),
    )
    return _by_piece(p, ends, formulas, at_zero=np.exp(nu + 0.5 * (tau * tau)), at_one=0.0)


def loss(y_true, y_proba, sample_weight=None, *, mu, nu, sigma, tau):
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
    losses = np.where(y == 1, loss1(p, mu=mu, nu=nu, sigma=sigma, tau=tau), loss0(p, mu=mu, nu=nu, sigma=sigma, tau=tau))
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
def _loss0_part1(p, q, mu, nu, sigma, tau):
    x0 = sigma * sigma
    x1 = 0.7071067811865476 / np.sqrt(tau * tau + x0)
    return np.vectorize(math.erfc, otypes=[float])(x1 * (mu - nu + x0) - x1 * np.log(p / q)) * np.exp(mu + 0.5 * x0) / 2.0


def _loss1_part1(p, q, mu, nu, sigma, tau):
    x0 = tau * tau
    x1 = 1.0 / np.sqrt(sigma * sigma + x0)
    return np.vectorize(math.erfc, otypes=[float])(-0.7071067811865476 * x1 * (mu - nu - x0) + 0.7071067811865476 * x1 * np.log(p / q)) * np.exp(nu + 0.5 * x0) / 2.0
