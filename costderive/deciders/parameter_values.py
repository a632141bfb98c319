"""Values for letters: what a parameter, which stands for a finite positive number, can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.core.piecewise import Given
from costderive.core.symbols import RESERVED
from costderive.deciders.signs import nonnegative, positive

TAKEN = RESERVED | {"x"}


def values_of(
    values: Mapping[str, object],
    parameters: Iterable[Symbol],
    place: str,
    *,
    taken: frozenset[str] = frozenset(),
    zero: bool = False,
) -> dict[Symbol, Expr]:
    """Read values for some parameters: numbers, or expressions in other letters, certainly finite and positive.

    Letters that are ``taken`` have a meaning where the values go, as those of the package have. With ``zero`` the
    number 0 is a value too, as for the lower bound of a cost.

    Raises:
        SpecError: if a name is not a parameter, or a value not a possible one.
    """
    known = {symbol.name: symbol for symbol in parameters}
    for name in values:
        if name not in known:
            shown = ", ".join(known) or "none"
            raise SpecError(f"{name} is not a parameter of {place}", f"Its parameters: {shown}.")
    chosen = {known[name]: _value(name, value, TAKEN | taken, zero) for name, value in values.items()}
    if len(chosen) > 1:
        _require_apart(chosen)
    return chosen


def _value(name: str, value: object, taken: frozenset[str], zero: bool) -> Expr:
    read = exact(value, place=name)
    if meant := {symbol.name for symbol in read.free_symbols} & taken:
        problem = f"{name} = {read} has the letter {min(meant)}, which has a meaning of its own"
        raise SpecError(problem, "Give a number, or another letter.")
    if not ((zero and read == 0) or (read.is_finite is not False and positive(read))):
        remedy = "Parameters are finite positive numbers: give one, or an expression that certainly is."
        if read.is_negative:
            remedy = f"Parameters are positive: for negative values write -{name} for {name} in the context."
        raise SpecError(f"{name} = {read} is not a value of a parameter", remedy)
    return read


def _require_apart(chosen: Mapping[Symbol, Expr]) -> None:
    """Refuse values in letters that get values too: one after the other is not the same as all at once."""
    for symbol, value in chosen.items():
        if both := sorted(value.free_symbols & chosen.keys(), key=str):
            problem = f"{symbol} = {value} has the letter {both[0]}, which gets a value too"
            raise SpecError(problem, "Give values in other letters.")


def contradicted(given: Given, chosen: Mapping[Symbol, Expr]) -> str:
    """Name a fact that values contradict, or, if they are numbers, are not known to satisfy; else return ``""``."""
    for facts, strict, wanted in (
        (given.positive, True, "positive"),
        (given.nonnegative, False, "at least 0"),
    ):
        for fact in facts:
            if _fails(fact.subs(chosen), strict):
                return f"{fact} is not {wanted}"
    return ""


def _fails(value: Expr, strict: bool) -> bool:
    if value.free_symbols:
        return bool(nonnegative(-value) if strict else positive(-value))
    return not (positive(value) if strict else nonnegative(value))


def shown(chosen: Mapping[Symbol, Expr]) -> str:
    """Return values in words."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in chosen.items())
