"""A derivation in short, from the words of its paper: its start, the losses, whether they are proper, what proves it.

A paragraph has the label of its line as its ``lead``; a blank one continues the paragraph above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Integral

from costderive.batch import BatchDerivation
from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness
from costderive.batch.linear_rules import AdditiveRule, BatchLoss
from costderive.costs.contexts import Context
from costderive.costs.thresholds import ThresholdedContext
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass import ClassCosts, CostMatrix, MulticlassDerivation
from costderive.multiclass.act_regions import ActLosses
from costderive.multiclass.averaged_costs import ActProperness, AveragedLosses
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.mixed_acts import MixedLosses
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.multiclass.similar_classes import exchanged
from costderive.multiclass.simplex import GivenSimplexEntropy, SymmetricEntropy
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import ClassLosses
from costderive.proof.claims import Case, Conclusion, Finding, Report, Verdict
from costderive.publish.formulas.formula import Row
from costderive.publish.words import (
    paper_of_batches,
    paper_of_classes,
    paper_of_losses,
    paper_of_matrices,
    parts_phrases,
)
from costderive.publish.words.calibrated_thresholds import against_other_thresholds, against_threshold
from costderive.publish.words.context_phrases import in_short, threshold
from costderive.publish.words.curve_roots import root_of
from costderive.publish.words.displays import condition, function
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, filled, prose
from costderive.publish.words.findings import methods, remark
from costderive.publish.words.front_matter import POSITIVE
from costderive.publish.words.paper_beyond_properness import stated
from costderive.publish.words.paper_of_costs import OPEN_FORM, expected_costs, finite_mean
from costderive.publish.words.parameters import parameters_in_short
from costderive.publish.words.proofs_for_batches import rule_of
from costderive.publish.words.proofs_for_classes import order_of, strictness
from costderive.publish.words.proofs_for_matrices import losses_of_acts, regions_in_short
from costderive.publish.words.proofs_from_functions import entropy
from costderive.publish.words.proofs_on_the_simplex import entropy as entropy_on_simplex
from costderive.publish.words.proofs_on_the_simplex import losses_of
from costderive.publish.words.scene import NEITHER, against, atoms_in_words, say
from costderive.publish.words.special_functions import functions_in
from costderive.rules import (
    Calibration,
    ConditionalProperness,
    Improperness,
    Judgement,
    Losses,
    Miscalibration,
    Properness,
    RepairedProperness,
    Represented,
    Undecided,
    unproved_in_words,
)
from costderive.rules.case_losses import curves_of
from costderive.rules.conclusions import Improper
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight
from costderive.rules.loss_pair import LossPair

SHOWN_CELLS, SHOWN_FINDINGS = 6, 5
GIVEN: dict[type, str] = {GivenWeight: "the threshold weight", GivenLink: "the canonical link"}


def summary(derivation: Certified, report: Report, made_of: CostsOfParts | None = None) -> Iterator[Block]:
    """Yield what a derivation says, in short, and how far its claims are proved."""
    yield from _start(derivation.context)
    if made_of is not None:
        yield from labelled(
            "Made of", prose("{}. {}", parts_phrases.in_short(made_of), parts_phrases.NOT_CHECKED)
        )
    yield from labelled("Parameters", parameters_in_short(derivation))
    for number, case in enumerate(derivation.cases, start=1):
        if len(derivation.cases) > 1:
            yield say("Case {} of {}: {}", number, len(derivation.cases), condition(case.given))
        reached = case.steps[-1].after
        if isinstance(derivation, MulticlassDerivation):
            yield from _of_classes(case, remark(report))
        elif isinstance(derivation, BatchDerivation):
            yield from _of_batch(reached)
        else:
            yield from _of_two(case)
        yield from _properness(reached, report.doubt)
        yield from _evidence(reached)
        if isinstance(derivation, Derivation):
            yield from _conditions(case)
    yield from _proof(report)


def expected(compared: Report) -> Iterator[Block]:
    """Say whether the losses are those that a spec expects, and what was compared."""
    count = len(compared.findings)
    if compared.verdict is Verdict.PROVED:
        text = f"the losses are those expected, decided exactly on their pieces and at the ends: {count} comparisons"
    else:
        text = (
            f"it is not proved that the losses are those expected, in {count} comparisons: {compared.doubt}"
        )
    yield from labelled("Expected", (text,))


def labelled(label: str, *texts: str | Row | Prose) -> Iterator[Paragraph]:
    """Put a label before the first text, and the others below it; text of users comes as a run of its own."""
    for text in texts:
        if text:
            yield Paragraph(prose(text) if isinstance(text, str) else filled(text), label)
            label = " "


# ---- the start


def _start(context: Any) -> Iterator[Block]:
    match context:
        case ClassCosts():
            yield from labelled("Costs", in_short(context), paper_of_classes.ERRORS)
            yield from labelled("Decision", paper_of_classes.DECISION)
        case CostMatrix():
            yield from labelled("Costs", in_short(context))
            yield from labelled("Decision", prose(paper_of_matrices.DECISION))
        case Context():
            costs = context.costs if isinstance(context, ThresholdedContext) else context
            yield from labelled("Costs", in_short(costs), POSITIVE)
            if isinstance(context, ThresholdedContext):
                yield from labelled("Threshold", threshold(context))
        case BatchLoss():
            yield from labelled("Batch", paper_of_batches.batch(context))
        case SymmetricEntropy() | GivenSimplexEntropy():
            yield from entropy_on_simplex(context)
        case GivenEntropy():
            yield from entropy(context)
        case _:
            yield from labelled("Given", GIVEN.get(type(context), ""))


# ---- the losses


def _of_two(case: Case) -> Iterator[Block]:
    found = losses(case)
    for label in (0, 1):
        yield say(f"Loss if the class is {label}")
        yield paper_of_losses.loss_of(found, label)
    if isinstance(found, LossPair):
        yield from labelled("At the ends", *paper_of_losses.ends(found))
    else:
        yield from _weight(found)
    values = [piece.value for piece in (*found.loss0, *found.loss1)]
    yield from labelled("Functions", *map(prose, functions_in(values)))
    after = case.steps[-1].after
    if isinstance(after, Represented):
        yield say("Entropy and canonical link" if after.link else "Entropy")
        yield function("H(q)", after.entropy, closed=True)
        if after.link is not None:
            yield function(r"\psi(p)", after.link, closed=True)


def _weight(found: Losses) -> Iterator[Block]:
    yield say("Threshold weight")
    yield function(r"\omega(s)", found.weight.density)
    yield from labelled("Point masses", atoms_in_words(found.weight.atoms))
    yield from labelled("Expected costs", *expected_costs(found))
    yield from labelled("Limits", *[_limit(found, label) for label in (0, 1) if found.one_sided[label] != 0])


def _limit(found: Losses, label: int) -> Prose:
    return prose(
        rf"$L_{label}(p) \to {{}}$ as $p \to {1 - label}$: an error of class {1 - label} may cost nothing",
        found.limits[label],
    )


def _of_classes(case: Case, note: str) -> Iterator[Block]:
    judged = next(n for n, step in enumerate(case.steps) if isinstance(step.after, Conclusion))
    yield from _losses_of_classes(case.steps[judged].after.losses)
    for step in case.steps[judged + 1 :]:
        statement = tuple(stated(step.after, step))
        if statement and note:
            yield say(f"This is {note}:")
        yield from statement


def _losses_of_classes(found: Any) -> Iterator[Block]:
    if isinstance(found, ActLosses | AveragedLosses | MixedLosses | ExpectedLosses):
        yield from regions_in_short(found)
        yield from losses_of_acts(found)
        return
    if isinstance(found, SingleIntegrals):
        yield say("Losses of the classes, as integrals over the cost of each class itself")
        yield from paper_of_classes.single_integrals(found)
        yield from labelled("Expected costs", paper_of_classes.expected_costs(found.costs))
        return
    if not isinstance(found, ClassLosses):
        yield from losses_of(found, "L")
        return
    for cell in found.cells[:SHOWN_CELLS]:
        where = prose(" where {}", order_of(cell.order)) if len(cell.order) > 1 else ""
        yield say("Losses of the classes{}", where)
        yield from paper_of_classes.losses_in(cell)
    left = len(found.cells) - SHOWN_CELLS
    if exchanged(found.costs):
        yield say(paper_of_classes.EXCHANGED)
    if left > 0:
        yield say(f"There are {left} more orders of this kind; derivation.rule.cells has the losses in each.")
    yield from labelled("Expected costs", paper_of_classes.expected_costs(found.costs))


def _of_batch(reached: Any) -> Iterator[Block]:
    rule = reached.losses
    if isinstance(rule, AdditiveRule):
        for label in (0, 1):
            yield say(f"Loss of an instance of label {label}")
            yield paper_of_losses.loss_of(rule.losses, label)
    yield from rule_of(rule)


# ---- properness


def _properness(reached: Any, doubt: str) -> Iterator[Block]:
    """Say what is concluded of a rule, and if that is not proved, why."""
    verdict = _verdict(reached)
    if isinstance(reached, Undecided):
        yield from labelled("Properness", (*verdict, f": {NEITHER[0].lower()}{NEITHER[1:]}"))
    elif doubt:
        before, after = unproved_in_words("\0", doubt).split("\0")
        yield from labelled("Properness", (before, *verdict, after))
    else:
        yield from labelled("Properness", verdict, _strictness(reached))


def _strictness(reached: Any) -> Prose | str:
    match reached:
        case BayesProperness(strict=strict) if strict != ():
            return strictness(strict)
        case ActProperness() if reached.judgement is not Judgement.STRICTLY_PROPER:
            return paper_of_matrices.strictness(reached)
    return ""


def _verdict(reached: Any) -> Prose:
    match reached:
        case Represented(proper=proper):
            return paper_of_losses.how(proper)
        case Properness():
            return paper_of_losses.how(reached)
        case BatchProperness():
            return prose("{}, {}", str(reached.judgement), reached.losses.scope)
        case ConditionalProperness() | Calibration():
            return paper_of_losses.if_and_only_if(reached)
    return (str(reached.judgement),)


def _evidence(reached: Any) -> Iterator[Block]:
    """State the witness against a rule, or why it is not strictly proper."""
    match reached:
        case BatchImproperness() | BatchProperness(flat=(_, _)):
            yield from paper_of_batches.stated(reached)
        case Improperness(losses=PenalisedRule()):
            return  # it is among the statements
        case Improper() | RepairedProperness():
            yield from against("The rule is not proper: under the belief", reached.witness)
        case Calibration():
            yield from against_other_thresholds(reached)
        case Miscalibration():
            yield against_threshold(reached)
        case ConditionalProperness():
            yield from paper_of_losses.against_other_values(reached)
    if isinstance(reached, RepairedProperness):
        yield say("{}", paper_of_losses.with_other_values(reached))


def _conditions(case: Case) -> Iterator[Block]:
    """Say on what the result rests besides: at a fixed threshold, for unbounded losses, without closed forms."""
    found = losses(case)
    if isinstance(case.steps[-1].after, Undecided):
        yield from paper_of_losses.when_proper(case)
    if isinstance(found, Losses):
        unbounded = [label for label, worst in enumerate((found.worst0, found.worst1)) if worst is sympy.oo]
        text = "{}, since $L_{}$ is not bounded at $p = {}$"
        reasons = [prose(text, finite_mean(k), k, 1 - k) for k in unbounded]
        yield from labelled("Conditions", *reasons)
    yield from labelled("Where", *[root_of(curve) for curve in curves_of(found)])
    if any(piece.value.has(Integral) for piece in (*found.loss0, *found.loss1)):
        yield from labelled("Closed form", f"{OPEN_FORM} {_EVALUATED}")


_EVALUATED = "costderive.numeric.compile does that."


# ---- the proof


def _proof(report: Report) -> Iterator[Block]:
    counts = [(f"{times:5d}  by {method}",) for method, times in methods(report)]
    weak = list(dict.fromkeys(_weak(f) for f in report.findings if f.verdict is not Verdict.PROVED))
    more = ["and more that are not proved"] if len(weak) > SHOWN_FINDINGS else []
    proved = sum(finding.verdict is Verdict.PROVED for finding in report.findings)
    count = f"{report.verdict.name}: {proved} of {len(report.findings)} claims are proved,"
    yield from labelled("Proof", count, *counts, *weak[:SHOWN_FINDINGS], *more)


def _weak(finding: Finding) -> Prose:
    decider = "" if finding.verdict is Verdict.OPEN else f"{finding.decider}: "
    return (f"{finding.verdict.name}: {finding.claim.what} ({decider}{finding.evidence})",)
