"""Independent costs with rational densities on all positive numbers, in Coq, as Lomax and Beta prime costs.

Expected costs are integrals over one cost, by the tail of the other one (``library/Independent.v``), which partial
fractions give. Where two scales meet, at one report, they are other fractions: that report is a case of its own.
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
from costderive.publish.coq.bells import Write
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.fractions import Fractions, fractions
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
from costderive.publish.coq.setting import Cell, Pole, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Interval(p, ZERO, ONE)
ODDS = p / (1 - p)
IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Atoms", "ExpectedLoss", "Costs", "Tails", "Areas"),
    *("Spread", "Strips", "Independent", "Fractions"),
)


# ---- the laws


@dataclass(frozen=True)
class OneCost:
    """The law of a cost by its rational density."""

    label: int
    density: Expr

    @cached_property
    def tail(self) -> Fractions:
        """The probability of a greater cost."""
        return _fractions(self.density).antiderivative().opposite()

    @cached_property
    def mean(self) -> Fractions:
        """The antiderivative of the cost times its density that vanishes at infinity."""
        return _fractions(x * self.density).antiderivative()


def _fractions(expr: Expr) -> Fractions:
    found = fractions(expr, x)
    if found is None:
        raise ExportError("a density has factors that are not linear", "Coq gets partial fractions.")
    return found


@dataclass(frozen=True)
class Pair:
    """Two independent costs of a case."""

    setting: Setting
    costs: tuple[OneCost, OneCost]

    @cached_property
    def paid(self) -> tuple[Fractions, Fractions]:
        """Antiderivatives of what the classes pay at a report, each in its cost."""
        return self.paid_at(p)

    def paid_at(self, report: Expr) -> tuple[Fractions, Fractions]:
        """Return the same at one report."""
        odds = ODDS.subs(p, report)
        first, second = self.costs
        return (
            _fractions(x * first.density * tail_at(second, x / odds)).antiderivative(),
            _fractions(x * second.density * tail_at(first, x * odds)).antiderivative(),
        )

    @cached_property
    def lines(self) -> tuple[Expr, ...]:
        """What antiderivatives divide by that is 0 at a pole: linear in the report, and rising with it."""
        shifts = [{shift for shift, _ in _fractions(cost.density).powers} for cost in self.costs]
        gaps = [sympy.numer(sympy.together(b * ODDS - a)) for a in shifts[0] for b in shifts[1]]
        found = [sympy.factor_terms(sympy.expand(gap)) for gap in gaps]
        return tuple(dict.fromkeys(line if _rises(line) else -line for line in found))


def tail_at(cost: OneCost, value: Expr) -> Expr:
    """Return the probability that a cost is greater than a value."""
    return sympy.Add(*[a / (value + shift) ** n for (shift, n), a in cost.tail.powers.items()])


def _rises(line: Expr) -> bool:
    return bool(sympy.diff(line, p).is_positive)


def fraction_pair(areas: Iterable[Area]) -> tuple[OneCost, OneCost] | None:
    """Return the laws of two independent costs over all positive ones; ``None`` if they are others."""
    parts = factors(areas)
    if parts is None or any(fractions(part, x) is None for part in parts):
        return None
    try:
        totals = [_fractions(part).antiderivative().opposite().at_0() for part in parts]
    except ExportError:
        return None
    if sympy.simplify(totals[0] * totals[1] - 1) != 0:
        return None
    first, second = (
        OneCost(label, sympy.factor(part / whole))
        for label, (part, whole) in enumerate(zip(parts, totals, strict=True))
    )
    return first, second


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if a mean is infinite, or losses are undefined elsewhere than antiderivatives.
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
        if found := fraction_pair(areas_alone(case)):
            yield Pair(setting, found)


def _section(pair: Pair) -> Section:
    _refuse_other_poles(pair)
    laws = [
        *_definitions(pair),
        *[dense(cost, pair.setting.given) for cost in pair.costs],
        *[law_of(cost) for cost in pair.costs],
    ]
    costs = [
        *[_slope(pair, label) for label in (0, 1)],
        *[_piece(pair, cell) for cell in pair.setting.cells],
        *[_pole(pair, number, pole) for number, pole in enumerate(pair.setting.poles, start=1)],
    ]
    return law(pair.setting, IMPORTS, laws, costs)


def _refuse_other_poles(pair: Pair) -> None:
    zeros = [sympy.solve(line, p)[0] for line in pair.lines]
    places = [pole.at for pole in pair.setting.poles]
    if len(zeros) != len(places) or any(
        all(sympy.simplify(zero - at) != 0 for at in places) for zero in zeros
    ):
        raise ExportError("losses are undefined elsewhere than their antiderivatives", "Coq gets neither.")


def _definitions(pair: Pair) -> Iterator[str]:
    given = pair.setting.given
    write, write_at = sure_shift(given, None), sure_shift(given, REPORTS)
    for cost in pair.costs:
        yield from defined(cost, given)
    names = [f"{name}{k}" for k in (0, 1) for name in ("density", "tail", "mean_below", "paid")]
    for label, found in enumerate(pair.paid):
        yield f"Definition paid{label} (p x : R) : R :=\n  {found.text('x', write_at)}."
    for number, pole in enumerate(pair.setting.poles, start=1):
        for label, found in enumerate(pair.paid_at(pole.at)):
            names.append(f"paid{label}_at_pole{number}")
            yield f"Definition {names[-1]} (x : R) : R :=\n  {found.text('x', write)}."
    yield "Definition areas : list area := [independent density0 density1]."
    pieces = " ".join(cell.name for cell in pair.setting.cells)
    yield f"Ltac fractions_read := cbv beta iota delta [{' '.join(names)} loss0 loss1 {pieces}] in *."


def defined(cost: OneCost, given: Given) -> Iterator[str]:
    """Yield the definitions of the density of a cost, of its tail, and of an antiderivative of its mean."""
    number, write = cost.label, sure_shift(given, None)
    yield f"Definition density{number} (x : R) : R := {term(cost.density)}."
    yield f"Definition tail{number} (x : R) : R :=\n  {cost.tail.text('x', write)}."
    yield f"Definition mean_below{number} (x : R) : R :=\n  {cost.mean.text('x', write)}."


def sure_shift(given: Given, on: Interval | None) -> Write:
    """Return what writes a shift so that Coq sees its sign."""
    return lambda shift: f"({sure(shift, on, given).text})"


def dense(cost: OneCost, given: Given) -> str:
    """Return the lemma that a density is positive and continuous."""
    seen = sure(cost.density, None, given.also(positive=(x,))).text
    return lemma(
        f"dense{cost.label} x",
        f"0 < x -> 0 < density{cost.label} x /\\ continuous density{cost.label} x",
        "intros Positive. split; fractions_read;"
        f" [apply (positive_as ({seen})); [field; see_apart | see] | steady_fractions].",
    )


def law_of(cost: OneCost) -> str:
    """Return the lemma that a density has this tail, and its mean this antiderivative."""
    number = cost.label
    return lemma(
        f"law{number}",
        f"law_of_one density{number} tail{number} mean_below{number} (mean_below{number} 0) 0",
        "split; [intros x Positive | split; [| split; [| split]]].",
        f"- split; [apply Rlt_le, dense{number}, Positive | split; [apply dense{number}, Positive | split]];"
        " fractions_read; sloped_fractions.",
        f"- replace 1 with (tail{number} 0) by (fractions_read; closed_fractions idtac)."
        f" apply (near_by_continuity tail{number}). fractions_read. steady_fractions.",
        *limits_of_law(number, "fractions_read. steady_fractions", "fractions_read; far_fractions"),
    )


def _apart(pair: Pair) -> Iterator[str]:
    """Yield tactics that put on record that what antiderivatives divide by is not 0 at other reports than poles."""
    for line in pair.lines:
        slope, rest = sympy.factor(sympy.diff(line, p)), sympy.factor(line.subs(p, 0))
        pole = next(x for x in pair.setting.poles if sympy.simplify(line.subs(p, x.at)) == 0)
        written = term(line)
        yield (
            f"assert ({written} <> 0) by (replace ({written}) with ({atomic(slope)} * p + {atomic(rest)}) by ring;"
            f" apply (apart_from_zero {atomic(slope)} {atomic(rest)} {atomic(pole.at)});"
            " [see | field; see | assumption])."
        )


def _other_reports(pair: Pair) -> str:
    """Return the hypothesis that the report is no pole."""
    return "".join(f"p <> {atomic(pole.at)} -> " for pole in pair.setting.poles)


def _named(pair: Pair) -> str:
    return "".join(f" Other{number}" for number, _ in enumerate(pair.setting.poles, start=1))


def _slope(pair: Pair, label: int) -> str:
    other = 1 - label
    at = "x * (1 - p) / p" if label == 0 else "p * x / (1 - p)"
    return lemma(
        f"slope_of_paid{label} p",
        f"0 < p < 1 -> {_other_reports(pair)}forall x, 0 < x ->\n"
        f"  is_derive (paid{label} p) x (tail{other} ({at}) * (x * density{label} x))",
        " ".join([f"intros Unit{_named(pair)} x Positive.", *_apart(pair)]),
        "fractions_read; sloped_fractions.",
    )


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece, but for poles."""
    given, others = pair.setting.given, _named(pair)
    logarithms = [sympy.log(shift) for found in pair.paid for shift in found.logs]
    written = "; ".join(hints((*cell.formulas[:2], *logarithms), REPORTS, given)) or "idtac"
    proofs = list[str]()
    for label in (0, 1):
        slope = f"slope_of_paid{label} p Unit{others}"
        proofs += _cost(label, "p", "Unit", f"(paid{label} p)", f"exact ({slope})", written)
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} -> {_other_reports(pair)}\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(
            [
                f"intros Unit Start Stop{others}.",
                *_apart(pair),
                *positives(cell.formulas[:2], REPORTS, given),
                "split.",
            ]
        ),
        *proofs,
    )


def _pole(pair: Pair, number: int, pole: Pole) -> str:
    """The expected costs of both classes at a pole."""
    given, at = pair.setting.given, atomic(pole.at)
    above, below = sure(pole.at, None, given).text, sure(1 - pole.at, None, given).text
    logarithms = [sympy.log(shift) for found in pair.paid_at(pole.at) for shift in found.logs]
    written = "; ".join(hints_at(pole.at, logarithms, REPORTS, given)) or "idtac"
    proofs = list[str]()
    for label in (0, 1):
        name = f"paid{label}_at_pole{number}"
        slope = "intros x Positive; fractions_read; sloped_fractions"
        proofs += _cost(label, at, "Unit", name, slope, written)
    return lemma(
        f"costs_at_pole{number}",
        f"over_areas areas (pay0 {at}) {atomic(pole.loss0)} /\\ over_areas areas (pay1 {at}) {atomic(pole.loss1)}",
        f"assert (Unit : 0 < {at} < 1) by (split; [apply (positive_as ({above})); [algebra | see]"
        f" | apply (strictly_below_by ({below})); [algebra | see]]).",
        "split.",
        *proofs,
    )


def _cost(label: int, at: str, unit: str, paid: str, slope: str, written: str) -> Iterator[str]:
    """Yield the proof that a class pays the opposite of an antiderivative at 0, which vanishes at infinity."""
    yield f"- apply over_areas_is with (0 - {paid} 0)."
    yield (
        f"  + apply ({applied(f'independent_cost{label}')} {at} {unit} {paid}); [{slope} |"
        f" apply (near_by_continuity {paid}); fractions_read; steady_fractions | fractions_read; far_fractions]."
    )
    yield f"  + fractions_read; closed_fractions ltac:({written})."


def _ends(pair: Pair) -> Section:
    given = pair.setting.given
    means = [sympy.factor(-cost.mean.at_0()) for cost in pair.costs]
    proofs = [
        (
            f"apply over_areas_is with (1 := {applied(f'independent_mean{label}')}).",
            *positives([mean], None, given),
            "fractions_read; closed_fractions idtac.",
        )
        for label, mean in enumerate(means)
    ]
    return with_ends(AREAS, pair.setting, IMPORTS, means, proofs)
