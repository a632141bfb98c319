"""The expansion of an expression as ``x -> 0`` from above: one rule for each function.

A function is a Taylor series where it is analytic, and is led back to one at its ends: by a reflection, by
its logarithm there, or by its asymptotic series (whose error is at most a constant times the first term left out).

Source: NIST Digital Library of Mathematical Functions, 4.24, 6.6, 6.12, 7.12(i), 8.7, 8.11(i), 8.17(iv), 8.19.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow, Symbol, oo, pi

from costderive.core.piecewise import Given
from costderive.core.plain_functions import complete_beta
from costderive.deciders.expansion import (
    NOTHING,
    ONE,
    ZERO,
    Algebra,
    Block,
    Expansion,
    Term,
    Undetermined,
    constant,
    monomial,
)
from costderive.deciders.identities import zero
from costderive.deciders.leading_terms import Leading, NoLeadingTerm
from costderive.deciders.signs import positive
from costderive.deciders.size import large_exponentials, steep

DEPTHS = (3, 6, 12)
MAX_POWER = 12
MAX_SLOPES = 12
TWO, HALF = sympy.Integer(2), sympy.Rational(1, 2)
_z = Dummy("z")


def leading_by_expansion(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """Return the leading term of an expression, ``None`` for zero; one that vanishes is not named.

    A term that outgrows every power of x has the power ``-oo``. A constant term may be of any sign.

    Raises:
        NoLeadingTerm: if the expansions do not give it.
    """
    for depth in DEPTHS:
        try:
            return _leading(Algebra(given, depth), expr, x)
        except Undetermined:
            continue
    raise NoLeadingTerm


def _leading(algebra: Algebra, expr: Expr, x: Symbol) -> Leading | None:
    expansion = _Expander(algebra, x).expand(expr)
    limit = algebra.limit(expansion)
    if limit not in (oo, -oo):
        vanishes = bool(zero(limit, None, algebra.given))
        return Leading(ONE, small=True) if vanishes else Leading(limit)
    found = algebra.lead(expansion)
    if found is None:
        raise NoLeadingTerm
    (term,) = found[0].terms
    return Leading(term.coefficient, -oo if found[0].exponent else term.power, term.logs)


@dataclass(frozen=True, slots=True)
class _Expander:
    """Expands expressions in one variable; what was expanded once is kept."""

    algebra: Algebra
    x: Symbol
    known: dict[Expr, Expansion] = field(default_factory=dict)

    def expand(self, expr: Expr) -> Expansion:
        """Return the expansion of an expression."""
        if expr not in self.known:
            self.known[expr] = self._expanded(expr)
        return self.known[expr]

    def _expanded(self, expr: Expr) -> Expansion:
        if self.x not in expr.free_symbols:
            return constant(expr)
        if expr == self.x:
            return monomial(Term(ONE, ONE))
        if isinstance(expr, Add):
            return self.algebra.add(*map(self.expand, expr.args))
        if isinstance(expr, Mul):
            return self._product([self.expand(arg) for arg in expr.args])
        if isinstance(expr, Pow):
            return self._power(expr)
        return self._function(expr)

    def _product(self, factors: list[Expansion]) -> Expansion:
        product = constant(ONE)
        for factor in factors:
            product = self.algebra.multiply(product, factor)
        return product

    def _power(self, expr: Pow) -> Expansion:
        base = self.expand(expr.base)
        if expr.exp.has(self.x):
            return self.exp(self.algebra.multiply(self.expand(expr.exp), self.log(base)))
        return self.power(base, expr.exp)

    def _function(self, expr: Expr) -> Expansion:
        *shapes, argument = expr.args
        rule = _RULES.get(expr.func)
        if rule is None or any(shape.has(self.x) for shape in shapes):
            raise NoLeadingTerm
        return rule(self, *shapes, self.expand(argument))

    def power(self, base: Expansion, exponent: Expr) -> Expansion:
        """Return a power with a constant exponent: of a sum, by the binomial series about its leading term."""
        if exponent.is_Integer and 0 < exponent <= MAX_POWER:
            return self._product([base] * int(exponent))
        top, small = self.algebra.relative(base)
        series = self.algebra.compose(lambda k: sympy.ff(exponent, k) / sympy.factorial(k), small)
        return self.algebra.multiply((self.algebra.raised(top, exponent),), series)

    def inverse(self, base: Expansion) -> Expansion:
        """Return ``1/base``."""
        return self.power(base, -ONE)

    def negative(self, expansion: Expansion) -> Expansion:
        """Return ``-expansion``."""
        return self.algebra.multiply(constant(-ONE), expansion)

    def log(self, argument: Expansion) -> Expansion:
        """``log(c x^a e^E (1 + small)) = E + log c - a l + log(1 + small)``."""
        top, small = self.algebra.relative(argument)
        (term,) = top.terms
        if term.logs != 0 or self.algebra.definite_sign(term.coefficient) < 0:
            raise NoLeadingTerm
        series = self.algebra.compose(lambda k: (-ONE) ** (k + 1) / sympy.Integer(k) if k else ZERO, small)
        logarithm = monomial(Term(-term.power, ZERO, ONE)) if term.power != 0 else NOTHING
        exponent = (Block(top.exponent),) if top.exponent else NOTHING
        return self.algebra.add(exponent, constant(sympy.log(term.coefficient)), logarithm, series)

    def exp(self, argument: Expansion) -> Expansion:
        """``exp(E + a l + c + small) = e^E x^(-a) e^c exp(small)``, where E outgrows the logarithm."""
        exponent, power, value, rest = [], ZERO, ZERO, argument
        for term in self._growing(argument):
            rest = self.algebra.subtract(rest, monomial(term))
            if term.power != 0 or term.logs not in (ZERO, ONE):
                exponent.append(self._fast(term))
            elif term.logs == 1:
                power = -term.coefficient
            else:
                value = term.coefficient
        series = self.algebra.compose(lambda k: 1 / sympy.factorial(k), rest)
        return self.algebra.multiply(monomial(Term(sympy.exp(value), power), tuple(exponent)), series)

    def _growing(self, argument: Expansion) -> tuple[Term, ...]:
        """Return the terms that do not vanish."""
        if argument and argument[0].exponent and self.algebra.scale(argument[0].exponent) > 0:
            raise NoLeadingTerm
        plain = [block for block in argument if not block.exponent]
        return tuple(term for block in plain for term in block.terms if self.algebra.growth(term) >= 0)

    def _fast(self, term: Term) -> Term:
        """Return a term that outgrows the logarithm."""
        if self.algebra.gap(term.power, ZERO) == 0 and self.algebra.gap(term.logs, ONE) < 0:
            raise NoLeadingTerm
        return term

    def taylor(self, function: Callable[[Expr], Expr], at: Expr, argument: Expansion) -> Expansion:
        """Expand a function about a point where it is analytic, which the argument tends to."""
        small = self.algebra.subtract(argument, constant(at))
        return self.algebra.compose(lambda k: _slope(function(_z), k, at) / sympy.factorial(k), small)

    def limit(self, argument: Expansion) -> Expr:
        """Return the limit, 0 itself if it is zero."""
        limit = self.algebra.limit(argument)
        return limit if limit in (oo, -oo) or not zero(limit, None, self.algebra.given) else ZERO

    def positive(self, expr: Expr) -> bool:
        """Return whether a constant is certainly positive."""
        return positive(expr, None, self.algebra.given) is not None

    def odd(self, coefficient: Callable[[int], Expr], argument: Expansion) -> Expansion:
        """Return ``sum of coefficient(k) y^(2k+1)``."""
        series = self.algebra.compose(coefficient, self.power(argument, TWO))
        return self.algebra.multiply(argument, series)

    def atan(self, argument: Expansion) -> Expansion:
        """``atan y = sign(y) pi/2 - atan(1/y)`` and ``atan y = atan c + atan((y - c)/(1 + c y))``."""
        at = self.limit(argument)
        if at in (oo, -oo):
            turned = self._small_atan(self.inverse(argument))
            return self.algebra.subtract(constant(_side(at) * pi / 2), turned)
        ahead = self.algebra.subtract(argument, constant(at))
        below = self.algebra.add(constant(ONE), self.algebra.multiply(constant(at), argument))
        rest = self._small_atan(self.algebra.multiply(ahead, self.inverse(below)))
        return self.algebra.add(constant(sympy.atan(at)), rest)

    def _small_atan(self, argument: Expansion) -> Expansion:
        return self.odd(lambda k: (-ONE) ** k / (2 * k + 1), argument)

    def asinh(self, argument: Expansion) -> Expansion:
        """``asinh y = sign(y) log(|y| + sqrt(y^2 + 1))`` far out, ``asinh(c) + asinh(difference)`` elsewhere."""
        at = self.limit(argument)
        if at not in (oo, -oo):
            rest = self._difference(argument, at, ONE)
            return self.algebra.add(constant(sympy.asinh(at)), self._small_asinh(rest))
        size = self.algebra.multiply(constant(_side(at)), argument)
        root = self.power(self.algebra.add(self.power(size, TWO), constant(ONE)), HALF)
        return self.algebra.multiply(constant(_side(at)), self.log(self.algebra.add(size, root)))

    def asin(self, argument: Expansion) -> Expansion:
        """``asin y = pi/2 - 2 asin(sqrt((1 - y)/2))`` at an end, ``asin(c) + asin(difference)`` elsewhere."""
        at = self.limit(argument)
        if at in (-1, 1):
            gap = self.algebra.subtract(constant(ONE), self.algebra.multiply(constant(at), argument))
            root = self._small_asin(self.power(self.algebra.multiply(constant(HALF), gap), HALF))
            return self.algebra.subtract(constant(at * pi / 2), self.algebra.multiply(constant(2 * at), root))
        if not self.positive(1 - at**2):
            raise NoLeadingTerm
        rest = self._difference(argument, at, -ONE)
        return self.algebra.add(constant(sympy.asin(at)), self._small_asin(rest))

    def _difference(self, argument: Expansion, at: Expr, sign: Expr) -> Expansion:
        """Return ``y sqrt(1 + sign c^2) - c sqrt(1 + sign y^2)``: a sine or hyperbolic sine of a difference."""
        square = self.algebra.multiply(constant(sign), self.power(argument, TWO))
        across = self.power(self.algebra.add(constant(ONE), square), HALF)
        ahead = self.algebra.multiply(constant(sympy.sqrt(1 + sign * at**2)), argument)
        return self.algebra.subtract(ahead, self.algebra.multiply(constant(at), across))

    def _small_asinh(self, argument: Expansion) -> Expansion:
        return self.odd(lambda k: (-ONE) ** k * _asin_coefficient(k), argument)

    def _small_asin(self, argument: Expansion) -> Expansion:
        return self.odd(_asin_coefficient, argument)

    def acos(self, argument: Expansion) -> Expansion:
        """``acos y = pi/2 - asin y``."""
        return self.algebra.subtract(constant(pi / 2), self.asin(argument))

    def erf(self, argument: Expansion) -> Expansion:
        """``erf y = sign(y) (1 - erfc |y|)``."""
        at = self.limit(argument)
        if at == 0:
            return self.odd(
                lambda k: 2 / sympy.sqrt(pi) * (-ONE) ** k / (sympy.factorial(k) * (2 * k + 1)), argument
            )
        if at not in (oo, -oo):
            return self.taylor(sympy.erf, at, argument)
        size = self.algebra.multiply(constant(_side(at)), argument)
        return self.algebra.multiply(
            constant(_side(at)), self.algebra.subtract(constant(ONE), self._far_erfc(size))
        )

    def erfc(self, argument: Expansion) -> Expansion:
        """``erfc y = 1 - erf y``."""
        return self.algebra.subtract(constant(ONE), self.erf(argument))

    def _far_erfc(self, argument: Expansion) -> Expansion:
        """``erfc y = e^(-y^2) r(y)``: ``0 < r < 1``, and ``r ~ 1/(y sqrt(pi)) sum (-1)^k (1/2)_k / y^(2k)``.

        Beside an argument that grows as logarithms do, only the bound says anything.
        """
        square = self.power(argument, TWO)
        bell = self.exp(self.negative(square))
        if not argument[0].exponent and self.algebra.gap(argument[0].low, ZERO) == 0:
            return self.algebra.multiply(bell, (Block((), ZERO),))
        series = self.algebra.compose(
            lambda k: (-ONE) ** k * sympy.rf(HALF, k) / sympy.sqrt(pi), self.inverse(square)
        )
        return self._product([bell, self.inverse(argument), series])

    def upper_gamma(self, shape: Expr, argument: Expansion) -> Expansion:
        """``Gamma(a, y) = Gamma(a) - gamma(a, y)`` near 0, and ``Gamma(0, y)`` is an exponential integral."""
        at = self.limit(argument)
        if at is oo:
            return self._far_gamma(shape, argument)
        if at == 0 and shape == 0:
            return self._near_integral(argument, -ONE)
        if at == 0 and self.positive(shape):
            return self.algebra.subtract(constant(sympy.gamma(shape)), self._near_gamma(shape, argument))
        return self._inside(at, lambda y: sympy.uppergamma(shape, y), argument)

    def lower_gamma(self, shape: Expr, argument: Expansion) -> Expansion:
        """``gamma(a, y) = Gamma(a) - Gamma(a, y)`` far out, for a > 0."""
        at = self.limit(argument)
        if not self.positive(shape):
            raise NoLeadingTerm
        if at is oo:
            return self.algebra.subtract(constant(sympy.gamma(shape)), self._far_gamma(shape, argument))
        if at == 0:
            return self._near_gamma(shape, argument)
        return self._inside(at, lambda y: sympy.lowergamma(shape, y), argument)

    def _inside(self, at: Expr, function: Callable[[Expr], Expr], argument: Expansion) -> Expansion:
        """Expand a function that is analytic for positive arguments."""
        if at in (oo, -oo) or not self.positive(at):
            raise NoLeadingTerm
        return self.taylor(function, at, argument)

    def _near_gamma(self, shape: Expr, argument: Expansion) -> Expansion:
        """``gamma(a, y) = y^a sum (-y)^k / (k! (a + k))``."""
        series = self.algebra.compose(lambda k: (-ONE) ** k / (sympy.factorial(k) * (shape + k)), argument)
        return self.algebra.multiply(self.power(argument, shape), series)

    def _far_gamma(self, shape: Expr, argument: Expansion) -> Expansion:
        """``Gamma(a, y) ~ y^(a-1) e^(-y) sum (a-1)(a-2)...(a-k) / y^k``."""
        inverse = self.inverse(argument)
        series = self.algebra.compose(lambda k: sympy.ff(shape - 1, k), inverse)
        return self._product([self.power(inverse, 1 - shape), self.exp(self.negative(argument)), series])

    def _near_integral(self, argument: Expansion, side: Expr) -> Expansion:
        """``Ei y = gamma + log|y| + sum y^k/(k k!)``, and ``E1(y) = -Ei(-y)``: here ``y = side * argument > 0 or < 0``.

        With side -1 this is ``E1`` of a positive argument, with side 1 it is ``Ei`` of one.
        """
        sides = constant(side)
        terms = self.algebra.compose(
            lambda k: ONE / (k * sympy.factorial(k)) if k else ZERO, self.algebra.multiply(sides, argument)
        )
        whole = self.algebra.add(constant(sympy.EulerGamma), self.log(argument), terms)
        return self.algebra.multiply(sides, whole)

    def exponential_integral(self, argument: Expansion) -> Expansion:
        """``Ei y ~ e^y/y sum k!/y^k`` far out, and ``Ei(-y) = -E1(y)``."""
        at = self.limit(argument)
        if at is oo:
            inverse = self.inverse(argument)
            return self._product(
                [self.exp(argument), inverse, self.algebra.compose(sympy.factorial, inverse)]
            )
        if at is not -oo and at != 0:
            return self._about(at, argument)
        if at is -oo or self._falls(argument):
            return self.negative(self.upper_gamma(ZERO, self.negative(argument)))
        return self._near_integral(argument, ONE)

    def _about(self, at: Expr, argument: Expansion) -> Expansion:
        self.algebra.definite_sign(at)
        return self.taylor(sympy.Ei, at, argument)

    def _falls(self, argument: Expansion) -> bool:
        found = self.algebra.lead(argument)
        return found is not None and self.algebra.definite_sign(found[0].terms[0].coefficient) < 0

    def expint(self, order: Expr, argument: Expansion) -> Expansion:
        """``E_n(y) = y^(n-1) Gamma(1-n, y)``, and ``n E_(n+1)(y) = e^(-y) - y E_n(y)`` from ``E_1`` upwards."""
        if not (order.is_Integer and order > 1) or self.limit(argument) is oo:
            power = self.power(argument, order - 1) if order != 1 else constant(ONE)
            return self.algebra.multiply(power, self.upper_gamma(1 - order, argument))
        before = self.algebra.multiply(argument, self.expint(order - 1, argument))
        total = self.algebra.subtract(self.exp(self.negative(argument)), before)
        return self.algebra.multiply(constant(1 / (order - 1)), total)

    def sin(self, argument: Expansion) -> Expansion:
        """Sines, and cosines, have Taylor series everywhere."""
        return self._entire(sympy.sin, argument)

    def cos(self, argument: Expansion) -> Expansion:
        return self._entire(sympy.cos, argument)

    def _entire(self, function: Callable[[Expr], Expr], argument: Expansion) -> Expansion:
        at = self.limit(argument)
        if at in (oo, -oo):
            raise NoLeadingTerm
        return self.taylor(function, at, argument)

    def beta(self, first: Expr, second: Expr, low: Expr, argument: Expansion) -> Expansion:
        """``B_z(a, b) = B(a, b) - B_(1-z)(b, a)`` for a, b > 0, and a Taylor series inside (0, 1) for a > 0 and any b.

        With both sides continued analytically in b the first holds for fractions b < 0 too, which are no whole numbers.
        """
        at = self.limit(argument)
        if low != 0 or not self.positive(first) or not second.is_real:
            raise NoLeadingTerm
        if at == 0:
            return self._near_beta(first, second, argument)
        if at == 1:
            if not (self.positive(second) or (second.is_Rational and not second.is_Integer)):
                raise NoLeadingTerm
            rest = self._near_beta(second, first, self.algebra.subtract(constant(ONE), argument))
            return self.algebra.subtract(constant(complete_beta(first, second)), rest)
        if not self.positive(1 - at):
            raise NoLeadingTerm
        return self._inside(at, lambda z: sympy.betainc(first, second, 0, z), argument)

    def _near_beta(self, first: Expr, second: Expr, argument: Expansion) -> Expansion:
        """``B_z(a, b) = z^a sum (1-b)_k z^k / (k! (a + k))``."""
        series = self.algebra.compose(
            lambda k: sympy.rf(1 - second, k) / (sympy.factorial(k) * (first + k)), argument
        )
        return self.algebra.multiply(self.power(argument, first), series)


def _slope(function: Expr, number: int, at: Expr) -> Expr:
    if number > MAX_SLOPES:
        raise NoLeadingTerm
    slope = function.diff(_z, number).subs(_z, at)
    is_plain = at.is_number or steep(slope) or large_exponentials(slope)
    return slope if is_plain else _factored(slope)


def _factored(expr: Expr) -> Expr:
    """Write a sum as a product, and so each base of a power: what is multiplied out later then stays short."""
    bases = {
        power: sympy.factor(power.base) ** power.exp for power in expr.atoms(sympy.Pow) if power.base.is_Add
    }
    return sympy.factor(expr.xreplace(bases))


def _asin_coefficient(k: int) -> Expr:
    return sympy.rf(HALF, k) / (sympy.factorial(k) * (2 * k + 1))


def _side(infinity: Expr) -> Expr:
    return ONE if infinity is oo else -ONE


_RULES: dict[object, Callable[..., Expansion]] = {
    sympy.exp: _Expander.exp,
    sympy.log: _Expander.log,
    sympy.atan: _Expander.atan,
    sympy.asin: _Expander.asin,
    sympy.acos: _Expander.acos,
    sympy.asinh: _Expander.asinh,
    sympy.erf: _Expander.erf,
    sympy.erfc: _Expander.erfc,
    sympy.Ei: _Expander.exponential_integral,
    sympy.expint: _Expander.expint,
    sympy.uppergamma: _Expander.upper_gamma,
    sympy.lowergamma: _Expander.lower_gamma,
    sympy.betainc: _Expander.beta,
    sympy.sin: _Expander.sin,
    sympy.cos: _Expander.cos,
}
