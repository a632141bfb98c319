"""Scores of models as text, for a terminal of any width and for a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap

from costderive.evaluate import Scores
from costderive.publish.score_report.columns import Column, tables_within
from costderive.publish.score_report.remarks import facts, remarks, verdict, without
from costderive.publish.score_report.tables import differences, of_groups, of_models, totals


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """Scores as text: facts about the data, a verdict, columns (the first names the models), and remarks."""

    facts: tuple[str, ...]
    verdict: str
    columns: tuple[Column, ...]
    differences: tuple[Column, ...]
    remarks: tuple[str, ...]
    totals: tuple[Column, ...] = ()
    groups: tuple[Column, ...] = ()

    @classmethod
    def of(cls, scores: Scores, left_out: Mapping[str, str] | None = None) -> ScoreSummary:
        """Summarise scores, the cheapest model first; of columns that are no models it may be said what they hold."""
        order = sorted(range(len(scores)), key=lambda k: (scores[k].loss, k))
        return cls(
            (*facts(scores), *without(left_out or {})),
            verdict(scores),
            tuple(of_models(scores, order)),
            differences(scores),
            tuple(remarks(scores)),
            totals(scores, order),
            of_groups(scores, order),
        )

    @property
    def tables(self) -> tuple[tuple[Column, ...], ...]:
        """The tables, each as its columns."""
        return tuple(filter(None, (self.columns, self.differences, self.totals, self.groups)))

    @property
    def meanings(self) -> tuple[tuple[str, str], ...]:
        """The headings that need explaining, and what they mean."""
        return tuple((each.heading, each.meaning) for table in self.tables for each in table if each.meaning)

    def text(self, width: int) -> str:
        """Return the lines for a terminal that is so many characters wide."""
        lines = [part for fact in self.facts for part in wrap(fact, width, subsequent_indent="  ")]
        tables = [part for each in self.tables for part in tables_within(each, width)]
        meanings = [f"{name}: {meaning}" for name, meaning in self.meanings]
        notes = [
            part for text in (*meanings, *self.remarks) for part in wrap(text, width, subsequent_indent="  ")
        ]
        verdict = ["", *wrap(self.verdict, width)] if self.verdict else []
        return "\n".join([*lines, *verdict, *(line for each in tables for line in ("", each)), "", *notes])
