"""A cost matrix with an uncertain letter: the mean losses of the acts that cost least, value by value.

With costs ``A + x B``, act j costs ``a_j + x b_j`` on average, a line in the uncertain x. So it costs least for the x
of an interval, and the loss of class i adds up, over the acts, ``A_ij P(x in it) + B_ij E[x; x in it]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Derivative, Expr, S, Symbol

from costderive.core.errors import require_values
from costderive.core.piecewise import Given, Interval
from costderive.core.short_repr import short_repr
from costderive.costs.laws import x
from costderive.multiclass.cost_matrix import CostMatrix, weighed
from costderive.multiclass.law_claims import at_end, distribution_claims, smooth_claims
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.multiclass.stages import Distribution
from costderive.proof.claims import Claim, Equal, Move, Same, Tends

Line = tuple[Expr, Expr]


@dataclass(frozen=True, slots=True)
class MixedLosses(ClassRule):
    """The mean losses over the law of an uncertain letter, and of a factor.

    ``limited`` has ``E[min(x, z)]`` as a function of ``x = z``, in each region of the law of the ``part``.
    """

    matrix: CostMatrix
    factor: Distribution | None
    part: Distribution
    limited: tuple[Expr, ...]

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return self.matrix.classes

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return self.matrix.parameters

    @property
    def scale(self) -> Expr:
        """The mean of the factor, or 1."""
        return S.One if self.factor is None else self.factor.mean

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a cost has letters beside the uncertain one.

        >>> from costderive.multiclass import CostMatrix, derive
        >>> derive(CostMatrix([[0, 1], ["uniform(0, 4)", 0]])).rule.at(("2/3", "1/3"))
        (1/2, 1/2)
        """
        values = numbers(forecast, self.classes)
        require_values(self.parameters, "matrix")
        shares = tuple(self._shares(values))
        known, slopes = self.matrix.lines()
        return tuple(
            self.scale * sympy.Add(*[known[act][i] * p + slopes[act][i] * mean for act, p, mean in shares])
            for i in range(self.classes)
        )

    def _shares(self, values: Forecast) -> Iterator[tuple[int, Expr, Expr]]:
        """Yield acts, how probable it is that they are taken, and the mean of x there."""
        known, slopes = self.matrix.lines()
        lines = [(weighed(a, values), weighed(b, values)) for a, b in zip(known, slopes, strict=True)]
        for mark, jump in zip(self.part.marks, self.part.jumps, strict=True):
            costs = [a + mark * b for a, b in lines]
            if jump != 0:
                yield costs.index(min(costs)), jump, jump * mark
        for act, line in enumerate(lines):
            low, high = taken(line, lines)
            if low < high and line not in lines[:act]:
                (p, mean), (below, of_below) = self._spread(high), self._spread(low)
                yield act, p - below, mean - of_below

    def _spread(self, end: Expr) -> tuple[Expr, Expr]:
        """Return ``P(x < z)`` and ``E[x; x < z]``, without the values that have a probability."""
        masses = [pair for pair in zip(self.part.marks, self.part.jumps, strict=True) if pair[0] < end]
        p = sympy.Add(*[jump for _, jump in masses])
        mean = sympy.Add(*[mark * jump for mark, jump in masses])
        if end is S.Infinity:
            return 1 - p, self.part.mean - mean
        if end == 0:
            return S.Zero, S.Zero
        cdf, limited = (f[len(masses)].subs(x, end) for f in (self.part.cdfs, self.limited))
        return cdf - p, limited - end * (1 - cdf) - mean


def taken(line: Line, lines: list[Line]) -> tuple[Expr, Expr]:
    """Return between which x a line is below all others; the first end is not below the second if it never is."""
    low, high = S.Zero, S.Infinity
    for level, slope in lines:
        more, steeper = level - line[0], slope - line[1]
        if steeper == 0:
            low = S.Infinity if more < 0 else low
        elif steeper > 0:
            low = max(low, -more / steeper)
        else:
            high = min(high, -more / steeper)
    return low, high


@dataclass(frozen=True, slots=True)
class MixActs(Move):
    """Take the mean over the uncertain letter and the factor: for each value the act that costs least is taken."""

    searched_by = "costderive.multiclass.search.averaged_costs:mix_acts"

    def claims(self, before: CostMatrix, after: MixedLosses, given: Given) -> Iterator[Claim]:
        yield Same("the matrix is the one before", before, after.matrix)
        there = before.part is not None and (before.factor is None) == (after.factor is None)
        yield Same("one letter is uncertain, and maybe a factor", there, True)
        if before.part is not None and there:
            letter, law = before.part
            for cost in {cost for column in before.columns for cost in column}:
                bend = Derivative(cost, letter, letter)
                yield Equal(
                    "a cost is linear in the letter", bend, S.Zero, Interval(letter, S.Zero, S.Infinity)
                )
            yield from distribution_claims(law, after.part, given)
            yield from limited_claims(after.part, after.limited, given)
        if there and after.factor is not None:
            yield from distribution_claims(before.factor, after.factor, given)


def limited_claims(reject: Distribution, limited: tuple[Expr, ...], given: Given) -> Iterator[Claim]:
    """The limited expected value has the slope 1 - F, is continuous, and starts at 0."""
    yield Same("every region has its limited expected value", len(limited), len(reject.cdfs))
    for region, (value, cdf) in enumerate(zip(limited, reject.cdfs, strict=False)):
        on = Interval(x, *reject.bounds(region))
        yield Equal("the slope of the limited expected value", Derivative(value, x), 1 - cdf, on)
        yield from smooth_claims(value, on, given)
    yield Tends("the limited expected value starts at 0", limited[0], x, S.Zero, "+", S.Zero)
    for mark, below, above in zip(reject.marks, limited, limited[1:], strict=False):
        reached, left = at_end(below, mark, "-", given), at_end(above, mark, "+", given)
        yield Equal("the limited expected value is continuous", reached, left)
