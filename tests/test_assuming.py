"""What is assumed of letters where the form of costs depends on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from scipy import integrate, stats

import costderive as cd
from costderive.core.errors import SpecError
from costderive.costs.laws import AssumedLaw
from costderive.proof.claims import Case, Verdict
from costderive.spec import parse, to_toml

REPORTS = np.array([0.05, 0.2, 0.5, 0.8, 0.95])


def deductible(assuming: Any = "d > m") -> cd.Independent:
    parts = {"fee": "exponential(2)", "loss": "pareto(3, m)"}
    return cd.costs_of_parts("fee", "max(loss - d, 0)", parts=parts, assuming=assuming)


def paid_above_the_deductible(p: float, d: float, m: float) -> float:
    """Return E[c1; c0/(c0 + c1) >= p] for a Pareto loss and an exponential fee, by quadrature over the loss."""
    ratio, loss = p / (1 - p), stats.pareto(3, scale=m)

    def density(x: float) -> float:
        return float((x - d) * np.exp(-ratio * (x - d) / 2) * loss.pdf(x))

    return float(integrate.quad(density, max(d, m), np.inf, epsabs=1e-13, epsrel=1e-11)[0])


@pytest.mark.parametrize(("assuming", "d", "m"), [("d > m", 3, 1), ("d < m", 1, 2)])
def test_a_deductible_of_a_loss_with_letters_is_what_quadrature_says(assuming: str, d: int, m: int) -> None:
    derivation = cd.derive(deductible(assuming))
    cd.check(derivation).require_proved()
    found = cd.numeric.compile(derivation.rule.at(d=d, m=m)).loss1(REPORTS)
    np.testing.assert_allclose(found, [paid_above_the_deductible(p, d, m) for p in REPORTS], rtol=1e-9)


def test_a_limit_below_the_bound_of_a_loss_is_what_draws_say() -> None:
    parts = {"loss": "uniform(0, h)", "fee": "exponential(2)"}
    derivation = cd.derive(cd.costs_of_parts("min(loss, d)", "fee", parts=parts, assuming="d < h"))
    cd.check(derivation).require_proved()
    draw = np.random.default_rng(1)
    c0, c1 = np.minimum(draw.uniform(0, 5, 10**6), 2), draw.exponential(2, 10**6)
    paid = np.where(c0 / (c0 + c1) < REPORTS[:, None], c0, 0)
    found = cd.numeric.compile(derivation.rule.at(d=2, h=5)).loss0(REPORTS)
    assert np.all(np.abs(found - paid.mean(1)) < 4.5 * paid.std(1) / 1e3)


def test_a_kink_of_a_curve_is_where_it_is_assumed_to_be() -> None:
    curve = cd.Curve("max(x - d, 0) + 1", "k", "beta(2, 3)", assuming="d < 1")
    derivation = cd.derive(curve)
    cd.check(derivation).require_proved()
    c0 = np.maximum(np.random.default_rng(2).beta(2, 3, 10**6) - 0.25, 0) + 1
    paid = np.where(c0 / (c0 + 2) < REPORTS[:, None], c0, 0)
    found = cd.numeric.compile(derivation.rule.at(d="1/4", k=2)).loss0(REPORTS)
    assert np.all(np.abs(found - paid.mean(1)) <= 4.5 * paid.std(1) / 1e3 + 1e-12)


@pytest.mark.parametrize(
    ("assuming", "problem"),
    [
        ("d >= m", "is not a strict inequality"),
        ("loss > 1", "loss, which is no parameter of the costs"),
        ("e > 2", "e, which is no parameter of the costs"),
        ("d >", "unexpected end"),
        ([3, None], "NoneType"),
    ],
)
def test_what_cannot_be_assumed_is_refused(assuming: Any, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        deductible(assuming)


def test_facts_that_contradict_each_other_and_numbers_that_contradict_facts_are_refused() -> None:
    with pytest.raises(SpecError, match="no values of d, m fit"):
        cd.derive(deductible(["d > m", "d < m"]))
    with pytest.raises(SpecError, match="not positive"):
        deductible().at(d=1, m=2)
    with pytest.raises(SpecError, match="not positive"):
        cd.derive(deductible()).rule.at(d=1, m=2)


def test_where_letters_decide_the_message_says_that_they_may_be_assumed() -> None:
    with pytest.raises(SpecError, match="depends on whether") as refusal:
        cd.costs_of_parts("k", "max(loss - d, 0)", parts={"loss": "pareto(3, m)"})
    assert "assuming=" in str(refusal.value)


def test_what_is_assumed_survives_a_spec_and_a_certificate() -> None:
    text = to_toml(
        parse(
            """[context]
kind = "parts"
c0 = "fee"
c1 = "max(loss - d, 0)"
parts = {fee = "exponential(2)", loss = "pareto(3, m)"}
assuming = "d > m"
""",
            "text",
        )
    )
    assert 'assuming = ["d - m > 0"]' in text
    derivation = cd.derive(parse(text, "text").context)
    again = cd.Derivation.from_json(derivation.to_json())
    assert again == derivation
    assert all(isinstance(law, AssumedLaw) for law in (again.context.c0, again.context.c1))


def test_a_proof_does_not_hold_without_what_it_assumes() -> None:
    curve = cd.Curve("max(x - d, 0) + 1", "3", "beta(2, 3)", assuming="d < 1")
    derivation = cd.derive(curve)
    (case,) = derivation.cases
    letter = sympy.Symbol("d", positive=True)
    beyond = replace(case.given, positive=tuple(fact for fact in case.given.positive if fact != 1 - letter))
    weaker = replace(derivation, cases=(Case(beyond, case.steps),))
    assert cd.check(weaker).verdict is not Verdict.PROVED


OPEN = {
    "max(x, y)": ({"x": "uniform(0, m)", "y": "uniform(0, n)"}, (), "m > n"),
    "max(loss - d, 0)": ({"loss": "pareto(a, m)"}, (), "d > m"),
    "max(loss - d, 1)": ({"loss": "uniform(5, 10)"}, "d > 5", "d < 9"),
    "min(loss, k) + 1": ({"loss": "uniform(0, b)"}, (), "b > k"),
}


@pytest.mark.parametrize("cost", OPEN)
def test_a_message_names_what_may_be_said_of_letters_and_that_is_enough(cost: str) -> None:
    parts, known, wanted = OPEN[cost]
    with pytest.raises(SpecError) as refusal:
        cd.costs_of_parts("2", cost, parts=parts, assuming=known)
    assert f'assuming="{wanted}"' in str(refusal.value)
    cd.costs_of_parts("2", cost, parts=parts, assuming=[known, wanted] if known else wanted)


@pytest.mark.parametrize("known", ["5/2", "3/7"])
def test_an_atom_of_a_cap_with_a_letter_is_at_a_breakpoint(known: str) -> None:
    capped = cd.costs_of_parts(known, "min(loss, h)", parts={"loss": "exponential(3)"})
    assert cd.check(cd.derive(capped)).verdict is Verdict.PROVED
