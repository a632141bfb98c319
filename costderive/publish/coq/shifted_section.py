"""Two independent costs in Coq, one with a rational density and one with powers times exponentials.

Of Lomax and exponential costs what the classes pay has the exponential integral for antiderivative
(``library/Shifted.v``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import Area
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.publish.coq import bell_section, fraction_section
from costderive.publish.coq.bells import Plain, bells
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives
from costderive.publish.coq.fractions import fractions
from costderive.publish.coq.independent_pairs import applied, areas_alone, factors, law, total
from costderive.publish.coq.law_theorems import AREAS, with_ends
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.shifted_exponentials import Shifted, shifted
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.tactics import lemma

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Interval(p, ZERO, ONE)
ODDS = p / (1 - p)
IMPORTS = (
    *(
        "Elementary",
        "Properness",
        "Limits",
        "Endpoints",
        "Incomplete",
        "Atoms",
        "ExpectedLoss",
        "Costs",
        "Tails",
    ),
    *("Areas", "Strips", "Spread", "Normal", "LogNormal", "Independent", "Bells", "Fractions", "Shifted"),
)
OneCost = fraction_section.OneCost | bell_section.OneCost


@dataclass(frozen=True)
class Pair:
    """Two independent costs of a case, of which one has a rational density."""

    setting: Setting
    costs: tuple[OneCost, OneCost]

    @cached_property
    def paid(self) -> tuple[Shifted, Shifted]:
        """Antiderivatives of what the classes pay at a report, each in its cost, which vanish at infinity."""
        first, second = self.costs
        return _paid(first, second, 1 / ODDS), _paid(second, first, ODDS)


def _paid(cost: OneCost, other: OneCost, ratio: Expr) -> Shifted:
    """Return the antiderivative of a cost times its density times the tail of the other at a multiple of it."""
    found: dict[Expr, Expr] = defaultdict(lambda: ZERO)
    for rate, mean in _means(cost).items():
        for more, tail in _tails(other, ratio * x).items():
            found[in_both_shares(rate + ratio * more)] += mean * tail
    return reduce(Shifted.plus, [shifted(part, rate, x) for rate, part in found.items()]).antiderivative()


def _means(cost: OneCost) -> Mapping[Expr, Expr]:
    """Return a cost times its density as rational functions by the rates of the exponentials beside them."""
    if isinstance(cost, fraction_section.OneCost):
        return {ZERO: x * cost.density}
    return _by_rates(cost.by_mean, x)


def _tails(cost: OneCost, value: Expr) -> Mapping[Expr, Expr]:
    """Return the probability of a greater cost than a multiple of x, likewise; rates are those of the cost itself."""
    if isinstance(cost, fraction_section.OneCost):
        return {ZERO: fraction_section.tail_at(cost, value)}
    return _by_rates(cost.tail.plain, value)


def _by_rates(found: Plain, value: Expr) -> Mapping[Expr, Expr]:
    return {
        2 * lean: sympy.Add(*[a * value**n for n, a in powers.items()]) for (_, lean), powers in found.items()
    }


def shifted_pair(areas: Iterable[Area], given: Given) -> tuple[OneCost, OneCost] | None:
    """Return the laws of two independent costs over all positive ones; ``None`` if they are others."""
    parts = factors(areas)
    if parts is None:
        return None
    found = [_cost(label, part, given) for label, part in enumerate(parts)]
    costs = [cost for cost in found if cost is not None]
    if len({type(cost) for cost in costs}) < 2:
        return None
    wholes = [_whole(cost) for cost in costs]
    if sympy.simplify(wholes[0] * wholes[1] - 1) != 0:
        return None
    first, second = map(_normed, costs, wholes)
    return first, second


def _normed(cost: OneCost, whole: Expr) -> OneCost:
    return replace(cost, density=sympy.factor(cost.density / whole))


def _cost(label: int, density: Expr, given: Given) -> OneCost | None:
    """Return the law of a cost by a multiple of its density."""
    if fractions(density, x) is not None:
        return fraction_section.OneCost(label, density)
    found = bells(density, x)
    if found is None or any(square != 0 or lean == 0 for square, lean in found):
        return None
    return bell_section.OneCost(label, density, given)


def _whole(cost: OneCost) -> Expr:
    return cost.tail.at_0() if isinstance(cost, fraction_section.OneCost) else bell_section.whole_of(cost)


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if a mean is infinite, or a sign is not visible.
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
        if found := shifted_pair(areas_alone(case), setting.given):
            yield Pair(setting, found)


def _section(pair: Pair) -> Section:
    laws = [line for cost in pair.costs for line in _defined(cost, pair.setting.given)]
    laws += [*_definitions(pair), *[line for cost in pair.costs for line in _law(cost, pair.setting.given)]]
    costs = [*[_slope(pair, label) for label in (0, 1)], *[_piece(pair, cell) for cell in pair.setting.cells]]
    return law(pair.setting, IMPORTS, laws, costs)


def _defined(cost: OneCost, given: Given) -> Iterator[str]:
    if isinstance(cost, fraction_section.OneCost):
        return fraction_section.defined(cost, given)
    return bell_section.defined(cost)


def _law(cost: OneCost, given: Given) -> tuple[str, str]:
    if isinstance(cost, fraction_section.OneCost):
        return fraction_section.dense(cost, given), fraction_section.law_of(cost)
    return bell_section.dense(cost), bell_section.law_of(cost)


def _definitions(pair: Pair) -> Iterator[str]:
    write = fraction_section.sure_shift(pair.setting.given, REPORTS)
    for label, found in enumerate(pair.paid):
        yield f"Definition paid{label} (p x : R) : R :=\n  {found.text('x', write)}."
    yield "Definition areas : list area := [independent density0 density1]."
    names = [f"{name}{k}" for k in (0, 1) for name in ("density", "tail", "mean_below", "paid")]
    listed = " ".join([*names, "loss0", "loss1", *[cell.name for cell in pair.setting.cells]])
    yield f"Ltac shifted_read := cbv beta iota delta [{listed}] in *."
    yield "Ltac fractions_read := shifted_read."
    yield "Ltac bells_read := shifted_read."


def _recorded(pair: Pair, formulas: Iterable[Expr]) -> Iterator[str]:
    """Yield tactics that put on record that what is divided by is positive: also rates and shifts."""
    parts = [1 / part for found in pair.paid for at in (*found.powers, *found.integrals) for part in at]
    return positives([*formulas, *parts], REPORTS, pair.setting.given)


def _slope(pair: Pair, label: int) -> str:
    other = 1 - label
    at = "x * (1 - p) / p" if label == 0 else "p * x / (1 - p)"
    return lemma(
        f"slope_of_paid{label} p",
        "0 < p < 1 -> forall x, 0 < x ->\n"
        f"  is_derive (paid{label} p) x (tail{other} ({at}) * (x * density{label} x))",
        " ".join(["intros Unit x Positive.", *_recorded(pair, ())]),
        "shifted_read; sloped_shifted.",
    )


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    written = "; ".join(hints(cell.formulas[:2], REPORTS, pair.setting.given)) or "idtac"
    proofs = list[str]()
    for label in (0, 1):
        cost = applied(f"independent_cost{label}")
        proofs += [
            f"- apply over_areas_is with (0 - paid{label} p 0).",
            f"  + apply ({cost} p Unit (paid{label} p)); [exact (slope_of_paid{label} p Unit) |"
            f" apply (near_by_continuity (paid{label} p)); shifted_read; steady_bells | shifted_read; far_shifted].",
            f"  + shifted_read; closed_shifted ltac:({written}).",
        ]
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(["intros Unit Start Stop.", *_recorded(pair, cell.formulas[:2]), "split."]),
        *proofs,
    )


def _ends(pair: Pair) -> Section:
    given = pair.setting.given
    means = [sympy.factor(_mean(cost)) for cost in pair.costs]
    proofs = [
        (
            f"apply over_areas_is with (1 := {applied(f'independent_mean{label}')}).",
            *positives([mean], None, given),
            "shifted_read; closed_shifted idtac.",
        )
        for label, mean in enumerate(means)
    ]
    return with_ends(AREAS, pair.setting, IMPORTS, means, proofs)


def _mean(cost: OneCost) -> Expr:
    if isinstance(cost, fraction_section.OneCost):
        return -cost.mean.at_0()
    return bell_section.whole_of(replace(cost, density=x * cost.density))
