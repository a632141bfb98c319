"""Costs of which one part is held, in Coq: their expectation is that at a value of the part, over all its values.

The costs at a value have a law in a module before the rule, in which the part is a letter. Properness follows from that
law and the density of the part alone, strict properness from the losses at a value (``library/HeldPart.v``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import dropwhile

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Sign
from costderive.core.symbols import c0, c1
from costderive.costs.contexts import HeldPart
from costderive.costs.expected_loss import Arc
from costderive.costs.laws import Spread, x
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.moves import TakeMeanOverPart
from costderive.proof.claims import Case, Step
from costderive.publish.coq import far_terms
from costderive.publish.coq.arc_section import IMPORTS as ARCS
from costderive.publish.coq.area_section import areas_of, densities
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.costs_module import CostsModule, expectation_of_costs, law_of, letters_of
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.own_threshold import before
from costderive.publish.coq.paths import Path, equality
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import case_names
from costderive.publish.coq.tactics import ERRORS, lemma
from costderive.publish.coq.terms import atomic, identifier, identifiers, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = (*ARCS, "Spread", "OtherThresholds", "Mixtures", "HeldPart")
EVERYWHERE = ((ZERO, ONE),)
MEANS, STRICT, TOTAL = "means over the part in closed form", "strict properness", "total"
NAME = "held"  # of the module on the costs at a value of the part


def at_a_value(derivation: Derivation) -> Derivation:
    """Return the derivation of the costs at a value of the part, up to their losses."""
    cases = tuple(before(_takes_mean, case, _strict(case)) for case in derivation.cases)
    return replace(derivation, context=_held(derivation).context, cases=cases)


def of_whole(derivation: Derivation) -> Derivation:
    """Return the derivation from the means over the part on; the part is no letter of the rule."""
    return replace(derivation, cases=tuple(_after(case, _held(derivation).held) for case in derivation.cases))


def _after(case: Case, held: Symbol) -> Case:
    steps = tuple(dropwhile(lambda step: not _takes_mean(step), case.steps))
    return Case(case.given.without(held), steps[1:])


def _takes_mean(step: Step) -> bool:
    return isinstance(step.move, TakeMeanOverPart)


def _strict(case: Case) -> tuple[tuple[Expr, Expr], ...]:
    """Return where the losses at a value are strictly proper, if that is everywhere by one formula for the weight."""
    found = next(step.before for step in case.steps if _takes_mean(step))
    return EVERYWHERE if found.weight.signs == (Sign.POSITIVE,) else ()


def _held(derivation: Derivation) -> HeldPart:
    assert isinstance(derivation.context, HeldPart)
    return derivation.context


@dataclass(frozen=True, slots=True)
class AtValue:
    """What the module on the costs at a value of the part has, with its letters, of which the part is one.

    There are losses, functions of the report, unless the law is known by its density alone, and tactics that put on
    record what is positive in them; ``total`` and ``strict`` say whether it has the total of that law, and that the
    losses are strictly proper, by one formula each.
    """

    name: str
    parameters: tuple[Symbol, ...]
    expectation: str
    losses: tuple[str, str] | None = None
    recorded: tuple[str, ...] = ()
    total: bool = False
    strict: bool = False


def with_losses(module: CostsModule, *, total: bool) -> AtValue:
    """Return what a module has that starts from the law and has its expected costs."""
    setting = module.setting
    strict = len(setting.cells) == 1 and setting.strict == EVERYWHERE
    losses = module.loss(0), module.loss(1)
    (cell, *others) = setting.cells
    recorded = () if others else tuple(positives(cell.formulas[:2], cell.on, setting.given))
    return AtValue(setting.name, setting.parameters, module.expectation, losses, recorded, total, strict)


@dataclass(frozen=True, slots=True)
class Densities:
    """A module on costs at a value whose law is known by its density alone."""

    name: str
    case: Case

    @property
    def letters(self) -> set[Symbol]:
        """The letters in the law."""
        return {letter for letter in letters_of(law_of(self.case)) if letter not in (c0, c1)}

    @property
    def assumptions(self) -> Assumptions:
        """What is assumed of all letters."""
        facts = (*self.case.given.positive, *self.case.given.nonnegative)
        found = self.letters.union(*[fact.free_symbols for fact in facts])
        return Assumptions(tuple(sorted(found, key=str)), self.case.given)

    def chapter(self) -> tuple[str, str, str]:
        """Return the name of the module, with what opens and what closes it."""
        lines = [
            f"Module {self.name}.",
            *self.assumptions.conditions(),
            "Section Case.",
            *self.assumptions.variables(),
        ]
        return self.name, "\n".join([*lines, ""]), f"End Case.\nEnd {self.name}."

    def sections(self) -> tuple[Section, ...]:
        """Return that the law is one, and its expectation.

        Raises:
            ExportError: if there are costs on curves or points, or the sign of a density is not visible.
        """
        areas = areas_of(self.case)
        if not areas:
            raise ExportError("no costs at a value of the part are spread over areas", "Coq gets these.")
        law = densities(self.name, areas, self.case.given)
        return law, expectation_of_costs(self.name, self.case, fairly=True)

    def at_value(self) -> AtValue:
        """Return what the module has."""
        own = " ".join([f"{self.name}.priced", *identifiers(self.letters)])
        return AtValue(self.name, self.assumptions.parameters, own)


# ---- all values


def unproved(derivation: Derivation, values: Iterable[AtValue]) -> tuple[str, ...]:
    """Return what is not written of the losses: that they are means at all, or that closed forms are."""
    if any(at.losses is None for at in values):
        return ("expected costs",)
    found = [losses(case) for case in derivation.cases]
    closed = [
        not piece.value.has(sympy.Integral)
        for pair in found
        for loss in (pair.loss0, pair.loss1)
        for piece in loss
    ]
    return (MEANS,) if any(closed) else ()


def wholes(derivation: Derivation, values: Iterable[AtValue]) -> tuple[Whole, ...]:
    """Return the law of each case, from what is known at a value."""
    held = _held(derivation)
    return tuple(
        Whole(case, name, held, at)
        for case, name, at in zip(derivation.cases, case_names(derivation), values, strict=True)
    )


@dataclass(frozen=True)
class Whole:
    """The law of the costs of a case over all values of the part."""

    case: Case
    name: str
    held: HeldPart
    at: AtValue

    @property
    def given(self) -> Given:
        """What is known of the letters, without the part."""
        return self.case.given.without(self.held.held)

    @property
    def part(self) -> Spread:
        """The density of the part.

        Raises:
            ExportError: if it has several.
        """
        if len(self.held.spreads) > 1:
            raise ExportError("the part has a density in pieces", "Coq gets parts with one density.")
        return self.held.spreads[0]

    @property
    def letter(self) -> str:
        """The part in Coq."""
        return identifier(self.held.held)

    @property
    def assumptions(self) -> Assumptions:
        """What is assumed of the letters."""
        found = {*self.at.parameters, *self.part.density.free_symbols, *self._ends_letters()} - {
            x,
            self.held.held,
        }
        return Assumptions(tuple(sorted(found, key=str)), self.given)

    def _ends_letters(self) -> set[Symbol]:
        return set[Symbol]().union(self.part.low.free_symbols, self.part.high.free_symbols)

    def chapter(self) -> tuple[str, str, str]:
        """Return the name of the module, with what opens and what closes it."""
        lines = [
            f"Module {self.name}.",
            *self.assumptions.conditions(),
            "Section Case.",
            *self.assumptions.variables(),
        ]
        return self.name, "\n".join([*lines, ""]), f"End Case.\nEnd {self.name}."

    def law(self) -> Section:
        """Return the section on the law, on its expected costs, and that these are proper."""
        theorems = {
            "lawful_costs": self._lawful(),
            **dict(self._expected()),
            "law_is_proper": self._proper(),
            "law_is_proper_with_ends": self._proper_with_ends(),
        }
        text = "\n".join([*self._definitions(), *self._signs(), *theorems.values()])
        return Section(self.name, "law", IMPORTS, text, tuple(theorems))

    def strictness(self) -> Section:
        """Return the section that the expected costs are strictly proper.

        Raises:
            ExportError: if the losses at a value are not known to be so, or the density is not visibly positive.
        """
        if self.at.losses is None or not self.at.strict:
            raise ExportError(
                "the losses at a value are not strictly proper everywhere by one formula", "See them."
            )
        lemmas = [self._dense(), self._vary(), self._strict_somewhere()]
        theorem = self._of_costs("law_is_strictly_proper", "StrictlyProperOn 0 1 E0 E1", self._strictly())
        text = "\n".join([*lemmas, theorem])
        return Section(self.name, "strictness", IMPORTS, text, ("law_is_strictly_proper",))

    def total(self) -> Section:
        """Return the section that the total over all values is 1.

        Raises:
            ExportError: if that at a value is not known, or Coq does not see that of the part.
        """
        if not self.at.total:
            raise ExportError("the total at a value is left out", "It is part of the total.")
        theorem = lemma(
            "total_is_1",
            f"over_held part costs_at {CHARGES[2]} 1",
            "apply (total_over_values part costs_at); [| exact part_adds_up].",
            f"intros {self.letter} Within. {self._known('total_is_1')}",
            kind="Theorem",
        )
        path = self._path
        more = (*(far_terms.IMPORTS if any(path.far) else ()), *(ERRORS if path.errors else ()))
        text = "\n".join([*self._part_adds_up(), theorem])
        return Section(self.name, "total", (*IMPORTS, *more), text, ("total_is_1",))

    # -- the law

    def _definitions(self) -> Iterator[str]:
        part = self.part
        high = "p_infty" if part.high is sympy.oo else f"(Finite {atomic(part.high)})"
        yield f"Definition part : held_part := Part {atomic(part.low)} {high} (fun x => {term(part.density)})."
        yield f"Definition costs_at ({self.letter} : R) : expectation_of_costs := {self.at.expectation}."
        yield "Ltac part_read := cbv beta iota delta [part lowest highest density_of_part among_values Rbar_lt] in *."

    def _signs(self) -> Iterator[str]:
        held, name = self.letter, f"{self.at.name}.assumed"
        yield lemma(
            f"assumed_at {held}",
            f"among_values part {held} -> {' '.join([name, *identifiers(self.at.parameters)])}",
            f"unfold {name}. part_read. intros [Above Below]. repeat split; first [assumption | lra].",
        )
        yield lemma(
            "density_not_negative x",
            "among_values part x -> 0 <= density_of_part part x",
            f"part_read. intros [Above Below]. {self._signed('not_negative_as', strict=False)}",
        )

    def _signed(self, kind: str, *, strict: bool) -> str:
        within = self.given.also(positive=self.part.interval.facts)
        seen = sure(self.part.density, None, within, strict=strict)
        return f"apply ({kind} ({seen.text})); [equal_exponentials | see]."

    def _known(self, name: str, more: str = "") -> str:
        """Return the tactic for a lemma that the module on a value has."""
        return (
            f"pose proof (assumed_at {self.letter} Within). unfold costs_at, {self.at.name}.priced."
            f" eapply {self.at.name}.{name}; eassumption.{more}"
        )

    def _lawful(self) -> str:
        return lemma(
            "lawful_costs",
            "lawful_held part costs_at",
            f"split; [{self._spanned()} |].",
            f"intros {self.letter} Within. split; [exact (density_not_negative {self.letter} Within) |].",
            self._known("fairly"),
            kind="Theorem",
        )

    def _spanned(self) -> str:
        if self.part.high is sympy.oo:
            return "exact Logic.I"
        return f"part_read; {self._below(self.part.low, self.part.high)}"

    def _expected(self) -> Iterator[tuple[str, str]]:
        """Yield theorems by name: the means of the losses at the values are the expected costs."""
        for label, loss in enumerate(self.at.losses or ()):
            yield f"cost_at{label}", self._cost_at(label, loss)
            yield f"expected_cost{label}", self._mean_of_costs(label, loss)

    def _cost_at(self, label: int, loss: str) -> str:
        held = self.letter
        cost = f"forall p, 0 < p < 1 -> costs_at {held} (pay{label} p) ({loss} p)"
        proof = f"intros Within p Unit. {self._known(f'expected_cost{label}')}"
        return lemma(f"cost_at{label} {held}", f"among_values part {held} -> {cost}", proof, kind="Theorem")

    def _mean_of_costs(self, label: int, loss: str) -> str:
        held = self.letter
        means = f"(forall p, 0 < p < 1 -> over_values part (fun {held} => {loss} p) (E{label} p)) ->"
        return lemma(
            f"expected_cost{label} E{label}",
            f"{means}\n  forall p, 0 < p < 1 -> over_held part costs_at (pay{label} p) (E{label} p)",
            "intros Means p Unit. apply (mean_over_values part costs_at) with (2 := Means p Unit).",
            f"intros {held} Within. exact (cost_at{label} {held} Within p Unit).",
            kind="Theorem",
        )

    def _proper(self) -> str:
        fair = "held_is_fair part costs_at lawful_costs"
        return self._of_costs("law_is_proper", "Proper E0 E1", (f"exact (proper_if_fair _ ({fair}) E0 E1).",))

    def _proper_with_ends(self) -> str:
        ends = "(extended E0 0 mean0)", "(extended E1 mean1 0)"
        means = [f"over_held part costs_at {CHARGES[label]} mean{label} ->" for label in (0, 1)]
        costs = [
            f"(forall p, with_ends p -> over_held part costs_at (pay{k} p) ({ends[k]} p)) /\\" for k in (0, 1)
        ]
        return self._of_costs(
            "law_is_proper_with_ends",
            "\n  ".join([*means, *costs, f"ProperAmong with_ends {' '.join(ends)}"]),
            (
                "exact (proper_if_fair_with_ends _ (held_is_fair part costs_at lawful_costs) E0 E1 mean0 mean1).",
            ),
            " mean0 mean1",
        )

    def _of_costs(self, name: str, statement: str, proof: tuple[str, ...], more: str = "") -> str:
        """Return a theorem on the expected costs, whatever functions they are."""
        costs = [f"(forall p, 0 < p < 1 -> over_held part costs_at (pay{k} p) (E{k} p)) ->" for k in (0, 1)]
        return lemma(f"{name} E0 E1{more}", "\n  ".join([*costs, statement]), *proof, kind="Theorem")

    # -- strictness

    def _dense(self) -> str:
        return lemma(
            "dense x",
            "among_values part x -> 0 < density_of_part part x /\\ continuous (density_of_part part) x",
            f"part_read. intros [Above Below]. split; [{self._signed('positive_as', strict=True).removesuffix('.')} |"
            " unfold Rpower; smooth].",
        )

    def _vary(self) -> str:
        held, losses = self.letter, self.at.losses or ()
        statements = [f"continuous (fun {held} => {loss} p) {held}" for loss in losses]
        read = ", ".join(f"{self.at.name}.L{label}" for label in (0, 1))
        return lemma(
            f"losses_vary {held} p",
            f"among_values part {held} -> 0 < p < 1 ->\n  {f' /{chr(92)}{chr(10)}  '.join(statements)}",
            " ".join(["part_read. intros [Above Below] Unit.", *self.at.recorded]),
            f"unfold {read}, Rpower. split; smooth.",
        )

    def _strict_somewhere(self) -> str:
        return lemma(
            "strict_somewhere q",
            f"0 < q < 1 -> exists x, strict_at part {self._losses()} q x",
            f"intro Unit. assert (Within : among_values part {atomic(self._value)}) by (part_read; {self._inside()}).",
            f"exists {atomic(self._value)}. split; [exact Within |]. destruct (dense _ Within). split; [assumption |].",
            "split; [assumption |]. split; [intros p P; exact (losses_vary _ p Within P) |].",
            f"intros p P N. pose proof (assumed_at _ Within). eapply {self.at.name}.strictly_proper; eassumption.",
        )

    def _losses(self) -> str:
        """Return both losses as functions of the part."""
        return " ".join(f"(fun {self.letter} => {loss})" for loss in self.at.losses or ())

    @property
    def _value(self) -> Expr:
        """A value of the part."""
        low, high = self.part.low, self.part.high
        return low + ONE if high is sympy.oo else (low + high) / 2

    def _inside(self) -> str:
        above = self._below(self.part.low, self._value)
        below = "exact Logic.I" if self.part.high is sympy.oo else self._below(self._value, self.part.high)
        return f"split; [{above} | {below}]"

    def _below(self, low: Expr, high: Expr) -> str:
        return f"apply (strictly_below_by ({sure(high - low, None, self.given).text})); [algebra | see]"

    def _strictly(self) -> tuple[str, ...]:
        found = f"strictly_proper_over_held part costs_at lawful_costs {self._losses()}"
        return (
            f"intros Costs0 Costs1. apply ({found});",
            "  [exact cost_at0 | exact cost_at1 | exact Costs0 | exact Costs1 | lra | lra | exact strict_somewhere].",
        )

    # -- the total

    @cached_property
    def _path(self) -> Path:
        """The part as an arc on which both costs are 1, for the total of its density."""
        return Path(1, Arc(x, ONE, ONE, self.part.density, self.part.low, self.part.high), ZERO, self.given)

    def _part_adds_up(self) -> Iterator[str]:
        path = self._path
        yield from path.counted()
        yield lemma(
            "part_adds_up",
            "over_values part (fun _ => 1) 1",
            f"refine (arc_value {path.name} {CHARGES[2]} _ 1 ({path.mean_of(2)}) _).",
            f"arcs_read; cbn [polynomial]; {equality([path])} ltac:({'; '.join(path.hints_at_the_ends()) or 'idtac'}).",
        )
