"""Julia: functions of one number, to be broadcast with a dot."""

from __future__ import annotations

from costderive.programs.languages.language import Language

JULIA = Language(
    names={
        "sqrt": "sqrt",
        "log": "log",
        "log_p": "log({0})",
        "log_r": "log1p(-{0})",
        "exp": "exp",
        "arcsin": "asin",
        "arccos": "acos",
        "arctan": "atan",
        "arctan2": "atan",
        "arcsinh": "asinh",
        "arccosh": "acosh",
        "power": "({0})^({1})",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "polynomial({table}, {p}, {0})",
    },
    comment=("", "# ", ""),
    outside="NaN is the loss of what is not a probability.",
    function="""\
"Return $about."
function $name(p::Float64)
$complement    0 <= p <= 1 || return NaN
    p == 0 && return $at_zero
    p == 1 && return $at_one
$branches
end
$name(p::Real) = $name(Float64(p))
""",
    branch="    p <= {high} && return {value}",
    last="    return {value}",
    piece="function $name($parameters)\n$steps\n    return $value\nend\n\n",
    call="{name}({arguments})",
    step="    {name} = {value}",
    table="const $name = [\n$rows,\n]\n\n",
    brackets=("(", ")"),
    complement="    r = 1 - p\n",
    infinity="Inf",
    nan="NaN",
    helpers={
        "polynomial": """\
"Return the polynomial of the first row that ends at or above p: (end, centre, scale, highest, ...)."
function polynomial(rows, p, z)
    row = rows[searchsortedfirst(rows, p; by = first)]
    z = (z - row[2]) * row[3]
    value = row[4]
    for k in 5:length(row)
        value = value * z + row[k]
    end
    return value
end

"""
    },
    frame="""\
$tables$helpers$pieces$functions
"Return the loss of a probability p of class 1 if the class is y, 0 or 1."
loss(y, p) = y == 1 ? loss1(p) : y == 0 ? loss0(p) : NaN
""",
)
