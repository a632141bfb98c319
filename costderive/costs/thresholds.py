"""How the decision threshold is chosen: at the cost proportion, at a function of it, at a fixed number, or at random.

A classifier decides for class 1 if ``p > T``; a tie goes to class 0. With any threshold T the losses are
``L0(p) = E[c0; T < p]`` and ``L1(p) = E[c1; T >= p]``; the calibrated one, ``T = c0/(c0 + c1)``, gives a proper rule.

Source: Hernández-Orallo, Flach and Ferri (2012), sections 4 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.piecewise import Given
from costderive.core.symbols import c0, c1, s, t
from costderive.costs.contexts.context import Context, Costs
from costderive.costs.contexts.held_part import require_whole
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane
from costderive.costs.laws import Density, Expectation, ImproperLaw, Law, Mass, law_in, law_of, x
from costderive.costs.laws.quadrature import compiled
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive

HALF = sympy.Rational(1, 2)
INSIDE = "A threshold is a probability: give numbers between 0 and 1, or parameters."


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The threshold is the cost proportion, ``T = c0/(c0 + c1)``: the cheaper decision if p is right."""


@dataclass(frozen=True, slots=True)
class FixedThreshold:
    """The threshold is a number ``0 < at < 1``, whatever the costs.

    Raises:
        SpecError: if it is a number outside (0, 1).

    Example:
        >>> FixedThreshold("1/2").at
        1/2
    """

    at: Any

    def __post_init__(self) -> None:
        at = exact(self.at, place="threshold")
        if nonnegative(-at) or nonnegative(at - 1) or at.is_real is False:
            raise SpecError(f"threshold = {at} is not inside (0, 1)", INSIDE)
        object.__setattr__(self, "at", at)

    @property
    def law(self) -> Law:
        """The law of the threshold: one point."""
        return Law(masses=(Mass(self.at, sympy.S.One),))

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The letters in it."""
        return tuple(self.at.free_symbols)

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given().also(positive=(self.at, 1 - self.at))

    def subs(self, values: Mapping[Symbol, Expr]) -> FixedThreshold:
        """Return the threshold with values for letters in it."""
        return FixedThreshold(self.at.subs(values))


@dataclass(frozen=True, slots=True)
class RandomThreshold:
    """The threshold is random on [0, 1], independent of the costs: a density in ``t``, or a law as costs have.

    Raises:
        SpecError: if the law has values outside [0, 1], or does not add up to one.

    Example:
        >>> RandomThreshold(density="2*t").law.spreads[0].density
        2*x
    """

    density: Any = 1

    def __post_init__(self) -> None:
        law = _law(self.density)
        for low, high in _ranges(law):
            if positive(-low) or positive(high - 1) or high is sympy.oo:
                raise SpecError(f"threshold has values in [{low}, {high}]", INSIDE)
        object.__setattr__(self, "density", law)

    @property
    def law(self) -> Law:
        """The law of the threshold."""
        law: Law = self.density
        return law

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The letters in its law."""
        return tuple(self.law.parameters)

    def subs(self, values: Mapping[Symbol, Expr]) -> RandomThreshold:
        """Return the threshold with values for letters in its law."""
        return RandomThreshold(self.law.at(dict(values)))

    def given(self) -> Given:
        """Return the facts about the parameters; a symbolic upper end is below 1."""
        rooms = tuple(1 - high for _, high in _ranges(self.law) if high.free_symbols)
        return self.law.given().also(positive=rooms)


@dataclass(frozen=True, slots=True)
class DistortedThreshold:
    """The threshold depends on the costs, and is not the right one: ``T = g(s)`` with ``s = c0/(c0 + c1)``.

    ``g`` is an expression in ``s``, or in ``c0`` and ``c1`` if it depends on them by their proportion alone, and grows
    with it: ``2*c0/(2*c0 + c1)`` if false positives are taken for twice as expensive as they are. With
    ``h`` the inverse of ``g`` the losses are those of the calibrated threshold at ``h(p)``; where no formula gives
    ``h``, as for ``3*s^2 - 2*s^3``, they are written with ``s(p)``, the root of ``g(s) = p``. Letters in ``g`` are
    such that it lies inside (0, 1) and grows at 0 and 1.

    Raises:
        SpecError: if it is a constant, or depends on the magnitude of the costs.

    Example:
        >>> DistortedThreshold("2*c0/(2*c0 + c1)").at
        2*s/(s + 1)
    """

    at: Any

    def __post_init__(self) -> None:
        if not isinstance(self.at, str | Expr):
            raise SpecError(
                f"threshold = {shown(self.at)} is not an expression", 'Write one in s, as in "s^2".'
            )
        names = {"s": s, "c0": c0, "c1": c1}
        at = parse(self.at, place="threshold", names=names) if isinstance(self.at, str) else self.at
        object.__setattr__(self, "at", _of_proportion(at))

    def given(self) -> Given:
        """Return the facts about the parameters: it lies inside (0, 1), and grows at both ends."""
        slope = sympy.diff(self.at, s)
        at_ends = (self.at.subs(s, 0), 1 - self.at.subs(s, 1), slope.subs(s, 0), slope.subs(s, 1))
        facts = (sympy.factor(fact).as_content_primitive()[1] for fact in (*at_ends, _scale(slope)))
        return Given().also(positive=tuple(filter(_tells_of_letters, facts)))

    def subs(self, values: Mapping[Symbol, Expr]) -> DistortedThreshold:
        """Return the threshold with values for letters in it."""
        return DistortedThreshold(self.at.subs(values))

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The letters in it."""
        return tuple(self.at.free_symbols - {s})

    def of_costs(self, costs: Costs) -> NDArray[np.float64]:
        """Return the threshold of each pair of costs; where both are 0 no threshold matters, and 1/2 stands for any."""
        total = costs[0] + costs[1]
        proportion = np.divide(costs[0], total, out=np.full_like(total, 0.5), where=total > 0)
        return np.broadcast_to(compiled(self.at, s)(proportion), total.shape)


def _scale(slope: Expr) -> Expr:
    """Return the letters before a slope, which may be 0 at both ends, with the sign of the rest in the middle."""
    constant, moving = sympy.factor(slope).as_independent(s, as_Add=False)
    middle = moving.subs(s, HALF)
    return constant * sympy.sign(middle) if middle.is_Rational else sympy.S.One


def _tells_of_letters(fact: Expr) -> bool:
    return bool(fact.free_symbols and fact.is_rational_function(*fact.free_symbols) and not positive(fact))


def _of_proportion(at: Expr) -> Expr:
    """Write a function of the costs as one of their proportion."""
    if not at.free_symbols & {s, c0, c1}:
        raise SpecError(
            f"threshold = {at} does not depend on the costs", "Write FixedThreshold for a constant."
        )
    letter = sympy.Dummy(positive=True)  # put in and out, it makes sin(asin(s)) be s
    plain = at.subs({c0: s, c1: 1 - s}, simultaneous=True).xreplace({s: letter}).xreplace({letter: s})
    found = sympy.together(plain)
    back = found.subs(s, c0 / (c0 + c1))
    if not zero(back - at.subs(s, c0 / (c0 + c1))):
        remedy = "Write an expression in s, or one in c0 and c1 that does not change if both are multiplied."
        raise SpecError(f"threshold = {at} is no function of s = c0/(c0 + c1)", remedy)
    return sympy.factor(found) if found.is_rational_function() else found


Threshold = Calibrated | FixedThreshold | RandomThreshold | DistortedThreshold


def _law(value: Any) -> Law:
    if isinstance(value, Law | Density | Mapping) or hasattr(value, "pspace"):
        return law_of(value, "threshold")
    place = "threshold.density"
    named = law_in(value, place) if isinstance(value, str) else None
    if named is not None:
        return named
    density = (
        parse(value, place=place, names={"t": t}) if isinstance(value, str) else exact(value, place=place)
    )
    if x in density.free_symbols:
        raise SpecError(f"{place} = {density} has the letter x", "Write a density in t.")
    return law_of(Density(density.subs(t, x), (0, 1)), "threshold")


def _ranges(law: Law) -> list[tuple[Expr, Expr]]:
    return [(y.low, y.high) for y in law.spreads] + [(m.value, m.value) for m in law.masses]


@dataclass(frozen=True, slots=True)
class ThresholdedContext(Context):
    """A cost context whose decisions are made at another threshold than the calibrated one."""

    costs: Context
    threshold: FixedThreshold | RandomThreshold | DistortedThreshold

    def __post_init__(self) -> None:
        require_whole(self.costs, "context.costs")
        if isinstance(self.threshold, DistortedThreshold) and any(self.costs.expected_loss().one_sided):
            raise SpecError(
                "a cost is 0 with a probability, and the threshold is a function of the cost proportion",
                "Give costs that are positive, or a threshold that does not depend on them.",
            )

    def given(self) -> Given:
        known = self.threshold.given()
        facts = known.positive + self._tails_with_means()
        return self.costs.given().also(positive=facts, nonnegative=known.nonnegative)

    def _tails_with_means(self) -> tuple[Expr, ...]:
        """Return what makes expected costs finite where that depends on letters: the losses are multiples of these."""
        if isinstance(self.threshold, DistortedThreshold):
            return ()
        laws = [y.law for y in self.costs.expectations() if isinstance(y, Expectation)]
        return tuple(fact for law in laws for fact in law.with_mean().beyond(law.given()).positive)

    def expected_loss(self) -> ExpectedLoss:
        return self.costs.expected_loss()

    def conditionals(self) -> Mapping[Area, tuple[Expr, Expr]]:
        return self.costs.conditionals()

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        """Return those of the costs, and of a threshold with a law."""
        if isinstance(self.threshold, DistortedThreshold):
            return self.costs.expectations()
        return (*self.costs.expectations(), Expectation(self.threshold.law))

    @property
    def improper_law(self) -> ImproperLaw | None:
        """The improper law of the costs, if they have one."""
        return self.costs.improper_law

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        own = self.threshold.parameters
        return tuple(sorted({*self.costs.parameters, *own}, key=str))

    def _at(self, chosen: Mapping[Symbol, Expr]) -> ThresholdedContext:
        return ThresholdedContext(self.costs._at(chosen), self.threshold.subs(chosen))

    def sample_thresholds(self, draws: int, seed: int | None = None) -> NDArray[np.float64]:
        """Draw thresholds: those of the costs that are drawn with the same seed, or independent of these."""
        if isinstance(self.threshold, DistortedThreshold):
            return self.threshold.of_costs(self.costs.sample(draws, seed))
        generator = np.random.default_rng(None if seed is None else [seed, 1])
        return self.threshold.law.sample(generator, draws)

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        return self.costs._draw(generator, draws)


def thresholded(context: Context, threshold: Threshold) -> Context:
    """Return a context whose decisions are made at a threshold: at the calibrated one it is the context itself."""
    return context if isinstance(threshold, Calibrated) else ThresholdedContext(context, threshold)
