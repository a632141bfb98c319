"""Run a function for so many seconds: in a child process or, where there are none, in this one until it is interrupted.

SymPy calls may never finish, and one that is interrupted inside the process leaves SymPy's caches in a bad state. So a
child takes its damage with it. A browser has no child processes: there the page interrupts, and the caches are cleared.
"""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sympy.core.cache import clear_cache

from costderive.core.errors import LostError, OutOfMemoryError, SpecError

try:
    from costderive.core import child_process
except ImportError:  # of what an operating system has, and a browser has not
    HAS_CHILDREN = False
else:
    HAS_CHILDREN = True

GRACE = 0.2  # seconds in which an interrupt is dealt with before the next one

_interrupt_at: list[Callable[[float], object]] = [lambda _: None]  # one, which says when
_ends = [math.inf]  # of the limits under way in this process, the last one the soonest


def within(
    seconds: float,
    function: Callable[..., Any],
    *args: Any,
    heard: Callable[[Any], object] | None = None,
    nests: bool = False,
) -> Any:
    """Return ``function(*args)``, computed in so many seconds of CPU time.

    If there is ``heard``, the function has one more argument, with which it tells what it has found so far: that is
    heard even if there is no answer in time. Limits inside the function hold only if it ``nests``.

    Raises:
        TimeoutError: if there is no answer in time.
        OutOfMemoryError: if too much memory was taken.
        LostError: if the process that computed it was ended from outside, twice.
        Exception: whatever the function raised.
    """
    if not seconds > 0:
        raise TimeoutError(f"{function.__name__} has no time.")
    if HAS_CHILDREN:
        return child_process.within(seconds, function, *args, heard=heard, nests=nests)
    return _within_this_process(seconds, function, *args, *filter(None, (heard,)))


def can_be_sent(what: object) -> bool:
    """Can an object be sent from a child? Not if a class of it is known in one notebook alone."""
    with suppress(Exception):  # whatever an object raises that cannot be written
        return bool(pickle.dumps(what))
    return False


def interrupt_by(interrupt_at: Callable[[float], object]) -> None:
    """Say how this process is interrupted where it can have no children; without that nothing ends in time there.

    ``interrupt_at(seconds)`` asks for a ``KeyboardInterrupt`` when ``time.monotonic()`` is so much, later or never
    (infinity); it takes the place of what was asked before.
    """
    _interrupt_at[:] = [interrupt_at]


def forget() -> None:
    """End the child that waits: it knows nothing of what was changed in this process after it was forked."""
    if HAS_CHILDREN:
        child_process.forget()


def cpu_seconds() -> float:
    """Return the CPU time of this process and of the children that worked for it, up to a constant."""
    return time.process_time() + (child_process.spent[0] if HAS_CHILDREN else 0.0)


def unsure_tasks() -> int:
    """Return how many tasks had no answer for a reason that may be missing another time, such as a child that died."""
    return child_process.unsure[0] if HAS_CHILDREN else 0


def limited(seconds: float, what: str, function: Callable[..., Any], *args: Any) -> Any:
    """Return ``function(*args)``, or say what took too long.

    Raises:
        SpecError: if there is no answer in time.
        Exception: whatever the function raised.
    """
    try:
        return within(seconds, function, *args)
    except (LostError, OutOfMemoryError):
        raise
    except TimeoutError:
        problem = f"{what} took longer than time_limit = {seconds:g} s"
        raise SpecError(problem, "Give a longer time_limit, or a simpler expression.") from None


def _within_this_process(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    end = time.monotonic() + seconds
    _ends.append(min(end, _ends[-1]))
    _interrupt_at[0](_ends[-1])
    try:
        return function(*args)
    except KeyboardInterrupt:
        if time.monotonic() < end:  # a limit around this one, or the user
            raise
        clear_cache()
        raise TimeoutError(f"{function.__name__} gave no answer in {seconds:.3g} s.") from None
    finally:
        _ends.pop()
        _interrupt_at[0](max(_ends[-1], time.monotonic() + GRACE))
