"""costderive check: decide every claim of a certificate again, let Coq check its proof, or print the format."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Callable
from functools import partial
from importlib import resources
from typing import Any

from costderive.cli.arguments import command, time_limit_argument
from costderive.cli.files import read
from costderive.cli.waiting import waiting
from costderive.core.errors import CostDeriveError, SpecError

UNKNOWN_WIDTH = 120  # of the terminal, where there is none


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "decide every claim of a certificate again; status 0 only if all are proved"
    parser = command(commands, "check", _check, purpose)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "certificate",
        metavar="CERTIFICATE.json",
        nargs="?",
        help="written by derive --json; - reads standard input",
    )
    what.add_argument("--format", action="store_true", help="print the format, for those who write a checker")
    what.add_argument("--schema", action="store_true", help="print the JSON Schema of certificates")
    parser.add_argument(
        "--coq",
        action="store_true",
        help="let coqc check a proof from the law of the costs to the rule, theorem by theorem, instead of deciding "
        "the claims here; status 0 only if Coq accepts it, 2 if there is no coqc or the rule has no proof for it",
    )
    parser.add_argument(
        "--losses-only",
        action="store_true",
        help="with --coq: that the losses are proper, not where they are from",
    )
    parser.add_argument(
        "--direct",
        action="store_true",
        help="prove the losses a second time, without a change of variables and without a threshold weight, where "
        "that is possible; status 1 if this refutes them",
    )
    time_limit_argument(parser, "for all claims together (default 300)", 300.0)


def _check(arguments: argparse.Namespace) -> int:
    from costderive.proof.claims import Verdict
    from costderive.publish.formats import terminal_report

    if arguments.format or arguments.schema:
        print(_schema() if arguments.schema else _format(), end="")
        return 0
    if arguments.coq:
        return _ask_coq(arguments.certificate, arguments.time_limit, not arguments.losses_only)
    file, seconds = arguments.certificate, arguments.time_limit
    try:
        with waiting("checking"):
            derivation, report = _decided(read(file), file, seconds)
    except TimeoutError:
        remedy = "Give more --time-limit; a certificate of derive --json seldom needs a second."
        raise SpecError(f"{file} was not read in {seconds:g} seconds", remedy) from None
    width = shutil.get_terminal_size((UNKNOWN_WIDTH, 0)).columns
    print(terminal_report.summary(derivation, report, width))
    second = _second_proof(derivation, file) if arguments.direct else None
    if second is not None:
        print(terminal_report.second_proof(second, width))
    refuted = second is not None and second.verdict is Verdict.REFUTED
    return 0 if report.verdict is Verdict.PROVED and not refuted else 1


def _second_proof(derivation: Any, file: str) -> Any:
    from costderive.derivation.cross_check import cross_check

    with waiting("proving the losses a second time"):
        return _guarded(lambda: cross_check(derivation), f"{file}: its losses cannot be proved a second time")


def _ask_coq(file: str, seconds: float, whole: bool) -> int:
    from costderive.core.time_limit import within
    from costderive.publish.coq import coqc, coqc_answer
    from costderive.publish.coq.coq_file import left_out

    start = time.monotonic()
    try:
        text = within(seconds, _proof, read(file), file, whole)
    except TimeoutError:
        remedy = "Give more --time-limit."
        raise SpecError(f"{file}: its proof was not written in {seconds:g} seconds", remedy) from None
    found = coqc.ask(text, seconds=max(seconds - (time.monotonic() - start), 1.0))
    print(coqc_answer.summary(found))
    for parts in left_out(text):
        print(f"Without {parts}")
    return 0 if found.accepted else 1


def _proof(text: str, file: str, whole: bool) -> str:
    from costderive.derivation.certificates import document
    from costderive.publish import export

    derivation = document.read(text, _kinds(), file)
    return str(_guarded(lambda: export.coq(derivation, whole=whole), f"{file}: no proof can be written"))


def _guarded(act: Callable[[], Any], problem: str) -> Any:
    """Carry out an act on objects that no move ever made, which may fail in any way."""
    try:
        return act()
    except (CostDeriveError, TimeoutError):
        raise
    except Exception as error:
        failure = f"{problem} ({type(error).__name__}: {str(error)[:200]})"
        raise SpecError(failure, "Write it again with derive --json.") from None


def _format() -> str:
    return (resources.files("costderive.derivation.certificates") / "FORMAT.md").read_text(encoding="utf-8")


def _schema() -> str:
    from costderive.derivation.certificates.schema import schema_text

    return schema_text(_kinds())


def _kinds() -> Any:
    from costderive.derivation.certificates import document

    return document.kinds()


def _decided(text: str, file: str, seconds: float) -> Any:
    from costderive.derivation.certificates import document
    from costderive.proof.checker import check_read

    kinds = _kinds()
    judged = partial(check_read, lambda: document.read(text, kinds, file), time_limit=seconds)
    return _guarded(judged, f"{file}: its claims cannot be decided")
