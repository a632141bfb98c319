"""costderive score with costs of several classes: K columns of probabilities for each model."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from costderive.cli.files import write
from costderive.cli.output import terminal_width
from costderive.cli.waiting import waiting, with_progress
from costderive.core.errors import DataError
from costderive.publish.formats.terminal import context_words

if TYPE_CHECKING:
    from costderive.evaluate import ClassScores
    from costderive.multiclass.class_costs import ClassContext

OF_TWO = ("prevalence", "verify", "draws", "pos_label", "html", "plot", "bootstrap")
COMPILING = "compiling the losses"


def score(context: ClassContext, arguments: argparse.Namespace) -> int:
    """Score files and print what is found.

    Raises:
        DataError: if an option is for two classes alone, or the files cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.
        SpecError: if the losses are not compiled within the time limit.
    """
    from costderive.evaluate.class_files import class_files
    from costderive.evaluate.class_scores import score_class_rows
    from costderive.publish.score_report.of_classes import summary_of_classes

    for name in OF_TWO:
        if getattr(arguments, name):
            raise DataError(f"--{name.replace('_', '-')} is for two classes", "Leave it out.")
    if arguments.engine == "duckdb":
        raise DataError("--engine duckdb is for two classes", "Leave it out.")
    labels = _labels(context, arguments.labels)
    given = ("y_true", "y_proba", "delimiter", "weights", "by")
    files: dict[str, Any] = {name: getattr(arguments, name) for name in given}
    rows, left_out = class_files(arguments.file, labels=labels, **files), dict[str, str]()
    with waiting(COMPILING) as end:
        scores = score_class_rows(
            context,
            with_progress(rows, left_out, end),
            labels=labels,
            level=arguments.level,
            time_limit=arguments.time_limit,
        )
    if arguments.json:
        write(arguments.json, _document(scores, arguments) + "\n")
    if arguments.json != "-":
        print(summary_of_classes(scores, left_out).text(terminal_width()))
    return 0


def _labels(context: ClassContext, given: str | None) -> list[str]:
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


def _document(scores: ClassScores, arguments: argparse.Namespace) -> str:
    from costderive.publish.formats.json_numbers import finite

    document: dict[str, Any] = {
        "context": context_words(scores.context),
        "labels": list(scores.labels),
        "instances": sum(scores.counts),
        **_table(scores),
        "level": scores.level,
        "constant": scores.constant,
    }
    if scores.is_weighted:
        document["weights"] = arguments.weights
    if scores.groups:
        document["by"] = arguments.by
        document["groups"] = {
            name: {"instances": sum(part.counts), **_table(part)} for name, part in scores.groups.items()
        }
    return json.dumps(finite(document), indent=2, allow_nan=False)


def _table(scores: ClassScores) -> dict[str, Any]:
    return {
        "models": [asdict(row) for row in scores],
        "differences": [asdict(difference) for difference in scores.differences],
        "counts": dict(zip(scores.labels, scores.counts, strict=True)),
    }
