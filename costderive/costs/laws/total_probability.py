"""The total probability of a law, as it is read: exact where that is plain, else by quadrature.

Quadrature only refuses: that a total is 1 is proved in the derivation, by antiderivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy
from sympy import Expr, Integral, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.costs.laws.expectation import first_moment, x
from costderive.costs.laws.law import Law, Spread
from costderive.deciders.identities import zero
from costderive.deciders.sample_points import Point, points
from costderive.deciders.size import steep

TOLERANCE = 1e-6  # of a total probability; a singular density loses 1e-8 at an end where 1 - x is rounded
SYMBOLIC_TOLERANCE = 1e-3
MAX_TOLERANCE = 0.1  # however rough the quadrature: that of an infinite integral is rough beyond all bounds
DIGITS, NEARLY = 60, sympy.Float(10) ** -45
OF_DENSITY = (
    "Divide the density by its integral, or set normalize = true; "
    "if the integral is infinite, say that the law is improper."
)
OF_JOINT_DENSITY = "Divide the joint density by its integral."
OF_PROBABILITIES = "Divide the probabilities by their sum."


def wrong_total(law: Law) -> str | None:
    """Return the total probability in words, if it is not 1 for all values of the parameters."""
    total = _plain_total(law)
    if total is not None:
        return differs_from_one(total, law.given())
    wrong = wrong_totals(law.parameters, law.given(), lambda values: law.at(values).total())
    return next(wrong, None)


def _plain_total(law: Law) -> Expr | None:
    """Return the exact total of masses and of densities that are sums of powers on bounded intervals."""
    known, found = [mass.probability for mass in law.masses], list(map(_integral, law.spreads))
    return None if None in found else sympy.Add(*known, *found)


def _integral(part: Spread) -> Expr | None:
    """Return the integral of polynomials, and of a sum of powers above -1, on a bounded interval."""
    if part.high is S.Infinity or steep(part.density, roots=False):
        return None
    if part.density.is_polynomial(x):
        whole = sympy.Poly(part.density, x).integrate()
        return whole.eval(part.high) - whole.eval(part.low)
    powers = [term.as_coeff_exponent(x) for term in sympy.Add.make_args(part.density)]
    if any(factor.has(x) or not (exponent + 1).is_positive for factor, exponent in powers):
        return None
    return sympy.Add(*[c * (part.high ** (k + 1) - part.low ** (k + 1)) / (k + 1) for c, k in powers])


def differs_from_one(total: Expr, given: Given) -> str | None:
    """Return a total in words, with values of the parameters at which it is not 1, or ``None`` if none is found."""
    if zero(total - 1, None, given):
        return None
    for values in points(total.free_symbols, None, given):
        number = total.subs(values)
        if _is_away_from_one(number):
            where = ", ".join(f"{name} = {value}" for name, value in values.items() if total.has(name))
            return f"{sympy.factor(total)}" + (f" ({number.evalf(10)} where {where})" if where else "")
    return None


def _is_away_from_one(number: Expr) -> bool:
    if number.is_Rational:
        return bool(number != 1)
    gap = (number - 1).evalf(DIGITS)
    return bool(gap.is_Float and abs(gap) > NEARLY)


def normalized(law: Law, place: str) -> Law:
    """Return a law with its densities divided by their total.

    Raises:
        SpecError: if no closed form of the total is found.
    """
    total = sympy.Add(*[first_moment(part.density / x, part.interval, law.given()) for part in law.spreads])
    if total.has(Integral) or total.is_finite is False or total.is_zero:
        raise SpecError(
            f"{place} has the total {total}, by which it cannot be divided", "Divide by the total."
        )
    parts = (replace(part, density=part.density / total) for part in law.spreads)
    return Law(tuple(parts), law.masses)


def wrong_totals(
    parameters: frozenset[Symbol] | tuple[Symbol, ...],
    given: Given,
    total: Callable[[Point], tuple[float, float]],
) -> Iterator[str]:
    """Yield in words the total probability at a few values of the parameters, if it is 1 at none of them.

    ``total(values)`` returns a number and an estimate of its error. A total that cannot be computed is not judged, and
    one that is 1 somewhere is left to the derivation: quadrature may be rough at extreme values of a law's parameters.
    """
    found = []
    tolerance = SYMBOLIC_TOLERANCE if parameters else TOLERANCE
    for values in points(set(parameters), None, given)[:3] if parameters else [{}]:
        try:
            number, error = total(values)
        except (ArithmeticError, TypeError, ValueError, NameError, AttributeError, TimeoutError):
            return
        if abs(number - 1) <= max(tolerance, min(10 * error, MAX_TOLERANCE)):
            return
        where = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
        found.append(f"{number:.10g}" + (f" where {where}" if where else ""))
    yield from found
