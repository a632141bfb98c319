"""Scoring rules for a whole batch: losses that are linear in the labels, ``S(y, w) = H(w) + (y - w) . g(w)``.

The forecast w is a number in [0, 1] for each instance, H a concave entropy and g(w) one of its supergradients. Because
a loss is linear in y, its expectation depends on the probabilities of the labels alone, whether labels are independent
or not.

Source: Parry (2016), section 2, Eq. (2) and (3).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr, Rational, S, Symbol

from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.symbols import RESERVED
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.checked_data import as_numpy, probabilities
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair

MAX_INSTANCES, MAX_ALPHA = 1000, 10_000
Forecast = tuple[Expr, ...]
x, t = sympy.symbols("x t", positive=True)


def quoted(instance: int) -> Symbol:
    """Return the letter of the probability that is quoted for an instance."""
    return Symbol(f"w{instance}", positive=True)


@dataclass(frozen=True, slots=True)
class Tangent:
    """The loss of a forecast: ``level`` and, for each instance, what it adds if its label is 0 and if it is 1."""

    level: Expr
    parts: tuple[tuple[Expr, Expr], ...]

    def expected(self, belief: Forecast) -> Expr:
        """Return the expectation under probabilities of the labels; what has probability 0 adds nothing."""
        weighed = [(1 - q, zero) for q, (zero, _) in zip(belief, self.parts, strict=True)]
        weighed += [(q, one) for q, (_, one) in zip(belief, self.parts, strict=True)]
        return self.level + sympy.Add(*[q * part for q, part in weighed if q != 0 and part != 0])


class BatchLoss(ABC):
    """A loss of the forecasts of a batch; ``instances`` is their number, or ``None`` for any."""

    __slots__ = ()
    instances: int | None

    @abstractmethod
    def exact(self, labels: Iterable[int], forecast: Iterable[Any]) -> Expr:
        """Return the loss of a forecast for labels, exactly."""

    @abstractmethod
    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        """Return the loss in doubles."""

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return ()

    @property
    def scope(self) -> str:
        """Of which labels it is meant that the loss is proper."""
        return "whether the labels are independent or not"

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given()

    def score(self, y_true: ArrayLike, y_proba: ArrayLike) -> float:
        """Return the loss of the batch: labels 0 and 1 and the predicted probabilities of 1, both of shape (n,).

        Raises:
            DataError: naming what cannot be scored.
            ParametersLeftError: if a parameter has no number.
        """
        self._require_numbers()
        forecast = np.asarray(probabilities("y_proba", y_proba), dtype=float)
        labels = as_numpy(y_true)
        wanted = "n" if self.instances is None else self.instances
        shapes = {forecast.shape, labels.shape}
        if len(shapes) > 1 or forecast.ndim != 1 or not len(forecast) or wanted not in ("n", len(forecast)):
            raise DataError(
                f"y_true has the shape {labels.shape} and y_proba {forecast.shape}",
                f"Give both the shape ({wanted},).",
            )
        bad = np.flatnonzero((labels != 0) & (labels != 1))
        if len(bad):
            raise DataError(
                f"y_true[{bad[0]}] = {labels.tolist()[bad[0]]!r:.60} is not 0 or 1", "Write 1 for class 1."
            )
        return self._score(labels == 1, forecast)

    def _require_numbers(self) -> None:
        if self.parameters:
            names = ", ".join(symbol.name for symbol in self.parameters)
            raise ParametersLeftError(f"{names} has no value", "Build the rule with numbers.")


class BatchRule(BatchLoss):
    """A loss that is linear in the labels, so that probabilities of the labels say what to expect of it."""

    __slots__ = ()

    @abstractmethod
    def at(self, forecast: Iterable[Any]) -> Tangent:
        """Return the loss of a forecast, exactly, as a function of the labels."""

    def exact(self, labels: Iterable[int], forecast: Iterable[Any]) -> Expr:
        return self.expected(forecast, labels)

    def expected(self, report: Iterable[Any], belief: Iterable[Any]) -> Expr:
        """Return the expected loss of a report if the labels have the probabilities that are believed."""
        tangent = self.at(report)
        return tangent.expected(numbers(belief, len(tangent.parts), "belief"))

    def entropy(self, belief: Iterable[Any]) -> Expr:
        """Return the expected loss of the truth."""
        believed = numbers(belief, self.instances, "belief")
        return self.expected(believed, believed)

    def divergence(self, report: Iterable[Any], belief: Iterable[Any]) -> Expr:
        """Return what a report costs beyond the truth, which is at least 0 for a proper rule."""
        believed = tuple(belief)
        return self.expected(report, believed) - self.entropy(believed)


def numbers(forecast: Iterable[Any], instances: int | None, name: str = "forecast") -> Forecast:
    """Read numbers in [0, 1].

    Raises:
        SpecError: naming the first that is not a probability, or if they are too many or too few.
    """
    values = tuple(exact(value, place=f"{name}[{n}]") for n, value in enumerate(forecast))
    if not values or instances not in (None, len(values)):
        raise SpecError(
            f"{name} has {len(values)} numbers", f"Give {instances or 'one'}, one for each instance."
        )
    for n, value in enumerate(values):
        if not (value.is_nonnegative and (1 - value).is_nonnegative):
            raise SpecError(f"{name}[{n}] = {value} is not a probability", "Probabilities are in [0, 1].")
    return values


def require_count(instances: int | None, most: int = MAX_INSTANCES) -> None:
    """Require a whole number of instances, at least 1.

    Raises:
        SpecError: naming it.
    """
    if instances is not None and not (type(instances) is int and 1 <= instances <= most):
        problem = f"instances = {instances!r:.40} is not a whole number from 1 to {most}"
        raise SpecError(problem, "Write 3, say.")


def is_forecast(values: Forecast, instances: int | None = None, most: int = MAX_INSTANCES) -> bool:
    """Return whether values are fractions in [0, 1], one for each instance."""
    fits = len(values) == instances if instances is not None else 0 < len(values) <= most
    return fits and all(isinstance(value, Rational) and 0 <= value <= 1 for value in values)


# ---- additive rules


@dataclass(frozen=True, slots=True)
class AdditiveRule(BatchRule):
    """The sum of the losses of a rule of one instance, each with its weight, or all with the weight 1.

    ``known`` are the facts about the parameters of the losses.

    Source: Parry (2016), section 2.3.
    """

    losses: Losses | LossPair
    weights: tuple[Expr, ...] | None = None
    known: Given = Given()

    __repr__ = short_repr

    def __post_init__(self) -> None:
        require_count(self.instances)
        for n, weight in enumerate(self.weights or ()):
            if letters := {symbol.name for symbol in weight.free_symbols} & RESERVED:
                raise SpecError(f"weights[{n}] has the letter {min(letters)}", "Take another name.")

    @property
    def instances(self) -> int | None:  # type: ignore[override]
        return None if self.weights is None else len(self.weights)

    @property
    def of_one(self) -> ScoringRule:
        """The rule of one instance."""
        return ScoringRule(((self.known, self.losses),))

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        found = set(self.of_one.parameters).union(*[weight.free_symbols for weight in self.weights or ()])
        return tuple(sorted(found, key=str))

    def given(self) -> Given:
        return self.known

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        if self.of_one.parameters:
            self._require_numbers()
        weights = (S.One,) * len(values) if self.weights is None else self.weights
        losses = [self._losses(value) for value in values]
        return Tangent(
            S.Zero, tuple((w * zero, w * one) for w, (zero, one) in zip(weights, losses, strict=True))
        )

    def _losses(self, value: Expr) -> tuple[Expr, Expr]:
        """Return both losses of a report; at a jump, those of the report on its left."""
        losses = self.losses
        if isinstance(losses, LossPair):
            found = losses.at(value)
            return (found.loss0, found.loss1) if found else (S.NaN, S.NaN)
        if value in (S.Zero, S.One):
            return (S.Zero, losses.worst1) if value == 0 else (losses.worst0, S.Zero)
        pieces = [
            next(p for p in loss if (p.high - value).is_nonnegative) for loss in (losses.loss0, losses.loss1)
        ]
        zero, one = (piece.value.subs(losses.loss0.variable, value) for piece in pieces)
        return zero, one

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        losses = _compiled(self.of_one).per_sample(is_one.astype(int), forecast)
        weights = np.ones(len(losses)) if self.weights is None else np.array(self.weights, dtype=float)
        return float((weights * losses).sum())


@lru_cache(maxsize=16)
def _compiled(rule: ScoringRule) -> CompiledLoss:
    return compile(rule)


# ---- homogeneous rules


@dataclass(frozen=True, slots=True)
class NormRule(BatchRule):
    """The pseudospherical rule: ``H = -(sum w_i^a)^(1/a)``, in which ``slope`` is what a label of 1 adds.

    The slope is a function of x, the probability of the instance, and t, the sum of all ``w_i^a``. The forecast of
    zeros loses 0.

    Source: Parry (2016), section 2.4, Eq. (9).
    """

    alpha: Expr
    slope: Expr
    instances: int | None = None

    def __post_init__(self) -> None:
        require_count(self.instances)
        alpha = self.alpha
        own = alpha.is_Symbol and alpha not in (x, t) and alpha.name not in RESERVED
        small = all(max(abs(part.p), part.q) <= MAX_ALPHA for part in alpha.atoms(Rational))
        if not (own or (alpha.is_number and small)):
            problem = (
                f"alpha = {alpha!s:.60} is neither a number of up to {MAX_ALPHA} nor a letter of its own"
            )
            raise SpecError(problem, "Write 2, or a.")
        if not self.slope.free_symbols <= {x, t, *alpha.free_symbols}:
            raise SpecError("the slope has other letters than x, t and those of alpha", "Leave them out.")

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(self.alpha.free_symbols)

    def given(self) -> Given:
        return Given().also(positive=(self.alpha - 1,)) if self.alpha.is_Symbol else Given()

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        total = sympy.Add(*[value**self.alpha for value in values if value != 0])
        slopes = [self.slope.subs({x: value, t: total}) if value != 0 else S.Zero for value in values]
        return Tangent(S.Zero, tuple((S.Zero, slope) for slope in slopes))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        largest, alpha = forecast.max(), float(self.alpha)
        if largest == 0:
            return 0.0
        shares = forecast / largest
        return float(-(shares[is_one] ** (alpha - 1)).sum() / (shares**alpha).sum() ** (1 - 1 / alpha))


# ---- a rule of ranks


@dataclass(frozen=True, slots=True)
class RankRule(BatchRule):
    """``S = -y . psi``, where psi_i counts the forecasts below the i-th less those above it.

    Source: Parry (2016), section 2.5, Eq. (11) and (12).
    """

    instances: int | None = None

    def __post_init__(self) -> None:
        require_count(self.instances)

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        return Tangent(S.Zero, tuple((S.Zero, sympy.Integer(-psi)) for psi in net_ranks(values)))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        ordered, ones = np.sort(forecast), forecast[is_one]
        below, upto = (np.searchsorted(ordered, ones, side=side) for side in ("left", "right"))
        return -float((below - (len(ordered) - upto)).sum())


def net_ranks(values: Sequence[Any]) -> list[int]:
    """Return for each value how many are below it, less how many are above it."""
    ordered = sorted(values)
    return [bisect_left(ordered, v) + bisect_right(ordered, v) - len(ordered) for v in values]
