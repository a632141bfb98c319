"""Scoring rules by name, with parameters that may be letters: proper ones by their threshold weight, others by losses.

Each function returns a rule with its derivation; ``NAMED`` lists them. A letter stands for a positive number.

>>> beta(1, 1).loss0
p**2/2
>>> zero_one().atoms
(Atom(at=1/2, mass=2),)
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import sympy
from sympy import Expr, Integer, Piecewise, Rational

from costderive.core.errors import SpecError
from costderive.core.expressions import call, exact
from costderive.core.expressions.exact_numbers import shown
from costderive.core.symbols import p, s
from costderive.core.toml_input import nearest
from costderive.deciders.signs import nonnegative
from costderive.derivation.constructed_rules import rule_from_losses, rule_from_weight
from costderive.rules import ScoringRule

HALF, ONE = Rational(1, 2), Integer(1)


MAX_PARAMETER = 10_000  # of Gamma functions, whose values have so many digits


def brier() -> ScoringRule:
    """Return the Brier score, ``p^2`` and ``(1 - p)^2``: the weight is 2 throughout.

    Source: Brier (1950).
    """
    return rule_from_weight(2)


def log_loss() -> ScoringRule:
    """Return the log loss, ``-log(1 - p)`` and ``-log(p)``: the weight is ``1/(s (1 - s))``.

    Source: Good (1952).
    """
    return rule_from_weight(1 / (s * (1 - s)))


def boosting() -> ScoringRule:
    """Return the loss of boosting, ``sqrt(p/(1 - p))`` and ``sqrt((1 - p)/p)``.

    Source: Buja, Stuetzle and Shen (2005).
    """
    return rule_from_weight((s * (1 - s)) ** Rational(-3, 2) / 2)


def geometric() -> ScoringRule:
    """Return the rule with the weight ``1/sqrt(s (1 - s))``, that of costs with a given geometric mean."""
    return rule_from_weight((s * (1 - s)) ** -HALF)


def beta(alpha: Any = "a", beta: Any = "b") -> ScoringRule:
    """Return the rule of the Beta family with the weight ``s^(alpha-1) (1-s)^(beta-1)``, alpha and beta above -1.

    Special cases up to a factor, with alpha = beta: -1/2 boosting, 0 the log loss, 1/2 geometric costs, 1 the Brier
    score, 2 the weight of the H-measure. Unequal exponents tailor it to thresholds other than 1/2.

    Source: Buja, Stuetzle and Shen (2005).
    """
    first, second = (exact(x, place=name) for x, name in ((alpha, "alpha"), (beta, "beta")))
    for value, name in ((first, "alpha"), (second, "beta")):
        if nonnegative(-1 - value):
            raise SpecError(f"{name} = {value} is not above -1", "Below that, a loss is infinite everywhere.")
    return rule_from_weight(s ** (first - 1) * (1 - s) ** (second - 1))


def power(alpha: Any = "1 + a") -> ScoringRule:
    """Return the rule of the power family, also Tsallis's: the weight is ``alpha (s^(alpha-2) + (1-s)^(alpha-2))``.

    Its entropy is ``(1 - q^alpha - (1-q)^alpha)/(alpha - 1)``, with alpha > 0: 1 gives the log loss, 2 twice the
    Brier score.

    Source: Gneiting and Raftery (2007), section 3.1.
    """
    order = _above_zero(alpha, "alpha")
    return rule_from_weight(order * (s ** (order - 2) + (1 - s) ** (order - 2)))


def pseudospherical(alpha: Any) -> ScoringRule:
    """Return the pseudospherical rule ``1 - (p/(p^alpha + (1-p)^alpha)^(1/alpha))^(alpha-1)`` for class 1, alpha > 1.

    2 gives the spherical score.

    Source: Gneiting and Raftery (2007), section 3.1.
    """
    order = _above_zero(alpha, "alpha")
    if nonnegative(1 - order):
        raise SpecError(f"alpha = {order} is not above 1", "The pseudospherical rules have alpha > 1.")
    norm = (p**order + (1 - p) ** order) ** (1 - 1 / order)
    return rule_from_losses(1 - (1 - p) ** (order - 1) / norm, 1 - p ** (order - 1) / norm)


def spherical() -> ScoringRule:
    """Return the spherical score, ``1 - (1-p)/sqrt(p^2 + (1-p)^2)`` and likewise for class 1.

    Source: Gneiting and Raftery (2007), section 3.1.
    """
    return pseudospherical(2)


def weighted_brier(alpha: Any = "a", beta: Any = "b") -> ScoringRule:
    """Return the Brier score of costs that add up to 2 and whose proportion has a Beta law.

    Source: Hand (2009), for Beta(2, 2).
    """
    return rule_from_weight(2 * _beta_density(alpha, beta))


def weighted_log(alpha: Any = "1 + a", beta: Any = "1 + b") -> ScoringRule:
    """Return the log loss with harmonic costs whose proportion has a Beta law."""
    return rule_from_weight(_beta_density(alpha, beta) / (s * (1 - s)))


def bounded_brier(low: Any = "l", high: Any = "h") -> ScoringRule:
    """Return the Brier score of thresholds between two bounds: the weight is ``2/(high - low)`` there, else 0."""
    first, last = _bounds(low, high)
    return rule_from_weight(_between(first, last, 2 / (last - first)), assuming=(last - first,))


def bounded_log(low: Any = "l", high: Any = "h") -> ScoringRule:
    """Return the log loss of thresholds between two bounds: the weight is ``1/((high - low) s (1 - s))`` there."""
    first, last = _bounds(low, high)
    weight = _between(first, last, 1 / ((last - first) * s * (1 - s)))
    return rule_from_weight(weight, assuming=(last - first,))


def winkler(baseline: Any = "q0", base: ScoringRule | None = None) -> ScoringRule:
    """Return the asymmetric rule that is 0 at a baseline and 1 better at both certain truths, up to constants.

    Its weight is that of the base (by default the Brier score) over ``L0(baseline)`` below the baseline, and over
    ``L1(baseline)`` above it.

    Source: Winkler (1994).
    """
    at = exact(baseline, place="baseline")
    if at.is_number and not (at.is_positive and (1 - at).is_positive):
        raise SpecError(f"baseline = {at} is not inside (0, 1)", "A baseline is a probability.")
    of = brier() if base is None else base
    below, above = of.weight / of.loss0.subs(p, at), of.weight / of.loss1.subs(p, at)
    return rule_from_weight(Piecewise((below, s <= at), (above, True)))


def h_measure() -> ScoringRule:
    """Return the rule with the weight of the H-measure, ``12 s (1 - s)``: additive costs with a Beta(2, 2) law.

    Source: Hand (2009).
    """
    return rule_from_weight(12 * s * (1 - s))


def net_benefit(threshold: Any = "t0") -> ScoringRule:
    """Return the loss of net benefit at one threshold: 1 for a missed case, ``t/(1-t)`` for a false alarm.

    Source: Vickers and Elkin (2006).
    """
    at = exact(threshold, place="threshold")
    return rule_from_weight(0, {at: 1 / (1 - at)})


def zero_one() -> ScoringRule:
    """Return the misclassification loss: an atom of mass 2 at 1/2."""
    return rule_from_weight(0, {HALF: 2})


def weighted_zero_one(c0: Any = "a", c1: Any = "b") -> ScoringRule:
    """Return the cost of decisions under known costs: an atom of mass ``c0 + c1`` at ``c0/(c0 + c1)``."""
    first, second = (_above_zero(cost, name) for cost, name in ((c0, "c0"), (c1, "c1")))
    return rule_from_weight(0, {first / (first + second): first + second})


def absolute() -> ScoringRule:
    """Return the absolute error, ``p`` and ``1 - p``, which is not proper."""
    return rule_from_losses(p, 1 - p)


def focal(gamma: Any = 2) -> ScoringRule:
    """Return the focal loss, ``-p^gamma log(1 - p)`` and likewise for class 1, which is not proper.

    Source: Lin et al. (2017); Charoenphakdee et al. (2021).
    """
    order = _above_zero(gamma, "gamma")
    return rule_from_losses(-(p**order) * sympy.log(1 - p), -((1 - p) ** order) * sympy.log(p))


NAMED: dict[str, Callable[..., ScoringRule]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        brier,
        log_loss,
        boosting,
        geometric,
        beta,
        power,
        pseudospherical,
        spherical,
        weighted_brier,
        weighted_log,
        bounded_brier,
        bounded_log,
        winkler,
        h_measure,
        net_benefit,
        zero_one,
        weighted_zero_one,
        absolute,
        focal,
    )
}


__all__ = ["NAMED", "named", *(function.__name__ for function in NAMED.values())]  # noqa: PLE0604


def __dir__() -> list[str]:
    return sorted(__all__)


def named(text: str) -> ScoringRule:
    """Return the rule that a text names, with its parameters: ``"brier"``, ``"beta(2, a)"``, ``"focal(1/2)"``.

    Raises:
        SpecError: if there is no rule of that name, or its parameters are not possible.

    >>> named("power(2)").loss0
    2*p**2
    """
    if not isinstance(text, str):
        raise SpecError(f"{shown(text)} is not the name of a scoring rule", f"Names: {', '.join(NAMED)}.")
    name, mark, rest = text.partition("(")
    name = name.strip().replace("_", "-")
    if name not in NAMED:
        raise SpecError(
            f"{text[:60]!r} does not name a scoring rule", f"{nearest(name, NAMED)}Names: {', '.join(NAMED)}."
        )
    called = call(f"rule({rest}" if mark else "rule()", place=text[:60], functions=("rule",))
    build = NAMED[name]
    least, most = _counts(build)
    if called is None or not least <= len(called[1]) <= most:
        raise SpecError(
            f"{text[:60]} is not {name} with {_numbers(least, most)}",
            f"See costderive.families.{build.__name__}.",
        )
    return build(*called[1])


def _counts(build: Callable[..., ScoringRule]) -> tuple[int, int]:
    """Return how few and how many parameters a family takes as text; a base rule is not counted."""
    found = [x for x in signature(build).parameters.values() if x.name != "base"]
    return sum(x.default is Parameter.empty for x in found), len(found)


def _numbers(least: int, most: int) -> str:
    count = str(most) if least == most else f"{least} to {most}"
    return f"{count} {'parameter' if most == 1 else 'parameters'}"


def _above_zero(value: Any, name: str) -> Expr:
    read = exact(value, place=name)
    if nonnegative(-read):
        raise SpecError(f"{name} = {read} is not positive", "Give a positive number, or a letter.")
    if (read - MAX_PARAMETER).is_positive:
        raise SpecError(f"{name} = {sympy.Float(read, 3)} is above {MAX_PARAMETER}", "Give a smaller number.")
    return read


def _beta_density(alpha: Any, beta: Any) -> Expr:
    first, second = _above_zero(alpha, "alpha"), _above_zero(beta, "beta")
    whole = sympy.gamma(first) * sympy.gamma(second) / sympy.gamma(first + second)
    return s ** (first - 1) * (1 - s) ** (second - 1) / whole


def _bounds(low: Any, high: Any) -> tuple[Expr, Expr]:
    first, last = exact(low, place="low"), exact(high, place="high")
    if nonnegative(first - last) or first.is_negative or (last - 1).is_positive:
        problem = f"the bounds {first} and {last} are not in order inside [0, 1]"
        raise SpecError(problem, "Write the lower bound first: low < high.")
    return first, last


def _between(low: Expr, high: Expr, value: Expr) -> Piecewise:
    return Piecewise((0, s <= low), (value, s <= high), (0, True))
