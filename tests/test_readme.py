"""The README's commands print what it says, and its Python block runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from costderive.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.S)


def commands() -> list[list[str]]:
    parts = blocks("sh")[0].split("&&")
    return [shlex.split(part)[1:] for part in parts if part.strip().startswith("costderive")]


@pytest.mark.parametrize("number", [0, 1])
def test_command_prints_what_the_readme_says(
    number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(commands()[number]) == 0
    assert capsys.readouterr().out.strip() == blocks("text")[number].strip()


def test_articles_are_written_as_the_readme_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    article, fragment, gallery = [
        shlex.split(line.split("&&")[0])[1:] for line in blocks("sh")[1].splitlines()
    ]
    assert main(article) == main(fragment) == 0
    assert {file.name for file in tmp_path.iterdir()} == {
        "proof.tex",
        "proof.bib",
        "theorem.tex",
        "theorem.bib",
    }
    assert main([*gallery, str(ROOT / "derivations" / "additive")]) == 0
    assert [file.stem for file in (tmp_path / "pages").iterdir()] == ["additive"]


def test_python_block_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks("python")[0], "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith(
        "Piecewise((p**2/(6*(1 - p)**2), p <= 1/2), ((5*p - 2)/(6*p), True))"
    )


def test_losses_are_examined_as_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile("import costderive as cd\n" + blocks("python")[1], "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[0] == "improper"


def test_several_classes_are_derived_and_scored_as_the_readme_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exec(compile("import costderive as cd\n" + blocks("python")[3], "README.md", "exec"), {})
    verdict, exact, mean = capsys.readouterr().out.splitlines()
    assert verdict == "strictly proper p0**3/(12*p1**2*p2) - p1/(3*p2) + 1/2"
    assert len(exact.split(", ")) == 3 and 0 < float(mean) < 1 / 2


def test_rules_say_of_costs_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile("import costderive as cd\n" + blocks("python")[2], "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "PowerMean(k=1, mean=1, density=Law(" in printed and "bounded-brier(1/20, 3/10)" in printed
    assert (
        "m times brier 2*m times beta(1, 1)" in printed and "Convexity(verdict=<Verdict.PROVED: 3>" in printed
    )


def test_test_command_is_the_one_that_ci_runs() -> None:
    assert "python -m pytest" in blocks("sh")[-1]
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
