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
