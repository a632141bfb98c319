"""An expression as a rational function of independent generators, with the relations between them.

Generators are its symbols, one root for each irreducible factor under a radical (with the relation ``g^N = f``),
logarithms split over irreducible positive factors, powers with a symbolic exponent, sine and cosine of one argument
(with the relation between them), and every other function value as it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import sympy
from sympy import Add, Expr, Mul, Pow, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed, PolynomialError
from sympy.polys.rings import PolyElement, PolyRing

from costderive.core.piecewise import Given, Interval
from costderive.deciders.fractions import expanded, fraction
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.signs import positive, real
from costderive.deciders.size import MAX_DEGREE, MAX_ROOT, steep

RELATED_POWERS = (1, -1, 2, -2, 3, -3)
RELATED = ((1, 1), (1, -1), (2, 1), (2, -1), (1, 2), (1, -2))  # powers of two numbers


@dataclass
class Generators:
    """The table of generators met while rewriting one expression."""

    expr: Expr
    on: Interval | None
    given: Given
    finest: int  # root that is taken for algebraic
    relations: dict[Symbol, Expr] = field(default_factory=dict)
    known: dict[object, Symbol] = field(default_factory=dict)
    bottom: Expr = sympy.S.One  # a common denominator of all exponents
    root: int = 1  # a common denominator of all exponents that are rational numbers
    parts: int = 1  # a common denominator of the rational multiples in all other exponents
    has_fine_roots: bool = False  # whether some exponents are no multiples of 1/root

    @property
    def method(self) -> str:
        if self.relations:
            return "radicals as algebraic generators"
        return "independent generators" if self.known else "rational canonical form"

    def shows_zero(self) -> bool | None:
        """Return whether the image of the expression is zero, ``None`` if it has none."""
        try:
            self.gather(self.expr)
            return is_zero_modulo(self.rewrite(self.expr), self.relations)
        except (PolynomialError, CoercionFailed, ZeroDivisionError, _Unsplit):
            return None

    def rewrite(self, expr: Expr) -> Expr:
        if isinstance(expr, Symbol | Rational):
            return expr
        if isinstance(expr, Mul) and self.has_fine_roots:
            return self._product(expr)
        if isinstance(expr, Add | Mul):
            return expr.func(*[self.rewrite(arg) for arg in expr.args])
        if isinstance(expr, Pow | sympy.exp) or expr is sympy.E:
            return self._power(*expr.as_base_exp())
        if isinstance(expr, sympy.log):
            return self._log(expr.args[0])
        if isinstance(expr, sympy.Abs):
            return self._without_sign(expr.args[0])
        if expr is sympy.pi:
            return self._new(expr, positive=True)
        return self._integral(expr) if isinstance(expr, sympy.Integral) else self._function(expr)

    def _function(self, expr: Expr) -> Expr:
        if not expr.args:
            return self._new(expr)
        bound = expr.has(sympy.Integral)  # whose variables may have the names of others
        args = [self._argument(arg, bound) for arg in expr.args]
        sign, image = expr.func(*args).as_coeff_Mul()
        if image.is_Rational or isinstance(image, Add | Mul | Pow):  # it had a value, as sin(pi) has
            return sign * self.rewrite(image)
        if isinstance(image, sympy.cos):
            return sign * self._cosine(image)
        return sign * self._new(image)  # an odd function may have given back a sign

    def _argument(self, arg: Expr, bound: bool) -> Expr:
        """Write an argument in one way: with roots that split in it by their generators, else as a product.

        Roots of numbers stand in it as they do where no other root is.
        """
        if not bound and any(map(_is_moving_root, arg.atoms(Pow))):
            with suppress(_Unsplit, PolynomialError):
                image = sympy.cancel(_reduced(self.rewrite(arg), self.relations))
                return sympy.factor(image.xreplace(self._roots_of_numbers()))  # with its sign in front
        return sympy.factor(arg if bound else arg.replace(sympy.log, self._split))

    def _cosine(self, image: Expr) -> Expr:
        """Relate a cosine to the sine of the same argument: their squares add up to 1."""
        sine, generator = self.rewrite(sympy.sin(image.args[0])), self._new(image)
        self.relations[generator] = generator**2 + sine**2 - 1
        return generator

    def _split(self, argument: Expr) -> Expr:
        """Write a logarithm as those of positive factors, if its argument splits."""
        try:
            factors = self._factors(argument) if _is_rational(argument) else [(argument, 1)]
        except _Unsplit:
            factors = [(argument, 1)]
        return Add(*[multiplicity * sympy.log(factor) for factor, multiplicity in factors])

    def _integral(self, expr: sympy.Integral) -> Expr:
        """Take what is constant under an integral out of it; two integrals are the same if the rest is."""
        constant, moving = sympy.factor(expr.function).as_independent(*expr.variables, as_Add=False)
        return self.rewrite(constant) * self._new(sympy.Integral(moving, *expr.limits))

    def _new(self, key: object, **facts: bool) -> Symbol:
        if key not in self.known:
            self.known[key] = next(
                fresh("g", (self.expr, *self.known.values()), self.on, self.given, **facts)
            )
        return self.known[key]

    @property
    def logs(self) -> dict[Symbol, Expr]:
        """The generators that stand for logarithms, with their arguments."""
        return {
            symbol: key[1] for key, symbol in self.known.items() if isinstance(key, tuple) and key[0] == "log"
        }

    def _product(self, expr: Mul) -> Expr:
        """Add the exponents of equal bases before fine roots are taken: of these, no relation is known."""
        rest, powers = sympy.S.One, list[tuple[Expr, Expr, Expr]]()
        for arg in expr.args:
            if isinstance(arg, Pow | sympy.exp) and not _is_whole(*arg.as_base_exp()):
                powers += self._powers(*arg.as_base_exp())
            else:
                rest *= self.rewrite(arg)
        return rest * self._product_of(powers)

    def _product_of(self, powers: Iterable[tuple[Expr, Expr, Expr]]) -> Expr:
        exponents = defaultdict[tuple[Expr, Expr], Expr](lambda: sympy.S.Zero)
        for factor, part, multiple in powers:
            exponents[factor, part] += multiple
        return sympy.prod([self._raised(*key, multiple) for key, multiple in exponents.items()])

    def _power(self, base: Expr, exponent: Expr) -> Expr:
        if _is_whole(base, exponent):
            return self.rewrite(base) ** exponent
        of_sum = isinstance(base, Add) and exponent.free_symbols and exponent.is_positive
        if of_sum and is_zero_modulo(self.rewrite(base), self.relations):
            return sympy.S.Zero
        return self._product_of(self._powers(base, exponent))

    def _powers(self, base: Expr, exponent: Expr) -> Iterator[tuple[Expr, Expr, Expr]]:
        """Yield factors, parts of the exponent and rational multiples of these, whose powers make up a power.

        The exponent is real: of a complex power roots and logarithms are not those of its parts.
        """
        if not (exponent.is_Rational or real(exponent, self.on, self.given)):
            raise _Unsplit
        powers, rest = self._irrational_powers(base)
        if powers:
            if not all(positive(b, self.on, self.given) for b, _ in powers):
                raise _Unsplit
            for b, e in powers:
                yield from self._powers(b, sympy.expand(e * exponent))
            base = rest
        factors = [(base, 1)] if base is sympy.E else self._factors_of(base)
        parts = self._exponent_parts(self._exponent(exponent))
        for factor, multiplicity in factors:
            if factor in (meant := self._meant_powers() | self._meant_fine_roots() | self._meant_roots()):
                inner, power = meant[factor].as_base_exp()
                yield from self._powers(inner, sympy.expand(multiplicity * power * exponent))
                continue
            for multiple, part in parts:
                yield (*self._placed(factor, part), multiplicity * multiple)

    def _irrational_powers(self, base: Expr) -> tuple[list[tuple[Expr, Expr]], Expr]:
        """Split a product into its powers with exponents that are no numbers, or of fine roots, and the rest."""
        pairs = [factor.as_base_exp() for factor in Mul.make_args(base)]
        fine = [e for _, e in pairs if e.is_Rational and self.root % e.q]
        powers = [(b, e) for b, e in pairs if b is not sympy.E and (not e.is_number or e in fine)]
        return powers, Mul(*[Pow(b, e) for b, e in pairs if (b, e) not in powers])

    def _factors_of(self, base: Expr) -> list[tuple[Expr, int]]:
        """Split a base; where it does not split, its own sign may be known when that of its image is not."""
        image = self.rewrite(base)
        whole = sympy.expand(image) if image.is_polynomial() else image
        alone = whole.is_Add and whole.is_polynomial() and _factor_list(whole, 1) == [(1, 1), (whole, 1)]
        if alone and positive(base, self.on, self.given):
            return [(whole, 1)]
        return self._factors(image, base)

    def gather(self, expr: Expr) -> None:
        """Find common denominators of all exponents, so that each is split in one and the same way."""
        exponents = [node.as_base_exp()[1] for node in expr.atoms(Pow, sympy.exp)]
        self.root = self._shared_root(e for e in exponents if e.is_Rational)
        self.parts = self._shared_root(number for e in exponents for number in e.atoms(Rational))
        rewritten = []
        for exponent in sorted(exponents, key=_nested):
            if not exponent.is_Rational:
                rewritten.append(self._exponent(exponent))
                below = self._without_generators(sympy.denom(sympy.cancel(rewritten[-1])))
                self.bottom = sympy.lcm(self.bottom, below)
        split = [pair for exponent in rewritten for pair in self._exponent_parts(exponent)]
        plain = [multiple for multiple, part in split if part == 1 or part in self.logs]
        self.root = self._shared_root([Rational(1, self.root), *plain])
        self.parts = self._shared_root([Rational(1, self.root), *[multiple for multiple, _ in split]])

    def _shared_root(self, exponents: Iterable[Rational]) -> int:
        """Return a common denominator of exponents, of the coarse ones alone if it would be too fine."""
        denominators = [number.q for number in exponents]
        root = int(sympy.ilcm(1, 1, *denominators))
        if root > self.finest:
            self.has_fine_roots = True
            root = int(sympy.ilcm(1, 1, *[q for q in denominators if q <= min(self.finest, MAX_DEGREE)]))
        if root > MAX_ROOT:
            raise _Unsplit
        return root

    def _exponent(self, exponent: Expr) -> Expr:
        """Rewrite an exponent without roots in its denominator: ``sqrt(b)/sqrt(a)`` is ``sqrt(a) sqrt(b)/a``."""
        image = self.rewrite(sympy.expand(exponent))
        for generator in self._root_generators() & image.free_symbols:
            image = self._with_rational_denominator(image, generator)
        return image

    def _root_generators(self) -> set[Symbol]:
        return {symbol for key, symbol in self.known.items() if isinstance(key, tuple) and key[0] == "root"}

    def _with_rational_denominator(self, image: Expr, generator: Symbol) -> Expr:
        top, bottom = sympy.fraction(sympy.cancel(image))
        rest, power = sympy.factor(bottom).as_coeff_exponent(generator)
        relation = self.relations[generator]
        degree, base = sympy.degree(relation, generator), -relation.subs(generator, 0)
        if rest.has(generator) or steep(image, roots=False):
            return image
        whole = sympy.ceiling(power / degree)
        raised = sympy.rem(sympy.expand(top * generator ** (degree * whole - power)), relation, generator)
        return raised / (rest * base**whole)

    def _exponent_parts(self, exponent: Expr) -> list[tuple[Expr, Expr]]:
        """Split an exponent into rational multiples of monomials, those of a remainder over the common denominator.

        Division by one polynomial has one outcome, which is linear in the dividend: equal sums of exponents give
        equal products of powers.
        """
        if steep(exponent, roots=False):
            raise _Unsplit
        exponent = sympy.cancel(exponent)
        if exponent.is_Rational:
            return [(exponent, sympy.S.One)]
        top, outside = sympy.fraction(sympy.cancel(exponent * self.bottom))
        names = sorted(top.free_symbols | self.bottom.free_symbols, key=str)
        below = outside.free_symbols
        if not (names or below) or not below <= set(self.known.values()):  # infinity, or another denominator
            raise _Unsplit
        if self.bottom == 1:
            return _monomials(top, outside)
        (whole,), rest = sympy.reduced(top, [self.bottom], *names)
        return [*_monomials(whole, outside), *_monomials(rest, outside, self.bottom)]

    def _without_generators(self, below: Expr) -> Expr:
        """Drop the factors of a denominator that are generators: division by what is left is linear over these."""
        factors = sympy.factor_list(below)[1]
        return Mul(*[f**multiplicity for f, multiplicity in factors if f not in self.known.values()])

    def _placed(self, factor: Expr, part: Expr) -> tuple[Expr, Expr]:
        """Return the factor and the part of an exponent that stand for ``factor^part``.

        One logarithm in the exponent of E makes its argument the base; in any other exponent it makes E the base.
        """
        logs = [symbol for symbol in part.free_symbols if symbol in self.logs]
        if factor is sympy.E and len(logs) == 1 and not (part / logs[0]).has(logs[0]):
            return self._placed(self.logs[logs[0]], part / logs[0])
        if factor is not sympy.E and logs:
            return self._placed(sympy.E, part * self._new(("log", factor)))
        return factor, part

    def _raised(self, factor: Expr, part: Expr, multiple: Expr) -> Expr:
        """Return ``factor^(multiple part)`` as a power of the generator ``factor^(1/root)`` or ``factor^(part/parts)``.

        A finer root is a whole power times a generator of its own.
        """
        if part != 1 or factor is sympy.E:
            return self._raised_in_part(factor, part, multiple * self.parts)
        power = multiple * self.root
        if power.is_Integer:
            generator = self._new(("root", factor), positive=True)
            self.relations[generator] = generator**self.root - factor
            return generator**power
        if not self.has_fine_roots:
            raise _Unsplit
        return self._fine_power(factor, multiple)

    def _raised_in_part(self, factor: Expr, part: Expr, power: Rational) -> Expr:
        """Return a power of the generator ``factor^(part/parts)``; what is left of a fine one has its own."""
        if power.is_Integer:
            return self._new(("power", factor, part), positive=True) ** power
        if not self.has_fine_roots:
            raise _Unsplit
        for key, symbol in self.known.items():
            if isinstance(key, tuple) and key[:2] == ("power", factor):
                share = sympy.cancel(key[2] / part)
                for n in RELATED_POWERS if share.is_Rational and not share.is_Integer else ():
                    if (power - n * share).is_Integer:
                        return self._raised_in_part(factor, part, power - n * share) * symbol**n
        whole = sympy.floor(power)
        fine = self._new(("power", factor, part * (power - whole)), positive=True)
        return self._raised_in_part(factor, part, whole) * fine

    def _fine_power(self, factor: Expr, exponent: Rational) -> Expr:
        """Return a power through a fine root of its base, one that is known if the exponents are related."""
        for symbol, root in self._meant_fine_roots(factor).items():
            for power in RELATED_POWERS:
                whole = exponent - power * root.exp
                if whole.is_Integer:
                    return factor**whole * symbol**power
        whole = sympy.floor(exponent)
        return factor**whole * self._new(("fine root", factor, exponent - whole), positive=True)

    def _log(self, argument: Expr) -> Expr:
        if argument.is_number and not argument.is_Rational and not argument.has(sympy.E, sympy.exp):
            return self._log_of_number(argument)
        if isinstance(argument, sympy.exp) and real(argument.args[0], self.on, self.given):
            return self.rewrite(argument.args[0])
        image = _reduced(self.rewrite(argument), self.relations)
        return Add(*[m * self._log_of_factor(f) for f, m in self._factors(image)])

    def _log_of_factor(self, factor: Expr) -> Expr:
        """Of a power or root it is the exponent times the logarithm of the base, which is positive."""
        meant = self._meant_powers() | self._meant_fine_roots() | self._roots()
        if factor not in meant:
            return self._new(("log", factor))
        base, exponent = meant[factor].as_base_exp()
        return self.rewrite(exponent) * (sympy.S.One if base is sympy.E else self._log_of_factor(base))

    def _log_of_number(self, argument: Expr) -> Expr:
        """Of an irrational number and its inverse, the one above 1 is the generator's argument."""
        split = sympy.expand_log(sympy.log(sympy.factor_terms(sympy.cancel(argument), radical=True)))
        if split != sympy.log(argument):
            return self.rewrite(split)
        if (not (argument - 1).is_positive and not (1 - argument).is_positive) or not argument.is_positive:
            raise _Unsplit
        if (known := self._by_another_log(argument)) is not None:
            return known
        inverse = sympy.radsimp(1 / argument)
        return self._new(("log", argument)) if (argument - 1).is_positive else -self._new(("log", inverse))

    def _by_another_log(self, number: Expr) -> Expr | None:
        """Write a logarithm by that of a number whose power it is but for the root of a rational one."""
        for symbol, other in self.logs.items():
            for m, n in RELATED if other.is_number and not other.is_Rational else ():
                square = sympy.expand(sympy.radsimp(number**m / other**n) ** 2)
                if square.is_Rational:
                    return (n * symbol + self.rewrite(sympy.log(square)) / 2) / m
        return None

    def _factors(self, image: Expr, expr: Expr | None = None) -> list[tuple[Expr, int]]:
        """Split a positive image into irreducible positive factors, the rational constant into primes.

        Roots and logarithms do not split over factors of unknown sign: then there is no answer. One such factor has the
        sign that makes the image positive, where the expression that it is the image of is seen to be.
        """
        top, bottom = sympy.fraction(sympy.together(image))
        constant, oriented, unsure = sympy.S.One, [], []
        for factor, multiplicity in [*_factor_list(top, 1), *_factor_list(bottom, -1)]:
            if factor.is_Rational:
                constant *= factor**multiplicity
            elif sign := self._sign(factor):
                constant *= sympy.Integer(sign) ** multiplicity
                oriented.append((sign * factor, multiplicity))
            else:
                unsure.append((factor, multiplicity))
        if unsure:
            (factor, multiplicity), sign = self._only_odd(unsure, expr), 1 if constant.is_positive else -1
            constant *= sign
            oriented.append((sign * factor, multiplicity))
        if not constant.is_positive:
            raise _Unsplit
        return oriented + [(sympy.Integer(n), e) for n, e in sympy.factorrat(constant).items()]

    def _without_sign(self, expr: Expr) -> Expr:
        if not (sign := self._sign(expr)):
            raise _Unsplit
        return self.rewrite(sign * expr)

    def _only_odd(self, unsure: list[tuple[Expr, int]], expr: Expr | None) -> tuple[Expr, int]:
        """Return the factor whose sign is that of the others, as they and it make up what is positive."""
        if (
            len(unsure) > 1
            or unsure[0][1] % 2 == 0
            or expr is None
            or not positive(expr, self.on, self.given)
        ):
            raise _Unsplit
        return unsure[0]

    def _sign(self, factor: Expr) -> int:
        """Return 1 or -1 if that is the sign of a factor, and 0 if none is seen."""
        for sign in (1, -1):
            turned = sign * factor
            if positive(turned, self.on, self.given) or positive(self._meant(turned), self.on, self.given):
                return sign
        return 0

    def _meant_powers(self) -> dict[Symbol, Expr]:
        return {
            symbol: key[1] ** (key[2] / self.parts)
            for key, symbol in self.known.items()
            if isinstance(key, tuple) and key[0] == "power"
        }

    def _meant_roots(self) -> dict[Symbol, Pow]:
        """Return what the generators for roots stand for, if a fine root may be taken of one."""
        return self._roots() if self.has_fine_roots else {}

    def _roots(self) -> dict[Symbol, Pow]:
        return {
            symbol: Pow(key[1], Rational(1, self.root), evaluate=False)
            for key, symbol in self.known.items()
            if isinstance(key, tuple) and key[0] == "root"
        }

    def _roots_of_numbers(self) -> dict[Symbol, Expr]:
        return {symbol: root.base**root.exp for symbol, root in self._roots().items() if root.base.is_number}

    def _meant_fine_roots(self, of: Expr | None = None) -> dict[Symbol, Pow]:
        """Return what the generators for fine roots stand for, those of all bases or of one."""
        return {
            symbol: Pow(key[1], key[2], evaluate=False)
            for key, symbol in self.known.items()
            if isinstance(key, tuple) and key[0] == "fine root" and of in (None, key[1])
        }

    def _meant(self, image: Expr) -> Expr:
        """Put back the powers, roots and logarithms that generators stand for: of ``1 - s^a`` a sign may be known."""
        meant = self._meant_powers() | self._meant_fine_roots() | self._roots()
        meant |= {symbol: sympy.log(inner) for symbol, inner in self.logs.items()}
        for _ in meant:  # a base, an exponent or an argument may hold generators
            image = image.xreplace(meant)
        return image


def _is_rational(expr: Expr) -> bool:
    """Return whether an expression is a rational function of its symbols over the rationals."""
    return all(
        isinstance(node, Symbol | Rational | Add | Mul) or (isinstance(node, Pow) and node.exp.is_Integer)
        for node in sympy.preorder_traversal(expr)
    )


def _nested(exponent: Expr) -> int:
    """Count powers in an exponent: of a power inside it the exponent comes first."""
    return len(exponent.atoms(Pow, sympy.exp))


def _is_moving_root(power: Pow) -> bool:
    return bool(power.exp.is_Rational and not power.exp.is_Integer and power.free_symbols)


def _is_whole(base: Expr, exponent: Expr) -> bool:
    return bool(exponent.is_Integer) and base is not sympy.E


def _monomials(top: Expr, outside: Expr, bottom: Expr = sympy.S.One) -> list[tuple[Expr, Expr]]:
    pairs = [(term / outside).as_coeff_Mul() for term in Add.make_args(sympy.expand(top))]
    return [(coefficient, monomial / bottom) for coefficient, monomial in pairs if coefficient != 0]


class _Unsplit(Exception):
    """A root, a power or a logarithm that does not split by the rules."""


def _factor_list(expr: Expr, sign: int) -> list[tuple[Expr, int]]:
    if (number := sympy.expand(expr)).is_Rational:
        return [(number, sign)]
    coefficient, factors = sympy.factor_list(expr)
    return [(coefficient, sign), *[(factor, sign * multiplicity) for factor, multiplicity in factors]]


def is_zero_modulo(image: Expr, relations: dict[Symbol, Expr]) -> bool:
    """Is the numerator zero modulo the relations, and the denominator not?"""
    if not relations:
        return bool(fraction(image, _ring(image.free_symbols))[0] == 0)
    top, bottom = _remainders(image, relations)
    return bool(top == 0 and bottom != 0)


def _reduced(image: Expr, relations: dict[Symbol, Expr]) -> Expr:
    """Write a rational function of generators with remainders modulo the relations, if there are any."""
    if not relations or not image.free_symbols & set(relations):
        return image
    top, bottom = _remainders(sympy.together(image), relations)
    return image if bottom == 0 else top.as_expr() / bottom.as_expr()


def _remainders(image: Expr, relations: dict[Symbol, Expr]) -> tuple[PolyElement, PolyElement]:
    """Reduce numerator and denominator modulo the relations: they are a Groebner basis, later roots leading."""
    rules = [sympy.numer(sympy.together(rule)) for rule in relations.values()]
    others = set().union(*[expr.free_symbols for expr in (image, *rules)]) - set(relations)
    ring = _ring(others, *reversed(relations))
    top, below = fraction(image, ring)
    basis = [ring.from_expr(rule) for rule in rules]
    return top.rem(basis), expanded(below, ring).rem(basis)


def _ring(letters: set[Symbol], *leading: Symbol) -> PolyRing:
    return PolyRing([*leading, *sorted(letters, key=str)], sympy.QQ, sympy.lex)
