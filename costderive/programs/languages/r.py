"""R: functions of vectors."""

from __future__ import annotations

from costderive.programs.languages.language import Language, ParameterSyntax, like_c

_RESERVED = """
break else for function if in next repeat while TRUE FALSE NULL NA NaN Inf
"""
_BY_PIECE = """\
# Apply each formula from the end of the one before it, exclusive, to its own end, inclusive.
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

"""
_BY_ROW = """\
# Choose in each row; what is given for all rows counts in each.
choose <- function(test, yes, no) {
  n <- max(length(test), length(yes), length(no))
  ifelse(rep_len(test, n), rep_len(yes, n), rep_len(no, n))
}

# Apply the formula of the first end at or above p.
by_piece <- function(p, ends, at_zero, at_one, formulas) {
  inside <- !is.na(p) & p > 0 & p < 1
  x <- ifelse(inside, p, 0.5)
  loss <- NaN
  for (k in rev(seq_along(ends))) loss <- choose(x <= ends[[k]], formulas[[k]](x, 1 - x), loss)
  loss <- choose(inside, loss, NaN)
  choose(p %in% 0, at_zero, choose(p %in% 1, at_one, loss))
}

"""

R = Language(
    names=like_c(
        "",
        both="({0} & {1})",
        either="({0} | {1})",
        choose="choose({0}, {1}, {2})",
        abs="abs",
        power="({0})^({1})",
        erf="(2 * pnorm(sqrt(2) * ({0})) - 1)",
        erfc="(2 * pnorm(-sqrt(2) * ({0})))",
        gamma="gamma",
        beta="beta",
        betainc="(beta({0}, {1}) * incomplete({0}, {1}, {2}, {3}))",
    ),
    comment=("", "# ", ""),
    outside="NaN is the loss of what is not a probability, or is missing.",
    function="""\
# Return $about.
$name <- function(p$given) {
$checks  by_piece(p, ends = $together($ends), at_zero = $at_zero, at_one = $at_one, formulas = list(
$branches
  ))
}
""",
    branch="    function(p, q) {value},",
    last="    function(p, q) {value}",
    piece="$name <- function($parameters) {\n$steps\n  $value\n}\n\n",
    call="{name}({arguments})",
    step="  {name} <- {value}",
    table="$name <- matrix(c(\n$rows\n), ncol = $width, byrow = TRUE)\n\n",
    brackets=("", ""),
    infinity="Inf",
    nan="NaN",
    places={"by_piece": (_BY_PIECE, _BY_ROW), "together": ("c", "list")},
    parameters=ParameterSyntax(
        positive="  p <- choose({0} > 0 & {0} < Inf, p, NaN)\n",
        check="  p <- choose({condition}, p, NaN)\n",
        reserved=frozenset(_RESERVED.split()),
        notes="NaN is also the loss of parameters that break a condition above.\n"
        "They are numbers, or vectors as long as p.",
    ),
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

""",
        "betainc": """\
# Return the regularised incomplete beta function of x = 1 - y, from the nearer end.
incomplete <- function(a, b, x, y) {
  choose(x < 0.5, pbeta(x, a, b), pbeta(y, b, a, lower.tail = FALSE))
}

""",
    },
    frame="""\
$tables$helpers$pieces$by_piece$functions
# Return the loss of each probability p of class 1 if the class is y, 0 or 1.
loss <- function(y, p$given) {
  ifelse(y == 1, loss1(p$passed), ifelse(y == 0, loss0(p$passed), NaN))
}
""",
)
