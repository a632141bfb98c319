"""Losses of rules with parameters for rows: by formulas, and as multiples of losses without parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costderive.core.errors import DataError, ParametersLeftError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric import twofold
from costderive.numeric.blocks import BLOCK, Evaluated, Rows, Values
from costderive.numeric.logistic import logistic
from costderive.numeric.parameter_trees import Case, Stepwise, cases, numbers_for
from costderive.numeric.parameters import Parameters
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import grouped
from costderive.numeric.program_tree import Name, Program, negated, total
from costderive.numeric.running_error import CALLS, Bounded, Inputs
from costderive.numeric.twofold import Twofold
from costderive.rules import ScoringRule

INSIDE, AT_ZERO, AT_ONE = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Formulas:
    """The functions of both classes in each case."""

    cases: tuple[Case, ...]
    parts: tuple[Part, ...]

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to."""
        for start, block in rows.blocks(BLOCK):
            is_one, numbers = block.is_one(), block.doubles()
            assert block.parameters is not None
            kinds = 2 * block.parameters.case + is_one
            for kind, places in grouped(np.broadcast_to(kinds, len(numbers)), 2 * len(self.cases)):
                function = self.cases[kind // 2].functions[kind % 2]
                reports = Reports(block.name, numbers.take(places), block.parameters.of(places))
                for some, values in reports.values(function):
                    yield start, places.take(some), values


@dataclass(frozen=True, slots=True, eq=False)
class Multiple:
    """The product of parameters and losses."""

    losses: Evaluated
    names: tuple[str, ...]

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to."""
        assert rows.parameters is not None
        for start, places, values in self.losses.values(rows):
            where = slice(start, start + len(values)) if places is None else start + places
            factors = rows.parameters.of(where).values
            found = values
            for name in self.names:
                found = np.where(found == 0, 0.0, found * factors[name])
            yield start, places, found


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Predictions under the name of their argument, with parameters."""

    name: str
    numbers: Array
    parameters: Parameters

    def values(self, function: Stepwise) -> Iterator[tuple[NDArray[np.intp], Array]]:
        """Yield the values of a function by its pieces, and where they belong."""
        for rows, values in self._values(function):
            if np.isnan(values).any():
                self._take(rows[np.isnan(values)][:1])._refuse()
            yield rows, values

    def _refuse(self) -> None:
        """Say where there is no value."""
        given = {self.name: self.numbers, **self.parameters.values}
        shown = ", ".join(f"{name} = {float(np.ravel(found)[0])!r}" for name, found in given.items())
        raise DataError(
            f"the formulas have no value in doubles at {shown}",
            "Leave such rows out, or give rule.at(...) numbers.",
        )

    def _values(self, function: Stepwise) -> Iterator[tuple[NDArray[np.intp], Array]]:
        inputs = self._inputs()
        ends = self._ends(inputs)
        for end, program in ((AT_ZERO, function.at_zero), (AT_ONE, function.at_one)):
            if len(rows := np.flatnonzero(ends == end)):
                yield rows, self._take(rows)._inputs().values(program)
        inside = np.flatnonzero(ends == INSIDE)
        among = self._take(inside)._inputs()
        kinds = np.zeros(len(inside), dtype=np.int16)
        for at in function.breaks:
            kinds += among.signs(_beyond(at)) > 0
        for kind, rows in grouped(kinds, len(function.values)):
            places = inside.take(rows)
            yield places, self._take(places)._inputs().values(function.values[kind])

    def _take(self, rows: NDArray[np.intp]) -> Reports:
        return Reports(self.name, self.numbers.take(rows), self.parameters.of(rows))

    def _ends(self, inputs: Inputs) -> NDArray[np.int8]:
        p, r = inputs.doubles["p"].value, inputs.doubles["r"].value
        found: NDArray[np.int8] = AT_ZERO * (p == 0).astype(np.int8) + AT_ONE * (r == 0).astype(np.int8)
        return found

    def _inputs(self) -> Inputs:
        p, r = self._bounded()
        return Inputs({"p": p, "r": r, **self.parameters.bounded()}, self._twofold, len(self.numbers))

    def _bounded(self) -> tuple[Bounded, Bounded]:
        """Return p and 1 - p."""
        if self.name != "logit":
            both = Bounded(self.numbers), Bounded(1 - self.numbers, 1.0)
            return both[::-1] if self.name == "complement" else both
        small, _ = logistic(-abs(self.numbers))
        large, is_low = 1 - small, self.numbers <= 0
        p, r = np.where(is_low, small, large), np.where(is_low, large, small)
        return Bounded(p, 2.0), Bounded(r, 2.0)

    def _twofold(self, rows: NDArray[np.intp]) -> dict[str, Twofold]:
        given = Twofold(self.numbers.take(rows), np.zeros(len(rows)))
        if self.name == "logit":
            p, r = twofold.logistic(given), twofold.logistic(-given)
        else:
            p, r = given, twofold.ONE - given
            p, r = (r, p) if self.name == "complement" else (p, r)
        return {"p": p, "r": r, **self.parameters.of(rows).twofold()}


def _beyond(at: Program) -> Program:
    """Return how far p lies beyond a breakpoint."""
    return Program(at.steps, total(Name("p"), negated(at.result)))


def formulas(rule: ScoringRule, order: int, wrt: str) -> Formulas:
    """Return the losses of a rule with parameters, or their derivatives.

    Raises:
        ParametersLeftError: if they have no closed form of functions that NumPy has.
    """
    found = cases(rule, order, wrt)
    for case in found:
        for function in case.functions:
            for program in (*function.breaks, *function.values, function.at_zero, function.at_one):
                if missing := sorted(program.calls() - CALLS.keys()):
                    raise ParametersLeftError(
                        f"the loss has {missing[0]}, which is not computed for parameters",
                        numbers_for(rule.parameters),
                    )
    why = "they have parameters; rows that lose too many digits are computed again with twice as many"
    name = ("loss", "slope", "curvature")[order]
    parts = (Part(f"{name}{label}", 0.0, 1.0, "formulas", why, None) for label in (0, 1))
    return Formulas(found, tuple(parts))
