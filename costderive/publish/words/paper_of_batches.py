"""A rule of a batch as a paper: the loss, whether it is proper, the AUC, what was checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from costderive.batch import AucAmong, AucScore, BatchDerivation
from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness
from costderive.batch.batch_entropies import LowestRule, SmoothRule
from costderive.batch.linear_rules import AdditiveRule, BatchLoss, NormRule, RankRule
from costderive.proof.claims import Report
from costderive.publish.formulas.printing import Part, chain, formula
from costderive.publish.words.appendix import paper
from costderive.publish.words.document_blocks import Block, Heading, Story, prose
from costderive.publish.words.findings import proof_status, remark, sentence
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_for_batches import ones, rule_of
from costderive.publish.words.proofs_on_the_simplex import properness
from costderive.publish.words.scene import SHOWN, Description, on_properness, point, say, show
from costderive.rules import Judgement

TITLES: dict[type, str] = {
    AdditiveRule: "The additive scoring rule of a batch",
    NormRule: "The pseudospherical scoring rule of a batch",
    RankRule: "The scoring rule of the ranks of a batch",
    LowestRule: "The scoring rule of a batch from least affine functions",
    SmoothRule: "The scoring rule of a batch from an entropy",
    AucScore: "The area under the ROC curve as a loss of a batch",
    AucAmong: "The area under the ROC curve as a loss of a batch",
}


def story(derivation: BatchDerivation, report: Report, of_one: tuple[Block, ...]) -> Story:
    """Return the paper on a rule of a batch and its findings; ``of_one`` is about the rule of one instance it sums."""
    note, reached = remark(report), derivation.conclusion
    blocks = (
        *of_one,
        Heading(prose("A batch of instances")),
        *_conventions(derivation),
        Heading(prose("The loss of the batch")),
        *rule_of(derivation.rule),
        *parameters(derivation),
        Heading(prose("Properness of the batch" if of_one else "Properness")),
        *on_properness(reached, stated(reached), _proof(derivation), "thm:batch", note),
        *_area(reached, note),
    )
    return paper(prose(TITLES[type(derivation.rule)]), prose(_abstract(derivation, report)), blocks, report)


def _abstract(derivation: BatchDerivation, report: Report) -> str:
    concluded = derivation.concluded
    found = {
        Judgement.UNDECIDED: "We leave open whether it is a proper scoring rule.",
        Judgement.IMPROPER: sentence("it is no proper scoring rule, as a witness shows", report),
    }.get(concluded, sentence(_in_scope(concluded, derivation), report))
    return (
        "A loss of a whole batch compares the labels of all its instances with the probabilities that were forecast "
        f"for them. We examine such a loss. {found} {proof_status(report)}"
    )


def _conventions(derivation: BatchDerivation) -> Iterator[Block]:
    inside = isinstance(derivation.rule, SmoothRule)
    cube = _cube(derivation.rule)
    yield say(
        rf"{batch(derivation.rule)} The labels $Y$ follow some law, under which they may depend on each other; their "
        rf"probabilities $q_i = \Pr(Y_i = 1)$ are the belief "
        rf"$q \in {cube}$. The loss of a forecast is $S(y, w)$, and its risk"
    )
    if isinstance(derivation.rule, AucScore | AucAmong):
        yield show(r"\mathbb{E}[S(Y, w)].")
        yield say(
            f"The loss is a proper scoring rule if, {_laws(derivation.rule)}, no forecast has a smaller risk than "
            "the belief, $w = q$ [@Parry2016]."
        )
        return
    yield show(r"R(w|q) = \mathbb{E}[S(Y, w)].")
    yield say(
        "The losses below are linear in the labels, so that their risk depends on the law of the labels through the "
        f"belief alone. The rule is proper if $R(w|q) \\ge R(q|q)$ for all $w, q \\in {cube}$, and strictly proper if "
        "equality holds for $w = q$ alone [@Parry2016]."
        + (" Where probabilities are 0 or 1, the losses are the limits from inside." if inside else "")
    )


def batch(rule: BatchLoss) -> str:
    """Say what the labels and the forecasts of a batch are."""
    count = rule.instances
    size = (
        "any number $n$ of instances"
        if count is None
        else f"$n = {count}$ instance{'s' if count > 1 else ''}"
    )
    return (
        rf"A batch has {size} with the labels $y = (y_0, \ldots, y_{{n - 1}})$, each 0 or 1. A forecast $w = (w_0, "
        rf"\ldots, w_{{n - 1}}) \in {_cube(rule)}$ has the predicted probabilities of the label 1."
    )


def _cube(rule: BatchLoss) -> str:
    return "(0, 1)^n" if isinstance(rule, SmoothRule) else "[0, 1]^n"


def _in_scope(concluded: Judgement, derivation: BatchDerivation) -> str:
    """Say of which labels a loss is proper, or the like."""
    rule = derivation.rule
    if isinstance(rule, AucAmong):
        return f"{_laws(rule)}, it is {concluded}"
    return f"it is {concluded}, {rule.scope}"


def _laws(rule: AucScore | AucAmong) -> str:
    if isinstance(rule, AucScore):
        return "whatever the law of the labels"
    return f"under all laws {rule.scope}"


def _proof(derivation: BatchDerivation) -> Iterator[Block]:
    return (block for step in derivation.steps for block in describe(step, None))


@singledispatch
def stated(reached: Any) -> Description:
    """State what is concluded of a rule of a batch."""
    yield from ()


@stated.register
def _(reached: BatchProperness) -> Description:
    if reached.flat is None:
        yield from properness(reached)
        return
    example = " for example," if reached.losses.instances is None else ""
    yield say(
        f"The rule is proper, but not strictly proper:{example} the forecasts {{}} and {{}} have the same "
        "loss, whatever the labels.",
        *map(point, reached.flat),
    )


@stated.register
def _(reached: BatchImproperness) -> Description:
    found = reached.witness
    if not reached.law:
        yield from properness(reached, "w")
        return
    yield say("The loss is no proper scoring rule. Let the labels of these instances, and no others, be 1:")
    laws: list[Part] = [
        formula(r"{} \text{ with probability } {}", ones(labels), chance)
        for labels, chance in reached.law[:SHOWN]
    ]
    laws += [r"\ldots"] if len(reached.law) > SHOWN else []
    yield show("{}", chain(r", \quad ", laws))
    yield say(
        "The probabilities of the labels are then $q = {}$, and the report $w = {}$ has the smaller risk",
        *(point(found.belief), point(found.report)),
    )
    yield show(r"\mathbb{E}[S(Y, w)] = {} < {} = \mathbb{E}[S(Y, q)].", found.better, found.truthful)


def _area(reached: Any, note: str) -> Iterator[Block]:
    """Say what the rule of ranks has to do with the area under the ROC curve."""
    if isinstance(reached.losses, RankRule):
        yield say(
            "If $n_1$ of the labels are 1, with $0 < n_1 < n$, the area under the ROC curve is [@Parry2016, Eq. (13)]"
        )
        yield show(r"\mathrm{AUC} = \frac{1}{2} \Bigl(1 - \frac{S(y, w)}{n_1 (n - n_1)}\Bigr),")
        yield say(
            "since each pair of a label 1 and a label 0 adds 1, 0 or $-1$ to $-S$, and pairs of equal labels add "
            "nothing. So the area orders forecasts as this rule does once $n_1$ is known, but the factor depends on "
            "the labels."
        )
