"""Mathematical statements of articles and pages, each against an example that an earlier wording got wrong."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import costderive as cd

PAGES = Path(__file__).parent.parent / "costderive" / "site" / "pages"
MATHEMATICS = " ".join((PAGES / "mathematics.md").read_text("utf-8").split())

# ---- K classes: where a report loses more than the truth


def excess(report: tuple[float, ...], belief: tuple[float, ...], costs: np.ndarray) -> float:
    """Simulate ``R(p|q) - R(q|q)``: what the decisions of the report cost more than the best ones."""
    weighed = np.asarray(belief) * costs
    chosen = np.argmax(np.asarray(report) * costs, axis=1)
    return float(np.mean(weighed.max(axis=1) - weighed[np.arange(len(costs)), chosen]))


def test_a_report_can_lose_although_reports_near_the_belief_do_not() -> None:
    """Uniform costs on [1, 2], q = (0.8, 0.1, 0.1): the excess of 1/3 each is 37/60, and 0 on most of the way."""
    belief, report = (0.8, 0.1, 0.1), (1 / 3, 1 / 3, 1 / 3)
    costs = np.random.default_rng(5).uniform(1, 2, (400_000, 3))
    assert excess(report, belief, costs) == pytest.approx(37 / 60, abs=0.003)
    for share in (0.05, 0.3, 0.6):
        between = tuple((1 - share) * q + share * p for p, q in zip(report, belief, strict=True))
        assert excess(between, belief, costs) == 0


def test_an_article_states_where_a_report_loses_for_the_report_itself() -> None:
    found = cd.multiclass.derive(cd.multiclass.IndependentCosts(("uniform(1, 2)",) * 3))
    text = " ".join(cd.export.latex(found, cd.check(found)).split())
    assert r"\varepsilon" not in text
    assert r"if and only if \(p\) decides, with positive probability" in text


# ---- a value at a jump

T, M = Fraction(1, 3), Fraction(1)  # the threshold and the mass of an atom


def risks(x: Fraction, y: Fraction, belief: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return the risks of reports below, at and above the atom."""
    below, above = belief * (1 - T) * M, (1 - belief) * T * M
    return below, (1 - belief) * x + belief * y, above


def proper(x: Fraction, y: Fraction) -> bool:
    """Try all beliefs k/300: the report with the risk of the truth is never beaten."""
    for k in range(301):
        q = Fraction(k, 300)
        below, at, above = risks(x, y, q)
        truth = at if q == T else below if q < T else above
        if truth > min(below, at, above):
            return False
    return True


@pytest.mark.parametrize("share", [Fraction(k, 4) for k in range(-1, 6)])
def test_a_value_at_a_jump_is_proper_on_the_segment_alone(share: Fraction) -> None:
    """On the line ``(1 - t) x + t y = t (1 - t) m`` the part with 0 <= x <= t m, and nothing above or below it."""
    x = share * T * M
    y = (T * (1 - T) * M - (1 - T) * x) / T
    assert proper(x, y) is (0 <= share <= 1)
    for other in (y + Fraction(1, 10), y - Fraction(1, 10)):
        assert not proper(x, other)


def test_the_page_states_the_equation_and_the_range_of_a_value_at_a_jump() -> None:
    assert r"(1 - t) x + t y = t (1 - t) m, \qquad 0 \le x \le t m" in MATHEMATICS
    assert r"t y \ge t" not in MATHEMATICS


def test_the_page_says_that_a_proper_rule_is_that_of_a_context_up_to_a_function_of_the_outcome() -> None:
    """The Brier score with 1 added to L0 except at 0, where L1 is infinite, is proper; no context has L0(0+) = 1."""

    def risk(p: float, q: float) -> float:
        if p == 0:
            return 0.0 if q == 0 else float("inf")
        return (1 - q) * (1 + p * p) + q * (1 - p) ** 2

    grid = [k / 50 for k in range(51)]
    assert all(risk(p, q) >= risk(q, q) for p in grid for q in grid)
    assert "up to a function of the outcome alone" in MATHEMATICS
