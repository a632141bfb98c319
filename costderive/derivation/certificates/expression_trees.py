"""Expressions as plain data, and back.

An expression is a nested list that starts with its head, as in ``["Pow", ["Symbol", "p"], ["Integer", "2"]]``. Whole
numbers are texts, so no reader rounds them. Reading builds expressions from a closed table of heads; no text is
evaluated.
"""

from __future__ import annotations

import keyword
import re
from math import gcd
from typing import Any

import sympy
from sympy import Expr, Integral, Symbol

from costderive.core import symbols
from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import ExportError
from costderive.deciders.enclosure import enclose
from costderive.deciders.size import degree
from costderive.rules.hypergeometric import hyp2f1

MAX_DEPTH, MAX_DIGITS, MAX_EXPONENT = 100, 3_000, 10_000
NAME = "[A-Za-z][A-Za-z0-9_]{0,39}"
WHOLE = f"0|-?[1-9][0-9]{{0,{MAX_DIGITS}}}"

CONSTANTS = {
    "Pi": sympy.pi,
    "Exp1": sympy.E,
    "EulerGamma": sympy.EulerGamma,
    "Infinity": sympy.oo,
    "NegativeInfinity": -sympy.oo,
}
ARGUMENTS = {
    **dict.fromkeys(("Abs", "exp", "log", "sin", "cos", "tan", "cot", "asin", "acos", "atan"), 1),
    **dict.fromkeys(
        (
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "erf",
            "erfc",
            "erfinv",
            "Ei",
            "gamma",
            "loggamma",
        ),
        1,
    ),
    **dict.fromkeys(("Pow", "beta", "lowergamma", "uppergamma", "expint"), 2),
    **dict.fromkeys(("betainc", "betainc_regularized", "hyp2f1"), 4),
}
SEVERAL_ARGUMENTS = ("Add", "Mul", "Max", "Min")
_GROWING = (
    "exp",
    "sinh",
    "cosh",
    "gamma",
    "loggamma",
    "beta",
    "lowergamma",
    "uppergamma",
    "expint",
    "Ei",
    "betainc",
    "hyp2f1",
)
_HEADS = {name: getattr(sympy, name, hyp2f1) for name in (*ARGUMENTS, *SEVERAL_ARGUMENTS)}


# ---- writing


def written(expr: Expr) -> list[Any]:
    """Return an expression as plain data.

    Raises:
        ExportError: if it has a function or a symbol that certificates do not know.
    """
    if expr.is_Integer:
        return ["Integer", str(expr)]
    if expr.is_Rational:
        return ["Rational", str(expr.p), str(expr.q)]
    if expr.is_Symbol:
        return _symbol(expr)
    for name, constant in CONSTANTS.items():
        if expr is constant:
            return [name]
    if isinstance(expr, Integral) and len(expr.limits) == 1 and len(expr.limits[0]) == 3:
        return ["Integral", *map(written, (expr.function, *expr.limits[0]))]
    if isinstance(expr, CurveParameter):
        return ["CurveParameter", *map(written, (*expr.stretch.parts, expr.proportion))]
    name = expr.func.__name__
    if _HEADS.get(name) is not expr.func:
        problem = f"the derivation needs the function {name}, for which a certificate has no form"
        raise ExportError(
            problem, "Write the costs and densities without what leads to it, as a gamma of x does."
        )
    return [name, *map(written, expr.args)]


def _symbol(symbol: Symbol) -> list[str]:
    if symbol != symbols.parameter(symbol.name) or not _is_name(symbol.name):
        raise ExportError(f"{symbol!r} is not a positive parameter with a plain name", "Name it a, or c_min.")
    return ["Symbol", symbol.name]


def _is_name(name: object) -> bool:
    """A name is an identifier, so that generated code can use it."""
    return isinstance(name, str) and bool(re.fullmatch(NAME, name)) and not keyword.iskeyword(name)


# ---- reading


class NotATreeError(Exception):
    """Why a document is not a certificate, before it is known which file it came from."""


def require(condition: object, problem: str) -> None:
    if not condition:
        raise NotATreeError(problem)


def read(data: Any, depth: int = 0) -> Expr:
    """Rebuild an expression from plain data; the inverse of `written`."""
    require(depth < MAX_DEPTH, f"more than {MAX_DEPTH} levels of nesting")
    require(isinstance(data, list) and data and isinstance(data[0], str), f"{shown(data)} is not a tree")
    head, *rest = data
    if head in ("Integer", "Rational", "Symbol"):
        return _atom(head, rest)
    found = _application(head, [read(item, depth + 1) for item in rest])
    require(isinstance(found, Expr), f"{shown(data)} is not an expression")
    return found


def shown(data: Any) -> str:
    return "a record" if isinstance(data, dict) else ascii(data)[:60]


def _atom(head: str, rest: list[Any]) -> Expr:
    text = shown([head, *rest])
    if head == "Symbol":
        require(len(rest) == 1 and _is_name(rest[0]), f"{text} is not a name")
        return symbols.parameter(rest[0])
    require(
        len(rest) == (1 if head == "Integer" else 2) and all(map(_is_whole, rest)), f"{text} is not a number"
    )
    top, bottom = int(rest[0]), int(rest[1]) if len(rest) == 2 else 1
    require(head == "Integer" or (bottom > 1 and gcd(top, bottom) == 1), f"{text} is not in lowest terms")
    return sympy.Rational(top, bottom)


def _is_whole(text: object) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(WHOLE, text, re.ASCII))


def _application(head: str, args: list[Expr]) -> Expr:
    """Apply a head without evaluation, which gives back exactly what was written."""
    if head in CONSTANTS and not args:
        return CONSTANTS[head]
    if head == "Integral":
        require(len(args) == 4 and args[1].is_Symbol, "an integral has a function, a variable and two ends")
        return Integral(args[0], tuple(args[1:]))
    if head == "CurveParameter":
        return _curve_parameter(args)
    require(head in _HEADS, f'"{head[:40]}" is not in the table of heads')
    wanted = len(args) >= 2 if head in SEVERAL_ARGUMENTS else len(args) == ARGUMENTS[head]
    require(wanted, f"{head} of {len(args)} arguments")
    if head == "Pow":
        _check_power(*args)
    elif head in _GROWING:
        require(all(_is_moderate(arg) for arg in args), f"{head} of a number too large to work with")
    return _HEADS[head](*args, evaluate=False)


def _curve_parameter(args: list[Expr]) -> Expr:
    require(len(args) == 9, "the parameter of a curve has eight parts of the curve, and a cost proportion")
    variable, direction, parts = args[2], args[7], args[:2] + args[3:8]
    require(variable.is_Symbol and direction in (1, -1), "a curve has a variable, and a direction 1 or -1")
    plain = not any(part.has(CurveParameter, Integral) for part in parts)
    require(plain, "a curve has no parameter of another curve in it, and no integral")
    return CurveParameter(OneWay(*args[:8]), args[8])


def _check_power(base: Expr, exponent: Expr) -> None:
    """Refuse what SymPy never leaves standing, since it may be a number too large to work with."""
    small = not exponent.is_Rational or max(abs(exponent.p), exponent.q) <= MAX_EXPONENT
    standing = not exponent.is_Integer or not (base.is_Rational or base.is_Pow or exponent in (0, 1))
    require(small and standing, "a power that SymPy would not leave standing")
    towering = exponent.is_Rational and max(abs(exponent.p), exponent.q) * degree(base) > MAX_EXPONENT
    require(not towering, "powers of powers too high to work with")
    require(
        _is_moderate(exponent) and _digits(base, exponent) <= MAX_DIGITS, "a power too large to work with"
    )


def _is_moderate(expr: Expr) -> bool:
    """A constant is small enough for what grows with it; if it cannot be enclosed, its size is unknown."""
    if not expr.is_number or expr.is_infinite:
        return True
    bounds = enclose(expr)
    return bounds is not None and max(map(abs, bounds)) <= MAX_EXPONENT


def _digits(base: Expr, exponent: Expr) -> float:
    """Return how many digits a rational number to a power has: it may be worked out."""
    if not (base.is_Rational and exponent.is_number):
        return 0.0
    size = max(abs(base.p), base.q)
    return float(max(map(abs, enclose(exponent) or (0,))) * len(str(size)))
