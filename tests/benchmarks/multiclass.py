"""How fast scores of K classes are beside scikit-learn's: a table for people to read, not a test.

Run as ``python -m tests.benchmarks multiclass``. Every time is the processor time of one call on the same data, the
median over repeats, in microseconds a row. The ratios divide ours by scikit-learn's ``log_loss`` in the same run, but
for the Brier score, which is divided by ``brier_score_loss``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import brier_score_loss, log_loss

from costderive.multiclass import DirichletCosts, IndependentCosts, brier, compile, log_score
from tests.benchmarks.numeric import machine, median

CLASSES = 3, 10, 100, 1000
NUMBERS = 1_000_000  # probabilities of one table row
WIDTH = 22


def rules(classes: int) -> dict[str, Any]:
    """Return compiled rules of so many classes."""
    uniform = IndependentCosts(("uniform(0, 1)",) * classes)
    mixed = ("uniform(1, 2)", "exponential(1)", "gamma(3, 2)") * classes
    return {
        "log loss": compile(log_score().rule),
        "Brier": compile(brier().rule),
        "inverse (uniform)": compile(uniform),
        "additive (Dirichlet)": compile(DirichletCosts((1,) * classes)),
        "triangular": compile(IndependentCosts(("triangular(0, 1, 2)",) * classes)),
        "mixed": compile(IndependentCosts(mixed[:classes])),
    }


def print_table(repeats: int) -> None:
    """Print a line for each rule and number of classes, with its ratio to scikit-learn's function."""
    print(f"\nprocessor time in microseconds a row, {NUMBERS:,} probabilities, on {machine()}")
    print(f"{'rule':<{WIDTH}}{'K':>6}{'ours':>10}{'theirs':>10}{'ratio':>10}")
    for classes in CLASSES:
        generator, rows = np.random.default_rng(7), NUMBERS // classes
        p = generator.dirichlet(np.ones(classes), rows)
        y = generator.integers(0, classes, rows)
        theirs = {task: _time(lambda: task(y, p, labels=range(classes)), repeats, rows) for task in SKLEARN}  # noqa: B023
        for name, loss in rules(classes).items():
            seconds = _time(lambda: loss(y, p), repeats, rows)  # noqa: B023  (run at once)
            other = theirs[brier_score_loss if name == "Brier" else log_loss]
            print(
                f"{name:<{WIDTH}}{classes:>6}{seconds:>10.3f}{other:>10.3f}{seconds / other:>10.2f}",
                flush=True,
            )


SKLEARN = log_loss, brier_score_loss


def _time(task: Callable[[], Any], repeats: int, rows: int) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return median(task, repeats) / rows * 1e6
