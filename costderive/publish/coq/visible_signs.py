"""Signs that can be seen: an expression rewritten so that each of its parts has its sign on its face.

Coq need not search for a sign then: it proves that two expressions are equal, and reads the sign of the second one
off, which is a product of powers of sums of products of what is known to be positive. The rewriting factors over
the rationals and expands each factor, one variable after the other, around an end of the range of the variable or in
the Bernstein basis of it, until only coefficients that are not negative are left.

>>> from costderive.symbols import p
>>> unit = Interval(p, ZERO, ONE)
>>> visible(2 * p**2 - 2 * p + 1, unit, Given()).text
'p ^ 2 + (1 - p) ^ 2'
>>> visible(p**2 - p, unit, Given()) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product

import sympy
from sympy import Expr, Poly, Pow, Rational, Symbol

from costderive.core.errors import ExportError
from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given, Interval
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.publish.coq.terms import ATOM, CALL, MINUS, POWER, PRODUCT, SUM, levelled

MAX_DEPTH, MAX_LOOKS = 3, 300
MAX_COUNT = 100  # of the logarithm of a number
MAX_MAGNITUDE = 1000  # of the values of roots at sample points, as powers of two
RAISED = (0, 1, 2, 4, 8, 16, 24)  # above the degree of a polynomial of one variable
SIGNED = (
    Pow,
    sympy.NumberSymbol,
    sympy.exp,
    sympy.log,
    sympy.erf,
    sympy.gamma,
    sympy.beta,
)  # whose signs Coq sees, if they are positive
ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class Visible:
    """A term of Coq that is positive, or at least not negative, as can be seen from its structure."""

    text: str
    level: int
    strict: bool = True

    def at(self, level: int) -> str:
        """Return the term with brackets where Coq expects one of a lower level."""
        return self.text if self.level <= level else f"({self.text})"

    def __pow__(self, power: int) -> Visible:
        return self if power == 1 else Visible(f"{self.at(CALL)} ^ {power}", POWER, self.strict)


UNIT = Visible("1", ATOM)
Term = tuple[Expr, list[Visible], list[Visible]]  # a coefficient, what it is multiplied by, and divided by
Expansion = tuple[list[Term], Visible]  # a sum of terms, and what it is divided by


def visible(
    expr: Expr,
    on: Interval | None,
    given: Given,
    *,
    to_the_ends: bool = False,
    known: frozenset[Expr] = frozenset(),
) -> Visible | None:
    """Return a term equal to an expression that is visibly positive, or visibly not negative; or ``None``.

    On an interval the ``variable`` of it is written ``p``. With ``to_the_ends`` it is looked for longer whether the
    expression is positive also where facts that are not negative are 0. Factors ``known`` to be positive stay as
    they are.
    """
    samples = (_samples_to_the_ends if to_the_ends else _samples)(expr, on, given)
    seer = _Seer(on, given, 0, samples, to_the_ends, known)
    found = _seen(seer, expr)
    if found is None and (greatest := _greatest_exponential(expr, on, given)) is not None:
        found = _seen(replace(seer, greatest=greatest, letters={}, looks=[0]), expr)
    return found


def _seen(seer: _Seer, expr: Expr) -> Visible | None:
    """Return what is found at the least depth at which it is positive, or not negative at any."""
    found = None
    for depth in range(MAX_DEPTH + 1):
        try:
            found = replace(seer, depth=depth, letters={}, looks=[0]).fraction(expr) or found
        except (ExportError, sympy.PolynomialError, sympy.CoercionFailed, RecursionError, _TiredError):
            break
        if found is not None and found.strict:
            break
    return found


def _greatest_exponential(expr: Expr, on: Interval | None, given: Given) -> Expr | None:
    """Return the exponential that is greater than all others; ``None`` if there are no others, or it is not seen."""
    found = list(dict.fromkeys(x for x in irrational_parts(expr) if isinstance(x, sympy.exp)))
    for node in found if len(found) > 1 else ():
        if all(positive(node.args[0] - other.args[0], on, given) for other in found if other != node):
            return node
    return None


class _TiredError(Exception):
    """A sign was looked for long enough."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """A fact that bounds a variable: ``slope v + rest`` below, or ``rest - slope v`` above, is not negative."""

    fact: Visible
    slope: Expr
    rest: Expr


@dataclass(frozen=True, slots=True)
class _Seer:
    on: Interval | None
    given: Given
    depth: int
    samples: list[dict[Symbol, Expr]]
    to_the_ends: bool = False
    known: frozenset[Expr] = frozenset()
    greatest: Expr | None = None
    letters: dict[Symbol, Expr] = field(default_factory=dict)
    looks: list[int] = field(default_factory=lambda: [0])

    def fraction(self, expr: Expr) -> Visible | None:
        """See the sign of a rational function of the variables, and of roots and the like taken for letters."""
        top, bottom = sympy.fraction(sympy.together(expr.xreplace(self._lettered(expr))))
        above, below = self._factors(top, self.depth), self._factors(bottom, self.depth)
        if above is None or below is None or not all(part.strict for part in below[1]):
            return None
        if (number := above[0] / below[0]) < 0:
            return None
        return fraction_of(number, above[1], below[1]) if number else Visible("0", ATOM, False)

    def _lettered(self, expr: Expr) -> dict[Expr, Expr]:
        """Map each outermost node that is not rational to a power of a letter; letters are positive if they can be."""
        found: dict[Expr, Expr] = {}
        nodes = list(irrational_parts(expr))
        for node in nodes:
            if self.greatest is not None and isinstance(node, sympy.exp) and node != self.greatest:
                found[node] = self._letter(self.greatest) * self._letter(self._quotient(node, self.greatest))
                continue
            root = _root(node, nodes)
            sign = -1 if isinstance(root, sympy.log) and positive(-root, self.on, self.given) else 1
            letter = self._letter(sign * root)
            found[node] = sign * letter ** (node.exp / root.exp if root != node else 1)
        return found

    def _quotient(self, node: Expr, greatest: Expr) -> Expr:
        """Return the quotient of an exponential and a greater one, with positive factors in its exponent."""
        gap = sympy.factor(greatest.args[0] - node.args[0])
        top, bottom = map(self._with_positive_factors, sympy.fraction(gap))
        return sympy.exp(-top / bottom)

    def _with_positive_factors(self, poly: Expr) -> Expr:
        number, factors = factored(poly)
        turned = [(x if positive(x, self.on, self.given) else -x) ** power for x, power in factors]
        return sympy.Mul(abs(number), *turned)

    def _letter(self, root: Expr) -> Symbol:
        """Return the letter that stands for a root, a new one if need be."""
        for letter, known in self.letters.items():
            if known == root:
                return letter
        kind = root.args[1] if isinstance(-root, sympy.log) else root
        sign = True if isinstance(kind, SIGNED) and positive(root, self.on, self.given) else None
        letter = Symbol(f"_x{len(self.letters)}", positive=sign, real=True)
        self.letters[letter] = root
        for values in tuple(self.samples):
            value = root.evalf(subs=values)
            infinite = not value.is_Float and not value.is_Rational  # as of a Gamma function at a pole
            if infinite or (value.is_Float and value != 0 and abs(_magnitude(value)) > MAX_MAGNITUDE):
                self.samples.remove(values)
            else:
                values[letter] = Rational(str(value))
        return letter

    def _shown(self, expr: Expr, strict: bool = True) -> Visible:
        variable = Symbol("p") if self.on is None else self.on.variable
        roots = {letter: root for letter, root in self.letters.items() if _is_root(root) and root.exp.q > 2}
        shown = expr.xreplace({letter: root for letter, root in self.letters.items() if letter not in roots})
        with sympy.evaluate(False):  # whole powers of one root are not roots of their own
            shown = shown.xreplace(roots)
        return Visible(*levelled(shown, variable), strict)

    def _factors(self, poly: Expr, depth: int) -> tuple[Expr, list[Visible]] | None:
        """Return a number that carries the sign of a polynomial, and its factors with their signs turned."""
        number, factors = factored(poly)
        found = []
        for factor, power in factors:
            sign, seen = self._turned(factor, depth)
            if seen is None and (power % 2 or depth < MAX_DEPTH):
                return None
            number *= sign**power
            found.append((seen or self._shown(factor**2, False)) ** (power if seen else power // 2))
        return number, found

    def _turned(self, factor: Expr, depth: int) -> tuple[int, Visible | None]:
        """Return a factor or its opposite, whichever is seen to be positive, with the sign that was taken out."""
        for sign in (1, -1):
            seen = self._polynomial(sympy.expand(sign * factor), depth, frozenset())
            if seen is not None:
                return sign, seen
        return 1, None

    def _polynomial(self, poly: Expr, depth: int, done: frozenset[Symbol]) -> Visible | None:
        self.looks[0] += 1
        if self.looks[0] > MAX_LOOKS:
            raise _TiredError
        if _plainly_positive(poly) or poly in self.known or self._rises(poly):
            return self._shown(poly)
        if self._negative_somewhere(poly):
            return None
        found = None
        for variable in sorted(poly.free_symbols - done, key=self._rank) if depth else ():
            for terms, bottom in self._expansions(poly, variable):
                seen = self._sum(terms, depth - 1, done | {variable})
                if seen is not None:
                    found = found or fraction_of(ONE, [seen], [bottom])
                    if seen.strict or not self.to_the_ends:
                        return fraction_of(ONE, [seen], [bottom])
        return found

    def _rises(self, poly: Expr) -> bool:
        """Return whether a sum of logarithms is that of a number above 1, or one less that of something smaller.

        The exponential integral falls, so that it is the other way round with it.
        """
        counts = [(self.letters.get(x, ONE), count) for x, count in poly.as_coefficients_dict().items()]
        falling = {root.args[1]: count for root, count in counts if isinstance(root, sympy.expint)}
        if len(falling) == len(counts) == 2 and sum(falling.values()) == 0:
            later, sooner = sorted(falling, key=lambda argument: falling[argument])
            return _multiple(later, sooner) and bool(positive(later - sooner, self.on, self.given))
        signed = [(sign * root, sign * count) for root, count in counts for sign in (1, -1)]
        found = {root.args[0]: count for root, count in signed if isinstance(root, sympy.log)}
        if len(found) < len(counts) or not all(x.is_Integer and abs(x) < MAX_COUNT for x in found.values()):
            return False
        if all(argument.is_Rational for argument in found):
            return bool(sympy.prod([argument**count for argument, count in found.items()]) > 1)
        above, below = (
            sympy.prod([x ** abs(count) for x, count in found.items() if count * sign > 0])
            for sign in (1, -1)
        )
        return len(found) == 2 and bool(positive(above - below, self.on, self.given))

    def _negative_somewhere(self, poly: Expr) -> bool:
        """Return whether a polynomial is negative at some admissible point, which saves a search in vain."""
        return any(value_at(poly, values).is_negative for values in self.samples)

    def _rank(self, symbol: Symbol) -> tuple[bool, str]:
        return self.on is None or symbol != self.on.variable, symbol.name

    def _sum(self, terms: list[Term], depth: int, done: frozenset[Symbol]) -> Visible | None:
        """See a sum of coefficients times what is visible."""
        parts = []
        for coefficient, above, below in terms:
            seen = self._coefficient(coefficient, depth, done)
            if seen is None:
                return None
            parts.append(fraction_of(seen[0], [*seen[1], *above], below))
        return _total(parts)

    def _coefficient(
        self, poly: Expr, depth: int, done: frozenset[Symbol]
    ) -> tuple[Expr, list[Visible]] | None:
        if poly.is_Rational:
            return (poly, []) if poly > 0 else None
        if _plainly_positive(poly):
            return ONE, [self._shown(poly)]
        number, factors = factored(poly)
        found = []
        for factor, power in factors:
            for sign in (1, -1):
                seen = self._polynomial(sympy.expand(sign * factor), depth, done)
                if seen is not None:
                    number *= sign**power
                    found.append(seen**power)
                    break
            else:
                return None
        return (number, found) if number > 0 else None

    def _expansions(self, poly: Expr, variable: Symbol) -> Iterator[Expansion]:
        """Yield ways of writing a polynomial as a sum of products over a positive denominator."""
        lower, upper = self._bounds(variable)
        inner = Poly(poly, variable)
        for bound in (*lower, *upper):
            yield self._around(inner, bound, 1 if bound in lower else -1)
        for low, high in product(lower, upper) if self.to_the_ends else ():
            if not (low.fact.strict and high.fact.strict):
                yield self._above_end(inner, low, high, -low.rest / low.slope)
                yield self._above_end(inner, low, high, high.rest / high.slope)
        raised = RAISED if poly.free_symbols == {variable} else (0,)
        for (low, high), more in product(product(lower, upper), raised):
            yield self._between(inner, low, high, inner.degree() + more)
        if inner.degree() == 2 and _plainly_positive(inner.LC()):
            yield self._squared(inner)

    def _above_end(self, poly: Poly, low: _Bound, high: _Bound, end: Expr) -> Expansion:
        """Add to the value at an end what is above it: where an end may be reached, no product is positive."""
        value, scale = sympy.fraction(sympy.together(poly.as_expr().subs(poly.gen, end)))
        above = Poly(scale * poly.as_expr() - value, poly.gen)
        terms, width = self._between(above, low, high, above.degree())
        rest = [(coefficient, tops, [*bottoms, width]) for coefficient, tops, bottoms in terms]
        return [(sympy.expand(value), [], []), *rest], self._shown(scale)

    def _squared(self, poly: Poly) -> Expansion:
        """Complete the square of a polynomial of degree 2."""
        lead, by_variable, rest = poly.all_coeffs()
        square = self._shown((2 * lead * poly.gen + by_variable) ** 2, strict=False)
        return [(ONE, [square], []), (sympy.expand(4 * lead * rest - by_variable**2), [], [])], self._shown(
            4 * lead
        )

    def _bounds(self, variable: Symbol) -> tuple[list[_Bound], list[_Bound]]:
        """Return the facts that bound a variable from below, and from above."""
        weak = [fact for fact in self.given.nonnegative if fact not in self.given.positive]
        facts = dict.fromkeys(self.given.positive, True) | dict.fromkeys(weak, False)
        if self.on is not None and variable == self.on.variable:
            facts = {variable: True, 1 - variable: True} | dict.fromkeys(self.on.facts, True)
        elif variable in self.letters:
            facts = dict.fromkeys(self._bounds_of_letter(variable), True)
        elif variable.is_positive:
            facts = {variable: True} | facts
        found = [(fact, strict, *_linear(fact, variable, self.given)) for fact, strict in facts.items()]
        lower = [self._bound(1, *row) for row in found if _evident(row[3], self.given)]
        return lower, [self._bound(-1, *row) for row in found if _evident(-row[3], self.given)]

    def _bounds_of_letter(self, letter: Symbol) -> list[Expr]:
        """Return what is positive of a letter: of one without a known sign Coq may know that it is positive."""
        root = self.letters[letter]
        if isinstance(root, sympy.erf) and not letter.is_positive:
            return [letter + 1, 1 - letter]
        if isinstance(root, sympy.sin | sympy.cos):
            return []
        if _above_one(root):
            return [letter, letter - 1]
        gap = -root.args[0] if isinstance(root, sympy.exp) else self._below_one(root)
        below_one = gap is not None and positive(gap, self.on, self.given)
        return [letter, 1 - letter] if below_one else [letter]

    def _below_one(self, root: Expr) -> Expr | None:
        """Return what is positive if a power is below 1: its base is, as Coq sees if exponents have letters."""
        top, bottom = sympy.fraction(root.base) if isinstance(root, Pow) else (ZERO, ZERO)
        seen = _is_root(root) or (_is_linear(bottom - top) and positive(root.exp, None, self.given))
        return 1 - root.base if isinstance(root, Pow) and seen else None

    def _bound(self, sign: int, fact: Expr, strict: bool, scale: Expr, slope: Expr, rest: Expr) -> _Bound:
        if scale.is_Rational:
            return _Bound(self._shown(scale * fact, strict), sign * slope, rest)
        return _Bound(
            fraction_of(ONE, [self._shown(scale), self._shown(fact, strict)], []), sign * slope, rest
        )

    def _around(self, poly: Poly, bound: _Bound, sign: int) -> Expansion:
        """Expand in powers of a fact: the variable is ``sign (fact - rest)/slope``."""
        x, degree = sympy.Dummy(), poly.degree()
        parts = [
            value * (sign * (x - bound.rest)) ** power * bound.slope ** (degree - power)
            for (power,), value in poly.terms()
        ]
        terms = Poly(sympy.Add(*parts), x).terms()
        return [(value, _powers(bound.fact, power), []) for (power,), value in terms], self._scale(
            bound.slope, degree
        )

    def _scale(self, expr: Expr, power: int) -> Visible:
        return UNIT if expr == 1 or power == 0 else self._shown(expr) ** power

    def _between(self, poly: Poly, low: _Bound, high: _Bound, degree: int) -> Expansion:
        """Expand in the Bernstein basis of a degree, by ``variable = (end of low + end of high * t)/(1 + t)``."""
        t = sympy.Dummy()
        top = high.rest * low.slope * t - low.rest * high.slope
        bottom = low.slope * high.slope * (1 + t)
        parts = [value * top**power * bottom ** (degree - power) for (power,), value in poly.terms()]
        terms = [
            (
                value,
                [*_powers(low.fact, power), *_powers(high.fact, degree - power)],
                [
                    x
                    for x in (self._scale(low.slope, power), self._scale(high.slope, degree - power))
                    if x != UNIT
                ],
            )
            for (power,), value in Poly(sympy.Add(*parts), t).terms()
        ]
        width = sympy.expand(high.rest * low.slope + low.rest * high.slope)
        return terms, self._width(width, low, high) ** degree if degree and width != 1 else UNIT

    def _width(self, width: Expr, low: _Bound, high: _Bound) -> Visible:
        """Return the distance of the ends times both slopes, as a sum of what is positive."""
        if _plainly_positive(width):
            return self._shown(width)
        seen = self._polynomial(width, 1, frozenset()) if self.to_the_ends else None
        if seen is not None and seen.strict:
            return seen
        parts = [
            fraction_of(ONE, [self._scale(slope, 1), fact], [])
            for slope, fact in ((high.slope, low.fact), (low.slope, high.fact))
        ]
        return _total(parts)


def _magnitude(value: sympy.Float) -> int:
    """Return the power of two below a number, which may be too large to be written as a fraction."""
    _, _, exponent, bits = value._mpf_
    return int(exponent + bits)


def _samples(expr: Expr, on: Interval | None, given: Given) -> list[dict[Symbol, Expr]]:
    """Return a few admissible points."""
    symbols = expr.free_symbols - ({on.variable} if on else set())
    return [dict(values) for values in points(symbols, on, given)]


def _samples_to_the_ends(expr: Expr, on: Interval | None, given: Given) -> list[dict[Symbol, Expr]]:
    """Return a few admissible points, also where facts tie letters to the variable."""
    if on is None:
        return _samples(expr, on, given)
    inside = given.also(positive=on.facts)
    return [dict(values) for values in points(expr.free_symbols | {on.variable}, None, inside)]


def _linear(fact: Expr, variable: Symbol, given: Given) -> tuple[Expr, Expr, Expr]:
    """Return a positive scale for a fact, and slope and rest of the scaled fact, or zeros if it is not linear."""
    top, bottom = sympy.fraction(sympy.together(fact))
    top = sympy.expand(top)
    if not (
        _evident(bottom, given) and top.is_polynomial(*top.free_symbols) and sympy.degree(top, variable) == 1
    ):
        return ZERO, ZERO, ZERO
    return bottom, top.coeff(variable, 1), top.coeff(variable, 0)


def _plainly_positive(expr: Expr) -> bool:
    """Return whether a polynomial of positive letters has no negative coefficient."""
    terms = sympy.expand(expr).as_coefficients_dict()
    return bool(terms) and all(c.is_positive and rest.is_positive for rest, c in terms.items())


def _evident(expr: Expr, given: Given) -> bool:
    """Return whether Coq sees that something is positive by its structure, or by facts that are linear as it is."""
    letters = expr.free_symbols
    linear = bool(letters) and expr.is_polynomial(*letters) and sympy.total_degree(expr, *letters) == 1
    return _plainly_positive(expr) or (linear and bool(positive(expr, None, given)))


def _total(parts: list[Visible]) -> Visible:
    """Return a sum of what is visible; it is positive if one part is."""
    if len(parts) == 1:
        return parts[0]
    return Visible(" + ".join(part.at(PRODUCT) for part in parts), SUM, any(part.strict for part in parts))


def _powers(base: Visible, power: int) -> list[Visible]:
    return [base**power] if power else []


def factored(poly: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """Return the number and the irreducible factors of a polynomial, which may be a number once it is expanded."""
    expanded = sympy.expand(poly)
    return (expanded, []) if expanded.is_Rational else sympy.factor_list(poly)


def irrational_parts(expr: Expr) -> Iterator[Expr]:
    """Yield the outermost nodes that are neither letters nor rational operations."""
    if expr.is_Symbol or expr.is_Rational:
        return
    if expr.is_Add or expr.is_Mul or (expr.is_Pow and expr.exp.is_Integer):
        for arg in expr.args:
            yield from irrational_parts(arg)
    else:
        yield expr


def _root(node: Expr, among: list[Expr]) -> Expr:
    """Return the greatest power of which a node is a whole power, and all others of its base are."""
    if not _is_root(node):
        return node
    exponents = [abs(other.exp) for other in among if _is_root(other) and other.base == node.base]
    return Pow(node.base, reduce(Rational.gcd, exponents))


def _multiple(expr: Expr, other: Expr) -> bool:
    """Return whether an expression is a multiple of another one by a number, as Coq sees by its form."""
    (top, _), (own, _) = sympy.fraction(expr), sympy.fraction(other)
    same = all(map(_is_linear, (expr, other))) or sympy.simplify(top - own) == 0
    return same and bool(sympy.cancel(expr / other).is_number)


def _is_linear(expr: Expr) -> bool:
    return bool(expr.free_symbols) and bool(expr.is_polynomial()) and sympy.total_degree(expr) == 1


def _is_root(node: Expr) -> bool:
    return isinstance(node, Pow) and bool(node.exp.is_Rational)


def _above_one(expr: Expr) -> bool:
    power = sympy.S.One if expr == sympy.E else expr.args[0] if isinstance(expr, sympy.exp) else ZERO
    return bool(power.is_number and power.is_positive)


def fraction_of(number: Expr, above: list[Visible], below: list[Visible]) -> Visible:
    """Return a fraction of what is visible."""
    tops = [x for x in above if x != UNIT]
    bottoms = [x for x in below if x != UNIT]
    tops = [Visible(str(number.p), ATOM), *tops] if number.p != 1 else tops
    bottoms = [Visible(str(number.q), ATOM), *bottoms] if number.q != 1 else bottoms
    strict = all(x.strict for x in tops)
    if len(tops) == 1 and not bottoms:
        return tops[0]
    text = " * ".join(x.at(MINUS) for x in tops) or "1"
    if bottoms:
        bottom = " * ".join(x.at(MINUS) for x in bottoms)
        text += f" / {bottom}" if len(bottoms) == 1 else f" / ({bottom})"
    return Visible(text, PRODUCT if tops or bottoms else ATOM, strict)
