"""One stretch becomes segments: candidate closed forms, judged against exact values, and tables where none is good."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from sympy import Integral

from costderive.core.numpy_on_demand import Array, np
from costderive.core.symbols import p
from costderive.numeric.certify import certified
from costderive.numeric.chebyshev import TAIL
from costderive.numeric.closed_form import Closed, closed_forms, closed_forms_from, is_short
from costderive.numeric.end_tables import LOG, Listed, Table
from costderive.numeric.function import Segment, vanishes
from costderive.numeric.integral_losses import integrated, off
from costderive.numeric.majorant import Analytic
from costderive.numeric.many_digits import End, Exact, in_p_and_r
from costderive.numeric.measure import MOST_ULPS, Half, worst
from costderive.numeric.next_to_ends import from_end
from costderive.numeric.plan import Part, shown
from costderive.numeric.sampled import Multiple
from costderive.numeric.steep_tables import parted
from costderive.numeric.stretch import Stretch
from costderive.numeric.table_fit import (
    SHORT,
    Direct,
    Fitter,
    NoFitError,
    Reaches,
    lowest,
    power_series,
    tabulated,
)
from costderive.numeric.table_rounding import rounding

NO_CLOSED_FORM = "no closed form of the integral is found"
BY_QUADRATURE = "it was compared with quadrature at points that are not used"
TWICE = 2  # of a unit of 2^-53 an ulp may be half, and elsewhere errors may be larger than at a few points
SHARE = 8.0  # of a loss may come from so many times the distance, at the rate of growth there
NOTHING_LEFT = 2.0**50  # ulp
MUCH = 8.0  # ulp that a table rounds off, where another may round off less
OCTAVES = SHORT, 3 * SHORT  # in which that one is in the distance itself
MOST_FORMS = 10  # of a piece, that are measured closely


def segments(stretch: Stretch) -> Iterator[Segment]:
    """Compile one stretch."""
    if stretch.is_narrow:
        yield _narrow(stretch)
    elif stretch.growth is not None and (stretch.terms or stretch.value.has(Integral)):
        yield from _integral(stretch)
    elif stretch.value.has(Integral) or (stretch.is_rough and not stretch.value.is_rational_function(p)):
        yield from _sampled(stretch)
    else:
        yield from _measured(stretch)


def _integral(stretch: Stretch) -> Iterator[Segment]:
    """Put tables made from the rate of growth alone, which does not cancel."""
    assert stretch.growth is not None
    growth, zero, start = stretch.growth, stretch.growth.zero, stretch.growth.start(stretch.is_rough)
    far = stretch.high if zero is stretch.low else stretch.low
    rate = stretch.sampled() if stretch.terms else Exact.of(in_p_and_r(growth.rate))
    tail = max(TAIL, rate.tail) if isinstance(rate, Multiple) else TAIL
    tables, slip, missed = integrated(rate, zero, far, stretch.middle, start, tail)
    if isinstance(rate, Multiple):
        carried = max(slip, missed, *(_carried(rate, table) for table in tables))
        offs, compared = (carried, carried), _compared(stretch)
    else:
        first, second = off(rate, zero, far, stretch.middle, start, tables)
        offs, compared = (max(missed, first), max(missed, second)), BY_QUADRATURE
    bounds = (stretch.low.floor, stretch.middle), (stretch.middle, stretch.high.floor)
    found = list(zip(tables, offs, strict=True))
    for (table, error), span in zip(found if zero is stretch.low else found[::-1], bounds, strict=True):
        most = TWICE * (error + tail * 2**53)
        yield from _tabled(stretch, span, table, most, f"{NO_CLOSED_FORM}; {compared}")


def _tabled(
    stretch: Stretch, span: tuple[float, float], table: Table, off: float, why: str
) -> tuple[Segment, ...]:
    """Return the segments of a table whose polynomials are off by so many ulp: two, if one rounds off more."""
    ways: list[tuple[Segment, ...]] = [(_rounded(stretch, span, table, off, why),)]
    for length in OCTAVES:
        if _most(ways[-1]) > MUCH:
            ways.append(_in_two(stretch, span, table, length, off, why))
    return min(ways, key=_most)


def _in_two(
    stretch: Stretch, span: tuple[float, float], table: Table, length: int, off: float, why: str
) -> tuple[Segment, ...]:
    """Return the segments of a table that is read by the distance itself in so many octaves, none if that has no fit.

    These are the ones that are farthest from its end.
    """
    is_loss = stretch.growth is not None
    try:
        found = parted(table, length, is_monotone=is_loss, is_level=not is_loss)
    except NoFitError:
        return ()
    if found is None:
        return ()
    knee, *tables = found
    spans, more = ((span[0], knee), (knee, span[1])), off + TWICE * TAIL * 2**53
    return tuple(
        _rounded(stretch, part, each, more, why)
        for part, each in zip(spans, tables[:: table.end.side], strict=True)
    )


def _most(found: tuple[Segment, ...]) -> float:
    """Return the largest error of segments, in ulp; none are useless."""
    return max((segment.part.ulps or 0.0 for segment in found), default=math.inf)


def _rounded(stretch: Stretch, span: tuple[float, float], table: Table, off: float, why: str) -> Segment:
    """Return the segment of a table, with what its values round off."""
    part = stretch.part(*span, "table", why)
    here, elsewhere = rounding(Segment(part, table).judged(stretch))
    return Segment(replace(part, ulps=off + here, elsewhere=off + elsewhere), table)


def _carried(rate: Multiple, table: Table) -> float:
    """Return what the errors of a rate of growth near an end add to the loss, in units of 2^-53."""
    end, found = table.end, 0.0
    for x, error in rate.errors(end):
        loss = table.exactly(x)
        share = SHARE * abs(float(x * rate.value(end, x) / loss)) if loss else 1.0
        found = max(found, error * min(1.0, share))
    return found


def _sampled(stretch: Stretch) -> Iterator[Segment]:
    """Put tables of what is known at few points."""
    known = stretch.sampled()
    tail = max(TAIL, known.tail)
    bounds = (stretch.low.floor, stretch.middle), (stretch.middle, stretch.high.floor)
    for end, span in zip((stretch.low, stretch.high), bounds, strict=True):
        source = Direct(known, end, LOG, stretch.growth is not None)
        fitter = Fitter(source, 0.0, tail=tail, is_level=True)
        low, *edges = known.edges(end)
        low = max(low, math.log(end.nearest) - 1)
        panels = list(fitter.panels([low, *(edge for edge in edges if edge > low)]))
        at_end = float(known.limit(end))
        table = Table.of(end, LOG, at_end, panels, lowest(end, at_end, math.exp(low)))
        off = TWICE * (known.off(end) + tail * 2**53)
        yield from _tabled(stretch, span, table, off, _compared(stretch))


def _compared(stretch: Stretch) -> str:
    """Say what the error that was measured is one of."""
    few = "certified tables would take too long, or too much memory; " if stretch.is_rough else ""
    of_what = (
        "its integrand" if stretch.growth is not None else "it" if not stretch.terms else "what it is made of"
    )
    where = "; where terms of different signs cancel, in units of these" if len(stretch.terms) > 1 else ""
    return f"{few}{of_what} was compared with exact values at points that are not used{where}"


def series(stretch: Stretch) -> Iterator[Segment]:
    """Yield certified tables of a closed form, for those halves of a stretch where it is a short power series."""
    if stretch.is_narrow or not is_short(stretch.value) or stretch.value.has(Integral):
        return
    exact, middle = Exact.of(in_p_and_r(stretch.value)), stretch.middle
    for end, bounds in (
        (stretch.low, (stretch.low.floor, middle)),
        (stretch.high, (middle, stretch.high.floor)),
    ):
        analytic = _analytic(stretch, exact, end)
        if not analytic.can_be_bounded:
            continue
        tables = power_series(exact, end, middle, float(exact.limit(end)))
        if tables is not None:
            part = stretch.part(*bounds, "table", "read in panels")
            found = _spread(part, analytic, tables)
            yield from (segment for segment in found if segment.part.bound is not None)


def _narrow(stretch: Stretch) -> Segment:
    if stretch.growth is not None and stretch.value.has(Integral):
        zero, start = stretch.growth.zero, stretch.growth.start(stretch.is_rough)
        grown = Exact.of(in_p_and_r(stretch.growth.rate))
        table = Listed.of(
            lambda point: start + from_end(grown, zero, zero.exact_distance(point)), stretch.low, stretch.high
        )
    else:
        exact = stretch.sampled() if stretch.terms else Exact.of(in_p_and_r(stretch.value))
        table = Listed.of(lambda point: exact.at(stretch.high, point), stretch.low, stretch.high)
    why = "the piece holds few doubles, each with its value"
    return Segment(stretch.part(stretch.low.floor, stretch.high.floor, "table", why, 0.5), table)


def _measured(stretch: Stretch) -> Iterator[Segment]:
    """Measure the closed forms in each half of a stretch, keep the best, and put tables where it is not accurate."""
    exact = Exact.of(in_p_and_r(stretch.value))
    halves = stretch.halves(exact)
    forms = [_Judged.of(form, halves) for form in _promising(_forms(stretch, exact), halves)]
    best = min(forms or [_Judged.none(halves)], key=_Judged.rank)
    low, high = best.cuts
    if low is not None and high is not None and high - low < (stretch.high.floor - stretch.low.floor) / 4:
        low = high = stretch.middle
    bottom, top = stretch.low.floor, stretch.high.floor
    if low is not None:
        yield from _otherwise(forms, stretch, bottom, low) or best.tabulated(
            stretch, exact, 0, (bottom, low), low
        )
        bottom = low
    if high is not None:
        top = high
    if bottom < top and best.form is not None:
        yield best.kept(stretch, bottom, top)
    if high is not None:
        bounds = high, stretch.high.floor
        yield from _otherwise(forms, stretch, *bounds) or best.tabulated(stretch, exact, 1, bounds, high)


def _otherwise(forms: list[_Judged], stretch: Stretch, low: float, high: float) -> list[Segment]:
    """Return the cheapest of the closed forms that are accurate on a part, if there is one."""
    good = [judged for judged in forms if judged.worst(low, high) <= MOST_ULPS]
    return [min(good, key=_Judged.cost).kept(stretch, low, high)] if good else []


def _forms(stretch: Stretch, exact: Exact) -> Iterator[Closed]:
    """Return closed forms; of a logit only those in the distance from an end at which the value is 0.

    Rounding p changes such a value by more than a unit in the last place, but not the distance of logits.
    """
    value, ends = in_p_and_r(stretch.value), (stretch.low, stretch.high)
    if not stretch.of_margin or value == 0:
        return closed_forms(value, ends, stretch.in_lanes, stretch.of_margin)
    zeros = [end for end in ends if not end.is_outer and vanishes(exact, end)]
    if not zeros:
        return closed_forms(value, ends, stretch.in_lanes, True)
    return closed_forms_from(value, zeros[0], True) if len(zeros) == 1 else iter(())


def _promising(forms: Iterator[Closed], halves: tuple[Half, Half]) -> list[Closed]:
    """Return the forms that lose least at the probes, the cheaper first of those that lose as little."""

    def rank(form: Closed) -> tuple[int, int]:
        bad = sum(int(np.count_nonzero(~(half.errors(form) <= MOST_ULPS))) for half in halves)
        return bad, form.cost

    return sorted(forms, key=rank)[:MOST_FORMS]


def _measured_table(stretch: Stretch, segment: Segment, half: Half) -> Segment:
    """Return the segment of a table with its largest error at probes, or what it rounds off if that is more."""
    table, probes = segment.evaluate, half.probes.between(segment.part.low, segment.part.high)
    assert isinstance(table, Table)
    off = TWICE * TAIL * 2**53
    here, elsewhere = (off + found for found in rounding(segment.judged(stretch)))
    ulps = max(here, worst(probes.errors(segment.evaluate)))
    return replace(
        segment,
        part=replace(segment.part, ulps=ulps, elsewhere=max(elsewhere, worst(probes.errors(table.plain)))),
    )


def _spread(part: Part, analytic: Analytic, tables: Reaches) -> Iterator[Segment]:
    """Yield the segments of tables that lie beside one another in a part, in ascending order."""
    side = analytic.end.side
    cuts = [reach for reach, _ in tables[:-1]][::side]
    edges = (part.low, *cuts, part.high)
    for (low, high), (_, table) in zip(pairwise(edges), tables[::side], strict=True):
        yield Segment(replace(part, low=low, high=high, bound=certified(table, analytic)), table)


def _analytic(stretch: Stretch, exact: Exact, end: End) -> Analytic:
    """Return what bounds a function from an end of its stretch."""
    if stretch.growth is None:
        return Analytic(exact, end, None, False)
    return Analytic(
        exact, end, in_p_and_r(stretch.growth.rate), stretch.growth.zero is end and exact.limit(end) == 0
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A closed form, perhaps none, with its errors at points of both halves, nearest to the ends first."""

    form: Closed | None
    halves: tuple[Half, Half]
    points: tuple[Array, Array]
    found: tuple[Array, Array]

    @classmethod
    def of(cls, form: Closed, halves: tuple[Half, Half]) -> _Judged:
        (points0, found0), (points1, found1) = (half.closely(form) for half in halves)
        return cls(form, halves, (points0, points1), (found0, found1))

    @classmethod
    def none(cls, halves: tuple[Half, Half]) -> _Judged:
        points = halves[0].doubles, halves[1].doubles
        return cls(None, halves, points, (np.full(len(points[0]), np.inf), np.full(len(points[1]), np.inf)))

    def cost(self) -> float:
        """Count operations."""
        return self.form.cost if self.form else np.inf

    def rank(self) -> tuple[float, ...]:
        """Order forms: by the share of the piece on which they are not accurate, and then by cost."""
        bad = ~(np.concatenate(self.found) <= MOST_ULPS)
        return float(np.count_nonzero(bad)), self.cost()

    @property
    def cuts(self) -> tuple[float | None, float | None]:
        """The doubles up to which, and from which on, a table is needed."""
        judged = zip(self.halves, self.points, self.found, strict=True)
        low, high = (half.first_good(points, found) for half, points, found in judged)
        return low, high

    def worst(self, low: float, high: float) -> float:
        """Return the largest error between two doubles."""
        halves = zip(self.points, self.found, strict=True)
        return max(worst(found[(low < points) & (points <= high)]) for points, found in halves)

    def kept(self, stretch: Stretch, low: float, high: float) -> Segment:
        """Return the closed form where it stays."""
        assert self.form is not None
        ulps = self.worst(low, high)
        return Segment(
            stretch.part(low, high, "closed form", "the best of the ways to write it", ulps), self.form
        )

    def tabulated(
        self, stretch: Stretch, exact: Exact, side: int, bounds: tuple[float, float], cut: float
    ) -> Iterator[Segment]:
        """Yield the table that stands in for the closed form in one half, or the form if no table fits."""
        half = self.halves[side]
        try:
            tables = tabulated(exact, half.end, cut, stretch.growth is not None)
        except NoFitError:
            if self.form is None:
                raise
            yield self.kept(stretch, *bounds)
            return
        part = stretch.part(*bounds, "table", self._why(side))
        for segment in _spread(part, _analytic(stretch, exact, half.end), tables):
            yield _measured_table(stretch, segment, half)

    def _why(self, side: int) -> str:
        if self.form is None:
            return "no closed form has fast functions alone"
        found, doubles = self.found[side], self.points[side]
        at = int(np.argmax(np.nan_to_num(found, nan=np.inf)))
        return f"the closed form {_loss(found[at])} at p = {shown(doubles[at])}"


def _loss(ulps: float) -> str:
    return f"loses {ulps:.2g} ulp" if ulps < NOTHING_LEFT else "has no digit left"
