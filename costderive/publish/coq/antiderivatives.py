"""Antiderivatives in one cost that Coq certifies: found here, and written so that it sees their limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.deciders.signs import positive
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.integration.primitive_table import primitive
from costderive.publish.coq.endpoints import stays_plain
from costderive.publish.coq.exponential_sums import bounded_at_0, by_rates, integrated, vanishing
from costderive.publish.coq.facts import sure
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.terms import atomic


def antiderivative(expr: Expr, variable: Symbol, given: Given) -> Expr:
    """Return an elementary antiderivative.

    Raises:
        ExportError: if none is found.
    """
    rates = by_rates(expr, variable, in_both_shares)
    found = None if rates is None else integrated(rates, variable)
    found = primitive(expr, variable, given) if found is None else tidy(found, variable)
    found = _of_fraction(expr, variable, given) if found is None else found
    if found is None:
        raise ExportError(
            f"there is no elementary antiderivative of {str(expr)[:200]}", "Coq needs one in each cost."
        )
    return found if rates is not None else _over_seen_lines(found, variable)


def _of_fraction(expr: Expr, variable: Symbol, given: Given) -> Expr | None:
    """Integrate a polynomial and a proper fraction with linear factors; ``None`` if there are others."""
    if not expr.is_rational_function(variable):
        return None
    top, bottom = sympy.fraction(sympy.together(expr))
    whole, rest = sympy.div(top, bottom, variable)
    found = over_linear_factors(rest / bottom, variable)
    if found is None:
        return None
    return sympy.integrate(whole, variable) + found.replace(sympy.log, lambda part: _logarithm(part, given))


def _over_seen_lines(expr: Expr, variable: Symbol) -> Expr:
    """Write what is divided by, if it is linear in a variable, as its slope times the variable and what is added.

    So are logarithms of lines whose signs would not be seen else.
    """

    def below(node: Expr) -> bool:
        power = node.is_Pow and node.exp.is_Integer and node.exp < 0
        return bool(power and _is_line(node.base, variable))

    def hidden(node: Expr) -> bool:
        return isinstance(node, sympy.log) and _is_line(node.args[0], variable) and _mixes_signs(node.args[0])

    def parts(line: Expr) -> tuple[Expr, Expr]:
        slope = sympy.diff(line, variable)
        return in_both_shares(slope), variable + in_both_shares(line.subs(variable, 0) / slope)

    found = expr.replace(below, lambda node: sympy.Mul(*[part**node.exp for part in parts(node.base)]))
    return found.replace(hidden, lambda node: sympy.Add(*map(sympy.log, parts(node.args[0]))))


def _is_line(expr: Expr, variable: Symbol) -> bool:
    """Return whether a sum is linear in a variable, with something beside it."""
    return bool(expr.is_Add and expr.has(variable) and not sympy.diff(expr, variable).has(variable))


def _mixes_signs(expr: Expr) -> bool:
    """Return whether a polynomial above degree 1 has terms of both signs."""
    if not expr.is_polynomial(*expr.free_symbols) or sympy.total_degree(expr) <= 1:
        return False
    return len({bool(count > 0) for count in sympy.expand(expr).as_coefficients_dict().values()}) > 1


def _logarithm(argument: Expr, given: Given) -> Expr:
    """Return a logarithm with the argument or its opposite, whichever is positive: both have the same slope."""
    return sympy.log(-argument if positive(-argument, None, given) else argument)


def refuse_unbounded(exprs: Iterable[Expr], variable: Symbol) -> None:
    """Refuse antiderivatives that are not continuous at 0.

    Raises:
        ExportError: if one is not, or is not seen to be.
    """
    for expr in exprs:
        rates = by_rates(expr, variable, in_both_shares)
        plain = bounded_at_0(rates) if rates is not None else _plain_at_0(expr, variable)
        if not plain:
            raise ExportError(
                f"the antiderivative {str(expr)[:200]} is unbounded at 0", "Coq needs its limit."
            )


def _plain_at_0(expr: Expr, variable: Symbol) -> bool:
    return all(stays_plain(node, sympy.S.Zero, variable) for node in sympy.preorder_traversal(expr))


def vanishing_text(expr: Expr, variable: Symbol, on: Interval | None, given: Given) -> str:
    """Return an antiderivative as a term of Coq that visibly vanishes at infinity.

    Raises:
        ExportError: if it is no sum of powers and exponentials that does, and no sum of proper fractions.
    """
    rates = by_rates(expr, variable, in_both_shares)
    if rates is None:
        return " + ".join(_vanishing_fractions(expr, variable))
    return vanishing(rates, variable, atomic, lambda rate: f"({sure(rate, on, given).text})")


def _vanishing_fractions(expr: Expr, variable: Symbol) -> Iterator[str]:
    """Yield the partial fractions ``a / (x + b)^n`` of a rational function that has no other."""
    if not expr.is_rational_function(variable):
        raise ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
    for part in sympy.Add.make_args(sympy.apart(sympy.together(expr), variable)):
        factor, fraction = part.as_independent(variable, as_Add=False)
        base, power = fraction.as_base_exp()
        line = sympy.Poly(base, variable).all_coeffs() if base.is_polynomial(variable) else []
        if len(line) != 2 or not (power.is_Integer and power < 0):
            raise ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
        start = f"({variable} + {atomic(in_both_shares(line[1] / line[0]))})"
        yield f"{atomic(in_both_shares(factor * line[0] ** power))} / {start if line[1] else variable} ^ {-power}"


def tidy(expr: Expr, variable: Symbol) -> Expr:
    """Return a sum of powers and exponentials by its powers, and anything else as it is."""
    rates = by_rates(expr, variable, in_both_shares)
    if rates is None:
        return expr
    return sympy.Add(
        *[
            a * variable**n * sympy.exp(-rate * variable)
            for rate, powers in rates.items()
            for n, a in powers.items()
        ]
    )
