"""What takes long shows on a terminal that it goes on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0  # seconds after which something is shown
TICK = 0.5


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
