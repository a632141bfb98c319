"""Scores of real predictions: the simulated total cost agrees with the loss, and bad files are refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

import costderive as cd
from costderive.core.errors import DataError, ParametersLeftError
from costderive.evaluate import read_predictions, score, simulate

PREDICTIONS = Path(__file__).parent.parent / "notebooks" / "predictions.csv"
CONTEXTS = {
    "additive": cd.Additive(),
    "geometric": cd.Geometric(),
    "minimum of the costs fixed, c0 bounded": cd.PowerMean("oo"),
    "inverse score": cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "rectangle": cd.IndependentUniform(c0=(1, 10), c1=(1, 2)),
    "known costs": cd.FixedCosts(c0=1, c1=3),
    "exponential": cd.Independent(c0=cd.laws.exponential(1), c1=cd.laws.exponential(4)),
    "mixture": cd.Mixture(("1/4", cd.FixedCosts(c0=1, c1=3)), ("3/4", cd.Additive())),
}


@cache
def compiled(name: str) -> cd.numeric.CompiledLoss:
    return cd.numeric.compile(cd.derive(CONTEXTS[name]))


def thesis_data(mu: float, rows: int = 5000) -> tuple[np.ndarray, np.ndarray]:
    """Scores N(-mu, 1) and N(mu, 1), calibrated: the log-odds of N(mu, 1) against N(-mu, 1) is 2 mu s."""
    generator = np.random.default_rng(11)
    y = np.repeat([0, 1], rows // 2)
    scores = generator.normal(np.where(y == 1, mu, -mu), 1.0)
    return y, 1 / (1 + np.exp(-2 * mu * scores))


@pytest.mark.parametrize("mu", [0.0, 0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("name", CONTEXTS)
def test_simulated_total_cost_agrees_with_the_loss(name: str, mu: float) -> None:
    y, p = thesis_data(mu)
    loss = compiled(name)(y, p)
    run = simulate(CONTEXTS[name], y, p, draws=20_000, seed=5)
    # 4.5 standard errors: over 40 cases, one in 3000 test runs would fail by chance, and the seed is fixed
    assert abs(run.mean - loss) <= 4.5 * run.standard_error + 1e-9


def test_harmonic_costs_agree_too() -> None:
    y, p = thesis_data(1.0)
    loss = cd.numeric.compile(cd.derive(cd.Harmonic()))(y, p)
    run = simulate(cd.Harmonic(), y, p, draws=50_000, seed=5)
    assert abs(run.mean - loss) <= 5 * run.standard_error


def test_counting_agrees_with_thresholding_each_prediction() -> None:
    y, p = thesis_data(0.7, rows=200)
    context = cd.IndependentUniform(c0=(1, 2), c1=(1, 3))
    c0, c1 = context.sample(500, seed=3)
    predicted = p[None, :] > (c0 / (c0 + c1))[:, None]
    cost = np.where(y == 0, predicted * c0[:, None], ~predicted * c1[:, None])
    assert simulate(context, y, p, draws=500, seed=3).mean == pytest.approx(cost.mean(), rel=1e-12)


def test_a_tie_goes_to_class_0() -> None:
    assert simulate(cd.FixedCosts(c0=1, c1=1), [0, 1], [0.5, 0.5], draws=2).mean == 0.5
    assert cd.numeric.compile(cd.derive(cd.FixedCosts(c0=1, c1=1)))([0, 1], [0.5, 0.5]) == 0.5


def test_scores_beside_the_loss_are_the_usual_ones() -> None:
    data = read_predictions(PREDICTIONS, y_true="label")
    (row,) = score(cd.Geometric(), data.labels, {"m": data.models["gradient_boosting"]}, draws=100, seed=0)
    assert row.brier == pytest.approx(
        brier_score_loss(data.labels, data.models["gradient_boosting"]), rel=1e-12
    )
    assert row.log_loss == pytest.approx(log_loss(data.labels, data.models["gradient_boosting"]), rel=1e-12)
    assert row.loss == pytest.approx(row.loss0 + row.loss1, rel=1e-14)


def test_an_infinite_log_loss_is_counted_and_not_clipped() -> None:
    data = read_predictions(PREDICTIONS, y_true="label", y_proba=["naive_bayes"])
    (row,) = score(cd.Additive(), data.labels, data.models, draws=10, seed=0)
    assert np.isinf(row.log_loss) and row.infinite_log_loss == 1 and row.infinite == 0


def test_models_are_simulated_with_the_same_costs_even_without_a_seed() -> None:
    first, second = score(cd.Geometric(), [0, 1], {"a": [0.2, 0.7], "b": [0.2, 0.7]}, draws=50)
    assert first.simulation == second.simulation


def test_too_few_draws_are_refused() -> None:
    with pytest.raises(DataError, match="draws = 1"):
        simulate(cd.Additive(), [0, 1], [0.2, 0.7], draws=1)


def test_costs_with_open_parameters_cannot_be_drawn() -> None:
    with pytest.raises(ParametersLeftError, match="b"):
        simulate(cd.IndependentUniform(c0=(0, "b"), c1=(0, 1)), [0, 1], [0.2, 0.7])


GOOD = "label,p\n0,0.25\n1,0.75\n"
BAD = {
    "missing column": ("y,p\n0,0.1\n", "no column 'label'"),
    "no rows": ("label,p\n", "no rows"),
    "empty file": ("", "no header"),
    "word for a number": ("label,p\n0,high\n", "line 2, column 'p': 'high'"),
    "empty cell": ("label,p\n0,\n", "line 2, column 'p': ''"),
    "nan": ("label,p\n0,nan\n", "line 2, column 'p': 'nan'"),
    "outside": ("label,p\n0,0.5\n1,1.5\n", "line 3, column 'p': 1.5 is outside"),
    "ragged": ("label,p\n0,0.5,7\n", "line 2 has 3 cells"),
    "twice": ("label,p,p\n0,0.5,0.5\n", "several columns named 'p'"),
    "only labels": ("label\n0\n", "no column beside"),
    "huge cell": ("label,p\n0," + "1" * 20_000 + "\n", "line 2"),
    "open quote": ('label,p\n0,"0.5\n', "line"),
    "underscores": ("label,p\n0,0_1\n", "line 2, column 'p'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    text, message = BAD[name]
    path = tmp_path / "p.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_predictions(path, y_true="label")


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\x00\xff", "label,p\n0,0.5".encode("utf-16")])
def test_file_that_is_not_text_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(content)
    with pytest.raises(DataError):
        read_predictions(path, y_true="label")


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(DataError, match="cannot be read"):
            read_predictions(path, y_true="label")


def test_byte_order_mark_and_spaces_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("\ufefflabel, p\nno, 0.25\nyes, 0.75\n", encoding="utf-8")
    data = read_predictions(path, y_true="label")
    assert list(data.labels) == ["no", "yes"] and list(data.models["p"]) == [0.25, 0.75]
