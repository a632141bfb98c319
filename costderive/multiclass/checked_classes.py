"""Labels and probabilities of K classes, checked: what cannot be scored is refused with its first offending row."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from reprlib import repr as shown
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.numeric.checked_data import as_numpy, labelled, numbers, probabilities

Labels = NDArray["np.intp"]
DOUBLE = sys.float_info.epsilon
WRITTEN, ROUGHEST = 1e-8, 1e-2  # how far off 1 decimals may add up, and numbers of any type


def checked_rows(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    classes: int | None,
    labels: Sequence[Any] | None = None,
    name: str = "",
) -> tuple[Labels, Array]:
    """Return the numbers of the classes, of shape (n,), and probabilities of shape (n, K).

    Raises:
        DataError: naming the first row that cannot be scored, after the name of what they belong to.
    """
    try:
        forecasts = checked_forecasts(y_proba, classes)
        return _numbered(y_true, forecasts.shape, labels), forecasts
    except DataError as error:
        raise DataError(f"{name}: {error.problem}" if name else error.problem, error.remedy) from None


# ---- probabilities


def checked_forecasts(y_proba: ArrayLike, classes: int | None) -> Array:
    """Return rows of probabilities as doubles that add up to one.

    A row may be off by the rounding of its type: ``max(K, 100) eps``, but not more than 0.01; doubles, which may be
    decimals that were written down, by 1e-8. Rows that are off by more than ``K eps`` of doubles are divided by their
    sums, so those of a softmax in single precision are.

    Raises:
        DataError: naming the first row that is no forecast.
    """
    found = np.asarray(probabilities("y_proba", y_proba), dtype=float)
    _require_rows("y_proba", found, classes)
    sums = found.sum(axis=1)
    off = np.abs(sums - 1)
    bad = np.flatnonzero(off > _tolerance(as_numpy(y_proba).dtype, found.shape[1]))
    if len(bad):
        row, single = int(bad[0]), np.dtype(np.float32)
        is_single = off.max() <= _tolerance(single, found.shape[1])
        raise DataError(
            f"y_proba[{row}] adds up to {sums[row]:.17g}, which is {off[row]:.3g} off",
            "Divide each row by its sum"
            + (
                ", or pass the array of type float32 from which the numbers seem to come."
                if is_single
                else "."
            ),
        )
    rounded = off > found.shape[1] * DOUBLE
    return found / np.where(rounded, sums, 1.0)[:, None] if rounded.any() else found


def _require_rows(name: str, found: Array, classes: int | None) -> None:
    if found.shape[:1] == (0,):
        raise DataError(f"{name} has no rows", "Give at least one.")
    if found.ndim != 2 or found.shape[1] < 2 or classes not in (None, found.shape[1]):
        wanted = "K" if classes is None else classes
        raise DataError(
            f"{name} has the shape {found.shape}, and there are {wanted} classes",
            f"Give the shape (n, {wanted}): a row for each instance, with a column for each class.",
        )


def _tolerance(given: np.dtype[Any], classes: int) -> float:
    """Return how far off 1 a row of so many numbers may add up, which were given in this type."""
    rounding = max(classes, 100) * float(np.finfo(given).eps) if given.kind == "f" else 0.0
    return min(max(rounding, WRITTEN), ROUGHEST)


def require_positive(forecasts: Array) -> None:
    """Refuse rows that hold a 0.

    Raises:
        DataError: naming the first.
    """
    if not (forecasts > 0).all():
        row = int(np.argmin(forecasts.min(axis=1) > 0))
        raise DataError(
            f"y_proba[{row}] = {shown(forecasts[row].tolist())} has a probability 0",
            "Derivatives are those at positive probabilities: give logits, or clip.",
        )


def softmax(logit: ArrayLike, classes: int | None) -> Array:
    """Return the probabilities of logits of shape (n, K), for any K if it is not given; at -inf the probability is 0.

    Raises:
        DataError: naming the first that is infinite above or NaN, a row that is -inf everywhere, or another shape.
    """
    found = numbers("logit", logit)
    _require_rows("logit", found, classes)
    bad = ~(found < np.inf) | (found == -np.inf).all(axis=1, keepdims=True)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise DataError(
            f"logit[{row}, {column}] = {found[row, column]} leaves the row without probabilities",
            "Give finite numbers, or -inf for a class that is impossible.",
        )
    powers = np.exp(found - found.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


# ---- labels


def _numbered(y_true: ArrayLike, shape: tuple[int, ...], labels: Sequence[Any] | None = None) -> Labels:
    """Return the number of each row's class, from 0 to K - 1, for probabilities of the shape (n, K).

    Rows may be one-hot. ``labels`` names the classes in the order of the columns. Without it numbers stand for
    themselves, and names for their places in ascending order, as in scikit-learn, if all K of them are there.

    Raises:
        DataError: naming the first row whose label is none.
    """
    found = _plain(labelled("y_true", y_true))
    if found.ndim == 2 and found.shape == shape:
        return _from_one_hot(found)
    if found.shape != shape[:1]:
        raise DataError(
            f"y_true has the shape {found.shape}, and there are probabilities of the shape {shape}",
            f"Give a label for each row, of the shape ({shape[0]},), or one-hot rows of the shape {shape}.",
        )
    if labels is not None:
        return _places(found, named_classes(labels, shape[1]))
    _require_labels(found)
    if found.dtype.kind in "iuf":
        return _numbers(found, shape[1])
    if found.dtype.kind == "b":
        return _places(found, _both(shape[1]))
    return _places(found, ascending(found, shape[1]))


def _require_labels(found: NDArray[Any]) -> None:
    for row, cell in enumerate(found.tolist() if found.dtype.kind == "O" else ()):
        if cell is None or not _is_label(cell):
            remedy = "Labels are numbers or strings: drop the rows that have none."
            raise DataError(f"y_true[{row}] = {shown(cell)} is not a label", remedy)


def _is_label(cell: Any) -> bool:
    try:
        return isinstance(cell, Hashable) and bool(cell == cell)  # noqa: PLR0124  (NaN)
    except (TypeError, ValueError):
        return False


def named_classes(labels: Sequence[Any], classes: int | None) -> tuple[Any, ...]:
    """Return the names of the classes, whose number may be any.

    Raises:
        DataError: if there is not one for each class, in an order, or one stands there twice.
    """
    remedy = f"Give a list of {classes or 'all'} names, in the order of the columns."
    if isinstance(labels, set | frozenset) or not isinstance(labels, Iterable):
        raise DataError(f"labels = {shown(labels)} is no list", remedy)
    names = tuple(np.asarray(labels, dtype=object).tolist())
    if classes not in (None, len(names)):
        raise DataError(f"labels = {shown(names)} has {len(names)} names for {classes} classes", remedy)
    for n, name in enumerate(names):
        if not _is_label(name):
            raise DataError(f"labels[{n}] = {shown(name)} is not a label", "Labels are numbers or strings.")
        if name in names[:n]:
            raise DataError(f"labels[{n}] = {shown(name)} stands there twice", "Give each label once.")
    return names


def _places(found: NDArray[Any], names: tuple[Any, ...]) -> Labels:
    """Return the place of each label among the names."""
    table = {name: place for place, name in enumerate(names)}
    if found.dtype.kind in "biufSU":
        distinct, each = np.unique(found, return_inverse=True)
        places = np.array([table.get(label, -1) for label in distinct.tolist()], dtype=np.intp)[each]
    else:
        places = np.array(
            [table.get(cell, -1) if isinstance(cell, Hashable) else -1 for cell in found.tolist()],
            dtype=np.intp,
        )
    if (places < 0).any():
        row = int(np.argmax(places < 0))
        listed = ", ".join(map(shown, names[:20])) + (", ..." if len(names) > 20 else "")
        raise DataError(
            f"y_true[{row}] = {shown(found[row : row + 1].tolist()[0])} is not among the labels {listed}",
            "Name the classes with labels=, in the order of the columns.",
        )
    return np.asarray(places)


def _numbers(found: NDArray[Any], classes: int) -> Labels:
    bad = np.flatnonzero(~((found >= 0) & (found < classes) & (found == np.floor(found))))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"y_true[{row}] = {found[row]} is not a class",
            f"Number the classes from 0 to {classes - 1}, or name them with labels=, in the order of the columns.",
        )
    return found.astype(np.intp)


def _both(classes: int) -> tuple[bool, bool]:
    if classes != 2:
        remedy = "Name the classes with labels=, in the order of the columns."
        raise DataError(f"y_true is of booleans, and there are {classes} classes", remedy)
    return False, True


def ascending(found: NDArray[Any], classes: int) -> tuple[Any, ...]:
    """Return the names of the classes from labels in which all are met, in ascending order.

    Raises:
        DataError: if some are missing, or there is no order.
    """
    remedy = "Name the classes with labels=, in the order of the columns."
    try:
        distinct = tuple(sorted(set(found.tolist())))
    except TypeError:
        kinds = " and ".join(sorted({type(label).__name__ for label in found.tolist()}))
        raise DataError(
            f"the labels of y_true have no order: they are of the types {kinds}", remedy
        ) from None
    if len(distinct) != classes:
        listed = ", ".join(map(shown, distinct[:20])) + (", ..." if len(distinct) > 20 else "")
        raise DataError(f"y_true has {len(distinct)} of {classes} classes: {listed}", remedy)
    return distinct


def _plain(found: NDArray[Any]) -> NDArray[Any]:
    """Return objects that are all numbers as an array of numbers."""
    if found.dtype.kind != "O" or not all(isinstance(cell, int | float | np.generic) for cell in found.flat):
        return found
    again = np.array(found.tolist())
    return again if again.dtype.kind in "biuf" else found


def _from_one_hot(rows: NDArray[Any]) -> Labels:
    ones = (rows == 1).sum(axis=1) == 1
    bad = np.flatnonzero(~(ones & ((rows != 0).sum(axis=1) == 1)))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"y_true[{row}] = {rows[row].tolist()} is not one-hot", "Write one 1, and 0 elsewhere."
        )
    return np.asarray(rows.argmax(axis=1))
