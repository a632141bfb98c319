"""A scoring rule as a program in another language: the compiled losses, written with that language's table of names."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import TypeGuard

import costderive
from costderive.core.errors import ExportError
from costderive.programs.expression_text import plain
from costderive.programs.formulas import formulas
from costderive.programs.languages import LANGUAGES, sql
from costderive.programs.languages.language import Language, commented
from costderive.programs.portable import Branch, Formula, Portable, portable
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
OPERATORS: Mapping[type, tuple[str, int]] = {
    ast.Add: (" + ", 1),
    ast.Sub: (" - ", 1),
    ast.Mult: (" * ", 2),
    ast.Div: (" / ", 2),
}


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
        return about + "\n" + sql.query(written, Printer(language), dialect, keep)
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


# ------------------------------------------------------------------------------------------------ formulas


@dataclass(slots=True)
class Printer:
    """Prints formulas of the small language in another one, and notes which functions they call."""

    language: Language
    used: set[str] = field(default_factory=set)
    table: str = ""

    def formula(self, formula: Formula) -> str:
        """Return the result of a formula with its assignments put in."""
        known: dict[str, ast.expr] = {}
        for name, value in formula.lines:
            known[name] = _Named(known).visit(_parsed(value))
        return self._text(_Named(known).visit(_parsed(formula.result)))

    def argument(self, formula: Formula) -> str | None:
        """Return the argument of the polynomial in a formula, None if there is none."""
        known: dict[str, ast.expr] = {}
        for name, value in formula.lines:
            known[name] = _Named(known).visit(_parsed(value))
        calls = [node for node in ast.walk(_parsed(formula.result)) if _is_polynomial(node)]
        return self._text(_Named(known).visit(calls[0].args[0])) if calls else None

    def text(self, source: str) -> str:
        """Return an expression."""
        return self._text(_parsed(source))

    def number(self, value: float) -> str:
        """Return a number, which may be infinite."""
        if value in (float("inf"), -float("inf")):
            return ("-" if value < 0 else "") + self.language.infinity
        return self.language.number(value)

    def _text(self, node: ast.expr, level: int = 0) -> str:
        match node:
            case ast.Constant(value=int() | float() as value):
                return self.number(float(value))
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._within(f"-{self._text(operand, 3)}", 2, level)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.UnaryOp(operand=negated)):
                opposite = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
                return self._text(ast.BinOp(left, opposite, negated), level)
            case ast.BinOp(left=left, op=op, right=right):
                sign, own = OPERATORS[type(op)]
                return self._within(f"{self._text(left, own)}{sign}{self._text(right, own + 1)}", own, level)
            case ast.Call(func=ast.Name(id=name), args=[argument]) if self._is_left_out(name):
                return self._text(argument, level)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, [self._text(arg) for arg in args])
        raise AssertionError(ast.dump(node))

    def _is_left_out(self, name: str) -> bool:
        return self.language.names[name] == "{0}"

    @staticmethod
    def _within(text: str, own: int, level: int) -> str:
        return f"({text})" if own < level else text

    def _call(self, name: str, args: list[str]) -> str:
        self.used.add(name)
        found = self.language.names[name]
        if "{" in found or "(" in found:
            return found.format(*args, table=self.table)
        return f"{found}({', '.join(args)})"


class _Named(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what stands for a name."""
        return self.known.get(node.id, node)


def _is_polynomial(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "polynomial"


def _parsed(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


# ------------------------------------------------------------------------------------------------ programs


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes functions in a language."""

    language: Language
    functions: Mapping[str, Portable]

    def program(self) -> str:
        """Return the program without its comment."""
        printer = Printer(self.language)
        tables = [self._table(name, found, printer) for name, found in self.functions.items() if found.table]
        pieces: list[str] = []
        texts = [self._function(name, found, printer, pieces) for name, found in self.functions.items()]
        helpers = dict.fromkeys(text for name, text in self.language.helpers.items() if name in printer.used)
        program = Template(self.language.frame).substitute(
            tables="".join(tables),
            helpers=Template("".join(helpers)).safe_substitute(width=self.width),
            pieces="".join(pieces),
            functions="\n".join(texts),
        )
        return re.sub(r"\n{4,}", "\n\n\n", program).strip() + "\n"

    @property
    def width(self) -> int:
        """The length of a row of the tables."""
        rows = [row for found in self.functions.values() for row in found.table]
        return max((len(row.coefficients) + 3 for row in rows), default=0)

    def _table(self, name: str, found: Portable, printer: Printer) -> str:
        opening, closing = self.language.brackets
        rows = []
        for row in found.table:
            missing = (0.0,) * (self.width - 3 - len(row.coefficients))
            numbers = (row.high, row.centre, row.scale, *missing, *row.coefficients)
            texts = [printer.number(number) for number in numbers]
            lines = [", ".join(texts[k : k + PER_LINE]) for k in range(0, len(texts), PER_LINE)]
            rows.append(f"    {opening}" + ",\n     ".join(lines) + closing)
        return Template(self.language.table).substitute(
            name=_table_name(name), rows=",\n".join(rows), width=self.width
        )

    def _function(self, name: str, found: Portable, printer: Printer, pieces: list[str]) -> str:
        printer.table = _table_name(name)
        values = [
            self._value(name, index, branch, printer, pieces) for index, branch in enumerate(found.branches)
        ]
        ends = [printer.number(branch.high) for branch in found.branches]
        branch = self.language.branch
        lines = [branch.format(high=high, value=value) for high, value in zip(ends, values, strict=True)]
        if self.language.last:
            lines[-1] = self.language.last.format(value=values[-1])
        branches = "\n".join(lines)
        return Template(self.language.function).substitute(
            name=name,
            complement=self.language.complement if re.search(r"\br\b", branches) else "",
            about=ABOUT[name[:-1]].format(name[-1]),
            branches=branches,
            lowest=printer.number(-math.inf if name.startswith("margin_") else 0.0),
            ends=", ".join(ends),
            at_zero=printer.number(found.at_zero),
            at_one=printer.number(found.at_one),
        )

    def _value(self, name: str, index: int, branch: Branch, printer: Printer, pieces: list[str]) -> str:
        """Return the value of a branch; one with assignments becomes a function of its own."""
        lines, result = branch.formula.lines, printer.text(branch.formula.result)
        if not lines:
            return result
        piece = f"{name}_part{index + 1}"
        steps = "\n".join(self.language.step.format(name=x, value=printer.text(value)) for x, value in lines)
        needed = [x for x in ("at", "p", "r") if re.search(rf"\b{x}\b", f"{steps} {result}")]
        parameters = ", ".join(map(self.language.parameter.format, needed))
        template = Template(self.language.piece)
        pieces.append(template.substitute(name=piece, parameters=parameters, steps=steps, value=result))
        return self.language.call.format(name=piece, arguments=", ".join(needed))


def _table_name(name: str) -> str:
    return re.sub(r"(\d)$", r"_\1", name).upper()
