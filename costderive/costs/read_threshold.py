"""Thresholds as people write them: a number, a law, a density, or what decides at given costs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.core.toml_input import known_keys
from costderive.costs.laws import law_in
from costderive.costs.thresholds import (
    Calibrated,
    DistortedThreshold,
    FixedThreshold,
    RandomThreshold,
    Threshold,
)


def threshold_from(value: object, place: str = "threshold") -> Threshold:
    """Read a threshold: ``"calibrated"``, a number, a law, a table with a density, or what it is for given costs.

    A law is written as ``"uniform(0, 1)"``, a density is an expression in ``t``, as in ``{density = "2*t"}``; a
    threshold that depends on the costs is one in ``s``, or in ``c0`` and ``c1``, as ``"2*c0/(2*c0 + c1)"``.

    Raises:
        SpecError: if it is none of these, or outside [0, 1].

    >>> threshold_from("1/2")
    FixedThreshold(at=1/2)
    """
    if isinstance(value, Threshold):
        return value
    try:
        return _read(value, place)
    except SpecError as error:
        problem = error.problem if error.problem.startswith(place) else f"{place}: {error.problem}"
        raise type(error)(problem, error.remedy) from None


def _read(value: object, place: str) -> Threshold:
    if isinstance(value, Mapping):
        known_keys(value, ("density",), "", f"{place}.")
        return RandomThreshold(value.get("density", 1))
    if value == "calibrated":
        return Calibrated()
    if isinstance(value, str) and re.search(r"\b(s|c0|c1)\b", value):
        return DistortedThreshold(value)
    named = law_in(value, place)
    return FixedThreshold(exact(value, place=place)) if named is None else RandomThreshold(named)
