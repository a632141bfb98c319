"""The time that all searches of a derivation share, in seconds of CPU time."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from costderive.core.time_limit import cpu_seconds

_search_end = ContextVar("_search_end", default=(0, math.inf))  # in the process of that number


@contextmanager
def searching(seconds: float) -> Iterator[None]:
    """Let all searches inside end in so many seconds of CPU time, whatever they are given each."""
    before = _search_end.set((os.getpid(), cpu_seconds() + seconds))
    try:
        yield
    finally:
        _search_end.reset(before)


def search_seconds(wanted: float) -> float:
    """Return how long a search may take that is given so many seconds; 0 if time for searches is over."""
    process, end = _search_end.get()
    return min(wanted, max(end - cpu_seconds(), 0.0)) if process == os.getpid() else wanted
