"""Losses with Gauss's hypergeometric function: against quadrature of the expected cost, and what is not named so."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import mpmath
import pytest
import sympy

import costderive as cd
from costderive.core.symbols import p
from costderive.derivation.moves import NameIntegrals
from costderive.proof.claims import Verdict
from costderive.rules.hypergeometric import by_integrals, hyp2f1

Density = Callable[..., mpmath.mpf]


def lomax(shape: float, scale: float) -> tuple[Density, Density]:
    """Return the density and the probability above a value."""
    return lambda x: shape / scale * (1 + x / scale) ** (-shape - 1), lambda x: (1 + x / scale) ** -shape


def burr(c: float, k: float, scale: float) -> tuple[Density, Density]:
    above = lambda x: (1 + (x / scale) ** c) ** -k  # noqa: E731
    return lambda x: c * k / scale * (x / scale) ** (c - 1) * (1 + (x / scale) ** c) ** (-k - 1), above


def pareto(shape: float, least: float) -> tuple[Density, Density]:
    above = lambda x: min(1, (least / x) ** shape)  # noqa: E731
    return lambda x: shape * least**shape / x ** (shape + 1) if x > least else 0, above


def beta_prime(a: float, b: float) -> tuple[Density, Density]:
    density = lambda x: x ** (a - 1) * (1 + x) ** (-a - b) / mpmath.beta(a, b)  # noqa: E731
    return density, lambda x: mpmath.betainc(b, a, 0, 1 / (1 + x), regularized=True)


CASES = {
    "Lomax, letters for shapes": ("lomax(a, 1)", "lomax(b, m)", lomax(2.5, 1), lomax(1.75, 3)),
    "Lomax, a number beside a letter": ("lomax(a, 1)", "lomax(3, 2)", lomax(2.5, 1), lomax(3, 2)),
    "Lomax, halves": ("lomax(3/2, 1)", "lomax(5/2, m)", lomax(1.5, 1), lomax(2.5, 3)),
    "Burr of one power": ("burr(2, b, 1)", "burr(2, a, 1)", burr(2, 1.75, 1), burr(2, 2.5, 1)),
    "log-logistic": ("loglogistic(1, k)", "loglogistic(m, k)", burr(1.5, 1, 1), burr(1.5, 1, 3)),
    "Lomax beside Pareto": ("lomax(a, 2)", "pareto(3, 1)", lomax(2.5, 2), pareto(3, 1)),
    "Beta prime": ("betaprime(2, b)", "betaprime(1, a)", beta_prime(2, 1.75), beta_prime(1, 2.5)),
}
VALUES = {"a": sympy.Rational(5, 2), "b": sympy.Rational(7, 4), "m": 3, "k": sympy.Rational(3, 2)}


def expected(own: Density, above: Density, ratio: float) -> mpmath.mpf:
    """Integrate the cost of an error where the other cost is large enough for it, over the logarithm of the cost."""
    kinks = sorted({-60.0, -8.0, -3.0, 0.0, -math.log(ratio), 3.0, 8.0, 60.0})  # a Pareto cost is at least 1

    def paid(y: float) -> mpmath.mpf:
        return mpmath.exp(2 * y) * own(mpmath.exp(y)) * above(ratio * mpmath.exp(y))

    return sum(mpmath.quad(paid, cell) for cell in pairwise(kinks))


@pytest.mark.parametrize("name", CASES)
def test_losses_are_expected_costs_and_proved(name: str) -> None:
    first, second, law0, law1 = CASES[name]
    found = cd.derive(cd.Independent(first, second))
    assert found.rule.closed_form and found.rule.loss0.has(hyp2f1, sympy.betainc)
    assert cd.check(found).verdict is Verdict.PROVED
    rule = found.rule.at(**{letter.name: VALUES[letter.name] for letter in found.rule.parameters})
    for report in (0.08, 0.5, 0.9):
        odds = report / (1 - report)
        truth = expected(law0[0], law1[1], 1 / odds), expected(law1[0], law0[1], odds)
        for loss, cost in zip((rule.loss0, rule.loss1), truth, strict=True):
            assert float(sympy.N(loss.subs(p, sympy.Rational(report)), 20)) == pytest.approx(
                float(cost), rel=1e-9
            )


def test_a_compiled_loss_is_that_of_mpmath() -> None:
    rule = cd.derive(cd.Independent("lomax(5/2, 1)", "lomax(7/3, 2)")).rule
    assert rule.loss0.has(hyp2f1)
    compiled = cd.numeric.compile(rule)
    for report in (0.1, 0.5, 0.9):
        exact = float(sympy.N(rule.loss0.subs(p, sympy.Rational(report)), 20))
        assert float(compiled.loss0(report)) == pytest.approx(exact, rel=1e-14)


def test_a_false_name_is_refused() -> None:
    found = cd.derive(cd.Independent("lomax(a, 1)", "lomax(b, m)"))
    (case,) = found.cases
    step = next(step for step in case.steps if isinstance(step.move, NameIntegrals))
    one = step.move.named[0]
    for changes in (
        {"z": one.terms[0].z / 2},
        {"coefficient": 2 * one.terms[0].coefficient},
        {"b": sympy.Integer(3)},
    ):
        false = replace(one, terms=(replace(one.terms[0], **changes), *one.terms[1:]))
        move = NameIntegrals((false, *step.move.named[1:]))
        claims = move.claims(step.before, move.apply(step.before, case.given), case.given)
        assert not all(
            cd.proof.checker.decide(claim, case.given).verdict is Verdict.PROVED for claim in claims
        )


def test_an_integral_over_another_letter_or_from_below_0_is_refused() -> None:
    found = cd.derive(cd.Independent("lomax(a, 1)", "lomax(b, m)"))
    (case,) = found.cases
    step = next(step for step in case.steps if isinstance(step.move, NameIntegrals))
    one = step.move.named[0]
    x, low, high = one.integral.limits[0]
    for variable, start in ((p, low), (x, sympy.Integer(-1)), (x, x)):
        function = one.integral.function.subs(x, variable)
        other = replace(one, integral=sympy.Integral(function, (variable, start, high)))
        claims = NameIntegrals((other,)).claims(step.before, step.after, case.given)
        verdicts = {claim.what: cd.proof.checker.decide(claim, case.given).verdict for claim in claims}
        assert min(verdicts[what] for what in verdicts if "lower end" in what) < Verdict.PROVED


def test_it_is_written_and_read_and_shown() -> None:
    found = cd.derive(cd.Independent("lomax(a, 1)", "lomax(b, m)"))
    assert cd.Derivation.from_json(found.to_json()) == found
    text = cd.export.latex(found)
    assert r"F\left(b, 2; a + b + 1; \frac{" in text and "Gauss's hypergeometric function" in text


def test_a_slope_and_an_integral_agree() -> None:
    z = sympy.Symbol("z", negative=True)
    function = hyp2f1(sympy.Rational(1, 2), 2, 4, z)
    for expr in (function, sympy.diff(function, z)):
        value = sympy.N(by_integrals(expr).subs(z, -3), 20)
        assert abs(value - sympy.N(expr.subs(z, -3), 20)) < 1e-15
