"""Reading a pair of losses: SymPy expressions, Piecewise or text in ``p`` become pieces and values.

Text writes one expression, or several as ``"0 if p <= 1/2; 1"``: the first whose condition holds counts.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Piecewise, Symbol
from sympy.core.relational import Relational

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import RESERVED, p
from costderive.core.time_limit import within
from costderive.costs.assumed_facts import ASSUME, assume, facts_of
from costderive.costs.cut_points import gaps, turns
from costderive.deciders.conditions import UnsettledError, settled
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.sample_points import points
from costderive.deciders.signs import nonnegative
from costderive.rules.loss_pair import LossPair, Value

ZERO, ONE = sympy.S.Zero, sympy.S.One
PIECED = (sympy.Abs, sympy.Max, sympy.Min, sympy.Heaviside, sympy.sign)
SIMPLE = tuple(sympy.Rational(k, n) for n in range(2, 6) for k in range(1, n))
LIMIT_SECONDS = 10.0
MAX_BREAKS, MAX_PARTS, MAX_EXPONENT = 30, 40, 10_000
_CONDITION = r"\s*{}\s*(<=|>=|<|>|==?)\s*(.*)"
_at_p = sympy.Symbol(
    "_p", real=True
)  # p in conditions: of a positive symbol, SymPy would say that it is not 0
_COMPARED = {"<=": sympy.Le, ">=": sympy.Ge, "<": sympy.Lt, ">": sympy.Gt, "=": sympy.Eq, "==": sympy.Eq}


def pair_of(loss0: Any, loss1: Any, assuming: Any = ()) -> LossPair:
    """Read the losses of class 0 and of class 1 as a pair.

    A letter other than ``p`` is a positive parameter, of which ``assuming`` says more (`facts_of`); a breakpoint with
    letters that may lie between 0 and 1 is taken to lie there, which is stated. A loss that has no value at 0 or at 1
    has its limit there. SymPy drops conditions such as ``p <= 0`` on a positive symbol, the package's p among them,
    before they can be read: write them as text, or with ``sympy.Symbol("p")``.

    Raises:
        SpecError: if a loss is not a real function of p on [0, 1], finite inside, or a condition is not decided.
    """
    first, second = _read(loss0, "loss0"), _read(loss1, "loss1")
    _require_report(first, second)
    assumed, breaks = _breaks(first, second, known=facts_of(assuming))
    given = Given().also(positive=assumed)
    cells = [Interval(p, low, high) for low, high in pairwise(breaks)]
    pieces = [
        [_cell(loss, on, given, name) for on in cells] for loss, name in ((first, "loss0"), (second, "loss1"))
    ]
    values = tuple(_value(first, second, point, given) for point in breaks)
    return LossPair(Pieces(p, tuple(pieces[0])), Pieces(p, tuple(pieces[1])), values, given.positive)


def function_of(
    value: Any, letter: Symbol, place: str, also: tuple[Expr, ...] = (), known: tuple[Expr, ...] = ()
) -> tuple[Pieces, tuple[Expr, ...]]:
    """Read a function of one letter on (0, 1) in pieces, with breakpoints at some more places.

    ``known`` are expressions in the parameters that are positive.

    Returns the function, and what is assumed of the parameters: expressions that are positive.

    Raises:
        SpecError: if it is not a real function, finite inside, or its pieces cannot be separated.
    """
    expr = _read(value, place, letter)
    assumed, breaks = _breaks(expr, expr, also, known)
    given = Given().also(positive=assumed)
    cells = [Interval(p, low, high) for low, high in pairwise(breaks)]
    pieces = [_cell(expr, on, given, place) for on in cells]
    return Pieces(letter, tuple(piece.map(lambda x: x.subs(p, letter)) for piece in pieces)), assumed


# ---- expressions


def _read(value: Any, place: str, letter: Symbol = p) -> Expr:
    """Return a function of a letter as an expression in p; conditions of a ``Piecewise`` are on ``_at_p``."""
    if isinstance(value, Expr) and letter != p:
        value = _in_p(value, letter, place)
    expr = _text(value, place, letter) if isinstance(value, str) else _by_cases(value, place)
    strangers = sorted(s.name for s in expr.free_symbols - {p} if s.name in RESERVED)
    if strangers:
        raise SpecError(
            f"{place} = {expr} has the reserved letter {strangers[0]}", f"Write a function of {letter}."
        )
    if expr.is_infinite:
        raise SpecError(f"{place} = {expr} is not finite", "It may be infinite at 0 or at 1 alone.")
    _require_moderate_powers(expr, place)
    return sympy.piecewise_fold(expr)


def _require_moderate_powers(expr: Expr, place: str) -> None:
    """Refuse exponents whose powers of a number would fill the memory."""
    exponents = [power.exp for power in expr.atoms(sympy.Pow) if power.exp.is_Rational]
    largest = max(exponents, key=abs, default=ZERO)
    if abs(largest) > MAX_EXPONENT:
        raise SpecError(
            f"{place} has the exponent {sympy.Float(largest, 3)}",
            f"Exponents are at most {MAX_EXPONENT} in size.",
        )


def _in_p(value: Expr, letter: Symbol, place: str) -> Expr:
    """Put p for the letter, whatever is assumed of the symbol of that name."""
    if any(symbol.name == p.name for symbol in value.free_symbols):
        raise SpecError(f"{place} = {value} has the reserved letter p", f"Write a function of {letter}.")
    return value.xreplace({symbol: p for symbol in value.free_symbols if symbol.name == letter.name})


def _text(text: str, place: str, letter: Symbol) -> Expr:
    parts = text.split(";")
    if len(parts) > MAX_PARTS:
        raise SpecError(f"{place} has {len(parts)} pieces", f"A loss has at most {MAX_PARTS}.")
    branches = [_branch(part, place, letter) for part in parts]
    if any(condition == True for _, condition in branches[:-1]):  # noqa: E712
        raise SpecError(
            f'{place} = "{text[:60]}" has a piece for all {letter} before its last',
            f"Write 0 if {letter} <= 1/2; 1.",
        )
    return branches[0][0] if branches[0][1] == True else Piecewise(*branches)  # noqa: E712


def _branch(part: str, place: str, letter: Symbol) -> tuple[Expr, sympy.Basic]:
    text, _, condition = part.partition(" if ")
    expr = _by_cases(parse(text, place=place, names={letter.name: p}), place)
    if not condition:
        return expr, sympy.true
    found = re.fullmatch(_CONDITION.format(letter), condition, re.DOTALL)
    if found is None:
        raise SpecError(
            f'{place}: "{condition[:60]}" is not a condition',
            f"Write {letter} <= 1/2, {letter} < 1/2 or {letter} = 1/2.",
        )
    return expr, _COMPARED[found[1]](_at_p, parse(found[2], place=place))


def _by_cases(value: Any, place: str) -> Expr:
    """Read an expression, with absolute values, maxima and steps written by cases."""
    if not isinstance(value, Expr) or not value.has(Piecewise, *PIECED):
        return exact(value, place=place)
    folded = sympy.piecewise_fold(_real(value).replace(_is_pieced, lambda node: node.rewrite(Piecewise)))
    if not isinstance(folded, Piecewise):
        return exact(folded, place=place)
    return Piecewise(*[(_by_cases(branch, place), _condition(on, place)) for branch, on in folded.args])


def _real(value: Expr) -> Expr:
    """Return an expression of real letters: SymPy does not write the sign of a complex one by cases.

    Of a positive p it would drop the case ``p = 0``.
    """
    unreal = {x for x in value.free_symbols if x.is_real is None or x.name == p.name}
    return value.xreplace({x: sympy.Symbol(x.name, real=True) for x in unreal})


def _is_pieced(node: Any) -> bool:
    return isinstance(node, PIECED)


def _condition(condition: sympy.Basic, place: str) -> sympy.Basic:
    relations = {relation: _relation(relation, place) for relation in condition.atoms(Relational)}
    return condition.xreplace(relations)


def _relation(relation: Relational, place: str) -> sympy.Basic:
    if not all(isinstance(side, Expr) for side in relation.args):
        raise SpecError(
            f"{place}: {relation} is not a relation of numbers", "Write conditions such as p <= 1/2."
        )
    gap = relation.lhs - relation.rhs
    if not gap.has(Piecewise):
        return relation.func(exact(gap, place=f"{place}: a condition").xreplace({p: _at_p}), ZERO)
    cases, before = list[sympy.Basic](), sympy.true
    for value, condition in sympy.piecewise_fold(gap).args:
        cases.append(sympy.And(before, condition, relation.func(value, ZERO)))
        before = sympy.And(before, sympy.Not(condition))
    return _condition(sympy.Or(*cases), place)


def _require_report(first: Expr, second: Expr) -> None:
    """Refuse losses with letters but without p: another letter was meant to be the report."""
    letters = first.free_symbols | second.free_symbols
    if letters and not letters & {p, _at_p}:
        problem = f"the losses {first} and {second} do not depend on p"
        raise SpecError(problem, "The predicted probability of class 1 is called p.")


# ---- breakpoints


def _breaks(
    first: Expr, second: Expr, also: tuple[Expr, ...] = (), known: tuple[Expr, ...] = ()
) -> tuple[tuple[Expr, ...], list[Expr]]:
    """Return what is assumed of symbolic breakpoints, and all breakpoints in order, 0 and 1 among them."""
    given = Given().also(positive=known)
    found = dict.fromkeys(gap.xreplace({_at_p: p}) for expr in (first, second) for gap in gaps(expr))
    roots = dict.fromkeys(root for gap in found if gap.has(p) for root in turns(gap, p))
    inner = list(dict.fromkeys([*[root for root in roots if not _outside(root, given)], *also]))
    if len(inner) > MAX_BREAKS:
        raise SpecError(f"the losses have {len(inner)} breakpoints", f"At most {MAX_BREAKS} can be examined.")
    facts = tuple(fact for root in inner if root.free_symbols for fact in (root, 1 - root))
    given = given.also(positive=facts)
    if not points(set(), None, given):
        raise SpecError(
            f"no values were found for which {given.positive} are positive",
            "Are all breakpoints in (0, 1), and what is assumed?",
        )
    try:
        return given.positive, ascending([ZERO, *inner, ONE], given)
    except Undecided as unknown:
        raise SpecError(
            f"the order of the breakpoints depends on {unknown.fact}", assume(unknown.fact)
        ) from None


def _outside(root: Expr, given: Given) -> bool:
    """Return whether a point is certainly not inside (0, 1)."""
    beyond = nonnegative(-root, None, given) or nonnegative(root - 1, None, given)
    return root.is_real is False or bool(beyond)


# ---- pieces and values


def _cell(expr: Expr, on: Interval, given: Given, place: str) -> Piece:
    value = _settled(expr.xreplace({_at_p: p}), on, given, place)
    for point in [*points(value.free_symbols, on, given)[:3], *_simple(value, on)]:
        _check(value.subs(point), f"{place} = {value} at p = {point[p]}")
    return Piece(on.low, on.high, value)


def _simple(value: Expr, on: Interval) -> list[dict[Expr, Expr]]:
    """Return the points at which a pole would most likely be, if there are no parameters."""
    if value.free_symbols != {p} or on.low.free_symbols | on.high.free_symbols:
        return []
    return [{p: x} for x in SIMPLE if (x - on.low).is_positive and (on.high - x).is_positive]


def _check(number: Expr, shown: str) -> None:
    if number.is_real is False or number.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I):
        raise SpecError(f"{shown} is not a real number", "A loss is real and finite inside (0, 1).")


def _value(first: Expr, second: Expr, point: Expr, given: Given) -> Value:
    return Value(point, _at(first, point, given, "loss0"), _at(second, point, given, "loss1"))


def _at(expr: Expr, point: Expr, given: Given, place: str) -> Expr:
    branch = _settled(expr.xreplace({_at_p: point}), None, given, place)
    value = branch.subs(p, point)
    if value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        value = _limit(branch, point, given) if point in (ZERO, ONE) else None
    if value is None or (value.is_real is False and value is not sympy.oo):
        shown = "no value" if value is None else f"the value {value}"
        raise SpecError(
            f"{place} = {expr} has {shown} at p = {point}", "A loss is real; at 0 and 1 it may be oo."
        )
    return value


def _limit(branch: Expr, point: Expr, given: Given) -> Expr | None:
    """Return the limit at an end; what SymPy finds is only a value to try, on which claims are decided later."""
    side = "+" if point == 0 else "-"
    found = value_at(branch, Approach(p, point, side), given)
    if found is not None:
        return found
    try:
        found = within(LIMIT_SECONDS, sympy.limit, branch, p, point, side)
    except Exception:  # SymPy fails in many ways on limits: then there is none that could be found
        return None
    return (
        found
        if isinstance(found, Expr) and not found.has(sympy.Limit, sympy.AccumBounds, sympy.nan)
        else None
    )


def _settled(expr: Expr, on: Interval | None, given: Given, place: str) -> Expr:
    """Return what a function is on a cell, where each condition has one truth, or at a point."""
    try:
        value = settled(expr, on, given)
    except UnsettledError as problem:
        where = "" if on is None else f" for {on.low} < p < {on.high}"
        raise SpecError(f"{place} = {expr} depends on whether {problem.condition}{where}", ASSUME) from None
    if value.has(sympy.nan):
        remedy = "Give the last piece the condition True."
        raise SpecError(f"{place} = {expr} is not defined on all of [0, 1]", remedy)
    return value
