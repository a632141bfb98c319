"""How much of the tests a run takes: a sample that changes with the commit, or all of it (``--full``).

Of the cases of a test with parameters a run takes a share, and one at least. What takes longer than ``COSTLY`` seconds
of CPU time, by ``tests/seconds.json``, or what its family says, is drawn until ``BUDGET`` seconds are spent. All other
tests run every time.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import subprocess
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from costderive.core.time_limit import cpu_seconds, forget
from costderive.publish.coq.coqc import compiled
from costderive.publish.coq.library_text import library

T = TypeVar("T")
STARTED = pytest.StashKey[float]()
ROOT = Path(__file__).parent.parent
MEASURED = Path(__file__).with_name("seconds.json")
COSTLY = 0.5  # seconds of CPU time
BUDGET = 180.0  # seconds of CPU time for what is costly
SECONDS: Counter[str] = Counter()  # of CPU time, by test
SHARE = 0.2  # of the cases of a test, where its family says nothing else


@dataclass(frozen=True)
class Family:
    """Tests of one file with a share of their own; all cases run if one of the inputs has changed of late."""

    share: float
    inputs: tuple[str, ...] = ()
    costly: float = COSTLY


FAMILIES = {
    "test_accessibility.py": Family(1.0),  # its pages are a sample
    "test_certificate_format.py": Family(0.15, ("costderive/derivation/certificates",)),
    "test_closed_forms.py": Family(
        0.25,
        (
            "costderive/derivation/integration/search",
            "costderive/derivation/integration/undetermined",
            "costderive/derivation/integration/primitive_table",
        ),
    ),
    "test_coq.py": Family(0.25, ("costderive/publish/coq",)),
    "test_coq_derivations.py": Family(0.25, ("costderive/publish/coq",)),
    "test_coq_mutants.py": Family(
        0.2,
        (
            "costderive/publish/coq",
            "costderive/derivation/search",
            "costderive/derivation/integration",
        ),
        costly=5.0,  # most take less, so that mutants which test nothing any more show within a few runs
    ),
    "test_coq_roots.py": Family(0.25, ("costderive/publish/coq",)),
    "test_explorer.py": Family(0.25, ("costderive/site",)),
    "test_mutants.py": Family(0.1, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_mutants_batch.py": Family(0.15, ("costderive/batch",)),
    "test_mutants_classes.py": Family(0.15, ("costderive/multiclass",)),
    "test_mutants_origins.py": Family(0.15, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_mutants_pairs.py": Family(0.15, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_notebooks.py": Family(0.2, ("notebooks",)),
    "test_numeric_accuracy.py": Family(0.25, ("costderive/numeric",)),
    "test_survey.py": Family(
        0.2,
        (
            "costderive/derivation/moves",
            "costderive/derivation/search",
            "costderive/deciders",
            "tests/survey.py",
        ),
    ),
    "test_trust.py": Family(1.0),  # every commit keeps what the page on proofs promises
    "test_tampering.py": Family(
        0.1, ("costderive/derivation/certificates", "costderive/proof/checker", "tests/tampering.py")
    ),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a person may ask for."""
    parser.addoption("--full", action="store_true", help="run every test, and every case of it")
    parser.addoption(
        "--parts", action="store_true", help="print the CPU seconds that each file of tests took"
    )
    parser.addoption("--measure", action="store_true", help=f"write what was slow to tests/{MEASURED.name}")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _changed() -> tuple[str, ...]:
    """Return the files that differ from ``TESTS_SINCE``, the commit before the change; none if that is not set."""
    since = os.environ.get("TESTS_SINCE")
    return tuple(_git("diff", "--name-only", since).splitlines()) if since else ()


def _is_whole(family: Family, changed: tuple[str, ...]) -> bool:
    return any(file.startswith(family.inputs) for file in changed) if family.inputs else False


def _rank(name: str, seed: str) -> float:
    """Return a number from 0 to 1 that looks random, and is the same on every worker."""
    return zlib.crc32(f"{seed} {name}".encode()) / 2**32


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of each family, the same on every worker."""
    if config.getoption("--full"):
        return
    shares, seed = _shares(), _seed()
    kept = set(_affordable(_sample(items, shares, seed), shares, seed))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _shares() -> dict[str, float]:
    """Return the share of each family: all of it if its inputs have changed."""
    changed = _changed()
    return {file: 1.0 if _is_whole(family, changed) else family.share for file, family in FAMILIES.items()}


def _sample(items: list[pytest.Item], shares: Mapping[str, float], seed: str) -> Iterator[pytest.Item]:
    """Yield a share of the cases of each test, and one at least."""
    tests = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        yield from _share(cases, shares.get(cases[0].path.name, SHARE), lambda item: _rank(_case(item), seed))


def _case(item: pytest.Item) -> str:
    """Return what a test is about: tests of one file that are about the same, such as a context, are drawn together."""
    return f"{item.path.name} {item.nodeid.partition('[')[2]}"


def _affordable(
    items: Iterable[pytest.Item], shares: Mapping[str, float], seed: str
) -> Iterator[pytest.Item]:
    """Yield what takes little time, or has changed inputs, and of the rest as much as the budget allows."""
    measured, spent = json.loads(MEASURED.read_text(encoding="utf-8")), 0.0
    for item in sorted(items, key=lambda item: _rank(item.nodeid, seed)):
        seconds, file = measured.get(item.nodeid, 0.0), item.path.name
        costly = FAMILIES[file].costly if file in FAMILIES else COSTLY
        if seconds > costly and shares.get(file) != 1:
            if spent + seconds > BUDGET:
                continue
            spent += seconds
        yield item


def _share(cases: Iterable[T], share: float, rank: Callable[[T], float]) -> list[T]:
    ranked = sorted(cases, key=rank)
    return ranked[: max(1, math.ceil(share * len(ranked)))]


@pytest.fixture
def sampled(request: pytest.FixtureRequest) -> Callable[[Iterable[str]], list[str]]:
    """Return what draws a share of some names, and one at least, as the cases of tests are drawn."""

    def draw(names: Iterable[str]) -> list[str]:
        share = 1.0 if request.config.getoption("--full") else _shares().get(request.path.name, SHARE)
        return _share(names, share, lambda name: _rank(name, _seed()))

    return draw


def _seed() -> str:
    return os.environ.get("TESTS_SEED") or _git("rev-parse", "HEAD") or "no commit"


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is left out, and how to run the very same tests again."""
    if config.getoption("--full"):
        return "all tests"
    return f"a sample of the tests, of TESTS_SEED={_seed()[:12]}; --full runs all of them"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Look at the clock of the processor."""
    item.stash[STARTED] = _cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Note what a test took, its fixtures and child processes included."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("cpu", _cpu_seconds() - item.stash[STARTED]))


def _cpu_seconds() -> float:
    children = os.times()
    return cpu_seconds() + children.children_user + children.children_system


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what each test took."""
    if report.when == "teardown":
        SECONDS[report.nodeid] += dict(report.user_properties).get("cpu", 0.0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the seconds of each file, the longest first, and write those of slow tests, as far as it is wanted."""
    if config.getoption("--parts"):
        parts: Counter[str] = Counter()
        for name, seconds in SECONDS.items():
            parts[name.partition("::")[0]] += seconds
        terminalreporter.section("CPU seconds of each file")
        for file, seconds in [*parts.most_common(), ("all", parts.total())]:
            terminalreporter.write_line(f"{seconds:9.1f}  {file}")
    if config.getoption("--measure"):
        known = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
        found = known | {name: round(seconds, 1) for name, seconds in SECONDS.items()}
        slow = {name: seconds for name, seconds in sorted(found.items()) if seconds > COSTLY / 2}
        MEASURED.write_text(json.dumps(slow, indent=0) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled library of the proofs for Coq, which all workers share: the first that needs it compiles."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "library"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            compiled(folder, library())
            done.touch()
    return folder


@pytest.fixture(autouse=True)
def children_that_see_what_is_patched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no child that was forked before or during a patched test work for another one."""
    patched = "monkeypatch" in request.fixturenames
    if patched:
        forget()
    yield
    if patched:
        forget()
