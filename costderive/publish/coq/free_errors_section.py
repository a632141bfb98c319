"""Costs of which one may be 0 in Coq: errors that cost nothing are points beside the law of positive costs.

That law, and what it costs, stand in a module before the rule (`costs_module`). At reports between 0 and 1 nothing is
paid at such points, so that the losses are those of positive costs; the reports 0 and 1 may cost more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.costs.expected_loss import ExpectedLoss, Point
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case, Step
from costderive.publish.coq.all_reports_section import growing
from costderive.publish.coq.costs_module import IMPORTS, CostsModule, law_of
from costderive.publish.coq.enclosures import enclosed_sum
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import sure
from costderive.publish.coq.law_theorems import CHARGES, THEOREMS, Kind, means_with_growth, proper, strictly
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic
from costderive.publish.coq.total_section import TOTAL
from costderive.publish.coq.visible_signs import visible
from costderive.rules import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
BESIDE = (*IMPORTS, "Curves", "AllReports", "Mixtures", "Refutation", "FreeErrors")
WHOLE = Kind(
    "beside_free priced free",
    "proper_beside_free priced free",
    "strictly_proper_beside_free priced free",
    "proper_beside_free_with_ends priced free",
    "proj1 lawful_costs",
)


def may_be_free(derivation: Derivation) -> bool:
    """Return whether errors of a class cost nothing with a probability, so that losses jump at a sure report."""
    steps = (step.after for case in derivation.cases for step in case.steps)
    return any(any(found.one_sided) for found in steps if isinstance(found, Losses))


def with_positive_costs(derivation: Derivation) -> Derivation:
    """Return the derivation from the costs that are both positive, whose probabilities add up to less than 1."""
    return replace(derivation, cases=tuple(map(_positive, derivation.cases)))


def _positive(case: Case) -> Case:
    return Case(case.given, tuple(replace(step, after=_without_free(step)) for step in case.steps))


def _without_free(step: Step) -> object:
    if isinstance(step.after, ExpectedLoss):
        return step.after.two_sided
    if not isinstance(step.after, Losses):
        return step.after
    found = step.after.with_limits()
    return replace(found, worst0=sympy.expand_mul(found.worst0), worst1=sympy.expand_mul(found.worst1))


def chance_of_positive_costs(derivation: Derivation) -> Expr:
    """Return the probability that both errors cost something, which is the same in all cases."""
    return ONE - sympy.Add(*[point.probability for point in _free(derivation.cases[0])])


def _free(case: Case) -> tuple[Point, ...]:
    return tuple(point for point in law_of(case).points if ZERO in (point.c0, point.c1))


def wholes(derivation: Derivation, modules: Iterable[CostsModule]) -> tuple[Whole, ...]:
    """Return what is proved of each case, after the modules on positive costs."""
    found = zip(settings(with_positive_costs(derivation)), derivation.cases, modules, strict=True)
    return tuple(Whole(setting, _free(case), replace(module, prefix="")) for setting, case, module in found)


@dataclass(frozen=True, slots=True)
class Whole:
    """A case with the points at which an error costs nothing, and the module on positive costs."""

    setting: Setting
    free: tuple[Point, ...]
    costs: CostsModule

    def law(self) -> Section:
        """Return the section on the law: the losses are the expected costs, and they are proper.

        Raises:
            ExportError: if the sign of a cost that is paid alone, or of its probability, is not visible.
        """
        self._refuse_letters()
        strict = dict(strictly(WHOLE, self.setting))
        names = [f"free{number}" for number, _ in enumerate(self.free, start=1)]
        lemmas = [
            *self.costs.definitions(),
            self.costs.known("fairly", "fair priced"),
            *self.costs.known_costs(),
            *map(_defined, names, self.free),
            f"Definition free : list point := [{'; '.join(names)}].",
            *[self._signs(number, point) for number, point in enumerate(self.free, start=1)],
            self._lawful(),
            *[_expected(label) for label in (0, 1)],
            proper(WHOLE),
            *strict.values(),
        ]
        return Section(self.setting.name, "law", BESIDE, "\n".join(lemmas), (*THEOREMS, *strict))

    def total(self) -> Section:
        """Return the section that the total is 1, from that of positive costs."""
        chances = [point.probability for point in self.free]
        equal = self._equal(chances)
        text = [
            self.costs.known("total_of_positive_costs", f"priced {CHARGES[2]} {atomic(self._rest())}", TOTAL),
            lemma(
                "total_is_1",
                f"{WHOLE.expectation} {CHARGES[2]} 1",
                f"eexists; split; [exact total_of_positive_costs | {self._shown()} {equal}].",
                kind="Theorem",
            ),
        ]
        return Section(self.setting.name, "total", BESIDE, "\n".join(text), ("total_is_1",))

    def ends(self) -> Section:
        """Return the section on the reports 0 and 1, whose costs may be infinite.

        Raises:
            ExportError: if a mean cost is infinite, and Coq does not see how the loss grows, or is not seen.
        """
        growth = growing(self.setting)
        finite = [label for label in (0, 1) if label not in growth]
        self.costs.require_means(*finite)
        means = {label: self.costs.means[label] for label in finite}
        values, facts = means_with_growth(means, "mean_is")
        more = [self._more(label) for label in (0, 1)]
        lemmas = [
            *[line for label, line in enumerate(self.costs.known_means()) if label in finite],
            *[line for lines in growth.values() for line in lines],
            *[self._charged(label, value) for label, value in enumerate(more)],
            _with_ends(values, facts, [atomic(value) for value in more]),
        ]
        return Section(self.setting.name, "ends", BESIDE, "\n".join(lemmas), ("law_is_proper_with_ends",))

    def limits(self) -> Section:
        """Return the section that each loss vanishes where its class is certain, which is known of positive costs."""
        lemmas = [
            self.costs.known("loss0_starts", "tends_at_0 L0 0"),
            self.costs.known("loss1_ends", "tends_at_1 L1 0"),
        ]
        return Section(self.setting.name, "endpoints", BESIDE, "\n".join(lemmas), ())

    def _rest(self) -> Expr:
        return ONE - sympy.Add(*[point.probability for point in self.free])

    def _refuse_letters(self) -> None:
        letters = set().union(*[value.free_symbols for point in self.free for value in _values(point)])
        if not letters <= set(self.setting.parameters):
            raise ExportError("the costs have a parameter that the rule has not", "Give it a number.")

    def _signs(self, number: int, point: Point) -> str:
        first, second, third = map(self._not_negative, _values(point))
        side = "left" if point.c0 == 0 else "right"
        return lemma(
            f"signs_of_free{number}",
            f"free_point free{number}",
            f"unfold free_point, free{number}; cbn [known0 known1 probability].",
            f"split; [{first} | split; [{second} | split; [{side}; reflexivity | {third}]]].",
        )

    def _not_negative(self, value: Expr) -> str:
        """Return the proof that a value is not negative, by its form, by what is assumed, or by bounds of its parts."""
        given = self.setting.given
        found = visible(value, None, given)
        if value.is_Rational or (found is None and value in (*given.positive, *given.nonnegative)):
            return "lra"
        if found is None and not value.free_symbols:
            return enclosed_sum(value)
        return f"apply (not_negative_as ({sure(value, None, given, strict=False).text})); [algebra | see]"

    def _lawful(self) -> str:
        each = [f"apply List.Forall_cons; [exact signs_of_free{k} |]." for k in range(1, len(self.free) + 1)]
        return lemma(
            "lawful_costs",
            "lawful_beside_free priced free",
            f"split; [exact fairly |]. {' '.join(each)} apply List.Forall_nil.",
            kind="Theorem",
        )

    def _more(self, label: int) -> Expr:
        """Return what the errors of a class cost where those of the other cost nothing."""
        values = (_values(point) for point in self.free)
        return sympy.Add(*[v[label] * v[2] for v in values if v[1 - label] == 0])

    def _shown(self) -> str:
        names = " ".join(f"free{number}" for number, _ in enumerate(self.free, start=1))
        return f"cbn [on_points free {names} known0 known1 probability];"

    def _equal(self, formulas: Iterable[Expr]) -> str:
        written = hints(formulas, self.setting.cells[0].on, self.setting.given)
        return f"equal_exponentials_by ltac:({'; '.join(written) or 'idtac'})"

    def _charged(self, label: int, value: Expr) -> str:
        return lemma(
            f"charged_on_free{label}",
            f"on_points charged{label} free = {atomic(value)}",
            f"{self._shown()} charged; {self._equal((value,))}.",
        )


def _values(point: Point) -> tuple[Expr, Expr, Expr]:
    return point.c0, point.c1, point.probability


def _defined(name: str, point: Point) -> str:
    return f"Definition {name} : point := Point {' '.join(map(atomic, _values(point)))}."


def _expected(label: int) -> str:
    known = f"cost{label}_beside_free priced free p _ (proj2 lawful_costs) Unit (own_cost{label} p Unit)"
    return lemma(
        f"expected_cost{label} p",
        f"0 < p < 1 -> {WHOLE.expectation} (pay{label} p) (L{label} p)",
        f"intro Unit. exact ({known}).",
        kind="Theorem",
    )


def _with_ends(values: list[str], facts: list[str], more: list[str]) -> str:
    """Return the theorem on the reports 0 and 1; at the report 1 errors may be charged where the others are free."""
    charged = [f"(Rbar_plus {value} {extra})" for value, extra in zip(values, more, strict=True)]
    first, second = f"(with_values L0 0 {values[0]})", f"(with_values L1 {charged[1]} 0)"
    costs = [
        f"(forall p, with_ends p -> expects_beside_free priced free (pay{k} p) ({loss} p))"
        for k, loss in enumerate((first, second))
    ]
    proper = [f"ProperOnAll {first} {second}", f"ProperOnAll (with_values L0 0 {charged[0]}) {second}"]
    return lemma(
        "law_is_proper_with_ends",
        " /\\\n  ".join([*costs, *proper]),
        f"exact ({WHOLE.with_ends} L0 L1 {' '.join(values)} {' '.join(more)}",
        f"  lawful_costs own_cost0 own_cost1 {' '.join(facts)} charged_on_free0 charged_on_free1).",
        kind="Theorem",
    )
