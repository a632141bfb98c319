"""First and second derivatives of the losses of rows for independent costs of any laws, by the sums of `row_tables`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import sympy

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, np
from costderive.costs.laws import Law, x
from costderive.costs.laws.quadrature import compiled, stable
from costderive.multiclass.pole_panels import Panels
from costderive.multiclass.poles import poles
from costderive.multiclass.row_slopes import Slopes, SummedSlopes
from costderive.multiclass.row_tables import TabledLaw, density

BESIDE = 1e-12  # of a mark, at which a density is taken to find its jump there
NOTHING = 1e-30  # a chance


@dataclass(frozen=True, eq=False)
class TableSlopes(SummedSlopes):
    """Independent costs of laws with densities, in numbers."""

    laws: tuple[TabledLaw, ...]

    @classmethod
    @cache
    def of(cls, laws: tuple[TabledLaw, ...], factor: float = 1.0) -> TableSlopes:
        """Take the tables.

        Raises:
            SpecError: if a cost has a probability.
        """
        for label, one in enumerate(laws):
            if one.law.masses:
                raise SpecError(
                    f"the cost of class {label} is {one.law.masses[0].value} with a positive probability",
                    "Derivatives are there where all costs have densities: elsewhere the loss has steps and kinks.",
                )
        return cls(factor, laws)

    def of_block(self, shares: Array, label: int, bends: bool) -> Slopes:
        panels, rivals = Panels.of(self.laws, shares, label), [n for n in range(len(self.laws)) if n != label]
        at = [panels.scaled(n, panels.costs) for n in rivals]
        chances = np.stack([_chance(self.laws[n], one) for n, one in zip(rivals, at, strict=True)], axis=2)
        rates = np.stack([one * panels.densities(n) for n, one in zip(rivals, at, strict=True)], axis=2)
        own = panels.densities(label)
        weighed = panels.costs * own * panels.weights * chances.prod(axis=2)
        ratios = rates / chances
        slope = panels.added(np.einsum("nq,nqj->nj", weighed, ratios))
        for place, rival in enumerate(rivals):
            slope[panels.is_infinite(rival), place] = np.inf
        if not bends:
            return slope, None
        bend = -panels.added(np.einsum("nqj,nqk->njk", weighed[:, :, None] * ratios, ratios))
        for place, rival in enumerate(rivals):
            curve = _bend(self.laws[rival].law, at[place]) / chances[:, :, place]
            parts = -np.einsum("nq,nq->n", weighed, curve)
            if (beside := panels.beside(rival)).any():
                parts = np.where(beside, self._by_parts(panels, weighed, ratios, place, rival), parts)
            bend[:, place, place] = panels.added(parts) - self._kinks(shares, label, rival)
            met = panels.meets(rival)
            bend[met, place] = bend[met, :, place] = np.nan
        return slope, bend

    def _by_parts(self, panels: Panels, weighed: Array, ratios: Array, place: int, rival: int) -> Array:
        """Integrate ``x w'(x) h(u)`` with the `_weight` w: beside a pole of the rival ``u h'(u)`` has no integral."""
        own = self.laws[panels.label].law
        slope, others = _bend(own, panels.costs) / _rate(own, panels.costs), np.delete(ratios, place, axis=2)
        turned = (1 + np.nan_to_num(slope) + others.sum(axis=2)) * ratios[:, :, place]
        ends = panels.differences(rival, partial(self._weight, panels, rival))
        return np.asarray(np.einsum("nq,nq->n", weighed, turned) + ends)

    def _weight(self, panels: Panels, rival: int, costs: Array) -> Array:
        """Return ``w(x) = x^2 f(x)`` times the chance that all other rivals weigh less."""
        others = [n for n in range(len(self.laws)) if n not in (panels.label, rival)]
        chosen = [_chance(self.laws[n], panels.scaled(n, costs)) for n in others]
        return np.asarray(costs**2 * density(self.laws[panels.label].law, costs) * np.prod(chosen, axis=0))

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
    """Return P(cost <= x), or something as good as 0, by which one may divide."""
    return np.asarray(np.maximum(1 - one.survival(costs, one.pieces(costs)), NOTHING))


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
    """Return the ends of densities, and how h jumps there from or to a finite value; poles are counted elsewhere."""
    beside = np.array([[mark * (1 - BESIDE), mark * (1 + BESIDE)] for mark in one.marks]).reshape(-1, 2)
    values = _rate(one.law, beside)
    for pole in poles(one.law):
        values[one.marks == pole.end, (pole.side + 1) // 2] = 0.0
    found = np.diff(values, axis=1)[:, 0]
    return tuple((float(mark), float(jump)) for mark, jump in zip(one.marks, found, strict=True))
