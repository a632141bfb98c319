"""The languages in which a scoring rule can be written as a program: one row of ``TARGETS`` each.

A frame holds the formulas; its places are ``losses`` (the functions ``loss0`` and ``loss1``),
``parameters`` (what follows in a signature) and ``passed`` (what follows in a call).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from costderive.export.parametric_shapes import JavaScript, Python, Shape

_COMMON = ("exp", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
_SPECIAL = ("erf", "erfc", "gamma")
_INVERSE = ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh")


@dataclass(frozen=True, slots=True)
class Target:
    """A language: its name for each function, for infinity, and the frame that holds the formulas.

    ``helpers`` follow the frame, each if the formulas, or a helper before it, use a function of its name.
    """

    names: Mapping[str, str]
    infinity: str
    frame: str
    helpers: Mapping[str, str]
    shape: Shape
    nan: str = "nan"
    series: str = "_series"
    prepared: tuple[str, ...] = ("p = _probability(p)",)  # what each function starts with
    quantities: tuple[str, ...] = ("loss0", "loss1")
    closing: str = ""  # {exported}, the functions


_NUMPY_FRAME = '''
import numpy as np


{losses}

def loss(y_true, y_proba, sample_weight=None{parameters}):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = np.asarray(y_true), _probability(y_proba)
    if y.ndim != 1 or y.shape != p.shape or not y.size:
        raise ValueError(f"y_true and y_proba need one equal length, not shapes {{y.shape}} and {{p.shape}}")
    if not np.isin(y, (0, 1)).all():
        raise ValueError("y_true must hold labels 0 and 1 only")
    weight = np.ones(y.shape) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != y.shape or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    used = weight > 0
    y, p, weight = y[used], p[used], weight[used]
    losses = np.empty(p.shape)
    losses[y == 0] = loss0(p[y == 0]{passed})
    losses[y == 1] = loss1(p[y == 1]{passed})
    return float(np.average(losses, weights=weight))


def _probability(p):
    p = np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a probability lies between 0 and 1")
    return p


def _by_piece(p, highs, formulas, at0, at1):
    """Apply each formula from the end of the one before it (exclusive) to its own end (inclusive)."""
    losses, inside, low = np.empty(p.shape), (p > 0) & (p < 1), 0.0
    for high, formula in zip(highs, formulas):
        here = inside & (low < p) & (p <= high)
        losses[here] = formula(p[here])
        low = high
    losses[p == 0], losses[p == 1] = at0, at1
    return losses[()]
'''

_MATH_FRAME = '''
import math


{losses}

def loss(y_true, y_proba, sample_weight=None{parameters}):
    """Return the (weighted) mean loss of probabilities of class 1, given labels 0 or 1."""
    y, p = list(y_true), list(y_proba)
    weight = [1.0] * len(y) if sample_weight is None else list(sample_weight)
    if not len(y) == len(p) == len(weight) or not y:
        raise ValueError(f"need equal lengths, not {{len(y)}}, {{len(p)}} and {{len(weight)}}")
    if any(label not in (0, 1) for label in y):
        raise ValueError("y_true must hold labels 0 and 1 only")
    if not all(0 <= w < math.inf for w in weight) or not any(weight):
        raise ValueError("sample_weight must hold one finite number >= 0 for each label, and not only 0")
    losses = [w * (loss1 if c else loss0)(x{passed}) for c, x, w in zip(y, p, weight) if w]
    return math.fsum(losses) / math.fsum(weight)


def _probability(p):
    if not 0 <= p <= 1:
        raise ValueError(f"a probability lies between 0 and 1, and {{p}} does not")
    return float(p)


def _by_piece(p, highs, formulas, at0, at1):
    """Apply the formula whose end is the first one at or above p."""
    if p in (0.0, 1.0):
        return float(at1 if p else at0)
    return float(next(formula for high, formula in zip(highs, formulas) if p <= high)(p))
'''

_SERIES = '''

def _series(x, exponent, step, coefficients):
    """Return x**exponent times the polynomial with these coefficients in x**step."""
    total, power = 0.0, x**step
    for coefficient in reversed(coefficients):
        total = total * power + coefficient
    return total * x**exponent
'''

_CHECK = """

def _check(condition, what):
    if not condition:
        raise ValueError(f"the parameters need {what}")
"""

_JAVASCRIPT_FRAME = """
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
"""

_JAVASCRIPT_HELPERS = {
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

_PYTHON_HELPERS = {"_series": _SERIES, "_check": _CHECK}

TARGETS: Mapping[str, Target] = {
    "numpy": Target(
        {
            **{name: f"np.{name}" for name in _COMMON},
            **{name: f"np.arc{name[1:]}" for name in _INVERSE},
            **{name: f"np.vectorize(math.{name}, otypes=[float])" for name in _SPECIAL},
            "Abs": "np.abs",
        },
        "np.inf",
        _NUMPY_FRAME,
        _PYTHON_HELPERS,
        Python(),
    ),
    "python": Target(
        {name: f"math.{name}" for name in (*_COMMON, *_INVERSE, *_SPECIAL)} | {"Abs": "abs"},
        "math.inf",
        _MATH_FRAME,
        _PYTHON_HELPERS,
        Python(),
    ),
    "javascript": Target(
        {name: f"Math.{name}" for name in (*_COMMON, *_INVERSE)}
        | {"Abs": "Math.abs", "betainc": "incompleteBeta", "beta": "betaFunction", "gamma": "gammaFunction"},
        "Infinity",
        _JAVASCRIPT_FRAME,
        _JAVASCRIPT_HELPERS,
        JavaScript(),
        "NaN",
        "series",
        (),
        ("loss0", "loss1", "thresholdWeight"),
        "\nexport {{ {exported}, loss }};\n",
    ),
}
