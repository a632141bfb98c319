"""What decisions between several classes cost on average, in Coq, from the densities of independent costs.

The decision is for the class with the largest cost times probability, and stands inside of the integrals over all
costs. A class costs its loss on average; and whatever the expected costs are, in one order of integration, they are
proper.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.costs.laws import x
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Atoms", "ExpectedLoss", "Costs", "Tails"),
    *("Areas", "Strips", "Cuts", "ClosedForms", "Acts", "Classes", "ClassCosts", "BayesActs"),
)
EXPECTED = "expected costs"


def by_class(name: str, kind: str, texts: list[str]) -> str:
    """Define what each class has, or all of them if it is the same."""
    if len(set(texts)) == 1:
        return f"Definition {name} (label : nat) : {kind} := {texts[0]}."
    cases = [*[f"{label}%nat" for label, _ in enumerate(texts[:-1])], "_"]
    rows = [f"  | {case} => {text}" for case, text in zip(cases, texts, strict=True)]
    return "\n".join([f"Definition {name} (label : nat) : {kind} :=", "  match label with", *rows, "  end."])


def on_average(classes: int, factor: Expr, expected: str) -> dict[str, str]:
    """Return the theorems that a class costs its loss on average, and that all expected costs are proper.

    ``expected`` proves what a class costs by the chances of other decisions, for a class that is a number.
    """
    law = f"{classes} {atomic(factor)}"
    of_class = f"(label < {classes})%nat -> positive_forecast {classes} report ->"
    both = f"positive_forecast {classes} p -> positive_forecast {classes} q ->"
    paid = f"paid_as_by_chances {law} chance_below density_of_cost lawful_costs label report Label Report"
    some = f"expected_of {law} density_of_cost (seq 0 {classes}) label report (E label report)"
    return {
        "decisions_cost": lemma(
            "decisions_cost label report",
            f"{of_class}\n  paid_on_average {law} density_of_cost label report (L label report)",
            f"intros Label Report. apply ({paid}). {expected}",
            kind="Theorem",
        ),
        "costs_are_proper": lemma(
            "costs_are_proper E",
            f"(forall label report, {of_class} {some}) ->\n"
            f"  forall p q, {both} risk_under {classes} E q q <= risk_under {classes} E p q",
            f"apply (densities_of_classes_are_proper {law} density_of_cost E); [see | exact density_not_negative].",
            kind="Theorem",
        ),
    }


@dataclass(frozen=True)
class BoundedCosts:
    """Independent costs up to bounds, by the coefficients of their distribution functions, which are polynomials."""

    factor: Expr
    bounds: tuple[Expr, ...]
    coefficients: tuple[tuple[Expr, ...], ...]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.bounds)

    def definitions(self) -> list[str]:
        """Return the definitions of bounds, distribution functions and densities."""
        listed = [f"[{'; '.join(map(term, each))}]" for each in self.coefficients]
        return [
            by_class("bound", "R", [term(bound) for bound in self.bounds]),
            by_class("distribution", "list R", listed),
            "Definition chance_below := bounded_chance bound (chance_up_to distribution).",
            "Definition density_of_cost := bounded_density bound (density_up_to distribution).",
        ]

    def theorems(self, orders: dict[str, Expr]) -> tuple[list[str], dict[str, str]]:
        """Return lemmas, and theorems by name, on the losses in orders, each with what bounds are of marks."""
        law = f"{self.classes} {atomic(self.factor)}"
        of_class = f"(label < {self.classes})%nat -> positive_forecast {self.classes} report ->"
        read = "ltac:(cbv [bound distribution]; formulas_read)"
        lemmas = [
            lemma(
                "laws_up_to_bounds",
                f"forall label, (label < {self.classes})%nat ->\n"
                "  is_law_up_to (bound label) (chance_up_to distribution label) (density_up_to distribution label)",
                "bounded_laws ltac:(cbv [bound distribution]).",
            ),
            lemma(
                "density_not_negative",
                f"forall label value, (label < {self.classes})%nat -> 0 < value ->\n  0 <= density_of_cost label value",
                "intros label value Label. exact (bounded_not_negative _ _ _ (laws_up_to_bounds label Label) value).",
            ),
            *[
                lemma(
                    f"costs_in_{name}",
                    f"costs_of_order {law} bound (chance_up_to distribution) (density_up_to distribution) {name}",
                    f"costs_by_pieces laws_up_to_bounds {atomic(multiple)} orders_read {read}.",
                )
                for name, multiple in orders.items()
            ],
        ]
        every = " | ".join(f"exact costs_in_{name}" for name in orders)
        last = [*orders][-1]
        found = {
            "lawful_costs": lemma(
                "lawful_costs",
                f"forall label, (label < {self.classes})%nat ->\n"
                "  is_chance (chance_below label) (density_of_cost label)",
                "intros label Label. exact (bounded_is_chance _ _ _ (laws_up_to_bounds label Label)).",
                kind="Theorem",
            ),
            "expected_cost": lemma(
                "expected_cost label report",
                f"{of_class}\n  costs_of_class {law} chance_below density_of_cost label report (L label report)",
                f"apply (costs_by_order {law} bound _ _ orders {last}); [| exact complete].",
                f"in_all_orders; [{every}].",
                kind="Theorem",
            ),
        }
        return lemmas, found | on_average(
            self.classes, self.factor, "exact (expected_cost label report Label Report)."
        )


def bounded_costs(costs: IndependentDistributions) -> BoundedCosts:
    """Return costs up to their bounds.

    Raises:
        ExportError: if a cost has no bound, or its distribution function is no polynomial up to it.
    """
    coefficients = tuple(map(_coefficients, costs.of_class))
    return BoundedCosts(costs.factor, tuple(one.marks[0] for one in costs.of_class), coefficients)


def _coefficients(law: Distribution) -> tuple[Expr, ...]:
    if len(law.marks) != 1 or law.jumps != (0,) or law.densities[1] != 0:
        raise ExportError("a cost goes on beyond its bound", "Coq gets costs from 0 to a bound.")
    polynomial = law.cdfs[0].as_poly(x)
    if polynomial is None:
        raise ExportError(
            "a distribution function is no polynomial", "Coq gets polynomials of several classes."
        )
    return tuple(sympy.sympify(each) for each in reversed(polynomial.all_coeffs()))
