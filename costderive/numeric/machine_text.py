"""The text of a machine program: what stands around the losses, and the shapes of their parts."""

from __future__ import annotations

FRAME = '''"""Written by costderive.numeric.machine_program."""

import math

import numpy as np
from numba import njit
from numpy import {imports}

BLOCK = 512
compiled = njit(error_model="numpy")
inlined = njit(error_model="numpy", inline="always")  # a loop runs in lanes only if it calls nothing
fused = {{"contract"}}  # a product and a sum may be rounded at once: what is bounded stays so
lanes = njit(cache=True, nogil=True, error_model="numpy", fastmath=fused)


@inlined
def log(x):
    """Return the logarithm of x >= 0: fdlibm's, without its branches, so that a loop over it runs in lanes."""
    is_tiny = x < 2.2250738585072014e-308
    bits = np.float64(x * 18014398509481984.0 if is_tiny else x).view(np.int64)
    k = (bits - 0x3FE6A09E667F3BCD) >> 52
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    k = np.float64(k) - (54.0 if is_tiny else 0.0)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    even = w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)
    even = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + even))
    half = 0.5 * f * f
    small = s * (half + odd + even) + k * 1.90821492927058770002e-10
    return k * 6.93147180369123816490e-01 - ((half - small) - f) if x > 0.0 else -np.inf


@inlined
def log_p(p, r):
    return log(p)


@inlined
def log_r(p, r):
    return log(r) + ((1.0 - r) - p) / r if r > 0.0 else -np.inf  # what 1 - p has lost is made good


@compiled
def panel(edges, z):
    low, high = 0, len(edges)
    while low < high:
        middle = (low + high) // 2
        if z > edges[middle]:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def rounded_off(x, t):
    near = exp(t)
    return (x - near) / near if x > {full!r} else 0.0


@compiled
def times_power(value, x, shift, power, lift):
    if abs(power) > {most_factors}:
        count = max(2, math.ceil(abs(power) / {most_power}))
        root = math.ldexp(math.ldexp(x, shift) ** (power / count), lift)
        for _ in range(count):
            value *= root
        return value
    whole = int(power)
    fraction = abs(power - whole)
    if fraction != 0:
        factor = sqrt(x) if fraction == 0.5 else x**fraction
        value = value * factor if power > 0 else value / factor
    for _ in range(abs(whole)):
        value = value * x if power > 0 else value / x
    return value


{functions}

@njit(error_model="numpy", fastmath={{"reassoc"}})
def summed(values):
    """Sum in lanes, each of which adds every so many of the values."""
    total = 0.0
    for i in range(len(values)):
        total += values[i]
    return total


@compiled
def added(total, more):
    """Add to a sum that carries its rounding error (Neumaier)."""
    high, low = total
    new = high + more
    if abs(high) >= abs(more):
        low += (high - new) + more
    else:
        low += (more - new) + high
    return new, low


@lanes
def plain(labels, predictions, panels):
    """Return the sum of the losses, its rounding error, and how many rows are bad."""
    values, total, bad = np.empty(BLOCK), (0.0, 0.0), np.int64(0)
{scratch}
    for start in range(0, len(labels), BLOCK):
        count = min(BLOCK, len(labels) - start)
        ys, given = labels[start : start + count], predictions[start : start + count]
        wrong = np.int64(0)
        for i in range(count):
            p, y = np.float64(given[i]), ys[i]
            is_one = y == 1
            wrong += 1 - np.int64((p >= 0.0) & (p <= 1.0) & ((y == 0) | is_one))
{plain}
        bad += wrong
        total = added(total, summed(values[:count]))
    return total[0], total[1], bad


@lanes
def weighted(labels, predictions, weights, panels):
    """Return the sum of the losses times their weights, that of the weights, and how many rows are bad."""
    values = np.empty(BLOCK)
    total, size, bad = (0.0, 0.0), (0.0, 0.0), np.int64(0)
{scratch}
    for start in range(0, len(labels), BLOCK):
        count = min(BLOCK, len(labels) - start)
        ys, given = labels[start : start + count], predictions[start : start + count]
        ws = weights[start : start + count]
        wrong = np.int64(0)
        for i in range(count):
            p, y, w = np.float64(given[i]), ys[i], np.float64(ws[i])
            is_one = y == 1
            wrong += 1 - np.int64((p >= 0.0) & (p <= 1.0) & ((y == 0) | is_one) & (w >= 0.0) & (w < np.inf))
{weighted}
        bad += wrong
        total, size = added(total, summed(values[:count])), added(size, summed(ws))
    return total[0], total[1], size[0], size[1], bad
'''
# Every loss is short: all are taken for each row, one of them is kept, and only then is divided.
CHOICE = """\
            loss = chosen(p, 1.0 - p, is_one)
"""
BOTH = {
    "scratch": "",
    "plain": CHOICE + "            values[i] = loss\n",
    "weighted": CHOICE + "            values[i] = w * loss\n",
}
# Or most are read from panels, and few are left to the segments.
READ = """\
            x, side = (p, np.int64(0)) if p <= 1.0 - p else (1.0 - p, np.int64({side}))
            x = x if x > {lowest!r} else {lowest!r}
            bits = np.float64(x).view(np.int64)
            place = (bits >> {shift}) - {first} + side + np.int64(is_one) * {both_sides}
            x -= np.int64(bits & {start}).view(np.float64)
            value = panels[place, 0]
{terms}
            values[i] = value
        for i in range(count):
            if values[i] != values[i]:
                p = np.float64(given[i])
                values[i] = segment(p, 1.0 - p, ys[i] == 1)
{times}"""
TIMES = """\
            values[i] *= np.float64(ws[i])
"""
SEGMENT = """

@compiled
def segment(p, r, is_one):
    if is_one:
{one}
{zero}
"""
# Else rows are first sorted by class and segment, so that a loop need not choose.
SCRATCH = """\
    kinds, places = np.empty(BLOCK, dtype=np.int64), np.empty({kinds} + 1, dtype=np.int64)
    ps, shares = np.empty(BLOCK), np.empty(BLOCK)
"""
SORT = """\
            kinds[i] = {kind}
        places[:] = 0
        for i in range(count):
            places[kinds[i] + 1] += 1
        for k in range({kinds}):
            places[k + 1] += places[k]
        for i in range(count):
            place = places[kinds[i]]
            places[kinds[i]] = place + 1
            ps[place] = given[i]
{shares}        first = 0
{loops}"""
LOOP = """\
        for i in range(first, places[{index}]):
            values[i] = {times}{name}(ps[i], 1.0 - ps[i])
        first = places[{index}]
"""
AT_END = """\
    if {place} == 0.0:
        return {value}
"""
CLOSED = """
@compiled
def {name}(p, r):
{first}{body}"""
TABLE = """
{name}_edges = np.array({edges}, dtype=np.float64)
{name}_centres, {name}_scales = np.array({centres}), np.array({scales})
{name}_powers, {name}_shifts, {name}_lifts = np.array({powers}), np.array({shifts}), np.array({lifts})
{name}_coefficients = np.array({coefficients})


@compiled
def {name}(p, r):
{first}    x = {distance}
    if x <= {bottom!r}:
        return {at_end}
    z = {variable}
    k = panel({name}_edges, z)
    z = (z - {name}_centres[k]{rounded_off}) * {name}_scales[k]
    value = {name}_coefficients[k, 0]
    for j in range(1, {terms}):
        value = value * z + {name}_coefficients[k, j]
    return times_power(value, x, {name}_shifts[k], {name}_powers[k], {name}_lifts[k])
"""
SERIES = """

@compiled
def {name}(p, r):
{first}    x = {distance}
    z = ({variable} - ({centre})) * {scale}
    value = {highest}
{terms}
    value = {value}
    return {at_end} if x <= 0.0 else value
"""
LISTED = """
{name}_doubles, {name}_values = np.array({doubles}), np.array({values})


@compiled
def {name}(p, r):
{first}    return {name}_values[min(np.searchsorted({name}_doubles, p), {last})]
"""
