"""R: functions of vectors."""

from __future__ import annotations

from costderive.programs.languages.language import Language

R = Language(
    names={
        "sqrt": "sqrt",
        "log": "log",
        "log_p": "log({0})",
        "log_r": "log1p(-{0})",
        "exp": "exp",
        "arcsin": "asin",
        "arccos": "acos",
        "arctan": "atan",
        "arctan2": "atan2",
        "arcsinh": "asinh",
        "arccosh": "acosh",
        "power": "({0})^({1})",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "polynomial({table}, {p}, {0})",
    },
    comment=("", "# ", ""),
    outside="NaN is the loss of what is not a probability, or is missing.",
    function="""\
# Return $about.
$name <- function(p) {
  by_piece(p, ends = c($ends), at_zero = $at_zero, at_one = $at_one, formulas = list(
$branches
  ))
}
""",
    branch="    function(p, r) {value},",
    last="    function(p, r) {value}",
    piece="$name <- function($parameters) {\n$steps\n  $value\n}\n\n",
    call="{name}({arguments})",
    step="  {name} <- {value}",
    table="$name <- matrix(c(\n$rows\n), ncol = $width, byrow = TRUE)\n\n",
    brackets=("", ""),
    infinity="Inf",
    nan="NaN",
    helpers={
        "polynomial": """\
# Return the polynomial of the first row that ends at or above p. A row is its end, centre, scale and
# coefficients from the highest.
polynomial <- function(rows, p, z) {
  row <- rows[findInterval(p, rows[, 1], left.open = TRUE) + 1, , drop = FALSE]
  z <- (z - row[, 2]) * row[, 3]
  value <- row[, 4]
  for (k in seq_len(ncol(row))[-(1:4)]) value <- value * z + row[, k]
  value
}

"""
    },
    frame="""\
$tables$helpers$pieces# Apply each formula from the end of the one before it, exclusive, to its own end, inclusive.
by_piece <- function(p, ends, at_zero, at_one, formulas) {
  loss <- rep(NaN, length(p))
  low <- 0
  for (k in seq_along(ends)) {
    here <- which(low < p & p <= ends[k] & p < 1)
    loss[here] <- formulas[[k]](p[here], 1 - p[here])
    low <- ends[k]
  }
  loss[which(p == 0)] <- at_zero
  loss[which(p == 1)] <- at_one
  loss
}

$functions
# Return the loss of each probability p of class 1 if the class is y, 0 or 1.
loss <- function(y, p) {
  ifelse(y == 1, loss1(p), ifelse(y == 0, loss0(p), NaN))
}
""",
)
