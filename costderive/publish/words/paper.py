"""A derivation as a paper: the setting, two theorems and their proofs, the entropy, what was checked.

The result is plain data (see ``blocks``); exporters to LaTeX, HTML or notebooks render it.
"""

from __future__ import annotations

from dataclasses import replace

from costderive.batch import BatchDerivation
from costderive.batch.batch_moves import AddInstances
from costderive.core.errors import ExportError
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass import CostMatrix, MulticlassDerivation
from costderive.proof.checker import check
from costderive.proof.claims import Report
from costderive.publish.words import (
    front_matter,
    paper_of_batches,
    paper_of_classes,
    paper_of_losses,
    paper_of_matrices,
)
from costderive.publish.words.appendix import paper, with_appendix
from costderive.publish.words.context_phrases import setting, zero_bounds
from costderive.publish.words.document_blocks import Block, Heading, Story, before_appendix, prose
from costderive.publish.words.entropy_of_costs import entropy_corollary, has_formula, unchecked
from costderive.publish.words.findings import remark
from costderive.publish.words.law_phrases import Setting
from costderive.publish.words.long_values import names
from costderive.publish.words.mirrored import long_losses
from costderive.publish.words.one_formula import one_formula
from costderive.publish.words.paper_of_costs import paid_when_sure, properness_theorem, score_theorem
from costderive.publish.words.parameters import assumed, parameters
from costderive.publish.words.parts_phrases import require_parts_of, with_parts
from costderive.publish.words.proofs_by_held_costs import finite_means
from costderive.publish.words.proofs_from_functions import described
from costderive.publish.words.scene import Scene
from costderive.rules.given_by import GivenCdf, Origin
from costderive.rules.loss_pair import LossPair


def story(
    derivation: Certified,
    report: Report | None = None,
    *,
    self_contained: bool = True,
    made_of: CostsOfParts | None = None,
) -> Story:
    """Return the paper on a derivation and the findings on it; without a report it is checked first.

    One on the losses of costs that is not ``self_contained`` cites the preliminaries for what holds for all costs.
    ``made_of`` has the parts of the costs.

    Raises:
        ExportError: if the derivation has no article, or ``made_of`` is of other costs.
    """
    require_parts_of(derivation.context, made_of)
    report = check(derivation) if report is None else report
    return with_appendix(_story(derivation, report, self_contained, made_of), derivation, report)


def _story(
    derivation: Certified, report: Report, self_contained: bool, made_of: CostsOfParts | None
) -> Story:
    if isinstance(derivation, MulticlassDerivation):
        if isinstance(derivation.context, CostMatrix):
            return paper_of_matrices.story(derivation, report)
        return paper_of_classes.story(derivation, report)
    if isinstance(derivation, BatchDerivation):
        return paper_of_batches.story(derivation, report, _of_one(derivation, report))
    if not isinstance(derivation, Derivation):
        raise ExportError(f"{type(derivation).__name__} has no article yet", "Print its findings instead.")
    if isinstance(derivation.context, GivenCdf):
        raise ExportError("losses of a linear predictor have no article yet", "Print their findings instead.")
    if all(isinstance(losses(case), LossPair) for case in derivation.cases):
        return _pair_story(derivation, report)
    return _story_of_costs(derivation, report, made_of, brief=not self_contained)


def _story_of_costs(
    derivation: Derivation, report: Report, made_of: CostsOfParts | None, *, brief: bool
) -> Story:
    """Return the paper on the losses of costs, or of what stands for them: a threshold weight or a link."""
    where, context = _assuming(with_parts(_setting(derivation), made_of), derivation), derivation.context
    brief = brief and not isinstance(context, Origin)
    named = names(x for case in derivation.cases for x in long_losses(case))
    scenes = tuple(
        Scene(case, named, where.bounded or all(finite_means(case)), brief) for case in derivation.cases
    )
    one = one_formula(scenes)
    introduction = (
        ()
        if isinstance(context, Origin)
        else front_matter.introduction(derivation, where, scenes, in_one_formula=one is not None)
    )
    corollary = entropy_corollary(scenes, one, remark(report))
    blocks = (
        *introduction,
        *front_matter.conventions(context, where, brief=brief),
        Heading(prose("The cost context"), "sec:context"),
        *where.blocks,
        *paid_when_sure(scenes),
        Heading(prose("The expected loss is a score")),
        *score_theorem(scenes, where, named, one, remark(report)),
        Heading(prose("Properness")),
        *properness_theorem(scenes, remark(report)),
        *corollary,
        *zero_bounds(context),
    )
    title = front_matter.title(derivation, where.named, report)
    abstract = front_matter.abstract(derivation, where, scenes, report)
    return paper(title, abstract, blocks, report, unchecked(one, stated=has_formula(corollary)))


def _of_one(derivation: BatchDerivation, report: Report) -> tuple[Block, ...]:
    """Describe the rule of one instance that a rule of a batch adds up, if it adds up one."""
    bases = [step.move.base for step in derivation.steps if isinstance(step.move, AddInstances)]
    return before_appendix(story(bases[0], report).blocks) if bases else ()


def _setting(derivation: Derivation) -> Setting:
    if not isinstance(derivation.context, Origin):
        return setting(derivation)
    where = described(derivation.context)
    return replace(where, blocks=(*where.blocks, *parameters(derivation)))


def _assuming(where: Setting, derivation: Derivation) -> Setting:
    """Say in the law of costs what is assumed of its parameters."""
    facts = assumed(derivation)
    if not facts:
        return where
    law, short = (prose("{}, and let {}", facts, x) if x else x for x in (where.law, where.short))
    return replace(where, law=law, short=short)


def _pair_story(derivation: Derivation, report: Report) -> Story:
    """Return the paper on a pair of losses that need not be proper."""
    blocks = paper_of_losses.body(derivation, remark(report))
    abstract = paper_of_losses.abstract(derivation, report)
    return paper(paper_of_losses.title(derivation), abstract, blocks, report)
