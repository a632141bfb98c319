"""Thresholds that are not the cost proportion, in words: what is asked of them, and the losses that they lead to."""

from __future__ import annotations

import sympy
from sympy import Expr

from costderive.core.piecewise import Pieces
from costderive.core.symbols import p, s
from costderive.costs.contexts import FixedCosts
from costderive.costs.laws import Law
from costderive.costs.thresholds import (
    DistortedThreshold,
    FixedThreshold,
    RandomThreshold,
    ThresholdedContext,
)
from costderive.deciders.signs import positive
from costderive.derivation.derivation import Derivation
from costderive.publish.formulas.printing import formula, width
from costderive.publish.words.common_names import cited, common, named
from costderive.publish.words.context_phrases import setting, threshold
from costderive.publish.words.displays import LINE, function
from costderive.publish.words.document_blocks import Block, Heading, Prose, prose
from costderive.publish.words.law_phrases import law_phrase
from costderive.publish.words.scene import listed, say, series, show
from costderive.rules import Losses
from costderive.rules.loss_pair import LossPair

Blocks = tuple[Block, ...]

_KINDS: dict[type, str] = {
    FixedThreshold: "fixed",
    RandomThreshold: "random",
    DistortedThreshold: "distorted",
}


def decisions(context: ThresholdedContext, derivation: Derivation) -> str:
    """Say which costs and which kind of threshold a paper is about."""
    return f"{setting(derivation).name} at a {_KINDS[type(context.threshold)]} threshold"


def introduction(derivation: Derivation) -> Blocks:
    """Say what the question is, of losses that come from a threshold."""
    if not isinstance(derivation.context, ThresholdedContext):
        return ()
    text = (
        "A classifier that knows what its errors cost compares the predicted probability with the cost proportion; if "
        "the costs are independent of the instance, the mean cost of its decisions is that of a proper scoring rule. "
        "A classifier that decides at another "
        "threshold has a mean cost too, and that is the mean of a pair of losses, but these need not be proper. "
        "Such ways to choose a threshold, and what they lead to, are compared in [@HernandezOrallo2012]. This "
        "article finds the losses of {}{}, and examines whether they are proper."
    )
    rule = common(derivation)
    which = prose(", which are {}", named(rule, cited(rule.name))) if rule else ""
    return Heading(prose("Introduction")), say(text, decisions(derivation.context, derivation), which)


DECIDES = "The classifier decides for class 1 if $p > T$, and for class 0 if $p \\le T$."


def hypothesis(context: ThresholdedContext) -> Prose:
    """Continue the law of the costs: which threshold there is, and what is independent of what."""
    costs = "" if isinstance(context.costs, FixedCosts) else ", let them be independent of $(p, Y)$"
    return prose(
        f"{costs}, and let the threshold be {{}}. Then the expected loss of the decisions is", _law(context)
    )


def _law(context: ThresholdedContext) -> Prose:
    """Say which threshold there is, after "let the threshold be"."""
    if not isinstance(context.threshold, RandomThreshold):
        return threshold(context)
    known = isinstance(context.costs, FixedCosts)
    independent = "of $(p, Y)$" if known else "of the costs and $(p, Y)$ together"
    law = context.threshold.law
    drawn = prose(" {},", law_phrase(law, "T")) if law.name is not None else prose("")
    return prose(f"$T$,{{}} independent {independent}", drawn)


def _because(context: ThresholdedContext) -> str:
    known, fixed = isinstance(context.costs, FixedCosts), isinstance(context.threshold, FixedThreshold)
    if known:
        return "The" if fixed else "As $T$ is independent of $(p, Y)$, the"
    costs = "As the costs are independent of"
    return f"{costs} $(p, Y)$, the" if fixed else f"{costs} $T$, and both of $(p, Y)$, the"


def means(pair: LossPair, context: ThresholdedContext) -> Blocks:
    """Prove that a threshold that is independent of the costs leads to these losses."""
    return (
        say(
            "An instance of class 0 is misclassified if $T < p$, and one of class 1 if $T \\ge p$. "
            f"{_because(context)} losses are, with $\\mathbb{{E}}[X; A] = \\mathbb{{E}}[X \\, 1_A]$ for an event $A$,"
        ),
        show(
            r"L_0(p) & = \mathbb{E}[c_0; \; T < p] = \mathbb{E}[c_0] \, \Pr(T < p), \\ "
            r"L_1(p) & = \mathbb{E}[c_1; \; T \ge p] = \mathbb{E}[c_1] \, \Pr(T \ge p).",
        ),
        say("Here {}.", listed((*_means(pair), _chances(pair, context)))),
    )


def _means(pair: LossPair) -> list[Prose]:
    """Write the expected costs."""
    if pair.worst0 == pair.worst1:
        return [prose(r"$\mathbb{E}[c_0] = \mathbb{E}[c_1] = {}$", pair.worst0)]
    return [
        prose(rf"$\mathbb{{E}}[c_{y}] = {{}}$", worst) for y, worst in enumerate((pair.worst0, pair.worst1))
    ]


def _chances(pair: LossPair, context: ThresholdedContext) -> Prose:
    """Say what the chance is that a threshold is below a report."""
    if isinstance(context.threshold, FixedThreshold):
        at = context.threshold.at
        return prose(r"$\Pr(T < p)$ is 0 for $p \le {}$ and 1 for $p > {}$", at, at)
    if len(pair.loss0.pieces) == 1 and pair.worst0.is_finite and pair.worst0 != 0:
        return prose(r"$\Pr(T < p) = {}$", sympy.cancel(pair.loss0.pieces[0].value / pair.worst0))
    jumps = " jumps where $T$ has a probability, and" if len(pair.loss0.pieces) > 1 else ""
    return prose(rf"$\Pr(T < p)${jumps} has the density of $T$ as its slope")


def best_reports(pair: LossPair, law: Law) -> Blocks:
    """Say which reports are best at a threshold of a law that is independent of costs with finite means."""
    if not (pair.worst0.is_finite and pair.worst1.is_finite):
        return ()
    asked = pair.worst0 / (pair.worst0 + pair.worst1)
    return (
        say("As the threshold does not depend on the costs,"),
        show(
            r"R(p|q) = q \, \mathbb{E}[c_1] + \bigl((1 - q) \, \mathbb{E}[c_0] - q \, \mathbb{E}[c_1]\bigr) \Pr(T < "
            r"p)."
        ),
        say(
            "The bracket is positive for $q < \\tau$ and negative for $q > \\tau$, where "
            r"$\tau = \mathbb{E}[c_0]/(\mathbb{E}[c_0] + \mathbb{E}[c_1]) = {}$. So under a belief below {} the "
            r"truth is a best report if and only if $\Pr(T < q) = 0$, and under one above if and only if $\Pr(T < q) "
            r"= \Pr(T < 1)$; under the belief {} all reports tie. The truth is a best report under every belief "
            r"if $T = {}$ almost surely, the threshold that the mean costs ask for.{}",
            *(asked,) * 4,
            _misled(law, asked),
        ),
    )


def _misled(law: Law, asked: Expr) -> Prose:
    """Say under which beliefs the truth is not a best report, for a law of the threshold between numbers."""
    between = _support(law)
    if between is None or not asked.is_Rational:
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
    if not known or not all(end.is_Rational for end in (*lows, *highs, *at)) or not (spreads or masses):
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
            "Solved for $s$ and put into $\\ell_0$ and $\\ell_1$, $p = T(s)$ gives the losses of the theorem. A "
            "prediction below all thresholds decides for class 0 at all costs, and one above them for class 1."
        ),
    )
