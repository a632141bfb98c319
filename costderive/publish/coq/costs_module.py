"""Laws of costs in modules of Coq of their own, before a rule that is made of what they cost.

Such a module has all that is proved of costs at their own threshold. It ends with their expectation and their means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import ExpectedLoss
from costderive.derivation.derivation import Derivation, losses
from costderive.proof.claims import Case
from costderive.publish.coq.all_reports_section import known_means
from costderive.publish.coq.factors import hints_at
from costderive.publish.coq.law_section import spread
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, identifiers
from costderive.rules import Losses

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

# The tactics that name the mean cost of a class on lines and points: what its far report costs.
MEANS_OF_REPORTS = (
    (
        "pose proof (proj1 law_is_proper_with_ends 1 ltac:(unfold with_ends; lra)) as Mean.",
        "rewrite values_at_1 in Mean. apply finite_expectation in Mean.",
        "apply (mean0_of_report_1 priced prices) in Mean.",
    ),
    (
        "pose proof (proj1 (proj2 law_is_proper_with_ends) 0 ltac:(unfold with_ends; lra)) as Mean.",
        "rewrite values_at_0 in Mean. apply finite_expectation in Mean.",
        "apply (mean1_of_report_0 priced prices) in Mean.",
    ),
)


def module_of(name: str, prefix: str = "costs") -> str:
    """Return the name of the module on the costs of a case, by that of the case."""
    return name.replace("rule", prefix).replace("case", f"{prefix}_")


def prices(modules: Iterable[CostsModule], *, fairly: bool = False) -> tuple[Section, ...]:
    """Return for each module of costs at their own threshold the section on their expectation, and on their means.

    Expectations may be said to be ``fair``, as parts of mixtures are.
    """
    return tuple(_prices(module, fairly) for module in modules)


def _prices(module: CostsModule, fairly: bool) -> Section:
    found = expectation_of_costs(module.setting.name, module.case, fairly=fairly)
    text = "\n".join([found.text, *[_mean(module, label) for label in module.known_labels]])
    names = (*found.theorems, *(f"mean_is{label}" for label in module.known_labels))
    return replace(found, text=text, theorems=names)


def expectation_of_costs(name: str, case: Case, *, fairly: bool) -> Section:
    """Return the section of a module on the expectation of the costs of a case, after that on their law."""
    expectation, counted, fair = _expectation(case)
    text = [
        f"Definition priced : (R -> R -> R) -> R -> Prop := {expectation}.",
        lemma("prices", "is_expectation priced", f"exact ({counted}).", kind="Theorem"),
        *([lemma("fairly", "fair priced", f"exact ({fair}).")] if fairly else []),
    ]
    imports = (*IMPORTS, *(("Mixtures",) if fairly else ()))
    return Section(name, "prices", imports, "\n".join(text), ("prices",))


def _expectation(case: Case) -> tuple[str, str, str]:
    """Return what the library calls the expectation of the law of a case, and its proofs that it is one, and fair."""
    law = law_of(case)
    if law.arcs:
        return (
            "expectation law",
            "law_has_expectation law lawful_costs",
            "law_is_fair law lawful_costs",
        )
    if law.areas:
        return "over_areas areas", "areas_have_expectation areas", "areas_are_fair areas lawful_costs"
    return (
        "expected curves points",
        "curves_have_expectation curves points lawful_costs",
        "curves_are_fair curves points lawful_costs",
    )


def law_of(case: Case) -> ExpectedLoss:
    """Return the law of the costs of a case.

    Raises:
        ExportError: if its losses are given.
    """
    found = next((step.after for step in case.steps if isinstance(step.after, ExpectedLoss)), None)
    if found is None:
        raise ExportError("the rule comes from losses, not from costs", "There is no law of costs.")
    return found


def _mean(module: CostsModule, label: int) -> str:
    """Return the lemma on a mean cost, by that on the reports 0 and 1."""
    mean, over_areas = module.means[label], spread(module.case)
    value = f"apply (valued priced _ _ _ {f'mean{label}' if over_areas else 'Mean'})"
    equal = algebra(hints_at(ONE - label, (mean,), UNIT, module.setting.given))
    proof = () if over_areas else MEANS_OF_REPORTS[label]
    return lemma(
        f"mean_is{label}",
        f"priced {CHARGES[label]} {atomic(mean)}",
        *proof,
        f"{value}; {equal}.",
        kind="Theorem",
    )


def letters_of(law: ExpectedLoss) -> set[Symbol]:
    """Return the letters in a law of costs."""
    areas = [y for area in law.areas for y in (area.density, *area.constraints)]
    lines = [y for line in law.lines for y in (line.magnitude, line.density, line.low, line.high)]
    arcs = [y for arc in law.arcs for y in (arc.c0, arc.c1, arc.density, arc.low, arc.high)]
    points = [y for point in law.points for y in (point.c0, point.c1, point.probability)]
    return set().union(*[y.free_symbols for y in (*areas, *lines, *arcs, *points)])


@dataclass(frozen=True, slots=True)
class CostsModule:
    """The module on the costs of a case at their own threshold, by its setting; its lemmas have names of their own."""

    setting: Setting
    case: Case
    ends: bool
    prefix: str = ""

    @property
    def known_labels(self) -> tuple[int, ...]:
        """The classes whose mean cost it has: it is finite, and the ``ends`` are, what the reports 0 and 1 cost."""
        if not self.ends or not (spread(self.case) or all(known_means(self.setting))):
            return ()
        return tuple(label for label in (0, 1) if self.means[label].is_finite is not False)

    def require_means(self, *labels: int) -> None:
        """Refuse a module without the mean costs of these classes.

        Raises:
            ExportError: if one is infinite, or has no closed form that Coq sees.
        """
        if not set(labels) <= set(self.known_labels):
            raise ExportError("a mean cost is infinite, or not seen", "Coq needs its value.")

    @property
    def losses(self) -> Losses:
        """The losses of the costs at their own threshold."""
        found = losses(self.case)
        assert isinstance(found, Losses)
        return found

    @property
    def means(self) -> tuple[Expr, Expr]:
        """The mean costs."""
        return self.losses.worst0, self.losses.worst1

    @property
    def priced(self) -> str:
        """The name of the expectation of the costs."""
        return f"{self.prefix}priced"

    @property
    def expectation(self) -> str:
        """The expectation that the module defines, at the letters that it has."""
        return self._at_letters("priced", letters_of(law_of(self.case)))

    def definitions(self) -> Iterator[str]:
        """Yield the expectation of the costs at the letters of the rule, and what is assumed of them."""
        yield f"Definition {self.priced} : (R -> R -> R) -> R -> Prop := {self.expectation}."
        if self.setting.parameters:
            name = f"{self.setting.name}.assumed"
            statement = " ".join([name, *identifiers(self.setting.parameters)])
            proof = f"unfold {name}; repeat split; assumption."
            yield lemma(f"{self.prefix}assumed_of_costs", statement, proof)

    def known(self, name: str, statement: str, own: str = "") -> str:
        """Return a lemma that the module has, under its ``own`` name, of the letters of the rule."""
        assumed = f"pose proof {self.prefix}assumed_of_costs. " if self.setting.parameters else ""
        read, found = (
            f"unfold {self.priced}, {self.setting.name}.priced",
            f"{self.setting.name}.{own or name}",
        )
        return lemma(
            f"{self.prefix}{name}", statement, f"{assumed}intros. {read}. eapply {found}; eassumption."
        )

    def known_means(self) -> Iterator[str]:
        """Yield the lemmas on the mean costs."""
        for label in self.known_labels:
            statement = f"{self.priced} {CHARGES[label]} {atomic(self.means[label])}"
            yield self.known(f"mean_is{label}", statement)

    def known_costs(self) -> Iterator[str]:
        """Yield the lemmas on the expected costs at the threshold of the costs."""
        for label in (0, 1):
            loss = f"({self.loss(label)} p)"
            statement = f"0 < p < 1 -> {self.priced} (pay{label} p) {loss}"
            yield self.known(f"own_cost{label} p", statement, f"expected_cost{label}")

    def loss(self, label: int) -> str:
        """Return a loss that the module defines, at the letters that it has."""
        cells, poles = self.setting.cells, self.setting.poles
        formulas = [cell.formulas[label] for cell in cells] + [cell.on.high for cell in cells[:-1]]
        formulas += [part for pole in poles for part in (pole.at, pole.limits[label])]
        return self._at_letters(f"L{label}", set().union(*[formula.free_symbols for formula in formulas]))

    def _at_letters(self, name: str, letters: set[Symbol]) -> str:
        """Return a definition of the module at the letters that it has."""
        return " ".join([f"{self.setting.name}.{name}", *identifiers(letters & set(self.setting.parameters))])


def costs_modules(
    costs: Derivation, prefix: str = "costs", *, ends: bool, names: str = ""
) -> tuple[CostsModule, ...]:
    """Return the modules on the cases of costs at their own threshold, by what their names begin with.

    ``ends`` says whether they have what the reports 0 and 1 cost; the lemmas on them may have ``names`` of their own.
    """
    cases = zip(settings(costs), costs.cases, strict=True)
    return tuple(
        CostsModule(replace(setting, name=module_of(setting.name, prefix)), case, ends, names)
        for setting, case in cases
    )
