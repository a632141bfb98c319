"""Asking Coq: ``coqc`` on a file, with limits on time and memory, and what became of each of its lemmas."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from costderive.core.errors import ExportError, SpecError
from costderive.publish.coq import COMPILED

MEMORY_BYTES = 4 << 30
CLASSICAL_REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "Classical_Prop.classic",
        "FunctionalExtensionality.functional_extensionality_dep",
    }
)
WITHOUT_COQ = (
    "Install Coq and Coquelicot (coq and libcoq-coquelicot on Debian), or write the proof with derive --coq proof.v"
    " and run coqc proof.v where they are."
)
STATEMENT = re.compile(r"(Lemma|Theorem|Example|Definition|Fixpoint|Record|Global Instance) (\w+)")
OPENING = re.compile(r"(Module|Section) (\w+)\.$")
LEMMAS = ("Lemma", "Theorem", "Example")


class Status(StrEnum):
    """What became of a lemma."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Lemma:
    """A lemma or theorem, by the path of its modules, and what became of it."""

    name: str
    status: Status


@dataclass(frozen=True, slots=True)
class Answer:
    """What Coq says of a file: what became of each lemma, the axioms behind the final theorems, and its own words."""

    lemmas: tuple[Lemma, ...]
    axioms: tuple[str, ...]
    words: str
    seconds: float

    @property
    def accepted(self) -> bool:
        """Whether every lemma is accepted, and nothing is assumed but the axioms of the classical real numbers."""
        return all(x.status is Status.ACCEPTED for x in self.lemmas) and CLASSICAL_REALS.issuperset(
            self.axioms
        )

    @property
    def culprit(self) -> str | None:
        """The lemma at which Coq stopped."""
        return next((x.name for x in self.lemmas if x.status is Status.REJECTED), None)


def ask(text: str, *, seconds: float = 600.0, library: Path | None = None) -> Answer:
    """Return what ``coqc`` says of a file of Coq, which may require a library that `compiled` has compiled.

    Raises:
        ExportError: if there is no ``coqc`` on this machine, or it lacks Coquelicot.
        SpecError: if it has not answered in time.
    """
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "proof.v").write_text(text, encoding="utf-8")
        beside = [] if library is None else ["-Q", str(library), COMPILED]
        status, printed, complaint = _run([_program(), "-q", *beside, "proof.v"], folder, seconds)
    if "Cannot find a physical path" in complaint:
        raise ExportError("Coq has no Coquelicot on this machine", WITHOUT_COQ)
    line = _line(complaint) if status else None
    axioms = re.findall(r"^(\S+)(?= :|\n  :)", printed.partition("Axioms:")[2], re.MULTILINE)
    words = "" if line is None else complaint.partition("Error:")[2].strip()
    return Answer(tuple(_statuses(text, line)), tuple(sorted(axioms)), words, time.perf_counter() - start)


def compiled(folder: Path, library: Mapping[str, str], *, seconds: float = 600.0) -> Path:
    """Compile files of a library, in their order, in a folder, and return it.

    Raises:
        ExportError: if there is no ``coqc`` on this machine, it lacks Coquelicot, or it rejects a file.
        SpecError: if it has not answered in time.
    """
    for name, text in library.items():
        (folder / name).write_text(text, encoding="utf-8")
        status, _, complaint = _run([_program(), "-q", "-Q", ".", COMPILED, name], str(folder), seconds)
        if status:
            raise ExportError(f"Coq rejects {name} of the library: {complaint[-400:]}", WITHOUT_COQ)
    return folder


def _program() -> str:
    found = shutil.which("coqc")
    if found is None:
        raise ExportError("there is no coqc on this machine", WITHOUT_COQ)
    return found


def _run(command: list[str], folder: str, seconds: float) -> tuple[int, str, str]:
    """Run a program in a session of its own, all of which is ended when its time is over."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    if hasattr(resource, "prlimit"):  # on Linux alone
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        printed, complaint = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise SpecError(f"coqc has not answered in {seconds:g} seconds", "Give more --time-limit.") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, printed, complaint


def _line(complaint: str) -> int:
    """Return the line of an error; a program that died without one has accepted nothing."""
    found = re.findall(r"line (\d+), characters [\d-]+:\n(?=Error)", complaint)
    return int(found[-1]) if found else 0


def _statuses(text: str, wrong: int | None) -> Iterator[Lemma]:
    """Yield the lemmas of a file; that which holds the wrong line is rejected, and those below are not reached."""
    for name, first, last in _extents(text):
        if wrong is None or last < wrong:
            yield Lemma(name, Status.ACCEPTED)
        else:
            yield Lemma(name, Status.REJECTED if first <= wrong else Status.NOT_REACHED)


def _extents(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the names of lemmas with their first and last lines; a section may have the name of its module."""
    opened: list[tuple[str, str]] = []
    starts: list[tuple[str, int]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if found := OPENING.match(line):
            opened.append((found[1], found[2]))
        elif opened and line == f"End {opened[-1][1]}.":
            opened.pop()
        elif found := STATEMENT.match(line):
            modules = [name for kind, name in opened if kind == "Module"]
            starts.append((".".join([*modules, found[2]]) if found[1] in LEMMAS else "", number))
    ends = [first - 1 for _, first in starts[1:]] + [len(lines)]
    yield from ((name, first, last) for (name, first), last in zip(starts, ends, strict=True) if name)
