"""Scoring rules of K classes from a concave entropy: the Savage representation on the simplex.

With ``H`` extended beyond the simplex in any smooth way, ``L_i = H + dH/dp_i - sum p_j dH/dp_j``.

Source: Savage (1971); Gneiting and Raftery (2007), Theorem 1 and section 3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.costs.laws import x
from costderive.multiclass.letters import is_free, predicted, require_free
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.rules.conclusions import Proper
from costderive.rules.end_values import end_value

t = Symbol("t", positive=True)
MAX_CLASSES = 8  # of a given entropy: its bend has as many rows, but for one


class SimplexEntropy(ABC):
    """An entropy on the simplex; ``assumed`` are expressions in its parameters that are positive."""

    __slots__ = ()
    assumed: tuple[Expr, ...]

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given().also(positive=self.assumed)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        found = frozenset().union(*[expr.free_symbols for expr in (*self.expressions, *self.assumed)])
        return tuple(sorted((symbol for symbol in found if is_free(symbol)), key=str))

    @property
    @abstractmethod
    def expressions(self) -> tuple[Expr, ...]:
        """The expressions that it is given by."""


@dataclass(frozen=True, slots=True)
class SymmetricEntropy(SimplexEntropy):
    """``H = outer(t)`` with ``t = sum of inner(p_j)``, for any number of classes at once.

    ``inner`` is a function of x, the probability of one class, and ``outer`` one of t.

    Raises:
        SpecError: if a letter of the package stands where it does not belong.
    """

    inner: Expr
    outer: Expr
    assumed: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        require_free(frozenset(self.inner.free_symbols) - {x}, "the summand of an entropy")
        require_free(frozenset(self.outer.free_symbols) - {t}, "the outer function of an entropy")
        _require_facts(self.assumed)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return self.inner, self.outer


@dataclass(frozen=True, slots=True)
class GivenSimplexEntropy(SimplexEntropy):
    """An entropy as an expression in ``p0, ..., p(K-1)``.

    Raises:
        SpecError: if the number of classes is not from 2 to 8, or the entropy has other classes in it.
    """

    entropy: Expr
    classes: int
    assumed: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        if not (type(self.classes) is int and 2 <= self.classes <= MAX_CLASSES):
            remedy = "Write 3, say."
            raise SpecError(
                f"classes = {self.classes!r} is not a whole number from 2 to {MAX_CLASSES}", remedy
            )
        letters = {predicted(label) for label in range(self.classes)}
        require_free(frozenset(self.entropy.free_symbols) - letters, "entropy")
        _require_facts(self.assumed)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.entropy,)


def _require_facts(assumed: tuple[Expr, ...]) -> None:
    require_free(frozenset().union(*[fact.free_symbols for fact in assumed]), "what is assumed")


@dataclass(frozen=True, slots=True)
class SymmetricLosses(ClassRule):
    """The loss of a class as a function of its probability x and of t; ``x inner'(x) = multiple inner(x) + slope x``.

    So the sum of ``p_j inner'(p_j)`` is ``multiple t + slope``, whatever the number of classes.
    """

    entropy_function: SymmetricEntropy
    multiple: Expr
    slope: Expr
    loss: Expr

    __repr__ = short_repr

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        values = numbers(forecast)
        total = sympy.Add(*[_at_probability(self.entropy_function.inner, value) for value in values])
        return tuple(_at_probability(self.loss.subs(t, total), value) for value in values)


@dataclass(frozen=True, slots=True)
class GivenLosses(ClassRule):
    """The loss of each class as an expression in ``p0, ..., p(K-1)``."""

    entropy_function: GivenSimplexEntropy
    losses: tuple[Expr, ...]

    __repr__ = short_repr

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        values = numbers(forecast, self.entropy_function.classes)
        return tuple(value_at_forecast(loss, values) for loss in self.losses)


SimplexLosses = SymmetricLosses | GivenLosses


def _at_probability(function: Expr, value: Expr) -> Expr:
    """Return a value, at probability 0 the limit."""
    return end_value(function, x, S.Zero, "+") if value == 0 else function.subs(x, value)


def value_at_forecast(loss: Expr, values: Forecast) -> Expr:
    """Return a value; where probabilities are 0, the limit as they shrink one after the other."""
    for label, value in sorted(enumerate(values), key=lambda pair: pair[1] == 0):
        letter = predicted(label)
        loss = end_value(loss, letter, S.Zero, "+") if value == 0 else loss.subs(letter, value)
    return loss


@dataclass(frozen=True, slots=True)
class SimplexProperness(Proper):
    """The losses are proper; strictly so if the entropy is strictly concave along the simplex."""

    losses: SimplexLosses
    strict: bool
