"""What a notebook shows of an object, as HTML that stands in a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape
from typing import Any

from costderive.costs.contexts import Context
from costderive.costs.laws import Law
from costderive.evaluate import ClassScores, Scores
from costderive.multiclass.class_costs import ClassContext
from costderive.proof.claims import Report, Verdict
from costderive.publish.formats.terminal import context_words, plain
from costderive.publish.score_report import page
from costderive.publish.score_report.remarks import ranges
from costderive.publish.words.law_phrases import law_phrase

SHOWN = 5  # claims that are not proved


@singledispatch
def fragment(thing: Any) -> str:
    """Return scores, a context, a law or a report as HTML: tables and words, as the command line has them."""
    return f"<pre>{escape(str(thing))}</pre>"


@fragment.register(Scores)
@fragment.register(ClassScores)
def _of_scores(scores: Scores | ClassScores) -> str:
    return page.fragment(scores)


@fragment.register
def _of_context(context: Context) -> str:
    return _paragraphs([f"Costs: {context_words(context)}", *ranges(context)])


@fragment.register
def _of_classes(context: ClassContext) -> str:
    return _paragraphs([f"Costs: {context_words(context)}"])


@fragment.register
def _of_law(law: Law) -> str:
    return _paragraphs([f"A cost x, {plain(law_phrase(law, 'x'))}"])


@fragment.register
def _of_report(report: Report) -> str:
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    counts = {verdict: sum(each.verdict is verdict for each in report.findings) for verdict in Verdict}
    said = ", ".join(f"{count} {verdict.name}" for verdict, count in counts.items() if count)
    yield f"<p><b>{report.verdict.name}</b>: {len(report.findings)} claims, {said}</p>"
    found = [each for each in report.findings if each.verdict is not Verdict.PROVED]
    if found:
        rows = "".join(
            f"<tr><td>{each.verdict.name}</td><td>{escape(each.claim.what)}</td><td>{escape(each.evidence)}</td></tr>"
            for each in found[:SHOWN]
        )
        yield f"<table><tr><th>verdict</th><th>claim</th><th>evidence</th></tr>{rows}</table>"
    if len(found) > SHOWN:
        yield f"<p>and {len(found) - SHOWN} more that are not proved</p>"


def _paragraphs(lines: Iterable[str]) -> str:
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines)
