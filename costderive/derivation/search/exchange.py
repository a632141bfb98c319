"""The losses of costs over an area by the other order of integration: over s first, at a fixed c1, and then over c1.

Where the weight itself has no closed form, or a long one, the loss may still have a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Integral, Symbol

from costderive.core.piecewise import Given
from costderive.core.symbols import c1, s, u
from costderive.core.time_limit import within
from costderive.costs.expected_loss import InnerIntegral, WeightedLoss
from costderive.deciders.limits import Approach, value_at
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.search import Deadline
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.rules import odds_form

SECONDS = 6.0
NO_NUMBERS = (sympy.oo, -sympy.oo, sympy.nan, sympy.zoo)


def exchanged(before: WeightedLoss, factor: Expr, given: Given, deadline: Deadline) -> list[Expr | None]:
    """Return, for each inner integral, a candidate for an antiderivative of ``factor`` times it, or ``None``."""
    return [_candidate(one, factor, given, deadline) for one in before.inner]


def _candidate(inner: InnerIntegral, factor: Expr, given: Given, deadline: Deadline) -> Expr | None:
    moving = inner.slice.lower.has(s) or inner.slice.upper.has(s)
    if moving or not inner.value.has(Integral, sympy.log):
        return None
    try:
        found: Expr | None = within(min(SECONDS, deadline.left), _over_both, inner, factor, given)
    except Exception:  # a search that fails has found nothing
        return None
    return found


def _over_both(inner: InnerIntegral, factor: Expr, given: Given) -> Expr | None:
    """Integrate over the odds from the low end of the slice, and then over c1."""
    piece, start = inner.slice, Approach(u, inner.slice.low / (1 - inner.slice.low), "+")
    for first in _primitives(_in_odds(inner, factor, given), u, given):
        reached = value_at(first, start, given)
        if reached is None or reached.has(*NO_NUMBERS):
            continue
        for second in _primitives(_shorter(first - reached), c1, given):
            ends = [
                value_at(second, Approach(c1, end, side), given)
                for end, side in ((piece.lower, "+"), (piece.upper, "-"))
            ]
            low, high = (None if end is None or end.has(*NO_NUMBERS) else end for end in ends)
            if low is not None and high is not None:
                return odds_form.to_probability(high - low, s, given)
    return None


def _in_odds(inner: InnerIntegral, factor: Expr, given: Given) -> Expr:
    """Return the integrand behind an inner integral, times a factor, as a density of the odds and of c1."""
    function = inner.value.function if inner.antiderivative is None else sympy.diff(inner.antiderivative, c1)
    whole = factor * function
    if whole.is_rational_function():
        return sympy.factor(whole.subs(s, u / (1 + u)) / (1 + u) ** 2)
    return odds_form.to_odds(whole, s, given) / (1 + u) ** 2


def _shorter(expr: Expr) -> Expr:
    return sympy.factor(expr) if expr.is_rational_function() else expr


def _primitives(f: Expr, x: Symbol, given: Given) -> Iterator[Expr]:
    searches: tuple[Callable[[], Expr | None], ...] = (
        lambda: over_linear_factors(f, x),
        lambda: primitive(f, x, given),
        lambda: by_ansatz(f, x),
    )
    return filter(None, (search() for search in searches))
