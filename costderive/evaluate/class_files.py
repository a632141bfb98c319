"""Predictions of K classes from files: a column of probabilities for each model and class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, np
from costderive.evaluate.class_scores import KnownClasses, Labels
from costderive.evaluate.label_order import number
from costderive.evaluate.prediction_files import Block, blocks
from costderive.evaluate.predictions import of_groups, require_columns

ROUNDED = (
    1e-3  # how far off 1 a row may add up: losses depend on ratios alone, and files hold rounded numbers
)


def class_files(
    paths: Sequence[str | Path],
    *,
    y_true: str,
    labels: Sequence[str],
    y_proba: Sequence[str] = (),
    delimiter: str | None = None,
    weights: str | None = None,
    by: str | None = None,
) -> Iterator[KnownClasses]:
    """Yield the rows of files with a column ``MODEL:LABEL`` for each model and label, or ``LABEL`` for one model.

    The labels are in the order of the classes of the costs. Several files hold the same instances in the same order.
    The probabilities of a row may add up to 1 but for rounding, and are divided by their sum. ``weights`` and ``by``
    name columns of the first file, with the weight of each row and its group.

    Raises:
        DataError: naming file, row and column.
    """
    if len(set(labels)) < len(labels):
        raise DataError(f"labels = {', '.join(labels)} has a label twice", "Give each once.")
    wanted = () if weights is None else (weights,)
    how: dict[str, Any] = {"columns": wanted, "by": by, "delimiter": delimiter, "classes": labels}
    read = [blocks(path, y_true=y_true, y_proba=y_proba, **how) for path in paths]
    for parts in zip_longest(*read):
        known = [_classes(part, labels) if part else np.empty(0, np.intp) for part in parts]
        for path, other in zip(paths[1:], known[1:], strict=True):
            if not np.array_equal(known[0], other):
                remedy = "Files that are compared hold the same instances in the same order."
                raise DataError(
                    f"{path} has other labels, or another number of rows, than {paths[0]}", remedy
                )
        found = [_models(part, path, labels) for part, path in zip(parts, paths, strict=True)]
        left_out = {name: what for part in parts for name, what in part.left_out.items()}
        require_columns(wanted, parts[0], paths[0])
        rows = KnownClasses(
            known[0],
            _named(found, paths),
            left_out,
            groups=of_groups(by, parts[0], paths[0]),
            place=parts[0].place,
            share=parts[0].share,
        )
        yield rows if weights is None else rows.weighted(parts[0].columns[weights], f"weight {weights!r}")


def _classes(part: Block, labels: Sequence[str]) -> Labels:
    """Return the number of each row's class; labels that are numbers are compared as such."""
    table = {_key(label): k for k, label in enumerate(labels)}
    keys = [_key(str(cell)) for cell in part.labels.tolist()]
    for row, key in enumerate(keys):
        if key not in table:
            where = f"{part.place(row)}: the label {str(part.labels[row])[:40]!r} is not a class"
            raise DataError(where, f"The labels are {', '.join(labels)}: name others with --labels.")
    return np.array([table[key] for key in keys], dtype=np.intp)


def _key(text: str) -> Any:
    value = number(text)
    return text.strip() if value is None else float(value)


def _models(part: Block, path: str | Path, labels: Sequence[str]) -> dict[str, Array]:
    """Gather the columns of each model of a file, and divide rows by their sums."""
    columns: dict[str, dict[str, Array]] = {}
    for name, values in part.models.items():
        model, _, label = name.rpartition(":")
        if label.strip() not in labels:
            remedy = f"Name columns MODEL:LABEL, with one of the labels {', '.join(labels)}, or choose with --y-proba."
            raise DataError(f"{path}: column {name!r} belongs to no class", remedy)
        columns.setdefault(model.strip(), {})[label.strip()] = values
    return {model: _forecasts(found, model, part, path, labels) for model, found in columns.items()}


def _forecasts(
    found: dict[str, Array], model: str, part: Block, path: str | Path, labels: Sequence[str]
) -> Array:
    missing = [label for label in labels if label not in found]
    if missing:
        named = f"{model}:{missing[0]}" if model else missing[0]
        raise DataError(f"{path} has no column {named!r}", "Every class needs its probabilities.")
    rows = np.stack([found[label] for label in labels], axis=1)
    sums = rows.sum(axis=1)
    off = np.flatnonzero(np.abs(sums - 1) > ROUNDED)
    if len(off):
        where = f"{part.place(int(off[0]))}: the probabilities of {model or 'the classes'} add up to {sums[off[0]]:.6g}"
        raise DataError(where, "They add up to 1, but for rounding.")
    return np.asarray(rows / sums[:, None])


def _named(found: list[dict[str, Array]], paths: Sequence[str | Path]) -> dict[str, Array]:
    stems = [Path(path).stem for path in paths]
    files = [
        stem if Counter(stems)[stem] == 1 else str(path) for stem, path in zip(stems, paths, strict=True)
    ]
    named = {}
    for file, models in zip(files, found, strict=True):
        for model, values in models.items():
            alone = len(paths) == 1 and model
            named[model if alone else f"{file}: {model}" if model else file] = values
    if len(named) < sum(map(len, found)):
        raise DataError(f"{Counter(files).most_common(1)[0][0]} is given twice", "Give each file once.")
    return named
