"""Questions on expressions: identities, inequalities, values, slopes, bounds that are approached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import mpmath
from sympy import Expr, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.deciders.enclosure import enclose
from costderive.deciders.limits import Approach, value_at
from costderive.literature.definitions import Where, filled
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.literature.witnesses import Bounds, Setting
from costderive.literature.wording import counterexample, equation, equations, number, span, under, values_at
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Equal, Finding, NonNegative, Positive, Regular, Verdict
from costderive.publish.formulas.printing import inline

VALUE_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Identity(Question):
    """Two expressions are equal for all values of their letters: positive numbers, one of them on a range."""

    left: Expr
    right: Expr
    where: Where = ()
    on: Interval | None = None
    positive: tuple[Expr, ...] = ()

    def formal(self) -> tuple[str, ...]:
        """The equation, with its definitions and conditions."""
        conditions = under(self.where, self.on, self.positive)
        return (equation(self.left, self.right) + conditions,)

    def ruling(self) -> Ruling:
        """Decide the equation exactly; where it fails, give a point that satisfies the definitions."""
        return equality(self.left, self.right, self.on, Given().also(positive=self.positive), self.where)


IMPOSSIBLE = "no values of the letters were found that satisfy the definitions"


def equality(left: Expr, right: Expr, on: Interval | None, given: Given, where: Where = ()) -> Ruling:
    """Decide whether two expressions are equal; that they differ takes a point at which all definitions hold."""
    setting, sides = Setting(where, on, given), (filled(left, where), filled(right, where))
    if setting.impossible():
        return Ruling(Outcome.OPEN, (IMPOSSIBLE,))
    finding = _decided(Equal("the two sides are equal", *sides, on), setting, *sides)
    outcome = outcome_of([finding])
    if outcome is not Outcome.FAILS:
        return Ruling(outcome, (how([finding]),))
    found = counterexample(left, right, on, given, where)
    if found:
        return Ruling(outcome, (f"the two sides differ{found}",))
    return (
        Ruling(Outcome.OPEN, (IMPOSSIBLE,))
        if setting.constrains(*sides)
        else Ruling(outcome, (how([finding]),))
    )


def _decided(claim: Claim, setting: Setting, *sides: Expr) -> Finding:
    """Decide a claim for all positive letters, and if it does not hold for these, for those in their domains."""
    finding = decide(claim, setting.given)
    if finding.verdict is Verdict.PROVED:
        return finding
    within = decide(claim, setting.facts(*sides))
    return within if within.verdict is Verdict.PROVED else finding


@dataclass(frozen=True, slots=True)
class Inequality(Question):
    """``left < right``, or ``left <= right`` if it is weak, for all values of the letters."""

    left: Expr
    right: Expr
    where: Where = ()
    on: Interval | None = None
    weak: bool = False

    def formal(self) -> tuple[str, ...]:
        """The inequality, with its definitions and conditions."""
        sign = "≤" if self.weak else "<"
        return (f"{inline(self.left)} {sign} {inline(self.right)}{under(self.where, self.on)}",)

    def ruling(self) -> Ruling:
        """Decide the sign of the difference; where it fails, give a point that satisfies the definitions."""
        setting = Setting(self.where, self.on)
        if setting.impossible():
            return Ruling(Outcome.OPEN, (IMPOSSIBLE,))
        left, right = filled(self.left, self.where), filled(self.right, self.where)
        kind = NonNegative if self.weak else Positive
        finding = _decided(kind("the difference has its sign", right - left, self.on), setting, left, right)
        if finding.verdict is Verdict.PROVED:
            shown = (
                how([finding]) if (left - right).free_symbols else f"{number(left)} against {number(right)}"
            )
            return Ruling(Outcome.HOLDS, (shown,))
        if not self.weak and decide(Equal("equality", left, right, self.on)).verdict is Verdict.PROVED:
            return Ruling(Outcome.FAILS, (f"both sides are equal{under((), self.on)}",))
        return self._refuted(setting, finding)

    def _refuted(self, setting: Setting, finding: Finding) -> Ruling:
        """Look for a point at which the left side is the larger one."""
        point = setting.witness((self.left, self.right), lambda bounds: bounds[0] > 0)
        if point is not None:
            against = values_at(point, (self.left, self.right), setting, " against ")
            return Ruling(Outcome.FAILS, (against.removeprefix(":").strip(),))
        free = setting.constrains(self.left, self.right)
        return Ruling(Outcome.OPEN if free else outcome_of([finding]), (how([finding]),))


@dataclass(frozen=True, slots=True)
class Value(Question):
    """A number is the one that was printed: to the digits printed, or within twice the ``error`` of a simulation."""

    expression: Expr
    printed: str
    where: Where = ()
    error: str = ""

    def formal(self) -> tuple[str, ...]:
        """The equation, and how exact it is."""
        kind = f"within twice the standard error {self.error}" if self.error else "to the digits printed"
        return (f"{inline(self.expression)} = {self.printed} {kind}{under(self.where)}",)

    def ruling(self) -> Ruling:
        """Enclose the number, and see whether it lies near enough to the one printed."""
        exact = filled(self.expression, self.where)
        if not Setting(self.where).admits({}):
            return Ruling(Outcome.OPEN, (IMPOSSIBLE,))
        bounds = enclose(exact)
        if bounds is None:
            return Ruling(Outcome.OPEN, (f"{inline(exact)} could not be enclosed",))
        with mpmath.workdps(60):
            return self._near(bounds, f"the exact value is {number(exact, VALUE_DIGITS)}")

    def _near(self, bounds: Bounds, shown: str) -> Ruling:
        printed = mpmath.mpf(self.printed)
        reach = 2 * mpmath.mpf(self.error) if self.error else _half_a_unit(self.printed)
        low, high, apart = printed - reach, printed + reach, bounds[0] - printed
        errors = (
            f", {mpmath.nstr(abs(apart) / (reach / 2), 2)} standard errors" if self.error and reach else ""
        )
        if low <= bounds[0] and bounds[1] <= high:
            return Ruling(
                Outcome.HOLDS, (f"{shown}{f', off by {mpmath.nstr(abs(apart), 2)}{errors}' * bool(errors)}",)
            )
        outside = bounds[1] < low or high < bounds[0]
        off = f"the exact value is off by {mpmath.nstr(abs(apart), 2)}{errors}"
        return Ruling(Outcome.FAILS if outside else Outcome.OPEN, (off,), (shown,))


def printed_number(value: object, place: str) -> str:
    """Read a decimal as it was printed, in quotation marks so that no digit is lost."""
    text = str(value)
    if not (text.isascii() and text.replace(".", "", 1).isdigit() and len(text) <= 20):
        raise SpecError(f"{place} = {text!r:.60} is not a decimal", 'Write "0.78265".')
    return text


def _half_a_unit(printed: str) -> mpmath.mpf:
    return mpmath.mpf(10) ** -len(printed.partition(".")[2]) / 2


def _rates(rates: Where) -> str:
    return ", ".join(f"{inline(name)}′ = {inline(rate)}" for name, rate in rates)


def slope_of(expr: Expr, rates: Where) -> Expr:
    """Return the derivative of an expression in letters whose own derivatives are given (others are constant)."""
    letters: list[tuple[Symbol, Expr]] = list(rates)
    return sum((expr.diff(name) * rate for name, rate in letters), start=expr * 0)


@dataclass(frozen=True, slots=True)
class Slope(Question):
    """The derivative of ``left`` is ``right``, or theirs are the same, for all functions with the given derivatives."""

    left: Expr
    right: Expr
    rates: Where
    up_to_a_constant: bool = False

    def formal(self) -> tuple[str, ...]:
        """The equation, with the derivatives of its functions."""
        left, right = inline(self.left), inline(self.right)
        rates = _rates(self.rates)
        if self.up_to_a_constant:
            return (f"{left} = {right} up to a constant, where {rates}",)
        return (f"({left})′ = {right}, where {rates}",)

    def ruling(self) -> Ruling:
        """Differentiate by the chain rule and decide the identity."""
        right = slope_of(self.right, self.rates) if self.up_to_a_constant else self.right
        return equality(slope_of(self.left, self.rates), right, None, Given())


@dataclass(frozen=True, slots=True)
class Concave(Question):
    """A function is concave: smooth in letters that stand for positive numbers, its second derivative at most 0."""

    of: Expr
    rates: Where

    def formal(self) -> tuple[str, ...]:
        """What is concave, with the derivatives of its functions."""
        facts = "".join(f", {inline(name)} > 0" for name in sorted(self._second.free_symbols, key=str))
        return (f"{inline(self.of)}″ ≤ 0, where {_rates(self.rates)}{facts}",)

    def ruling(self) -> Ruling:
        """Differentiate twice and decide the sign, and that there is no place at which the derivatives fail."""
        found = [decide(NonNegative("the second derivative is not positive", -self._second)), *self._smooth()]
        return Ruling(outcome_of(found), (f"the second derivative is {inline(self._second)}: {how(found)}",))

    def _smooth(self) -> Iterator[Finding]:
        for letter in sorted(self.of.free_symbols, key=str):
            on = Interval(letter, S.Zero, S.Infinity)
            yield decide(Regular(f"the function is smooth in {letter}", self.of, on))

    @property
    def _second(self) -> Expr:
        return slope_of(slope_of(self.of, self.rates), self.rates)


@dataclass(frozen=True, slots=True)
class Supremum(Question):
    """The least upper bound of an expression on a range is the value that it tends to at one end."""

    expression: Expr
    on: Interval
    at: Expr
    value: Expr

    def formal(self) -> tuple[str, ...]:
        """The supremum and where it is approached."""
        return (f"sup of {inline(self.expression)} over {span(self.on)} is {inline(self.value)}",)

    def ruling(self) -> Ruling:
        """Decide the bound and the limit."""
        if self.at not in (self.on.low, self.on.high):
            raise SpecError(f"{self.at} is not an end of the range", "A supremum is looked for at an end.")
        low_end = self.at == self.on.low
        limit = value_at(self.expression, Approach(self.on.variable, self.at, "+" if low_end else "-"))
        if limit is None or limit.is_infinite:
            return Ruling(Outcome.OPEN, ("the limit at the end is not known",))
        found = at_most(self.expression, limit, self.on)
        if outcome_of(found) is not Outcome.HOLDS:
            return Ruling(Outcome.OPEN, (how(found),))
        at = equations(((self.on.variable, self.at),))
        shown = f"{number(limit)} is a bound ({how(found)}) and the limit at {at}"
        sides = equality(self.value, limit, None, Given())
        if sides.outcome is Outcome.FAILS:
            return Ruling(sides.outcome, (shown, *sides.evidence), (f"the supremum is {number(limit)}",))
        return Ruling(sides.outcome, (shown,))


def at_most(expr: Expr, bound: Expr, on: Interval, *, strict: bool = False) -> list[Finding]:
    """Return findings that prove a bound from above inside an interval, or the ones that leave it open.

    It is decided as a sign, or by the slope of an expression that only falls, or only rises, and its limit at one end.
    """
    sign = Positive if strict else NonNegative
    direct = [decide(sign("the bound", bound - expr, on))]
    for end, side, slope in ((on.low, "+", -1), (on.high, "-", 1)):
        if outcome_of(direct) is not Outcome.OPEN:
            return direct
        limit = value_at(expr, Approach(on.variable, end, side))
        if limit is not None and not limit.is_infinite:
            rising = decide(sign("it is monotone", slope * expr.diff(on.variable), on))
            found = [
                rising,
                decide(Regular("it is smooth", expr, on)),
                decide(NonNegative("its limit", bound - limit)),
            ]
            direct = found if outcome_of(found) is Outcome.HOLDS else direct
    return direct
