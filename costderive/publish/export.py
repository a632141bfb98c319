"""Derivations, rules and scores, written for readers and for other programs; an exporter loads when first touched."""

from __future__ import annotations

import importlib
from typing import Any

_ROOM_OF = {
    "bibtex": "publish.formats.article",
    "code": "programs.program",
    "coq": "publish.coq.coq_file",
    "formulas": "programs.program",
    "fragment": "publish.notebook",
    "html": "publish.formats.html_page",
    "latex": "publish.formats.article",
    "preliminaries": "publish.formats.article",
    "markdown": "publish.formats.forge_markdown",
    "text": "publish.score_report.page",
}

__all__ = [*_ROOM_OF]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF:
        return getattr(importlib.import_module(f"costderive.{_ROOM_OF[name]}"), name)
    raise AttributeError(f"module 'costderive.export' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
