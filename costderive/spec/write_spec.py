"""Specs written as TOML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import sympy
from sympy import Expr, Integer, S, Symbol

from costderive.core import symbols
from costderive.core.errors import SpecError
from costderive.core.piecewise import Pieces
from costderive.costs.contexts import CommonFactor, Context, Curve, Joint, Mixture, PowerMean
from costderive.costs.laws import ImproperLaw, Law, Name, Spread, cost_law_in, x
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, RandomThreshold, Threshold
from costderive.derivation.parts.costs_of_parts import CostsOfParts, name_of_part
from costderive.multiclass import CostMatrix, DirichletCosts, IndependentCosts
from costderive.multiclass.class_costs import ClassContext
from costderive.spec.context_kinds import KINDS
from costderive.spec.spec_file import Spec, parse


def to_toml(spec: Spec) -> str:
    """Write a spec as TOML, which `parse` reads back as an equal spec.

    Raises:
        SpecError: if a value of the context has no text in the grammar of costderive.
    """
    lines = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in _heading(spec)]
    lines += [f"threshold = {text}" for text in _threshold_written(spec.threshold)]
    lines += ["", "[context]", *[f"{key} = {value}" for key, value in _rows(spec.made_of or spec.context)]]
    if spec.expected:
        lines += ["", "[expected]", *_expected_rows("loss0", spec.expected.loss0)]
        lines += _expected_rows("loss1", spec.expected.loss1)
    if spec.example:
        lines += ["", "[example]", *[f"{name} = {_written(value)}" for name, value in spec.example.items()]]
    text = "\n".join(lines).lstrip() + "\n"
    if parse(text, "the spec that was written") != spec:
        raise SpecError(f"{spec.context} cannot be written as a spec", "Write the spec file yourself.")
    return text


def _heading(spec: Spec) -> list[tuple[str, str]]:
    return [(key, text) for key, text in (("title", spec.title), ("source", spec.source)) if text]


def _rows(context: Context | ClassContext | CostsOfParts) -> list[tuple[str, str]]:
    """Return the keys and values of a context; a power mean is written as such, whatever its special name."""
    if isinstance(context, IndependentCosts):
        return [("kind", json.dumps("class-costs")), ("costs", _written(context.costs))]
    if isinstance(context, DirichletCosts):
        rows = [(key, _written(getattr(context, key))) for key in ("shapes", "budget")]
        return [("kind", json.dumps("dirichlet")), *rows]
    if isinstance(context, CostMatrix):
        laws = [(key, getattr(context, key)) for key in ("reject", "factor")]
        rows = [(key, _written(value)) for key, value in laws if value is not None]
        rows += [("parts", _laws_written(context.parts))] if context.parts else []
        return [("kind", json.dumps("cost-matrix")), ("costs", _written(context.costs)), *rows]
    if isinstance(context, CostsOfParts):
        names = {letter: Symbol(name_of_part(letter)) for letter, _ in context.parts}
        rows = [(key, _written(getattr(context, key).xreplace(names))) for key in ("c0", "c1")]
        rows += [("parts", _laws_written(context.parts)), *_assumed(context.assuming)]
        return [("kind", json.dumps("parts")), *rows]
    if isinstance(context, CommonFactor):
        if isinstance(context.context, CommonFactor):
            raise SpecError(f"{context} has two factors", "A spec has one: multiply them.")
        return [*_rows(context.context), ("factor", _written(context.factor))]
    if isinstance(context, Mixture):
        parts = ", ".join(_part_written(weight, part) for weight, part in context.parts)
        return [("kind", json.dumps("mixture")), ("parts", f"[{parts}]")]
    name = next((name for name, kind in KINDS.items() if kind.build is type(context)), None)
    if name is None:
        raise SpecError(f"{context} has no kind in spec files", f"Kinds: {', '.join(KINDS)}.")
    values = [(field.name, getattr(context, field.name)) for field in fields(context)]  # type: ignore[arg-type]
    if isinstance(context, Joint):
        values = [("density", context.density), ("support", [f"{gap} >= 0" for gap in context.support])]
    assumed = context.density.assumed if isinstance(context, Curve) else ()
    letter = symbols.s if isinstance(context, PowerMean) else x
    rows = [
        (key, _written(value, letter if key == "density" else x))
        for key, value in values
        if value is not None
    ]
    return [("kind", json.dumps(name)), *rows, *_assumed(assumed)]


def _assumed(facts: tuple[Expr, ...]) -> list[tuple[str, str]]:
    return [("assuming", _written([f"{fact} > 0" for fact in facts]))] if facts else []


def _laws_written(parts: Iterable[tuple[Symbol, Law]]) -> str:
    return f"{{{', '.join(f'{name_of_part(letter)} = {_written(law)}' for letter, law in parts)}}}"


def _part_written(weight: Expr, part: Context) -> str:
    pairs = [("weight", _written(weight)), *_rows(part)]
    return "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"


def _threshold_written(threshold: Threshold) -> Iterator[str]:
    match threshold:
        case FixedThreshold(at=at) | DistortedThreshold(at=at):
            yield _written(at)
        case RandomThreshold(density=Law(name=Name() as name)):
            yield _written(name)
        case RandomThreshold(
            density=Law(spreads=(Spread(low=S.Zero, high=S.One, density=density),), masses=())
        ):
            yield f"{{density = {_written(density.subs(x, symbols.t))}}}"
        case RandomThreshold():
            raise SpecError(
                f"{threshold} cannot be written as a spec",
                "Spec files have random thresholds with a density on [0, 1].",
            )


def _expected_rows(name: str, loss: Pieces) -> list[str]:
    rows = [
        f"    {{up_to = {_written(piece.high)}, value = {json.dumps(str(piece.value))}}}," for piece in loss
    ]
    return [f"{name} = [", *rows, "]"]


def _written(value: Any, letter: Symbol = x) -> str:
    if isinstance(value, Law):
        return _law_written(value, letter)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, Integer):
        return str(value)
    return json.dumps(str(_in_small_letters(value) if isinstance(value, Expr) else value))


def _in_small_letters(expr: Expr) -> Expr:
    """Write functions whose names SymPy begins with a capital as the grammar has them."""
    for function in (sympy.Max, sympy.Min, sympy.Abs):
        expr = expr.replace(function, sympy.Function(function.__name__.lower()))
    return expr


def _law_written(law: Law, letter: Symbol) -> str:
    if len(law.masses) == 1 and not law.spreads:
        value = law.masses[0].value
        return _written(value if cost_law_in(str(value), "value") is None else f"known({value})")
    if law.name is not None:
        return _written(law.name)
    if not law.spreads:
        values, weights = ([getattr(m, key) for m in law.masses] for key in ("value", "probability"))
        return f"{{values = {_written(values)}, probabilities = {_written(weights)}}}"
    if len(law.spreads) != 1 or law.masses:
        raise SpecError(f"{law} has several parts", "Spec files have laws of one part; use a mixture.")
    spread = law.spreads[0]
    improper = ", improper = true" if isinstance(law, ImproperLaw) else ""
    density, support = _written(spread.density.subs(x, letter)), _written((spread.low, spread.high))
    return f"{{density = {density}, support = {support}{improper}}}"
