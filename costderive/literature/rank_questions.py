"""A question on rankings: the area under the ROC curve from the ranks of the predictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, Rational, Symbol

from costderive.core.exact_values import value_at
from costderive.core.symbols import parameter
from costderive.literature.question import Outcome, Question, Ruling
from costderive.publish.formulas.printing import inline

LARGEST = 4
DOT, N, N1 = (parameter(name) for name in ("D", "n", "n1"))

Ranks = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AucIs(Question):
    """The AUC is an expression in ``D = y . psi``, ``n`` and ``n1``, for each ranking of up to a few instances.

    ``psi_i`` is the number of instances that are ranked below i less the number of those above it. The AUC is the
    share of pairs of an instance of class 1 and one of class 0 in which the former is ranked higher; a tie counts half.
    """

    formula: Expr

    def formal(self) -> tuple[str, ...]:
        """The formula and its letters."""
        letters = "D = y·ψ, ψᵢ = #{j: ωⱼ < ωᵢ} − #{j: ωⱼ > ωᵢ}, n₁ of the n instances of class 1"
        return (
            f"AUC = {inline(self.formula)}, where {letters}",
            f"for every ranking with ties of n ≤ {LARGEST} instances",
        )

    def ruling(self) -> Ruling:
        """Go through all rankings, with ties, and all labels of both classes."""
        cases = [case for n in range(2, LARGEST + 1) for case in _cases(n)]
        for ranks, labels in cases:
            letters: dict[Symbol, Expr] = {
                DOT: Integer(_dot(ranks, labels)),
                N: Integer(len(labels)),
                N1: Integer(sum(labels)),
            }
            printed, true = value_at(self.formula, letters), _auc(ranks, labels)
            if printed != true:
                wrong = (
                    f"of the ranks {ranks} with the labels {labels} the AUC is {true}, not {inline(printed)}"
                )
                return Ruling(Outcome.FAILS, (wrong,))
        known = f"true of all {len(cases)} rankings with labels of 2 to {LARGEST} instances of both classes"
        return Ruling(Outcome.HOLDS, (known,))


def _cases(n: int) -> Iterator[tuple[Ranks, Ranks]]:
    """Return all rankings with ties of n instances, with all labels of both classes."""
    for ranks in product(range(n), repeat=n):
        if set(ranks) == set(range(max(ranks) + 1)):
            yield from ((ranks, labels) for labels in product((0, 1), repeat=n) if 0 < sum(labels) < n)


def _dot(ranks: Ranks, labels: Ranks) -> int:
    """Return ``y . psi``."""
    above = [sum(x < mine for x in ranks) - sum(x > mine for x in ranks) for mine in ranks]
    return sum(y * psi for y, psi in zip(labels, above, strict=True))


def _auc(ranks: Ranks, labels: Ranks) -> Rational:
    ones, zeros = ([x for x, y in zip(ranks, labels, strict=True) if y == label] for label in (1, 0))
    won = sum(Fraction(2 * (x > z) + (x == z), 2) for x, z in product(ones, zeros))
    share = Fraction(won, len(ones) * len(zeros))
    return Rational(share.numerator, share.denominator)
