"""Errors that say what failed, on which value, and what to do."""

from __future__ import annotations

from collections.abc import Iterable


class CostDeriveError(Exception):
    """Base of every error that costderive raises on purpose.

    The message has three parts: what failed, the offending value, and a remedy on its own line.

    >>> print(CostDeriveError("context.c0.low = 3 is not below context.c0.high = 2", "Swap them."))
    context.c0.low = 3 is not below context.c0.high = 2.
      Swap them.
    """

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = problem.rstrip(".")
        self.remedy = remedy
        super().__init__(f"{self.problem}.\n  {remedy}" if remedy else f"{self.problem}.")

    def __reduce__(self) -> tuple[type[CostDeriveError], tuple[str, str]]:
        return type(self), (self.problem, self.remedy)


class SpecError(CostDeriveError, ValueError):
    """A context, a spec file or an expression that does not say something meaningful."""


class DivergentCostError(SpecError):
    """A context whose expected cost diverges in a way that leaves no scoring rule."""


class NegativeCostError(SpecError):
    """Costs that may be below 0."""


class ImproperLawError(SpecError):
    """Something was asked of an improper law that only a law of total mass 1 has, such as a random draw."""


class DataError(CostDeriveError, ValueError):
    """Predictions, labels or weights that cannot be scored."""


class NotProvedError(CostDeriveError):
    """A report was required to be proved, and at least one finding is not."""


class ParametersLeftError(CostDeriveError, ValueError):
    """A number was asked of an object that still has symbolic parameters."""


def require_values(letters: Iterable[object], built: str) -> None:
    """Refuse letters: what has been built with them has to be built with numbers.

    Raises:
        ParametersLeftError: if there are any.
    """
    names = ", ".join(map(str, letters))
    if names:
        problem = f"{names} have no values" if "," in names else f"{names} has no value"
        raise ParametersLeftError(problem, f"Build the {built} again, with numbers in place of letters.")


class CompileTimeError(CostDeriveError, TimeoutError):
    """A loss that was not compiled within its time limit."""


class LostError(CostDeriveError, TimeoutError):
    """A process that was ended from outside before it had answered: that says nothing of what it was asked."""


class OutOfMemoryError(CostDeriveError, TimeoutError):
    """A process had no memory left before it had answered."""


class ExportError(CostDeriveError):
    """An export target that cannot express what it was given."""
