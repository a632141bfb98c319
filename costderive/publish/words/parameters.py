"""The parameters of a derivation in words: what they stand for, and what is assumed of them."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Integer, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.contexts import HeldPart, Independent
from costderive.derivation.certificates.document import Certified
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula, latex
from costderive.publish.words.displays import inequality, positive, sides
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.scene import listed, say, series


def parameters(derivation: Certified) -> tuple[Block, ...]:
    """Say what the parameters of a derivation stand for, and what is assumed of them."""
    found = _letters(derivation)
    if not found:
        return ()
    _distinct(found)
    located = [letter for letter in found if letter in _locations(derivation)]
    others = [letter for letter in found if letter not in located]
    order = _order(others, derivation)
    if order is not None:
        kind = "a number" if len(others) == 1 else "numbers"
        return (say("{} {} with ${}$.", _stand(others), kind, order),)
    given = prose(" with {}", series(_facts(derivation), " and ")) if _facts(derivation) else ""
    kind = "positive" if _unstated(others, derivation) else ""
    positive_ones = prose("{} {}{}", _stand(others), _numbers(others, kind), given) if others else ()
    if not located:
        return (say("{}.", positive_ones),)
    if not others:
        return (say("{} {}.", _stand(located), _numbers(located, "real")),)
    real = "a real one" if len(located) == 1 else "real ones"
    return (say("{}, and {} for {}.", positive_ones, listed(map(formula, located)), real),)


def assumed(derivation: Certified) -> Prose:
    """Write what is assumed of the parameters, for a theorem or an abstract; nothing if there are none."""
    order = _order(_letters(derivation), derivation)
    if order is not None:
        return prose("${}$", order)
    kinds, facts = _kinds(derivation), _facts(derivation)
    if not kinds:
        return listed(facts) if facts else ()
    return listed(kinds) + (prose(" with {}", listed(facts)) if facts else ())


def _order(letters: list[Symbol], derivation: Certified) -> Row | None:
    """Write 0, the parameters and perhaps a number as one chain of inequalities, if all facts together are one."""
    ordered = _in_order(letters, derivation)
    if ordered:
        return chain(" < ", ordered)
    facts = derivation.cases[0].given.nonnegative
    if len(letters) == len(facts) == len(_facts(derivation)) == 1 and (facts[0] + letters[0]).is_number:
        return formula(r"0 < {} \le {}", letters[0], facts[0] + letters[0])
    return None


def _in_order(letters: list[Symbol], derivation: Certified) -> list[Expr]:
    """Return 0, the parameters and perhaps a number in rising order, if the facts say just this of several."""
    given = _of_parameters(derivation.cases[0].given, derivation)
    general = [fact for fact in given.positive if fact not in given.nonnegative and not fact.is_Symbol]
    above = dict(map(sides, general))
    lowest = [letter for letter in letters if letter not in above.values()]
    several = len(lowest) != 1 or len(above) < len(general) or bool(getattr(derivation, "divisors", ()))
    if several or (len(letters) < 2 and not above):
        return []
    ordered: list[Expr] = [Integer(0), *lowest]
    while ordered[-1] in above:
        ordered.append(above.pop(ordered[-1]))
    return ordered if not above and set(letters) <= set(ordered) else []


def _stand(letters: list[Symbol]) -> Prose:
    one = len(letters) == 1
    text = "The parameter {} stands for" if one else "The parameters {} stand for"
    return prose(text, listed(letters))


def _numbers(letters: list[Symbol], kind: str = "positive") -> str:
    return f"a {kind} number".replace("  ", " ") if len(letters) == 1 else f"{kind} numbers".strip()


_LOCATIONS = (
    " The claims, like what Coq checks, are about positive {}; that is no restriction, as a factor common to both "
    "costs multiplies both losses, and adds its logarithm to {}."
)


def of_locations(derivation: Certified) -> Prose:
    """Say of which parameters claims are about positive values alone, though theorems are about all."""
    located = [letter for letter in _letters(derivation) if letter in _locations(derivation)]
    return prose(_LOCATIONS, *[listed(map(formula, located))] * 2) if located else ()


def _locations(derivation: Certified) -> frozenset[Symbol]:
    """Return the parameters that are locations of both logarithms of the costs, and nothing else.

    To shift both is to multiply both costs by a factor. So what holds for positive ones holds for all.
    """
    context = derivation.context
    if not isinstance(context, Independent) or len(derivation.cases) > 1:
        return frozenset()
    names = [law.name for law in (context.c0, context.c1) if law.name is not None]
    if [name.family for name in names] != ["lognormal", "lognormal"]:
        return frozenset()
    places, scales = ([name.arguments[index] for name in names] for index in (0, 1))
    elsewhere = _symbols((*scales, *derivation.cases[0].given.positive))
    return frozenset(places) if all(x.is_Symbol and x not in elsewhere for x in places) else frozenset()


def parameters_in_short(derivation: Certified) -> Prose:
    """List the parameters of a derivation, and what is assumed of them; nothing if there are none."""
    found = [*_kinds(derivation), *_facts(derivation)]
    return series(found, "; ") if found else ()


def _kinds(derivation: Certified) -> list[Row]:
    """Write which parameters are positive, and which are real numbers."""
    letters = _letters(derivation)
    located = [letter for letter in letters if letter in _locations(derivation)]
    positive_ones = _unstated([letter for letter in letters if letter not in located], derivation)
    kinds = [formula("{} > 0", chain(", ", positive_ones))] if positive_ones else []
    return kinds + ([formula(r"{} \in \mathbb{R}", chain(", ", located))] if located else [])


def _unstated(letters: list[Symbol], derivation: Certified) -> list[Symbol]:
    """Return the parameters of which no assumption of all cases says that they are over a number from 0 on."""
    given = derivation.cases[0].given
    general = [fact for fact in given.positive if fact not in given.nonnegative]
    over = {x for x in letters for fact in general if fact != x and _is_above(x, fact)}
    return [letter for letter in letters if letter not in over or letter in given.nonnegative]


def _is_above(letter: Symbol, fact: Expr) -> bool:
    least = letter - fact
    return bool(least.is_number and least.is_nonnegative)


def _letters(derivation: Certified) -> list[Symbol]:
    given = [_symbols(_of_parameters(case.given, derivation).positive) for case in derivation.cases]
    return sorted(set().union(*given, _own(derivation.context)), key=str)


def _of_parameters(given: Given, derivation: Certified) -> Given:
    """Return the facts about parameters: a part that is held is none."""
    context = derivation.context
    return given.without(context.held) if isinstance(context, HeldPart) else given


def _facts(derivation: Certified) -> list[Row]:
    given = _of_parameters(derivation.cases[0].given, derivation)
    general = [fact for fact in given.positive if fact not in given.nonnegative]
    facts = [positive(fact) for fact in general if not fact.is_Symbol]
    always = [x for x in given.nonnegative if all(x in case.given.nonnegative for case in derivation.cases)]
    facts += [inequality(fact, r"\le") for fact in always]
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
