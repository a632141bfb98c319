"""The gallery: folders that hold a spec each, and beside it all that is generated from it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from costderive import export
from costderive.checker import check
from costderive.derivation import Derivation
from costderive.errors import ExportError, SpecError
from costderive.export import terminal
from costderive.multiclass import MulticlassDerivation
from costderive.proof import Report
from costderive.spec import Spec, load

SPEC = "spec.toml"
BIBLIOGRAPHY = "references"
RUNS, SECONDS = 3, 120  # of LaTeX, until its references and page breaks settle

WHAT = {
    "proof.tex": "the article, with its proofs",
    f"{BIBLIOGRAPHY}.bib": "its sources",
    "certificate.json": "the derivation, which `costderive check certificate.json` decides anew",
    "losses.py": "the losses as a module that needs NumPy alone",
    "proof.v": "its properness as a proof that Coq checks: `coqc proof.v`, with Coquelicot",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A spec in its folder, what is derived from it, and the findings on that."""

    folder: Path
    spec: Spec
    derivation: Derivation | MulticlassDerivation
    report: Report

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.resolve().name


def folders(root: Path) -> tuple[Path, ...]:
    """Return the folders of the entries of a gallery, by name; a folder with a spec is one of its own.

    Raises:
        SpecError: if there is no spec.
    """
    if (root / SPEC).is_file():
        return (root,)
    found = tuple(sorted(path.parent for path in root.glob(f"*/{SPEC}")))
    if not found:
        raise SpecError(f"there is no {SPEC} in {root} or in a folder in it", "Name the folder of a gallery.")
    return found


def derived(folder: Path, *, time_limit: float = 60.0) -> Entry:
    """Derive and check the entry in a folder."""
    spec = load(folder / SPEC)
    derivation = spec.derive(time_limit)
    return Entry(folder, spec, derivation, check(derivation))


def files(entry: Entry) -> dict[str, str]:
    """Return the texts of the files that are generated beside a spec, by name; the same for the same spec.

    There are no losses in NumPy if they need a function that NumPy lacks, and no proof for Coq if that lacks one or
    does not see a sign; the page of the entry then says so.
    """
    derivation, report = entry.derivation, entry.report
    texts = {
        "proof.tex": export.latex(derivation, report, bibliography=BIBLIOGRAPHY),
        f"{BIBLIOGRAPHY}.bib": export.bibtex(derivation, report),
        "certificate.json": derivation.to_json(report),
    }
    missing = {}
    writers: dict[str, Callable[[], str]] = {
        "losses.py": lambda: str(export.formulas(derivation.rule, title=entry.spec.title)),
        "proof.v": lambda: str(export.coq(derivation)),
    }
    for name, write in writers.items():
        try:
            texts[name] = write()
        except ExportError as problem:
            missing[name] = problem.problem
    return {**texts, "README.md": _page(entry, texts, missing)}


def _page(entry: Entry, texts: Mapping[str, str], missing: Mapping[str, str]) -> str:
    """Return the page that a forge shows of an entry: what is derived, and what lies beside it."""
    spec = entry.spec
    lines = [f"# {spec.title or entry.name}", "", *([f"Source: {spec.source}.", ""] if spec.source else [])]
    lines += ["```text", terminal.summary(entry.derivation, entry.report), "```", ""]
    lines += [f"* [{name}]({name}): {WHAT[name]}" for name in texts]
    lines += [f"* There is no `{name}`: {reason}" for name, reason in missing.items()]
    lines += ["", f"Generated from [{SPEC}]({SPEC}) by `costderive gallery`; do not edit.", ""]
    return "\n".join(lines)


def differing(entry: Entry) -> dict[str, str]:
    """Return the files of an entry that are not on disk as they should be, or there though they should not."""
    wanted = files(entry)
    found = {name: text for name, text in wanted.items() if _read(entry.folder / name) != text}
    stale = {name: "" for name in WHAT if name not in wanted and (entry.folder / name).exists()}
    return found | stale


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


# ---- pages to read


def publish(entry: Entry, target: Path) -> Path:
    """Write the article on an entry into a folder, as a PDF if LaTeX is there, else as HTML; return its path.

    Raises:
        ExportError: if LaTeX fails.
    """
    target.mkdir(parents=True, exist_ok=True)
    if shutil.which("pdflatex") is None:
        page = target / f"{entry.name}.html"
        page.write_text(export.html(entry.derivation, entry.report), encoding="utf-8")
    else:
        page = target / f"{entry.name}.pdf"
        page.write_bytes(_compiled(export.latex(entry.derivation, entry.report), entry.name))
    return page


def _compiled(article: str, name: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "article.tex").write_text(article, encoding="utf-8")
        for _ in range(RUNS):
            _run_latex(scratch, name)
        return (Path(scratch) / "article.pdf").read_bytes()


def _run_latex(scratch: str, name: str) -> None:
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "article.tex"]
    try:
        done = subprocess.run(command, cwd=scratch, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise ExportError(f"pdflatex ran for {SECONDS} s on {name}", "Try it on proof.tex by hand.") from None
    if done.returncode:
        last = done.stdout.decode(errors="replace").strip().splitlines()[-8:]
        raise ExportError("\n  ".join([f"pdflatex failed on {name}:", *last]), "Is your LaTeX complete?")
