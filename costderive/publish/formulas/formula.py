"""A formula as it is written: letters, signs, fractions, scripts, and rows of these; formats visit this tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from costderive.publish.formulas.signs import CLOSE, FUNCTIONS


@dataclass(frozen=True, slots=True)
class Letter:
    r"""A letter, or a symbol that stands like one, by its name in the notation: ``x``, ``\omega``, ``\infty``."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, perhaps with a decimal point."""

    digits: str


@dataclass(frozen=True, slots=True)
class Sign:
    r"""An operator, a relation, a bracket or a comma; ``size`` says how high a bracket is (``\bigl``)."""

    name: str
    size: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    r"""Text in a style: ``\text``, ``\mathrm``, ``\operatorname``, ..."""

    text: str
    style: str


@dataclass(frozen=True, slots=True)
class Space:
    r"""A space: ``\,`` and its like have a width, a blank only parts what stands beside it."""

    name: str


@dataclass(frozen=True, slots=True)
class Manner:
    r"""What follows is written as in a display, or as in a line: ``\displaystyle``, ``\textstyle``."""

    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A bar with something above and something below; a small one is as high as a line of text."""

    top: Row
    bottom: Row
    small: bool = False


@dataclass(frozen=True, slots=True)
class Radical:
    """A root; its degree is left out if it is 2."""

    inside: Row
    degree: str = ""


@dataclass(frozen=True, slots=True)
class Scripts:
    """Something with an index, an exponent, primes, or bounds."""

    base: Formula
    below: Formula | None = None
    above: Formula | None = None


@dataclass(frozen=True, slots=True)
class Fenced:
    """Brackets that are as high as what is between them."""

    left: str
    inside: Row
    right: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells: of ``kind`` aligned (at relations), cases (after a brace) or array (with a head).

    ``gap`` is the room between rows in LaTeX, and empty for a grid within a line.
    """

    kind: str
    rows: tuple[tuple[Row, ...], ...]
    gap: str = ""


Formula = Letter | Number | Sign | Word | Space | Manner | Row | Ratio | Radical | Scripts | Fenced | Grid


def row(*parts: Formula) -> Row:
    """Put formulas side by side; rows among them lose their bounds."""
    return Row(tuple(y for x in parts for y in (x.parts if isinstance(x, Row) else (x,))))


def small(formula: Row) -> Row:
    """Let fractions be as high as a line of text."""
    return Row(tuple(replace(x, small=True) if isinstance(x, Ratio) else x for x in formula.parts))


def walk(formula: Formula) -> Iterator[Formula]:
    """Go through a formula and all that is in it."""
    yield formula
    for part in inside(formula):
        yield from walk(part)


def inside(formula: Formula) -> tuple[Formula, ...]:
    """Return what a formula is made of."""
    match formula:
        case Row(parts=parts):
            return parts
        case Ratio(top=top, bottom=bottom):
            return top, bottom
        case Radical(inside=within) | Fenced(inside=within):
            return (within,)
        case Scripts(base=base, below=below, above=above):
            return tuple(x for x in (base, below, above) if x is not None)
        case Grid(rows=rows):
            return tuple(cell for cells in rows for cell in cells)
    return ()


def base(part: Formula | None) -> Formula | None:
    """Return what scripts are attached to."""
    return part.base if isinstance(part, Scripts) else part


def left_of(before: Formula | None, part: Formula) -> Formula | None:
    """Return what stands left of what follows a part: through a little space one sees what is before that."""
    if isinstance(part, Space):
        return None if "quad" in part.name else before
    return part


def is_function(part: Formula | None) -> bool:
    """Return whether something is the name of a function."""
    name = base(part)
    named = isinstance(name, Sign) and name.name in FUNCTIONS
    return named or (isinstance(name, Word) and name.style == r"\operatorname")


def is_operand(part: Formula | None) -> bool:
    """Return whether a plus or minus after this stands between two things, not before one."""
    left = base(part)
    return left is not None and (not isinstance(left, Sign) or left.name in CLOSE or left.name == "|")


class Writing(ABC):
    """A way to write formulas; each method writes one kind of node."""

    def write(self, formula: Formula) -> str:
        """Write a formula and what is in it."""
        method: Any = getattr(self, type(formula).__name__.lower())
        written: str = method(formula)
        return written

    @abstractmethod
    def letter(self, letter: Letter) -> str:
        """Write a letter."""

    @abstractmethod
    def number(self, number: Number) -> str:
        """Write a number."""

    @abstractmethod
    def sign(self, sign: Sign) -> str:
        """Write an operator, a relation, a bracket or a comma."""

    @abstractmethod
    def word(self, word: Word) -> str:
        """Write text."""

    @abstractmethod
    def space(self, space: Space) -> str:
        """Write a space."""

    @abstractmethod
    def manner(self, manner: Manner) -> str:
        """Say how high fractions and integrals are from here on."""

    @abstractmethod
    def row(self, row: Row) -> str:
        """Write parts side by side."""

    @abstractmethod
    def ratio(self, ratio: Ratio) -> str:
        """Write a fraction."""

    @abstractmethod
    def radical(self, radical: Radical) -> str:
        """Write a root."""

    @abstractmethod
    def scripts(self, scripts: Scripts) -> str:
        """Write an index and an exponent."""

    @abstractmethod
    def fenced(self, fenced: Fenced) -> str:
        """Write brackets and what is between them."""

    @abstractmethod
    def grid(self, grid: Grid) -> str:
        """Write rows of cells."""
