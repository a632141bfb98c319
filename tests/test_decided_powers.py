"""Powers of powers, error functions and exponential integrals in what the checker decides: true ones, and no others."""

from __future__ import annotations

import time

import pytest
import sympy

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter, s
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, tends, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive

a, b, c = map(parameter, "abc")
UNIT = Interval(s, sympy.S.Zero, sympy.S.One)
RIGHT = Interval(s, sympy.Rational(1, 2), sympy.S.One)
ODDS = s / (1 - s)


@pytest.mark.parametrize("gap", [
    (ODDS**a) ** (1 / a) - ODDS,
    (c**a * ODDS**a) ** (1 + 1 / a) - c ** (a + 1) * ODDS ** (a + 1),
    (1 - s**a) ** b * (1 - s**a) ** (1 - b) - 1 + s**a,
    sympy.erfc(s) + sympy.erf(s) - 1,
    sympy.betainc(a, b, 0, 0),
    sympy.Abs(s - 1) + s - 1,
    (1 - ODDS**a * (1 - s) ** a) ** b - (1 - s**a) ** b,
    sympy.exp(a * (1 - sympy.exp(b * ODDS))) - sympy.exp(-a * sympy.exp(b * ODDS) + a),
    sympy.exp(-a * sympy.exp(b * ODDS) + b * ODDS) - sympy.exp(-a * sympy.exp(b * ODDS)) * sympy.exp(b * ODDS),
    sympy.erf(sympy.log(a * s / b)) - sympy.erf(sympy.log(s) + sympy.log(a) - sympy.log(b)),
    sympy.sin(sympy.pi * (1 - s) / (1 - s)),
    (a - a * (s + 1 - s)) ** b,
    2 ** (a / 2) * (sympy.sqrt(2) / 2) ** a - 1,
    (3 ** sympy.Rational(2, 3) * s / 3) ** a - 3 ** (-a / 3) * s**a,
    sympy.log(sympy.sqrt(ODDS) + 1) - sympy.log(sympy.sqrt(s) + sympy.sqrt(1 - s)) + sympy.log(1 - s) / 2,
    sympy.expint(1, sympy.sqrt(1 - s**2 / (2 * s**2 - 2 * s + 1)) * sympy.sqrt(2 * s**2 - 2 * s + 1) / s)
    - sympy.expint(1, (1 - s) / s),
    sympy.erf(sympy.sqrt(2 * s**2 + 2 * (1 - s) ** 2) / sympy.sqrt(2 * s**2 - 2 * s + 1)) - sympy.erf(sympy.sqrt(2)),
    sympy.log(sympy.sqrt(3 * s + 1) - sympy.sqrt(1 - s))
    - sympy.log(sympy.sqrt((3 * s + 1) / (1 - s)) - 1) - sympy.log(1 - s) / 2,
    sympy.log(s**a + s ** (a + b)) - a * sympy.log(s) - sympy.log(1 + s**b),
    (sympy.sqrt(6) / 5) ** (a - b) * 5**a / 5**b - sympy.sqrt(2) ** (a - b) * sympy.sqrt(3) ** (a - b),
])  # fmt: skip
def test_identities_are_proved_wherever_their_bases_are_positive(gap: sympy.Expr) -> None:
    assert zero(gap, UNIT)


@pytest.mark.parametrize("gap", [
    ((2 * s - 1) ** (2 * a)) ** (1 / (2 * a)) - (2 * s - 1),
    (ODDS**a) ** (1 / a) - 2 * ODDS,
    sympy.erfc(s) - sympy.erf(s) - 1,
    sympy.betainc(a, b, 0, s),
    sympy.Abs(2 * s - 1) - 2 * s + 1,
    sympy.log(sympy.sqrt(ODDS) + 1) - sympy.log(sympy.sqrt(s) + sympy.sqrt(1 - s)) + sympy.log(1 - s),
    sympy.erf(sympy.sqrt(2 * s**2 + 2 * (1 - s) ** 2) / sympy.sqrt(2 * s**2 - 2 * s + 1)) - sympy.erf(sympy.sqrt(3)),
    sympy.log(sympy.sqrt(3 * s) - sympy.sqrt(1 - s)) - sympy.log(sympy.sqrt(3 * ODDS) - 1) - sympy.log(1 - s) / 2,
])  # fmt: skip
def test_what_is_false_somewhere_is_not_proved(gap: sympy.Expr) -> None:
    assert not zero(gap, UNIT)


def test_a_factor_whose_base_may_be_negative_is_a_letter() -> None:
    """What cancels beside it cancels, whatever it is; of the factor itself nothing is known."""
    unknown, odds = (c - 2) ** (a - 1), sympy.exp(-c * ODDS)
    apart = (ODDS + 1) * sympy.exp(2 - c) * sympy.exp(1 - c * ODDS)
    assert zero(unknown * (sympy.exp(3 - c) * odds / (1 - s) - apart), UNIT)
    assert zero(unknown + sympy.exp(3 - c) * odds / (1 - s) - apart - unknown, UNIT)
    for false in (
        unknown * (sympy.exp(2 - c) * odds / (1 - s) - apart),
        ((c - 2) ** 2) ** (a / 2) * odds - (c - 2) ** a * odds,
        sympy.sqrt((c - 2) ** 2) * sympy.exp(c) - (c - 2) * sympy.exp(c),
        sympy.Integral((c - 2) ** a - (s - 2) ** a, (c, 0, 1)),
        sympy.Integral((c - 2) ** a, (c, 0, 1)) - (c - 2) ** a,
        sympy.Derivative((c - 2) ** a * sympy.exp(c), c) - (c - 2) ** a * sympy.exp(c),
    ):
        assert not zero(false, UNIT), false


def test_a_power_of_a_power_is_one_where_the_base_is_known_to_be_positive() -> None:
    gap = ((2 * s - 1) ** (2 * a)) ** (1 / (2 * a)) - (2 * s - 1)
    assert zero(gap, RIGHT)
    assert not zero(gap, UNIT)


def test_a_root_of_a_complex_power_is_not_the_power_of_half_the_exponent() -> None:
    imaginary = 100 * sympy.acos(1 + a)
    for power in (sympy.S(2), sympy.E):
        gap = sympy.sqrt(power**imaginary) * power ** (-imaginary / 2) - 1
        assert abs(gap.subs(a, 1).evalf()) > 1
        assert not zero(gap)
    assert zero(sympy.sqrt(2 ** (2 * sympy.acos(s))) - 2 ** sympy.acos(s), UNIT)


def test_what_is_known_of_a_letter_is_not_known_of_one_bound_under_an_integral() -> None:
    roots = sympy.sqrt(b / (a - 1)) * sympy.sqrt(a - 1)  # -sqrt(b) for a < 1
    gap = sympy.Integral(roots, (a, 0, 1)) - sympy.Integral(sympy.sqrt(b), (a, 0, 1))
    assert not zero(gap, None, Given(positive=(a - 1,)))
    assert not zero(gap, Interval(a, sympy.S(2), sympy.S(3)))
    assert zero(roots - sympy.sqrt(b), None, Given(positive=(a - 1,)))


def test_a_power_with_a_symbolic_exponent_is_positive_and_nothing_more() -> None:
    assert positive(1 + ODDS**a, UNIT)
    assert positive(1 - s**a, UNIT)
    assert not positive(1 - ODDS**a, UNIT)


def test_the_exponential_integral_is_smooth_for_positive_arguments_alone() -> None:
    assert regular(sympy.Ei(a * s), UNIT, Given())
    assert not regular(sympy.Ei(s - sympy.Rational(1, 2)), UNIT, Given())


def test_constants_that_cancel_leave_the_limit_0_whatever_their_sign() -> None:
    start = Approach(s, sympy.S.Zero, "+")
    shape = 1 + 1 / a
    assert value_at(sympy.gamma(shape) - sympy.uppergamma(shape, s**a), start) == 0
    assert value_at(a - b + s**c, start) == a - b
    assert value_at((1 / s) * (1 - s**a) - 1 / s, start) is None


@pytest.mark.parametrize("expr", [
    (1 - s) ** a - (s * (1 - s)) ** a,
    1 - s**a * (1 - s) ** (2 * a),
    s**-a - 1,
    (1 - s) ** (-a * b) - (1 - s) ** (2 * a * b),
    c**a - (c * s) ** a,
    b * (c / 3) ** (b + 1) - b * (c * s / 4) ** (b + 1),
])  # fmt: skip
def test_differences_of_powers_with_one_exponent_have_the_sign_of_their_bases(expr: sympy.Expr) -> None:
    assert positive(expr, UNIT)
    assert not positive(-expr, UNIT)


@pytest.mark.parametrize("expr", [
    (1 - s) ** a - s**a,
    s**a - s**b,
    1 - (c * s) ** a,
    s**a - (s - 1) ** a,
    2 * s**a - 1,
    s ** (a - b) - 1,
    1 - s ** (a - b),
    b * (c / 4) ** (b + 1) - b * (c * s / 3) ** (b + 1),
])  # fmt: skip
def test_no_sign_is_given_to_differences_that_have_none(expr: sympy.Expr) -> None:
    assert not positive(expr, UNIT)
    assert not positive(-expr, UNIT)


@pytest.mark.parametrize(("expr", "limit"), [
    (sympy.exp(-a * sympy.exp(b / s)), 0),
    (sympy.exp(a / s), sympy.oo),
    ((sympy.gamma(a + 2) - sympy.uppergamma(a + 2, s)) / s**a, 0),
    ((sympy.gamma(1 + 1 / a) - sympy.uppergamma((a + 1) / a, s**a)) / s ** (a + 1), a / (a + 1)),
    ((1 - sympy.cos(s)) / s**2, sympy.Rational(1, 2)),
    ((sympy.sin(s) - s) / s**3, -sympy.Rational(1, 6)),
])  # fmt: skip
def test_limits_where_constants_cancel_and_exponentials_are_nested(
    expr: sympy.Expr, limit: sympy.Expr
) -> None:
    found = value_at(expr, Approach(s, sympy.S.Zero, "+"))
    assert found is not None
    assert zero(found - limit) if sympy.sympify(limit).is_finite else found == limit


def test_of_growth_times_decay_nothing_is_said() -> None:
    for power in (1, 3):
        expr = sympy.exp(power / s) * sympy.exp(-sympy.exp(1 / s) / 10)
        assert value_at(expr, Approach(s, sympy.S.Zero, "+")) in (None, 0)
    assert value_at(sympy.exp(2 / s) * (1 / sympy.exp(3 / s)), Approach(s, sympy.S.Zero, "+")) in (None, 0)
    assert value_at(sympy.exp(3 / s) * (1 / sympy.exp(2 / s)), Approach(s, sympy.S.Zero, "+")) in (
        None,
        sympy.oo,
    )


def test_what_a_logarithm_tends_to_may_change_its_sign() -> None:
    inside = sympy.log((a**2 * s**2 + 1) / ((b * s) ** 2 + s + 1)) / (a - b)
    found = value_at(inside, Approach(s, sympy.oo, "-"))
    assert found is not None
    assert zero(found - 2 * sympy.log(a / b) / (a - b))
    assert value_at(sympy.log((a - b) * s / (s + 1)), Approach(s, sympy.oo, "-")) is None


POSITIVE = [sympy.gamma(a + 1), sympy.exp(b - a), sympy.exp(a / 2), sympy.sqrt(a), a**b, sympy.beta(a, b)]


@pytest.mark.parametrize("mean", POSITIVE)
def test_facts_about_a_positive_function_are_used(mean: sympy.Expr) -> None:
    """Of 0 < c < h with h = mean/(mean + 1) the middle lies between, and below 1."""
    below = Given(positive=(mean - c * (mean + 1),))
    middle = (c + mean / (mean + 1)) / 2
    assert positive(middle - c, None, below) and positive(1 - middle, None, below)


@pytest.mark.parametrize("mean", POSITIVE)
def test_facts_about_a_positive_function_prove_nothing_beyond_them(mean: sympy.Expr) -> None:
    below = Given(positive=(mean - c * (mean + 1),))
    for false in (c - mean / (mean + 1), mean / (mean + 1) - 2 * c, mean - 2, 2 - mean):
        assert positive(false, None, below) is None


def test_powers_too_high_to_be_multiplied_out_are_left_undecided_at_once() -> None:
    """An exponential of ``10^5 x`` is a power of order 10^5 of ``exp(x)``, here inside an exponent."""
    grows = 10**5 * b * ODDS
    term = sympy.exp(1 + grows - sympy.exp(grows))
    gap = term * (1 + s) - term - 2 * s * term
    start = time.process_time()
    assert zero(gap, UNIT) is None
    assert time.process_time() - start < 5


UNDER_ROOTS = [
    (sympy.sqrt(sympy.log(s) ** 2), -sympy.log(s), sympy.log(s)),
    (
        (-(sympy.log(1 - sympy.exp(-s)) ** 3)) ** sympy.Rational(1, 3),
        -sympy.log(1 - sympy.exp(-s)),
        sympy.log(1 - sympy.exp(-s)),
    ),
    (((-sympy.log(s)) ** a) ** (1 / a), -sympy.log(s), sympy.log(s)),
]


@pytest.mark.parametrize(("root", "same", "other"), UNDER_ROOTS, ids=[str(case[0]) for case in UNDER_ROOTS])
def test_logarithms_of_known_signs_under_roots_are_letters(
    root: sympy.Expr, same: sympy.Expr, other: sympy.Expr
) -> None:
    assert zero(root - same, UNIT)
    assert zero(root - other, UNIT) is None
    assert zero(root - same, Interval(s, sympy.S.Zero, sympy.oo)) is None or not same.has(sympy.log(s))


def test_what_vanishes_times_a_power_of_what_grows_vanishes_if_the_exponent_is_nowhere_positive() -> None:
    grows = sympy.log(1 - sympy.exp(-s)) ** 2 + 1
    approach, given = Approach(s, sympy.S.Zero, "+"), Given().also(nonnegative=(a - 1,))
    assert tends(sympy.exp(-grows) * grows ** (1 / a - 1), approach, sympy.S.Zero, given)
    assert tends(grows ** (2 - a) / grows, approach, sympy.S.Zero, given) is None  # a = 1
    assert (
        tends(sympy.exp(sympy.log(grows) * (1 - a)) * grows ** (1 - a), approach, sympy.S.Zero, given) is None
    )  # a = 1


def test_powers_of_one_base_are_powers_of_one_letter() -> None:
    """With ``x = 2^(1/a)`` above 1 each is a polynomial in x; the last is negative for x below the square root of 2."""
    x = 2 ** (1 / a)
    assert positive(x**3 - x**2 + x, None)
    assert positive(x ** (-2) - x ** (-3), None)
    assert positive(2 ** (3 / (2 * a)) - 2 ** (1 / (2 * a)), None)
    assert not positive(x**2 - 2, None)


@pytest.mark.parametrize("top", [sympy.Integer(3), b])
def test_a_term_outweighs_another_by_the_rule_for_two_powers(top: sympy.Expr) -> None:
    """For ``0 < s < top``; what is outweighed by no other term, or by one that is used, has no sign."""
    below, share = Interval(s, sympy.S.Zero, top), (s / top) ** a
    for true in (
        1 + c**a - c**a * share,
        top**a * c**a - s**a * c**a + 1,
        1 / (c**a + 1) - share / (c**a + 1),
    ):
        assert positive(true, below), true
    for false in (1 + c**a - 2 * c**a * share, 1 + c**a - (2 * s / top) ** a * c**a, 2 + c**a - c**a * s**a):
        assert not positive(false, below), false
    assert not positive(2 - (s / top) ** a - (s / top) ** (2 * a) - c**a, below)
