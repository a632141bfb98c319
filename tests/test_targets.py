"""Programs in other languages say what the rule says to the last digits: each is run against exact closed forms."""

from __future__ import annotations

import ast
import math
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.cli import main
from costderive.core.errors import ExportError
from costderive.programs.languages import LANGUAGES
from costderive.publish.export import code
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
    "integral": cd.PowerMean(5),
}
QUANTITIES = ("loss", "slope", "curvature")
NAMED = (5e-324, 1e-300, 1e-100, 1e-16, 1e-8, 1e-3, 0.1, 0.25, 0.75, 0.9, 1 - 1e-8, 1 - 1e-16)


@cache
def rule(name: str) -> cd.ScoringRule:
    return cd.derive(RULES[name], time_limit=2.0 if isinstance(RULES[name], cd.PowerMean) else 60.0).rule


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
        low, high = (
            (mpmath.mpf(0), integrals(0, (1.0,))[0])
            if label == 0
            else (integrals(1, (0.0,))[0], mpmath.mpf(0))
        )
        return (low, *values, high)
    closed = exact(rule(name))[f"loss{label}"]
    return (number(ends[0]), *map(closed, inner), number(ends[1]))


def number(value: Any) -> Any:
    return mpmath.mpf("inf") if value == sympy.oo else mpmath.mpf(str(sympy.N(value, 40)))


def integrals(label: int, reports: tuple[float, ...]) -> list[Any]:
    """Integrate the costs whose fifth powers have the mean 1: ``E[c0; s < p]`` or ``E[c1; s >= p]``, s uniform."""

    def rate(x: Any) -> Any:
        return x * mpmath.root(2 / (x**5 + (1 - x) ** 5), 5)

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
    "numba": ("atom",),
    "jax": ("harmonic", "atom"),
    "pytorch": ("additive", "harmonic", "geometric", "atom"),
    "sql": ("harmonic", "geometric", "uniform", "atom", "integral"),
    "javascript in node": ("harmonic", "uniform"),
    "sql for sqlite": ("harmonic", "uniform"),
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
    for label in (0, 1):
        for p, got, wanted in zip(reports(name), found(target)[name][label], truth(name, label), strict=True):
            assert ulps(got, wanted) <= MOST[target], (label, p, got, wanted)


def test_jax_takes_whole_numbers() -> None:
    script = """
import jax
names = {}
exec(DATA, names)
y, found = jax.numpy.asarray([0, 1]), []
for function, numbers in ((names["loss"], [0, 1]), (names["loss_of_logits"], [-3, 2])):
    whole = jax.numpy.asarray(numbers)
    found.append([function(y, x).tolist() for x in (whole, whole.astype(float))])
RESULT = found
"""
    for whole, same in targets.in_python(script, code(cd.derive(cd.Additive(budget=2)).rule, "jax")):
        assert whole == same


def test_tables_in_the_logarithm_hold_up_to_the_last_double_below_1() -> None:
    """Doubles are sparse there: the end of a row must be one that belongs to it, not the nearest."""
    log_normal = cd.derive(cd.Independent("lognormal(0, 1)", "lognormal(1, 1)")).rule
    p = [1 - k * 2.0**-53 for k in range(1, 30)]
    _, found = targets.jax([(code(log_normal, "jax"), p)])[0]
    with mpmath.workdps(40):
        odds = [mpmath.log(mpmath.mpf(x) / (1 - mpmath.mpf(x))) for x in p]
        exact = [mpmath.exp(1.5) / 2 * mpmath.erfc((x + 2) / 2) for x in odds]
    assert max(map(ulps, found, exact)) < 19  # what the program says


def test_tables_beyond_the_range_of_float32_give_no_warning_in_jax() -> None:
    log_normal = cd.derive(cd.Independent("lognormal(0, 1)", "lognormal(0, 1)")).rule
    script = """
import warnings
warnings.simplefilter("error")
names = {}
exec(DATA[0], names)
RESULT = [[float(names["loss"](y, p)) for p in DATA[1]] for y in (0, 1)]
"""
    p = [1e-30, 1e-3, 0.3, 0.9]
    found = targets.in_python(script, [code(log_normal, "jax"), p])
    loss = cd.numeric.compile(log_normal)
    for losses, function in zip(found, (loss.loss0, loss.loss1), strict=True):
        assert losses == pytest.approx([float(function(x)) for x in p], rel=1e-5)


SHORT = (0.5, 1e-1, 1e-3, 1e-6, 1e-9, 1e-12)
_OF_MARGINS = """
import math
names = {}
exec(DATA["program"], names)
"""
MARGINS = {
    "jax": """
import jax
jax.config.update("jax_enable_x64", True)
one = lambda label: lambda z: names["loss_of_logits"](label, z)
orders = lambda f: (f, jax.grad(f), jax.grad(jax.grad(f)))
RESULT = [[jax.jit(jax.vmap(f))(jax.numpy.asarray(DATA["z"])).tolist() for f in orders(one(y))] for y in (0, 1)]
""",
    "pytorch": """
import torch
def of(label):
    z = torch.tensor(DATA["z"], dtype=torch.float64).requires_grad_()
    values = names["Loss"](from_logits=True, reduction="none")(z, torch.full_like(z, label))
    slopes, = torch.autograd.grad(values.sum(), z, create_graph=True)
    return [x.tolist() for x in (values, slopes, *torch.autograd.grad(slopes.sum(), z))]
RESULT = list(map(of, (0, 1)))
""",
    "lightgbm": """
import numpy as np
z = np.array(DATA["z"])
p, r = 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(z))
found = [[names[f"_margin_{x}{y}"](z, p, r).tolist() for x in ("loss", "slope")] for y in (0, 1)]
RESULT = [[*values, None] for values in found]
""",
}


@pytest.mark.parametrize("target", [pytest.param(target, marks=needs(target)) for target in MARGINS])
def test_programs_of_logits_keep_their_digits_next_to_breakpoints(target: str) -> None:
    """Rounding p = 1/(1 + exp(-z)) costs all digits of p - b, and none of the difference of logits."""
    name, known = "uniform", exact(rule("uniform"))
    z = [math.log(b / (1 - b)) + side * x for b in breakpoints(rule(name)) for x in SHORT for side in (-1, 1)]
    python = targets.python_with_torch() or "" if target == "pytorch" else sys.executable
    data = {"program": program(name, target), "z": z}
    found = targets.in_python(_OF_MARGINS + MARGINS[target], data, python)
    with mpmath.workdps(60):
        p = [1 / (1 + mpmath.exp(-mpmath.mpf(x))) for x in z]
        for label in (0, 1):
            loss, slope, curvature = ([known[f"{x}{label}"](y) for y in p] for x in QUANTITIES)
            inner = [x * (1 - x) for x in p]
            of_z = [x * y for x, y in zip(inner, slope, strict=True)]
            twice = [
                a * ((1 - 2 * x) * s + a * c) for x, a, s, c in zip(p, inner, slope, curvature, strict=True)
            ]
            for got, wanted in zip(found[label], (loss, of_z, twice), strict=True):
                assert got is None or max(map(ulps, got, wanted)) <= 8


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


def test_queries_name_their_dialect_and_those_for_duckdb_have_infinity_in_sqlite() -> None:
    for dialect in ("duckdb", "sqlite", "postgres"):
        assert f"-- In the SQL of {dialect}: " in code(rule("harmonic"), "sql", dialect=dialect)
    for run in (targets.duckdb, targets.sqlite):
        assert run([(program("harmonic", "sql"), [0.0, 1.0])])[0] == [[0, math.inf], [math.inf, 0]]


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
    slope = jax.grad(one)
    both = jax.jit(lambda z: (jax.vmap(slope)(z), jax.vmap(jax.grad(slope))(z)))
    RESULT[str(label)] = [values.tolist() for values in both(z)]
    RESULT[f"far{label}"] = [one(far).tolist(), both(far)[0].tolist()]
    RESULT[f"mixed{label}"] = jax.grad(lambda p: loss(jnp.asarray([0, 1]), p).sum())(jnp.asarray([0.0, 1.0])).tolist()
try:
    jax.grad(jax.grad(jax.grad(lambda x: loss_of_logits(1, x))))(0.3)
except NotImplementedError:
    RESULT["third"] = "refused"
"""


@pytest.mark.parametrize(("name", "is_double"), [("atom", True), ("additive", False)])
def test_jax_differentiates_twice_in_either_precision(name: str, is_double: bool) -> None:
    p = spread(name)
    data = {"program": program(name, "jax"), "logits": logits(p), "is_double": is_double}
    result = targets.in_python(_JAX, data)
    close = (
        {"rel": 1e-11, "abs": 1e-15} if is_double else {"rel": 2e-4, "abs": 1e-6}
    )  # logits are rounded too
    for label in (0, 1):
        slopes, curvatures = result[str(label)]
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
dual = torch.autograd.forward_ad
with dual.dual_level():
    x = torch.tensor([0.25, 0.75], dtype=torch.float64)
    value = Loss(reduction="none")(dual.make_dual(x, torch.ones_like(x)), labels)
    RESULT["forwards"] = dual.unpack_dual(value).tangent.tolist()
    y = x.clone().requires_grad_()
    RESULT["backwards"] = torch.autograd.grad(Loss(reduction="sum")(y, labels), y)[0].tolist()
RESULT["of integers"] = Loss(reduction="none")(labels, labels).tolist()
RESULT["label"] = str(float(Loss()(x, torch.tensor([0, 2]))))
RESULT["refused"] = []
for y, weight in ((labels, weights[:, None]), (labels, weights[:1]), (labels, weights[None]), (labels[:, None], None)):
    try:
        Loss()(x, y, weight)
    except ValueError as error:
        RESULT["refused"].append(str(error))
"""


@needs("pytorch")
@pytest.mark.parametrize("name", ["harmonic", "atom"])
def test_pytorch_differentiates_twice_without_nan(name: str) -> None:
    p = [x for x in spread(name) if 1e-3 < x < 0.999]
    data = {"program": program(name, "pytorch"), "logits": logits(p), "reports": p}
    result = targets.in_python(_TORCH, data, targets.python_with_torch())
    assert result["checked False"] == result["checked True"] == [True, True]
    wanted = [derivatives(name, k % 2, x) for k, x in enumerate(p)]
    assert result["found True"] == [
        pytest.approx(each, rel=1e-11, abs=1e-15) for each in zip(*wanted, strict=True)
    ]
    far = [values for key, values in result.items() if key.startswith("far")]
    assert np.isfinite(far).all()
    assert np.isfinite(result["ends"]).all()
    assert result["reduced"][0] == pytest.approx(result["reduced"][1] / 4, rel=1e-6)
    assert result["forwards"] == result["backwards"]
    assert result["of integers"] == [0, 0]
    assert result["label"] == "nan"
    assert len(result["refused"]) == 4 and all("shape" in text for text in result["refused"])


_BOOSTED = """
import numpy as np
{imports}
names = {{}}
exec(DATA["program"], names)
generator = np.random.default_rng(0)
x = generator.normal(size=(600, 3))
y = (generator.random(600) < 1 / (1 + np.exp(-2 * x[:, 0] - x[:, 1]))).astype(int)
z = np.array(DATA["logits"])
RESULT = {{}}
for label in (0, 1):
    gradient, hessian = names["objective"](np.full(len(z), label), z)
    RESULT[str(label)] = [gradient.tolist(), hessian.tolist()]
far = np.array([-np.inf, -1000.0, -90.0, 90.0, 1000.0, np.inf])
RESULT["far"] = [part.tolist() for label in (0, 1) for part in names["objective"](np.full(6, label), far)]
RESULT["weighted"] = [part.tolist() for part in names["objective"](np.array([0, 1]), np.zeros(2), np.array([2.0, 3.0]))]
{train}
"""
_LIGHTGBM = (
    "import lightgbm",
    """
record = {}
settings = {"objective": names["objective"], "verbose": -1, "num_threads": 1, "metric": "none"}
lightgbm.train(
    settings, lightgbm.Dataset(x, y), 30, valid_sets=[lightgbm.Dataset(x, y)],
    feval=names["metric"], callbacks=[lightgbm.record_evaluation(record)],
)
RESULT["losses"] = list(record["valid_0"]["expected_cost"])
model = lightgbm.LGBMClassifier(objective=names["objective"], n_estimators=30, verbose=-1, n_jobs=1)
model.fit(x, y, eval_set=[(x, y)], eval_metric=names["metric"])
RESULT["of the estimator"] = next(iter(model.evals_result_.values()))["expected_cost"]
""",
)
_XGBOOST = (
    "import xgboost",
    """
record = {}
data = xgboost.DMatrix(x, y)
xgboost.train(
    {"nthread": 1, "base_score": 0.5, "disable_default_eval_metric": True}, data, 30, obj=names["objective"],
    custom_metric=names["metric"], evals=[(data, "train")], evals_result=record, verbose_eval=False,
)
RESULT["losses"] = list(record["train"]["expected_cost"])
model = xgboost.XGBClassifier(
    objective=names["objective"], eval_metric=names["metric"], n_estimators=30, n_jobs=1, base_score=0.5
)
model.fit(x, y, eval_set=[(x, y)], verbose=False)
RESULT["of the estimator"] = list(model.evals_result()["validation_0"]["metric"])
""",
)


@pytest.mark.parametrize(("target", "how"), [("lightgbm", _LIGHTGBM), ("xgboost", _XGBOOST)])
@pytest.mark.parametrize("name", ["harmonic", "atom"])
def test_trees_are_boosted_on_the_exact_gradient(target: str, how: tuple[str, str], name: str) -> None:
    p = spread(name)
    script = _BOOSTED.format(imports=how[0], train=how[1])
    result = targets.in_python(script, {"program": program(name, target), "logits": logits(p)})
    slopes = [[derivatives(name, label, x)[0] for x in p] for label in (0, 1)]
    expected = [x * (1 - x) * (first - second) for x, first, second in zip(p, *slopes, strict=True)]
    for label in (0, 1):
        gradient, hessian = result[str(label)]
        assert gradient == pytest.approx(slopes[label], rel=1e-12, abs=1e-16)
        assert hessian == pytest.approx([max(value, 1e-16) for value in expected], rel=1e-12)
    assert np.isfinite(result["far"]).all()
    assert all(value > 0 for part in result["far"][1::2] for value in part)
    half = [derivatives(name, label, 0.5 - 1e-12)[0] for label in (0, 1)]
    assert result["weighted"][0] == pytest.approx([2 * half[0], 3 * half[1]], rel=1e-9)
    for losses in (result["losses"], result["of the estimator"]):
        assert losses[-1] < losses[0] * 0.9


HOSTILE_SHAPES = (  # of labels, margins and weights
    ((3, 1), (3,), None),
    ((3,), (3, 1), None),
    ((1,), (3,), None),
    ((3,), (3,), (3, 1)),
    ((3,), (3,), (1,)),
    ((3,), (3,), ()),
)


@pytest.mark.parametrize("target", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("shapes", HOSTILE_SHAPES)
def test_boosting_refuses_shapes_that_would_broadcast(target: str, shapes: Any) -> None:
    names: dict[str, Any] = {}
    exec(program("harmonic", target), names)
    y, margin, weight = (None if shape is None else np.ones(shape) for shape in shapes)
    for function in (names["objective"], names["mean_loss"], names["metric"]):
        with pytest.raises(ValueError, match=r"shape|one finite"):
            function(y, margin, weight)


@pytest.mark.parametrize("weight", [[1, -1], [1, math.nan], [math.inf, 1]])
def test_boosting_refuses_bad_weights(weight: list[float]) -> None:
    names: dict[str, Any] = {}
    exec(program("harmonic", "lightgbm"), names)
    for function in (names["objective"], names["mean_loss"]):
        with pytest.raises(ValueError, match="one finite number"):
            function(np.ones(2), np.ones(2), weight)
    with pytest.raises(ValueError, match="0 for every label"):
        names["mean_loss"](np.ones(2), np.ones(2), np.zeros(2))


def test_a_boosted_row_of_weight_0_does_not_count() -> None:
    names: dict[str, Any] = {}
    exec(program("harmonic", "lightgbm"), names)
    weighted = names["mean_loss"]([1, 1], [-np.inf, 0.0], [0.0, 2.0])
    assert weighted == names["mean_loss"]([1], [0.0])


_JAX_SHAPES = """
import jax.numpy as jnp
exec(DATA["program"])
RESULT = []
for shapes in DATA["shapes"]:
    for function in (loss, loss_of_logits):
        try:
            RESULT.append(list(function(*(jnp.full(shape, 0.5).round() for shape in shapes)).shape))
        except ValueError as error:
            RESULT.append(str(error))
"""


def test_jax_refuses_shapes_that_would_broadcast() -> None:
    shapes = [((3, 1), (3,)), ((3,), (3, 1)), ((1,), (3,)), ((), (3,)), ((3,), (3,))]
    found = targets.in_python(_JAX_SHAPES, {"program": program("harmonic", "jax"), "shapes": shapes})
    assert all("shapes differ" in text for text in found[:6]) and found[6:] == [[3]] * 4


def test_the_hessian_of_the_log_loss_is_the_second_derivative() -> None:
    names: dict[str, Any] = {}
    exec(program("harmonic", "xgboost"), names)
    p = np.array([0.1, 0.4, 0.9])
    for label in (0, 1):
        gradient, hessian = names["objective"](np.full(3, label), np.log(p / (1 - p)))
        assert gradient == pytest.approx((p - label) / 2)  # the rule is half of the log loss
        assert hessian == pytest.approx(p * (1 - p) / 2)
    with pytest.raises(ValueError, match="labels must be 0 and 1"):
        names["objective"]([0, 2], [0.0, 0.0])
    with pytest.raises(ValueError, match="a margin is NaN"):
        names["mean_loss"]([0, 1], [0.0, math.nan])


# ---- texts

HOSTILE = 'a */ b \\*/ c """ d \\""" \'\'\' -- e\nimport os\r#= f \u2028 \x1b[31m \u202e ${x} {y} %s'


@pytest.mark.parametrize("target", LANGUAGES)
def test_a_title_stays_in_its_comment(target: str) -> None:
    plain, hostile = (code(rule("additive"), target, title=title) for title in ("x", HOSTILE))
    body = plain[plain.index("Written by costderive") :]
    assert hostile.endswith(body)
    comment = hostile[: -len(body)]
    assert all(c.isprintable() or c == "\n" for c in comment)
    opening, prefix, closing = LANGUAGES[target].comment
    inner = comment[len(opening) :]
    assert not closing.strip() or closing.strip() not in inner
    assert all(line.startswith(prefix.rstrip()) for line in inner.split("\n"))
    if target in ("numpy", "python", "numba", "pytorch", "jax", "lightgbm", "xgboost"):
        assert "import os" in (ast.get_docstring(ast.parse(hostile)) or "")


def test_a_title_compiles_in_c() -> None:
    losses = targets.compiled_c(code(rule("additive"), "c", title=HOSTILE))
    assert losses[0](0.5) == 0.25


@pytest.mark.parametrize("target", LANGUAGES)
def test_a_program_says_where_it_comes_from(target: str) -> None:
    text = code(rule("atom"), target, title="Two costs")
    head = text[: text.index("Written by costderive")]
    assert "Two costs" in head
    assert re.search(r"log\(1 - p\).*    up to p = 1/2", head)
    assert re.search(r"loss0: within \d", head)
    assert "import costderive" not in text
    assert text == code(rule("atom"), target, title="Two costs")


def test_a_derivation_has_the_program_of_its_rule_and_a_context_none() -> None:
    derivation = cd.derive(RULES["additive"])
    assert code(derivation, "c") == code(derivation.rule, "c")
    with pytest.raises(ExportError, match="PowerMean"):
        code(RULES["additive"], "c")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(ExportError, match="Targets: numpy, python, numba, c, javascript"):
        code(rule("additive"), "cobol")


def test_sql_says_what_it_cannot() -> None:
    with pytest.raises(ExportError, match="not known to have an infinity"):
        code(rule("harmonic"), "sql", dialect="mysql")
    with pytest.raises(ExportError, match="dialect = 'klingon'"):
        code(rule("additive"), "sql", dialect="klingon")
    assert "FLOAT64" in code(rule("additive"), "sql", dialect="bigquery")


def test_julia_has_the_numbers_of_c() -> None:
    """Julia is not run here: its text must hold the same table and the same formulas as that of C, which is."""

    def numbers(text: str) -> list[str]:
        return re.findall(r"\d+\.\d+(?:e[-+]?\d+)?", text.split("Written by")[1].split("\n", 1)[1])

    for name in ("uniform", "atom", "integral"):
        julia, c = code(rule(name), "julia"), code(rule(name), "c")
        constants = [number for number in numbers(c) if number not in ("0.0", "1.0")]
        assert [number for number in numbers(julia) if number not in ("0.0", "1.0")] == constants
        blocks = re.findall(r"^(?:function|for|if|while)\b|^    for\b|\bend$", julia, re.MULTILINE)
        assert sum(-1 if word == "end" else 1 for word in blocks) == 0


def test_the_command_line_writes_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {target: tmp_path / f"losses.{target}" for target in ("c", "sql", "pytorch")}
    outputs = [text for target, file in files.items() for text in ("--code", f"{target}:{file}")]
    assert main(["derive", "additive", *outputs, "--dialect", "postgres"]) == 0
    assert "c₀ + c₁ = 2" in files["c"].read_text(encoding="utf-8")
    assert "DOUBLE PRECISION" in files["sql"].read_text(encoding="utf-8")
    assert "class Loss(torch.nn.Module):" in files["pytorch"].read_text(encoding="utf-8")
    assert main(["derive", "additive", "--code", "losses.c"]) == 2
    assert "is not TARGET:FILE" in capsys.readouterr().err
    assert main(["derive", "geometric", "--mean", "m", "--code", "julia:-"]) == 0
    assert "function loss0(p::Float64, m)" in capsys.readouterr().out
    letters = ["--code", f"c:{tmp_path / 'm.c'}", "--code", f"sql:{tmp_path / 'm.sql'}"]
    assert main(["derive", "geometric", "--mean", "m", *letters, "--dialect", "spark"]) == 0
    assert "double loss0(double p, double m)" in (tmp_path / "m.c").read_text(encoding="utf-8")
    assert "CAST(`m` AS DOUBLE) AS `m`" in (tmp_path / "m.sql").read_text(encoding="utf-8")
    assert main(["derive", "geometric", "--mean", "m", "--python", str(tmp_path / "m.py")]) == 0
    assert "def loss0(p, *, m):" in (tmp_path / "m.py").read_text(encoding="utf-8")
