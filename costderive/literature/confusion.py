"""A question on rates of errors: an equation in the shares of true and false positives and negatives."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.core.piecewise import Given
from costderive.core.symbols import parameter, pi0, pi1
from costderive.literature.definitions import Where
from costderive.literature.equality_questions import equality
from costderive.literature.question import Question, Ruling
from costderive.literature.wording import equations
from costderive.publish.formulas.printing import inline

CDFS = parameter("F0"), parameter("F1")


@dataclass(frozen=True, slots=True)
class Confusion(Question):
    """An equation in TP, FN, FP and TN, the shares of all instances, where one class is called positive.

    Class 1 is predicted above a threshold, at which the scores of class k have the distribution function Fk. What the
    four shares are follows from this and from the class that is called positive; a file cannot define them.
    """

    left: Expr
    right: Expr
    positive: int

    def formal(self) -> tuple[str, ...]:
        """The equation, and what its letters stand for."""
        convention = f"class {self.positive} positive, class 1 predicted above the threshold"
        line = f"{inline(self.left)} = {inline(self.right)}, with {convention}"
        return (f"{line}, so that {equations(self.shares)}",)

    @property
    def shares(self) -> Where:
        """The shares that occur in the equation."""
        used = self.left.free_symbols | self.right.free_symbols
        return tuple(row for row in self._all if row[0] in used)

    @property
    def _all(self) -> Where:
        below = tuple(pi * cdf for pi, cdf in zip((pi0, pi1), CDFS, strict=True))
        above = tuple(pi * (1 - cdf) for pi, cdf in zip((pi0, pi1), CDFS, strict=True))
        right, wrong = (below[0], above[1]), (above[0], below[1])
        yes, no = self.positive, 1 - self.positive
        shares = {"TP": right[yes], "FN": wrong[yes], "FP": wrong[no], "TN": right[no]}
        return tuple((parameter(name), share) for name, share in shares.items())

    def ruling(self) -> Ruling:
        """Put the shares in and decide the equation."""
        return equality(self.left, self.right, None, Given(), self.shares)
