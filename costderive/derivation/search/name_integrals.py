"""The search for the hypergeometric functions that integrals over all positive costs are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy
from sympy import Add, Expr, Integral, Mul, Symbol

from costderive.core.piecewise import Given
from costderive.core.symbols import p, u
from costderive.deciders.signs import positive
from costderive.derivation.moves.name_integrals import NameIntegrals
from costderive.derivation.search.held_costs import integrals_of
from costderive.proof.claims import Step
from costderive.rules import odds_form
from costderive.rules.hypergeometric import EulerIntegral, EulerTerm
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One


def naming(losses: Losses, given: Given) -> tuple[Step, ...]:
    """Return the step that writes integrals in losses with hypergeometric functions, if there are any of these."""
    found = (_named(node, given) for node in sorted(integrals_of(losses), key=str))
    named = tuple(one for one in found if one is not None)
    return (Step.make(NameIntegrals(named), losses, given),) if named else ()


def _named(node: Integral, given: Given) -> EulerIntegral | None:
    x, low, high = node.limits[0]
    if len(node.limits) > 1 or high is not sympy.oo or node.function.has(Integral):
        return None
    terms = [_term(summand, x, given) for summand in _summands(node.function.subs(x, x + low), x)]
    whole = [term for term in terms if term is not None]
    if len(whole) < len(terms):
        return None
    return EulerIntegral(node, tuple(_in_p(term, given) for term in _joined(whole)))


def _joined(terms: list[EulerTerm]) -> tuple[EulerTerm, ...]:
    """Add up terms that differ in their factors alone."""
    groups: dict[EulerTerm, list[EulerTerm]] = {}
    for term in terms:
        groups.setdefault(replace(term, factor=ONE, coefficient=ONE), []).append(term)
    return tuple(_with_factor(one, Add(*[term.factor for term in group])) for one, group in groups.items())


def _with_factor(term: EulerTerm, factor: Expr) -> EulerTerm:
    whole = replace(term, factor=_short_product(factor))
    return replace(whole, coefficient=_gathered(whole.whole))


def _short_product(factor: Expr) -> Expr:
    return sympy.factor(factor) if factor.is_rational_function() else sympy.factor_terms(factor)


def _summands(f: Expr, x: Symbol) -> tuple[Expr, ...]:
    """Multiply out, with the odds in place of p: powers of quotients split where all is positive."""
    in_odds = f.subs(p, u / (1 + u)).replace(
        lambda node: isinstance(node, sympy.Pow) and node.base.has(u),
        lambda node: _short(node.base) ** node.exp,
    )
    split: Expr = sympy.expand_power_base(in_odds)
    powers = (node for node in split.atoms(sympy.Pow) if node.base.is_Add and not node.exp.is_positive)
    names = {node: sympy.Dummy() for node in powers}  # SymPy would multiply out what is below
    spread = split.xreplace(names).expand(power_base=False, power_exp=False, multinomial=False)
    back = {name: node for node, name in names.items()}
    return tuple(term.xreplace(back) for term in Add.make_args(spread))


def _short(base: Expr) -> Expr:
    return sympy.cancel(base) if base.is_rational_function() else sympy.expand_power_base(base)


@dataclass(frozen=True, slots=True)
class _Sum:
    """The power ``(1 + ratio x^n)^exponent``."""

    ratio: Expr
    n: Expr
    exponent: Expr


def _term(summand: Expr, x: Symbol, given: Given) -> EulerTerm | None:
    """Read ``c x^m (A + B x^n)^e (A' + B' x^n)^f``."""
    factor, moving = sympy.expand_power_base(summand).as_independent(x, as_Add=False)
    power, sums = ZERO, list[_Sum]()
    for base, exponent in (part.as_base_exp() for part in Mul.make_args(moving)):
        if exponent.has(x):
            return None
        if base == x:
            power += exponent
            continue
        found = _sum(base, exponent, x)
        if found is None:
            return None
        factor, sums = factor * found[0], _with(sums, found[1])
    return (
        _of_two(factor, power, sums, given) if len({one.n for one in sums}) == 1 and len(sums) == 2 else None
    )


def _sum(base: Expr, exponent: Expr, x: Symbol) -> tuple[Expr, _Sum] | None:
    """Write ``(A + B x^n)^exponent`` as a factor and ``(1 + B/A x^n)^exponent``."""
    rest, moving = base.as_independent(x, as_Add=True)
    slope, power = sympy.expand_power_base(moving).as_independent(x, as_Add=False)
    variable, n = power.as_base_exp()
    if rest == 0 or variable != x or n.has(x):
        return None
    return rest**exponent, _Sum(_ratio(slope, rest), n, exponent)


def _ratio(slope: Expr, rest: Expr) -> Expr:
    ratio = slope / rest
    return (
        sympy.cancel(ratio) if ratio.is_rational_function() else sympy.powsimp(sympy.expand_power_base(ratio))
    )


def _with(sums: list[_Sum], new: _Sum) -> list[_Sum]:
    """Join powers of one sum."""
    same = [one for one in sums if (one.ratio, one.n) == (new.ratio, new.n)]
    others = [one for one in sums if one not in same]
    return [*others, _Sum(new.ratio, new.n, Add(new.exponent, *[one.exponent for one in same]))]


def _of_two(factor: Expr, power: Expr, sums: list[_Sum], given: Given) -> EulerTerm | None:
    """Choose the sum without the report for the one whose scale is that of the variable."""
    first, second = sorted(sums, key=lambda one: one.ratio.has(u))
    a, b = -second.exponent, sympy.cancel((power + 1) / first.n)
    c = sympy.expand(a - first.exponent)
    z = 1 - second.ratio / first.ratio
    if not all(positive(x, None, given) for x in (first.n, b, c - b, first.ratio, second.ratio)):
        return None
    return EulerTerm(factor, first.n, 1 / first.ratio, a, b, c, z, ZERO)


def _in_p(term: EulerTerm, given: Given) -> EulerTerm:
    """Write what has the odds as a function of p."""
    names = ("factor", "scale", "z", "coefficient")
    found = {name: odds_form.to_probability(getattr(term, name), p, given) for name in names}
    top, bottom = sympy.fraction(found["z"])
    if top.is_Add and top.free_symbols != {p}:
        found["z"] = sympy.expand(top) / bottom
    return replace(term, **found)


def _gathered(coefficient: Expr) -> Expr:
    """Write ratios of Gamma functions whose arguments differ by whole numbers as rational functions."""
    found = sympy.gammasimp(sympy.powsimp(coefficient))
    return sympy.powsimp(sympy.factor_terms(coefficient if found.has(sympy.sin) else found))
