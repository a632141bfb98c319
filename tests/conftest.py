"""How much of the expensive families a run takes: a sample that changes with the commit, or all of it (``--full``)."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from costderive.core.time_limit import forget

ROOT = Path(__file__).parent.parent
PARTS: Counter[str] = Counter()


@dataclass(frozen=True)
class Family:
    """Tests of one file of which a run takes a share, or all if one of the inputs has changed of late."""

    share: float
    inputs: tuple[str, ...] = ()


FAMILIES = {
    "test_certificate_format.py": Family(0.4, ("costderive/derivation/certificates",)),
    "test_closed_forms.py": Family(
        0.4,
        (
            "costderive/derivation/integration/search",
            "costderive/derivation/integration/undetermined",
            "costderive/derivation/integration/primitive_table",
        ),
    ),
    "test_coq.py": Family(0.4, ("costderive/publish/coq",)),
    "test_coq_derivations.py": Family(0.3, ("costderive/publish/coq",)),
    "test_explorer.py": Family(0.5, ("costderive/site",)),
    "test_mutants.py": Family(0.25, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_mutants_batch.py": Family(0.25, ("costderive/batch",)),
    "test_mutants_classes.py": Family(0.25, ("costderive/multiclass",)),
    "test_mutants_origins.py": Family(0.25, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_mutants_pairs.py": Family(0.25, ("costderive/derivation/moves", "costderive/derivation/search")),
    "test_notebooks.py": Family(0.3, ("notebooks",)),
    "test_numeric_accuracy.py": Family(0.4, ("costderive/numeric",)),
    "test_survey.py": Family(
        0.3,
        (
            "costderive/derivation/moves",
            "costderive/derivation/search",
            "costderive/deciders",
            "tests/survey.py",
        ),
    ),
    "test_tampering.py": Family(
        0.3, ("costderive/derivation/certificates", "costderive/proof/checker", "tests/tampering.py")
    ),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a person may ask for."""
    parser.addoption("--full", action="store_true", help="run every test of the families that are sampled")
    parser.addoption("--parts", action="store_true", help="print the seconds that each file of tests took")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _changed() -> tuple[str, ...]:
    """Return the files that differ from ``TESTS_SINCE``, the commit before the change; none if that is not set."""
    since = os.environ.get("TESTS_SINCE")
    return tuple(_git("diff", "--name-only", since).splitlines()) if since else ()


def _is_whole(family: Family, changed: tuple[str, ...]) -> bool:
    return any(file.startswith(family.inputs) for file in changed) if family.inputs else False


def _drawn(nodeid: str, share: float, seed: str) -> bool:
    return zlib.crc32(f"{seed} {nodeid}".encode()) < share * 2**32


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of each family, the same on every worker."""
    if config.getoption("--full"):
        return
    seed, changed = _seed(), _changed()
    shares = {file: 1.0 if _is_whole(family, changed) else family.share for file, family in FAMILIES.items()}
    kept = [item for item in items if _drawn(item.nodeid, shares.get(item.path.name, 1.0), seed)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _seed() -> str:
    return os.environ.get("TESTS_SEED") or _git("rev-parse", "HEAD") or "no commit"


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is left out, and how to run the very same tests again."""
    if config.getoption("--full"):
        return "families: all tests"
    return f"families: a sample of TESTS_SEED={_seed()[:12]}; --full runs all of them"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what a file of tests takes, fixtures included."""
    PARTS[report.nodeid.partition("::")[0]] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the seconds of each file, the longest first."""
    if config.getoption("--parts"):
        terminalreporter.section("seconds of each file")
        for file, seconds in PARTS.most_common():
            terminalreporter.write_line(f"{seconds:9.1f}  {file}")


@pytest.fixture(autouse=True)
def children_that_see_what_is_patched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no child that was forked before or during a patched test work for another one."""
    patched = "monkeypatch" in request.fixturenames
    if patched:
        forget()
    yield
    if patched:
        forget()
