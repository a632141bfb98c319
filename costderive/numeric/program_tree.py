"""Programs as trees: numbers, names, operations, calls and assignments, which every language prints in its own way."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

LEVELS = {"+": 1, "*": 2, "/": 2, "-": 2}  # how tightly an operation binds
PAST, SHORT_OF = "past", "short_of"  # the distance from an inner end, from above and from below, of a logit
EXACTLY = "exactly"  # of x: x, rounded before anything else is done with it


@dataclass(frozen=True, slots=True)
class Number:
    """A double that is at least 0; ``digits`` has more of the number that was rounded to it, if that is known."""

    value: float
    digits: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """An input, or what has been assigned."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A sum or a product of parts, taken from the left, a quotient of two, or (``-``) the opposite of one."""

    sign: Literal["+", "*", "/", "-"]
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments, by NumPy's name if it has one."""

    function: str
    parts: tuple[Node, ...]


Node = Number | Name | Operation | Call
Step = tuple[str, Node]  # an assignment


@dataclass(frozen=True, slots=True)
class Program:
    """Assignments in their order, and a result."""

    steps: tuple[Step, ...]
    result: Node

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes."""
        for tree in (*(value for _, value in self.steps), self.result):
            yield from nodes(tree)

    def calls(self) -> set[str]:
        """Return the functions that are called."""
        return {node.function for node in self.nodes() if isinstance(node, Call)}

    def inlined(self) -> Node:
        """Return the result with what was assigned in the place of names."""
        known: dict[str, Node] = {}
        for name, value in self.steps:
            known[name] = substituted(value, known)
        return substituted(self.result, known)

    def renamed(self, suffix: str) -> Program:
        """Return the program with a suffix to each name that it assigns."""
        names = {name: Name(f"{name}{suffix}") for name, _ in self.steps}
        steps = tuple((names[name].name, substituted(value, names)) for name, value in self.steps)
        return Program(steps, substituted(self.result, names))


def nodes(tree: Node) -> Iterator[Node]:
    """Yield a tree and everything in it."""
    yield tree
    if isinstance(tree, Operation | Call):
        for part in tree.parts:
            yield from nodes(part)


def substituted(tree: Node, names: Mapping[str, Node]) -> Node:
    """Return a tree with others in the place of names."""
    if isinstance(tree, Operation | Call):
        return replace(tree, parts=tuple(substituted(part, names) for part in tree.parts))
    return names.get(tree.name, tree) if isinstance(tree, Name) else tree


def number(value: float, digits: str = "") -> Node:
    """Return a double, which may be negative."""
    if math.copysign(1.0, value) < 0:
        return negated(Number(-value, digits.removeprefix("-")))
    return Number(value, digits)


def negated(tree: Node) -> Node:
    """Return the opposite."""
    match tree:
        case Operation("-", (part,)):
            return part
    return Operation("-", (tree,))


def total(*terms: Node) -> Node:
    """Return a sum, taken from the left."""
    return Operation("+", terms) if len(terms) > 1 else terms[0]


def product(*factors: Node) -> Node:
    """Return a product, taken from the left."""
    return Operation("*", factors) if len(factors) > 1 else factors[0]


def quotient(above: Node, below: Node) -> Node:
    """Return a fraction."""
    return Operation("/", (above, below))


class Printer(ABC):
    """Prints trees in a language; the text of calls is closed: no operation beside it reaches into it."""

    @abstractmethod
    def number(self, number: Number) -> str:
        """Return a number."""

    def name(self, name: str) -> str:
        """Return an input, or what has been assigned."""
        return name

    @abstractmethod
    def call(self, function: str, arguments: list[str]) -> str:
        """Return a call."""

    @abstractmethod
    def is_left_out(self, function: str) -> bool:
        """Return whether the language does without a function: its argument stands for it."""

    def text(self, tree: Node, level: int = 0) -> str:
        """Return an expression, in parentheses if it binds less tightly than ``level``."""
        match tree:
            case Number():
                return self.number(tree)
            case Name(name):
                return self.name(name)
            case Call(function, parts):
                if self.is_left_out(function):
                    return self.text(parts[0], level)
                return self.call(function, [self.text(part) for part in parts])
            case Operation(sign, parts):
                text = self._operation(sign, parts)
                return f"({text})" if LEVELS[sign] < level else text

    def _operation(self, sign: str, parts: tuple[Node, ...]) -> str:
        first = self.text(parts[0], LEVELS[sign])
        if sign == "-":
            return f"-({first})" if first.startswith("-") else f"-{first}"
        if sign == "+":
            return first + "".join(map(self._term, parts[1:]))
        return first + "".join(f" {sign} {self.text(part, 3)}" for part in parts[1:])

    def _term(self, term: Node) -> str:
        """Return a term of a sum after the first."""
        match term:
            case Operation("-", (part,)):
                return f" - {self.text(part, 2)}"
        return f" + {self.text(term, 2)}"


class Python(Printer):
    """Prints Python whose functions have the names that they have in trees."""

    def number(self, number: Number) -> str:
        """Return the shortest text of a double."""
        return repr(number.value)

    def call(self, function: str, arguments: list[str]) -> str:
        """Return a call."""
        return f"{function}({', '.join(arguments)})"

    def is_left_out(self, function: str) -> bool:
        """Return whether a function is only a mark: Python does everything in its order."""
        return function == EXACTLY


class Precise(Python):
    """Prints Python for the longest floating-point numbers of the machine, which ``number`` reads from digits."""

    def number(self, number: Number) -> str:
        """Return a number with all digits that are known."""
        return f"number('{number.digits}')" if number.digits else repr(number.value)


PYTHON, PRECISE = Python(), Precise()


def lines(steps: Iterable[Step], printer: Printer = PYTHON) -> list[str]:
    """Return assignments in Python."""
    return [f"{name} = {printer.text(value)}" for name, value in steps]


def body(program: Program, printer: Printer = PYTHON) -> str:
    """Return the body of a function in Python, indented."""
    texts = [*lines(program.steps, printer), f"return {printer.text(program.result)}"]
    return "".join(f"    {text}\n" for text in texts)
