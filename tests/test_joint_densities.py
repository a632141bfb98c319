"""Joint densities that vanish on a side of their support, or whose factors are negative, against direct integration."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from mpmath import mp, mpf
from sympy import Rational

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.symbols import c0, c1, p
from costderive.costs.contexts.region import Region
from costderive.proof.claims import Verdict

FORECASTS = (Rational(1, 5), Rational(3, 7), Rational(4, 5))
TRIANGLE = "c0 + c1 <= 1"
SQUARE = ((0, 1), (0, 1))

ON_TRIANGLE = {
    "6*(1 - c0 - c1)": lambda x, y: 6 * (1 - x - y),
    "120*c0*c1*(1 - c0 - c1)": lambda x, y: 120 * x * y * (1 - x - y),
    "12*(c0 - c1)^2": lambda x, y: 12 * (x - y) ** 2,
}
ON_SQUARE = {
    "4*(1 - c0)*(1 - c1)": lambda x, y: 4 * (1 - x) * (1 - y),
    "9/4*(1 - c0^2)*(1 - c1^2)": lambda x, y: mpf(9) / 4 * (1 - x**2) * (1 - y**2),
    "log(c0)*log(c1)": lambda x, y: mp.log(x) * mp.log(y),
}


def losses(density: Any, width: Any, at: Any) -> tuple[Any, Any]:
    """Integrate the costs along each ray from the origin, which leaves the support at ``width(s)`` times its direction.

    With ``(c0, c1) = (s B, (1 - s) B)`` an element of area is ``B dB ds``.
    """

    def along(s: Any, cost: Any) -> Any:
        return mp.quad(lambda b: cost(s) * b * density(s * b, (1 - s) * b) * b, [0, width(s)])

    kinks = sorted({mpf(0), mpf(1) / 2, at, mpf(1)})
    low = [x for x in kinks if x <= at]
    high = [x for x in kinks if x >= at]
    loss0 = mp.quad(lambda s: along(s, lambda s: s), low)
    return loss0, mp.quad(lambda s: along(s, lambda s: 1 - s), high)


CASES = [
    *[(text, TRIANGLE, density, lambda s: mpf(1)) for text, density in ON_TRIANGLE.items()],
    *[(text, SQUARE, density, lambda s: 1 / max(s, 1 - s)) for text, density in ON_SQUARE.items()],
]


@pytest.mark.parametrize(("text", "support", "density", "width"), CASES, ids=[case[0] for case in CASES])
def test_losses_are_those_of_direct_integration(text: str, support: Any, density: Any, width: Any) -> None:
    derivation = cd.derive(cd.Joint(text, support))
    assert cd.check(derivation).verdict is Verdict.PROVED
    for forecast in FORECASTS:
        found = (loss.subs(p, forecast) for loss in (derivation.rule.loss0, derivation.rule.loss1))
        for value, expected in zip(found, losses(density, width, mpf(forecast.p) / forecast.q), strict=True):
            assert abs(mpf(sympy.N(value, 20)) - expected) < mpf(10) ** -8


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("12*(1 - c0 - c1) - 2", TRIANGLE),
        ("2 - 4*c0*c1", SQUARE),
        ("9/2*(1 - c0)*(c1 - 1/9)*8/7", SQUARE),
    ],
)
def test_a_density_that_is_negative_near_a_side_is_refused(text: str, support: Any) -> None:
    with pytest.raises(SpecError, match="negative at c0"):
        cd.derive(cd.Joint(text, support))


def test_an_extreme_of_three_terms_is_cut_where_it_changes() -> None:
    """The greatest cost is ``m b``, m = max(s, 1 - s); the integral of ``b^2 max(m b, 1/2)`` over b is 49/192 m^-3."""
    derivation = cd.derive(cd.Joint("24/17*max(c0, c1, 1/2)", SQUARE))
    assert cd.check(derivation).verdict is Verdict.PROVED
    x = sympy.Symbol("x")
    below, above = (Rational(24, 17) * Rational(49, 192) / m**3 for m in (1 - x, x))
    half, at = Rational(1, 2), Rational(4, 5)
    wanted = sympy.integrate(x * below, (x, 0, half)) + sympy.integrate(x * above, (x, half, at))
    assert sympy.simplify(derivation.rule.loss0.subs(p, at) - wanted) == 0
    wanted = sympy.integrate((1 - x) * above, (x, at, 1))
    assert sympy.simplify(derivation.rule.loss1.subs(p, at) - wanted) == 0


@pytest.mark.parametrize("sides", [(c0 - 2 * c1, c1 - c0), (c0 - c1, c1 - c0), (c0 - 2, 1 - c0)])
def test_costs_on_a_point_or_a_line_have_no_area(sides: tuple[sympy.Expr, ...]) -> None:
    assert not Region.of(sides).has_area
    assert Region.of((sides[0],)).has_area
