"""Derivations in time: each in a child process, which tells what it has found so far and is ended at the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.time_limit import within
from costderive.costs.contexts import Context
from costderive.costs.thresholds import Threshold
from costderive.derivation.certificates.document import vocabulary_of
from costderive.derivation.derivation import Derivation
from costderive.derivation.integration.search_time import searching

BEYOND = 30.0  # seconds of CPU time for all that is no search

Drafts = Callable[[Context, Threshold, float], Iterator[Derivation]]
Written = str | Derivation  # a certificate or, of what that cannot hold, the derivation for a pickle
Tell = Callable[[Written], object]


def derived_in_time(start: Context, drafts: Drafts, threshold: Threshold, seconds: float) -> Derivation:
    """Return the last of the derivations that are found one after the other, each better than the one before.

    Searches end after so many seconds of CPU time, and all else ``BEYOND`` seconds later.

    Raises:
        SpecError: if none was found in time.
    """
    asked = _Asked(start, drafts, threshold, seconds)
    if not asked.can_be_sent():
        *_, last = asked.answers()
        return last
    told: list[Written] = []
    try:
        within(seconds + BEYOND, _tell_all, asked, heard=told.append, nests=True)
    except TimeoutError as late:
        if not told:
            raise _too_late(start, seconds) from late
    return read(told[-1])


def written(derivation: Derivation) -> Written:
    """Return what `read` rebuilds, in this process or another one: a certificate, if that can be read.

    A pickle may evaluate expressions, and then says of a derivation something else than its certificate.
    """
    text = derivation.to_json()
    with suppress(SpecError):  # expressions that are safe here, and refused in a certificate from anywhere
        Derivation.from_json(text)
        return text
    return derivation


def read(what: Written) -> Derivation:
    """Rebuild a derivation."""
    return Derivation.from_json(what) if isinstance(what, str) else what


def _too_late(start: Context, seconds: float) -> SpecError:
    problem = f"no rule was derived within time_limit = {seconds:g} s and {BEYOND:g} s more, or in the memory there is"
    numbers = "give letters numbers, " if start.parameters else ""
    return SpecError(problem, f"Write simpler costs, {numbers}or give a longer time_limit.")


def _tell_all(asked: _Asked, tell: Tell) -> None:
    last = None
    for found in asked.answers():
        if found != last:
            tell(written(found))
        last = found


@dataclass(frozen=True)
class _Asked:
    """A context to derive; it is sent to a child as in a certificate, since a pickle may evaluate expressions."""

    start: Any
    drafts: Drafts
    threshold: Threshold
    seconds: float

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _asked, (self._plain(), self.drafts, self.threshold, self.seconds)

    def _plain(self) -> Any:
        return vocabulary_of(Derivation).encode(self.start)

    def can_be_sent(self) -> bool:
        """Does a certificate hold such a context?"""
        with suppress(CostDeriveError):
            return bool(self._plain())
        return False

    def answers(self) -> Iterator[Derivation]:
        with searching(self.seconds):
            yield from self.drafts(self.start, self.threshold, self.seconds)


def _asked(plain: Any, drafts: Drafts, threshold: Threshold, seconds: float) -> _Asked:
    return _Asked(vocabulary_of(Derivation).decode(plain), drafts, threshold, seconds)
