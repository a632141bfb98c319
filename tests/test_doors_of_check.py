"""What is no derivation is refused; what is negative at a single place is refused there."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.errors import SpecError
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import Verdict


@pytest.mark.parametrize("given", [3, "text", None], ids=str)
def test_what_is_no_derivation_is_not_checked(given: object) -> None:
    with pytest.raises(SpecError, match=type(given).__name__):
        cd.check(given)  # type: ignore[arg-type]


def test_a_rule_is_no_derivation() -> None:
    with pytest.raises(SpecError, match="ScoringRule"):
        cd.check(cd.rule_from_weight("2"))  # type: ignore[arg-type]


def test_a_weight_that_is_negative_in_a_narrow_place_is_refused_with_the_point() -> None:
    with pytest.raises(SpecError, match="negative at s = 1/3"):
        cd.rule_from_weight("(s-1/3)^2-1/10^30")


def test_a_weight_without_a_value_for_some_letter_is_refused_for_that() -> None:
    with pytest.raises(SpecError, match=r"infinite at s = .*, k = 1"):
        cd.rule_from_weight("1/(k-1)^2")


def test_a_link_that_falls_in_a_narrow_place_is_refused_with_the_point() -> None:
    with pytest.raises(SpecError, match="negative at s = 1/3"):
        cd.rule_from_link("(p-1/3)^3/3 - p/10^30")


@pytest.mark.parametrize("number", [sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.I], ids=str)
def test_what_is_no_real_number_has_no_sign(number: sympy.Expr) -> None:
    assert positive(number) is None
    assert nonnegative(number) is None


@pytest.mark.parametrize(
    "limit", [0, -1, math.nan, math.inf, True, "60", b"60", (), 1 + 2j, np.array([1, 2])]
)
def test_what_is_no_time_is_refused_as_a_limit(limit: Any) -> None:
    with pytest.raises(SpecError, match="is not a time"):
        cd.check(cd.derive(cd.Additive()), time_limit=limit)


@pytest.mark.parametrize("limit", [60, np.float32(60), np.int64(60), sympy.Integer(60), 10**9, 10**400])
def test_any_number_of_seconds_is_a_limit(limit: Any) -> None:
    assert cd.check(cd.derive(cd.Additive()), time_limit=limit).verdict is Verdict.PROVED


@pytest.mark.parametrize("read", [cd.Derivation.from_json, cd.as_context, cd.explain])
@pytest.mark.parametrize("given", [None, 1, [], b"{}", object()])
def test_what_is_no_certificate_and_no_rule_is_refused(read: Callable[[Any], Any], given: Any) -> None:
    with pytest.raises(SpecError, match=r"is no text|is not a scoring rule"):
        read(given)
