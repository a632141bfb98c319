"""PyTorch: a module whose derivatives are written out, so that none of them is NaN by a 0/0."""

from __future__ import annotations

from costderive.programs.languages.language import (
    OF_MARGIN,
    OF_P,
    Language,
    ParameterSyntax,
    prefixed,
)
from costderive.programs.languages.scalars import COMMENT, RESERVED

FUNCTION = '''\
def _$name(at, p, q$given):
    """Return $about."""
$checks    formulas = (
$branches
    )
    return _by_piece(at, p, q, ($lowest, $ends), formulas, $at_zero, $at_one)

'''
_OWN = (
    "torch predictions labels self x ctx from_logits numbers order of0 of1 nothing gradient total Loss "
    "given contexts context inputs output tangent others"
)
NOTES = """\
Numbers are computed in the type that they are given in: the accuracy is that of float64; float32 keeps about six
digits. The first two derivatives are written out, and a third is refused. At a breakpoint they are those from the
left, and jumps do not show in them. In p a derivative at 0 or 1 is infinite where the exact one is."""
_NAN = "NaN is the loss of what is not a probability, and of a label that is neither 0 nor 1."

_PREPARED = """\
        numbers = (torch.as_tensor(x, dtype=predictions.dtype, device=predictions.device) for x in ($names,))
        $names, = map(_constant, numbers, [predictions.shape] * len(($names,)))
"""
_CONDITIONS = """\
def _constant(x, shape):
    if x.requires_grad:
        raise ValueError("a parameter is a constant: no derivative in it is written out")
    if x.ndim and x.shape != shape:
        raise ValueError(f"a parameter is a number, or one for each row: {tuple(x.shape)} is not {tuple(shape)}")
    return x


def _where(condition, *numbers):
    return tuple(torch.where(condition, x, torch.full_like(x, math.nan)) for x in numbers)


def _choose(condition, yes, no, like):
    return torch.where(condition, yes + torch.zeros_like(like), no + torch.zeros_like(like))


"""
PYTORCH = Language(
    names=prefixed(
        "torch.",
        power="torch.pow",
        log_p="_log({0}, {1}, {at})",
        log_r="_log({1}, {0}, -{at})",
        positive="torch.clamp({0}, min=0)",
        exactly="{0}",
        past="({0} * {4} * -torch.expm1(({5} - {at}) + {6}))",
        short_of="({1} * {4} * -torch.expm1(({at} - {5}) - {6}))",
        both="({0} & {1})",
        either="({0} | {1})",
        choose="_choose({0}, {1}, {2}, p)",
        erf="torch.erf",
        erfc="torch.erfc",
        polynomial="_polynomial({table}, {at}, {0})",
    ),
    comment=COMMENT,
    outside=_NAN,
    notes=NOTES,
    trains=True,
    function=FUNCTION,
    branch="        lambda at, p, q: {value},",
    piece="def _$name($parameters):\n$steps\n    return $value\n\n\n",
    call="_{name}({arguments})",
    step="    {name} = {value}",
    table="$name = torch.tensor([  # end, centre, scale and coefficients, from the highest, of each polynomial\n"
    "$rows,\n], dtype=torch.float64).T.contiguous()\n",
    brackets=("(", ")"),
    infinity="math.inf",
    nan="math.nan",
    quantities=(*OF_P, *OF_MARGIN),
    parameters=ParameterSyntax(
        positive="    at, p, q = _where((0 < {0}) & ({0} < math.inf), at, p, q)\n",
        check="    at, p, q = _where({condition}, at, p, q)\n",
        reserved=RESERVED | set(_OWN.split()),
        notes="NaN is also the loss of parameters that break a condition above.\n"
        "They are numbers, or tensors with one for each row, and constants: a derivative in them is refused.",
    ),
    places={
        "keywords": ("", ", *, $names"),
        "prepared": ("", _PREPARED),
        "zero": ("torch.full_like(p, at_zero)", "at_zero + torch.zeros_like(p)"),
        "one": ("torch.full_like(p, at_one)", "at_one + torch.zeros_like(p)"),
        "conditions": ("", _CONDITIONS),
    },
    helpers={
        "polynomial": '''\
def _polynomial(columns, at, z):
    """Return the polynomial of the first column that ends at or above ``at``."""
    columns = columns.to(dtype=z.dtype, device=z.device)
    row = torch.searchsorted(columns[0, :-1].contiguous(), at.contiguous())
    z = ((z - columns[1][row]) * columns[2][row]).clamp(-1, 1)  # the ends of rows are rounded
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
    return torch.where(margin < -37, margin, torch.where(x < 0.5, torch.log(x), torch.log1p(-rest)))


''',
        ),
    },
    frame='''
import math

import torch


class Loss(torch.nn.Module):
    """The loss of predictions, probabilities of class 1 or their logits, given labels 0 or 1 of the same shape.

    Args:
        from_logits: whether predictions are logits, which is best for training.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``. With weights the mean is the weighted mean.
    """

    def __init__(self, from_logits=False, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"reduction must be 'mean', 'sum' or 'none', not {reduction!r}")
        self.from_logits, self.reduction = from_logits, reduction

    def forward(self, predictions, labels, sample_weight=None$keywords):
        predictions = predictions.to(torch.promote_types(predictions.dtype, torch.float32))
        if predictions.shape != labels.shape:
            raise ValueError(f"shapes differ: {tuple(predictions.shape)} and {tuple(labels.shape)}")
$prepared        losses = _Value.apply(0, predictions, labels, self.from_logits$passed)
        if sample_weight is not None:
            if sample_weight.shape != labels.shape:
                shapes = f"{tuple(sample_weight.shape)}, not {tuple(labels.shape)}"
                raise ValueError(f"sample_weight needs one weight for each label: its shape is {shapes}")
            losses = sample_weight * losses
        if self.reduction == "none":
            return losses
        total = losses.sum()
        if self.reduction == "sum":
            return total
        return total / (losses.numel() if sample_weight is None else sample_weight.sum())


class _Value(torch.autograd.Function):
    """The loss (order 0) or one of its first two derivatives in x."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*given):  # PyTorch 1 passes a context first, and knows no setup_context
        *contexts, order, x, y, from_logits$passed = given
        for context in contexts:
            _Value.setup_context(context, given[1:], None)
        return _value(order, x, y, from_logits$passed)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.order, x, y, ctx.from_logits$passed = inputs
        ctx.save_for_backward(x, y$passed)
        ctx.save_for_forward(x, y$passed)

    @staticmethod
    def backward(ctx, gradient):
        return None, gradient * _slope(ctx), *(None,) * len(ctx.saved_tensors)  # none of y and what follows

    @staticmethod
    def jvp(ctx, _, tangent, *others):
        return tangent * _slope(ctx)


def _slope(ctx):
    """Return the next derivative."""
    if ctx.order == 2:
        raise RuntimeError("two derivatives are written out, and no third")
    x, y$passed = ctx.saved_tensors
    return _Value.apply(ctx.order + 1, x, y, ctx.from_logits$passed)


def _value(order, x, y, from_logits$given):
    """Return the loss (order 0) or one of its derivatives in x."""
    of0, of1 = (_OF_LOGITS if from_logits else _OF_PROBABILITIES)[order]
    p, q = (torch.sigmoid(x), torch.sigmoid(-x)) if from_logits else (x, 1 - x)
    nothing = torch.full_like(p, math.nan)
    return torch.where(y == 1, of1(x, p, q$passed), torch.where(y == 0, of0(x, p, q$passed), nothing))


def _by_piece(at, p, q, ends, formulas, at_zero, at_one):
    """Apply each formula where ``at`` is above the end of the one before it, and not above its own."""
    lowest, highest = ends[0], ends[-1]
    inside = (at > lowest) & (at < highest)
    value, rest = torch.full_like(p, math.nan), inside
    middle = 0.5 + torch.zeros_like(p)
    x, y, z = (torch.where(inside, number, middle) for number in (at, p, q))
    for end, formula in zip(ends[1:], formulas):
        here = rest & (at <= end)
        value = torch.where(here, formula(x, y, z) + torch.zeros_like(p), value)
        rest = rest & (at > end)
    # far out p or q is 0 by rounding, and a formula may be 0/0
    is_zero = (at == lowest) | ((p == 0) & torch.isnan(value))
    is_one = (at == highest) | ((q == 0) & torch.isnan(value))
    value = torch.where(is_zero, $zero, value)
    return torch.where(is_one, $one, value)


$conditions$helpers$pieces$functions

_OF_PROBABILITIES = ((_loss0, _loss1), (_slope0, _slope1), (_curvature0, _curvature1))
_OF_LOGITS = (
    (_margin_loss0, _margin_loss1),
    (_margin_slope0, _margin_slope1),
    (_margin_curvature0, _margin_curvature1),
)

$tables''',
)
