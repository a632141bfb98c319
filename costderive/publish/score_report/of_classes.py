"""Scores under costs of several classes, with the tables and the words of two classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from costderive.evaluate.class_scores import ClassScores
from costderive.publish.formats.terminal import context_words, decimals, printable
from costderive.publish.score_report.columns import Column, intervals, numeric, percent, short
from costderive.publish.score_report.remarks import few, small_groups, verdict, without
from costderive.publish.score_report.summary import ScoreSummary
from costderive.publish.score_report.tables import differences, of_groups


def summary_of_classes(scores: ClassScores, left_out: Mapping[str, str] | None = None) -> ScoreSummary:
    """Summarise scores, the cheapest model first; of columns that are no models it may be said what they hold."""
    order = sorted(range(len(scores)), key=lambda k: (scores[k].loss, k))
    return ScoreSummary(
        (*_facts(scores), *without(left_out or {})),
        verdict(scores),
        tuple(_columns(scores)),
        differences(scores),
        (*few(scores), *small_groups(scores)),
        groups=of_groups(scores, order),
    )


def _facts(scores: ClassScores) -> Iterator[str]:
    yield f"Costs: {context_words(scores.context)}"
    counts = zip(scores.labels, scores.counts, strict=True)
    yield f"{sum(scores.counts)} instances: {', '.join(f'{n} of {printable(label)}' for label, n in counts)}"
    if scores.is_weighted:
        yield "Rows count by their weights."


def _columns(scores: ClassScores) -> Iterator[Column]:
    rows = sorted(scores, key=lambda row: row.loss)
    meaning = "mean cost of an instance, in the units of the costs: the sum of what each class contributes"
    parts = list(zip(*[row.of_classes for row in rows], strict=True))
    cells = decimals([*(row.loss for row in rows), *(value for part in parts for value in part)], 4)
    yield Column("model", tuple(printable(row.model) for row in rows))
    yield Column("loss", tuple(cells[: len(rows)]), meaning)
    yield Column(f"{percent(scores.level)} interval", intervals([row.interval for row in rows]))
    for k, label in enumerate(scores.labels, start=1):
        yield Column(f"of {printable(label)}", tuple(cells[k * len(rows) : (k + 1) * len(rows)]))
    meaning = f"share saved of the cost of the best constant forecast, which is {short(scores.constant)}"
    yield numeric("skill", [row.skill for row in rows], 3, meaning)
    yield numeric("Brier", [row.brier for row in rows], 4, "squared errors, added up over the classes")
    yield numeric("log loss", [row.log_loss for row in rows], 4)
