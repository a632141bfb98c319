"""What a derivation of K classes says beyond properness: other rules, penalties, how right predictions score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

from sympy import Symbol

from costderive.multiclass import NotAffine
from costderive.multiclass.penalised import PenalisedRule, Superiority
from costderive.multiclass.superior import Prediction, Ranked
from costderive.proof.claims import Step
from costderive.publish.words.document_blocks import Block, Heading, Proof, Prose, Theorem, prose
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.proofs_on_the_simplex import losses_of
from costderive.publish.words.scene import Description, against, point, say, show
from costderive.rules import Improperness


def beyond(steps: Sequence[Step], scene: Any, note: str) -> Iterator[Block]:
    """Describe the steps after the conclusion on properness: a theorem for each that concludes something."""
    description: list[Block] = []
    for step in steps:
        description += describe(step, scene)
        statement = tuple(stated(step.after, step))
        if statement:
            heading, title, label = NAMES[type(step.after)]
            yield Heading(prose(heading))
            yield Theorem("Theorem", title, statement, label, note)
            yield Proof(tuple(description), note)
            description = []
    yield from description


NAMES: dict[Any, tuple[str, str, str]] = {
    NotAffine: ("Another rule", "no affine change", "thm:affine"),
    Superiority: ("A penalty for wrong predictions", "the penalised rule", "thm:penalised"),
    Improperness: ("A penalty that a tie escapes", "the penalised rule", "thm:tie"),
    Ranked: ("Right and wrong predictions", "ranking", "thm:ranked"),
}


@singledispatch
def stated(reached: Any, step: Step) -> Description:
    """State what a step concludes, if it does."""
    yield from ()


@stated.register
def _(reached: NotAffine, step: Step) -> Description:
    other: Any = step.move.other  # type: ignore[attr-defined]  # of CompareWith
    yield say("Let $M_i$ be the losses")
    yield from losses_of(other)
    yield say(
        "There are no numbers $k$ and $n_i$ with $L_i(p) = k M_i(p) + n_i$ for all forecasts $p$ and "
        "classes $i$: the rule of Theorem {#thm:score} is no affine change of this one."
    )


@stated.register
def _(reached: Superiority, step: Step) -> Description:
    rule: Any = reached.losses
    yield say("Let $M_i$ be the losses")
    yield from losses_of(rule.base)
    yield say(
        "and let the class with the largest probability be predicted, of several such classes the lowest. Charge "
        "$w = {}$ more for a class that is not predicted:",
        rule.penalty,
    )
    yield show(r"N_i(p) = M_i(p) \text{ if class } i \text{ is predicted, else } M_i(p) + w.")
    yield say("This rule is strictly proper, and every right prediction loses less than every wrong one.")


@stated.register
def _(reached: Improperness, step: Step) -> Description:
    if not isinstance(reached.losses, PenalisedRule):
        return
    yield say(
        "Charge $w = {}$ more for a class if another one has a larger probability, so that a tie costs no class:",
        reached.losses.penalty,
    )
    yield show(r"N_i(p) = L_i(p) \text{ if } p_i = \max_j p_j, \text{ else } L_i(p) + w.")
    yield from against("This rule is not proper: under the belief", reached.witness)


@stated.register
def _(reached: Ranked, step: Step) -> Description:
    if reached.superior is None:
        return
    yield say(
        "A prediction is right if the class has the largest probability, and wrong if another class has a larger one."
    )
    if reached.right is not None and reached.wrong is not None:
        yield say("{} {}", _prediction("right", reached.right), _prediction("wrong", reached.wrong))
        yield say("So not every right prediction loses less than every wrong one.")
    else:
        yield from _bounded(reached)


def _prediction(kind: str, found: Prediction) -> Prose:
    text = f"The {kind} prediction $p = {{}}$ of class {{}} loses {{}}."
    return prose(text, point(found.forecast), found.label, found.loss)


def _bounded(reached: Ranked) -> Description:
    bounds: Any = reached.bounds
    count = "every number $K > 2$ of" if isinstance(reached.classes, Symbol) else f"{reached.classes}"
    yield say(
        f"With {count} classes, the losses of right predictions come up to {{}} and no further, and those of wrong "
        "ones down to {} and no further.",
        *(bounds.largest_right, bounds.smallest_wrong),
    )
    if reached.superior:
        yield say("So no right prediction loses more than a wrong one.")
    else:
        yield say("The former is larger, so some right predictions lose more than some wrong ones.")
