"""What goes on is given up in time, also by code that takes any exception for an answer."""

from __future__ import annotations

import signal
import time
from contextlib import suppress

import pytest

import costderive as cd
from costderive.cli import derive, main
from costderive.cli.giving_up import given_up_after
from costderive.core.errors import SpecError


def busy(seconds: float) -> None:
    """Compute for so many seconds, and stop for no ordinary exception."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        with suppress(Exception):
            sum(range(1000))


def test_what_takes_long_is_given_up() -> None:
    before, start = signal.getsignal(signal.SIGPROF), time.process_time()
    with (
        pytest.raises(SpecError, match=r"the work took longer than 0\.1 s of CPU time"),
        given_up_after(0.1, "the work"),
    ):
        busy(20)
    assert time.process_time() - start < 5
    assert signal.getsignal(signal.SIGPROF) == before


def test_what_ends_in_time_is_not_interrupted_later() -> None:
    with given_up_after(0.2, "the work"):
        pass
    busy(0.4)


def test_a_derivation_is_given_up_by_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(*_: object, **__: object) -> cd.Derivation:
        busy(20)
        raise AssertionError("it was not given up")

    monkeypatch.setattr(derive, "BEYOND", 0.0)
    monkeypatch.setattr("costderive.spec.spec_file.Spec.derive", endless)
    assert main(["derive", "additive", "--time-limit", "0.1"]) == 2
    assert "the derivation took longer than 0.1 s of CPU time" in capsys.readouterr().err
