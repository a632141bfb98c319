"""Python, one number at a time: with the standard library alone, and compiled by Numba."""

from __future__ import annotations

import builtins
import keyword
from dataclasses import replace

from costderive.programs.languages.language import IN_WORDS, Language, ParameterSyntax, like_c

COMMENT = ('"""', "", '\n"""')
RESERVED = frozenset(
    [
        "np",
        "math",
        "bisect",
        "y_true",
        "y_proba",
        "sample_weight",
        "weight",
        "used",
        "losses",
        "row",
        "rows",
        *dir(builtins),
        *keyword.kwlist,
    ]
)
BETA = """\
def _beta(a, b):
    return math.gamma(a) * math.gamma(b) / math.gamma(a + b)


"""
FRACTION = '''\
def _near_zero(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, by its continued fraction."""
    fraction, c, d = 1.0, 1.0, 0.0
    for n in range(1, 1000):
        m = n // 2
        top = -(a + m) * (a + b + m) if n % 2 else m * (b - m)
        term = top * x / ((a + n - 1) * (a + n))
        c, d = 1 + term / c, 1 / (1 + term * d)
        fraction = fraction * (c * d)
        if abs(c * d - 1) < 3e-16:
            break
    return x**a * y**b / (a * fraction)


'''
_INCOMPLETE_BETA = '''\
def _incomplete_beta(a, b, x, y):
    """Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end."""
    if x <= (a + 1) / (a + b + 2):
        return _near_zero(a, b, x, y)
    return _beta(a, b) - _near_zero(b, a, y, x)


'''
_RAISES = "A ValueError is raised for what is not a probability."

PYTHON = Language(
    names=like_c(
        "math.",
        **IN_WORDS,
        abs="abs",
        power="math.pow",
        erf="math.erf",
        erfc="math.erfc",
        gamma="math.gamma",
        beta="_beta",
        betainc="_incomplete_beta",
        polynomial="_polynomial({table}, {p}, {0})",
    ),
    comment=COMMENT,
    outside=_RAISES,
    function='''\
def $name(p$given):
    """Return $about."""
    p = _probability(p)
$checks$complement    if p == 0:
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
    complement="    q = 1.0 - p\n",
    infinity="math.inf",
    nan="math.nan",
    places={
        "losses": (
            "    losses = [w * (loss1 if c else loss0)(x) for c, x, w in zip(y, p, weight) if w]\n",
            "    rows = [row for row in zip(y, p, weight) if row[2]]\n"
            "    losses = [row[2] * (loss1 if row[0] else loss0)(row[1]$passed) for row in rows]\n",
        )
    },
    parameters=ParameterSyntax(
        positive='    if not 0 < {0} < math.inf:\n        raise ValueError("the parameters need {0} > 0 and finite")\n',
        check='    if not {condition}:\n        raise ValueError("the parameters need {text}")\n',
        given=("{0}", ", *, {0}"),
        passed=("{0}={0}", ", {0}"),
        reserved=RESERVED,
        notes="A ValueError is raised for parameters that break a condition above.",
    ),
    helpers={
        "beta": BETA,
        "betainc": FRACTION + _INCOMPLETE_BETA,
        "polynomial": '''\
def _polynomial(rows, p, z):
    """Return the polynomial of the first row that ends at or above p."""
    _, centre, scale, value, *coefficients = rows[bisect.bisect_left(rows, (p,))]
    z = (z - centre) * scale
    for coefficient in coefficients:
        value = value * z + coefficient
    return value


''',
    },
    frame='''
import bisect
import math

$tables

$functions
def loss(y_true, y_proba, sample_weight=None$given):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = list(y_true), list(y_proba)
    weight = [1.0] * len(y) if sample_weight is None else list(sample_weight)
    if not len(y) == len(p) == len(weight) or not y:
        raise ValueError(f"need equal lengths, not {len(y)}, {len(p)} and {len(weight)}")
    if any(label not in (0, 1) for label in y):
        raise ValueError("y_true must hold labels 0 and 1 only")
    if not all(0 <= w < math.inf for w in weight) or not any(weight):
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
$losses    return math.fsum(losses) / math.fsum(weight)


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
def $name(p$given):
    """Return $about."""
$complement    if not 0.0 <= p <= 1.0:
        return math.nan
$checks    if p == 0.0:
        return $at_zero
    if p == 1.0:
        return $at_one
$branches

''',
    piece="@compiled\ndef _$name($parameters):\n$steps\n    return $value\n\n\n",
    table="$name = np.array([  # end, centre, scale and coefficients, from the highest, of each polynomial\n"
    "$rows,\n])\n",
    parameters=ParameterSyntax(
        positive="    if not 0 < {0} < math.inf:\n        return math.nan\n",
        check="    if not {condition}:\n        return math.nan\n",
        reserved=RESERVED | {"numba", "compiled", "total", "error", "value", "new"},
        notes="NaN is also the loss of parameters that break a condition above.",
    ),
    helpers={
        "beta": BETA.replace("def ", "@compiled\ndef "),
        "betainc": (FRACTION + _INCOMPLETE_BETA).replace("def ", "@compiled\ndef "),
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


''',
    },
    frame='''
import math

import numba
import numpy as np

compiled = numba.njit(error_model="numpy")

$tables

$helpers$pieces$functions
@compiled
def loss(y_true, y_proba$given):
    """Return the mean loss of arrays of labels 0 or 1 and probabilities of class 1; NaN if one is something else."""
    total, error = 0.0, 0.0  # the rounding error of the sum is carried along
    for y, p in zip(y_true, y_proba):
        value = loss1(p$passed) if y == 1 else loss0(p$passed) if y == 0 else math.nan
        new = total + value
        error += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
        total = new
    return (total + error if math.isfinite(total) else total) / len(y_true)
''',
)
