"""Coq accepts the steps of derivations, not only their rules: weights, expected losses, ends, atoms, refutations."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
import sympy
from sympy import Rational
from sympy.stats import Beta, Exponential, LogNormal, Triangular, Uniform

import costderive as cd
from costderive.derivation import Derivation
from costderive.errors import ExportError
from costderive.export.coq_proofs import refutation, weights
from costderive.export.coq_proofs.document import combined, sections
from costderive.export.coq_proofs.enclosures import Irrational, enclosed
from costderive.export.coq_proofs.program import CLASSICAL_REALS, ask

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
m, n = sympy.symbols("m n", positive=True)

PROPER: Mapping[str, Callable[[], Derivation]] = {
    "Rectangle": lambda: cd.derive(cd.IndependentUniform(c0=(1, 2), c1=(1, 3))),
    "Symbols": lambda: cd.derive(cd.IndependentUniform(c0=("a", "b"), c1=("d", "e"))),
    "Rates": lambda: cd.derive(cd.Independent(c0=Exponential("X", 1 / m), c1=Exponential("Y", 1 / n))),
    "Triangle": lambda: cd.derive(cd.Independent(c0=Triangular("X", 0, 2, 1), c1=Uniform("Y", 0, 1))),
    "Geometric": lambda: cd.derive(cd.Geometric()),
    "Harmonic": lambda: cd.derive(cd.Harmonic()),
    "Atom": lambda: cd.derive(cd.Mixture(("1/2", cd.Additive()), ("1/2", cd.FixedCosts(1, 2)))),
}
IMPROPER: Mapping[str, Callable[[], Derivation]] = {
    "Absolute": lambda: cd.examine("p", "1 - p"),
    "Fixed": lambda: cd.derive(
        cd.IndependentUniform(c0=(1, 2), c1=(1, 3)), threshold=cd.FixedThreshold("1/2")
    ),
    "Random": lambda: cd.derive(
        cd.IndependentUniform(c0=(0, "b"), c1=(0, 1)), threshold=cd.RandomThreshold(density=1)
    ),
    "Tie": lambda: cd.examine("0 if p <= 1/2; 1", "1 if p < 1/2; 0"),
    "Logarithms": lambda: cd.examine("-m*log(1-p)", "-2*m*log(p)"),
    "Exponentials": lambda: cd.examine("exp(p) - 1", "exp(1-p) - 1"),
    "Roots": lambda: cd.examine("sqrt(p/(1-p))", "2*sqrt((1-p)/p)"),
}


@cache
def derivation(name: str) -> Derivation:
    return (PROPER | IMPROPER)[name]()


def theorems(name: str) -> set[str]:
    return {x for section in sections(derivation(name), whole=True) for x in section.theorems}


@with_coq
def test_coq_accepts_derivations_on_the_axioms_of_the_reals_alone() -> None:
    answer = ask(combined({name: derivation(name) for name in (*PROPER, *IMPROPER)}, whole=True))
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


def test_each_derivation_has_the_theorems_of_its_steps() -> None:
    assert theorems("Rectangle") >= {
        "proper",
        "proper_with_ends",
        "expected_loss_of_scores",
        *[f"weight{k}_is_inner_integral" for k in range(1, 6)],
    }
    assert theorems("Geometric") >= {"strictly_proper_with_ends", "expected_loss_of_scores"}
    assert theorems("Harmonic") == {"proper", "strictly_proper", "expected_loss_of_scores", "loss0_starts", "loss1_ends"}
    assert theorems("Atom") >= {"strictly_proper", "tie1", "strictly_proper_with_ends"}
    assert all({"better_report", "not_proper"} == theorems(name) for name in IMPROPER if name != "Roots")
