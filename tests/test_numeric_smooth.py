"""Polynomials that go on from piece to piece hold what is certified of them, whatever the loss is made of."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.symbols import p
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.compiled_loss import LOSSES
from costderive.numeric.function import Segment
from costderive.numeric.many_digits import End
from costderive.numeric.point_pairs import Points
from costderive.numeric.smooth_pieces import LOWEST, smooth
from costderive.numeric.stretch import Growth, Stretch
from tests.accuracy import ulps

WHOLE = End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1)


def stretch(value: sympy.Expr, rate: sympy.Expr | None = None) -> Stretch:
    growth = None if rate is None else Growth(rate, WHOLE[0], lambda _: mpmath.mpf(0))
    return Stretch("loss0", *WHOLE, value, growth)


def value(segment: Segment, x: float) -> mpmath.mpf:
    """Evaluate a polynomial exactly at a distance from its end."""
    table = segment.evaluate
    with mpmath.workdps(50):
        z = (mpmath.mpf(x) - float(table.centres[0])) * float(table.scales[0])
        numbers = (mpmath.mpf(np.format_float_positional(c, unique=True)) for c in table.coefficients[:, 0])
        return mpmath.polyval(list(numbers), z)


def distances(segment: Segment) -> np.ndarray:
    low, high = segment.part.low, segment.part.high
    points = np.linspace(low, high, 9)[1:-1]
    return points if segment.evaluate.end.side > 0 else 1 - points


def worst(segments: list[Segment], exact) -> float:
    """Return the largest error over its bound."""
    with mpmath.workdps(50):
        return max(
            float(abs(value(one, x) / exact(x, one.evaluate.end.side) - 1)) * 2**53 / one.part.bound
            for one in segments
            for x in map(float, distances(one))
        )


def asin_loss(x: float, side: int) -> mpmath.mpf:
    q = mpmath.mpf(x) if side > 0 else 1 - mpmath.mpf(x)
    return mpmath.asin(mpmath.sqrt(q)) - mpmath.sqrt(q * (1 - q))


def test_the_bounds_hold_and_the_pieces_leave_no_gap() -> None:
    rate = sympy.sqrt(p / (1 - p))
    found = list(smooth(stretch(sympy.asin(sympy.sqrt(p)) - sympy.sqrt(p * (1 - p)), rate), 0.0, 1.0))
    assert worst(found, asin_loss) <= 1
    assert max(segment.part.bound for segment in found) <= 0.1
    parts = sorted((segment.part.low, segment.part.high) for segment in found)
    assert parts[0][0] < LOWEST and parts[-1][1] >= 1 - LOWEST
    assert all(high > low for (_, high), (low, _) in pairwise(parts))


def test_an_integral_needs_its_rate_alone() -> None:
    dummy = sympy.Dummy()
    rate = sympy.sqrt(p / (1 - p))
    integral = sympy.Integral(rate.subs(p, dummy), (dummy, 0, p))
    found = list(smooth(stretch(integral, rate), 0.0, 1.0))
    assert worst(found, asin_loss) <= 1


def test_another_rate_is_seen() -> None:
    rate = sympy.sqrt(p / (1 - p)) * (1 + p / 10**12)
    value = sympy.asin(sympy.sqrt(p)) - sympy.sqrt(p * (1 - p))
    assert worst(list(smooth(stretch(value, rate), 0.0, 1.0)), asin_loss) > 100


def test_a_singularity_is_left_out() -> None:
    kink = sympy.sqrt((p - sympy.Rational(3, 10)) ** 2 + sympy.Rational(1, 10**10))
    parts = [segment.part for segment in smooth(stretch(1 + kink), 0.0, 1.0)]
    assert not any(part.low < 0.3 <= part.high for part in parts)
    assert any(part.high > 0.35 > part.low for part in parts)


def test_what_has_no_bound_has_no_polynomial() -> None:
    assert list(smooth(stretch(sympy.gamma(1 + p)), 0.0, 1.0)) == []


CONTEXTS = {
    "an integral": cd.PowerMean(5),
    "inverse hyperbolic": cd.PowerMean(-2),
    "a table that is hardly certified": cd.Independent(c0=cd.laws.gamma("1/3", 2), c1=cd.laws.gamma("2/3")),
}


@cache
def compiled(name: str) -> CompiledLoss:
    return compile(cd.derive(CONTEXTS[name]), time_limit=None)


@pytest.mark.parametrize("name", CONTEXTS)
def test_few_rows_are_left_to_the_segments(name: str) -> None:
    panels, generator = compiled(name)._with_panels(LOSSES).panels, np.random.default_rng(3)
    assert panels is not None
    values = panels.values(generator.random(10**5) < 0.5, Points.of(generator.random(10**5)))
    assert np.isnan(values).mean() < 0.01


@pytest.mark.parametrize("name", CONTEXTS)
def test_rows_are_within_four_ulp_of_quadrature(name: str) -> None:
    loss, generator = compiled(name), np.random.default_rng(4)
    panels = loss._with_panels(LOSSES).panels
    assert panels is not None
    for x in (
        *generator.random(5),
        *10 ** -generator.uniform(0, 4, 3),
        *(1 - 10 ** -generator.uniform(0, 4, 3)),
    ):
        for label in (0, 1):
            wanted = cd.numeric.reference(loss.rule, label, x)
            read = panels.values(np.array([label == 1]), Points.of(np.array([x])))[0]
            assert ulps(loss.per_sample([label], [x])[0], wanted) <= 4
            assert np.isnan(read) or ulps(read, wanted) <= 4
