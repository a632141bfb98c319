"""The distribution of a cost, in regions between the ends and the masses of its law."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr, Integral, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.expected_loss import Antiderivative
from costderive.costs.laws import Law, x
from costderive.deciders.identities import zero
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.regularity import regular
from costderive.derivation.integration.search import Deadline
from costderive.derivation.search.antiderived import line_candidates, searched
from costderive.multiclass.law_claims import density_between, mass_at
from costderive.multiclass.stages import Distribution
from costderive.multiclass.sums import ONE, ExponentialSum, NotASumError

SECONDS = 20.0
_cost = Symbol("y", positive=True)


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


def any_distribution(law: Law, given: Given) -> Distribution:
    """Return the distribution of a cost whose density has antiderivatives that are smooth in each region.

    A mean without a closed form is an integral.

    Raises:
        SpecError: if none are found.
    """
    try:
        return distribution(law, given)
    except SpecError as error:
        marks, deadline = _marks(law, given), Deadline.after(SECONDS)
        ends = list(pairwise((S.Zero, *marks, S.Infinity)))
        densities = tuple(density_between(law, low, high, marks) for low, high in ends)
        try:
            found = [
                _pair(f, Interval(x, *end), given, deadline) for f, end in zip(densities, ends, strict=True)
            ]
        except RecursionError:  # of sums of hundreds of terms
            found = [None]
        if None in found:
            raise _unknown(law) from error
        return _joined(law, marks, densities, [pair for pair in found if pair is not None])


def _pair(
    density: Expr, on: Interval, given: Given, deadline: Deadline
) -> tuple[Antiderivative, Antiderivative] | None:
    """Integrate a density, and x times it, on a region."""
    if density == 0:
        return Antiderivative(S.Zero), Antiderivative(S.Zero)
    cdf, moment = (searched(f, on, given, line_candidates, deadline) for f in (density, x * density))
    if cdf.function is None or not regular(cdf.function, on, given):
        return None
    if moment.function is None or not regular(moment.function, on, given):
        return cdf, _as_integral(x * density, on)
    return cdf, moment


def _as_integral(integrand: Expr, on: Interval) -> Antiderivative:
    """Return the integral from below, or to infinity, as an antiderivative."""
    inner = integrand.subs(x, _cost)
    if on.high is S.Infinity:
        whole = Integral(inner, (_cost, on.low, S.Infinity))
        return Antiderivative(-Integral(inner, (_cost, x, S.Infinity)), -whole, S.Zero)
    whole = Integral(inner, (_cost, on.low, on.high))
    return Antiderivative(Integral(inner, (_cost, on.low, x)), S.Zero, whole)


def _joined(
    law: Law,
    marks: tuple[Expr, ...],
    densities: tuple[Expr, ...],
    found: list[tuple[Antiderivative, Antiderivative]],
) -> Distribution:
    """Let the distribution function start at 0 and go on at each mark; moments start at 0, the last one ends there."""
    jumps = tuple(mass_at(law, mark) for mark in marks)
    below = S.Zero
    cdfs: list[Expr] = []
    moments: list[Expr] = []
    mean = sympy.Add(*[mass.value * mass.probability for mass in law.masses])
    for (cdf, moment), jump in zip(found, (*jumps, S.Zero), strict=True):
        assert cdf.function is not None
        assert moment.function is not None
        last = len(cdfs) == len(marks)
        cdfs.append(cdf.function - cdf.at_low + below)
        moments.append(moment.function - (moment.at_high if last else moment.at_low))
        mean += moment.at_high - moment.at_low
        below += cdf.at_high - cdf.at_low + jump
    if densities[-1] == 0:
        cdfs[-1] = S.One
    written = law.mean()
    if zero(written - mean, None, law.given()):
        mean = min(written, mean, key=sympy.count_ops)
    return Distribution(marks, jumps, densities, tuple(cdfs), tuple(moments), mean)


def _unknown(law: Law) -> SpecError:
    return SpecError(
        f"{law} has no distribution function and mean in closed form here",
        "Uniform, triangular, Gamma, Weibull, log-normal and Pareto laws, say, and masses have.",
    )


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
