"""Coq accepts files on rules with roots, also where a root is 0 at a breakpoint; what it does not see is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.core.errors import ExportError
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "HeavyTail": lambda: cd.Independent("uniform(0,1)", "pareto(3/2)"),
    "HeavyTailFromZero": lambda: cd.Independent("lomax(3/2,1)", "uniform(0,1)"),
    "HeavyTailOfClass0": lambda: cd.Independent("pareto(5/2)", "uniform(2,3)"),
    "HeavyTails": lambda: cd.Independent("pareto(3/2)", "pareto(5/2)"),
    "RootBelowDiagonal": lambda: cd.Joint("5/2*c1^(1/2)", ("c0<=c1", "c1<=1")),
    "CubeRoots": lambda: cd.Independent("uniform(0,1)", "pareto(4/3)"),
    "UnboundedAtZero": lambda: cd.Independent("beta(1/2,1)", "uniform(0,1)"),
    "UnboundedAtOne": lambda: cd.Independent("beta(2,1/2)", "uniform(0,1)"),
    "RootOfBoth": lambda: cd.Joint("5/2*sqrt(c0+c1)", ("c0+c1<=1",)),
    "ZeroAtBreakpoint": lambda: cd.Joint("3*sqrt(1-c0)/2", ("c0<=1", "c1<=1")),
    "LogLogistic": lambda: cd.Independent("loglogistic(2,1)", "uniform(0,1)"),
    "Quadrant": lambda: cd.Joint("6/(1+c0+c1)^4", ()),
    "OnHarmonicLine": lambda: cd.Harmonic(density="beta(1/2,1)"),
    "OnGeometricLine": lambda: cd.Geometric(density="beta(1/2,1/2)"),
    "FractionUnderRoot": lambda: cd.Independent("1", "beta(2,1/2)"),
    "RootOfTwo": lambda: cd.FixedCosts("1", "sqrt(2)"),
    "ArcsineBesideKnown": lambda: cd.Independent("known(2)", "beta(1/2,1/2)"),
    "RootsBesideKnownLetter": lambda: cd.Independent("beta(3/2,1/2)", "known(k)"),
    "UnboundedAtBothEnds": lambda: cd.Independent("beta(1/2,1/2)", "beta(1/2,1)"),
    "BesidePoint": lambda: cd.Mixture(
        ("1/3", cd.FixedCosts(1, 2)), ("2/3", cd.Independent("uniform(0,1)", "pareto(3/2)"))
    ),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


# Densities with square roots of one cost, all of whose theorems Coq gets.
WHOLE = ("HeavyTail", "HeavyTailOfClass0", "HeavyTails", "UnboundedAtZero")


@pytest.mark.parametrize("name", WHOLE)
def test_the_file_of_a_density_with_square_roots_leaves_nothing_out(name: str) -> None:
    assert left_out(text(name)) == ()
    found = {"expected_cost0", "expected_cost1", "total_is_1", "law_is_proper_with_ends"}
    assert found <= {*theorems(text(name))}


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_rejects_no_written_file_of_rules_with_roots(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (lambda: cd.PowerMean("1/3"), "angles beside the root"),
        (lambda: cd.Independent("uniform(0,1)", "sqrt(2)"), "order of breakpoints"),
        (lambda: cd.Curve(c0="x", c1="1+a*x", density="exponential(1)"), "0 at a breakpoint"),
        (lambda: cd.Curve(c0="exp(x)", c1="1", density="uniform(0,1)"), "losses with logarithms meet at"),
        (lambda: cd.Independent("lognormal(0,1)", "loguniform(1,2)"), "beside values of the error function"),
    ],
)
def test_a_rule_that_coq_would_reject_is_refused(context: Callable[[], Context], reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        coq(cd.derive(context()), whole=False, library=False)


def test_expected_costs_are_left_out_by_name_where_coq_sees_no_antiderivative() -> None:
    (found,) = left_out(coq(cd.derive(cd.Independent("beta(1/2, 1/2)", "uniform(0, 1)")), library=False))
    assert "expected costs over areas, total over areas, reports 0 and 1 over areas" in found
