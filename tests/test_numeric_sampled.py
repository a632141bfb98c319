"""Losses with integrals, and those that would take too long, have tables whose error is measured and stated."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from scipy.integrate import quad

import costderive as cd
from costderive.core import work
from costderive.core.curve_parameters import CurveParameter
from costderive.core.errors import LostError
from costderive.core.symbols import p
from costderive.core.time_limit import forget
from costderive.numeric import balls, compiling
from costderive.numeric.chebyshev import Interpolant, rounded_nodes
from costderive.numeric.end_tables import LINEAR, LOG, Panel, Table
from costderive.numeric.function import Segment
from costderive.numeric.integral_losses import Running
from costderive.numeric.long_gamma import whole_power
from costderive.numeric.long_integrals import Long, _agree
from costderive.numeric.loss_functions import _apart, compiled
from costderive.numeric.many_digits import End, Exact, Valued, in_p_and_r
from costderive.numeric.measure import Probes
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import Points
from costderive.numeric.sampled import Sampled
from costderive.numeric.steep_tables import parted
from costderive.numeric.stretch import Stretch
from costderive.numeric.table_fit import SHORT, Direct, Fitter, log_edges
from costderive.numeric.table_rounding import rounding
from costderive.numeric.weight_slopes import slope_of

POINTS = (1e-9, 0.02, 0.3, 0.5, 0.77, 0.999)
STATED = 7  # ulp: at 30,000 places a panel 4.35 are found, which 6.3 are stated from 1,000


@pytest.fixture(scope="module")
def normal_and_exponential() -> cd.rule.ScoringRule:
    """The weight of log-normal costs beside exponential ones has no closed form."""
    return cd.derive(cd.Independent("lognormal(0,1)", "exponential(1)")).rule


def weight(p: float) -> float:
    """Integrate ``c1^2 f0(u c1) f1(c1)/(1 - p)^3`` over c1, u being the odds."""
    u = p / (1 - p)

    def inside(z: float) -> float:
        c1 = np.exp(z)
        return float(c1**2 * np.exp(-(np.log(u * c1) ** 2) / 2 - c1) / (u * np.sqrt(2 * np.pi)))

    middle = -np.log(u)
    return (
        quad(inside, middle - 12, middle + 12, points=[middle], epsabs=0, epsrel=1e-12, limit=400)[0]
        / (1 - p) ** 3
    )


def test_slopes_of_a_weight_that_is_an_integral_are_those_of_quadrature(
    normal_and_exponential: cd.rule.ScoringRule,
) -> None:
    loss = cd.numeric.compile(normal_and_exponential, time_limit=None)
    for report in (0.02, 0.3, 0.77):
        w = weight(report)
        expected = [report * w, -(1 - report) * w]
        assert loss.gradient([0, 1], [report, report]) == pytest.approx(expected, rel=1e-10)
    assert all(part.ulps is not None and part.ulps < STATED for part in loss.plan)
    assert "was compared with exact values at points that are not used" in str(loss.plan)


@pytest.mark.parametrize("label", [0, 1])
def test_a_rough_table_is_within_the_error_that_its_plan_states(label: int) -> None:
    rule = cd.derive(cd.Harmonic(budget="1/2", density="beta(3/2, 2)")).rule
    rough = compiled(compiling.in_numbers(rule), label, is_rough=True)
    points = np.array(POINTS)
    exact = cd.numeric.compile(rule).per_sample(np.full(len(points), label), points)
    off = abs(rough(Points.of(points)) - exact) / np.spacing(exact)
    stated = max(segment.part.ulps or 0.0 for segment in rough.segments)
    assert 0 < off.max() <= stated < 80
    assert all("would take too long" in segment.part.why for segment in rough.segments)


@dataclass(frozen=True)
class Noisy:
    """What stands in for samples of a function in long numbers that lost 13 digits of 16."""

    source: Any

    def off(self, end: End) -> float:
        return 2.0**45


@pytest.mark.parametrize(("is_rough", "source"), [(True, Long), (False, Exact)])
def test_what_is_rough_takes_noisy_values_as_exact_ones_would_take_too_long(
    is_rough: bool, source: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sampled, "of", lambda source, *_: Noisy(source))
    c1 = sympy.Symbol("c1", positive=True)
    weight = sympy.Integral(sympy.exp(-c1 / p - c1**2), (c1, 0, sympy.oo))
    ends = End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1)
    stretch = Stretch("slope0", *ends, weight, terms=((p, weight),), is_rough=is_rough)
    ((_, found),) = stretch.sampled().terms
    assert type(found.source) is source


def test_rational_pieces_of_rough_losses_stay_as_they_are() -> None:
    losses = compiling.in_numbers(cd.derive(cd.IndependentUniform((1, 2), (1, 3))).rule)
    assert all((part.part.ulps or 0) < 4 for part in compiled(losses, 0, is_rough=True).segments)


def test_sums_end_where_the_next_one_has_to_agree() -> None:
    assert _agree(2.0**-58, math.inf)
    assert _agree(2.0**-41, 2.0**-25)
    assert not _agree(2.0**-41, 2.0**-38)
    assert not _agree(2.0**-41, math.inf)
    assert not _agree(2.0**-39, 2.0**-20)


@pytest.mark.parametrize("n", [-7, -4, -1, 1, 3, 5, 12])
def test_whole_powers_of_long_numbers_are_right_to_the_last_bits(n: int) -> None:
    x = np.longdouble(10) ** np.array([-300, -3, 0, 0.5, 200], dtype=np.longdouble)
    assert (abs(whole_power(x, n) / x ** np.longdouble(n) - 1) < 12 * np.finfo(np.longdouble).eps).all()


def test_integrands_are_seen_next_to_the_cube_of_the_least_double() -> None:
    x = sympy.Symbol("x", positive=True)
    long = Long.of(sympy.Integral(p**3 / (x + p**3) ** 2, (x, 0, 1)))
    assert long is not None
    with mpmath.workdps(30):
        distances = [mpmath.mpf(10) ** -k for k in (3, 200, 320)]
        found = long.values(End.of(sympy.S.Zero, 1), distances)
        exact = [1 / (1 + distance**3) for distance in distances]
        assert all(abs(value / one - 1) < 2.0**-56 for value, one in zip(found, exact, strict=True))


@dataclass(frozen=True)
class Counted:
    """A rate that counts how often it is asked for values."""

    asked: list[int]

    def __hash__(self) -> int:
        return id(self)

    def values(self, end: End, distances: list[Any]) -> list[Any]:
        self.asked.append(len(distances))
        return [x**2 for x in distances]

    def value(self, end: End, x: Any) -> Any:
        return x**2


def test_rates_of_a_panel_are_asked_for_once_whatever_the_power() -> None:
    rate: Any = Counted([])
    running = Running(rate, End.of(sympy.S.Zero, 1), 1, {-2.0: mpmath.exp(-6) / 3})
    first, second = (running.values(-2.0, -1.0, power) for power in (3.0, 2.0))
    ratio = float(mpmath.exp(rounded_nodes(-2.0, -1.0)[-1]))
    assert float(second[-1] / first[-1]) == pytest.approx(ratio, rel=1e-12)
    assert len(rate.asked) == 1


def _killed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_power_between_doubles_costs_no_digits_along_many_panels() -> None:
    """As 1 - power was rounded, 12 ulp were lost from p = 1/2 down to 1/1000, and 18 down to 0, where it is E[c1]."""
    loss = cd.numeric.compile(cd.derive(cd.Independent("frechet(3,2)", "gamma(1/2,1000000)")))

    def exact(at: float) -> Any:
        with mpmath.workdps(30):
            u = mpmath.mpf(at) / (1 - mpmath.mpf(at))
            cuts = [-200, *range(-30, 20, 2)]
            return mpmath.quad(
                lambda z: (
                    mpmath.exp(1.5 * z - mpmath.exp(z) / 10**6)
                    * -mpmath.expm1(-((2 / u * mpmath.exp(-z)) ** 3))
                ),
                cuts,
            ) / mpmath.sqrt(mpmath.pi * 10**6)

    for at, wanted in ((1e-12, 500000), (0.001, exact(0.001)), (0.1, exact(0.1))):
        stated = next(
            part for part in loss.plan if part.function == "loss1" and part.low < at <= part.high
        ).ulps
        assert stated is not None
        assert abs(loss.loss1(at) - wanted) <= stated * math.ulp(wanted)


def test_a_loss_that_was_carried_on_wrongly_is_seen_by_quadrature() -> None:
    end = End.of(sympy.S.Zero, 1)
    running = Running(Exact.of(p**2), end, 1, {-2.0: mpmath.exp(-6) / 3})
    running.values(-2.0, -1.0, 3.0)
    assert running.slip() < 1e-9
    running.reached[-1.0] *= 1 + mpmath.mpf(2) ** -50
    assert running.slip() == pytest.approx(8, rel=0.1)


def test_losses_whose_child_was_killed_are_not_rough_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = cd.derive(cd.Independent("exponential(1)", "uniform(0,1)")).rule
    monkeypatch.setenv("COSTDERIVE_CACHE", str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(compiling, "compiled", _killed)
        forget()  # the child that does not know of it
        with pytest.raises(LostError, match="died, and so did the next one"):
            cd.numeric.compile(rule)
    forget()
    assert not list((tmp_path / "costderive").glob("*.kept"))
    assert all((part.ulps or 0) < 4 for part in cd.numeric.compile(rule).plan)


def test_what_takes_too_long_becomes_a_rough_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    monkeypatch.setattr(compiling, "CLOSELY", 1e6)
    forget()  # the child that does not know of it
    loss = cd.numeric.compile(cd.derive(cd.Independent("gamma(2,1)", "uniform(1,2)")))
    forget()
    assert "certified tables would take too long" in str(loss.plan)
    p = mpmath.mpf("0.3")
    u = float(p / (1 - p))
    expected = quad(lambda c1: float(mpmath.gammainc(3, 0, u * c1)), 1, 2, epsrel=1e-12)[0]
    assert loss.loss0(float(p)) == pytest.approx(expected, rel=1e-9)


def test_a_place_on_a_curve_is_no_work_of_the_expression_that_has_it() -> None:
    """It is counted where it is sought, once for all places of it in a formula."""
    losses = cd.derive(cd.Curve("x+x^3", "2-x^2", "beta(2,3)")).rule.only_case
    formula = losses.loss0.pieces[0].value
    places = {node: sympy.Dummy() for node in formula.atoms(CurveParameter)}
    assert places and work.size_of(formula) == work.size_of(formula.xreplace(places))


def test_what_is_done_closely_is_counted_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that are known from the time before are counted all the same."""
    losses = compiling.in_numbers(cd.derive(cd.Independent("gamma(2,1)", "uniform(1,2)")).rule)

    def is_rough() -> bool:
        return "take too long" in str(compiling._closely(compiling.both, losses, 0, "p", False).parts)

    before = work._spent[0]
    assert not is_rough()
    enough = work._spent[0] - before
    for allowed, expected in ((enough, False), (enough - 1, True), (enough, False)):
        monkeypatch.setattr(compiling, "CLOSELY", allowed)
        assert is_rough() == expected


def summed(function: Callable[[Any], Any]) -> Any:
    """Integrate over the whole line what falls exponentially on either side, by the trapezoidal rule."""
    grid = [mpmath.mpf(z) for z in range(-700, 50, 2)]
    sizes = [abs(function(z)) for z in grid]
    inside = [z for z, size in zip(grid, sizes, strict=True) if size > max(sizes) * mpmath.mpf(10) ** -30]
    low, step = inside[0] - 2, (inside[-1] - inside[0] + 4) / 300
    return step * mpmath.fsum(function(low + step * k) for k in range(301))


def losses_at(u: Any) -> tuple[Any, Any]:
    """Integrate the costs over one of them, the odds of the report being u, where the other makes them count."""
    exp = mpmath.exp

    def fallen(x: Any) -> Any:
        return exp(-x) if x < 10_000 else mpmath.mpf(0)

    def class0(z: Any) -> Any:  # the exponential cost is above exp(z)/u
        return exp(z) * mpmath.npdf(z) * fallen(exp(z) / u)

    def class1(z: Any) -> Any:  # the log-normal cost is above u exp(z)
        return exp(2 * z) * fallen(exp(z)) * mpmath.erfc((z + mpmath.log(u)) / mpmath.sqrt(2)) / 2

    return summed(class0), summed(class1)


@pytest.mark.parametrize("has_flint", [True, False])
def test_losses_next_to_0_and_1_are_within_the_error_that_the_plan_states(
    has_flint: bool, normal_and_exponential: cd.rule.ScoringRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    if not has_flint:
        monkeypatch.setattr(balls, "flint", None)
    Exact.of.cache_clear()
    loss = cd.numeric.compile(normal_and_exponential, time_limit=None)
    Exact.of.cache_clear()
    stated = max(part.ulps or 0.0 for part in loss.plan)
    assert stated < STATED
    with mpmath.workdps(30):
        one = mpmath.mpf(1)
        reports = [("p", p, p / (one - p)) for p in (1e-300, 1e-5, 0.5, 1 - 2**-52)]
        reports += [("complement", q, (one - q) / q) for q in (1e-17,)]
        reports += [("logit", z, mpmath.exp(z)) for z in (-600.0, 30.0)]
        for name, value, u in reports:
            for exact, function in zip(losses_at(mpmath.mpf(u)), (loss.loss0, loss.loss1), strict=True):
                if exact > 1e-300:
                    off = abs(mpmath.mpf(function(**{name: value})) - exact) / np.spacing(float(exact))
                    assert off <= stated, (name, value)


@pytest.mark.parametrize(
    ("integrand", "upto"),
    [
        ("x**(5/2)*exp(-x*p/(1 - p) - x)/(1 - p)**3", "oo"),
        ("(1 - exp(-x*p/(1 - p)))*exp(-x)/p", "oo"),
        ("x**2*exp(x*p/(1 - p) - exp(x*p/(1 - p)))/(1 - p)**3", "1"),
        ("(1/2 - p/2)*exp(-x - (1 - p)/(x*p))/(x**2*p**4)", "oo"),
    ],
)
def test_sums_in_long_numbers_are_those_to_many_digits(integrand: str, upto: str) -> None:
    letter = sympy.Symbol("x", positive=True)
    written = sympy.sympify(integrand, locals={"p": p, "x": letter}, rational=True)
    found = Long.of(in_p_and_r(sympy.Integral(written, (letter, 0, sympy.sympify(upto)))))
    assert found is not None
    for end in (End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1)):
        for x in map(mpmath.mpf, ("1e-300", "1e-12", "0.4")):
            with mpmath.workdps(30):
                value, exact = found.value(end, x), found.checked(end, x)
                assert max(value, exact) < mpmath.mpf(10) ** -400 or abs(value / exact - 1) < 2**-57


def test_a_wide_integrand_is_summed_finely_enough() -> None:
    """It is level between the logarithms of a small number and of 1, where few steps seemed to do."""
    letter = sympy.Symbol("c1", positive=True)
    integrand = letter**3 * sympy.exp(-(letter**2)) / (1 - p) ** 3 / (letter * p / (1 - p) + 1) ** 4
    found = Long.of(in_p_and_r(sympy.Integral(integrand, (letter, 0, sympy.oo))))
    assert found is not None
    with mpmath.workdps(30):
        gap = mpmath.mpf("1e-320")
        # to first order in a: the integral of c^3 exp(-c^2)/(c + a)^4 = -log a - euler/2 - 11/6
        exact = -mpmath.log(gap) - mpmath.euler / 2 - mpmath.mpf(11) / 6
        end = End.of(sympy.S.One, -1)
        assert abs(found.value(end, gap) / (gap * exact) - 1) < 2**-55
        assert abs(found.checked(end, gap) / (gap * exact) - 1) < 2**-55


@pytest.mark.parametrize("x", ["4e-17", "1e-9", "0.1"])
def test_sums_keep_their_digits_next_to_a_breakpoint(x: str) -> None:
    """A logit-normal cost above ``(1 - p)/p``, at a distance from p = 1/2: by its logit, which is normal."""
    letter = sympy.Symbol("c1", positive=True)
    density = sympy.exp(-(sympy.log(letter / (1 - letter)) ** 2) / 2) / (letter * (1 - letter))
    found = Long.of(in_p_and_r(sympy.Integral(density / sympy.sqrt(2 * sympy.pi), (letter, (1 - p) / p, 1))))
    assert found is not None
    with mpmath.workdps(30):
        gap = mpmath.mpf(x)
        exact = mpmath.erfc(mpmath.log((1 / mpmath.mpf(2) - gap) / (2 * gap)) / mpmath.sqrt(2)) / 2
        assert abs(found.value(End.of(sympy.Rational(1, 2), 1), gap) / exact - 1) < 2**-52


def test_a_coefficient_beyond_the_range_of_doubles_is_no_reason_to_stop() -> None:
    found = Interpolant(-1.0, 1.0, [mpmath.mpf(10) ** 400, mpmath.mpf(10) ** 399])
    assert mpmath.isfinite(found.least)


def tables(rule: cd.rule.ScoringRule, label: int) -> list[tuple[Segment, Table]]:
    """Compile a loss to segments, each with its table."""
    found = compiled(compiling.in_numbers(rule), label)
    return [(one, one.evaluate) for one in found.segments if isinstance(one.evaluate, Table)]


@pytest.mark.parametrize("label", [0, 1])
def test_what_tables_round_off_is_stated(label: int, normal_and_exponential: cd.rule.ScoringRule) -> None:
    generator = np.random.default_rng(3)
    found = tables(normal_and_exponential, label)
    assert len(found) == 2
    for segment, table in found:
        z = generator.uniform(-1, 1, (150, len(table.centres)))
        x = np.exp(table.centres + z / table.scales).ravel()
        x = x[x > max(table.bottom, 1e-290)]
        points = Points(1 - x, x) if table.is_from_one else Points.of(x)
        errors, plain = (
            Probes.of(points, [table.exactly(mpmath.mpf(one)) for one in x.tolist()]),
            segment.part,
        )
        assert plain.ulps is not None and plain.elsewhere is not None
        assert errors.errors(table).max() <= plain.ulps
        assert errors.errors(table.plain).max() <= plain.elsewhere


@pytest.mark.parametrize("label", [0, 1])
def test_what_tables_round_off_at_logits_is_stated(
    label: int, normal_and_exponential: cd.rule.ScoringRule
) -> None:
    logits = -np.random.default_rng(4).exponential(20, 2000)
    logits = logits[logits > -300]
    (segment, table), _ = tables(normal_and_exponential, label)
    with mpmath.workdps(40):
        exact = [table.exactly(1 / (1 + mpmath.exp(-mpmath.mpf(z)))) for z in logits.tolist()]
    wanted = Probes.of(Points.of_logit(logits), exact)
    errors = wanted.errors(segment.values)[abs(wanted.rounded) > 1e-290]
    assert segment.part.ulps is not None
    assert 0.5 < errors.max() <= segment.part.ulps


def test_tables_of_closed_forms_state_what_they_round_off_and_not_what_few_probes_show() -> None:
    context = cd.Copula("countermonotone", c0="exponential(1)", c1="uniform(1, 2)")
    loss = cd.numeric.compile(cd.derive(context).rule)
    doubles = np.random.default_rng(17).uniform(0.5, 0.95, 2000)
    points = np.longdouble(doubles)
    odds = points / (1 - points)
    level = np.exp(-odds)  # of what is above: c0 = -log(level) is odds times c1 = 1 + level
    for _ in range(60):
        level -= (np.log(level) + odds * (1 + level)) / (1 / level + odds)
    wanted = level * (2 + level) / 2
    errors = abs(loss.loss1(doubles) - wanted) / np.spacing(wanted.astype(float))
    (stated,) = (part.ulps for part in loss.plan if part.function == "loss1" and part.low == 0.5)
    assert 3.5 < errors.max() <= stated < 6


X = sympy.Symbol("x", positive=True)
ODDS = p / (1 - p)
LESS_TWO_TERMS = 1 - (1 + X * ODDS) * sympy.exp(-X * ODDS)
LESS_TO_ODDS = 1 - (1 + ODDS - X) * sympy.exp(X - ODDS)


def _after_four_terms(u: Any) -> Any:
    """Return ``u - 2 + (2 + u) exp(-u)``, near ``u^3/6``."""
    return mpmath.nsum(lambda k: (-1) ** (k + 1) * (k - 2) * u**k / mpmath.factorial(k), [3, 60])


@pytest.mark.parametrize(
    ("integrand", "upto", "exact"),
    [
        (LESS_TWO_TERMS * sympy.exp(-X), sympy.oo, lambda u: (u / (1 + u)) ** 2),
        (LESS_TWO_TERMS * sympy.exp(-X) / X**2, sympy.oo, lambda u: u - mpmath.log1p(u)),
        (LESS_TO_ODDS, ODDS, _after_four_terms),
    ],
    ids=["beside 0", "divided by what is small", "beside an end that moves"],
)
@pytest.mark.parametrize("x", ["1e-300", "1e-12", "1e-3", "0.4"])
def test_exponentials_of_small_arguments_do_not_cancel(
    integrand: sympy.Expr, upto: sympy.Expr, exact: Callable[[Any], Any], x: str
) -> None:
    found = Long.of(in_p_and_r(sympy.Integral(integrand, (X, 0, upto))))
    assert found is not None
    with mpmath.workdps(700):
        wanted = exact(mpmath.mpf(x) / (1 - mpmath.mpf(x)))
    with mpmath.workdps(30):
        end = End.of(sympy.S.Zero, 1)
        assert abs(found.value(end, mpmath.mpf(x)) / wanted - 1) < 2**-54
        assert abs(found.checked(end, mpmath.mpf(x)) / wanted - 1) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("x", ["0.02", "0.1", "0.4"])
def test_logarithms_of_what_an_exponential_lacks_of_1_keep_their_digits(x: str) -> None:
    """The integral of ``-log(1 - exp(-x)) exp(a x)`` is ``sum 1/(k (k - a))``, most of it far out."""
    found = Long.of(
        in_p_and_r(sympy.Integral(-sympy.log(1 - sympy.exp(-X)) * sympy.exp(X * p), (X, 0, sympy.oo)))
    )
    assert found is not None
    with mpmath.workdps(30):
        gap = mpmath.mpf(x)
        wanted = (mpmath.digamma(1) - mpmath.digamma(gap)) / (1 - gap)
        assert abs(found.value(End.of(sympy.S.One, -1), gap) / wanted - 1) < 2**-54
        assert abs(found.checked(End.of(sympy.S.One, -1), gap) / wanted - 1) < mpmath.mpf(10) ** -25


def test_a_change_of_sign_is_seen_right_beside_an_interval() -> None:
    falls, grows, level = (
        Interpolant.through([function(z) for z in rounded_nodes(-1, 1)], -1, 1)
        for function in (lambda z: 1 - z, lambda z: mpmath.exp(9 * z) + 1, lambda z: 3 - z)
    )
    assert falls.changes_sign
    assert not (grows.changes_sign or level.changes_sign)


def test_errors_next_to_a_change_of_sign_are_in_units_of_the_largest_value() -> None:
    end = End.of(sympy.S.Zero, 1)
    table = Table.of(end, LOG, 0.0, [Panel(-3.0, -1.0, 0.0, 0, (0.1, 1.0, 0.25))])
    here, elsewhere = rounding(Segment(Part("slope0", 0.0, 0.5, "table", "", None), table))
    assert 0.3 < here < 4
    assert elsewhere >= here / 2


def test_closed_terms_of_a_weight_are_computed_apart_from_its_integrals() -> None:
    c1 = sympy.Symbol("c1", positive=True)
    integral, closed = sympy.Integral(c1 * sympy.exp(-c1 - c1 * p), (c1, 0, sympy.oo)), sympy.exp(-p) - 1
    assert _apart(p, integral + closed) == ((p, integral), (p * closed, sympy.S.One))
    assert _apart(p, integral) == ((p, integral),)


def test_an_integral_whose_integrand_is_infinite_at_a_moving_end_has_a_slope() -> None:
    c1 = sympy.Symbol("c1", positive=True)
    gap = 1 - c1 * p / (1 - p)
    weight = sympy.Integral(c1 / (sympy.sqrt(1 - c1) * sympy.sqrt(gap)), (c1, 0, (1 - p) / p))
    end, x = End.of(sympy.Rational(1, 2), 1), mpmath.mpf("0.1")
    found = Long.of(in_p_and_r(slope_of(weight)))
    assert found is not None

    def by_quadrature(at: Any) -> Any:
        width = (1 - at) / at
        return mpmath.quad(
            lambda z: width**2 * (1 - z * z) * 2 / mpmath.sqrt(1 - width * (1 - z * z)), [0, 1]
        )

    with mpmath.workdps(30):
        assert found.value(end, x) == pytest.approx(mpmath.diff(by_quadrature, 0.6), rel=1e-12)


# ---- curvatures of weights that are integrals


def test_curvatures_of_lomax_costs_compile_and_are_the_limits_of_differences() -> None:
    """Terms of the slope of the weight cancelled next to 1, and no sum had digits enough in a minute.

    ``loss0'' = (p w)'`` of the weight ``w = int t^2 f0(p t) f1((1 - p) t) dt``, by differences of 40 digits.
    """
    rule = cd.derive(cd.Independent("lomax(5/2, 1)", "lomax(4/3, 2)")).rule
    found, _ = compiling.functions(rule, 2)

    def rate(p: Any) -> Any:
        first, second = mpmath.mpf(5) / 2, mpmath.mpf(4) / 3
        return p * mpmath.quad(
            lambda t: (
                t**2
                * first
                * (1 + p * t) ** (-first - 1)
                * second
                / 2
                * (1 + (1 - p) * t / 2) ** (-second - 1)
            ),
            [0, 1, 10, 1000, mpmath.inf],
        )

    with mpmath.workdps(40):
        for p in (mpmath.mpf(2) ** -20, mpmath.mpf("0.125"), mpmath.mpf("0.75"), 1 - mpmath.mpf(2) ** -20):
            step = p * (1 - p) * mpmath.mpf(10) ** -10
            wanted = (rate(p + step) - rate(p - step)) / (2 * step)
            assert found(Points.of(np.array([float(p)])))[0] == pytest.approx(float(wanted), rel=1e-13)


def test_curvatures_of_a_gumbel_copula_compile_and_are_the_limits_of_differences() -> None:
    """The slope of the weight changes its sign at 1/2, where errors are in units of the largest value nearby."""
    rule = cd.derive(cd.Copula("gumbel", 2, c0="exponential(1)", c1="exponential(1)")).rule
    found, _ = compiling.functions(rule, 2)
    assert max(segment.part.ulps or 0 for segment in found.segments) < 50

    def density(x: Any, y: Any) -> Any:
        first, second = (
            -mpmath.log(-mpmath.expm1(-z)) if z < 1 else -mpmath.log1p(-mpmath.exp(-z)) for z in (x, y)
        )
        both = mpmath.hypot(first, second)
        shares = mpmath.expm1(x) * mpmath.expm1(y)
        return mpmath.exp(-both) * first * second * (1 + both) / both**3 / shares

    def rate(p: Any) -> Any:
        return p * mpmath.quad(lambda t: t**2 * density(p * t, (1 - p) * t), [0, 1, 3, 8, 20, 60, 200])

    with mpmath.workdps(30):
        for p in (mpmath.mpf("0.125"), mpmath.mpf("0.49609375"), mpmath.mpf("0.75")):
            step = mpmath.mpf(10) ** -8
            wanted = (rate(p + step) - rate(p - step)) / (2 * step)
            assert found(Points.of(np.array([float(p)])))[0] == pytest.approx(float(wanted), rel=1e-12)


def test_curvatures_of_a_mixture_of_integrals_and_closed_forms_compile() -> None:
    pairs = ("lognormal(0, 1)", "exponential(1)"), ("weibull(3/2, 1)", "uniform(1, 2)")
    rule = cd.derive(cd.Mixture(*(("1/2", cd.Independent(*pair)) for pair in pairs))).rule
    assert (
        max(segment.part.ulps or 0 for each in compiling.functions(rule, 2) for segment in each.segments)
        < 100
    )


# ---- steep tables


def test_a_clayton_copula_of_costs_without_a_mean_compiles_and_is_what_costs_are_expected() -> None:
    """Both levels are 0 at the breakpoint 3/5, where its density is a quotient of what is 0."""
    loss = cd.numeric.compile(cd.derive(cd.Copula("clayton", 1, "pareto(2, 3)", "pareto(1/2, 2)")).rule)
    assert all(part.ulps is not None and part.ulps < 8 for part in loss.plan)

    def wanted(at: float) -> float:
        def cost(root: float) -> float:  # the survival function of c0 is the square of the root
            c0 = 3 / root
            second = 1 - np.sqrt(min(1, 2 * at / (c0 * (1 - at))))
            beyond = 1 - (second / (second + (1 - root**2) * (1 - second))) ** 2 if second else 1
            return 2 * root * c0 * beyond

        whole = [0, min(1, 3 * (1 - at) / (2 * at)), 1]
        return sum(
            quad(cost, low, high, epsabs=0, epsrel=1e-9)[0] for low, high in pairwise(whole) if high > low
        )

    for at in (0.02, 0.4, 0.599, 0.61, 0.9):
        assert loss.loss0(at) == pytest.approx(wanted(at), rel=1e-8)


def test_a_steep_table_is_read_by_the_distance_itself_far_from_its_end() -> None:
    """``exp(-1/x^2)``: a logarithm loses a digit or two of it at x = 1/16, and the distance next to none."""

    class Steep(Valued):
        def value(self, end: End, x: Any) -> Any:
            return mpmath.exp(-1 / x**2)

    end = End.of(sympy.S.One, -1)
    panels = Fitter(Direct(Steep(), end, LOG, True), 0.0).panels(
        log_edges(Steep(), end, mpmath.mpf(1) / 25, 0.5)
    )
    table = Table.of(end, LOG, 0.0, list(panels), 0.04)
    found = parted(table, SHORT, is_monotone=True, is_level=False)
    assert found is not None
    knee, near, far = found
    assert 0.95 < knee < 1 and near.variable is LOG and far.variable is LINEAR
    part = Part("loss1", 0.5, knee, "table", "", None)
    whole, _ = rounding(Segment(part, table))
    rest, _ = rounding(Segment(part, far))
    assert rest < 8 and whole > 20
    with mpmath.workdps(40):
        for x in map(mpmath.mpf, (0.0625, 0.1, 0.3, 0.4999)):
            assert abs(far.exactly(x) / mpmath.exp(-1 / x**2) - 1) < 2.0**-50


def test_a_narrow_part_of_an_integrand_is_resolved_before_sums_are_called_as_near_as_they_come() -> None:
    """``P(c1 <= y | c0)`` of a Gumbel copula with the parameter 2 is a slope of ``exp(-r)``, ``r^2 = a^2 + b^2``."""
    loss = cd.numeric.compile(cd.derive(cd.Copula("gumbel", 2, c0="exponential(1)", c1="weibull(2, 1)")).rule)
    assert max(part.ulps or 0.0 for part in loss.plan) < 40

    def missed(x: Any, odds: Any) -> Any:
        below, other = -mpmath.expm1(-x), -mpmath.expm1(-((x / odds) ** 2))
        first, second = -mpmath.log(below), -mpmath.log(other)
        both = mpmath.hypot(first, second)
        return x * mpmath.exp(-x) * (1 - mpmath.exp(-both) * first / both / below)

    with mpmath.workdps(30):
        for report in (0.1, 0.4, 0.8):
            odds = mpmath.mpf(report) / (1 - mpmath.mpf(report))
            wanted = mpmath.quad(
                lambda x, u=odds: missed(x, u), [odds * k / 8 for k in (0, 1, 4, 8, 16, 32, 64)]
            )
            assert loss.loss0(report) == pytest.approx(float(wanted), rel=1e-12)
