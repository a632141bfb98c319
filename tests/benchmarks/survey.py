"""What becomes of fifty cost contexts: closed form or not, how far from direct integration, proved or not, how long.

Run as ``python -m tests.benchmarks.survey [name ...]``. Each context gets a fresh process; times are CPU seconds
after the import. The error is the largest relative one of both losses at twenty points; a
loss in closed form is evaluated to 25 digits, one that stays an integral is compiled.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass

import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.rules import ScoringRule
from tests.benchmarks.__main__ import cpu_seconds, fresh
from tests.survey import SURVEY, Entry, Function, Truth

POINTS = tuple((2 * i + 1) / 41 for i in range(20))
DIGITS = 25
WIDTH = 34


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out for one context."""

    closed: bool
    error: float
    verdict: str
    derive: float
    check: float


def outcome(entry: Entry) -> Outcome:
    """Derive, check and compare once."""
    start = cpu_seconds()
    derivation = cd.derive(entry.build())
    middle = cpu_seconds()
    verdict = cd.check(derivation).verdict.name
    end = cpu_seconds()
    rule = derivation.rule.at(**entry.numbers)
    return Outcome(rule.closed_form, error(rule, entry.truth), verdict, middle - start, end - middle)


def error(rule: ScoringRule, truth: Truth, points: tuple[float, ...] = POINTS) -> float:
    """Return the largest relative error of both losses; where a loss is 0, ours has to be."""
    with mp.workdps(DIGITS):
        pairs = [
            (ours(p), theirs(mpf(p)))
            for ours, theirs in zip(_functions(rule), (truth.loss0, truth.loss1), strict=True)
            for p in points
        ]
        return float(max(abs(ours - theirs) / abs(theirs) if theirs else abs(ours) for ours, theirs in pairs))


def _functions(rule: ScoringRule) -> tuple[Function, Function]:
    """Return both losses as functions with values of many digits, or, if they are integrals, compiled."""
    if rule.closed_form:
        return _exact(rule.loss0), _exact(rule.loss1)
    loss = cd.numeric.compile(rule)
    return (lambda p: mpf(float(loss.loss0(p)))), (lambda p: mpf(float(loss.loss1(p))))


def _exact(loss: sympy.Expr) -> Function:
    return lambda p: mpf(sympy.N(loss.subs(cd.symbols.p, sympy.Rational(p)), DIGITS))


def main() -> None:
    """Print the table, with the median and the largest time."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.survey", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of contexts; without any, all of them")
    options = parser.parse_args()
    print(
        f"{'context':<{WIDTH}}{'parameters':>11}{'closed':>8}{'error':>10}{'derive s':>10}{'check s':>9}  verdict"
    )
    times = []
    for entry in SURVEY:
        if options.names and not any(part in entry.name for part in options.names):
            continue
        found = fresh(outcome, entry)
        if found is None:
            print(f"{entry.name:<{WIDTH}} failed: see the traceback above", flush=True)
            continue
        times.append(found.derive + found.check)
        closed = "yes" if found.closed else "no"
        print(
            f"{entry.name:<{WIDTH}}{len(entry.values):>11}{closed:>8}{found.error:>10.0e}"
            f"{found.derive:>10.2f}{found.check:>9.2f}  {found.verdict}",
            flush=True,
        )
    if times:
        print(
            f"\nmedian {statistics.median(times):.2f} s, largest {max(times):.2f} s, of {len(times)} contexts"
        )


if __name__ == "__main__":
    main()
