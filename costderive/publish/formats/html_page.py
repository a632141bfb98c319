"""A derivation as one HTML file: the same story as the article, its formulas in MathML.

The page needs no network and has no scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from string import ascii_uppercase

from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.proof.claims import Case, Report
from costderive.publish.formats.typeset import array, cases, display, is_equation, slashed, stop
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.mathml import STYLE, in_sentence, math, unbroken
from costderive.publish.words import sources
from costderive.publish.words.displays import condition, definitions, function
from costderive.publish.words.document_blocks import (
    Block,
    Cases,
    Cite,
    Code,
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
    aligned,
    walk,
)
from costderive.publish.words.long_values import names
from costderive.publish.words.paper import story
from costderive.publish.words.summary import summary
from costderive.rules import Losses

_STYLE = """
:root { color-scheme: light dark }
body { background: Canvas; color: CanvasText }
body { font: 1.05rem/1.55 Georgia, "Times New Roman", serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h1, .by { text-align: center; font-weight: normal }
h1 { font-size: 1.7rem; line-height: 1.25 }
h2 { font-size: 1.25rem; margin-top: 2.2rem }
.abstract { margin: 1.5rem 2.5rem; font-size: .95rem }
.theorem { border-left: 3px solid #888; padding-left: 1rem; margin: 1.2rem 0 }
.qed { display: block; text-align: right; margin-top: -1rem }
p, li { overflow-wrap: anywhere }
td { overflow-wrap: break-word }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0 }
thead { border-bottom: 1px solid }
@media (max-width: 48rem) { .abstract { margin: 1rem 0 } .abstract, table { font-size: 1rem } }
"""


def html(derivation: Certified, report: Report | None = None, *, made_of: CostsOfParts | None = None) -> str:
    """Return a page on a derivation, complete in one file; without a report the derivation is checked first.

    It has the same content as ``latex``; browsers set its formulas themselves.

    Raises:
        ExportError: if two parameters are written the same, or ``made_of`` has parts of other costs.

    >>> import costderive
    >>> html(costderive.derive(costderive.Additive())).splitlines()[0]
    '<!doctype html>'
    """
    return "\n".join(_page(story(derivation, report, made_of=made_of))) + "\n"


def statements(paper: Story, proof: str) -> str:
    """Return the theorems of a story without their proofs, as part of a page; references lead to the page ``proof``."""
    writer = _writer(paper, proof)
    theorems = [block for block in paper.blocks if isinstance(block, Theorem)]
    abstract = f'<p><b>Abstract of <a href="{proof}">the article</a>.</b> {writer.text(paper.abstract)}</p>'
    return "\n".join([abstract, writer.blocks(tuple(theorems))])


def result(derivation: Certified, report: Report) -> str:
    """Return what was derived and proved, as part of a page: what a terminal shows, in MathML."""
    return _Writer({}, {}).blocks(tuple(summary(derivation, report)))


def losses_shown(derivation: Derivation) -> str:
    """Return the losses and the threshold weight of each case as displayed formulas, as part of a page."""
    return "\n".join(part for case in derivation.cases for part in _losses(case, len(derivation.cases) > 1))


def _losses(case: Case, is_one_of_several: bool) -> Iterator[str]:
    found = losses(case)
    if is_one_of_several:
        yield f"<p>If {in_sentence(slashed(condition(case.given)))}:</p>"
    named = names((found.loss0, found.loss1))
    shown = [
        function(f"L_{label}(p)", loss, named, closed=isinstance(found, Losses))
        for label, loss in enumerate((found.loss0, found.loss1))
    ]
    shown += [definitions(named)] if named else []
    if isinstance(found, Losses) and not found.weight.atoms:
        shown.append(function(r"\omega(s)", found.weight.density))
    for block in shown:
        assert isinstance(block, Display | Cases)
        yield displayed(cases(block, "") if isinstance(block, Cases) else display(block, ""))


def with_proof(paper: Story, page: str) -> str:
    """Return the first theorem of a story with its proof, which opens on demand; references lead to ``page``."""
    writer = _writer(paper, page)
    theorem = next(block for block in paper.blocks if isinstance(block, Theorem))
    proof = paper.blocks[paper.blocks.index(theorem) + 1]
    shown = f"<details>\n<summary>Its proof</summary>\n{writer.blocks((proof,))}\n</details>"
    return f"{writer.blocks((theorem,))}\n{shown}"


def _writer(paper: Story, page: str = "") -> _Writer:
    return _Writer(_numbers(paper.blocks), {x.key: n for n, x in enumerate(paper.sources, 1)}, page)


def _page(paper: Story) -> Iterator[str]:
    writer = _writer(paper)
    yield "<!doctype html>"
    yield '<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(_plain(paper.title))}</title>"
    yield f"<style>{_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>"
    yield f'<h1>{writer.text(paper.title)}</h1>\n<p class="by">{escape(paper.by)}</p>'
    yield f'<p class="abstract"><b>Abstract.</b> {writer.text(paper.abstract)}</p>'
    yield writer.blocks(paper.blocks)
    yield _bibliography(paper.sources)
    yield "</main>\n</body>\n</html>"


def _plain(text: Prose) -> str:
    return "".join(run if isinstance(run, str) else "" for run in text)


def _venue(source: Source) -> str:
    name, rest = map(escape, sources.venue(source))
    return f"<i>{name}</i>{rest}" if name else rest


def _address(source: Source) -> str:
    return f' <a href="{escape(source.url)}">{escape(source.url)}</a>' if source.url else ""


def _bibliography(cited: tuple[Source, ...]) -> str:
    items = [
        f'<li id="{x.key}">{escape(sources.authors(x))} ({x.year}). {escape(x.title)}. {_venue(x)}.{_address(x)}</li>'
        for x in cited
    ]
    return "\n".join(["<h2>References</h2>", "<ol>", *items, "</ol>"])


# ---- numbers


def _numbers(blocks: tuple[Block, ...]) -> Mapping[Block | str, str]:
    """Number sections, theorems and equations in order: each block, and each label."""
    found: dict[Block | str, str] = {}
    counts = Counter[str]()
    for block in walk(blocks):
        kind = _numbered(block)
        if kind and isinstance(block, Heading | Theorem | Display):
            counts[kind] += 1
            number = ascii_uppercase[counts[kind] - 1] if kind == "appendix" else str(counts[kind])
            found[block] = found[block.label] = number
    return found


def _numbered(block: Block) -> str:
    """Return the kind of numbers that a block gets, if any."""
    match block:
        case Heading(appendix=appendix):
            return "appendix" if appendix else "section"
        case Theorem():
            return "theorem"
        case Display(label=label) if label:
            return "equation"
    return ""


# ---- text and blocks


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes blocks with the numbers of labels and of sources; ``page`` is where these are, if not on this page."""

    numbers: Mapping[Block | str, str]
    cited: Mapping[str, int]
    page: str = ""

    def text(self, text: Prose) -> str:
        """Write a sentence."""
        return unbroken("".join(self._run(run) for run in text))

    def _run(self, run: Run) -> str:
        match run:
            case Maths(formula=formula):
                return in_sentence(slashed(formula))
            case Cite(key=key, place=place):
                where = f", {escape(place)}" if place else ""
                return f'<a href="{self.page}#{key}">[{self.cited[key]}{where}]</a>'
            case Ref(label=label):
                number = self.numbers[label]
                return f'<a href="{self.page}#{label}">{f"({number})" if is_equation(run) else number}</a>'
            case Code(text=text):
                return f"<code>{escape(text)}</code>"
        return escape(run)

    def blocks(self, blocks: tuple[Block, ...]) -> str:
        """Write blocks one below the other."""
        blocks = aligned(blocks)
        return "\n".join(self._block(*pair) for pair in zip(blocks, (*blocks[1:], None), strict=True))

    def _block(self, block: Block, following: Block | None) -> str:
        match block:
            case Heading(text=text, label=label):
                return f'<h2 id="{label}">{self.numbers[block]}&ensp;{self.text(text)}</h2>'
            case Paragraph(text=text, lead=lead):
                run_in = f"<b>{escape(lead)}</b> " if lead else ""
                return f"<p>{run_in}{self.text(text)}</p>"
            case Display(label=label):
                return _labelled(display(block, stop(following)), label, self.numbers.get(label, ""))
            case Cases():
                return displayed(cases(block, stop(following)))
            case Table(wide=wide):
                return self._table(block) if wide else displayed(array(block))
            case Theorem():
                return self._theorem(block)
            case Proof(blocks=inner, remark=remark):
                name = f"Proof ({escape(remark)})." if remark else "Proof."
                end = '<span class="qed">□</span>'
                return (
                    f'<div class="proof">\n<p><i>{name}</i></p>\n{self.blocks(inner)}\n<p>{end}</p>\n</div>'
                )

    def _theorem(self, block: Theorem) -> str:
        title = "; ".join(filter(None, (block.title, block.remark)))
        head = f"<p><b>{block.kind} {self.numbers[block.label]}</b> ({escape(title)}).</p>"
        return f'<div class="theorem" id="{block.label}">\n{head}\n{self.blocks(block.statement)}\n</div>'

    def _table(self, table: Table) -> str:
        head = "".join(f"<th>{self.text(cell)}</th>" for cell in table.head)
        rows = ["".join(f"<td>{self.text(cell)}</td>" for cell in row) for row in table.rows]
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        text = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        return f'<div class="wide" tabindex="0">{text}</div>'


def displayed(formula: Row) -> str:
    """Return a displayed formula, which can be scrolled, by keyboard too."""
    return f'<div class="display" tabindex="0">{math(formula, display=True)}</div>'


def _labelled(formula: Row, label: str, number: str) -> str:
    if not label:
        return displayed(formula)
    tag = f'<span class="tag">({number})</span>'
    return f'<div class="display" tabindex="0" id="{label}">{math(formula, display=True)}{tag}</div>'
