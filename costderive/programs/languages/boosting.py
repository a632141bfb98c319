"""LightGBM and XGBoost: objectives and metrics of the raw margin, the logit of p."""

from __future__ import annotations

from dataclasses import replace

from costderive.programs.languages.arrays import BETA, NUMBERS, NUMPY

_NAMES = dict(NUMPY.names) | {
    "log_p": "_log({0}, {1}, {at})",
    "log_r": "_log({1}, {0}, -{at})",
    "past": "({0} * {4} * -np.expm1(({5} - {at}) + {6}))",
    "short_of": "({1} * {4} * -np.expm1(({at} - {5}) - {6}))",
    "positive": "np.maximum({0}, 0)",
    "polynomial": "_polynomial({table}, {at}, {0})",
}
_OWN = "margin dataset data objective mean_loss metric FLOOR slope0 slope1 gradient hessian"
_NOTES = """\
The margin is the logit of p. The gradient is the derivative of a row's loss in the margin, the Hessian the mean of its
second derivatives over labels drawn from p (as in Fisher scoring), p (1 - p) (margin_slope0 - margin_slope1). This is
the second derivative itself for the log loss, and never negative for a proper rule, whose second derivative may be.
It is at least FLOOR. Jumps of a loss do not show in the gradient."""
_COMMON = '''
${imports}import numpy as np

FLOOR = 1e-16  # of the Hessian of a row, before its weight


def objective(y_true, margin, sample_weight=None$given):
    """Return the gradient and the Hessian of the loss of each row in its margin."""
    if hasattr(margin, "get_label"):  # as train calls it, with the margins first
        return train_objective(y_true, margin$passed)
    y, (at, p, q), weight = _rows(y_true, margin, sample_weight)
    slope0, slope1 = _margin_slope0(at, p, q$passed), _margin_slope1(at, p, q$passed)
    gradient = np.where(y == 1, slope1, slope0)
    hessian = np.maximum(p * q * (slope0 - slope1), FLOOR)
    if weight is None:
        return gradient, hessian
    return gradient * weight, hessian * weight


def mean_loss(y_true, margin, sample_weight=None$given):
    """Return the (weighted) mean loss of margins, given labels 0 or 1."""
    y, (at, p, q), weight = _rows(y_true, margin, sample_weight)
    losses = np.where(y == 1, _margin_loss1(at, p, q$passed), _margin_loss0(at, p, q$passed))
    if weight is None:
        return float(np.mean(losses))
    if not weight.any():
        raise ValueError("sample_weight is 0 for every label")
    used = weight > 0  # a row of weight 0 does not count, even if its loss is infinite
    return float(np.average(losses[used], weights=weight[used]))

'''
_BY_PIECE = '''\
def _by_piece(at, p, q, ends, formulas, at_zero, at_one):
    """Apply each formula from the end of the one before it, exclusive, to its own end, inclusive."""
    values, low = np.empty(p.shape), -np.inf
    with np.errstate(all="ignore"):  # far out p or q is 0 by rounding, and a formula may be 0/0
        for end, formula in zip(ends, formulas):
            here = (low < at) & (at <= end)
            values[here] = formula(at[here], p[here], q[here])
            low = end
    unknown = np.isnan(values) | np.isinf(at)
    values[unknown & (p == 0)], values[unknown & (q == 0)] = at_zero, at_one
    return values
'''
_BY_ROW = (
    NUMBERS
    + '''\
def _by_piece(at, p, q, ends, formulas, at_zero, at_one):
    """Apply in each row the formula of the first end at or above the margin."""
    with np.errstate(all="ignore"):  # of formulas for other rows; far out p or q is 0 by rounding
        values = np.select([at <= end for end in ends], [formula(at, p, q) for formula in formulas])
    unknown = np.isnan(values) | np.isinf(at)
    values = np.where(unknown & (p == 0), at_zero, values)
    return np.where(unknown & (q == 0), at_one, values)
'''
)
_REST = '''

def _rows(y_true, margin, sample_weight):
    """Return labels, chances and weights, which have one shape."""
    y, chances = _labels(y_true), _chances(margin)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if y.shape != chances[0].shape:
        raise ValueError(f"shapes differ: labels have {y.shape} and margins {chances[0].shape}")
    if weight is not None and (weight.shape != y.shape or not (np.isfinite(weight) & (weight >= 0)).all()):
        raise ValueError("sample_weight must hold one finite number >= 0 for each label")
    return y, chances, weight


def _labels(y_true):
    y = np.asarray(y_true)
    if not np.isin(y, (0, 1)).all():
        raise ValueError("labels must be 0 and 1")
    return y


def _chances(margin):
    """Return the margin, p and 1 - p; the smaller of the two has all its digits."""
    margin = np.asarray(margin, dtype=float)
    if np.isnan(margin).any():
        raise ValueError("a margin is NaN")
    ratio = np.exp(-np.abs(margin))
    small, large = ratio / (1 + ratio), 1 / (1 + ratio)
    return margin, np.where(margin > 0, large, small), np.where(margin > 0, small, large)


$functions
$by_piece$helpers$pieces
$tables'''

LIGHTGBM = replace(
    NUMPY,
    names=_NAMES,
    parameters=replace(
        NUMPY.parameters,
        reserved=NUMPY.parameters.reserved | set(_OWN.split()),
        notes="A ValueError is raised for parameters that break a condition above.\n"
        "They are numbers, or arrays with one for each row, and are given by a function of your own:\n"
        "lambda y, margin, weight: objective(y, margin, weight, amount=amounts).",
    ),
    outside="A ValueError is raised for a label that is neither 0 nor 1 and a margin that is NaN.",
    notes=_NOTES,
    trains=True,
    function='''\
def _$name(at, p, q$given):
    """Return $about."""
$checks    ends = ($ends,)
    formulas = (
$branches
    )
    return _by_piece(at, p, q, ends, formulas, at_zero=$at_zero, at_one=$at_one)


''',
    branch="        lambda at, p, q: {value},",
    piece="\n\ndef _$name($parameters):\n$steps\n    return $value\n",
    call="_{name}({arguments})",
    quantities=("margin_loss0", "margin_loss1", "margin_slope0", "margin_slope1"),
    places={"by_piece": (_BY_PIECE, _BY_ROW)},
    helpers=BETA
    | {
        "polynomial": '''

def _polynomial(rows, at, z):
    """Return the polynomial of the first row that ends at or above ``at``."""
    _, centre, scale, value, *coefficients = rows.T[:, np.searchsorted(rows[:-1, 0], at)]
    z = np.clip((z - centre) * scale, -1, 1)  # the ends of rows are rounded
    for coefficient in coefficients:
        value = value * z + coefficient
    return value
''',
        **dict.fromkeys(
            ("log_p", "log_r"),
            '''

def _log(x, rest, margin):
    """Return log x, near x = 1 from the digits of rest = 1 - x, and near x = 0 from its logit."""
    return np.where(margin < -37, margin, np.where(x < 0.5, np.log(x), np.log1p(-rest)))
''',
        ),
    },
    frame=_COMMON
    + '''
def metric(y_true, margin, sample_weight=None$given):
    """Return the metric as scikit-learn estimators of LightGBM take it: ``fit(..., eval_metric=metric)``."""
    if hasattr(margin, "get_label"):  # as train calls it, with the margins first
        return train_metric(y_true, margin$passed)
    return "expected_cost", mean_loss(y_true, margin, sample_weight$passed), False


def train_objective(margin, dataset$given):
    """Return what ``lightgbm.train({"objective": train_objective, ...})`` takes."""
    return objective(dataset.get_label(), margin, dataset.get_weight()$passed)


def train_metric(margin, dataset$given):
    """Return what ``lightgbm.train(..., feval=train_metric)`` takes."""
    return metric(dataset.get_label(), margin, dataset.get_weight()$passed)
'''
    + _REST,
)

XGBOOST = replace(
    LIGHTGBM,
    notes=_NOTES
    + """
XGBoost makes no leaf whose Hessians, in units of the costs, sum to less than min_child_weight, which is 1 unless it is
set: with small costs, or far from where the rule bends, no tree grows, and nothing says so. Set min_child_weight=0.
Its reg_lambda, 1 as well, is in these units too.""",
    frame=_COMMON
    + '''
def metric(y_true, margin, sample_weight=None$given):
    """Return the metric as ``XGBClassifier(objective=objective, eval_metric=metric)`` takes it."""
    if hasattr(margin, "get_label"):  # as train calls it, with the margins first
        return train_metric(y_true, margin$passed)
    return mean_loss(y_true, margin, sample_weight$passed)


def train_objective(margin, data$given):
    """Return what ``xgboost.train(..., obj=train_objective)`` takes."""
    return objective(data.get_label(), margin, data.get_weight() if data.get_weight().size else None$passed)


def train_metric(margin, data$given):
    """Return what ``xgboost.train(..., custom_metric=train_metric)`` takes."""
    weight = data.get_weight()
    return "expected_cost", mean_loss(data.get_label(), margin, weight if weight.size else None$passed)
'''
    + _REST,
)
