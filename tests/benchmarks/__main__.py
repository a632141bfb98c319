"""How long derivations and proofs take: a table for people to read, not a test.

Run as ``python -m tests.benchmarks [name ...] [--repeats N]``. Times are CPU seconds after the import, the
median of as many fresh processes; the symbolic rectangle counts with both orders of its breakpoints. The
ratio divides derivation and proof together by the time of one fixed task of SymPy, so that machines can be
compared. More tables are about compiled losses (``numeric``, ``multiclass``, ``compiling``, and ``by_hand`` beside C
and NumPy) and scores of files (``throughput``): see the modules of these names.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import sympy

import costderive as cd
from costderive.costs.contexts import Context
from tests.benchmarks import by_hand, compiling, multiclass, numeric, throughput
from tests.reference import POWER_MEANS, RECTANGLES, SYMBOLIC_RECTANGLES, Rectangle

WIDTH = 26
OTHERS = {"numeric", "multiclass", "compiling", "by_hand", "throughput"}  # tables


@dataclass(frozen=True, slots=True)
class Cost:
    """What one derivation and its proof took, in CPU seconds, and what came out."""

    derive: float
    check: float
    cases: int
    claims: int
    verdict: str


def contexts() -> dict[str, Context]:
    """Return the contexts of the table of references, each once."""
    named: dict[str, Context] = {}
    for row in (*POWER_MEANS, *RECTANGLES, *SYMBOLIC_RECTANGLES):
        if row.context not in named.values():
            name = row.name.split(", ")[0] if isinstance(row.law, Rectangle) else row.name
            named[name] = row.context
    return named


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its ended children (integrators run in children)."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def cost_of(context: Context) -> Cost:
    """Derive and check, once."""
    start = cpu_seconds()
    derivation = cd.derive(context)
    middle = cpu_seconds()
    report = cd.check(derivation)
    end = cpu_seconds()
    return Cost(
        middle - start, end - middle, len(derivation.cases), len(report.findings), report.verdict.name
    )


def calibration() -> float:
    """Return the CPU seconds of a fixed task: expand, factor, cancel and differentiate in four letters."""
    start = cpu_seconds()
    w, x, y, z = sympy.symbols("w x y z", positive=True)
    product = sympy.expand((w + x + y + z + 1) ** 6 * (x * y - z * w) ** 3)
    sympy.factor_list(product)
    fraction = sum((x**k + y) / (z + k * w) ** 2 for k in range(1, 6))
    sympy.fraction(sympy.cancel(sympy.diff(fraction, w)))
    return cpu_seconds() - start


def fresh(task: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task in a forked process, whose caches are empty, and return its answer, or None if it failed."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(theirs, task, arguments))
    child.start()
    theirs.close()
    try:
        return mine.recv()
    except EOFError:
        return None
    finally:
        child.join()


def _send(pipe: Connection, task: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    pipe.send(task(*arguments))


def row_of(name: str, context: Context, repeats: int, unit: float) -> str:
    """Return the line of one context."""
    costs = [cost for _ in range(repeats) if (cost := fresh(cost_of, context))]
    if not costs:
        return f"{name:<{WIDTH}} failed: see the traceback above"
    derive, check = (statistics.median(getattr(cost, part) for cost in costs) for part in ("derive", "check"))
    last = costs[-1]
    counts = f"{last.cases:>6}{last.claims:>8}"
    return (
        f"{name:<{WIDTH}}{counts}{derive:>10.2f}{check:>10.2f}{(derive + check) / unit:>8.2f}  {last.verdict}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of contexts; without any, all of them")
    parser.add_argument("--repeats", type=int, default=3, help="fresh processes per context (default 3)")
    parser.add_argument("--rows", type=int, default=10**7, help="rows of the numeric table (default 10^7)")
    parser.add_argument(
        "--points", type=int, default=1000, help="points per kind of its accuracy (default 1000)"
    )
    options = parser.parse_args()
    if not options.names or set(options.names) - OTHERS:
        print_contexts(options)
    if not options.names or "numeric" in options.names:
        numeric.print_table(options.rows, options.repeats, options.points)
    if not options.names or "multiclass" in options.names:
        multiclass.print_table(options.repeats)
    if not options.names or "compiling" in options.names:
        compiling.print_table()
    if not options.names or "by_hand" in options.names:
        by_hand.print_table(options.rows, options.repeats)
    if not options.names or "throughput" in options.names:
        throughput.print_table(options.rows, options.repeats)


def print_contexts(options: argparse.Namespace) -> None:
    """Print the table of derivations and proofs."""
    unit = statistics.median(fresh(calibration) for _ in range(options.repeats))
    print(f"calibration task: {unit:.2f} s of CPU time\n")
    print(
        f"{'context':<{WIDTH}}{'cases':>6}{'claims':>8}{'derive s':>10}{'check s':>10}{'ratio':>8}  verdict"
    )
    for name, context in contexts().items():
        if not options.names or any(part in name for part in options.names):
            print(row_of(name, context, options.repeats, unit), flush=True)


if __name__ == "__main__":
    main()
