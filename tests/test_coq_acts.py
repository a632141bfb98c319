"""Coq accepts that acts of the least expected cost are proper, and where they are taken, and no wrong matrix."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from costderive.cli import main
from costderive.core.errors import ExportError
from costderive.multiclass import CostMatrix, derive
from costderive.publish.coq.coq_file import combined, coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
ORDINAL = CostMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]], reject="1/4")
MATRICES: Mapping[str, CostMatrix] = {
    "Ordinal": ORDINAL,
    "Two_classes": CostMatrix([[0, 3], [5, 0]], reject="1/2"),
    "Letters": CostMatrix([[0, "a"], ["b", 0]]),
    "Four_classes": CostMatrix([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
    "Benefits_and_roots": CostMatrix([[0, -2, "sqrt(2)"], [1, "1/3", 1], [7, 1, 0]]),
    "Act_never_needed": CostMatrix([[0, 2, 5], [2, 0, 5]]),
}


def test_the_theorems_are_properness_and_the_region_of_each_act() -> None:
    regions = {f"{kind}{act}" for act in range(4) for kind in ("cheapest", "taken")}
    always = {"pays", "act_is_the_cheapest", "proper", "entropy_is_concave"}
    assert set(theorems(coq(derive(ORDINAL)))) == always | regions | {"same_losses"}
    letters = coq(derive(MATRICES["Letters"]))
    assert set(theorems(letters)) == always and left_out(letters) == ("regions of the acts",)


@with_coq
def test_coq_accepts_the_rules_of_matrices_on_the_axioms_of_the_reals_alone() -> None:
    answer = ask(combined({name: derive(matrix) for name, matrix in MATRICES.items()}, whole=True))
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


CHANGES = {
    "a cost": ("[1; 0; 1; 1 / 4]", "[2; 0; 1; 1 / 4]", "cheapest0"),
    "the cost of rejecting": ("[2; 1; 0; 1 / 4]", "[2; 1; 0; 1 / 3]", "cheapest0"),
    "a face": ("p1 + 2 * p2 <= 1 / 4", "p1 + p2 <= 1 / 4", "cheapest0"),
    "an act": ("(forecast [p0; p1; p2]) = 2%nat", "(forecast [p0; p1; p2]) = 1%nat", "taken2"),
    "forecasts": ("p0 + p1 + p2 = 1", "p0 + p1 + p2 = 2", "cheapest0"),
    "a forecast with the same losses": (
        "[11 / 12; 1 / 24; 1 / 24]",
        "[1 / 24; 11 / 12; 1 / 24]",
        "same_losses",
    ),
}
MUTANTS = of_one_file(lambda _: coq(derive(ORDINAL), library=False), "Ordinal", CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_stops_at_the_theorem_that_a_change_breaks(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


@with_coq
def test_check_asks_coq_about_several_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate = tmp_path / "ordinal.json"
    certificate.write_text(derive(ORDINAL).to_json(), encoding="utf-8")
    assert main(["check", str(certificate), "--coq"]) == 0
    assert "those of the classical real numbers alone" in capsys.readouterr().out


@pytest.mark.parametrize(
    "context, problem",
    [
        (CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1)"), "uncertain"),
        (CostMatrix([[abs(i - j) for j in range(30)] for i in range(30)]), "900 costs"),
    ],
)
def test_other_rules_of_several_classes_are_refused(context: object, problem: str) -> None:
    with pytest.raises(ExportError, match=problem):
        coq(derive(context))
