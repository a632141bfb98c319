"""What an expression may grow into: bounds on the work of SymPy, known before it starts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from sympy import Expr, S

MAX_DIGITS, MAX_DECIMAL_EXPONENT, MAX_EXPONENT = 100, 400, 10_000
MAX_BITS = 10_000  # of a number in a result; Python prints no integer of more than 4300 digits
MAX_GROWTH = 400_000  # bits of a number on the way to a result: milliseconds
MAX_HEIGHT = 4  # functions inside each other; SymPy's evalf takes twice as long for each
MAX_POWER_ABOVE = 3  # of a letter in an exponent
MAX_ARGUMENT, MAX_GAMMA_ARGUMENT, MAX_MAGNITUDE = 10**6, 10**3, 2**20
HUGE = 1e300

SMALLER = "Write a smaller expression, or use a parameter and give it a value afterwards."
REAL = "Logarithms, roots, quotients and functions must stay inside the finite real numbers."
INFINITE = (S.Infinity, S.NegativeInfinity)
MP = mpmath.mp.clone()
MP.prec = 350
_CANCELLED = MP.ldexp(1, -250)


class RefusedError(Exception):
    """Why something is not an expression, before it is known where it stands."""

    def __init__(self, problem: str, remedy: str = SMALLER) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


@dataclass(frozen=True, slots=True)
class _Facts:
    """What bounds the work that SymPy may do on an expression.

    ``value``: the number, if there is no symbol. ``sign``: +1 or -1 where the structure alone shows it.
    ``bits``: of the numbers that powers may merge into; ``logs``: of those inside logarithms, which ``exp``
    may turn into powers; ``reach``: the number that it may become as an exponent; ``height``: how many
    functions and powers stand inside each other, each of which SymPy may evaluate twice.
    """

    value: Any = None
    sign: int = 0
    bits: float = 0
    logs: float = 0
    reach: float = 1
    height: int = 0


@lru_cache(maxsize=4096)
def facts(expression: Any) -> _Facts:
    if expression.is_Rational:
        bits = expression.p.bit_length() + expression.q.bit_length()
        bound(bits, MAX_BITS)
        value = MP.mpf(expression.p) / expression.q
        return _Facts(value, int(MP.sign(value)), bits, reach=float(min(HUGE, max(1, abs(value)))))
    if expression.is_Symbol:
        return _Facts(sign=int(bool(expression.is_positive)))
    if expression in (S.Pi, S.Exp1):
        return _Facts(value=+MP.pi if expression is S.Pi else +MP.e, sign=1)
    if expression.is_Pow or isinstance(expression, sympy.exp):
        return _power_facts(*expression.as_base_exp())
    if expression in INFINITE:
        raise RefusedError("infinity inside an expression", "Infinity may only stand alone, as oo or -oo.")
    if expression.func not in NUMERIC:
        raise RefusedError("this is not a finite real number", REAL)
    return _node_facts(expression, [facts(part) for part in expression.args])


def _node_facts(expression: Expr, parts: list[_Facts]) -> _Facts:
    values, signs = [part.value for part in parts], {part.sign for part in parts}
    value = None if None in values else bounded(expression.func, values)
    bits, logs = sum(part.bits for part in parts), sum(part.logs for part in parts)
    height = max(part.height for part in parts)
    if expression.is_Mul:
        reach = min(HUGE, math.prod(part.reach for part in parts))
        return _Facts(value, math.prod(part.sign for part in parts), bits, logs, reach, height)
    if expression.is_Add:
        if value is not None and not expression.has(sympy.Function, sympy.NumberSymbol, sympy.Max, sympy.Min):
            _refuse_hidden_rational(value)
        sign = signs.pop() if len(signs) == 1 else int(MP.sign(value or 0))
        return _Facts(value, sign, bits, logs, min(HUGE, sum(part.reach for part in parts)), height)
    sign = int(MP.sign(value or 0)) or int(expression.func in (sympy.Abs, sympy.cosh, sympy.erfc))
    _bound_height(height + 1)
    return _Facts(value, sign, bits, logs + bits * isinstance(expression, sympy.log), height=height + 1)


def _power_facts(base: Any, exponent: Any) -> _Facts:
    _bound_tower(base, exponent)
    b, e = facts(base), facts(exponent)
    odd = b.sign if exponent.is_Integer else 0
    function_like = not (exponent.is_Integer or (base.is_Rational and exponent.is_Rational))
    return _Facts(
        value=None if b.value is None or e.value is None else power_value(b.value, e.value),
        sign=1 if b.sign > 0 or (exponent.is_Integer and exponent.is_even) else odd,
        bits=min(HUGE, (b.bits + b.logs + e.logs) * e.reach),
        logs=b.logs + e.logs,
        reach=b.reach**e.reach if e.reach * math.log2(b.reach) < 900 else HUGE,
        height=_bound_height(max(b.height, e.height) + function_like),
    )


def _bound_tower(base: Any, exponent: Any) -> None:
    """Refuse ``a^(b^c)`` and ``a^(b^9)``: wherever whole numbers are put for the letters, SymPy multiplies them out."""
    if base is S.Exp1:
        return
    for power in exponent.atoms(sympy.Pow):
        if power.exp.free_symbols or (power.base.free_symbols and abs(power.exp) > MAX_POWER_ABOVE):
            problem = f"{power} in an exponent, which may be any number"
            raise RefusedError(problem, f"In an exponent letters have powers up to {MAX_POWER_ABOVE}.")


def power_value(base: Any, exponent: Any) -> Any:
    if base == 0 and exponent < 0:
        raise RefusedError("division by zero", "A denominator must certainly differ from 0.")
    if abs(exponent) * max(1, abs(MP.mag(base or 1))) > 2 * MAX_MAGNITUDE:
        raise RefusedError("this number is too large or too small")
    return bounded(sympy.Pow, [base, exponent])


def bounded(function: Any, values: list[Any]) -> Any:
    """Return the number, once the arguments are small enough for mpmath and SymPy to come back."""
    limit = LIMITS.get(function, MAX_ARGUMENT)
    if any(abs(value) > limit for value in values):
        raise RefusedError(f"{function.__name__} of a number beyond {limit}")
    value = NUMERIC[function](*values)
    if not isinstance(value, MP.mpf) or not MP.isfinite(value):
        raise RefusedError("this is not a finite real number", REAL)
    if value and abs(MP.mag(value)) > MAX_MAGNITUDE:
        raise RefusedError("this number is too large or too small")
    return value


def _bound_height(height: int) -> int:
    if height > MAX_HEIGHT:
        raise RefusedError(f"more than {MAX_HEIGHT} functions inside each other")
    return height


def _total(*values: Any) -> Any:
    """Return the sum, or 0 if it cancels so far that the working precision cannot separate it from 0."""
    total = MP.fsum(values)
    return MP.zero if abs(total) < _CANCELLED * max(map(abs, values)) else total


def _refuse_hidden_rational(value: Any) -> None:
    """Refuse sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)): SymPy would search for its minimal polynomial."""
    nearest = MP.nint(2 * value)
    if abs(2 * value - nearest) <= _CANCELLED * max(1, abs(nearest)):
        problem = f"roots that add up to {S(int(nearest)) / 2} in seventy digits"
        raise RefusedError(problem, "Write the number itself.")


def bound(bits: float, limit: int = MAX_GROWTH) -> None:
    if bits > limit:
        raise RefusedError("numbers grow too large")


ONE_REAL = {
    function.__name__: function
    for function in (
        sympy.log,
        sympy.sin,
        sympy.cos,
        sympy.tan,
        sympy.asin,
        sympy.acos,
        sympy.atan,
        sympy.sinh,
        sympy.cosh,
        sympy.tanh,
        sympy.asinh,
        sympy.acosh,
        sympy.atanh,
        sympy.erf,
        sympy.erfc,
        sympy.gamma,
    )
}
# fmt: on
NUMERIC: dict[Any, Callable[..., Any]] = {
    **{function: getattr(MP, name) for name, function in ONE_REAL.items()},
    **{sympy.Add: _total, sympy.Mul: lambda *values: MP.fprod(values), sympy.Pow: MP.power},
    **{sympy.Abs: abs, sympy.Max: max, sympy.Min: min, sympy.beta: MP.beta, sympy.cot: MP.cot},
}
LIMITS = {sympy.gamma: MAX_GAMMA_ARGUMENT, sympy.beta: MAX_GAMMA_ARGUMENT} | dict.fromkeys(
    (sympy.Add, sympy.Mul, sympy.Pow, sympy.Abs, sympy.Max, sympy.Min, sympy.log), math.inf
)
