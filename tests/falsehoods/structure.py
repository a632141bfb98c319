"""False claims of kind Same, and derivations whose cases do not cover all values of the letters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import sympy
from sympy import Expr, Symbol

import costderive as cd
from costderive.core.piecewise import Given, Piece, Pieces, Sign
from costderive.core.symbols import parameter
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case, Same
from tests.falsehoods import referee
from tests.falsehoods.material import fraction, functions, letters_where, p, tiny
from tests.falsehoods.statement import Statement, of_claim

M = parameter("m")


def same(draw: Random) -> Statement | None:
    """Two objects that differ: in a number, a sign, an end, the assumptions of a letter, or their type."""
    f, eps = functions(draw, p, 2), tiny(draw)
    low, high = fraction(draw), fraction(draw, 1, 2)
    piece = Piece(low, high, f)
    left, right = draw.choice(
        (
            (f, f + eps),
            (f, -f),
            (p, Symbol("p")),
            (p, Symbol("p", real=True)),
            (piece, replace(piece, low=low + eps)),
            (piece, replace(piece, value=f + eps)),
            (Pieces(p, (piece,)), Pieces(Symbol("p"), (piece,))),
            (1, True),
            (0, False),
            (sympy.S.One, True),
            (sympy.Float(0.5), sympy.S.Half),
            (sympy.Float(1), sympy.S.One),
            (1.0, 1),
            (sympy.oo, sympy.zoo),
            (sympy.oo, float("inf")),
            (Sign.POSITIVE, Sign.NONNEGATIVE),
            ((piece,), [piece]),
            ("1", sympy.S.One),
            (sympy.S.true, True),
            (sympy.S.Zero, sympy.S.false),
            (low, low + eps),
            ((low, high), (high, low)),
            (Given(), Given().also(positive=(M - 1,))),
        )
    )
    differ = (
        type(left) is not type(right)
        or repr(left) != repr(right)
        or sympy.srepr(_plain(left)) != sympy.srepr(_plain(right))
    )
    return (
        of_claim("same", Same("", left, right), f"{left!r} is not {right!r}")
        if differ and left is not right
        else None
    )


def _plain(item: Any) -> Any:
    return item.variable if isinstance(item, Pieces) else item if isinstance(item, Expr) else sympy.S.Zero


@cache
def _derivation() -> Derivation:
    return cd.derive(cd.Additive(budget=M))


def cover(draw: Random) -> Statement | None:
    """Cases under conditions that leave out some values of a letter."""
    whole = _derivation()
    (case,) = whole.cases
    conditions = [_conditions(draw) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.3:
        conditions.append(tuple(-one for one in conditions[0][:-1]) or (M - 1,))
    missed = next(
        (x for x in letters_where(draw, {M}, Given()) if not any(_all_hold(one, x) for one in conditions)),
        None,
    )
    if missed is None:
        return None
    cases = tuple(Case(case.given.also(nonnegative=one), case.steps) for one in conditions)
    shown = " or ".join(" and ".join(f"{fact} >= 0" for fact in one) for one in conditions)
    return Statement(
        "cover",
        "cover",
        shown,
        f"no case holds for {missed}",
        lambda: cd.check(replace(whole, cases=cases)).verdict.name,
    )


def _conditions(draw: Random) -> tuple[Expr, ...]:
    c = fraction(draw, 0, 3)
    facts = (
        M - c,
        c - M,
        M - 1,
        1 - M,
        M - 1 - tiny(draw),
        M**2 - c,
        (M - c) ** 2 - 1,
        -(M**2),
        M - 2 * c,
        -M,
    )
    return tuple(draw.choice(facts) for _ in range(draw.randint(1, 3)))


def _all_hold(facts: tuple[Expr, ...], point: dict[Symbol, Fraction]) -> bool:
    values = [referee.exact(fact, point) for fact in facts]
    return all(value is not None and value >= 0 for value in values)


GENERATORS = (same, cover)
