"""costderive examine: whether a pair of losses is a proper scoring rule."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import assuming_argument, command, time_limit_argument
from costderive.cli.output import check_and_write, output_arguments
from costderive.cli.waiting import waiting


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "examine", _examine, "decide whether a pair of losses is a proper scoring rule"
    )
    text = 'in p, such as "p^2", or by cases, such as "0 if p <= 1/2; 1"'
    parser.add_argument("--loss0", metavar="L0", required=True, help=f"loss if the class is 0: {text}")
    parser.add_argument("--loss1", metavar="L1", required=True, help="loss if the class is 1, likewise")
    assuming_argument(parser)
    time_limit_argument(parser, "for the search of a verdict (default 60)")
    output_arguments(parser)


def _examine(arguments: argparse.Namespace) -> int:
    from costderive.derivation.derive import examine

    assuming, seconds = arguments.assuming, arguments.time_limit
    with waiting("examining"):
        derivation = examine(arguments.loss0, arguments.loss1, assuming=assuming, time_limit=seconds)
    return check_and_write(derivation, "", "", arguments)
