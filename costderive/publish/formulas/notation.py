r"""The notation of formulas that are no expressions: a part of TeX, with places ``{}`` for formulas that are.

>>> read(r"\frac{p}{2} \le \omega(s)").parts[2]
Sign(name='\\le', size='')
>>> tex(read(r"\frac{{}}{2} \le \omega(s)", read("p + q")))
'\\frac{p + q}{2} \\le \\omega(s)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from costderive.core.errors import ExportError
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
)
from costderive.publish.formulas.signs import LETTERS, SIGNS, SPACES

PLACE = "{}"
STYLES = frozenset((r"\text", r"\mathrm", r"\mathit", r"\mathsf", r"\mathbb", r"\operatorname"))
MANNERS = frozenset((r"\displaystyle", r"\textstyle"))
SIZE = re.compile(r"\\([bB]igg?[lmr]?|middle)")
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[ \n]+|'+|.", re.DOTALL)
BRACED = re.compile(r"\{((?:\\.|[^{}\\])*)\}")


# ---- reading


def read(text: str, *parts: Row) -> Row:
    """Read a formula; the parts, in order, stand where it has ``{}``.

    Raises:
        ExportError: if something in it is not part of the notation, or the parts are more or fewer than the places.
    """
    return _Reader(text, parts).all()


def chain(sign: str, parts: Iterable[Row]) -> Row:
    """Put a sign in the notation between formulas."""
    rows = tuple(parts)
    return read(sign.join([PLACE] * len(rows)), *rows)


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str, parts: Iterable[Row]) -> None:
        self.text, self.at, self.parts = text, 0, iter(parts)

    def all(self) -> Row:
        """Read everything."""
        found = Row(tuple(self.until("")))
        if self.at < len(self.text) or next(self.parts, None) is not None:
            raise self.refusal()
        return found

    def refusal(self) -> ExportError:
        """Return the error that says where reading stopped."""
        problem = f"the formula {self.text!r} cannot be read from {self.text[self.at :]!r} on"
        return ExportError(problem, "Use the notation of costderive.publish.formulas.notation.")

    def next(self) -> str:
        """Return the next token without taking it; at the end there is an empty one."""
        found = TOKEN.match(self.text, self.at)
        return found[0] if found else ""

    def take(self, pattern: re.Pattern[str] = TOKEN) -> str:
        """Take what matches: a token, or the last group of a pattern."""
        found = pattern.match(self.text, self.at)
        if found is None:
            raise self.refusal()
        self.at = found.end()
        return found[found.re.groups]

    def until(self, *ends: str) -> Iterator[Formula]:
        """Read parts up to one of these tokens, which is taken."""
        while (token := self.next()) and token not in ends and token != "}":
            found = self.filled() if self.at_place() else (self.part(),)
            yield from (*found[:-1], *map(self.scripted, found[-1:]))
        if token and token in ends:
            self.take()

    def at_place(self) -> bool:
        """Return whether a place comes next."""
        return self.text.startswith(PLACE, self.at)

    def filled(self) -> tuple[Formula, ...]:
        """Return what stands in the next place."""
        part = next(self.parts, None)
        if part is None:
            raise self.refusal()
        self.at += len(PLACE)
        return part.parts

    def scripted(self, base: Formula) -> Formula:
        """Read the index, the exponent and the primes of something."""
        below = above = None
        while (token := self.next()) in ("_", "^") or token.startswith("'"):
            self.take()
            if token == "_":
                below = self.argument()
            else:
                above = self.argument() if token == "^" else Sign(token)
        return base if below is above is None else Scripts(base, below, above)

    def argument(self) -> Formula:
        """Read one sign, or what is in braces or in a place; of a number it is one digit."""
        if self.at_place():
            return script(Row(self.filled()))
        return Number(self.take(re.compile(r"\d"))) if self.next()[:1].isdigit() else self.part()

    def braced(self) -> Row:
        """Read what is in braces or in a place, or one sign."""
        if self.at_place():
            return Row(self.filled())
        if self.next().isspace():
            self.take()
        if self.next() != "{":
            return Row((self.argument(),))
        self.take()
        return Row(tuple(self.until("}")))

    def part(self) -> Formula:
        """Read one part, without its scripts."""
        token = self.next()
        if token == "{":
            return self.braced()
        if token not in _COMMANDS:
            return self.atom()
        self.take()
        match token:
            case r"\frac" | r"\tfrac":
                return Ratio(self.braced(), self.braced(), token == r"\tfrac")
            case r"\sqrt":
                degree = self.take(re.compile(r"\[(\d+)\]")) if self.next() == "[" else ""
                return Radical(self.braced(), degree)
        return Fenced(self.take(), Row(tuple(self.until(r"\right"))), self.take())

    def atom(self) -> Formula:
        """Read a letter, a number, a sign, a word or a space."""
        token = self.take()
        if SIZE.fullmatch(token):
            return Sign(self.take(), token)
        if token in STYLES:
            return Word(self.take(BRACED), token)
        if token in MANNERS:
            return Manner(token)
        if token[0].isdigit():
            return Number(token)
        if token in LETTERS or (token.isascii() and token.isalpha()):
            return Letter(token)
        if token in SIGNS:
            return Sign(token)
        if token.isspace() or token in SPACES:
            return Space(token)
        self.at -= len(token)
        raise self.refusal()


_COMMANDS = frozenset((r"\frac", r"\tfrac", r"\sqrt", r"\left"))


# ---- writing


def tex(formula: Formula) -> str:
    """Write a formula as it was read; a grid that a format made gets lines of its own."""
    return _NOTATION.write(formula)


def script(formula: Row) -> Formula:
    """Return an index or exponent: one letter or digit by itself, all else together."""
    return formula.parts[0] if len(tex(formula)) == 1 else formula


class Notation(Writing):
    """Writes formulas in TeX."""

    def letter(self, letter: Letter) -> str:
        return letter.name

    def number(self, number: Number) -> str:
        return number.digits

    def sign(self, sign: Sign) -> str:
        return sign.size + sign.name

    def word(self, word: Word) -> str:
        return f"{word.style}{{{word.text}}}"

    def space(self, space: Space) -> str:
        return space.name

    def manner(self, manner: Manner) -> str:
        return manner.name

    def row(self, row: Row) -> str:
        return "".join(map(self.braced, row.parts))

    def braced(self, formula: Formula) -> str:
        """Write something, in braces if it is a row."""
        return f"{{{self.row(formula)}}}" if isinstance(formula, Row) else self.write(formula)

    def ratio(self, ratio: Ratio) -> str:
        return (r"\tfrac" if ratio.small else r"\frac") + self.braced(ratio.top) + self.braced(ratio.bottom)

    def radical(self, radical: Radical) -> str:
        degree = f"[{radical.degree}]" if radical.degree else ""
        return rf"\sqrt{degree}{self.braced(radical.inside)}"

    def scripts(self, scripts: Scripts) -> str:
        below = f"_{self.braced(scripts.below)}" if scripts.below else ""
        above = self.braced(scripts.above) if scripts.above else ""
        mark = "^" if above and not above.startswith("'") else ""
        return f"{self.braced(scripts.base)}{below}{mark}{above}"

    def fenced(self, fenced: Fenced) -> str:
        return rf"\left{fenced.left}{self.row(fenced.inside)}\right{fenced.right}"

    def grid(self, grid: Grid) -> str:
        lines = [" & ".join(map(self.row, cells)) for cells in grid.rows]
        if grid.kind == "array":
            return _array(lines, len(grid.rows[0]), grid.gap)
        body = (f" \\\\[{grid.gap}]\n" if grid.gap else r" \\ ").join(lines)
        edge = "\n" if grid.gap else " "
        return rf"\begin{{{grid.kind}}}{edge}{body}{edge}\end{{{grid.kind}}}"


def _array(lines: list[str], columns: int, stretch: str) -> str:
    head, first, *rest = lines
    body = " \\\\\n".join([f"{head} \\\\ \\hline\n{first}", *rest])
    begin = f"\\def\\arraystretch{{{stretch}}}\n\\begin{{array}}{{{'l' * columns}}}"
    return f"{begin}\n{body}\n\\end{{array}}"


_NOTATION = Notation()
