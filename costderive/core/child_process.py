"""Run a function in a child process that is ended when its time is over.

SymPy calls may never finish, and one that is interrupted inside the process leaves SymPy's caches in a bad
state. A child takes its damage with it; one that answered in time stays for the next task, its caches warm.

Time is CPU time, so that a busy machine changes no result; the clock ends only what waits for something.
A task that ``nests`` may have children of its own, for parts of it with limits of their own; their time is its time.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from costderive.core.errors import LostError, OutOfMemoryError

MEMORY_BYTES = 4 << 30
FULL = f"this takes too much memory, more than {MEMORY_BYTES >> 30} GB"
DIED = "a process that worked on this died, and so did the next one"
SHORT = "Exit code -9 is that of a system short of memory: free some, and try again."
LONGEST = 1e5  # seconds; nothing waits PATIENCE times that if it is beyond 2^31 milliseconds
TASKS = 200  # of a child, until another takes its place
PATIENCE = 5.0  # times the limit, by the clock
PARTING = 0.5  # seconds, in which a child that is no longer wanted ends its own
SOON = 1e-3  # seconds, in which a process ends whose time is over

_busy = threading.Lock()
_idle: list[_Child] = []  # one at most
spent = [0.0]  # seconds of CPU time, in children
unsure = [0]  # times that a child died, was short of memory or waited: another time it may answer
_is_alone = [False]  # a child, whose task may have no children of its own
_end = [math.inf]  # of the task of a child, in seconds as `_cpu_seconds` counts them
_up: list[Connection] = []  # the pipe to the parent, in a child


def within(
    seconds: float,
    function: Callable[..., Any],
    *args: Any,
    heard: Callable[[Any], object] | None = None,
    nests: bool = False,
) -> Any:
    """Return ``function(*args)``, computed in a child process in so many seconds of CPU time.

    Within a child whose task does not nest it is computed at once: the limit of the child is that of all that it does.
    If there is ``heard``, the function has one more argument, a function that tells what was found so far.

    Raises:
        TimeoutError: if the child has not answered in time.
        OutOfMemoryError: if it has taken too much memory.
        LostError: if it died, and another one that was given the same task died too.
        Exception: whatever the function raised.
    """
    if _is_alone[0]:
        return function(*args, *filter(None, (heard,)))
    left = max(_end[0] - _cpu_seconds(), SOON)
    work = _Work(float(min(seconds, left, LONGEST)), function, args, heard is not None, nests)
    try:
        return _in_one_of_two(work, heard)
    finally:
        _set_timer()


def _in_one_of_two(work: _Work, heard: Callable[[Any], object] | None) -> Any:
    """Let a child do the work and, if it dies, another one."""
    with suppress(LostError):
        return _in_child(work, heard)
    return _in_child(work, heard)


def _in_child(work: _Work, heard: Callable[[Any], object] | None) -> Any:
    """Let a child do the work: the one that waits, or another."""
    try:
        task = bytes(ForkingPickler.dumps(work))
    except Exception:  # a function that has no name, for example: a fork needs none
        return _answered(_Child.started(work), None, work, heard)
    if not _busy.acquire(blocking=False):  # another thread has the child
        return _answered(_Child.started(), task, work, heard)
    try:
        return _answered(_taken(), task, work, heard, keep=True)
    except _UnreadError:
        return _answered(_Child.started(work), None, work, heard)
    finally:
        _busy.release()


def forget() -> None:
    """End the child that waits: it knows nothing of what was changed in this process after it was forked."""
    while _idle:
        _idle.pop().end()


class _UnreadError(Exception):
    """A task of which a child does not know a class or function: it was defined after the child was forked."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What a child does: in so many seconds a function of arguments, and of one that tells what it has found so far.

    It may have children for that if it ``nests``.
    """

    seconds: float
    function: Callable[..., Any]
    args: tuple[Any, ...]
    tells: bool
    nests: bool


@dataclass(frozen=True, slots=True)
class _Message:
    """What a child says: what was found so far or, at last, the answer or an exception, and the seconds it took.

    ``unsure`` counts those of its own tasks that may have an answer another time.
    """

    content: Any
    is_last: bool = False
    succeeded: bool = True
    used: float = 0.0
    unsure: int = 0


@dataclass(slots=True)
class _Child:
    """A child process with the pipe to it; it belongs to the process that started it."""

    process: Any
    pipe: Connection
    parent: int
    tasks: int = 0

    @classmethod
    def started(cls, first: _Work | None = None) -> _Child:
        """Fork a child, which has its first task already if there is one."""
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe()
        child = context.Process(target=_work, args=(theirs, mine, first), daemon=True)
        own = multiprocessing.current_process()
        was, own.daemon = own.daemon, False  # a daemonic process may have no children: they might outlive it
        child.start()
        own.daemon = was
        theirs.close()
        return cls(child, mine, os.getpid())

    def end(self) -> None:
        """End the process, which may first end one of its own; that of a parent is not touched."""
        self.pipe.close()
        if self.parent == os.getpid():
            self.process.terminate()
            self.process.join(PARTING)
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
    child: _Child,
    task: bytes | None,
    work: _Work,
    heard: Callable[[Any], object] | None,
    *,
    keep: bool = False,
) -> Any:
    """Return the answer of a child; one that has not answered, or is not to be kept, is ended."""
    try:
        last = _received(child, task, work, heard)
    except BaseException:
        child.end()
        raise
    child.tasks += 1
    if keep:
        _idle.append(child)
    else:
        child.end()
    if not last.succeeded:
        raise last.content
    return last.content


def _received(
    child: _Child, task: bytes | None, work: _Work, heard: Callable[[Any], object] | None
) -> _Message:
    """Return the last message of a child; what it tells before is heard."""
    late = TimeoutError(f"{work.function.__name__} gave no answer in {work.seconds:.3g} s.")
    start = time.monotonic()
    try:
        if task is not None:
            child.pipe.send_bytes(task)
        for message in _messages(child, work.seconds):
            if message.is_last:
                return _read(message)
            if heard is not None:
                heard(message.content)
    except (EOFError, OSError):
        spent[0] += min(work.seconds, time.monotonic() - start)
        child.process.join(1)
        if child.process.exitcode == -signal.SIGPROF:
            raise late from None
        unsure[0] += 1
        raise LostError(f"{DIED} (exit code {child.process.exitcode})", SHORT) from None
    unsure[0] += 1  # the clock, not the time that it worked
    raise late


def _messages(child: _Child, seconds: float) -> Iterator[_Message]:
    """Yield what a child says, for as long as the clock allows."""
    end = time.monotonic() + PATIENCE * seconds
    while child.pipe.poll(max(end - time.monotonic(), 0.0)):
        yield child.pipe.recv()


def _read(last: _Message) -> _Message:
    spent[0] += last.used
    unsure[0] += last.unsure
    if isinstance(last.content, _UnreadError):
        raise last.content
    return last


def _work(theirs: Connection, mine: Connection, first: _Work | None) -> None:
    """Answer one task after the other, until the parent is gone."""
    for pipe in (mine, *_up):  # of the parent, which would not be seen to be gone
        pipe.close()
    _up[:] = [theirs]
    if _busy.locked():  # by the parent, when it forked
        _busy.release()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent reports an interrupt, and ends this child
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process
    signal.signal(signal.SIGTERM, _leave)
    sys.setrecursionlimit(5000)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    if first is not None:
        _say(theirs, _done(first, theirs))
        return
    while True:
        try:
            task = theirs.recv()
        except EOFError:
            return
        except Exception:
            _say(theirs, _Message(_UnreadError(), is_last=True, succeeded=False))
            return
        _say(theirs, _done(task, theirs))


def _say(pipe: Connection, message: _Message) -> None:
    """Tell the parent, who may have come to the end of its own time."""
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.send(message)


def _leave(number: int, frame: object) -> None:
    """End this process with its own children; an exception would be lost in what Python calls to clear an object."""
    for child in multiprocessing.active_children():
        child.terminate()
        child.join(PARTING / 2)
        child.kill()
    os._exit(0)


def _cpu_seconds() -> float:
    return time.process_time() + spent[0]


def _set_timer() -> None:
    """End this process, if it is a child, when its time is over; the time of its own children counts."""
    if _up:
        left = 0.0 if math.isinf(_end[0]) else max(_end[0] - _cpu_seconds(), SOON)
        signal.setitimer(signal.ITIMER_PROF, left)


def _done(work: _Work, pipe: Connection) -> _Message:
    start, before = _cpu_seconds(), unsure[0]
    _is_alone[0], _end[0] = not work.nests, start + work.seconds
    _set_timer()
    try:
        found, succeeded = work.function(*work.args, *_tellers(work, pipe)), True
    except Exception as problem:  # whatever happens in the child is the caller's to judge
        is_memory = isinstance(problem, MemoryError | SystemError)  # said where an allocation failed
        unsure[0] += is_memory
        found, succeeded = OutOfMemoryError(FULL) if is_memory else _sendable(problem), False
    finally:
        _is_alone[0], _end[0] = False, math.inf
        _set_timer()
    return _Message(found, True, succeeded, _cpu_seconds() - start, unsure[0] - before)


def _sendable(problem: Exception) -> Exception:
    """Return the text of what cannot be sent: exceptions of SymPy may make their own text when it is read."""
    try:
        ForkingPickler.dumps(problem)
    except Exception:  # whatever an object raises that cannot be written
        kind = next(kind for kind in type(problem).__mro__ if kind.__module__ == "builtins")
        return RuntimeError(f"{kind.__name__}: {problem}")
    return problem


def _tellers(work: _Work, pipe: Connection) -> Iterator[Callable[[Any], object]]:
    if work.tells:
        yield lambda content: pipe.send(_Message(content))
