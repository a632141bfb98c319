"""C99."""

from __future__ import annotations

from costderive.programs.languages.language import Language

C = Language(
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
        "power": "pow",
        "positive": "{0}",
        "exactly": "{0}",
        "polynomial": "polynomial({table}, {p}, {0})",
    },
    comment=("/*\n", " * ", "\n */"),
    outside="NaN is the loss of what is not a probability.\nC99: link with -lm, and do not compile with -ffast-math.",
    function="""\
/* Return $about. */
double $name(double p)
{
$complement    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return $at_zero;
    if (p == 1.0) return $at_one;
$branches
}
""",
    branch="    if (p <= {high}) return {value};",
    last="    return {value};",
    piece="""\
static double $name($parameters)
{
$steps
    return $value;
}

""",
    call="{name}({arguments})",
    step="    const double {name} = {value};",
    table="static const double $name[][$width] = {\n$rows\n};\n\n",
    brackets=("{", "}"),
    complement="    const double r = 1.0 - p;\n",
    parameter="double {}",
    infinity="INFINITY",
    nan="NAN",
    helpers={
        "polynomial": """\
/* Return the polynomial of the first row that ends at or above p. A row is its end, centre, scale and
 * coefficients from the highest. */
static double polynomial(const double (*row)[$width], double p, double z)
{
    while (p > (*row)[0]) ++row;
    z = (z - (*row)[1]) * (*row)[2];
    double value = (*row)[3];
    for (int k = 4; k < $width; ++k) value = value * z + (*row)[k];
    return value;
}

"""
    },
    frame="""\
#include <math.h>

$tables$helpers$pieces$functions
/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
""",
)
