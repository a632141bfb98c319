"""Theorems that follow from the expected costs of a law, by the words that the library has for its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.expected_loss import Point
from costderive.publish.coq.endpoints import ends_of
from costderive.publish.coq.facts import sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting
from costderive.publish.coq.tactics import algebra_of, lemma
from costderive.publish.coq.terms import atomic

THEOREMS = ("lawful_costs", "expected_cost0", "expected_cost1", "law_is_proper")
ENDS = ("Elementary", "Properness", "Limits", "Endpoints")
INFINITE = ("AllReports", "OtherThresholds", "Mixtures")
CHARGES = ("(fun c0 _ => c0)", "(fun _ c1 => c1)", "(fun _ _ => 1)")  # the means, and the total


@dataclass(frozen=True, slots=True)
class Kind:
    """What the library calls the expectation of a kind of law, and its theorems on expected costs."""

    expectation: str
    proper: str
    strictly: str
    with_ends: str
    fair: str


AREAS = Kind(
    "over_areas areas",
    "proper_density areas",
    "strictly_proper_density areas",
    "proper_density_with_ends areas",
    "areas_are_fair areas lawful_costs",
)
MIXED = Kind(
    "expectation law",
    "proper_law law",
    "strictly_proper_of_law law",
    "proper_law_with_ends law",
    "law_is_fair law lawful_costs",
)


def expected(kind: Kind, setting: Setting) -> Iterator[str]:
    """Yield the theorems that the losses are the expected costs, from those on their pieces."""
    at_poles = [
        f"match goal with E : p = _ |- _ => rewrite E end; apply costs_at_pole{number}"
        for number, _ in enumerate(setting.poles, start=1)
    ]
    of_pieces = [f"paid_by costs_of_piece{cell.number}" for cell in setting.cells]
    found = " | ".join([*at_poles, *of_pieces])
    for label in (0, 1):
        yield lemma(
            f"expected_cost{label} p",
            f"0 < p < 1 -> {kind.expectation} (pay{label} p) (L{label} p)",
            f"intros Unit. {setting.ordered} unfold L{label}. branch; first [{found}].",
            kind="Theorem",
        )


def proper(kind: Kind) -> str:
    """Return the theorem that the losses are proper, from the law alone."""
    return lemma(
        "law_is_proper",
        "Proper L0 L1",
        f"exact ({kind.proper} L0 L1 lawful_costs expected_cost0 expected_cost1).",
        kind="Theorem",
    )


def strictly(kind: Kind, setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield theorems by name: the expected costs, whatever functions, are strictly proper where the losses are."""
    for number, low, high in _strict_intervals(setting):
        yield _strict_law(
            kind,
            number,
            f"StrictlyProperOn {low} {high} E0 E1",
            f"{setting.ordered} apply ({kind.strictly} _ _ L0 L1);"
            " [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1"
            f" | exact strictly_proper{number}].",
        )


def strictly_if_spread(setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield theorems by name: the expected costs over areas are strictly proper, by ``spread_thresholds`` alone."""
    for number, low, high in _strict_intervals(setting):
        yield _strict_law(
            AREAS,
            number,
            f"StrictlyProperOn {low} {high} E0 E1",
            f"intros Costs0 Costs1. {setting.ordered} apply (strictly_proper_if_spread areas);"
            " [exact lawful_costs | intros t T; apply spread_thresholds; lra | lra | lra"
            " | exact Costs0 | exact Costs1].",
        )


def _strict_intervals(setting: Setting) -> Iterator[tuple[str, str, str]]:
    """Yield what is added to the names of theorems, and the ends, of the intervals of strict properness."""
    for number, (low, high) in enumerate(setting.strict, start=1):
        yield "" if len(setting.strict) == 1 else str(number), atomic(low), atomic(high)


def _strict_law(kind: Kind, number: str, strict: str, *proof: str) -> tuple[str, str]:
    """Return a theorem by its name: the expected costs, whatever functions, are strictly proper."""
    name = f"law_is_strictly_proper{number}"
    return name, whatever_costs(kind, name, strict, *proof)


def whatever_costs(kind: Kind, name: str, statement: str, *proof: str) -> str:
    """Return a theorem on the expected costs of a law, whatever functions E0 and E1 they are."""
    costs = [f"(forall p, 0 < p < 1 -> {kind.expectation} (pay{k} p) (E{k} p)) ->" for k in (0, 1)]
    return lemma(f"{name} E0 E1", "\n  ".join([*costs, statement]), *proof, kind="Theorem")


def properness_by_law(setting: Setting, *, strict: bool = True) -> Section:
    """Return the section that the losses are proper, and strictly so, as the expected costs of their law are."""
    theorems = {"proper": lemma("proper", "Proper L0 L1", "exact law_is_proper.", kind="Theorem")}
    for number, low, high in _strict_intervals(setting) if strict else ():
        name, whole = f"strictly_proper{number}", (low, high) == ("0", "1")
        theorems[name] = lemma(
            name,
            "StrictlyProper L0 L1" if whole else f"StrictlyProperOn {low} {high} L0 L1",
            f"exact (law_is_strictly_proper{number} L0 L1 expected_cost0 expected_cost1).",
            kind="Theorem",
        )
    return Section(setting.name, "properness", ENDS, "\n".join(theorems.values()), tuple(theorems))


def with_ends(
    kind: Kind,
    setting: Setting,
    imports: tuple[str, ...],
    means: Sequence[Expr],
    proofs: Sequence[tuple[str, ...]],
) -> Section:
    """Return the section on the reports 0 and 1, from both means and the proofs that they are.

    Raises:
        ExportError: if a mean is infinite.
    """
    if any(value is not None and value.is_finite is False for value in ends_of(setting)):
        raise ExportError("a mean cost is infinite", "Coq gets those of lines, points and mixtures.")
    lemmas = [
        lemma(f"mean{label}", f"{kind.expectation} {CHARGES[label]} {atomic(mean)}", *proof)
        for label, (mean, proof) in enumerate(zip(means, proofs, strict=True))
    ]
    first, second = f"(extended L0 0 {atomic(means[0])})", f"(extended L1 {atomic(means[1])} 0)"
    theorem = lemma(
        "law_is_proper_with_ends",
        f"(forall p, with_ends p -> {kind.expectation} (pay0 p) ({first} p)) /\\\n"
        f"  (forall p, with_ends p -> {kind.expectation} (pay1 p) ({second} p)) /\\\n"
        f"  ProperAmong with_ends {first} {second}",
        f"exact ({kind.with_ends} L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1).",
        kind="Theorem",
    )
    return Section(setting.name, "ends", imports, "\n".join([*lemmas, theorem]), ("law_is_proper_with_ends",))


def with_infinite_ends(
    kind: Kind,
    setting: Setting,
    imports: tuple[str, ...],
    means: Mapping[int, tuple[Expr, tuple[str, ...]]],
    growth: Mapping[int, tuple[str, ...]],
) -> Section:
    """Return the section on the reports 0 and 1, from finite means, and lemmas on the losses that grow to others."""
    found = [
        lemma(f"mean{label}", f"{kind.expectation} {CHARGES[label]} {atomic(mean)}", *proof)
        for label, (mean, proof) in means.items()
    ]
    values, facts = means_with_growth({label: mean for label, (mean, _) in means.items()})
    lemmas = [*found, *(line for lines in growth.values() for line in lines)]
    return with_values(kind, setting, imports, lemmas, values, facts)


def means_with_growth(means: Mapping[int, Expr], name: str = "mean") -> tuple[list[str], list[str]]:
    """Return both means in Rbar, of which some are numbers, and what shows them: lemmas of a name, or growth."""
    values = [f"(Finite {atomic(means[label])})" if label in means else "p_infty" for label in (0, 1)]
    facts = [f"{name}{label}" if label in means else f"(conj loss{label}_grows eq_refl)" for label in (0, 1)]
    return values, facts


def with_values(
    kind: Kind,
    setting: Setting,
    imports: tuple[str, ...],
    lemmas: Iterable[str],
    values: Sequence[str],
    facts: Sequence[str],
) -> Section:
    """Return the section on the reports 0 and 1, from the values of both means in Rbar, and what shows them."""
    ends = f"(with_values L0 0 {values[0]})", f"(with_values L1 {values[1]} 0)"
    costs = [
        f"(forall p, with_ends p -> expects ({kind.expectation}) (pay{k} p) ({ends[k]} p))" for k in (0, 1)
    ]
    theorem = lemma(
        "law_is_proper_with_ends",
        " /\\\n  ".join([*costs, f"ProperOnAll {' '.join(ends)}"]),
        f"exact (proper_with_infinite_ends ({kind.expectation}) L0 L1 {' '.join(values)}",
        f"  ({kind.fair}) expected_cost0 expected_cost1 {' '.join(facts)}).",
        kind="Theorem",
    )
    text = "\n".join([*lemmas, theorem])
    return Section(setting.name, "ends", (*imports, *INFINITE), text, ("law_is_proper_with_ends",))


def vanishing(setting: Setting) -> Section:
    """Return the section that each loss vanishes where its class is certain, which follows from that on the ends."""
    certain = "vanishing_where_certain L0 L1 _ _ (proj2 (proj2 law_is_proper_with_ends))"
    lemmas = [
        lemma("loss0_starts", "tends_at_0 L0 0", f"exact (proj1 ({certain}))."),
        lemma("loss1_ends", "tends_at_1 L1 0", f"exact (proj2 ({certain}))."),
    ]
    return Section(setting.name, "endpoints", ENDS, "\n".join(lemmas), ())


def signs_of_points(known: Sequence[Point], given: Given) -> Iterator[str]:
    """Yield lemmas that known costs are positive and their probabilities not negative."""
    for number, point in enumerate(known, start=1):
        values = (point.c0, point.c1, point.probability)
        seen = [sure(x, None, given, strict=k < 2) for k, x in enumerate(values)]
        kinds = ("positive_as", "positive_as", "not_negative_as")
        proofs = " | ".join(
            f"apply ({kind} ({x.text})); [{algebra_of(value)} | see]"
            for kind, x, value in zip(kinds, seen, values, strict=True)
        )
        yield lemma(
            f"signs_of_point{number}",
            f"lawful_point (Point {' '.join(map(atomic, values))})",
            f"split; [| split]; cbn [known0 known1 probability]; [{proofs}].",
        )
