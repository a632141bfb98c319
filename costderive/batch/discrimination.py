"""How well a rule of a batch separates a report from the truth: the squared mean of the difference over its variance.

Near the truth no rule does better than the covariance of the labels allows: with the direction v, the covariance C and
the negative Hessian M of the entropy, ``(v' M v)^2/(v' M C M v) <= v' C^-1 v`` by the Cauchy-Schwarz inequality for
``C^(1/2) M v`` and ``C^(-1/2) v``. They are equal exactly if v is an eigenvector of ``C M``.

Source: Parry (2016), section 5, Eq. (28) and (32).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy import Expr, Matrix, Rational

from costderive.batch.linear_rules import BatchRule, Forecast, numbers
from costderive.core.errors import SpecError
from costderive.core.expressions import exact

Rows = Iterable[Iterable[Any]]


def discrimination(
    rule: BatchRule, report: Iterable[Any], belief: Iterable[Any], covariance: Rows | None = None
) -> Expr:
    """Return ``E[D]^2/var[D]`` of the difference D between the losses of a report and of the truth.

    The covariance is that of the labels; without it they are independent. It is invariant under a change of scale.

    Raises:
        SpecError: if a loss is infinite, the difference has no variance, or the covariance is not a covariance matrix.

    Example:
        >>> from costderive.batch import additive
        >>> discrimination(additive("q*(1 - q)").rule, ("1/2", "1/2"), ("1/2", "1/4"))
        1/12
    """
    believed = numbers(belief, rule.instances, "belief")
    reported, true = rule.at(report), rule.at(believed)
    pairs = zip(reported.parts, true.parts, strict=True)
    slopes = Matrix([(one - zero) - (other - none) for (zero, one), (none, other) in pairs])
    variance = (slopes.T * _covariance(believed, covariance) * slopes)[0]
    if not (variance.is_positive and variance.is_finite):
        raise SpecError(
            f"the variance of the difference is {variance}", "Give two forecasts of finite, different loss."
        )
    found: Expr = (reported.expected(believed) - true.expected(believed)) ** 2 / variance
    return found


def _covariance(belief: Forecast, given: Rows | None) -> Matrix:
    if given is None:
        return sympy.diag(*[q * (1 - q) for q in belief])
    return _square(given, len(belief), "covariance")


def _square(given: Rows, size: int, name: str) -> Matrix:
    rows = [[exact(entry, place=name) for entry in row] for row in given]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise SpecError(f"{name} is not a {size} by {size} matrix", "Give one row for each instance.")
    found = Matrix(rows)
    if found != found.T:
        raise SpecError(f"{name} is not symmetric", "Its entries are those of pairs of instances.")
    return found


def discrimination_limit(curvature: Rows, direction: Sequence[Any], covariance: Rows) -> Expr:
    """Return what the discrimination tends to, over ``e^2``, for the report ``truth + e v`` as e tends to 0.

    The curvature is the negative Hessian of the entropy at the truth; it and the covariance are positive definite.

    Source: Parry (2016), Eq. (32).

    Example:
        >>> discrimination_limit([[1, 0], [0, 4]], (1, 1), [[1, 0], [0, 1]])
        25/68
    """
    v = Matrix([exact(entry, place="direction") for entry in direction])
    bend = _square(curvature, len(v), "curvature")
    spread = _square(covariance, len(v), "covariance")
    found: Expr = Rational(1, 4) * (v.T * bend * v)[0] ** 2 / (v.T * bend * spread * bend * v)[0]
    return found


def discrimination_bound(direction: Sequence[Any], covariance: Rows) -> Expr:
    """Return ``v' C^-1 v/4``, which no rule's limit of the discrimination exceeds, and that of some rule reaches.

    Raises:
        SpecError: if the covariance is not symmetric, or singular.

    Example:
        >>> discrimination_bound((1, 1), [[1, 0], [0, 1]])
        1/2
    """
    v = Matrix([exact(entry, place="direction") for entry in direction])
    spread = _square(covariance, len(v), "covariance")
    if spread.det() == 0:
        raise SpecError("covariance is singular", "Leave out labels that the others determine.")
    found: Expr = Rational(1, 4) * (v.T * spread.inv() * v)[0]
    return found
