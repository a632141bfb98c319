"""What is kept of predictions on the way through them: their number does not matter to the memory it takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, np
from costderive.evaluate.bootstrap import Groups
from costderive.evaluate.loss_moments import Moments, Sums
from costderive.evaluate.predictions import Known, require_few
from costderive.evaluate.row_costs import Losses, RowCosts, of_rows, require_costs
from costderive.evaluate.tally import Counting, Tally
from costderive.numeric import CompiledLoss

Classes = tuple[Sums, Sums]  # of class 0 and class 1

BRIER: Losses = (lambda p, _: p * p, lambda p, _: (1 - p) ** 2)
LOG_LOSS: Losses = (lambda p, _: -np.log1p(-p), lambda p, _: -np.log(p))


@dataclass(frozen=True)
class Gathered:
    """Per class the moments of the losses, the Brier score and the log loss; tallies; and groups for a bootstrap.

    ``costs`` are the columns of costs, and ``segments`` the same of each group of rows, if there are any.
    """

    names: tuple[str, ...]
    moments: tuple[Moments, Moments]
    calibrated: Classes
    brier: Classes
    log_loss: Classes
    tallies: tuple[Tally, ...]
    groups: Groups | None = None
    costs: RowCosts | None = None
    segments: dict[str, Gathered] = field(default_factory=dict)

    @classmethod
    def of(
        cls, blocks: Iterable[Known], own: CompiledLoss, calibrated: CompiledLoss, grouped: bool = False
    ) -> Gathered:
        """Read all blocks, whose losses are those at a threshold and at the calibrated one.

        Raises:
            DataError: if there is no block, or naming the first row whose columns are no costs.
        """
        whole: _Reading | None = None
        parts: dict[str, _Reading] = {}
        for block in blocks:
            if not len(block.is_one):
                continue
            whole = whole or _Reading(tuple(block.models), own, calibrated, grouped)
            whole.add(block)
            for name, rows in block.segments():
                parts.setdefault(name, _Reading(tuple(block.models), own, calibrated, grouped)).add(rows)
                require_few(list(parts))
        if whole is None:
            raise DataError(
                "there are no predictions", "A mean loss needs at least one row of positive weight."
            )
        return replace(whole.gathered(), segments={name: parts[name].gathered() for name in sorted(parts)})

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of instances of class 0 and class 1."""
        return self.losses[0].count, self.losses[1].count

    @property
    def weights(self) -> tuple[float, float]:
        """The weights of the instances of class 0 and class 1: without weights their numbers."""
        return self.losses[0].weight, self.losses[1].weight

    @property
    def losses(self) -> Classes:
        """The sums of the losses."""
        return self.moments[0].sums, self.moments[1].sums


class _Reading:
    """Gathers blocks."""

    def __init__(
        self, names: tuple[str, ...], own: CompiledLoss, calibrated: CompiledLoss, grouped: bool
    ) -> None:
        self._names = names
        self._own = own
        self._calibrated = calibrated
        self._costs: list[RowCosts] = []
        self._moments = Moments(len(names)), Moments(len(names))
        pairs = [BRIER, LOG_LOSS] if calibrated is own else [BRIER, LOG_LOSS, of_rows(calibrated)]
        self._others = [(pair, (Sums(len(names)), Sums(len(names)))) for pair in pairs]
        self._counting = [Counting() for _ in names]
        self._groups = Groups(len(names)) if grouped else None

    def add(self, block: Known) -> None:
        if block.columns:
            for rule in (self._own, self._calibrated):
                require_costs(rule, block.columns, block.place)
            self._costs.append(RowCosts.of(block))
        own = _losses(of_rows(self._own), block)
        weights = block.weights_of(0), block.weights_of(1)
        for moment, values, each in zip(self._moments, own, weights, strict=True):
            moment.add(values, each)
        for pair, sums in self._others:
            for total, values, each in zip(sums, _losses(pair, block), weights, strict=True):
                total.add(values, each)
        if self._groups:
            self._groups.add(block.is_one, own, block.weights)
        for count, values in zip(self._counting, block.models.values(), strict=True):
            count.add(Tally.of(values, block.is_one, block.weights))

    def gathered(self) -> Gathered:
        brier, log_loss, *calibrated = (sums for _, sums in self._others)
        own = self._moments[0].sums, self._moments[1].sums
        tallies = tuple(count.tally() for count in self._counting)
        return Gathered(
            self._names,
            self._moments,
            (calibrated or [own])[0],
            brier,
            log_loss,
            tallies,
            self._groups,
            RowCosts.joined(self._costs) if self._costs else None,
        )


def _losses(pair: Losses, block: Known) -> tuple[Array, Array]:
    """Return the losses of the rows of class 0 and of class 1, each of shape (models, n)."""
    with np.errstate(divide="ignore"):  # a log loss may be infinite
        zero, one = (
            np.array([loss(values[block.is_one == label], columns) for values in block.models.values()])
            for label, loss, columns in zip((0, 1), pair, map(block.of_class, (0, 1)), strict=True)
        )
    return zero, one
