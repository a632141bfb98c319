"""What a language is to the writer of formulas with parameters: its syntax, and its names for functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from costderive.programs.power_series import Series

COMMON = ("exp", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
INVERSE = ("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh")
OWN = frozenset(["p", "r", "s", "y", "loss", "loss0", "loss1", "highs", "formulas", "series"])


@dataclass(frozen=True, slots=True)
class Steps:
    """A function by pieces: for each where it ends (inclusive) and its formula, and the values at 0 and 1."""

    variable: str
    rows: tuple[tuple[str, str], ...]
    at0: str
    at1: str


class Shape(ABC):
    """The syntax of a language; methods that yield lines leave out their indentation."""

    comment: tuple[str, str, str]  # opens, continues, closes
    both: str  # between conditions that must all hold
    taken: frozenset[str]  # what no parameter may be called
    between: str = "\n\n"  # functions
    calls_ahead: bool = True  # whether a function may call one that follows

    def is_taken(self, name: str, names: Sequence[str]) -> bool:
        """Return whether a program cannot have a parameter of this name, which is one of several."""
        return name in self.taken or name.startswith("NEAR_ZERO_")

    def symbol(self, name: str) -> str:
        """Return a variable or a parameter in a formula."""
        return name

    def number(self, value: int | float) -> str:
        """Return a finite number."""
        return repr(value)

    @abstractmethod
    def parameters(self, names: Sequence[str]) -> str:
        """Return what follows in a signature."""

    @abstractmethod
    def passed(self, names: Sequence[str]) -> str:
        """Return what follows in a call."""

    @abstractmethod
    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        """Return the text of a function."""

    @abstractmethod
    def positive(self, symbol: str) -> str:
        """Return the condition that a parameter is positive and finite."""

    @abstractmethod
    def check(self, fact: str, text: str) -> str:
        """Return the line that refuses parameters of which a fact does not hold."""

    @abstractmethod
    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines that count under a condition, or in all cases that are left if it is empty."""

    @abstractmethod
    def steps(self, steps: Steps) -> Iterator[str]:
        """Yield the lines that return the value of a function by pieces."""

    @abstractmethod
    def constants(self, name: str, numbers: Sequence[float]) -> str:
        """Return the text of a table of numbers, empty if the language has none."""

    @abstractmethod
    def series(self, distance: str, series: Series, table: str) -> str:
        """Return the value of a power series, apart from its factor; its coefficients stand in a table."""


def named(prefix: str, log: str, log1p: str, **others: str) -> dict[str, str]:
    """Return names of functions by those that trees have: the usual ones of C after a prefix, and some others."""
    usual = {name: f"{prefix}{name}" for name in COMMON}
    inverse = {name: f"{prefix}{name.replace('arc', 'a')}" for name in INVERSE}
    return usual | inverse | {"log_p": f"{log}({{0}})", "log_r": f"{log1p}(-{{0}})"} | others


@dataclass(frozen=True, slots=True)
class Target:
    """A language: its name for each function, or a template of its arguments, and the frame around the formulas.

    The frame has places for the ``losses``, which are functions, the ``helpers`` that they use, the ``parameters``
    that follow in a signature, what is ``passed`` on in a call, and the names ``exported``. Helpers are put in if the
    formulas, or a helper before them, use a function of their name.
    """

    names: Mapping[str, str]
    infinity: str
    frame: str
    helpers: Mapping[str, str]
    shape: Shape
    nan: str = "nan"
    prepared: tuple[str, ...] = ()  # what each function starts with
    quantities: tuple[str, ...] = ("loss0", "loss1")
    notes: str = ""  # what the reader must know


def in_rows(numbers: Sequence[float]) -> list[str]:
    """Return numbers as text, four to a line."""
    return [", ".join(map(repr, numbers[k : k + 4])) for k in range(0, len(numbers), 4)]
