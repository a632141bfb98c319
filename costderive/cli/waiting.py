"""What takes long shows on a terminal that it goes on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

PATIENCE = 2.0  # seconds after which something is shown
TICK = 0.5


class Block(Protocol):
    """Some rows of files: how much of the files has been read, and which columns are no models."""

    @property
    def share(self) -> float: ...

    @property
    def left_out(self) -> dict[str, str]: ...


B = TypeVar("B", bound=Block)


@contextmanager
def waiting(what: str) -> Iterator[Callable[[], None]]:
    """Show, after two seconds, for how long something goes on; yield a function that ends that, as leaving does.

    It goes to standard error, if that is a terminal. A process of its own counts, since none of this one's threads
    would be left in the children that it forks.
    """
    if not (sys.stderr.isatty() and hasattr(os, "fork")):
        yield lambda: None
        return
    start, parent, children = time.monotonic(), os.getpid(), [os.fork()]
    if not children[0]:
        _count(what, parent)

    def end() -> None:
        while children:
            child = children.pop()
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if time.monotonic() - start > PATIENCE:
                _write("")

    try:
        yield end
    finally:
        end()


def _count(what: str, parent: int) -> None:
    """Count seconds until the parent is gone, or ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start = time.monotonic()
    time.sleep(PATIENCE)
    while os.getppid() == parent:
        _write(f"{what}: {time.monotonic() - start:.0f} s")
        time.sleep(TICK)
    os._exit(0)


def _write(text: str) -> None:
    """Write over the line on which the cursor is; no buffer is touched, which a forked process would share."""
    os.write(2, f"\r\x1b[K{text}".encode())


def with_progress(blocks: Iterable[B], left_out: dict[str, str], end: Callable[[], None]) -> Iterator[B]:
    """Pass blocks on, show how much of the file has been read, and gather what is left out."""
    with progress(end) as show:
        for block in blocks:
            left_out |= block.left_out
            yield block
            if show:
                show(block.share)


@contextmanager
def progress(end: Callable[[], None]) -> Iterator[Callable[[float], None] | None]:
    """Yield a function that shows a share as a bar, if it takes long, in place of what is then ended.

    It is ``None`` without a terminal.
    """
    start, shown = time.monotonic(), False

    def show(share: float) -> None:
        nonlocal shown
        end()
        if time.monotonic() - start > PATIENCE:
            full = round(30 * share)
            print(f"\r{'█' * full}{'░' * (30 - full)} {share:4.0%}", end="", file=sys.stderr, flush=True)
            shown = True

    try:
        yield show if sys.stderr.isatty() else None
    finally:
        if shown:
            print(f"\r{' ' * 36}\r", end="", file=sys.stderr, flush=True)
