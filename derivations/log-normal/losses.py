"""Independent log-normal costs

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    (1 - erf(sqrt(2)*(mu - nu + sigma**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))))*exp(mu + sigma**2/2)/2    up to p = 1
loss1(p) =
    (erf(sqrt(2)*(mu - nu - tau**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))) + 1)*exp(nu + tau**2/2)/2    up to p = 1

Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.
At mu = 1/2, sigma = 1/2, nu = 1, tau = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.
"""

import math

import numpy as np


def loss0(p, *, mu, nu, sigma, tau):
    """Return the loss of p when the class is 0."""
    _check(0 < mu < float("inf"), 'mu > 0 and finite')
    _check(0 < nu < float("inf"), 'nu > 0 and finite')
    _check(0 < sigma < float("inf"), 'sigma > 0 and finite')
    _check(0 < tau < float("inf"), 'tau > 0 and finite')
    p = _probability(p)
    highs = (1.0,)
    formulas = (
        lambda p: np.vectorize(math.erfc, otypes=[float])(0.7071067811865476 / np.sqrt(tau * tau + sigma * sigma) * (mu + sigma * sigma - nu) - 0.7071067811865476 / np.sqrt(tau * tau + sigma * sigma) * np.log(p / (1.0 - p))) * np.exp(mu + 0.5 * (sigma * sigma)) / 2.0,
    )
    return _by_piece(p, highs, formulas, 0.0, np.exp(mu + 0.5 * (sigma * sigma)))


def loss1(p, *, mu, nu, sigma, tau):
    """Return the loss of p when the class is 1."""
    _check(0 < mu < float("inf"), 'mu > 0 and finite')
    _check(0 < nu < float("inf"), 'nu > 0 and finite')
    _check(0 < sigma < float("inf"), 'sigma > 0 and finite')
    _check(0 < tau < float("inf"), 'tau > 0 and finite')
    p = _probability(p)
    highs = (1.0,)
    formulas = (
        lambda p: np.vectorize(math.erfc, otypes=[float])(0.7071067811865476 * (1.0 / np.sqrt(sigma * sigma + tau * tau)) * np.log(p / (1.0 - p)) - 0.7071067811865476 * (1.0 / np.sqrt(sigma * sigma + tau * tau)) * (mu - nu - tau * tau)) * np.exp(nu + 0.5 * (tau * tau)) / 2.0,
    )
    return _by_piece(p, highs, formulas, np.exp(nu + 0.5 * (tau * tau)), 0.0)


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
    y, p, weight = y[used], p[used], weight[used]
    losses = np.empty(p.shape)
    losses[y == 0] = loss0(p[y == 0], mu=mu, nu=nu, sigma=sigma, tau=tau)
    losses[y == 1] = loss1(p[y == 1], mu=mu, nu=nu, sigma=sigma, tau=tau)
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
