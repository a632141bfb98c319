"""How exact formulas with parameters are, at numbers for these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import mpmath
import sympy
from sympy import Expr

from costderive.rule import ScoringRule
from costderive.symbols import p

DIGITS = 60
EXACT = 1e-14  # of the mean cost: below this nothing is told apart, as machines differ in their logarithms
BESIDE = 1e-15  # of a breakpoint, which may be rounded: a loss may jump there
EVEN = tuple(k / 256 for k in range(1, 256))
NEAR_ENDS = tuple(x for k in range(3, 17) for x in (10.0**-k, 1 - 10.0**-k))


def measured(rule: ScoringRule, program: str, example: Mapping[str, Any]) -> str:
    """Say how far the losses of a program in Python are from exact ones, at numbers for the parameters."""
    module: dict[str, Any] = {}
    exec(program, module)
    numbers = {name: float(value) for name, value in example.items()}
    fixed = rule.at(**example)
    errors = [
        _error(loss, lambda x, name=f"loss{label}": module[name](x, **numbers), _reports(fixed))
        for label, loss in enumerate((fixed.loss0, fixed.loss1))
    ]
    bound = 10.0 ** math.ceil(math.log10(max(*errors, EXACT)))
    told = ", ".join(f"{name} = {value}" for name, value in example.items())
    return f"At {told} they are within {bound:.0e} of the largest loss, in Python at {len(_reports(fixed))} reports."


def _reports(rule: ScoringRule) -> tuple[float, ...]:
    """Return reports between 0 and 1: all over, near the ends, and on both sides of breakpoints."""
    losses = rule.cases[0][1]
    breaks = [float(x) for loss in (losses.loss0, losses.loss1) for x in loss.breaks]
    beside = [x * (1 + side) for x in breaks for side in (-BESIDE, BESIDE)]
    return tuple(sorted({*EVEN, *NEAR_ENDS, *beside}))


def _error(loss: Expr, found: Any, reports: tuple[float, ...]) -> float:
    """Return the largest error of a loss, relative to its largest value."""
    with mpmath.workdps(DIGITS):
        function = sympy.lambdify(p, loss, "mpmath")
        exact = [function(mpmath.mpf(x)) for x in reports]
        errors = [abs(found(x) - value) for x, value in zip(reports, exact, strict=True)]
        return float(max(errors) / max(map(abs, exact)))
