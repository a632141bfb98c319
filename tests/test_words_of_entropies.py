"""Entropies in articles: where they are strictly concave, and formulas that are equal to what they stand for."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
from sympy import Expr, Rational, S, Symbol, asin, exp, log, sqrt

import costderive as cd
from costderive.core.piecewise import Piece, Pieces
from costderive.core.symbols import q
from costderive.publish.formulas.printing import latex
from costderive.publish.words.entropy_of_costs import (
    _over_common_factor,
    _with_one_rational_part,
    _with_roots_cancelled,
    entropy_of,
    in_one,
)
from costderive.publish.words.long_values import names
from costderive.publish.words.mirrored import long_losses
from costderive.publish.words.scene import Scene
from tests.families import article

HALF = Rational(1, 2)


def scene(derivation: cd.Derivation) -> Scene:
    (case,) = derivation.cases
    return Scene(case, names(long_losses(case)), bounded=True, brief=True)


def entropy_by_quadrature(k: int, belief: float) -> mpmath.mpf:
    """Return the risk of the truth for costs whose power mean is 1 and a uniform cost proportion."""

    def cost(s: mpmath.mpf) -> mpmath.mpf:  # both costs together
        return (2 / (s**k + (1 - s) ** k)) ** (mpmath.mpf(1) / k)

    first = mpmath.quad(lambda s: s * cost(s), [0, belief])
    second = mpmath.quad(lambda s: (1 - s) * cost(s), [belief, 1])
    return (1 - belief) * first + belief * second


@pytest.mark.parametrize("k", [3, -2])
def test_an_entropy_as_written_is_the_risk_of_the_truth(k: int) -> None:
    (piece,) = entropy_of(scene(cd.derive(cd.PowerMean(k))))
    for belief in (0.03, 0.4, 0.6, 0.95):
        written = mpmath.mpf(piece.value.subs(q, belief).evalf(20))
        assert mpmath.almosteq(written, entropy_by_quadrature(k, belief), 1e-12)


def test_an_entropy_that_is_too_wide_for_cases_is_one_formula() -> None:
    text = article("cubic")
    assert r"\left|2 q - 1\right| \mathrm{B}_{z(q)}" in text
    assert r"It is, with \(z\) as in Theorem~\ref{thm:score}," in text


def test_pieces_that_differ_otherwise_than_in_a_sign_stay_two() -> None:
    first, other = (1 - 2 * q) * log(q), (2 * q - 1) * log(q)
    for high in (other + 1, 2 * other, other + sqrt(q) * (2 * q - 1), log(1 - q) * (2 * q - 1)):
        assert in_one(Pieces(q, (Piece(S.Zero, HALF, first), Piece(HALF, S.One, high)))) is None
    apart = Piece(S.Zero, Rational(1, 3), first), Piece(Rational(1, 3), S.One, other)
    assert in_one(Pieces(q, apart)) is None  # they jump there


def test_an_entropy_names_class_0_first_as_the_losses_do() -> None:
    first, second = r"(1 - q) \arcsin\sqrt{q}", r"q \arcsin\sqrt{1 - q}"
    assert f"{first} + {second} -" in article("geometric")


def test_the_rational_terms_of_an_entropy_are_one_fraction() -> None:
    found = _with_one_rational_part(2 * q / 9 + Rational(1, 3) - sqrt(q) - 2 * q**2 / 9)
    assert latex(found) == r"\frac{3 + 2 q - 2 q^2}{9} - \sqrt{q}"


def test_a_corollary_says_where_an_entropy_is_strictly_concave() -> None:
    text = article("rectangle")
    assert r"is concave on \([0, 1]\), strictly so on \((\frac{1}{4}, \frac{2}{3})\), with" in text
    assert "is strictly concave on" in article("additive")
    assert "strictly so on" not in article("known")


LETTER = Symbol("b", positive=True)
FORMS = [
    4 * LETTER * sqrt(q) * sqrt(1 - q),
    2 * LETTER * (1 - q) * sqrt(q / (1 - q)) + 2 * LETTER * q * sqrt((1 - q) / q),
    (q ** Rational(3, 2) + (1 - q) ** Rational(3, 2)) / (sqrt(q) + sqrt(1 - q)) - asin(sqrt(q)),
    1 - q - (1 - q) * log(2 * (1 - q)),
    q * exp(-q) - q,
    q**LETTER * (1 - q) + q,
    q * log(2),
]


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("write", [_with_one_rational_part, _over_common_factor, _with_roots_cancelled])
def test_what_is_written_otherwise_has_the_same_values(form: Expr, write: Callable[[Expr], Expr]) -> None:
    difference = (write(form) - form).subs({LETTER: Rational(7, 5), q: Rational(3, 10)})
    assert abs(difference.evalf(30)) < 1e-20
