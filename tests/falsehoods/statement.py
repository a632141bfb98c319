"""A false statement, and what the code under test says of it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Given
from costderive.proof.checker import decide
from costderive.proof.claims import Claim

REFUSED, TIMEOUT, CRASHED = "refused", "no answer in time", "crashed"
SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is false, as the referee found: ``kind`` and ``family`` say of what sort it is.

    ``ask`` puts it to the code under test, which answers by the name of a verdict or is refused; ``why`` is the
    evidence of its falsity.
    """

    kind: str
    family: str
    shown: str
    why: str
    ask: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to a statement, in how many seconds of the processor."""

    statement: Statement
    verdict: str
    seconds: float


Generator = Callable[[Random], Statement | None]


def of_claim(family: str, claim: Claim, why: str, given: Given = Given()) -> Statement:
    """Return the statement that a claim holds under facts that are given."""
    known = f" given {given}" if given != Given() else ""
    return Statement(
        type(claim).__name__, family, f"{claim}{known}", why, lambda: decide(claim, given).verdict.name
    )


def answer(statement: Statement, seconds: float = SECONDS) -> str:
    """Return what is said of a statement: the name of a verdict, or why there is none."""
    try:
        with _limited(seconds):
            return statement.ask()
    except CostDeriveError:
        return REFUSED
    except _TooLong:
        return TIMEOUT
    except Exception as problem:  # a crash proves nothing, but is reported
        return f"{CRASHED}: {type(problem).__name__}"


class _TooLong(BaseException):
    """The time is over; no handler of exceptions may take it for another."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
