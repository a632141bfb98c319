"""Sums of powers times exponentials of one cost: what most densities are, with antiderivatives of the same kind.

A function of x is held as Laurent polynomials by their rates r: the sum of ``polynomial(x) exp(-r x)``. Where r is 0,
powers may be odd powers of the root of x.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

import sympy
from sympy import Expr, Rational, Symbol

from costderive.core.errors import ExportError

ZERO = sympy.S.Zero
Powers = Mapping[Rational, Expr]
Rates = Mapping[Expr, Powers]


def by_rates(expr: Expr, x: Symbol, tidy: Callable[[Expr], Expr]) -> Rates | None:
    """Return the coefficients of powers of x by their rates; ``None`` if something else stands in the expression."""
    found: dict[Expr, dict[Rational, Expr]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    for part in summands(expr):
        taken = _taken_apart(part, x)
        if taken is None:
            return None
        factor, power, rate = taken
        found[tidy(rate)][power] += factor
    return {rate: _tidied(powers, tidy) for rate, powers in found.items()}


def summands(expr: Expr) -> Iterator[Expr]:
    """Yield the terms of an expression; exponentials are letters while it is expanded, not denominators."""
    names = {node: sympy.Dummy(positive=True) for node in expr.atoms(sympy.exp)}
    back = {name: node for node, name in names.items()}
    for part in sympy.Add.make_args(sympy.expand(expr.xreplace(names))):
        yield part.xreplace(back)


def _tidied(powers: Powers, tidy: Callable[[Expr], Expr]) -> Powers:
    found = {power: _simple(factor, tidy) for power, factor in powers.items()}
    return {power: factor for power, factor in sorted(found.items()) if factor != 0}


def _simple(factor: Expr, tidy: Callable[[Expr], Expr]) -> Expr:
    """Put a factor together; exponentials of other letters are letters to it."""
    names = {node: sympy.Dummy(positive=True) for node in factor.atoms(sympy.exp)}
    return tidy(factor.xreplace(names)).xreplace({name: node for node, name in names.items()})


def _taken_apart(part: Expr, x: Symbol) -> tuple[Expr, Rational, Expr] | None:
    """Return a, n and r of ``a x^n exp(-r x)``."""
    factor, power, rate = sympy.S.One, ZERO, ZERO
    for piece in sympy.Mul.make_args(part):
        base, exponent = piece.as_base_exp()
        if not piece.has(x):
            factor *= piece
        elif base == x and (2 * exponent).is_Integer:
            power += exponent
        elif base is sympy.E and sympy.diff(exponent, x, 2) == 0:
            rate -= sympy.diff(exponent, x)
            factor *= sympy.exp(sympy.expand(exponent.subs(x, 0)))
        else:
            return None
    return factor, power, rate


def integrated(found: Rates, x: Symbol) -> Expr | None:
    """Return an antiderivative; ``None`` where a negative power, or a root, meets an exponential."""
    parts = [_integrated(rate, powers, x) for rate, powers in found.items()]
    return None if any(part is None for part in parts) else sympy.Add(*parts)


def _integrated(rate: Expr, powers: Powers, x: Symbol) -> Expr | None:
    if rate == 0:
        return sympy.Add(
            *[a * (sympy.log(x) if n == -1 else x ** (n + 1) / (n + 1)) for n, a in powers.items()]
        )
    if not all(_whole(n) for n in powers):
        return None
    terms = [
        a * sympy.ff(n, k) * x ** (n - k) / rate ** (k + 1)
        for n, a in powers.items()
        for k in range(int(n) + 1)
    ]
    return -sympy.Add(*terms) * sympy.exp(-rate * x)


def _whole(n: Rational) -> bool:
    return bool(n.is_Integer and n >= 0)


def bounded_at_0(found: Rates) -> bool:
    """Return whether there is neither a negative power nor a logarithm."""
    return all(n >= 0 for powers in found.values() for n in powers)


def vanishing(found: Rates, x: Symbol, write: Callable[[Expr], str], positive: Callable[[Expr], str]) -> str:
    """Return a function that visibly vanishes at infinity, as a term of Coq.

    ``positive`` writes a rate so that Coq sees that it is positive.

    Raises:
        ExportError: if a term has no such limit.
    """
    return " + ".join(_parts(found, x, write, positive)) or f"polynomial [] {x} * exp (- (1 * {x}))"


def _parts(
    found: Rates, x: Symbol, write: Callable[[Expr], str], positive: Callable[[Expr], str]
) -> Iterator[str]:
    for rate, powers in found.items():
        if not all(n < 0 if rate == 0 else _whole(n) for n in powers):
            raise ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
        if rate == 0:
            for n, a in powers.items():
                yield f"{write(a)} / {x} ^ {-n}" if n.is_Integer else f"{write(a)} / sqrt {x} ^ {-2 * n}"
        elif powers:
            listed = "; ".join(write(powers.get(n, ZERO)) for n in range(int(max(powers)) + 1))
            yield f"polynomial [{listed}] {x} * exp (- ({positive(rate)} * {x}))"
