"""Rational functions times the square root of a quadratic: a rational function times the root, arcsines and logarithms.

``N/(D sqrt(q))`` is the slope of ``E/G sqrt(q)`` plus kernels, one or two for each factor of D and one for infinity.
For a factor d without real zeros there are numbers m for which ``m d - q`` is, but for its sign, the square of a line
l: then ``asin(l/sqrt(m d))``, or ``log((l + sqrt(q))/(l - sqrt(q)))``, has a slope ``line/(d sqrt(q))``.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Mul, Poly, Pow, Symbol, asin, log, sqrt
from sympy.integrals.rationaltools import ratint

Kernel = tuple[Expr, Expr]  # a function, and its slope times the root

MAX_DEGREE = 12
MOST_LETTERS = 3


def primitive_with_root(expr: Expr, x: Symbol) -> Expr | None:
    """Return an antiderivative of a sum of rational functions, some of them times roots of quadratics of numbers.

    Constant factors may have letters.

    >>> x = Symbol("x", positive=True)
    >>> primitive_with_root(1 / sqrt(1 - x**2), x)
    asin(x)
    """
    constant, moving = sympy.factor_terms(expr).as_independent(x, as_Add=False)
    found = _split(moving, x) if len(moving.free_symbols) <= 1 + MOST_LETTERS else None
    if not found:
        return None
    terms = [(factor, _integrated(rational, base, x)) for (base, factor), rational in found.items()]
    failed = any(one is None for _, one in terms)
    return None if failed else constant * Add(*[factor * one for factor, one in terms])


def _split(expr: Expr, x: Symbol) -> dict[tuple[Expr, Expr], Expr] | None:
    """Write a sum as constants times rational functions over the roots of quadratics; under 1 is what has none."""
    found = dict[tuple[Expr, Expr], Expr]()
    for single in Add.make_args(sympy.expand_mul(expr.replace(_is_root, _expanded), deep=False)):
        term = _joined(single, x)
        moving = _bases(term, x) or [sympy.S.One]
        outside, varying = term.as_independent(x, as_Add=False)
        factor, varying = (outside, varying) if outside.has(sympy.Function) else (sympy.S.One, term)
        parts = _parts(varying, moving[0], x) if len(moving) == 1 else None
        if parts is None:
            return None
        for base, part in zip((sympy.S.One, moving[0]), parts, strict=True):
            found[base, factor] = found.get((base, factor), sympy.S.Zero) + part
    return {key: part for key, part in found.items() if part != 0}


def _bases(term: Expr, x: Symbol) -> list[Expr]:
    """Return what stands below square roots and has the variable."""
    found = {power.base for power in term.atoms(Pow) if _is_root(power) and power.base.has(x)}
    return sorted(found, key=sympy.default_sort_key)


def _joined(term: Expr, x: Symbol) -> Expr:
    """Write the roots of two lines as the root of their product."""
    lines = [base for base in _bases(term, x) if base.is_polynomial(x) and sympy.degree(base, x) == 1]
    if len(lines) != 2:
        return term
    first, second = lines
    turn = sqrt(sympy.expand(first * second)) / (sqrt(first) * sqrt(second))
    return term.xreplace(
        {node: turn * node for node in term.atoms(Pow) if node.base == first and _is_root(node)}
    )


def has_root_of_quadratic(expr: Expr, x: Symbol) -> bool:
    """Has an expression the square root of a quadratic, or those of two lines?"""
    degrees = [sympy.degree(base, x) for base in _bases(expr, x) if base.is_polynomial(x)]
    return 2 in degrees or degrees.count(1) == 2


def _is_root(expr: Expr) -> bool:
    return isinstance(expr, Pow) and expr.exp.is_Rational and expr.exp.q == 2


def _expanded(root: Expr) -> Expr:
    return sympy.expand(root.base) ** root.exp


def _parts(term: Expr, base: Expr, x: Symbol) -> tuple[Expr, Expr] | None:
    """Write a term as ``a + b/sqrt(base)`` with rational functions a and b."""
    root = sympy.Dummy("root")
    image = term.xreplace({node: root ** (2 * node.exp) for node in term.atoms(Pow) if node.base == base})
    if not (image.is_rational_function(x, root) and base.is_polynomial(x)) or sympy.degree(base, x) > 2:
        return None
    (a, b), (c, d) = (_reduced(part, root, base) for part in sympy.fraction(sympy.together(image)))
    norm = c**2 - d**2 * base
    return sympy.cancel((a * c - b * d * base) / norm), sympy.cancel((b * c - a * d) * base / norm)


def _reduced(top: Expr, root: Symbol, square: Expr) -> tuple[Expr, Expr]:
    terms = Poly(top, root).terms()
    even, odd = (Add(*[c * square ** (n // 2) for (n,), c in terms if n % 2 == rest]) for rest in (0, 1))
    return even, odd


def _integrated(rational: Expr, base: Expr, x: Symbol) -> Expr | None:
    if base == 1:
        found = ratint(sympy.cancel(rational), x)
        return None if found.has(sympy.RootSum, sympy.I) else found
    top, bottom = (Poly(part, x) for part in sympy.fraction(sympy.cancel(sympy.together(rational))))
    factors = [(factor, power) for factor, power in bottom.factor_list()[1]]
    if any(factor.degree() > 2 for factor, _ in factors) or bottom.degree() > MAX_DEGREE:
        return None
    q = Poly(base, x)
    kernels = [kernel for factor, _ in [(None, 1), *factors] for kernel in _kernels(factor, q, x)]
    return _solved(top, bottom, q, Mul(*[f.as_expr() ** (n - 1) for f, n in factors]), kernels, x)


def _solved(top: Poly, bottom: Poly, q: Poly, below: Expr, kernels: list[Kernel], x: Symbol) -> Expr | None:
    """Find the coefficients for which the slope is the integrand."""
    size = sympy.degree(below, x) + max(0, top.degree() - bottom.degree()) + 1
    unknown = sympy.symbols(f"_e:{size}")
    weights = sympy.symbols(f"_w:{len(kernels)}")
    fraction = Add(*[e * x**n for n, e in enumerate(unknown)]) / below
    slope = sympy.diff(fraction, x) * q.as_expr() + fraction * q.diff(x).as_expr() / 2
    total = slope + Add(*[w * part for w, (_, part) in zip(weights, kernels, strict=True)])
    gap = sympy.numer(sympy.together(total - top.as_expr() / bottom.as_expr()))
    equations = Poly(sympy.expand(gap), x).all_coeffs()
    found = next(iter(sympy.linsolve(equations, [*unknown, *weights])), None)
    if found is None:
        return None
    free = dict.fromkeys((*unknown, *weights), 0)
    values = {letter: value.subs(free) for letter, value in zip(free, found, strict=True)}
    parts = [sympy.radsimp(values[w]) * function for w, (function, _) in zip(weights, kernels, strict=True)]
    return Add(sympy.factor(fraction.subs(values)) * sqrt(q.as_expr()), *parts)


def _kernels(factor: Poly | None, q: Poly, x: Symbol) -> Iterator[Kernel]:
    root = sqrt(q.as_expr())
    if factor is None:
        yield from _at_infinity(q, root, x)
    elif factor.degree() == 1:
        yield from _at_pole(-factor.nth(0) / factor.nth(1), q, root, x)
    else:
        yield from _beside_zeros(factor, q, root, x)


def _at_infinity(q: Poly, root: Expr, x: Symbol) -> Iterator[Kernel]:
    a, slope = q.nth(2), q.diff(x).as_expr()
    if a.is_negative:
        yield -asin(slope / sqrt(q.discriminant())) / sqrt(-a), sympy.S.One
    elif a.is_positive:
        yield log(2 * sqrt(a) * root + slope) / sqrt(a), sympy.S.One


def _at_pole(pole: Expr, q: Poly, root: Expr, x: Symbol) -> Iterator[Kernel]:
    value, slope, part = q.eval(pole), q.diff(x).eval(pole), 1 / (x - pole)
    chord = 2 * value + slope * (x - pole)
    side = -1 if pole.is_positive and (pole >= 1 or (q.nth(2) * slope).is_positive) else 1  # x is in (0, 1)
    if value.is_negative:
        yield side * asin(sympy.cancel(chord * part / sqrt(q.discriminant()))) / sqrt(-value), part
    elif value.is_positive:
        yield -log(side * (chord + 2 * sqrt(value) * root) * part) / sqrt(value), part
    else:
        yield -2 * root * part / slope, part


def _beside_zeros(d: Poly, q: Poly, root: Expr, x: Symbol) -> Iterator[Kernel]:
    m = sympy.Dummy("m")
    (a, b, c), (e, f, g) = ((poly.nth(2), poly.nth(1), poly.nth(0)) for poly in (d, q))
    for multiple in sympy.roots((m * b - f) ** 2 - 4 * (m * a - e) * (m * c - g), m):
        if multiple.is_real:
            yield from _of_square(multiple, d, q, root, x)


def _short(coefficient: Expr) -> Expr:
    return sympy.factor(coefficient) if coefficient.free_symbols else sympy.radsimp(coefficient)


def _of_square(multiple: Expr, d: Poly, q: Poly, root: Expr, x: Symbol) -> Iterator[Kernel]:
    lead, middle, rest = (_short(multiple * d.nth(n) - q.nth(n)) for n in (2, 1, 0))
    scale = lead if lead != 0 else rest
    if not (scale.is_positive or scale.is_negative):
        return
    line = sqrt(abs(scale)) * ((x + middle / (2 * lead)) if lead != 0 else 1)
    slope = sympy.expand(sympy.diff(line, x) * q.as_expr() - line * q.diff(x).as_expr() / 2)
    part = sympy.cancel(slope / (multiple * d.as_expr()))
    if scale.is_positive:
        yield asin(line / sqrt(multiple * d.as_expr())), part
    else:
        yield (
            log((line + root) / (line - root) if multiple.is_negative else (root + line) / (root - line)) / 2,
            part,
        )
