"""Antiderivatives of exponentials and bells of smooth functions, and of exponentials of exponentials (Gompertz)."""

from __future__ import annotations

import sympy
from sympy import Add, Dummy, Expr, Mul, Poly, Pow, Symbol

from costderive.core.piecewise import Given
from costderive.deciders.signs import positive
from costderive.deciders.size import large_exponentials
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.undetermined import by_ansatz

_t = Dummy("t", positive=True)


def of_exponentials(f: Expr, y: Symbol, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a function with exponentials, if it is of one of these kinds."""
    if not f.has(sympy.exp):
        return None
    factors = Mul.make_args(f)
    rational, rest = sympy.sift(factors, lambda part: bool(part.is_rational_function(y)), binary=True)
    f = sympy.cancel(Mul(*rational)) * Mul(*rest)
    found = _by_exponent(f, y) or _by_bell(f, y)
    found = _of_exponential_of_exponential(f, y, given) if found is None else found
    return _of_one_exponential(f, y) if found is None else found


def beside_power_of_line(f: Expr, y: Symbol, given: Given = Given()) -> Expr | None:
    """Integrate ``polynomial (A + B y)^q exp(-k y)`` in ``t = A + B y``: incomplete Gamma functions.

    >>> from sympy import exp
    >>> y, a = sympy.symbols("y a", positive=True)
    >>> beside_power_of_line((1 + y) ** -a * exp(-y), y)
    -E*uppergamma(1 - a, y + 1)
    """
    powers = [node for node in f.atoms(Pow) if node.base.has(y) and not node.exp.is_Integer]
    lines = {node.base for node in powers if node.base is not sympy.E and node.base.is_Add}
    if len(lines) != 1 or not (line := lines.pop()).is_polynomial(y) or sympy.degree(line, y) != 1:
        return None
    slope, start = Poly(line, y).all_coeffs()
    if not positive(slope, None, given):
        return None
    image = f.xreplace({line: _t}).subs(y, (_t - start) / slope) / slope
    found = primitive(sympy.expand(image, power_base=False, power_exp=False), _t, given)
    return None if found is None else found.xreplace({_t: line})


def _of_one_exponential(f: Expr, y: Symbol) -> Expr | None:
    """With ``t = exp(b y)``, integrate a function of t and of log t, in which no other letter is left."""
    exponents = [sympy.Poly(node.args[0], y) for node in f.atoms(sympy.exp) if node.args[0].is_polynomial(y)]
    rates = [exponent.coeff_monomial(y) for exponent in exponents if exponent.degree() == 1]
    shares = [sympy.cancel(rate / rates[0]) for rate in rates]
    if not rates or not all(share.is_Rational for share in shares):
        return None
    rate = rates[0] / sympy.ilcm(1, 1, *[share.q for share in shares])
    image = f.subs(y, sympy.log(_t) / rate) / (rate * _t)
    found = by_ansatz(sympy.powsimp(sympy.expand_log(image)), _t)
    return None if found is None else found.xreplace({_t: sympy.exp(rate * y)}).replace(sympy.log, _of_power)


def _of_power(argument: Expr) -> Expr:
    return argument.args[0] if isinstance(argument, sympy.exp) else sympy.log(argument)


def _by_exponent(f: Expr, y: Symbol) -> Expr | None:
    """``c exp(g) g'`` is the slope of ``c exp(g)``, where g is a part of an exponent."""
    whole = sympy.powsimp(f, combine="exp")
    exponents = [part.args[0] for part in Mul.make_args(whole) if isinstance(part, sympy.exp)]
    for term in (
        term for exponent in exponents for term in (exponent, *Add.make_args(exponent)) if term.has(y)
    ):
        rest = sympy.powsimp(sympy.powdenest(whole * sympy.exp(-term) / sympy.diff(term, y)), combine="exp")
        if not rest.has(y):
            return rest * sympy.exp(term)
    return None


def _by_bell(f: Expr, y: Symbol) -> Expr | None:
    """``c exp(-g^2) g'`` is the slope of ``c sqrt(pi)/2 erf(g)``."""
    whole = sympy.powsimp(f, combine="exp")
    for node in (part for part in Mul.make_args(whole) if isinstance(part, sympy.exp)):
        if large_exponentials(node.args[0]):
            continue
        constant, square = (-sympy.factor(node.args[0])).as_independent(y, as_Add=False)
        if square.is_Pow and square.exp == 2 and constant.is_positive:
            root = sympy.sqrt(constant) * square.base
            rest = sympy.cancel(sympy.together(whole / node / sympy.diff(root, y)))
            if not rest.has(y):
                return rest * sympy.sqrt(sympy.pi) / 2 * sympy.erf(root)
    return None


def _of_exponential_of_exponential(f: Expr, y: Symbol, given: Given) -> Expr | None:
    """With ``t = exp(b y)``, integrate ``(A(t) + y B(t)) dt/(b t)``, the second part by parts."""
    inner = {node for outer in f.atoms(sympy.exp) for node in outer.args[0].atoms(sympy.exp) if node.has(y)}
    if len(inner) != 1:
        return None
    (node,) = inner
    rate = sympy.diff(node.args[0], y)
    image = sympy.expand(f.expand(power_exp=True).xreplace({node: _t}))
    if rate.has(y) or not image.is_polynomial(y) or sympy.degree(image, y) > 1:
        return None
    ours, beside = (_in_t(image.coeff(y, n), rate, given) for n in (0, 1))
    left = None if beside is None else _in_t(beside, rate, given)
    return None if ours is None or left is None else (ours + y * beside - left).xreplace({_t: node})


def _in_t(f: Expr, rate: Expr, given: Given) -> Expr | None:
    return primitive(f / (rate * _t), _t, given) if f != 0 else f
