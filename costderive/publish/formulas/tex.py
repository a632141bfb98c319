"""Expressions in LaTeX, and the names of symbols."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.printing.latex import LatexPrinter

from costderive.publish.formulas.drawing import (
    COMPOUND,
    NAMES,
    OTHERWISE,
    SIGNS,
    Drawing,
    called,
    is_bare,
    one_bar,
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

_LOWER = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon"
_UPPER = "phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
GREEK = frozenset(f"{_LOWER} {_UPPER}".split())
TAKEN = frozenset(("A", "D", "F", "H", "L", "R", "Y", "omega", "Omega", "varphi", "ell"))  # by the theory
ESCAPES = {c: f"\\{c}" for c in "{}$&#%_"} | {
    "\\": r"\backslash ",
    "^": r"\wedge ",
    "~": r"\sim ",
    " ": r"\ ",
}


# ---- names


def symbol_tex(name: str) -> str:
    """Return LaTeX for a name: Greek letters, digits as subscripts, longer names as words, all escaped.

    A letter that has a meaning of its own in the theory (a loss L, the risk R) is set apart, e.g. sans serif.

    >>> symbol_tex("k2"), symbol_tex("theta_max"), symbol_tex("a$"), symbol_tex("R")
    ('k_2', '\\\\theta_{\\\\mathit{max}}', '\\\\mathit{a\\\\$}', '\\\\mathsf{R}')
    """
    parts = re.fullmatch(r"([A-Za-z]+)_?([0-9]*|[A-Za-z]+[0-9]*)", name)
    if parts is None:
        return rf"\mathit{{{_escaped(name)}}}"
    head, index = parts.groups()
    if not index:
        return _head(head, taken=True)
    return f"{_head(head, taken=index.isdigit())}_{braced(index if index.isdigit() else _head(index))}"


def _head(text: str, *, taken: bool = False) -> str:
    """Write a letter or a word; ``taken`` says that it stands where the theory has letters too."""
    if taken and text in TAKEN:
        return rf"\mathsf{{{text}}}" if len(text) == 1 else rf"\mathit{{{text}}}"
    if text in GREEK:
        return f"\\{text}"
    return text if len(text) == 1 else rf"\mathit{{{text}}}"


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(c, c if c.isascii() and c.isprintable() else "?") for c in text)


def braced(text: str) -> str:
    """Put an index or exponent in braces if it is more than one character."""
    return text if len(text) == 1 else f"{{{text}}}"


def in_parentheses(text: str) -> str:
    """Put LaTeX in parentheses that are as high as it needs."""
    tall = re.search(r"\\(frac|int|begin)", text)
    return rf"\left({text}\right)" if tall else f"({text})"


# ---- drawing


class _Leaves(LatexPrinter):
    """SymPy's printer for what the layout leaves to it; whatever is inside comes back to the layout."""

    def _print_Symbol(self, expr: Symbol, style: str = "plain") -> str:
        return symbol_tex(expr.name)

    def _print_Add(self, expr: Expr, *_: Any) -> str:
        return TEX.expression(expr)

    def _print_Mul(self, expr: Expr) -> str:
        return TEX.expression(expr)

    def _print_Pow(self, expr: Expr) -> str:
        return TEX.expression(expr)

    def _print_And(self, expr: sympy.And) -> str:
        return r" \text{ and } ".join(map(TEX.expression, sympy.utilities.iterables.ordered(expr.args)))

    def _print_BooleanTrue(self, expr: sympy.Basic) -> str:
        return r"\text{otherwise}"


class Tex(Drawing[str]):
    """Draws a layout as LaTeX, without delimiters."""

    def inside(self, node: Node, *enclosed: type) -> str:
        """Draw a node inside another, in parentheses if it is of one of those kinds."""
        text = self.draw(node)
        return in_parentheses(text) if isinstance(node, enclosed) else text

    def leaf(self, node: Leaf) -> str:
        return r"\mathrm{e}" if node.expr == sympy.E else str(_LEAVES.doprint(node.expr))

    def sum(self, node: Sum) -> str:
        return signed([(negative, self.inside(part, Sum)) for negative, part in node.terms], "-")

    def product(self, node: Product) -> str:
        return _side_by_side([self.inside(factor, Sum) for factor in node.factors])

    def fraction(self, node: Fraction) -> str:
        return rf"\frac{{{self.draw(node.top)}}}{{{self.draw(node.bottom)}}}"

    def power(self, node: Power) -> str:
        return f"{self.inside(node.base, *COMPOUND)}^{braced(FLAT.draw(node.exponent))}"

    def root(self, node: Root) -> str:
        degree = "" if node.degree == 2 else f"[{node.degree}]"
        return rf"\sqrt{degree}{{{self.draw(node.inside)}}}"

    def call(self, node: Call) -> str:
        function, below, args = called(node)
        name = NAMES[function][0] if function in NAMES else rf"\operatorname{{{_escaped(function.__name__)}}}"
        index = f"_{braced(', '.join(map(self.draw, below)))}" if below else ""
        inner = ", ".join(map(self.draw, args))
        if not is_bare(node):
            return name + index + in_parentheses(inner)
        return f"{name}{index}{inner}" if inner.startswith("\\") else f"{name}{index} {inner}"

    def definite(self, node: Definite) -> str:
        bounds = f"_{braced(self.draw(node.low))}^{braced(self.draw(node.high))}"
        return rf"\int{bounds} {self.inside(node.body, Sum)} \, d{self.draw(node.variable)}"

    def choice(self, node: Choice) -> str:
        rows = r" \\ ".join(f"{self.draw(value)} & {self._when(condition)}" for value, condition in node.rows)
        return rf"\begin{{cases}} {rows} \end{{cases}}"

    def _when(self, condition: Node) -> str:
        return self.draw(condition) if condition == OTHERWISE else rf"\text{{if }} {self.draw(condition)}"

    def relation(self, node: Relation) -> str:
        return f"{self.draw(node.left)} {SIGNS[node.sign][0]} {self.draw(node.right)}"


class _Flat(Tex):
    """Draws an exponent: fractions with a slash, parentheses of one height."""

    def inside(self, node: Node, *enclosed: type) -> str:
        text = self.draw(node)
        return f"({text})" if isinstance(node, enclosed) else text

    def product(self, node: Product) -> str:
        first, *rest = node.factors
        return (
            self.draw(one_bar(first, tuple(rest))) if isinstance(first, Fraction) else Tex.product(self, node)
        )

    def fraction(self, node: Fraction) -> str:
        return f"{self.inside(node.top, Sum)}/{self.inside(node.bottom, Sum, Product, Fraction)}"


def _side_by_side(texts: list[str]) -> str:
    product = texts[0]
    for before, text in pairwise(texts):
        product += _between(before, text) + text
    return product


def _between(before: str, text: str) -> str:
    """Part two factors by a dot if both are numbers, and a word or a root from a letter by a little space."""
    if before[-1].isdigit() and re.match(r"[0-9]|\\frac\{[0-9]+\}\{[0-9]+\}", text):
        return r" \cdot "
    word = text.startswith(r"\mathit") or re.search(r"\\mathit\{[^{}]*\}$", before)
    root = before.startswith(r"\sqrt") and text[0] not in "(\\"
    return r" \, " if word or root else " "


TEX, FLAT, _LEAVES = Tex(), _Flat(), _Leaves()
