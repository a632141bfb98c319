"""How exact formulas with parameters are, at numbers for these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import mpmath
import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.rules import ScoringRule

DIGITS = 60
EXACT = 1e-14  # of the mean cost: smaller errors are not distinguished: machines differ in their logarithms
BESIDE = 1e-15  # of a breakpoint, which may be rounded: a loss may jump there
EVEN = tuple(k / 256 for k in range(1, 256))
NEAR_ENDS = tuple(x for k in range(3, 17) for x in (10.0**-k, 1 - 10.0**-k))


def measured(rule: ScoringRule, program: str, example: Mapping[str, Any], letters: Mapping[str, str]) -> str:
    """Say how far the losses of a program in Python are from exact ones, at numbers for the parameters.

    ``letters`` says what the program calls them.

    Raises:
        ExportError: if the program has no value there, as where a function is too large for a double.
    """
    point = ", ".join(f"{name} = {value}" for name, value in example.items())
    fixed, numbers = rule.at(**example), {letters[name]: float(value) for name, value in example.items()}
    reports = _reports(fixed)
    try:
        bound = 10.0 ** math.ceil(math.log10(max(EXACT, *_errors(fixed, program, numbers, reports))))
    except (ArithmeticError, ValueError) as problem:
        raise ExportError(
            f"the formulas have no value at {point}: {problem}", "Give other numbers."
        ) from None
    return f"At {point} they are within {bound:.0e} of the largest loss, in Python at {len(reports)} reports."


def _errors(
    rule: ScoringRule, program: str, numbers: Mapping[str, float], reports: tuple[float, ...]
) -> Iterator[float]:
    """Yield the largest error of each loss."""
    module: dict[str, Any] = {}
    exec(program, module)
    for label, loss in enumerate((rule.loss0, rule.loss1)):
        found = [module[f"loss{label}"](x, **numbers) for x in reports]
        if not all(map(math.isfinite, found)):
            raise ValueError(f"loss{label} is not finite")
        yield _error(loss, found, reports)


def _reports(rule: ScoringRule) -> tuple[float, ...]:
    """Return reports between 0 and 1: all over, near the ends, and on both sides of breakpoints."""
    losses = rule.cases[0][1]
    breaks = [float(x) for loss in (losses.loss0, losses.loss1) for x in loss.breaks]
    beside = [x * (1 + side) for x in breaks for side in (-BESIDE, BESIDE)]
    return tuple(sorted({*EVEN, *NEAR_ENDS, *beside}))


def _error(loss: Expr, found: list[float], reports: tuple[float, ...]) -> float:
    """Return the largest error of a loss, relative to its largest value."""
    with mpmath.workdps(DIGITS):
        function = sympy.lambdify(p, loss, "mpmath")
        exact = [function(mpmath.mpf(x)) for x in reports]
        errors = [abs(x - value) for x, value in zip(found, exact, strict=True)]
        return float(max(errors) / max(map(abs, exact)))
