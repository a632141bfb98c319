"""How fast and how accurate compiled losses are: a table for people to read, not a test.

Every time is divided by that of reading the same data once in the same run (``y.sum(), p.sum()``), as the median
over repeats of processor time, of wall time with two threads. ``worst`` is the largest error of losses and first
two derivatives in units in the last place, and whose it is, from 50 exact digits.
"""

from __future__ import annotations

import math
import os
import platform
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import brier_score_loss, log_loss

import costderive as cd
from costderive.numeric import compile
from tests.accuracy import gallery, worst

COLUMNS = ("numpy", "gradient", "fast", "weights", "int labels", "float32 p", "2 threads")
WIDTH = 24
WITH_PARAMETER = {
    "factor of all costs": cd.Geometric("m"),
    "exponential costs": cd.Independent(c0="exponential(m)", c1="exponential(1)"),
    "known costs": cd.FixedCosts("m", 1),
    "bounded costs": cd.IndependentUniform(c0=(0, "m"), c1=(0, 1)),
    "rectangle": cd.IndependentUniform(c0=(1, "1 + m"), c1=(1, 2)),
}


def data(rows: int) -> tuple[Any, Any, Any]:
    """Return labels, calibrated predictions and weights."""
    generator = np.random.default_rng(7)
    p = generator.random(rows)
    return generator.random(rows) < p, p, generator.random(rows)


def median(task: Callable[[], Any], repeats: int, clock: Callable[[], float] = time.thread_time) -> float:
    """Return the median time of a task, after one run that does not count."""
    task()
    times = []
    for _ in range(repeats):
        start = clock()
        task()
        times.append(clock() - start)
    return statistics.median(times)


def machine() -> str:
    """Return the model of the processor, how many there are, and versions, without the name of the host."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.machine()
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{model}, {os.cpu_count()} processors{busy}, NumPy {np.__version__}"


def print_table(rows: int, repeats: int, points: int) -> None:
    """Print a line for each rule of the gallery, what scikit-learn takes, and how exact a long mean is."""
    y, p, weights = data(rows)
    labels, single = y.astype(np.int64), p.astype(np.float32)
    read = median(lambda: (y.sum(), p.sum()), 5 * repeats)
    wall = median(lambda: (y.sum(), p.sum()), 5 * repeats, time.perf_counter)
    print(f"\n{rows:,} rows on {machine()}; reading y and p once: {read / rows * 1e9:.2f} ns a row")
    print(f"{'rule':<{WIDTH}}" + "".join(f"{name:>12}" for name in COLUMNS) + "   worst")
    plain = {}
    for name, rule in gallery().items():
        loss, fast = compile(rule, time_limit=None), compile(rule, fast=True, time_limit=None)
        times = [
            median(lambda: loss(y, p), repeats),  # noqa: B023  (run at once)
            median(lambda: loss.gradient(y, p), repeats),  # noqa: B023
            median(lambda: fast(y, p), repeats),  # noqa: B023
            median(lambda: fast(y, p, sample_weight=weights), repeats),  # noqa: B023
            median(lambda: fast(labels, p), repeats),  # noqa: B023
            median(lambda: fast(y, single), repeats),  # noqa: B023
            median(lambda: fast(y, p, threads=2), repeats, time.perf_counter) * read / wall,  # noqa: B023
        ]
        plain[name] = times[0], times[2]
        found = worst(rule, loss, points, seed=11)
        quantity = max(found, key=lambda key: found[key][0])
        line = "".join(f"{seconds / read:>12.1f}" for seconds in times)
        print(f"{name:<{WIDTH}}{line}   {found[quantity][0]:.2f} ulp, {quantity}", flush=True)
    for name, theirs in (("additive", brier_score_loss), ("harmonic", log_loss)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seconds = median(lambda: theirs(y, p), repeats)  # noqa: B023
        ratios = " and ".join(f"{seconds / ours:.0f}" for ours in plain[name])
        print(
            f"scikit-learn's {theirs.__name__} takes {seconds / read:.0f}: {ratios} times as long as numpy and fast"
        )
    print_parameters(rows, repeats)
    print_long_mean()


def print_parameters(rows: int, repeats: int) -> None:
    """Print how long losses with a parameter for each row take, as a multiple of those of the rule without it."""
    y, p, shares = data(rows)
    letters = 1 + shares
    for name, context in WITH_PARAMETER.items():
        rule = cd.derive(context).rule
        alone, loss = compile(rule.at(m="3/2")), compile(rule)
        with_array = median(lambda: loss(y, p, m=letters), repeats)  # noqa: B023
        with_number = median(lambda: loss(y, p, m=1.5), repeats)  # noqa: B023
        without = median(lambda: alone(y, p), repeats)  # noqa: B023
        ratios = f"{with_array / without:.1f} with a column, {with_number / without:.1f} with a number"
        print(f"{name:<{WIDTH}}{ratios} for its parameter, times that without it", flush=True)


def print_long_mean(copies: int = 1000, rows: int = 10**5) -> None:
    """Print how far the mean of 10^8 losses is from the exact sum of them, as a relative error.

    The rows are ``copies`` times the same, so that few exact sums are needed and memory holds them.
    """
    generator = np.random.default_rng(3)
    p = generator.random(rows)
    y = generator.random(rows) < p
    rule = gallery(["harmonic"])["harmonic"]
    for fast in (False, True):
        loss = compile(rule, fast=fast)
        exact = math.fsum(loss.per_sample(y, p)) / rows
        mean = loss(np.tile(y, copies), np.tile(p, copies))
        print(
            f"mean of {copies * rows:,} losses, {'fast' if fast else 'numpy'}: off by {abs(mean / exact - 1):.1e}"
        )
