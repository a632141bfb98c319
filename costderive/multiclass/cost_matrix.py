"""Cost matrices: what an act costs in each class, as a context of costs of K classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import DataError, SpecError
from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.piecewise import Given
from costderive.costs.contexts.context import whole_number
from costderive.costs.laws import Law, cost_law_in, law_of
from costderive.multiclass.class_costs import ClassContext
from costderive.multiclass.letters import predicted, require_free

MOST = 1000  # classes, and acts
Columns = tuple[tuple[Expr, ...], ...]
Parts = tuple[tuple[Symbol, Law], ...]


@dataclass(frozen=True, slots=True)
class CostMatrix(ClassContext):
    """What each of J acts costs in each of K classes: ``costs[i][j]`` is the cost of act j if the class is i.

    Costs are numbers or expressions in letters; a benefit is a negative cost. Letters may be uncertain, as ``parts``
    has their laws: ``{"m": "uniform(1, 3)"}``, and costs are linear in each; or costs are laws themselves. There may be
    other acts than to decide for a class. ``reject`` is the cost of one more act, the last, which costs the same in
    every class: an expert, a test, or not to answer. It may be uncertain, and so may be ``factor``, which multiplies
    all costs. What is uncertain is independent of the rest and of the data, and known when it is decided. A cost that
    is not known even then counts by its mean: give that number. The decision is the act with the least expected cost
    ``sum_i p_i C_ij``; of several, the first.

    Raises:
        SpecError: if the rows differ in length, there are fewer than two classes or two acts, a cost is not a finite
            number, or a cost is not linear in an uncertain letter.

    Source: Elkan (2001), section 1; for ``reject``, Chow (1970).

    Example:
        >>> CostMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]], reject="1/4").columns[-1]
        (1/4, 1/4, 1/4)
    """

    costs: Any
    reject: Any = None
    factor: Any = None
    parts: Any = None

    def __post_init__(self) -> None:
        costs, parts = _matrix(self.costs, least=1 if self.reject is not None else 2)
        object.__setattr__(self, "costs", costs)
        object.__setattr__(self, "parts", (*_parts(self.parts, costs), *parts))
        for name in ("reject", "factor"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _law(value, name))
        if self.parts and self.reject is not None and (self.is_uncertain or len(self.parts) > 1):
            self._make_reject_a_column()

    def _make_reject_a_column(self) -> None:
        """Let the last act cost a letter, or a number, in every class: several costs are uncertain."""
        cost = Symbol("cost_of_rejecting", positive=True) if self.known_reject is None else self.known_reject
        if self.known_reject is None:
            object.__setattr__(self, "parts", (*self.parts, (cost, self.reject)))
        object.__setattr__(self, "costs", tuple((*row, cost) for row in self.costs))
        object.__setattr__(self, "reject", None)

    @property
    def classes(self) -> int:
        return len(self.costs)

    @property
    def acts(self) -> int:
        """The number of acts, J, with that of rejecting."""
        return len(self.costs[0]) + (self.reject is not None)

    @property
    def known_reject(self) -> Expr | None:
        """The cost of rejecting, if that is possible and known."""
        if self.reject is None or self.reject.spreads or len(self.reject.masses) != 1:
            return None
        cost: Expr = self.reject.masses[0].value
        return cost

    @property
    def columns(self) -> Columns:
        """The costs of each act with known costs, by class."""
        found = tuple(zip(*self.costs, strict=True))
        rejected = self.known_reject
        return found if rejected is None else (*found, (rejected,) * self.classes)

    @property
    def is_uncertain(self) -> bool:
        """Whether the cost of rejecting is uncertain."""
        return self.reject is not None and self.known_reject is None

    @property
    def part(self) -> tuple[Symbol, Law] | None:
        """The letter that is uncertain, with its law, if there is one alone."""
        return self.parts[0] if len(self.parts) == 1 else None

    def lines(self) -> tuple[Columns, Columns]:
        """Return the costs of acts by class without the uncertain letter, and for each unit of it."""
        if self.part is None:
            return self.columns, tuple((S.Zero,) * self.classes for _ in self.columns)
        known, slopes = (tuple(zip(*rows, strict=True)) for rows in self.lines_in(self.part[0]))
        if self.known_reject is None:
            return known, slopes
        return (*known, (self.known_reject,) * self.classes), (*slopes, (S.Zero,) * self.classes)

    def lines_in(self, letter: Symbol) -> tuple[Columns, Columns]:
        """Return the rows of costs without an uncertain letter, and for each unit of it."""
        known = tuple(tuple(cost.subs(letter, 0) for cost in row) for row in self.costs)
        return known, tuple(tuple(cost.diff(letter) for cost in row) for row in self.costs)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        costs = [cost.free_symbols for row in self.costs for cost in row]
        found = frozenset().union(*costs, *[law.parameters for law in self._laws])
        return tuple(sorted(found.difference(letter for letter, _ in self.parts), key=str))

    @property
    def _laws(self) -> tuple[Law, ...]:
        laws = (self.reject, self.factor, *[law for _, law in self.parts])
        return tuple(law for law in laws if law is not None)

    def given(self) -> Given:
        return Given().also(positive=tuple(fact for law in self._laws for fact in law.given().positive))

    def expected(self, act: int) -> Expr:
        """Return the expected cost ``e_j`` of an act with known costs at a forecast ``p0, p1, ...``."""
        return weighed(self.columns[act], tuple(map(predicted, range(self.classes))))

    def _draw(self, generator: np.random.Generator, draws: int) -> NDArray[np.float64]:
        letters = {letter: law.sample(generator, draws) for letter, law in self.parts}
        rejected = () if self.reject is None else (self.reject.sample(generator, draws),)
        rows = [[*[_at_draws(cost, letters) for cost in row], *rejected] for row in self.costs]
        costs = np.stack(
            [np.stack([np.broadcast_to(c, (draws,)) for c in row], axis=1) for row in rows], axis=1
        )
        factor = np.ones(draws) if self.factor is None else self.factor.sample(generator, draws)
        return np.asarray(factor[:, None, None] * costs)


def _at_draws(cost: Expr, letters: dict[Symbol, NDArray[np.float64]]) -> Any:
    return sympy.lambdify(list(letters), cost, "numpy")(*letters.values()) if letters else float(cost)


def weighed(costs: tuple[Expr, ...], weights: tuple[Expr, ...]) -> Expr:
    """Return the sum of costs times weights; what has the weight 0 does not count."""
    return sympy.Add(*[w * cost for w, cost in zip(weights, costs, strict=True) if w != 0])


def expected_cost(costs: tuple[Expr, ...], probabilities: tuple[Expr, ...]) -> Expr:
    """Return the mean of the costs of an act, whose probabilities add up to 1: of equal costs that cost."""
    return costs[0] if len(set(costs)) == 1 else weighed(costs, probabilities)


def ordinal(classes: int, power: int = 1) -> CostMatrix:
    """Return the costs ``|i - j|^power`` of classes in an order: to miss by more costs more.

    Raises:
        DataError: if ``classes`` is not a whole number of at least 2, or ``power`` one of at least 1.

    Example:
        >>> ordinal(3).costs
        ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    """
    labels, power = range(whole_number(classes, "classes", least=2)), whole_number(power, "power", least=1)
    return CostMatrix([[abs(i - j) ** power for j in labels] for i in labels])


def top(k: int, classes: int) -> CostMatrix:
    """Return the costs of naming k of the classes: 1 if the class is not among them, else 0.

    The acts are the sets of k classes, in the order of ``itertools.combinations(range(classes), k)``.

    Raises:
        DataError: if k is not a whole number from 1 to ``classes - 1``.
        SpecError: if there are more than 1000 such sets.

    Example:
        >>> top(2, 3).costs
        ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    labels = range(whole_number(classes, "classes", least=2))
    if whole_number(k, "k", least=1) >= len(labels):
        raise DataError(
            f"k = {k} of {classes} classes leaves no class out, and costs nothing",
            f"Name at most {len(labels) - 1} of {classes} classes: top({len(labels) - 1}, {classes}).",
        )
    number = sympy.binomial(len(labels), k)
    if number > MOST:
        raise SpecError(
            f"there are {number} sets of {k} of {classes} classes, above {MOST}", "Take fewer classes."
        )
    sets = list(combinations(labels, k))
    return CostMatrix([[int(label not in named) for named in sets] for label in labels])


def _matrix(given: Any, least: int) -> tuple[Columns, Parts]:
    """Read rows of costs; one that is a law becomes a letter."""
    parts: dict[Symbol, Law] = {}
    rows = [_row(row, i, parts) for i, row in enumerate(_several(given, "costs", 2))]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            problem = f"costs[{i}] has {len(row)} costs and costs[0] has {len(rows[0])}"
            raise SpecError(problem, "Each row has the costs of all acts in one class.")
    if len(rows[0]) < least:
        raise SpecError("costs has one act, so that there is nothing to decide", "Give two, or a reject.")
    return tuple(rows), tuple(parts.items())


def _row(given: Any, i: int, parts: dict[Symbol, Law]) -> tuple[Expr, ...]:
    found = []
    for j, value in enumerate(_several(given, f"costs[{i}]", 1)):
        place = f"costs[{i}][{j}]"
        law = cost_law_in(value, place)
        cost = _cost(value, place) if law is None else Symbol(f"cost_{i}_{j}", positive=True)
        if law is not None:
            parts[cost] = _law(law, place)
        found.append(cost)
    return tuple(found)


def _cost(value: Any, place: str) -> Expr:
    cost = exact(value, place=place)
    if not cost.is_finite or not cost.is_real:
        raise SpecError(f"{place} = {cost} is not a finite number", "Write what the act costs in this class.")
    require_free(frozenset(cost.free_symbols), place)
    return cost


def _parts(given: Any, costs: Columns) -> Parts:
    """Read the laws of letters, in which costs are linear."""
    pairs = tuple(given.items() if isinstance(given, Mapping) else given or ())
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise SpecError(f"parts = {given!r} are no letters with laws", 'Write {"m": "uniform(1, 3)"}, say.')
    return tuple(_part(name, law, costs) for name, law in pairs)


def _part(name: Any, law: Any, costs: Columns) -> tuple[Symbol, Law]:
    letter = exact(name, place="parts")
    if not isinstance(letter, Symbol):
        raise SpecError(f"parts has {name!r}, which is no letter", 'Write {"m": "uniform(1, 3)"}, say.')
    require_free(frozenset({letter}), "parts")
    for i, row in enumerate(costs):
        for j, cost in enumerate(row):
            if cost.has(letter) and not (cost.is_polynomial(letter) and cost.diff(letter, 2) == 0):
                raise SpecError(f"costs[{i}][{j}] = {cost} is not linear in {name}", f"Write a + b*{name}.")
    if not any(cost.has(letter) for row in costs for cost in row):
        raise SpecError(f"parts has {name}, which is in no cost", "Leave it out.")
    return letter, _law(law, f"parts.{name}")


def _law(value: Any, name: str) -> Law:
    law = law_of(value, name)
    require_free(law.parameters, name)
    return law


def _several(given: Any, place: str, least: int) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SpecError(f"{place} = {given!r} is not a row of a matrix", "Write [[0, 1], [5, 0]], say.")
    found = tuple(given)
    if not least <= len(found) <= MOST:
        raise SpecError(f"{place} has {len(found)} entries", f"Give from {least} to {MOST}.")
    return found
