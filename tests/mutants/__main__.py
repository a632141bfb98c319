"""``python -m tests.mutants`` counts the mutants of every move in every family: made, refused, provably equivalent.

The tests try a sample of the generic mutants of the larger families; this tries them all, which takes minutes. Names of
families, if any are given, choose. Status 1 if a mutant survives that is not named as equivalent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Given
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Step, Verdict
from tests import mutants, test_mutants_batch, test_mutants_classes, test_mutants_pairs

ROW = "{:22} {:18} {:>7} {:>8} {:>11}  {}"


class Falsified(NamedTuple):
    """A step with its mutants: each is named, and may be known to be equivalent."""

    family: str
    step: Step
    given: Given
    tried: list[mutants.Mutant]
    equivalent: Callable[[mutants.Mutant], bool]


def contexts() -> Iterator[Falsified]:
    """Yield the steps from a context to a proper rule."""
    for family in mutants.CONTEXTS:
        case = mutants.case(family)
        for number, step in enumerate(case.steps):

            def known(mutant: mutants.Mutant, family: str = family, step: Step = step) -> bool:
                return mutants.equivalent(step.move, family, mutant.name) is not None

            yield Falsified(family, step, case.given, mutants.mutants(family, number, sampled=False), known)


def pairs() -> Iterator[Falsified]:
    """Yield the steps on pairs of losses and on thresholds."""
    for parameters in test_mutants_pairs.steps():
        step, given = parameters.values

        def known(mutant: mutants.Mutant, step: Step = step) -> bool:
            return test_mutants_pairs.equivalent(step, mutant)

        yield Falsified(
            str(parameters.id).rpartition(" ")[0], step, given, list(mutants.generic(step.after)), known
        )


def of_classes() -> Iterator[Falsified]:
    """Yield the steps of derivations of K classes."""
    for parameters in test_mutants_classes.steps():
        step, given = parameters.values

        def known(mutant: mutants.Mutant, step: Step = step) -> bool:
            return test_mutants_classes.equivalent(step, mutant)

        family = str(parameters.id).rpartition(" ")[0]
        yield Falsified(family, step, given, test_mutants_classes.mutants(step), known)


def of_batches() -> Iterator[Falsified]:
    """Yield the steps of derivations of rules of a batch."""
    for family in test_mutants_batch.DERIVATIONS:
        (case,) = test_mutants_batch.derivation(family).cases
        (step,) = case.steps

        def known(mutant: mutants.Mutant, step: Step = step) -> bool:
            return test_mutants_batch.equivalent(step, test_mutants_batch.of_result(step, mutant))

        yield Falsified(family, step, case.given, list(mutants.generic(step.after)), known)


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    """Decide a claim once: the mutants of a step share most of their claims."""
    return decide(claim, given).verdict


def survives(falsified: Falsified, mutant: mutants.Mutant) -> bool:
    """Return whether all claims of a falsified step are proved; one that fails to say its claims is refused."""
    step, given = falsified.step, falsified.given
    try:
        claims = step.move.claims(step.before, mutant.after, given)
        return all(verdict(claim, given) is Verdict.PROVED for claim in claims)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, CostDeriveError):
        return False


def main(families: list[str]) -> int:
    """Print a row for each step, and the survivors by name."""
    print(ROW.format("move", "family", "mutants", "refused", "equivalent", ""))
    totals, surviving = [0, 0, 0], 0
    for falsified in (
        x
        for rows in (contexts(), pairs(), of_classes(), of_batches())
        for x in rows
        if not families or x.family in families
    ):
        passed = [mutant for mutant in falsified.tried if survives(falsified, mutant)]
        bad = [mutant.name for mutant in passed if not falsified.equivalent(mutant)]
        counts = [len(falsified.tried), len(falsified.tried) - len(passed), len(passed) - len(bad)]
        totals, surviving = [x + y for x, y in zip(totals, counts, strict=True)], surviving + len(bad)
        survivors = "SURVIVE: " + "; ".join(bad) if bad else ""
        print(
            ROW.format(type(falsified.step.move).__name__, falsified.family, *counts, survivors).rstrip(),
            flush=True,
        )
    print(ROW.format("all", "", *totals, f"{surviving} survive"))
    for entry in mutants.EQUIVALENT:
        print(f"equivalent in {entry.move.__name__}: {entry.pattern}\n    {entry.reason}")
    tables = (test_mutants_classes.EQUIVALENT, test_mutants_batch.EQUIVALENT)
    for (move, pattern), reason in chain(*(table.items() for table in tables)):
        print(f"equivalent in {move.__name__}: {pattern}\n    {reason}")
    return 1 if surviving else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
