"""The parts of a file of Coq on a derivation, beside the properness of its rule, and the ways to write each."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from functools import partial

from sympy import Expr

from costderive.core.errors import ExportError
from costderive.derivation.derivation import Derivation
from costderive.publish.coq import (
    all_reports_section,
    arc_section,
    area_section,
    atoms,
    bell_section,
    burr_section,
    endpoints,
    expected_loss_section,
    fraction_section,
    gamma_section,
    law_section,
    log_normal_section,
    lomax_section,
    power_section,
    shifted_section,
    total_section,
)
from costderive.publish.coq.law_theorems import vanishing
from costderive.publish.coq.properness_section import slopes
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import settings

Make = Callable[[Derivation], tuple[Section, ...]]


def each(*kinds: Make) -> Make:
    """Return what makes the sections of several kinds of laws, each case having one of them."""
    return lambda derivation: tuple(section for make in kinds for section in make(derivation))


@dataclass(frozen=True, slots=True)
class Way:
    """How a part of a derivation is written, what it needs, parts or ways of them, and its own name."""

    make: Make
    needs: tuple[str, ...] = ()
    name: str = ""

    def sections(self, derivation: Derivation, without: Container[str]) -> tuple[Section, ...]:
        """Return its sections.

        Raises:
            ExportError: if a part that it needs is left out, or something has no form in Coq.
        """
        found = self.make(derivation)
        for name in self.needs if found else ():
            if name in without:
                raise ExportError(f"{name} is needed", "It is left out.")
        return found


def from_the_law(derivation: Derivation) -> tuple[Section, ...]:
    """Return the limits of losses where their class is certain, from what the reports 0 and 1 cost in expectation.

    Where a mean may be infinite, they are those of the formulas.
    """
    if not all(map(law_section.spread, derivation.cases)):
        raise ExportError("there are costs on lines or points alone", "See the limits of their losses.")
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(
        (vanishing if _has_finite_means(replace(derivation, cases=(case,))) else endpoints.section)(setting)
        for setting, case in cases
    )


def _has_finite_means(derivation: Derivation) -> bool:
    return all(kind.have_finite_means(derivation) for kind in (burr_section, lomax_section, power_section))


BY_DENSITY, BY_POWERS, BY_GAMMAS = "a density alone", "a density that is a power", "densities of Gamma costs"
BY_ARCS = "costs along arcs"
STRICT, ALONG, OVER_AREAS = "strict properness", "expected costs along arcs", "total over areas"
LAW, AREAS, ARCS = "expected costs over areas", "reports 0 and 1 over areas", "reports 0 and 1 along arcs"
WEIGHTS = "continuity of the weight"  # beside which other parts stand

# The parts of a derivation beside the properness of its rule: what each is called, and the ways to write it.
PARTS: Mapping[str, tuple[Way, ...]] = {
    "atoms": (Way(atoms.sections),),
    LAW: (
        Way(
            each(
                area_section.sections,
                log_normal_section.sections,
                bell_section.sections,
                fraction_section.sections,
                shifted_section.sections,
                burr_section.sections,
                lomax_section.sections,
            ),
            name=BY_DENSITY,
        ),
        Way(power_section.sections, name=BY_POWERS),
        Way(gamma_section.sections, name=BY_GAMMAS),
    ),
    OVER_AREAS: (
        Way(
            each(
                area_section.totals,
                log_normal_section.totals,
                bell_section.totals,
                fraction_section.totals,
                shifted_section.totals,
                burr_section.totals,
                lomax_section.totals,
            ),
            (BY_DENSITY,),
        ),
        Way(power_section.totals, (BY_POWERS,)),
        Way(gamma_section.totals, (BY_GAMMAS,)),
    ),
    AREAS: (
        Way(
            each(
                area_section.ends,
                log_normal_section.ends,
                bell_section.ends,
                fraction_section.ends,
                shifted_section.ends,
                burr_section.ends,
                lomax_section.ends,
            ),
            (BY_DENSITY,),
        ),
        Way(power_section.ends, (BY_POWERS,)),
        Way(gamma_section.ends, (BY_GAMMAS,)),
    ),
    ALONG: (Way(arc_section.sections),),
    "total along arcs": (Way(arc_section.totals, (ALONG,)),),
    ARCS: (Way(arc_section.ends, (ALONG,)),),
    "endpoints": (Way(endpoints.sections), Way(from_the_law, (AREAS, ARCS))),
    WEIGHTS: (Way(expected_loss_section.weights),),
    "expected loss": (Way(expected_loss_section.sections, ("endpoints", WEIGHTS)),),
    "expected costs": (Way(law_section.sections, ("endpoints", WEIGHTS)),),
    "reports 0 and 1": (Way(all_reports_section.sections, ("expected costs",)),),
    "total": (Way(total_section.sections, ("expected costs",)),),
}
# The parts where properness is known by the law alone, with whose strictness no weight has to do.
SLOPES = "slopes of the losses"
ALL = frozenset({*PARTS, SLOPES, STRICT})
OF_LOSSES = frozenset(
    {"atoms", "endpoints", "expected loss", WEIGHTS, SLOPES, STRICT}
)  # whatever threshold is decided at
OF_COSTS = ALL - {"atoms", "expected loss"}
EXPECTED = frozenset({LAW, ALONG, "expected costs"})
ENDS = frozenset({AREAS, ARCS, "reports 0 and 1"})


def of_total(total: Expr) -> Mapping[str, tuple[Way, ...]]:
    """Return the parts on a total that is less than 1, of laws of some of the costs."""
    return {
        OVER_AREAS: (Way(partial(area_section.totals, total=total), (BY_DENSITY,)),),
        "total along arcs": (Way(partial(arc_section.totals, total=total), (ALONG,)),),
        "total": (Way(partial(total_section.sections, total=total), ("expected costs",)),),
    }


def _slopes(derivation: Derivation) -> tuple[Section, ...]:
    """Return the slopes of the losses, unless these are written in functions of which Coq sees no relation."""
    lomax_section.refuse(derivation)
    return slopes(derivation)


def parts_by_law(taken: str) -> Mapping[str, tuple[Way, ...]]:
    """Return the parts where the expected costs are known in one way, and properness from them."""
    others = {way.name for way in PARTS[LAW]} - {taken}
    without = {ALONG, LAW, OVER_AREAS, AREAS} if taken == BY_ARCS else {LAW}
    kept = {
        name: tuple(way for way in ways if not others & set(way.needs))
        for name, ways in PARTS.items()
        if name not in without
    }
    loss = partial(expected_loss_section.sections, by_law=True)
    return {
        **({STRICT: ()} if taken == BY_ARCS else {}),
        SLOPES: (Way(_slopes),),
        **kept,
        "expected loss": (Way(loss, (SLOPES, "endpoints", WEIGHTS)),),
    }
