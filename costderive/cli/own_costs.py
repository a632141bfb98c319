"""Costs that only scores and decisions have: names that are columns of the file, and those of right decisions."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from textwrap import shorten
from typing import TYPE_CHECKING

from costderive.cli.arguments import COSTS, OPTIONS, RIGHT, cost_text, spec_from
from costderive.core.errors import DataError, ParametersLeftError, SpecError

if TYPE_CHECKING:
    from costderive.evaluate import CostMatrix
    from costderive.spec import Spec

SAME_COSTS = ("html", "verify", "draws")  # options that take the costs of all rows for the same


def spec_and_matrix(arguments: argparse.Namespace) -> tuple[Spec, CostMatrix | None]:
    """Return the spec of what is scored, and the cost matrix whose regrets it has, if one is given.

    Raises:
        SpecError: as `spec_from` does; or if costs of right decisions go with a context, or with one mistake alone.
    """
    from costderive.costs.contexts.context import one_of
    from costderive.costs.thresholds import Calibrated
    from costderive.evaluate import CostMatrix
    from costderive.spec import Spec, threshold_from

    given = {name: getattr(arguments, name) for name in RIGHT if getattr(arguments, name) is not None}
    if not given:
        return spec_from(arguments.context, arguments), None
    others = [
        name for name in ("context", *OPTIONS) if name not in COSTS and getattr(arguments, name) is not None
    ]
    if others:
        raise SpecError(
            f"--{others[0]} cannot go with --{next(iter(given))}", "Give --fp, --fn, --tp and --tn alone."
        )
    costs = {name: getattr(arguments, name) for name in COSTS}
    mistakes = {
        name: one_of(costs[cost], costs[name], f"--{cost}", f"--{name}")
        for cost, name in (("c0", "fp"), ("c1", "fn"))
    }
    matrix = CostMatrix(**{name: cost_text(text) for name, text in {**mistakes, **given}.items()})
    threshold = Calibrated() if arguments.threshold is None else threshold_from(arguments.threshold)
    return Spec("", "", matrix.context, threshold=threshold), matrix


def chosen(letters: list[str], path: str, delimiter: str | None) -> tuple[str, ...]:
    """Return the letters of costs, each a column of a file.

    Raises:
        ParametersLeftError: if one is not.
    """
    if letters:
        _require_columns(tuple(letters), path, delimiter)
    return tuple(letters)


def require_apart(arguments: argparse.Namespace, path: str) -> None:
    """Refuse parts of costs that have a law and the name of a column of the file.

    Raises:
        SpecError: naming the first.
    """
    from costderive.evaluate import column_names

    parts = tuple(text.partition("=")[0].strip() for text in arguments.parts or ())
    both = [name for name in parts if name in column_names(path, (), arguments.delimiter)]
    if both:
        raise SpecError(
            f"--parts gives {both[0]} a law, and {path} has a column {both[0]!r}",
            "Leave the law out to take the column, or give the part another name.",
        )


def _require_columns(letters: tuple[str, ...], path: str, delimiter: str | None) -> None:
    from costderive.evaluate import column_names

    names = column_names(path, letters, delimiter)
    missing = [name for name in letters if name not in names]
    if not missing:
        return
    near = get_close_matches(missing[0], names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ParametersLeftError(
        f"{', '.join(missing)} in the context has no value, and {path} has no column {missing[0]!r}",
        "Scores need numbers in place of letters, or a column for each. "
        f"Columns: {shorten(', '.join(names), 400)}.{hint}",
    )


def require_possible(letters: tuple[str, ...], arguments: argparse.Namespace) -> None:
    """Refuse options that take the costs of all rows for the same, if there are letters.

    Raises:
        DataError: naming the first such option.
    """
    refused = [f"--{name}" for name in SAME_COSTS if getattr(arguments, name)]
    refused += ["--engine duckdb"] if arguments.engine == "duckdb" else []
    if letters and refused:
        raise DataError(
            f"{refused[0]} is for costs that are the same in all rows, and {letters[0]} is a column",
            "Leave it out.",
        )


def require_engine(arguments: argparse.Namespace) -> None:
    """Refuse weights and groups for the engine that has none.

    Raises:
        DataError: naming the option.
    """
    for name in ("weights", "by"):
        if arguments.engine == "duckdb" and getattr(arguments, name) is not None:
            raise DataError(f"--{name}: --engine duckdb has no weights and groups of rows", "Leave it out.")
