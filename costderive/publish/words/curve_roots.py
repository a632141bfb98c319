"""Of which equations the parameters of curves in losses are the roots."""

from __future__ import annotations

from costderive.core.curve_parameters import OneWay
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.scene import say
from costderive.rules import Losses
from costderive.rules.case_losses import curves_of
from costderive.rules.loss_pair import LossPair


def roots_in(*losses: Losses | LossPair) -> tuple[Block, ...]:
    """Say of which equations the parameters of curves in losses are the roots."""
    curves = dict.fromkeys(curve for found in losses for curve in curves_of(found))
    return tuple(say("Here {}.", root_of(curve)) for curve in curves)


def root_of(curve: OneWay) -> Prose:
    """Say of which equation the parameter of a curve is the root."""
    x, ends = curve.variable, (curve.low, curve.high)
    if curve.c0 + curve.c1 == 1:
        return prose("${}(p)$ is the root {} of ${} = p$ between {} and {}", x, x, curve.c0, *ends)
    text = (
        "${}(p)$ is the root {} of $c_0/(c_0 + c_1) = p$, with $c_0 = {}$ and $c_1 = {}$, between {} and {}"
    )
    return prose(text, x, x, curve.c0, curve.c1, *ends)
