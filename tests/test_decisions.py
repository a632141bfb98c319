"""Decisions at the costs at hand are the cheaper ones, and as doubtful as they are in a simulation of the costs."""

from __future__ import annotations

import csv
import itertools
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, DataError, ParametersLeftError
from costderive.evaluate import prediction_files

GENERATOR = np.random.default_rng(412)
ROWS = 40
P = np.round(GENERATOR.beta(1, 4, ROWS), 3)
AMOUNT = np.round(np.exp(GENERATOR.normal(3, 1, ROWS)), 2)
KNOWN = cd.Independent(fp=5, fn="amount")
UNCERTAIN = cd.Independent(fp=5, fn="amount * uniform(1/2, 1)")
DRAWS = 40_000


@pytest.fixture(scope="module")
def uncertain() -> Any:
    return cd.numeric.compile(cd.derive(UNCERTAIN))


def test_known_costs_of_each_row_are_compared() -> None:
    found = cd.decide(P, KNOWN, columns={"amount": AMOUNT})
    assert found.cost0 == pytest.approx(P * AMOUNT) and found.cost1 == pytest.approx((1 - P) * 5)
    assert found.decision.tolist() == (P * AMOUNT > (1 - P) * 5).astype(int).tolist()
    assert found.cost == pytest.approx(np.minimum(P * AMOUNT, (1 - P) * 5))
    assert found.doubt == pytest.approx(np.zeros(ROWS), abs=1e-12)


def test_uncertain_costs_and_doubts_are_those_of_a_simulation(uncertain: Any) -> None:
    found = cd.decide(P, uncertain, columns={"amount": AMOUNT})
    c0 = np.full((ROWS, DRAWS), 5.0)
    c1 = AMOUNT[:, None] * GENERATOR.uniform(1 / 2, 1, (ROWS, DRAWS))
    p = P[:, None]
    for cost, drawn in ((found.cost0, p * c1), (found.cost1, (1 - p) * c0)):
        assert (abs(cost - drawn.mean(axis=1)) <= 5 * drawn.std(axis=1) / np.sqrt(DRAWS) + 1e-9).all()
    at_stake, other = c0 + c1, (c0 / (c0 + c1) < p) != (found.decision[:, None] == 1)
    share = (at_stake * other).mean(axis=1) / at_stake.mean(axis=1)
    error = (at_stake * (other - share[:, None])).std(axis=1) / at_stake.mean(axis=1) / np.sqrt(DRAWS)
    assert (abs(found.doubt - share) <= 5 * error + 1e-9).all()
    assert ((found.doubt > 0.05) & (found.doubt < 0.95)).any()


def test_a_tie_is_decided_for_class_0() -> None:
    assert cd.decide([0.5, 0.500001], cd.FixedCosts(1, 1)).decision.tolist() == [0, 1]


def test_a_capacity_saves_as_much_as_any_choice_of_so_many() -> None:
    p, amount = P[:9], AMOUNT[:9]
    gains = p * amount - (1 - p) * 5
    for capacity in (0, 1, 2, 9):
        found = cd.decide(p, KNOWN, columns={"amount": amount}, capacity=capacity)
        chosen = (c for k in range(capacity + 1) for c in itertools.combinations(gains, k))
        assert found.decision.sum() <= capacity
        assert found.saving[found.decision == 1].sum() == pytest.approx(max(map(sum, chosen)))


def test_what_a_capacity_forbids_is_doubted() -> None:
    found = cd.decide([0.9, 0.8], cd.FixedCosts(1, 1), capacity=1)
    assert found.decision.tolist() == [1, 0] and found.doubt.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("weight", "decision", "cost"),
    [
        ("1/sqrt(s)^3", [0, 1, 1], [0, 0.99 * 2, 0]),  # E[c0] = 2, and E[c1] is infinite
        ("1/sqrt(1-s)^3", [0, 0, 1], [0, 0.01 * 2, 0]),
    ],
)
def test_an_infinite_expected_cost_is_avoided(weight: str, decision: list[int], cost: list[float]) -> None:
    found = cd.decide([0, 0.01, 1], cd.rule_from_weight(weight))
    assert found.decision.tolist() == decision and found.doubt.tolist() == [0, 0, 0]
    assert found.cost == pytest.approx(cost)


def test_a_rule_stands_for_its_context() -> None:
    context = cd.Additive(density="beta(2, 3)")
    one, other = (cd.decide(P, start) for start in (context, cd.derive(context).rule))
    assert one.cost.tolist() == other.cost.tolist() and one.doubt.tolist() == other.doubt.tolist()
    assert (one.decision == (P > 2 / 5)).all()


# ---- what is refused, and how it looks


@pytest.mark.parametrize(
    ("p", "columns", "kind", "problem"),
    [
        ([0.1, 1.2], {"amount": 1}, DataError, r"p\[1\] = 1.2"),
        (0.5, {"amount": 1}, DataError, "p has shape"),
        ([], {"amount": 1}, DataError, "p has shape"),
        ([0.1, 0.2], {}, ParametersLeftError, "amount in the context has no value"),
        ([0.1, 0.2], {"amount": [1, 2, 3]}, DataError, r"shape \(3,\), and p has 2 rows"),
        ([0.1, 0.2], {"amount": [1, -2]}, DataError, "row 1: amount = -2"),
        ([0.1, 0.2], {"amount": 1, "b": 2}, DataError, "'b' is no letter"),
    ],
)
def test_what_cannot_be_decided_is_refused(p: Any, columns: Any, kind: type[Exception], problem: str) -> None:
    with pytest.raises(kind, match=problem):
        cd.decide(p, KNOWN, columns=columns)


@pytest.mark.parametrize("capacity", [-1, 1.5, True])
def test_a_capacity_is_a_whole_number(capacity: Any) -> None:
    with pytest.raises(DataError, match="capacity"):
        cd.decide([0.1], cd.FixedCosts(1, 1), capacity=capacity)


def test_two_infinite_expected_costs_are_refused() -> None:
    with pytest.raises(DataError, match="both expected costs are infinite"):
        cd.decide([0.1], cd.Harmonic())


def test_decisions_have_a_short_repr_and_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    found = cd.decide([0.1, 0.9], cd.FixedCosts(1, 1))
    assert repr(found) == "<Decisions: class 1 in 1 of 2 cases, expected cost 0.2>"
    assert list(found.to_frame().columns) == ["decision", "cost", "saving", "doubt"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CostDeriveError, match="needs pandas"):
        found.to_frame()


# ---- the command


def written(path: Path, amount: Any = AMOUNT) -> str:
    rows = [f"case {i},{a},{p}" for i, (a, p) in enumerate(zip(amount, P, strict=True))]
    path.write_text("\n".join(["name,amount,risk", *rows]), encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["decide", *arguments, "--p", "risk", "--fp", "5"])
    return code, *capsys.readouterr()


def test_the_command_writes_the_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction_files, "ROWS", 7)
    code, out, err = run(
        capsys, written(tmp_path / "data.csv"), "--fn", "amount", "--id", "name", "--capacity", "3"
    )
    rows = list(csv.DictReader(out.splitlines()))
    expected = cd.decide(P, KNOWN, columns={"amount": AMOUNT}, capacity=3)
    assert code == 0 and err == "" and [row["name"] for row in rows] == [f"case {i}" for i in range(ROWS)]
    assert list(rows[0]) == ["name", "risk", "amount", "decision", "cost", "saving", "doubt"]
    for name, values in expected.columns().items():
        assert [float(row[name]) for row in rows] == values.tolist()


def test_the_summary_compares_with_one_decision_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = written(tmp_path / "data.csv"), tmp_path / "out.csv"
    code, text, _ = run(capsys, file, "--fn", "amount", "--out", str(out))
    known = np.minimum(P * AMOUNT, (1 - P) * 5)
    assert (
        code == 0 and max(map(len, text.splitlines())) <= 80 and len(out.read_text().splitlines()) == ROWS + 1
    )
    assert f"Decide for class 1 in {(P * AMOUNT > (1 - P) * 5).sum()} of {ROWS} cases" in " ".join(
        text.split()
    )
    cells = {
        line[:15].strip(): line[15:].split() for line in text.splitlines() if line[:5] in ("class", "these")
    }
    for name, costs in (("class 1 for all", (1 - P) * 5), ("class 0 for all", P * AMOUNT)):
        found = [float(cell) for cell in cells[name]]
        assert found == pytest.approx([costs.sum(), costs.mean(), (costs - known).sum()], rel=0.01)
    assert "capacity" not in text
    assert (
        "One case more would save"
        in run(capsys, file, "--fn", "amount", "--out", str(out), "--capacity", "1")[1]
    )


def test_wrong_files_are_named_by_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    amounts = [*AMOUNT.tolist()]
    amounts[17] = -3.0
    code, _, err = run(capsys, written(tmp_path / "data.csv", amounts), "--fn", "amount")
    assert code == 2 and "line 19: amount = -3.0" in err
    code, _, err = run(capsys, written(tmp_path / "data.csv"), "--fn", "amout")
    assert code == 2 and "Did you mean 'amount'?" in err
    code, _, err = run(capsys, written(tmp_path / "data.csv"), "--fn", "5", "--id", "nam")
    assert code == 2 and "no column 'nam'" in err


def test_a_threshold_of_a_spec_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text('threshold = "1/2"\n[context]\nkind = "additive"\n', encoding="utf-8")
    file = written(tmp_path / "data.csv")
    assert main(["decide", file, "--p", "risk", "--context", str(spec)]) == 2
    assert "sets a threshold" in capsys.readouterr().err


# ---- scikit-learn

X = np.column_stack([P, AMOUNT])
Y = (GENERATOR.random(ROWS) < 0.3 + 0.5 * (P > 0.2)).astype(int)


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic", None])
def test_a_classifier_decides_by_the_costs_of_each_row(calibration: Any) -> None:
    model = cd.sklearn.CostClassifier(LogisticRegression(), KNOWN, calibration=calibration, cv=2).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    expected = (p * AMOUNT > (1 - p) * 5).astype(int).tolist()
    assert 0 < sum(expected) < ROWS
    for one in (model, pickle.loads(pickle.dumps(model))):
        assert one.predict(X, {"amount": AMOUNT}).tolist() == expected
    assert model.decide(X, {"amount": AMOUNT}, capacity=2).decision.sum() <= 2


def test_a_classifier_names_its_class_1_and_can_be_cloned() -> None:
    names = np.where(Y == 1, "bad", "good")
    model = cd.sklearn.CostClassifier(LogisticRegression(), cd.FixedCosts(fp=1, fn=3), pos_label="bad", cv=2)
    p = model.fit(X, names).predict_proba(X)[:, 0]
    assert model.predict(X).tolist() == np.where(p > 0.25, "bad", "good").tolist()
    assert set(cross_val_predict(clone(model), X, names, cv=2)) <= {"bad", "good"}
    with pytest.raises(DataError, match="pos_label"):
        clone(model).set_params(pos_label=None).fit(X, names)
    with pytest.raises(DataError, match="calibration = 'platt'"):
        clone(model).set_params(calibration="platt").fit(X, names)
