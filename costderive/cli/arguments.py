"""Arguments that several commands share, and the contexts that they describe."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from costderive.core.errors import SpecError

if TYPE_CHECKING:
    from costderive.spec import Spec

NUMBERS = {
    "budget": "c0 + c1 if additive (default 2), or d in 1/c0 + 1/c1 = 1/d if harmonic (default 1/2); or a law",
    "mean": "mean of geometric or power-mean costs (default 1); or a law",
    "k": "exponent of a power mean: 1, -1, 0, 2, 1/2, oo, -oo ...",
}
LAWS = {
    "density": "law of s = c0/(c0 + c1) if a mean is given: an expression in s, or beta(2,2), uniform(l,h) ..., or "
    "improper(1/(s*(1-s))); "
    "density of (c0, c1) if joint, law of x if curve",
    "support": "where the density is: inequalities such as 'c0^2 + c1^2 <= 1' if joint, LOW,HIGH of x if curve",
}
COPULAS = {
    "family": "of the copula: clayton, frank, fgm, gumbel, gaussian, comonotone or countermonotone",
    "factor": "law of a factor that both costs have in common and are otherwise independent of, in any context",
    "theta": "parameter of the copula, a number or a letter in its range",
    "rho": "correlation of the normal scores, if the copula is gaussian",
}
COSTS = {
    "c0": "cost of misclassifying class 0: bounds LOW,HIGH if independent-uniform, a number if fixed, "
    "a law such as gamma(2,1), or words such as '5 to 20', if independent or in place of --density, an expression in "
    "x if curve",
    "c1": "cost of misclassifying class 1, likewise",
    "fp": "another name for --c0: the cost of a false positive, if class 1 is called positive",
    "fn": "another name for --c1: the cost of a false negative",
}
RIGHT = {
    "tp": "cost of a true positive, such as 5, amount/10 or gamma(2,1); negative if it is a benefit, as -20 or "
    "'-uniform(10,20)' (default 0)",
    "tn": "cost of a true negative, likewise",
}
PARTS = {
    "parts": "laws of parts that the costs are written in, as in --c0 'lost + fee' --c1 40 --parts "
    "'lost=gamma(2,10)' fee=uniform:0,5",
    "assuming": "what is known of letters if the form of the costs depends on it, such as 'd < 2', if parts or curve",
}
CLASSES = {
    "classes": "number of classes, if class-costs or dirichlet, or with a matrix that has a name",
    "shapes": "of the Dirichlet law, as in 1,2,1 (default 1 for each class)",
    "costs": "laws of the costs of the classes, such as uniform:0,1 exponential:2 5; one is that of every class; "
    "rows of costs by act such as 0,1,2 1,0,1 2,1,0, or ordinal, or top-2, if cost-matrix",
    "reject": "cost of one more act, the same in every class, if cost-matrix: a number or a law",
}
KINDS = (
    "additive, harmonic, geometric, power-mean, independent-uniform, independent, copula, joint, curve, fixed, "
    "parts, class-costs, cost-matrix, dirichlet"
)
OPTIONS = {**NUMBERS, **LAWS, **COPULAS, **COSTS, **PARTS, **CLASSES}
LISTS = ("costs", "parts", "assuming")
LOSSES = ("loss0", "loss1", "weight", "entropy", "link")
WHAT = f"a kind of context ({KINDS}) or a spec file"

MAX_WHOLE = 10**7  # draws of costs that fit into memory

Command = Callable[[argparse.Namespace], int]


def command(commands: Any, name: str, run: Command, purpose: str) -> argparse.ArgumentParser:
    """Add a command that ``run`` carries out."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=purpose, allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def context_arguments(parser: argparse.ArgumentParser, threshold: bool = True) -> None:
    """Add what describes a context, its threshold (if there is one to choose) and the time for its derivation."""
    group = parser.add_argument_group(
        "the context", "Numbers or expressions such as 1/3, a, 2*a; a letter is a parameter."
    )
    for name, purpose in OPTIONS.items():
        group.add_argument(f"--{name}", metavar="X", help=purpose, nargs="+" if name in LISTS else None)
    parser.set_defaults(threshold=None)
    if threshold:
        parser.add_argument(
            "--threshold",
            metavar="T",
            help="decide at a number, or at random by a law such as uniform(0,1), instead of at c0/(c0 + c1)",
        )
    time_limit_argument(parser, "for the search of closed forms (default 60)")


def right_decision_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the costs of right decisions."""
    group = parser.add_argument_group("the costs of right decisions", "They go with --fp and --fn.")
    for name, purpose in RIGHT.items():
        group.add_argument(f"--{name}", metavar="X", help=purpose)


def time_limit_argument(parser: argparse.ArgumentParser, purpose: str, default: float = 60.0) -> None:
    """Add a limit on time."""
    parser.add_argument("--time-limit", metavar="SECONDS", type=_seconds, default=default, help=purpose)


def delimiter_argument(parser: argparse.ArgumentParser) -> None:
    """Add the delimiter of a CSV file."""
    text = "what separates the cells of CSV files, such as ';' or tab (default: found in the header)"
    parser.add_argument("--delimiter", metavar="D", help=text)


def assuming_argument(parser: argparse.ArgumentParser) -> None:
    """Add what is known of the letters."""
    text = "what is known of the letters, such as 'k > 7'; may be repeated"
    parser.add_argument("--assuming", metavar="FACT", action="append", default=[], help=text)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (seconds := float(text)) < math.inf:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0; write 60, say")


def whole(text: str) -> int:
    """Read a whole number that is not negative.

    Raises:
        argparse.ArgumentTypeError: if the text is none, or one above what fits into memory.
    """
    with suppress(ValueError):
        if 0 <= (number := int(text)) <= MAX_WHOLE:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {MAX_WHOLE}; write 2000, say")


def joined(arguments: Sequence[str]) -> list[str]:
    """Write ``--k -1/2`` as ``--k=-1/2``, since argparse takes what starts with a dash for an option."""
    found: list[str] = []
    for argument in arguments:
        takes_value = bool(found) and found[-1] in [f"--{name}" for name in (*OPTIONS, *RIGHT, *LOSSES)]
        if takes_value and argument.startswith("-") and not argument.startswith("--"):
            found[-1] += f"={argument}"
        else:
            found.append(argument)
    return found


def spec_from(what: str | None, arguments: argparse.Namespace) -> Spec:
    """Return the spec of a named kind with the options given, or of a file; a threshold given replaces its own.

    The losses that a file expects are those at its own threshold, so they are not expected at another.
    """
    from costderive.spec import threshold_from

    found = _spec_of_context(what, arguments)
    given = arguments.threshold
    return found if given is None else replace(found, threshold=threshold_from(given), expected=None)


def _spec_of_context(what: str | None, arguments: argparse.Namespace) -> Spec:
    from costderive import spec

    options = {name: getattr(arguments, name) for name in OPTIONS}
    given = {name: _law(text) for name, text in options.items() if text is not None}
    if what is None:
        what = next(
            (kind for key, kind in (("costs", "class-costs"), ("parts", "parts")) if key in given), None
        )
    if what is None:
        if not any(name in given for name in COSTS):
            raise SpecError(
                "no context is given", f"Write --context with {WHAT}, or costs: --c0 1,10 --c1 5."
            )
        what, given = "independent", {name: _uniform(text) for name, text in given.items()}
    if what in spec.KINDS:
        values = {name: _parts(text) for name, text in given.items()}
        return spec.Spec.of({"kind": what, **values})
    if given:
        named = ", ".join(f"--{name}" for name in given)
        remedy = f"Options belong to a kind: {', '.join(spec.KINDS)}."
        raise SpecError(f"{named} cannot go with {what!r}", remedy)
    if not what.endswith(".toml") and not os.path.exists(what):
        spec.context_from({"kind": what})  # refuses, and names the kinds
    return spec.load(what)


def _parts(given: str | list[str]) -> str | list[str]:
    """Split what is given as one text at its commas, if it has any."""
    from costderive.costs.laws.phrases import is_in_words
    from costderive.spec import split

    if isinstance(given, list) or is_in_words(given):
        return given
    parts = split(given)
    return given if len(parts) == 1 else parts


def _law(text: Any) -> Any:
    """Write ``uniform:1,10`` as ``uniform(1,10)``, which shells do not read without quotes; of a list, all items."""
    if isinstance(text, list):
        return [_law(item) for item in text]
    short = re.fullmatch(r"((?:\w+=)?)([a-z][a-z-]*):(.+)", text.strip())
    return f"{short[1]}{short[2]}({short[3]})" if short else text


def cost_text(text: str) -> str:
    """Write a cost that is given in short, as LOW,HIGH or uniform:1,10, in full; a sign before it is kept.

    Where both bounds have a sign, as in -2,-1, it is theirs.
    """
    cost = text.strip()
    if re.fullmatch(r"-[^,()]+,\s*-[^,()]+", cost):
        return _uniform(cost)
    sign, rest = ("-", cost[1:]) if cost.startswith("-") else ("", cost)
    return f"{sign}{_uniform(_law(rest))}"


def _uniform(text: str) -> str:
    """Write bounds ``LOW,HIGH`` as the uniform law between them."""
    from costderive.costs.laws.phrases import is_in_words
    from costderive.spec import split

    return f"uniform({text})" if len(split(text)) == 2 and not is_in_words(text) else text
