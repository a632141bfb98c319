"""Laws, facts and labelled lines in the words of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

import sympy
from sympy import Expr, Symbol

from costderive.export.printing import inline
from costderive.laws import ImproperLaw, Law, x
from costderive.pieces import Given

WIDTH = 100
IMPROPER = (
    "improper: the total mass of this law is infinite, so no costs can be drawn from it, and losses are in units of "
    "cost times mass, not expected costs of a random instance"
)


def law_words(law: Law, cost: Symbol) -> str:
    """Say which law a cost has: known values, and densities on intervals."""
    share = "mass" if isinstance(law, ImproperLaw) else "probability"
    known = [f"{inline(mass.value)} with {share} {inline(mass.probability)}" for mass in law.masses]
    if len(law.masses) == 1 and not law.spreads:
        return f"{inline(cost)} = {inline(law.masses[0].value)}"
    densities = [inline(part.density.subs(x, cost)) for part in law.spreads]
    ranges = [f"[{inline(part.low)}, {inline(part.high)}]".replace("∞]", "∞)") for part in law.spreads]
    improper = "improper " * isinstance(law, ImproperLaw)
    if len(law.spreads) == 1 and not known and not improper and not law.spreads[0].density.has(x):
        return f"{inline(cost)} uniform on {ranges[0]}"
    spread = [
        f"{improper}density {density} on {where}" for density, where in zip(densities, ranges, strict=True)
    ]
    return f"{inline(cost)} with " + ", ".join(spread + known)


def facts_words(given: Given, parameters: Iterable[Symbol]) -> str:
    """Say what is known of parameters, nothing if there are none."""
    names = ", ".join(map(inline, parameters))
    if not names:
        return ""
    told = [fact for fact in given.positive if not fact.is_Symbol]
    return "; ".join([f"{names} > 0", *[comparison(fact, "<") for fact in told]])


def comparison(fact: Expr, sign: str) -> str:
    """Write ``b - a > 0`` as ``a < b``."""
    terms = sympy.Add.make_args(sympy.expand(fact))
    less = sympy.Add(*[-term for term in terms if term.could_extract_minus_sign()])
    more = sympy.Add(*[term for term in terms if not term.could_extract_minus_sign()])
    return f"{inline(less)} {sign} {inline(more)}"


def labelled(label: str, lines: list[str]) -> Iterator[str]:
    """Put a label before the first line, and the others below that line."""
    for line in lines:
        for part in wrap(line, WIDTH - 16, subsequent_indent="  "):
            yield f"{label:16}{part}"
            label = ""
