"""A second proof of losses, by both integrations in one order, agrees with the first one and refutes what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sympy import Expr, Rational

import costderive as cd
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import c0, c1
from costderive.derivation.derivation import losses
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.direct_route import RAY, direct_claims
from costderive.derivation.search.direct_route import direct_route
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict

PROVED = [
    ("uniform(0, 1)", "uniform(0, 1)"),
    ("uniform(1, 3)", "uniform(2, 5)"),
    ("uniform(1, 2)", "exponential(3)"),
    ("exponential(a)", "exponential(b)"),
    ("gamma(2, 1)", "gamma(3, 2)"),
    ("pareto(3, 1)", "pareto(2, 2)"),
    ("triangular(1, 2, 4)", "uniform(1, 2)"),
    ("lognormal(0, 1)", "uniform(1, 2)"),
    ("uniform(0, a)", "uniform(0, b)"),
]


def rectangle(first: str = "uniform(1, 3)", second: str = "uniform(2, 5)") -> cd.Derivation:
    return cd.derive(cd.Independent(c0=first, c1=second))


@pytest.mark.parametrize("pair", PROVED, ids=" x ".join)
def test_losses_are_proved_a_second_time(pair: tuple[str, str]) -> None:
    report = cd.cross_check(rectangle(*pair))
    assert report.verdict is Verdict.PROVED, str(report)
    assert {finding.claim.what for finding in report.findings} >= {
        "loss 0 is what both integrations give",
        "loss 1 is what both integrations give",
    }


def test_dependent_costs_are_integrated_in_the_same_way() -> None:
    report = cd.cross_check(cd.derive(cd.Joint("c0 + c1", ["c0 < 1", "c1 < 1"])))
    assert report.verdict is Verdict.PROVED


@pytest.mark.parametrize("number", [0, 1])
def test_wrong_losses_are_refuted(number: int) -> None:
    derivation = rectangle()
    (case,) = derivation.cases
    last = [step for step in case.steps if isinstance(step.after, cd.rule.Losses)][-1]
    name = f"loss{number}"
    wrong = _changed(getattr(last.after, name), lambda value: value * Rational(1001, 1000))
    found = [
        replace(step, after=replace(step.after, **{name: wrong})) if step == last else step
        for step in case.steps
    ]
    report = cd.cross_check(replace(derivation, cases=(replace(case, steps=tuple(found)),)))
    assert report.verdict is Verdict.REFUTED
    assert {x.claim.what for x in report.findings if x.verdict is Verdict.REFUTED} == {
        f"loss {number} is what both integrations give"
    }


def _changed(pieces: Pieces, change: Any) -> Pieces:
    return Pieces(pieces.variable, tuple(replace(piece, value=change(piece.value)) for piece in pieces))


def evidence() -> tuple[Any, Any, Any, Any]:
    (case,) = rectangle().cases
    areas, found = case.steps[0].after.areas, losses(case)
    pair = (found.loss0, found.loss1)
    return areas, pair, *direct_route(areas, pair, Given(), Deadline.after(20))


def verdict(areas: Any, pair: Any, rectangles: Any, cells: Any) -> Verdict:
    return min(decide(claim).verdict for claim in direct_claims(areas, rectangles, cells, pair, Given()))


def _with_strip(cells: Any, cell: int, strip: int, **changes: Any) -> Any:
    strips = list(cells[cell].strips[0])
    strips[strip] = replace(strips[strip], **changes)
    return (*cells[:cell], replace(cells[cell], strips=(tuple(strips),)), *cells[cell + 1 :])


def test_no_evidence_that_was_changed_is_believed() -> None:
    areas, pair, rectangles, cells = evidence()
    assert verdict(areas, pair, rectangles, cells) is Verdict.PROVED
    (one,) = rectangles
    wider = replace(one, first=Interval(c0, one.first.low, one.first.high + 1))
    shifted = replace(one, mean=replace(one.mean, at_low=one.mean.at_low + 1))
    steeper = replace(one, mass=replace(one.mass, function=2 * one.mass.function))
    for changed in (wider, shifted, steeper):
        assert verdict(areas, pair, (changed,), cells) < Verdict.PROVED
    assert verdict(areas, pair, rectangles, cells[:-1]) < Verdict.PROVED
    assert verdict(areas, pair, (), cells) < Verdict.PROVED
    number = next(n for n, cell in enumerate(cells) if len(cell.strips[0]) > 1)
    strips = cells[number].strips[0]
    fewer = replace(cells[number], strips=(strips[1:],))
    assert verdict(areas, pair, rectangles, (*cells[:number], fewer, *cells[number + 1 :])) < Verdict.PROVED
    crossing = next(n for n, strip in enumerate(strips) if strip.cut == RAY)
    wrong: tuple[Expr, ...] = (one.first.low, one.first.high, 2 * RAY, c1)
    for cut in wrong:
        assert (
            verdict(areas, pair, rectangles, _with_strip(cells, number, crossing, cut=cut)) < Verdict.PROVED
        )


def test_what_is_not_found_is_open_and_says_so() -> None:
    report = cd.cross_check(rectangle("weibull(3/2, 1)", "exponential(1)"))
    assert report.verdict is Verdict.OPEN
    assert "no second proof was found: no antiderivative of" in str(report)


@pytest.mark.parametrize("context", [cd.Additive(), cd.FixedCosts(1, 2)])
def test_costs_on_a_line_have_no_second_way(context: Any) -> None:
    with pytest.raises(SpecError, match="no second way"):
        cd.cross_check(cd.derive(context))


def test_the_command_shows_both_proofs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(rectangle("uniform(0, 1)", "uniform(0, 1)").to_json(), encoding="utf-8")
    assert main(["check", str(file), "--direct"]) == 0
    shown = capsys.readouterr().out
    assert "The losses are PROVED a second time" in shown
    assert "the ray is above all other costs" in shown
