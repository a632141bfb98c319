"""How far compiled losses and derivatives are from 50 exact digits, at many doubles of [0, 1].

Run as ``python -m tests.accuracy [name ...] [--points N]`` it prints the largest error of each quantity, in units in
the last place, for the rules of the gallery and of the survey of contexts. ``complement`` and ``logit`` are of
losses of arguments given as these, the latter within 700 of 0; the smaller probability that a logit stands for is
right to three units, and a loss that goes with its square to twice as many more.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import sympy

import costderive as cd
from costderive.contexts import Context
from costderive.deadline import within
from costderive.gallery import SPEC, folders
from costderive.numeric import CompiledLoss, compile, reference
from costderive.pairs import LossPair
from costderive.pieces import Pieces
from costderive.rule import Losses
from costderive.spec.document import Spec, load
from costderive.symbols import p
from tests.survey import SURVEY

NAMED = (5e-324, 1e-300, 1e-16, 1e-8, 1e-3, 0.5, 1 - 1e-8, 1 - 1e-16)
SMALL = (5e-324, 1e-300, 1e-40, 1.1e-16, 1e-9, 1e-3, 0.2)  # probabilities of class 0
LOGITS = (-700.0, -300.0, -40.0, -5.0, -0.3, 0.2, 2.0, 36.1, 300.0, 700.0)
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


def gallery(names: Iterable[str] | None = None) -> dict[str, cd.rule.ScoringRule]:
    """Return the rules of entries of the gallery, of all for two classes unless they are named, with their numbers."""
    specs = {folder.name: load(folder / SPEC) for folder in folders(DERIVATIONS)}
    chosen = [name for name, spec in specs.items() if isinstance(spec.context, Context)]
    return {name: _rule(specs[name]) for name in (chosen if names is None else names)}


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
        pieces[f"curvature{label}"] = pieces[f"slope{label}"].map(
            lambda slope: sympy.factor(sympy.diff(slope, p))
        )
    closed = {name: _valued(pieces[name]) for name in QUANTITIES}
    if rule.closed_form:
        return closed
    return closed | {f"loss{label}": partial(reference, rule, label) for label in (0, 1)}


def _slopes(case: Losses | LossPair) -> dict[str, Pieces]:
    if isinstance(case, LossPair):
        losses = {"slope0": case.loss0, "slope1": case.loss1}
        return {name: loss.map(lambda value: sympy.diff(value, p)) for name, loss in losses.items()}
    weight = case.weight.density.map(lambda w: w.subs(case.weight.density.variable, p))
    return {"slope0": weight.map(lambda w: p * w), "slope1": weight.map(lambda w: (p - 1) * w)}


def _valued(pieces: Any) -> Callable[[Any], Any]:
    """Return a function of a double, or of its difference from 1 if that is given as a negative number."""
    known = [
        (sympy.lambdify((), piece.high, "mpmath"), sympy.lambdify(p, piece.value, "mpmath"))
        for piece in pieces
    ]

    def value(point: Any) -> Any:
        small = abs(point) if point < 0 else min(point, 1 - point)
        digits = 60 + int(-4 * mpmath.log10(small))
        last, found = _with(digits, known, point), _with(2 * digits, known, point)
        while _differ(last, found) or (abs(found) <= LEAST and digits < FOR_LEAST):
            digits *= 2
            last, found = found, _with(2 * digits, known, point)
        return found if abs(found) > LEAST else mpmath.mpf(0)

    return value


def _differ(last: Any, found: Any) -> bool:
    return bool(abs(found - last) > SURE * abs(found) and max(abs(found), abs(last)) > LEAST)


def _with(digits: int, known: list[tuple[Callable[[], Any], Callable[[Any], Any]]], point: Any) -> Any:
    with mpmath.workdps(digits):
        x = mpmath.mpf(point) + (point < 0)
        return next(function for high, function in known if x <= high())(x)


def compiled(loss: CompiledLoss, name: str, at: Array) -> Array:
    """Return what the compiled object says of a quantity."""
    labels = np.full(len(at), int(name[-1]))
    method = {"loss": loss.per_sample, "slope": loss.gradient, "curvature": loss.hessian}[name[:-1]]
    return method(labels, at)


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
    return {name: _worst(compiled(loss, name, x), x, truth[name]) for name, x in places.items()}


def _worst(values: Array, at: Any, truth: Callable[[Any], Any]) -> tuple[float, float]:
    errors = [ulps(got, truth(x)) for got, x in zip(values, at, strict=True)]
    place = int(np.argmax(errors))
    return errors[place], float(at[place])


def worst_of_arguments(rule: cd.rule.ScoringRule, loss: CompiledLoss) -> dict[str, tuple[float, float]]:
    """Return the largest error of losses of complements and of logits, and where it is."""
    truth, functions = exact(rule), (loss.loss0, loss.loss1)
    with mpmath.workdps(400):
        chances = [1 / (1 + mpmath.exp(-mpmath.mpf(z))) - (z > 0) for z in LOGITS]
    complements, logits = np.array(SMALL), np.array(LOGITS)
    found = {"complement": (0.0, 0.0), "logit": (0.0, 0.0)}
    for label, function in enumerate(functions):
        exactly = truth[f"loss{label}"]
        errors = _worst(function(complement=complements), SMALL, lambda r, f=exactly: f(-r))
        found["complement"] = max(found["complement"], errors)
        of = dict(zip(LOGITS, chances, strict=True))
        errors = _worst(function(logit=logits), LOGITS, lambda z, f=exactly, of=of: f(of[z]))
        found["logit"] = max(found["logit"], errors)
    return found


# ------------------------------------------------------------------------------------------------ the table

COLUMNS = (*QUANTITIES, "complement", "logit")


def rules() -> dict[str, Callable[[], cd.rule.ScoringRule]]:
    """Return what derives the rules of the gallery and of the survey, with numbers for their parameters."""
    found = {name: (lambda rule=rule: rule) for name, rule in gallery().items()}
    for entry in SURVEY:
        found[f"survey: {entry.name}"] = lambda entry=entry: cd.derive(entry.build()).rule.at(**entry.numbers)
    return found


def quantities(rule: cd.rule.ScoringRule, names: tuple[str, ...], count: int) -> dict[str, float]:
    """Compile a rule and return the largest error of each of these."""
    loss = compile(rule, time_limit=None)
    if not rule.closed_form and names[0].startswith("loss"):
        at = points(rule, 2, seed=11)[::4]
        truth = {f"loss{label}": lambda x, label=label: reference(rule, label, x) for label in (0, 1)}
        return {name: _worst(compiled(loss, name, at), at, truth[name])[0] for name in names}
    if names[0] in ("complement", "logit"):
        found = worst_of_arguments(rule, loss)
        return {name: found[name][0] for name in names}
    at, truths = points(rule, count, seed=11), exact(rule)
    return {name: _worst(compiled(loss, name, at), at, truths[name])[0] for name in names}


def row(derive: Callable[[], cd.rule.ScoringRule], count: int, seconds: float) -> dict[str, str]:
    """Return the texts of a line: errors, or why there is none."""
    try:
        rule = derive()
    except Exception as problem:  # told in the table
        return dict.fromkeys(COLUMNS, type(problem).__name__[:9])
    found = {}
    for names in (QUANTITIES[:2], QUANTITIES[2:4], QUANTITIES[4:], COLUMNS[6:]):
        try:
            errors = within(seconds, quantities, rule, names, count)
            found |= {
                name: f"{error:.2f}" if error < 1e4 else f"{error:.0e}" for name, error in errors.items()
            }
        except Exception as problem:  # told in the table
            found |= dict.fromkeys(names, type(problem).__name__[:9])
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of rules; without any, all of them")
    parser.add_argument("--points", type=int, default=300, help="random points of each kind (default 300)")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each step of a rule (default 120)")
    options = parser.parse_args()
    print(f"{'rule':<38}" + "".join(f"{name:>12}" for name in COLUMNS))
    for name, derive in rules().items():
        if not options.names or any(part in name for part in options.names):
            found = row(derive, options.points, options.seconds)
            print(f"{name:<38}" + "".join(f"{found[column]:>12}" for column in COLUMNS), flush=True)


if __name__ == "__main__":
    main()
