"""Sums with exponentials, error functions and powers in which the first terms of their series cancel.

Near ``z = 0``, ``1 - (1 + z) exp(-z)`` is ``z^2/2``, of which no digit is left. With ``exp(-z) = T + R``, T being the
first terms of the series and R the rest, it is ``1 - (1 + z) T``, a polynomial in which what cancels has gone, and
``-(1 + z) R``, where R has a series of its own. Likewise for ``sqrt(pi) z exp(z^2) erfc z`` where z is large, by its
asymptotic series in ``w = 1/z^2``, and for ``(1 + w)^a``.

Source: NIST Digital Library of Mathematical Functions, 7.12.1, 8.8.9 and 4.6.7.
"""

from __future__ import annotations

import functools
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
from costderive.numeric.beside_ends import DISTANCE, EXPM1, GAP, vanishes
from costderive.numeric.long_gamma import fraction_in_reciprocal
from costderive.numeric.scaled import ERFCX, FUNCTIONS

REST = sympy.Function("rest")  # of the series of exp without its first n terms
ERFCX_REST = sympy.Function("erfcx_rest")  # of that of sqrt(pi) z erfcx(z) in w = 1/z^2
POWER_REST = sympy.Function("power_rest")  # of that of (1 + w)^a
NEAR = sympy.Function("near")  # near(reach, z, close, far): ``close`` where |z| <= reach, elsewhere ``far``
SMALL = ((1, 0), (0, 1), (1, 1))  # powers of one small number by which the two distances fall
MOST = 16  # terms of a series that may cancel
EPSILON = 2.0**-66
HALF = Rational(1, 2)
TERMS_OF_POWER = 72  # that count at 1/2


@dataclass(frozen=True, slots=True)
class Series:
    """A series in a small number, the rest of it, and how far it reaches without its first n terms."""

    term: Callable[[int], Expr]
    rest: Callable[[int, Expr], Expr]
    reach: Callable[[int], Expr]

    def first(self, n: int, z: FracElement) -> FracElement:
        """Return the first n terms."""
        return sum((z**k * sympy.QQ.from_sympy(self.term(k)) for k in range(n)), z.field.zero)


EXPONENTIAL = Series(lambda k: 1 / sympy.factorial(k), REST, sympy.Integer)
COMPLEMENT = Series(lambda k: sympy.rf(HALF, k) * (-1) ** k, ERFCX_REST, lambda n: Rational(1, n))


def _power(a: Expr) -> Series:
    return Series(lambda k: sympy.binomial(a, k), lambda n, w: POWER_REST(a, n, w), lambda _: HALF)


def without_cancelling(integrand: Expr) -> Expr:
    """Rewrite the sums of an integrand, by both distances, whose terms cancel where a series begins."""
    return integrand.replace(sympy.Add, lambda *terms: _kept(sympy.Add(*terms)))


def long_rest(n: int, z: NDArray[Any]) -> NDArray[Any]:
    """Return what the series of ``exp z`` has beyond its first n terms, for ``-n <= z <= n``."""
    z = np.clip(z, -n, n)
    found = np.ones_like(z)
    for k in range(n + _length(n), n, -1):
        found = 1 + found * z / k
    return np.asarray(found * z**n / math.factorial(n))


@functools.cache
def _length(n: int) -> int:
    """Return how many terms of a rest count."""
    count, term = 0, 1.0
    while term > EPSILON:
        count += 1
        term *= n / (n + count)
    return count


def long_erfcx_rest(n: int, w: NDArray[Any]) -> NDArray[Any]:
    """Return what the series of ``sqrt(pi) z erfcx(z)`` has beyond its first n terms, for ``w = 1/z^2 <= 1/n``."""
    w = np.clip(w, 0, np.longdouble(1) / n)
    return np.asarray(float(COMPLEMENT.term(n)) * w**n / fraction_in_reciprocal(0.5 - n, w, n))


def long_power_rest(a: Any, n: int, w: NDArray[Any]) -> NDArray[Any]:
    """Return what the series of ``(1 + w)^a`` has beyond its first n terms, for ``|w| <= 1/2``."""
    w = np.clip(w, -0.5, 0.5)
    found = np.ones_like(w)
    for k in range(n + TERMS_OF_POWER, n, -1):
        found = 1 + found * w * (a - k + 1) / k
    return np.asarray(found * w**n * math.prod((a - k) / (k + 1) for k in range(n)))


def long_near(reach: Any, z: NDArray[Any], close: NDArray[Any], far: NDArray[Any]) -> NDArray[Any]:
    """Return one of two forms of the same numbers, by the size of z."""
    return np.where(abs(z) <= reach, close, far)


def digits_rest(n: Any, z: Any) -> Any:
    """Return what the series of ``exp z`` has beyond its first n terms, for ``-n <= z <= n``."""
    z = max(-n, min(n, z))
    return _summed(z**n / mpmath.factorial(n), lambda k: z / k, n)


def digits_erfcx_rest(n: Any, w: Any) -> Any:
    """Return what the series of ``sqrt(pi) z erfcx(z)`` has beyond its first n terms, for ``w = 1/z^2 <= 1/n``."""
    x, half = max(1 / mpmath.mpf(w), n), mpmath.mpf(1) / 2
    return (-1) ** n * mpmath.rf(half, n) * mpmath.sqrt(x) * FUNCTIONS["gammax"](half - n, x)


def digits_power_rest(a: Any, n: Any, w: Any) -> Any:
    """Return what the series of ``(1 + w)^a`` has beyond its first n terms, for ``|w| <= 1/2``."""
    w = max(-0.5, min(0.5, w))
    return _summed(mpmath.binomial(a, n) * w**n, lambda k: w * (a - k + 1) / k, n)


def _summed(term: Any, ratio: Callable[[Any], Any], n: Any) -> Any:
    """Return the sum of terms of a series from one on, by their ratios."""
    total = term
    while abs(term) > mpmath.eps * abs(total):
        n += 1
        term *= ratio(n)
        total += term
    return total


def digits_near(reach: Any, z: Any, close: Any, far: Any) -> Any:
    """Return one of two forms of the same number, by the size of z."""
    return close if abs(z) <= reach else far


RESTS_IN_LONG = {
    "rest": long_rest,
    "erfcx_rest": long_erfcx_rest,
    "power_rest": long_power_rest,
    "near": long_near,
}
RESTS_IN_DIGITS = {
    "rest": digits_rest,
    "erfcx_rest": digits_erfcx_rest,
    "power_rest": digits_power_rest,
    "near": digits_near,
}


@dataclass(frozen=True, slots=True)
class _Begun:
    """A function with a series in a small number that is rational in the distances: ``node`` is a factor times it."""

    node: Expr
    factor: Expr
    series: Series
    small: Expr

    @property
    def alone(self) -> Expr:
        """The function that has the series."""
        return self.node / self.factor


@dataclass(frozen=True, slots=True)
class _Sum:
    """``plain + factor_1 f_1(z_1) + ...``, all rational functions of both distances and of what has been named."""

    plain: FracElement
    parts: tuple[
        tuple[FracElement, FracElement, Series], ...
    ]  # factors, arguments, and series of the functions

    @classmethod
    def of(cls, total: Expr, begun: list[_Begun]) -> tuple[_Sum, Callable[[FracElement], Expr]] | None:
        """Read a sum that is linear in some functions, and return what writes its parts."""
        functions = {one.alone: one for one in begun}
        symbols = {function: sympy.Dummy() for function in functions}
        names: dict[Expr, Symbol] = {}
        named = _named(total.xreplace({one.node: one.factor * symbols[one.alone] for one in begun}), names)
        field = sympy.QQ.frac_field(DISTANCE, GAP, *names.values())
        try:
            terms = sympy.Poly(named, *symbols.values(), domain=field).terms()
        except (sympy.PolynomialError, CoercionFailed):
            return None
        if any(sum(degrees) > 1 for degrees, _ in terms):
            return None
        factors = {degrees: field.from_sympy(factor) for degrees, factor in terms}
        plain = factors.pop((0,) * len(symbols), field.zero)
        found = [(factor, [*functions.values()][degrees.index(1)]) for degrees, factor in factors.items()]
        parts = tuple((factor, field.from_sympy(one.small), one.series) for factor, one in found)
        back = {name: node for node, name in names.items()}
        return cls(plain, parts), lambda element: sympy.factor(field.to_sympy(element)).xreplace(back)

    def rational(self, n: int) -> FracElement:
        """Return what is rational with the first n terms of each series."""
        return sum((factor * series.first(n, z) for factor, z, series in self.parts), self.plain)

    def cancels(self, n: int) -> bool:
        """Return whether what is rational is no larger than the rests beside some end, so that they may cancel."""
        if not self.plain and len(self.parts) == 1:
            return False
        rational = self.rational(n)
        return any(_order(rational, small) >= least for small in SMALL for least in self._rests(n, small))

    def _rests(self, n: int, small: tuple[int, int]) -> Iterator[float]:
        """Yield how fast the rests fall beside an end where all arguments do."""
        orders = [(_order(factor, small), _order(z, small)) for factor, z, _ in self.parts]
        if orders and all(order > 0 for _, order in orders):
            yield min(first + n * order for first, order in orders)


def _kept(total: Expr) -> Expr:
    """Return a sum as it is, or, where small arguments make it cancel, by its rests."""
    if common := _common_exponentials(total):
        return sympy.Mul(*common) * _kept(sympy.Add(*(_without(term, common) for term in total.args)))
    plain = total.replace(EXPM1, _from_one).replace(_has_roots, _factored)
    begun = list(_begun(plain))
    read = _Sum.of(plain, begun) if begun else None
    if read is None or not read[0].cancels(0):
        return total
    found, written = read
    n = next((n for n in range(1, MOST) if not found.cancels(n)), None)
    if n is None:
        return total
    rests = (written(factor) * series.rest(n, written(z)) for factor, z, series in found.parts)
    close = written(found.rational(n)) + sympy.Add(*rests)
    for _, z, series in found.parts:
        close = NEAR(series.reach(n), written(z), close, total)
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
    for node in sorted(total.atoms(sympy.exp, ERFCX, sympy.Pow), key=sympy.default_sort_key):
        found = _series_of(node)
        if found is not None and _is_rational(found.small):
            yield found


def _series_of(node: Expr) -> _Begun | None:
    if isinstance(node, sympy.exp):
        return _Begun(node, sympy.S.One, EXPONENTIAL, node.args[0])
    if isinstance(node, ERFCX):
        z = node.args[0]
        return _Begun(node, 1 / (sympy.sqrt(sympy.pi) * z), COMPLEMENT, z**-2)
    above, whole = sympy.factor(node.base - 1), sympy.floor(node.exp)
    if _is_root(node) and vanishes(above):
        return _Begun(node, node.base**whole, _power(node.exp - whole), above)
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
    is_power = isinstance(node, sympy.Pow) and node.exp.is_Integer
    if is_power or isinstance(node, sympy.Add | sympy.Mul):
        return node.func(*(_named(part, names) for part in node.args))
    return names.setdefault(node, sympy.Dummy())


def _from_one(z: Expr) -> Expr:
    return sympy.exp(z) - 1 if _is_rational(z) else EXPM1(z)


def _is_rational(z: Expr) -> bool:
    return bool(z.is_rational_function(DISTANCE, GAP)) and z.has(DISTANCE, GAP)
