"""Costs with a joint density on a region bounded by lines and curves of degree 2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy
from sympy import Expr, Mul, Pow, S
from sympy.core.relational import Relational

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, inequalities, parse
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.symbols import c0 as cost0
from costderive.core.symbols import c1 as cost1
from costderive.costs.contexts.conic import degree, ray_parts
from costderive.costs.contexts.context import Context, Costs, bounds
from costderive.costs.contexts.kinks import STEPS, smooth_parts
from costderive.costs.contexts.ray_region import region_of
from costderive.costs.contexts.region import Region, sample_of_parts
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane
from costderive.costs.finite_means import finite_along_rays
from costderive.costs.laws.expectation import x
from costderive.costs.laws.total_probability import OF_JOINT_DENSITY, wrong_totals
from costderive.costs.never_negative import require_never_negative
from costderive.deciders.conditions import UnsettledError, settled
from costderive.deciders.enclosure import enclose
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative

COSTS = {"c0": cost0, "c1": cost1}
LOOKED_AT = 200  # nodes where rounding may have made a density negative
ENDLESS = 1e30  # a total that quadrature finds where there is none


@dataclass(frozen=True, slots=True)
class Joint(Context):
    """Costs with a joint density on a rectangle, a polygon or a region given by inequalities of degree 1 or 2.

    ``support`` is ``((low0, high0), (low1, high1))``, where a high end may be infinite, or an inequality in ``c0``
    and ``c1`` such as ``"c0 + c1 <= 2"`` or ``"(c0 - 2)^2 + (c1 - 2)^2 <= 1"`` (text or SymPy), or several of them,
    which all hold, in a list or joined by ``and``; costs are never negative, whether the support says so or not. An
    inequality in other letters alone, such as ``"r <= 1"``, says what is known of them. The density is an expression
    in the costs. With parameters its total is tried at a few of their values.

    A union of such regions is a `Mixture`.

    Raises:
        SpecError: if an inequality is not a polynomial of degree 1 or 2 in the costs, the support cannot be read or is
            empty, or the density is negative or does not add up to one over it.

    Example:
        >>> Joint("2/B^2", "c0 + c1 <= B").support
        (c0, c1, B - c0 - c1)
    """

    density: Any
    support: Any

    __repr__ = short_repr

    def __post_init__(self) -> None:
        density = _in_costs(self.density, "context.density")
        object.__setattr__(self, "density", density)
        object.__setattr__(self, "support", _constraints(self.support, "context.support"))
        for part, place in (
            (density, "context.density"),
            *((gap, "context.support") for gap in self.support),
        ):
            if part.has(x):
                raise SpecError(
                    f"{place} holds the letter x", "It is that of densities of one cost: take another."
                )
        self._require_law()

    @classmethod
    def over(cls, density: Expr, constraints: tuple[Expr, ...]) -> Joint:
        """Return the context of a density where each constraint, of degree 1 or 2 in the costs, is >= 0."""
        joint = object.__new__(cls)
        kept = tuple(gap for gap in constraints if not _holds(gap))
        for constraint in kept:
            _bounding(constraint, constraint, "context.support")
        object.__setattr__(joint, "density", density)
        object.__setattr__(joint, "support", kept)
        joint._require_law()
        return joint

    def _built(self, values: Mapping[str, Any]) -> Joint:
        return Joint.over(values["density"], values["support"])

    def given(self) -> Given:
        """Return that sides of the support are in order, what it says of letters alone, and that losses are finite."""
        sums = [sympy.expand(first + second) for first, second in combinations(self._sides, 2)]
        facts = tuple(gap for gap in self.support if not gap.has(cost0, cost1))
        strict = tuple(fact for fact in facts if _has_no_density_at_0(fact, self.density))
        widths = tuple(_without_positive_factors(width) for width in sums if not width.has(cost0, cost1))
        known = Given().also(positive=(*widths, *strict), nonnegative=facts)
        return known.also(positive=finite_along_rays(self.density, self._sides, known))

    @property
    def _sides(self) -> tuple[Expr, ...]:
        return tuple(gap for gap in self.support if gap.has(cost0, cost1))

    def expected_loss(self) -> ExpectedLoss:
        return ExpectedLoss(areas=self._areas())

    def expectations(self) -> tuple[Plane, ...]:
        return (Plane(self._areas()),)

    def _areas(self) -> tuple[Area, ...]:
        """Cut the support where the density has a kink, and where a ray would leave it and come back."""
        return tuple(
            Area(density, part)
            for density, support in _smooth_parts(self.density, self._sides)
            if density != 0
            for part in ray_parts(_needed(support, self.given()), self.given())
            if self.parameters or region_of(part).has_area
        )

    def _total(self, values: dict[Any, Expr]) -> tuple[float, float]:
        parts = [_region(area, values).integral(area.density.subs(values)) for area in self._areas()]
        return sum(part for part, _ in parts), sum(error for _, error in parts)

    def _require_law(self) -> None:
        areas = self._areas()
        if self.parameters:
            self._require_never_negative(areas)
        else:
            self._require_density(areas)
        wrong = list(wrong_totals(self.parameters, self.given(), self._total))
        if wrong and not self.parameters and self._total({})[0] > ENDLESS:
            raise SpecError(
                "context.density has no finite total probability over the support",
                "Bound the support, as with c0 <= 10 and c1 <= 10, or take a density that falls off.",
            )
        if wrong:
            raise SpecError(
                f"context.density has total probability {wrong[0]} over the support, not 1",
                OF_JOINT_DENSITY,
            )

    def _require_never_negative(self, areas: tuple[Area, ...]) -> None:
        for area in areas:
            inside = self.given().also(positive=area.constraints)
            require_never_negative("context.density", area.density, None, inside)

    def _require_density(self, areas: tuple[Area, ...]) -> None:
        if not areas and self.density != 0:
            wanted = ", ".join(f"{constraint} >= 0" for constraint in self.support)
            raise SpecError(f"context.support is empty: {wanted}", "No costs satisfy all of this.")
        place = next((found for area in areas for found in _negative_at(area)), None)
        if place is not None:
            raise SpecError(
                f"context.density is negative at c0 = {place[0]:.6g}, c1 = {place[1]:.6g}",
                "A density is nowhere negative.",
            )

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        regions = [(_region(area, {}), area.density) for area in self._areas()]
        return sample_of_parts(regions, generator, draws)


def _region(area: Area, values: dict[Any, Expr]) -> Region:
    return region_of(tuple(constraint.subs(values) for constraint in area.constraints))


def _without_positive_factors(width: Expr) -> Expr:
    """Return what has the sign of a width: ``b - a`` of ``b^2 - a^2``."""
    if not width.is_polynomial(*width.free_symbols):
        return width
    number, factors = sympy.factor_list(width)
    open_ones = [
        factor if power % 2 else factor**power for factor, power in factors if not factor.is_positive
    ]
    return Mul(sympy.sign(number), *open_ones)


def _has_no_density_at_0(fact: Expr, density: Expr) -> bool:
    """Would a density divide by 0 if what is not negative were 0, as ``1/(b^2 - a^2)`` for ``b - a``?"""
    divisors = [power.base for power in density.atoms(Pow) if power.exp.is_negative]
    slopes = {letter: sympy.diff(fact, letter) for letter in fact.free_symbols}
    edges = ((letter, letter - fact / slope) for letter, slope in slopes.items() if slope.is_number)
    return any(zero(base.subs(*edge)) for edge in edges for base in divisors)


def _needed(support: tuple[Expr, ...], given: Given) -> tuple[Expr, ...]:
    """Leave out what follows from a stronger constraint: ``c0 >= 0`` beside ``c0 >= 1``."""
    kept = list(dict.fromkeys(support))
    for weak in tuple(kept):
        gaps = [weak - strong for strong in kept if strong != weak]
        if any(not gap.has(cost0, cost1) and nonnegative(gap, None, given) for gap in gaps):
            kept.remove(weak)
    return tuple(kept)


def _negative_at(area: Area) -> Iterator[tuple[float, float]]:
    """Yield places within an area where its density is negative: what rounding made so is looked at with bounds."""
    places = _region(area, {}).negative_at(area.density)
    for place in places[:: 1 + len(places) // LOOKED_AT]:
        costs = dict(zip((cost0, cost1), map(sympy.Rational, place), strict=True))
        least = [enclose(constraint, costs) for constraint in area.constraints]
        bounds = enclose(area.density, costs)
        if bounds is not None and bounds[1] < 0 and all(x is not None and x[0] >= 0 for x in least):
            yield place


def _holds(gap: Expr) -> bool:
    """Return whether a constraint on letters has become true, since they have got numbers."""
    if not gap.is_number:
        return False
    if not gap.is_nonnegative:
        raise SpecError(f"context.support says that {gap} >= 0", "Give the letters values that it allows.")
    return True


def _smooth_parts(density: Expr, support: tuple[Expr, ...]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """Yield what a density is on either side of each line or curve where it has a kink.

    Raises:
        SpecError: if a condition is left that is not decided.
    """
    for part, gaps in smooth_parts(density, (cost0, cost1), support):
        yield _whole(part, gaps), gaps


def _whole(density: Expr, support: tuple[Expr, ...]) -> Expr:
    """Settle conditions that no line decides: an extreme may stay, a choice of cases may not."""
    if not density.has(sympy.Piecewise, *STEPS):
        return density
    try:
        return settled(density, None, Given().also(nonnegative=support))
    except UnsettledError as problem:
        raise SpecError(
            f"context.density = {density} depends on whether {problem.condition}",
            "Conditions are of degree 1 or 2 in the costs; give parameters in them numbers.",
        ) from None


def _in_costs(value: Any, place: str) -> Expr:
    return parse(value, place=place, names=COSTS) if isinstance(value, str) else exact(value, place=place)


def _constraints(support: Any, place: str) -> tuple[Expr, ...]:
    """Read a support as expressions, of degree 1 or 2 in the costs, that are >= 0 on it."""
    single = isinstance(support, str | sympy.Basic) or not isinstance(support, Iterable)
    items = (support,) if single or getattr(support, "shape", None) == () else tuple(support)
    if len(items) == 2 and not any(isinstance(item, Relational | str) for item in items):
        pairs = [
            bounds(item, f"{place}.{name}", unbounded=True) for item, name in zip(items, COSTS, strict=True)
        ]
        (a, b), (d, e) = pairs
        ends = (cost0 - a, b - cost0, cost1 - d, e - cost1)
        return tuple(end for end in ends if not end.has(S.Infinity))
    gaps = tuple(dict.fromkeys(gap for item in items for gap in _gaps(item, place)))
    return (*(cost for cost in (cost0, cost1) if not any(_implies(gap, cost) for gap in gaps)), *gaps)


def _implies(gap: Expr, cost: Expr) -> bool:
    """Return whether a side of the support says itself that a cost is not negative."""
    rest = gap - cost
    return not rest.has(cost0, cost1) and bool(rest.is_nonpositive)


def _gaps(item: Any, place: str) -> Iterator[Expr]:
    if isinstance(item, str):
        found = inequalities(item, place=place, names=COSTS)
    elif isinstance(item, Relational) and hasattr(item, "gts"):
        found = (exact(item.gts, place=place) - exact(item.lts, place=place),)
    else:
        raise SpecError(
            f"{place} has the item {shown(item)}",
            'Write an inequality such as "c0 + c1 <= 2", or several that all hold; a Mixture joins regions.',
        )
    yield from (_bounding(gap, item, place) for gap in found)


def _bounding(gap: Expr, item: Any, place: str) -> Expr:
    gap = sympy.expand(gap)
    if gap.is_number or not gap.is_polynomial(cost0, cost1) or degree(gap) > 2:
        raise SpecError(
            f"{place}: {item} is not of degree 1 or 2 in the costs",
            "Lines and curves of degree 2 bound a support.",
        )
    return gap
