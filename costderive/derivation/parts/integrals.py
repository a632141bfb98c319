"""Integrals over one quantity for which an antiderivative is found and proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Integral, S, Symbol

from costderive.core.derivatives import derivative
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import within
from costderive.costs.laws import x
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.undetermined import by_ansatz

LARGEST_PRIME = 1000
SECONDS = 5.0  # for one search
CLOSED = "Only laws with a density in closed form are combined; give the law of the whole by its density."
LETTERS = 'Give letters numbers, or say more of them, as in assuming="m > n".'
z = Symbol("_z", positive=True)


def integral(integrand: Expr, ends: tuple[Expr, Expr], on: Interval, given: Given, place: str) -> Expr:
    """Integrate over x between two ends that depend on the variable of an interval.

    Only what is proved to be an antiderivative is used.

    Raises:
        SpecError: if none is found, or its limit at an end is not.
    """
    if integrand == 0 or ends[0] == ends[1]:
        return S.Zero
    inside = _inside(ends, on, given)
    for found in antiderivatives(integrand, Interval(x, *ends), inside):
        below, above = (_limit(found, *side, inside) for side in zip(ends, "+-", strict=True))
        if below is not None and above is not None:
            return _of_primes(sympy.expand((above - below).replace(sympy.beta, _by_gammas)))
    shown = integrand.subs(z, Symbol("z"))
    remedy = f"{CLOSED} {LETTERS}" if integrand.free_symbols - {x, z} else CLOSED
    raise SpecError(f"{place}: the integral of {shown} over x is not found in closed form", remedy)


def _by_gammas(a: Expr, b: Expr) -> Expr:
    return sympy.beta(a, b).rewrite(sympy.gamma) if a.is_number and b.is_number else sympy.beta(a, b)


def _of_primes(expr: Expr) -> Expr:
    """Write logarithms of fractions as sums of those of primes, so that what cancels is seen to."""
    found = {
        node: node.args[0].factors(limit=LARGEST_PRIME)
        for node in expr.atoms(sympy.log)
        if node.args[0].is_Rational
    }
    sums = {
        node: sympy.Add(*[n * sympy.log(prime) for prime, n in primes.items()])
        for node, primes in found.items()
    }
    return sympy.expand(expr.xreplace(sums))


def _inside(ends: tuple[Expr, Expr], on: Interval, given: Given) -> Given:
    """Return that x is between its ends, and z between its own."""
    gaps = (x - ends[0], ends[1] - x, z - on.low, on.high - z)
    return given.also(positive=tuple(gap for gap in gaps if gap.is_polynomial(x, z) and not gap.is_infinite))


def _limit(found: Expr, point: Expr, side: str, given: Given) -> Expr | None:
    value = S.NaN if point.is_infinite else found.subs(x, point)
    if not value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity) and not _has_whole_beta(value):
        return value
    limit = value_at(found, Approach(x, point, side), given)
    return None if limit is None or limit.is_finite is False else limit


def _has_whole_beta(value: Expr) -> bool:
    """Is there an incomplete Beta function over nothing, or over its whole range?"""
    return any(node.args[-1] in (S.Zero, S.One) for node in value.atoms(sympy.betainc))


def antiderivatives(integrand: Expr, on: Interval, inside: Given) -> Iterator[Expr]:
    """Yield what is proved to be real and smooth between the ends and to have this slope."""
    written = sympy.powsimp(sympy.expand(integrand))
    for search in SEARCHES:
        try:
            found = within(SECONDS, search, written, x)
        except Exception:  # SymPy fails in many ways on what it cannot integrate
            continue
        if found is None or found.has(Integral, sympy.Piecewise):
            continue
        real = _real(found, inside)
        if regular(real, on, inside) and zero(derivative(real, x) - integrand, on, inside) is not None:
            yield real


def _real(found: Expr, inside: Given) -> Expr:
    """Write logarithms and exponential integrals of what is negative between the ends by its size."""
    by_size: tuple[tuple[Callable[..., Expr], Callable[[Expr], Expr]], ...] = (
        (sympy.log, sympy.log),
        (lambda arg: sympy.expint(1, arg), lambda size: -sympy.Ei(size)),
    )
    for function, of_size in by_size:
        nodes = [node for node in found.atoms(sympy.log, sympy.expint) if node == function(node.args[-1])]
        negative = (node for node in nodes if positive(-node.args[-1], None, inside))
        found = found.xreplace({node: of_size(-node.args[-1]) for node in negative})
    return found


SEARCHES: tuple[Callable[[Expr, Symbol], Expr | None], ...] = (
    primitive,
    over_linear_factors,
    by_ansatz,
    sympy.integrate,
)
