"""The claims of the moves on pairs of losses and on thresholds refuse falsified results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import sympy
from sympy import Expr, Rational, Symbol

import costderive as cd
from costderive.core.piecewise import Atom, Given
from costderive.core.symbols import p, parameter, s
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import (
    ChangeValues,
    DistortThreshold,
    FindCalibration,
    FindCondition,
    FindMiscalibration,
    FindWeight,
    FindWitness,
    JudgeProperness,
    LeaveOpen,
    SetThreshold,
)
from costderive.proof.checker import check, decide
from costderive.proof.claims import Case, Claim, Step, Verdict
from costderive.rules import (
    Calibration,
    ConditionalProperness,
    Improperness,
    Judgement,
    Miscalibration,
    Properness,
    RepairedProperness,
    Undecided,
    Witness,
)
from costderive.rules.loss_pair import LossPair, Value, WeighedPair
from tests.mutants import Mutant, generic

HALF = Rational(1, 2)
NEITHER = ("p^2 if p<=1/2; p^2+1", "(1-p)^2+1 if p<1/2; (1-p)^2")
TO_ONE_CLASS = ("p^2 if p<=1/2; p^2+1", "(1-p)^2+1 if p<=1/2; (1-p)^2")

DERIVATIONS: dict[str, Callable[[], Derivation]] = {
    "log": lambda: cd.examine("-log(1-p)", "-log(p)"),
    "atom": lambda: cd.examine(*TO_ONE_CLASS),
    "zero-one": lambda: cd.examine("0 if p <= 1/2; 1", "1 if p <= 1/2; 0"),
    "absolute": lambda: cd.examine("p", "1-p"),
    "tie to neither": lambda: cd.examine(*NEITHER),
    "symbolic step": lambda: cd.examine("0 if p <= a; a", "1-a if p <= a; 0"),
    "fixed threshold": lambda: cd.derive(cd.FixedCosts(1, 2), threshold=cd.FixedThreshold("1/4")),
    "threshold in a range": lambda: cd.derive(
        cd.FixedCosts(1, 2), threshold=cd.RandomThreshold(cd.laws.uniform("1/4", "1/2"))
    ),
    "distorted threshold": lambda: cd.derive(
        cd.IndependentUniform(c0=(0, 1), c1=(0, 2)), threshold=cd.DistortedThreshold("1/4 + s/2")
    ),
    "miscalibration": lambda: cd.derive(cd.Independent("uniform(l, h)", 1), threshold="3*s^2 - 2*s^3"),
    "calibration": lambda: cd.derive(cd.Additive(), threshold="d*s^k/(d*s^k + (1 - s)^k)"),
    "calibration at atoms": lambda: cd.derive(cd.FixedCosts(1, "b"), threshold="s^k"),
    "condition": lambda: cd.derive(cd.FixedCosts("m", 2), threshold=cd.FixedThreshold("1/3")),
    "random threshold": lambda: cd.derive(cd.FixedCosts("a", "b"), threshold=cd.RandomThreshold("2*t")),
}
MOVES = (
    FindWeight,
    JudgeProperness,
    FindWitness,
    FindCondition,
    FindCalibration,
    FindMiscalibration,
    ChangeValues,
    SetThreshold,
    DistortThreshold,
)


@cache
def derivation(name: str) -> Derivation:
    return DERIVATIONS[name]()


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    return decide(claim, given).verdict


def steps() -> Iterator[Any]:
    for name in DERIVATIONS:
        case = derivation(name).cases[0]
        for step in case.steps:
            if isinstance(step.move, MOVES):
                yield pytest.param(step, case.given, id=f"{name} {type(step.move).__name__}")


def survives(step: Step, given: Given) -> bool:
    """Return whether every claim of a falsified step is proved; a step that fails to say its claims does not."""
    try:
        return all(verdict(claim, given) is Verdict.PROVED for claim in step.claims(given))
    except (AttributeError, IndexError, TypeError, ValueError):  # not even the right kind of object
        return False


def equivalent(step: Step, mutant: Mutant) -> bool:
    """Signs are claimed where they are used, by the next move; another belief or report may be a witness as well."""
    if isinstance(step.move, FindWeight):
        return "called" in mutant.name
    after = mutant.after
    if isinstance(step.move, FindCondition):
        return "called not negative" in mutant.name or has_other_witnesses(step.after, after)
    if isinstance(step.move, FindMiscalibration | FindCalibration):
        return is_another(after)
    return isinstance(after, Improperness) and after.losses == step.before and is_witness(after)


def is_another(after: Miscalibration | Calibration) -> bool:
    """Return whether a threshold is another, on the side that is named, at each proportion, for numbers as letters.

    Another proportion at which that is so is as good.
    """
    if isinstance(after, Miscalibration):
        return _is_on_side(after, {}, after.above)
    pairs = zip(after.conditions, after.otherwise, strict=True)
    return all(
        _is_on_side(step, {one.letter: value}, step.above == (value > 1))
        for one, step in pairs
        for value in (HALF, sympy.Integer(3))
    )


def _is_on_side(found: Miscalibration, letters: dict[Symbol, Expr], above: bool) -> bool:
    at = {parameter("l"): 1, parameter("h"): 2, parameter("b"): 3, parameter("d"): 2, **letters}
    place = found.proportion.subs(at)
    away = found.threshold.subs(at).subs(s, place) - place
    return 0 < place < 1 and bool((away if above else -away) > 0)


def has_other_witnesses(original: ConditionalProperness, after: ConditionalProperness) -> bool:
    """Return whether a condition is the original one, with witnesses that are some at numbers on either side of it."""
    sides = ((HALF, after.below), (sympy.Integer(2), after.above))
    return replace(after, below=original.below, above=original.above) == original and all(
        is_witness(at_number(after, ratio, witness)) for ratio, witness in sides
    )


def at_number(found: ConditionalProperness, ratio: Expr, witness: Witness) -> Improperness:
    put = {found.letter: ratio * found.value}
    parts = (witness.belief, witness.report, witness.truthful, witness.better)
    return Improperness(found.losses.subs(put), Witness(*[sympy.sympify(x).subs(put) for x in parts]))


def is_witness(after: Improperness) -> bool:
    """Return whether a witness is one, by the definition of the risk."""
    witness, loss = after.witness, [after.losses.to_sympy(label) for label in (0, 1)]

    def risk(report: Expr) -> Expr:
        first, second = (x.subs(p, report) for x in loss)
        return (1 - witness.belief) * first + witness.belief * second

    truth, other = risk(witness.belief), risk(witness.report)
    return bool(
        0 <= witness.belief <= 1
        and 0 <= witness.report <= 1
        and truth == witness.truthful > other == witness.better
    )


@pytest.mark.parametrize(("step", "given"), list(steps()))
def test_claims_refuse_every_mutant(step: Step, given: Given) -> None:
    assert survives(step, given)
    found = list(generic(step.after))
    assert len(found) >= 10
    survivors = [mutant for mutant in found if survives(replace(step, after=mutant.after), given)]
    assert [mutant.name for mutant in survivors if not equivalent(step, mutant)] == []


def test_signs_of_a_weight_are_claimed_where_properness_is_judged() -> None:
    """FindWeight carries the signs; JudgeProperness claims them, and with them where the rule is strict."""
    case = derivation("zero-one").cases[0]
    judge = case.steps[-1]
    for mutant in generic(judge.before):
        if "called" in mutant.name:
            falsified = replace(judge, before=mutant.after, after=judge.move.apply(mutant.after, case.given))
            weaker = mutant.name.endswith("called not negative")
            assert survives(falsified, case.given) is weaker


# ------------------------------------------------------------------------------------ whole derivations


def concluded(name: str, *steps: Step) -> Derivation:
    original = derivation(name)
    return replace(original, cases=(Case(original.cases[0].given, steps),))


def forged() -> Iterator[tuple[str, Derivation]]:
    """Yield derivations that conclude what is false of the pair that they start from."""
    absolute, log = derivation("absolute").context, derivation("log").context
    tied, split = derivation("tie to neither"), derivation("atom").context
    witness = derivation("absolute").witness
    weighed = derivation("log").cases[0].steps[0].after
    yield "improper called proper", concluded("absolute", *_judged(absolute))
    yield "proper called improper", concluded("log", Step(FindWitness(), log, Improperness(log, witness)))
    other = replace(weighed, pair=absolute)
    yield (
        "weight of another pair",
        concluded(
            "absolute",
            Step(FindWeight(), absolute, other),
            Step(JudgeProperness(), other, Properness(absolute, ((sympy.S.Zero, sympy.S.One),))),
        ),
    )
    flipped = Witness(witness.report, witness.belief, witness.better, witness.truthful)
    yield (
        "witness turned round",
        concluded("absolute", Step(FindWitness(), absolute, Improperness(absolute, flipped))),
    )
    outside = Witness(sympy.Integer(2), sympy.S.Zero, sympy.Integer(-2), sympy.Integer(-3))
    yield (
        "belief outside",
        concluded("absolute", Step(FindWitness(), absolute, Improperness(absolute, outside))),
    )
    yield "tie to neither judged proper", concluded("tie to neither", *_judged(tied.context))
    yield "nothing concluded", concluded("absolute")
    mended = tied.cases[0].steps[-1].after.weighed.pair
    yield "another pair mended", concluded("tie to neither", *_judged(mended))
    no_atom = FindWeight().apply(split, Given())
    without = replace(no_atom, weight=replace(no_atom.weight, atoms=()))
    yield "atom left out", concluded("atom", Step(FindWeight(), split, without), *_judged(split)[1:])
    yield "undecided", concluded("absolute", Step(LeaveOpen(), absolute, Undecided(absolute)))
    random = derivation("random threshold")
    others = [x for x in random.cases[0].steps if not isinstance(x.move, SetThreshold)]
    yield "threshold left out", concluded("random threshold", *others)
    distorted = derivation("distorted threshold")
    others = [x for x in distorted.cases[0].steps if not isinstance(x.move, DistortThreshold)]
    yield "distortion left out", concluded("distorted threshold", *others)
    weaker = replace(distorted.context, threshold=cd.DistortedThreshold("1/4 + s/3"))
    yield "another distortion in the context", replace(distorted, context=weaker)
    wrong = derivation("miscalibration")
    *before, said = wrong.cases[0].steps
    yield (
        "another threshold miscalibrated",
        concluded(
            "miscalibration",
            *before,
            replace(said, after=replace(said.after, threshold=said.after.threshold / 2)),
        ),
    )
    other = cd.derive(cd.Independent("uniform(l, h)", 2)).cases[0].steps[-1].after
    other = replace(said.after, proper=other, between=other.strict[0])
    yield "another rule at s", concluded("miscalibration", *before, replace(said, after=other))
    yield (
        "nothing distorted",
        replace(wrong, cases=(replace(wrong.cases[0], steps=(Step(said.move, said.before, said.after),)),)),
    )
    fixed = derivation("fixed threshold")
    yield "threshold of another context", replace(fixed, context=random.context)
    moved = replace(fixed.context, threshold=cd.FixedThreshold("1/3"))
    yield "threshold moved in the context", replace(fixed, context=moved)


def _judged(pair: LossPair) -> list[Step]:
    weighed = FindWeight().apply(pair, Given())
    return [
        Step(FindWeight(), pair, weighed),
        Step(JudgeProperness(), weighed, JudgeProperness().apply(weighed, Given())),
    ]


FORGED = dict(forged())


@pytest.mark.parametrize("name", FORGED)
def test_false_conclusion_is_not_proved(name: str) -> None:
    assert check(FORGED[name]).verdict is not Verdict.PROVED


@pytest.mark.parametrize("name", DERIVATIONS)
def test_original_is_proved(name: str) -> None:
    assert check(derivation(name)).verdict is Verdict.PROVED


# ------------------------------------------------------------------------------ ties and ends, one by one


def tied(x: object, y: object, mass: object = 1) -> LossPair:
    """Return the Brier score with an atom of a mass at 1/2, and values x, y above its limits there."""
    whole = cd.examine(f"p^2 if p<=1/2; p^2+{mass}/2", f"(1-p)^2+{mass}/2 if p<=1/2; (1-p)^2").context
    at = Value(HALF, HALF**2 + sympy.sympify(x), HALF**2 + sympy.sympify(y))
    return whole.with_values((whole.values[0], at, whole.values[-1]))


@pytest.mark.parametrize(
    ("x", "y", "is_proper"),
    [
        (0, HALF, True),  # ties to class 0
        (HALF, 0, True),  # ties to class 1
        (HALF / 2, HALF / 2, True),  # a coin decides
        (0, 0, False),  # charged to neither: the line dips below the entropy
        (HALF, HALF, False),  # charged to both: the line never touches the entropy
        (Rational(3, 4), -HALF / 2, False),  # on the plane, but too flat
        (-HALF / 2, Rational(3, 4), False),
        (0, HALF + Rational(1, 10**30), False),
        (0, HALF - Rational(1, 10**30), False),
    ],
)
def test_tie_has_exactly_the_values_that_a_supporting_line_has(x: object, y: object, is_proper: bool) -> None:
    pair = tied(x, y)
    found = cd.Derivation(pair, (Case(Given(), tuple(_judged(pair))),))
    assert (check(found).verdict is Verdict.PROVED) is is_proper


def test_negative_atom_is_refused() -> None:
    pair = tied(0, -HALF, mass=-1)
    found = cd.Derivation(pair, (Case(Given(), tuple(_judged(pair))),))
    assert check(found).verdict is not Verdict.PROVED


def test_atoms_of_a_weight_must_be_where_the_losses_jump() -> None:
    pair = derivation("atom").context
    weighed: WeighedPair = FindWeight().apply(pair, Given())
    for atoms in ((), (Atom(HALF, sympy.S.One),), (Atom(Rational(1, 3), sympy.Integer(2)),)):
        falsified = replace(weighed, weight=replace(weighed.weight, atoms=atoms))
        assert not survives(Step(FindWeight(), pair, falsified), Given())


def test_assumptions_that_contradict_each_other_prove_nothing() -> None:
    a = parameter("a")
    pair = replace(derivation("symbolic step").context, assumed=(a, -a))
    assert not survives(Step(FindWeight(), pair, FindWeight().apply(pair, Given())), pair.given())


def test_repair_may_change_values_alone() -> None:
    case = derivation("tie to neither").cases[0]
    mend: Step = case.steps[-1]
    after: RepairedProperness = mend.after
    other = cd.examine("p^2", "(1-p)^2")
    brier = other.cases[0].steps
    forged = replace(after, weighed=brier[0].after, proper=brier[1].after)
    assert survives(mend, case.given)
    assert not survives(replace(mend, after=forged), case.given)


def test_verdict_of_the_repaired_rule_says_improper() -> None:
    assert derivation("tie to neither").verdict is Judgement.PROPER_AFTER_CHANGE
    assert "improper" in str(derivation("tie to neither").verdict)
    assert p in derivation("log").rule.loss0.free_symbols
