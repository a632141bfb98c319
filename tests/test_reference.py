"""The derived rules are what the references say, and what integrating the law of the costs gives."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy
from mpmath import mp
from sympy import Expr, Rational, oo

import costderive as cd
from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import p, s
from costderive.costs.expected_loss import SlicedIntegral
from costderive.deciders.identities import zero
from costderive.derivation.derivation import losses
from costderive.derivation.moves import IntegrateByParts, IntegrateMagnitude, SliceRegion
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Report, Verdict
from costderive.rules import Losses
from tests.reference import (
    INVERSE_SCORE_LOSS0,
    INVERSE_SCORE_LOSS1,
    RECTANGLES,
    REFERENCES,
    Branch,
    Branches,
    PowerLaw,
    Rectangle,
    Reference,
    a,
    b,
    d,
    derived,
    e,
)

by_name = pytest.mark.parametrize("row", REFERENCES, ids=lambda row: row.name)

# Ten reports; the breakpoints 1/4, 2/5, 1/2, 2/3 and 3/4 of some contexts are among them.
REPORTS = tuple(
    Rational(x) for x in ("1/100", "1/10", "1/4", "2/5", "1/2", "13/24", "2/3", "3/4", "9/10", "99/100")
)
SHARES = tuple(Rational(x, 29) for x in range(1, 29, 3))


@cache
def checked(context: Any) -> Report:
    """Check once per session."""
    return cd.check(derived(context))


def case_of(row: Reference) -> Case:
    """Return the case that the numbers of a row belong to."""
    return next(case for case in derived(row.context).cases if case.given.holds_at(row.values))


def losses_of(row: Reference) -> Losses:
    return losses(case_of(row))


# ------------------------------------------------------------------------------------ (a) closed forms


def same_expression(left: Expr, right: Expr) -> bool:
    """Return whether a difference is zero, exactly: for rational functions this is a decision."""
    return bool(left == right or sympy.cancel(sympy.together(left - right)) == 0)


def same_to_forty_digits(left: Expr, right: Expr, low: Expr, high: Expr, row: Reference) -> bool:
    """Compare at rational points of a piece; at least 50 digits are carried, 40 are compared."""
    gap = (left - right).subs(row.values)
    shares = SHARES[::4] if gap.has(sympy.Integral) else SHARES  # quadrature takes longer
    inside = [low + share * (high - low) for share in shares]
    with mp.workdps(50 if gap.has(sympy.Integral) else 60):
        value = sympy.lambdify(p, gap, "mpmath")
        return all(abs(value(mp.mpf(x.p) / x.q)) < mp.mpf(10) ** -40 for x in inside)


def assert_agrees(found: Pieces, expected: Branches, row: Reference) -> None:
    """Assert the breakpoints of the reference, perhaps with others between them, and the same function everywhere."""
    branches = iter(expected)
    branch = next(branches)
    for piece in found:
        if row.is_rational:
            assert same_expression(piece.value, branch.value), f"{piece.value} is not {branch.value}"
        else:
            assert same_to_forty_digits(piece.value, branch.value, piece.low, piece.high, row)
        if same_expression(piece.high, branch.up_to):
            branch = next(branches, None)
    assert branch is None


@by_name
def test_loss_of_class_0_is_the_closed_form(row: Reference) -> None:
    assert_agrees(losses_of(row).loss0, row.loss0, row)


@by_name
def test_loss_of_class_1_is_the_closed_form(row: Reference) -> None:
    assert_agrees(losses_of(row).loss1, row.loss1, row)


@pytest.mark.parametrize(
    "name", ["geometric", "k = 1/2", "k = -1/2", "k = 2", "maximum", "minimum", "harmonic, d"]
)
def test_closed_forms_agree_exactly_where_the_identities_decide_it(name: str) -> None:
    row = next(row for row in REFERENCES if row.name == name)
    for piece, branch in zip(losses_of(row).loss0, row.loss0, strict=True):
        slope = sympy.diff(piece.value - branch.value, p)
        assert zero(slope, Interval(p, piece.low, piece.high), case_of(row).given)


def test_inverse_score_is_as_printed_in_the_thesis() -> None:
    row = next(row for row in RECTANGLES if row.name == "[0,1]x[0,1]")
    assert_agrees(losses_of(row).loss0, INVERSE_SCORE_LOSS0, row)
    assert_agrees(losses_of(row).loss1, INVERSE_SCORE_LOSS1, row)


@by_name
def test_worst_losses_are_the_expected_costs(row: Reference) -> None:
    found = losses_of(row)
    for worst, mean in ((found.worst0, row.mean0), (found.worst1, row.mean1)):
        if worst is oo or mean is oo:
            assert worst is mean
        else:
            with mp.workdps(60):
                assert abs(_number(worst - mean, row)) < mp.mpf(10) ** -40


def _number(value: Expr, row: Reference) -> Any:
    return sympy.lambdify((), value.subs(row.values), "mpmath")()


@by_name
def test_rule_is_strictly_proper_exactly_where_the_weight_lives(row: Reference) -> None:
    ((low, high),) = case_of(row).steps[-1].after.strict
    assert same_expression(low, row.strict[0])
    assert same_expression(high, row.strict[1])


# -------------------------------------------------------------------------- (b) the law of the costs


def simpson(function: Any, low: Fraction, high: Fraction) -> Fraction:
    """Integrate a polynomial of degree at most 3, exactly."""
    return (high - low) * (function(low) + 4 * function((low + high) / 2) + function(high)) / 6


def expected_rectangle_losses(law: Rectangle, report: Fraction) -> tuple[Fraction, Fraction]:
    """Return ``E[c0; t < p]`` and ``E[c1; t >= p]`` over the plane, where ``t < p`` iff ``c0 < u c1``.

    The inner integrals, over c0, and the outer, over c1 between the kinks a/u and b/u, are of polynomials.
    """
    a, b, d, e = (Fraction(int(x.p), int(x.q)) for x in (law.a, law.b, law.d, law.e))
    u = report / (1 - report)
    ends = sorted({d, e, *[x for x in (a / u, b / u) if d < x < e]})

    def predicted1(c1: Fraction) -> Fraction:
        return simpson(lambda c0: c0, a, min(b, max(a, u * c1)))

    def predicted0(c1: Fraction) -> Fraction:
        return simpson(lambda c0: c1, min(b, max(a, u * c1)), b)

    area = (b - a) * (e - d)
    totals = [
        sum(simpson(inner, low, high) for low, high in pairwise(ends)) for inner in (predicted1, predicted0)
    ]
    return Fraction(totals[0]) / area, Fraction(totals[1]) / area


def power_mean(k: Expr, left: Any, right: Any) -> Any:
    """Return the power mean of two numbers, from its definition."""
    if k.is_infinite:
        return max(left, right) if k > 0 else min(left, right)
    if k == 0:
        return mpmath.sqrt(left * right)
    power = mp.mpf(k.p) / k.q
    return ((left**power + right**power) / 2) ** (1 / power)


def expected_power_losses(law: PowerLaw, report: Any) -> tuple[Any, Any]:
    """Return ``E[c0; s < p]`` and ``E[c1; s >= p]``: s uniform, ``(c0, c1) = m (s, 1 - s)/M_k(s, 1 - s)``."""
    scale = mp.mpf(law.mean.p) / law.mean.q

    def cost0(share: Any) -> Any:
        return scale * share / power_mean(law.k, share, 1 - share)

    def cost1(share: Any) -> Any:
        return scale * (1 - share) / power_mean(law.k, share, 1 - share)

    kinks = sorted({mp.mpf(0), mp.mpf(1) / 2, report, mp.mpf(1)})
    return (
        mpmath.quad(cost0, [x for x in kinks if x <= report]),
        mpmath.quad(cost1, [x for x in kinks if x >= report]),
    )


def law_at(row: Reference) -> PowerLaw | Rectangle:
    """Return the law of the costs with its numbers put in."""
    law = row.law
    if isinstance(law, PowerLaw):
        return PowerLaw(law.k, law.mean.subs(row.values))
    return Rectangle(*[bound.subs(row.values) for bound in (law.a, law.b, law.d, law.e)])


def value_at(function: Pieces, report: Rational, row: Reference) -> Expr:
    piece = next(piece for piece in function if report <= piece.high.subs(row.values))
    return piece.value.subs(row.values).subs(p, report)


uniform = pytest.mark.parametrize(
    "row", [x for x in REFERENCES if isinstance(x.law, Rectangle)], ids=lambda row: row.name
)
curves = pytest.mark.parametrize(
    "row", [x for x in REFERENCES if isinstance(x.law, PowerLaw)], ids=lambda row: row.name
)


@uniform
def test_losses_are_the_expected_costs_over_the_plane(row: Reference) -> None:
    found, law = losses_of(row), law_at(row)
    assert isinstance(law, Rectangle)
    for report in REPORTS:
        expected = expected_rectangle_losses(law, Fraction(int(report.p), int(report.q)))
        values = value_at(found.loss0, report, row), value_at(found.loss1, report, row)
        assert tuple(Fraction(int(x.p), int(x.q)) for x in values) == expected, f"at p = {report}"


@curves
def test_losses_are_the_expected_costs_along_the_curve(row: Reference) -> None:
    """To 30 digits, of 40 carried: the quadrature is tanh-sinh, with the kink and the report as ends."""
    found, law = losses_of(row), law_at(row)
    assert isinstance(law, PowerLaw)
    with mp.workdps(40):
        for report in REPORTS:
            expected = expected_power_losses(law, mp.mpf(report.p) / report.q)
            values = (
                _evaluated(value_at(found.loss0, report, row)),
                _evaluated(value_at(found.loss1, report, row)),
            )
            for value, wanted in zip(values, expected, strict=True):
                assert abs(value - wanted) < mp.mpf(10) ** -30 * max(1, wanted), f"at p = {report}"


def _evaluated(value: Expr) -> Any:
    """Return a number to the working precision; an integral that was left is quadrature of its integrand."""
    return sympy.lambdify((), value, "mpmath")()


# ---------------------------------------------------------------------------------------- (c) verdicts


@by_name
def test_derivation_is_proved(row: Reference) -> None:
    weak = [finding for finding in checked(row.context).findings if finding.verdict is not Verdict.PROVED]
    assert not weak, "\n".join(f"{x.verdict.name}: {x.claim} {x.evidence}" for x in weak)


# --------------------------------------------------------------------------- (d) symbols become numbers


ORDERS = (
    *[(x.law.a, x.law.b, x.law.d, x.law.e) for x in RECTANGLES if isinstance(x.law, Rectangle)],
    (
        Rational(1, 2),
        3,
        Rational(1, 3),
        2,
    ),  # a e = b d: 1/2 . 2 = 3 . 1/3, the middle piece shrinks to a point
    (1, 2, 2, 4),  # a e = b d once more
    (2, 3, 0, Rational(1, 7)),
    (0, Rational(2, 3), 0, 5),
    (0, 1, 4, 5),
)


def symbolic_rule() -> Any:
    return derived(cd.IndependentUniform(c0=(a, b), c1=(d, e))).rule


@pytest.mark.parametrize("bounds", ORDERS, ids=str)
def test_symbolic_bounds_specialise_to_the_numeric_rectangle(bounds: tuple[Any, Any, Any, Any]) -> None:
    special = symbolic_rule().at(**dict(zip("abde", bounds, strict=True)))
    numeric = derived(cd.IndependentUniform(c0=bounds[:2], c1=bounds[2:])).rule
    found, expected = special.only_case, numeric.only_case
    assert_same_pieces(found.loss0, expected.loss0)
    assert_same_pieces(found.loss1, expected.loss1)
    assert_same_pieces(found.weight.density, expected.weight.density)
    assert (found.worst0, found.worst1) == (expected.worst0, expected.worst1)


def assert_same_pieces(found: Pieces, expected: Pieces) -> None:
    assert [(x.low, x.high) for x in found] == [(x.low, x.high) for x in expected]
    for left, right in zip(found, expected, strict=True):
        assert same_expression(left.value, right.value), f"{left.value} is not {right.value}"


@pytest.mark.parametrize(
    "name, values", [("[a,b]x[0,1]", {"a": 3, "b": 4}), ("[0,1]x[d,e]", {"d": 0, "e": 1})]
)
def test_partly_symbolic_bounds_specialise_too(name: str, values: dict[str, int]) -> None:
    row = next(row for row in REFERENCES if row.name == name)
    special = derived(row.context).rule.at(**values).only_case
    numbers = {sympy.Symbol(letter, positive=True): value for letter, value in values.items()}
    bounds = [bound.subs(numbers) for bound in (row.law.a, row.law.b, row.law.d, row.law.e)]  # type: ignore[union-attr]
    expected = derived(cd.IndependentUniform(c0=tuple(bounds[:2]), c1=tuple(bounds[2:]))).rule.only_case
    assert_same_pieces(special.loss0, expected.loss0)
    assert_same_pieces(special.loss1, expected.loss1)


def test_the_two_orders_of_the_breakpoints_agree_where_they_meet() -> None:
    """Where ``a e = b d`` both cases apply, and must be one function."""
    at_equality = {a: Rational(1, 2), b: sympy.Integer(3), d: Rational(1, 3), e: sympy.Integer(2)}
    narrow, wide = (case[1].subs(at_equality) for case in symbolic_rule().cases)
    assert_same_pieces(narrow.loss0, wide.loss0)
    assert_same_pieces(narrow.loss1, wide.loss1)


# ------------------------------------------------------------------ (e) a published formula that fails


def published_slices(sliced: SlicedIntegral) -> SlicedIntegral:
    """Start c1 at d on every slice, as Eq. (36) of Grygorian (2019) does, not at max(d, a (1 - s)/s)."""
    (slices,) = sliced.slices
    changed = tuple(x if x.empty else replace(x, lower=sympy.S.One) for x in slices)
    return replace(sliced, slices=(changed,))


def slicing() -> tuple[Case, Any]:
    case = derived(cd.IndependentUniform(c0=(1, 2), c1=(1, 3))).cases[0]
    return case, next(step for step in case.steps if isinstance(step.move, SliceRegion))


def test_the_published_slices_are_refuted_and_ours_are_proved() -> None:
    case, step = slicing()
    theirs = replace(step, after=published_slices(step.after))
    assert all(decide(claim, case.given).verdict is Verdict.PROVED for claim in step.claims(case.given))
    refuted = [
        x
        for x in (decide(claim, case.given) for claim in theirs.claims(case.given))
        if x.verdict is Verdict.REFUTED
    ]
    assert "a constraint holds at the lower bound" in {finding.claim.what for finding in refuted}


def test_the_published_weight_is_refuted_and_ours_is_proved() -> None:
    case, step = slicing()
    weighing = next(x for x in case.steps if isinstance(x.move, IntegrateMagnitude))
    wrong = IntegrateMagnitude().apply(published_slices(step.after), case.given)
    theirs = replace(weighing, after=replace(weighing.after, weight=wrong.weight))
    assert all(decide(claim, case.given).verdict is Verdict.PROVED for claim in weighing.claims(case.given))
    assert min(decide(claim, case.given).verdict for claim in theirs.claims(case.given)) is Verdict.REFUTED


def test_the_published_formula_gives_more_than_the_expected_cost() -> None:
    """With F0 = F1 = 0 the loss is E[c0] = 3/2; the printed integrals over the area give 95/54 = 1.7593."""
    case, step = slicing()
    weight = IntegrateMagnitude().apply(published_slices(step.after), Given())
    assert IntegrateByParts().apply(weight, Given()).worst0 == Rational(95, 54)
    assert losses(case).worst0 == Rational(3, 2)


def test_the_published_value_follows_from_the_printed_integrals() -> None:
    """Eq. (36) itself, class 0, for a, b, d, e = 1, 2, 1, 3: no object of the package takes part."""
    c1 = sympy.Symbol("c1", positive=True)
    inner = s * c1**2 / (1 - s) ** 3
    pieces = (
        (Rational(1, 4), Rational(2, 5), sympy.Integer(3)),
        (Rational(2, 5), Rational(2, 3), 2 * (1 - s) / s),
    )
    total = sum(
        sympy.integrate(sympy.apart(sympy.integrate(inner, (c1, 1, upper)), s), (s, low, high))
        for low, high, upper in pieces
    )
    assert sympy.nsimplify(total / 2) == Rational(95, 54)


def test_the_table_holds_every_named_context() -> None:
    assert len({row.name for row in REFERENCES}) == len(REFERENCES) >= 29
    assert all(row.source for row in REFERENCES)
    assert all(isinstance(branch, Branch) for row in REFERENCES for branch in row.loss0 + row.loss1)
