"""costderive derive: from a cost context to a proven scoring rule."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import WHAT, command, context_arguments, spec_from
from costderive.cli.giving_up import given_up_after
from costderive.cli.output import check_and_write, output_arguments
from costderive.cli.waiting import waiting

BEYOND = 30.0  # seconds of CPU time for all that is no search of closed forms, as `derive` has them


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "derive", _derive, "derive the scoring rule of a cost context and prove it")
    parser.epilog = f"All is given up {BEYOND:g} seconds of CPU time after the limit of the search."
    parser.add_argument("what", metavar="CONTEXT", help=WHAT)
    context_arguments(parser)
    output = output_arguments(parser)
    output.add_argument(
        "--python",
        metavar="FILE",
        help="write the losses as a Python module that needs NumPy alone; parameters become arguments",
    )
    output.add_argument(
        "--code",
        metavar="TARGET:FILE",
        action="append",
        help="write the losses, of which letters are arguments, as a program: numpy, python, numba, c, javascript, "
        "r, julia, sql, pytorch, jax, lightgbm or xgboost; may be given several times",
    )
    output.add_argument(
        "--coq",
        metavar="FILE",
        help="write a proof for Coq with Coquelicot, from the law of the costs to the rule; coqc FILE checks it",
    )
    output.add_argument(
        "--losses-only",
        action="store_true",
        help="with --coq: prove that the losses are proper, not where they are from",
    )
    output.add_argument("--dialect", default="duckdb", help="of SQL, by its name in sqlglot (default duckdb)")


def _derive(arguments: argparse.Namespace) -> int:
    with waiting("deriving"), given_up_after(arguments.time_limit + BEYOND, "the derivation"):
        spec = spec_from(arguments.what, arguments)
        derivation = spec.derive(arguments.time_limit)
    return check_and_write(
        derivation,
        spec.title,
        spec.source,
        arguments,
        spec.compare(derivation),
        spec.example,
        spec.made_of,
    )
