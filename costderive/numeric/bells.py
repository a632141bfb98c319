"""Where integrands count on a line: each on an interval, or on several that lie far apart.

Far from each other there may be two bells of which one is seen by its foot alone, so that the tops decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from costderive.core.numpy_on_demand import NDArray, np

Longs = NDArray[Any]  # of longdouble
Sizes = Callable[[NDArray[Any], Longs], Longs]  # of the integrands of points, at shape (number, n)
FARTHEST, STEP = 2500.0, 3.0  # where integrands are looked for: beyond the logarithms of cubes of doubles
COUNTS = 1e-26  # of the largest value of an integrand
APART = 20  # steps between intervals that are two
MOST_TOPS = 4  # of an integrand
CLIMBS = 9  # halvings of the step by which a top is found
FEW = 4  # of many points, for which integrands are looked for everywhere
NARROWINGS, ENOUGH = 6, 0.8


@dataclass(frozen=True, slots=True)
class Spans:
    """Intervals, by the number of the point that each belongs to, in ascending order; each point has some."""

    of: NDArray[np.intp]
    low: Longs
    high: Longs

    @property
    def width(self) -> Longs:
        """The lengths."""
        return np.asarray(self.high - self.low)

    @property
    def firsts(self) -> NDArray[np.intp]:
        """The place of the first interval of each point."""
        return np.searchsorted(self.of, np.arange(self.of[-1] + 1))

    @property
    def are_alone(self) -> bool:
        """Whether each point has one."""
        return bool(len(self.of) == self.of[-1] + 1)

    def narrowed(self, sizes: Sizes, count: int) -> Spans:
        """Return the parts of the intervals on which the integrands count, as seen at so many steps."""
        step = self.width / count
        seen = sizes(self.of, self.low[:, None] + step[:, None] * np.arange(count + 1))
        top, height = self.low + step * seen.argmax(axis=1), seen.max(axis=1)
        if not self.are_alone:
            top, height = _climbed(sizes, self.of, step / 2, top, height)
        most = np.maximum.reduceat(height, self.firsts)[self.of]
        counts = seen > COUNTS * most[:, None]
        first, last = counts.argmax(axis=1), count - counts[:, ::-1].argmax(axis=1)
        is_seen, kept = counts.any(axis=1), (height > COUNTS * most) | (height == most)
        low = np.where(is_seen, self.low + (first - 1) * step, top - step)
        high = np.where(is_seen, self.low + (last + 1) * step, top + step)
        return Spans(self.of[kept], low[kept], high[kept])


def spans(sizes: Sizes, points: int, count: int) -> Spans:
    """Return between which numbers the integrands of points count: first for a few, then beside these."""
    few = np.linspace(0, points - 1, min(points, FEW)).round().astype(int)
    known = dict(zip(few.tolist(), _searched(sizes, few), strict=True))
    found = _beside(known, points)
    missing = [point for point in range(points) if point not in found]
    if missing:
        found |= zip(missing, _searched(sizes, np.array(missing)), strict=True)
    of = np.repeat(np.arange(points), [len(found[point]) for point in range(points)])
    low, high = np.array([span for point in range(points) for span in found[point]]).T
    whole = Spans(of, low, high)
    for _ in range(NARROWINGS):
        last, whole = whole, whole.narrowed(sizes, count)
        if len(last.of) == len(whole.of) and (whole.width > ENOUGH * last.width).all():
            break
    return whole


def _beside(known: dict[int, list[Longs]], points: int) -> dict[int, list[Longs]]:
    """Return what holds the intervals of the known points on either side, where these have as many."""
    found, places = {}, np.array(list(known))
    for point in range(points):
        after = int(np.searchsorted(places, point))
        first, second = (known[int(places[place])] for place in (max(after - 1, 0), after))
        if len(first) == len(second):
            pairs = zip(first, second, strict=True)
            found[point] = [np.array([min(a[0], b[0]), max(a[1], b[1])]) for a, b in pairs]
    return found


def _searched(sizes: Sizes, points: NDArray[np.intp]) -> list[list[Longs]]:
    """Return the intervals of some points, looked for everywhere."""
    steps = round(2 * FARTHEST / STEP)
    grid = -FARTHEST + 2 * FARTHEST * (np.arange(steps + 1) / np.longdouble(steps))
    seen = sizes(points, np.tile(grid, (len(points), 1)))
    tops = [_tops(row) for row in seen]
    of = np.repeat(np.arange(len(points)), list(map(len, tops)))
    top, height = grid[np.concatenate(tops)], seen[of, np.concatenate(tops)]
    if len(of) > len(points):
        top, height = _climbed(sizes, points[of], np.full(len(of), STEP / 2), top, height)
    found = []
    for number, row in enumerate(seen):
        mine, least = of == number, COUNTS * height[of == number].max()
        found.append(_apart(np.concatenate([grid[row > least], top[mine & (height > least)]])))
    return found


def _tops(sizes: Longs) -> NDArray[np.intp]:
    """Return the place of the largest size, and of those far from it that are larger than their neighbours."""
    top, inner = int(sizes.argmax()), sizes[1:-1]
    others = 1 + np.flatnonzero((inner > sizes[:-2]) & (inner > sizes[2:]))
    others = others[abs(others - top) > APART]
    return np.array([top, *others[np.argsort(sizes[others])[::-1][: MOST_TOPS - 1]]], dtype=np.intp)


def _climbed(
    sizes: Sizes, of: NDArray[np.intp], step: Longs, top: Longs, height: Longs
) -> tuple[Longs, Longs]:
    """Return the tops that places are near to, and how high they are."""
    for _ in range(CLIMBS):
        places = np.stack([top - step, top, top + step], axis=1)
        beside = sizes(of, places[:, ::2])
        heights = np.stack([beside[:, 0], height, beside[:, 1]], axis=1)
        best = heights.argmax(axis=1)[:, None]
        top, height = (np.take_along_axis(part, best, axis=1)[:, 0] for part in (places, heights))
        step = step / 2
    return top, height


def _apart(places: Longs) -> list[Longs]:
    """Return the intervals that hold some places with a step on either side, the whole line if there is none."""
    if not len(places):
        return [np.array([-FARTHEST, FARTHEST], dtype=np.longdouble)]
    places = np.sort(places)
    parts = np.split(places, np.flatnonzero(np.diff(places) > APART * STEP) + 1)
    return [np.array([part[0] - STEP, part[-1] + STEP]) for part in parts]
