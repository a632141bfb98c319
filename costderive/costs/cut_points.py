"""Where a condition may change: places to cut at, which prove nothing, and what expressions are between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

import sympy
from sympy import Expr, Max, Min, Piecewise, Poly, Symbol
from sympy.core.relational import Relational
from sympy.polys.polyerrors import PolynomialError

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import within
from costderive.deciders.conditions import CASED, STEPS, UnsettledError, settled
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.signs import nonnegative
from costderive.deciders.size import steep

SOLVE_SECONDS = 20.0
NUMBERS = "Give the parameters numbers."


def gaps(expr: Expr) -> tuple[Expr, ...]:
    """Return expressions, without cases, outside whose roots and poles no condition in an expression changes."""
    found = dict.fromkeys(plain for gap in _own_gaps(expr) for plain in _versions(gap))
    return tuple(sorted((gap for gap in found if gap.free_symbols), key=str))


def _own_gaps(expr: Expr) -> list[Expr]:
    nodes = sorted(expr.atoms(Relational, *STEPS, Max, Min), key=str)
    found: list[Expr] = []
    for node in nodes:
        if isinstance(node, Relational):
            found += [node.lhs - node.rhs] if all(isinstance(side, Expr) for side in node.args) else []
        elif isinstance(node, STEPS):
            found.append(node.args[0])
        else:
            found += [first - second for first, second in combinations(node.args, 2)]
    return found


VALUES: dict[type[Expr], Callable[[Expr], tuple[Expr, ...]]] = {
    sympy.Abs: lambda node: (node.args[0], -node.args[0]),
    sympy.sign: lambda node: (sympy.S.One, sympy.S.Zero, sympy.S.NegativeOne),
    sympy.Heaviside: lambda node: (sympy.S.One, node.args[1], sympy.S.Zero),
    Piecewise: lambda node: tuple(value for value, _ in node.args),
}
MAX_VERSIONS = 64


def _versions(expr: Expr) -> list[Expr]:
    """Return what an expression may be in all cases of the cases in it."""
    done, open_ones = list[Expr](), [expr]
    while open_ones and len(done) + len(open_ones) <= MAX_VERSIONS:
        first = open_ones.pop()
        node = next(iter(sorted(first.atoms(*CASED), key=lambda node: (len(str(node)), str(node)))), None)
        if node is None:
            done.append(first)
        else:
            values = VALUES[node.func](node) if node.func in VALUES else node.args
            open_ones += [first.xreplace({node: value}) for value in values]
    return done


def turns(gap: Expr, variable: Symbol) -> list[Expr]:
    """Return the roots and poles of an expression, as far as they are found, letters among its coefficients."""
    if steep(gap):
        return []
    parts = [part for part in sympy.fraction(sympy.together(gap)) if part.has(variable)]
    return list(dict.fromkeys(root for part in parts for root in _roots(part, variable)))


def turns_of_sines(gap: Expr, variable: Symbol, low: Expr, high: Expr) -> list[Expr]:
    """Return the roots between two numbers of a polynomial in sines and cosines of a letter and its multiples."""
    tangent = Symbol("t", real=True)
    over, image = 1 + tangent**2, sympy.expand_trig(gap)
    sines = {sympy.sin(variable): 2 * tangent / over, sympy.cos(variable): (1 - tangent**2) / over}
    top = sympy.numer(sympy.together(image.xreplace(sines)))
    if top.has(variable) or not top.is_polynomial(tangent) or not (low.is_number and high.is_finite):
        return []
    angles = [2 * sympy.atan(root) for root in _roots(top, tangent)]
    angles += [sympy.pi] if image.subs(variable, sympy.pi) == 0 else []
    most = int(sympy.ceiling(high / (2 * sympy.pi)))
    found = (sympy.expand(angle + 2 * sympy.pi * turn) for turn in range(most + 1) for angle in angles)
    return [angle for angle in found if low < angle < high]


def _roots(part: Expr, variable: Symbol) -> list[Expr]:
    if not part.is_polynomial(variable):
        return _solutions(part, variable)
    try:
        factors = [factor for factor, _ in sympy.factor_list(part)[1] if factor.has(variable)]
        return [root for factor in factors for root in _polynomial_roots(Poly(factor, variable))]
    except (PolynomialError, NotImplementedError):
        return []


def _polynomial_roots(poly: Poly) -> list[Expr]:
    if poly.degree() == 1:
        return [sympy.factor(-poly.nth(0) / poly.nth(1))]
    if not poly.free_symbols_in_domain:
        return list(dict.fromkeys(poly.real_roots()))
    return list(sympy.roots(poly)) if poly.degree() == 2 else []


def _solutions(part: Expr, variable: Symbol) -> list[Expr]:
    """Return what SymPy finds, real numbers alone: nothing relies on it."""
    if part.free_symbols != {variable}:
        return []
    try:
        found = within(SOLVE_SECONDS, sympy.solve, part, variable)
    except Exception:  # SymPy fails in many ways: then no place was found to cut at
        return []
    return [root for root in found if isinstance(root, Expr) and root.is_number and root.is_real]


# ---- between the places


@dataclass(frozen=True, slots=True)
class Cells:
    """An interval cut at places, under facts which say that each is inside it."""

    ends: tuple[Expr, ...]
    given: Given
    remedy: str

    def settled(self, expr: Expr, variable: Symbol, place: str) -> tuple[Expr, ...]:
        """Return what an expression is, without cases, on each part.

        Raises:
            SpecError: if a condition is not decided.
        """
        parts = (Interval(variable, *cell) for cell in pairwise(self.ends))
        try:
            return tuple(settled(expr, part, self.given) for part in parts)
        except UnsettledError as problem:
            raise SpecError(f"{place} = {expr} depends on whether {problem.condition}", self.remedy) from None


def cells_between(
    places: Iterable[Expr], on: Interval, given: Given, place: str, remedy: str = NUMBERS
) -> Cells:
    """Cut an interval at those places that are not certainly outside of it.

    The ``remedy`` is what to do where letters do not decide it.

    Raises:
        SpecError: if their order depends on the parameters.
    """
    inner = [root for root in places if not _outside(root, on, given)]
    inside = given.also(positive=tuple(fact for root in inner for fact in lengths(root, on)))
    try:
        ends = (*ascending([on.low, *inner], inside), on.high)
    except Undecided as unknown:
        raise SpecError(f"{place}: the order of its breakpoints depends on {unknown.fact}", remedy) from None
    return Cells(ends, inside, remedy)


def places(found: Iterable[Expr], variable: Symbol) -> tuple[Expr, ...]:
    """Return the roots and poles of expressions, as far as they are found, each once."""
    return tuple(dict.fromkeys(root for gap in found if gap.has(variable) for root in turns(gap, variable)))


def lengths(root: Expr, on: Interval) -> tuple[Expr, ...]:
    """Return the distances of a place from the finite ends of an interval, positive if it is inside."""
    return (root - on.low, *(() if on.high is sympy.oo else (on.high - root,)))


def _outside(root: Expr, on: Interval, given: Given) -> bool:
    """Return whether a place is certainly not inside an interval: beyond its ends, or no real number."""
    return root.is_real is False or any(nonnegative(-gap, None, given) for gap in lengths(root, on))
