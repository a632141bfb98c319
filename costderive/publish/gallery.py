"""The gallery: folders that hold a spec each, and beside it all that is generated from it."""

from __future__ import annotations

import operator
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from costderive.core.errors import ExportError, ParametersLeftError, SpecError
from costderive.derivation.certificates.document import read as read_certificate
from costderive.derivation.derivation import Derivation
from costderive.multiclass import CostMatrix, MulticlassDerivation
from costderive.programs.program import ACCURACY, code, formulas
from costderive.proof.checker import check
from costderive.proof.claims import Report
from costderive.publish import plots
from costderive.publish.coq.coq_file import coq
from costderive.publish.coq.library_text import library_files
from costderive.publish.formats.article import bibtex, latex, preliminaries
from costderive.publish.formats.forge_markdown import markdown
from costderive.publish.formats.html_page import html
from costderive.rules import ScoringRule
from costderive.spec import Spec, load

SPEC = "spec.toml"
CERTIFICATE = "certificate.json"
BIBLIOGRAPHY = "references"
PAGE = "README.md"
PRELIMINARIES = "preliminaries.tex"
DRAWS = 400  # of costs, in a picture: more make large files
NEAR = 0.01  # points
NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)")
IDENTIFIER = re.compile(r"\b[A-Za-z][0-9a-f]{10}\b")  # matplotlib's, a hash of the numbers of a stroke
RUNS, MOST_RUNS, SECONDS = 3, 6, 120  # of LaTeX, until its references and page breaks settle


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

    @property
    def verdict(self) -> str:
        """What is proved of the rule, in a word, or what is concluded and why that is not proved."""
        return str(self.derivation.judged(self.report))


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


def certified(folder: Path) -> Entry:
    """Read the entry in a folder from its certificate, and check that; derive it if there is none of its spec."""
    spec = load(folder / SPEC)
    try:
        text = (folder / CERTIFICATE).read_text(encoding="utf-8")
        derivation: Any = read_certificate(text, (Derivation, MulticlassDerivation))
    except (OSError, SpecError):
        return derived(folder)
    if derivation.context != spec.start:
        return derived(folder)
    spec.compare(derivation)
    return Entry(folder, spec, derivation, check(derivation))


@dataclass(frozen=True, slots=True)
class File:
    """What is generated beside a spec: what it is, how it is written, and when a written one will do in its place."""

    what: str
    write: Callable[[Entry], str]
    will_do: Callable[[str, str], bool] = operator.eq


def _article(entry: Entry) -> str:
    return latex(entry.derivation, entry.report, bibliography=BIBLIOGRAPHY, made_of=entry.spec.made_of)


def _program(entry: Entry, target: str, *, as_formulas: bool = False) -> str:
    """Write the losses: as formulas if there are parameters, or if that is wanted; else for those of the example."""
    rule, title = entry.derivation.rule, entry.spec.title
    try:
        if not (as_formulas or rule.parameters):
            return code(rule, target, title=title)
        return formulas(rule, target, title=title, example=entry.spec.example)
    except ExportError as problem:
        with suppress(ExportError):
            return _at_example(entry, target)
        raise problem from None


def _at_example(entry: Entry, target: str) -> str:
    rule, numbers = entry.derivation.rule, _numbers(entry.spec)
    fixed = rule.at(**entry.spec.example) if isinstance(rule, ScoringRule) else rule
    return code(
        fixed,
        target,
        title="\n".join([entry.spec.title, f"For {numbers}."] if numbers else [entry.spec.title]),
    )


def _numbers(spec: Spec) -> str:
    return ", ".join(f"{name} = {value}" for name, value in spec.example.items())


def _coq(entry: Entry) -> str:
    return coq(entry.derivation, library=False)


def _figure(entry: Entry) -> str:
    """Draw costs, threshold weight, losses and entropy, at the numbers of the example if there are parameters."""
    if isinstance(entry.derivation, Derivation):
        return plots.svg(plots.derivation(entry.derivation, at=entry.spec.example, draws=DRAWS))
    return plots.svg(plots.simplex(entry.derivation))


def _same_losses(found: str, wanted: str) -> bool:
    """Return whether two programs are of the same losses, by what they say of themselves.

    How exact a formula is, and so where tables begin, depends on the logarithms of the machine that wrote them.
    """
    (said, *found_more), (wanted_said, *more) = (text.split(ACCURACY) for text in (found, wanted))
    return said == wanted_said and bool(more) and bool(found_more)


def _same_drawing(found: str, wanted: str) -> bool:
    """Return whether two pictures are the same strokes, each number within a hundredth of a point."""
    (said, numbers), (wanted_said, others) = _numbers_apart(found), _numbers_apart(wanted)
    return said == wanted_said and all(abs(x - y) <= NEAR for x, y in zip(numbers, others, strict=True))


def _numbers_apart(text: str) -> tuple[list[str], list[float]]:
    """Split a text in what is no number, and the numbers."""
    parts = NUMBER.split(IDENTIFIER.sub("", text))
    return parts[::2], [float(number) for number in parts[1::2]]


INTRODUCTION = """
Each entry is a cost context (`spec.toml`) with the scoring rule that follows from it: the article with its proof, a
certificate that `costderive check` decides again, the losses as programs that need nothing of costderive, and a
picture. `costderive gallery` writes all this from the specs, and `costderive gallery --check` says what differs.

What holds whatever the law of the costs is proved once, in [preliminaries.tex](preliminaries.tex), which the articles
cite.

Coq checks all proofs of properness, with Coquelicot: `coq_makefile -f _CoqProject -o Makefile && make`.
""".strip()

FILES: Mapping[str, File] = {
    "proof.tex": File("the article, with its proofs", _article),
    f"{BIBLIOGRAPHY}.bib": File("its sources", lambda entry: bibtex(entry.derivation, entry.report)),
    CERTIFICATE: File(
        "the derivation, which `costderive check certificate.json` decides again",
        lambda entry: entry.derivation.to_json(entry.report),
    ),
    "proof.v": File(
        "the derivation, as far as it goes, as a proof that Coq checks, with the library in `../coq` and Coquelicot",
        _coq,
    ),
    "losses.py": File(
        "the losses as a module that needs NumPy alone",
        partial(_program, target="numpy", as_formulas=True),
        _same_losses,
    ),
    "losses.c": File("the losses in C", partial(_program, target="c"), _same_losses),
    "losses.sql": File("the losses of a table of predictions", partial(_program, target="sql"), _same_losses),
    "figure.svg": File("the picture above", _figure, _same_drawing),
}


def files(entry: Entry) -> dict[str, str]:
    """Return the texts of the files that are generated beside a spec, by name.

    A file that an entry cannot have is left out, and its page says why.

    Raises:
        CostDeriveError: if matplotlib is not installed.
    """
    texts, missing = {}, {}
    for name, file in FILES.items():
        try:
            texts[name] = file.write(entry)
        except (ExportError, ParametersLeftError) as problem:
            missing[name] = problem.problem
    return {**texts, PAGE: _page(entry, texts, missing)}


def _page(entry: Entry, texts: Mapping[str, str], missing: Mapping[str, str]) -> str:
    """Return the page that a forge shows of an entry: what is derived, and what lies beside it."""
    spec, report = entry.spec, entry.report
    lines = [f"# {spec.title or entry.name}", "", *([f"Source: {spec.source}.", ""] if spec.source else [])]
    lines += [
        f"**{entry.verdict}**; proof: {report.verdict.name}, {len(report.findings)} claims decided.",
        "",
    ]
    lines += _picture(entry) if "figure.svg" in texts else []
    lines += [markdown(entry.derivation, report), "", "## Files", ""]
    lines += [
        f"* [{name}]({name}): {FILES[name].what}{_restricted(spec, text)}" for name, text in texts.items()
    ]
    lines += [f"* There is no `{name}`: {why.rstrip('.')}." for name, why in missing.items()]
    lines += ["", f"Generated from [{SPEC}]({SPEC}) by `costderive gallery`; do not edit.", ""]
    return "\n".join(lines)


def _restricted(spec: Spec, text: str) -> str:
    """Say for which numbers a program is; those with parameters are for all."""
    numbers = _numbers(spec)
    return f", for {numbers}" if numbers and f"For {numbers}." in text else ""


def _picture(entry: Entry) -> list[str]:
    shown = "The losses of the classes, and the entropy"
    if isinstance(entry.derivation, Derivation):
        shown = "The costs, and what follows from them"
    elif isinstance(entry.spec.context, CostMatrix):
        shown = "The acts that are taken, and the entropy"
    caption = [f"The picture is for {numbers}.", ""] if (numbers := _numbers(entry.spec)) else []
    return [f"![{shown}](figure.svg)", "", *caption]


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in the page of a gallery."""

    name: str
    title: str
    verdict: str
    source: str

    @classmethod
    def of(cls, entry: Entry) -> Row:
        """Return the row of an entry."""
        return cls(entry.name, entry.spec.title or entry.name, entry.verdict, entry.spec.source)


def shared(root: Path, rows: Sequence[Row]) -> dict[str, str]:
    """Return the files that the entries of a gallery share, by their path in its folder, once these are written."""
    proofs = [f"{row.name}/proof.v" for row in rows if (root / row.name / "proof.v").is_file()]
    return {PAGE: index(rows), PRELIMINARIES: preliminaries(), **library_files("coq", proofs)}


def index(rows: Iterable[Row]) -> str:
    """Return the page of a gallery: a row for each of its entries."""
    listed = [f"| [{row.title}]({row.name}/) | {row.verdict} | {row.source} |" for row in rows]
    lines = [
        "# Gallery",
        "",
        INTRODUCTION,
        "",
        "| costs | scoring rule | source |",
        "| --- | --- | --- |",
        *listed,
    ]
    return "\n".join([*lines, "", "Generated by `costderive gallery`; do not edit.", ""])


def differing(entry: Entry) -> dict[str, str]:
    """Return the files of an entry that are not on disk as they should be, or there though they should not.

    Programs that were measured on another machine, and pictures drawn on one, need not be the same to the byte:
    see ``will_do`` of each file.
    """
    wanted = files(entry)
    found = {name: text for name, text in wanted.items() if not _will_do(entry.folder / name, text)}
    stale = {name: "" for name in FILES if name not in wanted and (entry.folder / name).exists()}
    return found | stale


def _will_do(path: Path, wanted: str) -> bool:
    found = _read(path)
    same = FILES[path.name].will_do if path.name in FILES else operator.eq
    return found is not None and (found == wanted or same(found, wanted))


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
        page.write_text(html(entry.derivation, entry.report, made_of=entry.spec.made_of), encoding="utf-8")
    else:
        page = target / f"{entry.name}.pdf"
        page.write_bytes(
            _compiled(latex(entry.derivation, entry.report, made_of=entry.spec.made_of), entry.name)
        )
    return page


def _compiled(article: str, name: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "article.tex").write_text(article, encoding="utf-8")
        log = Path(scratch) / "article.log"
        for run in range(MOST_RUNS):
            if run < RUNS or "Rerun" in log.read_text(encoding="utf-8", errors="replace"):
                _run_latex(scratch, name)
        return (Path(scratch) / "article.pdf").read_bytes()


def _run_latex(scratch: str, name: str) -> None:
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "article.tex"]
    try:
        done = subprocess.run(command, cwd=scratch, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise ExportError(
            f"pdflatex ran for {SECONDS} s on {name}", "Run pdflatex on proof.tex yourself."
        ) from None
    if done.returncode:
        last = done.stdout.decode(errors="replace").strip().splitlines()[-8:]
        raise ExportError("\n  ".join([f"pdflatex failed on {name}:", *last]), "Is your LaTeX complete?")
