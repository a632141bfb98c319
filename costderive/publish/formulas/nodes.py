"""The small tree that an expression is laid out as: what stands beside, above and below what."""

from __future__ import annotations

from dataclasses import dataclass

import sympy


@dataclass(frozen=True, slots=True)
class Leaf:
    """A symbol, a number that is not negative, a constant, or what is written as SymPy's text for want of a formula."""

    expr: sympy.Basic


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms in order, each with ``True`` if it is subtracted; a negative expression is one such term."""

    terms: tuple[tuple[bool, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors side by side."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """A bar with something above and something below."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power:
    """A base with an exponent that is not negative."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Root:
    """The root of that degree."""

    degree: int
    inside: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of its arguments; ``closed`` asks for parentheses even round a single letter."""

    function: type
    args: tuple[Node, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Definite:
    """An integral over one variable between two bounds."""

    body: Node
    variable: Node
    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class Choice:
    """Values with the conditions under which they hold."""

    rows: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two sides with a sign between them."""

    left: Node
    sign: str
    right: Node


Node = Leaf | Sum | Product | Fraction | Power | Root | Call | Definite | Choice | Relation


def has_call(node: Node) -> bool:
    """Is a node a sum of functions?"""
    return isinstance(node, Sum) and any(
        isinstance(factor, Call)
        for _, term in node.terms
        for factor in (term.factors if isinstance(term, Product) else (term,))
    )


def has_fraction(node: Node) -> bool:
    """Does a sum hold a fraction that is more than a number, or an integral?"""
    match node:
        case Sum(terms=parts):
            return any(has_fraction(part) for _, part in parts)
        case Product(factors=parts):
            return any(has_fraction(part) for part in parts)
        case Fraction() | Definite() | Power(base=Fraction()):
            return True
    return False
