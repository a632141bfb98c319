"""How a language writes functions of a number and of parameters: signatures, branches, tables of formulas."""

from __future__ import annotations

import builtins
import keyword
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent


@dataclass(frozen=True, slots=True)
class Steps:
    """A function by pieces: for each where it ends (inclusive) and its formula, and the values at 0 and 1."""

    variable: str
    rows: tuple[tuple[str, str], ...]
    at0: str
    at1: str


class Shape(ABC):
    """The syntax of a language; each method returns lines without their indentation."""

    comment: tuple[str, str]
    both: str  # between conditions that must all hold
    taken: frozenset[str]  # what no parameter may be called

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
    def check(self, fact: str, told: str) -> str:
        """Return the line that refuses parameters of which a fact does not hold."""

    @abstractmethod
    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        """Return lines that count under a condition, and end with a return."""

    @abstractmethod
    def steps(self, steps: Steps) -> Iterator[str]:
        """Return the lines that return the value of a function by pieces."""

    @abstractmethod
    def constants(self, name: str, rows: Iterable[str]) -> str:
        """Return the text of a table of numbers."""

    @abstractmethod
    def power(self, base: str, exponent: str) -> str:
        """Return a power of what may be negative."""


class Python(Shape):
    """Python, with parameters as keyword arguments."""

    comment = ('"""', '"""')
    both = " and "
    taken = frozenset(
        {"np", "math", "loss", "loss0", "loss1", "y_true", "y_proba", "sample_weight"}
        | {*dir(builtins), *keyword.kwlist}
    )

    def parameters(self, names: Sequence[str]) -> str:
        return f", *, {', '.join(names)}" if names else ""

    def passed(self, names: Sequence[str]) -> str:
        return "".join(f", {name}={name}" for name in names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        head = f'def {name}({variable}{self.parameters(names)}):\n    """Return {about}."""\n'
        return head + indent("\n".join(body), "    ") + "\n"

    def check(self, fact: str, told: str) -> str:
        return f"_check({fact}, {told!r})"

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"if {condition}:"
        yield from [f"    {line}" for line in lines]

    def steps(self, steps: Steps) -> Iterator[str]:
        yield f"highs = ({', '.join(high for high, _ in steps.rows)}{',' * (len(steps.rows) == 1)})"
        yield "formulas = ("
        yield from [f"    lambda {steps.variable}: {formula}," for _, formula in steps.rows]
        yield ")"
        yield f"return _by_piece({steps.variable}, highs, formulas, {steps.at0}, {steps.at1})"

    def constants(self, name: str, rows: Iterable[str]) -> str:
        return "\n".join([f"{name} = (", *[f"    {row}," for row in rows], ")"])

    def power(self, base: str, exponent: str) -> str:
        return f"{base}**{exponent}"


_RESERVED = """
await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof var void while with yield arguments eval undefined NaN Infinity Math Number
"""
_OWN = """
loss loss0 loss1 thresholdWeight y p s check byPiece series gammaFunction betaFunction incompleteBeta highs formulas
RangeError
"""


class JavaScript(Shape):
    """JavaScript, with parameters as the properties of an object."""

    comment = ("/*\n", "*/")
    both = " && "
    taken = frozenset([*_RESERVED.split(), *_OWN.split()])

    def parameters(self, names: Sequence[str]) -> str:
        return f", {{ {', '.join(names)} }}" if names else ""

    def passed(self, names: Sequence[str]) -> str:
        return self.parameters(names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        head = f"/** Return {about}. */\nfunction {name}({variable}{self.parameters(names)}) {{\n"
        return head + indent("\n".join(body), "  ") + "\n}\n"

    def check(self, fact: str, told: str) -> str:
        return f'check({fact}, "{told}");'

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"if ({condition}) {{"
        yield from [f"  {line}" for line in lines]
        yield "}"

    def steps(self, steps: Steps) -> Iterator[str]:
        yield f"const highs = [{', '.join(high for high, _ in steps.rows)}];"
        yield "const formulas = ["
        yield from [f"  ({steps.variable}) => {formula}," for _, formula in steps.rows]
        yield "];"
        yield f"return byPiece({steps.variable}, highs, formulas, {steps.at0}, {steps.at1});"

    def constants(self, name: str, rows: Iterable[str]) -> str:
        return "\n".join([f"const {name} = [", *[f"  {row}," for row in rows], "];"])

    def power(self, base: str, exponent: str) -> str:
        """Return a call: ``-x ** 2`` is refused by the language."""
        return f"Math.pow({base}, {exponent})"
