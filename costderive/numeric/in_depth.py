"""Integrals up to an end of a piece of rates that fall slower there than any power of the distance.

Along a curve of costs such as ``x exp(x)`` and ``1/(1 + x^2)`` what lies below the least double counts. It is found in
the logarithm of the curve's own variable, or else of the distance, however large that becomes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import mpmath
import sympy
from mpmath.calculus.quadrature import GaussLegendre
from sympy import Expr

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import CostDeriveError
from costderive.core.symbols import p
from costderive.numeric.many_digits import DIGITS, End, Exact, Valued, r
from costderive.numeric.scaled import FUNCTIONS

if TYPE_CHECKING:
    from costderive.core.curve_places import Place

SLOWLY = mpmath.mpf(10) ** -20  # of an integral, that does not count
NARROW = mpmath.mpf(2) ** -10
GENTLE = 4  # powers of e by which a function may fall on the first panel
GAUSS = 4  # of mpmath's rules, with 24 points
MOST_PANELS = 100  # each as wide as all before it
UNSURE = 2  # times as much as panels that go on to fall alike hold, the rest may hold
DEEPEST = mpmath.mpf(10) ** -2000  # below it values take long, but those that balls have at once

Depth = Callable[
    [Any], Any
]  # an integrand, by how far the logarithm of a distance has gone from where it starts
Measured = tuple[Any, float]  # an integral, and by what share of it that may be off


def in_depth(rate: Valued, end: End, length: Any) -> Measured:
    """Integrate a rate from an end up to a distance."""
    fallen, most = _along_curve(rate, end, length), mpmath.mpf(1)
    if fallen is None:
        fallen, most = partial(_below, rate, end, length), max(1, -mpmath.log(length) / 2)
    width = _first_width(fallen, most)
    reached, parts = mpmath.mpf(0), [_panel(fallen, mpmath.mpf(0), width)]
    try:
        while abs(parts[-1]) > SLOWLY * abs(mpmath.fsum(parts)) and len(parts) < MOST_PANELS:
            reached = 2 * reached + width
            parts.append(_panel(fallen, reached, 2 * reached + width))
    except CostDeriveError:  # nearer to the end there are no values
        pass
    whole = mpmath.fsum(parts)
    return whole, float(_rest(parts) / abs(whole))


def _rest(parts: list[Any]) -> Any:
    """Return what may lie beyond the last of some panels."""
    last, fall = abs(parts[-1]), abs(parts[-1] / parts[-2]) if parts[1:] else 1
    if last <= SLOWLY * abs(mpmath.fsum(parts)):
        return mpmath.mpf(0)
    return UNSURE * last * fall / (1 - fall) if fall < 1 else mpmath.inf


def _below(rate: Valued, end: End, length: Any, depth: Any) -> Any:
    """Return ``x rate`` at so many units of ``log x`` below a distance."""
    x = length * mpmath.exp(-depth)
    value = rate.value(end, x) if x > DEEPEST else rate.quickly(end, x)
    if value is None:
        raise CostDeriveError(
            "no values are known so near the end of a piece", "Report this with the context."
        )
    return x * value


def _along_curve(rate: Valued, end: End, length: Any) -> Depth | None:
    """Return the rate along a curve, from a distance on, None if it is not that of one curve that ends here."""
    expr = rate.expr if isinstance(rate, Exact) else sympy.S.Zero
    nodes = expr.atoms(CurveParameter)
    if len(nodes) != 1 or expr.has(sympy.Integral):
        return None
    (node,) = nodes
    curve, is_upright = node.stretch, node.proportion == p
    reached = end.at if is_upright else 1 - end.at
    if node.proportion not in (p, r) or reached not in (curve.first, curve.last):
        return None
    with mpmath.workdps(DIGITS - int(mpmath.log10(length))):
        place = curve.placed(end.point(length)[not is_upright])
    costs = curve.c0, curve.c1
    proportions = dict(zip((p, r), costs if is_upright else costs[::-1], strict=True))
    whole = curve.c0 + curve.c1
    put = {node: curve.variable} | {letter: cost / whole for letter, cost in proportions.items()}
    return _outwards(expr.xreplace(put) * curve.direction * curve.turning / whole**2, curve, reached, place)


def _outwards(rate: Expr, curve: OneWay, reached: Expr, place: Place) -> Depth:
    """Return a rate in the variable of a curve by how far the logarithm of the variable, or of its distance from an
    end, has gone from a place towards the end with a proportion.
    """
    x, start, sign = curve.variable, place.beyond_low, -1
    position = curve.low + x
    if reached == curve.last:
        start, sign, position = place.before_high, -1, curve.high - x
        if curve.high is sympy.oo:
            start, sign, position = place.variable, 1, x
    function = sympy.lambdify(x, x * rate.subs(x, position), [FUNCTIONS, "mpmath"], cse=True)

    def fallen(depth: Any) -> Any:
        with mpmath.workdps(2 * DIGITS):
            return mpmath.re(function(start * mpmath.exp(sign * depth)))

    return fallen


def _first_width(fallen: Depth, most: Any) -> Any:
    """Return a depth at which a function has fallen by a few powers of e, or the most there may be."""
    first, second = fallen(mpmath.mpf(0)), fallen(NARROW)
    fall = mpmath.log(first / second) / NARROW if first * second > 0 else mpmath.mpf(0)
    return min(most, GENTLE / fall) if fall > 0 else most


def _panel(function: Depth, low: Any, high: Any) -> Any:
    half = (high - low) / 2
    return half * mpmath.fsum(share * function(low + half * (1 + at)) for at, share in _gauss())


@functools.cache
def _gauss() -> list[tuple[Any, Any]]:
    """Return the nodes and weights of Gauss's rule from -1 to 1."""
    with mpmath.workdps(DIGITS):
        return list(GaussLegendre(mpmath.mp).calc_nodes(GAUSS, mpmath.mp.prec))
