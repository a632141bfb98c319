"""What is shorter when written otherwise: error functions as the normal distribution function, sums multiplied out."""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Function, Pow, sqrt

TERMS = 8  # of a sum that is multiplied out


class NormalCdf(Function):
    """The distribution function of the standard normal law; formulas alone have it, derivations have ``erf``."""

    nargs = 1


def shorter(expr: sympy.Basic) -> sympy.Basic:
    """Return the same function as a person would write it.

    >>> from costderive.core.symbols import p
    >>> shorter((1 - sympy.erf(p / sqrt(2))) / 2)
    NormalCdf(-p)
    """
    if expr.has(sympy.erf):
        return expr.replace(lambda part: isinstance(part, Add) and part.has(sympy.erf), _normal)
    return expr


def _normal(total: Add) -> Expr:
    """Return ``k (1 + erf(z))`` as ``2 k Phi(z sqrt 2)``, and ``k (1 - erf(z))`` alike; other sums stay."""
    if len(total.args) != 2:
        return total
    first, second = sorted(total.args, key=lambda part: part.has(sympy.erf))
    factor, function = second.as_independent(sympy.erf, as_Add=False)
    if first.has(sympy.erf) or not isinstance(function, sympy.erf):
        return total
    ratio = sympy.cancel(factor / first)
    if ratio not in (1, -1):
        return total
    return 2 * first * NormalCdf(_joined(ratio * sqrt(2) * function.args[0]))


def _joined(argument: Expr) -> Expr:
    """Return an argument over one bar, if that is shorter."""
    found = sympy.together(sympy.expand_mul(argument))
    above, below = sympy.fraction(found)
    logs = [x for x in above.atoms(sympy.log) if x.free_symbols]
    collected = sympy.collect(sympy.expand_mul(above), logs) / below
    return min(argument, found, sympy.factor_terms(found), collected, key=sympy.count_ops)


def multiplied_out(expr: Expr) -> Expr:
    """Return polynomials of one letter without powers of sums, where that is not longer: what was derived has no form.

    >>> from costderive.core.symbols import p
    >>> multiplied_out(3 * (1 - p) ** 2 - 3 * p + 1), multiplied_out((1 - p) ** 2)
    (3*p**2 - 9*p + 4, (1 - p)**2)
    """
    return expr.replace(lambda part: isinstance(part, Add), _sum_of_powers)


def _sum_of_powers(total: Add) -> Expr:
    """Return a polynomial of one letter without powers of sums, if that is not longer."""
    if len(total.free_symbols) != 1 or not _has_power_of_sum(total) or not total.is_polynomial():
        return total
    found = sympy.expand(total)
    short = len(Add.make_args(found)) <= TERMS and sympy.count_ops(found) <= sympy.count_ops(total)
    return found if short else total


def _has_power_of_sum(total: Add) -> bool:
    return any(isinstance(power.base, Add) for power in total.atoms(Pow))
