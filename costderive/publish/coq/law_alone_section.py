"""A law of costs in Coq without closed forms of what it costs: the rule is defined by its expectations.

Properness follows from the law: at each pair of costs no decision is better than the one at the belief. The expected
costs exist as they lie below a mean, and are strictly proper where each threshold has costs with a positive density.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p, s
from costderive.costs.expected_loss import ExpectedLoss, ThresholdIntegral
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq import far_terms, inverse_parameter
from costderive.publish.coq.arc_section import IMPORTS as ARCS
from costderive.publish.coq.arc_section import POWERS, as_arc, renamed
from costderive.publish.coq.area_section import lawful_each, listed
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.costs_module import law_of, letters_of
from costderive.publish.coq.facts import sure
from costderive.publish.coq.law_theorems import CHARGES, MIXED, signs_of_points, whatever_costs
from costderive.publish.coq.paths import equality
from costderive.publish.coq.section import Section
from costderive.publish.coq.separate_costs import IMPORTS as SEPARATE
from costderive.publish.coq.separate_costs import SeparateCosts
from costderive.publish.coq.setting import Setting, case_names, heading, properness_of
from costderive.publish.coq.strands import CHANCE, Strand, reads
from costderive.publish.coq.sum_of_products import SumOfProducts, costs_of_areas
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic
from costderive.publish.coq.total_section import refuse_multiples

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = (*ARCS, "Spread", "LawAlone")
FAR = (*far_terms.IMPORTS, "BetaGamma")
NEEDED = {  # files of the library, by words of a text that need them
    POWERS: ("positive_power",),
    inverse_parameter.IMPORTS: ("inverse_by",),
    FAR: ("far_by", "equal_far", "erf", "gamma", "Gamma", "beta", "exponential_integral"),
    SEPARATE: ("two_are_spread", "separate_costs_exist", "product_of"),
}


def laws(derivation: Derivation) -> tuple[LawAlone, ...]:
    """Return the laws of the cases of a derivation that concludes that a rule is proper.

    Raises:
        ExportError: if it concludes something else, or comes from losses.
    """
    return tuple(map(_law, derivation.cases, case_names(derivation)))


def _law(case: Case, name: str) -> LawAlone:
    law, strict = law_of(case), properness_of(case).strict
    found = next((step.after for step in case.steps if isinstance(step.after, ThresholdIntegral)), None)
    strands = () if found is None else found.strands
    along = [
        (renamed(arc), strand.inverse.subs(s, p), Interval(p, strand.piece.low, strand.piece.high))
        for arc, strand in zip(law.arcs, strands, strict=True)
    ]
    along += [(as_arc(line), p, Interval(p, line.low, line.high)) for line in law.lines]
    arcs = tuple(Strand(k, *found, case.given) for k, found in enumerate(along, start=1))
    return LawAlone(name, case, arcs, strict)


@dataclass(frozen=True)
class LawAlone:
    """The law of a case: areas, arcs and points."""

    name: str
    case: Case
    arcs: tuple[Strand, ...]
    strict: tuple[tuple[Expr, Expr], ...]

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def module(self) -> tuple[str, str, str]:
        """The name of the case, and the text that opens and closes its module."""
        assumed = Assumptions(self._parameters, self.given)
        return self.name, "\n".join([*heading(self.name, assumed), ""]), f"End Case.\nEnd {self.name}."

    def fits(self, setting: Setting) -> bool:
        """Return whether the module of the rule has all letters of the law."""
        return set(self._parameters) <= set(setting.parameters)

    @property
    def _parameters(self) -> tuple[Symbol, ...]:
        letters = set(self._letters) - {c0, c1, s} - {arc.variable for arc in self._law.arcs}
        if x in letters:
            raise ExportError("a parameter is named x", "Coq gets the parameter of an arc by that name.")
        return tuple(sorted(letters, key=str))

    @property
    def _law(self) -> ExpectedLoss:
        return law_of(self.case)

    @property
    def _letters(self) -> Iterator[Symbol]:
        yield from letters_of(self._law)
        for fact in (*self.given.positive, *self.given.nonnegative, *chain.from_iterable(self.strict)):
            yield from fact.free_symbols

    def _section(self, part: str, lemmas: Iterable[str], *theorems: str) -> Section:
        text = "\n".join(lemmas)
        more = (names for names, words in NEEDED.items() if any(word in text for word in words))
        return Section(self.name, part, (*IMPORTS, *chain.from_iterable(more)), text, theorems)

    # -- the law

    def law(self) -> Section:
        """Return the section on the law: no density is negative, and the expected costs are proper.

        Raises:
            ExportError: if a density has no form in Coq, or its sign is not visible.
        """
        for area in self._law.areas:
            _refuse_split_powers(area.density)
        theorem = whatever_costs(
            MIXED, "costs_are_proper", "Proper E0 E1", "exact (proper_law law E0 E1 lawful_costs)."
        )
        lemmas = [*self._definitions(), *self._lawful(), theorem]
        return self._section("law", lemmas, "lawful_costs", "costs_are_proper")

    def _definitions(self) -> Iterator[str]:
        law = self._law
        points = "; ".join(f"Point {atomic(a.c0)} {atomic(a.c1)} {atomic(a.probability)}" for a in law.points)
        yield from listed(law.areas)
        yield from chain.from_iterable(arc.definitions() for arc in self.arcs)
        yield f"Definition arcs : list arc := [{'; '.join(arc.name for arc in self.arcs)}]."
        yield f"Definition points : list point := [{points}]."
        yield "Definition law : law_of_costs := Law areas arcs points."
        yield reads(self._shown, ":=")

    @property
    def _shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return ("arcs", *chain.from_iterable(arc.shown for arc in self.arcs))

    def _lawful(self) -> Iterator[str]:
        law = self._law
        yield from lawful_each(law.areas, self.given)
        yield from chain.from_iterable(arc.certified() for arc in self.arcs)
        yield from self.separate.lemmas() if self.separate is not None else ()
        yield from signs_of_points(law.points, self.given)
        names = [
            [f"lawful_area{k}" for k, _ in enumerate(law.areas, start=1)],
            [f"lawful_{arc.name}" for arc in self.arcs],
            [f"signs_of_point{k}" for k, _ in enumerate(law.points, start=1)],
        ]
        steps = [_of_each(each) for each in names]
        yield lemma(
            "lawful_costs",
            "lawful_law law",
            f"split; [{steps[0]} | split; [{steps[1]} | {steps[2]}]].",
            kind="Theorem",
        )

    # -- what follows

    def existence(self) -> Section:
        """Return the section that the expected costs exist.

        Raises:
            ExportError: if costs over areas depend on each other, or a mean is not seen to be finite.
        """
        over = [*self._separate().existence(self._shown)] if self._law.areas else []
        along = chain.from_iterable(arc.existence(self._shown) for arc in self.arcs)
        lemmas = [*along, *over, self._exist()]
        return self._section("existence", lemmas, "costs_exist")

    def _exist(self) -> str:
        along = _of_each([f"exist_{arc.name}" for arc in self.arcs])
        over = "exist_over_areas" if self._law.areas else "exist_over_no_areas"
        costs = [f"(forall p, 0 < p < 1 -> expectation law (pay{k} p) (E{k} p))" for k in (0, 1)]
        return lemma(
            "costs_exist",
            f"exists E0 E1, {costs[0]} /\\\n  {costs[1]} /\\ Proper E0 E1",
            f"apply (costs_exist_and_are_proper law lawful_costs); [exact {over} | {along}].",
            kind="Theorem",
        )

    def strictness(self) -> Section:
        """Return the section that the expected costs are strictly proper between thresholds of some costs.

        Raises:
            ExportError: if it is not seen that each threshold between them has costs with a positive density.
        """
        spread = [*self._separate().spread(*self._all_of_it)] if self._law.areas else []
        lemmas = [*spread, *[self._between(k, *ends) for k, ends in enumerate(self.strict, start=1)]]
        theorems = dict(self._strictly(k, *ends) for k, ends in enumerate(self.strict, start=1))
        if not theorems:
            raise ExportError("no interval of strict properness is concluded", "See the verdict.")
        return self._section("strictness", [*lemmas, *theorems.values()], *theorems)

    def _between(self, number: int, low: Expr, high: Expr) -> str:
        within = f"{atomic(low)} < p < {atomic(high)}"
        return lemma(f"attained{number} p", f"{within} -> attained p law", *self._attained(low, high))

    def _strictly(self, number: int, low: Expr, high: Expr) -> tuple[str, str]:
        name = "costs_are_strictly_proper" + ("" if len(self.strict) == 1 else str(number))
        ends = f"{atomic(low)} {atomic(high)}"
        least, greatest = (sure(gap, None, self.given, strict=False).text for gap in (low, 1 - high))
        return name, whatever_costs(
            MIXED,
            name,
            f"StrictlyProperOn {ends} E0 E1",
            f"apply (strictly_proper_if_attained law {ends} E0 E1 lawful_costs);",
            f"  [apply (not_negative_as ({least})); [algebra | see] | apply (below_by ({greatest})); [algebra | see]",
            f"  | exact attained{number}].",
        )

    @cached_property
    def separate(self) -> SeparateCosts | SumOfProducts | None:
        """The densities of both costs, if they are a product or a sum of such and nothing is beside them."""
        return None if self.arcs else costs_of_areas(self._law.areas, self.given)

    def _separate(self) -> SeparateCosts | SumOfProducts:
        if self.separate is None:
            raise ExportError(
                "costs over an area depend on each other", "Coq would have to see their integrals."
            )
        return self.separate

    @property
    def _all_of_it(self) -> tuple[Expr, Expr]:
        """The interval of strict properness.

        Raises:
            ExportError: if there are several, or none.
        """
        if len(self.strict) != 1:
            raise ExportError("a rule is not strictly proper in one interval", "Coq gets one over an area.")
        return self.strict[0]

    def _attained(self, low: Expr, high: Expr) -> Iterator[str]:
        if self._law.areas:
            yield "intros Within. left. exact (spread_thresholds p Within)."
            return
        for k, arc in enumerate(self.arcs):
            with suppress(ExportError):
                proof = arc.attained(low, high)
                later = "apply List.Exists_cons_tl; " * k
                yield f"intros Within. right. {later}apply List.Exists_cons_hd. split; [exact steady_{arc.name} |]."
                yield proof
                return
        raise ExportError("a threshold is not seen to be that of some costs", "Coq needs them.")

    def total(self) -> Section:
        """Return the section that the total of the law is 1.

        Raises:
            ExportError: if there are areas, or the total along an arc has no closed form that Coq sees.
        """
        paths = [arc.counted for arc in self.arcs]
        if self._law.areas or None in paths:
            raise ExportError("a total has no closed form that Coq sees", "It is left out.")
        counted = [path for path in paths if path is not None]
        probabilities = [point.probability for point in self._law.points]
        refuse_multiples(sympy.Add(*[path.value(CHANCE) for path in counted], *probabilities))
        proof = "(eq_refl : over_arcs nil _ 0)"
        for path in reversed(counted):
            proof = f"(one_arc {path.name} _ _ _ _ _ ({path.mean_of(CHANCE)}) {proof} eq_refl)"
        written = "; ".join(hint for path in counted for hint in path.hints_at_the_ends()) or "idtac"
        theorem = lemma(
            "total_is_1",
            f"expectation law {CHARGES[CHANCE]} 1",
            f"refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) {proof} _);",
            "unfold points; cbn [on_points known0 known1 probability]; arcs_read; cbn [polynomial];",
            f"  {equality(counted)} ltac:({written}).",
            kind="Theorem",
        )
        return self._section("total", [theorem], "total_is_1")


def _refuse_split_powers(density: Expr) -> None:
    """Refuse powers of numbers by sums with letters, such as ``3^(b - 1)``, of which a sign is seen in another form."""
    if any(
        node.base.is_number and node.exp.is_Add and node.exp.free_symbols for node in density.atoms(sympy.Pow)
    ):
        raise ExportError(
            "a density has a power of a number by a sum of letters", "Give the letters numbers."
        )


def _of_each(names: list[str]) -> str:
    """Return the tactic that shows what holds of each thing in a list by the lemmas on them."""
    return " ".join(
        [*[f"apply List.Forall_cons; [exact {name} |];" for name in names], "apply List.Forall_nil"]
    )
