"""Conditions, decided: a relation, an absolute value, an extreme or a step is settled on an interval, or not at all.

A condition that is not decided is never taken to be true or to be false: `UnsettledError` names it.
"""

from __future__ import annotations

import sympy
from sympy import And, Dummy, Expr, Max, Min, Not, Or, Piecewise, Poly, Rational
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.polys.polyerrors import CoercionFailed, PolynomialError
from sympy.polys.rootoftools import ComplexRootOf

from costderive.core.piecewise import Given, Interval
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive
from costderive.deciders.size import steep

STEPS = (sympy.Abs, sympy.sign, sympy.Heaviside)
CASED = (Piecewise, Max, Min, *STEPS)
SLOPES = 2  # derivatives that are asked for to see that a function runs one way
ZERO = sympy.S.Zero


class UnsettledError(Exception):
    """Whether a condition holds depends on the parameters, or is beyond what can be decided."""

    def __init__(self, condition: sympy.Basic) -> None:
        self.condition = condition
        super().__init__(f"whether {condition} is not decided")


def settled(expr: Expr, on: Interval | None = None, given: Given = Given()) -> Expr:
    """Return what an expression is on an interval, without cases, absolute values, extremes and steps.

    A ``Piecewise`` none of whose conditions holds is ``nan``.

    Raises:
        UnsettledError: if a condition has no one truth on the interval, or it is not found.

    >>> from costderive.symbols import p
    >>> settled(Max(p, 2 - p), Interval(p, sympy.S(0), sympy.S(1)))
    2 - p
    """
    if not (isinstance(expr, Expr) and expr.has(*CASED)):
        return expr
    if isinstance(expr, Piecewise):
        branches = (value for value, condition in expr.args if holds(condition, on, given))
        return settled(next(branches, sympy.nan), on, given)
    args = [settled(arg, on, given) for arg in expr.args]
    if isinstance(expr, Max | Min):
        return _extreme(expr.func, args, on, given)
    return _stepped(expr, args, sign(args[0], on, given)) if isinstance(expr, STEPS) else expr.func(*args)


def _stepped(expr: Expr, args: list[Expr], side: int) -> Expr:
    """Return an absolute value, a sign or a step, of an argument of a known sign."""
    if isinstance(expr, sympy.Abs):
        return side * args[0]
    if isinstance(expr, sympy.sign):
        return sympy.Integer(side)
    return args[1] if side == 0 else sympy.Integer(side > 0)


def _extreme(kind: type[Expr], args: list[Expr], on: Interval | None, given: Given) -> Expr:
    """Return the argument that is at least (at most) every other."""
    kept = args[0]
    for other in args[1:]:
        ahead = holds(Ge(kept, other) if kind is Max else Le(kept, other), on, given)
        kept = kept if ahead else other
    return kept


def holds(condition: sympy.Basic, on: Interval | None = None, given: Given = Given()) -> bool:
    """Return whether a condition holds on all of an interval, or nowhere on it.

    Raises:
        UnsettledError: if neither is decided.
    """
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, Not):
        return not holds(condition.args[0], on, given)
    if isinstance(condition, And | Or):
        return _joined(condition, on, given)
    if isinstance(condition, Relational) and all(isinstance(side, Expr) for side in condition.args):
        sides = [settled(side, on, given) for side in condition.args]
        return _related(condition.func, sides[0] - sides[1], condition, on, given)
    raise UnsettledError(condition)


def _joined(condition: And | Or, on: Interval | None, given: Given) -> bool:
    """One part that is false decides an And, one that is true an Or, whatever is open about the others."""
    decisive, unsettled = isinstance(condition, Or), None
    for part in condition.args:
        try:
            if holds(part, on, given) is decisive:
                return decisive
        except UnsettledError as problem:
            unsettled = problem
    if unsettled is not None:
        raise unsettled
    return not decisive


def _related(kind: type[Relational], gap: Expr, shown: Relational, on: Interval | None, given: Given) -> bool:
    """Decide ``gap > 0``, ``gap >= 0``, ... from two-sided answers: what is not shown to hold may yet be open."""
    if gap.has(sympy.nan, sympy.zoo, sympy.Float):
        raise UnsettledError(shown)
    if kind in (Lt, Le):
        gap, kind = -gap, {Lt: Gt, Le: Ge}[kind]
    if kind in (Gt, Ge):
        yes, no = (positive, nonnegative) if kind is Gt else (nonnegative, positive)
        if yes(gap, on, given):
            return True
        if no(-gap, on, given):
            return False
    try:
        side = sign(gap, on, given)
    except UnsettledError:
        raise UnsettledError(shown) from None
    return {Gt: side > 0, Ge: side >= 0, Eq: side == 0, Ne: side != 0}[kind]


def sign(gap: Expr, on: Interval | None = None, given: Given = Given()) -> int:
    """Return 1, 0 or -1: the one sign of an expression on an interval.

    Raises:
        UnsettledError: if it has several, or none is found.
    """
    found = _sign(gap, on, given, SLOPES)
    if found is None:
        raise UnsettledError(sympy.Gt(gap, 0, evaluate=False))
    return found


def _sign(gap: Expr, on: Interval | None, given: Given, slopes: int) -> int | None:
    if gap.has(sympy.nan, sympy.zoo, sympy.Float):
        return None
    if zero(gap, on, given) or _vanishes_at_root(gap):
        return 0
    for side in (1, -1):
        if positive(side * gap, on, given):
            return side
    if on is None or on.variable not in gap.free_symbols:
        return None
    between = _between_roots(gap, on)
    return _one_way(gap, on, given, slopes) if between is None else between


def _vanishes_at_root(gap: Expr) -> bool:
    """Is a polynomial in one root of an irreducible polynomial a multiple of that one? Then it is 0 there."""
    roots = gap.atoms(ComplexRootOf)
    if len(roots) != 1 or gap.free_symbols:
        return False
    (root,), letter = roots, Dummy()
    try:
        image = Poly(sympy.numer(sympy.together(gap.xreplace({root: letter}))), letter, domain=sympy.QQ)
    except (PolynomialError, CoercionFailed):
        return False
    return bool(image.rem(Poly(root.poly.as_expr(root.poly.gen).subs(root.poly.gen, letter), letter)).is_zero)


def _between_roots(gap: Expr, on: Interval) -> int | None:
    """Return the sign of a rational function of the variable alone, if the interval has none of its roots or poles.

    A continuous function without a root has on an interval the sign that it has at one point of it.
    """
    if steep(gap) or on.low.free_symbols | on.high.free_symbols:
        return None
    try:
        parts = [Poly(part, on.variable, domain=sympy.QQ) for part in sympy.fraction(sympy.together(gap))]
        roots = [root for part in parts if part.degree() > 0 for root in part.real_roots()]
    except (PolynomialError, CoercionFailed, NotImplementedError):
        return None
    point = _rational_inside(on)
    if point is None or not all(_is_outside(root, on) for root in roots):
        return None
    values = [part.eval(point) for part in parts]
    return int(sympy.sign(values[0] * values[1])) or None


def _is_outside(root: Expr, on: Interval) -> bool:
    return any(
        root == end or (apart is not sympy.oo and bool(apart.is_positive))
        for end, apart in ((on.low, on.low - root), (on.high, root - on.high))
    )


def _rational_inside(on: Interval) -> Expr | None:
    """Return a rational point of an interval whose ends are numbers."""
    near = on.low + 1 if on.high is sympy.oo else (on.low + on.high) / 2
    point = near if near.is_Rational else Rational(str(near.evalf(30)))
    above = on.high is sympy.oo or (on.high - point).is_positive
    return point if above and (point - on.low).is_positive else None


def _one_way(gap: Expr, on: Interval, given: Given, slopes: int) -> int | None:
    """Return the sign of a function that rises, or falls, from an end at which it has that sign or vanishes."""
    if not slopes or not regular(gap, on, given):
        return None
    way = _sign(sympy.diff(gap, on.variable), on, given, slopes - 1)
    if way not in (1, -1):
        return None
    least, greatest = (
        value_at(way * gap, Approach(on.variable, end, side), given)
        for end, side in ((on.low, "+"), (on.high, "-"))
    )
    if least is not None and nonnegative(least, None, given):
        return way
    return -way if greatest is not None and nonnegative(-greatest, None, given) else None
