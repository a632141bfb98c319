"""Formulas that are written in the grammar of the package and evaluated without it, in balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from tests.falsehoods.referee import BITS

Point = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Formula:
    """A text, and its value as a real ball at a point of fractions."""

    text: str
    rule: Callable[[Point], Any]

    def __call__(self, point: Point) -> Any:
        before, ctx.prec = ctx.prec, BITS
        try:
            return self.rule(point)
        finally:
            ctx.prec = before

    def __add__(self, other: Any) -> Formula:
        right = formula(other)
        return Formula(f"({self.text} + {right.text})", lambda at: self.rule(at) + right.rule(at))

    def __sub__(self, other: Any) -> Formula:
        right = formula(other)
        return Formula(f"({self.text} - {right.text})", lambda at: self.rule(at) - right.rule(at))

    def __mul__(self, other: Any) -> Formula:
        right = formula(other)
        return Formula(f"({self.text}*{right.text})", lambda at: self.rule(at) * right.rule(at))

    def __truediv__(self, other: Any) -> Formula:
        right = formula(other)
        return Formula(f"({self.text}/{right.text})", lambda at: self.rule(at) / right.rule(at))

    def __pow__(self, power: int) -> Formula:
        return Formula(f"({self.text})^{power}", lambda at: self.rule(at) ** power)

    def at(self, name: str, other: Any) -> Formula:
        """Return the value with a formula for a letter, without a text."""
        inner = formula(other)
        return Formula("", lambda at: self.rule({**at, name: inner.rule(at)}))


def formula(value: Any) -> Formula:
    """Return a number as a formula; a formula stays."""
    if isinstance(value, Formula):
        return value
    number = Fraction(int(value.numerator), int(value.denominator))
    shown = f"({number})" if number < 0 or number.denominator > 1 else str(number)
    return Formula(shown, lambda _: arb(fmpq(number.numerator, number.denominator)))


def letter(name: str) -> Formula:
    """Return a letter."""

    def value(at: Point) -> Any:
        found = at[name]
        return found if isinstance(found, arb) else arb(fmpq(found.numerator, found.denominator))

    return Formula(name, value)


def called(name: str, *arguments: Any) -> Formula:
    """Return a function of formulas: log, sqrt, exp, max, min or abs."""
    inner = [formula(one) for one in arguments]
    rule = {
        "log": arb.log,
        "sqrt": arb.sqrt,
        "exp": arb.exp,
        "abs": abs,
        "max": arb.max,
        "min": arb.min,
        "atan": arb.atan,
    }[name]
    return Formula(
        f"{name}({', '.join(one.text for one in inner)})", lambda at: rule(*[one.rule(at) for one in inner])
    )


def cases(first: Formula, name: str, bound: Any, rest: Formula) -> Formula:
    """Return ``first`` where a letter is at most a bound, and the rest elsewhere."""
    limit, here = formula(bound), letter(name)

    def value(at: Point) -> Any:
        gap = here.rule(at) - limit.rule(at)
        return first.rule(at) if gap <= 0 else rest.rule(at) if gap > 0 else arb("nan")

    return Formula(f"{first.text} if {name} <= {limit.text}; {rest.text}", value)
