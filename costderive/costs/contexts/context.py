"""What every cost context says, and how its parameters are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import index
from typing import Any, Self

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.core.expressions import exact
from costderive.core.expressions.exact_numbers import shown as shown_value
from costderive.core.numpy_on_demand import Array, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import html_of
from costderive.core.symbols import c0, c1, s
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane
from costderive.costs.laws import Expectation, ImproperLaw, Law, x
from costderive.deciders.parameter_values import contradicted, shown, values_of

Costs = tuple[Array, Array]


class Context(ABC):
    """A cost context: a joint law of the costs c0 and c1 of misclassifying an instance of class 0 and of class 1."""

    __slots__ = ()

    @abstractmethod
    def given(self) -> Given:
        """Return the facts about the parameters under which the context exists."""

    @abstractmethod
    def expected_loss(self) -> ExpectedLoss:
        """Return the expected loss as integrals over the costs."""

    @abstractmethod
    def expectations(self) -> tuple[Expectation | Plane, ...]:
        """Return what has to be proved of its laws: that the total of each is 1, and the means that it uses.

        Laws of which nothing follows but a total of infinity, the improper ones, are left out.
        """

    def conditionals(self) -> Mapping[Area, tuple[Expr, Expr]]:
        """Return the density of an area integrated over c1 up to c1, and over c0 up to c0, where formulas are known.

        They help a search; what it finds with them is proved.
        """
        return {}

    @abstractmethod
    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        """Draw pairs of costs; the parameters are numbers."""

    _repr_html_ = html_of

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return tuple(sorted(_free(tuple(values)) - {x, s, c0, c1}, key=str))

    @property
    def improper_law(self) -> ImproperLaw | None:
        """The law in it whose total mass is infinite, if there is one.

        The loss is then the integral of the costs over this law, not an expected cost: no costs can be drawn.
        """
        values = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return next((value for value in values if isinstance(value, ImproperLaw)), None)

    def at(self, **values: object) -> Self:
        """Return the context at numeric (or symbolic) values of parameters.

        Raises:
            SpecError: if a name is not a parameter, a value is not one of a cost or a shape (finite, not negative), or
                the values contradict the facts about the parameters.

        Example:
            >>> from costderive import IndependentUniform
            >>> IndependentUniform(c0=("a", "b"), c1=(0, 1)).at(a=0, b=2)
            IndependentUniform(c0=(0, 2), c1=(0, 1))
        """
        chosen = values_of(values, self.parameters, "the context", zero=True)
        if broken := contradicted(self.given(), chosen):
            raise SpecError(f"{broken} for {shown(chosen)}", "The context requires it.")
        return self._at(chosen)

    def _at(self, chosen: Mapping[Symbol, Expr]) -> Self:
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return self._built({name: _substituted(value, chosen) for name, value in values.items()})

    def _built(self, values: Mapping[str, Any]) -> Self:
        """Return a context of the same class from the values of its fields."""
        build: Callable[..., Self] = type(self)
        return build(**values)

    def sample(self, draws: int, seed: int | None = None) -> Costs:
        """Draw cost pairs: two arrays of length ``draws``, c0 and c1, in the units of the context.

        Raises:
            DataError: if ``draws`` is not a whole number of at least 0.
            ParametersLeftError: if a parameter has no number.
        """
        if self.parameters:
            names = ", ".join(symbol.name for symbol in self.parameters)
            raise ParametersLeftError(
                f"cannot draw costs while {names} has no value", "Build the context with numbers."
            )
        return self._draw(np.random.default_rng(seed), whole_number(draws, "draws", least=0))


def whole_number(value: Any, name: str, least: int) -> int:
    """Return a whole number of at least ``least``, of Python's kind or of NumPy's.

    Raises:
        DataError: if it is none.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or index(value) < least:
        raise DataError(
            f"{name} = {shown_value(value)} is not a whole number of at least {least}",
            "Count in whole numbers.",
        )
    return index(value)


def _free(value: Any) -> set[Symbol]:
    if isinstance(value, tuple):
        return set().union(*map(_free, value))
    found: Any = value.free_symbols if isinstance(value, Expr) else getattr(value, "parameters", ())
    return set(found)


def _substituted(value: Any, chosen: Mapping[Symbol, Expr]) -> Any:
    match value:
        case tuple():
            return tuple(_substituted(item, chosen) for item in value)
        case Expr():
            return value.subs(chosen)
        case Law():
            return value.at(dict(chosen))
        case Context():
            return value._at(chosen)
    return value


def one_of(cost: Any, error: Any, cost_name: str, error_name: str) -> Any:
    if (cost is None) == (error is None):
        problem = "neither" if cost is None else "both"
        raise SpecError(
            f"context: {problem} of {cost_name} and {error_name} given",
            "Give one: they are two names of one cost.",
        )
    return error if cost is None else cost


def bounds(value: Any, place: str, *, unbounded: bool = False) -> tuple[Expr, Expr]:
    ends = _items(value)
    if len(ends) != 2:
        raise SpecError(
            f"{place} = {shown_value(value)} is not a pair of bounds",
            "Write two numbers, lower bound first: (0, 1).",
        )
    low, high = (exact(end, place=f"{place}.{name}") for end, name in zip(ends, ("low", "high"), strict=True))
    for bound, end in ((low, "low"), (high, "high")):
        if not (unbounded and end == "high" and bound is sympy.oo):
            _cost_bound(bound, f"{place}.{end}")
    if (high - low).is_nonpositive:
        raise SpecError(
            f"{place}.low = {low} is not below {place}.high = {high}",
            "A uniform cost needs low < high (equal bounds mean a known cost, as in Independent(c0=1, c1=...)).",
        )
    return low, high


def _items(value: Any) -> tuple[Any, ...]:
    """Return the items of a value: text has none, nor has an array without dimensions."""
    single = isinstance(value, str) or not hasattr(value, "__iter__") or getattr(value, "shape", None) == ()
    return () if single else tuple(value)


def _cost_bound(bound: Expr, place: str) -> None:
    if bound.is_finite is False or bound.is_negative or bound.is_real is False:
        raise SpecError(
            f"{place} = {bound} is not a cost",
            "A bound of a uniform cost is a finite number that is at least 0.",
        )


def known_order(given: Given) -> None:
    for fact in given.positive:
        if fact.is_number and not fact.is_positive:
            raise SpecError(f"{fact} is not positive", "Check the order of the bounds.")


def real_number(value: Expr, place: str) -> Expr:
    if not value.is_extended_real:
        raise SpecError(f"{place} = {value} is not a real number", "Give a number, oo or -oo.")
    return value


def positive_number(value: Expr, place: str) -> Expr:
    if not (value.is_positive and value.is_finite is not False):
        raise SpecError(
            f"{place} = {value} is not a positive number", "Costs are finite and positive on average."
        )
    return value
