"""Coq gets independent costs whose densities are bells, as Weibull costs of the shape 2, from their law."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.contexts import Context
from costderive.publish.coq.bells import against, antiderivative, at_multiple, bells, product, whole
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.properness_section import properness
from costderive.publish.coq.setting import settings
from costderive.publish.coq.visible_signs import visible
from tests.coq_mutants import of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
LETTERS = cd.Independent("weibull(2, a)", "weibull(2, b)")
CONTEXTS: Mapping[str, Context] = {
    "HalfNormal": cd.Independent("halfnormal(1)", "halfnormal(2)"),
    "Numbers": cd.Independent("weibull(2, 1)", "weibull(2, 3)"),
    "BesideExponential": cd.Independent("weibull(2, 1)", "exponential(1)"),
}
y = sympy.Symbol("y", positive=True)


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]), library=False)


@with_coq
def test_coq_accepts_weibull_costs_with_letters_from_their_law(beside: Path) -> None:
    text = coq(cd.derive(LETTERS), library=False)
    assert left_out(text) == ()
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


@with_coq
@pytest.mark.parametrize(
    "context",
    [
        CONTEXTS["HalfNormal"],
        cd.Joint("2/pi*c0^2*exp(-c0^2/2-c1^2/2)", ()),
    ],
    ids=["half-normal", "Maxwell beside half-normal"],
)
def test_coq_accepts_costs_whose_tails_are_values_of_erf(context: Context, beside: Path) -> None:
    text = coq(cd.derive(context), library=False)
    assert left_out(text) == ()
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


OF_HALF_NORMAL = {
    "a density": ("exp (- x ^ 2 / 8) / (2 *", "exp (- x ^ 2 / 8) / (3 *", "dense1"),
    "a tail": ("tail0 (x : R) : R :=\n  (-", "tail0 (x : R) : R :=\n  (1 -", "law0"),
    "a term beside an integral": (
        "[((1 - p) / (PI * p))] x",
        "[((1 - p) / (PI * p ^ 2))] x",
        "slope_of_paid0",
    ),
    "the total": ("has_total_of_areas areas 1", "has_total_of_areas areas 2", "total_is_1"),
}
HALF_NORMAL_MUTANTS = of_one_file(text, "HalfNormal", OF_HALF_NORMAL)


@with_coq
@pytest.mark.parametrize("what", OF_HALF_NORMAL)
def test_coq_stops_at_what_breaks_beside_integrals_of_bells(what: str, beside: Path) -> None:
    HALF_NORMAL_MUTANTS.require_rejected(what, beside)


CHANGES = {
    "a density": ("density0 (x : R) : R := 2 * x", "density0 (x : R) : R := 3 * x", "dense0"),
    "a tail": ("tail1 (x : R) : R :=\n  polynomial [1]", "tail1 (x : R) : R :=\n  polynomial [2]", "law1"),
    "a mean": ("mean_below0 (x : R) : R :=\n  1 *", "mean_below0 (x : R) : R :=\n  2 *", "law0"),
    "what a class pays": (
        "paid0 (p x : R) : R :=\n  (9 *",
        "paid0 (p x : R) : R :=\n  (8 *",
        "slope_of_paid0",
    ),
    "its most": (
        "paid_at_most1 (p : R) : R :=\n  (",
        "paid_at_most1 (p : R) : R :=\n  2 * (",
        "costs_of_piece1",
    ),
    "the total": ("has_total_of_areas areas 1", "has_total_of_areas areas 2", "total_is_1"),
}
MUTANTS = of_one_file(text, "Numbers", CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_stops_at_the_lemma_that_a_change_breaks(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


# ---- strictness from the density alone


@with_coq
@pytest.mark.parametrize(
    "context",
    [cd.Independent("weibull(2, a)", "exponential(b)"), cd.Independent("gamma(2, 1)", "rayleigh(1)")],
    ids=["Weibull beside exponential, letters", "Gamma beside Rayleigh"],
)
def test_coq_accepts_strictness_where_no_sign_of_a_weight_is_visible(context: Context, beside: Path) -> None:
    derivation = cd.derive(context)
    with pytest.raises(ExportError, match="sign of the threshold weight"):
        properness(settings(derivation)[0])
    text = coq(derivation, library=False)
    assert left_out(text) == () and {"proper", "strictly_proper", "law_is_strictly_proper"} <= {
        *theorems(text)
    }
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


BY_LAW = {
    "a density": ("density1 (x : R) : R := exp", "density1 (x : R) : R := 2 * exp", "dense1"),
    "a density that is 0 somewhere": (
        "density0 (x : R) : R := 2 * x",
        "density0 (x : R) : R := 2 * (x - 1)",
        "dense0",
    ),
    "the region": (
        "[independent density0 density1]",
        "[Area (fun c0 c1 => density0 c0 * density1 c1) (fun c0 c1 => [1 - c0])]",
        "lawful_costs",
    ),
    "a loss": ("(1 - p) ^ 2 / (2 * p ^ 2) -", "(1 - p) ^ 2 / (3 * p ^ 2) -", "costs_of_piece1"),
    "the weight": ("(5 * p ^ 2 + 1", "(6 * p ^ 2 + 1", "slopes1"),
    "where it is strict": ("spread_between 0 1 areas", "spread_between (- 1) 1 areas", "spread_thresholds"),
    "the total": ("has_total_of_areas areas 1", "has_total_of_areas areas 2", "total_is_1"),
}
MUTANTS_BY_LAW = of_one_file(text, "BesideExponential", BY_LAW)


@with_coq
@pytest.mark.parametrize("what", BY_LAW)
def test_coq_stops_at_what_breaks_properness_by_the_law(what: str, beside: Path) -> None:
    MUTANTS_BY_LAW.require_rejected(what, beside)


def test_bells_have_antiderivatives_of_their_kind() -> None:
    for expr in (
        y**3 * sympy.exp(-2 * y**2 - 3 * y),
        y**2 * sympy.exp(-y) + sympy.exp(-(y**2)),
        y * sympy.exp(-y / 3),
    ):
        plain = bells(expr, y)
        assert plain is not None
        found = antiderivative(plain)
        integrals = sum(a * _bell(rate) for rate, a in found.integrals.items())
        assert sympy.simplify(sympy.diff(_expr(found.plain), y) + integrals - expr) == 0


def test_a_density_beside_a_tail_with_integrals_is_integrated_by_parts() -> None:
    """By quadrature of the density times the tail ``erfc``, over a stretch."""
    density, ratio = bells(y**3 * sympy.exp(-(y**2)), y), sympy.Rational(2)
    tail = antiderivative(bells(sympy.exp(-(y**2)), y) or {}).opposite_from_far()
    found = against(density or {}, tail, ratio)
    beside = sympy.Add(
        *[_expr(dict(plain)) * _bell_to(rate) for rate, plain in found.beside.items()],
        *[a * _bell_to(rate) for rate, a in found.integrals.items()],
    )
    gained = (_expr(dict(found.plain)) + beside).subs(y, 2) - (_expr(dict(found.plain)) + beside).subs(y, 1)
    exact = mp.quad(lambda u: u**3 * mp.exp(-(u**2)) * mp.sqrt(mp.pi) / 2 * mp.erfc(2 * u), [1, 2])
    assert abs(gained.evalf(20) - exact) < 1e-15


def _bell_to(rate: tuple[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    square, lean = rate
    return whole(rate) * sympy.erf(sympy.sqrt(square) * y + lean / sympy.sqrt(square))


def test_products_and_multiples_of_bells() -> None:
    first, second = bells(y * sympy.exp(-(y**2)), y), bells((1 + y) * sympy.exp(-y), y)
    assert first is not None and second is not None
    assert sympy.simplify(_expr(product(first, second)) - y * (1 + y) * sympy.exp(-(y**2) - y)) == 0
    assert sympy.simplify(_expr(at_multiple(second, sympy.Integer(3))) - (1 + 3 * y) * sympy.exp(-3 * y)) == 0
    assert bells(sympy.exp(-(y**3)), y) is None and bells(sympy.sqrt(y), y) is None


def _bell(rate: tuple[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    return sympy.exp(-(rate[0] * y**2 + 2 * rate[1] * y))


def _expr(plain: object) -> sympy.Expr:
    assert isinstance(plain, dict)
    return sympy.Add(*[a * y**n * _bell(rate) for rate, powers in plain.items() for n, a in powers.items()])


def test_letters_in_exponents_too_large_for_floating_point_are_no_crash() -> None:
    """Powers of two scales with a letter as their exponent had no value at a sample point: an OverflowError."""
    text = coq(cd.derive(cd.Independent("weibull(k, a)", "weibull(k, b)")), library=False)
    assert left_out(text) == ()


def test_a_value_too_small_to_be_written_as_a_fraction_does_not_hang() -> None:
    """A Weibull cost with a letter as its shape beside a uniform one had such a sample: minutes, without an end."""
    a = sympy.Symbol("a", positive=True)
    seen = visible(2 + sympy.exp(-sympy.exp(30 * a)), None, Given())
    assert seen is not None and seen.strict
