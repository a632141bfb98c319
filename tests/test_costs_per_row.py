"""Costs that each row has for itself: what is scored is what decisions with these very costs lose."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpmath import inf, mp, mpf, quad

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, DataError, ParametersLeftError, SpecError
from costderive.costs.laws import law_of, lognormal
from costderive.costs.thresholds import FixedThreshold
from costderive.evaluate import Scores, prediction_files, score
from costderive.evaluate.scaled_costs import ScaledLoss
from costderive.spec import Spec, context_from, parse, to_toml

GENERATOR = np.random.default_rng(2211)
ROWS = 60
AMOUNT = np.round(np.exp(GENERATOR.normal(2.5, 1.2, ROWS)), 2) + 0.01
LABELS = (GENERATOR.random(ROWS) < 0.4).astype(int)
MODELS = {name: np.round(GENERATOR.random(ROWS), 3) for name in ("first", "second")}
KNOWN = cd.Independent(fp=5, fn="amount")
UNCERTAIN = cd.Independent(fp=5, fn="amount * uniform(1/2, 1)")


def scores_of(context: Any, **more: Any) -> Scores:
    return score(context, LABELS, MODELS, columns={"amount": AMOUNT}, **more)


# ---- multiples of laws, as text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("amount * uniform(1/2, 1)", "uniform(amount/2, amount)"),
        ("uniform(1/2, 1)*amount", "uniform(amount/2, amount)"),
        ("2*a/b*gamma(3)", "gamma(3, 2*a/b)"),
        ("a*lognormal(mu, 1/2)", "lognormal(mu + log(a), 1/2)"),
        ("max(a, b)*known(3)", "known(3*Max(a, b))"),
    ],
)
def test_an_expression_times_a_law_is_the_law_of_the_multiple(text: str, name: str) -> None:
    assert str(law_of(text, "cost").name) == name


@pytest.mark.parametrize("text", ["a + b*gamma(3)", "gamma(3)/2", "gamma(3) + 1"])
def test_other_expressions_stay_numbers(text: str) -> None:
    assert not law_of(text, "cost").spreads


def test_a_multiple_of_a_law_without_a_scale_has_its_mean() -> None:
    law = law_of("3*beta(2, 4)", "cost")
    assert law.name is None and law.mean() == 1


def test_a_multiple_of_a_log_normal_law_has_its_density() -> None:
    law = law_of("3*lognormal(1/2, 2)", "cost")
    assert law == lognormal("1/2 + log(3)", 2)
    density = law.spreads[0].density
    expected = math.exp(-((math.log(7 / 3) - 0.5) ** 2) / 8) / (7 * 2 * math.sqrt(2 * math.pi))
    assert float(density.subs(dict.fromkeys(density.free_symbols, 7))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gamma(2)*uniform(0, 1)", "second law"),
        ("-2*uniform(0, 1)", "-2 is not a cost"),
        ("x*uniform(0, 1)", "holds the letter x"),
        ("a*uniform(0, 1) + 1", '"uniform" is the name of a law'),
        ("a*uniform(2, 1)", "is not below"),
        ("a*uniform(0", "unexpected end"),
    ],
)
def test_what_is_no_multiple_of_one_law_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        law_of(text, "cost")


def test_specs_take_multiples() -> None:
    context = context_from({"kind": "independent", "c0": "5", "c1": "amount*uniform(1/2, 1)"})
    assert context == UNCERTAIN


def test_a_known_cost_that_reads_as_a_multiple_is_written_as_known() -> None:
    context = cd.Independent(fp=5, fn="known(a*gamma(b))")
    written = to_toml(Spec("", "", context))
    assert "known(" in written and parse(written).context == context


# ---- losses


def by_quadrature(p: float, label: int, amount: float) -> float:
    """Integrate over the cost of class 1, uniform between half the amount and all of it."""
    with mp.workdps(20):
        p, a = mpf(float(p)), mpf(float(amount))
        turn = 5 * (1 - p) / p if p else inf  # above this cost 5/(5 + c1) < p

        def integrand(c1: Any) -> Any:
            decided = 5 / (5 + c1) < p
            return 2 / a * (5 if decided and not label else c1 if label and not decided else 0)

        ends = [a / 2, *([turn] if a / 2 < turn < a else []), a]
        return float(quad(integrand, ends))


def test_losses_of_uncertain_costs_are_those_of_quadrature() -> None:
    scores = scores_of(UNCERTAIN)
    for model, p in zip(scores, MODELS.values(), strict=True):
        losses = np.array([by_quadrature(*row) for row in zip(p, LABELS, AMOUNT, strict=True)])
        assert model.loss == pytest.approx(losses.mean(), rel=1e-12)
        assert model.loss1 == pytest.approx(losses[LABELS == 1].sum() / ROWS, rel=1e-12)
        assert model.interval.standard_error == pytest.approx(losses.std(ddof=1) / math.sqrt(ROWS), rel=1e-9)


def decided(p: Any) -> np.ndarray:
    """Return what each row costs if class 1 is decided for above 5/(5 + amount)."""
    is_one = p > 5 / (5 + AMOUNT)
    return np.where(LABELS == 1, np.where(is_one, 0, AMOUNT), np.where(is_one, 5, 0))


def test_losses_of_known_costs_are_the_costs_of_the_decisions() -> None:
    scores = scores_of(KNOWN)
    first, second = map(decided, MODELS.values())
    assert [model.loss for model in scores] == pytest.approx([first.mean(), second.mean()])
    gap = scores.over("second")["first"]
    assert gap.value == pytest.approx((first - second).mean())
    assert gap.standard_error == pytest.approx((first - second).std(ddof=1) / math.sqrt(ROWS))


def test_a_threshold_is_priced_beside_that_of_each_row() -> None:
    scores = scores_of(KNOWN, threshold=FixedThreshold("1/2"))
    p = MODELS["first"]
    cost = np.where(LABELS == 1, np.where(p > 0.5, 0, AMOUNT), np.where(p > 0.5, 5, 0))
    assert scores[0].loss == pytest.approx(cost.mean())
    assert scores[0].calibrated == pytest.approx(decided(p).mean())


def test_a_prevalence_weights_the_classes() -> None:
    losses = decided(MODELS["first"])
    expected = 0.9 * losses[LABELS == 0].mean() + 0.1 * losses[LABELS == 1].mean()
    assert scores_of(KNOWN, prevalence=0.1)[0].loss == pytest.approx(expected)


def test_one_number_is_that_of_all_rows() -> None:
    given = score(KNOWN, LABELS, MODELS, columns={"amount": 7})
    plain = score(cd.Independent(fp=5, fn=7), LABELS, MODELS)
    assert given[0].loss == pytest.approx(plain[0].loss)
    assert given.constant == pytest.approx(plain.constant)


def test_the_bootstrap_takes_the_same_losses() -> None:
    found = scores_of(KNOWN, bootstrap=400, seed=1)[0].interval
    assert found.standard_error == pytest.approx(scores_of(KNOWN)[0].interval.standard_error, rel=0.15)


def test_skill_is_against_the_best_constant_forecast() -> None:
    constants = np.unique(np.concatenate([[0, 1], np.nextafter(5 / (5 + AMOUNT), 1)]))
    least = min(decided(p).mean() for p in constants)
    scores = scores_of(KNOWN)
    assert least <= scores.constant * (1 + 1e-12) and scores.constant < 1.02 * least
    assert scores[0].skill == pytest.approx(1 - scores[0].loss / scores.constant)


def test_the_best_constant_forecast_of_weighted_squares_is_the_weighted_proportion() -> None:
    share = AMOUNT[LABELS == 1].sum() / AMOUNT.sum()
    squares = np.where(LABELS == 1, (1 - share) ** 2, share**2)
    scores = scores_of(cd.Additive(budget="2*amount"))
    assert scores.constant == pytest.approx((AMOUNT * squares).mean(), rel=1e-6)
    assert math.isnan(scores[0].recalibrated) and scores.columns == ("amount",)


# ---- what is refused


@pytest.mark.parametrize(
    ("columns", "kind", "problem"),
    [
        ({}, ParametersLeftError, "amount in the context has no value"),
        ({"amount": AMOUNT, "b": 1}, DataError, "'b' is no letter"),
        ({"amount": AMOUNT[:5]}, DataError, r"columns\['amount'\] has shape \(5,\)"),
        ({"amount": np.where(np.arange(ROWS) == 17, 0, AMOUNT)}, DataError, "row 17: amount = 0.0"),
        ({"amount": np.where(np.arange(ROWS) >= 17, np.nan, AMOUNT)}, DataError, "row 17: amount = nan"),
        ({"amount": ["much"] * ROWS}, DataError, "amount"),
        ({"amount": 1e70}, DataError, "row 0: amount = 1e[+]70"),
    ],
)
def test_columns_that_are_no_costs_are_refused(
    columns: dict[str, Any], kind: type[CostDeriveError], problem: str
) -> None:
    with pytest.raises(kind, match=problem):
        score(KNOWN, LABELS, MODELS, columns=columns)


def test_rows_are_counted_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costderive.evaluate.predictions.ROWS", 7)
    whole = score(KNOWN, LABELS, MODELS, columns={"amount": AMOUNT})[0].loss
    assert whole == pytest.approx(decided(MODELS["first"]).mean())
    with pytest.raises(DataError, match=r"row 23: amount = -1\.0"):
        score(KNOWN, LABELS, MODELS, columns={"amount": [-1 if i in (23, 50) else 2 for i in range(ROWS)]})


def test_conditions_between_columns_are_those_of_the_row() -> None:
    context = cd.Independent(fp=5, fn="uniform(low, high)")
    low = np.where(np.arange(ROWS) == 31, 2 * AMOUNT, AMOUNT / 2)
    with pytest.raises(DataError, match=r"row 31: .*breaks the condition"):
        score(context, LABELS, MODELS, columns={"low": low, "high": AMOUNT})


def test_own_costs_are_not_simulated() -> None:
    with pytest.raises(DataError, match="not simulated"):
        scores_of(KNOWN, draws=10)


# ---- files


def written(path: Path, amount: Any = AMOUNT, models: Any = MODELS, name: str = "amount") -> str:
    columns = {"label": LABELS, name: amount, **models}
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["score", *arguments, "--y-true", "label", "--fp", "5"])
    out, err = capsys.readouterr()
    return code, out + err


def test_a_column_of_a_file_is_the_cost_of_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(prediction_files, "ROWS", 7)
    file = written(tmp_path / "data.csv")
    for cost, context in (("amount", KNOWN), ("amount * uniform(1/2, 1)", UNCERTAIN)):
        code, text = run(capsys, file, "--fn", cost)
        scores = scores_of(context)
        assert code == 0 and max(map(len, text.splitlines())) <= 80
        assert "Each row has its own amount." in text and "recalibrated" not in text
        assert f"{scores.best.model} costs least, {scores.best.loss:.4g} an instance." in text
        found = json.loads(run(capsys, file, "--fn", cost, "--json")[1])
        assert [model["model"] for model in found["models"]] == ["first", "second"]
        assert [model["loss"] for model in found["models"]] == pytest.approx([each.loss for each in scores])
        assert found["columns"] == ["amount"] and found["constant"] == pytest.approx(scores.constant)


def test_wrong_costs_in_files_are_named_by_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction_files, "ROWS", 7)
    amounts = [*AMOUNT.tolist()]
    for value, problem in ((-3.0, "amount = -3.0"), ("nan", "amount = nan"), ("", "column 'amount': ''")):
        amounts[40] = value
        code, text = run(capsys, written(tmp_path / "data.csv", amounts), "--fn", "amount")
        assert code == 2 and "line 42" in text and problem in text


def test_names_that_are_no_columns_have_no_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, written(tmp_path / "data.csv"), "--fn", "amout")
    assert code == 2 and "amout in the context has no value" in text
    assert "no column 'amout'" in text and "Did you mean 'amount'?" in text


@pytest.mark.parametrize("option", [("--verify",), ("--draws", "5"), ("--html", "-"), ("--engine", "duckdb")])
def test_options_for_equal_costs_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    code, text = run(capsys, written(tmp_path / "data.csv"), "--fn", "amount", *option)
    assert code == 2 and option[0] in text and "amount is a column" in text


def test_a_cost_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "data.csv")
    code, text = run(capsys, file, "--fn", "amount", "--y-proba", "first", "amount")
    assert code == 2 and "'amount' is both a cost or weight and a model" in text
    code, text = run(capsys, file, "--fn", "label")
    assert code == 2 and "'label' is both a cost or weight and the labels" in text


def test_other_files_may_leave_the_costs_out_or_have_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = ({name: values} for name, values in MODELS.items())
    files = [written(tmp_path / "one.csv", models=first), written(tmp_path / "two.csv", models=second)]
    document = json.loads(run(capsys, *files, "--fn", "amount", "--json")[1])
    assert [model["loss"] for model in document["models"]] == [each.loss for each in scores_of(KNOWN)]
    written(tmp_path / "two.csv", np.where(np.arange(ROWS) == 4, 1, AMOUNT), second)
    code, text = run(capsys, *files, "--fn", "amount")
    assert code == 2 and "line 6 has another 'amount'" in text


def test_parquet_files_have_columns_of_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    file = tmp_path / "data.parquet"
    table = pyarrow.table({"label": LABELS, "amount": AMOUNT, **MODELS})
    pytest.importorskip("pyarrow.parquet").write_table(table, file)
    found = json.loads(run(capsys, str(file), "--fn", "amount", "--json")[1])
    assert [model["loss"] for model in found["models"]] == [each.loss for each in scores_of(KNOWN)]


# ---- multiples of laws whose losses have no formula for arrays


def by_normal_law(label: int, p: float, fp: float, amount: float) -> Any:
    """Return E[cost; wrong decision] for c0 = fp and c1 = amount exp(Z): class 1 is chosen where Z is above a turn."""
    with mp.workdps(25):
        turn = mp.log(fp * (1 - mpf(p)) / (mpf(p) * amount))
        return amount * mp.exp(0.5) * mp.ncdf(turn - 1) if label else fp * mp.ncdf(-turn)


@pytest.mark.parametrize(
    ("fp", "fn"),
    [
        ("5", "amount * lognormal(0, 1)"),
        ("5", "lognormal(log(amount), 1)"),
        ("5*fee", "amount*lognormal(0, 1)"),
    ],
)
def test_multiples_of_a_log_normal_cost_are_scored(fp: str, fn: str) -> None:
    columns = {"amount": AMOUNT[:12]} | ({"fee": np.full(12, 1.5)} if "fee" in fp else {})
    p, known = MODELS["first"][:12], 7.5 if "fee" in fp else 5.0
    found = score(cd.Independent(fp=fp, fn=fn), LABELS[:12], {"m": p}, columns=columns)[0].loss
    rows = zip(LABELS[:12].tolist(), p.tolist(), AMOUNT[:12].tolist(), strict=True)
    expected = sum(by_normal_law(label, each, known, amount) for label, each, amount in rows) / 12
    assert found == pytest.approx(float(expected), rel=1e-12)


def test_multiples_of_a_log_normal_cost_are_decided() -> None:
    p = MODELS["first"]
    found = cd.decide(p, cd.Independent(fp=5, fn="amount*lognormal(0, 1)"), columns={"amount": AMOUNT})
    mean = AMOUNT * math.exp(0.5)
    assert found.cost0 == pytest.approx(p * mean)
    assert (found.decision == (p * mean > 5 * (1 - p))).all()
    assert ((found.doubt >= 0) & (found.doubt <= 1)).all()


def test_an_amount_that_is_not_positive_is_named_where_it_only_scales() -> None:
    amount = np.where(np.arange(ROWS) == 4, -1.0, AMOUNT)
    with pytest.raises(DataError, match="row 4: amount = -1 is not a positive number"):
        score(cd.Independent(fp=5, fn="amount*lognormal(0, 1)"), LABELS, MODELS, columns={"amount": amount})


def test_letters_that_do_more_than_scale_are_no_factors() -> None:
    for fn in ("gamma(amount, 2)", "lognormal(0, amount)", "gamma(amount, amount)"):
        assert ScaledLoss.of(cd.Independent(fp=5, fn=fn), 60) is None


@pytest.mark.parametrize("context", [cd.FixedCosts(5, "max(v - 20, 1)"), cd.Independent(5, "max(v - 20, 1)")])
def test_a_deductible_of_a_column_is_a_known_cost(context: cd.Context) -> None:
    value, y, p = np.array([10.0, 100, 30, 15]), np.array([1, 0, 1, 0]), np.array([0.1, 0.9, 0.3, 0.2])
    cost = np.maximum(value - 20, 1)
    chosen = p > 5 / (5 + cost)
    paid = np.where(y == 1, cost * ~chosen, 5 * chosen)
    assert cd.evaluate.score(context, y, {"model": p}, columns={"v": value})[0].loss == paid.mean()
