"""Losses of several classes by one formula each, in Coq, with their slopes in the probabilities.

The slope of the loss of a class in the probability of another one is that of the other in the probability of the
first, and it is positive. As the losses depend on the ratios of the probabilities alone, that suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.multiclass.letters import predicted
from costderive.publish.coq.facts import sure
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import term


@dataclass(frozen=True)
class Formulas:
    """A formula for the loss of each class, what is known of letters and probabilities, and what follows the names."""

    losses: tuple[Expr, ...]
    given: Given
    suffix: str = ""

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
        """The slope of the loss of the first class of each pair in the probability of the second, visibly positive.

        Raises:
            ExportError: if that is not visible.
        """
        return {(i, j): self._slope(self.losses[i], predicted(j)) for i, j in self.pairs}

    def _slope(self, loss: Expr, letter: Symbol) -> str:
        return sure(sympy.factor(sympy.diff(loss, letter)), None, self.given).text

    def named(self, name: str) -> str:
        """Return a name as it stands for these formulas."""
        return f"{name}{self.suffix}"

    @property
    def names(self) -> str:
        """The names of all formulas, and of losses and slopes by classes."""
        losses = [self.named(f"loss{label}") for label in range(self.classes)]
        return " ".join([self.named("L"), self.named("D"), *losses, self.of_slopes])

    @property
    def of_slopes(self) -> str:
        """The names of the formulas of the slopes."""
        return " ".join(self._slope_of(*pair) for pair in self.pairs)

    def _slope_of(self, i: int, j: int) -> str:
        return self.named(f"slope{i}_{j}")

    def refuse_others(self, longest: int) -> None:
        """Refuse losses that are no rational functions, and slopes with too many characters.

        Raises:
            ExportError: if there are such.
        """
        if not all(loss.is_rational_function() for loss in self.losses):
            raise ExportError("a loss is no rational function", "Coq gets such losses of several classes.")
        if sum(map(len, self.slopes.values())) > longest:
            raise ExportError(
                "the slopes of the losses are too long", "Coq gets few classes of short formulas."
            )

    # ---- in Coq

    def definitions(self) -> Iterator[str]:
        """Define losses and slopes: of the probabilities, and of the class and the forecast."""
        losses = {self.named(f"loss{label}"): term(loss) for label, loss in enumerate(self.losses)}
        slopes = {self._slope_of(*pair): text for pair, text in self.slopes.items()}
        arguments = " ".join(map(str, self.letters))
        for name, text in (losses | slopes).items():
            yield f"Definition {name} ({arguments} : R) : R :=\n  {text}."
        yield from self._by_classes()

    def _by_classes(self) -> Iterator[str]:
        """Define the loss of a class at a forecast, and its slope in the probability of another one."""
        at = " ".join(f"(p {label}%nat)" for label in range(self.classes))
        by_class = " | ".join(
            f"{case} => {self.named(f'loss{k}')}" for k, case in enumerate(self.cases("{}"))
        )
        by_pair = " | ".join(f"{i}, {j} | {j}, {i} => {self._slope_of(i, j)}" for i, j in self.pairs)
        other = f"_, _ => fun {' '.join('_' * self.classes)} => 0%R"
        yield (
            f"Definition {self.named('L')} (i : nat) (p : nat -> R) : R :=\n"
            f"  match i with {by_class} end%nat\n  {at}."
        )
        yield (
            f"Definition {self.named('D')} (i j : nat) (p : nat -> R) : R :=\n"
            f"  match i, j with {by_pair} | {other} end%nat\n  {at}."
        )

    def cases(self, written: str) -> list[str]:
        """Return the pattern of each class; the last one stands for all others."""
        return [*[written.format(label) for label in range(self.classes - 1)], "_"]

    def sloped(self) -> str:
        """Return the lemma that the losses have the slopes."""
        unfolded = f"ltac:(cbv [slope_along sum_over {self.names}])"
        statement = f"all_sloped {self._of_both}"
        proof = f"intros label Label. each_class label; sloped_loss_by {unfolded}."
        return self._lemma("all_of_them_sloped", statement, proof)

    @property
    def _of_both(self) -> str:
        return f"{self.classes} {self.named('L')} {self.named('D')}"

    def symmetric(self) -> str:
        """Return the lemma that the slopes are symmetric."""
        statement = f"symmetric_slopes {self.classes} {self.named('D')}"
        return self._lemma("symmetric", statement, "symmetric_by_pairs.")

    def same(self) -> str:
        """Return the lemma that the losses look at the probabilities one by one."""
        return self._lemma(
            "same",
            f"only_probabilities {self.named('L')}",
            f"intros label report other E. unfold {self.named('L')}. rewrite !E. reflexivity.",
        )

    def _lemma(self, name: str, statement: str, proof: str) -> str:
        return lemma(self.named(name), statement, proof)


def termwise(loss: Expr) -> Expr:
    """Write each term of a loss as one fraction."""
    return sympy.Add(*[sympy.factor(part) for part in loss.as_ordered_terms()])


def theorems(classes: int, strict: bool, library: str, facts: str) -> dict[str, str]:
    """Return the theorems on properness, strictly if it is so, by those of the library on such rules."""
    both = f"positive_forecast {classes} p -> positive_forecast {classes} q ->"
    proof = f"exact ({library}_are_{{}} {classes} {facts})."
    found = {"proper": (f"forall p q, {both} risk q q <= risk p q", proof.format("proper"))}
    if strict:
        statement = (
            f"forall p q, {both}\n  sum_over {classes} p = 1 -> sum_over {classes} q = 1 ->\n"
            f"  (exists i, (i < {classes})%nat /\\ p i <> q i) -> risk q q < risk p q"
        )
        found["strictly_proper"] = (statement, proof.format("strictly_proper"))
    return {name: lemma(name, *pair, kind="Theorem") for name, pair in found.items()}
