"""Antiderivatives as terms of Coq that visibly vanish at infinity where they are no sums of powers and exponentials.

Their parts are incomplete Gamma functions, what values of the error function lack to 1, powers with letters, and bells,
also beside a square root (``library/Far.v``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.publish.coq.bells import Plain, bells, times, written
from costderive.publish.coq.exponential_sums import summands
from costderive.publish.coq.facts import sure
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.terms import atomic

IMPORTS = ("Incomplete", "Normal", "LogNormal", "Independent", "Bells", "Far")
FUNCTIONS = (sympy.erf, sympy.uppergamma)


def from_far(expr: Expr, x: Symbol) -> Expr:
    """Return an antiderivative less its limit at infinity, which values of the error function have.

    Powers of quotients are quotients of powers, as they are written in Coq.
    """
    limits = [factor for factor, core in _parts(expr, x) if isinstance(core, sympy.erf)]
    return sympy.expand_power_base(expr) - sympy.Add(*limits)


def has_bells(expr: Expr, variables: Iterable[Symbol]) -> bool:
    """Return whether an exponent is not linear in a variable."""
    powers = [node.args[0] for node in expr.atoms(sympy.exp)]
    return any(sympy.simplify(sympy.diff(power, x, 2)) != 0 for power in powers for x in variables)


def far_text(expr: Expr, x: Symbol, on: Interval | None, given: Given) -> str:
    """Return an antiderivative as a term of Coq that visibly vanishes at infinity.

    Raises:
        ExportError: if it does not, or has other parts.
    """
    parts = list(_parts(expr, x))
    rest = sympy.Add(*[a for a, core in parts if core == 1 or isinstance(core, sympy.erf)])
    if sympy.simplify(rest) != 0:
        raise _unseen()
    write = _Writer(x, on, given)
    return " + ".join(write.text(a, core) for a, core in parts if core != 1)


def _parts(expr: Expr, x: Symbol) -> Iterator[tuple[Expr, Expr]]:
    """Yield the terms of a sum as a factor without the variable, and the rest."""
    outer, inner = expr.as_independent(x, as_Add=False)
    for part in summands(inner):
        factor, core = part.as_independent(x, as_Add=False)
        yield in_both_shares(outer * factor), sympy.powsimp(core)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes parts of an antiderivative in a variable so that Coq sees that they vanish."""

    x: Symbol
    on: Interval | None
    given: Given

    def text(self, factor: Expr, core: Expr) -> str:
        """Return a multiple of a function of the variable."""
        x = self.x
        if isinstance(core, sympy.uppergamma):
            return f"{atomic(factor)} * upper_gamma {atomic(core.args[0])} ({self._growing(core.args[1])})"
        if isinstance(core, sympy.erf):
            return f"{atomic(factor)} * (erf ({self._growing(core.args[0])}) - 1)"
        if core.is_Pow and (start := _start(core.base, x)) is not None and not core.exp.is_Integer:
            return self._power(factor, f"({x} + {atomic(start)})" if start != 0 else f"{x}", -core.exp)
        if (plain := bells(core, x)) is not None and (0, 0) not in plain:
            return " + ".join(written(times(plain, factor), str(x), self._rate))
        if (plain := bells(core / sympy.sqrt(x), x)) is not None and _straight(plain):
            parts = written(times(plain, factor), str(x), self._rate)
            return " + ".join(f"sqrt {x} * ({part})" for part in parts)
        if isinstance(core, sympy.exp):
            return f"{atomic(factor)} * exp (- ({self._growing(-core.args[0])}))"
        raise _unseen()

    def _power(self, factor: Expr, line: str, exponent: Expr) -> str:
        """Return a multiple of a negative power of what grows, as a root if the exponent is of halves."""
        if exponent.free_symbols:
            return f"{atomic(factor)} * Rpower {line} (- ({self._seen(exponent)}))"
        if not exponent.is_positive:
            raise _unseen()
        power = f"sqrt {line} ^ {2 * exponent}" if exponent.q == 2 else f"Rpower {line} {atomic(exponent)}"
        return f"{atomic(factor)} / {power}"

    def _growing(self, expr: Expr) -> str:
        """Return a positive multiple of a power of the variable as a term of Coq."""
        factor, power = expr.as_independent(self.x, as_Add=False)
        base, exponent = power.as_base_exp()
        if base != self.x or not (exponent == sympy.Rational(1, 2) or (exponent.is_Integer and exponent > 0)):
            raise _unseen()
        shown = (
            f"{base}" if exponent == 1 else f"{base} ^ {exponent}" if exponent.is_Integer else f"sqrt {base}"
        )
        return f"({self._seen(factor)}) * {shown}"

    def _rate(self, rate: Expr) -> str:
        return "0" if rate == 0 else f"({self._seen(rate)})"

    def _seen(self, expr: Expr) -> str:
        return sure(expr, self.on, self.given).text


def _start(base: Expr, x: Symbol) -> Expr | None:
    """Return what is added to a variable; ``None`` if something is no line with the slope 1."""
    start = sympy.expand(base - x)
    return None if start.has(x) else start


def _straight(plain: Plain) -> bool:
    """Return whether the exponents of bells are linear."""
    return all(square == 0 and lean != 0 for square, lean in plain)


def _unseen() -> ExportError:
    return ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
