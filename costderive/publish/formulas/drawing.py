"""What the printers share: one method for each kind of node, and the names of functions and signs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import sympy
from sympy.functions.elementary.hyperbolic import HyperbolicFunction, InverseHyperbolicFunction
from sympy.functions.elementary.trigonometric import InverseTrigonometricFunction, TrigonometricFunction

from costderive.publish.formulas import nodes
from costderive.publish.formulas.layout import layout
from costderive.publish.formulas.nodes import Node
from costderive.publish.formulas.shorter import NormalCdf, NormalQuantile
from costderive.rules.hypergeometric import hyp2f1

T = TypeVar("T")

OTHERWISE = nodes.Leaf(sympy.true)
WRITTEN_BARE = (
    sympy.log,
    TrigonometricFunction,
    InverseTrigonometricFunction,
    HyperbolicFunction,
    InverseHyperbolicFunction,
)
COMPOUND = (nodes.Sum, nodes.Product, nodes.Fraction, nodes.Power, nodes.Root, nodes.Call)
"""What needs parentheses below an exponent."""

# The name of a function in LaTeX and in plain text.
NAMES: dict[type, tuple[str, str]] = {
    sympy.log: (r"\ln", "ln"),
    sympy.exp: (r"\exp", "exp"),
    sympy.asin: (r"\arcsin", "arcsin"),
    sympy.acos: (r"\arccos", "arccos"),
    sympy.atan: (r"\arctan", "arctan"),
    sympy.asinh: (r"\operatorname{arsinh}", "arsinh"),
    sympy.acosh: (r"\operatorname{arcosh}", "arcosh"),
    sympy.atanh: (r"\operatorname{artanh}", "artanh"),
    sympy.sin: (r"\sin", "sin"),
    sympy.cos: (r"\cos", "cos"),
    sympy.tan: (r"\tan", "tan"),
    sympy.sinh: (r"\sinh", "sinh"),
    sympy.cosh: (r"\cosh", "cosh"),
    sympy.tanh: (r"\tanh", "tanh"),
    NormalCdf: (r"\Phi", "Φ"),
    NormalQuantile: (r"\Phi^{-1}", "Φ⁻¹"),
    sympy.erf: (r"\operatorname{erf}", "erf"),
    sympy.erfc: (r"\operatorname{erfc}", "erfc"),
    sympy.gamma: (r"\Gamma", "Γ"),
    sympy.loggamma: (r"\ln\Gamma", "lnΓ"),
    sympy.digamma: (r"\psi", "ψ"),
    sympy.beta: (r"\mathrm{B}", "B"),
    sympy.lowergamma: (r"\gamma", "γ"),
    sympy.uppergamma: (r"\Gamma", "Γ"),
    sympy.expint: (r"\mathrm{E}", "E"),
    sympy.Ei: (r"\operatorname{Ei}", "Ei"),
    sympy.betainc: (r"\mathrm{B}", "B"),
    sympy.betainc_regularized: (r"\mathrm{I}", "I"),
    hyp2f1: ("F", "F"),
    sympy.Min: (r"\min", "min"),
    sympy.Max: (r"\max", "max"),
}

# A relation in LaTeX and in plain text.
SIGNS = {
    "<=": (r"\le", "≤"),
    ">=": (r"\ge", "≥"),
    "<": ("<", "<"),
    ">": (">", ">"),
    "==": ("=", "="),
    "!=": (r"\ne", "≠"),
}


class Drawing(ABC, Generic[T]):
    """A way to draw a layout; each method draws one kind of node."""

    def expression(self, expr: sympy.Basic) -> T:
        """Lay out and draw an expression."""
        return self.draw(layout(expr))

    def draw(self, node: Node) -> T:
        """Draw a node and what is in it."""
        method: Any = getattr(self, type(node).__name__.lower())
        drawn: T = method(node)
        return drawn

    @abstractmethod
    def leaf(self, node: nodes.Leaf) -> T:
        """Draw a symbol, a number, a constant, or anything that has no formula here."""

    @abstractmethod
    def sum(self, node: nodes.Sum) -> T:
        """Draw terms with their signs between them."""

    @abstractmethod
    def product(self, node: nodes.Product) -> T:
        """Draw factors side by side."""

    @abstractmethod
    def fraction(self, node: nodes.Fraction) -> T:
        """Draw what is above and below a bar."""

    @abstractmethod
    def power(self, node: nodes.Power) -> T:
        """Draw a base and its exponent."""

    @abstractmethod
    def root(self, node: nodes.Root) -> T:
        """Draw a root."""

    @abstractmethod
    def call(self, node: nodes.Call) -> T:
        """Draw a function and its arguments."""

    @abstractmethod
    def definite(self, node: nodes.Definite) -> T:
        """Draw an integral."""

    @abstractmethod
    def choice(self, node: nodes.Choice) -> T:
        """Draw values with their conditions."""

    @abstractmethod
    def relation(self, node: nodes.Relation) -> T:
        """Draw two sides with a sign between them."""


def called(node: nodes.Call) -> tuple[type, tuple[Node, ...], tuple[Node, ...]]:
    """Return the function, the subscripts and the arguments with which a call is written."""
    args = node.args
    if node.function is sympy.polygamma and args[0] == nodes.Leaf(sympy.S.Zero):
        return sympy.digamma, (), args[1:]
    if node.function in (sympy.betainc, sympy.betainc_regularized):
        below = args[3:] if args[2] == nodes.Leaf(sympy.S.Zero) else args[2:]
        return node.function, below, args[:2]
    if node.function is sympy.expint:
        return node.function, args[:1], args[1:]
    return node.function, (), args


def grouped(node: nodes.Call) -> tuple[tuple[Node, ...], ...]:
    """Return the arguments with which a call is written, in groups with semicolons between them."""
    args = called(node)[2]
    return (args[:2], args[2:3], args[3:]) if node.function is hyp2f1 else (args,)


def plain_name(function: type) -> str:
    """Return the name of a function in plain text."""
    return NAMES[function][1] if function in NAMES else shown(function.__name__)


def is_bare(node: nodes.Call) -> bool:
    """Return whether a call needs no parentheses: the logarithm of one letter or fraction, the arcsine of a root."""
    kinds = (nodes.Leaf, nodes.Root, *((nodes.Fraction,) if node.function is sympy.log else ()))
    short = not node.closed and isinstance(node.args[0], kinds)
    return short and issubclass(node.function, WRITTEN_BARE)


def shown(text: str) -> str:
    """Return a name without characters that do not print."""
    return "".join(c if c.isprintable() else "?" for c in text)


def one_bar(first: nodes.Fraction, rest: tuple[Node, ...]) -> Node:
    """Put the factors beside a fraction above its bar: a slash needs no room."""
    above = rest if first.top == nodes.Leaf(sympy.S.One) else (first.top, *rest)
    return nodes.Fraction(above[0] if len(above) == 1 else nodes.Product(above), first.bottom)
