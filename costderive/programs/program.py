"""A scoring rule as a program in another language: its losses, written with that language's table of names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from string import Template
from types import MappingProxyType
from typing import Any

import costderive
from costderive.core.errors import ExportError, SpecError
from costderive.derivation.derivation import Derivation
from costderive.derivation.training import flat_parts
from costderive.multiclass import ClassRule, MulticlassDerivation, MulticlassRule
from costderive.numeric.parameter_trees import inner_name, plain
from costderive.numeric.program_tree import Call, Program, nodes
from costderive.programs.act_programs import ActRule, act_program
from costderive.programs.class_programs import cancels, class_formulas
from costderive.programs.class_targets import class_program
from costderive.programs.formula_programs import conditions, density, of_loss
from costderive.programs.language_printer import LanguagePrinter
from costderive.programs.languages import LANGUAGES, sql
from costderive.programs.languages.language import NEEDS, Language, commented
from costderive.programs.measured_accuracy import measured
from costderive.programs.portable import NOTHING_ASKED, Conditions, Portable, portable
from costderive.rules import Losses, ScoringRule

NOTHING: Mapping[str, Any] = MappingProxyType({})
DENSITY = "thresholdWeight"
PYTHON = LANGUAGES["python"]
ABOUT = {
    "loss": "the loss of a probability of class 1 if the class is {}",
    "slope": "the derivative of loss{} in p",
    "curvature": "the second derivative of loss{} in p",
    "margin_loss": "the loss of the logit of a probability of class 1 if the class is {}",
    "margin_slope": "the derivative of loss{} in the logit of p",
    "margin_curvature": "the second derivative of loss{} in the logit of p",
    DENSITY: "the density of the threshold weight, its atoms apart",
}
ACCURACY = "Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:"
OF_FORMULAS = """\
Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.\
"""
FLAT = """\
WARNING: the gradient is 0 for p in {}: predictions there teach a model nothing, and one that
starts there never moves. Start elsewhere: costderive.training_start(rule, rate) says where. Or train with the losses of
costderive.with_tails(rule), which has a gradient everywhere and the same losses elsewhere, up to a constant."""
Programmed = ScoringRule | ClassRule | Derivation | MulticlassDerivation
ORDERS = ("loss", "slope", "curvature")
PER_LINE = 4  # numbers of a table


def code(
    rule: Programmed,
    target: str = "numpy",
    *,
    title: str = "",
    dialect: str = "duckdb",
    keep: Sequence[str] = (),
) -> str:
    """Return a program that has the losses of a rule, or of a derivation's, and imports nothing of costderive.

    Targets are the keys of ``LANGUAGES``: ``numpy``, ``python`` (the module ``math``), ``numba``, ``c``,
    ``javascript``, ``r``, ``julia``, ``sql`` (in a ``dialect`` of sqlglot, which must be installed for others than
    DuckDB; the query passes on the columns to ``keep``), ``pytorch``, ``jax``, ``lightgbm`` and ``xgboost``. Each
    loss is written as it is compiled by :func:`costderive.numeric.compile`: in its closed form where that was
    measured to be accurate, else as a table of polynomials.

    Rules of K classes are written as :func:`formulas` says; those of costs whose losses are no formulas, or formulas
    that cancel, as tables of the laws, for NumPy, C, JavaScript, R, PyTorch, JAX, LightGBM and XGBoost.

    Parameters of the rule become arguments of its losses, which then are :func:`formulas`.

    Raises:
        ExportError: for an unknown target or dialect, or one that cannot say what the rule says.

    >>> from costderive import Additive
    >>> from costderive import derive
    >>> program = code(derive(Additive(budget=2)).rule, "c")
    >>> "return p * p;" in program
    True
    """
    rule = _rule_of(rule)
    if not isinstance(rule, ScoringRule):
        return _of_classes(rule, target, title, dialect, has_tables=True)
    if rule.parameters:
        return formulas(rule, target, title=title, dialect=dialect, keep=keep)
    language = _language(target)
    functions = {name: portable(rule, *_task(name), language.in_lanes) for name in language.quantities}
    about = _about(rule, language, title, [*_measured(functions)])
    return about + "\n" + _Writer(language, functions).program(dialect, keep)


def formulas(
    rule: Programmed,
    target: str = "numpy",
    *,
    title: str = "",
    dialect: str = "duckdb",
    keep: Sequence[str] = (),
    example: Mapping[str, Any] = NOTHING,
) -> str:
    """Return a program of the losses by their formulas as they stand, whose arguments the parameters are.

    Targets are those of :func:`code`. Parameters are keyword arguments in Python, in NumPy, PyTorch and JAX, and for
    LightGBM and XGBoost; the properties of a last argument in JavaScript, as in ``loss0(p, {a: 1, b: 2})``; columns in
    SQL; and elsewhere further arguments in alphabetical order. A name that the program needs itself has ``_`` after
    it. Programs for arrays take one number or one for each row. Facts about parameters are checked when a function is
    called: Python and JavaScript raise, others give NaN or NULL. An ``example`` has a number for each parameter: the
    program says how exact its formulas are there. JavaScript also has the density ``thresholdWeight(s)``, unless the
    rule is improper.

    Rules of K classes have no parameters. Those of an entropy that treats all classes alike, such as the log score, are
    written for NumPy, C, JavaScript, R, SQL, PyTorch, JAX, LightGBM and XGBoost: for DuckDB the probabilities of a row
    are a list, for other dialects a table has a row for each class. So are those of costs, if their losses are
    formulas; with steps they are not written where they would be differentiated. Of a cost matrix without uncertain
    costs, but for a factor, the act and the loss are written for NumPy, C, JavaScript, R and SQL.

    Raises:
        ExportError: for an unknown target or dialect, a loss without closed form, a function that the target lacks, or
            columns of SQL that differ in capitals alone.
    """
    rule = _rule_of(rule)
    if not isinstance(rule, ScoringRule):
        return _of_classes(rule, target, title, dialect, has_tables=False)
    language = _language(target)
    said = [OF_FORMULAS, *_renamed(rule, language)] if rule.parameters else []
    said += [measured(rule, of_formulas(rule, PYTHON), example, _letters(rule, PYTHON))] if example else []
    program = of_formulas(rule, language, dialect, keep)
    return _about(rule, language, title, said) + "\n" + program


def _of_classes(rule: ClassRule, target: str, title: str, dialect: str, has_tables: bool) -> str:
    _language(target)
    if isinstance(rule, ActRule):
        return act_program(rule, target, title=title, dialect=dialect)
    if isinstance(rule, MulticlassRule) and target == "numpy" and not (has_tables and cancels(rule)):
        return class_formulas(rule, title=title)
    return class_program(rule, target, title=title, dialect=dialect, has_tables=has_tables)


def of_formulas(
    rule: ScoringRule, language: Language, dialect: str = "duckdb", keep: Sequence[str] = ()
) -> str:
    """Return the program of formulas in a language, without a comment."""
    asked, is_weighed = conditions(rule), all(isinstance(losses, Losses) for _, losses in rule.cases)
    functions = {name: of_loss(rule, *_task(name)) for name in language.quantities}
    if language.with_density and is_weighed:
        functions[DENSITY] = density(rule)
    return _Writer(language, functions, asked).program(dialect, keep)


def _letters(rule: ScoringRule, language: Language) -> dict[str, str]:
    return language.letters([symbol.name for symbol in rule.parameters])


def _renamed(rule: ScoringRule, language: Language) -> list[str]:
    """Say which parameters the program calls otherwise."""
    others = [f"{word} is {name}" for name, word in _letters(rule, language).items() if word != name]
    return [f"Names that the program needs itself have _ after them: {', '.join(others)}."] if others else []


def _rule_of(source: Programmed) -> ScoringRule | ClassRule:
    rule = source.rule if isinstance(source, Derivation | MulticlassDerivation) else source
    if not isinstance(rule, ScoringRule | ClassRule):
        raise ExportError(
            f"{rule!r} is not a rule", "Programs are written of what derive returns, or of its .rule."
        )
    return rule


def _language(target: str) -> Language:
    if target not in LANGUAGES:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(LANGUAGES)}.")
    return LANGUAGES[target]


def _task(name: str) -> tuple[int, int, str, bool]:
    """Return the order, class and variable of a function, and whether it is of the margin."""
    kind, label = name[:-1], int(name[-1])
    of_margin = kind.startswith("margin_")
    order = ORDERS.index(kind.removeprefix("margin_"))
    return order, label, "logit" if of_margin and order else "p", of_margin


# ------------------------------------------------------------------------------------------------ the comment


def _about(rule: ScoringRule, language: Language, title: str, accuracy: Sequence[str]) -> str:
    """Return what a program says of itself, as a comment."""
    lines = [*title.split("\n"), ""] if title else []
    lines += ["Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1."]
    for given, losses in rule.cases:
        facts = [f"{plain(fact)} > 0" for fact in given.positive if fact not in given.nonnegative]
        facts += [given.in_words(plain)] if given.nonnegative else []
        lines += ["", f"If {' and '.join(facts)}:"] if facts else []
        for label, loss in enumerate((losses.loss0, losses.loss1)):
            lines += [f"loss{label}(p) ="]
            lines += [f"    {plain(piece.value)}    up to p = {plain(piece.high)}" for piece in loss]
    notes = [language.notes, language.outside, language.parameters.notes if rule.parameters else ""]
    notes += [_flat(rule)] if language.trains else []
    lines += ["", *accuracy, ""] if accuracy else [""]
    lines += [line for note in notes for line in note.splitlines()]
    return commented(language.comment, [*lines, f"Written by costderive {costderive.__version__}."])


def _flat(rule: ScoringRule) -> str:
    """Say where training cannot start, if that is known."""
    with suppress(SpecError):
        pieces = [piece for measure in rule.measures for piece in measure.density if piece.value == 0]
        if pieces and len(rule.cases) > 1:
            return FLAT.format("parts that depend on the letters")
        if pieces:
            return FLAT.format(
                " and in ".join(f"({plain(x.low)}, {plain(x.high)})" for x in flat_parts(rule))
            )
    return ""


def _measured(functions: Mapping[str, Portable]) -> Iterator[str]:
    yield ACCURACY
    yield from [f"    {name}: {_accuracy(function)}" for name, function in functions.items()]
    if any(function.table for function in functions.values()):
        yield "Where a formula would cancel, polynomials that were fitted to exact values take its place."


def _accuracy(function: Portable) -> str:
    if function.ulps is None:
        return "no closed form to compare with; polynomials fitted to 15 digits"
    return f"within {function.ulps:.2g}" if function.ulps else "exact"


# ------------------------------------------------------------------------------------------------ programs


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes functions in a language."""

    language: Language
    functions: Mapping[str, Portable]
    conditions: Conditions = NOTHING_ASKED

    def program(self, dialect: str, keep: Sequence[str]) -> str:
        """Return the program without its comment."""
        letters = self.language.letters(self.conditions.names)
        printer = LanguagePrinter(self.language, letters={inner_name(x): letters[x] for x in letters})
        if not self.language.frame:
            return sql.query(self.functions, self.conditions, letters, printer, dialect, keep)
        tables = [self._table(name, found, printer) for name, found in self.functions.items() if found.table]
        pieces: list[str] = []
        texts = [self._function(name, found, printer, pieces) for name, found in self.functions.items()]
        used = self.used | {other for name in self.used for other in NEEDS.get(name, ())}
        helpers = dict.fromkeys(text for name, text in self.language.helpers.items() if name in used)
        needs_math = any("math." in self.language.names[name] for name in used)
        program = Template(self.language.frame).substitute(
            self.language.parts(letters.values()),
            imports="import math\n\n" if needs_math else "",
            tables="".join(tables),
            helpers=Template("".join(helpers)).safe_substitute(width=self.width),
            pieces="".join(pieces),
            functions="\n".join(texts),
        )
        return _spaced(program).strip() + "\n"

    @property
    def used(self) -> set[str]:
        """The functions that are called."""
        trees = [tree for found in self.functions.values() for tree in found.trees]
        trees += [tree for tree, _ in self.conditions.needed] + [tree for _, tree in self.conditions.cases]
        return {node.function for tree in trees for node in nodes(tree) if isinstance(node, Call)}

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
        ends = [printer.text(branch.high) for branch in found.branches]
        branch = self.language.branch
        lines = [branch.format(high=high, value=value) for high, value in zip(ends, values, strict=True)]
        if self.language.last:
            lines[-1] = self.language.last.format(value=values[-1])
        branches = "\n".join(lines)
        return Template(self.language.function).substitute(
            self.language.parts(printer.letters.values()),
            name=name,
            checks=self._checks(found, printer),
            complement=self.language.complement if "r" in read else "",
            about=ABOUT[name.rstrip("01")].format(name[-1]),
            branches=branches,
            lowest=printer.double(-math.inf if name.startswith("margin_") else 0.0),
            ends=", ".join(ends),
            at_zero=printer.text(found.at_zero),
            at_one=printer.text(found.at_one),
        )

    def _checks(self, found: Portable, printer: LanguagePrinter) -> str:
        """Return the lines that refuse parameters, and those that say which case holds, if that matters."""
        read = {name for tree in found.trees for name in printer.read(tree)}
        cases = [
            self.language.step.format(name=name, value=printer.text(fact)) + "\n"
            for name, fact in self.conditions.cases
            if name in read
        ]
        return "".join([*printer.checks(self.conditions), *cases])

    def _value(
        self, name: str, index: int, program: Program, printer: LanguagePrinter, pieces: list[str]
    ) -> str:
        """Return the value of a branch; one with assignments becomes a function of its own."""
        result = printer.text(program.result)
        if not program.steps:
            return result
        piece, needed = f"{name}_part{index + 1}", [*map(printer.name, printer.inputs(program))]
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
