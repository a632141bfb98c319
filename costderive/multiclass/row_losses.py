"""The losses of rows of forecasts, in doubles, without a sum over subsets of the classes: K may be in the thousands.

For costs that are uniform from 0 upwards, the loss is a sum over the sorted forecasts, all of whose terms are positive.
For Gamma costs (with whole-numbered shapes, so exponential and Dirichlet ones too) it is the trapezoidal rule in the
logarithm of the cost, whose step is chosen so that its relative error is below ``QUADRATURE`` by the bound below.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, lgamma
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.costs.laws import x
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.letters import predicted
from costderive.multiclass.penalised import PenalisedRule, Ties
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t, value_at_forecast
from costderive.multiclass.stages import Distribution
from costderive.rules.end_values import end_value

Shapes = NDArray["np.int_"]
logarithm = sympy.Symbol("log_x", negative=True)
QUADRATURE = 1e-15
LOWEST = -12.0  # below exp(-12), the chance that a rival weighs less is at most exp(-12): 1e-16 of the loss
MANY = 30  # classes, of which some are beyond the reach of a node
CERTAIN = 1 - 4e-16  # a probability that counts as 1
BLOCK = 1 << 15  # numbers in one array of a block: it stays in the cache
LARGEST = 300.0  # exp(-300) is 0 beside 1, and products of two such are not subnormal numbers, which are slow


class RowLosses(ABC):
    """The losses of rows: probabilities of shape (n, K), and the label of each row."""

    @abstractmethod
    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        """Return the loss of each row."""

    def of_logits(self, logits: Array, forecasts: Array, labels: Labels) -> Array:
        """Return the loss of each row from its logits, too; the forecasts are their softmax."""
        del logits
        return self.of_rows(forecasts, labels)


# ---- rules of an entropy


class SymmetricRows(RowLosses):
    """A rule of the probability of the class, its logarithm, and a sum over all classes."""

    def __init__(self, losses: SymmetricLosses) -> None:
        self._rule = losses
        self._inner = _at_probabilities(losses.entropy_function.inner) if losses.loss.has(t) else None
        self._loss = _at_probabilities(_in_logarithms(losses.loss), logarithm, t)

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        with np.errstate(divide="ignore"):
            return self._of(forecasts, labels, np.log(forecasts[np.arange(len(forecasts)), labels]))

    def of_logits(self, logits: Array, forecasts: Array, labels: Labels) -> Array:
        return self._of(forecasts, labels, _log_softmax(logits, labels))

    def _of(self, forecasts: Array, labels: Labels, logarithms: Array) -> Array:
        own, totals = forecasts[np.arange(len(forecasts)), labels], np.zeros(len(forecasts))
        if self._inner:
            parts = [forecasts[rows] for rows in blocks(len(labels), forecasts.shape[1])]
            totals = np.concatenate([self._inner(part).sum(axis=1) for part in parts])
        return np.asarray(self._loss(own, logarithms, totals)) + 0.0  # which is not -0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return SymmetricRows, (self._rule,)  # functions of lambdify do not pickle


def _log_softmax(logits: Array, labels: Labels) -> Array:
    """Return the logarithm of the probability of each row's class, also where the probability is 0 or 1 in doubles."""
    rows, best = np.arange(len(labels)), logits.argmax(axis=1)
    powers = np.exp(logits - logits[rows, best, None])
    powers[rows, best] = 0.0
    return np.asarray(logits[rows, labels] - logits[rows, best] - np.log1p(powers.sum(axis=1)))


def _in_logarithms(loss: Expr) -> Expr:
    """Write ``log x`` as a letter, if nothing else is infinite at probability 0."""
    found = sympy.expand_log(loss).subs(sympy.log(x), logarithm)
    return loss if end_value(found, x, S.Zero, "+").has(S.Infinity, S.NegativeInfinity) else found


def _at_probabilities(function: Expr, *more: Expr) -> Callable[..., Array]:
    """Return a function of arrays of probabilities, with its limit at probability 0."""
    inside = sympy.lambdify((x, *more), function, "numpy")
    limit = end_value(function, x, S.Zero, "+")
    at_zero = sympy.lambdify(more, S.Infinity if limit is S.Infinity else limit, "numpy")

    def values(probabilities: Array, *others: Array) -> Array:
        zero = probabilities == 0
        if not zero.any():
            return np.array(np.broadcast_to(inside(probabilities, *others), probabilities.shape))
        found = inside(np.where(zero, 1.0, probabilities), *others)
        return np.asarray(np.where(zero, at_zero(*others), found))

    return values


class GivenRows(RowLosses):
    """A rule of an entropy in the letters of all classes; a forecast with a 0 in it is evaluated as a limit."""

    def __init__(self, rule: GivenLosses) -> None:
        self._rule = rule
        letters = [predicted(label) for label in range(rule.entropy_function.classes)]
        self._losses = [(loss, sympy.lambdify(letters, loss, "numpy")) for loss in rule.losses]

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        found = np.empty(len(labels))
        for label, (loss, function) in enumerate(self._losses):
            rows = np.flatnonzero(labels == label)
            inside = (forecasts[rows] > 0).all(axis=1)
            found[rows[inside]] = function(*forecasts[rows[inside]].T)
            for row in rows[~inside]:
                found[row] = float(
                    value_at_forecast(loss, tuple(exact(p, place="y_proba") for p in forecasts[row].tolist()))
                )
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return GivenRows, (self._rule,)


class PenalisedRows(RowLosses):
    """A rule of an entropy, and a penalty for a wrong prediction."""

    def __init__(self, rule: PenalisedRule) -> None:
        self._base, self._rule = SymmetricRows(rule.base), rule

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        return self._base.of_rows(forecasts, labels) + self._penalties(forecasts, labels)

    def of_logits(self, logits: Array, forecasts: Array, labels: Labels) -> Array:
        return self._base.of_logits(logits, forecasts, labels) + self._penalties(forecasts, labels)

    def _penalties(self, forecasts: Array, labels: Labels) -> Array:
        right = forecasts.argmax(axis=1) == labels
        if self._rule.ties is Ties.ALL:
            right = forecasts[np.arange(len(labels)), labels] == forecasts.max(axis=1)
        return np.where(right, 0.0, float(self._rule.penalty))


# ---- uniform costs


@lru_cache
def uniform_end(one: Distribution) -> float | None:
    """Return the end of a law that is uniform from 0 upwards."""
    spread = len(one.marks) == 1 and one.densities == (1 / one.marks[0], 0) and one.jumps == (0,)
    return float(one.marks[0]) if spread else None


@dataclass(frozen=True)
class UniformRows(RowLosses):
    """Costs uniform on (0, end) for each class."""

    factor: float
    ends: tuple[float, ...]

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        ends = np.array(self.ends)
        losses = [
            _uniform_losses(forecasts[rows] * ends, labels[rows])
            for rows in blocks(len(labels), len(ends) - 1)
        ]
        return self.factor * ends[labels] * np.concatenate(losses)


def _uniform_losses(weighed: Array, labels: Labels) -> Array:
    """Integrate ``y (1 - P(y))`` over (0, 1), where ``P(y) = prod min(1, y/s_j)`` with the others' shares ``s_j``.

    By parts between the ascending ``h_j = min(1, s_j)``, of which there are n, the integral is
    ``h_n^2 (1/2 - P(h_n)/3)`` and the sum of ``h_m^2 P(h_m)/((n - m + 2) (n - m + 3))`` over the m below n.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        shares = _others(weighed / weighed[np.arange(len(labels)), labels][:, None], labels)
        shares = np.sort(np.where(np.isnan(shares), np.inf, shares), axis=1)
        highs = np.minimum(shares, 1.0)
        left = np.arange(shares.shape[1], 0, -1)
        falls = np.where(highs[:, :-1] > 0, np.log1p(np.diff(highs) / -highs[:, 1:]), 0.0) * (left - 1)[:-1]
        last = -np.log(np.maximum(shares, 1.0)).sum(axis=1)
    below = last[:, None] + np.cumsum(falls[:, ::-1], axis=1)[:, ::-1]
    parts = highs[:, :-1] ** 2 * np.exp(below) / ((left + 1) * (left + 2))[:-1]
    return np.asarray(highs[:, -1] ** 2 * (0.5 - np.exp(last) / 3) + parts.sum(axis=1))


def _others(values: NDArray[Any], labels: Labels) -> NDArray[Any]:
    kept = np.arange(values.shape[1]) != labels[:, None]
    return np.asarray(values[kept].reshape(len(labels), -1))


def blocks(rows: int, width: int, size: int = BLOCK) -> Iterator[slice]:
    """Return slices of rows, so that an array of so many numbers for each row is no larger than a block."""
    step = max(1, size // width)
    yield from (slice(start, start + step) for start in range(0, rows, step))


# ---- Gamma costs


@dataclass(frozen=True, eq=False)
class GammaRows(RowLosses):
    """Costs of Gamma laws with whole-numbered shapes, for each class its shape and rate.

    With costs in units of ``1/(rate + nearest)``, where ``nearest`` is the least rate at which a rival stops weighing
    more, the integrand falls like ``exp(-y)``. ``step`` is that of the nodes, in ``log y``.
    """

    factor: float
    shapes: Shapes
    rates: Array
    step: float

    @classmethod
    def of(cls, factor: float, laws: tuple[tuple[int, float], ...]) -> GammaRows:
        """Choose the step for the shapes, and keep it."""
        shapes = np.array([shape for shape, _ in laws])
        return cls(factor, shapes, np.array([rate for _, rate in laws]), trapezoidal_step(shapes))

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            if len(self.rates) < MANY:
                return self._losses(forecasts, labels)
            alike = np.argsort(
                forecasts[np.arange(len(labels)), labels]
            )  # that integrands fall together in a block
            losses = np.empty(len(labels))
            losses[alike] = self._losses(forecasts[alike], labels[alike])
        return losses

    def _losses(self, forecasts: Array, labels: Labels) -> Array:
        parts = blocks(len(labels), len(self.rates) - 1)
        return self.factor * np.concatenate([self._block(forecasts[rows], labels[rows]) for rows in parts])

    def _block(self, forecasts: Array, labels: Labels) -> Array:
        own, rate = forecasts[np.arange(len(labels)), labels], self.rates[labels]
        weighed = np.where(own[:, None] > 0, own[:, None] / forecasts * self.rates, 0.0)
        rivals, shapes = self._ascending(_others(weighed, labels), labels)
        nearest = rivals[0]
        certain = np.isinf(nearest)  # then the class is chosen whatever it costs
        scale = 1 / (rate + np.where(certain, 0.0, nearest))
        found = self._integral(rivals * scale, shapes, rate * scale, labels)
        return np.where(certain, 0.0, scale * found)

    def _ascending(self, rivals: Array, labels: Labels) -> tuple[Array, Shapes]:
        """Return the rates of rivals in ascending order, and their shapes: a column for each row."""
        if (self.shapes == self.shapes[0]).all():
            return np.ascontiguousarray(np.sort(rivals, axis=1).T), self.shapes[:1, None]
        order = np.argsort(rivals, axis=1)
        shapes = _others(np.broadcast_to(self.shapes, (len(labels), len(self.shapes))), labels)
        ordered = (np.ascontiguousarray(np.take_along_axis(one, order, axis=1).T) for one in (rivals, shapes))
        rates, others = ordered
        return rates, others

    def _integral(self, rivals: Array, others: Shapes, speed: Array, labels: Labels) -> Array:
        """Integrate ``y f(y) (1 - prod G_j(y))``, from the highest node downwards.

        Rivals beyond the reach of a node add nothing; once it is certain that the class is not chosen, it is so at all
        lower nodes. The nodes left out below the lowest make a geometric series.
        """
        shapes, factorials = self.shapes[labels], np.array([lgamma(shape) for shape in self.shapes])[labels]
        reach = 45 + 8 * self.shapes.max()
        places = LOWEST + self.step * np.arange((np.log(reach) - LOWEST) / self.step)[:, None]
        nodes = np.exp(places)
        moments = np.exp(shapes * np.log(speed) - factorials + (shapes + 1) * places - speed * nodes)
        moments[0] /= -np.expm1(-(shapes + 1) * self.step)
        total, reached, spare = np.zeros(len(speed)), np.empty_like(rivals), np.empty_like(rivals)
        least = rivals.min(axis=1)
        for place in range(len(nodes) - 1, -1, -1):
            near = int(np.searchsorted(least, (reach + np.log(len(least))) / nodes[place, 0]))
            if near == 0:
                continue
            terms = np.multiply(rivals[:near], nodes[place], out=reached[:near])
            np.minimum(terms, LARGEST, out=terms)
            unchosen = _unchosen(_survival(terms, others[:near]), spare)
            total += moments[place] * unchosen
            if unchosen.min() >= CERTAIN:
                return self.step * np.asarray(total + moments[:place].sum(axis=0))
        return self.step * total


def _survival(reached: Array, shapes: Shapes) -> Array:
    """Return ``exp(-z)`` times the sum of ``z^k/k!`` for k below the shape, in the place of z."""
    total: Any = 1.0
    for k in range(int(shapes.max()) - 1, 0, -1):  # Horner's scheme
        total = 1 + total * reached * ((shapes > k) / k)
    np.exp(np.negative(reached, out=reached), out=reached)
    reached *= total
    return reached


def _unchosen(chances: Array, spare: Array) -> Array:
    """Return the chance that some rival weighs more, from those of each (the first axis), which it overwrites.

    Halves are put together as ``a + b - a b``, so that small chances keep all their digits.
    """
    while len(chances) > 1:
        half = len(chances) // 2
        first, second = chances[:half], chances[len(chances) - half :]
        both = np.multiply(first, second, out=spare[:half])
        first += second
        first -= both
        chances = chances[: len(chances) - half]
    return np.asarray(chances[0])


def trapezoidal_step(shapes: Shapes) -> float:
    """Return the step in the logarithm of the cost at which the relative error is below ``QUADRATURE``.

    On the ray ``z = rho exp(i b)``, ``|1 - prod (1 - Q_j)|`` is at most the sum of all ``|Q_j|`` times the product of
    the largest values that ``|1 - Q_j|`` has there, or 1. The loss is at least that against each rival alone. So the
    relative error of the trapezoidal rule with the step h is at most ``2 (K - 1) growth(b) cos(b)^-2m`` divided by
    ``exp(2 pi b/h) - 1``, where m is the largest shape. The angle b may be any one below ``pi/2``.

    Source: Trefethen and Weideman (2014), section 5.
    """
    angles, radii = np.linspace(0.02, 1.5, 75), np.geomspace(1e-2, 1e3, 2000)
    rays = np.exp(1j * angles)[:, None] * radii
    growth = np.zeros(len(angles))
    for shape, count in zip(*np.unique(shapes, return_counts=True), strict=True):
        terms = [rays**k / factorial(k) for k in range(shape)]
        largest = np.abs(1 - np.exp(-rays) * sum(terms)).max(axis=1)
        growth += count * np.log(np.maximum(largest, 1.0))
    spread = np.log(2 * len(shapes) / QUADRATURE) + growth - 2 * shapes.max() * np.log(np.cos(angles))
    return float((2 * np.pi * angles / spread).max())
