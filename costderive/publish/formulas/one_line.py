r"""Formulas as one line of plain text, such as ``(5p − 2)/(6p)``.

>>> from costderive.publish.formulas.notation import read
>>> text(read(r"\frac{5 p - 2}{6 p} \le \omega(s)"))
'(5p − 2)/(6p) ≤ ω(s)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile

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
from costderive.publish.formulas.signs import (
    BINARY,
    CLOSE,
    FUNCTIONS,
    LARGE,
    LETTERS,
    OPEN,
    RELATIONS,
    SIGNS,
    unescaped,
)

_BELOW = str.maketrans(
    dict(zip("0123456789aehijklmnoprstuvx+−", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋", strict=True))
)
_INDICES = "".join(_BELOW.values())
_ABOVE = str.maketrans(dict(zip("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True)))
_ROOTS = {"": "√", "3": "∛", "4": "∜"}
_SPACED = {**RELATIONS, **BINARY, r"\mid": "|"} | {r"\cdot": ""}
_BLANKS = (Space(" "), Space("\n"))
_PARTING = {",": ", ", ";": "; ", r"\colon": ": ", ":": ": ", ".": "."}
_LARGE = LARGE | {r"\sum": "Σ", r"\prod": "Π"}


def text(formula: Row) -> str:
    """Return a formula as one line of text."""
    return _WRITER.row(formula)


class _OneLine(Writing):
    """Writes formulas as text."""

    def letter(self, letter: Letter) -> str:
        return LETTERS.get(letter.name, letter.name)

    def number(self, number: Number) -> str:
        return number.digits

    def sign(self, sign: Sign) -> str:
        return _LARGE.get(sign.name) or SIGNS.get(sign.name) or "′" * len(sign.name)

    def word(self, word: Word) -> str:
        return "".join(c if c.isprintable() else "?" for c in unescaped(word.text))

    def space(self, space: Space) -> str:
        return "   " if "quad" in space.name else " "

    def manner(self, manner: Manner) -> str:
        return ""

    def row(self, row: Row) -> str:
        """Write products with the signs between them."""
        parts = [part for part in _nested(row.parts) if part not in _BLANKS]
        found, before = "", None
        for parted, group in groupby(parts, key=_parts):
            members = tuple(group)
            for sign in members if parted else ():
                found += self.parting(sign, before, ends=sign is parts[-1])
                before = left_of(before, sign)
            if not parted:
                found += self.product(members)
                before = members[-1]
        return found.strip()

    def parting(self, sign: Formula, before: Formula | None, *, ends: bool) -> str:
        """Write what stands between products; a minus before the first one, or at the end, has no room."""
        if not isinstance(sign, Sign) or sign.name in LARGE:
            large = isinstance(base(sign), Sign) and is_operand(before)
            return (" " if large else "") + self.write(sign)
        if sign.name in _PARTING:
            return _PARTING[sign.name]
        if sign.name in BINARY and (ends or not is_operand(before)):
            return BINARY[sign.name]
        return "·" if sign.name == r"\cdot" else f" {self.sign(sign)} "

    def product(self, factors: tuple[Formula, ...]) -> str:
        """Write factors side by side; those beside a fraction go above its bar."""
        first, *rest = factors
        if isinstance(first, Ratio) and rest:
            top = rest if first.top == Row((Number("1"),)) else (_closed(first.top), *rest)
            return self.ratio(Ratio(Row(tuple(top)), first.bottom))
        texts = [f"({self.write(x)})" if isinstance(x, Ratio) and rest else self.write(x) for x in factors]
        return "".join([texts[0], *[_between(*pair) + pair[1] for pair in pairwise(texts)]])

    def ratio(self, ratio: Ratio) -> str:
        bottom = self.row(ratio.bottom)
        parts = [x for x in _nested(ratio.bottom.parts) if not isinstance(x, Space)]
        whole = len(parts) == 1 or _is_call(parts) or parts[0] == Letter(r"\partial")
        closed = isinstance(parts[0], Ratio) or not whole
        return f"{self.row(_closed(ratio.top))}/{f'({bottom})' if closed else bottom}"

    def radical(self, radical: Radical) -> str:
        inside = self.row(radical.inside)
        closed = inside if len(radical.inside.parts) == 1 and "/" not in inside else f"({inside})"
        sign = _ROOTS.get(radical.degree)
        return f"{sign}{closed}" if sign else f"{closed}^(1/{radical.degree})"

    def scripts(self, scripts: Scripts) -> str:
        below, above = (self.write(x) if x else "" for x in (scripts.below, scripts.above))
        name = self.write(scripts.base)
        if isinstance(scripts.base, Sign) and scripts.base.name in LARGE:
            bounds = f"[{below}, {above}]" if above else below if below[:1] in ("[", "(") else _index(below)
            return f"{name}{bounds} "
        if isinstance(scripts.base, Word) and scripts.base.style == r"\mathrm" and below:
            return f"{name}[{below}]"  # a function: its arguments follow
        return name + _index(below) + (above if above.startswith("′") else _exponent(above))

    def fenced(self, fenced: Fenced) -> str:
        left, right = (SIGNS.get(x, "") for x in (fenced.left, fenced.right))
        return f"{left}{self.row(fenced.inside)}{right}"

    def grid(self, grid: Grid) -> str:
        return "; ".join(" ".join(map(self.row, cells)) for cells in grid.rows)


def _nested(parts: tuple[Formula, ...]) -> list[Formula]:
    """Put what is between brackets into nodes of its own."""
    levels: list[list[Formula]] = [[]]
    for part in parts:
        sign = base(part)
        if isinstance(part, Sign) and part.name in OPEN:
            levels.append([part])
        elif isinstance(sign, Sign) and sign.name in CLOSE and len(levels) > 1:
            first, *inside = levels.pop()
            fenced = Fenced(getattr(first, "name", ""), Row(tuple(inside)), sign.name)
            levels[-1].append(replace(part, base=fenced) if isinstance(part, Scripts) else fenced)
        else:
            levels[-1].append(part)
    return [part for level in levels for part in level]


def _parts(part: Formula) -> bool:
    """Return whether something stands between products."""
    name = base(part)
    if isinstance(name, Sign):
        return name.name in _SPACED or name.name in _PARTING or name.name in LARGE
    return isinstance(part, Space) or (isinstance(part, Word) and part.style == r"\text")


def _is_call(parts: Sequence[Formula]) -> bool:
    """Return whether parts are the name of a function and its arguments in brackets."""
    name = base(parts[0])
    named = is_function(name) or (isinstance(name, Word) and name.style == r"\mathrm")
    return named and len(parts) == 2 and isinstance(parts[1], Fenced)


def _closed(formula: Row) -> Row:
    """Put a sum, or the argument of a function that ends it, in parentheses: a slash or a factor follows."""
    parts = tuple(part for part in _nested(formula.parts) if not isinstance(part, Space))
    if any(isinstance(part, Sign) and part.name in BINARY for part in parts[1:]):
        return Row((Fenced("(", formula, ")"),))
    if (
        len(parts) > 1
        and is_function(parts[-2])
        and isinstance(base(parts[-1]), Letter | Number | Radical | Ratio)
    ):
        return Row((*parts[:-1], Fenced("(", Row(parts[-1:]), ")")))
    return formula


def _index(text: str) -> str:
    small = text.replace(" − ", "−").replace(" + ", "+").translate(_BELOW)
    return small if not set(small) & set(text) else _raised(text, "_", _BELOW)


def _exponent(text: str) -> str:
    return _raised(text, "^", _ABOVE)


def _raised(text: str, mark: str, small: dict[int, str]) -> str:
    """Write an index or exponent in small signs if all of it has them."""
    found = text.translate(small)
    if not any(one == other for one, other in zip(text, found, strict=True)):
        return found
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _between(before: str, text: str) -> str:
    """Part two numbers by a dot, and a word from what would run into it by a space."""
    if before[-1:].isdigit() and text[:1].isdigit():
        return "·"
    if before.rstrip(_INDICES) in FUNCTIONS.values():
        return "" if text[:1] in ("(", "{") else " "
    words = _letters(before[::-1]) > 1 or _letters(text) > 1
    return " " if words and before[-1:] != ")" and text[:1] not in "(√∛∜" else ""


def _letters(text: str) -> int:
    """Return how many letters a text starts with."""
    return len(list(takewhile(lambda c: c.isalpha() and c not in "ᵢⱼ", text)))


_WRITER = _OneLine()
