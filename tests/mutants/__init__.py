"""Falsified results of every move, which the claims of the move's step must not let pass.

A mutant is the ``after`` of one step with something wrong in it. It is put into the step and into the
``before`` of the next one, so that nothing but the claims of the step itself can notice. The generic mutants
go through every part of the object; the special ones are wrong in several places at once, in ways that belong
together. Those that are provably as right as the original are named in `EQUIVALENT`, with the reason.
"""

from __future__ import annotations

from itertools import chain

from tests.mutants.derivations import derivation_mutants
from tests.mutants.equivalent import EQUIVALENT, equivalent
from tests.mutants.falsehoods import FALSEHOODS, Falsehood
from tests.mutants.families import CONTEXTS, SAMPLED, case, derivation, falsified
from tests.mutants.generic import Mutant, generic
from tests.mutants.special import special

__all__ = [
    "CONTEXTS",
    "EQUIVALENT",
    "FALSEHOODS",
    "Falsehood",
    "Mutant",
    "case",
    "derivation",
    "derivation_mutants",
    "equivalent",
    "falsified",
    "generic",
    "mutants",
]


def mutants(family: str, number: int, *, sampled: bool = True) -> list[Mutant]:
    """Return the mutants of one step of a family: the special ones and the generic, or a regular sample of these."""
    after = case(family).steps[number].after
    common = list(generic(after))
    wanted = SAMPLED.get(family, len(common) + 1) if sampled else len(common) + 1
    stride = max(1, len(common) // wanted)
    return [
        mutant for mutant in chain(special(after), common[number % stride :: stride]) if mutant.after != after
    ]
