"""How many rows a second are scored: in memory, and from a Parquet file by either engine; a table for people to read.

``numpy`` and ``fast`` take the mean loss of arrays, the latter by a machine program; ``SQL`` is the mean of the
exported query in DuckDB, over the file; ``score numpy`` and ``score duckdb`` are all of ``costderive score`` for one
model. Times are those of the wall, the best of all repeats, with as many threads as each takes by itself.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet

import costderive as cd
from costderive.evaluate import from_files, score_blocks
from costderive.evaluate.duckdb_scores import score_files
from tests.benchmarks.numeric import data, machine

CONTEXTS = {
    "additive": cd.Additive(),
    "harmonic": cd.Harmonic(),
    "geometric": cd.Geometric(),
    "rectangle": cd.IndependentUniform(c0=(1, 10), c1=(100, 1000)),
}
COLUMNS = ("numpy", "fast", "SQL", "score numpy", "score duckdb")


def print_table(rows: int, repeats: int) -> None:
    """Print millions of rows a second for each context."""
    y, p, _ = data(rows)
    print(f"\n{rows:,} rows on {machine()}; millions of rows a second")
    print(f"{'rule':<14}" + "".join(f"{name:>14}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        pa.parquet.write_table(pa.table({"y": y.astype(np.int8), "p": p}), path)
        for name, context in CONTEXTS.items():
            speeds = [rows / best(task, repeats) / 1e6 for task in tasks(context, y, p, path)]
            print(f"{name:<14}" + "".join(f"{speed:>14.1f}" for speed in speeds), flush=True)


def tasks(context: cd.contexts.Context, y: Any, p: Any, path: Path) -> tuple[Callable[[], Any], ...]:
    """Return what the columns time."""
    derivation = cd.derive(context)
    loss, fast = cd.numeric.compile(derivation), cd.numeric.compile(derivation, fast=True)
    query = cd.export.code(derivation.rule, "sql")
    mean = f"WITH predictions AS (FROM read_parquet('{path}')) SELECT avg(loss) FROM (\n{query})"
    return (
        lambda: loss(y, p),
        lambda: fast(y, p),
        lambda: duckdb.sql(mean).fetchall(),
        lambda: score_blocks(context, from_files([path], y_true="y")),
        lambda: score_files(context, [path], y_true="y"),
    )


def best(task: Callable[[], Any], repeats: int) -> float:
    """Return the shortest time of a task, after one run that does not count."""
    task()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)
