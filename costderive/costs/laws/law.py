"""What a law is, its mean, and how it is drawn from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

import sympy
from sympy import Expr, Rational, S, Symbol

from costderive.core.errors import ImproperLawError, SpecError
from costderive.core.numpy_on_demand import Array, np
from costderive.core.piecewise import Given, Interval
from costderive.core.short_repr import cut, html_of, short_repr
from costderive.core.time_limit import within
from costderive.costs.finite_means import finite_if
from costderive.costs.laws.expectation import first_moment, x
from costderive.costs.laws.quadrature import at_points, compiled, points_between, summed_slowly, total
from costderive.deciders.enclosure import enclose
from costderive.deciders.leading import leading
from costderive.deciders.leading_terms import NoLeadingTerm
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.parameter_values import contradicted, shown, values_of
from costderive.deciders.signs import positive

NEARLY = 1e-6
SECONDS = 5.0  # of a total in many digits
SHOWN = 120  # characters of a law without a name
LARGEST = 1e300
PLAIN = 64  # the largest denominator of a place that is shown
GRID_END, GRID_COUNT = 60.0, 24001


@cache
def tail_of(density: Expr) -> Expr | None:
    """Return the exponent of the probability above y, for a density in x that falls as a power of x."""
    y = sympy.Dummy("y", positive=True)
    try:
        term = leading(density.subs(x, 1 / y), y, Given())
    except NoLeadingTerm:
        return None
    power = None if term is None or term.decays or term.small else term.power
    return None if power is None or power.is_infinite else sympy.expand(power - 1)


@dataclass(frozen=True, slots=True)
class Spread:
    """A density in ``x`` on the open interval (low, high)."""

    low: Expr
    high: Expr
    density: Expr

    @property
    def interval(self) -> Interval:
        """The interval that carries the density."""
        return Interval(x, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Mass:
    """A probability at one value."""

    value: Expr
    probability: Expr


@dataclass(frozen=True, slots=True)
class Name:
    """What a law is called: the function of ``costderive.laws`` that builds it, and its arguments in their order.

    ``in_units`` says which of them are in units of the cost: a multiple of the cost has the same multiple of these.
    ``in_logs`` says which are added to the logarithm of the cost.

    >>> from costderive.laws import gamma
    >>> print(gamma(2, "theta").name)
    gamma(2, theta)
    """

    build: Callable[..., Law]
    arguments: tuple[Expr, ...]
    in_units: tuple[bool, ...]
    in_logs: tuple[bool, ...]

    def __str__(self) -> str:
        return f"{self.family}({', '.join(map(str, self.arguments))})"

    @property
    def family(self) -> str:
        """The name of the function."""
        return self.build.__name__

    @property
    def parameters(self) -> dict[str, Expr]:
        """The arguments by the names of the parameters."""
        return dict(zip(signature(self.build).parameters, self.arguments, strict=True))

    def law(self) -> Law:
        """Return the law that is called so.

        Raises:
            SpecError: if no law of the family has these arguments.
        """
        return self.build(*self.arguments)

    def at(self, values: dict[Symbol, Expr]) -> Law:
        """Return the law of the same family with values for letters in the arguments."""
        return self.build(*[argument.subs(values) for argument in self.arguments])

    def scaled(self, factor: Expr) -> Law | None:
        """Return the law of a positive multiple, or ``None`` if the family has no scale."""
        if not any(self.in_units + self.in_logs):
            return None
        factors = [factor if scales else S.One for scales in self.in_units]
        shifts = [sympy.log(factor) if shifted else S.Zero for shifted in self.in_logs]
        rows = zip(self.arguments, factors, shifts, strict=True)
        return self.build(*[value * by + shift for value, by, shift in rows])


@dataclass(frozen=True, slots=True, repr=False)
class Law:
    """The law of a non-negative quantity: spreads and masses that add up to one.

    One that a function of ``costderive.laws`` has built keeps its ``name``. Laws are equal if their parts are, whatever
    they are called.
    """

    spreads: tuple[Spread, ...] = ()
    masses: tuple[Mass, ...] = ()
    name: Name | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        if self.name is not None:
            return f"<Law: {self.name}>"
        spread = [f"density {part.density} on ({part.low}, {part.high})" for part in self.spreads]
        known = [f"{mass.value} with probability {mass.probability}" for mass in self.masses]
        return f"<Law: {cut(', '.join([*spread, *known]), SHOWN)}>"

    _repr_html_ = html_of

    def given(self) -> Given:
        """Return the facts under which the law exists: each interval has a length, each probability is positive."""
        lengths = tuple(spread.high - spread.low for spread in self.spreads if spread.high is not S.Infinity)
        return Given().also(positive=lengths + tuple(mass.probability for mass in self.masses))

    @property
    def assumed(self) -> tuple[Expr, ...]:
        """What is taken to be positive, whatever the law asks."""
        return ()

    def knowing(self, facts: tuple[Expr, ...]) -> Law:
        """Return the same law with facts about letters: expressions that are taken to be positive."""
        return AssumedLaw(self.spreads, self.masses, self.name, facts) if facts else self

    @property
    def tail(self) -> Expr | None:
        """The exponent a of a tail ``P(x > y) ~ C y^-a``: the mean is finite if it is above 1.

        It is ``None`` for a tail that falls faster, and for one of which that is not known.
        """
        found = [tail_of(spread.density) for spread in self.spreads if spread.high is S.Infinity]
        return found[0] if len(found) == 1 else None

    @property
    def parameters(self) -> frozenset[Symbol]:
        """The free parameters."""
        exprs = [e for spread in self.spreads for e in (spread.low, spread.high, spread.density)]
        exprs += [e for mass in self.masses for e in (mass.value, mass.probability)]
        return frozenset().union(*[expr.free_symbols for expr in exprs]) - {x}

    @property
    def ends(self) -> tuple[tuple[Expr, Expr], ...]:
        """The least and the greatest value of each part, its low and high end if it is spread."""
        known = tuple((mass.value, mass.value) for mass in self.masses)
        return tuple((spread.low, spread.high) for spread in self.spreads) + known

    def scaled(self, factor: Expr) -> Law:
        """Return the law of a positive multiple; it keeps its name if it is one of the same family."""
        named = None if self.name is None else self.name.scaled(factor)
        return self._scaled(factor) if named is None else named

    def _scaled(self, factor: Expr) -> Law:
        spreads = tuple(
            Spread(
                part.low * factor,
                part.high * factor,
                sympy.expand_power_base(part.density.subs(x, x / factor) / factor),
            )
            for part in self.spreads
        )
        return Law(spreads, tuple(Mass(mass.value * factor, mass.probability) for mass in self.masses))

    def moved(self, sign: int, shift: Expr) -> Law:
        """Return the law of ``shift + x`` or, with the sign -1, of ``shift - x``; a uniform one keeps its name."""
        spreads = tuple(
            Spread(*_moved((part.low, part.high), sign, shift), part.density.subs(x, sign * (x - shift)))
            for part in self.spreads
        )
        if self.name is not None and self.name.family == "uniform":
            ends = _moved(self.ends[0], sign, shift)
            if not ends[0].is_negative:
                return self.name.build(*ends)
        return Law(spreads, tuple(Mass(sign * mass.value + shift, mass.probability) for mass in self.masses))

    @property
    def chance_of_zero(self) -> Expr:
        """The probability of the value 0."""
        return sympy.Add(*[mass.probability for mass in self.masses if mass.value == 0])

    def without_zero(self) -> Law:
        """Return the densities and the probabilities of other values, which add up to less than 1 if 0 has one."""
        return Law(self.spreads, tuple(mass for mass in self.masses if mass.value != 0))

    def mean(self, given: Given = Given()) -> Expr:
        """Return the expectation, exactly: in closed form where one is found and proved, else as an integral."""
        known, given = self.masses, self.given().also(positive=given.positive)
        moments = (first_moment(f.density, f.interval, given) for f in self.spreads)
        return sympy.Add(*[mass.value * mass.probability for mass in known], *moments)

    def with_mean(self, *costs: Expr) -> Given:
        """Return the facts under which the law exists and x, or the smallest of costs at x, has a finite mean.

        Only facts about letters of the law are asked.
        """
        means = ((tuple(f.density * cost for cost in costs or (x,)), f.interval) for f in self.spreads)
        facts = (fact for mean in means for fact in finite_if(*mean, self.given()))
        return self.given().also(positive=tuple(one for one in facts if one.free_symbols <= self.parameters))

    def total(self) -> tuple[float, float]:
        """Return the total probability and an estimate of its numerical error; the parameters are numbers.

        Raises:
            TimeoutError: if it needs so many digits that they take too long.
        """
        found = self._total(lambda part: total(_mass_at_points(part)))
        if abs(found[0] - 1) < NEARLY:
            return found
        slowly: tuple[float, float] = within(SECONDS, self._total, _summed_slowly)
        return slowly

    def _total(self, mass_of: Callable[[Spread], tuple[float, float]]) -> tuple[float, float]:
        parts = [mass_of(spread) for spread in self.spreads]
        known = sum(float(mass.probability) for mass in self.masses)
        return sum(mass for mass, _ in parts) + known, sum(error for _, error in parts)

    def negative_at(self) -> Rational | None:
        """Return a place where a density is negative, if the tabulated ones show one; the parameters are numbers.

        It is a plain fraction in the middle of such places, if there is one, else where the density is least. What is
        tabulated has rounding errors, so it is looked at again with certain bounds.
        """
        return next((place for spread in self.spreads for place in _negative_places(spread)), None)

    def at(self, values: dict[Symbol, Expr]) -> Law:
        """Return the law with numbers for its parameters; values of other letters are left out.

        Raises:
            SpecError: if a value is not finite, is negative, contradicts the facts about the parameters, or leaves no
                density.
        """
        own = {symbol.name: value for symbol, value in values.items() if symbol in self.parameters}
        values = values_of(own, self.parameters, "the law", zero=True)
        if broken := contradicted(self.given(), values):
            raise SpecError(f"{broken} for {shown(values)}", "The law requires it.")
        spreads = [Spread(*(e.subs(values) for e in (f.low, f.high, f.density))) for f in self.spreads]
        masses = [Mass(m.value.subs(values), m.probability.subs(values)) for m in self.masses]
        if gone := [y.density for y in spreads if y.density == 0 or y.density.has(sympy.nan, sympy.zoo)]:
            problem = f"the density of the law is {gone[0]} for {shown(values)}"
            raise SpecError(problem, "The law needs other values: parameters are positive.")
        return type(self)(tuple(spreads), tuple(masses)) if self.name is None else self.name.at(values)

    def quantile(self, share: float) -> float:
        """Return the least value that is not exceeded with a probability in (0, 1), to about 1e-4 relative."""
        low, high = 0.0, 1.0
        while self.below(high) < share and high < LARGEST:
            high *= 2
        while high - low > NEARLY**2 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if self.below(middle) >= share else (middle, high)
        return high

    def below(self, value: float) -> float:
        """Return the probability of values up to one."""
        parts = [np.interp(value, values, cdf, left=0.0) for cdf, values in map(_table, self.spreads)]
        return float(sum(parts) + sum(float(m.probability) for m in self.masses if float(m.value) <= value))

    def sample(self, generator: np.random.Generator, draws: int) -> Array:
        """Draw numbers by inverting the distribution function, tabulated to about 1e-6 relative."""
        parts: list[tuple[float, Any]] = [(float(m.probability), float(m.value)) for m in self.masses]
        tables = [_table(spread) for spread in self.spreads]
        parts += [(float(cdf[-1]), (cdf, values)) for cdf, values in tables]
        weights = np.array([weight for weight, _ in parts])
        chosen = generator.choice(len(parts), size=draws, p=weights / weights.sum())
        uniform = generator.random(draws)
        drawn = np.empty(draws)
        for index, (weight, part) in enumerate(parts):
            here = chosen == index
            drawn[here] = part if isinstance(part, float) else np.interp(uniform[here] * weight, *part)
        return drawn

    def at_levels(self, shares: Array) -> Array:
        """Return the quantiles of probabilities in (0, 1), to about 1e-6 relative; the law has no masses."""
        tables = sorted((_table(spread) for spread in self.spreads), key=lambda table: table[1][0])
        starts = np.cumsum([0.0, *[cdf[-1] for cdf, _ in tables]])
        cdf = np.concatenate([start + part for start, (part, _) in zip(starts, tables, strict=False)])
        return np.asarray(np.interp(shares, cdf, np.concatenate([values for _, values in tables])))


@dataclass(frozen=True, slots=True, repr=False)
class AssumedLaw(Law):
    """A law about whose letters, or others, more is taken to be known: that some ``facts`` are positive."""

    facts: tuple[Expr, ...] = ()

    @property
    def assumed(self) -> tuple[Expr, ...]:
        """What is taken to be positive, whatever the law asks."""
        return self.facts

    def given(self) -> Given:
        """Return the facts under which the law exists, and those that are taken to hold."""
        return super(AssumedLaw, self).given().also(positive=self.facts)

    @property
    def parameters(self) -> frozenset[Symbol]:
        """The free parameters, those of the facts among them."""
        return super(AssumedLaw, self).parameters.union(*[fact.free_symbols for fact in self.facts])

    def scaled(self, factor: Expr) -> Law:
        """Return the law of a positive multiple, with the same facts."""
        return super(AssumedLaw, self).scaled(factor).knowing(self.facts)

    def moved(self, sign: int, shift: Expr) -> Law:
        """Return the law of a sum or a difference with a number, with the same facts."""
        return super(AssumedLaw, self).moved(sign, shift).knowing(self.facts)

    def without_zero(self) -> Law:
        """Return the law but for a probability of 0, with the same facts."""
        return super(AssumedLaw, self).without_zero().knowing(self.facts)

    def at(self, values: dict[Symbol, Expr]) -> Law:
        """Return the law with numbers for its parameters; what still depends on letters is known of them.

        Raises:
            SpecError: as that of a law, or if the numbers contradict a fact.
        """
        chosen = {letter: value for letter, value in values.items() if letter in self.parameters}
        if broken := contradicted(self.given(), chosen):
            raise SpecError(f"{broken} for {shown(chosen)}", "It was assumed to be otherwise.")
        left = tuple(fact.subs(chosen) for fact in self.facts)
        found = Law(self.spreads, self.masses, self.name).at(values)
        return found.knowing(tuple(fact for fact in left if fact.free_symbols))


def _moved(ends: tuple[Expr, Expr], sign: int, shift: Expr) -> tuple[Expr, Expr]:
    """Return both ends of an interval multiplied by a sign and shifted, the lower one first."""
    first, second = (sign * end + shift for end in ends)
    return (first, second) if sign > 0 else (second, first)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is claimed of a law, or of a part of one: that the expectation of a function of x is some value.

    That of 1 is the total if it is 1; of a part it is a probability.
    """

    law: Law
    function: Expr = S.One
    value: Expr = S.One

    @property
    def is_total(self) -> bool:
        """Whether it is the total probability."""
        return bool(self.function == 1 and self.value == 1)


@dataclass(frozen=True, slots=True)
class Infinite:
    """Where the mass of a density is infinite: with ``x -> end``, distance times density has a positive limit.

    So the density is at least some ``c/distance`` near the end; at an infinite end the distance is x itself.
    """

    distance: Expr
    density: Expr
    end: Approach
    limit: Expr


@dataclass(frozen=True, slots=True, repr=False)
class ImproperLaw(Law):
    """A law of infinite total mass, as an improper prior: densities on intervals, each finite inside of it.

    It weighs what it describes, but nothing can be drawn from it, and it has no expectation.
    """

    def knowing(self, facts: tuple[Expr, ...]) -> Law:
        """Refuse facts: an improper law is of numbers and letters of which nothing more is known."""
        if facts:
            raise ImproperLawError("an improper law has no assumptions", "Give its letters numbers.")
        return self

    def infinite(self) -> Infinite | None:
        """Return an end of an interval at which the mass is infinite, if one is found."""
        ends = ((part, *end) for part in self.spreads for end in ((part.low, "+"), (part.high, "-")))
        found = (self._infinite_at(part, Approach(x, end, side)) for part, end, side in ends)
        return next(filter(None, found), None)

    def _infinite_at(self, part: Spread, end: Approach) -> Infinite | None:
        distance = x if end.point is S.Infinity else x - end.point if end.side == "+" else end.point - x
        limit = value_at(distance * part.density, end, self.given())
        if limit is None or not (limit is S.Infinity or positive(limit, None, self.given())):
            return None
        return Infinite(distance, part.density, end, limit)

    def mean(self, given: Given = Given()) -> Expr:
        """Refuse: there is no expectation."""
        raise ImproperLawError("an improper law has no expectation", "Give a law of total mass 1.")

    def total(self) -> tuple[float, float]:
        """Return the total mass."""
        return float("inf"), 0.0

    def sample(self, generator: np.random.Generator, draws: int) -> Array:
        """Refuse: nothing can be drawn."""
        raise ImproperLawError(
            "costs cannot be drawn from an improper law: its total mass is infinite",
            "Restrict it to bounds, between which its mass is finite, and divide the density by that mass.",
        )


def _negative_places(spread: Spread) -> Iterator[Rational]:
    points, _ = points_between(float(spread.low), float(spread.high))
    found = list(zip(at_points(spread.density, x)(points), points, strict=True))
    below = sorted(point for value, point in found if value < 0 and math.isfinite(point))
    middle = (below[0] + below[-1]) / 2 if below and spread.high is not S.Infinity else 1.0
    for point in (min(below, key=lambda one: abs(one - middle)), min(found)[1]) if below else ():
        for place in (Rational(point).limit_denominator(PLAIN), Rational(point)):
            inside = sympy.Min(sympy.Max(place, spread.low), spread.high)  # not beyond a rounded end
            bounds = enclose(spread.density, {x: inside})
            if bounds is not None and bounds[1] < 0:
                yield inside


def _summed_slowly(part: Spread) -> tuple[float, float]:
    return summed_slowly(part.density, x, part.low, part.high)


def _mass_at_points(spread: Spread) -> list[float]:
    points, weights = points_between(float(spread.low), float(spread.high))
    return [
        height * weight for height, weight in zip(at_points(spread.density, x)(points), weights, strict=True)
    ]


@cache
def _table(spread: Spread) -> tuple[Array, Array]:
    """Tabulate the distribution function on a grid that is fine, in ratios, at both ends (Simpson's rule)."""
    grid = np.linspace(-GRID_END, GRID_END, GRID_COUNT)
    values, slope = _grid(spread, grid)
    density = compiled(spread.density, x)(values) * slope
    thirds = (grid[1] - grid[0]) / 3 * (density[:-2:2] + 4 * density[1:-1:2] + density[2::2])
    return np.concatenate([[0.0], np.cumsum(thirds)]), values[::2]


def _grid(spread: Spread, grid: Array) -> tuple[Array, Array]:
    low = float(spread.low)
    if spread.high is S.Infinity:
        return low + np.exp(grid), np.exp(grid)
    length, share = float(spread.high) - low, 1 / (1 + np.exp(-grid))
    return low + length * share, length * share * (1 - share)


@dataclass(frozen=True, slots=True)
class Density:
    """A density written as an expression in ``x`` (a number, a SymPy expression or text), and its support.

    An ``improper`` one has no finite integral, as ``Density("1/x", improper=True)``: contexts with a given mean of the
    costs and curves take it as the law of s, of x or of a cost, other places refuse it.

    With ``normalize`` the density is divided by its integral, exactly: it may be given up to a constant.
    """

    density: Any
    support: tuple[Any, Any] = (0, sympy.oo)
    improper: bool = False
    normalize: bool = False

    __repr__ = short_repr
