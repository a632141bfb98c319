"""Expressions as one line of plain text, such as ``(5p − 2)/(6p)``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise, takewhile

import sympy
from sympy import Expr, Symbol
from sympy.printing.pretty.pretty_symbology import pretty_symbol, pretty_use_unicode
from sympy.printing.str import StrPrinter

from costderive.publish.formulas.drawing import (
    COMPOUND,
    OTHERWISE,
    SIGNS,
    Drawing,
    called,
    is_bare,
    one_bar,
    plain_name,
    shown,
    signed,
)
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

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
INDICES = "ᵢⱼ"
ROOT_SIGNS = {2: "√", 3: "∛", 4: "∜"}


@contextmanager
def in_unicode() -> Iterator[None]:
    """Have SymPy print in Unicode: by itself it asks the encoding of the output, once, when it is imported."""
    before = pretty_use_unicode(True)
    try:
        yield
    finally:
        pretty_use_unicode(before)


class _Leaves(StrPrinter):
    """SymPy's printer for what the layout leaves to it."""

    def _print_Symbol(self, expr: Symbol) -> str:
        with in_unicode():
            name = str(pretty_symbol(expr.name))
        return shown(name.replace("_j", "ⱼ"))  # an index that SymPy leaves as it is

    def _print_Infinity(self, expr: Expr) -> str:
        return "∞"

    def _print_NegativeInfinity(self, expr: Expr) -> str:
        return "−∞"

    def _print_Pi(self, expr: Expr) -> str:
        return "π"

    def _print_Exp1(self, expr: Expr) -> str:
        return "e"

    def _print_BooleanTrue(self, expr: sympy.Basic) -> str:
        return "otherwise"

    def _print_And(self, expr: sympy.And) -> str:
        return " and ".join(map(PLAIN.expression, sympy.utilities.iterables.ordered(expr.args)))


class Plain(Drawing[str]):
    """Draws a layout as one line."""

    def inside(self, node: Node, *enclosed: type) -> str:
        """Draw a node inside another, in parentheses if it is of one of those kinds."""
        return f"({self.draw(node)})" if isinstance(node, enclosed) else self.draw(node)

    def leaf(self, node: Leaf) -> str:
        return str(_LEAVES.doprint(node.expr))

    def sum(self, node: Sum) -> str:
        return signed([(negative, self.inside(part, Sum)) for negative, part in node.terms], "−")

    def product(self, node: Product) -> str:
        if isinstance(node.factors[0], Fraction):
            return self.draw(one_bar(node.factors[0], node.factors[1:]))
        return _side_by_side([self.inside(factor, Sum, Fraction, Definite) for factor in node.factors])

    def fraction(self, node: Fraction) -> str:
        top = self.inside(_shut(node.top), Sum, Definite)
        return f"{top}/{self.inside(node.bottom, Sum, Product, Fraction, Definite)}"

    def power(self, node: Power) -> str:
        return self.inside(node.base, *COMPOUND) + self._exponent(node.exponent)

    def _exponent(self, node: Node) -> str:
        text = self.draw(node)
        if text.isdigit():
            return text.translate(RAISED)
        return f"^{text}" if isinstance(node, Leaf) and len(text) == 1 else f"^({text})"

    def root(self, node: Root) -> str:
        closed = self.inside(node.inside, *COMPOUND, Definite)
        return (
            ROOT_SIGNS[node.degree] + closed if node.degree in ROOT_SIGNS else f"{closed}^(1/{node.degree})"
        )

    def call(self, node: Call) -> str:
        function, below, args = called(node)
        index = f"[{', '.join(map(self.draw, below))}]" if below else ""
        inner = ", ".join(map(self.draw, args))
        return plain_name(function) + index + (f" {inner}" if is_bare(node) else f"({inner})")

    def definite(self, node: Definite) -> str:
        bounds = f"[{self.draw(node.low)}, {self.draw(node.high)}]"
        return f"∫{bounds} {self.inside(node.body, Sum)} d{self.draw(node.variable)}"

    def choice(self, node: Choice) -> str:
        return "; ".join(
            f"{self.draw(value)} {'' if condition == OTHERWISE else 'if '}{self.draw(condition)}"
            for value, condition in node.rows
        )

    def relation(self, node: Relation) -> str:
        return f"{self.draw(node.left)} {SIGNS[node.sign][1]} {self.draw(node.right)}"


def _shut(node: Node) -> Node:
    """Close a function that a slash follows: ln(p)/p."""
    match node:
        case Call():
            return replace(node, closed=True)
        case Product(factors=factors):
            return Product((*factors[:-1], _shut(factors[-1])))
    return node


def _side_by_side(texts: list[str]) -> str:
    product = texts[0]
    for before, text in pairwise(texts):
        product += _between(before, text) + text
    return product


def _between(before: str, text: str) -> str:
    """Part two numbers by a dot, and a word from what would run into it by a space."""
    if before[-1].isdigit() and text[0].isdigit():
        return "·"
    words = _letters(before[::-1]) > 1 or _letters(text) > 1
    return " " if words and before[-1] != ")" and text[0] not in "(√∛∜" else ""


def _letters(text: str) -> int:
    """Return how many letters a text starts with."""
    return len(list(takewhile(lambda c: c.isalpha() and c not in INDICES, text)))


PLAIN, _LEAVES = Plain(), _Leaves()
