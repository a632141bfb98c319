"""costderive check: decide every claim of a certificate anew."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import command
from costderive.cli.files import read
from costderive.errors import SpecError


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "decide every claim of a certificate anew; status 0 only if all are proved"
    parser = command(commands, "check", _check, purpose)
    parser.add_argument(
        "certificate", metavar="CERTIFICATE.json", help="written by derive --json; - reads standard input"
    )


def _check(arguments: argparse.Namespace) -> int:
    from costderive.checker import check
    from costderive.export import terminal
    from costderive.export.certificate import from_json
    from costderive.proof import Verdict

    derivation = from_json(read(arguments.certificate), arguments.certificate)
    try:
        report = check(derivation)
        lines = [terminal.findings_table(report), "", terminal.summary(derivation, report)]
    except Exception as error:  # objects that no move ever made may fail in any way
        problem = f"{arguments.certificate}: its claims cannot be decided ({type(error).__name__}: {error})"
        raise SpecError(problem, "Write it again with derive --json.") from None
    print("\n".join(lines))
    return 0 if report.verdict is Verdict.PROVED else 1
