"""Exponentials of one variable beside shifted powers: ``x^n exp(-k x)`` and ``exp(-k x)/(x + b)^n``, for positive k.

Antiderivatives that vanish at infinity are alike, but for multiples of the exponential integral of ``k (x + b)``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.publish.coq.bells import Write
from costderive.publish.coq.fractions import fractions
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.terms import atomic

ZERO = sympy.S.Zero
Shift = tuple[Expr, Expr]  # the rate k and the shift b


@dataclass(frozen=True, slots=True)
class Shifted:
    """Coefficients of ``x^n exp(-k x)`` by k and n, of ``exp(-k x)/(x + b)^n`` by k, b and n, and of integrals."""

    plain: Mapping[Expr, Mapping[int, Expr]]
    powers: Mapping[Shift, Mapping[int, Expr]]
    integrals: Mapping[Shift, Expr] = field(default_factory=dict)

    def plus(self, other: Shifted) -> Shifted:
        """Return the sum with what has other rates."""
        return Shifted({**self.plain, **other.plain}, {**self.powers, **other.powers})

    def antiderivative(self) -> Shifted:
        """Return the antiderivative that vanishes at infinity."""
        powers, integrals = dict[Shift, Mapping[int, Expr]](), dict[Shift, Expr]()
        for (rate, shift), found in self.powers.items():
            powers[rate, shift], last = _lowered(found, rate)
            integrals[rate, shift] = -in_both_shares(last) * sympy.exp(in_both_shares(rate * shift))
        return Shifted(
            {rate: _by_parts(found, rate) for rate, found in self.plain.items()},
            _kept(powers),
            {at: a for at, a in integrals.items() if a != 0},
        )

    def text(self, y: str, sure: Write) -> str:
        """Return the term of Coq; ``sure`` writes rates and shifts so that their signs are seen."""
        return " + ".join(self._parts(y, sure)) or "0"

    def _parts(self, y: str, sure: Write) -> Iterator[str]:
        for rate, found in self.plain.items():
            listed = "; ".join(atomic(found.get(n, ZERO)) for n in range(max(found) + 1))
            yield f"polynomial [{listed}] {y} * exp (- ({sure(rate)} * {y}))"
        for (rate, shift), found in self.powers.items():
            for n, a in found.items():
                yield f"{atomic(a)} * exp (- ({sure(rate)} * {y})) / ({y} + {sure(shift)}) ^ {n}"
        for (rate, shift), a in self.integrals.items():
            yield f"{atomic(a)} * exponential_integral ({sure(rate)} * ({y} + {sure(shift)}))"


def _kept(powers: Mapping[Shift, Mapping[int, Expr]]) -> Mapping[Shift, Mapping[int, Expr]]:
    return {at: found for at, found in powers.items() if found}


def _lowered(found: Mapping[int, Expr], rate: Expr) -> tuple[Mapping[int, Expr], Expr]:
    """Integrate inverse powers by parts, the highest first; return those that result, and what is left of the first."""
    left, result = defaultdict(lambda: ZERO, found), dict[int, Expr]()
    for n in range(max(found), 1, -1):
        result[n - 1] = in_both_shares(-left[n] / (n - 1))
        left[n - 1] -= rate * left[n] / (n - 1)
    return {n: a for n, a in result.items() if a != 0}, left[1]


def _by_parts(found: Mapping[int, Expr], rate: Expr) -> Mapping[int, Expr]:
    """Integrate powers by parts, the highest first."""
    left, result = defaultdict(lambda: ZERO, found), dict[int, Expr]()
    for n in range(max(found), -1, -1):
        result[n] = in_both_shares(-left[n] / rate)
        left[n - 1] += n * left[n] / rate
    return result


def shifted(factor: Expr, rate: Expr, x: Symbol) -> Shifted:
    """Return a rational function times ``exp(-rate x)`` by its partial fractions.

    Raises:
        ExportError: if it has others than powers of lines.
    """
    top, bottom = sympy.fraction(sympy.together(factor))
    whole, rest = sympy.div(sympy.Poly(top, x), sympy.Poly(bottom, x))
    found = fractions(rest.as_expr() / bottom, x)
    if found is None:
        raise ExportError("a density has factors that are not linear", "Coq gets partial fractions.")
    powers: dict[Shift, dict[int, Expr]] = defaultdict(dict)
    for (shift, n), a in found.powers.items():
        powers[rate, shift][n] = a
    plain = {n: in_both_shares(a) for (n,), a in whole.terms() if a != 0}
    return Shifted({rate: plain} if plain else {}, powers)
