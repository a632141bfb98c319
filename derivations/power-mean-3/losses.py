"""Costs whose power mean with exponent 3 is known: losses with incomplete Beta functions

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2 + 2**(1/3)*(3*p**2 + 3*p - 2)/(4*(3*p**2 - 3*p + 1)**(1/3))    up to p = 1/2
    2**(1/3)/2 - sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)*(3*p**2 + 3*p - 2)/(4*(3*p**2 - 3*p + 1)**(1/3))    up to p = 1
loss1(p) =
    2**(1/3)*(3*(1 - p)**2 - 3*p + 1)/(4*(3*p + 3*(1 - p)**2 - 2)**(1/3)) - sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2    up to p = 1/2
    2**(1/3)*(3*(1 - p)**2 - 3*p + 1)/(4*(3*p + 3*(1 - p)**2 - 2)**(1/3)) + sqrt(3)*betainc(1/2, 5/6, 0, 3*(2*p - 1)**2/(4*(3*p**2 - 3*p + 1)))/6 - sqrt(3)*betainc(1/2, 5/6, 0, 3/4)/6 + 2**(1/3)/2    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import math

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 8.0, 1.0 / 2.0, 1.0,)
    formulas = (
        lambda p, q: (((((((((((((((((((((((899.4543793793495 * p + 144.5505309260744) * p - 190.46756816989853) * p - 261.50362219579023) * p - 208.9927567075783) * p - 124.54605705685954) * p - 53.239873720180476) * p - 8.62712743896542) * p + 11.999190000564196) * p + 16.85792511770347) * p + 13.883673220871735) * p + 8.560204334882451) * p + 3.795317730547519) * p + 0.623479449587895) * p - 0.9742823831398065) * p - 1.4419096459907992) * p - 1.2754756307577728) * p - 0.8574462700673442) * p - 0.41997368329829105) * p - 0.06999561388304851) * p + 0.16798947331931643) * p + 0.3149802624737183) * p + 0.41997368329829105) * p + 0.6299605249474366) * p * p,
        lambda p, q: _loss0_part2(p),
        lambda p, q: _loss0_part3(p),
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=2.364849033631771)


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (1.0 / 2.0, 7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: _loss1_part1(p, q),
        lambda p, q: _loss1_part2(p, q),
        lambda p, q: (((((((((((((((((((((((899.4543793793495 * q + 144.5505309260744) * q - 190.46756816989853) * q - 261.50362219579023) * q - 208.9927567075783) * q - 124.54605705685954) * q - 53.239873720180476) * q - 8.62712743896542) * q + 11.999190000564196) * q + 16.85792511770347) * q + 13.883673220871735) * q + 8.560204334882451) * q + 3.795317730547519) * q + 0.623479449587895) * q - 0.9742823831398065) * q - 1.4419096459907992) * q - 1.2754756307577728) * q - 0.8574462700673442) * q - 0.41997368329829105) * q - 0.06999561388304851) * q + 0.16798947331931643) * q + 0.3149802624737183) * q + 0.41997368329829105) * q + 0.6299605249474366) * q * q,
    )
    return _by_piece(p, ends, formulas, at_zero=2.364849033631771, at_one=0.0)


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


def _by_piece(p, ends, formulas, at_zero, at_one):
    """Apply each formula from the end of the one before it, exclusive, to its own end, inclusive."""
    p = _probability(p)
    losses, inside, low = np.empty(p.shape), (p > 0) & (p < 1), 0.0
    for end, formula in zip(ends, formulas):
        here = inside & (low < p) & (p <= end)
        losses[here] = formula(p[here], 1 - p[here])
        low = end
    losses[p == 0], losses[p == 1] = at_zero, at_one
    return losses[()]


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
def _loss0_part2(p):
    x0 = 3.0 * p
    x1 = 3.0 * (p * p)
    x2 = -x0 + x1 + 1.0
    x3 = 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / x2
    return 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, x3, 1.0 - x3) + 0.8674442543421673 + 0.3149802624737183 * (x0 + x1 - 2.0) / np.power(x2, 0.3333333333333333)


def _loss0_part3(p):
    x0 = 3.0 * p
    x1 = 3.0 * (p * p)
    x2 = -x0 + x1 + 1.0
    x3 = 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / x2
    return -0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, x3, 1.0 - x3) + 0.8674442543421673 + 0.3149802624737183 * (x0 + x1 - 2.0) / np.power(x2, 0.3333333333333333)


def _loss1_part1(p, q):
    x0 = 3.0 * (q * q)
    x1 = 3.0 * p
    x2 = 1.0 - x1
    x3 = 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + x2)
    return 0.3149802624737183 * (x0 + x2) / np.power(x0 + x1 - 2.0, 0.3333333333333333) - 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, x3, 1.0 - x3) + 0.8674442543421673


def _loss1_part2(p, q):
    x0 = 3.0 * (q * q)
    x1 = 3.0 * p
    x2 = 1.0 - x1
    x3 = 0.75 * ((2.0 * p - 1.0) * (2.0 * p - 1.0)) / (3.0 * (p * p) + x2)
    return 0.3149802624737183 * (x0 + x2) / np.power(x0 + x1 - 2.0, 0.3333333333333333) + 0.28867513459481287 * _incomplete_beta(0.5, 0.8333333333333334, x3, 1.0 - x3) + 0.8674442543421673
