"""Thresholds that are not the cost proportion, in words: what is asked of them, and the losses that they lead to."""

from __future__ import annotations

import sympy
from sympy import Expr

from costderive.core.piecewise import Pieces
from costderive.core.symbols import p, q, s
from costderive.costs.contexts import FixedCosts
from costderive.costs.laws import Law, uniform
from costderive.costs.thresholds import (
    DistortedThreshold,
    FixedThreshold,
    RandomThreshold,
    ThresholdedContext,
)
from costderive.deciders.signs import positive
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.moves import SetThreshold
from costderive.proof.claims import Case
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula, width
from costderive.publish.words.common_names import cited, common, named
from costderive.publish.words.context_phrases import densities_of_threshold, setting, threshold
from costderive.publish.words.displays import LINE, function
from costderive.publish.words.document_blocks import Block, Heading, Prose, by_cases, prose
from costderive.publish.words.law_phrases import law_phrase
from costderive.publish.words.scene import listed, say, series, show
from costderive.rules import Losses

Blocks = tuple[Block, ...]

_KINDS: dict[type, str] = {
    FixedThreshold: "fixed",
    RandomThreshold: "random",
    DistortedThreshold: "distorted",
}


def decisions(context: ThresholdedContext, derivation: Derivation) -> Prose:
    """Say which costs and which kind of threshold a paper is about."""
    return prose("{} at a {} threshold", setting(derivation).named, _KINDS[type(context.threshold)])


def introduction(derivation: Derivation) -> Blocks:
    """Say what the question is, of losses that come from a threshold."""
    context = derivation.context
    if not isinstance(context, ThresholdedContext):
        return ()
    independent = "" if _known(context) else "if the costs are independent of the instance, "
    text = (
        "A classifier that knows what its errors cost compares the predicted probability with the cost proportion; "
        f"{independent}the mean cost of its decisions is that of a proper scoring rule. A classifier that decides at "
        "another threshold has a mean cost too, and that is the mean of a pair of losses, but these need not be "
        f"proper. {_COMPARED}{_studied(context)} This article finds the losses of {{}}{{}}, and examines whether they "
        "are proper."
    )
    rule = common(derivation)
    which = prose(", which are {}", named(rule, cited(rule.name))) if rule else ""
    return Heading(prose("Introduction")), say(text, decisions(context, derivation), which)


_COMPARED = (
    "Such ways to choose a threshold are compared in [@HernandezOrallo2012]: if the cost proportion is uniform, a "
    "fixed threshold leads to the zero-one loss, and a threshold that is uniform on $[0, 1]$ to the absolute error."
)


def _known(context: ThresholdedContext) -> bool:
    return isinstance(context.costs, FixedCosts)


def _studied(context: ThresholdedContext) -> str:
    """Say what is known of the threshold beside known costs."""
    if not _known(context):
        return ""
    if isinstance(context.threshold, FixedThreshold):
        return (
            " For known costs, [@Parry2016, Section 4.1] shows that no fixed threshold but $c_0/(c_0 + c_1)$ leads to "
            "a proper scoring rule."
        )
    if isinstance(context.threshold, RandomThreshold) and context.threshold.law == uniform(0, 1):
        return (
            " A threshold that is uniform on $[0, 1]$ is below $p$ with the probability $p$, so that the class decided "
            "for is drawn from the prediction; [@Parry2016, Section 4.2] shows that, for known costs, this leads to no "
            "proper scoring rule."
        )
    return ""


OTHERS_CALL = " In [@HernandezOrallo2012] class 0 is called positive; the indices of the costs agree."
DECIDES = (
    "The classifier compares $p$ with a threshold $T$: it decides for class 1 if $p > T$, and for class 0 if "
    "$p \\le T$."
)


def hypothesis(context: ThresholdedContext) -> Prose:
    """Continue the law of the costs: which threshold there is, and what is independent of what."""
    costs = "" if _known(context) else ", let them be independent of $(p, Y)$"
    return prose(
        f"{costs}, and let the threshold be {{}}. Then the expected loss of the decisions is", _law(context)
    )


def _law(context: ThresholdedContext) -> Prose:
    """Say which threshold there is, after "let the threshold be"."""
    if not isinstance(context.threshold, RandomThreshold):
        return threshold(context)
    independent = "of $(p, Y)$" if _known(context) else "of the costs and $(p, Y)$ together"
    law = context.threshold.law
    drawn = (
        prose(" {},", law_phrase(law, "T")) if law.name else prose(" with {},", densities_of_threshold(law))
    )
    return prose(f"$T$,{{}} independent {independent}", drawn)


def means(case: Case, context: ThresholdedContext) -> Blocks:
    """Prove that a threshold that is independent of the costs leads to these losses."""
    costs, _ = _costs_and_law(case)
    if isinstance(context.threshold, FixedThreshold) and _known(context):
        at = context.threshold.at
        return (say(_AT_A_NUMBER, at, costs[0], at, costs[1]),)
    return (
        say(f"{_MISCLASSIFIED} {_because(context)}"),
        show(_OF_KNOWN_COSTS if _known(context) else _OF_RANDOM_COSTS),
        say("Here {}.", listed((*(() if _known(context) else _means(costs)), _chances(case, context)))),
    )


_AT_A_NUMBER = (
    "An instance of class 0 is misclassified if $p > {}$, which costs {}, and one of class 1 if $p \\le {}$, which "
    "costs {}. The losses of the theorem are these costs."
)
_MISCLASSIFIED = "An instance of class 0 is misclassified if $T < p$, and one of class 1 if $T \\ge p$."
_OF_KNOWN_COSTS = r"L_0(p) & = c_0 \, \Pr(T < p), \\ L_1(p) & = c_1 \, \Pr(T \ge p)."
_OF_RANDOM_COSTS = (
    r"L_0(p) & = \mathbb{E}[c_0; \; T < p] = \mathbb{E}[c_0] \, \Pr(T < p), \\ "
    r"L_1(p) & = \mathbb{E}[c_1; \; T \ge p] = \mathbb{E}[c_1] \, \Pr(T \ge p)."
)


def _because(context: ThresholdedContext) -> str:
    """Say why the losses are what is displayed next."""
    if _known(context):
        return f"As $T$ is independent of $(p, Y)$, {_GIVEN},"
    fixed = isinstance(context.threshold, FixedThreshold)
    of_what = "$(p, Y)$" if fixed else "$T$, and both of $(p, Y)$"
    return (
        f"As the costs are independent of {of_what}, {_GIVEN}, with $\\mathbb{{E}}[X; A] = \\mathbb{{E}}[X \\, "
        "1_A]$ for an event $A$,"
    )


_GIVEN = (
    "the expected cost given the prediction and $Y = y$ is $L_y$ at the prediction, where, for each number $p$ in "
    "$[0, 1]$"
)


def _costs_and_law(case: Case) -> tuple[tuple[Expr, Expr], Law]:
    """Return the expected costs, the limits of the losses at the calibrated threshold, and the law of the one set."""
    (found,) = [
        ((step.before.worst0, step.before.worst1), step.move.threshold.law)
        for step in case.steps
        if isinstance(step.move, SetThreshold)
    ]
    return found


def _means(costs: tuple[Expr, Expr]) -> list[Prose]:
    """Write the expected costs."""
    if costs[0] == costs[1]:
        return [prose(r"$\mathbb{E}[c_0] = \mathbb{E}[c_1] = {}$", costs[0])]
    return [prose(rf"$\mathbb{{E}}[c_{y}] = {{}}$", cost) for y, cost in enumerate(costs)]


def _chances(case: Case, context: ThresholdedContext) -> Prose:
    """Say what the chance is that a threshold is below a report."""
    (cost, _), law = _costs_and_law(case)
    if isinstance(context.threshold, FixedThreshold):
        at = context.threshold.at
        return prose(r"$\Pr(T < p)$ is 0 for $p \le {}$ and 1 for $p > {}$", at, at)
    chance = _chance(case, cost)
    if chance is not None:
        return prose(r"$\Pr(T < p) = {}$", chance)
    jumps = "jumps by the probability of each value of $T$ that has one" if law.masses else ""
    slope = "is continuous, with the density of $T$ as its slope"
    if jumps and law.spreads:
        slope = "has the density of $T$ as its slope elsewhere"
    return prose(rf"$\Pr(T < p)$ {' and '.join(filter(None, (jumps, slope if law.spreads else '')))}")


def _chance(case: Case, cost: Expr) -> Expr | None:
    """Return the chance that a threshold is below a report, if it has one formula; the cost is that of class 0."""
    first, *others = losses(case).loss0
    return sympy.cancel(first.value / cost) if not others and cost.is_finite and cost != 0 else None


def best_reports(case: Case, context: ThresholdedContext) -> Blocks:
    """Say which reports are best at a threshold of a law that is independent of costs with finite means."""
    costs, law = _costs_and_law(case)
    if not all(cost.is_finite for cost in costs):
        return ()
    asked = costs[0] / (costs[0] + costs[1])
    names = ("c_0", "c_1") if _known(context) else (r"\mathbb{E}[c_0]", r"\mathbb{E}[c_1]")
    proportion = r"\tau = C_0/(C_0 + C_1) = {}"
    return (
        say(f"By {'' if _known(context) else 'the proof of '}Theorem {{#thm:score}},"),
        _risk(case, context, costs) if _known(context) else show(_with_names(_RISK, names)),
        say(
            f"{_what_decides(context)} positive for $q < \\tau$ and negative for $q > \\tau$, where "
            f"${_with_names(proportion, names)}$ is the threshold that {{}} ask for. {{}} Under the belief {{}} all "
            "reports tie.{}",
            _factor(costs) if _known(context) else formula(_with_names(_FACTOR, names)),
            *(asked, "these costs" if _known(context) else "the mean costs"),
            *(_best(law, asked), asked, _misled(law, asked)),
        ),
    )


_FACTOR = r"(1 - q) \, C_0 - q \, C_1"
_RISK = rf"R(p|q) = q \, C_1 + \bigl({_FACTOR}\bigr) \Pr(T < p)."


def _factor(costs: tuple[Expr, Expr]) -> Expr:
    """Return what stands beside the chance of a decision for class 1 in the risk, at costs that are known."""
    return sympy.expand((1 - q) * costs[0] - q * costs[1])


def _what_decides(context: ThresholdedContext) -> str:
    """Name what is to be compared with 0: a factor in the risk, or a difference of its values."""
    return (
        "The factor {} is"
        if _one_for_both(context) is None
        else "The second value less the first is {}, which is"
    )


def _one_for_both(context: ThresholdedContext) -> Expr | None:
    """Return the one threshold of known costs, if it is below 1: the risk has a value for each of two decisions."""
    if not (_known(context) and isinstance(context.threshold, FixedThreshold)):
        return None
    at = context.threshold.at
    return at if at.is_Rational and at < 1 else None


def _risk(case: Case, context: ThresholdedContext, costs: tuple[Expr, Expr]) -> Block:
    """Write the risk at costs that are known."""
    at = _one_for_both(context)
    if at is not None:
        rows = (
            (q * costs[1], formula(r"0 \le p \le {}", at)),
            ((1 - q) * costs[0], formula(r"{} < p \le 1", at)),
        )
        return by_cases("R(p|q)", rows)
    chance = _chance(case, costs[0])
    written = formula(r"\Pr(T < p)") if chance is None else chance
    factor = "({})" if isinstance(chance, sympy.Add) else "{}"
    return show(rf"R(p|q) = {{}} + ({{}}) \, {factor}.", q * costs[1], _factor(costs), written)


def _with_names(text: str, names: tuple[str, str]) -> str:
    return text.replace("C_0", names[0]).replace("C_1", names[1])


def _best(law: Law, asked: Expr) -> Prose:
    """Say which reports have the least risk under beliefs below and above the threshold that the costs ask for."""
    between = _support(law)
    if between is None:
        return prose(
            r"So under a belief below {} the best reports are those with $\Pr(T < p) = 0$, such as $p = 0$, and under "
            r"one above {} those with $\Pr(T < p) = \Pr(T < 1)$, such as $p = 1$.",
            *(asked, asked),
        )
    low, high, closed = between
    below = formula("[0, {}]", low) if low != 0 else None
    above = formula(f"{'(' if closed else '['}{{}}, 1]", high) if high != 1 else None
    return prose(
        "So under a belief below {} {}, and under one above {} {}.",
        *(asked, _alone(below, 0), asked, _alone(above, 1)),
    )


def _alone(reports: Row | None, certain: int) -> Prose:
    """Say which reports are best: some with a certain one among them, or that alone."""
    if reports is None:
        return prose("the report {} alone is best", certain)
    return prose("the reports in {} are best, {} among them", reports, certain)


def _misled(law: Law, asked: Expr) -> Prose:
    """Say under which beliefs the truth is not a best report, for a law of the threshold between numbers."""
    between = _support(law)
    if between is None or not all(end.is_Rational for end in (*between[:2], asked)):
        return ()
    low, high, closed = between
    parts = [formula("({}, {})", low, asked)] if low < asked else []
    parts += [formula(f"({{}}, {{}}{']' if closed else ')'}", asked, high)] if asked < high else []
    return prose(
        " Here the truth fails to be a best report exactly under the beliefs in {}.",
        series(parts, " and in "),
    )


def _support(law: Law) -> tuple[Expr, Expr, bool] | None:
    """Return the ends of the thresholds below 1, and whether the upper one has a probability; none if undecided."""
    spreads, masses = law.spreads, [mass for mass in law.masses if mass.value != 1]
    lows, highs = [x.low for x in spreads], [x.high for x in spreads]
    at = [mass.value for mass in masses]
    known = all(positive(x.density, x.interval) for x in spreads) and all(
        positive(x.probability) for x in masses
    )
    if not known or not (spreads or masses):
        return None
    if len(spreads) + len(masses) == 1:
        return (*lows, *at)[0], (*highs, *at)[0], bool(at)
    if not all(end.is_Rational for end in (*lows, *highs, *at)):
        return None
    return min(*lows, *at, 1), max(*highs, *at, 0), max(*highs, *at, 0) in at


def _calibrated(found: Losses) -> Blocks:
    """Write the losses of the calibrated threshold."""
    return (
        say(
            r"Here $\ell_0(s) = \mathbb{E}[c_0; \; \frac{c_0}{c_0 + c_1} < s]$ and $\ell_1(s) = \mathbb{E}[c_1; \; "
            r"\frac{c_0}{c_0 + c_1} \ge s]$, which are"
        ),
        *[
            function(
                rf"\ell_{label}(s)", Pieces(s, loss.map(lambda value: value.subs(p, s)).pieces), closed=True
            )
            for label, loss in enumerate((found.loss0, found.loss1))
        ],
    )


def means_if_distorted(calibrated: Losses) -> Blocks:
    """Prove that a function of the cost proportion as the threshold leads to these losses."""
    long = any(
        width(piece.value) > LINE - 16 for loss in (calibrated.loss0, calibrated.loss1) for piece in loss
    )
    return (
        say(
            "An instance of class 0 is misclassified if $T < p$, and one of class 1 if $T \\ge p$. As $T$ grows with "
            "$s$, at $p = T(s)$ these are the instances whose proportion is below $s$, and those whose proportion is "
            "not. So with the losses $\\ell_0, \\ell_1$ of the calibrated threshold, which decides at $s$ itself,"
        ),
        show(
            r"L_0(p) & = \mathbb{E}[c_0; \; T < p] = \ell_0(s), \\ "
            r"L_1(p) & = \mathbb{E}[c_1; \; T \ge p] = \ell_1(s) \qquad \text{at } p = T(s).",
        ),
        *(() if long else _calibrated(calibrated)),
        say(
            "There is one $s$ with $p = T(s)$; put into $\\ell_0$ and $\\ell_1$ it gives the losses of the theorem. A "
            "prediction below all thresholds decides for class 0 at all costs, and one above them for class 1."
        ),
    )
