"""The expected loss in the forms that a derivation passes through, from a law of the costs to a weight.

With a threshold rule at ``t`` the expected loss is ``E[pi0 c0 (1 - F0(t)) + pi1 c1 F1(t)]``. At the calibrated
threshold ``t = s`` it is ``integral of (pi0 s (1 - F0(s)) + pi1 (1 - s) F1(s)) Omega(ds)``, with the threshold
weight ``Omega(ds) = E[b; s in ds]``. The objects here are data: the moves make them, the checker judges them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy
from sympy import Expr, S, Symbol

from costderive.core.piecewise import Atom, Interval, Measure, Piece

NOTHING: tuple[Expr, Expr] = (S.Zero, S.Zero)


@dataclass(frozen=True, slots=True)
class Area:
    """Costs spread over a region of the plane: a density of (c0, c1), and constraints, of degree 1 or 2 and >= 0."""

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
class Arc:
    """Costs on a curve ``c0(x)``, ``c1(x)`` with a density of the parameter ``x`` on (low, high).

    ``inverse`` is x as a function of s, if it was known when the arc was made; like every hint it is checked.
    """

    variable: Symbol
    c0: Expr
    c1: Expr
    density: Expr
    low: Expr
    high: Expr
    inverse: Expr | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One pair of costs with its probability."""

    c0: Expr
    c1: Expr
    probability: Expr


@dataclass(frozen=True, slots=True)
class Plane:
    """What a joint density is claimed of: that its total over areas of the plane of the costs is 1."""

    areas: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class Antiderivative:
    """An antiderivative on an interval, with its limits at the ends; without one, an integral stays as it stands."""

    function: Expr | None = None
    at_low: Expr = S.Zero
    at_high: Expr = S.Zero


@dataclass(frozen=True, slots=True)
class ExpectedLoss:
    """The expected loss written over the costs: a sum over areas, lines, arcs and points.

    With ``totals`` it holds, for each law of its context, the antiderivatives that show that it is a law.
    """

    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    arcs: tuple[Arc, ...] = ()
    points: tuple[Point, ...] = ()
    totals: tuple[tuple[Antiderivative, ...] | PlaneIntegral | ProductIntegral | MarginIntegral, ...] = ()

    @property
    def parts(self) -> tuple[tuple[Area, ...], tuple[Line, ...], tuple[Point, ...], tuple[Arc, ...]]:
        """The areas, the lines, the points and the arcs."""
        return self.areas, self.lines, self.points, self.arcs

    @property
    def two_sided(self) -> ExpectedLoss:
        """The parts in which both errors cost something."""
        return replace(self, points=tuple(one for one in self.points if S.Zero not in (one.c0, one.c1)))

    @property
    def one_sided(self) -> tuple[Expr, Expr]:
        """The expected cost of class 0 where errors of class 1 cost nothing, and of class 1 where those of class 0 do.

        It is paid at the report that is sure of the other class, and at no other.
        """
        paid0 = [one.probability * one.c0 for one in self.points if one.c1 == 0]
        paid1 = [one.probability * one.c1 for one in self.points if one.c0 == 0]
        return sympy.Add(*paid0), sympy.Add(*paid1)

    def scaled(self, weight: Expr) -> ExpectedLoss:
        """Return the same costs with all probabilities multiplied by a weight."""
        return ExpectedLoss(
            tuple(replace(area, density=weight * area.density) for area in self.areas),
            tuple(replace(line, density=weight * line.density) for line in self.lines),
            tuple(replace(arc, density=weight * arc.density) for arc in self.arcs),
            tuple(replace(point, probability=weight * point.probability) for point in self.points),
        )


@dataclass(frozen=True, slots=True)
class Sheet:
    """An area in the variables (s, c1): the Jacobian of ``c0 = s c1/(1 - s)``, the integrand, the constraints.

    The integrand is ``(c0 + c1) f(c0, c1) |d c0/d s|`` written in s and c1.
    """

    jacobian: Expr
    integrand: Expr
    constraints: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Strand:
    """An arc in the variable s: the parameter ``x(s)``, its slope, and ``(c0 + c1) f(x) |dx/ds|`` as a piece."""

    inverse: Expr
    slope: Expr
    piece: Piece


@dataclass(frozen=True, slots=True)
class ThresholdIntegral:
    """The expected loss written over s: sheets still to be integrated over c1, densities of s, and atoms.

    What is ``one_sided`` is paid at s = 1, of class 0, and at s = 0, of class 1.
    """

    sheets: tuple[Sheet, ...]
    densities: tuple[Piece, ...]
    atoms: tuple[Atom, ...]
    strands: tuple[Strand, ...] = ()
    one_sided: tuple[Expr, Expr] = NOTHING

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The densities of s, those of the strands included."""
        return self.densities + tuple(strand.piece for strand in self.strands)


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
    """The inner integral over one slice, with the antiderivative in c1 (if one was found) and its limits."""

    slice: Slice
    antiderivative: Expr | None
    at_lower: Expr
    at_upper: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class PlaneIntegral:
    """A density integrated over areas: the slices of each, the integral over c1 on each slice, then that over s."""

    slices: tuple[tuple[Slice, ...], ...]
    inner: tuple[InnerIntegral, ...]
    outer: tuple[Antiderivative, ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """A function of one cost, integrated over the range of that cost."""

    function: Expr
    on: Interval
    antiderivative: Antiderivative


@dataclass(frozen=True, slots=True)
class ProductIntegral:
    """A density ``f(c0) g(c1)`` integrated over rectangles: the two factors of each, in the order of the costs."""

    rectangles: tuple[tuple[Factor, Factor], ...]


@dataclass(frozen=True, slots=True)
class Margin:
    """A density on an area, integrated over one cost at each value of the ``held`` one, and then over that.

    The ends of the other range may depend on the held cost. The limits of ``within``, an antiderivative in the other
    cost, are functions of the held cost. Their difference is the density of the held cost, and ``over`` an
    antiderivative of it, or of it times the cost. A mean may also be of the other cost: ``within`` is then an
    antiderivative of that cost times the density.
    """

    held: Interval
    other: Interval
    within: Antiderivative
    over: Antiderivative

    @property
    def density(self) -> Expr:
        """The density of the held cost, or the mean of the other one at each value of it times that density."""
        return self.within.at_high - self.within.at_low


@dataclass(frozen=True, slots=True)
class MarginIntegral:
    """A density on areas, integrated over one cost at each value of the other one, and then over that."""

    margins: tuple[Margin, ...]


@dataclass(frozen=True, slots=True)
class HeldStrip:
    """A range of the held cost over which an error costs wherever the other cost is beyond one and the same ``cut``.

    The cut is the low end of the other cost, its high end, or the held cost times the ratio that the report decides by.
    Beyond is above it if the cost of the error is held, else below it.
    ``found`` is an antiderivative of what is left, if there is one; the ends of the range are functions of the odds.
    """

    over: Interval
    cut: Expr
    found: Antiderivative


@dataclass(frozen=True, slots=True)
class HeldCell:
    """A range of reports, and for each class the strips in which an error costs, area by area."""

    low: Expr
    high: Expr
    strips0: tuple[tuple[HeldStrip, ...], ...]
    strips1: tuple[tuple[HeldStrip, ...], ...]


@dataclass(frozen=True, slots=True)
class HeldCosts:
    """The expected cost of each error, as an integral over one of the costs, beside the threshold weight."""

    weight: Measure
    areas: tuple[Area, ...]
    margins0: tuple[Margin, ...]
    margins1: tuple[Margin, ...]
    cells: tuple[HeldCell, ...]


@dataclass(frozen=True, slots=True)
class WeightedLoss:
    """The expected loss as an integral against the threshold weight, with the inner integrals behind it."""

    weight: Measure
    inner: tuple[InnerIntegral, ...]
    one_sided: tuple[Expr, Expr] = NOTHING
