"""What is said of scores beside their tables: facts about the data, the verdict, and remarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from costderive.core.errors import CostDeriveError, DataError
from costderive.core.short_repr import cut
from costderive.costs.contexts import Context
from costderive.evaluate import Cheapest, CostMatrix, Scores, alike, cheapest, cost_ranges, threshold_for
from costderive.evaluate.model_scores import Compared
from costderive.publish.formats.terminal import context_words, printable
from costderive.publish.score_report.columns import numbers, percent, short


def facts(scores: Scores) -> Iterator[str]:
    """Say what was scored under which costs."""
    yield f"Costs: {context_words(scores.context)}"
    yield from matrix_facts(scores.matrix)
    if scores.columns:
        own = " and ".join(map(printable, scores.columns))
        yield f"Each row has its own {own}."
    yield from ranges(scores.context)
    share, of_all = scores.proportions[1], sum(scores.counts)
    yield f"{of_all} instances, {scores.counts[1]} of class 1 ({scores.counts[1] / of_all:.3g} of all)"
    weights = [math.fsum(each) for each in (scores.tallies[0].zeros, scores.tallies[0].ones)]
    weight = weights[1] / sum(weights)
    if scores.is_weighted:
        yield f"Rows count by their weights: class 1 has {weight:.3g} of the weight."
    if not math.isclose(share, weight):
        yield f"Means are taken for {share:g} of class 1, with the predictions as they are."


def without(left_out: Mapping[str, str]) -> Iterator[str]:
    """Say which columns of files are no models, and what they hold instead of probabilities."""
    if left_out:
        named = cut(", ".join(f"{printable(name)} ({what})" for name, what in left_out.items()), 400)
        yield f"Left out, as they hold no probabilities: {named}."


def ranges(context: Context) -> tuple[str, ...]:
    """Say what was understood of uncertain costs that can be drawn, and lead to one threshold each."""
    try:
        return tuple(cost_ranges(context).lines())
    except CostDeriveError:
        return ()


def matrix_facts(costs: Context | CostMatrix | None) -> Iterator[str]:
    """Say what a cost matrix reduces to."""
    if isinstance(costs, CostMatrix):
        yield (
            f"Regrets: {costs}. These are the costs of mistakes; the rest, tn = {costs.tn} in class 0 and "
            f"tp = {costs.tp} in class 1, depends on no decision."
        )


def verdict(scores: Compared[Any]) -> str:
    """Say which model costs least, by how much, and whether that may be chance."""
    best = scores.best
    if len(scores) == 1 or not math.isfinite(best.loss):
        return ""
    if scores.tied:
        *first, last = map(printable, scores.tied)
        return f"{', '.join(first)} and {last} tie: each costs {short(best.loss)} an instance."
    after = scores.over(best.model)
    second = min(after, key=lambda model: after[model].value)
    gap, (shown, low, high) = after[second], numbers(after[second])
    more = (
        f", {100 * gap.value / best.loss:.3g} % of that" if best.loss > 0 and math.isfinite(gap.value) else ""
    )
    sure = ": it may be chance" if not gap.low > 0 else ": so few rows may mislead" if scores.is_small else ""
    between = (
        f"{percent(scores.level)} interval {low} to {high}" if math.isfinite(gap.low) else "interval unknown"
    )
    return (
        f"{printable(best.model)} costs least, {short(best.loss)} an instance. {printable(second)} comes next and "
        f"costs {shown} more{more} ({between}){sure}."
    ).replace(" %", "\N{NO-BREAK SPACE}%")


def remarks(scores: Scores) -> Iterator[str]:
    """Say what stands below the tables."""
    yield from _bootstrapped(scores)
    yield from few(scores)
    yield from small_groups(scores)
    yield from decisions(scores)
    yield from _changes(scores)
    yield from _threshold(scores)
    yield from infinite(scores)
    yield from price(scores)
    yield from _verified(scores)


MOST_PARTS = 4
SMALL = 0.02  # of the threshold weight: smaller parts of the cost proportions are left out


def _changes(scores: Scores) -> Iterator[str]:
    """Say at which cost proportions which model is cheapest, each part with its share of the threshold weight."""
    if len(scores) == 1 or scores.columns:
        return
    if not math.isfinite(scores.rule.loss0(1.0) + scores.rule.loss1(0.0)):
        return
    parts = cheapest(scores)
    ends = [parts[0].low, *(part.high for part in parts)]
    yield changes_in_words(scores, parts, (scores.rule.loss0(ends) - scores.rule.loss1(ends)).tolist())


def changes_in_words(scores: Any, parts: Sequence[Cheapest], mass: Sequence[float]) -> str:
    """Say which model is cheapest where; ``mass`` is ``loss0 - loss1`` at the ends of all parts."""
    shares = [(high - low) / (mass[-1] - mass[0]) for low, high in pairwise(mass)]
    shown = list(_joined(zip(parts, shares, strict=True)))
    if len(shown) <= MOST_PARTS:
        each = [
            f"{_all_alike(scores, x.model)} from {x.low:.3g} to {x.high:.3g} ({100 * share:.0f} % of the weight)"
            for x, share in shown
        ]
    else:
        total = {part.model: 0.0 for part in parts}
        for part, share in zip(parts, shares, strict=True):
            total[part.model] += share
        each = [
            f"{_all_alike(scores, model)} on {100 * share:.0f} % of the weight"
            for model, share in total.items()
        ]
    left = "" if len(shown) == len(parts) or len(shown) > MOST_PARTS else "; shorter parts are left out"
    return f"Cheapest by cost proportion s = c₀/(c₀ + c₁): {', '.join(each)}{left}."


def _all_alike(scores: Any, model: str) -> str:
    return " = ".join(map(printable, alike(scores, model)))


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


def few(scores: Compared[Any]) -> Iterator[str]:
    """Say that rows are too few for intervals."""
    if scores.is_small:
        counts = " and ".join(f"{count} of class {label}" for label, count in enumerate(scores.counts))
        yield f"Unreliable: intervals of so few rows, {counts}, are often too short."


def small_groups(scores: Compared[Any]) -> Iterator[str]:
    """Say of which groups rows are too few for intervals."""
    small = [printable(name) for name, part in scores.groups.items() if part.is_small]
    if small and not scores.is_small:
        yield f"Unreliable: intervals of groups with so few rows are often too short: {cut(', '.join(small), 200)}."


def decisions(scores: Any) -> Iterator[str]:
    """Say which models have no probabilities but 0 and 1."""
    for row, tally in zip(scores, scores.tallies, strict=True):
        if len(tally) <= 2 and set(map(float, tally.probability)) <= {0, 1}:
            yield f"{printable(row.model)} has no values but 0 and 1: decisions, or no model at all, not probabilities."


def _threshold(scores: Scores) -> Iterator[str]:
    """Say which threshold to decide at."""
    if scores.columns:
        yield "Decide for class 1 where its (calibrated) probability is above c₀/(c₀ + c₁), by the costs of the row."
        return
    with suppress(DataError):
        yield threshold_in_words(threshold_for(scores.rule))


def threshold_in_words(one: float) -> str:
    """Say that ``one`` is the threshold that must do for all costs."""
    return (
        "Decide for class 1 where its (calibrated) probability is above c₀/(c₀ + c₁); if one threshold must do for "
        f"all costs, above E[c₀]/(E[c₀] + E[c₁]) = {one:.4g}."
    )


def infinite(scores: Compared[Any]) -> Iterator[str]:
    """Say which rows make a mean infinite: a probability of exactly 0 or 1 that was wrong."""
    found = [("loss", score.model, score.infinite) for score in scores]
    found += [("log loss", score.model, score.infinite_log_loss) for score in scores]
    for name, model, rows in found:
        if rows:
            where = f"in {rows} rows" if rows > 1 else "in 1 row"
            yield f"∞: the {name} of {printable(model)} is infinite {where}, wrong with probability 0 or 1."


def price(scores: Compared[Any]) -> Iterator[str]:
    """Warn of a threshold that is not the calibrated one, with its price."""
    for score in scores:
        price = score.loss - score.calibrated
        if price and math.isfinite(price):
            verb = "costs" if price > 0 else "saves"
            yield (
                f"Warning: for {printable(score.model)} deciding at the given threshold and not at c₀/(c₀ + c₁) "
                f"{verb} {short(abs(price))} an instance."
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
    return f"{gap / standard_error:.1f} standard errors" if standard_error else short(gap)
