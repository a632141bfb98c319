"""What runs in a child process is answered, refused or ended, whatever the child knows."""

from __future__ import annotations

import sys
import types

import pytest

from costderive.core.time_limit import forget, within


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


def test_what_the_function_raised_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        within(5, divmod, 1, 0)


def too_large() -> None:
    bytearray(1 << 46)


def test_a_child_without_memory_counts_as_one_without_time() -> None:
    with pytest.raises(TimeoutError, match="too much memory"):
        within(60, too_large)
