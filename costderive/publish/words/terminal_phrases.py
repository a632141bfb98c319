"""Laws, facts and labelled lines in the words of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given
from costderive.costs.laws import ImproperLaw, Law, Name, x
from costderive.publish.formulas.printing import inline
from costderive.publish.words.law_names import FAMILIES, in_words, remark_on
from costderive.rules import unproved_in_words

WIDTH = 100
IMPROPER = (
    "improper: the total mass of this law is infinite, so no costs can be drawn from it, and losses are in units of "
    "cost times mass, not expected costs of a random instance"
)


def law_words(law: Law, cost: Symbol) -> str:
    """Say which law a cost has: a known value, a law with a name, or values and densities on intervals."""
    if len(law.masses) == 1 and not law.spreads:
        return f"{inline(cost)} = {inline(law.masses[0].value)}"
    if law.name is not None:
        return f"{inline(cost)} {_named(law.name)}"
    improper = "improper " if isinstance(law, ImproperLaw) else ""
    parts = [
        f"{improper}density {inline(part.density.subs(x, cost))} on {_interval(part.low, part.high)}"
        for part in law.spreads
    ]
    share = "mass" if improper else "probability"
    parts += [f"{inline(mass.value)} with {share} {inline(mass.probability)}" for mass in law.masses]
    return f"{inline(cost)} with " + ", ".join(parts)


def _named(name: Name) -> str:
    family = FAMILIES[name.family]
    parameters = ", ".join(map(inline, family.shown(*name.arguments)))
    symbol = f"of the law {family.symbol}({parameters}){remark_on(family)}"
    return in_words(name, inline, _interval) or symbol


def _interval(low: Expr, high: Expr) -> str:
    return f"[{inline(low)}, {inline(high)}]".replace("∞]", "∞)")


def facts_words(given: Given, parameters: Iterable[Symbol], nonzero: Iterable[Expr] = ()) -> str:
    """Say what is known of parameters, and what is not zero; nothing if there are none."""
    names = ", ".join(map(inline, parameters))
    if not names:
        return ""
    facts = [fact for fact in given.positive if not fact.is_Symbol]
    known = [comparison(fact, "<") for fact in facts] + [comparison(fact, "≠") for fact in nonzero]
    return "; ".join([f"{names} > 0", *known])


def comparison(fact: Expr, sign: str) -> str:
    """Write ``b - a > 0`` as ``a < b``."""
    terms = sympy.Add.make_args(sympy.expand(fact))
    less = sympy.Add(*[-term for term in terms if term.could_extract_minus_sign()])
    more = sympy.Add(*[term for term in terms if not term.could_extract_minus_sign()])
    return f"{inline(less)} {sign} {inline(more)}"


def properness(verdict: str, doubt: str, *more: str) -> Iterator[str]:
    """Say whether a rule is proper, and if that is not proved, why; ``more`` are further lines."""
    yield from labelled("Properness", [unproved_in_words(verdict, doubt) if doubt else verdict, *more])


def labelled(label: str, lines: list[str]) -> Iterator[str]:
    """Put a label before the first line, and the others below that line."""
    for line in lines:
        for part in wrap(line, WIDTH - 16, subsequent_indent="  "):
            yield f"{label:16}{part}"
            label = ""
