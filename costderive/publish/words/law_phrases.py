"""Laws of costs in words: of independent costs, two or more, joint densities, curves and known costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.symbols import c0, c1
from costderive.costs.contexts import Curve, FixedCosts, Independent, Joint
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Line, Point
from costderive.costs.laws import ImproperLaw, Law, Name, x
from costderive.multiclass import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.letters import cost
from costderive.multiclass.similar_classes import alike
from costderive.publish.formulas.exponentials import collected
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula, width
from costderive.publish.words.conics import name_of, needed
from costderive.publish.words.displays import LINE, equal, region
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, joined, prose, table
from costderive.publish.words.law_names import FAMILIES, family_of, in_common, remark_on
from costderive.publish.words.scene import Description, counted, listed, numbered, say, show


@dataclass(frozen=True, slots=True)
class Setting:
    """A context in words; ``law`` continues "Let", ``known`` gives the name of the rule in the literature.

    ``costs`` says in short what the costs are, after "Costs:", and ``short`` what an abstract says of a long law.
    ``bounded`` says that both costs are bounded, so that both losses are; ``improper`` that their law has an infinite
    mass, so that a loss is no expectation; ``certain`` that the costs are known numbers, of which nothing is random.
    ``aside`` is said after the ``blocks`` of costs that are no part of others.
    """

    name: str
    law: Prose
    blocks: tuple[Block, ...]
    known: Prose = ()
    bounded: bool = False
    improper: bool = False
    costs: Prose = ()
    certain: bool = False
    short: Prose = ()
    aside: tuple[Block, ...] = ()

    @property
    def named(self) -> Prose:
        """The name as a part of a sentence or title."""
        return prose(self.name)


def described(context: Any) -> Setting:
    """Describe a context by the parts of its law."""
    return _SETTINGS.get(type(context), _any)(context)


def _any(context: Any) -> Setting:
    law = prose("the costs have the law given above")
    return Setting("a cost context", law, tuple(parts(context.expected_loss())), costs=(str(context),))


def _independent(context: Independent) -> Setting:
    _, remark = in_common(context.c0, context.c1)
    if context.c0 == context.c1:
        costs = prose("independent, both {}", law_phrase(context.c0, "c_0"))
    elif all(family_of(law) is FAMILIES["lognormal"] for law in (context.c0, context.c1)):
        costs = _log_normal(context.c0.name, context.c1.name)
    else:
        first = law_phrase(context.c0, "c_0", remarked=not remark)
        comma = "," if len(context.c0.spreads) + len(context.c0.masses) > 1 else ""
        text = f"independent, $c_0$ {{}}{comma} and $c_1$ {{}}"
        costs = prose(text, first, law_phrase(context.c1, "c_1"))
    blocks = joined(say("The two costs are {}. ", costs), *parts(context.expected_loss()))
    return stated(_name_of_pair(context), "the costs $c_0$ and $c_1$ be {}", costs, blocks)


def _log_normal(*names: Name | None) -> Prose:
    """Describe two log-normal laws by those of the logarithms."""
    moments = [FAMILIES["lognormal"].shown(*name.arguments) for name in names if name is not None]
    text = (
        r"independent and log-normal, where $\ln c_0$ has the mean {} and the variance {}, and $\ln c_1$ the mean {} "
        "and the variance {}"
    )
    return prose(text, *(moment for pair in moments for moment in pair))


def _name_of_pair(context: Independent) -> str:
    """Name independent costs by the families of their laws, that of class 0 first."""
    laws = (context.c0, context.c1)
    families = [family for law in laws if (family := family_of(law)) is not None]
    if len(families) == len(laws):
        words = dict.fromkeys(family.title for family in families)
        return f"independent {' and '.join(words)} costs"
    if families and any(is_known(law) for law in laws):
        return f"{families[0].with_article} cost beside a known one"
    if not any(law.spreads for law in laws):
        return "independent costs with finitely many values"
    return "independent costs"


def stated(name: str, law: str, costs: Prose, blocks: tuple[Block, ...]) -> Setting:
    """Return a setting whose law is a sentence with a place for what is said of the costs in short."""
    return Setting(name, prose(law, costs), blocks, costs=costs)


def _joint(context: Joint) -> Setting:
    where = listed(region(needed(context.support)))
    costs = prose("joint density {} where {}", context.density, where)
    return stated(_joint_name(context), "the costs have the {}", costs, tuple(parts(context.expected_loss())))


def _joint_name(context: Joint) -> str:
    if context.density.has(c0, c1):
        return "costs with a joint density"
    shape = "a triangle" if _is_triangle(context.support) else name_of(context.support) or "a region"
    return f"costs uniform on {shape}"


def _is_triangle(constraints: tuple[Expr, ...]) -> bool:
    """Return whether a region is what a line with a falling slope cuts off from the costs."""
    (*axes, line) = sorted(constraints, key=lambda gap: len(gap.free_symbols & {c0, c1}))
    slopes = [sympy.diff(line, cost) for cost in (c0, c1)]
    return set(axes) == {c0, c1} and all(slope.is_negative for slope in slopes)


def _curve(context: Curve) -> Setting:
    phrase = law_phrase(context.density, "x")
    costs = prose("{}, where $x$ is {}", _pair(context), phrase)
    blocks = (
        say("Both costs depend on one uncertain quantity $x$, which is {}, through", phrase),
        show(r"c_0 = {}, \qquad c_1 = {}.", context.c0, context.c1),
    )
    loss, improper = context.expected_loss(), context.improper_law is not None
    arcs = tuple(parts(loss, improper=improper)) if len(loss.arcs) > 1 else ()
    return stated("costs on a curve", "{}", costs, blocks + arcs)


def _known(context: FixedCosts) -> Setting:
    costs, equal = _pair(context), context.c0 == context.c1
    known = prose("Both costs are {}.", context.c0) if equal else prose("The costs are known: {}.", costs)
    phrase = prose("both costs be {}" if equal else "the costs be {}", context.c0 if equal else costs)
    found = stated("known costs", "{}", costs, (say("{}", known),))
    return replace(found, law=phrase, known=prose(_ONE_THRESHOLD), certain=True)


_ONE_THRESHOLD = (
    "For known costs the scoring rule is the cost-weighted misclassification loss itself, "
    "at the threshold $c_0/(c_0 + c_1)$."
)


def _pair(found: Curve | FixedCosts | Point) -> Prose:
    return prose("$c_0 = {}$ and $c_1 = {}$", found.c0, found.c1)


def law_phrase(law: Law, letter: str = "s", *, remarked: bool = True) -> Prose:
    """Say what a quantity is, as in "$s$ is ...": uniform, equal to a value, or random with a density.

    Unless it is ``remarked``, nothing says what the parameters of a named law are.
    """
    symbol = Symbol(letter, positive=True)
    if isinstance(law, ImproperLaw):
        masses = [prose("the mass {} at {}", m.probability, m.value) for m in law.masses]
        return prose(
            "given the improper law with {}", listed([*_densities(law, symbol, "({}, {})"), *masses])
        )
    if is_known(law):
        return prose("equal to {}", law.masses[0].value)
    if law.name is not None:
        return _phrase(law.name, remarked)
    if not law.spreads:
        (first, *others) = law.masses
        values = [prose("equal to {} with probability {}", first.value, first.probability)]
        values += [prose("to {} with probability {}", m.value, m.probability) for m in others]
        return listed(values)
    masses = [prose("the value {} with probability {}", m.value, m.probability) for m in law.masses]
    return prose("random with {}", listed([*_densities(law, symbol), *masses]))


def is_known(law: Law) -> bool:
    """Return whether a law is that of a known cost."""
    return len(law.masses) == 1 and not law.spreads


def _densities(law: Law | ImproperLaw, symbol: Symbol, range_: str = "[{}, {}]") -> list[Prose]:
    return [
        prose(
            "the density {} on {}",
            _one_bar(part.density.subs(x, symbol), symbol),
            _range(part.low, part.high, range_),
        )
        for part in law.spreads
    ]


def _one_bar(density: Expr, letter: Symbol) -> Expr:
    """Write a linear density over one bar, and each exponential once."""
    is_linear = density.is_polynomial(letter) and sympy.degree(density, letter) == 1
    return sympy.together(density) if is_linear else collected(density, letter)


def improper_words(law: ImproperLaw, letter: str) -> Paragraph:
    """Say what an improper law means for the loss, and why its mass is infinite."""
    return say(
        "This law of ${}$ is improper, as some priors are: its total mass is infinite{}. So no "
        r"costs can be drawn from it. An expectation of costs, such as $\mathbb{E}[c_0]$, is an integral over this "
        "law. The loss $L$ adds up the mean costs of the decisions over it, in units of cost times mass: a "
        "multiple of the density multiplies all losses alike. It is not the expected cost of a random instance.",
        *(letter, _why(law, letter)),
    )


def _why(law: ImproperLaw, letter: str) -> Prose:
    found = law.infinite()
    if found is None:
        return ()
    symbol = Symbol(letter, positive=True)
    product = sympy.factor(found.distance * found.density)
    tends = prose(r" and tends to {} as ${} \to {}$", found.limit, letter, found.end.point)
    return prose(
        r", since the density times {} is {}{}",
        *(found.distance.subs(x, symbol), product.subs(x, symbol), tends if product.has(x) else ()),
    )


def _phrase(name: Name, remarked: bool) -> Prose:
    family = FAMILIES[name.family]
    match name.family, name.arguments:
        case "uniform", (low, high):
            return prose("uniform on {}", _range(low, high))
        case "triangular", (low, mode, high):
            return prose("triangular on {} with its peak at {}", _range(low, high), mode)
        case "exponential", (mean,):
            return prose("exponential with expectation {}", mean)
        case "arcsine", ():
            return ("arcsine-distributed",)
    parameters = chain(", ", family.shown(*name.arguments))
    text = rf"$\mathrm{{{family.symbol}}}({{}})$-distributed{{}}"
    return prose(text, parameters, remark_on(family) if remarked else "")


def _range(low: Expr, high: Expr, range_: str = "[{}, {}]") -> Row:
    return formula(range_.replace("]", ")") if high.is_infinite else range_, low, high)


def parts(loss: ExpectedLoss, *, improper: bool = False) -> Description:
    """Describe the parts of a law one by one; their probabilities add up to one, unless it is improper."""
    found, count = contributions(loss, 0, len(loss.areas)), _count(loss)
    if count > max(1, len(loss.points)):
        total = "" if improper else ", whose probabilities add up to one"
        yield from joined(say(f"The law of the costs has {counted(count)} parts{total}. "), *found)
    else:
        yield from found


def _count(loss: ExpectedLoss) -> int:
    return len(loss.areas) + len(loss.lines) + len(loss.arcs) + len(loss.points)


def contributions(
    loss: ExpectedLoss, before: int, areas: int, scaled: str = "", *, random: bool = False
) -> Description:
    """Describe the parts of a law, of which the areas are numbered on from those ``before``, ``areas`` in all.

    Densities that a probability multiplies are said to be ``scaled`` in these words, between commas; the sum of the
    costs may be ``random`` at a given cost proportion.
    """
    alone = _count(loss) == 1
    if len(loss.areas) > 1 and _width(loss.areas) < LINE:
        yield from _areas(loss.areas, before + 1, scaled, others=_count(loss) > len(loss.areas))
    else:
        for index, area in enumerate(loss.areas, before + 1):
            yield from _area(area, index, areas, scaled, alone=alone)
    for line in loss.lines:
        yield from _line(line, scaled, random)
    if len(loss.arcs) > 1 and len({arc.variable for arc in loss.arcs}) == 1:
        yield from _arcs(loss.arcs, scaled)
    else:
        for arc in loss.arcs:
            yield from _arc(arc, scaled)
    if loss.points:
        yield _points(loss.points)


def _area(area: Area, index: int, count: int, scaled: str, *, alone: bool) -> Description:
    density, whole = numbered(r"\varphi", index, count), numbered("D", index, count)
    part = "A part" if index == 1 else "Another part"
    whole_law = "The pair $(c_0, c_1)$ has the density" if alone else f"{part} of the law has the density"
    yield say(f"The density of $(c_0, c_1)${scaled} is" if scaled else whole_law)
    yield equal(f"{density}(c_0, c_1)", sympy.powsimp(area.density))
    constraints = needed(area.constraints)
    if set(constraints) == {c0, c1}:
        yield say(rf"on the quadrant ${whole} = (0, \infty) \times (0, \infty)$.")
        return
    yield say(f"on the region ${whole}$ given by")
    yield show("{}.", chain(r", \qquad ", region(constraints)))


def _areas(areas: tuple[Area, ...], first: int, scaled: str, *, others: bool) -> Description:
    """Describe several areas as the rows of a table; the law may have ``others``."""
    each = "Some have a density," if others else "Each has a density"
    law = f"The density of $(c_0, c_1)${scaled} is" if scaled else each
    yield say(rf"{law} $\varphi_i$ on a region $D_i$:")
    head = ("$i$", r"$\varphi_i(c_0, c_1)$", "$D_i$")
    rows = [
        (sympy.Integer(i), sympy.powsimp(area.density), _where(area)) for i, area in enumerate(areas, first)
    ]
    yield table(head, rows)


def _where(area: Area) -> Row:
    return chain(r", \; ", region(needed(area.constraints)))


def _width(areas: tuple[Area, ...]) -> float:
    """Return about how wide a table of areas is."""
    return max(width(area.density) for area in areas) + max(
        sum(map(width, area.constraints)) for area in areas
    )


def _line(line: Line, scaled: str, random: bool) -> Description:
    summed = "the sum of the costs has the conditional expectation" if random else "the costs add up to"
    yield say(
        f"For $s$ between {{}} and {{}}, the cost proportion has{scaled} the density {{}} and {summed}",
        *(line.low, line.high, line.density),
    )
    yield equal(r"\mathbb{E}[c_0 + c_1 \mid s]" if random else "c_0 + c_1", line.magnitude)


def _arc(arc: Arc, scaled: str) -> Description:
    yield say(
        f"For {{}} between {{}} and {{}}, with the density {{}} of {{}}{scaled or ','} the costs are",
        *(arc.variable, arc.low, arc.high, arc.density, arc.variable),
    )
    yield show(r"c_0 = {}, \qquad c_1 = {}.", arc.c0, arc.c1)


def _arcs(arcs: tuple[Arc, ...], scaled: str) -> Description:
    """Describe several curves in one variable as the rows of a table."""
    x = arcs[0].variable
    yield say(
        f"For {{}} in each of these ranges, with the density of {{}} beside it{scaled or ','} the costs are",
        *(x, x),
    )
    head = ("range", f"density of ${x}$", "$c_0$", "$c_1$")
    rows = [(chain(" < ", (arc.low, x, arc.high)), _one_bar(arc.density, x), arc.c0, arc.c1) for arc in arcs]
    yield table(head, rows)


def _points(points: tuple[Point, ...]) -> Paragraph:
    if len(points) == 1:
        return say("With probability {} the costs are {}.", points[0].probability, _pair(points[0]))
    pairs = (prose("$({}, {})$ with probability {}", one.c0, one.c1, one.probability) for one in points)
    return say("The pair $(c_0, c_1)$ is {}.", listed(pairs))


def _shares(context: DirichletCosts) -> Setting:
    total = chain(" + ", map(cost, range(context.classes)))
    uniform = all(shape == 1 for shape in context.shapes)
    alike = "are uniform on the simplex, that is, they " if uniform else ""
    text = f"${{}} = {{}}$, and the shares {alike}follow the Dirichlet law with the shapes {{}}"
    costs = prose(text, total, context.budget, chain(", ", context.shapes))
    return stated("costs that share a budget", "the costs share a fixed budget, {}", costs, ())


def _of_classes(context: ClassCosts) -> Setting:
    groups = [_group(law, labels) for law, labels in alike(context.laws).items()]
    family, _ = in_common(*context.laws)
    return stated(
        f"independent {family}costs", "the costs are {}", prose("independent, {}", listed(groups)), ()
    )


def _group(law: Law, labels: tuple[int, ...]) -> Prose:
    letters = [cost(label) for label in labels]
    each = " each" if len(labels) > 1 else ""
    return prose("{}{} {}", listed(letters), each, law_phrase(law, letters[0].name))


_SETTINGS: dict[type, Callable[[Any], Setting]] = {
    DirichletCosts: _shares,
    IndependentCosts: _of_classes,
    Independent: _independent,
    Joint: _joint,
    Curve: _curve,
    FixedCosts: _known,
}
