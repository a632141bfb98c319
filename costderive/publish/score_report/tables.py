"""The tables of scores: what each model costs, differences, totals, and groups of rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from costderive.core.short_repr import cut
from costderive.evaluate import Estimate, Scores
from costderive.evaluate.model_scores import Compared
from costderive.publish.formats.terminal import decimals, printable
from costderive.publish.score_report.columns import Column, intervals, numeric, percent, short

LONGEST = 20  # letters of a group and of a model beside each other


def of_models(scores: Scores, order: Sequence[int]) -> Iterator[Column]:
    """Return what each model costs and scores."""
    rows = [scores[k] for k in order]
    yield Column("model", tuple(printable(row.model) for row in rows))
    for name, heading, meaning in _money(scores):
        values = [getattr(row, name) for row in scores]
        cells = _as_the_losses(values, scores)
        yield Column(heading, tuple(cells[k] for k in order), meaning)
        if name == "loss":
            yield Column(f"{percent(scores.level)} interval", intervals([row.interval for row in rows]))
    meaning = f"share saved of the cost of the best constant forecast, which is {short(scores.constant)}"
    yield numeric("skill", [row.skill for row in rows], 3, meaning)
    yield numeric("Brier", [row.brier for row in rows], 4)
    yield numeric("log loss", [row.log_loss for row in rows], 4)
    runs = [row.simulation for row in rows if row.simulation]
    if runs:
        meaning = f"mean total cost of {runs[0].draws} random pairs of costs, the same for each model"
        yield Column("simulated", tuple(_as_the_losses([run.mean for run in runs], scores)), meaning)
        yield numeric("± s.e.", [run.standard_error for run in runs], 2)


def _money(scores: Scores) -> Iterator[tuple[str, str, str]]:
    """Yield what is in the unit of the losses: an attribute, its heading and its meaning."""
    unit = "the units of the costs" if scores.context.improper_law is None else "units of cost times mass"
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


def differences(scores: Compared[Any]) -> tuple[Column, ...]:
    """Return how much more the others cost than the cheapest, on the same instances."""
    if len(scores) == 1:
        return ()
    best = scores.best
    after = scores.over(best.model)
    names = sorted(after, key=lambda model: (math.isnan(after[model].value), after[model].value))
    found = [after[name] for name in names]
    return (
        Column(f"more than {printable(best.model)}", tuple(map(printable, names))),
        numeric("loss", [each.value for each in found], 4),
        Column(f"{percent(scores.level)} interval", intervals(found)),
        Column(
            "may be chance",
            tuple(
                "tie" if name in scores.tied else _chance(each)
                for name, each in zip(names, found, strict=True)
            ),
        ),
    )


def totals(scores: Scores, order: Sequence[int]) -> tuple[Column, ...]:
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
        numeric("a case", [loss + scores.rest for loss in losses], 4),
        numeric(
            "total",
            [count * (loss + scores.rest) for loss in losses],
            5,
            "over all instances, benefits taken off",
        ),
        numeric("saved to all 1", saved(all_), 4, "in total, against deciding for class 1 everywhere"),
        numeric("to all 0", saved(none), 4, "likewise for class 0"),
        numeric("to the best", saved(min(scores.always)), 4, f"the better one decision for all is {best}"),
    )


def of_groups(scores: Compared[Any], order: Sequence[int]) -> tuple[Column, ...]:
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
            tuple(_joined(name, printable(row.model)) if several else name for name, _, row in rows),
            "each has the proportions of the classes in it",
        ),
        Column("rows", tuple(str(sum(part.counts)) for _, part, _ in rows)),
        numeric("loss", [row.loss for *_, row in rows], 4),
        Column(f"{percent(scores.level)} interval", intervals([row.interval for *_, row in rows])),
    ]
    if several:
        heading = f"than {cut(printable(best), LONGEST)}"
        found = [gap for gap in gaps if gap is not None]
        written = iter(zip(decimals([gap.value for gap in found], 4), intervals(found), strict=True))
        cells = [("", "") if gap is None else next(written) for gap in gaps]
        columns += [
            Column(f"more {heading}", tuple(cell for cell, _ in cells)),
            Column("its interval", tuple(interval for _, interval in cells)),
        ]
    return tuple(columns)


def _joined(group: str, model: str) -> str:
    """Name a model in a group, so short that the other columns have room beside it."""
    return ": ".join(cut(name, LONGEST) for name in (group, model))


def _chance(difference: Estimate) -> str:
    if math.isnan(difference.low):
        return "—"
    return "no" if difference.low > 0 else "yes"
