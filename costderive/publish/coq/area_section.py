"""From a density of both costs to the rule in Coq: its losses are iterated integrals of what a decision costs.

An area is cut into strips, with antiderivatives that hold for all reports (`slabs`). At a report c0 is integrated up
to, or from, the ray on which the threshold is the report, and then c1, part after part. The losses that the derivation
found through a threshold weight are so found again without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Area, ExpectedLoss
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq import far_terms
from costderive.publish.coq.all_reports_section import growing
from costderive.publish.coq.bell_section import bell_pair
from costderive.publish.coq.burr_section import burr_pair
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, records, sure
from costderive.publish.coq.fraction_section import fraction_pair
from costderive.publish.coq.law_theorems import (
    AREAS,
    THEOREMS,
    expected,
    proper,
    strictly,
    with_ends,
    with_infinite_ends,
)
from costderive.publish.coq.log_normal_pairs import log_normal_pairs
from costderive.publish.coq.lomax_section import lomax_pair
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.shifted_section import shifted_pair
from costderive.publish.coq.slabs import Slab, covered, orders, slabs
from costderive.publish.coq.strips import Cut, in_both_shares
from costderive.publish.coq.tactics import filled, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.total_section import named, refuse_multiples

BESIDE = (
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
    "Cuts",
    "ClosedForms",
)


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the losses are the expected costs.

    Raises:
        ExportError: if there are costs on curves or points besides, a region has sides that are not lines, there is
            no elementary antiderivative, or the order of two bounds is not visible.
    """
    return tuple(_section(law) for law in _laws(derivation))


def totals(derivation: Derivation, total: Expr = sympy.S.One) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the ``total`` of the density.

    Raises:
        ExportError: as `sections`.
    """
    return tuple(_total(law, total) for law in _laws(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the reports 0 and 1, which cost the means.

    Raises:
        ExportError: as `sections`, and if a mean is infinite and Coq does not see how a loss grows.
    """
    return tuple(_ends(law) for law in _laws(derivation))


def densities(name: str, areas: tuple[Area, ...], given: Given) -> Section:
    """Return the section of a module that densities are not negative, without their integrals."""
    text = "\n".join([*listed(areas), *lawful_each(areas, given), _lawful(areas)])
    return Section(name, "law", BESIDE, text, ("lawful_costs",))


@dataclass(frozen=True)
class Law:
    """The costs of a case: areas, each cut into strips with their antiderivatives."""

    setting: Setting
    areas: tuple[Area, ...]

    @cached_property
    def strips(self) -> tuple[tuple[Slab, ...], ...]:
        """The strips of each area."""
        single = len(self.areas) == 1
        return tuple(
            slabs(f"area{k}", area, self.setting.given, "strip" if single else f"strip{k}_")
            for k, area in enumerate(self.areas, start=1)
        )

    @property
    def slabs(self) -> tuple[Slab, ...]:
        """All strips."""
        return tuple(slab for found in self.strips for slab in found)

    @property
    def imports(self) -> tuple[str, ...]:
        """The files of the library that are needed."""
        return (*BESIDE, *(("Arcs", *far_terms.IMPORTS) if any(slab.far for slab in self.slabs) else ()))

    def gained(self, cell: Cell | None = None, ends: Iterable[Expr] = ()) -> str:
        """Return the tactic for what antiderivatives gain, which may have logarithms of fractions as losses do."""
        if far := [slab.hints() for slab in self.slabs if slab.far]:
            return f"gained_far ltac:({'; '.join(far)})"
        formulas = () if cell is None else (*cell.formulas[:2], *ends)
        written = () if cell is None else _logarithms_of_fractions(formulas, cell.on, self.setting.given)
        return f"gained_by ltac:({'; '.join(written)})" if written else "gained"

    def gains(self, cell: Cell | None = None, ends: Iterable[Expr] = ()) -> str:
        """Return that tactic as an argument."""
        found = self.gained(cell, ends)
        return found if found.isidentifier() else f"ltac:({found})"

    def listed(self) -> str:
        """Return the areas with their strips as a list in Coq."""
        return _list(
            f"(area{k}, {_list(slab.name for slab in found)})" for k, found in enumerate(self.strips, start=1)
        )


def _list(texts: Iterable[str]) -> str:
    return f"[{'; '.join(texts)}]"


def _laws(derivation: Derivation) -> tuple[Law, ...]:
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(
        Law(setting, only_areas(case))
        for setting, case in cases
        if areas_of(case)
        and log_normal_pairs(areas_of(case)) is None
        and bell_pair(areas_of(case), setting.given) is None
        and fraction_pair(areas_of(case)) is None
        and shifted_pair(areas_of(case), setting.given) is None
        and burr_pair(setting, case) is None
        and lomax_pair(setting, case) is None
    )


def areas_of(case: Case) -> tuple[Area, ...]:
    """Return the areas over which the costs of a case are spread."""
    found = next((x.after for x in case.steps if isinstance(x.after, ExpectedLoss)), None)
    return () if found is None else found.areas


def only_areas(case: Case) -> tuple[Area, ...]:
    """Return the areas of a case that has no other costs.

    Raises:
        ExportError: if it has, or a density has roots of the costs.
    """
    found = next(x.after for x in case.steps if isinstance(x.after, ExpectedLoss))
    if found.lines or found.arcs or found.points:
        raise ExportError("there are costs on curves or points beside areas", "Coq gets either alone.")
    for area in found.areas:
        _refuse_powers(area)
    return found.areas


def _refuse_powers(area: Area) -> None:
    """Refuse powers that are no integers, but for square roots of a cost without letters and exponentials."""
    letters = set().union(*[x.free_symbols for x in (area.density, *area.constraints)]) - {c0, c1}
    plain = not letters and not area.density.has(sympy.exp)
    for node in area.density.atoms(sympy.Pow):
        root = (2 * node.exp).is_Integer and node.base in (c0, c1) and plain
        if node.base.has(c0, c1) and not (node.exp.is_Integer or root):
            raise ExportError(
                f"the density has the power {str(node)[:100]}",
                "Coq gets whole powers, and square roots of a cost without letters and exponentials.",
            )


def _section(law: Law) -> Section:
    strict = dict(strictly(AREAS, law.setting))
    lemmas = [
        *_definitions(law),
        *lawful_each(law.areas, law.setting.given),
        _lawful(law.areas),
        *[slab.certified() for slab in law.slabs],
        *[covered(f"area{k}", found) for k, found in enumerate(law.strips, start=1)],
        _certified(law),
        *[_piece(law, cell) for cell in law.setting.cells],
        *expected(AREAS, law.setting),
        proper(AREAS),
        *strict.values(),
    ]
    return Section(law.setting.name, "law", law.imports, "\n".join(lemmas), (*THEOREMS, *strict))


# ---- the law


def _definitions(law: Law) -> Iterator[str]:
    setting, areas = law.setting, law.areas
    letters = set().union(*[x.free_symbols for area in areas for x in (area.density, *area.constraints)])
    if not letters <= {c0, c1, *setting.parameters}:
        raise ExportError("the costs have a parameter that the rule has not", "Give it a number.")
    yield from listed(areas)
    names = [f"area{k}" for k, _ in enumerate(areas, start=1)]
    yield from [slab.definition() for slab in law.slabs]
    yield f"Definition law : strips := {law.listed()}."
    written = " ".join(
        ["law", "areas", *names, *[x.name for x in law.slabs], *[x.name for x in setting.cells]]
    )
    yield f"Ltac law_read := cbv beta iota delta [{written}] in *; reading."


def listed(areas: tuple[Area, ...]) -> Iterator[str]:
    """Yield the definitions of areas, and of the list of them."""
    yield from [definition(k, area) for k, area in enumerate(areas, start=1)]
    yield f"Definition areas : list area := {_list(f'area{k}' for k, _ in enumerate(areas, start=1))}."


def definition(k: int, area: Area) -> str:
    """Return an area in Coq, by its number."""
    region = "; ".join(term(x) for x in area.constraints)
    density = term(_as_seen(area.density))
    parts = (f"(fun c0 c1 => {density})", f"(fun c0 c1 => [{region}]).")
    return "\n".join(filled([f"Definition area{k} : area := Area", *parts]))


def _as_seen(density: Expr) -> Expr:
    """Return a density with products of powers as one power, but those of numbers as ``3^b/3``, not ``3^(b - 1)``."""
    return sympy.powsimp(density, combine="exp").replace(
        lambda node: node.is_Pow and node.base.is_Rational and node.exp.is_Add,
        lambda node: (
            node.base ** (node.exp - int(node.exp.as_coeff_Add()[0]))
            * node.base ** int(node.exp.as_coeff_Add()[0])
        ),
    )


def lawful_each(areas: tuple[Area, ...], given: Given) -> Iterator[str]:
    """Yield the lemmas that the density of each area is not negative.

    Raises:
        ExportError: if its sign is not visible, or that of what a root is of.
    """
    for k, area in enumerate(areas, start=1):
        within = given.also(nonnegative=area.constraints)
        seen = sure(area.density, None, within, strict=False)
        yield lemma(
            f"lawful_area{k}",
            f"lawful_area area{k}",
            f"lawful_inside area{k}.",
            *records(_differences(area.density), None, within),
            f"apply (not_negative_as ({seen.text})); [equal_exponentials | see].",
        )


def _differences(density: Expr) -> list[Expr]:
    """Return the sums, in which something is subtracted, that roots with costs are of or letters are divided by."""
    nodes = [node for node in sympy.preorder_traversal(density) if node.is_Pow]
    roots = [node.base for node in nodes if (2 * node.exp).is_odd and node.base.has(c0, c1)]
    below = [node.base for node in nodes if node.exp.is_negative and not node.base.has(c0, c1)]
    curved = [base for base in below if base.is_polynomial() and sympy.total_degree(base) > 1]
    return [
        base
        for base in dict.fromkeys([*roots, *curved])
        if sympy.expand(base).is_Add and any(x.could_extract_minus_sign() for x in sympy.expand(base).args)
    ]


def _lawful(areas: tuple[Area, ...]) -> str:
    proofs = " | ".join(f"exact lawful_area{k}" for k, _ in enumerate(areas, start=1))
    return lemma("lawful_costs", "lawful_areas areas", f"listed; [{proofs}].", kind="Theorem")


def _certified(law: Law) -> str:
    """All strips are certified."""
    proofs = " | ".join(
        f"exact {name}"
        for k, found in enumerate(law.strips, start=1)
        for name in (f"covered_area{k}", *(f"certified_{slab.name}" for slab in found))
    )
    return lemma("certified_costs", "certified_law law", f"each_strip; [{proofs}].")


# ---- the reports


def _piece(law: Law, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    given = law.setting.given
    found = [[(slab, slab.cuts(cell.on)) for slab in slabs] for slabs in law.strips]
    flat = [pair for row in found for pair in row]
    for slab, each in flat:
        slab.starts_with(each[0].part)
        for outer in slab.last(each[-1].part):
            slab.ends_at(outer, cell.on)
    certificates = [x for slab, cut in flat for x in slab.orders_of_cuts(cut, cell.on)]
    ends = [
        outer.subs(c1, cut.high)
        for slab, each in flat
        for outer in (slab.inside0, slab.inside1)
        for cut in each
        if cut.high is not sympy.oo
    ]
    inside = [x for slab, _ in flat for x in (slab.inside0, slab.inside1)]
    starts = [x.subs(c1, slab.strip.low) for slab, _ in flat for x in (slab.inside0, slab.inside1)]
    cuts = _list(_list(_cuts(cut) for _, cut in row) for row in found)
    known = [*positives((*cell.formulas[:2], *ends, *inside), cell.on, given)]
    return lemma(
        f"costs_of_piece{cell.number}",
        f"costs_between areas {cell.low} {cell.high} {cell.name}",
        *(["intros p Unit Start Stop.", *known] if known else []),
        f"costs_by law_read certified_costs (cut_so (fun p => {cuts})) {orders(certificates)} "
        f"{law.gains(cell, (*starts, *ends))}.",
    )


def _logarithms_of_fractions(formulas: Iterable[Expr], on: Interval, given: Given) -> tuple[str, ...]:
    """Return the tactics that write logarithms by those of factors, if some are of fractions."""
    formulas = tuple(formulas)
    logarithms = set().union(*[formula.atoms(sympy.log) for formula in formulas])
    if all(node.args[0].is_polynomial(*node.free_symbols) for node in logarithms):
        return ()
    return hints(formulas, on, given)


def _cuts(found: tuple[Cut, ...]) -> str:
    return f"({_list(f'({cut.part}, {term(cut.high)})' for cut in found[:-1])}, {found[-1].part})"


def _total(law: Law, total: Expr) -> Section:
    for slab in law.slabs:
        slab.ends_at(slab.whole, None)
    refuse_multiples(sympy.Add(*[slab.gain(slab.chance, slab.whole) for slab in law.slabs]), total)
    theorem = lemma(
        named(total),
        f"has_total_of_areas areas {atomic(total)}",
        f"summed total_by_strips law_read certified_costs {law.gains()}.",
        kind="Theorem",
    )
    return Section(law.setting.name, "total", law.imports, theorem, (named(total),))


def _ends(law: Law) -> Section:
    growth = growing(law.setting)
    means = {label: (_mean(law, label), (_mean_is(law, label),)) for label in (0, 1) if label not in growth}
    if growth:
        return with_infinite_ends(AREAS, law.setting, law.imports, means, growth)
    values, proofs = zip(*means.values(), strict=True)
    return with_ends(AREAS, law.setting, law.imports, values, proofs)


def _mean_is(law: Law, label: int) -> str:
    return f"summed mean{label}_by_strips law_read certified_costs {law.gains()}."


def _mean(law: Law, label: int) -> Expr:
    pairs = [
        (slab, (slab.chance, slab.whole1) if label else (slab.amount, slab.whole0)) for slab in law.slabs
    ]
    return sympy.factor(in_both_shares(sympy.Add(*[slab.gain(*pair) for slab, pair in pairs])))
