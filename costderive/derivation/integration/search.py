"""The search for antiderivatives: a list of strategies, tried in order, each cheap to read and to extend.

A strategy takes an integrand and a deadline, and gives an antiderivative or ``None``. Whatever it gives is kept
only if it is smooth and its derivative is the integrand, decided exactly; the derivation claims it again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import Add, Expr, Integral, Poly, Pow, Rational, RootSum, Symbol
from sympy.integrals.manualintegrate import manualintegrate
from sympy.integrals.rationaltools import ratint

from costderive.core.derivatives import derivative
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import u
from costderive.core.time_limit import cpu_seconds, within
from costderive.deciders.identities import zero
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive
from costderive.deciders.size import steep
from costderive.derivation.integration.about_centre import primitive_beside_centre
from costderive.derivation.integration.along_lines import primitive_along_line
from costderive.derivation.integration.exponentials import of_exponentials
from costderive.derivation.integration.primitive_table import MAX_ROOT, MOST_OF_UNITY, primitive
from costderive.derivation.integration.root_of_quadratic import has_root_of_quadratic, primitive_with_root
from costderive.derivation.integration.search_time import search_seconds
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.rules import odds_form

SHAPED = (sympy.uppergamma, sympy.betainc)  # their first arguments are shapes, their last one is a place

_v = Symbol("_v", positive=True)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point in CPU time by which a search has to end."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the deadline that many seconds from now, or sooner where all searches end sooner."""
        return cls(cpu_seconds() + search_seconds(seconds))

    @property
    def left(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.at - cpu_seconds())


LONG = 150  # operations of an integrand
STRATEGY_SECONDS = 8.0
Strategy = Callable[[Expr, Symbol, Given, Deadline], Expr | None]


def antiderivative(integrand: Expr, on: Interval, given: Given, deadline: Deadline) -> Expr | None:
    """Return a function whose derivative on the interval (inside (0, 1)) is the integrand, or ``None``.

    The variable is a probability; most strategies work in its odds.
    """
    if steep(integrand, roots=False) or integrand.has(Integral):
        return None
    for strategy in _by_promise(integrand, on.variable):
        found = _found(strategy, integrand, on.variable, given, deadline)
        for writing in () if found is None else _writings(_with_sizes(found, on, given)):
            if proved(writing, integrand, on, given, deadline):
                return writing
    return None


def _found(strategy: Strategy, integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Ask a strategy, and for a long integrand no longer than a share of the time: others may find more."""
    if sympy.count_ops(integrand) <= LONG:
        return strategy(integrand, s, given, deadline)
    seconds = min(STRATEGY_SECONDS, deadline.left)
    try:
        return within(seconds, strategy, integrand, s, given, deadline, nests=True)
    except (TimeoutError, RecursionError, MemoryError):
        return None


def _by_promise(integrand: Expr, s: Symbol) -> list[Strategy]:
    """Return the strategies, the table before any trial where others would take their time."""
    if not _is_of_table(integrand, s):
        return list(STRATEGIES)
    return sorted(STRATEGIES, key=lambda strategy: strategy not in TABULATED)


def _is_of_table(integrand: Expr, s: Symbol) -> bool:
    """Are there letters or fine fractions in exponents or shapes, roots of a scale, or of unity, as poles?"""
    powers = [power for power in integrand.atoms(Pow) if power.base is not sympy.E]
    shapes = [shape for node in integrand.atoms(*SHAPED) for shape in node.args[:-1]]
    above = *[power.exp for power in powers], *shapes
    scales = [
        power for power in powers if power.base.is_Symbol and power.base != s and not power.exp.is_Integer
    ]
    added = set[Expr]().union(*(total.atoms(Pow) for total in integrand.atoms(Add)))
    unity = [x for x in added if x.exp.is_Rational and not x.exp.is_Integer and abs(x.exp.p) > MOST_OF_UNITY]
    return bool(scales or unity) or any(
        not exponent.is_number or (exponent.is_Rational and exponent.q > MAX_ROOT) for exponent in above
    )


def _with_sizes(found: Expr, on: Interval, given: Given) -> Expr:
    """Write exponential integrals of what is negative by its size, of which more is decided."""
    nodes = [node for node in found.atoms(sympy.Ei) if positive(-node.args[0], on, given)]
    return found.xreplace({node: -sympy.expint(1, -node.args[0]) for node in nodes})


def _writings(found: Expr) -> tuple[Expr, ...]:
    """Return an antiderivative as it was found, and with its powers put together, whose signs are seen better."""
    joined = sympy.powsimp(found, deep=True, force=True)
    return (found,) if joined == found else (found, joined)


def _is_antiderivative(found: Expr, integrand: Expr, on: Interval, given: Given) -> bool:
    """Decide that a function is real and smooth on the interval, and that its derivative is the integrand."""
    slope = derivative(found, on.variable)
    return regular(found, on, given) and zero(slope - integrand, on, given) is not None


def proved(found: Expr, integrand: Expr, on: Interval, given: Given, deadline: Deadline) -> bool:
    """Decide that this is an antiderivative, as the checker will again: it must not take long."""
    try:
        return bool(
            within(min(PROOF_SECONDS, deadline.left), _is_antiderivative, found, integrand, on, given)
        )
    except TimeoutError:
        return False


def _through_odds(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Substitute ``u = s/(1 - s)`` and then ``u = v^n``: what is rational in v is integrated term by term."""
    in_odds = odds_form.to_odds(integrand, s, given) / (1 + u) ** 2
    root = int(
        sympy.ilcm(
            1, 1, *[power.exp.q for power in in_odds.atoms(Pow) if power.base == u and power.exp.is_Rational]
        )
    )
    if root > MAX_ROOT:
        return None
    rational = sympy.powsimp(in_odds.subs(u, _v**root)) * root * _v ** (root - 1)
    found = _rational(rational, _v)
    return None if found is None else odds_form.to_probability(found.subs(_v, u ** Rational(1, root)), s)


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


def _in_probability(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Undetermined coefficients in s itself, which suits roots of quadratics."""
    found = by_ansatz(integrand, s, deadline.left)
    return None if found is None else odds_form.tidy(found, s)


def _in_odds(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Undetermined coefficients in the odds, in which exponentials and tails of bells are at home."""
    return _by_odds(lambda density: by_ansatz(density, u, deadline.left), integrand, s, given)


def _termwise(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Term by term through the table of primitives, in the odds."""
    return _by_odds(lambda density: primitive(density, u, given), integrand, s, given)


def _along_line(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    return _by_odds(lambda density: primitive_along_line(density, u, given), integrand, s, given)


def _of_exponentials(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    return _by_odds(lambda density: of_exponentials(density, u, given), integrand, s, given)


def _by_odds(search: Callable[[Expr], Expr | None], integrand: Expr, s: Symbol, given: Given) -> Expr | None:
    """Search in the odds of s, then in those of 1 - s."""
    found = search(odds_form.to_odds(integrand, s, given) / (1 + u) ** 2)
    if found is not None:
        return odds_form.to_probability(found, s, given)
    turned = search(odds_form.to_odds(odds_form.reflect(integrand, s), s, given) / (1 + u) ** 2)
    return None if turned is None else -odds_form.reflect(odds_form.to_probability(turned, s, given), s)


def _termwise_in_probability(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Term by term through the table of primitives, in s itself or in 1 - s."""
    inside = given.also(positive=(1 - s,))
    found = primitive(integrand, s, inside)
    if found is not None:
        return found
    turned = primitive(odds_form.reflect(integrand, s), s, inside)
    return None if turned is None else -odds_form.reflect(turned, s)


def _by_hand_rules(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """SymPy's rule-based integrator in the odds.

    It has no rules for roots higher than the second; the first strategy has met those that can be substituted.
    """
    in_odds = sympy.expand(odds_form.to_odds(integrand, s, given) / (1 + u) ** 2)
    if any(not power.exp.is_Integer for power in in_odds.atoms(Pow, sympy.exp)):
        in_odds = sympy.powsimp(in_odds)
    if any(power.exp.is_Rational and power.exp.q > 2 for power in in_odds.atoms(Pow)):
        return None
    found = manualintegrate(in_odds, u)
    if found.has(Integral, sympy.I, sympy.Piecewise):
        return None
    return odds_form.to_probability(found, s, given)


def _with_root(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Find arcsines and logarithms, if there is the square root of a quadratic of numbers."""
    return primitive_with_root(integrand, s) if has_root_of_quadratic(integrand, s) else None


def _below_centre(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    return primitive_beside_centre(integrand, s, -1, given)


def _above_centre(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    return primitive_beside_centre(integrand, s, 1, given)


SHARE_SECONDS, ANSATZ_SECONDS, ROOT_SECONDS, PROOF_SECONDS = 0.5, 5.0, 8.0, 10.0


def _in_time(strategy: Strategy, seconds: float = math.inf) -> Strategy:
    """Return a strategy that finds nothing after so many seconds, or once the deadline is over."""

    def bounded(integrand: Expr, s: Symbol, given: Given, deadline: Deadline) -> Expr | None:
        left = min(seconds, deadline.left)
        try:
            found: Expr | None = within(left, strategy, integrand, s, given, deadline)
        except Exception:  # a search that fails, as one that is late, has found nothing
            return None
        return found

    return bounded


TABULATED: tuple[Strategy, ...] = (_in_time(_termwise), _in_time(_termwise_in_probability))
STRATEGIES: tuple[Strategy, ...] = (
    _in_time(_below_centre),
    _in_time(_above_centre),
    _in_time(_of_exponentials),
    _in_time(_through_odds),
    _in_time(_in_odds, ANSATZ_SECONDS),
    _in_time(_in_probability, ANSATZ_SECONDS),
    _in_time(_with_root, ROOT_SECONDS),
    *TABULATED,
    _in_time(_along_line),
    _in_time(_by_hand_rules, SHARE_SECONDS),
)
