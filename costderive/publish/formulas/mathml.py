"""Formulas as presentation MathML, in the part that browsers set without scripts (MathML Core).

>>> from costderive.publish.formulas.notation import read
>>> math(read("p^2 < 1"))
'<math alttext="p^2 &lt; 1"><msup><mi>p</mi><mn>2</mn></msup><mo>&lt;</mo><mn>1</mn></math>'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from costderive.publish.formulas.formula import (
    Fenced,
    Formula,
    Grid,
    Letter,
    Manner,
    Number,
    Radical,
    Ratio,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
    Writing,
    base,
    is_function,
    is_operand,
    left_of,
)
from costderive.publish.formulas.notation import tex
from costderive.publish.formulas.signs import (
    BINARY,
    CLOSE,
    FUNCTIONS,
    LETTERS,
    LIMITS,
    OPEN,
    RELATIONS,
    SIGNS,
    SPACES,
    unescaped,
)

LONG = 24  # of a formula in a sentence, in characters of TeX: it may be broken after its relations
WIDE = 80  # characters of TeX of a formula that may be wider than a phone
_MATH = r"<math alttext=(?:(?!</math>).)*</math>"
_TOUCHED = re.compile(rf'\(?(?:{_MATH}|<span class="long" tabindex="0">{_MATH}</span>)[^\s<]+')
HEIGHTS = {"big": 1.2, "Big": 1.8, "bigg": 2.4, "Bigg": 3.0}
MIDDLES = (r"\bigm", r"\Bigm", r"\middle")
THIN, THICK = "0.1667em", "0.2778em"
DOUBLE_STRUCK = {"E": "𝔼", "N": "ℕ", "P": "ℙ", "R": "ℝ"}
CLOSED = ' lspace="0" rspace="0"'
SPACING = {
    ".": CLOSED,
    "/": CLOSED,
    "|": f' stretchy="false"{CLOSED}',
    r"\mid": f' stretchy="false" lspace="{THICK}" rspace="{THICK}"',
    r"\colon": f' lspace="0" rspace="{THICK}"',
    ":": f' lspace="{THICK}" rspace="{THICK}"',
    r"\to": ' stretchy="false"',
    r"\mapsto": ' stretchy="false"',
}
STYLE = """
math { font-size: 1.08em }
.display { display: flex; align-items: center; overflow-x: auto; overflow-y: hidden; margin: .6rem 0;
  background: linear-gradient(to right, var(--paper, Canvas) 1rem, transparent 2rem) local,
    linear-gradient(to left, var(--paper, Canvas) 1rem, transparent 2rem) right local,
    linear-gradient(to right, rgb(128 128 128 / .45), transparent .8rem),
    linear-gradient(to left, rgb(128 128 128 / .45), transparent .8rem) right }
.display > math { flex: 1 0 auto; padding: .3em .1em }
.display > .tag { padding-left: 1.5em }
.whole { white-space: nowrap }
.long { display: inline-block; max-width: 100%; overflow-x: auto; overflow-y: hidden; vertical-align: middle }
.whole > .long { max-width: calc(100% - 1em) }
mi.it { font-style: italic }
mi.sf { font-family: sans-serif }
mtable.aligned > mtr > mtd, mtable.cases > mtr > mtd { padding: .35em 0; text-align: left }
mtable.aligned > mtr > mtd:nth-child(odd) { text-align: right; text-align: -moz-right; text-align: -webkit-right }
mtable.aligned > mtr > mtd:nth-child(even) { padding-left: .28em }
mtable.cases > mtr > mtd + mtd { padding-left: 1em }
mtable.array > mtr > mtd { padding: .35em 1em .35em 0; text-align: left }
mtable.array > mtr:first-child > mtd { border-bottom: 1px solid }
"""
"""What a page needs beside the formulas: MathML Core leaves columns to style sheets."""


def math(formula: Row, *, display: bool = False) -> str:
    """Return the element of a formula, in a sentence or displayed."""
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{escape(tex(formula))}">{_WRITER.row(formula)}</math>'


def in_sentence(formula: Row) -> str:
    """Return a formula in a sentence: a long one may be broken after its relations, and what is still wide scrolls."""
    if len(tex(formula)) <= LONG:
        return math(formula)
    return "".join(map(_within_line, _broken(formula)))


def _within_line(formula: Row) -> str:
    written = math(formula)
    return f'<span class="long" tabindex="0">{written}</span>' if len(tex(formula)) > WIDE else written


def unbroken(page: str) -> str:
    """Keep what touches a formula, such as a comma, on the line of that formula."""
    return _TOUCHED.sub(r'<span class="whole">\g<0></span>', page)


def _broken(formula: Row) -> Iterator[Row]:
    """Yield the pieces that end after relations and commas outside of brackets."""
    piece: list[Formula] = []
    depth = 0
    for part in formula.parts:
        piece.append(part)
        name = part.name if isinstance(part, Sign) else ""
        depth += (name in OPEN) - (name in CLOSE)
        if not depth and (name in RELATIONS or name == ","):
            yield Row(tuple(piece))
            piece = []
    if any(not isinstance(part, Space) for part in piece):
        yield Row(tuple(piece))


class _MathML(Writing):
    """Writes formulas as elements of MathML, one for each node but a row, which is as many as its parts."""

    def letter(self, letter: Letter) -> str:
        upright = ' mathvariant="normal"' if letter.name[:2].isupper() and letter.name[0] == "\\" else ""
        return f"<mi{upright}>{escape(LETTERS.get(letter.name, letter.name))}</mi>"

    def number(self, number: Number) -> str:
        return f"<mn>{number.digits}</mn>"

    def sign(self, sign: Sign) -> str:
        name = sign.name
        if name[0] == "'":
            return f"<mo>{'′' * len(name)}</mo>"
        if sign.size:
            return _sized(sign)
        if name in FUNCTIONS:
            return _function(name)
        bracket = ' stretchy="false"' if name in OPEN or name in CLOSE else ""
        return f"<mo{bracket}{SPACING.get(name, '')}>{escape(SIGNS[name])}</mo>"

    def word(self, word: Word) -> str:
        text = escape(unescaped(word.text))
        match word.style:
            case r"\text":
                return f"<mtext>{text.replace(' ', '&#xA0;')}</mtext>"
            case r"\mathbb":
                return f"<mi>{DOUBLE_STRUCK.get(text, text)}</mi>"
            case r"\mathit":
                return f'<mi class="it">{text}</mi>'
            case r"\mathsf":
                return f'<mi mathvariant="normal" class="sf">{text}</mi>'
        return f'<mi mathvariant="normal">{text}</mi>'

    def space(self, space: Space) -> str:
        return f'<mspace width="{SPACES[space.name]}em"/>' if space.name in SPACES else ""

    def manner(self, manner: Manner) -> str:
        return ""  # the row that it stands in sees to it

    def row(self, row: Row) -> str:
        """Write parts; a sign depends on what stands before it, and so does the room beside a function."""
        found, before = "", None
        for index, part in enumerate(row.parts):
            if isinstance(part, Manner):
                shown = str(part.name == r"\displaystyle").lower()
                return (
                    f'{found}<mstyle displaystyle="{shown}">{self.row(Row(row.parts[index + 1 :]))}</mstyle>'
                )
            after = next((x for x in row.parts[index + 1 :] if not isinstance(x, Space)), None)
            found += self.beside(before, part, after)
            before = left_of(before, part)
        return found

    def beside(self, before: Formula | None, part: Formula, after: Formula | None) -> str:
        """Write a part between two others."""
        if isinstance(part, Space):
            return self.space(part)
        if isinstance(part, Sign) and part.name in BINARY and not (is_operand(before) and _follows(after)):
            return f'<mo form="prefix">{BINARY[part.name]}</mo>'
        gap = is_operand(before) if is_function(part) else is_function(before) and not _opens(base(part))
        return (f'<mspace width="{THIN}"/>' if gap else "") + self.one(part)

    def one(self, formula: Formula) -> str:
        """Write a formula as one element."""
        return f"<mrow>{self.row(formula)}</mrow>" if isinstance(formula, Row) else self.write(formula)

    def ratio(self, ratio: Ratio) -> str:
        small = ' displaystyle="false"' if ratio.small else ""
        return f"<mfrac{small}>{self.one(ratio.top)}{self.one(ratio.bottom)}</mfrac>"

    def radical(self, radical: Radical) -> str:
        inside = self.one(radical.inside)
        return (
            f"<mroot>{inside}<mn>{radical.degree}</mn></mroot>"
            if radical.degree
            else f"<msqrt>{inside}</msqrt>"
        )

    def scripts(self, scripts: Scripts) -> str:
        limits = isinstance(scripts.base, Sign) and scripts.base.name in LIMITS
        below, above = (self.one(x) if x else "" for x in (scripts.below, scripts.above))
        parts = ("under" if limits else "sub") * bool(below) + ("over" if limits else "sup") * bool(above)
        return f"<m{parts}>{self.one(scripts.base)}{below}{above}</m{parts}>"

    def fenced(self, fenced: Fenced) -> str:
        return f"<mrow>{_fence(fenced.left)}{self.row(fenced.inside)}{_fence(fenced.right)}</mrow>"

    def grid(self, grid: Grid) -> str:
        rows = ("".join(f"<mtd>{self.row(cell)}</mtd>" for cell in cells) for cells in grid.rows)
        shown = ' displaystyle="true"' if grid.kind == "aligned" else ""
        body = "".join(f"<mtr>{cells}</mtr>" for cells in rows)
        table = f'<mtable class="{grid.kind}"{shown}>{body}</mtable>'
        return f'<mrow><mo form="prefix">{{</mo>{table}</mrow>' if grid.kind == "cases" else table


def _opens(part: Formula | None) -> bool:
    """Return whether there is no room between a function and this."""
    return isinstance(part, Fenced) or (isinstance(part, Sign) and part.name not in FUNCTIONS)


def _follows(part: Formula | None) -> bool:
    """Return whether a plus or minus before this has something to its right, unlike that of a limit ``0+``."""
    return part is not None and not (isinstance(part, Sign) and part.name in CLOSE)


def _function(name: str) -> str:
    """Write the name of a function, which is an operator if bounds may stand below it."""
    text = FUNCTIONS[name]
    return f'<mo movablelimits="true"{CLOSED}>{text}</mo>' if name in LIMITS else f"<mi>{text}</mi>"


def _sized(sign: Sign) -> str:
    """Write a bracket or bar of a given height; one in the middle has room on both sides."""
    room = THICK if sign.size in MIDDLES else "0"
    height = HEIGHTS.get(sign.size.rstrip("lmr").lstrip("\\"))
    size = f' minsize="{height}em" maxsize="{height}em"' if height else ""
    return f'<mo stretchy="true"{size} lspace="{room}" rspace="{room}">{escape(SIGNS[sign.name])}</mo>'


def _fence(name: str) -> str:
    return "" if name == "." else f"<mo>{escape(SIGNS[name])}</mo>"


_WRITER = _MathML()
