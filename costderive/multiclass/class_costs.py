"""Cost contexts of K classes: a joint law of the costs of misclassifying an instance of each class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import ParametersLeftError, SpecError
from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import html_of
from costderive.costs.contexts.context import whole_number
from costderive.costs.laws import Law, gamma, law_of
from costderive.multiclass.letters import require_free

MAX_SHAPE = 1000


class ClassContext(ABC):
    """What decisions between several classes cost, maybe uncertain."""

    __slots__ = ()

    _repr_html_ = html_of

    @property
    @abstractmethod
    def classes(self) -> int:
        """The number of classes, K."""

    @property
    @abstractmethod
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""

    @abstractmethod
    def given(self) -> Given:
        """Return the facts about the parameters under which the context exists."""

    @abstractmethod
    def _draw(self, generator: np.random.Generator, draws: int) -> NDArray[np.float64]:
        """Draw costs; the parameters are numbers."""

    def sample(self, draws: int, seed: int | None = None) -> NDArray[np.float64]:
        """Draw costs: an array of shape ``(draws, K)``, or ``(draws, K, J)`` if they depend on one of J acts.

        Raises:
            DataError: if ``draws`` is not a whole number of at least 0.
            ParametersLeftError: if a parameter has no number.
        """
        if self.parameters:
            names = ", ".join(symbol.name for symbol in self.parameters)
            raise ParametersLeftError(
                f"cannot draw costs while {names} has no value", "Build the context with numbers."
            )
        return self._draw(np.random.default_rng(seed), whole_number(draws, "draws", least=0))


class ClassCosts(ClassContext):
    """The costs of misclassifying an instance of class 0, ..., K - 1, up to a factor that does not matter.

    The decision is ``argmax p_i c_i``, in which a common positive factor of the costs cancels. So costs whose law is
    that of independent ones divided by their sum are described by the independent ones.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def laws(self) -> tuple[Law, ...]:
        """The laws of the independent costs that decide."""

    @property
    def classes(self) -> int:
        return len(self.laws)

    def given(self) -> Given:
        return Given().also(positive=tuple(fact for law in self.laws for fact in law.given().positive))

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(sorted(frozenset().union(*[law.parameters for law in self.laws]), key=str))


@dataclass(frozen=True, slots=True)
class IndependentCosts(ClassCosts):
    """Independent costs, one law for each class: a number, text such as ``"uniform(a, b)"``, or any other law.

    Raises:
        SpecError: if there are fewer than two, or one is not a law of a cost.

    Example:
        >>> IndependentCosts(("uniform(0, 1)", "exponential(m)", 2)).classes
        3
    """

    costs: Any

    def __post_init__(self) -> None:
        given = _several(self.costs, "costs")
        laws = tuple(law_of(cost, f"costs[{label}]") for label, cost in enumerate(given))
        for label, law in enumerate(laws):
            require_free(law.parameters, f"costs[{label}]")
        object.__setattr__(self, "costs", laws)

    @property
    def laws(self) -> tuple[Law, ...]:
        found: tuple[Law, ...] = self.costs
        return found

    def _draw(self, generator: np.random.Generator, draws: int) -> NDArray[np.float64]:
        return np.stack([law.sample(generator, draws) for law in self.laws], axis=1)


@dataclass(frozen=True, slots=True)
class DirichletCosts(ClassCosts):
    """A fixed budget of costs, shared out by a Dirichlet law with whole-numbered shapes: the additive context.

    The budget is K unless it is given: then equal shapes make every class cost 1 on average. For two classes of
    shape 1 the rule is the Brier score; for three or more it is not an affine change of it.

    Raises:
        SpecError: if there are fewer than two shapes, or one is not a whole number of at least 1.

    Example:
        >>> DirichletCosts((1, 1, 1)).budget
        3
    """

    shapes: Any
    budget: Any = None

    def __post_init__(self) -> None:
        shapes = tuple(exact(shape, place="shapes") for shape in _several(self.shapes, "shapes"))
        for label, shape in enumerate(shapes):
            if not (shape.is_Integer and 1 <= shape <= MAX_SHAPE):
                remedy = "Independent Gamma costs have closed forms for whole-numbered shapes alone."
                raise SpecError(
                    f"shapes[{label}] = {shape} is not a whole number from 1 to {MAX_SHAPE}", remedy
                )
        budget = sympy.Integer(len(shapes)) if self.budget is None else exact(self.budget, place="budget")
        if not (budget.is_positive and budget.is_finite is not False):
            raise SpecError(f"budget = {budget} is not a positive number", "Costs add up to the budget.")
        require_free(frozenset(budget.free_symbols), "budget")
        object.__setattr__(self, "shapes", shapes)
        object.__setattr__(self, "budget", budget)

    @property
    def laws(self) -> tuple[Law, ...]:
        known = {shape: gamma(shape, S.One) for shape in set(self.shapes)}
        return tuple(known[shape] for shape in self.shapes)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(sorted(self.budget.free_symbols, key=str))

    def density(self, shares: tuple[Expr, ...]) -> Expr:
        """Return the density of the shares of the budget, at shares that add up to one."""
        powers = [share ** (shape - 1) for share, shape in zip(shares, self.shapes, strict=True)]
        whole = sympy.gamma(sum(self.shapes))
        return whole * sympy.Mul(*powers) / sympy.Mul(*map(sympy.gamma, self.shapes))

    def _draw(self, generator: np.random.Generator, draws: int) -> NDArray[np.float64]:
        shares = generator.dirichlet([float(shape) for shape in self.shapes], draws)
        return np.asarray(float(self.budget) * shares)


def _several(values: Any, name: str) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SpecError(f"{name} = {values!r} is not one for each class", "Write a tuple.")
    found = tuple(values)
    if len(found) < 2:
        raise SpecError(f"{name} = {values!r} has fewer than two classes", "Write one for each class.")
    return found
