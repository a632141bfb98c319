"""The expected loss in the forms that a derivation passes through, from a law of the costs to a weight.

With a threshold rule at ``t`` the expected loss is ``E[pi0 c0 (1 - F0(t)) + pi1 c1 F1(t)]``. At the calibrated
threshold ``t = s`` it is ``integral of (pi0 s (1 - F0(s)) + pi1 (1 - s) F1(s)) Omega(ds)``, with the threshold
weight ``Omega(ds) = E[b; s in ds]``. The objects here are data: the moves make them, the checker judges them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.pieces import Atom, Measure, Piece


@dataclass(frozen=True, slots=True)
class Area:
    """Costs spread over a region of the plane: a density of (c0, c1), and constraints, each linear and >= 0."""

    density: Expr
    constraints: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Costs on a curve ``c0 = b s``, ``c1 = b (1 - s)``, with ``b`` and the density of ``s`` given on (low, high)."""

    magnitude: Expr
    density: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Point:
    """One pair of costs with its probability."""

    c0: Expr
    c1: Expr
    probability: Expr


@dataclass(frozen=True, slots=True)
class ExpectedLoss:
    """The expected loss written over the costs: a sum over areas, lines and points."""

    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """An area in the variables (s, c1): the Jacobian of ``c0 = s c1/(1 - s)``, the integrand, the constraints.

    The integrand is ``(c0 + c1) f(c0, c1) |d c0/d s|`` written in s and c1.
    """

    jacobian: Expr
    integrand: Expr
    constraints: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ThresholdIntegral:
    """The expected loss written over s: sheets still to be integrated over c1, densities of s, and atoms."""

    sheets: tuple[Sheet, ...]
    densities: tuple[Piece, ...]
    atoms: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """For ``low < s < high`` the inner variable c1 runs from ``lower`` to ``upper``; an empty slice has no c1.

    An empty slice keeps two bounds that contradict each other: ``lower >= upper``.
    """

    low: Expr
    high: Expr
    lower: Expr
    upper: Expr
    empty: bool = False


@dataclass(frozen=True, slots=True)
class SlicedIntegral:
    """A threshold integral with the slices of each of its sheets."""

    integral: ThresholdIntegral
    slices: tuple[tuple[Slice, ...], ...]


@dataclass(frozen=True, slots=True)
class InnerIntegral:
    """The inner integral over one slice, and the antiderivative in c1 (if one was found) that gave it."""

    slice: Slice
    antiderivative: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class WeightedLoss:
    """The expected loss as an integral against the threshold weight, with the inner integrals behind it."""

    weight: Measure
    inner: tuple[InnerIntegral, ...]
