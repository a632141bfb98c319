"""costderive score with costs of several classes: K columns of probabilities for each model."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from costderive.cli.files import write
from costderive.core.errors import DataError, ParametersLeftError
from costderive.publish.formats.terminal import context_words, decimals, printable, table

if TYPE_CHECKING:
    from costderive.evaluate.class_scores import ClassScores
    from costderive.multiclass import ClassCosts

OF_TWO = ("prevalence", "verify", "draws", "pos_label", "html")


def score(context: ClassCosts, arguments: argparse.Namespace) -> int:
    """Score files and print what is found.

    Raises:
        DataError: if an option is for two classes alone, or the files cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.
    """
    from costderive.evaluate.class_scores import class_files, score_classes

    for name in OF_TWO:
        if getattr(arguments, name):
            raise DataError(f"--{name.replace('_', '-')} is for two classes", "Leave it out.")
    if context.parameters:
        names = ", ".join(symbol.name for symbol in context.parameters)
        raise ParametersLeftError(
            f"{names} in the context has no value", "Scores need numbers in place of letters."
        )
    labels = _labels(context, arguments.labels)
    rows = class_files(arguments.file, y_true=arguments.y_true, labels=labels, y_proba=arguments.y_proba)
    scores = score_classes(context, rows, level=arguments.level)
    if arguments.json:
        write(arguments.json, _document(scores, context, labels) + "\n")
    if arguments.json != "-":
        print("\n".join(_lines(scores, context, labels)))
    return 0


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


def _document(scores: ClassScores, context: ClassCosts, labels: list[str]) -> str:
    about = {"context": context_words(context), "labels": labels, "instances": sum(scores.counts)}
    counts = dict(zip(labels, scores.counts, strict=True))
    found = asdict(scores)
    return json.dumps(_known({**about, **found, "counts": counts}), indent=2, allow_nan=False)


def _known(value: Any) -> Any:
    """Write what is not known, the error of a single row, as null."""
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _lines(scores: ClassScores, context: ClassCosts, labels: list[str]) -> Iterator[str]:
    shares = ", ".join(f"{n} of {printable(x)}" for x, n in zip(labels, scores.counts, strict=True))
    yield f"Costs: {context_words(context)}"
    yield f"{sum(scores.counts)} instances: {shares}"
    yield ""
    order = sorted(scores.models, key=lambda model: model.loss.value)
    sure = f"{100 * scores.level:g} % interval"
    numbers = [[m.loss.value, m.loss.low, m.loss.high, *m.of_classes] for m in order]
    shown = [decimals(row, 4) for row in numbers]
    head = ("model", "loss", sure, *[f"of {printable(label)}" for label in labels])
    rows = [
        (printable(m.model), row[0], f"[{row[1]}, {row[2]}]", *row[3:])
        for m, row in zip(order, shown, strict=True)
    ]
    yield table([head, *rows], right=range(1, len(head)))
    if len(order) > 1:
        yield from ["", _differences(scores, order[0].model, sure)]
    yield from [
        "",
        "loss: mean cost of an instance, in the units of the costs: the sum of what each class contributes",
    ]


def _differences(scores: ClassScores, best: str, sure: str) -> str:
    """Return a table of how much more each model costs than the cheapest one, on the same instances."""
    rows: list[tuple[str, ...]] = [(f"more than {printable(best)}", "loss", sure, "may be chance")]
    for found in scores.differences:
        if best in (found.model, found.other):
            sign = 1 if found.other == best else -1
            ends = sorted((sign * found.loss.low, sign * found.loss.high))
            value, low, high = decimals([sign * found.loss.value, *ends], 3)
            other = found.model if found.other == best else found.other
            rows.append((printable(other), value, f"[{low}, {high}]", "no" if ends[0] > 0 else "yes"))
    return table(rows, right=(1, 2, 3))
