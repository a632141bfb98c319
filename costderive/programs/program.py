"""A scoring rule as a program in another language: the compiled losses, written with that language's table of names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter, Template

import costderive
from costderive.core.errors import ExportError
from costderive.numeric.parameter_trees import plain
from costderive.numeric.program_tree import Call, Name, Node, Number, Operation, Printer, Program, number
from costderive.programs.formulas import formulas
from costderive.programs.languages import LANGUAGES, sql
from costderive.programs.languages.language import Language, commented
from costderive.programs.portable import Portable, portable
from costderive.rules import ScoringRule

ABOUT = {
    "loss": "the loss of a probability of class 1 if the class is {}",
    "slope": "the derivative of loss{} in p",
    "curvature": "the second derivative of loss{} in p",
    "margin_loss": "the loss of the logit of a probability of class 1 if the class is {}",
    "margin_slope": "the derivative of loss{} in the logit of p",
    "margin_curvature": "the second derivative of loss{} in the logit of p",
}
ACCURACY = "Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:"
ORDERS = ("loss", "slope", "curvature")
PER_LINE = 4  # numbers of a table
INPUTS = {name: name for name in ("at", "p", "r")}


def code(
    rule: ScoringRule,
    target: str = "numpy",
    *,
    title: str = "",
    dialect: str = "duckdb",
    keep: Sequence[str] = (),
) -> str:
    """Return a program that has the losses of a rule and imports nothing of costderive.

    Targets are the keys of ``LANGUAGES``: ``numpy``, ``python`` (the module ``math``), ``numba``, ``c``,
    ``javascript``, ``r``, ``julia``, ``sql`` (in a ``dialect`` of sqlglot, which must be installed for others than
    DuckDB; the query passes on the columns to ``keep``), ``pytorch``, ``jax``, ``lightgbm`` and ``xgboost``. Each
    loss is written as it is compiled by :func:`costderive.numeric.compile`: in its closed form where that was
    measured to be accurate, else as a table of polynomials. Rules of costs of K classes have programs for NumPy alone.

    Raises:
        ExportError: for an unknown target or dialect, or one that cannot say what the rule says.
        ParametersLeftError: if a parameter of the rule has no number.

    >>> from costderive import Additive
    >>> from costderive import derive
    >>> program = code(derive(Additive(budget=2)).rule, "c")
    >>> "return p * p;" in program
    True
    """
    if not isinstance(rule, ScoringRule):
        return formulas(rule, target, title=title)
    if target not in LANGUAGES:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(LANGUAGES)}.")
    language = LANGUAGES[target]
    written = {name: _portable(rule, language, name) for name in language.quantities}
    about = commented(language.comment, _about(rule, language, title, written))
    if target == "sql":
        return about + "\n" + sql.query(written, LanguagePrinter(language), dialect, keep)
    return about + "\n" + _Writer(language, written).program()


def _portable(rule: ScoringRule, language: Language, name: str) -> Portable:
    kind, label = name[:-1], int(name[-1])
    of_margin = kind.startswith("margin_")
    order = ORDERS.index(kind.removeprefix("margin_"))
    wrt = "logit" if of_margin and order else "p"
    return portable(rule, order, label, wrt, language.in_lanes, of_margin)


# ------------------------------------------------------------------------------------------------ the comment


def _about(
    rule: ScoringRule, language: Language, title: str, written: Mapping[str, Portable]
) -> Iterator[str]:
    """Yield what a program says of itself, line by line."""
    yield from [*title.split("\n"), ""] if title else []
    yield "Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1."
    _, losses = rule.cases[0]
    for label, loss in enumerate((losses.loss0, losses.loss1)):
        yield f"loss{label}(p) ="
        yield from [f"    {plain(piece.value)}    up to p = {plain(piece.high)}" for piece in loss]
    yield ""
    yield ACCURACY
    yield from [f"    {name}: {_accuracy(function)}" for name, function in written.items()]
    if any(function.table for function in written.values()):
        yield "Where a formula would cancel, polynomials that were fitted to exact values take its place."
    yield from ["", *language.notes.splitlines(), *language.outside.splitlines()]
    yield f"Written by costderive {costderive.__version__}."


def _accuracy(function: Portable) -> str:
    if function.ulps is None:
        return "no closed form to compare with; polynomials fitted to 15 digits"
    return f"within {function.ulps:.2g}" if function.ulps else "exact"


# ------------------------------------------------------------------------------------------------ programs


@dataclass(slots=True)
class LanguagePrinter(Printer):
    """Prints trees in a language, whose templates may name the ``table`` of polynomials."""

    language: Language
    table: str = ""

    def number(self, number: Number) -> str:
        """Return a number."""
        return self.language.number(number.value)

    def double(self, value: float) -> str:
        """Return a double, which may be infinite."""
        if math.isinf(value):
            return ("-" if value < 0 else "") + self.language.infinity
        return self.text(number(value))

    def call(self, function: str, arguments: list[str]) -> str:
        """Return a call, of a name or as a template says."""
        found = self.language.names[function]
        if "{" in found:
            return found.format(*arguments, table=self.table, **INPUTS)
        return f"{found}({', '.join(arguments)})"

    def is_left_out(self, function: str) -> bool:
        """Return whether the language does without a function."""
        return self.language.names[function] == "{0}"

    def inputs(self, program: Program) -> list[str]:
        """Return the inputs that a program reads as it is written here: a template may leave out an argument."""
        trees = (*(value for _, value in program.steps), program.result)
        read = {name for tree in trees for name in self._read(tree)}
        return [name for name in INPUTS if name in read]

    def _read(self, tree: Node) -> Iterator[str]:
        match tree:
            case Name(name):
                yield name
            case Operation(_, parts):
                yield from (name for part in parts for name in self._read(part))
            case Call(function, parts):
                fields = _fields(self.language.names[function])
                yield from fields
                kept = [part for k, part in enumerate(parts) if not fields or str(k) in fields]
                yield from (name for part in kept for name in self._read(part))


def _fields(template: str) -> set[str]:
    """Return the names and numbers of the places in a template."""
    return {field for _, field, _, _ in Formatter().parse(template) if field}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes functions in a language."""

    language: Language
    functions: Mapping[str, Portable]

    def program(self) -> str:
        """Return the program without its comment."""
        printer = LanguagePrinter(self.language)
        tables = [self._table(name, found, printer) for name, found in self.functions.items() if found.table]
        pieces: list[str] = []
        texts = [self._function(name, found, printer, pieces) for name, found in self.functions.items()]
        helpers = dict.fromkeys(text for name, text in self.language.helpers.items() if name in self.used)
        program = Template(self.language.frame).substitute(
            tables="".join(tables),
            helpers=Template("".join(helpers)).safe_substitute(width=self.width),
            pieces="".join(pieces),
            functions="\n".join(texts),
        )
        return _spaced(program).strip() + "\n"

    @property
    def used(self) -> set[str]:
        """The functions that are called."""
        branches = [branch for found in self.functions.values() for branch in found.branches]
        return {name for branch in branches for name in branch.program.calls()}

    @property
    def width(self) -> int:
        """The length of a row of the tables."""
        rows = [row for found in self.functions.values() for row in found.table]
        return max((len(row.coefficients) + 3 for row in rows), default=0)

    def _table(self, name: str, found: Portable, printer: LanguagePrinter) -> str:
        opening, closing = self.language.brackets
        rows = []
        for row in found.table:
            missing = (0.0,) * (self.width - 3 - len(row.coefficients))
            numbers = (row.high, row.centre, row.scale, *missing, *row.coefficients)
            texts = [printer.double(number) for number in numbers]
            lines = [", ".join(texts[k : k + PER_LINE]) for k in range(0, len(texts), PER_LINE)]
            rows.append(f"    {opening}" + ",\n     ".join(lines) + closing)
        return Template(self.language.table).substitute(
            name=_table_name(name), rows=",\n".join(rows), width=self.width
        )

    def _function(self, name: str, found: Portable, printer: LanguagePrinter, pieces: list[str]) -> str:
        printer.table = _table_name(name)
        values = [
            self._value(name, index, branch.program, printer, pieces)
            for index, branch in enumerate(found.branches)
        ]
        read = {name for branch in found.branches for name in printer.inputs(branch.program)}
        ends = [printer.double(branch.high) for branch in found.branches]
        branch = self.language.branch
        lines = [branch.format(high=high, value=value) for high, value in zip(ends, values, strict=True)]
        if self.language.last:
            lines[-1] = self.language.last.format(value=values[-1])
        branches = "\n".join(lines)
        return Template(self.language.function).substitute(
            name=name,
            complement=self.language.complement if "r" in read else "",
            about=ABOUT[name[:-1]].format(name[-1]),
            branches=branches,
            lowest=printer.double(-math.inf if name.startswith("margin_") else 0.0),
            ends=", ".join(ends),
            at_zero=printer.double(found.at_zero),
            at_one=printer.double(found.at_one),
        )

    def _value(
        self, name: str, index: int, program: Program, printer: LanguagePrinter, pieces: list[str]
    ) -> str:
        """Return the value of a branch; one with assignments becomes a function of its own."""
        result = printer.text(program.result)
        if not program.steps:
            return result
        piece, needed = f"{name}_part{index + 1}", printer.inputs(program)
        steps = [self.language.step.format(name=x, value=printer.text(value)) for x, value in program.steps]
        parameters = ", ".join(map(self.language.parameter.format, needed))
        template = Template(self.language.piece)
        pieces.append(
            template.substitute(name=piece, parameters=parameters, steps="\n".join(steps), value=result)
        )
        return self.language.call.format(name=piece, arguments=", ".join(needed))


def _spaced(text: str) -> str:
    """Leave no more than two empty lines together."""
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text


def _table_name(name: str) -> str:
    return f"{name[:-1]}_{name[-1]}".upper()
