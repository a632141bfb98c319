"""Functions at one probability in Python's numbers: the steps that arrays take, and the same bits, in less time."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from bisect import bisect_left
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from costderive.core.numpy_on_demand import Array, np
from costderive.numeric.blocks import Both
from costderive.numeric.closed_form import LOGARITHMS, Closed
from costderive.numeric.end_tables import FULL, LOG, ROOT, TINY, Listed, Table, times_power
from costderive.numeric.function import NUDGE, Function, Segment, restored, slopes
from costderive.numeric.logistic import logistic_of_one
from costderive.numeric.point_pairs import Evaluate, Points, long_zero, missing_of_one
from costderive.numeric.tree_of import NAMES

AtOne = Callable[[float], float]
AtLogit = Callable[[float, float, float], float]  # of a logit, its p, and what p has lost by rounding
ABOVE, BELOW = 1 + NUDGE, 1 - NUDGE
DOUBT = 2.0**-58  # more than the rest of a p that is a normal double differs from what p is missing
NORMAL = sys.float_info.min
SAMPLES, GOLDEN = 2000, (math.sqrt(5) - 1) / 2


def at_one_number(both: Both) -> tuple[AtOne, AtOne]:
    """Return the function of each class, 0 and 1, at one double in [0, 1]: p, or ``1 - p`` if they are mirrored."""
    return _of_classes(both, _at_one)


def at_one_logit(low: Both, high: Both) -> tuple[AtOne, AtOne]:
    """Return the function of each class at one logit, of p up to 0 and of ``1 - p`` beyond."""
    zero, one = zip(_of_classes(low, _at_logit), _of_classes(high, _at_logit), strict=True)
    return _by_sign(*zero), _by_sign(*one)


def _of_classes(both: Both, at_one: Callable[[Function], AtOne]) -> tuple[AtOne, AtOne]:
    first, second = (_signed(both.sign, at_one(function)) for function in both.functions)
    return (second, first) if both.is_mirrored else (first, second)


def _by_sign(low: AtOne, high: AtOne) -> AtOne:
    return lambda logit: low(logit) if logit <= 0 else high(-logit)


def _signed(sign: int, function: AtOne) -> AtOne:
    return function if sign > 0 else lambda p: -function(p)


def _at_one(function: Function) -> AtOne:
    """Return a function of one double; where Python has no number for a step, arrays take all of them."""
    highs = [segment.part.high for segment in function.segments[:-1]]
    programs = [_program(segment.evaluate) for segment in function.segments]

    def value(p: float) -> float:
        if p == 0:
            return function.at_zero
        if p == 1:
            return function.at_one
        try:
            return programs[bisect_left(highs, p)](p)
        except (ArithmeticError, ValueError):
            return float(function.alone(Points.of(np.array([p])))[0])

    return value


def _at_logit(function: Function) -> AtOne:
    """Return a function of one logit that is not above 0."""
    edges = [segment.edge for segment in function.segments[:-1]]
    programs = [_of_logit(segment) for segment in function.segments]

    def value(logit: float) -> float:
        p, rest = logistic_of_one(logit)
        if p == 0:
            return function.at_zero
        try:
            return programs[bisect_left(edges, logit)](logit, p, rest)
        except (ArithmeticError, ValueError):
            return float(function.alone(Points.of_logit(np.array([logit])))[0])

    return value


def _of_logit(segment: Segment) -> AtLogit:
    if segment.reads_logits:
        assert isinstance(segment.evaluate, Table)
        return _of_inner_table(segment.evaluate)
    if not segment.is_steep:
        program = _program(segment.evaluate)
        return lambda logit, p, rest: program(p)
    slowly = _by_three_values(segment)
    if isinstance(segment.evaluate, Table):
        return _by_slope(segment.evaluate, slowly)
    program = _program(segment.evaluate)
    return lambda logit, p, rest: slowly(logit, p, rest, program(p))


def _by_three_values(segment: Segment) -> Callable[[float, float, float, float], float]:
    """Return what arrays compute: the value at p, with what p has lost put back by the values beside it."""
    program = _program(segment.evaluate)
    near = [(table.end.hi, reach) for reach, table in segment.near]

    def value(logit: float, p: float, rest: float, plain: float) -> float:
        for end, reach in near:
            if abs(p - end) < reach:
                return _left_to_arrays(logit, p, rest)
        first, second = slopes(plain, program(p * ABOVE), program(p * BELOW))
        found = restored(plain, first, second, rest - DOUBT)
        if p < NORMAL or not -math.inf < found == restored(plain, first, second, rest + DOUBT) < math.inf:
            found = restored(plain, first, second, missing_of_one(logit, p, rest))
        return found if math.isfinite(found) else plain

    return value


def _by_slope(table: Table, slowly: Callable[[float, float, float, float], float]) -> AtLogit:
    """Return the same numbers by the slope of the polynomials, wherever any slope as near would round alike.

    Differences over `NUDGE` have 16 roundings at the most, each of which is ``2^-58`` of a value when it is put back.
    """
    with_slope = _with_slope(table)

    def value(logit: float, p: float, rest: float) -> float:
        plain, slope, size = with_slope(p)
        doubt = (abs(slope) + size) * DOUBT
        if p >= NORMAL and abs(plain) > FULL:
            found = plain + (rest * slope - doubt)
            if found == plain + (rest * slope + doubt):
                return found
        return slowly(logit, p, rest, plain)

    return value


def _left_to_arrays(logit: float, p: float, rest: float) -> float:
    raise ArithmeticError


def _program(evaluate: Evaluate) -> AtOne:
    if isinstance(evaluate, Closed):
        function = evaluate.function(_functions())
        return lambda p: float(function(p, 1 - p))
    if isinstance(evaluate, Listed):
        doubles, values = evaluate.doubles.tolist()[:-1], evaluate.values.tolist()
        return lambda p: values[bisect_left(doubles, p)]
    assert isinstance(evaluate, Table)
    return _of_table(evaluate)


def _of_table(table: Table) -> AtOne:
    at, distance, (end, loses) = _at_distance(table), _distance(table), (table.end, table.loses)

    def value(p: float) -> float:
        x = distance(p)
        return at(x, end.lost(p, x) if loses else 0.0)

    return value


def _of_inner_table(table: Table) -> AtLogit:
    """Return a function of a logit, whose distance from an inner end p does not tell."""
    at, end, least = _at_distance(table), table.end, 0.0 if table.variable is LOG else TINY

    def value(logit: float, p: float, rest: float) -> float:
        longer = end.distance_of_logits(logit + long_zero())
        x = float(longer)
        return at(x, float(longer - x)) if x >= least else _left_to_arrays(logit, p, rest)

    return value


def _at_distance(table: Table) -> Callable[[float, float], float]:
    """Return a function of a distance and what it has lost."""
    place, loses, floats, at_end, bottom = _place(table), table.loses, _floats(), table.at_end, table.bottom

    def value(x: float, lost: float) -> float:
        if 0 <= x <= bottom:
            return at_end
        z, _, (coefficients, _, _, power, shift, lift) = place(x)
        found = 0.0
        for coefficient in coefficients:
            found = found * z + coefficient
        if power:
            found = times_power(found, x, power, shift, lift, floats)
        return found * (1 + power * lost / x) if loses else found

    return value


def _distance(table: Table) -> AtOne:
    return (lambda p: 1 - p) if table.is_from_one else table.end.distance


def _with_slope(table: Table) -> Callable[[float], tuple[float, float, float]]:
    """Return a function of p: the value, its derivative in log p, and the value were no coefficient negative.

    Distances are those from 0 or 1.
    """
    place, distance, side, floats = _place(table), _distance(table), table.end.side, _floats()

    def found(p: float) -> tuple[float, float, float]:
        x = distance(p)
        z, stretched, (coefficients, scale, size, power, shift, lift) = place(x)
        value = slope = 0.0
        for coefficient in coefficients:
            slope = slope * z + value
            value = value * z + coefficient
        plain = times_power(value, x, power, shift, lift, floats) if power else value
        factor = plain / value
        return plain, side * p / x * (power * plain + slope * scale * stretched * factor), size * factor

    return found


Row = tuple[
    list[float], float, float, float, int, int
]  # of a panel: coefficients, scale, size; power, shift, lift


def _place(table: Table) -> Callable[[float], tuple[float, float, Row]]:
    """Return a function of a distance x: the place on its panel, ``dt/dlog(x)`` of the variable t, and the panel."""
    is_log, is_root, bottom = table.variable is LOG, table.variable is ROOT, table.bottom
    variable, exp = _functions().get(table.variable.function, float), _functions()["exp"]
    edges, centres, scales = table.edges.tolist(), table.centres.tolist(), table.scales.tolist()
    sizes = abs(table.coefficients).sum(axis=0)
    parts = (table.coefficients.T, table.scales, sizes, table.powers, table.shifts, table.lifts)
    rows: list[Row] = [
        (_without_leading_zeros(coefficients), *others)
        for coefficients, *others in zip(*(part.tolist() for part in parts), strict=True)
    ]

    def place(x: float) -> tuple[float, float, Row]:
        if x <= bottom:
            raise ArithmeticError  # the end itself
        t = variable(x)
        off = _rounded_off(x, exp(t)) if is_log and x > FULL else 0.0
        index = bisect_left(edges, t)
        stretched = 1.0 if is_log else t / 2 if is_root else x
        return (t - centres[index] + off) * scales[index], stretched, rows[index]

    return place


def _without_leading_zeros(coefficients: list[float]) -> list[float]:
    return list(itertools.dropwhile(lambda coefficient: coefficient == 0, coefficients))


def _rounded_off(x: float, near: float) -> float:
    return (x - near) / near


@functools.cache
def _functions() -> dict[str, Any]:
    """Return the functions of programs: those of NumPy, as others may have another last bit, for Python's numbers."""
    found = {name: _quiet(getattr(np, name)) for name in NAMES.values() if name not in LOGARITHMS}
    log, log1p = _of_floats(np.log, math.log, _sizes()), _of_floats(np.log1p, math.log1p, -_parts())
    return found | {
        "log": log,
        "log_p": lambda p, _: log(p),
        "log_r": lambda p, _: log1p(-p),
        "sqrt": math.sqrt,
        "exp": _of_floats(np.exp, math.exp, 1400 * _parts() - 700),
        "power": _of_floats(np.power, math.pow, _sizes(), 3 * _parts()),
    }


def _of_floats(
    function: Callable[..., Any], plain: Callable[..., float], *samples: Array
) -> Callable[..., float]:
    """Return Python's function if it has the bits of NumPy's: not where processors compute several numbers at once.

    It takes a tenth of the time. Where it has no number it raises an error.
    """
    agrees = list(map(plain, *map(np.ndarray.tolist, samples))) == function(*samples).tolist()
    return plain if agrees else _quiet(function)


def _parts() -> Array:
    """Return numbers between 0 and 1 that follow no pattern: of functions with other last bits, one in ten differs."""
    return np.asarray((np.arange(1, SAMPLES) * GOLDEN) % 1)


def _sizes() -> Array:
    return np.asarray(np.exp2(600 * _parts() - 300) * (1 + _parts()[::-1]))


@functools.cache
def _floats() -> SimpleNamespace:
    """Return what the power of a table takes of a number."""
    return SimpleNamespace(ldexp=math.ldexp, power=_functions()["power"], sqrt=math.sqrt)


def _quiet(function: Callable[..., Any]) -> Callable[..., float]:
    """Return a function that is silent where a number is beyond the range of doubles."""

    def found(*arguments: float) -> float:
        with np.errstate(all="ignore"):
            return float(function(*arguments))

    return found
