"""Answers for a page that runs the package itself: a spec is read, derived and checked, and written as is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from io import BytesIO
from typing import Any

from costderive.core.errors import CostDeriveError, ExportError, SpecError
from costderive.costs.contexts import Context
from costderive.costs.thresholds import Calibrated, thresholded
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import derive
from costderive.evaluate.csv_files import read_header
from costderive.evaluate.label_order import number
from costderive.evaluate.plain_losses import PlainLosses
from costderive.evaluate.plain_scores import PlainRows, PlainScores
from costderive.multiclass import MulticlassDerivation
from costderive.programs.languages import LANGUAGES
from costderive.programs.program import formulas
from costderive.proof.checker import check
from costderive.proof.claims import Finding, Report
from costderive.publish import export
from costderive.publish.formats.html_page import result
from costderive.publish.formats.json_numbers import finite
from costderive.publish.formats.terminal import context_words
from costderive.publish.score_report.plain_summary import (
    cheapest_parts,
    decision_picture,
    document,
    plain_summary,
    reliability_pictures,
)
from costderive.rules import ScoringRule
from costderive.spec import Spec, parse

ENDINGS = {
    "numpy": "numpy.py", "python": "py", "numba": "numba.py", "c": "c", "javascript": "js", "r": "r", "julia": "jl",
    "sql": "sql", "pytorch": "torch.py", "jax": "jax.py", "lightgbm": "lightgbm.py", "xgboost": "xgboost.py",
}  # fmt: skip
NOTE = """\
Written in a browser: the losses are their formulas as they stand, which lose digits where terms cancel. On a computer
costderive derive SPEC --code {}:FILE writes losses that are right to the last digits."""
LABELS = {"label", "labels", "y", "y_true", "target", "class", "outcome", "truth"}
LONGEST = 3600  # seconds of a search, and of a check
FILES = ("article.tex", "article.md", "article.html", "certificate.json")


@dataclass(slots=True)
class Session:
    """The last derivation of a page. Answers are JSON texts, those that fail ``{"error": ...}``."""

    title: str = ""
    seconds: float = 60.0
    spec: Spec | None = field(default=None, repr=False)
    found: tuple[Derivation | MulticlassDerivation, Report] | None = field(default=None, repr=False)

    def derive(self, spec: str, seconds: str = "60") -> str:
        """Return verdict, losses and claims of a spec in TOML: a search may take so long, and a check as long again."""
        return _answer(partial(self._derived, spec, seconds))

    def file(self, name: str) -> str:
        """Return the text of a file on the last derivation: one of ``FILES``, or the name of a language."""
        return _answer(partial(self._file, name))

    def columns(self, name: str, data: bytes) -> str:
        """Return the columns of a CSV file, and which of them may hold the labels."""
        return _answer(partial(_columns, name, data))

    def score(
        self, name: str, data: bytes, y_true: str, pos_label: str = "", weights: str = "", by: str = ""
    ) -> str:
        """Return the scores of predictions in a CSV file by the last derivation: words, tables, numbers, pictures."""
        asked = (pos_label or None, weights or None, by or None)
        return _answer(partial(self._scored, name, data, y_true, *asked))

    def _scored(self, name: str, data: bytes, y_true: str, *asked: str | None) -> dict[str, Any]:
        if self.found is None or self.spec is None:
            raise ExportError("nothing is derived", "Derive a rule first.")
        context, derivation = self.spec.context, self.found[0]
        if not isinstance(context, Context) or not isinstance(derivation, Derivation):
            raise ExportError(
                "the costs are of several classes", "Score with the command line: costderive score."
            )
        rows = PlainRows.of_csv(name, data, y_true, *asked)
        own, calibrated = PlainLosses.of(derivation.rule), None
        if not isinstance(self.spec.threshold, Calibrated):
            calibrated = PlainLosses.of(derive(context, time_limit=self.seconds).rule)
        scores = PlainScores.of(rows, thresholded(context, self.spec.threshold), own, calibrated)
        return _shown(scores, derivation.rule)

    def _derived(self, text: str, seconds: str) -> dict[str, Any]:
        self.found = None
        spec = parse(text)
        self.seconds = _time_limit(seconds)
        derivation = spec.derive(self.seconds)
        report = check(derivation, time_limit=self.seconds)
        self.title, self.spec, self.found = spec.title, spec, (derivation, report)
        return {
            "title": spec.title,
            "verdict": report.verdict.name,
            "sentence": str(report),
            "html": result(derivation, report),
            "claims": [_row(finding) for finding in report.findings],
            "files": list(FILES),
            "languages": list(ENDINGS),
        }

    def _file(self, name: str) -> dict[str, str]:
        if self.found is None:
            raise ExportError("nothing is derived", "Derive a rule first.")
        (derivation, report), made_of = self.found, self.spec and self.spec.made_of
        if name in LANGUAGES:
            return {"name": f"losses.{ENDINGS[name]}", "text": self._program(name, derivation)}
        writers: dict[str, Callable[[], Any]] = {
            "article.tex": lambda: export.latex(derivation, report, made_of=made_of),
            "article.md": lambda: export.markdown(derivation, report, made_of=made_of),
            "article.html": lambda: export.html(derivation, report, made_of=made_of),
            "certificate.json": partial(derivation.to_json, report),
        }
        return {"name": name, "text": str(writers[name]())}

    def _program(self, language: str, derivation: Any) -> str:
        words = context_words(derivation.context)
        about = "\n".join([*filter(None, (self.title, words)), "", NOTE.format(language)])
        return str(formulas(derivation.rule, language, title=about))


def _time_limit(seconds: str) -> float:
    found = number(seconds)
    if found is None or not 0 < found <= LONGEST:
        raise SpecError(f"time limit = {seconds[:20]!r} is no time", f"Give seconds, {LONGEST} at most.")
    return found


def _columns(name: str, data: bytes) -> dict[str, Any]:
    names = read_header(name, BytesIO(data), sorted(LABELS), None)[0]
    usual = [column for column in names if column.casefold() in LABELS]
    return {"columns": names, "label": (usual or names)[0]}


def _shown(scores: PlainScores, rule: ScoringRule) -> dict[str, Any]:
    parts = cheapest_parts(scores)
    summary = plain_summary(scores, parts)
    tables = [[asdict(column) for column in table] for table in summary.tables]
    return {
        "facts": summary.facts,
        "verdict": summary.verdict,
        "tables": tables,
        "remarks": summary.remarks,
        "numbers": document(scores),
        "picture": decision_picture(scores, parts, rule),
        "reliability": reliability_pictures(scores),
    }


def _row(finding: Finding) -> tuple[str, str, str]:
    how = ": ".join(filter(None, (finding.decider, finding.evidence)))
    return finding.claim.what, finding.verdict.name, how


def _answer(make: Any) -> str:
    try:
        return json.dumps(finite(make()), allow_nan=False)
    except CostDeriveError as problem:
        return json.dumps({"error": str(problem)})
