"""The sign of a threshold weight in words: why it is not negative, and where it is positive."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given, Piece, Sign
from costderive.core.symbols import s
from costderive.costs.expected_loss import ExpectedLoss, SlicedIntegral
from costderive.deciders.signs import positive
from costderive.derivation.moves.integrate_magnitude import positive_slice
from costderive.publish.words.displays import has_values
from costderive.publish.words.document_blocks import Prose, prose
from costderive.publish.words.scene import Scene, listed, ranges
from costderive.rules import Losses, Properness


def sign_of_weight(after: Properness, scene: Scene) -> Prose:
    """Say that the threshold weight is not negative, and where it is positive: perhaps everywhere."""
    if after.everywhere and not _exceptions(after, scene):
        if _by_slices(scene):
            return prose(
                r"For every $s$ in $(0, 1)$ the cost $c_1$ has a range with a length, inside which the integrand is "
                rf"positive{_AS_FOR_THE_REST * _is_sum(scene.expected)}, so $\omega(s) > 0$."
            )
        return prose(
            r"The threshold weight of Theorem {#thm:score} is positive: $\omega(s) > 0$ for every $s$ in $(0, 1)$."
        )
    if _formula_shows_all(after, scene):
        return prose(
            rf"Its formula shows that $\omega(s) > 0$ for $s$ in {{}}.{_outside(scene)}", ranges(after.strict)
        )
    return prose(f"{_why_positive(scene.expected)}{{}}", positive_where(after, scene))


def _formula_shows_all(after: Properness, scene: Scene) -> bool:
    """Return whether the pieces of a threshold weight are seen to be positive, or are 0."""
    shown = bool(after.strict) and all(_visibly_positive(piece.value) for piece in _above(scene))
    return shown and vanishes_outside(scene.losses) and not (_by_slices(scene) or _exceptions(after, scene))


def _why_positive(expected: ExpectedLoss | None) -> str:
    if expected is None:
        return r"On each piece the given $\omega$ is not negative, as was decided (see the appendix)."
    if _is_sum(expected):
        return r"As a sum of contributions that are not negative, $\omega \ge 0$."
    if expected.areas:
        return (
            r"For each $s$, $\omega(s)$ is the integral, over the range of $c_1$, of a function that is not negative. "
            r"So $\omega \ge 0$."
        )
    if expected.lines:
        return (
            r"As a product of the cost magnitude and the density of $s$, which are not negative, $\omega "
            r"\ge 0$."
        )
    return r"As a product of factors that are not negative, $\omega \ge 0$."


_AS_FOR_THE_REST = ", and what the rest of the law adds is not negative"


def _is_sum(expected: ExpectedLoss | None) -> bool:
    """Return whether the density of a threshold weight is a sum of those of several parts of the law of the costs."""
    return expected is not None and bool(expected.areas) + bool(expected.lines) + bool(expected.arcs) > 1


def positive_where(after: Properness, scene: Scene) -> Prose:
    """Say where the threshold weight is known to be positive."""
    if not after.strict:
        return ()
    every = "every " if after.everywhere else ""
    outside = "" if after.everywhere else _outside(scene)
    text = rf" Moreover, $\omega(s) > 0$ for {every}$s$ in {{}}{{}}: {_reason(scene)}.{outside}"
    return prose(text, ranges(after.strict), _except_at(after, scene))


def _reason(scene: Scene) -> str:
    """Say what shows that the threshold weight is positive: a slice for each of its positive pieces, or its formula."""
    if _by_slices(scene):
        return "there $c_1$ has a range with a length, inside which the integrand is positive"
    if all(_visibly_positive(piece.value) for piece in _above(scene)):
        return "its formula shows this"
    return "its formula is positive there, as was decided (see the appendix)"


def _visibly_positive(value: Expr) -> bool:
    """Return whether a formula is made of what is positive between 0 and 1, without a difference but ``1 - s``."""
    return bool(value.subs(1 - s, Symbol("u", positive=True)).is_positive)


def _above(scene: Scene) -> list[Piece]:
    """Return the pieces of a threshold weight on which it is positive."""
    weight = scene.losses.weight
    return [x for x, sign in zip(weight.density, weight.signs, strict=True) if sign is Sign.POSITIVE]


def _by_slices(scene: Scene) -> bool:
    """Return whether each positive piece of a threshold weight has a slice with a positive integrand."""
    sliced = next((x.before for x in scene.case.steps if isinstance(x.before, SlicedIntegral)), None)
    given = scene.case.given
    return sliced is not None and all(positive_slice(piece, sliced, given) for piece in _above(scene))


def _outside(scene: Scene) -> str:
    """Say what the threshold weight is where it is not known to be positive."""
    if not vanishes_outside(scene.losses):
        return r" Elsewhere, whether $\omega(s) > 0$ was not decided."
    return rf" {'Elsewhere' if _has_values(scene) else 'On the other pieces'}, $\omega(s) = 0$."


def _has_values(scene: Scene) -> bool:
    return has_values(scene.losses.weight.density, scene.case.given)


def _except_at(after: Properness, scene: Scene) -> Prose:
    """Name the points within the intervals where the threshold weight is positive at which it may vanish."""
    inside = _exceptions(after, scene)
    if inside and not _has_values(scene):
        return (", apart from its breakpoints",)
    if len(inside) > NAMED:
        return (", except perhaps at its breakpoints",)
    breaks = sorted(inside, key=sympy.default_sort_key)  # in one order, whatever the case
    return prose(", except perhaps at {}", listed(breaks)) if breaks else ()


def _exceptions(after: Properness, scene: Scene) -> set[Expr]:
    """Return the breakpoints within the intervals where the threshold weight is positive at which it may vanish."""
    ends, density = {end for part in after.strict for end in part}, scene.losses.weight.density
    known, given, above = _has_values(scene), scene.case.given, set(_above(scene))
    return {
        x.high
        for x, y in pairwise(density)
        if {x, y} <= above
        and x.high not in ends
        and not ((known or x.value == y.value) and _positive_at_its_end(x, given))
    }


def _positive_at_its_end(piece: Piece, given: Given) -> bool:
    value = piece.value.subs(s, piece.high)
    return bool(value.is_positive or positive(value, None, given))


NAMED = 2  # breakpoints in a sentence


def vanishes_outside(found: Losses) -> bool:
    """Return whether the threshold weight has the density 0 on each piece where it is not known positive."""
    return Sign.NONNEGATIVE not in found.weight.signs
