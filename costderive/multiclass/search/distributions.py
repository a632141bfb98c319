"""The distribution of a cost, in regions between the ends and the masses of its law."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.costs.laws import Law, x
from costderive.deciders.order import Undecided, ascending
from costderive.multiclass.cost_moves import density_between, mass_at
from costderive.multiclass.stages import Distribution
from costderive.multiclass.sums import ONE, ExponentialSum, NotASumError


def distribution(law: Law, given: Given) -> Distribution:
    """Return the distribution of a cost whose density is a sum of terms ``C x^n exp(-r x)`` on intervals.

    Raises:
        SpecError: if the density is of another kind, or the order of its ends depends on parameters.
    """
    marks = _marks(law, given)
    ends = list(pairwise((S.Zero, *marks, S.Infinity)))
    densities = tuple(density_between(law, low, high, marks) for low, high in ends)
    jumps = tuple(mass_at(law, mark) for mark in marks)
    moments = tuple(_moment(density, given) for density in densities)
    means = [_between(moment, *region) for moment, region in zip(moments, ends, strict=True)]
    mean = sympy.Add(*means, *[mass.value * mass.probability for mass in law.masses])
    return Distribution(marks, jumps, densities, _cdfs(densities, marks, jumps, given), moments, mean)


def _marks(law: Law, given: Given) -> tuple[Expr, ...]:
    ends = {end for pair in law.ends for end in pair} - {S.Zero, S.Infinity}
    try:
        return tuple(ascending(sorted(ends, key=str), given))
    except Undecided as unknown:
        raise SpecError(
            f"the order of the ends of a law depends on {unknown.fact}", "Give its parameters numbers."
        ) from None


def _read(density: Expr, given: Given) -> ExponentialSum:
    try:
        return ExponentialSum.read(density, given)
    except NotASumError as term:
        raise SpecError(
            f"a cost of one of several classes has the density {density}, and {term} in it",
            "Several classes take densities that are sums of C*x^n*exp(-r*x) with n = 0, 1, 2, ... on intervals: "
            "uniform, triangular, exponential, Gamma with a whole-numbered shape, and masses. "
            "costderive.multiclass.compile takes other laws, too.",
        ) from None


def _moment(density: Expr, given: Given) -> Expr:
    return (_read(density, given) * ExponentialSum({(1, S.Zero): S.One})).antiderivative().to_sympy()


def _between(antiderivative: Expr, low: Expr, high: Expr) -> Expr:
    """Return the difference of its values; at infinity an antiderivative of ours is 0, by its choice of constant."""
    top = S.Zero if high is S.Infinity else antiderivative.subs(x, high)
    return top - antiderivative.subs(x, low)


def _cdfs(
    densities: tuple[Expr, ...], marks: tuple[Expr, ...], jumps: tuple[Expr, ...], given: Given
) -> tuple[Expr, ...]:
    """Integrate from below; beyond the last density and mass the distribution function is 1."""
    found: list[Expr] = []
    below, low = S.Zero, S.Zero
    for density, mark, jump in zip(densities, (*marks, S.Infinity), (*jumps, S.Zero), strict=True):
        antiderivative = _read(density, given).antiderivative().to_sympy()
        cdf = antiderivative - antiderivative.subs(x, low) + below
        found.append(sympy.factor(cdf) if cdf.is_polynomial(x) else cdf)
        if mark is not S.Infinity:
            below, low = found[-1].subs(x, mark) + jump, mark
    return (*found[:-1], ONE.to_sympy()) if densities[-1] == 0 else tuple(found)
