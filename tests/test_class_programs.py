"""A module with the losses of K classes says what the costs themselves say, and needs nothing of costderive."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from costderive import Density
from costderive.core.errors import ExportError, ParametersLeftError
from costderive.multiclass import ClassCosts, DirichletCosts, IndependentCosts, derive, power
from costderive.programs.class_programs import ACCURACY, REFUSED
from costderive.publish.export import code, formulas
from tests import targets

Array = NDArray[np.float64]

GALLERY = Path(__file__).parents[1] / "derivations"
CONTEXTS = {
    "uniform": IndependentCosts(("uniform(0, 1)",) * 3),
    "additive": DirichletCosts((1, 1, 1)),
    "two laws": IndependentCosts(("uniform(0, 1)", "uniform(1, 2)", "uniform(0, 1)")),
    "a known cost": IndependentCosts(("uniform(0, 2)", 1, "uniform(1, 2)")),
    "four classes": IndependentCosts(("uniform(0, 1)",) * 4),
    "a mixture": IndependentCosts((Density("exp(-x)*(1 + x)/2"),) * 3),
}
FORECASTS = [
    (0.2, 0.3, 0.5),
    (0.5, 0.3, 0.2),
    (0.3, 0.5, 0.2),
    (0.15, 0.7, 0.15),
    (0.02, 0.01, 0.97),
    (0.45, 0.1, 0.45),
    (1e-7, 1 - 3e-7, 2e-7),
]


@cache
def module(name: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(formulas(derive(CONTEXTS[name]).rule, title="A title"), names)
    return names


# ---- expected costs, by integrals over the cost of the class

DISTRIBUTIONS = {  # where costs are, and the distribution function
    "uniform(0, 1)": (0, 1, lambda x: np.clip(x, 0, 1)),
    "uniform(0, 2)": (0, 2, lambda x: np.clip(x / 2, 0, 1)),
    "uniform(1, 2)": (1, 2, lambda x: np.clip(x - 1, 0, 1)),
    "exponential": (0, 60, lambda x: -np.expm1(-x)),
    "mixture": (0, 60, lambda x: -np.expm1(-x) - x * np.exp(-x) / 2),
    "1": (1, 1, lambda x: np.where(x > 1, 1.0, np.where(x < 1, 0.0, np.nan))),
}
LAWS = {
    "uniform": ("uniform(0, 1)",) * 3,
    "additive": ("exponential",) * 3,  # costs shared out are these over their sum, whose mean is the budget
    "two laws": ("uniform(0, 1)", "uniform(1, 2)", "uniform(0, 1)"),
    "a known cost": ("uniform(0, 2)", "1", "uniform(1, 2)"),
    "four classes": ("uniform(0, 1)",) * 4,
    "a mixture": ("mixture",) * 3,
}
MEANS = {
    "uniform(0, 1)": 0.5,
    "uniform(0, 2)": 1,
    "uniform(1, 2)": 1.5,
    "exponential": 1,
    "mixture": 1.5,
    "1": 1,
}
DENSITIES = {
    "exponential": lambda x: np.exp(-x),
    "mixture": lambda x: np.exp(-x) * (1 + x) / 2,
}  # others are even
NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def expected_cost(laws: tuple[str, ...], forecast: tuple[float, ...], label: int) -> float:
    """Return ``E[c_i; some p_j c_j > p_i c_i]``, by Gauss's rule between the kinks of the other laws."""
    low, high, _ = DISTRIBUTIONS[laws[label]]
    others = [
        (forecast[label] / forecast[j], *DISTRIBUTIONS[laws[j]]) for j in range(len(laws)) if j != label
    ]

    def rate(x: Array) -> Array:
        density = DENSITIES.get(laws[label], lambda x: 1 / (high - low))
        return x * density(x) * (1 - np.prod([F(r * x) for r, _, _, F in others], axis=0))

    if low == high:
        return float(low * (1 - np.prod([F(r * np.array(float(low))) for r, _, _, F in others])))
    kinks = [end / r for r, start, stop, _ in others for end in (start, stop)]
    steps = [high * 2.0**-k for k in range(60)] if laws[label] in DENSITIES else []
    marks = sorted({low, high, *[x for x in (*kinks, *steps) if low < x < high]})
    parts = [(b - a) / 2 * (WEIGHTS @ rate((a + b) / 2 + (b - a) / 2 * NODES)) for a, b in pairwise(marks)]
    return float(sum(parts))


@pytest.mark.parametrize("name", CONTEXTS)
def test_the_losses_are_expected_costs(name: str) -> None:
    laws = LAWS[name]
    forecasts = [x if len(laws) == 3 else (*(0.9 * y for y in x), 0.1) for x in FORECASTS]
    found = module(name)["losses"](forecasts)
    for forecast, label in product(range(len(forecasts)), range(len(laws))):
        wanted = expected_cost(laws, forecasts[forecast], label)
        assert found[forecast, label] == pytest.approx(wanted, rel=1e-11, abs=1e-14), (forecast, label)


@pytest.mark.parametrize(
    ("folder", "name"), [("inverse-score-three-classes", "uniform"), ("additive-three-classes", "additive")]
)
def test_the_committed_modules_have_the_expected_costs(folder: str, name: str) -> None:
    names: dict[str, Any] = {}
    exec((GALLERY / folder / "losses.py").read_text(encoding="utf-8"), names)
    wanted = [[expected_cost(LAWS[name], forecast, label) for label in range(3)] for forecast in FORECASTS]
    np.testing.assert_allclose(names["losses"](FORECASTS), wanted, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("name", CONTEXTS)
def test_an_impossible_class_costs_its_mean_and_a_certain_one_nothing(name: str) -> None:
    k = CONTEXTS[name].classes
    means = [MEANS[law] for law in LAWS[name]]
    found = module(name)["losses"](np.eye(k))
    np.testing.assert_allclose(found, (1 - np.eye(k)) * means, atol=1e-14)
    half = [0.5, 0.5, *[0.0] * (k - 2)]
    near = [0.5, 0.5 - 1e-12, *[1e-12 / (k - 2)] * (k - 2)]
    np.testing.assert_allclose(*module(name)["losses"]([half, near]), atol=1e-11)


def test_the_loss_is_the_weighted_mean() -> None:
    names = module("uniform")
    p, y, weight = FORECASTS[:3], [2, 0, 0], [1, 2, 0]
    losses = names["losses"](p)
    assert names["loss"](y, p, weight) == pytest.approx((losses[0, 2] + 2 * losses[1, 0]) / 3, rel=1e-15)
    assert names["loss"](y, p) == pytest.approx((losses[0, 2] + losses[1, 0] + losses[2, 0]) / 3, rel=1e-15)


def margin_cost(name: str, margin: Array, label: int) -> float:
    powers = np.exp(margin)
    return expected_cost(LAWS[name], tuple((powers / powers.sum()).tolist()), label)


@pytest.mark.parametrize("name", ["additive", "two laws"])
def test_objectives_have_the_slopes_of_expected_costs_and_the_curvatures_of_their_mean(name: str) -> None:
    names: dict[str, Any] = {}
    exec(code(derive(CONTEXTS[name]).rule, "xgboost"), names)
    margins, h = np.array([[0.2, -1.0, 0.5], [1.0, 0.7, -1.5]]), 1e-4

    for margin in margins:
        p = np.exp(margin) / np.exp(margin).sum()
        at = [
            [margin_cost(name, margin + k * h * step, label) for k in (-1, 0, 1)]
            for step in np.eye(3)
            for label in range(3)
        ]
        below, here, above = np.reshape(at, (3, 3, 3)).transpose(2, 0, 1)
        slopes, bends = names["objective"]([0, 1, 2], [margin] * 3)
        np.testing.assert_allclose(slopes, ((above - below) / (2 * h)).T, atol=1e-8)
        np.testing.assert_allclose(bends[0], (above + below - 2 * here) @ p / h**2 * 1.5, atol=1e-5)


_TORCH = """
import torch
names = {}
exec(DATA[0], names)
z = torch.tensor(DATA[1], dtype=torch.float64, requires_grad=True)
losses = names["Loss"](reduction="none")(z, torch.tensor([0, 1, 2]))
(slopes,) = torch.autograd.grad(losses.sum(), z)
alone = lambda z, y: names["Loss"](reduction="none")(z[None], y[None])[0]
if hasattr(torch, "func"):
    mapped = torch.func.vmap(torch.func.grad(alone))(z.detach(), torch.tensor([0, 1, 2]))
    assert torch.allclose(mapped, slopes, rtol=1e-12, atol=0)
RESULT = [losses.tolist(), slopes.tolist()]
"""


@pytest.mark.parametrize("name", ["additive", "two laws"])
def test_pytorch_has_expected_costs_and_their_slopes(name: str) -> None:
    python = targets.python_with_torch()
    if python is None:
        pytest.skip("no Python here has PyTorch")
    margin, h = np.array([1.0, 0.7, -1.5]), 1e-4
    data = [code(derive(CONTEXTS[name]).rule, "pytorch"), [margin.tolist()] * 3]
    losses, slopes = targets.in_python(_TORCH, data, python)
    for label in range(3):
        assert losses[label] == pytest.approx(margin_cost(name, margin, label), rel=1e-12)
        ends = [[margin_cost(name, margin + k * h * step, label) for k in (1, -1)] for step in np.eye(3)]
        np.testing.assert_allclose(slopes[label], [(a - b) / (2 * h) for a, b in ends], atol=1e-8)


def test_an_objective_needs_costs_with_densities() -> None:
    with pytest.raises(ExportError, match="losses have steps"):
        code(derive(CONTEXTS["a known cost"]).rule, "lightgbm")


BAD: dict[str, tuple[Any, Any, Any]] = {
    "a label too large": ([3], [(0.2, 0.3, 0.5)], None),
    "half a label": ([0.5], [(0.2, 0.3, 0.5)], None),
    "a sum that is not one": ([0], [(0.2, 0.3, 0.4)], None),
    "a negative probability": ([0], [(-0.2, 0.7, 0.5)], None),
    "NaN": ([0], [(float("nan"), 0.5, 0.5)], None),
    "two classes": ([0], [(0.5, 0.5)], None),
    "a label too few": ([0], [(0.2, 0.3, 0.5)] * 2, None),
    "nothing": ([], np.empty((0, 3)), None),
    "a negative weight": ([0], [(0.2, 0.3, 0.5)], [-1]),
    "no weight": ([0], [(0.2, 0.3, 0.5)], [0]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_module_refuses_bad_numbers(case: str) -> None:
    with pytest.raises(ValueError):
        module("uniform")["loss"](*BAD[case])


def test_a_module_stands_alone_and_says_how_exact_it_is() -> None:
    text = code(derive(CONTEXTS["uniform"]).rule, "numpy", title='x"""\nimport os\n"""')
    assert "import os" in text.split('"""')[1]
    assert ACCURACY.format(error="1e-14") in text and REFUSED in text
    checked = (
        "import sys; assert not {*sys.modules} & {'sympy', 'costderive'}; print(loss([0], [(0.2, 0.3, 0.5)]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{text}\n{checked}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert float(done.stdout) == pytest.approx(0.5 - 0.04 / (4 * 0.15), rel=1e-15)


# ---- what is refused


def test_formulas_that_cancel_are_refused() -> None:
    """Differences of exponentials are divided by powers of small probabilities here."""
    costs = IndependentCosts(("uniform(1, 2)", "exponential(1)", "uniform(0, 1)"))
    with pytest.raises(ExportError, match="the formulas of the losses cancel"):
        formulas(derive(costs).rule)


@pytest.mark.parametrize(
    ("costs", "target", "words"),
    [
        (IndependentCosts(("uniform(0, 2)", 1, "uniform(1, 2)")), "jax", "where losses have steps"),
        (DirichletCosts((1, 1, 1)), "julia", "'julia' has losses of two classes alone"),
        (DirichletCosts((1, 1, 1)), "rust", "'rust' is not known"),
    ],
)
def test_what_a_target_cannot_say_is_refused(costs: ClassCosts, target: str, words: str) -> None:
    for write in (formulas, code):
        with pytest.raises(ExportError, match=words):
            write(derive(costs).rule, target)


def test_a_rule_with_letters_is_refused() -> None:
    with pytest.raises(ParametersLeftError, match="m has no value"):
        formulas(derive(DirichletCosts((1, 1, 1), budget="m")).rule)
    for target in ("numpy", "c"):
        with pytest.raises(ParametersLeftError, match="a has no value"):
            formulas(power("a").rule, target)
