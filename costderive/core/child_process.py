"""Run a function in a child process that is ended when its time is over.

SymPy calls may never finish, and one that is interrupted inside the process leaves SymPy's caches in a bad
state. A child takes its damage with it; one that answered in time stays for the next task, its caches warm.

Time is CPU time, so that a busy machine changes no result; the clock ends only what waits for something.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

MEMORY_BYTES = 4 << 30
LONGEST = 1e5  # seconds; nothing waits PATIENCE times that if it is beyond 2^31 milliseconds
TASKS = 200  # of a child, until another takes its place
PATIENCE = 5.0  # times the limit, by the clock

_busy = threading.Lock()
_idle: list[_Child] = []  # one at most
spent = [0.0]  # seconds of CPU time, in children
_child_of: list[int] = []  # the parent, in a child


def within(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Return ``function(*args)``, computed in a child process in so many seconds of CPU time.

    Within such a child it is computed at once: the limit of the child is that of all that it does.

    Raises:
        TimeoutError: if the child has not answered in time, has taken too much memory, or died.
        Exception: whatever the function raised.
    """
    if _child_of:  # a child has no children: its own limit holds
        return function(*args)
    seconds = float(min(seconds, LONGEST))
    try:
        task = bytes(ForkingPickler.dumps((seconds, function, args)))
    except Exception:  # a function that has no name, for example: a fork needs none
        return _answered(_Child.started((seconds, function, args)), None, seconds, function)
    if not _busy.acquire(blocking=False):  # another thread has the child
        return _answered(_Child.started(), task, seconds, function)
    try:
        return _answered(_taken(), task, seconds, function, keep=True)
    except _UnreadError:
        return _answered(_Child.started((seconds, function, args)), None, seconds, function)
    finally:
        _busy.release()


def forget() -> None:
    """End the child that waits: it knows nothing of what was changed in this process after it was forked."""
    while _idle:
        _idle.pop().end()


class _UnreadError(Exception):
    """A task of which a child does not know a class or function: it was defined after the child was forked."""


@dataclass(slots=True)
class _Child:
    """A child process with the pipe to it; it belongs to the process that started it."""

    process: Any
    pipe: Connection
    parent: int
    tasks: int = 0

    @classmethod
    def started(cls, first: tuple[Any, ...] | None = None) -> _Child:
        """Fork a child, which has its first task already if there is one."""
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe()
        child = context.Process(target=_work, args=(theirs, mine, first), daemon=True)
        child.start()
        theirs.close()
        return cls(child, mine, os.getpid())

    def end(self) -> None:
        """Kill the process; that of a parent is not touched."""
        self.pipe.close()
        if self.parent == os.getpid():
            self.process.kill()
            self.process.join()


def _taken() -> _Child:
    """Return the child that waits, or a new one; that of a parent is none of ours."""
    found = _idle.pop() if _idle else None
    if found is None:
        return _Child.started()
    if found.parent == os.getpid() and found.tasks < TASKS and found.process.is_alive():
        return found
    found.end()
    return _Child.started()


def _answered(
    child: _Child, task: bytes | None, seconds: float, function: Callable[..., Any], *, keep: bool = False
) -> Any:
    """Return the answer of a child; one that has not answered, or is not to be kept, is ended."""
    try:
        succeeded, answer = _received(child, task, seconds, function)
    except BaseException:
        child.end()
        raise
    child.tasks += 1
    if keep:
        _idle.append(child)
    else:
        child.end()
    if not succeeded:
        raise answer
    return answer


def _received(
    child: _Child, task: bytes | None, seconds: float, function: Callable[..., Any]
) -> tuple[bool, Any]:
    late = TimeoutError(f"{function.__name__} gave no answer in {seconds:.3g} s.")
    try:
        if task is not None:
            child.pipe.send_bytes(task)
        if not child.pipe.poll(PATIENCE * seconds):
            raise late
        succeeded, answer, used = child.pipe.recv()
    except (EOFError, OSError):
        spent[0] += seconds
        child.process.join(1)
        if child.process.exitcode == -signal.SIGPROF:
            raise late from None
        raise TimeoutError(f"{function.__name__} ended without an answer.") from None
    spent[0] += used
    if isinstance(answer, _UnreadError):
        raise answer
    return succeeded, answer


def _work(theirs: Connection, mine: Connection, first: tuple[Any, ...] | None) -> None:
    """Answer one task after the other, until the parent is gone."""
    mine.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent reports an interrupt, and ends this child
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process
    _child_of.append(os.getppid())
    sys.setrecursionlimit(5000)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    if first is not None:
        theirs.send(_done(*first))
        return
    while True:
        try:
            task = theirs.recv()
        except EOFError:
            return
        except Exception:
            theirs.send((False, _UnreadError(), 0.0))
            return
        theirs.send(_done(*task))


def _done(seconds: float, function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any, float]:
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        answer = True, function(*args)
    except Exception as problem:  # whatever happens in the child is the caller's to judge
        is_memory = isinstance(
            problem, MemoryError | SystemError
        )  # what Python says where an allocation failed
        answer = False, TimeoutError("too much memory") if is_memory else problem
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return *answer, time.process_time() - start
