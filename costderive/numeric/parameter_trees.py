"""Rules with parameters as trees: formulas between breakpoints, in each case of facts about the parameters.

The trees have ``p``, ``r = 1 - p`` and the parameters by their names. They are what NumPy evaluates and what programs
in other languages print.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

import sympy
from sympy import Expr, Integral, Rational
from sympy.printing.str import StrPrinter

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import nonnegative
from costderive.numeric.closed_form import WELL_CONDITIONED
from costderive.numeric.loss_functions import derivative
from costderive.numeric.many_digits import r
from costderive.numeric.program_tree import Program, number
from costderive.numeric.tree_of import LOG1P, MORE_DIGITS, NAMES, SPECIAL, TAIL, program_of
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair

MOST_EXACT = 2**53  # the integers up to it are doubles
COMPLEMENT = {1 - p: r, p - 1: -r, 1 - r: p, r - 1: -p}
RENAMED = {
    r: sympy.Symbol(f"_{r.name}", positive=True)
}  # a parameter; names of others do not start like that
ENDS = (Approach(p, sympy.S.Zero, "+"), Approach(p, sympy.S.One, "-"))


@dataclass(frozen=True, slots=True)
class Fact:
    """An expression of the parameters that is positive, or, if it is not ``strict``, at least 0."""

    program: Program
    strict: bool
    text: str

    def __str__(self) -> str:
        return f"{self.text} {'>' if self.strict else '>='} 0"


@dataclass(frozen=True, slots=True)
class Stepwise:
    """A function on [0, 1]: its formulas, the inner breakpoints between them, and its values at 0 and at 1.

    A breakpoint belongs to the piece below it.
    """

    breaks: tuple[Program, ...]
    values: tuple[Program, ...]
    at_zero: Program
    at_one: Program


@dataclass(frozen=True, slots=True)
class Case:
    """Facts about parameters, and the functions of class 0 and of class 1 where they hold."""

    facts: tuple[Fact, ...]
    functions: tuple[Stepwise, Stepwise]


def cases(rule: ScoringRule, order: int = 0, wrt: str = "p") -> tuple[Case, ...]:
    """Return the losses of a rule in each of its cases, or their derivatives of the first or second order.

    Raises:
        ParametersLeftError: if there is no closed form.
        OverflowError: if a number is beyond the range of doubles.
    """
    return tuple(
        Case(
            tuple(_facts(given)),
            (step_function(given, losses, 0, order, wrt), step_function(given, losses, 1, order, wrt)),
        )
        for given, losses in rule.cases
    )


def _facts(given: Given) -> Iterator[Fact]:
    for facts, strict in ((given.positive, True), (given.weak, False)):
        yield from (Fact(formula(fact), strict, plain(fact)) for fact in facts)


def step_function(given: Given, losses: Losses | LossPair, label: int, order: int, wrt: str) -> Stepwise:
    """Return the loss of a class in a case, or a derivative."""
    if order:
        pieces = derivative(losses, label, order, wrt)
        first, last = pieces.pieces[0].value, pieces.pieces[-1].value
        return stepwise(pieces, _limit(first, ENDS[0], given), _limit(last, ENDS[1], given), given)
    return stepwise((losses.loss0, losses.loss1)[label], *end_values(losses, label), given)


def stepwise(pieces: Pieces, at_zero: Expr, at_one: Expr, given: Given) -> Stepwise:
    """Return the trees of a function by pieces."""
    return Stepwise(
        tuple(map(formula, pieces.breaks)),
        tuple(formula(with_quotients(piece, given)) for piece in pieces),
        formula(at_zero),
        formula(at_one),
    )


def end_values(losses: Losses | LossPair, label: int) -> tuple[Expr, Expr]:
    """Return the values of a loss at 0 and at 1."""
    if isinstance(losses, LossPair):
        return losses.values[0].loss(label), losses.values[-1].loss(label)
    return (losses.worst1, sympy.S.Zero) if label else (sympy.S.Zero, losses.worst0)


def _limit(value: Expr, end: Approach, given: Given) -> Expr:
    """Return a limit, or what the formula itself says at the end, where that depends on the parameters."""
    found = value_at(value, end, given)
    return value if found is None else found


# ------------------------------------------------------------------------------------------------ formulas


@functools.lru_cache(maxsize=4096)
def formula(expr: Expr) -> Program:
    """Return the program of an expression, with every constant folded into a double and 1 - p written as ``r``.

    Raises:
        ParametersLeftError: if the expression is an integral, or has a function that no program has.
        OverflowError: if a number is beyond the range of doubles.
    """
    if expr in (sympy.oo, -sympy.oo):
        return Program((), number(float(expr)))
    _require_functions(expr)
    written = expr.xreplace(RENAMED).xreplace(COMPLEMENT).replace(_is_linear, _balanced)
    rewritten = written.xreplace(WELL_CONDITIONED).replace(_is_special, _rewritten)
    return program_of(*_above_and_below(_with_tails(rewritten)))


def inner_name(name: str) -> str:
    """Return the name that a parameter has in programs."""
    return f"_{name}" if name == r.name else name


def numbers_for(letters: Iterable[object]) -> str:
    """Return what to do where losses cannot be computed at letters, or for all rules without them."""
    given = ", ".join(f"{name}=..." for name in sorted(map(str, letters)))
    if not given:
        return "costderive.numeric.compile integrates, and makes tables."
    return f"With numbers it can be tabulated: compile or export rule.at({given}), or write numbers in the costs."


def _require_functions(expr: Expr) -> None:
    remedy = numbers_for(expr.free_symbols - {p})
    if expr.has(Integral):
        raise ParametersLeftError("the loss has no closed form: it is left as an integral", remedy)
    for node in expr.atoms(sympy.Function):
        if node.func not in NAMES and node.func not in SPECIAL:
            raise ParametersLeftError(f"the loss has {node.func.__name__}, which programs lack", remedy)


def _above_and_below(expr: Expr) -> tuple[Expr, ...]:
    """Return an expression with its constants folded; a fraction that is a factor of it divides in the end."""
    constant, rest = expr.as_coeff_Mul()
    if constant.is_Rational and constant.q != 1 and max(abs(constant.p), constant.q) <= MOST_EXACT:
        return _folded(constant.p * rest), sympy.Integer(constant.q)
    return (_folded(expr),)


def _is_linear(node: Expr) -> bool:
    return (
        isinstance(node, sympy.Add) and node.has(p) and node.is_polynomial(p) and sympy.degree(node, p) == 1
    )


def _balanced(node: Expr) -> Expr:
    """Write ``a + (b - a) p`` as ``a r + b p``, where that is shorter: its terms cancel less, often not at all."""
    low = node.subs(p, 0)
    high, slope = sympy.expand(node.subs(p, 1)), sympy.expand(sympy.diff(node, p))
    if len(sympy.Add.make_args(high)) >= len(sympy.Add.make_args(slope)):
        return node
    return low * r + sympy.factor_terms(high) * p


def _is_special(node: Expr) -> bool:
    return isinstance(node, sympy.log | sympy.asin | sympy.betainc)


def _rewritten(node: Expr) -> Expr:
    """Write log(1 + x) as log1p(x), asin(sqrt(x)) as an angle of a triangle, betainc with what its argument lacks to 1.

    They lose digits otherwise: near 1, an angle loses half of them, and a program only knows its argument as rounded.
    """
    argument = node.args[0]
    if isinstance(node, sympy.log):
        return LOG1P(argument - 1) if argument.is_Add and 1 in argument.args else node
    if isinstance(node, sympy.asin):
        base, exponent = argument.as_base_exp()
        is_root = exponent == Rational(1, 2)
        return sympy.atan2(sympy.sqrt(base), sympy.sqrt(1 - base), evaluate=False) if is_root else node
    a, b, low, high = node.args
    if low != 0:
        raise ParametersLeftError(
            "programs lack betainc from another point than 0", "Give the parameters numbers."
        )
    return sympy.betainc(a, b, high, (1 - high).xreplace(COMPLEMENT), evaluate=False)


def with_quotients(piece: Piece, given: Given) -> Expr:
    """Write each ``c log(x) - c log(y)`` of which x is at least y as ``c log1p((x - y)/y)``, which does not cancel."""
    on = Interval(p, piece.low, piece.high)

    def joined(node: Expr) -> Expr:
        logs = {
            term: term.as_independent(sympy.log, as_Add=False) for term in node.args if term.has(sympy.log)
        }
        for (first, (factor, x)), (second, (other, y)) in permutations(logs.items(), 2):
            is_pair = factor == -other and x.func is y.func is sympy.log
            if is_pair and nonnegative(x.args[0] - y.args[0], on, given):
                beyond = (x.args[0] - y.args[0]) / y.args[0]
                return node - first - second + factor * LOG1P(beyond)
        return node

    return piece.value.replace(lambda node: isinstance(node, sympy.Add), joined)


def _with_tails(expr: Expr) -> Expr:
    """Write each ``c + c erf(z)`` as ``c erfc(-z)``, which does not cancel where it is small, and with minus too."""

    def joined(node: Expr) -> Expr:
        for term in node.args:
            factor, error = term.as_independent(sympy.erf, as_Add=False)
            for sign in (1, -1) if isinstance(error, sympy.erf) else ():
                if sign * factor in node.args:
                    tail = TAIL(-sign * error.args[0])
                    return node - term - sign * factor + sign * factor * tail
        return node

    return expr.replace(lambda node: isinstance(node, sympy.Add), joined)


def _folded(expr: Expr) -> Expr:
    """Replace each constant that is not rational, and its rational neighbours, by a number of many digits."""
    if expr.is_Rational or expr.is_Symbol or expr.is_infinite:
        return expr
    if expr.is_number:
        return expr.evalf(MORE_DIGITS)
    if not (expr.is_Add or expr.is_Mul):
        return expr.func(*map(_folded, expr.args), evaluate=False)
    numbers = [arg for arg in expr.args if arg.is_number]
    rest = [_folded(arg) for arg in expr.args if not arg.is_number]
    return expr.func(*([_folded(expr.func(*numbers))] if numbers else []), *rest, evaluate=False)


class _Plain(StrPrinter):
    """Starts a sum with a term that is added, if there is one: b - a, not -a + b."""

    def _as_ordered_terms(self, expr: Expr, order: object = None) -> list[Expr]:
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((term for term in terms if not term.could_extract_minus_sign()), terms[0])
        return [first, *[term for term in terms if term is not first]]


def plain(expr: Expr) -> str:
    """Return an expression as text."""
    return str(_Plain().doprint(expr))
