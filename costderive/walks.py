"""The walk from a cost context to a proved scoring rule."""

from __future__ import annotations

from collections.abc import Iterator

from costderive.contexts import Context
from costderive.decide.order import Undecided
from costderive.derivation import Derivation
from costderive.errors import SpecError
from costderive.moves import (
    ChangeOfVariables,
    IntegrateByParts,
    IntegrateMagnitude,
    SignOfWeight,
    SliceRegion,
    SlopeOfRisk,
    TakeExpectation,
)
from costderive.pieces import Given
from costderive.proof import Case, Move, Step

MAX_CASES = 32


def derive(context: Context, *, time_limit: float = 60.0) -> Derivation:
    """Derive the scoring rule of a cost context, with the steps of its proof.

    If the order of the breakpoints depends on the parameters, there is one case for each order, under its
    condition. A loss for which no closed form is found within ``time_limit`` seconds stays an integral.

    Raises:
        SpecError: if the context is not meaningful; ``DivergentCostError`` if it has no scoring rule.
    """
    if not isinstance(context, Context):
        raise SpecError(f"{context!r} is not a cost context", "Build one, e.g. costderive.Additive().")
    walk = (
        TakeExpectation(),
        ChangeOfVariables(),
        SliceRegion(),
        IntegrateMagnitude(),
        IntegrateByParts(time_limit),
        SlopeOfRisk(),
        SignOfWeight(),
    )
    return Derivation(context, tuple(_cases(context, walk, context.given())))


def _cases(context: Context, walk: tuple[Move, ...], given: Given) -> Iterator[Case]:
    """Walk; where the order of two breakpoints is open, walk once under each of its two answers."""
    if len(given.nonnegative) >= MAX_CASES.bit_length():
        raise SpecError(
            "the breakpoints have too many possible orders", "Give some of the parameters numbers."
        )
    try:
        yield Case(given, _walked(context, walk, given))
    except Undecided as open_order:
        yield from _cases(context, walk, given.also(nonnegative=(-open_order.fact,)))
        yield from _cases(context, walk, given.also(nonnegative=(open_order.fact,)))


def _walked(context: Context, walk: tuple[Move, ...], given: Given) -> tuple[Step, ...]:
    steps: list[Step] = []
    for move in walk:
        steps.append(Step.make(move, steps[-1].after if steps else context, given))
    return tuple(steps)
