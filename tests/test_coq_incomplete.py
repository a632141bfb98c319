"""Coq accepts losses with incomplete Beta and Gamma functions, by the integrals that define them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import combined, coq, left_out, library, sections
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask, compiled
from costderive.publish.coq.terms import term
from tests.coq_terms import function, value

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
a, b = sympy.symbols("a b", positive=True)

LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "expected_loss_of_scores",
    "strictly_proper",
}
ENDS = {"proper", "strictly_proper", "strictly_proper_with_ends", "expected_loss_of_scores"}
RULE = {"proper", "strictly_proper"}
CONTEXTS: Mapping[str, tuple[Callable[[], Context], set[str]]] = {
    "Budget": (lambda: cd.Additive("m", "beta(a, b)"), LAW | ENDS),
    "Fractions": (lambda: cd.Additive(3, "beta(7/3, 4/3)"), LAW | ENDS),
    "BelowOne": (lambda: cd.Additive(1, "beta(1/2, 1/3)"), LAW | ENDS),
    "Half": (lambda: cd.Additive("m", "beta(a, 2/5)"), LAW | ENDS),
    "Harmonic": (lambda: cd.Harmonic("m", "beta(a, b)"), LAW),
    "HarmonicFractions": (lambda: cd.Harmonic(1, "beta(5/2, 7/3)"), LAW),
    "Geometric": (lambda: cd.Geometric("m", "beta(a, b)"), LAW),
    "Sixths": (lambda: cd.Geometric(1, "beta(4/3, 7/3)"), LAW),
    "Mixture": (
        lambda: cd.Mixture(("w", cd.Additive(2, "beta(a, b)")), ("1 - w", cd.FixedCosts(1, 2))),
        {*LAW, "tie1"} - {"expected_loss_of_scores"},
    ),
    "Gammas": (lambda: cd.Independent("gamma(a, v)", "gamma(b, v)"), ENDS),
    "GammasOfTwoScales": (lambda: cd.Independent("gamma(a, 1)", "gamma(b, 3)"), ENDS),
    "GammasOfFractions": (lambda: cd.Independent("gamma(7/2, 1)", "gamma(4/3, 1)"), ENDS),
    "GammaBesideKnown": (lambda: cd.Independent("gamma(a, v)", "known(2)"), RULE),
    "KnownBesideGamma": (lambda: cd.Independent("known(1)", "gamma(7/3, 2)"), RULE),
    "GammaBesideUniform": (lambda: cd.Independent("gamma(a, 1)", "uniform(0, 1)"), RULE),
    "Weibull": (lambda: cd.Independent("weibull(3, 1)", "known(1)"), RULE),
    "BetaBesideKnown": (lambda: cd.Independent("beta(a, b)", "known(2)"), RULE),
}
