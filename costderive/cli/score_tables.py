"""Scores of models as columns of text, for a terminal of any width and for a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from textwrap import wrap
from typing import TYPE_CHECKING

from costderive.publish.formats.terminal import decimals, printable, table

if TYPE_CHECKING:
    from costderive.costs.contexts import Context
    from costderive.evaluate import Cheapest, CostMatrix, Estimate, Scores

BETWEEN = 2  # spaces between columns


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, a cell per model, and what the numbers mean (nothing if the heading says it)."""

    heading: str
    cells: tuple[str, ...]
    meaning: str = ""

    @property
    def width(self) -> int:
        """The length of the longest cell."""
        return max(map(len, (self.heading, *self.cells)))


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
    def of(
        cls, scores: Scores, context: str, ranges: Iterable[str] = (), unit: str = "the units of the costs"
    ) -> ScoreSummary:
        """Summarise scores, the cheapest model first; ``ranges`` say how large costs are, losses are in a unit."""
        order = sorted(range(len(scores)), key=lambda k: (scores[k].loss, k))
        remarks = (
            *_bootstrapped(scores),
            *_changes(scores),
            *_threshold(scores),
            *_infinite(scores),
            *_price(scores),
            *_verified(scores),
        )
        columns = tuple(_columns(scores, order, unit))
        return cls(
            tuple(_facts(scores, context, ranges)),
            _verdict(scores),
            columns,
            _differences(scores),
            remarks,
            _totals(scores, order),
            _groups(scores, order),
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
        tables = [part for each in self.tables for part in _tables(each, width)]
        meanings = [f"{name}: {meaning}" for name, meaning in self.meanings]
        notes = [
            part for text in (*meanings, *self.remarks) for part in wrap(text, width, subsequent_indent="  ")
        ]
        verdict = ["", *wrap(self.verdict, width)] if self.verdict else []
        return "\n".join([*lines, *verdict, *(line for each in tables for line in ("", each)), "", *notes])


def _tables(columns: Sequence[Column], width: int) -> Iterator[str]:
    """Yield tables that are no wider than that, each with the names of the models."""
    name, shown = columns[0], [columns[0]]
    for column in columns[1:]:
        if len(shown) > 1 and sum(each.width + BETWEEN for each in shown) + column.width > width:
            yield _table(shown)
            shown = [name]
        shown.append(column)
    yield _table(shown)


def _table(columns: Sequence[Column]) -> str:
    rows = list(zip(*[(column.heading, *column.cells) for column in columns], strict=True))
    return table(rows, right=range(1, len(columns)))


# ---- what is said


def _facts(scores: Scores, context: str, ranges: Iterable[str]) -> Iterator[str]:
    yield f"Costs: {context}"
    yield from matrix_facts(scores.matrix)
    if scores.columns:
        own = " and ".join(map(printable, scores.columns))
        yield f"Each row has its own {own}."
    yield from ranges
    share, of_all = scores.proportions[1], sum(scores.counts)
    yield f"{of_all} instances, {scores.counts[1]} of class 1 ({scores.counts[1] / of_all:.3g} of all)"
    weights = [math.fsum(each) for each in (scores.tallies[0].zeros, scores.tallies[0].ones)]
    weight = weights[1] / sum(weights)
    if scores.is_weighted:
        yield f"Rows count by their weights: class 1 has {weight:.3g} of the weight."
    if not math.isclose(share, weight):
        yield f"Means are taken for {share:g} of class 1, with the predictions as they are."


def matrix_facts(costs: Context | CostMatrix | None) -> Iterator[str]:
    """Say what a cost matrix reduces to."""
    from costderive.evaluate import CostMatrix

    if isinstance(costs, CostMatrix):
        yield (
            f"Regrets: {costs}. These are the costs of mistakes; the rest, tn = {costs.tn} in class 0 and "
            f"tp = {costs.tp} in class 1, depends on no decision."
        )


def _verdict(scores: Scores) -> str:
    """Say which model costs least, by how much, and whether that may be chance."""
    best = scores.best
    if len(scores) == 1 or not math.isfinite(best.loss):
        return ""
    after = scores.over(best.model)
    second = min(after, key=lambda model: after[model].value)
    gap, (shown, low, high) = after[second], _numbers(after[second])
    more = (
        f", {100 * gap.value / best.loss:.3g} % of that" if best.loss > 0 and math.isfinite(gap.value) else ""
    )
    sure = "" if gap.low > 0 else ": it may be chance"
    between = (
        f"{_percent(scores.level)} interval {low} to {high}" if math.isfinite(gap.low) else "interval unknown"
    )
    return (
        f"{printable(best.model)} costs least, {_short(best.loss)} an instance. {printable(second)} comes next and "
        f"costs {shown} more{more} ({between}){sure}."
    ).replace(" %", "\N{NO-BREAK SPACE}%")


def _columns(scores: Scores, order: Sequence[int], unit: str) -> Iterator[Column]:
    rows = [scores[k] for k in order]
    yield Column("model", tuple(printable(row.model) for row in rows))
    for name, heading, meaning in _money(scores, unit):
        values = [getattr(row, name) for row in scores]
        cells = _as_the_losses(values, scores)
        yield Column(heading, tuple(cells[k] for k in order), meaning)
        if name == "loss":
            yield Column(f"{_percent(scores.level)} interval", _intervals([row.interval for row in rows]))
    meaning = f"share saved of the cost of the best constant forecast, which is {_short(scores.constant)}"
    yield _numeric("skill", [row.skill for row in rows], 3, meaning)
    yield _numeric("Brier", [row.brier for row in rows], 4)
    yield _numeric("log loss", [row.log_loss for row in rows], 4)
    runs = [row.simulation for row in rows if row.simulation]
    if runs:
        meaning = f"mean total cost of {runs[0].draws} random pairs of costs, the same for each model"
        yield Column("simulated", tuple(_as_the_losses([run.mean for run in runs], scores)), meaning)
        yield _numeric("± s.e.", [run.standard_error for run in runs], 2)


def _money(scores: Scores, unit: str) -> Iterator[tuple[str, str, str]]:
    """Yield what is in the unit of the losses: an attribute, its heading and its meaning."""
    yield "loss", "loss", f"mean cost of an instance, in {unit}: the sum of what each class contributes"
    yield "loss0", "of class 0", ""
    yield "loss1", "of class 1", ""
    if any(row.calibrated != row.loss for row in scores):
        yield (
            "calibrated",
            "calibrated",
            "mean cost with the threshold c₀/(c₀ + c₁) in place of the given one",
        )
    if scores.columns:
        return
    meaning = "mean cost after isotonic recalibration, at best: it is fitted to these very instances"
    if not all(tally.is_exact for tally in scores.tallies):
        meaning += " (with probabilities rounded to 12 binary digits)"
    yield "recalibrated", "recalibrated", meaning


def _as_the_losses(values: Sequence[float], scores: Scores) -> list[str]:
    """Write numbers with as many decimals as the losses."""
    return decimals([*values, *(row.loss for row in scores)], 4)[: len(values)]


def _differences(scores: Scores) -> tuple[Column, ...]:
    """Return how much more the others cost than the cheapest, on the same instances."""
    if len(scores) == 1:
        return ()
    best = scores.best
    after = scores.over(best.model)
    names = sorted(after, key=lambda model: (math.isnan(after[model].value), after[model].value))
    found = [after[name] for name in names]
    return (
        Column(f"more than {printable(best.model)}", tuple(map(printable, names))),
        _numeric("loss", [each.value for each in found], 4),
        Column(f"{_percent(scores.level)} interval", _intervals(found)),
        Column("may be chance", tuple(map(_chance, found))),
    )


def _totals(scores: Scores, order: Sequence[int]) -> tuple[Column, ...]:
    """Return what each model costs with the costs of right decisions, and what it saves to one decision for all."""
    if scores.matrix is None:
        return ()
    names = (*(printable(scores[k].model) for k in order), "class 1 for all", "class 0 for all")
    losses = [*(scores[k].loss for k in order), *reversed(scores.always)]
    count, (none, all_) = sum(scores.counts), scores.always
    best = "class 0" if none <= all_ else "class 1"

    def saved(than: float) -> list[float]:
        return [count * (than - loss) if loss != than else 0.0 for loss in losses]

    return (
        Column("decisions", names),
        _numeric("a case", [loss + scores.rest for loss in losses], 4),
        _numeric(
            "total",
            [count * (loss + scores.rest) for loss in losses],
            5,
            "over all instances, benefits taken off",
        ),
        _numeric("saved to all 1", saved(all_), 4, "in total, against deciding for class 1 everywhere"),
        _numeric("to all 0", saved(none), 4, "likewise for class 0"),
        _numeric("to the best", saved(min(scores.always)), 4, f"the better one decision for all is {best}"),
    )


def _groups(scores: Scores, order: Sequence[int]) -> tuple[Column, ...]:
    """Return what each model costs in each group and in all, and how much more than the cheapest of all does there."""
    if not scores.groups:
        return ()
    parts = [*((printable(name), part) for name, part in scores.groups.items()), ("all", scores)]
    best = scores.best.model
    rows = [(name, part, part[k]) for name, part in parts for k in order]
    several = len(scores) > 1
    gaps = [None if row.model == best else part.over(best)[row.model] for _, part, row in rows]
    columns = [
        Column(
            "group",
            tuple(f"{name}: {printable(row.model)}" if several else name for name, _, row in rows),
            "each has the proportions of the classes in it",
        ),
        Column("rows", tuple(str(sum(part.counts)) for _, part, _ in rows)),
        _numeric("loss", [row.loss for *_, row in rows], 4),
        Column(f"{_percent(scores.level)} interval", _intervals([row.interval for *_, row in rows])),
    ]
    if several:
        heading = f"than {printable(best)}"
        found = [gap for gap in gaps if gap is not None]
        written = iter(zip(decimals([gap.value for gap in found], 4), _intervals(found), strict=True))
        cells = [("", "") if gap is None else next(written) for gap in gaps]
        columns += [
            Column(f"more {heading}", tuple(cell for cell, _ in cells)),
            Column("its interval", tuple(interval for _, interval in cells)),
        ]
    return tuple(columns)


MOST_PARTS = 4
SMALL = 0.02  # of the threshold weight: smaller parts of the cost proportions are left out


def _changes(scores: Scores) -> Iterator[str]:
    """Say at which cost proportions which model is cheapest, each part with its share of the threshold weight."""
    from costderive.evaluate import cheapest

    if len(scores) == 1 or scores.columns:
        return
    if not math.isfinite(scores.rule.loss0(1.0) + scores.rule.loss1(0.0)):
        return
    parts = cheapest(scores)
    ends = [parts[0].low, *(part.high for part in parts)]
    mass = scores.rule.loss0(ends) - scores.rule.loss1(ends)
    shares = [(high - low) / (mass[-1] - mass[0]) for low, high in pairwise(mass)]
    shown = list(_joined(zip(parts, shares, strict=True)))
    if len(shown) <= MOST_PARTS:
        each = [
            f"{printable(x.model)} from {x.low:.3g} to {x.high:.3g} ({100 * share:.0f} % of the weight)"
            for x, share in shown
        ]
    else:
        total = {part.model: 0.0 for part in parts}
        for part, share in zip(parts, shares, strict=True):
            total[part.model] += share
        each = [f"{printable(model)} on {100 * share:.0f} % of the weight" for model, share in total.items()]
    left = "" if len(shown) == len(parts) or len(shown) > MOST_PARTS else "; shorter parts are left out"
    yield f"Cheapest by cost proportion s = c₀/(c₀ + c₁): {', '.join(each)}{left}."


def _joined(parts: Iterable[tuple[Cheapest, float]]) -> Iterator[tuple[Cheapest, float]]:
    """Leave out small parts, and join what is then next to each other."""
    large = [(part, share) for part, share in parts if share >= SMALL]
    for _, run in groupby(large, key=lambda each: each[0].model):
        same = list(run)
        first, last = same[0][0], same[-1][0]
        yield replace(first, high=last.high), math.fsum(share for _, share in same)


def _bootstrapped(scores: Scores) -> Iterator[str]:
    """Say where the intervals come from, if not from the delta method."""
    if scores.bootstrap:
        yield f"Intervals are between quantiles of {scores.bootstrap} samples drawn with replacement (bootstrap)."


def _threshold(scores: Scores) -> Iterator[str]:
    """Say which threshold to decide at."""
    from costderive.core.errors import DataError
    from costderive.evaluate import threshold_for

    if scores.columns:
        yield "Decide for class 1 where its (calibrated) probability is above c₀/(c₀ + c₁), by the costs of the row."
        return
    with suppress(DataError):
        one = threshold_for(scores.rule)
        yield (
            "Decide for class 1 where its (calibrated) probability is above c₀/(c₀ + c₁); if one threshold must do for "
            f"all costs, above E[c₀]/(E[c₀] + E[c₁]) = {one:.4g}."
        )


def _chance(difference: Estimate) -> str:
    if math.isnan(difference.low):
        return "—"
    return "no" if difference.low > 0 else "yes"


def _infinite(scores: Scores) -> Iterator[str]:
    """Say which rows make a mean infinite: a probability of exactly 0 or 1 that was wrong."""
    found = [("loss", score.model, score.infinite) for score in scores]
    found += [("log loss", score.model, score.infinite_log_loss) for score in scores]
    for name, model, rows in found:
        if rows:
            where = f"in {rows} rows" if rows > 1 else "in 1 row"
            yield f"∞: the {name} of {printable(model)} is infinite {where}, wrong with probability 0 or 1."


def _price(scores: Scores) -> Iterator[str]:
    """Warn of a threshold that is not the calibrated one, with its price."""
    for score in scores:
        price = score.loss - score.calibrated
        if price and math.isfinite(price):
            verb = "costs" if price > 0 else "saves"
            yield (
                f"Warning: for {printable(score.model)} deciding at the given threshold and not at c₀/(c₀ + c₁) "
                f"{verb} {_short(abs(price))} an instance."
            )


ROUNDING = 1e-9  # of a loss: costs that are known have no standard error to speak of


def _verified(scores: Scores) -> Iterator[str]:
    """Say where the simulated cost does not agree with the loss."""
    for score in scores:
        run = score.simulation
        if not run or not math.isfinite(score.loss):
            continue
        gap = abs(run.mean - score.loss)
        if gap > 4 * run.standard_error + ROUNDING * score.loss:
            off = _errors(gap, run.standard_error)
            yield (
                f"Warning: the simulated cost of {printable(score.model)} is {off} off its loss. "
                "Costs whose variance is infinite can do that; else take more draws."
            )


def _errors(gap: float, standard_error: float) -> str:
    return f"{gap / standard_error:.1f} standard errors" if standard_error else _short(gap)


# ---- numbers


def _numeric(heading: str, values: Sequence[float], digits: int, meaning: str = "") -> Column:
    return Column(heading, tuple(decimals(values, digits)), meaning)


def _intervals(found: Iterable[Estimate]) -> tuple[str, ...]:
    """Write intervals with as many decimals as two digits of the shortest need."""
    found = list(found)
    ends = [*(each.low for each in found), *(each.high for each in found)]
    cells = decimals(ends, _digits(ends, [(each.high - each.low) / 2 for each in found]))
    pairs = zip(cells[: len(found)], cells[len(found) :], strict=True)
    return tuple("—" if low == high == "—" else f"[{low}, {high}]" for low, high in pairs)


def _digits(ends: Sequence[float], halves: Sequence[float]) -> int:
    """Return how many digits the largest end has if the shortest half has two."""
    widths = [half for half in halves if half > 0]
    largest = max((abs(end) for end in ends if math.isfinite(end)), default=0.0)
    if not widths or not largest:
        return 4
    return min(9, max(2, 2 + math.floor(math.log10(largest)) - math.floor(math.log10(min(widths)))))


def _numbers(estimate: Estimate) -> tuple[str, str, str]:
    ends = [estimate.value, estimate.low, estimate.high]
    shown, low, high = decimals(ends, _digits(ends, [(estimate.high - estimate.low) / 2]))
    return shown, low, high


def _short(value: float) -> str:
    return decimals([value], 4)[0]


def _percent(level: float) -> str:
    return f"{100 * level:.4g} %"
