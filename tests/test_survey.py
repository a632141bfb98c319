"""Contexts of every family: in closed form where one is known, right, and proved."""

from __future__ import annotations

import pytest

import costderive as cd
from costderive.proof.claims import Verdict
from tests.benchmarks.survey import error
from tests.survey import SURVEY, Entry

POINTS = (0.07, 0.4375, 0.86)
# Both sides are about 16 digits; our losses are differences of terms of their own size near the ends.
RELATIVE = 1e-12


@pytest.mark.parametrize("entry", SURVEY, ids=lambda entry: entry.name)
def test_the_losses_are_those_of_direct_integration_and_their_properness_is_proved(entry: Entry) -> None:
    derivation = cd.derive(entry.build())
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form == entry.closed
    assert error(derivation.rule.at(**entry.numbers), entry.truth, POINTS) < RELATIVE
