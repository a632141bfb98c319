"""What every scoring rule of several classes can say of a forecast: its losses, its risk, entropy and divergence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions import exact

Forecast = tuple[Expr, ...]


class ClassRule(ABC):
    """A scoring rule of K classes, evaluated exactly; forecasts and beliefs are K numbers that add up to one."""

    __slots__ = ()

    @abstractmethod
    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class at a forecast."""

    def risk(self, report: Iterable[Any], belief: Iterable[Any]) -> Expr:
        """Return the expected loss ``R(p|q)`` of a report under a belief; a class believed impossible costs nothing."""
        believed = numbers(belief)
        pairs = zip(believed, self.at(numbers(report, len(believed))), strict=True)
        return sympy.Add(*[weight * loss for weight, loss in pairs if weight != 0])

    def entropy(self, belief: Iterable[Any]) -> Expr:
        """Return the expected loss ``H(q) = R(q|q)`` of the truth."""
        believed = numbers(belief)
        return self.risk(believed, believed)

    def divergence(self, report: Iterable[Any], belief: Iterable[Any]) -> Expr:
        """Return ``d(p, q) = R(p|q) - H(q)``, which is at least 0 for a proper rule."""
        believed = numbers(belief)
        return self.risk(report, believed) - self.entropy(believed)


def numbers(forecast: Iterable[Any], classes: int | None = None) -> Forecast:
    """Read a forecast.

    Raises:
        SpecError: if a number is outside [0, 1], or they do not add up to one, or they are not one for each class.
    """
    values = tuple(exact(value, place=f"forecast[{n}]") for n, value in enumerate(forecast))
    if len(values) < 2 or (classes is not None and len(values) != classes):
        wanted = "at least two" if classes is None else str(classes)
        raise SpecError(
            f"forecast = {values} has {len(values)} numbers", f"Give {wanted}, one for each class."
        )
    for n, value in enumerate(values):
        if not value.is_nonnegative:
            raise SpecError(f"forecast[{n}] = {value} is not a probability", "Probabilities are at least 0.")
    if sympy.Add(*values) - S.One != 0:
        raise SpecError(f"forecast = {values} adds up to {sum(values)}", "Probabilities add up to one.")
    return values
