"""Losses without branches: the text of a function that a processor runs for several rows at a time.

The parts of both losses are fractions ``base + above/below``. All of them are taken for each row, those of its class
and segment are selected, and then a single division is left, which costs more than the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costderive.core.numpy_on_demand import np
from costderive.numeric.closed_form import Closed
from costderive.numeric.distance_trees import distance, times_power
from costderive.numeric.end_tables import LOG, Table
from costderive.numeric.function import Function, Pair, Segment
from costderive.numeric.point_pairs import Evaluate, Points
from costderive.numeric.program_tree import (
    PYTHON,
    Call,
    Name,
    Node,
    Number,
    Operation,
    Step,
    lines,
    negated,
    nodes,
    number,
    product,
    total,
)

MOST = 260  # operations that cost less than sorting rows does
CALL = 20  # what a logarithm costs in operations
DIVISION = 8
POWERS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
ZERO, ONE = Number(0.0), Number(1.0)


@dataclass(frozen=True, slots=True)
class Fraction:
    """Assignments, and the trees of ``base + above/below``."""

    steps: tuple[Step, ...]
    base: Node
    above: Node
    below: Node

    @property
    def cost(self) -> int:
        """The number of operations, each division and function counted as several."""
        trees = (*(value for _, value in self.steps), self.base, self.above, self.below)
        return sum(_cost(node) for tree in trees for node in nodes(tree))


def _cost(node: Node) -> int:
    match node:
        case Operation("+" | "*", parts):
            return len(parts) - 1
        case Operation("/"):
            return DIVISION
        case Call("log" | "log_p" | "log_r" | "sqrt"):
            return CALL
    return 0


def chosen(losses: Pair) -> str | None:
    """Return the text of ``chosen(p, r, is_one)``, None if a part is too long for it or needs branches."""
    if not all(_is_straight(segment.evaluate) for loss in losses for segment in loss.segments):
        return None
    parts = [
        [_fraction(segment, f"_{label}_{index}") for index, segment in enumerate(loss.segments)]
        for label, loss in enumerate(losses)
    ]
    if sum(part.cost for both in parts for part in both) > MOST:
        return None
    found = [line for both in parts for part in both for line in lines(part.steps)]
    for name in ("base", "above", "below"):
        found += [line for label in (0, 1) for line in _selected(name, label, parts[label], losses[label])]
        found.append(f"{name} = {name}1 if is_one else {name}0")
    found.append("value = base + above / below")
    found += [line for label, loss in enumerate(losses) for line in _ends(label, loss)]
    return "\n@inlined\ndef chosen(p, r, is_one):\n" + "".join(
        f"    {line}\n" for line in (*found, "return value")
    )


def _is_straight(program: Evaluate) -> bool:
    if isinstance(program, Table):
        is_series = len(program.centres) == 1 and program.variable is not LOG and program.bottom == 0
        return is_series and float(program.powers[0]) in POWERS
    return isinstance(program, Closed) and program.in_lanes


def _fraction(segment: Segment, suffix: str) -> Fraction:
    program = segment.evaluate
    return _of_closed(program, suffix) if isinstance(program, Closed) else _of_table(program, suffix)


def _of_closed(program: Closed, suffix: str) -> Fraction:
    renamed = program.program.renamed(suffix)
    return Fraction(renamed.steps, *_split(renamed.result))


def _split(tree: Node) -> tuple[Node, Node, Node]:
    """Return base, numerator and denominator such that no rounding changes."""
    match tree:
        case Operation("+", (*base, last)) if part := _parts(last):
            return total(*base), *part
        case Operation("+", (first, base)) if part := _parts(first):
            return base, *part
    return ZERO, *(_parts(tree) or (tree, ONE))


def _parts(tree: Node) -> tuple[Node, Node] | None:
    """Return numerator and denominator of a fraction, which may have a minus."""
    match tree:
        case Operation("/", (above, below)):
            return above, below
        case Operation("-", (Operation("/", (above, below)),)):
            return negated(above), below
    return None


def _of_table(program: Evaluate, suffix: str) -> Fraction:
    assert isinstance(program, Table)
    x, z, value = (Name(f"{name}{suffix}") for name in "xzv")
    centre, scale = float(program.centres[0]), float(program.scales[0])
    highest, *others = map(number, np.trim_zeros(program.coefficients[:, 0], "f").tolist())
    steps = (
        (x.name, distance(program.end)),
        (z.name, product(total(program.variable.tree(x), negated(number(centre))), number(scale))),
        (value.name, highest),
        *((value.name, total(product(value, z), coefficient)) for coefficient in others),
    )
    return Fraction(steps, ZERO, times_power(value, x, float(program.powers[0])), ONE)


def _selected(name: str, label: int, parts: list[Fraction], loss: Function) -> Iterator[str]:
    """Yield lines that take every part and then select: a choice between numbers needs no branch, one between
    expressions does. Equal neighbours need no choice.
    """
    texts = [PYTHON.text(getattr(part, name)) for part in parts]
    yield f"{name}{label} = {texts[0]}"
    last = texts[0]
    for text, segment in zip(texts[1:], loss.segments, strict=False):
        if text != last:
            yield f"new = {text}"
            yield f"{name}{label} = new if p > {segment.part.high!r} else {name}{label}"
        last = text


def _ends(label: int, loss: Function) -> Iterator[str]:
    """Yield lines that put in the values at the ends where the parts do not give them."""
    row = "is_one" if label else "(not is_one)"
    for place, end in (("p", 0.0), ("r", 1.0)):
        if not right_at(loss, end):
            value = double((loss.at_zero, loss.at_one)[int(end)])
            yield f"value = {value} if ({place} == 0.0) & {row} else value"


def right_at(loss: Function, end: float) -> bool:
    """Return whether the value at an end needs no line of its own."""
    with np.errstate(all="ignore"):
        found = loss.segments[-int(end)].evaluate(Points.of(np.array([end])))[0]
    return bool(found == (loss.at_zero, loss.at_one)[int(end)])


def double(value: float) -> str:
    """Return the text of a double, perhaps infinite."""
    return repr(value) if np.isfinite(value) else f"{'-' if value < 0 else ''}np.inf"
