"""One-sided limits, proved where they hold and only there: truth is the values at 1e-8 and at 1e-16 of the distance."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy
from mpmath import mp
from sympy import Expr, Integral, Rational, betainc, log, oo, pi, sqrt, uppergamma
from sympy.stats import GammaInverse

import costderive as cd
from costderive.core.errors import DivergentCostError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p, s, t, u
from costderive.costs import laws
from costderive.costs.contexts import Context, Curve, Independent, Joint
from costderive.deciders import series
from costderive.deciders.limits import Approach, rises_to, tail, tends, value_at, whole_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative
from costderive.proof.checker import decide
from costderive.proof.claims import Regular, Verdict

a, b = sympy.symbols("a b", positive=True)
NAMES = {"p": p, "a": a, "b": b, "pi": pi, "E": sympy.E}
CLOSE, CLOSER = mp.mpf(10) ** -8, mp.mpf(10) ** -16
PARAMETERS = ({a: Rational(2, 7), b: Rational(3)}, {a: Rational(5, 2), b: Rational(1, 3)})

AT_ZERO = {
    "2*(4 - 3*p)*exp(-p/(2 - 2*p))/p + 2*(5*p - 4)/p": "0",
    "(exp(p) - 1)/p": "1",
    "(exp(p) - 1 - p - p**2/2)/p**3": "1/6",
    "(sqrt(1 + p) - 1 - p/2)/p**2": "-1/8",
    "(log(1 + p) - p)/p**2": "-1/2",
    "(log(1 + p) - p)/p**3": "-oo",
    "1/log(1 + p) - 1/p": "1/2",
    "(1 + p)**(1/p)": "E",
    "((1 + p)**(1/p) - E)/p": "-E/2",
    "(p**p - 1)/(p*log(p))": "1",
    "p**(-p)": "1",
    "p**(1/log(p))": "E",
    "sqrt(p**2 + p)/p - 1/sqrt(p)": "0",
    "(atan(p) - p)/p**3": "-1/3",
    "(atan(1/p) - pi/2)/p": "-1",
    "(atan(1 + p) - pi/4)/p": "1/2",
    "atan((p - 1)/sqrt(p))": "-pi/2",
    "(asin(p) - p)/p**3": "1/6",
    "(asin(1 - p) - pi/2)/sqrt(p)": "-sqrt(2)",
    "(asin(1/2 + p) - pi/6)/p": "2/sqrt(3)",
    "(acos(1 - p)**2 - 2*p)/p**2": "1/3",
    "(asinh(p) - p)/p**3": "-1/6",
    "asinh(1/p) + log(p)": "log(2)",
    "asinh(-1/p) - log(p)": "-log(2)",
    "(asinh(2 + p) - asinh(2))/p": "1/sqrt(5)",
    "(erf(p) - 2*p/sqrt(pi))/p**3": "-2/(3*sqrt(pi))",
    "(erf(a + p) - erf(a))/p": "2*exp(-a**2)/sqrt(pi)",
    "(1 - erf(1/p))*exp(1/p**2)/p": "1/sqrt(pi)",
    "erfc(1/p)/p**40": "0",
    "(1 + erf(log(p) + 2))/p**3": "0",
    "(1 - erf(a - log(p)))*exp(-log(p))": "0",
    "exp(1/p)*expint(1, 1/p)/p": "1",
    "exp(1/p)*expint(3, 1/p)/p**2 - 1/p": "-3",
    "exp(-1/p)*Ei(1/p)/p": "1",
    "Ei(p) - log(p)": "EulerGamma",
    "Ei(-p) - log(p)": "EulerGamma",
    "expint(1, p) + log(p)": "-EulerGamma",
    "(expint(2, p) - 1)/p - log(p)": "EulerGamma - 1",
    "(lowergamma(3, p) - p**3/3)/p**4": "-1/4",
    "(gamma(a) - uppergamma(a, p))/p**a": "1/a",
    "(uppergamma(3, 1 + p) - uppergamma(3, 1))/p": "-exp(-1)",
    "exp(1/p)*uppergamma(5/2, 1/p)*p**(3/2)": "1",
    "(beta(2, a) - betainc(2, a, 0, 1 - p))/p**a": "1/a",
    "(betainc(1/2, 3/2, 0, p) - 2*sqrt(p))/p**(3/2)": "-1/3",
    "(exp(a*p) - exp(b*p))/p": "a - b",
    "1/(exp(a*p) - 1 - a*p) - 2/(a*p)**2": "-oo",
    "log(exp(a*p) - 1) - log(p)": "log(a)",
    "((1 + a*p)**b - 1 - a*b*p)/p**2": "a**2*b*(b - 1)/2",
    "exp(-a/p)/p**5": "0",
    "exp(-log(p)**2)/p**3": "0",
    "exp(-1/p)/(exp(-1/p) + exp(-2/p))": "1",
    "exp(1/p)*p**4 - exp(1/(2*p))": "oo",
    "asinh(exp(1/p)) - 5/sqrt(p)": "oo",
    "asinh(exp(1/p))*sqrt(p)": "oo",
    "(1/p - 1/(exp(p) - 1))": "1/2",
    "exp(sqrt(1/p**2 + 1/p) - 1/p)": "sqrt(E)",
}
AT_ONE = {
    "1 + (-p - 1)*exp(1 - 1/p)/(1 - p) + 2*exp(2 - 2/p)/(1 - p)": "0",
    "-2*p**2/(1 - p)**2 + p*(2*p + 1)*exp(-(1 - p)/p)/(1 - p)**2 - p*exp(3 - 3/p)/(1 - p)**2 + 1": "0",
    "atan(sqrt(p)/sqrt(1 - p))": "pi/2",
    "(pi/2 - atan(sqrt(p)/sqrt(1 - p)))/sqrt(1 - p)": "1",
    "log(p)/(1 - p)": "-1",
    "(p - 1 - log(p))/(1 - p)**2": "1/2",
    "(sqrt(pi)*erf((1 - p)/p) - 2*(1 - p)/p)/(1 - p)**3": "-2/3",
    "exp(p/(1 - p))*(1 - erf(sqrt(p/(1 - p))))": "0",
}


def read(text: str) -> Expr:
    return sympy.sympify(text, locals=NAMES, rational=True)


TABLE = [
    *[(read(text), Approach(p, sympy.S.Zero, "+"), read(value)) for text, value in AT_ZERO.items()],
    *[(read(text), Approach(p, sympy.S.One, "-"), read(value)) for text, value in AT_ONE.items()],
]
FAR = [
    (expr.subs(p, 1 / p), Approach(p, oo, "-"), value)
    for expr, approach, value in TABLE
    if approach.point == 0
]
ROWS = pytest.mark.parametrize(("expr", "approach", "value"), TABLE + FAR)


@ROWS
def test_limit_beyond_the_leading_terms_is_proved(expr: Expr, approach: Approach, value: Expr) -> None:
    assert tends(expr, approach, value) in {"series", "leading terms", "continuity"}


@ROWS
def test_a_false_limit_is_not_proved(expr: Expr, approach: Approach, value: Expr) -> None:
    false = [-value - 1, 2 * value + Rational(1, 10**9), oo, -oo, sympy.zoo, sympy.nan, a * value + b]
    assert [wrong for wrong in false if wrong != value and tends(expr, approach, wrong)] == []


@pytest.mark.parametrize(("expr", "approach", "value"), TABLE)
def test_limit_is_that_of_the_values(expr: Expr, approach: Approach, value: Expr) -> None:
    """The table itself: the error shrinks with the distance, at most as its square root (1e-8 at 1e-16)."""
    for parameters in PARAMETERS:
        with mp.workdps(200):
            far, near = (
                _value(expr.subs(parameters), _at(approach, distance)) for distance in (CLOSE, CLOSER)
            )
            if value in (oo, -oo):
                assert near * value > 0 and abs(near) > 1000 * abs(far)
                continue
            goal = _value(value.subs(parameters), None)
            assert abs(near - goal) < 1e-6 * (1 + abs(goal))
            assert abs(near - goal) <= abs(far - goal)


TAMED = {
    "p**2*uppergamma(a - 2, b*p)": (0, "0"),
    "p**3*log(p)*uppergamma(a - 2, p**2)": (0, None),  # a - 1/2 may be negative
    "p**4*log(p)*uppergamma(a - 2, p**2)": (0, "0"),
    "(1 - p)**2*betainc(b, a - 2, 0, p)": (1, "0"),
    "(1 - p)**2*betainc(b, a - 3, 0, p)": (1, None),
    "(1 - p)*betainc(2, a - 1, 0, p)": (1, "0"),
    "p*uppergamma(a - 2, p)": (0, None),
    "uppergamma(a - 2, 1 + p) + expint(2, 1 + p)": (0, "uppergamma(a - 2, 1) + expint(2, 1)"),
    "uppergamma(a - 2, p)": (0, None),
    "p**2*uppergamma(a - 2, 1/p)": (0, "0"),
}


@pytest.mark.parametrize("text", TAMED)
def test_limits_of_incomplete_functions_of_any_shape(text: str) -> None:
    point, value = TAMED[text]
    approach = Approach(p, sympy.Integer(point), "+" if point == 0 else "-")
    assert value_at(read(text), approach) == (None if value is None else read(value))


UNDECIDED = (
    "exp((a - b)/p)",
    "exp(a/p) - exp(b/p)",
    "(a - b)/p",
    "p**(a - b)",
    "(p**a - p**b)/p",
    "log((a - b)*p)*p",
    "exp(1/p)*uppergamma(a, 1/p)",
    "(a*sinh(p) - b*p)/p",
    "asin(1 + p)/p",
)


@pytest.mark.parametrize("text", UNDECIDED)
@pytest.mark.parametrize("value", ["0", "1", "oo", "-oo", "a", "a - b"])
def test_a_limit_that_hangs_on_the_parameters_is_not_proved(text: str, value: str) -> None:
    assert tends(read(text), Approach(p, sympy.S.Zero, "+"), read(value)) is None


def test_facts_decide_a_limit() -> None:
    expr, approach = read("exp(-a/p) - exp(-b/p) + exp((a - b)/p)*p"), Approach(p, sympy.S.Zero, "+")
    assert tends(expr, approach, sympy.S.Zero) is None
    assert tends(expr, approach, sympy.S.Zero, Given(positive=(b - a,)))
    assert tends(expr, approach, oo, Given(positive=(a - b,)))


def _at(approach: Approach, distance: Any) -> Any:
    if approach.point is oo:
        return 1 / distance
    return mpmath.mpmathify(approach.point) + (distance if approach.side == "+" else -distance)


NUMERIC = [
    {
        "lowergamma": lambda k, z: mpmath.gammainc(k, 0, z),
        "uppergamma": mpmath.gammainc,
        "expint": mpmath.expint,
        "betainc": mpmath.betainc,
        "Ei": mpmath.ei,
    },
    "mpmath",
]


def _value(expr: Expr, at: Any) -> Any:
    expr = expr.replace(sympy.erf, lambda z: 1 - sympy.erfc(z))  # 1 - erf(1e8) is no number of 200 digits
    found = sympy.lambdify(p, expr, NUMERIC)(at)
    assert abs(mpmath.im(found)) == 0
    return mpmath.re(found)


# --------------------------------------------------------------------------------- integrals near their ends

TAILS: dict[str, tuple[Any, Any, int | None]] = {
    "1/p": (0, "+", 1),
    "-1/p": (0, "+", -1),
    "p**(-3/4)": (0, "+", 0),
    "p**(-1 - a)": (0, "+", 1),
    "p**(a - 1)": (0, "+", 0),
    "p**(a - b)": (0, "+", None),
    "(a - b)/p": (0, "+", None),
    "1/(p*log(p)**2)": (0, "+", 0),
    "-1/(p*log(p))": (0, "+", 1),
    "exp(1/p)": (0, "+", 1),
    "exp(-1/p)/p**9": (0, "+", 0),
    "1/log(1 + p) - 1/p": (0, "+", 0),
    "1/p - 1/(exp(p**2) - 1)": (0, "+", -1),
    "1/(1 - p)": (1, "-", 1),
    "1/sqrt(1 - p)": (1, "-", 0),
    "(exp(1 - 1/p) - p)/(1 - p)**2": (1, "-", 0),
    "(exp(1 - 1/p) - p)/(1 - p)**3": (1, "-", -1),
    "exp(-p)*p**9": (oo, "-", 0),
    "1/p + exp(-p)": (oo, "-", 1),
    "p**(-5/4)": (oo, "-", 0),
    "(1 - exp(-(p**a)))/p": (0, "+", 0),
    "(1 - exp(-(p**a)))/p**(1 + a/4)": (0, "+", 0),
    "(1 - exp(-(p**a)))/p**(1 + a)": (0, "+", 1),
    "(exp(-(p**a)) - 1)/p**(1 + a)": (0, "+", -1),
    "(1 - exp(-(p**a) - p**b))/p": (0, "+", None),
    "(1 - exp(-2*(1 + p)**-a))/p": (oo, "-", 0),
    "sqrt(p**2 + 1) - p": (oo, "-", 1),
    "sqrt(p**2 + 1) - p - 1/(2*p)": (oo, "-", 0),
}


@pytest.mark.parametrize("text", TAILS)
def test_an_integral_is_finite_or_infinite_near_an_end(text: str) -> None:
    point, side, expected = TAILS[text]
    assert tail(read(text), Approach(p, sympy.sympify(point), side)) == expected


@pytest.mark.parametrize("text", [text for text, row in TAILS.items() if row[2] is not None])
def test_tail_is_that_of_the_integral(text: str) -> None:
    """Independent truth: the integral over the distances 1e-80 .. 1e-20 beside that over 1e-16 .. 1e-4."""
    point, side, expected = TAILS[text]
    approach = Approach(p, sympy.sympify(point), side)
    found = [_mass(read(text).subs(PARAMETERS[0]), approach, first) for first in (4, 20)]
    if expected == 0:
        assert abs(found[1]) < 0.8 * abs(found[0]) < 1
    else:
        assert expected * found[1] > 0.5 * abs(found[0]) > 0


def _mass(expr: Expr, approach: Approach, first: int) -> Any:
    """Integrate over the distances 10^-(4 first) .. 10^-first, with the logarithm of the distance as variable."""
    with mp.workdps(400):
        function = sympy.lambdify(p, expr, "mpmath")

        def slice_of(y: Any) -> Any:
            distance = mpmath.exp(-y)
            place = _at(approach, distance)
            return function(place) * (distance if approach.point is not oo else 1 / distance)

        ten = mpmath.log(10)
        marks = [ten * first * (1 + mp.mpf(k) / 4) for k in range(13)]
        return sum(
            sum(slice_of((low + high) / 2 + (high - low) * x / 2) for x in (-0.8, -0.4, 0, 0.4, 0.8))
            * (high - low)
            / 5
            for low, high in pairwise(marks)
        )


# -------------------------------------------------------------------------- integrals within an integral


def nested(text: str, low: Any = 0, high: Any = oo) -> Expr:
    return Integral(sympy.sympify(text, locals={"c": c1, "s": s}), (c1, low, high))


LOSSES = {
    "exponentials": (nested("c**2*exp(-c - c*s/(1 - s))/(1 - s)**3"), True),
    "half-Cauchy costs": (nested("c**2/((1 - s)**3*(c**2 + 1)*(c**2*s**2/(1 - s)**2 + 1))"), True),
    "an end that moves": (nested("c*exp(-c - c*s)", 0, (1 - s) / s), True),
    "log-normal": (nested("c*exp(-c - log(c*s/(1 - s))**2/2)/(s*(1 - s)**2)"), True),
    "1/s^2, as an integral": (nested("c*exp(-c*s)"), False),
    "1/s^3, as an integral": (nested("c**2*exp(-c*s)/2"), False),
    "infinite for every s": (nested("1/(1 + c*s)"), False),
    "infinite at c = 0": (nested("exp(-c*(1 + s))/c"), False),
    "1/(s - 1/2)^2 as an integral": (nested("exp(-c*(s - 1/2)**2)"), False),
    "a jump at 1/2": (nested("(s - 1/2)/((s - 1/2)**2 + c**2)"), False),
    "a jump at 1/2, otherwise written": (nested("(s - 1/2)/(c**2*(1 + (s - 1/2)**2/c**2))"), False),
    "a pole at c = 5": (nested("exp(-c*(1 + s))/(c - 5)"), False),
    "complex below c = 5": (nested("exp(-c*(1 + s))*sqrt(c - 5)"), False),
    "a range that starts below 0": (nested("exp(-c*(1 + s))/(1 + c)", -2, 3), False),
}
UNIT = Interval(p, sympy.S.Zero, sympy.S.One)


@pytest.mark.parametrize(("inner", "holds"), LOSSES.values(), ids=LOSSES)
def test_loss_over_an_unsolved_weight_is_proved_only_if_it_is_finite(inner: Expr, holds: bool) -> None:
    """At 0, of ``integral of s w`` from 0: it exists, it is smooth, it starts at 0."""
    loss = Integral(s * inner, (s, 0, p))
    starts = tends(loss, Approach(p, sympy.S.Zero, "+"), sympy.S.Zero)
    smooth = decide(Regular("", loss, UNIT)).verdict is Verdict.PROVED
    assert smooth == holds
    assert not starts or holds
    assert not tends(loss, Approach(p, sympy.S.Zero, "+"), sympy.S.One)


@pytest.mark.parametrize(("inner", "holds"), LOSSES.values(), ids=LOSSES)
def test_loss_over_an_unsolved_weight_has_its_own_limit_alone(inner: Expr, holds: bool) -> None:
    loss, approach = Integral(s * inner, (s, 0, p)), Approach(p, sympy.S.One, "-")
    whole = Integral(s * inner, (s, 0, 1))
    assert bool(tends(loss, approach, whole)) == holds
    for wrong in (2 * whole, whole + 1, Integral(inner, (s, 0, 1)), Integral(s * inner, (s, 0, a)), oo):
        assert not tends(loss, approach, wrong)


def test_facts_do_not_reach_a_variable_that_an_integral_binds() -> None:
    inside, known = Interval(s, sympy.S.Zero, sympy.S.One), Given(positive=(1 - s,))
    negative = Integral(1 - s, (s, 0, 5))
    assert not nonnegative(negative, inside) and not nonnegative(negative, None, known)
    singular = Integral(log(1 - s), (s, 0, p))
    assert not regular(singular, Interval(p, sympy.S.Zero, sympy.Integer(2)), known)
    assert tends(singular, Approach(p, sympy.Integer(2), "-"), singular.subs(p, 2), known) is None


def test_near_a_point_with_letters_the_limits_of_an_integral_stay_as_they_are() -> None:
    k = sympy.Symbol("k", positive=True)
    whole = Integral(sympy.exp(-(t**2)), (t, 1, k * (1 - s) / s))
    assert tail(s * whole, Approach(s, k / (k + 1), "-"), Given()) in (0, None)


def test_a_sum_follows_the_limits_of_its_terms_if_these_say_so() -> None:
    far = Approach(p, oo, "-")
    sign = a**2 - b  # of either sign
    terms = (
        sign * sympy.atan(p)
        + (sign * p**2 + p) / (1 + p**3)
        + sign * sympy.log((4 * p**2 + 9) / (p + b) ** 2)
    )
    assert tends(terms, far, sign * sympy.pi / 2 + sign * sympy.log(4))
    assert not tends(terms, far, sign * sympy.pi / 2 - sign * sympy.log(4))
    bell = sympy.exp(-p) * sympy.erf(p) ** 2
    assert tends(p + bell + terms, far, oo) and not tends(p + bell + terms, far, -oo)
    assert not any(
        tends(p + terms - sympy.sqrt(p**2 + sign), far, value) for value in (oo, -oo, sympy.S.Zero)
    )


def test_difference_of_two_infinite_integrals_has_no_limit() -> None:
    first, second = (Integral(x / (1 - s), (s, 0, p)) for x in (s, s**2))
    whole = [x.subs(p, 1) for x in (first, second)]
    assert not tends(first - second, Approach(p, sympy.S.One, "-"), whole[0] - whole[1])


# ------------------------------------------------------------------------------------------------- contexts

PROVED = {
    "exponential, uniform": Independent(c0=laws.exponential(2), c1=laws.uniform(0, 1)),
    "uniform, exponential": Independent(c0=laws.uniform(1, 2), c1=laws.exponential(1)),
    "uniform, half-normal": Independent(c0=laws.uniform(0, 1), c1=laws.halfnormal(1)),
    "triangular, exponential": Independent(c0=laws.triangular(0, 1, 3), c1=laws.exponential(1)),
    "log-normal, exponential": Independent(c0=laws.lognormal(0, 1), c1=laws.exponential(1)),
    "Lomax twice": Joint(4 / ((1 + c0) ** 3 * (1 + c1) ** 3), ((0, oo), (0, oo))),
    "Weibull, Weibull": Independent(c0=laws.weibull(3, 1), c1=laws.weibull(2, 2)),
    "half-normal, uniform": Independent(c0=laws.halfnormal(2), c1=laws.uniform(1, 3)),
    "inverse gamma, exponential": Independent(c0=GammaInverse("X", 3, 1), c1=laws.exponential(1)),
}


@pytest.mark.parametrize("context", PROVED.values(), ids=PROVED)
def test_losses_that_need_more_than_leading_terms_are_proved(context: Context) -> None:
    derivation = cd.derive(context)
    assert cd.check(derivation).verdict is Verdict.PROVED


def test_an_antiderivative_with_a_pole_counts_on_both_sides_of_it() -> None:
    """Two half-Cauchy costs give the log loss times 2/pi, but c1 is integrated by a formula that divides by 2 s - 1."""
    derivation = cd.derive(Joint(4 / (pi**2 * (1 + c0**2) * (1 + c1**2)), ((0, oo), (0, oo))))
    report = cd.check(derivation).require_proved()
    smooth = [f for f in report.findings if f.claim.what == "the antiderivative is smooth between the bounds"]
    assert derivation.rule.loss0 == -2 * log(1 - p) / pi
    assert {Rational(1, 2) - s, s - Rational(1, 2)} <= {fact for f in smooth for fact in f.claim.facts}


def test_worst_losses_of_single_integrals_are_the_mean_costs() -> None:
    """A log-normal cost has mean exp(1/2)."""
    ((_, losses),) = cd.derive(PROVED["log-normal, exponential"]).rule.cases
    assert (losses.worst0, losses.worst1) == (sympy.exp(Rational(1, 2)), 1)


DIVERGENT: dict[str, tuple[Context, str]] = {
    "Pareto(1/2) twice": (Independent(c0=laws.pareto("1/2", 1), c1=laws.pareto("1/2", 1)), "c1 = oo"),
    "Pareto(1/2), Pareto(1/3)": (Independent(c0=laws.pareto("1/2", 1), c1=laws.pareto("1/3", 2)), "c1 = oo"),
    "half-Cauchy tails": (
        Joint(1 / (4 * sqrt(c0**3 * c1**3)), ((1, oo), (1, oo))),
        "c1 = oo",
    ),
    "c1 = c0^2, both infinite in mean": (
        Curve(c0="1/x**2", c1="1/x**4", density=laws.uniform(0, 1)),
        "s = 0",
    ),
    "c0 = c1^2, both infinite in mean": (
        Curve(c0="1/x**4", c1="1/x**2", density=laws.uniform(0, 1)),
        "s = 1",
    ),
}


@pytest.mark.parametrize(("context", "end"), DIVERGENT.values(), ids=DIVERGENT)
def test_a_divergent_cost_is_refused_with_its_integral_and_end(context: Context, end: str) -> None:
    with pytest.raises(DivergentCostError, match=f"diverges at {end}: the integral of .* is infinite there"):
        cd.derive(context)


INFINITE_AT_ONE_REPORT = {
    "Pareto(1) twice": (Independent(c0=laws.pareto(1, 1), c1=laws.pareto(1, 1)), (oo, oo)),
    "Pareto(1), uniform": (Independent(c0=laws.pareto(1, 1), c1=laws.uniform(0, 1)), (oo, Rational(1, 2))),
    "uniform, Pareto(1)": (Independent(c0=laws.uniform(0, 1), c1=laws.pareto(1, 1)), (Rational(1, 2), oo)),
    "c1 heavier than c0": (Joint(1 / c1**2, ((0, 1), (1, oo))), (Rational(1, 2), oo)),
}


@pytest.mark.parametrize(("context", "worst"), INFINITE_AT_ONE_REPORT.values(), ids=INFINITE_AT_ONE_REPORT)
def test_an_infinite_mean_cost_still_has_a_rule(context: Context, worst: tuple[Expr, Expr]) -> None:
    derivation = cd.derive(context)
    ((_, losses),) = derivation.rule.cases
    assert (losses.worst0, losses.worst1) == worst
    assert cd.check(derivation).verdict is Verdict.PROVED


IMPROPER = {
    "a beta function": ("betainc(2, a - 1, 0, p)", "1", "-", "Integral(t*(1 - t)**(a - 2), (t, 0, 1))"),
    "with a constant": (
        "3 - b*betainc(2, a - 1, 0, p)",
        "1",
        "-",
        "3 - b*Integral(t*(1 - t)**(a - 2), (t, 0, 1))",
    ),
    "a gamma function": ("uppergamma(a - 1, p)", "0", "+", "Integral(u**(a - 2)*exp(-u), (u, 0, oo))"),
}


def _improper_case(name: str) -> tuple[Expr, Approach, Expr]:
    text, point, side, value = IMPROPER[name]
    names = {"a": a, "b": b, "p": p, "t": t, "u": u, "Integral": sympy.Integral}
    return (
        sympy.sympify(text, names),
        Approach(p, sympy.sympify(point), side),
        sympy.sympify(value, names),
    )


@pytest.mark.parametrize("name", IMPROPER)
def test_what_rises_to_an_integral_that_letters_make_infinite_tends_to_that(name: str) -> None:
    expr, approach, value = _improper_case(name)
    assert rises_to(expr, approach, value)
    assert not tends(expr, approach, value)
    for wrong in (2 * value, value + 1, value.subs(a, a + 1), oo):
        assert not rises_to(expr, approach, wrong)


@pytest.mark.parametrize(
    "text", ["(1 - p)*betainc(2, a - 2, 0, p)", "betainc(2, a - 1, 0, p) - betainc(3, a - 1, 0, p)"]
)
def test_what_may_be_nought_times_or_less_infinity_has_no_such_limit(text: str) -> None:
    expr = sympy.sympify(text, {"a": a, "p": p})
    assert whole_at(expr, Approach(p, sympy.S.One, "-")) is None


@pytest.mark.parametrize(
    ("function", "point", "side", "value"),
    [
        (betainc(t, a - 1, 0, p), "1", "-", Integral(t ** (t - 1) * (1 - t) ** (a - 2), (t, 0, 1))),
        (betainc(2, t - 1, 0, p), "1", "-", Integral(t * (1 - t) ** (t - 2), (t, 0, 1))),
        (uppergamma(u - 1, p), "0", "+", Integral(u ** (u - 2) * sympy.exp(-u), (u, 0, oo))),
    ],
)
def test_a_shape_is_no_letter_that_the_whole_integral_binds(
    function: Expr, point: str, side: str, value: Expr
) -> None:
    approach = Approach(p, sympy.sympify(point), side)
    assert not rises_to(function, approach, value)
    assert whole_at(function, approach) is None


@pytest.mark.parametrize("beyond", [sympy.exp(p), 1 + sympy.exp(-1 / p) - sympy.exp(-2 / p)])
def test_a_range_that_reaches_beyond_1_is_not_the_whole_range(beyond: Expr) -> None:
    value = Integral(t * (1 - t) ** (a - 2), (t, 0, 1))
    assert not rises_to(betainc(2, a - 1, 0, beyond), Approach(p, sympy.S.Zero, "+"), value)


@pytest.mark.parametrize(
    ("text", "point", "side", "value"),
    [
        ("betainc(1/3, 4/3, 0, p)", "1", "-", "beta(1/3, 4/3)"),
        ("betainc(1/3, 4/3, 0, 1 - p)", "0", "+", "beta(1/3, 4/3)"),
        ("betainc(1/3, 4/3, 0, p/(1 - p))", "1/2", "-", "beta(1/3, 4/3)"),
        ("betainc(1/3, 4/3, 0, p/(1 - p))", "1/3", "+", "betainc(1/3, 4/3, 0, 1/2)"),
        ("p*betainc(a, b, 0, p)", "1", "-", "beta(a, b)"),
        ("1 + betainc(a, b, 0, p)", "0", "+", "1"),
    ],
)
def test_an_incomplete_beta_function_is_continuous_on_its_whole_range(
    text: str, point: str, side: str, value: str
) -> None:
    names = {"a": a, "b": b, "p": p, "t": t}
    expr, reached = sympy.sympify(text, names, rational=True), sympy.sympify(value, names, rational=True)
    approach = Approach(p, sympy.sympify(point), side)
    assert tends(expr, approach, reached)
    for wrong in (reached + 1, 2 * reached + 1, -reached - 1, sympy.oo):
        assert not tends(expr, approach, wrong)


@pytest.mark.parametrize(
    ("text", "point", "side"),
    [
        ("betainc(1/3, a - 1, 0, p)", "1", "-"),  # a shape that may be negative
        ("betainc(1/3, -1/2, 0, p)", "1", "-"),
        ("betainc(-1/3, 1/2, 0, p)", "0", "+"),
        ("betainc(p, 1/2, 0, p)", "0", "+"),  # a shape that moves
        ("betainc(1/2, 1 - p, 0, p)", "1", "-"),
        ("betainc(1/2, 1/2, 0, 2*p)", "1", "-"),  # beyond the range
        ("betainc(1/2, 1/2, 0, a*p)", "1", "-"),
    ],
)
def test_an_incomplete_beta_function_is_not_continued_past_its_range(
    text: str, point: str, side: str
) -> None:
    names = {"a": a, "p": p}
    approach = Approach(p, sympy.sympify(point), side)
    expr = sympy.sympify(text, names, rational=True)
    whole = expr.subs(p, approach.point)
    for value in (sympy.beta(*expr.args[:2]).subs(p, approach.point), sympy.S.Zero, whole):
        assert not tends(expr, approach, value)


def test_slopes_at_a_point_with_letters_are_written_as_products() -> None:
    a, z = sympy.Symbol("a", positive=True), sympy.Symbol("z", positive=True)
    at = z / (z + 1)
    slope = series._slope(sympy.betainc(3, a - 2, 0, series._z), 4, at)
    assert sympy.count_ops(sympy.expand(slope)) < 300  # it was 1381
    numbers = {a: sympy.Rational(5, 2), z: sympy.Rational(1, 3)}
    exact = mpmath.diff(lambda y: y**2 * (1 - y) ** (mpmath.mpf(1) / 2 - 1), mpmath.mpf(1) / 4, 3)
    assert float(slope.subs(numbers)) == pytest.approx(float(exact), rel=1e-6)


def test_waves_that_are_damped_vanish_and_others_have_no_limit() -> None:
    far = Approach(u, oo, "-")
    for vanishing in (
        sympy.exp(-u) * sympy.sin(u),
        u**3 * sympy.exp(-a * u) * (sympy.sin(u) + 2 * sympy.cos(b * u)),
        sympy.cos(u) / u,
    ):
        assert value_at(vanishing, far, Given()) == 0
    for open_one in (sympy.sin(u), u * sympy.cos(u), sympy.exp(u) * sympy.sin(u), (1 + u * sympy.sin(u)) / u):
        assert value_at(open_one, far, Given()) is None
