"""The claims of every move refuse its mutants, and no decider proves what is false."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp
from sympy import Expr, Integer, Rational, Symbol, atan, exp, log, oo, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, parameter, s
from costderive.deciders.limits import Approach, value_at
from costderive.proof import checker
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Equal, NonNegative, Positive, Regular, Step, Tends, Verdict
from tests.mutants import (
    CONTEXTS,
    EQUIVALENT,
    FALSEHOODS,
    Falsehood,
    Mutant,
    case,
    derivation,
    derivation_mutants,
    equivalent,
    falsified,
    mutants,
)

STEPS = range(7)
MOVES = (
    "TakeExpectation",
    "ChangeOfVariables",
    "SliceRegion",
    "IntegrateMagnitude",
    "IntegrateByParts",
    "SlopeOfRisk",
    "SignOfWeight",
)


OTHER_VARIABLE, COMPLEX = r".* in another variable", r".* (plus|by) i( throughout)?"

families = pytest.mark.parametrize("family", CONTEXTS)
numbers = pytest.mark.parametrize("number", STEPS, ids=MOVES)


# ------------------------------------------------------------------------------------- mutants of moves


@cache
def verdict(claim: Claim, facts: Given) -> Verdict:
    """Decide a claim once: the mutants of a step share most of their claims."""
    return decide(claim, facts).verdict


decide_once = cache(decide)


def survives(family: str, number: int, mutant: Mutant) -> bool:
    """Return whether all claims of the falsified step are proved."""
    mutated = falsified(case(family), number, mutant.after)
    return all(
        verdict(claim, mutated.given) is Verdict.PROVED
        for claim in mutated.steps[number].claims(mutated.given)
    )


@families
@numbers
def test_original_step_is_proved(family: str, number: int) -> None:
    original = case(family)
    step: Step = original.steps[number]
    assert all(verdict(claim, original.given) is Verdict.PROVED for claim in step.claims(original.given))


def survivors(family: str, number: int, pattern: str) -> list[str]:
    """Return the names of the mutants that match a pattern, pass the claims, and are not equivalent."""
    move = case(family).steps[number].move
    asked = [mutant for mutant in mutants(family, number) if re.fullmatch(pattern, mutant.name)]
    suspects = [mutant for mutant in asked if not equivalent(move, family, mutant.name)]
    return [mutant.name for mutant in suspects if survives(family, number, mutant)]


@families
@numbers
def test_claims_refuse_every_mutant(family: str, number: int) -> None:
    assert survivors(family, number, rf"(?!{OTHER_VARIABLE}|{COMPLEX}).*") == []


@families
@numbers
def test_claims_refuse_functions_of_another_variable(family: str, number: int) -> None:
    assert survivors(family, number, OTHER_VARIABLE) == []


@families
@numbers
def test_deciders_refuse_complex_numbers_without_failing(family: str, number: int) -> None:
    assert survivors(family, number, COMPLEX) == []


@numbers
def test_every_move_has_many_mutants(number: int) -> None:
    assert sum(len(mutants(family, number)) for family in CONTEXTS) >= 200
    assert all(len(mutants(family, number)) >= 10 for family in CONTEXTS)


def test_every_equivalence_has_a_reason_and_is_needed() -> None:
    assert all(entry.reason for entry in EQUIVALENT)
    used = {
        entry
        for family in ("rectangle", "corner", "integral")
        for number in STEPS
        for mutant in mutants(family, number)
        if (entry := equivalent(case(family).steps[number].move, family, mutant.name))
        and survives(family, number, mutant)
    }
    assert used == set(EQUIVALENT)


def test_step_that_starts_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that is put into one step only, though equivalent, is not what the next step starts from."""
    monkeypatch.setattr(checker, "decide", decide_once)
    whole, number = derivation("corner"), MOVES.index("IntegrateMagnitude")
    split = next(mutant for mutant in mutants("corner", number) if mutant.name.startswith("weight split"))
    steps = list(whole.cases[0].steps)
    steps[number] = replace(steps[number], after=split.after)
    torn = replace(whole, cases=(replace(whole.cases[0], steps=tuple(steps)),))
    refuted = [x.claim.what for x in checker.check(torn).findings if x.verdict is not Verdict.PROVED]
    assert refuted == ["the step starts from what the step before it gave"]


def test_incomplete_derivations_are_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "decide", decide_once)
    proved = [name for name, one in derivation_mutants() if checker.check(one).verdict is Verdict.PROVED]
    assert proved == []


def test_the_steps_of_a_derivation_are_the_moves_of_the_mutants() -> None:
    assert tuple(type(step.move).__name__ for step in case("smooth").steps) == MOVES


# ----------------------------------------------------------------------------------- claims that are false


@pytest.mark.parametrize("falsehood", FALSEHOODS, ids=lambda x: f"{type(x.claim).__name__}: {x.name}")
def test_falsehood_is_not_proved(falsehood: Falsehood) -> None:
    assert decide(falsehood.claim, falsehood.given).verdict is not Verdict.PROVED, falsehood.why


def proved(claim: Claim, facts: Given | None = None) -> bool:
    return decide(claim, facts or Given()).verdict is Verdict.PROVED


# -------------------------------------------------------------------------------------- random claims

a, b, d = (parameter(letter) for letter in "abd")
UNIT, REPORTS = Interval(s, sympy.S.Zero, sympy.S.One), Interval(p, sympy.S.Zero, sympy.S.One)
QUICK = settings(
    max_examples=int(os.environ.get("COSTDERIVE_EXAMPLES", "25")), deadline=None, derandomize=True
)

small = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(
    lambda x: Rational(x.numerator, x.denominator)
)
nonzero = small.filter(lambda x: x != 0)
tiny = st.sampled_from(
    [Rational(1, 10**9), Rational(-1, 10**40), Rational(1, 10**60) * s, Rational(1, 10**30) / s]
)


def over(
    variable: Symbol, leaves: st.SearchStrategy[Expr], functions: tuple[Any, ...]
) -> st.SearchStrategy[Expr]:
    """Expressions in a variable: sums, products, quotients, powers and functions of them."""
    exponents = st.sampled_from(
        [Integer(2), Integer(-1), Rational(1, 2), Rational(1, 3), Rational(-1, 2), Rational(3, 2), Integer(3)]
    )

    def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        return st.one_of(
            st.tuples(inner, inner).map(lambda x: x[0] + x[1]),
            st.tuples(inner, inner).map(lambda x: x[0] - x[1]),
            st.tuples(inner, inner).map(lambda x: x[0] * x[1]),
            st.tuples(inner, exponents).map(lambda x: x[0] ** x[1] if x[0] != 0 else x[0]),
            st.tuples(st.sampled_from(functions), inner).map(lambda x: x[0](x[1]) if x[1] != 0 else x[1]),
        )

    return st.recursive(leaves, grown, max_leaves=5).filter(_ordinary)


def _ordinary(expr: Expr) -> bool:
    """Return whether all constants inside are real numbers: what is not is tried in the table of falsehoods."""
    return all(
        node.is_extended_real and node.is_finite for node in sympy.preorder_traversal(expr) if node.is_number
    )


FUNCTIONS = (log, exp, atan, sympy.asinh, sympy.asin, sympy.erf)
leaves = st.one_of(st.sampled_from([s, 1 - s, s - Rational(1, 2), 2 * s - 1, a, a - b, a * s, 1 + s]), small)
expressions = over(s, leaves, FUNCTIONS)


def values_at(expr: Expr, point: dict[Symbol, Expr]) -> Any:
    """Return the principal value at a point, as a complex number to 50 digits, or None."""
    try:
        with mp.workdps(60):
            value = sympy.lambdify((), expr.subs(point), "mpmath")()
            value = +mpmath.mpmathify(value)
    except (ZeroDivisionError, ValueError, TypeError, OverflowError, NameError, KeyError):
        return None
    return value if mpmath.isfinite(value) else None


def some_points() -> list[dict[Symbol, Expr]]:
    shares = [
        Rational(x) for x in ("1/1000", "1/9", "1/4", "1/3", "49/100", "51/100", "2/3", "8/9", "999/1000")
    ]
    pairs = [(Rational(1, 7), Integer(3)), (Integer(2), Rational(1, 3)), (Rational(5, 2), Rational(7, 3))]
    return [{s: share, a: x, b: y, d: Rational(3, 5)} for share in shares for x, y in pairs]


@QUICK
@given(expressions, tiny)
def test_function_is_not_equal_to_one_nearby(expr: Expr, shift: Expr) -> None:
    assert not proved(Equal("", expr, expr + shift, UNIT))
    assert not proved(Equal("", sympy.expand(expr), expr + shift, UNIT))


REWRITINGS: dict[str, Any] = {
    "root of a square": lambda x, y: (sqrt(sympy.expand(x**2)), x),
    "root of a square, negative": lambda x, y: (sqrt(sympy.expand(x**2)), -x),
    "root of a product": lambda x, y: (sqrt(sympy.expand(x * y)), sqrt(x) * sqrt(y)),
    "root of a quotient": lambda x, y: (sqrt(sympy.together(x / y)), sqrt(x) / sqrt(y)),
    "cube root of a cube": lambda x, y: (sympy.cbrt(sympy.expand(x**3)), x),
    "fourth root": lambda x, y: (sympy.expand(x**4) ** Rational(1, 4), x),
    "log of a product": lambda x, y: (log(sympy.expand(x * y)), log(x) + log(y)),
    "log of a square": lambda x, y: (log(sympy.expand(x**2)), 2 * log(x)),
    "log of an inverse": lambda x, y: (log(1 / x), -log(x)),
    "symbolic power of a square": lambda x, y: (sympy.expand(x**2) ** a, x ** (2 * a)),
    "symbolic power of a product": lambda x, y: (sympy.expand(x * y) ** a, x**a * y**a),
    "exp of half a log": lambda x, y: (exp(log(sympy.expand(x**2)) / 2), x),
    "log of exp": lambda x, y: (log(sympy.expand(exp(x) ** 2)), 2 * x),
    "asin of -x": lambda x, y: (sympy.asin(sympy.expand(x - y)), -sympy.asin(y - x)),
    "atan of 1/x": lambda x, y: (atan(1 / x) + atan(x), sympy.pi / 2 + 0 * y),
}


@QUICK
@given(st.sampled_from(sorted(REWRITINGS)), expressions, expressions)
def test_rewriting_is_proved_only_where_it_holds(name: str, x: Expr, y: Expr) -> None:
    """Each rule holds on some domain; where it is proved, both sides agree in the complex numbers."""
    assume(x != 0 and y != 0)
    left, right = REWRITINGS[name](x, y)
    assume(_ordinary(left) and _ordinary(right))
    if not proved(Equal("", left, right, UNIT)):
        return
    for point in some_points():
        first, second = values_at(left, point), values_at(right, point)
        if first is not None and second is not None:
            assert abs(first - second) <= mp.mpf(10) ** -30 * (1 + abs(first)), (
                f"{left} is not {right} at {point}"
            )


roots = st.sampled_from(
    [Rational(x) for x in ("-1", "0", "1/7", "1/4", "1/3", "1/2", "2/3", "1", "3/2", "5")]
)
factors = st.one_of(
    roots.map(lambda root: s - root),
    st.sampled_from(
        [
            2 * s**2 - 1,
            s**2 - s + 1,
            3 * s**2 - 3 * s + Rational(1, 2),
            s**2 + s - 1,
            s**3 - s - 1,
            5 * s - sqrt(2),
        ]
    ),
)
powers = st.sampled_from([Integer(1), Integer(2), Integer(3), Integer(-1), Integer(-2)])
rationals = st.tuples(nonzero, st.lists(st.tuples(factors, powers), min_size=1, max_size=4)).map(
    lambda x: x[0] * sympy.prod([factor**power for factor, power in x[1]])
)
intervals = st.tuples(roots, roots).filter(lambda x: 0 <= x[0] < x[1]).map(lambda x: Interval(s, *x))
TEST_SHARES = [Rational(x, 97) for x in range(1, 97, 4)]


def delicate(expr: Expr, on: Interval) -> list[Expr]:
    """Points inside an interval: a grid, every rational root or pole, and points close by."""
    special = [Rational(x) for x in ("1/7", "1/4", "1/3", "1/2", "2/3", "1", "3/2")]
    near = [x + gap for x in special for gap in (Rational(1, 10**6), Rational(-1, 10**6), 0)]
    grid = [on.low + share * (on.high - on.low) for share in TEST_SHARES]
    return [x for x in grid + near if on.low < x < on.high]


@QUICK
@given(rationals, intervals, st.booleans())
def test_sign_of_a_rational_function_is_proved_only_where_it_holds(
    expr: Expr, on: Interval, strict: bool
) -> None:
    if proved(Positive("", expr, on) if strict else NonNegative("", expr, on)):
        for point in delicate(expr, on):
            value = expr.subs(s, point)
            if value.is_finite:
                assert value > 0 or (value == 0 and not strict), f"{expr} is {value} at {point}"


forms = st.tuples(*[st.integers(-2, 2)] * 4).map(lambda k: k[0] * a + k[1] * b + k[2] * d + k[3])
products = st.lists(forms, min_size=1, max_size=3).map(sympy.prod)
polynomials = st.tuples(products, products).map(lambda x: x[0] + x[1])
facts = st.lists(st.one_of(forms, products), max_size=2)


def satisfying(known: Given) -> list[dict[Symbol, Expr]]:
    """Points that satisfy the facts, among them points where a weak fact is an equality."""
    grid = [Rational(1, 5), Rational(1, 2), Integer(1), Rational(3, 2), Integer(2), Integer(7)]
    return [v for x in grid for y in grid for z in grid if known.holds_at(v := {a: x, b: y, d: z})]


@QUICK
@given(polynomials, facts, facts, st.booleans())
def test_sign_under_facts_is_proved_only_where_it_holds(
    expr: Expr, above: Any, at_least: Any, strict: bool
) -> None:
    known = Given().also(positive=tuple(above), nonnegative=tuple(at_least))
    if proved(Positive("", expr) if strict else NonNegative("", expr), known):
        for point in satisfying(known):
            value = expr.subs(point)
            assert value > 0 or (value == 0 and not strict), f"{expr} is {value} at {point}"


@QUICK
@given(expressions, st.booleans())
def test_sign_of_any_expression_is_proved_only_where_it_holds(expr: Expr, strict: bool) -> None:
    if proved(Positive("", expr, UNIT) if strict else NonNegative("", expr, UNIT)):
        for point in some_points():
            value = values_at(expr, point)
            if value is not None:
                assert abs(mpmath.im(value)) < mp.mpf(10) ** -40, f"{expr} is {value} at {point}"
                assert mpmath.re(value) > (0 if strict else -(mp.mpf(10) ** -40)), (
                    f"{expr} is {value} at {point}"
                )


near_zero = over(
    p, st.one_of(st.sampled_from([p, log(p), 1 / p, p**a, a - b, sqrt(p), 1 - p, a, p**2]), small), FUNCTIONS
)
SCALES = (100, 300)


@QUICK
@given(near_zero)
def test_limit_is_proved_only_where_the_values_approach_it(expr: Expr) -> None:
    """At 1e-100 and 1e-300, to 1500 digits; a logarithm is then 700, so that 1/log is 0.0014."""
    assume(p in expr.free_symbols)
    limit = value_at(expr, Approach(p, sympy.S.Zero, "+"))
    if limit is None or not proved(Tends("", expr, p, sympy.S.Zero, "+", limit)):
        return
    for first, second in (
        (Rational(1, 7), Integer(3)),
        (Integer(1), Integer(1)),
        (Rational(5, 2), Rational(1, 3)),
    ):
        assert_approached(expr.subs({a: first, b: second}), limit.subs({a: first, b: second}))


def assert_approached(expr: Expr, limit: Expr) -> None:
    """Compare values with a limit, if both are real: a constant such as asin(a) need not be."""
    with mp.workdps(1500):
        try:
            far, near = (
                +mpmath.mpmathify(sympy.lambdify(p, expr, "mpmath")(mp.mpf(10) ** -scale)) for scale in SCALES
            )
            goal = +mpmath.mpmathify(sympy.lambdify((), limit, "mpmath")()) if limit.is_finite else limit
        except (ZeroDivisionError, OverflowError, ValueError, KeyError):
            return
        if any(isinstance(value, mpmath.mpc) for value in (far, near, goal)) or limit.has(sympy.zoo):
            return
        if limit in (oo, -oo):
            sign = 1 if limit is oo else -1
            assert sign * near > 3 and sign * near > sign * far, (
                f"{expr} is {mpmath.nstr(near, 5)}, not {limit}"
            )
        else:
            error = abs(near - goal)
            close = error < mp.mpf(10) ** -20 or (error < 0.5 and error < abs(far - goal))
            assert close, f"{expr} is {mpmath.nstr(near, 5)}, not {mpmath.nstr(goal, 5)}"


bends = over(
    p,
    st.one_of(st.sampled_from([p, 1 - p, p - Rational(1, 2), 2 * p - 1, 3 * p - 1, a - 1, a * p]), small),
    FUNCTIONS,
)


@QUICK
@given(bends)
def test_smoothness_is_proved_only_of_real_functions_without_jumps_or_kinks(expr: Expr) -> None:
    if not proved(Regular("", expr, REPORTS)):
        return
    step = Rational(1, 10**12)
    for parameter_value in (Rational(1, 7), Integer(1), Rational(5, 2)):
        for place in (Rational(1, 9), Rational(1, 3), Rational(1, 2), Rational(7, 9)):
            points = [{p: place + k * step, a: parameter_value} for k in (-1, 0, 1)]
            values = [values_at(expr, point) for point in points]
            assert None not in values, f"{expr} is not finite at p = {place}, a = {parameter_value}"
            assert all(mpmath.im(value) == 0 for value in values), f"{expr} is not real at {place}"
            left, right = (
                (values[1] - values[0]) / mp.mpf(10) ** -12,
                (values[2] - values[1]) / mp.mpf(10) ** -12,
            )
            assert abs(right - left) < mp.mpf(10) ** -6 * (1 + abs(left)) ** 2, (
                f"{expr} has a kink at {place}"
            )
