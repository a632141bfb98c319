"""A cost matrix with several independent uncertain letters: mean costs of the act that costs least at their values.

Each cost is linear in each letter. So its mean is finite if those of the letters are, and with all letters but one
held, acts cost lines in that one, of which `mixed_acts` has the mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import sympy
from sympy import Derivative, Expr, S, Symbol

from costderive.core.errors import SpecError, require_values
from costderive.core.piecewise import Given, Interval
from costderive.core.short_repr import short_repr
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.law_claims import distribution_claims
from costderive.multiclass.mixed_acts import MixedLosses, limited_claims
from costderive.multiclass.simplex_rule import ClassRule, numbers
from costderive.multiclass.stages import Distribution
from costderive.proof.claims import Claim, Equal, Move, Same

MOST_VALUES = 10_000  # that letters with finitely many values have together


@dataclass(frozen=True, slots=True)
class ExpectedLosses(ClassRule):
    """The mean losses over the laws of several uncertain letters, and of a factor.

    ``parts`` has the distribution of each letter, and ``limited`` its ``E[min(x, z)]``, as in `MixedLosses`.
    """

    matrix: CostMatrix
    factor: Distribution | None
    parts: tuple[Distribution, ...]
    limited: tuple[tuple[Expr, ...], ...]

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return self.matrix.classes

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return self.matrix.parameters

    @property
    def scale(self) -> Expr:
        """The mean of the factor, or 1."""
        return S.One if self.factor is None else self.factor.mean

    @property
    def integrated(self) -> int:
        """The place of the letter over which the mean is taken for values of the others: the first with a density."""
        return next((place for place, one in enumerate(self.parts) if one.carried), 0)

    @property
    def held(self) -> tuple[int, ...]:
        """The places of the other letters."""
        return tuple(place for place in range(len(self.parts)) if place != self.integrated)

    def mixed(self, values: tuple[Expr, ...]) -> MixedLosses:
        """Return the mean losses over the letter that is not held, for values of those that are."""
        letters, kept = [letter for letter, _ in self.matrix.parts], self.integrated
        known = {letters[place]: value for place, value in zip(self.held, values, strict=True)}
        costs = tuple(tuple(cost.subs(known) for cost in row) for row in self.matrix.costs)
        left = frozenset().union(*[cost.free_symbols for row in costs for cost in row])
        parts = self.matrix.parts[kept : kept + 1] if letters[kept] in left else ()
        matrix = replace(self.matrix, costs=costs, parts=parts)
        return MixedLosses(matrix, self.factor, self.parts[kept], self.limited[kept])

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly, if at most one of the letters has a density.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one; or if several letters have
                densities, or too many values.
            ParametersLeftError: if a cost has letters beside the uncertain ones.

        >>> from costderive.multiclass import CostMatrix, derive
        >>> derive(CostMatrix([[0, {1: "1/2", 3: "1/2"}], ["uniform(0, 4)", 0]])).rule.at(("1/2", "1/2"))
        (3/4, 5/8)
        """
        values = numbers(forecast, self.classes)
        require_values(self.parameters, "matrix")
        losses = [
            [chance * loss for loss in self.mixed(held).at(values)] for held, chance in self._held_values()
        ]
        return tuple(sympy.Add(*of_class) for of_class in zip(*losses, strict=True))

    def _held_values(self) -> list[tuple[tuple[Expr, ...], Expr]]:
        """Return the values that all letters but one have together, with their probabilities.

        Raises:
            SpecError: if one of them has a density, or they have too many values.
        """
        laws = [self.parts[place] for place in self.held]
        count = sympy.prod([len(one.masses) for one in laws])
        if any(one.carried for one in laws) or count > MOST_VALUES:
            raise SpecError(
                "the mean over several uncertain costs with densities has no closed form here",
                "costderive.multiclass.compile computes it.",
            )
        pairs = [[(m, j) for m, j in zip(one.marks, one.jumps, strict=True) if j != 0] for one in laws]
        return [(tuple(m for m, _ in one), sympy.prod([j for _, j in one])) for one in product(*pairs)]


@dataclass(frozen=True, slots=True)
class ExpectCheapest(Move):
    """Take the mean over the uncertain letters and the factor: at their values the act that costs least is taken."""

    searched_by = "costderive.multiclass.search.averaged_costs:expect_cheapest"

    def claims(self, before: CostMatrix, after: ExpectedLosses, given: Given) -> Iterator[Claim]:
        yield Same("the matrix is the one before", before, after.matrix)
        counts = len(after.parts), len(after.limited), before.factor is None
        yield Same(
            "every letter has a distribution", counts, (len(before.parts),) * 2 + (after.factor is None,)
        )
        yield Same("nothing else is uncertain, but for a factor", before.is_uncertain, False)
        for (letter, law), found, limited in zip(before.parts, after.parts, after.limited, strict=False):
            for cost in {cost for row in before.costs for cost in row}:
                bend, on = Derivative(cost, letter, letter), Interval(letter, S.Zero, S.Infinity)
                yield Equal("a cost is linear in the letter", bend, S.Zero, on)
            yield from distribution_claims(law, found, given)
            yield from limited_claims(found, limited, given)
        if before.factor is not None and after.factor is not None:
            yield from distribution_claims(before.factor, after.factor, given)
