"""Rules of a batch from entropies in the letters of all instances: ``w0, w1, ...``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.batch.linear_rules import BatchRule, Forecast, Tangent, numbers, quoted, require_count
from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.short_repr import short_repr
from costderive.rules.end_values import end_value

MAX_SMOOTH, MAX_TERMS = 4, 10_000


@dataclass(frozen=True, slots=True)
class LowestRule(BatchRule):
    """``H`` is a sum of terms, each the least of affine functions of ``w0, w1, ...``; ``terms`` holds these.

    Where several are the least, the slope is the mean of theirs: a supergradient.
    """

    terms: tuple[tuple[Expr, ...], ...]
    instances: int

    __repr__ = short_repr

    def __post_init__(self) -> None:
        require_count(self.instances)
        terms = sum(len(sympy.Add.make_args(piece)) for piece in chain(*self.terms))
        if not (self.terms and all(self.terms) and terms <= MAX_TERMS):
            problem = f"terms has none, an empty one, or functions of more than {MAX_TERMS} summands in all"
            raise SpecError(problem, "Give at least one affine function for each term.")
        letters = {S.One, *self.letters}
        for piece in chain(*self.terms):
            found = affine_parts(piece)
            if not (found.keys() <= letters and all(number.is_real for number in found.values())):
                problem = f"terms: {piece!s:.60} is not affine in w0 to w{self.instances - 1}"
                raise SpecError(problem, "Write a sum of numbers and of numbers times letters.")

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = dict(zip(self.letters, numbers(forecast, self.instances), strict=True))
        slopes = dict.fromkeys((S.One, *self.letters), S.Zero)
        for least in (_least(term, values) for term in self.terms):
            for part, number in chain(*[affine_parts(piece).items() for piece in least]):
                slopes[part] += number / len(least)
        level = slopes.pop(S.One)
        return Tangent(level, tuple((S.Zero, slope) for slope in slopes.values()))

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters of the forecast."""
        return tuple(quoted(n) for n in range(self.instances))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        total = 0.0
        for term in self.terms:
            level, slopes = self._coefficients(term)
            reported = level + slopes @ forecast
            total += float((level + slopes @ is_one)[reported == reported.min()].mean())
        return total

    def _coefficients(self, term: tuple[Expr, ...]) -> tuple[Array, Array]:
        """Return the constants of affine functions, shape (m,), and their slopes, shape (m, n)."""
        place = {letter: n for n, letter in enumerate((S.One, *self.letters))}
        found = np.zeros((len(term), 1 + self.instances))
        for row, piece in enumerate(term):
            for part, number in affine_parts(piece).items():
                found[row, place[part]] = float(number)
        return found[:, 0], found[:, 1:]


def affine_parts(piece: Expr) -> dict[Expr, Expr]:
    """Return the coefficient of each letter, and of 1, as the terms of a sum show them."""
    found: dict[Expr, list[Expr]] = {}
    for term in sympy.Add.make_args(piece):
        letters = term.free_symbols
        number, part = term.as_independent(*letters, as_Add=False) if letters else (term, S.One)
        found.setdefault(part, []).append(number)
    return {part: sympy.Add(*numbers) for part, numbers in found.items()}


def _least(term: tuple[Expr, ...], values: dict[Symbol, Expr]) -> tuple[Expr, ...]:
    """Return those of several functions that are the least."""
    at_values = [piece.subs(values) for piece in term]
    pairs = zip(term, at_values, strict=True)
    return tuple(piece for piece, value in pairs if not any((value - v).is_positive for v in at_values))


@dataclass(frozen=True, slots=True)
class SmoothRule(BatchRule):
    """An entropy in ``w0, w1, ...`` with its gradient; at probability 0 or 1 the loss is a limit, letter by letter."""

    entropy_function: Expr
    slopes: tuple[Expr, ...]

    __repr__ = short_repr

    def __post_init__(self) -> None:
        require_count(self.instances, MAX_SMOOTH)
        found = frozenset().union(*[part.free_symbols for part in (self.entropy_function, *self.slopes)])
        if others := sorted(found - set(self.letters), key=str):
            raise SpecError(
                f"entropy: {others[0]} is not a letter of these instances",
                f"Letters: w0 to w{self.instances - 1}.",
            )

    @property
    def instances(self) -> int:  # type: ignore[override]
        return len(self.slopes)

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters of the forecast."""
        return tuple(quoted(n) for n in range(self.instances))

    def at(self, forecast: Iterable[Any]) -> Tangent:
        values = numbers(forecast, self.instances)
        level = self.entropy_function - sympy.Add(
            *[letter * slope for letter, slope in zip(self.letters, self.slopes, strict=True)]
        )
        slopes = tuple((S.Zero, self._at(slope, values)) for slope in self.slopes)
        return Tangent(self._at(level, values), slopes)

    def _at(self, function: Expr, values: Forecast) -> Expr:
        """Return a value; where a probability is 0 or 1, the limit from inside, after all others have their values."""
        for letter, value in sorted(
            zip(self.letters, values, strict=True), key=lambda pair: pair[1] in (0, 1)
        ):
            side = {S.Zero: "+", S.One: "-"}.get(value)
            function = end_value(function, letter, value, side) if side else function.subs(letter, value)
        return function

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        tangent = self.at(forecast.tolist())
        return float(tangent.expected(tuple(sympy.Integer(bool(y)) for y in is_one)))
