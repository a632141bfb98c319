"""Which of several classes are alike, the orders of their marks, and letters with an index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sympy import Expr, Pow, Symbol

from costderive.costs.laws import x
from costderive.multiclass.letters import is_free, predicted
from costderive.multiclass.stages import IndependentDistributions, Order

T = TypeVar("T")
OF_CLASS, OF_OTHER = (Symbol(f"p_{index}", positive=True) for index in "ij")


def alike(values: Iterable[T]) -> dict[T, tuple[int, ...]]:
    """Return the places of equal values, by value, in order."""
    found: dict[T, tuple[int, ...]] = {}
    for label, value in enumerate(values):
        found[value] = (*found.get(value, ()), label)
    return found


def ascending(order: Order) -> tuple[Expr, ...]:
    """Return what ascends in an order: the weighed marks, or the forecasts alone if all marks have the same value."""
    values = {mark.value for mark in order}
    return tuple(predicted(mark.label) if len(values) == 1 else mark.weighed for mark in order)


def exchanged(costs: IndependentDistributions) -> bool:
    """Return whether one order stands for several: whether classes that have marks have the same law."""
    return any(len(labels) > 1 for one, labels in alike(costs.of_class).items() if one.marks)


def of_class(function: Expr, letter: Symbol = OF_CLASS) -> Expr:
    """Return a function of x, the probability of some class, in that letter."""
    return function.subs(x, letter)


def excluded(*exprs: Expr) -> tuple[Expr, ...]:
    """Return what stands below a bar, depends on parameters alone, and may vanish: it must not be 0."""
    below = [part.base for expr in exprs for part in expr.atoms(Pow) if part.exp.is_negative]
    return tuple(
        dict.fromkeys(base for base in below if not base.is_positive and all(map(is_free, base.free_symbols)))
    )
