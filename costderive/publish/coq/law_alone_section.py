"""A law of costs in Coq without closed forms of what it costs: the rule is defined by its expectations.

Properness follows from the law: at each pair of costs no decision is better than the one at the belief. The expected
costs exist as they lie below a mean, and are strictly proper where each threshold has costs with a positive density.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, product

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p, s
from costderive.costs.expected_loss import Arc, ExpectedLoss, ThresholdIntegral
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq import far_terms, inverse_parameter
from costderive.publish.coq.arc_section import IMPORTS as ARCS
from costderive.publish.coq.arc_section import POWERS, as_arc, renamed
from costderive.publish.coq.area_section import lawful_each, listed
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.costs_module import law_of, letters_of
from costderive.publish.coq.factors import divisors, hints
from costderive.publish.coq.facts import records, sure
from costderive.publish.coq.law_theorems import CHARGES, MIXED, signs_of_points, whatever_costs
from costderive.publish.coq.paths import NAMES, OPENED, Path, arc_in_coq, equality
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, case_names, heading, properness_of
from costderive.publish.coq.spread_costs import IMPORTS as SPREAD
from costderive.publish.coq.spread_costs import spread_thresholds
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.total_section import refuse_multiples

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = (
    *ARCS,
    *POWERS,
    *inverse_parameter.IMPORTS,
    *far_terms.IMPORTS,
    "BetaGamma",
    "Spread",
    "LawAlone",
    *SPREAD,
)
CHANCE = NAMES.index("chance")
SIDES = ("left", "right")


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
class Strand:
    """An arc by its number, with the parameter as a function of the threshold, and the thresholds along it."""

    number: int
    arc: Arc
    inverse: Expr
    thresholds: Interval
    given: Given

    @property
    def name(self) -> str:
        """The name in Coq."""
        return self.path.name

    @cached_property
    def path(self) -> Path:
        """The arc with its costs."""
        return self._path(self.arc.c0, self.arc.c1)

    def _path(self, first: Expr, second: Expr) -> Path:
        return Path(self.number, replace(self.arc, c0=first, c1=second), ZERO, self.given)

    # -- its definition

    @cached_property
    def counted(self) -> Path | None:
        """The path that has the total of the density, if it is seen."""
        path = self._path(ONE, ONE)
        return path if _has_value(path, CHANCE) else None

    def definitions(self) -> Iterator[str]:
        """Yield the arc, and the antiderivative of its density if there is one, in Coq."""
        yield arc_in_coq(self.name, self.arc)
        if self.counted is not None:
            yield self.counted.defined(CHANCE)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return (self.name, *([] if self.counted is None else [f"{NAMES[CHANCE]}_{self.number}"]))

    def certified(self) -> Iterator[str]:
        """Yield the lemmas that it is lawful and continuous, and that the antiderivative is right."""
        yield self.path.lawful()
        yield lemma(
            f"steady_{self.name}",
            f"continuous_arc {self.name}",
            f"{OPENED[:-1]}. {self._recorded(self.arc.density)} repeat split; unfold Rpower; smooth.",
        )
        if self.counted is not None:
            yield self.counted.certified(CHANCE)

    # -- that expected costs exist

    def existence(self, shown: tuple[str, ...]) -> Iterator[str]:
        """Yield the lemmas that the expected costs along the arc exist; ``shown`` names are unfolded to read forms.

        Raises:
            ExportError: if it is not seen that the threshold rises or falls, or that a mean is finite.
        """
        yield lemma(f"settles_{self.name}", f"settles {self.name}", *self._settles())
        yield from self._mean(shown)
        facts = " ".join(f"{fact}_{self.name}" for fact in ("lawful", "steady", "settles", "mean_of"))
        yield lemma(
            f"exist_{self.name}",
            f"costs_exist_over (over_arc {self.name})",
            f"intros p Unit. exact (costs_exist_along {self.name} p Unit {facts}).",
        )

    def _recorded(self, *formulas: Expr) -> str:
        """Return the tactics that record that what formulas divide by is positive along the arc."""
        parts = divisors((self.arc.c0, self.arc.c1, *formulas), self.path.on, self.given)
        return " ".join(records([part for part in parts if part.has(x)], None, self.path.within))

    def _settles(self) -> Iterator[str]:
        ratio = sympy.factor(sympy.simplify(self.arc.c0 / self.arc.c1))
        slope = sympy.factor(sympy.simplify(sympy.diff(ratio, x)))
        rises, seen = self._sign_of(slope)
        written = "; ".join(hints((ratio, slope, self.arc.c0, self.arc.c1), self.path.on, self.given))
        equal = f"equal_exponentials_by ltac:({written or 'idtac'})"
        functions = f"(fun x => {term(ratio)}) (fun x => {term(slope)}) {'true' if rises else 'false'}"
        opened = f"{OPENED[:-1]}. {self._recorded(ratio, slope)}".rstrip()
        yield f"apply (settles_by {self.name} {functions} lawful_{self.name})."
        yield f"- {opened} {equal}."
        yield f"- {opened} split; [unfold Rpower; auto_derive; [see | {equal}] |"
        yield f"    apply (not_negative_as ({seen})); [equal_exponentials | see]]."

    def _sign_of(self, slope: Expr) -> tuple[bool, str]:
        with suppress(ExportError):
            return True, sure(slope, None, self.path.within, strict=False).text
        return False, sure(-slope, None, self.path.within, strict=False).text

    def _mean(self, shown: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lemmas that a mean is finite, in the first way in which that is seen."""
        by_value = partial(self._by_value, shown)
        ways = (self._by_bounds, partial(by_value, plain=True), self._by_continuity, by_value)
        found = next((lines for way in ways for lines in way()), None)
        if found is None:
            raise ExportError("no mean is seen to be finite", "Coq needs that of one of both costs.")
        *lines, proof = found
        return (*lines, lemma(f"mean_of_{self.name}", f"has_a_mean {self.name}", proof))

    def _by_value(self, shown: tuple[str, ...], *, plain: bool = False) -> Iterator[tuple[str, ...]]:
        for k, path in enumerate((self._path(self.arc.c0, ONE), self._path(ONE, self.arc.c1))):
            if _has_value(path, k) and not (plain and (path.far[k] or path.inverses[k])):
                yield (
                    path.defined(k),
                    _reads((*shown, f"{NAMES[k]}_{self.number}"), "::="),
                    path.certified(k),
                    f"{SIDES[k]}; eexists; exact ({path.mean_of(k)}).",
                )

    def _by_bounds(self) -> Iterator[tuple[str, ...]]:
        ends = (self.arc.low, self.arc.high) if self.counted is not None else ()
        for (k, cost), end in product(enumerate((self.arc.c0, self.arc.c1)), ends):
            bound = cost.subs(x, end)
            with suppress(ExportError):
                yield (
                    self._bounded(k, bound, sure(bound - cost, None, self.path.within, strict=False).text),
                )

    def _bounded(self, k: int, bound: Expr, gap: str) -> str:
        assert self.counted is not None
        facts = f"lawful_{self.name} steady_{self.name} ({self.counted.mean_of(CHANCE)})"
        return (
            f"apply (mean_by_bound {self.name} {atomic(bound)} _ {facts}); {SIDES[k]}; {OPENED}"
            f" apply (below_by ({gap})); [equal_exponentials | see]."
        )

    def _by_continuity(self) -> Iterator[tuple[str, ...]]:
        for k, cost in enumerate((self.arc.c0, self.arc.c1)):
            paid = cost * self.arc.density
            with suppress(ExportError):
                known = " ".join(self._positive_to_the_ends(_divided(paid)))
                facts = f"{self.name} {atomic(self.arc.high)} eq_refl lawful_{self.name}"
                opened = "intros x (From & Upto); arcs_read."
                yield (
                    f"apply (mean_by_continuity {facts}); {SIDES[k]}. {opened} {known} unfold Rpower; smooth.",
                )

    def _positive_to_the_ends(self, parts: list[Expr]) -> Iterator[str]:
        """Yield tactics that record that parts are positive along the arc and at its ends."""
        low, high = self.arc.low, self.arc.high
        within = self.given.also(positive=(x - low,), nonnegative=(high - x,))
        for number, part in enumerate(parts, start=1):
            seen = sure(part, None, within).text, sure(part.subs(x, low), None, self.given).text
            proofs = " | ".join(f"apply (positive_as ({text})); [algebra | see]" for text in seen)
            cases = "destruct (Rle_lt_or_eq_dec _ _ From) as [More | <-]"
            yield f"assert (positive{number} : 0 < {term(part)}) by ({cases}; [{proofs}])."

    # -- strictness

    def attained(self, low: Expr, high: Expr) -> str:
        """Return the tactics that a threshold between two ones, written ``p``, is attained along the arc.

        Raises:
            ExportError: if that is not seen.
        """
        on, at = Interval(p, low, high), self.inverse
        if at.has(x) or not all(_reaches(self.thresholds, end) for end in (low, high)):
            raise ExportError("the parameter of a threshold has no closed form", "Coq needs it.")
        inside = [at, at - self.arc.low, *([] if self.arc.high is sympy.oo else [self.arc.high - at])]
        order = [
            f"apply (strictly_below_by ({sure(gap, on, self.given).text})); [algebra | see]" for gap in inside
        ]
        order += ["exact I"] if self.arc.high is sympy.oo else []
        costs = [part.subs(x, at) for part in (self.arc.c0, self.arc.c1)]
        density = sure(self.arc.density.subs(x, at), on, self.given).text
        written = "; ".join(hints((*costs, at), on, self.given)) or "idtac"
        return (
            f"exists {atomic(at)}. arcs_read. split; [split; [{order[0]} | split; [{order[1]} | {order[2]}]] | split;"
            f" [equal_exponentials_by ltac:({written}) | apply (positive_as ({density})); [equal_exponentials | see]]]."
        )


def _reads(shown: tuple[str, ...], sign: str) -> str:
    """Return the tactic that reads closed forms, which a sign defines, or defines again."""
    return f"Ltac arcs_read {sign} cbv beta iota delta [{' '.join(shown)}] in *; reading_arcs."


def _has_value(path: Path, number: int) -> bool:
    try:
        path.defined(number)
        path.certified(number)
        return path.value(number).is_finite is not False
    except ExportError:
        return False


def _divided(formula: Expr) -> list[Expr]:
    """Return what a formula divides by, or has a power or a logarithm of that is not continuous at 0."""
    nodes = list(sympy.preorder_traversal(formula))
    powers = [
        node.base for node in nodes if node.is_Pow and (node.exp.is_negative or not node.exp.is_Integer)
    ]
    logarithms = [node.args[0] for node in nodes if isinstance(node, sympy.log)]
    return [part for part in dict.fromkeys([*powers, *logarithms]) if part.has(x)]


def _reaches(on: Interval, end: Expr) -> bool:
    return bool(sympy.simplify(on.low - end) <= 0) and bool(sympy.simplify(end - on.high) <= 0)


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
        return Section(self.name, part, IMPORTS, "\n".join(lemmas), theorems)

    # -- the law

    def law(self) -> Section:
        """Return the section on the law: no density is negative, and the expected costs are proper.

        Raises:
            ExportError: if a density has no form in Coq, or its sign is not visible.
        """
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
        yield _reads(self._shown, ":=")

    @property
    def _shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return ("arcs", *chain.from_iterable(arc.shown for arc in self.arcs))

    def _lawful(self) -> Iterator[str]:
        law = self._law
        yield from lawful_each(law.areas, self.given)
        yield from chain.from_iterable(arc.certified() for arc in self.arcs)
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
            ExportError: if there are areas, or a mean along an arc is not seen to be finite.
        """
        if self._law.areas:
            raise ExportError("costs are spread over areas", "Coq would have to see their integrals.")
        lemmas = [*chain.from_iterable(arc.existence(self._shown) for arc in self.arcs), self._exist()]
        return self._section("existence", lemmas, "costs_exist")

    def _exist(self) -> str:
        along = _of_each([f"exist_{arc.name}" for arc in self.arcs])
        costs = [f"(forall p, 0 < p < 1 -> expectation law (pay{k} p) (E{k} p))" for k in (0, 1)]
        return lemma(
            "costs_exist",
            f"exists E0 E1, {costs[0]} /\\\n  {costs[1]} /\\ Proper E0 E1",
            f"apply (costs_exist_and_are_proper law lawful_costs); [exact exist_over_no_areas | {along}].",
            kind="Theorem",
        )

    def strictness(self) -> Section:
        """Return the section that the expected costs are strictly proper between thresholds of some costs.

        Raises:
            ExportError: if it is not seen that each threshold between them has costs with a positive density.
        """
        areas = self._law.areas
        spread = [*spread_thresholds(areas, self.given, *self._all_of_it)] if areas else []
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


def _of_each(names: list[str]) -> str:
    """Return the tactic that shows what holds of each thing in a list by the lemmas on them."""
    return " ".join(
        [*[f"apply List.Forall_cons; [exact {name} |];" for name in names], "apply List.Forall_nil"]
    )
