"""Signs of expressions on an interval, for all admissible parameters at once.

A sign is decided by structure (products, powers and sums of signed terms), by a fact that is given, by
exact real-root isolation for one variable over the rationals, or, with parameters, by writing the interval
and the facts in variables that run over (0, oo) and finding only coefficients of one sign.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy
from sympy import Add, Expr, Integral, Max, Min, Mul, Pow, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.algebraic import positive_throughout
from costderive.deciders.asking import Asking
from costderive.deciders.bounded_functions import by_bounds
from costderive.deciders.conjugates import by_conjugate
from costderive.deciders.equal_exponents import by_pairs, of_powers_of_numbers
from costderive.deciders.exactness import of_exact_numbers
from costderive.deciders.free_variables import OF_ANY_SHAPE, POSITIVE_OF_POSITIVE, in_free_variables
from costderive.deciders.growth import by_growth
from costderive.deciders.in_parameters import Moved, in_parameters
from costderive.deciders.number_signs import is_number, number_sign
from costderive.deciders.parabolas import by_parabolas
from costderive.deciders.rational import is_rational, rational, rational_sign
from costderive.deciders.rising_functions import ODD_AND_RISING, by_arguments, by_products
from costderive.deciders.root_letters import in_root_letters, of_powers_in_ends, of_roots_in_ends
from costderive.deciders.size import steep
from costderive.deciders.slopes import Deciders, by_slopes


@of_exact_numbers(None)
def positive(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr > 0`` on the interval, or return ``None`` if none does."""
    return _decided(expr, on, given, strict=True)


@of_exact_numbers(None)
def nonnegative(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr >= 0`` on the interval, or return ``None`` if none does."""
    return _decided(expr, on, given, strict=False)


def through_parameters(expr: Expr, on: Interval | None, given: Given) -> Moved | None:
    """Return a statement in the parameters of curves, if there are any in it."""
    return in_parameters(expr, on, given, positive, nonnegative)


def between(expr: Expr, given: Given) -> Interval | None:
    """Return the open interval in which the facts see the only letter, which is positive."""
    if (
        len(expr.free_symbols) != 1
        or not (x := next(iter(expr.free_symbols))).is_positive
        or expr.has(Integral)
    ):
        return None
    lows, highs = given.ends(x, weak=False)
    low, high = sympy.Max(0, *lows), sympy.Min(sympy.oo, *highs)
    return Interval(x, low, high) if high is sympy.oo or number_sign(high - low) == 1 else None


REAL_OF_REAL = (
    sympy.exp,
    sympy.erf,
    sympy.erfc,
    sympy.atan,
    sympy.asinh,
    sympy.Abs,
    sympy.sin,
    sympy.cos,
)


@lru_cache(maxsize=4096)
def _decided(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    known = is_number(expr) and number_sign(expr) is not None
    if not known and (moved := through_parameters(expr, on, given)):
        return _decided(*moved, strict)
    if on is not None and (squared := of_roots_in_ends(expr, on, given)):
        return _decided(*squared, strict)
    if not is_number(expr) and is_rational(expr) and not steep(expr):
        return (
            rational(expr, on, given, strict)
            or _between_facts(expr, on, given, strict)
            or _between_powers(expr, on, given, strict)
            or ("ends and a bend" if by_parabolas(expr, strict, _asking(on, given)) else None)
        )
    if (sign := _structural(expr, on, given)) is not None:
        return "structure" if sign > 0 or (sign == 0 and not strict) else None
    if by_pairs(expr, strict, _asking(on, given)):
        return "pairs of terms"
    if (found := in_free_variables(expr, strict, _asking(on, given))) is not None:
        return found
    return _of_more_than_structure(expr, on, given, strict)


def _of_more_than_structure(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    if on is not None and real(expr, on, given) and positive_throughout(expr, on):
        return "zeros of the norm"
    if found := next((name for name, decide in WAYS if decide(expr, strict, _asking(on, given))), None):
        return found
    deciders = Deciders(_decided, _by_structure)
    if by_growth(expr, on, given, strict, _decided) or by_slopes(expr, on, given, strict, deciders):
        return "start and slope"
    if moved := in_root_letters(expr, on, given):
        return _decided(*moved, strict)
    return _between_facts(expr, on, given, strict) or _between_powers(expr, on, given, strict)


def _between_facts(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    """Decide a claim about one letter alone where the facts see it, if that is not the variable of an interval."""
    place = None if _moves(expr, on) else between(expr, given)
    return None if place is None else _decided(expr, place, given, strict)


def _between_powers(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    moved = None if on is None else of_powers_in_ends(expr, on, given)
    return None if moved is None else _decided(*moved, strict)


def _moves(expr: Expr, on: Interval | None) -> bool:
    return on is not None and expr.has(on.variable)


def _of_factors(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Has each of several factors a sign, and an even number of them, with the number before them, a negative one?"""
    number, factors = (expr if expr.is_Mul else sympy.factor_terms(expr)).as_coeff_mul()
    if len(factors) < 2 or not number.is_Rational:
        return False
    negative = bool(number.is_negative)
    for base, below in map(_without_odd_power, factors):
        has_sign = ask.positive if strict or below else ask.nonnegative
        if has_sign(base):
            continue
        if not has_sign(-base):
            return False
        negative = not negative
    return not negative


def _without_odd_power(factor: Expr) -> tuple[Expr, bool]:
    """Return what has the sign of a factor, and whether it must not be zero."""
    if isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp.is_odd:
        return factor.base, bool(factor.exp.is_negative)
    return factor, False


def _of_terms(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is no term of a sum with sums in it negative, and one of them positive if the sum is to be?"""
    terms = Add.make_args(expr)
    if len(terms) < 2 or not any(term.has(Add) for term in terms):
        return False
    return all(map(ask.nonnegative, terms)) and (not strict or any(map(ask.positive, terms)))


WAYS: tuple[tuple[str, Callable[[Expr, bool, Asking], bool]], ...] = (
    ("signs of the factors", _of_factors),
    ("signs of the terms", _of_terms),
    ("signs above and below one line", of_powers_of_numbers),
    ("the conjugate", by_conjugate),
    ("one rising function", by_arguments),
    ("one rising function", by_products),
    ("functions between bounds", by_bounds),
)


def _by_structure(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    sign = _structural(expr, on, given)
    return "structure" if sign is not None and (sign > 0 or (sign == 0 and not strict)) else None


def _asking(on: Interval | None, given: Given) -> Asking:
    return Asking(_decided, real, on, given)


@of_exact_numbers(False)
def real(expr: Expr, on: Interval | None, given: Given) -> bool:
    """Return whether an expression is certainly real and finite inside the interval."""
    return _real(expr, on, given)


@lru_cache(maxsize=4096)
def _real(expr: Expr, on: Interval | None, given: Given) -> bool:
    if moved := through_parameters(expr, on, given):
        return _real(*moved)
    if is_number(expr) and (_number_real(expr) or not expr.args):
        return _number_real(expr)
    if isinstance(expr, Symbol):
        return bool(expr.is_real)
    if isinstance(expr, Integral):
        return _integral_real(expr, on, given)
    return all(real(arg, on, given) for arg in expr.args) and _real_of_real(expr, on, given)


def _real_of_real(expr: Expr, on: Interval | None, given: Given) -> bool:
    """Return whether a function is certainly real and finite where its arguments are."""
    if isinstance(expr, Pow):
        return _power_real(expr, on, given)
    if isinstance(expr, OF_ANY_SHAPE):
        return bool(positive(expr.args[1], on, given))
    if isinstance(expr, (sympy.log, sympy.Ei, *POSITIVE_OF_POSITIVE)):
        return all(positive(arg, on, given) for arg in expr.args)
    if isinstance(expr, sympy.asin | sympy.acos):
        return nonnegative(1 - expr.args[0] ** 2, on, given) is not None
    if isinstance(expr, sympy.erfinv):
        return all(positive(sympy.together(1 + sign * expr.args[0]), on, given) for sign in (1, -1))
    if isinstance(expr, sympy.betainc):
        return _beta_real(expr, on, given)
    return isinstance(expr, (Add, Mul, Min, Max, *REAL_OF_REAL))


def _number_real(expr: Expr) -> bool:
    """A number is real and finite if SymPy knows it to be so and nothing in it that is divided by may be zero."""
    divisors = [power.base for power in expr.atoms(Pow) if not power.exp.is_nonnegative]
    return bool(expr.is_real and expr.is_finite and all(number_sign(base) for base in divisors))


def _integral_real(expr: Integral, on: Interval | None, given: Given) -> bool:
    """Is every part of the integrand real inside the range and at both ends, which are finite and in order?

    Each part is continuous where it is real, so that the integrand is continuous on a closed interval, and bounded.
    Of an integral that is finite for another reason nothing is known here.
    """
    (variable, low, high), *more = expr.limits
    function, known = expr.function, _known_inside(on, given).without(variable)
    inside = Interval(variable, low, high)
    return bool(
        not more
        and all(real(end, on, given) for end in (low, high))
        and nonnegative(high - low, on, given)
        and runs_where_it_may(variable, low, on, given)
        and not any(variable in inner.free_symbols for inner in function.atoms(Integral))
        and real(function, inside, known)
        and all(
            real(part.subs(variable, end), None, known)
            for part in sympy.preorder_traversal(function)
            for end in (low, high)
            if isinstance(part, Expr) and not isinstance(part, Integral)
        )
    )


def runs_where_it_may(variable: Symbol, low: Expr, on: Interval | None, given: Given) -> bool:
    """Is a letter that SymPy takes to be positive bound to numbers from such an end on?"""
    return not variable.is_nonnegative or nonnegative(low, on, given) is not None


def _known_inside(on: Interval | None, given: Given) -> Given:
    return given if on is None else given.also(positive=on.facts)


def _power_real(expr: Pow, on: Interval | None, given: Given) -> bool:
    if expr.exp.is_Integer and expr.exp.is_positive:
        return True
    if positive(expr.base, on, given):
        return True
    if expr.exp.is_Integer:
        return positive(-expr.base, on, given) is not None
    return bool(expr.exp.is_positive) and nonnegative(expr.base, on, given) is not None


def _beta_real(expr: Expr, on: Interval | None, given: Given) -> bool:
    """``B_z(a, b)`` is an integral that converges for a > 0 and z < 1; for b > 0 it does at z = 1 too."""
    first, second, low, z = expr.args
    if low != 0 or not positive(first, None, given) or not nonnegative(z, on, given):
        return False
    if positive(second, None, given):
        return nonnegative(1 - z, on, given) is not None
    return real(second, on, given) is not None and positive(1 - z, on, given) is not None


def _structural(expr: Expr, on: Interval | None, given: Given) -> int | None:
    """Return 1 for positive, 0 for non-negative, -1 for negative, and ``None`` if the structure does not say."""
    if is_number(expr) and (known := number_sign(expr)) is not None:
        return known
    if isinstance(expr, Symbol):
        sign = 1 if expr.is_positive else rational_sign(expr, on, given)
        return 0 if sign is None and expr.is_nonnegative else sign
    if isinstance(expr, Mul):
        return _product_sign(
            [_factor_sign(factor, on, given) for factor in _weak_logs_turned(expr, on, given)]
        )
    if isinstance(expr, Add):
        return _sum_sign([_structural(term, on, given) for term in expr.args])
    return _factor_sign(expr, on, given)


def _weak_logs_turned(expr: Mul, on: Interval | None, given: Given) -> tuple[Expr, ...]:
    """Write ``log(x)`` as ``-log(1/x)`` if x may be 1 but not more: then a sign is known that takes the minus."""
    weak = [
        factor
        for factor in expr.args
        if isinstance(factor, sympy.log)
        and _sign_by_range(factor, on, given) is None
        and positive(factor.args[0], on, given)
        and nonnegative(1 - factor.args[0], on, given)
    ]
    turned = [sympy.log(1 / factor.args[0], evaluate=False) for factor in weak]
    return (*Mul.make_args((-1) ** len(weak) * expr / Mul(*weak)), *turned)


def _factor_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if isinstance(expr, Pow):
        return _power_sign(expr, on, given)
    if isinstance(expr, sympy.exp | sympy.erfc):
        return 1 if real(expr.args[0], on, given) else None
    if isinstance(expr, tuple(RANGES)):
        return _sign_by_range(expr, on, given)
    if isinstance(expr, Integral):
        return _integral_sign(expr, on, given)
    if isinstance(expr, (*POSITIVE_OF_POSITIVE, sympy.betainc)):
        return _special_sign(expr, on, given)
    if isinstance(expr, ODD_AND_RISING):
        return _structural(expr.args[0], on, given) if real(expr, on, given) else None
    if isinstance(expr, Add | Min | Max):
        return _bracket_sign(expr, on, given)
    return _structural(expr, on, given) if isinstance(expr, Symbol | Mul) else _sign_of_number(expr)


def _sign_of_number(expr: Expr) -> int | None:
    return number_sign(expr) if is_number(expr) else None


def _sign_by_range(expr: Expr, on: Interval | None, given: Given) -> int | None:
    """Return the sign that a function has where certain bounds on its argument are positive: the row that applies."""
    (x,) = expr.args
    for sign, bounds in RANGES[expr.func]:
        if all(positive(bound, on, given) for bound in bounds(x)):
            return sign
    return 0 if isinstance(expr, sympy.log) and nonnegative(x - 1, on, given) else None


Bounds = Callable[[Expr], tuple[Expr, ...]]
RANGES: dict[type[Expr], tuple[tuple[int, Bounds], ...]] = {
    sympy.log: ((1, lambda x: (x - 1,)), (-1, lambda x: (x, 1 - x))),
    sympy.sin: ((1, lambda x: (x, sympy.pi - x)), (-1, lambda x: (-x, x + sympy.pi))),
    sympy.cos: ((1, lambda x: (x + sympy.pi / 2, sympy.pi / 2 - x)),),
}


def _bracket_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if isinstance(expr, Min | Max):
        return _extreme_sign(expr, on, given)
    termwise = _sum_sign([_structural(term, on, given) for term in expr.args])
    fraction = None if termwise else rational_sign(expr, on, given)
    found = termwise if fraction is None else fraction
    found = _free_sign(expr, on, given) if found is None else found
    return _sign_between(expr, given) if found is None and not _moves(expr, on) else found


def _sign_between(expr: Expr, given: Given) -> int | None:
    """Return the sign of an expression in one letter between the bounds that the facts name."""
    place = between(expr, given)
    signs = () if place is None else (1, -1)
    return next((sign for sign in signs if _decided(sign * expr, place, given, True)), None)


def _extreme_sign(expr: Min | Max, on: Interval | None, given: Given) -> int | None:
    """A maximum is at least each of its arguments, a minimum is at most each; both are one of them."""
    if not real(expr, on, given):
        return None
    signs = [_factor_sign(arg, on, given) for arg in expr.args]
    decisive, others = (1, -1) if isinstance(expr, Max) else (-1, 1)
    if decisive in signs or set(signs) == {others}:
        return decisive if decisive in signs else others
    weak = 0 in signs if isinstance(expr, Max) else None not in signs
    return 0 if weak else None


def _free_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    for decide in (in_free_variables, by_arguments, by_products, by_bounds):
        for sign in (1, -1):
            if decide(sympy.expand(sign * expr) if sign < 0 else expr, True, _asking(on, given)):
                return sign
    return None


def _special_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if not real(expr, on, given):
        return None
    if isinstance(expr, sympy.betainc):
        return 1 if positive(expr.args[3], on, given) else None
    return (
        1
        if isinstance(expr, OF_ANY_SHAPE) or all(_structural(x, on, given) == 1 for x in expr.args)
        else None
    )


def _power_sign(expr: Pow, on: Interval | None, given: Given) -> int | None:
    base = _factor_sign(expr.base, on, given)
    if base == 1:
        return 1 if real(expr.exp, on, given) and _asking(on, given).finite(expr.base) else None
    if expr.exp.is_even and base is not None and (base != 0 or expr.exp.is_positive):
        return abs(base)
    if base is None and expr.exp.is_even and expr.exp.is_positive:
        return 0 if real(expr.base, on, given) else None
    if base == -1 and expr.exp.is_odd:
        return -1
    return 0 if base == 0 and expr.exp.is_positive else None


def _integral_sign(expr: Integral, on: Interval | None, given: Given) -> int | None:
    """An integral of a non-negative integrand over an interval in ascending order is non-negative, or infinite."""
    (variable, low, high), *more = expr.limits
    ascends = high is sympy.oo or nonnegative(high - low, on, given)
    if more or not ascends or not runs_where_it_may(variable, low, on, given):
        return None
    known = _known_inside(on, given).without(variable)
    return 0 if nonnegative(expr.function, Interval(variable, low, high), known) else None


def _product_sign(signs: list[int | None]) -> int | None:
    if any(sign is None for sign in signs):
        return None
    product = sympy.prod([sign for sign in signs if sign is not None])
    return int(product) if 0 not in signs else (0 if -1 not in signs else None)


def _sum_sign(signs: list[int | None]) -> int | None:
    if any(sign is None for sign in signs):
        return None
    if -1 not in signs:
        return 1 if 1 in signs else 0
    return -1 if set(signs) == {-1} else None
