"""Batches of real data: the package agrees with the published formulas, and the page shows what it computes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests import batch_accuracy
from tests.batch_accuracy import HEADER, ROUNDING, Row, data, line, published_h_measure

PAGE = Path(__file__).parent.parent / "costderive" / "site" / "pages" / "speed.md"
CANCER = "mean texture"


@cache
def rows() -> tuple[Row, ...]:
    return tuple(batch_accuracy.rows())


def test_batches_of_real_data_score_as_published_formulas_say() -> None:
    assert {row.quantity.partition(",")[0] for row in rows()} == {"H-measure", "AUC", "discrimination"}
    assert [row for row in rows() if not row.error < ROUNDING] == []


def test_the_page_shows_the_table() -> None:
    assert "\n".join([*HEADER, *map(line, rows())]) in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["naive_bayes", CANCER])
def test_the_formula_of_the_h_measure_is_the_best_of_all_thresholds_at_each_cost(name: str) -> None:
    y, scores = data()[name]
    above = scores > np.array([-1, *np.unique(scores)])[:, None]
    false_ones, missed = (above & (y == 0)).sum(1), (~above & (y == 1)).sum(1)
    c = (np.arange(4000) + 0.5) / 4000
    cost = c * false_ones[:, None] + (1 - c) * missed[:, None]
    constant = np.minimum(c * (y == 0).sum(), (1 - c) * (y == 1).sum())
    law = 6 * c * (1 - c)
    wanted = 1 - (law @ cost.min(axis=0)) / (law @ constant)
    assert published_h_measure(y, scores) == pytest.approx(wanted, abs=1e-6)  # the step squared, about


def test_the_h_measure_is_one_of_perfect_ranks_and_zero_of_none() -> None:
    y = np.array([0.0, 0.0, 1.0, 1.0, 0.0])
    assert published_h_measure(y, y) == pytest.approx(1, abs=1e-15)
    assert published_h_measure(y, 1 - y) == pytest.approx(0, abs=1e-15)
    assert published_h_measure(y, np.full(5, 0.3)) == pytest.approx(0, abs=1e-15)
