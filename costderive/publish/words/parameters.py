"""The parameters of a derivation in words: what they stand for, and what is assumed of them."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.derivation.certificates.document import Certified
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula, latex
from costderive.publish.words.displays import inequality, positive
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.scene import say, series


def parameters(derivation: Certified) -> tuple[Block, ...]:
    """Say what the parameters of a derivation stand for, and what is assumed of them."""
    found = _letters(derivation)
    if not found:
        return ()
    _distinct(found)
    facts = _facts(derivation)
    stand = (
        "The parameter {} stands for a positive number{}."
        if len(found) == 1
        else "The parameters {} stand for positive numbers{}."
    )
    given = prose(" with {}", series(facts, " and ")) if facts else ""
    return (say(stand, series(found), given),)


def parameters_in_short(derivation: Certified) -> Prose:
    """List the parameters of a derivation, and what is assumed of them; nothing if there are none."""
    letters = _letters(derivation)
    facts = [formula("{} > 0", chain(", ", letters)), *_facts(derivation)]
    return series(facts, "; ") if letters else ()


def _letters(derivation: Certified) -> list[Symbol]:
    given = [_symbols(case.given.positive) for case in derivation.cases]
    return sorted(set().union(*given, _own(derivation.context)), key=str)


def _facts(derivation: Certified) -> list[Row]:
    facts = [positive(fact) for fact in derivation.cases[0].given.positive if not fact.is_Symbol]
    return facts + [inequality(divisor, r"\ne") for divisor in getattr(derivation, "divisors", ())]


def _distinct(parameters: list[Symbol]) -> None:
    """Refuse parameters that no reader could distinguish.

    Raises:
        ExportError: if two names are written the same, such as ``k2`` and ``k_2``.
    """
    seen: dict[str, Symbol] = {}
    for symbol in parameters:
        other = seen.setdefault(latex(symbol), symbol)
        if other != symbol:
            raise ExportError(
                f"the parameters {other} and {symbol} are both written {latex(symbol)}", "Rename one of them."
            )


def _symbols(exprs: tuple[Expr, ...]) -> set[Symbol]:
    return set().union(*[expr.free_symbols for expr in exprs])


def _own(context: Any) -> set[Symbol]:
    return set(getattr(context, "parameters", ()))
