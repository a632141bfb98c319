"""The orders in which the marks of all classes, weighed by a forecast, may ascend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import factorial, prod

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.multiclass.letters import predicted
from costderive.multiclass.stages import Distribution, Mark, Order

MAX_ORDERS = 1000


def orders(distributions: Sequence[Distribution]) -> tuple[Order, ...]:
    """Return the orders, one of those that an exchange of classes with the same law makes of each other.

    Marks of one class ascend; of classes with the same law, the one with the lower label comes first.

    Raises:
        SpecError: if there are too many.
    """
    if count(distributions) > MAX_ORDERS:
        raise SpecError(
            f"the marks of these costs have {count(distributions)} orders, which is more than {MAX_ORDERS}",
            "Take fewer classes, or the same law for more of them.",
        )
    return tuple(_orders(tuple(_chains(distributions)), (), distributions))


def count(distributions: Sequence[Distribution]) -> int:
    """Return how many orders there are up to such exchanges."""
    return interleavings(distributions) // exchanges(distributions)


def interleavings(distributions: Sequence[Distribution]) -> int:
    """Return how many orders keep the marks of each class ascending."""
    lengths = [len(found.marks) for found in distributions]
    return factorial(sum(lengths)) // prod(map(factorial, lengths))


def exchanges(distributions: Sequence[Distribution]) -> int:
    """Return how many exchanges of classes with the same law change an order: those of classes with marks."""
    marked = [found for found in distributions if found.marks]
    return prod(factorial(marked.count(found)) for found in set(marked))


def is_representative(order: Order, distributions: Sequence[Distribution]) -> bool:
    """Return whether an order keeps each class ascending, and classes with the same law in the order of labels."""
    by_class = [tuple(mark for mark in order if mark.label == label) for label in range(len(distributions))]
    firsts = [order.index(marks[0]) if marks else -1 for marks in by_class]
    ranked = all(
        firsts[k] < firsts[j]
        for j, found in enumerate(distributions)
        for k in range(j)
        if found.marks and distributions[k] == found
    )
    return ranked and by_class == list(_chains(distributions)) and len(order) == sum(map(len, by_class))


def gaps(order: Order) -> tuple[Expr, ...]:
    """Return the differences of neighbouring marks, weighed: an order holds where none is negative.

    Marks of one value compare as their forecasts do.
    """
    return tuple(
        predicted(high.label) - predicted(low.label)
        if high.value == low.value
        else high.weighed - low.weighed
        for low, high in pairwise(order)
    )


def _chains(distributions: Sequence[Distribution]) -> Iterator[Order]:
    for label, found in enumerate(distributions):
        yield tuple(Mark(label, value) for value in found.marks)


def _orders(left: tuple[Order, ...], so_far: Order, distributions: Sequence[Distribution]) -> Iterator[Order]:
    if not any(left):
        yield so_far
    for label, chain in enumerate(left):
        if chain and not _waits(label, left, distributions):
            rest = (*left[:label], chain[1:], *left[label + 1 :])
            yield from _orders(rest, (*so_far, chain[0]), distributions)


def _waits(label: int, left: tuple[Order, ...], distributions: Sequence[Distribution]) -> bool:
    """Has the class not begun, while one of the same law and a lower label has not begun either?"""
    whole = len(distributions[label].marks)
    return len(left[label]) == whole and any(
        distributions[k] == distributions[label] and len(left[k]) == whole for k in range(label)
    )
