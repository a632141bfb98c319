"""Incomplete Beta functions whose second shape has any sign: what holds below z = 1 does not hold there."""

import mpmath
import pytest
import sympy
from costderive.symbols import p

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import positive, real
from costderive.derivation.integration.contiguous_betas import joined, with_one_beta
from costderive.derivation.integration.exponentials import beside_power_of_line
from costderive.derivation.integration.primitive_table import primitive
from costderive.proof.claims import Verdict

a, b, m = sympy.symbols("a b m", positive=True)
UNIT, WIDE = Interval(p, sympy.S.Zero, sympy.S.One), Interval(p, sympy.S.Zero, sympy.Integer(2))


def incomplete(first, second, z):
    return sympy.betainc(first, second, 0, z)


@pytest.mark.parametrize("second", [1 - a, -a, sympy.Integer(-3)])
def test_it_is_positive_inside_for_any_second_shape(second):
    assert positive(incomplete(b, second, p), UNIT)
    assert real(incomplete(b, second, m / (m + 1)), None, Given())


@pytest.mark.parametrize(
    "expr, on",
    [
        (incomplete(b, 1 - a, sympy.S.One), UNIT),  # infinite for a > 1
        (incomplete(b, -a, 2 * p), UNIT),  # beyond 1
        (incomplete(b, 1 - a, p), WIDE),
        (incomplete(1 - a, b, p), UNIT),  # infinite at the low end for a > 1
        (incomplete(b, a, p - 1), UNIT),  # a negative argument
        (-incomplete(b, 1 - a, p), UNIT),
        (incomplete(b, 1 - a, p) - incomplete(b, 2 - a, p), Interval(p, sympy.S.Zero, sympy.Integer(2))),
    ],
)
def test_it_has_no_sign_where_it_may_be_infinite_or_complex(expr, on):
    assert positive(expr, on) is None


@pytest.mark.parametrize("second", [1 - a, sympy.S.Zero, sympy.Integer(-2)])
def test_no_finite_value_is_claimed_at_1_for_a_shape_that_may_not_be_positive(second):
    value = value_at(incomplete(b, second, p), Approach(p, sympy.S.One, "-"))
    assert value is None or value is sympy.oo


def test_it_has_its_value_at_a_place_inside():
    at = Approach(p, m / (m + 1), "+")
    assert value_at(incomplete(a + 1, 1 - a, p), at) == incomplete(a + 1, 1 - a, m / (m + 1))


@pytest.mark.parametrize(
    "text", ["x**-a*(1 + x)**-2", "x**(1 - a)*(m + x)**-3", "x**(2 - a)*(1 + m*x)**(-a - 3)"]
)
def test_powers_are_integrated_from_infinity_where_the_shape_at_0_has_no_known_sign(text):
    x = sympy.Symbol("x", positive=True)
    f = sympy.sympify(text, {"x": x, "a": a, "m": m})
    _agrees(primitive(f, x, Given(positive=(a, m))), f, x)


@pytest.mark.parametrize("text", ["(m + x)**-a*exp(-x)", "x*(m + x)**(-a - 1)*exp(-2*x)"])
def test_a_power_of_a_line_beside_an_exponential_is_an_incomplete_gamma_function(text):
    x = sympy.Symbol("x", positive=True)
    f = sympy.sympify(text, {"x": x, "a": a, "m": m})
    found = beside_power_of_line(f, x)
    assert found.has(sympy.uppergamma)
    _agrees(found, f, x)


def _agrees(found, f, x):
    """Compare with the integral from 1 to 2 of numbers that ``mpmath`` finds by itself."""
    values = {a: sympy.Rational(7, 3), m: sympy.Rational(3, 4)}
    by_numbers = mpmath.quad(sympy.lambdify(x, f.subs(values), "mpmath"), [1, 2])
    increase = found.subs(values).subs(x, 2) - found.subs(values).subs(x, 1)
    assert abs(sympy.N(increase, 20) - by_numbers) < 1e-12  # quad is right to about 1e-15


@pytest.mark.parametrize(
    "text",
    ["x**(a - 1)*(3 - x)**(-a - 1)", "x**(a - 1)*(m + 3 - x)**(-a - 2)", "x**(2*a + 1)*(9 - x**2)**(-a - 4)"],
)
def test_powers_whose_shapes_add_up_to_no_positive_number_have_a_sum_of_powers(text):
    x = sympy.Symbol("x", positive=True)
    f = sympy.sympify(text, {"x": x, "a": a, "m": m})
    found = primitive(f, x)
    assert found is not None and not found.has(sympy.betainc)
    gap = (sympy.diff(found, x) / f - 1).subs({x: sympy.Rational(3, 7), a: sympy.Rational(5, 3), m: 2})
    assert abs(gap.evalf(50)) < 1e-45


def test_incomplete_beta_functions_of_shapes_that_are_not_positive_cancel() -> None:
    """A cost with an infinite mean beside a uniform one: `E[c1; t >= p]` has the survival function under it."""
    derivation = cd.derive(cd.Independent(c0="lomax(1/10, 1)", c1="uniform(0, 1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    losses = derivation.rule.only_case
    assert losses.worst1 == sympy.Rational(1, 2) and not losses.loss1.pieces[0].value.has(sympy.betainc)
    for at in (0.1, 0.6):
        odds = at / (1 - at)
        truth = mpmath.quad(lambda c, u=odds: c * (1 + u * c) ** -0.1, [0, 1])
        assert abs(float(losses.loss1.pieces[0].value.subs(cd.symbols.p, at)) - truth) < 1e-12


@pytest.mark.parametrize(
    ("first", "second"), [("1/10", "-1"), ("11/10", "-2"), ("31/10", "2"), ("5/2", "-4/3"), ("7/3", "5/2")]
)
def test_incomplete_beta_functions_are_multiples_of_one(first: str, second: str) -> None:
    z, a, b = sympy.Symbol("z", positive=True), sympy.Rational(first), sympy.Rational(second)
    beside = sympy.betainc(a - sympy.floor(a), b - sympy.floor(b) - 1, 0, z)
    written = with_one_beta(sympy.betainc(a, b, 0, z) + beside)
    assert len(written.atoms(sympy.betainc)) <= 1
    truth = sum(
        mpmath.betainc(*map(float, node.args[:2]), 0, 0.3) for node in (beside, sympy.betainc(a, b, 0, z))
    )
    assert abs(sympy.lambdify(z, written, "mpmath")(mpmath.mpf("0.3")) - truth) < 1e-12


def test_functions_with_roots_as_factors_are_joined():
    root, x = m ** sympy.Rational(1, 3), sympy.Symbol("x", positive=True)
    first, second = incomplete(b + 1, 2, x), incomplete(b + 2, 1, x)
    assert joined(root * first + root * second, x) == root * incomplete(b + 1, 1, x)
    assert joined(first + root * second, x) == first + root * second


@pytest.mark.parametrize(
    "laws", [("betaprime(3, 2)", "beta(11/3, 2)"), ("beta(7/3, 3)", "betaprime(2, 3/2)")]
)
def test_a_beta_cost_beside_a_beta_prime_one_is_proved(laws):
    assert cd.check(cd.derive(cd.Independent(*laws))).verdict is Verdict.PROVED


def test_an_incomplete_beta_function_is_the_whole_less_the_one_from_the_other_end() -> None:
    whole = sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b)
    z = m / (m + 1)
    for low, high in ((p, 1 - p), (sympy.Rational(1, 3), sympy.Rational(2, 3)), (z, sympy.cancel(1 - z))):
        first, second = incomplete(a, b, low), incomplete(b, a, high)
        assert zero(first + second - whole, UNIT)
        assert positive(3 * first + 4 * second - 3 * whole, UNIT)
        assert not positive(3 * first + 4 * second - 4 * whole, UNIT)
    half = incomplete(a, a, sympy.Rational(1, 2))
    assert zero(2 * half - sympy.gamma(a) ** 2 / sympy.gamma(2 * a))


@pytest.mark.parametrize(
    "second",
    [
        incomplete(a, b, 1 - p),  # of the same shapes
        incomplete(b, a, p),
        incomplete(b, a, 2 - p),
        incomplete(b, a + 1, 1 - p),
        sympy.betainc(b, a, sympy.Rational(1, 9), 1 - p),
    ],
)
def test_of_others_the_sum_is_not_said(second) -> None:
    assert not zero(incomplete(a, b, p) + second - sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b), UNIT)


def test_of_shapes_that_may_be_negative_the_whole_may_not_exist() -> None:
    whole = sympy.gamma(1 - a) * sympy.gamma(b) / sympy.gamma(1 - a + b)
    assert not zero(incomplete(1 - a, b, p) + incomplete(b, 1 - a, 1 - p) - whole, UNIT)
