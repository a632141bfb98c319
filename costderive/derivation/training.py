"""Rules to train with: where a rule is flat, where training can start, and tails that teach a model to come back.

Where the threshold weight has no density the losses are constant but for jumps: their gradient is 0, and a model whose
predictions lie there stays where it is.
"""

from __future__ import annotations

import math
from typing import Any

import mpmath
import sympy
from sympy import Expr

from costderive.core.errors import ParametersLeftError, SpecError
from costderive.core.expressions import exact
from costderive.core.expressions.exact_numbers import shown
from costderive.core.piecewise import Interval, Measure, Piece, Pieces
from costderive.core.symbols import q, s
from costderive.derivation.constructed_rules import prove, rule_from_weight
from costderive.derivation.derivation import Derivation
from costderive.rules import ScoringRule

DIGITS = 2  # of the size of tails: any size will do


def flat_parts(rule: ScoringRule | Derivation) -> tuple[Interval, ...]:
    """Return the parts of (0, 1) in which the gradient of both losses is 0, in ascending order; ends belong to none.

    Raises:
        ParametersLeftError: if the rule has several cases.
        SpecError: if it has no threshold weight: it is improper, or was not found to be proper.

    >>> from costderive import Additive, derive
    >>> flat_parts(derive(Additive(budget=2, density="uniform(1/20, 3/10)")))
    (Interval(variable=s, low=0, high=1/20), Interval(variable=s, low=3/10, high=1))
    """
    density = _weight(_rule(rule)).density
    return tuple(density.interval(piece) for piece in _joined(density) if piece.value == 0)


def training_start(rule: ScoringRule | Derivation, rate: Any) -> float:
    """Return a logit from which a model can start to learn by the gradient of a rule.

    ``rate`` is the share of class 1 in the data, between 0 and 1. Its logit, the start of log loss, is returned if the
    rule is not flat there; else that of the middle of the nearest part in which it is not. Give it for each row to
    LightGBM (``init_score``) and XGBoost (``base_margin``), or as the bias of a linear or last layer.

    Raises:
        SpecError: for a rate that is not between 0 and 1, or if the rule is flat everywhere.
        ParametersLeftError: if letters of the rule have no numbers.

    >>> from costderive import Additive, derive
    >>> rule = derive(Additive(budget=2, density="uniform(1/20, 3/10)")).rule
    >>> training_start(rule, 0.1) == math.log(0.1 / 0.9)
    True
    >>> round(training_start(rule, 0.002), 3)  # the logit of 0.175
    -1.551
    """
    share = _number(rate, "rate")
    if not 0 < share < 1:
        raise SpecError(
            f"rate = {shown(rate)} is not between 0 and 1", "It is the share of class 1 in the data."
        )
    chosen = _rule(rule)
    _require_numbers(chosen)
    density = _weight(chosen).density
    parts = [(float(piece.low), float(piece.high)) for piece in _joined(density) if piece.value != 0]
    if not parts:
        raise SpecError(
            "the rule has no gradient: its threshold weight has atoms alone",
            "Train with with_tails(rule), or with a law of the costs.",
        )
    low, high = min(parts, key=lambda part: max(part[0] - share, share - part[1]))
    inside = share if low < share < high else (low + high) / 2
    return math.log(inside) - math.log1p(-inside)


def with_tails(rule: ScoringRule | Derivation, share: Any = "1/10") -> ScoringRule:
    """Return a rule whose gradient is 0 nowhere: the rule itself, and log loss where it is flat.

    Where the threshold weight has a density nothing changes but a constant for each class. Where it has none, the
    tails have the weight ``size/(s (1 - s))`` of a log loss; its ``size`` is ``share`` times the mean of the entropy of
    the rule over that of log loss, in two digits. A sum of weights that are not negative is one: the result is strictly
    proper, and carries the proof as its ``derivation``. It is a surrogate: score with the rule itself.

    Raises:
        ParametersLeftError: if letters of the rule have no numbers.
        SpecError: if the share is not positive, or the rule has no threshold weight.

    Source: Buja, Stuetzle and Shen (2005), section 3, for sums of threshold weights.

    >>> from costderive import Additive, derive
    >>> with_tails(derive(Additive(budget=2, density="uniform(1/20, 3/10)"))).weight
    Piecewise((7/(250*s*(1 - s)), s <= 1/20), (8, s <= 3/10), (7/(250*s*(1 - s)), True))
    """
    chosen = _rule(rule)
    _require_numbers(chosen)
    density = _weight(chosen).density
    size = _size(chosen, density, _number(share, "share"))
    if not any(piece.value == 0 for piece in density):
        return chosen
    tail = Pieces(s, tuple(Piece(x.low, x.high, _tail(x, size)) for x in _joined(density)))
    return prove(chosen + rule_from_weight(tail.to_sympy())).rule


def _tail(piece: Piece, size: Expr) -> Expr:
    return size / (s * (1 - s)) if piece.value == 0 else sympy.S.Zero


def _rule(rule: ScoringRule | Derivation) -> ScoringRule:
    chosen = rule.rule if isinstance(rule, Derivation) else rule
    if not isinstance(chosen, ScoringRule):
        raise SpecError(
            f"{shown(chosen)} is not a scoring rule of two classes",
            "Pass a rule of two classes or a derivation: derive(context).",
        )
    return chosen


def _require_numbers(rule: ScoringRule) -> None:
    if rule.parameters:
        letters = ", ".join(symbol.name for symbol in rule.parameters)
        raise ParametersLeftError(
            f"{letters} of the rule have no numbers", "Give them with rule.at(...), and train with that rule."
        )


def _number(value: Any, name: str) -> float:
    found = exact(value, place=name)
    if not (found.is_number and found.is_finite):
        raise SpecError(f"{name} = {shown(value)} is not a number", f'Write {name}=0.1, or "1/10".')
    return float(found)


def _weight(rule: ScoringRule) -> Measure:
    _ = rule.only_case
    return rule.measures[0]


def _joined(density: Pieces) -> list[Piece]:
    """Join neighbouring pieces that are both 0, or both not."""
    joined: list[Piece] = []
    for piece in density:
        if joined and (joined[-1].value == 0) == (piece.value == 0):
            joined[-1] = Piece(joined[-1].low, piece.high, piece.value)
        else:
            joined.append(piece)
    return joined


def _size(rule: ScoringRule, density: Pieces, share: float) -> Expr:
    """Return the share times the mean entropy over that of log loss, which is 1/2, in few digits."""
    if share <= 0:
        raise SpecError(
            f"share = {share:g} is not positive", 'Write share="1/10", or another share of log loss.'
        )
    entropy = sympy.lambdify(q, rule.entropy, "mpmath")
    mean = mpmath.quad(entropy, [0, *map(float, density.breaks), 1])
    return sympy.Rational(mpmath.nstr(2 * mean * share, DIGITS))
