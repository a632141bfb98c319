"""Expressions as formulas: what a layout looks like in letters, signs, fractions and scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import sympy
from sympy import Symbol
from sympy.core.function import UndefinedFunction

from costderive.publish.formulas import nodes
from costderive.publish.formulas.drawing import (
    COMPOUND,
    NAMES,
    OTHERWISE,
    SIGNS,
    Drawing,
    called,
    grouped,
    is_bare,
    one_bar,
)
from costderive.publish.formulas.formula import (
    Fenced,
    Formula,
    Grid,
    Letter,
    Number,
    Radical,
    Ratio,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
    base,
    row,
    walk,
)
from costderive.publish.formulas.nodes import Node
from costderive.publish.formulas.notation import chain, read, script, tex

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
BLANK = Space(" ")


# ---- names


def symbol(name: str) -> Formula:
    """Return a name as it is written: Greek letters, digits as subscripts, longer names as words, all escaped.

    A letter that has a meaning of its own in the theory (a loss L, the risk R) is set apart, e.g. sans serif.

    >>> [tex(symbol(name)) for name in ("k2", "theta_max", "a$", "R")]
    ['k_2', '\\\\theta_{\\\\mathit{max}}', '\\\\mathit{a\\\\$}', '\\\\mathsf{R}']
    """
    parts = re.fullmatch(r"([A-Za-z]+)_?([0-9]*|[A-Za-z]+[0-9]*)", name)
    if parts is None:
        return Word(_escaped(name), r"\mathit")
    head, index = parts.groups()
    if not index:
        return _head(head, taken=True)
    below = Number(index) if index.isdigit() else _head(index)
    return Scripts(_head(head, taken=index.isdigit()), script(Row((below,))))


def _head(text: str, *, taken: bool = False) -> Formula:
    """Write a letter or a word; ``taken`` says that it stands where the theory has letters too."""
    if taken and text in TAKEN:
        return Word(text, r"\mathsf" if len(text) == 1 else r"\mathit")
    if text in GREEK:
        return Letter(f"\\{text}")
    return Letter(text) if len(text) == 1 else Word(text, r"\mathit")


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(c, c if c.isascii() and c.isprintable() else "?") for c in text)


def _attached(formula: Row, below: Formula | None = None, above: Formula | None = None) -> Row:
    """Put an index or exponent to the last part of a formula."""
    *others, last = formula.parts
    bare = last if isinstance(last, Scripts) else Scripts(last)
    return Row((*others, replace(bare, below=below or bare.below, above=above or bare.above)))


def _is_of_letter(node: Node) -> bool:
    """Is something written like a value of a function that a letter names, ``x(p)``?"""
    return isinstance(node, nodes.Call) and isinstance(node.function, UndefinedFunction)


def in_parentheses(formula: Row) -> Row:
    """Put a formula in parentheses that are as high as it needs."""
    tall = any(isinstance(part, Ratio | Grid) or part == Sign(r"\int") for part in walk(formula))
    return Row((Fenced("(", formula, ")"),)) if tall else _flat_parentheses(formula)


def _flat_parentheses(formula: Row) -> Row:
    return read("({})", formula)


# ---- drawing


CONSTANTS = {
    sympy.pi: r"\pi",
    sympy.oo: r"\infty",
    -sympy.oo: r"-\infty",
    sympy.E: r"\mathrm{e}",
    sympy.EulerGamma: r"\gamma",
    sympy.true: r"\text{otherwise}",
}


class Drawn(Drawing[Row]):
    """Draws a layout as a formula."""

    def inside(self, node: Node, *enclosed: type) -> Row:
        """Draw a node inside another, in parentheses if it is of one of those kinds."""
        drawn = self.draw(node)
        return in_parentheses(drawn) if isinstance(node, enclosed) else drawn

    def leaf(self, node: nodes.Leaf) -> Row:
        match node.expr:
            case Symbol(name=name):
                return Row((symbol(name),))
            case sympy.Integer(p=number) if number >= 0:
                return Row((Number(str(number)),))
            case sympy.And(args=args):
                return chain(r" \text{ and } ", map(self.expression, sympy.ordered(args)))
            case constant if constant in CONSTANTS:
                return read(CONSTANTS[constant])
        return Row((Word(_escaped(sympy.sstr(node.expr, full_prec=False)), r"\mathrm"),))

    def sum(self, node: nodes.Sum) -> Row:
        return Row(tuple(part for n, term in enumerate(node.terms) for part in self.term(*term, first=not n)))

    def term(self, negative: bool, node: Node, *, first: bool) -> tuple[Formula, ...]:
        """Draw a term with its sign."""
        return (*self.before(negative, first=first), *self.inside(node, nodes.Sum).parts)

    def before(self, negative: bool, *, first: bool) -> tuple[Formula, ...]:
        """Draw the sign of a term, between blanks if something stands before it."""
        sign = Sign("-" if negative else "+")
        return ((sign,) if negative else ()) if first else (BLANK, sign, BLANK)

    def product(self, node: nodes.Product) -> Row:
        factors = [self.inside(factor, nodes.Sum) for factor in node.factors]
        rest = [part for pair in pairwise(factors) for part in (*_between(*pair), *pair[1].parts)]
        return row(factors[0], *rest)

    def fraction(self, node: nodes.Fraction) -> Row:
        return Row((Ratio(self._at_bar(node.top), self._at_bar(node.bottom)),))

    def _at_bar(self, node: Node) -> Row:
        """Draw what is above or below a bar: a root of a fraction has a slash there."""
        if isinstance(node, nodes.Root) and isinstance(node.inside, nodes.Fraction):
            return self.root(node, FLAT)
        return self.draw(node)

    def power(self, node: nodes.Power) -> Row:
        base = self.draw(node.base) if _is_of_letter(node.base) else self.inside(node.base, *COMPOUND)
        return _attached(base, above=script(FLAT.draw(node.exponent)))

    def root(self, node: nodes.Root, drawing: Drawn | None = None) -> Row:
        inside = (drawing or self).draw(node.inside)
        return Row((Radical(inside, "" if node.degree == 2 else str(node.degree)),))

    def call(self, node: nodes.Call) -> Row:
        inner = chain("; ", (chain(", ", map(self.draw, group)) for group in grouped(node)))
        name = self.name(node)
        if node.function is sympy.Abs:
            return Row((Fenced("|", inner, "|"),))
        if not is_bare(node):
            return row(name, in_parentheses(inner))
        return read("{}{}" if tex(inner).startswith("\\") else "{} {}", name, inner)

    def name(self, node: nodes.Call) -> Row:
        """Draw the name of a function, with what is written below it."""
        function, below, _ = called(node)
        word = Word(_escaped(function.__name__), r"\operatorname")
        name = read(NAMES[function][0]) if function in NAMES else Row((word,))
        if isinstance(function, UndefinedFunction):  # one that is named after a letter
            name = self.draw(nodes.Leaf(Symbol(function.__name__)))
        return _attached(name, below=script(chain(", ", map(FLAT.draw, below)))) if below else name

    def definite(self, node: nodes.Definite) -> Row:
        body, variable = self.inside(node.body, nodes.Sum), self.draw(node.variable)
        return read(r"{} {} \, d{}", self.bounds(node), body, variable)

    def bounds(self, node: nodes.Definite) -> Row:
        """Draw the sign of an integral with its bounds."""
        return read(r"\int_{}^{}", self.draw(node.low), self.draw(node.high))

    def choice(self, node: nodes.Choice) -> Row:
        rows = tuple((self.draw(value), self._when(condition)) for value, condition in node.rows)
        return Row((Grid("cases", rows),))

    def _when(self, condition: Node) -> Row:
        drawn = self.draw(condition)
        return drawn if condition == OTHERWISE else read(r"\text{if } {}", drawn)

    def relation(self, node: nodes.Relation) -> Row:
        return chain(f" {SIGNS[node.sign][0]} ", (self.draw(node.left), self.draw(node.right)))


class _Flat(Drawn):
    """Draws an exponent: fractions with a slash, parentheses of one height."""

    def inside(self, node: Node, *enclosed: type) -> Row:
        drawn = self.draw(node)
        return _flat_parentheses(drawn) if isinstance(node, enclosed) else drawn

    def product(self, node: nodes.Product) -> Row:
        first, *rest = node.factors
        if isinstance(first, nodes.Fraction):
            return self.draw(one_bar(first, tuple(rest)))
        return Drawn.product(self, node)

    def call(self, node: nodes.Call) -> Row:
        return Drawn.call(self, replace(node, closed=node.closed or isinstance(node.args[0], nodes.Fraction)))

    def fraction(self, node: nodes.Fraction) -> Row:
        bottom = self.inside(node.bottom, nodes.Sum, nodes.Product, nodes.Fraction)
        return read("{}/{}", self.inside(_closed(node.top), nodes.Sum), bottom)


def _closed(top: Node) -> Node:
    """Close the function that a slash follows, which would else seem to divide its argument."""
    match top:
        case nodes.Call():
            return replace(top, closed=True)
        case nodes.Product(factors=(*others, nodes.Call() as last)):
            return nodes.Product((*others, replace(last, closed=True)))
    return top


def _between(before: Row, after: Row) -> tuple[Formula, ...]:
    """Part two factors by a dot if both are numbers, and a word or a root from a letter by a little space."""
    last, first = before.parts[-1], base(after.parts[0])
    if tex(last)[-1].isdigit() and _is_numeric(first):
        return BLANK, Sign(r"\cdot"), BLANK
    word = any(isinstance(part, Word) and part.style == r"\mathit" for part in (last, first))
    root = isinstance(base(before.parts[0]), Radical) and tex(after)[0] not in "(\\"
    return (BLANK, Space(r"\,"), BLANK) if word or root else (BLANK,)


def _is_numeric(part: Formula | None) -> bool:
    """Is something a number, or a fraction of two numbers?"""
    sides = (*part.top.parts, *part.bottom.parts) if isinstance(part, Ratio) else (part,)
    return all(isinstance(side, Number) for side in sides)


DRAWN, FLAT = Drawn(), _Flat()
