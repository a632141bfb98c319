"""All four costs of a decision: they reduce to the regrets of both mistakes, and a rest that no decision changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import DataError, SpecError
from costderive.core.expressions import call, exact, parse
from costderive.core.numpy_on_demand import Array, np
from costderive.costs.contexts import Independent
from costderive.costs.laws import (
    PHRASES,
    Law,
    cost_law_in,
    is_in_words,
    law_of,
    require_proper,
    triangular,
    uniform,
)
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.parts.law_of_expression import law_of_expression
from costderive.evaluate.predictions import Known

LONGEST = 200  # characters of a cost in words
NO_MISTAKE = "There the mistake costs no more than the right decision, so it is no mistake: {}"


@dataclass(frozen=True, slots=True)
class Term:
    """A cost of either sign: a number or an expression in letters, and a law with its sign that is added to it.

    ``words`` say both in one, where there are such.
    """

    known: Expr
    law: Law | None = None
    sign: int = 1
    words: str = ""

    @property
    def letters(self) -> frozenset[Symbol]:
        """The free letters."""
        return frozenset(self.known.free_symbols) | (self.law.parameters if self.law else frozenset())

    def mean(self) -> Expr:
        """Return the expected cost."""
        return self.known if self.law is None else self.known + self.sign * self.law.mean()

    def least(self) -> Expr:
        """Return the infimum of the law with its sign, or 0."""
        ends = self.law.ends if self.law else ()
        values = [mass.value for mass in self.law.masses] if self.law else []
        found = [*values, *(low if self.sign > 0 else high for low, high in ends)]
        return sympy.Min(*[self.sign * end for end in found]) if found else sympy.S.Zero

    def __neg__(self) -> Term:
        return Term(-self.known, self.law, -self.sign)

    def __str__(self) -> str:
        if self.words or self.law is None:
            return self.words or str(self.known)
        law = f"{'-' if self.sign < 0 else ''}{self.law.name or 'a law'}"
        return law if self.known == 0 else f"{self.known} + {law}"

    __repr__ = __str__


def _term(value: Any, place: str) -> Term:
    text = value.strip() if isinstance(value, str) else value
    is_negative = isinstance(text, str) and text.startswith("-")
    bounds = _bounds(text, place)
    if is_negative and is_in_words(text) and not (bounds and bounds[-1].is_nonpositive):
        raise SpecError(
            f"{place} = {value!r} has a minus sign before words: what is negative is not clear",
            'Write "between -5 and 20", or the law of a benefit as -uniform(5, 20), say.',
        )
    if bounds is not None and bounds[0].is_negative:
        return _moved_up(bounds, place)
    law = cost_law_in(text[1:] if is_negative else text, place)
    if law is None:
        return Term(exact(value, place=place))
    return Term(sympy.S.Zero, require_proper(law, place), -1 if is_negative else 1)


def _bounds(value: Any, place: str) -> tuple[Expr, ...] | None:
    """Return least and greatest value, or least, most likely and greatest one, of a law that is given by these.

    That is a pair, or text: ``"-2 to 5"``, ``"uniform(-2, 5)"``, ``"triangular(-2, 0, 5)"``. They may be negative.
    """
    if isinstance(value, tuple | list) and len(value) == 2:
        return tuple(exact(end, place=place) for end in value)
    if not isinstance(value, str):
        return None
    said = " ".join(value[:LONGEST].split())
    for phrase in PHRASES:
        numbers = phrase.read(said) if phrase.what in ("uniform", "triangular") else None
        if numbers is not None:
            low, high, *mode = (parse(number, place=place) for number in numbers)
            return low, *mode, high
    called = None if is_in_words(value) else call(value, place=place, functions=("uniform", "triangular"))
    return None if called is None or len(called[1]) != 2 + (called[0] == "triangular") else called[1]


def _moved_up(bounds: tuple[Expr, ...], place: str) -> Term:
    """Return a law that begins below 0 as its least value, and a law that begins at 0."""
    family, gaps = (uniform, triangular)[len(bounds) - 2], [bound - bounds[0] for bound in bounds]
    words = f"{family.__name__}({', '.join(map(str, bounds))})"
    try:
        return Term(bounds[0], family(*gaps), words=words)
    except SpecError:
        raise SpecError(f"{place} = {words} is not a law", "Write its bounds from the lowest up.") from None


@dataclass(frozen=True, slots=True)
class CostMatrix:
    """What each of the four outcomes costs, a benefit being a negative cost; class 1 is called positive.

    Each is a number, an expression in letters, or a law; ``"-uniform(10, 20)"`` is an uncertain benefit. What a
    mistake costs beyond the right decision is its *regret*, ``c0 = fp - tn`` and ``c1 = fn - tp``: these make the
    scoring rule, the thresholds and the comparisons of models. The rest, ``tn`` in class 0 and ``tp`` in class 1,
    depends on no decision and enters totals alone, through its mean. Uncertain costs are independent of each other;
    the law of a difference of two is an integral, which has to have a closed form.

    Raises:
        SpecError: if a regret can be 0 or less, with its probability; or if the law of a difference is not found.

    Source: Elkan (2001), sections 1.1 and 1.2.

    Example:
        >>> matrix = CostMatrix(fp=5, fn="amount", tp=5)
        >>> print(matrix.context.c0, matrix)
        <Law: 5 with probability 1> c₀ = fp − tn = 5, c₁ = fn − tp = amount - 5
    """

    fp: Any
    fn: Any
    tp: Any = 0
    tn: Any = 0

    def __post_init__(self) -> None:
        for name in ("fp", "fn", "tp", "tn"):
            object.__setattr__(self, name, _term(getattr(self, name), name))
        for regret in self._regrets():
            regret.law()

    def __str__(self) -> str:
        return ", ".join(map(str, self._regrets()))

    @property
    def context(self) -> Independent:
        """The context of the regrets.

        One whose sign depends on letters is a letter of its own: ``fp_less_tn`` or ``fn_less_tp``.
        """
        first, second = self._regrets()
        return Independent(c0=first.law(), c1=second.law())

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The letters, by name."""
        found = frozenset().union(*(term.letters for term in (self.fp, self.fn, self.tp, self.tn)))
        return tuple(sorted(found, key=str))

    def _regrets(self) -> tuple[Regret, Regret]:
        return Regret("c₀", "fp", "tn", self.fp, self.tn), Regret("c₁", "fn", "tp", self.fn, self.tp)

    def with_regrets(
        self, columns: Mapping[str, Array], place: Callable[[int], str] = "row {}".format
    ) -> dict[str, Array]:
        """Return columns of the letters, with those of regrets that are letters of their own.

        Raises:
            DataError: naming the first row with a number that is not finite, or in which a regret is not positive, and
                in how many rows that is so.
        """
        for name, values in columns.items():
            if not np.isfinite(values).all():
                row = int(np.argmin(np.isfinite(values)))
                raise DataError(
                    f"{place(row)}: {name} = {values[row]} is not finite", "Fill or drop what is missing."
                )
        own = {
            regret.letter: regret.of_rows(columns, place) for regret in self._regrets() if regret.is_letter
        }
        return {**columns, **own}

    def blocks(self, blocks: Iterable[Known]) -> Iterator[Known]:
        """Yield predictions with the columns that the context needs."""
        for block in blocks:
            yield replace(block, columns=self.with_regrets(block.columns, block.place))

    def rest(self, label: int, columns: Mapping[str, Array]) -> Any:
        """Return the mean cost of the right decision in class 0 or 1: a number, or one for each row of the columns."""
        return _values((self.tn, self.tp)[label].mean(), columns)


@dataclass(frozen=True, slots=True)
class Regret:
    """What a mistake costs beyond the right decision."""

    name: str
    mistake: str
    right: str
    cost: Term
    saved: Term

    def __str__(self) -> str:
        law = self.law() if self._laws else None
        shown = self._difference if law is None else law.name or _minus(self.cost, self.saved)
        return f"{self.name} = {self.mistake} − {self.right} = {shown}"

    @property
    def letter(self) -> str:
        """The name of a letter for it."""
        return f"{self.mistake}_less_{self.right}"

    @property
    def is_letter(self) -> bool:
        """Whether its sign depends on letters, so that it is looked at row by row."""
        return not self._laws and not self._difference.is_positive and bool(self._difference.free_symbols)

    @property
    def _difference(self) -> Expr:
        return self.cost.known - self.saved.known

    @property
    def _laws(self) -> tuple[Term, ...]:
        """The uncertain terms that are added to what is known."""
        return tuple(term for term in (self.cost, -self.saved) if term.law)

    def law(self) -> Law:
        """Return the law of the regret.

        Raises:
            SpecError: if it can be 0 or less.
        """
        if self.is_letter:
            return law_of(self.letter, self.letter)
        shift = self._difference
        if not self._laws:
            if not shift.is_positive:
                raise self._no_mistake(f"= {shift} is not positive")
            return law_of(shift, self.mistake)
        self._require_positive(shift)
        if len(self._laws) == 2:
            return _sum(*self._laws, shift, f"{self.name} = {self.mistake} - {self.right}")
        (term,) = self._laws
        assert term.law is not None
        return term.law.moved(term.sign, shift)

    def _require_positive(self, shift: Expr) -> None:
        """Refuse a regret that can be 0 or less: bounds of what is spread are not reached, values are."""
        least = shift + sum((term.least() for term in self._laws), sympy.S.Zero)
        if least.is_finite is not False and (positive(least) or (self._is_spread and nonnegative(least))):
            return
        if any(term.letters for term in self._laws) or shift.free_symbols:
            raise SpecError(
                f"{self.name} = {self.mistake} - {self.right} goes down to {least}, whose sign is not known",
                f"Give {self.mistake} as the law of {self.mistake} - {self.right}, and leave out {self.right}.",
            )
        if len(self._laws) == 2:
            raise self._no_mistake(f"goes down to {least}")
        (term,) = self._laws
        assert term.law is not None
        turn = float(-term.sign * shift)
        below = term.law.below(turn if term.sign > 0 else float(np.nextafter(turn, -np.inf)))
        share = below if term.sign > 0 else 1 - below
        raise self._no_mistake(f"is not positive with probability {share:.3g}")

    def _no_mistake(self, problem: str) -> SpecError:
        return SpecError(
            f"{self.name} = {self.mistake} - {self.right} {problem}",
            NO_MISTAKE.format(f"raise {self.mistake}, or lower {self.right}."),
        )

    @property
    def _is_spread(self) -> bool:
        """Whether some uncertain term has no values of positive probability."""
        return any(term.law is not None and not term.law.masses for term in self._laws)

    def of_rows(self, columns: Mapping[str, Array], place: Callable[[int], str]) -> Array:
        """Return its value in each row.

        Raises:
            DataError: naming the first row in which it is not positive.
        """
        values = np.asarray(_values(self._difference, columns))
        wrong = ~(values > 0)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise DataError(
                f"{place(row)}: {self.mistake} - {self.right} = {values[row]:g} is not positive, as in "
                f"{100 * wrong.mean():.3g} % of these rows",
                NO_MISTAKE.format("decide such cases without a model, and leave them out."),
            )
        return values


def _minus(cost: Term, saved: Term) -> str:
    plain = str(saved)
    is_sum = not saved.words and (" + " in plain or plain.startswith("-"))
    return f"{cost} - ({plain})" if is_sum else f"{cost} - {plain}"


@lru_cache(maxsize=32)
def _sum(first: Term, second: Term, shift: Expr, place: str) -> Law:
    """Return the law of a number and two independent terms."""
    assert first.law is not None
    assert second.law is not None
    one, other = sympy.symbols("_one _other_one", positive=True)
    laws = {one: first.law, other: second.law}
    return law_of_expression(first.sign * one + second.sign * other + shift, laws, place)


def _values(expr: Expr, columns: Mapping[str, Array]) -> Any:
    """Return the value of an expression, or its values in all rows."""
    letters = sorted(expr.free_symbols, key=str)
    if not letters:
        return float(expr)
    function = sympy.lambdify(letters, expr, "numpy")
    with np.errstate(all="ignore"):  # what is no number is refused
        return np.asarray(function(*[columns[letter.name] for letter in letters]), dtype=np.float64)
