"""Losses come out in closed form, are proved, and are what integrating over the costs gives.

The truth is quadrature of ``E[c0; t < p]`` and ``E[c1; t >= p]`` over one cost, with the distribution function of the
other written out here: nothing here comes from the package but the losses that are tested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
import sympy
from mpmath import mp
from sympy import Add, Expr, Integral, Rational, Symbol, erf, erfc, exp, expint, log, oo, pi, sqrt

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p, parameter
from costderive.costs.contexts import Context, Independent, Joint
from costderive.costs.laws import (
    Density,
    exponential,
    halfnormal,
    lognormal,
    loguniform,
    pareto,
    pert,
    rayleigh,
    uniform,
    weibull,
)
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, tends, value_at
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.binomials import over_binomials
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.proof.claims import Verdict
from costderive.publish.formulas.printing import latex
from costderive.rules import odds_form
from tests.reference import derived

REPORTS = (Rational(1, 20), Rational(2, 5), Rational(3, 5), Rational(19, 20))
a, b, k, m, v, w, x = sympy.symbols("a b k m v w x", positive=True)
HALF = Rational(1, 2)

Real = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """A law written out: its density, its distribution function and its support."""

    density: Real
    cdf: Real
    low: Any = 0
    high: Any = mp.inf


def bell(scale: Any) -> Cost:
    return Cost(
        lambda c: mp.sqrt(2 / mp.pi) / scale * mp.exp(-((c / scale) ** 2) / 2),
        lambda c: mp.erf(c / scale / mp.sqrt(2)),
    )


def decay(mean: Any) -> Cost:
    return Cost(lambda c: mp.exp(-c / mean) / mean, lambda c: 1 - mp.exp(-c / mean))


def stretched(shape: Any, scale: Any) -> Cost:
    return Cost(
        lambda c: shape / scale * (c / scale) ** (shape - 1) * mp.exp(-((c / scale) ** shape)),
        lambda c: 1 - mp.exp(-((c / scale) ** shape)),
    )


def turned(shape: Any, scale: Any) -> Cost:
    """The inverse of a Weibull cost."""
    return Cost(
        lambda c: (
            shape / scale * (c / scale) ** (-shape - 1) * mp.exp(-((c / scale) ** -shape)) if c else mp.mpf(0)
        ),
        lambda c: mp.exp(-((c / scale) ** -shape)) if c else mp.mpf(0),
    )


def ray(scale: Any) -> Cost:
    return Cost(
        lambda c: c / scale**2 * mp.exp(-((c / scale) ** 2) / 2),
        lambda c: 1 - mp.exp(-((c / scale) ** 2) / 2),
    )


def flat(low: Any, high: Any) -> Cost:
    share = lambda c: min(max((c - low) / (high - low), mp.zero), mp.one)  # noqa: E731
    return Cost(lambda c: mp.one / (high - low), share, low, high)


def heavy(shape: Any) -> Cost:
    return Cost(
        lambda c: shape / c ** (shape + 1), lambda c: 1 - min(c, mp.inf) ** -shape if c > 1 else mp.zero, 1
    )


def log_bell(mean: Any, spread: Any) -> Cost:
    return Cost(
        lambda c: mp.npdf(mp.log(c), mean, spread) / c,
        lambda c: mp.ncdf(mp.log(c), mean, spread) if c else mp.zero,
    )


def estimate() -> Cost:
    """Return the Beta law with the shapes 7/3 and 11/3 on (1, 4)."""
    shapes = mp.mpf(7) / 3, mp.mpf(11) / 3
    share = lambda c: (min(max(c, 1), 4) - 1) / mp.mpf(3)  # noqa: E731
    return Cost(
        lambda c: share(c) ** (shapes[0] - 1) * (1 - share(c)) ** (shapes[1] - 1) / 3 / mp.beta(*shapes),
        lambda c: mp.betainc(*shapes, 0, share(c), regularized=True),
        1,
        4,
    )


def log_flat(low: Any, high: Any) -> Cost:
    share = lambda c: mp.log(min(max(c, low), high) / mp.mpf(low)) / mp.log(mp.mpf(high) / low)  # noqa: E731
    return Cost(lambda c: 1 / (c * mp.log(mp.mpf(high) / low)), share, low, high)


def even_odds(scale: Any, shape: Any) -> Cost:
    """Return a log-logistic law."""
    w = lambda c: (c / mp.mpf(scale)) ** mp.mpf(shape)  # noqa: E731
    return Cost(lambda c: shape * w(c) / c / (1 + w(c)) ** 2 if c else mp.zero, lambda c: 1 - 1 / (1 + w(c)))


def mean_below(cost: Cost, other: Cost, ratio: Any) -> Any:
    """Return ``E[cost; cost < ratio * other]``."""
    cuts = {ratio * other.low, ratio * other.high, cost.low + 1, cost.low, cost.high}
    ends = sorted(cut for cut in cuts if cost.low <= cut <= cost.high)
    return mp.quad(lambda c: c * cost.density(c) * (1 - other.cdf(c / ratio)), ends)


@dataclass(frozen=True, slots=True)
class Row:
    """A context, its two laws written out, and numbers for its parameters."""

    name: str
    context: Context
    first: Cost
    second: Cost
    values: tuple[tuple[str, Any], ...] = ()


ROWS = (
    Row("Rayleigh pair", Independent(c0=rayleigh(1), c1=rayleigh(2)), ray(1), ray(2)),
    Row(
        "Rayleigh pair, symbolic",
        Independent(c0=rayleigh("v"), c1=rayleigh("w")),
        ray(mp.mpf(3) / 2),
        ray(mp.mpf(5) / 7),
        (("v", "3/2"), ("w", "5/7")),
    ),
    Row(
        "half-normal and Rayleigh",
        Independent(c0=halfnormal("v"), c1=rayleigh("w")),
        bell(2),
        ray(3),
        (("v", 2), ("w", 3)),
    ),
    Row(
        "log-normal pair",
        Independent(c0=lognormal(1, 1), c1=lognormal("1/2", 2)),
        log_bell(1, 1),
        log_bell(mp.mpf(0.5), 2),
    ),
    Row(
        "log-normal pair, symbolic",
        Independent(c0=lognormal("mu", "sigma"), c1=lognormal("nu", "tau")),
        log_bell(mp.mpf(1) / 3, mp.mpf(3) / 4),
        log_bell(mp.mpf(1) / 5, mp.mpf(1) / 2),
        (("mu", "1/3"), ("sigma", "3/4"), ("nu", "1/5"), ("tau", "1/2")),
    ),
    Row("exponential and uniform", Independent(c0=exponential(2), c1=uniform(0, 1)), decay(2), flat(0, 1)),
    Row(
        "exponential and uniform, symbolic",
        Independent(c0=exponential("m"), c1=uniform("a", "b")),
        decay(2),
        flat(1, 3),
        (("m", 2), ("a", 1), ("b", 3)),
    ),
    Row("uniform and exponential", Independent(c0=uniform(1, 2), c1=exponential(1)), flat(1, 2), decay(1)),
    Row(
        "Weibull and exponential",
        Independent(c0=weibull(2, 1), c1=exponential(1)),
        ray(mp.sqrt(HALF)),
        decay(1),
    ),
    Row("half-normal and exponential", Independent(c0=halfnormal(1), c1=exponential(1)), bell(1), decay(1)),
    Row(
        "exponential and half-normal",
        Independent(c0=exponential("m"), c1=halfnormal("v")),
        decay(2),
        bell(3),
        (("m", 2), ("v", 3)),
    ),
    Row("Pareto and exponential", Independent(c0=pareto(3, 1), c1=exponential(1)), heavy(3), decay(1)),
    Row(
        "log-uniform and uniform",
        Independent(c0=Density(1 / (Symbol("x", positive=True) * log(4)), (1, 4)), c1=uniform(0, 1)),
        log_flat(1, 4),
        flat(0, 1),
    ),
    Row(
        "log-uniform and log-normal",
        Independent(c0=loguniform("a", "b"), c1=lognormal("mu", "sigma")),
        log_flat(1, 5),
        log_bell(1, mp.mpf(0.5)),
        (("a", 1), ("b", 5), ("mu", 1), ("sigma", "1/2")),
    ),
    Row(
        "log-logistic of one shape",
        Independent(c0="loglogistic(v, 4)", c1="loglogistic(w, 4)"),
        even_odds(2, 4),
        even_odds(3, 4),
        (("v", 2), ("w", 3)),
    ),
    Row(
        "log-logistic of two shapes",
        Independent(c0="loglogistic(1, 4)", c1="loglogistic(1, 2)"),
        even_odds(1, 4),
        even_odds(1, 2),
    ),
    Row(
        "Weibull of one fractional shape",
        Independent(c0="weibull(3/2, v)", c1="weibull(3/2, 1)"),
        stretched(mp.mpf(1.5), 2),
        stretched(mp.mpf(1.5), 1),
        (("v", 2),),
    ),
    Row(
        "Weibull of one shape with a number below its root",
        Independent(c0="weibull(7/4, 2)", c1="weibull(7/4, 1)"),
        stretched(mp.mpf(1.75), 2),
        stretched(mp.mpf(1.75), 1),
    ),
    *[
        Row(
            f"Frechet of a shape {value}",
            Independent(c0="frechet(k, 1)", c1="frechet(k, v)"),
            turned(mp.mpf(value.p) / value.q, 1),
            turned(mp.mpf(value.p) / value.q, 2),
            (("k", value), ("v", 2)),
        )
        for value in (Rational(3, 2), Rational(3, 1))
    ],
    Row("PERT and uniform", Independent(c0=pert(1, 2, 4), c1=uniform(1, 4)), estimate(), flat(1, 4)),
)
by_name = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@by_name
def test_the_losses_have_a_closed_form_and_a_proof(row: Row) -> None:
    derivation = derived(row.context)
    assert not any(
        piece.value.has(Integral)
        for _, losses in derivation.rule.cases
        for piece in (*losses.loss0, *losses.loss1)
    )
    open_findings = [
        finding for finding in cd.check(derivation).findings if finding.verdict is not Verdict.PROVED
    ]
    assert open_findings == []


@by_name
@pytest.mark.parametrize("report", REPORTS)
def test_the_losses_are_the_means_of_the_costs(row: Row, report: Rational) -> None:
    rule = derived(row.context).rule
    losses = rule.at(**dict(row.values)).only_case if row.values else rule.only_case
    odds = mp.mpf(report.p) / (report.q - report.p)
    truth = mean_below(row.first, row.second, odds), mean_below(row.second, row.first, 1 / odds)
    for loss, value in zip((losses.loss0, losses.loss1), truth, strict=True):
        found = sympy.N(loss.piece_at(report).value.subs(p, report), 30)
        assert abs(mp.mpf(str(found)) - value) < 1e-9  # of tanh-sinh quadrature across kinks


def correlated(rho: Expr) -> Context:
    """Return costs whose logarithms are normal with a correlation."""
    m0, m1, s0, s1 = map(parameter, ("m0", "m1", "s0", "s1"))
    z0, z1 = (log(c0) - m0) / s0, (log(c1) - m1) / s1
    form = exp(-(z0**2 - 2 * rho * z0 * z1 + z1**2) / (2 * (1 - rho**2)))
    return Joint(form / (2 * pi * s0 * s1 * sqrt(1 - rho**2) * c0 * c1), ((0, oo), (0, oo)))


@pytest.mark.parametrize("rho", [HALF, -HALF])
def test_correlated_log_normal_costs_have_a_normal_distribution_function(rho: Expr) -> None:
    derivation = derived(correlated(rho))
    assert cd.check(derivation).verdict is Verdict.PROVED
    numbers = {"m0": Rational(1, 3), "m1": Rational(1, 5), "s0": Rational(3, 4), "s1": HALF}
    losses = derivation.rule.at(**numbers).only_case
    m0, m1, s0, s1 = (mp.mpf(n.p) / n.q for n in numbers.values())
    r = mp.mpf(rho.p) / rho.q

    def density(z: Any, report: Any) -> Any:
        """``E[c0; c0 < odds c1]`` given the standardised logarithm z of c0."""
        least = m0 + s0 * z - mp.log(report / (1 - report))
        return (
            mp.exp(m0 + s0 * z) * mp.npdf(z) * mp.ncdf((m1 + s1 * r * z - least) / (s1 * mp.sqrt(1 - r**2)))
        )

    for report in REPORTS:
        truth = mp.quad(partial(density, report=mp.mpf(report.p) / report.q), [-12, 0, 14])
        found = sympy.N(losses.loss0.piece_at(report).value.subs(p, report), 30)
        assert abs(mp.mpf(str(found)) - truth) < 1e-10


INTEGRANDS = (
    x**2 / (4 * x**2 + 1) ** Rational(5, 2),
    x / ((1 + x) ** 2 * sqrt(1 + x**2)),
    x**3 / (a * x**2 + b) ** Rational(7, 2),
    x**3 * exp(-a * x**2 - b * x),
    exp(-k / x) * (1 + k / x) / x,
    exp(-k * x) * (1 / x + 1),
    exp(-(x**2)) / x,
    exp(1 / (4 * x**2)) * erfc(1 / (2 * x)) / x**3,
    x**2 / sqrt(x * (1 - a * x)),
    x**2 / sqrt(x * (1 + a * x)),
    log(x) / x,
    x * log(1 + x),
    x * erf(x) * exp(-(x**2)),
    sympy.asin(sqrt(x)) / x**3,
    x * (5 + x) ** Rational(1, 3) * (1 + 2 * x) ** Rational(-1, 2),
    (x - Rational(1, 8)) ** Rational(4, 3) * (1 - x) ** Rational(8, 3),
    x * sympy.betainc(Rational(7, 3), Rational(11, 3), 0, (x + 1) / 3),
)


@pytest.mark.parametrize("integrand", INTEGRANDS, ids=str)
def test_undetermined_coefficients_find_an_antiderivative(integrand: Expr) -> None:
    found = by_ansatz(integrand, x)
    gap = sympy.diff(found, x) - integrand
    for at in (Rational(1, 7), Rational(2, 5)):
        assert abs(sympy.N(gap.subs({x: at, a: Rational(3, 7), b: 2, k: Rational(5, 4)}), 30)) < 1e-25


@pytest.mark.parametrize(
    "integrand", [exp(-x - 1 / x), exp(exp(-x)), sqrt(1 + x**3), x**x, exp(-(x**4))], ids=str
)
def test_undetermined_coefficients_give_up_where_there_is_nothing_to_find(integrand: Expr) -> None:
    assert by_ansatz(integrand, x) is None


@pytest.mark.parametrize(("number", "short"), [
    (Rational(153, 512) + Rational(3125, 1536) * (log(20) - log(2)) / log(10), Rational(7, 3)),
    (3 * log(100) / log(10), Rational(6)),
    (log(8) / log(2) - log(27) / log(9) + sympy.pi, sympy.pi + Rational(3, 2)),
    (5 * log(Rational(9, 10)) / 2 + 5 * log(2) / 2, 5 * log(Rational(9, 5)) / 2),
    (2 - log(6) / 3 - log(2) / 3 - log(5) / 3, 2 - log(60) / 3),
    (log(10**40 + 1) / log(10), log(10**40 + 1) / log(10)),
])  # fmt: skip
def test_constants_with_logarithms_of_numbers_are_short(number: Expr, short: Expr) -> None:
    assert odds_form.constant(number) == short


EXPONENTS = (
    exp(-(log(a * x) ** 2) / (2 * v**2)) * exp(log(a * x) ** 2 / (2 * v**2 * (1 + v**2)))
    - exp(-(log(a * x) ** 2) / (2 * (1 + v**2))),
    exp(v**2 * log(x) / (v**2 + 1)) * exp(log(x) / (v**2 + 1)) - x,
    exp(1 / (v * w)) * exp(-1 / (v * (v + w))) - exp(1 / (w * (v + w))),
    exp(a / 8) ** 2 * exp(3 * a / 4) - exp(a),
    exp(3) * exp(-Rational(5, 2)) - sqrt(sympy.E),
)


@pytest.mark.parametrize("gap", EXPONENTS, ids=str)
def test_products_of_exponentials_are_compared_exactly(gap: Expr) -> None:
    assert zero(gap) is not None
    assert zero(gap + Rational(1, 10**30)) is None
    assert zero(gap * x + exp(gap) - 1 + exp(-a) * Rational(1, 10**30)) is None


def test_a_quadratic_form_without_real_zeros_is_positive() -> None:
    near = 1 - Symbol("r", positive=True)
    assert positive(a**2 - a * b + b**2)
    assert positive(a**2 - 2 * (1 - near) * a * b + b**2, None, Given(positive=(near,)))
    assert positive(a**2 - 2 * a * b + b**2) is None
    assert positive(a**2 - 3 * a * b + b**2) is None
    assert nonnegative(a**3 - a * b + b**2) is None


def test_powers_are_below_or_above_one_as_base_and_exponent_say() -> None:
    on = Interval(x, sympy.S.Zero, sympy.S.One)
    assert positive(1 - x**a, on) and positive((1 - x**a) ** (b - 1), on)
    assert positive(sympy.exp(a) - 1) and positive(1 - (x / 2) ** a * sympy.exp(-b), on)
    assert positive((1 + x) ** a - 1, on)
    assert positive(1 - x**a, Interval(x, sympy.S.Zero, sympy.Integer(2))) is None
    assert nonnegative(1 - x ** (a - 1), on) is None
    assert nonnegative(1 - x**a * sympy.exp(b), on) is None
    assert nonnegative(x**a - x**b, on) is None


def test_a_search_beyond_its_time_leaves_an_integral_that_is_proved() -> None:
    derivation = cd.derive(cd.PowerMean("-3/7"), time_limit=2)
    assert not derivation.rule.closed_form
    assert cd.check(derivation).verdict is Verdict.PROVED


def test_logarithms_of_what_may_be_one_have_a_weak_sign() -> None:
    below = Given(nonnegative=(1 - a, 1 - b))
    assert nonnegative(-log(a), None, below)
    assert nonnegative(log(a) * log(b), None, below)
    assert nonnegative(log(a), None, Given(nonnegative=(a - 1,)))
    assert positive(-log(a), None, below) is None
    assert nonnegative(log(a), None, below) is None
    assert nonnegative(-log(a)) is None
    assert nonnegative(-log(a) * log(b), None, below) is None


def test_falling_exponentials_count_as_numbers_between_zero_and_one() -> None:
    theta = Symbol("th", positive=True)
    density = 1 + theta * (2 * exp(-a) - 1) * (2 * exp(-b) - 1)
    assert nonnegative(density, None, Given(positive=(1 - theta,)))
    assert nonnegative(density) is None
    assert nonnegative(1 - exp(a)) is None
    assert nonnegative(1 + theta * (3 * exp(-a) - 2), None, Given(positive=(1 - theta,))) is None


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (HALF + erf(a + b * log(x)) / 2, 0),
        (HALF - erf(a - log(x)) / 2, 0),
        (2 - erfc(log(x)), 0),
        (exp(-(log(x) ** 2)) * erfc(log(x)), 0),
    ],
    ids=str,
)
def test_functions_reach_their_values_far_out(expr: Expr, value: int) -> None:
    assert tends(expr, Approach(x, sympy.S.Zero, "+"), sympy.Integer(value))
    assert tends(expr, Approach(x, sympy.S.Zero, "+"), sympy.Integer(value) + a) is None


def test_an_unknown_direction_has_no_limit() -> None:
    assert value_at(erf((a - b) * log(x)), Approach(x, sympy.S.Zero, "+")) is None


def test_exponential_integrals_are_printed_and_stored() -> None:
    derivation = derived(ROWS[11].context)
    loss = derivation.rule.only_case.loss0.pieces[0].value
    assert loss.has(expint)
    assert r"\mathrm{E}_1\left(\frac{1 - p}{p}\right)" in latex(loss)
    assert cd.Derivation.from_json(derivation.to_json()) == derivation


def test_an_algebraic_constant_has_no_nested_denominators() -> None:
    root = sympy.sqrt(31)
    nested = 1 / (3 - 6 / (1 + root) + 6 / (2 * root + 32))
    written = odds_form.constant(nested)
    assert not any(power.exp < 0 and power.base.has(sympy.Pow) for power in written.atoms(sympy.Pow))
    assert abs((written - nested).evalf(40)) < 1e-35


def test_logarithms_and_exponentials_that_cancel_in_a_loss_are_not_written() -> None:
    none = 63 * (log(2) + log(30) - log(10) - log(6))
    assert odds_form.tidy(p**2 * (none + 440) * log(2 - p), p) == 440 * p**2 * log(2 - p)
    assert odds_form.tidy(p * exp(2 * (1 - p) / (2 * p + 1) + 1), p) == p * exp(3 / (2 * p + 1))


def test_a_polynomial_is_factored_over_its_root_of_a_whole_number() -> None:
    first, second = (p**2 + sign * sqrt(2) * p * (1 - p) + (1 - p) ** 2 for sign in (1, -1))
    expanded = sympy.expand(first**2) * pi / (sympy.expand(second**3) * (6 - 4 * sqrt(2)))
    written = odds_form.product(expanded, p)
    assert {abs(factor.as_base_exp()[1]) for factor in sympy.Mul.make_args(written) if factor.has(p)} == {
        2,
        3,
    }
    assert abs(sympy.N((written - expanded).subs(p, Rational(1, 3)), 30)) < 1e-25
    assert not any(
        power.exp < 0 and not power.has(p) and power.has(sqrt(2)) for power in written.atoms(sympy.Pow)
    )


def test_terms_that_cancel_over_a_common_denominator_stop_no_search() -> None:
    x = Symbol("x", positive=True)
    nothing = (x + 1) * (4 - 5 * x / (x + 1)) + (x + 1) * (5 * x / (x + 1) - 4)
    found = by_ansatz(nothing + x * sqrt(x**2 + 1), x)
    assert found is not None
    assert sympy.simplify(sympy.diff(found, x) - x * sqrt(x**2 + 1)) == 0


# ---- tails of bells


def test_fractions_over_binomials_have_incomplete_beta_functions() -> None:
    for f in (
        4 * x**4 / ((x**4 + 1) ** 2 * (x**2 / a**2 + 1)),
        x**5 / (a + x**5) ** 2,
        x**2 / (1 + x**4) ** 3,
    ):
        found = over_binomials(f, x)
        assert found is not None and not found.has(Integral)
        at = {x: Rational(7, 5), a: Rational(3, 2)}
        assert abs(sympy.N((sympy.diff(found, x) - f).subs(at), 30)) < 1e-25
    none = (x / (1 - x**4), x / (1 + x + x**4), x**9 / (1 + x**4), sqrt(1 + x**4), 1 / (1 + x**40))
    assert [f for f in none if over_binomials(f, x) is not None] == []


def test_the_sign_of_a_polynomial_with_roots_of_numbers_is_not_searched_for() -> None:
    numbers = (27, -216, 783, -1296, 432, 1998, -3915, 3564, -1701, 324)
    roots = (0, -4, 43, -178, 346, -268, -92, 296, -176, 32)
    top = Add(
        *[(n + sqrt(3) * pi * root) * p**k for k, (n, root) in enumerate(zip(numbers, roots, strict=True))]
    )
    loss = -((1 - p) ** 2) * top / (27 * (2 * p - 1) ** 3 * (p**2 - p + 1) ** 4)
    assert abs(sympy.N((odds_form.product(loss, p) - loss).subs(p, Rational(1, 3)), 30)) < 1e-20


def test_exponentials_that_cancel_are_not_written() -> None:
    loss = derived(Independent(c0="lomax(5/2, 1)", c1="exponential(1)")).rule.only_case.loss0.pieces[0].value
    (tail,) = (term for term in Add.make_args(loss) if term.has(exp))
    assert tail.has(sympy.erf) and not loss.has(sqrt(1 / (1 - p)))


def test_what_cancels_beside_an_error_function_is_written_as_a_tail() -> None:
    """Near p = 0 the exponential is beyond all bounds, and ``erfc(y) - 2``, which is ``-(1 + erf(y))``, goes to 0."""
    large, y, above = exp((1 - p) * (1 - 3 * p) / p**2), (2 * p - 1) / p, (p + 1) / p
    value = (1 - 2 * p) / p * large * (erfc(y) + erfc(above)) + 2 * (2 * p - 1) / p * large
    found = odds_form.tidy(sympy.expand_mul(value), p)
    assert found.has(1 + erf(sympy.expand(y))) and found.atoms(erfc) == {erfc(sympy.expand(above))}
    assert (
        len(sympy.Add.make_args(found)) == 2 and sympy.expand((found - value).rewrite(erfc), deep=True) == 0
    )
    assert odds_form.tidy(2 * large * erfc(y) - 2 * large, p) == -2 * large * erf(y)


@pytest.mark.parametrize(
    "bell",
    [
        x ** Rational(3, 2) * exp(-b * sqrt(x) - 2 * x),
        exp(-sqrt(x) - a * x) / sqrt(x),
        exp(-b / x - 3 / x**2) / x**4,
        x**5 * exp(-(x**4) + b * x**2),
    ],
)
def test_a_bell_in_a_power_of_a_cost_has_an_antiderivative(bell: Expr) -> None:
    found = primitive(bell, x)
    assert found is not None and found.has(erfc)
    assert zero(sympy.diff(found, x) - bell, Interval(x, sympy.S.Zero, oo), Given())


@pytest.mark.parametrize(
    "written",
    [
        2 * erf(p) + erfc(p) - 1,
        1 + erf(p) + erf(2 * p) + erf(p) * erf(2 * p),
        3 * erfc(p) - 6 + erf(p),
        erf(p) ** 2 - 1,
    ],
)
def test_tails_of_several_error_functions_are_put_together_once(written: Expr) -> None:
    """One kernel may make a tail with two others, or with a sum that stands already."""
    for at in (Rational(1, 7), Rational(3, 5)):
        assert abs((odds_form.tidy(written, p, Given()) - written).subs(p, at).evalf(30)) < Rational(
            1, 10**25
        )
