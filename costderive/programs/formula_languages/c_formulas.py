"""C99: functions of numbers, parameters as further arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from costderive.programs.formula_languages.target import (
    COMMON,
    INVERSE,
    OWN,
    Shape,
    Steps,
    Target,
    in_rows,
    named,
)
from costderive.programs.power_series import Series

_RESERVED = """
asm auto bool break case char const constexpr continue default do double else enum extern false float for goto if
inline int long nullptr register restrict return short signed sizeof static struct switch thread_local true typedef
typeof typeof_unqual union unsigned void volatile while alignas alignof static_assert linux unix i386 fabs tgamma
incomplete_beta near_zero beta math_errhandling
"""
_NAMES = (*COMMON, *(name.replace("arc", "a") for name in INVERSE), "erf", "erfc")


class C(Shape):
    """C, where parameters that a fact refuses give NaN."""

    comment = ("/*\n", " * ", "\n */")
    both = " && "
    taken = OWN.union(_RESERVED.split(), _NAMES)
    between = "\n"
    calls_ahead = False

    def is_taken(self, name: str, names: Sequence[str]) -> bool:
        """Return whether a name is taken: capitals may be those of a macro of ``math.h``."""
        return super().is_taken(name, names) or (len(name) > 2 and name.upper() == name)

    def number(self, value: int | float) -> str:
        return repr(float(value))

    def parameters(self, names: Sequence[str]) -> str:
        return "".join(f", double {name}" for name in names)

    def passed(self, names: Sequence[str]) -> str:
        return "".join(f", {name}" for name in names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        head = f"/* Return {about}. */\ndouble {name}(double {variable}{self.parameters(names)})\n{{\n"
        return head + indent("\n".join(body), "    ") + "\n}\n"

    def positive(self, symbol: str) -> str:
        return f"{symbol} > 0.0 && {symbol} < INFINITY"

    def check(self, fact: str, text: str) -> str:
        return f"if (!({fact})) return NAN;"

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield from [f"if ({condition}) {{"] if condition else []
        yield from [f"    {line}" if condition else line for line in lines]
        yield from ["}"] if condition else []

    def steps(self, steps: Steps) -> Iterator[str]:
        *inner, (_, last) = steps.rows
        yield f"if ({steps.variable} == 0.0) return {steps.at0};"
        yield f"if ({steps.variable} == 1.0) return {steps.at1};"
        yield from [f"if ({steps.variable} <= {high}) return {formula};" for high, formula in inner]
        yield f"return {last};"

    def constants(self, name: str, numbers: Sequence[float]) -> str:
        rows = [f"    {row}," for row in in_rows(numbers)]
        return "\n".join([f"static const double {name}[] = {{", *rows, "};\n\n"])

    def series(self, distance: str, series: Series, table: str) -> str:
        count = len(series.coefficients)
        return f"series({distance}, {series.exponent!r}, {series.step!r}, {count}, {table})"


_FRAME = """
#include <math.h>

{helpers}{losses}
/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p{parameters})
{{
    return y == 1 ? loss1(p{passed}) : y == 0 ? loss0(p{passed}) : NAN;
}}
"""

_HELPERS = {  # put in from the last, since some use later ones
    "series": """\
/* Return x**exponent times the polynomial with these coefficients in x**step. */
static double series(double x, double exponent, double step, int count, const double *coefficients)
{
    const double power = pow(x, step);
    double total = 0.0;
    while (count-- > 0) total = total * power + coefficients[count];
    return total * pow(x, exponent);
}

""",
    "incomplete_beta": """\
/* Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, from the nearer end. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= (a + 1.0) / (a + b + 2.0)) return near_zero(a, b, x, y);
    return beta(a, b) - near_zero(b, a, y, x);
}

""",
    "near_zero": """\
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

""",
    "beta": """\
static double beta(double a, double b)
{
    return tgamma(a) * tgamma(b) / tgamma(a + b);
}

""",
}

C_TARGET = Target(
    named(
        "",
        "log",
        "log1p",
        abs="fabs",
        betainc="incomplete_beta",
        beta="beta",
        gamma="tgamma",
        erf="erf",
        erfc="erfc",
        power="pow",
    ),
    "INFINITY",
    _FRAME,
    _HELPERS,
    C(),
    "NAN",
    ("if (!(p >= 0.0 && p <= 1.0)) return NAN;",),
    notes="NaN is the loss of what is not a probability, and of parameters of which a condition above does not hold.\n"
    "C99: link with -lm, and do not compile with -ffast-math.",
)
