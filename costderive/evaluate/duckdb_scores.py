"""Scores computed where the data are: DuckDB reads the files and takes the losses by exported SQL (extra ``duckdb``).

What comes out is what the blocks of ``evaluate`` give, and so is what is refused: a file that DuckDB finds fault with
is read once more, block by block, for the place of the fault.
"""

from __future__ import annotations

import importlib.util
import math
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, count
from pathlib import Path
from typing import Any

import numpy as np

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array
from costderive.costs.contexts import Context
from costderive.evaluate import CostMatrix, Scores, from_files, tally
from costderive.evaluate.bootstrap import GROUPS, LOW, MIXERS, Groups
from costderive.evaluate.csv_files import WITH_COMMA
from costderive.evaluate.input_files import STANDARD_INPUT
from costderive.evaluate.label_order import Classes
from costderive.evaluate.loss_moments import Moments, Sums
from costderive.evaluate.prediction_files import blocks, header
from costderive.evaluate.running_totals import Gathered
from costderive.evaluate.scores import USUAL, How, scored
from costderive.evaluate.tally import SPLIT, Tally
from costderive.numeric import CompiledLoss
from costderive.programs.program import code

MEMORY = "500MB"  # of DuckDB; what needs more goes to a temporary folder
PLAIN = "header = false, compression = 'none', auto_detect = false, quote = '\"', escape = '\"'"
BLANK = r"E' \t\r\n\f\x0b'"
INTERVAL = 0.3  # seconds between two looks at the progress
INFINITE = "CAST('Infinity' AS DOUBLE)"
USUAL_LOSSES = {  # the Brier score and the log loss, of class 0 and 1
    "b": ("{p} * {p}", "(1 - {p}) * (1 - {p})"),
    "g": (
        f"CASE WHEN {{p}} = 1 THEN {INFINITE} WHEN 1 - {{p}} = 1 THEN {{p}} "
        "ELSE -LN(1 - {p}) * ({p} / (1 - (1 - {p}))) END",  # of 1 - p, which is rounded
        f"CASE WHEN {{p}} = 0 THEN {INFINITE} ELSE -LN({{p}}) END",
    ),
}
ROUNDED = (
    f"CASE WHEN {{p}} > 0.5 THEN 1 - ({SPLIT}e0 * (1 - {{p}}) - ({SPLIT}e0 * (1 - {{p}}) - (1 - {{p}}))) "
    f"ELSE {SPLIT}e0 * {{p}} - ({SPLIT}e0 * {{p}} - {{p}}) END"
)


def _mixed() -> str:
    """Return ``bootstrap.group_of`` of row n."""
    mixed = f"(xor(CAST(n AS UBIGINT), CAST(n AS UBIGINT) >> 32) & {LOW})"
    for shift, factor in zip((16, 13), MIXERS, strict=True):
        mixed = f"((xor({mixed}, {mixed} >> {shift}) * {factor}::UBIGINT) & {LOW})"
    return f"(xor({mixed}, {mixed} >> 16) % {GROUPS})"


GROUP = _mixed()

__all__ = ["score_files"]


def score_files(
    context: Context | CostMatrix,
    paths: Sequence[str | Path],
    how: How = USUAL,
    *,
    y_true: str,
    y_proba: Sequence[str] = (),
    pos_label: Any = None,
    delimiter: str | None = None,
    watch: Callable[[float], None] | None = None,
) -> Scores:
    """Score files of predictions in DuckDB, in bounded memory and on all processors.

    Files, columns, labels and scores are as ``evaluate.from_files`` and ``evaluate.score_blocks`` have them, to
    rounding. ``watch`` is called now and then, from another thread, with the share of the work that is done.

    Raises:
        DataError: if DuckDB is not installed; or as ``from_files`` does.
        ExportError: if the losses cannot be written in SQL.
    """
    if importlib.util.find_spec("duckdb") is None:
        raise DataError(
            "the engine duckdb is not installed",
            'Install it with pip install "costderive[duckdb]", or do without.',
        )
    import duckdb

    if STANDARD_INPUT in map(str, paths):
        raise DataError(
            "DuckDB does not read standard input", "Give a file, or score it without this engine."
        )
    read: dict[str, Any] = {"y_true": y_true, "y_proba": y_proba, "delimiter": delimiter}
    choice = {**read, "pos_label": pos_label}
    names = tuple(next(iter(from_files(paths, **choice))).models)
    files = [_File.of(Path(path), **read) for path in paths]

    def gather(own: CompiledLoss, calibrated: CompiledLoss, grouped: bool) -> Gathered:
        rules = {"l": own} if calibrated is own else {"l": own, "c": calibrated}
        written = {letter: code(rule.rule, "sql", keep=("instance",)) for letter, rule in rules.items()}
        with _connection() as connection:  # whose threads start when all that may fork is done
            queries = 3 + len(names) + 2 * grouped
            table = _Table(_Watched(connection, watch, queries), names, files)
            table.survey(pos_label)
            return table.gathered(written, grouped)

    try:
        return scored(context, how, gather)
    except (_FaultError, duckdb.Error) as fault:
        for _ in from_files(paths, **choice):
            pass  # raises, and says where
        raise DataError(
            f"DuckDB cannot read {', '.join(map(str, paths))}: {str(fault).splitlines()[0][:200]}",
            "Score it without this engine.",
        ) from None


class _FaultError(Exception):
    """Something about the data is not as it should be."""


@contextmanager
def _connection() -> Iterator[Any]:
    """Open a database in memory that fetches no extensions and leaves no files."""
    import duckdb

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config: dict[str, Any] = {
            "memory_limit": MEMORY,
            "temp_directory": folder,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        with duckdb.connect(config=config) as connection:
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
            yield connection


class _Watched:
    """A connection that reports how much of all queries is done, if someone watches."""

    def __init__(self, connection: Any, watch: Callable[[float], None] | None, queries: int) -> None:
        self._connection = connection
        self._watch = watch
        self._queries = queries
        self._done = 0

    def execute(self, query: str, labels: Mapping[str, Any] | None) -> Any:
        """Return the answer to a query."""
        if self._watch is None:
            return self._connection.execute(query, labels)
        is_over = threading.Event()
        reporter = threading.Thread(target=self._report, args=(is_over, self._watch), daemon=True)
        reporter.start()
        try:
            return self._connection.execute(query, labels)
        finally:
            is_over.set()
            reporter.join()
            self._done += 1

    def _report(self, is_over: threading.Event, watch: Callable[[float], None]) -> None:
        while not is_over.wait(INTERVAL):
            of_query = max(0.0, self._connection.query_progress()) / 100
            watch(min(1.0, (self._done + of_query) / self._queries))


# ---- the rows


@dataclass(frozen=True, slots=True)
class _File:
    """A file as a relation of SQL: how to read it, and expressions for its label and probabilities."""

    path: Path
    relation: str
    label: str
    models: tuple[str, ...]

    @classmethod
    def of(cls, path: Path, y_true: str, y_proba: Sequence[str], delimiter: str | None) -> _File:
        first = next(iter(blocks(path, y_true=y_true, y_proba=y_proba, delimiter=delimiter)))
        chosen = tuple(first.models)
        found = header(path, (y_true, *y_proba), delimiter)
        if found is None:
            place = f"read_parquet({_text(_literal_path(path))}, hive_partitioning = false)"
            return cls(path, place, _quoted(y_true), tuple(map(_quoted, chosen)))
        names, line, mark = found
        columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
        style = f"skip = {line}, delim = {_text(mark)}, {PLAIN}"
        cell = {name: f"trim(c{k}, {BLANK})" for k, name in enumerate(names)}
        place = f"read_csv({_text(_literal_path(path))}, columns = {{{columns}}}, {style})"
        label = _with_point(cell[y_true]) if first.commas else cell[y_true]
        return cls(path, place, label, tuple(_number(cell[name], first.commas) for name in chosen))


def _with_point(cell: str) -> str:
    """Return a number that has a decimal comma as one with a point, and other cells as they are."""
    return f"regexp_replace({cell}, '^{WITH_COMMA.pattern}$', '\\1.\\2')"


def _number(cell: str, commas: bool) -> str:
    """Return a number if it is written as Python reads it, or with a decimal comma if all are."""
    foreign, plain = (f"contains({cell}, '.') OR ", _with_point(cell)) if commas else ("", cell)
    return f"CASE WHEN NOT ({foreign}contains({cell}, '_')) THEN TRY_CAST({plain} AS DOUBLE) END"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _literal_path(path: Path) -> str:
    """Return the path so that no part of it is a pattern or an address."""
    return re.sub(r"([*?\[])", r"[\1]", os.path.abspath(path))


def _side_by_side(files: Sequence[_File]) -> str:
    """Return a query of the rows of all files: their labels y0, y1 ..., probabilities p0, p1 ... of the models."""
    place = count()
    parts = []
    for k, file in enumerate(files):
        models = ", ".join(f"CAST({model} AS DOUBLE) AS p{next(place)}" for model in file.models)
        parts.append(f"(SELECT {file.label} AS y{k}, {models} FROM {file.relation})")
    return "SELECT * FROM " + " POSITIONAL JOIN ".join(parts)


class _Table:
    """The rows of files side by side, and what is asked of them.

    Of row ``n`` class ``y``, 0 or 1, and probabilities ``p0``, ``p1`` ... are known; losses are ``l0``, ``l1`` ...
    """

    def __init__(self, connection: _Watched, names: tuple[str, ...], files: Sequence[_File]) -> None:
        self._connection = connection
        self._names = names
        self._files = files
        self._rows = _side_by_side(files)
        self._ones: list[Any] = []
        self._count = 0
        self._distinct: list[int] = []

    def survey(self, pos_label: Any) -> None:
        """Find out which labels are of class 1, and how many probabilities differ.

        Raises:
            _FaultError: if something is not as it should be.
        """
        labels = [f"y{k}" for k in range(len(self._files))]
        bad = " OR ".join(f"NOT coalesce({p} >= 0 AND {p} <= 1, false)" for p in self._each("p"))
        distinct = ", ".join(f"approx_count_distinct({p}) AS {p}" for p in self._each("p"))
        found = self._ask(
            f"SELECT {', '.join(labels)}, count(*) AS n, count(*) FILTER ({bad}) AS bad, {distinct} "
            f"FROM ({self._rows}) GROUP BY {', '.join(labels)}"
        )
        if any(row["bad"] for row in found):
            raise _FaultError("a cell is not a probability")
        classes = [_are_one([row[name] for row in found], pos_label) for name in labels]
        if any(len(set(row)) > 1 for row in zip(*classes, strict=True)):
            raise _FaultError("the files have different labels in the same row")
        self._ones = [row["y0"] for row, is_one in zip(found, classes[0], strict=True) if is_one]
        self._count = sum(row["n"] for row in found)
        self._distinct = [sum(row[p] for row in found) for p in self._each("p")]

    def gathered(self, written: Mapping[str, str], grouped: bool) -> Gathered:
        """Return what ``Gathered.of`` does, by losses ``l``, and ``c`` if those at the calibrated threshold differ."""
        losses = [self._with_losses(written, label, grouped) for label in (0, 1)]
        zeros, ones = (self._added_up(query, label, [*written]) for label, query in enumerate(losses))
        calibrated_losses, brier, log_loss = (
            (self._sums(zeros, letter), self._sums(ones, letter)) for letter in ([*written][-1], "b", "g")
        )
        return Gathered(
            self._names,
            (self._moments(zeros), self._moments(ones)),
            calibrated_losses,
            brier,
            log_loss,
            tuple(map(self._tally, self._each("p"), self._distinct)),
            self._groups(losses) if grouped else None,
        )

    def _each(self, letter: str) -> list[str]:
        return [f"{letter}{k}" for k in range(len(self._names))]

    def _ask(self, query: str) -> list[dict[str, Any]]:
        """Return the rows of an answer."""
        answer = self._connection.execute(query, {"ones": self._ones} if "$ones" in query else None)
        heads = [column[0] for column in answer.description]
        return [dict(zip(heads, row, strict=True)) for row in answer.fetchall()]

    def _known(self, numbered: bool = False) -> str:
        """Return a query of classes, probabilities and, where it is wanted (it takes time), the number of the row."""
        number = "row_number() OVER () - 1" if numbered else "0"
        columns = ", ".join([*self._each("p"), f"{number} AS n"])
        return f"SELECT CAST(list_contains($ones, y0) AS INTEGER) AS y, {columns} FROM ({self._rows})"

    def _with_losses(self, written: Mapping[str, str], label: int, numbered: bool) -> str:
        """Return a query of the rows of a class: each step adds a loss, of a rule and a model, to what is known."""
        packed = ", ".join(f"'{name}': {name}" for name in (*self._each("p"), "n"))
        query = f"SELECT {{{packed}}} AS instance FROM ({self._known(numbered)}) WHERE y = {label}"
        for letter, losses in written.items():
            for p, name in zip(self._each("p"), self._each(letter), strict=True):
                given = f"SELECT instance, {label} AS y, instance.{p} AS p FROM ({query})"
                query = (
                    f"SELECT struct_insert(instance, {name} := loss{label}) AS instance FROM ("
                    f"WITH predictions AS ({given}) SELECT * FROM (\n{losses}))"
                )
        return f"SELECT unnest(instance) FROM ({query})"

    def _added_up(self, losses: str, label: int, letters: Sequence[str]) -> Mapping[str, Any]:
        """Return how many rows a class has, sums of each column, variances, and how many are infinite."""
        columns = [name for letter in (*letters, "b", "g") for name in self._each(letter)]
        scatter = [
            f"var_pop({x if x == y else f'{x} - {y}'}) FILTER (isfinite({x}) AND isfinite({y})) AS var_{x}_{y}"
            for x, y in combinations_with_replacement(self._each("l"), 2)
        ]
        usual = [
            f"{USUAL_LOSSES[letter][label].format(p=p)} AS {letter}{p[1:]}"
            for letter in ("b", "g")
            for p in self._each("p")
        ]
        (found,) = self._ask(
            f"SELECT count(*) AS n, {_added(columns)}, {', '.join(scatter)} "
            f"FROM (SELECT *, {', '.join(usual)} FROM ({losses}))"
        )
        return found

    def _sums(self, row: Mapping[str, Any], letter: str) -> Sums:
        infinite = np.array([row[f"inf_{x}"] for x in self._each(letter)], dtype=np.int64)
        return Sums.known(row["n"], _sums_of(row, self._each(letter)), infinite)

    def _moments(self, row: Mapping[str, Any]) -> Moments:
        scatter = np.empty((len(self._names), len(self._names)))
        for (i, x), (j, y) in combinations_with_replacement(enumerate(self._each("l")), 2):
            is_finite = not row[f"inf_{x}"] and not row[f"inf_{y}"]
            scatter[i, j] = scatter[j, i] = row["n"] * (row[f"var_{x}_{y}"] or 0.0) if is_finite else math.nan
        return Moments.known(self._sums(row, "l"), scatter)

    def _tally(self, p: str, distinct: int) -> Tally:
        """Count the probabilities of a model, rounded if too many differ; the estimate of how many may err twofold."""
        exact = self._counted(p, p) if distinct <= 2 * tally.MOST else None
        if exact is not None and len(exact) <= tally.MOST:
            return exact
        return replace(self._counted(p, ROUNDED.format(p=p)), is_exact=False)

    def _counted(self, p: str, value: str) -> Tally:
        columns = self._connection.execute(
            f"SELECT {value} AS p, count(*) FILTER (y = 0) AS zeros, count(*) FILTER (y = 1) AS ones "
            f"FROM ({self._known()}) GROUP BY 1 ORDER BY 1",
            {"ones": self._ones},
        ).fetchnumpy()
        p_, zeros, ones = (np.asarray(columns[name], dtype=np.float64) for name in ("p", "zeros", "ones"))
        return Tally(p_, zeros, ones)

    def _groups(self, losses: Sequence[str]) -> Groups:
        group = "n" if self._count <= GROUPS else GROUP
        groups = Groups(len(self._names))
        for label, query in enumerate(losses):
            for row in self._ask(
                f"SELECT {group} AS place, count(*) AS n, {_added(self._each('l'))} FROM ({query}) GROUP BY place"
            ):
                groups.counts[label, row["place"]] = row["n"]
                groups.sums[label, :, row["place"]] = _sums_of(row, self._each("l"))
        return groups


def _added(columns: Sequence[str]) -> str:
    """Return sums of what is finite, by compensated addition, and how many are infinite."""
    return ", ".join(
        f"fsum({x}) FILTER (isfinite({x})) AS sum_{x}, count(*) FILTER (isinf({x})) AS inf_{x}"
        for x in columns
    )


def _are_one(labels: list[Any], pos_label: Any) -> list[bool]:
    """Return which labels are of class 1.

    Raises:
        _FaultError: if they are not two.
    """
    classes = Classes(pos_label)
    try:
        found = classes.are_one(np.array(labels, dtype=object), lambda row: f"row {row}")
        classes.close("the file")
    except DataError as problem:
        raise _FaultError(str(problem)) from None
    return [bool(is_one) for is_one in found]


def _sums_of(row: Mapping[str, Any], columns: Sequence[str]) -> Array:
    return np.array([math.inf if row[f"inf_{x}"] else row[f"sum_{x}"] or 0.0 for x in columns])
