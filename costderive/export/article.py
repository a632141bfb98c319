"""A derivation as a LaTeX article: conventions, theorems with proofs, and what was checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costderive.derivation import Derivation
from costderive.export.blocks import (
    Block,
    Cases,
    Cite,
    Display,
    Heading,
    Maths,
    Paragraph,
    Proof,
    Prose,
    Ref,
    Run,
    Source,
    Story,
    Table,
    Theorem,
)
from costderive.export.sources import SOURCES
from costderive.export.story import story
from costderive.proof import Report

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{array,longtable}
\usepackage[margin=25mm]{geometry}
\newtheorem{theorem}{Theorem}
\newtheorem{corollary}[theorem]{Corollary}
\allowdisplaybreaks
\raggedbottom
\emergencystretch=2em
"""

_ESCAPES = {c: f"\\{c}" for c in "{}$&#%_"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "−": r"\ensuremath{-}",
    "á": r"\'a",
    "é": r"\'e",
    "è": r"\`e",
}


def latex(derivation: Derivation, report: Report | None = None, *, fragment: bool = False) -> str:
    """Return a LaTeX article on a derivation; with ``fragment`` only its theorems and proofs.

    Without a report the derivation is checked first. An article whose claims are not all proved says so under
    its title, in the headings of its theorems and in its appendix. A fragment needs amsmath, amssymb, amsthm
    and theorem environments ``theorem`` and ``corollary``.

    >>> import costderive
    >>> article = latex(costderive.derive(costderive.Additive()))
    >>> article.splitlines()[0]
    '\\\\documentclass[11pt,a4paper]{article}'
    """
    told = story(derivation, report)
    if fragment:
        return (
            _Writer(fragment=True).blocks(tuple(x for x in told.blocks if isinstance(x, Theorem | Proof)))
            + "\n"
        )
    return "\n".join(_article(told)) + "\n"


def _article(told: Story) -> Iterator[str]:
    start = next((i for i, block in enumerate(told.blocks) if _is_appendix(block)), len(told.blocks))
    yield _PREAMBLE
    yield rf"\title{{{_text(told.title)}}}"
    yield rf"\author{{{escaped(told.by)}}}"
    yield "\\date{}\n\\begin{document}\n\\maketitle"
    yield f"\\begin{{abstract}}\n{_text(told.abstract)}\n\\end{{abstract}}"
    yield _Writer().blocks(told.blocks[:start])
    yield "\\appendix"
    yield _Writer().blocks(told.blocks[start:])
    yield _bibliography(told.sources)
    yield r"\end{document}"


def _is_appendix(block: Block) -> bool:
    return isinstance(block, Heading) and block.appendix


def _bibliography(sources: tuple[Source, ...]) -> str:
    entries = [
        f"\\bibitem{{{x.key}}} {escaped(x.authors)} ({x.year}). {escaped(x.title)}. "
        f"\\emph{{{escaped(x.where)}}}."
        for x in sources
    ]
    return "\n".join([r"\begin{thebibliography}{9}", r"\raggedright", *entries, r"\end{thebibliography}"])


# ---- text


def escaped(text: str) -> str:
    """Return plain text as LaTeX that prints it; a character that fonts lack is written as its code point.

    >>> escaped("50% of $a_1")
    '50\\\\% of \\\\$a\\\\_1'
    """
    return "".join(
        _ESCAPES.get(c, c if c.isascii() and (c.isprintable() or c == "\n") else f"[U+{ord(c):04X}]")
        for c in text
    )


def _text(text: Prose, *, fragment: bool = False) -> str:
    return "".join(_run(run, fragment) for run in text)


def _run(run: Run, fragment: bool) -> str:
    match run:
        case Maths(tex=tex):
            return rf"\({tex}\)"
        case Cite(key=key, place=place) if fragment:
            source = SOURCES[key]
            return escaped(f"{source.authors} ({source.year}{', ' if place else ''}{place})")
        case Cite(key=key, place=place):
            return rf"\cite[{escaped(place)}]{{{key}}}" if place else rf"\cite{{{key}}}"
        case Ref(label=label):
            return rf"\eqref{{{label}}}" if label.startswith("eq:") else rf"\ref{{{label}}}"
    return escaped(run)


# ---- blocks


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes blocks; a fragment has no bibliography to refer to."""

    fragment: bool = False

    def blocks(self, blocks: tuple[Block, ...]) -> str:
        """Write blocks one below the other; what follows a display continues its paragraph."""
        texts = []
        for index, block in enumerate(blocks):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            if index and _starts_paragraph(blocks[index - 1], block):
                texts.append("")
            texts.append(self._block(block, _stop(block, following)))
        return "\n".join(texts)

    def _block(self, block: Block, stop: str) -> str:
        match block:
            case Heading(text=text, label=label):
                return rf"\section{{{_text(text)}}}" + _label(label)
            case Paragraph(text=text, lead=lead):
                run_in = rf"\medskip\noindent\textbf{{{escaped(lead)}}} " if lead else ""
                return run_in + _text(text, fragment=self.fragment)
            case Display():
                return _display(block, stop)
            case Cases():
                return _cases(block, stop)
            case Table():
                return self._table(block)
            case Theorem():
                return self._theorem(block)
            case Proof(blocks=blocks, remark=remark):
                name = f"[Proof ({escaped(remark)})]" if remark else ""
                return f"\\begin{{proof}}{name}\n{self.blocks(blocks)}\n\\end{{proof}}"

    def _theorem(self, block: Theorem) -> str:
        title = "; ".join(filter(None, (block.title, block.remark)))
        kind = block.kind.lower()
        head = rf"\begin{{{kind}}}[{escaped(title)}]{_label(block.label)}"
        return f"{head}\n{self.blocks(block.statement)}\n\\end{{{kind}}}"

    def _table(self, table: Table) -> str:
        if not table.wide:
            return _array(table)
        rows = [
            " & ".join(_text(x, fragment=self.fragment) for x in row) for row in (table.head, *table.rows)
        ]
        return _long(table, rows)


def _label(label: str) -> str:
    return rf"\label{{{label}}}" if label else ""


def _starts_paragraph(before: Block, block: Block) -> bool:
    if isinstance(block, Display | Cases | Table):
        return False
    return not (
        isinstance(before, Display | Cases | Table) and isinstance(block, Paragraph) and not block.lead
    )


def _stop(block: Block, following: Block | None) -> str:
    """Return the mark that ends a display: a comma if the sentence goes on."""
    match following:
        case Display() | Cases():
            return ","
        case Paragraph(text=(str(start), *_), lead="") if start[:1].islower():
            return ","
    return "."


def _display(display: Display, stop: str) -> str:
    rows = [" & ".join(row) for row in display.rows]
    rows[-1] += "" if rows[-1][-1] in ".,;" else stop
    body = rows[0] if len(rows) == 1 and len(display.rows[0]) == 1 else _aligned(rows)
    if display.label:
        return f"\\begin{{equation}}{_label(display.label)}\n{body}\n\\end{{equation}}"
    return f"\\[\n{body}\n\\]"


def _aligned(rows: list[str]) -> str:
    if len(rows) == 1:
        return rows[0].replace(" & ", " ")
    lines = " \\\\[2pt]\n".join(rows)
    return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"


def _cases(cases: Cases, stop: str) -> str:
    rows = [rf"\displaystyle {value} & {_when(condition)}" for value, condition in cases.rows]
    body = " \\\\[12pt]\n".join(rows)
    return f"\\[\n{cases.left} =\n\\begin{{cases}}\n{body}{stop}\n\\end{{cases}}\n\\]"


def _when(condition: str) -> str:
    return rf"\textrm{{if }} {condition}" if condition else r"\textrm{otherwise}"


def _array(table: Table) -> str:
    """A small table as a display, which no page break parts from the sentence before it."""
    head, *rows = [" & ".join(_cell(cell) for cell in row) for row in (table.head, *table.rows)]
    body = " \\\\\n".join([f"{head} \\\\ \\hline\n{rows[0]}", *rows[1:]])
    stretch = 2.4 if r"\frac" in body else 1.3
    columns = "l" * len(table.head)
    return (
        f"\\[\n\\def\\arraystretch{{{stretch}}}\n\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}\n\\]"
    )


def _cell(cell: Prose) -> str:
    return "".join(
        rf"\displaystyle {run.tex}" if isinstance(run, Maths) else rf"\textrm{{{_run(run, True)}}}"
        for run in cell
    )


def _long(table: Table, rows: list[str]) -> str:
    """A table over several pages, whose wide columns hold text that breaks."""
    spec = "".join(
        r">{\raggedright\arraybackslash}p{0.38\linewidth}" if i in table.wide else "l"
        for i in range(len(table.head))
    )
    body = " \\\\\n".join(rows[1:])
    return (
        f"\\begin{{small}}\n\\begin{{longtable}}{{{spec}}}\n{rows[0]} \\\\ "
        f"\\hline\n\\endhead\n{body}\n\\end{{longtable}}\n\\end{{small}}"
    )
