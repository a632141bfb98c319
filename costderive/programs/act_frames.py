"""The frames of programs that decide and score by a cost matrix, one for each language.

Acts are compared by their costs beyond the least one of each class. That changes no decision, and no term of an
expected cost is negative then, so that acts which cost the same differ by a few roundings, and the first is taken.
"""

from __future__ import annotations

from costderive.programs.class_frames_python import PYTHON
from costderive.programs.languages.c import NO_FAST_MATH

_C = (
    f"""
#include <math.h>

{NO_FAST_MATH}"""
    """\

enum { CLASSES = $classes, ACTS = $acts };
static const double TIED = $tied; /* what differs by no more is rounding */
static const double COSTS[CLASSES][ACTS] = {
$costs
};
static const double BEYOND[CLASSES][ACTS] = { /* the least cost of each class */
$beyond
};

/* Return the act, from 0, that costs least at the probabilities p of all classes, or -1 if they are none. */
int act(const double *p)
{
    double sum = 0.0, least = INFINITY, expected[ACTS] = {0.0};
    for (int i = 0; i < CLASSES; i++) {
        if (!(p[i] >= 0.0)) return -1;
        sum += p[i];
        for (int j = 0; j < ACTS; j++) expected[j] += p[i] * BEYOND[i][j];
    }
    if (!(fabs(sum - 1.0) <= 1e-5)) return -1;
    for (int j = 0; j < ACTS; j++) least = fmin(least, expected[j]);
    int j = 0;
    while (!(expected[j] <= TIED * least)) j++;
    return j;
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
    if (classes != CLASSES || y < 0 || y >= CLASSES) return NAN;
    const int taken = act(p);
    return taken < 0 ? NAN : COSTS[y][taken];
}
"""
)
_JS = """
const TIED = $tied; // what differs by no more is rounding
const COSTS = [
$costs
];
const BEYOND = [ // the least cost of each class
$beyond
];

/** Return the act that costs least at an array p of the probabilities of all classes, or NaN if they are none. */
export function act(p) {
  const sum = p.reduce((total, q) => total + q, 0);
  if (p.length !== $classes || !p.every((q) => q >= 0) || !(Math.abs(sum - 1) <= 1e-5)) return NaN;
  const expected = BEYOND[0].map((_, j) => p.reduce((total, q, i) => total + q * BEYOND[i][j], 0));
  const least = Math.min(...expected);
  return expected.findIndex((cost) => cost <= TIED * least);
}

/** Return the loss of a row: its class y, from 0 to $last, and an array p of the probabilities of all classes. */
export function loss(y, p) {
  const taken = act(p);
  return Number.isInteger(y) && y >= 0 && y < $classes && taken >= 0 ? COSTS[y][taken] : NaN;
}
"""
_R = """
TIED <- $tied  # what differs by no more is rounding
COSTS <- rbind(
$costs
)
BEYOND <- rbind(  # the least cost of each class
$beyond
)

# Return the act of each row, from 0, that costs least: p is a matrix with the probabilities of all classes.
act <- function(p) {
  p <- as.matrix(p)
  stopifnot(ncol(p) == $classes, p >= 0, abs(rowSums(p) - 1) <= 1e-5)
  apply(p %*% BEYOND, 1, function(expected) which(expected <= TIED * min(expected))[1]) - 1
}

# Return the loss of each row: classes y from 0 to $last, and a matrix p with the probabilities of all classes.
loss <- function(y, p) {
  stopifnot(length(y) == nrow(as.matrix(p)), y %in% 0:$last)
  COSTS[cbind(y + 1, act(p) + 1)]
}
"""
_NUMPY = (
    '''
import numpy as np

TIED = $tied  # what differs by no more is rounding
COSTS = np.array([
$costs
])
BEYOND = np.array([  # the least cost of each class
$beyond
])


def decide(p):
    """Return the act of each row, shape (n,), that costs least at probabilities of shape (n, $classes)."""
    expected = _probabilities(p) @ BEYOND
    return (expected <= TIED * expected.min(axis=1, keepdims=True)).argmax(axis=1)


def losses(p):
    """Return the loss of each class, of the same shape (n, $classes) as the probabilities of the classes."""
    return COSTS.T[decide(p)]

'''
    + PYTHON
)
_SQL = """
SELECT decided.*, $loss AS loss
FROM (
    SELECT compared.*, $act AS act
    FROM (
        SELECT expected.*,
            CASE WHEN $are_chances
            THEN $tied * LEAST($names) END AS least_cost
        FROM (
            SELECT predictions.*,
$expected
            FROM predictions
        ) AS expected
    ) AS compared
) AS decided
"""
ACT_FRAMES = {"c": _C, "javascript": _JS, "numpy": _NUMPY, "r": _R, "sql": _SQL}
ROWS = {  # how a row of a matrix is written
    "c": "    {{{}}},",
    "javascript": "  [{}],",
    "numpy": "    [{}],",
    "r": "  c({}),",
    "sql": "{}",
}
ACT_NOTES = {
    "c": "NaN is the loss of what is not a label, or not a row of probabilities.\nC99: link with -lm.",
    "javascript": "NaN is the loss of what is not a label, or not a row of probabilities.",
    "numpy": "A ValueError is raised for what is not a label, or not a row of probabilities.",
    "r": "An error is raised for what is not a label, or not a row of probabilities.",
    "sql": "It is a query over a table predictions with labels y from 0 and columns p0, p1, ... of probabilities,\n"
    "one for each class. NULL is the loss of what is none of these.",
}
