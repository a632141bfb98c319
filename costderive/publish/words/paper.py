"""A derivation as a paper: the setting, two theorems and their proofs, the entropy, what was checked.

The result is plain data (see ``blocks``); exporters to LaTeX, HTML or notebooks render it.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integral

from costderive.batch import BatchDerivation
from costderive.batch.batch_moves import AddInstances
from costderive.core.curve_parameters import OneWay
from costderive.core.errors import ExportError
from costderive.core.piecewise import Piece, Pieces
from costderive.core.symbols import p, q
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation, losses
from costderive.multiclass import MulticlassDerivation
from costderive.proof.checker import check
from costderive.proof.claims import Case, Report, Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import Part, formula, width
from costderive.publish.words import paper_of_batches, paper_of_classes, paper_of_losses
from costderive.publish.words.context_phrases import setting
from costderive.publish.words.displays import Names, condition, definitions, function, names
from costderive.publish.words.document_blocks import (
    Block,
    Display,
    Heading,
    Paragraph,
    Proof,
    Prose,
    Story,
    Theorem,
    before_appendix,
    joined,
    merged,
    prose,
)
from costderive.publish.words.findings import kind_of_rule, paper, proof_status, remark, shows
from costderive.publish.words.law_phrases import Setting
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_from_functions import described
from costderive.publish.words.proofs_of_properness import (
    gaps,
    has_density,
    has_integral,
    vanishes_outside,
)
from costderive.publish.words.scene import (
    PROPER,
    RISK,
    Scene,
    atoms_in_words,
    listed,
    ranges,
    say,
    series,
    show,
)
from costderive.rules import Losses, Properness, odds_form
from costderive.rules.case_losses import curves_of
from costderive.rules.given_by import GivenCdf, Origin
from costderive.rules.loss_pair import LossPair

LIMITS = 50.0  # the widest expected costs that are worth a place in a sentence, in digits
ENTROPY = 60.0  # the widest entropy that is worth a display, in digits


def story(derivation: Certified, report: Report | None = None) -> Story:
    """Return the paper on a derivation and the findings on it; without a report it is checked first."""
    report = check(derivation) if report is None else report
    if isinstance(derivation, MulticlassDerivation):
        return paper_of_classes.story(derivation, report)
    if isinstance(derivation, BatchDerivation):
        return paper_of_batches.story(derivation, report, _of_one(derivation, report))
    if not isinstance(derivation, Derivation):
        raise ExportError(f"{type(derivation).__name__} has no article yet", "Print its findings instead.")
    if isinstance(derivation.context, GivenCdf):
        raise ExportError("losses of a linear predictor have no article yet", "Print their findings instead.")
    if all(isinstance(losses(case), LossPair) for case in derivation.cases):
        return _pair_story(derivation, report)
    where = _setting(derivation)
    named = names(
        function for case in derivation.cases for function in (losses(case).loss0, losses(case).loss1)
    )
    scenes = tuple(Scene(case, named, where.bounded) for case in derivation.cases)
    blocks = (
        *_conventions(where),
        Heading(prose("The cost context"), "sec:context"),
        *where.blocks,
        Heading(prose("The expected loss is a score")),
        *_score(scenes, where, named, remark(report)),
        Heading(prose("Properness")),
        *_properness(scenes, remark(report)),
        *_entropy(scenes, remark(report)),
    )
    title = prose("The {} of {}", kind_of_rule(report), where.name)
    return paper(title, _abstract(where, scenes, report), blocks, report)


def _of_one(derivation: BatchDerivation, report: Report) -> tuple[Block, ...]:
    """Describe the rule of one instance that a rule of a batch adds up, if it adds up one."""
    bases = [step.move.base for step in derivation.steps if isinstance(step.move, AddInstances)]
    return before_appendix(story(bases[0], report).blocks) if bases else ()


def _setting(derivation: Derivation) -> Setting:
    if not isinstance(derivation.context, Origin):
        return setting(derivation)
    where = described(derivation.context)
    return replace(where, blocks=(*where.blocks, *parameters(derivation)))


def _pair_story(derivation: Derivation, report: Report) -> Story:
    """Return the paper on a pair of losses that need not be proper."""
    blocks = paper_of_losses.body(derivation, remark(report))
    abstract = paper_of_losses.abstract(derivation, report)
    return paper(paper_of_losses.title(derivation), abstract, blocks, report)


# ---- before the theorems


def _abstract(where: Setting, scenes: tuple[Scene, ...], report: Report) -> Prose:
    return prose(
        "A binary classifier predicts the probability $p$ of class 1, and decides by comparing it with the cost "
        "proportion $s = c_0/(c_0 + c_1)$, where $c_y$ is the cost of misclassifying an instance of class $y$. Let "
        "{}. We derive the losses $L_0$ and $L_1$ whose mean is {} of these decisions, and {} that they form {}. {}",
        *(where.law, _what(where), shows(report), _kind(scenes), proof_status(report)),
    )


def _what(where: Setting) -> str:
    return "the total cost, by this law," if where.improper else "the expected cost"


def _kind(scenes: tuple[Scene, ...]) -> str:
    found = [properness(scene.case) for scene in scenes]
    if any(x is None for x in found):
        return "a scoring rule"
    strict = all(x is not None and x.everywhere for x in found)
    return "a strictly proper scoring rule" if strict else "a proper scoring rule"


def properness(case: Case) -> Properness | None:
    """Return the last statement on properness that a case arrives at."""
    return next((step.after for step in reversed(case.steps) if isinstance(step.after, Properness)), None)


POSITIVE = "With class 1 called positive, $c_0$ is the cost of a false positive and $c_1$ the cost of a false negative."


def _conventions(where: Setting) -> tuple[Block, ...]:
    law = "have a law that is" if where.improper else "are random and"
    texts = (
        r"An instance has a class $Y \in \{0, 1\}$, with $\pi_y = \Pr(Y = y) > 0$, and a model predicts the "
        r"probability $p \in [0, 1]$ of class 1. Within class $y$, the prediction has the distribution "
        r"function $F_y(t) = \Pr(p \le t \mid Y = y)$ and, if there is one, the density $f_y$.",
        rf"Misclassifying an instance of class $y$ costs $c_y \ge 0$. {POSITIVE} The cost proportion is "
        rf"$s = c_0/(c_0 + c_1)$. The costs {law} independent of $(p, Y)$.",
        r"The classifier decides for class 1 if $p > s$, and for class 0 if $p \le s$. If $p$ is right, "
        r"this is the cheaper decision: deciding for class 1 then costs $(1 - p) \, c_0$ on average and "
        r"deciding for class 0 costs $p \, c_1$, and the former is less if and only if $p > s$. This "
        r"choice of the threshold is studied in [@HernandezOrallo2011], [@HernandezOrallo2012].",
        r"A scoring rule is a pair of losses $L_0, L_1 \colon [0, 1] \to [0, \infty]$; predicting $p$ "
        r"loses $L_y(p)$ if the class is $y$. Under the belief that class 1 has probability $q$, the "
        r"report $p$ has the risk",
    )
    proper = say(
        f"{PROPER} Up to their values at ties, proper scoring rules whose "
        "losses are finite in $(0, 1)$, with $L_0(0+) = L_1(1-) = 0$, are mixtures of "
        "cost-weighted misclassification losses over the threshold $s$ [@Schervish1989], [@Buja2005]; the "
        "mixing measure $\\Omega$ is called the threshold weight here, and $\\omega$ is its density."
    )
    return Heading(prose("Conventions")), *map(say, texts), show(RISK), proper


# ---- the first theorem


def _score(scenes: tuple[Scene, ...], where: Setting, named: Names, remark: str) -> tuple[Block, ...]:
    stated = merged([(_condition(scene), _losses(scene)) for scene in scenes])
    opening = say("Let {}{}", where.law, _hypothesis(scenes, where)), _equality(scenes)
    long = (say("where"), definitions(named)) if named else ()
    theorem = Theorem(
        "Theorem",
        "the expected loss is a score",
        (*opening, *stated, *long, *_densities(scenes)),
        "thm:score",
        remark,
    )
    proof = Proof(_description(scenes, before_losses=True), remark)
    return theorem, proof, *_remarks(scenes, where)


def _hypothesis(scenes: tuple[Scene, ...], where: Setting) -> Prose:
    """State when the boundary terms of the integration by parts vanish, where that is not automatic."""
    wanted = []
    for which, name in ((0, "worst0"), (1, "worst1")):
        if not all(scene.finite(getattr(scene.losses, name)) for scene in scenes):
            wanted.append(finite_mean(which))
    suppose = prose(" Suppose that {}.", listed(wanted)) if wanted else ""
    added = "loss $L$ of the decisions, added up over this law,"
    return prose(
        ", let the costs be independent of $(p, Y)$, and let the threshold be $s$.{} Then the "
        f"{added if where.improper else 'expected loss $L$ of the decisions'} is",
        suppose,
    )


def finite_mean(label: int) -> Row:
    """Write that a loss has a finite expectation within its class."""
    return formula(r"\mathbb{E}[L_{}(p) \mid Y = {}] < \infty", label, label)


def _equality(scenes: tuple[Scene, ...]) -> Display:
    return show(
        r"L = \int_0^1 \bigl(\pi_0 s \, (1 - F_0(s)) + \pi_1 (1 - s) \, F_1(s)\bigr) \, {} = "
        r"\pi_0 \, \mathbb{E}[L_0(p) \mid Y = 0] + \pi_1 \, \mathbb{E}[L_1(p) \mid Y = 1]",
        scenes[0].measure,
    )


def _losses(scene: Scene) -> tuple[Block, ...]:
    """State the threshold weight and the losses of a case."""
    found = scene.losses
    density = (function(r"\omega(s)", found.weight.density, {}),)
    return (
        say("with the threshold weight{} and the losses", _atoms(found)),
        *(density if has_density(found) else ()),
        function("L_0(p)", found.loss0, scene.names, closed=True),
        function("L_1(p)", found.loss1, scene.names, closed=True),
    )


def _atoms(found: Losses) -> Prose:
    if not found.weight.atoms:
        return ()
    kind = "an atom" if len(found.weight.atoms) == 1 else "atoms"
    besides = "besides its density $\\omega$" if has_density(found) else "and no density"
    return prose(f" $\\Omega$, which has {kind} of {{}} {besides},", atoms_in_words(found.weight.atoms))


def _densities(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    values = {(scene.losses.worst0, scene.losses.worst1) for scene in scenes}
    first, second = values.pop()
    if values or first.has(Integral) or second.has(Integral) or width(first) + width(second) > LIMITS:
        ends: tuple[Part, Part] = (r"L_0(1) = \mathbb{E}[c_0]", r"L_1(0) = \mathbb{E}[c_1]")
    else:
        ends = expected_costs(scenes[0].losses)
    text = (
        "The values at 0 and 1 are the limits: $L_0(0) = 0$ and $L_1(1) = 0$, ${}$ and ${}$. If the predictions have "
        r"densities, then $L = \pi_0 \int_0^1 L_0(p) f_0(p) \, dp + \pi_1 \int_0^1 L_1(p) f_1(p) \, dp$."
    )
    return (say(text, *ends),)


def expected_costs(found: Losses) -> tuple[Row, Row]:
    """Write the expected costs, which are the largest losses."""
    return (
        formula(r"L_0(1) = \mathbb{E}[c_0] = {}", found.worst0),
        formula(r"L_1(0) = \mathbb{E}[c_1] = {}", found.worst1),
    )


def _description(scenes: tuple[Scene, ...], *, before_losses: bool) -> tuple[Block, ...]:
    """Describe the steps up to the losses, or those after them, all cases together."""
    blocks: tuple[Block, ...] = ()
    columns = [_part(scene.case, before_losses) for scene in scenes]
    if len({len(steps) for steps in columns}) > 1:
        return merged(
            [
                (_condition(s), tuple(b for step in steps for b in describe(step, s)))
                for s, steps in zip(scenes, columns, strict=True)
            ]
        )
    for steps in zip(*columns, strict=True):
        blocks += merged(
            [(_condition(scene), describe(step, scene)) for scene, step in zip(scenes, steps, strict=True)]
        )
    return blocks


def _part(case: Case, before_losses: bool) -> tuple[Step, ...]:
    last = next(i for i, step in enumerate(case.steps) if isinstance(step.after, Losses))
    return case.steps[: last + 1] if before_losses else case.steps[last + 1 :]


def _condition(scene: Scene) -> Row:
    return condition(scene.case.given)


def _remarks(scenes: tuple[Scene, ...], where: Setting) -> tuple[Block, ...]:
    blocks: tuple[Block, ...] = ()
    if where.known:
        blocks += (Paragraph(where.known),)
    if not all(scene.finite(x) for scene in scenes for x in (scene.losses.worst0, scene.losses.worst1)):
        text = (
            r"If the hypothesis fails, the equality still holds, with both sides infinite: for class 0, Tonelli's "
            r"theorem gives $\int_0^1 s \, \Pr(p > s \mid Y = 0) \, {} = \mathbb{E}\bigl[\int_0^p s \, {} \bigm| Y = "
            r"0\bigr]$, and alike for class 1."
        )
        blocks += (say(text, scenes[0].measure, scenes[0].measure),)
    for curve in dict.fromkeys(curve for scene in scenes for curve in curves_of(scene.losses)):
        blocks += (say("In the losses {}.", root_of(curve)),)
    if any(has_integral(scene.losses) for scene in scenes):
        blocks += (say(f"{OPEN_FORM} {_SEARCH}"),)
    return blocks


def root_of(curve: OneWay) -> Prose:
    """Say of which equation the parameter of a curve is the root."""
    x = curve.variable
    text = (
        "${}(p)$ is the root {} of $c_0/(c_0 + c_1) = p$, with $c_0 = {}$ and $c_1 = {}$, between {} and {}"
    )
    return prose(text, x, x, curve.c0, curve.c1, curve.low, curve.high)


OPEN_FORM = (
    "No antiderivative in closed form was found, so losses stay integrals, to be evaluated numerically."
)
_SEARCH = (
    "The search tries, within limits of time and size, rational and radical substitutions in $s$ and in the odds "
    "$s/(1 - s)$, undetermined coefficients over roots, exponentials, logarithms, error functions and incomplete Beta "
    "and Gamma functions, and general integration by rules; that it ended without one does not say that there is none. "
    "The theorems hold for the integrals as they stand."
)


# ---- the second theorem


def _properness(scenes: tuple[Scene, ...], remark: str) -> tuple[Block, ...]:
    stated = merged([(_condition(scene), _strictness(scene)) for scene in scenes])
    kind = "strictly proper" if _strictly(scenes) else "proper"
    opening = say(f"The scoring rule $(L_0, L_1)$ of Theorem {{#thm:score}} is {kind}. ")
    theorem = Theorem("Theorem", "properness", joined(opening, *stated), "thm:proper", remark)
    return theorem, Proof(_description(scenes, before_losses=False), remark)


def _strictly(scenes: tuple[Scene, ...]) -> bool:
    return all((found := properness(scene.case)) is not None and found.everywhere for scene in scenes)


def _strictness(scene: Scene) -> tuple[Block, ...]:
    found = properness(scene.case)
    if found is None:
        return ()
    if found.everywhere:
        return (say("That is, $R(p|q) > R(q|q)$ for all $p \\ne q$ in $[0, 1]$."),)
    if scene.losses.weight.atoms:
        text = (
            r"For $q < p$ equality $R(p|q) = R(q|q)$ holds if and only if $\Omega$ has no mass in the "
            r"interval $(q, p)$, for $p < q$ if and only if it has none in $[p, q)$."
        )
        return (say(text),)
    if not found.strict:
        return (say("Strictness is not claimed for any belief."),)
    strict = "It is strictly proper for beliefs $q$ in {}: then $R(p|q) > R(q|q)$ for every $p \\ne q$. {}"
    return (say(strict, ranges(found.strict, " or in "), _ties(found, scene.losses)),)


def _ties(found: Properness, losses_found: Losses) -> Prose:
    """Say what happens where the rule is not strict."""
    if not vanishes_outside(losses_found):
        return ("For other beliefs strictness is not claimed.",)
    ties = [prose("both lie in $[{}, {}]$", low, high) for low, high in gaps(found)]
    return prose(
        "In general, $R(p|q) = R(q|q)$ if and only if $p = q$ or {}: there both losses are constant, so all reports "
        "tie.",
        series(ties, " or "),
    )


# ---- the entropy


def _entropy(scenes: tuple[Scene, ...], remark: str) -> tuple[Block, ...]:
    stated = merged([(_condition(scene), _entropy_display(scene)) for scene in scenes])
    breaks = any(scene.losses.loss0.breaks for scene in scenes)
    away = " away from the breakpoints" if breaks else ""
    closing = " It is" if stated else ""
    concave = (
        r"The entropy $H(q) = R(q|q)$, the least expected loss under the belief $q$, is concave on $(0, "
        r"1)$ with "
        rf"$H'' = -\omega${away}.{closing}"
    )
    opening = (say(concave), *stated)
    proof = (
        r"$H'(q) = L_1(q) - L_0(q)$, since the terms with $L_0'$ and $L_1'$ add up to $\omega(q) \, (q - "
        r"q) = 0$. So $H'$ is continuous, and $H''(q) = L_1'(q) - L_0'(q) = -(1 - q) \, \omega(q) - q \, "
        r"\omega(q) = -\omega(q) \le 0$. (Compare [@Gneiting2007, Theorem 1].)"
    )
    if any(scene.losses.weight.atoms for scene in scenes):
        return ()
    return Theorem("Corollary", "entropy", opening, "thm:entropy", remark), Proof((say(proof),), remark)


def _entropy_display(scene: Scene) -> tuple[Block, ...]:
    found = scene.losses
    rows = [_entropy_piece(first, second) for first, second in zip(found.loss0, found.loss1, strict=True)]
    if any(piece.value.has(Integral) or width(piece.value) > ENTROPY for piece in rows):
        return ()
    return (function("H(q)", Pieces(q, tuple(rows)), {}, closed=True),)


def _entropy_piece(first: Piece, second: Piece) -> Piece:
    value = (1 - p) * first.value + p * second.value
    return Piece(
        first.low, first.high, (value if value.has(Integral) else odds_form.tidy(value, p)).subs(p, q)
    )
