"""Partial fractions of one variable on all positive numbers, with antiderivatives that vanish at infinity.

``a / (x + b)^n`` with a positive b has an antiderivative alike; those of ``a / (x + b)`` are logarithms, which vanish
together if the numerators add up to 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.publish.coq.bells import Write
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.terms import atomic

ZERO = sympy.S.Zero
Place = tuple[Expr, int]


@dataclass(frozen=True, slots=True)
class Fractions:
    """The sum of ``a / (x + b)^n``, by b and n, and of ``a ln (x + b)``, by b, whose factors add up to 0."""

    powers: Mapping[Place, Expr]
    logs: Mapping[Expr, Expr] = field(default_factory=dict)

    def opposite(self) -> Fractions:
        """Return the sum with the opposite sign."""
        return Fractions(
            {at: -a for at, a in self.powers.items()}, {shift: -a for shift, a in self.logs.items()}
        )

    def antiderivative(self) -> Fractions:
        """Return the antiderivative that vanishes at infinity.

        Raises:
            ExportError: if there is none, as of what has an infinite integral.
        """
        if self.logs:
            raise ExportError("a logarithm is integrated", "Coq gets partial fractions.")
        logs = {shift: a for (shift, n), a in self.powers.items() if n == 1}
        if sympy.simplify(sympy.Add(*logs.values())) != 0:
            raise ExportError("a fraction has an infinite integral", "Coq needs its limit.")
        powers = {(shift, n - 1): -a / (n - 1) for (shift, n), a in self.powers.items() if n > 1}
        return Fractions(powers, logs)

    def text(self, y: str, sure: Write) -> str:
        """Return the term of Coq; ``sure`` writes a shift so that its sign is seen."""
        parts = [f"{atomic(a)} / ({y} + {sure(shift)}) ^ {n}" for (shift, n), a in self.powers.items()]
        return " + ".join([*parts, *self._logarithms(y, sure)]) or "0"

    def _logarithms(self, y: str, sure: Write) -> Iterator[str]:
        """Yield differences of logarithms, each from the last one."""
        *others, last = self.logs or (ZERO,)
        for shift in others:
            yield f"{atomic(self.logs[shift])} * (ln ({y} + {sure(shift)}) - ln ({y} + {sure(last)}))"

    def at_0(self) -> Expr:
        """Return the value at 0."""
        powers = [a / shift**n for (shift, n), a in self.powers.items()]
        return sympy.Add(*powers, *[a * sympy.log(shift) for shift, a in self.logs.items()])


def fractions(expr: Expr, x: Symbol) -> Fractions | None:
    """Return a rational function by its partial fractions; ``None`` if it is none, or has others."""
    if not expr.is_rational_function(x):
        return None
    powers: dict[Place, Expr] = defaultdict(lambda: ZERO)
    for part in sympy.Add.make_args(sympy.apart(sympy.together(expr), x)):
        factor, fraction = part.as_independent(x, as_Add=False)
        base, power = fraction.as_base_exp()
        if not (power.is_Integer and power < 0 and base.is_polynomial(x) and sympy.degree(base, x) == 1):
            return None
        slope, rest = sympy.Poly(base, x).all_coeffs()
        powers[in_both_shares(rest / slope), -int(power)] += in_both_shares(factor * slope**power)
    return Fractions({at: a for at, a in powers.items() if a != 0})
