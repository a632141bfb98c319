"""The losses of K classes as programs: rules of an entropy that treat classes alike, and those of uniform costs."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template
from typing import Any

import sympy
from sympy import Expr, S, Symbol

import costderive
from costderive.core.errors import ExportError, require_values
from costderive.costs.laws import x
from costderive.multiclass import ClassRule, MulticlassRule
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.row_losses import uniform_end
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.numeric.parameter_trees import plain
from costderive.programs.class_frames import FRAMES, NOTES_LONG, SQL_LONG, ClassFrame
from costderive.programs.class_programs import cancels, class_formulas
from costderive.programs.class_tables import class_tables
from costderive.programs.language_printer import formula
from costderive.programs.languages import LANGUAGES
from costderive.programs.languages.language import Language, commented
from costderive.programs.languages.sql import translated
from costderive.rules.end_values import end_value

LOGARITHM = Symbol("log_x", real=True)
ROUNDING = """\
The losses are these formulas as they stand: right to some roundings of their terms, and those of costs to 1e-12 of the
mean cost."""


def class_program(
    rule: ClassRule, target: str, *, title: str = "", dialect: str = "duckdb", has_tables: bool = False
) -> str:
    """Return a program with the losses of K classes that imports nothing of costderive.

    Losses of costs that are no formulas, or formulas that cancel, are written as tables if it may have these.

    Raises:
        ExportError: if the target has no program for the rule.
        ParametersLeftError: if a parameter has no number.
    """
    if target not in FRAMES:
        raise ExportError(
            f"target = {target!r} has losses of two classes alone", f"Of K classes have: {', '.join(FRAMES)}."
        )
    frame, language = FRAMES[target], LANGUAGES[target]
    if isinstance(rule, SymmetricLosses):
        text, parts = frame.of_sum, _of_sum(rule, frame, language)
        if target == "sql" and dialect != "duckdb":
            text, parts = SQL_LONG, parts | {"inner": _of_share(rule, language)}
    elif isinstance(rule, MulticlassRule) and frame.of_ends and None not in _ends(rule):
        text, parts = frame.of_ends, _of_ends(rule, language)
    elif isinstance(rule, MulticlassRule) and not (has_tables and cancels(rule)):
        program = class_formulas(rule, target, title=title, has_lists=dialect == "duckdb")
        return translated(program, dialect) if target == "sql" else program
    elif isinstance(rule, MulticlassRule | SingleIntegrals) and has_tables:
        return class_tables(rule, target, title=title)
    else:
        raise _refused(rule, target)
    about = _about(rule, title, NOTES_LONG if target == "sql" and dialect != "duckdb" else frame.notes)
    program = Template(text).substitute(parts).rstrip() + "\n"
    return commented(language.comment, about) + (translated(program, dialect) if target == "sql" else program)


def _refused(rule: ClassRule, target: str) -> ExportError:
    """Return why a rule has no program."""
    if isinstance(rule, PenalisedRule):
        return ExportError(
            f"programs for {target} add up one formula over classes, and know no penalty for the most probable class",
            f"Write the program of the rule without it, and add {plain(rule.penalty)} to the losses of other classes.",
        )
    if isinstance(rule, GivenLosses):
        return ExportError(
            f"programs for {target} have one formula for all classes, and losses of such an entropy one for each",
            "Score with costderive.multiclass.compile; rules that treat classes alike, such as brier, have programs.",
        )
    return ExportError(
        f"such a rule of K classes has no formulas for {target}",
        "costderive.export.code writes losses of costs as tables; others score with costderive.multiclass.compile.",
    )


def _about(rule: ClassRule, title: str, notes: str) -> Iterator[str]:
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}."
    yield ""
    if isinstance(rule, SymmetricLosses):
        yield f"The loss of a class of probability x is {plain(rule.loss)}"
        yield from (
            [f"where t is the sum of {plain(rule.entropy_function.inner)} over all classes."]
            if rule.loss.has(t)
            else []
        )
    else:
        yield "The expected cost of a class that is not chosen, for independent costs uniform on (0, end)."
    yield from ["", *ROUNDING.splitlines(), *notes.splitlines()]


def _of_sum(rule: SymmetricLosses, frame: ClassFrame, language: Language) -> dict[str, str]:
    entropy = rule.entropy_function
    _require_numbers(rule.loss, entropy.inner)
    inner = entropy.inner if rule.loss.has(t) else S.Zero
    exprs = {
        "inner": inner,
        "own": rule.loss,
        "inner_slope": sympy.diff(entropy.inner, x),
        "inner_bend": sympy.diff(entropy.inner, x, 2),
        "outer_slope": sympy.diff(entropy.outer, t),
        "outer_bend": sympy.diff(entropy.outer, t, 2),
        "own_x": sympy.diff(rule.loss, x),
        "own_t": sympy.diff(rule.loss, t),
    }
    limits = {f"{name}_at_zero": end_value(exprs[name], x, S.Zero, "+") for name in ("inner", "own")}
    return {name: _written(expr, frame, language) for name, expr in (exprs | limits).items()} | {
        "wrong": "p.shape[1] < 2",
        "constants": "",
    }


def _of_share(rule: SymmetricLosses, language: Language) -> str:
    """Return what is summed over the classes, of a column ``share``."""
    inner = rule.entropy_function.inner if rule.loss.has(t) else S.Zero
    return formula(inner.subs(x, Symbol("share", positive=True)), language)


def _written(expr: Expr, frame: ClassFrame, language: Language) -> str:
    if expr is S.Infinity:
        return language.infinity
    return formula(expr.subs(sympy.log(x), LOGARITHM) if frame.has_logarithm else expr, language)


def _ends(rule: MulticlassRule) -> tuple[float | None, ...]:
    distributions = rule.losses.costs.of_class
    _require_numbers(rule.losses.costs.factor, *[mark for one in distributions for mark in one.marks])
    return tuple(map(uniform_end, distributions))


def _of_ends(rule: MulticlassRule, language: Language) -> dict[str, Any]:
    numbers = [language.number(end) for end in _ends(rule) if end is not None]
    scale = language.number(float(rule.losses.costs.factor))
    constants = f"SCALE = {scale}\nENDS = ({', '.join(numbers)})  # of the costs of the classes\n\n"
    return {
        "scale": scale,
        "ends": ", ".join(numbers),
        "classes": len(numbers),
        "wrong": "p.shape[1] != len(ENDS)",
        "constants": constants,
    }


def _require_numbers(*exprs: Expr) -> None:
    require_values(sorted({symbol.name for expr in exprs for symbol in expr.free_symbols - {x, t}}), "rule")
