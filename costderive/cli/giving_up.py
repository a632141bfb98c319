"""A command ends, whatever it is asked: a derivation is given up where its own limits do not reach."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from costderive.core.errors import SpecError

TICK = 1.0  # seconds after which an interrupt that was lost comes again


class _OverError(BaseException):
    """Time is over: searches that take any other exception for "nothing found" do not stop this one."""


@contextmanager
def given_up_after(seconds: float, what: str) -> Iterator[None]:
    """Give up what goes on once this process has computed for so many seconds of CPU time.

    Children that search have limits of their own, and their time does not count. Where a system has no such timer,
    and in a thread beside the main one, nothing is given up. The process should end soon after: SymPy's caches may be
    in a bad state.

    Raises:
        SpecError: if time is over.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, TICK)
    try:
        yield
    except _OverError:
        remedy = "Write simpler costs, or give more --time-limit."
        raise SpecError(f"{what} took longer than {seconds:g} s of CPU time", remedy) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(number: int, frame: object) -> None:
    raise _OverError
