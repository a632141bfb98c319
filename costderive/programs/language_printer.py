"""Trees of programs as text in a language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter

from sympy import Expr

from costderive.core.errors import ExportError
from costderive.numeric.program_tree import (
    Call,
    Name,
    Node,
    Number,
    Operation,
    Printer,
    Program,
    negated,
    number,
    substituted,
    total,
)
from costderive.programs.formula_programs import inlined
from costderive.programs.languages.language import Language
from costderive.programs.portable import Conditions

INPUTS = {"at": "at", "p": "p", "r": "q"}  # no letter of a rule is called q
COMPLEMENT = {"r": total(Number(1.0), negated(Name("p")))}


def formula(expr: Expr, language: Language) -> str:
    """Return the formula of an expression in a language, in which ``1 - p`` is written out."""
    return LanguagePrinter(language).text(substituted(inlined(expr), COMPLEMENT))


@dataclass(slots=True)
class LanguagePrinter(Printer):
    """Prints trees in a language, whose templates may name the ``table`` of polynomials.

    ``letters`` says what the program calls the parameters, by their names in trees.
    """

    language: Language
    table: str = ""
    letters: Mapping[str, str] = field(default_factory=dict)

    def number(self, number: Number) -> str:
        """Return a number, which may be infinite or NaN."""
        if math.isfinite(number.value):
            return self.language.number(number.value)
        return self.language.nan if math.isnan(number.value) else self.language.infinity

    def double(self, value: float) -> str:
        """Return a double."""
        return self.text(number(value))

    def name(self, name: str) -> str:
        """Return an input, or what has been assigned."""
        return self._written(self.letters[name]) if name in self.letters else INPUTS.get(name, name)

    def _written(self, letter: str) -> str:
        return self.language.parameters.written.format(letter)

    def call(self, function: str, arguments: list[str]) -> str:
        """Return a call, of a name or as a template says.

        Raises:
            ExportError: if the language has no such function.
        """
        if function not in self.language.names:
            remedy = "Take another target, or give the parameters numbers: tables need no such function."
            raise ExportError(f"there is no {function} in this target", remedy)
        found = self.language.names[function]
        if "{" in found:
            return found.format(*arguments, table=self.table, **INPUTS)
        return f"{found}({', '.join(arguments)})"

    def is_left_out(self, function: str) -> bool:
        """Return whether the language does without a function."""
        return self.language.names.get(function) == "{0}"

    def checks(self, conditions: Conditions) -> Iterator[str]:
        """Yield the lines that refuse parameters."""
        syntax = self.language.parameters
        yield from (syntax.positive.format(self._written(letter)) for letter in self.letters.values())
        for condition, words in conditions.needed:
            yield syntax.check.format(condition=self.text(condition), text=words)

    def inputs(self, program: Program) -> list[str]:
        """Return the inputs that a program reads as it is written here: a template may leave out an argument."""
        trees = (*(value for _, value in program.steps), program.result)
        read = {name for tree in trees for name in self.read(tree)}
        return [name for name in (*INPUTS, *self.letters) if name in read]

    def read(self, tree: Node) -> Iterator[str]:
        """Yield the names that a tree has as it is written here."""
        match tree:
            case Name(name):
                yield name
            case Operation(_, parts):
                yield from (name for part in parts for name in self.read(part))
            case Call(function, parts):
                fields = _fields(self.language.names.get(function, ""))
                yield from fields
                kept = [part for k, part in enumerate(parts) if not fields or str(k) in fields]
                yield from (name for part in kept for name in self.read(part))


def _fields(template: str) -> set[str]:
    """Return the names and numbers of the places in a template."""
    return {field for _, field, _, _ in Formatter().parse(template) if field}
