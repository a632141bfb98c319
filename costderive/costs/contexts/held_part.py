"""Costs made of parts, one of which is held: at each of its values the costs have a context of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sympy import Expr, S, Symbol

from costderive.core.errors import ImproperLawError, SpecError
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.costs.contexts.context import Context, Costs
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane
from costderive.costs.laws import Expectation, Law, Spread, x
from costderive.costs.laws.quadrature import compiled
from costderive.deciders.signs import positive


@dataclass(frozen=True, slots=True)
class HeldPart(Context):
    """Costs written in independent parts: ``held`` is one of them, and the ``context`` has the costs at its values.

    In that context the part is a letter. The losses are the means, over the law of the part, of those at its values. So
    costs such as the sum of a log-normal and an exponential part, whose law has no closed form, have losses that are
    single integrals.

    Raises:
        SpecError: if the part may have values below 0, or some that have a probability, parts depend on each other,
            the costs at a value are not costs with a probability, or they ask of the part what its law does not grant.
    """

    costs: tuple[Expr, Expr]
    parts: tuple[tuple[Symbol, Law], ...]
    held: Symbol
    context: Context

    __repr__ = short_repr

    def __post_init__(self) -> None:
        letters, law = {letter for letter, _ in self.parts}, dict(self.parts).get(self.held)
        spreads = law.spreads if law is not None and not law.masses else ()
        ascend = all((after.low - before.high).is_nonnegative for before, after in pairwise(spreads))
        if not spreads or not spreads[0].low.is_nonnegative or not ascend:
            raise SpecError(
                f"the part {self.held} has no law with densities, in their order, of values that are at least 0",
                "Hold another part.",
            )
        if x in letters or any(law.parameters & letters for _, law in self.parts):
            raise SpecError("parts depend on each other, or one is called x", "Parts are independent.")
        require_whole(self.context, "context.context")
        if self.context.improper_law is not None:
            raise ImproperLawError(
                "context.context has an improper law", "Parts of costs have a probability."
            )

        if any(self.context.expected_loss().one_sided):
            raise SpecError("context.context has a cost that is 0 with a probability", "Hold another part.")
        self._require_granted()

    def _require_granted(self) -> None:
        """Refuse a part of which the costs at a value ask what its law does not grant."""
        for fact in self.context.given().positive:
            at_x = fact.xreplace({self.held: x})
            if fact.has(self.held) and not all(positive(at_x, spread.interval) for spread in self.spreads):
                raise SpecError(
                    f"context.context asks that {fact} is positive, which is not seen at each value of {self.held}",
                    "Hold another part.",
                )

    @property
    def law(self) -> Law:
        """The law of the part that is held."""
        found: Law = dict(self.parts)[self.held]
        return found

    @property
    def spreads(self) -> tuple[Spread, ...]:
        """The densities of the part that is held, each on an interval of its own, in their order."""
        return self.law.spreads

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name: no part is one."""
        letters = {letter for letter, _ in self.parts}
        return tuple(letter for letter in super(HeldPart, self).parameters if letter not in letters)

    def given(self) -> Given:
        gaps = (self.held - self.spreads[0].low, self.spreads[-1].high - self.held)
        costs = [cost.xreplace({self.held: x}) for cost in self.costs]
        facts = self.context.given().also(positive=self.law.with_mean(*costs).positive)
        return facts.also(positive=tuple(gap for gap in gaps if gap != self.held and gap is not S.Infinity))

    def expected_loss(self) -> ExpectedLoss:
        """Return the expected loss at a value of the part."""
        return self.context.expected_loss()

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        return (*self.context.expectations(), Expectation(self.law))

    def conditionals(self) -> Mapping[Area, tuple[Expr, Expr]]:
        return self.context.conditionals()

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        letters = [letter for letter, _ in self.parts]
        values = [law.sample(generator, draws) for _, law in self.parts]
        first, second = (np.broadcast_to(compiled(cost, *letters)(*values), (draws,)) for cost in self.costs)
        return np.array(first), np.array(second)


def require_whole(context: Context, place: str) -> None:
    """Refuse costs at each value of a part where others are made of them: those would have no law.

    Raises:
        SpecError: if it has such.
    """
    if isinstance(context, HeldPart):
        raise SpecError(
            f"{place} has losses that are means over its part {context.held}, of which no other context is made",
            "Add the rules instead: derive(first).rule + derive(second).rule.",
        )
