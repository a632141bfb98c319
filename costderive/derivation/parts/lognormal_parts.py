"""Costs that are products of powers of log-normal parts: their logarithms have a joint normal law.

Source: Johnson, Kotz and Balakrishnan (1994), Continuous Univariate Distributions 1, chapter 14.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Add, Expr, S, Symbol

from costderive.costs.contexts import Context, Copula
from costderive.costs.laws import Law, lognormal

Laws = Mapping[Symbol, Law]
Logarithm = tuple[Expr, dict[Symbol, Expr]]


def of_lognormal_parts(costs: tuple[Expr, Expr], laws: Laws) -> Context | None:
    """Return the copula of two costs, if they are such products: a Gaussian one, or that of one along the other."""
    if not all(law.name is not None and law.name.family == "lognormal" for law in laws.values()):
        return None
    logarithms = [_logarithm(cost, laws) for cost in costs]
    if None in logarithms:
        return None
    first, second = logarithms[0], logarithms[1]
    assert first is not None and second is not None
    variances = _covariance(first, first, laws), _covariance(second, second, laws)
    rho = sympy.factor(_covariance(first, second, laws)) / sympy.sqrt(sympy.factor(sympy.Mul(*variances)))
    margins = [_law(one, variance, laws) for one, variance in zip((first, second), variances, strict=True)]
    one_way = {S.One: "comonotone", S.NegativeOne: "countermonotone"}.get(rho)
    return Copula(one_way, None, *margins) if one_way else Copula("gaussian", rho, *margins)


def _logarithm(cost: Expr, laws: Laws) -> Logarithm | None:
    """Return the factor before a product of powers of parts, and their exponents."""
    factor, product = cost.as_independent(*laws, as_Add=False)
    powers = {base: exponent for base, exponent in product.as_powers_dict().items() if base != 1}
    is_product = set(powers) <= set(laws) and not any(x.has(*laws) or not x.is_real for x in powers.values())
    return (factor, powers) if is_product and factor.is_positive else None


def _covariance(first: Logarithm, second: Logarithm, laws: Laws) -> Expr:
    return Add(
        *[exponent * second[1].get(part, 0) * _spread(laws[part]) ** 2 for part, exponent in first[1].items()]
    )


def _law(one: Logarithm, variance: Expr, laws: Laws) -> Law:
    factor, powers = one
    means = [exponent * laws[part].name.arguments[0] for part, exponent in powers.items()]  # type: ignore[union-attr]
    return lognormal(Add(*means) + sympy.log(factor), sympy.sqrt(variance))


def _spread(law: Law) -> Expr:
    return law.name.arguments[1]  # type: ignore[union-attr]
