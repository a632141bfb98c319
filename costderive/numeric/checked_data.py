"""Labels, probabilities and weights, checked: what cannot be scored is refused with its first offending index."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np

Pair = tuple[Any, Any]  # the labels of class 0 and class 1
USUAL: tuple[Pair, ...] = ((0, 1), (-1, 1))  # labels of which class 1 is known
SUM_TOLERANCE = 1e-3  # of the two columns of predict_proba, which may be of half precision
NUMBERS = "Give real numbers, e.g. a NumPy array of floats."


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to score: whether the class is 1, and the predicted probability of class 1, both of shape (n,)."""

    is_one: NDArray[np.bool_]
    probability: Array

    def __len__(self) -> int:
        return len(self.probability)

    def __getitem__(self, rows: slice) -> Batch:
        return Batch(self.is_one[rows], self.probability[rows])


def batch(y_true: ArrayLike, y_proba: ArrayLike, pos_label: Any = None) -> Batch:
    """Check labels and predictions together.

    Raises:
        DataError: naming the first row that cannot be scored.
    """
    return Batch(*checked(y_true, "y_proba", y_proba, pos_label))


def checked(
    y_true: ArrayLike, name: str, predictions: ArrayLike, pos_label: Any = None
) -> tuple[NDArray[np.bool_], Array]:
    """Return whether each class is 1, and the predictions, which may be called y_proba, complement or logit.

    Raises:
        DataError: naming the first row that cannot be scored.
    """
    labels = _labels(y_true)
    known = _two_labels(labels, pos_label)
    found = predicted(name, predictions)
    found = _chances(found, known) if name == "y_proba" else _one_column(name, found)
    if len(labels) != len(found):
        raise DataError(
            f"y_true has {len(labels)} rows and {name} has {len(found)}",
            "Give one prediction for each label.",
        )
    if not len(labels):
        raise DataError(f"y_true and {name} are empty", "A mean loss needs at least one row.")
    return np.asarray(labels == known[1], dtype=bool), found


def decisions(
    y_true: ArrayLike, y_pred: ArrayLike, pos_label: Any = None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether each class is 1, and whether each decision is, from labels that are the same two in both.

    Raises:
        DataError: naming the first row without a label, or with a third one.
    """
    both = {name: _labels(values, name) for name, values in (("y_true", y_true), ("y_pred", y_pred))}
    sizes = [len(labels) for labels in both.values()]
    if sizes[0] != sizes[1] or not sizes[0]:
        raise DataError(
            f"y_true has {sizes[0]} rows and y_pred has {sizes[1]}",
            "Give one decision for each label, and at least one.",
        )
    _, one = _pair_of(_present(both), pos_label)
    is_one, decided = (np.asarray(labels == one, dtype=bool) for labels in both.values())
    return is_one, decided


def predicted(name: str, values: ArrayLike) -> Array:
    """Return probabilities, their complements or logits as an array of doubles of the same shape.

    Raises:
        DataError: naming the first value that is none.
    """
    return _logits(values) if name == "logit" else probabilities(name, values)


def _logits(values: ArrayLike) -> Array:
    found = numbers("logit", values)
    if np.isnan(found).any():
        place, _ = _first("logit", found, np.isnan(found))
        raise DataError(f"{place} = nan is not a logit", "Drop or fill what is missing before scoring.")
    return found


def _one_column(name: str, found: Array) -> Array:
    if found.ndim != 1:
        raise DataError(f"{name} has shape {found.shape}", "Give shape (n,), a number for each label.")
    return found


def probabilities(name: str, values: ArrayLike) -> Array:
    """Return numbers in [0, 1] as an array of doubles of the same shape.

    Raises:
        DataError: naming the first value that is not a number in [0, 1].
    """
    found = numbers(name, values)
    with np.errstate(invalid="ignore"):
        bad = (
            None
            if not found.size or (found.min() >= 0 and found.max() <= 1)
            else ~((found >= 0) & (found <= 1))
        )
    if bad is None:
        return found
    place, value = _first(name, found, bad)
    if np.isnan(value):
        raise DataError(f"{place} = nan is not a probability", "Drop or fill what is missing before scoring.")
    side, excess = ("above 1", value - 1) if value > 1 else ("below 0", -value)
    raise DataError(
        f"{place} = {value!r} lies {side} by {excess:.3g}",
        "A probability is in [0, 1]. Nothing is clipped here; if the excess is rounding, clip it yourself.",
    )


def sample_weights(values: ArrayLike, rows: int) -> Array:
    """Return weights of shape (rows,), scaled by a power of 2 so that the largest is between 1/2 and 1.

    Raises:
        DataError: if a weight is negative or not finite, all are 0, or the shape is another.
    """
    found = numbers("sample_weight", values)
    if found.shape != (rows,):
        raise DataError(
            f"sample_weight has shape {found.shape}, not ({rows},)", "Give one weight for each row."
        )
    with np.errstate(invalid="ignore"):
        bad = ~((found >= 0) & (found < np.inf))
    if bad.any():
        place, value = _first("sample_weight", found, bad)
        raise DataError(
            f"{place} = {value!r} is not a weight", "A weight is a finite number that is at least 0."
        )
    if not found.any():
        raise DataError("sample_weight is 0 in every row", "A weighted mean needs a positive weight.")
    with np.errstate(under="ignore"):
        scaled = np.ldexp(found, -np.frexp(found.max())[1])
    return np.where(found > 0, np.maximum(scaled, 5e-324), 0.0)


def numbers(name: str, values: ArrayLike) -> Array:
    """Return real numbers as an array of doubles.

    Raises:
        DataError: naming the first that is none.
    """
    found = array(name, values)
    if found.dtype.kind == "O":
        return _each(name, found)
    if found.dtype.kind not in "biuf":
        raise DataError(f"{name} has dtype {found.dtype}, which is not of real numbers", NUMBERS)
    with np.errstate(over="ignore"):
        return found.astype(np.float64, copy=False)


def _each(name: str, found: NDArray[Any]) -> Array:
    """Convert objects one by one (fractions, decimals, integers of any length)."""
    doubles = np.empty(found.shape)
    for index, item in np.ndenumerate(found):
        try:
            if isinstance(item, str | bytes | bytearray) or hasattr(item, "__len__"):
                raise TypeError
            doubles[index] = float(item)
        except (TypeError, ValueError, OverflowError):
            raise DataError(f"{_place(name, index)} = {_shown(item)} is not a number", NUMBERS) from None
    return doubles


def array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of any kind.

    Raises:
        DataError: if a value is masked, or there is no array in main memory.
    """
    if np.ma.is_masked(values):
        at = np.argwhere(np.ma.getmaskarray(np.ma.asarray(values)))[0]
        raise DataError(
            f"{_place(name, tuple(at))} is masked", "Drop or fill what is missing before scoring."
        )
    try:
        return as_numpy(values)
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError) as error:
        raise DataError(
            f"{name} is not an array: {error}",
            "Give rows of equal length, in main memory and without a gradient.",
        ) from None


def labelled(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return labels as an array: those of a list are not all made strings because one of them is.

    Raises:
        DataError: if a label is masked, or there is no array in main memory.
    """
    found = array(name, values)
    return (
        np.asarray(values, dtype=object) if isinstance(values, list) and found.dtype.kind in "US" else found
    )


def as_numpy(values: Any) -> NDArray[Any]:
    """Return an array of NumPy, through DLPack that of another library which has no other way: without a copy."""
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return np.asarray(values)


def _first(name: str, found: Array, bad: NDArray[np.bool_]) -> tuple[str, float]:
    index = np.unravel_index(int(np.argmax(bad)), bad.shape)
    return _place(name, index), float(found[index])


def _place(name: str, index: tuple[Any, ...]) -> str:
    return f"{name}[{', '.join(str(int(i)) for i in index)}]" if index else name


def _shown(value: Any) -> str:
    return reprlib.repr(value.item() if isinstance(value, np.generic) else value)


# ------------------------------------------------------------------------------------- two columns, labels


def _chances(found: Array, known: Pair) -> Array:
    """Return the probabilities of class 1 from one or two columns."""
    if found.ndim == 1:
        return found
    if found.ndim != 2 or found.shape[1] != 2:
        raise DataError(
            f"y_proba has shape {found.shape}", "Give shape (n,), or (n, 2) as predict_proba returns."
        )
    bad = abs(found.sum(axis=1) - 1) > SUM_TOLERANCE
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(
            f"y_proba[{row}] = {found[row].tolist()} does not sum to 1",
            "The columns are the two classes' probabilities.",
        )
    return found[:, _column(known)]


def _column(known: Pair) -> int:
    """Return the place of class 1 among the two labels in ascending order."""
    other, one = known
    try:
        return int(other < one)
    except TypeError:
        raise DataError(
            f"the columns of y_proba have no order: the labels {_shown(other)} and {_shown(one)} cannot be compared",
            "Pass the column of class 1 alone.",
        ) from None


def _labels(values: ArrayLike, name: str = "y_true") -> NDArray[Any]:
    found = labelled(name, values)
    if found.ndim != 1:
        raise DataError(
            f"{name} has shape {found.shape}", f"Labels have shape (n,): {name}.ravel() makes it so."
        )
    return found


def _two_labels(labels: NDArray[Any], pos_label: Any) -> Pair:
    """Return the label of class 0 (None if it is not known) and of class 1."""
    if labels.dtype.kind in "biuf":
        for low, high in USUAL:
            if pos_label is None and bool(((labels == low) | (labels == high)).all()):
                return low, high
    return _pair_of(_present({"y_true": labels}), pos_label)


def _pair_of(present: tuple[Any, ...], pos_label: Any) -> Pair:
    usual = next((pair for pair in USUAL if set(present) <= set(pair)), None)
    if pos_label is None:
        if usual:
            return usual
        raise DataError(
            f"y_true has the labels {_listed(present)} and it is not said which is class 1",
            f"Say it with pos_label, e.g. pos_label={_shown(present[-1])}; labels 0 and 1 need no pos_label.",
        )
    candidates = tuple(usual or present)
    return _other_and(candidates, pos_label)


def _other_and(candidates: tuple[Any, ...], pos_label: Any) -> Pair:
    is_label = isinstance(pos_label, str | bytes | int | float | np.generic)
    if not is_label or not any(label == pos_label for label in candidates):
        raise DataError(
            f"pos_label = {_shown(pos_label)} is not among the labels {_listed(candidates)}",
            "Give the label of class 1.",
        )
    return next((label for label in candidates if label != pos_label), None), pos_label


def _present(named: dict[str, NDArray[Any]]) -> tuple[Any, ...]:
    """Return the one or two labels of arrays, in the order in which they appear."""
    found: dict[Any, None] = {}
    for place, label in _candidates(named):
        if label is None or label != label:  # noqa: PLR0124  (NaN)
            raise DataError(f"{place} = {_shown(label)} is not a label", "Drop the rows without a label.")
        found.setdefault(label)
        if len(found) > 2:
            raise DataError(
                f"{place} = {_shown(label)} is a third label, after {_listed(tuple(found)[:2])}",
                "A scoring rule here is for two classes.",
            )
    return tuple(found)


def _candidates(named: dict[str, NDArray[Any]]) -> Iterator[tuple[str, Any]]:
    """Yield labels with their places: each distinct one at least once, in order of first appearance."""
    for name, labels in named.items():
        if labels.dtype.kind in "biufSU":
            _, first = np.unique(labels, return_index=True)
            yield from ((f"{name}[{index}]", labels[index].item()) for index in np.sort(first))
            continue
        for index, label in enumerate(labels.tolist()):
            if getattr(type(label), "__hash__", None) is None or isinstance(label, tuple):
                raise DataError(
                    f"{name}[{index}] = {_shown(label)} is not a label", "Labels are numbers or strings."
                )
            yield f"{name}[{index}]", label


def _listed(labels: tuple[Any, ...]) -> str:
    return " and ".join(_shown(label) for label in labels) or "none"
