"""Programs of cost matrices decide by the least expected cost and lose what the act costs; K classes in SQL."""

from __future__ import annotations

import math
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from costderive import IndependentUniform
from costderive import derive as derive_two
from costderive.core.errors import ExportError, ParametersLeftError
from costderive.multiclass import CostMatrix, IndependentCosts, brier, derive, log_score
from costderive.programs.program import code
from tests import targets, test_class_programs
from tests.test_class_targets import FORECASTS, ROWS, RULES, c, javascript, numpy, r

COSTS = [[0, 2, 5, -1], [1, -2, 1, -1], [7, "1/2", 0, -1]]  # the last act is to ask, for a fee paid by others
MEAN = 1.5  # of the factor


def matrix(**more: Any) -> Any:
    return derive(CostMatrix(COSTS, **more)).rule


def lost(y: int, p: list[float]) -> float:
    numbers = [[float(cost) if cost != "1/2" else 0.5 for cost in row] for row in COSTS]
    expected = [math.fsum(q * row[j] for q, row in zip(p, numbers, strict=True)) for j in range(4)]
    return MEAN * numbers[y][min(range(4), key=expected.__getitem__)]


def duckdb(text: str) -> list[float]:
    script = """
from duckdb import connect
program, rows = DATA
with connect() as connection:
    connection.execute("CREATE TABLE predictions (n INTEGER, y INTEGER, p0 DOUBLE, p1 DOUBLE, p2 DOUBLE)")
    numbered = [[n, y, *p] for n, (y, p) in enumerate(rows)]
    connection.executemany("INSERT INTO predictions VALUES (?, ?, ?, ?, ?)", numbered)
    *found, one, two = connection.execute("SELECT loss FROM (" + program + ") ORDER BY n").fetchall()
    assert one[0] is two[0] is None
    RESULT = [row[0] for row in found]
"""
    return list(targets.in_python(script, [text, [*ROWS, (3, FORECASTS[0]), (0, [0.5] * 3)]]))


def sqlite(text: str) -> list[float]:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE predictions (n, y, p0 REAL, p1 REAL, p2 REAL)")
        rows = [(n, y, *p) for n, (y, p) in enumerate([*ROWS, (3, FORECASTS[0]), (0, [0.5] * 3)])]
        connection.executemany("INSERT INTO predictions VALUES (?, ?, ?, ?, ?)", rows)
        *found, one, two = connection.execute(f"SELECT loss FROM ({text}) ORDER BY n").fetchall()
    assert one == two == (None,)
    return [row[0] for row in found]


RUN = {"c": c, "javascript": javascript, "r": r, "numpy": numpy, "sql:duckdb": duckdb, "sql:sqlite": sqlite}


@pytest.mark.parametrize("target", RUN)
def test_a_matrix_as_a_program_loses_what_the_cheapest_act_costs(target: str) -> None:
    language, _, dialect = target.partition(":")
    text = code(matrix(factor="uniform(1, 2)"), language, dialect=dialect or "duckdb")
    np.testing.assert_allclose(RUN[target](text), [lost(y, p) for y, p in ROWS], rtol=1e-14)


def test_acts_that_cost_the_same_but_for_rounding_are_a_tie_and_the_first_is_taken() -> None:
    names: dict[str, Any] = {}
    exec(code(derive(CostMatrix([["1/10", "7/10"], ["7/10", "1/10"], ["1/5", "1/5"]])).rule), names)
    assert names["decide"]([[0.1 + 0.2, 0.3, 0.4], [0.3, 0.1 + 0.2, 0.4], [0.3, 0.4, 0.3]]).tolist() == [
        0,
        0,
        1,
    ]


def test_a_cost_that_is_known_when_it_is_decided_or_has_letters_is_refused() -> None:
    with pytest.raises(ExportError, match="counts by its mean"):
        code(derive(CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/2)")).rule, "c")
    with pytest.raises(ParametersLeftError, match="a has no value"):
        code(derive(CostMatrix([[0, "a"], [1, 0]])).rule, "c")
    with pytest.raises(ExportError, match="julia"):
        code(matrix(), "julia")


@pytest.mark.parametrize("name", RULES)
def test_rules_of_k_classes_run_in_sql_without_lists(name: str) -> None:
    found = in_sqlite(code(RULES[name][0]().rule, "sql", dialect="sqlite"))
    np.testing.assert_allclose(found, [RULES[name][1](p, y) for y, p in ROWS], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["additive", "two laws", "a known cost"])
def test_formulas_by_the_order_of_marks_run_in_sql_without_lists(name: str) -> None:
    found = in_sqlite(code(derive(test_class_programs.CONTEXTS[name]).rule, "sql", dialect="sqlite"))
    laws = test_class_programs.LAWS[name]
    wanted = [test_class_programs.expected_cost(laws, tuple(max(q, 1e-30) for q in p), y) for y, p in ROWS]
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-13)


def in_sqlite(text: str) -> list[float]:
    """Run a query over a row for each class; the last two cases are no predictions."""
    cases = [*ROWS, (3, FORECASTS[0]), (0, [0.5] * 3)]
    with sqlite3.connect(":memory:") as connection:
        for function in ("LN", "POWER", "SQRT"):
            task = {"LN": math.log, "POWER": math.pow, "SQRT": math.sqrt}[function]
            connection.create_function(function, 2 if function == "POWER" else 1, task, deterministic=True)
        connection.execute("CREATE TABLE predictions (id, y, label, p)")
        rows = [(n, y, label, q) for n, (y, p) in enumerate(cases) for label, q in enumerate(p)]
        connection.executemany("INSERT INTO predictions VALUES (?, ?, ?, ?)", rows)
        *found, one, two = [row[2] for row in connection.execute(f"SELECT * FROM ({text}) ORDER BY id")]
    assert one is two is None
    return found


PROGRAMS = {
    "two classes": lambda: derive_two(IndependentUniform((0, 1), (0, 1))).rule,
    "an entropy": lambda: brier().rule,
    "costs of classes": lambda: derive(IndependentCosts(["uniform(0, 1)"] * 3)).rule,
    "a matrix": matrix,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_in_c_refuse_fast_math(name: str, tmp_path: Path) -> None:
    source = tmp_path / "losses.c"
    source.write_text(code(PROGRAMS[name](), "c"), encoding="utf-8")
    command = ["cc", "-std=c99", "-fsyntax-only", str(source)]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0
    for option in ("-ffast-math", "-ffinite-math-only"):  # the second alone drops the checks for NaN
        done = subprocess.run([*command, option], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode != 0 and "without -ffast-math" in done.stderr


def test_a_dialect_without_infinity_refuses_a_loss_that_is_infinite() -> None:
    with pytest.raises(ExportError, match="infinite"):
        code(log_score().rule, "sql", dialect="mysql")
