"""Gauss's hypergeometric function, by the name that mpmath and SciPy give it."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr
from sympy.core.function import ArgumentIndexError


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
