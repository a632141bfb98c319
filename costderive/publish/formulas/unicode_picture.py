"""Expressions as Unicode mathematics over several lines, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.pretty_symbology import pretty_use_unicode
from sympy.printing.pretty.stringpict import prettyForm, stringPict

from costderive.publish.formulas.drawing import COMPOUND, OTHERWISE, SIGNS, Drawing, called, plain_name
from costderive.publish.formulas.nodes import (
    Call,
    Choice,
    Definite,
    Fraction,
    Leaf,
    Node,
    Power,
    Product,
    Relation,
    Root,
    Sum,
)
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.tex import TEX

ROOT_SIGNS = {2: "√", 3: "∛", 4: "∜"}


def _plain(node: Node) -> str:
    return text(read(TEX.draw(node)))


@contextmanager
def in_unicode() -> Iterator[None]:
    """Have SymPy print in Unicode: by itself it asks the encoding of the output, once, when it is imported."""
    before = pretty_use_unicode(True)
    try:
        yield
    finally:
        pretty_use_unicode(before)


class _Leaves(PrettyPrinter):
    """SymPy's printer for what the layout leaves to it; whatever is inside comes back to the layout."""

    def __init__(self) -> None:
        super().__init__({"use_unicode": True, "wrap_line": False})

    def _print_Symbol(self, expr: Symbol, bold_name: bool = False) -> prettyForm:
        return prettyForm(_plain(Leaf(expr)))

    def _print_Add(self, expr: Expr, *_: Any) -> prettyForm:
        return PICTURE.expression(expr)

    def _print_Mul(self, expr: Expr) -> prettyForm:
        return PICTURE.expression(expr)

    def _print_Pow(self, expr: Expr) -> prettyForm:
        return PICTURE.expression(expr)


class Picture(Drawing[prettyForm]):
    """Draws a layout as a picture of characters."""

    def inside(self, node: Node, *enclosed: type) -> prettyForm:
        """Draw a node inside another, in parentheses if it is of one of those kinds."""
        picture = self.draw(node)
        return prettyForm(*picture.parens()) if isinstance(node, enclosed) else picture

    def leaf(self, node: Leaf) -> prettyForm:
        return _LEAVES._print(node.expr)

    def sum(self, node: Sum) -> prettyForm:
        row = []
        for index, (negative, part) in enumerate(node.terms):
            sign = "-" if negative else "+"
            row.append(prettyForm(f" {sign} " if index else sign if negative else ""))
            row.append(self.inside(part, Sum))
        return _beside(*row)

    def product(self, node: Product) -> prettyForm:
        pictures = [self.inside(factor, Sum) for factor in node.factors]
        return _beside(pictures[0], *[x for picture in pictures[1:] for x in (prettyForm("⋅"), picture)])

    def fraction(self, node: Fraction) -> prettyForm:
        return self.draw(node.top) / self.draw(node.bottom)

    def power(self, node: Power) -> prettyForm:
        base, exponent = self.inside(node.base, *COMPOUND), self.draw(node.exponent)
        above = prettyForm(*exponent.left(" " * base.width()))
        return prettyForm(*prettyForm(*base.right(" " * exponent.width())).above(above))

    def root(self, node: Root) -> prettyForm:
        inside = self.draw(node.inside)
        if inside.height() > 1 or node.degree not in ROOT_SIGNS:
            return _tall_root(node.degree, inside)
        closed = inside if inside.width() == 1 else prettyForm(*inside.parens())
        return prettyForm(*closed.left(ROOT_SIGNS[node.degree]))

    def call(self, node: Call) -> prettyForm:
        function, below, args = called(node)
        index = f"[{', '.join(map(_plain, below))}]" if below else ""
        row = [self.draw(args[0])] + [x for arg in args[1:] for x in (prettyForm(", "), self.draw(arg))]
        return _beside(prettyForm(plain_name(function) + index), prettyForm(*_beside(*row).parens()))

    def definite(self, node: Definite) -> prettyForm:
        body = self.inside(node.body, Sum)
        height = max(body.height(), 2)
        sign = prettyForm(
            "⌠\n" + "⎮\n" * (height - 2) + "⌡", baseline=body.baseline if body.height() > 1 else 0
        )
        sign = prettyForm(*prettyForm(*sign.above(self.draw(node.high))).below(self.draw(node.low)))
        return _beside(sign, prettyForm(" "), body, prettyForm(" d"), self.draw(node.variable))

    def choice(self, node: Choice) -> prettyForm:
        rows = [_beside(self.draw(x), prettyForm("  "), self._when(condition)) for x, condition in node.rows]
        return prettyForm(*prettyForm(*stringPict.stack(*rows)).parens("{", ""))

    def _when(self, condition: Node) -> prettyForm:
        if condition == OTHERWISE:
            return prettyForm("otherwise")
        return _beside(prettyForm("if "), self.draw(condition))

    def relation(self, node: Relation) -> prettyForm:
        return _beside(self.draw(node.left), prettyForm(f" {SIGNS[node.sign][1]} "), self.draw(node.right))


def _beside(*pictures: prettyForm) -> prettyForm:
    return prettyForm(*stringPict.next(*pictures))


def _tall_root(degree: int, inside: prettyForm) -> prettyForm:
    """Draw a bar above and a slope before."""
    height = inside.height()
    slope = [" " * (height - 1 - row) + "╱" + " " * row for row in range(height - 1)]
    sign = prettyForm("\n".join([*slope, "╲╱" + " " * (height - 2)]), baseline=inside.baseline)
    barred = prettyForm(*inside.above(prettyForm("_" * inside.width())))
    root = prettyForm(*barred.left(sign))
    return root if degree == 2 else prettyForm(*root.left(prettyForm(str(degree))))


def render(expr: sympy.Basic) -> str:
    """Return the picture of an expression, line by line."""
    with in_unicode():
        return str(PICTURE.expression(expr).render(wrap_line=False))


PICTURE, _LEAVES = Picture(), _Leaves()
