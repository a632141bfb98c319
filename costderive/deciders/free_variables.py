"""The sign of a rational function of exponentials, powers, roots and the like, each taken for a variable of its own.

What is given of them is given of the variables. A root or a power of what is positive is any positive number; one that
is certainly below 1 is in (0, 1).
"""

from __future__ import annotations

import sympy
from sympy import Expr, Pow, Rational

from costderive.core.piecewise import Given
from costderive.deciders.asking import Asking
from costderive.deciders.equal_exponents import by_bases
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.rational import is_rational
from costderive.deciders.size import MAX_DEGREE

OF_ANY_SHAPE = (sympy.uppergamma, sympy.expint)  # integrals of positive functions from a positive place on
POSITIVE_OF_POSITIVE = (sympy.gamma, sympy.beta, sympy.lowergamma, *OF_ANY_SHAPE)


def in_free_variables(expr: Expr, strict: bool, ask: Asking) -> str | None:
    """Name the method that proves ``expr > 0``, or ``>= 0`` if not strict, in such variables, else return ``None``."""
    if by_bases(expr, ask.on, ask.given, strict, ask.decide):
        return "equal exponents"
    below_one, known = _below_one(expr, ask)
    roots, bounds = _roots(expr, ask)
    images = _functions(expr, ask) | _powers(expr, ask) | below_one | roots
    image, known = expr.xreplace(images), known.also(positive=bounds)
    if image == expr or not is_rational(image) or image.atoms(sympy.exp):
        return None
    facts = (fact.xreplace(images) for fact in ask.given.positive)
    known = known.also(positive=tuple(fact for fact in facts if fact.free_symbols <= image.free_symbols))
    return ask.decide(image, ask.on, known, strict)


def _below_one(expr: Expr, ask: Asking) -> tuple[dict[Expr, Expr], Given]:
    """Return a letter for each power below 1, the inverse of one for each above 1, and what is known of them.

    Powers of one base whose exponents are whole multiples of one are whole powers of one letter.
    """
    images: dict[Expr, Expr] = {}
    letters, known = fresh("e", (expr,), ask.on, ask.given, positive=True), ask.given
    for degrees in _of_one_base(expr):
        power, degree = next(iter(degrees.items()))
        direction = _direction(power, ask)
        if direction is None:
            continue
        letter, (sign, strictly) = next(letters), direction
        below = -sign if degree > 0 else sign
        images |= {node: letter ** (below * n) for node, n in degrees.items()}
        room = (1 - letter,)
        known = known.also(positive=room) if strictly else known.also(nonnegative=room)
    return images, known


def _of_one_base(expr: Expr) -> list[dict[Expr, int]]:
    """Group powers of one base, each with its degree in a power of which all are whole ones, if that is moderate."""
    groups: dict[tuple[Expr, Expr], dict[Expr, Rational]] = {}
    for node in sorted(expr.atoms(sympy.exp, Pow), key=str):
        base, exponent = node.as_base_exp()
        multiple, rest = exponent.as_coeff_Mul()
        joins = base is not sympy.E and multiple.is_Rational
        key, n = ((base, rest), multiple) if joins else ((node, sympy.S.One), sympy.S.One)
        groups.setdefault(key, {})[node] = n
    return [group for found in groups.values() for group in _whole_degrees(found)]


def _whole_degrees(multiples: dict[Expr, Rational]) -> list[dict[Expr, int]]:
    unit = sympy.Rational(
        sympy.igcd(0, *[n.p for n in multiples.values()]), sympy.ilcm(1, *[n.q for n in multiples.values()])
    )
    whole = {node: int(n / unit) for node, n in multiples.items()}
    if max(map(abs, whole.values())) > MAX_DEGREE:
        return [{node: 1} for node in multiples]
    return [whole]


def _powers(expr: Expr, ask: Asking) -> dict[Expr, Expr]:
    """Return a positive letter for each power of a positive base whose exponent is no number, or a fine fraction."""
    letters = fresh("k", (expr,), ask.on, ask.given, positive=True)
    symbolic = [
        node
        for node in sorted(expr.atoms(Pow), key=str)
        if node.base is not sympy.E and (not node.exp.is_number or _is_fine(node))
    ]
    above = [node for node in symbolic if ask.positive(node.base) and all(map(ask.real, node.args))]
    return {node: next(letters) for node in above}


def _is_fine(power: Expr) -> bool:
    return bool(power.exp.is_Rational and max(abs(power.exp.p), power.exp.q) > MAX_DEGREE)


def _functions(expr: Expr, ask: Asking) -> dict[Expr, Expr]:
    """Return a positive letter for each function that is positive and finite."""
    letters = fresh("h", (expr,), ask.on, ask.given, positive=True)
    found = sorted(expr.atoms(sympy.exp, *POSITIVE_OF_POSITIVE), key=str)
    return {node: next(letters) for node in found if ask.real(node) and node.free_symbols}


def _direction(power: Expr, ask: Asking) -> tuple[int, bool] | None:
    """Return 1 if a power is above 1, -1 if it is below, and whether it certainly differs from 1."""
    base, exponent = power.as_base_exp()
    if exponent.is_Rational or not power.free_symbols or not ask.finite(exponent):
        return None
    side = 1 if base is sympy.E else _side_of_one(base, ask)
    for sign in (1, -1) if side else ():
        if ask.positive(sign * exponent):
            return sign * side, True
        if ask.nonnegative(sign * exponent):
            return sign * side, False
    return None


def _side_of_one(base: Expr, ask: Asking) -> int:
    """Return 1 if a base is above 1, -1 if it is positive and below 1, else 0."""
    if ask.positive(base - 1):
        return 1 if ask.finite(base) else 0
    return -1 if ask.positive(base) and ask.positive(1 - base) else 0


def _roots(expr: Expr, ask: Asking) -> tuple[dict[Expr, Expr], tuple[Expr, ...]]:
    """Write each power with a fraction for its exponent as a whole power of the root of its base.

    A root of what is certainly below (above) 1 is so too; that is said of no rational base, for each fact takes time.
    """
    powers = [x for x in expr.atoms(Pow) if x.exp.is_Rational and not x.exp.is_Integer and not _is_fine(x)]
    bases = {node.base for node in powers if not node.base.is_number}
    safe = (base for base in bases if ask.positive(base) and ask.finite(base))
    letters, found, bounds = (
        fresh("r", (expr,), ask.on, ask.given, positive=True),
        dict[Expr, Expr](),
        list[Expr](),
    )
    for base in sorted(safe, key=str):
        root, above = next(letters), [node for node in powers if node.base == base]
        degree = sympy.ilcm(1, *[node.exp.q for node in above])
        found |= {node: root ** (degree * node.exp) for node in above}
        sides = () if is_rational(base) else (1, -1)
        bounds += [side * (root - 1) for side in sides if ask.positive(side * (base - 1))]
    return found, tuple(bounds)
