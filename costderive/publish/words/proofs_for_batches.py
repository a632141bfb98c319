"""Rules of a batch, and the moves that show them proper or not, move by move."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from sympy import Symbol

from costderive.batch.auc import AucScore
from costderive.batch.auc_labels import AucAmong, Labels
from costderive.batch.batch_entropies import LowestRule, SmoothRule
from costderive.batch.linear_rules import AdditiveRule, NormRule, RankRule, t, x
from costderive.proof.claims import Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import Part, chain, formula
from costderive.publish.words.displays import equal
from costderive.publish.words.proofs_on_the_simplex import minors, sum_of_squares, write_a
from costderive.publish.words.scene import SHOWN, Description, few, point, say, show

Scene = Any
SUMMAND = r"\bigl((1 - y_i) \, L_0(w_i) + y_i \, L_1(w_i)\bigr)"
OF_ONE, OF_OTHER = (Symbol(f"w_{index}", positive=True) for index in "ij")


# ---- rules


@singledispatch
def rule_of(found: Any) -> Description:
    """Say what a loss of a batch is."""
    yield say("The loss is the one that the certificate of this derivation holds.")


@rule_of.register
def _(found: AdditiveRule) -> Description:
    weighed = found.weights is not None
    opening = "Let $L_0$ and $L_1$ be the losses of one instance above, of a label 0 and of a label 1."
    if weighed:
        yield say(f"{opening} The instances have the weights")
        yield show(r"(v_0, v_1, \ldots) = {},", point(found.weights or ()))
    yield say("and the loss of the batch is" if weighed else f"{opening} The loss of the batch is")
    yield show(rf"S(y, w) = \sum_i {'v_i ' if weighed else ''}{SUMMAND} \qquad (0 \cdot \infty = 0).")


@rule_of.register
def _(found: NormRule) -> Description:
    yield say(
        "The entropy is the negative of a norm of the forecast, and a label of 1 adds its slope to the loss:"
    )
    slope = -found.slope.subs(x, OF_ONE)
    yield show(
        r"H(w) = -{}, \qquad S(y, w) = -\sum_i y_i \, {}, \qquad t = \sum_j {}.",
        *(t ** (1 / found.alpha), slope, OF_OTHER**found.alpha),
    )
    yield say("The forecast of zeros, for which this says nothing, loses 0.")


@rule_of.register
def _(found: RankRule) -> Description:
    yield say(
        "The loss depends on the ranks of the forecasts: $\\psi_i$ counts those below the $i$-th less those above it,"
    )
    yield show(
        r"S(y, w) = -\sum_i y_i \, \psi_i(w), \qquad \psi_i(w) = \#\{j : w_j < w_i\} - \#\{j : w_j > w_i\}."
    )


@rule_of.register
def _(found: LowestRule) -> Description:
    one = len(found.terms) == 1
    yield say(
        "The entropy is the least of some affine functions:"
        if one
        else f"The entropy is a sum of {len(found.terms)} terms, each the least of some affine functions:"
    )
    sum_of: list[Part] = [
        formula(r"\min\bigl\{{}\bigr\}", chain(r", \; ", few(term))) for term in found.terms[:SHOWN]
    ]
    sum_of += [r"\ldots"] if len(found.terms) > SHOWN else []
    yield show("H(w) & = {}" + r" \\  & + {}" * (len(sum_of) - 1), *sum_of)
    if len(found.terms) > SHOWN or any(len(term) > SHOWN for term in found.terms):
        yield say("Terms that are left out here stand in the certificate of this derivation.")
    yield say(
        "The loss $S(y, w)$ is made from the functions that are the least at $w$: it is "
        + ("" if one else "the sum over all terms of ")
        + "the mean of their values at $y$."
    )


@rule_of.register
def _(found: SmoothRule) -> Description:
    yield say("The entropy and its slopes are, for forecasts inside the cube,")
    yield equal("H(w)", found.entropy_function)
    for letter, slope in zip(found.letters, found.slopes, strict=True):
        yield equal(formula(r"\frac{\partial H}{\partial {}}(w)", letter), slope)
    yield say("and the loss is the value of the tangent at the labels,")
    yield show(r"S(y, w) = H(w) + \sum_i (y_i - w_i) \, \frac{\partial H}{\partial w_i}(w).")


@rule_of.register
def _(found: AucScore | AucAmong) -> Description:
    yield say(
        r"Let $n_1 = \sum_i y_i$ be the number of labels that are 1, and let $\psi_i$ count the forecasts below the "
        "$i$-th less those above it. The area under the ROC curve counts the pairs of a label 1 and a label 0 whose "
        "forecasts are in the right order, a tie as one half. As a loss it is"
    )
    yield show(
        r"S(y, w) = -\mathrm{AUC} = -\frac{1}{2} \Bigl(1 + \frac{\sum_i y_i \, \psi_i(w)}{n_1 (n - n_1)}\Bigr),"
        r" \qquad \psi_i(w) = \#\{j : w_j < w_i\} - \#\{j : w_j > w_i\},"
    )
    yield say(r"and $-\tfrac{1}{2}$ if all labels are the same [@Parry2016].")


# ---- moves


def sum_of_instances(step: Step, scene: Scene) -> Description:
    """Describe ``AddInstances``: the risk is a sum of risks of one instance."""
    weighed = step.before.weights is not None
    yield say("The expectation of the sum is the sum of the expectations, so the risk of the batch is")
    yield show(
        rf"R(w|q) = \sum_i {'v_i ' if weighed else ''}R_1(w_i|q_i), \qquad R_1(p|q) = (1 - q) \, L_0(p) + q \, L_1(p)."
    )
    proper, alone = ("strictly proper", ", and there alone") if step.after.strict else ("proper", "")
    positive = "; and the weights are positive" if weighed else ""
    yield say(
        f"The losses of one instance are {proper} by Theorem {{#thm:proper}}: each "
        f"$R_1(w_i|q_i)$ is least at $w_i = q_i${alone}{positive}."
    )


def norm(step: Step, scene: Scene) -> Description:
    """Describe ``BendOfNorm``: concavity by Lagrange's identity, the ends by continuity, multiples by homogeneity."""
    yield say(
        "{}Suppose first that all $w_i$ are positive. With $t = \\sum_j w_j^a$, the slope of $H = -t^{1/a}$ in $w_i$ "
        "is what a label of 1 adds to the loss, and the sum of the $w_i$ times their slopes is $H$. So $S(y, w) = "
        "H(w) + \\sum_i (y_i - w_i) \\, \\partial H/\\partial w_i$: the risk $R(w|q)$ is the value at $q$ of the "
        "tangent of $H$ at $w$. Along a direction $v$, $H$ has the second derivative",
        write_a(step.before.alpha),
    )
    yield from sum_of_squares("w", r"(a - 1) \, t^{1/a - 2}", "and by Lagrange's identity the bracket is")
    yield say(
        "So $H$ is concave, and lies nowhere above its tangents: $R(w|q) \\ge H(q) = R(q|q)$ for positive $w$ and "
        "$q$. Both sides are continuous in $w \\ne 0$ and $q$, so this holds where some are 0, too; and the forecast "
        "of zeros loses 0, which is nowhere below $H(q)$, and equal to it for $q = 0$."
    )
    yield say(
        "The slopes are the same for a forecast and its multiples: the two forecasts of the theorem have the same "
        "loss, whatever the labels."
    )


_SIGNS = (
    r"With $s_{ij}$ the sign of $w_i - w_j$, which is 0 for a tie, $\psi_i = \sum_j s_{ij}$. "
    r"As $s_{ji} = -s_{ij}$,"
)


def pairs(step: Step, scene: Scene) -> Description:
    """Describe ``SumOverPairs``: the rule is a sum over pairs."""
    yield say(_SIGNS)
    yield show(r"R(w|q) = -\sum_i q_i \, \psi_i(w) = -\sum_{i < j} s_{ij} \, (q_i - q_j).")
    yield say(
        r"Whatever $s_{ij} \in \{-1, 0, 1\}$, its summand is at least $-|q_i - q_j|$, which it is for the sign of "
        r"$q_i - q_j$, that is, for $w = q$. The two forecasts of the theorem are ranked alike, so they lose the same."
    )


def weighed_pairs(step: Step, scene: Scene) -> Description:
    """Describe ``SumOverWeighedPairs``: pairs whose labels differ, weighed by a function of the other labels alone."""
    yield say(_SIGNS)
    yield show(
        r"S(y, w) = -\frac{1}{2} - \frac{1}{2} \sum_{i < j} s_{ij} \, \frac{y_i - y_j}{n_1 (n - n_1)},"
    )
    yield say(
        r"where only pairs with $y_i \ne y_j$ count. "
        + _WEIGHTS[step.before.labels]
        + r" So the pair expects "
        r"$-\frac{1}{2} g_{ij} \, s_{ij} \, (q_i - q_j)$, which is at least $-\frac{1}{2} g_{ij} \, |q_i - q_j|$, its "
        r"expected loss for $w = q$. The two forecasts of the theorem are ranked alike, so they lose the same."
    )


_WEIGHTS = {
    Labels.INDEPENDENT: r"Here $n_1$ is 1 more than the number of ones among the other labels, which are independent "
    r"of $y_i$ and $y_j$. Let $g_{ij} > 0$ be the mean of $1/(n_1 (n - n_1))$ over the others: whichever of the two is "
    r"the 1, it is the same, and $\Pr(Y_i = 1, Y_j = 0) - \Pr(Y_i = 0, Y_j = 1) = q_i (1 - q_j) - q_j (1 - q_i) = "
    r"q_i - q_j$.",
    Labels.COUNTED: r"As $n_1$ is known, $g_{ij} = 1/(n_1 (n - n_1)) > 0$ is a number, and $\Pr(Y_i = 1, Y_j = 0) - "
    r"\Pr(Y_i = 0, Y_j = 1) = q_i - q_j$, as both probabilities lack $\Pr(Y_i = Y_j = 1)$.",
}


def touching(step: Step, scene: Scene) -> Description:
    """Describe ``TouchFromAbove``: a mean of affine functions is above the least of all."""
    yield say(
        "The functions are affine, so the risk $R(w|q)$ is made from the same functions, with their values at $q$. "
        "The mean of the values of some functions is at least the least value of all functions of the term, and is "
        "this least value if the functions are those that are the least at $q$. So $R(w|q) \\ge H(q) = R(q|q)$."
    )


def bend(step: Step, scene: Scene) -> Description:
    """Describe ``BendOfEntropy``: the signs of principal minors."""
    strict = step.after.strict
    concave = "strictly concave" if strict else "concave"
    yield say(
        f"The risk $R(w|q)$ is the value at $q$ of the tangent of $H$ at $w$. The matrix of second derivatives of "
        f"$-H$ is such that, everywhere inside the cube, {minors(strict)}. So $H$ is {concave}, and lies "
        f"nowhere above its tangents: $R(w|q) \\ge H(q) = R(q|q)$"
        + (", with equality for $w = q$ alone." if strict else ".")
    )


def dependent(step: Step, scene: Scene) -> Description:
    """Describe ``FindDependentLabels``: expectations over all labels, and why probabilities are not enough."""
    yield from _expectations(step.after)
    yield say(
        r"A loss that is linear in the labels would expect the same under all laws with these probabilities. This one "
        r"divides by $n_1 (n - n_1)$, which depends on the labels, so pairs count for more where they are fewer."
    )


def _expectations(after: Any) -> Description:
    found = after.witness
    yield say("The expected losses of the two forecasts are")
    for letter, forecast, total in (("q", found.belief, found.truthful), ("w", found.report, found.better)):
        losses = [(chance, after.losses.exact(labels, forecast)) for labels, chance in after.law[:SHOWN]]
        parts: list[Part] = [formula(r"{} \cdot \bigl({}\bigr)", chance, loss) for chance, loss in losses]
        parts += [r"\ldots"] if len(after.law) > SHOWN else []
        yield show(r"\mathbb{E}[S(Y, {})] & = {} = {}", letter, chain(" + ", parts), total)


def ones(labels: tuple[int, ...]) -> Row:
    """Say which labels are 1."""
    return formula(r"\{{}\}", chain(", ", few(n for n, label in enumerate(labels) if label)))
