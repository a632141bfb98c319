"""The common names of scoring rules: which of them, if any, a rule is a multiple of, and between which bounds."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr, Integer, Rational, log, sqrt

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import p, s
from costderive.deciders.enclosure import differ
from costderive.derivation.derivation import Derivation, losses
from costderive.publish.formulas.printing import formula
from costderive.publish.words.document_blocks import Prose, prose
from costderive.publish.words.scene import listed
from costderive.rules import Losses

HALF, ONE = Rational(1, 2), Integer(1)
LARGEST = 40  # operations in a loss that is compared: those with a name have fewer

Values = tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A scoring rule with a common name: the upper ends of its pieces, and both losses on each, or of class y."""

    name: str
    ends: Values
    loss0: Values
    loss1: Values
    of_both: str = ""


def _mirrored(values: Values) -> Values:
    """Return the losses of class 1 of a rule that treats both classes alike."""
    return tuple(value.subs(p, 1 - p) for value in reversed(values))


def _symmetric(name: str, ends: Values, *loss0: Expr, of_both: str = "") -> Named:
    return Named(name, ends, loss0, _mirrored(loss0), of_both)


_RULES = (
    _symmetric("Brier score", (ONE,), p**2, of_both="(p - y)^2"),
    _symmetric("log loss", (ONE,), -log(1 - p)),
    _symmetric("exponential loss of boosting", (ONE,), sqrt(p) / sqrt(1 - p)),
    _symmetric("loss behind the H measure", (ONE,), p**3 * (4 - 3 * p)),
    _symmetric("absolute error", (ONE,), p, of_both="|p - y|"),
    _symmetric("zero-one loss", (HALF, ONE), Integer(0), ONE),
    _symmetric(
        "Inverse Score",
        (HALF, ONE),
        Rational(1, 6) - (1 - 2 * p) / (6 * (1 - p) ** 2),
        Rational(5, 6) - 1 / (3 * p),
    ),
)


@dataclass(frozen=True, slots=True)
class Common:
    """The common name of a rule, the factor of it that a rule is, and the bounds of its thresholds, if these differ."""

    name: str
    factor: Expr
    bounds: tuple[Expr, Expr] | None = None

    @property
    def in_title(self) -> str:
        """The name in a title."""
        return f"bounded {self.name}" if self.bounds else self.name


_WEIGHTS = {
    "Brier score": sympy.Integer(2),
    "log loss": 1 / (s * (1 - s)),
    "exponential loss of boosting": (s * (1 - s)) ** Rational(-3, 2) / 2,
}


def common(derivation: Derivation) -> Common | None:
    """Return what is commonly known of the rule of which the derived losses are a multiple.

    >>> import costderive
    >>> common(costderive.derive(costderive.Harmonic("d")))
    Common(name='log loss', factor=d, bounds=None)
    """
    if len(derivation.cases) > 1:
        return None
    found = losses(derivation.cases[0])
    values = [piece.value for piece in (*found.loss0, *found.loss1)]
    if any(value.has(sympy.Integral) or value.count_ops() > LARGEST for value in values):
        return None
    given = derivation.cases[0].given
    factors = ((rule.name, _factor(found.loss0, found.loss1, rule, given)) for rule in _RULES)
    plain = next((Common(name, factor) for name, factor in factors if factor is not None), None)
    return plain or (_between_bounds(found, given) if isinstance(found, Losses) else None)


def multiple(factor: Expr) -> Prose:
    """Return what stands before the name of a rule that is multiplied by a factor."""
    if factor == 1:
        return ()
    return ("half ",) if factor == HALF else prose("{} times ", factor)


def named(rule: Common, source: Prose = ()) -> Prose:
    """Say which rule with a common name a rule is, with the factor."""
    name = prose("{}the {}{}", multiple(rule.factor), rule.name, source)
    if rule.bounds is None:
        return name
    text = "{} at the point of $[{}, {}]$ nearest to the report, less {}"
    return prose(text, name, *rule.bounds, _less(rule, rule.bounds))


def _less(rule: Common, bounds: tuple[Expr, Expr]) -> Prose:
    """Say which constant each class has less: the loss at the bound where it should be 0."""
    (known,) = [known for known in _RULES if known.name == rule.name]
    ends = zip((known.loss0, known.loss1), bounds, strict=True)
    constants = [_without_minus(rule.factor * loss.subs(p, end)) for (loss,), end in ends]
    if constants[0] == constants[1]:
        return prose("{} for each class", constants[0])
    parts = enumerate(constants)
    return listed(prose(f"{{}} for class {label}", value) for label, value in parts if value != 0)


def _without_minus(value: Expr) -> Expr:
    """Write less a logarithm as the logarithm of the inverse."""
    if not value.could_extract_minus_sign():
        return value
    return value.replace(log, lambda of: -log(1 / of, evaluate=False))


def of_both_classes(rule: Common) -> Prose:
    """Write the loss of class y, if the rule has one formula for both classes."""
    form = next(known.of_both for known in _RULES if known.name == rule.name)
    if not form or rule.bounds is not None:
        return ()
    factor = formula(r"{} \, ", rule.factor) if rule.factor != 1 else ""
    return prose(f"That is, $L_y(p) = {{}}{form}$: {{}}.", factor, named(rule))


def is_of_beta_family(found: Losses) -> bool:
    """Return whether a threshold weight is surely a multiple of ``s^a (1 - s)^b`` on all of (0, 1)."""
    first, *others = found.weight.density.pieces
    if others or found.weight.atoms or first.value.has(sympy.Integral) or first.value.count_ops() > LARGEST:
        return False
    slope = sympy.diff(sympy.expand_log(log(first.value), force=True), s)
    shape = sympy.cancel(s * (1 - s) * slope)
    return bool(shape.is_polynomial(s)) and sympy.degree(shape, s) <= 1


_SOURCES = {
    "Brier score": "[@Brier1950]",
    "log loss": "[@Good1952]",
    "exponential loss of boosting": "[@Buja2005]",
    "loss behind the H measure": "[@Hand2009]",
    "Inverse Score": "[@Grygorian2019, Theorem 3]",
}


def cited(name: str) -> Prose:
    """Return the source of a rule with a common name, if there is one."""
    return prose(f" {_SOURCES[name]}") if name in _SOURCES else ()


_NOTES = {
    "loss behind the H measure": (
        " There the threshold is the best one for each cost proportion, whatever probabilities are predicted; here "
        "it is $s$, so that the rule charges for bad calibration too."
    ),
}


def noted(name: str) -> str:
    """Say in what the source of a rule with a common name differs from an article on it, if it does."""
    return _NOTES.get(name, "")


def _between_bounds(found: Losses, given: Given) -> Common | None:
    """Return the rule whose threshold weight is that of one with a name, between bounds alone."""
    pieces = [piece for piece in found.weight.density if piece.value != 0]
    if len(pieces) != 1 or found.weight.atoms:
        return None
    (piece,) = pieces
    on = Interval(s, piece.low, piece.high)
    ratios = ((name, _constant(piece.value / weight, on, given)) for name, weight in _WEIGHTS.items())
    bounds = (piece.low, piece.high)
    return next((Common(name, ratio, bounds) for name, ratio in ratios if ratio is not None), None)


def _factor(loss0: Pieces, loss1: Pieces, rule: Named, given: Given) -> Expr | None:
    """Return the factor of which losses are those of a rule, if they are."""
    pieces = (*loss0, *loss1)
    if tuple(piece.high for piece in pieces) != (*rule.ends, *rule.ends):
        return None
    pairs = list(zip(pieces, (*rule.loss0, *rule.loss1), strict=True))
    if any(piece.value != 0 for piece, known in pairs if known == 0):
        return None
    ratios = {
        _constant(piece.value / known, Interval(p, piece.low, piece.high), given)
        for piece, known in pairs
        if known != 0
    }
    return ratios.pop() if len(ratios) == 1 else None


def _constant(ratio: Expr, on: Interval, given: Given) -> Expr | None:
    """Return what a ratio is throughout an interval, if it is constant there."""
    if differ(ratio, ratio.subs(on.variable, (on.low + on.high) / 2), on, given):
        return None  # at once, where to simplify takes seconds
    simple = sympy.simplify(ratio)
    return None if simple.has(on.variable) else simple
