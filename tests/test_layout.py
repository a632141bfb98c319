"""What is written is what was derived: formulas, read back from how they are laid out, have the same values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Expr, Integral, Piecewise, Rational, Symbol, erf, erfinv, exp, log, sqrt
from sympy.parsing.sympy_parser import implicit_multiplication, parse_expr, standard_transformations

import costderive as cd
from costderive.core.piecewise import Interval, Piece, Pieces
from costderive.core.symbols import p, parameter, q, s
from costderive.publish.formulas import formula, nodes
from costderive.publish.formulas.drawn import DRAWN
from costderive.publish.formulas.layout import layout
from costderive.publish.formulas.lines import broken
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.shorter import (
    NormalCdf,
    NormalQuantile,
    multiplied_out,
    one_logarithm,
    shorter,
)
from costderive.publish.formulas.turned import turned
from costderive.publish.words.displays import without_value

FUNCTIONS: dict[type, Callable[..., Any]] = {
    NormalCdf: mpmath.ncdf,
    NormalQuantile: lambda level: mpmath.sqrt(2) * mpmath.erfinv(2 * level - 1),
    sympy.betainc: mpmath.betainc,
    sympy.lowergamma: lambda a, z: mpmath.gammainc(a, 0, z),
    sympy.uppergamma: mpmath.gammainc,
    sympy.expint: mpmath.expint,
    sympy.Ei: mpmath.ei,
    sympy.Abs: abs,
    sympy.Min: min,
    sympy.Max: max,
}


def value(node: nodes.Node, at: dict[Symbol, Any]) -> Any:
    """Return the number that a formula stands for."""
    match node:
        case nodes.Leaf(expr):
            return mpmath.mpmathify(at[expr]) if expr in at else expr.evalf(40)._to_mpmath(130)
        case nodes.Sum(terms):
            return mpmath.fsum((-1 if negative else 1) * value(term, at) for negative, term in terms)
        case nodes.Product(factors):
            return mpmath.fprod(value(factor, at) for factor in factors)
        case nodes.Fraction(top, bottom):
            return value(top, at) / value(bottom, at)
        case nodes.Power(base, exponent):
            return value(base, at) ** value(exponent, at)
        case nodes.Root(degree, inside):
            return mpmath.root(value(inside, at), degree)
        case nodes.Call(function, args):
            called = FUNCTIONS.get(function) or getattr(mpmath, function.__name__)
            return called(*(value(arg, at) for arg in args))
    raise NotImplementedError(type(node).__name__)


def agree(expr: Expr, rng: random.Random) -> bool:
    """Compare an expression with how it is written at a point between 0 and 1."""
    at = {x: Rational(rng.randint(1, 999), 1000) for x in sorted(expr.free_symbols, key=str)}
    with mpmath.workdps(30):
        exact = expr.evalf(30, subs=at)
        if not exact.is_real:
            return True
        numbers = {x: mpmath.mpf(z.p) / z.q for x, z in at.items()}
        found = value(layout(shorter(multiplied_out(expr))), numbers)
        return bool(abs(found - exact._to_mpmath(100)) <= mpmath.mpf(10) ** -18 * max(1, abs(exact)))


def plain(expr: Expr) -> bool:
    return not expr.has(Integral, Piecewise, sympy.oo, sympy.zoo, sympy.nan)


# ---- the gallery

SEVERAL_CLASSES = {"additive-three-classes", "inverse-score-three-classes", "ordinal-with-reject"}
GALLERY = [
    file
    for file in sorted((Path(__file__).parent.parent / "derivations").glob("*/certificate.json"))
    if file.parent.name not in SEVERAL_CLASSES
]


def formulas_of(file: Path) -> Iterator[Expr]:
    derivation = cd.Derivation.from_json(file.read_text(encoding="utf-8"))
    for case in derivation.cases:
        for step in case.steps:
            yield from (x for x in _expressions(step.after) if plain(x))


def _expressions(found: Any) -> Iterator[Expr]:
    """Yield the expressions in the fields of a record."""
    if isinstance(found, Expr):
        yield found
    elif isinstance(found, (tuple, list)):
        for one in found:
            yield from _expressions(one)
    elif hasattr(found, "__dataclass_fields__"):
        for name in found.__dataclass_fields__:
            yield from _expressions(getattr(found, name))


@pytest.mark.parametrize("file", GALLERY, ids=lambda file: file.parent.name)
def test_formulas_of_the_gallery_are_written_as_they_are(file: Path) -> None:
    rng = random.Random(file.parent.name)
    found = list(dict.fromkeys(formulas_of(file)))[:60]
    assert found
    assert [expr for expr in found if not agree(expr, rng)] == []


# ---- signs, sizes and what has no value

HALF = Interval(p, sympy.S.Zero, sympy.S.Half)


@pytest.mark.parametrize(
    "expr",
    [
        1 / (2 * p - 1) ** 3,
        exp(p / (2 * p - 1)) * (p - 1) / (p - 2),
        log(1 - 2 * p) * (2 * p - 1),
        (3 * p - 2) ** 2 * (p - 1),
    ],
    ids=str,
)
def test_factors_that_are_negative_are_turned(expr: Expr) -> None:
    found = turned(expr, HALF)
    for at in (Rational(1, 7), Rational(3, 8)):
        assert abs(found.subs(p, at).evalf(30) - expr.subs(p, at).evalf(30)) < 1e-25
    sums = [
        base
        for node in found.atoms(sympy.Mul, sympy.Pow)
        for base in node.args
        if isinstance(base, sympy.Add)
    ]
    assert sums and all(base.subs(p, Rational(1, 7)) > 0 for base in sums)


def test_no_factor_is_turned_beside_one_whose_sign_is_open() -> None:
    expr = (p - 1) * (p - Rational(1, 4))
    assert turned(expr, HALF) == expr


@pytest.mark.parametrize(
    "expr",
    [
        3 * sympy.gamma(Rational(5, 3)) + p - 3 * sympy.uppergamma(Rational(5, 3), p),
        sqrt(log(1 - exp(-p)) ** 2),
        (log(1 - exp(-2 * p)) ** 2) ** Rational(3, 4) + p,
        log(3) / 2 + log(2) / 3 + p,
    ],
    ids=str,
)
def test_shorter_forms_have_the_same_values(expr: Expr) -> None:
    written = shorter(expr)
    written = one_logarithm(written) if isinstance(written, sympy.Add) else written
    assert written != expr
    for at in (Rational(1, 7), Rational(5, 2)):
        assert abs(written.subs(p, at).evalf(30) - expr.subs(p, at).evalf(30)) < 1e-25


def test_a_formula_without_a_value_at_a_breakpoint_is_named() -> None:
    half = sympy.S.Half
    falls = Piece(sympy.S.Zero, half, exp(p / (2 * p - 1))), Piece(half, sympy.S.One, sympy.S.Zero)
    assert without_value(Pieces(p, falls)) == [half]
    assert without_value(Pieces(p, (Piece(sympy.S.Zero, half, p**2), falls[1]))) == []


# ---- at random

a, b, m, n, w, h = map(parameter, "abmnwh")
ATOMS = (
    p,
    q,
    s,
    1 - p,
    1 - s,
    a,
    b,
    m,
    n,
    w,
    1 - w,
    h,
    p - h,
    p + h - 2,
    sympy.Integer(19),
    sqrt(19),
    sqrt(p),
)
SHAPES: tuple[Callable[[Expr, Expr], Expr], ...] = (
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x + (y - x) * p,
    lambda x, y: x - x * w,
    lambda x, y: x**2 + (1 - y) ** 2,
    lambda x, y: log(x**2 + 1) - log(y**2 + 2),
    lambda x, y: x * log(p) - x * log(1 - p) + y,
    lambda x, y: p ** (1 - a) * (1 - p) ** (a - 1) * x * y,
    lambda x, y: exp(-x * y),
    lambda x, y: sqrt(x**2) / sqrt(y**2 + 1),
    lambda x, y: (1 + erf(x)) * y,
    lambda x, y: x * erfinv(2 * p - 1) + y,
    lambda x, y: Rational(18, 19) * sqrt(19) * x / y,
    lambda x, y: x**3 * y - 3 * x,
    lambda x, y: (1 - exp(x - 2)) * exp(-x) * y,
    lambda x, y: a + b * x - (a + b * x + y**2) * p,
    lambda x, y: (a / b) ** m * x / y**m,
    lambda x, y: 3**a * x / (3**a * b * p / (1 - p) - 3**a * y * p / (1 - p)),
    lambda x, y: x - (p**2 - 8 * p + 8) * y / (p**2 - 3 * p + 2),
    lambda x, y: x * y**2 / (y - 1) - x / (y - 1),
)


@pytest.mark.parametrize(
    ("expr", "written"),
    [
        ((8 * p - p**2 - 8) / (1 - p) ** 2, "−(p² − 8p + 8)/(1 − p)²"),
        (a / p + (8 * p - p**2 - 8) / (1 - p) ** 2, "a/p − (p² − 8p + 8)/(1 − p)²"),
        (3 ** (a + 2) / (3**a * b * p / (1 - p) - 3**a * p / (1 - p)), "9(1 − p)/((b − 1)p)"),
        (b**2 / (2 * (b - 1)) - 1 / (2 * (b - 1)), "(b + 1)/2"),
    ],
    ids=str,
)
def test_signs_stand_in_front_and_common_factors_cancel(expr: Expr, written: str) -> None:
    assert text(DRAWN.expression(expr)) == written


def grown(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        return rng.choice(ATOMS) * Rational(rng.choice([-3, -1, 1, 2, 5]), rng.choice([1, 2, 3]))
    return rng.choice(SHAPES)(grown(rng, depth - 1), grown(rng, depth - rng.randint(1, depth)))


@pytest.mark.parametrize("seed", range(12))
def test_random_formulas_are_written_as_they_are(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        expr = grown(rng, rng.randint(1, 2))
        if plain(expr):
            assert agree(expr, rng), expr


def test_a_formula_that_is_another_one_is_found() -> None:
    wrong = nodes.Sum(((False, nodes.Leaf(p)), (True, nodes.Leaf(q))))
    numbers = {p: mpmath.mpf("0.25"), q: mpmath.mpf("0.5")}
    assert value(wrong, numbers) == mpmath.mpf("-0.25")
    assert value(layout(p + q), numbers) == mpmath.mpf("0.75")


# ---- in lines

WRITTEN = {r"\times": "*", r"\cdot": "*", r"\exp": " exp", "e": " E "}
READ = (*standard_transformations, implicit_multiplication)


def spelled(part: formula.Formula) -> str:
    """Return a drawn formula as Python would write it, with products left to the reader."""
    match part:
        case formula.Row(parts):
            return "".join(map(spelled, parts))
        case formula.Letter(name) | formula.Number(name) | formula.Sign(name) | formula.Word(name):
            return WRITTEN.get(name, f" {name} " if name.isalnum() else name)
        case formula.Space():
            return " "
        case formula.Ratio(top, bottom):
            return f" (({spelled(top)})/({spelled(bottom)})) "
        case formula.Radical(inside):
            return f" sqrt({spelled(inside)}) "
        case formula.Scripts(base, None, above) if above:
            return f"{spelled(base)}**({spelled(above)}) "
        case formula.Fenced("(", inside, ")"):
            return f"({spelled(inside)})"
    raise NotImplementedError(part)


def narrow(rng: random.Random, depth: int) -> Expr:
    """Return a sum of products of sums, roots and exponentials."""
    if depth == 0:
        return rng.choice((p, s, 1 - p, a * p + b, m / (n + p), sqrt(a + p), 2 - w, p**2 + m * s))
    first, second, third = (narrow(rng, depth - 1) for _ in range(3))
    shapes = (
        first * second - third,
        first / (second + 3),
        exp(-first - second / 7),
        first * (second + third),
    )
    return rng.choice((*shapes, -first * exp(second - third) / (third + 2)))


@pytest.mark.parametrize("seed", range(8))
def test_formulas_in_lines_are_what_they_are_in_one(seed: int) -> None:
    rng = random.Random(seed)
    several = 0
    for _ in range(6):
        expr = narrow(rng, 3)
        lines = broken(expr, 30)
        several += len(lines) > 2
        back = parse_expr("".join(map(spelled, lines)), {x.name: x for x in expr.free_symbols}, READ)
        at = {x: Rational(rng.randint(1, 99), 100) for x in expr.free_symbols}
        assert sympy.N((back - expr).subs(at), 20, chop=1e-15) == 0, expr
    assert several > 2


def test_what_is_integrated_and_what_is_raised_breaks_into_lines_that_fit() -> None:
    quantiles = [erfinv(2 * exp(-x * s / (1 - s)) - 1) for x in (p, q)]
    power = exp(-a * (quantiles[0] ** 2 + quantiles[1] ** 2) / (1 - a**2) - quantiles[0] * quantiles[1])
    lines = broken(Integral(p**2 * power / (1 - s) ** 3, (p, 0, sympy.oo)), 50)
    assert text(lines[0]).startswith("∫[0, ∞] ") and text(lines[-1]).endswith(" dp")
    assert len(lines) > 2 and all(len(text(line)) < 75 for line in lines)
