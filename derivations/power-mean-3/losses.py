"""Costs whose power mean with exponent 3 is known: losses with incomplete Beta functions

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2 + 2**(1/3)*(3*p**2 + 3*p - 2)/(4*(3*p**2 - 3*p + 1)**(1/3))    up to p = 1/2
    2**(1/3)/2 - sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)*(3*p**2 + 3*p - 2)/(4*(3*p**2 - 3*p + 1)**(1/3))    up to p = 1
loss1(p) =
    2**(1/3)*(3*(1 - p)**2 - 3*p + 1)/(4*(3*p + 3*(1 - p)**2 - 2)**(1/3)) - sqrt(3)*betainc(1/2, 5/6, 0, 3*(1 - 2*p)**2/(4*(3*p + 3*(1 - p)**2 - 2)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2    up to p = 1/2
    2**(1/3)*(3*(1 - p)**2 - 3*p + 1)/(4*(3*p + 3*(1 - p)**2 - 2)**(1/3)) + sqrt(3)*betainc(1/2, 5/6, 0, 3*(1 - 2*p)**2/(4*(3*p + 3*(1 - p)**2 - 2)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2    up to p = 1
"""

import math

import numpy as np


NEAR_ZERO_0 = (
    0.6299605249474366, 0.41997368329829105, 0.3149802624737183, 0.16798947331931643,
    -0.06999561388304851, -0.41997368329829105, -0.8574462700673442, -1.2754756307577728,
    -1.4419096459907992, -0.9742823831398065, 0.623479449587895, 3.795317730547519,
    8.560204334882451, 13.883673220871735, 16.85792511770347, 11.999190000564196,
    -8.62712743896542, -53.239873720180476, -124.54605705685954, -208.9927567075783,
    -261.50362219579023, -190.46756816989853, 144.5505309260744, 899.4543793793495,
)

NEAR_ZERO_1 = (
    0.6299605249474366, 0.41997368329829105, 0.3149802624737183, 0.16798947331931643,
    -0.06999561388304851, -0.41997368329829105, -0.8574462700673442, -1.2754756307577728,
    -1.4419096459907992, -0.9742823831398065, 0.623479449587895, 3.795317730547519,
    8.560204334882451, 13.883673220871735, 16.85792511770347, 11.999190000564196,
    -8.62712743896542, -53.239873720180476, -124.54605705685954, -208.9927567075783,
    -261.50362219579023, -190.46756816989853, 144.5505309260744, 899.4543793793495,
)

def loss0(p):
    """Return the loss of p when the class is 0."""
    p = _probability(p)
    highs = (1.0 / 8.0, 1.0 / 2.0, 1.0)
    formulas = (
        lambda p: _series(p, 2.0, 1.0, NEAR_ZERO_0),
        lambda p: 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + 1.0 - 3.0 * p), 1.0 - 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + 1.0 - 3.0 * p)) + 0.8674442543421673 + 0.3149802624737183 * (3.0 * p + 3.0 * (p * p) - 2.0) / np.power(3.0 * (p * p) + 1.0 - 3.0 * p, 0.3333333333333333),
        lambda p: 0.8674442543421673 + 0.3149802624737183 * (3.0 * p + 3.0 * (p * p) - 2.0) / np.power(3.0 * (p * p) + 1.0 - 3.0 * p, 0.3333333333333333) - 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + 1.0 - 3.0 * p), 1.0 - 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + 1.0 - 3.0 * p)),
    )
    return _by_piece(p, highs, formulas, 0.0, 2.364849033631771)


def loss1(p):
    """Return the loss of p when the class is 1."""
    p = _probability(p)
    highs = (1.0 / 2.0, 7.0 / 8.0, 1.0)
    formulas = (
        lambda p: 0.8674442543421673 + 0.3149802624737183 * (3.0 * ((1.0 - p) * (1.0 - p)) + 1.0 - 3.0 * p) / np.power(3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0, 0.3333333333333333) - 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, 0.75 * ((1.0 - 2.0 * p) * (1.0 - 2.0 * p)) / (3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0), 1.0 - 0.75 * ((1.0 - 2.0 * p) * (1.0 - 2.0 * p)) / (3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0)),
        lambda p: 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, 0.75 * ((1.0 - 2.0 * p) * (1.0 - 2.0 * p)) / (3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0), 1.0 - 0.75 * ((1.0 - 2.0 * p) * (1.0 - 2.0 * p)) / (3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0)) + 0.8674442543421673 + 0.3149802624737183 * (3.0 * ((1.0 - p) * (1.0 - p)) + 1.0 - 3.0 * p) / np.power(3.0 * p + 3.0 * ((1.0 - p) * (1.0 - p)) - 2.0, 0.3333333333333333),
        lambda p: _series(1.0 - p, 2.0, 1.0, NEAR_ZERO_1),
    )
    return _by_piece(p, highs, formulas, 2.364849033631771, 0.0)


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


def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent


def _incomplete_beta(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    low = x <= (a + 1) / (a + b + 2)
    found = np.full(x.shape, _beta(a, b))
    found[low] = _near_zero(a, b, x[low], y[low])
    found[~low] -= _near_zero(b, a, y[~low], x[~low])
    return found


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


def _beta(a, b):
    return math.gamma(a) * math.gamma(b) / math.gamma(a + b)
