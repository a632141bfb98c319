"""Expressions as terms of Coq over its real numbers: exact, and nothing without a known meaning.

A term is a sum of products of powers of numerals, names, bracketed terms and functions applied to such. A name is
that of a parameter, or ``p`` for the report; it never hides a word of Coq or of the library.

>>> from costderive.symbols import p
>>> term(p**2 / (6 * (1 - p) ** 2)), term(-sympy.log(1 - p) / 2)
('p ^ 2 / (6 * (1 - p) ^ 2)', '- ln (1 - p) / 2')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import sympy
from sympy import Add, Expr, Function, Mul, Pow, Rational, Symbol

from costderive.core.curve_parameters import CurveParameter
from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.core.unevaluated import ordered_terms
from costderive.rules.hypergeometric import hyp2f1

MAX_EXPONENT, MAX_DIGITS, MAX_DEPTH = 1000, 1000, 200
SUM, PRODUCT, MINUS, POWER, CALL, ATOM = 50, 40, 35, 30, 10, 0  # the levels of Coq's notations

FUNCTIONS: Mapping[type[Expr], str] = {
    sympy.log: "ln",
    sympy.exp: "exp",
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.asin: "asin",
    sympy.atan: "atan",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.asinh: "arcsinh",
    sympy.Abs: "Rabs",
    sympy.erf: "erf",
    sympy.erfc: "erfc",
}
FROM_ANY = "tail_gamma"  # the upper incomplete Gamma function, whatever its first argument is


class PositivePower(Function):
    """A power of what is not negative, by a positive exponent, with its value at 0; Coq's ``Rpower 0 k`` is 1."""


class GammaOfPositive(sympy.gamma):
    """The Gamma function of what is positive by the facts on parameters, which SymPy does not know."""

    @classmethod
    def eval(cls, arg: Expr) -> None:  # it stays as it is
        """Leave the function as it is."""


BY_INTEGRALS: Mapping[type[Expr], str] = {  # with a positive first argument, and the incomplete one last
    sympy.gamma: "Gamma",
    GammaOfPositive: "Gamma",
    sympy.beta: "beta",
    sympy.betainc: "incomplete_beta",
    sympy.lowergamma: "lower_gamma",
    sympy.uppergamma: "upper_gamma",
    sympy.expint: "exponential_integral",
}
OF_TWO: Mapping[type[Expr], str] = {sympy.Min: "Rmin", sympy.Max: "Rmax", PositivePower: "positive_power"}
CONSTANTS: Mapping[Expr, tuple[str, int]] = {sympy.pi: ("PI", ATOM), sympy.E: ("exp 1", CALL)}
REWRITTEN: Mapping[type[Expr], type[Expr]] = {
    sympy.acosh: sympy.log,
    sympy.atanh: sympy.log,
    sympy.acos: sympy.asin,
    sympy.tan: sympy.cos,
    sympy.tanh: sympy.exp,
}
REMEDY = (
    "Coq gets powers, roots, logarithms, exponentials and their integrals, functions of angles, and Beta and Gamma"
    " functions."
)


def term(expr: Expr, variable: Symbol = p) -> str:
    """Return the term of an expression whose ``variable`` is written ``p``.

    Raises:
        ExportError: for a function without a form in Coq, a number that is not exact or is infinite, or an
            expression or a name that is too long.
    """
    return _Writer(variable).text(expr)


def atomic(expr: Expr, variable: Symbol = p) -> str:
    """Return a term in brackets, unless it is a single word."""
    return _Writer(variable).text(expr, ATOM)


def levelled(expr: Expr, variable: Symbol = p) -> tuple[str, int]:
    """Return a term and its level in Coq's grammar, which says where it needs brackets."""
    return _Writer(variable).read(expr)


def identifier(symbol: Symbol) -> str:
    """Return the name of a parameter in Coq: its own if that is one small letter and digits, else with a prefix.

    Raises:
        ExportError: if it is no name, or one of the report.
    """
    name = symbol.name if type(symbol) is Symbol else ""
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", name, re.ASCII) or name == "p":
        raise ExportError(f"{str(symbol)[:60]!r} cannot be a parameter in Coq", "Rename the parameter.")
    return name if re.fullmatch("[a-z][0-9]*", name) else f"the_{name}"


def identifiers(symbols: Iterable[Symbol]) -> tuple[str, ...]:
    """Return the names of parameters, in the order of their names.

    Raises:
        ExportError: if two of them have one name.
    """
    names = tuple(identifier(symbol) for symbol in sorted(symbols, key=str))
    if len(set(names)) < len(names):
        raise ExportError(f"two parameters have the same name among {', '.join(names)}", "Rename one.")
    return names


@dataclass(frozen=True, slots=True)
class _Writer:
    variable: Symbol
    depth: list[int] = field(default_factory=lambda: [0])

    def text(self, expr: Expr, level: int = SUM) -> str:
        """Return a term that can stand where Coq expects one of a level."""
        self.depth[0] += 1
        if self.depth[0] > MAX_DEPTH:
            raise ExportError(f"an expression is nested more than {MAX_DEPTH} deep", "Write it more simply.")
        found, own = self.read(expr)
        self.depth[0] -= 1
        return found if own <= level else f"({found})"

    def read(self, expr: Expr) -> tuple[str, int]:
        """Return a term with its level."""
        if expr in CONSTANTS:
            return CONSTANTS[expr]
        if isinstance(expr, Rational) and expr.is_finite:
            return self._rational(expr)
        if isinstance(expr, Symbol):
            return ("p" if expr == self.variable else identifier(expr)), ATOM
        if isinstance(expr, Add):
            return self._sum(expr)
        if isinstance(expr, Mul):
            return self._product(expr)
        if isinstance(expr, Pow):
            return self._power(expr)
        return self._application(expr)

    def _rational(self, number: Rational) -> tuple[str, int]:
        if number.is_negative:
            return f"- {self.text(-number, PRODUCT)}", PRODUCT if number.q > 1 else MINUS
        if max(number.p, number.q) >= 10**MAX_DIGITS:
            raise ExportError(f"a number has more than {MAX_DIGITS} digits", "Rescale the costs.")
        return (str(number.p), ATOM) if number.q == 1 else (f"{number.p} / {number.q}", PRODUCT)

    def _sum(self, expr: Add) -> tuple[str, int]:
        """Write terms that are added first: ``b - a``, not ``- a + b``."""
        parts = sorted(ordered_terms(expr), key=_is_subtracted)
        text = self.text(parts[0], PRODUCT)
        for part in parts[1:]:
            sign, size = ("-", -part) if _is_subtracted(part) else ("+", part)
            text += f" {sign} {self.text(size, PRODUCT if isinstance(size, Mul | Rational) else MINUS)}"
        return text, SUM

    def _product(self, expr: Mul) -> tuple[str, int]:
        if expr.as_coeff_Mul()[0].is_negative:
            return f"- {self.text(-expr, PRODUCT)}", PRODUCT
        above, below = _fraction(expr)
        top = " * ".join(self.text(factor, MINUS) for factor in above) or "1"
        if not below:
            return top, PRODUCT if len(above) > 1 else MINUS
        bottom = " * ".join(self.text(factor, MINUS) for factor in below)
        return f"{top} / {bottom if len(below) == 1 else f'({bottom})'}", PRODUCT

    def _power(self, expr: Pow) -> tuple[str, int]:
        base, exponent = expr.args
        if exponent.is_Rational and exponent.is_negative:
            return f"/ {self.text(Pow(base, -exponent), POWER)}", MINUS
        if exponent.is_Integer:
            return f"{self.text(base, CALL)} ^ {self._count(exponent)}", POWER
        if exponent == Rational(1, 2):
            return f"sqrt {self.text(base, ATOM)}", CALL
        if exponent.is_Rational and exponent.q == 2:
            return f"sqrt {self.text(base, ATOM)} ^ {self._count(Rational(exponent.p))}", POWER
        return f"Rpower {self.text(base, ATOM)} {self.text(exponent, ATOM)}", CALL

    def _count(self, exponent: Rational) -> str:
        if exponent > MAX_EXPONENT:
            raise ExportError(f"an exponent is above {MAX_EXPONENT}", "Coq counts exponents one by one.")
        return str(exponent)

    def _application(self, expr: Expr) -> tuple[str, int]:
        kind: type[Expr] = type(expr)
        if kind in REWRITTEN:
            return self.read(expr.rewrite(REWRITTEN[kind]))
        if kind in OF_TWO:
            return self._nested(OF_TWO[kind], list(expr.args)), CALL
        if isinstance(expr, sympy.betainc_regularized):
            return self.read(sympy.betainc(*expr.args) / sympy.beta(*expr.args[:2]))
        if kind is hyp2f1:
            return " ".join(["hypergeometric", *[self.text(arg, ATOM) for arg in expr.args]]), CALL
        if kind in BY_INTEGRALS:
            return self._integral(expr), CALL
        if kind not in FUNCTIONS:
            raise ExportError(f"there is no {_called(expr)} in Coq", REMEDY)
        return f"{FUNCTIONS[kind]} {self.text(expr.args[0], ATOM)}", CALL

    def _integral(self, expr: Expr) -> str:
        """Write a function that the library defines by its integral; one from 0 needs a positive exponent there."""
        name, shown = BY_INTEGRALS[type(expr)], list(expr.args)
        if isinstance(expr, sympy.expint):
            if shown.pop(0) != 1:
                raise ExportError(f"{_called(expr)} is of another order than 1", REMEDY)
            return f"{name} {self.text(shown[0], ATOM)}"
        if isinstance(expr, sympy.uppergamma) and not shown[0].is_positive:
            return f"{FROM_ANY} {' '.join(self.text(arg, ATOM) for arg in shown)}"
        if isinstance(expr, sympy.betainc) and shown.pop(2) != 0:
            raise ExportError(f"{_called(expr)} does not start at 0", REMEDY)
        exponents = shown if isinstance(expr, sympy.beta) else shown[: not isinstance(expr, GammaOfPositive)]
        if not all(exponent.is_positive for exponent in exponents):
            raise ExportError(f"{_called(expr)} has an argument that may be negative", REMEDY)
        return " ".join([name, *[self.text(arg, ATOM) for arg in shown]])

    def _nested(self, name: str, args: list[Expr]) -> str:
        rest = self.text(args[1], ATOM) if len(args) == 2 else f"({self._nested(name, args[1:])})"
        return f"{name} {self.text(args[0], ATOM)} {rest}"


def _is_subtracted(part: Expr) -> bool:
    return bool(part.as_coeff_Mul()[0].is_negative)


def _fraction(expr: Mul) -> tuple[list[Expr], list[Expr]]:
    """Return the factors above and below the line; those with a symbolic exponent stay above."""
    above, below = [], []
    for factor in expr.as_ordered_factors():
        base, exponent = factor.as_base_exp()
        if isinstance(factor, Rational):
            above += [Rational(factor.p)] if factor.p != 1 else []
            below += [Rational(factor.q)] if factor.q != 1 else []
        elif exponent.is_Rational and exponent.is_negative:
            below.append(Pow(base, -exponent))
        else:
            above.append(factor)
    return above, below


def _called(expr: Expr) -> str:
    """Name what cannot be written, without its arguments, which may be long."""
    if isinstance(expr, CurveParameter):
        return "root of an equation"
    if isinstance(expr, Function | sympy.Integral):
        return f"{type(expr).__name__}(...)"
    return str(expr)[:60]
