"""The claims of the moves of K classes refuse falsified results."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
import sympy
from sympy import Expr

from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Given
from costderive.multiclass import (
    CostMatrix,
    DirichletCosts,
    IndependentCosts,
    MulticlassDerivation,
    NotAffine,
    brier,
    derive,
    from_entropy,
    log_score,
    not_affine,
    penalised,
    power,
    pseudospherical,
    superior,
)
from costderive.multiclass.act_regions import ActLosses, ActRegion, IdleAct
from costderive.multiclass.averaged_costs import AverageCosts, TakeCheapestAct
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.cost_moves import ChooseByCost, FindDistributions, IntegrateCosts
from costderive.multiclass.letters import predicted
from costderive.multiclass.mixed_acts import MixActs
from costderive.multiclass.penalised import ReportTie
from costderive.multiclass.search.cost_moves import CLOSED
from costderive.multiclass.several_uncertain import ExpectCheapest
from costderive.multiclass.simplex_moves import ConcaveAlongSimplex, ConcaveSummands, NegativeNorm
from costderive.multiclass.stages import ClassLosses, SplitLoss, SplitLosses, TermIntegral
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Step, Verdict
from costderive.rules import Improperness
from tests.mutants import Mutant, generic
from tests.mutants.generic import places

DERIVATIONS: dict[str, Callable[[], MulticlassDerivation]] = {
    "shares": lambda: derive(DirichletCosts((1, 2), budget="B")),
    "uniform": lambda: derive(IndependentCosts(("uniform(0, 1)", "uniform(1, 2)"))),
    "squares": lambda: derive(IndependentCosts(("uniform(0, b)",) * 3)),
    "masses": lambda: derive(IndependentCosts(({1: "1/3", 4: "2/3"}, "exponential(m)"))),
    "integrals": lambda: derive(IndependentCosts(("rayleigh(m)", "arcsine()", {1: "1/3", 4: "2/3"}))),
    "not affine": lambda: not_affine(derive(DirichletCosts((1, 1, 1))), brier()),
    "matrix": lambda: derive(CostMatrix([[0, 1, 2, 2], [1, 0, 1, 1], [2, 1, 0, 2]], reject="2/3")),
    "uncertain reject": lambda: derive(
        CostMatrix([[0, 1], [2, 0]], reject="uniform(0, 2/3)", factor="exponential(m)")
    ),
    "part": lambda: derive(
        CostMatrix([[0, 1], ["2*m", 0]], parts={"m": {"1/4": "1/3", "1/3": "2/3"}}, factor="uniform(1, 2)")
    ),
    "several uncertain": lambda: derive(
        CostMatrix([[0, {1: "1/2", 3: "1/2"}], ["rayleigh(1)", 0]], factor="uniform(1, 2)")
    ),
    "gap": lambda: derive(CostMatrix([[0, 1], [1, 0]], reject={"1/4": "1/3", "1/3": "2/3"})),
    "log": log_score,
    "power": power,
    "norm": pseudospherical,
    "entropy": lambda: from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3),
    "flat entropy": lambda: from_entropy("p0*p1 + p0*p2", classes=3),
    "no entropy": lambda: from_entropy("p0^2 + p1^2", classes=2),
    "penalised": lambda: penalised(brier(), 3),
    "ties to no class": lambda: penalised(brier(), 3, ties="all"),
    "not superior": lambda: superior(log_score()),
    "superior": lambda: superior(penalised(brier(), 3)),
}
LAST = {  # of derivations that go on from another one, how many steps are their own
    "not affine": 1,
    "penalised": 1,
    "ties to no class": 2,
    "not superior": 2,
    "superior": 2,
}
EQUIVALENT = {  # patterns of names, and why what they name is as right as the original
    (MixActs, r".*\.moments\[\d\] plus (1|10\^-30)"): "a constant cancels in the mean",
    (ExpectCheapest, r".*\.moments\[\d\] plus (1|10\^-30)"): "a constant cancels in the mean",
    (AverageCosts, r".*\.moments\[\d\] plus (1|10\^-30)"): "a constant cancels in the mean",
    (TakeCheapestAct, r"\.same\.forecasts with \[0\] and the next exchanged"): "the same two forecasts",
    (
        TakeCheapestAct,
        r"\.stake\.values\[1\] (doubled|with its parameter doubled)",
    ): "another way from 0 to infinity",
    (FindDistributions, r".*\.moments\[\d\] plus (1|10\^-30)"): "a constant cancels in the mean",
    (
        ChooseByCost,
        r"\.cells with \[\d\] (twice|and the next exchanged)",
    ): "the same cells, listed in another order",
    (
        IntegrateCosts,
        r".*\.integrals\[\d\]\[\d\] with .* exchanged",
    ): "the same terms, added in another order",
    (ConcaveSummands, r"\.strict reversed"): "says less than it could, and that is true",
    (NegativeNorm, r"\.strict reversed"): "says less than it could, and that is true",
    (ConcaveAlongSimplex, r"\.strict reversed"): "says less than it could, and that is true",
    (
        ReportTie,
        r"\.witness\.belief with \[0\] and the next exchanged",
    ): "the rule is the same for all classes, and all are tied",
}


@cache
def derivation(name: str) -> MulticlassDerivation:
    return DERIVATIONS[name]()


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    return decide(claim, given).verdict


def steps() -> Iterator[Any]:
    for name in DERIVATIONS:
        (case,) = derivation(name).cases
        for step in case.steps[-LAST.get(name, len(case.steps)) :]:
            yield pytest.param(step, case.given, id=f"{name} {type(step.move).__name__}")


def _exchanged(part: Any) -> Any:
    """Exchange the first two classes in an expression, or count one more."""
    first, second = predicted(0), predicted(1)
    if isinstance(part, Expr):
        return part.subs({first: second, second: first}, simultaneous=True)
    return part + 1 if type(part) is int else None


def mutants(step: Step) -> list[Mutant]:
    """Return the generic mutants of what a step gives, and those in which classes are exchanged."""
    found = [*special(step), *generic(step.after)]
    for place in places(step.after):
        new = _exchanged(place.part)
        if new is not None and new != place.part:
            found.append(Mutant(f"{place.path} of another class", place.put(new)))
    return [mutant for mutant in found if mutant.after != step.after]


def special(step: Step) -> Iterator[Mutant]:
    """Yield results that are wrong in several places, in ways that belong together."""
    after = step.after
    if isinstance(after, SplitLosses):
        yield Mutant("all classes exchanged", _in_cells(after, lambda cell: cell.losses[::-1]))
        yield Mutant("chosen instead of not", _in_cells(after, lambda cell: tuple(map(_chosen, cell.losses))))
        yield Mutant(
            "masses forgotten", _in_cells(after, lambda cell: tuple(map(_without_masses, cell.losses)))
        )
    if isinstance(after, ClassLosses):
        yield Mutant("all losses exchanged", _in_cells(after, lambda cell: cell.losses[::-1]))
        doubled = [replace(cell, losses=tuple(map(_doubled, cell.losses))) for cell in after.cells]
        integrals = [replace(cell, integrals=_mapped(cell.integrals, _doubled)) for cell in doubled]
        yield Mutant("all integrals and losses doubled", replace(after, cells=tuple(integrals)))
    if isinstance(after, BayesProperness):
        for strict in (None, (), (sympy.S.Zero,), (sympy.Symbol("q0", positive=True),)):
            yield Mutant(f"strict where {strict}", replace(after, strict=strict))


def _in_cells(after: Any, change: Callable[[Any], Any]) -> Any:
    return replace(after, cells=tuple(replace(cell, losses=change(cell)) for cell in after.cells))


def _chosen(loss: SplitLoss) -> SplitLoss:
    """Turn the probability not to be chosen into the other one, where a density says by how much."""
    slices = tuple(replace(part, integrand=-part.integrand) for part in loss.slices)
    return replace(loss, slices=slices, masses=tuple(1 - mass for mass in loss.masses))


def _without_masses(loss: SplitLoss) -> SplitLoss:
    return replace(loss, masses=(sympy.S.Zero,) * len(loss.masses))


def _doubled(part: Any) -> Any:
    if isinstance(part, TermIntegral):
        return TermIntegral(*(2 * getattr(part, name) for name in TermIntegral.__dataclass_fields__))
    return 2 * part


def _mapped(part: Any, change: Callable[[Any], Any]) -> Any:
    return tuple(_mapped(item, change) for item in part) if type(part) is tuple else change(part)


def survives(step: Step, given: Given, mutant: Mutant) -> bool:
    """Return whether every claim of a falsified step is proved; a step that fails to say its claims does not."""
    try:
        claims = step.move.claims(step.before, mutant.after, given)
        return all(verdict(claim, given) is Verdict.PROVED for claim in claims)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, CostDeriveError):
        return False


def equivalent(step: Step, mutant: Mutant) -> bool:
    """Return whether a mutant is as right as the original: by the table, or since it shows the same by definition."""
    known = [name for move, name in EQUIVALENT if isinstance(step.move, move)]
    return any(re.fullmatch(name, mutant.name) for name in known) or shows_the_same(step, mutant.after)


def shows_the_same(step: Step, after: Any) -> bool:
    """Return whether another forecast is a witness as well, by the definitions of the risk and of a line."""
    if isinstance(after, Improperness) and after.losses == step.before:
        found, losses = after.witness, step.before.losses

        def risk(report: tuple[Expr, ...]) -> Expr:
            at = {predicted(label): value for label, value in enumerate(report)}
            return sum(q * loss.subs(at) for q, loss in zip(found.belief, losses, strict=True))

        is_better = risk(found.belief) == found.truthful > found.better == risk(found.report)
        return bool(is_better and sum(found.report) == sum(found.belief) == 1)
    if isinstance(after, ActLosses) and after.matrix == step.before:
        return all(map(partial(is_region, after), after.regions)) and all(
            map(partial(is_idle, after), after.idle)
        )
    if isinstance(after, NotAffine) and after.proper == step.before and after.label == 0:
        here = tuple(additive(forecast) for forecast in after.forecasts)
        there = tuple(sum(x * x for x in p) - 2 * p[0] + 1 for p in after.forecasts)
        return here == after.losses_here and there == after.losses_there and after.area != 0
    return False


def is_region(after: ActLosses, region: ActRegion) -> bool:
    """Return whether multipliers and forecasts show, by their definitions, what they are for."""
    columns, others = after.matrix.columns, [other for other in after.chosen if other != region.act]
    labels = range(after.matrix.classes)
    rivals = [columns[rival] for rival in region.rivals]
    own, implied = columns[region.act], [other for other in others if other not in region.rivals]
    bounded = all(
        min(multipliers) >= 0
        and columns[other][i] - own[i]
        >= sum(m * (rival[i] - own[i]) for m, rival in zip(multipliers, rivals, strict=True))
        for other, multipliers in zip(implied, region.multipliers, strict=True)
        for i in labels
    )
    inside = all(
        sum(p) == 1 and min(p) > 0 and sum(p[i] * (columns[other][i] - own[i]) for i in labels) > 0
        for p in region.inside
        for other in others
    )
    return bounded and inside and list(region.rivals) == sorted(set(region.rivals))


def is_idle(after: ActLosses, idle: IdleAct) -> bool:
    """Return whether shares of other acts cost no more, in any class."""
    used = [after.matrix.columns[act] for act in after.chosen]
    costs = after.matrix.columns[idle.act]
    mixed = [
        sum(s * cost for s, cost in zip(idle.shares, row, strict=True)) for row in zip(*used, strict=True)
    ]
    return sum(idle.shares) == 1 and min(idle.shares) >= 0 and all(map(operator.le, mixed, costs))


def additive(forecast: tuple[Expr, ...]) -> Expr:
    """Return the loss of class 0 of three for exponential costs, by inclusion and exclusion."""
    first, second, third = forecast
    ratios = (first / second, first / third, first / second + first / third)
    return sum(sign / (1 + ratio) ** 2 for sign, ratio in zip((1, 1, -1), ratios, strict=True))


@pytest.mark.parametrize(("step", "given"), list(steps()))
def test_a_step_is_proved_and_none_of_its_mutants(step: Step, given: Given) -> None:
    assert all(verdict(claim, given) is Verdict.PROVED for claim in step.claims(given))
    tried = mutants(step)
    assert len(tried) >= 15
    passed = [mutant for mutant in tried if survives(step, given, mutant)]
    assert [mutant.name for mutant in passed if not equivalent(step, mutant)] == []


def test_every_move_of_costs_has_many_mutants() -> None:
    counts = Counter[type]()
    for step, _ in (parameters.values for parameters in steps()):
        counts[type(step.move)] += len(mutants(step))
    assert all(counts[type(move)] >= 500 for move in CLOSED)
