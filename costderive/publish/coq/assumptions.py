"""What is assumed of the parameters of a case, as the opening of its module in Coq."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
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
            f"exists {values}; unfold assumed; {'lra' if self._is_rational() else 'holds'}.",
            kind="Example",
        )

    def _is_rational(self) -> bool:
        """Return whether rational functions alone are assumed to be positive.

        Raises:
            ExportError: if there is something else than an exponential, or one or a quotient of powers below 1.
        """
        facts = (*self.given.positive, *self.given.nonnegative)
        others = [fact for fact in facts if not fact.is_rational_function(*self.parameters)]
        if not all(
            isinstance(fact, sympy.exp) or isinstance(1 - fact, sympy.exp) or _is_quotient_of_powers(1 - fact)
            for fact in others
        ):
            raise ExportError("Coq sees no example of the assumptions", "Give letters numbers.")
        return not others

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


def _is_quotient_of_powers(expr: Expr) -> bool:
    above, below = (part.as_base_exp() for part in sympy.fraction(expr))
    return bool(above[1] == below[1] and above[1].free_symbols)


def _inequality(fact: Expr, relation: str) -> str:
    terms = fact.expand().as_ordered_terms()
    less = sum((-x for x in terms if x.as_coeff_Mul()[0].is_negative), start=0 * fact)
    return f"{term(less)} {relation} {term(fact.expand() + less)}"
