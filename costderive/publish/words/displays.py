"""Displays of piecewise functions, regions and facts about parameters, in the notation of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, zip_longest

import sympy
from sympy import Add, Expr, Symbol

from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import c0, c1, p
from costderive.publish.formulas.drawn import BLANK
from costderive.publish.formulas.formula import Row, Sign, Space, row
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.printing import broken, drawn, latex, width
from costderive.publish.words.document_blocks import Block, Display, Maths, Prose, by_cases, displayed
from costderive.rules import odds_form

Names = Mapping[Expr, str]

LINE = 76.0  # what a line of text holds, in digits
VALUE = 46.0  # what a value in a display by cases may take of it
_TURNED = {"<": ">", r"\le": r"\ge", r"\ne": r"\ne"}


def names(functions: Iterable[Pieces]) -> Names:
    """Name the values that are too long for a display by cases: ``\\ell_1(p)``, ``\\ell_2(p)``, ..."""
    by_cases = [function for function in functions if function.breaks]
    long = [piece.value for function in by_cases for piece in function if width(piece.value) > VALUE]
    different = list(dict.fromkeys(long))
    if len(different) == 1:
        return {different[0]: r"\ell(p)"}
    return {value: rf"\ell_{{{index}}}(p)" for index, value in enumerate(different, 1)}


def definitions(named: Names) -> Block:
    """Say what the names stand for."""
    return displayed(cells for value, name in named.items() for cells in equation(name, value))


def equation(left: str, value: Expr) -> tuple[tuple[Row, Row], ...]:
    """Return the rows of ``left = value``, broken where the line is full."""
    first, *others = broken(value, LINE - 10)
    return (read(left), row(Sign("="), BLANK, first)), *continued(others)


def continued(lines: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Return the rows of the lines after the first."""
    return ((Row(()), row(Space(r"\qquad"), BLANK, line)) for line in lines)


def equal(left: str, value: Expr) -> Display:
    """Display ``left = value``."""
    return displayed(equation(left, value))


def function(left: str, pieces: Pieces, named: Names, *, closed: bool = False) -> Block:
    """Display a function by its pieces; ``closed`` says to which piece each end belongs."""
    pieces = Pieces(pieces.variable, tuple(_merged(pieces)))
    if len(pieces.pieces) == 1:
        return equal(left, pieces.pieces[0].value)
    rows = [(_value(piece.value, named), interval(piece, pieces.variable, closed=closed)) for piece in pieces]
    return by_cases(left, rows if closed else _zero_last(rows, pieces))


def _merged(pieces: Pieces) -> Iterator[Piece]:
    """Join neighbours that are written the same (an atom may part them)."""
    for value, group in groupby(pieces, key=lambda piece: piece.value):
        members = list(group)
        yield Piece(members[0].low, members[-1].high, value)


def _value(value: Expr, named: Names) -> Row:
    return read(named[value]) if value in named else drawn(value)


def _zero_last(rows: list[tuple[Row, Row]], pieces: Pieces) -> list[tuple[Row, Row]]:
    """Gather the pieces where a function vanishes."""
    kept = [cells for cells, piece in zip(rows, pieces, strict=True) if piece.value != 0]
    return kept if len(kept) == len(rows) else [*kept, (drawn(sympy.S.Zero), Row(()))]


def interval(piece: Piece, variable: Symbol, *, closed: bool = False) -> Row:
    """Write the interval of a piece; a closed one has its upper end, and 0."""
    below = r"\le" if closed and piece.low == 0 else "<"
    return related(piece.low, below, variable, r"\le" if closed else "<", piece.high)


def related(*parts: Expr | str) -> Row:
    """Write expressions with signs between them: ``related(p, "<", q)``."""
    first, *others = [Row((Sign(part),)) if isinstance(part, str) else drawn(part) for part in parts]
    return row(first, *[formula for other in others for formula in (BLANK, other)])


def inequality(fact: Expr, sign: str) -> str:
    """Write that a fact is positive (sign ``<``) or not negative (``\\le``), without minus signs if possible.

    The side that comes first in the alphabet stands on the left, so that a fact and its opposite look alike.
    """
    less, more = _sides(fact)
    turned = (less.is_number, latex(less)) > (more.is_number, latex(more))
    return f"{latex(more)} {_TURNED[sign]} {latex(less)}" if turned else f"{latex(less)} {sign} {latex(more)}"


def positive(fact: Expr) -> str:
    """Write that a fact is positive with the smaller side on the left, but a number on the right."""
    less, more = _sides(fact)
    return f"{latex(more)} > {latex(less)}" if less.is_number else f"{latex(less)} < {latex(more)}"


def _sides(fact: Expr) -> tuple[Expr, Expr]:
    """Return what is subtracted in a fact and what it is subtracted from."""
    parts = Add.make_args(fact)
    less = [x for x in parts if x.as_coeff_Mul()[0].is_negative]
    return -Add(*less), Add(*[x for x in parts if x not in less])


def condition(given: Given) -> str:
    """Write what sets a case apart from the others: the order of its breakpoints."""
    return r" \text{ and } ".join(inequality(fact, r"\le") for fact in given.nonnegative)


def region(constraints: tuple[Expr, ...]) -> list[str]:
    """Write constraints (each at least 0) as inequalities, both bounds of one quantity as a chain."""
    lower: dict[Expr, list[str]] = {}
    upper: dict[Expr, list[str]] = {}
    mixed = []
    for constraint in constraints:
        number, quantity = constraint.as_independent(c0, c1, as_Add=True)
        taken, kept = _sides(quantity)
        if taken == 0:
            lower.setdefault(kept, []).append(latex(-number))
        elif kept == 0:
            upper.setdefault(taken, []).append(latex(number))
        else:
            mixed.append(r" \le ".join(map(latex, _sides(constraint))))
    quantities = dict.fromkeys([*lower, *upper])
    chains = [text for x in quantities for text in _chains(x, lower.get(x, []), upper.get(x, []))]
    return [*chains, *mixed]


def _chains(quantity: Expr, lows: list[str], highs: list[str]) -> list[str]:
    return [_chain(latex(quantity), low, high) for low, high in zip_longest(lows, highs)]


def _chain(quantity: str, low: str | None, high: str | None) -> str:
    if high is None:
        return rf"{quantity} \ge {low}"
    return rf"{quantity} \le {high}" if low is None else rf"{low} \le {quantity} \le {high}"


def maths(formula: Expr | Row) -> Prose:
    """Return a formula alone, as in a cell of a table."""
    return (Maths(formula if isinstance(formula, Row) else drawn(formula)),)


def slope(density: Pieces, factor: Expr, given: Given) -> Pieces:
    """Return a density times a factor, in ``p``, as a product even if the value is a number."""
    return Pieces(
        p, density.map(lambda value: _product(factor, value.subs(density.variable, p), given)).pieces
    )


def _product(factor: Expr, value: Expr, given: Given) -> Expr:
    if value.is_number and value != 0:
        return sympy.Mul(value, factor, evaluate=False)
    plain = value * factor
    if not plain.is_rational_function():
        return plain
    return min(plain, odds_form.product(plain, p, given), key=sympy.count_ops)
