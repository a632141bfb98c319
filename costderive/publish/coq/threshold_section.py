"""Rules of decisions at another threshold than that of the costs, in Coq: their losses are the expected costs.

The law of the costs, and what it costs at its own threshold, stand in a module before the rule. A threshold that is
independent of the costs then costs multiples of their means; one that is a function of the proportion of the costs
decides as the calibrated threshold at another report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Protocol

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval, Piece
from costderive.core.symbols import p
from costderive.costs.expected_loss import ExpectedLoss
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.costs.thresholds import FixedThreshold, RandomThreshold, ThresholdedContext
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.moves import DistortThreshold, SetThreshold
from costderive.proof.claims import Case, Step
from costderive.publish.coq.all_reports_section import known_means
from costderive.publish.coq.antiderivatives import antiderivative
from costderive.publish.coq.endpoints import stays_plain
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import ordered, sure
from costderive.publish.coq.law_section import spread
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import algebra, evaluated, lemma
from costderive.publish.coq.terms import atomic, identifiers, term
from costderive.rules import Improperness, Properness, RepairedProperness
from costderive.rules.loss_pair import LossPair

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(p, ZERO, ONE)
THEOREMS = ("expected_cost0", "expected_cost1")
IMPORTS = (
    "Elementary",
    "Properness",
    "Limits",
    "Endpoints",
    "ExpectedLoss",
    "Costs",
    "Tails",
    "Areas",
    "ClosedForms",
    "Arcs",
)
OWN = (*IMPORTS, "OtherThresholds")


def at_another_threshold(derivation: Derivation) -> bool:
    """Return whether decisions are made at another threshold than that of the costs."""
    return isinstance(derivation.context, ThresholdedContext)


# ---- the same costs at their own threshold


def calibrated(derivation: Derivation) -> Derivation:
    """Return the derivation of the same costs at their own threshold, up to the losses there, which are proper."""
    return Derivation(derivation.context.costs, tuple(map(_calibrated, derivation.cases)))


def _calibrated(case: Case) -> Case:
    steps = tuple(takewhile(lambda step: not _decides(step), case.steps))
    decision = case.steps[len(steps)]
    conclusion = Step(decision.move, decision.before, Properness(decision.before, ()))
    return Case(case.given, (*steps, conclusion))


def _decides(step: Step) -> bool:
    return isinstance(step.move, SetThreshold | DistortThreshold)


def module_of(name: str) -> str:
    """Return the name of the module on the costs of a case, by that of the case."""
    return name.replace("rule", "costs").replace("case", "costs")


def prices(derivation: Derivation) -> tuple[Section, ...]:
    """Return for each case of costs at their own threshold the section on their expectation, and on their means.

    Raises:
        ExportError: if Coq does not get the value of a mean.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_prices(setting, case) for setting, case in cases)


def _prices(setting: Setting, case: Case) -> Section:
    expectation, lawful = _expectation(case)
    found = losses(case)
    means = [_mean(setting, case, label, mean) for label, mean in enumerate((found.worst0, found.worst1))]
    text = [
        f"Definition priced : (R -> R -> R) -> R -> Prop := {expectation}.",
        lemma("prices", "is_expectation priced", f"exact {lawful}.", kind="Theorem"),
        *means,
    ]
    return Section(setting.name, "prices", OWN, "\n".join(text), ("prices", "mean_is0", "mean_is1"))


def _expectation(case: Case) -> tuple[str, str]:
    """Return what the library calls the expectation of the law of a case, and the proof that it is one."""
    law = law_of(case)
    if law.arcs:
        return "expectation law", "(law_has_expectation law lawful_costs)"
    if law.areas:
        return "over_areas areas", "(areas_have_expectation areas)"
    return "expected curves points", "(curves_have_expectation curves points lawful_costs)"


def law_of(case: Case) -> ExpectedLoss:
    """Return the law of the costs of a case.

    Raises:
        ExportError: if its losses are given.
    """
    found = next((step.after for step in case.steps if isinstance(step.after, ExpectedLoss)), None)
    if found is None:
        raise ExportError("the rule comes from losses, not from costs", "There is no law of costs.")
    return found


def _mean(setting: Setting, case: Case, label: int, mean: Expr) -> str:
    """Return the lemma on a mean cost, by that on the reports 0 and 1."""
    value = f"apply (valued priced _ _ _ {'mean' + str(label) if spread(case) else 'Mean'})"
    equal = algebra(hints_at(ONE - label, (mean,), UNIT, setting.given))
    proof = () if spread(case) else _mean_of_reports(setting, label)
    return lemma(
        f"mean_is{label}",
        f"priced {CHARGES[label]} {atomic(mean)}",
        *proof,
        f"{value}; {equal}.",
        kind="Theorem",
    )


def _mean_of_reports(setting: Setting, label: int) -> tuple[str, ...]:
    """Return the tactics that name the mean cost of a class on lines and points: what its far report costs.

    Raises:
        ExportError: if only its existence is known.
    """
    if not all(known_means(setting)):
        raise ExportError("a mean is not known by a closed form", "Coq needs its value.")
    end, name = (("1", "mean0_of_report_1"), ("0", "mean1_of_report_0"))[label]
    costs = "proj1 law_is_proper_with_ends" if label == 0 else "proj1 (proj2 law_is_proper_with_ends)"
    return (
        f"pose proof ({costs} {end} ltac:(unfold with_ends; lra)) as Mean.",
        f"rewrite values_at_{end} in Mean. apply finite_expectation in Mean. apply ({name} priced prices) in Mean.",
    )


# ---- the rule


class Named(Protocol):
    """A case of a rule, by the name of its module."""

    @property
    def name(self) -> str: ...

    @property
    def case(self) -> Case: ...


def sections(derivation: Derivation, cases: Iterable[Named]) -> tuple[Section, ...]:
    """Return one section for each of these cases: the losses are the expected costs of the threshold.

    Raises:
        ExportError: if the threshold depends on the costs, there is no closed form of what is needed, or a sign or an
            order is not visible.
    """
    costs = calibrated(derivation)
    own = {id(case): found for case, found in zip(derivation.cases, settings(costs), strict=True)}
    return tuple(
        _Ruled(
            case.name, case.case, replace(own[id(case.case)], name=module_of(own[id(case.case)].name))
        ).section()
        for case in cases
    )


@dataclass(frozen=True, slots=True)
class _Ruled:
    """A rule of a case at another threshold: its losses, with the reports of which its expected costs are stated."""

    name: str
    case: Case
    costs: Setting

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def with_ends(self) -> bool:
        """Whether the losses have values at the reports 0 and 1, as those of an improper rule have."""
        return isinstance(self.case.steps[-1].after, Improperness | RepairedProperness)

    @property
    def threshold(self) -> object:
        """The threshold that is decided at."""
        return next(step.move.threshold for step in self.case.steps if _decides(step))

    @property
    def pair(self) -> LossPair:
        """The losses."""
        return next(step.after for step in self.case.steps if _decides(step))

    @property
    def places(self) -> tuple[Expr, ...]:
        """The breakpoints inside (0, 1)."""
        return tuple(piece.high for piece in self.pair.loss0)[:-1]

    def section(self) -> Section:
        """Return the section that the losses are the expected costs.

        Raises:
            ExportError: if there is no closed form of what is needed, or a sign or an order is not visible.
        """
        lemmas = [*self._costs(), *self._at_threshold()]
        return Section(self.name, "threshold", OWN, "\n".join(lemmas), THEOREMS)

    def _costs(self) -> Iterator[str]:
        """Yield what is known of the costs, from the module on them."""
        module, law = self.costs.name, law_of(self.case)
        letters = identifiers(_letters(law) & set(self.costs.parameters))
        yield f"Definition priced : (R -> R -> R) -> R -> Prop := {' '.join([f'{module}.priced', *letters])}."
        known = self._assumed()
        yield from known
        proof = "exact (assumed_of_costs)" if known else "idtac"
        for name, statement in (
            ("prices", "is_expectation priced"),
            *[(f"mean_is{k}", f"priced {CHARGES[k]} {atomic(mean)}") for k, mean in enumerate(self.means)],
        ):
            yield lemma(name, statement, f"eapply {module}.{name}; {proof}.")

    @property
    def means(self) -> tuple[Expr, Expr]:
        """The mean costs."""
        before = next(step.before for step in self.case.steps if _decides(step))
        return before.worst0, before.worst1

    def _assumed(self) -> list[str]:
        names = identifiers(self.costs.parameters)
        if not names:
            return []
        statement = " ".join([f"{self.costs.name}.assumed", *names])
        proof = f"unfold {self.costs.name}.assumed; repeat split; assumption."
        return [lemma("assumed_of_costs", statement, proof)]

    def _at_threshold(self) -> Iterator[str]:
        if isinstance(self.threshold, FixedThreshold):
            yield from self._at_fixed(self.threshold.at)
        elif isinstance(self.threshold, RandomThreshold):
            yield from self._at_random(self.threshold.law)
        else:
            raise ExportError("the threshold is a function of the costs", "Coq gets one that is independent.")

    def _at_fixed(self, at: Expr) -> Iterator[str]:
        for label in (0, 1):
            found = f"cost{label}_at priced prices _ mean_is{label} {atomic(at)} p"
            yield self._expected(label, f"priced (pay{label}_at (fun _ _ => {term(at)}) p)", found, "")

    def _at_random(self, law: Law) -> Iterator[str]:
        bands = [_Band(k, spread, self.given) for k, spread in enumerate(law.spreads, start=1)]
        masses = "; ".join(f"({term(mass.value)}, {term(mass.probability)})" for mass in law.masses)
        yield from (band.definition() for band in bands)
        yield f"Definition thresholds : list (band * share) := [{'; '.join(band.pair for band in bands)}]."
        yield f"Definition masses : list (R * R) := [{masses}]."
        names = " ".join(["bands_of", "thresholds", "masses", *(band.name for band in bands)])
        yield f"Ltac thresholds_read := cbv beta iota delta [{names}] in *; reading_thresholds."
        yield from self._lawful(law, bands)
        for label in (0, 1):
            found = f"cost{label}_at_random priced prices _ mean_is{label} thresholds masses distribution"
            found += " p" if label == 0 else " all_of_the_thresholds p"
            decided = f"(fun t => pay{label}_at (fun _ _ => t) p)"
            yield self._expected(
                label, f"at_random priced (bands_of thresholds) masses {decided}", found, "thresholds_read; "
            )

    def _lawful(self, law: Law, bands: list[_Band]) -> Iterator[str]:
        """Yield that the law of the threshold is one."""
        yield from (band.distributed() for band in bands)
        each = [f"apply List.Forall_cons; [exact distributed_{band.name} |]." for band in bands]
        yield lemma("distribution", "all_distributed thresholds", " ".join([*each, "apply List.Forall_nil."]))
        written = tuple(dict.fromkeys(hint for band in bands for hint in band.hints_at_ends()))
        yield lemma(
            "all_of_the_thresholds",
            "all_shares thresholds + all_masses masses = 1",
            f"thresholds_read; {evaluated([band.rise for band in bands], written)}.",
        )
        yield lemma(
            "total_of_threshold",
            "over_thresholds (bands_of thresholds) masses (fun _ => 1) 1",
            "exact (total_of_thresholds thresholds masses distribution all_of_the_thresholds).",
            kind="Theorem",
        )
        signs = [line for band in bands for line in band.lawful()]
        signs += [line for mass in law.masses for line in self._lawful_mass(mass)]
        yield lemma(
            "lawful_threshold",
            "lawful_thresholds (bands_of thresholds) masses",
            "thresholds_read; split; repeat apply List.Forall_cons; try apply List.Forall_nil.",
            *signs,
            kind="Theorem",
        )

    def _lawful_mass(self, mass: Mass) -> Iterator[str]:
        order = _between(mass.value, mass.value, self.given)
        share = sure(mass.probability, None, self.given, strict=False)
        yield f"- cbn [fst snd]. split; [{order} | apply (not_negative_as ({share.text})); [algebra | see]]."

    def _expected(self, label: int, statement: str, found: str, read: str) -> str:
        """Return the theorem that a loss is what is expected: by its pieces, and at their ends."""
        pieces = (self.pair.loss0, self.pair.loss1)[label]
        written = tuple(dict.fromkeys(h for y in pieces for h in hints((y.value,), self._on(y), self.given)))
        unit = "with_ends p" if self.with_ends else "0 < p < 1"
        at_ends = [
            f"replace p with {atomic(at)} by lra; {algebra(written)}" for at in (ZERO, *self.places, ONE)
        ]
        return lemma(
            f"expected_cost{label} p",
            f"{unit} ->\n  {statement} (L{label} p)",
            f"intros Unit. unfold with_ends in Unit. {' '.join(self._orders())}",
            f"refine (eq_ind _ ({statement}) ({found}) _ _).",
            f"{read}unfold L{label}; branch; first [{' | '.join([algebra(written), *at_ends])}].",
            kind="Theorem",
        )

    def _on(self, piece: Piece) -> Interval:
        return Interval(p, piece.low, piece.high)

    def _orders(self) -> Iterator[str]:
        """Yield the tactics that put the order of the breakpoints on record."""
        places = (ZERO, *self.places, ONE)
        for k, (low, high) in enumerate(pairwise(places), start=1):
            yield ordered(f"place{k}", low, high, None, self.given, strict=True)


@dataclass(frozen=True)
class _Band:
    """A density of a threshold between two numbers, by its number, with an antiderivative."""

    number: int
    spread: Spread
    given: Given

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"band{self.number}"

    @property
    def pair(self) -> str:
        """The band with the probability of the thresholds below a number in it."""
        return f"({self.name}, {self._share})"

    @property
    def _share(self) -> str:
        return f"by_rise {self.name} (fun x => {term(self.rise)})"

    @cached_property
    def rise(self) -> Expr:
        """An antiderivative of the density that is plainly continuous at both ends.

        Raises:
            ExportError: if there is none.
        """
        found = antiderivative(self.spread.density, x, self.given.also(positive=self.spread.interval.facts))
        nodes = list(sympy.preorder_traversal(found))
        if found.has(sympy.betainc) or not all(stays_plain(n, end, x) for n in nodes for end in self._ends):
            raise ExportError("the probability of a threshold is unsteady at an end", "Coq needs its limit.")
        return found

    @property
    def _ends(self) -> tuple[Expr, Expr]:
        return self.spread.low, self.spread.high

    def definition(self) -> str:
        """Return the band in Coq."""
        low, high = map(atomic, self._ends)
        return f"Definition {self.name} : band := Band {low} {high} (fun x => {term(self.spread.density)})."

    def distributed(self) -> str:
        """Return the lemma that the antiderivative is right."""
        written = (
            "; ".join(hints((self.rise, self.spread.density), self.spread.interval, self.given)) or "idtac"
        )
        return lemma(
            f"distributed_{self.name}",
            f"distributed {self.name} ({self._share})",
            ordered("order", *self._ends, None, self.given, strict=True),
            f"unfold {self.name}; distribution_by ltac:({written}). exact order.",
        )

    def hints_at_ends(self) -> Iterator[str]:
        """Yield the tactics that write logarithms and roots of the antiderivative at both ends."""
        for end in self._ends:
            yield from hints_at(end, (self.rise,), self.spread.interval, self.given)

    def lawful(self) -> Iterator[str]:
        """Yield the proof that thresholds are probabilities, and that no density is negative."""
        within = self.given.also(positive=self.spread.interval.facts)
        sign = sure(self.spread.density, None, within, strict=False)
        order = ordered("order", *self._ends, None, self.given, strict=True)
        yield f"- {order} split; [exact order |]. intros x Within. split."
        yield f"  + {_between(*self._ends, self.given)}."
        yield f"  + apply (not_negative_as ({sign.text})); [equal_exponentials | see]."


def _between(low: Expr, high: Expr, given: Given) -> str:
    """Return the tactic that what lies between two numbers lies between 0 and 1."""
    bottom = ordered("bottom", ZERO, low, None, given).removesuffix(".")
    top = ordered("top", high, ONE, None, given).removesuffix(".")
    return f"({bottom}; {top}; lra)"


def _letters(law: ExpectedLoss) -> set[Symbol]:
    """Return the letters in a law of costs."""
    areas = [y for area in law.areas for y in (area.density, *area.constraints)]
    lines = [y for line in law.lines for y in (line.magnitude, line.density, line.low, line.high)]
    arcs = [y for arc in law.arcs for y in (arc.c0, arc.c1, arc.density, arc.low, arc.high)]
    points = [y for point in law.points for y in (point.c0, point.c1, point.probability)]
    return set().union(*[y.free_symbols for y in (*areas, *lines, *arcs, *points)])
