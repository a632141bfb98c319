"""Costs made of parts in words: what they are made of, and that no claim says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import Symbol

from costderive.core.errors import ExportError
from costderive.costs.laws import Law
from costderive.costs.thresholds import ThresholdedContext
from costderive.derivation.parts.costs_of_parts import CostsOfParts, name_of_part
from costderive.publish.formulas.printing import formula
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.law_phrases import Setting, is_known, law_phrase
from costderive.publish.words.scene import listed, say, show

NOT_CHECKED = "That the parts make these costs is not among the claims that were checked."


def with_parts(found: Setting, made_of: CostsOfParts | None) -> Setting:
    """Say before the law of the costs which parts they are made of, if they are."""
    if made_of is None:
        return found
    return replace(found, name="costs made of independent parts", blocks=(*_blocks(made_of), *found.blocks))


def require_parts_of(context: Any, made_of: CostsOfParts | None) -> None:
    """Refuse parts that make other costs than those of a derivation.

    Raises:
        ExportError: if their context is not the one given, whatever its threshold.
    """
    costs = context.costs if isinstance(context, ThresholdedContext) else context
    if made_of is not None and made_of.context != costs:
        raise ExportError(
            "made_of has parts of other costs than the derivation",
            "Derive the rule of made_of.context, or leave made_of out.",
        )


def in_short(made_of: CostsOfParts) -> Prose:
    """Say in short what costs are made of, and how the parts are distributed."""
    letters = _letters(made_of)
    costs = (made_of.c0.xreplace(letters), made_of.c1.xreplace(letters))
    return prose("$c_0 = {}$ and $c_1 = {}$, where {}", *costs, _laws(made_of))


def _letters(made_of: CostsOfParts) -> dict[Symbol, Symbol]:
    """Return the letters that parts are written as: no part is written as a letter with a meaning of its own."""
    renamed = ((letter, name_of_part(letter)) for letter, _ in made_of.parts)
    return {letter: Symbol(f"{name}_part") for letter, name in renamed if name != letter.name}


def _laws(made_of: CostsOfParts) -> Prose:
    letters = _letters(made_of)
    random_first = sorted(made_of.parts, key=lambda part: is_known(part[1]))
    return listed(_law(letters.get(letter, letter), law) for letter, law in random_first)


def _law(letter: Symbol, law: Law) -> Prose:
    if is_known(law):
        return prose("${} = {}$", letter, law.masses[0].value)
    return prose("{} is {}", letter, law_phrase(law, letter.name))


def _blocks(made_of: CostsOfParts) -> tuple[Block, ...]:
    letters = _letters(made_of)
    costs = (made_of.c0.xreplace(letters), made_of.c1.xreplace(letters))
    random = [law for _, law in made_of.parts if not is_known(law)]
    independent = ", independently of each other" if len(random) > 1 else ""
    return (
        say("The costs are made of parts:"),
        show(r"c_0 = {}, \qquad c_1 = {},", *map(formula, costs)),
        say(
            f"where {{}}{independent}. The law of $(c_0, c_1)$ that follows was computed from this. That computation "
            "is not among the claims that were checked: they are about the law as it stands below, and so are the "
            "theorems.",
            _laws(made_of),
        ),
    )
