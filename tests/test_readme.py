"""The README's commands print what it says, its Python runs, and its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from costderive import site
from costderive.cli import main
from costderive.publish import gallery

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = Path(site.__file__).parent / "pages"
OMITTED = "…"  # a line for any number of lines
SCREEN = 50  # lines


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.S)


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def commands(block: str) -> list[list[str]]:
    parts = re.split(r"&&|\n", block)
    return [shlex.split(part)[1:] for part in parts if part.strip().startswith("costderive")]


def matches(shown: str, printed: str) -> bool:
    """Return whether lines were printed as shown, one part after another where some are omitted."""
    parts = [part.strip("\n") for part in f"\n{shown}\n".split(f"\n{OMITTED}\n")]
    return re.search(r"\n(?:.*\n)*?".join(map(re.escape, filter(None, parts))), printed) is not None


def test_what_is_omitted_is_between_what_is_shown() -> None:
    assert matches("a\n…\nd\n…", "a\nb\nc\nd\ne\n")
    assert matches("b\nc\n…", "a\nb\nc\nd\n")
    assert not matches("a\nc\n…", "a\nb\nc\nd\n")
    assert not matches("d\n…\na", "a\nb\nc\nd\n")


@pytest.mark.parametrize("number", [0, 1])
def test_command_prints_what_the_readme_says(
    number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")  # whatever the terminal is in which the tests run
    assert main(commands(blocks("sh")[0])[number]) == 0
    assert matches(blocks("text")[number], capsys.readouterr().out)


def test_the_picture_is_the_one_that_the_command_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    picture = tmp_path / "cheapest.svg"
    assert main([*commands(blocks("sh")[0])[0], "--plot", str(picture)]) == 0
    drawn, committed = (
        file.read_text(encoding="utf-8") for file in (picture, ROOT / "notebooks/cheapest.svg")
    )
    assert gallery.FILES["figure.svg"].will_do(drawn, committed)


def test_the_first_screen_is_one_screen() -> None:
    assert README.partition("\n## ")[0].count("\n") < SCREEN


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 12
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("number", [1, 2])
def test_the_other_commands_run(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = commands(blocks("sh")[number])
    assert len(lines) >= 3 and [main(line) for line in lines] == [0] * len(lines)
    if number == 2:
        written = {"proof.tex", "proof.bib", "proof.html", "certificate.json", "losses.c"}
        assert {file.name for file in tmp_path.iterdir()} == written


def test_articles_are_written_as_their_page_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    article, fragment = commands(blocks("sh quiet", page("programs"))[0])
    assert main(article) == main(fragment) == 0
    names = {"proof.tex", "proof.bib", "proof.html", "theorem.tex", "theorem.bib"}
    assert {file.name for file in tmp_path.iterdir()} == names
    assert "costderive gallery --pdf pages" in page("programs")
    assert main(["gallery", "--pdf", "pages", str(ROOT / "derivations" / "additive")]) == 0
    assert [file.stem for file in (tmp_path / "pages").iterdir()] == ["additive"]


def test_python_block_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks("python")[0], "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith(
        "Piecewise((p**2/(6*(1 - p)**2), p <= 1/2), ((5*p - 2)/(6*p), True))"
    )


def test_losses_are_examined_as_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile("import costderive as cd\n" + blocks("python")[1], "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[0] == "improper"


def test_several_classes_are_derived_and_scored_as_their_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exec(compile("".join(blocks("python", page("classes"))[:4]), "classes.md", "exec"), {})
    verdict, loss, exact, mixed, mixed_mean, mixture, mean, named = capsys.readouterr().out.splitlines()
    assert (verdict, loss) == ("strictly proper", "p0**3/(12*p1**2*p2) - p1/(3*p2) + 1/2")
    assert mixed == "strictly proper PROVED" and 0 < float(mixed_mean) < 2
    assert len(exact.split(", ")) == 3 and 0 < float(mean) < 1 / 2
    assert float(mixture) == pytest.approx(0.27707716664478)  # by quadrature of E[c0; c0 is not chosen]
    assert named == mean


def test_rules_say_of_costs_what_their_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile("".join(blocks("python", page("rules"))), "rules.md", "exec"), {})
    printed = capsys.readouterr().out
    assert (
        "PowerMean(k=1, mean=1, density=<Law: density " in printed and "bounded-brier(1/20, 3/10)" in printed
    )
    assert (
        "m times brier 2*m times beta(1, 1)" in printed and "Convexity(verdict=<Verdict.PROVED: 3>" in printed
    )


def test_test_command_is_the_one_that_ci_runs() -> None:
    assert "python -m pytest" in blocks("sh")[-1]
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
