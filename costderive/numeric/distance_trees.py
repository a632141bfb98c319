"""The distance from an end of a piece, and powers of it, as trees."""

from __future__ import annotations

from costderive.numeric.many_digits import End
from costderive.numeric.program_tree import (
    EXACTLY,
    PAST,
    SHORT_OF,
    Call,
    Name,
    Node,
    negated,
    number,
    product,
    quotient,
    total,
)


def distance(end: End) -> Node:
    """Return the distance of ``p`` from an end; a difference is rounded before it goes on."""
    if end.is_outer:
        return Name("p" if end.hi == 0 else "r")
    p, at = Name("p"), number(end.hi)
    near = Call(EXACTLY, (total(p, negated(at)) if end.side > 0 else total(at, negated(p)),))
    return total(near, negated(number(end.side * end.lo))) if end.lo else near


def distance_of_margin(end: End) -> Node:
    """Return the distance from an end in a program whose argument is the logit of ``p``, by an equation without loss.

    Above an inner end b it is ``p (1 - b) (1 - exp(logit b - logit p))``, below it ``b (1 - p) (1 - exp(logit p -
    logit b))``: rounding ``p`` costs digits of a difference and none of a product. The calls ``past`` and ``short_of``
    of p and r have b, what multiplies, and the logit of b, the first and the last as two doubles.
    """
    if end.is_outer:
        return distance(end)
    share = 1 - end.hi - end.lo if end.side > 0 else end.hi + end.lo
    numbers = (end.hi, end.lo, share, *end.logit)
    return Call(PAST if end.side > 0 else SHORT_OF, (Name("p"), Name("r"), *map(number, numbers)))


def times_power(value: Node, x: Node, power: float) -> Node:
    """Return ``value x^power``, one factor or divisor after the other."""
    whole, fraction = int(power), abs(power - int(power))
    factors = [x] * abs(whole)
    if fraction:
        root = Call("sqrt", (x,)) if fraction == 0.5 else Call("power", (x, number(fraction)))
        factors.insert(0, root)
    if power > 0:
        return product(value, *factors)
    for factor in factors:
        value = quotient(value, factor)
    return value
