"""A factor that both costs have in common: its expectation multiplies the rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.proof.claims import Verdict

COSTS = cd.Independent(c0=1, c1="uniform(1, 3)")


def test_the_losses_are_proved_and_those_of_drawn_costs() -> None:
    context = cd.CommonFactor("gamma(2, 3)", COSTS)
    derivation = cd.derive(context)
    assert cd.check(derivation).verdict is Verdict.PROVED
    first, second = context.sample(200_000, seed=1)
    for report in (0.3, 0.4):
        at, rule = sympy.Rational(str(report)), derivation.rule.only_case
        paid = first * (first / (first + second) < report), second * (first / (first + second) >= report)
        for loss, drawn in zip((rule.loss0, rule.loss1), paid, strict=True):
            found = float(loss.piece_at(at).value.subs(cd.symbols.p, at))
            assert abs(found - drawn.mean()) <= 5 * drawn.std() / 200_000**0.5


def test_a_letter_of_the_factor_multiplies_the_rule() -> None:
    rule = cd.derive(cd.CommonFactor("exponential(m)", cd.Additive())).rule
    p, m = cd.symbols.p, sympy.Symbol("m", positive=True)
    assert sympy.expand(rule.loss0 - m * p**2) == 0


def test_a_wrong_expectation_is_refuted() -> None:
    derivation = cd.derive(cd.CommonFactor("exponential(2)", cd.Additive()))
    forged = derivation.to_json().replace('"exponential"', '"rayleigh"')
    try:
        read = cd.Derivation.from_json(forged)
    except cd.errors.CostDeriveError:
        return
    assert cd.check(read).verdict is not Verdict.PROVED


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "no context": ("exponential(1)", 3, "not a cost context"),
    "an infinite expectation": ("pareto(1/2, 1)", COSTS, "expectation"),
    "a negative factor": (-1, COSTS, "context.factor = -1"),
    "improper costs": ("exponential(1)", cd.Additive(density="improper(1/(s*(1-s)))"), "improper"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_finite_factor_is_refused(name: str) -> None:
    factor, context, words = REFUSED[name]
    with pytest.raises(SpecError, match=words):
        cd.CommonFactor(factor, context)


def test_specs_and_the_command_line_have_a_factor(tmp_path: Path) -> None:
    context = cd.CommonFactor("uniform(10, 20)", COSTS)
    written = spec.Spec("", "", context)
    assert spec.parse(spec.to_toml(written)).context == context
    certificate, article = tmp_path / "c.json", tmp_path / "a.tex"
    command = ["derive", "independent", "--c0", "1", "--c1", "uniform(1, 3)", "--factor", "uniform(10, 20)"]
    assert main([*command, "--json", str(certificate), "--latex", str(article)]) == 0
    assert cd.Derivation.from_json(certificate.read_text()).context == context
    assert "factor" in article.read_text()


def test_costs_of_several_classes_have_no_factor() -> None:
    with pytest.raises(SpecError, match="two classes"):
        spec.context_from({"kind": "class-costs", "costs": ["uniform(0, 1)"] * 3, "factor": 2})
