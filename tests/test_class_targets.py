"""Programs with the losses of K classes, in every language, say what the definitions say; models train on them."""

from __future__ import annotations

import ctypes
import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from costderive.multiclass import IndependentCosts, brier, derive, log_score, power, pseudospherical
from costderive.programs.class_programs import class_formulas
from costderive.publish.export import code
from tests import targets, test_class_programs

Array = NDArray[np.float64]
ENDS = (1.0, 3.0, 2.0)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)


def expected_cost(p: Sequence[float], y: int) -> float:
    """Return ``E[c_y; some p_j c_j > p_y c_y]`` for costs uniform on (0, end), exactly between the kinks."""
    if p[y] == 0:
        return ENDS[y] / 2
    shares = [p[j] * end / p[y] for j, end in enumerate(ENDS) if j != y]
    total = 0.0
    for low, high in pairwise(sorted({0.0, ENDS[y], *[s for s in shares if 0 < s < ENDS[y]]})):
        x = (low + high) / 2 + (high - low) / 2 * NODES
        chosen = np.prod([np.minimum(x / s, 1) if s > 0 else np.ones(20) for s in shares], axis=0)
        total += (high - low) / 2 * float(WEIGHTS @ (x * (1 - chosen) / ENDS[y]))
    return total


def norm(p: Sequence[float]) -> float:
    return sum(q**3 for q in p) ** (1 / 3)


RULES: dict[str, tuple[Any, Callable[[Sequence[float], int], float]]] = {
    "brier": (brier, lambda p, y: sum((q - (j == y)) ** 2 for j, q in enumerate(p))),
    "log": (log_score, lambda p, y: float(-np.log(p[y])) if p[y] else np.inf),
    "spherical": (lambda: pseudospherical(3), lambda p, y: -((p[y] / norm(p)) ** 2)),
    "power": (
        lambda: power("1/2"),
        lambda p, y: sum(map(np.sqrt, p)) + (1 / np.sqrt(p[y]) if p[y] else np.inf) - 2,
    ),
    "uniform": (lambda: derive(IndependentCosts([f"uniform(0, {end})" for end in (1, 3, 2)])), expected_cost),
}
TRIANGULAR = IndependentCosts(["triangular(0, 1, 2)"] * 3)
FORECASTS = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.0, 0.25, 0.75], [1.0, 0.0, 0.0], [1e-9, 0.5, 0.499999999]]
ROWS = [(y, p) for p in FORECASTS for y in range(3)]


@cache
def program(name: str, target: str) -> str:
    return code(RULES[name][0]().rule, target)


def c(text: str) -> list[float]:
    source = Path(tempfile.mkdtemp(dir=targets.FOLDER)) / "rule.c"
    source.write_text(text, encoding="utf-8")
    strict = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-shared", "-fPIC")
    library = source.with_suffix(".so")
    subprocess.run(["cc", *strict, "-o", str(library), str(source), "-lm"], check=True, timeout=60)
    loss = ctypes.CDLL(str(library)).loss
    loss.restype = ctypes.c_double
    loss.argtypes = (ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_int)
    assert all(
        np.isnan(loss(y, (ctypes.c_double * 3)(*p), 3)) for y, p in ((3, FORECASTS[0]), (0, [0.5] * 3))
    )
    return [loss(y, (ctypes.c_double * 3)(*p), 3) for y, p in ROWS]


def javascript(text: str) -> list[float]:
    rows = json.dumps([*ROWS, (3, FORECASTS[0]), (0, [0.5] * 3)])
    script = (
        text.replace("export function", "function")
        + f"return JSON.stringify({rows}.map((r) => String(loss(...r))))"
    )
    (found,) = targets.evaluated([script])
    *values, one, two = [float(x.replace("Infinity", "inf")) for x in found]
    assert np.isnan([one, two]).all()
    return values


def r(text: str) -> list[float]:
    labels = ", ".join(str(y) for y, _ in ROWS)
    numbers = ", ".join(repr(q) for _, p in ROWS for q in p)
    call = f"\ncat(sprintf('%.17g', loss(c({labels}), matrix(c({numbers}), ncol = 3, byrow = TRUE))))\n"
    done = subprocess.run(
        ["Rscript", "-"], input=text + call, capture_output=True, text=True, check=True, timeout=60
    )
    return [float(x) for x in done.stdout.split()]


def duckdb(text: str) -> list[float]:
    script = """
from duckdb import connect
program, rows = DATA
with connect() as connection:
    connection.execute("CREATE TABLE predictions (n INTEGER, y INTEGER, p DOUBLE[])")
    connection.executemany("INSERT INTO predictions VALUES (?, ?, ?)", [[n, y, p] for n, (y, p) in enumerate(rows)])
    *found, one, two = connection.execute(program + " ORDER BY n").fetchall()
    assert one[-1] is two[-1] is None and len(one) == 4
    RESULT = [row[-1] for row in found]
"""
    return list(targets.in_python(script, [text, [*ROWS, (3, FORECASTS[0]), (0, [0.5] * 3)]]))


def numpy(text: str) -> list[float]:
    names: dict[str, Any] = {}
    exec(text, names)
    found = names["losses"](FORECASTS)
    for y, p in ((3, FORECASTS[0]), (0, [0.5] * 3), (0, [0.5, 0.5, np.nan])):
        with pytest.raises(ValueError):
            names["loss"]([y], [p])
    single = np.array(FORECASTS[:2], dtype=np.float32)
    assert np.allclose(names["losses"](single), found[:2], rtol=1e-6)
    return list(np.ravel(found))


RUN = {
    "c": c,
    "javascript": javascript,
    "r": r,
    "sql": duckdb,
    "numpy": numpy,
    "lightgbm": numpy,
    "xgboost": numpy,
}


CASES = [  # the one that is left out is in test_class_programs
    (name, target) for name in RULES for target in RUN if (name, target) != ("uniform", "numpy")
]


@pytest.mark.parametrize(("name", "target"), CASES)
def test_losses_are_those_of_the_definition(name: str, target: str) -> None:
    wanted = [RULES[name][1](p, y) for y, p in ROWS]
    np.testing.assert_allclose(RUN[target](program(name, target)), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("target", ["c", "javascript", "r", "sql"])
@pytest.mark.parametrize("name", ["additive", "two laws", "a known cost"])
def test_losses_of_other_costs_are_those_of_the_definition(name: str, target: str) -> None:
    laws = test_class_programs.LAWS[name]
    wanted = [test_class_programs.expected_cost(laws, tuple(max(q, 1e-30) for q in p), y) for y, p in ROWS]
    found = RUN[target](code(derive(test_class_programs.CONTEXTS[name]).rule, target))
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-13)


# ---- in logits

LOGITS = np.array([[0.2, -1.0, 0.5], [3.0, 2.5, -4.0], [0.0, -2.0, 1.0]])


def softmax(z: Array) -> Array:
    powers = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def differences(loss: Callable[[Sequence[float], int], float], z: Array, y: int, h: float = 1e-5) -> Array:
    """Return central differences of the definition, right to 1e-9."""
    steps = h * np.eye(3)
    ends = [[loss(softmax(z + sign * step).tolist(), y) for sign in (1, -1)] for step in steps]
    return np.array([(high - low) / (2 * h) for high, low in ends])


def runs_in(target: str) -> str:
    python = targets.python_with_torch() if target == "pytorch" else targets.sys.executable
    if python is None:
        pytest.skip("no Python here has PyTorch")
    return python


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("target", targets.DERIVED)
def test_libraries_differentiate_the_losses_of_logits(name: str, target: str) -> None:
    rows, labels = np.repeat(LOGITS, 3, axis=0), [0, 1, 2] * 3
    data = [program(name, target), rows.tolist(), labels]
    losses, slopes = targets.in_python(targets.DERIVED[target], data, runs_in(target))
    both = list(zip(rows, labels, strict=True))
    np.testing.assert_allclose(losses, [RULES[name][1](softmax(z).tolist(), y) for z, y in both], rtol=1e-12)
    np.testing.assert_allclose(slopes, [differences(RULES[name][1], z, y) for z, y in both], atol=2e-9)


@pytest.mark.parametrize("name", ["additive", "two laws", "uniform"])
@pytest.mark.parametrize("target", targets.DERIVED)
def test_libraries_differentiate_formulas_by_the_order_of_marks(name: str, target: str) -> None:
    laws = test_class_programs.LAWS[name]

    def loss(p: Sequence[float], y: int) -> float:
        return test_class_programs.expected_cost(laws, tuple(p), y)

    text = class_formulas(derive(test_class_programs.CONTEXTS[name]).rule, target)
    rows, labels = np.repeat(LOGITS, 3, axis=0), [0, 1, 2] * 3
    losses, slopes = targets.in_python(
        targets.DERIVED[target], [text, rows.tolist(), labels], runs_in(target)
    )
    both = list(zip(rows, labels, strict=True))
    np.testing.assert_allclose(losses, [loss(softmax(z).tolist(), y) for z, y in both], atol=1e-13)
    np.testing.assert_allclose(slopes, [differences(loss, z, y) for z, y in both], atol=2e-9)


def test_jax_in_single_precision_has_finite_slopes_far_from_the_other_classes() -> None:
    text = class_formulas(derive(test_class_programs.CONTEXTS["uniform"]).rule, "jax")
    script = targets.DERIVED["jax"].replace('jax.config.update("jax_enable_x64", True)', "")
    rows, labels = [[-200.0, 0.0, 1.0], [-30.0, 0.0, 1.0], [5.0, 0.0, -80.0]], [0, 1, 2]
    single, double = (
        targets.in_python(each, [text, rows, labels]) for each in (script, targets.DERIVED["jax"])
    )
    for found, wanted in zip(single, double, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("name", RULES)
def test_objectives_have_the_slopes_of_the_losses_and_curvatures_of_their_mean(name: str) -> None:
    """The mean over labels drawn from p has at p no slope, and the curvatures that are given, but for K/(K - 1)."""
    names: dict[str, Any] = {}
    exec(program(name, "xgboost"), names)
    loss, weights = RULES[name][1], np.array([1.0, 0.5, 2.0])
    for label in range(3):
        slopes, bends = names["objective"]([label] * 3, LOGITS, weights)
        wanted = [w * differences(loss, z, label) for w, z in zip(weights, LOGITS, strict=True)]
        np.testing.assert_allclose(slopes, wanted, atol=5e-9)
    for z, found in zip(LOGITS, bends / weights[:, None], strict=True):
        p, h = softmax(z), 1e-3

        def mean(z: Array, p: Array = p) -> float:
            return float(sum(q * loss(softmax(z).tolist(), y) for y, q in enumerate(p)))

        ends = [mean(z + h * e) + mean(z - h * e) - 2 * mean(z) for e in np.eye(3)]
        np.testing.assert_allclose(found, np.array(ends) / h**2 * 1.5, rtol=3e-3, atol=1e-6)


def test_curvatures_at_a_tie_are_those_beside_it() -> None:
    """Each label of a tie has half of the kink there, so that boosting, which starts at a tie, grows trees."""
    names: dict[str, Any] = {}
    exec(code(derive(IndependentCosts(["uniform(0, 2)"] * 3)), "xgboost"), names)
    ties = np.array([[0.0, 0.0, 0.0], [0.5, 0.5, -1.0], [-2.0, 1.0, 1.0]])
    at_ties = names["objective"]([0, 1, 2], ties)[1]
    for step in 1e-7 * np.random.default_rng(1).normal(size=(8, 3)):
        np.testing.assert_allclose(names["objective"]([0, 1, 2], ties + step)[1], at_ties, rtol=1e-5)


_TRAIN = {
    "lightgbm": """
import lightgbm
import numpy as np
names = {}
exec(DATA[0], names)
X, y = np.array(DATA[1]), np.array(DATA[2])
given = {"objective": names["train_objective"], "num_class": 3, "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5}
model = lightgbm.train(given, lightgbm.Dataset(X, y), num_boost_round=30)
margin = model.predict(X)
RESULT = [names["mean_loss"](y, 0 * margin), names["mean_loss"](y, margin), float((margin.argmax(1) == y).mean())]
""",
    "xgboost": """
import numpy as np
import xgboost
names = {}
exec(DATA[0], names)
X, y = np.array(DATA[1]), np.array(DATA[2])
data = xgboost.DMatrix(X, y)
given = {"num_class": 3, "nthread": 1, "disable_default_eval_metric": True}
model = xgboost.train(given, data, num_boost_round=30, obj=names["objective"])
margin = model.predict(data, output_margin=True)
RESULT = [names["mean_loss"](y, 0 * margin), names["mean_loss"](y, margin), float((margin.argmax(1) == y).mean())]
""",
}


@pytest.mark.parametrize("target", _TRAIN)
@pytest.mark.parametrize("name", ["brier", "uniform", "triangular"])
def test_boosting_trains_on_an_objective_of_several_classes(name: str, target: str) -> None:
    X, y = load_iris(return_X_y=True)
    text = code(derive(TRIANGULAR).rule, target) if name == "triangular" else program(name, target)
    before, after, right = targets.in_python(_TRAIN[target], [text, X.tolist(), y.tolist()])
    assert after < 0.3 * before and right > 0.95
