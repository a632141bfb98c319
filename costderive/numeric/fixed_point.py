"""Products of a matrix with vectors of mpmath numbers, and Chebyshev series, in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any

import mpmath

from costderive.numeric.constants import mantissa_and_exponent

BITS = 200  # of the largest number of a vector, and of the matrix


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of numbers, each a whole multiple of ``2^-scale``."""

    rows: tuple[tuple[int, ...], ...]
    scale: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]]) -> Matrix:
        """Round the entries to BITS bits of the largest of them."""
        top = max(_magnitude(row) for row in rows)
        return cls(tuple(tuple(_whole(x, BITS - top) for x in row) for row in rows), BITS - top)

    @classmethod
    def of_integers(cls, rows: Sequence[Sequence[int]]) -> Matrix:
        """Take whole numbers as they are."""
        return cls(tuple(map(tuple, rows)), 0)

    def times(self, values: Sequence[Any]) -> list[Any]:
        """Return the products of the rows with a vector, right to BITS bits of its largest number."""
        if not all(map(mpmath.isfinite, values)):
            return [mpmath.nan] * len(self.rows)
        top = _magnitude(values)
        whole = [_whole(x, BITS - top) for x in values]
        return [mpmath.ldexp(sum(map(mul, row, whole)), top - BITS - self.scale) for row in self.rows]


@dataclass(frozen=True, slots=True)
class ChebyshevSeries:
    """Coefficients of Chebyshev polynomials, lowest first, each a whole multiple of ``2^(top - BITS)``."""

    whole: tuple[int, ...]
    top: int

    @classmethod
    def of(cls, coefficients: Sequence[Any]) -> ChebyshevSeries:
        """Round coefficients to BITS bits of the largest of them."""
        top = _magnitude(coefficients)
        return cls(tuple(_whole(x, BITS - top) for x in coefficients), top)

    def at(self, z: Any) -> Any:
        """Return the sum at z in [-1, 1]."""
        point, value, last = _whole(z, BITS), 0, 0
        for coefficient in self.whole[:0:-1]:
            value, last = (point * value >> BITS - 1) - last + coefficient, value
        return mpmath.ldexp((point * value >> BITS) - last + self.whole[0], self.top - BITS)


def _magnitude(values: Sequence[Any]) -> int:
    """Return the least power of 2 that no number exceeds."""
    found = map(mantissa_and_exponent, values)
    return max((mantissa.bit_length() + exponent for mantissa, exponent in found if mantissa), default=0)


def _whole(x: Any, shift: int) -> int:
    """Return ``2^shift x`` rounded down to a whole number."""
    mantissa, exponent = mantissa_and_exponent(x)
    places = exponent + shift
    return mantissa << places if places >= 0 else mantissa >> -places
