"""A derivation of K classes as a paper: its costs or its entropy, the losses, properness, what was checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from costderive.costs.laws import uniform
from costderive.multiclass import ClassCosts, DirichletCosts, IndependentCosts, MulticlassDerivation
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.similar_classes import exchanged
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import Cell, ClassLosses, IndependentDistributions
from costderive.proof.claims import Report, Step
from costderive.publish.formulas.printing import formula
from costderive.publish.formulas.width import shortened
from costderive.publish.words.appendix import paper
from costderive.publish.words.common_names import multiple
from costderive.publish.words.context_phrases import setting_of
from costderive.publish.words.displays import LINE, equal
from costderive.publish.words.document_blocks import (
    Block,
    Heading,
    Proof,
    Prose,
    Story,
    Theorem,
    prose,
)
from costderive.publish.words.findings import kind_of_rule, proof_status, remark, sentence, shows
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.paper_beyond_properness import beyond
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_for_classes import (
    LOSS,
    ClassScene,
    distribution_functions,
    factor_of,
    order_of,
    strictness,
)
from costderive.publish.words.proofs_on_the_simplex import entropy, losses_of, properness
from costderive.publish.words.scene import by_label, counted, on_properness, say, series, show
from costderive.rules import Judgement

Blocks = tuple[Block, ...]
ROOM = 12.0  # of a line, in digits, for what stands left of a term
STATED = 12  # cells whose losses a theorem states


def story(derivation: MulticlassDerivation, report: Report) -> Story:
    """Return the paper on a derivation of K classes and the findings on it."""
    if isinstance(derivation.context, ClassCosts):
        return _of_costs(derivation, derivation.context, report)
    return _of_entropy(derivation, report)


def _scoring_rule(opening: str, closing: str) -> Iterator[Block]:
    """Say what a forecast and a scoring rule are; the texts come before and after the risk."""
    yield say(opening)
    yield show(r"R(p|q) = \sum_i q_i \, L_i(p).")
    yield say(
        "The rule is proper if $R(p|q) \\ge R(q|q)$ for all forecasts $p$ and beliefs $q$, and strictly proper if "
        f"equality holds for $p = q$ alone [@Gneiting2007].{closing}"
    )


# ---- costs


def _of_costs(derivation: MulticlassDerivation, context: ClassCosts, report: Report) -> Story:
    count = context.classes
    where, note = setting_of(context), remark(report)
    law = where.law
    scene = ClassScene(derivation.cases[0], count)
    *to_losses, proper = _parts(derivation, BayesProperness)
    others = derivation.cases[0].steps[len(to_losses) + 1 :]
    blocks = (
        Heading(prose("Introduction")),
        say(_QUESTION, where.name, _classes(count), _of_two(context)),
        Heading(prose("Conventions")),
        *_cost_conventions(count),
        Heading(prose("The cost context"), "sec:context"),
        say("We suppose that {}.", law),
        *parameters(derivation),
        Heading(prose("The expected cost is a score")),
        *_score(scene, law, proper.before, note),
        Proof(tuple(block for step in to_losses for block in describe(step, scene)), note),
        Heading(prose("Properness")),
        *_proper(proper, note),
        Proof(describe(proper, scene), note),
        *_entropy_of_costs(count, note),
        *beyond(others, scene, note),
    )
    title = prose("The {} of {}, for {}", kind_of_rule(report), where.name, _classes(count))
    return paper(title, _abstract(count, law, proper, report), blocks, report)


_QUESTION = (
    "A classifier that knows what its errors cost decides for the class that makes the mean cost of its decision "
    "least. If the costs are independent of the instance and its prediction, the mean cost of such decisions is the "
    "mean "
    "of a scoring rule of the predicted probabilities. For two classes and a uniform cost proportion, additive costs "
    "lead to the Brier score [@HernandezOrallo2011], [@HernandezOrallo2012], and harmonic costs to the log loss "
    "[@Flach2015]. This article finds the rule of {}, for "
    "{}: Theorem {#thm:score} gives its losses.{}"
)


def _of_two(context: ClassCosts) -> Prose:
    """Say that the rule is new, and what it tends to where two classes alone are left."""
    if context.classes == 2:
        return ()
    return prose(f"{_MORE_THAN_TWO}{{}}.", _limit(context))


_MORE_THAN_TWO = (
    " None of the sources cited here has such costs for more than two classes. As the probabilities of all classes but "
    "two vanish, the losses of these two tend to "
)


def _limit(context: ClassCosts) -> Prose:
    """Name the rule of two classes."""
    if isinstance(context, DirichletCosts) and set(context.shapes) == {1}:
        text = "those of additive costs with a uniform cost proportion, which are {}the Brier score"
        return prose(text, multiple(context.budget / context.classes))
    laws = {law.name for law in context.laws} if isinstance(context, IndependentCosts) else set()
    if laws == {uniform(0, 1).name}:
        return prose("the Inverse Score of [@Grygorian2019, Theorem 3]")
    return prose("those of their costs with two classes")


def _parts(derivation: MulticlassDerivation, arrival: type) -> list[Step]:
    """Return the steps up to the first that arrives at a kind of conclusion."""
    (case,) = derivation.cases
    last = next(n for n, step in enumerate(case.steps) if isinstance(step.after, arrival))
    return list(case.steps[: last + 1])


def _classes(count: int) -> str:
    return f"{counted(count)} classes"


ERRORS = r"Misclassifying an instance of class $i$ costs $c_i \ge 0$, whichever other class is decided for."
DECISION = "for the class $i$ with the largest $p_i c_i$, and for the first one if there are several"


def _cost_conventions(count: int) -> Iterator[Block]:
    yield say(
        rf"An instance has a class $Y \in \{{{by_label('{}', count)}\}}$, with $\pi_i = \Pr(Y = i) > 0$, and a model "
        rf"predicts the probabilities $p = ({by_label('p_{{{}}}', count)})$ of the classes, which are positive "
        "and add up to one."
    )
    yield say(rf"{ERRORS} The costs are random and independent of $(p, Y)$.")
    yield say(
        rf"The classifier decides {DECISION}. If $p$ is right, "
        r"this is the cheapest decision: deciding for class $i$ costs $\sum_{j "
        r"\ne i} p_j c_j$ on average, which is the sum over all classes less $p_i c_i$."
    )
    opening = (
        r"A scoring rule is a loss $L_i$ for each class $i$; predicting $p$ loses $L_i(p)$ if the class is "
        rf"$i$. Under the belief that the classes have the probabilities $q = ({by_label('q_{{{}}}', count)})$, the "
        r"forecast $p$ has the risk"
    )
    closing = " All losses below depend on the ratios of the $p_i$ alone."
    yield from _scoring_rule(opening, closing)


def _abstract(count: int, law: Prose, proper: Step, report: Report) -> Prose:
    kind = "strictly proper" if proper.after.judgement is Judgement.STRICTLY_PROPER else "proper"
    return prose(
        f"A classifier of {_classes(count)} predicts the probability $p_i$ of each class $i$, and decides for the one "
        "with the largest $p_i c_i$, where $c_i$ is the cost of misclassifying an instance of class $i$. We suppose "
        "that {}. We derive the losses $L_i$ whose mean is the expected cost of these decisions, and {} that they "
        "form a {} scoring rule. {}",
        *(law, shows(report), kind, proof_status(report)),
    )


# ---- the first theorem


def _score(scene: ClassScene, law: Prose, found: ClassLosses | SingleIntegrals, note: str) -> Iterator[Block]:
    opening = (
        say(_SUPPOSED, law),
        show(r"L = \sum_i \pi_i \, \mathbb{E}[L_i(p) \mid Y = i]"),
    )
    yield Theorem("Theorem", "the expected cost is a score", (*opening, *_stated(found)), "thm:score", note)


_SUPPOSED = (
    "Suppose that {}. Let the costs be independent of $(p, Y)$, let all $p_i$ be positive, and let the decision be as "
    "above. Then its expected cost is"
)


def single_integrals(found: SingleIntegrals) -> Iterator[Block]:
    """State the losses as single integrals of the distribution functions."""
    yield show(f"{LOSS},", factor_of(found.costs))
    shared = "b" if found.costs.factor != 1 else "c"
    yield say("with the distribution functions $G_i$ of the costs ${}_i$:", shared)
    yield from distribution_functions(found.costs)


def _stated(found: ClassLosses | SingleIntegrals) -> Iterator[Block]:
    """State the losses in every cell, or in the first ones."""
    if isinstance(found, SingleIntegrals):
        yield say("with the losses")
        yield from single_integrals(found)
        return
    alone = len(found.cells) == 1 and len(found.cells[0].order) < 2
    for number, cell in enumerate(found.cells[:STATED]):
        opening = "" if number else "with losses that are, "
        yield say("with the losses") if alone else say("{}where {},", opening, order_of(cell.order))
        yield from losses_in(cell)
    if exchanged(found.costs):
        yield say(EXCHANGED)
    if len(found.cells) > STATED:
        yield say(
            f"There are {len(found.cells) - STATED} more orders of this kind; the certificate of the "
            f"derivation lists "
            "the losses in each, and the formula {#eq:loss} of the proof holds in all of them."
        )


EXCHANGED = (
    "Costs with the same law may be exchanged: by this symmetry, the losses in the other orders are those above with "
    "the classes exchanged."
)


def expected_costs(costs: IndependentDistributions) -> Prose:
    """List the expectations of the costs."""
    means = [
        formula(r"\mathbb{E}[c_{{}}] = {}", label, costs.factor * one.mean)
        for label, one in enumerate(costs.of_class)
    ]
    return series(means)


def losses_in(cell: Cell) -> Iterator[Block]:
    """Write the losses of all classes in one order."""
    for label, loss in enumerate(cell.losses):
        yield equal(formula("L_{{}}(p)", label), shortened(loss, LINE - ROOM))


# ---- the second theorem


def _proper(step: Step, note: str) -> Iterator[Block]:
    kind = "strictly proper" if step.after.judgement is Judgement.STRICTLY_PROPER else "proper"
    text = "The scoring rule $(L_i)$ of Theorem {#thm:score} is {}. {}"
    statement = (say(text, kind, strictness(step.after.strict)),)
    yield Theorem("Theorem", "properness", statement, "thm:proper", note)


def _entropy_of_costs(count: int, note: str) -> Iterator[Block]:
    statement = (
        say(
            "The entropy $H(q) = R(q|q)$, the least expected loss under the belief $q$, is the concave function"
        ),
        show(r"H(q) = \mathbb{E}\Bigl[\sum_i q_i c_i - \max_i q_i c_i\Bigr] = \sum_i q_i \, L_i(q),"),
        say(
            r"and the risk $R(p|q)$ is, as a function of $q$, linear, nowhere below $H$, and equal to it at "
            r"$q = p$."
        ),
    )
    yield Theorem("Corollary", "entropy", statement, "thm:entropy", note)
    proof = (
        r"$R(q|q)$ is $\sum_i q_i \, L_i(q)$ by definition, and $\mathbb{E}\bigl[\sum_i q_i c_i\bigr] - "
        r"\mathbb{E}[q_a c_a]$, where $a$ is the class "
        r"decided for under $q$, and $q_a c_a$ is the largest of the $q_i c_i$. For any costs the bracket is "
        r"a linear function less a maximum of linear ones, hence concave. The rest says that the rule is "
        r"proper. (Compare [@Gneiting2007, Theorem 1].)"
    )
    yield Proof((say(proof),), note)


# ---- entropies


def _of_entropy(derivation: MulticlassDerivation, report: Report) -> Story:
    (case,) = derivation.cases
    context: Any = derivation.context
    note, scene = remark(report), ClassScene(case, 0)
    taken, judged, *others = case.steps
    opening = (
        "A forecast $p = (p_0, p_1, \\ldots)$ has the probabilities of the classes, which are positive and "
        "add up to one: a point of the open simplex. A scoring rule is a loss $L_i$ for each class $i$; "
        "predicting $p$ loses $L_i(p)$ if the class is $i$. Under the belief $q$ the forecast $p$ has the "
        "risk"
    )
    blocks = (
        Heading(prose("Conventions")),
        *_scoring_rule(opening, " Where probabilities are 0, the losses are the limits as these vanish."),
        Heading(prose("The entropy and its losses")),
        *entropy(context),
        *parameters(derivation),
        Theorem("Theorem", "losses", tuple(losses_of(taken.after, "L")), "thm:losses", note),
        Proof(describe(taken, scene), note),
        Heading(prose("Properness")),
        *on_properness(judged.after, properness(judged.after), describe(judged, scene), "thm:proper", note),
        *beyond(others, scene, note),
    )
    concluded = derivation.concluded
    title = prose("The scoring rule of an entropy on the simplex")
    found = (
        "We leave open whether it is proper."
        if concluded is Judgement.UNDECIDED
        else sentence(f"it is {concluded}", report)
    )
    abstract = prose(
        f"We derive a scoring rule for several classes from an entropy on the simplex of their "
        f"probabilities, by the Savage representation. {found} {proof_status(report)}"
    )
    return paper(title, abstract, blocks, report)
