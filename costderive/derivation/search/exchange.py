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
    if not inner.value.has(Integral, sympy.log):
        return None
    area = _at_fixed_cost(inner, factor, given)
    if area is None:
        return None
    try:
        found: Expr | None = within(min(SECONDS, deadline.left), _over_both, *area, inner.slice.low, given)
        return None if found is None else _alike(found, inner.value)
    except Exception:  # a search that fails has found nothing
        return None


def _alike(found: Expr, value: Expr) -> Expr:
    """Write each error function as it is written in the weight, also where it is that of the negative argument."""
    known = {_expanded(node.args[0]): node for node in value.atoms(sympy.erf)}
    known |= {-argument: -node for argument, node in known.items()}
    return found.replace(sympy.erf, lambda z: known.get(_expanded(z), sympy.erf(_expanded(z))))


def _expanded(argument: Expr) -> Expr:
    return sympy.expand(sympy.expand_log(argument, force=True))


def _at_fixed_cost(inner: InnerIntegral, factor: Expr, given: Given) -> tuple[Expr, Expr, Expr] | None:
    """Return a density of the odds and of the cost whose bounds are numbers, c1 or c0 in its place, and the bounds."""
    lower, upper = inner.slice.lower, inner.slice.upper
    density = _in_odds(inner, factor, given)
    if not (lower.has(s) or upper.has(s)):
        return density, lower, upper
    bounds = [sympy.cancel(end.subs(s, u / (1 + u)) * u) for end in (lower, upper)]
    if any(end.has(u) for end in bounds):
        return None
    return sympy.powsimp(density.subs(c1, c1 / u) / u), *bounds


def _over_both(density: Expr, lower: Expr, upper: Expr, low: Expr, given: Given) -> Expr | None:
    """Integrate over the odds from the low end of the slice, and then over the cost."""
    start = Approach(u, low / (1 - low), "+")
    for first in _primitives(density, u, given):
        reached = value_at(first, start, given)
        if reached is None or reached.has(*NO_NUMBERS):
            continue
        for second in _primitives(_shorter(first - reached), c1, given):
            ends = [
                value_at(second, Approach(c1, end, side), given) for end, side in ((lower, "+"), (upper, "-"))
            ]
            least, most = (None if end is None or end.has(*NO_NUMBERS) else end for end in ends)
            if least is not None and most is not None:
                return odds_form.to_probability(most - least, s, given)
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
