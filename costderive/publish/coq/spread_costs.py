"""Independent costs over an area in Coq: between two thresholds each has costs around which the density is positive."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.expected_loss import Area
from costderive.costs.laws import x
from costderive.publish.coq import moments
from costderive.publish.coq.factors import divisors
from costderive.publish.coq.facts import records, sure
from costderive.publish.coq.power_section import factors_of
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

IMPORTS = ("Moments", "Families")


def spread_thresholds(areas: tuple[Area, ...], given: Given, low: Expr, high: Expr) -> Iterator[str]:
    """Yield the lemmas that thresholds between two ones are those of costs around which the density is positive.

    Raises:
        ExportError: if there are several areas, costs depend on each other, or a density is not seen to be positive.
    """
    found = factors_of(areas[0], given) if len(areas) == 1 else None
    if found is None:
        raise ExportError(
            "the costs depend on each other", "Coq sees where densities of independent costs are."
        )
    for label, (density, _) in enumerate(found):
        yield f"Definition density{label} (x : R) : R := {term(density)}."
        yield _dense(label, density, given)
    first, second = (on for _, on in found)
    yield lemma(
        "product",
        f"product_of area1 {first.text()} density0 {second.text()} density1",
        "intros c0 c1 Positive0 Positive1. split; [| cbn [region area1 hold within_places]; same_sides].",
        "cbn [density area1]; unfold density0, density1; equal_exponentials.",
    )
    ends = f"{atomic(low)} {atomic(high)}"
    yield lemma(
        "spread_thresholds",
        f"spread_between {ends} areas",
        f"apply (two_are_spread _ _ _ _ _ _ _ {ends} product dense0 dense1);",
        f"  [{_ordered(first)} | {_ordered(second)} | see | see | intros t T U; ray_meets {ends}].",
    )


def _ordered(on: moments.Interval) -> str:
    return "exact I" if not on.costs else "cbn [interval]; repeat split; see"


def _dense(label: int, density: Expr, given: Given) -> str:
    """A density is positive and continuous."""
    within = given.also(positive=(x,))
    parts = [part for part in divisors((density,), None, within) if part.has(x)]
    return lemma(
        f"dense{label} x",
        f"0 < x -> 0 < density{label} x /\\ continuous density{label} x",
        "intro Positive.",
        *records(parts, None, within),
        f"split; unfold density{label}; [apply (positive_as ({sure(density, None, within).text})); [algebra | see]",
        "  | unfold Rpower; smooth].",
    )
