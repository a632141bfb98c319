"""Incomplete Beta functions of one place whose shapes differ by integers: all are multiples of one, and powers.

Source: NIST Digital Library of Mathematical Functions, 8.17(iv).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow, Symbol

from costderive.core.symbols import p

MOST_STEPS = 40
MOST_LOWER = 3
MOST_POWERS = 6  # in place of an incomplete Beta function

_t = Dummy(positive=True)


def with_one_beta(expr: Expr) -> Expr:
    """Write incomplete Beta functions with a second shape that is not positive through one for each place.

    >>> z = sympy.Symbol("z", positive=True)
    >>> with_one_beta(sympy.betainc(sympy.Rational(3, 2), 0, 0, z) - sympy.betainc(sympy.Rational(1, 2), 0, 0, z))
    -2*sqrt(z)
    """
    expr = with_few_powers(joined(expr, p))
    for nodes in _contiguous(expr):
        if any(node.args[1].is_Rational and node.args[1] <= 0 for node in nodes):
            found = (_collected(expr.xreplace(images)) for images in _through_one(nodes))
            expr = min(found, key=sympy.count_ops)
    return expr


def joined(expr: Expr, x: Symbol) -> Expr:
    """Write sums of them with constant factors as one, if what they integrate adds up to one product of powers.

    >>> n, x = sympy.symbols("n x", positive=True)
    >>> joined(sympy.betainc(n + 1, 2, 0, x) + sympy.betainc(n + 2, 1, 0, x), x)
    betainc(n + 1, 1, 0, x)
    """
    for nodes in _contiguous(expr):
        expr = _joined(expr, nodes, x)
    return expr


def with_few_powers(expr: Expr) -> Expr:
    """Multiply out what they integrate, if one shape is a small whole number and the other one is positive.

    In the odds that is also possible where the sum of both shapes is a whole number up to 0.
    """
    return expr.replace(sympy.betainc, _of_few_powers)


def _of_few_powers(a: Expr, b: Expr, low: Expr, z: Expr) -> Expr:
    if low == 0 and _is_few(a) and b.is_positive:
        return -_sum_of_powers(int(a), b, sympy.together(1 - z))
    if low == 0 and _is_few(b) and a.is_positive:
        return _sum_of_powers(int(b), a, z)
    order = sympy.cancel(-a - b)
    if low == 0 and order.is_Integer and 0 <= order < MOST_POWERS:
        return sum_in_odds(a, int(order), z)
    return sympy.betainc(a, b, low, z)


def _is_few(shape: Expr) -> bool:
    return bool(shape.is_Integer) and 1 <= shape <= MOST_POWERS


def _sum_of_powers(shape: int, other: Expr, z: Expr) -> Expr:
    """Integrate ``z^(other - 1) (1 - z)^(shape - 1)`` term by term."""
    terms = range(shape)
    return Add(*[(-1) ** k * sympy.binomial(shape - 1, k) * z ** (other + k) / (other + k) for k in terms])


def sum_in_odds(a: Expr, order: int, z: Expr) -> Expr:
    """Integrate ``w^(a - 1) (1 + w)^order dw`` term by term, where ``w = z/(1 - z)``: from 0 on if a is positive."""
    odds = sympy.cancel(z / (1 - z))
    return Add(*[sympy.binomial(order, k) * odds ** (a + k) / (a + k) for k in range(order + 1)])


def _contiguous(expr: Expr) -> list[list[Expr]]:
    """Return the functions of each place whose shapes differ by whole numbers."""
    groups = defaultdict[tuple[Expr, ...], list[Expr]](list)
    for node in sorted(expr.atoms(sympy.betainc), key=str):
        a, b, low, z = node.args
        if low == 0 and (a.is_Rational or a.is_positive):
            groups[_share(a), _share(b), z].append(node)
    return list(groups.values())


def _joined(expr: Expr, nodes: list[Expr], x: Symbol) -> Expr:
    names = {node: Dummy() for node in nodes}
    named = expr.xreplace(names)
    factors = [sympy.diff(named, name) for name in names.values()]
    if len(nodes) < 2 or any(factor.has(x, *names.values()) for factor in factors):
        return expr
    *shapes, low, z = (
        min(column, key=_number) for column in zip(*[node.args for node in nodes], strict=True)
    )
    bases = _t, 1 - _t
    terms = zip(factors, nodes, strict=True)
    whole = Add(*[factor * _product(bases, node.args, shapes) for factor, node in terms])
    product = _as_product(sympy.Poly(sympy.expand(whole), _t))
    if product is None:
        return expr
    constant, *more = product
    one = sympy.betainc(*(shape + k for shape, k in zip(shapes, more, strict=True)), low, z)
    return named.xreplace(dict.fromkeys(names.values(), sympy.S.Zero)) + constant * one


def _as_product(whole: sympy.Poly) -> tuple[Expr, int, int] | None:
    """Return c, j and k if a polynomial is ``c t^j (1 - t)^k``; what does not depend on t may hold roots."""
    if whole.is_zero:
        return None
    j = min(power for (power,) in whole.monoms())
    k = whole.degree() - j
    constant = (-1) ** k * whole.LC()
    rest = whole - sympy.Poly(constant * _t**j * (1 - _t) ** k, _t)
    return (constant, j, k) if all(sympy.together(gap).expand() == 0 for gap in rest.all_coeffs()) else None


def _product(bases: tuple[Expr, ...], shapes: tuple[Expr, ...], least: list[Expr]) -> Expr:
    return Mul(*[base ** (shape - low) for base, shape, low in zip(bases, shapes, least, strict=False)])


def _collected(expr: Expr) -> Expr:
    """Multiply out, and put together what stands before each product of functions and powers that are not whole."""
    split = sympy.expand_power_exp(expr)
    kernels = {node: _kernel(node) for node in split.atoms(sympy.betainc, Pow) if not _is_whole(node)}
    names = {kernel: Dummy(positive=True) for kernel, _ in kernels.values()}
    named = split.xreplace({node: names[kernel] * whole for node, (kernel, whole) in kernels.items()})
    groups = defaultdict[Expr, Expr](lambda: sympy.S.Zero)
    for term in Add.make_args(sympy.expand(named)):
        rest, kernel = term.as_independent(*names.values(), as_Add=False)
        groups[kernel] += rest
    found = Add(*[kernel * sympy.factor(rest) for kernel, rest in groups.items()])
    return sympy.powsimp(found.xreplace({name: kernel for kernel, name in names.items()}))


def _is_whole(node: Expr) -> bool:
    return isinstance(node, Pow) and bool(node.exp.is_Integer)


def _kernel(node: Expr) -> tuple[Expr, Expr]:
    """Split a root into one with an exponent below 1 and a whole power."""
    base, exponent = node.as_base_exp()
    whole = sympy.floor(exponent) if exponent.is_Rational else sympy.S.Zero
    return base ** (exponent - whole), base**whole


def _number(shape: Expr) -> Expr:
    return shape.as_coeff_Add()[0]


def _share(shape: Expr) -> Expr:
    """Return what is left of a shape when whole numbers are taken away."""
    number, letters = shape.as_coeff_Add()
    return letters + number - sympy.floor(number)


def _through_one(nodes: list[Expr]) -> Iterator[dict[Expr, Expr]]:
    """Yield images by the function of the least first shape, and of lower ones that are positive."""
    least = min((node.args[0] for node in nodes), key=_number)
    for first in (least - k for k in range(MOST_LOWER + 1)):
        if first.is_positive:
            yield {node: _reduced(node, first) for node in nodes}


def _reduced(node: Expr, first: Expr) -> Expr:
    """Write ``B_z(a, b)`` by that of the least first shape, and of a second one from 0 to below 1."""
    a, b, _, z = node.args
    second = b - sympy.floor(b)
    if abs(b - second) + a - first > MOST_STEPS or (a + b).is_Integer:
        return node
    return _step(a, b, z, first, second)


def _step(a: Expr, b: Expr, z: Expr, first: Expr, second: Expr) -> Expr:
    """Raise or lower the second shape by 1, then lower the first one."""
    if b < second:
        return ((a + b) * _step(a, b + 1, z, first, second) - z**a * (1 - z) ** b) / b
    if b > second:
        lower = b - 1
        return (lower * _step(a, lower, z, first, second) + z**a * (1 - z) ** lower) / (a + lower)
    if a > first:
        lower = a - 1
        return (lower * _step(lower, b, z, first, second) - z**lower * (1 - z) ** b) / (lower + b)
    return sympy.betainc(a, b, 0, z)
