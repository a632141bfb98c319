"""The steps of SymPy, each behind a bound: sums, products, powers and functions of what a user wrote."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.expressions.growth import (
    INFINITE,
    MAX_EXPONENT,
    ONE_REAL,
    REAL,
    RefusedError,
    bound,
    bounded,
    facts,
    power_value,
)

MAX_ROOT_BITS = 400  # SymPy factors the number under a root
MAX_SIGN_WORK = 20  # SymPy isolates the roots of a polynomial to find its sign: seconds at degree 50


def add(terms: list[Expr]) -> Expr:
    bound(sum(facts(term).bits for term in terms))
    return sympy.Add(*terms)


def negate(operand: Expr) -> Expr:
    return -operand if operand in INFINITE else multiply([S.NegativeOne, operand])


def multiply(factors: list[Expr]) -> Expr:
    bound(sum(facts(factor).bits for factor in factors))
    _bound_roots([part for factor in factors for part in sympy.Mul.make_args(factor)])
    return sympy.Mul(*factors)


def _bound_roots(factors: list[Any]) -> None:
    """Bound the numbers under roots, which SymPy tries to factor."""
    roots = [part.base for part in factors if part.is_Pow and part.base.is_Rational and part.exp.is_Rational]
    bound(sum(facts(root).bits for root in roots), MAX_ROOT_BITS)


def power(base: Any, exponent: Any) -> Expr:
    b, e = facts(base), facts(exponent)
    if exponent == 1:
        return base
    if b.value == 0 and e.sign <= 0 and exponent != 0:
        raise RefusedError("division by zero", "A denominator must certainly differ from 0.")
    if b.sign < 0 and not exponent.is_Integer:
        raise RefusedError("this is not a finite real number", REAL)
    if b.value is not None and e.value is not None:
        power_value(b.value, e.value)
    if exponent.is_Rational and abs(exponent) > MAX_EXPONENT:
        raise RefusedError(f"an exponent beyond {MAX_EXPONENT}")
    bound((b.bits + b.logs + e.logs) * e.reach * (facts(base.exp).reach if base.is_Pow else 1))
    if base.is_Rational and exponent.is_Rational and exponent.q > 1:
        return _root(base, exponent)
    return _merged_power(base, exponent)


def _root(base: Any, exponent: Any) -> Expr:
    """Return the product of the roots of the primes: for 24^0.7654321, SymPy would compute 3^7654321."""
    bound(facts(base).bits, MAX_ROOT_BITS)
    primes = base.factors(limit=2**15).items()
    return sympy.Mul(*(sympy.Pow(prime, count * exponent) for prime, count in primes))


def _merged_power(base: Any, exponent: Any) -> Expr:
    """Merge powers of powers and of products here, where each step is bounded, as SymPy would."""
    if base.is_Pow or isinstance(base, sympy.exp):
        root, inner = base.as_base_exp()
        if exponent.is_Integer or facts(root).sign > 0:
            return power(root, multiply([inner, exponent]))
        if inner.is_Integer and inner.is_even:
            return power(absolute(root), multiply([inner, exponent]))
    if base.is_Mul:
        free = [factor for factor in base.args if exponent.is_Integer or facts(factor).sign > 0]
        rest = sympy.Mul(*(factor for factor in base.args if factor not in free))
        if free:
            return multiply([power(factor, exponent) for factor in [*free, rest]])
    if not _is_quick(*base.args, *exponent.args):
        raise RefusedError("SymPy would search too long for the signs in this power")
    return sympy.Pow(base, exponent)


def _is_quick(*expressions: Expr) -> bool:
    """Return whether SymPy finds signs here at once: it isolates the roots of sums that are polynomials."""
    sums = {part for expression in expressions for part in expression.atoms(sympy.Add)}
    harder = {part: 2 if part.has(sympy.NumberSymbol) else 1 for part in sums}
    return sum(max(1, harder[part] * _degree(part)) ** 2 for part in sums) <= MAX_SIGN_WORK


@lru_cache(maxsize=4096)
def _degree(expression: Any) -> int:
    """Return the degree of a polynomial, and a bound on those in the numerators of a rational function."""
    if expression.is_Symbol:
        return 1
    if expression.is_Pow and expression.exp.is_Integer:
        return _degree(expression.base) * abs(int(expression.exp))
    degrees = [_degree(part) for part in expression.args if expression.is_Add or expression.is_Mul]
    return sum(degrees) if expression.is_Mul else max(degrees, default=0)


def absolute(operand: Expr) -> Expr:
    sign = facts(operand).sign
    if sign or operand is S.Zero:
        return operand if sign >= 0 else negate(operand)
    if operand.is_Mul:
        return multiply([absolute(factor) for factor in operand.args])
    return sympy.Abs(operand, evaluate=False)


def _extreme(function: Any, *operands: Expr) -> Expr:
    """Return the least or the greatest; SymPy compares every pair, so only a few letters and numbers."""
    for operand in operands:
        facts(operand)  # refuses infinity
    few = len(operands) < 9 and all(operand.is_Atom for operand in operands)
    return function(*operands, evaluate=few)


def _apply(function: Any, operand: Expr) -> Expr:
    known = facts(operand)
    if function is sympy.log and known.sign < 0:
        raise RefusedError("this is not a finite real number", REAL)
    if function is sympy.log and isinstance(operand, sympy.exp):
        return operand.args[0]
    if function in (sympy.sinh, sympy.cosh, sympy.tanh) and known.height:
        remedy = "SymPy cannot quickly decide that this is real: write it with exp."
        raise RefusedError(f"{function.__name__} of a function", remedy)
    if known.value is not None:
        bounded(function, [known.value])
    return function(operand, evaluate=_is_quick(operand) and known.height <= (known.value is not None))


def _beta(x: Any, y: Any) -> Expr:
    """Return B(x, y), in closed form for integers and their halves, where Gamma has one."""
    result = sympy.beta(x, y, evaluate=False)
    if facts(result).value is None or not ((2 * x).is_Integer and (2 * y).is_Integer and min(x, y) > 0):
        return result
    return sympy.gamma(x) * sympy.gamma(y) / sympy.gamma(x + y)


def _normal_cdf(x: Expr) -> Expr:
    return multiply([S.Half, add([S.One, _apply(sympy.erf, multiply([x, sympy.sqrt(2) / 2]))])])


# fmt: off


FUNCTIONS: dict[str, Callable[..., Expr]] = {
    "exp": partial(power, S.Exp1),
    "ln": partial(_apply, sympy.log),
    "sqrt": partial(power, exponent=S.Half),
    "abs": absolute,
    "min": partial(_extreme, sympy.Min),
    "max": partial(_extreme, sympy.Max),
    **{name: partial(_apply, function) for name, function in ONE_REAL.items()},
    "beta": _beta,
    "Phi": _normal_cdf,
}
