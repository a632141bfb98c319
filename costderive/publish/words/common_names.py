"""The common names of scoring rules: which of them, if any, a rule is a multiple of."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr, Integer, Rational, log, sqrt

from costderive.core.piecewise import Pieces
from costderive.core.symbols import p
from costderive.derivation.derivation import Derivation, losses

HALF, ONE = Rational(1, 2), Integer(1)
LARGEST = 40  # operations in a loss that is compared: those with a name have fewer

Values = tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A scoring rule with a common name: the upper ends of its pieces, and both losses on each."""

    name: str
    ends: Values
    loss0: Values
    loss1: Values


def _mirrored(values: Values) -> Values:
    """Return the losses of class 1 of a rule that treats both classes alike."""
    return tuple(value.subs(p, 1 - p) for value in reversed(values))


def _symmetric(name: str, ends: Values, *loss0: Expr) -> Named:
    return Named(name, ends, loss0, _mirrored(loss0))


_RULES = (
    _symmetric("Brier score", (ONE,), p**2),
    _symmetric("log loss", (ONE,), -log(1 - p)),
    _symmetric("exponential loss of boosting", (ONE,), sqrt(p) / sqrt(1 - p)),
    _symmetric("absolute error", (ONE,), p),
    _symmetric("zero-one loss", (HALF, ONE), Integer(0), ONE),
    _symmetric(
        "Inverse Score",
        (HALF, ONE),
        Rational(1, 6) - (1 - 2 * p) / (6 * (1 - p) ** 2),
        Rational(5, 6) - 1 / (3 * p),
    ),
)


def common_name(derivation: Derivation) -> str:
    """Return the common name of the rule of which the derived losses are a multiple; empty if there is none.

    >>> import costderive
    >>> common_name(costderive.derive(costderive.Harmonic("d")))
    'log loss'
    """
    if len(derivation.cases) > 1:
        return ""
    found = losses(derivation.cases[0])
    values = [piece.value for piece in (*found.loss0, *found.loss1)]
    if any(value.has(sympy.Integral) or value.count_ops() > LARGEST for value in values):
        return ""
    return next((rule.name for rule in _RULES if _is_multiple(found.loss0, found.loss1, rule)), "")


def _is_multiple(loss0: Pieces, loss1: Pieces, rule: Named) -> bool:
    pieces = (*loss0, *loss1)
    if tuple(piece.high for piece in pieces) != (*rule.ends, *rule.ends):
        return False
    pairs = [(piece.value, known) for piece, known in zip(pieces, (*rule.loss0, *rule.loss1), strict=True)]
    ratios = {sympy.simplify(value / known) for value, known in pairs if known != 0}
    same_zeros = all(value == 0 for value, known in pairs if known == 0)
    return same_zeros and len(ratios) == 1 and not ratios.pop().has(p)
