"""The front page leads with a decision, whose numbers are those of the sample, and shows a theorem with its proof."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from costderive.core.errors import ExportError
from costderive.site import front
from costderive.site.links import dangling

SAMPLES = Path(__file__).parents[1] / "notebooks"


@cache
def files() -> dict[str, bytes]:
    return front.files(SAMPLES)


def page() -> str:
    return files()["index.html"].decode()


def costs_of_decisions() -> dict[str, float]:
    """Return what 1000 decisions cost on average, by model: over c1 by midpoints, over c0 exactly."""
    with (SAMPLES / "predictions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    y = np.array([int(row["label"]) for row in rows])
    c1 = 5 + 15 * (np.arange(2000) + 0.5) / 2000

    def cost(model: str) -> float:
        p = np.array([float(row[model]) for row in rows])
        with np.errstate(divide="ignore"):
            cut = np.clip(
                np.divide.outer(p, 1 / c1) / (1 - p)[:, None], 1, 3
            )  # c0 below it: class 1 is chosen
        mistaken = np.where(y[:, None] == 0, (cut**2 - 1) / 4, c1 * (3 - cut) / 2)
        return float(1000 * mistaken.mean())

    return {model.replace("_", " "): cost(model) for model in rows[0] if model != "label"}


def test_the_numbers_are_what_decisions_by_the_sample_predictions_cost() -> None:
    wanted = costs_of_decisions()
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(\d+)</td>.*?<td>([^<]*)</td></tr>', page())
    assert [name for name, *_ in rows] == sorted(wanted, key=lambda name: wanted[name])
    least = min(wanted.values())
    for name, cost, more in rows:
        assert float(cost) == pytest.approx(wanted[name], abs=0.51)
        assert more == "the cheapest" or float(more.split()[0]) == pytest.approx(
            wanted[name] - least, abs=0.51
        )
    saved = 1 - least / max(wanted.values())
    assert f"<strong>{100 * saved:.0f}\N{NO-BREAK SPACE}% of the costs</strong>" in page()


def test_a_difference_whose_interval_has_0_is_said_to_be_chance_perhaps() -> None:
    cells = re.findall(r"<td>\d+ more \((−?)\d+ to \d+(, may be chance)?\)</td>", page())
    assert sorted(cells) == [("", ""), ("−", ", may be chance")]


def test_one_button_leads_to_the_costs_of_the_sentence() -> None:
    assert re.findall(r'<a class="button" href="([^"]*)">(.*?)</a>', page()) == [
        ("explore.html#a=1&amp;b=3&amp;d=5&amp;e=20", "Try your costs")
    ]


def test_the_proof_of_the_theorem_is_there_and_its_references_lead_to_the_article() -> None:
    statement, proof = page().split("<summary>Its proof</summary>")
    assert "<b>Theorem 1</b>" in statement and "<i>Proof.</i>" in proof and "□" in proof
    assert 'href="inverse-score.html#' in proof
    assert not [link for link in dangling(files()) if "inverse-score" in link]


def test_without_the_sample_there_is_no_front_page(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"there are no sample predictions in .*predictions.csv"):
        front.files(tmp_path)
