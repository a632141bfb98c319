"""At the terminal every context is printed whole and every mistake described in words; no file is half written."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy

import costderive as cd
from costderive import spec
from costderive.cli import arguments, main
from costderive.core.symbols import p
from costderive.core.time_limit import forget
from costderive.proof import checker
from costderive.proof.claims import Equal, Finding, Positive, Report, Same, Verdict
from costderive.publish.formats import terminal
from costderive.publish.formats.terminal_report import table as checked_table
from tests.test_certificate import checked, derived

ROOT = Path(__file__).parents[1]
ENTRIES = sorted((ROOT / "derivations").glob("*/spec.toml"))
Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Return the status and what was printed to standard output and to standard error."""
    status = main(arguments)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def output(capsys: Capture, *arguments: str) -> str:
    status, out, err = run(capsys, *arguments)
    assert (status, err) == (0, "")
    return out


def refused(capsys: Capture, *arguments: str) -> str:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("costderive: ")
    assert "Traceback" not in err
    return err


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "import sys; from costderive.cli import main; sys.exit(main())",
        *arguments,
    ]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=60, cwd=ROOT, **options
    )


# ---- help

HEAVY = ("sympy", "numpy", "mpmath", "matplotlib", "sklearn")


@pytest.mark.parametrize("arguments", [["--help"], ["derive", "--help"], ["score", "--help"], ["--version"]])
def test_help_waits_for_no_heavy_package(arguments: list[str]) -> None:
    code = f"""
import sys
from costderive.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    assert end.code == 0
assert not {{*{HEAVY!r}}} & {{*sys.modules}}
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "costderive" in done.stdout


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"costderive {cd.__version__}\n"


def test_help_names_every_kind_and_has_an_option_for_every_key_of_one_value() -> None:
    options = {*arguments.NUMBERS, *arguments.COSTS}
    for name, kind in spec.KINDS.items():
        if {*kind.keys} <= options:
            assert name in arguments.KINDS.split(", ")
    assert all(name in spec.KINDS for name in arguments.KINDS.split(", "))


# ---- derive

PRINTED = {
    "additive": (
        ["additive"],
        ["c₀ + c₁ = 2", "L₀(p) = p²\n", "L₁(p) = (1 − p)²", "ω(s) = 2\n"],
    ),
    "additive with a budget": (
        ["additive", "--budget", "2*m"],
        ["c₀ + c₁ = 2m", "Parameters      m > 0", "L₀(p) = mp²"],
    ),
    "log loss": (
        ["harmonic", "--budget", "1"],
        [
            "1/c₀ + 1/c₁ = 1",
            "L₀(p) = −ln(1 − p)",
            "L₁(p) = −ln p",
            "L₀(1) = E[c₀] = ∞",
            "E[L₀(p) | Y = 0] < ∞",
        ],
    ),
    "geometric": (["geometric"], ["c₀c₁ = 1", "arcsin", "L₀(1) = E[c₀] = π/2"]),
    "a negative exponent": (["power-mean", "--k", "-1/2"], ["1/√c₀ + 1/√c₁ = 2", "E[L₁(p) | Y = 1] < ∞"]),
    "minimum": (
        ["power-mean", "--k", "-oo"],
        ["min(c₀, c₁) = 1", "L₀(p) = p ", "0 ≤ p ≤ 1/2", "1/2 < p ≤ 1"],
    ),
    "maximum": (["power-mean", "--k=oo", "--mean", "3"], ["max(c₀, c₁) = 3"]),
    "Inverse Score": (
        ["independent-uniform", "--c0", "0,1", "--fn", "0,1"],
        [
            "c₀ uniform on [0, 1]",
            "p²/(6(1 − p)²)    0 ≤ p ≤ 1/2",
            "L₀(1) = E[c₀] = 1/2",
            "Properness      strictly proper\n",
        ],
    ),
    "rectangle": (
        ["independent-uniform", "--fp", "1,2", "--fn", "1,3"],
        ["proper, strictly so for beliefs in (1/4, 2/3)", "L₀(1) = E[c₀] = 3/2", "L₁(0) = E[c₁] = 2"],
    ),
    "commas in parentheses": (
        ["independent-uniform", "--c0", "0,max(1,2)", "--c1", "0,min(3,4)"],
        ["c₁ uniform on [0, 3]"],
    ),
    "known costs": (
        ["fixed", "--fp", "1", "--fn", "3"],
        ["Costs           c₀ = 1 and c₁ = 3", "Point masses    mass 4 at s = 1/4"],
    ),
    "exponential": (
        ["independent", "--fp", "exponential(1)", "--fn", "exponential(1)"],
        ["independent, both exponential with expectation 1"],
    ),
    "integral": (["power-mean", "--k", "5", "--time-limit", "1"], ["c₀⁵ + c₁⁵ = 2", "∫[0, p]"]),
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_derivation_prints_context_losses_and_proof(capsys: Capture, name: str) -> None:
    arguments, expected = PRINTED[name]
    out = output(capsys, "derive", *arguments)
    for text in (
        *expected,
        "false positive",
        "false negative",
        "L₁(p) =",
        "ω(s) =",
        "Properness",
        "PROVED: ",
    ):
        assert text in out
    assert max(map(len, out.splitlines())) <= 80


def test_each_order_of_the_breakpoints_is_printed_under_its_condition() -> None:
    out = terminal.summary(derived("two orders"), checked("two orders"), title="Two uniform costs")
    for text in ("Two uniform costs", "a > 0; a < 2", "Case 1 of 2: 3a ≤ 2", "Case 2 of 2: 3a ≥ 2", "PROVED"):
        assert text in out


@pytest.mark.parametrize(
    "path",
    [path for path in ENTRIES if path.parent.name != "independent-uniform"],
    ids=lambda path: path.parent.name,
)
def test_every_entry_is_derived_from_its_spec(capsys: Capture, path: Path) -> None:
    out = output(capsys, "derive", str(path))
    assert " ".join(out.split()).startswith(spec.load(path).title)
    assert "PROVED" in out


def test_what_is_not_proved_shows_in_the_status(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding(Same("two sides", 1, 2), Verdict.OPEN, "none", 0.0, "not decided")
    monkeypatch.setattr(checker, "check", lambda derivation: Report((finding,)))
    status, out, _ = run(capsys, "derive", "additive")
    assert status == 1
    assert "OPEN: 0 of 1 claims" in out
    assert "OPEN: two sides (not decided)" in out


def test_a_loss_that_stays_an_integral_is_said_to_have_no_closed_form(capsys: Capture) -> None:
    assert "No antiderivative in closed form was found" in output(
        capsys, "derive", "power-mean", "--k", "5", "--time-limit", "1"
    )
    assert "Closed form" not in output(capsys, "derive", "additive")


def test_facts_on_parameters_are_printed_once(capsys: Capture) -> None:
    out = output(capsys, "derive", "joint", "--density", "2/B^2", "--support", "c0 + c1 <= B")
    assert "Parameters      B > 0\n" in out


# ---- files


def test_derivations_are_written_in_every_form(capsys: Capture, tmp_path: Path) -> None:
    names = {kind: str(tmp_path / f"rule.{kind}") for kind in ("latex", "html", "json", "python")}
    out = output(
        capsys, "derive", "additive", *[part for kind, file in names.items() for part in (f"--{kind}", file)]
    )
    assert "PROVED" in out
    assert Path(names["latex"]).read_text(encoding="utf-8").startswith("\\documentclass")
    assert cd.Derivation.from_json(Path(names["json"]).read_text()) == cd.derive(cd.Additive())
    assert "def loss0(p):" in Path(names["python"]).read_text(encoding="utf-8")
    assert Path(names["html"]).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {f"rule.{kind}" for kind in names}


@pytest.mark.parametrize("options", [(), ("--fragment",)])
def test_an_article_has_its_bibliography_beside_it(
    capsys: Capture, tmp_path: Path, options: tuple[str, ...]
) -> None:
    output(capsys, "derive", "additive", "--latex", str(tmp_path / "my.proof.tex"), *options)
    text, sources = ((tmp_path / f"my.proof.{kind}").read_text(encoding="utf-8") for kind in ("tex", "bib"))
    assert (r"\bibliography{my.proof}" in text) is not options and (r"\documentclass" in text) is not options
    assert r"\cite{Brier1950}" in text and "@article{Brier1950," in sources


@pytest.mark.parametrize("name", ["-", "proof", "two words.tex", "/dev/stderr"])
def test_an_article_without_a_name_for_its_bibliography_prints_it(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["derive", "additive", "--latex", name]) == 0
    capsys.readouterr()
    assert not list(tmp_path.glob("*.bib"))
    for file in tmp_path.iterdir():
        assert r"\bibitem{Brier1950}" in file.read_text(encoding="utf-8")


def test_one_output_may_be_standard_output(capsys: Capture) -> None:
    out = output(capsys, "derive", "additive", "--json", "-")
    assert cd.Derivation.from_json(out) == cd.derive(cd.Additive())


def test_an_existing_file_is_replaced_and_keeps_its_permissions(capsys: Capture, tmp_path: Path) -> None:
    target, link = tmp_path / "rule.py", tmp_path / "link.py"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    output(capsys, "derive", "additive", "--python", str(link))
    assert "def loss0" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


def test_a_new_file_has_the_usual_permissions(capsys: Capture, tmp_path: Path) -> None:
    output(capsys, "derive", "additive", "--python", str(tmp_path / "new.py"))
    (tmp_path / "other").write_text("")
    assert (tmp_path / "new.py").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_that_cannot_be_written_leaves_nothing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: object) -> None:
        raise OSError(28, "No space left on device")

    old = tmp_path / "rule.py"
    old.write_text("old")
    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in refused(capsys, "derive", "additive", "--python", str(old))
    assert [path.name for path in tmp_path.iterdir()] == ["rule.py"]
    assert old.read_text() == "old"


def test_an_export_that_fails_writes_no_other_file(capsys: Capture, tmp_path: Path) -> None:
    arguments = ["--json", str(tmp_path / "a.json"), "--code", f"sql:{tmp_path / 'a.sql'}"]
    err = refused(
        capsys, "derive", "independent", "--fp", "exponential(m)", "--fn", "exponential(M)", *arguments
    )
    assert "'M' cannot be a parameter" in err
    assert not list(tmp_path.iterdir())


# ---- check


def written(capsys: Capture, tmp_path: Path, *arguments: str) -> Path:
    path = tmp_path / "rule.json"
    output(capsys, "derive", *arguments, "--json", str(path))
    return path


def test_a_certificate_is_checked_claim_by_claim(capsys: Capture, tmp_path: Path) -> None:
    out = output(capsys, "check", str(written(capsys, tmp_path, "harmonic")))
    assert out.startswith("claim")
    assert "slope of loss 0" in out
    assert "PROVED: " in out
    assert "L₀(p) = −ln(1 − p)/2" in out


def test_a_wrong_certificate_is_refuted(capsys: Capture, tmp_path: Path) -> None:
    path = written(capsys, tmp_path, "additive")
    path.write_text(path.read_text().replace('["Pow", ["Symbol", "p"], ["Integer", "2"]]', '["Symbol", "p"]'))
    status, out, _ = run(capsys, "check", str(path))
    assert status == 1
    assert "REFUTED: slope of loss 0" in out


def test_a_certificate_that_breaks_the_checker_is_refused(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(derivation: object, tell: object) -> Report:
        raise TypeError("cannot determine truth value of Relational")

    path = written(capsys, tmp_path, "additive")
    monkeypatch.setattr(checker, "_report", broken)
    forget()
    assert "its claims cannot be decided (TypeError: " in refused(capsys, "check", str(path))


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_of_claims_fits_the_terminal(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    path = written(capsys, tmp_path, "harmonic")
    monkeypatch.setenv("COLUMNS", str(width))
    table = output(capsys, "check", str(path)).partition("\n\n")[0].splitlines()
    assert table[0].split() == ["claim", "n", "verdict", "decider", "seconds"]
    assert max(map(len, table)) <= width
    assert table[-1].split()[:2] == ["all", "claims"]


def test_what_numbers_support_is_shown_with_points_and_digits() -> None:
    """Every finding names its decider; below a claim that is not proved stands its evidence."""
    claims = (
        Equal("sines", sympy.sin(2), 2 * sympy.sin(1) * sympy.cos(1)),
        Positive("root", sympy.sqrt(p) - 99),
    )
    numeric = Finding(claims[0], Verdict.NUMERIC, "agreement to 50 digits", 0.5, "p = 1/3; p = 2/7")
    report = Report((numeric, checker.decide(claims[1])))
    table = checked_table(report, 80)
    assert "agreement to 50 digits" in table
    assert "p = 1/3; p = 2/7" in table
    assert "interval enclosure" in table
    assert "REFUTED" in table.splitlines()[-1]
    summary = terminal.summary(derived("additive"), report)
    assert "NUMERIC: sines (agreement to 50 digits: p = 1/3; p = 2/7)" in summary


def test_the_format_is_printed_without_a_certificate(capsys: Capture) -> None:
    assert "costderive derivation" in output(capsys, "check", "--format")
    assert json.loads(output(capsys, "check", "--schema"))["title"] == "costderive derivation"


def test_a_certificate_may_come_from_standard_input() -> None:
    text = cd.derive(cd.Additive()).to_json()
    assert process("check", "-", input=text).returncode == 0


# ---- score

PREDICTIONS = str(ROOT / "notebooks" / "predictions.csv")
SCORE = ["score", PREDICTIONS, "--y-true", "label"]
INVERSE = ["--context", "independent-uniform", "--fp", "0,1", "--fn", "0,1", "--draws", "20000"]


def scored(capsys: Capture, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(output(capsys, *SCORE, *arguments, "--json"))
    return document


def test_every_model_has_a_row_with_its_scores(capsys: Capture) -> None:
    lines = output(capsys, *SCORE, *INVERSE).splitlines()
    assert lines[0] == "Costs: independent, c₀ uniform on [0, 1] and c₁ uniform on [0, 1]"
    assert any(line.startswith("569 instances, 212 of class 1") for line in lines)
    headings = " ".join(line for line in lines if line.startswith("model"))
    assert "log loss" in headings and "95 % interval" in headings
    for model in ("logistic_regression", "gradient_boosting", "naive_bayes"):
        assert any(line.startswith(model) for line in lines)
    assert max(map(len, lines)) <= 110


def test_numbers_stand_in_aligned_columns(capsys: Capture) -> None:
    lines = output(capsys, *SCORE, *INVERSE).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("model"))
    table = lines[start : start + 5]
    assert len({len(line) for line in table}) == 1


def test_the_loss_of_the_additive_context_is_the_brier_score(capsys: Capture) -> None:
    for model in scored(capsys, "--context", "additive", "--draws", "2")["models"]:
        assert model["loss"] == pytest.approx(model["brier"], rel=1e-12)
        assert model["loss0"] + model["loss1"] == pytest.approx(model["loss"], rel=1e-12)


def test_the_simulated_cost_is_the_loss_within_its_standard_error(capsys: Capture) -> None:
    for model in scored(capsys, *INVERSE, "--seed", "7")["models"]:
        simulated = model["simulation"]
        # five standard errors: one failure in a million seeds, and the seed is fixed
        assert abs(simulated["mean"] - model["loss"]) <= 5 * simulated["standard_error"]


def test_the_same_seed_gives_the_same_table(capsys: Capture) -> None:
    assert output(capsys, *SCORE, *INVERSE) == output(capsys, *SCORE, *INVERSE, "--seed", "0")
    assert output(capsys, *SCORE, *INVERSE) != output(capsys, *SCORE, *INVERSE, "--seed", "1")


def test_columns_may_be_chosen_and_a_context_come_from_a_file(capsys: Capture) -> None:
    chosen = [
        "--y-proba",
        "naive_bayes",
        "logistic_regression",
        "--context",
        str(ROOT / "derivations/geometric/spec.toml"),
    ]
    models = [model["model"] for model in scored(capsys, *chosen, "--draws", "10")["models"]]
    assert models == ["naive_bayes", "logistic_regression"]


def test_the_other_class_may_be_class_1(capsys: Capture) -> None:
    assert scored(capsys, *INVERSE, "--pos-label", "0")["class_1"] == 357


def test_an_infinite_loss_is_shown_with_the_rows_that_cause_it(capsys: Capture) -> None:
    arguments = ["--context", "harmonic", "--draws", "100"]
    out = output(capsys, *SCORE, *arguments)
    assert "∞: the loss of naive_bayes is infinite in 1 row" in out
    assert scored(capsys, *arguments)["models"][2]["loss"] == "Infinity"


def test_names_in_a_file_cannot_drive_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,\x1b[31mred\n0,0.5\n1,1\n")
    out = output(capsys, "score", str(path), "--y-true", "y", "--context", "additive", "--draws", "2")
    assert "\x1b" not in out
    assert "?[31mred" in out


# ---- mistakes

MISTAKES = {
    "a kind with a slip": (["derive", "aditive"], 'Did you mean "additive"?'),
    "no such file": (["derive", "none.toml"], "No such file"),
    "a folder": (["derive", "."], "Is a directory"),
    "a file that is no spec": (["derive", __file__], "is not TOML"),
    "an option of another kind": (
        ["derive", "geometric", "--budget", "1"],
        "context.budget = '1' is an unknown key",
    ),
    "parts beside a kind without": (
        ["derive", "independent", "--c0", "lost + fee", "--c1", "4", "--parts", "lost=gamma(2,1)"],
        "Kinds with parts: parts,",
    ),
    "an option beside a spec": (["derive", str(ENTRIES[0]), "--k", "2"], "--k cannot go with"),
    "a missing option": (["derive", "power-mean"], "context.k is missing"),
    "no context to score under": ([*SCORE], "no context is given"),
    "a missing cost": (["derive", "independent-uniform", "--fp", "0,1"], "neither of c1 and fn given"),
    "both names of a cost": (
        ["derive", "fixed", "--fp", "1", "--c0", "1", "--fn", "1"],
        "both of c0 and fp given",
    ),
    "a fragment of nothing": (["derive", "additive", "--fragment"], "--fragment has no file"),
    "code in place of a bibliography": (
        ["derive", "additive", "--latex", "x.tex", "--python", "x.bib"],
        "two outputs go to the same file",
    ),
    "one bound": (["derive", "independent-uniform", "--fp", "1", "--fn", "0,1"], "is not a pair of bounds"),
    "bounds in descent": (
        ["derive", "independent-uniform", "--fp", "2,1", "--fn", "0,1"],
        "context.c0.low = 2 is not below",
    ),
    "a negative budget": (
        ["derive", "additive", "--budget", "-1"],
        "context.budget = -1 is not a positive number",
    ),
    "not a number": (["derive", "additive", "--budget", "nan"], "nan"),
    "half an expression": (["derive", "additive", "--budget", "1+"], "at column 3"),
    "code": (["derive", "additive", "--budget", "__import__('os')"], "context.budget"),
    "too many numbers": (
        ["derive", "independent", "--fp", "gamma(1,2,3)", "--fn", "1"],
        "Write gamma(shape, scale)",
    ),
    "one file for two": (
        ["derive", "additive", "--json", "x", "--python", "x"],
        "two outputs go to the same file",
    ),
    "a folder as output": (["derive", "additive", "--json", "."], "cannot be written"),
    "an output in no folder": (["derive", "additive", "--json", "/none/x.json"], "cannot be written"),
    "no such column": (["score", PREDICTIONS, "--y-true", "lable", *INVERSE], "Did you mean 'label'?"),
    "no predictions": (["score", "none.csv", "--y-true", "y", *INVERSE], "none.csv cannot be read"),
    "a label that is not there": ([*SCORE, *INVERSE, "--pos-label", "malignant"], "is not among the labels"),
    "letters in a context to score": (
        [*SCORE, "--context", "additive", "--budget", "m"],
        "m in the context has no value",
    ),
    "one draw": ([*SCORE, "--context", "additive", "--draws", "1"], "draws = 1"),
    "no certificate": (["check", "none.json"], "cannot be read"),
    "a spec as a certificate": (["check", str(ENTRIES[0])], "is not a certificate"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_described_in_words(capsys: Capture, name: str) -> None:
    arguments, problem = MISTAKES[name]
    assert problem in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["derive"],
        ["dervie", "additive"],
        ["derive", "additive", "--bugdet", "1"],
        ["derive", "additive", "--time-limit", "0"],
        [*SCORE, *INVERSE, "--seed", "-1"],
        [*SCORE, *INVERSE, "--draws", "1e9"],
    ],
)
def test_arguments_that_cannot_be_read_have_status_2(capsys: Capture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["derive", "additive", "--time-limit", "nan"], "'nan' is not a number of seconds above 0"),
        (["derive", "additive", "--time-limit", "soon"], "'soon' is not a number of seconds above 0"),
        ([*SCORE, *INVERSE, "--bootstrap", "1e5"], "'1e5' is not a whole number from 0 to 10000000"),
        ([*SCORE, *INVERSE, "--draws", "99999999999"], "'99999999999' is not a whole number from 0 to"),
    ],
)
def test_a_number_that_cannot_be_read_is_described_with_a_remedy(
    capsys: Capture, arguments: list[str], problem: str
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    shown = capsys.readouterr().err
    assert problem in shown and "write " in shown


# ---- the world outside


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = (
        f"{sys.executable} -c 'import sys; from costderive.cli import main; sys.exit(main())' derive additive"
    )
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -c 1"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.stderr == ""


def test_a_terminal_without_unicode_still_shows_numbers() -> None:
    done = process("derive", "additive", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "PROVED" in done.stdout


def test_an_interrupt_ends_with_status_130(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("costderive.derivation.derive.derive", interrupted)
    assert run(capsys, "derive", "additive") == (130, "", "costderive: interrupted\n")


def test_findings_in_a_certificate_are_data_for_other_programs(capsys: Capture) -> None:
    document = json.loads(output(capsys, "derive", "additive", "--json", "-"))
    assert {finding["verdict"] for finding in document["findings"]} == {"PROVED"}


# ------------------------------------------------------------------------------ thresholds, any pair of losses


def test_derive_at_a_fixed_threshold_prints_the_witness(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "additive", "--threshold", "1/3"]) == 0
    printed = capsys.readouterr().out
    assert "Threshold       T = 1/3, whatever the costs" in printed
    assert "Properness      improper" in printed
    assert "under the belief q = 2/5, the report p = 0 has the" in printed
    assert "PROVED" in printed


def test_derive_at_a_random_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "additive", "--threshold", "uniform(0,1)"]) == 0
    assert "R(p|q) = 1/3 < 4/9 = R(q|q)" in capsys.readouterr().out
    assert main(["derive", "additive", "--threshold", "uniform(0,2)"]) == 2
    assert "threshold has values in [0, 2]" in capsys.readouterr().err


def test_spec_may_have_a_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text('threshold = "1/4"\n[context]\nkind = "fixed"\nc0 = 1\nc1 = 3\n')
    assert main(["derive", str(spec)]) == 0
    assert "proper, but strictly so for no belief" in capsys.readouterr().out


def test_examine_prints_the_verdict_and_writes_a_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, article = tmp_path / "proof.json", tmp_path / "proof.tex"
    losses = ["--loss0", "p^2 if p <= 1/2; p^2 + 1", "--loss1", "(1-p)^2 + 1 if p < 1/2; (1-p)^2"]
    assert main(["examine", *losses, "--json", str(certificate), "--latex", str(article)]) == 0
    printed = capsys.readouterr().out
    assert "Properness      improper, but proper after changing the value at a tie" in printed
    assert "R(p|q) = 1/4 < 5/9 = R(q|q)" in printed
    assert "With the values L₀(1/2) = 1/4, L₁(1/2) = 5/4 instead, it is strictly proper." in printed
    assert main(["check", str(certificate)]) == 0
    assert "improper, but proper after changing the value at a tie" in article.read_text()


def test_examine_without_a_verdict_has_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examine", "--loss0", "-a*p", "--loss1", "-b*(1-p)"]) == 0
    assert main(["examine", "--loss0", "p^b*(1+p)", "--loss1", "(1-p)^b*(2-p)"]) == 1
    assert "undecided" in capsys.readouterr().out
    assert main(["examine", "--loss0", "p^", "--loss1", "1"]) == 2
    assert 'loss0 = "p^": unexpected end at column 3' in capsys.readouterr().err


def test_scores_are_written_to_a_file_as_they_are_printed(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    arguments = ("--fp", "1", "--fn", "5")
    assert "interval" in output(capsys, *SCORE, *arguments, "--json", str(file))
    assert json.loads(file.read_text()) == json.loads(output(capsys, *SCORE, *arguments, "--json"))


def test_a_compressed_file_is_read_as_what_it_was(capsys: Capture, tmp_path: Path) -> None:
    plain, packed, broken = (tmp_path / name for name in ("a.csv", "a.csv.gz", "b.csv.gz"))
    rows = "y,model\n" + "".join(f"{i % 2},0.{i + 1:03d}\n" for i in range(500))
    plain.write_text(rows)
    packed.write_bytes(gzip.compress(rows.encode()))
    broken.write_bytes(packed.read_bytes()[:-20])
    costs = ("--y-true", "y", "--fp", "1", "--fn", "5")
    assert output(capsys, "score", str(packed), *costs) == output(capsys, "score", str(plain), *costs)
    assert "broken gzip file" in refused(capsys, "score", str(broken), *costs)


def test_what_a_command_does_not_know_is_said_with_its_usage(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["score", "a.csv", "--y-true", "y", "--bogus", "3"])
    err = capsys.readouterr().err
    assert "usage: costderive score" in err
    assert "--bogus 3" in err
