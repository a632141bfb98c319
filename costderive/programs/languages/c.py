"""C99."""

from __future__ import annotations

from costderive.programs.languages.language import IN_SIGNS, Language, ParameterSyntax, like_c

_RESERVED = """
asm auto bool break case char const constexpr continue default do double else enum extern false float for goto if
inline int long nullptr register restrict return short signed sizeof static struct switch thread_local true typedef
typeof typeof_unqual union unsigned void volatile while alignas alignof static_assert linux unix i386
math_errhandling near_zero
"""

NO_FAST_MATH = """\
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif
"""

C = Language(
    names=like_c(
        "",
        **IN_SIGNS,
        abs="fabs",
        power="pow",
        erf="erf",
        erfc="erfc",
        gamma="tgamma",
        beta="beta",
        betainc="incomplete_beta",
    ),
    comment=("/*\n", " * ", "\n */"),
    outside="NaN is the loss of what is not a probability.\nC99: link with -lm, and do not compile with -ffast-math.",
    function="""\
/* Return $about. */
double $name(double p$given)
{
$complement    if (!(p >= 0.0 && p <= 1.0)) return NAN;
$checks    if (p == 0.0) return $at_zero;
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
    complement="    const double q = 1.0 - p;\n",
    parameter="double {}",
    infinity="INFINITY",
    nan="NAN",
    parameters=ParameterSyntax(
        positive="    if (!({0} > 0.0 && {0} < INFINITY)) return NAN;\n",
        check="    if (!{condition}) return NAN;\n",
        given=("double {0}", ", {0}"),
        reserved=frozenset(_RESERVED.split()),
        has_macros=True,
        notes="NaN is also the loss of parameters that break a condition above.",
    ),
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

""",
        "beta": """\
static double beta(double a, double b)
{
    return tgamma(a) * tgamma(b) / tgamma(a + b);
}

""",
        "betainc": """\
/* Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, by its continued fraction. */
static double near_zero(double a, double b, double x, double y)
{
    double fraction = 1.0, c = 1.0, d = 0.0;
    for (int n = 1; n < 1000; ++n) {
        const int m = n / 2;
        const double top = n % 2 ? -(a + m) * (a + b + m) : m * (b - m);
        const double term = top * x / ((a + n - 1) * (a + n));
        d = 1.0 / (1.0 + term * d);
        c = 1.0 + term / c;
        fraction *= c * d;
        if (fabs(c * d - 1.0) < 3e-16) break;
    }
    return pow(x, a) * pow(y, b) / (a * fraction);
}

/* Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= (a + 1.0) / (a + b + 2.0)) return near_zero(a, b, x, y);
    return beta(a, b) - near_zero(b, a, y, x);
}

""",
    },
    frame=f"""\
#include <math.h>

{NO_FAST_MATH}
$tables$helpers$pieces$functions
/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p$given)
{{
    return y == 1 ? loss1(p$passed) : y == 0 ? loss0(p$passed) : NAN;
}}
""",
)
