"""Costs over areas without a closed weight, beside costs on lines, curves and points: proved, and mutants refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from scipy.integrate import quad
from scipy.stats import expon, lognorm
from sympy import Integral, Rational, S, oo

import costderive as cd
from costderive.core.piecewise import Atom
from costderive.core.symbols import p
from costderive.derivation.moves import ActAsBayes, AddAllCosts, AddStrips, HoldInAreas
from costderive.proof.claims import Step, Verdict

SHARE = Rational(4, 5)
PAIR = ("lognormal(0, 1)", "exponential(1)")


@cache
def mixed() -> Any:
    """Four times in five the costs are 1 and 5, else a pair whose threshold weight has no closed form."""
    return cd.derive(
        cd.Mixture((SHARE, cd.FixedCosts(1, 5)), (1 - SHARE, cd.Independent(*PAIR))), time_limit=300
    )


def judged(split: Any, derivation: Any = None, **changes: Any) -> Verdict:
    """Go on from what a step may have left as the moves do, or with the losses that are given."""
    found = derivation or mixed()
    (case,) = found.cases
    before, hold = case.steps[:4], case.steps[4]
    added = Step.make(AddAllCosts(), split, case.given)
    added = replace(added, after=replace(added.after, **changes))
    concluded = Step.make(ActAsBayes(), added.after, case.given)
    steps = (*before, replace(hold, after=split), added, concluded)
    return cd.check(replace(found, cases=(replace(case, steps=steps),))).verdict


def split() -> Any:
    return mixed().cases[0].steps[4].after


def beside(**changes: Any) -> Any:
    return replace(split(), beside=replace(split().beside, **changes))


def test_the_losses_are_single_integrals_and_proved() -> None:
    assert [type(step.move) for step in mixed().steps[-3:]] == [HoldInAreas, AddAllCosts, ActAsBayes]
    assert cd.check(mixed()).verdict is Verdict.PROVED
    assert judged(split()) is Verdict.PROVED
    values = [piece.value for loss in (mixed().outcome[0][1].loss0,) for piece in loss]
    assert not any(node.function.has(Integral) for value in values for node in value.atoms(Integral))


@pytest.mark.parametrize("at", [0.05, 0.16, 0.17, 0.5, 0.95])
def test_the_losses_are_the_expected_costs_of_errors(at: float) -> None:
    """``L0(p) = E[c0; s < p]`` by integrals over one cost, whose law SciPy knows."""
    compiled = cd.numeric.compile(mixed().rule)
    ratio = at / (1 - at)
    missed0 = quad(lambda x: x * lognorm(1).pdf(x) * expon.sf(x / ratio), 0, oo, limit=200)[0]
    missed1 = quad(lambda y: y * expon.pdf(y) * lognorm(1).sf(ratio * y), 0, oo, limit=200)[0]
    known0, known1 = (4 / 5, 0.0) if at > 1 / 6 else (0.0, 4.0)
    assert compiled.loss0(at) == pytest.approx(known0 + missed0 / 5, rel=1e-8)
    assert compiled.loss1(at) == pytest.approx(known1 + missed1 / 5, rel=1e-8)


def _pieces(name: str, number: int, value: Any) -> Any:
    loss = getattr(split().beside, name)
    pieces = list(loss.pieces)
    pieces[number] = replace(pieces[number], value=value)
    return beside(**{name: replace(loss, pieces=tuple(pieces))})


def _weight(**changes: Any) -> Any:
    return beside(weight=replace(split().beside.weight, **changes))


def _areas(**changes: Any) -> Any:
    return replace(split(), held=replace(split().held, **changes))


MUTANTS = {
    "a jump that is larger": lambda: _pieces("loss0", 1, S.One),
    "a loss that starts above 0": lambda: _pieces("loss0", 0, Rational(1, 10)),
    "a slope that the weight does not have": lambda: _pieces("loss1", 1, 1 - p),
    "an atom less": lambda: _weight(atoms=()),
    "an atom with another mass": lambda: _weight(atoms=(Atom(Rational(1, 6), S.One),)),
    "areas twice": lambda: _areas(areas=split().held.areas * 2),
    "no areas": lambda: _areas(areas=(), margins0=(), margins1=()),
    "the weight of all costs in the areas": lambda: _areas(weight=split().weight),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_was_changed_is_not_believed(name: str) -> None:
    assert judged(MUTANTS[name]()) < Verdict.PROVED


def test_losses_without_those_of_the_other_costs_are_not_believed() -> None:
    areas = AddStrips().apply(split().held, mixed().cases[0].given)
    assert judged(split(), loss0=areas.loss0) < Verdict.PROVED
    assert judged(split(), worst1=areas.worst1) < Verdict.PROVED


def test_an_expected_cost_that_is_infinite_in_one_part_is_so_in_all() -> None:
    pair = cd.Independent("lomax(3, 1)", "lomax(5/2, 2)")
    found = cd.derive(cd.Mixture(("1/2", cd.Harmonic()), ("1/2", pair)), time_limit=300)
    assert found.outcome[0][1].worst0 is oo
    assert cd.check(found).verdict is Verdict.PROVED


def test_a_certificate_holds_it() -> None:
    assert cd.Derivation.from_json(mixed().to_json()) == mixed()
