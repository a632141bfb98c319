"""Rules of independent costs that letters only scale: those of costs without letters, at other odds.

If ``c0 = f X`` and ``c1 = g Y``, class 1 is chosen where ``p g Y > (1 - p) f X``. So the losses are ``f L0(q)`` and
``g L1(q)``, where L0 and L1 are those of X and Y, and the odds of q are ``g/f`` times those of p. That holds whether or
not the losses have a closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.core.short_repr import short_repr
from costderive.costs.contexts import Context, FixedCosts, Independent
from costderive.costs.laws import Law, known, x
from costderive.derivation.derive import derive
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.parameters import require_known


@dataclass(frozen=True, eq=False)
class ScaledLoss:
    """The losses of costs that are multiples of others, by factors in letters; ``parameters`` are their names."""

    unit: CompiledLoss
    factors: tuple[Expr, Expr]
    parameters: tuple[str, ...]

    __repr__ = short_repr

    @classmethod
    def of(cls, context: Context, seconds: float) -> ScaledLoss | None:
        """Compile the losses of a context; None if its letters do more than scale, or there is none."""
        if not isinstance(context, Independent) or not context.parameters:
            return None
        found = [_without_letters(law) for law in (context.c0, context.c1)]
        if found[0] is None or found[1] is None:
            return None
        (first, f), (second, g) = found[0], found[1]
        unit = compile(derive(Independent(c0=first, c1=second), time_limit=seconds), time_limit=seconds)
        return cls(unit, (f, g), tuple(symbol.name for symbol in context.parameters))

    def loss0(self, p: ArrayLike, **columns: Array) -> Array:
        """Return the losses of predictions where the class is 0."""
        return self._loss(0, self.unit.loss0, p, columns)

    def loss1(self, p: ArrayLike, **columns: Array) -> Array:
        """Return the losses of predictions where the class is 1."""
        return self._loss(1, self.unit.loss1, p, columns)

    def _loss(self, label: int, loss: Callable[..., Any], p: ArrayLike, columns: dict[str, Array]) -> Array:
        f, g = self._values(columns)
        with np.errstate(divide="ignore"):
            logit = np.log(p) - np.log1p(np.negative(p))
        return np.asarray((f, g)[label] * loss(logit=logit + (np.log(g) - np.log(f))))

    def admit(self, **columns: ArrayLike) -> None:
        """Check numbers for the letters.

        Raises:
            DataError: naming the first that is not positive, or with which a cost is not.
        """
        for name, given in columns.items():
            _require_positive(name, given)
        for cost, values in zip(("c0", "c1"), self._values(columns), strict=True):
            _require_positive(f"the scale of {cost}", values)

    def _values(self, columns: dict[str, Any]) -> tuple[Array, Array]:
        require_known(self.parameters, columns)
        letters = [Symbol(name, positive=True) for name in self.parameters]
        numbers = [np.asarray(columns[name], dtype=np.float64) for name in self.parameters]
        with np.errstate(all="ignore"):  # what is no number is refused
            first, second = (
                np.asarray(sympy.lambdify(letters, factor, "numpy")(*numbers), dtype=np.float64)
                for factor in self.factors
            )
        return first, second


def _require_positive(name: str, given: Any) -> None:
    values = np.atleast_1d(np.asarray(given, dtype=np.float64))
    wrong = ~((values > 0) & np.isfinite(values))
    if wrong.any():
        value = values[int(np.argmax(wrong))]
        raise DataError(f"{name} = {value:g} is not a positive number", "Costs are positive, and finite.")


def compiled_context(context: Context, seconds: float) -> CompiledLoss:
    """Return the losses of a context, which may have letters.

    Raises:
        ParametersLeftError: if the losses with letters have no formula, and the letters do more than scale.
    """
    costs = Independent(c0=context.c0, c1=context.c1) if isinstance(context, FixedCosts) else context
    found: Any = None if _is_quick(costs) else ScaledLoss.of(costs, seconds)
    return found or compile(derive(context, time_limit=seconds), time_limit=seconds)


def _is_quick(context: Context) -> bool:
    """Return whether densities are rational and known costs have no kinks: then formulas have the letters in them."""
    laws = (context.c0, context.c1) if isinstance(context, Independent) else ()
    have_kinks = any(mass.value.has(sympy.Max, sympy.Min) for law in laws for mass in law.masses)
    return not have_kinks and all(
        part.density.is_rational_function(x) for law in laws for part in law.spreads
    )


def _without_letters(law: Law) -> tuple[Law, Expr] | None:
    """Return a law without letters and the factor of which a law is that multiple, if there are such."""
    if not law.parameters:
        return law, S.One
    if not law.spreads and len(law.masses) == 1:
        return known(1), law.masses[0].value
    name = law.name
    if name is None:
        return None
    ones = dict.fromkeys(law.parameters, S.One)
    unit = name.at(ones)
    for argument, scales, shifts in zip(name.arguments, name.in_units, name.in_logs, strict=True):
        if argument.free_symbols and (scales or shifts):
            start = argument.subs(ones)
            factor = sympy.simplify(argument / start if scales else sympy.exp(argument - start))
            multiple = None if unit.name is None else unit.name.scaled(factor)
            is_found = (
                multiple is not None
                and multiple.name is not None
                and _same(multiple.name.arguments, name.arguments)
            )
            return (unit, factor) if is_found else None
    return None


def _same(first: tuple[Expr, ...], second: tuple[Expr, ...]) -> bool:
    return all(sympy.simplify(a - b) == 0 for a, b in zip(first, second, strict=True))
