"""Two independent costs over all positive ones in Coq: what their proofs share (``library/Independent.v``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr

from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Area, ExpectedLoss
from costderive.costs.laws import x
from costderive.proof.claims import Case
from costderive.publish.coq.law_theorems import AREAS, THEOREMS, expected, proper, strictly_if_spread
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting
from costderive.publish.coq.tactics import lemma


def areas_alone(case: Case) -> tuple[Area, ...]:
    """Return the areas over which the costs of a case are spread, if there are no others."""
    found = next((step.after for step in case.steps if isinstance(step.after, ExpectedLoss)), None)
    return () if found is None or found.lines or found.arcs or found.points else found.areas


def factors(areas: Iterable[Area]) -> tuple[Expr, Expr] | None:
    """Return the density's factor in each cost as functions of x, if both costs are positive and nothing more."""
    areas = tuple(areas)
    if len(areas) != 1 or set(areas[0].constraints) != {c0, c1}:
        return None
    joined = sympy.powsimp(areas[0].density).replace(sympy.exp, lambda power: sympy.exp(sympy.expand(power)))
    parts = sympy.Mul.make_args(sympy.expand(joined, power_exp=True, mul=False))
    if any(part.has(c0) and part.has(c1) for part in parts):
        return None
    first = sympy.Mul(*[part for part in parts if not part.has(c1)])
    second = sympy.Mul(*[part for part in parts if part.has(c1)])
    return first.subs(c0, x), second.subs(c1, x)


def applied(theorem: str) -> str:
    """Return a theorem of the library on the laws of both costs."""
    return f"{theorem} _ _ _ _ _ _ _ _ _ _ law0 law1"


def lawful() -> str:
    """Return the theorem that the density is not negative."""
    proof = f"exact ({applied('independent_is_lawful')})."
    return lemma("lawful_costs", "lawful_areas areas", proof, kind="Theorem")


def law(setting: Setting, imports: tuple[str, ...], laws: Iterable[str], costs: Iterable[str]) -> Section:
    """Return the section on a law, from the lemmas on each cost and those on what the classes pay."""
    strict = dict(strictly_if_spread(setting))
    lemmas = [
        *laws,
        lawful(),
        *costs,
        *expected(AREAS, setting),
        proper(AREAS),
        spread_thresholds(),
        *strict.values(),
    ]
    return Section(setting.name, "law", imports, "\n".join(lemmas), (*THEOREMS, *strict))


def spread_thresholds() -> str:
    """Return the lemma that every threshold has costs around which the density is positive."""
    proof = "exact (always_spread density0 density1 dense0 dense1)."
    return lemma("spread_thresholds", "spread_between 0 1 areas", proof)


def total(setting: Setting, imports: tuple[str, ...]) -> Section:
    """Return the section that the total of the density is 1."""
    proof = f"exact ({applied('independent_total')})."
    theorem = lemma("total_is_1", "has_total_of_areas areas 1", proof, kind="Theorem")
    return Section(setting.name, "total", imports, theorem, ("total_is_1",))


def limits_of_law(label: int, steady: str, far: str) -> Iterator[str]:
    """Yield the proofs that the tail and the mean of what is below have limits at both ends, after that at 0."""
    mean = f"mean_below{label}"
    yield f"- {far}."
    yield f"- apply (near_by_continuity {mean}). {steady}."
    yield f"- {far}."
