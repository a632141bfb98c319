"""Blocks of formulas as one formula each, with the marks that end a sentence: what every format sets in its own way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from costderive.publish.formulas.formula import (
    Fenced,
    Formula,
    Grid,
    Letter,
    Ratio,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
    is_function,
    row,
    walk,
)
from costderive.publish.formulas.notation import chain, read, tex
from costderive.publish.formulas.signs import BINARY, RELATIONS
from costderive.publish.words.document_blocks import (
    Block,
    Cases,
    Display,
    Maths,
    Paragraph,
    Prose,
    Ref,
    Run,
    Table,
    ended,
)

_PLAIN = re.compile(r"[0-9]+|(\\?[A-Za-z]+(_[0-9])?|\([^()]*\))(\^[0-9])?")
_AROUND = {"+", "-", "=", "<", ">", ",", r"\le", r"\ge"}  # what a fraction with a slash may stand beside
_BLANK = Space(" ")


# ---- fractions in a sentence


def slashed(formula: Row) -> Row:
    """Write fractions with letters in a line of text with a slash, if they stand alone.

    >>> from costderive.publish.formulas.notation import read
    >>> [tex(slashed(read(text))) for text in (r"q < \\frac{a}{a + b}", r"\\frac{1}{2}", r"\\frac{a}{2} p")]
    ['q < a/(a + b)', '\\\\frac{1}{2}', '\\\\frac{a}{2} p']
    """
    return row(*[_slashed(part, formula.parts, index) for index, part in enumerate(formula.parts)])


def _slashed(part: Formula, among: tuple[Formula, ...], index: int) -> Formula:
    if isinstance(part, Fenced):
        return Fenced(part.left, slashed(part.inside), part.right)
    if not isinstance(part, Ratio) or part.small or not _alone(among[:index][::-1], among[index + 1 :]):
        return Row((part,)) if isinstance(part, Row) else part
    top, bottom = tex(part.top), tex(part.bottom)
    if "{" in top + bottom or (top + bottom).isdigit():
        return part
    above, below = (
        ("({})" if re.search(" [+-] ", re.sub(r"\([^()]*\)", "", top)) else "{}"),
        ("{}" if _PLAIN.fullmatch(bottom) else "({})"),
    )
    return read(f"{above}/{below}", part.top, part.bottom)


def _alone(before: tuple[Formula, ...], after: tuple[Formula, ...]) -> bool:
    """Return whether nothing beside a fraction is multiplied with it."""
    left, right = (next((x for x in side if x != _BLANK), None) for side in (before, after))
    right = right.base if isinstance(right, Scripts) else right
    word = isinstance(right, Word) and right.style == r"\text"
    return _parts(left, "([") and (word or (_parts(right, ")]") and getattr(right, "size", "") == ""))


def _parts(sign: Formula | None, brackets: str) -> bool:
    return sign is None or (isinstance(sign, Sign) and (sign.name in _AROUND or sign.name in brackets))


# ---- functions in a sentence


def with_whole_arguments(formula: Row) -> Row:
    """Let no line of text end in a sum in the parentheses of a function: what is between them becomes one part.

    >>> from costderive.publish.formulas.notation import read
    >>> tex(with_whole_arguments(read(r"\\ln(1 + x) + (1 - x)")))
    '\\\\ln({1 + x}) + (1 - x)'
    """
    parts, whole = list(formula.parts), []
    while parts:
        whole.append(parts.pop(0))
        if is_function(whole[-1]) and parts[:1] == [Sign("(")]:
            end = _closing(parts)
            whole += [parts[0], *_as_one(parts[1:end])]
            parts = parts[end:]
    return Row(tuple(whole))


def _as_one(parts: list[Formula]) -> list[Formula]:
    outside = zip(parts, _depths(parts), strict=True)
    names = {part.name for part, depth in outside if depth == 0 and isinstance(part, Sign)}
    return [Row(tuple(parts))] if names & BINARY.keys() and not names & RELATIONS.keys() else parts


def _closing(parts: list[Formula]) -> int:
    """Return where the parenthesis with which parts begin is closed."""
    return next(index for index, depth in enumerate(_depths(parts)) if depth == 0)


def _depths(parts: list[Formula]) -> Iterator[int]:
    """Return in how many parentheses each part stands."""
    return accumulate((part == Sign("(")) - (part == Sign(")")) for part in parts)


# ---- displays


def stop(following: Block | None) -> str:
    """Return the mark that ends a display: a comma if the sentence goes on."""
    match following:
        case Display() | Cases():
            return ","
        case Paragraph(text=(str(start), *_)) if goes_on(following):
            return "" if start.startswith("on ") else ","
    return "."


def goes_on(following: Block | None) -> bool:
    """Return whether what follows a display is the rest of its sentence."""
    match following:
        case Paragraph(text=(str(start), *_), lead=""):
            return start[:1].islower()
    return False


def continues(before: Block, block: Block) -> bool:
    """Return whether a block goes on with the paragraph of the block before it."""
    if isinstance(block, Display | Cases | Table):
        return True
    goes_on = isinstance(block, Paragraph) and not block.lead and not block.apart
    return goes_on and isinstance(before, Display | Cases | Table)


def display(block: Display, mark: str) -> Row:
    """Return the rows of a display, aligned; ``mark`` ends it unless it has one."""
    *rows, last = block.rows
    rows.append((*last[:-1], ended(last[-1], mark)))
    if len(rows) == 1:
        return chain(" ", rows[0])
    gap = "6pt" if any(_is_tall(cell) for cells in rows for cell in cells) else "2pt"
    return Row((Grid("aligned", tuple(rows), gap),))


def _is_tall(formula: Row) -> bool:
    return any(isinstance(part, Ratio) and not part.small for part in walk(formula))


def cases(block: Cases, mark: str) -> Row:
    """Return ``left = value`` under each condition."""
    *rows, (value, last) = [(_shown(value), _when(condition)) for value, condition in block.rows]
    tall = any(_is_tall(value) or Sign(r"\int") in walk(value) for value, _ in block.rows)
    grid = Grid("cases", (*rows, (value, ended(last, mark))), "10pt" if tall else "4pt")
    return read("{} =\n{}", block.left, Row((grid,)))


def _when(condition: Row) -> Row:
    return read(r"\text{if } {}", condition) if condition.parts else read(r"\text{otherwise}")


def array(table: Table) -> Row:
    """Return a small table of formulas; if its fractions are of numbers, they are as high as a line of text."""
    lines = (table.head, *table.rows)
    tall = any(_has_letters_in_fractions(run.formula) for run in _formulas(lines))
    rows = tuple(tuple(_cell(cell, tall) for cell in cells) for cells in lines)
    return Row((Grid("array", rows, "2.1" if tall else "1.3"),))


def _formulas(lines: tuple[tuple[Prose, ...], ...]) -> Iterator[Maths]:
    return (run for cells in lines for cell in cells for run in cell if isinstance(run, Maths))


def _cell(cell: Prose, tall: bool) -> Row:
    return row(*[_in_cell(run, tall) for run in cell])


def _in_cell(run: Run, tall: bool) -> Row | Word:
    if not isinstance(run, Maths):
        return Word(str(run), r"\text")
    return _shown(run.formula) if tall else run.formula


def _has_letters_in_fractions(formula: Row) -> bool:
    fractions = (part for part in walk(formula) if isinstance(part, Ratio) and not part.small)
    return any(isinstance(part, Letter) for fraction in fractions for part in walk(fraction))


def _shown(formula: Row) -> Row:
    return read(r"\displaystyle {}", formula)


def is_equation(ref: Ref) -> bool:
    """Return whether a reference is to an equation, whose number stands in parentheses."""
    return ref.label.startswith("eq:")
