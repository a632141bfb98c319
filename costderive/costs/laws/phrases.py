"""Laws in words: ``"5 to 20"``, ``"median 10, 90% below 50"``. One table is the grammar and what errors say of it.

A number is anything without spaces that is an expression, as ``1/3`` or ``2*a``, after a sign of a currency or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, Rational

from costderive.core.errors import SpecError
from costderive.core.expressions import parse
from costderive.core.expressions.exact_numbers import printable
from costderive.costs.laws.law import Law
from costderive.costs.laws.named_laws import triangular, uniform
from costderive.costs.laws.quantiles import mean_and_deviation, quantiles

LONGEST = 200  # characters of a phrase
WORDS = re.compile(
    r"\s(?:to|and|within|below|above|between|most|likely|sd)\s|^(?:about|around|between|from|median|mean)\s",
    re.IGNORECASE,
)
SURE = Rational(95, 100)  # of "within a factor of"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to speak of a cost: an example, its pattern, in which N is a number, and the law of the numbers."""

    example: str
    pattern: str
    law: Callable[..., Law]
    what: str

    def read(self, text: str) -> tuple[str, ...] | None:
        """Return the numbers of a text that is of this form."""
        found = re.fullmatch(self.pattern.replace("N", r"[€$£]?([^\s,]+)"), text, re.IGNORECASE)
        return None if found is None else found.groups()


def _within(middle: Expr, factor: Expr) -> Law:
    if not (factor.is_number and factor > 1):
        raise SpecError(f"a factor of {factor} leaves no room", "Write a factor above 1.")
    return quantiles({(1 - SURE) / 2: middle / factor, (1 + SURE) / 2: middle * factor})


def _median(middle: Expr, percent: Expr, value: Expr) -> Law:
    return quantiles({Rational(1, 2): middle, percent / 100: value})


def _median_above(middle: Expr, percent: Expr, value: Expr) -> Law:
    return _median(middle, 100 - percent, value)


def _two(first: Expr, low: Expr, second: Expr, high: Expr) -> Law:
    if first == second:
        raise SpecError(f"{first}% is said twice", "Write two different percentages.")
    return quantiles({first / 100: low, second / 100: high})


def _most(percent: Expr, low: Expr, high: Expr) -> Law:
    return quantiles({(100 - percent) / 200: low, (100 + percent) / 200: high})


def _peaked(low: Expr, high: Expr, mode: Expr) -> Law:
    return triangular(low, mode, high)


PHRASES = (
    Phrase("5 to 20", r"(?:from )?N to N", uniform, "uniform"),
    Phrase("between 5 and 20", r"between N and N", uniform, "uniform"),
    Phrase("5 to 20, most likely 8", r"(?:from )?N to N,? most likely N", _peaked, "triangular"),
    Phrase("between 5 and 20, most likely 8", r"between N and N,? most likely N", _peaked, "triangular"),
    Phrase(
        "about 5, within a factor of 2",
        r"(?:about|around) N,? within a factor(?: of)? N",
        _within,
        "log-normal, within that factor of the median with probability 95 %",
    ),
    Phrase(
        "median 10, 90% below 50", r"median N,? N% below N", _median, "log-normal with these two quantiles"
    ),
    Phrase(
        "median 10, 10% above 50",
        r"median N,? N% above N",
        _median_above,
        "log-normal with these two quantiles",
    ),
    Phrase("5% below 2, 95% below 50", r"N% below N,? N% below N", _two, "log-normal with these quantiles"),
    Phrase(
        "90% between 2 and 50",
        r"N% between N and N",
        _most,
        "log-normal, with as much probability below as above",
    ),
    Phrase(
        "mean 10, sd 4",
        r"mean N,? (?:sd|standard deviation) N",
        mean_and_deviation,
        "log-normal with this mean and standard deviation",
    ),
)


def is_in_words(text: str) -> bool:
    """Return whether a text speaks of a cost with words of the table, rather than being an expression or a call."""
    return len(text) <= LONGEST and bool(WORDS.search(f"{' '.join(text.split())} "))


def law_in_words(text: str, place: str) -> Law | None:
    """Return the law that a text describes in words; ``None`` if there are none of these words in it.

    Raises:
        SpecError: if there are, but not as the table has them, or their numbers do not fit together.
    """
    said = " ".join(text.split()).replace(" %", "%") if len(text) <= LONGEST else ""
    for phrase in PHRASES:
        numbers = phrase.read(said)
        if numbers is not None:
            return _built(phrase, numbers, f'{place} = "{printable(said)}"')
    if is_in_words(text):
        examples = "; ".join(phrase.example for phrase in PHRASES)
        raise SpecError(
            f'{place} = "{printable(said)}" is not a way to speak of costs that is known',
            f"Write {examples}.",
        )
    return None


def _built(phrase: Phrase, numbers: tuple[str, ...], place: str) -> Law:
    values = [parse(number, place=place) for number in numbers]
    try:
        return phrase.law(*values)
    except SpecError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None
