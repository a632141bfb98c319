"""Cost contexts: laws of the pair (c0, c1) of misclassification costs.

A context says three things: which facts hold for its parameters, what the expected loss is as an integral over
the costs, and how to draw costs from it. Everything else is derived. Parameters may be numbers (an int, a
fraction, a decimal, read as the decimal it prints as), SymPy expressions, or text such as ``"a"`` or ``"2*a"``;
a name in a text is a positive parameter.

Wherever ``c0`` and ``c1`` are accepted so are ``fp`` and ``fn``: with class 1 positive, ``c0`` is the cost of a
false positive and ``c1`` the cost of a false negative.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, fields
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from costderive.errors import ParametersLeftError, SpecError
from costderive.expressions import exact
from costderive.integrals import Area, ExpectedLoss, Line
from costderive.pieces import Given
from costderive.symbols import c0 as cost0
from costderive.symbols import c1 as cost1
from costderive.symbols import s

Costs = tuple[NDArray[np.float64], NDArray[np.float64]]


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
    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        """Draw pairs of costs; the parameters are numbers."""

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        exprs = [value for field in fields(self) for value in _flat(getattr(self, field.name))]  # type: ignore[arg-type]
        return tuple(sorted(set().union(*[expr.free_symbols for expr in exprs]), key=str))

    def sample(self, draws: int, seed: int | None = None) -> Costs:
        """Draw cost pairs: two arrays of length ``draws``, c0 and c1, in the units of the context.

        Raises:
            ParametersLeftError: if a parameter has no number.
        """
        if self.parameters:
            names = ", ".join(symbol.name for symbol in self.parameters)
            raise ParametersLeftError(f"cannot draw costs while {names} has no value", "Build the context with numbers.")
        return self._draw(np.random.default_rng(seed), draws)


def _flat(value: Any) -> Iterator[Expr]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, Expr):
        yield value


@dataclass(frozen=True, slots=True)
class PowerMean(Context):
    """Costs whose power mean ``((c0^k + c1^k)/2)^(1/k)`` is fixed, with the cost proportion s uniform on [0, 1].

    ``k`` is any real number: 1 additive, -1 harmonic, 0 geometric, 2 Euclidean, ``oo`` the maximum and ``-oo`` the
    minimum of the two costs; a symbol stands for a positive ``k``. With ``mean`` 1 the loss is commensurate with
    the error rate, since then c0 = c1 = 1 where s = 1/2.

    Source: Flach (2015), sections 4 and 5.
    """

    k: Any
    mean: Any = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", _real(exact(self.k, place="context.k"), "context.k"))
        object.__setattr__(self, "mean", _positive(exact(self.mean, place="context.mean"), "context.mean"))

    def given(self) -> Given:
        return Given()

    def magnitude(self) -> Expr:
        """Return ``b(s) = m (2/(s^k + (1 - s)^k))^(1/k)`` for a finite exponent k."""
        if self.k.is_zero:
            return self.mean / sympy.sqrt(s * (1 - s))
        return self.mean * (2 / (s**self.k + (1 - s) ** self.k)) ** (1 / self.k)

    def expected_loss(self) -> ExpectedLoss:
        if self.k.is_finite is not False:
            return ExpectedLoss(lines=(Line(self.magnitude(), sympy.S.One, sympy.S.Zero, sympy.S.One),))
        below, above = (1 - s, s) if self.k is sympy.oo else (s, 1 - s)
        half = sympy.Rational(1, 2)
        return ExpectedLoss(
            lines=(
                Line(self.mean / below, sympy.S.One, sympy.S.Zero, half),
                Line(self.mean / above, sympy.S.One, half, sympy.S.One),
            )
        )

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        share = generator.random(draws)
        cost = float(self.mean) / _unit_mean(share, float(self.k))
        return cost * share, cost * (1 - share)


def _unit_mean(share: NDArray[np.float64], k: float) -> NDArray[np.float64]:
    """Return the power mean of (s, 1 - s), scaled by the larger so that nothing overflows."""
    large, small = np.maximum(share, 1 - share), np.minimum(share, 1 - share)
    if k == 0:
        return np.sqrt(large * small)
    if np.isinf(k):
        return large if k > 0 else small
    pivot = large if k > 0 else small
    return np.asarray(pivot * ((1 + (np.minimum(large, small) / large) ** abs(k)) / 2) ** (1 / k))


def Additive(budget: Any = 2) -> PowerMean:  # noqa: N802
    """Return the context ``c0 + c1 = budget`` with s uniform; a budget of 2 gives the Brier score.

    Source: Hernandez-Orallo, Flach and Ferri (2011), Theorem 6.
    """
    return PowerMean(k=1, mean=_positive(exact(budget, place="context.budget"), "context.budget") / 2)


def Harmonic(budget: Any = "1/2") -> PowerMean:  # noqa: N802
    """Return the context ``1/c0 + 1/c1 = 1/budget`` with s uniform; a budget of 1 gives the log loss.

    Source: Flach (2015), Theorem 1.
    """
    return PowerMean(k=-1, mean=2 * _positive(exact(budget, place="context.budget"), "context.budget"))


def Geometric(mean: Any = 1) -> PowerMean:  # noqa: N802
    """Return the context ``c0 c1 = mean^2`` with s uniform.

    Source: the expected-loss metric that Flach (2015), section 6, leaves open.
    """
    return PowerMean(k=0, mean=mean)


@dataclass(frozen=True, slots=True)
class IndependentUniform(Context):
    """Independent costs, c0 uniform between two bounds and c1 uniform between two bounds, ``0 <= low < high``.

    With both on [0, 1] the scoring rule is the Inverse Score. A symbolic bound is a positive number; the formulas
    for a lower bound of 0 follow by putting 0 in the result, or are derived outright when 0 is given here.

    Raises:
        SpecError: if a bound is negative or infinite, or a lower bound is not below its upper bound.

    Example:
        >>> IndependentUniform(c0=("a", "b"), c1=(0, 1)).parameters
        (a, b)
    """

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    def __post_init__(self, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "c0", _bounds(_one_of(self.c0, fp, "c0", "fp"), "context.c0"))
        object.__setattr__(self, "c1", _bounds(_one_of(self.c1, fn, "c1", "fn"), "context.c1"))
        _known_order(self.given())

    def given(self) -> Given:
        return Given().also(positive=(self.c0[1] - self.c0[0], self.c1[1] - self.c1[0]))

    def expected_loss(self) -> ExpectedLoss:
        (a, b), (d, e) = self.c0, self.c1
        density = 1 / ((b - a) * (e - d))
        return ExpectedLoss(areas=(Area(density, (cost0 - a, b - cost0, cost1 - d, e - cost1)),))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        (a, b), (d, e) = [[float(bound) for bound in cost] for cost in (self.c0, self.c1)]
        return generator.uniform(a, b, draws), generator.uniform(d, e, draws)


def _one_of(cost: Any, error: Any, cost_name: str, error_name: str) -> Any:
    if (cost is None) == (error is None):
        problem = "neither" if cost is None else "both"
        raise SpecError(f"context: {problem} of {cost_name} and {error_name} given", "Give one: they are two names of one cost.")
    return error if cost is None else cost


def _bounds(value: Any, place: str) -> tuple[Expr, Expr]:
    if isinstance(value, str) or not hasattr(value, "__iter__") or len(tuple(value)) != 2:
        raise SpecError(f"{place} = {value!r} is not a pair of bounds", "Write two numbers, lower bound first: (0, 1).")
    low, high = (exact(bound, place=f"{place}.{end}") for bound, end in zip(value, ("low", "high"), strict=True))
    for bound, end in ((low, "low"), (high, "high")):
        _cost_bound(bound, f"{place}.{end}")
    if (high - low).is_nonpositive:
        raise SpecError(
            f"{place}.low = {low} is not below {place}.high = {high}",
            "A uniform cost needs low < high (equal bounds mean a known cost).",
        )
    return low, high


def _cost_bound(bound: Expr, place: str) -> None:
    if bound.is_finite is False or bound.is_negative or bound.is_real is False:
        raise SpecError(f"{place} = {bound} is not a cost", "A bound of a uniform cost is a finite number that is at least 0.")


def _known_order(given: Given) -> None:
    for fact in given.positive:
        if fact.is_number and not fact.is_positive:
            raise SpecError(f"{fact} is not positive", "Check the order of the bounds.")


def _real(value: Expr, place: str) -> Expr:
    if not value.is_extended_real:
        raise SpecError(f"{place} = {value} is not a real number", "Give a number, oo or -oo.")
    return value


def _positive(value: Expr, place: str) -> Expr:
    if not (value.is_positive and value.is_finite is not False):
        raise SpecError(f"{place} = {value} is not a positive number", "Costs are finite and positive on average.")
    return value
