"""Laws of costs in words: of independent costs, two or more, joint densities, curves and known costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.costs.contexts import Copula, CopulaFamily, Curve, FixedCosts, Independent, Joint
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Line, Point
from costderive.costs.laws import ImproperLaw, Law, Name, x
from costderive.multiclass import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.letters import cost
from costderive.multiclass.similar_classes import alike
from costderive.publish.formulas.printing import latex
from costderive.publish.words.displays import equal, region
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, prose
from costderive.publish.words.law_names import FAMILIES, in_common, remark_on
from costderive.publish.words.scene import Description, listed, numbered, say, show


@dataclass(frozen=True, slots=True)
class Setting:
    """A context in words; ``law`` continues "Let", ``known`` gives the name of the rule in the literature.

    ``costs`` says in short what the costs are, after "Costs:". ``bounded`` says that both costs are bounded, so that
    both losses are; ``improper`` that their law has an infinite mass, so that a loss is no expectation.
    """

    name: str
    law: Prose
    blocks: tuple[Block, ...]
    known: Prose = ()
    bounded: bool = False
    improper: bool = False
    costs: Prose = ()


def described(context: Any) -> Setting:
    """Describe a context by the parts of its law."""
    return _SETTINGS.get(type(context), _any)(context)


def _any(context: Any) -> Setting:
    law = prose("the costs have the law given above")
    return Setting("a cost context", law, tuple(parts(context.expected_loss())), costs=(str(context),))


def _independent(context: Independent) -> Setting:
    first, second = law_phrase(context.c0, "c_0"), law_phrase(context.c1, "c_1")
    family, remark = in_common(context.c0, context.c1)
    different = f"$c_0$ {first.removesuffix(remark)} and $c_1$ {second}"
    each = f"both {first}" if context.c0 == context.c1 else different
    opening = say(f"The two costs are independent, {each}.")
    blocks = (opening, *parts(context.expected_loss()))
    return stated(
        f"independent {family}costs", "the costs $c_0$ and $c_1$ be ", f"independent, {each}", blocks
    )


def stated(name: str, opening: str, costs: str, blocks: tuple[Block, ...]) -> Setting:
    """Return a setting whose law is an opening and what is said of the costs in short."""
    return Setting(name, prose(opening + costs), blocks, costs=prose(costs))


def _joint(context: Joint) -> Setting:
    where = ", ".join(f"${text}$" for text in region(context.support))
    costs = f"joint density ${latex(context.density)}$ where {where}"
    return stated(
        "costs with a joint density", "the costs have the ", costs, tuple(parts(context.expected_loss()))
    )


_COPULAS = {
    CopulaFamily.CLAYTON: "a Clayton copula",
    CopulaFamily.FRANK: "a Frank copula",
    CopulaFamily.FGM: "a Farlie-Gumbel-Morgenstern copula",
    CopulaFamily.GAUSSIAN: "a Gaussian copula",
    CopulaFamily.GUMBEL: "a Gumbel copula",
    CopulaFamily.COMONOTONE: "the comonotone copula, so that $c_1$ is an increasing function of $c_0$",
    CopulaFamily.COUNTERMONOTONE: "the countermonotone copula, so that $c_1$ is a decreasing function of $c_0$",
}


def _copula(context: Copula) -> Setting:
    """Describe the two laws and what joins them, or the simpler context that this is."""
    simpler = context.simpler()
    if isinstance(simpler, Independent):
        return _independent(simpler)
    first, second = law_phrase(context.c0, "c_0"), law_phrase(context.c1, "c_1")
    letter = r"\rho" if context.family is CopulaFamily.GAUSSIAN else r"\theta"
    value = "" if context.theta is None else f" with ${letter} = {latex(context.theta)}$"
    costs = f"dependent, $c_0$ {first} and $c_1$ {second}, joined by {_COPULAS[context.family]}{value}"
    blocks = (say(f"The two costs are {costs} [@Nelsen2006]."), *parts(context.expected_loss()))
    return stated("costs joined by a copula", "the costs $c_0$ and $c_1$ be ", costs, blocks)


def _curve(context: Curve) -> Setting:
    costs = f"$c_0 = {latex(context.c0)}$ and $c_1 = {latex(context.c1)}$"
    phrase = law_phrase(context.density, "x")
    blocks = (
        say(f"Both costs depend on one uncertain quantity $x$, which is {phrase}, through"),
        show(rf"c_0 = {latex(context.c0)}, \qquad c_1 = {latex(context.c1)}."),
    )
    loss, improper = context.expected_loss(), context.improper_law is not None
    arcs = tuple(parts(loss, improper=improper)) if len(loss.arcs) > 1 else ()
    return stated("costs on a curve", "", f"{costs}, where $x$ is {phrase}", blocks + arcs)


def _known(context: FixedCosts) -> Setting:
    costs = f"$c_0 = {latex(context.c0)}$ and $c_1 = {latex(context.c1)}$"
    return stated("known costs", "the costs be ", costs, (say(f"The costs are known: {costs}."),))


def law_phrase(law: Law, letter: str = "s") -> str:
    """Say what a quantity is, as in "$s$ is ...": uniform, equal to a value, or random with a density."""
    symbol = Symbol(letter, positive=True)
    if isinstance(law, ImproperLaw):
        masses = [f"the mass ${latex(m.probability)}$ at ${latex(m.value)}$" for m in law.masses]
        return f"weighed by the improper law with {listed([*_densities(law, symbol), *masses])}"
    if len(law.masses) == 1 and not law.spreads:
        return f"equal to ${latex(law.masses[0].value)}$"
    if law.name is not None:
        return _phrase(law.name)
    pieces = _densities(law, symbol)
    pieces += [f"the value ${latex(m.value)}$ with probability ${latex(m.probability)}$" for m in law.masses]
    return f"random with {listed(pieces)}"


def _densities(law: Law, symbol: Symbol) -> list[str]:
    return [
        f"the density ${latex(part.density.subs(x, symbol))}$ on {_range(part.low, part.high)}"
        for part in law.spreads
    ]


def improper_words(law: ImproperLaw, letter: str) -> Paragraph:
    """Say what an improper law means for the loss, and why its mass is infinite."""
    return say(
        f"This law of ${letter}$ is improper, as some priors are: its total mass is infinite{_why(law, letter)}. So no "
        r"costs can be drawn from it. An expectation of costs, such as $\mathbb{E}[c_0]$, is an integral over this "
        "law. The loss $L$ adds up the mean costs of the decisions over it, in units of cost times mass: a "
        "multiple of the density multiplies all losses alike. It is not the expected cost of a random instance."
    )


def _why(law: ImproperLaw, letter: str) -> str:
    found = law.infinite()
    if found is None:
        return ""
    symbol = Symbol(letter, positive=True)
    distance, product = (
        latex(expr.subs(x, symbol)) for expr in (found.distance, sympy.factor(found.distance * found.density))
    )
    goes, limit = rf"{letter} \to {latex(found.end.point)}", latex(found.limit)
    return f", since the density times ${distance}$ is ${product}$ and tends to ${limit}$ as ${goes}$"


def _phrase(name: Name) -> str:
    family = FAMILIES[name.family]
    match name.family, name.arguments:
        case "uniform", (low, high):
            return f"uniform on {_range(low, high)}"
        case "triangular", (low, mode, high):
            return f"triangular on {_range(low, high)} with its peak at ${latex(mode)}$"
        case "exponential", (mean,):
            return f"exponential with expectation ${latex(mean)}$"
        case "arcsine", ():
            return "arcsine distributed"
    parameters = ", ".join(map(latex, family.shown(*name.arguments)))
    return rf"$\mathrm{{{family.symbol}}}({parameters})$ distributed{remark_on(family)}"


def _range(low: Expr, high: Expr) -> str:
    return f"$[{latex(low)}, {latex(high)}{')' if high.is_infinite else ']'}$"


def parts(loss: ExpectedLoss, *, improper: bool = False) -> Description:
    """Describe the parts of a law one by one; their probabilities add up to one, unless it is improper."""
    if len(loss.areas) + len(loss.lines) + len(loss.arcs) + len(loss.points) > 1:
        total = "" if improper else ", whose probabilities add up to one"
        yield say(f"The law of the costs is the sum of these parts{total}.")
    for index, area in enumerate(loss.areas, 1):
        yield from _area(area, index, len(loss.areas))
    for line in loss.lines:
        yield from _line(line)
    for arc in loss.arcs:
        yield from _arc(arc)
    for point in loss.points:
        yield _point(point)


def _area(area: Area, index: int, count: int) -> Description:
    density, whole = numbered(r"\varphi", index, count), numbered("D", index, count)
    yield say("The pair $(c_0, c_1)$ has the density")
    yield equal(f"{density}(c_0, c_1)", sympy.powsimp(area.density))
    yield say(f"on the region ${whole}$ given by")
    yield show(r", \qquad ".join(region(area.constraints)) + ".")


def _line(line: Line) -> Description:
    yield say(
        f"For $s$ between ${latex(line.low)}$ and ${latex(line.high)}$, the cost proportion has the "
        f"density ${latex(line.density)}$ and the costs add up to"
    )
    yield equal("c_0 + c_1", line.magnitude)


def _arc(arc: Arc) -> Description:
    letter = latex(arc.variable)
    yield say(
        f"For ${letter}$ between ${latex(arc.low)}$ and ${latex(arc.high)}$, with the density "
        f"${latex(arc.density)}$ of ${letter}$, the costs are"
    )
    yield show(rf"c_0 = {latex(arc.c0)}, \qquad c_1 = {latex(arc.c1)}.")


def _point(point: Point) -> Paragraph:
    return say(
        f"With probability ${latex(point.probability)}$ the costs are $c_0 = {latex(point.c0)}$ and $c_1 = "
        f"{latex(point.c1)}$."
    )


def _shares(context: DirichletCosts) -> Setting:
    total = " + ".join(latex(cost(label)) for label in range(context.classes))
    shapes = ", ".join(map(latex, context.shapes))
    costs = f"${total} = {latex(context.budget)}$, and the shares follow the Dirichlet law with the shapes ${shapes}$"
    return stated("costs that share a budget", "the costs share a fixed budget, ", costs, ())


def _of_classes(context: ClassCosts) -> Setting:
    groups = [_group(law, labels) for law, labels in alike(context.laws).items()]
    return stated("independent costs", "the costs are ", f"independent, {', '.join(groups)}", ())


def _group(law: Law, labels: tuple[int, ...]) -> str:
    letters = [latex(cost(label)) for label in labels]
    each = " each" if len(labels) > 1 else ""
    return f"{listed(f'${letter}$' for letter in letters)}{each} {law_phrase(law, letters[0])}"


_SETTINGS: dict[type, Callable[[Any], Setting]] = {
    DirichletCosts: _shares,
    IndependentCosts: _of_classes,
    Independent: _independent,
    Joint: _joint,
    Copula: _copula,
    Curve: _curve,
    FixedCosts: _known,
}
