"""Where a long expression is broken into lines."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Add, Expr, Mul

from costderive.publish.formulas.drawn import DRAWN, in_parentheses
from costderive.publish.formulas.formula import Formula, Row
from costderive.publish.formulas.layout import layout
from costderive.publish.formulas.nodes import Fraction, Node, Product, Sum
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.shorter import shorter
from costderive.publish.formulas.width import width, width_of

START = Row((Row(()),))  # of a line that continues: what follows is no sign of a number


def broken(expr: Expr, limit: float) -> list[Row]:
    """Return an expression in lines that are at most about ``limit`` digits wide.

    A sum breaks before its signs; a fraction whose numerator is too long becomes a factor before a bracket.
    """
    expr = shorter(expr)
    node = layout(expr)
    if width_of(node) <= limit:
        return [DRAWN.draw(node)]
    if isinstance(node, Sum) and len(node.terms) > 1:
        return _packed(node.terms, limit)
    if isinstance(node, Product) and isinstance(node.factors[0], Fraction):
        first, *others = node.factors
        products = (DRAWN.draw(Product(line)) for line in _filled(others, limit))
        return [DRAWN.draw(first), *(read(r"{} \times {}", START, product) for product in products)]
    return _factor_and_bracket(expr, limit)


def _filled(factors: list[Node], limit: float) -> Iterator[tuple[Node, ...]]:
    """Yield as many factors for each line as there is room for."""
    line: tuple[Node, ...] = ()
    for factor in factors:
        if line and width_of(Product((*line, factor))) > limit:
            yield line
            line = ()
        line = (*line, factor)
    yield line


def _factor_and_bracket(expr: Expr, limit: float) -> list[Row]:
    factors = Mul.make_args(expr)
    long = max((x for x in factors if isinstance(x, Add)), key=width, default=None)
    if long is None or len(factors) == 1:
        return [DRAWN.expression(expr)]
    rest = Mul(*[x for x in factors if x != long])
    room, head = limit - width(rest) - 3, DRAWN.expression(rest)
    if max(map(width, long.args)) > room:  # the factor takes a line of its own
        return [head, *_bracketed(read(r"{} \times ", START), broken(long, limit - 6))]
    lines = broken(long, room)
    if len(lines) == 1:
        return [read("{} {}", head, in_parentheses(lines[0]))]
    return _bracketed(read("{} ", head), lines)


def _bracketed(before: Row, lines: list[Row]) -> list[Row]:
    """Put lines in large parentheses, with something before them."""
    *others, last = [read(r"{}\Bigl({}", before, lines[0]), *lines[1:]]
    return [*others, read(r"{}\Bigr)", last)]


def _packed(parts: tuple[tuple[bool, Node], ...], limit: float) -> list[Row]:
    """Put as many terms on a line as there is room for; a line that continues starts with a sign."""
    lines: list[list[Formula]] = [[]]
    room = limit
    for negative, part in parts:
        wide = width_of(part) + 2.3
        if wide > room and lines[-1]:
            lines.append([*START.parts])
            room = limit
        lines[-1] += DRAWN.term(negative, part, first=not lines[-1])
        room -= wide
    return [Row(tuple(line)) for line in lines]
