"""All four costs of a decision: they reduce to the regrets of both mistakes, and a rest that no decision changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from costderive.core.errors import DataError, SpecError
from costderive.core.expressions import exact
from costderive.costs.contexts import Independent
from costderive.costs.laws import Law, cost_law_in, law_of, require_proper
from costderive.deciders.signs import nonnegative, positive
from costderive.evaluate.predictions import Known

Array = NDArray[np.float64]
NO_MISTAKE = "There the mistake costs no more than the right decision, so it is no mistake: {}"


@dataclass(frozen=True, slots=True)
class Term:
    """A cost of either sign: a number or an expression in letters, or a law with its sign."""

    known: Expr
    law: Law | None = None
    sign: int = 1

    @property
    def letters(self) -> frozenset[Symbol]:
        """The free letters."""
        return frozenset(self.known.free_symbols) | (self.law.parameters if self.law else frozenset())

    def mean(self) -> Expr:
        """Return the expected cost."""
        return self.known if self.law is None else self.sign * self.law.mean()

    def __str__(self) -> str:
        return (
            str(self.known)
            if self.law is None
            else f"{'-' if self.sign < 0 else ''}{self.law.name or 'a law'}"
        )

    __repr__ = __str__


def _term(value: Any, place: str) -> Term:
    text = value.strip() if isinstance(value, str) else value
    is_negative = isinstance(text, str) and text.startswith("-")
    law = cost_law_in(text[1:] if is_negative else text, place)
    if law is None:
        return Term(exact(value, place=place))
    if is_negative and "(" not in text:
        raise SpecError(
            f"{place} = {value!r} has a minus sign before words: which bounds are negative is not clear",
            "Write the law of a benefit as -uniform(5, 20), say.",
        )
    return Term(sympy.S.Zero, require_proper(law, place), -1 if is_negative else 1)


@dataclass(frozen=True, slots=True)
class CostMatrix:
    """What each of the four outcomes costs, a benefit being a negative cost; class 1 is called positive.

    Each is a number, an expression in letters, or a law; ``"-uniform(10, 20)"`` is an uncertain benefit. What a
    mistake costs beyond the right decision is its *regret*, ``c0 = fp - tn`` and ``c1 = fn - tp``: these make the
    scoring rule, the thresholds and the comparisons of models. The rest, ``tn`` in class 0 and ``tp`` in class 1,
    depends on no decision and enters totals alone, through its mean. Of two costs in one regret one law at most is
    uncertain.

    Raises:
        SpecError: if a regret can be 0 or less, with its probability; or if it is a difference of two laws.

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
        law = None if self._uncertain is None else self.law()
        shown = self._difference if law is None else law.name or f"{self.cost} - ({self.saved})"
        return f"{self.name} = {self.mistake} − {self.right} = {shown}"

    @property
    def letter(self) -> str:
        """The name of a letter for it."""
        return f"{self.mistake}_less_{self.right}"

    @property
    def is_letter(self) -> bool:
        """Whether its sign depends on letters, so that it is looked at row by row."""
        return (
            self._uncertain is None
            and not self._difference.is_positive
            and bool(self._difference.free_symbols)
        )

    @property
    def _difference(self) -> Expr:
        return self.cost.known - self.saved.known

    @property
    def _uncertain(self) -> tuple[Law, int] | None:
        """Return the law in it with its sign, if there is one.

        Raises:
            SpecError: if there are two.
        """
        if self.cost.law and self.saved.law:
            raise SpecError(
                f"{self.mistake} and {self.right} are both uncertain, and their difference has no law here",
                f"Give {self.mistake} as the law of {self.mistake} - {self.right}, and leave out {self.right}.",
            )
        if self.cost.law:
            return self.cost.law, self.cost.sign
        return (self.saved.law, -self.saved.sign) if self.saved.law else None

    def law(self) -> Law:
        """Return the law of the regret.

        Raises:
            SpecError: if it can be 0 or less.
        """
        if self.is_letter:
            return law_of(self.letter, self.letter)
        uncertain, shift = self._uncertain, self._difference
        if uncertain is None:
            if not shift.is_positive:
                raise self._no_mistake(f"= {shift} is not positive")
            return law_of(shift, self.mistake)
        law, sign = uncertain
        self._require_positive(law, sign, shift)
        return law.moved(sign, shift)

    def _require_positive(self, law: Law, sign: int, shift: Expr) -> None:
        ends = [sign * (part.low if sign > 0 else part.high) + shift for part in law.spreads]
        open_ends = [end for end in ends if end.is_finite is False or not nonnegative(end)]
        values = [sign * mass.value + shift for mass in law.masses]
        open_ends += [value for value in values if not positive(value)]
        if not open_ends:
            return
        if law.parameters | shift.free_symbols:
            raise SpecError(
                f"{self.name} = {self.mistake} - {self.right} goes down to {open_ends[0]}, whose sign is not known",
                f"Give {self.mistake} as the law of {self.mistake} - {self.right}, and leave out {self.right}.",
            )
        turn = float(-sign * shift)
        share = law.below(turn) if sign > 0 else 1 - law.below(float(np.nextafter(turn, -np.inf)))
        raise self._no_mistake(f"is not positive with probability {share:.3g}")

    def _no_mistake(self, problem: str) -> SpecError:
        return SpecError(
            f"{self.name} = {self.mistake} - {self.right} {problem}",
            NO_MISTAKE.format(f"raise {self.mistake}, or lower {self.right}."),
        )

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


def _values(expr: Expr, columns: Mapping[str, Array]) -> Any:
    """Return the value of an expression, or its values in all rows."""
    letters = sorted(expr.free_symbols, key=str)
    if not letters:
        return float(expr)
    function = sympy.lambdify(letters, expr, "numpy")
    with np.errstate(all="ignore"):  # what is no number is refused
        return np.asarray(function(*[columns[letter.name] for letter in letters]), dtype=np.float64)
