"""Python, one number at a time: with the standard library alone, and compiled by Numba."""

from __future__ import annotations

from dataclasses import replace

from costderive.programs.languages.language import Language

COMMENT = ('"""', "", '\n"""')
_RAISES = "A ValueError is raised for what is not a probability."

PYTHON = Language(
    names={
        "sqrt": "math.sqrt",
        "log": "math.log",
        "log_p": "math.log({0})",
        "log_r": "math.log1p(-{0})",
        "exp": "math.exp",
        "arcsin": "math.asin",
        "arccos": "math.acos",
        "arctan": "math.atan",
        "arctan2": "math.atan2",
        "arcsinh": "math.asinh",
        "arccosh": "math.acosh",
        "power": "math.pow",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "_polynomial({table}, {p}, {0})",
    },
    comment=COMMENT,
    outside=_RAISES,
    function='''\
def $name(p):
    """Return $about."""
    p = _probability(p)
$complement    if p == 0:
        return $at_zero
    if p == 1:
        return $at_one
$branches

''',
    branch="    if p <= {high}:\n        return {value}",
    last="    return {value}",
    piece="def _$name($parameters):\n$steps\n    return $value\n\n\n",
    call="_{name}({arguments})",
    step="    {name} = {value}",
    table="$name = [  # end, centre, scale and coefficients, from the highest, of each polynomial\n$rows,\n]\n",
    brackets=("(", ")"),
    complement="    r = 1.0 - p\n",
    infinity="math.inf",
    nan="math.nan",
    helpers={
        "polynomial": '''\
def _polynomial(rows, p, z):
    """Return the polynomial of the first row that ends at or above p."""
    _, centre, scale, value, *coefficients = rows[bisect.bisect_left(rows, (p,))]
    z = (z - centre) * scale
    for coefficient in coefficients:
        value = value * z + coefficient
    return value


'''
    },
    frame='''
import bisect
import math

$tables

$functions
def loss(y_true, y_proba, sample_weight=None):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = list(y_true), list(y_proba)
    weight = [1.0] * len(y) if sample_weight is None else list(sample_weight)
    if not len(y) == len(p) == len(weight) or not y:
        raise ValueError(f"need equal lengths, not {len(y)}, {len(p)} and {len(weight)}")
    if any(label not in (0, 1) for label in y):
        raise ValueError("y_true must hold labels 0 and 1 only")
    if not all(0 <= w < math.inf for w in weight) or not any(weight):
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    losses = [w * (loss1 if c else loss0)(x) for c, x, w in zip(y, p, weight) if w]
    return math.fsum(losses) / math.fsum(weight)


def _probability(p):
    if not 0 <= p <= 1:
        raise ValueError(f"a probability lies between 0 and 1, and {p} does not")
    return float(p)


$pieces$helpers''',
)

NUMBA = replace(
    PYTHON,
    outside="NaN is the loss of what is not a probability.",
    function='''\
@compiled
def $name(p):
    """Return $about."""
$complement    if not 0.0 <= p <= 1.0:
        return math.nan
    if p == 0.0:
        return $at_zero
    if p == 1.0:
        return $at_one
$branches

''',
    piece="@compiled\ndef _$name($parameters):\n$steps\n    return $value\n\n\n",
    table="$name = np.array([  # end, centre, scale and coefficients, from the highest, of each polynomial\n"
    "$rows,\n])\n",
    helpers={
        "polynomial": '''\
@compiled
def _polynomial(rows, p, z):
    """Return the polynomial of the first row that ends at or above p."""
    k = np.searchsorted(rows[:, 0], p)
    z = (z - rows[k, 1]) * rows[k, 2]
    value = rows[k, 3]
    for j in range(4, rows.shape[1]):
        value = value * z + rows[k, j]
    return value


'''
    },
    frame='''
import math

import numba
import numpy as np

compiled = numba.njit(error_model="numpy")

$tables

$helpers$pieces$functions
@compiled
def loss(y_true, y_proba):
    """Return the mean loss of arrays of labels 0 or 1 and probabilities of class 1; NaN if one is something else."""
    total, error = 0.0, 0.0  # the rounding error of the sum is carried along
    for y, p in zip(y_true, y_proba):
        value = loss1(p) if y == 1 else loss0(p) if y == 0 else math.nan
        new = total + value
        error += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
        total = new
    return (total + error if math.isfinite(total) else total) / len(y_true)
''',
)
