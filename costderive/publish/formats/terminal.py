"""A derivation on the terminal: its summary as lines of text, labels in a column and formulas in Unicode.

>>> from costderive.spec import context_from
>>> print(context_words(context_from({"kind": "additive"})))
c₀ + c₁ = 2, the cost proportion s = c₀/(c₀ + c₁) uniform on [0, 1]
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from textwrap import wrap

from costderive.costs.contexts import Context
from costderive.derivation.certificates.document import Certified
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass.class_costs import ClassContext
from costderive.proof.claims import Report
from costderive.publish.formulas.formula import Formula, Row, Space
from costderive.publish.formulas.one_line import text
from costderive.publish.words import summary as short
from costderive.publish.words.context_phrases import in_short
from costderive.publish.words.document_blocks import (
    Block,
    Cases,
    Cite,
    Code,
    Display,
    Maths,
    Paragraph,
    Prose,
    Ref,
    Run,
)
from costderive.publish.words.sources import SOURCES, authors

WIDTH = 80
LABEL, INDENT, SHORT = 16, 4, 32
BOUND = "\u00a0"  # a space at which no line ends
SKIPPED = (Row(()), Space(" "), Space(r"\quad"), Space(r"\qquad"))  # at the start of a row that goes on
_OUTER = re.compile(r" ([+−=<≤]) ")
_IN_TERM = re.compile(r" (?![+−=<≤])")


def summary(
    derivation: Certified,
    report: Report,
    *,
    title: str = "",
    source: str = "",
    compared: Report | None = None,
    made_of: CostsOfParts | None = None,
) -> str:
    """Return the result of a derivation for a reader at a terminal.

    ``compared`` has the findings on losses that were expected, ``made_of`` the parts of the costs.
    """
    head = [line for text in (title, source) for line in wrap(text, WIDTH, subsequent_indent="  ")]
    blocks = [*short.summary(derivation, report, made_of), *(short.expected(compared) if compared else ())]
    return "\n".join([*head, "", *lines(blocks)] if head else lines(blocks))


def context_words(context: Context | ClassContext) -> str:
    """Return what a context says, in one line."""
    return plain(in_short(context))


# ---- blocks


def lines(blocks: Iterable[Block]) -> list[str]:
    """Write blocks one below the other."""
    found: list[str] = []
    before: Block | None = None
    for block in blocks:
        if before is not None and _parts(before, block):
            found.append("")
        found += _block(block)
        before = block
    return found


def _parts(before: Block, block: Block) -> bool:
    """Return whether there is an empty line between two blocks: not above a formula, nor between labelled lines."""
    if not isinstance(block, Paragraph):
        return False
    if isinstance(before, Paragraph) and before.lead:
        return not block.lead or block.lead == "Proof"
    return bool(block.lead) or not plain(block.text)[:1].islower()


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text=prose, lead=""):
            yield from map(_unbound, wrap(_bound(prose), WIDTH))
        case Paragraph(text=prose, lead=lead):
            indents = f"{lead:{LABEL}}", " " * (LABEL + 2)
            found = wrap(_bound(prose), WIDTH, initial_indent=indents[0], subsequent_indent=indents[1])
            yield from map(_unbound, found)
        case Display(rows=rows):
            for equation in _equations(rows):
                yield from _formula(equation, INDENT)
        case Cases():
            yield from _cases(block)


def plain(prose: Prose) -> str:
    """Return a sentence as text."""
    return _unbound(_bound(prose))


def _bound(prose: Prose) -> str:
    """Return a sentence as text that no line breaks within a short formula."""
    return "".join(map(_run, prose)).replace("of Theorem ", "")


def _unbound(text: str) -> str:
    return text.replace(BOUND, " ")


def _run(run: Run) -> str:
    match run:
        case Maths(formula=formula):
            written = text(formula)
            return written.replace(" ", BOUND) if len(written) <= SHORT else written
        case Cite(key=key):
            return f"[{authors(SOURCES[key])}, {SOURCES[key].year}]"
        case Ref():
            return "above"
        case Code():
            return run.text
    return run


# ---- formulas


def _equations(rows: Iterable[tuple[Row, ...]]) -> Iterator[str]:
    """Join the rows of each equation: those that start with an empty cell continue the one above."""
    whole: tuple[Formula, ...] = ()
    for first, *others in rows:
        if whole and text(first):
            yield text(Row(whole))
            whole = ()
        whole += tuple(
            part for cell in (first, *others) for part in dropwhile(SKIPPED.__contains__, cell.parts)
        )
    yield text(Row(whole))


def _formula(equation: str, indent: int) -> list[str]:
    """Write a formula, over several lines if it is long: before its signs, outside of brackets if that is enough."""
    before_signs = _OUTER.sub(rf" \1{BOUND}", equation)
    together = _kept_together(before_signs)
    broken = [
        wrap(
            text,
            WIDTH,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + 8),
            break_long_words=False,
        )
        for text in (_IN_TERM.sub(BOUND, together), together, before_signs)
    ]
    return list(map(_unbound, min(broken, key=lambda found: max(WIDTH, *map(len, found)))))


def _kept_together(equation: str) -> str:
    """Let lines break only outside of brackets."""
    depth, found = 0, ""
    for letter in equation:
        depth += (letter in "([{") - (letter in ")]}")
        found += BOUND if letter == " " and depth else letter
    return found


def _cases(block: Cases) -> Iterator[str]:
    """Write a function piece by piece, each beside its range, or below it where that is too wide."""
    name, ranges = f"{text(block.left)} = ", [text(where) or "otherwise" for _, where in block.rows]
    values = [text(value) for value, _ in block.rows]
    margin, width = INDENT + len(name), max(map(len, values))
    if margin + width + 4 + max(map(len, ranges)) <= WIDTH:
        for index, (value, where) in enumerate(zip(values, ranges, strict=True)):
            yield f"{'' if index else ' ' * INDENT + name:{margin}}{value:{width}}    {where}"
        return
    for value, where in zip(values, ranges, strict=True):
        yield f"{' ' * INDENT}{where if where == 'otherwise' else f'for {where}'}:"
        yield from _formula(name + value, 2 * INDENT)


# ---- tables


def table(rows: list[tuple[str, ...]], right: Iterable[int] = ()) -> str:
    """Align columns; the first row is the heading, and the columns in ``right`` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = set(right)
    cells = [
        [
            cell.rjust(w) if k in numbers else cell.ljust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    lines = ["  ".join(row).rstrip() for row in cells]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def decimals(values: Sequence[float], digits: int) -> list[str]:
    """Write numbers with the same decimals, so many that the largest has that many digits; NaN is a dash."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0) or 1.0
    places = min(15, max(0, digits - 1 - math.floor(math.log10(largest))))
    return [_decimal(value, places) for value in values]


def _decimal(value: float, places: int) -> str:
    if math.isnan(value):
        return "—"
    text = f"{abs(value):.{places}f}" if math.isfinite(value) else "∞"
    return f"−{text}" if value < 0 and text.strip("0.") else text


def printable(text: str) -> str:
    """Return a name from a file so that it cannot drive the terminal, and is not too long."""
    return "".join(c if c.isprintable() else "?" for c in text)[:40]
