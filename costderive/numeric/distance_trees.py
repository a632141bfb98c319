"""The distance from an end of a piece, and powers of it, as trees."""

from __future__ import annotations

from costderive.numeric.many_digits import End
from costderive.numeric.program_tree import (
    EXACTLY,
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
