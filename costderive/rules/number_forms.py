"""Writing numbers that a loss holds: roots not below a line and not nested, logarithms of primes, few Gamma functions.

Nothing here is trusted: whatever form comes out, the claims of the step that uses it are decided on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import sympy
from sympy import Add, Dummy, Expr, Integral, Mul, Pow, bottom_up

from costderive.core.piecewise import Given
from costderive.deciders.radicals import plain
from costderive.deciders.related_gammas import in_gammas
from costderive.deciders.signs import positive
from costderive.deciders.size import steep

LARGEST_LOG = 10**9  # of a number that is split into primes
MOST_FACTORS = 9
MOST_BITS = 60  # of what is below and above the line in one logarithm


def shortest_number(expr: Expr) -> Expr:
    """Return the shortest of a few writings of a number, its logarithms positive."""
    number = bottom_up(plain(expr), _cancelled).replace(
        _is_small_log, lambda log: -sympy.log(sympy.radsimp(1 / log.args[0]))
    )
    return min((found := multiplied_out(number), *_in_logs_of_primes(found)), key=sympy.count_ops)


def _cancelled(number: Expr) -> Expr:
    """Cancel in a rational function of pi, or of e, if that is shorter."""
    names = {x: Dummy(positive=True) for x in number.atoms(sympy.NumberSymbol)}
    image = number.xreplace(names)
    if not names or steep(image) or not image.is_rational_function():
        return number
    found = sympy.cancel(image).xreplace({name: x for x, name in names.items()})
    return min(number, found, key=sympy.count_ops)


def factor_before(number: Expr) -> Expr:
    """Write a number that stands before a product."""
    return multiplied_out(number) if _is_algebraic(number) else _over_one_denominator(number)


def without_ratios(expr: Expr, given: Given) -> Expr:
    """Cancel Gamma functions whose arguments differ by whole numbers, if that is shorter and leaves them a sign."""
    expr = _with_plain_arguments(with_plain_exponents(expr))
    if not expr.has(sympy.gamma, sympy.beta):
        return expr
    short = in_gammas(expr).replace(sympy.gamma, lambda a: sympy.gamma(sympy.cancel(a)))
    writings = [x for x in (short, sympy.gammasimp(short)) if _has_known_signs(x, given)]
    return min((expr, *writings), key=sympy.count_ops)


def with_rational_betas(expr: Expr) -> Expr:
    """Write Beta functions of a small whole number as the rational functions of the other argument that they are."""
    return expr.replace(sympy.beta, _rational_beta)


def _rational_beta(a: Expr, b: Expr) -> Expr:
    for count, other in ((a, b), (b, a)):
        if count.is_Integer and 0 < count <= MOST_FACTORS:
            return sympy.factorial(count - 1) / sympy.prod([sympy.expand(other + i) for i in range(count)])
    return sympy.beta(a, b)


def with_plain_exponents(expr: Expr) -> Expr:
    """Write exponents that are rational as short as they are over one denominator."""

    def plainer(power: Expr) -> Expr:
        writings = power.exp, sympy.cancel(power.exp)
        return power.base ** min(writings, key=lambda x: (sympy.count_ops(x), not x.is_Mul))

    return expr.replace(_has_rational_exponent, plainer)


def _has_rational_exponent(expr: Expr) -> bool:
    """Is it a power, or an exponential whose exponent has terms that may cancel?"""
    kinds = Add if isinstance(expr, sympy.exp) else Add | Mul
    return (
        isinstance(expr, Pow | sympy.exp) and isinstance(expr.exp, kinds) and expr.exp.is_rational_function()
    )


def with_short_numbers(expr: Expr) -> Expr:
    """Write the sums of numbers in an expression in a short form each."""
    return expr.replace(lambda node: isinstance(node, Add) and node.is_number, shortest_number)


def _with_plain_arguments(expr: Expr) -> Expr:
    """Write what functions and roots are of in factors where that is shorter: ``exp((a - b a/b)/m)`` is 1."""

    def plainer(node: Expr) -> Expr:
        first, *others = node.args
        return node.func(min((first, sympy.factor(first)), key=sympy.count_ops), *others)

    def is_of_fraction(node: Expr) -> bool:
        outer = isinstance(node, sympy.exp | sympy.log) or (isinstance(node, Pow) and not node.exp.is_Integer)
        return bool(outer and node.args[0].is_rational_function())

    return expr.replace(is_of_fraction, plainer)


def _has_known_signs(expr: Expr, given: Given) -> bool:
    shapes = [node.args[0] for node in expr.atoms(sympy.gamma)]
    return not expr.has(sympy.sin) and all(positive(shape, None, given) for shape in shapes)


def multiplied_out(expr: Expr) -> Expr:
    """Write what is algebraic in a number without roots in denominators, and the rest multiplied out."""
    if _is_algebraic(expr):
        writings = (sympy.expand(expr), sympy.radsimp(sympy.together(expr)), _denested(expr))
        return min(writings, key=sympy.count_ops)
    if not isinstance(expr, Add | Mul):
        return (
            expr
            if isinstance(expr, Integral) or not expr.args
            else expr.func(*map(multiplied_out, expr.args))
        )
    algebraic, rest = sympy.sift(expr.args, _is_algebraic, binary=True)
    return sympy.expand_mul(
        expr.func(multiplied_out(expr.func(*algebraic)), *map(multiplied_out, rest)), deep=False
    )


def _in_logs_of_primes(number: Expr) -> Iterator[Expr]:
    """Write a rational function of logarithms of numbers in those of primes, and a sum of them as one logarithm."""
    factors = _prime_factors(number)
    letters = {prime: Dummy(positive=True) for found in factors.values() for prime in found}
    sums = {log: Add(*[n * letters[prime] for prime, n in found.items()]) for log, found in factors.items()}
    image = number.xreplace(sums)
    if len(factors) < 2 or not image.is_rational_function() or steep(image):
        return
    image, primes = sympy.cancel(image), {letter: prime for prime, letter in letters.items()}
    yield image.xreplace({letter: sympy.log(prime) for letter, prime in primes.items()})
    constant, moving = image.as_coeff_Add()
    pairs = [(primes.get(letter), n) for n, letter in (term.as_coeff_Mul() for term in Add.make_args(moving))]
    if all(prime for prime, _ in pairs):
        yield from (constant + log for log in _one_log([(prime, n) for prime, n in pairs if prime]))


def _one_log(pairs: list[tuple[int, Expr]]) -> Iterator[Expr]:
    """Write a sum of multiples of logarithms of primes as one of a single logarithm, if its number is not long."""
    share = reduce(sympy.gcd, [n for _, n in pairs])
    if sum(abs(n / share) * prime.bit_length() for prime, n in pairs) > MOST_BITS:
        return
    inside = Mul(*[sympy.Integer(prime) ** (n / share) for prime, n in pairs])
    yield share * sympy.log(inside) if inside > 1 else -share * sympy.log(1 / inside)


def _prime_factors(expr: Expr) -> dict[Expr, dict[int, int]]:
    """Factor the numbers whose logarithms stand in an expression."""
    logs = [log for log in expr.atoms(sympy.log) if _is_plain(log.args[0])]
    return {log: sympy.factorrat(log.args[0]) for log in logs}


def with_logs_of_primes(expr: Expr) -> Expr:
    """Write several logarithms of numbers in those of primes: some may cancel."""
    factors = _prime_factors(expr)
    if len(factors) < 2:
        return expr
    return expr.xreplace(
        {log: Add(*[n * sympy.log(prime) for prime, n in y.items()]) for log, y in factors.items()}
    )


def _is_plain(number: Expr) -> bool:
    return bool(number.is_Rational and number.is_positive and max(number.p, number.q) < LARGEST_LOG)


def _denested(expr: Expr) -> Expr:
    """Put the roots of one order in each product together and multiply out below them: what is nested may come out."""
    joined = expr.replace(lambda node: isinstance(node, Mul | Pow), _one_root_each)
    return sympy.expand(sympy.sqrtdenest(joined))


def _one_root_each(product_of_roots: Expr) -> Expr:
    radicands: dict[int, Expr] = {}
    for factor in Mul.make_args(product_of_roots):
        base, exponent = factor.as_base_exp()
        radicands[exponent.q] = radicands.get(exponent.q, sympy.S.One) * base**exponent.p
    roots = [(sympy.radsimp(sympy.expand(inner)), order) for order, inner in radicands.items()]
    return Mul(*[inner ** sympy.Rational(1, order) for inner, order in roots])


def _is_algebraic(expr: Expr) -> bool:
    """Is an expression a number made of rationals and roots of them, of a moderate order?"""
    powers_only = not expr.atoms(sympy.Function, sympy.NumberSymbol, Integral)
    rational = all(x.exp.is_Rational for x in expr.atoms(Pow))
    return bool(expr.is_number and powers_only and rational and not steep(expr))


def _is_small_log(expr: Expr) -> bool:
    if not isinstance(expr, sympy.log) or expr.args[0].is_Rational or steep(expr):
        return False
    return bool((1 - expr.args[0]).is_positive)


def _over_one_denominator(number: Expr) -> Expr:
    return sympy.gcd_terms(sympy.expand(without_roots_below(number)))


def without_roots_below(expr: Expr) -> Expr:
    return expr.replace(
        lambda node: isinstance(node, Pow) and node.exp.is_negative and _is_algebraic(node), sympy.radsimp
    )


def irrational(expr: Expr) -> list[Expr]:
    """Return the numbers of an expression that stand beside its symbols without being rational."""
    found = [node for node in expr.atoms(Pow, sympy.Function, sympy.NumberSymbol) if node.is_number]
    return sorted((node for node in found if not node.is_Rational), key=sympy.default_sort_key)
