"""What articles make of long formulas: names, a sum and a difference, and one formula for all orders of breakpoints."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
import sympy
from scipy.integrate import quad

import costderive as cd
from costderive.publish.words.long_values import Names, names
from costderive.publish.words.one_formula import CornerSum, OneFormula, gains, in_theorem, one_formula
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


def test_gamma_costs_of_one_scale_have_a_beta_proportion_in_words() -> None:
    same, other = (
        cd.Independent("gamma(2, 3)", "exponential(3)"),
        cd.Independent("gamma(2, 3)", "exponential(2)"),
    )
    said = r"the law \(\mathrm{Beta}(2, 1)\), and is independent of the cost magnitude"
    assert said in cd.export.latex(cd.derive(same))
    mixed = cd.Mixture(("1/2", same), ("1/2", cd.FixedCosts(1, 2)))
    assert not any("mathrm{Beta}" in cd.export.latex(cd.derive(context)) for context in (other, mixed))
