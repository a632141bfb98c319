"""A scoring rule as a program that stands alone: it imports neither costderive nor SymPy.

Formulas keep their digits: ``log(1 - p)`` becomes ``log1p(-p)``, constants are folded into the nearest
double, and where a loss starts from 0 a sum that would cancel gives way to its power series in p or
sqrt(p).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy
from sympy import Expr

import costderive
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Pieces
from costderive.core.symbols import p
from costderive.multiclass import MulticlassRule
from costderive.numeric.parameter_trees import end_values, plain, with_quotients
from costderive.programs.class_programs import class_formulas
from costderive.programs.expression_text import formula
from costderive.programs.formula_languages import TARGETS
from costderive.programs.formula_languages.target import Steps, Target
from costderive.programs.languages.language import commented
from costderive.programs.languages.sql import translated
from costderive.programs.measured_accuracy import measured
from costderive.programs.power_series import NEAR_END, Series, series_of
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair

NOTHING: Mapping[str, Any] = MappingProxyType({})
THRESHOLD_WEIGHT = "thresholdWeight"
ACCURACY = """\
Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.\
"""
ABOUT = {
    "loss0": "the loss of p when the class is 0",
    "loss1": "the loss of p when the class is 1",
    THRESHOLD_WEIGHT: "the density of the threshold weight at s, its atoms apart",
}


def formulas(
    rule: ScoringRule,
    target: str = "numpy",
    *,
    title: str = "",
    dialect: str = "duckdb",
    example: Mapping[str, Any] = NOTHING,
) -> str:
    """Return a program with ``loss0(p)``, ``loss1(p)`` and the loss of labels, whose arguments the parameters are.

    Target ``"numpy"`` works on NumPy arrays, ``"python"`` on single numbers with the standard library alone; both have
    ``loss(y_true, y_proba, sample_weight=None)``, and parameters of the rule become keyword arguments.
    ``"javascript"`` is a module with ``loss(y, p)`` and, unless the rule is improper, the density
    ``thresholdWeight(s)``; parameters are the properties of a last argument, as in ``loss0(p, {a: 1, b: 2})``.
    ``"c"`` has ``loss(y, p)`` with parameters as further arguments, in alphabetical order, and ``"sql"`` is a query, in
    a ``dialect`` of sqlglot, over a table whose columns they are. Facts about parameters are checked when a function is
    called: Python and JavaScript raise, C gives NaN and SQL NULL. An ``example`` has a number for each parameter: the
    program says how exact its formulas are there.

    A rule of costs of K classes becomes a module for NumPy with ``losses(p)``, of all classes, and ``loss``.

    Raises:
        ExportError: for an unknown target or dialect, a loss without closed form, a function that the target lacks, or
            a parameter whose name the program needs itself.
    """
    if not isinstance(rule, ScoringRule):
        if isinstance(rule, MulticlassRule) and target == "numpy":
            return class_formulas(rule, title=title)
        raise ExportError(
            "programs for this target have losses of two classes",
            "Score K classes with costderive.multiclass.compile.",
        )
    if target not in TARGETS:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(TARGETS)}.")
    found = TARGETS[target]
    program = _Writer(rule, found).program()
    written = translated(program, dialect) if target == "sql" else program
    return commented(found.shape.comment, _about(rule, title, found, example)) + written


# ---- text around the formulas


def _about(rule: ScoringRule, title: str, target: Target, example: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a program says of itself, line by line."""
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}. p is the probability of class 1."
    for given, losses in rule.cases:
        facts = [f"{plain(fact)} > 0" for fact in given.positive]
        facts += [f"{plain(fact)} >= 0" for fact in given.nonnegative]
        yield from ["", f"If {' and '.join(facts)}:"] if facts else [""]
        for name, loss in (("loss0", losses.loss0), ("loss1", losses.loss1)):
            yield f"{name}(p) ="
            yield from [f"    {plain(piece.value)}    up to p = {plain(piece.high)}" for piece in loss]
    yield from ["", ACCURACY] if rule.parameters else []
    yield from [measured(rule, _Writer(rule, TARGETS["python"]).program(), example)] if example else []
    yield from ["", target.notes] if target.notes else []


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the losses of a rule in one target."""

    rule: ScoringRule
    target: Target

    @property
    def names(self) -> list[str]:
        """The names of the parameters, which become names in the program."""
        found = [symbol.name for symbol in self.rule.parameters]
        for name in found:
            if self.target.shape.is_taken(name, found) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
                raise ExportError(f"{name!r} cannot be a parameter in a program", "Rename the parameter.")
        return found

    @property
    def quantities(self) -> list[str]:
        """The functions of the program; a pair of losses that is not proper has no threshold weight."""
        weighed = all(isinstance(losses, Losses) for _, losses in self.rule.cases)
        return [name for name in self.target.quantities if weighed or name != THRESHOLD_WEIGHT]

    def program(self) -> str:
        """Return the program without its comment."""
        shape = self.target.shape
        losses = self.constants() + shape.between.join(map(self._function, self.quantities))
        helpers = self._helpers(losses)
        text = self.target.frame.format(
            losses=losses,
            helpers=helpers,
            parameters=shape.parameters(self.names),
            passed=shape.passed(self.names),
            exported=", ".join(self.quantities),
        )
        needs_math = "math." in losses + helpers and "import math" not in text
        return ("\nimport math\n" if needs_math else "") + text

    def _helpers(self, losses: str) -> str:
        """Return the helpers that the formulas use, and those that these use."""
        used: list[str] = []
        for name, text in self.target.helpers.items():
            used += [text] if re.search(rf"\b{name}\(", losses + "".join(used)) else []
        return "".join(used if self.target.shape.calls_ahead else reversed(used))

    def _function(self, quantity: str) -> str:
        shape, variable = self.target.shape, "s" if quantity == THRESHOLD_WEIGHT else "p"
        lines = [
            shape.check(shape.positive(shape.symbol(name)), f"{name} > 0 and finite") for name in self.names
        ]
        lines += [*self.target.prepared, *self._cases(quantity)]
        return shape.function(quantity, variable, self.names, ABOUT[quantity], lines)

    def _cases(self, quantity: str) -> Iterator[str]:
        """Yield the lines of all cases: what all need is checked first, and the last one has what is left."""
        shape, cases = self.target.shape, self.rule.cases
        shared = [fact for fact in cases[0][0].positive if all(fact in given.positive for given, _ in cases)]
        yield from map(self._check, shared)
        for given, losses in cases[:-1]:
            facts = [f"{self.text(fact)} > 0" for fact in given.positive if fact not in shared]
            facts += [f"{self.text(fact)} >= 0" for fact in given.nonnegative]
            yield from shape.branch(shape.both.join(facts), shape.steps(self._steps(given, losses, quantity)))
        given, losses = cases[-1]
        yield from [self._check(fact) for fact in given.positive if fact not in shared]
        yield from shape.branch("", shape.steps(self._steps(given, losses, quantity)))

    def _check(self, fact: Expr) -> str:
        return self.target.shape.check(f"{self.text(fact)} > 0", f"{plain(fact)} > 0")

    def _steps(self, given: Given, losses: Losses | LossPair, quantity: str) -> Steps:
        """Return the formulas of a quantity; the threshold weight is a density, which has no values at 0 and 1."""
        if quantity == THRESHOLD_WEIGHT:
            density = losses.weight.density  # type: ignore[union-attr]
            rows = tuple((self.text(piece.high), self.text(piece.value)) for piece in density)
            return Steps("s", rows, self.target.nan, self.target.nan)
        label = int(quantity[-1])
        rows = tuple(self._formulas(given, losses.loss1 if label else losses.loss0, label))
        at0, at1 = _ends(losses, label)
        return Steps("p", rows, self.text(at0), self.text(at1))

    def _formulas(self, given: Given, pieces: Pieces, label: int) -> Iterator[tuple[str, str]]:
        """Yield the end and the formula of each piece, with the series at the end where the loss is 0."""
        near = pieces.pieces[-1] if label else pieces.pieces[0]
        for piece in pieces:
            found = series_of(piece, label) if piece is near else None
            if found is not None and not label:
                yield self.text(NEAR_END), self._call(found, label)
            if found is not None and label:
                yield self.text(1 - NEAR_END), self.text(with_quotients(piece, given))
                yield self.text(sympy.S.One), self._call(found, label)
            else:
                yield self.text(piece.high), self.text(with_quotients(piece, given))

    def _call(self, series: Series, label: int) -> str:
        factor = "" if series.factor == 1 else f"({self.text(series.factor)}) * "
        shape, tables = self.target.shape, self._tables(label)
        name = tables[series.coefficients]
        return factor + shape.series(self.text(1 - p if label else p), series, name)

    def _tables(self, label: int) -> dict[tuple[float, ...], str]:
        """Return the names of the coefficients of the series that the formulas use."""
        losses = [x.loss1.pieces[-1] if label else x.loss0.pieces[0] for _, x in self.rule.cases]
        found = [series for series in (series_of(piece, label) for piece in losses) if series]
        distinct = dict.fromkeys(series.coefficients for series in found)
        return {
            numbers: f"NEAR_ZERO_{label}_{n}" if n > 1 else f"NEAR_ZERO_{label}"
            for n, numbers in enumerate(distinct, start=1)
        }

    def constants(self) -> str:
        """Return the tables of coefficients."""
        tables = [*self._tables(0).items(), *self._tables(1).items()]
        return "".join(self.target.shape.constants(name, numbers) for numbers, name in tables)

    def text(self, expr: Expr) -> str:
        """Return the formula of an expression in the target."""
        return formula(expr, self.target)


def _ends(losses: Losses | LossPair, label: int) -> tuple[Expr, Expr]:
    """Return the values of a loss at 0 and at 1."""
    if isinstance(losses, LossPair) and not losses.from_the_left:
        remedy = "Programs have losses that are continuous from the left."
        raise ExportError("a value at a breakpoint is not the one on its left", remedy)
    return end_values(losses, label)
