"""The parameters of a derivation in words: what they stand for, and what is assumed of them."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.derivation.certificates.document import Certified
from costderive.publish.formulas.printing import latex
from costderive.publish.words.displays import inequality, positive
from costderive.publish.words.document_blocks import Block
from costderive.publish.words.scene import say


def parameters(derivation: Certified) -> tuple[Block, ...]:
    """Say what the parameters of a derivation stand for, and what is assumed of them."""
    found = _letters(derivation)
    if not found:
        return ()
    _distinct(found)
    letters = ", ".join(f"${latex(symbol)}$" for symbol in found)
    facts = _facts(derivation)
    stand = (
        f"The parameter {letters} stands for a positive number"
        if len(found) == 1
        else f"The parameters {letters} stand for positive numbers"
    )
    given = f" with {' and '.join(facts)}" if facts else ""
    return (say(f"{stand}{given}."),)


def parameters_in_short(derivation: Certified) -> str:
    """List the parameters of a derivation, and what is assumed of them; nothing if there are none."""
    letters = ", ".join(map(latex, _letters(derivation)))
    return "; ".join([f"${letters} > 0$", *_facts(derivation)]) if letters else ""


def _letters(derivation: Certified) -> list[Symbol]:
    given = [_symbols(case.given.positive) for case in derivation.cases]
    return sorted(set().union(*given, _own(derivation.context)), key=str)


def _facts(derivation: Certified) -> list[str]:
    facts = [positive(fact) for fact in derivation.cases[0].given.positive if not fact.is_Symbol]
    facts += [inequality(divisor, r"\ne") for divisor in getattr(derivation, "divisors", ())]
    return [f"${fact}$" for fact in facts]


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
