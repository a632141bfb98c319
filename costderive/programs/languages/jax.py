"""JAX: functions of arrays whose derivatives are written out, so that none of them is NaN by a 0/0."""

from __future__ import annotations

from dataclasses import replace

from costderive.programs.languages.language import ParameterSyntax, prefixed
from costderive.programs.languages.pytorch import NOTES, PYTORCH
from costderive.programs.languages.scalars import RESERVED

_OWN = "jax jnp math logits order functions of0 of1 loss_of_logits self"
_CONDITIONS = """\
def _where(condition, *numbers):
    return tuple(jnp.where(condition, x, jnp.nan) for x in numbers)


"""
_RULE = """\
def _differentiated(function, derivative):
    def rule(primals, tangents):
        return function(*primals), derivative(*primals) * tangents[1]

    function.defjvp(rule)
"""
_RULE_OF_PARAMETERS = """\
def _differentiated(function, derivative):
    def rule(primals, tangents):
        if not all(isinstance(x, jax.custom_derivatives.SymbolicZero) for x in tangents[2:]):
            raise NotImplementedError("a derivative in a parameter is not written out")
        return function(*primals), derivative(*primals) * tangents[1]

    function.defjvp(rule, symbolic_zeros=True)
"""

JAX = replace(
    PYTORCH,
    table="$name = [  # end, centre, scale and coefficients, from the highest, of each polynomial\n$rows,\n]\n",
    names=prefixed(
        "jnp.",
        log_p="_log({0}, {1}, {at})",
        log_r="_log({1}, {0}, -{at})",
        past="({0} * {4} * -jnp.expm1(jax.lax.optimization_barrier({5} - {at}) + {6}))",
        short_of="({1} * {4} * -jnp.expm1(jax.lax.optimization_barrier({at} - {5}) - {6}))",
        positive="jnp.maximum({0}, 0)",
        both="({0} & {1})",
        either="({0} | {1})",
        choose="jnp.where({0}, {1}, {2})",
        erf="jax.scipy.special.erf",
        erfc="jax.scipy.special.erfc",
        gamma="jax.scipy.special.gamma",
        beta="_beta({0}, {1})",
        betainc="(jax.scipy.special.betainc({0}, {1}, {2}) * _beta({0}, {1}))",
        exactly="jax.lax.optimization_barrier({0})",
        polynomial="_polynomial({table}, {at}, {0})",
    ),
    notes=NOTES
    + "\nJAX computes in float32 unless jax_enable_x64 is set, and takes subnormal numbers for 0 (in float64 those\n"
    "below 2.3e-308) but in the logarithm of a probability: other losses of such numbers are those of 0.",
    trains=True,
    infinity="jnp.inf",
    nan="jnp.nan",
    parameters=ParameterSyntax(
        positive="    at, p, q = _where((0 < {0}) & ({0} < jnp.inf), at, p, q)\n",
        check="    at, p, q = _where({condition}, at, p, q)\n",
        reserved=RESERVED | set(_OWN.split()),
        notes="NaN is also the loss of parameters that break a condition above.\n"
        "They are numbers, or arrays with one for each row, and constants: a derivative in them is refused.",
    ),
    places={"conditions": ("", _CONDITIONS), "rule": (_RULE, _RULE_OF_PARAMETERS)},
    helpers={
        "beta": """\
def _beta(a, b):
    lgamma = jax.lax.lgamma
    a, b = 1.0 * jnp.asarray(a), 1.0 * jnp.asarray(b)
    return jnp.exp(lgamma(a) + lgamma(b) - lgamma(a + b))


""",
        "polynomial": '''\
def _polynomial(rows, at, z):
    """Return the polynomial of the first row that ends at or above ``at``."""
    most = float(jnp.finfo(z.dtype).max)  # beyond it are only rows that no number of this type reaches
    columns = jnp.asarray([[min(max(x, -most), most) for x in row] for row in rows], dtype=z.dtype).T
    row = jnp.searchsorted(columns[0, :-1], at)
    z = jnp.clip((z - columns[1][row]) * columns[2][row], -1, 1)  # the ends of rows are rounded
    value = columns[3][row]
    for coefficients in columns[4:]:
        value = value * z + coefficients[row]
    return value


''',
        **dict.fromkeys(
            ("log_p", "log_r"),
            '''\
def _log(x, rest, margin):
    """Return log x, near x = 1 from the digits of rest = 1 - x, and near x = 0 from its logit, if that is given."""
    away = 1 - jax.lax.optimization_barrier(x)  # or XLA would take it for rest
    near = jnp.where(away == 0, -rest, jnp.log(x) * (rest / jnp.where(away == 0, 1, away)))
    least = math.log(float(jnp.finfo(x.dtype).smallest_subnormal))
    near = jnp.where(_is_subnormal(x), jnp.log(_multiple(x)) + least, near)
    return jnp.where(margin < -37, margin, near)


''',
        ),
    },
    frame='''
import math

import jax
import jax.numpy as jnp


@jax.custom_jvp
def loss(y, p$given):
    """Return the loss of each probability p of class 1 if the class is y, 0 or 1: one for all, or one for each."""
    return _value(0, y, p, 1 - p, p, _OF_PROBABILITIES$passed)


@jax.custom_jvp
def loss_of_logits(y, logits$given):
    """Return the loss of each logit of a probability of class 1 if the class is y, 0 or 1: one, or one for each."""
    return _value(0, y, *_shares(logits), _OF_LOGITS$passed)


@jax.custom_jvp
def _slope(y, p$given):
    return _value(1, y, p, 1 - p, p, _OF_PROBABILITIES$passed)


@jax.custom_jvp
def _slope_of_logits(y, logits$given):
    return _value(1, y, *_shares(logits), _OF_LOGITS$passed)


@jax.custom_jvp
def _curvature(y, p$given):
    return _value(2, y, p, 1 - p, p, _OF_PROBABILITIES$passed)


@jax.custom_jvp
def _curvature_of_logits(y, logits$given):
    return _value(2, y, *_shares(logits), _OF_LOGITS$passed)


$rule

def _refused(y, at$given):
    raise NotImplementedError("a third derivative of a loss is not written out")


_differentiated(loss, _slope)
_differentiated(_slope, _curvature)
_differentiated(_curvature, _refused)
_differentiated(loss_of_logits, _slope_of_logits)
_differentiated(_slope_of_logits, _curvature_of_logits)
_differentiated(_curvature_of_logits, _refused)


def _shares(logits):
    """Return both probabilities, and the logits as floating-point numbers."""
    logits = jnp.asarray(logits, jnp.result_type(logits, 1.0))
    return jax.nn.sigmoid(logits), jax.nn.sigmoid(-logits), logits


def _value(order, y, p, q, at, functions$given):
    """Return the loss (order 0) or one of its derivatives."""
    y, at, p, q = jnp.asarray(y), *(jnp.asarray(x, jnp.result_type(x, 1.0)) for x in (at, p, q))
    if y.ndim and y.shape != at.shape:
        raise ValueError(f"shapes differ: labels have {y.shape} and predictions {at.shape}")
    of0, of1 = functions[order]
    return jnp.where(y == 1, of1(at, p, q$passed), jnp.where(y == 0, of0(at, p, q$passed), jnp.nan))


def _by_piece(at, p, q, ends, formulas, at_zero, at_one):
    """Apply each formula where ``at`` is above the end of the one before it, and not above its own."""
    lowest, highest = ends[0], ends[-1]
    is_lowest = (at == lowest) & ~_is_subnormal(at)
    inside = ((at > lowest) | (at == lowest) & ~is_lowest) & (at < highest)
    value, rest = jnp.full_like(p, jnp.nan), inside
    x, y, z = (jnp.where(inside, number, 0.5) for number in (at, p, q))
    for end, formula in zip(ends[1:], formulas):
        here = rest & (at <= end)
        value = jnp.where(here, formula(x, y, z), value)
        rest = rest & (at > end)
    # far out p or q is 0 by rounding, and a formula may be 0/0
    value = jnp.where(is_lowest | ((p == 0) & jnp.isnan(value)), at_zero, value)
    return jnp.where((at == highest) | ((q == 0) & jnp.isnan(value)), at_one, value)


def _is_subnormal(x):
    """Return where x > 0 is so small that XLA may take it for 0."""
    return (_multiple(x) > 0) & (jnp.abs(x) < jnp.finfo(x.dtype).tiny)


def _multiple(x):
    """Return what multiple of the smallest positive number a subnormal one is, by its bits."""
    return jax.lax.bitcast_convert_type(x, f"int{8 * x.dtype.itemsize}").astype(x.dtype)


$conditions$helpers$pieces$functions

_OF_PROBABILITIES = ((_loss0, _loss1), (_slope0, _slope1), (_curvature0, _curvature1))
_OF_LOGITS = (
    (_margin_loss0, _margin_loss1),
    (_margin_slope0, _margin_slope1),
    (_margin_curvature0, _margin_curvature1),
)

$tables''',
)
