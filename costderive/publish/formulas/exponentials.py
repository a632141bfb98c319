"""Sums of exponentials, each times a rational function: what stands before each; products that are shorter as sums."""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Add, Expr, Mul, Symbol


def of_exponentials(expr: Expr) -> Mapping[Expr, Expr] | None:
    """Return the rational factor of each exponential, and of 1 if there is one; ``None`` if that is not all of it.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> of_exponentials(x * exp(x) + exp(x) / 2 - 3)
    {1: -3, exp(x): x + 1/2}
    """
    letters = {power: sympy.Dummy() for power in sorted(expr.atoms(sympy.exp), key=sympy.default_sort_key)}
    top, bottom = sympy.fraction(sympy.together(expr.xreplace(letters)))
    if not letters or bottom.has(*letters.values()) or not (top / bottom).is_rational_function():
        return None
    terms = sympy.Poly(top, *letters.values()).terms()
    if any(sum(degrees) > 1 for degrees, _ in terms):
        return None
    named = {letter: power for power, letter in letters.items()}
    found = {}
    for degrees, factor in terms:
        part = sympy.prod(letter**n for letter, n in zip(named, degrees, strict=True))
        found[part.xreplace(named)] = sympy.cancel(factor / bottom)
    return dict(sorted(found.items(), key=lambda item: item[0] != 1))


def collected(expr: Expr, letter: Symbol) -> Expr:
    """Write each exponential in a letter of a sum once, with what multiplies it as one fraction, if that is shorter.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> collected(1 - x * exp(-x) / 2 - exp(-x), x)
    -(x + 2)*exp(-x)/2 + 1
    """
    names = {
        power: sympy.Dummy(positive=True)
        for power in sorted(expr.atoms(sympy.exp), key=sympy.default_sort_key)
        if power.has(letter)
    }
    if not names:
        return expr
    groups = sympy.collect(sympy.expand_mul(expr.xreplace(names)), list(names.values()), evaluate=False)
    written = Add(*[sympy.factor(factor) * name for name, factor in groups.items()])
    found = written.xreplace({name: power for power, name in names.items()})
    return min(expr, found, key=sympy.count_ops)


def multiplied_in(expr: Expr) -> Expr:
    """Multiply an exponential into a sum of others, where that is shorter.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> multiplied_in((1 - exp(x - 2)) * exp(-x)), multiplied_in((1 - exp(-x)) * exp(x / 2))
    (-exp(-2) + exp(-x), (1 - exp(-x))*exp(x/2))
    """
    return expr.replace(lambda part: isinstance(part, Mul) and part.has(sympy.exp), _multiplied_in)


def _multiplied_in(product: Mul) -> Expr:
    """Multiply the exponential of a product into the first sum of exponentials, if that is shorter."""
    outside = next((x for x in product.args if isinstance(x, sympy.exp)), None)
    total = next((x for x in product.args if isinstance(x, Add) and x.has(sympy.exp)), None)
    if outside is None or total is None:
        return product
    spread = product / outside / total * Add(*[sympy.powsimp(term * outside) for term in total.args])
    return min(product, spread, key=_length)


def _length(expr: Expr) -> tuple[int, int]:
    """Count the exponentials with letters, and then the operations."""
    return sum(bool(power.free_symbols) for power in expr.atoms(sympy.exp)), int(sympy.count_ops(expr))
