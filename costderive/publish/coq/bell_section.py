"""Independent costs with densities of powers and bells on all positive numbers, in Coq, as Weibull costs of shape 2.

A power of a cost y times ``exp(-(E y^2 + 2 b y))`` has antiderivatives of this kind and values of the error function.
Expected costs are integrals over one cost, by the tail of the other one (``library/Independent.v``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import Area
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.bells import BellSum, Plain, Write, against, antiderivative, bells
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.independent_pairs import (
    applied,
    areas_alone,
    factors,
    law,
    limits_of_law,
    total,
)
from costderive.publish.coq.law_theorems import AREAS, with_ends
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import term

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Interval(p, ZERO, ONE)
ODDS = p / (1 - p)
IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Atoms", "ExpectedLoss", "Costs", "Tails", "Areas"),
    *("Strips", "Spread", "Normal", "LogNormal", "Independent", "Bells"),
)


# ---- the laws


@dataclass(frozen=True)
class OneCost:
    """The law of a cost by its density, a sum of powers times bells."""

    label: int
    density: Expr
    given: Given

    @cached_property
    def by_mean(self) -> Plain:
        """The cost times its density, by its bells."""
        return _bells(x * self.density)

    @cached_property
    def tail(self) -> BellSum:
        """The probability of a greater cost."""
        return antiderivative(_bells(self.density)).opposite_from_far()

    @cached_property
    def mean(self) -> BellSum:
        """An antiderivative of the cost times its density."""
        return antiderivative(self.by_mean)


def _bells(expr: Expr) -> Plain:
    found = bells(expr, x)
    if found is None:
        raise ExportError("a density is no sum of powers and bells", "Coq gets such over all costs.")
    return found


@dataclass(frozen=True)
class Pair:
    """Two independent costs of a case."""

    setting: Setting
    costs: tuple[OneCost, OneCost]

    @cached_property
    def paid(self) -> tuple[BellSum, BellSum]:
        """Antiderivatives of what the classes pay at a report, each in its cost."""
        first, second = self.costs
        return (
            against(first.by_mean, second.tail, 1 / ODDS),
            against(second.by_mean, first.tail, ODDS),
        )


def bell_pair(areas: Iterable[Area], given: Given) -> tuple[OneCost, OneCost] | None:
    """Return the laws of two independent costs over all positive ones; ``None`` if they are others.

    Exponentials of whole powers alone are left to the strips of areas.
    """
    parts = factors(areas)
    if parts is None:
        return None
    if not any(sympy.diff(node.args[0], x, 2) != 0 for part in parts for node in part.atoms(sympy.exp)):
        return None
    try:
        return _normed(parts, given)
    except ExportError:
        return None


def _normed(parts: tuple[Expr, Expr], given: Given) -> tuple[OneCost, OneCost] | None:
    """Return both laws, each with the total 1; ``None`` if both together have another one."""
    totals = [whole_of(OneCost(label, factor, given)) for label, factor in enumerate(parts)]
    if sympy.simplify(totals[0] * totals[1] - 1) != 0:
        return None
    first, second = (
        OneCost(label, sympy.powsimp(sympy.simplify(factor / total)), given)
        for label, (factor, total) in enumerate(zip(parts, totals, strict=True))
    )
    return first, second


def whole_of(cost: OneCost) -> Expr:
    """Return the integral of a density over all positive costs."""
    found = cost.tail
    starts = sympy.Add(*[powers.get(0, ZERO) for powers in found.plain.values()])
    wholes = [
        a
        * sympy.sqrt(sympy.pi / square)
        / 2
        * sympy.exp(lean**2 / square)
        * sympy.erfc(lean / sympy.sqrt(square))
        for (square, lean), a in found.wholes.items()
    ]
    return sympy.simplify(starts + sympy.Add(*wholes))


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if a sign is not visible, or a tail has values of the error function.
    """
    return tuple(_section(pair) for pair in _pairs(derivation))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the total of the density is 1."""
    return tuple(total(pair.setting, IMPORTS) for pair in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the reports 0 and 1, which cost the means."""
    return tuple(_ends(pair) for pair in _pairs(derivation))


def _pairs(derivation: Derivation) -> Iterator[Pair]:
    for setting, case in zip(settings(derivation), derivation.cases, strict=True):
        if found := bell_pair(areas_alone(case), setting.given):
            yield Pair(setting, found)


def _section(pair: Pair) -> Section:
    laws = [
        *_definitions(pair),
        *[dense(cost) for cost in pair.costs],
        *[law_of(cost) for cost in pair.costs],
    ]
    costs = [
        *[_slope(pair, label) for label in (0, 1)],
        *[_piece(pair, cell) for cell in pair.setting.cells],
    ]
    return law(pair.setting, IMPORTS, laws, costs)


def _definitions(pair: Pair) -> Iterator[str]:
    for cost in pair.costs:
        yield from defined(cost)
    write = _sure(pair.setting.given, REPORTS)
    for label, found in enumerate(pair.paid):
        yield f"Definition paid{label} (p x : R) : R :=\n  {found.text('x', write)}."
        yield f"Definition paid_at_most{label} (p : R) : R :=\n  {found.far(write)}."
    yield "Definition areas : list area := [independent density0 density1]."
    names = " ".join(f"density{k} tail{k} mean_below{k} paid{k} paid_at_most{k}" for k in (0, 1))
    pieces = " ".join(cell.name for cell in pair.setting.cells)
    yield f"Ltac bells_read := cbv beta iota delta [{names} loss0 loss1 {pieces}] in *."


def defined(cost: OneCost) -> Iterator[str]:
    """Yield the definitions of the density of a cost, of its tail, and of an antiderivative of its mean."""
    number, write = cost.label, _sure(cost.given, None)
    yield f"Definition density{number} (x : R) : R := {term(cost.density)}."
    yield f"Definition tail{number} (x : R) : R :=\n  {cost.tail.text('x', write)}."
    yield f"Definition mean_below{number} (x : R) : R :=\n  {cost.mean.text('x', write)}."


def _sure(given: Given, on: Interval | None) -> Write:
    """Return what writes a rate so that Coq sees its sign."""

    def written(rate: Expr) -> str:
        return "0" if rate == 0 else f"({sure(rate, on, given).text})"

    return written


def dense(cost: OneCost) -> str:
    """Return the lemma that a density is positive and continuous."""
    seen = sure(cost.density, None, cost.given.also(positive=(x,))).text
    return lemma(
        f"dense{cost.label} x",
        f"0 < x -> 0 < density{cost.label} x /\\ continuous density{cost.label} x",
        "intros Positive. split; bells_read;"
        f" [apply (positive_as ({seen})); [equal_bells idtac | see] | steady_bells].",
    )


def law_of(cost: OneCost) -> str:
    """Return the lemma that a density has this tail, and its mean this antiderivative."""
    number, write = cost.label, _sure(cost.given, None)
    return lemma(
        f"law{number}",
        f"law_of_one density{number} tail{number} mean_below{number} (mean_below{number} 0) ({cost.mean.far(write)})",
        "split; [intros x Positive | split; [| split; [| split]]].",
        f"- split; [apply Rlt_le, dense{number}, Positive | split; [apply dense{number}, Positive | split]];"
        " bells_read; sloped_bells idtac.",
        f"- replace 1 with (tail{number} 0) by (bells_read; bells_at_0; closed_bells {_written(cost)})."
        f" apply (near_by_continuity tail{number}). bells_read. steady_bells.",
        *limits_of_law(number, "bells_read. steady_bells", "bells_read; far_bells"),
    )


def _written(cost: OneCost) -> str:
    """Return the tactic that writes the roots of a tail by their factors."""
    written = _hints([cost.tail], [cost.density], cost.given) if cost.tail.wholes else "idtac"
    return written if written == "idtac" else f"ltac:({written})"


def _slope(pair: Pair, label: int) -> str:
    other = 1 - label
    at = "x * (1 - p) / p" if label == 0 else "p * x / (1 - p)"
    sums = (*pair.paid, *[cost.tail for cost in pair.costs])
    sloped = "sloped_beside" if pair.paid[label].beside else "sloped_bells"
    return lemma(
        f"slope_of_paid{label} p",
        "0 < p < 1 -> forall x, 0 < x ->\n"
        f"  is_derive (paid{label} p) x (tail{other} ({at}) * (x * density{label} x))",
        "intros Unit x Positive.",
        *positives(_rates_of(pair), REPORTS, pair.setting.given),
        f"bells_read; {sloped} ltac:({_hints(sums, (), pair.setting.given)}).",
    )


def _rates_of(pair: Pair) -> list[Expr]:
    return [
        1 / square
        for found in pair.paid
        for square, _ in (*found.integrals, *found.plain, *found.beside)
        if square != 0
    ]


def _hints(sums: Iterable[BellSum], formulas: Iterable[Expr], given: Given) -> str:
    """Return the tactic that writes the roots of sums of bells, and of formulas, by their factors."""
    exprs = [*formulas, *[root for found in sums for root in found.roots()]]
    found = [hint for hint in hints(exprs, REPORTS, given) if hint.startswith("factored")]
    return "; ".join(found) or "idtac"


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    written = _hints(pair.paid, cell.formulas[:2], pair.setting.given)
    proofs = []
    for label in (0, 1):
        cost = applied(f"independent_cost{label}")
        proofs += [
            f"- apply over_areas_is with (paid_at_most{label} p - paid{label} p 0).",
            f"  + apply ({cost} p Unit (paid{label} p)); [exact (slope_of_paid{label} p Unit) |"
            f" apply (near_by_continuity (paid{label} p)); bells_read; steady_bells | bells_read; far_bells].",
            f"  + bells_read; bells_at_0; closed_bells ltac:({written}).",
        ]
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(
            [
                "intros Unit Start Stop.",
                *positives((*cell.formulas[:2], *_rates_of(pair)), REPORTS, pair.setting.given),
                "split.",
            ]
        ),
        *proofs,
    )


def _ends(pair: Pair) -> Section:
    means = [sympy.integrate(x * cost.density, (x, 0, sympy.oo)) for cost in pair.costs]
    given = pair.setting.given
    proofs = [
        (
            f"apply over_areas_is with (1 := {applied(f'independent_mean{label}')}).",
            *positives([mean], None, given),
            f"bells_read; bells_at_0; closed_bells ltac:({_hints([cost.mean for cost in pair.costs], means, given)}).",
        )
        for label, mean in enumerate(means)
    ]
    return with_ends(AREAS, pair.setting, IMPORTS, means, proofs)
