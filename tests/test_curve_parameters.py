"""Curves whose cost proportion cannot be solved for their parameter: rules in the parameter, proved and compiled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Expr, Rational, exp, log, oo

import costderive as cd
from costderive.core import curve_places, symbols
from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, parameter
from costderive.costs.contexts import Context
from costderive.deciders.one_way import runs_one_way
from costderive.deciders.signs import positive
from costderive.numeric import compiling
from costderive.numeric.loss_functions import compiled
from costderive.numeric.point_pairs import Points
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Equal, Positive, Step, Tends, Verdict
from costderive.rules.losses import Losses

x, a, h, k = (parameter(name) for name in ("x", "a", "h", "k"))
PLACES = (0.03, 0.4, 0.77)

# costs, the density of x and its range, each as a function of mpmath numbers, beside the context
CURVES: dict[str, tuple[Context, dict[str, int], Any, Any, Any, tuple[float, float]]] = {
    "a logarithm": (
        cd.Curve(c0="x", c1="1 + log(1 + x)", density="exponential(1)"),
        {},
        lambda z: z,
        lambda z: 1 + mpmath.log(1 + z),
        lambda z: mpmath.exp(-z),
        (0, mpmath.inf),
    ),
    "a root and a logarithm, each integrated in its own way": (
        cd.Curve(c0="sqrt(x) + log(1 + x)", c1="exp(-a*x)", density="gamma(2, 1)"),
        {"a": 2},
        lambda z: mpmath.sqrt(z) + mpmath.log(1 + z),
        lambda z: mpmath.exp(-2 * z),
        lambda z: z * mpmath.exp(-z),
        (0, mpmath.inf),
    ),
    "a power and an exponential": (
        cd.Curve(c0="x + x^5", c1="exp(-x)", density="exponential(1)"),
        {},
        lambda z: z + z**5,
        lambda z: mpmath.exp(-z),
        lambda z: mpmath.exp(-z),
        (0, mpmath.inf),
    ),
    "a cost that falls by a logarithm": (
        cd.Curve(c0="1 + x^2", c1="3 - log(1 + x)", density="uniform(0, 2)"),
        {},
        lambda z: 1 + z**2,
        lambda z: 3 - mpmath.log(1 + z),
        lambda z: mpmath.mpf(1) / 2,
        (0, 2),
    ),
    "a cost that falls by an exponential": (
        cd.Curve(c0="x", c1="4 - exp(x)", density="uniform(0, log(3))"),
        {},
        lambda z: z,
        lambda z: 4 - mpmath.exp(z),
        lambda z: 1 / mpmath.log(3),
        (0, mpmath.log(3)),
    ),
    "a falling proportion": (
        cd.Curve(c0="exp(-x)", c1="x + x^3", density="gamma(2, 1)"),
        {},
        lambda z: mpmath.exp(-z),
        lambda z: z + z**3,
        lambda z: z * mpmath.exp(-z),
        (0, mpmath.inf),
    ),
    "Cardano's formula": (
        cd.Curve(c0="x", c1="1 - x^3", density="beta(2, 3)"),
        {},
        lambda z: z,
        lambda z: 1 - z**3,
        lambda z: 12 * z * (1 - z) ** 2,
        (0, 1),
    ),
    "Lambert's function, between two proportions": (
        cd.Curve(c0="log(1 + x)", c1="1 + x", density=1, support=(0, 1)),
        {},
        lambda z: mpmath.log(1 + z),
        lambda z: 1 + z,
        lambda z: 1,
        (0, 1),
    ),
    "letters": (
        cd.Curve(c0="x^k", c1="h + exp(-x)", density="exponential(m)"),
        {"k": 3, "h": 2, "m": 1},
        lambda z: z**3,
        lambda z: 2 + mpmath.exp(-z),
        lambda z: mpmath.exp(-z),
        (0, mpmath.inf),
    ),
    "letters at the end": (
        cd.Curve(c0="x^k", c1=1, density="1/h", support=(0, "h")),
        {"k": 3, "h": 2},
        lambda z: z**3,
        lambda z: mpmath.mpf(1),
        lambda z: mpmath.mpf(0.5),
        (0, 2),
    ),
}

HALF = Rational(1, 2)


def expected(name: str, label: int, at: float) -> Any:
    """Return ``E[c0; s < p]`` or ``E[c1; s >= p]``, by quadrature on each side of where a bisection finds s = p."""
    _, _, c0, c1, density, (low, high) = CURVES[name]
    far = 60 if high == mpmath.inf else high

    def below(z: Any) -> bool:
        return bool(c0(z) < at * (c0(z) + c1(z)))

    starts_below = below(mpmath.mpf("1e-15"))
    first, last = mpmath.mpf(low), mpmath.mpf(far)
    for _ in range(120):
        middle = (first + last) / 2
        first, last = (middle, last) if below(middle) == starts_below else (first, middle)
    parts = ((low, first), (first, far))
    start, stop = parts[0] if starts_below == (label == 0) else parts[1]
    cost = (c0, c1)[label]
    cuts = [start, *(cut for cut in (1, 5, 20) if start < cut < stop), stop]
    return mpmath.quad(lambda z: cost(z) * density(z), cuts)


@pytest.fixture(scope="module", params=CURVES)
def derived(request: pytest.FixtureRequest) -> tuple[str, cd.Derivation]:
    return request.param, cd.derive(CURVES[request.param][0])


def test_the_losses_are_proved_and_those_expected(derived: tuple[str, cd.Derivation]) -> None:
    name, derivation = derived
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    values = CURVES[name][1]
    rule = derivation.rule.at(**values) if values else derivation.rule
    for label, loss in enumerate((rule.loss0, rule.loss1)):
        for at in PLACES:
            found = loss.subs(p, Rational(str(at))).evalf(15)
            assert float(found) == pytest.approx(float(expected(name, label, at)), rel=1e-12, abs=1e-14)


def test_a_certificate_holds_the_curve(derived: tuple[str, cd.Derivation]) -> None:
    _, derivation = derived
    again = cd.Derivation.from_json(derivation.to_json())
    assert again == derivation and again.rule == derivation.rule


def test_the_equation_is_said_wherever_the_losses_are() -> None:
    derivation = cd.derive(CURVES["Cardano's formula"][0])
    said = "x(p) is the root x of c0/(c0 + c1) = p, with c0 = x and c1 = 1 - x**3, for 0 < x < 1"
    assert said in str(derivation)
    report = cd.check(derivation)
    assert all("is the root" in write(derivation, report) for write in (cd.export.latex, cd.export.markdown))


def test_two_curves_have_parameters_of_two_names_and_an_atom_stands_beside_them() -> None:
    first = cd.Curve(c0="x", c1="exp(-x)", density="exponential(1)")
    second = cd.Curve(c0="exp(-x)", c1="x + x^3", density="exponential(2)")
    rule = cd.derive(cd.Mixture(("1/4", first), ("1/4", second), ("1/2", cd.FixedCosts(1, 3)))).rule
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    draws = np.random.default_rng(5).exponential(1, 400_000)
    c0 = np.concatenate([draws, np.exp(-2 * draws)])
    c1 = np.concatenate([np.exp(-draws), 2 * draws + (2 * draws) ** 3])
    for at in (0.2, 0.6):
        is_below = c0 / (c0 + c1) < at
        by_hand = (
            (c0 * is_below).mean() / 2 + (at > 0.25) / 2,
            (c1 * ~is_below).mean() / 2 + (at <= 0.25) * 1.5,
        )
        found = [float(loss.subs(p, Rational(str(at))).evalf(12)) for loss in (rule.loss0, rule.loss1)]
        assert found == pytest.approx(by_hand, rel=0.02)  # of 400 000 draws the error is below 0.5 %
    assert {node.stretch.variable.name for node in rule.loss0.atoms(CurveParameter)} == {"x", "x2"}


def test_a_cost_that_is_0_at_an_irrational_end_is_no_negative_cost() -> None:
    context = cd.Curve(c0="x", c1="2 - x^2", density="1/sqrt(2)", support=(0, "sqrt(2)"))
    rule = cd.derive(context).rule
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    assert float(rule.bounds[1][1]) == pytest.approx(4 / 3)
    with pytest.raises(cd.errors.SpecError, match=r"context\.c1"):
        cd.Curve(c0="x", c1="2 - x^2", density="2/3", support=(0, "3/2"))


# ---- what must not pass

LINE = OneWay(x, 2 - x, x, 0, 2, 0, 1, 1)  # s = x/2


@pytest.mark.parametrize(
    "curve",
    [
        OneWay(x, 2 - x, x, 0, 2, 0, 1, -1),  # it does not fall
        OneWay(x, 2 - x, x, 0, 2, 1, 0, 1),  # it does not begin at 1
        OneWay(x, 2 - x, x, 0, 1, 0, 1, 1),  # it ends at 1/2
        OneWay(x, 2 - x, x, 0, 2, 0, Rational(1, 2), 1),
        OneWay(x, 1 + x**2, x, 0, oo, 0, 1, 1),  # it turns at 1
        OneWay(x, x - 1, x, 0, 2, 0, 1, 1),  # both costs are below 0 near 0
        OneWay(x, a, x, 0, 1, 0, 1, 1),  # at 1 it is 1/(1 + a)
        OneWay(sympy.Abs(x - 1) + x - 1, 2, x, 0, 2, 0, Rational(1, 2), 1),  # it stays at 0 and has a corner
        OneWay(x - 1, 3 - x, x, -1, 3, 0, 1, 1),
    ],
    ids=str,
)
def test_a_curve_that_does_not_run_as_it_says_proves_nothing(curve: OneWay) -> None:
    assert not runs_one_way(curve, Given())
    at = CurveParameter(curve, p)
    on = Interval(p, Rational(1, 5), Rational(1, 3))
    for claim in (Positive("", at, on), Equal("", at * (1 - p) - p * at, at - 2 * p * at, on)):
        assert decide(claim).verdict is Verdict.OPEN
    assert decide(Tends("", at, p, Rational(1, 4), "+", at.subs(p, Rational(1, 4)))).verdict is Verdict.OPEN


def test_claims_about_a_parameter_are_decided_on_its_curve() -> None:
    at = CurveParameter(LINE, p)
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    assert decide(Equal("", at, 2 * p, on)).verdict is Verdict.PROVED
    assert decide(Equal("", at, 2 * p + p**40, on)).verdict is Verdict.REFUTED
    assert decide(Equal("", sympy.diff(at, p), sympy.Integer(2), on)).verdict is Verdict.PROVED
    assert decide(Positive("", 2 - at, on)).verdict is Verdict.PROVED
    assert decide(Positive("", 1 - at, on)).verdict is Verdict.REFUTED
    assert decide(Tends("", exp(-at), p, sympy.S.One, "-", exp(-2))).verdict is Verdict.PROVED
    assert decide(Tends("", exp(-at), p, sympy.S.One, "-", exp(-1))).verdict is not Verdict.PROVED
    beyond = Interval(p, sympy.S.Zero, sympy.Integer(2))  # there is no such parameter at p > 1
    assert decide(Positive("", 3 - at, beyond)).verdict is not Verdict.PROVED


CUBIC = OneWay(x**2 * (3 - 2 * x), 1 - x**2 * (3 - 2 * x), x, 0, 1, 0, 1, 1)
SINE = OneWay(sympy.sin(sympy.pi * x / 2), 1 - sympy.sin(sympy.pi * x / 2), x, 0, 1, 0, 1, 1)
WITH_LETTER = OneWay(x * (1 + a * x**4), 1 + a - x * (1 + a * x**4), x, 0, 1, 0, 1, 1)


@pytest.mark.parametrize(
    ("curve", "place"),
    [
        (CUBIC, Rational(1, 3)),
        (SINE, Rational(2, 3)),
        (WITH_LETTER, Rational(1, 5)),
        (CUBIC, sympy.sqrt(2) / 3),
        (CUBIC, 2 / (5 - sympy.E)),
        (OneWay(x + x**5, x / a, x, 0, oo, a / (1 + a), 1, 1), Rational(7, 2)),
        (OneWay(x + x**5, x / a, x, 0, oo, a / (1 + a), 1, 1), a / 2),
    ],
    ids=str,
)
def test_a_place_at_the_proportion_there_is_known(curve: OneWay, place: Expr) -> None:
    at = CurveParameter(curve, curve.proportion.subs(x, place))
    assert decide(Equal("", at**2, place**2, None)).verdict is Verdict.PROVED
    for wrong in (place + Rational(1, 10**30), place + Rational(1, 10**6), 2 * place):
        assert decide(Equal("", at, wrong, None)).verdict is not Verdict.PROVED
    off = CurveParameter(curve, curve.proportion.subs(x, place + Rational(1, 10**30)))
    assert decide(Equal("", off, place, None)).verdict is not Verdict.PROVED


def test_a_variable_at_the_proportion_there_is_known_inside_its_curve() -> None:
    on, s = Interval(symbols.s, sympy.S.Zero, sympy.S.One), symbols.s
    at = CurveParameter(CUBIC, CUBIC.proportion.subs(x, s))
    assert decide(Equal("", at, s, on)).verdict is Verdict.PROVED
    assert decide(Equal("", at, s**2, on)).verdict is not Verdict.PROVED
    farther = Interval(s, sympy.S.Zero, Rational(5, 4))  # the proportion turns at 1
    assert decide(Equal("", at, s, farther)).verdict is not Verdict.PROVED
    turns = OneWay(x**2 * (3 - 2 * x), 1 - x**2 * (3 - 2 * x), x, 0, Rational(3, 2), 0, 0, 1)
    turned = CurveParameter(turns, turns.proportion.subs(x, s))
    assert decide(Equal("", turned, s, on)).verdict is not Verdict.PROVED


def test_a_place_is_on_the_side_of_a_number_on_which_its_proportion_is() -> None:
    low, high = (CurveParameter(WITH_LETTER, Rational(*part)) for part in ((1, 10), (9, 10)))
    assert decide(Positive("", high - HALF, None)).verdict is Verdict.PROVED
    assert decide(Positive("", (2 * high - 1) ** 2, None)).verdict is Verdict.PROVED
    for wrong in (HALF - high, low - HALF, HALF - low, (2 * low - 1) ** 2 - 1):  # of low a decides the side
        assert decide(Positive("", wrong, None)).verdict is not Verdict.PROVED


def test_the_variable_of_a_curve_is_bound_also_if_the_claim_has_the_same_letter() -> None:
    on, zero, one = Interval(p, sympy.S.Zero, sympy.S.One), sympy.S.Zero, sympy.S.One
    twice = CurveParameter(OneWay(p, 2 - p, p, zero, sympy.Integer(2), zero, one, 1), p)
    slope = sympy.Derivative(twice, p)
    assert decide(Equal("", slope, one, on)).verdict is not Verdict.PROVED
    assert decide(Equal("", slope, sympy.Integer(2), on)).verdict is Verdict.PROVED


def test_a_limit_in_a_letter_of_a_curve_that_degenerates_is_not_taken() -> None:
    x = parameter("x")
    inverse = CurveParameter(
        OneWay(p * x, sympy.S.One, x, sympy.S.Zero, oo, sympy.S.Zero, sympy.S.One, 1), HALF
    )
    for expr, wrong in ((p * inverse, sympy.S.Zero), (exp(-p * inverse), sympy.S.One)):
        found = decide(Tends("", expr, p, sympy.S.Zero, "+", wrong)).verdict
        assert found is not Verdict.PROVED


def test_a_sign_beyond_the_reach_of_a_curve_is_undecided() -> None:
    x = parameter("x")
    curve = OneWay(sympy.S.One, x**3 + x, x, sympy.S.One, oo, Rational(1, 3), sympy.S.Zero, -1)
    found = CurveParameter(curve, p)
    assert not positive(exp(found) * log(found + 1), Interval(p, sympy.S.Zero, sympy.S.One), Given())


def test_a_value_at_a_number_is_enclosed_and_has_a_sign() -> None:
    at = CurveParameter(OneWay(x, 1 + log(1 + x), x, 0, oo, 0, 1, 1), Rational(1, 3))
    near = mpmath.findroot(lambda z: 2 * z - 1 - mpmath.log(1 + z), 0.8)
    assert float(at.evalf(20)) == pytest.approx(float(near), rel=1e-14)
    low, high = Rational(str(near)[:12]), Rational(str(near)[:12]) + Rational(1, 10**9)
    assert decide(Positive("", at - low)).verdict is decide(Positive("", high - at)).verdict is Verdict.PROVED
    assert decide(Positive("", at - high)).verdict is Verdict.REFUTED


def tampered(derivation: cd.Derivation, change: Any) -> cd.Derivation:
    """Change the losses wherever a step holds them."""
    [case] = derivation.cases

    def changed(found: Any) -> Any:
        return replace(found, loss0=found.loss0.map(change)) if isinstance(found, Losses) else found

    steps = tuple(Step(step.move, changed(step.before), changed(step.after)) for step in case.steps)
    return replace(derivation, cases=(Case(case.given, steps),))


@pytest.mark.parametrize(
    "change",
    [
        lambda loss: loss + p**9 / 1000,
        lambda loss: loss * Rational(1001, 1000),
        lambda loss: loss.subs(p, p**2),
        lambda loss: loss.replace(
            CurveParameter,
            lambda stretch, at: CurveParameter(OneWay(2 * x, *stretch.parts[1:]), at),
        ),
    ],
)
def test_changed_losses_are_not_proved(change: Any) -> None:
    derivation = cd.derive(CURVES["Cardano's formula"][0])
    assert tampered(derivation, lambda loss: loss) == derivation
    assert cd.check(tampered(derivation, change)).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["Integer", "1"], ["Symbol", "p"]]', '["Integer", "2"], ["Symbol", "p"]]'),
        ('["CurveParameter", ["Symbol", "x"]', '["CurveParameter", ["Integer", "1"], ["Symbol", "x"]'),
    ],
)
def test_a_certificate_with_another_direction_or_more_parts_is_refused(old: str, new: str) -> None:
    text = cd.derive(CURVES["Cardano's formula"][0]).to_json()
    found = " ".join(text.split()).replace("[ ", "[").replace(" ]", "]")
    assert old in found
    with pytest.raises(cd.errors.SpecError):
        cd.Derivation.from_json(found.replace(old, new))


# ---- compiled


def test_compiled_losses_are_right_to_four_units_in_the_last_place() -> None:
    loss = cd.numeric.compile(cd.derive(CURVES["Cardano's formula"][0]).rule)
    for label in (0, 1):
        for at in (1e-9, 0.01, 0.3, 0.5, 0.84, 0.999):
            with mpmath.workdps(40):
                wanted = float(expected("Cardano's formula", label, mpmath.mpf(at)))
            [found] = loss.per_sample([label], [at])
            assert abs(found - wanted) <= 4 * np.spacing(wanted)


def test_a_curve_turns_where_an_equation_that_is_no_polynomial_says() -> None:
    derivation = cd.derive(cd.Curve("x*exp(-x)", "1", density="exponential(1)"))
    assert cd.check(derivation).verdict.name == "PROVED"
    middles = (np.arange(400_000) + 0.5) * 1e-4
    cost, share = middles * np.exp(-middles), np.exp(-middles) * 1e-4
    loss = cd.numeric.compile(derivation.rule)
    for report in (0.1, 0.2, 0.26):
        below = cost < report / (1 - report)
        assert loss.loss0(report) == pytest.approx(float((cost * share)[below].sum()), abs=1e-5)
        assert loss.loss1(report) == pytest.approx(float(share[~below].sum()), abs=1e-4)


@pytest.mark.parametrize(
    ("cost", "density"),
    [
        ("a + sin(x)", "uniform(0, 2*pi)"),
        ("a + sin(x)", "uniform(0, 7)"),
        ("a - x", "uniform(0, 1)"),
        ("a + log(x)", "uniform(0, 1)"),
        ("x - a", "exponential(1)"),
    ],
)
def test_a_cost_that_letters_can_make_negative_is_refused(cost: str, density: str) -> None:
    with pytest.raises(SpecError, match=r"is negative at .* >= 0 is needed where"):
        cd.Curve(c0=cost, c1=1, density=density)
    with pytest.raises(SpecError, match=r"context\.c1"):
        cd.Curve(c0=1, c1=cost, density=density)


@pytest.mark.parametrize(
    ("cost", "density"),
    [("a + 1 + sin(x)", "uniform(0, 7)"), ("a - x", "uniform(0, a)"), ("x - a", "uniform(a, b)")],
)
def test_a_cost_that_no_letters_make_negative_is_read(cost: str, density: str) -> None:
    assert cd.Curve(c0=cost, c1=1, density=density).parameters


LOGARITHM = OneWay(x, -log(x - 1), x, 1, 2, 0, 1, 1)  # the cost of an exponential law


@pytest.mark.parametrize("report", ["1e-3", "1e-30", "1e-80", "1e-300"])
def test_a_place_next_to_an_end_has_all_its_digits(report: str) -> None:
    with mpmath.workdps(400):
        p = mpmath.mpf(report)
        place = LOGARITHM.placed(p)
        nearly = -(1 - p) / p  # the logarithm of the distance d satisfies log d = -(1 + d) (1 - p)/p
        assert place.variable >= 1 >= place.before_high
        assert (
            abs(mpmath.log(place.beyond_low) / (nearly * (1 + place.beyond_low)) - 1) < mpmath.mpf(10) ** -390
        )


def test_a_place_next_to_an_end_where_a_logarithm_is_a_number_has_all_its_digits() -> None:
    """``log((x - 1)/2)`` at ``x = 3 - d`` is ``log1p(-d/2)``: no digit of d is lost."""
    curve = OneWay(x, -5 * log(x - 1) + 5 * log(2), x, 1, 3, 0, 1, 1)
    for digits in (20, 200):
        with mpmath.workdps(60 + digits):
            rest = mpmath.mpf(10) ** -digits
            d = curve.placed(1 - rest).before_high
            expected = -5 * mpmath.log1p(-d / 2) / (3 - d) * (1 - rest)
            assert abs(expected / rest - 1) < mpmath.mpf(10) ** -50


FALLING = OneWay(x, sympy.sqrt(-log((1 + x) * exp(-x))), x, 0, sympy.oo, 2 - sympy.sqrt(2), 1, 1)


@pytest.mark.parametrize("digits", [20, 200, 330])
def test_a_place_is_found_though_farther_out_a_cost_has_no_number(digits: int) -> None:
    """Beyond every number of digits ``exp(-x)`` is 0, and its logarithm infinite: the place is nearer."""
    with mpmath.workdps(2 * digits):
        gap = mpmath.mpf(10) ** -digits
        place = FALLING.placed(1 - gap).variable
        assert (
            abs(mpmath.sqrt(place - mpmath.log1p(place)) / place * (1 - gap) / gap - 1)
            < mpmath.mpf(10) ** -digits
        )


EXPONENTIAL = OneWay(exp(x) - 1, log(x + 1) + Rational(1, 2), x, 0, 2, 0, 1, 1)


@pytest.mark.parametrize("report", ["0.1", "1e-30", "1e-300"])
def test_an_exponential_that_is_nearly_one_loses_no_digits_and_no_time(
    report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newton's method finds the place from doubles: nothing is halved with many digits."""
    bracketed = curve_places._bracketed
    monkeypatch.setattr(
        curve_places,
        "_bracketed",
        lambda gap, numbers: bracketed(gap, numbers) if numbers is mpmath.fp else 1 / 0,
    )
    with mpmath.workdps(60):
        p = mpmath.mpf(report)
        place = EXPONENTIAL.placed(p).variable
        c0, c1 = mpmath.expm1(place), mpmath.log1p(place) + mpmath.mpf(1) / 2
        assert abs(c0 / c1 * (1 - p) / p - 1) < mpmath.mpf(10) ** -56


def test_losses_that_fall_exponentially_next_to_an_end_are_within_the_error_that_the_plan_states() -> None:
    rule = cd.derive(cd.Copula("countermonotone", c0="uniform(1, 2)", c1="exponential(1)")).rule
    rough = compiled(compiling.in_numbers(rule), 0, is_rough=True)
    stated = max(segment.part.ulps or 0.0 for segment in rough.segments)
    assert 0 < stated < 40
    for report in (0.004, 0.03, 0.2, 0.5, 0.83, 0.99):
        with mpmath.workdps(320):
            at, low, high = map(
                mpmath.mpf, (report, 0, 1)
            )  # levels of c0 = 1 + u, of which -log u is the other cost
            for _ in range(1100):
                u = (low + high) / 2
                low, high = (u, high) if -at * mpmath.log(u) > (1 - at) * (1 + u) else (low, u)
            wanted = float(u + u**2 / 2)
        [found] = rough(Points.of(np.array([report])))
        assert abs(found - wanted) <= stated * np.spacing(wanted)
