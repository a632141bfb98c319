"""Displays of piecewise functions, regions and facts about parameters, in the notation of formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise, zip_longest

import sympy
from sympy import Add, Expr, Symbol
from sympy.core.relational import Relational

from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import c0, c1, p
from costderive.deciders.identities import zero
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import Part, broken, chain, formula, latex
from costderive.publish.formulas.shorter import multiplied_out
from costderive.publish.formulas.turned import turned
from costderive.publish.words.conics import ellipse
from costderive.publish.words.document_blocks import Block, Display, by_cases, displayed, ended
from costderive.publish.words.long_values import Names
from costderive.rules import odds_form

NOTHING = Names()
FEW = 2  # intervals that are listed
LINE = 76.0  # what a line of text holds, in digits
_TURNED = {"<": ">", r"\le": r"\ge", r"\ne": r"\ne"}


def definitions(named: Names) -> Block:
    """Say what the names stand for."""
    *others, final = [list(equation(name, value)) for name, value in named.defined]
    for rows in others:
        left, right = rows[-1]
        rows[-1] = left, ended(right, ",")
    return displayed(cells for rows in (*others, final) for cells in rows)


def equation(left: Part, value: Expr) -> tuple[tuple[Row, Row], ...]:
    """Return the rows of ``left = value``, broken where the line is full."""
    first, *others = broken(multiplied_out(value), LINE - 10)
    return (formula(left), formula("= {}", first)), *continued(others)


def continued(lines: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Return the rows of the lines after the first."""
    return ((Row(()), formula(r"\qquad {}", line)) for line in lines)


def equal(left: Part, value: Expr) -> Display:
    """Display ``left = value``."""
    return displayed(equation(left, value))


def function(
    left: Part, pieces: Pieces, named: Names = NOTHING, given: Given = Given(), *, closed: bool = False
) -> Block:
    """Display a function by its pieces; ``closed`` says to which piece each end belongs."""
    pieces = Pieces(pieces.variable, tuple(_merged(pieces)))
    values = [
        turned(named.short(piece.value, pieces.variable), pieces.interval(piece), given) for piece in pieces
    ]
    if len(values) == 1:
        return equal(left, values[0])
    rows = [
        (named.written.get(piece.value, value), interval(piece, pieces.variable, closed=closed))
        for piece, value in zip(pieces, values, strict=True)
    ]
    return by_cases(left, rows if closed else _zero_last(rows, pieces))


def on_open_interval(left: Part, pieces: Pieces, given: Given) -> Block:
    """Display a function on an open interval; one that has values at its breakpoints gets them from the left."""
    if not has_values(pieces, given):
        return function(left, pieces, given=given)
    merged = Pieces(pieces.variable, tuple(_merged(pieces)))
    values = [turned(piece.value, merged.interval(piece), given) for piece in merged]
    if len(values) == 1:
        return equal(left, values[0])
    inner = [_with_upper_end(piece, merged.variable) for piece in merged.pieces[:-1]]
    last = interval(merged.pieces[-1], merged.variable)
    return by_cases(left, _zero_last([*zip(values, (*inner, last), strict=True)], merged))


def _with_upper_end(piece: Piece, variable: Symbol) -> Row:
    return chain(" ", (piece.low, "<", variable, r"\le", piece.high))


def has_values(pieces: Pieces, given: Given) -> bool:
    """Return whether a density may be said to have the values of its formulas at its inner breakpoints.

    One that is nowhere 0 may have that on the left there, and one that is continuous has both.
    """
    if without_value(pieces):
        return False
    return all(piece.value != 0 for piece in pieces) or continuous(pieces, given)


def continuous(pieces: Pieces, given: Given) -> bool:
    """Return whether the formulas on both sides of each inner breakpoint have surely the same value there."""
    values = (
        [side.value.subs(pieces.variable, left.high) for side in (left, right)]
        for left, right in pairwise(pieces)
        if left.value != right.value
    )
    return not without_value(pieces) and all(zero(first - second, None, given) for first, second in values)


def _merged(pieces: Pieces) -> Iterator[Piece]:
    """Join neighbours that are written the same (an atom may part them)."""
    for value, group in groupby(pieces, key=lambda piece: piece.value):
        members = list(group)
        yield Piece(members[0].low, members[-1].high, value)


def _zero_last(rows: Sequence[tuple[Part, Part]], pieces: Pieces) -> Sequence[tuple[Part, Part]]:
    """Gather the pieces where a function vanishes: few are listed, as it need not vanish at their ends."""
    kept = [cells for cells, piece in zip(rows, pieces, strict=True) if piece.value != 0]
    zeros = [where for (_, where), piece in zip(rows, pieces, strict=True) if piece.value == 0]
    if not kept or not zeros:
        return rows
    return [*kept, (0, chain(r" \text{ or } ", zeros) if len(zeros) <= FEW else "")]


def interval(piece: Piece, variable: Symbol, *, closed: bool = False) -> Row:
    """Write the interval of a piece; a closed one has its upper end, and 0."""
    below = r"\le" if closed and piece.low == 0 else "<"
    return chain(" ", (piece.low, below, variable, r"\le" if closed else "<", piece.high))


def without_value(pieces: Pieces, *, ends: bool = False) -> list[Expr]:
    """Return the inner breakpoints, or with ``ends`` also 0 and 1, where the formula is not defined: it has a limit.

    At a breakpoint it is that on the left.
    """
    first, last = pieces.pieces[0], pieces.pieces[-1]
    places = [*zip(pieces.breaks, pieces, strict=False)]
    places = [(sympy.S.Zero, first), *places, (sympy.S.One, last)] if ends else places
    values = ((at, piece.value.subs(pieces.variable, at)) for at, piece in places)
    return [at for at, value in values if value.is_infinite or value.has(sympy.nan, sympy.zoo)]


def inequality(fact: Expr, sign: str) -> Row:
    """Write that a fact is positive (sign ``<``) or not negative (``\\le``), without minus signs if possible.

    The side that comes first in the alphabet stands on the left, so that a fact and its opposite look alike.
    """
    less, more = sides(fact)
    turned = (less.is_number, latex(less)) > (more.is_number, latex(more))
    return formula("{} {} {}", *((more, _TURNED[sign], less) if turned else (less, sign, more)))


def positive(fact: Expr) -> Row:
    """Write that a fact is positive with the smaller side on the left, but a number on the right."""
    less, more = sides(fact)
    return formula("{} > {}", more, less) if less.is_number else formula("{} < {}", less, more)


def sides(fact: Expr) -> tuple[Expr, Expr]:
    """Return what is subtracted in a fact and what it is subtracted from."""
    parts = Add.make_args(fact)
    less = [x for x in parts if x.as_coeff_Mul()[0].is_negative]
    return -Add(*less), Add(*[x for x in parts if x not in less])


def condition(given: Given) -> Row:
    """Write what sets a case apart from the others: the order of its breakpoints, or where a letter is."""
    return chain(r" \text{ and } ", [_relation(x) for x in given.relations()])


def _relation(relation: Relational) -> Row:
    if isinstance(relation, sympy.Eq):
        return formula("{} = {}", relation.lhs, relation.rhs)
    strict = isinstance(relation, (sympy.StrictGreaterThan, sympy.StrictLessThan))
    return inequality(relation.gts - relation.lts, "<" if strict else r"\le")


def region(constraints: tuple[Expr, ...]) -> list[Row]:
    """Write constraints (each at least 0) as inequalities, both bounds of one quantity as a chain."""
    lower: dict[Expr, list[Expr]] = {}
    upper: dict[Expr, list[Expr]] = {}
    mixed = []
    for constraint in constraints:
        number, quantity = constraint.as_independent(c0, c1, as_Add=True)
        taken, kept = sides(quantity)
        whole = ellipse(constraint)
        if whole is not None and whole.centre != (0, 0):
            mixed.append(whole.inequality)
        elif taken == 0:
            lower.setdefault(kept, []).append(-number)
        elif kept == 0:
            upper.setdefault(taken, []).append(number)
        else:
            mixed.append(chain(r" \le ", sides(constraint)))
    lower = {x: _sharpest(low, max) for x, low in lower.items()}
    upper = {x: _sharpest(high, min) for x, high in upper.items()}
    quantities = dict.fromkeys([*lower, *upper])
    chains = [
        _chain(x, low, high)
        for x in quantities
        for low, high in zip_longest(lower.get(x, []), upper.get(x, []))
    ]
    return [*chains, *mixed]


def _sharpest(bounds: list[Expr], choose: Callable[[list[Expr]], Expr]) -> list[Expr]:
    """Return the one of several bounds that counts, if all are numbers."""
    return [choose(bounds)] if all(x.is_Rational for x in bounds) else bounds


def _chain(quantity: Expr, low: Expr | None, high: Expr | None) -> Row:
    if high is None:
        return chain(r" \ge ", (quantity, low))
    return chain(r" \le ", (quantity, high) if low is None else (low, quantity, high))


def slope(density: Pieces, factor: Expr, given: Given) -> Pieces:
    """Return a density times a factor, in ``p``, as a product even if the value is a number."""
    return Pieces(
        p, density.map(lambda value: _product(factor, value.subs(density.variable, p), given)).pieces
    )


def _product(factor: Expr, value: Expr, given: Given) -> Expr:
    if value.is_number and value != 0:
        sign = -1 if factor.subs(p, 0).is_negative else 1  # 1 - p is written, not p - 1
        return sympy.Mul(sign * value, sign * factor, evaluate=False)
    plain = value * factor
    forms = [odds_form.product(plain, p, given)] if plain.is_rational_function() else []
    if isinstance(value, Add):  # term by term, as the density is written, unless one product is shorter
        by_terms = Add(*[_product(factor, term, given) for term in value.args], evaluate=False)
        return min((by_terms, *forms), key=sympy.count_ops)
    return min((plain, *forms), key=sympy.count_ops)
