"""What articles make of long formulas: names, a sum and a difference, and one formula for all orders of breakpoints."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
import sympy
from scipy.integrate import quad

import costderive as cd
from costderive.core.symbols import p
from costderive.publish.words.long_values import Names, names
from costderive.publish.words.one_formula import gains, one_formula
from costderive.publish.words.scene import Scene

RECTANGLE = cd.IndependentUniform(c0=("a", "b"), c1=("d", "e"))


@lru_cache
def scenes(context) -> tuple[Scene, ...]:
    return tuple(Scene(case, Names()) for case in cd.derive(context).cases)


def test_two_values_that_differ_in_a_sign_are_a_sum_and_a_difference() -> None:
    (scene,) = scenes(cd.PowerMean(3, mean=1))
    named = names([scene.losses.loss0])
    (_, shared), (_, turned) = named.defined
    first, second = (piece.value for piece in scene.losses.loss0)
    assert sympy.expand(first - shared - turned) == sympy.expand(second - shared + turned) == 0
    text = cd.export.latex(cd.derive(cd.PowerMean(3, mean=1)))
    assert r"\ell_{1}(p) + \ell_{2}(p) & \text{if } 0 \le p" in text
    assert r"\ell_{1}(p) - \ell_{2}(p) & \text{if } \frac{1}{2} < p" in text


@pytest.mark.parametrize("ends", [(1, 3, 2, 5), (1, 6, 2, 3), (2, 4, 1, 2)])
@pytest.mark.parametrize(
    "at", [sympy.Rational(1, 5), sympy.Rational(2, 5), sympy.Rational(3, 5), sympy.Rational(4, 5)]
)
def test_gains_at_breakpoints_add_up_to_what_the_costs_say(ends, at) -> None:
    a, b, d, e = map(sympy.Integer, ends)
    values = {sympy.Symbol(name, positive=True): x for name, x in zip("abde", (a, b, d, e), strict=True)}
    for label in (0, 1):
        found = gains(scenes(RECTANGLE), label)
        letters = {
            x: value for x in found.factor.free_symbols for y, value in values.items() if x.name == y.name
        }
        below = [term for place, term in found.at.items() if place.subs(letters) < at]
        total = found.start + found.factor * sum(below)
        assert float(total.subs(letters).subs(p, at)) == pytest.approx(
            expected(label, ends, float(at)), rel=1e-9
        )


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
    assert len(tuple(one_formula(scenes(RECTANGLE)))) == 4
    assert not tuple(one_formula(scenes(cd.IndependentUniform(c0=(0, 1), c1=(0, 2)))))


def test_cases_with_other_formulas_have_none_in_common() -> None:
    found = scenes(RECTANGLE)
    other = scenes(cd.IndependentUniform(c0=(0, "b"), c1=("d", "e")))
    assert gains((*found, *other), 0) is None


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


def test_gamma_costs_of_one_scale_have_a_beta_proportion_in_words() -> None:
    same, other = (
        cd.Independent("gamma(2, 3)", "exponential(3)"),
        cd.Independent("gamma(2, 3)", "exponential(2)"),
    )
    said = r"the law \(\mathrm{Beta}(2, 1)\), and is independent of the cost magnitude"
    assert said in cd.export.latex(cd.derive(same))
    mixed = cd.Mixture(("1/2", same), ("1/2", cd.FixedCosts(1, 2)))
    assert not any("mathrm{Beta}" in cd.export.latex(cd.derive(context)) for context in (other, mixed))
