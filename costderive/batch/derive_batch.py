"""Rules of a batch by name, or by an entropy of one's own, each with its derivation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.batch.auc import FEWEST, AucScore, FindDependentLabels
from costderive.batch.auc_labels import AucAmong, Labels, SumOverWeighedPairs
from costderive.batch.batch_entropies import MAX_SMOOTH, LowestRule, SmoothRule
from costderive.batch.batch_moves import (
    ALPHA,
    PROPER,
    SLOPE,
    AddInstances,
    BendOfEntropy,
    BendOfNorm,
    FindBatchWitness,
    SumOverPairs,
    TouchFromAbove,
    is_concave,
)
from costderive.batch.linear_rules import MAX_INSTANCES, AdditiveRule, BatchLoss, NormRule, RankRule, quoted
from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse, plain
from costderive.core.numpy_on_demand import ArrayLike
from costderive.core.time_limit import limited
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.constructed_rules import prove, rule_from_entropy
from costderive.derivation.derivation import Derivation
from costderive.derivation.derived import OneCase
from costderive.rules import Judgement, Losses, ScoringRule
from costderive.rules.loss_pair import LossPair


@dataclass(frozen=True, slots=True, repr=False)
class BatchDerivation(OneCase):
    """A rule of a batch, and the steps that decide whether it is proper.

    >>> BatchDerivation.from_json(rank_based().to_json()) == rank_based()
    True
    """

    context: BatchLoss

    def score(self, y_true: ArrayLike, y_proba: ArrayLike) -> float:
        """Return the loss of a batch, of labels and probabilities of shape (n,); see `BatchRule.score`."""
        found: float = self.rule.score(y_true, y_proba)
        return found


def additive(base: Any, weights: Iterable[Any] | None = None) -> BatchDerivation:
    """Return the sum of the losses of a proper rule of one instance, each times its weight.

    The rule is a derivation, a `ScoringRule`, or its entropy in q as text or an expression. Weights are positive, one
    for each instance; without them, there may be any number of instances, and all weigh 1.

    Raises:
        SpecError: if the rule is not proper or has several cases, or a weight is not positive.

    Source: Parry (2016), section 2.3, Eq. (5) to (7).

    Example:
        >>> additive("q*(1 - q)/2", weights=(1, 3)).rule.exact((1, 0), ("1/2", "1/3"))
        7/24
    """
    derivation = _binary(base)
    known, losses = derivation.outcome[0]
    proper = derivation.verdict in PROPER and len(derivation.cases) == 1
    if not (proper and isinstance(losses, Losses | LossPair)):
        raise SpecError("the rule of one instance is not proper, or has several cases", "Take a proper one.")
    read = (
        None
        if weights is None
        else tuple(exact(w, place=f"weights[{n}]") for n, w in enumerate(_several(weights, "weights")))
    )
    for n, weight in enumerate(read or ()):
        if positive(weight) is None:
            raise SpecError(
                f"weights[{n}] = {weight} is not positive", "Leave out instances that do not count."
            )
    if read == ():
        raise SpecError("weights = () is empty", "Give one for each instance.")
    return BatchDerivation.by(AdditiveRule(losses, read, known), AddInstances(derivation))


def _binary(base: Any) -> Derivation:
    if isinstance(base, Derivation):
        return base
    return prove(base if isinstance(base, ScoringRule) else rule_from_entropy(base))


def homogeneous(alpha: Any = "a", instances: int | None = None) -> BatchDerivation:
    """Return the pseudospherical rule of a batch, ``S = -sum y_i w_i^(a-1)/norm^(a-1)`` with ``a > 1``.

    A letter stands for any exponent above 1. For ``"oo"`` it is the zero-one rule of the largest forecasts, shared out
    among equals; then ``instances`` is needed. It is proper, never strictly so: multiples of a forecast cost the same.

    Raises:
        SpecError: if the exponent is not above 1, or the number of instances is missing.

    Source: Parry (2016), section 2.4, Eq. (8) to (10).

    Example:
        >>> homogeneous(2).rule.exact((1, 0), ("3/5", "4/5"))
        -3/5
    """
    if alpha in ("oo", "inf", sympy.oo):
        count = _count(instances)
        return lowest([[f"-w{n}" for n in range(count)]], count)
    a = exact(alpha, place="homogeneous.alpha")
    if nonnegative(1 - a) or not (a.free_symbols or a.is_finite):
        raise SpecError(f"homogeneous.alpha = {a} is not above 1", "The spherical rule has 2.")
    return BatchDerivation.by(
        NormRule(a, SLOPE.subs(ALPHA, a), None if instances is None else _count(instances)), BendOfNorm()
    )


def rank_based(instances: int | None = None) -> BatchDerivation:
    """Return the rule of ranks ``S = -y . psi``, in which psi_i counts forecasts below the i-th less those above it.

    Source: Parry (2016), section 2.5, Eq. (11) and (12).

    Example:
        >>> rank_based().score([0, 1, 1], [0.2, 0.9, 0.4])
        -2.0
    """
    return BatchDerivation.by(RankRule(None if instances is None else _count(instances)), SumOverPairs())


def lowest(terms: Iterable[Iterable[Any]], instances: int) -> BatchDerivation:
    """Return the rule whose entropy is a sum of terms, each the least of affine functions of ``w0, w1, ...``.

    At a kink the loss is the mean of those of the functions that meet there. All rules of Bayes acts are of this kind.

    Raises:
        SpecError: if a function is not affine, or has other letters.

    Source: Parry (2016), Eq. (2), (10) and (27).

    Example:
        >>> lowest([["w0", "2*(1 - w0)"]], instances=1).rule.exact((1,), ("1/2",))
        1
    """
    count = _count(instances)
    read = tuple(
        tuple(_affine(_expression(piece, count, "terms")) for piece in _several(term, "terms"))
        for term in _several(terms, "terms")
    )
    return BatchDerivation.by(LowestRule(read, count), TouchFromAbove())


def auc_alone(instances: int = FEWEST) -> BatchDerivation:
    """Derive that the AUC is no scoring rule: labels that depend, under which another ranking expects a larger AUC.

    Their probabilities are the belief, so a scoring rule would expect least of them. For three instances or fewer
    ``n1 (n - n1)`` is one number whenever both classes occur, and the AUC is an affine change of the rule of ranks.

    Raises:
        SpecError: if there are fewer than four instances.

    Source: Parry (2016), section 2.5.

    Example:
        >>> found = auc_alone().conclusion.witness
        >>> found.truthful, found.better
        (-17/25, -37/50)
    """
    if not (type(instances) is int and FEWEST <= instances <= MAX_INSTANCES):
        problem = f"instances = {instances!r} is not a whole number from {FEWEST} to {MAX_INSTANCES}"
        raise SpecError(problem, "Write 4, say.")
    return BatchDerivation.by(AucScore(instances), FindDependentLabels())


def auc_among(labels: str) -> BatchDerivation:
    """Derive that the AUC is a proper scoring rule, of ``"independent"`` labels or of those that are ``"counted"``.

    It is never strictly proper: only the ranking counts. See `auc_alone` for labels of which nothing is known.

    Raises:
        SpecError: if it says something else of the labels.

    Source: Parry (2016), section 2.5, which takes the first from Byrne (2016).

    Example:
        >>> auc_among("independent").verdict
        <Judgement.PROPER: 'proper'>
    """
    if labels not in tuple(Labels):
        raise SpecError(
            f"labels = {labels!r:.60} is not a law of labels", 'Write "independent" or "counted".'
        )
    return BatchDerivation.by(AucAmong(Labels(labels)), SumOverWeighedPairs())


def from_entropy(entropy: Any, instances: int, *, time_limit: float = 60.0) -> BatchDerivation:
    """Return the rule of a smooth entropy in ``w0, w1, ...``, an expression or text, of up to four instances.

    It is proper exactly if the entropy is concave on the cube; the derivation's verdict says what was found.

    Raises:
        SpecError: if there are other letters, or too many instances, or it takes longer than ``time_limit`` seconds.

    Source: Parry (2016), Eq. (3).

    Example:
        >>> from_entropy("-w0^2 - w1^2 - w0*w1", instances=2).verdict
        <Judgement.STRICTLY_PROPER: 'strictly proper'>
    """
    count = _count(instances, MAX_SMOOTH)
    read = _expression(entropy, count, "entropy")
    found: BatchDerivation = limited(time_limit, f"the rule of entropy = {read}", _of_entropy, read, count)
    return found


def _of_entropy(read: Expr, count: int) -> BatchDerivation:
    rule = SmoothRule(read, tuple(sympy.diff(read, quoted(n)) for n in range(count)))
    sought = BatchDerivation.by(rule, FindBatchWitness())
    if sought.concluded is Judgement.UNDECIDED and is_concave(rule):
        return BatchDerivation.by(rule, BendOfEntropy())
    return sought


def _several(values: Any, name: str) -> Iterable[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SpecError(f"{name} = {values!r:.60} is not a tuple", "Write one entry for each.")
    return values


def _expression(given: Any, instances: int, place: str) -> Expr:
    letters = _letters(instances)
    if isinstance(given, str):
        read = parse(given, place=place, names=letters)
    else:
        read = exact(plain(given, place=place), place=place)
    others = read.free_symbols - set(letters.values())
    if others:
        name = min(symbol.name for symbol in others)
        raise SpecError(
            f"{place}: {name} is not a letter of these instances", f"Letters: w0 to w{instances - 1}."
        )
    return read


@cache
def _letters(instances: int) -> Mapping[str, Symbol]:
    return {quoted(n).name: quoted(n) for n in range(instances)}


def _affine(piece: Expr) -> Expr:
    """Return a function as the sum of a number and multiples of letters."""
    slopes = {letter: sympy.diff(piece, letter) for letter in piece.free_symbols}
    if any(slope.free_symbols for slope in slopes.values()):
        raise SpecError(f"terms: {piece} is not affine", "Smooth entropies are for from_entropy.")
    constant = piece.subs(dict.fromkeys(slopes, S.Zero))
    return constant + sympy.Add(*[slope * letter for letter, slope in slopes.items()])


def _count(instances: Any, most: int = MAX_INSTANCES) -> int:
    if isinstance(instances, bool) or not isinstance(instances, int) or not 1 <= instances <= most:
        raise SpecError(f"instances = {instances!r} is not a whole number from 1 to {most}", "Write 3, say.")
    return instances
