"""What a decider must not call proved: signs with zeros and poles, infinite integrals, letters of its own, rounding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import flint
import pytest
import sympy
from sympy import Dummy, Expr, Float, Integral, Max, Min, Rational, Symbol, exp, log, oo, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, p, s
from costderive.core.time_limit import within
from costderive.deciders.exactness import rounded
from costderive.deciders.fractions import expanded, fraction
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.growth import by_growth
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, integrals_converge, tail, tends, value_at
from costderive.deciders.line import falsified
from costderive.deciders.number_signs import number_sign
from costderive.deciders.orthant import nonnegative_coefficients
from costderive.deciders.regularity import regular
from costderive.deciders.sample_points import scattered
from costderive.deciders.signs import nonnegative, positive, real
from costderive.derivation.parse_losses import pair_of
from costderive.literature.kinds import question
from costderive.literature.properness_questions import IsSuperior
from costderive.literature.question import Outcome
from costderive.proof.checker import decide
from costderive.proof.claims import Equal, Finding, NonNegative, Positive, Regular, Tends, Verdict

a, b, k = sympy.symbols("a b k", positive=True)
x = Symbol("x", nonnegative=True)
UNIT = Interval(s, sympy.S.Zero, sympy.S.One)
TINY = Rational(1, 10**30)
THIRD, HALF = Rational(1, 3), sympy.S.Half


def claimed(kind: type, expr: Expr, on: Interval | None = UNIT, given: Given = Given()) -> Finding:
    return decide(kind("a sign", expr, on), given)


# ---- signs of rational functions


@pytest.mark.parametrize(
    ("expr", "why"),
    [
        ((s - THIRD) ** 2 - Rational(1, 10**8), "negative at s = 1/3"),
        ((s - THIRD) ** 2 - TINY, "negative at s = 1/3"),
        ((s - THIRD) * (s - THIRD - TINY), "negative"),
        (s - THIRD, "negative"),
        (1 / (s - HALF) ** 2, "infinite at s = 1/2"),
        (s**2 / (s**3 - Rational(1, 7)) ** 2, "infinite"),
        (1 - s - Rational(10**30 - 1, 10**30), "negative"),
    ],
)
def test_a_false_sign_of_one_letter_is_refuted_with_a_place(expr: Expr, why: str) -> None:
    found = claimed(NonNegative, expr)
    assert found.verdict is Verdict.REFUTED
    assert found.evidence.startswith(why)


@pytest.mark.parametrize("expr", [(s - THIRD) ** 2, (s**2 - HALF) ** 2, (3 * s - 1) ** 4 * s, s * 0])
def test_a_zero_inside_refutes_a_strict_sign_only(expr: Expr) -> None:
    assert claimed(NonNegative, expr).verdict is Verdict.PROVED
    found = claimed(Positive, expr)
    assert found.verdict is Verdict.REFUTED
    assert found.evidence.startswith("zero")


@pytest.mark.parametrize("shift", [Rational(1, 10**n) for n in (1, 3, 8, 30, 80)])
def test_a_dip_of_any_depth_is_found_and_none_is_imagined(shift: Rational) -> None:
    for root in (THIRD, Rational(2, 3), Rational(999, 1000)):
        above, below = (s - root) ** 2 + shift, (s - root) ** 2 - shift**2
        assert claimed(Positive, above).verdict is Verdict.PROVED
        assert claimed(NonNegative, below).verdict is Verdict.REFUTED


@pytest.mark.parametrize("coefficients", [[(7 * n**2 + 3 * m) % 11 - 5 for n in range(5)] for m in range(40)])
def test_the_sign_of_a_polynomial_agrees_with_its_roots_in_balls(coefficients: list[int]) -> None:
    """The referee isolates all complex roots in balls, and knows which of them are real and simple."""
    poly = flint.fmpz_poly(coefficients)
    expr = sum(c * s**n for n, c in enumerate(coefficients)) + 0 * s
    found = claimed(NonNegative, expr)
    inside = [root for root, n in poly.complex_roots() if n % 2 and root.imag == 0 and 0 < root.real < 1]
    if not poly:
        return
    start = poly(flint.fmpq(1, 10**6))
    expected = Verdict.REFUTED if inside or start < 0 else Verdict.PROVED
    assert found.verdict is expected, (expr, found)


def test_facts_on_the_letter_are_kept_by_a_decision_on_its_line() -> None:
    below = Given().also(positive=(THIRD - s,))
    assert claimed(Positive, 1 - 2 * s, UNIT, below).verdict is Verdict.PROVED
    assert (
        claimed(Positive, THIRD - s, UNIT, Given().also(nonnegative=(THIRD - s,))).evidence
        == "zero at s = 1/3"
    )


def test_a_fact_on_another_letter_is_satisfied_by_a_counterexample() -> None:
    """Where ``a < 1/4`` and ``s < a``, s is below 1/4: the sign of ``1/4 - s`` cannot fail."""
    given = Given().also(positive=(a - s, Rational(1, 4) - a))
    assert claimed(NonNegative, Rational(1, 4) - s, UNIT, given).verdict is not Verdict.REFUTED
    assert claimed(NonNegative, Rational(1, 8) - s, UNIT, given).verdict is Verdict.REFUTED


def test_a_pole_at_an_end_is_not_inside() -> None:
    assert nonnegative(1 / s**2, UNIT)
    assert positive(s / (1 - s) ** 3, UNIT)
    assert not nonnegative(1 / (a - b) ** 2)


# ---- letters


@pytest.mark.parametrize(
    "expr",
    [
        a - 1,
        1 - a,
        a - s,
        a**s * log(a),
        a**2 - 10**6,
        10**6 - a,
        a - b,
        (a - 1) ** 2 - TINY,
        (a - b) ** 2 - Rational(1, 10**12),
        a * b - 1,
        a * s**2 + b * s - Rational(1, 10**7),
    ],
)
def test_what_some_values_of_the_letters_make_false_is_refuted_with_them(expr: Expr) -> None:
    found = claimed(NonNegative, expr)
    assert found.verdict is Verdict.REFUTED
    named = dict(part.split(" = ") for part in found.evidence.partition(" at ")[2].split(", "))
    values = {Symbol(name, positive=True): sympy.Rational(value) for name, value in named.items()}
    assert all(value > 0 for value in values.values())
    assert expr.subs(values).evalf(60) < 0


def test_equal_letters_refute_a_strict_sign() -> None:
    assert claimed(Positive, (a - b) ** 2, None).evidence.startswith("zero at")
    assert claimed(Positive, Min(1, (a - b) ** 2), None).verdict is not Verdict.PROVED


def test_points_of_all_sizes_satisfy_what_is_assumed() -> None:
    count = Symbol("n", integer=True, positive=True)
    found = scattered({a, x, count}, UNIT, Given().also(positive=(1 - a,)))
    assert found
    for point in found:
        assert 0 < point[a] < 1
        assert point[x] >= 0
        assert point[count].is_Integer
        assert 0 < point[s] < 1
    assert {point[a] < Rational(1, 100) for point in found} == {True, False}


@pytest.mark.parametrize("expr", [x, x**2 + x, a * x, x * (a + x), sqrt(x), x / a])
def test_a_letter_that_may_be_zero_is_not_positive(expr: Expr) -> None:
    assert nonnegative(expr)
    assert not positive(expr)
    assert positive(expr + TINY)


def test_a_letter_that_may_be_zero_divides_nothing() -> None:
    assert not nonnegative(1 / x)
    assert not nonnegative_coefficients(x, None, Given(), True)
    fact = Given().also(nonnegative=(a - b * x,))
    assert not positive(a - b * x, None, fact)


@pytest.mark.parametrize("letter", [Symbol("y"), Symbol("y", real=True), Symbol("y", complex=True)])
def test_a_letter_of_unknown_sign_has_none(letter: Symbol) -> None:
    for expr in (letter, letter + 1, 1 / letter, letter * a):
        assert not positive(expr)
        assert not nonnegative(expr)
        assert not positive(-expr)


@pytest.mark.parametrize("name", ["_g0", "_g1", "_r0", "_e0", "_a0", "_x", "_z", "_w0", "_w1", "_i0"])
def test_letters_of_the_deciders_are_none_of_the_users(name: str) -> None:
    mine = Symbol(name, positive=True)
    assert not zero(sqrt(a) - mine)
    assert not zero(sympy.gamma(a) - mine)
    assert not zero(log(a) + sqrt(a + 1) - mine - log(mine))
    assert not positive(1 - mine * exp(-s), UNIT)
    assert not positive(sqrt(a) - mine)
    assert not nonnegative(a - mine, None, Given().also(nonnegative=(a - b,)))
    assert tends(mine + p, Approach(p, sympy.S.Zero, "+"), mine)
    assert not tends(mine * log(p), Approach(p, sympy.S.Zero, "+"), oo)
    assert (
        decide(Regular("an integral", s * Integral(sqrt(p) * mine, (p, 0, 1)), UNIT)).verdict
        is Verdict.PROVED
    )


def test_fresh_letters_are_the_same_each_time_and_none_that_is_there() -> None:
    first = next(fresh("g", (a,)))
    assert first == next(fresh("g", (b,)))
    assert isinstance(first, Dummy)
    assert str(next(fresh("g", (first,)))) != str(first)


# ---- minima, maxima, powers


@pytest.mark.parametrize(
    ("expr", "sign"),
    [
        (Min(a, b), 1),
        (Min((a - b) ** 2, a), 0),
        (Min((a - b) ** 2, (a - 1) ** 2), 0),
        (Max((a - b) ** 2, a), 1),
        (Max((a - b) ** 2, a - b), 0),
        (Min((a - b) ** 2, a - b), None),
        (Max(-a, -b), -1),
        (Max(-a, a - b), None),
        (Min(-a, b), -1),
    ],
)
def test_a_minimum_has_the_sign_that_all_have_and_a_maximum_that_of_one(expr: Expr, sign: int | None) -> None:
    assert bool(positive(expr)) == (sign == 1)
    assert bool(nonnegative(expr)) == (sign in (0, 1))
    assert bool(positive(-expr)) == (sign == -1)


def test_a_power_of_a_base_that_may_be_zero_or_negative_is_not_positive() -> None:
    for base in (x, a - b, (a - b) ** 2):
        assert not positive(base**a)
        assert not real(base**a - 1 / base, None, Given())
    assert not nonnegative((a - b) ** HALF)
    assert not nonnegative(((a - b) ** 2) ** -HALF)


# ---- integrals


@pytest.mark.parametrize(
    "integral",
    [
        Integral(1 / p, (p, 0, 1)),
        Integral(1 / (p - HALF) ** 2, (p, 0, 1)),
        Integral(1 / (p - HALF), (p, 0, 1)),
        Integral(TINY / (p - THIRD) ** 2, (p, 0, 1)),
        Integral(exp(p), (p, 0, oo)),
        Integral(1 / (1 - p), (p, 0, 1)),
        Integral(log((p - HALF) ** 2) / (p - HALF), (p, 0, 1)),
        Integral(log(p - HALF), (p, 0, 1)),
        Integral(sqrt(p - HALF), (p, 0, 1)),
        Integral(1 / (p - a) ** 2, (p, 0, 1)),
    ],
)
def test_an_integral_that_diverges_or_is_not_real_is_no_number(integral: Integral) -> None:
    assert not real(integral, None, Given())
    for expr in (exp(-a * integral), 1 / (1 + a * integral), sympy.erfc(a * integral)):
        assert claimed(Positive, expr).verdict is not Verdict.PROVED
        assert decide(Regular("it is smooth", expr * s, UNIT)).verdict is not Verdict.PROVED
    assert decide(Regular("it is smooth", s * integral, UNIT)).verdict is not Verdict.PROVED
    assert decide(Regular("it is smooth", s + a * integral, UNIT)).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    "expr",
    [
        lambda whole: (2 + whole) ** -k,
        lambda whole: 1 - (1 - (2 + whole) ** -k),
        lambda whole: sympy.beta(1 + whole, 1),
        lambda whole: sympy.lowergamma(1 + whole, HALF),
        lambda whole: sympy.betainc(1 + whole, 1, 0, HALF),
    ],
)
def test_what_falls_to_0_where_an_integral_is_infinite_is_not_positive(
    expr: Callable[[Expr], Expr],
) -> None:
    assert claimed(Positive, expr(Integral(1 / p, (p, 0, 1))), None).verdict is Verdict.OPEN


def test_an_integral_of_a_function_that_is_continuous_up_to_both_ends_is_a_number() -> None:
    whole = Integral(sqrt(p) * exp(-a * p) / (1 + p), (p, 0, 1))
    assert real(whole, None, Given())
    assert claimed(Positive, exp(-whole)).verdict is Verdict.PROVED
    assert claimed(Positive, 1 / (1 + whole)).verdict is Verdict.PROVED


def test_an_integral_that_converges_at_open_ends_is_smooth_as_a_constant() -> None:
    whole = Integral(1 / sqrt(p), (p, 0, 1))
    assert decide(Regular("it is smooth", exp(-whole) * s + whole, UNIT)).verdict is Verdict.PROVED


def test_an_integral_that_is_minus_infinity_throughout_does_not_tend_to_infinity() -> None:
    up = Approach(p, sympy.S.One, "-")
    assert not tends(Integral(1 / (1 - c1) - 1 / c1, (c1, 0, p)), up, oo)
    assert not tends(Integral(1 / (1 - c1) + 1 / (c1 - HALF), (c1, 0, p)), up, oo)
    assert tends(Integral(1 / (1 - c1), (c1, 0, p)), up, oo)


def test_a_positive_letter_is_not_bound_to_negative_numbers() -> None:
    rising = Integral(a + b, (a, -1, 0))  # b - 1/2
    assert not nonnegative(rising)
    assert nonnegative(Integral(a + b, (a, 0, 1))) and nonnegative(Integral(a + b, (a, k, k + 1)))
    assert not real(Integral(sqrt(a + b), (a, -1, 0)), None, Given())
    assert not regular(s * Integral(sqrt(a + b), (a, -1, 0)), UNIT, Given())
    assert regular(s * Integral(sqrt(a + b), (a, 0, 1)), UNIT, Given())


# ---- limits


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (p ** (a - b), sympy.S.Zero),
        (p ** (a - b), oo),
        (log(p ** (a - b)), oo),
        ((a - b) / p, oo),
        ((a - b) * log(p) + p, -oo),
        ((a - b) / p + p ** (-HALF), oo),
        (exp((a - b) / p), oo),
        (p ** (a - b) + p**b * log(p), oo),
        (1 / (p + a - b), 1 / (a - b)),
        (log(a - b + p), log(a - b)),
    ],
)
def test_a_limit_that_hangs_on_the_sign_of_letters_is_open(expr: Expr, value: Expr) -> None:
    claim = Tends("a limit", expr, p, sympy.S.Zero, "+", value)
    assert decide(claim).verdict is not Verdict.PROVED


def test_an_incomplete_beta_function_has_a_known_value_short_of_1_alone_if_its_second_shape_is_open() -> None:
    of_open_shape, of_open_first = sympy.betainc(2, a - b, 0, s), sympy.betainc(a - b, 2, 0, s)

    def at(expr: Expr, end: Expr) -> Expr | None:
        return value_at(expr, Approach(s, end, "-"))

    assert at(of_open_shape, HALF) == sympy.betainc(2, a - b, 0, HALF)
    assert value_at(of_open_shape, Approach(s, sympy.S.Zero, "+")) == 0
    assert at(of_open_shape, sympy.S.One) is None and at(of_open_first, HALF) is None
    assert at(sympy.betainc(2, a - b, 0, 2 * s), HALF) is None
    assert at(sympy.betainc(2, b, 0, 2 * s), HALF) == sympy.beta(2, b)


# ---- numbers


@pytest.mark.parametrize(
    "number",
    [
        sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)) + TINY,
        sympy.pi - Rational(3141592653589793238462643383279, 10**30),
        exp(1) - Rational(2718281828459045235360287471352, 10**30),
        log(2) + log(3) - log(6) + Rational(1, 10**40),
        sympy.gamma(THIRD) - Rational(26789385347077476337, 10**19),
        sympy.erf(HALF) - Rational(52049987781304653768, 10**20),
        exp(-(10**4)),
        sympy.atan(HALF) - sympy.asin(1 / sqrt(5)) - TINY,
    ],
)
def test_the_sign_of_a_number_is_that_of_a_ball(number: Expr) -> None:
    known = number_sign(number)
    ball = _ball(number)
    assert known == (1 if ball > 0 else -1)


def _ball(expr: Expr) -> flint.arb:
    with flint.ctx.workprec(400):
        return _enclosed(expr)


def _enclosed(expr: Expr) -> flint.arb:
    if expr.is_Rational:
        return flint.arb(flint.fmpq(int(expr.p), int(expr.q)))
    if expr is sympy.pi:
        return flint.arb.pi()
    parts = [_enclosed(arg) for arg in expr.args]
    if expr.is_Add:
        return sum(parts, flint.arb(0))
    if expr.is_Mul:
        return sympy.prod(parts)
    if expr is sympy.E:
        return flint.arb(1).exp()
    if expr.is_Pow:
        return parts[0] ** parts[1]
    return getattr(parts[0], expr.func.__name__)()


def test_nothing_is_divided_by_a_number_that_may_be_zero() -> None:
    hidden = sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)
    assert not real(1 / hidden, None, Given())
    assert not positive(1 / hidden**2)
    assert not positive(s / hidden**2, UNIT)


# ---- numbers that have been rounded


def test_no_decider_takes_a_rounded_number() -> None:
    one, zero_of = Float("1.0"), Approach(p, sympy.S.Zero, "+")
    assert not positive(one)
    assert not nonnegative(s + one, UNIT)
    assert not positive(s, Interval(s, sympy.S.Zero, one))
    assert not positive(a - 1, None, Given((a - one,)))
    assert not zero(exp(one * s) - exp(s))
    assert not real(one, None, Given())
    assert not regular(one * s, UNIT, Given())
    assert not tends(p + one, zero_of, sympy.S.One)
    assert value_at(p + one, zero_of) is None
    assert tail(one * p, zero_of) is None
    assert not integrals_converge(Integral(one * p, (p, 0, s)), UNIT, Given())
    assert not falsified(s - one, s, Given(), strict=True)[0]


@pytest.mark.parametrize("left", [Float("1.0") + Float("1e-20"), Float(1) * s + 1, Float("0.1") * 10])
def test_a_rounded_number_makes_a_claim_open(left: Expr) -> None:
    assert rounded(Equal("it", left, sympy.S.One))
    assert decide(Equal("it", left, sympy.S.One, UNIT)).verdict is Verdict.OPEN
    assert decide(NonNegative("it", left, UNIT)).verdict is Verdict.OPEN


# ---- claims of publications


def ruled(**table: object) -> Outcome:
    return question(table, "check").ruling().outcome


def test_a_function_that_is_singular_inside_is_not_concave() -> None:
    assert ruled(kind="concave", of="log((a - 1)^2)", rates={"a": "1"}) is Outcome.FAILS
    assert ruled(kind="concave", of="log((a - 1)^2 + 1) - a^2", rates={"a": "1"}) is Outcome.HOLDS
    assert ruled(kind="concave", of="-1/(a - 1)^2", rates={"a": "1"}) is not Outcome.HOLDS
    assert ruled(kind="concave", of="log(a)", rates={"a": "1"}) is Outcome.HOLDS


def test_a_right_prediction_that_loses_infinitely_much_is_not_superior() -> None:
    good = {"loss0": "p/2 if p <= 1/2; 3 + p", "loss1": "4 if p <= 1/2; (1 - p)/2", "between": "1"}
    assert ruled(kind="superior", **good) is Outcome.HOLDS
    infinite = {**good, "loss0": "p/2 - log(p) if p <= 1/2; 3 + p", "between": "3"}
    assert ruled(kind="superior", **infinite) is not Outcome.HOLDS
    pair = pair_of("p/2 if p <= 1/2; 3 + p", "4 if p <= 1/2; (1 - p)/2")
    first = replace(pair.values[0], loss0=oo)
    found = IsSuperior(pair.with_values((first, *pair.values[1:])), sympy.S.One).ruling()
    assert found.outcome is Outcome.FAILS


def test_an_entropy_with_a_jump_generates_no_losses() -> None:
    whole = {"entropy": "p if p <= 1/2; 1 - p", "loss0": "0 if p <= 1/2; 1", "loss1": "1 if p <= 1/2; 0"}
    assert ruled(kind="generates", **whole) is Outcome.HOLDS
    jump = {"entropy": "p if p <= 1/2; 5 - p", "loss0": "0 if p <= 1/2; 5", "loss1": "1 if p <= 1/2; 4"}
    assert ruled(kind="generates", **jump) is Outcome.FAILS


@pytest.mark.parametrize("step", [0, 1, 2, 7])
def test_gamma_functions_whose_arguments_differ_by_a_whole_number_are_related(step: int) -> None:
    product = sympy.prod([a + n for n in range(step)])
    assert zero(sympy.gamma(a + step) / sympy.gamma(a) - product)
    assert zero(sympy.beta(a + step, b) * sympy.rf(a + b, step) - sympy.beta(a, b) * product)
    wrong = sympy.prod([a + n for n in range(1, step + 1)])
    assert step == 0 or not zero(sympy.gamma(a + step) / sympy.gamma(a) - wrong)
    assert not zero(sympy.gamma(a + step + HALF) - sympy.gamma(a) * product)
    assert not zero(sympy.gamma(2 * a + step) - sympy.gamma(a + step))


def _undecided(*_: object) -> None:
    """Decide nothing."""


def test_an_integral_is_no_sum_of_exponentials_and_is_not_multiplied_out() -> None:
    beside = sympy.sqrt(s / (1 - s)) * sympy.sqrt(c1)
    root = sympy.sqrt(1 - sympy.exp(-c1))
    f = beside * root * c1**2 * sympy.exp(-c1) / (1 - s) ** 3 / (beside - beside * root + root) ** 4
    inner = sympy.Integral(f, (c1, 0, (1 - s) / s))
    assert not within(5, by_growth, inner, UNIT, Given(), True, _undecided)


SLOPES: list[tuple[Expr, Expr]] = [
    (s**a * log(s), s ** (a - 1) * (a * log(s) + 1)),
    (sqrt(1 - s**2), -s / sqrt(1 - s**2)),
    (Max(s, 2 * s), sympy.Integer(2)),
    ((s * (1 - s)) ** a, a * (1 - 2 * s) * (s * (1 - s)) ** (a - 1)),
    (log(s / (1 - s)) * exp(-a / s), exp(-a / s) * (a * log(s / (1 - s)) / s**2 + 1 / (s * (1 - s)))),
]


@pytest.mark.parametrize(("function", "slope"), SLOPES)
def test_a_slope_is_that_for_letters_of_known_sign_and_no_other(function: Expr, slope: Expr) -> None:
    wrong = slope + s * Rational(1, 10**6)
    assert decide(Equal("its slope", sympy.Derivative(function, s), slope, UNIT)).verdict is Verdict.PROVED
    assert (
        decide(Equal("its slope", sympy.Derivative(function, s), wrong, UNIT)).verdict is not Verdict.PROVED
    )


NOTHING = (a + 1) ** 2 - a**2 - 2 * a - 1  # zero, as SymPy does not see


@pytest.mark.parametrize(
    "expr", [1 / NOTHING, NOTHING / (b * NOTHING), b + (NOTHING * k) ** -2, NOTHING + TINY]
)
def test_a_fraction_over_zero_is_not_zero(expr: Expr) -> None:
    assert zero(expr) is None


@pytest.mark.parametrize(
    "expr",
    [
        a / (a + b) + b / (a + b) - 1,
        (a / (1 / b + 1 / k)) ** -2 - ((b + k) / (a * b * k)) ** 2,
        1 / (1 + 1 / (1 + 1 / a)) - (a + 1) / (2 * a + 1),
        1 / (1 + 1 / (1 + 1 / a)) - (a + 1) / (2 * a + 1) + a**5 / (b - k) ** 3,
    ],
)
def test_a_fraction_has_the_value_of_its_expression(expr: Expr) -> None:
    ring = sympy.polys.rings.PolyRing([a, b, k], sympy.QQ, sympy.lex)
    top, below = fraction(expr, ring)
    assert sympy.cancel(top.as_expr() / expanded(below, ring).as_expr() - expr) == 0
    assert (zero(expr) is not None) == (sympy.cancel(expr) == 0)
