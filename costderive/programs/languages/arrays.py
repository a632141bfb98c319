"""NumPy: functions of arrays."""

from __future__ import annotations

from costderive.programs.languages.language import Language, ParameterSyntax, prefixed
from costderive.programs.languages.scalars import COMMENT, RESERVED

TABLE = "$name = np.array([  # end, centre, scale and coefficients, from the highest, of each polynomial\n$rows,\n])\n"
_MEAN = """\
    y, p, weight = y[used], p[used], weight[used]
    losses = np.empty(p.shape)
    losses[y == 0] = loss0(p[y == 0])
    losses[y == 1] = loss1(p[y == 1])
    return float(np.average(losses, weights=weight))
"""
_MEAN_OF_ROWS = """\
    losses = np.where(y == 1, loss1(p$passed), loss0(p$passed))
    return float(np.average(losses[used], weights=weight[used]))
"""
_BY_PIECE = '''\
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
'''
NUMBERS = '''\
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


'''
_BY_ROW = (
    NUMBERS
    + '''\
def _by_piece(p, ends, formulas, at_zero, at_one):
    """Apply in each row the formula of the first end at or above p."""
    p = _probability(p)
    x = np.where((p > 0) & (p < 1), p, 0.5)
    with np.errstate(all="ignore"):  # of formulas for other rows
        losses = np.select([x <= end for end in ends], [formula(x, 1 - x) for formula in formulas])
    return np.where(p == 0, at_zero, np.where(p == 1, at_one, losses))[()]
'''
)
BETA = {
    "beta": """

def _beta(a, b):
    gamma = np.vectorize(math.gamma, otypes=[float])
    return gamma(a) * gamma(b) / gamma(a + b)
""",
    "betainc": '''

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
''',
}
NUMPY = Language(
    names=prefixed(
        "np.",
        log_p="np.log({0})",
        log_r="np.log1p(-{0})",
        positive="{0}",
        exactly="{0}",
        both="({0} & {1})",
        either="({0} | {1})",
        choose="np.where({0}, {1}, {2})",
        **{name: f"np.vectorize(math.{name}, otypes=[float])" for name in ("erf", "erfc", "gamma")},
        beta="_beta",
        betainc="_incomplete_beta",
        polynomial="_polynomial({table}, {p}, {0})",
    ),
    comment=COMMENT,
    outside="A ValueError is raised for what is not a probability.",
    function='''\
def $name(p$given):
    """Return $about."""
$checks    ends = ($ends,)
    formulas = (
$branches
    )
    return _by_piece(p, ends, formulas, at_zero=$at_zero, at_one=$at_one)

''',
    branch="        lambda p, q: {value},",
    piece="def _$name($parameters):\n$steps\n    return $value\n\n\n",
    call="_{name}({arguments})",
    step="    {name} = {value}",
    table=TABLE,
    brackets=("(", ")"),
    infinity="np.inf",
    nan="np.nan",
    places={"mean": (_MEAN.rstrip("\n"), _MEAN_OF_ROWS.rstrip("\n")), "by_piece": (_BY_PIECE, _BY_ROW)},
    parameters=ParameterSyntax(
        positive='    {0} = _numbers(p, "{0}", {0})\n',
        check='    _check({condition}, "{text}")\n',
        given=("{0}", ", *, {0}"),
        passed=("{0}={0}", ", {0}"),
        reserved=RESERVED,
        notes="A ValueError is raised for parameters that break a condition above.\n"
        "They are numbers, or arrays with one for each row.",
    ),
    helpers=BETA
    | {
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
${imports}import numpy as np

$tables

$functions
def loss(y_true, y_proba, sample_weight=None$given):
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
$mean


def _probability(p):
    p = np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability lies between 0 and 1")
    return p


$by_piece$helpers$pieces''',
)
