"""costderive rule: a rule by its name, weight, entropy, link or losses, and what it says of costs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import assuming_argument, command, time_limit_argument
from costderive.cli.output import check_and_write, output_arguments
from costderive.core.errors import SpecError

if TYPE_CHECKING:
    from costderive.rules import ScoringRule

WAYS = ("weight", "atom", "entropy", "link", "loss0", "loss1")


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "derive a scoring rule from its name, threshold weight, entropy, link or losses; explain what it means"
    parser = command(commands, "rule", _run, purpose)
    parser.add_argument("name", metavar="NAME", nargs="?", help="a named rule, such as brier or 'beta(2,a)'")
    parser.add_argument(
        "--weight", metavar="W", help="density of the threshold weight in s, by cases if need be"
    )
    parser.add_argument(
        "--atom",
        metavar="AT,MASS",
        action="append",
        help="a point mass of the threshold weight; may be repeated",
    )
    parser.add_argument("--entropy", metavar="H", help="entropy in q, such as 'q*(1-q)'")
    parser.add_argument("--link", metavar="G", help="canonical link in p, such as 'log(p/(1-p))'")
    parser.add_argument("--loss0", metavar="L0", help="loss if the class is 0, in p")
    parser.add_argument("--loss1", metavar="L1", help="loss if the class is 1, in p")
    parser.add_argument(
        "--explain", action="store_true", help="say what it means for costs, and its other names"
    )
    assuming_argument(parser)
    time_limit_argument(parser, "for the search of closed forms (default 60)")
    output = output_arguments(parser)
    output.add_argument(
        "--python", metavar="FILE", help="write the losses as a Python module that needs NumPy alone"
    )


def _run(arguments: argparse.Namespace) -> int:
    from costderive.derivation.interpretation import explain

    found = _rule(arguments)
    status = check_and_write(found.derivation, arguments.name or "", "", arguments)
    if arguments.explain:
        print(f"\n{explain(found)}")
    return status


def _rule(arguments: argparse.Namespace) -> ScoringRule:
    given = {way for way in WAYS if getattr(arguments, way) is not None}
    for needed, build in _BUILDERS:
        if given == needed and (arguments.name is None) == bool(needed):
            return build(arguments)
    named = [f"--{way}" for way in WAYS if way in given] + ([] if arguments.name is None else ["NAME"])
    remedy = "Give a name, --weight and --atom, --entropy, --link, or --loss0 with --loss1."
    raise SpecError(f"{' and '.join(named) or 'nothing'} is given", remedy)


def _known(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is assumed of letters, and the seconds that a search may take."""
    return {"assuming": arguments.assuming, "time_limit": arguments.time_limit}


def _named(arguments: argparse.Namespace) -> ScoringRule:
    from costderive.derivation.named_rules import named

    if arguments.assuming:
        problem = f"--assuming {arguments.assuming[0]} stands beside the name of a rule"
        raise SpecError(problem, "A named rule has its own conditions: leave it out.")
    return named(arguments.name)


def _weight(arguments: argparse.Namespace) -> ScoringRule:
    from costderive.derivation.constructed_rules import rule_from_weight

    density = 0 if arguments.weight is None else arguments.weight
    atoms = [_atom(text) for text in arguments.atom or ()]
    return rule_from_weight(density, atoms, **_known(arguments))


def _atom(text: str) -> tuple[str, str]:
    from costderive.spec import split

    parts = split(text)
    if len(parts) != 2:
        raise SpecError(f"--atom {text} is not AT,MASS", "Write a place and a mass, as in 1/3,2.")
    return parts[0], parts[1]


def _entropy(arguments: argparse.Namespace) -> ScoringRule:
    from costderive.derivation.constructed_rules import rule_from_entropy

    return rule_from_entropy(arguments.entropy, **_known(arguments))


def _link(arguments: argparse.Namespace) -> ScoringRule:
    from costderive.derivation.constructed_rules import rule_from_link

    return rule_from_link(arguments.link, **_known(arguments))


def _losses(arguments: argparse.Namespace) -> ScoringRule:
    from costderive.derivation.constructed_rules import rule_from_losses

    return rule_from_losses(arguments.loss0, arguments.loss1, **_known(arguments))


_BUILDERS: tuple[tuple[set[str], Callable[[argparse.Namespace], ScoringRule]], ...] = (
    (set(), _named),
    ({"weight"}, _weight),
    ({"weight", "atom"}, _weight),
    ({"atom"}, _weight),
    ({"entropy"}, _entropy),
    ({"link"}, _link),
    ({"loss0", "loss1"}, _losses),
)
