"""First and second derivatives of the losses of rows, in the probabilities of the classes and in their logits.

Losses of an entropy are differentiated as formulas in all letters. Those of costs depend on the ratios of probabilities
alone, and are differentiated in the logits, under the integral: with ``h(u) = u g(u)`` of each law, the derivative of
the loss of class i in the logit of j is the integral of ``x f_i(x) h_j(u_j) prod G_k(u_k)``, with the k other than i
and j, at ``u_k = p_i x/p_k``. No term is negative, and that of class i is minus the sum of the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, np
from costderive.costs.laws import x
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.letters import predicted
from costderive.multiclass.numeric_laws import NumericLaw
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.regional import Regional
from costderive.multiclass.row_losses import blocks, uniform_end
from costderive.multiclass.row_quadrature import panels
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.stages import IndependentDistributions

Source = SymmetricLosses | GivenLosses | PenalisedRule | IndependentDistributions
Function = Callable[..., Array]
Slopes = tuple[Array, Array | None]  # of shapes (n, K) and (n, K, K); the second only if it is asked for
TINY = 1e-150  # a smaller probability counts as this one: its square is still a normal double
SLOPE_SIZE = 1 << 17  # numbers in the arrays of a block


class RowSlopes(ABC):
    """Derivatives of the losses of rows: positive probabilities of shape (n, K), and the label of each row."""

    @abstractmethod
    def tangent(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        """Return those in p, projected on the tangent space of the simplex: rows, and columns, add up to 0."""

    @abstractmethod
    def in_logits(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        """Return those in the logits z, where ``p = softmax(z)``: rows, and columns, add up to 0."""


@lru_cache
def slopes_of(source: Source) -> RowSlopes:
    """Return the derivatives of a rule of an entropy, or of costs.

    Raises:
        SpecError: if a cost has a probability: the loss then has steps and kinks.
    """
    if isinstance(source, PenalisedRule):
        return SymmetricSlopes.of(source.base)  # the penalty changes at ties alone
    if isinstance(source, SymmetricLosses):
        return SymmetricSlopes.of(source)
    if isinstance(source, GivenLosses):
        return GivenSlopes.of(source)
    ends = [uniform_end(one) for one in source.of_class]
    if None not in ends:
        return UniformSlopes(float(source.factor), np.array(ends, dtype=float))
    return QuadratureSlopes.of(source)


# ---- rules of an entropy: derivatives in all letters


class FreeSlopes(RowSlopes):
    """Derivatives of losses that are formulas in p; outside the simplex they may be what they like."""

    @abstractmethod
    def free(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        """Return the derivatives in p as free letters."""

    def tangent(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        slope, bend = self.free(np.maximum(forecasts, TINY), labels, bends)
        return _projected(slope, bend)

    def in_logits(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        """Return ``J g``, and ``J H J`` with the bend of the softmax, where ``J = diag(p) - p p'``."""
        p = np.maximum(forecasts, TINY)
        free, bend = self.free(p, labels, bends)
        slope = p * (free - (p * free).sum(axis=1, keepdims=True))
        if bend is None:
            return slope, None
        turned = p[:, :, None] * (bend - np.einsum("nj,njk->nk", p, bend)[:, None, :])  # J H
        both = (turned - np.einsum("njk,nk->nj", turned, p)[:, :, None]) * p[:, None, :]
        crossed = slope[:, :, None] * p[:, None, :]
        return slope, both - crossed - crossed.swapaxes(1, 2) + _diagonal(slope)


def _projected(slope: Array, bend: Array | None) -> Slopes:
    found = slope - slope.mean(axis=1, keepdims=True)
    if bend is None:
        return found, None
    rows = bend - bend.mean(axis=1, keepdims=True)
    return found, rows - rows.mean(axis=2, keepdims=True)


def _diagonal(values: Array) -> Array:
    return np.asarray(np.where(np.eye(values.shape[1]) > 0, values[:, :, None], 0.0))


@dataclass(frozen=True, eq=False)
class SymmetricSlopes(FreeSlopes):
    """Losses ``f(x, t)`` of the probability x of the class and a sum t over all of them."""

    inner: tuple[Function, ...]  # with its two derivatives
    loss: dict[str, Function]  # the derivatives of f, by letters

    @classmethod
    def of(cls, rule: SymmetricLosses) -> SymmetricSlopes:
        """Differentiate the formulas."""
        inner = rule.entropy_function.inner
        orders = {"x": (x,), "t": (t,), "xx": (x, x), "xt": (x, t), "tt": (t, t)}
        loss = {name: _function((x, t), sympy.diff(rule.loss, *letters)) for name, letters in orders.items()}
        return cls(tuple(_function((x,), sympy.diff(inner, x, n)) for n in range(3)), loss)

    def free(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        rows = np.arange(len(labels))
        values, slopes = (function(forecasts) for function in self.inner[:2])
        at = {
            name: function(forecasts[rows, labels], values.sum(axis=1))
            for name, function in self.loss.items()
        }
        found = at["t"][:, None] * slopes
        found[rows, labels] += at["x"]
        if not bends:
            return found, None
        bend = at["tt"][:, None, None] * (slopes[:, :, None] * slopes[:, None, :])
        bend += _diagonal(at["t"][:, None] * self.inner[2](forecasts))
        bend[rows, labels] += at["xt"][:, None] * slopes
        bend[rows, :, labels] += at["xt"][:, None] * slopes
        bend[rows, labels, labels] += at["xx"]
        return found, bend


@dataclass(frozen=True, eq=False)
class GivenSlopes(FreeSlopes):
    """Losses as formulas in the letters of all classes."""

    slopes: tuple[tuple[Function, ...], ...]
    bends: tuple[tuple[tuple[Function, ...], ...], ...]

    @classmethod
    def of(cls, rule: GivenLosses) -> GivenSlopes:
        """Differentiate the formulas."""
        letters = tuple(predicted(label) for label in range(rule.entropy_function.classes))
        firsts = [[sympy.diff(loss, letter) for letter in letters] for loss in rule.losses]
        seconds = [[[sympy.diff(one, letter) for letter in letters] for one in first] for first in firsts]
        return cls(
            tuple(tuple(_function(letters, one) for one in first) for first in firsts),
            tuple(tuple(tuple(_function(letters, e) for e in row) for row in rows) for rows in seconds),
        )

    def free(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        n, k = forecasts.shape
        found, bend = np.empty((n, k)), np.empty((n, k, k)) if bends else None
        for label in np.unique(labels):
            rows = np.flatnonzero(labels == label)
            p = forecasts[rows].T
            found[rows] = np.transpose([one(*p) for one in self.slopes[label]])
            if bend is not None:
                bend[rows] = np.transpose([[one(*p) for one in row] for row in self.bends[label]], (2, 0, 1))
        return found, bend


def _function(letters: tuple[Any, ...], expr: Expr) -> Function:
    """Return a function of arrays, whose values have their shape even if it is constant."""
    function = sympy.lambdify(letters, expr, "numpy")
    return lambda *values: np.array(np.broadcast_to(function(*values), np.shape(values[0])), dtype=float)


# ---- rules of costs: derivatives in the logits


class RatioSlopes(RowSlopes):
    """Derivatives of losses that depend on the ratios of probabilities alone.

    Some are infinite where a pole of one cost weighs as much as that of another: then sums of them are NaN.
    """

    @abstractmethod
    def of_rivals(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        """Return those in the logits; rows and columns of the label itself are 0."""

    def in_logits(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        rows = np.arange(len(labels))
        slope, bend = self.of_rivals(np.maximum(forecasts, TINY), labels, bends)
        slope[rows, labels] = -slope.sum(axis=1)
        if bend is not None:
            bend[rows, labels] = -bend.sum(axis=1)
            bend[rows, :, labels] = -bend.sum(axis=2)
        return slope, bend

    def tangent(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        p = np.maximum(forecasts, TINY)
        slope, bend = self.in_logits(p, labels, bends)
        if bend is not None:
            bend = (bend - _diagonal(slope)) / (p[:, :, None] * p[:, None, :])
        with np.errstate(invalid="ignore"):
            return _projected(slope / p, bend)


@dataclass(frozen=True, eq=False)
class UniformSlopes(RatioSlopes):
    """Costs uniform on (0, end) for each class.

    With the rivals' shares ``s_j`` of `UniformRows` and ``P(y) = prod min(1, y/s_j)``, the derivative in the logit of j
    is the integral A of ``y P(y)`` up to ``min(1, s_j)``, that in j and another k is ``-A`` up to the lesser of both,
    and that in j twice ``s_j^2 P(s_j) - A`` (without the first where ``s_j >= 1``).
    """

    factor: float
    ends: Array

    def of_rivals(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        rows, k = np.arange(len(labels)), forecasts.shape[1]
        weighed = forecasts * self.ends
        shares = weighed / weighed[rows, labels][:, None]
        shares[rows, labels] = np.inf
        order = np.argsort(shares, axis=1)[:, : k - 1]  # the label comes last, and is left out
        ascending = np.take_along_axis(shares, order, axis=1)
        highs, left = np.minimum(ascending, 1.0), np.arange(k - 1, 0, -1)
        before = np.concatenate([np.zeros((len(labels), 1)), highs[:, :-1]], axis=1)
        with np.errstate(divide="ignore"):
            steps = np.log1p((before - highs) / highs)  # of log y, -inf at first
        falls = np.where(np.isinf(steps), 0.0, steps) * left
        above = np.cumsum(falls[:, ::-1], axis=1)[:, ::-1] - falls
        last = -np.log(np.maximum(ascending, 1.0)).sum(axis=1, keepdims=True)
        ends = highs**2 * np.exp(last + above)  # y^2 P(y) at the highs
        integrals = np.cumsum(ends * -np.expm1((left + 2) * steps) / (left + 2), axis=1)
        scale = (self.factor * self.ends[labels])[:, None]
        slope = np.zeros(forecasts.shape)
        np.put_along_axis(slope, order, scale * integrals, axis=1)
        if not bends:
            return slope, None
        bend = -np.minimum(slope[:, :, None], slope[:, None, :])
        kinks = np.zeros(forecasts.shape)
        np.put_along_axis(kinks, order, scale * np.where(ascending < 1, ends, 0.0), axis=1)
        return slope, bend + _diagonal(kinks)


@dataclass(frozen=True, eq=False)
class SummedSlopes(RatioSlopes):
    """Derivatives by sums over costs of the class, in blocks of rows."""

    factor: float

    @abstractmethod
    def of_block(self, shares: Array, label: int, bends: bool) -> Slopes:
        """Return those in the logits of the rivals of a label, at shares ``p_j/p_i`` of shape (n, K)."""

    def of_rivals(self, forecasts: Array, labels: Labels, bends: bool) -> Slopes:
        n, k = forecasts.shape
        slope, bend = np.zeros((n, k)), np.zeros((n, k, k)) if bends else None
        for label in np.unique(labels):
            rows, others = np.flatnonzero(labels == label), np.delete(np.arange(k), label)
            for part in blocks(len(rows), 1000 * k, SLOPE_SIZE):
                some = rows[part]
                with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
                    first, second = self.of_block(
                        forecasts[some] / forecasts[some, label][:, None], label, bends
                    )
                slope[np.ix_(some, others)] = self.factor * first
                if bend is not None and second is not None:
                    bend[np.ix_(some, others, others)] = self.factor * second
        return slope, bend


@dataclass(frozen=True, eq=False)
class SlopedLaw:
    """A law with ``u h'(u)`` of ``h(u) = u g(u)`` in each region, and the jumps of h at its marks."""

    law: NumericLaw
    bends: Regional
    jumps: Array

    @classmethod
    def of(cls, law: NumericLaw) -> SlopedLaw:
        """Differentiate the densities."""
        exprs = [x * density for density in law.source.densities]
        jumps = [
            after.subs(x, mark) - before.subs(x, mark)
            for mark, before, after in zip(law.source.marks, exprs, exprs[1:], strict=False)
        ]
        bends = Regional.of([x * sympy.diff(expr, x) for expr in exprs], law.source.marks)
        return cls(law, bends, np.array(jumps, dtype=float))


@dataclass(frozen=True, eq=False)
class QuadratureSlopes(SummedSlopes):
    """Independent costs of laws with densities, by the Gauss-Legendre sums of `QuadratureRows`."""

    laws: tuple[SlopedLaw, ...]

    @classmethod
    def of(cls, costs: IndependentDistributions) -> QuadratureSlopes:
        """Differentiate the laws.

        Raises:
            SpecError: if a cost has a probability.
        """
        for label, one in enumerate(costs.of_class):
            if one.masses:
                raise SpecError(
                    f"the cost of class {label} is {one.masses[0]} with a positive probability",
                    "Derivatives are there where all costs have densities: elsewhere the loss has steps and kinks.",
                )
        known = {one: SlopedLaw.of(NumericLaw.of(one)) for one in set(costs.of_class)}
        return cls(float(costs.factor), tuple(known[one] for one in costs.of_class))

    def of_block(self, shares: Array, label: int, bends: bool) -> Slopes:
        own, rivals = self.laws[label].law, [n for n in range(len(self.laws)) if n != label]
        middles, halves, nodes, weights = panels([one.law for one in self.laws], shares, label)
        costs = middles[:, :, None] + halves[:, :, None] * nodes
        density = own.densities(costs, np.searchsorted(own.marks, middles))
        values = [self._rival(self.laws[n], costs, middles, shares[:, n], bends) for n in rivals]
        chosen = np.prod([cdf for cdf, _, _ in values], axis=0)
        weighed = (costs * density * chosen * weights * halves[:, :, None]).reshape(len(shares), -1)
        ratios = np.stack([ratio.reshape(len(shares), -1) for _, ratio, _ in values], axis=2)
        slope = np.einsum("nq,nqj->nj", weighed, ratios)
        if not bends:
            return slope, None
        bend = -np.einsum("nqj,nqk->njk", weighed[:, :, None] * ratios, ratios)
        for place, (_, _, curve) in enumerate(values):
            kinks = self._kinks(shares, label, rivals[place])
            bend[:, place, place] = -np.einsum("nq,nq->n", weighed, curve.reshape(len(shares), -1)) - kinks
        return slope, bend

    @staticmethod
    def _rival(
        one: SlopedLaw, costs: Array, middles: Array, share: Array, bends: bool
    ) -> tuple[Array, Array, Array]:
        """Return G, and h and ``u h'`` divided by it, where it is not 0; where it is, so are they."""
        at, regions = (
            one.law.near(costs / share[:, None, None]),
            np.searchsorted(one.law.marks, middles / share[:, None]),
        )
        cdf = 1 - one.law.survivals(at, regions)
        slope = at * one.law.densities(at, regions)
        curve = one.bends(at, regions) if bends else slope
        found = cdf > 0
        return cdf, np.where(found, slope / cdf, 0.0), np.where(found, curve / cdf, 0.0)

    def _kinks(self, shares: Array, label: int, rival: int) -> Array:
        """Sum ``x^2 f(x)`` times the jumps of the rival's h and the chance that all others weigh less."""
        own, total = self.laws[label].law, np.zeros(len(shares))
        for mark, jump in zip(self.laws[rival].law.marks, self.laws[rival].jumps, strict=True):
            if jump:
                place = shares[:, rival] * mark
                density = own.densities(own.near(place), np.searchsorted(own.marks, place))
                total += jump * place**2 * density * self._chosen(place, shares, {label, rival})
        return total

    def _chosen(self, costs: Array, shares: Array, without: set[int]) -> Array:
        found = np.ones(len(costs))
        for n, one in enumerate(self.laws):
            if n not in without:
                at = costs / shares[:, n]
                found *= 1 - one.law.above(at, np.searchsorted(one.law.marks, at))
        return found
