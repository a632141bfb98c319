"""A table of primitives: antiderivatives of single terms in a positive variable, parameters symbolic.

Each row takes ``x``, a term and gives an antiderivative, or ``None`` if the term is not of its kind:

* ``c x^r``;
* ``c x^r exp(-k x^n)``: an incomplete Gamma function, elementary if ``(r + 1)/n`` is a positive integer;
* ``c x^r exp(-a x^(2 n) - b x^n)``: an error function, if ``(r + 1)/n`` is a positive integer;
* ``c x^r exp(-k log(x)^2 + l log(x))``: an error function, after completing the square;
* ``c x^r exp(-a x^n - b x^(-n))`` for half-integers ``(r + 1)/n``: error functions, after completing two squares;
* ``c x^r (A + B x^n)^q``: an incomplete Beta function of ``z = B x^n/(A + B x^n)`` or of ``z = -B x^n/A``;
* ``c/x erf(a log(x) + b)``, and the same of its complement;
* ``c x^n exp(-k x) sin(a x + b)``, and the same of its cosine, for a whole number n;
* ``c x^r F(x)`` for an error function or an incomplete Gamma or Beta function F whose slope leads to a row above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Add, Expr, Mul, Poly, Symbol

from costderive.core.derivatives import derivative
from costderive.core.piecewise import Given
from costderive.deciders.signs import positive
from costderive.derivation.integration.contiguous_betas import joined, sum_in_odds, with_few_powers
from costderive.derivation.integration.waves import primitive_of_wave
from costderive.rules.odds_form import factored, kernels, product
from costderive.rules.odds_form import root as square_root

Row = Callable[["Term", Symbol], Expr | None]

MAX_SHAPE = 60
LARGEST_HALF = 6  # of shapes that become an arc sine and powers
MAX_ROOT = 6  # of those that others substitute
MOST_OF_UNITY = 4  # of the roots of -1 that are poles of what others see
FINEST = 500  # beyond it SymPy does not come to an end with powers of numbers
LEFT_BY_SLOPE = (sympy.erf, sympy.erfc, sympy.uppergamma, sympy.betainc)


@dataclass(frozen=True, slots=True)
class Term:
    """The product ``factor x^power exp(exponent) (sum)^sum_power`` of one summand."""

    factor: Expr
    power: Expr
    exponent: Expr
    sum: Expr
    sum_power: Expr
    given: Given = Given()


def primitive(expr: Expr, x: Symbol, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a sum of terms of the table, or ``None`` if a term is not in it."""
    constant, moving = sympy.powsimp(expr, combine="exp").as_independent(x, as_Add=False)
    whole = _of_term(moving, x, given)
    if whole is not None:
        return constant * with_few_powers(whole)
    total = sympy.S.Zero
    for summand in _prepared(moving, x, given):
        found = None if summand is None else _of_term(summand, x, given)
        if found is None:
            return None
        total += found
    total = with_few_powers(joined(_without_cancelled(total), x))
    return Add(*[sympy.powsimp(constant * term) for term in Add.make_args(total)])


def _prepared(expr: Expr, x: Symbol, given: Given) -> Iterator[Expr | None]:
    """Split into terms: a partial fraction in x, times whatever is not rational in x; None for a root of no row."""
    split = _of_one_power(kernels(sympy.expand_log(expr), x))
    shared = [_with_denominators(rational, kernel, x) for kernel, rational in split]
    if any(_is_strange_root(kernel, x, given) for _, kernel in shared):
        yield None
    for rational, kernel in shared:
        yield from (part * kernel for part in _fractions(rational, x))


def _is_strange_root(kernel: Expr, x: Symbol, given: Given) -> bool:
    """Is it made of roots alone, of which some are in no row of the table, whatever is beside them?"""
    return not kernel.has(sympy.Function) and _taken_apart(kernel, x, given) is None


def _of_one_power(split: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    """Put together what differs by a whole power, with letters in exponents: ``x^(a/b)`` and ``x^((a + b)/b)``."""
    groups: dict[Expr, Expr] = {}
    for kernel, rational in split:
        ratios = ((other, _ratio(kernel, other)) for other in groups if _has_letters_above(kernel))
        other, ratio = next(((o, r) for o, r in ratios if r.is_rational_function()), (kernel, sympy.S.One))
        groups[other] = groups.get(other, sympy.S.Zero) + rational * ratio
    return list(groups.items())


def _has_letters_above(kernel: Expr) -> bool:
    return any(not node.exp.is_number for node in kernel.atoms(sympy.Pow))


def _ratio(kernel: Expr, other: Expr) -> Expr:
    factors = [factor.as_base_exp() for factor in Mul.make_args(sympy.powsimp(kernel / other, combine="exp"))]
    return Mul(*[base if base == 1 else base ** sympy.cancel(exponent) for base, exponent in factors])


def _with_denominators(rational: Expr, kernel: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """Give a power of a polynomial the factors of denominators that divide it, as ``1/(1 - x)`` to ``(1 - x^2)^b``."""
    for power in kernel.atoms(sympy.Pow):
        base = power.base
        while base.is_polynomial(x) and _degree_below(rational * base, x) < _degree_below(rational, x):
            rational, kernel = sympy.cancel(rational * base), kernel / base
    return rational, kernel


def _degree_below(rational: Expr, x: Symbol) -> int:
    return int(sympy.degree(sympy.denom(sympy.cancel(rational)), x))


def _fractions(rational: Expr, x: Symbol) -> tuple[Expr, ...]:
    """Return partial fractions; constants such as log(7) or exp(184/125) are letters to them, in which SymPy is fast.

    A root of a number before all of them stays outside, as SymPy would split nothing beside it.
    """
    names = {node: sympy.Dummy(positive=True) for node in rational.atoms(sympy.Function) if not node.has(x)}
    constant, moving = sympy.cancel(rational.xreplace(names)).as_independent(x, as_Add=False)
    back = {name: node for node, name in names.items()}
    return tuple((constant * part).xreplace(back) for part in Add.make_args(sympy.apart(moving, x)))


def _of_term(summand: Expr, x: Symbol, given: Given) -> Expr | None:
    term = _taken_apart(summand, x, given)
    if term is None:
        return primitive_of_wave(summand, x) or _by_parts(summand, x, given)
    return next((found for row in TABLE if (found := row(term, x)) is not None), None)


def _taken_apart(summand: Expr, x: Symbol, given: Given) -> Term | None:
    factor, rest = summand.as_independent(x, as_Add=False)
    power, exponent, total, total_power = sympy.S.Zero, sympy.S.Zero, sympy.S.One, sympy.S.Zero
    is_split = False
    for base, exp in (piece.as_base_exp() for piece in Mul.make_args(rest)):
        if base == x and not exp.has(x):
            power += exp
        elif base is sympy.E or not base.has(x):
            exponent += exp * sympy.log(base)
        elif (split := _two_powers(base, x)) and not exp.has(x) and total in (1, split[1]):
            power, total, total_power, is_split = power + exp * split[0], split[1], total_power + exp, True
        elif (base.is_polynomial(x) or _binomial(base, x)) and not exp.has(x) and total in (1, base):
            total, total_power = base, total_power + exp
        elif base != 1:
            return None
    term = Term(factor, power, sympy.expand(exponent), total, total_power, given)
    return None if is_split and _has_fractions_above(term, x) else term


def _has_fractions_above(term: Term, x: Symbol) -> bool:
    """Would an incomplete Beta function have fractions of numbers alone? Its many writings are not compared."""
    _, _, n = _binomial(term.sum, x) or (0, 0, sympy.S.One)
    return bool(n.is_Rational and not n.is_Integer and not ((term.power + 1) / n).is_Integer)


def _two_powers(base: Expr, x: Symbol) -> tuple[Expr, Expr] | None:
    """Write a sum of two powers of x as one of them times ``A + B x^n``; return its exponent and this sum."""
    if not base.is_Add or base.is_polynomial(x) or _binomial(base, x):
        return None
    parts: dict[Expr, Expr] = {}
    for constant, power in (
        term.as_independent(x, as_Add=False) for term in Add.make_args(_by_exponents(base))
    ):
        lead, exponent = power.as_base_exp()
        if lead != x or exponent.has(x):
            return None
        parts[exponent] = parts.get(exponent, sympy.S.Zero) + constant
    if len(parts) != 2:
        return None
    (low, start), (high, slope) = parts.items()
    return low, start + slope * x ** sympy.expand(high - low)


def _by_exponents(total: Expr) -> Expr:
    return sympy.powsimp(sympy.expand(total), combine="exp")


def _by_parts(summand: Expr, x: Symbol, given: Given) -> Expr | None:
    """``g' F`` is the slope of ``g F`` less ``g F'``, in which F has gone: ``g'`` is ``x^r``, or ``x^n exp(-k x)``."""
    functions = [factor for factor in Mul.make_args(summand) if factor.has(*LEFT_BY_SLOPE)]
    if len(functions) != 1 or not isinstance(functions[0], LEFT_BY_SLOPE):
        return None
    (function,) = functions
    if (direct := _in_the_logarithm(summand / function, function, x)) is not None:
        return direct
    power = _plain_primitive(summand / function, x, given)
    left = None if power is None else _of_sum(-power * _slope(function, x), x, given)
    return None if left is None else power * function + left


def _slope(function: Expr, x: Symbol) -> Expr:
    """Differentiate, and split the powers of the arguments into powers of x and of sums."""
    slope = derivative(function, x).replace(lambda node: _is_sum_of_roots(node, x), sympy.factor)
    return sympy.powsimp(sympy.expand_power_base(slope), combine="exp")


def _is_sum_of_roots(node: Expr, x: Symbol) -> bool:
    """Is it a sum of which only fractions and roots have x?"""
    if not node.is_Add or not node.has(x) or any(part.has(x) for part in node.atoms(sympy.Function)):
        return False
    return all(power.exp.is_Rational for power in node.atoms(sympy.Pow) if power.has(x))


def _in_the_logarithm(factor: Expr, function: Expr, x: Symbol) -> Expr | None:
    """Integrate ``c/x erf(y)`` for y linear in ``log x``: up to constants that is ``y erf(y) + exp(-y^2)/sqrt(pi)``."""
    constant, y = sympy.cancel(factor * x), function.args[0]
    slope = sympy.cancel(x * sympy.diff(y, x))
    if constant.has(x) or slope.has(x) or slope == 0 or not isinstance(function, sympy.erf | sympy.erfc):
        return None
    sign = 1 if isinstance(function, sympy.erf) else -1
    return constant / slope * (y * function + sign * sympy.exp(-(y**2)) / sympy.sqrt(sympy.pi))


def _of_sum(expr: Expr, x: Symbol, given: Given) -> Expr | None:
    """Integrate an expression as it is, or else each term of what it is when it is multiplied out."""
    whole = primitive(expr, x, given)
    terms = Add.make_args(_by_exponents(expr)) if whole is None else ()
    found = [primitive(term, x, given) for term in terms]
    return whole if len(terms) < 2 or None in found else Add(*found)


def _plain_primitive(factor: Expr, x: Symbol, given: Given) -> Expr | None:
    """Integrate ``c x^r`` for a power other than -1, and ``c x^n exp(-k x)`` for a whole number n."""
    term = _taken_apart(factor, x, given)
    if term is None or term.power == -1:
        return None
    if term.power.is_Integer and term.power.is_nonnegative and _is_line(term.exponent, x):
        return _exponential(term, x)
    return _monomial(term, x)


def _is_line(exponent: Expr, x: Symbol) -> bool:
    return bool(exponent.is_polynomial(x) and sympy.degree(exponent, x) == 1)


def _monomial(term: Term, x: Symbol) -> Expr | None:
    if term.exponent.has(x) or term.sum_power != 0:
        return None
    factor = term.factor * sympy.exp(term.exponent)
    if term.power == -1:
        return factor * sympy.log(x)
    return factor * x ** (term.power + 1) / (term.power + 1)


def _exponential(term: Term, x: Symbol) -> Expr | None:
    """With ``y = k x^n``, ``x^r exp(-k x^n) dx`` is ``k^(-a) y^(a - 1) exp(-y) dy/n``, where ``a = (r + 1)/n``."""
    constant, moving = term.exponent.as_independent(x, as_Add=True)
    powers = [x, *(node for node in moving.atoms(sympy.Pow) if node.base == x)]
    rate, power = sympy.collect(-moving, powers).as_independent(x, as_Add=False)
    rate = factored(rate)
    base, n = power.as_base_exp()
    has_sign = n.is_positive or n.is_negative
    if term.sum_power != 0 or base != x or n.has(x) or not has_sign or rate.is_negative:
        return None
    shape = sympy.cancel((term.power + 1) / n)
    gamma = _upper_gamma(shape, rate * x**n)
    return -term.factor * sympy.exp(constant) / n * _constant_power(rate, -shape) * gamma


def _constant_power(base: Expr, exponent: Expr) -> Expr:
    """Return a power, of a number prime by prime: SymPy would compute one with the numerator for its exponent."""
    pairs = [factor.as_base_exp() for factor in Mul.make_args(base)]
    if not all(x.is_Rational and e.is_Rational for x, e in pairs):
        return base**exponent
    powers = Counter[int]()
    for x, e in pairs:
        for prime, multiplicity in sympy.factorrat(x).items():
            powers[prime] += multiplicity * e * exponent
    return Mul(*[sympy.Integer(prime) ** power for prime, power in powers.items()])


def _upper_gamma(shape: Expr, y: Expr) -> Expr:
    """Write ``Gamma(shape, y)``, up to a constant, through exp, erf and ``E1(y)`` where that can be done."""
    if not (shape.is_Rational and shape.q <= 2 and abs(shape) <= MAX_SHAPE):
        return sympy.uppergamma(shape, y)
    if shape == 0:
        return sympy.expint(1, y)
    if shape == 1:
        return sympy.exp(-y)
    if shape == sympy.S.Half:
        return -sympy.sqrt(sympy.pi) * sympy.erf(sympy.sqrt(y))
    if shape > 1:
        return (shape - 1) * _upper_gamma(shape - 1, y) + y ** (shape - 1) * sympy.exp(-y)
    return (_upper_gamma(shape + 1, y) - y**shape * sympy.exp(-y)) / shape


def _log_normal(term: Term, x: Symbol) -> Expr | None:
    """Complete the square in ``log x``; what is left is an error function."""
    log = Symbol("_log", real=True)
    exponent = sympy.expand(term.exponent.subs(sympy.log(x), log))
    if term.sum_power != 0 or exponent.has(x) or not exponent.is_polynomial(log):
        return None
    coefficients = Poly(exponent, log).all_coeffs()
    if len(coefficients) != 3:
        return None
    k, slope, constant = (
        product(-coefficients[0], x, term.given),
        coefficients[1] + term.power + 1,
        coefficients[2],
    )
    if not positive(k, None, term.given):
        return None
    root = square_root(k, term.given)
    scale = sympy.exp(_in_logs(constant + slope**2 / (4 * k)))
    tail = 1 + sympy.erf(root * sympy.log(x) - _in_logs(slope) / (2 * root))
    return term.factor * sympy.sqrt(sympy.pi) / (2 * root) * scale * tail


def _in_logs(expr: Expr) -> Expr:
    """Collect an exponent in its logarithms, each coefficient factored."""
    return sympy.collect(sympy.expand(expr), list(expr.atoms(sympy.log)), sympy.factor)


def _beta(term: Term, x: Symbol, *, may_turn: bool = True) -> Expr | None:
    """With ``y = x^n``, ``x^r (A + B y)^q dx`` is ``y^(f - 1) (A + B y)^q dy/n``, where ``f = (r + 1)/n``.

    In ``z = B y/(A + B y)`` that is ``z^(f - 1) (1 - z)^(-f - q - 1) dz``, and in ``z = -B y/A``, for a negative B,
    ``z^(f - 1) (1 - z)^q dz``, both up to a constant.
    """
    term = _with_positive_sum(term)
    multiplied_out = term.sum_power.is_Integer and term.sum_power.is_nonnegative
    binomial = None if multiplied_out or term.exponent.has(x) else _binomial(term.sum, x)
    if binomial is None:
        return None
    start, slope, n = binomial
    coarse = n.is_Rational and term.power.is_Rational and max(n.q, term.power.q) <= MAX_ROOT
    first = sympy.cancel((term.power + 1) / n)
    other = sympy.expand(-first - term.sum_power)
    is_whole_in_root = (
        n.is_Rational and n.q > 1 and any(x.is_Integer and x.is_positive for x in (first, other))
    )
    if n != 1 and coarse and _is_elementary(term, n, first) and not is_whole_in_root:
        return None  # which other searches see
    is_negative = start.could_extract_minus_sign() and not slope.could_extract_minus_sign()
    if may_turn and (is_negative or _is_turned_better(first, other, slope, term.given)):
        return _beta(_turned(term, binomial, x), x, may_turn=False)
    if start.is_negative or first.is_negative or first.is_zero or (first.is_Rational and first.q > FINEST):
        return None
    if first.is_Integer and first <= MAX_SHAPE and term.sum_power.is_Rational:
        return _of_whole_first(term, (start, slope, n), int(first), x)
    size = -slope if slope.is_negative else slope
    scale = _constant_power(start / size, first) * start**term.sum_power
    factor = term.factor * sympy.exp(term.exponent) * scale / n
    if slope.is_negative:
        return factor * incomplete_beta(
            first, sympy.expand(term.sum_power + 1), size * x**n / start, term.given
        )
    share = size * x**n / term.sum
    share = sympy.together(share) if n.is_negative else share
    return factor * incomplete_beta(first, sympy.expand(-first - term.sum_power), share, term.given)


def _is_elementary(term: Term, n: Expr, first: Expr) -> bool:
    """Is it elementary, and without roots of unity or of letters in it? By Chebyshev's theorem a number is whole."""
    power = term.sum_power
    if power.is_Integer:
        has_letters = len(term.sum.free_symbols) > 1
        return bool(n.p <= MOST_OF_UNITY and (n.is_Integer or not has_letters))
    return bool((2 * power).is_Integer) and any(x.is_Integer for x in (first, first + power))


def _with_positive_sum(term: Term) -> Term:
    """Turn the sign of a sum that is negative, if its power is whole."""
    if not (term.sum_power.is_Integer and positive(-term.sum, None, term.given)):
        return term
    return replace(term, factor=term.factor * (-1) ** term.sum_power, sum=sympy.expand(-term.sum))


def _is_turned_better(first: Expr, second: Expr, slope: Expr, given: Given) -> bool:
    """Is only the other shape whole, or known to be positive? Then it is elementary, or real from infinity on."""
    if second.is_Integer and second.is_positive and first.is_Rational:
        return not first.is_Integer or bool(first.is_nonpositive)
    return bool(
        first.free_symbols
        and not slope.is_negative
        and not positive(first, None, given)
        and positive(second, None, given)
    )


def _turned(term: Term, binomial: tuple[Expr, Expr, Expr], x: Symbol) -> Term:
    """Write ``x^r (-A + B x^n)^q`` as ``x^(r + n q) (B - A x^(-n))^q``."""
    start, slope, n = binomial
    power = sympy.expand(term.power + n * term.sum_power)
    return replace(term, power=power, sum=slope + start * x**-n)


def _of_whole_first(term: Term, binomial: tuple[Expr, Expr, Expr], first: int, x: Symbol) -> Expr | None:
    """Multiply out ``y^(f - 1) (A + B y)^q`` in ``t = A + B y``, where f is a whole number."""
    start, slope, n = binomial
    powers = [term.sum_power + k + 1 for k in range(first)]
    terms = [
        sympy.binomial(first - 1, k) * (-start) ** (first - 1 - k) * _power_primitive(term.sum, powers[k])
        for k in range(first)
    ]
    return term.factor * sympy.exp(term.exponent) / (n * slope**first) * Add(*terms)


def _power_primitive(base: Expr, above: Expr) -> Expr:
    return sympy.log(base) if above == 0 else base**above / above


def _binomial(total: Expr, x: Symbol) -> tuple[Expr, Expr, Expr] | None:
    """Return A, B and n of a sum ``A + B x^n``."""
    start, moving = total.as_independent(x, as_Add=True)
    slope, power = sympy.collect(_by_exponents(moving), x).as_independent(x, as_Add=False)
    base, n = power.as_base_exp()
    has_sign = n.is_positive or n.is_negative
    return (start, slope, n) if start != 0 and base == x and has_sign and not n.has(x) else None


def incomplete_beta(a: Expr, b: Expr, z: Expr, given: Given = Given()) -> Expr:
    """Return ``B_z(a, b)`` up to a constant, elementary where a or b is 1.

    ``B_z(1, b)`` is left as it is where b may be 0: it is a power for other numbers, a logarithm for this one.

    Fractions are led back to (0, 1):

    ``(a + b) B_z(a + 1, b) = a B_z(a, b) - z^a (1 - z)^b`` and ``b B_z(a, b) = (a + b) B_z(a, b + 1) - z^a (1 - z)^b``.

    If ``a + b`` is a whole number that is not positive, ``w = z/(1 - z)`` turns it into a sum of powers, and halves
    are led back to ``B_z(1/2, 1/2)``, an arc sine.

    Source: NIST Digital Library of Mathematical Functions, 8.17(iv).
    """
    if (a + b).is_Integer and a + b <= 0 and not a.is_Integer:
        return sum_in_odds(a, int(-a - b), z)
    if b == 1:
        return z**a / a
    if a == 1 and b == 0:
        return -sympy.log(_one_less(z))
    if a == 1 and (positive(b, None, given) or positive(-b, None, given)):
        return -(_one_less(z) ** b) / b
    if _is_half(a) and _is_half(b):
        return _beta_of_halves(a, b, z)
    if _is_fraction(a) and _is_fraction(b) and not (a + b).is_Integer:
        if a > 1:
            return _from_lower(a, b, z, incomplete_beta(a - 1, b, z))
        if b < 0:
            return _from_higher(a, b, z, incomplete_beta(a, b + 1, z))
    return sympy.betainc(a, b, 0, z)


def _from_lower(a: Expr, b: Expr, z: Expr, lower: Expr) -> Expr:
    """Return ``B_z(a, b)`` from ``B_z(a - 1, b)``."""
    return ((a - 1) * lower - z ** (a - 1) * _one_less(z) ** b) / (a + b - 1)


def _from_higher(a: Expr, b: Expr, z: Expr, higher: Expr) -> Expr:
    """Return ``B_z(a, b)`` from ``B_z(a, b + 1)``."""
    return ((a + b) * higher - z**a * _one_less(z) ** b) / b


def _beta_of_halves(a: Expr, b: Expr, z: Expr) -> Expr:
    """Return ``B_z(a, b)`` for shapes that are halves and have a positive sum."""
    half = sympy.S.Half
    if a == b == half:
        return 2 * sympy.asin(sympy.sqrt(z))
    if a < 0:
        return ((a + b) * _beta_of_halves(a + 1, b, z) + z**a * _one_less(z) ** b) / a
    if b < 0:
        return _from_higher(a, b, z, _beta_of_halves(a, b + 1, z))
    if a > half:
        return _from_lower(a, b, z, _beta_of_halves(a - 1, b, z))
    return ((b - 1) * _beta_of_halves(a, b - 1, z) + z**a * _one_less(z) ** (b - 1)) / (a + b - 1)


def _is_half(shape: Expr) -> bool:
    return bool(shape.is_Rational and shape.q == 2 and abs(shape) <= LARGEST_HALF)


def _is_fraction(shape: Expr) -> bool:
    return bool(shape.is_Rational and not shape.is_Integer and abs(shape) <= MAX_SHAPE)


def _one_less(z: Expr) -> Expr:
    return sympy.together(1 - z)


def _without_cancelled(total: Expr) -> Expr:
    """Add up the exponential integrals; in a loss they often cancel."""
    left = total.atoms(sympy.expint)
    return sympy.collect(sympy.expand(total), list(left)) if left else total


def _bell(term: Term, x: Symbol) -> Expr | None:
    """With ``y = x^n``, ``x^r exp(-a x^(2 n) - b x^n) dx`` is ``y^(m - 1) exp(-a y^2 - b y) dy/n``, ``m = (r + 1)/n``.

    By parts, ``2 a I(m + 2) = m I(m) - b I(m + 1) - y^m exp(-a y^2 - b y)``.
    """
    constant, rates = _rates(term.exponent, x)
    n = next((n for n in rates if rates.keys() == {n, 2 * n} and n != 0), None)
    if n is None or term.sum_power != 0 or any(rate.has(x) for rate in rates.values()):
        return None
    a, b, m = sympy.factor(rates[2 * n]), sympy.factor(rates[n]), (term.power + 1) / n
    if not (m.is_Integer and 0 < m <= MAX_SHAPE and positive(a, None, term.given)):
        return None
    root, y = square_root(a, term.given), x**n
    curve = sympy.exp(term.exponent)
    scale = sympy.exp(sympy.expand(constant + b**2 / (4 * a))) * sympy.sqrt(sympy.pi) / (2 * root)
    found = [-scale * sympy.erfc(root * y + b / (2 * root))]
    found.append(-(b * found[0] + curve) / (2 * a))
    for k in range(1, int(m) - 1):
        found.append((k * found[k - 1] - b * found[k] - y**k * curve) / (2 * a))
    return term.factor / n * sympy.expand(found[int(m) - 1])


def _rates(exponent: Expr, x: Symbol) -> tuple[Expr, dict[Expr, Expr]]:
    """Return the constant and, for each power of x, the rate by which an exponent falls."""
    constant, moving = exponent.as_independent(x, as_Add=True)
    rates: dict[Expr, Expr] = {}
    for coefficient, power in (part.as_coeff_exponent(x) for part in Add.make_args(moving)):
        rates[power] = rates.get(power, sympy.S.Zero) - coefficient
    return constant, rates


def _both_ways(term: Term, x: Symbol) -> Expr | None:
    """With ``y = x^n``, ``x^r exp(-a x^n - b x^(-n)) dx`` is ``y^(m - 1) exp(-a y - b/y) dy/n``, ``m = (r + 1)/n``.

    An inverse Gaussian law has it, or a Frechet law of shape 2 beside a Weibull law of shape 2. It is an error
    function where m is half of an odd number.
    """
    constant, rates = _rates(term.exponent, x)
    n = next((n for n in rates if rates.keys() == {n, -n} and n.is_positive), None)
    if n is None or term.sum_power != 0 or any(rate.has(x) for rate in rates.values()):
        return None
    a, b, power = sympy.factor(rates[n]), sympy.factor(rates[-n]), (term.power + 1) / n - 1
    is_half = (2 * power).is_Integer and not power.is_Integer and abs(power) <= MAX_SHAPE
    if not (is_half and all(positive(rate, None, term.given) for rate in (a, b))):
        return None
    y = x**n
    bell, known = sympy.exp(term.exponent), _two_squares(constant, a, b, y, term.given)

    def integral(r: Expr) -> Expr:
        """By parts, ``a I(r) = r I(r - 1) + b I(r - 2) - y^r exp(-a y - b/y)``."""
        if r in known:
            return known[r]
        if r > 0:
            return (r * integral(r - 1) + b * integral(r - 2) - y**r * bell) / a
        return (a * integral(r + 2) - (r + 2) * integral(r + 1) + y ** (r + 2) * bell) / b

    return term.factor / n * sympy.expand(integral(power))


def _two_squares(constant: Expr, a: Expr, b: Expr, x: Symbol, given: Given) -> dict[Expr, Expr]:
    """Return the integrals for r = -1/2 and -3/2, by the squares of ``sqrt(a x) - sqrt(b/x)`` and of the sum."""
    first, second = square_root(a, given), square_root(b, given)
    gap = 2 * first * second
    below, above = (
        sympy.exp(sympy.expand(constant - sign * gap)) * sign * function(y)
        for sign, function, y in (
            (1, sympy.erf, first * sympy.sqrt(x) - second / sympy.sqrt(x)),
            (-1, sympy.erfc, first * sympy.sqrt(x) + second / sympy.sqrt(x)),
        )
    )
    half = sympy.sqrt(sympy.pi) / 2
    return {
        sympy.Rational(-1, 2): half / first * (below + above),
        sympy.Rational(-3, 2): half / second * (below - above),
    }


TABLE: tuple[Row, ...] = (_monomial, _exponential, _bell, _log_normal, _both_ways, _beta)
