"""What each move has to say in a proof: one function per move, and a table that finds it.

A new move adds one teller. A move without one is told by the claims that it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integral

from costderive import forms
from costderive.derivation import losses
from costderive.export.blocks import Block, Display, Paragraph, Prose, Table, prose
from costderive.export.displays import Names, function, interval, region, slope
from costderive.export.printing import latex
from costderive.integrals import ExpectedLoss, Slice, SlicedIntegral, ThresholdIntegral, WeightedLoss
from costderive.moves import (
    ChangeOfVariables,
    IntegrateByParts,
    IntegrateMagnitude,
    SignOfWeight,
    SliceRegion,
    SlopeOfRisk,
    TakeExpectation,
)
from costderive.pieces import Piece
from costderive.proof import Case, Step
from costderive.rule import Losses, Properness
from costderive.symbols import p, s

MISSED = r"\pi_0 s (1 - F_0(s)) + \pi_1 (1 - s) F_1(s)"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a teller may look at besides its step: the case, and the names of the long values."""

    case: Case
    names: Names
    bounded: bool = False

    @property
    def losses(self) -> Losses:
        """The losses that the case arrives at."""
        return losses(self.case)

    @property
    def expected(self) -> ExpectedLoss | None:
        """The expected loss over the costs, if the derivation starts from one."""
        return next((step.after for step in self.case.steps if isinstance(step.after, ExpectedLoss)), None)

    def finite(self, worst: Expr) -> bool | None:
        """Tell whether a limit of a loss is finite; ``None`` if it is an integral of which that is not known."""
        if worst.is_infinite:
            return False
        return True if self.bounded or not worst.has(Integral) else None


Teller = Callable[[Any, Scene], Iterator[Block]]


def tell(step: Step, scene: Scene) -> tuple[Block, ...]:
    """Tell one step of a proof."""
    return tuple(TELLERS.get(type(step.move), _claims)(step, scene))


def _say(text: str, lead: str = "") -> Paragraph:
    return Paragraph(prose(text), lead)


def _claims(step: Step, scene: Scene) -> Iterator[Block]:
    """Tell a move that has no teller: what it claims, and how often."""
    counts = Counter(claim.what for claim in step.claims(scene.case.given))
    listed: list[Prose] = [(what, f" ({count} times)" if count > 1 else "") for what, count in counts.items()]
    text: Prose = (f"The step {type(step.move).__name__} rests on these claims: ",)
    for index, item in enumerate(listed):
        text += ("; " if index else "", *item)
    yield Paragraph((*text, "."), "A further step.")


# ---- from the costs to the threshold weight


def _expectation(step: Step, scene: Scene) -> Iterator[Block]:
    yield _say(
        "Given the costs, an instance of class 0 is misclassified if $p > s$, which has probability $1 - F_0(s)$, and an "
        "instance of class 1 if $p \\le s$, which has probability $F_1(s)$. As the costs are independent of $(p, Y)$,",
        "The expected loss.",
    )
    yield Display(((r"L", r"= \mathbb{E}\bigl[\pi_0 c_0 (1 - F_0(s)) + \pi_1 c_1 F_1(s)\bigr]"), *_written_out(step.after)))


def _written_out(loss: ExpectedLoss) -> Iterator[tuple[str, str]]:
    if loss.areas and not (loss.lines or loss.points):
        yield "", r"= \iint_D \bigl(\pi_0 c_0 (1 - F_0(s)) + \pi_1 c_1 F_1(s)\bigr) f(c_0, c_1) \, d c_0 \, d c_1,"
        yield "", r"\qquad \text{where } s = \tfrac{c_0}{c_0 + c_1}."
    if loss.lines and not (loss.areas or loss.points):
        density = "" if all(line.density == 1 for line in loss.lines) else r" w(s)"
        yield "", rf"= \int_0^1 \bigl({MISSED}\bigr) (c_0 + c_1){density} \, d s."


def _variables(step: Step, scene: Scene) -> Iterator[Block]:
    before: ExpectedLoss = step.before
    if before.areas and not (before.lines or before.points):
        yield from _substitution(step.after)
    elif before.lines and not (before.areas or before.points):
        yield _say(
            r"Given $s$, the sum $c_0 + c_1$ is the cost magnitude. So, with the threshold weight $\omega(s)$ equal to the cost "
            r"magnitude times the density of $s$,",
            "The threshold weight.",
        )
        yield Display(((_threshold_integral(),),), "eq:threshold")
        yield _say(r"Neither factor is negative, so $\omega \ge 0$.")
    else:
        yield _say(
            r"Each part of the law of the costs contributes to the threshold weight $\Omega(ds) = "
            r"\mathbb{E}[c_0 + c_1; \, s \in ds]$: areas after the substitution $c_0 = s c_1/(1 - s)$, lines through their "
            r"magnitude times the density of $s$, points as atoms.",
            "The threshold weight.",
        )


def _threshold_integral() -> str:
    return rf"L = \int_0^1 \bigl({MISSED}\bigr) \, \omega(s) \, d s"


def _substitution(after: ThresholdIntegral) -> Iterator[Block]:
    sheet = after.sheets[0]
    yield _say(
        r"For fixed $c_1 > 0$ put $c_0 = s c_1/(1 - s)$. While $s$ runs from 0 to 1, $c_0$ increases from 0 to $\infty$, and",
        "Change of variables.",
    )
    row = rf"\frac{{\partial c_0}}{{\partial s}} = {latex(sheet.jacobian)}, \qquad c_0 + c_1 = \frac{{c_1}}{{1 - s}}, "
    yield Display(((row + r"\qquad c_0 = s (c_0 + c_1), \qquad c_1 = (1 - s) (c_0 + c_1).",),))
    yield _say("The integrand is not negative, so by Tonelli's theorem the order of integration is free:")
    yield Display(((_threshold_integral(),),), "eq:threshold")
    yield _say("with the threshold weight")
    integrals = " + ".join(rf"\int_{{D_s}} {latex(x.integrand)} \, d c_1" for x in after.sheets)
    weight = r"\int_{D_s} (c_0 + c_1) \, f(c_0, c_1) \, \frac{\partial c_0}{\partial s} \, d c_1"
    yield Display(((rf"\omega(s) = {weight} = {integrals},",),))
    yield _say(r"where $D_s$ is the set of those $c_1$ for which $\bigl(s c_1/(1 - s), c_1\bigr)$ lies in $D$.")


def _region(step: Step, scene: Scene) -> Iterator[Block]:
    after: SlicedIntegral = step.after
    for sheet, slices in zip(after.integral.sheets, after.slices, strict=True):
        yield _say("In the new variables, $D$ is described by", "The region.")
        yield Display(((r", \qquad ".join(region(sheet.constraints)) + ".",),))
        yield _say(
            "Each inequality bounds $c_1$ from below or from above, and $D_s$ reaches from the largest lower bound to the "
            "smallest upper bound; it is empty, up to a point, if that is the smaller one. Comparing two of the bounds is, "
            f"cleared of denominators, an inequality linear in $s$, so they change order only where they are equal: {_meetings(slices)}. "
            "Hence"
        )
        yield Table((prose("for"), prose("$c_1$ runs from"), prose("to")), tuple(_slice(x) for x in slices))


def _slice(piece: Slice) -> tuple[Prose, Prose, Prose]:
    where = prose(f"${interval(Piece(piece.low, piece.high, piece.lower), s)}$")
    if piece.empty:
        return where, ("(empty)",), ()
    return where, prose(f"${latex(piece.lower)}$"), prose(f"${latex(piece.upper)}$")


def _meetings(slices: tuple[Slice, ...]) -> str:
    """Say which bounds are equal at each breakpoint."""
    found = [f"${equal}$ at $s = {latex(left.high)}$" for left, right in pairwise(slices) for equal in _equal(left, right)]
    return ", ".join(found) or "nowhere between 0 and 1"


def _equal(left: Slice, right: Slice) -> Iterator[str]:
    for first, second in ((left.lower, right.lower), (left.upper, right.upper)):
        if first != second:
            yield f"{latex(first)} = {latex(second)}"
    if left.empty != right.empty:
        yield f"{latex(left.lower)} = {latex(left.upper)}"


def _inner(step: Step, scene: Scene) -> Iterator[Block]:
    after: WeightedLoss = step.after
    sheets = step.before.integral.sheets
    found = {x.antiderivative for x in after.inner if x.antiderivative is not None}
    if len(sheets) != 1 or len(found) != 1:
        return
    name, written = "A(s, c_1)", sympy.factor(found.pop())
    yield _say("An antiderivative of the integrand in $c_1$ is", "The inner integral.")
    row = rf"{name} = {latex(written)}, \qquad \frac{{\partial A}}{{\partial c_1}} = {latex(sheets[0].integrand)}."
    yield Display(((row,),))
    yield _say(
        r"Its increase from the lower to the upper bound of $c_1$, on each piece of the table, is the threshold weight "
        r"$\omega(s)$ of the theorem; where $D_s$ is empty, $\omega(s) = 0$. The integrand is not negative and no upper "
        r"bound is below its lower bound, so $\omega \ge 0$."
    )


# ---- from the threshold weight to the losses


def _by_parts(step: Step, scene: Scene) -> Iterator[Block]:
    found: Losses = step.after
    if found.weight.atoms:
        yield from _with_atoms(found)
        return
    yield from _slopes(found)
    yield from _continuity(found)
    yield from _accumulation(found)
    yield from _class0(found, scene.finite(found.worst0))
    yield from _class1(found, scene.finite(found.worst1))
    yield _say(
        r"By {#eq:threshold}, $\pi_0$ times the first of these two expectations plus $\pi_1$ times the second is $L$. Moreover "
        r"$\int_0^1 s \, \omega(s) \, d s = \mathbb{E}[c_0]$ and $\int_0^1 (1 - s) \, \omega(s) \, d s = \mathbb{E}[c_1]$, since "
        r"$c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$; these are $L_0(1)$ and $L_1(0)$."
    )


def _slopes(found: Losses) -> Iterator[Block]:
    density = found.weight.density
    whose = "by the fundamental theorem of calculus" if _integral(found) else "as differentiation shows"
    yield _say(rf"Let $L_0$ and $L_1$ be as in the theorem. On each piece, {whose},", "The losses and their slopes.")
    yield function(r"L_0'(p) = p \, \omega(p)", slope(density, p), {})
    yield function(r"L_1'(p) = -(1 - p) \, \omega(p)", slope(density, -(1 - p)), {})


def _integral(found: Losses) -> bool:
    return any(piece.value.has(Integral) for losses_of in (found.loss0, found.loss1) for piece in losses_of)


def _continuity(found: Losses) -> Iterator[Block]:
    ends = "$L_0(p) \\to 0$ as $p \\to 0$ and $L_1(p) \\to 0$ as $p \\to 1$."
    if not found.loss0.breaks:
        yield _say(f"Both are continuous on $(0, 1)$, with {ends}")
        return
    yield _say("At each breakpoint the formulas on its left and on its right give the same values:")
    head = (prose("$p$"), prose("$L_0(p)$"), prose("$L_1(p)$"))
    rows = zip(found.loss0, found.loss1, strict=True)
    yield Table(head, tuple(_values(first, second) for first, second in list(rows)[:-1]))
    yield _say(f"So both are continuous on $(0, 1)$. Moreover {ends}")


def _values(first: Piece, second: Piece) -> tuple[Prose, ...]:
    values = (forms.constant(piece.value.subs(p, piece.high)) for piece in (first, second))
    return (prose(f"${latex(first.high)}$"), *(prose(f"${latex(value)}$") for value in values))


def _accumulation(found: Losses) -> Iterator[Block]:
    yield _say("Therefore, for $0 < p < 1$,")
    row = r"L_0(p) = \int_0^p s \, \omega(s) \, d s, \qquad L_1(p) = \int_p^1 (1 - s) \, \omega(s) \, d s,"
    yield Display(((row,),), "eq:losses")
    yield _say("and as $\\omega \\ge 0$, the loss $L_0$ does not decrease and $L_1$ does not increase. Their limits are")
    limits = rf"L_0(1) = {latex(found.worst0)}, \qquad L_1(0) = {latex(found.worst1)}."
    yield Display(((limits,),))


def _class0(found: Losses, finite: bool | None) -> Iterator[Block]:
    yield _say("For $0 < t < 1$, as $L_0$ is continuous and $L_0(0) = 0$,", "Integration by parts for class 0.")
    row = r"\int_0^t s \, \omega(s) \, (1 - F_0(s)) \, d s = L_0(t) \, (1 - F_0(t)) + \int_{[0, t]} L_0(p) \, d F_0(p)."
    yield Display(((row,),))
    if finite:
        yield _say(
            r"As $L_0(1)$ is finite, this holds for $t = 1$ too. There $F_0(1) = 1$, so the boundary term vanishes and the right "
            r"side is $\mathbb{E}[L_0(p) \mid Y = 0]$."
        )
        return
    yield _say(
        rf"Let $t \to 1$. {_when(finite, 'L_0(1)')}the hypothesis $\mathbb{{E}}[L_0(p) \mid Y = 0] < \infty$ makes the boundary "
        r"term vanish: it gives $p = 1$ probability 0 in class 0, and as $L_0$ does not decrease,"
    )
    bound = r"0 \le L_0(t) \, (1 - F_0(t)) \le \mathbb{E}\bigl[L_0(p) \, 1\{p > t\} \mid Y = 0\bigr] \to 0"
    yield Display(((bound,),))
    yield _say(r"by dominated convergence. So the right side tends to $\mathbb{E}[L_0(p) \mid Y = 0]$.")


def _class1(found: Losses, finite: bool | None) -> Iterator[Block]:
    yield _say("In the same way, as $L_1(1) = 0$,", "Integration by parts for class 1.")
    row = r"\int_t^1 (1 - s) \, \omega(s) \, F_1(s) \, d s = L_1(t) \, F_1(t) + \int_{(t, 1]} L_1(p) \, d F_1(p)."
    yield Display(((row,),))
    if finite:
        yield _say(
            r"As $L_1(0)$ is finite, this holds for $t = 0$ too. There $F_1(0) = \Pr(p = 0 \mid Y = 1)$, so the boundary term is "
            r"what the predictions $p = 0$ contribute (nothing, if $F_1$ has a density), and the right side is "
            r"$\mathbb{E}[L_1(p) \mid Y = 1]$."
        )
        return
    yield _say(
        rf"Let $t \to 0$. {_when(finite, 'L_1(0)')}the hypothesis $\mathbb{{E}}[L_1(p) \mid Y = 1] < \infty$ gives $p = 0$ "
        r"probability 0 in class 1, and as $L_1$ does not increase,"
    )
    bound = r"0 \le L_1(t) \, F_1(t) \le \mathbb{E}\bigl[L_1(p) \, 1\{p \le t\} \mid Y = 1\bigr] \to 0."
    yield Display(((bound,),))
    yield _say(r"So the boundary term vanishes, and the right side tends to $\mathbb{E}[L_1(p) \mid Y = 1]$.")


def _when(finite: bool | None, value: str) -> str:
    return "Here " if finite is False else f"If ${value}$ is finite, all is as for a bounded loss; if not, "


def _with_atoms(found: Losses) -> Iterator[Block]:
    """Between the atoms the slopes are as without them; the sum over the atoms needs no integration by parts."""
    yield from _slopes(found)
    jumps = ", ".join(f"${latex(atom.at)}$ by ${latex(atom.at * atom.mass)}$" for atom in found.weight.atoms)
    drops = ", ".join(f"${latex(atom.at)}$ by ${latex((1 - atom.at) * atom.mass)}$" for atom in found.weight.atoms)
    yield _say(
        f"After an atom $L_0$ jumps up and $L_1$ jumps down: $L_0$ after {jumps}; $L_1$ after {drops}. At the other breakpoints they "
        "are continuous, and $L_0(0) = 0$, $L_1(1) = 0$. Therefore"
    )
    row = r"L_0(p) = \int_{[0, p)} s \, \Omega(ds), \qquad L_1(p) = \int_{[p, 1]} (1 - s) \, \Omega(ds)."
    yield Display(((row,),), "eq:losses")
    yield _say(
        r"As $1 - F_0(s) = \Pr(p > s \mid Y = 0)$ and $F_1(s) = \Pr(p \le s \mid Y = 1)$, Tonelli's theorem gives",
        "The mean loss.",
    )
    zero = r"\int_{[0, 1]} s \, (1 - F_0(s)) \, \Omega(ds) &= \mathbb{E}\Bigl[\int_{[0, p)} s \, \Omega(ds) \Bigm| Y = 0\Bigr]"
    one = r"\int_{[0, 1]} (1 - s) \, F_1(s) \, \Omega(ds) &= \mathbb{E}\Bigl[\int_{[p, 1]} (1 - s) \, \Omega(ds) \Bigm| Y = 1\Bigr]"
    yield Display(tuple(tuple(x.split(" &")) for x in (zero + ",", one + ".")))


# ---- properness


def _risk(step: Step, scene: Scene) -> Iterator[Block]:
    yield _say(
        r"On each piece $L_0'(p) = p \, \omega(p)$ and $L_1'(p) = -(1 - p) \, \omega(p)$. So for every belief $q$",
        "The slope of the risk.",
    )
    slope_of_risk = r"\frac{\partial R(p|q)}{\partial p} = (1 - q) \, p \, \omega(p) - q \, (1 - p) \, \omega(p) = \omega(p) \, (p - q)."
    yield Display(((slope_of_risk,),))


def _sign(step: Step, scene: Scene) -> Iterator[Block]:
    after: Properness = step.after
    if scene.losses.weight.atoms:
        yield from _sign_with_atoms()
        return
    yield _say(
        rf"{_why_positive(scene.expected)} It is positive {_where(after, scene.losses)}.", "The sign of the threshold weight."
    )
    yield _say(
        "Let $p, q$ lie in $(0, 1)$. The losses are continuous there, so $R(\\cdot|q)$ is, and it has the slope above except at "
        "finitely many points. Hence",
        "Beliefs and reports inside the unit interval.",
    )
    yield Display(((r"R(p|q) - R(q|q) = \int_q^p \omega(s) \, (s - q) \, d s.",),), "eq:excess")
    yield _say(
        "This is not negative: for $p > q$ the integrand is not negative, and for $p < q$ it is not positive but the integral "
        "runs downwards. In words, the risk falls up to $q$ and rises after it."
    )
    yield _say(
        r"As $p \to 0$ and $p \to 1$, $R(p|q)$ tends to $R(0|q)$ and $R(1|q)$, since the values of $L_0$ and $L_1$ at 0 and 1 are "
        r"their limits; so {#eq:excess} extends to these reports (both sides may be infinite). For the belief $q = 0$ it reads "
        r"$L_0(p) = \int_0^p s \, \omega(s) \, d s$, and for $q = 1$ it reads $L_1(p) = \int_p^1 (1 - s) \, \omega(s) \, d s$, as "
        r"$R(0|0) = R(1|1) = 0$; both hold. So {#eq:excess} holds for all $p, q$ in $[0, 1]$, and the rule is proper.",
        "Beliefs and reports at the ends.",
    )
    yield _say(_equality(after, scene.losses), "Equality.")


def _sign_with_atoms() -> Iterator[Block]:
    yield _say(
        r"The density $\omega$ and the masses of the atoms are not negative, so $\Omega$ is a measure. For $q < p$ and for "
        r"$p < q$, {#eq:losses} gives",
        "The difference of two risks.",
    )
    up = (r"R(p|q) - R(q|q)", r"= \int_{[q, p)} (s - q) \, \Omega(ds)", r"\quad (q < p),")
    down = (r"R(p|q) - R(q|q)", r"= \int_{[p, q)} (q - s) \, \Omega(ds)", r"\quad (p < q).")
    yield Display((up, down), "eq:excess")
    yield _say(
        r"Neither is negative, so the rule is proper. The first is 0 exactly if $\Omega$ has no mass in $(q, p)$, the second "
        r"exactly if it has none in $[p, q)$."
    )


def _why_positive(expected: ExpectedLoss | None) -> str:
    if expected is not None and expected.areas and not (expected.lines or expected.points):
        return (
            r"For each $s$ the threshold weight $\omega(s)$ is the integral of a function that is not negative over an interval "
            r"whose upper end is at least its lower end. So $\omega \ge 0$."
        )
    if expected is not None and expected.lines and not (expected.areas or expected.points):
        return r"The threshold weight is the cost magnitude times the density of $s$, and neither is negative. So $\omega \ge 0$."
    return r"On each piece $\omega \ge 0$."


def _where(after: Properness, found: Losses) -> str:
    breaks = [x for x in found.weight.density.breaks if _strictly_inside(x, after)]
    except_at = " except possibly at the breakpoints" if breaks else ""
    parts = " and on ".join(f"$({latex(low)}, {latex(high)})$" for low, high in after.strict)
    zero_outside = "" if after.everywhere or not vanishes_outside(after, found) else ", and 0 outside it"
    return f"on {parts}{except_at}{zero_outside}" if parts else "nowhere that is claimed"


def _strictly_inside(point: Expr, after: Properness) -> bool:
    return all(point not in part for part in after.strict)


def vanishes_outside(after: Properness, found: Losses) -> bool:
    """Tell whether the threshold weight is 0 on every piece on which it is not claimed to be positive."""
    density = found.weight.density
    starts = {low for low, _ in after.strict}
    inside, seen = False, []
    for piece in density:
        inside = inside or piece.low in starts
        if not inside:
            seen.append(piece.value)
        if any(piece.high == high for _, high in after.strict):
            inside = False
    return all(value == 0 for value in seen) and not found.weight.atoms


def _equality(after: Properness, found: Losses) -> str:
    if after.everywhere:
        return (
            r"If $p \ne q$, the integrand of {#eq:excess} is different from 0 between $q$ and $p$, except at finitely many points. "
            r"So $R(p|q) > R(q|q)$: the rule is strictly proper."
        )
    if not after.strict or not vanishes_outside(after, found):
        return r"If the interval between $p$ and $q$ meets a set where $\omega$ is positive, the difference is positive."
    return (
        r"The difference is 0 exactly if $\omega$ vanishes between $p$ and $q$, apart from finitely many points, that is, if no "
        r"part of the set where $\omega$ is positive lies between them."
    )


TELLERS: dict[type, Teller] = {
    TakeExpectation: _expectation,
    ChangeOfVariables: _variables,
    SliceRegion: _region,
    IntegrateMagnitude: _inner,
    IntegrateByParts: _by_parts,
    SlopeOfRisk: _risk,
    SignOfWeight: _sign,
}
