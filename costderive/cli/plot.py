"""costderive plot: pictures of a context and its rule, or of how two contexts differ."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import OPTIONS, WHAT, command, context_arguments, spec_from
from costderive.cli.waiting import waiting
from costderive.core.errors import ParametersLeftError, SpecError


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "plot", _run, "draw a context without letters: its costs, weight, losses and entropy"
    )
    parser.add_argument("what", metavar="CONTEXT", help=WHAT)
    parser.add_argument("--to", metavar="FILE", required=True, help="picture to write: .png, .svg or .pdf")
    parser.add_argument(
        "--against",
        metavar="CONTEXT",
        help="draw how both contexts differ instead; a kind here takes no options",
    )
    context_arguments(parser)


def _run(arguments: argparse.Namespace) -> int:
    from costderive.publish import plots

    with waiting("drawing"):
        found = _derived(arguments.what, arguments)
        plots.saved(_alone(found) if arguments.against is None else _both(found, arguments), arguments.to)
    return 0


def _alone(found: Any) -> Any:
    from costderive.multiclass import MulticlassDerivation
    from costderive.publish import plots

    return plots.simplex(found) if isinstance(found, MulticlassDerivation) else plots.derivation(found)


def _both(first: Any, arguments: argparse.Namespace) -> Any:
    from costderive.derivation.derivation import Derivation
    from costderive.publish import plots

    names = arguments.what, arguments.against
    plain = dict.fromkeys((*OPTIONS, "threshold"))
    second = _derived(arguments.against, argparse.Namespace(**{**vars(arguments), **plain}))
    for name, found in zip(names, (first, second), strict=True):
        if not isinstance(found, Derivation):
            raise SpecError(
                f"{name} has costs of several classes", "Two contexts are compared for two classes."
            )
    return plots.comparison(first, second, names=names)


def _derived(what: str, arguments: argparse.Namespace) -> Any:
    spec = spec_from(what, arguments)
    if spec.context.parameters:
        names = ", ".join(symbol.name for symbol in spec.context.parameters)
        raise ParametersLeftError(
            f"{names} in {what} has no value", "A picture needs numbers in place of letters."
        )
    return spec.derive(arguments.time_limit)
