"""How much of a law lies below and above a value: its distribution function and its survival function, in formulas.

Those of named laws are in a table, others are asked of SymPy. Each counts only if its derivative is proved to be the
density and its value at the lower end 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import sympy
from sympy import Expr, Integral, S

from costderive.core.errors import SpecError
from costderive.core.expressions import parse
from costderive.core.piecewise import Given
from costderive.core.time_limit import within
from costderive.costs.laws.expectation import x
from costderive.costs.laws.law import Law, Name, Spread
from costderive.costs.laws.logs_of_primes import with_logs_of_primes
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import ascending
from costderive.deciders.regularity import regular
from costderive.deciders.size import steep

SECONDS = 5.0
ABOVE: Mapping[str, str] = {
    "exponential": "exp(-x/mean)",
    "rayleigh": "exp(-x^2/(2*scale^2))",
    "weibull": "exp(-(x/scale)^shape)",
    "pareto": "(minimum/x)^shape",
    "loglogistic": "scale^shape/(x^shape + scale^shape)",
    "kumaraswamy": "(1 - x^a)^b",
    "uniform": "(high - x)/(high - low)",
    "lognormal": "Phi(-(log(x) - mu)/sigma)",
    "halfnormal": "2*Phi(-x/scale)",
    "burr": "(scale^shape/(scale^shape + x^shape))^tail",
    "dagum": "1 - (x^shape/(scale^shape + x^shape))^head",
    "frechet": "1 - exp(-(scale/x)^shape)",
    "loguniform": "log(high/x)/log(high/low)",
    "logitnormal": "Phi(-(log(x/(1 - x)) - mu)/sigma)",
    "arcsine": "1 - 2*asin(sqrt(x))/pi",
}
BELOW: Mapping[str, str] = {
    "uniform": "(x - low)/(high - low)",
    "loglogistic": "x^shape/(x^shape + scale^shape)",
    "lognormal": "Phi((log(x) - mu)/sigma)",
    "dagum": "(x^shape/(scale^shape + x^shape))^head",
    "frechet": "exp(-(scale/x)^shape)",
    "loguniform": "log(x/low)/log(high/low)",
    "logitnormal": "Phi((log(x/(1 - x)) - mu)/sigma)",
}
INCOMPLETE: Mapping[
    str, Callable[..., Expr | None]
] = {  # the levels below a value of what no expression can be written in
    "gamma": lambda shape, scale: sympy.lowergamma(shape, x / scale) / sympy.gamma(shape),
    "gengamma": lambda shape, power, scale: (
        sympy.lowergamma(shape, (x / scale) ** power) / sympy.gamma(shape)
    ),
    "beta": lambda a, b: _incomplete_beta(a, b, x),
    "pert": lambda low, mode, high: _incomplete_beta(
        1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low), (x - low) / (high - low)
    ),
    "betaprime": lambda a, b, scale: _incomplete_beta(a, b, x / (scale + x)),
    "invgamma": lambda shape, scale: sympy.uppergamma(shape, scale / x) / sympy.gamma(shape),
    "invgauss": lambda mean, shape: _inverse_gaussian(x / mean, shape / mean),
}
SCORE: Mapping[str, str] = {"lognormal": "(log(x) - mu)/sigma", "logitnormal": "(log(x/(1 - x)) - mu)/sigma"}


@dataclass(frozen=True, slots=True)
class Level:
    """The probabilities below and above x, where x is in the interval of a spread: they add up to one."""

    below: Expr
    above: Expr

    @property
    def exchanged(self) -> Level:
        """The level with its two sides exchanged."""
        return Level(self.above, self.below)


@cache
def levels(law: Law, place: str) -> tuple[tuple[Spread, Level], ...]:
    """Return the spreads of a law without masses, ascending, each with its level as a function of x.

    Raises:
        SpecError: if the law has masses, its spreads overlap, or no formula is found.
    """
    if law.masses:
        raise SpecError(
            f"{place} has values with probabilities of their own",
            "A copula joins laws with a density; join the values by a Mixture of contexts.",
        )
    start, found = S.Zero, []
    for part in _ordered(law, place):
        level = _level(law, part, start, place)
        found.append((part, level))
        start = level.below.subs(x, part.high)
    return tuple(found)


def probability_between(law: Law, low: Expr, high: Expr) -> Expr | None:
    """Return the probability between two values within a law of one spread with a formula for it, else ``None``."""
    if law.masses or len(law.spreads) != 1:
        return None
    try:
        ((part, level),) = levels(law, "")
    except SpecError:
        return None
    if high == part.high:  # from the side on which no limit is needed
        return S.One if low == part.low else level.above.subs(x, low)
    below = level.below.subs(x, high)
    return below if low == part.low else below - level.below.subs(x, low)


def normal_score(law: Law) -> Expr | None:
    """Return the increasing function of x that makes a law standard normal, if it is a formula."""
    text = None if law.name is None else SCORE.get(law.name.family)
    return None if text is None else _named(law, text)


def normal_scores(law: Law, place: str) -> tuple[tuple[Spread, Expr], ...]:
    """Return the spreads of a law, ascending, each with the function of x that makes the law standard normal.

    Raises:
        SpecError: as ``levels`` does.
    """
    if (score := normal_score(law)) is not None:
        return ((law.spreads[0], score),)
    return tuple((part, _quantile(level)) for part, level in levels(law, place))


def _quantile(level: Level) -> Expr:
    """Return the quantile of the standard normal law at a level, whose two sides add up to one."""
    gap = level.below - level.above
    return sympy.sqrt(2) * sympy.erfinv(
        sympy.factor(gap) if gap.is_rational_function() else sympy.expand(gap)
    )


def _ordered(law: Law, place: str) -> tuple[Spread, ...]:
    """Return the spreads in the order of their ends, none of which overlap."""
    parts = law.spreads
    if len(parts) == 1:
        return parts
    lows = ascending([part.low for part in parts], law.given())
    ordered = tuple(sorted(parts, key=lambda part: lows.index(part.low)))
    for first, second in pairwise(ordered):
        if ascending([first.high, second.low], law.given())[0] != first.high:
            raise SpecError(f"{place} has densities on intervals that overlap", "Add them up between ends.")
    return ordered


def _level(law: Law, part: Spread, start: Expr, place: str) -> Level:
    given = law.given()
    for below, above in _candidates(law, part, start):
        if _is_level(below, above, part, start, given):
            return Level(below, above)
    raise SpecError(
        f"{place}: no formula is known for the distribution function of the density {part.density}",
        "A copula, a maximum and a minimum need one: take a law such as exponential, weibull or gamma(2, 1).",
    )


def _candidates(law: Law, part: Spread, start: Expr) -> list[tuple[Expr, Expr]]:
    family = "" if law.name is None else law.name.family
    if family in ABOVE:
        above = _named(law, ABOVE[family])
        return [(_named(law, BELOW[family]) if family in BELOW else 1 - above, above)]
    if law.name is not None and (level := _incomplete(law.name)) is not None:
        below = sympy.expand(level)
        return [(below, sympy.expand(1 - below))]
    try:
        found = within(SECONDS, sympy.integrate, part.density, x)
    except Exception:  # whatever an integrator does, it has found nothing
        return []
    low = None if found.has(Integral) else value_at(found, Approach(x, part.low, "+"), law.given())
    if low is None:
        return []
    below = sympy.expand(start + found - low)
    return [(_factored(below), _factored(1 - below))]


def _incomplete(name: Name) -> Expr | None:
    build = INCOMPLETE.get(name.family)
    return build(*name.arguments) if build else None


def _incomplete_beta(a: Expr, b: Expr, share: Expr) -> Expr | None:
    """Return the level below a share, unless it is one of powers, which SymPy finds."""
    if a.is_Integer or b.is_Integer:
        return None
    total = sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b)
    return sympy.betainc(a, b, 0, share) / total


def _inverse_gaussian(y: Expr, shape: Expr) -> Expr:
    """Return the level below a multiple y of the mean; the shape is in multiples of it too. Source: Shuster (1968)."""
    first, second = (sympy.sqrt(shape / (2 * y)) * (y - side) for side in (1, -1))
    return sympy.erfc(-first) / 2 + sympy.exp(2 * shape) * sympy.erfc(second) / 2


def _factored(expr: Expr) -> Expr:
    """Write a polynomial as a product, whose sign shows."""
    return sympy.factor(expr) if expr.is_polynomial(x) and not steep(expr) else sympy.expand(expr)


def _named(law: Law, text: str) -> Expr:
    assert law.name is not None
    names = {key: with_logs_of_primes(value) for key, value in law.name.parameters.items()}
    return parse(text, place="the distribution function", names={"x": x, **names})


def _is_level(below: Expr, above: Expr, part: Spread, start: Expr, given: Given) -> bool:
    """Are the slope, the value at the lower end and the sum as they have to be?"""
    on = part.interval
    return bool(
        zero(sympy.diff(below, x) - part.density, on, given)
        and zero(below + above - 1, on, given)
        and regular(below, on, given)
        and _starts_at(below, part, start, given)
    )


def _starts_at(below: Expr, part: Spread, start: Expr, given: Given) -> bool:
    found = value_at(below, Approach(x, part.low, "+"), given)
    return found is not None and bool(zero(found - start, None, given))
