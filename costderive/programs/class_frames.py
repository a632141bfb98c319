"""The frames of programs with the losses of K classes, one pair for each language.

A rule of an entropy is a function ``own`` of the probability x of the class and of the sum t of ``inner`` over all
classes. That of costs uniform on (0, end) is the sum that `multiclass.row_losses` describes, written in logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass

from costderive.programs.class_frames_python import (
    JAX_ENDS,
    JAX_SUM,
    LIGHTGBM_ENDS,
    LIGHTGBM_SUM,
    NUMPY_ENDS,
    NUMPY_SUM,
    TORCH_ENDS,
    TORCH_SUM,
    XGBOOST_ENDS,
    XGBOOST_SUM,
)
from costderive.programs.languages.c import NO_FAST_MATH

C_CHECK = """\
    double sum = 0.0;
    if (y < 0 || y >= classes) return NAN;
    for (int j = 0; j < classes; j++) {
        if (!(p[j] >= 0.0 && p[j] <= 1.0)) return NAN;
        sum += p[j];
    }
    if (!(fabs(sum - 1.0) <= 1e-5)) return NAN;
"""
_C_SUM = (
    f"""
#include <math.h>

{NO_FAST_MATH}"""
    """\

static double inner(double x)
{
    (void)x;
    return x > 0.0 ? $inner : $inner_at_zero;
}

/* Return the loss of a row: its class y, from 0 to classes - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
    double t = 0.0;
"""
    + C_CHECK
    + """\
    for (int j = 0; j < classes; j++) t += inner(p[j] / sum);
    const double x = p[y] / sum;
    return x > 0.0 ? $own : $own_at_zero;
}
"""
)
_C_ENDS = (
    f"""
#include <math.h>
#include <stdlib.h>

{NO_FAST_MATH}"""
    """\

enum { CLASSES = $classes };
static const double SCALE = $scale;
static const double ENDS[CLASSES] = {$ends}; /* of the costs of the classes */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
"""
    + C_CHECK
    + """\
    if (classes != CLASSES) return NAN;
    double shares[CLASSES];
    int n = 0;
    for (int j = 0; j < classes; j++) {
        if (j != y) shares[n++] = log(ENDS[j] / ENDS[y]) + log(fmax(p[j], 1e-300)) - log(fmax(p[y], 1e-300));
    }
    qsort(shares, (size_t)n, sizeof(double), ascending);
    double below = 0.0;
    for (int m = 0; m < n; m++) below -= fmax(shares[m], 0.0);
    double total = exp(2.0 * fmin(shares[n - 1], 0.0)) * (0.5 - exp(below) / 3.0);
    for (int m = n - 2; m >= 0; m--) {
        const double low = fmin(shares[m], 0.0), left = n - m;
        below += (low - fmin(shares[m + 1], 0.0)) * (left - 1.0);
        total += exp(2.0 * low + below) / ((left + 1.0) * (left + 2.0));
    }
    return SCALE * ENDS[y] * total;
}
"""
)
JS_CHECK = """\
  const fits = Number.isInteger(y) && y >= 0 && y < p.length && p.every((q) => q >= 0 && q <= 1);
  const sum = p.reduce((a, q) => a + q, 0);
  if (!fits || !(Math.abs(sum - 1) <= 1e-5)) return NaN;
"""
_JS_SUM = (
    """
const inner = (x) => (x > 0 ? $inner : $inner_at_zero);

/** Return the loss of a row: its class y, from 0 to K - 1, and an array p of the probabilities of all classes. */
export function loss(y, p) {
"""
    + JS_CHECK
    + """\
  const t = p.reduce((total, q) => total + inner(q / sum), 0);
  const x = p[y] / sum;
  return x > 0 ? $own : $own_at_zero;
}
"""
)
_JS_ENDS = (
    """
const SCALE = $scale;
const ENDS = [$ends]; // of the costs of the classes

/** Return the loss of a row: its class y, from 0 to K - 1, and an array p of the probabilities of all classes. */
export function loss(y, p) {
"""
    + JS_CHECK
    + """\
  if (p.length !== ENDS.length) return NaN;
  const logs = p.map((q, j) => Math.log(Math.max(q, 1e-300)) + Math.log(ENDS[j]));
  const shares = logs.map((q) => q - logs[y]).filter((_, j) => j !== y).sort((a, b) => a - b);
  const n = shares.length;
  let below = -shares.reduce((a, s) => a + Math.max(s, 0), 0);
  let total = Math.exp(2 * Math.min(shares[n - 1], 0)) * (0.5 - Math.exp(below) / 3);
  for (let m = n - 2; m >= 0; m -= 1) {
    const low = Math.min(shares[m], 0);
    const left = n - m;
    below += (low - Math.min(shares[m + 1], 0)) * (left - 1);
    total += Math.exp(2 * low + below) / ((left + 1) * (left + 2));
  }
  return SCALE * ENDS[y] * total;
}
"""
)
R_CHECK = """\
  p <- as.matrix(p)
  stopifnot(length(y) == nrow(p), y %in% (seq_len(ncol(p)) - 1), p >= 0, abs(rowSums(p) - 1) <= 1e-5)
"""
_R_SUM = (
    """
# Return the loss of each row: classes y from 0 to K - 1, and a matrix p with the probabilities of all classes.
loss <- function(y, p) {
"""
    + R_CHECK
    + """\
  inner <- function(x) ifelse(x > 0, $inner, $inner_at_zero)
  p <- p / rowSums(p)
  t <- rowSums(matrix(inner(p), nrow(p)))
  x <- p[cbind(seq_along(y), y + 1)]
  ifelse(x > 0, $own, $own_at_zero)
}
"""
)
_R_ENDS = (
    """
SCALE <- $scale
ENDS <- c($ends)  # of the costs of the classes

# Return the loss of each row: classes y from 0 to K - 1, and a matrix p with the probabilities of all classes.
loss <- function(y, p) {
"""
    + R_CHECK
    + """\
  stopifnot(ncol(p) == length(ENDS))
  vapply(seq_along(y), function(row) {
    logs <- log(pmax(p[row, ], 1e-300)) + log(ENDS)
    shares <- sort(logs[-(y[row] + 1)] - logs[y[row] + 1])
    n <- length(shares)
    low <- pmin(shares, 0)
    below <- -sum(pmax(shares, 0))
    total <- exp(2 * low[n]) * (0.5 - exp(below) / 3)
    for (m in rev(seq_len(n - 1))) {
      left <- n - m + 1
      below <- below + (low[m] - low[m + 1]) * (left - 1)
      total <- total + exp(2 * low[m] + below) / ((left + 1) * (left + 2))
    }
    SCALE * ENDS[y[row] + 1] * total
  }, 0)
}
"""
)
_SQL_SUM = """
SELECT * EXCLUDE (shares, x, t), CASE WHEN x > 0 THEN $own WHEN x = 0 THEN $own_at_zero END AS loss
FROM (
    SELECT *, shares[y + 1] AS x,
        list_sum([CASE WHEN x > 0 THEN $inner ELSE $inner_at_zero END FOR x IN shares]) AS t
    FROM (
        SELECT *,
            CASE WHEN abs(list_sum(p) - 1) <= 1e-5 AND list_min(p) >= 0 THEN [q / list_sum(p) FOR q IN p] END AS shares
        FROM predictions
    )
)
"""
# where there are no lists: a row for each class of each case
SQL_LONG = """
SELECT id, y, CASE WHEN x > 0 THEN $own WHEN x = 0 THEN $own_at_zero END AS loss
FROM (
    SELECT id, y, MAX(CASE WHEN label = y THEN share END) AS x,
        SUM(CASE WHEN share > 0 THEN $inner ELSE $inner_at_zero END) AS t
    FROM (
        SELECT id, y, label,
            CASE
                WHEN ABS(SUM(p) OVER (PARTITION BY id) - 1) <= 1e-5 AND MIN(p) OVER (PARTITION BY id) >= 0
                THEN p / SUM(p) OVER (PARTITION BY id)
            END AS share
        FROM predictions
    ) AS shares
    GROUP BY id, y
) AS sums
"""
NOTES_LONG = """\
It is a query over a table predictions with a row for each case and class: id of the case, y its label, and p the
probability of the class label. NULL is the loss of a case whose rows are no probabilities, or none that of y."""


@dataclass(frozen=True, slots=True)
class ClassFrame:
    """The templates of a target: a rule of an entropy, and one of uniform costs, which a target may lack.

    ``has_logarithm`` says that ``log_x`` is the logarithm of x, which is finite where x underflows.
    """

    of_sum: str
    of_ends: str | None
    notes: str
    has_logarithm: bool = False


_ALONE = "A ValueError is raised for what is not a label, or not a row of probabilities."
_SUMS = "A row may miss the sum 1 by 1e-5, as one of single precision does."
_NAN = "NaN is the loss of what is not a label, or not a row of probabilities."
_MARGINS = f"Margins are logits: the probabilities are their softmax.\n{_ALONE}"
_TRAINED = "Labels are not checked. Derivatives are those that the library finds."

FRAMES = {
    "numpy": ClassFrame(NUMPY_SUM, NUMPY_ENDS, _ALONE),
    "c": ClassFrame(
        _C_SUM, _C_ENDS, f"{_NAN}\n{_SUMS}\nC99: link with -lm, and do not compile with -ffast-math."
    ),
    "javascript": ClassFrame(_JS_SUM, _JS_ENDS, f"{_NAN}\n{_SUMS}"),
    "r": ClassFrame(
        _R_SUM,
        _R_ENDS,
        f"An error is raised for what is not a label, or not a row of probabilities.\n{_SUMS}",
    ),
    "sql": ClassFrame(
        _SQL_SUM,
        None,
        "For DuckDB: a table predictions with labels y from 0 to K - 1, and lists p of probabilities.\n"
        "NULL is the loss of what is none of these.",
    ),
    "pytorch": ClassFrame(TORCH_SUM, TORCH_ENDS, _TRAINED, has_logarithm=True),
    "jax": ClassFrame(JAX_SUM, JAX_ENDS, _TRAINED, has_logarithm=True),
    "lightgbm": ClassFrame(LIGHTGBM_SUM, LIGHTGBM_ENDS, _MARGINS),
    "xgboost": ClassFrame(XGBOOST_SUM, XGBOOST_ENDS, _MARGINS),
}
