"""Answers for a page that runs the package itself: a spec is read, derived and checked, and written as is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from costderive.core.errors import CostDeriveError, ExportError
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.programs.languages import LANGUAGES
from costderive.programs.program import formulas
from costderive.proof.checker import check
from costderive.proof.claims import Finding, Report
from costderive.publish import export
from costderive.publish.formats.html_page import result
from costderive.publish.formats.terminal import context_words
from costderive.spec import parse

ENDINGS = {
    "numpy": "numpy.py", "python": "py", "numba": "numba.py", "c": "c", "javascript": "js", "r": "r", "julia": "jl",
    "sql": "sql", "pytorch": "torch.py", "jax": "jax.py", "lightgbm": "lightgbm.py", "xgboost": "xgboost.py",
}  # fmt: skip
NOTE = """\
Written in a browser: the losses are their formulas as they stand, which lose digits where terms cancel. On a computer
costderive derive SPEC --code {}:FILE writes losses that are right to the last digits."""
FILES = ("article.tex", "article.md", "article.html", "certificate.json")


@dataclass(slots=True)
class Session:
    """The last derivation of a page. Answers are JSON texts, those that fail ``{"error": ...}``."""

    title: str = ""
    found: tuple[Derivation | MulticlassDerivation, Report] | None = field(default=None, repr=False)

    def derive(self, spec: str) -> str:
        """Return verdict, losses and claims of a spec in TOML."""
        return _answer(partial(self._derived, spec))

    def file(self, name: str) -> str:
        """Return the text of a file on the last derivation: one of ``FILES``, or the name of a language."""
        return _answer(partial(self._file, name))

    def _derived(self, text: str) -> dict[str, Any]:
        self.found = None
        spec = parse(text)
        derivation = spec.derive()
        report = check(derivation)
        self.title, self.found = spec.title, (derivation, report)
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
        derivation, report = self.found
        if name in LANGUAGES:
            return {"name": f"losses.{ENDINGS[name]}", "text": self._program(name, derivation)}
        writers: dict[str, Callable[[], Any]] = {
            "article.tex": lambda: export.latex(derivation, report),
            "article.md": lambda: export.markdown(derivation, report),
            "article.html": lambda: export.html(derivation, report),
            "certificate.json": partial(derivation.to_json, report),
        }
        return {"name": name, "text": str(writers[name]())}

    def _program(self, language: str, derivation: Any) -> str:
        words = context_words(derivation.context)
        about = "\n".join([*filter(None, (self.title, words)), "", NOTE.format(language)])
        return str(formulas(derivation.rule, language, title=about))


def _row(finding: Finding) -> tuple[str, str, str]:
    how = ": ".join(filter(None, (finding.decider, finding.evidence)))
    return finding.claim.what, finding.verdict.name, how


def _answer(make: Any) -> str:
    try:
        return json.dumps(make())
    except CostDeriveError as problem:
        return json.dumps({"error": str(problem)})
