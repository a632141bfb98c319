"""costderive check: decide every claim of a certificate anew, or tell the format of certificates."""

from __future__ import annotations

import argparse
import shutil
from importlib import resources
from typing import Any

from costderive.cli.arguments import command, time_limit_argument
from costderive.cli.files import read
from costderive.errors import CostDeriveError, SpecError

UNKNOWN_WIDTH = 120  # of the terminal, where there is none


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "decide every claim of a certificate anew; status 0 only if all are proved"
    parser = command(commands, "check", _check, purpose)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "certificate",
        metavar="CERTIFICATE.json",
        nargs="?",
        help="written by derive --json; - reads standard input",
    )
    what.add_argument("--format", action="store_true", help="tell the format, for those who write a checker")
    what.add_argument("--schema", action="store_true", help="print the JSON Schema of certificates")
    time_limit_argument(parser, "for all claims together (default 600)", 600.0)


def _check(arguments: argparse.Namespace) -> int:
    from costderive.deadline import within
    from costderive.export import checked
    from costderive.proof import Verdict

    if arguments.format or arguments.schema:
        print(_schema() if arguments.schema else _format(), end="")
        return 0
    file, seconds = arguments.certificate, arguments.time_limit
    try:
        derivation, report = within(seconds, _decided, read(file), file)
    except TimeoutError:
        remedy = "Give more --time-limit; a certificate of derive --json seldom needs a minute."
        raise SpecError(f"{file}: its claims were not decided in {seconds:g} seconds", remedy) from None
    width = shutil.get_terminal_size((UNKNOWN_WIDTH, 0)).columns
    print(checked.told(derivation, report, width))
    return 0 if report.verdict is Verdict.PROVED else 1


def _format() -> str:
    return (resources.files("costderive.certificate") / "FORMAT.md").read_text(encoding="utf-8")


def _schema() -> str:
    from costderive.certificate.schema import schema_text

    return schema_text(_kinds())


def _kinds() -> Any:
    from costderive.derivation import Derivation
    from costderive.multiclass import MulticlassDerivation

    return Derivation, MulticlassDerivation


def _decided(text: str, file: str) -> Any:
    from costderive.certificate import document
    from costderive.checker import check

    derivation = document.read(text, _kinds(), file)
    try:
        return derivation, check(derivation)
    except CostDeriveError:
        raise
    except Exception as error:  # objects that no move ever made may fail in any way
        problem = f"{file}: its claims cannot be decided ({type(error).__name__}: {str(error)[:200]})"
        raise SpecError(problem, "Write it again with derive --json.") from None
