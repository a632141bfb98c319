"""JavaScript: a module of functions of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from costderive.programs.formula_languages.target import (
    OWN,
    Shape,
    Steps,
    Target,
    in_rows,
    named,
)
from costderive.programs.power_series import Series

_RESERVED = """
await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof var void while with yield arguments eval undefined NaN Infinity Math Number
"""
_OWN = "thresholdWeight check byPiece gammaFunction betaFunction incompleteBeta RangeError"


class JavaScript(Shape):
    """JavaScript, with parameters as the properties of an object."""

    comment = ("/*\n", "", "\n*/")
    both = " && "
    taken = OWN.union(_RESERVED.split(), _OWN.split())

    def parameters(self, names: Sequence[str]) -> str:
        return f", {{ {', '.join(names)} }}" if names else ""

    def passed(self, names: Sequence[str]) -> str:
        return self.parameters(names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        head = f"/** Return {about}. */\nfunction {name}({variable}{self.parameters(names)}) {{\n"
        return head + indent("\n".join(body), "  ") + "\n}\n"

    def positive(self, symbol: str) -> str:
        return f"{symbol} > 0 && {symbol} < Infinity"

    def check(self, fact: str, text: str) -> str:
        return f'check({fact}, "{text}");'

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield from [f"if ({condition}) {{"] if condition else []
        yield from [f"  {line}" if condition else line for line in lines]
        yield from ["}"] if condition else []

    def steps(self, steps: Steps) -> Iterator[str]:
        yield f"const highs = [{', '.join(high for high, _ in steps.rows)}];"
        yield "const formulas = ["
        yield from [f"  ({steps.variable}) => {formula}," for _, formula in steps.rows]
        yield "];"
        yield f"return byPiece({steps.variable}, highs, formulas, {steps.at0}, {steps.at1});"

    def constants(self, name: str, numbers: Sequence[float]) -> str:
        return "\n".join([f"const {name} = [", *[f"  {row}," for row in in_rows(numbers)], "];\n\n"])

    def series(self, distance: str, series: Series, table: str) -> str:
        return f"series({distance}, {series.exponent!r}, {series.step!r}, {table})"


_FRAME = """
{losses}

/** Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
function loss(y, p{parameters}) {{
  if (y !== 0 && y !== 1) throw new RangeError("a class is 0 or 1");
  return (y ? loss1 : loss0)(p{passed});
}}

/** Apply the formula whose end is the first one at or above x. */
function byPiece(x, highs, formulas, at0, at1) {{
  if (!(x >= 0 && x <= 1)) throw new RangeError("a number between 0 and 1 is wanted, not " + x);
  if (x === 0 || x === 1) return x ? at1 : at0;
  return formulas[highs.findIndex((high) => x <= high)](x);
}}
{helpers}
export {{ {exported}, loss }};
"""

_HELPERS = {
    "check": """
function check(condition, what) {
  if (!condition) throw new RangeError("the parameters need " + what);
}
""",
    "series": """
/** Return x**exponent times the polynomial with these coefficients in x**step. */
function series(x, exponent, step, coefficients) {
  const power = Math.pow(x, step);
  const total = coefficients.reduceRight((sum, coefficient) => sum * power + coefficient, 0);
  return total * Math.pow(x, exponent);
}
""",
    "incompleteBeta": """
/** Return the integral of t**(a - 1) (1 - t)**(b - 1) from 0 to x = 1 - y, by its continued fraction. */
function incompleteBeta(a, b, x, y) {
  if (x <= 0) return 0;
  if (x > (a + 1) / (a + b + 2)) return betaFunction(a, b) - incompleteBeta(b, a, y, x);
  const partial = (n) => {
    const m = Math.floor(n / 2);
    const top = n % 2 ? -(a + m) * (a + b + m) : m * (b - m);
    return (top * x) / ((a + n - 1) * (a + n));
  };
  let fraction = 1;
  let c = 1;
  let d = 0;
  for (let n = 1; n < 1000; n += 1) {
    d = 1 / (1 + partial(n) * d);
    c = 1 + partial(n) / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return (Math.pow(x, a) * Math.pow(y, b)) / (a * fraction);
}
""",
    "betaFunction": """
function betaFunction(a, b) {
  return (gammaFunction(a) * gammaFunction(b)) / gammaFunction(a + b);
}
""",
    "gammaFunction": """
/** Return the gamma function of a positive number, by the approximation of Lanczos with g = 7. */
function gammaFunction(x) {
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gammaFunction(1 - x));
  const sum = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ].reduce((total, term, k) => total + term / (x + k), 0.99999999999980993);
  const half = Math.pow(x + 6.5, (x - 0.5) / 2); // in two halves, so that it overflows no earlier than the result
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-x - 6.5) * half * sum;
}
""",
}

JAVASCRIPT = Target(
    named(
        "Math.",
        "Math.log",
        "Math.log1p",
        abs="Math.abs",
        betainc="incompleteBeta",
        beta="betaFunction",
        gamma="gammaFunction",
        power="Math.pow",
    ),
    "Infinity",
    _FRAME,
    _HELPERS,
    JavaScript(),
    "NaN",
    quantities=("loss0", "loss1", "thresholdWeight"),
)
