"""What runs in a child process is answered, refused or ended, whatever the child knows."""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sympy

from costderive.core import time_limit
from costderive.core.errors import LostError
from costderive.core.time_limit import forget, unsure_tasks, within


def test_a_child_that_waits_knows_no_later_module_and_a_new_one_takes_its_task() -> None:
    forget()
    assert within(5, abs, -3) == 3
    late = types.ModuleType("defined_later")
    exec("def doubled(x):\n    return 2 * x\n", late.__dict__)
    sys.modules["defined_later"] = late
    try:
        assert within(5, late.doubled, 4) == 8
        assert within(5, abs, -4) == 4
    finally:
        del sys.modules["defined_later"]


def test_a_task_that_takes_too_much_cpu_time_is_ended_and_the_next_one_answered() -> None:
    with pytest.raises(TimeoutError, match="gave no answer in"):
        within(0.3, sum, range(10**12))
    assert within(5, abs, -5) == 5


class Clearing:
    """What takes long to be cleared; Python loses exceptions there."""

    def __del__(self) -> None:
        time.sleep(30)


def clear() -> None:
    Clearing()


def test_a_child_that_is_ended_while_python_clears_an_object_is_silent(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(TimeoutError):
        within(0.2, clear)
    assert not capfd.readouterr().err


def test_what_the_function_raised_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        within(5, divmod, 1, 0)


def too_large() -> None:
    bytearray(1 << 46)


def test_a_child_without_memory_counts_as_one_without_time() -> None:
    with pytest.raises(TimeoutError, match="too much memory"):
        within(60, too_large)


def of_two_parts(inner: float) -> list[str]:
    return [answered_in_time(inner), answered_in_time(inner)]


def pid_of_a_child() -> int:
    return int(within(5, os.getpid))


def test_limits_hold_in_a_task_that_nests_and_in_no_other() -> None:
    assert within(20, of_two_parts, 0.1, nests=True) == ["went on", "went on"]
    with pytest.raises(TimeoutError, match="of_two_parts gave no answer"):
        within(0.5, of_two_parts, 0.1)


def a_part_and_then_endless() -> None:
    answered_in_time(0.3)
    endless()


def test_the_time_of_the_children_of_a_child_is_its_own() -> None:
    forget()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(TimeoutError, match="a_part_and_then_endless gave no answer"):
        within(0.5, a_part_and_then_endless, nests=True)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 0.7  # and not 0.3 + 0.5


def test_a_child_keeps_its_own_child_for_the_next_task_and_takes_it_along() -> None:
    first = within(20, pid_of_a_child, nests=True)
    assert within(20, pid_of_a_child, nests=True) == first != os.getpid()
    forget()
    for _ in range(100):
        with suppress(ProcessLookupError):
            os.kill(first, 0)
            time.sleep(0.02)
            continue
        return
    raise AssertionError("the child of an ended child is still there")


def ended_by_its_limit() -> bool:
    with suppress(TimeoutError):
        within(0.1, endless)
        return False
    return True


def test_limits_hold_in_the_workers_of_a_pool() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(ended_by_its_limit)


@pytest.fixture
def _no_children(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Interrupt this process by an alarm, as a page interrupts its worker."""

    def interrupt_at(at: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0 if at == math.inf else max(at - time.monotonic(), 1e-3))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time_limit, "HAS_CHILDREN", False)
    monkeypatch.setattr(time_limit, "_interrupt_at", [interrupt_at])
    monkeypatch.setattr(time_limit, "GRACE", 0.05)
    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def endless() -> None:
    while True:
        pass


def answered_in_time(inner: float) -> str:
    with suppress(TimeoutError):
        within(inner, endless)
    return "went on"


@pytest.mark.usefixtures("_no_children")
def test_without_children_a_limit_interrupts_this_process_and_what_is_around_it_goes_on() -> None:
    assert within(5, answered_in_time, 0.05) == "went on"
    with pytest.raises(TimeoutError, match="answered_in_time gave no answer"):
        within(0.05, answered_in_time, 5)
    assert within(5, abs, -5) == 5
    assert time_limit._ends == [math.inf]


@pytest.mark.usefixtures("_no_children")
def test_an_interrupt_before_the_end_of_a_limit_is_that_of_the_user() -> None:
    with pytest.raises(KeyboardInterrupt):
        within(5, signal.raise_signal, signal.SIGALRM)


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_unless(there: str) -> str:
    """Die, if a file is not there yet, which is then left."""
    if not os.path.exists(there):
        open(there, "w").close()
        killed()
    return "answered"


def test_a_child_that_was_killed_is_not_one_that_was_too_slow() -> None:
    with pytest.raises(LostError, match=r"died, and so did the next one \(exit code -9\)"):
        within(60, killed)
    assert within(5, abs, -5) == 5


@pytest.mark.parametrize("nests", [False, True])
def test_the_task_of_a_child_that_died_is_given_to_another(tmp_path: Path, nests: bool) -> None:
    assert within(60, killed_unless, str(tmp_path / "there"), nests=nests) == "answered"


def passing_over(lost: Callable[[], None]) -> str:
    with suppress(TimeoutError):
        within(60, lost)
    return "went on"


@pytest.mark.parametrize("lost", [killed, too_large])
def test_a_child_tells_that_one_of_its_own_died_or_had_no_memory(lost: Callable[[], None]) -> None:
    before = unsure_tasks()
    assert within(60, passing_over, lost, nests=True) == "went on"
    assert unsure_tasks() > before


def test_a_task_that_needs_more_time_is_not_unsure() -> None:
    before = unsure_tasks()
    assert answered_in_time(0.05) == "went on"
    assert unsure_tasks() == before


def _truth_of(relation: sympy.Rel) -> bool:
    return bool(relation)


def test_an_exception_that_cannot_be_sent_is_told_by_its_text(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Exception, match="cannot determine truth value"):
        within(5.0, _truth_of, sympy.Symbol("b") > 2)
    assert "Traceback" not in capfd.readouterr().err
