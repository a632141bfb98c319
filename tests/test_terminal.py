"""The command at a terminal: progress of what takes long, an end by Ctrl-C, and completion."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time

import pytest

from costderive.cli import COMMANDS, main

SLOW = """
import time
from costderive.cli.waiting import waiting
with waiting("thinking"):
    time.sleep({})
print("done")
"""


def at_terminal(code: str, seconds: float, interrupt: float | None = None) -> tuple[bytes, float]:
    """Run Python with a terminal of its own; return what it wrote there and how long it ran after an interrupt."""
    child, terminal = pty.fork()
    if not child:
        os.execv(sys.executable, [sys.executable, "-c", code])
    start, written = time.monotonic(), b""
    if interrupt is not None:
        time.sleep(interrupt)
        start = time.monotonic()
        os.write(terminal, b"\x03")
    while time.monotonic() - start < seconds:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the terminal is closed when the last of its processes ends
            break
        if not part:
            break
        written += part
    took = time.monotonic() - start
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    return written, took


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_what_takes_long_shows_that_it_goes_on_and_wipes_that_out() -> None:
    written, _ = at_terminal(SLOW.format(2.7), 60)
    assert b"\rthinking: 2 s" in written.replace(b"\x1b[K", b"")
    assert written.rstrip().endswith(b"\x1b[Kdone")


def test_what_is_quick_shows_nothing() -> None:
    assert at_terminal(SLOW.format(0.1), 60)[0].strip() == b"done"


def test_a_file_gets_no_progress() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SLOW.format(2.2)], capture_output=True, text=True, check=True, timeout=60
    )
    assert (ran.stdout, ran.stderr) == ("done\n", "")


ENDLESS = """
import sys
import costderive.spec
from costderive.cli import main
from costderive.core.time_limit import within

def endless():
    while True:
        pass

costderive.spec.Spec.derive = lambda spec, seconds: within(seconds, endless)
sys.exit(main(["derive", "harmonic", "--time-limit", "600"]))
"""


def test_an_interrupt_ends_a_search_within_a_second() -> None:
    """A busy machine is given ten seconds."""
    written, took = at_terminal(ENDLESS, 30, interrupt=4)
    assert took < 10 and b"interrupted" in written and b"Traceback" not in written


def completed(*words: str) -> list[str]:
    script = 'eval "$(cat)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _costderive; printf "%s\\n" "${COMPREPLY[@]}"'
    printed = subprocess.run(
        [sys.executable, "-m", "costderive", "completion", "bash"], capture_output=True, text=True, check=True
    ).stdout
    ran = subprocess.run(
        ["bash", "-c", script, "bash", *words], input=printed, capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("costderive", "sc"), ["score"]),
        (("costderive", "score", "a.csv", "--delim"), ["--delimiter"]),
        (("costderive", "score", "a.csv", "--engine", ""), ["numpy", "duckdb"]),
        (("costderive", "derive", "independent-"), ["independent-uniform"]),
        (("costderive", "score", "--context", "geo"), ["geometric"]),
        (("costderive", "score", "a.c"), []),
    ],
)
def test_bash_completes_commands_options_and_their_values(words: tuple[str, ...], found: list[str]) -> None:
    assert completed(*words) == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_command_is_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    for command in COMMANDS:
        assert command.__name__.rpartition(".")[2] in printed
    assert "--capacity" in printed or "-l capacity" in printed
