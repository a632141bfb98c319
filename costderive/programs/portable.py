"""A compiled loss as something that can be written in any language: trees of programs, and one table of polynomials.

Beside NumPy's functions the trees call ``polynomial(z)``, the value at ``z`` of the polynomial of the first row of the
table that ends at or above the argument, and ``positive(x)``, the greater of x and 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby, pairwise

import mpmath
import sympy

from costderive.core.numpy_on_demand import np
from costderive.numeric.closed_form import Closed
from costderive.numeric.compiling import functions
from costderive.numeric.constants import number
from costderive.numeric.distance_trees import distance, distance_of_margin, times_power
from costderive.numeric.end_tables import LOG, MOST_FACTORS, Listed, Table, roots
from costderive.numeric.function import Function, Segment
from costderive.numeric.many_digits import DIGITS, End
from costderive.numeric.program_tree import Call, Name, Node, Program, Step, product
from costderive.numeric.program_tree import number as double
from costderive.rules import ScoringRule

ZERO, ONE = End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1)
Place = Callable[[End, float], float]  # the argument of a program at a distance from an end
SECONDS = 300.0  # a program is written once: it may take longer than a loss that someone waits for


@dataclass(frozen=True, slots=True)
class Branch:
    """A program for the arguments from the end of the branch before it, exclusive, to ``high``, inclusive."""

    high: Node
    program: Program


@dataclass(frozen=True, slots=True)
class Row:
    """The polynomial in ``(z - centre) scale`` up to the argument ``high``; coefficients from the highest."""

    high: float
    centre: float
    scale: float
    coefficients: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Portable:
    """A function on [0, 1] in branches, with its values at the ends apart.

    ``ulps`` is the largest error that was measured, in units in the last place; None where there was nothing to
    compare with.
    """

    branches: tuple[Branch, ...]
    table: tuple[Row, ...]
    at_zero: Node
    at_one: Node
    ulps: float | None

    @property
    def trees(self) -> Iterator[Node]:
        """All trees: ends, programs and values at 0 and 1."""
        yield from (self.at_zero, self.at_one)
        for branch in self.branches:
            yield from (branch.high, *(value for _, value in branch.program.steps), branch.program.result)


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a program asks of parameters: their names, conditions, each with its words, and by which cases differ."""

    names: tuple[str, ...] = ()
    needed: tuple[tuple[Node, str], ...] = ()
    cases: tuple[Step, ...] = ()


NOTHING_ASKED = Conditions()


@lru_cache(maxsize=256)
def portable(
    rule: ScoringRule, order: int, label: int, wrt: str, of_margin: bool, in_lanes: bool
) -> Portable:
    """Return the loss of a class (order 0) or a derivative; ``of_margin`` for a program of the logit of p.

    Raises:
        ParametersLeftError: if a parameter of the rule has no number.
    """
    found = _compiled(rule, order, wrt, in_lanes=in_lanes, of_margin=of_margin)[label]
    return _portable(found, _margin if of_margin else _report)


_compiled = lru_cache(maxsize=64)(partial(functions, time_limit=SECONDS))


def _portable(function: Function, place: Place) -> Portable:
    branches, rows = [], []
    for segment in function.segments:
        for branch, panels in _branches(segment, place):
            branches.append(branch)
            rows += panels
    parts = [segment.part for segment in function.segments]
    measured = [part.ulps if part.elsewhere is None else part.elsewhere for part in parts]
    known = [ulps for ulps in measured if ulps is not None]
    return Portable(
        tuple(_merged(branches)),
        tuple(rows),
        double(function.at_zero),
        double(function.at_one),
        max(known) if len(known) == len(measured) else None,
    )


def _merged(branches: list[Branch]) -> Iterator[Branch]:
    """Let neighbours with one program be one branch."""
    for _, same in groupby(branches, key=lambda branch: branch.program):
        yield list(same)[-1]


# ------------------------------------------------------------------------------------------------ segments


def _branch(high: float, program: Program) -> Branch:
    return Branch(double(high), program)


def _branches(segment: Segment, place: Place) -> Iterator[tuple[Branch, list[Row]]]:
    program, low, high = segment.evaluate, segment.part.low, segment.part.high
    if isinstance(program, Closed):
        yield _branch(_placed(high, place), program.program), []
    elif isinstance(program, Listed):
        listed = zip(program.doubles.tolist(), program.values.tolist(), strict=True)
        rows = [Row(_placed(at, place), 0.0, 0.0, (value,)) for at, value in listed]
        yield _branch(rows[-1].high, Program((), _polynomial(Name("p")))), rows
    else:
        assert isinstance(program, Table)
        yield from _of_table(program, low, high, place)


def _of_table(table: Table, low: float, high: float, place: Place) -> Iterator[tuple[Branch, list[Row]]]:
    """Yield a branch for each run of panels with one power of the distance, in ascending order."""
    panels, tops = _panels(table), _tops(table, low, high, place)
    away = (distance if place is _report else distance_of_margin)(table.end)
    ascending = list(zip(panels, tops, strict=True))[:: table.end.side]
    bottoms = [_placed(low, place), *(top for _, top in ascending)]
    kept = [item for item, (below, top) in zip(ascending, pairwise(bottoms), strict=True) if below < top]
    for factor, run in groupby(kept, key=lambda item: _power(table, item[0])):
        rows = [_row(table, panel, top) for panel, top in run]
        yield _branch(rows[-1].high, _program(table, away, *factor)), rows
    if table.end.side < 0 and _is_in(table, high):
        yield _branch(_placed(high, place), Program((), double(table.at_end))), []


def _panels(table: Table) -> list[int | None]:
    """Return the panels from the end on, None being the stretch at the end where all is too small for a double."""
    return [*([None] if table.bottom else []), *range(len(table.centres))]


def _power(table: Table, panel: int | None) -> tuple[float, int, int]:
    """Return a power, the octaves by which the distance is multiplied before, and those by which each root is after."""
    place = panel or 0
    return float(table.powers[place]), int(table.shifts[place]), int(table.lifts[place])


def _row(table: Table, panel: int | None, top: float) -> Row:
    if panel is None:
        return Row(top, 0.0, 0.0, (0.0,))
    coefficients = tuple(table.coefficients[:, panel].tolist())
    return Row(top, float(table.centres[panel]), float(table.scales[panel]), coefficients)


def _is_in(table: Table, high: float) -> bool:
    """Return whether a branch below its end holds the end itself, and the table would not do there."""
    is_plain = table.variable is not LOG and table.powers[0] >= 0
    return table.end.at != 1 and not is_plain and bool(table.end.distance(np.array(high)) <= 0)


def _tops(table: Table, low: float, high: float, place: Place) -> list[float]:
    """Return the largest argument that belongs to each panel."""
    end = table.end
    edges = [*([math.log(table.bottom)] if table.bottom else []), *table.edges.tolist()]
    lowest, highest = _placed(low, place), _placed(high, place)
    if end.side < 0 and _is_in(table, high):
        highest = _placed(math.nextafter(high, 0), place)
    if end.at == 0 or (end.at == 1 and place is not _report):  # doubles are sparse next to 1
        inner = [place(end, float(table.variable.distance(edge))) for edge in edges]
    else:
        inner = [_placed(_last(table, edge, low, high), place) for edge in edges]
    tops = [*inner, highest] if end.side > 0 else [highest, *inner]
    return [min(max(top, lowest), highest) for top in tops]


def _last(table: Table, edge: float, low: float, high: float) -> float:
    """Return the largest double of a piece on the lower side of an edge between panels, as it is computed there."""

    def is_below(p: float) -> bool:
        x = table.end.distance(np.array([p]))
        with np.errstate(divide="ignore"):
            beyond = float(table.variable.of(x)[0]) > edge
        return beyond == (table.end.side < 0)

    below, above = (int(np.float64(bound).view(np.int64)) for bound in (low, high))
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (
            (middle, above) if is_below(float(np.int64(middle).view(np.float64))) else (below, middle)
        )
    return float(np.int64(below).view(np.float64))


def _program(table: Table, away: Node, power: float, shift: int, lift: int) -> Program:
    """Write a power of the distance times a polynomial, in an order in which small results keep their digits."""
    is_outer = isinstance(away, Name)
    x = away if is_outer else Name("x")
    steps = () if is_outer else (("x", Call("positive", (away,))),)
    value = _polynomial(table.variable.tree(x))
    if abs(power) <= MOST_FACTORS:
        return Program(steps, times_power(value, x, power))
    scales = [double(2.0**part) for part in (shift // 2, shift - shift // 2) if part]
    count, lifted = roots(power), [double(2.0**lift)] if lift else []
    root = product(Call("power", (product(x, *scales), double(power / count))), *lifted)
    others = [Name("root")] * (count - 1)
    return Program((*steps, ("root", root)), product(Name("root"), value, *others))


def _polynomial(z: Node) -> Node:
    return Call("polynomial", (z,))


# ------------------------------------------------------------------------------------------------ arguments


def _report(end: End, distance: float) -> float:
    """Return p itself."""
    return float(end.hi + end.side * distance)


def _margin(end: End, distance: float) -> float:
    """Return the logit of p."""
    with mpmath.workdps(DIGITS):
        x = mpmath.mpf(distance)
        p = x if end.at == 0 else 1 - x if end.at == 1 else number(end.at, DIGITS) + end.side * x
        rest = x if end.at == 1 else 1 - p
        if p <= 0 or rest <= 0:
            return -math.inf if p <= 0 else math.inf
        return float(mpmath.log(p / rest))


def _placed(point: float, place: Place) -> float:
    """Return the argument at a double."""
    return place(ZERO, point) if point <= 0.5 else place(ONE, 1 - point)
