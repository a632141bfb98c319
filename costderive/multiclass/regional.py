"""A function of a cost, with one expression for each region of a law, as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.costs.laws import x

HIGHEST = 4  # degree of polynomials that are read from a table


@dataclass(frozen=True, eq=False)
class Regional:
    """A function with one expression in each region, between marks.

    Polynomials are those of the distance from the mark at the end of the region, or at its start, so that next to it
    they keep their digits: ``coefficients``, of shape (degree + 1, regions), are read by region, which takes a fraction
    of the time in which values are sorted by region.
    """

    functions: tuple[Callable[[Any], Any], ...]
    origins: Array
    coefficients: Array | None

    @classmethod
    def of(cls, exprs: Sequence[Expr], marks: Sequence[Expr], from_start: bool = False) -> Regional:
        """Take an expression for each region, of which there is one more than there are marks."""
        ends = [S.Zero, *marks] if from_start else [*marks, *marks[-1:]]
        origins = ends if marks else []
        table = _table(exprs, origins) if origins else None
        functions = tuple(sympy.lambdify(x, expr, "numpy") for expr in exprs)
        return cls(functions, np.array(origins, dtype=float), table)

    def __call__(self, values: Array, regions: NDArray[np.intp]) -> Array:
        """Return the values, each in its region; regions have the first axes of the values, which are finite."""
        if len(self.functions) == 1:
            found = self.functions[0](values)
            fresh = np.shape(found) == values.shape and found is not values
            return found if fresh else np.array(np.broadcast_to(found, values.shape))
        if self.coefficients is not None:
            return self._read(values, regions.reshape(regions.shape + (1,) * (values.ndim - regions.ndim)))
        found = np.empty(values.shape)
        for region, function in enumerate(self.functions):
            there = regions == region
            found[there] = function(values[there])
        return found

    def _read(self, values: Array, regions: NDArray[np.intp]) -> Array:
        """Return the values of polynomials, by Horner's scheme."""
        assert self.coefficients is not None
        first, *others = self.coefficients
        if not others:
            return np.array(np.broadcast_to(first[regions], values.shape))
        beyond = values - self.origins[regions]
        found = first[regions] * beyond
        for row in others[:-1]:
            found += row[regions]
            found *= beyond
        found += others[-1][regions]
        return np.asarray(found)


def _table(exprs: Sequence[Expr], origins: Sequence[Expr]) -> Array | None:
    """Return the coefficients of polynomials, the highest first, or None if there are other functions."""
    if not all(expr.is_polynomial(x) for expr in exprs):
        return None
    found = [
        sympy.Poly(expr.subs(x, x + at), x).all_coeffs() for expr, at in zip(exprs, origins, strict=True)
    ]
    length = max(map(len, found))
    if length > HIGHEST + 1:
        return None
    return np.array([[0] * (length - len(one)) + one for one in found], dtype=float).T.copy()
