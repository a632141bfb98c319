"""Julia: functions of one number, to be broadcast with a dot."""

from __future__ import annotations

from costderive.programs.languages.language import IN_SIGNS, Language, ParameterSyntax, like_c

_RESERVED = """
baremodule begin break catch const continue do else elseif end export false finally for function global if import in
isa let local macro module mutable quote return struct true try using where while Float64 Real Inf NaN
"""

JULIA = Language(
    names=like_c("", **IN_SIGNS, arctan2="atan", abs="abs", power="({0})^({1})"),
    comment=("", "# ", ""),
    outside="NaN is the loss of what is not a probability.",
    function="""\
"Return $about."
function $name(p::Float64$given)
$complement    0 <= p <= 1 || return NaN
$checks    p == 0 && return $at_zero
    p == 1 && return $at_one
$branches
end
$name(p::Real$given) = $name(Float64(p)$passed)
""",
    branch="    p <= {high} && return {value}",
    last="    return {value}",
    piece="function $name($parameters)\n$steps\n    return $value\nend\n\n",
    call="{name}({arguments})",
    step="    {name} = {value}",
    table="const $name = [\n$rows,\n]\n\n",
    brackets=("(", ")"),
    complement="    q = 1 - p\n",
    infinity="Inf",
    nan="NaN",
    parameters=ParameterSyntax(
        positive="    0 < {0} < Inf || return NaN\n",
        check="    {condition} || return NaN\n",
        reserved=frozenset(_RESERVED.split()),
        notes="NaN is also the loss of parameters that break a condition above.\n"
        "With a dot, as in loss.(y, p, amount), they are one for each row.",
    ),
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
loss(y, p$given) = y == 1 ? loss1(p$passed) : y == 0 ? loss0(p$passed) : NaN
""",
)
