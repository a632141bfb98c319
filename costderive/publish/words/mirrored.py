"""Losses that mirror each other: where the threshold weight is symmetric, ``L1(p) = L0(1 - p)``, and one will do."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p
from costderive.deciders.identities import zero
from costderive.derivation.derivation import losses
from costderive.proof.claims import Case
from costderive.publish.formulas.printing import width
from costderive.publish.words.displays import function
from costderive.publish.words.document_blocks import Block
from costderive.publish.words.scene import Scene, show
from costderive.rules import Losses

SHORT = 25.0  # digits of a loss that is written out beside the other
LARGEST = 60  # operations in a density that is compared with its mirror image

SYMMETRIC = (
    r"The threshold weight is symmetric, $\omega(1 - s) = \omega(s)$. So $L_1$, with $L_1(p) = L_0(1 - p)$, has the "
    r"slope $-(1 - p) \, \omega(p)$."
)


def mirrored(found: Losses, given: Given) -> bool:
    """Return whether ``L1(p) = L0(1 - p)``: there are no atoms, and the threshold weight is decided to be symmetric.

    Or both losses are integrals that are the same when their variables are renamed.
    """
    if found.weight.atoms:
        return False
    return _symmetric(found.weight.density, given) or _same_integrals(found)


def _same_integrals(found: Losses) -> bool:
    pairs = list(zip(found.loss0, reversed(found.loss1.pieces), strict=True))
    return all(x.value.has(sympy.Integral) for x, _ in pairs) and all(
        _same(x.low, 1 - y.high)
        and _same(x.high, 1 - y.low)
        and x.value.as_dummy() == y.value.subs(p, 1 - p).as_dummy()
        for x, y in pairs
    )


@lru_cache(maxsize=256)
def _symmetric(density: Pieces, given: Given) -> bool:
    pairs = list(zip(density.pieces, reversed(density.pieces), strict=True))
    return all(
        _mirror(first, second, density.variable, given) for first, second in pairs[: (len(pairs) + 1) // 2]
    )


def _mirror(first: Piece, second: Piece, variable: sympy.Symbol, given: Given) -> bool:
    image = second.value.subs(variable, 1 - variable)
    if (
        first.value.count_ops() > LARGEST
        or not _same(first.low, 1 - second.high)
        or not _same(first.high, 1 - second.low)
    ):
        return False
    on = Interval(variable, first.low, first.high)
    return first.value == image or zero(first.value - image, on, given) is not None


def _same(end: Expr, other: Expr) -> bool:
    return bool(sympy.cancel(end - other) == 0)


def _is_plain_from_the_other(scene: Scene) -> bool:
    """Return whether the loss of class 1 is long, and that of class 0 says it."""
    found = scene.losses
    long = bool(found.loss1.breaks) or width(found.loss1.pieces[0].value) > SHORT
    return long and mirrored(found, scene.case.given)


def loss_of_class_1(scene: Scene) -> Block:
    """Write the loss of class 1, as the other one mirrored if that is shorter."""
    if _is_plain_from_the_other(scene):
        return show("L_1(p) & = L_0(1 - p)")
    return function("L_1(p)", scene.losses.loss1, scene.names, scene.case.given, closed=True)


def long_losses(case: Case) -> tuple[Pieces, ...]:
    """Return the losses of a case that are written out: both, or one that the other mirrors."""
    found = losses(case)
    assert isinstance(found, Losses)  # a story of pairs has no names for values
    return (found.loss0,) if mirrored(found, case.given) else (found.loss0, found.loss1)
