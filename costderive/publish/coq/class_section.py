"""Several classes whose costs vary, in Coq: losses of one formula each, whose slopes show that they are proper.

The slope of the loss of a class in the probability of another one is that of the other in the probability of the
first, and it is positive. As the losses depend on the ratios of the probabilities alone, that suffices.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass import MulticlassDerivation
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.letters import predicted
from costderive.multiclass.stages import ClassLosses, IndependentDistributions
from costderive.publish.coq.antiderivatives import antiderivative
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.exponential_sums import by_rates, vanishing
from costderive.publish.coq.facts import sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

NAME, IMPORTS = "rule", ("Elementary", "Acts", "Classes")
COSTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Atoms", "ExpectedLoss", "Costs", "Tails"),
    *("Areas", "Strips", "Cuts", "ClosedForms", "Acts", "Classes", "ClassCosts"),
)
EXPECTED = "expected costs"
LONGEST = 12_000  # characters of all slopes


def classes_of(derivation: MulticlassDerivation) -> ClassRule:
    """Return the rule of the costs of several classes.

    Raises:
        ExportError: if the derivation is of something else, the losses have other formulas in other orders of the
            probabilities, or no rational ones, or slopes are too long or of a sign that is not visible.
    """
    (case,) = derivation.cases
    reached = [step.after for step in case.steps]
    proper = next((x for x in reached if isinstance(x, BayesProperness)), None)
    if proper is None or not isinstance(proper.losses, ClassLosses):
        raise ExportError("the rule is not that of costs of the classes", "Coq gets those and matrices.")
    if len(proper.losses.cells) > 1 or len(proper.losses.cells[0].order) > 1:
        raise ExportError(
            "the losses have different formulas in different orders of the probabilities",
            "Coq gets losses of one formula each, as those of exponential and Gamma costs.",
        )
    losses = tuple(_termwise(loss) for loss in proper.losses.cells[0].losses)
    if not all(loss.is_rational_function() for loss in losses):
        raise ExportError("a loss is no rational function", "Coq gets such losses of several classes.")
    rule = ClassRule(losses, proper.losses.costs, case.given, strict=proper.strict == ())
    if sum(map(len, rule.slopes.values())) > LONGEST:
        raise ExportError("the slopes of the losses are too long", "Coq gets few classes of short formulas.")
    return rule


def _termwise(loss: Expr) -> Expr:
    """Write each term as one fraction."""
    return sympy.Add(*[sympy.factor(part) for part in loss.as_ordered_terms()])


@dataclass(frozen=True)
class ClassRule:
    """A rule of several classes: a formula for each loss, what it is the mean of, and whether it is strictly proper."""

    losses: tuple[Expr, ...]
    costs: IndependentDistributions
    given: Given
    strict: bool

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.losses)

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The predicted probabilities."""
        return tuple(map(predicted, range(self.classes)))

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of classes."""
        return tuple(combinations(range(self.classes), 2))

    @cached_property
    def slopes(self) -> dict[tuple[int, int], str]:
        """The slope of the loss of the first class of each pair in the probability of the second, visibly positive."""
        return {(i, j): self._slope(self.losses[i], predicted(j)) for i, j in self.pairs}

    def _slope(self, loss: Expr, letter: Symbol) -> str:
        return sure(sympy.factor(sympy.diff(loss, letter)), None, self.given).text

    @property
    def _assumptions(self) -> Assumptions:
        laws = [part for one in self.costs.of_class for part in (*one.cdfs, *one.densities)]
        known = (*self.losses, *laws, *self.given.positive, *self.given.nonnegative)
        found = set().union(*[x.free_symbols for x in known]) - {x, *self.letters}
        return Assumptions(tuple(sorted(found, key=str)), self.given)

    def opening(self) -> str:
        """Return the text that opens the module, with the losses, as functions of the class and the forecast."""
        assumed = self._assumptions
        heading = [f"Module {NAME}.", *assumed.conditions(), "Section Case.", *assumed.variables()]
        return "\n".join([*heading, "", *self._formulas(), *self._by_classes(), ""])

    def _formulas(self) -> list[str]:
        """Define losses and slopes as functions of the probabilities."""
        losses = {f"loss{label}": term(loss) for label, loss in enumerate(self.losses)}
        slopes = {f"slope{i}_{j}": text for (i, j), text in self.slopes.items()}
        arguments = " ".join(map(str, self.letters))
        return [
            f"Definition {name} ({arguments} : R) : R :=\n  {text}."
            for name, text in (losses | slopes).items()
        ]

    def _by_classes(self) -> list[str]:
        """Define the loss of a class at a forecast, its slope in the probability of another one, and the risk."""
        at = " ".join(f"(p {label}%nat)" for label in range(self.classes))
        by_class = " | ".join(f"{case} => loss{label}" for label, case in enumerate(self._cases("{}")))
        by_pair = " | ".join(f"{i}, {j} | {j}, {i} => slope{i}_{j}" for i, j in self.pairs)
        other = f"_, _ => fun {' '.join('_' * self.classes)} => 0%R"
        return [
            f"Definition L (i : nat) (p : nat -> R) : R :=\n  match i with {by_class} end%nat\n  {at}.",
            "Definition D (i j : nat) (p : nat -> R) : R :=\n"
            f"  match i, j with {by_pair} | {other} end%nat\n  {at}.",
            f"Definition risk := risk_under {self.classes} L.",
        ]

    def _cases(self, written: str) -> list[str]:
        """Return the pattern of each class; the last one stands for all others."""
        return [*[written.format(label) for label in range(self.classes - 1)], "_"]

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
        lemmas = [*map(self._sloped, range(self.classes)), self._all_sloped(), *self._of_slopes()]
        theorems = self._theorems()
        text = "\n".join([*lemmas, *theorems.values()])
        return Section(NAME, "properness", IMPORTS, text, tuple(theorems))

    def _sloped(self, label: int) -> str:
        used = [f"slope{i}_{j}" for i, j in self.pairs if label in (i, j)]
        unfolded = f"cbv [slope_along sum_over L D loss{label} {' '.join(used)}]"
        return lemma(
            f"sloped{label}", f"sloped {self.classes} L D {label}", f"sloped_loss_by ltac:({unfolded})."
        )

    def _all_sloped(self) -> str:
        each = " | ".join(f"exact sloped{label}" for label in range(self.classes))
        statement = f"all_sloped {self.classes} L D"
        return lemma("all_of_them_sloped", statement, f"intros label Label. each_class label; [{each}].")

    def _of_slopes(self) -> tuple[str, str, str]:
        unfolded = f"cbv [D {' '.join(f'slope{i}_{j}' for i, j in self.pairs)}]"
        count = self.classes
        return (
            lemma("symmetric", f"symmetric_slopes {count} D", "symmetric_by_pairs."),
            lemma("positive_slopes", f"slopes_positive {count} D", f"positive_by_pairs ltac:({unfolded})."),
            lemma(
                "same",
                "only_probabilities L",
                "intros label report other E. unfold L. rewrite !E. reflexivity.",
            ),
        )

    def _expected(self) -> Section:
        """Return that the costs have laws, and that decisions cost what the losses say.

        Raises:
            ExportError: if an antiderivative is not found, or its limit is not seen.
        """
        laws = self.costs.of_class
        defined = [
            self._by_class("chance_below", [term(one.cdfs[0]) for one in laws]),
            self._by_class("density_of_cost", [term(one.densities[0]) for one in laws]),
            *[self._amount(label) for label in range(self.classes)],
        ]
        theorems = {f"lawful{label}": self._lawful(label) for label in range(self.classes)}
        theorems |= {f"expected_cost{label}": self._expected_cost(label) for label in range(self.classes)}
        return Section(NAME, EXPECTED, COSTS, "\n".join([*defined, *theorems.values()]), tuple(theorems))

    def _by_class(self, name: str, texts: list[str]) -> str:
        """Define a function of a cost for each class."""
        rows = [
            f"  | {case} => fun x => {text}" for case, text in zip(self._cases("{}%nat"), texts, strict=True)
        ]
        return "\n".join(
            [f"Definition {name} (label : nat) : R -> R :=", "  match label with", *rows, "  end."]
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

    def _theorems(self) -> dict[str, str]:
        count, facts = self.classes, "all_of_them_sloped symmetric positive_slopes same"
        both = f"positive_forecast {count} p -> positive_forecast {count} q ->"
        found = {
            "proper": lemma(
                "proper",
                f"forall p q, {both} risk q q <= risk p q",
                f"exact (positive_slopes_are_proper {count} L D {facts}).",
                kind="Theorem",
            )
        }
        if self.strict:
            found["strictly_proper"] = lemma(
                "strictly_proper",
                f"forall p q, {both}\n  sum_over {count} p = 1 -> sum_over {count} q = 1 ->\n"
                f"  (exists i, (i < {count})%nat /\\ p i <> q i) -> risk q q < risk p q",
                f"exact (positive_slopes_are_strictly_proper {count} L D {facts}).",
                kind="Theorem",
            )
        return found
