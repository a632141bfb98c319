"""Why the laws of a context are laws, in words: by which antiderivatives their totals are 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy
from sympy import Expr

from costderive.core.symbols import c0, c1, s
from costderive.costs.contexts import CommonFactor, Mixture, PowerMean
from costderive.costs.expected_loss import Antiderivative, MarginIntegral, PlaneIntegral, ProductIntegral
from costderive.costs.laws import Expectation, Law, x
from costderive.proof.claims import Step
from costderive.publish.formulas.exponentials import collected
from costderive.publish.formulas.printing import width
from costderive.publish.words.document_blocks import Prose, prose
from costderive.publish.words.scene import Description, say, series, show

LEAD = "The laws."
WIDE = 14.0  # of an antiderivative that a line of text might break, in digits


def totals(step: Step) -> Description:
    """Say by which antiderivatives the total of each law is 1, unless that is well known."""
    found = tuple(zip(step.before.expectations(), step.after.totals, strict=True))
    ones = [
        (wanted.law, one)
        for wanted, rises in found
        if isinstance(wanted, Expectation) and wanted.is_total
        for one in rises
    ]
    yield from _of_laws(step.before, [pair for pair in ones if not _is_well_known(pair[0])])
    whose = "In its part, the joint" if isinstance(step.before, Mixture) else "The joint"
    yield from _of_planes([x for _, x in found if isinstance(x, PlaneIntegral | MarginIntegral)], whose)
    yield from _of_products([x for _, x in found if isinstance(x, ProductIntegral)], whose)
    outer = [one for _, x in found if isinstance(x, PlaneIntegral) for one in x.outer]
    if any(one.function is None for one in (*outer, *[one for _, one in ones])):
        yield say("No antiderivative of a density was found: that its total is 1 is not proved.", lead=LEAD)


def _of_laws(context: Any, ones: list[tuple[Law, Antiderivative]]) -> Description:
    letters = dict(_letters(context))
    rises = [_rise(one, letters.get(law, x)) for law, one in ones if one.function is not None]
    if len(rises) == 1:
        ((law, one),) = ones
        whose = prose("The density of {}", letters[law]) if law in letters else prose("The density")
        yield from _of_one(prose("{} is not negative, and {}", whose, _total(law)), one, letters.get(law, x))
    elif rises:
        yield say(
            "No density is negative, and the total of each law is 1: antiderivatives are {}{}.",
            _clauses(dict.fromkeys(rises)),
            _added_up(ones),
            lead=LEAD,
        )


def _total(law: Law) -> str:
    """Say of a law with one density what is 1."""
    if not law.masses:
        return "its total is 1"
    values = "probability of the value" if len(law.masses) == 1 else "probabilities of the values"
    return f"its total and the {values} add up to 1"


def _clauses(rises: Iterable[Prose]) -> Prose:
    """Join sentences that have commas of their own."""
    *first, last = rises
    return prose("{}, and {}", series(first), last) if first else last


def _of_one(said: Prose, one: Antiderivative, letter: Expr) -> Description:
    """Say by which antiderivative the total of a density is what it is said to be; a wide one is displayed."""
    text = "{}: an antiderivative is"
    assert one.function is not None
    if width(collected(one.function, x)) < WIDE:
        yield say(f"{text} {{}}.", said, _rise(one, letter), lead=LEAD)
        return
    yield say(text, said, lead=LEAD)
    yield show("{}", _written(one.function, letter))
    yield say("which rises from {} to {}.", *_ends(one))


def _added_up(ones: list[tuple[Law, Antiderivative]]) -> str:
    """Say of laws with several densities, or with values that have a probability, what adds up to 1."""
    if any(law.masses for law, _ in ones):
        return "; the rises of a law and the probabilities of its values add up to 1"
    return "; the rises of a law add up to 1" if any(len(law.spreads) > 1 for law, _ in ones) else ""


def _is_well_known(law: Law) -> bool:
    """Is a law one with a name, or uniform?"""
    uniform = len(law.spreads) == 1 and not law.masses and not law.spreads[0].density.has(x)
    return uniform or law.name is not None


def _letters(context: Any) -> Iterator[tuple[Law, Expr]]:
    """Return which letter stands for the quantity of each law of a context."""
    if isinstance(context, Mixture):
        for _, part in context.parts:
            yield from _letters(part)
    if isinstance(context, CommonFactor):
        yield from _letters(context.context)
    names = {"c0": c0, "c1": c1, "density": s if isinstance(context, PowerMean) else x}
    for name, letter in names.items():
        law = getattr(context, name, None)
        if isinstance(law, Law):
            yield law, letter


def _of_planes(found: list[PlaneIntegral | MarginIntegral], whose: str) -> Description:
    if any(
        isinstance(one, PlaneIntegral) and all(inner.function is not None for inner in one.outer)
        for one in found
    ):
        yield say(
            f"{whose} density is not negative, and its total is 1: integrate over $c_1$ and then over "
            "$s = c_0/(c_0 + c_1)$.",
            lead=LEAD,
        )
    for held, other in dict.fromkeys(_costs(one) for one in found if isinstance(one, MarginIntegral)):
        yield say(
            f"{whose} density is not negative, and its total is 1: integrated over {{}} it leaves the density of {{}}.",
            other,
            held,
            lead=LEAD,
        )


def _costs(found: MarginIntegral) -> tuple[Expr, Expr]:
    one = found.margins[0]
    return one.held.variable, one.other.variable


def _of_products(found: list[ProductIntegral], whose: str) -> Description:
    pairs = [pair for product in found for pair in product.rectangles]
    rises = [
        _rise(one.antiderivative, cost) for pair in pairs for one, cost in zip(pair, (c0, c1), strict=True)
    ]
    if rises:
        yield say(
            f"{whose} density is not negative and the product of a function of $c_0$ and one of $c_1$, with the "
            "antiderivatives {}. Its total is 1.",
            _clauses(dict.fromkeys(rises)),
            lead=LEAD,
        )


def _rise(found: Antiderivative, letter: Expr) -> Prose:
    """Write an antiderivative and between which values it rises."""
    assert found.function is not None  # only laws with an antiderivative are listed
    return prose("{}, which rises from {} to {}", _written(found.function, letter), *_ends(found))


def _written(function: Expr, letter: Expr) -> Expr:
    return collected(function, x).subs(x, letter)


def _ends(found: Antiderivative) -> list[Expr]:
    return [min(end, sympy.cancel(end), key=sympy.count_ops) for end in (found.at_low, found.at_high)]
