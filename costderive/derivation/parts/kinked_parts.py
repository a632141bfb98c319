"""Costs in which a part counts only up to a value, or from one on, such as ``min(lost, limit)``: each side by itself.

On one side of the value the part is gone from a cost, and the costs do not determine their parts; given the side, the
part has a law of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import sympy
from sympy import Add, Expr, Symbol

from costderive.core.piecewise import Given
from costderive.costs.contexts.kinks import KINKED
from costderive.costs.laws import Law, Spread, x
from costderive.derivation.parts.functions_of_one import cells, turns_inside, without_cases
from costderive.derivation.parts.integrals import integral

Costs: TypeAlias = tuple[Expr, Expr]
Laws: TypeAlias = Mapping[Symbol, Law]
PLACE = "a part of both costs"


@dataclass(frozen=True, slots=True)
class Side:
    """What the costs and the laws of their parts are, given that a part is on this side, and how probable that is."""

    share: Expr
    costs: Costs
    laws: Laws


def sides(costs: Costs, laws: Laws) -> list[Side]:
    """Return the sides of the values at which a part in both costs begins or ceases to count, or nothing.

    There is one side if the part is never beyond such a value.

    Raises:
        SpecError: if it depends on letters whether the part passes the value.
    """
    for part, law in laws.items():
        found = _cut(
            costs, part, law, [node for node in _kinks(costs) if node.free_symbols & laws.keys() == {part}]
        )
        if len(found) == 1 or any(not _has_all(beside, laws) for beside in found):
            return [_given_side(beside, part, law, spreads, laws) for beside, spreads in found.items()]
    return []


def _kinks(costs: Costs) -> set[Expr]:
    return set(sympy.Tuple(*costs).atoms(*KINKED))


def _cut(costs: Costs, part: Symbol, law: Law, kinks: list[Expr]) -> dict[Costs, list[Spread]]:
    """Return the costs without cases, each with the parts of the law for which they are so."""
    given, found = law.given(), dict[Costs, list[Spread]]()
    places = [node.subs(part, x) for node in kinks]
    for spread in law.spreads if kinks else ():
        inner = dict.fromkeys(root for place in places for root in turns_inside(place, spread, given))
        for low, high in cells([spread.low, *inner, spread.high], given, PLACE):
            cell = replace(spread, low=low, high=high)
            values = [without_cases(place, cell.interval, given, PLACE).subs(x, part) for place in places]
            settled = dict(zip(kinks, values, strict=True))
            found.setdefault((costs[0].xreplace(settled), costs[1].xreplace(settled)), []).append(cell)
    return found


def _has_all(costs: Costs, laws: Laws) -> bool:
    """Has each cost a part, and do both together have all of them?"""
    inside = [cost.free_symbols & laws.keys() for cost in costs]
    return all(inside) and inside[0] | inside[1] == laws.keys()


def _given_side(costs: Costs, part: Symbol, law: Law, cut: list[Spread], laws: Laws) -> Side:
    share = Add(*[_mass(cell, law.given()) for cell in cut])
    own = Law(tuple(replace(cell, density=cell.density / share) for cell in cut)).knowing(law.assumed)
    others = {other: known for other, known in laws.items() if other != part}
    return Side(share, costs, {**others, part: own})


def _mass(cell: Spread, given: Given) -> Expr:
    return integral(cell.density, (cell.low, cell.high), cell.interval, given, PLACE)
