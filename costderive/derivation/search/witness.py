"""The search for a belief and a report that is better than the truth, and for values that make the rule proper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice, product

import mpmath
import sympy
from sympy import Dummy, Expr, Integral, Rational, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.deciders.admissible import admissible
from costderive.deciders.identities import zero
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.derivation.moves.any_losses import FindWeight, JudgeProperness
from costderive.derivation.moves.witness import ChangeValues, FindWitness
from costderive.rules import Improperness, RepairedProperness, Witness
from costderive.rules.loss_pair import Limits, LossPair, Value

ZERO, ONE = sympy.S.Zero, sympy.S.One
DENOMINATORS, FINE, SHARES = 16, 240, 4
NEAR, MOST_NEAR, SAMPLES = (Rational(2, 5), Rational(7, 8), Rational(9, 8), Rational(8, 5)), 256, 8
TRIES, SYMBOLIC_TRIES, REPORTS = 12, 60, 2
DIGITS = 30
CLEAR = 1e-12  # a smaller difference of two risks, relative to them, is not worth an exact decision
Sampled = dict[Symbol, Expr]


def find_witness(move: FindWitness, before: LossPair, given: Given) -> Improperness:
    """Try suspects, the simplest first."""
    for belief, report in _suspects(before, given):
        witness = _witness(before, belief, report, given)
        if witness is not None:
            return Improperness(before, witness)
    raise SpecError("no report was found that is better than the truth", "The pair may be proper.")


def witness_halfway(pair: LossPair, given: Given, replies: list[Expr]) -> Witness | None:
    """Return a witness at replies, breakpoints, the belief indifferent between 0 and 1, or halfway between two."""
    anchors = [*_anchors(pair, given), *replies]
    halfway = (shortly((a + b) / 2) for a, b in combinations(anchors, 2))
    tried = _failing(pair, list(dict.fromkeys([*anchors, *halfway])), given)[:SYMBOLIC_TRIES]
    return next(filter(None, (_witness(pair, *suspect, given) for suspect in tried)), None)


def shortly(expr: Expr) -> Expr:
    """Write a quotient over one denominator, and in it no product of exponentials."""
    short = sympy.factor(expr)
    return short if short.is_rational_function() else sympy.powsimp(short, deep=True)


def _witness(pair: LossPair, belief: Expr, report: Expr, given: Given) -> Witness | None:
    truth, other = pair.at(belief, given), pair.at(report, given)
    if truth is None or other is None:
        return None
    risks = truth.risk(belief), other.risk(belief)
    for truthful, better in dict.fromkeys(((_plain(risks[0]), _plain(risks[1])), risks)):
        if not truthful.has(Integral) and truthful.is_infinite:
            return None
        if positive(truthful - better, None, given):
            return Witness(belief, report, truthful, better)
    return None


def _plain(expr: Expr) -> Expr:
    """Return a short writing, in which equal values of the Gamma function are seen to be equal."""
    if expr.has(Integral):
        return expr
    one = expr.replace(sympy.gamma, lambda shape: sympy.gamma(sympy.cancel(shape)))
    names = {node: Dummy("G", positive=True) for node in one.atoms(sympy.gamma)}
    short = one.xreplace(names)
    short = sympy.factor_terms(sympy.factor(short) if short.is_rational_function() else sympy.expand(short))
    plain = short.xreplace({name: node for node, name in names.items()})
    return plain if zero(plain - expr) else expr


def _suspects(pair: LossPair, given: Given) -> Iterator[tuple[Expr, Expr]]:
    """Yield pairs of a belief and a report that fail numerically, the simplest first, some of them."""
    if pair.parameters:
        found = _failing(pair, _symbolic_points(pair, given), given)
        yield from _few_reports(found)[:SYMBOLIC_TRIES]
        return
    inner = {
        value.at for value in pair.values[1:-1]
    }  # where a tie has to be thought of: plain beliefs come first
    coarse = sorted(_failing(pair, _simple_points(pair), given), key=lambda suspect: suspect[0] in inner)
    yield from coarse[:TRIES]
    if not coarse:
        yield from _failing(pair, _fine_points(pair), given, by_size=True)[:TRIES]


def _few_reports(suspects: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    """Keep the simplest reports against each belief."""
    found: dict[Expr, list[tuple[Expr, Expr]]] = {}
    for belief, report in suspects:
        found.setdefault(belief, []).append((belief, report))
    kept = {suspect for group in found.values() for suspect in group[:REPORTS]}
    return [suspect for suspect in suspects if suspect in kept]


def _simple_points(pair: LossPair) -> list[Expr]:
    """Return fractions and breakpoints, the simplest first."""
    return list(dict.fromkeys([*_fractions(DENOMINATORS), *[value.at for value in pair.values]]))


def _symbolic_points(pair: LossPair, given: Given) -> list[Expr]:
    """Return breakpoints, the belief that is indifferent between 0 and 1, points between these, and fractions."""
    anchors = _anchors(pair, given)
    between = [a + share * (b - a) for a, b in combinations(anchors, 2) for share in _fractions(SHARES)[2:]]
    between += [_beside(a, b, c) for a in anchors for b, c in combinations(anchors, 2) if a not in (b, c)]
    return list(dict.fromkeys([*anchors, *map(sympy.factor, between), *_fractions(SHARES)]))


def _beside(place: Expr, first: Expr, second: Expr) -> Expr:
    """Return a point between a place and the nearer of two others on one side of it, whichever that is."""
    gaps = first - place, second - place
    return place + gaps[0] * gaps[1] / (gaps[0] + gaps[1])


def _anchors(pair: LossPair, given: Given) -> list[Expr]:
    return list(dict.fromkeys([value.at for value in pair.values] + indifferent(pair, given)))


def _fractions(most: int) -> list[Expr]:
    """Return the fractions in [0, 1] up to a denominator, 0 and 1 first."""
    found = {Rational(k, n) for n in range(1, most + 1) for k in range(n + 1)}
    return sorted(found, key=lambda x: (x.q, abs(2 * x.p - x.q), x.p))


def indifferent(pair: LossPair, given: Given) -> list[Expr]:
    """Return the belief under which the reports 0 and 1 are equally good, if there is one in (0, 1)."""
    low, high = pair.values[0], pair.values[-1]
    gains = high.loss0 - low.loss0, low.loss1 - high.loss1
    if any(x.has(Integral) or x.is_finite is False or not positive(x, None, given) for x in gains):
        return []
    return [sympy.factor(gains[0] / (gains[0] + gains[1]))]


def _fine_points(pair: LossPair) -> list[Expr]:
    """Return many points, more of them near the breakpoints and the ends."""
    places = [value.at for value in pair.values]
    steps = [sign * Rational(1, 2**n) for n in range(2, 24) for sign in (1, -1)]
    near = [_near(place, step) for place in places for step in steps]
    return list(dict.fromkeys([*places, *[Rational(k, FINE) for k in range(FINE + 1)], *near]))


def _near(place: Expr, step: Expr) -> Expr:
    return min(max(Rational(sympy.Rational(str(sympy.N(place, 12)))) + step, ZERO), ONE)


def _failing(
    pair: LossPair, candidates: list[Expr], given: Given, *, by_size: bool = False
) -> list[tuple[Expr, Expr]]:
    """Return the pairs of candidates at which truth loses more than the report, for no sampled parameters less.

    First are those at which it loses more for all of them.
    """
    samples = _samples(pair, given) if pair.parameters else [{}]
    if not samples:
        return []
    found = [_gaps(pair.subs(sample), candidates, sample) for sample in samples]
    size: dict[tuple[int, int], tuple[bool, float]] = {}
    for i, j in product(range(len(candidates)), repeat=2):
        gaps = [table[i][j] for table in found]
        if min(gaps) >= 0 and max(gaps) > 0:
            size[i, j] = min(gaps) == 0, -max(gaps) if by_size else max(i, j)
    order = sorted(size, key=lambda place: (size[place], sum(place)))
    return [(candidates[i], candidates[j]) for i, j in order]


def _samples(pair: LossPair, given: Given) -> list[Sampled]:
    """Return numbers for the parameters that satisfy the facts: some, or those near one that a longer search finds."""
    known = given.also(positive=pair.parameters)
    found = points(set(pair.parameters), None, given) or [*filter(None, [admissible(known)])]
    more = () if len(found) >= SAMPLES else (near for one in found for near in _beside_sample(one, known))
    return [*found, *more]


def _beside_sample(one: Sampled, given: Given) -> list[Sampled]:
    """Return numbers that differ from others in each letter, and satisfy the facts as well."""
    moved = (
        {letter: factor * value for (letter, value), factor in zip(one.items(), factors, strict=True)}
        for factors in product(NEAR, repeat=len(one))
    )
    return [sample for sample in islice(moved, MOST_NEAR) if given.holds_at(sample)][:SAMPLES]


def _gaps(pair: LossPair, candidates: list[Expr], sample: Sampled) -> list[list[float]]:
    """Return by how much the truth under each belief loses more than each report, 0 where it is not clear."""
    places = [float(at) if at.is_finite else math.nan for at in (x.subs(sample) for x in candidates)]
    losses = [_numbers(pair, x.subs(sample)) for x in candidates]
    inside = [0 <= place <= 1 for place in places]
    return [
        [
            _gap(place, own, other) if is_belief and is_report else -1.0
            for other, is_report in zip(losses, inside, strict=True)
        ]
        for place, own, is_belief in zip(places, losses, inside, strict=True)
    ]


def _gap(belief: float, own: tuple[float, float], other: tuple[float, float]) -> float:
    truth, report = _risk(belief, own), _risk(belief, other)
    gap = truth - report
    is_clear = math.isfinite(gap) and abs(gap) > CLEAR * (abs(truth) + abs(report))
    return gap if is_clear else 0.0


def _risk(belief: float, losses: tuple[float, float]) -> float:
    """Return the expected loss; a loss that is infinite does not count where its class is impossible."""
    return (0.0 if belief == 1 else (1 - belief) * losses[0]) + (0.0 if belief == 0 else belief * losses[1])


def _numbers(pair: LossPair, point: Expr) -> tuple[float, float]:
    """Return both losses of a report as doubles, or not a number."""
    found = pair.at(_place(pair, point))
    return (math.nan, math.nan) if found is None else (_number(found.loss0), _number(found.loss1))


def _place(pair: LossPair, point: Expr) -> Expr:
    """Return a point that is no breakpoint as a fraction, whose side of each breakpoint is seen at once."""
    if point.is_Rational or any(point == value.at for value in pair.values):
        return point
    number = _number(point)
    return Rational(number) if math.isfinite(number) else point


def _number(expr: Expr) -> float:
    if expr.is_Rational or expr is sympy.oo:
        return float(expr)
    if expr is sympy.zoo:
        return math.nan
    try:
        value = sympy.lambdify((), expr, "mpmath")()
        return float(value) if mpmath.im(value) == 0 else math.nan
    except (TypeError, ValueError, ArithmeticError, NameError):
        return math.nan


def change_values(move: ChangeValues, before: Improperness, given: Given) -> RepairedProperness:
    """Put the limits in place of the values, and find the weight again."""
    limits = FindWeight().apply(before.losses, given).limits
    values = tuple(_mended(value, joint) for value, joint in zip(before.losses.values, limits, strict=True))
    weighed = FindWeight().apply(before.losses.with_values(values), given)
    return RepairedProperness(before, weighed, JudgeProperness().apply(weighed, given))


def _mended(value: Value, side: Limits) -> Value:
    limits = (side.right0, side.right1) if value.at == 0 else (side.left0, side.left1)
    return Value(value.at, *[sympy.oo if limit is None else limit for limit in limits])
