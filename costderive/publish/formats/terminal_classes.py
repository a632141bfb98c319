"""A derivation of K classes on the terminal: the context in words, the losses order by order, the conclusion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from textwrap import wrap
from typing import Any

from sympy import Expr, Symbol

from costderive.multiclass import ClassCosts, DirichletCosts, NotAffine, PenalisedRule
from costderive.multiclass.letters import cost
from costderive.multiclass.penalised import Ties
from costderive.multiclass.similar_classes import (
    OF_OTHER,
    alike,
    ascends,
    exchanged,
    excluded,
    listed,
    of_class,
)
from costderive.multiclass.simplex import (
    GivenLosses,
    SimplexEntropy,
    SimplexImproperness,
    SimplexUndecided,
    SymmetricLosses,
    t,
)
from costderive.multiclass.stages import BayesProperness, Cell, ClassLosses
from costderive.publish.formulas.printing import inline
from costderive.publish.words.terminal_phrases import WIDTH, comparison, labelled, law_words, properness

SHOWN_CELLS = 6
NAMING = "cᵢ: cost of misclassifying an instance of class i"
DECISION = "for the class with the largest pᵢcᵢ"


def context_words(context: ClassCosts) -> str:
    """Return what a cost context of K classes says, in one line."""
    if isinstance(context, DirichletCosts):
        shapes = listed(map(inline, context.shapes))
        letters = " + ".join(inline(cost(label)) for label in range(context.classes))
        return f"{letters} = {inline(context.budget)}, shared out by a Dirichlet law of shapes {shapes}"
    return f"independent, {'; '.join(_laws(context))}"


def _laws(context: ClassCosts) -> Iterator[str]:
    for law, labels in alike(context.laws).items():
        words = law_words(law, cost(labels[0]))
        first, letters = inline(cost(labels[0])), listed(inline(cost(label)) for label in labels)
        yield words.replace(first, f"{letters} each" if len(labels) > 1 else letters, 1)


def start(context: ClassCosts | SimplexEntropy) -> Iterator[str]:
    """Say what a derivation starts from."""
    if isinstance(context, ClassCosts):
        yield from labelled("Costs", [context_words(context), NAMING])
        yield from labelled("Decision", [DECISION])
    else:
        apart = [f"{inline(base)} ≠ 0" for base in excluded(*context.expressions)]
        yield from labelled("Given", ["; ".join(["the entropy of the rule on the simplex", *apart])])


def reached(conclusion: Any, doubt: str) -> Iterator[str]:
    """Describe what a derivation arrives at; ``doubt`` is why that is not proved, if it is not."""
    yield from losses(conclusion.losses)
    yield ""
    yield from concluded(conclusion, doubt)


# ---- losses


@singledispatch
def losses(found: object) -> Iterator[str]:
    """Write losses; those of a kind without a form of its own, by their fields."""
    yield from labelled("Losses", [str(found)])


@losses.register
def _(found: ClassLosses) -> Iterator[str]:
    for number, cell in enumerate(found.cells[:SHOWN_CELLS]):
        if number:
            yield ""
        yield f"Losses of the classes{_where(cell)}"
        for label, loss in enumerate(cell.losses):
            yield from _equation(_loss(label), loss)
    if exchanged(found.costs):
        yield from labelled("Other orders", ["alike: classes whose costs have the same law may be exchanged"])
    if len(found.cells) > SHOWN_CELLS:
        yield from labelled(
            "And", [f"in {len(found.cells) - SHOWN_CELLS} more orders: derivation.rule.cells"]
        )
    yield ""
    means = ",  ".join(
        f"E[{inline(cost(label))}] = {inline(found.costs.factor * one.mean)}"
        for label, one in enumerate(found.costs.of_class)
    )
    yield from labelled("Expected costs", [means])


def _where(cell: Cell) -> str:
    return f" where {ascends(cell.order, inline, '≤')}" if len(cell.order) > 1 else ""


@losses.register
def _(found: SymmetricLosses) -> Iterator[str]:
    yield "Loss if the class is i, one of any number of classes"
    yield from _equation("Lᵢ(p)", of_class(found.loss))
    entropy = found.entropy_function
    yield ""
    yield "Entropy"
    yield from _equation("H(p)", entropy.outer)
    if any(expr.has(t) for expr in (found.loss, entropy.outer)):
        yield f"    t = Σⱼ {inline(of_class(entropy.inner, OF_OTHER))}"


@losses.register
def _(found: PenalisedRule) -> Iterator[str]:
    yield f"Loss if the class is i, one of {found.classes}: if i is predicted, that is, has the largest probability"
    yield from _equation("Lᵢ(p)", of_class(found.base.loss))
    if found.base.loss.has(t):
        yield f"    t = Σⱼ {inline(of_class(found.base.entropy_function.inner, OF_OTHER))}"
    tie = (
        "of several largest ones, none is wrong"
        if found.ties is Ties.NOBODY
        else "of several largest ones, the lowest is"
    )
    yield from labelled("Penalty", [f"{inline(found.penalty)} more if another class is predicted ({tie})"])


@losses.register
def _(found: GivenLosses) -> Iterator[str]:
    yield "Losses of the classes"
    for label, loss in enumerate(found.losses):
        yield from _equation(_loss(label), loss)
    yield ""
    yield "Entropy"
    yield from _equation("H(p)", found.entropy_function.entropy)


def _loss(label: int) -> str:
    return f"{inline(Symbol(f'L{label}'))}(p)"


def _equation(name: str, value: Expr) -> Iterator[str]:
    """Write an equation, on several lines if it is long."""
    yield from wrap(f"{name} = {inline(value)}", WIDTH, initial_indent="    ", subsequent_indent=" " * 12)


# ---- conclusions


@singledispatch
def concluded(found: Any, doubt: str) -> Iterator[str]:
    """Write a conclusion; one of a kind without a form of its own, in a word."""
    yield from properness(found.judgement, doubt)


@concluded.register
def _(found: BayesProperness, doubt: str) -> Iterator[str]:
    yield from properness(_strictness(found.strict), doubt)


def _strictness(strict: tuple[Expr, ...] | None) -> str:
    if strict is None:
        return "proper; where strictly was not located"
    if not strict:
        return "strictly proper"
    if any(fact.is_nonpositive for fact in strict):
        return "proper, nowhere strictly"
    return f"proper, strictly so for the beliefs q with {listed(comparison(fact, '<') for fact in strict)}"


@concluded.register
def _(found: NotAffine, doubt: str) -> Iterator[str]:
    yield from concluded(found.proper, doubt)
    lines = [f"the rule is no affine change of the other one: its losses of class {found.label}, and theirs,"]
    lines += [
        f"at ({', '.join(map(inline, p))}) are {inline(here)} and {inline(there)}"
        for p, here, there in zip(found.forecasts, found.losses_here, found.losses_there, strict=True)
    ]
    yield from labelled("Not affine", [*lines, "which are no three points of a line"])


@concluded.register
def _(found: SimplexImproperness, doubt: str) -> Iterator[str]:
    witness = found.witness
    belief, report = (f"({', '.join(map(inline, one))})" for one in (witness.belief, witness.report))
    yield from properness(found.judgement, doubt)
    better = f"R(p|q) = {inline(witness.better)}  <  {inline(witness.truthful)} = R(q|q)"
    yield from labelled(
        "Witness", [f"under the belief q = {belief}, the report p = {report} is better:", better]
    )


@concluded.register
def _(found: SimplexUndecided, doubt: str) -> Iterator[str]:
    why = "neither a proof nor a witness against it was found"
    yield from properness(f"{found.judgement}: {why}", "")
