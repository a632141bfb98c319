"""What costs with no density over an area add to the threshold weight, in words: on lines and curves, and known."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from sympy import Add, Expr, Mul

from costderive.core.curve_parameters import CurveParameter
from costderive.core.piecewise import Atom, Given, Interval
from costderive.core.symbols import s
from costderive.costs.contexts import CommonFactor, Mixture
from costderive.costs.expected_loss import Arc, ExpectedLoss, Point, Strand, ThresholdIntegral
from costderive.derivation.moves.change_of_variables import rises
from costderive.publish.formulas.printing import Part, broken, chain, formula, width
from costderive.publish.formulas.turned import turned
from costderive.publish.words.displays import LINE, continued, interval
from costderive.publish.words.document_blocks import Paragraph, Prose, displayed, prose, table
from costderive.publish.words.mixture_phrases import SCALED, is_random, numbers_of_parts
from costderive.publish.words.scene import Description, Scene, listed, say, show


def densities(loss: ExpectedLoss) -> int:
    """Return how many parts of a law add to the density of the threshold weight: areas count as one, and lines."""
    return bool(loss.areas) + bool(loss.lines) + len(loss.arcs)


def before_areas(scene: Scene) -> Description:
    """Describe what parts of a mixture add to the threshold weight that come before the first one with an area."""
    for part, blocks in _added(scene):
        if part < _first_area(scene):
            yield from blocks


def beside_areas(scene: Scene) -> Description:
    """Describe what else lines, curves and known costs add to the threshold weight, after what areas do."""
    for part, blocks in _added(scene):
        if part >= _first_area(scene):
            yield from blocks


def _first_area(scene: Scene) -> int:
    """Return the number of the first part with an area; 0 for what is no mixture, which has all areas first."""
    return min(numbers_of_parts(scene.case.steps[0].before, "areas"), default=0)


Added = tuple[int, Description]
AFTER_ALL = sys.maxsize


def _added(scene: Scene) -> list[Added]:
    """Return what is added beside areas, each with the number of its first part, in the order of the parts."""
    step = next(step for step in scene.case.steps if isinstance(step.after, ThresholdIntegral))
    before, after, context = step.before.two_sided, step.after, scene.case.steps[0].before
    found: list[Added] = []
    if before.lines:
        alone = densities(before) + len(before.points) == 1
        numbers, whole = numbers_of_parts(context, "lines"), _sum(random=is_random(context))
        found.append((min(numbers, default=0), _tied(before, after, numbers, whole, alone=alone)))
    strands = [_strand_turned(strand, scene.case.given) for strand in after.strands]
    pairs = list(zip(before.arcs, strands, strict=True))
    found += _curves(pairs, scene.case.given, numbers_of_parts(context, "arcs"))
    if densities(before) > 1:
        found.append(_all_added(context, scene.stated))
    factor = context.mean if isinstance(context, CommonFactor) else None
    found += _atoms(before.points, after.atoms, numbers_of_parts(context, "points"), factor)
    return sorted(found, key=itemgetter(0))


def _all_added(context: object, stated: str) -> Added:
    """Say what all densities add up to, of a mixture after its last part."""
    if isinstance(context, Mixture):
        return AFTER_ALL, iter([say(f"Added up, the densities {_ARE} {stated}.", lead="The sum.")])
    return 0, iter([say(f"Added up, these densities {_ARE} {stated}.")])


_ARE = r"are the $\omega(s)$"


def _atoms(
    points: tuple[Point, ...], atoms: tuple[Atom, ...], numbers: list[int], factor: Expr | None
) -> Iterator[Added]:
    """Describe the atoms that known costs add: of each part under its number, else all together.

    Where the costs have a ``factor`` in common, its expectation multiplies their probabilities.
    """
    together = ["An atom." if len(points) == 1 else "Atoms.", *[""] * len(points)]
    leads, parts = _leads(numbers) or together, numbers or [0] * len(points)
    for part, point, atom, lead in zip(parts, points, atoms, leads, strict=False):
        yield part, iter([_atom(point, atom, lead, factor)])


def _leads(numbers: list[int]) -> list[str]:
    """Return the titles of what is of these parts; a part that has one gets no other."""
    pairs = zip([0, *numbers], numbers, strict=False)
    return ["" if before == number else f"Part {number}." for before, number in pairs]


def _sum(*, random: bool) -> str:
    return "expectation of $c_0 + c_1$ given $s$" if random else "cost magnitude $c_0 + c_1$"


def _tied(
    before: ExpectedLoss, after: ThresholdIntegral, numbers: list[int], whole: str, *, alone: bool
) -> Description:
    """Describe what costs add that are tied to the cost proportion, by their sum or its expectation."""
    magnitude, named = _magnitude(before)
    if alone:
        yield say(
            f"The {whole} is {{}}. So by the definition of $\\Omega$ its density $\\omega$ is {named} times the "
            "density of $s$.",
            magnitude,
            lead="The threshold weight.",
        )
        return
    own = list(dict.fromkeys(numbers))
    added = [prose("{} for {}", x.value, interval(x, s)) for x in after.densities]
    if len(own) > 1 and len(numbers) == len(added):
        added = [prose(f"{{}} in part {part}", one) for one, part in zip(added, numbers, strict=True)]
    where = prose("In parts {}", listed(map(str, own))) if len(own) > 1 else "Here"
    adds = ("the costs add", "the part adds", "each part adds")[min(len(own), 2)]
    times = " in the part times the probability of the part" * bool(own)
    yield say(
        f"{{}} the {whole} is {{}}. By the definition of $\\Omega$, {adds} to "
        f"$\\omega(s)$ {named} times the density of $s${times}, which is {{}}.",
        *(where, magnitude, listed(added)),
        lead=f"Part {own[0]}." if len(own) == 1 else "Costs tied to the cost proportion.",
    )


def _magnitude(loss: ExpectedLoss) -> tuple[Prose, str]:
    """Say what the sum of the costs is along lines, and name it."""
    values = list(dict.fromkeys(line.magnitude for line in loss.lines))
    if any(value.has(s) for value in values):
        return prose("a function of the cost proportion $s$"), "this function"
    return (prose("{}", *values) if len(values) == 1 else prose("constant")), "this constant"


def _strand_turned(strand: Strand, given: Given) -> Strand:
    """Write what a curve adds without factors that are negative along it."""
    on = Interval(s, strand.piece.low, strand.piece.high)
    inverse, slope = (_without_minus(turned(x, on, given)) for x in (strand.inverse, strand.slope))
    return replace(
        strand, inverse=inverse, slope=slope, piece=strand.piece.map(lambda x: turned(x, on, given))
    )


def _without_minus(value: Expr) -> Expr:
    """Write minus a difference with a root as the opposite difference.

    >>> _without_minus(-(s - s**2.5) / (1 - s))
    (-s + s**2.5)/(1 - s)
    """
    number, rest = value.as_coeff_Mul()
    sums = [x for x in Mul.make_args(rest) if isinstance(x, Add) and not x.is_polynomial(s)]
    if not number.is_negative or len(sums) != 1:
        return value
    return -number * (rest / sums[0]) * Add(*[-term for term in sums[0].args])


def _curves(pairs: list[tuple[Arc, Strand]], given: Given, numbers: list[int]) -> Iterator[Added]:
    """Describe what curves add, as the rows of a table if they are several and no row is too wide."""
    if _fill_a_table(pairs):
        yield min(numbers, default=0), _in_a_table(pairs, SCALED * bool(numbers))
        return
    leads, parts = _leads(numbers) or ["Along the curve."] * len(pairs), numbers or [0] * len(pairs)
    for part, (arc, strand), lead in zip(parts, pairs, leads, strict=True):
        yield part, _along(arc, strand, given, lead, SCALED * bool(numbers))


def _fill_a_table(pairs: list[tuple[Arc, Strand]]) -> bool:
    solved = not any(isinstance(strand.inverse, CurveParameter) for _, strand in pairs)
    one_variable = len({arc.variable for arc, _ in pairs}) == 1
    return len(pairs) > 1 and solved and one_variable and max(map(_width_of_row, pairs)) <= LINE - 30


def _in_a_table(pairs: list[tuple[Arc, Strand]], scaled: str) -> Description:
    x = pairs[0][0].variable
    yield say(
        "On each curve, $s = c_0/(c_0 + c_1)$ is strictly monotone. Solved for {} and differentiated, "
        "this reads as below, and there the curve adds $c_0 + c_1$ times the density of {} times "
        rf"$|d {{}}/ds|${scaled} to $\omega(s)$:",
        *(x, x, x),
        lead="Along the curves.",
    )
    head = (
        f"range of ${x}$",
        "interval of $s$",
        f"${x}$",
        rf"$\frac{{d {x}}}{{ds}}$",
        r"added to $\omega(s)$",
    )
    yield table(head, [_along_in_row(arc, strand) for arc, strand in pairs])


def _along_in_row(arc: Arc, strand: Strand) -> tuple[Part, ...]:
    x, piece = arc.variable, strand.piece
    runs = (
        chain(" < ", (low, y, high)) for low, y, high in ((arc.low, x, arc.high), (piece.low, s, piece.high))
    )
    return *runs, strand.inverse, strand.slope, piece.value


def _width_of_row(pair: tuple[Arc, Strand]) -> float:
    strand = pair[1]
    return sum(map(width, (strand.inverse, strand.slope, strand.piece.value)))


def _along(arc: Arc, strand: Strand, given: Given, lead: str, scaled: str) -> Description:
    x, piece = arc.variable, strand.piece
    rising = rises(strand.slope, Interval(s, piece.low, piece.high), given)
    verb, start, end = ("rises", piece.low, piece.high) if rising else ("falls", piece.high, piece.low)
    yield say(
        f"On the curve, $s = c_0/(c_0 + c_1)$ {verb} from {{}} to {{}} as {{}} goes from {{}} to {{}}. {{}}",
        *(start, end, x, arc.low, arc.high, _solved(strand, x)),
        lead=lead,
    )
    slope = formula(r"\frac{d {}}{ds} = {}", x, strand.slope)
    solved = formula(r"{} = {}, \qquad ", x, strand.inverse)
    yield show("{}{}.", "" if isinstance(strand.inverse, CurveParameter) else solved, slope)
    yield say(
        f"So for $s$ in this interval the curve adds $c_0 + c_1$ times the density of {{}} times "
        f"$|d {{}}/ds|${scaled} to "
        r"$\omega(s)$, which is",
        *(x, x),
    )
    first, *others = broken(piece.value, LINE - 10)
    yield displayed(((first,), *continued(others)))


def _solved(strand: Strand, x: Expr) -> Prose:
    if isinstance(strand.inverse, CurveParameter):
        return prose(
            "Let {} be the {} at which it is $s$: since $c_0' c_1 - c_0 c_1'$ has one sign along the curve, there is "
            "just one. Differentiated, the equation of which it is the root gives",
            *(strand.inverse, x),
        )
    return prose("Solved for {} and differentiated, this reads", x)


def _atom(point: Point, atom: Atom, lead: str, factor: Expr | None) -> Paragraph:
    """Describe the atom that a known pair of costs adds: its mass is the mean of the sum of the costs."""
    probability = point.probability / (factor or 1)
    chance = "" if probability == 1 else prose(", which have the probability {},", probability)
    multiplied = "" if factor is None else " times the factor"
    return say(
        rf"The costs $c_0 = {{}}$ and $c_1 = {{}}${multiplied}{{}} give $\Omega$ an atom at $s = {{}}$, of mass {{}}.",
        *(point.c0, point.c1, chance, atom.at, atom.mass),
        lead=lead,
    )
