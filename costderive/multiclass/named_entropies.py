"""Scoring rules of K classes by name, or by an entropy of one's own, each with its derivation.

>>> brier().rule.at(("0", "2/5", "3/10", "3/10"))
(67/50, 27/50, 37/50, 37/50)
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, log

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse, plain
from costderive.core.time_limit import limited
from costderive.costs.laws import x
from costderive.deciders.signs import nonnegative, positive
from costderive.multiclass.derive_classes import MulticlassDerivation
from costderive.multiclass.letters import predicted, require_free
from costderive.multiclass.search.simplex_moves import inner_forecasts, require_real
from costderive.multiclass.simplex import (
    MAX_CLASSES,
    GivenSimplexEntropy,
    SimplexEntropy,
    SymmetricEntropy,
    t,
)
from costderive.multiclass.simplex_moves import (
    ConcaveAlongSimplex,
    ConcaveSummands,
    FindSimplexWitness,
    NegativeNorm,
    SavageForAnyClasses,
    SavageForGivenClasses,
    is_concave,
    is_power,
)
from costderive.proof.claims import Move

SPARSE = 7  # of the forecasts inside at which an entropy is asked for a value


def brier() -> MulticlassDerivation:
    """Return the Brier score of any number of classes, ``1 - 2 p_i + sum p_j^2``.

    Source: Brier (1950); Gneiting and Raftery (2007), Example 1.
    """
    return power(2)


def log_score() -> MulticlassDerivation:
    """Return the log loss of any number of classes, ``-log p_i``, whose entropy is Shannon's.

    Source: Good (1952); Gneiting and Raftery (2007), Example 3.
    """
    return derive_entropy(SymmetricEntropy(x * log(x), -t))


def spherical() -> MulticlassDerivation:
    """Return the spherical score as a loss, ``-p_i/sqrt(sum p_j^2)``.

    Source: Gneiting and Raftery (2007), Example 2.
    """
    return pseudospherical(2)


def pseudospherical(alpha: Any = "a") -> MulticlassDerivation:
    """Return the pseudospherical score as a loss, ``-(p_i/(sum p_j^a)^(1/a))^(a - 1)`` with ``a > 1``.

    A letter stands for any number above 1.

    Raises:
        SpecError: if the exponent is at most 1.

    Source: Good (1971); Gneiting and Raftery (2007), Example 2.
    """
    a = _exponent(alpha, "pseudospherical.alpha")
    if nonnegative(1 - a):
        raise SpecError(f"pseudospherical.alpha = {a} is not above 1", "The spherical score has 2.")
    return derive_entropy(SymmetricEntropy(x**a, -(t ** (1 / a)), (a - 1,) if a.free_symbols else ()))


def power(alpha: Any = "a") -> MulticlassDerivation:
    """Return the rule of Tsallis's entropy ``(1 - sum p_j^a)/(a - 1)``, a > 0 but not 1; ``a = 2`` is the Brier score.

    A letter stands for any such number.

    Raises:
        SpecError: if the exponent is not positive, or 1.

    Source: Tsallis (1988); Gneiting and Raftery (2007), section 3.
    """
    a = _exponent(alpha, "power.alpha")
    if a == 1:
        raise SpecError("power.alpha = 1 gives 0/0", "Its limit is the log loss: log_score().")
    return derive_entropy(SymmetricEntropy(x**a, (1 - t) / (a - 1)))


def from_entropy(entropy: Any, classes: int, *, time_limit: float = 60.0) -> MulticlassDerivation:
    """Return the rule of an entropy in ``p0, p1, ...``, an expression or text, for a given number of classes.

    It is proper exactly if the entropy is concave on the simplex; the derivation's verdict says what was found.

    Raises:
        SpecError: if the number of classes is not from 2 to 8, or the entropy has other classes in it, or is not real
            and finite inside the simplex, or takes longer than ``time_limit`` seconds.

    Example:
        >>> from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3).verdict
        <Judgement.STRICTLY_PROPER: 'strictly proper'>
    """
    if isinstance(entropy, str):
        letters = {predicted(label).name: predicted(label) for label in range(MAX_CLASSES)}
        read = parse(entropy, place="entropy", names=letters)
    else:
        read = exact(plain(entropy, place="entropy"), place="entropy")
    given = GivenSimplexEntropy(read, classes)
    found: MulticlassDerivation = limited(time_limit, f"the rule of entropy = {read}", derive_entropy, given)
    return found


def derive_entropy(entropy: SimplexEntropy) -> MulticlassDerivation:
    """Derive the rule of an entropy: the Savage representation, and properness by concavity or a witness against it."""
    savage = SavageForAnyClasses() if isinstance(entropy, SymmetricEntropy) else SavageForGivenClasses()
    taken = MulticlassDerivation.by(entropy, savage)
    return taken.followed_by(_judge(taken.conclusion, taken.given))


def _judge(losses: Any, given: Any) -> Move:
    """Choose the move that shows the entropy concave, or looks for a witness that it is not."""
    entropy = losses.entropy_function
    if isinstance(entropy, GivenSimplexEntropy):
        require_real(
            {forecast: losses.at(forecast) for forecast in inner_forecasts(entropy.classes)[::SPARSE]}
        )
        return ConcaveAlongSimplex() if is_concave(losses, given) else FindSimplexWitness(entropy.classes)
    if entropy.outer.diff(t, 2) == 0:
        return ConcaveSummands()
    return NegativeNorm() if is_power(losses, given) else FindSimplexWitness()


def _exponent(alpha: Any, place: str) -> Expr:
    a = exact(alpha, place=place)
    if positive(a) is None or a.is_finite is False:
        raise SpecError(f"{place} = {a} is not positive", "Give a positive number or a letter.")
    require_free(frozenset(a.free_symbols), place)
    return a
