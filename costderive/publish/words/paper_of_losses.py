"""A pair of losses as a paper: where it comes from, and the proof that it is proper or the witness against it."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr

from costderive.core.symbols import p
from costderive.costs.contexts import FixedCosts
from costderive.costs.thresholds import (
    DistortedThreshold,
    ThresholdedContext,
)
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.moves import DistortThreshold
from costderive.proof.claims import Case, Report
from costderive.publish.formulas.formula import Ratio, Row, small, walk
from costderive.publish.formulas.printing import chain, drawn, formula
from costderive.publish.words import paper_of_thresholds as thresholds
from costderive.publish.words.calibrated_thresholds import (
    against_other_thresholds,
    against_threshold,
    better_by_threshold,
    holding,
    only_if_calibrated,
)
from costderive.publish.words.common_names import common, named, of_both_classes
from costderive.publish.words.context_phrases import setting, threshold
from costderive.publish.words.curve_roots import roots_in
from costderive.publish.words.displays import condition, equal, function, interval
from costderive.publish.words.document_blocks import (
    Block,
    Heading,
    Proof,
    Prose,
    Theorem,
    by_cases,
    joined,
    merged,
    prose,
    remark_on,
)
from costderive.publish.words.findings import proof_status, sentence
from costderive.publish.words.front_matter import POSITIVE
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_from_functions import entropy
from costderive.publish.words.proofs_of_pairs import why_proper
from costderive.publish.words.scene import PROPER, RISK, against, fixed_threshold, ranges, say, series, show
from costderive.rules import (
    Calibration,
    Conclusion,
    ConditionalProperness,
    Improperness,
    Judgement,
    Losses,
    Miscalibration,
    Properness,
    RepairedProperness,
    Represented,
    Witness,
)
from costderive.rules.given_by import GivenEntropy
from costderive.rules.loss_pair import LossPair, Value, WeighedPair

Blocks = tuple[Block, ...]


def title(derivation: Derivation) -> Prose:
    """Return what the paper is about."""
    if isinstance(derivation.context, ThresholdedContext):
        rule = common(derivation)
        return prose(
            "The {} {} {}",
            rule.in_title if rule else "scoring rule",
            "from" if rule else "of",
            thresholds.decisions(derivation.context, derivation),
        )
    return prose("On the properness of a pair of losses")


def abstract(derivation: Derivation, report: Report) -> Prose:
    """Return the abstract."""
    best = " Under every belief, one of the reports 0 and 1 is best." if _best_reports(derivation) else ""
    found = f"{_found(derivation.concluded, report)}{best} {proof_status(report)}"
    if not isinstance(derivation.context, ThresholdedContext):
        return prose(f"We examine whether a pair of losses is a proper scoring rule. {found}")
    text = (
        f"A binary classifier predicts the probability $p$ of class 1, and decides {_way(derivation.context)}. Let "
        "{}. The threshold is {}. We derive the losses whose mean is the expected cost of these decisions{}. "
        f"{found}"
    )
    rule = common(derivation)
    known = prose(": {}", named(rule)) if rule else ""
    return prose(text, setting(derivation).law, threshold(derivation.context), known)


def _way(context: ThresholdedContext) -> str:
    """Say how a classifier decides that has a threshold of its own."""
    if isinstance(context.costs, FixedCosts):
        return "for that class if $p$ exceeds a threshold $T$"
    if isinstance(context.threshold, DistortedThreshold):
        which = "that depends on the costs of misclassification, but is not their proportion"
    else:
        which = "that does not depend on the costs of misclassification"
    return f"by comparing it with a threshold $T$ {which}"


def _found(concluded: Judgement, report: Report) -> str:
    if concluded is Judgement.UNDECIDED:
        return "Whether they form a proper scoring rule is left undecided."
    return sentence(f"as a scoring rule they are {concluded}", report)


def body(derivation: Derivation, remark: str) -> Blocks:
    """Return the blocks of the paper."""
    return (
        *thresholds.introduction(derivation),
        Heading(prose("Conventions")),
        *_conventions(),
        *_origin(derivation, remark),
        Heading(prose("Properness")),
        *_theorem(derivation, remark),
    )


def _conventions() -> Blocks:
    rule = (
        r"A scoring rule is a pair of losses $L_0, L_1 \colon [0, 1] \to (-\infty, \infty]$; predicting the "
        r"probability $p$ of class 1 loses $L_y(p)$ if the class is $y$. Under the belief that class 1 has "
        r"probability "
        "$q$, the report $p$ has the risk"
    )
    return say(rule), show(RISK), say(PROPER)


# ---- where the losses come from


def _origin(derivation: Derivation, remark: str) -> Blocks:
    if not isinstance(derivation.context, ThresholdedContext):
        pairs = _by_case(derivation, lambda case: pair_of_losses(_examined(case)))
        given = tuple(entropy(derivation.context)) if isinstance(derivation.context, GivenEntropy) else ()
        return Heading(prose("The losses")), *parameters(derivation), *given, say("The losses are"), *pairs
    where, context = setting(derivation), derivation.context
    statement = (
        say("Let {}{}", where.law, thresholds.hypothesis(context)),
        show(r"L = \pi_0 \, \mathbb{E}[L_0(p) \mid Y = 0] + \pi_1 \, \mathbb{E}[L_1(p) \mid Y = 1]"),
        say("with the losses"),
        *_by_case(derivation, lambda case: pair_of_losses(_examined(case))),
        *_common_form(derivation),
    )
    return (
        Heading(prose("The costs and the threshold"), "sec:context"),
        *joined(say(f"{_INSTANCE} {POSITIVE}{thresholds.OTHERS_CALL} "), *where.blocks),
        say(f"{thresholds.DECIDES} The threshold is {{}}.", threshold(derivation.context)),
        Theorem("Theorem", "the expected loss is a score", statement, "thm:score", remark),
        Proof(_by_case(derivation, lambda case: _means(context, case)), remark),
    )


_INSTANCE = (
    r"An instance has a class $Y \in \{0, 1\}$, with $\pi_y = \Pr(Y = y) > 0$, and a model predicts the probability "
    r"$p \in [0, 1]$ of class 1. Misclassifying an instance of class $y$ costs $c_y \ge 0$."
)


def _common_form(derivation: Derivation) -> Blocks:
    """Write the losses of a rule with a common name as one, if that is how it is known."""
    rule = common(derivation)
    form = of_both_classes(rule) if rule else ()
    return (say("{}", form),) if form else ()


def _means(context: ThresholdedContext, case: Case) -> Blocks:
    calibrated = next((step.before for step in case.steps if isinstance(step.move, DistortThreshold)), None)
    if calibrated is not None:
        return thresholds.means_if_distorted(calibrated)
    return thresholds.means(case, context)


def pair_of_losses(pair: LossPair) -> Blocks:
    """Write two losses, and their values where pieces alone do not say these."""
    written = loss_of(pair, 0), loss_of(pair, 1), *roots_in(pair)
    return written if _reach_ends(pair) else (*written, say("At the ends, {} and {}.", *ends(pair)))


def _reach_ends(pair: LossPair) -> bool:
    """Do the formulas of the first and the last piece hold at 0 and at 1, as they are written?"""
    return pair.from_the_left and all(
        loss.pieces[end].value.subs(loss.variable, value.at) == value.loss(label)
        for label, loss in enumerate((pair.loss0, pair.loss1))
        for end, value in ((0, pair.values[0]), (-1, pair.values[-1]))
    )


def loss_of(pair: Losses | LossPair, label: int) -> Block:
    """Write a loss by its pieces, with its values where it jumps if these are not those on the left."""
    left, loss = f"L_{label}(p)", (pair.loss0, pair.loss1)[label]
    if isinstance(pair, Losses):
        return function(left, loss, closed=True)
    if len(loss.pieces) == 1:
        return equal(left, loss.pieces[0].value)
    if pair.from_the_left:
        return by_cases(left, [(x.value, interval(x, loss.variable, closed=True)) for x in loss])
    rows: list[tuple[Expr, Row]] = []
    for piece, value in zip(loss, pair.values[1:], strict=True):
        rows.append((piece.value, interval(piece, loss.variable)))
        rows.append((value.loss(label), chain(" = ", (p, value.at))))
    return by_cases(left, rows[:-1])


def ends(pair: LossPair) -> tuple[Prose, Prose]:
    """Write the values at 0, and those at 1."""
    return _values(pair.values[0]), _values(pair.values[-1])


def _values(value: Value) -> Prose:
    return prose("$L_0({}) = {}$, $L_1({}) = {}$", value.at, value.loss0, value.at, value.loss1)


def _examined(case: Case) -> LossPair:
    found = losses(case)
    assert isinstance(found, LossPair)  # only derivations of pairs come here
    return found


def _by_case(derivation: Derivation, describe: Callable[[Case], Blocks]) -> Blocks:
    return merged([(condition(case.given), describe(case)) for case in derivation.cases])


# ---- the verdict


def _theorem(derivation: Derivation, remark: str) -> Blocks:
    if derivation.concluded is Judgement.UNDECIDED:
        return say(_OPEN), *_by_case(derivation, when_proper)
    statement = _by_case(derivation, _statement)
    theorem = Theorem("Theorem", "properness", statement, "thm:proper", remark)
    return theorem, Proof(_by_case(derivation, _argument), remark), *_best_reports(derivation)


def _best_reports(derivation: Derivation) -> Blocks:
    """Say which reports are best at a threshold that is independent of the costs, if the rule is not proper."""
    context = derivation.context
    if not isinstance(context, ThresholdedContext) or isinstance(context.threshold, DistortedThreshold):
        return ()
    if derivation.concluded is not Judgement.IMPROPER:
        return ()
    said = _by_case(derivation, lambda case: thresholds.best_reports(case, context))
    return (remark_on("best reports", *said),) if said else ()


def when_proper(case: Case) -> Blocks:
    """Say when a threshold gives a proper rule: when it is the one that the costs ask for."""
    if any(isinstance(step.move, DistortThreshold) for step in case.steps):
        return (say(_PROPER_IF_CALIBRATED),)
    pair, at = _examined(case), fixed_threshold(case)
    if at is None:
        return ()
    text = (
        r"At a fixed threshold $t$ the losses jump by the shares of one atom, and so are proper, if and only if "
        r"$(1 - t) \, \mathbb{E}[c_0] = t \, \mathbb{E}[c_1]$, that is, ${} = {}$."
    )
    return (say(text, (1 - at) * pair.worst0, at * pair.worst1),)


_PROPER_IF_CALIBRATED = (
    r"At $p = T(s)$ the slopes of the losses have the ratio of $s$ to $-(1 - s)$. So the losses are proper if and "
    r"only "
    r"if $T(s) = s$ for almost all $s$ at which the costs have a threshold weight."
)
_OPEN = (
    "Neither a proof that the rule is proper nor a witness that it is not was found. So nothing is claimed; if there "
    "are parameters, they may decide it either way."
)


def _reached(case: Case) -> Conclusion:
    """Return what a case arrives at; the entropy and the link of a proper rule may come after that."""
    reached: Conclusion = case.steps[-1].after
    return reached.proper if isinstance(reached, Represented) else reached


def _statement(case: Case) -> Blocks:
    match _reached(case):
        case Properness() as reached:
            return (say("The scoring rule $(L_0, L_1)$ is {}.", how(reached)),)
        case RepairedProperness(improper=improper) as reached:
            return (say("{} {}", _improper(improper.witness), with_other_values(reached)),)
        case Improperness(witness=witness):
            return (say("{}", _improper(witness)),)
        case Miscalibration() as reached:
            return (against_threshold(reached),)
        case Calibration() as reached:
            return _only_if(reached), *against_other_thresholds(reached)
        case ConditionalProperness() as reached:
            return _only_if(reached), *against_other_values(reached)
    return ()


def _only_if(reached: ConditionalProperness | Calibration) -> Block:
    statement = "The scoring rule $(L_0, L_1)$ is {}. If so, it is {}."
    return say(statement, if_and_only_if(reached), how(reached.proper))


def _improper(witness: Witness) -> Prose:
    return prose(
        "The scoring rule $(L_0, L_1)$ is not proper: under the belief $q = {}$, the report $p = {}$ has a smaller "
        "risk than the truth.",
        *(witness.belief, witness.report),
    )


def if_and_only_if(reached: ConditionalProperness | Calibration) -> Prose:
    """Say for which parameters a rule is proper."""
    conditions = (reached,) if isinstance(reached, ConditionalProperness) else reached.conditions
    return prose("{} if and only if {}", str(reached.proper.judgement), holding(conditions))


def against_other_values(reached: ConditionalProperness) -> Blocks:
    """State the witnesses against a rule below and above the value for which it is proper."""
    return tuple(
        block
        for side, witness in _sides(reached)
        for block in against(prose("If {}, then under the belief", side), witness)
    )


def _sides(reached: ConditionalProperness) -> tuple[tuple[Prose, Witness], ...]:
    below, above = (prose(f"${{}} {sign} {{}}$", reached.letter, reached.value) for sign in "<>")
    return (below, reached.below), (above, reached.above)


def with_other_values(reached: RepairedProperness) -> Prose:
    """Say which values at ties make a rule proper."""
    changed = [value for value in reached.weighed.pair.values if value not in reached.improper.losses.values]
    values = series(map(_values, changed), "; ")
    return prose("With the values {} instead, it is {}.", values, how(reached.proper))


def how(reached: Properness) -> Prose:
    """Say whether a rule is strictly proper, and if not for all beliefs, for which."""
    if reached.everywhere:
        return ("strictly proper",)
    if reached.strict:
        return prose("proper, strictly so for beliefs in {}", ranges(reached.strict))
    pieces = (*reached.losses.loss0, *reached.losses.loss1)
    if any(piece.value.has(p) for piece in pieces):  # then reports within a piece may differ in risk
        return ("proper; for which beliefs strictly so is not decided",)
    return ("proper, but strictly so for no belief",)


def _argument(case: Case) -> Blocks:
    match case.steps[-1].after:
        case Improperness(witness=witness):
            return _counterexample(witness)
        case Miscalibration() as reached:
            return better_by_threshold(reached)
        case Calibration() as reached:
            return only_if_calibrated(reached, how(reached.proper))
        case RepairedProperness(improper=improper, weighed=weighed):
            return (*_counterexample(improper.witness), say("With the other values:"), *why_proper(weighed))
        case ConditionalProperness() as reached:
            return _both_directions(reached)
    weighed = next(step.after for step in case.steps if isinstance(step.after, WeighedPair))
    return why_proper(weighed)


def _both_directions(reached: ConditionalProperness) -> Blocks:
    return (
        say("First let ${} = {}$. Then the losses are", reached.letter, reached.value),
        *pair_of_losses(reached.weighed.pair),
        *why_proper(reached.weighed),
        *(
            block
            for side, witness in _sides(reached)
            for block in (say("Now let {}.", side), *_counterexample(witness))
        ),
    )


def _counterexample(witness: Witness) -> Blocks:
    belief, report = witness.belief, witness.report
    first, second = _risk(belief, belief), _risk(report, belief)
    if witness.truthful.is_Rational and witness.better.is_Rational:
        return (
            say(
                "Under the belief $q = {}$ the truth has a greater risk than the report $p = {}$:",
                belief,
                report,
            ),
            show("{} = {} > {} = {}.", first, witness.truthful, witness.better, second),
        )
    return (
        say("Take the belief $q = {}$. The truth and the report $p = {}$ have the risks", belief, report),
        show(
            r"{} & = {}, \\ {} & = {}, \\ {} - {} & = {} > 0.",
            *(first, witness.truthful, second, witness.better, first, second, _gap(witness)),
        ),
        say("So under this belief another report is better than the truth."),
    )


def _risk(report: Expr, belief: Expr) -> Row:
    sides = drawn(report), drawn(belief)
    if not any(isinstance(part, Ratio) for side in sides for part in walk(side)):
        return formula("R({}|{})", *sides)
    return formula(r"R\bigl({}\bigm|{}\bigr)", *map(small, sides))


def _gap(witness: Witness) -> Expr:
    return sympy.factor_terms(sympy.factor(witness.truthful - witness.better))
