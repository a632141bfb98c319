"""The laws of a count that have names: of repeats, cases or tries, each a table of whole numbers with probabilities.

They are of use as a part of a cost, such as ``5*cases + 1``. Those without a greatest value are cut off at one that is
given, and are conditional on not exceeding it: a rule has one term for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.costs.laws.law import Law, Mass
from costderive.deciders.signs import nonnegative

MOST = 60


def binomial(count: Any, probability: Any) -> Law:
    """Return the law of how many of ``count`` independent cases happen: 0, 1, ..., count <= 60."""
    n, p = _whole("binomial.count", count), _probability("binomial.probability", probability)
    return _counts(range(n + 1), lambda k: sympy.binomial(n, k) * p**k * (1 - p) ** (n - k), S.One)


def poisson(mean: Any, most: Any) -> Law:
    """Return the Poisson law with this mean, given that the count is at most ``most`` <= 60."""
    m, n = _positive("poisson.mean", mean), _whole("poisson.most", most)
    weights = [m**k / sympy.factorial(k) for k in range(n + 1)]
    return _counts(range(n + 1), lambda k: weights[k], sympy.Add(*weights))


def geometric(probability: Any, most: Any) -> Law:
    """Return the law of the number of tries up to the first success, given that it is at most ``most`` <= 60."""
    p, n = _probability("geometric.probability", probability), _whole("geometric.most", most)
    return _counts(range(1, n + 1), lambda k: p * (1 - p) ** (k - 1), 1 - (1 - p) ** n)


COUNTING: Mapping[str, Callable[..., Law]] = {law.__name__: law for law in (binomial, poisson, geometric)}


def _counts(values: range, weight: Callable[[int], Expr], total: Expr) -> Law:
    return Law(masses=tuple(Mass(sympy.Integer(k), sympy.cancel(weight(k) / total)) for k in values))


def _whole(place: str, value: Any) -> int:
    read = exact(value, place=place)
    if not (read.is_Integer and 1 <= read <= MOST):
        raise SpecError(
            f"{place} = {read} is not a whole number from 1 to {MOST}", "Each count is a term of the rule."
        )
    return int(read)


def _positive(place: str, value: Any) -> Expr:
    read = exact(value, place=place)
    if not (read.is_positive and read.is_finite is not False):
        raise SpecError(f"{place} = {read} is not positive", "Give a positive number or a parameter.")
    return read


def _probability(place: str, value: Any) -> Expr:
    read = _positive(place, value)
    if nonnegative(read - 1):
        raise SpecError(f"{place} = {read} is not between 0 and 1", "Give a probability or a parameter.")
    return read
