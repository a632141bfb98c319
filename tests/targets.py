"""How to run generated programs in each language: from probabilities to the losses of both classes.

Engines with threads of their own run in another process, since derivations fork this one.
"""

from __future__ import annotations

import ctypes
import functools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Points = Sequence[float]
Task = tuple[str, Points]  # a program, and the probabilities that it gets
Found = list[list[float]]  # the losses of class 0, and those of class 1
FOLDER = Path(tempfile.mkdtemp(prefix="costderive-targets-"))


def in_python(script: str, data: Any, python: str = sys.executable) -> Any:
    """Run a script with ``DATA`` in a process of its own; it sets ``RESULT``."""
    text = f"import json, sys\nDATA = json.load(sys.stdin)\n{script}\nprint(json.dumps(RESULT))\n"
    done = subprocess.run(
        [python, "-I", "-c", text],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def _each(body: str) -> Callable[[Sequence[Task]], list[Found]]:
    """Return a runner whose body makes ``run(program, points)`` in another process."""

    def runner(tasks: Sequence[Task], python: str = sys.executable) -> list[Found]:
        return in_python(f"{body}\nRESULT = [run(*task) for task in DATA]", list(tasks), python)

    return runner


_NAMES = """
def names_of(program):
    names = {}
    exec(compile(program, "<generated>", "exec"), names)
    return names
"""
numpy = _each(
    _NAMES
    + """
def run(program, p):
    names = names_of(program)
    return [names[name](p).tolist() for name in ("loss0", "loss1")]
"""
)
one_by_one = _each(
    _NAMES
    + """
def run(program, p):
    names = names_of(program)
    return [[names[name](x) for x in p] for name in ("loss0", "loss1")]
"""
)
v8 = _each(
    """
from py_mini_racer import MiniRacer

def run(program, p):
    shown = "x => Number.isFinite(x) ? x : String(x)"
    call = f"JSON.stringify([loss0, loss1].map(f => {json.dumps(p)}.map(x => f(x)).map({shown})))"
    found = MiniRacer().eval(program.replace("export function", "function") + call)
    return [list(map(float, values)) for values in json.loads(found)]
"""
)


def evaluated(scripts: Sequence[str]) -> list[Any]:
    """Return the JSON that each body of a function in JavaScript returns, or the message of what it throws."""
    body = """
from py_mini_racer import MiniRacer
caught = "catch (problem) { return JSON.stringify(problem.message); }"
RESULT = [json.loads(MiniRacer().eval(f"(() => {{ try {{ {text} }} {caught} }})()")) for text in DATA]
"""
    found: list[Any] = in_python(body, list(scripts))
    return found


_ROWS = """
def run(program, p):
    connection = connect()
    connection.execute(f"CREATE TABLE predictions (y INTEGER, p {TYPE})")
    connection.executemany("INSERT INTO predictions VALUES (?, ?)", [(k % 2, x) for k, x in enumerate(p)])
    found = {row[1]: row for row in connection.execute(program).fetchall()}
    assert all(found[x][4] == found[x][2 + k % 2] for k, x in enumerate(p))
    return [[found[x][2 + label] for x in p] for label in (0, 1)]
"""
duckdb = _each("from duckdb import connect\nTYPE = 'DOUBLE'" + _ROWS)
sqlite = _each("import sqlite3\nTYPE = 'REAL'\nconnect = lambda: sqlite3.connect(':memory:')" + _ROWS)
jax = _each(
    _NAMES
    + """
import jax
jax.config.update("jax_enable_x64", True)

def run(program, p):
    loss = jax.jit(names_of(program)["loss"])
    return [loss(label, jax.numpy.asarray(p)).tolist() for label in (0, 1)]
"""
)
_torch = _each(
    _NAMES
    + """
import torch

def run(program, p):
    loss, x = names_of(program)["Loss"](reduction="none"), torch.tensor(p, dtype=torch.float64)
    return [loss(x, torch.full_like(x, label)).tolist() for label in (0, 1)]
"""
)


@functools.cache
def python_with_torch() -> str | None:
    """Return a Python that has PyTorch: this one, or that of the system, for which Debian has a small one."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        if shutil.which(candidate):
            known = subprocess.run(
                [candidate, "-c", "import torch"], capture_output=True, check=False, timeout=120
            )
            if known.returncode == 0:
                return candidate
    return None


def torch(tasks: Sequence[Task]) -> list[Found]:
    return _torch(tasks, python_with_torch())


def c(tasks: Sequence[Task]) -> list[Found]:
    return [[[f(x) for x in p] for f in compiled_c(program)] for program, p in tasks]


def compiled_c(program: str, parameters: int = 0) -> list[Any]:
    """Compile a program as strictly as the compiler can, and load the losses, which may have parameters."""
    source = Path(tempfile.mkdtemp(dir=FOLDER)) / "rule.c"
    source.write_text(program, encoding="utf-8")
    library = source.with_suffix(".so")
    strict = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
    command = ["cc", *strict, "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run(command, check=True, timeout=60)
    loaded = ctypes.CDLL(str(library))
    found = [loaded.loss0, loaded.loss1]
    for function in found:
        function.restype, function.argtypes = ctypes.c_double, (ctypes.c_double,) * (1 + parameters)
    return found


Rows = Sequence[Sequence[float]]  # a probability, and then the parameters in alphabetical order
OfRows = Callable[[str, Sequence[str], Rows], Found]


def c_of_rows(program: str, names: Sequence[str], rows: Rows) -> Found:
    return [[f(*row) for row in rows] for f in compiled_c(program, len(names))]


def duckdb_of_rows(program: str, names: Sequence[str], rows: Rows) -> Found:
    """Run a query whose parameters are columns; what is NULL becomes NaN."""
    script = """
from duckdb import connect
program, names, rows = DATA
columns = ["y", "p", *names]
with connect() as connection:
    connection.execute(f"CREATE TABLE predictions ({', '.join(f'{chr(34)}{x}{chr(34)} DOUBLE' for x in columns)})")
    marks = ", ".join("?" for _ in columns)
    for label in (0, 1):
        connection.executemany(f"INSERT INTO predictions VALUES ({marks})", [[label, *row] for row in rows])
    found = [row[-3:] for row in connection.execute(program).fetchall()]  # in the order of insertion
halves = found[:len(rows)], found[len(rows):]
assert all(row[2] == row[label] for label in (0, 1) for row in halves[label])
RESULT = [[float("nan") if row[2] is None else row[2] for row in half] for half in halves]
"""
    found: Found = in_python(script, [program, list(names), [list(map(float, row)) for row in rows]])
    return found


def python_of_rows(program: str, names: Sequence[str], rows: Rows) -> Found:
    module: dict[str, Any] = {}
    exec(compile(program, "<generated>", "exec"), module)
    losses = [module["loss0"], module["loss1"]]
    return [[float(f(p, **dict(zip(names, row, strict=True)))) for p, *row in rows] for f in losses]


def _columns(body: str, python: Callable[[], str | None] = lambda: sys.executable) -> OfRows:
    """Return a runner whose body makes ``run(module, p, parameters)`` of a module in Python and columns."""

    def runner(program: str, names: Sequence[str], rows: Rows) -> Found:
        p, *columns = ([float(x) for x in column] for column in zip(*rows, strict=True))
        script = f"{_NAMES}{body}\nRESULT = run(names_of(DATA[0]), DATA[1], DATA[2])"
        found: Found = in_python(script, [program, p, dict(zip(names, columns, strict=True))], python() or "")
        return found

    return runner


numpy_of_columns = _columns(
    """
import numpy as np

def run(module, p, columns):
    return [module[name](np.array(p), **columns).tolist() for name in ("loss0", "loss1")]
"""
)
numba_of_rows = _columns(
    """
def run(module, p, columns):
    rows = list(zip(p, *columns.values()))
    return [[module[name](x, **dict(zip(columns, row))) for x, *row in rows] for name in ("loss0", "loss1")]
"""
)
jax_of_columns = _columns(
    """
import jax
jax.config.update("jax_enable_x64", True)

def run(module, p, columns):
    columns = {name: jax.numpy.asarray(column) for name, column in columns.items()}
    return [module["loss"](label, jax.numpy.asarray(p), **columns).tolist() for label in (0, 1)]
"""
)
torch_of_columns = _columns(
    """
import torch

def run(module, p, columns):
    loss, x = module["Loss"](reduction="none"), torch.tensor(p, dtype=torch.float64)
    columns = {name: torch.tensor(column, dtype=torch.float64) for name, column in columns.items()}
    return [loss(x, torch.full_like(x, label), **columns).tolist() for label in (0, 1)]
""",
    python_with_torch,
)


def r_of_columns(program: str, names: Sequence[str], rows: Rows) -> Found:
    vectors = [", ".join(f"{float(x)!r}" for x in column) for column in zip(*rows, strict=True)]
    arguments = ", ".join(f"c({vector})" for vector in vectors).replace("nan", "NaN").replace("inf", "Inf")
    call = f"\ncat(sprintf('%.17g', c(loss0({arguments}), loss1({arguments}))))\n"
    values = [float(x) for x in _script(["Rscript", "-"], program + call)]
    return [values[: len(rows)], values[len(rows) :]]


def node_of_rows(program: str, names: Sequence[str], rows: Rows) -> Found:
    tasks = json.dumps([[row[0], dict(zip(names, row[1:], strict=True))] for row in rows])
    call = f"console.log([loss0, loss1].map(f => {tasks}.map(x => String(f(...x))).join(' ')).join(' '))"
    values = [float(x) for x in _script(["node", "--input-type=module", "-"], program + call)]
    return [values[: len(rows)], values[len(rows) :]]


OF_ROWS: dict[str, OfRows] = {  # with parameters in each row
    "numpy": python_of_rows,
    "python": python_of_rows,
    "c": c_of_rows,
    "sql": duckdb_of_rows,
}
OF_COLUMNS: dict[str, OfRows] = {
    "numpy": numpy_of_columns,
    "numba": numba_of_rows,
    "javascript": node_of_rows,
    "r": r_of_columns,
    "jax": jax_of_columns,
    "pytorch": torch_of_columns,
}


def _script(command: list[str], text: str) -> list[str]:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.split()


def node(tasks: Sequence[Task]) -> list[Found]:
    found = []
    for program, p in tasks:
        call = f"console.log([loss0, loss1].map(f => {json.dumps(list(p))}.map(x => String(f(x))).join(' ')).join(' '))"
        values = [float(x) for x in _script(["node", "--input-type=module", "-"], program + call)]
        found.append([values[: len(p)], values[len(p) :]])
    return found


def r(tasks: Sequence[Task]) -> list[Found]:
    found = []
    for program, p in tasks:
        points = ", ".join(float(x).hex() for x in p)
        call = f"\np <- c({points})\ncat(sprintf('%.17g', c(loss0(p), loss1(p))))\n"
        values = [float(x) for x in _script(["Rscript", "-"], program + call)]
        found.append([values[: len(p)], values[len(p) :]])
    return found


RUNNERS: dict[str, Callable[[Sequence[Task]], list[Found]]] = {
    "numpy": numpy,
    "python": one_by_one,
    "numba": one_by_one,
    "c": c,
    "javascript": v8,
    "javascript in node": node,
    "sql": duckdb,
    "sql for sqlite": sqlite,
    "jax": jax,
    "pytorch": torch,
    "r": r,
}


DERIVED = {  # losses of K classes and their slopes, of DATA: program, logits and labels
    "pytorch": """
import torch
names = {}
exec(DATA[0], names)
z, y = torch.tensor(DATA[1], dtype=torch.float64, requires_grad=True), torch.tensor(DATA[2])
losses = names["Loss"](reduction="none")(z, y)
(slopes,) = torch.autograd.grad(losses.sum(), z)
RESULT = [losses.tolist(), slopes.tolist()]
""",
    "jax": """
import jax
jax.config.update("jax_enable_x64", True)
names = {}
exec(DATA[0], names)
z, y = jax.numpy.asarray(DATA[1]), jax.numpy.asarray(DATA[2])
losses, slopes = jax.jit(jax.vmap(jax.value_and_grad(lambda z, y: names["loss"](y[None], z[None])[0])))(z, y)
RESULT = [losses.tolist(), slopes.tolist()]
""",
}
