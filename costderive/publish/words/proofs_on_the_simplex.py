"""Entropies on the simplex, their losses, and the moves that show these proper, move by move."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from sympy import Expr, Symbol

from costderive.multiclass.similar_classes import OF_CLASS, OF_OTHER, excluded, of_class
from costderive.multiclass.simplex import (
    GivenLosses,
    GivenSimplexEntropy,
    SymmetricEntropy,
    SymmetricLosses,
    t,
)
from costderive.proof.claims import Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import Part, formula
from costderive.publish.words.displays import equal, equation, inequality
from costderive.publish.words.document_blocks import Prose, displayed, prose
from costderive.publish.words.scene import Description, against, say, show
from costderive.rules import Undecided
from costderive.rules.conclusions import Improper

Scene = Any


def entropy(found: SymmetricEntropy | GivenSimplexEntropy) -> Description:
    """Say what an entropy is."""
    if isinstance(found, GivenSimplexEntropy):
        yield say("There are {} classes. The entropy is", found.classes)
        yield equal("H(p)", found.entropy)
    else:
        yield say("There may be any number of classes. The entropy is")
        yield show(r"H(p) = {}, \qquad {}.", found.outer, _sum(found.inner))
    for base in excluded(*found.expressions):
        yield say("Here {}.", inequality(base, r"\ne"))


def _sum(inner: Expr) -> Row:
    """Say what t is, the sum over all classes of a function of one."""
    return formula(
        r"t = \sum_j \bigl({}\bigr)" if inner.is_Add else r"t = \sum_j {}", of_class(inner, OF_OTHER)
    )


@singledispatch
def losses_of(found: Any, letter: str = "M") -> Description:
    """Write losses of a kind that has no formulas here."""
    yield say("${}_i$ of the rule that the certificate of this derivation holds.", letter)


@losses_of.register
def _(found: SymmetricLosses, letter: str = "M") -> Description:
    if letter == "L":
        yield say(r"The rule whose entropy $R(q|q)$ is $H(q)$ has the losses")
    total = formula(r", \qquad {}", _sum(found.entropy_function.inner)) if found.loss.has(t) else ""
    yield show("{}_i(p) = {}{}", letter, of_class(found.loss), total)


@losses_of.register
def _(found: GivenLosses, letter: str = "M") -> Description:
    if letter == "L":
        yield say(r"The rule whose entropy $R(q|q)$ is $H(q)$ has the losses")
    rows = [
        row for label, loss in enumerate(found.losses) for row in equation(f"{letter}_{{{label}}}(p)", loss)
    ]
    yield displayed(rows)


def properness(reached: Any, letter: str = "p") -> Description:
    """State what is concluded of a rule from an entropy, whose reports have a letter."""
    if isinstance(reached, Improper):
        yield from against("The rule is not proper: under the belief", reached.witness, letter)
    else:
        yield say(f"The rule is {reached.judgement}.")


# ---- the losses


def savage(step: Step, scene: Scene) -> Description:
    """Describe ``SavageForGivenClasses``: the losses are the values of tangents at the vertices."""
    yield say(
        "The tangent of $H$ at $p$ has at the vertex $i$ of the simplex the value [@Gneiting2007, Theorem 1]"
    )
    yield show(
        r"L_i(p) = H(p) + \frac{\partial H}{\partial p_i}(p) - \sum_j p_j \frac{\partial H}{\partial p_j}(p),"
    )
    yield say("which gives these losses, and $\\sum_i p_i L_i(p) = H(p)$, because $\\sum_i p_i = 1$.")


def savage_for_any(step: Step, scene: Scene) -> Description:
    """Describe ``SavageForAnyClasses``: the same with the sum t, which hides the number of classes."""
    yield from savage(step, scene)
    after: SymmetricLosses = step.after
    total = after.multiple * t + after.slope
    added = formula(" + {} x", _factor(after.slope)) if after.slope != 0 else ""
    yield say(
        "Here $H$ is the function $h(t) = {}$ of $t = \\sum_j g(p_j)$ with $g(x) = {}$, and $x \\, g'(x) = {} g(x){}$. "
        "So $\\sum_j p_j \\, g'(p_j)$ is {}, and $L_i(p) = h(t) + h'(t) \\, \\bigl(g'({}) - {}\\bigr)$.",
        *(step.before.outer, step.before.inner, _factor(after.multiple), added),
        *(total, OF_CLASS, formula("({})", total) if total.is_Add else total),
    )


def _factor(number: Expr) -> Part:
    return "" if number == 1 else number


# ---- properness

_TANGENT = (
    "The risk $R(p|q)$ is, as a function of $q$, the tangent of $H$ at $p$. A concave function lies nowhere "
    "above its tangents, so $R(p|q) \\ge H(q) = R(q|q)$"
)


def _by_concavity(strict: bool) -> str:
    equality = ", with equality for $p = q$ alone, as $H$ is strictly concave" if strict else ""
    return f"{_TANGENT}{equality}."


def summands(step: Step, scene: Scene) -> Description:
    """Describe ``ConcaveSummands``: a sum of concave functions of one probability each."""
    concave, sign = ("strictly concave", "<") if step.after.strict else ("concave", r"\le")
    yield say(
        f"As $h$ is linear, $H$ is, up to a constant, the sum of the functions $h' g(p_j)$, and $h' g''(x) "
        f"{sign} 0$ for $0 < x < 1$. So $H$ is {concave}. {_by_concavity(step.after.strict)}"
    )


def norm(step: Step, scene: Scene) -> Description:
    """Describe ``NegativeNorm``: strict concavity by Lagrange's identity."""
    yield say(
        "{}Let $v$ be a direction along the simplex, that is, $\\sum_j v_j = 0$. "
        "Along it, $H$ has the second derivative",
        write_a(step.before.multiple),
    )
    yield from sum_of_squares("p", r"a^2 \, h''(t)", "By Lagrange's identity the bracket is")
    yield say(
        f"which is 0 only if $v$ is a multiple of $p$, and as its components add up to 0, only for $v = 0$. "
        f"So $H$ is strictly concave along the simplex. {_by_concavity(True)}"
    )


def write_a(value: Expr) -> Prose:
    """Say what ``a`` stands for, if that is not itself."""
    return () if str(value) == "a" else prose("Write $a = {}$. ", value)


def sum_of_squares(x: str, k: str, between: str) -> Description:
    """Write the second derivative of the negative norm of x along v, up to a factor, as one, by Lagrange's identity."""
    yield show(
        rf"-k \, \Bigl(\sum_j {x}_j^a \, \sum_j {x}_j^{{a - 2}} v_j^2 - \bigl(\textstyle\sum_j {x}_j^{{a - 1}} "
        rf"v_j\bigr)^2\Bigr), \qquad k = {k} > 0"
    )
    yield say(between)
    yield show(
        rf"\frac{{1}}{{2}} \sum_{{i, j}} {x}_i^{{a - 2}} {x}_j^{{a - 2}} \, ({x}_i v_j - {x}_j v_i)^2 \ge 0"
    )


def minors(strict: bool) -> str:
    """Say which signs of minors make a matrix positive definite, or semi-definite."""
    if strict:
        return (
            "its leading principal minors are positive, so it is positive definite by Sylvester's criterion"
        )
    return "its principal minors are not negative, so it is positive semi-definite"


def along(step: Step, scene: Scene) -> Description:
    """Describe ``ConcaveAlongSimplex``: the signs of principal minors."""
    count = step.before.entropy_function.classes
    yield say(
        f"In the basis of the directions from class {count - 1} to each other class, the matrix of second "
        f"derivatives of $-H$ along the simplex is such that {minors(step.after.strict)}. So $H$ is "
        f"{'strictly concave' if step.after.strict else 'concave'}. {_by_concavity(step.after.strict)}"
    )


def witness(step: Step, scene: Scene) -> Description:
    """Describe ``FindSimplexWitness``, ``ReportTie`` and ``FindBatchWitness``: both risks."""
    if isinstance(step.after, Undecided):
        yield say("Neither a report that costs less than the truth was found nor a proof that there is none.")
    else:
        yield say("Both risks follow by evaluation.")


# ---- penalties, and whether right predictions score better


def penalty(step: Step, scene: Scene) -> Description:
    """Describe ``AddPenalty``: the sum of a proper rule and a strictly proper one, and the sizes of its losses."""
    yield say(
        "To charge $w$ for a class that is not predicted is the rule of Theorem {#thm:score}, which is proper. The "
        r"$M_i$ are strictly proper, because their entropy is strictly concave [@Gneiting2007, Theorem 1]. So the sum "
        "is strictly proper."
    )
    yield say(
        "The predicted class has the largest probability, and $M_i$ is no larger there than at equal probabilities, "
        r"where it is $w$: a right prediction loses at most $w$. The entropy is $0$ where one class is certain, and "
        r"strictly concave, so $M_i(p) > 0$ unless $p_i = 1$: a wrong prediction loses more than $w$ [@Ahmadian2024]."
    )


def charged(step: Step, scene: Scene) -> Description:
    """Describe ``ChargeWrong``: what the penalty is."""
    yield say("The penalty $w$ is the loss $L_i$ at equal probabilities of all classes.")


def bounds(step: Step, scene: Scene) -> Description:
    """Describe ``BoundLosses``: where the bounds are."""
    yield say(
        "The loss of a right prediction falls as its probability rises, and that of a wrong one too. A right one has "
        "at least the probability that all classes have if it is the same for all; a wrong one has at most that of "
        "two classes that share everything. The bounds are the losses, or their limits, there."
    )


def ranked(step: Step, scene: Scene) -> Description:
    """Describe ``RankPredictions``: the bounds are compared, or two losses evaluated."""
    if step.after.superior is None:
        yield say(
            "Whether every right prediction loses less than every wrong one stays open: neither bounds nor two "
            "predictions that decide it were found."
        )
    elif step.after.right is not None:
        yield say("Both losses follow by evaluation.")
    elif isinstance(step.after.classes, Symbol) and not step.after.superior:
        yield say(
            "For two classes the bounds are equal, and only the former depends on $K$: it rises with $K$."
        )
    else:
        yield say("The bounds are compared as numbers.")
