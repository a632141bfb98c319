"""What arXiv asks for: the sources of a self-contained article, its bibliography as printed, and its figure."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from costderive.core.errors import CostDeriveError, ExportError
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass import MulticlassDerivation
from costderive.proof.claims import Report
from costderive.publish import plots
from costderive.publish.formats.article import NO_FRONT, bibliography_entries, bibtex, latex
from costderive.publish.words.document_blocks import Front

ARTICLE, REFERENCES, FIGURE = "article", "references", "figure"


def submission(
    derivation: Certified,
    report: Report,
    *,
    front: Front = NO_FRONT,
    at: Mapping[str, Any] | None = None,
    made_of: CostsOfParts | None = None,
) -> dict[str, bytes]:
    """Return the files of a submission by name.

    Without matplotlib, or with a parameter that has no number ``at`` which to draw it, there is no figure.
    """
    figure = _figure(derivation, at or {})
    text = latex(
        derivation,
        report,
        bibliography=REFERENCES,
        self_contained=True,
        front=front,
        figure=FIGURE if figure else "",
        made_of=made_of,
    )
    texts = {
        f"{ARTICLE}.tex": text,
        f"{ARTICLE}.bbl": bibliography_entries(derivation, report, self_contained=True),
        f"{REFERENCES}.bib": bibtex(derivation, report, self_contained=True),
        "certificate.json": derivation.to_json(report),
    }
    files = {name: written.encode() for name, written in texts.items()}
    return files | ({f"{FIGURE}.pdf": figure} if figure else {})


def _figure(derivation: Certified, at: Mapping[str, Any]) -> bytes:
    """Draw a derivation as a PDF; return nothing if that cannot be."""
    with suppress(CostDeriveError), tempfile.TemporaryDirectory() as scratch:
        if isinstance(derivation, Derivation):
            drawn = plots.derivation(derivation, at=at)
        elif isinstance(derivation, MulticlassDerivation):
            drawn = plots.simplex(derivation)
        else:
            return b""
        file = Path(scratch) / f"{FIGURE}.pdf"
        plots.saved(drawn, str(file))
        return file.read_bytes()
    return b""


def save(files: Mapping[str, bytes], folder: str) -> None:
    """Write files into a folder, which is made if it is not there.

    Raises:
        ExportError: if that cannot be.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
    except OSError as problem:
        raise ExportError(
            f"{folder} cannot be written: {problem.strerror}", "Choose a folder that you may write to."
        ) from None
