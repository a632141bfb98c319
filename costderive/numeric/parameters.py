"""Numbers for the parameters of a rule, one for all rows or one for each, which satisfy the facts of a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from costderive.core.errors import DataError, SpecError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.symbols import RESERVED
from costderive.numeric.checked_data import numbers
from costderive.numeric.parameter_trees import Case, Fact, inner_name
from costderive.numeric.program_tree import Name
from costderive.numeric.running_error import Bounded, Inputs
from costderive.numeric.twofold import Twofold

LEAST, GREATEST = 1e-60, 1e60  # numbers in formulas
ARGUMENTS = "y_true y_proba complement logit sample_weight pos_label validate threads wrt self"
TAKEN = frozenset(("p", *ARGUMENTS.split()))


@dataclass(frozen=True, slots=True, eq=False)
class Parameters:
    """Numbers by name, and the number of the case: arrays of shape (n,), or of shape () for all rows alike."""

    values: Mapping[str, Array]
    case: NDArray[np.integer[Any]]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Those that have a number for each row."""
        return {name: found for name, found in self.values.items() if found.ndim}

    def of(self, rows: Any) -> Parameters:
        """Return those of some rows, a slice or an array of places."""
        chosen = {name: found[rows] if found.ndim else found for name, found in self.values.items()}
        return Parameters(chosen, self.case[rows] if self.case.ndim else self.case)

    def fit(self, count: int) -> bool:
        """Return whether there is one for each of so many rows, or one for all."""
        return all(len(found) == count for found in self.arrays.values())

    def require(self, count: int, other: str = "y_true") -> None:
        """Raise a ``DataError`` unless they fit."""
        for name, found in self.arrays.items():
            if len(found) != count:
                problem = f"{name} has {len(found)} numbers and {other} has {count}"
                raise DataError(problem, "Give one number for all rows, or one for each.")

    def bounded(self) -> dict[str, Bounded]:
        """Return them as exact doubles, by the names that programs have for them."""
        return {inner_name(name): Bounded(found) for name, found in self.values.items()}

    def twofold(self) -> dict[str, Twofold]:
        """Return them with twice the digits."""
        zeros = {name: np.zeros_like(found) for name, found in self.values.items()}
        return {inner_name(name): Twofold(self.values[name], zero) for name, zero in zeros.items()}


def require_names(names: tuple[str, ...]) -> None:
    """Raise a ``SpecError`` if a parameter has a name that a compiled loss uses."""
    if taken := sorted(TAKEN & set(names)):
        problem = f"the parameter {taken[0]} has a name that compiled losses use for something else"
        free = next(letter for letter in ascii_lowercase if letter not in {*TAKEN, *RESERVED, *names})
        raise SpecError(problem, f"Rename it: rule.at({taken[0]}='{free}').")


def read(
    names: tuple[str, ...], cases: tuple[Case, ...], given: Mapping[str, ArrayLike]
) -> Parameters | None:
    """Return the parameters of a call, of any equal shapes, as arrays of one dimension; None for a rule without any.

    Raises:
        DataError: for a parameter that is missing or unknown, and naming the first number, with its row and the
            condition of the rule, that breaks one.
    """
    require_known(names, given)
    if not names:
        return None
    found = {name: _positive(name, numbers(name, _as_objects(given[name]))) for name in names}
    shapes = {name: values.shape for name, values in found.items() if values.ndim}
    if len(set(shapes.values())) > 1:
        shown = ", ".join(f"{name} has shape {shape}" for name, shape in shapes.items())
        raise DataError(shown, "Give one number for all rows, or one for each.")
    if cases:
        for name, values in found.items():
            _require_range(name, values)
    flat = {name: values.reshape(-1) if values.ndim else values for name, values in found.items()}
    return Parameters(flat, _case_of(cases, flat))


def require_known(names: tuple[str, ...], given: Mapping[str, ArrayLike]) -> None:
    listed = ", ".join(names) or "none"
    for name in given:
        if name not in names:
            raise DataError(f"{name} is not a parameter of the rule", f"Its parameters: {listed}.")
    for name in names:
        if name not in given:
            example = ", ".join(f"{each}=..." for each in names)
            problem = f"the rule has the parameter {name}, and it was given no number"
            raise DataError(problem, f"Its parameters, one number each or one for each row: {example}.")


def _as_objects(values: ArrayLike) -> ArrayLike:
    """Return what has text in it as objects, of which the first that is no number can be named."""
    has_text = isinstance(values, str) or (
        isinstance(values, list | tuple) and any(isinstance(x, str) for x in values)
    )
    return np.asarray(values, dtype=object) if has_text else values


def _positive(name: str, values: Array) -> Array:
    problem = f"breaks the condition {name} > 0 and finite"
    _require(
        name, values, (values > 0) & (values < np.inf), problem, "Parameters are finite positive numbers."
    )
    return values


def _require_range(name: str, values: Array) -> None:
    """Refuse numbers of which powers and products may leave the range of doubles."""
    problem = f"is not between {LEAST:g} and {GREATEST:g}, where formulas keep their digits"
    _require(name, values, (values >= LEAST) & (values <= GREATEST), problem, "Give costs in another unit.")


def _require(name: str, values: Array, good: NDArray[np.bool_], problem: str, remedy: str) -> None:
    if good.all():
        return
    row = int(np.argmin(good.reshape(-1)))
    place, where = (f"{name}[{row}]", f" in row {row}") if values.ndim else (name, "")
    raise DataError(f"{place} = {float(values.reshape(-1)[row])!r} {problem}{where}", remedy)


# ------------------------------------------------------------------------------------------------ cases


def _case_of(cases: tuple[Case, ...], values: Mapping[str, Array]) -> NDArray[np.integer[Any]]:
    """Return the first case of each row all of whose facts hold, 0 if there are none to choose from."""
    if not cases:
        return np.array(0)
    count = max((len(found) for found in values.values() if found.ndim), default=1)
    holds = _holding(values, count)
    chosen = np.full(count, len(cases), dtype=np.int16)
    for number in reversed(range(len(cases))):
        is_case = np.ones(count, dtype=bool)
        for fact in cases[number].facts:
            is_case &= holds(fact)
        chosen[is_case] = number
    if len(cases) in chosen:
        _refuse(cases, holds, values, int(np.argmax(chosen)))
    is_one = not any(found.ndim for found in values.values())
    return np.array(chosen[0]) if is_one else chosen


def _holding(values: Mapping[str, Array], count: int) -> Callable[[Fact], NDArray[np.bool_]]:
    given = Parameters(values, np.array(0))
    inputs = Inputs(given.bounded(), lambda rows: given.of(rows).twofold(), count)

    def holds(fact: Fact) -> NDArray[np.bool_]:
        signs = inputs.signs(fact.program)
        return signs > 0 if fact.strict else signs >= 0

    return holds


def _refuse(
    cases: tuple[Case, ...], holds: Callable[[Fact], NDArray[np.bool_]], values: Mapping[str, Array], row: int
) -> None:
    broken = [fact for case in cases for fact in case.facts if not holds(fact)[row]]
    fact = next((fact for fact in broken if all(fact in case.facts for case in cases)), broken[-1])
    used = {node.name for node in fact.program.nodes() if isinstance(node, Name)}
    shown = ", ".join(
        f"{name}[{row}] = {float(found[row])!r}" if found.ndim else f"{name} = {float(found)!r}"
        for name, found in values.items()
        if inner_name(name) in used
    )
    where = f" in row {row}" if any(found.ndim for found in values.values()) else ""
    raise DataError(
        f"{shown} breaks the condition {fact} of the rule{where}", "See rule.cases for what is assumed."
    )
