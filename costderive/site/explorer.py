"""The page to explore: losses as JavaScript from symbolic derivations, and their formulas with places for numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path
from types import MappingProxyType

import sympy
from sympy import Symbol
from sympy.core.relational import Relational

from costderive.core.piecewise import Atom, Piece, Pieces
from costderive.core.symbols import parameter
from costderive.costs import laws
from costderive.costs.contexts import (
    Additive,
    Context,
    FixedCosts,
    Independent,
    IndependentUniform,
    PowerMean,
)
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import derive
from costderive.programs.language_printer import formula
from costderive.programs.languages.javascript import JAVASCRIPT
from costderive.programs.program import of_formulas
from costderive.proof.checker import check
from costderive.proof.claims import Case
from costderive.publish import gallery
from costderive.publish.formulas.notation import tex
from costderive.publish.formulas.printing import latex
from costderive.publish.formulas.templates import template
from costderive.publish.words.displays import condition
from costderive.rules import Losses, Properness, ScoringRule
from costderive.site.frame import Page, framed
from costderive.site.incremental import made
from costderive.spec import load

_ROOM = resources.files("costderive.site")
_MODEL = replace(
    JAVASCRIPT,
    function=JAVASCRIPT.function.replace("export ", ""),
    frame="$helpers$pieces$functions\nreturn { cases, loss0, loss1, thresholdWeight };\n",
)
EXPONENTS = ("-oo", "-2", "-1", "-1/2", "0", "1/2", "1", "2", "oo")
GREEK = {parameter("nu"): Symbol("beta", positive=True)}  # which no parameter may be called: it is a function
QUANTITIES = ("loss0", "loss1", "thresholdWeight")


def contexts() -> Mapping[str, Context]:
    """Return the contexts that the page can show, by name; a bound that may be 0 is so in a context of its own.

    Costs between bounds are named by their bounds, ``0`` where a lower bound is 0, and a known cost by one letter; a
    power mean is named by its exponent.
    """
    rectangles = {
        f"bounds {a}b,{d}e": IndependentUniform(c0=(a, "b"), c1=(d, "e")) for a in ("a", 0) for d in ("d", 0)
    }
    known0 = {f"bounds a,{d}e": Independent(c0="a", c1=laws.uniform(d, "e")) for d in ("d", 0)}
    known1 = {f"bounds {a}b,d": Independent(c0=laws.uniform(a, "b"), c1="d") for a in ("a", 0)}
    known = {"bounds a,d": FixedCosts("a", "d")}
    means = {f"mean {k}": PowerMean(k, mean="m") for k in EXPONENTS}
    beta = Additive(density=laws.beta("alpha", "nu"))
    return {**rectangles, **known0, **known1, **known, **means, "beta": beta}


def files(root: Path) -> dict[str, bytes]:
    """Return the page and its models; what is in a gallery is read from its certificate, and checked."""
    rooms = _rooms(root)
    inputs = (room / name for room in rooms.values() for name in (gallery.SPEC, gallery.CERTIFICATE))
    program = made("models", [file for file in inputs if file.is_file()], partial(models, rooms))
    return framed([page()]) | {"assets/models.js": program.encode()}


def _rooms(root: Path) -> dict[Context, Path]:
    """Return the folders of a gallery whose contexts the page can show."""
    shown = set(contexts().values())
    starts = ((load(room / gallery.SPEC).start, room) for room in gallery.folders(root))
    return {start: room for start, room in starts if isinstance(start, Context) and start in shown}


def models(rooms: Mapping[Context, Path] = MappingProxyType({})) -> str:
    """Return the program that holds the rules of all contexts: ``MODELS[name]``.

    Contexts that have a folder in a gallery are read from there, the others are derived; all are checked.

    Each has ``loss0(p, parameters)``, ``loss1``, ``thresholdWeight(s, parameters)``, and ``cases``: for each set of
    facts ``holds(parameters)``, the atoms of the threshold weight, and the pieces of each function, whose ``tex`` has
    places ``N_k`` for the ``numbers(parameters)``.
    """
    parts = [
        f"MODELS[{json.dumps(name)}] = (() => {{\n{_model(context, rooms.get(context))}\n}})();"
        for name, context in contexts().items()
    ]
    return "\n".join(["const MODELS = {};", *parts, ""])


def page() -> Page:
    """Return the page on which a reader moves the parameters."""
    body = (_ROOM / "explore.html").read_text(encoding="utf-8")
    scripts = ("formula.js", "models.js", "quadrature.js", "explore.js")
    return Page("explore.html", "Explore", body, scripts)


def _model(context: Context, room: Path | None) -> str:
    """Return the body of a function that gives a rule."""
    derivation = _proved(context, room)
    cases = ",\n".join(_case(case, derivation.rule) for case in derivation.cases)
    return f"const cases = [\n{cases}\n];\n{of_formulas(derivation.rule, _MODEL)}"


def _proved(context: Context, room: Path | None) -> Derivation:
    if room is not None:
        entry = gallery.certified(room)
        assert isinstance(entry.derivation, Derivation)
        entry.report.require_proved()
        return entry.derivation
    derivation = derive(context)
    check(derivation).require_proved()
    return derivation


def _case(case: Case, rule: ScoringRule) -> str:
    """Return what holds under one set of facts."""
    proper = case.steps[-1].after
    assert isinstance(proper, Properness) and isinstance(proper.losses, Losses)
    losses, names = proper.losses, [symbol.name for symbol in rule.parameters]
    functions = (losses.loss0, losses.loss1, losses.weight.density)
    facts = [_holds(relation) for relation in case.given.relations()] or ["true"]
    strict = [f"[{formula(low, _MODEL)}, {formula(high, _MODEL)}]" for low, high in proper.strict]
    lines = [
        f"holds: {_of(names, ' && '.join(facts))}",
        f"when: {json.dumps(tex(condition(case.given)))}",
        f"strict: {_of(names, '[' + ', '.join(strict) + ']')}",
        f"atoms: [{', '.join(_atom(atom, names) for atom in losses.weight.atoms)}]",
        *[
            f"{name}: [\n{_pieces(pieces, names)}\n]"
            for name, pieces in zip(QUANTITIES, functions, strict=True)
        ],
    ]
    return "{\n" + ",\n".join(lines) + "\n}"


def _holds(relation: Relational) -> str:
    """Write a condition on parameters."""
    if isinstance(relation, sympy.Eq):
        return f"{formula(relation.lhs, _MODEL)} === {formula(relation.rhs, _MODEL)}"
    sign = ">" if isinstance(relation, (sympy.StrictGreaterThan, sympy.StrictLessThan)) else ">="
    return f"{formula(relation.gts - relation.lts, _MODEL)} {sign} 0"


def _of(names: list[str], value: str) -> str:
    """Return a function of the parameters."""
    return f"({{ {', '.join(names)} }}) => {value}"


def _atom(atom: Atom, names: list[str]) -> str:
    """Return where an atom is and how heavy, in letters and as functions of the parameters."""
    parts = {
        "at": _of(names, formula(atom.at, _MODEL)),
        "mass": _of(names, formula(atom.mass, _MODEL)),
        "letters": json.dumps([latex(atom.at), latex(atom.mass)]),
    }
    return _object(parts)


def _pieces(pieces: Pieces, names: list[str]) -> str:
    return ",\n".join(_piece(piece, pieces.variable, names) for piece in pieces)


def _piece(piece: Piece, variable: Symbol, names: list[str]) -> str:
    """Return one formula: where it ends, in letters, and with places for numbers."""
    found = template(piece.value, variable)
    numbers = ", ".join(formula(number, _MODEL) for number in found.numbers)
    parts = {
        "high": _of(names, formula(piece.high, _MODEL)),
        "end": json.dumps(latex(piece.high)),
        "letters": json.dumps(latex(piece.value.subs(GREEK))),
        "tex": json.dumps(found.tex),
        "numbers": _of(names, f"[{numbers}]"),
    }
    return _object(parts)


def _object(parts: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{key}: {value}' for key, value in parts.items())} }}"
