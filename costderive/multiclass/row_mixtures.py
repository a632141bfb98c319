"""The losses of rows under a cost matrix with an uncertain letter: intervals of its values between lines that cross."""

from __future__ import annotations

from dataclasses import dataclass

from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.mixed_acts import MixedLosses
from costderive.multiclass.reject_costs import RejectCosts
from costderive.multiclass.row_acts import values_of
from costderive.multiclass.row_losses import RowLosses, blocks

FARTHEST = 1e30  # beyond it a law counts as if it ended there


@dataclass(frozen=True, eq=False)
class MixedRows(RowLosses):
    """Costs ``known + x slopes`` of shape (K, J), the law of x, its values with a probability, and a mean factor."""

    known: Array
    slopes: Array
    law: RejectCosts
    values: Array
    probabilities: Array
    scale: float
    letter: str

    @classmethod
    def of(cls, found: MixedLosses) -> MixedRows:
        """Take the numbers of a matrix whose only letter is the uncertain one."""
        known, slopes = (np.array(columns, dtype=float).T for columns in found.matrix.lines())
        law = RejectCosts.of(found.part, found.limited, FARTHEST)
        values, jumps = (np.array(x, dtype=float) for x in (found.part.marks, found.part.jumps))
        letter = "a part" if found.matrix.part is None else str(found.matrix.part[0])
        return cls(known, slopes, law, values[jumps > 0], jumps[jumps > 0], float(found.scale), letter)

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        width = self.known.shape[1] ** 2
        parts = [self._block(forecasts[rows], labels[rows]) for rows in blocks(len(labels), width)]
        return np.asarray(self.scale * np.concatenate(parts))

    def _block(self, forecasts: Array, labels: Labels) -> Array:
        levels, slopes = forecasts @ self.known, forecasts @ self.slopes
        p, mean = self._spread(*_intervals(levels, slopes))
        losses = (self.known[labels] * p + self.slopes[labels] * mean).sum(axis=1)
        for value, probability in zip(self.values, self.probabilities, strict=True):
            acts = (levels + value * slopes).argmin(axis=1)
            losses += probability * (self.known[labels, acts] + value * self.slopes[labels, acts])
        return np.asarray(losses)

    def decide(self, forecasts: Array, uncertain: ArrayLike | None) -> NDArray[np.intp]:
        """Return the act of each row, at the value of the letter there."""
        values = values_of(uncertain, self.letter, len(forecasts))[:, None]
        return np.asarray((forecasts @ self.known + values * (forecasts @ self.slopes)).argmin(axis=1))

    def _spread(self, lows: Array, highs: Array) -> tuple[Array, Array]:
        """Return how probable intervals are, and the mean of x in them, without the values that have a probability."""
        below, above = (
            self.law.below(np.minimum(ends, FARTHEST)) for ends in (lows, np.maximum(lows, highs))
        )
        p, mean = (after - before for before, after in zip(below, above, strict=True))
        for value, probability in zip(self.values, self.probabilities, strict=True):
            inside = probability * ((lows <= value) & (value < highs))
            p, mean = p - inside, mean - value * inside
        return p, mean


def _intervals(levels: Array, slopes: Array) -> tuple[Array, Array]:
    """Return between which x each line is below all others; of equal lines the first one is."""
    lows, highs = np.zeros_like(levels), np.full_like(levels, np.inf)
    for act in range(levels.shape[1]):
        more, steeper = levels[:, [act]] - levels, slopes[:, [act]] - slopes
        later = np.arange(levels.shape[1]) > act
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = -more / steeper
        lows = np.where(steeper > 0, np.maximum(lows, crossing), lows)
        highs = np.where(steeper < 0, np.minimum(highs, crossing), highs)
        lows = np.where((steeper == 0) & ((more < 0) | ((more == 0) & later)), np.inf, lows)
    return lows, highs
