"""Costs over an area in Coq whose density is a sum of multiples of products of one density in each cost.

What is paid is the sum of what is paid by each product, so that the expected costs exist if they do for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Area
from costderive.publish.coq.facts import sure
from costderive.publish.coq.separate_costs import SeparateCosts, separate_costs
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

MOST = 12  # products of which a density is the sum
SHARES = tuple(map(sympy.Rational, ("1", "1/2", "1/4")))


def costs_of_areas(areas: tuple[Area, ...], given: Given) -> SeparateCosts | SumOfProducts | None:
    """Return the densities of two costs, if they are independent or a sum of a few such products; else ``None``."""
    found = separate_costs(areas, given)
    return found if found is not None or len(areas) != 1 else _sum_of_products(areas[0], given)


def _sum_of_products(area: Area, given: Given) -> SumOfProducts | None:
    top, bottom = sympy.fraction(area.density)
    terms = [part / bottom for part in sympy.Add.make_args(sympy.expand(top))]
    parts = list[tuple[Expr, Expr, SeparateCosts]]()
    for number, product in enumerate(terms if 1 < len(terms) <= MOST else (), start=1):
        count, density = product.as_independent(c0, c1, as_Add=False)
        costs = separate_costs((Area(density, area.constraints),), given, part=number)
        if costs is None:
            return None
        parts.append((count, density, costs))
    return SumOfProducts(area, tuple(parts), given) if parts else None


@dataclass(frozen=True, slots=True)
class SumOfProducts:
    """The density over an area with the products that it is the sum of: how often each counts, and its costs."""

    area: Area
    parts: tuple[tuple[Expr, Expr, SeparateCosts], ...]
    given: Given

    def lemmas(self) -> Iterator[str]:
        """Yield the definitions of all products, that each is one, and that the density is their sum."""
        for number, (_, density, costs) in enumerate(self.parts, start=1):
            function = f"(fun c0 c1 => {term(density)})"
            yield f"Definition part{number} : area := Area {function} (region area1)."
            yield from costs.lemmas()
        names = [f"part{number}" for number, _ in enumerate(self.parts, start=1)]
        listed = [f"({term(x[0])}, density {name})" for x, name in zip(self.parts, names, strict=True)]
        yield f"Definition parts : list (R * (R -> R -> R)) := [{'; '.join(listed)}]."
        yield lemma(
            "sum_of_parts c0 c1",
            "0 < c0 -> 0 < c1 -> density area1 c0 c1 = sum_of parts c0 c1",
            f"intros Positive0 Positive1. unfold parts; cbn [sum_of density area1 {' '.join(names)}].",
            "equal_exponentials.",
        )

    def existence(self, shown: tuple[str, ...]) -> Iterator[str]:
        """Yield the lemmas that the expected costs exist, by those of each product, beside names that are ``shown``.

        Raises:
            ExportError: if a total, or both means, of one of them have no closed form that Coq sees.
        """
        for *_, costs in self.parts:
            yield from costs.existence(shown)
        each = [
            f"apply List.Forall_cons; [exact exist_over_areas_{k} |]; "
            for k, _ in enumerate(self.parts, start=1)
        ]
        yield lemma(
            "exist_over_areas",
            "costs_exist_over (over_areas areas)",
            f"apply (costs_of_sum_exist area1 parts sum_of_parts). {''.join(each)}apply List.Forall_nil.",
        )

    def spread(self, low: Expr, high: Expr) -> Iterator[str]:
        """Yield the lemmas that thresholds between two ones are those of costs around which the density is positive.

        Raises:
            ExportError: if the density is not seen to be above a multiple of one of the products.
        """
        number, share, seen = self._below()
        yield from self.parts[number - 1][2].spread(low, high)
        yield lemma(
            "spread_thresholds",
            f"spread_between {atomic(low)} {atomic(high)} areas",
            f"apply (spread_if_above area1 (density part{number}) {atomic(share)});",
            f"  [see | | exact spread_thresholds_{number}].",
            f"lawful_inside area1. unfold part{number}; cbn [density].",
            f"apply (below_by ({seen})); [equal_exponentials | see].",
        )

    def _below(self) -> tuple[int, Expr, str]:
        """Return a product, by its number, a multiple of it that is below the density, and their difference."""
        within = self.given.also(nonnegative=self.area.constraints)
        for number, (count, density, _) in enumerate(self.parts, start=1):
            for share in SHARES if count.is_positive else ():
                with suppress(ExportError):
                    gap = self.area.density - share * count * density
                    return number, share * count, sure(gap, None, within, strict=False).text
        raise ExportError("a density is not seen to be above one that is positive", "Coq needs one.")
