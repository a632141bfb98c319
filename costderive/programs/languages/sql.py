"""SQL: a query over a table of predictions, written for DuckDB and translated by sqlglot for any other dialect."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from costderive.core.errors import ExportError
from costderive.numeric.program_tree import Call, Node, Number, Program, nodes, substituted
from costderive.programs.languages.language import CONDITIONS, Language, ParameterSyntax
from costderive.programs.portable import Branch, Conditions, Portable, Row

INFINITY = {  # by dialect: what is infinite there; in other dialects nothing is
    **dict.fromkeys(
        ("postgres", "redshift", "snowflake", "bigquery", "spark", "databricks", "trino", "presto"),
        "CAST('Infinity' AS DOUBLE)",
    ),
    "clickhouse": "CAST('inf' AS DOUBLE)",
    "duckdb": "9e999",  # where SQLite would read a query for DuckDB, it would take the other one for 0
    "sqlite": "9e999",
}


_FUNCTIONS = (*("exp", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "power", "abs"),)


def number(value: float) -> str:
    """Write a double with an exponent: without one it would be a decimal number."""
    digits, _, exponent = repr(value).partition("e")
    return f"{digits}e{exponent or 0}"


DIALECT = (
    "-- In the SQL of {}: write it with the option dialect for another system, which may read it otherwise."
)
LARGEST = "1.7976931348623157e308"  # in some dialects nothing is infinite, in others NaN is larger

SQL = Language(
    names={
        **{name: name.upper().replace("ARC", "A") for name in _FUNCTIONS},
        **CONDITIONS,
        "both": "({0} AND {1})",
        "either": "({0} OR {1})",
        "choose": "(CASE WHEN {0} THEN {1} ELSE {2} END)",
        "log": "LN",
        "log_p": "LN({0})",
        "log_r": "(CASE WHEN {1} = 1 THEN -{0} ELSE LN({1}) * ({0} / (1 - {1})) END)",  # of 1 - p, which is rounded
        "log1p": "(CASE WHEN 1 + ({0}) = 1 THEN {0} ELSE LN(1 + ({0})) * (({0}) / ((1 + ({0})) - 1)) END)",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "polynomial{table}",
    },
    comment=("", "-- ", ""),
    outside="NULL is the loss of what is not a probability.",
    notes="It is a query over a table predictions with columns y, a label 0 or 1, and p.",
    function="",
    branch="",
    piece="",
    call="",
    step="",
    table="",
    frame="",
    infinity=INFINITY["duckdb"],
    nan="NULL",
    number=number,
    in_lanes=True,
    parameters=ParameterSyntax(
        positive=f"WHEN NOT ({{0}} > 0 AND {{0}} <= {LARGEST}) THEN NULL",
        check="WHEN NOT {condition} THEN NULL",
        written='"{0}"',
        notes="Parameters are columns of the table. NULL is also the loss of those that break a condition above.",
    ),
)


class Printer(Protocol):
    """Prints trees; ``table`` is what the value of the polynomials is called."""

    table: str

    def text(self, tree: Node) -> str: ...
    def double(self, value: float) -> str: ...
    def checks(self, conditions: Conditions) -> Iterator[str]: ...


def query(
    losses: Mapping[str, Portable],
    conditions: Conditions,
    letters: Mapping[str, str],
    printer: Printer,
    dialect: str,
    keep: Sequence[str] = (),
) -> str:
    """Return the query, in a dialect of sqlglot; it passes on the columns to ``keep``.

    ``letters`` says what it calls the columns of the parameters.

    Raises:
        ExportError: if the dialect is unknown, needs sqlglot that is not installed, or has no infinity for a loss
            that is infinite.
    """
    kept = "".join(f"{_identifier(name)}, " for name in keep)
    return translated("\n".join(_query(losses, conditions, letters, printer, kept)) + "\n", dialect)


def translated(query: str, dialect: str) -> str:
    """Return a query for DuckDB in a dialect of sqlglot, which it names; see ``query`` for what is refused."""
    if INFINITY["duckdb"] in query and dialect not in INFINITY:
        raise ExportError(
            f"a loss is infinite, and dialect = {dialect!r} is not known to have an infinity",
            f"Dialects that have one: {', '.join(INFINITY)}.",
        )
    if dialect != "duckdb":
        query = _transpiled(query.replace(INFINITY["duckdb"], INFINITY.get(dialect, "")), dialect)
    return f"{DIALECT.format(dialect)}\n{query}"


def _identifier(name: str) -> str:
    quoted = name.replace('"', '""')
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else f'"{quoted}"'


def _query(
    losses: Mapping[str, Portable],
    conditions: Conditions,
    letters: Mapping[str, str],
    printer: Printer,
    kept: str,
) -> Iterator[str]:
    """Yield the lines: places in the tables of polynomials, then their values, then the losses."""
    cast = "".join(f', CAST("{name}" AS DOUBLE) AS "{letter}"' for name, letter in letters.items())
    passed = "".join(f', "{letter}"' for letter in letters.values())
    yield f"WITH given AS (SELECT {kept}y, CAST(p AS DOUBLE) AS p{cast} FROM predictions),"
    yield "complemented AS (SELECT *, 1 - p AS q FROM given),"
    tabled = {name[-1]: loss for name, loss in losses.items() if loss.table}
    if tabled:
        yield "placed AS (SELECT *,"
        yield ",\n".join(_placed(label, loss, printer) for label, loss in tabled.items())
        yield "FROM complemented),"
        yield "fitted AS (SELECT *,"
        yield ",\n".join(_fitted(label, loss, printer) for label, loss in tabled.items())
        yield "FROM placed),"
    yield f"losses AS (SELECT {kept}y, p{passed},"
    yield ",\n".join(_loss(name, loss, printer, conditions) for name, loss in losses.items())
    yield f"FROM {'fitted' if tabled else 'complemented'})"
    yield "SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses"


def _case(name: str, lines: Iterable[str]) -> str:
    """Return a column from the lines that say when it has which value."""
    return "\n".join(["  CASE", *(f"    {line}" for line in lines), f"  END AS {name}"])


def _placed(label: str, loss: Portable, printer: Printer) -> str:
    """Return the argument of the polynomial that belongs to p."""

    def lines() -> Iterator[str]:
        rows = list(loss.table)
        yield "WHEN NOT (p > 0 AND p < 1) THEN NULL"
        for branch in loss.branches:
            argument = _argument(branch.program, printer)
            if argument is None:
                yield f"WHEN p <= {printer.text(branch.high)} THEN NULL"
            while argument and rows and rows[0].high <= _end(branch):
                row = rows.pop(0)
                place = f"({argument} - {printer.double(row.centre)}) * {printer.double(row.scale)}"
                yield f"WHEN p <= {printer.double(row.high)} THEN {place}"

    return _case(f"z{label}", lines())


def _end(branch: Branch) -> float:
    """Return the end of a branch that has no parameters."""
    assert isinstance(branch.high, Number)
    return branch.high.value


def _argument(program: Program, printer: Printer) -> str | None:
    """Return the argument of the polynomial in a program, None if there is none."""
    calls = (node for node in nodes(program.inlined()) if isinstance(node, Call))
    found = next((call.parts[0] for call in calls if call.function == "polynomial"), None)
    return None if found is None else printer.text(found)


def _fitted(label: str, loss: Portable, printer: Printer) -> str:
    """Return the value of the polynomial."""

    def lines() -> Iterator[str]:
        yield "WHEN NOT (p > 0 AND p < 1) THEN NULL"
        for row in loss.table:
            yield f"WHEN p <= {printer.double(row.high)} THEN {_horner(row, f'z{label}', printer)}"

    return _case(f"polynomial{label}", lines())


def _horner(row: Row, z: str, printer: Printer) -> str:
    highest, *others = [
        value for k, value in enumerate(row.coefficients) if any(row.coefficients[: k + 1])
    ] or [0.0]
    text = printer.double(highest)
    for coefficient in others:
        text = f"({text} * {z} + {printer.double(coefficient)})"
    return text


def _loss(name: str, loss: Portable, printer: Printer, conditions: Conditions) -> str:
    """Return the loss: its branches, and its values at 0 and 1."""
    printer.table = name[-1]

    def text(tree: Node) -> str:
        return printer.text(substituted(tree, dict(conditions.cases)))

    def lines() -> Iterator[str]:
        yield from printer.checks(conditions)
        yield f"WHEN p = 0 THEN {text(loss.at_zero)}"
        yield f"WHEN p = 1 THEN {text(loss.at_one)}"
        yield "WHEN NOT (p > 0 AND p < 1) THEN NULL"
        for branch in loss.branches[:-1]:
            yield f"WHEN p <= {text(branch.high)} THEN {text(branch.program.inlined())}"
        yield f"WHEN p < 1 THEN {text(loss.branches[-1].program.inlined())}"

    return _case(name, lines())


def _transpiled(text: str, dialect: str) -> str:
    if importlib.util.find_spec("sqlglot") is None:
        raise ExportError(
            f"SQL for {dialect!r} needs sqlglot, which is not installed",
            'Install it with pip install "costderive[sql]", or take dialect="duckdb".',
        )
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return str(sqlglot.transpile(text, read="duckdb", write=dialect, pretty=True)[0]) + "\n"
    except (SqlglotError, ValueError) as problem:
        raise ExportError(f"dialect = {dialect!r}: {problem}", "Give a dialect of sqlglot.") from None
