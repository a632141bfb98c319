"""costderive score with costs of several classes: K columns of probabilities for each model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from costderive.cli.files import write
from costderive.cli.output import finite, terminal_width
from costderive.core.errors import DataError, ParametersLeftError
from costderive.publish.formats.terminal import context_words

if TYPE_CHECKING:
    from costderive.evaluate.class_scores import ClassScores, KnownClasses
    from costderive.multiclass import ClassCosts

OF_TWO = ("prevalence", "verify", "draws", "pos_label", "html", "plot")


def score(context: ClassCosts, arguments: argparse.Namespace) -> int:
    """Score files and print what is found.

    Raises:
        DataError: if an option is for two classes alone, or the files cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.
    """
    from costderive.evaluate.class_scores import class_files, score_classes
    from costderive.publish.score_report.of_classes import summary_of_classes

    for name in OF_TWO:
        if getattr(arguments, name):
            raise DataError(f"--{name.replace('_', '-')} is for two classes", "Leave it out.")
    if context.parameters:
        names = ", ".join(symbol.name for symbol in context.parameters)
        raise ParametersLeftError(
            f"{names} in the context has no value", "Scores need numbers in place of letters."
        )
    labels = _labels(context, arguments.labels)
    files: dict[str, Any] = {name: getattr(arguments, name) for name in ("y_true", "y_proba", "delimiter")}
    rows, left_out = class_files(arguments.file, labels=labels, **files), dict[str, str]()
    scores = score_classes(context, _gathering(rows, left_out), level=arguments.level)
    if arguments.json:
        write(arguments.json, _document(scores, labels) + "\n")
    if arguments.json != "-":
        print(summary_of_classes(scores, labels, left_out).text(terminal_width()))
    return 0


def _gathering(rows: Iterable[KnownClasses], left_out: dict[str, str]) -> Iterator[KnownClasses]:
    """Pass rows on, and gather what is left out."""
    for part in rows:
        left_out |= part.left_out
        yield part


def _labels(context: ClassCosts, given: str | None) -> list[str]:
    """Return the labels of the classes, in the order of their costs."""
    count = context.classes
    labels = (
        [str(label) for label in range(count)] if given is None else [x.strip() for x in given.split(",")]
    )
    if len(labels) != count:
        raise DataError(
            f"--labels has {len(labels)} labels for the {count} classes of the costs", "Give one each."
        )
    return labels


def _document(scores: ClassScores, labels: list[str]) -> str:
    document = {
        "context": context_words(scores.context),
        "labels": labels,
        "instances": sum(scores.counts),
        "models": [asdict(row) for row in scores],
        "differences": [asdict(difference) for difference in scores.differences],
        "counts": dict(zip(labels, scores.counts, strict=True)),
        "level": scores.level,
        "constant": scores.constant,
    }
    return json.dumps(finite(document), indent=2, allow_nan=False)
