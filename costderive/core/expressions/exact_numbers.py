"""Exact numbers, names, and the SymPy expressions of a user."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy
from sympy import Expr, S
from sympy.core.function import AppliedUndef

from costderive.core import symbols
from costderive.core.expressions.bounded_steps import FUNCTIONS
from costderive.core.expressions.growth import (
    INFINITE,
    MAX_BITS,
    MAX_DECIMAL_EXPONENT,
    MAX_DIGITS,
    REAL,
    RefusedError,
    bound,
)
from costderive.core.expressions.law_names import LAWS

MAX_NAME = 40

CONSTANTS = {"pi": S.Pi, "oo": S.Infinity, "inf": S.Infinity}
_MISREAD = frozenset({"E", "I", "y", "nan", "NaN", "NAN", "Inf", "INF", "infinity", "Infinity", "zoo"})


def exact_number(value: Any) -> Expr:
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        value = Decimal(float.__repr__(value))
    if isinstance(value, Decimal):
        return exact_decimal(value)
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        remedy = "Write an int, a float, a Fraction, a Decimal, a text or a SymPy expression."
        raise RefusedError(f"{type(value).__name__} is not a number", remedy)
    bound(value.numerator.bit_length() + value.denominator.bit_length(), MAX_BITS)
    return sympy.Rational(value.numerator, value.denominator)


def exact_decimal(value: Decimal) -> Expr:
    if value.is_nan():
        raise RefusedError("NaN is not a number", "Every number must be known.")
    if value.is_infinite():
        return S.Infinity if value > 0 else S.NegativeInfinity
    digits, size = len(value.as_tuple().digits), abs(value.adjusted())
    if digits > 2 * MAX_DIGITS or size > MAX_DECIMAL_EXPONENT + MAX_DIGITS:
        raise RefusedError("too many digits")
    return exact_number(Fraction(value))


def number(token: str) -> Expr:
    """Return the exact value of a number token, whose digits and exponent are bounded before conversion."""
    if max(map(len, re.split("[.eE+-]", token))) > MAX_DIGITS:
        raise RefusedError(f"more than {MAX_DIGITS} digits in a row")
    if abs(int(token.lower().partition("e")[2] or 0)) > MAX_DECIMAL_EXPONENT:
        raise RefusedError(f"a decimal exponent beyond {MAX_DECIMAL_EXPONENT}")
    return exact_decimal(Decimal(token))


def named(name: str, names: Mapping[str, Expr]) -> Expr:
    if name in names:
        return names[name]
    if name in symbols.RESERVED:
        reserved = f"{', '.join(sorted(symbols.RESERVED))} have a meaning of their own"
        here = f"of them, {', '.join(names)} may stand here" if names else "none of them may stand here"
        remedy = f"{reserved}; {here}. A parameter needs another name."
        raise RefusedError(f'the letter "{name}" is reserved', remedy)
    if name in LAWS:
        remedy = f"The law is written {name}({LAWS[name]}); a parameter needs another name."
        raise RefusedError(f'"{name}" is the name of a law', remedy)
    return CONSTANTS[name] if name in CONSTANTS else symbols.parameter(_checked(name))


def _checked(name: str) -> str:
    """Return the name of a parameter, which generated code can use as it is."""
    if not re.fullmatch(rf"[A-Za-z][A-Za-z0-9_]{{0,{MAX_NAME - 1}}}", name) or keyword.iskeyword(name):
        remedy = f"A name is a letter, then up to {MAX_NAME - 1} letters, digits and _; no Python keyword."
        raise RefusedError(f'"{printable(name[: MAX_NAME + 1])}" is not a name', remedy)
    if name in FUNCTIONS or name in CONSTANTS or name in _MISREAD:
        remedy = "Write exp(1) for Euler's number, oo for infinity, log(a) for a function, or another name."
        raise RefusedError(f'"{name}" is not the name of a parameter', remedy)
    return name


def declared(expression: Expr) -> Expr:
    """Return the SymPy expression of a user with our symbols and without Floats."""
    floats = {number: exact_decimal(_decimal(number)) for number in expression.atoms(sympy.Float)}
    letters = {symbol: _letter(symbol) for symbol in expression.free_symbols}
    if len(set(letters.values())) < len(letters):
        raise RefusedError("two different symbols have the same name", "Use one of them throughout.")
    result = expression.xreplace({**floats, **letters})
    unreal = result.is_number and result.is_extended_real is False
    unknown = result.has(S.NaN, S.ComplexInfinity, S.ImaginaryUnit, AppliedUndef, *INFINITE)
    if result not in INFINITE and (unreal or unknown):
        raise RefusedError("this is not a finite real expression of known functions", REAL)
    return result


def _decimal(number: Any) -> Decimal:
    """Return the shortest decimal of a double, and the printed digits of any other precision."""
    double = float(number)
    return Decimal(repr(double) if number._prec == 53 and double == number else str(number))


def _letter(symbol: Any) -> Expr:
    if symbol.is_positive is False or not symbol.is_Symbol:
        raise RefusedError(f"{shown(symbol)} is not positive", "Parameters are: write -a for the negative.")
    return symbols.parameter(_checked(symbol.name))


def printable(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in text)


def shown(value: object) -> str:
    try:
        return printable(repr(value)[:80])
    except ValueError:  # an int of more than 4300 digits
        return f"a large {type(value).__name__}"
