"""Scores that were taken without NumPy: the words and tables of ``costderive score``, and numbers for pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from costderive.core.errors import SpecError
from costderive.evaluate.decisions import Cheapest
from costderive.evaluate.model_scores import Compared
from costderive.evaluate.plain_losses import PlainLosses
from costderive.evaluate.plain_scores import PlainScores
from costderive.evaluate.plain_tally import cheapest
from costderive.publish.score_report.remarks import (
    changes_in_words,
    decisions,
    facts,
    few,
    infinite,
    price,
    small_groups,
    threshold_in_words,
    verdict,
    without,
)
from costderive.publish.score_report.summary import ScoreSummary
from costderive.publish.score_report.tables import differences, of_groups, of_models
from costderive.rules import ScoringRule

OUTSIDE = 0.002  # of the threshold weight that a picture leaves out at either end
THINNEST = 2e-4  # of the width of a picture: parts that cannot be seen
STEPS = 60  # of a search by halves
METHOD = "Intervals are by the delta method, with the normal distribution, as costderive score has them."


Parts = tuple[Cheapest, ...]


def cheapest_parts(scores: PlainScores) -> Parts:
    """Return which model is cheapest at which cost proportions; nothing if there is one model."""
    return cheapest(scores.weighted) if len(scores) > 1 else ()


def plain_summary(scores: PlainScores, parts: Parts) -> ScoreSummary:
    """Summarise scores, the cheapest model first."""
    order = sorted(range(len(scores)), key=lambda k: (scores[k].loss, k))
    same: Any = scores  # all that the words below need is there
    return ScoreSummary(
        (*facts(same), *without(scores.left_out)),
        verdict(scores),
        tuple(of_models(same, order)),
        differences(scores),
        tuple(_remarks(scores, parts)),
        groups=of_groups(scores, order),
    )


def _remarks(scores: PlainScores, parts: Parts) -> Iterator[str]:
    yield METHOD
    yield from few(scores)
    yield from small_groups(scores)
    yield from decisions(scores)
    if parts and math.isfinite(sum(worst(scores.losses))):
        ends = [parts[0].low, *(part.high for part in parts)]
        first, second = (scores.losses.values(label, [ends]) for label in (0, 1))
        yield changes_in_words(scores, parts, [first[s] - second[s] for s in ends])
    if (one := threshold(scores.losses)) is not None:
        yield threshold_in_words(one)
    yield from infinite(scores)
    yield from price(scores)


def worst(losses: PlainLosses) -> tuple[float, float]:
    """Return the expected costs of both mistakes."""
    return losses.at(0, 1.0), losses.at(1, 0.0)


def threshold(losses: PlainLosses) -> float | None:
    """Return the threshold that must do for all costs, None if both expected costs are infinite.

    Source: Elkan (2001), Eq. (2).
    """
    first, second = worst(losses)
    if math.isinf(first):
        return None if math.isinf(second) else 1.0
    return first / (first + second)


def document(scores: PlainScores) -> dict[str, Any]:
    """Return all numbers, by the names that ``costderive score --json`` gives them."""
    return {
        "instances": sum(scores.counts),
        "class_1": scores.counts[1],
        "prevalence": scores.proportions[1],
        "level": scores.level,
        "constant": scores.constant,
        **({"left_out": scores.left_out} if scores.left_out else {}),
        "threshold": threshold(scores.losses),
        **numbers(scores),
        **(
            {"groups": {name: numbers_of_group(part) for name, part in scores.groups.items()}}
            if scores.groups
            else {}
        ),
    }


def numbers(scores: Compared[Any]) -> dict[str, Any]:
    """Return the numbers of models, and of pairs of them."""
    return {
        "models": [asdict(score) for score in scores],
        "differences": [asdict(difference) for difference in scores.differences],
    }


def numbers_of_group(scores: Any) -> dict[str, Any]:
    """Return the numbers of a group of rows, and what it consists of."""
    return {
        "instances": sum(scores.counts),
        "class_1": scores.counts[1],
        "prevalence": scores.proportions[1],
        **numbers(scores),
    }


def decision_picture(scores: PlainScores, parts: Parts, rule: ScoringRule) -> dict[str, Any]:
    """Return what a picture of the decision shows: which model is cheapest at which thresholds, and where it looks."""
    low, high = window(scores.losses)
    names = [row.model for row in scores]
    inside = [(names.index(part.model), max(low, part.low), min(high, part.high)) for part in parts]
    seen = [part for part in inside if part[2] - part[1] > THINNEST * (high - low)]
    return {"window": (low, high), "parts": seen, "atoms": _atoms(rule)}


def reliability_pictures(scores: PlainScores) -> list[dict[str, Any]]:
    """Return of each model the pools of its recalibration, and the parts of its loss; none if there is one class."""
    if not all(scores.counts):
        return []
    return [
        {
            "pools": tally.reliability(),
            "miscalibration": row.calibrated - row.recalibrated,
            "discrimination": scores.constant - row.recalibrated,
            "uncertainty": scores.constant,
        }
        for row, tally in zip(scores, scores.weighted.values(), strict=True)
    ]


def window(losses: PlainLosses) -> tuple[float, float]:
    """Return the part of [0, 1] in which nearly all of the threshold weight is; all of it if the weight is infinite."""
    if not math.isfinite(sum(worst(losses))):
        return 0.0, 1.0
    ends = tuple(_quantile(losses, share) for share in (OUTSIDE, 1 - OUTSIDE))
    room = 0.1 * (ends[1] - ends[0])
    return (max(0.0, ends[0] - room), min(1.0, ends[1] + room)) if 0 < room < 0.05 else (0.0, 1.0)


def _quantile(losses: PlainLosses, share: float) -> float:
    """Return where a share of the threshold weight lies below."""
    least, most = _mass(losses, 0.0), _mass(losses, 1.0)
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _mass(losses, middle) < least + share * (most - least):
            low = middle
        else:
            high = middle
    return high


def _mass(losses: PlainLosses, s: float) -> float:
    """Return the threshold weight below s, but for a constant: both losses of a rule change by its shares."""
    return losses.at(0, s) - losses.at(1, s)


def _atoms(rule: ScoringRule) -> list[float]:
    try:
        return [float(atom.at) for atom in rule.atoms]
    except SpecError:
        return []
