"""Gauss's hypergeometric function, and the integral of Euler that it stands for.

For ``0 < b < c`` and ``z < 1``, ``B(b, c - b) 2F1(a, b; c; z)`` is the integral over all positive t of
``t^(b - 1) (1 + t)^(a - c) (1 + (1 - z) t)^(-a)``.

Source: NIST Digital Library of Mathematical Functions, 15.6.1, with ``t/(1 + t)`` for its variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Integral, Mul, Pow
from sympy.core.function import ArgumentIndexError

from costderive.core.symbols import u


class hyp2f1(sympy.Function):  # noqa: N801  # numbers are computed by the function of mpmath of this name
    """The function ``2F1(a, b; c; z)`` for real parameters and ``z < 1``.

    >>> from sympy.abc import z
    >>> hyp2f1(1, 1, 2, z).diff(z), hyp2f1(1, 1, 2, sympy.Rational(1, 2)).n(15)
    (hyp2f1(2, 2, 3, z)/2, 1.38629436111989)
    """

    nargs = 4

    def fdiff(self, argindex: int = 4) -> Expr:
        """Return the slope in z.

        Raises:
            ArgumentIndexError: for a slope in a parameter, which has no form.
        """
        if argindex != 4:
            raise ArgumentIndexError(self, argindex)
        a, b, c, z = self.args
        return a * b / c * hyp2f1(a + 1, b + 1, c + 1, z)

    def _eval_rewrite_as_hyper(self, a: Expr, b: Expr, c: Expr, z: Expr, **_: Any) -> Expr:
        return sympy.hyper((a, b), (c,), z)


@dataclass(frozen=True, slots=True)
class EulerTerm:
    """The integrand ``factor x^(n b - 1) (1 + x^n/scale)^(a - c) (1 + (1 - z) x^n/scale)^(-a)`` for ``x > 0``.

    Its integral over all positive x is ``coefficient 2F1(a, b; c; z)``.
    """

    factor: Expr
    n: Expr
    scale: Expr
    a: Expr
    b: Expr
    c: Expr
    z: Expr
    coefficient: Expr

    @property
    def parts(self) -> tuple[Expr, ...]:
        """All of which a term is made."""
        return self.factor, self.n, self.scale, self.a, self.b, self.c, self.z, self.coefficient

    def integrand(self, x: Expr) -> Expr:
        """Return the integrand as a function of what is positive."""
        t = x**self.n / self.scale
        sums = Pow(1 + t, self.a - self.c) * Pow(1 + (1 - self.z) * t, -self.a)
        return self.factor * x ** (self.n * self.b - 1) * sums

    @property
    def whole(self) -> Expr:
        """What the coefficient has to be, with ``t = x^n/scale`` for the variable of Euler's integral."""
        gammas = sympy.gamma(self.b) * sympy.gamma(self.c - self.b) / sympy.gamma(self.c)
        return self.factor * self.scale**self.b / self.n * gammas

    @property
    def value(self) -> Expr:
        """The integral, with the hypergeometric function."""
        return self.coefficient * hyp2f1(self.a, self.b, self.c, self.z)


@dataclass(frozen=True, slots=True)
class EulerIntegral:
    """An integral from some value on, and the terms that its integrand is the sum of, in the distance to that value."""

    integral: Expr
    terms: tuple[EulerTerm, ...]

    @property
    def value(self) -> Expr:
        """The integral, with hypergeometric functions."""
        return sympy.Add(*[term.value for term in self.terms])


def by_integrals(expr: Expr) -> Expr:
    """Write each hypergeometric function as the integral that it stands for."""
    return expr.replace(hyp2f1, _integral)


def _integral(a: Expr, b: Expr, c: Expr, z: Expr) -> Expr:
    integrand = Mul(u ** (b - 1), Pow(1 + u, a - c), Pow(1 + (1 - z) * u, -a))
    return Integral(integrand, (u, 0, sympy.oo)) / sympy.beta(b, c - b)
