"""One cost as a function of the other: both at the same level of their laws, or at opposite levels."""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Expr, exp

from costderive.core.errors import SpecError
from costderive.core.expressions import parse
from costderive.costs.laws import Law, x
from costderive.costs.laws.distribution_functions import levels, normal_score
from costderive.deciders.identities import zero

QUANTILES: Mapping[str, str] = {  # of the levels above (v) and below (u) a value
    "uniform": "low*v + high*u",
    "exponential": "-mean*log(v)",
    "rayleigh": "scale*sqrt(-2*log(v))",
    "weibull": "scale*(-log(v))^(1/shape)",
    "pareto": "minimum*v^(-1/shape)",
    "loglogistic": "scale*(u/v)^(1/shape)",
    "kumaraswamy": "(1 - v^(1/b))^(1/a)",
    "burr": "scale*(v^(-1/tail) - 1)^(1/shape)",
    "dagum": "scale*(u^(-1/head) - 1)^(-1/shape)",
    "frechet": "scale*(-log(u))^(-1/shape)",
    "loguniform": "low^v*high^u",
}


def has_quantile(law: Law) -> bool:
    """Return whether there is a formula for the quantiles of a law."""
    return law.name is not None and law.name.family in QUANTILES


def partner(first: Law, second: Law, *, rising: bool) -> Expr:
    """Return the function of x that has the second law if x has the first, rising or falling.

    Raises:
        SpecError: if no formula is found.
    """
    found = _by_scale(first, second) if rising else None
    found = found or _by_scores(first, second, rising=rising) or _by_quantile(first, second, rising=rising)
    if found is None:
        raise SpecError(
            f"context.c1 is {second!r}, whose quantiles have no formula here",
            "A comonotone or countermonotone copula needs one, as of uniform, exponential, weibull, pareto and "
            "loglogistic laws, or of two log-normal ones; or write the costs as a Curve.",
        )
    return found


def _by_scale(first: Law, second: Law) -> Expr | None:
    """Return the multiple of x, if the second law is that of a multiple."""
    if first.name is None or second.name is None or first.name.family != second.name.family:
        return None
    pairs = list(zip(first.name.in_units, first.name.arguments, second.name.arguments, strict=True))
    ratios = {new / old for scales, old, new in pairs if scales and old != 0}
    same = all(old == new for scales, old, new in pairs if not scales)
    return (
        ratios.pop() * x
        if same and len(ratios) == 1 and first.scaled(min(ratios, key=str)) == second
        else None
    )


def _by_scores(first: Law, second: Law, *, rising: bool) -> Expr | None:
    """Return ``exp(nu +- tau z)`` for the normal score z of the first law."""
    score = normal_score(first)
    if score is None or second.name is None or second.name.family != "lognormal":
        return None
    mu, sigma = second.name.arguments
    whole = sympy.expand(mu + (sigma if rising else -sigma) * score)
    power = whole.coeff(sympy.log(x)) if first.name and first.name.family == "lognormal" else None
    return exp(whole) if power is None else exp(whole - power * sympy.log(x)) * x**power


def _by_quantile(first: Law, second: Law, *, rising: bool) -> Expr | None:
    text = None if second.name is None else QUANTILES.get(second.name.family)
    if text is None or second.name is None:
        return None
    [(part, level), *more] = levels(first, "context.c0")
    if more:
        raise SpecError("context.c0 has several densities", "Write the costs as a Mixture of curves.")
    at = level if rising else level.exchanged
    names = {"u": _factored(at.below), "v": _factored(at.above), **second.name.parameters}
    found = sympy.expand_log(parse(text, place="the quantile", names=names))
    [(_, reached)] = levels(second, "context.c1")
    given = first.given().also(positive=second.given().positive)
    return found if zero(reached.below.subs(x, found) - at.below, part.interval, given) else None


def _factored(level: Expr) -> Expr:
    """Write a level in its factors, of which logarithms are taken one by one."""
    return sympy.factor(level) if level.is_rational_function(x) else sympy.factor_terms(level)
