"""Laws with letters or roots in their exponents, beside a known cost of class 1: closed, proved, and by quadrature."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

import costderive as cd

Density = Callable[[mpmath.mpf], mpmath.mpf]
WITH = {"a": 2.5, "b": 1.75, "c": 3}


def weibull(k: float, v: float) -> Density:
    return lambda x: k / v * (x / v) ** (k - 1) * mpmath.exp(-((x / v) ** k))


def beta(a: float, b: float) -> Density:
    return lambda x: x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b) if x < 1 else mpmath.mpf(0)


def kumaraswamy(a: float, b: float) -> Density:
    return lambda x: a * b * x ** (a - 1) * (1 - x**a) ** (b - 1) if x < 1 else mpmath.mpf(0)


def dagum(k: float, h: float, v: float) -> Density:
    return lambda x: k * h / x * (x / v) ** (k * h) / (1 + (x / v) ** k) ** (h + 1) if x else mpmath.mpf(0)


def burr(k: float, h: float, v: float) -> Density:
    return lambda x: k * h / v * (x / v) ** (k - 1) / (1 + (x / v) ** k) ** (h + 1)


LAWS: dict[str, tuple[str, str, Density]] = {
    "a root in the exponent": ("weibull(3/2, 1)", "2", weibull(1.5, 1)),
    "a root and a scale": ("weibull(5/2, 3)", "1/2", weibull(2.5, 3)),
    "a decimal shape": ("weibull(1.8, 20)", "5", weibull(1.8, 20)),
    "a fraction of thirds and a letter": ("weibull(7/3, b)", "1", weibull(7 / 3, 1.75)),
    "two fractions as shapes": ("burr(5/2, 3/2, b)", "1", burr(2.5, 1.5, 1.75)),
    "a half and a whole shape": ("dagum(3, 1/2, b)", "2", dagum(3, 0.5, 1.75)),
    "shapes with a whole sum": ("dagum(5/2, 3/2, b)", "1", dagum(2.5, 1.5, 1.75)),
    "fractions and an end": ("kumaraswamy(5/2, 3/2)", "1", kumaraswamy(2.5, 1.5)),
    "roots of unity as poles": ("loglogistic(b, 5/2)", "1", dagum(2.5, 1, 1.75)),
    "the same with a number": ("loglogistic(2, 7/2)", "1", dagum(3.5, 1, 2)),
    "letters in the exponent": ("weibull(a, b)", "c", weibull(2.5, 1.75)),
    "an arc sine of 1 at a breakpoint": ("beta(3/2, 1/2)", "c", beta(1.5, 0.5)),
    "letters and an end": ("beta(a, b)", "c", beta(2.5, 1.75)),
    "letters that cancel at an end": ("kumaraswamy(a, b)", "c", kumaraswamy(2.5, 1.75)),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_losses_are_closed_proved_and_those_of_quadrature(name: str) -> None:
    law, cost, density = LAWS[name]
    derivation = cd.derive(cd.Independent(c0=law, c1=cost))
    assert derivation.rule.closed_form
    assert cd.check(derivation).verdict.name == "PROVED"
    rule = derivation.rule
    numbers = rule.at(**{symbol.name: str(WITH[symbol.name]) for symbol in rule.parameters})
    known = float(
        WITH.get(cost, 0) or mpmath.mpf(cost.partition("/")[0]) / mpmath.mpf(cost.partition("/")[2] or 1)
    )
    loss = cd.numeric.compile(numbers)
    for p in (0.1, 0.24, 0.6):
        edge = known * p / (1 - p)
        ends = [x for x in (0, edge / 2, edge) if x <= 1 or density(x) > 0]
        loss0 = mpmath.quad(lambda x: x * density(x), [*ends, *([1] if ends[-1] != edge else [])])
        below = mpmath.quad(density, [*ends, *([1] if ends[-1] != edge else [])])
        assert loss.loss0(p) == pytest.approx(float(loss0), rel=1e-9)
        assert loss.loss1(p) == pytest.approx(float(known * (1 - below)), rel=1e-9, abs=1e-8)


UNIFORM = {  # beside a cost anywhere in an interval: roots of sums of which products are whole, and slopes of roots
    "a root of a sum of cubes": ("dagum(3, 3/2, 2)", dagum(3, 1.5, 2), 0, 4),
    "roots of a fifth": ("weibull(9/5, 4)", weibull(1.8, 4), 1, 2),
}


@pytest.mark.parametrize("name", UNIFORM)
def test_fractions_as_shapes_beside_uniform_costs_are_closed(name: str) -> None:
    law, density, low, high = UNIFORM[name]
    derivation = cd.derive(cd.Independent(c0=law, c1=f"uniform({low}, {high})"))
    assert derivation.rule.closed_form
    assert cd.check(derivation).verdict.name == "PROVED"
    loss = cd.numeric.compile(derivation.rule)
    for p in (0.2, 0.5, 0.8):
        wanted = _beside_uniform(density, p / (1 - p), low, high)
        assert loss.loss0(p) == pytest.approx(wanted, rel=1e-9)


def _beside_uniform(density: Density, odds: float, low: int, high: int) -> float:
    """Integrate ``x f(x)`` times the share of costs c1 that are more than ``x/odds``."""
    ends = [0, odds * low, odds * high] if low else [0, odds * high]
    shared = mpmath.quad(lambda x: x * density(x) * (high - max(x / odds, low)), ends)
    return float(shared / (high - low))
