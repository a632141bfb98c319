"""Is an expression identically zero? A sound "yes", found by algebra alone.

The expression is rewritten as a rational function of independent generators: its symbols, one root for each
irreducible factor under a radical (with the relation ``g^N = f``), logarithms split over irreducible
positive factors, powers with a symbolic exponent, and every other function value as it stands. A numerator
that reduces to zero proves the identity. A remainder that is not zero proves nothing by itself, unless the
expression is rational: then the generators are free and it is a disproof.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import sympy
from sympy import Add, Expr, Mul, Pow, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed, PolynomialError
from sympy.polys.rings import ring

from costderive.decide.signs import positive
from costderive.pieces import Given, Interval


@lru_cache(maxsize=4096)
def zero(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr = 0`` on the interval, or return ``None`` if none does.

    >>> from costderive.symbols import p
    >>> zero((p + 1) ** 2 - p**2 - 2 * p - 1)
    'rational canonical form'
    """
    if expr == 0:
        return "same expression"
    table = _Generators(on, given, _common_denominator(expr))
    try:
        image = table.rewrite(expr)
        done = _vanishes(image, table.relations)
    except (PolynomialError, CoercionFailed, ZeroDivisionError):
        return None
    return table.method if done else None


def is_rational(expr: Expr) -> bool:
    """Tell whether an expression is a rational function of its symbols over the rationals."""
    return all(
        isinstance(node, Symbol | Rational | Add | Mul) or (isinstance(node, Pow) and node.exp.is_Integer)
        for node in sympy.preorder_traversal(expr)
    )


def _common_denominator(expr: Expr) -> int:
    exponents = [power.exp for power in expr.atoms(Pow) if power.exp.is_Rational]
    return int(sympy.ilcm(1, 1, *[exponent.q for exponent in exponents]))


@dataclass
class _Generators:
    """The table of generators met while rewriting one expression."""

    on: Interval | None
    given: Given
    root: int
    relations: dict[Symbol, Expr] = field(default_factory=dict)
    known: dict[object, Symbol] = field(default_factory=dict)

    @property
    def method(self) -> str:
        if self.relations:
            return "radicals as algebraic generators"
        return "independent generators" if self.known else "rational canonical form"

    def rewrite(self, expr: Expr) -> Expr:
        if isinstance(expr, Symbol | Rational):
            return expr
        if isinstance(expr, Add | Mul):
            return expr.func(*[self.rewrite(arg) for arg in expr.args])
        if isinstance(expr, Pow | sympy.exp):
            return self._power(*expr.as_base_exp())
        if isinstance(expr, sympy.log):
            return self._log(expr.args[0] if expr.is_number else self.rewrite(expr.args[0]))
        if expr.args and not isinstance(expr, sympy.Integral):
            return self._new(expr.func(*[sympy.factor(arg) for arg in expr.args]))
        return self._new(expr)

    def _new(self, key: object) -> Symbol:
        return self.known.setdefault(key, Symbol(f"_g{len(self.known)}", positive=True))

    def _power(self, base: Expr, exponent: Expr) -> Expr:
        if exponent.is_Integer:
            return self.rewrite(base) ** exponent
        terms = Add.make_args(sympy.expand(exponent))
        if len(terms) > 1:
            return sympy.prod([self._power(base, term) for term in terms])
        return sympy.prod([self._root(f, m, exponent) for f, m in self._factors(self.rewrite(base))])

    def _root(self, factor: Expr, multiplicity: int, exponent: Expr) -> Expr:
        if exponent.is_Rational and factor is not sympy.E:
            generator = self._new(("root", factor))
            self.relations[generator] = generator**self.root - factor
            return generator ** (multiplicity * exponent * self.root)
        coefficient, symbolic = exponent.as_coeff_Mul()
        if not coefficient.is_Integer:
            symbolic, coefficient = exponent, sympy.S.One
        return self._new(("power", factor, self.rewrite(symbolic))) ** (multiplicity * coefficient)

    def _log(self, argument: Expr) -> Expr:
        if argument.is_number and not argument.is_Rational:
            inverse = sympy.radsimp(1 / argument)
            return -self._new(("log", inverse)) if inverse > argument else self._new(("log", argument))
        return Add(*[m * self._new(("log", f)) for f, m in self._factors(argument)])

    def _factors(self, expr: Expr) -> list[tuple[Expr, int]]:
        """Split into irreducible factors, each oriented positive; primes for the rational constant."""
        if expr is sympy.E:
            return [(expr, 1)]
        top, bottom = sympy.fraction(sympy.together(expr))
        found = [*_oriented_list(top, 1), *_oriented_list(bottom, -1)]
        content = sympy.prod([f**m for f, m in found if f.is_Rational])
        oriented = [(self._orient(f), m, f) for f, m in found if not f.is_Rational]
        flips = sympy.prod([-1 for o, m, f in oriented if o != f and m % 2])
        if not (content * flips).is_positive:
            return [(expr, 1)]
        primes = [(sympy.Integer(n), e) for n, e in sympy.factorrat(content * flips).items()]
        return [(o, m) for o, m, _ in oriented] + primes

    def _orient(self, factor: Expr) -> Expr:
        return -factor if positive(-factor, self.on, self.given) else factor


def _oriented_list(expr: Expr, sign: int) -> list[tuple[Expr, int]]:
    coefficient, factors = sympy.factor_list(expr)
    return [(coefficient, sign), *[(factor, sign * multiplicity) for factor, multiplicity in factors]]


def _vanishes(image: Expr, relations: dict[Symbol, Expr]) -> bool:
    """Reduce the numerator modulo the relations: they are a Groebner basis, later roots leading."""
    numerator = sympy.fraction(sympy.together(image))[0]
    roots = [symbol for symbol in reversed(relations) if symbol in numerator.free_symbols]
    if not numerator.free_symbols:
        return bool(numerator == 0)
    others = sorted(numerator.free_symbols.union(*[r.free_symbols for r in relations.values()]) - set(relations), key=str)
    names = [*reversed(relations), *others]
    domain, *generators = ring(names, sympy.QQ, sympy.lex)
    element = domain.from_expr(numerator) if not roots else domain.from_expr(sympy.expand(numerator))
    rules = [domain.from_expr(sympy.fraction(sympy.together(rule))[0]) for rule in relations.values()]
    return bool(element.rem(rules) == 0) if rules else bool(element == 0)
