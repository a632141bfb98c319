"""Programs with losses of K classes that have no formulas, in every language, say what SciPy's distributions say."""

from __future__ import annotations

import ctypes
import functools
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from costderive.core.errors import ExportError
from costderive.multiclass import IndependentCosts, brier, derive, from_entropy, penalised
from costderive.publish.export import code, formulas
from tests import targets

Array = NDArray[np.float64]
LAWS: dict[str, tuple[Any, tuple[float, ...]]] = {  # the same in SciPy, and where its density is not smooth
    "lognormal(0, 1)": (stats.lognorm(1), ()),
    "gamma(5/2, 1)": (stats.gamma(2.5), ()),
    "weibull(2, 1)": (stats.weibull_min(2), ()),
    "pareto(3, 1)": (stats.pareto(3), (1.0,)),
    "exponential(1)": (stats.expon(), ()),
    "triangular(0, 1, 2)": (stats.triang(0.5, 0, 2), (0.0, 1.0, 2.0)),
    "uniform(1, 2)": (stats.uniform(1, 1), (1.0, 2.0)),
    "3/2": (None, (1.5,)),
}
CONTEXTS = {
    "smooth": ("lognormal(0, 1)", "gamma(5/2, 1)", "weibull(2, 1)"),
    "with ends": ("pareto(3, 1)", "triangular(0, 1, 2)", "lognormal(0, 1)", "uniform(1, 2)"),
    "a known cost": ("lognormal(0, 1)", "3/2", "uniform(1, 2)"),
    "formulas that cancel": ("uniform(1, 2)", "exponential(1)", "3/2"),
}
NODES, WEIGHTS = np.polynomial.legendre.leggauss(30)
STEPS = np.exp(np.linspace(-28, 28, 401))


def weighs_more(law: str, cost: Array, or_as_much: bool) -> Array:
    """Return the chance that a cost is above another, or at least as large."""
    distribution, marks = LAWS[law]
    if distribution is None:
        return np.asarray((cost <= marks[0]) if or_as_much else (cost < marks[0]), dtype=float)
    return np.asarray(distribution.sf(cost))


def expected_cost(laws: tuple[str, ...], p: Array, y: int) -> float:
    """Return ``E[c_y; y not chosen]``: the lowest of the classes with the largest ``p_j c_j`` is chosen."""
    p = np.maximum(p, 1e-30)
    shares = {j: p[j] / p[y] for j in range(len(p)) if j != y}

    def lost(cost: Array) -> Array:
        chances = [weighs_more(laws[j], cost / share, j < y) for j, share in shares.items()]
        total = np.zeros(cost.shape)
        for chance in chances:
            total += chance * (1 - total)
        return cost * total

    own, marks = LAWS[laws[y]]
    if own is None:
        return float(lost(np.array(marks))[0])
    low, high = own.support()
    kinks = [share * mark for j, share in shares.items() for mark in LAWS[laws[j]][1]]
    ends = np.unique(np.clip([*STEPS, *marks, *kinks], max(low, STEPS[0]), min(high, STEPS[-1])))
    halves = np.diff(ends)[:, None] / 2
    x = (ends[:-1] + ends[1:])[:, None] / 2 + halves * NODES
    return float((halves * WEIGHTS * own.pdf(x) * lost(x)).sum())


@functools.cache
def program(name: str, target: str) -> str:
    return code(derive(IndependentCosts(CONTEXTS[name])), target)


def forecasts(name: str) -> Array:
    generator, k = np.random.default_rng(5), len(CONTEXTS[name])
    small = 10.0 ** -generator.uniform(0, 12, (2, k))
    tied = np.array(
        [2.0, 2.0, *[3.0] * (k - 2)]
    )  # 3/2 of one class weighs as much as 3/2 of another, and as 1
    found = np.vstack([generator.dirichlet(np.ones(k), 3), np.eye(k)[:1], small, tied, np.ones(k)])
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def rows(name: str) -> list[tuple[int, list[float]]]:
    return [(y, p.tolist()) for p in forecasts(name) for y in range(len(CONTEXTS[name]))]


def c(text: str, name: str) -> list[float]:
    source = Path(tempfile.mkdtemp(dir=targets.FOLDER)) / "rule.c"
    source.write_text(text, encoding="utf-8")
    strict = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-shared", "-fPIC")
    library = source.with_suffix(".so")
    subprocess.run(["cc", *strict, "-o", str(library), str(source), "-lm"], check=True, timeout=60)
    loss, k = ctypes.CDLL(str(library)).loss, len(CONTEXTS[name])
    loss.restype, loss.argtypes = (
        ctypes.c_double,
        (ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_int),
    )
    row = ctypes.c_double * k
    assert np.isnan([loss(k, row(1.0), k), loss(0, row(0.5), k), loss(0, row(1.0), k - 1)]).all()
    return [loss(y, row(*p), k) for y, p in rows(name)]


def javascript(text: str, name: str) -> list[float]:
    call = f"return JSON.stringify({json.dumps(rows(name))}.map((r) => loss(...r)))"
    (found,) = targets.evaluated([text.replace("export function", "function") + call])
    return list(found)


def r(text: str, name: str) -> list[float]:
    labels = ", ".join(str(y) for y, _ in rows(name))
    numbers = ", ".join(repr(q) for _, p in rows(name) for q in p)
    matrix = f"matrix(c({numbers}), ncol = {len(CONTEXTS[name])}, byrow = TRUE)"
    call = f"\ncat(sprintf('%.17g', loss(c({labels}), {matrix})))\n"
    done = subprocess.run(
        ["Rscript", "-"], input=text + call, capture_output=True, text=True, check=True, timeout=60
    )
    return [float(x) for x in done.stdout.split()]


def module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return names


def numpy(text: str, name: str) -> list[float]:
    names = module(text)
    with pytest.raises(ValueError, match="rows of probabilities"):
        names["loss"]([0], [[0.5, 0.5]])
    return list(np.ravel(names["losses"](forecasts(name))))


RUN = {"c": c, "javascript": javascript, "r": r, "numpy": numpy}


@pytest.mark.parametrize("target", RUN)
@pytest.mark.parametrize("name", CONTEXTS)
def test_losses_without_formulas_are_those_of_scipy(name: str, target: str) -> None:
    text = program(name, target)
    assert "they are sums over tables" in text and "within 1e-1" in text
    wanted = [expected_cost(CONTEXTS[name], np.array(p), y) for y, p in rows(name)]
    np.testing.assert_allclose(RUN[target](text, name), wanted, rtol=0, atol=2e-14)


# ---- in logits

LOGITS = np.array([[0.2, -1.0, 0.5, 0.0], [3.0, 2.5, -4.0, 1.0], [0.0, -2.0, 1.0, 1.0]])


def loss_of_logits(laws: tuple[str, ...], z: Array, y: int) -> float:
    powers = np.exp(z - z.max())
    return expected_cost(laws, powers / powers.sum(), y)


def slopes(laws: tuple[str, ...], z: Array, y: int, h: float = 1e-3) -> Array:
    """Return differences over four points, right to 1e-11."""

    def along(e: Array) -> float:
        far, near = (
            loss_of_logits(laws, z + n * h * e, y) - loss_of_logits(laws, z - n * h * e, y) for n in (2, 1)
        )
        return (8 * near - far) / (12 * h)

    return np.array([along(e) for e in np.eye(len(laws))])


def cases(name: str) -> list[tuple[Array, int]]:
    k = len(CONTEXTS[name])
    return [(z[:k], y) for z in LOGITS for y in range(k)]


@pytest.mark.parametrize(
    ("target", "name"), [("pytorch", "smooth"), ("pytorch", "with ends"), ("jax", "with ends")]
)
def test_libraries_differentiate_sums_over_tables(name: str, target: str) -> None:
    laws, both = CONTEXTS[name], cases(name)
    python = targets.python_with_torch() if target == "pytorch" else sys.executable
    if python is None:
        pytest.skip("no Python here has PyTorch")
    data = [program(name, target), [z.tolist() for z, _ in both], [y for _, y in both]]
    losses, found = targets.in_python(targets.DERIVED[target], data, python)
    np.testing.assert_allclose(losses, [loss_of_logits(laws, z, y) for z, y in both], rtol=0, atol=2e-14)
    np.testing.assert_allclose(found, [slopes(laws, z, y) for z, y in both], rtol=0, atol=2e-10)


@pytest.mark.parametrize("name", ["smooth", "with ends"])
def test_objectives_have_slopes_and_curvatures_of_sums_over_tables(name: str) -> None:
    """The mean loss has no slope at its own forecast; its curvatures are minus ``p_j`` times the slope of loss j."""
    laws, both = CONTEXTS[name], cases(name)
    found, bends = module(program(name, "xgboost"))["objective"](
        [y for _, y in both], np.array([z for z, _ in both])
    )
    np.testing.assert_allclose(found, [slopes(laws, z, y) for z, y in both], rtol=0, atol=2e-10)
    k = len(laws)
    for z, bend in list(zip([z for z, _ in both], bends, strict=True))[::k]:
        powers = np.exp(z - z.max())
        own = [-q * slopes(laws, z, j)[j] for j, q in enumerate(powers / powers.sum())]
        np.testing.assert_allclose(bend, np.array(own) * k / (k - 1), rtol=0, atol=2e-10)


def test_single_precision_in_jax_stays_finite() -> None:
    script, laws = (
        targets.DERIVED["jax"].replace('jax.config.update("jax_enable_x64", True)', ""),
        CONTEXTS["smooth"],
    )
    rows, labels = [[-200.0, 0.0, 1.0], [30.0, 0.0, 2.0], [0.5, 0.0, 2.0]], [0, 1, 2]
    losses, found = targets.in_python(script, [program("smooth", "jax"), rows, labels])
    both = list(zip(np.array(rows), labels, strict=True))
    np.testing.assert_allclose(losses, [loss_of_logits(laws, z, y) for z, y in both], atol=1e-5)
    np.testing.assert_allclose(found, [slopes(laws, z, y) for z, y in both], atol=1e-5)


def test_costs_that_spread_over_a_hundred_powers_of_ten_have_programs() -> None:
    """The trapezoidal rule in the logarithm of the cost; at an impossible class there is the mean."""
    laws = {
        "gamma(1/10, 1)": stats.gamma(0.1),
        "frechet(6/5, 1)": stats.invweibull(1.2),
    }
    module: dict[str, Any] = {}
    exec(code(derive(IndependentCosts(tuple(laws))), "numpy"), module)
    p = np.array([[0.2, 0.8], [0.6, 0.4], [1e-12, 1.0], [0.0, 1.0]])
    found, x = module["losses"](p), np.exp(np.linspace(-300, 300, 12001))
    for y, own in enumerate(laws.values()):
        assert found[3, y] == pytest.approx(own.mean() if y == 0 else 0, rel=1e-12)
        for row, q in enumerate(p[:3]):
            kept = np.prod(
                [1 - one.sf(x * q[y] / q[j]) for j, one in enumerate(laws.values()) if j != y], axis=0
            )
            wanted = 0.05 * (x**2 * own.pdf(x) * (1 - kept)).sum()
            assert found[row, y] == pytest.approx(wanted, abs=1e-12 * own.mean())


# ---- what is refused


def test_a_query_has_no_sums_over_tables_and_says_where_they_are() -> None:
    with pytest.raises(ExportError, match="losses without formulas have no program for sql") as caught:
        program("smooth", "sql")
    assert "costderive.multiclass.compile, or in another language: c, javascript" in str(caught.value)


def test_steps_have_no_slopes() -> None:
    with pytest.raises(ExportError, match="the cost of class 1 has a value with a positive probability"):
        program("a known cost", "lightgbm")


def test_formulas_alone_are_asked_for_and_refused() -> None:
    with pytest.raises(ExportError, match="has no formulas for numpy") as caught:
        formulas(derive(IndependentCosts(CONTEXTS["smooth"])))
    assert "costderive.export.code writes losses of costs as tables" in str(caught.value)


@pytest.mark.parametrize("target", ["c", "numpy", "sql", "lightgbm"])
def test_a_penalty_and_losses_of_an_entropy_say_why_they_have_no_program(target: str) -> None:
    with pytest.raises(ExportError, match="know no penalty for the most probable class") as caught:
        code(penalised(brier(), 3), target)
    assert "add 2/3 to the losses of other classes" in str(caught.value)
    with pytest.raises(ExportError, match=f"programs for {target} have one formula for all classes"):
        code(from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3), target)
