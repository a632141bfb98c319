"""Writing one function in the variable and the form that suits: odds to compute in, probability to read.

With ``u = s/(1 - s)`` every base of a power is positive, so powers and logarithms split over factors. Nothing
here is trusted: whatever form comes out, the claims of the step that uses it are decided on it.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import lru_cache
from itertools import product as combinations

import sympy
from sympy import Add, Dummy, Expr, Integral, Mul, Poly, Pow, Symbol, exp

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import u
from costderive.deciders.identities import with_known_values
from costderive.deciders.signs import positive
from costderive.deciders.size import large_exponentials, steep
from costderive.rules.number_forms import (
    factor_before,
    irrational,
    shortest_number,
    with_logs_of_primes,
    with_plain_exponents,
    with_rational_betas,
    with_short_numbers,
    without_ratios,
    without_roots_below,
)

LONG = 3
MAX_SPLIT = 12  # the degree of a polynomial that is factored over a root
MAX_POWER_OF_E = 12
_r = Symbol("_r", positive=True)
_logit = Symbol("_logit", real=True)


def to_odds(expr: Expr, s: Symbol, given: Given = Given()) -> Expr:
    """Write a function of ``s`` in the odds ``u = s/(1 - s)``, powers split over positive factors."""
    return powers_split(expr.subs(s, u / (1 + u)), u, given)


def to_probability(expr: Expr, p: Symbol, given: Given = Given()) -> Expr:
    """Write a function of the odds ``u`` in ``p = u/(1 + u)``, in as short a form as is found."""
    return tidy(in_probability(expr, p, given), p, given)


def in_probability(expr: Expr, p: Symbol, given: Given = Given()) -> Expr:
    """Put ``u = p/(1 - p)``, powers split over positive factors.

    A logarithm of the odds inside an exponential or an error function stays one: it is the logit.
    """
    kept = expr.replace(_is_bell, lambda node: node.subs(sympy.log(u), _logit))
    homogeneous = powers_split(kept.subs(u, p / _r), _r, given)
    return _collapse(sympy.expand_log(homogeneous), p).subs(_logit, sympy.log(p / (1 - p)))


def homogeneous(facts: tuple[Expr, ...], p: Symbol) -> tuple[Expr, ...]:
    """Write facts of positive quantities with a letter for ``1 - p``, as `in_probability` does on its way."""
    fractions = [sympy.fraction(sympy.together(fact.subs(p, p / (p + _r)))) for fact in facts]
    return tuple(sympy.expand(top if bottom.is_positive else top * bottom) for top, bottom in fractions)


def _is_bell(expr: Expr) -> bool:
    return isinstance(expr, sympy.exp | sympy.erf | sympy.erfc)


def _collapse(expr: Expr, p: Symbol) -> Expr:
    """Put ``p + r = 1`` wherever it stands, then ``r = 1 - p``."""
    one = sympy.powdenest(sympy.expand_log(expr.subs(p + _r, 1)))
    half_angle = sympy.asin(sympy.sqrt(p))
    return one.subs(sympy.atan(sympy.sqrt(p) / sympy.sqrt(_r)), half_angle).subs(p + _r, 1).subs(_r, 1 - p)


def reflect(expr: Expr, p: Symbol) -> Expr:
    """Return ``expr`` at ``1 - p``, with ``1 - p`` and ``p`` exchanged where they stand as such; a logit stays one."""
    turned = expr.subs(1 - p, _r).subs(p, 1 - p).subs(_r, p)
    return turned.subs(sympy.log((1 - p) / p), -sympy.log(p / (1 - p)))


@lru_cache(maxsize=4096)
def powers_split(expr: Expr, p: Symbol, given: Given = Given()) -> Expr:
    """Factor the base of every power and the argument of every function, bottom up.

    A factor that is negative for 0 < p < 1 is turned around, so that each power is of a positive base.
    """
    if not expr.args:
        return expr
    args = [powers_split(arg, p, given) for arg in expr.args]
    if isinstance(expr, Pow):
        whole = bool(args[1].is_Integer)
        return sympy.prod([base ** (power * args[1]) for base, power in _bases(args[0], p, given, whole)])
    if isinstance(expr, Add | Mul):
        return expr.func(*args)
    return expr.func(*[_argument(arg) for arg in args])


def _argument(expr: Expr) -> Expr:
    """Write a function's argument as a product, or as a polynomial in the logit if it holds one."""
    return sympy.collect(sympy.expand(expr), _logit, sympy.factor) if expr.has(_logit) else factored(expr)


def _bases(expr: Expr, p: Symbol, given: Given, whole: bool) -> list[tuple[Expr, Expr]]:
    """Split a base into factors that are positive, and what is left: what has no known sign.

    Below a root that is what changes its sign too; with a whole exponent a factor may have any.
    """
    left, split = sympy.S.One, []
    for base, power in (factor.as_base_exp() for factor in Mul.make_args(factored(expr))):
        sign = _constant_sign(base, given)
        if base.has(p):
            sign = sign or (_sign_at_ends(base, p) if whole else _sign_below_root(base, p))
        left *= sign**power if sign else base**power
        split += [(sign * base, power)] if sign else []
    return _without_minus([(left, sympy.S.One), *split], p) if not whole else [(left, sympy.S.One), *split]


def _without_minus(bases: list[tuple[Expr, Expr]], p: Symbol) -> list[tuple[Expr, Expr]]:
    """Give the minus sign of a number below a root to the first factor whose sign is not certain.

    If all are positive for ``0 < p < 1``, p is a variable beyond 1: the sign is that of a factor that is 0 at 1.
    """
    (left, one), *split = bases
    odd = [k for k, (_, power) in enumerate(split) if power % 2 == 1]
    unsure = [k for k in odd if _changes_sign(split[k][0], p)] or [
        k for k in odd if _ends_at_1(split[k][0], p)
    ]
    if not (left.is_number and left.is_negative and unsure):
        return bases
    k = unsure[0]
    return [(-left, one), *split[:k], (-split[k][0], split[k][1]), *split[k + 1 :]]


def _changes_sign(factor: Expr, p: Symbol) -> bool:
    return factor.has(p) and not all(end.is_nonnegative for end in _at_ends(factor, p))


def _ends_at_1(factor: Expr, p: Symbol) -> bool:
    return factor.has(p) and bool(factor.subs(p, 1).is_zero)


def _constant_sign(factor: Expr, given: Given) -> sympy.Integer:
    """Return 1 or -1 if a constant has that sign for all admissible parameters, else 0."""
    for sign in (1, -1):
        if positive(sign * factor, None, given):
            return sympy.Integer(sign)
    return sympy.S.Zero


@lru_cache(maxsize=4096)
def factored(expr: Expr) -> Expr:
    """Factor, with letters for exponentials that would be high powers, and for powers of roots: these are no cubes."""
    if steep(expr):
        return expr
    constants = _powers_of_e(expr)
    opened = expr.replace(_is_exponential, lambda node: _opened(node, constants))
    letters = (*large_exponentials(opened), *_powers_of_roots(opened))
    names = {node: Dummy(positive=True) for node in letters}
    joined = sympy.together(opened.xreplace(names))
    with suppress(sympy.PolynomialError):
        joined = sympy.factor(joined)
    letters_of_e = {power.as_base_exp(): a for a, power in constants.items()}
    values = {letter: exp(a / power) for (letter, power), a in letters_of_e.items()}
    return joined.xreplace({name: node for node, name in names.items()}).xreplace(values)


def _is_exponential(expr: Expr) -> bool:
    return isinstance(expr, exp) or expr is sympy.E


def _opened(node: Expr, constants: dict[Expr, Expr]) -> Expr:
    constant, rest = node.as_base_exp()[1].as_coeff_Add()
    return constants.get(constant, exp(constant)) * exp(rest)


def _powers_of_e(expr: Expr) -> dict[Expr, Expr]:
    """Name the constants of exponentials by their exponents: powers of one letter, or a letter each if these are high.

    To SymPy ``exp(5/4)``, ``exp(5/3)`` and ``exp(1)`` are powers of three letters, and factors take it minutes.
    """
    exponents = (node.as_base_exp()[1] for node in expr.atoms(exp, type(sympy.E)))
    found = {exponent.as_coeff_Add()[0] for exponent in exponents} - {sympy.S.Zero}
    unit = abs(sympy.gcd_list(list(found))) if found else sympy.S.One
    if any(abs(a) > MAX_POWER_OF_E * unit for a in found):
        return {a: Dummy(positive=True) for a in found}
    letter = Dummy(positive=True)
    return {a: letter ** (a / unit) for a in found}


def _powers_of_roots(expr: Expr) -> list[Expr]:
    powers = (x for x in expr.atoms(Pow) if x.exp.is_Rational and not x.exp.is_Integer)
    return [power for power in powers if abs(power.exp.p) > 1]


def root(expr: Expr, given: Given = Given()) -> Expr:
    """Return the square root of a rational constant, factor by factor."""
    return powers_split(sympy.sqrt(expr), _r, given)


def constant(expr: Expr, given: Given = Given()) -> Expr:
    """Write a constant with its parameters factored and its logarithms positive."""
    if expr.is_number:
        return shortest_number(expr)
    expr = with_known_values(expr, None, given)
    written = product(expr, _r, given) if expr.is_rational_function() else without_ratios(expr, given)
    return with_short_numbers(written)


def tidy(expr: Expr, p: Symbol, given: Given = Given()) -> Expr:
    """Return the shortest of a few equal writings, preferring products, which do not cancel, to sums."""
    if expr.has(Integral) or steep(expr):
        return expr
    expr = with_rational_betas(expr)
    if expr.is_rational_function():
        return _product_or_sum(expr, p, given)
    expr = with_plain_exponents(expr)
    writings = (expr, with_logs_of_primes(expr), _exponents_joined(expr, p), arguments_factored(expr, p))
    found = (with_plain_exponents(by_kernel(writing, p, given)) for writing in dict.fromkeys(writings))
    return min((expr, *found), key=sympy.count_ops)


def _exponents_joined(expr: Expr, p: Symbol) -> Expr:
    """Write exponents that are rational over one denominator each."""

    def joined(node: Expr) -> Expr:
        (exponent,) = node.args
        return (
            sympy.exp(product(exponent, p)) if exponent.is_Add and exponent.is_rational_function() else node
        )

    return expr.replace(lambda node: isinstance(node, sympy.exp), joined)


def _product_or_sum(expr: Expr, p: Symbol, given: Given) -> Expr:
    """Write a rational function as a product, unless its terms have denominators so different that it gets long."""
    whole, terms = product(expr, p, given), [product(term, p, given) for term in Add.make_args(expr)]
    return Add(*terms) if LONG * sympy.count_ops(Add(*terms)) < sympy.count_ops(whole) else whole


def product(expr: Expr, p: Symbol, given: Given = Given()) -> Expr:
    """Write a rational function as a product of irreducible factors, each positive if that can be seen."""
    expr = without_roots_below(expr)
    numbers = {number: Symbol(f"_n{i}") for i, number in enumerate(irrational(expr))}
    shown = {symbol: number for number, symbol in numbers.items()}
    fraction = sympy.fraction(sympy.together(expr.xreplace(numbers)))
    top, bottom = (factor_list(part) for part in fraction)
    number, powers = top[0] / bottom[0], Counter[Expr]()
    for factor, power in [*top[1], *((base, -power) for base, power in bottom[1])]:
        sign = _orientation(factor.xreplace(shown), p, given)
        number *= sign ** sympy.Integer(power)
        powers[(sign * factor).xreplace(shown)] += power
    number *= sympy.prod([base**power for base, power in powers.items() if base.is_number])
    factors = [(base, power) for base, power in powers.items() if power and not base.is_number]
    factors = [(part, n * power) for base, power in factors for part, n in _over_a_root(base, p)]
    number *= sympy.prod([base**power for base, power in factors if base.is_number])
    factors = [(base, power) for base, power in factors if not base.is_number]
    number = factor_before(number.xreplace(shown))
    return sympy.Mul(*[_collected(base, p) ** power for base, power in _positive_first(number, factors)])


def _over_a_root(base: Expr, p: Symbol) -> list[tuple[Expr, int]]:
    """Factor a polynomial in p whose coefficients hold one square root of a whole number over that root."""
    roots = irrational(base)
    plain = len(roots) == 1 and roots[0].is_Pow and roots[0].exp == sympy.S.Half and roots[0].base.is_Integer
    if not plain or base.free_symbols != {p} or not 1 < sympy.degree(base, p) <= MAX_SPLIT:
        return [(base, 1)]
    number, found = sympy.factor_list(base, p, extension=roots[0])
    cleared = [(sympy.fraction(sympy.together(part))[0], n) for part, n in found]
    scale = sympy.prod(
        [
            (Poly(part, p).LC() / Poly(whole, p).LC()) ** n
            for (part, n), (whole, _) in zip(found, cleared, strict=True)
        ]
    )
    return [(sympy.radsimp(sympy.expand(number * scale)), 1), *cleared]


@lru_cache(maxsize=4096)
def factor_list(expr: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """Factor a polynomial; a constant has no factors."""
    try:
        coefficient, factors = sympy.factor_list(expr)
    except sympy.PolynomialError:
        return sympy.expand(expr), []
    return coefficient, factors


def _positive_first(number: Expr, factors: list[tuple[Expr, int]]) -> list[tuple[Expr, int]]:
    """Move a minus sign of the number into the first factor of odd power: what is written here is positive."""
    for index, (base, power) in enumerate(factors):
        if (
            number.is_negative
            and power % 2
            and power > 0
            and isinstance(base, Add)
            and not _is_positive(base)
        ):
            return [(-number, 1), *factors[:index], (-base, power), *factors[index + 1 :]]
    return [(number, 1), *factors]


def _is_positive(base: Add) -> bool:
    """Ask SymPy, which looks for zeros; not of a polynomial with roots of numbers, where that takes minutes."""
    return all(term.is_positive for term in base.args) if irrational(base) else bool(base.is_positive)


def _collected(base: Expr, p: Symbol) -> Expr:
    """Write a polynomial in p in its powers, or in those of p and 1 - p if that is shorter."""
    if base.is_number:
        return base
    plain = sympy.collect(sympy.expand(base), p)
    if not base.is_polynomial(p) or Poly(base, p).degree() < 2 or not base.free_symbols - {p}:
        return plain
    return min((plain, _homogeneous(Poly(base, p), p)), key=sympy.count_ops)


def _homogeneous(poly: Poly, p: Symbol) -> Expr:
    whole = Add(*[c * p**n * (p + _r) ** (poly.degree() - n) for (n,), c in poly.terms()])
    return sympy.collect(sympy.expand(whole), [p, _r], sympy.factor).subs(_r, 1 - p)


def _orientation(factor: Expr, p: Symbol, given: Given) -> sympy.Integer:
    if not factor.has(p) and factor.free_symbols:
        return _constant_sign(factor, given) or sympy.S.One
    return _sign_at_ends(factor, p)


def _sign_at_ends(factor: Expr, p: Symbol) -> sympy.Integer:
    ends = [factor.subs(p, 0), factor.subs(p, 1)]
    return sympy.Integer(-1 if all(end.is_nonpositive for end in ends) else 1)


def _sign_below_root(factor: Expr, p: Symbol) -> sympy.Integer:
    if _turns(factor, p):
        return sympy.S.Zero
    return sympy.Integer(-1 if all(end.is_nonpositive for end in _at_ends(factor, p)) else 1)


def _at_ends(factor: Expr, p: Symbol) -> tuple[Expr, Expr]:
    """Return the values at the ends of the range, of polynomials of the odds what stands before their highest power."""
    far = p == u and factor.is_polynomial(u)
    return factor.subs(p, 0), sympy.LC(factor, u) if far else factor.subs(p, 1)


def _turns(factor: Expr, p: Symbol) -> bool:
    """Has a polynomial of numbers zeros inside its range, with the same sign at both ends?"""
    letters = sorted(factor.free_symbols - {_r}, key=str) or [_r]
    odds = _r in factor.free_symbols or p == u
    if len(letters) > 1 or not factor.is_polynomial(p, _r):
        return False
    poly = Poly(factor.subs(_r, 1) if letters[0] != _r else factor, letters[0])
    return bool(poly.degree() == 2 and poly.domain.is_Exact and poly.count_roots(0, None if odds else 1) > 0)


def by_kernel(expr: Expr, p: Symbol, given: Given) -> Expr:
    """Group a sum by its logarithms, roots and other non-rational factors, each with a factored coefficient."""
    products = ((kernel, product(rational, p, given)) for kernel, rational in kernels(expr, None))
    groups = {kernel: coefficient for kernel, coefficient in products if coefficient != 0}
    return Add(*[coefficient * kernel for kernel, coefficient in _tails(groups, p)])


def _tails(groups: dict[Expr, Expr], p: Symbol) -> list[tuple[Expr, Expr]]:
    """Put an error function and the constant that makes it the tail of a distribution together: ``1 + erf(y)``.

    ``erfc(y) - 2`` is such a tail too; first come those y that may be far below 0, where the difference cancels.
    """
    joined = dict(groups)
    for kernel in sorted(groups, key=lambda kernel: _is_argument_positive(kernel, p)):
        for tail in (
            factor for factor in Mul.make_args(kernel) if isinstance(factor, sympy.erf | sympy.erfc)
        ):
            if kernel not in joined:
                break  # it has been put together with another one
            coefficient, beside = joined[kernel], kernel / tail
            share = (
                sympy.cancel(joined[beside] / coefficient)
                if beside in joined and coefficient != 0
                else sympy.S.Zero
            )
            if share in (complements := _complements(tail)):
                del joined[kernel], joined[beside]
                written, sign = complements[share]
                joined[beside * written] = joined.get(beside * written, sympy.S.Zero) + sign * coefficient
    return list(joined.items())


def _complements(tail: Expr) -> dict[int, tuple[Expr, int]]:
    """Return which multiples of 1 beside an error function make a tail, and that tail with its sign."""
    (y,) = tail.args
    if isinstance(tail, sympy.erf):
        return {1: (1 + tail, 1), -1: (1 - tail, -1)}
    return {-2: (1 + sympy.erf(y), -1), -1: (sympy.erf(y), -1)}


def _is_argument_positive(kernel: Expr, p: Symbol) -> bool:
    arguments = [tail.args[0] for tail in kernel.atoms(sympy.erf, sympy.erfc)]
    return all(positive(y, Interval(p, sympy.S.Zero, sympy.S.One)) for y in arguments)


def kernels(expr: Expr, x: Symbol | None) -> list[tuple[Expr, Expr]]:
    """Split a sum into (kernel, rational coefficient) pairs; rational means in x, or in every symbol."""
    groups: dict[Expr, Expr] = {}
    for term in summands(expr, x):
        rational, kernel = sympy.S.One, sympy.S.One
        for factor in Mul.make_args(_one_exponential(term)):
            whole, rest = _whole_power(factor, x)
            rational, kernel = rational * whole, kernel * rest
        groups[kernel] = groups.get(kernel, sympy.S.Zero) + rational
    return list(groups.items())


def _one_exponential(term: Expr) -> Expr:
    """Join exponentials and powers with letters in their exponents; of other products SymPy may be busy for minutes."""
    joins = any(not node.exp.is_number for node in term.atoms(Pow, sympy.exp))
    return sympy.powsimp(term, combine="exp") if joins else term


def _whole_power(factor: Expr, x: Symbol | None) -> tuple[Expr, Expr]:
    """Split a factor into a rational one and a root with an exponent between 0 and 1, or whatever it is."""
    base, power = factor.as_base_exp()
    if _is_rational(factor, x):
        return factor, sympy.S.One
    if not (power.is_Rational and _is_rational(base, x)):
        return sympy.S.One, factor
    whole = sympy.floor(power)
    return base**whole, base ** (power - whole)


def _is_rational(expr: Expr, x: Symbol | None) -> bool:
    if x is None and expr.is_number:
        return bool(expr.is_Rational)
    return bool(expr.is_rational_function(x) if x else expr.is_rational_function())


def summands(expr: Expr, x: Symbol | None) -> list[Expr]:
    """Multiply out the sums that hold something that is not rational; those that are rational stay factors."""
    return _distributed(_powers_opened(expr, x), x)


def _distributed(expr: Expr, x: Symbol | None) -> list[Expr]:
    if isinstance(expr, Add):
        return [term for arg in expr.args for term in _distributed(arg, x)]
    factors = [
        _distributed(factor, x) if isinstance(factor, Add) and not _is_rational(factor, x) else [factor]
        for factor in Mul.make_args(expr)
    ]
    return [Mul(*chosen) for chosen in combinations(*factors)]


def _powers_opened(expr: Expr, x: Symbol | None) -> Expr:
    """Multiply out whole powers of sums that hold something that is not rational."""
    return expr.replace(
        lambda node: (
            isinstance(node, Pow)
            and isinstance(node.base, Add)
            and node.exp.is_Integer
            and node.exp > 0
            and not _is_rational(node.base, x)
        ),
        sympy.expand,
    )


def shorter_weight(expr: Expr, s: Symbol, given: Given) -> Expr:
    """Write a rational density of s as a product or over its partial fractions, whichever is shorter."""
    if not expr.is_rational_function():
        return tidy(expr, s, given)
    fractions = Add(*[product(term, s, given) for term in Add.make_args(_apart(sympy.cancel(expr), s))])
    return min((product(expr, s, given), sympy.factor_terms(fractions)), key=sympy.count_ops)


def _apart(expr: Expr, s: Symbol) -> Expr:
    """Return partial fractions; roots of numbers and pi are letters to them, with which SymPy is much faster."""
    numbers = [
        node for node in expr.atoms(Pow, sympy.NumberSymbol) if node.is_number and not node.is_rational
    ]
    names = {node: Dummy(positive=True) for node in numbers}
    found: Expr = sympy.apart(expr.xreplace(names), s)
    return found.xreplace({name: node for node, name in names.items()})


def arguments_factored(expr: Expr, p: Symbol) -> Expr:
    """Write the arguments of functions that are rational in p as products of positive factors."""

    def by_args(node: Expr) -> Expr:
        return node.func(*[product(arg, p) if arg.is_rational_function(p) else arg for arg in node.args])

    return expr.replace(lambda node: isinstance(node, sympy.Function) and node.has(p), by_args)


def oriented(factor: Expr, p: Symbol) -> Expr:
    """Return a factor or its negative, whichever is positive between 0 and 1 if that can be seen."""
    return _sign_at_ends(factor, p) * factor
