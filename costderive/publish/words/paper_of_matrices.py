"""The rule of a cost matrix as a paper: the costs of the acts, their regions, the losses, properness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from costderive.multiclass import CostMatrix, MulticlassDerivation
from costderive.multiclass.act_regions import ActLosses
from costderive.multiclass.averaged_costs import ActProperness
from costderive.multiclass.cost_matrix import expected_cost
from costderive.multiclass.letters import believed, predicted
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.proof.claims import Report
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula
from costderive.publish.words.appendix import paper
from costderive.publish.words.context_phrases import setting_of
from costderive.publish.words.document_blocks import (
    Block,
    Heading,
    Proof,
    Prose,
    Story,
    Theorem,
    prose,
)
from costderive.publish.words.findings import kind_of_rule, proof_status, remark, shows
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_for_classes import ClassScene
from costderive.publish.words.proofs_for_matrices import (
    CostLosses,
    has_pattern,
    is_known,
    known,
    losses_of_acts,
    regions_of_acts,
)
from costderive.publish.words.scene import by_label, counted, say, show
from costderive.rules import Judgement

FEW = 5  # acts, and classes, whose expected costs are written one by one
DECISION = (
    r"for the act $j$ with the least expected cost $e_j(p) = \sum_i p_i C_{ij}$, and for the first one if there are "
    "several"
)
_DECISION = (
    f"The decision is {DECISION}. Up to the choice among several, this is the rule of [@Elkan2001, Section 1], where "
    "the first index of a cost is the act and the second one the class."
)


def story(derivation: MulticlassDerivation, report: Report) -> Story:
    """Return the paper on the derivation of a matrix and the findings on it."""
    context: Any = derivation.context
    where, note = setting_of(context), remark(report)
    scene = ClassScene(derivation.cases[0], context.classes)
    *to_losses, proper = derivation.cases[0].steps
    blocks = (
        Heading(prose("Introduction")),
        say(_QUESTION, where.name, counted(context.classes), _best(proper.after)),
        Heading(prose("Conventions")),
        *_conventions(context),
        Heading(prose("The costs"), "sec:context"),
        say("We suppose that {}.", where.law),
        *where.blocks,
        *_expected_costs(proper.before),
        *parameters(derivation),
        Heading(prose("The expected cost is a score")),
        Theorem("Theorem", "the expected cost is a score", tuple(_score(proper.before)), "thm:score", note),
        Proof(tuple(block for step in to_losses for block in describe(step, scene)), note),
        Heading(prose("Properness")),
        Theorem("Theorem", "properness", (say("{}", _properness(proper.after)),), "thm:proper", note),
        Proof(describe(proper, scene), note),
        *_entropy(context, proper.before, note),
    )
    title = prose("The {} of {}, for {} classes", kind_of_rule(report), where.name, counted(context.classes))
    return paper(title, _abstract(context.classes, where.law, proper.after, report), blocks, report)


_QUESTION = (
    "A classifier that predicts the probabilities of several classes decides well if it takes the act with the least "
    "expected cost; an act may be to decide for a class, to refer the instance to a person, or anything else with a "
    "cost in each class [@Elkan2001]. What such decisions cost is a scoring rule of the predicted probabilities. It "
    "is "
    "proper, since the act that the truth asks for costs least under the truth. This article finds the rule of {}, "
    "for "
    "{} classes. Theorem {#thm:score} gives its losses; by Theorem {#thm:proper}, {}."
)


def _expected_costs(found: CostLosses) -> Iterator[Block]:
    """Write the expected cost of each act, if the acts and the classes are few."""
    if not _are_few(found):
        return
    columns, forecast = known(found).matrix.columns, tuple(map(predicted, range(found.classes)))
    yield say("So the acts have the expected costs")
    costs = [formula("e_{{}}(p) = {}", n, expected_cost(x, forecast)) for n, x in enumerate(columns)]
    yield show("{}.", chain(r", \quad ", costs))


def _are_few(found: CostLosses) -> bool:
    """Return whether the expected costs of acts are written one by one: for two classes thresholds say more."""
    return (
        is_known(found)
        and 2 < found.classes <= FEW
        and len(known(found).matrix.columns) <= FEW
        and len(known(found).regions) == len(known(found).matrix.columns)
    )


def _conventions(context: CostMatrix) -> Iterator[Block]:
    labels, forecast, belief = (
        by_label(pattern, context.classes) for pattern in ("{}", "p_{{{}}}", "q_{{{}}}")
    )
    yield say(
        rf"An instance has a class $Y \in \{{{labels}\}}$, with $\pi_i = \Pr(Y = i) > 0$, and a "
        rf"model predicts the probabilities $p = ({forecast})$ of the classes, which are not "
        "negative and add up to one. One of {} acts is taken{}. If the class is $i$, act $j$ costs $C_{ij}$.",
        counted(context.acts),
        _acts(context),
    )
    if context.is_uncertain or context.parts or context.factor is not None:
        yield say("Uncertain costs are known when it is decided, and independent of $(p, Y)$.")
    chow = " The reject option is that of [@Chow1970]." if context.reject is not None else ""
    yield say(f"{_DECISION}{chow}")
    yield say(
        "A scoring rule is a loss $L_i$ for each class $i$; predicting $p$ loses $L_i(p)$ if the class is $i$. Under "
        f"the belief that the classes have the probabilities $q = ({belief})$, the "
        "forecast $p$ has the risk"
    )
    yield show(r"R(p|q) = \sum_i q_i \, L_i(p).")
    yield say(
        "The rule is proper if $R(p|q) \\ge R(q|q)$ for all forecasts $p$ and beliefs $q$, and strictly proper if "
        "equality holds for $p = q$ alone [@Gneiting2007]."
    )


def _acts(context: CostMatrix) -> Prose:
    """Say what the acts are."""
    if not has_pattern(context):
        return ("; it need not be to decide for a class",)
    return prose(
        f": act $j$ decides for class $j${', and the last one rejects' * (context.reject is not None)}"
    )


def _abstract(classes: int, law: Prose, proper: ActProperness, report: Report) -> Prose:
    return prose(
        "A classifier of {} classes predicts their probabilities, and takes the act of the least expected cost. "
        "We suppose that {}. We derive the losses $L_i$ whose mean is the expected cost of these decisions, and the "
        "forecasts at which each act is taken, and {} that the losses form a {} scoring rule{}. {}",
        *(counted(classes), law, shows(report), str(proper.judgement), _but(proper), proof_status(report)),
    )


def _but(found: ActProperness) -> str:
    known_ties = found.judgement is not Judgement.STRICTLY_PROPER and is_known(found.losses)
    return ", though under no belief is the truth the only best report" if known_ties else ""


def _score(found: CostLosses) -> Iterator[Block]:
    yield from regions_of_acts(found)
    yield say("The expected cost of the decisions is")
    yield show(r"L = \sum_i \pi_i \, \mathbb{E}[L_i(p) \mid Y = i]")
    yield say("with the losses" if _at_once(found) else "with the following losses.")
    yield from losses_of_acts(found)


def _at_once(found: CostLosses) -> bool:
    """Do the losses start with a formula?"""
    return is_known(found) or isinstance(found, ExpectedLosses)


def _best(found: ActProperness) -> str:
    """Say of which reports the truth is the best."""
    if found.judgement is Judgement.STRICTLY_PROPER:
        return "the truth is the only best report"
    if is_known(found.losses):
        return "the truth is a best report, and so are others near it"
    return "the truth is a best report, " + (
        "but not always the only one"
        if found.same is not None
        else "and whether it is the only one stays open"
    )


def _properness(found: ActProperness) -> Prose:
    return prose(
        "The scoring rule $(L_i)$ of Theorem {#thm:score} is {}. {}", str(found.judgement), strictness(found)
    )


def strictness(found: ActProperness) -> Prose:
    """State where a rule is strictly proper."""
    if found.judgement is Judgement.STRICTLY_PROPER:
        return prose(r"That is, $R(p|q) > R(q|q)$ for all $p \ne q$ with positive probabilities.")
    if is_known(found.losses):
        return prose(
            r"Under no belief is the truth the only best report: near every $q$ there are reports $p \ne q$ with "
            r"$R(p|q) = R(q|q)$."
        )
    if found.same is None:
        return ("Whether it is strictly so is not decided here.",)
    return prose("It is not strictly proper, as two forecasts have the same losses.")


def _entropy(context: CostMatrix, found: CostLosses, note: str) -> Iterator[Block]:
    least = formula(r"\min_j \sum_i q_i C_{ij}")
    inside, proof = (
        least,
        "It is the mean, over the costs, of the least of linear functions of $q$, hence concave.",
    )
    if context.is_uncertain:
        inside = formula(r"\mathbb{E}\bigl[\min\bigl(x, {}\bigr)\bigr]", least)
    elif context.parts:
        inside = formula(r"\mathbb{E}\bigl[{}\bigr]", least)
    else:
        inside, proof = (
            _least(known(found), least),
            "$R(q|q)$ is the expected cost of the cheapest act, the least of the $e_j(q)$, which are linear in $q$; "
            "hence "
            "it is concave.",
        )
    factor = "" if context.factor is None else formula(r"\mathbb{E}[Z] \, ")
    statement = (
        say(
            "The entropy $H(q) = R(q|q)$, the least expected loss under the belief $q$, is the concave function"
        ),
        show("H(q) = {}{}.", factor, inside),
    )
    yield Theorem("Corollary", "entropy", statement, "thm:entropy", note)
    yield Proof((say(proof),), note)


def _least(losses: ActLosses, in_general: Row) -> Row:
    """Write the least expected cost under a belief, act by act if there are few acts and few classes."""
    if _are_few(losses):
        return formula(r"\min_j e_j(q)")
    columns = [losses.matrix.columns[region.act] for region in losses.regions]
    if len(columns) > FEW or losses.classes > FEW:
        return in_general
    beliefs = tuple(map(believed, range(losses.classes)))
    return formula(
        r"\min \Bigl\{ {} \Bigr\}", chain(", \\, ", [expected_cost(column, beliefs) for column in columns])
    )
