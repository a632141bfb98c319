"""Whole derivations that lack something, each made of true steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy import Rational

import costderive as cd
from costderive.core.symbols import parameter
from costderive.derivation.derivation import Derivation
from tests.mutants.families import derivation


def derivation_mutants() -> Iterator[tuple[str, Derivation]]:
    """Derivations that lack something, each made of true steps: only claims about the whole can notice."""
    whole = derivation("orders")
    first, second = whole.cases
    yield "without its second case", replace(whole, cases=(first,))
    yield "without its first case", replace(whole, cases=(second,))
    yield "without cases", replace(whole, cases=())
    yield "of another context", replace(whole, context=cd.Additive())
    yield (
        "of the context with other bounds",
        replace(whole, context=cd.IndependentUniform(c0=(1, "b"), c1=(1, 3))),
    )
    for count in range(len(first.steps)):
        cut = tuple(replace(case, steps=case.steps[:count]) for case in whole.cases)
        yield f"of the first {count} steps only", replace(whole, cases=cut)
    late = tuple(replace(case, steps=case.steps[1:]) for case in whole.cases)
    yield "without its first step", replace(whole, cases=late)
    for number in (1, 3, 5):
        gap = tuple(
            replace(case, steps=case.steps[:number] + case.steps[number + 1 :]) for case in whole.cases
        )
        yield f"without step {number}", replace(whole, cases=gap)
    bound = parameter("b")
    for name, fact in (("b > 7/4", bound - Rational(7, 4)), ("b > 10", bound - 10)):
        case = replace(first, given=first.given.also(positive=(fact,)))
        yield f"under the further fact {name}", replace(whole, cases=(case, second))
    exchanged = (replace(first, given=second.given), replace(second, given=first.given))
    yield "with the facts of its cases exchanged", replace(whole, cases=exchanged)
