"""The moves that show a rule of a batch proper: its entropy is concave, and its slopes are supergradients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, permutations

import sympy
from sympy import Derivative, Expr, Matrix, Rational, S

from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness
from costderive.batch.batch_entropies import LowestRule, SmoothRule, affine_parts
from costderive.batch.linear_rules import (
    AdditiveRule,
    BatchLoss,
    Forecast,
    NormRule,
    RankRule,
    is_forecast,
    net_ranks,
    quoted,
    t,
    x,
)
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves.witness import judged_inside
from costderive.multiclass.simplex_moves import lagrange_claims
from costderive.proof.checker import claimed
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same
from costderive.rules.conclusions import Judgement, Undecided

UNIT, ABOVE, TOTAL = (
    Interval(x, S.Zero, S.One),
    Interval(x, S.Zero, S.Infinity),
    Interval(t, S.Zero, S.Infinity),
)
ALPHA = parameter("a")
SLOPE = -(x ** (ALPHA - 1)) * t ** ((1 - ALPHA) / ALPHA)
PROPER = (Judgement.PROPER, Judgement.STRICTLY_PROPER)


@dataclass(frozen=True, slots=True)
class AddInstances(Move):
    """A sum of proper losses of one instance each, with positive weights, is proper; strictly so if they are.

    ``base`` is the derivation of the losses of one instance: all of its claims are claims of this step.
    """

    base: Derivation

    def apply(self, before: AdditiveRule, given: Given) -> BatchProperness:
        return BatchProperness(before, self.base.concluded is Judgement.STRICTLY_PROPER)

    def claims(self, before: AdditiveRule, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        outcome = ((before.known, before.losses),)
        yield Same("its losses are those of the rule of one instance", outcome, self.base.outcome)
        of_one = tuple(claimed(self.base))
        assumed = {known for _, known in of_one} <= {given, Given()}
        yield Same("the rule of one instance assumes nothing else", assumed, True)
        yield from (claim for claim, _ in of_one)
        yield Same("the rule of one instance is proper", self.base.concluded in PROPER, True)
        strict = self.base.concluded is Judgement.STRICTLY_PROPER
        yield Same("it is strictly proper", after.strict, strict)
        for weight in before.weights or ():
            yield Positive("a weight is positive", weight)
        yield Same("nothing is said of equal losses", after.flat, None)


@dataclass(frozen=True, slots=True)
class BendOfNorm(Move):
    """The entropy is the negative of a norm: concave by the Cauchy-Schwarz inequality, and as homogeneous as a norm.

    Along v it bends by ``-k (t sum w_i^(a-2) v_i^2 - (sum w_i^(a-1) v_i)^2)``, with ``t = sum w_i^a``. By Lagrange's
    identity the bracket is half the sum over all i, j of ``w_i^(a-2) w_j^(a-2) (w_i v_j - w_j v_i)^2``. The entropy is
    continuous, so it is concave where probabilities are 0, too. A multiple of a forecast has the same slopes.
    """

    def apply(self, before: NormRule, given: Given) -> BatchProperness:
        belief = (Rational(1, 2),) * (before.instances or 2)
        return BatchProperness(before, False, (belief, tuple(q / 2 for q in belief)))

    def claims(self, before: NormRule, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        yield Positive("the exponent is above 1", before.alpha - 1)
        yield Equal("what a label of 1 adds", before.slope, SLOPE.subs(ALPHA, before.alpha), ABOVE)
        yield from _norm_claims()
        yield Same(
            "the rule is not strictly proper",
            (after.strict, _are_multiples(before, after.flat)),
            (False, True),
        )


def _norm_claims() -> Iterator[Claim]:
    """What holds of every exponent a above 1."""
    a, outer, inner = ALPHA, -(t ** (1 / ALPHA)), x**ALPHA
    slope = Derivative(outer, t) * Derivative(inner, x)
    yield Equal("what a label of 1 adds is the slope of the entropy", SLOPE, slope, ABOVE)
    yield Equal("the entropy is the forecast times its slopes", outer, a * t * Derivative(outer, t), TOTAL)
    yield Equal("a summand is as much of that as of the sum", x * Derivative(inner, x), a * inner, ABOVE)
    yield Regular("a summand is smooth", inner, ABOVE)
    yield from lagrange_claims(a, outer, inner, "instance", "instances", a - 1)
    along = x * Derivative(SLOPE, x) + a * t * Derivative(SLOPE, t)
    yield Equal("a multiple of a forecast has the same slopes", along, S.Zero, ABOVE)


Pair = tuple[Forecast, Forecast]


def _are_multiples(rule: NormRule, flat: Pair | None) -> bool:
    if flat is None or not _are_different(rule, flat) or not all(q > 0 for one in flat for q in one):
        return False
    return len({one / other for one, other in zip(*flat, strict=True)}) == 1


def _are_different(rule: BatchLoss, flat: Pair) -> bool:
    """Are these two different forecasts, for the instances of a rule?"""
    forecasts = all(is_forecast(one, rule.instances) for one in flat)
    return len(flat) == len(set(flat)) == 2 and forecasts and len(flat[0]) == len(flat[1])


@dataclass(frozen=True, slots=True)
class SumOverPairs(Move):
    """The rule of ranks is a sum over pairs of instances, and each pair is proper.

    With s the sign of ``w_i - w_j``, the pair adds ``-s`` to the loss if the label of i alone is 1, and s if that of j
    alone is. So it expects ``-s (q_i - q_j)``, which is at least ``-|q_i - q_j|``, what it expects of the truth.
    """

    def apply(self, before: RankRule, given: Given) -> BatchProperness:
        return BatchProperness(before, False, ranked_alike(before.instances))

    def claims(self, before: RankRule, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        q, r = quoted(0), quoted(1)
        for larger, smaller in ((q, r), (r, q)):
            for sign in (-1, 0, 1):
                expected, truth = -sign * (q - r), -(larger - smaller)
                yield NonNegative(
                    "a pair expects least of the truth", expected - truth, None, (larger - smaller,)
                )
        yield Same("the rule is not strictly proper", after.strict, False)
        yield Same("two forecasts have the same loss", are_ranked_alike(before, after.flat), True)


def ranked_alike(instances: int | None) -> Pair:
    """Return two forecasts with the same ranks."""
    others = (instances or 2) - 1
    low, high = (Rational(1, 4),) * others, (Rational(1, 3),) * others
    return (*low, Rational(1, 3)), (*high, S.Half)


def are_ranked_alike(rule: BatchLoss, flat: Pair | None) -> bool:
    """Are these two different forecasts, for the instances of a loss, with the same ranks?"""
    return flat is not None and _are_different(rule, flat) and net_ranks(flat[0]) == net_ranks(flat[1])


@dataclass(frozen=True, slots=True)
class TouchFromAbove(Move):
    """A sum of least affine functions: at a report, the mean of those that are the least there is above all of them.

    The loss is the value of these affine functions at the labels, so it expects their value at the probabilities of the
    labels, and each is at least the least of them.
    """

    def apply(self, before: LowestRule, given: Given) -> BatchProperness:
        return BatchProperness(before, False)

    def claims(self, before: LowestRule, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        letters = {S.One, *before.letters}
        for term in before.terms:
            parts = [affine_parts(piece) for piece in term]
            yield Same("a term is the least of something", bool(term), True)
            known = all(found.keys() <= letters for found in parts)
            yield Same("its functions are affine in the letters of instances", known, True)
            real = all(number.is_real for found in parts for number in found.values())
            yield Same("their coefficients are real", real, True)
        yield Same("nothing is said of strictness", (after.strict, after.flat), (False, None))


# ---- smooth entropies


@dataclass(frozen=True, slots=True)
class BendOfEntropy(Move):
    """The Hessian is negative definite, or semi-definite, for all probabilities inside (0, 1).

    Its negative has positive leading principal minors (Sylvester), or all its principal minors are at least 0.
    """

    def apply(self, before: SmoothRule, given: Given) -> BatchProperness:
        known = Given().also(positive=_inside(before))
        signs = [positive(_written(m, _inside(before)), None, known) for m in _leading(before)]
        return BatchProperness(before, None not in signs)

    def claims(self, before: SmoothRule, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        yield Same("nothing is said of equal losses", after.flat, None)
        for letter, slope in zip(before.letters, before.slopes, strict=True):
            yield Regular(
                "the entropy is smooth",
                before.entropy_function,
                Interval(letter, S.Zero, S.One),
                _inside(before),
            )
            yield Equal("a slope of the entropy", slope, sympy.diff(before.entropy_function, letter), None)
        facts = _inside(before)
        for minor in _leading(before) if after.strict else _principal(before):
            written, kind = _written(minor, facts), Positive if after.strict else NonNegative
            yield Equal("a principal minor of the bend", written, minor, Interval(quoted(0), S.Zero, S.One))
            yield kind("it has its sign", written, None, facts)


def _inside(rule: SmoothRule) -> tuple[Expr, ...]:
    return tuple(1 - letter for letter in rule.letters)


@cache
def _bend(rule: SmoothRule) -> Matrix:
    return -sympy.hessian(rule.entropy_function, rule.letters)


@cache
def _leading(rule: SmoothRule) -> tuple[Expr, ...]:
    return tuple(_minor(rule, tuple(range(size))) for size in range(1, rule.instances + 1))


@cache
def _principal(rule: SmoothRule) -> tuple[Expr, ...]:
    sizes = range(1, rule.instances + 1)
    return tuple(_minor(rule, kept) for size in sizes for kept in combinations(range(rule.instances), size))


def _minor(rule: SmoothRule, kept: tuple[int, ...]) -> Expr:
    """Return a principal minor as the sum over permutations: to simplify on the way can take minutes."""
    bend = _bend(rule)
    terms = [
        sympy.Mul(sympy.LeviCivita(*order), *[bend[kept[i], kept[j]] for i, j in enumerate(order)])
        for order in permutations(range(len(kept)))
    ]
    return sympy.Add(*terms)


def is_concave(rule: SmoothRule) -> bool:
    """Return whether all principal minors of the bend are known not to be negative."""
    facts = _inside(rule)
    known = Given().also(nonnegative=facts)
    return all(nonnegative(_written(minor, facts), None, known) for minor in _principal(rule))


@cache
def _written(minor: Expr, facts: tuple[Expr, ...]) -> Expr:
    """Return a minor in the form whose sign is known: factored, or expanded."""
    factored, known = sympy.factor(minor), Given().also(nonnegative=facts)
    return factored if nonnegative(factored, None, known) else sympy.expand(minor)


@dataclass(frozen=True, slots=True)
class FindBatchWitness(Move):
    """Look for probabilities of the labels under which some report expects less than they do, among a few."""

    searched_by = "costderive.batch.witness_search:find_batch_witness"

    def claims(
        self, before: SmoothRule, after: BatchImproperness | Undecided, given: Given
    ) -> Iterator[Claim]:
        for letter, slope in zip(before.letters, before.slopes, strict=True):
            yield Equal("a slope of the entropy", slope, sympy.diff(before.entropy_function, letter))
        if isinstance(after, BatchImproperness):
            yield Same("nothing is said of a law of labels", after.law, ())
        yield from judged_inside(before, after, partial(_is_inside, before), before.expected)


def _is_inside(rule: SmoothRule, forecast: Forecast) -> bool:
    return is_forecast(forecast, rule.instances) and not {S.Zero, S.One} & set(forecast)
