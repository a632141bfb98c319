"""The search for what decides whether the rule of a matrix with uncertain letters is strictly proper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product

import sympy
from sympy import Expr, Rational, S

from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.deciders.signs import nonnegative, positive
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.simplex_rule import Forecast
from costderive.multiclass.stages import Distribution
from costderive.multiclass.uncertain_strictness import (
    MovingThreshold,
    SharedAct,
    shared_claims,
    threshold_claims,
)
from costderive.proof.claims import Claim, Equal, NonNegative, Positive, Regular, Same, Tends

MOST_LETTERS, MOST_PATHS = 5, 1000
SMALL = 16  # parts of the range of a letter, of which it stays in one
FINE = 64
Path = tuple[Expr, tuple[int, int]]  # a value in x, and the regions of the law
FAR, NEAR = Rational(10) ** 12, 1e-3


def moving_threshold(
    matrix: CostMatrix, parts: tuple[Distribution, ...], given: Given
) -> MovingThreshold | None:
    """Try paths of the letters between their ends, and pairs of acts."""
    if matrix.classes != 2 or matrix.parameters or len(parts) > MOST_LETTERS:
        return None
    paths = [tuple(_paths(one, given)) for one in parts]
    for chosen in islice(product(*paths), MOST_PATHS):
        values, regions = zip(*chosen, strict=True)
        for acts in permutations(range(len(matrix.columns)), 2):
            moving = MovingThreshold(acts, values, regions)
            if _seems_right(matrix, moving) and holds(threshold_claims(matrix, parts, moving), given):
                return moving
    return None


def _paths(one: Distribution, given: Given) -> Iterator[Path]:
    """Yield ways from end to end of what has a positive density, and what stays where it is."""
    for first, last in runs(one, given):
        yield from _between(one.bounds(first)[0], one.bounds(last)[1], (first, last))
    yield from ((value, (0, 0)) for value in one.masses)


def runs(one: Distribution, given: Given) -> Iterator[tuple[int, int]]:
    """Yield the first and last region of what has a positive density without a gap."""
    dense = [f != 0 and positive(f, Interval(x, *one.bounds(n)), given) for n, f in enumerate(one.densities)]
    first = 0
    for region, is_dense in enumerate([*dense, False]):
        if not is_dense:
            if region > first:
                yield first, region - 1
            first = region + 1


def _between(low: Expr, high: Expr, regions: tuple[int, int]) -> Iterator[Path]:
    infinite = high is S.Infinity
    length = S.One if infinite else high - low
    yield low + length / 2, regions
    for way in (x, 1 / x):
        share = 1 / (1 + 1 / way)
        yield low + (way if infinite else sympy.cancel(length * share)), regions
        yield low + sympy.cancel(length * share / SMALL), regions


def _seems_right(matrix: CostMatrix, moving: MovingThreshold) -> bool:
    """Look near both ends of the way."""
    (less, more), (late_less, late_more) = (
        [float(gain.subs(x, at)) for gain in moving.gains(matrix)] for at in (1 / FAR, FAR)
    )
    return min(less, more, late_less, late_more) > 0 and less < NEAR * more and late_more < NEAR * late_less


def shared_act(matrix: CostMatrix, parts: tuple[Distribution, ...], given: Given) -> SharedAct | None:
    """Try two forecasts next to each certain one."""
    if matrix.parameters or len(parts) > MOST_LETTERS:
        return None
    for start in _corners(matrix.classes):
        for act in range(len(matrix.columns)):
            for near in (2, FINE, FINE**2):
                same = SharedAct(act, tuple(_towards_middle(start, n) for n in (near, 2 * near)))
                if holds(shared_claims(matrix, parts, same), given):
                    return same
    return None


def _corners(classes: int) -> Iterator[Forecast]:
    for label in range(classes):
        yield tuple(sympy.Integer(n == label) for n in range(classes))


def _towards_middle(corner: Forecast, near: int) -> Forecast:
    """Go one part of so many from a corner to the middle."""
    return tuple(p + (Rational(1, len(corner)) - p) / near for p in corner)


def holds(claims: Iterator[Claim], given: Given) -> bool:
    """Return whether all of the claims that decide strictness are decided to hold."""
    return all(_is_true(claim, given) for claim in claims)


def _is_true(claim: Claim, given: Given) -> bool:
    """Decide the kinds of claims that are made here; paths have no jumps, by the way they are made."""
    if isinstance(claim, Positive | NonNegative):
        decides = positive if isinstance(claim, Positive) else nonnegative
        return bool(
            decides(
                sympy.cancel(claim.expr) if claim.expr.is_rational_function() else claim.expr,
                claim.on,
                given,
            )
        )
    if isinstance(claim, Tends):
        return bool(
            sympy.limit(sympy.cancel(claim.expr), claim.variable, claim.point, claim.side) == claim.value
        )
    if isinstance(claim, Equal):
        return bool(sympy.cancel(claim.left - claim.right) == 0)
    if isinstance(claim, Same):
        return bool(claim.left == claim.right)
    return isinstance(claim, Regular)
