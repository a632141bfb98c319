"""Losses whose form changes at a number that a letter may be: one case above it, one below, and one at it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from sympy import Eq, Integer, Rational

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import p, parameter
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation
from costderive.derivation.search.letter_cases import changes_of_form
from costderive.numeric import compile
from costderive.programs.program import code
from costderive.proof.claims import Verdict
from costderive.publish.formats.article import latex

a = parameter("a")


@cache
def beside_known() -> Any:
    return cd.derive(cd.Independent(c0="pareto(a, 1)", c1=3))


@cache
def document() -> str:
    return beside_known().to_json()


def truth(shape: float, report: float) -> float:
    """E[c0; c0/(c0 + 3) < p] for a Pareto cost of minimum 1."""
    highest = 3 * report / (1 - report)
    return quad(lambda x: x * stats.pareto.pdf(x, shape), 1, highest)[0] if highest > 1 else 0.0


def test_the_cases_are_above_below_and_at_the_number() -> None:
    assert [case.given.relations() for case in beside_known().cases] == [(a > 1,), (a < 1,), (Eq(a, 1),)]
    assert cd.check(beside_known()).verdict is Verdict.PROVED
    assert beside_known().rule.closed_form


@pytest.mark.parametrize("shape", ["1/3", "9/10", "1", "11/10", "2", "15/2"])
def test_each_case_is_the_expected_cost(shape: str) -> None:
    losses = beside_known().rule.at(a=shape)
    program_ = compile(losses)
    for report in (0.2, 0.3, 0.6, 0.95):
        wanted = truth(float(Rational(shape)), report)
        assert float(losses.loss0.subs(p, report)) == pytest.approx(wanted, rel=1e-8, abs=1e-12)
        assert program_.loss0(report) == pytest.approx(wanted, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("shape", [0.5, 1.0, 2.5])
def test_losses_with_the_letter_left_choose_the_case(shape: float) -> None:
    assert compile(beside_known().rule).loss0(0.6, a=shape) == pytest.approx(truth(shape, 0.6), rel=1e-9)


def test_other_letters_stay() -> None:
    derivation = cd.derive(cd.Independent(c0=2, c1="pareto(a, b)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert len(derivation.cases) == 3 and derivation.rule.closed_form
    assert len(derivation.rule.at(a=1).cases) == 1


def test_the_certificate_is_read_again() -> None:
    read = Derivation.from_json(document())
    assert read == beside_known()
    assert cd.check(read).verdict is Verdict.PROVED


@pytest.mark.parametrize("case", range(3))
def test_no_case_may_be_missing(case: int) -> None:
    cases = beside_known().cases
    forged = replace(beside_known(), cases=(*cases[:case], *cases[case + 1 :]))
    assert cd.check(forged).verdict is not Verdict.PROVED
    with pytest.raises(SpecError, match="the cases do not cover everything"):
        Derivation.from_json(forged.to_json())


def test_the_steps_for_one_number_prove_nothing_of_another() -> None:
    above, below, at = beside_known().cases
    beside_two = Given((), (a - 2, 2 - a))
    others = [
        (above, below, replace(at, given=beside_two)),
        (replace(at, given=Given()),),
        (above, below, replace(above, given=at.given)),
        (above, replace(above, given=below.given), at),
    ]
    for cases in others:
        assert cd.check(replace(beside_known(), cases=cases)).verdict is not Verdict.PROVED


def test_a_condition_that_a_reader_would_not_see_proves_nothing() -> None:
    above, below, at = beside_known().cases
    unseen = replace(above, given=replace(above.given, nonnegative=()))
    forged = replace(beside_known(), cases=(unseen, below, at))
    assert unseen.given.in_words() == ""
    assert cd.check(forged).verdict is Verdict.REFUTED
    with pytest.raises(SpecError, match="the cases do not cover everything"):
        Derivation.from_json(forged.to_json())


def test_a_number_that_is_none_of_a_shape_is_refused() -> None:
    above, below, at = beside_known().cases
    impossible = replace(at, given=Given((), (a + 1, -a - 1)))
    with pytest.raises(SpecError, match="a = -1"):
        cd.check(replace(beside_known(), cases=(above, below, at, impossible)))


def test_what_people_read_names_the_cases() -> None:
    assert [line for line in str(beside_known().rule).splitlines() if line.startswith("where")] == [
        "where a > 1:",
        "where a < 1:",
        "where a = 1:",
    ]
    written = code(beside_known().rule, "python")
    assert "If a > 1:" in written and "If a = 1:" in written
    article = latex(beside_known())
    assert "The form of the losses depends on the parameters" in article
    assert "order of the breakpoints" not in article


def test_a_multiple_is_positive_in_every_case() -> None:
    assert (2 * beside_known().rule).at(a=1) == 2 * beside_known().rule.at(a=1)
    with pytest.raises(SpecError, match="factor = a - 1 is not a positive number"):
        _ = (a - Integer(1)) * beside_known().rule


@pytest.mark.parametrize("letter", ["q", "s", "t", "u", "c0", "pi0"])
@pytest.mark.parametrize(
    "context", [cd.Additive(budget="m"), cd.FixedCosts("m", 1), cd.Harmonic("m")], ids=str
)
def test_a_letter_with_a_meaning_of_its_own_is_no_parameter(context: Context, letter: str) -> None:
    text = cd.derive(context).to_json().replace('["Symbol", "m"]', f'["Symbol", "{letter}"]')
    forged = Derivation.from_json(text)
    assert [symbol.name for symbol in forged.rule.parameters] == [letter]
    assert cd.check(forged).verdict is Verdict.REFUTED


@pytest.mark.parametrize("exponent", ["1/500", "-1/1000"])
def test_a_mean_of_a_small_exponent_has_no_letter_to_look_for(exponent: str) -> None:
    derivation = cd.derive(cd.PowerMean(exponent), time_limit=1)
    assert changes_of_form(derivation.rule.cases[0][1]) == ()
    assert cd.check(derivation).verdict is Verdict.PROVED


@pytest.mark.parametrize("exponent", ["1e-30", "-1e-30", "pi/10^30", "1/1001"])
def test_an_exponent_near_0_is_refused(exponent: str) -> None:
    with pytest.raises(SpecError, match="closer to 0 than 1/1000"):
        cd.PowerMean(exponent)


@cache
def weighted() -> Any:
    """The costs whose weighted mean is known: c0/(1 + w) + w c1/(1 + w), or one on another scale."""
    return cd.derive(
        cd.Curve(c0="(1 + w)*x/(w*x + 1 - x)", c1="(1 + w)*(1 - x)/(w*x + 1 - x)", density="uniform(0, 1)")
    )


def test_a_denominator_that_loses_its_degree_makes_cases() -> None:
    w = parameter("w")
    assert [case.given.relations() for case in weighted().cases] == [(w > 1,), (w < 1,), (Eq(w, 1),)]
    assert cd.check(weighted()).verdict is Verdict.PROVED
    assert weighted().rule.closed_form


@pytest.mark.parametrize("weight", ["1/3", "99/100", "1", "101/100", "5"])
def test_the_costs_of_a_weighted_mean_are_those_of_quadrature(weight: str) -> None:
    number = float(Rational(weight))
    losses = weighted().rule.at(w=weight)
    for report in (0.1, 0.5, 0.8):
        wanted0 = quad(lambda x: (1 + number) * x / (number * x + 1 - x), 0, report)[0]
        wanted1 = quad(lambda x: (1 + number) * (1 - x) / (number * x + 1 - x), report, 1)[0]
        assert float(losses.loss0.subs(p, Rational(str(report))).evalf(40)) == pytest.approx(
            wanted0, rel=1e-9
        )
        assert float(losses.loss1.subs(p, Rational(str(report))).evalf(40)) == pytest.approx(
            wanted1, rel=1e-9
        )


@cache
def exponential_curve() -> Any:
    density = cd.Density("exp(-x)/(1 - exp(-1))", (0, 1))
    return cd.derive(cd.Curve(c0="exp(a*x)", c1=1, density=density))


def test_an_exponential_that_becomes_constant_makes_cases() -> None:
    assert [case.given.relations() for case in exponential_curve().cases] == [(a > 1,), (a < 1,), (Eq(a, 1),)]
    assert exponential_curve().rule.closed_form
    assert cd.check(exponential_curve()).verdict is Verdict.PROVED


@pytest.mark.parametrize("rate", ["1/2", "1", "2"])
def test_the_expected_cost_of_an_exponential_is_that_of_quadrature(rate: str) -> None:
    number = float(Rational(rate))
    highest = min(np.log(0.7 / 0.3) / number, 1)
    wanted = quad(lambda x: np.exp((number - 1) * x) / (1 - np.exp(-1)), 0, highest)[0]
    assert float(exponential_curve().rule.at(a=rate).loss0.subs(p, Rational(7, 10))) == pytest.approx(wanted)


def test_a_number_at_which_there_is_no_law_makes_no_cases() -> None:
    derivation = cd.derive(cd.Additive(density="(w - 1)/(log(w)*(1 + (w - 1)*s))"))
    assert len(derivation.cases) == 1
    assert cd.check(derivation).verdict is not Verdict.PROVED  # the density has no known sign at w = 1


@cache
def pareto_pair() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "costderive.derivation.derive.SECONDS_A_LETTER", 300.0
        )  # whatever else the machine does
        return cd.derive(cd.Independent(c0="pareto(a, 2)", c1="pareto(b, 3)"))


def test_two_letters_have_nine_cases() -> None:
    assert len(pareto_pair().cases) == 9
    assert pareto_pair().rule.closed_form
    assert cd.check(pareto_pair()).verdict is Verdict.PROVED
    without = replace(pareto_pair(), cases=pareto_pair().cases[:-1])
    assert cd.check(without).verdict is not Verdict.PROVED


@pytest.mark.parametrize("report", [0.2, 0.6])
@pytest.mark.parametrize("shapes", [("3/2", "3"), ("3/4", "1"), ("1", "1/2"), ("2/3", "4/5"), ("1", "1")])
def test_each_of_the_nine_is_the_expected_cost(shapes: tuple[str, str], report: float) -> None:
    first, second = (stats.pareto(float(Rational(shapes[i])), scale=2 + i) for i in (0, 1))
    losses = pareto_pair().rule.at(a=shapes[0], b=shapes[1])
    odds = report / (1 - report)
    wanted0 = _split(lambda x: x * first.pdf(x) * second.sf(x / odds), 2, max(3 * odds, 2))
    wanted1 = _split(lambda y: y * second.pdf(y) * first.sf(y * odds), 3, max(2 / odds, 3))
    assert float(losses.loss0.subs(p, Rational(str(report)))) == pytest.approx(wanted0, rel=1e-6)
    assert float(losses.loss1.subs(p, Rational(str(report)))) == pytest.approx(wanted1, rel=1e-6)


@cache
def pareto_beside_uniform() -> cd.Derivation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("costderive.derivation.derive.SECONDS_A_LETTER", 300.0)
        return cd.derive(cd.Independent(c0="pareto(a, 1)", c1="uniform(0, 2)"))


def test_a_letter_with_two_numbers_has_five_cases() -> None:
    derivation = pareto_beside_uniform()
    assert [str(case.given.nonnegative) for case in derivation.cases] == [
        "(1 - a,)",
        "(a - 1, 1 - a)",
        "(a - 1, 2 - a)",
        "(a - 2, 2 - a)",
        "(a - 2,)",
    ]
    assert derivation.rule.closed_form
    assert cd.check(derivation).verdict is Verdict.PROVED
    for case in (0, 3):
        left = derivation.cases[:case] + derivation.cases[case + 1 :]
        assert cd.check(replace(derivation, cases=left)).verdict is not Verdict.PROVED


@pytest.mark.parametrize("shape", ["3/4", "1", "3/2", "2", "7/2"])
def test_each_of_the_five_is_the_expected_cost(shape: str) -> None:
    a = float(Rational(shape))
    losses = pareto_beside_uniform().rule.at(a=shape)
    wanted = quad(lambda x: x * a * x ** (-a - 1) * (1 - x / 3), 1, 3)[0]  # at the odds 3/2
    assert float(losses.loss0.subs(p, Rational(3, 5))) == pytest.approx(wanted, rel=1e-9)
    wanted = quad(lambda y: y / 2 * (1.5 * y) ** -a, 2 / 3, 2)[0] + 1 / 9
    assert float(losses.loss1.subs(p, Rational(3, 5))) == pytest.approx(wanted, rel=1e-9)


def _split(cost: Any, low: float, kink: float) -> float:
    """Integrate up to the kink, and beyond it in the logarithm of the cost."""
    tail = quad(lambda y: cost(np.exp(y)) * np.exp(y), np.log(kink), np.log(kink) + 200, limit=400)[0]
    return quad(cost, low, kink)[0] + tail if kink > low else tail


@cache
def sum_of_exponentials() -> cd.Derivation:
    parts = {"x": "exponential(m)", "y": "exponential(n)"}
    return cd.derive(cd.costs_of_parts("k", "x + y", parts=parts))


def test_letters_that_may_be_equal_make_cases() -> None:
    m, n = parameter("m"), parameter("n")
    assert [case.given.relations() for case in sum_of_exponentials().cases] == [
        (m > n,),
        (n > m,),
        (Eq(m, n),),
    ]
    assert cd.check(sum_of_exponentials()).verdict is Verdict.PROVED
    assert sum_of_exponentials().rule.closed_form


@pytest.mark.parametrize("means", [(1, 3), (3, 1), (2, 2)])
def test_a_sum_of_exponentials_costs_what_quadrature_says(means: tuple[int, int]) -> None:
    first, second = (stats.expon(scale=mean) for mean in means)
    losses = sum_of_exponentials().rule.at(k=4, m=means[0], n=means[1])
    for report in (Rational(1, 4), Rational(3, 5), Rational(9, 10)):
        least = float(4 * (1 - report) / report)  # the sum is more where class 1 is predicted
        more = quad(lambda x, low: first.pdf(x) * second.sf(low - x), 0, least, args=(least,))[0] + first.sf(
            least
        )
        paid = quad(lambda x, high: first.pdf(x) * _up_to(second, x, high - x), 0, least, args=(least,))[0]
        assert float(losses.loss0.subs(p, report).evalf(30)) == pytest.approx(4 * more, rel=1e-9)
        assert float(losses.loss1.subs(p, report).evalf(30)) == pytest.approx(paid, rel=1e-9)


def _up_to(law: Any, shift: float, high: float) -> float:
    """E[shift + y; y < high] of an exponential y."""
    mean = law.mean()
    return shift * law.cdf(high) + mean - (high + mean) * law.sf(high)


@pytest.mark.parametrize("means", [(2, 3), (3, 2), (2, 2)])
def test_a_share_of_two_exponentials_costs_what_draws_say(means: tuple[int, int]) -> None:
    """Two lines below the integrand share their zero where the means are equal, and the logarithm is none there."""
    parts = {"x": "exponential(m)", "y": "exponential(n)"}
    derivation = cd.derive(cd.costs_of_parts("x/(x + y)", "k", parts=parts))
    assert len(derivation.cases) == 3 and derivation.rule.closed_form
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss, generator = compile(derivation.rule.at(m=means[0], n=means[1], k=2)), np.random.default_rng(5)
    x, y = (mean * generator.exponential(size=1_000_000) for mean in means)
    share = x / (x + y)
    for report in (0.1, 0.25, 0.3, 0.6):
        below = share < report * (share + 2)
        for label, paid in enumerate((share * below, 2.0 * ~below)):
            assert abs(loss([label], [report]) - paid.mean()) <= 5 * paid.std() / 1000 + 1e-9


def test_steps_for_equal_letters_prove_nothing_of_others() -> None:
    above, below, equal = sum_of_exponentials().cases
    others = [
        (replace(above, given=equal.given), below, equal),
        (above, below, replace(equal, given=above.given)),
        (above, below),
        (replace(equal, given=Given()),),
    ]
    for cases in others:
        assert cd.check(replace(sum_of_exponentials(), cases=cases)).verdict is not Verdict.PROVED


def test_a_letter_that_is_a_multiple_of_another_at_a_change_has_a_ladder() -> None:
    parts = {"j": "binomial(2, 1/3)", "x": "exponential(m)", "y": "exponential(n)"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("costderive.derivation.derive.SECONDS_A_LETTER", 300.0)
        derivation = cd.derive(cd.costs_of_parts(3, "j*x + y", parts=parts))
    said = ["n/2 > m", "m = n/2", "m > n/2 and n > m", "m = n", "m > n"]
    assert [case.given.in_words() for case in derivation.cases] == said
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form


def test_a_product_of_beta_costs_is_closed_where_their_shapes_are_equal() -> None:
    parts = {"x": "beta(m, 1)", "y": "beta(n, 1)"}
    derivation = cd.derive(cd.costs_of_parts("3/10", "x*y", parts=parts))
    assert [case.given.in_words() for case in derivation.cases] == ["m > n", "n > m", "m = n"]
    assert cd.check(derivation).verdict is Verdict.PROVED
    equal = derivation.rule.at(m=2, n=2)
    least = 3 * 0.6 / (10 * 0.4)  # x y is less than this where the report 2/5 decides for class 0
    paid = quad(lambda v: -4 * v * v * np.log(v), 0, least)[0]  # the density of x y is -4 v log v
    assert float(equal.loss1.subs(p, Rational(2, 5)).evalf(30)) == pytest.approx(paid, rel=1e-9)


def test_a_product_of_letters_at_a_change_makes_cases() -> None:
    parts = {"x": "exponential(m)", "y": "exponential(1)"}
    derivation = cd.derive(cd.costs_of_parts(5, "n*x + y", parts=parts))
    assert [case.given.in_words() for case in derivation.cases] == ["m*n > 1", "m*n < 1", "m = 1/n"]
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    equal = derivation.rule.at(m=2, n=Rational(1, 2))
    high = (
        5 * 0.7 / 0.3
    )  # a Gamma cost of shape 2 is more than this where the report 3/10 decides for class 1
    assert float(equal.loss0.subs(p, Rational(3, 10))) == pytest.approx(5 * stats.gamma.sf(high, 2), rel=1e-9)


def test_all_that_sets_a_case_apart_is_said() -> None:
    m, n = parameter("m"), parameter("n")
    equal = Given((), (m - n, n - m, m - 2, 2 - m))
    assert equal.relations() == (Eq(m, n), Eq(m, 2))
    assert Given((n - 3,), (m - n, n - m, n - 3)).in_words() == "m = n and n > 3"
    assert Given((), (m * n - 1, 1 - m * n)).relations() == (Eq(m, 1 / n),)
    assert Given((), (m - n,)).in_words() == "m >= n"
    either = (m - 1) * (n - a)  # also 0 for n = a, whatever m is
    assert Given((), (either, -either)).pinned == {}
    assert len(Given((), (either, -either)).relations()) == 2


def test_a_product_of_pareto_parts_has_cases_where_its_tail_changes() -> None:
    parts = {"x": "pareto(m, 1)", "y": "pareto(3, 1)"}
    derivation = cd.derive(cd.costs_of_parts(2, "x*y", parts=parts))
    said = ["m < 1", "m = 1", "m > 1 and m < 3", "m = 3", "m > 3"]
    assert [case.given.in_words() for case in derivation.cases] == said
    assert cd.check(derivation).verdict is Verdict.PROVED
    high = 8.0  # the product is more than this where the report 1/5 decides for class 1
    for shape in (0.5, 1, 2, 4):
        more = (3 * high**-shape - shape * high**-3) / (3 - shape)
        found = derivation.rule.at(m=Rational(str(shape))).loss0.subs(p, Rational(1, 5))
        assert float(found) == pytest.approx(2 * more, rel=1e-12)
    equal = derivation.rule.at(m=3).loss0.subs(p, Rational(1, 5))
    assert float(equal) == pytest.approx(2 * (1 + 3 * np.log(high)) * high**-3, rel=1e-12)


def test_a_case_of_a_curve_has_cases_of_its_own() -> None:
    derivation = cd.derive(cd.Copula("comonotone", c0="pareto(a, 1)", c1="pareto(3, 1)"))
    said = [case.given.in_words() for case in derivation.cases]
    assert said == ["a > 3", "a < 3 and a > 1", "a < 1", "a = 1", "a = 3"]
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    for shape in ("5", "2", "1/2", "1"):
        loss = compile(derivation.rule.at(a=shape))
        for report in (0.3, 0.6, 0.8):
            assert (loss.loss0(report), loss.loss1(report)) == pytest.approx(
                _of_levels(shape, report), rel=1e-7
            )


def _of_levels(shape: str, report: float) -> tuple[float, float]:
    """Return both losses as integrals over the level q, of which the costs are ``q^(-1/a)`` and ``q^(-1/3)``."""
    power, odds = 1 / float(Rational(shape)), report / (1 - report)
    place = min(odds ** (1 / (1 / 3 - power)), 1.0)  # where the costs have these odds
    above = power < 1 / 3  # costs have smaller odds for the levels below the place, else for those above
    ends0, ends1 = ((0, place), (place, 1)) if above else ((place, 1), (0, place))
    return _of_power(power, *ends0), _of_power(1 / 3, *ends1)


def _of_power(power: float, low: float, high: float) -> float:
    """Integrate ``q^-power`` by quadrature over ``-log q``."""
    if high <= low:
        return 0.0
    first = np.inf if low == 0 else -np.log(low)
    return float(quad(lambda y: np.exp((power - 1) * y), -np.log(high), first, epsabs=0, epsrel=1e-11)[0])


def test_a_mean_and_a_tail_that_change_form_have_a_ladder() -> None:
    derivation = cd.derive(cd.Independent("pareto(a, 1)", "uniform(d, e)"))
    said = [case.given.in_words() for case in derivation.cases]
    assert said == ["a < 1", "a = 1", "a > 1 and a < 2", "a = 2", "a > 2"]
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    loss, odds = compile(derivation.rule.at(a="3/2", d=1, e=4)), 0.6 / 0.4
    paid = quad(lambda y: quad(lambda x: 1.5 * x**-1.5, 1, odds * y)[0] / 3, 1, 4)[0]
    assert loss.loss0(0.6) == pytest.approx(paid, rel=1e-8)


def test_what_follows_from_the_rest_is_not_said() -> None:
    assert Given((3 - a, 1 - a), (3 - a, 1 - a)).in_words() == "a < 1"
    assert Given((3 - a,), (3 - a, a - 1, 1 - a)).in_words() == "a = 1"
    assert Given((), (3 - a, a - 1)).in_words() == "a <= 3 and a >= 1"


RANDOM = {  # a threshold that is anywhere on a part of [0, 1]: its distribution function, and the mean costs
    "known costs": (cd.FixedCosts("m", "n"), "uniform(1/10, 2/5)", lambda m, n: (m, n), (0.1, 0.4)),
    "an exponential cost": (
        cd.Independent("exponential(m)", "n"),
        "uniform(1/5, 2/5)",
        lambda m, n: (m, n),
        (0.2, 0.4),
    ),
    "a fixed total": (
        cd.Additive(density="beta(m, n)"),
        "uniform(1/5, 4/5)",
        lambda m, n: (2 * m / (m + n), 2 * n / (m + n)),
        (0.2, 0.8),
    ),
}


@pytest.mark.parametrize("name", RANDOM)
def test_a_random_threshold_is_improper_for_all_letters_by_cases(name: str) -> None:
    context, threshold, means, (low, high) = RANDOM[name]
    derivation = cd.derive(context, threshold=threshold)
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert len(derivation.cases) == 3
    for m, n in ((1, 20), (1, 9), (1, 4), (3, 1), (2, 2), (5, 1), (1, 40)):
        letters = {parameter("m"): Integer(m), parameter("n"): Integer(n)}
        (case,) = [x for x in derivation.cases if all(bool(y.subs(letters)) for y in x.given.relations())]
        witness = case.steps[-1].after.witness
        belief, report = (float(x.subs(letters)) for x in (witness.belief, witness.report))
        costs = means(m, n)
        assert _risk(belief, belief, costs, low, high) > _risk(belief, report, costs, low, high) + 1e-9


def _risk(belief: float, report: float, costs: tuple[float, float], low: float, high: float) -> float:
    share = min(max((report - low) / (high - low), 0), 1)  # of thresholds below the report
    return (1 - belief) * costs[0] * share + belief * costs[1] * (1 - share)
