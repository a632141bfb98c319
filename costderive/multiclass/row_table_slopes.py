"""First and second derivatives of the losses of rows for independent costs of any laws, by the sums of `row_tables`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import sympy

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, np
from costderive.costs.laws import Law, x
from costderive.costs.laws.quadrature import compiled, stable
from costderive.multiclass.poles import poles
from costderive.multiclass.row_slopes import Slopes, SummedSlopes
from costderive.multiclass.row_tables import TabledLaw, density, intervals, nodes

BESIDE = 1e-12  # of a mark, at which a density is taken to find its jump there


@dataclass(frozen=True, eq=False)
class TableSlopes(SummedSlopes):
    """Independent costs of laws with densities, in numbers."""

    laws: tuple[TabledLaw, ...]

    @classmethod
    @cache
    def of(cls, laws: tuple[TabledLaw, ...], factor: float = 1.0) -> TableSlopes:
        """Take the tables.

        Raises:
            SpecError: if a cost has a probability, or a density a pole at an end other than 0.
        """
        for label, one in enumerate(laws):
            if one.law.masses:
                raise SpecError(
                    f"the cost of class {label} is {one.law.masses[0].value} with a positive probability",
                    "Derivatives are there where all costs have densities: elsewhere the loss has steps and kinks.",
                )
            for pole in poles(one.law):
                raise SpecError(
                    f"the density of the cost of class {label} has a pole at {pole.end:g}",
                    "Derivatives are there where densities have poles at 0 alone: others are steep beside them.",
                )
        return cls(factor, laws)

    def of_block(self, shares: Array, label: int, bends: bool) -> Slopes:
        own, rivals = self.laws[label], [n for n in range(len(self.laws)) if n != label]
        ends = intervals(self.laws, shares, label)
        costs, weights = nodes(ends[:, :-1], ends[:, 1:])
        costs, weights = (one.reshape(len(shares), -1) for one in (costs, weights))
        at = [costs / shares[:, [n]] for n in rivals]
        chances = np.stack([_chance(self.laws[n], one) for n, one in zip(rivals, at, strict=True)], axis=2)
        rates = np.stack([_rate(self.laws[n].law, one) for n, one in zip(rivals, at, strict=True)], axis=2)
        weighed = costs * density(own.law, costs) * weights * chances.prod(axis=2)
        ratios = np.where(chances > 0, rates / chances, 0.0)
        slope = np.einsum("nq,nqj->nj", weighed, ratios)
        if not bends:
            return slope, None
        bend = -np.einsum("nqj,nqk->njk", weighed[:, :, None] * ratios, ratios)
        for place, rival in enumerate(rivals):
            curve = _bend(self.laws[rival].law, at[place])
            curve = np.where(chances[:, :, place] > 0, curve / chances[:, :, place], 0.0)
            kinks = self._kinks(shares, label, rival)
            bend[:, place, place] = -np.einsum("nq,nq->n", weighed, curve) - kinks
        return slope, bend

    def _kinks(self, shares: Array, label: int, rival: int) -> Array:
        """Sum ``x^2 f(x)`` times the jumps of the rival's h and the chance that all others weigh less."""
        total = np.zeros(len(shares))
        for mark, jump in _jumps(self.laws[rival]):
            place = shares[:, rival] * mark
            others = [n for n in range(len(self.laws)) if n not in (label, rival)]
            chosen = np.prod([_chance(self.laws[n], place / shares[:, n]) for n in others], axis=0)
            total += jump * place**2 * density(self.laws[label].law, place) * chosen
        return total


def _chance(one: TabledLaw, costs: Array) -> Array:
    """Return P(cost <= x)."""
    return np.asarray(np.maximum(1 - one.survival(costs, one.pieces(costs)), 0.0))


def _rate(law: Law, costs: Array) -> Array:
    """Return ``h(x) = x f(x)``."""
    return costs * density(law, costs)


def _bend(law: Law, costs: Array) -> Array:
    """Return ``x h'(x)``."""
    found = np.zeros(costs.shape)
    for spread in law.spreads:
        there = (costs > float(spread.low)) & (costs < float(spread.high))
        bend = compiled(x * sympy.diff(x * stable(spread.density), x), x)
        found[there] += bend(costs[there])
    return found


@cache
def _jumps(one: TabledLaw) -> tuple[tuple[float, float], ...]:
    """Return the ends of densities, and how h jumps there."""
    beside = np.array([[mark * (1 - BESIDE), mark * (1 + BESIDE)] for mark in one.marks]).reshape(-1, 2)
    found = np.diff(_rate(one.law, beside), axis=1)[:, 0]
    return tuple((float(mark), float(jump)) for mark, jump in zip(one.marks, found, strict=True))
