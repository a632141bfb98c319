"""A derivation ends in time, whatever it runs into, and what was found until then is kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

import costderive as cd
from costderive.cli import derive as command
from costderive.core.errors import SpecError
from costderive.costs.contexts import Context
from costderive.costs.thresholds import Threshold
from costderive.derivation import in_time
from costderive.derivation.derivation import Derivation
from costderive.derivation.in_time import derived_in_time, read, written
from costderive.derivation.integration.search_time import search_seconds, searching
from costderive.proof.claims import Verdict

HALF, CALIBRATED = cd.Additive(budget=1), cd.Calibrated()


def busy() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # as deciders do, which take any exception for an answer
            continue


def endless(start: Context, threshold: Threshold, seconds: float) -> Iterator[Derivation]:
    busy()
    yield Derivation(start, ())


def endless_after_the_first(start: Context, threshold: Threshold, seconds: float) -> Iterator[Derivation]:
    yield cd.derive(start)
    busy()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_time, "BEYOND", 0.2)


def test_a_derivation_that_goes_on_for_ever_is_an_error_that_names_the_limit() -> None:
    with pytest.raises(SpecError, match=r"within time_limit = 0\.1 s and 0\.2 s more.*\n.*longer time_limit"):
        derived_in_time(HALF, endless, CALIBRATED, 0.1)


def test_what_was_found_before_is_kept_and_proved() -> None:
    found = derived_in_time(HALF, endless_after_the_first, CALIBRATED, 2.0)
    assert found == cd.derive(HALF)
    assert cd.check(found).verdict is Verdict.PROVED


def test_the_limit_holds_in_a_thread() -> None:
    refused: list[str] = []

    def work() -> None:
        try:
            derived_in_time(HALF, endless, CALIBRATED, 0.1)
        except SpecError as error:
            refused.append(error.problem)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(refused) == 2


def test_searches_share_one_limit() -> None:
    assert search_seconds(60) == 60
    with searching(0.05):
        assert 0 < search_seconds(60) <= 0.05
        end = time.process_time() + 0.06
        while time.process_time() < end:
            pass
        assert search_seconds(60) == 0
    assert search_seconds(60) == 60


def test_what_no_certificate_holds_is_kept_too() -> None:
    found = cd.derive(cd.PowerMean(k="-1/1000"), time_limit=2)
    assert not isinstance(written(found), str)
    assert read(written(found)) == found


def test_the_command_and_the_function_have_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert command.BEYOND == in_time.BEYOND
