"""The claims of the moves on rules of a batch refuse falsified results, rules and derivations of one instance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from sympy import Rational

import costderive as cd
from costderive.batch import (
    BatchDerivation,
    additive,
    auc_alone,
    auc_among,
    from_entropy,
    homogeneous,
    lowest,
    rank_based,
)
from costderive.batch.auc import AucScore
from costderive.batch.auc_labels import AucAmong
from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness
from costderive.batch.batch_moves import AddInstances, BendOfEntropy, BendOfNorm, TouchFromAbove
from costderive.batch.linear_rules import RankRule
from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Given
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Step, Verdict
from tests.mutants import Mutant, generic

DERIVATIONS: dict[str, Callable[[], BatchDerivation]] = {
    "sum": lambda: additive("q*(1 - q)", ("a", 2)),
    "costs": lambda: additive(cd.derive(cd.Additive())),
    "atom": lambda: additive(cd.derive(cd.FixedCosts(1, 3)), (1, 2)),
    "norm": homogeneous,
    "given norm": lambda: homogeneous("5/2", 3),
    "ranks": rank_based,
    "three ranks": lambda: rank_based(3),
    "decisions": lambda: lowest([["2*w0", "2 - 2*w0"], ["w0 + w1", "1/2"]], 2),
    "entropy": lambda: from_entropy("-w0^2 - w1^2 - w0*w1", 2),
    "flat entropy": lambda: from_entropy("-(w0 - w1)^2", 2),
    "no entropy": lambda: from_entropy("w0*w1", 2),
    "area": auc_alone,
    "area, independent": lambda: auc_among("independent"),
    "area, counted": lambda: auc_among("counted"),
}
EQUIVALENT = {  # patterns of names, and why what they name is as right as the original
    (BendOfEntropy, r"after: \.strict reversed"): "says less than it could, and that is true",
    (BendOfEntropy, r"rule: \.entropy_function plus (1|10\^-30)"): "a constant changes no slope",
    (BendOfNorm, r"after: \.flat with .* exchanged"): "the same two forecasts",
    (TouchFromAbove, r"rule: \.terms.*"): "another rule, and all rules of this kind are proper",
    (AddInstances, r"rule: \.weights.*"): "another rule, which is proper too if its weights are positive",
    (AddInstances, r"move: .*\.steps without \[3\]"): "what comes after the proof that it is proper",
}


class Falsified(NamedTuple):
    """A step with something wrong in what it gives, in the rule that it starts from, or in its move."""

    name: str
    step: Step


@cache
def derivation(name: str) -> BatchDerivation:
    return DERIVATIONS[name]()


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    return decide(claim, given).verdict


def mutants(step: Step) -> Iterator[Falsified]:
    """Change what a step gives; or the rule wherever it stands; or the derivation that its move has."""
    yield from (of_result(step, mutant) for mutant in generic(step.after))
    for mutant in generic(step.before):
        yield Falsified(f"rule: {mutant.name}", _of_rule(step, mutant))
    for mutant in generic(step.move) if isinstance(step.move, AddInstances) else ():
        yield Falsified(f"move: {mutant.name}", replace(step, move=mutant.after))


def of_result(step: Step, mutant: Mutant) -> Falsified:
    """Return a step that gives something else."""
    return Falsified(f"after: {mutant.name}", replace(step, after=mutant.after))


def _of_rule(step: Step, mutant: Mutant) -> Step:
    return replace(step, before=mutant.after, after=replace(step.after, losses=mutant.after))


def survives(step: Step, given: Given) -> bool:
    """Return whether every claim of a falsified step is proved; a step that fails to say its claims does not."""
    try:
        return all(verdict(claim, given) is Verdict.PROVED for claim in step.claims(given))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, CostDeriveError):
        return False


def equivalent(original: Step, mutant: Falsified) -> bool:
    """Return whether a mutant is as right as the original: by the table, or as another witness by definition."""
    known = [name for move, name in EQUIVALENT if isinstance(original.move, move)]
    return any(re.fullmatch(name, mutant.name) for name in known) or is_right(mutant.step)


def is_right(step: Step) -> bool:
    """Return whether other forecasts show the same, by the definition of ranks and of the area under the curve."""
    after, rule = step.after, step.before
    if isinstance(after, BatchImproperness) and isinstance(rule, AucScore) and after.losses == rule:
        found, law = after.witness, after.law
        marginal = tuple(sum(chance for y, chance in law if y[n]) for n in range(rule.instances))
        risks = [sum(c * -area(y, w) for y, c in law) for w in (found.belief, found.report)]
        shown = found.truthful == risks[0] > risks[1] == found.better
        lawful = sum(c for _, c in law) == 1 and all(c > 0 for _, c in law)
        return bool(shown and lawful and found.belief == marginal and in_cube(found.report, rule.instances))
    if isinstance(after, BatchProperness) and isinstance(rule, RankRule | AucAmong) and after.losses == rule:
        one, other = after.flat
        cubes = in_cube(one, rule.instances) and in_cube(other, rule.instances)
        return cubes and not after.strict and one != other and signs(one) == signs(other)
    return False


def in_cube(forecast: tuple[Any, ...], instances: int | None) -> bool:
    return instances in (None, len(forecast)) and all(0 <= w <= 1 for w in forecast)


def signs(forecast: tuple[Any, ...]) -> list[list[int]]:
    return [[bool(a > b) - bool(a < b) for b in forecast] for a in forecast]


def area(labels: tuple[int, ...], forecast: tuple[Any, ...]) -> Rational:
    """Count the pairs in the right order, a tie as one half."""
    ones, zeros = ([w for y, w in zip(labels, forecast, strict=True) if y == k] for k in (1, 0))
    return sum(Rational(1 + bool(a > b) - bool(a < b), 2) for a in ones for b in zeros) / (
        len(ones) * len(zeros)
    )


@pytest.mark.parametrize("name", DERIVATIONS)
def test_a_step_is_proved_and_none_of_its_mutants(name: str) -> None:
    (case,) = derivation(name).cases
    (step,) = case.steps
    assert survives(step, case.given)
    tried = [mutant for mutant in mutants(step) if mutant.step != step]
    assert len(tried) >= 5
    passed = [mutant for mutant in tried if survives(mutant.step, case.given)]
    assert [mutant.name for mutant in passed if not equivalent(step, mutant)] == []
