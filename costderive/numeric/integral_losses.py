"""Losses that stay integrals: tables from their rate of growth, a closed form that does not cancel."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath

from costderive.numeric import chebyshev
from costderive.numeric.constants import number
from costderive.numeric.end_tables import LOG, Table, Variable
from costderive.numeric.many_digits import DIGITS, End, Valued, snapped
from costderive.numeric.next_to_ends import between, first_bit, from_end
from costderive.numeric.sampled import Multiple, apart
from costderive.numeric.table_fit import Fitter, log_edges, lowest, lowest_edge

SHARES = (0.9, 0.3, 0.01)  # of the distance to the middle, at which a table is compared
SUMMED = 6  # panels, about, that are integrated by quadrature
LITTLE = mpmath.mpf(2) ** -80  # of a loss, that no polynomial shows


@dataclass(slots=True)
class Running:
    """A loss, carried on from panel to panel by integrating its rate of growth, a closed form in the distance x.

    With ``f = loss x^-power`` and ``z = log x`` it solves ``df/dz = rate x^(1 - power) - power f`` by collocation,
    upwards from the end that the loss grows from; downwards to the other end the rate is negative. Unlike the
    loss, ``f`` varies slowly, so that panels may be wide. ``reached`` holds the loss at each edge so far.
    """

    rate: Valued
    end: End
    sign: int
    reached: dict[float, Any]
    variable: Variable = LOG

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return the values of f at the points of a panel."""
        known, sought = (low, high) if self.sign > 0 else (high, low)
        with mpmath.workdps(DIGITS):
            centre, scale = map(mpmath.mpf, chebyshev.centre_and_scale(low, high))
            half = 1 / scale
            first, last = centre - self.sign * half, centre + self.sign * half
            start = self._beside(known, self.reached[known], first) * mpmath.exp(-power * first)
            over = 1 - mpmath.mpf(power)  # between doubles it would be rounded
            source = [rate * x**over for x, rate in _rates(self.rate, self.end, low, high)]
            rows, whole = chebyshev.integration(self.sign > 0)
            drive = [start + half * summed for summed in rows.times(source)]
            found = chebyshev.solved(rows, self.sign * half * power, drive)
            slope = [part - self.sign * power * value for part, value in zip(source, found, strict=True)]
            reached = start + half * whole.times(slope)[0]
            self.reached[sought] = self._beside(last, reached * mpmath.exp(power * last), sought)
            return found

    def slip(self) -> float:
        """Return how far a few panels are from what quadrature adds there to the loss, in units of 2^-53 of that."""
        panels = list(pairwise(sorted(self.reached)))
        with mpmath.workdps(DIGITS):
            return max(self._slip(low, high) for low, high in panels[:: max(1, len(panels) // SUMMED)])

    def _slip(self, low: float, high: float) -> float:
        start, found = self.reached[low], self.reached[high]
        if self.sign < 0:
            start, found = found, start
        if abs(found - start) < LITTLE * abs(found):
            return 0.0
        half = mpmath.mpf(high - low) / 2

        def grown(t: Any) -> Any:
            x = mpmath.exp(low + half * (1 + t))
            return half * x * self.rate.value(self.end, x) / found

        rise = mpmath.quad(grown, [-1, 1], method="gauss-legendre")
        return float(abs(start / found + rise - 1) * 2**53)

    def _beside(self, z: Any, loss: Any, edge: Any) -> Any:
        """Return the loss at an edge from that at its rounded value: the table has rounded the ends of each panel."""
        z, edge = mpmath.mpf(z), mpmath.mpf(edge)
        x = mpmath.exp(z)
        return loss + self.sign * (edge - z) * x * self.rate.value(self.end, x)

    def is_steep(self, low: float, high: float) -> bool:
        """Return whether three rates of growth already swing whatever power they are divided by: f does no less.

        Rates so small that the loss stays what it is may swing.
        """
        points, loss = (low, (low + high) / 2, high), abs(self.reached[low if self.sign > 0 else high])
        with mpmath.workdps(DIGITS):
            distances = [mpmath.exp(mpmath.mpf(z)) for z in points]
            rates = [abs(self.rate.value(self.end, x)) for x in distances]
            if 0 in rates or max(map(mpmath.fmul, distances, rates)) * (high - low) < LITTLE * loss:
                return False
            first, middle, last = map(mpmath.log, rates)
            return bool(abs(middle - (first + last) / 2) > 2 * math.log(chebyshev.SWING))

    def is_gone(self, low: float, high: float) -> bool:
        """Return False: panels start where the loss counts, and it grows from there."""
        return False

    def power(self, low: float, high: float) -> float:
        """Return the power that the loss is near to at the edge from which it is carried on."""
        known = low if self.sign > 0 else high
        x = mpmath.exp(mpmath.mpf(known))
        return snapped(float(self.sign * x * self.rate.value(self.end, x) / self.reached[known]))


@functools.lru_cache(maxsize=2)
def _rates(rate: Valued, end: End, low: float, high: float) -> list[tuple[Any, Any]]:
    """Return the points of a panel as distances, with the rates there: they are asked for by several powers."""
    distances = list(map(mpmath.exp, chebyshev.rounded_nodes(low, high)))
    return list(zip(distances, rate.values(end, distances), strict=True))


def integrated(
    rate: Valued, zero: End, far: End, middle: float, start: Any, tail: float = chebyshev.TAIL
) -> tuple[tuple[Table, Table], float, float]:
    """Fit the tables of ``start + integral of rate`` from the end ``zero`` to the other end, split at ``middle``.

    The last numbers say by how much they slip from quadrature, and by how much more or less may lie next to the end
    than was found there, in units of 2^-53.
    """
    with mpmath.workdps(DIGITS):
        bottom, beyond = rate.bottom(zero, middle, 1), mpmath.mpf(far.nearest)
        near, away = _edges(rate, zero, bottom, middle), _edges(rate, far, beyond, middle)
        bit, unsure = first_bit(rate, zero, near[0])
        first = Running(rate, zero, 1, {near[0]: start + bit})
        rise = 1 + rate.power(zero, bottom) if start == 0 else 0.0
        panels = list(Fitter(first, rise, tail=tail).panels(near))
        joint = first.reached[near[-1]] + _gap(rate, zero, far, near[-1], away[-1])
        second, fall = Running(rate, far, -1, {away[-1]: joint}), 1 + rate.power(far, beyond)
        more = list(Fitter(second, min(0.0, fall), ascending=False, tail=tail).panels(away))
        worst = mpmath.inf if fall <= 0 else second.reached[away[0]] + first_bit(rate, far, away[0])[0]
        below = lowest(zero, float(start), math.exp(near[0]))
        tables = Table.of(zero, LOG, float(start), panels, below), Table.of(far, LOG, float(worst), more)
        missed = float(unsure * bit / (start + bit)) * 2**53 if unsure else 0.0
        return tables, max(first.slip(), second.slip()), missed


def _edges(rate: Valued, end: End, bottom: Any, middle: float) -> list[float]:
    """Return the edges of the first panels: of a rate that is sampled, those of its own, across which it may jump."""
    if not isinstance(rate, Multiple):
        return log_edges(rate, end, bottom, middle)
    low = lowest_edge(rate, end, bottom)
    return [low, *(edge for edge in rate.edges(end) if edge > low)]


@functools.lru_cache(maxsize=64)
def integral(rate: Valued, low: End, high: End, middle: float) -> Any:
    """Return the integral of a closed form over a piece."""
    with mpmath.workdps(DIGITS):
        return sum(from_end(rate, end, abs(end.exact_distance(middle))) for end in (low, high))


def off(
    rate: Valued, zero: End, far: End, middle: float, start: Any, tables: tuple[Table, Table]
) -> tuple[float, float]:
    """Return how far the polynomials of both tables are from quadrature at a few distances, in units of 2^-53."""
    with mpmath.workdps(DIGITS):
        near, away = (abs(end.exact_distance(middle)) for end in (zero, far))
        half = start + from_end(rate, zero, near)
        below = [(x, start + from_end(rate, zero, x)) for x in (near * share for share in SHARES)]
        above = [(x, half + between(rate, far, x, away)) for x in (away * share for share in SHARES)]
        first, second = (
            max(apart(value, table.exactly(x)) for x, value in known)
            for table, known in zip(tables, (below, above), strict=True)
        )
        return first, second


def _gap(rate: Valued, zero: End, far: End, low: float, high: float) -> Any:
    """Return what lies between the two rounded logarithms of the distances of one and the same middle."""
    x = mpmath.exp(mpmath.mpf(low))
    width = abs(number(far.at, DIGITS) - number(zero.at, DIGITS))
    return rate.value(zero, x) * (width - x - mpmath.exp(mpmath.mpf(high)))
