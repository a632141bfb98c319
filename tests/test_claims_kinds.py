"""Kinds of checks on ranges and on measures of decisions, against numbers of another origin."""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from costderive.literature import Outcome
from costderive.literature.kinds import question

Counts = Mapping[tuple[int, int], int]
MEASURES: dict[str, tuple[str, Callable[[int, int, int, int], float]]] = {
    "accuracy": ("(TP + TN)/(TP + TN + FP + FN)", lambda tp, fn, fp, tn: (tp + tn) / (tp + tn + fp + fn)),
    "F1": (
        "2*TP/(2*TP + FP + FN)",
        lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 1,
    ),
    "precision": ("TP/(TP + FP)", lambda tp, fn, fp, tn: tp / (tp + fp) if tp + fp else 1),
    "recall": ("TP/(TP + FN)", lambda tp, fn, fp, tn: tp / (tp + fn) if tp + fn else 1),
    "cost": ("-3*FP - FN", lambda tp, fn, fp, tn: -3 * fp - fn),
    "errors": ("-FP - FN", lambda tp, fn, fp, tn: -fp - fn),
    "constant": ("7", lambda tp, fn, fp, tn: 7),
}


def ruling(**table: Any) -> Any:
    return question(table, "mine").ruling()


def expected(measure: Callable[..., float], beliefs: tuple[float, ...], said: tuple[int, ...]) -> float:
    total = 0.0
    for labels in itertools.product((0, 1), repeat=len(said)):
        chance = 1.0
        for label, belief in zip(labels, beliefs, strict=True):
            chance *= belief if label else 1 - belief
        pairs = list(zip(labels, said, strict=True))
        total += chance * measure(*(pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))))
    return total


def better_than_honest(measure: Callable[..., float], size: int) -> Iterator[tuple[float, ...]]:
    """Draw beliefs, and yield those under which another decision than the honest one expects more."""
    draw = random.Random(1)
    for _ in range(300):
        beliefs = tuple(draw.random() for _ in range(size))
        honest = tuple(int(belief > 0.5) for belief in beliefs)
        others = itertools.product((0, 1), repeat=size)
        if any(expected(measure, beliefs, x) > expected(measure, beliefs, honest) + 1e-9 for x in others):
            yield beliefs


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_is_proper_just_if_no_drawn_beliefs_gain_by_another_decision(name: str, size: int) -> None:
    text, measure = MEASURES[name]
    gains = any(better_than_honest(measure, size))
    for says, holds in (("proper", not gains), ("improper", gains)):
        found = ruling(kind="measure", measure=text, otherwise=1, instances=size, says=says)
        assert found.outcome is (Outcome.HOLDS if holds else Outcome.FAILS), found.evidence


def test_the_witness_against_the_f_measure_expects_less_of_the_truth() -> None:
    """81/256 = (9/16)^2; the report (0, 1) expects (9/16)(7/16) + (2/3)(7/16)^2."""
    text, measure = MEASURES["F1"]
    found = ruling(kind="measure", measure=text, otherwise=1, instances=2, says="proper")
    (said,) = found.evidence
    assert "(7/16, 7/16) expect 81/256 of themselves and 287/768 of the report (0, 1)" in said
    assert expected(measure, (7 / 16, 7 / 16), (0, 0)) == pytest.approx(81 / 256)
    assert expected(measure, (7 / 16, 7 / 16), (0, 1)) == pytest.approx(287 / 768)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "2*TP/(2*TP + FP + FN)"}, "its value at 0/0|is nan"),
        ({"measure": "1/TP"}, "is zoo"),
        ({"measure": "TP + x"}, "TP \\+ x"),
        ({"measure": "sqrt(2)*TP"}, "√2 TP"),
        ({"instances": 5}, "5 instances are not decided"),
        ({"instances": 0}, "0 instances are not decided"),
    ],
)
def test_a_measure_without_a_number_is_refused(change: Mapping[str, Any], message: str) -> None:
    table = {"kind": "measure", "measure": "TP", "instances": 2, "says": "proper"} | dict(change)
    with pytest.raises(Exception, match=message):
        question(table, "mine").ruling()


@pytest.mark.parametrize(
    ("expression", "on", "values", "outcome"),
    [
        ("c0/(c0 + c1)", {"c0": [0, "oo"]}, [0, 1], Outcome.HOLDS),
        ("c0/(c0 + c1)", {"c0": [0, "oo"]}, [0, "oo"], Outcome.FAILS),
        ("c0/(c0 + c1)", {"c0": [0, "oo"]}, [1, 0], Outcome.FAILS),
        ("c0/(c0 + c1)", {"c0": ["a", "oo"]}, ["a/(a + c1)", 1], Outcome.HOLDS),
        ("c0/(c0 + c1)", {"c1": [0, "oo"]}, [0, 1], Outcome.HOLDS),
        ("1/p", {"p": [0, 1]}, [1, "oo"], Outcome.HOLDS),
        ("1/p", {"p": [0, 1]}, [0, "oo"], Outcome.FAILS),
        ("-ln(p)", {"p": [0, "1/2"]}, ["ln(2)", "oo"], Outcome.HOLDS),
        ("p/2", {"p": [0, 1]}, [0, "1/2 - 1/10^40"], Outcome.FAILS),
        ("p*(1 - p)", {"p": [0, 1]}, [0, 0], Outcome.OPEN),
        ("3", {"p": [0, 1]}, [3, 3], Outcome.OPEN),
    ],
)
def test_a_range_is_that_between_the_limits(
    expression: str, on: Mapping[str, Any], values: list[Any], outcome: Outcome
) -> None:
    found = ruling(kind="range", expression=expression, on=on, values=values)
    assert found.outcome is outcome, found.evidence
    assert bool(found.correction) == (outcome is Outcome.FAILS)


def test_what_jumps_inside_a_range_has_no_range_between_its_limits() -> None:
    """1/(1 - 2p) rises on both sides of 1/2, where it jumps from +oo to -oo; its limits are 1 and -1."""
    assert (
        ruling(kind="range", expression="1/(1 - 2*p)", on={"p": [0, 1]}, values=[-1, 1]).outcome
        is Outcome.OPEN
    )


@pytest.mark.parametrize("on", [["oo", "oo"], [1, 1], [2, 1], ["a", "b"]])
def test_an_empty_range_is_refused(on: list[Any]) -> None:
    with pytest.raises(Exception, match="is empty, or may be"):
        ruling(kind="inequality", left="0", right="1", on={"x": on})


@pytest.mark.parametrize(
    ("printed", "error", "outcome", "said"),
    [
        ("0.78265", "", Outcome.FAILS, "off by 0.011"),
        ("0.78265", "0.004", Outcome.FAILS, "off by 0.011, 2.7 standard errors"),
        ("0.78265", "0.006", Outcome.HOLDS, "0.79327627, off by 0.011, 1.8 standard errors"),
        ("0.79328", "", Outcome.HOLDS, "0.79327627"),
        ("0.79328", "0", Outcome.FAILS, "off by"),
        ("0.79", "0.001", Outcome.FAILS, "3.3 standard errors"),
    ],
)
def test_a_simulated_number_is_right_within_twice_its_error(
    printed: str, error: str, outcome: Outcome, said: str
) -> None:
    """(9 (1 - Phi(1)) + Phi(-1))/2 = 5 (1 - Phi(1)) = 0.7932763, the cost of the thesis at the threshold 0."""
    assert 5 * (1 - statistics.NormalDist().cdf(1)) == pytest.approx(0.79327627, abs=1e-8)
    more = {"error": error} if error else {}
    found = ruling(kind="value", expression="5*(1 - Phi(1))", printed=printed, **more)
    assert found.outcome is outcome and said in found.evidence[0]


@pytest.mark.parametrize("error", ["-1", "1e5", "nan", "x"])
def test_an_error_that_is_no_decimal_is_refused(error: str) -> None:
    with pytest.raises(Exception, match="is not a decimal"):
        ruling(kind="value", expression="1", printed="1", error=error)
