"""The proof of losses that are integrals over one of the costs, and of properness by the act of least risk."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integral

from costderive.costs.expected_loss import HeldCosts, Margin
from costderive.derivation.moves.held_beside import HeldBeside
from costderive.derivation.moves.held_costs import COSTS, has_finite_means, margins_of
from costderive.derivation.moves.name_integrals import NameIntegrals
from costderive.proof.claims import Case, Step
from costderive.publish.words.displays import equation, function
from costderive.publish.words.document_blocks import Block, Prose, displayed, ended, prose
from costderive.publish.words.proofs_of_properness import equality, then_proper
from costderive.publish.words.scene import Description, Scene, numbered, say, show
from costderive.publish.words.sign_of_weight import positive_where
from costderive.rules import Losses, Properness
from costderive.rules.hypergeometric import EulerIntegral


def held(step: Step, scene: Scene) -> Description:
    """Describe ``HoldOneCost``: for each class where an error costs, and which cost is integrated out."""
    found: HeldCosts = step.after
    yield say(
        "The losses are integrated in another order. A forecast $p$ decides for class 1 where $s < p$, that is, where "
        r"$c_0 (1 - p) < c_1 p$. So $L_0(p) = \mathbb{E}[c_0; \; s < p]$ and $L_1(p) = \mathbb{E}[c_1; \; s \ge p]$. "
        "Nothing here is negative, so by Tonelli's theorem one of the costs may be held while the other one is "
        "integrated out.",
        lead="The cost of an error.",
    )
    for number, own in enumerate(COSTS):
        margins = list(dict.fromkeys(margins_of(found, number)))
        for index, one in enumerate(margins, 1):
            yield from _margin(one, own, numbered("AB"[number], index, len(margins)))


def held_beside(step: Step, scene: Scene) -> Description:
    """Describe ``HoldInAreas``: the areas, and the losses of all other costs."""
    split: HeldBeside = step.after
    yield from held(replace(step, after=split.held), scene)
    yield say(
        r"The costs outside these areas have a part of the threshold weight, $\nu$. By parts their losses are",
        lead="All other costs.",
    )
    for name, loss in (("M_0", split.beside.loss0), ("M_1", split.beside.loss1)):
        yield function(f"{name}(p)", loss, given=scene.case.given)
    yield say(
        r"as $d M_0 = p \, \nu(dp)$ and $d M_1 = -(1 - p) \, \nu(dp)$, with $M_0 \to 0$ at 0 and $M_1 \to 0$ at 1. "
        "They are added to what the areas give."
    )


def _margin(one: Margin, own: Expr, name: str) -> Description:
    held, other = one.held.variable, one.other.variable
    times = prose("") if held == own else prose("{} times ", own)
    yield say("At a fixed {}, {}the density has in {} the antiderivative", held, times, other)
    *rows, (left, value) = equation(f"{name}(c_0, c_1)", one.within.function)
    yield displayed((*rows, (left, ended(value, ","))))
    yield say(
        "which rises from {} to {} as {} runs from {} to {}.",
        *(one.within.at_low, one.within.at_high, other, one.other.low, one.other.high),
    )


def added(step: Step, scene: Scene) -> Description:
    """Describe ``AddStrips``: the losses, and that they are finite."""
    found: Losses = step.after
    yield say(
        "{} That gives the losses{}. {}",
        prose("".join(map(_where_errors_are, _in_areas(step.before)))),
        prose(" as integrals" if _names_integrals(scene.case) else f" {scene.stated}"),
        _why_finite(scene),
    )
    yield show(
        r"L_0(1) & = \mathbb{E}[c_0] = {}, \\ L_1(0) & = \mathbb{E}[c_1] = {}"
        + (r" < \infty." if _open(found) and all(finite_means(scene.case)) else "."),
        *(found.worst0, found.worst1),
    )
    if not _names_integrals(scene.case):
        yield _mean_of(scene)


def _in_areas(found: object) -> tuple[HeldCosts, ...]:
    """Return the areas in which a cost is held, if there are any."""
    areas = found.held if isinstance(found, HeldBeside) else found
    return (areas,) if isinstance(areas, HeldCosts) else ()


def _where_errors_are(held: HeldCosts) -> str:
    """Say over which of the other costs the antiderivatives are taken."""
    if all(one.held.variable == own for number, own in enumerate(COSTS) for one in margins_of(held, number)):
        return (
            "Where the cost that belongs to the threshold, $c_0 (1 - p)/p$ or $c_1 p/(1 - p)$, is inside the range of "
            "the other cost, the antiderivative is taken from there on, and below it over the whole range."
        )
    return (
        "Where the ray $c_0 (1 - p) = c_1 p$ meets the range of the cost that is integrated out, the antiderivative is "
        "taken on that side of it on which the error is made, and elsewhere over the whole range, or not at all."
    )


def _mean_of(scene: Scene) -> Block:
    if scene.brief:
        return say("So these are the losses of [@CostContexts, Theorem 1], and their mean is $L$.")
    return say(
        r"Given $(p, Y)$, the costs have their law. So an instance of class 0 with forecast $p$ expects the cost "
        r"$L_0(p)$, one of class 1 the cost $L_1(p)$, and the mean over $(p, Y)$ is $L$."
    )


def _names_integrals(case: Case) -> bool:
    return any(isinstance(step.move, NameIntegrals) for step in case.steps)


def by_euler(step: Step, scene: Scene) -> Description:
    """Describe ``NameIntegrals``: Euler's integral, and what each integral in the losses is by it."""
    yield say(
        r"For $0 < \beta < \gamma$ and $x < 1$, Gauss's hypergeometric function $F$ is given by Euler's integral "
        "[@DLMF, 15.6.1], in which $t/(1 + t)$ is the variable there:",
        lead="Hypergeometric functions.",
    )
    yield show(
        r"\int_0^\infty t^{\beta - 1} (1 + t)^{\alpha - \gamma} (1 + (1 - x) t)^{-\alpha} \, dt "
        r"= \frac{\Gamma(\beta) \, \Gamma(\gamma - \beta)}{\Gamma(\gamma)} \, F(\alpha, \beta; \gamma; x)."
    )
    yield say("It gives the losses of the theorem:")
    named: tuple[EulerIntegral, ...] = step.move.named  # type: ignore[attr-defined]
    *others, last = [list(equation(one.integral, one.value)) for one in named]
    last[-1] = (last[-1][0], ended(last[-1][1], "."))
    yield displayed(row for rows in (*others, last) for row in rows)
    yield _mean_of(scene)


def finite_means(case: Case) -> tuple[bool, bool]:
    """Return whether it is decided of held costs that the expected cost of class 0, and of 1, is finite."""
    held = [areas for step in case.steps for areas in _in_areas(step.after)]
    first, second = (any(has_finite_means(x, number, case.given) for x in held) for number in (0, 1))
    return first, second


def _why_finite(scene: Scene) -> Prose:
    """Say why losses are finite: as far as it is decided that expected costs are."""
    found = finite_means(scene.case)
    if all(found):
        return prose("They are finite, as")
    reasons = [reason for is_finite, reason in zip(found, _FINITE_BY, strict=True) if is_finite]
    return prose(f"For $0 < p < 1$ they are finite{''.join(reasons)}. At the ends")


_FINITE_BY = (
    r", as $\mathbb{E}[c_0]$ is and $c_1 \le c_0 (1 - p)/p$ where class 1 is missed",
    r", as $\mathbb{E}[c_1]$ is and $c_0 < c_1 p/(1 - p)$ where class 0 is missed",
)


def _open(found: Losses) -> bool:
    return any(worst.has(Integral) for worst in (found.worst0, found.worst1))


def bayes(step: Step, scene: Scene) -> Description:
    """Describe ``ActAsBayes``: whoever reports the belief acts at least risk for every pair of costs."""
    after: Properness = step.after
    if scene.brief:
        yield say("As the density of a measure, $\\omega \\ge 0$.{}", positive_where(after, scene))
        yield say(then_proper(after))
        return
    yield say(
        "Let $q$ be a belief. At costs $(c_0, c_1)$ deciding for class 1 has the risk $(1 - q) c_0$ and deciding for "
        "class 0 the risk $q c_1$. Their difference is $(1 - q) c_0 - q c_1 = (c_0 + c_1)(s - q)$: the forecast $q$ "
        "always takes the smaller one, and another forecast $p$ takes the larger one where $s$ lies between $p$ and "
        "$q$. The mean over the costs, which is finite, gives",
        lead="The difference of two risks.",
    )
    yield show(r"R(p|q) - R(q|q) = \int_q^p \omega(s) \, (s - q) \, ds \ge 0", label="eq:excess")
    yield say(
        r"for all $p, q \in [0, 1]$, with the threshold weight $\omega$ of {#eq:threshold}: the rule is proper.{}",
        positive_where(after, scene),
    )
    yield say(equality(after, scene.losses), lead="Equality.")
