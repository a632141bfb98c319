"""A whole file of Coq: the parts of the library that it needs, and one section for each case of each derivation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources

import costderive
from costderive.core.errors import ExportError, SpecError
from costderive.costs.contexts import HeldPart
from costderive.derivation.derivation import Derivation
from costderive.multiclass import CostMatrix, MulticlassDerivation
from costderive.publish.coq import (
    COMPILED,
    act_section,
    all_reports_section,
    arc_section,
    area_section,
    atoms,
    bell_section,
    burr_section,
    class_section,
    costs_module,
    endpoints,
    expected_loss_section,
    fraction_section,
    gamma_section,
    held_part_section,
    improperness_section,
    law_section,
    log_normal_section,
    lomax_section,
    mixture_section,
    own_threshold,
    power_section,
    shifted_section,
    threshold_section,
    total_section,
)
from costderive.publish.coq.law_theorems import properness_by_law, vanishing
from costderive.publish.coq.properness_section import orders, properness, slopes
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, case_names, settings
from costderive.publish.coq.tactics import WIDTH

ALONE = "Check it with coqc; it needs Coquelicot."
BESIDE = "Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot."
LIBRARY = (  # in the order of their dependence
    "Elementary",
    "Properness",
    "Limits",
    "Endpoints",
    "Incomplete",
    "BetaGamma",
    "Atoms",
    "ExpectedLoss",
    "Costs",
    "Curves",
    "AtomsOfLoss",
    "AllReports",
    "Totals",
    "Tails",
    "Areas",
    "Spread",
    "Strips",
    "Cuts",
    "ClosedForms",
    "Arcs",
    "Normal",
    "LogNormal",
    "KnownLogNormal",
    "Independent",
    "Bells",
    "Fractions",
    "Shifted",
    "Far",
    "Moments",
    "Families",
    "Euler",
    "LomaxExponential",
    "GammaPairs",
    "OtherThresholds",
    "Mixtures",
    "HeldPart",
    "Refutation",
    "Acts",
    "Classes",
    "Orders",
    "ClassCosts",
)
Make = Callable[[Derivation], tuple[Section, ...]]


def _each(*kinds: Make) -> Make:
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


def _from_the_law(derivation: Derivation) -> tuple[Section, ...]:
    """Return the limits of losses where their class is certain, from what the reports 0 and 1 cost in expectation."""
    cases = tuple(zip(settings(derivation), derivation.cases, strict=True))
    if not all(law_section.spread(case) for _, case in cases):
        raise ExportError("there are costs on lines or points alone", "See the limits of their losses.")
    if not all(kind.have_finite_means(derivation) for kind in (burr_section, lomax_section)):
        raise ExportError("a mean may be infinite", "Limits follow from finite ones.")
    return tuple(vanishing(setting) for setting, _ in cases)


BY_DENSITY, BY_POWERS, BY_GAMMAS = "a density alone", "a density that is a power", "densities of Gamma costs"
LAW, AREAS, ARCS = "expected costs over areas", "reports 0 and 1 over areas", "reports 0 and 1 along arcs"
WEIGHTS = "continuity of the weight"  # beside which other parts stand

# The parts of a derivation beside the properness of its rule: what each is called, and the ways to write it.
PARTS: Mapping[str, tuple[Way, ...]] = {
    "atoms": (Way(atoms.sections),),
    LAW: (
        Way(
            _each(
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
    "total over areas": (
        Way(
            _each(
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
            _each(
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
    "expected costs along arcs": (Way(arc_section.sections),),
    "total along arcs": (Way(arc_section.totals, ("expected costs along arcs",)),),
    ARCS: (Way(arc_section.ends, ("expected costs along arcs",)),),
    "endpoints": (Way(endpoints.sections), Way(_from_the_law, (AREAS, ARCS))),
    WEIGHTS: (Way(expected_loss_section.weights),),
    "expected loss": (Way(expected_loss_section.sections, ("endpoints", WEIGHTS)),),
    "expected costs": (Way(law_section.sections, ("endpoints", WEIGHTS)),),
    "reports 0 and 1": (Way(all_reports_section.sections, ("expected costs",)),),
    "total": (Way(total_section.sections, ("expected costs",)),),
}
# The parts where properness is known by the law alone, with whose strictness no weight has to do.
SLOPES = "slopes of the losses"
ALL = frozenset({*PARTS, SLOPES})
OF_LOSSES = frozenset(
    {"atoms", "endpoints", "expected loss", WEIGHTS, SLOPES}
)  # whatever threshold is decided at
OF_COSTS = ALL - {"atoms", "expected loss"}
EXPECTED = frozenset({LAW, "expected costs along arcs", "expected costs"})
ENDS = frozenset({AREAS, ARCS, "reports 0 and 1"})


def _slopes(derivation: Derivation) -> tuple[Section, ...]:
    """Return the slopes of the losses, unless these are written in functions of which Coq sees no relation."""
    lomax_section.refuse(derivation)
    return slopes(derivation)


def _parts_by_law(taken: str) -> Mapping[str, tuple[Way, ...]]:
    """Return the parts where the expected costs are known in one way, and properness from them."""
    others = {way.name for way in PARTS[LAW]} - {taken}
    kept = {
        name: tuple(way for way in ways if not others & set(way.needs))
        for name, ways in PARTS.items()
        if name != LAW
    }
    loss = partial(expected_loss_section.sections, by_law=True)
    return {
        SLOPES: (Way(_slopes),),
        **kept,
        "expected loss": (Way(loss, (SLOPES, "endpoints", WEIGHTS)),),
    }


ALWAYS, MORE = (
    ("Reals", "Lra", "List"),
    ("Lia",),
)  # of Coq's own library; more where a file of this one needs it


def coq(derivation: Derivation | MulticlassDerivation, *, whole: bool = True, library: bool = True) -> str:
    """Return a file of Coq about the rule of a derivation; ``coqc`` with Coquelicot accepts it alone.

    Without the ``library`` the file requires that of `library_files` as ``CostDerive``, compiled beside it.

    The file starts from the law of the costs, as far as Coq gets it: that it is a law, that whoever decides at the
    report pays in expectation these losses, that the threshold weight is the inner integral, that the expected loss
    is the one over the scores, properness with the reports 0 and 1, and what a tie at an atom may be charged. It
    names the parts that it leaves out. A theorem of each case says that the rule is proper, strictly so where the
    derivation concludes it; or that it is not, with its witness. If it is not ``whole``, that is all.

    Of several classes, it is about a matrix of known costs: whoever takes the act of the least expected cost pays
    these losses, they are proper, and at which forecasts each act is taken; or about costs of the classes whose
    losses are rational functions, in each order of the probabilities: that these are proper.

    Raises:
        ExportError: if a loss has no form in Coq, the sign of the threshold weight is not visible there, the
            derivation concludes neither that the rule is proper nor that it is not, or losses of several classes have
            formulas in many orders, or none that is rational.
    """
    return combined({"Rule": derivation}, whole=whole, library=library)


def combined(
    derivations: Mapping[str, Derivation | MulticlassDerivation], *, whole: bool = False, library: bool = True
) -> str:
    """Return one file about several rules, each in a module of the name that it is given."""
    chapters = {name: _chapter(derivation, whole) for name, derivation in derivations.items()}
    found = [section for chapter in chapters.values() for section in chapter.sections]
    imports = {name for section in found for name in section.imports}
    needed = [name for name in LIBRARY if name in (_with_required(imports) if library else imports)]
    opening = f"(* Written by costderive {costderive.__version__}. {ALONE if library else BESIDE} *)\n"
    base = [*map(_library, needed)] if library else [f"From {COMPILED} Require Import {' '.join(needed)}.\n"]
    modules = [_module(name, chapter) for name, chapter in chapters.items()]
    return "\n".join([opening, header(needed), *base, *modules, _axioms(chapters)])


def _with_required(names: set[str]) -> set[str]:
    """Return files of the library with those that they require."""
    lines = (re.search(rf"^From {COMPILED} Require Import (.*)\.$", _source(name), re.M) for name in names)
    found = names.union(*[line[1].split() for line in lines if line])
    return found if found == names else _with_required(found)


def header(needed: Iterable[str]) -> str:
    """Return what a file requires of Coq and Coquelicot, with these files of the library."""
    required = " ".join(
        line
        for name in needed
        for line in re.findall(r"^From Coq Require Import (.*)\.$", _source(name), re.M)
    )
    more = [name for name in MORE if name in required.split()]
    return f"""From Coq Require Import {" ".join([*ALWAYS[:-1], *more, ALWAYS[-1]])}.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.
"""


def theorems(text: str) -> tuple[str, ...]:
    """Return the names of the theorems on the rule in a file that `coq` writes, each once, without its library's.

    Costs that have modules of their own have a rule there too, which is another one: of these only what is about the
    costs is returned.
    """
    _, _, rule = text.rpartition("\nModule Rule.\n")
    modules = re.split(r"^Module (?=\w+\.$)", rule, flags=re.M)
    found = [re.findall(_ON_COSTS if _OF_COSTS.match(x) else _THEOREM, x, re.M) for x in modules]
    return tuple(dict.fromkeys(name for names in found for name in names))


_THEOREM = r"^Theorem (\w+)"
_OF_COSTS = re.compile(r"costs|part\d|held")
_ON_COSTS = r"^Theorem ((?:lawful|total|prices|mean_is)\w*)"


def left_out(text: str) -> tuple[str, ...]:
    """Return what files of Coq say that they leave out of a derivation, by name; empty if nothing."""
    return tuple(re.findall(r"^\(\* Left out: (.*)\. \*\)$", text, re.M))


def library_files(folder: str, proofs: Iterable[str]) -> dict[str, str]:
    """Return the files of the library in a folder, and a ``_CoqProject`` for it and for proofs that require it."""
    texts = {f"{folder}/{name}.v": _source(name) for name in LIBRARY}
    project = "\n".join([f"-Q {folder} {COMPILED}", "-arg -w -arg -ambiguous-paths", *texts, *proofs, ""])
    return {**texts, "_CoqProject": project}


def library() -> dict[str, str]:
    """Return the files of the library by name, in the order in which they are compiled."""
    return {f"{name}.v": _source(name) for name in LIBRARY}


def sections(derivation: Derivation | MulticlassDerivation, *, whole: bool = False) -> tuple[Section, ...]:
    """Return what there is to prove of a derivation, case by case."""
    return _chapter(derivation, whole).sections


@dataclass(frozen=True, slots=True)
class _Chapter:
    """What is proved of one derivation: its cases with the text around each, sections, and what is left out."""

    cases: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]
    without: tuple[str, ...]


def _chapter(derivation: Derivation | MulticlassDerivation, whole: bool) -> _Chapter:
    if isinstance(derivation, MulticlassDerivation):
        return _of_classes(derivation, whole)
    if not isinstance(derivation, Derivation):
        raise ExportError("the rule is of a batch", "Proofs for Coq are of single instances.")
    if isinstance(derivation.context, HeldPart):
        return _of_held_part(derivation, whole)
    if improper := improperness_section.openings(derivation):
        refuted = _Chapter(_opened(improper), improperness_section.sections(derivation), ())
        return _with_costs(refuted, derivation, improper) if whole else refuted
    cases = settings(derivation)
    if own_threshold.at_another_threshold(derivation):
        chapter = _of_parts(derivation, cases, OF_LOSSES if whole else ())
        return _with_costs(chapter, derivation, cases) if whole else chapter
    if whole and mixture_section.of_several_kinds(derivation):
        return _of_mixture(derivation, cases)
    return _of_parts(derivation, cases, ALL if whole else ())


def _of_parts(derivation: Derivation, cases: tuple[Setting, ...], wanted: Container[str]) -> _Chapter:
    """Return that a rule is proper, and those of the wanted parts that can be written."""
    found, parts = _proper(derivation, cases)
    unwanted = [name for name in parts if name not in wanted]
    chosen = {name: ways for name, ways in parts.items() if name in wanted}
    return _with(chosen, _Chapter(_opened(cases), tuple(found), ()), derivation, unwanted)


def _with(
    parts: Mapping[str, tuple[Way, ...]],
    chapter: _Chapter,
    derivation: Derivation,
    unwanted: Iterable[str] = (),
) -> _Chapter:
    """Return a chapter with those of some parts that can be written, which need none that are unwanted."""
    found, without, other_ways = list(chapter.sections), list(chapter.without), list[str]()
    for name, ways in parts.items():
        taken, written = _written(derivation, ways, (*without, *other_ways, *unwanted))
        without += [name] if taken is None else []
        other_ways += [way.name for way in ways if way is not taken]
        found += written
    return _Chapter(chapter.cases, tuple(found), tuple(name for name in without if name != WEIGHTS))


def _with_costs(rule: _Chapter, derivation: Derivation, cases: Iterable[threshold_section.Named]) -> _Chapter:
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
    return _Chapter(
        (*costs.cases, *rule.cases),
        (*costs.sections, *found, *rule.sections),
        (*rule.without, *_totals(costs)),
    )


def _of_mixture(derivation: Derivation, cases: tuple[Setting, ...]) -> _Chapter:
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
        "endpoints": (Way(endpoints.sections), Way(_from_the_law, ("reports 0 and 1",))),
        WEIGHTS: PARTS[WEIGHTS],
        "expected loss": PARTS["expected loss"],
    }
    rule = _with(law, _of_parts(derivation, cases, ("atoms",)), derivation)
    return _Chapter(
        (*(case for law, _ in found for case in law.cases), *rule.cases),
        (*(section for law, _ in found for section in law.sections), *rule.sections),
        (*rule.without, *(["total"] if totals else [])),
    )


def _of_held_part(derivation: Derivation, whole: bool) -> _Chapter:
    """Return a rule of costs of which one part is held, from the law of the costs at a value of the part.

    Raises:
        ExportError: if Coq gets neither that law nor its density.
    """
    rule = held_part_section.of_whole(derivation)
    if not whole:
        return _of_losses(rule, settings(rule), ())
    costs, values = _at_a_value(held_part_section.at_a_value(derivation))
    laws = held_part_section.wholes(rule, values)
    try:
        found = _of_losses(rule, settings(rule), OF_LOSSES)
    except ExportError:
        found = _Chapter(tuple(law.chapter() for law in laws), (), ())
    without = (*found.without, *held_part_section.unproved(rule, values))
    held = {
        "law": (Way(lambda _: tuple(law.law() for law in laws)),),
        held_part_section.STRICT: (Way(lambda _: tuple(law.strictness() for law in laws)),),
        held_part_section.TOTAL: (Way(lambda _: tuple(law.total() for law in laws)),),
    }
    found = _with(held, replace(found, without=without), rule)
    if "law" in found.without:
        raise ExportError("Coq does not see that the part has a law", "It may have a density in pieces.")
    return _Chapter((*costs.cases, *found.cases), (*costs.sections, *found.sections), found.without)


def _of_losses(derivation: Derivation, cases: tuple[Setting, ...], wanted: Container[str]) -> _Chapter:
    """Return that a rule is proper by its weight, with those of the wanted parts that can be written."""
    parts = {name: ways for name, ways in PARTS.items() if name in wanted}
    proper = _Chapter(_opened(cases), tuple(map(properness, cases)), ())
    return _with(parts, proper, derivation, [name for name in PARTS if name not in wanted])


def _at_a_value(costs: Derivation) -> tuple[_Chapter, tuple[held_part_section.AtValue, ...]]:
    """Return the law of costs at a value of a part, with its expected costs, or else its density alone."""
    try:
        chapter, modules = _at_own_threshold(costs, held_part_section.NAME, fairly=True)
        total = not _totals(chapter)
        return chapter, tuple(held_part_section.with_losses(x, total=total) for x in modules)
    except ExportError:
        names = (costs_module.module_of(name, held_part_section.NAME) for name in case_names(costs))
        found = tuple(map(held_part_section.Densities, names, costs.cases))
        sections = tuple(section for x in found for section in x.sections())
        return _Chapter(tuple(x.chapter() for x in found), sections, ()), tuple(x.at_value() for x in found)


def _totals(chapter: _Chapter) -> tuple[str, ...]:
    """Return the parts on totals that are left out of a chapter."""
    return tuple(name for name in chapter.without if name.startswith("total"))


def _at_own_threshold(
    costs: Derivation, prefix: str, *, fairly: bool = False
) -> tuple[_Chapter, tuple[costs_module.CostsModule, ...]]:
    """Return the law of costs with its expectation and its means, by what it costs at its own threshold; its modules.

    Raises:
        ExportError: if that cannot be written.
    """
    chapter = _of_parts(costs, settings(costs), OF_COSTS)
    if not EXPECTED.isdisjoint(chapter.without):
        raise ExportError("the expected costs at their own threshold are left out", "They lead to these.")
    ends, names = ENDS.isdisjoint(chapter.without), f"{prefix}_" if fairly else ""
    modules = costs_module.costs_modules(costs, prefix, ends=ends, names=names)
    named = tuple(replace(x, case=costs_module.module_of(x.case, prefix)) for x in chapter.sections)
    found = (*named, *costs_module.prices(modules, fairly=fairly))
    return _Chapter(_opened(tuple(x.setting for x in modules)), found, chapter.without), modules


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
    return [*map(orders, cases), *law, *map(properness_by_law, cases)], _parts_by_law(taken)


def _law_alone(derivation: Derivation) -> tuple[tuple[Section, ...], str]:
    """Return the sections on a law that is strictly proper by itself, and the way in which it is written."""
    kinds = (
        bell_section.sections,
        fraction_section.sections,
        shifted_section.sections,
        burr_section.sections,
        lomax_section.sections,
    )
    by_density = _each(*kinds)(derivation)
    if by_density:
        return by_density, BY_DENSITY
    with suppress(ExportError):
        return power_section.sections(derivation, by_law=True), BY_POWERS
    return (), BY_DENSITY


def _of_classes(derivation: MulticlassDerivation, whole: bool) -> _Chapter:
    """Return what is proved of a rule of several classes."""
    if isinstance(derivation.context, CostMatrix):
        return _of_acts(act_section.acts_of(derivation))
    rule = class_section.classes_of(derivation)
    opened = ((class_section.NAME, rule.opening(), rule.closing()),)
    found = rule.sections() if whole else (rule.properness(),)
    return _Chapter(opened, found, () if len(found) > 1 or not whole else (class_section.EXPECTED,))


def _of_acts(acts: act_section.Acts) -> _Chapter:
    """Return what is proved of the rule of a cost matrix."""
    opened = ((act_section.NAME, acts.opening(), acts.closing()),)
    return _Chapter(opened, acts.sections(), () if acts.has_regions else (act_section.REGIONS,))


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


def _module(title: str, chapter: _Chapter) -> str:
    parts = [f"(* Left out: {', '.join(chapter.without)}. *)\n"] if chapter.without else []
    for name, opening, closing in chapter.cases:
        texts = [section.text for section in chapter.sections if section.case == name]
        parts += [opening, *texts, closing, ""]
    return "\n".join([f"Module {title}.", "", *parts, f"End {title}.", ""])


def _axioms(chapters: Mapping[str, _Chapter]) -> str:
    """Return the command that prints the axioms on which the final theorems rest, all of them together."""
    names = [
        f"{name}.{section.case}.{theorem}"
        for name, chapter in chapters.items()
        for section in chapter.sections
        for theorem in section.theorems
    ]
    listed = textwrap.fill(", ".join(f"@{name}" for name in names), WIDTH, subsequent_indent="   ")
    return f"Definition final_theorems :=\n  ({listed}).\nPrint Assumptions final_theorems.\n"


def _library(name: str) -> str:
    """Return a file of the library as a module, without what the header of the file has already required."""
    inner = re.sub(
        r"^(From .* Require .*|Import ListNotations|Open Scope R_scope|Set Warnings .*)\.\n",
        "",
        _source(name),
        flags=re.M,
    )
    return f"Module {name}.\n{inner}End {name}.\nImport {name}.\n"


def _source(name: str) -> str:
    return (resources.files("costderive.publish.coq") / "library" / f"{name}.v").read_text(encoding="utf-8")
