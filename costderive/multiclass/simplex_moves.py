"""The moves from an entropy on the simplex to its losses, and to properness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import sympy
from sympy import Derivative, Expr, Matrix, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.witness import judged_inside
from costderive.multiclass.letters import predicted
from costderive.multiclass.simplex import (
    GivenLosses,
    GivenSimplexEntropy,
    SimplexLosses,
    SimplexProperness,
    SymmetricEntropy,
    SymmetricLosses,
    t,
)
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same
from costderive.rules.conclusions import Improperness, Undecided

UNIT = Interval(x, S.Zero, S.One)
TOTAL = Interval(t, S.Zero, S.Infinity)
_y = Symbol("_y", positive=True)
_v, _w = sympy.symbols("_v _w", real=True)


@dataclass(frozen=True, slots=True)
class SavageForAnyClasses(Move):
    """Write the loss of a class by its probability and the sum t, for any number of classes."""

    searched_by = "costderive.multiclass.search.simplex_moves:savage_for_any_classes"

    def claims(self, before: SymmetricEntropy, after: SymmetricLosses, given: Given) -> Iterator[Claim]:
        yield Same("the entropy is the one before", before, after.entropy_function)
        weighed = x * Derivative(before.inner, x)
        combined = after.multiple * before.inner + after.slope * x
        yield Equal("x times the slope of a summand", weighed, combined, UNIT)
        varying = frozenset({x, t} & _letters(after.multiple, after.slope))
        yield Same("its coefficients are constants", varying, frozenset())
        slope = Derivative(before.outer, t) * (Derivative(before.inner, x) - after.multiple * t - after.slope)
        yield Equal("the Savage representation", after.loss, before.outer + slope, UNIT)


def _letters(*exprs: Expr) -> set[Symbol]:
    return set().union(*[expr.free_symbols for expr in exprs])


@dataclass(frozen=True, slots=True)
class ConcaveSummands(Move):
    """The entropy is, up to constants, a sum of concave functions of one probability each."""

    def apply(self, before: SymmetricLosses, given: Given) -> SimplexProperness:
        return SimplexProperness(before, positive(self._bend(before), UNIT, given) is not None)

    @staticmethod
    def _bend(losses: SymmetricLosses) -> Expr:
        entropy = losses.entropy_function
        return sympy.powsimp(sympy.simplify(-sympy.diff(entropy.outer, t) * sympy.diff(entropy.inner, x, 2)))

    def claims(self, before: SymmetricLosses, after: SimplexProperness, given: Given) -> Iterator[Claim]:
        entropy, bend = before.entropy_function, self._bend(before)
        yield Same("the losses are the ones before", before, after.losses)
        yield Equal("the outer function is linear", Derivative(entropy.outer, t, t), S.Zero, TOTAL)
        yield Regular("a summand is smooth", entropy.inner, UNIT)
        whole = -Derivative(entropy.outer, t) * Derivative(entropy.inner, x, x)
        yield Equal("the bend of a summand", bend, whole, UNIT)
        kind = Positive if after.strict else NonNegative
        yield kind("every summand is concave", bend, UNIT)


@dataclass(frozen=True, slots=True)
class NegativeNorm(Move):
    """The entropy is the negative of a norm: it is strictly concave along the simplex by the Cauchy-Schwarz inequality.

    Along v the entropy bends by ``-k (t sum p_j^(a-2) v_j^2 - (sum p_j^(a-1) v_j)^2)``, with ``t = sum p_j^a``. By
    Lagrange's identity the bracket is half the sum over all i, j of
    ``p_i^(a-2) p_j^(a-2) (p_i v_j - p_j v_i)^2``. That is 0 only if v is a multiple of p, which for components that
    add up to 0 means v = 0.
    """

    def apply(self, before: SymmetricLosses, given: Given) -> SimplexProperness:
        return SimplexProperness(before, True)

    def claims(self, before: SymmetricLosses, after: SimplexProperness, given: Given) -> Iterator[Claim]:
        entropy, a = before.entropy_function, before.multiple
        yield Same("the losses are the ones before", before, after.losses)
        yield Equal("a summand is a power", entropy.inner, x**a, UNIT)
        yield from lagrange_claims(a, entropy.outer, entropy.inner, "class", "classes")


def lagrange_claims(
    a: Expr, outer: Expr, inner: Expr, one: str, several: str, *facts: Expr
) -> Iterator[Claim]:
    """Along v the entropy ``outer(sum inner)`` bends by a multiple of what Lagrange's identity writes as squares.

    ``one`` and ``several`` are the words for what the sum is over.
    """
    yield Regular("the outer function is smooth", outer, TOTAL)
    k = Derivative(outer, t, t) * a**2
    yield Positive("the bend is not zero", sympy.diff(outer, t, 2), TOTAL, facts)
    own = -Derivative(outer, t) * Derivative(inner, x, x)
    yield Equal(f"what bends in one {one}", own, k * t * x ** (a - 2), TOTAL)
    both = Derivative(outer, t, t) * Derivative(inner, x) * sympy.diff(inner, x).subs(x, _y)
    yield Equal(f"what bends in two {several}", both, k * x ** (a - 1) * _y ** (a - 1), TOTAL)
    gap = x**a * _y ** (a - 2) * _w**2 + _y**a * x ** (a - 2) * _v**2
    gap -= 2 * x ** (a - 1) * _y ** (a - 1) * _v * _w
    square = x ** (a - 2) * _y ** (a - 2) * (x * _w - _y * _v) ** 2
    yield Equal(f"Lagrange's identity, for two {several} at a time", gap, square)


@dataclass(frozen=True, slots=True)
class SavageForGivenClasses(Move):
    """Write the loss of each class by the gradient of the entropy."""

    def apply(self, before: GivenSimplexEntropy, given: Given) -> GivenLosses:
        return GivenLosses(before, tuple(sympy.expand(loss) for loss in _tangents(before)))

    def claims(self, before: GivenSimplexEntropy, after: GivenLosses, given: Given) -> Iterator[Claim]:
        yield Same("the entropy is the one before", before, after.entropy_function)
        yield Same("every class has a loss", len(after.losses), before.classes)
        for label in range(before.classes):
            yield Regular("the entropy is smooth", before.entropy, _unit(label))
        for loss, tangent in zip(after.losses, _tangents(before), strict=False):
            yield Equal("the Savage representation", loss, tangent, _unit(0))


def _unit(label: int) -> Interval:
    return Interval(predicted(label), S.Zero, S.One)


def _tangents(entropy: GivenSimplexEntropy) -> list[Expr]:
    letters = [predicted(label) for label in range(entropy.classes)]
    slopes = [sympy.diff(entropy.entropy, letter) for letter in letters]
    level = entropy.entropy - sympy.Add(*[p * slope for p, slope in zip(letters, slopes, strict=True)])
    return [level + slope for slope in slopes]


@dataclass(frozen=True, slots=True)
class ConcaveAlongSimplex(Move):
    """The Hessian, along directions whose components add up to 0, is negative definite, or semi-definite.

    In the basis of the directions from the last class to each other one, its negative has positive leading principal
    minors (Sylvester), or all its principal minors are at least 0. All forecasts are ``p_i/(p0 + ... + p(K-1))``
    with free positive letters.
    """

    def apply(self, before: GivenLosses, given: Given) -> SimplexProperness:
        minors = _leading(before.entropy_function)
        return SimplexProperness(before, all(positive(minor, None, given) for minor in minors))

    def claims(self, before: GivenLosses, after: SimplexProperness, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        entropy = before.entropy_function
        if after.strict:
            for minor in _leading(entropy):
                yield Positive("a leading principal minor is positive", minor)
            return
        for minor in _principal(entropy):
            yield NonNegative("a principal minor is not negative", minor)


@cache
def _bend(entropy: GivenSimplexEntropy) -> Matrix:
    """Return the negative Hessian along ``e_i - e_last``, at free positive letters divided by their sum."""
    *letters, last = [predicted(label) for label in range(entropy.classes)]
    whole = sympy.Add(*letters, last)
    onto = {p: p / whole for p in (*letters, last)}
    slopes = [_along(entropy.entropy, p, last) for p in letters]
    bends = [[-_along(slope, p, last) for p in letters] for slope in slopes]
    return Matrix([[bend.subs(onto, simultaneous=True) for bend in row] for row in bends])


def _along(function: Expr, to: Symbol, away: Symbol) -> Expr:
    return sympy.diff(function, to) - sympy.diff(function, away)


@cache
def _leading(entropy: GivenSimplexEntropy) -> tuple[Expr, ...]:
    bend = _bend(entropy)
    return tuple(_determinant(bend, tuple(range(size))) for size in range(1, bend.rows + 1))


def _principal(entropy: GivenSimplexEntropy) -> Iterator[Expr]:
    bend = _bend(entropy)
    for size in range(1, bend.rows + 1):
        for kept in combinations(range(bend.rows), size):
            yield _determinant(bend, kept)


def _determinant(bend: Matrix, kept: tuple[int, ...]) -> Expr:
    return bend.extract(list(kept), list(kept)).det(method="berkowitz")


@dataclass(frozen=True, slots=True)
class FindSimplexWitness(Move):
    """Look for a belief under which some report costs less than the truth, among a few exact forecasts."""

    searched_by = "costderive.multiclass.search.simplex_moves:find_simplex_witness"

    classes: int = 3

    def claims(self, before: SimplexLosses, after: Improperness | Undecided, given: Given) -> Iterator[Claim]:
        yield from witness_claims(before, after)


def witness_claims(losses: ClassRule, after: Improperness | Undecided) -> Iterator[Claim]:
    """The belief and the report of a witness have the risks that it says, or the question is open."""
    yield from judged_inside(losses, after, _is_inside, losses.risk)


def _is_inside(forecast: Forecast) -> bool:
    return all(q.is_positive for q in forecast) and sum(forecast) == 1


def is_power(losses: SymmetricLosses, given: Given) -> bool:
    """Return whether the summand of an entropy is a power, as that of a norm is."""
    return zero(losses.entropy_function.inner - x**losses.multiple, UNIT, given) is not None


def is_concave(losses: GivenLosses, given: Given) -> bool:
    """Return whether all principal minors of the bend are known not to be negative."""
    return all(nonnegative(minor, None, given) for minor in _principal(losses.entropy_function))
