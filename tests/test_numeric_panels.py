"""Panels: within their certified bound of exact losses, in little memory, and only where they are sure."""

from __future__ import annotations

import tracemalloc
from functools import cache

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.errors import CompileTimeError
from costderive.core.symbols import p
from costderive.numeric import CompiledLoss, compile, compiling
from costderive.numeric.compiled_loss import LOSSES, MANY_ROWS
from costderive.numeric.end_tables import LINEAR, Panel, Table
from costderive.numeric.function import Segment
from costderive.numeric.many_digits import End, Exact
from costderive.numeric.panels import LOWEST, Panels, panels
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import Points
from costderive.numeric.table_fit import power_series
from tests.accuracy import exact, gallery, ulps

READ = ("euclidean", "geometric", "rectangle-second-order", "maximum")
ZERO = End.of(sympy.S.Zero, 1)


@cache
def compiled(name: str) -> CompiledLoss:
    return compile(gallery([name])[name])


def read(loss: CompiledLoss) -> Panels:
    found = loss._with_panels(LOSSES).panels
    assert found is not None
    return found


def spread(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return labels, and probabilities of which half are uniform and half near an end."""
    generator = np.random.default_rng(rows)
    near = 10 ** -generator.uniform(0, 3, rows // 4)
    points = np.concatenate([generator.random(rows - 2 * len(near)), near, 1 - near])
    return generator.random(rows) < 0.5, points


@pytest.mark.parametrize("name", READ)
def test_values_are_within_the_certified_bound(name: str) -> None:
    loss, (labels, points) = compiled(name), spread(400)
    found, truth = read(loss), exact(loss.rule)
    values = found.values(labels, Points.of(points))
    known = np.flatnonzero(~np.isnan(values))
    assert len(known) > 370
    off = [ulps(values[i], truth[f"loss{int(labels[i])}"](float(points[i]))) for i in known]
    assert max(off) <= found.bound <= 4


@pytest.mark.parametrize("name", READ)
def test_few_rows_are_left_to_the_segments(name: str) -> None:
    labels, points = spread(100_000)
    assert np.isnan(read(compiled(name)).values(labels, Points.of(points))).mean() < 0.05


@pytest.mark.parametrize("name", READ)
def test_the_mean_is_that_of_the_segments(name: str) -> None:
    loss, (labels, points) = compiled(name), spread(MANY_ROWS)
    points[:300] = np.tile([0.0, 1.0, 0.5], 100)
    functions = [function(Points.of(points)) for function in loss._losses.functions]
    rows = np.where(labels, functions[1], functions[0])
    assert loss(labels, points) == pytest.approx(rows.mean(), rel=1e-15)
    assert loss.per_sample(labels, points) == pytest.approx(rows, rel=2e-15, abs=1e-322)
    weights = np.random.default_rng(1).random(len(points))
    wanted = np.average(rows, weights=weights)
    assert loss(labels, points, sample_weight=weights) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("name", ["additive", "harmonic", *READ])
def test_no_more_than_a_megabyte_is_held_at_once(name: str) -> None:
    loss, (labels, points) = compiled(name), spread(500_000)
    weights, points = np.ones(len(points)), points.clip(1e-4, 0.9999)
    loss(labels, points)  # makes the panels, or reads them from the user's cache
    for given, predicted in ((labels, points.astype(np.float32)), (labels.astype(int), points)):
        for more in ({}, {"sample_weight": weights}):
            tracemalloc.start()
            loss(given, predicted, **more)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most <= 2**20


def table(value: sympy.Expr, reach: float = 1.0) -> Segment:
    """Return an uncertain table of a function from 0 to ``reach``, said to be certified."""
    found = power_series(Exact.of(value), ZERO, reach, 0.0)
    assert found is not None
    part = Part("loss0", 0.0, found[0][0], "table", "test", None, bound=0.5)
    return Segment(part, found[0][1])


def constant() -> Segment:
    panel = Panel(0.0, 1.0, 0.0, 0, (1.0,))
    return Segment(Part("loss1", 0.0, 1.0, "table", "test", None, 0.0), Table.of(ZERO, LINEAR, 1.0, [panel]))


def test_there_are_none_where_most_of_the_interval_has_no_table() -> None:
    assert panels(((table(p**2, 0.25),), ())) is None
    assert panels(((table(p**2),), (constant(),))) is not None


def test_a_polynomial_that_is_not_one_of_low_degree_has_no_panel() -> None:
    steep = Table.of(ZERO, LINEAR, 0.0, [Panel(0.0, 1.0, 0.0, 0, (2.0, *[0.0] * 60, 1e18))])
    smooth = Table.of(ZERO, LINEAR, 0.0, [Panel(0.0, 1.0, 0.0, 0, (2.0, 1.0))])
    part = Part("loss0", 0.0, 1.0, "table", "test", None, 0.0)
    there = np.array([0.751])
    for own, is_known in ((steep, False), (smooth, True)):
        found = panels(((Segment(part, own),), (constant(),)))
        assert found is not None
        value = found.values(np.array([False]), Points.of(there))[0]
        assert np.isnan(value) != is_known


def test_points_beyond_the_lowest_panel_and_at_breakpoints_are_left() -> None:
    found = read(compiled("maximum"))
    points = np.array([0.0, 5e-324, LOWEST / 2, 1 - LOWEST / 2, 1.0, 0.25])
    for is_one in (False, True):
        values = found.values(np.full(len(points), is_one), Points.of(points))
        assert np.isnan(values).all()


def test_the_plan_names_them() -> None:
    loss = compile(gallery(["euclidean"])["euclidean"])
    assert all(part.method != "panels" for part in loss.plan)
    loss(*spread(MANY_ROWS))
    parts = [part for part in loss.plan if part.method == "panels"]
    assert [part.function for part in parts] == ["both"]
    assert parts[0].bound is not None and parts[0].bound <= 4
    assert compiled("additive")._with_panels(LOSSES).panels is None


def test_few_rows_wait_for_no_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    monkeypatch.setattr(compiling, "in_panels", never)
    loss, (labels, points) = compile(gallery(["euclidean"])["euclidean"], time_limit=None), spread(MANY_ROWS)
    assert len(loss.per_sample(labels[1:], points[1:])) == MANY_ROWS - 1
    with pytest.raises(AssertionError):
        loss.per_sample(labels, points)


def test_panels_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise CompileTimeError("late", "")

    loss, (labels, points) = compile(gallery(["euclidean"])["euclidean"], time_limit=None), spread(MANY_ROWS)
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    monkeypatch.setattr(compiling, "in_panels", late)
    assert loss(labels, points) == pytest.approx(loss.per_sample(labels, points).mean(), rel=1e-14)


def test_a_jump_is_seen_on_the_right_side() -> None:
    jump = cd.Mixture(("1/3", cd.FixedCosts(c0=1, c1=3)), ("2/3", cd.PowerMean("oo")))
    loss = compile(cd.derive(jump))
    at = np.array([np.nextafter(0.25, 0), 0.25, np.nextafter(0.25, 1)])
    below, here, above = loss.per_sample(np.zeros(3), at)
    assert below == pytest.approx(here, rel=1e-14) and above - here == pytest.approx(1 / 3, rel=1e-12)
