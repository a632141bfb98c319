"""Trees of programs: what they are made of expressions, and how they are printed and changed."""

from __future__ import annotations

import math

import pytest
import sympy

from costderive.core.symbols import p
from costderive.numeric.many_digits import r
from costderive.numeric.program_tree import (
    PRECISE,
    PYTHON,
    Call,
    Name,
    Number,
    Operation,
    Program,
    body,
    lines,
    negated,
    number,
    product,
    quotient,
    total,
)
from costderive.numeric.tree_of import tree_of

A, B, C = map(Name, "abc")
HALF = sympy.Rational(1, 2)


def test_parentheses_keep_the_order_of_operations() -> None:
    printed = {
        "a - b + c": total(A, negated(B), C),
        "a - (b + c)": total(A, negated(total(B, C))),
        "a * (b * c)": product(A, product(B, C)),
        "a * b / c": quotient(product(A, B), C),
        "a / (b * c)": quotient(A, product(B, C)),
        "-(a + b)": negated(total(A, B)),
        "a * (-b)": product(A, negated(B)),
        "log(a + b)": Call("log", (total(A, B),)),
    }
    assert {text: PYTHON.text(tree) for text, tree in printed.items()} == {text: text for text in printed}


def test_no_two_minus_signs_meet() -> None:
    assert negated(negated(A)) == A
    assert PYTHON.text(negated(product(negated(A), B))) == "-(-a * b)"


def test_a_negative_double_is_the_opposite_of_a_number() -> None:
    assert number(-2.0) == Operation("-", (Number(2.0),))
    assert PYTHON.text(total(A, number(-2.0), number(-0.0))) == "a - 2.0 - 0.0"


@pytest.mark.parametrize(
    "expr",
    [
        p**2 / (6 * r**2),
        -p * (p + 2) / 3 - r**5,
        p ** (HALF * 3) / sympy.sqrt(r) - sympy.exp(-p) / 7,
        -1 / (p * (p + r) ** 3) + 4 * p ** sympy.Rational(2, 7),
        sympy.Mul(2, p + r, evaluate=False) - sympy.atan(p / r),
    ],
    ids=str,
)
def test_the_tree_of_an_expression_has_its_value(expr: sympy.Expr) -> None:
    names = {"p": 0.3, "r": 0.7, "sqrt": math.sqrt, "exp": math.exp, "power": pow, "arctan": math.atan}
    found = eval(PYTHON.text(tree_of(expr)), names)
    exact = expr.subs({p: sympy.Float(0.3, 40), r: sympy.Float(0.7, 40)})
    assert found == pytest.approx(float(exact), rel=2e-15)  # a few roundings


def test_a_number_beyond_doubles_has_no_tree() -> None:
    with pytest.raises(OverflowError):
        tree_of(p * 10**400)


def test_numbers_keep_more_digits_than_a_double_has() -> None:
    assert PYTHON.text(tree_of(sympy.Rational(1, 3))) == repr(1 / 3)
    assert PRECISE.text(tree_of(-sympy.Rational(1, 3))) == f"-number('0.{40 * '3'}')"


PROGRAM = Program((("x", total(A, B)), ("y", product(Name("x"), Name("x")))), quotient(Name("y"), A))


def test_a_program_is_printed_line_by_line() -> None:
    assert body(PROGRAM) == "    x = a + b\n    y = x * x\n    return y / a\n"


def test_assignments_are_put_in_the_place_of_names() -> None:
    assert PYTHON.text(PROGRAM.inlined()) == "(a + b) * (a + b) / a"


def test_what_a_program_assigns_can_be_renamed_but_not_its_inputs() -> None:
    renamed = PROGRAM.renamed("_1")
    assert lines(renamed.steps) == ["x_1 = a + b", "y_1 = x_1 * x_1"]
    assert PYTHON.text(renamed.result) == "y_1 / a"
