"""From a density of both costs to the rule in Coq: its losses are iterated integrals of what a decision costs.

For each report c0 is integrated first, up to or from the ray on which the threshold is the report, and then c1, strip
after strip. The losses that the derivation found through a threshold weight are so found again without one.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.symbols import c0, c1, p
from costderive.costs.expected_loss import Area, ExpectedLoss
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.area_integral import AreaIntegral, Payment
from costderive.publish.coq.facts import sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

BESIDE = (
    "Elementary",
    "Properness",
    "Limits",
    "Endpoints",
    "Atoms",
    "ExpectedLoss",
    "Costs",
    "Weights",
    "Areas",
)
THEOREMS = ("lawful_costs", "expected_cost0", "expected_cost1", "law_is_proper")
RAY = p * c1 / (1 - p)
CHARGED = (Payment("pay0 p", c0, RAY, below=True), Payment("pay1 p", c1, RAY, below=False))
WHOLE = Payment("(fun _ _ => 1)", sympy.S.One, None)
MEANS = (Payment("(fun c0 _ => c0)", c0, None), Payment("(fun _ c1 => c1)", c1, None))


def densities(derivation: Derivation) -> tuple[Section, ...]:
    """Return the densities of each case with their regions, for the sections that follow; none without areas.

    Raises:
        ExportError: if a density has no form in Coq, or a letter that the rule has not.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_densities(setting, found) for setting, case in cases if (found := areas_of(case)))


def areas_of(case: Case) -> tuple[Area, ...]:
    """Return the areas over which the costs of a case are spread."""
    found = next((x.after for x in case.steps if isinstance(x.after, ExpectedLoss)), None)
    return () if found is None else found.areas


def _densities(setting: Setting, areas: tuple[Area, ...]) -> Section:
    letters = set().union(*[x.free_symbols for area in areas for x in (area.density, *area.constraints)])
    if not letters <= {c0, c1, *setting.parameters}:
        raise ExportError("the costs have a parameter that the rule has not", "Give it a number.")
    lines = [_definition(k, area) for k, area in enumerate(areas, start=1)]
    listed = "; ".join(f"area{k}" for k, _ in enumerate(areas, start=1))
    lines.append(f"Definition areas : list area := [{listed}].")
    return Section(setting.name, "densities", ("Elementary", "Weights"), "\n".join(lines), ())


def _definition(k: int, area: Area) -> str:
    region = "; ".join(term(x) for x in area.constraints)
    density = term(sympy.powsimp(area.density, combine="exp"))
    return f"Definition area{k} : area := Area\n  (fun c0 c1 => {density})\n  (fun c0 c1 => [{region}])."


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the losses are the expected costs.

    Raises:
        ExportError: if there are costs on curves or points besides, a region has sides that are not lines, there is
            no elementary antiderivative, or the order of two bounds is not visible.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_section(setting, only_areas(case)) for setting, case in cases if areas_of(case))


def only_areas(case: Case) -> tuple[Area, ...]:
    """Return the areas of a case that has no other costs.

    Raises:
        ExportError: if it has.
    """
    found = next(x.after for x in case.steps if isinstance(x.after, ExpectedLoss))
    if found.lines or found.arcs or found.points:
        raise ExportError("there are costs on curves or points beside areas", "Coq gets either alone.")
    return found.areas


def _section(setting: Setting, areas: tuple[Area, ...]) -> Section:
    lemmas = [
        *_lawful(setting, areas),
        *[text for label in (0, 1) for cell in setting.cells for text in _piece(setting, areas, label, cell)],
        *[_expected(setting, label) for label in (0, 1)],
        lemma(
            "law_is_proper",
            "Proper L0 L1",
            "exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1).",
            kind="Theorem",
        ),
    ]
    strict = dict(_strictly(setting))
    text = "\n".join([*lemmas, *strict.values()])
    return Section(setting.name, "law", BESIDE, text, (*THEOREMS, *strict))


def _strictly(setting: Setting) -> Iterator[tuple[str, str]]:
    """Whatever functions the expected costs are, they are strictly proper where the losses are, which they equal."""
    for number, (low, high) in enumerate(setting.strict, start=1):
        which = "" if len(setting.strict) == 1 else str(number)
        ends = f"{atomic(low)} {atomic(high)}"
        name = f"law_is_strictly_proper{which}"
        yield (
            name,
            lemma(
                f"{name} E0 E1",
                "(forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->\n"
                "  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) ->\n"
                f"  StrictlyProperOn {ends} E0 E1",
                "intros Costs0 Costs1.",
                *_orders(setting),
                f"apply (strictly_proper_density areas {ends} L0 L1 E0 E1); try assumption; try lra.",
                "- exact lawful_costs.",
                "- exact expected_cost0.",
                "- exact expected_cost1.",
                f"- exact strictly_proper{which}.",
                kind="Theorem",
            ),
        )


def _orders(setting: Setting) -> list[str]:
    return [f"pose proof order{cell.number}." for cell in setting.cells]


def _lawful(setting: Setting, areas: tuple[Area, ...]) -> Iterator[str]:
    for k, area in enumerate(areas, start=1):
        held = " & ".join(f"Held{number}" for number, _ in enumerate(area.constraints))
        seen = sure(area.density, None, setting.given.also(nonnegative=area.constraints), strict=False)
        yield lemma(
            f"lawful_area{k}",
            f"lawful_area area{k}",
            f"intros c0 c1 Positive0 Positive1. cbn [region density area{k} hold]. intros ({held} & _).",
            f"apply (not_negative_as ({seen.text})); [equal_exponentials | see].",
        )
    yield lemma(
        "lawful_costs",
        "lawful_areas areas",
        "repeat apply List.Forall_cons; try apply List.Forall_nil.",
        *[f"- exact lawful_area{k}." for k, _ in enumerate(areas, start=1)],
        kind="Theorem",
    )


def _piece(setting: Setting, areas: tuple[Area, ...], label: int, cell: Cell) -> Iterator[str]:
    """The expected costs of a class for the reports of a piece: area by area, and then all together."""
    found = [
        AreaIntegral(
            f"area{k}",
            area,
            CHARGED[label],
            f"area{k}_cost{label}_of_piece{cell.number}",
            cell.on,
            setting.given,
        )
        for k, area in enumerate(areas, start=1)
    ]
    value = cell.formulas[label]
    values = [value] if len(found) == 1 else [integral.value for integral in found]
    for integral, own in zip(found, values, strict=True):
        yield from integral.lemmas(own)
    yield lemma(
        f"cost{label}_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} -> over_areas areas (pay{label} p) {atomic(value)}",
        "intros Unit Start Stop.",
        *_added(found, values, value, "p Unit Start Stop"),
    )


def _added(found: list[AreaIntegral], values: list[Expr], value: Expr, arguments: str) -> Iterator[str]:
    """Add the areas up, one after the other, and compare their sum with a value."""
    texts = [atomic(x) for x in values]
    sums = ["0"]
    for text in reversed(texts):
        sums.insert(0, f"({text} + {sums[0]})")
    yield f"replace {atomic(value)} with {sums[0]} by algebra."
    for integral, text, others in zip(found, texts, sums[1:], strict=True):
        yield f"apply (one_area _ _ _ {text} {others}); [exact ({integral.name} {arguments}) | | reflexivity]."
    yield "reflexivity."


def _expected(setting: Setting, label: int) -> str:
    pieces = " | ".join(f"simple apply cost{label}_of_piece{cell.number}; lra" for cell in setting.cells)
    return lemma(
        f"expected_cost{label} p",
        f"0 < p < 1 -> over_areas areas (pay{label} p) (L{label} p)",
        "intros Unit.",
        *_orders(setting),
        f"unfold L{label}. branch; first [{pieces}].",
        kind="Theorem",
    )


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the reports 0 and 1, which cost the means.

    Raises:
        ExportError: as `sections`, and if a mean is infinite.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_ends(setting, only_areas(case)) for setting, case in cases if areas_of(case))


def _ends(setting: Setting, areas: tuple[Area, ...]) -> Section:
    means, lemmas = [], []
    for label, payment in enumerate(MEANS):
        found = _integrals(setting, areas, payment, f"mean{label}_of_area")
        values = [integral.value for integral in found]
        means.append(sympy.factor(sympy.Add(*values)))
        lemmas += [text for integral, own in zip(found, values, strict=True) for text in integral.lemmas(own)]
        statement = f"over_areas areas {payment.name} {atomic(means[-1])}"
        lemmas.append(lemma(f"mean{label}", statement, *_added(found, values, means[-1], "")))
    first, second = f"(extended L0 0 {atomic(means[0])})", f"(extended L1 {atomic(means[1])} 0)"
    lemmas.append(
        lemma(
            "law_is_proper_with_ends",
            f"(forall p, with_ends p -> over_areas areas (pay0 p) ({first} p)) /\\\n"
            f"  (forall p, with_ends p -> over_areas areas (pay1 p) ({second} p)) /\\\n"
            f"  ProperAmong with_ends {first} {second}",
            "exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1).",
            kind="Theorem",
        )
    )
    return Section(setting.name, "ends", BESIDE, "\n".join(lemmas), ("law_is_proper_with_ends",))


def _integrals(setting: Setting, areas: tuple[Area, ...], payment: Payment, name: str) -> list[AreaIntegral]:
    """Return the integrals of a payment that no report decides, over each area."""
    return [
        AreaIntegral(f"area{k}", area, payment, f"{name}{k}", None, setting.given)
        for k, area in enumerate(areas, start=1)
    ]


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas: the total of the density is 1.

    Raises:
        ExportError: as `sections`.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_total(setting, only_areas(case)) for setting, case in cases if areas_of(case))


def _total(setting: Setting, areas: tuple[Area, ...]) -> Section:
    found = _integrals(setting, areas, WHOLE, "total_of_area")
    values = [sympy.S.One] if len(found) == 1 else [integral.value for integral in found]
    lemmas = [text for integral, own in zip(found, values, strict=True) for text in integral.lemmas(own)]
    whole = lemma(
        "total_is_1",
        "has_total_of_areas areas 1",
        *_added(found, values, sympy.S.One, ""),
        kind="Theorem",
    )
    return Section(setting.name, "total", BESIDE, "\n".join([*lemmas, whole]), ("total_is_1",))
