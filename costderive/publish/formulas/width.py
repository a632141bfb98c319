"""About how wide the LaTeX of an expression is in display style, in digits."""

from __future__ import annotations

import sympy
from sympy import Add, Expr

from costderive.publish.formulas import nodes
from costderive.publish.formulas.drawing import Drawing, called, plain_name
from costderive.publish.formulas.drawn import DRAWN
from costderive.publish.formulas.nodes import Node
from costderive.publish.formulas.one_line import text

LETTER, SIGN, PARENTHESES, GAP = 1.1, 2.3, 1.6, 0.2


def width(expr: Expr) -> float:
    """Return the width of an expression."""
    return WIDTH.expression(expr)


def shortened(expr: Expr, room: float) -> Expr:
    """Multiply out the terms that are wider than a line has room for, which then breaks between more of them."""
    terms = Add.make_args(expr)
    return Add(*[sympy.expand_mul(term) if width(term) > room else term for term in terms])


def width_of(node: Node) -> float:
    """Return the width of a layout."""
    return WIDTH.draw(node)


class Width(Drawing[float]):
    """Measures a layout as if it were drawn."""

    def leaf(self, node: nodes.Leaf) -> float:
        return LETTER * len(text(DRAWN.draw(node)))

    def sum(self, node: nodes.Sum) -> float:
        signs = len(node.terms) - (not node.terms[0][0])
        return sum(self.draw(part) for _, part in node.terms) + SIGN * signs

    def product(self, node: nodes.Product) -> float:
        return sum(self.draw(x) + (PARENTHESES if isinstance(x, nodes.Sum) else GAP) for x in node.factors)

    def fraction(self, node: nodes.Fraction) -> float:
        return max(self.draw(node.top), self.draw(node.bottom)) + 0.5

    def power(self, node: nodes.Power) -> float:
        around = 0 if isinstance(node.base, nodes.Leaf) else PARENTHESES
        return self.draw(node.base) + 0.75 * self.draw(node.exponent) + around

    def root(self, node: nodes.Root) -> float:
        return self.draw(node.inside) + 1.7

    def call(self, node: nodes.Call) -> float:
        function, below, args = called(node)
        return len(plain_name(function)) + sum(self.draw(x) + 1 for x in (*below, *args)) + 1

    def definite(self, node: nodes.Definite) -> float:
        return self.draw(node.body) + 5

    def choice(self, node: nodes.Choice) -> float:
        return max(self.draw(value) + self.draw(condition) for value, condition in node.rows) + 5

    def relation(self, node: nodes.Relation) -> float:
        return self.draw(node.left) + self.draw(node.right) + SIGN


WIDTH = Width()
