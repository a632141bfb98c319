"""What a cost context means in numbers: how large the costs are, and between which thresholds decisions are right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import np
from costderive.core.short_repr import short_repr
from costderive.costs.contexts import Context
from costderive.costs.laws import Law, uniform

DRAWS = 100_000
SHARES = (0.05, 0.5, 0.95)


@dataclass(frozen=True, slots=True)
class Range:
    """The quantiles of 5 %, 50 % and 95 % of a quantity."""

    low: float
    median: float
    high: float

    __repr__ = short_repr

    @property
    def is_known(self) -> bool:
        """Whether there is only one value."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class CostRanges:
    """The ranges of both costs, in their units, and of the threshold ``c0/(c0 + c1)`` above which class 1 is right."""

    c0: Range
    c1: Range
    threshold: Range

    __repr__ = short_repr

    def lines(self) -> Iterator[str]:
        """Yield a sentence for each."""
        for name, cost in (("c₀", self.c0), ("c₁", self.c1)):
            if not cost.is_known:
                low, median, high = map(_three_digits, (cost.low, cost.median, cost.high))
                yield f"{name}: 5 % below {low}, half below {median}, 95 % below {high}"
        low, high = (f"{100 * value:.2g} %" for value in (self.threshold.low, self.threshold.high))
        where = f"of {low}" if low == high else f"somewhere between {low} and {high}, in 90 % of these costs"
        yield f"For these costs it is right to decide for class 1 from a probability {where}."


def _three_digits(cost: float) -> str:
    """Write a cost to three digits, without an exponent unless it is very large or small.

    >>> _three_digits(10456.7), _three_digits(0.05)
    ('10500', '0.05')
    """
    return f"{float(f'{cost:.3g}'):.10g}"


def cost_ranges(context: Context) -> CostRanges:
    """Return the ranges of the costs of a context without letters, those of laws to about four digits.

    What has no law of its own is taken from 100,000 random pairs of costs, the same in each call.

    Raises:
        ParametersLeftError: if a parameter has no number.
        ImproperLawError: if no costs can be drawn.
        DataError: if both costs may be 0 together.
    """
    costs = context.sample(DRAWS, 0)
    c0, c1 = np.asarray(costs[0]), np.asarray(costs[1])
    total = c0 + c1
    if not total.all():
        raise DataError("both costs may be 0 together", "Then there is no threshold.")
    return CostRanges(
        _range(getattr(context, "c0", None), c0),
        _range(getattr(context, "c1", None), c1),
        _range(None, c0 / total),
    )


def _range(given: object, drawn: np.ndarray) -> Range:
    law = uniform(*given) if isinstance(given, tuple) else given
    if isinstance(law, Law):
        return Range(*map(law.quantile, SHARES))
    return Range(*map(float, np.quantile(drawn, SHARES)))
