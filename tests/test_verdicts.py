"""A verdict is never louder than its check: what is printed and returned of a rule is what its claims prove."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Rational, Symbol

import costderive as cd
from costderive import batch, multiclass, spec
from costderive.batch.batch_conclusions import BatchProperness
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import s
from costderive.derivation.interpretation import explain
from costderive.derivation.moves import (
    ChangeOfVariables,
    IntegrateMagnitude,
    SliceRegion,
    TakeExpectation,
)
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.proof.checker import check, checked, decide
from costderive.proof.claims import Verdict
from costderive.publish.formats import terminal
from costderive.rules import Judgement, Properness, ScoringRule, Unproved


def concluding(derivation: Any, change: Callable[[Any], Any]) -> Any:
    """Return a derivation that ends with another conclusion than its claims prove."""
    (case,) = derivation.cases
    last = case.steps[-1]
    steps = (*case.steps[:-1], replace(last, after=change(last.after)))
    return replace(derivation, cases=(replace(case, steps=steps),))


def whole(found: Properness) -> Properness:
    return replace(found, strict=((sympy.S.Zero, sympy.S.One),))


def bounded() -> Any:
    return concluding(cd.derive(cd.Additive(density="uniform(1/4, 3/4)")), whole)


def of_classes() -> Any:
    def change(found: BayesProperness) -> BayesProperness:
        return replace(found, strict=())

    return concluding(multiclass.derive(multiclass.IndependentCosts((1, 1, 1))), change)


def of_batch() -> Any:
    def change(found: BatchProperness) -> BatchProperness:
        return replace(found, strict=True, flat=None)

    return concluding(batch.rank_based(), change)


LOUD = {"two classes": bounded, "three classes": of_classes, "a batch": of_batch}
by_kind = pytest.mark.parametrize("kind", LOUD)


@by_kind
def test_a_conclusion_whose_claims_fail_is_called_not_proved(kind: str) -> None:
    loud = LOUD[kind]()
    assert check(loud).verdict < Verdict.PROVED
    assert loud.concluded is Judgement.STRICTLY_PROPER
    assert isinstance(loud.verdict, Unproved) and loud.verdict not in tuple(Judgement)
    refuted = check(loud).verdict is Verdict.REFUTED
    assert loud.verdict.startswith("not proved: REFUTED: " if refuted else "strictly proper, not proved: ")


@by_kind
def test_a_terminal_and_an_article_call_it_not_proved(kind: str) -> None:
    loud = LOUD[kind]()
    report = check(loud)
    (line,) = [x for x in terminal.summary(loud, report).splitlines() if x.startswith("Properness")]
    assert "not proved" in line
    article = cd.export.latex(loud, report)
    assert "The proper scoring rule" not in article and "not fully proved" in article
    assert "show that they form" not in article and "It is strictly proper" not in article


def test_a_rule_and_its_explanation_call_it_not_proved() -> None:
    rule = bounded().rule
    assert "not proved" in rule.verdict
    assert "not proved" in explain(rule).splitlines()[0]


def test_what_is_proved_keeps_its_verdict() -> None:
    derivation = cd.derive(cd.Additive())
    assert derivation.verdict is Judgement.STRICTLY_PROPER is derivation.rule.verdict
    assert cd.examine("p", "1 - p").verdict is Judgement.IMPROPER


def test_no_rule_is_built_on_one_that_is_not_proved() -> None:
    with pytest.raises(SpecError, match="not proper"):
        batch.additive(bounded())


def test_a_verdict_is_copied_and_sent_whole() -> None:
    verdict = bounded().verdict
    for same in (copy.copy(verdict), pickle.loads(pickle.dumps(verdict))):
        assert (same, same.judgement, same.doubt) == (verdict, verdict.judgement, verdict.doubt)


def test_a_verdict_after_a_check_decides_nothing_twice() -> None:
    derivation = cd.derive(cd.FixedCosts(1, 3))
    assert checked(derivation) is checked(derivation)
    report = check(derivation)
    assert checked(derivation) is not None and check(derivation) is not report


def test_superior_is_open_if_its_claims_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(claim: Any, given: Given) -> Any:
        return replace(decide(claim, given), verdict=Verdict.OPEN)

    room = sys.modules[multiclass.superior.__module__]
    monkeypatch.setattr(room, "decide", undecided)
    found = multiclass.superior(multiclass.brier(), classes=3)
    assert found.conclusion.superior is None
    assert check(found).verdict is Verdict.OPEN


# ---- candidates


COPULA = cd.Joint("3*(c0*c1)^(-3)*(c0^(-2)+c1^(-2)-1)^(-5/2)", ((0, 1), (0, 1)))


@pytest.mark.parametrize("place", ["1/5", "2/5", "3/5", "9/10"])
def test_an_antiderivative_of_the_wrong_sign_is_not_taken(place: str) -> None:
    """The threshold weight of a copula is compared with ``integral of b^2 f(bs, b(1-s)) db`` by mpmath."""
    given, found = COPULA.given(), COPULA
    for move in (TakeExpectation(), ChangeOfVariables(), SliceRegion(), IntegrateMagnitude()):
        found = move.apply(found, given)
    at = Rational(place)
    weight = found.weight.density.piece_at(at).value.subs(s, at)
    assert abs(float(weight.evalf(20)) - _ray(at)) < 1e-9


def _ray(at: Rational) -> float:
    def density(x: Any, y: Any) -> Any:
        return 3 * (x * y) ** -3 * (x**-2 + y**-2 - 1) ** mpmath.mpf(-2.5)

    share = mpmath.mpf(at.p) / at.q
    last = 1 / max(share, 1 - share)
    return float(mpmath.quad(lambda b: b**2 * density(b * share, b * (1 - share)), [0, last / 2, last]))


# ---- letters


def test_a_value_at_which_a_form_divides_by_zero_is_an_error() -> None:
    k, m = Symbol("k", positive=True), Symbol("m", positive=True)
    losses = cd.derive(cd.Additive(budget="m")).rule.only_case.subs({m: 1 / (k - 1) ** 2})
    rule = ScoringRule(((Given(), losses),))
    assert rule.at(k=3).loss0.subs(cd.symbols.p, 1) == Rational(1, 8)
    with pytest.raises(SpecError, match=r"divides by zero for k = 1"):
        rule.at(k=1)


# ---- expected losses


def spec_of(loss0: str, loss1: str = "(1 - p)^2", context: str = 'kind = "additive"') -> spec.Spec:
    rows = [f'loss{label} = [{{up_to = 1, value = "{x}"}}]' for label, x in enumerate((loss0, loss1))]
    return spec.parse("\n".join(["[context]", context, "[expected]", *rows]))


@pytest.mark.parametrize(
    "loss0", ["7*p^9", "p^2 + p^2*(1-p)^2*(2*p-1)^2/10^9", "p^2 + 1/10^30", "p^3", "-log(1-p)"]
)
def test_expected_losses_that_do_not_follow_are_an_error_with_a_point(loss0: str) -> None:
    with pytest.raises(SpecError, match=r"\[expected\].*loss 0.* at p = "):
        spec_of(loss0).derive()


def test_expected_losses_are_compared_for_all_letters() -> None:
    context = 'kind = "additive"\nbudget = "2*m"'
    assert spec_of("m*p^2", "m*(1-p)^2", context).derive().concluded is Judgement.STRICTLY_PROPER
    with pytest.raises(SpecError, match=r"at m = .*p = "):
        spec_of("m^2*p^2", "m*(1-p)^2", context).derive()


def test_expected_steps_are_compared_on_both_sides_of_their_breakpoints() -> None:
    text = """threshold = "1/2"
[context]
kind = "known-costs"
c0 = 1
c1 = 1
[expected]
loss0 = [{up_to = "AT", value = 0}, {up_to = 1, value = 1}]
loss1 = [{up_to = "AT", value = 1}, {up_to = 1, value = 0}]"""
    text = text.replace("known-costs", "fixed")
    right = spec.parse(text.replace("AT", "1/2"))
    report = right.compare(right.derive())
    assert report is not None and report.verdict is Verdict.PROVED
    with pytest.raises(SpecError, match="loss 0 is the expected one"):
        spec.parse(text.replace("AT", "1/3")).derive()


def test_expected_losses_that_are_not_decided_are_not_called_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ['value = "p^2 + asin(p) + acos(p) - pi/2"', 'value = "(1 - p)^2"']
    losses = "\n".join(f"loss{label} = [{{up_to = 1, {row}}}]" for label, row in enumerate(rows))
    file = tmp_path / "spec.toml"
    file.write_text(f'[context]\nkind = "additive"\n[expected]\n{losses}\n')
    assert main(["derive", str(file)]) == 1
    assert "it is not proved that the losses are those expected" in capsys.readouterr().out


def test_the_command_says_what_was_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spec.toml"
    text = '[context]\nkind = "additive"\n[expected]\nloss0 = [{up_to = 1, value = "LOSS"}]\n'
    text += 'loss1 = [{up_to = 1, value = "(1-p)^2"}]\n'
    file.write_text(text.replace("LOSS", "p^2"))
    assert main(["derive", str(file)]) == 0
    assert "the losses are those expected" in capsys.readouterr().out
    file.write_text(text.replace("LOSS", "7*p^9"))
    assert main(["derive", str(file)]) != 0
    shown = capsys.readouterr()
    assert "[expected]" in shown.err and "PROVED" not in shown.out
