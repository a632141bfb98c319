"""Scores without NumPy, as the page takes them, are those of the command line, and so is what they refuse."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from costderive import Additive, FixedCosts, FixedThreshold, Harmonic, Independent, IndependentUniform, derive
from costderive.core.errors import CostDeriveError
from costderive.costs.contexts import Context
from costderive.costs.thresholds import Calibrated, Threshold
from costderive.evaluate import (
    How,
    Scores,
    cheapest,
    cost_curves,
    from_files,
    reliabilities,
    score_blocks,
    threshold_for,
)
from costderive.evaluate import plain_losses as losses_room
from costderive.evaluate.plain_losses import PlainLosses
from costderive.evaluate.plain_scores import PlainRows, PlainScores
from costderive.evaluate.plain_tally import cheapest as plain_cheapest
from costderive.publish.score_report.plain_summary import plain_summary
from costderive.publish.score_report.summary import ScoreSummary

CLOSE = 1e-12
GENERATOR = np.random.default_rng(7)
CONTEXTS: dict[str, Context] = {
    "words": Independent(fp="5 to 20", fn="50 to 200"),
    "inverse score": IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "brier": Additive(budget=2),
    "known": FixedCosts(c0=1, c1=2),  # jumps at 1/3, which is no double
    "logarithmic": Harmonic(),
    "gamma": Independent(c0="gamma(2, 1)", c1="gamma(3, 1)"),
    "lognormal": Independent(fp="5 to 20", fn="mean 100, sd 40"),
}


def written(
    file: Path,
    labels: Any,
    models: dict[str, Any],
    weights: Any = None,
    separator: str = ",",
    decimal: str = ".",
) -> Path:
    columns = {"y": labels, **models} | ({} if weights is None else {"w": weights})
    rows = [separator.join(columns)]
    for cells in zip(*columns.values(), strict=True):
        rows.append(separator.join(str(cell).replace(".", decimal) for cell in cells))
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def many(folder: Path) -> Path:
    y = (GENERATOR.random(400) < 0.3).astype(int)
    sure = np.clip(y * 0.6 + GENERATOR.normal(0.2, 0.2, 400), 0, 1)  # 0 and 1 are among them
    return written(
        folder / "many.csv", y, {"sure": sure, "ties": np.round(sure, 1), "beta": GENERATOR.beta(1, 5, 400)}
    )


def weighted(folder: Path) -> Path:
    y = (GENERATOR.random(90) < 0.4).astype(int)
    w = np.round(GENERATOR.gamma(1, 2, 90), 1)  # 0 is among them
    return written(folder / "weighted.csv", y, {"a": GENERATOR.random(90), "b": GENERATOR.random(90)}, w)


def grouped(folder: Path) -> Path:
    file = weighted(folder)
    regions = ["region", *GENERATOR.choice(["nord", "süd", "<b>west"], 90), "north, the last one"]
    lines = [*file.read_text(encoding="utf-8").splitlines(), "1,0.25,0.5,2.5"]
    cells = [f'{line},"{region}"' for line, region in zip(lines, regions, strict=True)]
    (folder / "grouped.csv").write_text("\n".join(cells) + "\n", encoding="utf-8")
    return folder / "grouped.csv"


def breaks(folder: Path) -> Path:
    """Write probabilities at breakpoints, and next to them."""
    near = [
        x
        for at in (1 / 41, 1 / 11, 1 / 3, 2 / 7, 1 / 2)
        for x in (np.nextafter(at, 0), at, np.nextafter(at, 1))
    ]
    p = [0.0, 5e-324, 1e-300, 1e-12, *near, 1 - 1e-9, 1 - 2**-53, 1.0]
    return written(folder / "breaks.csv", [0, 1] * (len(p) // 2) + [0] * (len(p) % 2), {"p": p})


FILES = {"many": many, "weighted": weighted, "breaks": breaks}


def plain(file: Path, context: Context, threshold: Threshold = Calibrated(), **how: Any) -> PlainScores:
    rows = PlainRows.of_csv(str(file), file.read_bytes(), how.pop("y_true", "y"), **how)
    own = PlainLosses.of(derive(context, threshold=threshold).rule)
    calibrated = None if isinstance(threshold, Calibrated) else PlainLosses.of(derive(context).rule)
    return PlainScores.of(rows, context, own, calibrated)


def full(file: Path, context: Context, threshold: Threshold = Calibrated(), **how: Any) -> Scores:
    return score_blocks(
        context, from_files([file], y_true=how.pop("y_true", "y"), **how), How(threshold=threshold)
    )


def numbers(row: Any) -> dict[str, float]:
    found = asdict(row)
    found.update({f"{name} {end}": x for name in ("interval", "loss") if isinstance(found.get(name), dict)
                  for end, x in found.pop(name).items()})  # fmt: skip
    return {name: value for name, value in found.items() if isinstance(value, float | int)}


def assert_same(found: PlainScores, wanted: Scores) -> None:
    assert [row.model for row in found] == [row.model for row in wanted]
    for own, other in zip((*found, *found.differences), (*wanted, *wanted.differences), strict=True):
        assert numbers(own) == pytest.approx(numbers(other), rel=CLOSE, abs=0, nan_ok=True), own.model
    assert (found.counts, found.is_weighted) == (wanted.counts, wanted.is_weighted)
    assert found.proportions == pytest.approx(wanted.proportions, rel=CLOSE)
    assert found.constant == pytest.approx(wanted.constant, rel=CLOSE)
    assert (found.tied, found.best.model, found.is_small) == (wanted.tied, wanted.best.model, wanted.is_small)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", CONTEXTS)
def test_scores_are_those_of_the_command_line(name: str, kind: str, tmp_path: Path) -> None:
    file, context = FILES[kind](tmp_path), CONTEXTS[name]
    how = {"weights": "w"} if kind == "weighted" else {}
    assert_same(plain(file, context, **how), full(file, context, **how))


def test_groups_are_scored_apart_as_on_the_command_line(tmp_path: Path) -> None:
    file, context = grouped(tmp_path), CONTEXTS["words"]
    found, wanted = (task(file, context, weights="w", by="region") for task in (plain, full))
    assert_same(found, wanted)
    assert list(found.groups) == list(wanted.groups) == ["<b>west", "nord", "north, the last one", "süd"]
    for name, part in found.groups.items():  # that of one row has no interval
        assert_same(part, wanted.groups[name])
    table, other = plain_summary(found, ()).groups, ScoreSummary.of(wanted).groups
    assert table == other != ()


GROUPS = {
    "empty": "y,a,g\n0,0.5,x\n1,0.5, \n",
    "many": "y,a,g\n" + "\n".join(f"{k % 2},0.5,{k}" for k in range(201)),
}


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
def test_bad_groups_are_refused_in_the_words_of_the_command_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "groups.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CostDeriveError) as wanted:
        full(file, Additive(), by="g")
    with pytest.raises(CostDeriveError) as found:
        plain(file, Additive(), by="g")
    assert str(found.value) == str(wanted.value)
    with pytest.raises(CostDeriveError, match="has no column 'h'"):
        plain(file, Additive(), by="h")


@pytest.mark.parametrize("at", ["1/2", "1/3"])
def test_a_threshold_has_its_price_beside_it(at: str, tmp_path: Path) -> None:
    file, context = many(tmp_path), Additive(budget=2)
    found, wanted = (task(file, context, FixedThreshold(at)) for task in (plain, full))
    assert_same(found, wanted)
    assert found[0].calibrated != found[0].loss


def test_decimal_commas_semicolons_and_named_labels_are_read(tmp_path: Path) -> None:
    y = ["ja", "nein"] * 20
    file = written(tmp_path / "file.csv", y, {"é <b>": np.round(GENERATOR.random(40), 3)}, None, ";", ",")
    context = CONTEXTS["words"]
    assert_same(plain(file, context, pos_label="ja"), full(file, context, pos_label="ja"))


def test_one_class_and_infinite_losses_are_scored(tmp_path: Path) -> None:
    models = {"a": [0.0, 0.5, 1.0], "b": [0.1, 0.2, 0.3]}
    for name, y in (("zeros", [0, 0, 0]), ("wrong", [1, 0, 0])):
        file = written(tmp_path / f"{name}.csv", y, models)
        assert_same(plain(file, Harmonic()), full(file, Harmonic()))
    assert math.isinf(plain(tmp_path / "wrong.csv", Harmonic())[0].loss)


BAD = {
    "a probability": "y,a,b\n0,0.5,0.5\n1,1.5,0.5\n",
    "nan": "y,a\n0,0.5\n1,nan\n",
    "text": "y,a\n0,0.5\n1,half\n0,0.1\n",
    "a third label": "y,a\n0,0.5\n1,0.5\n\n2,0.5\n",
    "no label": "y,a\n0,0.5\n,0.5\n",
    "words as labels": "y,a\nno,0.5\nyes,0.5\n",
    "another length": "y,a\n0,0.5\n1,0.5,3\n",
    "a missing column": "Y,a\n0,0.5\n",
    "two columns of a name": "y,a,a\n0,0.5,0.5\n",
    "no rows": "y,a\n",
    "nothing": "",
    "no model": "y\n0\n1\n",
    "an open quote": 'y,a\n0,"0.5\n1,0.5\n',
    "no text": "y,a\n0,0.\xff5\n".encode("latin-1"),
    "thousands": "y;a\n0;0,5\n1;1,234\n0;0.5\n",
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_in_the_words_of_the_command_line(data: str | bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(CostDeriveError) as wanted:
        full(file, Additive())
    with pytest.raises(CostDeriveError) as found:
        plain(file, Additive())
    assert str(found.value) == str(wanted.value)


@pytest.mark.parametrize("weight", ["-1", "nan", "1e200"])
def test_a_bad_weight_is_refused_likewise(weight: str, tmp_path: Path) -> None:
    file = written(tmp_path / "bad.csv", [0, 1], {"a": [0.5, 0.5]}, [1, weight])
    for task in (full, plain):
        with pytest.raises(CostDeriveError, match=r"line 3: weight 'w' = .* is not a weight"):
            task(file, Additive(), weights="w")
    nothing = written(tmp_path / "nothing.csv", [0, 1], {"a": [0.5, 0.5]}, [0, 0])
    with pytest.raises(CostDeriveError, match="at least one row of positive weight"):
        plain(nothing, Additive(), weights="w")


@pytest.mark.parametrize("kind", ["many", "weighted"])
def test_cheapest_models_and_reliability_are_those_of_the_curves(kind: str, tmp_path: Path) -> None:
    file, context = FILES[kind](tmp_path), CONTEXTS["words"]
    how = {"weights": "w"} if kind == "weighted" else {}
    found, wanted = plain(file, context, **how), full(file, context, **how)
    weighted = {
        row.model: tally.weighted(found.proportions) for row, tally in zip(found, found.tallies, strict=True)
    }
    own, other = plain_cheapest(weighted), cheapest(wanted)
    if kind == "many":  # else sums of weights, rounded in two ways, decide between models that tie
        assert [part.model for part in own] == [part.model for part in other]
        assert [part.high for part in own] == pytest.approx([part.high for part in other], rel=CLOSE)
    curves = {curve.name: curve for curve in cost_curves(wanted)}
    assert [own[0].low, *(part.high for part in own)] == [*(part.low for part in own), 1.0]
    for part in own:
        middle = {name: float(curve.elementary((part.low + part.high) / 2)) for name, curve in curves.items()}
        assert middle[part.model] == pytest.approx(min(middle.values()), rel=CLOSE)
    for tally, curve in zip(weighted.values(), reliabilities(wanted), strict=True):
        for low, high, share, weight in tally.reliability():
            inside = (curve.probability >= low) & (curve.probability <= high)
            assert curve.recalibrated[inside] == pytest.approx(np.full(inside.sum(), share), rel=CLOSE)
            assert curve.weight[inside].sum() == pytest.approx(weight, rel=CLOSE)
    assert found.losses.at(0, 1.0) / (found.losses.at(0, 1.0) + found.losses.at(1, 0.0)) == pytest.approx(
        threshold_for(context), rel=CLOSE
    )


def test_a_loss_that_cancels_everywhere_is_refused_where_it_would_take_too_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = many(tmp_path)
    monkeypatch.setattr(losses_room, "_double", lambda *_: math.nan)  # no value in doubles is right
    assert_same(plain(file, Additive()), full(file, Additive()))
    monkeypatch.setattr(losses_room, "MOST_EXACT", 100)
    with pytest.raises(CostDeriveError, match=r"cancels at .* different probabilities"):
        plain(file, Additive())


def test_letters_and_integrals_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(CostDeriveError, match="open parameters: b"):
        PlainLosses.of(derive(Additive(budget="b")).rule)
    kept = derive(Independent(c0="lognormal(0, 1)", c1="gamma(2, 1)"), time_limit=20).rule
    assert not kept.closed_form
    with pytest.raises(CostDeriveError, match="left as an integral, which needs NumPy"):
        PlainLosses.of(kept)
