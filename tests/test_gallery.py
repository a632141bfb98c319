"""What lies beside each spec of the gallery is what the spec gives; pages are built in one command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sympy import Expr

import costderive as cd
from costderive import gallery, spec
from costderive.cli import main
from costderive.errors import SpecError
from costderive.export import article
from costderive.pieces import Pieces
from tests.families import told

ROOT = Path(__file__).parents[1] / "derivations"
FOLDERS = gallery.folders(ROOT)


def entry(folder: Path) -> gallery.Entry:
    """Derive an entry; the one that takes longest is a family that other tests derive too."""
    if folder.name != "independent-uniform":
        return gallery.derived(folder)
    found = spec.load(folder / "spec.toml")
    assert found.context == told("symbolic")[0].context
    return gallery.Entry(folder, found, *told("symbolic"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_an_entry_is_as_it_was_committed(folder: Path) -> None:
    assert list(gallery.differing(entry(folder))) == []


def _has_numbers(found: spec.Spec) -> bool:
    return found.expected is not None and not found.context.parameters


def value_of(pieces: Pieces, x: float) -> Expr:
    piece = next(piece for piece in pieces if x <= piece.high)
    return piece.value.subs(cd.symbols.p, x)


NUMERIC = [folder for folder in FOLDERS if _has_numbers(spec.load(folder / "spec.toml"))]


@pytest.mark.parametrize("folder", NUMERIC, ids=lambda folder: folder.name)
def test_the_losses_of_an_entry_are_those_that_its_spec_expects(folder: Path) -> None:
    """The committed module runs without costderive; what is expected is read from the spec alone."""
    expected = spec.load(folder / "spec.toml").expected
    assert expected is not None
    code = "import json, losses; print(json.dumps([losses.loss0(P).tolist(), losses.loss1(P).tolist()]))"
    probabilities = np.linspace(0.01, 0.99, 197)
    program = f"import numpy as np; P = np.array({probabilities.tolist()}); {code}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ""},
    )
    for pieces, got in zip((expected.loss0, expected.loss1), json.loads(done.stdout), strict=True):
        wanted = [float(value_of(pieces, x)) for x in probabilities]
        assert np.allclose(got, wanted, rtol=1e-10, atol=1e-12)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    for name in ("additive", "h-measure"):
        (tmp_path / name).mkdir()
        shutil.copy(ROOT / name / "spec.toml", tmp_path / name)
    return tmp_path


def test_the_gallery_is_written_checked_and_written_again(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gallery", str(small)]) == 0
    assert {path.name for path in (small / "additive").iterdir()} == {*gallery.WHAT, "README.md", "spec.toml"}
    assert main(["gallery", str(small), "--check"]) == 0
    capsys.readouterr()
    proof = small / "additive" / "proof.tex"
    proof.write_text(proof.read_text(encoding="utf-8").replace("Theorem", "Conjecture"), encoding="utf-8")
    assert main(["gallery", str(small), "--check"]) == 1
    out = capsys.readouterr().out
    assert "additive: strictly proper, PROVED; differs in proof.tex\n" in out
    assert "h-measure: strictly proper, PROVED; as it should be\n" in out
    assert "Conjecture" in proof.read_text(encoding="utf-8")
    assert main(["gallery", str(small / "additive")]) == 0
    assert main(["gallery", str(small), "--check"]) == 0


def test_code_that_an_entry_cannot_have_is_removed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "additive-beta" / "spec.toml", tmp_path)
    (tmp_path / "losses.py").write_text("stale", encoding="utf-8")
    assert main(["gallery", str(tmp_path)]) == 0
    assert not (tmp_path / "losses.py").exists()
    assert "There is no `losses.py`: there is no betainc" in (tmp_path / "README.md").read_text(
        encoding="utf-8"
    )


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


def test_an_article_that_latex_refuses_is_told_with_its_last_lines(
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
