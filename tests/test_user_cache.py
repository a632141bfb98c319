"""What is kept on disk: the same value again, and never one that somebody else put there."""

from __future__ import annotations

import functools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sympy

import costderive as cd
from costderive.cli import main
from costderive.core import user_cache
from costderive.core.symbols import p, parameter
from costderive.core.time_limit import within
from costderive.core.user_cache import described, kept


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give each test a cache of its own, in which even quick answers are kept."""
    monkeypatch.setenv("COSTDERIVE_CACHE", str(tmp_path))
    monkeypatch.setattr(user_cache, "WORTH", -1.0)
    yield tmp_path / "costderive"


def files(room: Path) -> list[Path]:
    return sorted(room.glob("*.kept"))


def test_a_question_is_answered_once() -> None:
    asked: list[int] = []
    for _ in range(3):
        assert kept(("square", 7), lambda: asked.append(1) or 49) == 49
    assert asked == [1]
    assert kept(("square", 8), lambda: 64) == 64


def test_only_what_took_long_is_kept(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "WORTH", 3600.0)
    assert kept("quick", lambda: 1) == 1
    assert not files(room)


@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_changed_file_is_not_opened(room: Path, place: int) -> None:
    kept("question", lambda: "right")
    (file,) = files(room)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    assert kept("question", lambda: "computed again") == "computed again"


def test_a_file_under_another_name_is_not_opened(room: Path) -> None:
    kept("one", lambda: "of one")
    (one,) = files(room)
    kept("two", lambda: "of two")
    (two,) = set(files(room)) - {one}
    two.write_bytes(one.read_bytes())
    assert kept("two", lambda: "computed again") == "computed again"


class Harmful:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("harmed",)


def test_a_pickle_without_the_seal_is_not_run(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept("question", lambda: 1)
    (file,) = files(room)
    file.write_bytes(bytes(user_cache.SEAL) + pickle.dumps(Harmful()))
    assert kept("question", lambda: 2) == 2
    assert not Path("harmed").exists()


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_file_that_is_cut_off_is_not_there(room: Path, content: bytes) -> None:
    kept("question", lambda: 1)
    files(room)[0].write_bytes(content)
    assert kept("question", lambda: 2) == 2


def test_a_folder_that_others_can_write_to_is_not_used(room: Path) -> None:
    kept("question", lambda: 1)
    room.chmod(0o777)
    assert user_cache.folder() is None
    assert kept("question", lambda: 2) == 2


def test_the_key_is_for_its_owner_alone(room: Path) -> None:
    kept("question", lambda: 1)
    assert (room / "key").stat().st_mode & 0o077 == 0
    assert room.stat().st_mode & 0o077 == 0


def test_nothing_is_kept_if_that_is_wanted(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    assert kept("question", lambda: 1) == 1
    assert not room.exists()


def test_a_folder_that_cannot_be_made_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COSTDERIVE_CACHE", str(tmp_path / "file"))
    assert kept("question", lambda: 1) == 1


def test_an_error_is_not_kept() -> None:
    with pytest.raises(ZeroDivisionError):
        kept("question", lambda: 1 / 0)
    assert kept("question", lambda: 1) == 1


def _killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _without_a_child() -> str:
    with suppress(TimeoutError):
        within(60, _killed)
    return "found without"


def test_what_was_found_without_a_child_that_died_is_not_kept() -> None:
    assert kept("question", _without_a_child) == "found without"
    assert kept("question", lambda: "with all") == "with all"


def test_another_version_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept("question", lambda: 1)
    monkeypatch.setattr(user_cache, "_versions", lambda: "another")
    assert kept("question", lambda: 2) == 2


def _ask(number: int) -> int:
    return kept(("slow", number % 5), lambda: time.sleep(0.01) or number % 5)


def test_several_processes_may_use_it_at_once() -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.map(_ask, range(60)) == [number % 5 for number in range(60)]


def test_the_oldest_files_go_when_there_are_too_many(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept("old", lambda: "x" * 1000)
    os.utime(files(room)[0], (1, 1))
    monkeypatch.setattr(user_cache, "MOST_BYTES", 1500)
    kept("new", lambda: "y" * 1000)
    assert kept("new", lambda: "again") == "y" * 1000
    assert kept("old", lambda: "again") == "again"


def test_a_text_tells_questions_apart() -> None:
    a, x = parameter("a"), sympy.Dummy("x", positive=True)
    area = sympy.Integral(sympy.exp(x), (x, 0, p))
    other = sympy.Integral(sympy.exp(p), (p, 0, p)).xreplace({})
    again = area.xreplace({x: sympy.Dummy("x", positive=True)})
    assert described(area) == described(again) == described(other)
    questions = [p, a, p + 1, 2 * p, area, sympy.Rational(1, 3), 1, 1.0, "1", (1,), ((1,),), sympy.Integer(1)]
    questions += [
        lambda: 1,
        lambda: 2,
        functools.partial(pow, 2),
        sympy.sin,
        files,
        sympy.Max(p, a),
        sympy.Min(p, a),
    ]
    assert len(set(map(described, questions))) == len(questions)


ASKED = """
from pathlib import Path
import sympy, costderive as cd
from costderive.core.symbols import parameter
from costderive.core.user_cache import described
from costderive.spec.spec_file import load
a, b, m = map(parameter, "abm")
print(described((frozenset("abm"), sympy.Max(a, b, m), sympy.sin, sympy.Integral(a + b * m + m, (m, 0, 1)))))
print(described(cd.costs_of_parts("max(x, y) + fee", "x*y + 1", parts={
    "x": "gamma(2, m)", "y": "lognormal(0, 1)", "fee": "uniform(a, a + b)"})))
print(described(cd.Mixture(("w", cd.Copula("clayton", "m", c0="weibull(2, 1)", c1="3")), ("1 - w", cd.Additive()))))
for path in sorted(Path("derivations").glob("*/spec.toml")):
    print(described(load(path).context))
"""


def test_a_question_is_one_text_in_every_process() -> None:
    """Terms of sums, sets and the places of functions differ between processes."""
    texts = {asked_with(seed) for seed in ("1", "2", "3")}
    assert len(texts) == 1 and " at 0x" not in texts.pop()


def asked_with(seed: str) -> str:
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
    return subprocess.run(
        [sys.executable, "-c", ASKED], env=environment, cwd=root, capture_output=True, text=True, check=True
    ).stdout


def test_a_loss_is_compiled_once_and_says_the_same() -> None:
    rule = cd.derive(cd.Geometric(mean=1)).rule
    first = cd.numeric.compile(rule)
    count, _ = user_cache.contents()
    second = cd.numeric.compile(rule)
    assert count >= 1 and user_cache.contents()[0] == count
    points = [k / 64 for k in range(65)]
    assert [first.loss0(q) for q in points] == [second.loss0(q) for q in points]
    assert cd.numeric.compile(cd.derive(cd.Geometric(mean=2)).rule).loss0(0.5) != first.loss0(0.5)


def test_the_command_shows_and_clears(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept("question", lambda: 1)
    assert main(["cache"]) == 0
    assert capsys.readouterr().out.startswith("1 value, 0.0 MB, in ")
    assert main(["cache", "--clear"]) == 0
    assert not files(room)


def test_a_question_computes_no_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy computes the numbers in a sum when it sorts its terms; nested integrals may take it half an hour."""

    def computed(_: object) -> complex:
        raise AssertionError("a number was computed")

    x = sympy.Symbol("x")
    total = x + sympy.Integral(sympy.exp(-(x**2)), (x, 0, 1))
    monkeypatch.setattr(sympy.Expr, "__complex__", computed)
    assert described((total,)) == described((total,)) != described((total + 1,))
