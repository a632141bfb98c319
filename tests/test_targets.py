"""Programs in other languages say what the rule says to the last digits: each is run against exact closed forms."""

from __future__ import annotations

import ast
import math
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.cli import main
from costderive.errors import ExportError, ParametersLeftError
from costderive.export import code
from costderive.export.languages import LANGUAGES
from tests import targets
from tests.accuracy import breakpoints, exact, ulps

RULES = {
    "additive": cd.Additive(budget=2),
    "harmonic": cd.Harmonic(budget="1/2"),
    "geometric": cd.Geometric(mean=1),
    "euclidean": cd.PowerMean(2),
    "inverse score": cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "uniform": cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "gamma": cd.Independent(c0=cd.laws.gamma(2), c1=cd.laws.gamma("1/2")),
    "atom": cd.Mixture(("1/3", cd.FixedCosts(c0=1, c1=2)), ("2/3", cd.PowerMean("oo"))),
    "integral": cd.PowerMean(3),
}
NAMED = (5e-324, 1e-300, 1e-100, 1e-16, 1e-8, 1e-3, 0.1, 0.25, 0.75, 0.9, 1 - 1e-8, 1 - 1e-16)


@cache
def rule(name: str) -> cd.ScoringRule:
    return cd.derive(RULES[name], time_limit=2.0).rule


@cache
def reports(name: str) -> tuple[float, ...]:
    """Return about 200 probabilities: the named ones, breakpoints and their neighbours, and some at random."""
    generator, at = np.random.default_rng(3), [0.5, *breakpoints(rule(name))]
    near = [math.nextafter(b, side) for b in at for side in (0, 1)]
    small = 10 ** -generator.uniform(0, 18, 25)
    around = [b + generator.choice([-1, 1], 12) * 10 ** generator.uniform(-16, -1.5, 12) for b in at]
    few = 25 if name == "integral" else 100  # each is a quadrature in many digits
    found = np.concatenate([NAMED, at, near, small, 1 - small, *around, generator.random(few)])
    return (0.0, *np.unique(found[(found > 0) & (found < 1)]).tolist(), 1.0)


@cache
def truth(name: str, label: int) -> tuple[Any, ...]:
    """Return the exact losses at the reports: closed forms in many digits, or the integral of what is expected."""
    losses = rule(name).only_case
    ends = (0, losses.worst0) if label == 0 else (losses.worst1, 0)
    inner = reports(name)[1:-1]
    if name == "integral":
        values = integrals(label, inner)
        low, high = (mpmath.mpf(0), integrals(0, (1.0,))[0]) if label == 0 else (integrals(1, (0.0,))[0], mpmath.mpf(0))
        return (low, *values, high)
    closed = exact(rule(name))[f"loss{label}"]
    return (number(ends[0]), *map(closed, inner), number(ends[1]))


def number(value: Any) -> Any:
    return mpmath.mpf("inf") if value == sympy.oo else mpmath.mpf(str(sympy.N(value, 40)))


def integrals(label: int, reports: tuple[float, ...]) -> list[Any]:
    """Integrate the costs whose cubes have the mean 1: ``E[c0; s < p]`` or ``E[c1; s >= p]``, s uniform."""

    def rate(x: Any) -> Any:
        return x * mpmath.cbrt(2 / (x**3 + (1 - x) ** 3))

    def upto(x: Any) -> Any:  # both are symmetric in class and probability
        parts = [0, 0.25, 0.5, 0.75, 1] if x > 0.1 else [0, 1]
        return x * x * mpmath.quad(lambda z: rate(z * x) / x, parts) if x else x

    with mpmath.workdps(340):
        distances = [mpmath.mpf(p) if label == 0 else 1 - mpmath.mpf(p) for p in reports]
    with mpmath.workdps(25):
        return [upto(x) for x in distances]


# ---- values

MOST = {  # units in the last place: 4 of the compiled loss, and what functions of the language lose more than NumPy's
    "numpy": 4,
    "python": 4,
    "numba": 4,
    "c": 4,
    "r": 4,
    "sql": 6,
    "sql for sqlite": 6,
    "javascript": 12,  # V8 has a logarithm of its own, which the tables of the integral multiply
    "javascript in node": 12,
    "jax": 6,
    "pytorch": 6,
}
FEW = {  # programs that take seconds to compile, or hold derivatives, are tried on fewer rules
    "numba": ("atom", "integral"),
    "jax": ("additive", "harmonic", "geometric", "atom"),
    "pytorch": ("additive", "harmonic", "geometric", "atom"),
    "javascript in node": ("harmonic", "uniform"),
    "sql for sqlite": ("harmonic", "uniform", "geometric"),
    "r": ("harmonic", "uniform", "atom"),
}
HELD = {  # by .ci/run; a machine without one leaves its tests out
    "javascript in node": shutil.which("node"),
    "r": shutil.which("Rscript"),
    "pytorch": targets.python_with_torch(),
}


def needs(target: str) -> pytest.MarkDecorator:
    missing = target in HELD and HELD[target] is None
    return pytest.mark.skipif(missing, reason=f"what runs {target} is not installed")


def program(name: str, target: str) -> str:
    language, _, dialect = target.partition(" for ")
    return code(rule(name), language.split(" ")[0], title="A title", dialect=dialect or "duckdb")


@cache
def found(target: str) -> dict[str, list[list[float]]]:
    """Return what the programs of a target say of each rule, run together."""
    names = FEW.get(target, tuple(RULES))
    results = targets.RUNNERS[target]([(program(name, target), reports(name)) for name in names])
    return dict(zip(names, results, strict=True))


@pytest.mark.parametrize(
    ("target", "name"),
    [
        pytest.param(target, name, marks=needs(target))
        for target in targets.RUNNERS
        for name in FEW.get(target, RULES)
    ],
)
def test_a_program_has_the_digits_of_the_exact_loss(target: str, name: str) -> None:
    smallest = 2.3e-308 if target == "jax" else 0.0  # XLA takes subnormal numbers for 0
    for label in (0, 1):
        for p, got, wanted in zip(reports(name), found(target)[name][label], truth(name, label), strict=True):
            if p == 0 or p >= smallest:
                assert ulps(got, wanted) <= MOST[target], (label, p, got, wanted)


BAD = (-0.1, 1.1, -5e-324, math.nextafter(1, 2), math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("target", ["c", "numba"])
def test_what_is_no_probability_has_the_loss_nan(target: str) -> None:
    for losses in targets.RUNNERS[target]([(program("additive", target), BAD)])[0]:
        assert all(math.isnan(value) for value in losses)


@needs("pytorch")
def test_what_is_no_probability_has_the_loss_nan_in_pytorch() -> None:
    for losses in targets.RUNNERS["pytorch"]([(program("additive", "pytorch"), BAD)])[0]:
        assert all(math.isnan(value) for value in losses)


@pytest.mark.parametrize("target", ["numpy", "python"])
def test_what_is_no_probability_is_refused(target: str) -> None:
    names: dict[str, Any] = {}
    exec(program("additive", target), names)
    for value in BAD:
        with pytest.raises(ValueError, match="between 0 and 1"):
            names["loss0"](value)


def test_what_is_no_probability_is_null_in_sql() -> None:
    bad = [*BAD[:-1]]
    for losses in targets.duckdb([(program("harmonic", "sql"), bad)])[0]:
        assert losses == [None] * len(bad)


# ---- derivatives


def derivatives(name: str, label: int, p: float) -> tuple[float, float]:
    """Return the exact derivatives of a loss in the logit of p."""
    known = exact(rule(name))
    with mpmath.workdps(60):
        x, slope, curvature = mpmath.mpf(p), known[f"slope{label}"](p), known[f"curvature{label}"](p)
        inner = x * (1 - x)
        return float(inner * slope), float(inner * ((1 - 2 * x) * slope + inner * curvature))


def spread(name: str) -> list[float]:
    """Return probabilities at which no derivative jumps."""
    found = [1e-9, 1e-4, *np.linspace(0.013, 0.987, 29).tolist(), 1 - 1e-4]
    return [p for p in found if all(abs(p - at) > 1e-3 for at in breakpoints(rule(name)))]


def logits(reports: list[float]) -> list[float]:
    return [math.log(p) - math.log1p(-p) for p in reports]


_JAX = """
import jax
import jax.numpy as jnp
exec(DATA["program"])
jax.config.update("jax_enable_x64", DATA["is_double"])
RESULT, z = {}, jnp.asarray(DATA["logits"])
far = jnp.asarray([-1000.0, -90.0, 90.0, 1000.0])
for label in (0, 1):
    one = lambda x: loss_of_logits(label, x)
    RESULT[str(label)] = [
        function(z).tolist()
        for function in (one, jax.vmap(jax.grad(one)), jax.jit(jax.vmap(jax.grad(jax.grad(one)))))
    ]
    RESULT[f"far{label}"] = [one(far).tolist(), jax.vmap(jax.grad(one))(far).tolist()]
    RESULT[f"mixed{label}"] = jax.grad(lambda p: loss(jnp.asarray([0, 1]), p).sum())(jnp.asarray([0.0, 1.0])).tolist()
try:
    jax.grad(jax.grad(jax.grad(lambda x: loss_of_logits(1, x))))(0.3)
except NotImplementedError:
    RESULT["third"] = "refused"
"""


@pytest.mark.parametrize("name", ["harmonic", "atom"])
@pytest.mark.parametrize("is_double", [True, False])
def test_jax_differentiates_twice_in_either_precision(name: str, is_double: bool) -> None:
    p = spread(name)
    data = {"program": program(name, "jax"), "logits": logits(p), "is_double": is_double}
    result = targets.in_python(_JAX, data)
    close = {"rel": 1e-11, "abs": 1e-15} if is_double else {"rel": 2e-4, "abs": 1e-6}  # logits are rounded too
    for label in (0, 1):
        _, slopes, curvatures = result[str(label)]
        wanted = [derivatives(name, label, x) for x in p]
        assert slopes == pytest.approx([first for first, _ in wanted], **close)
        assert curvatures == pytest.approx([second for _, second in wanted], **close)
        assert np.isfinite(result[f"far{label}"]).all()
        assert not np.isnan(result[f"mixed{label}"]).any()
    assert result["third"] == "refused"


_TORCH = """
import torch
exec(DATA["program"])
RESULT = {}
for from_logits in (False, True):
    x = torch.tensor(DATA["logits" if from_logits else "reports"], dtype=torch.float64).requires_grad_()
    y = torch.arange(len(x)) % 2
    one = lambda x: Loss(from_logits=from_logits, reduction="none")(x, y)
    checked = [check(one, (x,), atol=1e-5) for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck)]
    RESULT[f"checked {from_logits}"] = checked
    values = one(x)
    slopes, = torch.autograd.grad(values.sum(), x, create_graph=True)
    curvatures, = torch.autograd.grad(slopes.sum(), x)
    RESULT[f"found {from_logits}"] = [slopes.tolist(), curvatures.tolist()]
for kind in (torch.float64, torch.float32, torch.float16):
    for label in (0, 1):
        x = torch.tensor([-1000.0, -90.0, 0.0, 90.0, 1000.0], dtype=kind).requires_grad_()
        values = Loss(from_logits=True, reduction="none")(x, torch.full_like(x, label))
        slopes, = torch.autograd.grad(values.sum(), x)
        RESULT[f"far {kind} {label}"] = [values.tolist(), slopes.tolist()]
x = torch.tensor([0.0, 1.0], dtype=torch.float64).requires_grad_()
Loss()(x, torch.tensor([0, 1])).backward()
RESULT["ends"] = x.grad.tolist()
labels, weights = torch.tensor([0, 1]), torch.tensor([1.0, 3.0])
x = torch.tensor([0.5, 0.25])
RESULT["reduced"] = [float(Loss(reduction=how)(x, labels, weights)) for how in ("mean", "sum")]
RESULT["label"] = str(float(Loss()(x, torch.tensor([0, 2]))))
"""


@needs("pytorch")
@pytest.mark.parametrize("name", ["harmonic", "atom"])
def test_pytorch_differentiates_twice_without_nan(name: str) -> None:
    p = [x for x in spread(name) if 1e-3 < x < 0.999]
    data = {"program": program(name, "pytorch"), "logits": logits(p), "reports": p}
    result = targets.in_python(_TORCH, data, targets.python_with_torch())
    assert result["checked False"] == result["checked True"] == [True, True]
    wanted = [derivatives(name, k % 2, x) for k, x in enumerate(p)]
    assert result["found True"] == [pytest.approx(each, rel=1e-11, abs=1e-15) for each in zip(*wanted, strict=True)]
    far = [values for key, values in result.items() if key.startswith("far")]
    assert np.isfinite(far).all()
    assert np.isfinite(result["ends"]).all()
    assert result["reduced"][0] == pytest.approx(result["reduced"][1] / 4, rel=1e-6)
    assert result["label"] == "nan"
