"""Processes that work on the parts of something large, and end when it is interrupted."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

DRAINING = 0.2  # seconds


@contextmanager
def worker_processes(count: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of so many processes, or one for each processor; leaving by an exception does not wait for them."""
    context, deaf = multiprocessing.get_context("fork"), (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(
        count, context, signal.signal, deaf
    ) as pool:  # this process alone reports an interrupt
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            time.sleep(DRAINING)  # a thread of the pool drops its tasks, which it would stumble over later
            for process in multiprocessing.active_children():
                process.kill()
            raise
