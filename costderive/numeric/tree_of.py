"""SymPy expressions as trees of programs, in which every number is a double and powers are products."""

from __future__ import annotations

import math

import sympy
from sympy import Expr, Pow

from costderive.core.unevaluated import ordered_terms
from costderive.numeric.program_tree import (
    Call,
    Name,
    Node,
    Number,
    Program,
    Step,
    negated,
    number,
    product,
    quotient,
    total,
)

LOG_P, LOG_R = sympy.Function("log_p"), sympy.Function("log_r")  # of (p, r): the logarithm of one of the two
NAMES = {  # functions that a closed form may hold, by NumPy's name: a row more is a function more
    sympy.log: "log",
    sympy.exp: "exp",
    sympy.asin: "arcsin",
    sympy.acos: "arccos",
    sympy.atan: "arctan",
    sympy.atan2: "arctan2",
    sympy.asinh: "arcsinh",
    sympy.acosh: "arccosh",
    LOG_P: "log_p",
    LOG_R: "log_r",
}
LOG1P, TAIL = (
    sympy.Function("log1p"),
    sympy.Function("tail"),
)  # erfc, where SymPy would turn erfc(-z) into 2 - erfc(z)
SPECIAL = {  # functions that formulas with parameters may hold besides, where a language has them
    LOG1P: "log1p",
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.atanh: "arctanh",
    sympy.Abs: "abs",
    sympy.erf: "erf",
    sympy.erfc: "erfc",
    TAIL: "erfc",
    sympy.gamma: "gamma",
    sympy.beta: "beta",
    sympy.betainc: "betainc",
}
ONE = Number(1.0)
MORE_DIGITS = 40


def tree_of(expr: Expr) -> Node:
    """Return the tree of an expression of symbols, numbers and the functions of :data:`NAMES`.

    Raises:
        OverflowError: if a number is beyond the range of doubles.
    """
    if expr.is_Number:
        return _number(expr)
    if expr.is_Symbol:
        return Name(expr.name)
    if expr.is_Add:
        return total(*map(tree_of, ordered_terms(expr)))
    if expr.is_Mul:
        return _product(expr)
    if expr.is_Pow:
        return _power(expr.base, expr.exp)
    return Call((NAMES | SPECIAL)[expr.func], tuple(map(tree_of, expr.args)))


def program_of(*parts: Expr, before: tuple[Step, ...] = ()) -> Program:
    """Return the program of an expression, or of the quotient of two, in which nothing is computed twice."""
    taken = {symbol.name for part in parts for symbol in part.free_symbols}
    names = (name for name in sympy.numbered_symbols() if name.name not in taken)
    shared, results = sympy.cse(parts, symbols=names)
    steps = tuple((name.name, tree_of(value)) for name, value in shared)
    trees = [tree_of(result) for result in results]
    return Program((*before, *steps), quotient(*trees) if len(trees) > 1 else trees[0])


def _number(expr: Expr) -> Node:
    value = float(expr)
    if math.isinf(value):
        raise OverflowError
    return number(value, str(sympy.N(expr, MORE_DIGITS)))


def _product(expr: Expr) -> Node:
    """Write the factors with negative powers as one denominator."""
    constant, rest = expr.as_coeff_Mul()
    factors = [*([] if abs(constant) == 1 else [abs(constant)]), *rest.as_ordered_factors()]
    above = [tree_of(factor) for factor in factors if not _is_below(factor)] or [ONE]
    below = [_power(factor.base, -factor.exp) for factor in factors if _is_below(factor)]
    found = quotient(product(*above), product(*below)) if below else product(*above)
    return negated(found) if constant < 0 else found


def _is_below(factor: Expr) -> bool:
    return isinstance(factor, Pow) and bool(factor.exp.is_Rational and factor.exp.is_negative)


def _power(base: Expr, power: Expr) -> Node:
    if base is sympy.E:
        return Call("exp", (tree_of(power),))
    if power.is_number and power.is_negative:
        return quotient(ONE, _power(base, -power))
    if power.is_Integer:
        return _multiplied(tree_of(base), int(power))
    if power.is_Rational and power.q == 2:
        root = Call("sqrt", (tree_of(base),))
        return root if power.p == 1 else product(_multiplied(tree_of(base), power.p // 2), root)
    return Call("power", (tree_of(base), tree_of(power)))


def _multiplied(base: Node, power: int) -> Node:
    """Multiply out an integer power: NumPy's own takes ten times as long beyond a square."""
    if power == 1:
        return base
    half = _multiplied(base, power // 2)
    return product(half, half, *([base] if power % 2 else []))
