"""costderive plot: pictures of a context and its rule, or of how two contexts differ."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import OPTIONS, WHAT, command, context_arguments, spec_from
from costderive.errors import ParametersLeftError, SpecError


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
    from costderive import plot

    derivations = [_derived(arguments.what, arguments)]
    if arguments.against is None:
        figure = plot.derivation(derivations[0])
    else:
        plain = dict.fromkeys((*OPTIONS, "threshold"))
        derivations.append(_derived(arguments.against, argparse.Namespace(**{**vars(arguments), **plain})))
        figure = plot.comparison(*derivations, names=(arguments.what, arguments.against))
    plot.saved(figure, arguments.to)
    return 0


def _derived(what: str, arguments: argparse.Namespace) -> Any:
    from costderive.contexts import Context
    from costderive.walks import derive

    spec = spec_from(what, arguments)
    if spec.context.parameters:
        names = ", ".join(symbol.name for symbol in spec.context.parameters)
        raise ParametersLeftError(
            f"{names} in {what} has no value", "A picture needs numbers in place of letters."
        )
    if not isinstance(spec.context, Context):
        raise SpecError(f"{what} has costs of several classes", "Pictures are of two classes.")
    return derive(spec.context, threshold=spec.threshold, time_limit=arguments.time_limit)
