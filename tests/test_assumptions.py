"""What a derivation assumes can hold, is about parameters, and its cases leave out nothing: for every kind of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy import Expr, Rational

import costderive as cd
from costderive import batch, multiclass
from costderive.batch.derive_batch import BatchDerivation
from costderive.batch.linear_rules import AdditiveRule
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import p, parameter
from costderive.costs.contexts import IndependentUniform
from costderive.costs.laws import x
from costderive.deciders.admissible import admissible
from costderive.deciders.cover import covers
from costderive.derivation.certificates.versions import VERSION
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import FindWeight, JudgeProperness, SetThreshold
from costderive.multiclass.letters import predicted
from costderive.multiclass.named_entropies import derive_entropy
from costderive.multiclass.simplex import GivenSimplexEntropy, SymmetricEntropy, t
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Claim, Consistent, Equal, Move, Open, Step, Verdict
from costderive.rules.loss_pair import LossPair, Value

a, b, c, d, e = map(parameter, "abcde")
ZERO, ONE = sympy.S.Zero, sympy.S.One
p0, p1 = predicted(0), predicted(1)


def brier_pair(*assumed: Expr) -> LossPair:
    """Return losses that are proper where a is positive, as it always is, under what is assumed of a besides."""
    first, second = (Pieces(p, (Piece(ZERO, ONE, value),)) for value in (-a * p**2, -a * (1 - p) ** 2))
    return LossPair(first, second, (Value(ZERO, ZERO, -a), Value(ONE, -a, ZERO)), assumed)


def pair_derivation(pair: LossPair) -> Derivation:
    given = pair.given()
    found = Step.make(FindWeight(), pair, given)
    return Derivation(pair, (Case(given, (found, Step.make(JudgeProperness(), found.after, given))),))


def batch_of(known: Given) -> BatchDerivation:
    honest = batch.additive("q*(1 - q)")
    (step,) = honest.steps
    rule = AdditiveRule(honest.context.losses, None, known)
    made = Step(step.move, rule, type(step.after)(rule, step.after.strict))
    return BatchDerivation(rule, (Case(known, (made,)),))


IMPOSSIBLE: dict[str, Callable[[], Any]] = {
    "an entropy of two classes": lambda: derive_entropy(GivenSimplexEntropy(-a * p0 * p1, 2, (-a,))),
    "two facts against each other": lambda: derive_entropy(
        GivenSimplexEntropy(-a * p0 * p1, 2, (a - b, b - a))
    ),
    "an entropy of any number of classes": lambda: derive_entropy(
        SymmetricEntropy(x**2, -a * (1 - t), (-a,))
    ),
    "a pair of losses": lambda: pair_derivation(brier_pair(-a)),
    "a rule of a batch": lambda: batch_of(Given((-a,))),
    "a number that is not positive": lambda: batch_of(Given((-ONE,))),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_is_proved_of_no_parameters_is_not_proved(name: str) -> None:
    report = cd.check(IMPOSSIBLE[name]())
    assert report.verdict is not Verdict.PROVED
    assert any(
        isinstance(found.claim, Consistent) and found.verdict is Verdict.OPEN for found in report.findings
    )


def test_the_command_does_not_prove_a_forged_entropy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "forged.json"
    file.write_text(IMPOSSIBLE["an entropy of two classes"]().to_json())
    assert main(["check", str(file)]) == 1
    assert "some parameters are as assumed" in capsys.readouterr().out


def test_what_is_assumed_may_be_strict_if_it_can_hold() -> None:
    honest = derive_entropy(GivenSimplexEntropy((a - 1) * p0 * p1, 2, (a - 2,)))
    assert cd.check(honest).verdict is Verdict.PROVED


def test_a_fact_about_the_report_proves_nothing_of_the_other_reports() -> None:
    """Where p > 1/2 the slopes have their signs; below, the losses fall with the distance from the truth."""
    first = Pieces(p, (Piece(ZERO, ONE, 2 * p**3 / 3 - p**2 / 2),))
    second = Pieces(
        p, (Piece(ZERO, ONE, -2 * p + 3 * p**2 / 2 - 2 * (p**2 - p**3 / 3) + p + Rational(5, 6)),)
    )
    values = (Value(ZERO, ZERO, Rational(5, 6)), Value(ONE, Rational(1, 6), ZERO))
    report = cd.check(pair_derivation(LossPair(first, second, values, (p - Rational(1, 2),))))
    assert any(
        found.claim.what == "what is assumed is about parameters" and found.verdict is Verdict.REFUTED
        for found in report.findings
    )


# ---- points at which facts hold

FACTS: dict[str, tuple[Expr, ...]] = {
    "far away": (a - 10**9,),
    "a narrow gap": (a - Rational(999, 1000), Rational(9991, 10000) - a),
    "twelve in order": tuple(parameter(f"a{n + 1}") - parameter(f"a{n}") for n in range(11)),
    "a small sum": (1 - a - b - c - d - e,),
    "a product": (a * b - 10**6, 1 - a),
    "roots and exponentials": (sympy.sqrt(a) - 100 * b, sympy.exp(-a) - b),
}


@pytest.mark.parametrize("name", FACTS)
def test_a_point_is_found_at_which_facts_hold(name: str) -> None:
    point = admissible(Given(FACTS[name]))
    assert point is not None
    assert all(value.is_Rational and value > 0 for value in point.values())
    assert all(fact.subs(point).evalf(60) > 0 for fact in FACTS[name])


@pytest.mark.parametrize(
    "given",
    [
        Given((-a,)),
        Given((a - b, b - a)),
        Given((a - 1,), (1 - a,)),
        Given((sympy.log(-a),)),
        Given((sympy.Integral(-x, (x, 0, 1)) + 0 * a,)),
        Given((a / 0,)),
        Given((1 - a - 1 / a,)),
    ],
    ids=str,
)
def test_no_point_is_found_where_there_is_none(given: Given) -> None:
    assert admissible(given) is None
    assert decide(Consistent("facts", given)).verdict is Verdict.OPEN


# ---- coverage

f, g = a - b, a - 2 * b


@pytest.mark.parametrize(
    ("cases", "whole"),
    [
        ([()], True),
        ([(f,), (-f,)], True),
        ([(-f,), (f,)], True),
        ([(f, g), (f, -g), (-f,)], True),
        ([(f, g), (f, -g), (-f, g), (-f, -g)], True),
        ([(-f, g), (f,), (-f, -g)], True),
        ([], False),
        ([(f,)], False),
        ([(f,), (f,)], False),
        ([(f,), (-g,)], False),
        ([(f, g), (f, -g)], False),
        ([(f, g), (-f, -g)], False),
        ([(f, g), (-f,)], False),
        ([(f,), (-2 * f,)], False),  # it does, but no walk writes it
        ([(sympy.log(f),), (-sympy.log(f),)], False),  # neither is at least 0 where f < 0
        ([(1 / f,), (-1 / f,)], False),
        ([(ZERO,), (ZERO,)], False),
        ([(ONE,), (-ONE,)], True),
        ([(ZERO,) * 40] * 2, False),
    ],
    ids=str,
)
def test_cases_cover_if_they_split_by_signs_of_what_is_real(
    cases: list[tuple[Expr, ...]], whole: bool
) -> None:
    assert covers([Given((), conditions) for conditions in cases]) is whole


def test_a_split_may_use_what_is_known_so_far() -> None:
    root = sympy.sqrt(f)
    assert covers([Given((), conditions) for conditions in [(f, root - 1), (f, 1 - root), (-f,)]])
    assert not covers([Given((), conditions) for conditions in [(f,), (-f, root - 1), (-f, 1 - root)]])


def where(*positive: Expr, also: tuple[Expr, ...] = ()) -> Given:
    """Return a case whose strict conditions are seen by whoever reads what is not negative."""
    return Given(positive, (*positive, *also))


above, below, beside = where(f), where(-f), Given((), (f, -f))


@pytest.mark.parametrize(
    ("cases", "whole"),
    [
        ([above, below, beside], True),
        ([beside, below, above], True),
        ([above, Given((), (-f,))], True),
        ([Given((f,), (f, f)), Given((-f,), (-f,)), beside], True),
        ([above, where(-f, g), where(-f, also=(-g,)), beside], True),
        ([Given((f,)), Given((-f,)), beside], False),  # strict conditions that no reader sees
        ([above, below], False),
        ([above, beside], False),
        ([below, beside], False),
        ([beside], False),
        ([above, where(-2 * f), beside], False),  # it does, but no walk writes it
        ([where(f, g), where(f, -g), below, beside], False),
        ([where(f, -f), below, beside], False),
        ([where(sympy.log(f)), where(-sympy.log(f)), Given((), (sympy.log(f), -sympy.log(f)))], False),
    ],
    ids=str,
)
def test_cases_beside_a_point_cover_with_one_at_it(cases: list[Given], whole: bool) -> None:
    assert covers(cases) is whole


@pytest.mark.parametrize("kind", ["several classes", "a batch"])
def test_a_rule_of_the_first_case_alone_has_one_case(kind: str) -> None:
    """Else the verdict would be that of the first case, and of the others nothing would be said."""
    honest: Any = multiclass.power() if kind == "several classes" else batch.rank_based()
    (case,) = honest.cases
    halves = tuple(Case(case.given.also(nonnegative=(side,)), case.steps) for side in (a - 1, 1 - a))
    with pytest.raises(SpecError, match="2 cases"):
        type(honest)(honest.context, halves)
    with pytest.raises(SpecError, match="0 cases"):
        type(honest)(honest.context, ())


# ---- thresholds, and claims that cannot be made


@pytest.mark.parametrize(("of_context", "of_move"), [("1/3", "1/2"), ("1/3", None), (None, "1/2")])
def test_a_threshold_other_than_that_of_the_context_is_refuted(
    of_context: str | None, of_move: str | None
) -> None:
    def derived(at: str | None) -> Derivation:
        return cd.derive(cd.Additive(), threshold=cd.FixedThreshold(at) if at else cd.Calibrated())

    one, other = derived(of_context), derived(of_move)
    forged = Derivation(one.context, other.cases)
    (found,) = [
        x for x in cd.check(forged).findings if x.claim.what == "the threshold is that of the context"
    ]
    assert found.verdict is Verdict.REFUTED
    assert any(isinstance(step.move, SetThreshold) for step in (*one.steps, *other.steps))


class Failing(Move):
    """A move whose claims cannot be made."""

    def apply(self, before: Any, given: Given) -> Any:
        return before

    def claims(self, before: Any, after: Any, given: Given) -> Any:
        yield Equal("a sum", 1 + ONE, ONE * 2)
        raise ValueError("no such thing")


def test_claims_that_cannot_be_made_leave_the_derivation_open() -> None:
    honest = cd.derive(cd.Additive())
    (case,) = honest.cases
    first = Step(Failing(), honest.context, honest.context)
    report = cd.check(Derivation(honest.context, (Case(case.given, (first, *case.steps)),)))
    assert report.verdict is Verdict.OPEN
    assert isinstance(report.findings[-1].claim, Open)
    assert report.findings[-1].evidence == "ValueError: no such thing"


def test_a_claim_that_no_decider_can_read_is_open() -> None:
    wrong: Claim = Equal("a sum", None, ONE)  # type: ignore[arg-type]
    assert decide(wrong).verdict is Verdict.OPEN


# ---- headers of certificates


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", True),
        ("version", 2.0),
        ("version", "2"),
        ("version", 0),
        ("version", VERSION + 1),
        ("format", ["costderive derivation"]),
    ],
)
def test_a_header_of_another_kind_is_refused(key: str, value: Any) -> None:
    document = json.loads(cd.derive(cd.FixedCosts(1, 2)).to_json())
    with pytest.raises(SpecError, match="does not say"):
        Derivation.from_json(json.dumps({**document, key: value}))


def test_a_key_of_another_kind_is_refused() -> None:
    document = json.loads(cd.derive(cd.FixedCosts(1, 2)).to_json())
    with pytest.raises(SpecError, match="certificate has the key 'proof'"):
        Derivation.from_json(json.dumps({**document, "proof": []}))


def test_a_name_that_is_a_list_is_refused_in_words() -> None:
    text = cd.derive(IndependentUniform((0, 1), (0, 1))).to_json()
    assert '"name": "POSITIVE"' in text
    with pytest.raises(SpecError, match="is not known"):
        Derivation.from_json(text.replace('"name": "POSITIVE"', '"name": ["POSITIVE"]'))
