"""JavaScript, as a module."""

from __future__ import annotations

from costderive.programs.languages.language import Language

JAVASCRIPT = Language(
    names={
        "sqrt": "Math.sqrt",
        "log": "Math.log",
        "log_p": "Math.log({0})",
        "log_r": "Math.log1p(-{0})",
        "exp": "Math.exp",
        "arcsin": "Math.asin",
        "arccos": "Math.acos",
        "arctan": "Math.atan",
        "arctan2": "Math.atan2",
        "arcsinh": "Math.asinh",
        "arccosh": "Math.acosh",
        "power": "Math.pow",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "polynomial({table}, {p}, {0})",
    },
    comment=("/**\n", " * ", "\n */"),
    outside="NaN is the loss of what is not a probability.",
    function="""\
/** Return $about. */
export function $name(p) {
$complement  if (!(p >= 0 && p <= 1)) return NaN;
  if (p === 0) return $at_zero;
  if (p === 1) return $at_one;
$branches
}
""",
    branch="  if (p <= {high}) return {value};",
    last="  return {value};",
    piece="function $name($parameters) {\n$steps\n  return $value;\n}\n\n",
    call="{name}({arguments})",
    step="  const {name} = {value};",
    table="const $name = [\n$rows,\n];\n\n",
    complement="  const r = 1 - p;\n",
    infinity="Infinity",
    nan="NaN",
    helpers={
        "polynomial": """\
/** Return the polynomial of the first row that ends at or above p: [end, centre, scale, highest, ...]. */
function polynomial(rows, p, z) {
  const row = rows.find(([end]) => p <= end);
  const scaled = (z - row[1]) * row[2];
  let value = row[3];
  for (let k = 4; k < row.length; k += 1) value = value * scaled + row[k];
  return value;
}

"""
    },
    frame="""\
$tables$helpers$pieces$functions
/** Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
export function loss(y, p) {
  if (y === 1) return loss1(p);
  return y === 0 ? loss0(p) : NaN;
}
""",
)
