"""Places on curves of costs in balls of Arb: the one at which a curve has a given cost proportion.

Newton's method goes on from the few digits that doubles show. Then a ball around what it found is mapped into itself by
Newton's step for intervals: the place is in that image for certain, whichever number of its ball the proportion is.

Source: Tucker (2011), Validated numerics, section 5.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from costderive.core.curve_parameters import OneWay
from costderive.core.curve_places import FIRST_BITS, beside_ends, first_digits
from costderive.core.work import OF_SERIES, SOONER, size_of, spend
from costderive.numeric.constants import mantissa_and_exponent

MOST_STEPS = 12
WIDE = 4  # times as far as Newton's last step: the radius of the ball that is mapped into itself
Compile = Callable[[tuple[sympy.Symbol, ...], sympy.Expr], Callable[..., Any]]


@dataclass(slots=True, eq=False)
class BallPlaces:
    """The places on a stretch of a curve; functions are of the distance from its low end, and from its high one.

    The last place is kept: an expression asks several times for the same, and the next one is near.
    """

    stretch: OneWay
    flint: Any
    from_low: tuple[Callable[..., Any], ...]
    from_high: tuple[Callable[..., Any], ...]
    low: Callable[[], Any]
    high: Callable[[], Any] | None
    size: float
    asked: tuple[Any, ...] = ()
    places: tuple[Any, Any, Any] = (None, None, None)
    z: Any = None

    @classmethod
    def of(cls, stretch: OneWay, compile: Compile, flint: Any) -> BallPlaces:
        """Compile both costs of a stretch, and its slope."""
        distance, *written = beside_ends(stretch)
        from_low, from_high = (tuple(compile((distance,), part) for part in parts) for parts in written)
        high = None if stretch.high is sympy.oo else compile((), stretch.high)
        size = (2 * OF_SERIES + sum(map(size_of, stretch.odds))) / SOONER
        return cls(stretch, flint, from_low, from_high, compile((), stretch.low), high, size)

    def __call__(self, proportion: Any) -> tuple[Any, Any, Any]:
        """Return the variable and its distances from both ends, each nan where too little is known of it."""
        asked = self.flint.ctx.prec, proportion.mid().man_exp(), proportion.rad().man_exp()
        if asked != self.asked:
            self.places, self.asked = self._places(proportion), asked
        return self.places

    def _places(self, proportion: Any) -> tuple[Any, Any, Any]:
        low, high = ends = self.low(), self.high() if self.high else None
        wanted = (proportion / (1 - proportion)).log()
        z = self._certain(wanted, self._near(wanted, ends), ends)
        part, _ = _nearer_end(z, ends)
        if _is_from_high(z, ends):
            return high - part, high - low - part, part
        return low + part, part, self.flint.arb("inf") if high is None else high - low - part

    def _near(self, wanted: Any, ends: tuple[Any, Any]) -> Any:
        """Return the middle of a ball in which the place should be, nan if none was found."""
        found = self._approached(self.z, wanted, ends) if self.z is not None else self.flint.arb.nan()
        if not found.is_finite():
            found = self._approached(self._first(wanted), wanted, ends)
        self.z = found if found.is_finite() else None
        return found

    def _approached(self, z: Any, wanted: Any, ends: tuple[Any, Any]) -> Any:
        """Return where Newton's method leads to the working precision, or to where it only rounds."""
        enough = self.flint.arb(2) ** (-self.flint.ctx.prec // 2)
        for _ in range(MOST_STEPS):
            value, slope = self._gap(z, wanted, ends)
            step = value / slope
            z = (z - step).mid()
            if abs(step).mid() < enough * max(1, abs(z)) or (step.is_finite() and step.contains(0)):
                return z
        return self.flint.arb.nan()

    def _first(self, wanted: Any) -> Any:
        with mpmath.workprec(FIRST_BITS):
            mantissa, exponent = map(int, wanted.mid().man_exp())
            z = first_digits(self.stretch, mpmath.ldexp(mantissa, exponent))
        return self.flint.arb(mantissa_and_exponent(z)) if z is not None else self.flint.arb.nan()

    def _certain(self, wanted: Any, z: Any, ends: tuple[Any, Any]) -> Any:
        """Return a ball that holds the place, nan if none was found."""
        arb = self.flint.arb
        value, slope = self._gap(z, wanted, ends)
        reach = WIDE * abs(value / slope).upper() + abs(z).upper() * arb(2) ** (WIDE - self.flint.ctx.prec)
        around = z + arb(0, reach)
        found = z - value / self._gap(around, wanted, ends)[1]
        return found if around.contains(found) else arb.nan()

    def _gap(self, z: Any, wanted: Any, ends: tuple[Any, Any]) -> tuple[Any, Any]:
        """Return by how much the log-odds at a place are more than those wanted, and their slope."""
        spend(self.size, self.flint.ctx.prec)
        part, speed = _nearer_end(z, ends)
        functions = self.from_high if _is_from_high(z, ends) else self.from_low
        c0, c1, turning = (function(part) for function in functions)
        rising = int(self.stretch.direction)
        return rising * ((c0 / c1).log() - wanted), rising * turning / (c0 * c1) * speed


def _is_from_high(z: Any, ends: tuple[Any, Any]) -> bool:
    return bool(z > 0 and ends[1] is not None)


def _nearer_end(z: Any, ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return how far a place is from the nearer end, and how fast this changes with it."""
    low, high = ends
    if high is None:
        return z.exp(), z.exp()
    step = (-z if z > 0 else z).exp()
    part = (high - low) * step / (1 + step)
    return part, part / (1 + step)
