"""Is an expression identically zero? A sound "yes", found by algebra alone.

The expression is rewritten as a rational function of independent generators. A numerator that reduces to zero proves
the identity. A remainder that is not zero proves nothing by itself, unless the expression is rational: then the
generators are free and it is a disproof.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import sympy
from sympy import Add, Dummy, Expr, Function, Mul, Pow, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed, PolynomialError

from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import without_catalan
from costderive.deciders.constants import constant_vanishes
from costderive.deciders.exactness import of_exact_numbers
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.generators import Generators, is_zero_modulo
from costderive.deciders.in_parameters import moving, parameters_in
from costderive.deciders.known_places import at_known_places
from costderive.deciders.radicals import plain, vanishes
from costderive.deciders.rational import polynomial_factors
from costderive.deciders.related_gammas import in_fewest_functions
from costderive.deciders.signs import positive, through_parameters
from costderive.deciders.size import MAX_DEGREE, MAX_ROOT, steep

COARSE_ROOT = 12  # of which roots of one number are taken for related
NO_NUMBERS = (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.I)


@of_exact_numbers(None)
def zero(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr = 0`` on the interval, or return ``None`` if none does.

    >>> from costderive.symbols import p
    >>> zero((p + 1) ** 2 - p**2 - 2 * p - 1)
    'rational canonical form'
    """
    return _zero(expr, on, given)


@lru_cache(maxsize=4096)
def _zero(expr: Expr, on: Interval | None, given: Given) -> str | None:
    if _outside_integrals(expr, NO_NUMBERS):
        return None
    expr = expr.replace(_is_multiple_of_sum, lambda multiple: Mul(*multiple.args))
    expr = in_fewest_functions(without_catalan(expr))
    expr = expr.replace(sympy.erfc, lambda x: 1 - sympy.erf(x))
    expr = expr.replace(sympy.betainc, _without_empty_range)
    expr = expr.replace(_is_over_a_point, lambda integral: sympy.S.Zero)
    outside = _outside(expr, on, given)
    expr = expr.replace(_is_power_of_inverse, lambda power: _without_inverse(power, *outside))
    expr = expr.replace(_is_power_of_fraction, lambda power: _of_each_factor(power, *outside))
    expr = expr.replace(is_power_of_power, lambda power: of_one_power(power, *outside))
    expr = expr.replace(_is_power_of_roots, _of_each_root)
    expr = expr.replace(_is_root_of_letters, lambda root: sympy.cancel(root.base) ** root.exp)
    expr = expr.replace(_is_power_of_sum, lambda power: Mul(*[x**power.exp for x in power.base.primitive()]))
    if expr == 0:
        return "same expression"
    if _same_atoms(expr) or _same_atoms(expr, split=True):
        return "rational canonical form"
    if vanishes(expr) or plain(expr) == 0:
        return "separation bound of radicals"
    if steep(expr, roots=False):
        return None
    if parameters_in(expr):
        return _zero_by_curves(expr, on, given)
    known = _without_nested_roots(with_known_values(expr, on, given), on, given)
    joined = _with_equal_arguments(known, on, given)
    if joined != expr:
        return _zero(joined, on, given)
    found = _zero_by_generators(expr, on, given)
    return found or ("angles and logarithms" if _numbers_vanish(expr) else None)


def _is_multiple_of_sum(expr: Expr) -> bool:
    """Is it a number times a sum, as SymPy factors it, and does not write it elsewhere?"""
    return isinstance(expr, Mul) and len(expr.args) == 2 and expr.args[0].is_Rational and expr.args[1].is_Add


def with_known_values(expr: Expr, on: Interval | None, given: Given) -> Expr:
    """Write arcsines of what is 1 or -1, and roots of what is 0, where roots of letters hide that."""
    return expr.replace(_is_of_roots, lambda node: _known_value(node, on, given))


def _is_of_roots(node: Expr) -> bool:
    """Is it an arcsine, or a root of letters, of what has such roots itself?"""
    inner = node.args[0] if isinstance(node, sympy.asin) or _is_root(node) else sympy.S.Zero
    return any(map(_is_root, inner.atoms(Pow)))


def _known_value(node: Expr, on: Interval | None, given: Given) -> Expr:
    """Return the value of an arcsine of what is 1 or -1, and of a root of what is 0."""
    inner = node.args[0]
    if isinstance(node, sympy.asin):
        signs = (1, -1) if _zero(inner**2 - 1, on, given) else ()
        return next((sign * sympy.pi / 2 for sign in signs if positive(sign * inner, on, given)), node)
    return sympy.S.Zero if node.exp.is_positive and _zero(inner, on, given) else node


def _numbers_vanish(expr: Expr) -> bool:
    """Is the number that stands before each product of letters zero?"""
    if not expr.free_symbols:
        return constant_vanishes(expr)
    before = defaultdict[Expr, Expr](lambda: sympy.S.Zero)
    for term in Add.make_args(sympy.expand(expr)):
        number, letters = term.as_independent(*expr.free_symbols, as_Add=False)
        before[letters] += number
    return all(map(constant_vanishes, before.values()))


def _without_nested_roots(expr: Expr, on: Interval | None, given: Given) -> Expr:
    """Split roots over the positive factors of what they are of, from the inner ones on: ``sqrt(1 + (s/(1 - s)))``."""
    nested = any(_is_root(node) and any(map(_is_root, node.base.atoms(Pow))) for node in expr.atoms(Pow))
    return expr.replace(_is_root, lambda root: _over_factors(root, on, given)) if nested else expr


def _is_root(expr: Expr) -> bool:
    return (
        isinstance(expr, Pow)
        and expr.exp.is_Rational
        and not expr.exp.is_Integer
        and expr.base.is_number is False
    )


def _over_factors(root: Expr, on: Interval | None, given: Given) -> Expr:
    if not root.base.is_rational_function():
        return root
    (number, top), (other, bottom) = map(polynomial_factors, sympy.fraction(sympy.together(root.base)))
    factors = [(number / other, 1), *top, *[(factor, -power) for factor, power in bottom]]
    sizes = [(x, n) for factor, n in factors for x in (factor, -factor) if positive(x, on, given)]
    if len(sizes) < len(factors) or not positive(root.base, on, given):
        return root
    return Mul(*[size ** (power * root.exp) for size, power in sizes])


def _with_equal_arguments(expr: Expr, on: Interval | None, given: Given) -> Expr:
    """Write values of one function as one where powers with letters make equal arguments look different."""
    joined = dict[Expr, Expr]()
    values = (
        [] if expr.has(sympy.Integral) else sorted(filter(_has_letters_above, expr.atoms(Function)), key=str)
    )
    for first, second in combinations(values, 2):
        pairs = zip(first.args, second.args, strict=False)
        if first.func == second.func and all(x == y or _zero(x - y, on, given) for x, y in pairs):
            joined.setdefault(second, joined.get(first, first))
    return expr.xreplace(joined)


def _has_letters_above(value: Expr) -> bool:
    return any(not node.exp.is_number for node in value.atoms(Pow))


def _is_power_of_sum(expr: Expr) -> bool:
    return isinstance(expr, Pow) and expr.base.is_Add and not expr.exp.is_Integer


def _zero_by_generators(expr: Expr, on: Interval | None, given: Given) -> str | None:
    """Take fine roots for letters of their own; where that shows nothing, for algebraic over one another."""
    for finest in (COARSE_ROOT, MAX_ROOT):
        table = Generators(expr, on, given, finest)
        if table.shows_zero():
            return table.method
        if not table.has_fine_roots:
            break
    methods = (_zero(plainer, on, given) for plainer in _plainer(expr, on, given) if plainer != expr)
    return next(filter(None, methods), None)


def _plainer(expr: Expr, on: Interval | None, given: Given) -> Iterator[Expr]:
    """Take powers of what may be negative, and logarithms of known signs under roots, for letters.

    What is zero whatever the letters are is zero. Such logarithms have their signs, and are put back without the roots.
    """
    if expr.has(sympy.Integral, sympy.Derivative, sympy.Subs):
        return
    roots = sorted((node for node in expr.atoms(Pow) if not node.exp.is_Integer), key=str)
    unknown = [node for node in roots if node.base.free_symbols and not positive(node.base, on, given)]
    yield expr.xreplace(dict(zip(unknown, fresh("z", (expr,), on, given), strict=False)))
    logs = sorted({node for root in roots for node in root.base.atoms(sympy.log)}, key=str)
    letters = zip(logs, fresh("l", (expr,), on, given, positive=True), strict=False)
    signed = [(node, i, y) for node, y in letters for i in (1, -1) if positive(i * node, on, given)]
    plainer = expr.xreplace({node: i * y for node, i, y in signed})
    yield from (plainer, plainer.xreplace({y: i * node for node, i, y in signed}))


def _zero_by_curves(expr: Expr, on: Interval | None, given: Given) -> str | None:
    """Take the parameter of a curve for the variable; a sum is zero if what belongs to each of several curves is."""
    if (found := at_known_places(expr, on, given, _zero)) != expr:
        return _zero(found, on, given)
    if on is None or len(moving(expr, on.variable)) < 2:
        moved = through_parameters(expr, on, given)
        return _zero(*moved) if moved else _zero_by_generators(expr, on, given)
    groups = defaultdict[tuple[Expr, ...], Expr](lambda: sympy.S.Zero)
    for term in Add.make_args(sympy.expand(expr)):
        groups[moving(term, on.variable)] += term
    methods = [_zero(total, on, given) if len(curves) < 2 else None for curves, total in groups.items()]
    return methods[0] if all(methods) else None


def _is_over_a_point(expr: Expr) -> bool:
    return isinstance(expr, sympy.Integral) and any(low == high for _, low, high in expr.limits)


def _is_power_of_inverse(expr: Expr) -> bool:
    """Is it a root of ``c/f`` with a number c, or a power with a letter in its exponent?"""
    if not isinstance(expr, Pow) or expr.exp.is_Integer or not isinstance(expr.base, Mul | Pow):
        return False
    number, rest = expr.base.as_coeff_Mul()
    return bool(number.is_Rational) and isinstance(rest, Pow) and rest.exp == -1


def _outside(expr: Expr, on: Interval | None, given: Given) -> tuple[Interval | None, Given]:
    """Return what is known also under integrals, whose variables may have the names of others."""
    for letter in {letter for node in expr.atoms(sympy.Integral) for letter in node.variables}:
        on, given = None if on is not None and on.variable == letter else on, given.without(letter)
    return on, given


def _without_inverse(power: Pow, on: Interval | None, given: Given) -> Expr:
    """Write ``(c/f)^k`` as ``|c|^k |f|^(-k)`` if c/f is positive: then one function has one writing."""
    number, rest = power.base.as_coeff_Mul()
    below = rest.base if number.is_positive else sympy.expand(-rest.base)
    return abs(number) ** power.exp * below**-power.exp if positive(below, on, given) else power


def is_power_of_power(expr: Expr) -> bool:
    """Is it a power of a power, whose exponents have letters or are fractions?"""
    if not (isinstance(expr, Pow) and isinstance(expr.base, Pow)):
        return False
    return all(map(_is_fine, (expr.exp, expr.base.exp))) or bool((expr.exp * expr.base.exp).free_symbols)


def _is_fine(exponent: Expr) -> bool:
    """Is it a letter's, or a fraction? Then its powers are not multiplied out."""
    return not (exponent.is_number and exponent.is_Integer)


def of_one_power(power: Pow, on: Interval | None, given: Given) -> Expr:
    """Write ``(y^a)^b`` as ``y^(a b)`` if y is positive and a is real wherever it has a value."""
    base, exponent = power.base.as_base_exp()
    is_real = exponent.is_rational_function() and all(letter.is_real for letter in exponent.free_symbols)
    known = is_real and positive(base, on, given)
    return base ** sympy.cancel(exponent * power.exp) if known else power


def _is_power_of_fraction(expr: Expr) -> bool:
    """Is it a power, with letters or a fraction in its exponent, of a fraction that has such powers itself?"""
    is_power = isinstance(expr, Pow) and isinstance(expr.base, Mul | Add) and _is_fine(expr.exp)
    return is_power and any(_is_fine(node.exp) and not node.is_number for node in expr.base.atoms(Pow))


def _of_each_factor(power: Pow, on: Interval | None, given: Given) -> Expr:
    """Write ``(x/y)^k`` as ``x^k y^(-k)``, and for several factors alike, if each is positive."""
    images = {node: Dummy() for node in power.base.atoms(Pow) if _is_fine(node.exp)}
    nodes = {image: node for node, image in images.items()}
    split = sympy.factor(sympy.together(power.base.xreplace(images)))
    pairs = (factor.as_base_exp() for factor in Mul.make_args(split))
    factors = [(base.xreplace(nodes), n * power.exp) for base, n in pairs]
    return (
        Mul(*[base**n for base, n in factors]) if all(positive(x, on, given) for x, _ in factors) else power
    )


def _is_power_of_roots(expr: Expr) -> bool:
    """Is it a power, with a letter in its exponent, of a product with roots of positive numbers?"""
    is_power = isinstance(expr, Pow) and isinstance(expr.base, Mul) and expr.exp.free_symbols
    return bool(is_power) and any(_is_root_of_number(factor) for factor in expr.base.args)


def _is_root_of_number(factor: Expr) -> bool:
    base, exponent = factor.as_base_exp()
    return bool(base.is_Rational and base.is_positive and exponent.is_Rational and not exponent.is_Integer)


def _of_each_root(power: Pow) -> Expr:
    """Write ``(sqrt(2) x)^k`` as ``2^(k/2) x^k``, which is so for every x and k."""
    roots, rest = sympy.sift(power.base.args, _is_root_of_number, binary=True)
    pairs = (root.as_base_exp() for root in roots)
    return Mul(*[number ** (root * power.exp) for number, root in pairs], Mul(*rest) ** power.exp)


def _is_root_of_letters(expr: Expr) -> bool:
    """Is it a root of a sum of fractions in parameters alone? What is below it may cancel."""
    is_root = (
        isinstance(expr, Pow)
        and isinstance(expr.base, Add)
        and expr.exp.is_Rational
        and not expr.exp.is_Integer
    )
    if not is_root or not expr.free_symbols or not all(letter.is_positive for letter in expr.free_symbols):
        return False
    return bool(expr.base.is_rational_function()) and not expr.base.is_polynomial() and not steep(expr)


def _without_empty_range(a: Expr, b: Expr, low: Expr, high: Expr) -> Expr:
    """``B_z(a, b)`` is 0 at z = 0, for a > 0."""
    return sympy.S.Zero if low == high == 0 and a.is_positive else sympy.betainc(a, b, low, high)


def _outside_integrals(expr: Expr, atoms: tuple[Expr, ...]) -> bool:
    """Return whether one of some atoms is in an expression elsewhere than under or beside an integral sign."""
    return expr in atoms or (
        not isinstance(expr, sympy.Integral) and any(_outside_integrals(arg, atoms) for arg in expr.args)
    )


def _same_atoms(expr: Expr, split: bool = False) -> bool:
    """Is it zero as a rational function of its roots, powers, functions and integrals, each as it is written?

    With ``split`` a power is a whole power of its base, times one whose exponent has a number between 0 and 1 in it,
    and an exponential of a sum is a product.
    """
    atoms, letters = dict[Expr, Symbol](), fresh("a", (expr,))

    def opaque(node: Expr) -> Expr:
        if isinstance(node, Symbol | Rational):
            return node
        if isinstance(node, Add | Mul):
            return node.func(*map(opaque, node.args))
        if isinstance(node, Pow) and node.exp.is_Integer and not steep(node):
            return opaque(node.base) ** node.exp
        if split and isinstance(node, sympy.exp) and node.args[0].is_Add:
            return Mul(*[opaque(sympy.exp(term)) for term in node.args[0].args])
        number = node.exp.as_coeff_Add()[0] if split and isinstance(node, Pow) else sympy.nan
        if number.is_Rational and abs(number) <= MAX_DEGREE and not steep(node, roots=False):
            whole = sympy.floor(number)
            rest = Pow(node.base, node.exp - whole)
            return opaque(node.base) ** whole * atoms.setdefault(rest, next(letters))
        return atoms.setdefault(node, next(letters))

    try:
        return is_zero_modulo(opaque(expr), {})
    except (PolynomialError, CoercionFailed, ZeroDivisionError):
        return False
