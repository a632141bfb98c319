"""Functions that fall like an exponential, as that exponential times one that falls slowly.

``exp(z^2) erfc(z)`` and its like have factors beyond every range and a product of ordinary size. Written with the
slow functions here the exponentials meet and cancel before any number is put in.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import sympy
from sympy import Expr
from sympy.utilities.iterables import sift

from costderive.numeric.normal_scores import SCORE, digits_score

ERFC = sympy.Function("complement")  # erfc, which SymPy would write as 2 - erfc(-z) at once
ERFCX = sympy.Function("erfcx")  # exp(z^2) erfc(z)
EXPINTX = sympy.Function("expintx")  # exp(z) E_n(z)
GAMMAX = sympy.Function("gammax")  # exp(z) times the upper incomplete Gamma function
BELOW = sympy.Function("below")  # the lower incomplete Gamma function
SLOW = (sympy.erfc, sympy.expint, sympy.uppergamma)
SHORT = 100  # a denominator with which whole numbers stay short
GUARD = 256  # bits that are added at a time, so that few precisions occur
FAR = 100  # an argument of erfc beyond which its asymptotic series is sure to do
SHAPES = tuple(sympy.Rational(n, 2) for n in range(3, 21))  # whose sums of exponentials are looked for
FARTHEST = 5000  # bits before the point of a number whose exponential counts as 0 or infinite
LARGE = 1e4  # an argument of exp that mpmath, if it is a whole number, takes for a power


def scaled(expr: Expr, plain: Callable[[Expr], Expr] = lambda z: z) -> Expr:
    """Write error functions and the like as an exponential times a slow function; ``plain`` puts arguments into
    one form, so that equal exponents are seen to be equal.
    """

    def exp(z: Expr) -> Expr:
        return sympy.exp(sympy.expand(_apart(plain(z))))

    expr = expr.replace(sympy.erfinv, lambda y: SCORE(_gap(1 + y), _gap(1 - y)))
    expr = expr.replace(sympy.lowergamma, BELOW)
    expr = expr.replace(sympy.Add, lambda *terms: _complement(_from_below(sympy.Add(*terms))))
    if not expr.has(*SLOW):
        return expr
    written = expr.replace(sympy.exp, exp).replace(sympy.erfc, lambda z: exp(-(z**2)) * ERFCX(z))
    written = written.replace(sympy.expint, lambda n, z: exp(-z) * EXPINTX(n, z))
    written = written.replace(sympy.uppergamma, lambda a, z: exp(-z) * GAMMAX(a, z))
    return written.replace(sympy.Mul, _with_one_exponential)


def _with_one_exponential(*factors: Expr) -> Expr:
    """Return a product in which exponentials are one: of two beyond every range the product may not be."""
    powers, others = sift(factors, lambda factor: isinstance(factor, sympy.exp), binary=True)
    if len(powers) < 2:
        return sympy.Mul(*factors)
    return sympy.Mul(*others, sympy.exp(sympy.expand(sympy.Add(*(power.args[0] for power in powers)))))


def _complement(total: Expr) -> Expr:
    """Write ``1 + erf z``, which cancels where z is far below 0, as ``erfc(-z)``, and ``1 - erf z`` as ``erfc z``.

    Beside them there may be other terms, and in place of 1 any number.
    """
    for term in sympy.Add.make_args(total):
        factor, inner = term.as_independent(sympy.erf)
        if not isinstance(inner, sympy.erf) or not factor.is_number:
            continue
        rest = total - term
        for constant, sign in ((-factor, 1), (factor, -1)):
            if constant in sympy.Add.make_args(rest):
                total = rest - constant + constant * ERFC(sign * inner.args[0])
                break
    return total


def _from_below(total: Expr) -> Expr:
    """Write ``Gamma(a)`` less the upper incomplete Gamma function, which cancels near 0, as the lower one."""
    for node in total.atoms(sympy.uppergamma):
        a, z = node.args
        expanded = sympy.expand(total)
        found = sympy.expand(expanded.subs(node, sympy.gamma(a) - BELOW(a, z)))
        if len(sympy.Add.make_args(found)) < len(sympy.Add.make_args(expanded)):
            total = found
    return total


def _gap(z: Expr) -> Expr:
    """Write a difference so that what cancels does so before any number is put in, as far as that is seen."""
    if z.is_rational_function():
        return sympy.factor(z)
    expanded = sympy.expand(z)
    for node in (node for form in (z, expanded) for node in form.atoms(sympy.lowergamma, sympy.exp)):
        for factor, inner in _incomplete(expanded, node):
            return factor * inner
    return min(
        z, expanded, key=lambda form: len(sympy.Add.make_args(form))
    )  # of as many terms those with factors


def _incomplete(z: Expr, node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield an incomplete Gamma function that an expression is a multiple of, as sums that cancel near 0 may be.

    Of a whole shape, or half of an odd number, SymPy writes it in exponentials and error functions.
    """
    constant = z.as_independent(*z.free_symbols, as_Add=True)[0]
    if isinstance(node, sympy.lowergamma):
        a, y = node.args
        if sympy.expand(z - constant * (1 - node / sympy.gamma(a))) == 0:
            yield constant / sympy.gamma(a), sympy.uppergamma(a, y)
        return
    y = -node.args[0]
    for a in SHAPES:
        many = constant if a.is_Integer else z.coeff(sympy.erf(sympy.sqrt(y)))
        if many != 0 and sympy.expand(z - many * sympy.lowergamma(a, y) / sympy.gamma(a)) == 0:
            yield many / sympy.gamma(a), BELOW(a, y)


def _apart(z: Expr) -> Expr:
    symbols = z.free_symbols
    return sympy.apart(z) if len(symbols) == 1 and z.is_rational_function(*symbols) else z


def _exp(x: Any) -> Any:
    """Return exp x: of a large x after a division by log 2, the digits of its whole part being added."""
    if mpmath.im(x) or not abs(x) > LARGE:
        return mpmath.exp(x)
    if mpmath.mag(x) > FARTHEST:  # as in exp(-exp(1e300)), whose digits have no end
        return mpmath.mpf(0) if x < 0 else mpmath.inf
    with mpmath.extraprec(mpmath.mag(x) + 10):
        whole = int(mpmath.nint(x / mpmath.ln2))
        rest = mpmath.exp(x - whole * mpmath.ln2)
    return +mpmath.ldexp(rest, whole)


def _erfc(z: Any) -> Any:
    return mpmath.erfc(z) if mpmath.im(z) or not z > FAR else _exp(-z * z) * _erfcx(z)


def _erfcx(z: Any) -> Any:
    if mpmath.im(z) or not z > 0 or (found := asymptotic(_erfcx_ratios(z))) is None:
        return _exp(z * z) * mpmath.erfc(z)
    return found / (z * mpmath.sqrt(mpmath.pi))


def _erfcx_ratios(z: Any) -> Iterator[Any]:
    odd = 1
    while True:
        yield -odd / (2 * z**2)
        odd += 2


def _expintx(n: Any, z: Any) -> Any:
    if mpmath.im(z) or not z > 0 or (found := asymptotic(_expintx_ratios(n, z))) is None:
        return _exp(z) * mpmath.expint(n, z)
    return found / z


def _expintx_ratios(n: Any, z: Any) -> Iterator[Any]:
    while True:
        yield -n / z
        n += 1


def _gammax(a: Any, z: Any) -> Any:
    if _is_plain(a, z) and (found := asymptotic(_gammax_ratios(a, z))) is not None:
        return found * z ** (a - 1)
    return _exp(z) * (_above(a, z) if _is_plain(a, z) else mpmath.gammainc(a, z))


def _below(a: Any, z: Any) -> Any:
    """Return the lower incomplete Gamma function."""
    if not _is_plain(a, z):
        return mpmath.gammainc(a, 0, z)
    if (rest := asymptotic(_gammax_ratios(a, z))) is not None:
        return gamma(a) - _exp(-z) * rest * z ** (a - 1)
    return _lower(a, z)


def _is_plain(a: Any, z: Any) -> bool:
    return not mpmath.im(z) and z > 0 and not (mpmath.isint(a) and a <= 0)


def _above(a: Any, z: Any) -> Any:
    """Return the upper incomplete Gamma function as what the lower one, a fast series, leaves of the whole."""
    lost = 2 * z + abs(mpmath.fp.loggamma(float(a))) + 2 * abs((a - 1) * mpmath.log(z)) if z > 1 else 0
    with mpmath.extraprec(GUARD * (1 + int(lost) // GUARD)):
        return gamma(a) - _lower(a, z)


def _lower(a: Any, z: Any) -> Any:
    """Return the lower incomplete Gamma function by its series.

    Source: NIST Digital Library of Mathematical Functions, 8.7.1.
    """
    factor, term = z**a * _exp(-z), 1 / a
    total = term
    while abs(term) > abs(total) * mpmath.eps:
        a += 1
        term *= z / a
        total += term
    return factor * total


def gamma(a: Any) -> Any:
    """Return the Gamma function; mpmath takes long where it has not been asked for so many bits before."""
    return _gamma(mpmath.mpf(a), mpmath.mp.prec) if not mpmath.im(a) and a > 0 else mpmath.gamma(a)


@functools.lru_cache(maxsize=256)
def _gamma(a: Any, bits: int) -> Any:
    """Return the integral up to a point beyond which there is too little to count."""
    over = next((q for q in range(1, SHORT) if mpmath.nint(a * q) / q == a), None)
    with mpmath.workprec(bits + 20):
        end = mpmath.mpf(bits + 4 * int(a) * bits.bit_length()) * 0.7
        return (
            _lower(a, end)
            if over is None
            else _lower_of_fraction(int(mpmath.nint(a * over)), over, int(end) + 1)
        )


def _lower_of_fraction(above: int, below: int, z: int) -> Any:
    """Return the lower incomplete Gamma function of a fraction by its series, in whole numbers."""
    a, bits = mpmath.mpf(above) / below, mpmath.mp.prec + 2 * z
    term = total = (below << bits) // above
    while term:
        above += below
        term = term * z * below // above
        total += term
    return z**a * _exp(mpmath.mpf(-z)) * mpmath.ldexp(total, -bits)


def _gammax_ratios(a: Any, z: Any) -> Iterator[Any]:
    while True:
        a -= 1
        yield a / z


def asymptotic(ratios: Iterator[Any]) -> Any:
    """Sum an asymptotic series of terms that fall at first, from their ratios; None if they grow too soon."""
    term = total = mpmath.mpf(1)
    for ratio in ratios:
        if abs(ratio) >= 1:
            return None
        term *= ratio
        total += term
        if abs(term) < mpmath.eps:
            return total
    return None


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "complement": _erfc,
    "exp": _exp,
    "erfcx": _erfcx,
    "expintx": _expintx,
    "gammax": _gammax,
    "below": _below,
    "gamma": gamma,
    "score": digits_score,
}
