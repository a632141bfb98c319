"""How the decision threshold is chosen: at the cost proportion, at a fixed number, or at random.

A classifier decides for class 1 if ``p > T``; a tie goes to class 0. With any threshold T the losses are
``L0(p) = E[c0; T < p]`` and ``L1(p) = E[c1; T >= p]``; the calibrated one, ``T = c0/(c0 + c1)``, gives a proper rule.

Source: Hernández-Orallo, Flach and Ferri (2012), sections 4 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Given
from costderive.core.symbols import t
from costderive.costs.contexts.context import Context, Costs
from costderive.costs.expected_loss import ExpectedLoss, Plane
from costderive.costs.laws import Density, Expectation, ImproperLaw, Law, Mass, law_in, law_of, x
from costderive.deciders.signs import nonnegative, positive

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

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given().also(positive=(self.at, 1 - self.at))

    def subs(self, values: Mapping[Symbol, Expr]) -> FixedThreshold:
        """Return the threshold with values for letters in it."""
        return FixedThreshold(self.at.subs(values))


@dataclass(frozen=True, slots=True)
class RandomThreshold:
    """The threshold is random on [0, 1], independent of the costs, with a density in ``t``, or a law of ``laws``.

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

    def subs(self, values: Mapping[Symbol, Expr]) -> RandomThreshold:
        """Return the threshold with values for letters in its law."""
        return RandomThreshold(self.law.at(dict(values)))

    def given(self) -> Given:
        """Return the facts about the parameters; a symbolic upper end is below 1."""
        rooms = tuple(1 - high for _, high in _ranges(self.law) if high.free_symbols)
        return self.law.given().also(positive=rooms)


Threshold = Calibrated | FixedThreshold | RandomThreshold


def _law(value: Any) -> Law:
    if isinstance(value, Law) or hasattr(value, "pspace"):
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
    """A cost context whose decisions are made at a threshold that is independent of the costs."""

    costs: Context
    threshold: FixedThreshold | RandomThreshold

    def given(self) -> Given:
        known = self.threshold.given()
        return self.costs.given().also(positive=known.positive, nonnegative=known.nonnegative)

    def expected_loss(self) -> ExpectedLoss:
        return self.costs.expected_loss()

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        """Return those of the costs and of the threshold."""
        return (*self.costs.expectations(), Expectation(self.threshold.law))

    @property
    def improper_law(self) -> ImproperLaw | None:
        """The improper law of the costs, if they have one."""
        return self.costs.improper_law

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        law = self.threshold.law.parameters
        return tuple(sorted({*self.costs.parameters, *law}, key=str))

    def _at(self, chosen: Mapping[Symbol, Expr]) -> ThresholdedContext:
        return ThresholdedContext(self.costs._at(chosen), self.threshold.subs(chosen))

    def sample_thresholds(self, draws: int, seed: int | None = None) -> NDArray[np.float64]:
        """Draw thresholds, independent of the costs drawn with the same seed."""
        generator = np.random.default_rng(None if seed is None else [seed, 1])
        return self.threshold.law.sample(generator, draws)

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        return self.costs._draw(generator, draws)


def thresholded(context: Context, threshold: Threshold) -> Context:
    """Return a context whose decisions are made at a threshold: at the calibrated one it is the context itself."""
    return context if isinstance(threshold, Calibrated) else ThresholdedContext(context, threshold)
