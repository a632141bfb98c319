"""Laws of sums, products, ratios, extremes and other functions of independent quantities, in closed form.

An expression in which each quantity stands once, such as ``lost*margin + penalty`` or ``min(lost, limit)``, is read
from its leaves upwards. A function of one quantity carries its law along between the places where it turns; the density
of a sum or a product of two is an integral, which is kept only if its derivative is proved to be the integrand. What
comes out is a law like any other: that its density is nowhere negative and that its total is 1 is looked at here, and
claimed again by the derivation.

Source: Casella and Berger (2002), Statistical Inference, sections 2.1, 4.3 and 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import count

import sympy
from sympy import Add, Dummy, Expr, Max, Min, Mul, S, Symbol

from costderive.core.errors import NegativeCostError, SpecError
from costderive.costs.laws import Law, Mass, require_law, x
from costderive.deciders.regularity import regular
from costderive.derivation.integration.search import Deadline
from costderive.derivation.parts.functions_of_one import image
from costderive.derivation.parts.integrals import CLOSED
from costderive.derivation.parts.two_quantities import (
    convolved,
    extreme,
    multiplied,
    negative_low,
    of_difference,
)

Laws = Mapping[Symbol, Law]
SECONDS = 30.0
BOUNDED = (
    "Costs are at least 0: write abs(a - b) or max(a - b, 0) for a difference, or the law of what is meant."
)
_other = Dummy("x", positive=True)  # a quantity may have the name x
COMBINED: Mapping[type[Expr], Callable[[Law, Law, str], Law]] = {
    Add: convolved,
    Mul: multiplied,
}


def law_of_expression(expr: Expr, laws: Laws, place: str) -> Law:
    """Return the law of an expression in independent quantities, each of which stands in it once.

    Raises:
        SpecError: if a quantity stands in two terms, a function is not seen to rise or to fall between the places where
            it turns, no closed form is found, or finding one takes too long.
    """
    reading = _Reading(laws, place, Deadline.after(SECONDS))
    found = reading.bounded_law(sympy.factor_terms(expr), expr)
    if below := [low for low, _ in found.ends if low.is_negative]:
        raise NegativeCostError(f"{place}: {as_named(expr)} may be negative, down to {below[0]}", BOUNDED)
    for part in found.spreads:
        if not regular(part.density, part.interval, found.given()):
            raise SpecError(f"{place}: its density {part.density} is not seen to be smooth", CLOSED)
    return require_law(found, place)


def _over(total: Expr, part: Symbol) -> Expr:
    """Divide a sum by a quantity; what keeps the quantity is one term."""
    without, rest = sympy.expand(total / part).as_independent(part, as_Add=True)
    return without + sympy.together(rest)


def as_named(expr: Expr) -> Expr:
    """Return an expression with the names that parts were given, whatever letters stand for them."""
    found: Expr = expr.xreplace(
        {letter: Symbol(letter.name.removeprefix("_")) for letter in expr.free_symbols}
    )
    return found


def repeated(exprs: tuple[Expr, ...], laws: Laws) -> Iterator[tuple[Symbol, Expr, tuple[Expr, ...]]]:
    """Yield what stands several times and holds several quantities that stand nowhere else.

    It comes with a letter for it, and with the expressions in which the letter stands for it.
    """
    letters = (Symbol(f"_whole{n}", positive=True) for n in count())
    found, reduced = sympy.cse(exprs, symbols=(letter for letter in letters if letter not in laws))
    wholes: dict[Symbol, Expr] = {}
    for letter, whole in found:
        wholes[letter] = whole.xreplace(wholes)
    for letter, whole in reversed(wholes.items()):
        others = {other: expr for other, expr in wholes.items() if other != letter}
        rest = tuple(expr.xreplace(others) for expr in reduced)
        inside = whole.free_symbols & set(laws)
        if len(inside) > 1 and not inside & set[Symbol]().union(*(expr.free_symbols for expr in rest)):
            yield letter, whole, rest


@dataclass(frozen=True, slots=True)
class _Reading:
    """Where an expression stands, what its quantities are, and how long it may take to find the law of the whole."""

    laws: Laws
    place: str
    deadline: Deadline

    def quantities(self, expr: Expr) -> set[Symbol]:
        return {letter for letter in expr.free_symbols if letter in self.laws}

    def bounded_law(self, part: Expr, whole: Expr) -> Law:
        """Return the law of a part of an expression; it is one whose least value is a number."""
        found = self.law(part)
        if S.NegativeInfinity in (low for low, _ in found.ends):
            problem = f"{self.place}: {as_named(whole)} may be negative without bound"
            raise NegativeCostError(problem, BOUNDED)
        return found

    def law(self, expr: Expr) -> Law:
        """Return the law of an expression, with what is assumed of letters."""
        facts = dict.fromkeys(fact for law in self.laws.values() for fact in law.assumed)
        return self.found(expr).knowing(tuple(facts))

    def found(self, expr: Expr) -> Law:
        inside = self.quantities(expr)
        if not inside:
            return Law(masses=(Mass(expr, S.One),))
        if len(inside) == 1:
            part = inside.pop()
            return image(self.laws[part], expr.subs(part, x), self.place)
        if (whole := self.only_quantity(expr)) is not None:
            return self.applied(whole, lambda inner: expr.subs(whole, inner))
        if (found := self.grouped(expr)) is not None:
            return found
        if (once := self.divided(expr)) is not None:
            return self.law(once)
        if expr.func in (*COMBINED, Max, Min):
            return self.combined(expr)
        raise SpecError(
            f"{self.place}: {as_named(expr)} has several uncertain quantities",
            "Write sums, products, ratios, min and max.",
        )

    def only_quantity(self, expr: Expr) -> Expr | None:
        """Return what is in an expression, in one or several places, and holds all its uncertain quantities."""
        parts = (part for part in sympy.preorder_traversal(expr) if part != expr)
        return next((part for part in parts if not self.quantities(expr.subs(part, _other))), None)

    def grouped(self, expr: Expr) -> Law | None:
        """Read what stands several times as one quantity, which is never negative, with a law of its own."""
        for letter, whole, (reduced,) in repeated((expr,), self.laws):
            law = self.bounded_law(whole, expr)
            if negative_low(law) == 0:
                return replace(self, laws={**self.laws, letter: law}).law(reduced)
        return None

    def divided(self, expr: Expr) -> Expr | None:
        """Divide a quotient by a quantity, if each then stands once: ``a/(a + b)`` is ``1/(1 + b/a)``."""
        top, bottom = sympy.fraction(expr)
        for part in sorted(self.quantities(top) & self.quantities(bottom), key=str):
            once = _over(top, part) / _over(bottom, part)
            letters = [node for node in sympy.preorder_traversal(once) if node in self.laws]
            if len(letters) == len(set(letters)):
                return once
        return None

    def combined(self, expr: Expr) -> Law:
        """Combine the terms of a sum, the factors of a product or the arguments of an extreme one by one."""
        uncertain, known = sympy.sift(expr.args, lambda arg: bool(self.quantities(arg)), binary=True)
        if known:
            return self.applied(expr.func(*uncertain), lambda inner: expr.func(inner, *known))
        self.require_once(expr, uncertain)
        laws = [self.bounded_law(arg, expr) for arg in uncertain]
        if isinstance(expr, Max | Min):
            return extreme(expr.func, laws, self.place)
        return reduce(partial(self.joined, expr), laws)

    def joined(self, expr: Expr, whole: Law, law: Law) -> Law:
        """Return the law of a whole with one more term, factor or argument."""
        if not self.deadline.left:
            raise SpecError(
                f"{self.place}: the law of {as_named(expr)} is not found within {SECONDS:g} s", CLOSED
            )
        return COMBINED[expr.func](whole, law, self.place)

    def require_once(self, expr: Expr, args: Sequence[Expr]) -> None:
        seen: set[Symbol] = set()
        for arg in args:
            if twice := seen & self.quantities(arg):
                raise SpecError(
                    f"{self.place}: {min(map(str, map(as_named, twice)))} stands more than once in {as_named(expr)}",
                    "Write it so that it stands once.",
                )
            seen |= self.quantities(arg)

    def applied(self, inner: Expr, function: Callable[[Expr], Expr]) -> Law:
        """Return the law of a function of what may be negative: x is positive, so that is x and its least value."""
        if (sides := self.opposed(inner)) is not None:
            return of_difference(function, *sides, self.place)
        law = self.bounded_law(inner, inner)
        low = negative_low(law)
        return image(law.moved(1, -low) if low else law, function(x + low), self.place)

    def opposed(self, expr: Expr) -> tuple[Law, Law] | None:
        """Return the laws of two quantities of which an expression is the difference, if the second has no bound."""
        terms = sympy.sift(Add.make_args(expr), lambda term: term.could_extract_minus_sign())
        above, below = Add(*terms[False]), -Add(*terms[True])
        if not self.quantities(below):
            return None
        self.require_once(expr, [above, below])
        first, second = (self.bounded_law(side, expr) for side in (above, below))
        if not any(high is S.Infinity for _, high in second.ends):
            return None
        low = min(map(negative_low, (first, second)))
        return first.moved(1, -low), second.moved(1, -low)
