"""What letters must not make zero: the form of a loss may divide by it, as ``1/(k - 1)`` does at k = 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr, Pow, Symbol

from costderive.core.piecewise import Given, Piece
from costderive.deciders.signs import positive
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses


def divisors(losses: Losses | LossPair, given: Given, letters: Iterable[Symbol]) -> tuple[Expr, ...]:
    """Return the factors of divisors that hold letters alone and have no sign, each once."""
    return divisors_of((piece.value for piece in _pieces(losses)), given, letters)


def divisors_of(exprs: Iterable[Expr], given: Given, letters: Iterable[Symbol]) -> tuple[Expr, ...]:
    """Return the factors of divisors of expressions that hold letters alone and have no sign, each once."""
    known = frozenset(letters)
    found = dict.fromkeys(
        factor
        for expr in exprs
        for power in sorted(expr.atoms(Pow), key=str)
        if not power.exp.is_nonnegative
        for factor in _factors(power.base)
        if factor.free_symbols and factor.free_symbols <= known
    )
    return tuple(x for x in found if not any(positive(sign * x, None, given) for sign in (1, -1)))


def _pieces(losses: Losses | LossPair) -> Iterator[Piece]:
    yield from losses.loss0
    yield from losses.loss1
    if isinstance(losses, Losses):
        yield from losses.weight.density


def _factors(base: Expr) -> Iterator[Expr]:
    """Split a divisor into its factors, of which each one is written with a positive term first."""
    if not (base.free_symbols and base.is_polynomial()):  # of numbers, SymPy factors rational ones alone
        yield base
        return
    for factor, _ in sympy.factor_list(base)[1]:
        yield -factor if factor.could_extract_minus_sign() else factor
