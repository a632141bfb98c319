"""Values in balls are those of mpmath, and compiling needs no balls."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational, beta, betainc, erf, exp, expint, gamma, hyper, log, polylog, sqrt, uppergamma

import costderive as cd
from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.symbols import p
from costderive.numeric import ball_integrals, balls, scaled
from costderive.numeric.balls import TOO_SMALL
from costderive.numeric.long_integrals import Long
from costderive.numeric.many_digits import AGREE, DIGITS, End, Exact, in_p_and_r, r
from costderive.numeric.next_to_ends import first_bit

ENDS = (End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1), End.of(Rational(1, 3), 1), End.of(sqrt(2) / 2, -1))
DISTANCES = [mpmath.mpf(10) ** -k for k in (1, 3, 9, 40, 90)]
X, Y = sympy.symbols("x y", positive=True)
FORMS = {
    "a rational function": p**2 / (r + 2 * p) ** 2 - Rational(1, 7),
    "negative constants": log(Rational(1, 3)) - p * log(p) - sympy.pi * r,
    "a root": sqrt(p) * r ** Rational(1, 3) - sqrt(2),
    "an exponential that falls": exp(-r / p) * (1 + r / p),
    "normal tails": 1 + erf(log(p / r) / 2 - Rational(1, 2)),
    "what cancels": log(1 + p**2) - p**2 + p**4 / 2,
    "an exponential integral": exp(p) * expint(1, p) + expint(2, p),
    "an exponential integral of a number": r * exp(1) * expint(1, 1) - expint(1, sqrt(2)) * expint(1, p) - 1,
    "an incomplete Beta function": betainc(Rational(1, 2), Rational(5, 3), 0, p) / gamma(Rational(1, 6))
    - sqrt(p),
    "from a point inside": betainc(2, Rational(5, 3), Rational(1, 3), p) * 2 ** Rational(1, 3) - exp(p),
    "a dilogarithm": polylog(2, -p / r) + log(r) ** 2,
    "a hypergeometric function": hyper((1, Rational(1, 3)), (Rational(4, 3),), -((p / r) ** 3)) - r,
    "another one": hyper((1, 2, Rational(1, 3)), (2, Rational(4, 3)), -p) - beta(Rational(1, 3), 2),
    "an incomplete Gamma function": uppergamma(Rational(5, 2), p / r) - sympy.gamma(Rational(5, 2)),
}


@pytest.mark.parametrize("end", ENDS, ids=lambda end: f"{end.at}{end.side:+}")
@pytest.mark.parametrize("name", FORMS)
def test_balls_hold_the_values_that_two_precisions_agree_on(name: str, end: End) -> None:
    exact = Exact.of(FORMS[name])
    assert exact.balls is not None
    for x in DISTANCES:
        found, agreed = exact.balls.value(end.at, end.side, x), exact._agreeing(end, x)
        assert found is not None
        with mpmath.workdps(DIGITS):
            assert abs(found - agreed) <= max(4 * AGREE * abs(agreed), TOO_SMALL)


@pytest.mark.parametrize("z", [0.01, 6.5, 19.5, 20.5, 99.5, 100.5])
def test_slow_functions_have_enough_digits_on_both_sides_of_where_they_are_written_otherwise(
    z: float,
) -> None:
    with balls.flint.ctx.workprec(2 * balls.CERTAIN), mpmath.workdps(60):
        at, half = balls.flint.arb(z), balls.flint.arb(0.5)
        found = balls._slow_erfc(at), balls._slow_gamma(half, at), balls._slow_expint(balls.flint.arb(2), at)
        square = mpmath.exp(mpmath.mpf(z) ** 2) * mpmath.erfc(z)
        exact = square, mpmath.exp(z) * mpmath.gammainc(0.5, z), mpmath.exp(z) * mpmath.expint(2, z)
        for ball, number in zip(found, exact, strict=True):
            assert ball.rel_accuracy_bits() > balls.CERTAIN
            assert abs(balls._midpoint(ball, 200) / number - 1) < mpmath.mpf(2) ** -balls.CERTAIN


def test_the_gamma_function_has_many_digits_of_fractions_and_of_other_numbers() -> None:
    with mpmath.workdps(400):
        for a in (mpmath.mpf(1) / 6, mpmath.mpf(50) / 3, mpmath.sqrt(2)):
            assert abs(scaled.gamma(a) / mpmath.gamma(a) - 1) < mpmath.mpf(10) ** -398


CURVES = {
    "a stretch to infinity": OneWay(X, exp(-X) + Rational(1, 10), X, 0, sympy.oo, 0, 1, 1),
    "two ends": OneWay(X + log(1 + X), X + 2, X, 0, 5, 0, (5 + log(6)) / (12 + log(6)), 1),
    "a turn": OneWay(sqrt(X), X / 3 + 1, X, 3, sympy.oo, 2 * sqrt(3) - 3, 0, -1),
    "a logarithm": OneWay(X, -5 * log((X - 1) / 2), X, 1, 3, 0, 1, 1),
}


@pytest.mark.parametrize("name", CURVES)
def test_balls_hold_the_places_on_curves_and_their_distances_from_both_ends(name: str) -> None:
    curve = CURVES[name]
    place = CurveParameter(curve, p)
    for expr in (exp(-place) + p, place - curve.low, *((curve.high - place,) * curve.high.is_finite)):
        exact = Exact.of(in_p_and_r(expr))
        assert exact.balls is not None
        for end in (End.of(curve.reach[0], 1), End.of(curve.reach[1], -1)):
            for x in (mpmath.mpf(10) ** -k for k in (1, 4, 12, 17)):
                found, agreed = exact.balls.value(end.at, end.side, x), exact._agreeing(end, x)
                assert found is not None
                with mpmath.workdps(DIGITS):
                    assert abs(found - agreed) <= 4 * AGREE * abs(agreed)


def test_a_place_beyond_the_ends_of_a_curve_has_no_ball() -> None:
    exact = Exact.of(in_p_and_r(CurveParameter(CURVES["two ends"], p)))
    assert exact.balls is not None
    assert exact.balls.value(sympy.S.One, -1, mpmath.mpf("0.1")) is None


def test_a_function_without_a_row_has_no_balls() -> None:
    assert Exact.of(sympy.LambertW(p)).balls is None
    assert Exact.of(sympy.Integral(exp(-p * X * Y), (X, 0, 1), (Y, 0, 1))).balls is None


@pytest.mark.parametrize("bits", [30, 400, 1200])
def test_an_incomplete_beta_function_has_digits_where_its_argument_hardly_differs_from_one(bits: int) -> None:
    flint = pytest.importorskip("flint")
    with flint.ctx.workprec(1300):
        a, b, gap = flint.arb(67) / 47, flint.arb(27) / 47, flint.arb(2) ** -bits
        near = flint.arb(1 - gap, gap / 2)
        found = balls.FUNCTIONS["betainc"](a, b, flint.arb(0), near)
        for edge in (1 - 3 * gap / 4, 1 - gap, 1 - 5 * gap / 4):
            assert found.contains(a.gamma() * b.gamma() / (a + b).gamma() - (1 - edge).beta_lower(b, a))
        assert found.rel_accuracy_bits() > bits // 2  # B(a, b) less a bit of the order gap^b


INTEGRALS: dict[str, tuple[sympy.Expr, Any]] = {
    "bounded": (sympy.Integral(exp(-p * X), (X, 0, 1)), lambda p: (1 - mpmath.exp(-p)) / p),
    "unbounded": (sympy.Integral(X * exp(-X * r / p), (X, 0, sympy.oo)), lambda p: (p / (1 - p)) ** 2),
    "a pole at an end": (sympy.Integral(X ** (p - 1), (X, 0, 1)), lambda p: 1 / p),
    "moving ends": (sympy.Integral(1 / X, (X, p, 1)), lambda p: -mpmath.log(p)),
    "a narrow bell": (
        p**-10 * sympy.Integral(exp(-((X - 1) ** 2) * 10**6), (X, 0, sympy.oo)),
        lambda p: p**-10 * mpmath.sqrt(mpmath.pi) * (1 + mpmath.erf(1000)) / 2000,
    ),
    "0/0 at an end": (
        sympy.Integral(X / (exp(X / p) - 1), (X, 0, sympy.oo)),
        lambda p: (p * mpmath.pi) ** 2 / 6,
    ),
    "what cancels": (
        sympy.Integral(exp(-X) - exp(-X) * (1 - exp(-X * r / p)), (X, 0, sympy.oo)),
        lambda p: +p,
    ),
    "what cancels twice": (
        sympy.Integral((exp(-X) - 1 + X) / X**2 * exp(-X * r / p), (X, 0, sympy.oo)),
        lambda p: mpmath.log1p(p / (1 - p)) / p - 1,
    ),
    "a bell that falls fast": (
        sympy.Integral(exp(-X - p**-2 / X), (X, 0, sympy.oo)),
        lambda p: 2 / p * mpmath.besselk(1, 2 / p),
    ),
}


@pytest.mark.parametrize("name", INTEGRALS)
def test_integrals_in_balls_have_the_value_of_their_closed_form(name: str) -> None:
    integral, closed = INTEGRALS[name]
    found = Exact.of(integral).balls
    for x in (mpmath.mpf(1) / 7, mpmath.mpf(6) / 7):
        with mpmath.workdps(DIGITS):
            value = found.value(sympy.S.Zero, 1, x)
            assert value is not None and abs(value / closed(x) - 1) < mpmath.mpf(10) ** -28


@pytest.mark.parametrize("name", ["0/0 at an end", "what cancels", "what cancels twice"])
def test_integrals_in_balls_have_values_next_to_an_end(name: str) -> None:
    integral, closed = INTEGRALS[name]
    for k in (3, 40, 90, 150, 330):
        with mpmath.workdps(DIGITS + 330):
            x = mpmath.mpf(10) ** -k
            value = Exact.of(integral).balls.value(sympy.S.Zero, 1, x)
            assert value is not None and abs(value / closed(x) - 1) < mpmath.mpf(10) ** -28


def test_a_narrow_bell_has_a_value_and_one_below_every_double_is_zero() -> None:
    integral, closed = INTEGRALS["a bell that falls fast"]
    for k in (2, 3, 4):
        with mpmath.workdps(DIGITS):
            x = mpmath.mpf(10) ** -k
            value = Exact.of(integral).balls.value(sympy.S.Zero, 1, x)
            assert value is not None and abs(value / closed(x) - 1) < mpmath.mpf(10) ** -28
    for k in (8, 40, 200, 330):
        assert Exact.of(integral).balls.value(sympy.S.Zero, 1, mpmath.mpf(10) ** -k) == 0


LOG = log(X)
LEVEL = p * X / (1 - exp(-p * X))  # 1 where x is far below 1/p, where few bits show no difference in it
TWO_BELLS = sympy.Integral(
    (exp(-200 * (LOG + 5) ** 2) + 2 * exp(-50 * log(p * X) ** 2)) * LEVEL / X, (X, 0, sympy.oo)
)


@pytest.mark.parametrize("k", [4, 30, 100, 300])
def test_bells_that_lie_far_apart_are_both_seen(k: int) -> None:
    """The place of one moves with p, of the other it does not, and both are narrow beside what lies between them."""
    with mpmath.workdps(DIGITS):
        x = mpmath.mpf(10) ** -k
        beside = mpmath.quad(lambda z: mpmath.exp(z - 50 * z**2) / -mpmath.expm1(-mpmath.exp(z)), [-2, 0, 2])
        wanted = mpmath.sqrt(mpmath.pi / 200) + 2 * beside
        found, long = Exact.of(TWO_BELLS).balls.value(sympy.S.Zero, 1, x), Long.of(TWO_BELLS)
        assert long is not None
        slope = x * mpmath.exp(mpmath.mpf(-5)) / 2  # what LEVEL is more than 1 beside the first bell
        assert abs(found / wanted - 1) < max(10 * slope, mpmath.mpf(10) ** -28)
        for value in (long.value(ENDS[0], x), *long.values(ENDS[0], [x, 2 * x, 64 * x])[:1]):
            assert abs(value / found - 1) < mpmath.mpf(2) ** -57


def test_only_the_terms_of_a_sum_that_cancel_are_computed_with_more_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    term = ball_integrals._Terms.term

    def counted(terms: Any, place: int, bits: int) -> Any:
        asked.append(bits)
        return term(terms, place, bits)

    monkeypatch.setattr(ball_integrals._Terms, "term", counted)
    balls_of = Exact.of(INTEGRALS["what cancels twice"][0]).balls
    assert balls_of.value(sympy.S.Zero, 1, mpmath.mpf(1) / 7) is not None
    more = [bits for bits in asked if bits > 2 * balls.CERTAIN]
    assert 0 < len(more) < len(asked) / 3
    assert max(more) <= 8 * balls.CERTAIN


BITS: dict[str, tuple[sympy.Expr, Any]] = {
    "a power": (sqrt(p), lambda h: h ** mpmath.mpf(1.5) * 2 / 3),
    "beside a logarithm": (p * log(p), lambda h: h**2 * (2 * mpmath.log(h) - 1) / 4),
    "a logarithm alone": (1 / (1 - log(p)), lambda h: mpmath.e * mpmath.e1(1 - mpmath.log(h))),
    "no power": (exp(-1 / p), lambda h: h * mpmath.exp(-1 / h) - mpmath.e1(1 / h)),
}


@pytest.mark.parametrize("name", BITS)
def test_the_bit_next_to_an_end_is_that_of_its_closed_form(name: str) -> None:
    rate, closed = BITS[name]
    for z in (-4.0, -40.0, -700.0)[: 1 if name == "no power" else 3]:
        with mpmath.workdps(2 * DIGITS):
            expected = closed(mpmath.exp(z))
        with mpmath.workdps(DIGITS):
            assert abs(first_bit(Exact.of(rate), ENDS[0], z)[0] / expected - 1) < mpmath.mpf(10) ** -20


def test_an_integral_that_does_not_converge_has_no_value_in_balls() -> None:
    assert Exact.of(sympy.Integral(p / X, (X, 0, 1))).balls.value(sympy.S.Zero, 1, mpmath.mpf(1) / 3) is None


def test_a_value_below_every_double_is_zero_and_what_has_no_value_is_left_open() -> None:
    start = ENDS[0]
    assert Exact.of(p - p * (1 + r) + p * r).balls.value(start.at, start.side, mpmath.mpf(1) / 10) == 0
    assert Exact.of(log(-p)).balls.value(start.at, start.side, mpmath.mpf(1) / 10) is None
    assert Exact.of(log(-3) + p).balls.value(start.at, start.side, mpmath.mpf(1) / 10) is None


def test_losses_are_the_same_without_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = cd.derive(cd.Independent("gamma(2,1)", "exponential(1/3)")).rule
    points = np.concatenate([np.linspace(0, 1, 101), 10.0 ** -np.arange(2, 300, 20)])

    def losses() -> list[Any]:
        compiled = cd.numeric.compile(
            rule, time_limit=None
        )  # here, not in a child that nothing is patched in
        return [compiled.per_sample(np.full(len(points), k), points) for k in (0, 1)]

    with_balls = losses()
    monkeypatch.setattr(balls, "flint", None)
    Exact.of.cache_clear()
    without = losses()
    Exact.of.cache_clear()
    np.testing.assert_array_equal(with_balls, without)


def test_incomplete_betas_of_a_second_parameter_of_zero_are_found_at_once_next_to_one() -> None:
    found = Exact.of(sympy.betainc(sympy.Rational(8, 5), 0, 0, p))
    assert found.balls is not None
    for digits in (1, 12, 60, 320):
        with mpmath.workdps(DIGITS):
            a = mpmath.mpf(8) / 5
            x = mpmath.mpf(10) ** -digits
            series = mpmath.fsum(mpmath.rf(1 - a, n) * x**n / (n * mpmath.factorial(n)) for n in range(1, 60))
            wanted = -mpmath.log(x) - mpmath.euler - mpmath.digamma(a) - series
            assert abs(found.balls.value(sympy.S.One, -1, x) / wanted - 1) < mpmath.mpf(10) ** -28
