"""What lies beside each spec of the gallery is what the spec gives; pages are built in one command."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sympy import Expr

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Pieces
from costderive.publish import gallery
from costderive.publish.formats import article
from tests import targets

ROOT = Path(__file__).parents[1] / "derivations"
FOLDERS = gallery.folders(ROOT)


SPECS = {folder.name: spec.load(folder / "spec.toml") for folder in FOLDERS}
P = np.linspace(0.0137, 0.9871, 83)  # none is a breakpoint, where a loss may jump


def test_the_page_of_the_gallery_lists_every_entry() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [row.split("](")[1].split("/)")[0] for row in page.splitlines() if row.startswith("| [")] == list(
        SPECS
    )


def test_the_first_page_says_how_many_claims_its_rule_has() -> None:
    first = (ROOT.parent / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"PROVED: (\d+ of \d+) claims", first)
    assert said in (ROOT / "independent-uniform" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_an_entry_has_each_file_or_says_why_not(folder: Path) -> None:
    """That the files are those of the spec is what `costderive gallery --check` decides, in CI."""
    page = (folder / "README.md").read_text(encoding="utf-8")
    for name in gallery.FILES:
        assert (
            (folder / name).exists() == (f"* [{name}]({name})" in page) != (f"There is no `{name}`" in page)
        )


# ---- the losses of the committed programs, against what the specs expect


@cache
def expected(name: str, label: int) -> list[float]:
    """Return the expected loss of a class at ``P``, at the numbers of the example, as the spec states it."""
    found = SPECS[name]
    assert found.expected is not None
    pieces = (found.expected.loss0, found.expected.loss1)[label]
    return [float(value_of(pieces, x, found.example)) for x in P]


def value_of(pieces: Pieces, x: float, example: Mapping[str, Expr]) -> Expr:
    def at(value: Expr) -> Expr:
        return value.subs(
            {symbol: example[symbol.name] for symbol in value.free_symbols if symbol.name in example}
        )

    piece = next(piece for piece in pieces if x <= at(piece.high))
    return at(piece.value).subs(cd.symbols.p, x)


EXPECTED = [folder for folder in FOLDERS if SPECS[folder.name].expected is not None]


def with_file(name: str) -> list[Path]:
    return [folder for folder in EXPECTED if (folder / name).exists()]


@pytest.mark.parametrize("folder", with_file("losses.py"), ids=lambda folder: folder.name)
def test_the_losses_of_an_entry_in_numpy_are_those_expected(folder: Path) -> None:
    """The committed module runs in a namespace of its own, without costderive; parameters are its arguments."""
    program = (folder / "losses.py").read_text(encoding="utf-8")
    assert "costderive" not in [
        line.split()[1] for line in program.splitlines() if line.startswith(("import", "from"))
    ]
    _same_as_expected(folder, targets.python_of_rows)


def _same_as_expected(folder: Path, run: targets.OfRows, name: str = "losses.py") -> None:
    """Run a program at ``P``; its parameters are those of the example, unless it is for these alone."""
    program, example = (folder / name).read_text(encoding="utf-8"), SPECS[folder.name].example
    numbers = (
        {}
        if f", for {', '.join(f'{x} = {v}' for x, v in example.items())}" in _row(folder, name)
        else example
    )
    names = sorted(numbers)
    rows = [(x, *(float(numbers[name]) for name in names)) for x in P]
    for label, got in enumerate(run(program, names, rows)):
        assert np.allclose(got, expected(folder.name, label), rtol=1e-10, atol=1e-12)


def _row(folder: Path, name: str) -> str:
    """Return what the page says of a file."""
    page = (folder / "README.md").read_text(encoding="utf-8")
    return next(line for line in page.splitlines() if line.startswith(f"* [{name}]"))


@pytest.mark.parametrize("folder", with_file("losses.c"), ids=lambda folder: folder.name)
def test_the_losses_of_an_entry_in_c_are_those_expected(folder: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    _same_as_expected(folder, targets.c_of_rows, "losses.c")


@pytest.mark.parametrize("folder", with_file("losses.sql"), ids=lambda folder: folder.name)
def test_the_losses_of_an_entry_in_sql_are_those_expected(folder: Path) -> None:
    _same_as_expected(folder, targets.duckdb_of_rows, "losses.sql")


def test_the_losses_without_closed_form_have_the_slopes_of_their_definition(tmp_path: Path) -> None:
    """L0' = p b(p). Every other entry that has programs is tried above, with its parameters, or with its classes."""
    assert [
        folder.name for folder in FOLDERS if (folder / "losses.c").exists() and folder not in EXPECTED
    ] == [
        "additive-beta",
        "additive-three-classes",
        "gamma",
        "independent-uniform",
        "inverse-score-three-classes",
        "ordinal-with-reject",
        "power-mean-3",
    ]
    cube = (2 / (P**3 + (1 - P) ** 3)) ** (1 / 3)
    for name, label in (("losses.py", 0), ("losses.py", 1), ("losses.c", 0), ("losses.c", 1)):
        loss = _loss(ROOT / "power-mean-3" / name, label, tmp_path)
        slope = (loss(P + 1e-6) - loss(P - 1e-6)) / 2e-6
        assert np.allclose(slope, P * cube if label == 0 else -(1 - P) * cube, rtol=1e-7)
        assert loss(np.array([float(label)]))[0] == 0


def _loss(program: Path, label: int, scratch: Path) -> Any:
    """Return the loss of a class from a committed program, as a function of arrays."""
    if program.suffix == ".py":
        module: dict[str, Any] = {"__name__": "losses"}
        exec(program.read_text(encoding="utf-8"), module)
        return module[f"loss{label}"]
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    library = scratch / "losses.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, program, "-lm"], check=True)
    loss = getattr(ctypes.CDLL(str(library)), f"loss{label}")
    loss.restype, loss.argtypes = ctypes.c_double, [ctypes.c_double]
    return np.vectorize(loss, otypes=[float])


def test_the_programs_of_ordered_classes_cost_what_the_best_act_costs(tmp_path: Path) -> None:
    folder = ROOT / "ordinal-with-reject"
    forecasts = np.random.default_rng(3).dirichlet(np.ones(3), 200)
    costs = np.array([[0, 1, 2, 0.25], [1, 0, 1, 0.25], [2, 1, 0, 0.25]])  # of a class and an act
    wanted = costs[:, (forecasts @ costs).argmin(axis=1)].T
    module: dict[str, Any] = {"__name__": "losses"}
    exec((folder / "losses.py").read_text(encoding="utf-8"), module)
    assert np.array_equal(module["losses"](forecasts), wanted)
    frame = pd.DataFrame(np.repeat(forecasts, 3, axis=0), columns=["p0", "p1", "p2"])
    frame["y"] = np.tile([0, 1, 2], len(forecasts))
    query = (folder / "losses.sql").read_text(encoding="utf-8")
    answer = duckdb.connect().register("predictions", frame).sql(query).df()
    assert np.array_equal(answer.sort_values(["p0", "y"])["loss"], wanted[forecasts[:, 0].argsort()].ravel())
    library = tmp_path / "losses.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "losses.c", "-lm"], check=True)
    loss = ctypes.CDLL(str(library)).loss
    loss.restype, loss.argtypes = (
        ctypes.c_double,
        [ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_int],
    )
    for forecast, expected_ones in zip(forecasts, wanted, strict=True):
        row = (ctypes.c_double * 3)(*forecast)
        assert [loss(label, row, 3) for label in range(3)] == list(expected_ones)


# ---- pages, pictures, and writing them


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_formulas_of_a_page_are_of_tex_that_forges_allow(folder: Path) -> None:
    page = (folder / "README.md").read_text(encoding="utf-8")
    formulas = re.findall(r"```math\n(.*?)\n```|\$`(.*?)`\$", page, re.DOTALL)
    of_classes = cd.multiclass.ClassCosts | cd.multiclass.CostMatrix
    assert len(formulas) >= 2 or isinstance(SPECS[folder.name].context, of_classes)
    assert not re.search(r"\\(operatorname|def|newcommand|require|href|unicode)\b", page)
    pykatex = pytest.importorskip("pykatex")
    for display, inline in formulas:
        pykatex.renderToString(
            display or inline, displayMode=True, throwOnError=True, strict=pykatex.STRICT_ERROR
        )


def test_a_picture_may_differ_in_its_last_digits_alone() -> None:
    picture = (ROOT / "additive" / "figure.svg").read_text(encoding="utf-8")
    will_do = gallery.FILES["figure.svg"].will_do
    first = re.search(r"[0-9]+\.[0-9]{4,}", picture)
    assert first is not None

    def moved(by: float) -> str:
        return picture.replace(first[0], f"{float(first[0]) + by:.6f}", 1)

    assert will_do(moved(0.001), picture)
    assert not will_do(moved(0.1), picture)
    assert not will_do(picture.replace("#0072b2", "#0072b3"), picture)


def test_a_program_measured_elsewhere_will_do_if_it_is_of_the_same_losses() -> None:
    program = (ROOT / "geometric" / "losses.c").read_text(encoding="utf-8")
    will_do = gallery.FILES["losses.c"].will_do
    assert will_do(program.replace("within", "within about"), program)
    assert not will_do(program.replace("loss0(p) =", "loss0(p) = 2*", 1), program)
    assert not will_do("", program)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    for name in ("additive", "zero-one"):
        (tmp_path / name).mkdir(exist_ok=True)
        shutil.copy(ROOT / name / "spec.toml", tmp_path / name)
    return tmp_path


def test_the_gallery_is_written_checked_and_written_again(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gallery", str(small)]) == 0
    assert {path.name for path in (small / "additive").iterdir()} == {
        *gallery.FILES,
        "README.md",
        "spec.toml",
    }
    assert main(["gallery", str(small), "--check"]) == 0
    capsys.readouterr()
    proof = small / "additive" / "proof.tex"
    proof.write_text(proof.read_text(encoding="utf-8").replace("Theorem", "Conjecture"), encoding="utf-8")
    assert main(["gallery", str(small), "--check"]) == 1
    out = capsys.readouterr().out
    assert "additive: strictly proper, PROVED; differs in proof.tex\n" in out
    assert "zero-one: proper, PROVED; as it should be\n" in out
    assert "Conjecture" in proof.read_text(encoding="utf-8")
    assert main(["gallery", str(small / "additive")]) == 0
    assert main(["gallery", str(small), "--check"]) == 0
    (small / "README.md").write_text("stale", encoding="utf-8")
    assert main(["gallery", str(small), "--check"]) == 1
    assert "README.md differs" in capsys.readouterr().out


def test_a_file_that_an_entry_cannot_have_is_removed(tmp_path: Path) -> None:
    spec = (ROOT / "inverse-score-three-classes" / "spec.toml").read_text(encoding="utf-8")
    spec = spec.replace("classes = 3\ncosts = ", "classes = 2\ncosts = ").replace(
        '"uniform(0, 1)"', '"uniform(1, 2)"'
    )
    (tmp_path / "spec.toml").write_text(spec, encoding="utf-8")
    (tmp_path / "proof.v").write_text("stale", encoding="utf-8")
    assert main(["gallery", str(tmp_path)]) == 0
    assert not (tmp_path / "proof.v").exists()
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "There is no `proof.v`: a law has several bounds." in page


def test_pdfs_are_built_in_one_command(small: Path, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    assert main(["gallery", str(small), "--pdf", str(tmp_path / "pages")]) == 0
    assert [path.read_bytes()[:5] for path in sorted((tmp_path / "pages").iterdir())] == [b"%PDF-", b"%PDF-"]
    assert sorted(path.name for path in (small / "additive").iterdir()) == ["spec.toml"]


def test_without_latex_there_are_pages_in_html(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["gallery", str(small / "additive"), "--pdf", str(small / "pages")]) == 0
    assert (small / "pages" / "additive.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_article_that_latex_refuses_is_reported_with_its_last_lines(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    monkeypatch.setattr(article, "_PREAMBLE", r"\documentclass{article}\undefinedcommand")
    assert main(["gallery", str(small / "additive"), "--pdf", str(small / "pages")]) == 2
    assert "pdflatex failed on additive" in capsys.readouterr().err
    assert not list((small / "pages").iterdir())


def test_a_folder_without_a_spec_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"there is no spec.toml in"):
        gallery.folders(tmp_path)
