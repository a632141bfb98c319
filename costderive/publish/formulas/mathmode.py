"""Displayed formulas of a story as TeX without delimiters, in the part of TeX that LaTeX and KaTeX share."""

from __future__ import annotations

import re

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
)

_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
_PLAIN = re.compile(r"[0-9]+|\\?[A-Za-z]+(_[0-9])?(\^[0-9])?")


def slashed(tex: str) -> str:
    """Write fractions with letters in a line of text with a slash, if they stand alone.

    >>> slashed(r"q < \\frac{a}{a + b}"), slashed(r"\\frac{1}{2}"), slashed(r"\\frac{a}{2} p")
    ('q < a/(a + b)', '\\\\frac{1}{2}', '\\\\frac{a}{2} p')
    """
    return _FRACTION.sub(lambda found: _slash(found, tex), tex)


def _slash(found: re.Match[str], tex: str) -> str:
    before, after = tex[: found.start()].rstrip(), tex[found.end() :].lstrip()
    alone = re.search(r"(^|[(\[,=<>+-]|\\[lg]e)$", before) and re.match(
        r"$|[)\],=<>+-]|\\([lg]e|text)\b", after
    )
    top, bottom = found.groups()
    if not alone or (top + bottom).isdigit():
        return found[0]
    above = f"({top})" if re.search(r" [+-] ", top) else top
    return f"{above}/{bottom if _PLAIN.fullmatch(bottom) else f'({bottom})'}"


def stop(following: Block | None) -> str:
    """Return the mark that ends a display: a comma if the sentence goes on."""
    match following:
        case Display() | Cases():
            return ","
        case Paragraph(text=(str(start), *_), lead="") if start[:1].islower():
            return ","
    return "."


def continues(before: Block, block: Block) -> bool:
    """Return whether a block goes on with the paragraph of the block before it."""
    if isinstance(block, Display | Cases | Table):
        return True
    return isinstance(before, Display | Cases | Table) and isinstance(block, Paragraph) and not block.lead


def display(block: Display, mark: str) -> str:
    """Return the rows of a display, aligned; ``mark`` ends it unless it has one."""
    rows = [" & ".join(row) for row in block.rows]
    rows[-1] += "" if rows[-1][-1] in ".,;" else mark
    if len(rows) == 1:
        return rows[0].replace(" & ", " ")
    gap = "6pt" if any(r"\frac" in row for row in rows) else "2pt"
    lines = f" \\\\[{gap}]\n".join(rows)
    return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"


def cases(block: Cases, mark: str) -> str:
    """Return ``left = value`` under each condition."""
    rows = [rf"\displaystyle {value} & {_when(condition)}" for value, condition in block.rows]
    gap = "10pt" if any(r"\frac" in value or r"\int" in value for value, _ in block.rows) else "4pt"
    body = f" \\\\[{gap}]\n".join(rows)
    return f"{block.left} =\n\\begin{{cases}}\n{body}{mark}\n\\end{{cases}}"


def _when(condition: str) -> str:
    return rf"\text{{if }} {condition}" if condition else r"\text{otherwise}"


def array(table: Table) -> str:
    """Return a small table of formulas."""
    head, *rows = [" & ".join(_cell(cell) for cell in row) for row in (table.head, *table.rows)]
    body = " \\\\\n".join([f"{head} \\\\ \\hline\n{rows[0]}", *rows[1:]])
    stretch = 2.4 if r"\frac" in body else 1.3
    columns = "l" * len(table.head)
    return f"\\def\\arraystretch{{{stretch}}}\n\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}"


def _cell(cell: Prose) -> str:
    return "".join(rf"\displaystyle {run.tex}" if isinstance(run, Maths) else _words(run) for run in cell)


def _words(run: Run) -> str:
    return rf"\text{{{run}}}" if isinstance(run, str) else ""


def is_equation(ref: Ref) -> bool:
    """Return whether a reference is to an equation, whose number stands in parentheses."""
    return ref.label.startswith("eq:")
