"""Numbers between fractions, with proofs for Coq.

Square roots are enclosed by squares, logarithms by a series, exponentials by the logarithms of their bounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr, Rational

from costderive.core.errors import ExportError
from costderive.publish.coq.terms import atomic, term

MAX_TERMS, MAX_POWER = 60, 64
FUNCTIONS = {"sqrt": sympy.sqrt, "ln": sympy.log, "exp": sympy.exp}
NAMES = {sympy.log: "ln", sympy.exp: "exp"}
TWO = sympy.Integer(2)
Bounds = tuple[Rational, Rational]


@dataclass(frozen=True, slots=True)
class Irrational:
    """A root, a logarithm or an exponential of a fraction: its function, its argument and its term in Coq."""

    function: str
    argument: Rational
    text: str

    @property
    def value(self) -> Expr:
        """The number."""
        return FUNCTIONS[self.function](self.argument)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """``low <= value <= high``, and the tactics that put this on record."""

    low: Rational
    high: Rational
    tactics: tuple[str, ...]


def enclosed(name: str, number: Irrational, width: Expr) -> Enclosure:
    """Enclose a number between fractions that are at most a width apart.

    Raises:
        ExportError: if Coq would need too many terms.
    """
    bounds = _decimals(number.value, width)
    return Enclosure(*bounds, tuple(_MAKERS[number.function](name, number, bounds)))


def enclosed_sum(value: Expr) -> str:
    """Return the proof that a sum of exponentials and logarithms of fractions, times fractions, is not negative.

    Raises:
        ExportError: if it is negative, or has other parts.
    """
    parts = sorted(value.atoms(sympy.exp, sympy.log), key=sympy.default_sort_key)
    letters = dict(zip(parts, sympy.symbols(f"x1:{len(parts) + 1}"), strict=True))
    linear = sympy.expand(value).xreplace(letters)
    if not linear.is_polynomial(*letters.values()) or linear.free_symbols != set(letters.values()):
        raise ExportError(
            f"the sign of {str(value)[:200]} is not visible", "Coq gets sums of exponentials and logarithms."
        )
    weights = [abs(linear.coeff(letter)) for letter in letters.values()]
    width = sympy.Rational(str(value.evalf(6))) / (4 * sum(weights))
    if sympy.Poly(linear, *letters.values()).total_degree() > 1 or not width > 0:
        raise ExportError(
            f"the sign of {str(value)[:200]} is not visible", "Coq gets sums of exponentials and logarithms."
        )
    numbers = [Irrational(NAMES[type(part)], part.args[0], term(part)) for part in parts]
    bounds = [line for k, x in enumerate(numbers) for line in enclosed(f"bounds{k}", x, width).tactics]
    text = term(linear)
    for part, letter in letters.items():
        text = re.sub(rf"\b{letter}\b", f"({term(part)})", text)
    shown = f"apply (not_negative_as ({text})); [first [algebra | opposites; field; see] | lra]"
    return "; ".join([*(line.removesuffix(".") for line in bounds), shown])


def _unit(width: Expr) -> Rational:
    """Return a power of ten that is at most a quarter of a width."""
    return Rational(1, 10 ** len(str(sympy.ceiling(4 / width))))


def _decimals(value: Expr, width: Expr) -> Bounds:
    """Return decimal fractions around a number, at most a width apart, each of them a unit or more away from it."""
    unit = _unit(width)
    middle = sympy.floor(value / unit) * unit
    return middle - unit, middle + 2 * unit


def _stated(name: str, low: Expr, text: str, high: Expr, proof: str) -> str:
    return f"assert ({name} : {term(low)} <= {text} <= {term(high)}) by ({proof})."


# ---- one maker for each function


def _root(name: str, number: Irrational, bounds: Bounds) -> Iterator[str]:
    bounds = max(bounds[0], sympy.S.Zero), bounds[1]
    yield _stated(name, bounds[0], number.text, bounds[1], "apply sqrt_enclosed; lra")


def _logarithm(name: str, number: Irrational, bounds: Bounds) -> Iterator[str]:
    """Write ``a = m 2^up / 2^down`` with m between 1 and 2; the series is that of m and of 2."""
    power = int(sympy.floor(sympy.log(number.argument, 2)))
    if abs(power) > MAX_POWER:
        raise ExportError(f"ln {number.argument} is too far from 0", "Rescale the losses.")
    part, slack = number.argument / TWO**power, _unit(bounds[1] - bounds[0]) / (1 + abs(power))
    yield _series(f"{name}_two", TWO, slack)
    yield _series(f"{name}_part", part, slack)
    up, down = max(power, 0), max(-power, 0)
    scaled = f"rewrite (ln_doubled {up} {down} {atomic(part)}) by lra; simpl INR; lra"
    yield _stated(name, bounds[0], number.text, bounds[1], scaled)


def _series(name: str, number: Expr, slack: Expr) -> str:
    """Enclose a logarithm of a number from 1 to 2 by as many terms as the slack needs."""
    z = (number - 1) / (number + 1)
    for terms in range(1, MAX_TERMS):
        if 2 * z ** (2 * terms + 1) < (2 * terms + 1) * (1 - z**2) * _unit(slack):
            low, high = _decimals(sympy.log(number), slack)
            return _stated(
                name, low, f"ln {atomic(number)}", high, f"apply (ln_enclosed {terms}); simpl; lra"
            )
    raise ExportError("a difference of two risks is too small for Coq", "Choose another witness.")


def _exponential(name: str, number: Irrational, bounds: Bounds) -> Iterator[str]:
    """The logarithms of the bounds are on either side of the exponent."""
    for end, bound in zip(("low", "high"), bounds, strict=True):
        if bound <= 0:
            raise ExportError(f"exp {number.argument} is too small for Coq", "Rescale the losses.")
        gap = abs(sympy.log(bound) - number.argument) / 2
        logarithm = Irrational("ln", bound, f"ln {atomic(bound)}")
        yield from enclosed(f"{name}_{end}", logarithm, gap).tactics
    yield _stated(name, bounds[0], number.text, bounds[1], "apply exp_enclosed; lra")


_MAKERS: Mapping[str, Callable[[str, Irrational, Bounds], Iterator[str]]] = {
    "sqrt": _root,
    "ln": _logarithm,
    "exp": _exponential,
}
