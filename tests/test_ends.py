"""Signs from limits at the ends of an interval and slopes, of differences of one function, and between facts."""

from __future__ import annotations

import pytest
import sympy
from sympy import Ei, Expr, Integer, Rational, erf, exp, expint, log, oo, sin, sqrt, uppergamma

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.deciders.enclosure import enclose
from costderive.deciders.ends import sign_from_ends
from costderive.deciders.number_signs import number_sign
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.checker import decide
from costderive.proof.claims import NonNegative, Positive, Verdict

x = sympy.Symbol("x", positive=True)
WHOLE, UNIT = Interval(x, sympy.S.Zero, oo), Interval(x, sympy.S.Zero, sympy.S.One)

NARROW = Interval(x, Rational(1, 5), Rational(1, 4))


def bow(less: Expr = sympy.S.Zero) -> Expr:
    """Return a concave function, 0.2 log 2 at 1/5, each of its terms over a power."""
    terms = 1 - 5 * x, (1 - x) * log(x), (2 - x) * log(2), (x - 1) * log(1 - x), -less
    return sympy.Add(*[5 * term / (4 * x**4) for term in terms])


TRUE: dict[str, tuple[Expr, Interval | None, tuple[Expr, ...]]] = {
    "concave, neither rising nor falling": (
        3 - x + (1 - 2 * sympy.E) * exp(-x),
        Interval(x, Integer(1), Integer(2)),
        (),
    ),
    "concave, over a power": (bow(), NARROW, ()),
    "falling to 0 at infinity": ((x + 1) * exp(-x) - (x**2 + 2 * x) * expint(1, x), WHOLE, ()),
    "times an exponential": (
        (Ei(x) - Ei(5) - log(2)) * exp(-x) + log(10 / x),
        Interval(x, Integer(5), Integer(10)),
        (),
    ),
    "between facts": (x * exp(-x) - exp(-4) / 4 + (x - 4) ** 2, None, (x - 3, 4 - x)),
    "factors of one letter each": ((exp(c0) - 1 - c0) * (1 - exp(-c1) - c1 * exp(-c1)), None, (c0, c1)),
    "two values of erf": (erf(log(x) + 2) - erf(log(x) + sqrt(2)), WHOLE, ()),
    "two values of Ei": (Ei(2 * x) / 3 - Ei(x) / 3, WHOLE, ()),
    "two values of an exponential integral": (expint(2, x) - expint(2, x + 1), WHOLE, ()),
    "two values of an incomplete Gamma function": (
        uppergamma(Rational(1, 3), x**2) - uppergamma(Rational(1, 3), x),
        UNIT,
        (),
    ),
    "the density of a product and a sum": (
        x * expint(1, x) - x * expint(1, 3 * x) + 1 - exp(-x) + exp(-3 * x) / 3 - Rational(1, 3),
        UNIT,
        (),
    ),
    "a logarithm that ends at 0": (
        log(2) / 2 + log(3) / 2 - log(x) / 2,
        Interval(x, Integer(3), Integer(6)),
        (),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_sign_is_proved(name: str) -> None:
    expr, on, facts = TRUE[name]
    assert decide(Positive("", expr, on, facts), Given()).verdict is Verdict.PROVED
    assert decide(NonNegative("", expr, on, facts), Given()).verdict is Verdict.PROVED


# Each is negative somewhere on the interval, where the facts hold.
FALSE: dict[str, tuple[Expr, Interval | None, tuple[Expr, ...]]] = {
    "two values of a function that falls": (expint(1, 2 * x) - expint(1, x), WHOLE, ()),
    "two functions that fall, of two orders": (expint(2, x) - expint(1, 2 * x), WHOLE, ()),
    "two incomplete Gamma functions of two shapes": (
        uppergamma(Rational(1, 3), x) - uppergamma(Rational(4, 3), Rational(11, 10) * x),
        Interval(x, Integer(2), oo),
        (),
    ),
    "concave, and below 0 at an end": (
        Rational(5, 2) - x + (1 - 2 * sympy.E) * exp(-x),
        Interval(x, Integer(1), Integer(2)),
        (),
    ),
    "concave over a power, and below 0 at both ends": (bow(Rational(7, 50)), NARROW, ()),
    "concave over a power, and below 0 at an end": (bow(Rational(139, 1000)), NARROW, ()),
    "concave over what changes its sign": (bow() / (x - Rational(2, 9)), NARROW, ()),
    "convex, and above 0 at the ends": (
        exp(x - 1) + exp(1 - x) - Rational(21, 10),
        Interval(x, sympy.S.Zero, Integer(2)),
        (),
    ),
    "rising where a fact holds, from below": (
        x * log(x) - x - x * log(3) + 1,
        Interval(x, Rational(1, 100), Integer(10)),
        (x - 3,),
    ),
    "an exponential that rises where a fact holds": (
        exp(x) - exp(3) * x + 1,
        Interval(x, sympy.S.Zero, oo),
        (x - 3,),
    ),
    "a pole before a fact": (-1 / (x - 1) + exp(-x) / 1000, WHOLE, (x - 1,)),
    "a pole inside": (1 / (x - Rational(1, 2)), UNIT, ()),
    "turning between 0 and 0": (-sin(x) * (4 - x) * x, Interval(x, sympy.S.Zero, Integer(4)), ()),
    "Ei of what may be negative": (Ei(x) - Ei(x - 2), UNIT, ()),
    "erf the other way round": (erf(x) - erf(2 * x), WHOLE, ()),
    "an empty difference": (erf(x) - erf(x + 1) + Rational(1, 100), WHOLE, ()),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_sign_is_not(name: str) -> None:
    expr, on, facts = FALSE[name]
    given = Given().also(positive=facts)
    for strict in (False, True):
        assert sign_from_ends(expr, on, given, strict=strict) is None
    assert positive(expr, on, given) is None
    assert nonnegative(expr, on, given) is None


def test_what_is_0_at_one_end_is_positive_inside_and_not_there() -> None:
    assert sign_from_ends(exp(-x) - 1 + x, WHOLE, Given(), strict=True)
    assert sign_from_ends(sympy.S.Zero * x, WHOLE, Given(), strict=True) is None


@pytest.mark.parametrize(
    ("number", "sign"),
    [
        (log(6) - log(2) - log(3), 0),
        (log(Rational(7, 3)) / 2 - log(7) / 2 + log(3) / 2, 0),
        (sqrt(2) * log(8) - 3 * sqrt(2) * log(2), 0),
        (log(6) - log(2) - log(3) + Rational(1, 10**40), 1),
        (Ei(10) - Ei(5) - log(2), 1),
        (Ei(Rational(1, 2)) - Rational(1, 2), -1),
        (expint(1, 3) - expint(1, 2), -1),
    ],
)
def test_signs_of_numbers(number: Expr, sign: int) -> None:
    assert number_sign(number) == sign


def test_near_its_zero_there_is_no_enclosure_of_ei() -> None:
    assert enclose(Ei(Rational(37, 100))) is None
    assert enclose(expint(2, 3)) is None
