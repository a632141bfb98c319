"""What a room that decides signs in one way may ask about the parts of an expression: the whole way of deciding."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sympy import Expr, Integral

from costderive.core.piecewise import Given, Interval

Decide = Callable[[Expr, Interval | None, Given, bool], str | None]
Real = Callable[[Expr, Interval | None, Given], bool]


class Asking(NamedTuple):
    """How a sign is decided, and whether what it is asked of is a real number, for all parts of one expression."""

    decide: Decide
    is_real: Real
    on: Interval | None
    given: Given

    def positive(self, expr: Expr) -> bool:
        return self.decide(expr, self.on, self.given, True) is not None

    def nonnegative(self, expr: Expr) -> bool:
        return self.decide(expr, self.on, self.given, False) is not None

    def real(self, expr: Expr) -> bool:
        return self.is_real(expr, self.on, self.given)

    def finite(self, expr: Expr) -> bool:
        """What has a sign may be an integral that is infinite."""
        return not expr.has(Integral) or self.real(expr)
