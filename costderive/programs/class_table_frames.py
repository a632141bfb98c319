"""The frames of programs with losses of K classes by sums over tables, one for each language; see `class_tables`.

Tables have a row of coefficients, the lowest power first, for each piece between two ends; those before the first cost
and behind the last one are constants. Shorter tables are filled up with pieces of no length.
"""

from __future__ import annotations

from costderive.programs.class_frames import C_CHECK, JS_CHECK, R_CHECK
from costderive.programs.class_frames_python import JAX, LIGHTGBM, OBJECTIVE, PYTHON, TORCH, XGBOOST
from costderive.programs.languages.c import NO_FAST_MATH

_C = (
    f"""
#include <math.h>
#include <stdlib.h>

{NO_FAST_MATH}"""
    """\

enum { CLASSES = $classes, LAWS = $count, NODES = $nodes, MARKS = $marks_count, MASSES = $masses_count };
enum { CHANCES = $chances_count, CHANCE_POWERS = $chance_width, PARTS = $parts_count, PART_POWERS = $part_width };
static const double SCALE = $scale;
static const int LAW[CLASSES] = {$laws}; /* classes of the same number have the same law of costs */
static const double NODE[NODES] = {$places};
static const double WEIGHT[NODES] = {$weights};
static const double MARK[LAWS][MARKS] = $marks; /* where a law changes */
static const double MASS[LAWS][MASSES][2] = $masses; /* costs with a probability, and this */
static const double CHANCE_END[LAWS][CHANCES + 1] = $chance_ends;
static const double CHANCE[LAWS][CHANCES][CHANCE_POWERS] = $chances; /* P(cost > x) */
static const double PART_END[LAWS][PARTS + 1] = $part_ends;
static const double PART[LAWS][PARTS][PART_POWERS] = $parts; /* x times the density */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the value of a table at x; at an end that of the piece behind it, or of the one before it. */
static double value(const double *ends, const double *rows, int pieces, int powers, double x, int before)
{
    int low = 0, high = pieces;
    if (x > $farthest) x = $farthest;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (ends[middle] < x || (ends[middle] == x && !before)) low = middle;
        else high = middle;
    }
    const double t = (2.0 * x - ends[low] - ends[low + 1]) / (ends[low + 1] - ends[low]);
    double found = 0.0;
    for (int k = powers - 1; k >= 0; k--) found = found * t + rows[low * powers + k];
    return found;
}

/* Return the chance that some other class weighs more than class y at the cost x; a tie is won by the lower class. */
static double unchosen(int y, const double *shares, double x)
{
    double found = 0.0;
    for (int j = 0; j < CLASSES; j++) {
        if (j == y) continue;
        const int law = LAW[j];
        const double more = value(CHANCE_END[law], CHANCE[law][0], CHANCES, CHANCE_POWERS, x / shares[j], j < y);
        found += more - found * more;
    }
    return found;
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
"""
    + C_CHECK
    + """\
    if (classes != CLASSES) return NAN;
    const int law = LAW[y];
    const double *cuts = PART_END[law] + 1;
    double shares[CLASSES], ends[PARTS + CLASSES * MARKS], total = 0.0;
    int n = 0;
    for (int k = 0; k < PARTS - 1; k++) ends[n++] = cuts[k];
    for (int j = 0; j < CLASSES; j++) {
        shares[j] = fmax(p[j], $least) / fmax(p[y], $least);
        for (int k = 0; k < MARKS && j != y; k++) {
            const double end = shares[j] * MARK[LAW[j]][k];
            if (end > cuts[0] && end < cuts[PARTS - 2]) ends[n++] = end;
        }
    }
    qsort(ends, (size_t)n, sizeof(double), ascending);
    for (int k = 0; k + 1 < n; k++) {
        const double half = (ends[k + 1] - ends[k]) / 2.0, middle = ends[k] + half;
        for (int q = 0; q < NODES && half > 0.0; q++) {
            const double x = middle + half * NODE[q];
            const double part = value(PART_END[law], PART[law][0], PARTS, PART_POWERS, x, 0);
            total += half * WEIGHT[q] * part * unchosen(y, shares, x);
        }
    }
    for (int k = 0; k < MASSES; k++) {
        const double x = MASS[law][k][0];
        if (x > 0.0) total += x * MASS[law][k][1] * unchosen(y, shares, x);
    }
    return SCALE * total;
}
"""
)
_JAVASCRIPT = (
    """
const SCALE = $scale;
const LAWS = [$laws]; // classes of the same number have the same law of costs
const NODES = [$places];
const WEIGHTS = [$weights];
const MARKS = $marks; // where a law changes
const MASSES = $masses; // costs with a probability, and this
const CHANCE_ENDS = $chance_ends;
const CHANCES = $chances; // P(cost > x)
const PART_ENDS = $part_ends;
const PARTS = $parts; // x times the density

/** Return the value of a table at x; at an end that of the piece behind it, or of the one before it. */
function valueOf(ends, rows, place, before) {
  const x = Math.min(place, $farthest);
  let low = 0;
  let high = rows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ends[middle] < x || (ends[middle] === x && !before)) low = middle;
    else high = middle;
  }
  const t = (2 * x - ends[low] - ends[low + 1]) / (ends[low + 1] - ends[low]);
  return rows[low].reduceRight((found, coefficient) => found * t + coefficient, 0);
}

/** Return the chance that some other class weighs more than class y at the cost x; a tie is won by the lower class. */
function unchosen(y, shares, x) {
  return shares.reduce((found, share, j) => {
    if (j === y) return found;
    const more = valueOf(CHANCE_ENDS[LAWS[j]], CHANCES[LAWS[j]], x / share, j < y);
    return found + more - found * more;
  }, 0);
}

/** Return the loss of a row: its class y, from 0 to K - 1, and an array p of the probabilities of all classes. */
export function loss(y, p) {
"""
    + JS_CHECK
    + """\
  if (p.length !== LAWS.length) return NaN;
  const law = LAWS[y];
  const shares = p.map((q) => Math.max(q, $least) / Math.max(p[y], $least));
  const cuts = PART_ENDS[law].slice(1, -1);
  const marks = shares.flatMap((share, j) => (j === y ? [] : MARKS[LAWS[j]].map((mark) => share * mark)));
  const inside = marks.filter((mark) => mark > cuts[0] && mark < cuts[cuts.length - 1]);
  const ends = [...cuts, ...inside].sort((a, b) => a - b);
  let total = 0;
  for (let k = 0; k + 1 < ends.length; k += 1) {
    const half = (ends[k + 1] - ends[k]) / 2;
    for (let q = 0; q < NODES.length && half > 0; q += 1) {
      const x = ends[k] + half + half * NODES[q];
      total += half * WEIGHTS[q] * valueOf(PART_ENDS[law], PARTS[law], x, false) * unchosen(y, shares, x);
    }
  }
  for (const [x, chance] of MASSES[law]) total += x > 0 ? x * chance * unchosen(y, shares, x) : 0;
  return SCALE * total;
}
"""
)
_R = (
    """
SCALE <- $scale
LAWS <- c($laws) + 1  # classes of the same number have the same law of costs
NODES <- c($places)
WEIGHTS <- c($weights)
MARKS <- $marks  # where a law changes
MASSES <- $masses  # costs with a probability, and this
CHANCE_ENDS <- $chance_ends
CHANCES <- $chances  # P(cost > x)
PART_ENDS <- $part_ends
PARTS <- $parts  # x times the density

# Return the values of a table at x; at an end those of the piece behind it, or of the one before it.
value <- function(ends, rows, x, before = FALSE) {
  x <- pmin(x, $farthest)
  piece <- findInterval(x, ends, left.open = before)
  t <- (2 * x - ends[piece] - ends[piece + 1]) / (ends[piece + 1] - ends[piece])
  found <- 0
  for (k in rev(seq_len(ncol(rows)))) found <- found * t + rows[piece, k]
  found
}

# Return the chance that some other class weighs more than class y at costs x; a tie is won by the lower class.
unchosen <- function(y, shares, x) {
  found <- 0
  for (j in setdiff(seq_along(LAWS), y)) {
    more <- value(CHANCE_ENDS[[LAWS[j]]], CHANCES[[LAWS[j]]], x / shares[j], j < y)
    found <- found + more - found * more
  }
  found
}

# Return the loss of each row: classes y from 0 to K - 1, and a matrix p with the probabilities of all classes.
loss <- function(y, p) {
"""
    + R_CHECK
    + """\
  stopifnot(ncol(p) == length(LAWS))
  vapply(seq_along(y), function(row) {
    own <- y[row] + 1
    law <- LAWS[own]
    shares <- pmax(p[row, ], $least) / max(p[row, own], $least)
    cuts <- PART_ENDS[[law]][-c(1, length(PART_ENDS[[law]]))]
    marks <- unlist(lapply(seq_along(LAWS)[-own], function(j) shares[j] * MARKS[[LAWS[j]]]))
    ends <- unique(sort(c(cuts, marks[marks > cuts[1] & marks < cuts[length(cuts)]])))
    halves <- rep(diff(ends) / 2, each = length(NODES))
    x <- rep(ends[-length(ends)], each = length(NODES)) + halves + halves * NODES
    total <- sum(halves * WEIGHTS * value(PART_ENDS[[law]], PARTS[[law]], x) * unchosen(own, shares, x))
    masses <- MASSES[[law]][MASSES[[law]][, 1] > 0, , drop = FALSE]
    SCALE * (total + sum(masses[, 1] * masses[, 2] * unchosen(own, shares, masses[, 1])))
  }, 0)
}
"""
)
_NUMBERS = """\
SCALE = $scale
LAWS = [$laws]  # classes of the same number have the same law of costs
NODES = $array([$places])
WEIGHTS = $array([$weights])
MARKS = $array($marks)  # where a law changes
MASSES = $array($masses)  # costs with a probability, and this
CHANCE_ENDS = $array($chance_ends)
CHANCES = $array($chances)  # P(cost > x)
PART_ENDS = $array($part_ends)
PARTS = $array($parts)  # x times the density
"""
_NUMPY = (
    """
import numpy as np

"""
    + _NUMBERS
    + '''

def losses(p):
    """Return the loss of each class, of the same shape (n, $classes) as the probabilities of the classes."""
    p = np.maximum(_probabilities(p), $least)
    return np.stack([_in_blocks(_losses, p, label) for label in range(len(LAWS))], axis=1)


def _in_blocks(function, p, label):
    """Return a function of shares p_j/p_label, for not too many rows at once."""
    shares = p / p[:, [label]]
    return np.concatenate([function(shares[start : start + 64], label) for start in range(0, len(p), 64)])


def _losses(shares, label):
    x, weights = _nodes(shares, label)
    found = (weights * _unchosen(shares, label, x)).sum(axis=1)
    for cost, chance in MASSES[LAWS[label]]:
        at = np.full((len(shares), 1), cost)
        found = found + (cost * chance * _unchosen(shares, label, at)[:, 0] if cost > 0 else 0.0)
    return SCALE * found


def _nodes(shares, label):
    """Return costs of a class, of shape (n, m), and their weights: x times the density, times lengths."""
    cuts = PART_ENDS[LAWS[label]][1:-1]
    marks = [shares[:, [j]] * MARKS[law] for j, law in enumerate(LAWS) if j != label]
    ends = np.concatenate([np.tile(cuts, (len(shares), 1)), *marks], axis=1)
    ends = np.sort(np.clip(ends, cuts[0], cuts[-1]), axis=1)
    halves = np.diff(ends)[:, :, None] / 2
    x = ends[:, :-1, None] + halves + halves * NODES
    parts = halves * WEIGHTS * _value(PART_ENDS[LAWS[label]], PARTS[LAWS[label]], x)
    return x.reshape(len(x), -1), parts.reshape(len(x), -1)


def _unchosen(shares, label, x):
    """Return the chance that some other class weighs more at costs; a tie is won by the lower class."""
    found = np.zeros(x.shape)
    for j, law in enumerate(LAWS):
        if j != label:
            side = "left" if j < label else "right"
            more = _value(CHANCE_ENDS[law], CHANCES[law], x / shares[:, [j]], side)
            found += more - found * more
    return found


def _value(ends, rows, x, side="right"):
    """Return the values of a table; at an end those of the piece behind it, or of the one to its left."""
    x = np.minimum(x, $farthest)
    piece = np.searchsorted(ends, x, side) - 1
    low, high = ends[piece], ends[piece + 1]
    t, found = (2 * x - low - high) / (high - low), np.zeros(x.shape)
    for column in rows.T[::-1]:
        found = found * t + column[piece]
    return found

'''
    + PYTHON
)
_DERIVATIVES = '''

def _derivatives(p, y):
    """Return the slopes in the margins of the losses of rows, and curvatures of their mean.

    The slopes of a loss add up to 0. So do those of the mean of the losses, which p weighs, and all slopes of these.
    """
    p = np.maximum(p, $least)
    gradient, curvature = np.empty(p.shape), np.empty(p.shape)
    for label in range(len(LAWS)):
        slopes = _in_blocks(_slopes, p, label)
        gradient[y == label] = slopes[y == label]
        curvature[:, label] = -p[:, label] * slopes[:, label]
    return gradient, curvature


def _slopes(shares, label):
    x, weights = _nodes(shares, label)
    others = [j for j in range(len(LAWS)) if j != label]
    below = {j: 1 - _value(CHANCE_ENDS[LAWS[j]], CHANCES[LAWS[j]], x / shares[:, [j]]) for j in others}
    found = np.zeros(shares.shape)
    for j in others:
        chosen = np.prod([below[k] for k in others if k != j], axis=0)
        part = _value(PART_ENDS[LAWS[j]], PARTS[LAWS[j]], x / shares[:, [j]])
        found[:, j] = SCALE * (weights * part * chosen).sum(axis=1)
    found[:, label] = -found.sum(axis=1)
    return found
'''
_TO_TENSOR = """\
def _array(values):
    return torch.tensor(values, dtype=torch.float64)


"""
_TORCH = (
    TORCH.replace("$constants", _TO_TENSOR + _NUMBERS + "\n")
    + '''\
def _losses(logarithms, labels):
    at_least = torch.clamp(logarithms.double(), min=$lowest)
    shares, laws = torch.exp(at_least - at_least.gather(1, labels)), torch.tensor(LAWS, device=labels.device)
    own = laws[labels[:, 0]]
    cuts = _at(PART_ENDS, own)[:, 1:-1]
    ends = torch.cat([cuts, (shares[:, :, None] * _at(MARKS, laws)).flatten(1)], dim=1)
    ends = torch.sort(torch.minimum(torch.maximum(ends, cuts[:, :1]), cuts[:, -1:]), dim=1).values
    halves = torch.diff(ends, dim=1)[:, :, None] / 2
    x = (ends[:, :-1, None] + halves + halves * NODES.to(halves.device)).flatten(1)
    weights = (halves * WEIGHTS.to(halves.device)).flatten(1)
    unchosen = torch.zeros_like(x)
    for label, law in enumerate(laws[:, None]):
        share, there = shares[:, label : label + 1], law.expand(len(own))
        more = _value(_at(CHANCE_ENDS, there), _at(CHANCES, there), x / share).masked_fill(labels == label, 0.0)
        unchosen = unchosen + more - unchosen * more
    parts = _value(_at(PART_ENDS, own), _at(PARTS, own), x)
    return (SCALE * (weights * parts * unchosen).sum(dim=1)).to(logarithms.dtype)


def _at(table, laws):
    return table.to(laws.device)[laws]


def _value(ends, rows, x):
    """Return the values of a table for each row."""
    x = torch.clamp(x, max=$farthest)
    piece = torch.searchsorted(ends.contiguous(), x.detach().contiguous(), right=True) - 1
    low, high = ends.gather(1, piece), ends.gather(1, piece + 1)
    t, found = (2 * x - low - high) / (high - low), torch.zeros_like(x)
    for column in reversed(rows.unbind(2)):
        found = found * t + column.gather(1, piece)
    return found
'''
)
_JAX = (
    JAX.replace("$constants", _NUMBERS.replace("LAWS = [$laws]", "LAWS = jnp.array([$laws])") + "\n\n")
    + '''\
def _loss(logarithms, label):
    logarithms = jnp.maximum(logarithms, $lowest if logarithms.dtype == jnp.float64 else -20.7)
    shares, own = jnp.exp(logarithms - logarithms[label]), LAWS[label]
    cuts = PART_ENDS[own, 1:-1]
    ends = jnp.concatenate([cuts, (shares[:, None] * MARKS[LAWS]).ravel()])
    ends = jnp.sort(jnp.clip(ends, cuts[0], cuts[-1]))
    halves = jnp.diff(ends)[:, None] / 2
    x, weights = (ends[:-1, None] + halves + halves * NODES).ravel(), (halves * WEIGHTS).ravel()
    unchosen = jnp.zeros_like(x)
    for j in range(len(LAWS)):
        more = jnp.where(j == label, 0.0, _value(CHANCE_ENDS[LAWS[j]], CHANCES[LAWS[j]], x / shares[j]))
        unchosen = unchosen + more - unchosen * more
    return SCALE * (weights * _value(PART_ENDS[own], PARTS[own], x) * unchosen).sum()


def _value(ends, rows, x):
    """Return the values of a table."""
    x = jnp.minimum(x, $farthest)
    piece = jnp.searchsorted(ends, x, side="right") - 1
    low, high = ends[piece], ends[piece + 1]
    t, found = (2 * x - low - high) / (high - low), jnp.zeros_like(x)
    for k in range(rows.shape[1] - 1, -1, -1):
        found = found * t + rows[piece, k]
    return found
'''
)

FRAMES = {
    "c": _C,
    "javascript": _JAVASCRIPT,
    "r": _R,
    "numpy": _NUMPY,
    "lightgbm": _NUMPY + OBJECTIVE + _DERIVATIVES + LIGHTGBM,
    "xgboost": _NUMPY + OBJECTIVE + _DERIVATIVES + XGBOOST,
    "pytorch": _TORCH,
    "jax": _JAX,
}
ARRAYS = {
    "numpy": "np.array",
    "lightgbm": "np.array",
    "xgboost": "np.array",
    "pytorch": "_array",
    "jax": "jnp.array",
}
