"""What tables round off: their values beside their polynomials in twofold numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mpmath

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric import twofold
from costderive.numeric.constants import number
from costderive.numeric.end_tables import LOG, ROOT, Table, roots
from costderive.numeric.function import Segment
from costderive.numeric.many_digits import DIGITS, End
from costderive.numeric.measure import Probes, worst
from costderive.numeric.point_pairs import Evaluate, Points
from costderive.numeric.twofold import Twofold

COUNT = 1000  # points of each panel
BEYOND = 1.5  # times the largest error at so many points, which is 1.4 times as large at fifty times as many
PLACES = (
    -0.9,
    -0.6,
    -0.1,
    0.3,
    0.7,
    0.95,
)  # of a panel, where values that no twofold numbers have are compared
LEAST, MOST = 1e-280, 1e290  # of values that have twofold numbers
NORMAL = sys.float_info.min
LEAST_OF_ALL = 1e-300  # of values that are compared


@dataclass(frozen=True, slots=True)
class _Sample:
    """Points, and the logarithms of their exact distances from an end."""

    points: Points
    logs: Twofold


@dataclass(frozen=True, slots=True)
class _Exact:
    """What the polynomials of a table say: their values, and in units of what errors are.

    That is the value, but on a panel on which the sign changes the largest one, at the same power of the distance.
    """

    values: Twofold
    sizes: Array


def rounding(segment: Segment) -> tuple[float, float]:
    """Return what the values of a table round off, and those of programs in other languages, in ulp.

    Points are doubles and logits; what there is between them is accounted for by a factor.
    """
    table = segment.evaluate
    assert isinstance(table, Table)
    generator = np.random.default_rng(17)
    doubles, logits = (_scattered(table, generator) for _ in range(2))
    with np.errstate(all="ignore"):
        sample = _of_doubles(table.end, doubles)
        exact = _exactly(table, sample.logs)
        found = [_worst(table, exact, sample, segment.values), _few(table, table)]
        for other in _of_logits(table.end, logits):
            found.append(_worst(table, _exactly(table, other.logs), other, segment.values))
        elsewhere = max(_worst(table, exact, sample, table.plain), _few(table, table.plain))
    return BEYOND * max(found), BEYOND * elsewhere


def _scattered(table: Table, generator: np.random.Generator) -> Array:
    """Return random distances on each panel."""
    places = generator.uniform(-1, 1, (COUNT, len(table.centres)))
    return _distances(table, (table.centres + places / table.scales).ravel())


def _distances(table: Table, variables: Array) -> Array:
    return np.asarray(np.exp(variables) if table.variable is LOG else table.variable.distance(variables))


def _points(end: End, distances: Array) -> Points:
    p = end.hi + end.side * distances
    return Points(p, distances if end.is_outer and end.hi == 1 else 1 - p)


def _of_doubles(end: End, distances: Array) -> _Sample:
    points = _points(end, distances)
    if end.is_outer:
        return _Sample(points, _log(Twofold.of(distances, np.zeros_like(distances))))
    beyond = _beyond(end, points.p)
    inside = np.flatnonzero(beyond.high > 0)  # next to an end between doubles some are rounded to it
    return _Sample(points.take(inside), _log(_taken(beyond, inside)))


def _beyond(end: End, p: Array) -> Twofold:
    """Return the distances of doubles from an inner end, of which three doubles have all digits that count."""
    with mpmath.workdps(2 * DIGITS):
        least = float(number(end.at, 2 * DIGITS) - end.hi - end.lo)
    found = Twofold.of(p, -end.hi) - Twofold.of(end.lo, least)
    return found if end.side > 0 else -found


def _of_logits(end: End, distances: Array) -> Iterator[_Sample]:
    """Yield logits up to 0, if any: others are those of ``1 - p``, which has tables of its own.

    Beyond 708, as is said where losses are compiled, a logit has no p with all digits, and errors are those of p.
    """
    points = _points(end, distances)
    points = points.take(np.flatnonzero((points.p >= NORMAL) & (points.p <= 0.5)))
    logits = np.minimum(np.log(points.p) - np.log1p(-points.p), 0.0)
    if not len(logits):
        return
    if end.is_outer:
        z = Twofold(logits, np.zeros_like(logits))
        yield _Sample(Points.of_logit(logits), z - twofold.log1p(twofold.exp(z)))
        return
    longer = end.distance_of_logits(logits)
    inside = np.flatnonzero(longer > 0)
    high = longer.astype(np.float64)
    distance = _taken(Twofold(high, (longer - high).astype(np.float64)), inside)
    yield _Sample(Points.of_logit(logits[inside]), _log(distance))


def _log(x: Twofold) -> Twofold:
    """Return the logarithms of any positive doubles, also of those whose inverses are none."""
    mantissa, exponent = np.frexp(x.high)
    found = twofold.log(Twofold(mantissa, np.ldexp(x.low, -exponent)))
    return found + twofold.log_two() * Twofold(exponent.astype(float), 0.0)


def _taken(x: Twofold, rows: NDArray[np.intp]) -> Twofold:
    return Twofold(x.high[rows], x.low[rows])


def _exactly(table: Table, logs: Twofold) -> _Exact:
    """Return what the polynomials say of distances, given by their logarithms."""
    variables = (
        logs if table.variable is LOG else twofold.exp(logs.times(0.5) if table.variable is ROOT else logs)
    )
    panel = np.searchsorted(table.edges, variables.high)
    z = (variables - Twofold(table.centres[panel], 0.0)) * Twofold(table.scales[panel], 0.0)
    coefficients = table.coefficients[:, panel]
    polynomial = Twofold(coefficients[0], np.zeros(len(panel)))
    for row in coefficients[1:]:
        polynomial = polynomial * z + Twofold(row, 0.0)
    root = _root_of_power(table, panel, logs)
    sizes = np.maximum(abs(polynomial.high), _levels(table)[panel])
    return _Exact(polynomial * root * root, sizes * root.high * root.high)


def _root_of_power(table: Table, panel: NDArray[np.intp], logs: Twofold) -> Twofold:
    """Return the roots of the powers of distances, as the panels multiply them by powers of 2.

    The powers may have no twofold numbers where the values have.
    """
    octaves = table.shifts, table.lifts * [roots(power) for power in table.powers.tolist()]
    shifts, lifts = (twofold.log_two() * Twofold(n[panel].astype(float), 0.0) for n in octaves)
    whole = (logs + shifts) * Twofold(table.powers[panel], 0.0) + lifts
    return twofold.exp(whole.times(0.5))


def _levels(table: Table) -> Array:
    """Return the largest value of each polynomial that changes its sign, 0 for others."""
    values = np.array([np.polyval(table.coefficients, place) for place in np.linspace(-1, 1, 101)])
    return np.where(values.min(axis=0) * values.max(axis=0) < 0, abs(values).max(axis=0), 0.0)


def _worst(table: Table, exact: _Exact, sample: _Sample, evaluate: Evaluate) -> float:
    """Return the largest error, in units in the last place."""
    values = exact.values
    errors = abs((values.high - evaluate(sample.points)) + values.low) / np.spacing(exact.sizes)
    counted = (exact.sizes > LEAST) & (exact.sizes < MOST) & (np.exp(sample.logs.high) > table.bottom)
    return worst(errors[counted])


def _few(table: Table, evaluate: Callable[[Points], Array]) -> float:
    """Return the largest error at a few points of each panel, of values that no twofold numbers have."""
    variables = np.concatenate([table.centres + z / table.scales for z in PLACES])
    points = _points(table.end, _distances(table, variables))
    sizes = abs(table(points))
    points = points.take(np.flatnonzero((sizes < LEAST) | (sizes > MOST)))
    pairs = list(enumerate(table.distances(points)))
    inside = np.array([k for k, distance in pairs if distance > 0], dtype=np.intp)
    found = Probes.of(points.take(inside), [table.exactly(x) for _, x in pairs if x > 0])
    return worst(found.errors(evaluate)[found.rounded > LEAST_OF_ALL])
