"""Where a long expression is broken into lines."""

from __future__ import annotations

from sympy import Add, Expr, Mul

from costderive.publish.formulas.layout import layout
from costderive.publish.formulas.nodes import Node, Sum
from costderive.publish.formulas.tex import TEX, in_parentheses
from costderive.publish.formulas.width import width, width_of


def broken(expr: Expr, limit: float) -> list[str]:
    """Return the LaTeX of an expression in lines that are at most about ``limit`` digits wide.

    A sum breaks before its signs; a fraction whose numerator is too long becomes a factor before a bracket.
    """
    node = layout(expr)
    if width_of(node) <= limit:
        return [TEX.draw(node)]
    if isinstance(node, Sum) and len(node.terms) > 1:
        return _packed(node.terms, limit)
    return _factor_and_bracket(expr, limit)


def _factor_and_bracket(expr: Expr, limit: float) -> list[str]:
    factors = Mul.make_args(expr)
    long = max((x for x in factors if isinstance(x, Add)), key=width, default=None)
    if long is None or len(factors) == 1:
        return [TEX.expression(expr)]
    rest = Mul(*[x for x in factors if x != long])
    room = limit - width(rest) - 3
    if max(map(width, long.args)) > room:  # the factor takes a line of its own
        first, *lines = broken(long, limit - 6)
        head = TEX.expression(rest)
        if not lines:
            return [head, rf"{{}} \times \Bigl({first}\Bigr)"]
        return [head, rf"{{}} \times \Bigl({first}", *lines[:-1], rf"{lines[-1]}\Bigr)"]
    lines = broken(long, room)
    if len(lines) == 1:
        return [f"{TEX.expression(rest)} {in_parentheses(lines[0])}"]
    return [rf"{TEX.expression(rest)} \Bigl({lines[0]}", *lines[1:-1], rf"{lines[-1]}\Bigr)"]


def _packed(parts: tuple[tuple[bool, Node], ...], limit: float) -> list[str]:
    """Put as many terms on a line as there is room for; a line that continues starts with a sign."""
    lines, room = [""], limit
    for negative, part in parts:
        wide = width_of(part) + 2.3
        if wide > room and lines[-1]:
            lines.append("{}")
            room = limit
        sign = "-" if negative else "+" if lines[-1] else ""
        lines[-1] += (f" {sign} " if lines[-1] else sign) + TEX.inside(part, Sum)
        room -= wide
    return lines
