"""The frames of programs that take one row of K classes, for losses with formulas by the order of marks.

Each has the marks of the laws, and for each order of them a function of the probabilities: classes of the same law are
numbered as their marks appear, so that they need no orders of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from costderive.programs.class_frames import C_CHECK, JS_CHECK, R_CHECK
from costderive.programs.languages.c import NO_FAST_MATH

C_CELLS = (
    f"""
#include <math.h>

{NO_FAST_MATH}"""
    """\

enum { CLASSES = $classes, COUNT = $count, CELLS = $cell_count };
static const int MARKED[COUNT + 1] = {$marked}; /* the classes whose costs have marks */
static const double MARKS[COUNT + 1] = {$marks};
static const int WHICH[COUNT + 1] = {$which}; /* mark of its law it is */
static const int LAWS[CLASSES] = {$laws}; /* classes of the same number have the same law of costs */

$cells

static const struct {
    int labels[COUNT + 1], which[COUNT + 1]; /* an order of the marks that the probabilities weigh */
    double (*loss)(int, const double *);
} ORDERS[CELLS] = {
$orders
};

/* Sort the marks; those that weigh the same stay as they are. */
static void sort(const double *p, int *order)
{
    for (int k = 0; k < COUNT; k++) {
        int at = k;
        for (; at > 0 && p[MARKED[order[at - 1]]] * MARKS[order[at - 1]] > p[MARKED[k]] * MARKS[k]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

/* Number the classes of the same law as their marks appear: place is where each class stands. */
static void number(const int *order, int *place)
{
    int taken[CLASSES] = {0};
    for (int j = 0; j < CLASSES; j++) place[j] = -1;
    for (int k = 0; k < COUNT; k++) {
        const int label = MARKED[order[k]];
        for (int j = 0; j < CLASSES && place[label] < 0; j++) {
            if (LAWS[j] == LAWS[label] && !taken[j]) taken[place[label] = j] = 1;
        }
    }
    for (int j = 0; j < CLASSES; j++) {
        if (place[j] < 0) place[j] = j;
    }
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
"""
    + C_CHECK
    + """\
    if (classes != CLASSES) return NAN;
    double at_least[CLASSES], standing[CLASSES];
    int order[COUNT + 1] = {0}, place[CLASSES];
    for (int j = 0; j < CLASSES; j++) at_least[j] = fmax(p[j], 1e-30);
    sort(at_least, order);
    number(order, place);
    for (int j = 0; j < CLASSES; j++) standing[place[j]] = at_least[j];
    for (int cell = 0; cell < CELLS; cell++) {
        int k = 0;
        while (k < COUNT && ORDERS[cell].labels[k] == place[MARKED[order[k]]]
               && ORDERS[cell].which[k] == WHICH[order[k]]) k++;
        if (k == COUNT) return ORDERS[cell].loss(place[y], standing);
    }
    return NAN;
}
"""
)
JS_CELLS = (
    """
const MARKED = [$marked]; // the classes whose costs have marks
const MARKS = [$marks];
const WHICH = [$which]; // mark of its law it is
const LAWS = [$laws]; // classes of the same number have the same law of costs
const CELLS = { // the losses of the classes, by an order of the marks that the probabilities weigh
$cells
};

/** Return where each class stands when those of the same law are numbered as their marks appear. */
function placesOf(labels) {
  const places = LAWS.map(() => -1);
  for (const label of labels) {
    if (places[label] < 0) places[label] = LAWS.findIndex((law, j) => law === LAWS[label] && !places.includes(j));
  }
  return places.map((place, label) => (place < 0 ? label : place));
}

/** Return the loss of a row: its class y, from 0 to K - 1, and an array p of the probabilities of all classes. */
export function loss(y, p) {
"""
    + JS_CHECK
    + """\
  if (p.length !== LAWS.length) return NaN;
  const atLeast = p.map((q) => Math.max(q, 1e-30));
  const weighed = MARKS.map((mark, k) => atLeast[MARKED[k]] * mark);
  const order = MARKS.map((_, k) => k).sort((a, b) => weighed[a] - weighed[b] || a - b);
  const places = placesOf(order.map((k) => MARKED[k]));
  const standing = [];
  places.forEach((place, label) => {
    standing[place] = atLeast[label];
  });
  return CELLS[order.map((k) => places[MARKED[k]] + ":" + WHICH[k]).join()](standing)[places[y]];
}
"""
)
R_CELLS = (
    """
MARKED <- c($marked)  # the classes whose costs have marks
MARKS <- c($marks)
WHICH <- c($which)  # mark of its law it is
LAWS <- c($laws)  # classes of the same number have the same law of costs
ORDERS <- c($orders)  # of the marks that the probabilities weigh
CELLS <- list(  # the losses of the classes in each order
$cells
)

# Return where each class stands when those of the same law are numbered as their marks appear.
places_of <- function(labels) {
  places <- rep(NA, length(LAWS))
  for (label in unique(labels) + 1) {
    places[label] <- setdiff(which(LAWS == LAWS[label]), places)[1]
  }
  ifelse(is.na(places), seq_along(LAWS), places)
}

# Return the loss of each row: classes y from 0 to K - 1, and a matrix p with the probabilities of all classes.
loss <- function(y, p) {
"""
    + R_CHECK
    + """\
  stopifnot(ncol(p) == length(LAWS))
  vapply(seq_along(y), function(row) {
    at_least <- pmax(p[row, ], 1e-30)
    order <- order(at_least[MARKED + 1] * MARKS)
    places <- places_of(MARKED[order])
    cell <- match(paste(places[MARKED[order] + 1] - 1, WHICH[order], sep = ":", collapse = ","), ORDERS)
    CELLS[[cell]](at_least[order(places)])[places[y[row] + 1]]
  }, 0)
}
"""
)

Orders = Sequence[
    Sequence[tuple[int, int]]
]  # of marks: a place of a class, and the number of a mark of its law
Losses = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class RowFrame:
    """A template, and how a language writes cells and their orders.

    ``first`` is the index of the first element of an array, ``nothing`` what stands in a list without elements.
    """

    text: str
    first: int
    nothing: str
    cells: Callable[[Orders, Losses], str]
    orders: Callable[[Orders], str]


def _c_cells(orders: Orders, losses: Losses) -> str:
    del orders
    return "\n\n".join(map(_c_cell, range(len(losses)), losses))


def _c_cell(number: int, losses: Sequence[str]) -> str:
    cases = "\n".join(f"    case {label}: return {loss};" for label, loss in enumerate(losses))
    head = f"static double cell{number}(int y, const double *p)\n{{\n    (void)p;\n    switch (y) {{"
    return f"{head}\n{cases}\n    default: return NAN;\n    }}\n}}"


def _c_orders(orders: Orders) -> str:
    rows = ["0"], ["0"]
    columns = [
        tuple(list(map(str, column)) for column in zip(*order, strict=True)) if order else rows
        for order in orders
    ]
    return "\n".join(
        f"    {{{{{', '.join(labels)}}}, {{{', '.join(which)}}}, cell{number}}},"
        for number, (labels, which) in enumerate(columns)
    )


def _named(order: Sequence[tuple[int, int]]) -> str:
    return '"' + ",".join(f"{label}:{which}" for label, which in order) + '"'


def _js_cells(orders: Orders, losses: Losses) -> str:
    return "\n".join(
        f"  {_named(order)}: (p) => [{', '.join(own)}]," for order, own in zip(orders, losses, strict=True)
    )


def _r_cells(orders: Orders, losses: Losses) -> str:
    del orders
    return ",\n".join(f"  function(p) c({', '.join(own)})" for own in losses)


def _names(orders: Orders) -> str:
    return ", ".join(map(_named, orders))


ROW_BY_ROW = {
    "c": RowFrame(C_CELLS, 0, "0", _c_cells, _c_orders),
    "javascript": RowFrame(JS_CELLS, 0, "", _js_cells, _names),
    "r": RowFrame(R_CELLS, 1, "", _r_cells, _names),
}
