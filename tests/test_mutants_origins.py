"""The claims of the moves from a weight, an entropy or a link, and of the representation, refuse falsified results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import costderive as cd
from costderive.core.piecewise import Given
from costderive.derivation.moves import DifferentiateLink, Represent, TakeTangents, TakeWeight
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Step, Verdict
from costderive.rules import ScoringRule
from costderive.rules.loss_pair import LossPair
from tests.mutants import Mutant, generic

RULES: dict[str, Callable[[], ScoringRule]] = {
    "weight with an atom": lambda: cd.rule_from_weight("0 if s <= 1/4; 2", {"1/2": "m"}),
    "weight at a letter": lambda: cd.rule_from_weight("a*s"),
    "smooth link": lambda: cd.rule_from_link("log(p/(1-p))"),
    "link that jumps": lambda: cd.rule_from_link("p if p <= 1/4; p + 1"),
    "log entropy": lambda: cd.rule_from_entropy("-q*log(q) - (1-q)*log(1-q)"),
    "entropy with a kink": lambda: cd.rule_from_entropy("q*(1-q) + min(q, 1-q)"),
    "losses": lambda: cd.rule_from_losses("p^2", "(1-p)^2"),
}
MOVES = (TakeWeight, DifferentiateLink, TakeTangents, Represent)


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    return decide(claim, given).verdict


def steps() -> Iterator[Any]:
    for name, build in RULES.items():
        for case in build().derivation.cases:
            for step in case.steps:
                if isinstance(step.move, MOVES):
                    yield pytest.param(step, case.given, id=f"{name} {type(step.move).__name__}")


def survives(step: Step, given: Given) -> bool:
    """Return whether every claim of a falsified step is proved; a step that fails to say its claims does not."""
    try:
        return all(verdict(claim, given) is Verdict.PROVED for claim in step.claims(given))
    except (AttributeError, TypeError, ValueError):  # not even the right kind of object
        return False


def equivalent(step: Step, mutant: Mutant) -> bool:
    """A weaker sign is as true; the values of tangents at breakpoints and ends are judged by the moves after."""
    if "called NONNEGATIVE" in mutant.name or "not negative" in mutant.name:
        return True
    return isinstance(step.after, LossPair) and mutant.name.startswith(".values")


@pytest.mark.parametrize(("step", "given"), list(steps()))
def test_claims_refuse_every_mutant(step: Step, given: Given) -> None:
    assert survives(step, given)
    found = list(generic(step.after))
    assert len(found) >= 10
    survivors = [mutant for mutant in found if survives(replace(step, after=mutant.after), given)]
    assert [mutant.name for mutant in survivors if not equivalent(step, mutant)] == []


@pytest.mark.parametrize("name", ["log entropy", "entropy with a kink"])
def test_values_of_tangents_are_judged_by_the_moves_after(name: str) -> None:
    case = RULES[name]().derivation.cases[0]
    tangents, weigh, judge, *_ = case.steps
    for mutant in generic(
        tangents.after
    ):  # at 0 and 1, the loss of the class that is impossible may be larger
        if mutant.name.startswith((".values[1]", ".values[0].loss0")) and isinstance(mutant.after, LossPair):
            weighed = replace(weigh.after, pair=mutant.after)
            followed = [
                replace(weigh, before=mutant.after, after=weighed),
                replace(judge, before=weighed, after=replace(judge.after, losses=mutant.after)),
            ]
            assert not all(survives(step, case.given) for step in followed), mutant.name
