"""Work that is counted as it is done: a limit that neither the load nor the speed of a machine moves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sympy
from sympy import Add, Expr, Function, Integral, Mul, Pow

from costderive.core.curve_parameters import CurveParameter

OF_SERIES, OF_FUNCTION = 15, 400  # additions that take as long: as a logarithm; as a special function
NODES = 500  # of a quadrature
FEW_BITS = 1000  # an operation with as many takes twice as long as one with hardly any
SOONER = 10  # times as soon as mpmath has Arb done it
SERIES = tuple(
    getattr(sympy, name) for name in ["exp", "log", "sin", "cos", "atan", "asin", "sinh", "cosh", "asinh"]
)
_spent, _most = [0], [math.inf]


class TooMuchWorkError(Exception):
    """More work than was allowed; no error of what was worked on, which nothing on the way may take it for."""


@contextmanager
def at_most(units: float) -> Iterator[None]:
    """Allow so many units of work, or what is left of those that are allowed already.

    Raises:
        TooMuchWorkError: as soon as more are spent.

    Example:
        >>> with at_most(30_000):
        ...     spend(10, bits=200)
        ...     spend(10, bits=2000)
        Traceback (most recent call last):
            ...
        costderive.core.work.TooMuchWorkError: more than the 30000 units that are allowed
    """
    before = _most[0]
    _most[0] = min(before, _spent[0] + units)
    try:
        yield
    except TooMuchWorkError:
        raise TooMuchWorkError(f"more than the {units:g} units that are allowed") from None
    finally:
        _most[0] = before


def spend(size: float, bits: int) -> None:
    """Count the work of a value whose expression has a size, computed with so many bits."""
    _spent[0] += int(size * (FEW_BITS + bits))
    if _spent[0] > _most[0]:
        raise TooMuchWorkError


def size_of(expr: Expr) -> int:
    """Return how much work a value of an expression is for each bit of it.

    >>> from sympy.abc import x
    >>> size_of(1 + x * sympy.exp(-x))
    18
    """
    return sum(map(_own, sympy.preorder_traversal(expr)))


def _own(node: Any) -> int:
    if isinstance(node, Add | Mul):
        return len(node.args) - 1
    if isinstance(node, Integral):
        return NODES * size_of(node.function)
    if isinstance(node, Pow):
        return 2 if node.exp.is_Integer else OF_SERIES
    if isinstance(node, SERIES):
        return OF_SERIES
    is_counted = isinstance(node, CurveParameter)  # place by place
    return OF_FUNCTION if isinstance(node, Function) and not is_counted else 0
