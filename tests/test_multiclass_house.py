"""The rest of the house serves K classes: certificates, articles, specs, the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.cli import main
from costderive.errors import SpecError
from costderive.multiclass import (
    DirichletCosts,
    IndependentCosts,
    MulticlassDerivation,
    brier,
    derive,
    from_entropy,
    not_affine,
    power,
    pseudospherical,
)
from costderive.proof import Report, Verdict

DERIVED: dict[str, Callable[[], MulticlassDerivation]] = {
    "additive": lambda: derive(DirichletCosts((1, 1, 1))),
    "shares of B": lambda: derive(DirichletCosts((1, 2, 1), budget="B")),
    "inverse": lambda: derive(IndependentCosts(("uniform(0, 1)",) * 4)),
    "laws": lambda: derive(IndependentCosts(("exponential(m)", {1: "1/3", 4: "2/3"}, 2))),
    "power": power,
    "norm": pseudospherical,
    "entropy": lambda: from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3),
    "no entropy": lambda: from_entropy("p0^2 + p1^2", classes=2),
    "not affine": lambda: not_affine(derive(DirichletCosts((1, 1, 1))), brier()),
}
by_name = pytest.mark.parametrize("name", DERIVED)


@cache
def told(name: str) -> tuple[MulticlassDerivation, Report]:
    derivation = DERIVED[name]()
    return derivation, cd.check(derivation)


# ---- certificates


@by_name
def test_a_derivation_survives_being_written_and_read(name: str) -> None:
    derivation, report = told(name)
    text = derivation.to_json(report)
    again = MulticlassDerivation.from_json(text)
    assert again == derivation and again.to_json(report) == text
    assert cd.check(again).verdict is report.verdict is Verdict.PROVED


def test_a_certificate_of_one_kind_is_not_read_as_the_other() -> None:
    with pytest.raises(SpecError, match="it has no Derivation"):
        cd.Derivation.from_json(told("power")[0].to_json())
    with pytest.raises(SpecError, match="it has no MulticlassDerivation"):
        MulticlassDerivation.from_json(cd.derive(cd.Additive()).to_json())


def test_a_certificate_shows_the_losses_without_their_proof() -> None:
    derivation, _ = told("additive")
    (case,) = json.loads(derivation.to_json())["rule"]
    ((order, losses),) = [cell[1:] for cell in case["losses"][1:]]
    assert order == ["tuple"] and len(losses) == 4


def test_the_command_checks_certificates_of_several_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "additive.json"
    file.write_text(told("additive")[0].to_json())
    assert main(["check", str(file)]) == 0
    assert "PROVED" in capsys.readouterr().out
    file.write_text(file.read_text().replace('"p2"', '"p1"'))
    assert main(["check", str(file)]) == 1
    assert "REFUTED" in capsys.readouterr().out
