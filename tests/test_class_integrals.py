"""Costs of K classes of any laws: their losses are single integrals, and proved proper without a closed form."""

from dataclasses import replace
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
import sympy
from scipy import stats
from scipy.integrate import quad

import costderive as cd
from costderive.core.errors import ParametersLeftError, SpecError
from costderive.costs.laws import law_of, x
from costderive.multiclass import IndependentCosts, brier, compile, derive, not_affine
from costderive.multiclass.law_claims import at_end, distribution_claims
from costderive.multiclass.partial_means import PartialMeans
from costderive.multiclass.search.distributions import any_distribution
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict
from costderive.rules import Judgement

LAWS = {  # the same in SciPy, written without the package
    "lognormal(0, 1)": stats.lognorm(1),
    "gamma(5/2, 1)": stats.gamma(2.5),
    "weibull(2, 1)": stats.weibull_min(2),
    "pareto(3, 1)": stats.pareto(3),
    "lomax(3, 1)": stats.lomax(3),
    "beta(2, 5)": stats.beta(2, 5),
    "invgauss(1, 1)": stats.invgauss(1),
    "loglogistic(1, 3)": stats.fisk(3),
    "halfnormal(2)": stats.halfnorm(scale=2),
    "truncnormal(1, 1, 0, 3)": stats.truncnorm(-1, 2, loc=1),
    "logitnormal(0, 1)": None,
    "arcsine()": stats.arcsine(),
}
THREE = [
    ("lognormal(0, 1)", "gamma(5/2, 1)", "weibull(2, 1)"),
    ("pareto(3, 1)", "lomax(3, 1)", "halfnormal(2)"),
    ("beta(2, 5)", "invgauss(1, 1)", "loglogistic(1, 3)"),
]
SHARES = np.array([1, 2, 3]) / 6


def by_quadrature(laws, label):
    """Integrate the cost of a class where it is not chosen, by SciPy."""
    own, others = LAWS[laws[label]], [j for j in range(3) if j != label]

    def lost(cost):
        chosen = np.prod([LAWS[laws[j]].cdf(cost * SHARES[label] / SHARES[j]) for j in others])
        return cost * own.pdf(cost) * (1 - chosen)

    ends = [own.support()[0], *own.ppf([0.5, 0.99, 1 - 1e-6]), own.support()[1]]
    return sum(quad(lost, low, high, epsabs=1e-11)[0] for low, high in pairwise(ends))


DENSITIES = {  # the same in mpmath
    "exponential(2)": lambda x: mp.exp(-x / 2) / 2,
    "gamma(4, 1)": lambda x: x**3 * mp.exp(-x) / 6,
    "triangular(1, 2, 4)": lambda x: max(0, min((x - 1) * 2, 4 - x)) / mp.mpf(3),
    "uniform(0, 3)": lambda x: mp.mpf(x < 3) / 3,
}


@pytest.mark.parametrize("text", DENSITIES)
def test_partial_means_keep_their_digits(text):
    law, partial = (
        DENSITIES[text],
        PartialMeans.of(compile(IndependentCosts((text, "triangular(0, 1, 2)"))).rows.laws[0]),
    )
    ends = [2.0**-n for n in (40, 9, 1)] + [1.3, 2.5, 3.5, 20.0, 90.0]
    for end, found in zip(ends, partial(np.array(ends)).tolist(), strict=True):
        places = [mp.mpf(place) for place in (0, 1, 2, 3, 4, 12, 40) if place < end]
        assert found == pytest.approx(float(mp.quad(lambda x: x * law(x), [*places, end])), rel=1e-15)


def test_rows_do_not_change_the_losses_of_others():
    loss = compile(IndependentCosts(("gamma(6, 1)", "uniform(0, 1)", "exponential(20)")))
    rows, labels = (
        np.array([[0.1, 0.6, 0.3], [0.5, 0.0, 0.5], [1e-9, 0.9, 0.1 - 1e-9], [0, 0, 1]]),
        [1, 1, 2, 0],
    )
    alone = [loss.per_sample([label], [row])[0] for row, label in zip(rows, labels, strict=True)]
    assert np.allclose(loss.per_sample(labels, rows), alone, rtol=1e-15, atol=0)


@pytest.mark.parametrize("laws", THREE)
def test_losses_are_the_integrals_of_scipy(laws):
    derivation = derive(IndependentCosts(laws))
    cd.check(derivation).require_proved()
    found = compile(derivation).per_sample(range(3), [SHARES] * 3)
    assert np.allclose(found, [by_quadrature(laws, label) for label in range(3)], rtol=1e-7)


@pytest.mark.parametrize("law", LAWS)
def test_every_law_beside_an_exponential_one_is_proved_strictly_proper(law):
    derivation = derive(IndependentCosts((law, "exponential(1)")))
    cd.check(derivation).require_proved()
    assert derivation.verdict is Judgement.STRICTLY_PROPER


@pytest.mark.parametrize("law", ["lognormal(m, v)", "gamma(a, b)", "weibull(k, v)", "beta(a, b)"])
def test_letters_stay_in_the_proof(law):
    derivation = derive(IndependentCosts((law, "exponential(1)", 1)))
    cd.check(derivation).require_proved()
    with pytest.raises(ParametersLeftError, match="have no values"):
        derivation.rule.at(("1/2", "1/4", "1/4"))


def test_too_many_orders_for_closed_forms_are_proved_as_integrals():
    derivation = derive(IndependentCosts(("triangular(0, 1, 2)",) * 6))
    assert isinstance(derivation.rule, SingleIntegrals)
    cd.check(derivation).require_proved()
    exact = derivation.rule.at(("1/21", "2/21", "3/21", "4/21", "5/21", "6/21"))
    assert all(loss.is_Rational for loss in exact)  # polynomials are integrated
    numbers = compile(derivation).per_sample(range(6), [np.arange(1, 7) / 21] * 6)
    assert np.allclose(np.array(exact, dtype=float), numbers, rtol=1e-13)


@pytest.mark.parametrize(
    "laws",
    [("triangular(0, 1, 2)", "triangular(1, 2, 4)", "triangular(1/2, 1, 3)"), ("triangular(0, 1, 2)",) * 5],
)
def test_closed_forms_that_would_take_minutes_are_left_as_integrals(laws):
    """They have 560 and 945 orders, below the most that are written down, with 27 and 243 terms each."""
    assert isinstance(derive(IndependentCosts(laws)).rule, SingleIntegrals)


@pytest.mark.parametrize(
    "laws", [("lognormal(0, 1)", "lognormal(1, 1/2)"), ("gamma(5/2, 1)", "gamma(3/2, 1)")]
)
@pytest.mark.parametrize("share", [1 / 7, 1 / 2, 9 / 10])
def test_two_classes_have_the_losses_of_the_other_derivation(laws, share):
    binary = cd.derive(cd.Independent(*laws)).rule
    at = [loss.subs(cd.symbols.p, sympy.Rational(share)) for loss in (binary.loss0, binary.loss1)]
    several = compile(derive(IndependentCosts(laws))).per_sample([0, 1], [[1 - share, share]] * 2)
    assert np.allclose(several, np.array([float(loss) for loss in at]), rtol=1e-12)


def test_ties_of_values_go_to_the_lower_class():
    tied = ("rayleigh(1)", {1: "1/2", 2: "1/2"}, {1: "1/2", 2: "1/2"})
    rule = derive(IndependentCosts(tied)).rule
    first, second = (float(loss) for loss in rule.at(("0", "1/2", "1/2"))[1:])
    assert (first, second) == (1 / 4, 1 / 4 + 1 / 4 + 2 / 4)  # class 2 loses also where both are equal


def test_at_a_probability_0_a_class_costs_its_mean_and_is_no_rival():
    rule = derive(IndependentCosts(("rayleigh(1)", "weibull(3, 1)", 2))).rule
    assert rule.at((1, 0, 0)) == (0, sympy.gamma(sympy.Rational(4, 3)), 2)


@pytest.mark.parametrize("law", ["lomax(a, b)", "pareto(a, m)"])
def test_a_mean_that_may_be_infinite_is_not_proved(law):
    assert cd.check(derive(IndependentCosts((law, "exponential(1)")))).verdict < Verdict.NUMERIC


def test_an_infinite_mean_is_not_proved():
    try:
        report = cd.check(derive(IndependentCosts(("pareto(1/2, 1)", "exponential(1)"))))
    except SpecError:
        return
    assert report.verdict < Verdict.NUMERIC


def test_integrals_are_not_compared_with_another_rule():
    with pytest.raises(SpecError, match="not compared exactly"):
        not_affine(derive(IndependentCosts(("rayleigh(1)",) * 3)), brier())


def weakest(law, found):
    return min(decide(claim, law.given()).verdict for claim in distribution_claims(law, found, law.given()))


FALSE = {  # of the arcsine law, whose functions are not smooth at 1
    "a density a thousandth larger": lambda d: replace(
        d, densities=(d.densities[0] * sympy.Rational(1001, 1000), *d.densities[1:])
    ),
    "a distribution function with another constant": lambda d: replace(
        d, cdfs=(d.cdfs[0] + sympy.Rational(1, 10**9), *d.cdfs[1:])
    ),
    "one that starts below 0": lambda d: replace(d, cdfs=(-d.cdfs[0], *d.cdfs[1:])),
    "one that stays at 1/2 afterwards": lambda d: replace(d, cdfs=(*d.cdfs[:-1], sympy.S.Half)),
    "another mean": lambda d: replace(d, mean=d.mean + sympy.Rational(1, 10**9)),
    "an infinite mean": lambda d: replace(d, mean=sympy.oo),
    "no number as a mean": lambda d: replace(d, mean=sympy.nan),
    "a moment with a pole at 1": lambda d: replace(d, moments=(d.moments[0] + 1 / (1 - x), *d.moments[1:])),
    "a moment with a jump inside": lambda d: replace(
        d, moments=(d.moments[0] + sympy.sign(x - sympy.S.Half), *d.moments[1:])
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_distributions_are_not_proved(name):
    law = law_of("arcsine()", "cost")
    found = any_distribution(law, law.given())
    assert weakest(law, found) is Verdict.PROVED
    assert weakest(law, FALSE[name](found)) is not Verdict.PROVED


@pytest.mark.parametrize(
    "function", [1 / (1 - x), sympy.log(1 - x), 1 / sympy.sqrt(1 - x), sympy.sin(1 / (1 - x))]
)
def test_what_has_no_finite_limit_at_an_end_has_no_value_there(function):
    assert at_end(function, sympy.S.One, "-") is sympy.nan
