"""Two independent Lomax costs of any shapes above 1 in Coq, whose expected costs are hypergeometric functions.

These are defined by Euler's integral (``library/Euler.v``), which is that of a cost times its density times the tail of
the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.costs.expected_loss import Area
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.independent_pairs import applied, areas_alone, factors, law, total
from costderive.publish.coq.law_theorems import AREAS, with_ends
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic

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
        "Areas",
    ),
    *("Spread", "Independent", "Euler"),
)


@dataclass(frozen=True, slots=True)
class Lomax:
    """A cost with the tail ``(1 + x/scale)^(-shape)``."""

    label: int
    shape: Expr
    scale: Expr

    @property
    def density(self) -> Expr:
        """The density, as a function of x."""
        return self.shape / self.scale * ((x + self.scale) / self.scale) ** (-self.shape - 1)

    @property
    def mean(self) -> Expr:
        """The mean, which is finite for shapes above 1."""
        return sympy.factor(self.scale / (self.shape - 1))

    def text(self) -> str:
        """Return the shape and the scale as arguments in Coq."""
        return f"{atomic(self.shape)} {atomic(self.scale)}"


def lomax_pair(areas: Iterable[Area]) -> tuple[Lomax, Lomax] | None:
    """Return the laws of two independent Lomax costs, not both of whole shapes; ``None`` if they are others."""
    parts = factors(areas)
    if parts is None:
        return None
    costs = [cost for label, part in enumerate(parts) if (cost := _lomax(label, part)) is not None]
    if len(costs) < 2 or all(cost.shape.is_Integer for cost in costs):
        return None
    first, second = costs
    whole = sympy.log(first.density * second.density / sympy.factor(parts[0] * parts[1]))
    return (first, second) if sympy.simplify(sympy.expand_log(sympy.factor(whole), force=True)) == 0 else None


def _lomax(label: int, density: Expr) -> Lomax | None:
    """Return the law whose density is a multiple of a function of x."""
    _, core = sympy.powsimp(sympy.factor(density)).as_independent(x, as_Add=False)
    base, power = core.as_base_exp()
    if power.has(x) or not base.is_polynomial(x) or sympy.degree(base, x) != 1:
        return None
    slope, rest = sympy.Poly(base, x).all_coeffs()
    return Lomax(label, sympy.expand(-power - 1), sympy.factor(rest / slope))


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if a mean may be infinite.
    """
    return tuple(_section(setting, *pair) for setting, pair in _pairs(derivation))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the total of the density is 1."""
    return tuple(total(setting, IMPORTS) for setting, _ in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the reports 0 and 1, which cost the means."""
    return tuple(_ends(setting, *pair) for setting, pair in _pairs(derivation))


def _pairs(derivation: Derivation) -> Iterator[tuple[Setting, tuple[Lomax, Lomax]]]:
    for setting, case in zip(settings(derivation), derivation.cases, strict=True):
        if found := lomax_pair(areas_alone(case)):
            yield setting, found


def _section(setting: Setting, first: Lomax, second: Lomax) -> Section:
    laws = [line for cost in (first, second) for line in _law(cost, setting.given)]
    laws.append("Definition areas : list area := [independent density0 density1].")
    return law(setting, IMPORTS, laws, [_piece(setting, cell, first, second) for cell in setting.cells])


def _law(cost: Lomax, given: Given) -> Iterator[str]:
    """Yield the density, what is known of its parameters, and that it has this tail and mean."""
    number, shown = cost.label, cost.text()
    yield f"Definition density{number} : R -> R := lomax_density {shown}."
    above, positive = sure(cost.shape - 1, None, given).text, sure(cost.scale, None, given).text
    yield lemma(
        f"shape{number}",
        f"1 < {atomic(cost.shape)}",
        f"apply (strictly_below_by ({above})); [field; see | see].",
    )
    yield lemma(
        f"scale{number}",
        f"0 < {atomic(cost.scale)}",
        f"apply (positive_as ({positive})); [field; see | see].",
    )
    yield lemma(
        f"dense{number} x",
        f"0 < x -> 0 < density{number} x /\\ continuous density{number} x",
        f"exact (lomax_is_dense {shown} shape{number} scale{number} x).",
    )
    yield lemma(
        f"law{number}",
        f"law_of_one density{number} (lomax_tail {shown}) (lomax_mean_below {shown})"
        f" (- ({atomic(cost.scale)} / ({atomic(cost.shape)} - 1))) 0",
        f"exact (lomax_law {shown} shape{number} scale{number}).",
    )


def _piece(setting: Setting, cell: Cell, first: Lomax, second: Lomax) -> str:
    """The expected costs of both classes for the reports of a piece."""
    laws = f"{first.text()} {second.text()} p shape0 scale0 shape1 scale1 Unit"
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(
            ["intros Unit Start Stop.", *positives(cell.formulas[:2], cell.on, setting.given)],
        ),
        "pose proof shape0. pose proof shape1. split.",
        *[
            f"- apply over_areas_is with (1 := lomax_cost{label} {laws}). cbn [loss0 loss1 {cell.name}]."
            " closed_hypergeometric."
            for label in (0, 1)
        ],
    )


def _ends(setting: Setting, first: Lomax, second: Lomax) -> Section:
    proofs = [(f"pose proof shape{k}. {_by_mean(k)}.", "field; see.") for k in (0, 1)]
    return with_ends(AREAS, setting, IMPORTS, [first.mean, second.mean], proofs)


def _by_mean(label: int) -> str:
    return f"apply over_areas_is with (1 := {applied(f'independent_mean{label}')})"
