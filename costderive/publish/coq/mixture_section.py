"""Mixtures of costs over areas and of others in Coq: their expected costs are sums of those of their parts.

Each part has a module of its own before the rule, with all that is proved of its law (`costs_module`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.costs.contexts import Context, Mixture
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import (
    ChangeOfVariables,
    IntegrateByParts,
    IntegrateMagnitude,
    SliceRegion,
    TakeExpectation,
)
from costderive.proof.claims import Case, Step
from costderive.publish.coq.all_reports_section import growing
from costderive.publish.coq.costs_module import IMPORTS, CostsModule, law_of
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.law_theorems import (
    CHARGES,
    THEOREMS,
    Kind,
    proper,
    strictly,
    with_ends,
    with_infinite_ends,
)
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import term
from costderive.rules import Properness

SECONDS = 60.0
BESIDE = (*IMPORTS, "Mixtures")
TO_LOSSES = (
    TakeExpectation(),
    ChangeOfVariables(),
    SliceRegion(),
    IntegrateMagnitude(),
    IntegrateByParts(SECONDS),
)
MIXTURES = Kind(
    "over_parts parts",
    "proper_mixture parts",
    "strictly_proper_of_mixture parts",
    "proper_mixture_with_ends parts",
    "mixture_is_fair parts lawful_costs",
)
Part = tuple[Expr, Context]


def of_several_kinds(derivation: Derivation) -> bool:
    """Return whether costs are a mixture of some over areas and some on lines, arcs or points."""
    if not isinstance(derivation.context, Mixture):
        return False
    laws = [law_of(case) for case in derivation.cases]
    return any(law.areas and (law.lines or law.arcs or law.points) for law in laws)


def parts_of(derivation: Derivation) -> tuple[Derivation, ...]:
    """Return the derivation of each part of a mixture, up to its losses, in the cases of the whole."""
    rows = [[context for _, context in _parts(case, derivation)] for case in derivation.cases]
    return tuple(
        Derivation(
            contexts[0],
            tuple(
                _derived(context, case.given)
                for context, case in zip(contexts, derivation.cases, strict=True)
            ),
        )
        for contexts in zip(*rows, strict=True)
    )


def _parts(case: Case, derivation: Derivation) -> tuple[Part, ...]:
    return tuple(_flat(case.start(derivation.context), sympy.S.One))


def _flat(context: Context, weight: Expr) -> Iterator[Part]:
    if not isinstance(context, Mixture):
        yield weight, context
        return
    for share, part in context.parts:
        yield from _flat(part, weight * share)


def _derived(context: Context, given: Given) -> Case:
    steps: list[Step] = []
    found: Any = context
    for move in TO_LOSSES:
        steps.append(Step.make(move, found, given))
        found = steps[-1].after
    return Case(given, (*steps, Step(TO_LOSSES[-1], found, Properness(found, ()))))


def name_of(number: int) -> str:
    """Return how the names of the modules on a part begin."""
    return f"part{number}"


def sections(
    derivation: Derivation, modules: Sequence[tuple[CostsModule, ...]], *, total: bool
) -> tuple[Section, ...]:
    """Return one section for each case: the losses are sums of the expected costs of the parts.

    The modules are those of each part in all cases. If each part has a ``total`` of 1, the whole has.
    """
    return tuple(whole.law(total) for whole in _wholes(derivation, modules))


def ends(derivation: Derivation, modules: Sequence[tuple[CostsModule, ...]]) -> tuple[Section, ...]:
    """Return one section for each case: what the reports 0 and 1 cost.

    Raises:
        ExportError: if a mean cost is infinite, and Coq does not see how the loss grows, or is not seen.
    """
    return tuple(whole.ends() for whole in _wholes(derivation, modules))


def _wholes(derivation: Derivation, modules: Sequence[tuple[CostsModule, ...]]) -> Iterator[_Whole]:
    for setting, case, own in zip(
        settings(derivation), derivation.cases, zip(*modules, strict=True), strict=True
    ):
        yield _Whole(setting, tuple(weight for weight, _ in _parts(case, derivation)), own)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A mixture in a case, with the probabilities and the modules of its parts."""

    setting: Setting
    shares: tuple[Expr, ...]
    parts: tuple[CostsModule, ...]

    def law(self, total: bool) -> Section:
        """Return the section on the law and on its expected costs."""
        strict = dict(strictly(MIXTURES, self.setting))
        lemmas = [
            *[line for part in self.parts for line in self._known(part, total)],
            f"Definition parts : list (R * expectation_of_costs) := [{'; '.join(self._listed())}].",
            self._lawful(),
            *[self._costs_of_piece(cell) for cell in self.setting.cells],
            *[self._expected(label) for label in (0, 1)],
            proper(MIXTURES),
            *strict.values(),
            *([self._total()] if total else []),
        ]
        theorems = (*THEOREMS, *strict, *(["total_is_1"] if total else []))
        return Section(self.setting.name, "law", BESIDE, "\n".join(lemmas), theorems)

    def ends(self) -> Section:
        """Return the section on the reports 0 and 1, whose costs may be infinite."""
        growth = growing(self.setting)
        finite = [label for label in (0, 1) if label not in growth]
        for part in self.parts:
            part.require_means(*finite)
        means = {
            label: (self._mean(label), (self._summed(f"mean_is{label}", "algebra"),)) for label in finite
        }
        if growth:
            return with_infinite_ends(MIXTURES, self.setting, BESIDE, means, growth)
        values, proofs = zip(*means.values(), strict=True)
        return with_ends(MIXTURES, self.setting, BESIDE, values, proofs)

    def _mean(self, label: int) -> Expr:
        shared = zip(self.shares, self.parts, strict=True)
        return sympy.Add(*[share * part.means[label] for share, part in shared])

    def _known(self, part: CostsModule, total: bool) -> Iterator[str]:
        yield from part.definitions()
        yield part.known("fairly", f"fair {part.priced}")
        yield from part.known_means()
        yield from part.known_costs()
        if total:
            yield part.known("total", f"{part.priced} {CHARGES[2]} 1", "total_is_1")

    def _listed(self) -> Iterator[str]:
        for share, part in zip(self.shares, self.parts, strict=True):
            yield f"({term(share)}, {part.priced})"

    def _lawful(self) -> str:
        signs = [sure(share, None, self.setting.given, strict=False).text for share in self.shares]
        return lemma(
            "lawful_costs",
            "lawful_parts parts",
            "split; [repeat apply List.Forall_cons; try apply List.Forall_nil | cbn [all_parts parts]; algebra].",
            *[
                f"- split; [apply (not_negative_as ({sign})); [cbn [fst]; algebra | see] | exact {part.prefix}fairly]."
                for sign, part in zip(signs, self.parts, strict=True)
            ],
            kind="Theorem",
        )

    def _costs_of_piece(self, cell: Cell) -> str:
        """Return the lemma on the expected costs of both classes for the reports of a piece."""
        given = self.setting.given
        losses = "\n  /\\ ".join(
            f"over_parts parts (pay{label} p) (loss{label} {cell.name} p)" for label in (0, 1)
        )
        return lemma(
            f"costs_of_piece{cell.number} p",
            f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n  {losses}",
            f"intros Unit Start Stop. {self.setting.ordered}",
            *positives(cell.formulas[:2], cell.on, given),
            "split;",
            f"[{self._at_report(0, cell)}",
            f"| {self._at_report(1, cell)}].",
        )

    def _at_report(self, label: int, cell: Cell) -> str:
        read = ", ".join(f"{part.setting.name}.L{label}" for part in self.parts)
        equal = algebra(hints((cell.formulas[label],), cell.on, self.setting.given))
        proof = f"cbn [loss{label} {cell.name}]; unfold {read}; branch; {equal}"
        return self._summed(f"own_cost{label}", proof, " p Unit").removesuffix(".")

    def _expected(self, label: int) -> str:
        pieces = [f"paid_by costs_of_piece{cell.number}" for cell in self.setting.cells]
        return lemma(
            f"expected_cost{label} p",
            f"0 < p < 1 -> over_parts parts (pay{label} p) (L{label} p)",
            f"intros Unit. {self.setting.ordered} unfold L{label}. branch; first [{' | '.join(pieces)}].",
            kind="Theorem",
        )

    def _summed(self, name: str, equal: str, arguments: str = "") -> str:
        """Return the tactic that adds up what is known of the parts by a name."""
        proof = "(eq_refl : over_parts nil _ 0)"
        for part in reversed(self.parts[1:]):
            proof = f"(one_part _ _ _ _ _ _ _ ({part.prefix}{name}{arguments}) {proof} eq_refl)"
        first = f"{self.parts[0].prefix}{name}{arguments}"
        return f"refine (one_part _ _ _ _ _ _ _ ({first}) {proof} _); {equal}."

    def _total(self) -> str:
        return lemma(
            "total_is_1", f"over_parts parts {CHARGES[2]} 1", self._summed("total", "algebra"), kind="Theorem"
        )
