"""costderive claims: published claims on scoring rules, each decided by the engine."""

from __future__ import annotations

import argparse
import shutil
from textwrap import wrap
from typing import Any

from costderive.cli.arguments import command
from costderive.cli.files import write
from costderive.core.errors import ExportError

LEAST, MOST = 60, 120
SUFFIX = ".toml"  # of a file of one's own


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "decide claims on scoring rules; status 1 if one is undecided, or fails in a file of your own"
    parser = command(commands, "claims", _claims, purpose)
    parser.add_argument(
        "claims",
        metavar="ID",
        nargs="*",
        help="claims to show whole, or .toml files of your own; without any, a table of all",
    )
    parser.add_argument(
        "--contents",
        action="store_true",
        help="print what the sources contain, with its claims or why it has none",
    )
    own = parser.add_argument_group("claims of your own")
    own.add_argument(
        "--kinds", action="store_true", help="print the kinds of checks, with what each is asked by"
    )
    own.add_argument("--new", metavar="KIND", help="print a claim of a kind, a file to change into your own")
    output = parser.add_argument_group("output", "An existing file is replaced. - means standard output.")
    output.add_argument("--json", metavar="FILE", help="write the decisions as data")
    output.add_argument(
        "--latex", metavar="FILE", help="write the derivation that decides one claim as an article"
    )


def _claims(arguments: argparse.Namespace) -> int:
    if arguments.kinds or arguments.new is not None:
        return _help(arguments)
    if arguments.json is not None and arguments.json == arguments.latex:
        raise ExportError("two outputs go to the same file", "Give each its own name.")
    width = min(MOST, max(LEAST, shutil.get_terminal_size((100, 24)).columns))
    if arguments.contents:
        from costderive.literature.contents import contents_text

        print(contents_text(width), end="")
        return 0
    quiet = "-" in (arguments.json, arguments.latex)
    decisions = _whole(arguments.claims, width, quiet) if arguments.claims else _table(width, quiet)
    _write(arguments, decisions)
    own = [name.endswith(SUFFIX) for name in arguments.claims] or [False] * len(decisions)
    return int(any(map(_fails, decisions, own)))


def _fails(decision: Any, own: bool) -> bool:
    """Is a claim no success: one that is undecided, or one of the user's that fails as it stands?"""
    from costderive.literature.decision import Verdict

    failed = (Verdict.REFUTED, Verdict.CORRECTED) if own else ()
    return decision.verdict in (Verdict.UNDECIDED, *failed)


def _help(arguments: argparse.Namespace) -> int:
    """Print what one needs to write a claim."""
    from costderive.literature import templates

    print(templates.template(arguments.new) if arguments.new is not None else templates.kinds(), end="")
    return 0


def _whole(names: list[str], width: int, quiet: bool) -> list[Any]:
    """Decide some claims, and show each with all that decides it."""
    from costderive.literature.decision import decide
    from costderive.literature.published import find
    from costderive.literature.report import claim_text

    decisions = [decide(claim) for claim in [find(name) for name in names]]
    if not quiet:
        print(f"\n\n{'─' * width}\n\n".join(claim_text(decision, width) for decision in decisions))
    return decisions


def _table(width: int, quiet: bool) -> list[Any]:
    """Decide all claims, and show each in a line as soon as it is decided."""
    from costderive.literature.decision import decide
    from costderive.literature.published import published
    from costderive.literature.report import heading, row, totals

    decisions: list[Any] = []
    for before, claim in zip((None, *published()), published(), strict=False):
        found = decide(claim)
        decisions.append(found)
        if not quiet:
            start = heading(claim, before, width)
            print(*([start] if start else []), row(found, width), sep="\n", flush=True)
    if not quiet:
        print("", *wrap(totals(decisions), width), "costderive claims ID shows what decides one.", sep="\n")
    return decisions


def _write(arguments: argparse.Namespace, decisions: list[Any]) -> None:
    """Write the files that are asked for."""
    from costderive.literature.report import to_json

    if arguments.json is not None:
        write(arguments.json, to_json(decisions))
    if arguments.latex is not None:
        write(arguments.latex, _article(decisions))


def _article(decisions: list[Any]) -> str:
    from costderive.publish.formats.article import latex

    found = [decision.derived for decision in decisions]
    if len(found) != 1 or found[0] is None:
        what = (
            f"{len(found)} claims"
            if len(found) != 1
            else f"{decisions[0].claim.id} is decided without a derivation"
        )
        raise ExportError(
            f"--latex with {what}", "Name one claim about the losses of a context, or about properness."
        )
    return latex(found[0].derivation, found[0].report)
