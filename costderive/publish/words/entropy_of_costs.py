"""The corollary on the entropy of a cost context: where it is concave, how it bends, and its formula."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Add, Expr, Integral, Mul

from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import p, q
from costderive.publish.formulas.exponentials import of_exponentials
from costderive.publish.formulas.printing import formula, width
from costderive.publish.words.displays import condition, continuous, function, without_value
from costderive.publish.words.document_blocks import Block, Proof, Prose, Theorem, merged, prose
from costderive.publish.words.one_formula import OneFormula, in_corollary
from costderive.publish.words.paper_of_costs import properness, strictly
from costderive.publish.words.proofs_of_properness import between_atoms, has_density
from costderive.publish.words.scene import Scene, listed, ranges, say
from costderive.rules import odds_form

ENTROPY = 72.0  # the widest entropy that is worth a display, in digits
MOST_POWER = 1000  # of e, that is written as a power of a letter
TWO_LINES = 130.0  # the widest one that is not by cases


def entropy_corollary(scenes: tuple[Scene, ...], one: OneFormula | None, remark: str) -> tuple[Block, ...]:
    by_case = (
        [(condition(scene.case.given), _entropy_display(scene)) for scene in scenes] if one is None else []
    )
    stated = merged(by_case) if one is None else tuple(in_corollary(one))
    closing = (
        ()
        if not stated
        else prose(" It is{}", _places(scenes) if one is None else prose(", for $0 < q < 1$,"))
    )
    least = "The entropy $H(q) = R(q|q)$, the least expected loss under the belief $q$,"
    how = "strictly " if strictly(scenes) else ""
    where = prose(", strictly so on {},", within) if (within := _strict_within(scenes)) else ()
    theorem = Theorem(
        "Corollary",
        "entropy",
        (
            say(
                f"{least} is {how}concave on $[0, 1]${{}}{{}}.{{}}",
                *(where, _bends(scenes), closing),
            ),
            *stated,
        ),
        "thm:entropy",
        remark,
    )
    return theorem, Proof((say("{}", _why_concave(scenes, stated=bool(stated))),), remark)


def has_formula(corollary: tuple[Block, ...]) -> bool:
    """Return whether a corollary states a formula of the entropy."""
    return any(isinstance(block, Theorem) and len(block.statement) > 1 for block in corollary)


def unchecked(one: OneFormula | None, *, stated: bool) -> str:
    """Say which formulas of a paper no claim is about: sums over corners, and the entropy."""
    if one is not None:
        return _SUMS
    return _SHORTER if stated else ""


_SUMS = (
    "The sums of Theorem {#thm:score} and of Corollary {#thm:entropy} are another way to write the pieces of the "
    "proof: what was checked are the pieces. "
)
_SHORTER = (
    "The formula of the entropy in Corollary {#thm:entropy} is another way to write $(1 - q) \\, L_0(q) + q \\, "
    "L_1(q)$ with the losses that were checked: no claim is about it. "
)


def _strict_within(scenes: tuple[Scene, ...]) -> Prose:
    """Return the intervals within (0, 1) on which an entropy is strictly concave, if they are the same in all cases."""
    found = {reached.strict if (reached := properness(scene.case)) else () for scene in scenes}
    strict = found.pop()
    return ranges(strict) if strict and not found and not strictly(scenes) else ()


def _why_concave(scenes: tuple[Scene, ...], *, stated: bool) -> Prose:
    if scenes[0].brief:
        inserted = (
            r" The formula is $(1 - q) \, L_0(q) + q \, L_1(q)$ with the losses of Theorem {#thm:score}."
        )
        return prose("This is [@CostContexts, Corollary 3]." + inserted * stated)
    least = prose(
        r"By Theorem {#thm:proper}, $H(q) = \min_p R(p|q)$, a least value of concave functions of $q$, hence "
        "concave{}. (Compare [@Gneiting2007, Theorem 1].) ",
        _only_the_truth(scenes),
    )
    if not any(has_density(scene.losses) for scene in scenes):
        return prose(
            f"{{}}{between_atoms(scenes[0].losses)} both losses are constant, so $H$ is linear.", least
        )
    where = "Between the breakpoints " if any(map(_breakpoints, scenes)) else ""
    return prose(
        rf"{{}}{where}$H'(q) = L_1(q) - L_0(q)$, since the terms with $L_0'$ and $L_1'$ add up to $\omega(q) \, "
        rf"(q - q) = 0$, so $H'' = L_1' - L_0' = -\omega$.{_FALLS * _has_atoms(scenes)}",
        least,
    )


def _only_the_truth(scenes: tuple[Scene, ...]) -> Prose:
    """Say where an entropy is strictly concave, and why."""
    if strictly(scenes):
        return prose(" and strictly so, as only $p = q$ attains it")
    within = _strict_within(scenes)
    return prose(", and strictly so on {}, as only $p = q$ attains it there", within) if within else ()


_FALLS = r" Where $L_0$ rises by $t m$ and $L_1$ falls by $(1 - t) \, m$, the slope $L_1 - L_0$ falls by $m$."


def _has_atoms(scenes: tuple[Scene, ...]) -> bool:
    return any(scene.losses.weight.atoms for scene in scenes)


def _breakpoints(scene: Scene) -> set[Expr]:
    """Return where a threshold weight has an atom, or its density no value, or not surely one that is continuous."""
    weight = scene.losses.weight
    smooth = continuous(weight.density, scene.case.given)
    changes = {y.low for x, y in pairwise(weight.density) if x.value != y.value and not smooth}
    return {atom.at for atom in weight.atoms} | changes | set(without_value(weight.density))


def _bends(scenes: tuple[Scene, ...]) -> Prose:
    """Say what the second derivative of an entropy is, and where its slope jumps."""
    atoms = {atom.at for scene in scenes for atom in scene.losses.weight.atoms}
    if not any(has_density(scene.losses) for scene in scenes):
        return prose(
            f" and linear {'on either side of the atom' if len(atoms) == 1 else 'between the atoms'}"
        )
    breaks, text = set().union(*map(_breakpoints, scenes)), r" with $H'' = -\omega$"
    falls = _falls(scenes)
    if len(breaks) == 1:
        return prose(rf"{text} for $q \ne {{}}${{}}", *breaks, falls)
    return prose(f"{text}{' away from the breakpoints' if breaks else ' on $(0, 1)$'}{{}}", falls)


def _falls(scenes: tuple[Scene, ...]) -> Prose:
    """Say by how much the slope of an entropy falls at atoms: by the mass of the one there is, or of each."""
    atoms = {atom for scene in scenes for atom in scene.losses.weight.atoms}
    if len(atoms) == 1:
        return prose("; at the atom the slope $H'$ falls by its mass {}", *(atom.mass for atom in atoms))
    return prose("; at an atom of mass $m$ the slope $H'$ falls by $m$") if atoms else ()


def _entropy_display(scene: Scene) -> tuple[Block, ...]:
    entropy = entropy_of(scene)
    most = TWO_LINES if len(entropy.pieces) == 1 else ENTROPY
    if any(piece.value.has(Integral) or _width(piece, scene) > most for piece in entropy):
        return ()
    return (function("H(q)", entropy, scene.names, scene.case.given, closed=True),)


def _width(piece: Piece, scene: Scene) -> float:
    return width(scene.names.short(piece.value, q))


def entropy_of(scene: Scene) -> Pieces:
    """Return the entropy as it is written: by its pieces, or two that are too wide for that as one formula."""
    pairs = zip(scene.losses.loss0, scene.losses.loss1, strict=True)
    found = Pieces(q, tuple(_entropy_piece(first, second, scene) for first, second in pairs))
    wide = any(_width(piece, scene) > ENTROPY for piece in found)
    one = in_one(found) if wide else None
    return one.map(lambda value: _with_named_arguments(value, scene)) if one else found


def in_one(found: Pieces) -> Pieces | None:
    """Return two pieces that differ in the sign of a term as one, with the absolute value of what vanishes between.

    >>> from sympy import log, Rational, S
    >>> half = Rational(1, 2)
    >>> low, high = Piece(S(0), half, (1 - 2 * q) * log(q) + 1), Piece(half, S(1), (2 * q - 1) * log(q) + 1)
    >>> in_one(Pieces(q, (low, high))).pieces[0].value
    log(q)*Abs(2*q - 1) + 1
    """
    if len(found.pieces) != 2:
        return None
    low, high = found.pieces
    parts = by_irrational_factors(low.value), by_irrational_factors(high.value)
    differing = {factor for part in parts for factor in part if parts[0].get(factor) != parts[1].get(factor)}
    if len(differing) != 1:
        return None
    (factor,) = differing
    rising = parts[1].get(factor, sympy.S.Zero)
    vanishing = next((x for x in Mul.make_args(rising) if x.is_Add and x.subs(q, low.high) == 0), None)
    if vanishing is None or sympy.cancel(parts[0].get(factor, sympy.S.Zero) + rising) != 0:
        return None
    rest = [coefficient * x for x, coefficient in parts[0].items() if x != factor]
    size = sympy.Abs(vanishing) if _rises(vanishing) else -sympy.Abs(vanishing)
    return Pieces(q, (Piece(low.low, high.high, Add(*rest, rising / vanishing * size * factor)),))


def _rises(linear: Expr) -> bool:
    return bool(sympy.diff(linear, q).is_positive)


def by_irrational_factors(value: Expr) -> dict[Expr, Expr]:
    """Return what stands beside each product of factors that are not rational in q, factored."""
    found: dict[Expr, Expr] = {}
    for term in Add.make_args(sympy.expand_mul(_with_plain_roots(value))):
        rational = [x for x in Mul.make_args(term) if x.is_rational_function(q)]
        rest = Mul(*[x for x in Mul.make_args(term) if not x.is_rational_function(q)])
        found[rest] = found.get(rest, sympy.S.Zero) + Mul(*rational)
    return {factor: sympy.factor(x) if x.has(q) else sympy.expand(x) for factor, x in found.items()}


def _with_plain_roots(value: Expr) -> Expr:
    """Multiply out what stands under roots."""
    roots = [x for x in value.atoms(sympy.Pow) if not x.exp.is_integer and x.base.is_polynomial(q)]
    return value.xreplace({x: sympy.expand(x.base) ** x.exp for x in roots})


def _places(scenes: tuple[Scene, ...]) -> Prose:
    """Say where an entropy is the limit of its formula."""
    functions = [entropy_of(scene) for scene in scenes]
    found = dict.fromkeys(at for entropy in functions for at in without_value(entropy, ends=True))
    arguments = {at.subs(p, q): name.func.__name__ for x in scenes for at, name in x.names.arguments.items()}
    named = [name for at, name in arguments.items() if any(x.value.has(at) for f in functions for x in f)]
    limits = "its limits as the values" if len(found) > 1 else "its limit as the value"
    parts = [prose(f"with {limits} at {{}}", listed(found))] if found else []
    parts += [prose("with {} as in Theorem {#thm:score}", listed(map(formula, named)))] if named else []
    return prose(", {},", listed(parts)) if parts else ()


def _entropy_piece(first: Piece, second: Piece, scene: Scene) -> Piece:
    value = ((1 - p) * first.value + p * second.value).subs(p, q)
    return Piece(first.low, first.high, _short_entropy(value, scene))


def _short_entropy(value: Expr, scene: Scene) -> Expr:
    """Write an entropy as it is, or as a tangent at an end less what it lacks, if that has factors of lower degree."""
    if value.has(Integral):
        return value
    value = _with_named_arguments(value, scene)
    found, given = scene.losses, scene.case.given
    whole = _factored(_joined(odds_form.tidy(value, q, given), given))
    if not value.is_rational_function():
        return _shortest_writing(whole)
    if not found.loss0.breaks:
        return whole
    tangents = sympy.Mul(found.worst1, q), sympy.Mul(found.worst0, 1 - q, evaluate=False)
    exact = [x for x in tangents if x.is_rational_function() and not x.has(sympy.oo)]
    lacks = [x - odds_form.product(x - value, q, given) for x in exact]
    return min((whole, *lacks), key=lambda form: (_degree(form), sympy.count_ops(form)))


def _shortest_writing(whole: Expr) -> Expr:
    """Return the shortest of several forms; a fine power of e is a letter, as polynomials take it for a high power."""
    fine = [node for node in whole.atoms(sympy.exp) if node.exp.is_Rational and abs(node.exp.p) > MOST_POWER]
    names = {node: sympy.Dummy(positive=True) for node in fine}
    plain = whole.xreplace(names)
    forms = (
        plain,
        _with_one_rational_part(plain),
        _over_common_factor(plain),
        _with_roots_cancelled(plain),
    )
    shortest: Expr = min(forms, key=sympy.count_ops)
    return shortest.xreplace({name: node for node, name in names.items()})


def _with_one_rational_part(form: Expr) -> Expr:
    """Join the rational terms of a sum in q as one fraction."""
    rational = [
        term
        for term in Add.make_args(form)
        if term.is_rational_function(q) and not term.atoms(sympy.Function)
    ]
    rest = [term for term in Add.make_args(form) if term not in rational]
    return Add(sympy.factor(Add(*rational)), *rest)


def _over_common_factor(form: Expr) -> Expr:
    """Take out of a sum the polynomial that all its coefficients have in common, such as ``1 - q``.

    >>> _over_common_factor(1 - q - (1 - q) * sympy.log(1 - q))
    (1 - q)*(1 - log(1 - q))
    """
    parts = by_irrational_factors(form)
    if not all(coefficient.is_polynomial(q) for coefficient in parts.values()):
        return form
    common = sympy.gcd_list([sympy.expand(x) for x in parts.values()])
    if not common.has(q):
        return form
    common = -common if common.subs(q, sympy.S.Half).is_negative else common
    return Mul(
        common, Add(*[sympy.cancel(x / common) * factor for factor, x in parts.items()]), evaluate=False
    )


_ROOTS = sympy.symbols("first second", cls=sympy.Dummy, positive=True)


def _with_roots_cancelled(form: Expr) -> Expr:
    """Cancel in the terms of a sum that are algebraic in the roots of q and of 1 - q, if no fraction is left.

    >>> first, second = sympy.sqrt(q), sympy.sqrt(1 - q)
    >>> _with_roots_cancelled((first**3 + second**3) / (first + second))
    -sqrt(q)*sqrt(1 - q) + 1
    """
    first, second = _ROOTS
    terms = Add.make_args(sympy.expand_mul(form))
    plain = [term for term in terms if not term.atoms(sympy.Function)]
    if not plain:
        return form
    parts = sympy.fraction(sympy.cancel(Add(*plain).xreplace({1 - q: second**2}).subs(q, first**2)))
    if not all(part.is_polynomial(*_ROOTS) for part in parts):
        return form
    found = sympy.cancel(_homogeneous(parts[0]) / _homogeneous(parts[1]))
    if not found.is_polynomial(*_ROOTS):
        return form
    _, rest = sympy.reduced(found, [first**2 + second**2 - 1], *_ROOTS)
    back = rest.subs({first: sympy.sqrt(q), second: sympy.sqrt(1 - q)})
    others = by_irrational_factors(Add(*[term for term in terms if term not in plain]))
    return Add(back, *[coefficient * factor for factor, coefficient in others.items()])


def _homogeneous(polynomial: Expr) -> Expr:
    """Multiply terms of lower degree by powers of the sum of the squares of both roots, which is 1."""
    poly = sympy.Poly(polynomial, *_ROOTS)
    one = sum(root**2 for root in _ROOTS)
    gaps = [(poly.total_degree() - sum(powers), term) for powers, term in _monomials(poly)]
    return Add(*[term * one ** (gap // 2) for gap, term in gaps])


def _monomials(poly: sympy.Poly) -> list[tuple[tuple[int, ...], Expr]]:
    return [(powers, Mul(c, *map(sympy.Pow, _ROOTS, powers))) for powers, c in poly.terms()]


def _with_named_arguments(value: Expr, scene: Scene) -> Expr:
    """Write arguments of functions that are equal to one with a name as that one."""
    named = [argument.subs(p, q) for argument in scene.names.arguments if argument.is_rational_function(p)]
    calls = [
        x for function in value.atoms(sympy.Function) for x in function.args if x.is_rational_function(q)
    ]
    same = {x: y for y in named for x in calls if x != y and x.has(q) and sympy.cancel(x - y) == 0}
    return value.xreplace(same)


def _joined(form: Expr, given: Given) -> Expr:
    """Join the terms with the same exponential, if that is shorter."""
    one_form = form.replace(sympy.exp, lambda exponent: sympy.exp(sympy.factor(sympy.cancel(exponent))))
    factors = of_exponentials(one_form) or {}
    joined = sympy.Add(*[power * odds_form.product(factor, q, given) for power, factor in factors.items()])
    return min(form, joined, key=sympy.count_ops) if factors else form


def _factored(form: Expr) -> Expr:
    """Take out of a sum what all its terms have in common, if that is more than a number and the sum gets shorter."""
    found = sympy.factor_terms(form)
    short = sympy.count_ops(found) < sympy.count_ops(form)
    return found if short and isinstance(found, sympy.Mul) and _common(found).free_symbols else form


def _common(product: Expr) -> Expr:
    """Return what stands beside the last sum of a product."""
    return sympy.Mul(*[factor for factor in product.args if not isinstance(factor, sympy.Add)])


def _degree(form: Expr) -> int:
    """Return the highest degree of a sum in q that is part of an expression."""
    sums = (sympy.expand(part).as_poly(q) for part in form.atoms(sympy.Add) if part.is_polynomial(q))
    return max((poly.degree() for poly in sums if poly is not None), default=0)
