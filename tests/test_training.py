"""Training with rules that are flat somewhere: where they are, where training can start, and tails."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from scipy.integrate import quad
from sklearn.datasets import load_breast_cancer
from xgboost import XGBClassifier

import costderive as cd
from costderive.core.errors import CostDeriveError
from tests import targets

LOW, HIGH = 0.05, 0.3
NARROW = cd.Additive(budget=2, density="uniform(1/20, 3/10)")
SIZE = 0.028  # a tenth of 2 E[t (1 - t)], t uniform on (1/20, 3/10), rounded
CONTEXTS: dict[str, tuple[Any, list[tuple[float, float]]]] = {
    "narrow": (NARROW, [(0, LOW), (HIGH, 1)]),
    "uniform pair": (cd.IndependentUniform((1, 3), (5, 20)), [(0, 1 / 21), (3 / 8, 1)]),
    "everywhere": (cd.Harmonic(budget=1), []),
    "known costs": (cd.FixedCosts(1, 9), [(0, 1)]),
}


def weight_with_tails(s: float) -> float:
    return 8.0 if LOW < s <= HIGH else SIZE / (s * (1 - s))


@pytest.fixture(scope="module")
def tumours() -> tuple[Any, ...]:
    x, benign = load_breast_cancer(return_X_y=True)
    known = np.arange(len(x)) % 2 == 0
    return x[known], 1 - benign[known], x[~known], 1 - benign[~known]


@pytest.mark.parametrize("name", CONTEXTS)
def test_flat_parts_are_those_in_which_no_threshold_lies(name: str) -> None:
    context, expected = CONTEXTS[name]
    found = [(float(part.low), float(part.high)) for part in cd.flat_parts(cd.derive(context))]
    assert np.array(found) == pytest.approx(np.array(expected))


def test_training_starts_at_the_rate_or_in_the_nearest_part_with_a_gradient() -> None:
    rule = cd.derive(NARROW).rule
    assert cd.training_start(rule, "1/10") == pytest.approx(math.log(1 / 9))
    for rate in (0.001, 0.05, 0.3, 0.999):
        assert 1 / (1 + math.exp(-cd.training_start(rule, rate))) == pytest.approx((LOW + HIGH) / 2)


@pytest.mark.parametrize("p", [0.01, 0.05, 0.2, 0.3, 0.9])
def test_tails_are_a_log_loss_where_the_rule_is_flat(p: float) -> None:
    found = cd.numeric.compile(cd.with_tails(cd.derive(NARROW)))
    below = [at for at in (LOW, HIGH) if at < p]
    above = [at for at in (LOW, HIGH) if at > p]
    loss0, _ = quad(lambda s: s * weight_with_tails(s), 0, p, points=below or None)
    loss1, _ = quad(lambda s: (1 - s) * weight_with_tails(s), p, 1, points=above or None)
    assert [found.loss0(p), found.loss1(p)] == pytest.approx([loss0, loss1], rel=1e-9)


@pytest.mark.parametrize("name", [name for name in CONTEXTS if name != "everywhere"])
def test_a_rule_with_tails_is_proved_to_be_strictly_proper_and_flat_nowhere(name: str) -> None:
    derivation = cd.derive(CONTEXTS[name][0])
    found = cd.with_tails(derivation)
    assert found.verdict.value == "strictly proper"
    assert cd.check(found.derivation).verdict.name == "PROVED"
    assert cd.flat_parts(found) == ()
    rise = cd.numeric.compile(found).loss0([0.2, 0.12]) - cd.numeric.compile(derivation).loss0([0.2, 0.12])
    is_kept = name != "known costs"
    assert bool(abs(rise[0] - rise[1]) < 1e-12) is is_kept  # a constant where the rule has a gradient


def test_a_rule_that_is_flat_nowhere_stays_as_it_is() -> None:
    rule = cd.derive(cd.Harmonic(budget=1)).rule
    assert cd.with_tails(rule) is rule


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda: cd.training_start(cd.derive(NARROW), 1.0), "rate = 1.0 is not between 0 and 1"),
        (lambda: cd.training_start(cd.derive(NARROW), "x"), "rate = 'x' is not a number"),
        (lambda: cd.training_start(cd.derive(cd.FixedCosts(1, 9)), 0.5), "no gradient"),
        (lambda: cd.with_tails(cd.derive(NARROW), -1), "share = -1 is not positive"),
        (lambda: cd.with_tails(cd.derive(NARROW), "oo"), "share = 'oo' is not a number"),
        (
            lambda: cd.with_tails(cd.derive(cd.Additive(density="uniform(l, h)"))),
            "h, l of the rule have no numbers",
        ),
        (lambda: cd.with_tails(5), "5 is not a scoring rule"),  # type: ignore[arg-type]
        (lambda: cd.flat_parts(cd.rule_from_losses("p", "1 - p")), "no threshold weight"),
    ],
)
def test_what_cannot_be_trained_with_is_refused(use: Any, said: str) -> None:
    with pytest.raises(CostDeriveError, match=said):
        use()


@pytest.mark.parametrize("target", ["lightgbm", "xgboost", "pytorch", "jax"])
def test_a_program_to_train_with_warns_of_flat_parts(target: str) -> None:
    flat, log_loss = cd.derive(NARROW).rule, cd.derive(cd.Harmonic(budget=1)).rule
    assert "WARNING: the gradient is 0 for p in (0, 1/20) and in (3/10, 1)" in cd.export.code(flat, target)
    assert "WARNING" not in cd.export.code(log_loss, target)


def boosted(library: str, rule: Any, start: float, tumours: tuple[Any, ...]) -> Any:
    """Return margins of the rows held out, of trees that were grown on the gradient of a rule."""
    program: dict[str, Any] = {}
    exec(cd.export.code(rule, library), program)
    x, y, others, _ = tumours
    starts, more = np.full(len(x), start), np.full(len(others), start)
    if library == "lightgbm":
        model = LGBMClassifier(objective=program["objective"], n_estimators=30, verbose=-1, n_jobs=1)
        return model.fit(x, y, init_score=starts).predict(others, raw_score=True) + start
    model = XGBClassifier(objective=program["objective"], n_estimators=30, min_child_weight=0, n_jobs=1)
    return model.fit(x, y, base_margin=starts).predict(others, base_margin=more, output_margin=True)


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_trees_learn_from_a_start_inside_or_with_tails_and_never_outside(library: str, tumours: Any) -> None:
    rule, y = cd.derive(NARROW).rule, tumours[3]
    loss = cd.numeric.compile(rule)
    stuck = boosted(library, rule, 0.0, tumours)
    assert np.ptp(stuck) == 0
    inside = boosted(library, rule, cd.training_start(rule, tumours[1].mean()), tumours)
    tails = boosted(library, cd.with_tails(rule), 0.0, tumours)
    assert max(loss(y, logit=inside), loss(y, logit=tails)) < 0.7 * loss(y, logit=stuck)


_LINEAR = """
names = {}
exec(DATA["program"], names)
"""
LINEAR = {
    "jax": """
import jax
jax.config.update("jax_enable_x64", True)
x, y = jax.numpy.asarray(DATA["x"]), jax.numpy.asarray(DATA["y"])
mean = lambda w: names["loss_of_logits"](y, x @ w[1:] + w[0]).mean()
slope, w = jax.jit(jax.grad(mean)), jax.numpy.zeros(1 + x.shape[1]).at[0].set(DATA["start"])
for _ in range(300):
    w = w - 0.1 * slope(w)
RESULT = w.tolist()
""",
    "pytorch": """
import torch
x, y = torch.tensor(DATA["x"]).double(), torch.tensor(DATA["y"])
model, loss = torch.nn.Linear(x.shape[1], 1).double(), names["Loss"](from_logits=True)
torch.nn.init.zeros_(model.weight)
torch.nn.init.constant_(model.bias, DATA["start"])
steps = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(300):
    steps.zero_grad()
    loss(model(x)[:, 0], y).backward()
    steps.step()
RESULT = model.bias.tolist() + model.weight[0].tolist()
""",
}
NO_TORCH = pytest.mark.skipif(targets.python_with_torch() is None, reason="PyTorch is not installed")


def trained(library: str, rule: Any, start: float, tumours: tuple[Any, ...]) -> Any:
    """Return the margins of the rows held out, of a linear model that descended the gradient of a rule."""
    x, y, others, _ = tumours
    middle, width = x.mean(axis=0), x.std(axis=0)
    data = {"x": ((x - middle) / width).tolist(), "y": y.tolist(), "start": start}
    python = targets.python_with_torch() or "" if library == "pytorch" else sys.executable
    data["program"] = cd.export.code(rule, library)
    weights = np.array(targets.in_python(_LINEAR + LINEAR[library], data, python))
    return (others - middle) / width @ weights[1:] + weights[0]


@pytest.mark.parametrize("library", ["jax", pytest.param("pytorch", marks=NO_TORCH)])
def test_linear_models_learn_from_a_start_inside_or_with_tails_and_never_outside(
    library: str, tumours: Any
) -> None:
    rule, y = cd.derive(NARROW).rule, tumours[3]
    loss = cd.numeric.compile(rule)
    stuck = trained(library, rule, 0.0, tumours)
    assert np.ptp(stuck) == 0
    inside = trained(library, rule, cd.training_start(rule, tumours[1].mean()), tumours)
    tails = trained(library, cd.with_tails(rule), 0.0, tumours)
    assert max(loss(y, logit=inside), loss(y, logit=tails)) < 0.5 * loss(y, logit=stuck)


def test_a_program_for_xgboost_says_that_small_hessians_grow_no_trees(tumours: Any) -> None:
    cheap = cd.with_tails(cd.derive(cd.Additive(budget="1/100", density="uniform(1/20, 3/10)")))
    program: dict[str, Any] = {}
    exec(cd.export.code(cheap, "xgboost"), program)
    x, y, *_ = tumours
    grown = [
        XGBClassifier(objective=program["objective"], n_estimators=5, n_jobs=1, **settings).fit(x, y)
        for settings in ({}, {"min_child_weight": 0, "reg_lambda": 0})
    ]
    spread = [np.ptp(model.predict(x, output_margin=True)) for model in grown]
    assert spread[0] == 0 and spread[1] > 1
    assert "Set min_child_weight=0" in program["__doc__"]
