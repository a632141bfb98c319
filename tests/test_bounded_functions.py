"""Signs of functions with sines over whole turns, and with error functions.

True statements are decided, false ones beside them are not.
"""

from __future__ import annotations

import mpmath
import pytest
import sympy
from sympy import Abs, Integral, Piecewise, Rational, cos, erf, exp, log, pi, sin, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter
from costderive.deciders.signs import nonnegative, positive

x, a, y = parameter("x"), parameter("a"), parameter("y")
ROOTS = [2 * sympy.atan(root) for root in (2 + sqrt(7), 2 - sqrt(7))]  # of 1 + 2 cos x + 2 sin x
TRUE = {
    "above -1": (sin(x) + 2, 0, 2 * pi),
    "two sines": (sin(3 * x) * cos(x) + x + Rational(11, 10), 0, sympy.oo),
    "in a fraction": (1 / (5 + cos(x)), 0, 7 * pi),
    "with a letter": (a + a * sin(x) / 2, 0, 2 * pi),
    "before a turn": (1 + 2 * cos(x) + 2 * sin(x), 0, ROOTS[0]),
    "behind a turn": (-1 - 2 * cos(x) - 2 * sin(x), ROOTS[0], 2 * pi + ROOTS[1]),
    "a half turn": (sin(x), 2 * pi, 3 * pi),
    "a whole turn": (2 + cos(x) * sin(x), pi, 3 * pi),
    "between half turns": (-cos(x) * (1 + sin(x) ** 2), pi / 2, 3 * pi / 2),
    "a share and what is left": ((1 - exp(-x)) * (1 + erf(log(x))) + exp(-x) * (2 - erf(x)), 0, sympy.oo),
}
FALSE = {
    "a share less more": ((1 - exp(-x)) * (1 + erf(log(x))) - exp(-x) * (1 + erf(x)), 0, sympy.oo),
    "a product that is not linear": (erf(x) ** 2 - Rational(1, 2), 0, sympy.oo),
    "down to -1": (sin(x) + Rational(99, 100), 0, 2 * pi),
    "a letter that may be small": (a + sin(x), 0, 2 * pi),
    "beyond a turn": (1 + 2 * cos(x) + 2 * sin(x), 0, ROOTS[0] + Rational(1, 100)),
    "the other side": (1 + 2 * cos(x) + 2 * sin(x), ROOTS[0], 2 * pi + ROOTS[1]),
    "the other half turn": (sin(x), pi, 2 * pi),
    "negative tangents under bars": (Abs(sin(x)) * cos(x) + sin(x) * cos(x) + 1 / a, pi / 2, 2 * pi),
    "a root of a square": (sqrt(sin(x) ** 2) + sin(x) - Rational(1, 10), 0, 2 * pi),
    "an integral with a weight of both signs": (
        Rational(1, 20) + Integral((y - Rational(1, 2)) * sin(pi / 2 - pi * y), (y, 0, 1)),
        0,
        2 * pi,
    ),
    "not linear": (exp(sin(x)) - 1, 0, 2 * pi),
    "a sine of a sine": (cos(sin(x)) - Rational(9, 10), 0, 2 * pi),
    "a square": (sin(x) ** 2 - Rational(1, 2), 0, 2 * pi),
    "a step that falls between -1 and 1": (
        Piecewise((1, sin(x) ** 2 > Rational(1, 2)), (-1, True)),
        0,
        2 * pi,
    ),
    "steps, whose slope is 0": (1 + 4 * (sympy.floor(sin(x) / 2) + sympy.ceiling(-sin(x) / 2)), 0, 2 * pi),
    "a sign": (sympy.sign(sin(x) ** 2 - Rational(1, 2)), 0, 2 * pi),
    "the variable beside it": (1 + x * sin(x), 0, 2 * pi),
}


def interval(low: object, high: object) -> Interval:
    return Interval(x, sympy.sympify(low), sympy.sympify(high))


@pytest.mark.parametrize("name", TRUE)
def test_a_true_sign_is_decided(name: str) -> None:
    expr, *ends = TRUE[name]
    assert positive(expr, interval(*ends))


@pytest.mark.parametrize("name", FALSE)
def test_a_false_sign_is_not(name: str) -> None:
    expr, *ends = FALSE[name]
    on = interval(*ends)
    assert not positive(expr, on) and not nonnegative(expr, on)


def test_a_sine_at_its_least_is_weakly_so() -> None:
    on = interval(0, 2 * pi)
    assert nonnegative(1 + sin(x), on) and not positive(1 + sin(x), on)


k = parameter("k")
BELOW_1 = Given(nonnegative=(1 - k,))
SHARE, OTHER = 1 - (1 + x) * exp(-x), 1 - (1 + a) * exp(-a)  # between 0 and 1


def test_what_is_linear_in_a_letter_between_two_numbers_has_the_sign_that_it_has_at_both() -> None:
    copula = 1 - k + 2 * k * (SHARE * OTHER + (1 - SHARE) * (1 - OTHER))
    assert positive(copula, None, BELOW_1)
    assert not positive(copula) and not nonnegative(copula)  # k may be 5
    assert not positive(copula - Rational(1, 10), None, BELOW_1)
    assert positive(k * SHARE, None, BELOW_1)
    assert nonnegative((1 - k) * SHARE + k * (1 - SHARE) * SHARE, None, BELOW_1)


def test_a_letter_on_which_the_interval_depends_is_not_taken_to_its_ends() -> None:
    on = Interval(x, sympy.S.Zero, 1 - k)  # x + k < 1 all along it
    assert not positive(k * exp(x) - log(1 + x) - 3 + 4 * x * k, on, BELOW_1)


def test_no_letter_of_an_integral_is_taken_for_its_ends() -> None:
    inner = Integral((k - Rational(1, 2)) * exp(-k), (k, 0, 1))
    assert not positive(inner + exp(-x) * log(1 + x) * inner, interval(0, sympy.oo), BELOW_1)


def test_several_logarithms_are_those_of_two_products() -> None:
    on, gap = interval(0, sympy.oo), 2 * log(1 + x) - log(x) - log(x + 2)
    assert positive(gap, on) and positive(gap / 3, on) and positive(x + gap, on)
    assert not nonnegative(-gap, on) and not nonnegative(gap - x, on)
    assert not nonnegative(gap - 2 * log(1 + x) + log(x), on)
    assert not positive(log(1 + x) - log(x) / 10**9 - log(x + 2) / 3, on)  # which is decided in no time


def test_random_polynomials_in_sines_have_the_signs_that_are_decided() -> None:
    numbers = iter(range(10**6))

    def pick(most: int) -> int:
        return (next(numbers) * 7919 + 104729) % 104723 % most

    decided = 0
    for _ in range(60):
        factors = [pick(9) - 4 for _ in range(4)]
        f = factors[0] + factors[1] * sin(x) + factors[2] * cos(x) + factors[3] * sin(x) * cos(x)
        low = pi * Rational(pick(12), 4)
        on = interval(low, low + pi * Rational(1 + pick(7), 4))
        if f.has(x) and positive(f, on, Given()):
            decided += 1
            values = sympy.lambdify(x, f)
            ends = float(on.low), float(on.high)
            assert all(values(float(at)) > 0 for at in mpmath.linspace(*ends, 400)[1:-1])
    assert decided >= 5
