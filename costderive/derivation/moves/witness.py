"""Against properness: a belief and a report that is better than the truth; and which other values make it proper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.derivation.moves.any_losses import FindWeight, JudgeProperness, well_formed
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Open, Positive, Same
from costderive.rules.conclusions import Improper, Improperness, RepairedProperness, Undecided, Witness
from costderive.rules.loss_pair import LossPair, Value, inside

QUESTION = "whether the rule is proper"


@dataclass(frozen=True, slots=True)
class FindWitness(Move):
    """Find a belief q and a report p with ``R(p|q) < R(q|q)``, as simple as can be found."""

    searched_by = "costderive.derivation.search.witness:find_witness"

    def claims(self, before: LossPair, after: Improperness, given: Given) -> Iterator[Claim]:
        yield Same("the pair is the one before", before, after.losses)
        yield from well_formed(before)
        witness = after.witness
        for name, point in (("belief", witness.belief), ("report", witness.report)):
            yield NonNegative(f"the {name} is a probability", point)
            yield NonNegative(f"the {name} is a probability", 1 - point)
            yield from _place_claims(name, before, point, given)
        truth, other = before.at(witness.belief, given), before.at(witness.report, given)
        yield from compared(witness, _risk(truth, witness.belief), _risk(other, witness.belief))


def _place_claims(name: str, pair: LossPair, point: Expr, given: Given) -> Iterator[Claim]:
    """The losses of a report are those at the breakpoint, or in the piece, where it lies."""
    for value in pair.values:
        if value is pair.at(point, given):
            yield Equal(f"the {name} is a breakpoint", point, value.at)
            return
    piece = next((piece for piece in pair.loss0 if inside(point, piece, given)), None)
    yield Same(f"the {name} lies in a piece", piece is not None, True)
    if piece is not None:
        yield Positive(f"the {name} lies in its piece", point - piece.low)
        yield Positive(f"the {name} lies in its piece", piece.high - point)


def _risk(value: Value | None, belief: Expr) -> Expr:
    return sympy.nan if value is None else value.risk(belief)


def compared(found: Witness, truthful: Expr, better: Expr) -> Iterator[Claim]:
    """The two risks of a witness are those of the rule, and that of the report is the smaller one."""
    yield Equal("risk of the truth", truthful, found.truthful)
    yield Equal("risk of the other report", better, found.better)
    yield Positive("the truth loses more than the other report", found.truthful - found.better)


def judged_inside(
    rule: Any,
    after: Improper | Undecided,
    inside: Callable[[Any], bool],
    risk: Callable[[Any, Any], Expr],
) -> Iterator[Claim]:
    """A rule has the risks of a witness whose belief and report are both inside, or the question is open."""
    yield Same("the losses are the ones before", rule, after.losses)
    if isinstance(after, Undecided):
        yield Open(QUESTION)
        return
    found = after.witness
    are_inside = inside(found.belief), inside(found.report)
    yield Same("belief and report are inside", are_inside, (True, True))
    if all(are_inside):
        yield from compared(found, risk(found.belief, found.belief), risk(found.report, found.belief))


# ---- values that would make the rule proper


@dataclass(frozen=True, slots=True)
class ChangeValues(Move):
    """Put the limits in place of the values at ties (those from the left) and at 0 and 1: then the pair is proper."""

    searched_by = "costderive.derivation.search.witness:change_values"

    def claims(self, before: Improperness, after: RepairedProperness, given: Given) -> Iterator[Claim]:
        pair = after.weighed.pair
        yield Same("the witness is the one before", before, after.improper)
        bare = (replace(one, values=()) for one in (pair, before.losses))
        yield Same("the pieces stay, and values alone change", *bare)
        yield from FindWeight().claims(pair, after.weighed, given)
        yield from JudgeProperness().claims(after.weighed, after.proper, given)


@dataclass(frozen=True, slots=True)
class LeaveOpen(Move):
    """Say that neither a proof of properness nor a witness against it was found."""

    def apply(self, before: LossPair, given: Given) -> Undecided:
        return Undecided(before)

    def claims(self, before: LossPair, after: Undecided, given: Given) -> Iterator[Claim]:
        yield Same("the pair is the one before", before, after.losses)
        yield from well_formed(before)
        yield Open(QUESTION)
