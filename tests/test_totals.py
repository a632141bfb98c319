"""A law is a law: its total is proved to be 1, and what is not a law is never proved to be one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy
from mpmath import mp

import costderive as cd
from costderive import multiclass
from costderive.core.errors import SpecError
from costderive.core.symbols import s
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    ExpectedLoss,
    MarginIntegral,
    PlaneIntegral,
    ProductIntegral,
)
from costderive.costs.laws import Density, Law, Mass, Spread, law_of, x
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import TakeExpectation
from costderive.multiclass.cost_moves import FindDistributions
from costderive.proof.checker import decide
from costderive.proof.claims import Step, Verdict
from costderive.spec import context_from

NAMED = (
    "uniform(a, b)",
    "triangular(a, b, c)",
    "exponential(m)",
    "gamma(k, v)",
    "gamma(5/2, v)",
    "invgamma(k, v)",
    "lognormal(mu, sigma)",
    "loglogistic(v, k)",
    "halfnormal(v)",
    "rayleigh(v)",
    "weibull(k, v)",
    "pareto(k, m)",
    "lomax(k, v)",
    "betaprime(a, b, v)",
    "maxwell(v)",
    "gompertz(k, v)",
    "invgauss(m, k)",
    "truncnormal(mu, sigma, a, b)",
    "truncnormal(mu, sigma, a, oo)",
    "beta(a, b)",
    "beta(1/2, 7/3)",
    "kumaraswamy(a, b)",
    "arcsine()",
    "logitnormal(mu, sigma)",
    "burr(a, b, v)",
    "dagum(a, b, v)",
    "frechet(k, v)",
    "gengamma(k, a, v)",
    "loguniform(a, b)",
    "pert(1, 2, 5)",
    "pert(1, 2, 4)",
    "chi2(k)",
    "erlang(3, v)",
    "levy(v)",
    "nakagami(k, v)",
)
NEARLY = ("1/10^3", "1/10^6", "1/10^9", "1/10^13", "1/10^30")


def verdict(context: Context, after: ExpectedLoss | None = None) -> Verdict:
    """Return the weakest verdict on the first step of a derivation."""
    given = context.given()
    step = (
        Step.make(TakeExpectation(), context, given)
        if after is None
        else Step(TakeExpectation(), context, after)
    )
    return min(decide(claim, given).verdict for claim in step.claims(given))


def with_law(law: Law) -> Context:
    """Return a context with a law that no reader has looked at."""
    context = cd.Independent(c0=1, c1="exponential(1)")
    object.__setattr__(context, "c0", law)
    return context


@pytest.mark.parametrize("text", NAMED)
def test_a_named_law_with_letters_is_proved_to_be_a_law(text: str) -> None:
    assert verdict(cd.Independent(c0=text, c1=1)) is Verdict.PROVED


@pytest.mark.parametrize(
    "text", ["gamma(k, v)", "beta(a, b)", "lognormal(mu, sigma)", "weibull(k, v)", "pareto(2, m)"]
)
def test_the_mean_of_a_budget_is_proved(text: str) -> None:
    assert verdict(cd.Additive(budget=text)) is Verdict.PROVED


@pytest.mark.parametrize("excess", NEARLY)
@pytest.mark.parametrize("density", ["1 + {}*s", "6*s*(1 - s) + {}", "pi/2*sin(pi*s) + {}*s^2"])
def test_a_density_whose_total_is_nearly_1_is_refused(density: str, excess: str) -> None:
    with pytest.raises(SpecError, match="total"):
        cd.derive(cd.Additive(density=density.format(excess)))


@pytest.mark.parametrize(
    "build",
    [
        lambda: cd.Additive(budget=2, density="7*a/41"),
        lambda: cd.Joint("7*k/41", ["c0<=1", "c1<=1"]),
        lambda: cd.Independent(c0={1: "1/2", 2: "0.5000005"}, c1=1),
        lambda: cd.Independent(c0={1: "a", 2: "1 - a^2"}, c1=1),
        lambda: cd.Curve("x", "2 - x", Density("1/2 + x/10^12", (0, 2))),
        lambda: cd.Additive(budget=Density("k*exp(-2*x)")),
    ],
)
def test_what_is_no_law_for_some_letters_is_refused(build: Any) -> None:
    with pytest.raises(SpecError, match="total"):
        cd.derive(build())


def test_the_error_shows_the_exact_total_and_says_how_to_normalize() -> None:
    with pytest.raises(SpecError, match=r"(?s)7\*a/41 \(.* where a = .*normalize"):
        cd.Additive(density="7*a/41")


@pytest.mark.parametrize("excess", NEARLY)
def test_a_law_past_every_reader_is_not_proved_if_its_total_is_off(excess: str) -> None:
    off = sympy.Rational(1, 10 ** int(excess.split("^")[1]))
    density = sympy.exp(-x) * (1 + off)
    law = Law((Spread(sympy.S.Zero, sympy.oo, density),))
    good = Antiderivative(-sympy.exp(-x), sympy.Integer(-1), sympy.S.Zero)
    wrong = Antiderivative(-sympy.exp(-x) * (1 + off), -1 - off, sympy.S.Zero)
    context = with_law(law)
    start = context.expected_loss()
    for found in (good, wrong, Antiderivative(), replace(wrong, at_low=sympy.Integer(-1))):
        known = Step.make(
            TakeExpectation(), cd.Independent(c0=1, c1="exponential(1)"), context.given()
        ).after.totals[1]
        assert verdict(context, replace(start, totals=((found,), known))) < Verdict.PROVED


def test_masses_off_by_1e_minus_30_are_not_proved() -> None:
    masses = (
        Mass(sympy.Integer(1), sympy.Rational(1, 2)),
        Mass(sympy.Integer(2), sympy.Rational(1, 2) + sympy.Rational(1, 10**30)),
    )
    context = with_law(Law((), masses))
    known = Step.make(
        TakeExpectation(), cd.Independent(c0=1, c1="exponential(1)"), context.given()
    ).after.totals[1]
    assert verdict(context, replace(context.expected_loss(), totals=((), known))) is Verdict.REFUTED


def test_totals_left_out_are_not_proved() -> None:
    context = cd.Additive(density="beta(2, 3)")
    assert verdict(context, context.expected_loss()) is Verdict.OPEN  # as in a certificate of version 1


def test_a_budget_with_a_pole_of_little_weight_inside_is_not_proved() -> None:
    law = Law(
        (Spread(sympy.S.Zero, sympy.S.One, 1 + sympy.Rational(1, 10**20) / (x - sympy.Rational(1, 3)) ** 2),)
    )
    context = cd.Additive(budget="uniform(0, 1)")
    object.__setattr__(context, "mean", law)
    tail = -sympy.Rational(1, 10**20) / (x - sympy.Rational(1, 3))
    start = Step.make(TakeExpectation(), cd.Additive(), context.given()).after.totals
    ends = [(x + tail).subs(x, end) for end in (0, 1)]
    found = (*start, (Antiderivative(x + tail, *ends),), (Antiderivative(),))
    assert verdict(context, replace(context.expected_loss(), totals=found)) < Verdict.PROVED


def test_where_no_antiderivative_is_found_nothing_is_proved() -> None:
    with mp.workdps(40):
        whole = sympy.Rational(str(mp.quad(lambda y: mp.exp(-(mp.sin(y) ** 4)), [0, 1])))
    density = sympy.exp(-(sympy.sin(s) ** 4)) / whole
    context = cd.Additive(density=Density(density, (0, 1)))
    findings = [
        decide(claim)
        for claim in Step.make(TakeExpectation(), context, context.given()).claims(context.given())
    ]
    unproved = [finding for finding in findings if finding.verdict < Verdict.PROVED]
    assert any("quadrature only" in finding.claim.what for finding in unproved)


@pytest.mark.parametrize(
    "build",
    [
        lambda: cd.Joint("2/B^2", "c0 + c1 <= B"),
        lambda: cd.Joint("3*abs(c0 - c1)", ((0, 1), (0, 1))),
        lambda: cd.Joint("exp(-c0 - c1)", ((0, "oo"), (0, "oo"))),
        lambda: cd.Joint("1 + h*(1 - 2*c0)*(1 - 2*c1)/(1 + h)", ((0, 1), (0, 1))),
    ],
)
def test_the_total_of_a_joint_density_is_proved(build: Any) -> None:
    assert verdict(build()) is Verdict.PROVED


@pytest.mark.parametrize(
    "build",
    [
        lambda: cd.Joint("4*c0*c1", ((0, 1), (0, 1))),
        lambda: cd.Joint("4*(1 + 2*c0)*(3 + c1)/45", ("c0 <= 1", "c1 <= 3/2")),
        lambda: cd.Joint("exp(-c0 - c1)", ((0, "oo"), (0, "oo"))),
    ],
)
def test_the_total_of_a_product_on_a_rectangle_is_a_product_of_totals(build: Any) -> None:
    context = build()
    after = Step.make(TakeExpectation(), context, context.given()).after
    assert isinstance(after.totals[0], ProductIntegral)
    assert verdict(context) is Verdict.PROVED


def test_a_falsified_product_of_totals_is_not_proved() -> None:
    context = cd.Joint("4*c0*c1", ((0, 1), (0, 1)))
    after = Step.make(TakeExpectation(), context, context.given()).after
    (found,) = after.totals
    ((first, second),) = found.rectangles
    c0, c1 = first.on.variable, second.on.variable
    off = replace(first.antiderivative, at_high=first.antiderivative.at_high + sympy.Rational(1, 10**30))
    pairs = [
        (second, first),
        (replace(first, antiderivative=off), second),
        (replace(first, function=-first.function), replace(second, function=-second.function)),
        (replace(first, function=first.function / c1), replace(second, function=second.function * c1)),
        (replace(first, on=replace(first.on, high=sympy.Integer(2))), second),
        (replace(first, on=replace(first.on, high=c1)), second),
        (replace(first, on=replace(first.on, variable=c1)), second),
        (replace(first, antiderivative=Antiderivative()), second),
    ]
    for wrong in [(pair,) for pair in pairs] + [(), ((first, second), (first, second))]:
        totals = (replace(found, rectangles=wrong),)
        assert verdict(context, replace(after, totals=totals)) < Verdict.PROVED
    assert c0 != c1


def by_margins(total: str) -> cd.Joint:
    """A law whose density has no antiderivative over the plane that is found."""
    return cd.Joint(f"({total})*log(1 + c0)*exp(-c0 - c1*log(1 + c0))", ((0, "oo"), (0, "oo")))


def test_a_total_over_margins_is_proved_and_refuted() -> None:
    context, off = by_margins("1"), by_margins("1 + 1/10^14")
    assert isinstance(Step.make(TakeExpectation(), off, off.given()).after.totals[0], MarginIntegral)
    assert (verdict(context), verdict(off)) == (Verdict.PROVED, Verdict.REFUTED)


def test_a_falsified_total_over_margins_is_not_proved() -> None:
    context = by_margins("1")
    after = Step.make(TakeExpectation(), context, context.given()).after
    (found,) = after.totals
    (one,) = found.margins
    off = replace(one.over, at_high=one.over.at_high + sympy.Rational(1, 10**30))
    wrong = [
        replace(one, over=off),
        replace(one, within=off),
        replace(one, held=one.other, other=one.held),
        replace(one, held=replace(one.held, high=sympy.Integer(2))),
        replace(one, over=Antiderivative()),
    ]
    for margins in [*[(each,) for each in wrong], (), (one, one)]:
        totals = (replace(found, margins=margins),)
        assert verdict(context, replace(after, totals=totals)) < Verdict.PROVED


def test_an_integral_of_no_known_kind_is_no_total() -> None:
    context = cd.Joint("4*c0*c1", ((0, 1), (0, 1)))
    assert verdict(context, replace(context.expected_loss(), totals=(None,))) is Verdict.REFUTED


def test_a_triangle_is_no_rectangle() -> None:
    context = cd.Joint(2, "c0 + c1 <= 1")
    after = Step.make(TakeExpectation(), context, context.given()).after
    square = Step.make(TakeExpectation(), other := cd.Joint(1, ((0, 1), (0, 1))), other.given()).after
    ((first, second),) = square.totals[0].rectangles
    doubled = replace(first, function=2 * first.function)
    false = ProductIntegral(((doubled, second),))
    assert verdict(context, replace(after, totals=(false,))) < Verdict.PROVED


def test_a_falsified_integral_over_the_plane_is_not_proved() -> None:
    context = cd.Joint(2, "c0 + c1 <= 1")
    after = Step.make(TakeExpectation(), context, context.given()).after
    (plane,) = after.totals
    assert isinstance(plane, PlaneIntegral)
    (outer,) = plane.outer
    (inner,) = plane.inner
    off = sympy.Rational(1, 10**30)
    for wrong in (
        replace(plane, outer=(replace(outer, at_high=outer.at_high + off),)),
        replace(plane, outer=(replace(outer, function=2 * outer.function),)),
        replace(plane, outer=(Antiderivative(),)),
        replace(plane, inner=(replace(inner, value=2 * inner.value),)),
        replace(plane, slices=((),)),
        replace(plane, slices=((), ()), inner=(), outer=()),
    ):
        assert verdict(context, replace(after, totals=(wrong,))) < Verdict.PROVED


def test_the_weights_and_the_parts_of_a_mixture_are_proved_to_be_laws() -> None:
    mixture = cd.Mixture(("w", cd.Additive(density="beta(2, 2)")), ("1 - w", cd.FixedCosts(1, 2)))
    assert verdict(mixture) is Verdict.PROVED
    object.__setattr__(
        mixture, "parts", ((sympy.Rational(1, 2), cd.Additive()), (sympy.Rational(2, 3), cd.Additive()))
    )
    with pytest.raises(SpecError, match="7/6"):
        cd.derive(mixture)


def test_the_totals_survive_a_certificate() -> None:
    derivation = cd.derive(cd.Independent(c0="exponential(m)", c1=1))
    again = Derivation.from_json(derivation.to_json())
    assert again == derivation
    assert again.steps[0].after.totals


def test_a_density_may_be_normalized() -> None:
    law = law_of(Density("x^2*(1 - x)", (0, 1), normalize=True), "cost")
    assert sympy.integrate(law.spreads[0].density, (x, 0, 1)) == 1
    table = {"kind": "additive", "density": {"density": "s*(1 - s)", "support": [0, 1], "normalize": True}}
    assert context_from(table) == cd.Additive(density="6*s*(1 - s)")


def test_an_infinite_total_is_not_divided_by() -> None:
    with pytest.raises(SpecError, match="cannot be divided"):
        law_of(Density("1/x", (0, 1), normalize=True), "cost")


@pytest.mark.parametrize("excess", NEARLY)
def test_a_cost_of_several_classes_whose_total_is_off_is_not_proved(excess: str) -> None:
    off = sympy.Rational(1, 10 ** int(excess.split("^")[1]))
    costs = multiclass.IndependentCosts(("exponential(1)", "uniform(0, 1)"))
    for density, high in ((sympy.exp(-x) * (1 + off), sympy.oo), (1 + off, sympy.S.One)):
        law = Law((Spread(sympy.S.Zero, high, sympy.sympify(density)),))
        object.__setattr__(costs, "costs", (law, costs.laws[1]))
        claims = Step.make(FindDistributions(), costs, costs.given()).claims(costs.given())
        assert min(decide(claim).verdict for claim in claims) < Verdict.PROVED
