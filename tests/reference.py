"""Contexts x facts: what the literature, or a direct integration, says about each cost context.

No formula here comes from the package. Each row holds the law of the costs as data, the two losses in closed
form, the expected costs and the beliefs for which the rule is strictly proper, with the source of all that. A
row about symbolic parameters holds numbers for them too, at which to compare it with the law of the costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol, asin, asinh, log, oo, pi, sqrt

import costderive as cd
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation

a, b, d, e, m = sympy.symbols("a b d e m", positive=True)
ZERO, HALF, ONE = sympy.S.Zero, Rational(1, 2), sympy.S.One

Values = dict[Symbol, Expr]


@cache
def derived(context: Context) -> Derivation:
    """Derive a context's rule, once for all tests."""
    return cd.derive(context)


@dataclass(frozen=True, slots=True)
class Branch:
    """A function's closed form up to a breakpoint, from the breakpoint before it."""

    up_to: Expr
    value: Expr


Branches = tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """``((c0^k + c1^k)/2)^(1/k) = mean`` with the cost proportion s uniform on [0, 1]."""

    k: Expr
    mean: Expr


@dataclass(frozen=True, slots=True)
class Rectangle:
    """c0 uniform on [a, b] and, independently of it, c1 uniform on [d, e]."""

    a: Expr
    b: Expr
    d: Expr
    e: Expr


@dataclass(frozen=True, slots=True)
class Reference:
    """One row of the table: a context and the facts about it."""

    name: str
    context: Context
    law: PowerLaw | Rectangle
    loss0: Branches
    loss1: Branches
    mean0: Expr
    mean1: Expr
    strict: tuple[Expr, Expr]
    source: str
    values: Values = field(default_factory=dict)

    @property
    def breaks(self) -> tuple[Expr, ...]:
        """The interior breakpoints, ascending."""
        return tuple(branch.up_to for branch in self.loss0[:-1])

    @property
    def is_rational(self) -> bool:
        """Whether the losses are rational functions, so that they can be compared exactly."""
        return isinstance(self.law, Rectangle) or all(x.value.is_rational_function() for x in self.loss0)


# ---------------------------------------------------------------------------------------- power means


def whole(value: Any) -> Branches:
    """Return one closed form for all of [0, 1]."""
    return (Branch(ONE, sympy.sympify(value)),)


def mirrored(loss0: Branches) -> Branches:
    """Return ``L1(p) = L0(1 - p)``, which holds if (c0, c1) and (c1, c0) have the same law."""
    lows = (ZERO, *[branch.up_to for branch in loss0[:-1]])
    pairs = zip(reversed(lows), reversed(loss0), strict=True)
    return tuple(Branch(1 - low, branch.value.subs(p, 1 - p)) for low, branch in pairs)


def symmetric(
    name: str, context: Context, law: PowerLaw, loss0: Branches, mean: Any, source: str, **values: Any
) -> Reference:
    """Return the row of a context that treats both classes alike and is strictly proper."""
    numbers = {sympy.Symbol(letter, positive=True): sympy.sympify(value) for letter, value in values.items()}
    cost = sympy.sympify(mean)
    return Reference(name, context, law, loss0, mirrored(loss0), cost, cost, (ZERO, ONE), source, numbers)


FLACH = "Flach (2015), 'Cost-sensitive classification meets proper scoring rules', Theorem 1"
THESIS = "Grygorian (2019), 'Classifier evaluation with proper scoring rules'"
QUADRATIC = 2 * p**2 - 2 * p + 1
SINE, COSINE, ANGLE = sqrt(p), sqrt(1 - p), asin(sqrt(p))

GEOMETRIC = ANGLE - SINE * COSINE
# s = sin(x)^2 turns the integral of 4 s/(sqrt(s) + sqrt(1 - s))^2 into one of 8 sin^3 cos/(sin + cos)^2.
SQUARE_ROOT = 2 * (ANGLE - SINE * COSINE + log(SINE + COSINE) - SINE / (SINE + COSINE))
# The same substitution: half the integral of (sin + cos)^2 tan = (1 + 2 sin cos) tan.
INVERSE_ROOT = (-log(COSINE) + ANGLE - SINE * COSINE) / 2
EUCLIDEAN = (sqrt(QUADRATIC) - 1) / sqrt(2) + (asinh(2 * p - 1) + asinh(1)) / 2
# The integral of sqrt(2 v^2 - 2 v + 1)/v is sqrt(2 v^2 - 2 v + 1) - asinh(2 v - 1)/sqrt(2) - asinh(1/v - 1).
INVERSE_SQUARE = (
    (1 - sqrt(QUADRATIC)) / sqrt(2) + (asinh(1 - 2 * p) - asinh(1)) / 2 + asinh(p / (1 - p)) / sqrt(2)
)
MAXIMUM = (Branch(HALF, -p - log(1 - p)), Branch(ONE, p - 1 + log(2)))
MINIMUM = (Branch(HALF, p), Branch(ONE, 1 - p - log(1 - p) - log(2)))


def _signed(y: Expr) -> Expr:
    """Return an antiderivative of ``(1 + y) (1 + 3 y^2)^(-1/3)``, odd part first."""
    return (
        y * sympy.hyper([Rational(1, 3), HALF], [Rational(3, 2)], -3 * y**2)
        + (1 + 3 * y**2) ** Rational(2, 3) / 4
    )


# With y = 2 s - 1: s^3 + (1 - s)^3 = (1 + 3 y^2)/4, and c0 ds is half of the integrand above.
CUBIC = (_signed(2 * p - 1) - _signed(-ONE)) / 2
CUBIC_MEAN = sympy.hyper([Rational(1, 3), HALF], [Rational(3, 2)], -3)

POWER_MEANS = (
    symmetric("Brier", cd.Additive(), PowerLaw(ONE, ONE), whole(p**2), 1, f"{THESIS}, Theorem 1"),
    symmetric(
        "additive, m = 3/2",
        cd.Additive(3),
        PowerLaw(ONE, Rational(3, 2)),
        whole(3 * p**2 / 2),
        "3/2",
        "m times Brier",
    ),
    symmetric(
        "additive, m", cd.Additive("2*m"), PowerLaw(ONE, m), whole(m * p**2), m, "m times Brier", m="7/3"
    ),
    symmetric(
        "harmonic, d = 1/2", cd.Harmonic("1/2"), PowerLaw(-ONE, ONE), whole(-log(1 - p) / 2), oo, FLACH
    ),
    symmetric(
        "log loss", cd.Harmonic(1), PowerLaw(-ONE, sympy.Integer(2)), whole(-log(1 - p)), oo, f"twice {FLACH}"
    ),
    symmetric(
        "harmonic, d",
        cd.Harmonic("d"),
        PowerLaw(-ONE, 2 * d),
        whole(-d * log(1 - p)),
        oo,
        "d times log loss",
        d="3/7",
    ),
    symmetric(
        "geometric",
        cd.Geometric(),
        PowerLaw(ZERO, ONE),
        whole(GEOMETRIC),
        pi / 2,
        "direct integration, s = sin(x)^2",
    ),
    symmetric(
        "geometric, m",
        cd.Geometric("m"),
        PowerLaw(ZERO, m),
        whole(m * GEOMETRIC),
        pi * m / 2,
        "direct integration",
        m="7/3",
    ),
    symmetric(
        "k = 2",
        cd.PowerMean(2),
        PowerLaw(sympy.Integer(2), ONE),
        whole(EUCLIDEAN),
        asinh(1),
        "direct integration",
    ),
    symmetric(
        "k = 1/2",
        cd.PowerMean("1/2"),
        PowerLaw(HALF, ONE),
        whole(SQUARE_ROOT),
        pi - 2,
        "direct integration, s = sin(x)^2",
    ),
    symmetric(
        "k = -1/2",
        cd.PowerMean("-1/2"),
        PowerLaw(-HALF, ONE),
        whole(INVERSE_ROOT),
        oo,
        "direct integration, s = sin(x)^2",
    ),
    symmetric(
        "k = -2",
        cd.PowerMean(-2),
        PowerLaw(sympy.Integer(-2), ONE),
        whole(INVERSE_SQUARE),
        oo,
        "direct integration, v = 1 - s",
    ),
    symmetric(
        "maximum",
        cd.PowerMean("oo"),
        PowerLaw(oo, ONE),
        MAXIMUM,
        log(2),
        "direct integration: c0 = min(1, s/(1 - s))",
    ),
    symmetric(
        "minimum",
        cd.PowerMean("-oo"),
        PowerLaw(-oo, ONE),
        MINIMUM,
        oo,
        "direct integration: c0 = max(1, s/(1 - s))",
    ),
    symmetric(
        "k = 3",
        cd.PowerMean(3),
        PowerLaw(sympy.Integer(3), ONE),
        whole(CUBIC),
        CUBIC_MEAN,
        "direct integration, y = 2 s - 1",
    ),
)

# ----------------------------------------------------------------------------------------- rectangles


def _rectangle_losses(box: Rectangle, x_low: Expr, x_high: Expr) -> tuple[Expr, Expr]:
    """Integrate over c1 on each piece, where ``u c1`` passes a at ``c1 = x_low`` and b at ``c1 = x_high``.

    With ``u = p/(1 - p)``, the inner integral over c0 is ``(clip(u c1, a, b)^2 - a^2)/2`` for class 0 and
    ``c1 (b - clip(u c1, a, b))`` for class 1; the clip is a below ``x_low`` and b above ``x_high``.
    """
    u = p / (1 - p)
    squares, cubes = (x_high**2 - x_low**2) / 2, (x_high**3 - x_low**3) / 3
    middle0 = u**2 * cubes / 2 - box.a**2 * (x_high - x_low) / 2
    above0 = (box.b**2 - box.a**2) * (box.e - x_high) / 2
    below1 = (box.b - box.a) * (x_low**2 - box.d**2) / 2
    area = (box.b - box.a) * (box.e - box.d)
    return (middle0 + above0) / area, (below1 + box.b * squares - u * cubes) / area


def _rectangle_branches(box: Rectangle, wide: bool) -> tuple[Branches, Branches]:
    """Return both losses; ``wide`` if ``a e >= b d``: then ``u c1`` can cover all of [a, b]."""
    u = p / (1 - p)
    enters, leaves = box.a / u, box.b / u
    low, high = box.a / (box.a + box.d) if box.a + box.d != 0 else ZERO, box.b / (box.b + box.e)
    first, second = (high, low) if wide else (low, high)
    regions = (
        (box.a / (box.a + box.e), box.e, box.e),
        (first, enters, box.e),
        (second, *((enters, leaves) if wide else (box.d, box.e))),
        (box.b / (box.b + box.d), box.d, leaves),
        (ONE, box.d, box.d),
    )
    ends = pairwise((ZERO, *[region[0] for region in regions]))
    kept = [
        region for region, (start, end) in zip(regions, ends, strict=True) if sympy.cancel(end - start) != 0
    ]
    losses = [(up_to, _rectangle_losses(box, *crossings)) for up_to, *crossings in kept]
    return tuple(Branch(x, pair[0]) for x, pair in losses), tuple(Branch(x, pair[1]) for x, pair in losses)


def rectangle(
    name: str, bounds: tuple[Any, Any, Any, Any], *, wide: bool, source: str, **values: Any
) -> Reference:
    """Return the row of two independent uniform costs, in the order of breakpoints that the values have."""
    box = Rectangle(*[sympy.sympify(bound, locals={"a": a, "b": b, "d": d, "e": e}) for bound in bounds])
    loss0, loss1 = _rectangle_branches(box, wide)
    context = cd.IndependentUniform(c0=(box.a, box.b), c1=(box.d, box.e))
    strict = (box.a / (box.a + box.e), box.b / (box.b + box.d))
    numbers = {sympy.Symbol(letter, positive=True): sympy.sympify(value) for letter, value in values.items()}
    means = (box.a + box.b) / 2, (box.d + box.e) / 2
    return Reference(name, context, box, loss0, loss1, *means, strict, source, numbers)


DIRECT = f"direct integration, over the plane with c0 inside; {THESIS}, Eq. (36), lacks a limit"
INVERSE_SCORE = f"{THESIS}, Theorem 3"

RECTANGLES = (
    rectangle("[0,1]x[0,1]", (0, 1, 0, 1), wide=False, source=INVERSE_SCORE),
    rectangle("[1,2]x[1,3]", (1, 2, 1, 3), wide=True, source=DIRECT),
    rectangle("[0,5]x[2,3]", (0, 5, 2, 3), wide=False, source=DIRECT),
    rectangle("[1,10]x[1,2]", (1, 10, 1, 2), wide=False, source=DIRECT),
    rectangle("[3,4]x[0,1]", (3, 4, 0, 1), wide=True, source=DIRECT),
    rectangle("[2,3]x[7,9]", (2, 3, 7, 9), wide=False, source=DIRECT),
)
SYMBOLIC_RECTANGLES = (
    rectangle("[a,b]x[d,e], a e < b d", (a, b, d, e), wide=False, source=DIRECT, a=1, b=10, d=1, e=2),
    rectangle("[a,b]x[d,e], a e > b d", (a, b, d, e), wide=True, source=DIRECT, a=2, b="5/2", d=1, e=3),
    rectangle("[a,b]x[0,1]", (a, b, 0, 1), wide=True, source=DIRECT, a="3/2", b=4),
    rectangle("[0,b]x[0,e]", (0, b, 0, e), wide=False, source=DIRECT, b="7/3", e="1/2"),
    rectangle("[0,1]x[d,e]", (0, 1, d, e), wide=False, source=DIRECT, d="1/3", e=2),
    rectangle("[a,b]x[a,b]", (a, b, a, b), wide=False, source=DIRECT, a=2, b="7/2"),
    rectangle("[a,b]x[1,2], 2 a < b", (a, b, 1, 2), wide=False, source=DIRECT, a=1, b=7),
    rectangle("[a,b]x[1,2], 2 a > b", (a, b, 1, 2), wide=True, source=DIRECT, a=3, b=4),
)

# As printed in Grygorian (2019), Eq. (33).
INVERSE_SCORE_LOSS0 = (
    Branch(HALF, (2 * p - 1) / (6 * (p - 1) ** 2) + Rational(1, 6)),
    Branch(ONE, Rational(5, 6) - 1 / (3 * p)),
)
INVERSE_SCORE_LOSS1 = (
    Branch(HALF, 1 / (3 * (p - 1)) + Rational(5, 6)),
    Branch(ONE, (1 - 2 * p) / (6 * p**2) + Rational(1, 6)),
)

NUMERIC = tuple(row for row in POWER_MEANS + RECTANGLES if not row.values)
REFERENCES = POWER_MEANS + RECTANGLES + SYMBOLIC_RECTANGLES
