"""The same costs at their own threshold, in Coq: what a rule of another threshold follows from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from sympy import Expr

from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import DistortThreshold, SetThreshold
from costderive.proof.claims import Case, Step
from costderive.rules import Properness


def at_another_threshold(derivation: Derivation) -> bool:
    """Return whether decisions at another threshold than that of the costs have losses of their own."""
    decided = (step for case in derivation.cases for step in case.steps if decides(step))
    return any((x.before.loss0, x.before.loss1) != (x.after.loss0, x.after.loss1) for x in decided)


def calibrated(derivation: Derivation) -> Derivation:
    """Return the derivation of the same costs at their own threshold, up to the losses there, which are proper."""
    return replace(derivation, cases=tuple(before(decides, case) for case in derivation.cases))


def before(ends: Callable[[Step], bool], case: Case, strict: tuple[tuple[Expr, Expr], ...] = ()) -> Case:
    """Return a case up to the losses of which a step makes others, which are proper, ``strict`` in these intervals."""
    steps = tuple(takewhile(lambda step: not ends(step), case.steps))
    last = case.steps[len(steps)]
    return Case(case.given, (*steps, Step(last.move, last.before, Properness(last.before, strict))))


def decides(step: Step) -> bool:
    """Return whether a step decides at another threshold."""
    return isinstance(step.move, SetThreshold | DistortThreshold)
