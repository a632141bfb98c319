"""Rules of a threshold that is a function of the proportion of the costs, in Coq.

At the report p it decides as the calibrated threshold does at the proportion whose threshold is p. Below all of its
values class 0 is predicted, whatever the costs are, and above them class 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval, Piece
from costderive.core.symbols import p, s
from costderive.costs.laws import x
from costderive.derivation.moves.distorted_thresholds import reached
from costderive.derivation.search.distorted_thresholds import inverse
from costderive.publish.coq.factors import divisors, hints, hints_at
from costderive.publish.coq.facts import ordered, positives, records, sure
from costderive.publish.coq.setting import Cell
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.threshold_rule import ThresholdRule

ZERO, ONE = sympy.S.Zero, sympy.S.One
SECONDS = 10.0
WRONG = "(fun c0 c1 => threshold (c0 / (c0 + c1)))"
STATEMENT = f"priced (pay0_at {WRONG} p) ({{0}}) /\\\n  priced (pay1_at {WRONG} p) ({{1}})"


def at_distorted(rule: ThresholdRule, at: Expr) -> Iterator[str]:
    """Yield the lemmas that the losses are what is expected to be paid at a threshold that depends on the costs.

    Raises:
        ExportError: if a sign or an order is not visible.
        SpecError: if there is no formula for the proportion at a threshold.
    """
    yield f"Definition threshold (x : R) : R := {term(at.subs(s, x))}."
    yield grows(at.subs(s, x), rule.given)
    yield from rule.costs.known_costs()
    stretches = list(_stretches(rule, at))
    yield from (stretch.lemma() for stretch in stretches)
    for label, which in enumerate(("first_of", "second_of")):
        found = " | ".join(f"{which} ({stretch.name} p Unit ltac:(lra))" for stretch in stretches)
        yield lemma(
            f"expected_cost{label} p",
            f"0 < p < 1 -> priced (pay{label}_at {WRONG} p) (L{label} p)",
            f"intros Unit. {rule.orders()}",
            f"unfold L{label}; branch; first [{found}].",
            kind="Theorem",
        )


def grows(at: Expr, given: Given) -> str:
    """Return the lemma that the threshold grows with the proportion."""
    slope = sympy.factor(sympy.diff(at, x))
    within, known = within_unit((at, slope), given)
    return lemma(
        "grows y z",
        "0 < y -> y < z -> z < 1 -> threshold y < threshold z",
        "intros Positive Order Below. cut (0 < threshold z - threshold y); [lra |].",
        f"apply (rises threshold (fun x => {term(slope)})); [exact Order | |];",
        "  intros x X; assert (0 < x) by lra; assert (0 < 1 - x) by lra; unfold threshold.",
        *[f"all: {line}" for line in known],
        f"- unfold Rpower; auto_derive; [see | {algebra(hints((at, slope), Interval(x, ZERO, ONE), given))}].",
        f"- apply (positive_as ({sure(slope, None, within).text})); [algebra | see].",
    )


def within_unit(formulas: tuple[Expr, ...], given: Given) -> tuple[Given, tuple[str, ...]]:
    """Return what is known of a proportion x, and the tactics that record that what formulas divide by is positive."""
    within = given.also(positive=(x, 1 - x))
    parts = divisors(formulas, Interval(x, ZERO, ONE), given)
    return within, tuple(records([part for part in parts if part not in within.positive], None, within))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Reports of which one proof says what they cost: between breakpoints, or one of them."""

    name: str
    where: str
    losses: tuple[Expr, Expr]
    proof: tuple[str, ...]

    def lemma(self) -> str:
        """Return the lemma on what its reports cost."""
        statement = f"0 < p < 1 -> {self.where} ->\n  {STATEMENT.format(*map(term, self.losses))}"
        return lemma(f"{self.name} p", statement, *self.proof)


def _stretches(rule: ThresholdRule, at: Expr) -> Iterator[_Stretch]:
    """Yield the reports below all thresholds, those between breakpoints, the breakpoints, and those above all."""
    least, *breaks, greatest = reached(at, rule.costs.losses, rule.given)
    pieces = list(zip(rule.pair.loss0, rule.pair.loss1, strict=True))
    if least != 0:
        pieces.pop(0)
        yield _below_all(rule, at, least)
    root = inverse(at, (least, greatest), rule.given, SECONDS)
    for k, (piece, own) in enumerate(zip(pieces, rule.costs.setting.cells, strict=False), start=1):
        yield _between(rule, k, piece, own, (root, at))
    for k, (place, own) in enumerate(zip(breaks, rule.costs.setting.cells, strict=False), start=1):
        yield _at_break(rule, k, place, own.on.high, at)
    if greatest != 1:
        yield _above_all(rule, at, greatest)


def _below_all(rule: ThresholdRule, at: Expr, least: Expr) -> _Stretch:
    rule.costs.require_means(1)
    order = _ordered_on_unit(rule, "above", least, at)
    return _Stretch(
        "below_all",
        f"0 < p <= {atomic(least)}",
        (ZERO, rule.costs.losses.worst1),
        (
            "intros Unit Within. apply (costs_below_all priced prices threshold _ p); [| exact mean_is1].",
            f"intros x X; unfold threshold. {order} lra.",
        ),
    )


def _above_all(rule: ThresholdRule, at: Expr, greatest: Expr) -> _Stretch:
    rule.costs.require_means(0)
    order = _ordered_on_unit(rule, "under", at, greatest)
    return _Stretch(
        "above_all",
        f"{atomic(greatest)} <= p < 1",
        (rule.costs.losses.worst0, ZERO),
        (
            "intros Unit Within. apply (costs_above_all priced prices threshold _ p); [| exact mean_is0].",
            f"intros x X; unfold threshold. {order} lra.",
        ),
    )


def _ordered_on_unit(rule: ThresholdRule, name: str, low: Expr, high: Expr) -> str:
    within = rule.given.also(positive=(x, 1 - x))
    return ordered(name, low.subs(s, x), high.subs(s, x), None, within, strict=True)


def _between(
    rule: ThresholdRule, number: int, pieces: tuple[Piece, Piece], own: Cell, at: tuple[Expr, Expr]
) -> _Stretch:
    """Between breakpoints the report decides as another one, which lies in one piece of the calibrated losses."""
    (first, second), (root, threshold) = pieces, at
    on = Interval(p, first.low, first.high)
    same = hints((root, threshold.subs(s, root)), on, rule.given)
    costs = [
        hints((own.formulas[label].subs(p, root), piece.value), on, rule.given)
        for label, piece in enumerate(pieces)
    ]
    return _Stretch(
        f"stretch{number}",
        f"{atomic(on.low)} < p < {atomic(on.high)}",
        (first.value, second.value),
        (
            "intros Unit Within.",
            *_own_orders(rule),
            *positives((root, first.value, second.value), on, rule.given),
            _ordered("floor", own.on.low, root, on, rule.given),
            _ordered("ceiling", root, own.on.high, on, rule.given),
            *_decided(root, atomic(p), algebra(same), [algebra(found) for found in costs], rule),
        ),
    )


def _ordered(name: str, low: Expr, high: Expr, on: Interval, given: Given) -> str:
    """Return the tactic that puts an order on record, by the squares of numbers with a root if need be."""
    try:
        return ordered(name, low, high, on, given, strict=True)
    except ExportError:
        gap = sympy.factor(high**2 - low**2) / (high + low)
        proof = f"apply (strictly_below_by ({sure(gap, on, given).text})); [{algebra(hints((gap,), on, given))} | see]"
        return f"assert ({name} : {atomic(low)} < {atomic(high)}) by ({proof})."


def _at_break(rule: ThresholdRule, number: int, place: Expr, own: Expr, at: Expr) -> _Stretch:
    """At a breakpoint the report decides as the breakpoint of the calibrated losses."""
    value = next(value for value in rule.pair.values if value.at == place)
    same = algebra(hints_at(own, (at.subs(s, p),), Interval(p, ZERO, ONE), rule.given))
    return _Stretch(
        f"break{number}",
        f"p = {atomic(place)}",
        (value.loss0, value.loss1),
        (
            "intros Unit ->.",
            *_own_orders(rule),
            *_decided(own, atomic(place), same, [same, same], rule),
        ),
    )


def _own_orders(rule: ThresholdRule) -> Iterator[str]:
    for cell in rule.costs.setting.cells:
        yield ordered(f"own{cell.number}", cell.on.low, cell.on.high, None, rule.given, strict=True)


def _decided(root: Expr, report: str, same: str, equal: list[str], rule: ThresholdRule) -> Iterator[str]:
    """Yield that the report decides as that at the root, and costs as much."""
    yield f"assert (same : threshold {atomic(root)} = {report}) by (unfold threshold; {same})."
    for label in (0, 1):
        decides = f"cost{label}_of_distorted priced prices threshold grows {atomic(root)} _ _ ltac:(lra) same"
        own = f"own_cost{label} {atomic(root)} ltac:(lra)"
        yield f"{'split; [' if label == 0 else '  |'} apply ({decides}); apply (valued priced _ _ _ ({own}));"
        yield f"    unfold {rule.costs.setting.name}.L{label}; branch; {equal[label]}{'' if label == 0 else '].'}"
