"""The losses by integrating the threshold weight with mpmath: slow, and independent of what is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import sympy

from costderive.core.errors import ParametersLeftError
from costderive.core.symbols import s
from costderive.numeric.many_digits import r
from costderive.rules import ScoringRule, weight_of


def reference(rule: ScoringRule, label: int, p: Any, digits: int = 40) -> Any:
    """Return the loss of class ``label`` at ``p`` as an mpmath number with about so many digits.

    It is the integral of ``s Omega(ds)`` over [0, p) for class 0, of ``(1 - s) Omega(ds)`` over [p, 1] for class
    1, by quadrature; ``p`` is a double, a string or an mpmath number in (0, 1).

    Raises:
        ParametersLeftError: if a parameter of the rule has no number.

    Example:
        >>> from costderive import Additive
        >>> from costderive import derive
        >>> print(mpmath.nstr(reference(derive(Additive(budget=2)).rule, 0, 0.25), 10))
        0.0625
    """
    if rule.parameters:
        raise ParametersLeftError(f"{rule.parameters} have no value", "Give them numbers with rule.at(...).")
    weight = weight_of(rule.only_case)
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
    """Integrate ``s w(s)`` or ``(1 - s) w(s)``, below 1/2 over s and above over ``1 - s``."""
    function = sympy.lambdify((s, r), density.subs(1 - s, r), "mpmath")
    digits = mpmath.mp.dps + int(abs(mpmath.log10(min(x for x in (low, 1 - low, high, 1 - high) if x > 0))))

    def rate(share: Any, rest: Any) -> Any:
        with mpmath.workdps(digits):
            share, rest = (1 - rest, rest) if share is None else (share, 1 - share)
            return function(share, rest) * (share, rest)[label]

    half = mpmath.mpf(0.5)
    below = _over(lambda x: rate(x, None), low, min(high, half))
    return below + _over(lambda x: rate(None, x), 1 - high, min(1 - low, half))


def _over(function: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """Integrate from ``low`` to ``high``: in the logarithm, or from 0 in x itself, which tanh-sinh can do."""
    if low >= high:
        return mpmath.mpf(0)
    scale = abs(function(high)) * high or mpmath.mpf(1)
    if low == 0:
        return scale * mpmath.quad(lambda y: function(high * y) * high / scale, [0, 1])
    first, last = mpmath.log(low), mpmath.log(high)
    edges = [first, *(cut for cut in (-100, -40, -16, -6, -2) if first < cut < last), last]
    return scale * mpmath.quad(lambda z: function(mpmath.exp(z)) * mpmath.exp(z) / scale, edges)
