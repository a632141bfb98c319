"""The compiled path: the same numbers as NumPy's, to the last digits, and the same refusals."""

from __future__ import annotations

import importlib.util
import math
from functools import cache
from pathlib import Path

import mpmath
import numpy as np
import pytest

import costderive as cd
from costderive.core.errors import CostDeriveError, DataError
from costderive.numeric import CompiledLoss, compile

numba = pytest.importorskip("numba")

CONTEXTS = {
    "rational": cd.Additive(budget=2),
    "logarithm": cd.Harmonic(budget=1),
    "pieces": cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "power series": cd.Geometric(mean=1),
    "integral": cd.PowerMean(5),
}


@pytest.fixture(autouse=True, scope="module")
def _cache(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COSTDERIVE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def pair(name: str) -> tuple[CompiledLoss, CompiledLoss]:
    derivation = cd.derive(CONTEXTS[name])
    return compile(derivation), compile(derivation, fast=True)


def data(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(rows)
    p = 1 / (1 + np.exp(-generator.normal(0, 3, rows)))
    return generator.random(rows) < p, p, generator.random(rows)


@pytest.mark.parametrize("name", CONTEXTS)
def test_mean_is_that_of_the_rows(name: str) -> None:
    plain, fast = pair(name)
    y, p, weights = data(5000)
    rows = [float(x) for x in plain.per_sample(y, p)]
    assert fast(y, p) == pytest.approx(
        math.fsum(rows) / len(rows), rel=1e-15
    )  # each row within 4 ulp, at random
    if name in ("rational", "pieces"):  # one program of either kind; each takes seconds to compile
        wanted = math.fsum(rows * weights) / math.fsum(weights)
        assert fast(y, p, sample_weight=weights) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("name", CONTEXTS)
@pytest.mark.parametrize(
    "point", [0.0, 5e-324, 1e-310, 1e-300, 1e-16, 1e-3, 0.25, 1 / 3, 0.5, 1 - 1e-16, 1.0]
)
def test_one_row_has_the_loss_of_numpy(name: str, point: float) -> None:
    plain, fast = pair(name)
    for label, wanted in enumerate((plain.loss0(point), plain.loss1(point))):
        assert fast([label], [point]) == pytest.approx(wanted, rel=2e-15, abs=1e-322)


def test_its_logarithm_is_right_to_a_unit_in_the_last_place() -> None:
    fast = pair("logarithm")[1]
    spread = 10 ** -np.random.default_rng(3).uniform(0, 320, 300)
    for p in (*spread, *np.random.default_rng(4).random(300), math.nextafter(1, 0), math.nextafter(0.5, 0)):
        with mpmath.workdps(400):
            one, zero = -mpmath.log(mpmath.mpf(float(p))), -mpmath.log1p(-mpmath.mpf(float(p)))
        assert abs(fast([1], [p]) - one) <= 1.5 * math.ulp(float(one))
        assert abs(fast([0], [p]) - zero) <= 2 * math.ulp(float(zero))


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.uint8, np.float32, np.float64])
def test_labels_and_predictions_of_any_type(kind: type) -> None:
    fast, (y, p, _) = pair("rational")[1], data(3000)
    assert fast(y.astype(kind), p) == fast(y, p)
    single = p.astype(np.float32)
    assert fast(y, single) == fast(y, single.astype(np.float64))


@pytest.mark.parametrize("kind", [np.float16, ">f8", ">f4"])
def test_numbers_that_numba_cannot_read_are_converted(kind: object) -> None:
    fast, (y, p, weights) = pair("rational")[1], data(2000)
    given = p.astype(kind)
    assert fast(y, given) == fast(y, given.astype(float))
    assert fast(y.astype(">i4"), given, sample_weight=weights.astype(">f8")) == fast(
        y, given.astype(float), sample_weight=weights
    )


def test_strided_and_read_only_arrays_are_read_as_they_are() -> None:
    fast, (y, p, _) = pair("rational")[1], data(3000)
    wanted = fast(y[::2].copy(), p[::2].copy())
    p.setflags(write=False)
    assert fast(y[::2], p[::2]) == wanted


def test_threads_change_nothing() -> None:
    fast, (y, p, weights) = pair("pieces")[1], data(1_000_000)
    assert fast(y, p, threads=2) == fast(y, p)
    assert fast(y, p, sample_weight=weights, threads=3) == fast(y, p, sample_weight=weights)


def test_infinite_losses_count_unless_their_weight_is_0() -> None:
    fast = pair("logarithm")[1]
    assert fast([0, 1], [1.0, 0.5]) == fast([1], [0.0]) == math.inf
    assert fast([0, 1], [1.0, 0.5], sample_weight=[0, 2]) == fast([1], [0.5])


@pytest.mark.parametrize(
    ("y", "p", "message"),
    [
        ([0, 1], [0.5, 1.25], r"y_proba\[1\] = 1.25 lies above 1 by 0.25"),
        ([0, 1], [math.nan, 0.5], r"y_proba\[0\] = nan"),
        ([0, 1, 2], [0.5, 0.5, 0.5], r"y_true\[2\] = 2 is a third label"),
        ([0, 1], [0.5], "y_true has 2 rows and y_proba has 1"),
        ([], [], "empty"),
    ],
)
@pytest.mark.parametrize("name", ["rational", "integral"])
def test_bad_data_are_refused(name: str, y: list, p: list, message: str) -> None:
    with pytest.raises(DataError, match=message):
        pair(name)[1](np.array(y), np.array(p))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, -1e300, 7.0])
def test_no_number_leads_beyond_the_panels(bad: float) -> None:
    assert pair("integral")[1]._kernel.panels.size
    with pytest.raises(DataError):
        pair("integral")[1]([0, 1, 1], [0.5, bad, bad])
    pair("integral")[1]([0, 1, 7], [0.5, bad, bad], validate=False)


def test_programs_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", str(tmp_path))
    loss = compile(cd.derive(cd.Additive(budget=3)), fast=True)
    assert loss([0, 1], [0.5, 0.5]) == 0.375
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert list(folder.glob("*.py")) and list((folder / "__pycache__").glob("*.nbc"))


def test_without_numba_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CostDeriveError, match=r"costderive\[fast\]"):
        compile(cd.derive(cd.Additive(budget=2)), fast=True)


def test_a_steep_end_stays_in_the_range_of_doubles() -> None:
    context = cd.Independent(c0=cd.laws.lognormal("3/2", "3/2"), c1=cd.laws.lognormal("3/2", "3/2"))
    derivation = cd.derive(context)
    plain, fast = compile(derivation), compile(derivation, fast=True)
    for p in (1e-33, 1e-28, 1e-20, 1e-9, 0.3):
        with mpmath.workdps(400):
            x = mpmath.mpf(p)
            deviation = (mpmath.log(x / (1 - x)) - mpmath.mpf("2.25")) / mpmath.sqrt("4.5")
            wanted = float(mpmath.exp(mpmath.mpf("2.625")) * mpmath.ncdf(deviation))
        assert plain.loss0(p) == pytest.approx(wanted, rel=1e-12)
        assert fast([0], [p]) == pytest.approx(wanted, rel=1e-12)
