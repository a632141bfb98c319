"""A question on the values that an expression takes on a range, such as those of a new variable of integration."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.core.piecewise import Given, Interval
from costderive.deciders.limits import Approach, value_at
from costderive.literature.definitions import Where, filled
from costderive.literature.equality_questions import equality
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.literature.wording import span, under
from costderive.proof.checker import decide
from costderive.proof.claims import Finding, Positive, Regular
from costderive.publish.formulas.printing import inline


@dataclass(frozen=True, slots=True)
class RangeIs(Question):
    """An expression that only rises, or only falls, takes just the values between its limits at the ends."""

    expression: Expr
    on: Interval
    values: tuple[Expr, Expr]
    where: Where = ()

    def formal(self) -> tuple[str, ...]:
        """The range of the expression, and that of its letter."""
        return (
            f"{inline(self.expression)} takes the values {_between(*self.values)}{under(self.where, self.on)}",
        )

    def ruling(self) -> Ruling:
        """Decide that the slope has a sign, and compare the limits at the ends with the values printed."""
        expr = filled(self.expression, self.where)
        rises, falls = _monotone(expr, self.on, 1), _monotone(expr, self.on, -1)
        found = falls if outcome_of(falls) is Outcome.HOLDS else rises
        ends = _limit(expr, self.on, "+"), _limit(expr, self.on, "-")
        if outcome_of(found) is not Outcome.HOLDS or None in ends:
            return Ruling(Outcome.OPEN, (f"that it only rises or falls for {span(self.on)}: {how(found)}",))
        low, high = [end for end in (reversed(ends) if found is falls else ends) if end is not None]
        return self._compared(low, high, how(found))

    def _compared(self, low: Expr, high: Expr, shown: str) -> Ruling:
        pairs = zip(self.values, (low, high), strict=True)
        rulings = [_same(filled(printed, self.where), limit) for printed, limit in pairs]
        outcomes = {ruling.outcome for ruling in rulings}
        monotone = (
            f"its slope has one sign ({shown}); the limits at the ends are {inline(low)} and {inline(high)}"
        )
        if Outcome.FAILS in outcomes:
            return Ruling(Outcome.FAILS, (monotone,), (f"it takes the values {_between(low, high)}",))
        return Ruling(Outcome.HOLDS if outcomes == {Outcome.HOLDS} else Outcome.OPEN, (monotone,))


def _between(low: Expr, high: Expr) -> str:
    return f"from {inline(low)} to {inline(high)}"


def _monotone(expr: Expr, on: Interval, sign: int) -> list[Finding]:
    slope = Positive("its slope has one sign", sign * expr.diff(on.variable), on)
    return [decide(slope), decide(Regular("it is smooth", expr, on))]


def _limit(expr: Expr, on: Interval, side: str) -> Expr | None:
    return value_at(expr, Approach(on.variable, on.low if side == "+" else on.high, side))


def _same(printed: Expr, limit: Expr) -> Ruling:
    """Compare an end as printed with a limit, either of which may be infinite."""
    if printed.is_infinite or limit.is_infinite:
        return Ruling(Outcome.HOLDS if printed == limit else Outcome.FAILS, ())
    return equality(printed, limit, None, Given())
