"""For which value of a parameter a pair of losses is proper, with a witness against it on either side of that value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given
from costderive.derivation.moves.any_losses import FindWeight, JudgeProperness
from costderive.derivation.moves.witness import FindWitness
from costderive.proof.claims import Claim, Consistent, Equal, Move, NonNegative, Positive, Regular, Same
from costderive.rules.conclusions import Condition, ConditionalProperness, Improperness
from costderive.rules.loss_pair import LossPair


@dataclass(frozen=True, slots=True)
class FindCondition(Move):
    """Find the one value of a parameter for which a pair is proper: a smaller or a larger one has a witness.

    A real number is below, at or above the value, so that the three parts say for which parameters the pair is proper.
    """

    searched_by = "costderive.derivation.search.conditions:find_condition"

    def claims(self, before: LossPair, after: ConditionalProperness, given: Given) -> Iterator[Claim]:
        letter, value = after.letter, after.value
        yield Same("the pair is the one before", before, after.losses)
        yield Same("the condition is on a parameter", letter in before.parameters, True)
        yield Same("no letter is bound in the losses", binds_letters(before), False)
        yield from value_claims(after, given)
        yield Same("the pair is taken at the value", before.subs({letter: value}), after.weighed.pair)
        yield from FindWeight().claims(after.weighed.pair, after.weighed, given)
        yield from JudgeProperness().claims(after.weighed, after.proper, given)
        for side, witness in zip(sides(after), (after.below, after.above), strict=True):
            known = given.also(positive=(side,))
            found = Improperness(before, witness)
            yield from where(side, FindWitness().claims(before, found, known))


def value_claims(found: ConditionalProperness | Condition, given: Given) -> Iterator[Claim]:
    """The value of a letter is positive, a fraction, one of the other letters, and some parameters have it."""
    yield Same("the value is one of the others", found.letter in found.value.free_symbols, False)
    yield Positive("parameters are positive, and so is the value", found.value)
    yield Consistent("the condition holds for some parameters", given_at(found, given))
    yield Positive("the value is a fraction", sympy.denom(found.value))


def binds_letters(pair: LossPair) -> bool:
    """Return whether there are integrals or the like in a pair: a value that is put in could meet their variables."""
    exprs = [piece.value for loss in (pair.loss0, pair.loss1) for piece in loss]
    exprs += [expr for value in pair.values for expr in (value.at, value.loss0, value.loss1)]
    return not all(_is_free(node) for expr in exprs for node in sympy.preorder_traversal(expr))


def _is_free(node: Expr) -> bool:
    if not node.args:
        return isinstance(node, Symbol) or node.is_number
    return bool(node.free_symbols == set().union(*[arg.free_symbols for arg in node.args]))


def given_at(found: ConditionalProperness | Condition, given: Given) -> Given:
    """Return what is known of the other parameters if the condition holds; letters are positive."""
    strict, weak = (
        tuple(fact.subs(found.letter, found.value) for fact in facts)
        for facts in (given.positive, given.nonnegative)
    )
    return Given((found.value, *strict), weak)


def sides(found: ConditionalProperness | Condition) -> tuple[Expr, Expr]:
    """Return what is positive below the value, and what is so above it, both without a denominator."""
    top, bottom = sympy.fraction(found.value)
    return top - found.letter * bottom, found.letter * bottom - top


def where(fact: Expr, claims: Iterable[Claim]) -> Iterator[Claim]:
    """Make claims where a fact (> 0) holds; on the parameters alone none of them is a limit."""
    for claim in claims:
        if isinstance(claim, Equal | NonNegative | Positive | Regular):
            yield replace(claim, facts=(*claim.facts, fact))
        else:
            yield claim
