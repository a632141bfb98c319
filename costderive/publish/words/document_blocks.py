"""What the paper on a derivation is made of: headings, prose with mathematics, displays, theorems, proofs, tables.

Nothing here knows LaTeX documents, HTML or notebooks. Mathematics is a tree of what is written, which is made here
once, from the notation in which the words write formulas; everything else is plain text, which an exporter escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from costderive.publish.formulas.formula import Row, Sign, row
from costderive.publish.formulas.notation import read

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


Run = str | Maths | Cite | Ref
Prose = tuple[Run, ...]

_MARKS = re.compile(
    r"(?<!\\)\$(?P<maths>(?:\\.|[^$\\])+)\$ | \[@(?P<key>\w+)(?:,\s(?P<place>[^\]]*))?\] | "
    r"\{\#(?P<label>[\w:-]+)\}",
    re.VERBOSE | re.DOTALL,
)


def prose(text: str) -> Prose:
    """Read a sentence with ``$maths$``, ``[@source, place]`` and ``{#label}`` in it.

    Text that comes from a user must not be put into ``text``; add it as a run of its own.

    >>> prose("Let $p$ be [@Flach2015].")
    ('Let ', Maths(formula=Row(parts=(Letter(name='p'),))), ' be ', Cite(key='Flach2015', place=''), '.')
    """
    return tuple(_runs(text))


def _runs(text: str) -> Iterator[Run]:
    end = 0
    for mark in _MARKS.finditer(text):
        if mark.start() > end:
            yield text[end : mark.start()]
        yield _run(mark)
        end = mark.end()
    if end < len(text):
        yield text[end:]


def _run(mark: re.Match[str]) -> Run:
    if mark["maths"] is not None:
        return Maths(read(mark["maths"]))
    return Cite(mark["key"], mark["place"] or "") if mark["key"] is not None else Ref(mark["label"])


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section; an ``appendix`` is lettered instead of numbered."""

    text: Prose
    label: str = ""
    appendix: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``lead`` is a title that runs into it, the name of a step of a proof."""

    text: Prose
    lead: str = ""


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


Block = Heading | Paragraph | Display | Cases | Table | Theorem | Proof


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of the bibliography: its kind and further fields are those of BibTeX."""

    key: str
    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A derivation as a paper: title, who derived it, abstract, blocks in order, and the sources cited."""

    title: Prose
    by: str
    abstract: Prose
    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]


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


def displayed(rows: Iterable[Iterable[str | Row]], label: str = "") -> Display:
    """Return a display of cells, formulas or in the notation."""
    return Display(tuple(tuple(map(_formula, cells)) for cells in rows), label)


def by_cases(left: str, rows: Iterable[tuple[str | Row, str | Row]]) -> Cases:
    """Return what has a different value under each condition, formulas or in the notation."""
    return Cases(read(left), tuple((_formula(value), _formula(condition)) for value, condition in rows))


def _formula(written: str | Row) -> Row:
    return read(written) if isinstance(written, str) else written


def joined(first: Paragraph, *others: Block) -> tuple[Block, ...]:
    """Let a paragraph run on into the next block, if that is a paragraph too."""
    if others and isinstance(others[0], Paragraph) and not others[0].lead:
        return (Paragraph(first.text + others[0].text, first.lead), *others[1:])
    return (first, *others)


def merged(descriptions: list[tuple[str, tuple[Block, ...]]]) -> tuple[Block, ...]:
    """Describe several cases at once: what they have in common once, what differs under the condition of each.

    A description is the condition of a case, in the notation, and its blocks.
    """
    if len(descriptions) == 1:
        return descriptions[0][1]
    columns = [blocks for _, blocks in descriptions]
    if len({len(blocks) for blocks in columns}) > 1:
        return tuple(_apart(descriptions))
    return tuple(_rows(descriptions))


def _rows(descriptions: list[tuple[str, tuple[Block, ...]]]) -> Iterator[Block]:
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


def _chosen(
    descriptions: list[tuple[str, tuple[Block, ...]]], indices: list[int]
) -> list[tuple[str, tuple[Block, ...]]]:
    return [(condition, tuple(blocks[i] for i in indices)) for condition, blocks in descriptions]


def _apart(descriptions: list[tuple[str, tuple[Block, ...]]]) -> Iterator[Block]:
    for condition, blocks in descriptions:
        if blocks:
            yield from joined(Paragraph(prose(f"Case ${condition}$. ")), *blocks)
