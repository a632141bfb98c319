"""Costs whose power mean with exponent 1/2 is known

Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
loss0(p) =
    2*sqrt(1 - p)/(sqrt(p) + sqrt(1 - p)) - 2*sqrt(p)*sqrt(1 - p) + 2*log(sqrt(p) + sqrt(1 - p)) + 2*asin(sqrt(p)) - 2    up to p = 1
loss1(p) =
    2*sqrt(p)/(sqrt(p) + sqrt(1 - p)) - 2*sqrt(p)*sqrt(1 - p) + 2*log(sqrt(p) + sqrt(1 - p)) + 2*asin(sqrt(1 - p)) - 2    up to p = 1

A ValueError is raised for what is not a probability.
Written by costderive 0.2.0.
"""

import numpy as np


def loss0(p):
    """Return the loss of a probability of class 1 if the class is 0."""
    ends = (1.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: _loss0_part1(p),
        lambda p, q: _loss0_part2(p, q),
    )
    return _by_piece(p, ends, formulas, at_zero=0.0, at_one=1.1415926535897933)


def loss1(p):
    """Return the loss of a probability of class 1 if the class is 1."""
    ends = (7.0 / 8.0, 1.0,)
    formulas = (
        lambda p, q: _loss1_part1(p, q),
        lambda p, q: _loss1_part2(q),
    )
    return _by_piece(p, ends, formulas, at_zero=1.1415926535897933, at_one=0.0)


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
def _loss0_part1(p):
    step = 1.0 * np.sqrt(p)
    return (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((-2940587785.690711 * step + 2078209981.935484) * step - 1468713356.545378) * step + 1037950429.8666667) * step - 733512832.6208822) * step + 518358121.9310345) * step - 366304884.8650405) * step + 258848475.42857143) * step - 182910257.3843844) * step + 129246701.03703703) * step - 91324897.10954107) * step + 64527753.84615385) * step - 45592225.642377) * step + 32212254.72) * step - 22758135.123470552) * step + 16078165.333333334) * step - 11358462.640411703) * step + 8023885.9130434785) * step - 5668013.085015773) * step + 4003653.8181818184) * step - 2827875.6462542373) * step + 1997287.619047619) * step - 1410573.3065767372) * step + 996147.2) * step - 703431.8553464632) * step + 496693.8947368421) * step - 350688.2689461585) * step + 247580.44444444444) * step - 174771.58128329006) * step + 123361.88235294117) * step - 87064.81330621603) * step + 61440.0) * step - 43351.20912742615) * step + 30583.466666666667) * step - 21572.508656337344) * step + 15213.714285714286) * step - 10727.068722195096) * step + 7561.846153846154) * step - 5329.205588378906) * step + 3754.6666666666665) * step - 2644.451904296875) * step + 1861.8181818181818) * step - 1310.2296084449404) * step + 921.6) * step - 647.8515625) * step + 455.1111111111111) * step - 319.4365808823529) * step + 224.0) * step - 156.87083333333334) * step + 109.71428571428571) * step - 76.5673076923077) * step + 53.333333333333336) * step - 37.0) * step + 25.6) * step - 17.555555555555557) * step + 12.0) * step - 8.0) * step + 5.333333333333333) * step - 3.2) * step + 2.0) * p * p


def _loss0_part2(p, q):
    x0 = np.sqrt(p)
    x1 = np.sqrt(q)
    x2 = 2.0 * x1
    x3 = x0 + x1
    return -x0 * x2 + x2 / x3 + 2.0 * np.log(x3) + 2.0 * np.arctan(x0 / x1) - 2.0


def _loss1_part1(p, q):
    x0 = np.sqrt(q)
    x1 = np.sqrt(p)
    x2 = 2.0 * x1
    x3 = x0 + x1
    return -x0 * x2 + x2 / x3 + 2.0 * np.log(x3) + 2.0 * np.arctan(x0 / x1) - 2.0


def _loss1_part2(q):
    step = 1.0 * np.sqrt(q)
    return (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((-2940587785.690711 * step + 2078209981.935484) * step - 1468713356.545378) * step + 1037950429.8666667) * step - 733512832.6208822) * step + 518358121.9310345) * step - 366304884.8650405) * step + 258848475.42857143) * step - 182910257.3843844) * step + 129246701.03703703) * step - 91324897.10954107) * step + 64527753.84615385) * step - 45592225.642377) * step + 32212254.72) * step - 22758135.123470552) * step + 16078165.333333334) * step - 11358462.640411703) * step + 8023885.9130434785) * step - 5668013.085015773) * step + 4003653.8181818184) * step - 2827875.6462542373) * step + 1997287.619047619) * step - 1410573.3065767372) * step + 996147.2) * step - 703431.8553464632) * step + 496693.8947368421) * step - 350688.2689461585) * step + 247580.44444444444) * step - 174771.58128329006) * step + 123361.88235294117) * step - 87064.81330621603) * step + 61440.0) * step - 43351.20912742615) * step + 30583.466666666667) * step - 21572.508656337344) * step + 15213.714285714286) * step - 10727.068722195096) * step + 7561.846153846154) * step - 5329.205588378906) * step + 3754.6666666666665) * step - 2644.451904296875) * step + 1861.8181818181818) * step - 1310.2296084449404) * step + 921.6) * step - 647.8515625) * step + 455.1111111111111) * step - 319.4365808823529) * step + 224.0) * step - 156.87083333333334) * step + 109.71428571428571) * step - 76.5673076923077) * step + 53.333333333333336) * step - 37.0) * step + 25.6) * step - 17.555555555555557) * step + 12.0) * step - 8.0) * step + 5.333333333333333) * step - 3.2) * step + 2.0) * q * q
