"""Sums of powers times bells of one variable: ``polynomial(y) exp(-(E y^2 + 2 b y))``, with antiderivatives alike.

An antiderivative has besides, for each rate (E, b) with E > 0, a multiple of ``bell_to E b``, the integral of the bell
itself, which the library in Coq defines by the error function; and such integrals beside powers times bells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.terms import atomic

ZERO, ONE = sympy.S.Zero, sympy.S.One
Rate = tuple[Expr, Expr]
Powers = Mapping[int, Expr]
Plain = Mapping[Rate, Powers]
Write = Callable[[Expr], str]


def bells(expr: Expr, y: Symbol) -> Plain | None:
    """Return the coefficients of the powers of y by rates; ``None`` if something else stands in the expression."""
    found: dict[Rate, dict[int, Expr]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    for part in sympy.Add.make_args(sympy.expand(sympy.powsimp(sympy.expand(expr)))):
        taken = _taken_apart(part, y)
        if taken is None:
            return None
        factor, power, rate = taken
        found[rate][power] += factor
    return _tidied(found)


def _taken_apart(part: Expr, y: Symbol) -> tuple[Expr, int, Rate] | None:
    """Return a, n and (E, b) of ``a y^n exp(-(E y^2 + 2 b y))``, where n is not negative."""
    factor, power, exponent = ONE, 0, ZERO
    for piece in sympy.Mul.make_args(part):
        base, above = piece.as_base_exp()
        if not piece.has(y):
            factor *= piece
        elif base == y and above.is_Integer:
            power += int(above)
        elif base is sympy.E and sympy.expand(above).is_polynomial(y):
            exponent += above
        else:
            return None
    squared, linear, rest = (sympy.expand(exponent).coeff(y, n) for n in (2, 1, 0))
    if power < 0 or sympy.expand(exponent - squared * y**2 - linear * y - rest) != 0:
        return None
    return factor * sympy.exp(rest), power, (in_both_shares(-squared), in_both_shares(-linear / 2))


def _tidied(found: Mapping[Rate, Powers]) -> Plain:
    tidy = {
        rate: {n: value for n, a in sorted(powers.items()) if (value := in_both_shares(a)) != 0}
        for rate, powers in found.items()
    }
    return {rate: powers for rate, powers in tidy.items() if powers}


@dataclass(frozen=True)
class BellSum:
    """Bells with their powers, multiples of the integrals of bells, and of what these are in all.

    ``beside`` holds bells that are multiplied by the integral of another one.
    """

    plain: Plain
    integrals: Mapping[Rate, Expr] = field(default_factory=dict)
    wholes: Mapping[Rate, Expr] = field(default_factory=dict)
    beside: Mapping[Rate, Plain] = field(default_factory=dict)

    def opposite_from_far(self) -> BellSum:
        """Return what vanishes at infinity and has the opposite slope."""
        plain = {rate: {n: -a for n, a in powers.items()} for rate, powers in self.plain.items()}
        integrals = {rate: -a for rate, a in self.integrals.items()}
        return BellSum(plain, integrals, dict(self.integrals))

    def text(self, y: str, sure: Write) -> str:
        """Return the term of Coq; ``sure`` writes a rate so that its sign is seen.

        Raises:
            ExportError: if it is not bounded far away, as Coq sees it.
        """
        parts = [*self._integrated(y, sure), *written(self.plain, y, sure)]
        parts += [
            f"{part} * bell_to {_rates(rate, sure)} {y}"
            for rate, plain in self.beside.items()
            for part in written(plain, y, sure)
        ]
        parts += [f"{atomic(a)} * bell_whole {_rates(rate, sure)}" for rate, a in self.wholes.items()]
        return " + ".join(parts)

    def _integrated(self, y: str, sure: Write) -> Iterator[str]:
        for rate, a in self.integrals.items():
            yield f"{atomic(a)} * bell_to {_rates(rate, sure)} {y}"

    def far(self, sure: Write) -> str:
        """Return the limit at infinity as a term of Coq."""
        found = [f"{atomic(a)} * bell_whole {_rates(rate, sure)}" for rate, a in self.integrals.items()]
        found += [f"{atomic(a)} * bell_whole {_rates(rate, sure)}" for rate, a in self.wholes.items()]
        return " + ".join(found) or "0"

    def roots(self) -> Iterator[Expr]:
        """Yield the roots that the integrals of bells have, as Coq has them: SymPy takes no factor out of them."""
        for square, _ in (*self.integrals, *self.wholes, *self.beside):
            yield sympy.Pow(square, sympy.Rational(1, 2), evaluate=False)


def written(plain: Plain, y: str, sure: Write) -> Iterator[str]:
    """Yield bells with their powers as terms of Coq."""
    for (square, lean), powers in plain.items():
        listed = "; ".join(atomic(powers.get(n, ZERO)) for n in range(max(powers) + 1))
        rate = f"{sure(square)} * {y} ^ 2 + 2 * {sure(lean)} * {y}" if square else f"{sure(2 * lean)} * {y}"
        yield f"polynomial [{listed}] {y} * exp (- ({rate}))"


def _rates(rate: Rate, sure: Write) -> str:
    return " ".join(map(sure, rate))


def antiderivative(found: Plain) -> BellSum:
    """Return an antiderivative.

    Raises:
        ExportError: if a power stands without a bell.
    """
    plain: dict[Rate, dict[int, Expr]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    integrals: dict[Rate, Expr] = defaultdict(lambda: ZERO)
    for rate, powers in found.items():
        if rate == (0, 0):
            raise ExportError("an antiderivative grows without bound", "Coq needs its limit.")
        left = defaultdict(lambda: ZERO, powers)
        for n in range(max(powers), -1, -1):
            _lower(rate, n, left, plain[rate], integrals)
    kept = {rate: value for rate, a in integrals.items() if (value := in_both_shares(a)) != 0}
    return BellSum(_tidied(plain), kept)


def _lower(
    rate: Rate, n: int, left: dict[int, Expr], plain: dict[int, Expr], integrals: dict[Rate, Expr]
) -> None:
    """Integrate the power n by parts, which leaves lower ones."""
    (square, lean), a = rate, left[n]
    if square == 0:
        plain[n] -= a / (2 * lean)
        left[n - 1] += n * a / (2 * lean)
    elif n == 0:
        integrals[rate] += a
    else:
        plain[n - 1] -= a / (2 * square)
        left[n - 1] -= lean * a / square
        left[n - 2] += (n - 1) * a / (2 * square)


def against(density: Plain, tail: BellSum, ratio: Expr) -> BellSum:
    """Return an antiderivative of a density times a tail at ``ratio`` times the variable.

    Integrals of bells in the tail are taken by parts.

    Raises:
        ExportError: if the tail and an antiderivative of the density both have such integrals.
    """
    below = antiderivative(density)
    if tail.integrals and below.integrals:
        raise ExportError(
            "a tail and a mean have values of the error function", "Coq gets one of them as bells."
        )
    scaled = {(square * ratio**2, lean * ratio): ratio * a for (square, lean), a in tail.integrals.items()}
    left = [times(product(below.plain, {rate: {0: ONE}}), -a) for rate, a in scaled.items()]
    found = antiderivative(_sum([product(density, at_multiple(tail.plain, ratio)), *left]))
    wholes = [times(below.plain, a * whole(rate)) for rate, a in tail.wholes.items()]
    beside = {rate: times(below.plain, a) for rate, a in scaled.items()}
    return BellSum(_sum([found.plain, *wholes]), found.integrals, beside=beside)


def whole(rate: Rate) -> Expr:
    """Return the limit at infinity of the integral of a bell, as Coq has it: but for a constant the integral from 0."""
    square, lean = rate
    return sympy.sqrt(sympy.pi / square) / 2 * sympy.exp(lean**2 / square)


def times(found: Plain, factor: Expr) -> Plain:
    """Return a multiple of a sum of bells."""
    return {rate: {n: a * factor for n, a in powers.items()} for rate, powers in found.items()}


def _sum(parts: Iterable[Plain]) -> Plain:
    found: dict[Rate, dict[int, Expr]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    for part in parts:
        for (square, lean), powers in part.items():
            for n, a in powers.items():
                found[in_both_shares(square), in_both_shares(lean)][n] += a
    return _tidied(found)


def product(first: Plain, second: Plain) -> Plain:
    """Return the product of two sums of bells."""
    found: dict[Rate, dict[int, Expr]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    for one, powers in first.items():
        for other, more in second.items():
            rate = (in_both_shares(one[0] + other[0]), in_both_shares(one[1] + other[1]))
            for n, a in powers.items():
                for k, b in more.items():
                    found[rate][n + k] += a * b
    return _tidied(found)


def at_multiple(found: Plain, scale: Expr) -> Plain:
    """Return a sum of bells at ``scale`` times the variable."""
    return _tidied(
        {
            (square * scale**2, lean * scale): {n: a * scale**n for n, a in powers.items()}
            for (square, lean), powers in found.items()
        }
    )
