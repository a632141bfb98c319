"""Families of laws that an operation does not lead out of: the parameters of the result are known at once.

Source: Johnson, Kotz and Balakrishnan (1994), Continuous Univariate Distributions 1, chapters 14, 17 and 21.
"""

from __future__ import annotations

import sympy
from sympy import Expr, S

from costderive.costs.laws import Law, gamma, lognormal, pareto, weibull, x


def sum_in_family(first: Law, second: Law) -> Law | None:
    """Return the law of a sum of Gamma quantities of one scale; an exponential one has the shape 1."""
    one, other = map(_shape_and_scale, (first, second))
    if one is None or other is None or one[1] != other[1]:
        return None
    return gamma(one[0] + other[0], one[1])


def product_in_family(first: Law, second: Law) -> Law | None:
    """Return the law of a product of log-normal quantities."""
    if not (_is(first, "lognormal") and _is(second, "lognormal")):
        return None
    (mu, sigma), (nu, tau) = (law.name.arguments for law in (first, second) if law.name)
    return lognormal(mu + nu, sympy.sqrt(sigma**2 + tau**2))


def function_in_family(law: Law, function: Expr) -> Law | None:
    """Return the law of a multiple of a power of a log-normal, Weibull or Pareto quantity, or of an exponential one."""
    factor, power = function.as_independent(x, as_Add=False)
    base, exponent = power.as_base_exp()
    if (
        law.name is None
        or base != x
        or not factor.is_positive
        or not (exponent.is_real and exponent.is_nonzero)
    ):
        return None
    raised = _powers(law, exponent)
    return None if raised is None else raised.scaled(factor)


def _powers(law: Law, exponent: Expr) -> Law | None:
    family, arguments = law.name.family, law.name.arguments  # type: ignore[union-attr]
    if family == "lognormal":
        return lognormal(arguments[0] * exponent, arguments[1] * abs(exponent))
    if not exponent.is_positive or exponent == 1:
        return None
    if family == "exponential":
        return weibull(1 / exponent, arguments[0] ** exponent)
    if family == "weibull":
        return weibull(arguments[0] / exponent, arguments[1] ** exponent)
    return pareto(arguments[0] / exponent, arguments[1] ** exponent) if family == "pareto" else None


def _is(law: Law, family: str) -> bool:
    return law.name is not None and law.name.family == family


def _shape_and_scale(law: Law) -> tuple[Expr, Expr] | None:
    if _is(law, "exponential"):
        return S.One, law.name.arguments[0]  # type: ignore[union-attr]
    return law.name.arguments if _is(law, "gamma") else None  # type: ignore[union-attr]
