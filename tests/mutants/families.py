"""The context families whose derivations are falsified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import costderive as cd
from costderive.costs.contexts import Context, FixedCosts, Independent, Mixture
from costderive.costs.laws import exponential, halfnormal, lognormal, uniform
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from tests.reference import derived

CONTEXTS: dict[str, Callable[[], Context]] = {
    "smooth": lambda: cd.Geometric("m"),
    "unbounded": lambda: cd.Harmonic("d"),
    "piecewise": lambda: cd.PowerMean("oo"),
    "integral": lambda: cd.PowerMean(3),
    "rectangle": lambda: cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "corner": lambda: cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "symbolic": lambda: cd.IndependentUniform(c0=("a", "b"), c1=("d", "e")),
    "orders": lambda: cd.IndependentUniform(c0=(1, "b"), c1=(1, 2)),
    "atom": lambda: Mixture(("1/2", cd.Additive()), ("1/2", FixedCosts(1, 3))),
    "arc": lambda: Independent(c0=uniform(1, 2), c1=1),
    "exponential": lambda: Independent(c0=exponential("m"), c1=exponential("n")),
    "tails": lambda: Independent(c0=halfnormal(1), c1=exponential(1)),
    "bells": lambda: Independent(c0=lognormal("m", 1), c1=lognormal(1, 2)),
    "triangle": lambda: cd.Joint(2, "c0 + c1 <= 1"),
    "curve": lambda: cd.Curve("x", "1 - x", "beta(2, 3)"),
    "known": lambda: FixedCosts("a", 1),
    "share": lambda: cd.Additive(density="beta(2, 3)"),
    "improper": lambda: cd.Geometric("m", density="improper(1/(s*(1 - s)))"),
    "one cost": lambda: cd.Harmonic(c0="uniform(3/4, 3)"),
}
SAMPLED = {
    "symbolic": 12,
    "orders": 12,
    "rectangle": 40,
    "piecewise": 60,
    "tails": 20,
    "bells": 20,
    "one cost": 15,
}  # generic mutants per step; elsewhere all of them


def derivation(family: str) -> Derivation:
    """Derive a family's context, once."""
    return derived(CONTEXTS[family]())


def case(family: str) -> Case:
    """Return the first case of a family."""
    return derivation(family).cases[0]


def falsified(original: Case, number: int, after: Any) -> Case:
    """Return the case with another result of one step, from which the next step then starts."""
    steps = list(original.steps)
    steps[number] = replace(steps[number], after=after)
    if number + 1 < len(steps):
        steps[number + 1] = replace(steps[number + 1], before=after)
    return replace(original, steps=tuple(steps))
