"""How long losses take to compile, and how exact they are then: a table for people to read, not a test.

Run as ``python -m tests.benchmarks compiling``. Times are CPU seconds of the first compilation, which nothing was kept
for; derivations come before. ``stated`` is the largest error that the plan says, in units in the last place.
"""

from __future__ import annotations

import os
from unittest import mock

import costderive as cd
from costderive.core.time_limit import cpu_seconds
from costderive.costs.contexts import Context
from tests.benchmarks.numeric import machine

PAIRS = (
    ("exponential(1)", "uniform(0,1)"),
    ("gamma(5/2,1)", "beta(2,3)"),
    ("weibull(3/2,1)", "uniform(1,2)"),
    ("weibull(3/2,1)", "exponential(1)"),
    ("lognormal(0,1)", "exponential(1)"),
    ("lognormal(0,1)", "uniform(1,2)"),
    ("weibull(3/2,1)", "lognormal(0,1)"),
    ("triangular(0,1,2)", "lognormal(0,1)"),
    ("logitnormal(0,1)", "uniform(1,2)"),
)
COPULAS = (("clayton", "1/2", "weibull(2,1)", "uniform(1,2)"),)
WIDTH = 48


def contexts() -> dict[str, Context]:
    """Return contexts whose losses have no fast formulas, or none at all."""
    pairs = {f"{c0} and {c1}": cd.Independent(c0, c1) for c0, c1 in PAIRS}
    tied = {
        f"{family}({theta}): {c0} and {c1}": cd.Copula(family, theta, c0=c0, c1=c1)
        for family, theta, c0, c1 in COPULAS
    }
    return pairs | tied


def print_table() -> None:
    """Print a line for each context."""
    print(f"\nCPU seconds of compiling on {machine()}")
    print(f"{'costs':<{WIDTH}}{'seconds':>8}{'stated':>10}")
    for name, context in contexts().items():
        rule = cd.derive(context).rule
        with mock.patch.dict(os.environ, {"COSTDERIVE_CACHE": "off"}):
            start = cpu_seconds()
            loss = cd.numeric.compile(rule)
            seconds = cpu_seconds() - start
        stated = max(max(part.ulps or 0, part.bound or 0) for part in loss.plan)
        print(f"{name:<{WIDTH}}{seconds:>8.1f}{stated:>10.3g}", flush=True)
