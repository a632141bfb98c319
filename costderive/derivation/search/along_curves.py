"""The losses of costs on a curve, integrated over the curve's own parameter, of which no formula is needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Integral, Symbol

from costderive.core.curve_parameters import CurveParameter
from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import in_plain_functions
from costderive.core.time_limit import within
from costderive.deciders.in_parameters import moving, variable_at
from costderive.derivation.integration.search import Deadline, antiderivative, proved
from costderive.derivation.search.antiderived import line_candidates

SHARE_SECONDS = 3.0


def along_curves(density: Expr, factor: Expr, on: Interval, given: Given, deadline: Deadline) -> Expr | None:
    """Return an antiderivative of ``factor`` times a density with parameters of curves, ``None`` if none is found.

    What belongs to one curve is integrated over its parameter, or stays an integral over it.
    """
    parts = defaultdict[tuple[CurveParameter, ...], Expr](lambda: sympy.S.Zero)
    for term in Add.make_args(density):
        parts[moving(term, on.variable)] += factor * term
    found = [_part(curves, part, on, given, deadline) for curves, part in parts.items()]
    return None if None in found else Add(*found)


def _part(
    curves: tuple[CurveParameter, ...], part: Expr, on: Interval, given: Given, deadline: Deadline
) -> Expr | None:
    if not curves:
        return antiderivative(part, on, given, deadline)
    return _along(curves[0], part, on.variable, given, deadline) if len(curves) == 1 else None


def _along(node: CurveParameter, part: Expr, variable: Symbol, given: Given, deadline: Deadline) -> Expr:
    curve, x = node.stretch, node.stretch.variable
    at = variable_at(node, variable, x)
    sign = 1 if node.proportion == variable else -1
    speed = sign * curve.turning / (curve.c0 + curve.c1) ** 2
    integrand = _shorter(part.xreplace({node: x}).subs(variable, at) * speed, deadline)
    inside = Interval(x, curve.low, curve.high)
    for candidate in line_candidates(integrand, inside, given, deadline):
        found = candidate() if deadline.left else None
        if found is None or found.has(Integral, sympy.I, sympy.Piecewise):
            continue
        if proved(found, integrand, inside, given, deadline):
            return found.xreplace({x: node})
    rises = curve.direction == sign
    return Integral(integrand, (x, curve.low, node)) if rises else Integral(-integrand, (x, node, curve.high))


def _shorter(expr: Expr, deadline: Deadline) -> Expr:
    """Return the first writing that is shorter: factors that cancel leave logarithms as they are."""
    size = sympy.count_ops(expr)
    return next((found for found in _rewritten(expr, deadline) if sympy.count_ops(found) < size), expr)


def _rewritten(expr: Expr, deadline: Deadline) -> Iterator[Expr]:
    for rewrite in (sympy.factor, sympy.simplify):
        try:
            found = within(min(SHARE_SECONDS, deadline.left), rewrite, expr)
            yield in_plain_functions(found)
        except Exception:  # whatever a search does, nothing is found then
            continue
