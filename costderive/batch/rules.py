"""Scoring rules for a whole batch: losses that are linear in the labels, ``S(y, w) = H(w) + (y - w) . g(w)``.

The forecast w is a number in [0, 1] for each instance, H a concave entropy and g(w) one of its supergradients. Because
a loss is linear in y, its expectation depends on the probabilities of the labels alone, whether labels are independent
or not.

Source: Parry (2016), section 2, Eq. (2) and (3).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray
from sympy import Expr, Rational, S, Symbol

from costderive.derivation import Derivation
from costderive.errors import DataError, ParametersLeftError, SpecError
from costderive.expressions import exact
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.data import as_numpy, probabilities
from costderive.pieces import Given
from costderive.rule import Losses

Array = NDArray[np.float64]
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


class BatchRule(ABC):
    """A scoring rule of a batch; ``instances`` is their number, or ``None`` for any."""

    __slots__ = ()
    instances: int | None

    @abstractmethod
    def at(self, forecast: Iterable[Any]) -> Tangent:
        """Return the loss of a forecast, exactly, as a function of the labels."""

    @abstractmethod
    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        """Return the loss in doubles."""

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return ()

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

    def exact(self, labels: Iterable[int], forecast: Iterable[Any]) -> Expr:
        """Return the loss of a forecast for labels, exactly."""
        return self.expected(forecast, labels)

    def expected(self, report: Iterable[Any], belief: Iterable[Any]) -> Expr:
        """Return the expected loss of a report if the labels have the probabilities that are believed."""
        told = self.at(report)
        return told.expected(numbers(belief, len(told.parts), "belief"))

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
        SpecError: naming the first that is none, or if they are too many or too few.
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


# ---- additive rules


@dataclass(frozen=True, slots=True)
class AdditiveRule(BatchRule):
    """The sum of the losses of a proper rule of one instance, each with its weight, or all with the weight 1.

    Source: Parry (2016), section 2.3.
    """

    base: Derivation
    weights: tuple[Expr, ...] | None

    @property
    def instances(self) -> int | None:  # type: ignore[override]
        return None if self.weights is None else len(self.weights)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        found = set(self.base.rule.parameters).union(*[weight.free_symbols for weight in self.weights or ()])
        return tuple(sorted(found, key=str))

    def given(self) -> Given:
        return self.base.cases[0].given

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        if self.base.rule.parameters:
            self._require_numbers()
        weights = (S.One,) * len(values) if self.weights is None else self.weights
        told = [self._losses(value) for value in values]
        return Tangent(
            S.Zero, tuple((w * zero, w * one) for w, (zero, one) in zip(weights, told, strict=True))
        )

    def _losses(self, value: Expr) -> tuple[Expr, Expr]:
        """Return both losses of a report; at a jump, those of the report on its left."""
        losses = self.base.rule.only_case
        if not isinstance(losses, Losses):
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
        losses = _compiled(self.base).per_sample(is_one.astype(int), forecast)
        weights = np.ones(len(losses)) if self.weights is None else np.array(self.weights, dtype=float)
        return float((weights * losses).sum())


@lru_cache(maxsize=16)
def _compiled(base: Derivation) -> CompiledLoss:
    return compile(base.rule)


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

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(sorted(self.alpha.free_symbols, key=str))

    def given(self) -> Given:
        return Given().also(positive=(self.alpha - 1,))

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

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        return Tangent(S.Zero, tuple((S.Zero, sympy.Integer(-psi)) for psi in net_ranks(values)))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        ordered, ones = np.sort(forecast), forecast[is_one]
        below, upto = (np.searchsorted(ordered, ones, side=side) for side in ("left", "right"))
        return -float((below - (len(ordered) - upto)).sum())


def net_ranks(values: Sequence[Any]) -> list[int]:
    """Return for each value how many are below it, less how many are above it."""
    return [sum(bool(v < mine) for v in values) - sum(bool(v > mine) for v in values) for mine in values]


# ---- entropies in the letters of all instances


@dataclass(frozen=True, slots=True)
class LowestRule(BatchRule):
    """``H`` is a sum of terms, each the least of affine functions of ``w0, w1, ...``; ``terms`` holds these.

    Where several are the least, the slope is the mean of theirs: a supergradient.
    """

    terms: tuple[tuple[Expr, ...], ...]
    instances: int

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = dict(zip(self.letters, numbers(forecast, self.instances), strict=True))
        means = [self._mean_of_least(term, values) for term in self.terms]
        total = sympy.expand(sympy.Add(*means))
        level = total.subs(dict.fromkeys(self.letters, S.Zero))
        return Tangent(level, tuple((S.Zero, sympy.diff(total, letter)) for letter in self.letters))

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters of the forecast."""
        return tuple(quoted(n) for n in range(self.instances))

    @staticmethod
    def _mean_of_least(term: tuple[Expr, ...], values: dict[Symbol, Expr]) -> Expr:
        told = [piece.subs(values) for piece in term]
        least = [
            piece
            for piece, value in zip(term, told, strict=True)
            if not any((value - v).is_positive for v in told)
        ]
        return sympy.Add(*least) * Rational(1, len(least))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        total = 0.0
        for term in self.terms:
            level, slopes = self._coefficients(term)
            told = level + slopes @ forecast
            total += float((level + slopes @ is_one)[told == told.min()].mean())
        return total

    def _coefficients(self, term: tuple[Expr, ...]) -> tuple[Array, Array]:
        """Return the constants of affine functions, shape (m,), and their slopes, shape (m, n)."""
        place = {letter: n for n, letter in enumerate(self.letters)}
        level = [piece.subs(dict.fromkeys(piece.free_symbols, S.Zero)) for piece in term]
        slopes = np.zeros((len(term), self.instances))
        for row, piece in enumerate(term):
            for letter in piece.free_symbols:
                slopes[row, place[letter]] = float(sympy.diff(piece, letter))
        return np.array(level, dtype=float), slopes


@dataclass(frozen=True, slots=True)
class SmoothRule(BatchRule):
    """An entropy in ``w0, w1, ...`` with its gradient; at probability 0 or 1 the loss is a limit, letter by letter."""

    entropy_function: Expr
    slopes: tuple[Expr, ...]

    @property
    def instances(self) -> int:  # type: ignore[override]
        return len(self.slopes)

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters of the forecast."""
        return tuple(quoted(n) for n in range(self.instances))

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        level = self.entropy_function - sympy.Add(
            *[letter * slope for letter, slope in zip(self.letters, self.slopes, strict=True)]
        )
        slopes = tuple((S.Zero, self._at(slope, values)) for slope in self.slopes)
        return Tangent(self._at(level, values), slopes)

    def _at(self, function: Expr, values: Forecast) -> Expr:
        """Return a value; where a probability is 0 or 1, the limit from inside, after all others have their values."""
        for letter, value in sorted(
            zip(self.letters, values, strict=True), key=lambda pair: pair[1] in (0, 1)
        ):
            side = {S.Zero: "+", S.One: "-"}.get(value)
            function = sympy.limit(function, letter, value, side) if side else function.subs(letter, value)
        return function

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        told = self.at(forecast.tolist())
        return float(told.expected(tuple(sympy.Integer(bool(y)) for y in is_one)))
