"""Functions by the distance from an end of their range, so that what is 0 there keeps its digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Symbol
from sympy.utilities.iterables import sift

from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.symbols import p
from costderive.numeric.many_digits import End, r

DISTANCE = sympy.Dummy("d", positive=True)  # of a variable of integration
GAP = sympy.Dummy("gap", positive=True)  # of p
NEAR = ({DISTANCE: 0}, {GAP: 0}, {DISTANCE: 0, GAP: 0})
EXPM1, LOG1P = sympy.Function("expm1"), sympy.Function("log1p")
LOG1MEXP = sympy.Function("log1mexp")  # log(1 - exp z) for z < 0


@dataclass(frozen=True, slots=True)
class _Power:
    """A term of a sum, ``limit (1 + above)^exponent``; at some place ``above`` is 0."""

    term: Expr
    limit: Expr
    exponent: Expr
    above: Expr

    @property
    def beside(self) -> Expr:
        """The term less its limit."""
        return self.limit * EXPM1(self.exponent * LOG1P(self.above))


def of_gap(expr: Expr, end: End) -> Expr:
    """Return an expression in ``p`` and ``r`` by the distance of p from an end."""
    return _kept(expr.subs(r, 1 - p).xreplace({p: end.at + end.side * GAP}))


def beside(integrand: Expr, x: Symbol, end: Expr, side: int) -> Expr:
    """Return an integrand in ``x`` by the distance from an end that lies below (side 1) or above."""
    return _kept(integrand.xreplace({x: end + side * DISTANCE}))


def near_one(expr: Expr) -> Expr:
    """Write ``exp z - 1``, which cancels near 0, and ``log(1 - exp z)``, which does far from 0, as functions."""
    return expr.replace(sympy.Add, lambda *terms: _exponential(sympy.Add(*terms))).replace(
        sympy.log, _logarithm
    )


def _exponential(total: Expr) -> Expr:
    """Write ``exp z - 1`` as a function of its own; it may have other terms beside it."""
    for term in sympy.Add.make_args(total):
        factor, inner = term.as_independent(sympy.exp)
        if isinstance(inner, sympy.exp) and factor.is_number and -factor in sympy.Add.make_args(total):
            return total - term + factor + factor * EXPM1(inner.args[0])
    return total


def _logarithm(argument: Expr) -> Expr:
    inner = -argument
    return LOG1MEXP(inner.args[0]) if isinstance(inner, EXPM1) else sympy.log(argument)


def long_log1mexp(z: NDArray[Any]) -> NDArray[Any]:
    """Return ``log(1 - exp z)`` for ``z < 0``.

    Source: Maechler (2012), Accurately computing log(1 - exp(-|a|)), equation 7.
    """
    return np.asarray(np.where(z > -1, np.log(-np.expm1(z)), np.log1p(-np.exp(z))))


def digits_log1mexp(z: Any) -> Any:
    """Return ``log(1 - exp z)`` for ``z < 0`` to the working precision."""
    return mpmath.log(-mpmath.expm1(z)) if z > -1 else mpmath.log1p(-mpmath.exp(z))


def _kept(expr: Expr) -> Expr:
    return expr.replace(lambda node: isinstance(node, sympy.Add | sympy.log), _cancelled)


def _cancelled(node: Expr) -> Expr:
    """Write a sum that is 0 at no distance as a product, or, if it has powers, by ``expm1`` and ``log1p``."""
    if isinstance(node, sympy.log):
        above = _cancelled(node.args[0] - 1)
        return LOG1P(above) if vanishes(above) else node
    if _is_rational(node):
        return sympy.factor(node) if vanishes(node) else _without_brackets(node)
    return next(filter(None, (_by_expm1(node, place) for place in NEAR)), node)


def _by_expm1(total: Expr, place: dict[Symbol, int]) -> Expr | None:
    """Return a sum by how its powers differ from what they are at a place, None if these do not cancel there."""
    powers = list(_powers(total, place))
    terms = {power.term for power in powers}
    rational, others = sift(
        (term for term in sympy.Add.make_args(total) if term not in terms),
        _is_rational,
        binary=True,
    )
    rest = sympy.Add(*rational, *(power.limit for power in powers))
    if not powers or not (rest == 0 or vanishes(rest)):
        return None
    return sympy.Add(sympy.factor(rest), *(power.beside for power in powers), *others)


def _without_brackets(node: Expr) -> Expr:
    """Expand what is linear in both distances: of ``(1 - gap) (d + 6) - d`` large terms cancel."""
    is_linear = all(node.is_polynomial(x) and sympy.degree(node, x) <= 1 for x in (DISTANCE, GAP))
    return sympy.expand(node) if is_linear else node


def _powers(total: Expr, place: dict[Symbol, int]) -> Iterator[_Power]:
    """Yield the terms of a sum that are a power of what depends on the distances and is a number at a place."""
    for term in sympy.Add.make_args(total):
        factor, power = term.as_independent(DISTANCE, GAP, as_Add=False)
        if isinstance(power, sympy.Pow) and power.exp.is_number and _is_rational(power.base):
            base = sympy.cancel(power.base).subs(place)
            if base.is_number and base.is_positive:
                above = sympy.factor(power.base / base - 1)
                yield _Power(term, factor * base**power.exp, power.exp, above)


def _is_rational(expr: Expr) -> bool:
    return bool(expr.is_rational_function(DISTANCE, GAP))


def vanishes(expr: Expr) -> bool:
    """Return whether a rational function of the distances is 0 where one of them is, or both are."""
    if not expr.has(DISTANCE, GAP) or not expr.is_rational_function(DISTANCE, GAP):
        return False
    return any(sympy.cancel(expr.subs(place)) == 0 for place in NEAR)
