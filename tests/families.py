"""Derivations of every family, each derived and checked once; ``python -m tests.families`` writes the golden files."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sympy import Rational

import costderive as cd
from costderive import batch, multiclass
from costderive.costs.contexts import Context, FixedCosts, Independent, Mixture
from costderive.costs.laws import exponential, triangular, uniform
from costderive.derivation.certificates.document import Certified
from costderive.proof.checker import check
from costderive.proof.claims import Report
from costderive.publish.formats.article import latex

FOLDER = Path(__file__).parent / "golden"

CONTEXTS: dict[str, Callable[[], Context]] = {
    "additive": cd.Additive,
    "harmonic": lambda: cd.Harmonic("d"),
    "geometric": lambda: cd.Geometric("m"),
    "euclidean": lambda: cd.PowerMean(2),
    "k = -2": lambda: cd.PowerMean(-2),
    "k = 1/2": lambda: cd.PowerMean("1/2"),
    "k = -1/2": lambda: cd.PowerMean("-1/2"),
    "maximum": lambda: cd.PowerMean("oo"),
    "minimum": lambda: cd.PowerMean("-oo"),
    "cubic": lambda: cd.PowerMean(3),
    "any k": lambda: cd.PowerMean("k"),
    "unit square": lambda: cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "rectangle": lambda: cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "strip": lambda: cd.IndependentUniform(c0=("a", "b"), c1=(0, 1)),
    "symbolic": lambda: cd.IndependentUniform(c0=("a", "b"), c1=("d", "e")),
    "exponential": lambda: Independent(c0=exponential("m"), c1=exponential("n")),
    "triangular": lambda: Independent(c0=triangular(0, 1, 2), c1=uniform(0, 1)),
    "triangle": lambda: cd.Joint("2/B^2", "c0 + c1 <= B"),
    "curve": lambda: cd.Curve(c0="x^2", c1=1, density="uniform(0, 2)"),
    "arc": lambda: Independent(c0=uniform(1, 2), c1=1),
    "atom": lambda: FixedCosts(1, 3),
    "known": lambda: FixedCosts("a", "b"),
    "mixture": lambda: Mixture((Rational(1, 2), cd.Additive()), (Rational(1, 2), FixedCosts(1, 3))),
    "symbolic mixture": lambda: Mixture(("w", cd.Additive()), ("1 - w", FixedCosts("a", "b"))),
}

OTHERS: dict[str, Callable[[], Certified]] = {
    "fixed threshold": lambda: cd.derive(
        cd.IndependentUniform(c0=(0, 1), c1=(0, 3)), threshold=cd.FixedThreshold("1/2")
    ),
    "distorted threshold": lambda: cd.derive(
        cd.Additive(), threshold=cd.DistortedThreshold("2*c0/(2*c0 + c1)")
    ),
    "random threshold": lambda: cd.derive(cd.Additive(), threshold=cd.RandomThreshold("6*t*(1-t)")),
    "proper pair": lambda: cd.examine("p^2 if p <= 1/2; p^2 + 1", "(1-p)^2 + 1 if p <= 1/2; (1-p)^2"),
    "three shares": lambda: multiclass.not_affine(
        multiclass.derive(multiclass.DirichletCosts((1, 2, 1), "B")), multiclass.brier()
    ),
    "three classes": lambda: multiclass.derive(multiclass.IndependentCosts(("uniform(0, 1)",) * 3)),
    "classes with masses": lambda: multiclass.derive(
        multiclass.IndependentCosts(({1: "1/3", 4: "2/3"}, "uniform(0, 2)", "exponential(m)"))
    ),
    "matrix": lambda: multiclass.derive(multiclass.ordinal(4)),
    "matrix with reject": lambda: multiclass.derive(
        multiclass.CostMatrix([["0", "a"], ["b", 0]], reject="uniform(0, 1/2)", factor="exponential(m)")
    ),
    "matrix with a part": lambda: multiclass.derive(
        multiclass.CostMatrix([[0, 1, 2], ["m", 0, 1], [3, 1, 0]], parts={"m": "uniform(1, 5)"})
    ),
    "norm of classes": multiclass.pseudospherical,
    "improper classes": lambda: multiclass.from_entropy("p0^2 + p1^2", classes=2),
    "sum over a batch": lambda: batch.additive(cd.derive(cd.Geometric("m")), ("b", 2)),
    "norm of a batch": batch.homogeneous,
    "ranks of a batch": batch.rank_based,
    "decisions of a batch": lambda: batch.lowest([["2*w0", "2 - 2*w0"], ["w1", "w0", "1 - w1"]], 2),
    "entropy of a batch": lambda: batch.from_entropy("-w0^2 - w1^2 - w0*w1", 2),
    "improper batch": lambda: batch.from_entropy("w0*w1", 2),
    "area of a batch": batch.auc_alone,
    "area of independent labels": lambda: batch.auc_among("independent"),
    "improper pair": lambda: cd.examine("-p^2*log(1-p)", "-(1-p)^2*log(p)"),
}

GOLDEN = (
    "additive",
    "geometric",
    "maximum",
    "symbolic",
    "exponential",
    "triangle",
    "curve",
    "known",
    "symbolic mixture",
    "cubic",
    *OTHERS,
)


@cache
def checked(family: str) -> tuple[Certified, Report]:
    """Return the derivation of a family and the report on it."""
    derivation = OTHERS[family]() if family in OTHERS else cd.derive(CONTEXTS[family]())
    return derivation, check(derivation)


@cache
def article(family: str) -> str:
    """Return the article on a family, with all its proofs."""
    return latex(*checked(family), self_contained=True)


def golden(family: str) -> Path:
    """Return the file that holds the article on a family as it was read by a person."""
    return FOLDER / f"{family.replace(' ', '-')}.tex"


def main(families: list[str]) -> None:
    """Write golden files, those named or all, and say which lines change."""
    FOLDER.mkdir(exist_ok=True)
    for family in families or GOLDEN:
        file, new = golden(family), article(family)
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        changed = sum(
            line[:1] in "+-" for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0)
        )
        print(f"{file.name}: {changed and changed - 2} lines differ")
        file.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
