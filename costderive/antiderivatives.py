"""The search for antiderivatives: a list of strategies, tried in order, each cheap to read and to extend.

A strategy takes an integrand and a deadline, and gives an antiderivative or ``None``. Whatever it gives is kept
only if its derivative is the integrand, decided exactly; the derivation claims it again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import Add, Expr, Integral, Poly, Pow, Rational, RootSum, Symbol
from sympy.integrals.manualintegrate import manualintegrate
from sympy.integrals.rationaltools import ratint

from costderive import forms
from costderive.deadline import within
from costderive.decide.identities import zero
from costderive.decide.size import steep
from costderive.pieces import Given, Interval
from costderive.primitives import primitive
from costderive.symbols import u

_v = Symbol("_v", positive=True)
MAX_ROOT = 6


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point in time by which a search has to end."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the deadline that many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.at - time.monotonic())


Strategy = Callable[[Expr, Symbol, Deadline], Expr | None]


def antiderivative(integrand: Expr, on: Interval, given: Given, deadline: Deadline) -> Expr | None:
    """Return a function whose derivative on the interval (inside (0, 1)) is the integrand, or ``None``.

    The variable is a probability; most strategies work in its odds.
    """
    if steep(integrand):
        return None
    for strategy in STRATEGIES:
        found = strategy(integrand, on.variable, deadline)
        if found is not None and zero(sympy.diff(found, on.variable) - integrand, on, given):
            return found
    return None


def _through_odds(integrand: Expr, s: Symbol, deadline: Deadline) -> Expr | None:
    """Substitute ``u = s/(1 - s)`` and then ``u = v^n``: what is rational in v is integrated term by term."""
    in_odds = forms.to_odds(integrand, s) / (1 + u) ** 2
    root = int(
        sympy.ilcm(
            1, 1, *[power.exp.q for power in in_odds.atoms(Pow) if power.base == u and power.exp.is_Rational]
        )
    )
    if root > MAX_ROOT:
        return None
    rational = sympy.powsimp(in_odds.subs(u, _v**root)) * root * _v ** (root - 1)
    found = _rational(rational, _v)
    return None if found is None else forms.to_probability(found.subs(_v, u ** Rational(1, root)), s)


def _rational(expr: Expr, x: Symbol) -> Expr | None:
    """Integrate a rational function term by term over its partial fractions."""
    if not expr.is_rational_function(x):
        return None
    parts = Add.make_args(sympy.apart(sympy.cancel(expr), x))
    total = Add(*[_fraction(part, x) for part in parts])
    return None if total.has(RootSum, Integral, sympy.I) else total


def _fraction(part: Expr, x: Symbol) -> Expr:
    rest, fraction = part.as_independent(x, as_Add=False)
    base, exponent = fraction.as_base_exp()
    if fraction.is_polynomial(x) or not base.is_polynomial(x) or Poly(base, x).degree() != 1:
        return rest * ratint(fraction, x)
    slope = Poly(base, x).LC()
    return rest / slope * (sympy.log(base) if exponent == -1 else base ** (exponent + 1) / (exponent + 1))


def _quadratic_root(integrand: Expr, s: Symbol, deadline: Deadline) -> Expr | None:
    """Integrate ``A(s) + B(s)/sqrt(Q(s))`` with a quadratic Q without real roots, in s itself."""
    split = _split_root(integrand, s)
    if split is None:
        return None
    plain, over, quadratic = split
    first, second = _rational(plain, s), _over_root(over, quadratic, s)
    return None if first is None or second is None else forms.tidy(first + second, s)


def _split_root(integrand: Expr, s: Symbol) -> tuple[Expr, Expr, Expr] | None:
    """Find A, B, Q with ``integrand = A + B/sqrt(Q)``, if Q is the only quantity under a root."""
    expr = forms.powers_split(integrand, s)
    roots = {
        power for power in expr.atoms(Pow) if power.exp.is_Rational and power.exp.q == 2 and power.has(s)
    }
    bases = {power.base for power in roots}
    if len(bases) != 1 or not next(iter(bases)).is_polynomial(s):
        return None
    quadratic = bases.pop()
    if Poly(quadratic, s).degree() != 2:
        return None
    in_root = expr.subs({power: _v ** (2 * power.exp) for power in roots})
    numerator, denominator = sympy.fraction(sympy.together(in_root))
    return _reduced(numerator, denominator, quadratic, s)


def _reduced(top: Expr, bottom: Expr, quadratic: Expr, s: Symbol) -> tuple[Expr, Expr, Expr] | None:
    if not (top.is_polynomial(s, _v) and bottom.is_polynomial(s, _v)):
        return None
    conjugate = bottom.subs(_v, -_v)
    rational = sympy.rem(sympy.expand(top * conjugate), _v**2 - quadratic, _v)
    norm = sympy.rem(sympy.expand(bottom * conjugate), _v**2 - quadratic, _v)
    even, odd = Poly(rational, _v).coeff_monomial(1), Poly(rational, _v).coeff_monomial(_v)
    return sympy.cancel(even / norm), sympy.cancel(odd * quadratic / norm), quadratic


def _over_root(over: Expr, quadratic: Expr, s: Symbol) -> Expr | None:
    """Integrate ``B/sqrt(Q)``: the polynomial part of B, and each pole through ``w = 1/(s - pole)``."""
    total = sympy.S.Zero
    for part in Add.make_args(sympy.apart(over, s)):
        found = (
            _polynomial_over_root(part, quadratic, s) if part.is_polynomial(s) else _pole(part, quadratic, s)
        )
        if found is None:
            return None
        total += found
    return total


def _pole(part: Expr, quadratic: Expr, s: Symbol) -> Expr | None:
    """With ``w = 1/(s - a)``, ``ds/((s - a)^k sqrt Q)`` is ``-sign(w) w^(k-1) dw/sqrt(w^2 Q)``."""
    numerator, denominator = sympy.fraction(part)
    base, power = denominator.as_independent(s, as_Add=False)[1].as_base_exp()
    if numerator.has(s) or not base.is_polynomial(s) or Poly(base, s).degree() != 1:
        return None
    scale = sympy.cancel(part * base**power)
    slope, pole = base.coeff(s, 1), -base.coeff(s, 0) / base.coeff(s, 1)
    sign = -1 if (pole - 1).is_nonnegative else 1
    reciprocal = sympy.expand(sympy.cancel(_v**2 * quadratic.subs(s, pole + 1 / _v)))
    found = _polynomial_over_root(_v ** (power - 1), reciprocal, _v)
    return None if found is None else -sign * scale / slope**power * found.subs(_v, 1 / (s - pole))


def _polynomial_over_root(poly: Expr, quadratic: Expr, x: Symbol) -> Expr | None:
    """Solve ``P/sqrt Q = (S sqrt Q)' + c/sqrt Q`` for the polynomial S and the constant c."""
    degree = Poly(poly, x).degree()
    unknowns = sympy.symbols(f"_k:{degree}") if degree > 0 else ()
    constant = Symbol("_c")
    trial = Add(*[k * x**i for i, k in enumerate(unknowns)])
    balance = sympy.expand(
        sympy.diff(trial, x) * quadratic + trial * sympy.diff(quadratic, x) / 2 + constant - poly
    )
    solved = sympy.solve(Poly(balance, x).all_coeffs(), [*unknowns, constant], dict=True)
    base = _one_over_root(quadratic, x)
    if not solved or base is None:
        return None
    return trial.subs(solved[0]) * sympy.sqrt(quadratic) + solved[0].get(constant, constant) * base


def _one_over_root(quadratic: Expr, x: Symbol) -> Expr | None:
    """Integrate ``1/sqrt(Q)`` for a quadratic that is positive everywhere."""
    lead, middle, rest = Poly(quadratic, x).all_coeffs()
    gap = 4 * lead * rest - middle**2
    if not (lead.is_positive and gap.is_positive):
        return None
    return sympy.asinh((2 * lead * x + middle) / sympy.sqrt(gap)) / sympy.sqrt(lead)


def _termwise(integrand: Expr, s: Symbol, deadline: Deadline) -> Expr | None:
    """Term by term through the table of primitives, in the odds."""
    found = primitive(forms.to_odds(integrand, s) / (1 + u) ** 2, u)
    return None if found is None else forms.to_probability(found, s)


def _by_hand_rules(integrand: Expr, s: Symbol, deadline: Deadline) -> Expr | None:
    """SymPy's rule-based integrator in the odds, in a process that is ended at the deadline.

    It has no rules for roots higher than the second; the first strategy has met those that can be substituted.
    """
    in_odds = sympy.powsimp(sympy.expand(forms.to_odds(integrand, s) / (1 + u) ** 2))
    if any(power.exp.is_Rational and power.exp.q > 2 for power in in_odds.atoms(Pow)):
        return None
    try:
        found = within(min(deadline.left, SHARE_SECONDS), manualintegrate, in_odds, u)
    except Exception:  # an integrator that fails has found nothing
        return None
    if found.has(Integral, sympy.I, sympy.Piecewise):
        return None
    return forms.to_probability(found, s)


SHARE_SECONDS = 2.0

STRATEGIES: tuple[Strategy, ...] = (_through_odds, _quadratic_root, _termwise, _by_hand_rules)
