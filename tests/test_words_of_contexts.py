"""What articles say of contexts: regions by their names, copulas by their formulas, laws in their own letters."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import sympy
from sympy import Rational, pi, sqrt

import costderive as cd
from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import c0, c1, p, s
from costderive.publish.formulas.mathml import in_sentence
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.printing import inline, latex
from costderive.publish.words import entropy_of_costs
from costderive.publish.words.common_names import common
from costderive.publish.words.conics import ellipse, name_of, needed
from costderive.publish.words.context_phrases import setting_of
from costderive.publish.words.copula_phrases import _FAMILIES
from costderive.publish.words.displays import region, slope
from costderive.publish.words.mirrored import mirrored
from costderive.rules import Losses

DISC = 1 - (c0 - 2) ** 2 - (c1 - 2) ** 2


def article(derivation: cd.Derivation) -> str:
    return cd.export.latex(derivation, cd.check(derivation))


def test_a_disc_is_written_around_its_centre_and_needs_no_bounds_that_it_keeps():
    constraints = (c0, c1, sympy.expand(DISC))
    assert name_of(constraints) == "a disc"
    assert len(region(needed(constraints))) == 1
    assert inline((c0 - 2) ** 2) == "(c₀ − 2)²"


def test_an_ellipse_that_leaves_the_quadrant_keeps_the_bounds():
    beyond = sympy.expand(4 - (c0 - 1) ** 2 - 2 * (c1 - 3) ** 2)
    assert needed((c0, c1, beyond)) == (c0, beyond)
    assert name_of((c0, c1, beyond)) is None
    assert name_of((c0, c1, 1 - c0**2 - c1**2)) == "a quarter of a disc"


@pytest.mark.parametrize("other", [c0 * c1 - 1, c0**2 - c1, c0**2 + c1**2 - 1, 1 - c0**2 - c1**2 - c0 * c1])
def test_other_curves_are_no_ellipses_along_the_costs(other):
    assert ellipse(sympy.expand(other)) is None


@pytest.mark.parametrize(
    ("family", "theta"),
    [("clayton", 2), ("fgm", Rational(-1, 2)), ("gumbel", 2), ("gaussian", Rational(1, 2))],
)
def test_the_rank_correlation_of_a_copula_is_that_of_its_draws(family, theta):
    law = "lognormal(0, 1)" if family == "gaussian" else "uniform(0, 1)"
    context = cd.Copula(family, theta, c0=law, c1=law)
    first, second = context.sample(900, seed=3)
    signs = [np.sign((first[i] - first[j]) * (second[i] - second[j])) for i, j in combinations(range(900), 2)]
    kendall = _FAMILIES[context.family].kendall
    assert float(np.mean(signs)) == pytest.approx(
        float(kendall(context.theta)), abs=0.07
    )  # three standard errors


def test_the_total_of_a_law_without_a_name_is_shown_in_the_letter_of_its_cost():
    found = article(cd.derive(cd.Independent(c0=cd.laws.Density("x/2", (0, 2)), c1=1)))
    assert r"The density of \(c_0\) is not negative" in found
    assert r"\(c_0^2/4\), which rises from \(0\) to \(1\)" in found


def test_the_total_of_a_law_with_a_name_is_not_shown():
    found = article(cd.derive(cd.Additive(density="beta(2, 2)")))
    assert "The laws." not in found
    assert "The loss behind the H measure" in found


def test_the_loss_behind_the_h_measure_is_named_wherever_it_is_from():
    gammas = cd.derive(cd.Independent(c0="gamma(2, 1)", c1="gamma(2, 1)"))
    named = common(gammas)
    assert named is not None
    assert (named.name, named.factor) == ("loss behind the H measure", 2)


@pytest.mark.parametrize("threshold", [cd.FixedThreshold("1/2"), cd.RandomThreshold(density="6*t*(1-t)")])
def test_the_risk_at_a_threshold_apart_from_the_costs_is_what_the_article_says(threshold):
    derivation = cd.derive(cd.FixedCosts(1, 4), threshold=threshold)
    loss0, loss1 = (
        f.to_sympy() if hasattr(f, "to_sympy") else f for f in (derivation.rule.loss0, derivation.rule.loss1)
    )
    chance = {True: lambda x: float(x > 0.5), False: lambda x: 3 * x**2 - 2 * x**3}[
        isinstance(threshold, cd.FixedThreshold)
    ]
    for report in (0.2, 0.4, 0.7):
        assert float(loss0.subs(p, report)) == pytest.approx(chance(report))
        assert float(loss1.subs(p, report)) == pytest.approx(4 * (1 - chance(report)))
    assert r"\tau = c_0/(c_0 + c_1) = \frac{1}{5}" in article(derivation)


def test_parameters_in_one_order_are_a_chain():
    assert r"stand for numbers with \(0 < l < h < 1\)" in article(
        cd.derive(cd.Additive(density="uniform(l, h)"))
    )


def test_roots_have_no_fractions_inside_if_the_denominators_are_squares():
    assert inline(3 / (8 * (c1**2 / 4 + c0**2) ** Rational(5, 2))) == "12/(4c₀² + c₁²)^(5/2)"
    assert inline(sqrt(p / 2 + Rational(1, 3))) == "√(p/2 + 1/3)"


def test_a_function_of_a_fraction_stands_beside_the_bar():
    assert latex(2 * sympy.asin(p / (1 - p)) / pi).startswith(r"\frac{2}{\pi} \arcsin")


def test_a_number_stands_before_a_root_that_is_subtracted():
    assert inline(-(1 - s) * (sqrt(s) - 2)) == "(1 − s)(2 − √s)"
    assert inline(p - 1 + sympy.log(2)) == "p − 1 + ln 2"


def test_a_formula_in_a_sentence_that_is_wider_than_a_phone_scrolls_by_itself():
    wide, short = " + ".join(f"x_{n} y_{n}" for n in range(20)), "x + y"
    assert in_sentence(read(wide)).startswith('<span class="long" tabindex="0"><math')
    assert "long" not in in_sentence(read(short))


def test_the_entropy_of_known_costs_is_the_cheaper_decision() -> None:
    written = article(cd.derive(cd.FixedCosts("c", "d")))
    assert r"\displaystyle d q & \text{if } 0 \le q \le \frac{c}{c + d}" in written
    assert r"\displaystyle c (1 - q) & \text{if } \frac{c}{c + d} < q \le 1" in written


def test_an_entropy_without_a_short_form_is_stated_by_its_curvature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entropy_of_costs, "TWO_LINES", 60.0)
    written = article(cd.derive(cd.PowerMean(3)))
    assert (
        r"is strictly concave on \([0, 1]\) with \(H'' = -\omega\) on \((0, 1)\)." in written
        and "It is" not in written.split("thm:entropy")[1]
    )


def test_a_bound_that_a_parameter_may_reach_is_named() -> None:
    written = article(cd.derive(cd.Copula("fgm", "k", c0="uniform(0, 1)", c1="uniform(0, 2)")))
    assert r"The parameter \(k\) stands for a number with \(0 < k \le 1\)." in written
    assert r"Let \(0 < k \le 1\), and let" in written


def test_a_region_that_begins_at_a_line_through_the_origin_says_which_line() -> None:
    parts = {"lost": "uniform(0, 2)", "fee": "uniform(1, 2)"}
    written = article(cd.derive(cd.costs_of_parts("lost + fee", "3*fee", parts=parts)))
    assert r"c_1 = \frac{3 s c_1}{1 - s}" in written and "3 = 6" not in written


def test_curves_are_rows_of_a_table_in_the_section_on_costs_and_in_the_proof() -> None:
    written = article(cd.derive(cd.Independent("geometric(1/3, 5)", "exponential(1)")))
    assert written.count(r"\begin{array}{llll}") == written.count(r"\begin{array}{lllll}") == 1
    assert "On the curve" not in written
    assert (
        r"\frac{5 (1 - s)}{s} & \displaystyle -\frac{5}{s^2}" in written
    )  # x = 5 (1 - s)/s where c0 = 5, c1 = x


def test_a_list_of_densities_ends_with_a_comma() -> None:
    written = article(cd.derive(cd.Independent("geometric(1/3, 2)", "exponential(1)")))
    assert "and to \\(2\\) with probability \\(\\frac{2}{5}\\), and \\(c_1\\) exponential" in written


def test_absolute_values_stand_between_bars() -> None:
    written = article(cd.derive(cd.Curve("max(x, 1/2)", "abs(1 - x) + 1/4", "uniform(0, 1)")))
    assert r"\left|x - 1\right|" in written and "Abs" not in written


def test_the_theorem_says_what_the_parameter_of_a_curve_is() -> None:
    written = article(cd.derive(cd.Copula("countermonotone", c0="exponential(1)", c1="exponential(2)")))
    theorem = written[written.index(r"\begin{theorem}") : written.index(r"\end{theorem}")]
    assert r"Here \(x(p)\) is the root \(x\) of \(c_0/(c_0 + c_1) = p\)" in theorem


def test_a_proof_about_a_mixture_has_the_names_of_its_parts_and_letters_of_its_own() -> None:
    parts = ("w", cd.Independent("exponential(m)", "exponential(n)")), ("1 - w", cd.FixedCosts("a", 1))
    written = article(cd.derive(cd.Mixture(*parts)))
    before, law, proof = written.split(r"\textbf{Part 2.}")
    assert "The parameters" in before.split(r"\section{The cost context}")[1]
    assert "In part 1, as in" in law
    assert proof.lstrip().startswith(r"The costs \(c_0 = a\) and \(c_1 = 1\), which have the probability")
    assert r"of mass \(M = (a + 1) (1 - w)\)" in proof  # not m, which is a parameter
    (power,) = set(re.findall(r"\\mathrm\{e\}\^\{(-c_1 [^}]*)\}", written))  # of integrand and antiderivative
    assert power == "-c_1 (m (1 - s) + n s)/(m n (1 - s))"


def test_what_an_area_adds_beside_a_curve_and_a_line_is_not_said_to_be_all() -> None:
    third = Rational(1, 3)
    square, curve = cd.IndependentUniform(c0=(0, 1), c1=(0, 2)), cd.Independent("uniform(1, 2)", 1)
    written = article(cd.derive(cd.Mixture((third, square), (third, cd.Additive()), (third, curve))))
    proof = written.split(r"\begin{proof}")[1]
    of_area, of_line, of_curve = (
        proof.index(text)
        for text in ("is what part 1 adds to", r"\textbf{Part 2.} Here", r"\textbf{Part 3.} On the curve")
    )
    added_up = proof.index(r"\textbf{The sum.} Added up, the densities are the \(\omega(s)\) of the theorem.")
    assert of_area < of_line < of_curve < added_up
    assert r"is the \(\omega(s)\) of the theorem" not in proof
    assert "and what the rest of the law adds is not negative" in written
    assert r"The density of \((c_0, c_1)\), multiplied by the probability of the part, is" in written


def test_what_the_parts_of_a_mixture_add_is_proved_in_their_order() -> None:
    square = cd.IndependentUniform(c0=(0, 1), c1=(0, 2))
    parts = (cd.Additive(), cd.FixedCosts(1, 4), square, cd.Independent("uniform(1, 2)", 1))
    proof = article(cd.derive(cd.Mixture(*[(Rational(1, 4), part) for part in parts]))).split(
        r"\begin{proof}"
    )[1]
    places = [
        proof.index(text)
        for text in (
            r"\textbf{Part 1.} Here",
            r"\textbf{Part 2.} The costs",
            r"\textbf{Change of variables.} In part 3, as",
            "is what part 3 adds to",
            r"\textbf{Part 4.} On the curve",
            r"\textbf{The sum.} Added up",
        )
    ]
    assert places == sorted(places)


def test_the_total_of_a_joint_density_in_a_mixture_is_that_of_its_part() -> None:
    parts = ("1/2", cd.Joint("1/2", "c0 + c1 <= 2")), ("1/2", cd.FixedCosts(1, 3))
    assert "In its part, the joint density is not negative, and its total is 1" in article(
        cd.derive(cd.Mixture(*parts))
    )


def test_a_title_joins_parts_that_have_an_and_of_their_own_by_with() -> None:
    parts = ("1/2", cd.IndependentUniform(c0=(0, 1), c1=(0, 2))), ("1/2", cd.Additive())
    name = "a mixture of independent uniform costs on $[0, 1]$ and $[0, 2]$ with additive costs"
    assert setting_of(cd.Mixture(*parts)).name == name


def test_costs_with_finitely_many_values_are_told_in_one_sentence_and_have_steps_for_losses() -> None:
    written = article(cd.derive(cd.Independent({1: "1/3", 4: "2/3"}, 2)))
    assert r"\title{The proper scoring rule of independent costs with finitely many values}" in written
    assert r"\((1, 2)\) with probability \(\frac{1}{3}\) and \((4, 2)\) with probability" in written
    assert written.count(r"\textbf{Atoms.}") == 1 and "An atom." not in written
    assert "as step functions." in written and "Brier score are" not in written


def test_slopes_are_written_term_by_term_as_the_density_is() -> None:
    density = Pieces(s, (Piece(sympy.S.Zero, sympy.S.One, 1 + 2 / (3 * (1 - s) ** 3)),))
    risen, fallen = (latex(slope(density, factor, Given()).pieces[0].value) for factor in (p, p - 1))
    assert risen == r"p + \frac{2 p}{3 (1 - p)^3}"
    assert fallen == r"-(1 - p) - \frac{2}{3 (1 - p)^2}"


def test_losses_that_are_the_same_integral_mirror_each_other() -> None:
    case = cd.derive(cd.Independent("exponential(1)", "exponential(2)")).cases[0]
    found = next(step.after for step in case.steps if isinstance(step.after, Losses))
    first = sympy.Integral(c0 * sympy.exp(-c0 * (1 - p) / p), (c0, 0, 1))
    second = sympy.Integral(c1 * sympy.exp(-c1 * p / (1 - p)), (c1, 0, 1))

    def alike(loss0: sympy.Expr, loss1: sympy.Expr) -> bool:
        pieces = (Pieces(p, (Piece(sympy.S.Zero, sympy.S.One, loss),)) for loss in (loss0, loss1))
        return mirrored(replace(found, loss0=next(pieces), loss1=next(pieces)), case.given)

    assert alike(first, second)
    assert not alike(first, 2 * second)
    assert not alike(first, second.subs(p, 1 - p))


def test_reports_on_one_side_of_an_atom_tie_where_nothing_else_is():
    found = article(cd.derive(cd.Curve("min(x, 2)", "1", "exponential(1)")))
    assert (
        r"if and only if \(p = q\), or \(p\) and \(q\) both lie in \((\frac{2}{3}, 1]\), or \(q = \frac{2}{3} < p\)"
    ) in found
    assert r"rises from \(0\) to \(\frac{2}{3}\)" in found


def test_a_density_beside_a_value_is_not_said_to_have_the_total_1():
    costs = cd.costs_of_parts("max(x - 1, 0) + 1", "y", parts={"x": "exponential(2)", "y": "uniform(0, 2)"})
    found = article(cd.derive(costs))
    assert "its total and the probability of the value add up to 1" in found
    assert r"is what the region adds to \(\omega(s)\)" in found


def test_an_expected_cost_is_in_lowest_terms_and_a_letter_above_1_is_not_said_to_be_positive():
    found = article(cd.derive(cd.Independent("uniform(1, h)", "gamma(2, 1)")))
    assert r"\mathbb{E}[c_0] = (h + 1)/2" in found
    assert r"Let \(h > 1\), and let" in found and "h > 0" not in found


def test_costs_with_a_random_mean_have_their_formulas_on_average_only() -> None:
    text = cd.export.latex(cd.derive(cd.Additive("gamma(4, 1/2)")))
    assert r"Given \(s\), the costs have the expectations \(2 s\) and \(2 (1 - s)\)." in text
    assert r"The expectation of \(c_0 + c_1\) given \(s\) is \(2\)." in text
    assert r"cost magnitude \(c_0 + c_1\) is" not in text


def test_known_costs_with_a_factor_have_no_probability_but_their_own() -> None:
    text = cd.export.latex(cd.derive(cd.CommonFactor("gamma(2, 3)", cd.FixedCosts(1, 4))))
    assert r"times the factor give \(\Omega\) an atom" in text and "have the probability" not in text


def test_a_power_that_is_no_density_is_not_called_one() -> None:
    text = cd.export.latex(cd.derive(cd.PowerMean(0, density="improper(1/s)")))
    assert "a multiple of a Beta density" not in text and "is fixed and whose proportion has" in text


def test_a_letter_of_bounds_is_said_to_be_positive() -> None:
    text = cd.export.latex(cd.derive(cd.IndependentUniform((0, "b"), (1, 2))))
    assert r"Let \(b > 0\), and let \(c_0\) be uniform" in text and "stands for a positive number" in text


def test_several_areas_are_described_in_one_table_and_argued_once() -> None:
    text = cd.export.latex(cd.derive(cd.Independent("uniform(0, 1)", "triangular(0, 1, 2)")))
    assert (
        r"Each has a density \(\varphi_i\) on a region \(D_i\):" in text
        and "the law has the density" not in text
    )
    assert text.count("Cleared of denominators") == 1 and text.count("In the same way, ") == 1
    assert r"\textbf{Region 1.}" in text and r"\textbf{Region 2.}" in text
    assert r"Antiderivatives of the integrands in \(c_1\) are" in text


def test_a_proof_says_which_part_of_a_mixture_adds_what() -> None:
    mixture = cd.Mixture(
        ("1/4", cd.Additive()), ("1/4", cd.Geometric()), ("1/2", cd.Independent("1", "uniform(1, 2)"))
    )
    added = r"\(\frac{1}{2}\) for \(0 < s < 1\) in part 1 and \(1/(4 \sqrt{s (1 - s)})\) for \(0 < s < 1\) in part 2"
    assert added in cd.export.latex(cd.derive(mixture))


def test_losses_with_the_root_of_an_equation_are_not_said_to_be_closed() -> None:
    text = cd.export.latex(cd.derive(cd.Curve(c0="x^3 + x", c1="x + 2", density="uniform(0, 2)")))
    assert "in terms of the root of an equation" in text and "in closed form" not in text
    assert r"\frac{x(p)^4}{8} + \frac{x(p)^2}{4}" in text
    assert r"\frac{(x(s)^3 + 2 x(s) + 2)^3}{4 (x(s)^3 + 3 x(s)^2 + 1)}" in text


def test_costs_held_one_by_one_have_a_weight_that_is_no_less_than_0() -> None:
    text = cd.export.latex(cd.derive(cd.Copula("frank", 3, c0="uniform(0, 1)", c1="uniform(0, 2)")))
    assert r"As the density of a measure, \(\omega \ge 0\). Moreover, " in text
    assert r"\mathrm{e}^{-3 c_1 (s + 1)/(2 (1 - s))}" in text


def test_claims_on_log_normal_costs_are_told_apart_in_the_appendix() -> None:
    text = cd.export.latex(cd.derive(cd.Independent("lognormal(mu, sigma)", "lognormal(nu, tau)")))
    before, _, appendix = text.partition("What was checked")
    assert "about positive" not in before and r"are about positive \(\mu\) and \(\nu\)" in appendix


def test_every_function_of_a_loss_is_defined() -> None:
    text = cd.export.latex(cd.derive(cd.Independent("weibull(2, 1)", "exponential(1)")))
    assert not (r"\operatorname{erfc}\left(" in text and r"\operatorname{erfc}(x) =" not in text)
