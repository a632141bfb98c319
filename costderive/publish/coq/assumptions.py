"""What is assumed of the parameters of a case, as the opening of its module in Coq."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.deciders.sample_points import points
from costderive.publish.coq.tactics import filled, lemma
from costderive.publish.coq.terms import identifier, identifiers, term


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Parameters, in the order of their names, and what is known of them."""

    parameters: tuple[Symbol, ...]
    given: Given

    def conditions(self) -> Iterator[str]:
        """Define what is assumed of the parameters, and show that it does not contradict itself, by an example.

        Raises:
            ExportError: if no example is found.
        """
        names = identifiers(self.parameters)
        if not names:
            return
        admissible = points(set(self.parameters), None, self.given)
        if not admissible:
            raise ExportError(
                "no parameters were found that satisfy the assumptions", "State the assumptions differently."
            )
        letters = " ".join(names)
        values = ", ".join(f"({term(admissible[0][symbol])})" for symbol in self.parameters)
        all_of_them = " /\\ ".join(self._hypotheses()) or "True"
        yield f"Definition assumed ({letters} : R) : Prop := {all_of_them}."
        yield lemma(
            "possible",
            f"exists {letters} : R, assumed {letters}",
            f"exists {values}; unfold assumed; lra.",
            kind="Example",
        )

    def variables(self) -> Iterator[str]:
        """Introduce the parameters in a section, and each fact about them by a name."""
        names = identifiers(self.parameters)
        if not names:
            return
        letters, hypotheses = " ".join(names), self._hypotheses()
        yield f"Variables {letters} : R."
        yield f"Hypothesis given : assumed {letters}."
        yield from filled(self._facts(hypotheses), "")

    def _facts(self, hypotheses: list[str]) -> Iterator[str]:
        rest = "given"
        for number, hypothesis in enumerate(hypotheses, start=1):
            own = rest if number == len(hypotheses) else f"proj1 {rest}"
            yield f"Let given{number} : {hypothesis} := {own}."
            rest = f"(proj2 {rest})"

    def _hypotheses(self) -> list[str]:
        """Return what is assumed of the parameters, each fact with its subtracted terms on the other side."""
        signs = [f"0 < {identifier(symbol)}" for symbol in self.parameters if symbol.is_positive]
        strict = [_inequality(fact, "<") for fact in self.given.positive]
        weak = [_inequality(fact, "<=") for fact in self.given.nonnegative]
        return list(dict.fromkeys([*signs, *strict, *weak]))


def _inequality(fact: Expr, relation: str) -> str:
    terms = fact.expand().as_ordered_terms()
    less = sum((-x for x in terms if x.as_coeff_Mul()[0].is_negative), start=0 * fact)
    return f"{term(less)} {relation} {term(fact.expand() + less)}"
