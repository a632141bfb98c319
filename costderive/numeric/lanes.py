"""Losses without branches: the text of a function that a processor runs for several rows at a time.

The parts of both losses are fractions ``base + above/below``. All of them are taken for each row, those of its class
and segment are selected, and then a single division is left, which costs more than the rest.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from costderive.numeric.blocks import Pair
from costderive.numeric.closed_form import Closed
from costderive.numeric.compiled_function import Function, Segment
from costderive.numeric.end_tables import LOG, Table
from costderive.numeric.many_digits import End
from costderive.numeric.point_pairs import Evaluate, Points

MOST = 260  # operations that cost less than sorting rows does
CALL = 20  # what a logarithm costs in operations
DIVISION = 8
POWERS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True, slots=True)
class Fraction:
    """Lines that assign, and the texts of ``base + above/below``."""

    lines: tuple[str, ...]
    base: str = "0.0"
    above: str = "0.0"
    below: str = "1.0"

    @property
    def cost(self) -> int:
        """The number of operations, each division and function counted as several."""
        text = " ".join((*self.lines, self.base, self.above, self.below))
        return (
            len(re.findall(r" [-+*] |\*", text))
            + DIVISION * text.count("/")
            + CALL * len(re.findall("log|sqrt", text))
        )


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
    lines = [line for both in parts for part in both for line in part.lines]
    for name in ("base", "above", "below"):
        lines += [line for label in (0, 1) for line in _selected(name, label, parts[label], losses[label])]
        lines.append(f"{name} = {name}1 if is_one else {name}0")
    lines.append("value = base + above / below")
    lines += [line for label, loss in enumerate(losses) for line in _ends(label, loss)]
    return "\n@inlined\ndef chosen(p, r, is_one):\n" + "".join(
        f"    {line}\n" for line in (*lines, "return value")
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
    names = [line.split(" = ")[0] for line in program.lines]
    *lines, result = (
        re.sub(rf"\b({'|'.join(names)})\b", rf"\1{suffix}", text) if names else text
        for text in (*program.lines, program.result)
    )
    base, above, below = map(ast.unparse, _split(ast.parse(result, mode="eval").body))
    return Fraction(tuple(lines), base, above, below)


Parts = tuple[ast.expr, ast.expr, ast.expr]


def _split(node: ast.expr) -> Parts:
    """Return base, numerator and denominator such that no rounding changes."""
    zero, one = ast.Constant(0.0), ast.Constant(1.0)
    match node:
        case ast.BinOp(above, ast.Div(), below):
            return zero, above, below
        case ast.UnaryOp(ast.USub(), ast.BinOp(above, ast.Div(), below)):
            return zero, _minus(above), below
        case ast.BinOp(base, ast.Add(), ast.BinOp(above, ast.Div(), below)):
            return base, above, below
        case ast.BinOp(base, ast.Sub(), ast.BinOp(above, ast.Div(), below)):
            return base, _minus(above), below
        case ast.BinOp(ast.BinOp(above, ast.Div(), below), ast.Add(), base):
            return base, above, below
        case ast.BinOp(ast.BinOp(above, ast.Div(), below), ast.Sub(), base):
            return _minus(base), above, below
    return zero, node, one


def _minus(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)


def _of_table(program: Evaluate, suffix: str) -> Fraction:
    assert isinstance(program, Table)
    x, z = f"x{suffix}", f"z{suffix}"
    centre, scale = float(program.centres[0]), float(program.scales[0])
    value, *others = map(repr, np.trim_zeros(program.coefficients[:, 0], "f").tolist())
    lines = [
        f"{x} = {distance(program.end)}",
        f"{z} = ({program.variable.name.replace('x', x)} - ({centre!r})) * {scale!r}",
        f"v{suffix} = {value}",
        *(f"v{suffix} = v{suffix} * {z} + {coefficient}" for coefficient in others),
    ]
    whole, fraction = divmod(float(program.powers[0]), 1)
    factors = [*([f"sqrt({x})"] if fraction else []), *[x] * int(whole)]
    return Fraction(tuple(lines), above=" * ".join((f"v{suffix}", *factors)))


def distance(end: End) -> str:
    """Return the text of the distance of a double from an end."""
    if end.is_outer:
        return "p" if end.hi == 0 else "r"
    return f"(p - {end.hi!r}) - ({end.lo!r})" if end.side > 0 else f"({end.hi!r} - p) + ({end.lo!r})"


def _selected(name: str, label: int, parts: list[Fraction], loss: Function) -> Iterator[str]:
    """Yield lines that take every part and then select: a choice between numbers needs no branch, one between
    expressions does. Equal neighbours need no choice.
    """
    texts = [getattr(part, name) for part in parts]
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
            value = number((loss.at_zero, loss.at_one)[int(end)])
            yield f"value = {value} if ({place} == 0.0) & {row} else value"


def right_at(loss: Function, end: float) -> bool:
    """Return whether the value at an end needs no line of its own."""
    with np.errstate(all="ignore"):
        found = loss.segments[-int(end)].evaluate(Points.of(np.array([end])))[0]
    return bool(found == (loss.at_zero, loss.at_one)[int(end)])


def number(value: float) -> str:
    """Return the text of a double, perhaps infinite."""
    return repr(value) if np.isfinite(value) else f"{'-' if value < 0 else ''}np.inf"
