"""Rules of a threshold that is a function of the proportion of the costs, in Coq: proper only if it is this itself.

The law of the costs, and what it costs at its own threshold, stand in a module before the rule. Whatever functions the
expected costs at the other threshold are, a belief at which it is another number has a better report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import s
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.costs_module import IMPORTS, CostsModule
from costderive.publish.coq.distorted_threshold_section import WRONG, grows, within_unit
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import sure
from costderive.publish.coq.own_threshold import before, decides
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import case_names, heading
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, identifier, term
from costderive.rules import Calibration, Condition, Miscalibration

UNIT = Interval(x, sympy.S.Zero, sympy.S.One)
CONDITIONS = "that no other values of the letters make the threshold that of the costs"


def is_about(derivation: Derivation) -> bool:
    """Return whether all cases conclude that a threshold is not that of the costs, or only under conditions."""
    return all(isinstance(_conclusion(case), Calibration | Miscalibration) for case in derivation.cases)


def _conclusion(case: Case) -> object:
    return case.steps[-1].after if case.steps else None


def at_own(derivation: Derivation) -> Derivation:
    """Return the derivation of the same costs at their own threshold, up to the losses there, with their strictness."""
    cases = [before(decides, case, _found(case).proper.strict) for case in derivation.cases]
    return replace(derivation, cases=tuple(cases))


def _found(case: Case) -> Miscalibration:
    """Return the conclusion on the threshold as it is written."""
    conclusion = _conclusion(case)
    found = conclusion.otherwise[0] if isinstance(conclusion, Calibration) else conclusion
    assert isinstance(found, Miscalibration)
    return found


def rules(derivation: Derivation, modules: tuple[CostsModule, ...]) -> tuple[MiscalibratedRule, ...]:
    """Return what is proved of the rule in each case, after the modules on the costs at their own threshold."""
    found = zip(case_names(derivation), derivation.cases, modules, strict=True)
    return tuple(MiscalibratedRule(name, case, replace(module, prefix="")) for name, case, module in found)


@dataclass(frozen=True, slots=True)
class MiscalibratedRule:
    """The rule of a threshold in a case, by the name of its module, and the costs at their own threshold."""

    name: str
    case: Case
    costs: CostsModule

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def threshold(self) -> Expr:
        """The threshold as a function of the proportion x."""
        return _found(self.case).threshold.subs(s, x)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The values of letters at which it is the proportion itself; none if no letters make it so."""
        found = _conclusion(self.case)
        return found.conditions if isinstance(found, Calibration) else ()

    @property
    def module(self) -> tuple[str, str, str]:
        """The name of the case, and the text that opens and closes its module."""
        letters = {*self.costs.setting.parameters, *self.threshold.free_symbols} - {x}
        assumed = Assumptions(tuple(sorted(letters, key=str)), self.given)
        return self.name, "\n".join([*heading(self.name, assumed), ""]), f"End Case.\nEnd {self.name}."

    def refutation(self) -> Section:
        """Return the section that a belief at which the threshold is another number has a better report.

        Raises:
            ExportError: if it is not seen that the threshold grows, or the rule of the costs is nowhere strict.
        """
        lemmas = [
            *self._known(),
            self._costs(),
            self._better(),
            *([self._proper_if()] if self._everywhere else []),
        ]
        theorems = ["cost_at_threshold", "better_than_the_truth"]
        theorems += ["proper_if_calibrated"] if self._everywhere else []
        return self._section("refutation", lemmas, *theorems)

    def _section(self, part: str, lemmas: list[str], *theorems: str) -> Section:
        return Section(self.name, part, (*IMPORTS, "Mixtures", "Miscalibration"), "\n".join(lemmas), theorems)

    @property
    def _strict(self) -> tuple[Expr, Expr]:
        strict = self.costs.setting.strict
        if not strict:
            raise ExportError("the rule of the costs is nowhere strictly proper", "No report is better then.")
        return strict[0]

    @property
    def _everywhere(self) -> bool:
        return self.costs.setting.strict == ((sympy.S.Zero, sympy.S.One),)

    def _known(self) -> Iterator[str]:
        first, second = (f"({self.costs.loss(k)})" for k in (0, 1))
        low, high = map(atomic, self._strict)
        strict = "StrictlyProper" if self._everywhere else f"StrictlyProperOn {low} {high}"
        own = "strictly_proper" + ("" if len(self.costs.setting.strict) == 1 else "1")
        yield from self.costs.definitions()
        yield self.costs.known("fairly", "fair priced")
        yield from self.costs.known_costs()
        yield self.costs.known("strictly_proper_at_own", f"{strict} {first} {second}", own)
        yield f"Definition threshold (x : R) : R := {term(self.threshold)}."
        yield grows(self.threshold, self.given)
        yield self._inside()

    def _inside(self) -> str:
        at = self.threshold
        within, known = within_unit((at,), self.given)
        seen = [sure(sympy.factor(gap), None, within).text for gap in (at, 1 - at)]
        written = algebra(hints((at,), UNIT, self.given))
        low, high = (
            f"apply ({kind} ({gap})); [{written} | see]"
            for kind, gap in zip(("positive_as", "strictly_below_by"), seen, strict=True)
        )
        return lemma(
            "inside x",
            "0 < x < 1 -> 0 < threshold x < 1",
            "intros [Positive Below]. assert (0 < 1 - x) by lra. unfold threshold.",
            *known,
            f"split; [{low} | {high}].",
        )

    def _costs(self) -> str:
        """The report of a value of the threshold costs what the proportion there does at the threshold of the costs."""
        costs = [f"priced (pay{k}_at {WRONG} (threshold x)) ({self.costs.loss(k)} x)" for k in (0, 1)]
        facts = "priced (proj1 fairly) threshold grows x _ _ X eq_refl"
        proofs = [f"exact (cost{k}_of_distorted {facts} (own_cost{k} x X))" for k in (0, 1)]
        statement = f"0 < x < 1 ->\n  {costs[0]} /\\\n  {costs[1]}"
        return lemma(
            "cost_at_threshold x", statement, f"intro X. split; [{' | '.join(proofs)}].", kind="Theorem"
        )

    def _stated(self, name: str, statement: str, *proof: str) -> str:
        costs = [f"(forall p, 0 < p < 1 -> priced (pay{k}_at {WRONG} p) (F{k} p)) ->" for k in (0, 1)]
        return lemma(f"{name} F0 F1", "\n  ".join([*costs, statement]), *proof, kind="Theorem")

    @property
    def _facts(self) -> str:
        losses = " ".join(f"({self.costs.loss(k)})" for k in (0, 1))
        return f"priced threshold fairly grows inside {losses} F0 F1 own_cost0 own_cost1 Costs0 Costs1"

    def _better(self) -> str:
        low, high = map(atomic, self._strict)
        return self._stated(
            "better_than_the_truth",
            f"forall x, 0 < x < 1 -> {low} < threshold x < {high} -> threshold x <> x ->\n"
            "  risk F0 F1 (threshold (threshold x)) (threshold x) < risk F0 F1 (threshold x) (threshold x)",
            f"intros Costs0 Costs1 x X. exact (better_than_the_truth {self._facts} _ _ x strictly_proper_at_own X).",
        )

    def _proper_if(self) -> str:
        return self._stated(
            "proper_if_calibrated",
            "(Proper F0 F1 <-> forall x, 0 < x < 1 -> threshold x = x)",
            f"intros Costs0 Costs1. exact (proper_if_calibrated {self._facts} strictly_proper_at_own).",
        )

    # -- for which values of letters

    def calibration(self) -> Section:
        """Return the section that the threshold is that of the costs at certain values of letters.

        Raises:
            ExportError: if there are none.
        """
        if not self.conditions:
            raise ExportError("the threshold is never that of the costs", "There are no values of letters.")
        return self._section("calibration", [self._calibrated()], "calibrated")

    @property
    def _stated_conditions(self) -> str:
        return " /\\ ".join(f"{identifier(one.letter)} = {atomic(one.value)}" for one in self.conditions)

    def _calibrated(self) -> str:
        at = self.threshold.subs([(one.letter, one.value) for one in self.conditions])
        equal = algebra(hints((at,), UNIT, self.given))
        names = [f"value{k}" for k, _ in enumerate(self.conditions, start=1)]
        named = names[0] if len(names) == 1 else f"({' & '.join(names)})"
        return lemma(
            "calibrated",
            f"{self._stated_conditions} -> forall x, 0 < x < 1 -> threshold x = x",
            f"intros {named} x [Positive Below].",
            f"assert (0 < 1 - x) by lra. unfold threshold. rewrite {', '.join(f'?{name}' for name in names)}.",
            f"rewrite ?Rpower_1 by lra. {equal}.",
            kind="Theorem",
        )

    def only_then(self) -> Section:
        """Return the section that the rule is proper at no other values of the letters.

        Raises:
            ExportError: if it is not seen on which side of a proportion the threshold there lies.
        """
        found = _conclusion(self.case)
        if not isinstance(found, Calibration) or not self._everywhere:
            raise ExportError("there are no conditions", "See the verdict.")
        steps = [
            self._decided(k, *pair)
            for k, pair in enumerate(zip(found.conditions, found.otherwise, strict=True), start=1)
        ]
        theorem = self._stated(
            "proper_only_if",
            f"(Proper F0 F1 <-> {self._stated_conditions})",
            "intros Costs0 Costs1. rewrite (proper_if_calibrated F0 F1 Costs0 Costs1).",
            "split; [intro Same | exact calibrated].",
            *steps,
            "repeat split; assumption.",
        )
        return self._section("conditions", [theorem], "proper_only_if")

    def _decided(self, number: int, condition: Condition, other: Miscalibration) -> str:
        """Return the tactic that a letter has its value if those before it have theirs: else a proportion differs."""
        letter, value = identifier(condition.letter), atomic(condition.value)
        apart = [self._apart(number, condition, other, sign) for sign in (-1, 1)]
        return (
            f"assert (value{number} : {letter} = {value}) by (pose proof (Same {atomic(other.proportion)} ltac:(lra));"
            f" destruct (Rtotal_order {letter} {value}) as [Less | [E | More]]; [{apart[0]} | exact E | {apart[1]}])."
        )

    def _apart(self, number: int, condition: Condition, other: Miscalibration, sign: int) -> str:
        """Return the tactic that the threshold at a proportion is another where a letter is not its value."""
        given = self.given.also(positive=(sign * (condition.letter - condition.value),))
        above = sign if other.above else -sign
        gap = sympy.factor(above * (other.threshold.subs(s, other.proportion) - other.proportion))
        known = "".join(f"rewrite ?value{k}; " for k in range(1, number))
        at = atomic(other.proportion)
        stated = f"threshold {at} - {at}" if above > 0 else f"{at} - threshold {at}"
        seen = _of_a_power(gap) or sure(gap, None, given).text
        powers = _less_one(gap)
        found = hints_at(other.proportion, [other.threshold.subs(s, x)] if powers else [], UNIT, given)
        equal = algebra(tuple(dict.fromkeys((*found, *hints((gap, *powers), UNIT, given)))))
        halved = f"try replace (1 - {at}) with {atomic(1 - other.proportion)} by lra; "
        return (
            f"assert (0 < {stated}) by (unfold threshold; {known}apply (positive_as ({seen}));"
            f" [{halved if _by_letters(other.threshold) else ''}{equal} | see]); lra"
        )


def _powers(gap: Expr) -> Iterator[tuple[Expr, Expr, Expr]]:
    """Yield what a difference is beside a power by letters less its base, as a factor, the base and the exponent."""
    parts = sympy.Mul.make_args(gap)
    for part in parts:
        number, power = part.as_independent(*part.free_symbols, as_Add=True)
        if power.is_Pow and power.base.is_Integer and number == -power.base:
            yield sympy.Mul(*[other for other in parts if other != part]), power.base, power.exp


def _by_letters(expr: Expr) -> bool:
    return any(power.exp.free_symbols for power in expr.atoms(sympy.Pow))


def _less_one(gap: Expr) -> list[Expr]:
    """Return those powers divided by their bases, and the inverses."""
    return [base**above for _, base, exponent in _powers(gap) for above in (exponent - 1, 1 - exponent)]


def _of_a_power(gap: Expr) -> str | None:
    """Return a difference by the sign of an exponent, as Coq sees it: ``2 - 2^k`` is ``2 (1 - (1/2)^(1 - k))``."""
    for beside, base, exponent in _powers(gap):
        falls = beside.could_extract_minus_sign()
        rest, above = (-base * beside, 1 - exponent) if falls else (base**exponent * beside, exponent - 1)
        return f"{atomic(rest)} * (1 - Rpower (1 / {base}) {atomic(above)})"
    return None
