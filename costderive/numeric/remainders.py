"""Sums with exponentials in which the first terms of their series cancel, as where an argument is small.

Near ``z = 0``, ``1 - (1 + z) exp(-z)`` is ``z^2/2``, of which no digit is left. With ``exp(-z) = T + R``, T being the
first terms of the series and R the rest, it is ``1 - (1 + z) T``, a polynomial in which what cancels has gone, and
``-(1 + z) R``, where R has a series of its own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Symbol
from sympy.polys.fields import FracElement
from sympy.polys.polyerrors import CoercionFailed
from sympy.polys.rings import PolyElement

from costderive.core.numpy_on_demand import NDArray, np
from costderive.numeric.beside_ends import DISTANCE, EXPM1, GAP

REST = sympy.Function("rest")  # of the series of exp without its first n terms
NEAR = sympy.Function("near")  # near(n, z, close, far): ``close`` where -n <= z <= n, elsewhere ``far``
SMALL = ((1, 0), (0, 1), (1, 1))  # powers of one small number by which the two distances fall
MOST = 16  # terms of a series that may cancel
EPSILON = 2.0**-66


def without_cancelling(integrand: Expr) -> Expr:
    """Rewrite the sums of an integrand, by both distances, whose exponentials cancel where their arguments vanish."""
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


def long_near(n: int, z: NDArray[Any], close: NDArray[Any], far: NDArray[Any]) -> NDArray[Any]:
    """Return one of two forms of the same numbers, by the size of z."""
    return np.where(abs(z) <= n, close, far)


def digits_rest(n: Any, z: Any) -> Any:
    """Return what the series of ``exp z`` has beyond its first n terms, for ``-n <= z <= n``."""
    z = max(-n, min(n, z))
    term = z**n / mpmath.factorial(n)
    total = term
    while abs(term) > mpmath.eps * abs(total):
        n += 1
        term *= z / n
        total += term
    return total


def digits_near(n: Any, z: Any, close: Any, far: Any) -> Any:
    """Return one of two forms of the same number, by the size of z."""
    return close if abs(z) <= n else far


@dataclass(frozen=True, slots=True)
class _Sum:
    """``plain + factor_1 exp(z_1) + ...``, all rational functions of both distances and of what has been named."""

    plain: FracElement
    parts: tuple[tuple[FracElement, FracElement], ...]  # factors and arguments

    @classmethod
    def of(cls, total: Expr, arguments: list[Expr]) -> tuple[_Sum, Callable[[FracElement], Expr]] | None:
        """Read a sum that is linear in exponentials of some arguments, and return what writes its parts."""
        powers = {sympy.exp(z): sympy.Dummy() for z in arguments}
        names: dict[Expr, Symbol] = {}
        named = _named(total.replace(EXPM1, _from_one).xreplace(powers), names)
        field = sympy.QQ.frac_field(DISTANCE, GAP, *names.values())
        try:
            terms = sympy.Poly(named, *powers.values(), domain=field).terms()
        except (sympy.PolynomialError, CoercionFailed):
            return None
        if any(sum(degrees) > 1 for degrees, _ in terms):
            return None
        factors = {degrees: field.from_sympy(factor) for degrees, factor in terms}
        plain = factors.pop((0,) * len(powers), field.zero)
        parts = tuple(
            (factor, field.from_sympy(arguments[degrees.index(1)])) for degrees, factor in factors.items()
        )
        back = {name: node for node, name in names.items()}
        return cls(plain, parts), lambda element: sympy.factor(field.to_sympy(element)).xreplace(back)

    def rational(self, n: int) -> FracElement:
        """Return what is rational with the first n terms of each series."""
        return sum((factor * _first(n, z) for factor, z in self.parts), self.plain)

    def cancels(self, n: int) -> bool:
        """Return whether what is rational is no larger than the rests beside some end, so that they may cancel."""
        rational = self.rational(n)
        return any(_order(rational, small) >= least for small in SMALL for least in self._rests(n, small))

    def _rests(self, n: int, small: tuple[int, int]) -> Iterator[float]:
        """Yield how fast the rests fall beside an end where all arguments do."""
        orders = [(_order(factor, small), _order(z, small)) for factor, z in self.parts]
        if orders and all(order > 0 for _, order in orders):
            yield min(first + n * order for first, order in orders)


def _kept(total: Expr) -> Expr:
    """Return a sum as it is, or, where small arguments make it cancel, by its rests."""
    nodes = (node for node in total.atoms(sympy.exp, EXPM1) if node.has(DISTANCE, GAP))
    arguments = list(dict.fromkeys(node.args[0] for node in nodes if _is_rational(node.args[0])))
    read = _Sum.of(total, arguments) if arguments else None
    if read is None or not read[0].cancels(0):
        return total
    found, written = read
    n = next((n for n in range(1, MOST) if not found.cancels(n)), None)
    if n is None:
        return total
    rests = (written(factor) * REST(n, written(z)) for factor, z in found.parts)
    close = written(found.rational(n)) + sympy.Add(*rests)
    for _, z in found.parts:
        close = NEAR(n, written(z), close, total)
    return close


def _first(n: int, z: FracElement) -> FracElement:
    """Return the first n terms of the series of ``exp z``."""
    return sum((z**k / math.factorial(k) for k in range(n)), z.field.zero)


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
