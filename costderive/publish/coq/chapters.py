"""What a file of Coq proves of a derivation: the cases of its chapter, the sections of each, and what is left out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from costderive.core.errors import ExportError, SpecError
from costderive.costs.contexts import HeldPart
from costderive.derivation.derivation import Derivation
from costderive.multiclass import CostMatrix, MulticlassDerivation
from costderive.publish.coq import (
    act_section,
    arc_section,
    bell_section,
    burr_section,
    class_expectations,
    class_section,
    costs_module,
    endpoints,
    fraction_section,
    free_errors_section,
    held_part_section,
    improperness_section,
    law_alone_section,
    lomax_section,
    miscalibration_section,
    mixture_section,
    own_threshold,
    power_section,
    shifted_section,
    threshold_section,
)
from costderive.publish.coq.law_alone_section import LawAlone
from costderive.publish.coq.law_theorems import properness_by_law
from costderive.publish.coq.parts import (
    ALL,
    BY_ARCS,
    BY_DENSITY,
    BY_POWERS,
    ENDS,
    EXPECTED,
    OF_COSTS,
    OF_LOSSES,
    PARTS,
    STRICT,
    WEIGHTS,
    Way,
    each,
    from_the_law,
    of_total,
    parts_by_law,
)
from costderive.publish.coq.properness_section import orders, properness
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, case_names, settings

EXISTENCE, TOTAL = "existence of the expected costs", "total"
FORMS = "closed forms of the losses"
WITHOUT_FORMS = (FORMS, "threshold weight", "reports 0 and 1", "expected loss")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What is proved of one derivation: its cases with the text around each, sections, and what is left out."""

    cases: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]
    without: tuple[str, ...]


def chapter_of(derivation: Derivation | MulticlassDerivation, whole: bool) -> Chapter:
    if isinstance(derivation, MulticlassDerivation):
        return _of_classes(derivation, whole)
    if not isinstance(derivation, Derivation):
        raise ExportError("the rule is of a batch", "Proofs for Coq are of single instances.")
    if not whole or not _is_of_costs(derivation):
        return _of_rule(derivation, whole)
    try:
        return _with_law(_of_rule(derivation, whole), derivation)
    except ExportError:
        with suppress(ExportError):
            return _of_law_alone(derivation)
        raise


def _is_of_costs(derivation: Derivation) -> bool:
    """Return whether decisions are made at the threshold of costs that are all positive, of which no part is held."""
    return not (
        isinstance(derivation.context, HeldPart)
        or own_threshold.at_another_threshold(derivation)
        or free_errors_section.may_be_free(derivation)
    )


def _of_law_alone(derivation: Derivation) -> Chapter:
    """Return that the expected costs of a law are proper, without closed forms of them.

    Raises:
        ExportError: if the law has no form in Coq, or it is not seen that no density is negative.
    """
    laws = law_alone_section.laws(derivation)
    proper = Chapter(tuple(law.module for law in laws), tuple(law.law() for law in laws), WITHOUT_FORMS)
    strict = {STRICT: (Way(lambda _: tuple(law.strictness() for law in laws)),)}
    return _with({**_of_laws(laws, TOTAL), **strict}, proper, derivation)


def _of_laws(laws: tuple[LawAlone, ...], total: str) -> Mapping[str, tuple[Way, ...]]:
    """Return the parts on what laws say by themselves: that expected costs exist, and the ``total`` by its name."""
    return {
        EXISTENCE: (Way(lambda _: tuple(law.existence() for law in laws)),),
        total: (Way(lambda _: tuple(law.total() for law in laws)),),
    }


def _with_law(rule: Chapter, derivation: Derivation) -> Chapter:
    """Return a rule with what the law of its costs says by itself, if closed forms of what it costs are left out."""
    if EXPECTED.isdisjoint(rule.without):
        return rule
    with suppress(ExportError):
        laws = law_alone_section.laws(derivation)
        if all(law.fits(setting) for law, setting in zip(laws, settings(derivation), strict=True)):
            known = (*rule.sections, *(law.law() for law in laws))
            found = _with(_of_laws(laws, TOTAL), Chapter(rule.cases, known, ()), derivation)
            more = [name for name in found.without if name != TOTAL]
            totals = [name for name in rule.without if name.startswith(TOTAL) and TOTAL not in found.without]
            without = tuple(name for name in (*rule.without, *more) if name not in totals)
            return replace(found, without=without)
    return rule


def _of_rule(derivation: Derivation, whole: bool) -> Chapter:
    """Return what is proved of the losses of a rule, and of the law that they come from."""
    if isinstance(derivation.context, HeldPart):
        return _of_held_part(derivation, whole)
    if whole and miscalibration_section.is_about(derivation):
        return _of_miscalibration(derivation)
    if improper := improperness_section.openings(derivation):
        refuted = Chapter(_opened(improper), improperness_section.sections(derivation), ())
        return _with_costs(refuted, derivation, improper) if whole else refuted
    if free_errors_section.may_be_free(derivation):
        return _beside_free(derivation, whole)
    cases = settings(derivation)
    if own_threshold.at_another_threshold(derivation):
        chapter = _of_parts(derivation, cases, OF_LOSSES if whole else ())
        return _with_costs(chapter, derivation, cases) if whole else chapter
    if whole and mixture_section.of_several_kinds(derivation):
        return _of_mixture(derivation, cases)
    return _of_parts(derivation, cases, ALL if whole else ())


def _of_parts(
    derivation: Derivation,
    cases: tuple[Setting, ...],
    wanted: Container[str],
    others: Mapping[str, tuple[Way, ...]] = MappingProxyType({}),
) -> Chapter:
    """Return that a rule is proper, and those of the wanted parts that can be written, some in ``others`` of ways."""
    found, known = _proper(derivation, cases)
    parts = {**known, **others}
    unwanted = [name for name in parts if name not in wanted]
    chosen = {name: ways for name, ways in parts.items() if name in wanted}
    return _with(chosen, Chapter(_opened(cases), tuple(found), ()), derivation, unwanted)


def _with(
    parts: Mapping[str, tuple[Way, ...]],
    chapter: Chapter,
    derivation: Derivation,
    unwanted: Iterable[str] = (),
) -> Chapter:
    """Return a chapter with those of some parts that can be written, which need none that are unwanted."""
    found, without, other_ways = list(chapter.sections), list(chapter.without), list[str]()
    for name, ways in parts.items():
        taken, written = _written(derivation, ways, (*without, *other_ways, *unwanted))
        without += [name] if taken is None else []
        other_ways += [way.name for way in ways if way is not taken]
        found += written
    return Chapter(chapter.cases, tuple(found), tuple(name for name in without if name != WEIGHTS))


def _with_costs(rule: Chapter, derivation: Derivation, cases: Iterable[threshold_section.Named]) -> Chapter:
    """Return a rule after the law of its costs, if decisions are made at another threshold than theirs.

    If the law cannot be written, it is left out by name. Rules that come from losses have none.
    """
    if not own_threshold.at_another_threshold(derivation):
        return rule
    try:
        costs, modules = _at_own_threshold(own_threshold.calibrated(derivation), "costs")
        found = threshold_section.sections(derivation, cases, modules)
    except (ExportError, SpecError):
        return replace(rule, without=(*rule.without, "expected costs"))
    return Chapter(
        (*costs.cases, *rule.cases),
        (*costs.sections, *found, *rule.sections),
        (*rule.without, *_totals(costs)),
    )


def _of_miscalibration(derivation: Derivation) -> Chapter:
    """Return that a rule of another threshold is proper only if that is the one of the costs, after their law."""
    costs, modules = _at_own_threshold(miscalibration_section.at_own(derivation), "costs", fairly=True)
    rules = miscalibration_section.rules(derivation, modules)
    proved = Chapter(
        (*costs.cases, *(rule.module for rule in rules)),
        (*costs.sections, *(rule.refutation() for rule in rules)),
        (FORMS, *_totals(costs)),
    )
    if not any(rule.conditions for rule in rules):
        return proved
    conditions = {
        "values of the letters": (Way(lambda _: tuple(rule.calibration() for rule in rules)),),
        miscalibration_section.CONDITIONS: (
            Way(lambda _: tuple(rule.only_then() for rule in rules), ("values of the letters",)),
        ),
    }
    return _with(conditions, proved, derivation)


def _of_mixture(derivation: Derivation, cases: tuple[Setting, ...]) -> Chapter:
    """Return a rule of a mixture of several kinds of costs after the laws of its parts, if these can be written."""
    try:
        parts = mixture_section.parts_of(derivation)
        found = [_at_own_threshold(x, f"part{k}", fairly=True) for k, x in enumerate(parts, start=1)]
    except (ExportError, SpecError):
        rule = _of_parts(derivation, cases, OF_LOSSES)
        return replace(rule, without=(*rule.without, "expected costs", "total"))
    totals = tuple(name for law, _ in found for name in _totals(law))
    modules = [own for _, own in found]
    law = {
        "expected costs": (Way(lambda x: mixture_section.sections(x, modules, total=not totals)),),
        "reports 0 and 1": (Way(lambda x: mixture_section.ends(x, modules), ("expected costs",)),),
        "endpoints": (Way(endpoints.sections), Way(from_the_law, ("reports 0 and 1",))),
        WEIGHTS: PARTS[WEIGHTS],
        "expected loss": PARTS["expected loss"],
    }
    rule = _with(law, _of_parts(derivation, cases, ("atoms",)), derivation)
    return Chapter(
        (*(case for law, _ in found for case in law.cases), *rule.cases),
        (*(section for law, _ in found for section in law.sections), *rule.sections),
        (*rule.without, *(["total"] if totals else [])),
    )


def _beside_free(derivation: Derivation, whole: bool) -> Chapter:
    """Return a rule of costs of which one may be 0, after the law of those that are both positive."""
    costs = free_errors_section.with_positive_costs(derivation)
    cases = settings(costs)
    if not whole:
        return _of_parts(costs, cases, ())
    less = of_total(free_errors_section.chance_of_positive_costs(derivation))
    try:
        found, modules = _at_own_threshold(costs, "costs", fairly=True, others=less)
    except (ExportError, SpecError):
        rule = _of_parts(costs, cases, OF_LOSSES)
        return replace(rule, without=(*rule.without, "expected costs", "total"))
    wholes = free_errors_section.wholes(derivation, modules)
    at_ends = () if "endpoints" in found.without else (Way(lambda _: tuple(x.limits() for x in wholes)),)
    whole_total = {"total": (Way(lambda _: tuple(x.total() for x in wholes), ("expected costs",)),)}
    law = {
        "expected costs": (Way(lambda _: tuple(x.law() for x in wholes)),),
        "reports 0 and 1": (Way(lambda _: tuple(x.ends() for x in wholes), ("expected costs",)),),
        **({} if _totals(found) else whole_total),
        "endpoints": (Way(endpoints.sections), *at_ends),
        WEIGHTS: PARTS[WEIGHTS],
        "expected loss": PARTS["expected loss"],
    }
    rule = _with(law, _of_parts(costs, cases, ("atoms",)), costs)
    return Chapter(
        (*found.cases, *rule.cases),
        (*found.sections, *rule.sections),
        (*rule.without, *(["total"] if _totals(found) else [])),
    )


def _of_held_part(derivation: Derivation, whole: bool) -> Chapter:
    """Return a rule of costs of which one part is held, from the law of the costs at a value of the part.

    Raises:
        ExportError: if Coq gets neither that law nor its density, nor sees the sign of the weight.
    """
    rule = held_part_section.of_whole(derivation)
    if not whole:
        return _of_losses(rule, settings(rule), ())
    try:
        costs, values = _at_a_value(held_part_section.at_a_value(derivation))
    except ExportError:
        found = _of_losses(rule, settings(rule), OF_LOSSES)
        return replace(found, without=(*found.without, "expected costs", "total"))
    laws = held_part_section.wholes(rule, values)
    try:
        found = _of_losses(rule, settings(rule), OF_LOSSES)
    except ExportError:
        found = Chapter(tuple(law.chapter() for law in laws), (), ())
    without = (*found.without, *held_part_section.unproved(rule, values))
    held = {
        "law": (Way(lambda _: tuple(law.law() for law in laws)),),
        held_part_section.STRICT: (Way(lambda _: tuple(law.strictness() for law in laws)),),
        held_part_section.TOTAL: (Way(lambda _: tuple(law.total() for law in laws)),),
    }
    found = _with(held, replace(found, without=without), rule)
    if "law" in found.without:
        raise ExportError("Coq does not see that the part has a law", "It may have a density in pieces.")
    return Chapter((*costs.cases, *found.cases), (*costs.sections, *found.sections), found.without)


def _of_losses(derivation: Derivation, cases: tuple[Setting, ...], wanted: Container[str]) -> Chapter:
    """Return that a rule is proper by its weight, with those of the wanted parts that can be written."""
    parts = {name: ways for name, ways in PARTS.items() if name in wanted}
    proper = Chapter(_opened(cases), tuple(map(properness, cases)), ())
    return _with(parts, proper, derivation, [name for name in PARTS if name not in wanted])


def _at_a_value(costs: Derivation) -> tuple[Chapter, tuple[held_part_section.AtValue, ...]]:
    """Return the law of costs at a value of a part, with its expected costs, or else its density alone."""
    try:
        chapter, modules = _at_own_threshold(costs, held_part_section.NAME, fairly=True)
        total = not _totals(chapter)
        return chapter, tuple(held_part_section.with_losses(x, total=total) for x in modules)
    except ExportError:
        names = (costs_module.module_of(name, held_part_section.NAME) for name in case_names(costs))
        found = tuple(map(held_part_section.Densities, names, costs.cases))
        sections = tuple(section for x in found for section in x.sections())
        return Chapter(tuple(x.chapter() for x in found), sections, ()), tuple(x.at_value() for x in found)


def _totals(chapter: Chapter) -> tuple[str, ...]:
    """Return the parts on totals that are left out of a chapter."""
    return tuple(name for name in chapter.without if name.startswith("total"))


def _at_own_threshold(
    costs: Derivation,
    prefix: str,
    *,
    fairly: bool = False,
    others: Mapping[str, tuple[Way, ...]] = MappingProxyType({}),
) -> tuple[Chapter, tuple[costs_module.CostsModule, ...]]:
    """Return the law of costs with its expectation and its means, by what it costs at its own threshold; its modules.

    ``others`` are ways to write some of its parts.

    Raises:
        ExportError: if that cannot be written.
    """
    chapter = _of_parts(costs, settings(costs), OF_COSTS, others)
    if not EXPECTED.isdisjoint(chapter.without):
        raise ExportError("the expected costs at their own threshold are left out", "They lead to these.")
    ends, names = ENDS.isdisjoint(chapter.without), f"{prefix}_" if fairly else ""
    modules = costs_module.costs_modules(costs, prefix, ends=ends, names=names)
    named = tuple(replace(x, case=costs_module.module_of(x.case, prefix)) for x in chapter.sections)
    found = (*named, *costs_module.prices(modules, fairly=fairly))
    return Chapter(_opened(tuple(x.setting for x in modules)), found, chapter.without), modules


def _proper(
    derivation: Derivation, cases: tuple[Setting, ...]
) -> tuple[list[Section], Mapping[str, tuple[Way, ...]]]:
    """Return the sections that a rule is proper, by its weight or else by its law, and the parts that follow.

    Raises:
        ExportError: if neither shows it.
    """
    try:
        return [properness(case) for case in cases], PARTS
    except ExportError:
        law, taken = _law_alone(derivation)
        if {section.case for section in law} != {case.name for case in cases}:
            raise
    proper = partial(properness_by_law, strict=taken != BY_ARCS)
    return [*map(orders, cases), *law, *map(proper, cases)], parts_by_law(taken)


def _law_alone(derivation: Derivation) -> tuple[tuple[Section, ...], str]:
    """Return the sections on a law that is proper by itself, and the way in which it is written."""
    kinds = (
        bell_section.sections,
        fraction_section.sections,
        shifted_section.sections,
        burr_section.sections,
        lomax_section.sections,
    )
    by_density = each(*kinds)(derivation)
    if by_density:
        return by_density, BY_DENSITY
    with suppress(ExportError):
        return power_section.sections(derivation, by_law=True), BY_POWERS
    with suppress(ExportError):
        return arc_section.sections(derivation, by_law=True), BY_ARCS
    return (), BY_DENSITY


def _of_classes(derivation: MulticlassDerivation, whole: bool) -> Chapter:
    """Return what is proved of a rule of several classes."""
    if isinstance(derivation.context, CostMatrix):
        return _of_acts(act_section.acts_of(derivation))
    rule = class_section.classes_of(derivation)
    opened = ((class_section.NAME, rule.opening(), rule.closing()),)
    found = rule.sections() if whole else (rule.properness(),)
    return Chapter(opened, found, () if len(found) > 1 or not whole else (class_expectations.EXPECTED,))


def _of_acts(acts: act_section.Acts) -> Chapter:
    """Return what is proved of the rule of a cost matrix."""
    opened = ((act_section.NAME, acts.opening(), acts.closing()),)
    return Chapter(opened, acts.sections(), () if acts.has_regions else (act_section.REGIONS,))


def _written(
    derivation: Derivation, ways: Iterable[Way], without: Container[str]
) -> tuple[Way | None, tuple[Section, ...]]:
    """Return the first way in which a part can be written, with its sections; ``None`` if there is none."""
    for way in ways:
        with suppress(ExportError):
            return way, way.sections(derivation, without)
    return None, ()


def _opened(cases: tuple[Setting | improperness_section.Opening, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return the names of cases, with what opens and what closes their modules."""
    return tuple((case.name, case.opening(), case.closing()) for case in cases)
