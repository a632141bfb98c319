"""Scores of models as text, as HTML within a page, and as one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from costderive.evaluate import ClassScores, Scores
from costderive.publish.score_report.columns import Column
from costderive.publish.score_report.of_classes import summary_of_classes
from costderive.publish.score_report.summary import ScoreSummary

_STYLE = """
:root { color-scheme: light }
body { font: 1rem/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; max-width: 66rem; margin: 2rem auto;
  padding: 0 1rem; color: #1a1a1a; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0 }
th, td { text-align: right; padding: .3rem .9rem .3rem 0; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
thead { border-bottom: 1.5px solid } tbody tr { border-bottom: 1px solid #ddd }
.verdict { font-size: 1.1rem } .notes { color: #444; font-size: .92rem }
figure { margin: 1.5rem 0 } figure svg { max-width: 100%; height: auto }
figcaption { color: #444; font-size: .92rem; max-width: 46rem }
"""


def page(summary: ScoreSummary, figures: Mapping[str, tuple[str, str]]) -> str:
    """Return the page; ``figures`` maps a heading to a picture in SVG and what it shows."""
    return "\n".join(_lines(summary, figures)) + "\n"


def fragment(scores: Scores | ClassScores) -> str:
    """Return facts, verdict, tables and notes as HTML that stands in a page, as of a notebook."""
    return "\n".join(_body(_summary(scores)))


def text(scores: Scores | ClassScores, *, width: int = 80) -> str:
    """Return what ``costderive score`` prints, for a terminal that is so many characters wide."""
    return _summary(scores).text(width)


def _summary(scores: Scores | ClassScores) -> ScoreSummary:
    return summary_of_classes(scores) if isinstance(scores, ClassScores) else ScoreSummary.of(scores)


def _lines(summary: ScoreSummary, figures: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Scores under costs</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
    yield "<h1>Scores under costs</h1>"
    yield from _body(summary)
    for heading, (picture, caption) in figures.items():
        yield f"<h2>{escape(heading)}</h2>\n<figure>\n{picture}"
        yield f"<figcaption>{escape(caption)}</figcaption>\n</figure>"
    yield "</main>\n</body>\n</html>"


def _body(summary: ScoreSummary) -> Iterator[str]:
    yield from (f"<p>{escape(fact)}</p>" for fact in summary.facts)
    if summary.verdict:
        yield f'<p class="verdict">{escape(summary.verdict)}</p>'
    for columns in summary.tables:
        yield from _table(columns)
    meanings = [f"<b>{escape(name)}</b>: {escape(meaning)}" for name, meaning in summary.meanings]
    yield '<div class="notes">'
    yield from (f"<p>{note}</p>" for note in (*meanings, *map(escape, summary.remarks)))
    yield "</div>"


def _table(columns: Sequence[Column]) -> Iterator[str]:
    heads = "".join(f"<th>{escape(column.heading)}</th>" for column in columns)
    yield f'<div class="scroll"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>'
    for row in zip(*[column.cells for column in columns], strict=True):
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div>"
