"""The same costs at their own threshold, in Coq: what a rule of another threshold follows from.

They have a module of their own before the rule, which ends with their expectation and their means.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import ExpectedLoss
from costderive.costs.thresholds import ThresholdedContext
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.moves import DistortThreshold, SetThreshold
from costderive.proof.claims import Case, Step
from costderive.publish.coq.all_reports_section import known_means
from costderive.publish.coq.factors import hints_at
from costderive.publish.coq.law_section import spread
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic
from costderive.rules import Properness

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(p, ZERO, ONE)
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
    "OtherThresholds",
)


def at_another_threshold(derivation: Derivation) -> bool:
    """Return whether decisions are made at another threshold than that of the costs."""
    return isinstance(derivation.context, ThresholdedContext)


# ---- the same costs at their own threshold


def calibrated(derivation: Derivation) -> Derivation:
    """Return the derivation of the same costs at their own threshold, up to the losses there, which are proper."""
    return replace(derivation, cases=tuple(map(_calibrated, derivation.cases)))


def _calibrated(case: Case) -> Case:
    steps = tuple(takewhile(lambda step: not decides(step), case.steps))
    decision = case.steps[len(steps)]
    conclusion = Step(decision.move, decision.before, Properness(decision.before, ()))
    return Case(case.given, (*steps, conclusion))


def decides(step: Step) -> bool:
    """Return whether a step decides at another threshold."""
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
    return Section(setting.name, "prices", IMPORTS, "\n".join(text), ("prices", "mean_is0", "mean_is1"))


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


def letters_of(law: ExpectedLoss) -> set[Symbol]:
    """Return the letters in a law of costs."""
    areas = [y for area in law.areas for y in (area.density, *area.constraints)]
    lines = [y for line in law.lines for y in (line.magnitude, line.density, line.low, line.high)]
    arcs = [y for arc in law.arcs for y in (arc.c0, arc.c1, arc.density, arc.low, arc.high)]
    points = [y for point in law.points for y in (point.c0, point.c1, point.probability)]
    return set().union(*[y.free_symbols for y in (*areas, *lines, *arcs, *points)])
