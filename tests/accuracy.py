"""How far compiled losses and derivatives are from 50 exact digits, at many doubles of [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import sympy

import costderive as cd
from costderive.numeric import CompiledLoss
from costderive.symbols import p

NAMED = (5e-324, 1e-300, 1e-16, 1e-8, 1e-3, 0.5, 1 - 1e-8, 1 - 1e-16)
QUANTITIES = ("loss0", "loss1", "slope0", "slope1", "curvature0", "curvature1")
Array = np.ndarray[Any, np.dtype[np.float64]]


def gallery() -> dict[str, cd.rule.ScoringRule]:
    """Return the rules of the gallery; parameters are given numbers."""
    some = cd.IndependentUniform(c0=(1, 2), c1=(1, 3))
    contexts = {
        "additive": cd.Additive(budget=2),
        "euclidean": cd.PowerMean(2),
        "geometric": cd.Geometric(mean=1),
        "harmonic": cd.Harmonic(budget="1/2"),
        "independent-uniform": some,
        "inverse-score": cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
        "maximum": cd.PowerMean("oo"),
        "minimum": cd.PowerMean("-oo"),
    }
    return {name: cd.derive(context).rule for name, context in contexts.items()}


def breakpoints(rule: cd.rule.ScoringRule) -> list[float]:
    """Return the breakpoints of the losses and of the weight as doubles."""
    case = rule.only_case
    found = {*case.loss0.breaks, *case.loss1.breaks, *case.weight.density.breaks}
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
    """Return the quantities as functions of a double, by closed forms in as many digits as cancel."""
    case = rule.only_case
    pieces = {"loss0": case.loss0, "loss1": case.loss1}
    weight = case.weight.density.map(lambda w: w.subs(case.weight.density.variable, p))
    pieces |= {"slope0": weight.map(lambda w: p * w), "slope1": weight.map(lambda w: (p - 1) * w)}
    for label in (0, 1):
        pieces[f"curvature{label}"] = pieces[f"slope{label}"].map(
            lambda slope: sympy.factor(sympy.diff(slope, p))
        )
    return {name: _valued(pieces[name]) for name in QUANTITIES}


def _valued(pieces: Any) -> Callable[[float], Any]:
    known = [
        (sympy.lambdify((), piece.high, "mpmath"), sympy.lambdify(p, piece.value, "mpmath"))
        for piece in pieces
    ]

    def value(point: float) -> Any:
        with mpmath.workdps(60 + int(-4 * math.log10(min(point, 1 - point)))):
            x = mpmath.mpf(point)
            return next(function for high, function in known if x <= high())(x)

    return value


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
    found = {}
    for name in QUANTITIES:
        errors = [ulps(got, truth[name](x)) for got, x in zip(compiled(loss, name, at), at, strict=True)]
        place = int(np.argmax(errors))
        found[name] = errors[place], float(at[place])
    return found
