"""A scoring rule as a program that stands alone: it imports neither costderive nor SymPy.

Formulas keep their digits: ``log(1 - p)`` becomes ``log1p(-p)``, constants are folded into the nearest
double, and where a loss starts from 0 a sum that would cancel gives way to its power series in p or
sqrt(p).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Symbol
from sympy.printing.str import StrPrinter

import costderive
from costderive.errors import ExportError
from costderive.export.languages.language import commented
from costderive.export.languages.sql import translated
from costderive.export.parametric_languages import TARGETS
from costderive.export.parametric_languages.shape import Steps, Target
from costderive.export.series import NEAR_END, Series, series_of
from costderive.pairs import LossPair
from costderive.pieces import Pieces
from costderive.rule import Losses, ScoringRule
from costderive.symbols import p

MAX_EXACT = 2**53
THRESHOLD_WEIGHT = "thresholdWeight"
ACCURACY = """\
Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
digits.\
"""
ABOUT = {
    "loss0": "the loss of p when the class is 0",
    "loss1": "the loss of p when the class is 1",
    THRESHOLD_WEIGHT: "the density of the threshold weight at s, its atoms apart",
}


def formulas(rule: ScoringRule, target: str = "numpy", *, title: str = "", dialect: str = "duckdb") -> str:
    """Return a program with ``loss0(p)``, ``loss1(p)`` and the loss of labels, whose arguments the parameters are.

    Target ``"numpy"`` works on NumPy arrays, ``"python"`` on single numbers with the standard library alone; both have
    ``loss(y_true, y_proba, sample_weight=None)``, and parameters of the rule become keyword arguments.
    ``"javascript"`` is a module with ``loss(y, p)`` and, unless the rule is improper, the density
    ``thresholdWeight(s)``; parameters are the properties of a last argument, as in ``loss0(p, {a: 1, b: 2})``.
    ``"c"`` has ``loss(y, p)`` with parameters as further arguments, in alphabetical order, and ``"sql"`` is a query, in
    a ``dialect`` of sqlglot, over a table whose columns they are. Facts about parameters are checked when a function is
    called: Python and JavaScript raise, C gives NaN and SQL NULL.

    Raises:
        ExportError: for an unknown target or dialect, a loss without closed form, a function that the target lacks, or
            a parameter whose name the program needs itself.
    """
    if not isinstance(rule, ScoringRule):
        raise ExportError(
            "programs have losses of two classes", "Score K classes with costderive.multiclass.compile."
        )
    if target not in TARGETS:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(TARGETS)}.")
    found = TARGETS[target]
    program = _Writer(rule, found).program()
    written = translated(program, dialect) if target == "sql" else program
    return commented(found.shape.comment, _about(rule, title, found)) + written


# ---- text around the formulas


def _about(rule: ScoringRule, title: str, target: Target) -> Iterator[str]:
    """Yield what a program says of itself, line by line."""
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}. p is the probability of class 1."
    for given, losses in rule.cases:
        facts = [f"{plain(fact)} > 0" for fact in given.positive]
        facts += [f"{plain(fact)} >= 0" for fact in given.nonnegative]
        yield from ["", f"If {' and '.join(facts)}:"] if facts else [""]
        for name, loss in (("loss0", losses.loss0), ("loss1", losses.loss1)):
            yield f"{name}(p) ="
            yield from [f"    {plain(piece.value)}    up to p = {plain(piece.high)}" for piece in loss]
    yield from ["", ACCURACY] if rule.parameters else []
    yield from ["", target.notes] if target.notes else []


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the losses of a rule in one target."""

    rule: ScoringRule
    target: Target

    @property
    def names(self) -> list[str]:
        """The names of the parameters, which become names in the program."""
        found = [symbol.name for symbol in self.rule.parameters]
        for name in found:
            if self.target.shape.is_taken(name, found) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
                raise ExportError(f"{name!r} cannot be a parameter in a program", "Rename the parameter.")
        return found

    @property
    def quantities(self) -> list[str]:
        """The functions of the program; a pair of losses that is not proper has no threshold weight."""
        weighed = all(isinstance(losses, Losses) for _, losses in self.rule.cases)
        return [name for name in self.target.quantities if weighed or name != THRESHOLD_WEIGHT]

    def program(self) -> str:
        """Return the program without its comment."""
        shape = self.target.shape
        losses = self.constants() + shape.between.join(map(self._function, self.quantities))
        helpers = self._helpers(losses)
        text = self.target.frame.format(
            losses=losses,
            helpers=helpers,
            parameters=shape.parameters(self.names),
            passed=shape.passed(self.names),
            exported=", ".join(self.quantities),
        )
        needs_math = "math." in losses + helpers and "import math" not in text and shape.has_powers
        return ("\nimport math\n" if needs_math else "") + text

    def _helpers(self, losses: str) -> str:
        """Return the helpers that the formulas use, and those that these use."""
        used: list[str] = []
        for name, text in self.target.helpers.items():
            used += [text] if re.search(rf"\b{name}\(", losses + "".join(used)) else []
        return "".join(used if self.target.shape.calls_ahead else reversed(used))

    def _function(self, quantity: str) -> str:
        shape, variable = self.target.shape, "s" if quantity == THRESHOLD_WEIGHT else "p"
        lines = [
            shape.check(shape.positive(shape.symbol(name)), f"{name} > 0 and finite") for name in self.names
        ]
        lines += [*self.target.prepared, *self._cases(quantity)]
        return shape.function(quantity, variable, self.names, ABOUT[quantity], lines)

    def _cases(self, quantity: str) -> Iterator[str]:
        """Yield the lines of all cases: what all need is checked first, and the last one has what is left."""
        shape, cases = self.target.shape, self.rule.cases
        shared = [fact for fact in cases[0][0].positive if all(fact in given.positive for given, _ in cases)]
        yield from map(self._check, shared)
        for given, losses in cases[:-1]:
            facts = [f"{self.text(fact)} > 0" for fact in given.positive if fact not in shared]
            facts += [f"{self.text(fact)} >= 0" for fact in given.nonnegative]
            yield from shape.branch(shape.both.join(facts), shape.steps(self._steps(losses, quantity)))
        given, losses = cases[-1]
        yield from [self._check(fact) for fact in given.positive if fact not in shared]
        yield from shape.branch("", shape.steps(self._steps(losses, quantity)))

    def _check(self, fact: Expr) -> str:
        return self.target.shape.check(f"{self.text(fact)} > 0", f"{plain(fact)} > 0")

    def _steps(self, losses: Losses | LossPair, quantity: str) -> Steps:
        """Return the formulas of a quantity; the threshold weight is a density, which has no values at 0 and 1."""
        if quantity == THRESHOLD_WEIGHT:
            density = losses.weight.density  # type: ignore[union-attr]
            rows = tuple((self.text(piece.high), self.text(piece.value)) for piece in density)
            return Steps("s", rows, self.target.nan, self.target.nan)
        label = int(quantity[-1])
        rows = tuple(self._formulas(losses.loss1 if label else losses.loss0, label))
        at0, at1 = _ends(losses, label)
        return Steps("p", rows, self.text(at0), self.text(at1))

    def _formulas(self, pieces: Pieces, label: int) -> Iterator[tuple[str, str]]:
        """Yield the end and the formula of each piece, with the series at the end where the loss is 0."""
        near = pieces.pieces[-1] if label else pieces.pieces[0]
        for piece in pieces:
            found = series_of(piece, label) if piece is near else None
            if found is not None and not label:
                yield self.text(NEAR_END), self._call(found, label)
            if found is not None and label:
                yield self.text(1 - NEAR_END), self.text(piece.value)
                yield self.text(sympy.S.One), self._call(found, label)
            else:
                yield self.text(piece.high), self.text(piece.value)

    def _call(self, series: Series, label: int) -> str:
        factor = "" if series.factor == 1 else f"({self.text(series.factor)}) * "
        shape, tables = self.target.shape, self._tables(label)
        name = tables[series.coefficients]
        return factor + shape.series(self.text(1 - p if label else p), series, name)

    def _tables(self, label: int) -> dict[tuple[float, ...], str]:
        """Return the names of the coefficients of the series that the formulas use."""
        losses = [x.loss1.pieces[-1] if label else x.loss0.pieces[0] for _, x in self.rule.cases]
        found = [series for series in (series_of(piece, label) for piece in losses) if series]
        distinct = dict.fromkeys(series.coefficients for series in found)
        return {
            numbers: f"NEAR_ZERO_{label}" + f"_{n}" * (n > 1) for n, numbers in enumerate(distinct, start=1)
        }

    def constants(self) -> str:
        """Return the tables of coefficients."""
        tables = [*self._tables(0).items(), *self._tables(1).items()]
        return "".join(self.target.shape.constants(name, numbers) for numbers, name in tables)

    def text(self, expr: Expr) -> str:
        """Return the formula of an expression in the target."""
        return formula(expr, self.target)


# ---- formulas


def formula(expr: Expr, target: Target) -> str:
    """Return the formula of an expression in a target.

    Raises:
        ExportError: if the expression is an integral, or has a function or a number that the target lacks.
    """
    if expr.has(Integral):
        remedy = "Give the parameters numbers, or use costderive.numeric.compile, which also integrates."
        raise ExportError("the loss has no closed form: it is left as an integral", remedy)
    try:
        return str(_Printer(target).doprint(_folded(_with_tails(expr))))
    except OverflowError:
        raise ExportError("a number in the loss is too large for a double", "Rescale the costs.") from None


class _Plain(StrPrinter):
    """Starts a sum with a term that is added, if there is one: b - a, not -a + b."""

    def _as_ordered_terms(self, expr: Expr, order: Any = None) -> list[Expr]:
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((term for term in terms if not term.could_extract_minus_sign()), terms[0])
        return [first, *[term for term in terms if term is not first]]


def _ends(losses: Losses | LossPair, label: int) -> tuple[Expr, Expr]:
    """Return the values of a loss at 0 and at 1."""
    if isinstance(losses, LossPair):
        if not losses.from_the_left:
            remedy = "Programs have losses that are continuous from the left."
            raise ExportError("a value at a breakpoint is not the one on its left", remedy)
        return losses.values[0].loss(label), losses.values[-1].loss(label)
    return (losses.worst1, sympy.S.Zero) if label else (sympy.S.Zero, losses.worst0)


def plain(expr: Expr) -> str:
    """Return an expression as text."""
    return str(_Plain().doprint(expr))


class _Printer(_Plain):
    """Prints an expression of known functions; everything else is refused."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target

    def _refusal(self, name: str) -> ExportError:
        return ExportError(
            f"there is no {name} in this target", f"Functions: {', '.join(self.target.names)}."
        )

    def emptyPrinter(self, expr: Any) -> str:
        raise self._refusal(type(expr).__name__)

    def _call(self, name: str, *args: Expr) -> str:
        if name not in self.target.names:
            raise self._refusal(name)
        found, texts = self.target.names[name], [self._print(arg) for arg in args]
        return found.format(*texts) if "{" in found else f"{found}({', '.join(texts)})"

    def _print_Function(self, expr: Expr) -> str:
        return self._call(expr.func.__name__, *expr.args)

    def _print_log(self, expr: Expr) -> str:
        argument = expr.args[0]
        return (
            self._call("log1p", argument - 1)
            if argument.is_Add and 1 in argument.args
            else self._call("log", argument)
        )

    def _print_asin(self, expr: Expr) -> str:
        """Write asin(sqrt(x)) as an angle in a triangle: asin itself loses half of the digits near 1."""
        base, exponent = expr.args[0].as_base_exp()
        if exponent == Rational(1, 2):
            return self._call("atan2", sympy.sqrt(base), sympy.sqrt(1 - base))
        return self._call("asin", expr.args[0])

    def _print_betainc(self, expr: Expr) -> str:
        """Write the integral from 0 to x, with 1 - x beside x: near 1 a program cannot tell x from its rounding."""
        a, b, low, high = expr.args
        if low != 0:
            raise self._refusal("betainc from another point than 0")
        return self._call("betainc", a, b, high, 1 - high)

    def _print_Abs(self, expr: Expr) -> str:
        return self._call("Abs", *expr.args)

    def _print_Pow(self, expr: Expr, rational: bool = False) -> str:
        if expr.exp == Rational(1, 2):
            return self._call("sqrt", expr.base)
        if expr.exp == -Rational(1, 2):
            return f"1/{self._call('sqrt', expr.base)}"
        if expr.exp == -1 or self.target.shape.has_powers:
            return str(super()._print_Pow(expr, rational=rational))
        return self.target.shape.power(self._print(expr.base), self._print(expr.exp))

    def _print_Symbol(self, expr: Symbol) -> str:
        return self.target.shape.symbol(expr.name)

    def _print_Float(self, expr: Expr) -> str:
        return self.target.shape.number(float(expr))

    def _print_Integer(self, expr: Expr) -> str:
        return self.target.shape.number(int(expr.p) if abs(expr.p) <= MAX_EXACT else float(expr.p))

    def _print_Rational(self, expr: Expr) -> str:
        number = self.target.shape.number
        exact = max(abs(expr.p), expr.q) <= MAX_EXACT
        return f"{number(int(expr.p))}/{number(int(expr.q))}" if exact else number(expr.p / expr.q)

    def _print_Infinity(self, expr: Expr) -> str:
        return self.target.infinity


def _with_tails(expr: Expr) -> Expr:
    """Write each ``c + c erf(z)`` as ``c erfc(-z)``, which does not cancel where it is small, and minus alike."""

    def joined(node: Expr) -> Expr:
        for term in node.args:
            factor, error = term.as_independent(sympy.erf, as_Add=False)
            for sign in (1, -1) if isinstance(error, sympy.erf) else ():
                if sign * factor in node.args:
                    tail = sympy.erfc(-sign * error.args[0], evaluate=False)
                    return node - term - sign * factor + sign * factor * tail
        return node

    return expr.replace(lambda node: isinstance(node, sympy.Add), joined)


def _folded(expr: Expr) -> Expr:
    """Replace each constant that is not rational, and its rational neighbours, by the nearest double."""
    if expr.is_Rational or expr.is_Symbol or expr.is_infinite:
        return expr
    if expr.is_number:
        return sympy.Float(str(expr.evalf(40)), precision=53)
    if not (expr.is_Add or expr.is_Mul):
        return expr.func(*map(_folded, expr.args), evaluate=False)
    numbers = [arg for arg in expr.args if arg.is_number]
    rest = [_folded(arg) for arg in expr.args if not arg.is_number]
    return expr.func(*([_folded(expr.func(*numbers))] if numbers else []), *rest, evaluate=False)
