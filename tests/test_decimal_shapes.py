"""Shapes with decimals, such as 1.37, make roots of a high order: claims on them are decided as for other shapes."""

from __future__ import annotations

import pytest
from sympy import Rational

import costderive as cd
from costderive.core.symbols import s
from costderive.deciders.identities import zero
from costderive.proof.claims import Verdict


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("beta(1.37, 2.15)", "uniform(0, 1)"),
        ("beta(1/20, 1/20)", "uniform(0, 1)"),
        ("beta(0.85, 1.95)", "exponential(1.3)"),
        ("beta(a, a)", "uniform(0, 1)"),
        ("gamma(2.37, 1)", "uniform(0, 3)"),
    ],
)
def test_their_rules_are_proved(first: str, second: str) -> None:
    assert cd.check(cd.derive(cd.Independent(first, second))).verdict is Verdict.PROVED


def test_whole_powers_are_split_from_roots_and_nothing_else_is() -> None:
    root, base = Rational(37, 100), 1 - s / 2
    assert zero(base ** (1 + root) - base * base**root)
    assert zero(base ** (root - 3) - base**root / base**3)
    assert not zero(base ** (1 + root) - base**2 * base**root)
    assert not zero(base ** (1 + root) - base * base ** Rational(38, 100))
