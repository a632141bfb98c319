"""How far the losses of a program for K classes are from those by quadrature."""

from __future__ import annotations

import math
from typing import Any

from costderive.core.errors import ExportError
from costderive.core.numpy_on_demand import np
from costderive.multiclass import ClassRule, compile
from costderive.multiclass.stages import IndependentDistributions

TRAINED = "pytorch", "jax", "lightgbm", "xgboost"
TOLERANCE = 1e-12  # of the mean cost: a program that is further off is refused
EXACT = 1e-14  # what the quadrature is right to
FORECASTS = 400


def require_slopes(costs: IndependentDistributions) -> None:
    """Refuse costs with a positive probability, where losses have steps."""
    for label, one in enumerate(costs.of_class):
        if any(one.jumps):
            raise ExportError(
                f"the cost of class {label} has a value with a positive probability, where losses have steps",
                "Train with costs that have densities: uniform(9/10, 11/10), say, in place of 1.",
            )


def worst_error(program: str, rule: ClassRule, costs: IndependentDistributions) -> float:
    """Return how far the losses of a NumPy program are off at worst, relative to the mean cost; at least `EXACT`."""
    module: dict[str, Any] = {}
    exec(program, module)
    generator, k, exact = np.random.default_rng(0), len(costs.of_class), compile(rule)
    small = 10.0 ** -generator.uniform(0, 16, (FORECASTS // 2, k))
    even = generator.dirichlet(np.ones(k), FORECASTS // 2 - k)
    forecasts = np.vstack([even, small, np.eye(k)])
    forecasts /= forecasts.sum(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        found = module["losses"](forecasts)
    wanted = [exact.per_sample(np.full(len(found), label), forecasts) for label in range(k)]
    means = float(costs.factor) * np.array([float(one.mean) for one in costs.of_class])
    return max(float(np.max(np.abs(found - np.transpose(wanted)) / means)), EXACT)


def rounded_up(error: float) -> str:
    """Return the next power of ten."""
    return f"{10.0 ** math.ceil(math.log10(error)):.0e}"
