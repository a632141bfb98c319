"""Costs whose power mean with exponent 1/2 is known

Written by costderive 0.1.0. p is the probability of class 1.

loss0(p) =
    2*sqrt(1 - p)/(sqrt(p) + sqrt(1 - p)) - 2*sqrt(p)*sqrt(1 - p) + 2*log(sqrt(p) + sqrt(1 - p)) + 2*asin(sqrt(p)) - 2    up to p = 1
loss1(p) =
    2*sqrt(p)/(sqrt(p) + sqrt(1 - p)) - 2*sqrt(p)*sqrt(1 - p) + 2*log(sqrt(p) + sqrt(1 - p)) + 2*asin(sqrt(1 - p)) - 2    up to p = 1
"""

import numpy as np


NEAR_ZERO_0 = (
    2.0, -3.2, 5.333333333333333, -8.0,
    12.0, -17.555555555555557, 25.6, -37.0,
    53.333333333333336, -76.5673076923077, 109.71428571428571, -156.87083333333334,
    224.0, -319.4365808823529, 455.1111111111111, -647.8515625,
    921.6, -1310.2296084449404, 1861.8181818181818, -2644.451904296875,
    3754.6666666666665, -5329.205588378906, 7561.846153846154, -10727.068722195096,
    15213.714285714286, -21572.508656337344, 30583.466666666667, -43351.20912742615,
    61440.0, -87064.81330621603, 123361.88235294117, -174771.58128329006,
    247580.44444444444, -350688.2689461585, 496693.8947368421, -703431.8553464632,
    996147.2, -1410573.3065767372, 1997287.619047619, -2827875.6462542373,
    4003653.8181818184, -5668013.085015773, 8023885.9130434785, -11358462.640411703,
    16078165.333333334, -22758135.123470552, 32212254.72, -45592225.642377,
    64527753.84615385, -91324897.10954107, 129246701.03703703, -182910257.3843844,
    258848475.42857143, -366304884.8650405, 518358121.9310345, -733512832.6208822,
    1037950429.8666667, -1468713356.545378, 2078209981.935484, -2940587785.690711,
)

NEAR_ZERO_1 = (
    2.0, -3.2, 5.333333333333333, -8.0,
    12.0, -17.555555555555557, 25.6, -37.0,
    53.333333333333336, -76.5673076923077, 109.71428571428571, -156.87083333333334,
    224.0, -319.4365808823529, 455.1111111111111, -647.8515625,
    921.6, -1310.2296084449404, 1861.8181818181818, -2644.451904296875,
    3754.6666666666665, -5329.205588378906, 7561.846153846154, -10727.068722195096,
    15213.714285714286, -21572.508656337344, 30583.466666666667, -43351.20912742615,
    61440.0, -87064.81330621603, 123361.88235294117, -174771.58128329006,
    247580.44444444444, -350688.2689461585, 496693.8947368421, -703431.8553464632,
    996147.2, -1410573.3065767372, 1997287.619047619, -2827875.6462542373,
    4003653.8181818184, -5668013.085015773, 8023885.9130434785, -11358462.640411703,
    16078165.333333334, -22758135.123470552, 32212254.72, -45592225.642377,
    64527753.84615385, -91324897.10954107, 129246701.03703703, -182910257.3843844,
    258848475.42857143, -366304884.8650405, 518358121.9310345, -733512832.6208822,
    1037950429.8666667, -1468713356.545378, 2078209981.935484, -2940587785.690711,
)

def loss0(p):
    """Return the loss of p when the class is 0."""
    p = _probability(p)
    highs = (1.0 / 8.0, 1.0)
    formulas = (
        lambda p: _series(p, 2.0, 0.5, NEAR_ZERO_0),
        lambda p: 2.0 * np.sqrt(1.0 - p) / (np.sqrt(p) + np.sqrt(1.0 - p)) + 2.0 * np.log(np.sqrt(p) + np.sqrt(1.0 - p)) + 2.0 * np.arctan(np.sqrt(p) / np.sqrt(1.0 - p)) - np.sqrt(p) * (2.0 * np.sqrt(1.0 - p)) - 2.0,
    )
    return _by_piece(p, highs, formulas, 0.0, 1.1415926535897933)


def loss1(p):
    """Return the loss of p when the class is 1."""
    p = _probability(p)
    highs = (7.0 / 8.0, 1.0)
    formulas = (
        lambda p: 2.0 * np.sqrt(p) / (np.sqrt(1.0 - p) + np.sqrt(p)) + 2.0 * np.log(np.sqrt(1.0 - p) + np.sqrt(p)) + 2.0 * np.arctan(np.sqrt(1.0 - p) / np.sqrt(p)) - np.sqrt(1.0 - p) * (2.0 * np.sqrt(p)) - 2.0,
        lambda p: _series(1.0 - p, 2.0, 0.5, NEAR_ZERO_1),
    )
    return _by_piece(p, highs, formulas, 1.1415926535897933, 0.0)


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
