"""What cancels in an integrand is taken away before any number is put in: rests of series, and rules that need them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from scipy.special import erf
from scipy.stats import beta, betaprime, expon, fisk, halfnorm, lognorm, pareto, weibull_min
from sympy import Rational

import costderive as cd
from costderive.core.symbols import p
from costderive.numeric.beside_ends import DISTANCE, GAP, beside, of_gap
from costderive.numeric.compiling import functions
from costderive.numeric.long_integrals import Long
from costderive.numeric.many_digits import End, in_p_and_r
from costderive.numeric.remainders import (
    ERROR,
    EXPINT,
    EXPONENTIAL,
    LOGARITHM,
    POWER,
    RESTS_IN_DIGITS,
    RESTS_IN_LONG,
    Series,
    without_cancelling,
)

X, ODDS = sympy.Symbol("x", positive=True), p / (1 - p)
ROOT_OF_LEVEL = (1 - sympy.exp(-X * ODDS)) ** Rational(1, 10)

ROOT, NARROW = sympy.sqrt(sympy.pi), 2 * sympy.sqrt(2) * X * ODDS


def _complement(w: Any) -> Any:
    z = 1 / mpmath.sqrt(w)
    return mpmath.sqrt(mpmath.pi) * z * mpmath.exp(z * z) * mpmath.erfc(z)


def _error(w: Any) -> Any:
    return mpmath.sqrt(mpmath.pi / w) * mpmath.erf(mpmath.sqrt(w)) / 2


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("share", [0.99, 0.25, 2.0**-10])
@pytest.mark.parametrize(
    ("series", "shape", "sign", "exact"),
    [
        (EXPONENTIAL, (), 1, mpmath.exp),
        (EXPONENTIAL, (), -1, mpmath.exp),
        (EXPINT, (0.5,), 1, _complement),
        (EXPINT, (1,), 1, lambda w: mpmath.exp(1 / w) * mpmath.e1(1 / w) / w),
        (EXPINT, (3,), 1, lambda w: mpmath.exp(1 / w) * mpmath.expint(3, 1 / w) / w),
        (ERROR, (), 1, _error),
        (LOGARITHM, (), 1, lambda w: mpmath.log(1 + w) / w),
        (LOGARITHM, (), -1, lambda w: mpmath.log(1 + w) / w),
        (POWER, (0.5,), 1, lambda w: mpmath.sqrt(1 + w)),
        (POWER, (0.25,), -1, lambda w: mpmath.root(1 + w, 4)),
    ],
)
def test_rests_are_functions_less_the_first_terms_of_their_series(
    series: Series, shape: tuple[float, ...], sign: int, exact: Callable[[Any], Any], share: float, n: int
) -> None:
    small = float(series.reach(n)) * share * sign
    with mpmath.workdps(1000):
        w = mpmath.mpf(small)
        first = mpmath.fsum(series.term(k, *shape, one=mpmath.mpf(1)) * w**k for k in range(n))
        wanted = exact(w) - first
    with mpmath.workdps(30):
        (found,) = RESTS_IN_LONG[series.name](*shape, n, np.array([np.longdouble(small)]))
        assert abs(float(found - np.longdouble(mpmath.nstr(wanted, 25))) / float(wanted)) < 2**-58
        assert abs(RESTS_IN_DIGITS[series.name](*shape, n, w) / wanted - 1) < mpmath.mpf(10) ** -27


Y, Z = X * ODDS, X / ODDS
SCALED = sympy.exp(Z**2) * sympy.erfc(Z)


def test_a_series_may_stand_within_another_function() -> None:
    root = sympy.sqrt(1 + DISTANCE)
    total = (root - 1) * sympy.atan(root) - (DISTANCE / 2) * sympy.atan(root)
    assert without_cancelling(total).free_symbols == {DISTANCE}


def test_arguments_may_have_irrational_factors() -> None:
    z = sympy.sqrt(2) * DISTANCE
    assert without_cancelling(1 - (1 + z) * sympy.exp(-z)).has(EXPONENTIAL.rest(2, -z, ()).func)


@pytest.mark.parametrize("distance", ["1e-18", "1e-9", "1e-3", "1"])
@pytest.mark.parametrize("gap", ["1e-18", "1e-9", "1e-3"])
def test_powers_that_cancel_at_an_end_keep_their_digits_whatever_number_they_are_there(
    gap: str, distance: str
) -> None:
    """Where two levels of a Clayton copula are both 0 its density has the sum of both, less their product."""
    first, second = sympy.sqrt(2 / X), 9 * (1 - p) ** 2 / (X * p) ** 2
    total = 2 - first - second - (1 - first) * (1 - second)
    written = beside(of_gap(total, End.of(Rational(3, 5), 1)), X, sympy.Integer(2), 1)
    g, d = mpmath.mpf(gap), mpmath.mpf(distance)
    with mpmath.workdps(100):
        at = mpmath.mpf(3) / 5 + g
        wanted = 1 - mpmath.sqrt(2 / (2 + d)) * 9 * (1 - at) ** 2 / ((2 + d) * at) ** 2
    with mpmath.workdps(30):
        functions = {"expm1": mpmath.expm1, "log1p": mpmath.log1p}
        found = sympy.lambdify((GAP, DISTANCE), written, [functions, "mpmath"])(g, d)
    assert abs(found / wanted - 1) < mpmath.mpf(10) ** -27


@pytest.mark.parametrize("x", ["1e-4", "1e-2", "0.4"])
@pytest.mark.parametrize(
    "integrand",
    [
        sympy.exp(-X) * X * (1 - sympy.sqrt(sympy.pi) * Z * SCALED) / ODDS**2,
        sympy.exp(-X) * X**4 * ((2 * Z**2 + 1) * sympy.sqrt(sympy.pi) * SCALED - 2 * Z) / ODDS**3,
        sympy.exp(-X) * (1 / sympy.sqrt(1 + X * ODDS) - 1 + X * ODDS / 2) / (ODDS * X) ** 2,
        sympy.exp(-X - X / ODDS) * X**3 * (1 - sympy.sqrt(sympy.pi) * Z * SCALED),
        sympy.exp(-X) * (sympy.log(1 + X * ODDS) - X * ODDS) / ODDS**2,
        sympy.exp(-X)
        * (sympy.sqrt(sympy.pi) * sympy.erf(X * ODDS) - 2 * X * ODDS * sympy.exp(-((X * ODDS) ** 2)))
        / ODDS**3,
        sympy.exp(-X) * X**2 * ((1 + Z) * sympy.exp(Z) * sympy.expint(1, Z) - 1) / ODDS**2,
        sympy.exp(-X) * X * (Z * sympy.expint(1, Z) - sympy.exp(-Z)) / ODDS,
        sympy.exp(-X) * (1 - sympy.sqrt(2) * (4 * X * ODDS) / ROOT - sympy.erfc(NARROW)) / ODDS**3,
        sympy.exp(-X)
        * (sympy.sqrt(2) * (sympy.sqrt(2) * ROOT - 8 * X * ODDS) / (2 * ROOT) - (1 - sympy.erf(NARROW)))
        / ODDS**3,
        sympy.exp(-X) / (ROOT_OF_LEVEL + (1 - ROOT_OF_LEVEL) * (1 - (1 + X) ** -3) ** Rational(1, 10)),
    ],
    ids=[
        "one term",
        "two terms",
        "a root",
        "times an exponential",
        "a logarithm",
        "an error function",
        "an exponential integral",
        "one that is not scaled",
        "a complement near 1",
        "roots of numbers",
        "a root of what cancels",
    ],
)
def test_what_cancels_in_an_integrand_keeps_its_digits(integrand: sympy.Expr, x: str) -> None:
    at = mpmath.mpf(x)
    with mpmath.workdps(200):
        value = sympy.lambdify((X, p), integrand, "mpmath")
        wanted = mpmath.quad(
            lambda z: value(mpmath.exp(z), at) * mpmath.exp(z),
            [-80, -60, -40, *range(-30, 5), 5.5],
            maxdegree=5,
        )
    found = Long.of(in_p_and_r(sympy.Integral(integrand, (X, 0, sympy.oo))))
    assert found is not None
    with mpmath.workdps(30):
        end = End.of(sympy.S.Zero, 1)
        assert abs(found.value(end, at) / wanted - 1) < 2**-54
        assert abs(found.checked(end, at) / wanted - 1) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize("x", ["0.3", "1e-5", "1e-30", "1e-300"])
def test_a_logarithm_keeps_its_digits_far_from_where_it_is_zero(x: str) -> None:
    """Beyond ``x = p`` it is ``log1p(-d/(d + p))``: where d is far larger, nothing is left of what that lacks to -1."""
    at, end = mpmath.mpf(x), End.of(sympy.S.Zero, 1)
    found = Long.of(sympy.Integral(sympy.log(p / X) * sympy.exp(-X), (X, p, sympy.oo)))
    assert found is not None
    with mpmath.workdps(30):
        assert abs(found.value(end, at) / -mpmath.e1(at) - 1) < 2**-57
        assert abs(found.checked(end, at) / -mpmath.e1(at) - 1) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize("x", ["0.3", "1e-5", "1e-30", "1e-300"])
def test_a_sum_that_is_zero_where_both_distances_are_keeps_its_digits(x: str) -> None:
    """Beside p = 1 the constants of ``X + 3 p^2 - 6 p + 3`` leave ``3 r^2``, which counts where X is as small."""
    at, end = mpmath.mpf(x), End.of(sympy.S.One, -1)
    found = Long.of(sympy.Integral(sympy.exp(-X) / (X + 3 * p**2 - 6 * p + 3), (X, 0, sympy.oo)))
    assert found is not None
    with mpmath.workdps(30):
        wanted = mpmath.exp(3 * at**2) * mpmath.e1(3 * at**2)
        assert abs(found.value(end, at) / wanted - 1) < 2**-57
        assert abs(found.checked(end, at) / wanted - 1) < mpmath.mpf(10) ** -20


def _by_gauss(edges: Any) -> tuple[Any, Any]:
    """Return the points and weights of Gauss's rule between some edges."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * nodes).ravel(), (half * weights).ravel()


def _mean_of_product(a: Any, b: Any, low: float, kinks: tuple[float, ...], of: Callable[[Any], Any]) -> float:
    """Return the mean of a function of the product of two costs, by the logarithms of it and of the second one."""
    logs, weights = _by_gauss(np.sort(np.concatenate([np.arange(-40.0, 41), kinks])))
    inner, inner_weights = _by_gauss(np.arange(low, 41.0))
    second = inner_weights * b.pdf(np.exp(inner)) * np.exp(inner)
    density = [float(np.sum(second * a.pdf(np.exp(t - inner)) * np.exp(t - inner))) for t in logs]
    return float(np.sum(weights * density * of(np.exp(logs))))


def _rayleigh_up_to(y: Any, scale: float) -> Any:
    """Return the mean of a Rayleigh cost where it is at most y."""
    return scale * np.sqrt(np.pi / 2) * erf(y / (scale * np.sqrt(2))) - y * np.exp(-(y**2) / (2 * scale**2))


def _triangular_up_to(y: Any) -> Any:
    """Return the mean of a cost with a triangular law on (0, 2) where it is at most y."""
    late = 1 / 3 + (y**2 - 1) - (y**3 - 1) / 3
    return np.where(y <= 1, y**3 / 3, np.where(y <= 2, late, 1.0))


def _kumaraswamy_up_to(y: Any) -> Any:
    """Return the mean of a Kumaraswamy(4, 4) cost where it is at most y."""
    y = np.minimum(y, 1.0)
    beyond = y - 4 * y**5 / 5 + 2 * y**9 / 3 - 4 * y**13 / 13 + y**17 / 17
    return beyond - y * (1 - y**4) ** 4


def _triangular_beyond(y: Any) -> Any:
    return np.where(y <= 1, 1 - y**2 / 2, np.where(y <= 2, (2 - y) ** 2 / 2, 0.0))


def _beside_an_exponential(laws: tuple[Any, Any], mean: float, u: float) -> tuple[float, float]:
    """Return both expected costs of a sum beside an exponential cost: by the Laplace transforms of its terms."""
    logs, weights = _by_gauss(np.arange(-40.0, 12, 0.25))
    x, rate = np.exp(logs), 1 / (mean * u)
    whole, first = (
        [float(np.sum(weights * x ** (1 + power) * law.pdf(x) * np.exp(-rate * x))) for law in laws]
        for power in (0, 1)
    )
    cost = first[0] * whole[1] + whole[0] * first[1]
    return cost, mean - cost / u - mean * whole[0] * whole[1]


def _beside_a_uniform(laws: tuple[Any, Any], most: float, u: float) -> tuple[float, float]:
    """Return both expected costs of a sum beside a uniform cost, by the shares of the sum up to ``u most``."""
    top = most * u
    first, first_weights = _by_gauss(top * np.concatenate([[0], 2.0 ** np.arange(-40.0, 1)]))
    share, weights = _by_gauss(np.concatenate([[0], 2.0 ** np.arange(-40.0, 0), [1]]))
    second = np.multiply.outer(top - first, share)
    mass = np.outer(first_weights * (top - first) * laws[0].pdf(first), weights) * laws[1].pdf(second)
    total = first[:, None] + second
    within = float(np.sum(mass * total**2)) / (2 * most * u**2)
    return float(np.sum(mass * total * (1 - total / top))), most / 2 * (1 - float(np.sum(mass))) + within


RULES = {
    "Log-logistic, Gamma, Rayleigh": (
        "a*b",
        {"a": "loglogistic(8/2, 3)", "b": "gamma(1, 2)", "c": "rayleigh(11/3)"},
    ),
    "Kumaraswamy, Weibull, exponential": (
        "a + b",
        {"a": "kumaraswamy(15/4, 11/4)", "b": "weibull(2, 2)", "c": "exponential(4)"},
    ),
    "Beta prime, Pareto, triangular": (
        "a*b",
        {"a": "betaprime(1, 3/2)", "b": "pareto(2, 1)", "c": "triangular(0, 1, 2)"},
    ),
    "Weibull, Beta, Kumaraswamy": (
        "a*b",
        {"a": "weibull(2, 1)", "b": "beta(2, 2)", "c": "kumaraswamy(4, 4)"},
    ),
    "half-normal, log-normal, exponential": (
        "a + b",
        {"a": "halfnormal(2)", "b": "lognormal(0, 1)", "c": "exponential(3)"},
    ),
    "Weibull, log-normal, uniform": (
        "a + b",
        {"a": "weibull(2, 3)", "b": "lognormal(0, 1/2)", "c": "uniform(0, 2)"},
    ),
}


@cache
def compiled(name: str) -> tuple[cd.rule.ScoringRule, Any]:
    cost, parts = RULES[name]
    rule = cd.derive(cd.costs_of_parts(cost, "c", parts=parts), time_limit=300).rule
    return rule, cd.numeric.compile(rule)


def _wanted(name: str, at: float) -> tuple[float, float]:
    """Return both expected costs, from the definition."""
    u = at / (1 - at)
    if name.startswith("Kumaraswamy"):
        edges = np.concatenate([[0], 2.0 ** np.arange(-20, 0), 1 - 2.0 ** -np.arange(2.0, 20), [1]])
        first, first_weights = _by_gauss(np.sort(edges))
        law = 15 / 4 * 11 / 4 * first ** (11 / 4) * (1 - first ** (15 / 4)) ** (7 / 4)
        second, second_weights = _by_gauss(np.concatenate([[0], 2.0 ** np.arange(-20, 3), [6, 8, 12, 16]]))
        mass = np.outer(first_weights * law, second_weights * weibull_min(2, scale=2).pdf(second))
        cost = np.add.outer(first, second)
        kept = np.exp(-cost / (4 * u))
        return float(np.sum(mass * cost * kept)), float(np.sum(mass * (4 - (cost / u + 4) * kept)))
    if name.endswith("log-normal, exponential"):
        return _beside_an_exponential((halfnorm(scale=2), lognorm(1)), 3, u)
    if name.endswith("log-normal, uniform"):
        return _beside_a_uniform((weibull_min(2, scale=3), lognorm(1 / 2)), 2, u)
    if name.startswith("Log"):
        a, b, scale = fisk(3, scale=4), expon(scale=2), 11 / 3

        def beyond(y: Any) -> Any:
            return np.exp(-(y**2) / (2 * scale**2))

        return (
            _mean_of_product(a, b, -40.0, (), lambda cost: cost * beyond(cost / u)),
            _mean_of_product(a, b, -40.0, (), lambda cost: _rayleigh_up_to(cost / u, scale)),
        )
    if name.startswith("Weibull"):
        a, b, kink = weibull_min(2), beta(2, 2), (float(np.log(u)),)
        return (
            _mean_of_product(
                a, b, -40.0, kink, lambda cost: cost * (1 - np.minimum(cost / u, 1.0) ** 4) ** 4
            ),
            _mean_of_product(a, b, -40.0, kink, lambda cost: _kumaraswamy_up_to(cost / u)),
        )
    a, b, kinks = betaprime(1, 3 / 2), pareto(2), (float(np.log(u)), float(np.log(2 * u)))
    return (
        _mean_of_product(a, b, 0.0, kinks, lambda cost: cost * _triangular_beyond(cost / u)),
        _mean_of_product(a, b, 0.0, kinks, lambda cost: _triangular_up_to(cost / u)),
    )


@pytest.mark.parametrize("at", [1e-3, 0.2, 0.7, 1 - 2.0**-7])
@pytest.mark.parametrize("name", RULES)
def test_rules_whose_integrands_cancel_are_compiled(name: str, at: float) -> None:
    loss = compiled(name)[1]
    assert (loss.loss0(at), loss.loss1(at)) == pytest.approx(_wanted(name, at), rel=1e-8)


@pytest.mark.parametrize("name", RULES)
def test_their_tables_state_little(name: str) -> None:
    for function in functions(compiled(name)[0], 0):
        assert max(segment.part.ulps or 0 for segment in function.segments) < 10
