"""The command line: derive, examine or explain a rule, score, decide and draw, check a certificate, decide claims.

Exit status: 0, or 1 if a claim is not proved (or a published one not decided), 2 if something was wrong with the input,
130 if interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import costderive
from costderive.cli import (
    cache,
    check,
    claims,
    completion,
    decide,
    derive,
    examine,
    gallery,
    plot,
    rule,
    score,
    site,
)
from costderive.cli.arguments import joined
from costderive.core.errors import CostDeriveError

COMMANDS = (derive, examine, rule, score, decide, plot, check, gallery, claims, site, cache, completion)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that is not a text file
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    arguments = _parsed(joined(sys.argv[1:] if argv is None else argv))
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except CostDeriveError as error:
        print(f"costderive: {_harmless(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("costderive: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has closed it; say nothing when Python closes it too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status


def _parsed(argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; what a command does not know is said with the usage of that command."""
    parser, by_name = _parser()
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        by_name[arguments.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    return arguments


def _harmless(text: str) -> str:
    """Return a text, which may quote a file, so that it cannot drive the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def _parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser, and that of each command by name."""
    parser = argparse.ArgumentParser(
        prog="costderive",
        description="From a distribution of misclassification costs to a proven scoring rule.",
        epilog="Example: costderive derive independent-uniform --fp 0,1 --fn 0,5 --latex proof.tex",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"costderive {costderive.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for command in COMMANDS:
        command.add(commands)
    return parser, commands.choices
