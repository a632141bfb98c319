"""Antiderivatives by undetermined coefficients: rational multiples of kernels, and a table of special functions.

An integrand is written over kernels (roots, exponentials, error functions), each with a rational coefficient.
Kernels that are closed under differentiation span the trial ``sum of N_j/D K_j``, whose polynomials ``N_j`` are
found, with one constant for each special function, by solving linear equations. This is the parallel method of
Risch and Norman with the denominators and degrees guessed: what it finds is right once differentiated, and what it
does not find may still exist.

Source: Bronstein (2007), "Structure theorems for parallel integration".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce

import sympy
from sympy import Add, Expr, Mul, Poly, Pow, Rational, Symbol
from sympy.polys.fields import FracElement, FracField
from sympy.polys.rings import PolyElement, PolyRing
from sympy.polys.solvers import solve_lin_sys

from costderive.core.derivatives import derivative
from costderive.core.time_limit import within
from costderive.derivation.integration.primitive_table import incomplete_beta
from costderive.rules import odds_form

MAX_KERNELS, MAX_UNKNOWNS, MAX_DEGREE = 12, 120, 24
LARGE, PRIME = 500, 1009  # of numbers in place of letters: primes from the 500th on, over another
SECONDS = 5.0

Row = dict[Expr, Expr]  # kernel -> rational coefficient


class _Unsuited(Exception):
    """The integrand is not a rational combination of a few kernels."""


def by_ansatz(integrand: Expr, x: Symbol, seconds: float = SECONDS) -> Expr | None:
    """Return an antiderivative in the positive variable x, or ``None`` if the trial has no solution in time."""
    try:
        return within(min(seconds, SECONDS), _antiderivative, integrand, x)
    except (TimeoutError, RecursionError, MemoryError):
        return None


def _antiderivative(integrand: Expr, x: Symbol) -> Expr | None:
    constant, moving = odds_form.powers_split(integrand, x).as_independent(x, as_Add=False)
    try:
        found = _solved(_over_kernels(moving, x), x)
    except (_Unsuited, sympy.PolynomialError):
        return None
    return None if found is None else constant * found


# ---- kernels


def _over_kernels(expr: Expr, x: Symbol) -> Row:
    """Write an expression as a sum of kernels with rational coefficients in x."""
    row: Row = {}
    for term in odds_form.summands(expr, x):
        kernel, coefficient = _kernel(term, x)
        row[kernel] = row.get(kernel, sympy.S.Zero) + coefficient
    return {kernel: coefficient for kernel, coefficient in row.items() if not _vanishes(coefficient, x)}


def _vanishes(coefficient: Expr, x: Symbol) -> bool:
    """Return whether a coefficient is 0, also one whose terms cancel only over a common denominator."""
    return coefficient == 0 or bool(Poly(sympy.numer(sympy.together(coefficient)), x).is_zero)


def _kernel(term: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """Split a product into a kernel, in a canonical form, and a rational coefficient."""
    coefficient, exponent, functions = sympy.S.One, sympy.S.Zero, sympy.S.One
    powers: dict[Expr, Expr] = {}
    for factor in Mul.make_args(term):
        base, power = factor.as_base_exp()
        if not factor.has(x) or factor.is_rational_function(x):
            coefficient *= factor
        elif power.has(x):
            exponent += power * sympy.log(base)
        elif base.is_polynomial(x):
            powers[base] = powers.get(base, sympy.S.Zero) + power
        elif isinstance(base, sympy.Function) and power.is_Integer and power > 0:
            functions *= factor
        else:
            raise _Unsuited
    for base, power in powers.items():
        whole = sympy.floor(power.as_coeff_Add()[0])
        coefficient, functions = coefficient * base**whole, functions * base ** (power - whole)
    constant, moving = _exponent(exponent, x)
    return functions * sympy.exp(moving), coefficient * sympy.exp(constant)


def _exponent(expr: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """Split an exponent that is rational in x into a constant and its partial fractions."""
    if not expr.is_rational_function(x):
        raise _Unsuited
    constant, moving = sympy.expand(sympy.apart(sympy.together(expr), x)).as_independent(x, as_Add=True)
    return constant, sympy.collect(moving, x, sympy.factor)


# ---- the trial


def _solved(row: Row, x: Symbol) -> Expr | None:
    slopes = _closed(row, x)
    bottom = _bottom([row, *slopes.values()], x)
    tried = [*_multiples(row, slopes, bottom, x), *_specials(slopes, bottom, x)]
    columns = [column for column in tried if not column[0].has(sympy.nan, sympy.zoo)]
    if len(columns) > MAX_UNKNOWNS:
        return None
    weights = _combination([image for _, image in columns], row, x)
    return None if weights is None else _sum(weights, [function for function, _ in columns], x)


def _sum(weights: list[Expr], functions: list[Expr], x: Symbol) -> Expr:
    """Add up, each kernel with one factored coefficient."""
    row = _over_kernels(Add(*[w * function for w, function in zip(weights, functions, strict=True)]), x)
    numbers = _Constants(x)
    factors = {kernel: odds_form.product(sympy.cancel(numbers.hidden(c)), x) for kernel, c in row.items()}
    return Add(*[factor.xreplace(numbers.shown) * kernel for kernel, factor in factors.items()])


def _closed(row: Row, x: Symbol) -> dict[Expr, Row]:
    """Return the slope of each kernel, with the kernels that these slopes are made of."""
    slopes: dict[Expr, Row] = {}
    waiting = list(row)
    while waiting:
        kernel = waiting.pop()
        if kernel not in slopes:
            slopes[kernel] = _over_kernels(odds_form.powers_split(derivative(kernel, x), x), x)
            waiting += slopes[kernel]
        if len(slopes) > MAX_KERNELS:
            raise _Unsuited
    return slopes


def _bottom(rows: list[Row], x: Symbol) -> list[tuple[Expr, int]]:
    """Return the irreducible factors in x of all denominators, each with its highest multiplicity."""
    found: dict[Expr, int] = {}
    for coefficient in (value for row in rows for value in row.values()):
        for factor, power in odds_form.factor_list(sympy.denom(sympy.together(coefficient)))[1]:
            if factor.has(x):
                found[factor] = max(power, found.get(factor, 0))
    return list(found.items())


def _multiples(
    row: Row, slopes: dict[Expr, Row], bottom: list[tuple[Expr, int]], x: Symbol
) -> Iterator[Column]:
    """Yield ``x^n/D K`` with its slope, for each kernel and each power up to a degree that should be enough."""
    lowered = [(factor, power - (len(slopes) == 1)) for factor, power in bottom]
    denominator = sympy.prod([factor**power for factor, power in lowered])
    growth = max(_degree(coefficient, x) for coefficient in row.values()) + 1
    for kernel, slope in slopes.items():
        algebraic = _algebraic(kernel, x)
        decay = Add(*[-power * Poly(base, x).degree() for base, power in algebraic])
        grown = growth + max(0, *_rises(kernel, slopes, x)) if algebraic else growth
        degree = max(grown, sympy.floor(decay) if decay.is_Rational else 0, 0) + _degree(denominator, x)
        if degree > MAX_DEGREE:
            raise _Unsuited
        for n in range(int(degree) + 1):
            factor = x**n / denominator
            image = {other: factor * value for other, value in slope.items()}
            image[kernel] = image.get(kernel, sympy.S.Zero) + sympy.diff(factor, x)
            yield factor * kernel, image


def _rises(kernel: Expr, slopes: dict[Expr, Row], x: Symbol) -> Iterator[int]:
    """Yield by how much more than that of another kernel the degree before a kernel may be, of whose slope it is."""
    yield 0
    for other, slope in slopes.items():
        if other != kernel and kernel in slope:
            yield _degree(slope[kernel], x) + 1


def _algebraic(kernel: Expr, x: Symbol) -> list[tuple[Expr, Expr]]:
    pairs = [factor.as_base_exp() for factor in Mul.make_args(kernel)]
    return [(base, power) for base, power in pairs if base.is_polynomial(x) and base.has(x)]


def _degree(rational: Expr, x: Symbol) -> int:
    top, bottom = sympy.fraction(sympy.together(rational))
    return int(Poly(top, x).degree() - Poly(bottom, x).degree())


# ---- functions whose slope is a rational multiple of a kernel


def _specials(slopes: dict[Expr, Row], bottom: list[tuple[Expr, int]], x: Symbol) -> Iterator[Column]:
    for kernel in slopes:
        for family in SPECIALS:
            yield from family(kernel, [factor for factor, _ in bottom], x)


def _logarithms(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``log(P)^(n + 1)``, and the arc tangent that belongs to a quadratic P."""
    base, n = kernel.as_base_exp()
    for factor in factors if kernel == 1 else base.args if isinstance(base, sympy.log) else ():
        power = sympy.S.Zero if kernel == 1 else n
        slope = (power + 1) * sympy.diff(factor, x) / factor
        yield sympy.log(odds_form.oriented(factor, x)) ** (power + 1), {kernel: slope}
        gap = _gap(factor, x)
        if kernel == 1 and gap is not None and gap.is_positive:
            angle = sympy.atan(sympy.diff(factor, x) / sympy.sqrt(gap))
            yield 2 / sympy.sqrt(gap) * angle, {kernel: 1 / factor}


def _gap(quadratic: Expr, x: Symbol) -> Expr | None:
    """Return ``4 a c - b^2`` of ``a x^2 + b x + c``: positive if there is no real root."""
    if not quadratic.is_polynomial(x) or Poly(quadratic, x).degree() != 2:
        return None
    a, b, c = Poly(quadratic, x).all_coeffs()
    return sympy.factor(4 * a * c - b**2)


def _over_quadratic_root(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``1/sqrt(Q)`` for a quadratic Q without real roots, and ``1/((x - r) sqrt(Q))`` through ``w = 1/(x - r)``."""
    quadratic, power = kernel.as_base_exp()
    gap = _gap(quadratic, x) if power == sympy.S.Half else None
    if gap is None or not gap.is_positive:
        return
    slope, lead = sympy.diff(quadratic, x), Poly(quadratic, x).LC()
    yield sympy.asinh(slope / sympy.sqrt(gap)) / sympy.sqrt(lead), {kernel: 1 / quadratic}
    for root in _linear_roots(factors, x):
        side = -1 if (root - 1).is_nonnegative else 1
        value = sympy.factor(quadratic.subs(x, root))
        turned = sympy.together(2 * value / (x - root) + slope.subs(x, root))
        function = sympy.asinh(turned / sympy.sqrt(gap)) / sympy.sqrt(value)
        yield side * function, {kernel: -1 / ((x - root) * quadratic)}


def _linear_roots(factors: list[Expr], x: Symbol) -> list[Expr]:
    linear = [Poly(factor, x).all_coeffs() for factor in factors if Poly(factor, x).degree() == 1]
    return [sympy.cancel(-rest / slope) for slope, rest in linear]


def _over_two_roots(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``1/sqrt(P R)`` for linear P, rising, and R: an arc sine if R falls, else its hyperbolic sister."""
    bases = _algebraic(kernel, x)
    if len(bases) != 2 or any(power != sympy.S.Half or Poly(base, x).degree() != 1 for base, power in bases):
        return
    (first, _), (second, _) = sorted(bases, key=lambda pair: not Poly(pair[0], x).LC().is_positive)
    rise, other = Poly(first, x).LC(), Poly(second, x).LC()
    total = sympy.expand(rise * second - other * first)
    share = sympy.sqrt(odds_form.product(abs(other) * first / total, x))
    function = sympy.asin(share) if other.is_negative else sympy.asinh(share)
    yield 2 * function / sympy.sqrt(rise * abs(other)), {kernel: 1 / (first * second)}


def _over_two_lines(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``P^f R^g`` for linear P, rising, and R: an incomplete Beta function of a share that grows with P."""
    bases = sorted(_algebraic(kernel, x), key=lambda pair: not Poly(pair[0], x).LC().is_positive)
    if len(bases) != 2 or kernel != Mul(*[base**power for base, power in bases]):
        return
    (first, f), (second, g) = bases
    lines = [Poly(base, x) for base in (first, second)]
    if any(line.degree() != 1 for line in lines) or f == g == sympy.S.Half:
        return
    rise, other = (line.LC() for line in lines)
    total = sympy.expand(rise * second - other * first)
    if not rise.is_positive or not (other.is_negative or (other.is_positive and total.is_positive)):
        return
    share, last = (
        (-other * first / total, g) if other.is_negative else (other * first / (rise * second), 1 - f - g)
    )
    scale = total ** (f + g - 1) * abs(other) ** -f * rise**-g
    yield scale * incomplete_beta(f, last, odds_form.product(share, x)), {kernel: 1 / (first * second)}


def _over_bell(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``exp(-a y^2 - b y)`` for ``y = x`` or ``y = 1/x``, after completing the square."""
    if not isinstance(kernel, sympy.exp):
        return
    for y, speed in ((x, sympy.S.One), (1 / x, -1 / x**2)):
        exponent = sympy.expand(kernel.args[0].subs(x, 1 / x) if y != x else kernel.args[0])
        if not exponent.is_polynomial(x) or Poly(exponent, x).degree() != 2:
            continue
        a, b, _ = (sympy.factor(-c) for c in Poly(exponent, x).all_coeffs())
        if a.is_negative:
            continue
        root = sympy.sqrt(a)
        tail = sympy.erf(root * y) if b == 0 and y == x else -sympy.erfc(root * y + b / (2 * root))
        yield sympy.sqrt(sympy.pi) / (2 * root) * sympy.exp(b**2 / (4 * a)) * tail, {kernel: speed}


def _over_exponential(kernel: Expr, factors: list[Expr], x: Symbol) -> Iterator[Column]:
    """``exp(g) g'/(g(r) - g)`` for a pole r: the exponential integral ``E1(g(r) - g)``, or ``-Ei(g - g(r))``."""
    if not isinstance(kernel, sympy.exp):
        return
    exponent = kernel.args[0]
    for root in _linear_roots(factors, x):
        start = exponent.subs(x, root)
        start = start if start.is_finite is not False else sympy.S.Zero
        gap = sympy.factor(start - exponent)
        below = odds_form.oriented(gap, x) == gap
        function = sympy.expint(1, gap) if below else -sympy.Ei(-gap)
        yield sympy.exp(start) * function, {kernel: sympy.diff(exponent, x) / gap}


Column = tuple[Expr, Row]  # a function and its slope

SPECIALS: tuple[Callable[[Expr, list[Expr], Symbol], Iterator[Column]], ...] = (
    _logarithms,
    _over_quadratic_root,
    _over_two_roots,
    _over_two_lines,
    _over_bell,
    _over_exponential,
)


# ---- linear equations


def _combination(images: list[Row], target: Row, x: Symbol) -> list[Expr] | None:
    """Return constants ``w`` with ``sum of w_i image_i = target``, or ``None`` if there are none."""
    numbers = _Constants(x)
    rows = [{kernel: numbers.hidden(value) for kernel, value in row.items()} for row in (*images, target)]
    constants = sorted(numbers.symbols(rows), key=str)
    if constants and _weights(_at_numbers(rows, constants), [], x) is None:
        return None
    found = _weights(rows, constants, x)
    return None if found is None else [sympy.factor(value).xreplace(numbers.shown) for value in found]


def _at_numbers(rows: list[Row], constants: list[Symbol]) -> list[Row]:
    """Give letters numbers that are related in no simple way: without weights for these there are none for letters."""
    values = {letter: Rational(sympy.prime(LARGE + n), PRIME) for n, letter in enumerate(constants)}
    return [{kernel: value.xreplace(values) for kernel, value in row.items()} for row in rows]


def _weights(rows: list[Row], constants: list[Symbol], x: Symbol) -> list[Expr] | None:
    """Return the weights with which all rows but the last one add up to the last, or ``None``."""
    rational = FracField([x, *constants], sympy.QQ, sympy.lex)
    rows_over = [{kernel: rational.from_expr(value) for kernel, value in row.items()} for row in rows]
    domain = sympy.QQ.frac_field(*constants) if constants else sympy.QQ
    unknowns = PolyRing([f"_w{i}" for i in range(len(rows) - 1)], domain, sympy.lex)
    equations = [
        equation
        for kernel in {kernel for row in rows_over for kernel in row}
        for equation in _equations([row.get(kernel) for row in rows_over], unknowns)
    ]
    solved = solve_lin_sys(equations, unknowns)
    if solved is None:
        return None
    values = [unknowns(solved.get(generator, 0)).coeff(1) for generator in unknowns.gens]  # others are 0
    return [domain.to_sympy(value) for value in values]


def _equations(column: list[FracElement | None], unknowns: PolyRing) -> Iterator[PolyElement]:
    """Compare the powers of x in ``sum of w_i c_i = c_last``, once the denominators are cleared."""
    known = [value for value in column if value is not None]
    common = reduce(lambda left, right: left.lcm(right), [value.denom for value in known])
    powers: dict[int, PolyElement] = {}
    for index, value in enumerate(column):
        factor = unknowns.gens[index] if index < unknowns.ngens else -unknowns.one
        for power, coefficient in _by_power(value, common, unknowns) if value is not None else ():
            powers[power] = powers.get(power, unknowns.zero) + factor * coefficient
    yield from powers.values()


def _by_power(value: FracElement, common: PolyElement, unknowns: PolyRing) -> Iterator[tuple[int, object]]:
    top = value.numer * common.quo(value.denom)
    parts: dict[int, dict[tuple[int, ...], object]] = {}
    for (power, *rest), coefficient in top.terms():
        parts.setdefault(power, {})[tuple(rest)] = coefficient
    for power, terms in parts.items():
        domain = unknowns.domain
        yield power, domain.field(domain.field.ring.from_dict(terms)) if domain.is_Frac else terms[()]


@dataclass
class _Constants:
    """Symbols in place of the constants that are not rational functions of the parameters."""

    x: Symbol
    hiding: dict[Expr, Symbol] = field(default_factory=dict)

    @property
    def shown(self) -> dict[Symbol, Expr]:
        return {symbol: constant for constant, symbol in self.hiding.items()}

    def symbols(self, rows: list[Row]) -> set[Symbol]:
        return set().union(*[value.free_symbols for row in rows for value in row.values()]) - {self.x}

    def hidden(self, expr: Expr) -> Expr:
        if isinstance(expr, Symbol | Rational):
            return expr
        if isinstance(expr, Add | Mul):
            return expr.func(*map(self.hidden, expr.args))
        if isinstance(expr, Pow) and expr.exp.is_Integer:
            return self.hidden(expr.base) ** expr.exp
        if isinstance(expr, Pow) and expr.exp.is_Rational:
            return self._hide(Pow(expr.base, Rational(1, expr.exp.q))) ** expr.exp.p
        return self._hide(expr)

    def _hide(self, constant: Expr) -> Symbol:
        return self.hiding.setdefault(constant, Symbol(f"_n{len(self.hiding)}", positive=True))
