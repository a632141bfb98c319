"""What scores say: of each model, of each pair of models, and of all rows; an estimate and its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

import costderive
from costderive.core.short_repr import cut, html_of, short_repr
from costderive.costs.contexts import Context
from costderive.evaluate.cost_matrix import CostMatrix
from costderive.evaluate.data_frames import data_frame
from costderive.evaluate.simulation import Simulation
from costderive.evaluate.tally import Tally
from costderive.numeric import CompiledLoss

SHOWN = 120  # characters of the models in a repr
FEW, FEW_OF_CLASS = 30, 10  # rows of which intervals are not reliable
ROUNDING = 1e-12  # of a loss


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over instances, its standard error and a confidence interval; NaN where these are not known."""

    value: float
    standard_error: float
    low: float
    high: float

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ModelScore:
    """What one model loses: the mean loss, its parts from the two classes, and well-known scores beside it.

    ``loss = loss0 + loss1``, in the units of the costs: ``loss0`` is what instances of class 0 contribute to the
    mean over all instances, ``loss1`` what those of class 1 do. ``calibrated`` is the mean loss if decisions are
    made at ``c0/(c0 + c1)``, and ``recalibrated`` that after isotonic recalibration on these instances: what
    recalibration saves is at most the difference. ``skill`` is 1 - loss/H, where H is the least mean loss of a
    constant forecast, with decisions at ``c0/(c0 + c1)``. If the rows have their own costs, ``recalibrated`` is NaN: no
    recalibration is best for all of them. ``infinite`` counts the rows whose loss is infinite.
    """

    model: str
    loss: float
    interval: Estimate
    loss0: float
    loss1: float
    calibrated: float
    recalibrated: float
    skill: float
    brier: float
    log_loss: float
    infinite: int
    infinite_log_loss: int
    simulation: Simulation | None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more ``model`` loses than ``other``, on the same instances."""

    model: str
    other: str
    loss: Estimate

    __repr__ = short_repr


M = TypeVar("M", bound="Scored")


class Scored(Protocol):
    """What a model loses, with its interval."""

    @property
    def model(self) -> str: ...

    @property
    def loss(self) -> float: ...

    @property
    def interval(self) -> Estimate: ...


class Compared(Generic[M]):
    """Models scored on the same instances, in the order in which they were given, and their differences in pairs."""

    __slots__ = ()
    models: tuple[M, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, ...]
    level: float
    groups: Mapping[str, Any]

    def __iter__(self) -> Iterator[M]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, index: int) -> M:
        return self.models[index]

    @property
    def is_small(self) -> bool:
        """Whether the rows, or those of a class, are so few that intervals are too short more often than they say."""
        return sum(self.counts) < FEW or 0 < min(self.counts) < FEW_OF_CLASS

    @property
    def tied(self) -> tuple[str, ...]:
        """The models that cost the same as the cheapest, but for rounding, in their order; none if it is alone."""
        best = self.best
        found = tuple(row.model for row in self if row.loss - best.loss <= ROUNDING * best.loss)
        return found if len(found) > 1 else ()

    @property
    def best(self) -> M:
        """The cheapest model."""
        return min(self.models, key=lambda model: model.loss)

    def over(self, other: str) -> dict[str, Estimate]:
        """Return how much more every model loses than one of them."""
        found = {each.model: each.loss for each in self.differences if each.other == other}
        turned = {each.other: _turned(each.loss) for each in self.differences if each.model == other}
        return {model.model: (found | turned)[model.model] for model in self.models if model.model != other}


@dataclass(frozen=True, slots=True)
class Scores(Compared[ModelScore]):
    """Scores of models, in the order in which they were given, and the differences of all pairs of them.

    ``proportions`` are those of the classes by which means are taken, ``constant`` the loss of the best constant
    forecast, ``tallies`` the predictions of each model, counted, and ``rule`` the loss at the calibrated threshold.
    Intervals are between quantiles of ``bootstrap`` random samples; of none, by the delta method. ``columns`` are the
    letters of the costs that each row has its own number for: then ``rule`` takes them (where they only scale laws
    whose densities are not rational, it has the losses alone, without derivatives), cost curves and what else takes
    the costs of all rows for the same refuse the scores, and ``constant`` is the least that a numerical search found.

    ``always`` are the mean losses of deciding for class 0 everywhere, and for class 1. Of a cost matrix ``rest`` is the
    mean cost that no decision changes: a model costs ``loss + rest`` an instance, and ``matrix`` is the matrix;
    ``context`` is the context with its threshold.
    ``groups`` are the scores of groups of rows, by name, each with the proportions of the classes in it.
    """

    models: tuple[ModelScore, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, int]
    proportions: tuple[float, float]
    constant: float
    level: float
    tallies: tuple[Tally, ...]
    rule: CompiledLoss
    bootstrap: int = 0
    columns: tuple[str, ...] = ()
    always: tuple[float, float] = (math.nan, math.nan)
    rest: float = 0.0
    matrix: CostMatrix | None = None
    context: Context = field(kw_only=True)
    is_weighted: bool = False
    groups: dict[str, Scores] = field(default_factory=dict)

    def __repr__(self) -> str:
        names = cut(", ".join(f"{row.model} {row.loss:.4g}" for row in self), SHOWN)
        return f"<Scores of {sum(self.counts)} instances: {names}>"

    def __str__(self) -> str:
        """The tables that ``costderive score`` prints."""
        return str(costderive.export.text(self))

    _repr_html_ = html_of

    def to_frame(self) -> Any:
        """Return a row of numbers for each model as a data frame of pandas, with the ends of its interval.

        Raises:
            CostDeriveError: if pandas is not installed.
        """
        names = [each.name for each in fields(ModelScore) if each.name not in ("interval", "simulation")]
        numbers = {name: [getattr(row, name) for row in self] for name in names}
        ends = {end: [getattr(row.interval, end) for row in self] for end in ("low", "high")}
        return data_frame(
            {"model": numbers.pop("model"), "loss": numbers.pop("loss"), **ends, **numbers}, "model"
        )

    def plot(self) -> Any:
        """Draw what each model costs and where it is cheapest, as ``cd.plot.decision`` does.

        Raises:
            CostDeriveError: if matplotlib is not installed.
        """
        return costderive.plot.decision(self)


def _turned(loss: Estimate) -> Estimate:
    return Estimate(-loss.value, loss.standard_error, -loss.high, -loss.low)
