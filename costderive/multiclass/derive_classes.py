"""The derivation of the scoring rule of a cost context with K classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sympy import Expr, S, Symbol

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.derivation.derived import OneCase
from costderive.multiclass.class_costs import ClassContext
from costderive.multiclass.letters import is_free, predicted
from costderive.multiclass.simplex import SimplexEntropy
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.multiclass.stages import Cell, ClassLosses, Mark, Order
from costderive.rules.end_values import end_value

OrderedLosses = tuple[Order, tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class MulticlassRule(ClassRule):
    """The loss of each class as a function of the forecast ``p0, p1, ...``, cell by cell."""

    losses: ClassLosses

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return len(self.losses.costs.of_class)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells: an order of the weighed marks, and the losses where it holds.

        Classes with the same law may be exchanged; one order stands for all that such exchanges make of it.
        """
        return self.losses.cells

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        found = frozenset().union(*[loss.free_symbols for cell in self.cells for loss in cell.losses])
        return tuple(sorted(filter(is_free, found), key=str))

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly; ties go to the lower class, as for two classes.

        At a probability 0 it is the limit: a class that is never chosen costs its mean, and is no rival to the others.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a parameter of the context has no number.

        >>> from costderive.multiclass import DirichletCosts, derive
        >>> derive(DirichletCosts((1, 1))).rule.at(("1/4", "3/4"))
        (9/16, 1/16)
        """
        values, costs = numbers(forecast, self.classes), self.losses.costs
        cell, source = self._cell(values)
        found = [costs.factor * one.mean for one in costs.of_class]
        for label, loss in enumerate(cell.losses):
            if values[source[label]] != 0:
                found[source[label]] = _limit(loss, [values[other] for other in source], cell)
        return tuple(found)

    def _cell(self, values: Forecast) -> tuple[Cell, list[int]]:
        """Return the cell of a forecast, and for each of its classes the one that stands there."""
        distributions = self.losses.costs.of_class
        marks = [Mark(label, mark) for label, one in enumerate(distributions) for mark in one.marks]
        if any(mark.value.free_symbols for mark in marks):
            raise ParametersLeftError(
                "the marks of the costs have letters", "Build the context with numbers."
            )
        marks.sort(key=lambda mark: (mark.value * values[mark.label], -mark.label))
        source = _relabelled(marks, [distributions.index(one) for one in distributions])
        order = tuple(Mark(source.index(mark.label), mark.value) for mark in marks)
        return next(cell for cell in self.cells if cell.order == order), source


def _relabelled(marks: list[Mark], groups: list[int]) -> list[int]:
    """Return the class that takes each label when classes with the same law are numbered as their marks appear."""
    seen = list(dict.fromkeys(mark.label for mark in marks))
    waiting = {group: iter([label for label in seen if groups[label] == group]) for group in groups}
    return [next(waiting[group], label) for label, group in enumerate(groups)]


def _limit(loss: Expr, values: list[Expr], cell: Cell) -> Expr:
    """Return the value of a loss; probabilities that are 0 vanish one after the other, in the order of the marks."""
    positive = {predicted(label): value for label, value in enumerate(values) if value != 0}
    marked = dict.fromkeys([mark.label for mark in cell.order] + list(range(len(values))))
    loss = loss.subs(positive)
    for label in marked:
        if values[label] == 0:
            loss = end_value(loss, predicted(label), S.Zero, "+")
    return loss


@dataclass(frozen=True, slots=True, repr=False)
class MulticlassDerivation(OneCase):
    """The steps from a cost context of K classes, or from an entropy on the simplex, to its scoring rule.

    >>> from costderive.multiclass import DirichletCosts, derive
    >>> derivation = derive(DirichletCosts((1, 1, 1)))
    >>> MulticlassDerivation.from_json(derivation.to_json()) == derivation
    True
    """

    context: ClassContext | SimplexEntropy

    @property
    def outcome(self) -> tuple[tuple[Given, tuple[OrderedLosses, ...] | ClassRule], ...]:
        """The facts about the parameters, and the losses: for costs those of each order of their marks."""
        losses = self.conclusion.losses
        if isinstance(losses, ClassLosses):
            return ((self.given, tuple((cell.order, cell.losses) for cell in losses.cells)),)
        return ((self.given, losses),)

    @property
    def rule(self) -> Any:
        """The rule: of costs a `MulticlassRule` or `SingleIntegrals`, of an entropy the losses as they are."""
        losses = self.conclusion.losses
        return MulticlassRule(losses) if isinstance(losses, ClassLosses) else losses
