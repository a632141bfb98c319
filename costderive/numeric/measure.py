"""How many digits a compiled form keeps: its values beside exact ones at doubles chosen to catch cancellation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from costderive.numeric.exact import Array, End, Evaluate, Exact

MOST_ULPS = 8.0  # what a closed form may lose, in units in the last place


@dataclass(frozen=True, slots=True)
class Half:
    """The half of a piece next to one of its ends, up to ``middle``; ``doubles`` are its probes, nearest first."""

    end: End
    middle: float
    doubles: Array

    @classmethod
    def of(cls, end: End, middle: float, low: float, high: float) -> Half:
        """Choose the probes among the doubles of the piece, ``low < p <= high``."""
        found = np.unique(np.concatenate([_spread(end, middle), _neighbours(end)]))
        side = found <= middle if end.side > 0 else found > middle
        inside = found[side & (low < found) & (found <= high) & (found > 0) & (found < 1)]
        return cls(end, middle, inside[:: end.side])


def _spread(end: End, middle: float) -> Array:
    """Return points at distances that fill every scale from the end to the middle."""
    smallest = -322.0 if end.hi == 0 else -17.0
    scales = (np.arange(smallest, -22, 20), np.arange(max(smallest, -22), 0, 0.5), np.linspace(-0.9, 0, 30))
    with np.errstate(under="ignore"):
        return end.hi + end.side * abs(middle - end.hi) * 10.0 ** np.concatenate(scales)


def _neighbours(end: End) -> Array:
    steps = np.array([0, 1, 2, 3, 5, 8, 16, 32, 64, 128])
    return np.asarray(end.hi + end.side * steps * (5e-324 if end.hi == 0 else math.ulp(end.hi)))


def errors(evaluate: Evaluate, exact: Exact, half: Half, size: Exact | None) -> Array:
    """Return the error at each probe in units in the last place of the value, or of ``size`` if that is larger."""
    with np.errstate(all="ignore"):
        got = evaluate(half.doubles, 1 - half.doubles)
    return np.array(
        [_error(value, exact, half.end, point, size) for value, point in zip(got, half.doubles, strict=True)]
    )


def _error(got: Any, exact: Exact, end: End, point: float, size: Exact | None) -> float:
    wanted = exact.at(end, point)
    if got == float(wanted):
        return 0.0
    if not math.isfinite(got):
        return math.inf
    scale = abs(float(wanted)) if size is None else max(abs(float(wanted)), abs(float(size.at(end, point))))
    return float(abs(wanted - float(got)) / math.ulp(scale)) if math.isfinite(scale) else math.inf


def worst(found: Array) -> float:
    """Return the largest of some errors, 0 if there are none."""
    return float(found.max(initial=0.0))


def first_good(half: Half, found: Array) -> float | None:
    """Return the probe from which on every error is small, the middle if none is, None if all are."""
    bad = np.flatnonzero(~(found <= MOST_ULPS))
    if not bad.size:
        return None
    following = int(bad[-1]) + 2
    return float(half.doubles[following]) if following < len(half.doubles) else half.middle
