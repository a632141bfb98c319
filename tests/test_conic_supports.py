"""Joint densities on regions bounded by curves of degree 2, against draws that use nothing of the package."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, s
from costderive.costs.contexts.ray_region import RayRegion
from costderive.costs.expected_loss import Area, Sheet, Slice
from costderive.deciders.algebraic import positive_throughout
from costderive.deciders.signs import positive
from costderive.derivation.moves.change_of_variables import in_threshold
from costderive.derivation.moves.slices import covering, slice_claims
from costderive.derivation.search.slices import sliced
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict

Array = Any

# density, support, the same region for arrays, a box around it
REGIONS: dict[str, tuple[str, Any, Callable[[Array, Array], Array], tuple[float, float, float, float]]] = {
    "disc": (
        "1/pi",
        "(c0 - 2)^2 + (c1 - 2)^2 <= 1",
        lambda x, y: (x - 2) ** 2 + (y - 2) ** 2 <= 1,
        (1, 3, 1, 3),
    ),
    "disc that touches both axes": (
        "1/pi",
        "(c0 - 1)^2 + (c1 - 1)^2 <= 1",
        lambda x, y: (x - 1) ** 2 + (y - 1) ** 2 <= 1,
        (0, 2, 0, 2),
    ),
    "tilted ellipse": (
        "sqrt(3)/(2*pi)",
        "(c0 - 3)^2 + (c0 - 3)*(c1 - 2) + (c1 - 2)^2 <= 1",
        lambda x, y: (x - 3) ** 2 + (x - 3) * (y - 2) + (y - 2) ** 2 <= 1,
        (1.8, 4.2, 0.8, 3.2),
    ),
    "above a parabola": ("3/16", ["c1 >= c0^2", "c1 <= 4"], lambda x, y: y >= x**2, (0, 2, 0, 4)),
    "below a parabola": ("3/16", "c1 <= 4 - c0^2", lambda x, y: y <= 4 - x**2, (0, 2, 0, 4)),
    "quarter of a disc": ("4/pi", "c0^2 + c1^2 <= 1", lambda x, y: x**2 + y**2 <= 1, (0, 1, 0, 1)),
    "a band": (
        "1/4",
        ["(c0 - c1)^2 <= 1", "c0 + c1 <= 5", "c0 + c1 >= 1"],
        lambda x, y: (abs(x - y) <= 1) & (x + y <= 5) & (x + y >= 1),
        (0, 3, 0, 3),
    ),
    "outside a disc": (
        "1/(4 - pi/4)",
        ["c0 <= 2", "c1 <= 2", "c0^2 + c1^2 >= 1"],
        lambda x, y: x**2 + y**2 >= 1,
        (0, 2, 0, 2),
    ),
    "half of a disc": (
        "2/pi",
        ["(c0 - 3)^2 + (c1 - 3)^2 <= 1", "c0 <= 3"],
        lambda x, y: ((x - 3) ** 2 + (y - 3) ** 2 <= 1) & (x <= 3),
        (2, 3, 2, 4),
    ),
    "quarter of a disc away from the axes": (
        "4/pi",
        ["(c0 - 3)^2 + (c1 - 4)^2 <= 1", "c0 >= 3", "c1 >= 4"],
        lambda x, y: (x - 3) ** 2 + (y - 4) ** 2 <= 1,
        (3, 4, 4, 5),
    ),
    "segment of a disc": (
        "1/(2*pi/3 - sqrt(3)/2)",
        ["c0^2 + c1^2 <= 4", "c0 >= 1"],
        lambda x, y: x**2 + y**2 <= 4,
        (1, 2, 0, math.sqrt(3)),
    ),
    "a ring away from the axes": (
        "1/(3*pi)",
        ["(c0 - 3)^2 + (c1 - 3)^2 >= 1", "(c0 - 3)^2 + (c1 - 3)^2 <= 4"],
        lambda x, y: abs((x - 3) ** 2 + (y - 3) ** 2 - 2.5) <= 1.5,
        (1, 5, 1, 5),
    ),
    "a lens": (
        "1/(2*pi/3 - sqrt(3)/2)",
        ["(c0 - 2)^2 + (c1 - 2)^2 <= 1", "(c0 - 3)^2 + (c1 - 2)^2 <= 1"],
        lambda x, y: ((x - 2) ** 2 + (y - 2) ** 2 <= 1) & ((x - 3) ** 2 + (y - 2) ** 2 <= 1),
        (2, 3, 1, 3),
    ),
    "inside a hyperbola": (
        "2/(6*sqrt(2) - log(3 + 2*sqrt(2)))",
        ["c1^2 - c0^2 >= 1", "c1 <= 3"],
        lambda x, y: y**2 - x**2 >= 1,
        (0, math.sqrt(8), 1, 3),
    ),
}


@pytest.mark.parametrize("name", REGIONS)
def test_losses_on_a_region_are_proved_and_those_of_draws(name: str) -> None:
    density, support, inside, (left, right, low, high) = REGIONS[name]
    derivation = cd.derive(cd.Joint(density, support))
    assert cd.check(derivation).verdict is Verdict.PROVED
    generator = np.random.default_rng(7)
    x, y = generator.uniform(left, right, 400_000), generator.uniform(low, high, 400_000)
    kept = inside(x, y)
    first, second = x[kept], y[kept]
    loss = cd.numeric.compile(derivation)
    for report in (0.3, 0.45, 0.55, 0.7):
        paid = first * (first < report * (first + second)), second * (first >= report * (first + second))
        for label, drawn in enumerate(paid):
            slack = 5 * drawn.std() / len(drawn) ** 0.5 + 1e-9
            assert abs(loss([label], [report]) - drawn.mean()) <= slack


def test_a_disc_has_elementary_losses() -> None:
    rule = cd.derive(cd.Joint("1/pi", "(c0 - 2)^2 + (c1 - 2)^2 <= 1")).rule
    assert rule.loss0.has(sympy.asin) and not rule.loss0.has(sympy.Integral)


def test_a_disc_that_touches_an_axis_has_elementary_losses_with_a_letter_for_its_radius() -> None:
    derivation = cd.derive(cd.Joint("1/(pi*r^2)", "(c0 - r)^2 + (c1 - 3*r)^2 <= r^2"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form


def test_a_quarter_of_a_disc_with_a_letter_for_its_radius() -> None:
    derivation = cd.derive(cd.Joint("4/(pi*r^2)", "c0^2 + c1^2 <= r^2"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    (letter,) = derivation.rule.parameters
    at = derivation.rule.loss0.subs({letter: 3, cd.symbols.p: sympy.Rational(1, 2)})
    assert float(at) == pytest.approx(
        4 * 3 / (3 * np.pi) * (1 - 0.5**0.5)
    )  # the integral of 4/(9 pi) x, in polar


def test_draws_are_those_of_the_region() -> None:
    first, second = cd.Joint("1/pi", "(c0 - 2)^2 + (c1 - 2)^2 <= 1").sample(100_000, seed=3)
    assert ((first - 2) ** 2 + (second - 2) ** 2).max() <= 1 + 1e-9
    assert np.allclose([first.mean(), second.mean(), first.var()], [2, 2, 0.25], atol=0.01)


REFUSED = {
    "degree 3": (1, "c0^3 + c1 <= 1", "not of degree 1 or 2"),
    "empty": (1, "(c0 - 2)^2 + (c1 - 2)^2 <= -1", "support is empty"),
    "partly negative costs": ("1/pi", "(c0 - 1/2)^2 + (c1 - 2)^2 <= 1", "total probability 0.8"),
    "a letter on both sides": (
        1,
        ["c0 <= 4", "c1 <= 4", "(c0 - 2)^2 + (c1 - 2)^2 >= r^2"],
        "depends on its letters",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_supports_that_cannot_be_are_refused(name: str) -> None:
    density, support, says = REFUSED[name]
    with pytest.raises(SpecError, match=says):
        cd.Joint(density, support)


def test_a_disc_that_may_reach_an_axis_is_refused_with_what_to_write() -> None:
    with pytest.raises(SpecError, match=r"write a \+ d for one that is greater"):
        cd.derive(cd.Joint("1/(pi*r^2)", "(c0 - a)^2 + (c1 - b)^2 <= r^2"))


# ---- what the claims refuse


def _sheet(*constraints: sympy.Expr) -> Sheet:
    return Sheet(c1, c1, in_threshold(Area(sympy.S.One, tuple(map(sympy.expand, constraints)))))


DISC = 1 - (c0 - 2) ** 2 - (c1 - 2) ** 2
HOLE = (c0 - 2) ** 2 + (c1 - 2) ** 2 - sympy.Rational(1, 4)
POLAR = sympy.Rational(31, 2) - 4 * c0 - 4 * c1


def _refused(sheet: Sheet, pieces: tuple[Slice, ...]) -> bool:
    claims = [*covering([(x.low, x.high) for x in pieces])]
    claims += [claim for piece in pieces for claim in slice_claims(sheet, piece)]
    return any(decide(claim, Given()).verdict is not Verdict.PROVED for claim in claims)


def test_slices_of_a_disc_are_proved_and_changed_ones_refused() -> None:
    sheet = _sheet(c0, c1, DISC)
    before, inside, behind = sliced(sheet, Given())
    assert not _refused(sheet, (before, inside, behind))
    changed = [
        (before, replace(inside, upper=sympy.oo), behind),
        (before, replace(inside, lower=sympy.S.Zero), behind),
        (before, replace(inside, upper=(inside.lower + inside.upper) / 2), behind),
        (before, replace(inside, lower=inside.upper, upper=inside.lower, empty=True), behind),
        (replace(before, high=sympy.Rational(2, 5)), replace(inside, low=sympy.Rational(2, 5)), behind),
        (before, replace(inside, lower=sympy.oo, upper=sympy.S.Zero, empty=True), behind),
    ]
    assert all(_refused(sheet, pieces) for pieces in changed)


def test_a_region_that_a_ray_meets_twice_is_refused_unless_it_is_cut() -> None:
    whole, near = _sheet(c0, c1, HOLE, 9 - c0 - c1), _sheet(c0, c1, HOLE, 9 - c0 - c1, POLAR)
    pieces = sliced(near, Given())
    assert not _refused(near, pieces)
    assert _refused(whole, pieces)


def test_a_square_that_is_zero_does_not_hide_that_a_region_is_bounded() -> None:
    a, b = sympy.symbols("a b", positive=True)
    nothing = sympy.expand((a**2 - b**2) / (a - b) - a - b)  # 0, but not at sight
    sheet = _sheet(c0, c1, nothing * c0**2 - c1 + 1)
    unbounded = Slice(sympy.S.Zero, sympy.S.One, sympy.S.Zero, sympy.oo)
    assert _refused(sheet, (unbounded,))
    assert not _refused(sheet, (replace(unbounded, upper=sympy.S.One),))


def test_signs_of_algebraic_functions() -> None:
    unit, half = Interval(s, sympy.S.Zero, sympy.S.One), sympy.Rational(1, 2)
    assert positive_throughout(sympy.sqrt(s) - s, unit)
    assert not positive_throughout(s - sympy.sqrt(s), unit)
    assert not positive_throughout(sympy.sqrt(s) - half, unit)
    assert positive_throughout(sympy.sqrt(s) - half, Interval(s, sympy.Rational(1, 4), sympy.S.One))
    assert positive(sympy.sqrt(s + 1) + sympy.sqrt(s + 2) - sympy.sqrt(4 * s + 4), unit)
    assert not positive((sympy.sqrt(s) - half) ** 2 * (2 - sympy.sqrt(2) - s), unit)
    ends = Interval(s, half - sympy.sqrt(7) / 14, half + sympy.sqrt(7) / 14)
    assert positive(-14 * s**2 + 14 * s - 3, ends) and not positive(14 * s**2 - 14 * s + 3, ends)


def test_bounds_of_one_ray_are_those_of_an_array() -> None:
    generator = np.random.default_rng(5)
    for _ in range(60):
        rows = tuple(
            map(tuple, np.round(generator.normal(0, 2, (2, 6)) * (generator.random((2, 6)) < 0.6), 2))
        )
        region, ratio = RayRegion((), rows), float(generator.exponential())
        wanted = [float(end[0]) for end in region._ends(np.array([ratio]))]
        assert region._ends_at(ratio) == pytest.approx(wanted, rel=1e-12), rows


def test_a_parabola_and_a_line_with_letters_meet_at_one_ray() -> None:
    """Below, at `c0 = u c1`, the parabola bounds c1 from below; above `u = sqrt(b/a)/b` the line does."""
    derivation = cd.derive(cd.Joint("3*sqrt(a)/(2*b^(3/2))", ["c1 >= a*c0^2", "c1 <= b"]))
    assert cd.check(derivation).verdict is Verdict.PROVED
    losses = derivation.rule.at(a=2, b=3).only_case
    height = 3 * 2**0.5 / (2 * 3**1.5)
    for at in (0.2, 0.7):
        odds = at / (1 - at)
        places = sorted({0, min(0.5 / odds**2, 3), 3})
        truth0 = mpmath.quad(lambda y, u=odds: height * min(u * y, (y / 2) ** 0.5) ** 2 / 2, places)
        truth1 = mpmath.quad(lambda y, u=odds: height * y * max((y / 2) ** 0.5 - u * y, 0), places)
        for loss, truth in ((losses.loss0, truth0), (losses.loss1, truth1)):
            piece = loss.piece_at(sympy.Rational(str(at)))
            assert abs(float(piece.value.subs(cd.symbols.p, at)) - truth) < 1e-12


# density, support, its letters at numbers, the region at these, a box around it
WITH_LETTERS: dict[str, tuple[str, Any, dict[str, float], Any, tuple[float, float, float, float]]] = {
    "disc of a letter's radius": (
        "1/(pi*r^2)",
        "(c0 - 2*r)^2 + (c1 - 3*r)^2 <= r^2",
        {"r": 0.5},
        lambda x, y: (x - 1) ** 2 + (y - 1.5) ** 2 <= 0.25,
        (0.5, 1.5, 1, 2),
    ),
    "disc about a letter": (
        "1/pi",
        "(c0 - a - 1)^2 + (c1 - a - 1)^2 <= 1",
        {"a": 2},
        lambda x, y: (x - 3) ** 2 + (y - 3) ** 2 <= 1,
        (2, 4, 2, 4),
    ),
    "a quarter of a ring, of which the outer radius is greater": (
        "4/(pi*(b^2 - a^2))",
        ["c0^2 + c1^2 >= a^2", "c0^2 + c1^2 <= b^2", "b > a"],
        {"a": 1, "b": 2},
        lambda x, y: abs(x**2 + y**2 - 2.5) <= 1.5,
        (0, 2, 0, 2),
    ),
    "above a hyperbola": (
        "1/(a^2 - 1 - 2*log(a))",
        ["c0*c1 >= 1", "c0 <= a", "c1 <= a", "a > 1"],
        {"a": 3},
        lambda x, y: x * y >= 1,
        (0, 3, 0, 3),
    ),
    "above a parabola, below what is above 1": (
        "3/(2*(1 + d)^(3/2))",
        ["c1 >= c0^2", "c1 <= 1 + d"],
        {"d": 3},
        lambda x, y: y >= x**2,
        (0, 2, 0, 4),
    ),
}


@pytest.mark.parametrize("name", WITH_LETTERS)
def test_losses_on_a_region_with_letters_are_proved_and_those_of_draws(name: str) -> None:
    density, support, numbers, inside, (left, right, low, high) = WITH_LETTERS[name]
    derivation = cd.derive(cd.Joint(density, support))
    assert cd.check(derivation).verdict is Verdict.PROVED and derivation.rule.closed_form
    generator = np.random.default_rng(11)
    x, y = generator.uniform(left, right, 1_000_000), generator.uniform(low, high, 1_000_000)
    x, y = x[inside(x, y)], y[inside(x, y)]
    loss = cd.numeric.compile(derivation.rule.at(**numbers))
    for report in (0.3, 0.48, 0.55, 0.7):
        for label, paid in enumerate((x * (x < report * (x + y)), y * (x >= report * (x + y)))):
            assert abs(loss([label], [report]) - paid.mean()) <= 5 * paid.std() / len(paid) ** 0.5 + 1e-9


def test_letters_in_a_support_may_be_equal_where_the_density_has_a_value() -> None:
    weak = cd.Joint("1", ["c0 <= 1", "c1 <= 1", "r <= 1"]).given()
    strict = cd.Joint("2/(B^2 - A^2)", ["c0 + c1 >= A", "c0 + c1 <= B", "B > A"]).given()
    assert not weak.positive and len(weak.nonnegative) == 1
    assert [str(fact) for fact in strict.positive] == ["-A + B"]


def test_signs_up_to_a_root_of_a_letter_are_those_at_all_of_its_values() -> None:
    a = sympy.Symbol("a", positive=True)
    below, above = Interval(s, sympy.S.Zero, sympy.sqrt(a)), Interval(s, 1 / (1 + sympy.sqrt(a)), sympy.S.One)
    assert positive(a - s**2, below) and positive(a * s**2 - (1 - s) ** 2, above)
    for false in (a - s, a - 2 * s**2, s**2 - a / 100):
        assert not positive(false, below)
    assert not positive(a * s**2 - 2 * (1 - s) ** 2, above)


def test_no_part_of_a_support_with_letters_is_lost() -> None:
    corner = ["c0*c1 >= 1", "c0 <= 1 + d", "c1 <= 2 + d"]
    density = "1/((1 + d)*(2 + d) - 1 - log((1 + d)*(2 + d)))"
    derivation = cd.derive(cd.Joint(density, corner))
    assert cd.check(derivation).verdict is Verdict.PROVED
    generator = np.random.default_rng(3)
    x, y = generator.uniform(0, 3, 1_000_000), generator.uniform(0, 4, 1_000_000)
    x, y = (cost[x * y >= 1] for cost in (x, y))
    loss = cd.numeric.compile(derivation.rule.at(d=2))
    for p in (0.2, 0.5, 0.7):
        paid = np.where(x < p * (x + y), x, 0.0)
        assert loss.loss0(p) == pytest.approx(paid.mean(), abs=5 * paid.std() / np.sqrt(len(x)))
