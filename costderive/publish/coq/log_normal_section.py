"""From log-normal costs to the rule in Coq: their expected costs are values of the error function.

The theorems are those of ``library/LogNormal.v``; a file says which parameters a density has, and that the losses
are the same closed forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.costs.expected_loss import Area
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.area_section import (
    areas_of,
    definition,
    only_areas,
)
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives
from costderive.publish.coq.law_theorems import AREAS, THEOREMS, proper, strictly, with_ends
from costderive.publish.coq.log_normal_pairs import LogNormalPair, log_normal_pairs
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic
from costderive.publish.coq.total_section import refuse_multiples

IMPORTS = (
    "Elementary",
    "Properness",
    "Limits",
    "Endpoints",
    "Atoms",
    "ExpectedLoss",
    "Costs",
    "Tails",
    "Areas",
    "Strips",
    "Normal",
    "LogNormal",
)


@dataclass(frozen=True, slots=True)
class Law:
    """The costs of a case: areas with the parameters of their densities."""

    setting: Setting
    areas: tuple[Area, ...]
    pairs: tuple[LogNormalPair, ...]

    def summed(self, theorem: str, after: str = "") -> str:
        """Return the proof that a theorem on each area gives one on their sum, but for the value."""
        proof = "(eq_refl : over_areas nil _ 0)"
        for k in reversed(range(1, len(self.areas) + 1)):
            own = f"({theorem} _ _ _ _ _ _ _ log_normal{k}{after.format(k)})"
            proof = f"(one_area _ _ _ _ _ _ {own} {proof} {'_' if k == 1 else 'eq_refl'})"
        return f"refine {proof}."


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are log-normal: the losses are the expected costs.

    Raises:
        ExportError: if the sign of a density, or of a standard deviation, is not visible.
    """
    return tuple(_section(law) for law in _laws(derivation))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are log-normal: the total of the density is 1.

    Raises:
        ExportError: as `sections`, and if a common factor of the costs multiplies densities.
    """
    return tuple(_total(law) for law in _laws(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are log-normal: the reports 0 and 1, which cost the means.

    Raises:
        ExportError: as `sections`.
    """
    return tuple(_ends(law) for law in _laws(derivation))


def _laws(derivation: Derivation) -> Iterator[Law]:
    for setting, case in zip(settings(derivation), derivation.cases, strict=True):
        if pairs := log_normal_pairs(areas_of(case)):
            yield Law(setting, only_areas(case), pairs)


def _section(law: Law) -> Section:
    strict = dict(strictly(AREAS, law.setting))
    names = "; ".join(f"area{k}" for k, _ in enumerate(law.areas, start=1))
    lemmas = [
        *[definition(k, area) for k, area in enumerate(law.areas, start=1)],
        f"Definition areas : list area := [{names}].",
        *[_parameters(law, k) for k, _ in enumerate(law.areas, start=1)],
        _lawful(law),
        *[_slope(law, k) for k, _ in enumerate(law.areas, start=1)],
        *[_expected(law, label) for label in (0, 1)],
        proper(AREAS),
        *strict.values(),
    ]
    return Section(law.setting.name, "law", IMPORTS, "\n".join(lemmas), (*THEOREMS, *strict))


def _parameters(law: Law, k: int) -> str:
    pair, area = law.pairs[k - 1], law.areas[k - 1]
    return lemma(
        f"log_normal{k}",
        f"log_normal area{k} {' '.join(map(atomic, pair.parameters))}",
        *positives((*pair.parameters, area.density), None, law.setting.given),
        "split; [see | split; [see |]]. intros c0 c1 Positive0 Positive1.",
        f"split; cbn [region density area{k} hold]; [repeat split; lra | unfold log_normal_pair;"
        f" {_equal(law, (*pair.parameters, area.density))}].",
    )


def _lawful(law: Law) -> str:
    proofs = [
        f"apply List.Forall_cons; [exact (log_normal_is_lawful _ _ _ _ _ _ _ log_normal{k} ltac:(see)) |]."
        for k, _ in enumerate(law.areas, start=1)
    ]
    known = positives([pair.weight for pair in law.pairs], None, law.setting.given)
    return lemma(
        "lawful_costs",
        "lawful_areas areas",
        *known,
        f"{' '.join(proofs)} apply List.Forall_nil.",
        kind="Theorem",
    )


def _slope(law: Law, k: int) -> str:
    pair = law.pairs[k - 1]
    _, _, rate, spread0, _, spread1 = map(atomic, pair.parameters)
    slope = atomic(pair.slope)
    return lemma(
        f"slope{k}",
        f"0 < {slope} /\\ {slope} ^ 2 * (2 * ({spread0} ^ 2 + ({rate} - 1) ^ 2 * {spread1} ^ 2)) = 1",
        *positives((*pair.parameters, pair.slope), None, law.setting.given),
        f"split; [see | {_equal(law, (*pair.parameters, pair.slope))}].",
    )


def _expected(law: Law, label: int) -> str:
    cell, *_ = law.setting.cells
    formulas = [x for pair in law.pairs for x in (*pair.parameters, pair.slope)]
    after = " p _ Unit (proj1 slope{0}) (proj2 slope{0})"
    return lemma(
        f"expected_cost{label} p",
        f"0 < p < 1 -> over_areas areas (pay{label} p) (L{label} p)",
        f"intros Unit. {law.summed(f'log_normal_cost{label}', after)}",
        f"unfold L{label}.",
        *positives((*cell.formulas[:2], *formulas), cell.on, law.setting.given),
        f"{_equal(law, (*cell.formulas[:2], *formulas))}.",
        kind="Theorem",
    )


def _equal(law: Law, formulas: Sequence[Expr]) -> str:
    """Return the tactic for the equality of closed forms that are written with formulas."""
    found = [
        hint
        for hint in hints(formulas, law.setting.cells[0].on, law.setting.given)
        if hint.startswith("factored")
    ]
    return f"closed_forms_by ltac:({'; '.join(found) or 'idtac'})"


def _total(law: Law) -> Section:
    refuse_multiples(sympy.Add(*[pair.weight for pair in law.pairs]))
    theorem = lemma(
        "total_is_1",
        "has_total_of_areas areas 1",
        f"{law.summed('log_normal_total')} {_equal(law, [x.weight for x in law.pairs])}.",
        kind="Theorem",
    )
    return Section(law.setting.name, "total", IMPORTS, theorem, ("total_is_1",))


def _ends(law: Law) -> Section:
    means = [sympy.Add(*[pair.means[label] for pair in law.pairs]) for label in (0, 1)]
    formulas = [x for pair in law.pairs for x in (*pair.parameters, *pair.means)]
    known = tuple(positives(formulas, None, law.setting.given))
    proofs = [
        (law.summed(f"log_normal_mean{label}"), *known, f"{_equal(law, formulas)}.") for label in (0, 1)
    ]
    return with_ends(AREAS, law.setting, IMPORTS, means, proofs)
