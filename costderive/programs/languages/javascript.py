"""JavaScript, as a module."""

from __future__ import annotations

from costderive.programs.languages.language import IN_SIGNS, Language, ParameterSyntax, like_c

_RESERVED = """
await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof var void while with yield arguments eval undefined NaN Infinity Math Number
RangeError
"""

JAVASCRIPT = Language(
    names=like_c(
        "Math.",
        **IN_SIGNS,
        abs="Math.abs",
        power="Math.pow",
        gamma="gammaFunction",
        beta="betaFunction",
        betainc="incompleteBeta",
    ),
    comment=("/**\n", " * ", "\n */"),
    outside="NaN is the loss of what is not a probability.",
    function="""\
/** Return $about. */
export function $name(p$given) {
$complement$checks  if (!(p >= 0 && p <= 1)) return NaN;
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
    complement="  const q = 1 - p;\n",
    infinity="Infinity",
    nan="NaN",
    with_density=True,
    parameters=ParameterSyntax(
        positive="  if (!({0} > 0 && {0} < Infinity))"
        " throw new RangeError('the parameters need {0} > 0 and finite');\n",
        check="  if (!{condition}) throw new RangeError('the parameters need {text}');\n",
        given=("{0}", ", {{ {0} }}"),
        passed=("{0}", ", {{ {0} }}"),
        reserved=frozenset(_RESERVED.split()),
        notes="A RangeError is thrown for parameters that break a condition above.",
    ),
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

""",
        "gamma": """\
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
        "beta": """\
function betaFunction(a, b) {
  return (gammaFunction(a) * gammaFunction(b)) / gammaFunction(a + b);
}

""",
        "betainc": """\
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
    },
    frame="""\
$tables$helpers$pieces$functions
/** Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
export function loss(y, p$given) {
  if (y === 1) return loss1(p$passed);
  return y === 0 ? loss0(p$passed) : NaN;
}
""",
)
