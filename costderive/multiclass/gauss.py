"""The nodes of Gauss-Legendre sums."""

from __future__ import annotations

from functools import lru_cache

from costderive.core.numpy_on_demand import Array, np


@lru_cache
def gauss(count: int) -> tuple[Array, Array]:
    """Return the nodes and weights of a Gauss-Legendre sum on (-1, 1)."""
    return np.polynomial.legendre.leggauss(count)
