"""A Lomax cost of any shape beside an exponential one in Coq, whose expected costs are incomplete Gamma functions.

These are integrals from a positive number on, whatever their shape is (``library/LomaxExponential.v``). Shapes that are
whole numbers have exponential integrals (`shifted_section`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.burr_section import IMPORTS as BURR
from costderive.publish.coq.burr_section import Burr, burr, known, law_of, positive_lemma
from costderive.publish.coq.facts import positives
from costderive.publish.coq.independent_pairs import areas_alone, factors, law, total
from costderive.publish.coq.law_theorems import AREAS, CHARGES, with_ends, with_values
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic

ONE = sympy.S.One
T = TypeVar("T")
IMPORTS = (*BURR, "LomaxExponential")


@dataclass(frozen=True, slots=True)
class Pair:
    """A case with a Lomax cost and an exponential one, of which the Lomax cost has this label."""

    setting: Setting
    lomax: Burr
    rate: Expr
    label: int

    @property
    def has_finite_means(self) -> bool:
        """Whether the mean of the Lomax cost is visibly finite."""
        return self.lomax.has_finite_mean(self.setting.given)

    def of_library(self, theorem: str, *more: str) -> str:
        """Return a theorem of the library on both costs."""
        numbers = " ".join(map(atomic, (self.lomax.tail, self.lomax.scale, self.rate)))
        return " ".join([theorem, numbers, f"tail{self.label} scale{self.label} rate", *more])


def lomax_pair(setting: Setting, case: Case) -> Pair | None:
    """Return a case whose losses are incomplete Gamma functions of two such costs; ``None`` for others."""
    if not any(formula.has(sympy.uppergamma) for cell in setting.cells for formula in cell.formulas[:2]):
        return None
    parts = factors(areas_alone(case))
    if parts is None:
        return None
    for label in (0, 1):
        cost, rate = burr(parts[label]), _rate(parts[1 - label])
        if cost is not None and rate is not None and cost.power == 1:
            ratio = sympy.powsimp(cost.density * rate * sympy.exp(-rate * x) / (parts[0] * parts[1]))
            return Pair(setting, cost, rate, label) if sympy.simplify(ratio) == 1 else None
    return None


def _rate(density: Expr) -> Expr | None:
    """Return the rate of an exponential law, by a multiple of its density."""
    rate = sympy.simplify(-sympy.diff(density, x) / density)
    return None if rate.has(x) or rate == 0 else rate


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if something that is positive is not visibly so.
    """
    return tuple(map(_section, _pairs(derivation)))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the total of the density is 1."""
    return tuple(total(pair.setting, IMPORTS) for pair in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the reports 0 and 1, which cost the means."""
    return tuple(map(_ends, _pairs(derivation)))


def have_finite_means(derivation: Derivation) -> bool:
    """Return whether the means of all such costs are visibly finite."""
    return all(pair.has_finite_means for pair in _pairs(derivation))


def refuse(derivation: Derivation) -> None:
    """Refuse such costs where slopes of the losses are asked for.

    Raises:
        ExportError: if there are any.
    """
    if any(_pairs(derivation)):
        raise ExportError(
            "the losses have incomplete Gamma functions of several shapes", "See properness by the law."
        )


def _pairs(derivation: Derivation) -> Iterator[Pair]:
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return (pair for setting, case in cases if (pair := lomax_pair(setting, case)) is not None)


def _section(pair: Pair) -> Section:
    laws = [_exponential(pair), tuple(law_of(pair.label, pair.lomax))]
    first, second = laws if pair.label else reversed(laws)
    areas = "Definition areas : list area := [independent density0 density1]."
    pieces = [_piece(pair, cell) for cell in pair.setting.cells]
    return law(pair.setting, IMPORTS, [*_known(pair), *first, *second, areas], pieces)


def _known(pair: Pair) -> Iterator[str]:
    """Yield that the parameters are positive."""
    given = pair.setting.given
    yield positive_lemma("power", ONE, given)
    yield from known(pair.label, pair.lomax, given)
    yield positive_lemma("rate", pair.rate, given)


def _exponential(pair: Pair) -> tuple[str, ...]:
    """Return the density of the exponential cost, and that it has its tail and mean."""
    label, rate = 1 - pair.label, atomic(pair.rate)
    tail, below = f"(exponential_tail {rate})", f"(exponential_mean_below {rate})"
    return (
        f"Definition density{label} : R -> R := exponential_density {rate}.",
        lemma(
            f"dense{label} x",
            f"0 < x -> 0 < density{label} x /\\ continuous density{label} x",
            f"exact (exponential_is_dense {rate} x rate).",
        ),
        lemma(
            f"law{label}",
            f"law_of_one density{label} {tail} {below} (- / {rate}) (Finite 0)",
            f"exact (exponential_law {rate} rate).",
        ),
    )


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    proofs, tail = [], pair.lomax.tail
    rest = atomic(tail - sympy.floor(tail)) if tail.is_Rational else "0"
    for label in (0, 1):
        name = f"lomax_cost{label}" if label == pair.label else f"beside_lomax_cost{label}"
        proofs += [
            f"- apply over_areas_is with (1 := {pair.of_library(name, 'p Unit')}).",
            f"  unfold lomax_pays, exponential_pays. cbn [loss0 loss1 {cell.name}]. closed_tails {rest}.",
        ]
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(
            ["intros Unit Start Stop.", *positives(cell.formulas[:2], cell.on, pair.setting.given), "split."]
        ),
        *proofs,
    )


def _ends(pair: Pair) -> Section:
    """The reports 0 and 1, whose costs are infinite, or may be, where the Lomax cost has no visibly finite mean."""
    other, label, plain = 1 - pair.label, pair.label, ONE / pair.rate
    mean = (f"apply over_areas_is with (1 := {pair.of_library(f'exponential_mean{other}')}).", "field; see.")
    if pair.has_finite_means:
        found = pair.of_library(f"lomax_mean{label}", "finite")
        finite = pair.lomax.finite_mean(label, pair.setting.given)
        lomax = (finite, f"apply over_areas_is with (1 := {found}).", "closed_beta.")
        means, proofs = {label: pair.lomax.mean, other: plain}, {label: lomax, other: mean}
        return with_ends(AREAS, pair.setting, IMPORTS, _by_label(means), _by_label(proofs))
    own = lemma(f"mean{other}", f"over_areas areas {CHARGES[other]} {atomic(plain)}", *mean)
    shown = f"{pair.lomax.text()} power tail{label} scale{label}"
    beside = f"(burr_beside{label} {shown} _ _ _ _ _ law{other} L{label} expected_cost{label})"
    values = {label: f"(burr_mean {pair.lomax.text()})", other: f"(Finite {atomic(plain)})"}
    facts = {label: beside, other: f"mean{other}"}
    return with_values(AREAS, pair.setting, IMPORTS, (own,), _by_label(values), _by_label(facts))


def _by_label(found: Mapping[int, T]) -> tuple[T, T]:
    return found[0], found[1]
