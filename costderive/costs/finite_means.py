"""What letters must satisfy for an expected cost to be finite: a shape above 1, say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import sympy
from sympy import Expr, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.deciders.limits import Approach, converging_if, tail
from costderive.deciders.signs import nonnegative, positive

r = Symbol("r", positive=True)
RAYS = tuple(sympy.Rational(share, 8) for share in range(1, 8))


@cache
def finite_if(integrands: tuple[Expr, ...], on: Interval, given: Given) -> tuple[Expr, ...]:
    """Return what is positive exactly if one of some integrals over an interval is finite, where letters decide that.

    At each end that one counts which converges for most values of the letters. Where it does so for all, for none, or
    nothing is known, nothing is asked.
    """
    at_ends = (_finite_near(integrands, on.variable, *end, given) for end in ((on.low, "+"), (on.high, "-")))
    return tuple(dict.fromkeys(fact for facts in at_ends for fact in facts))


def smaller_finite_if(*tails: Expr | None) -> tuple[Expr, ...]:
    """Return what is positive exactly if the smaller of independent costs has a mean, where letters decide that.

    The tail of the smaller is the product of their tails ``C y^-a``, of which the exponents are given, or ``None`` for
    one that falls faster.
    """
    known = [tail for tail in tails if tail is not None]
    if len(known) < len(tails) or any(positive(tail - 1) for tail in known):
        return ()
    surplus = sympy.expand(sum(known) - 1)
    return () if surplus.is_number or positive(surplus) else (surplus,)


@cache
def finite_along_rays(density: Expr, sides: tuple[Expr, ...], given: Given) -> tuple[Expr, ...]:
    """Return what is positive exactly if costs with a joint density have finite losses, where letters decide that.

    Along a ray on which both costs grow without bound the losses are finite if the density falls fast enough. The sides
    are polynomials in the costs that are not negative.
    """
    for share in RAYS:
        ray = {c0: share * r, c1: (1 - share) * r}
        far = (sympy.LC(side.subs(ray, simultaneous=True), r) for side in sides)
        if all(positive(value, None, given) for value in far):
            mean = r**2 * density.subs(ray, simultaneous=True)
            return tuple(_finite_near((mean,), r, S.Infinity, "-", given))
    return ()


def _finite_near(fs: tuple[Expr, ...], x: Symbol, end: Expr, side: str, given: Given) -> Iterator[Expr]:
    if end is S.Infinity:
        fs, end, side = tuple(sympy.powsimp(f.subs(x, 1 / x) / x**2) for f in fs), S.Zero, "+"
    at = Approach(x, end, side)
    if any(tail(f, at, given) == 0 for f in fs):
        return
    facts = [fact for f in fs if (fact := converging_if(f, at, given)) is not None and fact.free_symbols]
    weakest = (fact for fact in facts if all(nonnegative(fact - other, None, given) for other in facts))
    yield from [fact for fact in weakest if not nonnegative(-fact, None, given)][:1]
