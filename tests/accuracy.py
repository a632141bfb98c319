"""How far compiled losses and derivatives are from 50 exact digits, at many doubles of [0, 1].

Run as ``python -m tests.accuracy [name ...] [--points N]`` it prints the largest error of each quantity, in units in
the last place, for the rules of the gallery and of the survey of contexts. Where a column is named after a
``complement`` or a ``logit``, arguments were given as these, at the ends, close to them, at random places, and one
double around every breakpoint; a logit within 1e-3 of that of a breakpoint has a column of its own.
"""

from __future__ import annotations

import argparse
import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import sympy

import costderive as cd
from costderive.core.piecewise import Pieces
from costderive.core.symbols import p
from costderive.core.time_limit import within
from costderive.costs.contexts import Context
from costderive.numeric import CompiledLoss, compile, reference
from costderive.numeric.compiled_loss import MANY_ROWS
from costderive.publish.gallery import SPEC, folders
from costderive.rules import Losses
from costderive.rules.loss_pair import LossPair
from costderive.spec.spec_file import Spec, load
from tests.survey import SURVEY

NAMED = (5e-324, 1e-300, 1e-16, 1e-8, 1e-3, 0.5, 1 - 1e-8, 1 - 1e-16)
SMALL = (5e-324, 1e-300, 1e-200, 1e-100, 1e-40, 1e-20, 1.1e-16, 1e-12, 1e-8, 1e-3, 0.2)
COMPLEMENTS = (*SMALL, 0.5, 0.7, *(1 - x for x in SMALL if 1e-16 < x < 0.2))
LOGITS = (1e-300, 1e-20, 1e-8, 0.2, 2.0, 5.0, 18.4, 36.1, 40.0, 92.1, 300.0, 690.7, 700.0)
NEAR = 1e-3  # of the logit of a breakpoint
QUANTITIES = ("loss0", "loss1", "slope0", "slope1", "curvature0", "curvature1")
SURE, LEAST = mpmath.mpf(10) ** -30, mpmath.mpf(10) ** -350  # what two values agree to, and what is 0
FOR_LEAST = 400  # digits of numbers about 1 that may differ by as little
Array = np.ndarray[Any, np.dtype[np.float64]]
DERIVATIONS = Path(__file__).parent.parent / "derivations"
TRIED = (  # entries of the gallery that the tests try, of every kind
    "additive",
    "euclidean",
    "geometric",
    "harmonic",
    "inverse-score",
    "maximum",
    "minimum",
    "rectangle-second-order",
)
MOST_INTEGRALS = 40  # points at which an integral is computed


def entries() -> dict[str, Spec]:
    """Return the specs of the gallery for two classes."""
    specs = {folder.name: load(folder / SPEC) for folder in folders(DERIVATIONS)}
    return {name: spec for name, spec in specs.items() if isinstance(spec.context, Context)}


def gallery(names: Iterable[str] | None = None) -> dict[str, cd.rule.ScoringRule]:
    """Return the rules of entries of the gallery, of all for two classes unless they are named, with their numbers."""
    specs = entries()
    return {name: _rule(specs[name]) for name in (specs if names is None else names)}


def _rule(spec: Spec) -> cd.rule.ScoringRule:
    derivation = spec.derive()
    assert isinstance(derivation, cd.Derivation)
    return derivation.rule.at(**spec.example)


def breakpoints(rule: cd.rule.ScoringRule) -> list[float]:
    """Return the breakpoints of the losses and of the weight as doubles."""
    case = rule.only_case
    weight = () if isinstance(case, LossPair) else case.weight.density.breaks
    found = {*case.loss0.breaks, *case.loss1.breaks, *weight}
    return sorted(float(at) for at in found)


def points(rule: cd.rule.ScoringRule, count: int, seed: int) -> Array:
    """Return the named doubles, breakpoints and their neighbours, and random ones around everything."""
    generator, at = np.random.default_rng(seed), breakpoints(rule)
    near = [math.nextafter(b, side) for b in at for side in (0, 1)]
    logit = generator.logistic(0, 20, count)
    high = logit > 0
    small = np.exp(-abs(logit)) / (1 + np.exp(-abs(logit)))
    around = [b + generator.choice([-1, 1], count) * 10 ** generator.uniform(-16, -1, count) for b in at]
    found = np.concatenate(
        [NAMED, at, near, generator.random(count), np.where(high, 1 - small, small), *around]
    )
    return np.unique(found[(found > 0) & (found < 1)])


def exact(rule: cd.rule.ScoringRule) -> dict[str, Callable[[float], Any]]:
    """Return the quantities as functions of a double, by closed forms in as many digits as cancel, or by integrals."""
    case = rule.only_case
    pieces = {"loss0": case.loss0, "loss1": case.loss1, **_slopes(case)}
    for label in (0, 1):
        pieces[f"curvature{label}"] = pieces[f"slope{label}"].map(_slope)
    closed = {name: _valued(pieces[name]) for name in QUANTITIES}
    if rule.closed_form:
        return closed
    return closed | {f"loss{label}": partial(reference, rule, label) for label in (0, 1)}


def _slope(expr: sympy.Expr) -> sympy.Expr:
    """Differentiate, and write the fraction that cancels least; factoring takes ``1 - erf(x)`` apart, however."""
    found = sympy.diff(expr, p)
    return found if found.has(sympy.erf, sympy.erfc) else sympy.factor(found)


SCALED = sympy.Function("scaled_erfc")  # exp(x^2) erfc(x), which neither underflows nor overflows


def _with_scaled_tails(expr: sympy.Expr) -> sympy.Expr:
    tails = expr.replace(lambda node: node.is_Add and node.has(sympy.erf), _tail)
    return tails.replace(lambda node: node.is_Mul and node.has(sympy.erfc), _scaled)


def _tail(node: sympy.Expr) -> sympy.Expr:
    """Write ``c - c erf(x)`` as ``c erfc(x)``, and ``c + c erf(x)`` as ``c erfc(-x)``: both may be far below c."""
    for term in node.args:
        factor, error = term.as_independent(sympy.erf, as_Add=False)
        for sign in (1, -1) if isinstance(error, sympy.erf) else ():
            if sign * factor in node.args:
                return node - term - sign * factor + sign * factor * sympy.erfc(-sign * error.args[0])
    return node


def _scaled(node: sympy.Expr) -> sympy.Expr:
    tails = [factor for factor in node.args if isinstance(factor, sympy.erfc)]
    powers = [factor for factor in node.args if isinstance(factor, sympy.exp)]
    if len(tails) != 1:
        return node
    (x,) = tails[0].args
    left = sympy.Add(*[power.args[0] for power in powers]) - x**2
    others = sympy.Mul(*[factor for factor in node.args if factor not in (*tails, *powers)])
    return others * sympy.exp(sympy.simplify(left)) * SCALED(x)


def _scaled_erfc(x: Any) -> Any:
    return (
        mpmath.hyperu(0.5, 0.5, x * x) / mpmath.sqrt(mpmath.pi)
        if x > 9
        else mpmath.exp(x * x) * mpmath.erfc(x)
    )


MODULES = [{"scaled_erfc": _scaled_erfc}, "mpmath"]


def _slopes(case: Losses | LossPair) -> dict[str, Pieces]:
    if isinstance(case, LossPair):
        losses = {"slope0": case.loss0, "slope1": case.loss1}
        return {name: loss.map(lambda value: sympy.diff(value, p)) for name, loss in losses.items()}
    weight = case.weight.density.map(lambda w: w.subs(case.weight.density.variable, p))
    return {"slope0": weight.map(lambda w: p * w), "slope1": weight.map(lambda w: (p - 1) * w)}


@dataclass(frozen=True)
class Argument:
    """A double that says what p is, under its name."""

    name: str
    double: float

    def p(self) -> Any:
        """Return p in the working precision."""
        if self.name == "logit":
            return 1 / (1 + mpmath.exp(-mpmath.mpf(self.double)))
        return 1 - mpmath.mpf(self.double) if self.name == "complement" else mpmath.mpf(self.double)

    def digits(self) -> int:
        """Return how many digits p and ``1 - p`` need."""
        if self.name == "logit":
            return 60 + int(2 * abs(self.double)) + int(-2 * math.log10(min(abs(self.double), 1.0) or 1.0))
        return 60 + int(-4 * math.log10(min(self.double, 1 - self.double) or 5e-324))


def _valued(pieces: Any) -> Callable[[Any], Any]:
    """Return a function of an argument, or of a double, which is p."""
    known = [
        (
            sympy.lambdify((), piece.high, "mpmath"),
            sympy.lambdify(p, _with_scaled_tails(piece.value), MODULES),
        )
        for piece in pieces
    ]

    def value(point: Argument | float) -> Any:
        at = point if isinstance(point, Argument) else Argument("p", point)
        digits = at.digits()
        last, found = _with(digits, known, at), _with(2 * digits, known, at)
        while _differ(last, found) or (abs(found) <= LEAST and digits < FOR_LEAST):
            digits *= 2
            last, found = found, _with(2 * digits, known, at)
        return found if abs(found) > LEAST else mpmath.mpf(0)

    return value


def _differ(last: Any, found: Any) -> bool:
    return bool(abs(found - last) > SURE * abs(found) and max(abs(found), abs(last)) > LEAST)


def _with(digits: int, known: list[tuple[Callable[[], Any], Callable[[Any], Any]]], at: Argument) -> Any:
    with mpmath.workdps(digits):
        x = at.p()
        return next(function for high, function in known if x <= high())(x)


def compiled(loss: CompiledLoss, name: str, at: Array, given: str = "y_proba") -> Array:
    """Return what the compiled object says of a quantity, of arguments with some name."""
    labels = np.full(len(at), int(name[-1]))
    method = {"loss": loss.per_sample, "slope": loss.gradient, "curvature": loss.hessian}[name[:-1]]
    return np.asarray(method(labels, **{given: at}))


def ulps(got: float, wanted: Any) -> float:
    """Return an error in units in the last place of the exact value."""
    rounded = float(wanted)
    return 0.0 if got == rounded else float(abs(wanted - float(got)) / math.ulp(rounded))


def worst(
    rule: cd.rule.ScoringRule, loss: CompiledLoss, count: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the largest error of each quantity, and where it is."""
    at, truth = points(rule, count, seed), exact(rule)
    few = at if rule.closed_form else at[:: 1 + len(at) // MOST_INTEGRALS]
    places = {name: few if name.startswith("loss") else at for name in QUANTITIES}
    return {name: _worst(_both_ways(loss, name, x), x, truth[name]) for name, x in places.items()}


def _both_ways(loss: CompiledLoss, name: str, at: Array) -> Array:
    """Return values of few rows, and of many, which may be read from panels, in two columns."""
    many = compiled(loss, name, np.resize(at, MANY_ROWS))[: len(at)]
    return np.column_stack([compiled(loss, name, at), many])


def _worst(values: Array, at: Any, truth: Callable[[Any], Any]) -> tuple[float, float]:
    wanted = map(truth, at)
    errors = [max(ulps(got, exactly) for got in row) for row, exactly in zip(values, wanted, strict=True)]
    place = int(np.argmax(errors))
    return errors[place], float(at[place])


def logits_of_breakpoints(rule: cd.rule.ScoringRule) -> list[float]:
    """Return the logits of the breakpoints as doubles."""
    return [float(mpmath.log(b / (1 - b))) for b in _exact_breakpoints(rule)]


def _exact_breakpoints(rule: cd.rule.ScoringRule) -> list[Any]:
    case = rule.only_case
    weight = () if isinstance(case, LossPair) else case.weight.density.breaks
    with mpmath.workdps(60):
        found = {*case.loss0.breaks, *case.loss1.breaks, *weight}
        return [sympy.lambdify((), at, "mpmath")() for at in found]


def arguments(rule: cd.rule.ScoringRule, name: str, count: int) -> Array:
    """Return arguments at all scales, random ones, and the doubles at and beside breakpoints."""
    generator = np.random.default_rng(5)
    if name == "complement":
        usual, edges = np.array(COMPLEMENTS), [float(1 - b) for b in _exact_breakpoints(rule)]
        drawn = np.concatenate([generator.random(count), 10 ** -generator.uniform(0, 20, count)])
    else:
        usual, edges = np.array([*LOGITS, *(-z for z in LOGITS)]), logits_of_breakpoints(rule)
        drawn = generator.logistic(0, 8, 2 * count)
    near = [math.nextafter(b, side) for b in edges for side in (-math.inf, math.inf)]
    wide = [b + side * 10.0**-k for b in edges for side in (1, -1) for k in (15, 12, 8, 4, 2)]
    found = np.unique(np.concatenate([usual, drawn, edges, near, wide]))
    return found[(found > 0) & (found < 1)] if name == "complement" else found


def worst_of_arguments(
    rule: cd.rule.ScoringRule, loss: CompiledLoss, kind: str, count: int
) -> dict[str, tuple[float, float]]:
    """Return the largest errors of losses, slopes or curvatures of complements and of logits, and where they are."""
    truth, found = exact(rule), {}
    for name in ("complement", "logit"):
        at = arguments(rule, name, count)
        close = np.zeros(len(at), bool)
        for edge in logits_of_breakpoints(rule) if name == "logit" else ():
            close |= abs(at - edge) < NEAR
        for places, column in ((at[~close], name), (at[close], "near")):
            if not len(places):
                continue
            for label in "01":
                values = compiled(loss, kind + label, places, name)
                given = [Argument(name, x) for x in places.tolist()]
                errors = [ulps(got, truth[kind + label](x)) for got, x in zip(values, given, strict=True)]
                most = int(np.argmax(errors))
                found[column] = max(found.get(column, (0.0, 0.0)), (errors[most], float(places[most])))
    return found


# ------------------------------------------------------------------------------------------------ the table

KINDS = ("loss", "slope", "curvature")
GIVEN = tuple(f"{kind[:5]} {name}" for kind in KINDS for name in ("c", "z", "z near"))
COLUMNS = (*QUANTITIES, *GIVEN)


def rules() -> dict[str, Callable[[], cd.rule.ScoringRule]]:
    """Return what derives the rules of the gallery and of the survey, with numbers for their parameters."""
    found = {name: (lambda spec=spec: _rule(spec)) for name, spec in entries().items()}
    for entry in SURVEY:
        found[f"survey: {entry.name}"] = lambda entry=entry: cd.derive(entry.build()).rule.at(**entry.numbers)
    return found


@functools.lru_cache(maxsize=1)
def _compiled(rule: cd.rule.ScoringRule) -> CompiledLoss:
    """Compile a rule once for all its columns: tasks go to the same child as long as none takes too long."""
    return compile(rule, time_limit=None)


def quantities(rule: cd.rule.ScoringRule, names: tuple[str, ...], count: int) -> dict[str, float]:
    """Compile a rule and return the largest error of each of these."""
    loss = _compiled(rule)
    if not rule.closed_form and names[0] in QUANTITIES[:2]:
        at = points(rule, 2, seed=11)[::4]
        truth = {f"loss{label}": lambda x, label=label: reference(rule, label, x) for label in (0, 1)}
        return {name: _worst(_both_ways(loss, name, at), at, truth[name])[0] for name in names}
    if names[0] in GIVEN:
        kind = KINDS[GIVEN.index(names[0]) // 3]
        if kind == "loss" and not rule.closed_form:
            return {}
        found = worst_of_arguments(rule, loss, kind, count // 20)
        return {
            name: found[argument][0]
            for name, argument in zip(names, ("complement", "logit", "near"), strict=True)
            if argument in found
        }
    at, truths = points(rule, count, seed=11), exact(rule)
    return {name: _worst(_both_ways(loss, name, at), at, truths[name])[0] for name in names}


def row(derive: Callable[[], cd.rule.ScoringRule], count: int, seconds: float) -> dict[str, str]:
    """Return the texts of a line: errors, or why there is none."""
    try:
        rule = derive()
    except Exception as problem:  # named in the table
        return dict.fromkeys(COLUMNS, type(problem).__name__[:9])
    found = dict.fromkeys(COLUMNS, "-")
    for names in (QUANTITIES[:2], QUANTITIES[2:4], QUANTITIES[4:], GIVEN[:3], GIVEN[3:6], GIVEN[6:]):
        try:
            errors = within(seconds, quantities, rule, names, count)
            found |= {
                name: f"{error:.2f}" if error < 1e4 else f"{error:.0e}" for name, error in errors.items()
            }
        except Exception as problem:  # named in the table
            found |= dict.fromkeys(names, type(problem).__name__[:9])
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of rules; without any, all of them")
    parser.add_argument("--points", type=int, default=300, help="random points of each kind (default 300)")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each step of a rule (default 120)")
    options = parser.parse_args()
    print(f"{'rule':<38}" + "".join(f"{name:>13}" for name in COLUMNS))
    for name, derive in rules().items():
        if not options.names or any(part in name for part in options.names):
            found = row(derive, options.points, options.seconds)
            print(f"{name:<38}" + "".join(f"{found[column]:>13}" for column in COLUMNS), flush=True)


if __name__ == "__main__":
    main()
