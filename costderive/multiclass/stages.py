"""What a derivation of K classes passes through, from the laws of the costs to the losses of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, S

from costderive.costs.laws import Law, Mass, Spread, x
from costderive.multiclass.letters import predicted


@dataclass(frozen=True, slots=True)
class Distribution:
    """The law of a cost in regions ``(0, m1), (m1, m2), ..., (mn, oo)``, in x.

    ``marks`` are m1 < ... < mn, ``jumps`` the probabilities at them (or 0). In each region there are the density, the
    distribution function, and an antiderivative of x times the density (``moments``).
    """

    marks: tuple[Expr, ...]
    jumps: tuple[Expr, ...]
    densities: tuple[Expr, ...]
    cdfs: tuple[Expr, ...]
    moments: tuple[Expr, ...]
    mean: Expr

    def bounds(self, region: int) -> tuple[Expr, Expr]:
        """Return the ends of a region."""
        ends = (S.Zero, *self.marks, S.Infinity)
        return ends[region], ends[region + 1]

    @property
    def law(self) -> Law:
        """The law with these densities and jumps, without its name."""
        spreads = [Spread(*self.bounds(n), f) for n, f in enumerate(self.densities) if f != 0]
        masses = [Mass(*pair) for pair in zip(self.marks, self.jumps, strict=True) if pair[1] != 0]
        return Law(tuple(spreads), tuple(masses))

    @property
    def carried(self) -> tuple[tuple[Expr, Expr], ...]:
        """The regions that carry a density."""
        return tuple(self.bounds(region) for region, density in enumerate(self.densities) if density != 0)

    @property
    def masses(self) -> tuple[Expr, ...]:
        """The costs that have a probability."""
        return tuple(mark for mark, jump in zip(self.marks, self.jumps, strict=True) if jump != 0)

    @property
    def span(self) -> tuple[Expr, Expr]:
        """The least and the greatest cost, or where costs come close to."""
        ends = (S.Zero, *self.marks, S.Infinity)
        places = [ends.index(end) for pair in (*self.carried, self.masses) for end in pair]
        return ends[min(places)], ends[max(places)]

    @property
    def is_known(self) -> bool:
        """Whether there is one cost alone."""
        return not self.carried and len(self.masses) == 1

    @property
    def is_interval(self) -> bool:
        """Whether a density is spread over one interval, and all masses, if any, are in it or at its ends."""
        joined = all(one[1] == other[0] for one, other in pairwise(self.carried))
        return bool(self.carried) and joined and self.span == (self.carried[0][0], self.carried[-1][1])


@dataclass(frozen=True, slots=True)
class IndependentDistributions:
    """Costs that are ``factor`` times independent ones in expectation, with the distributions of these."""

    factor: Expr
    of_class: tuple[Distribution, ...]

    def unchosen(self, label: int, value: Expr, regions: tuple[int, ...]) -> Expr:
        """Return the probability that a class is not chosen when its cost is the value, in regions of all laws."""
        cdfs = [found.cdfs[region] for found, region in zip(self.of_class, regions, strict=True)]
        factors = [
            cdf.subs(x, value * predicted(label) / predicted(other))
            for other, cdf in enumerate(cdfs)
            if other != label
        ]
        return 1 - sympy.Mul(*factors)

    def integrand(self, label: int, regions: tuple[int, ...]) -> Expr:
        """Return the cost x, its density, and the probability that the class is not chosen, in one product."""
        density = self.of_class[label].densities[regions[label]]
        return x * density * self.unchosen(label, x, regions)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of the law of one class: the cost ``value``, which weighs ``value p_label`` in the decision."""

    label: int
    value: Expr

    @property
    def weighed(self) -> Expr:
        """The mark times the predicted probability of its class."""
        return self.value * predicted(self.label)


Order = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class CostSlice:
    """Costs x of one class from low to high; ``regions`` are those of every class, of its own at x too.

    The integrand is ``x f(x) (1 - prod G_j(p_i x/p_j))``: the cost, its density, and the probability that the class
    is not chosen.
    """

    low: Expr
    high: Expr
    regions: tuple[int, ...]
    integrand: Expr


@dataclass(frozen=True, slots=True)
class SplitLoss:
    """The loss of one class as integrals over slices, and a sum over the costs that have a probability."""

    slices: tuple[CostSlice, ...]
    masses: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SplitCell:
    """The losses of the classes where the marks, weighed by the forecast, ascend in a given order."""

    order: Order
    losses: tuple[SplitLoss, ...]


@dataclass(frozen=True, slots=True)
class SplitLosses:
    """A cell for every order of the marks, up to an exchange of classes with the same law."""

    costs: IndependentDistributions
    cells: tuple[SplitCell, ...]


@dataclass(frozen=True, slots=True)
class TermIntegral:
    """The integral of one term of a slice's integrand: an antiderivative in x, and its limits at both ends."""

    integrand: Expr
    antiderivative: Expr
    at_low: Expr
    at_high: Expr


@dataclass(frozen=True, slots=True)
class Cell:
    """The losses of the classes in one order of the marks, with the terms of each slice that they add up."""

    order: Order
    losses: tuple[Expr, ...]
    integrals: tuple[tuple[tuple[TermIntegral, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class ClassLosses:
    """The loss of each class as a function of the forecast, in every cell."""

    costs: IndependentDistributions
    cells: tuple[Cell, ...]
