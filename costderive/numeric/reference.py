"""The losses by integrating the threshold weight with mpmath: slow, and independent of what is compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import sympy

from costderive.errors import ParametersLeftError
from costderive.rule import ScoringRule
from costderive.symbols import s


def reference(rule: ScoringRule, label: int, p: Any, digits: int = 40) -> Any:
    """Return the loss of class ``label`` at ``p`` as an mpmath number with about so many digits.

    It is the integral of ``s Omega(ds)`` over [0, p) for class 0, of ``(1 - s) Omega(ds)`` over [p, 1] for class
    1, by quadrature in the log-odds of s; ``p`` is a double, a string or an mpmath number in (0, 1).

    Raises:
        ParametersLeftError: if a parameter of the rule has no number.

    Example:
        >>> from costderive.contexts import Additive
        >>> from costderive.walks import derive
        >>> print(mpmath.nstr(reference(derive(Additive(budget=2)).rule, 0, 0.25), 10))
        0.0625
    """
    if rule.parameters:
        raise ParametersLeftError(f"{rule.parameters} have no value", "Give them numbers with rule.at(...).")
    weight = rule.only_case.weight
    with mpmath.workdps(digits + 10):
        point = mpmath.mpf(p)
        inside = [atom for atom in weight.atoms if (_number(atom.at) < point) == (label == 0)]
        total = mpmath.fsum(_number((atom.at, 1 - atom.at)[label] * atom.mass) for atom in inside)
        for piece in weight.density:
            low, high = _number(piece.low), _number(piece.high)
            low, high = (low, min(high, point)) if label == 0 else (max(low, point), high)
            if low < high:
                total += _integral(piece.value, label, low, high)
        return +total


def _number(expr: Any) -> Any:
    return mpmath.mpmathify(sympy.N(expr, mpmath.mp.dps))


def _integral(density: Any, label: int, low: Any, high: Any) -> Any:
    """Integrate in the log-odds ``z``: ``ds = s (1 - s) dz``; each panel is one wide, the tails go on to infinity."""
    mean = mpmath.mp.dps
    function = sympy.lambdify(s, density, "mpmath")
    extra = mean + int(abs(mpmath.log10(min(x for x in (low, 1 - low, high, 1 - high) if x > 0))))

    def integrand(z: Any) -> Any:
        with mpmath.workdps(mean + extra):
            share, rest = 1 / (1 + mpmath.exp(-z)), 1 / (1 + mpmath.exp(z))
            return function(share) * (share, rest)[label] * share * rest

    return mpmath.fsum(_quad(integrand, a, b) for a, b in _panels(low, high))


def _quad(integrand: Callable[[Any], Any], low: Any, high: Any) -> Any:
    scale = abs(integrand(low if mpmath.isinf(high) else high)) or mpmath.mpf(1)
    return scale * mpmath.quad(lambda z: integrand(z) / scale, [low, high])


def _panels(low: Any, high: Any) -> Iterator[tuple[Any, Any]]:
    first, last = (_log_odds(x) for x in (low, high))
    cuts = [cut for cut in (-40, -8, -2, 0, 2, 8, 40) if first < cut < last]
    edges = [first, *cuts, last]
    return zip(edges[:-1], edges[1:], strict=True)


def _log_odds(x: Any) -> Any:
    if x in (0, 1):
        return mpmath.inf if x else -mpmath.inf
    return mpmath.log(x) - mpmath.log(1 - x)
