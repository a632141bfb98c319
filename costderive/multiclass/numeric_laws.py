"""Laws of costs in doubles, whose densities are sums of ``x^n exp(-r x)`` between marks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import sympy

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass.regional import Regional
from costderive.multiclass.stages import Distribution
from costderive.multiclass.sums import ExponentialSum

FARTHEST = 20.0  # times the top, nothing is left
REACH = tuple(0.95 * 0.9**n for n in range(40))  # radii of circles around 1


@dataclass(frozen=True, eq=False)
class NumericLaw:
    """A law in doubles: its marks with their probabilities, and its density and survival function in each region.

    Beyond ``top`` its density is 0, or too small to count.
    """

    source: Distribution
    marks: Array
    jumps: Array
    densities: Regional
    survivals: Regional
    top: float
    degree: float  # of the densities, or infinity if one is no polynomial
    power: float  # the largest one of x before an exponential, or infinity

    def __reduce__(self) -> tuple[Any, ...]:
        return NumericLaw.of, (self.source,)  # functions of lambdify do not pickle

    @classmethod
    def of(cls, one: Distribution) -> NumericLaw:
        """Turn every expression into a function of arrays."""
        survivals = [sympy.factor(sympy.expand(1 - cdf)) for cdf in one.cdfs]
        marks, jumps = (np.array(values, dtype=float) for values in (one.marks, one.jumps))
        density, survival = (Regional.of(exprs, one.marks) for exprs in (one.densities, survivals))
        return cls(one, marks, jumps, density, survival, _top(one), _degree(one), _power(one))

    @property
    def begin(self) -> float:
        """The least cost, or what costs come close to."""
        return float(self.source.span[0])

    @property
    def end(self) -> float:
        """The greatest cost, what costs come close to, or infinity."""
        return float(self.source.span[1])

    @property
    def start(self) -> tuple[float, float, float]:
        """Return the cost up to which the distribution function is ``c x^k``, or 0, and k and the logarithm of c."""
        coefficient, power = self.source.cdfs[0].as_coeff_exponent(x)
        if self.marks.size == 0 or not coefficient.is_positive or coefficient.has(x):
            return 0.0, 0.0, 0.0
        return float(self.marks[0]), float(power), float(sympy.log(coefficient))

    @cached_property
    def growth(self) -> tuple[Array, Array]:
        """Return how far the functions of a region, continued to ``u (1 + z exp(i b))``, grow for the z in `REACH`.

        They are the density times the square of the cost, over the mean, and the distribution function.
        """
        edges = [self.top * 1e-12, *self.marks, self.top]
        circles = 1 + np.array(REACH)[:, None] * np.exp(1j * np.linspace(0, np.pi, 33))
        weighed, chances = np.zeros((2, len(REACH)))
        for region, (low, high) in enumerate(pairwise(edges)):
            if high > low:
                around = np.geomspace(max(low, edges[0]), high, 200)[:, None, None] * circles
                density, above = (one.functions[region](around) for one in (self.densities, self.survivals))
                of_cost = np.abs(around**2 * density / float(self.source.mean)) * np.ones(around.shape)
                weighed = np.maximum(weighed, of_cost.max(axis=(0, 2)))
                chances = np.maximum(chances, np.abs(1 - above * np.ones(around.shape)).max(axis=(0, 2)))
        return weighed, chances

    def near(self, values: Array) -> Array:
        """Return costs, or one beyond which nothing is left: powers of larger ones are no doubles."""
        farthest = FARTHEST * self.top
        return values if values.max(initial=0.0) <= farthest else np.minimum(values, farthest)

    def regions(self, values: Array) -> NDArray[np.intp]:
        """Return the numbers of marks below values."""
        return np.searchsorted(self.marks, values) if self.marks.size else np.zeros(values.shape, np.intp)

    def above(self, values: Array, regions: NDArray[np.intp]) -> Array:
        """Return P(cost > x), in regions."""
        return self.survivals(self.near(values), regions)

    def quantile(self, level: float) -> float:
        """Return a cost below which another is at most as probable as the level, of at least 1e-9."""
        costs = self.top * np.geomspace(1e-12, 1.0, 400)
        chances = 1 - self.survivals(costs, np.searchsorted(self.marks, costs))
        return float(costs[chances <= level].max(initial=0.0))


def _top(one: Distribution) -> float:
    last = float(one.marks[-1]) if one.marks else 0.0
    terms = ExponentialSum.read(one.densities[-1], Given()).terms
    return max([last, *[last + (45.0 + 8 * n) / float(rate) for n, rate in terms]])


def _degree(one: Distribution) -> float:
    densities = [density for density in one.densities if density != 0]
    if not all(density.is_polynomial(x) for density in densities):
        return math.inf
    return max([int(sympy.degree(density, x)) for density in densities], default=0)


def _power(one: Distribution) -> float:
    return max(
        [n for density in one.densities for n, _ in ExponentialSum.read(density, Given()).terms], default=0
    )
