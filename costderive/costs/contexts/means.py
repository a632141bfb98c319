"""Budgets: contexts in which some mean of the two costs is given and the cost proportion is uncertain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from itertools import combinations
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.symbols import s
from costderive.costs.contexts.context import Context, Costs, positive_number, real_number
from costderive.costs.expected_loss import Arc, ExpectedLoss, Line, Point
from costderive.costs.laws import (
    Expectation,
    ImproperLaw,
    Law,
    Spread,
    cost_law_in,
    law_of,
    require_proper,
    share_of,
    uniform,
    x,
)
from costderive.costs.laws.quadrature import compiled
from costderive.deciders.limits import Approach, converging_if
from costderive.deciders.signs import nonnegative, positive

MAX_EXPONENT = 100
MIN_EXPONENT = sympy.Rational(1, 1000)  # of which 2^(1/k) has 300 digits
HALF = sympy.Rational(1, 2)


@dataclass(frozen=True, slots=True)
class PowerMean(Context):
    """Costs with a given power mean ``((c0^k + c1^k)/2)^(1/k)``, and one law: of s, of c0 or of c1.

    ``k`` is any real number: 1 additive, -1 harmonic, 0 geometric, 2 Euclidean, ``oo`` the maximum and ``-oo`` the
    minimum of the two costs; a symbol stands for a positive ``k``. With ``mean`` 1 the loss is commensurate with
    the error rate, since then c0 = c1 = 1 where s = 1/2. A ``mean`` that is a law is random and independent of s:
    it enters the scoring rule through its expectation only.

    ``density`` is the law of the cost proportion s, uniform on [0, 1] if it is not given: an expression in ``s``, a
    law such as ``"beta(2, 2)"`` or ``"uniform(l, h)"``, or a sympy.stats variable on [0, 1]. Instead of it, ``c0`` or
    ``c1`` may have a law, whose values the mean must allow: with harmonic costs each cost is above half the mean.
    A symbolic end of a law lies strictly within what is allowed.

    The law may be improper, ``density="improper(1/(s*(1 - s)))"``: its mass is infinite, and the losses are in units of
    cost times mass. Where their finiteness depends on exponents, that they are finite is a fact of the context.

    Raises:
        SpecError: if a value is neither a number nor a law, or a law has values that are not possible.

    Source: Flach (2015), sections 4 and 5.

    Example:
        >>> PowerMean(1, density="uniform(l, h)").parameters
        (h, l)
    """

    k: Any
    mean: Any = 1
    density: Any = None
    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "k", _exponent(real_number(exact(self.k, place="context.k"), "context.k")))
        object.__setattr__(self, "mean", _budget(self.mean, "context.mean"))
        _one_law(self, fp, fn)
        if self.density is not None:
            law = share_of(self.density, "context.density")
            object.__setattr__(self, "density", None if law == uniform(0, 1) else law)
        for name, other in (("c0", fp), ("c1", fn)):
            value = getattr(self, name) if other is None else other
            if value is not None:
                object.__setattr__(self, name, law_of(value, f"context.{name}", improper=True))
        self._require_possible()
        self._require_convergence()

    @property
    def share(self) -> Law:
        """The law of the cost proportion s, where that is what is given."""
        return uniform(0, 1) if self.density is None else self.density

    @property
    def scale(self) -> Expr:
        """The expectation of the mean: the mean itself, if it is a number."""
        if not isinstance(self.mean, Law):
            mean: Expr = self.mean
            return mean
        unit, factor = _in_unit(self.mean)
        return factor * unit.mean(unit.with_mean())

    def given(self) -> Given:
        law: Law = self.c0 or self.c1 or self.share
        budget = self.mean.with_mean().positive if isinstance(self.mean, Law) else ()
        rooms = tuple(room for room in self._rooms() if nonnegative(room, None, law.given()) is None)
        known = law.given().also(positive=budget).also(positive=rooms)
        return known.also(positive=tuple(self._convergence(known)))

    def _require_convergence(self) -> None:
        """Refuse a law whose losses are finite for no values of its parameters."""
        for first, second in combinations(self._convergence(Given()), 2):
            if nonnegative(-first - second):
                raise DivergentCostError(
                    f"the expected cost diverges at s = 0, at s = 1 or between: {first} and {second} are never both"
                    " positive",
                    "Both losses have to be finite inside (0, 1).",
                )

    def _convergence(self, given: Given) -> Iterator[Expr]:
        """Yield what is positive exactly if both losses are finite inside (0, 1), from the exponents of a law of s."""
        for part in self.density.spreads if isinstance(self.density, ImproperLaw) else ():
            for line in self._lines(part):
                for end, side in ((line.low, "+"), (line.high, "-")):
                    cost = {S.Zero: s, S.One: 1 - s}.get(end, S.One) * line.magnitude * line.density
                    needed = converging_if(sympy.powsimp(cost), Approach(s, end, side), given)
                    yield from () if needed is None else (needed,)

    def magnitude(self) -> Expr:
        """Return ``b(s) = m (2/(s^k + (1 - s)^k))^(1/k)`` for a finite exponent k."""
        if self.k.is_zero:
            return self.scale / sympy.sqrt(s * (1 - s))
        return self.scale * 2 ** (1 / self.k) * (s**self.k + (1 - s) ** self.k) ** (-1 / self.k)

    def expected_loss(self) -> ExpectedLoss:
        if self.c0 is not None or self.c1 is not None:
            return self._along_cost()
        lines = [line for part in self.share.spreads for line in self._lines(part)]
        points = [self._point(m.value, m.probability) for m in self.share.masses]
        return ExpectedLoss(lines=tuple(lines), points=tuple(points))

    def expectations(self) -> tuple[Expectation, ...]:
        law = self.share if self.c0 is None and self.c1 is None else self._law()
        laws = () if isinstance(law, ImproperLaw) else (Expectation(law),)
        return (*laws, *(self._of_budget(self.mean) if isinstance(self.mean, Law) else ()))

    def _of_budget(self, law: Law) -> tuple[Expectation, ...]:
        unit, factor = _in_unit(law)
        return Expectation(unit), Expectation(unit, x, self.scale / factor)

    def _lines(self, part: Spread) -> list[Line]:
        density = part.density.subs(x, s)
        if self.k.is_finite is not False:
            return [Line(self.magnitude(), density, part.low, part.high)]
        below, above = (self.scale / larger for larger in self._pivots())
        middle = [(part.low, HALF, below), (HALF, part.high, above)]
        if nonnegative(part.low - HALF):
            middle = [(part.low, part.high, above)]
        elif nonnegative(HALF - part.high):
            middle = [(part.low, part.high, below)]
        elif not (positive(HALF - part.low) and positive(part.high - HALF)):
            raise SpecError(
                f"context.density is on [{part.low}, {part.high}], and on which side of 1/2 is open",
                "The magnitude changes at s = 1/2 for the maximum and the minimum: give the ends numbers.",
            )
        return [Line(magnitude, density, low, high) for low, high, magnitude in middle]

    def _pivots(self) -> tuple[Expr, Expr]:
        """Return what the mean is a multiple of, for s below and above 1/2, if the mean is an extreme."""
        return (1 - s, s) if self.k is sympy.oo else (s, 1 - s)

    def _point(self, share: Expr, probability: Expr) -> Point:
        if self.k.is_finite is not False:
            magnitude = self.magnitude()
        else:
            below, above = self._pivots()
            magnitude = self.scale / (above if positive(share - HALF) else below)
        total = magnitude.subs(s, share)
        return Point(total * share, total * (1 - share), probability)

    # ---- a law of one cost

    def _law(self) -> Law:
        law: Law = self.c1 if self.c0 is None else self.c0
        return law

    def _range(self) -> tuple[Expr, Expr]:
        """Return between which bounds each cost lies."""
        if self.k is sympy.oo:
            return S.Zero, self.mean
        if self.k is -sympy.oo:
            return self.mean, S.Infinity
        if self.k.is_zero:
            return S.Zero, S.Infinity
        end = self.mean * 2 ** (1 / self.k)
        return (S.Zero, end) if self.k.is_positive else (end, S.Infinity)

    def _rooms(self) -> tuple[Expr, ...]:
        """Return what must not be negative: the distances of a law from the bounds of what it describes."""
        if self.c0 is None and self.c1 is None:
            return tuple(1 - high for _, high in self.share.ends)
        low, high = self._range()
        ends = self._law().ends
        above = () if high is S.Infinity else tuple(high - end for _, end in ends)
        return (*(end - low for end, _ in ends), *above)

    def _require_possible(self) -> None:
        if not self.k.is_positive and any(mass.value in (0, 1) for mass in self.share.masses):
            raise SpecError(
                "context.density has a probability at s = 0 or s = 1, where a cost is 0 and so is this mean",
                "Only a mean with k > 0 may be given of such costs.",
            )
        for room in self._rooms():
            if room is -sympy.oo or positive(-room):
                low, high = (S.Zero, S.One) if self.c0 is None and self.c1 is None else self._range()
                raise SpecError(
                    f"context.{self._named()} has values outside [{low}, {high}]",
                    f"The given mean of the costs allows no others; here {self._named()} is beyond by {-room}.",
                )

    def _named(self) -> str:
        return next(
            name for name in ("c0", "c1", "density") if getattr(self, name) is not None or name == "density"
        )

    def _partner(self, cost: Expr) -> Expr:
        """Return the other cost."""
        if self.k.is_infinite:
            return self.mean
        if self.k.is_zero:
            return self.mean**2 / cost
        return sympy.together(2 * self.mean**self.k - cost**self.k) ** (1 / self.k)

    def _along_cost(self) -> ExpectedLoss:
        """Write a law of one cost along the curve of the pairs with this mean."""
        share = s if self.c1 is None else 1 - s
        inverse = share * self.scale / (1 - share) if self.k.is_infinite else share * self.magnitude()
        arcs = []
        for part in self._law().spreads:
            pair = self._pair(x)
            arcs.append(Arc(x, *pair, part.density, part.low, part.high, inverse))
        points = [Point(*self._pair(m.value), m.probability) for m in self._law().masses]
        return ExpectedLoss(arcs=tuple(arcs), points=tuple(points))

    def _pair(self, cost: Expr) -> tuple[Expr, Expr]:
        return (cost, self._partner(cost)) if self.c1 is None else (self._partner(cost), cost)

    # ---- simulation

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        if self.c0 is not None or self.c1 is not None:
            cost = self._law().sample(generator, draws)
            other = compiled(self._partner(x), x)(cost)
            return (cost, other) if self.c1 is None else (other, cost)
        share = generator.random(draws) if self.density is None else self.share.sample(generator, draws)
        mean = self.mean.sample(generator, draws) if isinstance(self.mean, Law) else float(self.mean)
        cost = mean / _unit_mean(share, float(self.k))
        return cost * share, cost * (1 - share)


def _exponent(k: Expr) -> Expr:
    """Refuse exponents that are no limit and so near to one that powers of numbers grow too large."""
    if not (k.is_number and k.is_finite) or k.is_zero:
        return k
    if abs(k) > MAX_EXPONENT:
        raise SpecError(
            f"context.k = {str(k)[:40]} is beyond {MAX_EXPONENT}", "Write oo or -oo for the limit."
        )
    if abs(k) < MIN_EXPONENT:
        raise SpecError(
            f"context.k = {str(k)[:40]} is closer to 0 than {MIN_EXPONENT}", "Write 0 for the limit."
        )
    return k


def _budget(value: Any, place: str) -> Expr | Law:
    """Read the given mean of the costs: a positive number, or a law with a finite expectation."""
    law = cost_law_in(value, place)
    if law is None:
        return positive_number(exact(value, place=place), place)
    law = require_proper(law, place)
    if len(law.masses) == 1 and not law.spreads:
        return law.masses[0].value
    if _in_unit(law)[0].mean().is_infinite:
        raise SpecError(
            f"{place} is a law with an infinite expectation", "Only the expectation of a budget matters."
        )
    return law


def _in_unit(law: Law) -> tuple[Law, Expr]:
    """Write a law on a bounded interval as a multiple of one that ends at 1, where its integrals are known best."""
    ends = {high for _, high in law.ends}
    factor = ends.pop() if len(ends) == 1 and law.spreads else S.One
    return (law.scaled(1 / factor), factor) if factor.is_Rational else (law, S.One)


def _one_law(context: PowerMean, fp: Any, fn: Any) -> None:
    values = {"density": context.density, "c0": context.c0, "fp": fp, "c1": context.c1, "fn": fn}
    named = [name for name, value in values.items() if value is not None]
    if len(named) > 1:
        raise SpecError(
            f"context: {' and '.join(named)} are given together",
            "The mean of the costs and one law determine the other cost: give the law of s, of c0 or of c1.",
        )
    if named not in ([], ["density"]) and isinstance(context.mean, Law):
        raise SpecError(
            f"context: a random mean with a law of {named[0]}",
            "A random mean goes with a law of s: density=.",
        )


def _unit_mean(share: NDArray[np.float64], k: float) -> NDArray[np.float64]:
    """Return the power mean of (s, 1 - s), scaled by the larger so that nothing overflows."""
    large, small = np.maximum(share, 1 - share), np.minimum(share, 1 - share)
    if k == 0:
        return np.asarray(np.sqrt(large * small))
    if np.isinf(k):
        return large if k > 0 else small
    pivot = large if k > 0 else small
    return np.asarray(pivot * ((1 + (np.minimum(large, small) / large) ** abs(k)) / 2) ** (1 / k))


def _mean_of(budget: Any, factor: Expr) -> Any:
    read = _budget(budget, "context.budget")
    return read.scaled(factor) if isinstance(read, Law) else factor * read


def Additive(
    budget: Any = 2, density: Any = None, c0: Any = None, c1: Any = None, fp: Any = None, fn: Any = None
) -> PowerMean:
    """Return the context ``c0 + c1 = budget``; with s uniform, a budget of 2 gives the Brier score.

    The laws are those of `PowerMean`; a ``budget`` may be one.

    Source: Hernandez-Orallo, Flach and Ferri (2011), Theorem 6.
    """
    return PowerMean(1, _mean_of(budget, HALF), density, c0, c1, fp, fn)


def Harmonic(
    budget: Any = "1/2", density: Any = None, c0: Any = None, c1: Any = None, fp: Any = None, fn: Any = None
) -> PowerMean:
    """Return the context ``1/c0 + 1/c1 = 1/budget``; with s uniform, a budget of 1 gives the log loss.

    The laws are those of `PowerMean`; a ``budget`` may be one.

    Source: Flach (2015), Theorem 1.
    """
    return PowerMean(-1, _mean_of(budget, sympy.Integer(2)), density, c0, c1, fp, fn)


def Geometric(
    mean: Any = 1, density: Any = None, c0: Any = None, c1: Any = None, fp: Any = None, fn: Any = None
) -> PowerMean:
    """Return the context ``c0 c1 = mean^2``; the laws are those of `PowerMean`.

    Source: the expected-loss metric that Flach (2015), section 6, leaves open.
    """
    return PowerMean(0, mean, density, c0, c1, fp, fn)
