"""A function between 0, 1 and breakpoints as certified polynomials with the digits of ``longdouble``.

A loss is interpolated by way of its rate of growth and goes on from piece to piece, so that an integral, or a
closed form whose functions take long, costs no more than another. What interpolation leaves out is bounded in the
complex plane, and so is what adds up from piece to piece.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import mpmath
import sympy
from sympy import Integral

from costderive.core.numpy_on_demand import np
from costderive.numeric import chebyshev
from costderive.numeric.chebyshev import Interpolant
from costderive.numeric.constants import number
from costderive.numeric.end_tables import LINEAR, Panel, Table
from costderive.numeric.function import Segment
from costderive.numeric.majorant import Analytic, left_out
from costderive.numeric.many_digits import AGREE, DIGITS, End, Exact, in_p_and_r
from costderive.numeric.next_to_ends import from_end
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import long_epsilon
from costderive.numeric.stretch import Stretch

OUTER = End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1)
LOWEST = 2.0**-11  # distance from 0 or 1
EDGES = [LOWEST * 2.0 ** (k / 2) for k in range(1, 20)]
OVERLAP = (
    2.0**-9
)  # of neighbours, relative to the distance: an interval so short that holds an edge lies in one
SHORTEST = 2.0**-7  # of a piece, relative to the distance
MOST = 0.1  # ulp that a polynomial may be off
ULP = 2.0**-53


def smooth(stretch: Stretch, low: float, high: float) -> Iterator[Segment]:
    """Yield certified tables in the distance from 0 or from 1, each of one panel, which overlap a little.

    They are for ``low < p <= high`` in a stretch, as far as the function is analytic and 0 and 1 are not near.
    """
    for end, nearest, farthest in zip(OUTER, (low, 1 - high), (high, 1 - low), strict=True):
        first, last = max(nearest, LOWEST), min(farthest, 0.5)
        if last - first > SHORTEST * last:
            yield from _Pieces.of(stretch, end, last).between(first)


@dataclass(frozen=True, slots=True)
class _Value:
    """A number, and how far it may be off."""

    number: Any
    off: float


@dataclass(slots=True)
class _Pieces:
    """Polynomials in the distance from ``end`` up to ``last``, made one after the other.

    What is interpolated is ``source``: the function, or its rate of growth. Then ``reached`` is the value where the
    next piece starts, unless the one before it is missing.
    """

    stretch: Stretch
    end: End
    last: float
    source: Analytic
    reached: _Value | None = None

    @classmethod
    def of(cls, stretch: Stretch, end: End, last: float) -> _Pieces:
        """Look at a stretch from 0 or from 1."""
        known = stretch.value if stretch.growth is None else stretch.growth.rate
        return cls(stretch, end, last, Analytic(Exact.of(in_p_and_r(known)), end, None, False))

    @property
    def side(self) -> int:
        """1 if the function grows with the distance, -1 if it falls, 0 if that is not known."""
        growth = self.stretch.growth
        return 0 if growth is None else self.end.side * growth.zero.side

    def between(self, first: float) -> Iterator[Segment]:
        """Yield the polynomials from a distance on, in the order in which the function grows."""
        if self.source.can_be_bounded and not self.stretch.terms:
            inner = [edge for edge in EDGES if first < edge < self.last]
            for low, high in self._ordered(list(pairwise((first, *inner, self.last)))):
                yield from self._halved(low, high)

    def _ordered(self, found: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
        return found[::-1] if self.side < 0 else found

    def _halved(self, low: float, high: float) -> Iterator[Segment]:
        found = self._fitted(low, high)
        if found is not None:
            yield found
        elif high - low > SHORTEST * high:
            middle = (low + high) / 2
            for half in self._ordered(((low, middle), (middle, high))):
                yield from self._halved(*half)
        else:
            self.reached = None

    def _fitted(self, low: float, high: float) -> Segment | None:
        """Interpolate on an interval and a little beyond; None if that could not be certified."""
        near, far = (high, low) if self.side < 0 else (low, high)
        top = min(high * (1 + OVERLAP), self.last)
        if self._is_steep(low, top):
            return None
        start, missing = self._value(near), left_out(self.source, low, top, 1, 0.0, chebyshev.POINTS)
        if missing is None or not missing * (top - low if self.side else 1) < MOST * ULP * abs(start.number):
            return None
        with mpmath.workdps(DIGITS):
            found = Interpolant.of(lambda x: self.source.exact.value(self.end, x), low, top)
            if self.side:
                found = found.grown(self.side, near, start.number)
                missing = start.off + missing * (top - low)
            segment = self._segment(found, missing)
            if segment is not None:
                self.reached = _Value(found.at(far), missing) if self.side else None
            return segment

    def _is_steep(self, low: float, high: float) -> bool:
        """Whether the digits of any polynomial's coefficients are too few where the function is least."""
        if self.stretch.value.has(Integral):
            return False  # two values would take longer than the interpolation
        sizes = [abs(self._exact(x)) for x in (low, high)]
        return bool(long_epsilon() * max(sizes) > MOST * ULP * min(sizes))

    def _segment(self, found: Interpolant, missing: float) -> Segment | None:
        """Round a polynomial; None if it is then too far off, relative to its least value."""
        numbers, rest = found.shortened()
        rounded: Any = tuple(np.longdouble(mpmath.nstr(one, 25)) for one in numbers)
        off = missing + rest + long_epsilon() * math.fsum(map(abs, rounded))
        least = found.least - off
        bound = off / least / ULP if least > 0 else math.inf
        if bound > MOST:
            return None
        table = Table.of(self.end, LINEAR, 0.0, [Panel(found.low, found.high, 0.0, 0, rounded)])
        return Segment(self._part(found.low, found.high, bound), table)

    def _part(self, low: float, high: float, bound: float) -> Part:
        """Describe the points between two distances that are in the stretch."""
        bottom, top = (low, high) if self.end.side > 0 else (1 - high, 1 - low)
        return replace(
            self.stretch.part(
                max(math.nextafter(bottom, 0), self.stretch.low.floor),
                min(top, self.stretch.high.floor),
                "table",
                "read in panels",
            ),
            bound=bound,
        )

    def _value(self, x: float) -> _Value:
        """Return the function where the next piece starts."""
        if self.reached is None:
            found = self._grown(x) if self.stretch.value.has(Integral) else self._exact(x)
            self.reached = _Value(found, float(abs(found) * AGREE))
        return self.reached

    def _exact(self, x: float) -> Any:
        return Exact.of(in_p_and_r(self.stretch.value)).value(self.end, mpmath.mpf(x))

    def _grown(self, x: float) -> Any:
        growth = self.stretch.growth
        assert growth is not None
        with mpmath.workdps(DIGITS):
            length = abs(self.end.point(mpmath.mpf(x))[0] - number(growth.zero.at, DIGITS))
            return growth.start(False) + from_end(self.source.exact, growth.zero, length)
