"""Whatever a person puts in a place of a public constructor: it is read, or refused with the place and the way out."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.expressions import parse
from costderive.core.expressions.law_names import LAWS
from costderive.costs.laws.parse_laws import CALLED

HUGE = 10**5000  # more digits than Python prints
UNIT = "uniform(0, 1)"

PLACES: dict[str, Callable[[Any], Any]] = {
    "a known cost": lambda value: cd.FixedCosts(value, 1),
    "bounds": lambda value: cd.IndependentUniform(c0=value, c1=(0, 1)),
    "a law": lambda value: cd.Independent(c0=value, c1=1),
    "a budget": lambda value: cd.Additive(budget=value),
    "the law of s": lambda value: cd.Additive(density=value),
    "an exponent": cd.PowerMean,
    "a family": lambda value: cd.Copula(value, 1, c0=UNIT, c1=UNIT),
    "a parameter": lambda value: cd.Copula("frank", value, c0=UNIT, c1=UNIT),
    "a curve": lambda value: cd.Curve(c0=value, c1=1, density=UNIT),
    "a joint density": lambda value: cd.Joint(value, "c0 + c1 <= 2"),
    "a density on a square": lambda value: cd.Joint(value, ((0, 1), (0, 1))),
    "a support": lambda value: cd.Joint("1/2", value),
    "a support of a density": lambda value: cd.Independent(c0=cd.laws.Density(1, value), c1=1),
    "an end of a support": lambda value: cd.Independent(c0=cd.laws.Density(1, (0, value)), c1=1),
    "a factor": lambda value: cd.CommonFactor(value, cd.Additive()),
    "a context": lambda value: cd.CommonFactor(1, value),
    "a part of a mixture": cd.Mixture,
    "parts": lambda value: cd.costs_of_parts("a", "b", parts=value),
    "a threshold": cd.FixedThreshold,
    "a distortion": cd.DistortedThreshold,
    "what is derived": cd.derive,
    "a limit of time": lambda value: cd.derive(cd.Additive(), time_limit=value),
    "a pair of losses": lambda value: cd.examine(value, "1 - p", time_limit=1),
    "what is assumed": lambda value: cd.examine("p^2", "(1 - p)^2", assuming=value, time_limit=1),
}
VALUES: dict[str, Any] = {
    "a huge number": HUGE,
    "huge bounds": (HUGE, HUGE + 1),
    "an array without dimensions": np.array(1.0),
    "an array": np.array([1.0, 2.0]),
    "an array of two rows": np.array([[1, 2], [3, 4]]),
    "an array of nothing": np.array([]),
    "the letter of densities": "x",
    "the name of a law": "exponential",
    "an iterator": iter([1, 2]),
    "nothing": None,
    "not a number": float("nan"),
    "no text": "",
}


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.parametrize("place", PLACES)
def test_an_odd_value_is_read_or_refused_in_words(place: str, what: str) -> None:
    try:
        found = PLACES[place](VALUES[what])
    except SpecError as refusal:
        assert refusal.problem and refusal.remedy
    else:
        assert repr(found)


def test_an_array_without_dimensions_is_a_number() -> None:
    assert cd.FixedCosts(np.array(2.0), 1) == cd.FixedCosts(2, 1)


def test_the_names_of_laws_are_those_that_can_be_called() -> None:
    assert dict(LAWS) == {name: ", ".join(signature(build).parameters) for name, build in CALLED.items()}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_without_its_parentheses_is_not_a_letter(name: str) -> None:
    with pytest.raises(SpecError, match="name of a law") as refusal:
        cd.Independent(c0=f"2*{name}", c1=1)
    assert f"{name}({LAWS[name]})" in refusal.value.remedy


def test_a_part_may_have_the_name_of_a_law() -> None:
    pareto = cd.symbols.parameter("part")
    assert parse("2*pareto", names={"pareto": pareto}) == 2 * pareto
