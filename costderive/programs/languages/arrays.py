"""NumPy: functions of arrays."""

from __future__ import annotations

from costderive.programs.languages.language import Language, prefixed
from costderive.programs.languages.scalars import COMMENT

TABLE = "$name = np.array([  # end, centre, scale and coefficients, from the highest, of each polynomial\n$rows,\n])\n"
NUMPY = Language(
    names=prefixed(
        "np.",
        log_p="np.log({0})",
        log_r="np.log1p(-{0})",
        positive="{0}",
        exactly="{0}",
        polynomial="_polynomial({table}, {p}, {0})",
    ),
    comment=COMMENT,
    outside="A ValueError is raised for what is not a probability.",
    function='''\
def $name(p):
    """Return $about."""
    ends = ($ends,)
    formulas = (
$branches
    )
    return _by_piece(p, ends, formulas, at_zero=$at_zero, at_one=$at_one)

''',
    branch="        lambda p, r: {value},",
    piece="def _$name($parameters):\n$steps\n    return $value\n\n\n",
    call="_{name}({arguments})",
    step="    {name} = {value}",
    table=TABLE,
    brackets=("(", ")"),
    infinity="np.inf",
    nan="np.nan",
    helpers={
        "polynomial": '''

def _polynomial(rows, p, z):
    """Return, for each p, the polynomial of the first row that ends at or above it."""
    _, centre, scale, value, *coefficients = rows.T[:, np.searchsorted(rows[:, 0], p)]
    z = (z - centre) * scale
    for coefficient in coefficients:
        value = value * z + coefficient
    return value
'''
    },
    frame='''
import numpy as np

$tables

$functions
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
$helpers$pieces''',
)
