"""Costs with parts in common, none of which can be taken out: a curve, or the joint density of the costs.

The density of two costs is that of two parts times the change of area, added up over the places that have these costs;
of three parts one is integrated out.

Source: Casella and Berger (2002), Statistical Inference, section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from typing import TypeAlias

import sympy
from sympy import Add, Expr, Heaviside, Max, Min, Mul, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.costs.contexts import Context, Curve, Joint, Mixture
from costderive.costs.contexts.kinks import Gaps, smooth_parts
from costderive.costs.laws import Law, Spread, x
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.parts.functions_of_one import image
from costderive.derivation.parts.integrals import CLOSED, antiderivatives, integral
from costderive.derivation.parts.law_of_expression import as_named
from costderive.derivation.parts.two_quantities import leading

Costs: TypeAlias = tuple[Expr, Expr] | sympy.Tuple
Laws: TypeAlias = Mapping[Symbol, Law]
SHARES = "the parts of both costs"
SHARED = (
    "Costs with parts in common are read if they are left with one part, with two that they determine, or with three "
    "of which they determine two; give the joint density of the costs as Joint, or the law of a common part as numbers."
)


def of_shared_parts(costs: Costs, laws: Laws) -> Context:
    """Return the context of two costs that are written in one, two or three parts.

    Raises:
        SpecError: if the costs do not determine their parts, or an integral is not found in closed form.
    """
    if len(laws) == 1:
        return _curve(costs, *laws.items())
    return _of_two(costs, laws) if len(laws) == 2 else _joint(_with_hidden(costs, laws))


def _curve(costs: Costs, known: tuple[Symbol, Law]) -> Curve:
    part, law = known
    first, second = (cost.subs(part, x) for cost in costs)
    return Curve(first, second, law)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The density of two costs where all gaps are positive."""

    density: Expr
    gaps: Gaps


def _joint(found: Iterable[_Piece], share: Expr = S.One) -> Joint:
    """Join densities with a total: what bounds all of them is the support, other bounds are steps."""
    pieces = list(found)
    support = tuple(gap for gap in pieces[0].gaps if all(gap in piece.gaps for piece in pieces))
    steps = [[Heaviside(gap) for gap in piece.gaps if gap not in support] for piece in pieces]
    density = Add(*[Mul(piece.density / share, *inside) for piece, inside in zip(pieces, steps, strict=True)])
    return Joint.over(density, tuple(dict.fromkeys((c0, c1, *support))))


# ---- two parts


def _of_two(costs: Costs, laws: Laws) -> Context:
    """Return a joint density, and a curve for each piece of the costs in which one part alone is left."""
    parts = tuple(laws)
    cut = list(smooth_parts(sympy.Tuple(*costs), parts, degree=1))
    alone = (_alone(*piece, laws) for piece in cut if not set(parts) <= piece[0].free_symbols)
    curves = [found for found in alone if found is not None]
    areas = [piece for piece in cut if set(parts) <= piece[0].free_symbols]
    left = sympy.factor(1 - Add(*[share for share, _ in curves]))
    pieces = chain.from_iterable(_pieces(*piece, laws) for piece in areas)
    joint = [(left, _joint(pieces, left))] if areas and left != 0 else []
    return Mixture(*curves, *joint) if len(curves) + len(joint) > 1 else (*curves, *joint)[0][1]


def _alone(costs: sympy.Tuple, inside: Gaps, laws: Laws) -> tuple[Expr, Curve] | None:
    """Return the probability that a gap between two parts is positive, and the curve of the one that is left then.

    Return ``None`` if it never is.
    """
    part, other = sorted(laws, key=lambda letter: not costs.has(letter))
    slopes = [sympy.diff(gap, letter) for gap in inside for letter in (part, other)]
    if len(inside) != 1 or not all(slope.is_number and slope.is_nonzero for slope in slopes):
        where = " and ".join(f"{as_named(gap)} > 0" for gap in inside)
        raise SpecError(f"the costs {_shown(costs)} depend on one of their parts alone where {where}", SHARED)
    bound = sympy.expand(part - inside[0] / slopes[0]).subs(other, x)
    law = leading(
        Max if slopes[0].is_positive else Min, laws[part], image(laws[other], bound, SHARES), SHARES
    )
    if not law.spreads:
        return None
    total = Add(*[integral(f.density, (f.low, f.high), f.interval, law.given(), SHARES) for f in law.spreads])
    shares = Law(tuple(Spread(f.low, f.high, f.density / total) for f in law.spreads))
    return total, _curve(costs, (part, shares.knowing(laws[part].assumed)))


def _pieces(costs: sympy.Tuple, inside: Gaps, laws: Laws) -> Iterator[_Piece]:
    """Yield the joint density of what two parts make, for each piece of their laws."""
    inverse = _inverse(costs, tuple(laws))
    for spreads in product(*(law.spreads for law in laws.values())):
        yield _piece(inverse, dict(zip(laws, spreads, strict=True)), inside)


def _piece(inverse: tuple[Expr, ...], spreads: Mapping[Symbol, Spread], inside: Gaps) -> _Piece:
    """Return the density of the parts as functions of the costs, times the change of area."""
    values = dict(zip(spreads, inverse, strict=True))
    gaps = [gap.subs(values) for gap in (*_ends(spreads), *inside)]
    given = Given().also(positive=tuple(gap for gap in gaps if gap.is_polynomial(c0, c1)))
    area = _oriented(sympy.Matrix(inverse).jacobian([c0, c1]).det(), given)
    densities = [f.density.subs(x, values[part]) for part, f in spreads.items()]
    bounds = dict.fromkeys(_cleared(gap, given) for gap in gaps)
    return _Piece(Mul(*densities, area), tuple(bound for bound in bounds if _bounds_costs(bound)))


def _ends(spreads: Mapping[Symbol, Spread]) -> Iterator[Expr]:
    """Yield what is positive where parts are in the supports of their densities."""
    for part, f in spreads.items():
        yield part - f.low
        if f.high is not S.Infinity:
            yield f.high - part


def _inverse(costs: Costs, parts: tuple[Symbol, ...]) -> tuple[Expr, ...]:
    """Return the parts as functions of the costs; there must be one solution."""
    equations = [cost - wanted for cost, wanted in zip(costs, (c0, c1), strict=True)]
    try:
        found = sympy.solve(equations, parts, dict=True)
    except NotImplementedError:
        found = []
    if len(found) != 1 or set(found[0]) != set(parts):
        raise SpecError(f"the costs {_shown(costs)} do not determine their parts", SHARED)
    return tuple(found[0][part] for part in parts)


def _shown(costs: Costs) -> str:
    return " and ".join(str(as_named(cost)) for cost in costs)


def _cleared(gap: Expr, given: Given) -> Expr:
    """Multiply a bound by its denominator, which is positive or negative where the costs are."""
    top, bottom = sympy.fraction(sympy.together(gap))
    return _without_roots(sympy.expand(top if _oriented(bottom, given) == bottom else -top), given)


def _bounds_costs(gap: Expr) -> bool:
    return gap.has(c0, c1) and not gap.is_positive


def _without_roots(gap: Expr, given: Given) -> Expr:
    """Write ``sqrt(x) > y`` as ``x > y^2`` where both are positive, and so for other roots."""
    powers = [node.exp for node in gap.atoms(sympy.Pow) if node.has(c0, c1) and node.exp.is_Rational]
    degree, terms = sympy.ilcm(1, 1, *[power.q for power in powers]), Add.make_args(gap)
    more, less = sympy.sift(terms, lambda term: bool(positive(term, None, given)), binary=True)
    if degree == 1 or not (len(more) == len(less) == 1 and positive(-less[0], None, given)):
        return gap
    return sympy.expand(more[0] ** degree - (-less[0]) ** degree)


def _oriented(factor: Expr, given: Given) -> Expr:
    """Return a factor or its negative, whichever is positive where the costs are."""
    for oriented in (factor, -factor):
        if positive(oriented, None, given):
            return oriented
    raise SpecError(f"the sign of {factor} is open", SHARED)


# ---- three parts, of which one is integrated out


def _with_hidden(costs: Costs, laws: Laws) -> list[_Piece]:
    """Return the joint density of both costs for each piece of the laws: first a part in both is integrated out."""
    if len(laws) != 3 or sympy.Tuple(*costs).has(Max, Min):
        names = ", ".join(sorted(str(as_named(part)) for part in laws))
        raise SpecError(f"the costs {_shown(costs)} share some of the parts {names}", SHARED)
    refusals = []
    for hidden in sorted(laws, key=lambda part: not all(cost.has(part) for cost in costs)):
        try:
            return list(_over(hidden, costs, laws))
        except SpecError as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _over(hidden: Symbol, costs: Costs, laws: Laws) -> Iterator[_Piece]:
    own = tuple(part for part in laws if part != hidden)
    first, second = (cost.subs(hidden, x) for cost in costs)
    values = {hidden: x} | dict(zip(own, _inverse((first, second), own), strict=True))
    for spreads in product(*(laws[part].spreads for part in values)):
        yield _integrated(costs, values, dict(zip(values, spreads, strict=True)))


def _integrated(costs: Costs, values: Mapping[Symbol, Expr], spreads: Mapping[Symbol, Spread]) -> _Piece:
    """Integrate over the part whose value is x; the other ones have values that the costs determine then."""
    inverse = [value for value in values.values() if value != x]
    area = _oriented(sympy.Matrix(inverse).jacobian([c0, c1]).det(), Given())
    gaps = [_cleared(gap.subs(values), Given()) for gap in _ends(spreads)]
    fixed, moving = sympy.sift(gaps, lambda gap: not gap.has(x), binary=True)
    lows, highs = _bounds_of(moving, costs)
    bounds = dict.fromkeys([*fixed, *(sympy.expand(high - low) for low, high in product(lows, highs))])
    integrand = Mul(area, *[f.density.subs(x, values[part]) for part, f in spreads.items()])
    support = tuple(bound for bound in bounds if bound.has(c0, c1))
    return _Piece(_decidable(_between(integrand, lows, highs, costs), support), support)


def _decidable(density: Expr, support: Gaps) -> Expr:
    """Write a density, if that is found, so that it is seen to be nowhere negative: nothing but its writing changes."""
    writings = (sympy.powsimp(density), density, sympy.factor(density))
    return next((writing for writing in writings if _is_nonnegative(writing, support)), density)


def _is_nonnegative(density: Expr, support: Gaps) -> bool:
    parts = smooth_parts(density, (c0, c1), (c0, c1, *support))
    return all(nonnegative(part, None, Given().also(positive=inside)) for part, inside in parts)


def _bounds_of(gaps: list[Expr], costs: Costs) -> tuple[list[Expr], list[Expr]]:
    """Return the least and the greatest values of the part in both where all gaps, linear in it, are positive."""
    lows, highs = list[Expr](), list[Expr]()
    for gap in gaps:
        slope = sympy.diff(gap, x)
        if slope.has(x, c0, c1) or (not (rises := positive(slope, None)) and not positive(-slope, None)):
            raise SpecError(f"the bounds of a part of the costs {_shown(costs)} are no lines", SHARED)
        (lows if rises else highs).append(sympy.expand(x - gap / slope))
    return lows or [S.Zero], highs or [S.Infinity]


def _between(integrand: Expr, lows: list[Expr], highs: list[Expr], costs: Costs) -> Expr:
    """Integrate over the part in both, between the greatest of its lower bounds and the least of its upper ones."""
    inside = Given().also(positive=(*(x - low for low in lows), *(high - x for high in highs)))
    for found in antiderivatives(integrand, Interval(x, lows[0], highs[0]), inside):
        whole = found.subs(x, Min(*highs)) - found.subs(x, Max(*lows))
        if not whole.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
            return sympy.expand(whole)
    raise SpecError(f"the density of the costs {_shown(costs)} is not found in closed form", CLOSED)
