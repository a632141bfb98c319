"""Powers of one base whose exponents have letters, written as one power with its exponent in lowest terms.

On a curve ``c0 = x^m``, ``c1 = x^n`` the odds have exponents like ``m/(m - n)`` and ``n/(m - n)``: they differ by 1.
"""

from __future__ import annotations

from collections import defaultdict

import sympy
from sympy import Add, Expr, Mul

Powers = dict[Expr, Expr]  # the exponent of each base
ZERO = sympy.S.Zero


def joined(expr: Expr) -> Expr:
    """Join powers in products, and take out of sums what all their terms have, up to whole powers.

    >>> u, k = sympy.symbols("u k", positive=True)
    >>> joined((u ** (k / (k - 1)) + u ** (1 / (k - 1))) * u ** (1 / (1 - k)))
    u + 1
    """
    if expr.is_Add:
        return _of_sum([_powers(term) for term in expr.args])
    return _written(_powers(expr)) if expr.is_Mul or expr.is_Pow else expr


def _powers(expr: Expr) -> Powers:
    """Return the exponents of the bases in a product; what is no power is one itself."""
    found = defaultdict[Expr, Expr](lambda: ZERO)
    for factor in Mul.make_args(expr):
        base, exponent = factor.as_base_exp()
        inner = joined(base)
        parts = _powers(inner) if inner.is_Mul and exponent.is_Integer else {inner: sympy.S.One}
        for part, power in parts.items():
            found[part] += power * exponent
    return {base: sympy.cancel(exponent) for base, exponent in found.items()}


def _written(powers: Powers) -> Expr:
    return Mul(*[base**exponent for base, exponent in powers.items()])


def _of_sum(terms: list[Powers]) -> Expr:
    """Take out of a sum the powers with letters whose exponents differ by whole numbers in all of its terms."""
    first, *_ = terms
    taken = {base: exponent for base in first if (exponent := _least(base, terms)) is not None}
    rest = [
        {**term, **{base: sympy.cancel(term[base] - exponent) for base, exponent in taken.items()}}
        for term in terms
    ]
    return _written(taken) * Add(*map(_written, rest))


def _least(base: Expr, terms: list[Powers]) -> Expr | None:
    """Return the least exponent of a base in all terms, if it has letters and the others are more by whole numbers."""
    exponents = [term.get(base, ZERO) for term in terms]
    more = [sympy.cancel(exponent - exponents[0]) for exponent in exponents]
    whole = exponents[0].free_symbols and all(gap.is_Integer for gap in more)
    return sympy.cancel(exponents[0] + min(more)) if whole else None
