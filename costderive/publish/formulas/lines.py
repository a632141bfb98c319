"""Where a long expression is broken into lines."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.publish.formulas.drawing import called
from costderive.publish.formulas.drawn import DRAWN, in_parentheses
from costderive.publish.formulas.formula import Formula, Row
from costderive.publish.formulas.layout import layout
from costderive.publish.formulas.nodes import Call, Definite, Fraction, Leaf, Node, Product, Sum
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.width import width_of

START = Row((Row(()),))  # of a line that continues: what follows is no sign of a number
INDENT, SIGN = 6, 2.3
ONE = Leaf(sympy.S.One)


def broken(expr: Expr, limit: float) -> list[Row]:
    """Return an expression in lines that are at most about ``limit`` digits wide.

    A sum breaks before its signs, and a product before a factor; what is too long for a line stands in a bracket behind
    the other factors, be it a factor above a bar, the argument of a function or what is integrated.
    """
    return _lines(layout(expr), limit)


def _lines(node: Node, limit: float) -> list[Row]:
    if width_of(node) <= limit:
        return [DRAWN.draw(node)]
    match node:
        case Sum(terms=terms):
            return _packed(terms, limit)
        case Product(factors=(Fraction() as first, *others)):
            filled = list(_filled(others, limit))
            if width_of(first) <= limit and all(width_of(line) <= limit for line in filled):
                return [
                    DRAWN.draw(first),
                    *(read(r"{} \times {}", START, DRAWN.draw(line)) for line in filled),
                ]
        case Definite():
            return _integral(DRAWN.bounds(node), node.body, DRAWN.draw(node.variable), limit)
    return _factor_and_bracket(node, limit)


def _filled(factors: list[Node], limit: float) -> Iterator[Product]:
    """Yield products of as many factors as a line has room for."""
    line: tuple[Node, ...] = ()
    for factor in factors:
        if line and width_of(Product((*line, factor))) > limit:
            yield Product(line)
            line = ()
        line = (*line, factor)
    yield Product(line)


def _factor_and_bracket(node: Node, limit: float) -> list[Row]:
    """Break a product in its longest factor, with the others before that."""
    factors = _factors(node)
    long = max((x for x in factors if _is_open(x)), key=width_of, default=None)
    if long is None:
        return [DRAWN.draw(node)]
    head, width = _head(node, [x for x in factors if x is not long])
    inside, name = _opened(long)
    room = limit - width - 3
    if head.parts and _start(inside) > room:  # the factor takes a line of its own
        times = read(r"{} \times {}", START, name)
        return [head, *_bracketed(times, _lines(inside, limit - INDENT))]
    lines = _packed(inside.terms, limit - INDENT, room) if isinstance(inside, Sum) else _lines(inside, room)
    before = read("{} {}", head, name) if head.parts else name
    return [read("{}{}", before, in_parentheses(lines[0]))] if len(lines) == 1 else _bracketed(before, lines)


def _factors(node: Node) -> tuple[Node, ...]:
    """The factors of a product, or of what stands above a bar."""
    if isinstance(node, Fraction):
        return _factors(node.top)
    if not isinstance(node, Product):
        return (node,)
    first, *others = node.factors
    return (*_factors(first), *others) if isinstance(first, Fraction) else node.factors


def _head(node: Node, rest: list[Node]) -> tuple[Row, float]:
    """Draw what is left of a product if one factor is taken out, with its width."""
    first = node.factors[0] if isinstance(node, Product) else node
    if not isinstance(first, Fraction):
        kept = Product(tuple(rest)) if rest else None
    else:
        above = [x for x in rest if x in _factors(first)]
        beside = [x for x in rest if x not in above]
        top = Product(tuple(above)) if above else ONE
        kept = Product((Fraction(top, first.bottom), *beside))
    return (DRAWN.draw(kept), width_of(kept)) if kept else (Row(()), 0)


def _is_open(node: Node) -> bool:
    """May lines break inside a factor?"""
    return isinstance(node, Sum) or (isinstance(node, Call) and len(called(node)[2]) == 1)


def _opened(node: Node) -> tuple[Node, Row]:
    """Return what is in the parentheses of a factor, and the name of a function before them."""
    return (called(node)[2][0], DRAWN.name(node)) if isinstance(node, Call) else (node, Row(()))


def _start(node: Node) -> float:
    """Return the width of what cannot be broken without a bracket where a factor starts."""
    return width_of(node.terms[0][1]) if isinstance(node, Sum) else width_of(node)


def integral(sign: Row, body: Expr, variable: Row, limit: float) -> list[Row]:
    """Return an integral in lines; ``sign`` is that of the integral, with what is below and above it."""
    return _integral(sign, layout(body), variable, limit)


def _integral(sign: Row, body: Node, variable: Row, limit: float) -> list[Row]:
    """Break what is integrated, in a bracket if it is a sum."""
    lines = _term(body, limit - INDENT)
    lines[0] = read("{} {}", sign, lines[0])
    return [*lines[:-1], read(r"{} \, d{}", lines[-1], variable)]


def _bracketed(before: Row, lines: list[Row]) -> list[Row]:
    """Put lines in large parentheses, with something before them; lines after the first are set in."""
    *others, last = [read(r"{}\Bigl({}", before, lines[0]), *(read(r"\quad {}", line) for line in lines[1:])]
    return [*others, read(r"{}\Bigr)", last)]


def _packed(parts: tuple[tuple[bool, Node], ...], limit: float, room: float | None = None) -> list[Row]:
    """Put as many terms on a line as there is room for, on the first perhaps less; a line starts with a sign."""
    lines: list[list[Formula]] = [[]]
    room = limit if room is None else room
    for negative, part in parts:
        wide = width_of(part) + SIGN
        if wide > room and lines[-1]:
            lines.append([*START.parts])
            room = limit
        first, *others = _term(part, limit - SIGN)
        lines[-1] += [*DRAWN.before(negative, first=not lines[-1]), *first.parts]
        lines += [[*line.parts] for line in others]
        room = 0 if others else room - wide
    return [Row(tuple(line)) for line in lines]


def _term(node: Node, limit: float) -> list[Row]:
    if not isinstance(node, Sum):
        return _lines(node, limit)
    lines = _lines(node, limit - SIGN)
    return [in_parentheses(lines[0])] if len(lines) == 1 else _bracketed(Row(()), lines)
