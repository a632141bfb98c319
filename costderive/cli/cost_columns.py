"""Costs of each row: names in the costs that are columns of the file."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from textwrap import shorten
from typing import TYPE_CHECKING

from costderive.core.errors import DataError, ParametersLeftError

if TYPE_CHECKING:
    from costderive.costs.contexts import Context

SAME_COSTS = ("html", "verify", "draws")  # options that take the costs of all rows for the same


def chosen(context: Context, path: str) -> tuple[str, ...]:
    """Return the letters of a context, each a column of a file.

    Raises:
        ParametersLeftError: if one is not.
    """
    letters = tuple(symbol.name for symbol in context.parameters)
    if letters:
        _require_columns(letters, path)
    return letters


def _require_columns(letters: tuple[str, ...], path: str) -> None:
    from costderive.evaluate import column_names

    names = column_names(path)
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
