"""The partial means ``E[c; c < z]`` of a cost with a density, at many z."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.costs.laws import x
from costderive.multiclass.gauss import gauss
from costderive.multiclass.numeric_laws import NumericLaw
from costderive.multiclass.regional import Regional

NODES = 14  # enough for x^n exp(-r x) between z and 2 z, to 1e-16 of the mean, while r z is at most 45
HALVINGS = 40  # of the largest cost; below, the density is as good as a polynomial


@dataclass(frozen=True, eq=False)
class PartialMeans:
    """The integrals of ``x f(x)`` from 0 to ``places``, and ``x f(x)`` itself, in the ``regions`` after them."""

    weighed: Regional
    places: Array
    regions: NDArray[np.intp]
    means: Array

    @classmethod
    def of(cls, law: NumericLaw) -> PartialMeans:
        """Add up the integrals between the marks of a law, and halves of its largest cost."""
        source = law.source
        exprs = [sympy.expand(x * density) for density in source.densities]
        weighed = Regional.of(exprs, source.marks, from_start=True)
        halves = law.top * 0.5 ** np.arange(HALVINGS + 1)
        places = np.unique([0.0, *halves, *law.marks])
        regions = np.searchsorted(law.marks, places, side="right")
        parts = _integrals(weighed, places[:-1], places[1:], regions[:-1])
        return cls(weighed, places, regions, np.concatenate([[0.0], np.cumsum(parts)]))

    def __call__(self, ends: Array) -> Array:
        """Return ``E[c; c < z]`` without the costs that have a probability."""
        ends = np.minimum(ends, self.places[-1])
        before = np.searchsorted(self.places, ends, side="left") - 1
        before = np.maximum(before, 0)
        more = _integrals(self.weighed, self.places[before], ends, self.regions[before])
        return np.asarray(self.means[before] + more)


def _integrals(weighed: Regional, low: Array, high: Array, regions: NDArray[np.intp]) -> Array:
    nodes, weights = gauss(NODES)
    half = (high - low) / 2
    costs = (low + half)[:, None] + half[:, None] * nodes
    return np.asarray(weighed(costs, regions) @ weights * half)
