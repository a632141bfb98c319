"""Several classes whose costs vary, in Coq: losses whose slopes show that they are proper, and what decisions cost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass import MulticlassDerivation
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.stages import ClassLosses, IndependentDistributions
from costderive.publish.coq.antiderivatives import antiderivative
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.class_expectations import EXPECTED, by_class, on_average
from costderive.publish.coq.class_expectations import IMPORTS as COSTS
from costderive.publish.coq.class_formulas import Formulas, termwise, theorems
from costderive.publish.coq.class_orders import OrderedRule, ordered_rule
from costderive.publish.coq.exponential_sums import by_rates, vanishing
from costderive.publish.coq.section import Section
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

NAME, IMPORTS = "rule", ("Elementary", "Acts", "Classes")
LONGEST = 12_000  # characters of all slopes


def classes_of(derivation: MulticlassDerivation) -> ClassRule | OrderedRule:
    """Return the rule of the costs of several classes.

    Raises:
        ExportError: if the derivation is of something else, the losses are no rational functions, or there are too
            many orders of the probabilities, or slopes are too long or of a sign that is not visible.
    """
    (case,) = derivation.cases
    reached = [step.after for step in case.steps]
    proper = next((x for x in reached if isinstance(x, BayesProperness)), None)
    if proper is None or not isinstance(proper.losses, ClassLosses):
        raise ExportError("the rule is not that of costs of the classes", "Coq gets those and matrices.")
    found, strict = proper.losses, proper.strict == ()
    if len(found.cells) > 1 or len(found.cells[0].order) > 1:
        return ordered_rule(found, case.given, strict=strict)
    formulas = Formulas(tuple(map(termwise, found.cells[0].losses)), case.given)
    formulas.refuse_others(LONGEST)
    return ClassRule(formulas, found.costs, strict=strict)


@dataclass(frozen=True)
class ClassRule:
    """A rule of several classes: a formula for each loss, what it is the mean of, and whether it is strictly proper."""

    formulas: Formulas
    costs: IndependentDistributions
    strict: bool

    @property
    def classes(self) -> int:
        """The number of classes."""
        return self.formulas.classes

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.formulas.given

    @property
    def _assumptions(self) -> Assumptions:
        laws = [part for one in self.costs.of_class for part in (*one.cdfs, *one.densities)]
        known = (*self.formulas.losses, *laws, *self.given.positive, *self.given.nonnegative)
        found = set().union(*[x.free_symbols for x in known]) - {x, *self.formulas.letters}
        return Assumptions(tuple(sorted(found, key=str)), self.given)

    def opening(self) -> str:
        """Return the text that opens the module, with the losses, as functions of the class and the forecast."""
        assumed = self._assumptions
        heading = [f"Module {NAME}.", *assumed.conditions(), "Section Case.", *assumed.variables()]
        risk = f"Definition risk := risk_under {self.classes} L."
        return "\n".join([*heading, "", *self.formulas.definitions(), risk, ""])

    def closing(self) -> str:
        """Return the text that closes the module."""
        return f"End Case.\nEnd {NAME}."

    def sections(self) -> tuple[Section, ...]:
        """Return that the rule is proper, and the expected costs if Coq sees their integrals."""
        with suppress(ExportError):
            return self.properness(), self._expected()
        return (self.properness(),)

    def properness(self) -> Section:
        """Return the slopes of the losses, and that the rule is proper."""
        found = self.formulas
        signs = lemma(
            "positive_slopes",
            f"slopes_positive {self.classes} D",
            f"positive_by_pairs ltac:(cbv [D {found.of_slopes}]).",
        )
        lemmas = [found.sloped(), found.symmetric(), signs, found.same()]
        facts = "L D all_of_them_sloped symmetric positive_slopes same"
        proper = theorems(self.classes, self.strict, "positive_slopes", facts)
        return Section(NAME, "properness", IMPORTS, "\n".join([*lemmas, *proper.values()]), tuple(proper))

    def _expected(self) -> Section:
        """Return that the costs have laws, and that decisions cost what the losses say.

        Raises:
            ExportError: if an antiderivative is not found, or its limit is not seen.
        """
        laws = self.costs.of_class
        defined = [
            by_class("chance_below", "R -> R", [f"fun x => {term(one.cdfs[0])}" for one in laws]),
            by_class("density_of_cost", "R -> R", [f"fun x => {term(one.densities[0])}" for one in laws]),
            *[self._amount(label) for label in range(self.classes)],
        ]
        theorems = {f"lawful{label}": self._lawful(label) for label in range(self.classes)}
        theorems |= {f"expected_cost{label}": self._expected_cost(label) for label in range(self.classes)}
        theorems |= {"lawful_costs": self._chances()}
        each = " | ".join(f"exact (expected_cost{label} report Report)" for label in range(self.classes))
        theorems |= on_average(self.classes, self.costs.factor, f"each_class label; [{each}].")
        lemmas = [*defined, self._not_negative(), *theorems.values()]
        return Section(NAME, EXPECTED, COSTS, "\n".join(lemmas), tuple(theorems))

    def _not_negative(self) -> str:
        return lemma(
            "density_not_negative",
            f"forall label value, (label < {self.classes})%nat -> 0 < value ->\n  0 <= density_of_cost label value",
            "intros label value Label Positive. each_class label; cbv [density_of_cost]; see.",
        )

    def _chances(self) -> str:
        each = " | ".join(f"exact lawful{label}" for label in range(self.classes))
        return lemma(
            "lawful_costs",
            f"forall label, (label < {self.classes})%nat ->\n  is_chance (chance_below label) (density_of_cost label)",
            "intros label Label. apply law_of_cost_is_chance;",
            "  [| intros value Positive; each_class label; cbv [density_of_cost]; smooth].",
            f"each_class label; [{each}].",
            kind="Theorem",
        )

    def _amount(self, label: int) -> str:
        """Define an antiderivative of what is paid at a cost of a class, as it varies."""
        paid = self.costs.factor * self.costs.integrand(label, (0,) * self.classes)
        found = antiderivative(sympy.expand(paid), x, self.given)
        named = " ".join(f"let p{k} := p {k}%nat in" for k in range(self.classes))
        written = self._vanishing(found)
        return f"Definition amount{label} (p : nat -> R) (x : R) : R :=\n  {named}\n  {written}."

    def _vanishing(self, expr: Expr) -> str:
        """Write powers times exponentials whose rates are sums, as those of products of distribution functions."""
        rates = by_rates(expr, x, in_both_shares)
        if rates is None:
            raise ExportError("a law has no exponential tail", "Coq gets exponential and Gamma costs.")
        return vanishing(rates, x, atomic, lambda rate: f"({term(sympy.expand(rate))})")

    def _lawful(self, label: int) -> str:
        rest = self._vanishing(self.costs.of_class[label].cdfs[0] - 1)
        proof = f"lawful_by ltac:(cbv [chance_below density_of_cost]) (fun x => {rest})."
        return lemma(
            f"lawful{label}",
            f"is_law_of_cost (chance_below {label}) (density_of_cost {label})",
            proof,
            kind="Theorem",
        )

    def _expected_cost(self, label: int) -> str:
        count, factor = self.classes, atomic(self.costs.factor)
        paid = f"costs_of_class {count} {factor} chance_below density_of_cost {label} p (L {label} p)"
        laws = "chance_of_another product_over Nat.eqb chance_below density_of_cost"
        unfolded = f"cbv [{laws} L loss{label} amount{label}]"
        return lemma(
            f"expected_cost{label}",
            f"forall p, positive_forecast {count} p ->\n  {paid}",
            f"expected_by ltac:({unfolded}) amount{label}.",
            kind="Theorem",
        )
