"""Sums with exponentials, error functions, logarithms and powers in which the first terms of their series cancel.

Near ``z = 0``, ``1 - (1 + z) exp(-z)`` is ``z^2/2``, of which no digit is left. With ``exp(-z) = T + R``, T being the
first terms of the series and R the rest, it is ``1 - (1 + z) T``, a polynomial in which what cancels has gone, and
``-(1 + z) R``, where R has a series of its own. Likewise for ``z exp(z) E_n(z)``, and with it
``sqrt(pi) z exp(z^2) erfc z``, where z is large, by the asymptotic series.

Source: NIST Digital Library of Mathematical Functions, 4.2.19, 4.6.1, 4.6.7, 7.6.1, 7.12.1, 8.9.2 and 8.20.2.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Rational, Symbol
from sympy.polys.fields import FracElement
from sympy.polys.polyerrors import CoercionFailed
from sympy.polys.rings import PolyElement

from costderive.core.numpy_on_demand import NDArray, np
from costderive.numeric.beside_ends import DISTANCE, EXPM1, GAP, LOG1P, vanishes
from costderive.numeric.long_gamma import slowly
from costderive.numeric.scaled import ERFC, ERFCX, EXPINTX, FUNCTIONS, asymptotic

NEAR = sympy.Function("near")  # near(reach, z, close, far): ``close`` where |z| <= reach, elsewhere ``far``
SMALL = ((1, 0), (0, 1), (1, 1))  # powers of one small number by which the two distances fall
MOST = 16  # terms of a series that may cancel
EPSILON = 2.0**-66
GUARD = 10  # digits
DEPTH = 32  # pairs of fractions


@dataclass(frozen=True, slots=True)
class Series:
    """A series ``1 + ...`` in a small number by the ratios of its terms, perhaps with a shape.

    Without its first n terms it is used as far as it reaches.
    """

    name: str
    ratio: Callable[..., Any]  # of term k to the one before, from k in any arithmetic and the shape
    reach: Callable[[int], Expr]

    def rest(self, n: int, small: Expr, shape: tuple[Expr, ...]) -> Expr:
        """Return the rest as an expression."""
        return sympy.Function(self.name)(*shape, n, small)

    def term(self, n: int, *shape: Any, one: Any = sympy.S.One) -> Any:
        """Return the factor of term n, in the arithmetic of ``one``."""
        return math.prod((self.ratio(k * one, *shape) for k in range(1, n + 1)), start=one)

    def long(self, *given: Any) -> NDArray[Any]:
        """Return the rest in long numbers, from the shape, n, and small numbers within reach."""
        *shape, n, small = given
        reach = float(self.reach(n))
        small = np.clip(small, -reach, reach)
        found = np.ones_like(small)
        for k in range(n + self._length(n, *shape), n, -1):
            found = 1 + found * small * self.ratio(np.longdouble(k), *shape)
        return np.asarray(found * small**n * self.term(n, *shape, one=np.longdouble(1)))

    @functools.cache  # noqa: B019
    def _length(self, n: int, *shape: Any) -> int:
        """Return how many terms of a rest count."""
        reach, count, term = float(self.reach(n)), 0, 1.0
        while term > EPSILON:
            count += 1
            term *= abs(float(self.ratio(n + count, *shape))) * reach
        return count

    def digits(self, *given: Any) -> Any:
        """Return the rest to the working precision, 0 out of reach."""
        *shape, n, small = given
        if abs(small) > float(self.reach(n)):
            return mpmath.mpf(0)
        term = total = self.term(n, *shape, one=mpmath.mpf(1)) * small**n
        for k in itertools.count(n + 1):
            term *= self.ratio(mpmath.mpf(k), *shape) * small
            total += term
            if abs(term) <= mpmath.eps * abs(total):
                return total
        raise AssertionError


EXPONENTIAL = Series("exp_rest", lambda k: 1 / k, lambda n: Rational(n, 2))
POWER = Series("power_rest", lambda k, a: (a - k + 1) / k, lambda _: Rational(1, 2))  # (1 + w)^a
LOGARITHM = Series("log_rest", lambda k: -k / (k + 1), lambda _: Rational(7, 8))  # log(1 + w)/w
# sqrt(pi/w)/2 erf(sqrt w)
ERROR = Series("erf_rest", lambda k: -(2 * k - 1) / (k * (2 * k + 1)), lambda n: Rational(n, 2))
# z exp(z) E_n(z), z being 1/w: of order 1/2 it is sqrt(pi z) erfcx(sqrt z)
EXPINT = Series("expintx_rest", lambda k, order: 1 - order - k, lambda n: Rational(1, n))


def without_cancelling(integrand: Expr) -> Expr:
    """Rewrite the sums of an integrand, by both distances, whose terms cancel where a series begins."""
    plain = integrand.replace(sympy.exp, _with_factors)  # equal exponents are seen to be equal
    found = plain.replace(sympy.Add, lambda *terms: _kept(sympy.Add(*terms)))
    return found.replace(LOG1P, _logarithm)


def _logarithm(above: Expr) -> Expr:
    """Return ``log(1 + above)``, by the whole where that may be nearly 0: it has digits that ``above`` has not."""
    whole = sympy.factor(1 + above)
    near = LOG1P(above)
    return NEAR(Rational(1, 2), above, near, sympy.log(whole)) if vanishes(whole) else near


def _long_expint(order: Any, n: int, w: NDArray[Any]) -> NDArray[Any]:
    """Return the rest of the asymptotic series, where it is asked for."""
    found, is_near = np.zeros_like(w), w * n <= 1
    near, first = w[is_near], EXPINT.term(n, order, one=np.longdouble(1))
    found[is_near] = first * near**n * slowly(1 - order - n, near, n)
    return found


def _digits_expint(order: Any, n: Any, w: Any) -> Any:
    """Return the rest of the asymptotic series to the working precision, 0 out of reach."""
    if w * n > 1:
        return mpmath.mpf(0)
    one = mpmath.mpf(1)
    rest = asymptotic(EXPINT.ratio(k * one, order) * w for k in itertools.count(n + 1))
    if rest is not None:
        return EXPINT.term(n, order, one=one) * w**n * rest
    with mpmath.extradps(GUARD - n * int(mpmath.log10(w))):
        first = mpmath.fsum(EXPINT.term(k, order, one=one) * w**k for k in range(n))
        return FUNCTIONS["expintx"](order, 1 / w) / w - first


def _long_logarithm(n: int, w: NDArray[Any]) -> NDArray[Any]:
    """Return the rest of the logarithm where it is asked for, by Gauss's continued fraction: its reach is long.

    Source: NIST Digital Library of Mathematical Functions, 15.7.5, for ``F(n + 1, 1; n + 2; -w)``.
    """
    found, is_near = np.zeros_like(w), abs(w) <= float(LOGARITHM.reach(n))
    near, one = w[is_near], np.longdouble(1)
    last = np.ones_like(near)
    for k in range(DEPTH, -1, -1):
        last = 1 + near * ((k + 1) ** 2 * one / ((n + 2 * k + 2) * (n + 2 * k + 3))) / last
        last = 1 + near * ((n + 1 + k) ** 2 * one / ((n + 1 + 2 * k) * (n + 2 + 2 * k))) / last
    found[is_near] = (-near) ** n / ((n + 1) * last)
    return found


def _long_near(reach: Any, z: NDArray[Any], close: NDArray[Any], far: NDArray[Any]) -> NDArray[Any]:
    """Return one of two forms of the same numbers, by the size of z."""
    return np.where(abs(z) <= reach, close, far)


def _digits_near(reach: Any, z: Any, close: Any, far: Any) -> Any:
    """Return one of two forms of the same number, by the size of z."""
    return close if abs(z) <= reach else far


CONVERGENT = (EXPONENTIAL, POWER, LOGARITHM, ERROR)
RESTS_IN_LONG: dict[str, Callable[..., Any]] = {
    "near": _long_near,
    **{series.name: series.long for series in CONVERGENT},
    EXPINT.name: _long_expint,
    LOGARITHM.name: _long_logarithm,
}
RESTS_IN_DIGITS: dict[str, Callable[..., Any]] = {
    "near": _digits_near,
    EXPINT.name: _digits_expint,
    **{series.name: series.digits for series in CONVERGENT},
}


@dataclass(frozen=True, slots=True)
class _Begun:
    """A function with a series in a small number that is rational in the distances: ``node`` is a factor times it."""

    node: Expr
    factor: Expr
    series: Series
    small: Expr
    shape: tuple[Expr, ...] = ()

    @property
    def alone(self) -> Expr:
        """The function that has the series."""
        return self.node / self.factor


@dataclass(frozen=True, slots=True)
class _Term:
    """A function in a sum: its factor, and its small number in the field of the sum."""

    factor: FracElement
    small: FracElement
    begun: _Begun

    def first(self, n: int) -> FracElement:
        """Return the first n terms of the series, times the factor."""
        terms = (
            sympy.QQ.from_sympy(self.begun.series.term(k, *self.begun.shape)) * self.small**k
            for k in range(n)
        )
        return self.factor * sum(terms, self.factor.field.zero)


@dataclass(frozen=True, slots=True)
class _Roots:
    """Letters of a field that stand for roots of numbers, by their places: the power of each that is a number."""

    numbers: tuple[tuple[int, int, Any], ...]

    @classmethod
    def of(cls, field: Any, names: dict[Expr, Symbol]) -> _Roots:
        """Return those among what has been named."""
        return cls(
            tuple(
                (field.symbols.index(name), int(node.exp.q), sympy.QQ.from_sympy(node.base))
                for node, name in names.items()
                if isinstance(node, sympy.Pow) and node.base.is_Rational
            )
        )

    def reduced(self, f: FracElement) -> FracElement:
        """Return a function in which no root has a power that is a number: ``sqrt(2)^2 - 2`` is 0."""
        return f.field.new(*map(self._lowered, (f.numer, f.denom))) if self.numbers else f

    def _lowered(self, part: PolyElement) -> PolyElement:
        return sum((part.ring.from_dict(dict([self._low(*term)])) for term in part.terms()), part.ring.zero)

    def _low(self, powers: tuple[int, ...], number: Any) -> tuple[tuple[int, ...], Any]:
        """Return a term in which the powers that are numbers are put to its number."""
        left = list(powers)
        for place, degree, base in self.numbers:
            whole, left[place] = divmod(powers[place], degree)
            number *= base**whole
        return tuple(left), number


@dataclass(frozen=True, slots=True)
class _Sum:
    """``plain + factor_1 f_1(z_1) + ...``, all rational functions of both distances and of what has been named."""

    plain: FracElement
    parts: tuple[_Term, ...]
    roots: _Roots

    @classmethod
    def of(cls, total: Expr, begun: list[_Begun]) -> tuple[_Sum, Callable[[FracElement], Expr]] | None:
        """Read a sum that is linear in some functions, and return what writes its parts."""
        functions = {one.alone: one for one in begun}
        symbols = {function: sympy.Dummy() for function in functions}
        names: dict[Expr, Symbol] = {}
        named = _named(total.xreplace({one.node: one.factor * symbols[one.alone] for one in begun}), names)
        small = [_named(one.small, names) for one in functions.values()]
        field = sympy.QQ.frac_field(DISTANCE, GAP, *names.values(), *symbols.values())
        try:
            whole, *arguments = map(field.from_sympy, (named, *small))
        except (CoercionFailed, ValueError, ZeroDivisionError):
            return None
        factors = _linear(whole, len(symbols))
        if factors is None:
            return None
        roots = _Roots.of(field, names)
        plain, *others = map(roots.reduced, factors)
        found = zip(others, arguments, functions.values(), strict=True)
        parts = tuple(_Term(factor, argument, one) for factor, argument, one in found if factor)
        back, inner = ({name: node for node, name in table.items()} for table in (names, symbols))
        return cls(
            plain, parts, roots
        ), lambda found: sympy.factor(field.to_sympy(found)).xreplace(back).xreplace(inner)

    def rational(self, n: int) -> FracElement:
        """Return what is rational with the first n terms of each series."""
        return self.roots.reduced(sum((part.first(n) for part in self.parts), self.plain))

    def cancels(self, n: int) -> bool:
        """Return whether what is rational is no larger than the rests beside some end, so that they may cancel."""
        if not self.plain and len(self.parts) == 1:
            return False
        rational = self.rational(n)
        return any(_order(rational, small) >= least for small in SMALL for least in self._rests(n, small))

    def _rests(self, n: int, small: tuple[int, int]) -> Iterator[float]:
        """Yield how fast the rests fall beside an end where all arguments do."""
        orders = [(_order(part.factor, small), _order(part.small, small)) for part in self.parts]
        if orders and all(order > 0 for _, order in orders):
            yield min(first + n * order for first, order in orders)


def _linear(whole: FracElement, count: int) -> list[FracElement] | None:
    """Return what is free of the last so many letters, and the factor of each, None if there is more."""
    ring = whole.numer.ring
    parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(count + 1)]
    for powers, number in whole.numer.terms():
        degrees = powers[-count:]
        if sum(degrees) > 1:
            return None
        parts[degrees.index(1) + 1 if any(degrees) else 0][powers[:-count] + (0,) * count] = number
    if any(any(powers[-count:]) for powers in whole.denom.itermonoms()):
        return None
    return [whole.field.new(ring.from_dict(part), whole.denom) for part in parts]


def _kept(total: Expr) -> Expr:
    """Return a sum as it is, or, where small arguments make it cancel, by its rests."""
    if common := _common_exponentials(total):
        return sympy.Mul(*common) * _kept(sympy.Add(*(_without(term, common) for term in total.args)))
    plain = _from_ones(total).replace(_has_roots, _factored)
    for form in dict.fromkeys((plain, _from_whole(plain))):
        total = _beside_small(sympy.factor_terms(form), total)
    return total


def _beside_small(plain: Expr, total: Expr) -> Expr:
    """Return a sum by its rests where the arguments of its functions, as it is written plainly, are small."""
    begun = list(_begun(plain))
    read = _Sum.of(plain, begun) if begun else None
    if read is None or not read[0].cancels(0):
        return total
    found, written = read
    n = next((n for n in range(1, MOST) if not found.cancels(n)), None)
    if n is None:
        return total
    close = written(found.rational(n))
    for part in found.parts:
        close += written(part.factor) * part.begun.series.rest(n, written(part.small), part.begun.shape)
    for part in found.parts:
        close = NEAR(part.begun.series.reach(n), written(part.small), close, total)
    return close


def _common_exponentials(total: Expr) -> set[Expr]:
    """Return the exponentials that each term of a sum has as a factor."""
    terms = total.args if total.is_Add else ()
    factors = [{node for node in sympy.Mul.make_args(term) if isinstance(node, sympy.exp)} for term in terms]
    return set.intersection(*factors) if factors else set()


def _without(term: Expr, factors: set[Expr]) -> Expr:
    return sympy.Mul(*(factor for factor in sympy.Mul.make_args(term) if factor not in factors))


def _has_roots(node: Expr) -> bool:
    """Return whether an expression is a power of a sum that has roots, as in a denominator."""
    return isinstance(node, sympy.Pow) and node.base.is_Add and any(map(_is_root, node.base.atoms(sympy.Pow)))


def _factored(power: Expr) -> Expr:
    """Return a power of a sum with that sum factored, but no root in it."""
    names: dict[Expr, Symbol] = {}
    base = sympy.factor(_named(power.base, names))
    return base.xreplace({name: node for node, name in names.items()}) ** power.exp


def _is_root(node: Expr) -> bool:
    return bool(node.exp.is_Rational and not node.exp.is_Integer)


def _begun(total: Expr) -> Iterator[_Begun]:
    """Yield the functions of a sum that have a series."""
    for node in sorted(
        total.atoms(sympy.exp, sympy.erf, ERFCX, EXPINTX, LOG1P, sympy.Pow), key=sympy.default_sort_key
    ):
        found = _series_of(node)
        if found is not None and _is_rational(found.small):
            yield found


def _series_of(node: Expr) -> _Begun | None:
    z = node.args[0]
    if isinstance(node, sympy.exp):
        return _Begun(node, sympy.S.One, EXPONENTIAL, z)
    if isinstance(node, ERFCX):
        return _Begun(node, 1 / (sympy.sqrt(sympy.pi) * z), EXPINT, z**-2, (sympy.S.Half,))
    if isinstance(node, EXPINTX):
        order, z = node.args
        return _Begun(node, 1 / z, EXPINT, 1 / z, (order,)) if order.is_Rational else None
    if isinstance(node, sympy.erf):
        return _Begun(node, 2 * z / sympy.sqrt(sympy.pi), ERROR, z**2)
    if isinstance(node, LOG1P):
        return _Begun(node, z, LOGARITHM, z)
    above, whole = sympy.factor(z - 1), sympy.floor(node.exp)
    if _is_root(node) and vanishes(above):
        return _Begun(node, z**whole, POWER, above, (node.exp - whole,))
    return None


def _order(f: FracElement, small: tuple[int, int]) -> float:
    """Return the power of a small number by which a function falls if the distances fall by theirs."""
    if not f:
        return math.inf
    return _least(f.numer, small) - _least(f.denom, small)


def _least(part: PolyElement, small: tuple[int, int]) -> int:
    return int(min(small[0] * powers[0] + small[1] * powers[1] for powers in part.itermonoms()))


def _named(node: Expr, names: dict[Expr, Symbol]) -> Expr:
    """Name what is not rational in an expression."""
    if node.is_Rational or node.is_Symbol:
        return node
    if node == sympy.pi:
        return _named(sympy.sqrt(node), names) ** 2
    if isinstance(node, sympy.Pow) and node.is_number and _is_root(node):
        return names.setdefault(node.base ** Rational(1, node.exp.q), sympy.Dummy()) ** node.exp.p
    is_power = isinstance(node, sympy.Pow) and node.exp.is_Integer
    if is_power or isinstance(node, sympy.Add | sympy.Mul):
        return node.func(*(_named(part, names) for part in node.args))
    return names.setdefault(node, sympy.Dummy())


def _from_ones(node: Expr) -> Expr:
    """Return a rational function of functions in which the series of ``exp z - 1`` is seen."""
    if isinstance(node, EXPM1):
        return _from_one(node.args[0])
    if isinstance(node, sympy.Add | sympy.Mul):
        return node.func(*map(_from_ones, node.args))
    is_power = isinstance(node, sympy.Pow) and node.exp.is_Integer
    return _from_ones(node.base) ** node.exp if is_power else node


def _from_one(z: Expr) -> Expr:
    """Return ``exp z - 1`` so that its series is seen, if it has one."""
    power, inner = z.as_independent(DISTANCE, GAP, as_Add=False)
    if isinstance(inner, LOG1P):
        return (1 + inner.args[0]) ** power - 1
    return sympy.exp(z) - 1 if _is_rational(z) else EXPM1(z)


def _from_whole(total: Expr) -> Expr:
    """Return a sum with ``1 - erf z`` for erfc z, scaled or not, where z may be small, so that its series is seen."""
    found = total.replace(ERFC, lambda z: 1 - sympy.erf(z) if vanishes(z) else ERFC(z))
    scaled = found.replace(ERFCX, lambda z: sympy.exp(z**2) * (1 - sympy.erf(z)) if vanishes(z) else ERFCX(z))
    return found if scaled == found else scaled.replace(sympy.exp, _with_factors)


def _with_factors(z: Expr) -> Expr:
    return sympy.exp(sympy.factor(z) if _is_rational(z) else z)


def _is_rational(z: Expr) -> bool:
    return bool(z.is_rational_function(DISTANCE, GAP)) and z.has(DISTANCE, GAP)
