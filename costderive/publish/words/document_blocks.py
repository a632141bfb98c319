"""What the paper on a derivation is made of: headings, prose with mathematics, displays, theorems, proofs, tables.

Nothing here knows LaTeX documents, HTML or notebooks. Mathematics is a tree of what is written; everything else is
plain text, which an exporter escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from sympy import Basic

from costderive.publish.formulas.formula import Row, Sign, row
from costderive.publish.formulas.notation import PLACE
from costderive.publish.formulas.one_line import text as one_line
from costderive.publish.formulas.printing import Part, formula, taken, with_slashes

STOPS = (",", ".", ";")


@dataclass(frozen=True, slots=True)
class Maths:
    """Mathematics within a sentence."""

    formula: Row


@dataclass(frozen=True, slots=True)
class Cite:
    """A reference to a source by its key; ``place`` says where in it, such as ``Theorem 1``."""

    key: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to the number of a labelled display, theorem or heading."""

    label: str


@dataclass(frozen=True, slots=True)
class Code:
    """What one types, or what a file holds, letter by letter."""

    text: str


Run = str | Maths | Cite | Ref | Code
Prose = tuple[Run, ...]

_MARKS = re.compile(
    r"(?<!\\)\$(?P<maths>(?:\\.|[^$\\])+)\$ | \[@(?P<key>\w+)(?:,\s(?P<where>[^\]]*))?\] | "
    r"\{\#(?P<label>[\w:-]+)\} | `(?P<code>[^`]+)` | (?P<place>\{\}) | (?P<text>[^$`\[{\\]+|.)",
    re.VERBOSE | re.DOTALL,
)


def prose(text: str, *parts: Part | Prose) -> Prose:
    """Read ``$maths$``, ``[@source, where]``, ``{#label}`` and code in a sentence, its places ``{}`` filled by parts.

    In text, a part is a sentence, a number, plain text (such as what comes from a user), or a formula; in maths it is a
    number, a formula, or one in the notation.

    >>> prose("Let $p$ be {} [@Flach2015].", "$5")
    ('Let ', Maths(formula=Row(parts=(Letter(name='p'),))), ' be $5 ', Cite(key='Flach2015', place=''), '.')
    """
    assert len(parts) == text.count(PLACE), f"{len(parts)} parts for the places of {text!r}"
    left = iter(parts)
    found = [run for mark in _MARKS.finditer(text) for run in _runs(mark, left)]
    runs = groupby(found, key=lambda run: isinstance(run, str))
    return tuple(run for plain, group in runs for run in (["".join(map(str, group))] if plain else group))


def _runs(mark: re.Match[str], left: Iterator[Part | Prose]) -> Prose:
    if mark["maths"]:
        return (Maths(taken(mark["maths"], map(with_slashes, left))),)
    if mark["place"]:
        return filled(next(left))
    if mark["code"]:
        return (Code(mark["code"]),)
    if mark["key"]:
        return (Cite(mark["key"], mark["where"] or ""),)
    return (Ref(mark["label"]),) if mark["label"] else (mark["text"],)


def filled(part: Part | Prose) -> Prose:
    """Return what stands in a place of a text."""
    match part:
        case tuple():
            return part
        case str() | int():
            return (str(part),) if part != "" else ()
    return (Maths(formula(with_slashes(part))),)


def plain(text: Prose) -> str:
    """Return a sentence as plain text: mathematics as one line, references left out."""
    return "".join(map(_plain, text))


def _plain(run: Run) -> str:
    match run:
        case Maths(formula=found):
            return one_line(found)
        case Code(text=text):
            return text
    return run if isinstance(run, str) else ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section; an ``appendix`` is lettered instead of numbered."""

    text: Prose
    label: str = ""
    appendix: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``lead`` is a title that runs into it, the name of a step of a proof.

    One that stands ``apart`` does not go on with the paragraph of a display above it.
    """

    text: Prose
    lead: str = ""
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Display:
    """Displayed equations: rows of cells that are aligned with each other."""

    rows: tuple[tuple[Row, ...], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Cases:
    """``left = value`` with a different value under each condition; an empty one means otherwise."""

    left: Row
    rows: tuple[tuple[Row, Row], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head; ``wide`` columns hold text that may break, by their index."""

    head: tuple[Prose, ...]
    rows: tuple[tuple[Prose, ...], ...]
    wide: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Theorem:
    """A numbered statement; ``remark`` is what its heading has to confess, such as "not fully proved"."""

    kind: str
    title: str
    statement: tuple[Block, ...]
    label: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of the theorem before it; ``remark`` as there."""

    blocks: tuple[Block, ...]
    remark: str = ""


def remark_on(title: str, *blocks: Block) -> Theorem:
    """Return a numbered remark."""
    return Theorem("Remark", title, blocks, f"rem:{title.replace(' ', '-')}")


Block = Heading | Paragraph | Display | Cases | Table | Theorem | Proof


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of the bibliography: its kind and further fields are those of BibTeX; ``url`` is its DOI or address."""

    key: str
    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    fields: tuple[tuple[str, str], ...]
    url: str = ""


@dataclass(frozen=True, slots=True)
class Front:
    """What an author puts before a paper in place of what is there, each as plain text; ``remark`` ends its body.

    ``msc`` are codes of the Mathematics Subject Classification of 2020.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    remark: str = ""
    msc: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A derivation as a paper: title, who derived it, abstract, blocks in order, and the sources cited.

    ``unchecked`` says which of its formulas no claim is about.
    """

    title: Prose
    by: str
    abstract: Prose
    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]
    authors: tuple[str, ...] = ()
    msc: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    unchecked: str = ""


def signed(paper: Story, front: Front) -> Story:
    """Return a paper with the front matter of its author; what was checked, and by what, stays."""
    main = before_appendix(paper.blocks)
    remark = (Paragraph((front.remark,), "Remark."),) if front.remark else ()
    return replace(
        paper,
        title=(front.title,) if front.title else paper.title,
        abstract=(front.abstract,) if front.abstract else paper.abstract,
        blocks=(*main, *remark, *paper.blocks[len(main) :]),
        authors=front.authors,
        msc=front.msc,
        keywords=front.keywords,
    )


def before_appendix(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks before the appendix."""
    return tuple(takewhile(lambda block: not (isinstance(block, Heading) and block.appendix), blocks))


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Go through blocks and the blocks within them, in order."""
    for block in blocks:
        yield block
        match block:
            case Theorem(statement=inner) | Proof(blocks=inner):
                yield from walk(inner)


def citations(blocks: tuple[Block, ...]) -> tuple[str, ...]:
    """Return the keys of the sources that are cited, in order, each once."""
    found = [
        run.key for block in walk(blocks) for text in _texts(block) for run in text if isinstance(run, Cite)
    ]
    return tuple(dict.fromkeys(found))


def _texts(block: Block) -> Iterator[Prose]:
    match block:
        case Heading(text=text) | Paragraph(text=text):
            yield text
        case Table(head=head, rows=rows):
            yield from head
            for cells in rows:
                yield from cells


def aligned(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Join displays that follow each other into one whose equality signs are aligned."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if _aligns(block) and isinstance(before, Display) and _aligns(before):
            *rows, last = before.rows
            found[-1] = Display((*rows, _continued(last), *block.rows))  # type: ignore[union-attr]
        else:
            found.append(block)
    return tuple(found)


def _aligns(block: Block) -> bool:
    return isinstance(block, Display) and not block.label and all(len(cells) == 2 for cells in block.rows)


def _continued(cells: tuple[Row, ...]) -> tuple[Row, ...]:
    return (*cells[:-1], ended(cells[-1], ","))


def ended(formula: Row, mark: str) -> Row:
    """Let a formula end with a mark, unless it has one or the mark is empty."""
    last = formula.parts[-1]
    has_one = isinstance(last, Sign) and last.name in STOPS
    return formula if has_one or not mark else row(formula, Sign(mark))


def displayed(rows: Iterable[Iterable[Part]], label: str = "") -> Display:
    """Return a display of cells."""
    return Display(tuple(tuple(map(formula, cells)) for cells in rows), label)


def table(head: Iterable[str], rows: Iterable[Iterable[Part | Prose]], wide: tuple[int, ...] = ()) -> Table:
    """Return a table; its head has the marks of sentences, text in its cells has none."""
    return Table(tuple(map(prose, head)), tuple(tuple(map(_in_cell, cells)) for cells in rows), wide)


def _in_cell(part: Part | Prose) -> Prose:
    """Return what stands in a cell, with fractions as high as in a display."""
    return filled(formula(part) if isinstance(part, Basic) else part)


def by_cases(left: Part, rows: Iterable[tuple[Part, Part]]) -> Cases:
    """Return what has a different value under each condition."""
    return Cases(formula(left), tuple((formula(value), formula(condition)) for value, condition in rows))


def joined(first: Paragraph, *others: Block) -> tuple[Block, ...]:
    """Let a paragraph run on into the next block, if that is a paragraph too."""
    if others and isinstance(others[0], Paragraph) and not others[0].lead:
        return (replace(first, text=first.text + others[0].text), *others[1:])
    return (first, *others)


def run_on(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Let plain paragraphs that follow each other be one; what is said of one case stays apart."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if _goes_on(block) and isinstance(before, Paragraph) and not before.apart:
            found[-1] = replace(before, text=(*before.text, " ", *block.text))  # type: ignore[union-attr]
        else:
            found.append(block)
    return tuple(found)


def _goes_on(block: Block) -> bool:
    return isinstance(block, Paragraph) and not block.lead and not block.apart


Described = tuple[Row, tuple[Block, ...]]
"""The condition of a case, and the blocks that describe it."""


def merged(descriptions: list[Described]) -> tuple[Block, ...]:
    """Describe several cases at once: what they have in common once, what differs under the condition of each."""
    if len(descriptions) == 1:
        return descriptions[0][1]
    columns = [blocks for _, blocks in descriptions]
    if len({len(blocks) for blocks in columns}) > 1:
        return tuple(_apart(descriptions))
    return tuple(_rows(descriptions))


def _rows(descriptions: list[Described]) -> Iterator[Block]:
    """Emit equal blocks once; gather neighbouring blocks that differ and emit them case by case."""
    differing: list[int] = []
    columns = [blocks for _, blocks in descriptions]
    for index, blocks in enumerate(zip(*columns, strict=True)):
        if all(block == blocks[0] for block in blocks):
            yield from _apart(_chosen(descriptions, differing))
            differing = []
            yield blocks[0]
        else:
            differing.append(index)
    yield from _apart(_chosen(descriptions, differing))


def _chosen(descriptions: list[Described], indices: list[int]) -> list[Described]:
    return [(condition, tuple(blocks[i] for i in indices)) for condition, blocks in descriptions]


def _apart(descriptions: list[Described]) -> Iterator[Block]:
    for condition, blocks in descriptions:
        if blocks:
            yield from joined(Paragraph(prose("Case {}. ", condition), apart=True), *blocks)
