"""Compiled losses beside the same losses written by hand, in C and in NumPy: a table for people to read, not a test.

What is written by hand is the formula of a paper with a choice of the branch, as whoever needs the number writes it
in ten lines: no check of the data, no care for digits near a breakpoint, a plain sum. C is compiled with
``-O3 -march=native`` and runs in one thread; with ``-Ofast`` it may also change the order of a sum, and take logarithms
of vectors. All times are processor times in one run, with two threads wall times; a
time of 1.0 is that of ``y.sum(), p.sum()``.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import erfc

import costderive as cd
from tests.benchmarks.numeric import WIDTH, data, machine, median

COLUMNS = ("C", "C -Ofast", "fast", "fast/C", "/-Ofast", "by NumPy", "NumPy", "ratio", "1:2 threads")
ONE_ROW = 2000  # calls with one row
FRAME = """
#include <math.h>
#include <stddef.h>
double mean(const unsigned char *y, const double *p, size_t n) {
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = p[i];
        total += y[i] ? %s : %s;
    }
    return total / n;
}
"""


@dataclass(frozen=True, slots=True)
class ByHand:
    """A context, and its two losses of ``x`` in C and in NumPy."""

    context: Any
    c: tuple[str, str]
    numpy: Callable[[Any, Any], Any]


def _inverse(y: Any, p: Any) -> Any:
    one = np.where(p <= 0.5, (3 - 5 * p) / (6 * (1 - p)), (1 - p) ** 2 / (6 * p**2))
    return np.where(y, one, np.where(p <= 0.5, p**2 / (6 * (1 - p) ** 2), (5 * p - 2) / (6 * p)))


def _log_normal(y: Any, p: Any) -> Any:
    """Two independent log-normal costs with locations 0 and 1 and scales 1."""
    odds = np.log(p / (1 - p))
    loss0 = 0.5 * np.exp(0.5) * erfc(-(odds + 1 - 1) / 2)
    return np.where(y, 0.5 * np.exp(1.5) * erfc((odds + 1 + 1) / 2), loss0)


RULES = {
    "Brier score": ByHand(
        cd.Additive(), ("(1 - x) * (1 - x)", "x * x"), lambda y, p: np.where(y, (1 - p) ** 2, p**2)
    ),
    "log loss": ByHand(
        cd.Harmonic(budget=1), ("-log(x)", "-log1p(-x)"), lambda y, p: np.where(y, -np.log(p), -np.log1p(-p))
    ),
    "Inverse Score": ByHand(
        cd.IndependentUniform((0, 1), (0, 1)),
        (
            "(x <= 0.5 ? (3 - 5*x)/(6*(1 - x)) : (1 - x)*(1 - x)/(6*x*x))",
            "(x <= 0.5 ? x*x/(6*(1 - x)*(1 - x)) : (5*x - 2)/(6*x))",
        ),
        _inverse,
    ),
    "log-normal": ByHand(
        cd.Independent("lognormal(0, 1)", "lognormal(1, 1)"),
        (
            "0.5*exp(1.5)*erfc((log(x/(1 - x)) + 2)/2)",
            "0.5*exp(0.5)*erfc(-log(x/(1 - x))/2)",
        ),
        _log_normal,
    ),
}


def print_table(rows: int, repeats: int) -> None:
    """Print a line for each rule, what a row alone takes, and how long one ``erfc`` a row is."""
    y, p, _ = data(rows)
    read = median(lambda: (y.sum(), p.sum()), 5 * repeats)
    print(f"\n{rows:,} rows on {machine()}; reading y and p once: {read / rows * 1e9:.2f} ns a row")
    print(f"{'rule':<{WIDTH}}" + "".join(f"{name:>12}" for name in COLUMNS))
    for name, rule in RULES.items():
        print(f"{name:<{WIDTH}}" + _line(rule, y, p, read, repeats), flush=True)
    print(f"SciPy's erfc of each row takes {median(lambda: erfc(p), repeats) / read:.1f}")
    _print_one_row(repeats)


def _line(rule: ByHand, y: Any, p: Any, read: float, repeats: int) -> str:
    derivation = cd.derive(rule.context)
    plain, fast = cd.numeric.compile(derivation), cd.numeric.compile(derivation, fast=True)
    by_c, faster = in_c(rule, "-O3"), in_c(rule, "-Ofast")
    assert abs(by_c(y, p) / plain(y, p) - 1) < 1e-6
    assert abs(rule.numpy(y, p).mean() / plain(y, p) - 1) < 1e-6
    tasks = (
        lambda: by_c(y, p),
        lambda: faster(y, p),
        lambda: fast(y, p),
        lambda: rule.numpy(y, p).mean(),
        lambda: plain(y, p),
    )
    c, fast_c, machine_program, hand, ours = (median(task, repeats) / read for task in tasks)
    one, two = (
        median(lambda: fast(y, p, threads=n), repeats, time.perf_counter)  # noqa: B023
        for n in (1, 2)
    )
    quotients = machine_program / c, machine_program / fast_c
    ratios = c, fast_c, machine_program, *quotients, hand, ours, ours / hand, one / two
    return "".join(f"{ratio:>12.2f}" for ratio in ratios)


def in_c(rule: ByHand, level: str) -> Callable[[Any, Any], float]:
    """Compile the C that was written by hand."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "loss.c", Path(folder) / "loss.so"
        source.write_text(FRAME % rule.c, encoding="utf-8")
        command = ["cc", level, "-march=native", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        subprocess.run(command, check=True)
        function = ctypes.CDLL(str(library)).mean
    function.restype = ctypes.c_double
    return lambda y, p: float(function(y.ctypes, p.ctypes, ctypes.c_size_t(len(p))))


def _print_one_row(repeats: int) -> None:
    for name, rule in RULES.items():
        loss = cd.numeric.compile(cd.derive(rule.context))
        times = (
            median(lambda: [loss(y, p) for _ in range(ONE_ROW)], repeats) / ONE_ROW  # noqa: B023
            for y, p in (([1], [0.3]), (np.array([1]), np.array([0.3])))
        )
        alone = median(lambda: [loss.loss1(0.3) for _ in range(ONE_ROW)], repeats) / ONE_ROW  # noqa: B023
        logit = median(lambda: [loss([1], logit=[0.3]) for _ in range(ONE_ROW)], repeats) / ONE_ROW  # noqa: B023
        texts = (f"{1e6 * seconds:.1f}" for seconds in (*times, logit, alone))
        print(
            "a call with one row, {}: {} us from lists, {} from arrays, {} from a logit, loss1 of a number {}".format(
                name, *texts
            )
        )
