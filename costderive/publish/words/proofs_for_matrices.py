"""The acts of a cost matrix, their regions and losses in words, and the proof move by move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any, cast

from sympy import Expr, S, factor, ilcm

from costderive.costs.laws import x
from costderive.deciders.signs import positive
from costderive.multiclass.act_regions import ActLosses, ActRegion, excess
from costderive.multiclass.averaged_costs import ActProperness, AveragedLosses, EqualLosses
from costderive.multiclass.cost_matrix import CostMatrix, expected_cost, weighed
from costderive.multiclass.letters import predicted
from costderive.multiclass.mixed_acts import MixedLosses
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.multiclass.stages import Distribution
from costderive.multiclass.uncertain_strictness import IndependentTies, MovingThreshold, SharedAct
from costderive.proof.claims import Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula
from costderive.publish.words.displays import equal, inequality
from costderive.publish.words.document_blocks import Block, Prose, by_cases, prose, table
from costderive.publish.words.law_phrases import Setting, law_phrase
from costderive.publish.words.proofs_for_classes import ClassScene
from costderive.publish.words.scene import Description, listed, point, say, series, show
from costderive.publish.words.ties_of_acts import apart

WRITTEN = 36  # costs of a matrix that a sentence lists
SHOWN = 12  # acts of which a table has the regions
IN_A_ROW = 2  # inequalities between costs of acts
CostLosses = ActLosses | AveragedLosses | MixedLosses | ExpectedLosses


# ---- the costs


def setting(context: CostMatrix) -> Setting:
    """Describe a cost matrix."""
    others = (*_uncertain(context), *_others(context))
    name, sentence = _pattern(context.costs)
    law = series([sentence, *others], "; ")
    name = name if context.reject is None else f"{name} with a reject option"
    return Setting(name, law, tuple(_rows(context)), costs=series([_in_rows(context), *others], "; "))


def _pattern(costs: tuple[tuple[Expr, ...], ...]) -> tuple[str, Prose]:
    """Return what costs are called that only depend on how far, or whether, the class is missed, and a sentence."""
    unit = costs[0][1] if len(costs[0]) > 1 else S.Zero
    places = [(i, j) for i in range(len(costs)) for j in range(len(costs[0]))]
    if len(costs) != len(costs[0]) or unit == 0:
        return _OF_A_MATRIX
    if all(costs[i][j] == (unit if i != j else 0) for i, j in places):
        return "equal costs", prose("to decide for a wrong class costs {}", unit)
    if all(costs[i][j] == unit * abs(i - j) for i, j in places):
        each = "" if unit == 1 else formula(r"{} \, ", unit)
        return "ordinal costs", prose("to decide for class $j$ if the class is $i$ costs ${}|i - j|$", each)
    return _OF_A_MATRIX


_OF_A_MATRIX: tuple[str, Prose] = ("a cost matrix", ("the costs are those of a matrix",))


def has_pattern(context: CostMatrix) -> bool:
    """Return whether the acts of a matrix decide for the classes, as a pattern of its costs says."""
    return _pattern(context.costs) is not _OF_A_MATRIX


def _others(context: CostMatrix) -> Iterator[Prose]:
    """Say what it costs to reject, and by what all costs are multiplied."""
    rejected = context.known_reject
    if rejected is not None:
        yield prose("to reject, which is the last act, costs {} in every class", rejected)
    elif context.reject is not None:
        law = law_phrase(context.reject, "x")
        yield prose("to reject, which is the last act, costs $x$ in every class, with $x$ {}", law)
    if context.factor is not None:
        yield prose("all costs are multiplied by a factor $Z$, {}", law_phrase(context.factor, "Z"))


def _uncertain(context: CostMatrix) -> Iterator[Prose]:
    for letter, law in context.parts:
        yield prose("{} is {}", letter, law_phrase(law, str(letter)))


def _in_rows(context: CostMatrix) -> Prose:
    if len(context.costs) * len(context.costs[0]) > WRITTEN:
        return prose("a matrix of {} rows and {} columns", len(context.costs), len(context.costs[0]))
    rows = [formula("({})", chain(", ", row)) for row in context.costs]
    return prose("the matrix with the rows {}, one for each class, with a column for each act", series(rows))


def _rows(context: CostMatrix) -> Iterator[Block]:
    if len(context.costs) * len(context.costs[0]) > WRITTEN:
        yield say("The certificate of this derivation has the matrix.")
        return
    acts = [f"act {act}" for act in range(len(context.costs[0]))]
    yield say("A row of the matrix $C$ has the costs in one class:")
    rejected = () if context.known_reject is None else (context.known_reject,)
    head = ("class", *acts, *["reject"] * len(rejected))
    yield table(head, [(label, *row, *rejected) for label, row in enumerate(context.costs)])


# ---- the regions and losses


def is_known(found: CostLosses) -> bool:
    """Return whether no cost is uncertain, but for a factor."""
    return isinstance(found, ActLosses) or (isinstance(found, AveragedLosses) and found.reject is None)


def known(found: CostLosses) -> ActLosses:
    """Return the losses for known costs."""
    return found.known if isinstance(found, AveragedLosses) else cast(ActLosses, found)


def regions_of_acts(found: CostLosses) -> Description:
    """Say at which forecasts each act is taken, among those with known costs, and what it costs in each class."""
    if isinstance(found, MixedLosses | ExpectedLosses):
        return
    losses = known(found)
    yield _opening(losses)
    head = (
        "act",
        "a cheapest act where",
        "cost in class 0",
        *[f"in class {k}" for k in range(1, losses.classes)],
    )
    rows = [
        (
            _named(losses.matrix, region.act),
            series(_where(losses, region)),
            *losses.matrix.columns[region.act],
        )
        for region in losses.regions[:SHOWN]
    ]
    yield table(head, rows, wide=(1,))
    yield from _others_of(losses)
    yield say("An act is taken where it is a cheapest one and no act before it is.{}", _needed(losses))


def _needed(losses: ActLosses) -> str:
    all_inside = all(region.inside for region in losses.regions) and len(losses.regions) > 1
    return " Each act of the table is the only cheapest one at some forecast." if all_inside else ""


def _named(matrix: CostMatrix, act: int) -> Prose:
    """Write the number of an act, and that it rejects."""
    return prose("${}${}", act, " (reject)" if act == len(matrix.costs[0]) else "")


def regions_in_short(found: CostLosses) -> Description:
    """Say at which forecasts each act is taken."""
    if isinstance(found, MixedLosses | ExpectedLosses):
        return
    losses = known(found)
    yield _opening(losses)
    rows = [
        (
            formula(_name(losses.matrix, region.act).replace("(reject)", r"\text{ (reject)}")),
            chain(", ", _where(losses, region)),
        )
        for region in losses.regions[:SHOWN]
    ]
    yield by_cases("a(p)", rows)
    yield from _others_of(losses)


def _opening(losses: ActLosses) -> Block:
    among = " among the acts of the matrix" if losses.matrix.is_uncertain else ""
    two = prose(" Here $p = p_1$ is the probability of class 1.") if losses.classes == 2 else ()
    table = " Each act is a cheapest one at exactly those forecasts that are named for it."
    return say(
        f"Let $a(p)$ be the first act of the least expected cost{{}} at the forecast $p$.{{}}{table}",
        among,
        two,
    )


def _others_of(losses: ActLosses) -> Description:
    if len(losses.regions) > SHOWN:
        yield say(f"The certificate lists {len(losses.regions) - SHOWN} more acts.")
    if losses.idle:
        idle = listed([_name(losses.matrix, one.act) for one in losses.idle])
        yield say("Never needed: {}; others cost no more on average, in every class.", idle)


def _name(matrix: CostMatrix, act: int) -> str:
    return f"{act} (reject)" if act == len(matrix.costs[0]) else str(act)


def _where(losses: ActLosses, region: ActRegion) -> list[Row]:
    columns = losses.matrix.columns
    faces = [_face(columns[region.act], columns[rival]) for rival in region.rivals]
    return list(dict.fromkeys(faces)) or [formula(r"\text{everywhere}")]


def _face(own: tuple[Expr, ...], rival: tuple[Expr, ...]) -> Row:
    """Write that a rival costs no less: of two classes as a threshold, a cost that is the same in each as a number."""
    if len(own) == 2:
        (first, second) = excess((own, rival), 0, 1)
        if positive(first - second) or positive(second - first):
            sign = r"\le" if positive(first - second) else r"\ge"
            return formula(f"p {sign} {{}}", (first / (first - second)).cancel())
    forecast = tuple(map(predicted, range(len(own))))
    return inequality(expected_cost(rival, forecast) - expected_cost(own, forecast), r"\le")


@singledispatch
def losses_of_acts(found: Any) -> Description:
    """Say what the losses of the classes are."""
    yield show("L_i(p) = C_{i, a(p)}")


@losses_of_acts.register
def _(found: MixedLosses) -> Description:
    assert found.matrix.part is not None
    letter, _ = found.matrix.part
    yield say(
        r"As a function of $x = {}$, act $j$ costs $a_j + x b_j$ on average, with $a_j = \sum_i p_i A_{ij}$, "
        r"$b_j = \sum_i p_i B_{ij}$ and $C = A + x B$. It is taken for $l_j < x < h_j$ with",
        letter,
    )
    yield show(
        r"l_j = \max\Bigl(0, \max_{b_k > b_j} \frac{a_j - a_k}{b_k - b_j}\Bigr), \qquad "
        r"h_j = \min_{b_k < b_j} \frac{a_k - a_j}{b_j - b_k},"
    )
    yield say("if $l_j < h_j$; of acts that cost the same for all $x$, the first one is. The losses are")
    scale = "" if found.factor is None else formula(r"{} \, ", found.scale)
    yield show(
        r"L_i(p) = {}\sum_j \bigl(A_{ij} \, \Pr(l_j < x < h_j) + B_{ij} \, \mathbb{E}[x; l_j < x < h_j]\bigr)",
        scale,
    )
    yield say(
        r"{}with $\mathbb{E}[x; x < z] = G(z) - z \, (1 - F(z))$, where $F$ is the distribution function of $x$ and "
        r"$G(z) = \mathbb{E}[\min(x, z)]$:",
        _AT_MASSES if any(jump != 0 for jump in found.part.jumps) else "",
    )
    yield _by_regions("F(z)", found.part.cdfs, found.part, "z")
    yield _by_regions("G(z)", found.limited, found.part, "z")


@losses_of_acts.register
def _(found: ExpectedLosses) -> Description:
    scale = "" if found.factor is None else formula(r"{} \, ", found.scale)
    yield show(r"L_i(p) = {}\mathbb{E}\bigl[C_{i, a(p)}\bigr],", scale)
    yield say(
        "the mean over {}, where $a(p)$ is the first act that costs least, $\\sum_i p_i C_{ij}$, at their values.",
        listed([formula("{}", letter) for letter, _ in found.matrix.parts]),
    )


_AT_MASSES = "(and a value that has a probability counts with the first act that costs least there) "


@losses_of_acts.register
def _(found: AveragedLosses) -> Description:
    scale = "" if found.factor is None else formula(r"{} \, ", found.scale)
    if found.reject is None:
        yield show("L_i(p) = {}C_{i, a(p)}", scale)
        return
    yield say(
        "With the expected cost $e = e_{a(p)}(p)$ of this act, it is rejected if $x < e$. Where $e > 0$,"
    )
    yield show(
        r"L_i(p) = {}\bigl(G(e) + (C_{i, a(p)} - e) \, (1 - F(e))\bigr), \qquad G(e) = \mathbb{E}[\min(x, e)],",
        scale,
    )
    yield say("and else $L_i(p) = {}C_{{i a(p)}}$. Here".replace("{{", "{").replace("}}", "}"), scale)
    yield _by_regions("G(e)", found.limited, found.reject)
    yield _by_regions("F(e)", found.reject.cdfs, found.reject)


def _by_regions(name: str, functions: tuple[Expr, ...], law: Distribution, place: str = "e") -> Block:
    letter = x.func(place, positive=True)
    values = [function.subs(x, letter) for function in functions]
    if len(values) == 1:
        return equal(name, values[0])
    return by_cases(name, [(value, _region(letter, *law.bounds(n))) for n, value in enumerate(values)])


def _region(letter: Expr, low: Expr, high: Expr) -> Row:
    if high is S.Infinity:
        return chain(" > ", (letter, low))
    return chain(r" \le ", (letter, high)) if low == 0 else formula(r"{} < {} \le {}", low, letter, high)


# ---- the moves


def compared(step: Step, scene: ClassScene) -> Description:
    """Describe ``CompareActs``: the regions are polyhedra, whose faces are those to a few rivals."""
    after: ActLosses = step.after
    yield say(
        r"An instance of class $i$ costs $C_{i, a(p)}$; it remains to see where each act is taken. Act $k$ costs "
        r"$e_k(p) - e_j(p) = \sum_i p_i (C_{ik} - C_{ij})$ more than act $j$. This excess is linear in $p$, so "
        "that it is not negative for any forecast if it is not negative in each class. {}",
        _rivals(after),
        lead="The regions.",
    )
    yield from _implied(after)
    inside = [
        (formula(region.act), _over_one_bar(region.inside[0]))
        for region in after.regions[:SHOWN]
        if region.inside
    ]
    if inside:
        yield say("At each of these forecasts the act named is cheaper than all others of the table:")
        yield table(("act", "$p$"), inside)
    for idle in after.idle[:SHOWN]:
        shares = [
            prose("act {} with the share {}", region.act, share)
            for region, share in zip(after.regions, idle.shares, strict=True)
            if share != 0
        ]
        yield say("Act {} costs no less, in any class, than {}.", idle.act, listed(shares))


def _over_one_bar(forecast: tuple[Expr, ...]) -> Row:
    """Write the probabilities of a forecast as whole numbers times one fraction."""
    if not all(x.is_Rational for x in forecast):
        return point(tuple(map(factor, forecast)))
    below = ilcm(*[x.q for x in forecast])
    return formula(r"\frac{1}{{}} \, {}", below, point(tuple(x * below for x in forecast)))


def _rivals(after: ActLosses) -> Prose:
    """Say which acts the table compares, and that this is enough."""
    if not any(region.multipliers for region in after.regions):
        return prose("The table of the theorem compares each act with all the other acts that have a region.")
    return prose(
        "The table of the theorem compares each act with some others, its rivals{}. The other comparisons follow: "
        "in each class, the excess of an act that is no rival is at least a sum of non-negative multiples of those of "
        "the rivals.",
        _conditions(after),
    )


def _conditions(after: ActLosses) -> Prose:
    """Say which rival each condition of the table is about, where there is one for each."""
    if len(after.regions) > SHOWN or any(len(_where(after, x)) < len(x.rivals) for x in after.regions):
        return ()
    pairs = [(region.act, rival) for region in after.regions for rival in region.rivals]
    return prose(
        "; the conditions are, in their order, {}",
        listed(formula(r"e_{{}} \le e_{{}}", *pair) for pair in pairs),
    )


def _implied(after: ActLosses) -> Description:
    """Say of acts that are no rivals which multiples of the excesses of rivals theirs are at least."""
    stated = list(_bounds(after))
    for start in range(0, min(len(stated), SHOWN), IN_A_ROW):
        yield show("{}", chain(r", \qquad ", stated[start : min(start + IN_A_ROW, SHOWN)]))
    if len(stated) > SHOWN:
        yield say(f"The certificate has {len(stated) - SHOWN} more of these.")


def _bounds(after: ActLosses) -> Iterator[Row]:
    for region in after.regions:
        implied = [act for act in after.chosen if act not in (region.act, *region.rivals)]
        for other, multipliers in zip(implied, region.multipliers, strict=True):
            terms = [
                formula(r"{}(e_{{}} - e_{{}})", "" if times == 1 else times, rival, region.act)
                for rival, times in zip(region.rivals, multipliers, strict=True)
                if times != 0
            ]
            least = chain(" + ", terms) if terms else formula(0)
            yield formula(r"e_{{}} - e_{{}} \ge {}", other, region.act, least)


def mixed(step: Step, scene: ClassScene) -> Description:
    """Describe ``MixActs``: the lines of the acts, and the integral over the uncertain letter."""
    after: MixedLosses = step.after
    yield from _of_factor(after.factor)
    yield say(
        "For a forecast $p$, act $j$ costs no more than act $k$ if $x (b_j - b_k) \\le a_k - a_j$, which bounds $x$ "
        "from above if $b_j > b_k$, and from below if $b_j < b_k$. An instance of class $i$ then costs "
        "$A_{ij} + x B_{ij}$. "
        r"$G$ is continuous, starts at 0 and has the slope $1 - F$, and $\min(x, z)$ is $x$ below $z$, and else $z$.",
        lead="The uncertain part.",
    )


def expected(step: Step, scene: ClassScene) -> Description:
    """Describe ``ExpectCheapest``: the mean over several uncertain letters is finite."""
    after: ExpectedLosses = step.after
    yield from _of_factor(after.factor)
    means = [
        formula(r"\mathbb{E}[{}] = {}", pair[0], one.mean)
        for pair, one in zip(after.matrix.parts, after.parts, strict=True)
    ]
    yield say(
        "Each cost is linear in each of the uncertain letters, which are independent and have the finite means {}. So "
        "all costs have finite means, and so has that of the act that is taken, as it is between the least and the "
        "largest cost in its class.",
        listed(means),
        lead="The uncertain costs.",
    )


def averaged(step: Step, scene: ClassScene) -> Description:
    """Describe ``AverageCosts``: the integral over the cost of rejecting, and the mean of the factor."""
    after: AveragedLosses = step.after
    yield from _of_factor(after.factor)
    if after.reject is not None:
        yield say(
            "An instance of class $i$ costs $x$ if it is rejected, which is so if $x < e$, and else $C_{i, a(p)}$. "
            r"The mean is $\mathbb{E}[x; x < e] + C_{i, a(p)} \, \Pr(x \ge e)$. As $\min(x, e)$ is $x$ in the first "
            r"case and $e$ in the second, $\mathbb{E}[x; x < e] = G(e) - e \, \Pr(x \ge e)$. $G$ is continuous, "
            r"starts at 0 and has the slope $1 - F$, with $F$ the distribution function of $x$; at a cost $e$ that "
            r"has a probability, the formulas of the costs below it hold.",
            lead="The cost of rejecting.",
        )


def _of_factor(factor: Distribution | None) -> Description:
    if factor is not None:
        yield say(
            "The factor multiplies all expected costs alike, so that it changes no decision. It is independent of the "
            "rest, hence its mean {} multiplies the losses.",
            factor.mean,
            lead="The factor.",
        )


_UNCERTAIN = {
    False: ("Let", "These costs are"),
    True: ("Whatever the uncertain costs are, let", "The means of both over the uncertain costs are"),
}


def cheapest(step: Step, scene: ClassScene) -> Description:
    """Describe ``TakeCheapestAct``: the act of the truth costs least under the truth."""
    after: ActProperness = step.after
    yield say(
        "{} $a$ be the act taken at the belief $q$, and $b$ the act taken at a report $p$. Under $q$, act $b$ costs "
        "no less than $a$ on average, by the choice of $a$. {} $R(p|q)$ and $R(q|q)$. So the rule is proper.",
        *_UNCERTAIN[not isinstance(after.losses, ActLosses)],
        lead="Bayes acts.",
    )
    if isinstance(after.stake, MovingThreshold | IndependentTies):
        yield from apart(after)
    elif after.stake is not None:
        yield from _strictly(after)
    elif is_known(after.losses):
        yield say(
            "There are finitely many acts, and the $e_j$ are continuous. So an act that is not cheapest at $q$ is not "
            "cheapest at any report close enough to $q$ either: the act taken there is cheapest at $q$ as well, and "
            "$R(p|q) = R(q|q)$.",
            lead="Equality.",
        )
    if after.same is not None:
        one, other = map(point, after.same.forecasts)
        always = ", whatever the uncertain costs are, so that all losses are the same"
        yield say(
            "For example, act {} is the cheapest both at $q = {}$ and at $p = {}${}.{}",
            *(after.same.act, one, other),
            *((always, ()) if isinstance(after.same, SharedAct) else ("", _level(after.losses, after.same))),
        )


def _level(losses: CostLosses, same: EqualLosses) -> Prose:
    if is_known(losses):
        return ()
    costs = [weighed(known(losses).matrix.columns[same.act], forecast) for forecast in same.forecasts]
    if same.gap is None:
        return prose(" It costs {} under both. So the losses are the same.", costs[0])
    text = " It costs {} under the one and {} under the other, and $x$ is never between. So the losses are the same."
    return prose(text, *costs)


def _strictly(after: ActProperness) -> Description:
    yield say(
        r"Let $m(q) = \min_j e_j(q)$ be the least expected cost without rejecting. The density of $x$ is positive up "
        "to the largest $m(q)$ (of two classes), and every act with a region costs more in one class than in the "
        "other. Let a report $p$ take act $a$, at the cost $e = e_a(p) = m(p)$, unless $x < e$. If $e < m(q)$, then "
        "with positive probability $x$ is between the two: the report does not reject, which would cost less. "
        "If $e > m(q)$, it rejects with positive probability though that costs more. If $e = m(q)$, and $x$ may be "
        "larger, then act $a$ is the best under $q$ only if $e_a(q) = e_a(p)$, hence $p = q$. If $x$ cannot be "
        "larger, "
        "$m$ has its greatest value at both $p$ and $q$. It is concave, linear between finitely many thresholds, and "
        "nowhere level, so that $p = q$.",
        lead="Equality.",
    )
