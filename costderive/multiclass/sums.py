"""Sums of terms ``C x^n exp(-r x)`` with n = 0, 1, ... and r >= 0: closed under products, scaling and integrals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr, S

from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.deciders.signs import positive

Key = tuple[int, Expr]


class NotASumError(Exception):
    """An expression that is not such a sum."""


@dataclass(frozen=True, slots=True)
class ExponentialSum:
    """The coefficient of ``x^n exp(-r x)`` for each (n, r)."""

    terms: Mapping[Key, Expr]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Key, Expr]]) -> ExponentialSum:
        """Add up the coefficients of equal terms."""
        table: dict[Key, Expr] = {}
        for key, coefficient in pairs:
            table[key] = table.get(key, S.Zero) + coefficient
        return cls({key: coefficient for key, coefficient in table.items() if coefficient != 0})

    @classmethod
    def read(cls, expr: Expr, given: Given) -> ExponentialSum:
        """Read an expression in x.

        Raises:
            NotASumError: naming a term of another kind.
        """
        terms = sympy.Add.make_args(sympy.expand(expr))
        return cls.of(_term(term, given) for term in terms if term != 0)

    def __mul__(self, other: ExponentialSum) -> ExponentialSum:
        return self.of(
            ((n + m, r + s), a * b) for (n, r), a in self.terms.items() for (m, s), b in other.terms.items()
        )

    def __sub__(self, other: ExponentialSum) -> ExponentialSum:
        return self.of([*self.terms.items(), *((key, -c) for key, c in other.terms.items())])

    def at_multiple(self, factor: Expr) -> ExponentialSum:
        """Return the sum at ``factor x``."""
        return self.of(((n, sympy.expand(r * factor)), c * factor**n) for (n, r), c in self.terms.items())

    def antiderivative(self) -> ExponentialSum:
        """Return the one without a constant term; without exponentials it is 0 at 0, else 0 at infinity."""
        return self.of(found for (n, r), c in self.terms.items() for found in _antiderivative(n, r, c))

    def by_rate(self) -> tuple[ExponentialSum, ...]:
        """Return the sum in parts, one for each exponential."""
        rates = dict.fromkeys(rate for _, rate in self.terms)
        return tuple(
            ExponentialSum({key: c for key, c in self.terms.items() if key[1] == rate}) for rate in rates
        )

    def to_sympy(self) -> Expr:
        """Return the sum as an expression in x."""
        return sympy.Add(*[c * x**n * sympy.exp(-r * x) for (n, r), c in self.terms.items()])


ONE = ExponentialSum({(0, S.Zero): S.One})


def _term(term: Expr, given: Given) -> tuple[Key, Expr]:
    coefficient, rest = term.as_independent(x, as_Add=False)
    power, exponent = S.Zero, S.Zero
    for factor in sympy.Mul.make_args(rest):
        base, degree = factor.as_base_exp()
        if base == x and degree.is_Integer and degree.is_positive:
            power += degree
        elif isinstance(factor, sympy.exp):
            exponent += factor.args[0]
        elif factor != 1:
            raise NotASumError(term)
    rate = sympy.expand(-exponent / x)
    if rate.has(x) or not (rate == 0 or positive(rate, None, given)):
        raise NotASumError(term)
    return (int(power), rate), coefficient


def _antiderivative(n: int, rate: Expr, coefficient: Expr) -> Iterator[tuple[Key, Expr]]:
    if rate == 0:
        yield (n + 1, rate), coefficient / (n + 1)
        return
    for k in range(n + 1):
        yield (k, rate), -coefficient * sympy.ff(n, n - k) / rate ** (n - k + 1)
