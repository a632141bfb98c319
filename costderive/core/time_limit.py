"""Run a function in a child process that is ended when its time is over.

SymPy calls may never finish, and one that is interrupted inside the process leaves SymPy's caches in a bad
state. A forked child starts in milliseconds and takes its damage with it.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from costderive.core.errors import SpecError

MEMORY_BYTES = 4 << 30


def within(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Return ``function(*args)``, computed in a child process.

    Raises:
        TimeoutError: if the child has not answered in time, or died.
        Exception: whatever the function raised.
    """
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(theirs, function, args), daemon=True)
    child.start()
    theirs.close()
    try:
        return _received(mine, max(seconds, 0.0), function)
    finally:
        child.kill()
        child.join()
        mine.close()


def limited(seconds: float, what: str, function: Callable[..., Any], *args: Any) -> Any:
    """Return ``function(*args)``, or say what took too long; a daemonic process may have no children, and no limit.

    Raises:
        SpecError: if there is no answer in time.
        Exception: whatever the function raised.
    """
    if multiprocessing.current_process().daemon:
        return function(*args)
    try:
        return within(seconds, function, *args)
    except TimeoutError:
        problem = f"{what} took longer than time_limit = {seconds:g} s"
        raise SpecError(problem, "Give a longer time_limit, or a simpler expression.") from None


def _received(mine: Connection, seconds: float, function: Callable[..., Any]) -> Any:
    try:
        if not mine.poll(seconds):
            raise TimeoutError(f"{function.__name__} gave no answer in {seconds:.3g} s.")
        succeeded, answer = mine.recv()
    except EOFError:
        raise TimeoutError(f"{function.__name__} ended without an answer.") from None
    if not succeeded:
        raise answer
    return answer


def _answer(theirs: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent reports an interrupt, and ends this child
    sys.setrecursionlimit(5000)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        answer = True, function(*args)
    except Exception as problem:  # whatever happens in the child is the caller's to judge
        answer = False, problem
    theirs.send(answer)
