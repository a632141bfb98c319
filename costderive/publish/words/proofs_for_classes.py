"""The proof from the laws of the costs of K classes to their losses, and on to properness, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, S

from costderive.costs.laws import x
from costderive.multiclass import DirichletCosts, NotAffine
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.similar_classes import alike, ascending
from costderive.multiclass.stages import (
    Distribution,
    IndependentDistributions,
    Order,
    SplitCell,
    SplitLoss,
)
from costderive.proof.claims import Case, Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.lines import START
from costderive.publish.formulas.printing import Part, chain, formula
from costderive.publish.words.displays import equal, positive
from costderive.publish.words.document_blocks import Block, Prose, by_cases, displayed, prose, table
from costderive.publish.words.scene import Description, by_label, listed, point, say, show

ROOM = 60.0  # for an integral on a line, in digits


@dataclass(frozen=True, slots=True)
class ClassScene:
    """The case of a derivation, and the number of classes (0 if it is any)."""

    case: Case
    classes: int


def order_of(order: Order) -> Row:
    """Write an order of weighed marks."""
    return chain(r" \le ", ascending(order))


# ---- the distributions


def distributions(step: Step, scene: ClassScene) -> Description:
    """Describe ``FindDistributions``: the distribution function and the mean of each cost."""
    after: IndependentDistributions = step.after
    shared = isinstance(step.before, DirichletCosts)
    if shared:
        yield from _gammas(step.before, after)
    letter = "b" if shared else "c"
    groups = alike(after.of_class)
    has_masses = any(one.masses for one in after.of_class)
    jumps = " but for jumps at the values that have a probability" if has_masses else ""
    yield say(
        f"Let $G_i$ be the distribution function of ${letter}_i$. It is continuous{jumps}, starts at 0, ends "
        f"at 1, and has the density as its slope. For $x \\ge 0$,",
        lead="The distribution functions.",
    )
    yield from distribution_functions(after)
    means = [
        chain(" = ", [*[formula(r"\mathbb{E}[{}_{{}}]", letter, k) for k in labels], one.mean])
        for one, labels in groups.items()
    ]
    yield say("The expectations are {}.", listed(means))


def distribution_functions(costs: IndependentDistributions) -> Iterator[Block]:
    """Write the distribution function of each cost."""
    for one, labels in alike(costs.of_class).items():
        yield _cdf(chain(" = ", [formula("G_{{}}(x)", label) for label in labels]), one)


def _gammas(context: DirichletCosts, after: IndependentDistributions) -> Description:
    """Describe how independent costs stand for shares of a budget."""
    last, whole, budget = context.classes - 1, sum(context.shapes), context.budget
    yield say(
        rf"Let ${by_label('b_{{{}}}', context.classes)}$ be independent, $b_i$ of a Gamma law with the scale 1 and "
        r"the shape that the Dirichlet law has for class $i$. In terms of their total $T = \sum_i b_i$ and their "
        "shares $w_i = b_i/T$, "
        "the Jacobian determinant is $T^{{}}$, and the product of the densities of the $b_i$ times it is the "
        "Dirichlet "
        "density of the shares times the Gamma density, of shape {}, of the total. So the shares together have the "
        "law of the costs over ${}$, and are independent of $T$, which has the expectation {}.",
        *(
            last,
            whole,
            formula("({})", budget) if budget.is_Add else budget,
            whole,
        ),
        lead="Shares of a budget.",
    )
    yield say(
        "Decisions depend on the shares alone. For any event $A$ that is determined by the shares, "
        "$\\mathbb{E}[b_i; A]$, which is $\\mathbb{E}[b_i \\, 1_A]$, is $\\mathbb{E}[T] \\, \\mathbb{E}[w_i; "
        "A]$, "
        "hence"
    )
    yield show(
        r"\mathbb{E}[c_i; A] = {}\mathbb{E}[b_i; A].",
        formula(r"{} \, ", after.factor) if after.factor != 1 else "",
    )


def _cdf(names: Row, found: Distribution) -> Block:
    if len(found.cdfs) == 1:
        return equal(names, found.cdfs[0])
    return by_cases(names, [(cdf, _region(*found.bounds(region))) for region, cdf in enumerate(found.cdfs)])


def _region(low: Expr, high: Expr) -> Row:
    if high is S.Infinity:
        return chain(r" \ge ", (x, low))
    return chain(" < ", (x, high)) if low == 0 else formula(r"{} \le {} < {}", low, x, high)


# ---- the decision


def chances(step: Step, scene: ClassScene) -> Description:
    """Describe ``ChooseByCost``: the chance that a class is not chosen, and the orders of the marks."""
    found: IndependentDistributions = step.before
    yield from _chance(step, scene)
    yield from _ties(found)
    if len(step.after.cells) > 1 or len(step.after.cells[0].order) > 1:
        yield say(
            "The form of $G_j(p_i x/p_j)$ changes where $p_i x$ equals $p_j m$ for a value $m$ at which that "
            "of $G_j$ does. So the order of all $p_j m$ says which forms the factors have between two of "
            "them, and there is one formula for each order."
        )


def held(step: Step, scene: ClassScene) -> Description:
    """Describe ``HoldOwnCost``: the chance that a class is not chosen at a cost of its own."""
    yield from _chance(step, scene)
    yield say(
        "No integrand is negative, and each loss is at most the expected cost of its class, which is finite."
    )
    if len([one for one in step.after.costs.of_class if one.masses]) > 1:
        yield say(TIES)


TIES = (
    "Where two costs that have a probability tie, the lower class is chosen: there $G_j$ is the probability of lower "
    "costs alone if $j < i$."
)


def _chance(step: Step, scene: ClassScene) -> Description:
    found: IndependentDistributions = step.before
    cost = "b" if _is_shared(scene) else "c"
    several = len([one for one in found.of_class if one.masses]) > 1
    yield say(
        f"{STAND_IN if cost == 'b' else ''}Given ${cost}_i = x$, class $i$ is chosen if "
        f"$p_j {cost}_j \\le p_i x$ for all others $j$, up to "
        f"ties{'' if several else ', which have probability 0'}. As the "
        rf"${cost}_j$ are independent, this has the probability $\prod_{{j \ne i}} G_j(p_i x/p_j)$. An instance of "
        r"class $i$ costs $c_i$ if its class is not chosen, and the costs are independent of $(p, Y)$. So "
        r"the expected cost is $\sum_i \pi_i \, \mathbb{E}[L_i(p) \mid Y = i]$ with",
        lead="The chance not to be chosen.",
    )
    yield show(f"{LOSS}.", factor_of(found), label="eq:loss")


STAND_IN = (
    "The decision is for the class with the largest $p_i b_i$: the shares determine it. So by the equation for "
    "$\\mathbb{E}[c_i; A]$ the $b_i$ may stand for the costs. "
)


def _is_shared(scene: ClassScene) -> bool:
    """Are the costs shares of a budget, for which independent variables stand?"""
    return isinstance(scene.case.steps[0].before, DirichletCosts)


LOSS = r"L_i(p) = {}\int_0^\infty x \, \Bigl(1 - \prod_{j \ne i} G_j\bigl(p_i x/p_j\bigr)\Bigr) \, dG_i(x)"


def factor_of(costs: IndependentDistributions) -> Part:
    """Write the factor of the costs before what it multiplies, if it is not 1."""
    return "" if costs.factor == 1 else formula("{} ", costs.factor)


def _ties(found: IndependentDistributions) -> Description:
    massive = [one for one in found.of_class if one.masses]
    if len(massive) > 1:
        yield say(
            "Two costs that have a probability tie at some forecasts alone, namely those between two of the orders "
            "below. The lower class is chosen then, so the formula of the order that ranks it higher holds."
        )


# ---- the integrals


def _antiderivatives(costs: IndependentDistributions, cell: SplitCell) -> str:
    """Say which functions are integrated, and how."""
    regions = [(label, part.regions) for label, loss in enumerate(cell.losses) for part in loss.slices]
    if not any(costs.integrand(*region).has(sympy.exp) for region in regions):
        return (
            "Multiplied out, each integrand is a polynomial in $x$; the differences of its antiderivative between the "
            "bounds"
        )
    if all(one.span == (0, S.Infinity) and len(one.densities) == 1 for one in costs.of_class):
        if all(_is_linear(costs.integrand(*region)) for region in regions):
            return (
                "Multiplied out, each integrand is a sum of terms $C x \\mathrm{e}^{-r x}$ with $r > 0$; their "
                "integrals, $C/r^2$,"
            )
        return (
            "Multiplied out, each integrand is a sum of terms $C x^n \\mathrm{e}^{-r x}$ with $r > 0$; their "
            "integrals, $C "
            "n!/r^{n + 1}$,"
        )
    return (
        "Multiplied out, each integrand is a sum of terms $C x^n \\mathrm{e}^{-r x}$ with $r \\ge 0$, and so is its "
        "antiderivative; the differences of these (with the limit 0 at infinity) between the bounds"
    )


def _is_linear(integrand: Expr) -> bool:
    """Is a sum of exponentials with polynomials one whose polynomials are multiples of x?"""
    factors = integrand.replace(sympy.exp, lambda _: sympy.Dummy())
    terms = sympy.Poly(factors, x).monoms() if factors.is_polynomial(x) else []
    return terms == [(1,)]


def integrals(step: Step, scene: ClassScene) -> Description:
    """Describe ``IntegrateCosts``: the integrals of one order, slice by slice."""
    cell: SplitCell = step.before.cells[0]
    several = len(step.before.cells) > 1
    where = prose("Where {}, this formula", order_of(cell.order)) if len(cell.order) > 1 else "Formula"
    yield say("{} {#eq:loss} reads", where, lead="The integrals.")
    for label, loss in enumerate(cell.losses):
        yield displayed(_integral(step.before.costs, label, loss))
    yield say(
        f"{_antiderivatives(step.before.costs, cell)} add up to the losses of the "
        f"theorem.{' The other orders are alike.' if several else ''}"
    )


def _integral(costs: IndependentDistributions, label: int, loss: SplitLoss) -> Iterator[tuple[Row, Row]]:
    """Yield the rows of one loss: an integral for each slice where the class has a density, and its masses."""
    factor = factor_of(costs)
    parts: list[Part] = [
        formula(r"{}\int_{{}}^{{}} {} \, dx", factor, part.low, part.high, _body(costs, label, part.regions))
        for part in loss.slices
        if costs.integrand(label, part.regions) != 0
    ]
    parts += [formula("{}{}", factor, mass) for mass in loss.masses if mass != 0]
    first, *others = parts or [0]
    yield formula("L_{{}}(p)", label), formula("= {}", first)
    yield from ((Row(()), formula(r"\quad {} + {}", START, part)) for part in others)


def _body(costs: IndependentDistributions, label: int, regions: tuple[int, ...]) -> Part:
    density = costs.of_class[label].densities[regions[label]]
    chance = costs.unchosen(label, x, regions)
    if chance.is_number:
        return chance * x * density
    return formula(r"{} \Bigl({}\Bigr)" if chance.is_Add else "{} {}", x * density, chance)


# ---- properness


def bayes(step: Step, scene: ClassScene) -> Description:
    """Describe ``ActOptimally``: the loss of a Bayes act is proper, and where strictly."""
    after: BayesProperness = step.after
    yield say(
        "Let $c$ be any costs. Under the belief $q$, deciding for class $a$ costs $\\sum_{j \\ne a} q_j c_j$ "
        "on average. If $q_a c_a$ is the largest of the $q_j c_j$, then deciding for another class $k$ costs "
        "$q_a c_a - q_k c_k \\ge 0$ more. So the decision $a(q, c)$ of the truth is at least as good as the "
        "decision $a(p, c)$ of a report $p$:",
        lead="Bayes acts.",
    )
    yield show(r"\sum_{j \ne a(q, c)} q_j c_j \le \sum_{j \ne a(p, c)} q_j c_j.")
    yield say(
        "The expectation of the right side over the costs is $\\sum_j q_j \\, \\mathbb{E}[c_j; j \\ne a(p, "
        "c)] = R(p|q)$, and that of the left side is $R(q|q)$. So the rule is proper."
    )
    yield from _equality(after.losses.costs.of_class, after.strict, _is_shared(scene))


def strictness(strict: tuple[Expr, ...] | None) -> Prose:
    """State where a rule is strictly proper."""
    if strict is None:
        return ("Where it is strictly so is not decided here.",)
    if not strict:
        return prose(r"That is, $R(p|q) > R(q|q)$ for all $p \ne q$ with positive probabilities.")
    if any(fact.is_nonpositive for fact in strict):
        return prose(
            r"Under no belief is the truth the only best report: near every $q$ there are reports $p \ne q$ with "
            r"$R(p|q) = R(q|q)$."
        )
    facts = listed(map(positive, strict))
    return prose("It is strictly proper for exactly those beliefs $q$ with {}.", facts)


def _equality(found: tuple[Distribution, ...], strict: tuple[Expr, ...] | None, shared: bool) -> Description:
    if strict is None:
        return
    yield say(
        r"The right side of the inequality less the left one is "
        r"$q_{a(q, c)} c_{a(q, c)} - q_{a(p, c)} c_{a(p, c)} \ge 0$, and its expectation is "
        r"$R(p|q) - R(q|q)$. A random variable that is not negative has the expectation 0 only if it "
        r"is almost surely 0. "
        r"So $R(p|q) > R(q|q)$ if and only if $p$ decides, with positive probability, for a "
        r"class $a$ whose $q_a c_a$ is not the largest.",
        lead="Equality.",
    )
    if not any(one.carried for one in found):
        yield say(
            "The costs take finitely many values. A report close enough to $q$ ranks the $q_j c_j$ that "
            "differ as $q$ does, for all of these. So it never decides for a class that is not best, and its risk is "
            "that of the truth."
        )
        return
    condition = "If the condition holds, " if strict else ""
    if all(one.is_interval or one.is_known for one in found):
        near = _near_a_tie(found, "b" if shared else "c")
        near = near if not strict else f"{condition}{near[0].lower()}{near[1:]}"
        yield say(f"{_spread(found, shared=shared)} independent. {near}")
    else:
        endless = next(n for n, one in enumerate(found) if one.is_interval and one.span[1] is S.Infinity)
        yield say(
            _ABOVE.replace("NUMBER", str(endless)).replace(
                "CONDITIONwith", f"{condition}with" if condition else "With"
            )
        )
    if strict:
        yield say(_NEEDED)


def _spread(found: tuple[Distribution, ...], *, shared: bool) -> str:
    """Say how each cost, or what stands for it, is spread; the sentence goes on with their independence."""
    kind = "has a positive density on one interval"
    if all(one.span == (0, S.Infinity) for one in found):
        kind = r"has a positive density on $(0, \infty)$"
    elif any(one.is_known for one in found):
        kind = f"is known or {kind}"
    if shared:
        return f"As decisions depend on shares alone, the $b_i$ may stand for the costs here. Each {kind}, and they are"
    return f"Each cost {kind}, and the costs are"


def _near_a_tie(found: tuple[Distribution, ...], cost: str) -> str:
    """Argue that near costs between which a belief is undecided another report decides for the worse."""
    return _common(found) + _NEAR_A_TIE.replace("COST", cost)


def _common(found: tuple[Distribution, ...]) -> str:
    """Choose a number that all costs may be near when they are multiplied by the beliefs."""
    if all(one.span == (0, S.Infinity) for one in found):
        return "Let $z > 0$."
    each = "those that are not a point" if any(one.is_known for one in found) else "each of them"
    return f"Multiplied by the $q_j$, these intervals have a number $z$ in common, which lies inside {each}."


_NEAR_A_TIE = (
    " At the costs $z/q_j$ the belief is undecided between all classes. Let $p \\ne q$, let $M$ be the set of the "
    "classes with the largest $p_j/q_j$, and $k$ a class that is not in it (there is one: if all ratios were equal, "
    "so would $p$ and $q$ be). Near these costs there are, in a set of "
    "positive probability, costs $COST$ with $q_k COST_k > q_j COST_j$ for all $j$ in $M$. If they are near enough, "
    "the report decides for a class $a$ in $M$, as $p_j z/q_j$ is largest there; and $q_a COST_a$ is not the largest."
)
_ABOVE = (
    "The cost of class NUMBER has a positive density on an interval without an upper end. If $p \\ne q$, "
    "some class $i$ has another ratio $p_i/q_i$ than class NUMBER. CONDITIONwith positive probability $q_i "
    "c_i$ is close to its largest value (or, if it has none, as large as one likes) and above those of all "
    "other classes but NUMBER, while that of class NUMBER is just above it, or just below it. In one of the "
    "two cases, whichever ratio is larger, the report prefers the lesser of the two classes."
)
_NEEDED = (
    "If the condition fails, some class $m$ and another class $j$ have $q_m c_m \\le q_j c_j$ for all costs. "
    "A report in which only the ratio $p_m/q_m$ is smaller than all others then decides for a class that is "
    "best: it leaves $m$ alone where $j$ is as good, and ranks the others as $q$ does. So its risk is that "
    "of the truth."
)


# ---- another rule


def compared(step: Step, scene: ClassScene) -> Description:
    """Describe ``CompareWith``: three forecasts that no affine change survives."""
    after: NotAffine = step.after
    label = after.label
    yield say(
        f"Otherwise the pairs $(M_{{{label}}}(p), L_{{{label}}}(p))$ of any three forecasts would be on one "
        f"line. But there are"
    )
    head = ("$p$", f"$M_{{{label}}}(p)$", f"$L_{{{label}}}(p)$")
    yield table(head, zip(map(point, after.forecasts), after.losses_there, after.losses_here, strict=True))
    yield say("and the triangle of these three points has the area ${} > 0$.", sympy.Abs(after.area) / 2)
