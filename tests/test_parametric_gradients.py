"""Programs that learn take parameters of each row; their derivatives are those of the costs, none in a parameter."""

from __future__ import annotations

from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
from costderive.export import code

import costderive as cd
from tests import targets

LOGITS = [-30.0, -6.5, -1.2, 0.3, 0.9, 4.0, 25.0]
COLUMNS = {"m": [1.0, 2.0, 0.25, 5.0, 1.0, 3.0, 8.0], "n": [4.0, 2.0, 1.0, 0.5, 1.0, 0.75, 2.0]}
LABELS = [0, 1, 0, 1, 1, 0, 1]


@cache
def program(target: str) -> str:
    return code(cd.derive(cd.Independent("exponential(m)", "exponential(n)")).rule, target)


def expected_cost(z: Any, label: int, m: float, n: float) -> Any:
    """Return ``E[c0; c0 < u c1]`` or ``E[c1; c1 <= c0/u]`` of exponential costs of the means m and n, u = exp(z).

    The first is the integral of ``x exp(-x/m - x/(u n))/m``.
    """
    u = mpmath.exp(z)
    paid, other, odds = (n, m, 1 / u) if label else (m, n, u)
    return (1 / mpmath.mpf(paid)) / (1 / mpmath.mpf(paid) + 1 / (odds * other)) ** 2


def truth() -> tuple[list[float], list[float], list[float]]:
    """Return the loss of each row, and its derivatives in the logit."""
    rows = zip(LOGITS, LABELS, *COLUMNS.values(), strict=True)
    with mpmath.workdps(150):
        found = [
            [float(mpmath.diff(lambda x, row=row: expected_cost(x, *row[1:]), row[0], k)) for k in range(3)]
            for row in rows
        ]
    first, second, third = (list(values) for values in zip(*found, strict=True))
    return first, second, third


@pytest.mark.parametrize("target", ["lightgbm", "xgboost"])
def test_an_objective_has_the_slope_of_each_row_at_its_own_costs(target: str) -> None:
    names: dict[str, Any] = {}
    exec(program(target), names)
    losses, slopes, _ = truth()
    gradient, hessian = names["objective"](LABELS, LOGITS, **COLUMNS)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-14)
    assert (hessian > 0).all()
    assert names["mean_loss"](LABELS, LOGITS, **COLUMNS) == pytest.approx(np.mean(losses), rel=1e-14)
    one = names["objective"](LABELS[:1], LOGITS[:1], m=1, n=4)
    assert [x[0] for x in one] == [gradient[0], hessian[0]]


BAD = [
    ({"m": -1.0, "n": 1.0}, "the parameters need m > 0 and finite"),
    ({"m": [1.0, 2.0], "n": 1.0}, "m needs one number, or one for each row"),
    ({"m": 1.0, "n": [1.0] * 6 + [float("nan")]}, "the parameters need n > 0 and finite"),
]


@pytest.mark.parametrize(("parameters", "problem"), BAD)
def test_parameters_that_do_not_fit_the_rows_are_refused(parameters: dict[str, Any], problem: str) -> None:
    names: dict[str, Any] = {}
    exec(program("lightgbm"), names)
    with pytest.raises(ValueError, match=problem):
        names["objective"](LABELS, LOGITS, **parameters)
    exec(program("numpy"), names)
    with pytest.raises(ValueError, match=problem):
        names["loss"](LABELS, [0.5] * len(LABELS), **parameters)


def test_a_weighted_mean_leaves_out_the_parameters_of_rows_that_do_not_count() -> None:
    names: dict[str, Any] = {}
    exec(program("numpy"), names)
    reports, weight = 1 / (1 + np.exp(-np.array(LOGITS[1:6]))), [0.0, 1.0, 2.0, 0.0, 1.0]
    columns = {name: column[1:6] for name, column in COLUMNS.items()}
    wanted = np.average(truth()[0][1:6], weights=weight)
    assert names["loss"](LABELS[1:6], reports, weight, **columns) == pytest.approx(wanted, rel=1e-13)


_TORCH = """
import torch
exec(DATA["program"])
z = torch.tensor(DATA["logits"], dtype=torch.float64, requires_grad=True)
y = torch.tensor(DATA["labels"], dtype=torch.float64)
columns = {name: torch.tensor(column, dtype=torch.float64) for name, column in DATA["columns"].items()}
losses = Loss(from_logits=True, reduction="none")(z, y, **columns)
(slopes,) = torch.autograd.grad(losses.sum(), z, create_graph=True)
(curvatures,) = torch.autograd.grad(slopes.sum(), z)
RESULT = [x.tolist() for x in (losses, slopes, curvatures)]
try:
    Loss()(z.sigmoid(), y, m=columns["m"].requires_grad_(), n=1.0)
except ValueError as error:
    RESULT.append(str(error))
RESULT.append(Loss()(z.sigmoid(), y, m=-1.0, n=1.0).isnan().item())
"""
_JAX = """
import jax
import jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
exec(DATA["program"])
z, y = jnp.asarray(DATA["logits"]), jnp.asarray(DATA["labels"])
columns = [jnp.asarray(column) for column in DATA["columns"].values()]
slope = jax.grad(loss_of_logits, argnums=1)
both = jax.jit(lambda: (jax.vmap(slope)(y, z, *columns), jax.vmap(jax.grad(slope, argnums=1))(y, z, *columns)))
RESULT = [x.tolist() for x in (loss_of_logits(y, z, *columns), *both())]
try:
    jax.grad(loss_of_logits, argnums=2)(1, 0.3, 1.0, 2.0)
except NotImplementedError as error:
    RESULT.append(str(error))
RESULT.append(bool(jnp.isnan(loss_of_logits(1, 0.3, -1.0, n=2.0))))
"""


@pytest.mark.parametrize("target", ["pytorch", "jax"])
def test_a_network_learns_from_the_costs_of_each_row(target: str) -> None:
    python = targets.python_with_torch() if target == "pytorch" else None
    if target == "pytorch" and python is None:
        pytest.skip("there is no PyTorch")
    data = {"program": program(target), "logits": LOGITS, "labels": LABELS, "columns": COLUMNS}
    script = _TORCH if target == "pytorch" else _JAX
    *found, refused, is_nan = targets.in_python(script, data, *([python] if python else []))
    for got, wanted in zip(found, truth(), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-13)
    assert "derivative in" in refused and is_nan
