"""What articles make of long formulas: names, a sum and a difference, and one formula for all orders of breakpoints."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest
import sympy
from scipy.integrate import quad

import costderive as cd
from costderive.core.symbols import c0, c1, p, parameter
from costderive.publish.formats.terminal import lines
from costderive.publish.formats.typeset import slashed
from costderive.publish.formulas.notation import tex
from costderive.publish.formulas.printing import formula, inline, latex
from costderive.publish.words.appendix import _methods, _sentence
from costderive.publish.words.document_blocks import Display
from costderive.publish.words.long_values import Names, names
from costderive.publish.words.one_formula import (
    CornerSum,
    OneFormula,
    gains,
    in_proof,
    in_theorem,
    one_formula,
)
from costderive.publish.words.scene import Scene, show
from costderive.spec import load

ROOT = Path(__file__).parent.parent

a, b, d = map(parameter, "abd")
RECTANGLE = cd.IndependentUniform(c0=("a", "b"), c1=("d", "e"))


@lru_cache
def scenes(context) -> tuple[Scene, ...]:
    return tuple(Scene(case, Names()) for case in cd.derive(context).cases)


def test_two_values_that_differ_in_a_sign_are_a_sum_and_a_difference() -> None:
    (scene,) = scenes(cd.PowerMean(3, mean=1))
    named = names([scene.losses.loss0])
    shared, turned = named.parts
    first, second = (named.short(piece.value) for piece in scene.losses.loss0)
    assert sympy.expand(first - shared - turned) == sympy.expand(second - shared + turned) == 0
    text = cd.export.latex(cd.derive(cd.PowerMean(3, mean=1)))
    assert r"\ell_{1}(p) + \ell_{2}(p) & \text{if } 0 \le p" in text
    assert r"\ell_{1}(p) - \ell_{2}(p) & \text{if } \frac{1}{2} < p" in text
    assert r"the formulas on the left and on the right agree, as \(\ell_{2}(\frac{1}{2}) = 0\)" in text
    assert r"\mathrm{B}_{z(p)}" in text and r"z(p) & = \frac{3 (2 p - 1)^2}{4 (3 p^2 - 3 p + 1)}" in text
    assert "gives the losses in terms of incomplete Beta functions" in text


def test_a_long_argument_is_a_quotient_whose_common_factor_is_cancelled() -> None:
    (scene,) = scenes(cd.Independent("loglogistic(3, 17/10)", "uniform(3/10, 2)"))
    named = names([scene.losses.loss0])
    assert len(named.arguments) == 2
    for (_, short), argument in zip(named.defined, named.arguments, strict=True):
        above, below = sympy.fraction(short)
        assert not above.has(1 - p) and not above.has(1 / (1 - p)) and not below.has(1 / (1 - p))
        assert float(short.subs(p, 0.3)) == pytest.approx(float(argument.subs(p, 0.3)), rel=1e-12)


@lru_cache
def rectangle() -> OneFormula:
    found = one_formula(scenes(RECTANGLE))
    assert found is not None
    return found


@pytest.mark.parametrize("ends", [(1, 3, 2, 5), (1, 6, 2, 3), (2, 4, 1, 2)])
@pytest.mark.parametrize("at", [0.21, 0.41, 0.62, 0.79])
def test_sums_over_the_corners_are_what_the_costs_say(ends, at) -> None:
    one, truth = rectangle(), [expected(label, ends, at) for label in (0, 1)]
    found = [summed(part, ends, at) for part in (one.loss0, one.loss1, one.entropy)]
    assert found == pytest.approx([*truth, (1 - at) * truth[0] + at * truth[1]], rel=1e-9)
    step = 1e-4  # the weight is minus the bend of the entropy, here by differences of what the costs say
    bend = sum(
        sign * ((1 - x) * expected(0, ends, x) + x * expected(1, ends, x))
        for sign, x in ((1, at - step), (-2, at), (1, at + step))
    )
    assert summed(one.weight, ends, at) == pytest.approx(-bend / step**2, rel=1e-4)


def summed(found: CornerSum, ends: tuple[int, int, int, int], at: float) -> float:
    """Evaluate a sum over corners as it is written, each letter by what its name says."""
    values = dict(zip("abde", ends, strict=True)) | {"p": at, "s": at}
    total = 0.0
    for corner, sign in found.signs.items():
        v, w = (float(x.subs({y: values[y.name] for y in x.free_symbols})) for x in corner)
        vanishes = max(0.0, w * at - v * (1 - at))
        letters = values | {"v": v, "w": w, "u": vanishes}
        total += (vanishes > 0) * sign * number(found.term, letters)
    return number(found.start, values) + number(found.factor, values) * total


def number(value: sympy.Expr, letters: dict[str, float]) -> float:
    return float(value.subs({x: letters[x.name] for x in value.free_symbols}))


def expected(label: int, ends: tuple[int, int, int, int], at: float) -> float:
    """Integrate a cost over the part of the rectangle where its class is misclassified, one strip after the other."""
    a, b, d, e = ends
    odds = at / (1 - at)  # the decision is for class 1 where c0 < odds * c1
    strip = [
        lambda c0: (e - min(max(c0 / odds, d), e)) * c0,
        lambda c0: (min(max(c0 / odds, d), e) ** 2 - d**2) / 2,
    ]
    kinks = sorted(x for x in (odds * d, odds * e) if a < x < b)
    return quad(strip[label], a, b, points=kinks or None)[0] / ((b - a) * (e - d))


def test_the_article_has_one_formula_for_both_orders_and_none_for_one_order() -> None:
    text = "".join(map(repr, in_theorem(rectangle())))
    assert all(letter in text for letter in ("sigma", "omega", "max"))
    signs = {tuple(map(str, corner)): sign for corner, sign in rectangle().loss0.signs.items()}
    assert signs == {("a", "e"): 1, ("b", "d"): 1, ("a", "d"): -1, ("b", "e"): -1}
    assert one_formula(scenes(cd.IndependentUniform(c0=(0, 1), c1=(0, 2)))) is None


def test_cases_with_other_formulas_have_none_in_common() -> None:
    other = scenes(cd.IndependentUniform(c0=(0, "b"), c1=("d", "e")))
    both = [(scene.losses.loss0, scene.case.given) for scene in (*scenes(RECTANGLE), *other)]
    assert gains(both) is None


@pytest.mark.parametrize(
    ("threshold", "misled"),
    [
        (cd.FixedThreshold("1/2"), r"\((\frac{1}{5}, \frac{1}{2}]\)"),  # q = 1/2 decides for class 0, wrongly
        (cd.FixedThreshold("1/10"), r"\((\frac{1}{10}, \frac{1}{5})\)"),  # q = 1/10 decides for class 0, rightly
        (cd.RandomThreshold("uniform(0, 1)"), r"\((0, \frac{1}{5})\) and in \((\frac{1}{5}, 1)\)"),
        (cd.RandomThreshold("uniform(1/4, 1/3)"), r"\((\frac{1}{5}, \frac{1}{3})\)"),
        (cd.RandomThreshold({"1/10": "1/3", "1/2": "2/3"}), r"\((\frac{1}{10}, \frac{1}{5})\) and in \((\frac{1}{5}, \frac{1}{2}]\)"),  # noqa: E501
        (cd.FixedThreshold("h"), None),
    ],
)  # fmt: skip
def test_an_article_says_under_which_beliefs_a_threshold_misleads(threshold, misled) -> None:
    text = cd.export.latex(cd.derive(cd.FixedCosts(1, 4), threshold=threshold))
    said = re.search(r"Here the truth fails to be a best report exactly under the beliefs in (.*)\.", text)
    assert (said.group(1) if said else None) == misled


@pytest.mark.parametrize(
    ("threshold", "best"),
    [
        (cd.FixedThreshold("1/2"), (r"the reports in \([0, \frac{1}{2}]\) are best, 0", r"the reports in \((\frac{1}{2}, 1]\) are best, 1")),  # noqa: E501
        (cd.FixedThreshold("h"), None),
        (cd.RandomThreshold("uniform(0, 1)"), ("the report 0 alone is best", "the report 1 alone is best")),
        (cd.RandomThreshold({"1/2": "1/2", "1": "1/2"}), (r"the reports in \([0, \frac{1}{2}]\) are best, 0", r"the reports in \((\frac{1}{2}, 1]\) are best, 1")),  # noqa: E501
    ],
)  # fmt: skip
def test_an_article_names_the_best_reports_at_a_threshold(threshold, best) -> None:
    """With costs 1 and 4 the bracket 1 - 5 q of the risk 4 q + (1 - 5 q) Pr(T < p) changes its sign at 1/5."""
    text = cd.export.latex(cd.derive(cd.FixedCosts(1, 4), threshold=threshold))
    assert ("is best, and under one above" in text or "among them, and under one above" in text) is (
        best is not None
    )
    if best is not None:
        below, above = (
            rf"under {which} \(\frac{{1}}{{5}}\) {said}"
            for which, said in zip(("a belief below", "one above"), best, strict=True)
        )
        assert below in text and above in text


def test_a_threshold_of_1_leaves_the_expected_costs_what_they_are() -> None:
    """At T = 1 nothing is decided for class 1, so that the greatest loss of class 0 is half of its expected cost."""
    threshold = cd.RandomThreshold({"1/2": "1/2", "1": "1/2"})
    text = cd.export.latex(cd.derive(cd.IndependentUniform((0, 2), (0, 8)), threshold=threshold))
    assert r"\mathbb{E}[c_0] = 1\), \(\mathbb{E}[c_1] = 4\)" in text
    assert r"\mathbb{E}[c_0]/(\mathbb{E}[c_0] + \mathbb{E}[c_1]) = \frac{1}{5}" in text


def test_nothing_depends_on_costs_that_are_known() -> None:
    thresholds = (cd.FixedThreshold("1/2"), cd.RandomThreshold("uniform(0, 1)"))
    known = [cd.export.latex(cd.derive(cd.FixedCosts(1, 4), threshold=x)) for x in thresholds]
    random = [cd.export.latex(cd.derive(cd.Additive(), threshold=x)) for x in thresholds]
    for phrase in (
        "whatever the costs",
        "independent of the costs",
        "not depend on the costs",
        "are independent of the",
    ):
        assert not any(phrase in text for text in known) and any(phrase in text for text in random)
    assert r"\cite[Section~4.1]{Parry2016}" in known[0] and r"\cite[Section~4.2]{Parry2016}" in known[1]


def test_gamma_costs_of_one_scale_have_a_beta_proportion_in_words() -> None:
    same, other = (
        cd.Independent("gamma(2, 3)", "exponential(3)"),
        cd.Independent("gamma(2, 3)", "exponential(2)"),
    )
    said = r"the law \(\mathrm{Beta}(2, 1)\), and is independent of the cost magnitude"
    assert said in cd.export.latex(cd.derive(same))
    mixed = cd.Mixture(("1/2", same), ("1/2", cd.FixedCosts(1, 2)))
    assert not any("mathrm{Beta}" in cd.export.latex(cd.derive(context)) for context in (other, mixed))


def test_words_that_a_referee_asked_for() -> None:
    """The reasons for a threshold that misleads are a remark with a number, and equal costs are named once."""
    text = cd.export.latex(cd.derive(cd.FixedCosts(1, 1), threshold=cd.RandomThreshold("uniform(0, 1)")))
    assert r"Let both costs be \(1\), and" in text and r"L_0(p) & = c_0 \, \Pr(T < p)" in text
    assert r"That is, \(L_y(p) = |p - y|\): the absolute error." in text
    remark = text.split(r"\begin{remark}[best reports]")[1]
    assert r"R(p|q) = q + (1 - 2 q) \, p." in remark
    assert "Until then the steps are about the other rule" in text


def test_the_risk_at_known_costs_has_the_chance_of_a_threshold_in_parentheses() -> None:
    context = cd.RandomThreshold("6*t*(1 - t)")
    text = cd.export.latex(cd.derive(cd.FixedCosts("a", "b"), threshold=context))
    assert r"R(p|q) = b q + (a (1 - q) - b q) \, (3 p^2 - 2 p^3)." in text


@pytest.mark.parametrize(
    ("expr", "line"),
    [
        ((b * (d + 1) - (b * (d + 1) + d) * p) / p, "(b(d + 1)(1 − p) − dp)/p"),
        (a + b - 2 * p, "a + b − 2p"),
        ((a + b) * p**2 - 3 * d * (1 - p) ** 2, "(a + b)p² − 3d(1 − p)²"),
        ((c1 / d) ** a * p / (1 + b) ** a, "pc₁^a/(d^a(b + 1)^a)"),
        (sympy.exp(-((c1 / d) ** a)), "e^(−(c₁/d)^a)"),
        (sympy.exp(-c1 / b - c0 / a), "e^(−c₀/a − c₁/b)"),
        (1 - c0 - c1, "1 − c₀ − c₁"),
        (
            2 * p**4 - 4 * a * p**3 * (1 - p) + a**3 * p * (1 - p) ** 3 - a**4 * (1 - p) ** 4,
            "2p⁴ − 4ap³(1 − p) + a³p(1 − p)³ − a⁴(1 − p)⁴",
        ),
        (b * (p * (a - 2 * d) - a) / (1 - p), "−b(a(1 − p) + 2dp)/(1 − p)"),
        (1 / ((1 - sympy.exp(c1 - 2)) * sympy.exp(-c1) + c0), "1/(c₀ + e^(−c₁) − e⁻²)"),
    ],
)
def test_formulas_are_written_as_a_referee_asked(expr: sympy.Expr, line: str) -> None:
    assert inline(expr) == line


def test_a_fraction_in_a_line_has_one_pair_of_parentheses_below_its_slash() -> None:
    assert tex(slashed(formula(6 * p / (p**2 + 1) ** 4))) == "6 p/(p^2 + 1)^4"
    assert tex(slashed(formula(a / ((b + 1) * d)))) == "a/(d (b + 1))"


def test_a_line_of_a_terminal_breaks_between_terms_rather_than_within_one() -> None:
    both = p**2 + (1 - p) ** 2
    first = p * (1 - p) * (2 * p**2 + 2 * p - 1) * (p**2 + 3 * (1 - p) ** 2) / (8 * both**3)
    found = lines((show("L_0(p) & = {}", first + 3 * sympy.atan(p / (1 - p)) / 8),))
    assert [line.strip() for line in found][1:] == ["+ 3 arctan(p/(1 − p))/8"]


def test_an_introduction_says_what_is_new_and_in_what_a_source_differs() -> None:
    inverse = cd.export.latex(cd.derive(cd.IndependentUniform(c0=(0, 1), c1=(0, 1))))
    assert r"Theorem~\ref{thm:proper} shows more, that it is strictly proper" in inverse
    measure = cd.export.latex(cd.derive(cd.Additive(density="beta(2, 2)")))
    assert r"\cite{Hand2009}. There the threshold is the best one for each cost proportion" in measure


@pytest.mark.parametrize(
    ("costs", "entropy"),
    [
        (("gamma(2, 1)", "uniform(0, 3)"), r"\frac{(1 - q) (3 q - 1 + \mathrm{e}^{-3 q/(1 - q)})}{q}"),
        (("gamma(a, 1)", "gamma(b, 1)"), r"\Gamma(a + b + 1) ((1 - q) \mathrm{B}_q(a + 1, b) + q"),
    ],
)
def test_an_entropy_has_what_its_terms_have_in_common_once(costs: tuple[str, str], entropy: str) -> None:
    assert entropy in cd.export.latex(cd.derive(cd.Independent(*costs)))


def test_an_exponent_that_is_smaller_is_one_less_something() -> None:
    text = cd.export.latex(cd.derive(cd.Independent("lognormal(0, 1)", "lognormal(0, 1)")))
    assert r"is that in \(\omega(p)\) less \(\ln(p/(1 - p))/2\)" in text and "plus \\(-" not in text


def test_each_case_starts_a_paragraph() -> None:
    text = cd.export.latex(cd.derive(RECTANGLE))
    assert len(re.findall(r"\n\nCase ", text)) == text.count("Case ") > 1


def test_a_witness_is_not_at_a_threshold_where_another_will_do() -> None:
    improper = cd.derive(cd.FixedCosts(1, 4), threshold=cd.FixedThreshold("1/2")).cases[0].steps[-1].after
    assert improper.witness.belief != sympy.Rational(1, 2)


def test_a_claim_without_a_verb_is_a_sentence_of_the_appendix() -> None:
    said = {
        "slope of loss 0": "the slope of a loss is the threshold weight times $p$, or times $p - 1$ for class 1",
        "loss 1 ends at 0": "a loss tends to 0 where its class is certain",
        "a fact about the parameters": "an assumption on the parameters holds",
        "the breakpoints ascend": "no interval ends before it starts",
        "cost, density and chance not to be chosen": (
            "the integrand is the product of cost, density and chance not to be chosen"
        ),
    }
    text = {what: _sentence(re.sub(r"\bloss [01]\b", "a loss", what)) for what in said}
    assert text == said


def test_an_appendix_says_what_no_claim_is_about_and_which_file_a_hash_is_of() -> None:
    text = cd.export.latex(cd.derive(cd.Additive()))
    assert r"Corollary~\ref{thm:entropy} is another way to write \((1 - q) \, L_0(q) + q \, L_1(q)\)" in text
    assert r"The \texttt{proof.v} of a gallery is another file" in text
    assert "written alike, such as that each step starts" in text


def test_a_loss_whose_formula_has_a_gap_is_not_printed_as_a_number_that_is_none() -> None:
    """Lomax costs: the formulas are 0/0 at one place inside, which the article names, and no value is said there."""
    text = cd.export.latex(cd.derive(cd.Independent("lomax(3, 2)", "lomax(3, 5)")))
    main = text.split("\\appendix")[0]
    assert " nan" not in main and r"\ell" not in main
    assert r"(for \(0 < s < 1\) except at \(\frac{2}{7}\))" in main
    assert r"At \(p = \frac{2}{7}\), where the formulas are not defined, both have finite limits" in main
    assert r"with \(H'' = -\omega\) for \(q \ne \frac{2}{7}\)" in main
    assert main.count(r"\ln\frac{2 (1 - p)}{5 p}") == 1


def test_the_methods_of_an_appendix_are_all_explained() -> None:
    assert _methods("one rising function and start and slope") == ["one rising function", "start and slope"]
    assert _methods("structure and domains of its parts") == ["structure", "domains of its parts"]


def test_the_proof_for_a_distorted_threshold_shows_the_calibrated_losses() -> None:
    context = cd.Independent("exponential(1)", "exponential(2)")
    text = cd.export.latex(cd.derive(context, threshold=cd.DistortedThreshold("c0^2/(c0^2 + c1^2)")))
    assert (
        r"\ell_0(s) & = \frac{4 s^2}{(s + 1)^2}" in text
        and r"\ell_1(s) & = \frac{2 (1 - s)^2}{(s + 1)^2}" in text
    )
    assert "the threshold grows with the cost proportion &" in text


def test_a_statement_stays_on_one_page_unless_it_has_a_table_of_several_pages() -> None:
    """A fragment has no preamble that could define how."""
    derivation = cd.derive(cd.FixedCosts(1, 4))
    text = cd.export.latex(derivation)
    assert text.count(r"\begin{unbroken*}" + "\n" + r"\begin{theorem}") == 2
    assert "unbroken" not in cd.export.latex(derivation, fragment=True)
    matrix = cd.export.latex(cd.multiclass.derive(cd.multiclass.CostMatrix([[0, 1], [2, 0]], reject="1/4")))
    (theorem,) = [x for x in matrix.split(r"\end{theorem}")[:-1] if "longtable" in x]
    assert r"\begin{unbroken}" not in theorem.split(r"\begin{document}")[1]


@pytest.mark.parametrize(
    ("context", "said", "smooth"),
    [
        (cd.IndependentUniform((1, 2), (1, 3)), r"\((\frac{1}{4}, \frac{2}{3})\): there \(c_1\) has a range with a length, inside which the integrand is positive. Elsewhere, \(\omega(s) = 0\).", True),  # noqa: E501
        (cd.Additive(density="uniform(1/4, 1/2)"), r"Its formula shows that \(\omega(s) > 0\) for \(s\) in \((\frac{1}{4}, \frac{1}{2})\). On the other pieces, \(\omega(s) = 0\).", False),  # noqa: E501
    ],
)  # fmt: skip
def test_a_threshold_weight_has_values_at_its_breakpoints_if_it_is_continuous(context, said, smooth) -> None:
    """Uniform costs on [1, 2] and [1, 3]: 27/(1 - s)^3 - 1/s^3 is 0 at 1/4, and 6 times 7/(6 s^3) at 2/5."""
    text = cd.export.latex(cd.derive(context))
    assert said in text and "except perhaps" not in text
    assert (r"threshold weight (for \(0 < s < 1\))" in text) is smooth
    assert (r"H'' = -\omega\) on \((0, 1)\)" in text) is smooth
    assert (r"\frac{1}{4} < s \le" in text) is smooth


def test_what_cancels_in_one_formula_is_shown() -> None:
    v, w = sympy.symbols("v w", positive=True)
    shown = [
        2 * v**3 * (1 - p) ** 3 - 3 * v**2 * w * p * (1 - p) ** 2 + w**3 * p**3,
        v**3 * (1 - p) ** 3 - 3 * v * w**2 * p**2 * (1 - p) + 2 * w**3 * p**3,
    ]
    u = w * p - v * (1 - p)
    truth = [u**2 * (2 * v * (1 - p) + w * p), u**2 * (v * (1 - p) + 2 * w * p)]
    assert all(sympy.expand(x - y) == 0 for x, y in zip(shown, truth, strict=True))
    (display,) = (block for block in in_proof(rectangle(), ()) if isinstance(block, Display))
    assert [tex(right).lstrip("= ").rstrip(",.") for _, right in display.rows] == [
        latex(form) for form in shown
    ]


@pytest.mark.parametrize(
    ("context", "less"),
    [
        (cd.Harmonic(1, density="uniform(1/10, 1/2)"), r"less \(\frac{5}{2} \ln\frac{10}{9}\) for class 0 and \(\frac{5}{2} \ln 2\) for class 1"),  # noqa: E501
        (cd.Harmonic(2, density="uniform(1/4, 3/4)"), r"less \(4 \ln\frac{4}{3}\) for each class"),
        (cd.Additive(density="uniform(0, 1/2)"), r"less \(\frac{1}{2}\) for class 1."),
        (cd.Additive(density="uniform(l, h)"), r"less \(l^2/(h - l)\) for class 0 and \((1 - h)^2/(h - l)\) for class 1"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_bounded_rule_is_a_known_one_less_constants_that_are_named(context, less) -> None:
    """At the lower bound the loss of class 0 is 0, at the upper one that of class 1."""
    assert less in cd.export.latex(cd.derive(context))


def test_costs_tied_to_their_proportion_are_written_out_with_its_density() -> None:
    text = cd.export.latex(cd.derive(cd.Harmonic(1, density="uniform(1/10, 1/2)")))
    assert r"uniform on \([\frac{1}{10}, \frac{1}{2}]\), so that its density is \(\frac{5}{2}\) there" in text
    assert r"That is, \(c_0 = 1/(1 - s)\) and \(c_1 = 1/s\)." in text


def test_what_differentiation_needs_of_a_named_argument_is_shown() -> None:
    text = cd.export.latex(cd.derive(cd.PowerMean(3, mean=1)))
    z = 3 * (2 * p - 1) ** 2 / (4 * (3 * p**2 - 3 * p + 1))
    slope, rest = 3 * (2 * p - 1) / (4 * (3 * p**2 - 3 * p + 1) ** 2), 1 / (4 * (3 * p**2 - 3 * p + 1))
    assert sympy.cancel(sympy.diff(z, p) - slope) == sympy.cancel(1 - z - rest) == 0
    assert f"z'(p) = {latex(slope)}, \\qquad 1 - z(p) = {latex(rest)}," in text
    assert r"\(z(0) = \frac{3}{4}\), \(z(\frac{1}{2}) = 0\) and \(z(1) = \frac{3}{4}\)" in text
    square = sympy.sqrt(3) * abs(2 * p - 1) / (2 * sympy.sqrt(3 * p**2 - 3 * p + 1))
    assert all(abs(float((sympy.sqrt(z) - square).subs(p, at))) < 1e-14 for at in (0.1, 0.45, 0.7))
    assert r"and \(2 p - 1\) changes its sign at \(p = \frac{1}{2}\); hence the two pieces." in text
    assert r"Under the roots, \(p^3 + (1 - p)^3 = 3 p^2 - 3 p + 1\)." in text
    assert r"\mathrm{B}_x(\alpha, \beta)" in text and r"c_0 = s \, b(s)" in text


def test_shares_of_a_budget_are_tied_to_the_brier_score() -> None:
    """Of shares uniform on the simplex, E[c_0; p_0 c_0 < p_1 c_1] is B/K times (p_1/(p_0 + p_1))^2 of a budget B."""
    said = {
        (3, 3): "which are the Brier score",
        (3, 2): r"which are \(\frac{2}{3}\) times the Brier score",
        (2, 2): None,
    }
    for (classes, budget), words in said.items():
        costs = cd.multiclass.DirichletCosts((1,) * classes, budget)
        text = cd.export.latex(cd.multiclass.derive(costs))
        assert (words in text) if words else "tend to those" not in text
        assert r"Let the costs be independent of \((p, Y)\), let all \(p_i\) be positive" in text
    assert "deciding for another class than the one chosen costs no less~(2) & condition" in text
    assert "under the assumptions of the theorems" not in text


def test_the_choice_among_ties_is_not_that_of_a_source() -> None:
    text = cd.export.latex(cd.multiclass.derive(cd.multiclass.CostMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]])))
    assert (
        r"for the first one if there are several. Up to the choice among several, this is the rule of \cite"
        in text
    )
    assert "where the first index of a cost is the act" in text


def test_known_costs_are_independent_of_nothing_but_a_random_factor_of_them_is() -> None:
    known = cd.export.latex(cd.derive(cd.FixedCosts(1, 4)))
    assert r"independent of \((p, Y)\)" not in known
    random = cd.export.latex(cd.derive(cd.CommonFactor("uniform(0, 2)", cd.FixedCosts(1, 4))))
    assert r"independent of \((p, Y)\)" in random


@pytest.mark.parametrize(
    ("laws", "said"),
    [
        (("lognormal(0, 1)", "lognormal(0, 1)"), r"It tends to 0 as \(c_1 \to 0\) and to"),
        (("exponential(1)", "exponential(2)"), "with the limit at infinity"),
    ],
)
def test_an_antiderivative_has_limits_where_it_has_no_value(laws: tuple[str, str], said: str) -> None:
    """A logarithm of the cost has no value at 0, and no line breaks only because of a long hyphenated end."""
    text = cd.export.latex(cd.derive(cd.Independent(*laws)))
    assert said in text and r"\nobreakdash-distributed" not in text


def test_an_appendix_says_once_what_several_methods_decided() -> None:
    text = cd.export.latex(cd.derive(cd.IndependentUniform(("a", "b"), ("d", "e")))).split(r"\appendix")[1]
    assert (
        text.count("costs at the upper bound of") == 1
        and "fractions, structure, assumptions, coefficients" in text
    )
    assert " (2)" not in text and "as stated" not in text
    assert r"the slope of the risk is the threshold weight times \(p - q\)~(6)" in text


def test_a_claim_is_listed_in_the_step_that_makes_it() -> None:
    text = cd.export.latex(cd.derive(cd.Additive(), threshold=cd.RandomThreshold("6*t*(1-t)")))
    (own,) = re.findall("set threshold &.*?(?=witness &)", text, re.DOTALL)
    assert "expected cost times the density of the threshold" in own and "threshold weight times" not in own
    assert (
        r"let the threshold be \(T\), with the density \(6 t (1 - t)\) for \(0 < t < 1\), independent" in text
    )
    assert text.count(r"where the cost proportion \(s = c_0/(c_0 + c_1)\) is uniform") == 2


def test_an_abstract_names_the_parts_of_a_mixture_and_the_theorem_has_their_laws() -> None:
    text = cd.export.latex(cd.derive(cd.Mixture(("w", cd.Additive()), ("1 - w", cd.FixedCosts(1, 4)))))
    abstract, body = text.split(r"\end{abstract}")
    assert r"a mixture of additive costs, with probability \(w\), and of known costs, with" in abstract
    assert "two parts: with probability" in body and "two parts" not in abstract and "error rate" not in body


def test_geometric_costs_are_defined_in_the_sentence_that_names_them() -> None:
    named = {
        cd.Geometric("m"): "the rule of geometric costs, whose geometric mean is fixed.",
        cd.PowerMean(2): "the rule of Euclidean costs, the sum of whose squares is fixed.",
    }
    assert all(said in cd.export.latex(cd.derive(context)) for context, said in named.items())


def test_the_risk_at_a_fixed_threshold_of_known_costs_has_two_values() -> None:
    text = cd.export.latex(cd.derive(cd.FixedCosts(1, 4), threshold=cd.FixedThreshold("1/2")))
    assert (
        r"R(p|q) =" in text and r"The second value less the first is \(1 - 5 q\), which is positive" in text
    )
    assert r"\Pr(T < p)" not in text


def test_a_wide_antiderivative_is_displayed() -> None:
    text = cd.export.latex(cd.derive(load(ROOT / "derivations/boosting/spec.toml").context))
    assert "an antiderivative is\n{\\postdisplaypenalty=10000\n\\[\n" in text
    assert r"\frac{\sqrt{p/(1 - p)}}{\ln 19}" in text and "Its formula shows that" in text
