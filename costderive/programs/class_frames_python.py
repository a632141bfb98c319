"""The frames of programs in Python with the losses of K classes: NumPy, boosting, PyTorch and JAX.

`class_frames` says what their two kinds are.
"""

from __future__ import annotations

PYTHON = '''
def loss(y_true, y_proba, sample_weight=None):
    """Return the (weighted) mean loss of probabilities of shape (n, K), given labels from 0 to K - 1."""
    p = _probabilities(y_proba)
    y, weight = _labels(y_true, p.shape), _weights(sample_weight, len(p))
    found = losses(p)[np.arange(len(y)), y]
    return float(np.average(found[weight > 0], weights=weight[weight > 0]))


def _labels(y_true, shape):
    y = np.asarray(y_true)
    if y.shape != shape[:1] or not y.size or not np.isin(y, range(shape[1])).all():
        raise ValueError("y_true must hold one label from 0 to K - 1 for each row")
    return y.astype(int)


def _weights(sample_weight, rows):
    weight = np.ones(rows) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != (rows,) or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    return weight


def _probabilities(p):
    p = np.asarray(p)
    rounding = max(1e-8, 1e-5 * (p.dtype == np.float32), 1e-2 * (p.dtype == np.float16))
    p = p.astype(float)
    wrong = p.ndim != 2 or $wrong or not (p >= 0).all()
    if wrong or not (abs(p.sum(axis=1) - 1) <= rounding).all():
        raise ValueError("rows of probabilities of all classes are wanted, which add up to 1")
    return p / p.sum(axis=1, keepdims=True)
'''
NUMPY_SUM = (
    '''
import numpy as np


def losses(p):
    """Return the loss of each class, of the same shape (n, K) as the probabilities of the classes."""
    x = _probabilities(p)
    with np.errstate(all="ignore"):
        t = np.where(x > 0, $inner, $inner_at_zero).sum(axis=1, keepdims=True)
        return np.where(x > 0, $own, $own_at_zero)

'''
    + PYTHON
)
NUMPY_ENDS = (
    '''
import numpy as np

SCALE = $scale
ENDS = np.array([$ends])  # of the costs of the classes


def losses(p):
    """Return the loss of each class, of the same shape (n, K) as the probabilities of the classes."""
    weighed = np.log(np.maximum(_probabilities(p), 1e-300)) + np.log(ENDS)
    return np.stack([_loss(weighed, label) for label in range(len(ENDS))], axis=1)


def _loss(weighed, label):
    shares = np.sort(np.delete(weighed, label, axis=1) - weighed[:, [label]], axis=1)
    low, left = np.minimum(shares, 0), np.arange(shares.shape[1], 0, -1)
    last = -np.maximum(shares, 0).sum(axis=1)
    falls = np.diff(low, axis=1) * (1 - left[:-1])
    below = last[:, None] + np.cumsum(falls[:, ::-1], axis=1)[:, ::-1]
    parts = np.exp(2 * low[:, :-1] + below) / ((left + 1) * (left + 2))[:-1]
    return SCALE * ENDS[label] * (np.exp(2 * low[:, -1]) * (0.5 - np.exp(last) / 3) + parts.sum(axis=1))

'''
    + PYTHON
)
OBJECTIVE = '''

def objective(y_true, margin, sample_weight=None):
    """Return the gradient of the loss of each row in its margins, and positive curvatures, both of shape (n, K).

    The curvatures are K/(K - 1) times the diagonal of the mean of the Hessians over labels drawn from softmax(margin).
    """
    if hasattr(margin, "get_label"):  # as train calls it, with the margins first
        return train_objective(y_true, margin)
    p = _softmax(margin)
    y, weight = _labels(y_true, p.shape), _weights(sample_weight, len(p))[:, None]
    gradient, curvature = _derivatives(p, y)
    return gradient * weight, np.maximum(curvature * p.shape[1] / (p.shape[1] - 1), FLOOR) * weight


def mean_loss(y_true, margin, sample_weight=None):
    """Return the (weighted) mean loss of margins of shape (n, K), given labels from 0 to K - 1."""
    return loss(y_true, _softmax(margin), sample_weight)


def _softmax(margin):
    margin = np.asarray(margin, dtype=float)
    if margin.ndim != 2 or not np.isfinite(margin).all():
        raise ValueError("margins of shape (n, K) are wanted, which are finite")
    powers = np.exp(margin - margin.max(axis=1, keepdims=True))
    return np.maximum(powers / powers.sum(axis=1, keepdims=True), 1e-150)


FLOOR = 1e-16
'''
_SUM_DERIVATIVES = """

def _derivatives(p, y):
    rows, everything = np.arange(len(y)), np.ones_like(p)
    x = p
    t, slope, bend = ($inner * everything).sum(axis=1), $inner_slope * everything, $inner_bend * everything
    first, second = $outer_slope * np.ones_like(t), $outer_bend * np.ones_like(t)
    x = p[rows, y]
    free = ($own_t * np.ones_like(t))[:, None] * slope
    free[rows, y] += $own_x
    gradient = p * (free - (p * free).sum(axis=1, keepdims=True))
    curved = -first[:, None] * bend
    turned = p * (slope - (p * slope).sum(axis=1, keepdims=True))
    spread = (1 - 2 * p) * curved + (p**2 * curved).sum(axis=1, keepdims=True)
    return gradient, p**2 * spread - second[:, None] * turned**2
"""
_ENDS_DERIVATIVES = '''

def _derivatives(p, y):
    weighed, gradient, curvature = np.log(p) + np.log(ENDS), np.empty(p.shape), np.zeros(p.shape)
    for label in range(len(ENDS)):
        slopes, bends = _of_label(weighed, label)
        gradient[y == label] = slopes[y == label]
        curvature += p[:, [label]] * bends
    return gradient, curvature


def _of_label(weighed, label):
    """Return the derivatives of the loss of a label in the margins, and twice in each."""
    shares = weighed - weighed[:, [label]]
    shares[:, label] = np.inf
    order = np.argsort(shares, axis=1)[:, :-1]
    shares = np.take_along_axis(shares, order, axis=1)
    low, left = np.minimum(shares, 0), np.arange(shares.shape[1], 0, -1)
    steps = np.diff(low, axis=1, prepend=-np.inf)
    falls = np.append(steps[:, 1:] * (1 - left[:-1]), np.zeros((len(low), 1)), axis=1)
    below = np.cumsum(falls[:, ::-1], axis=1)[:, ::-1] - np.maximum(shares, 0).sum(axis=1, keepdims=True)
    ends = np.exp(2 * low + below)
    integrals = np.cumsum(-ends * np.expm1(-(left + 2) * steps) / (left + 2), axis=1)
    kinks = np.heaviside(-shares, 0.5) * ends
    slopes, bends = np.zeros(weighed.shape), np.zeros(weighed.shape)
    np.put_along_axis(slopes, order, integrals, axis=1)
    np.put_along_axis(bends, order, kinks - integrals, axis=1)
    slopes[:, label] = -integrals.sum(axis=1)
    bends[:, label] = (kinks - integrals * (2 * left - 1)).sum(axis=1)
    return SCALE * ENDS[label] * slopes, SCALE * ENDS[label] * bends
'''
LIGHTGBM = '''

def train_objective(margin, dataset):
    """Return what ``lightgbm.train({"objective": train_objective, "num_class": K, ...})`` takes."""
    return objective(dataset.get_label(), margin, dataset.get_weight())


def metric(y_true, margin, sample_weight=None):
    """Return the metric as scikit-learn estimators of LightGBM take it: ``fit(..., eval_metric=metric)``."""
    return "expected_cost", mean_loss(y_true, margin, sample_weight), False
'''
XGBOOST = '''

def train_objective(margin, data):
    """Return what ``xgboost.train({"num_class": K, ...}, ..., obj=train_objective)`` takes."""
    weight = data.get_weight()
    return objective(data.get_label(), margin, weight if weight.size else None)


def train_metric(margin, data):
    """Return what ``xgboost.train(..., custom_metric=train_metric)`` takes, of margins."""
    weight = data.get_weight()
    return "expected_cost", mean_loss(data.get_label(), margin, weight if weight.size else None)
'''
TORCH = '''
import torch

$constants
class Loss(torch.nn.Module):
    """The loss of logits of shape (n, K) and labels of shape (n,) from 0 to K - 1, which PyTorch differentiates.

    ``reduction`` is "mean", "sum" or "none".
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = {"mean": torch.mean, "sum": torch.sum, "none": torch.clone}[reduction]

    def forward(self, logits, labels):
        return self.reduction(_losses(torch.log_softmax(logits, dim=1), labels.long()[:, None]))


'''
TORCH_SUM = (
    TORCH
    + """\
def _losses(logarithms, labels):
    log_x = logarithms
    x = torch.exp(log_x)
    t = ($inner * torch.ones_like(x)).sum(dim=1)
    log_x = logarithms.gather(1, labels)[:, 0]
    x = torch.exp(log_x)
    return $own * torch.ones_like(x)
"""
)
TORCH_ENDS = (
    TORCH
    + """\
def _losses(logarithms, labels):
    ends = torch.tensor(ENDS, dtype=logarithms.dtype, device=logarithms.device)
    shares = logarithms + torch.log(ends)
    shares = shares - shares.gather(1, labels)
    own = torch.arange(len(ENDS), device=labels.device) == labels
    shares = torch.sort(shares.masked_fill(own, float("inf")), dim=1).values[:, :-1]
    low, left = torch.clamp(shares, max=0), torch.arange(shares.shape[1], 0, -1, device=labels.device)
    last = -torch.clamp(shares, min=0).sum(dim=1)
    falls = torch.diff(low, dim=1) * (1 - left[:-1])
    below = last[:, None] + torch.flip(torch.cumsum(torch.flip(falls, [1]), dim=1), [1])
    parts = torch.exp(2 * low[:, :-1] + below) / ((left + 1) * (left + 2))[:-1]
    found = torch.exp(2 * low[:, -1]) * (0.5 - torch.exp(last) / 3) + parts.sum(dim=1)
    return SCALE * ends[labels[:, 0]] * found
"""
)
JAX = '''
import jax
import jax.numpy as jnp

$constants
def loss(labels, logits):
    """Return the loss of each row of logits of shape (n, K), given labels of shape (n,) from 0 to K - 1."""
    return jax.vmap(_loss)(jax.nn.log_softmax(logits, axis=1), labels)


'''
JAX_SUM = (
    JAX
    + """\
def _loss(logarithms, label):
    log_x = logarithms
    x = jnp.exp(log_x)
    t = ($inner * jnp.ones_like(x)).sum()
    log_x = logarithms[label]
    x = jnp.exp(log_x)
    return $own * jnp.ones_like(x)
"""
)
JAX_ENDS = (
    JAX
    + """\
def _loss(logarithms, label):
    ends = jnp.asarray(ENDS)
    shares = logarithms + jnp.log(ends)
    shares = shares - shares[label]
    others = jnp.arange(len(ENDS) - 1)
    shares = jnp.sort(shares[others + (others >= label)])
    low, left = jnp.minimum(shares, 0), jnp.arange(len(ENDS) - 1, 0, -1)
    last = -jnp.maximum(shares, 0).sum()
    falls = jnp.diff(low) * (1 - left[:-1])
    below = last + jnp.cumsum(falls[::-1])[::-1]
    parts = jnp.exp(2 * low[:-1] + below) / ((left + 1) * (left + 2))[:-1]
    return SCALE * ends[label] * (jnp.exp(2 * low[-1]) * (0.5 - jnp.exp(last) / 3) + parts.sum())
"""
)

_BOOSTED = NUMPY_SUM + OBJECTIVE + _SUM_DERIVATIVES, NUMPY_ENDS + OBJECTIVE + _ENDS_DERIVATIVES
LIGHTGBM_SUM, LIGHTGBM_ENDS = (frame + LIGHTGBM for frame in _BOOSTED)
XGBOOST_SUM, XGBOOST_ENDS = (frame + XGBOOST for frame in _BOOSTED)
