"""A scoring rule as a program that stands alone: it imports neither costderive nor SymPy.

Formulas keep their digits: ``log(1 - p)`` becomes ``log1p(-p)``, constants are folded into the nearest
double, and where a loss starts from 0 a sum that would cancel gives way to its power series in p or
sqrt(p).
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Integral, Rational
from sympy.printing.str import StrPrinter

import costderive
from costderive.errors import ExportError
from costderive.export.parametric_targets import CHECK, SERIES, TARGETS, Target
from costderive.export.series import NEAR_END, Series, series_of
from costderive.pairs import LossPair
from costderive.pieces import Given, Pieces
from costderive.rule import Losses, ScoringRule

MAX_EXACT = 2**53


def formulas(rule: ScoringRule, target: str = "numpy", *, title: str = "") -> str:
    """Return a program with ``loss0(p)``, ``loss1(p)`` and ``loss(y_true, y_proba, sample_weight=None)``.

    Target ``"numpy"`` works on NumPy arrays, ``"python"`` on single numbers with the standard library alone.
    Parameters of the rule become keyword arguments; the facts about them are checked when it is called.

    Raises:
        ExportError: for an unknown target, a loss without closed form, a function that the target lacks, or a
            parameter whose name the program needs itself.
    """
    if not isinstance(rule, ScoringRule):
        raise ExportError(
            "programs have losses of two classes", "Score K classes with costderive.multiclass.compile."
        )
    if target not in TARGETS:
        raise ExportError(f"target = {target!r} is not known", f"Targets: {', '.join(TARGETS)}.")
    writer = _Writer(rule, TARGETS[target])
    losses = f"{writer.constants()}\n{writer.function(0)}\n\n{writer.function(1)}".lstrip()
    signature = "".join([", *", *[f", {name}" for name in writer.names]]) if writer.names else ""
    frame = TARGETS[target].frame.format(losses=losses, parameters=signature, passed=writer.passed)
    if "(math." in losses and "import math" not in frame:
        frame = "\nimport math\n" + frame
    helpers = (SERIES if "_series(" in losses else "") + (CHECK if writer.names else "")
    return _docstring(rule, title) + frame + helpers


# ---- text around the formulas


def _docstring(rule: ScoringRule, title: str) -> str:
    lines = [title, "", f"Written by costderive {costderive.__version__}. p is the probability of class 1."]
    for given, losses in rule.cases:
        facts = [f"{plain(fact)} > 0" for fact in given.positive]
        facts += [f"{plain(fact)} >= 0" for fact in given.nonnegative]
        lines += ["", f"If {' and '.join(facts)}:"] if facts else [""]
        for name, loss in (("loss0", losses.loss0), ("loss1", losses.loss1)):
            lines += [
                f"{name}(p) =",
                *[f"    {plain(piece.value)}    up to p = {plain(piece.high)}" for piece in loss],
            ]
    text = "\n".join(lines if title else lines[2:])
    shown = "".join(c if c == "\n" or c.isprintable() else "?" for c in text)
    return '"""' + shown.replace("\\", "/").replace('"', "'") + '\n"""\n'


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the losses of a rule in one target."""

    rule: ScoringRule
    target: Target

    @property
    def names(self) -> list[str]:
        """The names of the parameters, which become names in the program."""
        own = {"np", "math", "loss", "loss0", "loss1", "y_true", "y_proba", "sample_weight", *dir(builtins)}
        found = [symbol.name for symbol in self.rule.parameters]
        for name in found:
            if name in own or keyword.iskeyword(name) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
                raise ExportError(f"{name!r} cannot be a parameter in a program", "Rename the parameter.")
        return found

    @property
    def passed(self) -> str:
        """The parameters as they are handed on in a call."""
        return "".join(f", {name}={name}" for name in self.names)

    def function(self, label: int) -> str:
        """Return the program text of the loss of one class."""
        signature = f"p, *, {', '.join(self.names)}" if self.names else "p"
        lines = [
            f"def loss{label}({signature}):",
            f'    """Return the loss of p when the class is {label}."""',
        ]
        lines += [f"    _check({name} > 0, {f'{name} > 0'!r})" for name in self.names]
        lines += ["    p = _probability(p)"]
        for number, (given, losses) in enumerate(self.rule.cases, start=1):
            lines += self._case(given, losses, label, last=number == len(self.rule.cases))
        return "\n".join(lines) + "\n"

    def _case(self, given: Given, losses: Losses | LossPair, label: int, last: bool) -> Iterator[str]:
        """Return the lines of one case; the facts of the last one are those that are left."""
        for fact in given.positive if last else ():
            yield f"    _check({self.text(fact)} > 0, {f'{plain(fact)} > 0'!r})"
        indent = "    "
        if not last:
            yield f"    if {' and '.join(f'{self.text(fact)} >= 0' for fact in given.nonnegative)}:"
            indent *= 2
        pieces = losses.loss1 if label else losses.loss0
        highs, formulas = zip(*self._formulas(pieces, label), strict=True)
        at0, at1 = _ends(losses, label)
        yield f"{indent}highs = ({', '.join(highs)}{',' * (len(highs) == 1)})"
        yield f"{indent}formulas = ("
        yield from [f"{indent}    lambda p: {formula}," for formula in formulas]
        yield f"{indent})"
        yield f"{indent}return _by_piece(p, highs, formulas, {self.text(at0)}, {self.text(at1)})"

    def _formulas(self, pieces: Pieces, label: int) -> Iterator[tuple[str, str]]:
        """Yield the end and the formula of each piece, with the series at the end where the loss is 0."""
        near = pieces.pieces[-1] if label else pieces.pieces[0]
        for piece in pieces:
            found = series_of(piece, label) if piece is near else None
            if found is not None and not label:
                yield self.text(NEAR_END), self._call(found, label)
            if found is not None and label:
                yield self.text(1 - NEAR_END), self.text(piece.value)
                yield "1", self._call(found, label)
            else:
                yield self.text(piece.high), self.text(piece.value)

    def _call(self, series: Series, label: int) -> str:
        factor = "" if series.factor == 1 else f"({self.text(series.factor)}) * "
        distance = "1 - p" if label else "p"
        return f"{factor}_series({distance}, {series.exponent!r}, {series.step!r}, NEAR_ZERO_{label})"

    def constants(self) -> str:
        """Return the coefficients of the series that the formulas use."""
        return "".join(map(self._coefficients, (0, 1)))

    def _coefficients(self, label: int) -> str:
        losses = [x.loss1.pieces[-1] if label else x.loss0.pieces[0] for _, x in self.rule.cases]
        found = [series for series in (series_of(piece, label) for piece in losses) if series]
        if not found:
            return ""
        rows = [found[0].coefficients[k : k + 4] for k in range(0, len(found[0].coefficients), 4)]
        lines = [f"    {', '.join(map(repr, row))}," for row in rows]
        return "\n".join([f"NEAR_ZERO_{label} = (", *lines, ")"]) + "\n\n"

    def text(self, expr: Expr) -> str:
        """Return the formula of an expression in the target."""
        if expr.has(Integral):
            remedy = "Give the parameters numbers, or use costderive.numeric.compile, which also integrates."
            raise ExportError("the loss has no closed form: it is left as an integral", remedy)
        try:
            return str(_Printer(self.target).doprint(_folded(_with_tails(expr))))
        except OverflowError:
            raise ExportError(
                "a number in the loss is too large for a double", "Rescale the costs."
            ) from None


# ---- formulas


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
        return f"{self.target.names[name]}({', '.join(self._print(arg) for arg in args)})"

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

    def _print_Abs(self, expr: Expr) -> str:
        return self._call("Abs", *expr.args)

    def _print_Pow(self, expr: Expr, rational: bool = False) -> str:
        if expr.exp == Rational(1, 2):
            return self._call("sqrt", expr.base)
        if expr.exp == -Rational(1, 2):
            return f"1/{self._call('sqrt', expr.base)}"
        return str(super()._print_Pow(expr, rational=rational))

    def _print_Float(self, expr: Expr) -> str:
        return repr(float(expr))

    def _print_Integer(self, expr: Expr) -> str:
        return str(expr.p) if abs(expr.p) <= MAX_EXACT else repr(float(expr.p))

    def _print_Rational(self, expr: Expr) -> str:
        exact = max(abs(expr.p), expr.q) <= MAX_EXACT
        return f"{expr.p}/{expr.q}" if exact else repr(expr.p / expr.q)

    def _print_Infinity(self, expr: Expr) -> str:
        return self.target.infinity


def _with_tails(expr: Expr) -> Expr:
    """Write each ``c + c erf(z)`` as ``c erfc(-z)``, which does not cancel where it is small."""

    def joined(node: Expr) -> Expr:
        for term in node.args:
            factor, error = term.as_independent(sympy.erf, as_Add=False)
            if isinstance(error, sympy.erf) and factor in node.args:
                return node - term - factor + factor * sympy.erfc(-error.args[0], evaluate=False)
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
