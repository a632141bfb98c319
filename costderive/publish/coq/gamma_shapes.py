"""Gamma functions in Coq by those of the least argument that is a whole number away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr

from costderive.publish.coq.terms import atomic

ONE, HALF = sympy.S.One, sympy.S.Half
IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Atoms", "ExpectedLoss", "Costs", "Incomplete"),
    *("BetaGamma", "Tails", "Areas", "Strips", "Cuts", "ClosedForms", "Arcs", "Normal", "LogNormal"),
    *("Independent", "Bells", "Far", "Moments", "Families"),
)


def shapes_of(exprs: Iterable[Expr]) -> set[Expr]:
    """Return the arguments of Gamma functions, also of those that Beta functions are written by."""
    exprs = tuple(exprs)
    betas = [node.args for expr in exprs for node in expr.atoms(sympy.beta)]
    shapes = {node.args[0] for expr in exprs for node in expr.atoms(sympy.gamma)}
    return shapes.union(*[(a, b, sympy.expand(a + b)) for a, b in betas])


def betas_by_gammas(betas: Iterable[Expr], beside: Iterable[Expr]) -> tuple[str, ...]:
    """Return the tactics that write Beta functions beside Gamma functions by these; none if there are not both."""
    betas, beside = tuple(betas), tuple(beside)
    if not betas or not any(expr.has(sympy.gamma) for expr in beside):
        return ()
    return written_by_gammas((*betas, *beside))


def written_by_gammas(exprs: Iterable[Expr]) -> tuple[str, ...]:
    """Return the tactics that write Beta functions by Gamma functions, and those of one argument in one way."""
    shapes = sorted(shapes_of(exprs), key=sympy.default_sort_key)
    alike = [f"shape_is {atomic(shape)}" for shape in shapes]
    return ("betas_by_gammas", *alike, *[step.rstrip(".") for step in steps_down(shapes)])


def by_gammas(a: Expr, b: Expr) -> Expr:
    """Return a Beta function as a quotient of Gamma functions."""
    return sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b)


def steps_down(shapes: Iterable[Expr]) -> Iterator[str]:
    """Yield the tactics that write Gamma functions by those of the least shape, or of 1 or 1/2."""
    for group in _groups(shapes):
        yield from _descent(group)


def _groups(shapes: Iterable[Expr]) -> Iterator[list[Expr]]:
    """Yield shapes that are whole numbers apart, in their order."""
    rest = sorted(shapes, key=sympy.default_sort_key)
    while rest:
        above = {shape: shape - rest[0] for shape in rest if (shape - rest[0]).is_Integer}
        rest = [shape for shape in rest if shape not in above]
        yield sorted(above, key=above.__getitem__)


def _descent(group: list[Expr]) -> Iterator[str]:
    """Yield the steps from the greatest shape down to the least, or to 1 or 1/2 whose function is elementary."""
    least = group[0]
    base = least if not (2 * least).is_Integer else ONE if least.is_Integer else HALF
    shape = group[-1]
    while shape != base:
        below = sympy.expand(shape - 1)
        yield f"next_shape {atomic(shape)} {atomic(below)}."
        if below.is_Integer:
            yield f"whole_power {atomic(below)} {below}%nat."
        elif (2 * below).is_Integer:
            yield f"root_power {atomic(below)} {2 * below}%nat."
        shape = below
    if base in (ONE, HALF):
        yield "known_shapes."


def tail_steps(tails: Iterable[Expr], formulas: Iterable[Expr]) -> Iterator[str]:
    """Yield the tactics that write incomplete Gamma functions from a cost on by those of the formulas.

    Shapes that are whole numbers go up to 0, the exponential integral, and others to the first in the formulas, or to a
    positive one.
    """
    shapes = {node.args[0] for formula in formulas for node in formula.atoms(sympy.uppergamma)}
    for tail in tails:
        shape = tail
        while not (shape.is_zero or shape.is_positive or shape in shapes):
            above = sympy.expand(shape + 1)
            yield f"next_tail {atomic(shape)} {atomic(above)}."
            if shape.is_Integer:
                yield f"inverse_power {atomic(shape)} {-shape}%nat."
            elif (2 * shape).is_Integer:
                yield f"inverse_root {atomic(shape)} {-2 * shape}%nat."
            shape = above
        if shape.is_zero:
            yield "try change (tail_gamma 0) with exponential_integral."
        elif shape.is_positive:
            yield f"positive_tail {atomic(shape)}."
