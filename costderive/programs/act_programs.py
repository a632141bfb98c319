"""Cost matrices as programs: the act of the least expected cost, and what it costs in each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

import sympy
from sympy import Expr

import costderive
from costderive.core.errors import ExportError, require_values
from costderive.core.numpy_on_demand import np
from costderive.multiclass.act_regions import ActLosses
from costderive.multiclass.averaged_costs import AveragedLosses
from costderive.multiclass.mixed_acts import MixedLosses
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.programs.act_frames import ACT_FRAMES, ACT_NOTES, ROWS
from costderive.programs.languages import LANGUAGES
from costderive.programs.languages.language import Language, commented
from costderive.programs.languages.sql import translated

ActRule = ActLosses | AveragedLosses | MixedLosses | ExpectedLosses
Rows = tuple[tuple[Expr, ...], ...]  # of costs: a row for each class, a column for each act


def act_program(rule: ActRule, target: str, *, title: str = "", dialect: str = "duckdb") -> str:
    """Return a program that decides by a cost matrix and has its losses; it imports nothing of costderive.

    Raises:
        ExportError: if a cost is uncertain, or the target has no such program.
        ParametersLeftError: if a cost has letters.
    """
    if target not in ACT_FRAMES:
        raise ExportError(
            f"target = {target!r} has no program for a cost matrix", f"There are {', '.join(ACT_FRAMES)}."
        )
    costs, language = _costs(rule), LANGUAGES[target]
    beyond = tuple(tuple(cost - sympy.Min(*row) for cost in row) for row in costs)
    tied = 1 + 2 * (len(costs) + 2) * float(np.finfo(float).eps)
    parts = {
        "classes": str(len(costs)),
        "last": str(len(costs) - 1),
        "acts": str(len(costs[0])),
        "tied": language.number(tied),
        "wrong": "p.shape[1] != len(COSTS)",
    }
    parts |= _queried(costs, beyond, language) if target == "sql" else _listed(costs, beyond, target)
    program = Template(ACT_FRAMES[target]).substitute(parts)
    about = commented(language.comment, _about(title, target))
    return about + (translated(program, dialect) if target == "sql" else program.rstrip() + "\n")


def _about(title: str, target: str) -> Iterator[str]:
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}."
    yield ""
    yield "The act with the least expected cost is taken, of several the first; the loss is what it costs in the class."
    yield "Classes and acts are counted from 0. A row of probabilities may miss the sum 1 by roundings."
    yield from ACT_NOTES[target].splitlines()


def _costs(rule: ActRule) -> Rows:
    if isinstance(rule, MixedLosses | ExpectedLosses) or (
        isinstance(rule, AveragedLosses) and rule.reject is not None
    ):
        raise ExportError(
            "a cost is uncertain, and known when it is decided: mean losses of this have no program",
            "Score with costderive.multiclass.compile. A cost not known when it is decided counts by its mean.",
        )
    require_values(rule.parameters, "matrix")
    known, scale = (rule, 1) if isinstance(rule, ActLosses) else (rule.known, rule.scale)
    return tuple(tuple(scale * cost for cost in row) for row in zip(*known.matrix.columns, strict=True))


def _listed(costs: Rows, beyond: Rows, target: str) -> dict[str, str]:
    """Return both matrices, a line for each class."""
    language, row = LANGUAGES[target], ROWS[target]
    written = {"costs": costs, "beyond": beyond}
    texts = {
        name: "\n".join(row.format(", ".join(language.number(float(cost)) for cost in line)) for line in rows)
        for name, rows in written.items()
    }
    return {name: text.rstrip(",") for name, text in texts.items()}


def _queried(costs: Rows, beyond: Rows, language: Language) -> dict[str, str]:
    """Return the expressions of a query: expected costs beyond the least ones, the act, and the loss."""
    columns = [f"p{label}" for label in range(len(costs))]
    names = [f"cost_of_act_{act}" for act in range(len(costs[0]))]
    sums = [_sum(column, columns, language) for column in zip(*beyond, strict=True)]
    cells = [(y, act, cost) for y, row in enumerate(costs) for act, cost in enumerate(row)]
    losses = [f"WHEN y = {y} AND act = {act} THEN {language.number(float(cost))}" for y, act, cost in cells]
    return {
        "expected": ",\n".join(
            f"                {total} AS {name}" for total, name in zip(sums, names, strict=True)
        ),
        "names": ", ".join(names),
        "are_chances": " AND ".join(
            [*[f"{p} >= 0" for p in columns], f"ABS({' + '.join(columns)} - 1) <= 1e-5"]
        ),
        "act": _case([f"WHEN {name} <= least_cost THEN {act}" for act, name in enumerate(names)]),
        "loss": _case(losses),
    }


def _case(lines: Sequence[str]) -> str:
    return "\n    ".join(["CASE", *lines]) + "\n    END"


def _sum(costs: Sequence[Expr], columns: Sequence[str], language: Language) -> str:
    terms = [
        f"{language.number(float(cost))} * {p}" for cost, p in zip(costs, columns, strict=True) if cost != 0
    ]
    return " + ".join(terms) or language.number(0.0)
