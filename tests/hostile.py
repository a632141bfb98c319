"""Certificates with anything put anywhere: each ends in an error of ours or a verdict, never in a bare exception.

``python -m tests.hostile COUNT SEED`` damages the certificates of the gallery at so many random places, reads and
checks each with a time limit, and prints what is neither refused in words nor decided, with its text on standard error.
"""

from __future__ import annotations

import json
import random
import sys
import traceback
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import costderive as cd
from costderive import batch, multiclass
from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Given
from costderive.core.time_limit import within
from costderive.derivation.certificates import document
from costderive.derivation.derivation import Derivation
from costderive.proof import checker
from costderive.proof.claims import Verdict
from tests.tampering import FAMILIES, at, decided, original, places, put

READ = (Derivation, multiclass.MulticlassDerivation, batch.BatchDerivation)
GALLERY = Path(__file__).parents[1] / "derivations"
SECONDS = 60.0
SLOW, BARE, SURVIVES = "slow", "bare ", "PROVED of something else"


def tree(head: str, *items: Any) -> list[Any]:
    """Return an expression as plain data; whole numbers become trees."""
    return [head, *[["Integer", str(item)] if isinstance(item, int) else item for item in items]]


def nested(levels: int) -> Any:
    """Return an expression of so many levels."""
    found: Any = ["Symbol", "p"]
    for _ in range(levels):
        found = ["exp", ["Mul", ["Rational", "1", "2"], found]]
    return found


P, A = ["Symbol", "p"], ["Symbol", "a"]
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**30, 0.5, 1e308, -0.0, "", "p", "PROVED", [], {}, [[]], ["tuple"]),
    *(
        {"type": "Given"},
        {"type": []},
        ["tuple", ["tuple"]],
        ["Integer", 1],
        ["Integer", "01"],
        ["Integer", "1" * 4000],
    ),
    *(["Rational", "1", "0"], ["Rational", "2", "4"], ["Symbol", "_r0"], ["Symbol", "lambda"], ["Symbol", 1]),
    *(["Symbol", name] for name in ("p", "q", "s", "t", "u", "x", "c0", "c1", "p0", "w0", "a", "y", "pi0")),
    *(["Infinity"], ["NegativeInfinity"], ["Pi"], ["Exp1"], ["Float", "0.5"], ["NaN"], ["nan"], ["I"]),
    *(tree("Integer"), tree("Add", 0, 0), tree("Add", 1, -1), tree("Mul", 0, ["Infinity"]), tree("log", 0)),
    *(
        tree("Pow", tree("Add", 1, -1), -1),
        tree("Pow", -1, ["Rational", "1", "2"]),
        tree("log", -2),
        tree("gamma", -3),
    ),
    *(
        tree("Pow", P, -1),
        tree("Pow", tree("Add", P, -1), -2),
        tree("log", tree("Add", P, -2)),
        tree("exp", tree("Pow", P, -1)),
    ),
    *(tree("Integral", P, P, 0, 1), tree("Integral", P, A, ["NegativeInfinity"], ["Infinity"])),
    *(tree("Integral", tree("Pow", P, -1), P, 0, 1), tree("Integral", P, 1, 0, 1)),
    *(
        tree("Max", P, A),
        tree("Min", P, tree("Add", 1, -1)),
        tree("Abs", tree("Add", P, -1)),
        tree("atan", ["Infinity"]),
    ),
    *(
        tree("betainc", 1, 2),
        tree("betainc", 0, 0, 0, 1),
        tree("lowergamma", 0, P),
        tree("expint", 0, 0),
        tree("acos", 7),
    ),
    *(nested(20), nested(90), nested(120)),
    *(tree("Mul", -1, A), tree("Add", A, tree("Mul", -1, A))),
)


def damaged(whole: Any, draw: random.Random) -> Any:
    """Return a copy of a document with one or two of its nodes replaced, moved, repeated or taken away."""
    copy = deepcopy(whole)
    for _ in range(draw.choice((1, 1, 1, 2))):
        spots = [
            path for path in places(copy) if path and path[0] not in ("findings", "verdict", "costderive")
        ]
        path = draw.choice(spots)
        act = draw.randrange(12)
        parent, key = at(copy, path[:-1]), path[-1]
        if act < 2:
            put(copy, path, deepcopy(draw.choice(VALUES)))
        elif act == 2:
            put(copy, path, deepcopy(at(copy, draw.choice(spots))))
        elif act == 3:
            del parent[key]
        elif act > 5:
            old, new = at(copy, path), draw.choice((*VALUES, at(copy, draw.choice(spots))))
            copy = exchanged(copy, old, deepcopy(new))
        elif isinstance(parent, list):
            parent.insert(
                draw.randrange(len(parent) + 1), deepcopy(draw.choice((parent[key], draw.choice(VALUES))))
            )
        else:
            parent[draw.choice(("x", "type", "given", "assumed"))] = deepcopy(draw.choice(VALUES))
    return copy


def exchanged(node: Any, old: Any, new: Any) -> Any:
    """Return a tree with something else wherever an equal part stands, so that later steps and the rule follow."""
    if type(node) is type(old) and node == old:
        return new
    if isinstance(node, dict):
        return {key: exchanged(item, old, new) for key, item in node.items()}
    return [exchanged(item, old, new) for item in node] if isinstance(node, list) else node


def fate(text: str, whole: Any) -> str:
    """Return how a text fares as a certificate: refused, or the verdict on it; else what went wrong."""
    try:
        found: str = within(SECONDS, _fate, text, whole)
    except TimeoutError:
        return SLOW
    return found


def _fate(text: str, whole: Any) -> str:
    try:
        read = document.read(text, READ, "hostile.json")
        verdict = cd.check(read).verdict
    except CostDeriveError as error:
        return "refused" if not _is_bare(str(error)) else f"{BARE}{error}"
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        here = [x for x in traceback.extract_tb(error.__traceback__) if "costderive" in x.filename][-1]
        return f"{BARE}{type(error).__name__}: {str(error)[:80]} at {here.name}:{here.lineno} < {where.name}"
    found = json.loads(read.to_json())
    parts = ("context",)
    same = (
        all(found["derivation"][x] == whole["derivation"][x] for x in parts)
        and found["rule"] == whole["rule"]
    )
    return verdict.name if verdict is not Verdict.PROVED or same else SURVIVES


def _is_bare(problem: str) -> bool:
    return any(
        f" {name}: " in problem
        for name in (
            "TypeError",
            "ValueError",
            "IndexError",
            "KeyError",
            "AttributeError",
            "AssertionError",
            "NotImplementedError",
            "ZeroDivisionError",
            "RecursionError",
            "OverflowError",
            "UnboundLocalError",
            "StopIteration",
            "AttributeError",
        )
    )


def documents() -> dict[str, Any]:
    """Return the certificates of the gallery, and of the families that are tampered with, as plain data."""
    found = {
        file.parent.name: json.loads(file.read_text()) for file in sorted(GALLERY.glob("*/certificate.json"))
    }
    return found | {family: json.loads(original(family).to_json()) for family in FAMILIES}


def main(count: int, seed: int) -> int:
    """Print what became of so many damaged certificates."""
    draw, fates, wholes = random.Random(seed), Counter(), documents()
    checker.decide = lambda claim, given=Given(): decided(claim, given)
    names = [name for name, whole in wholes.items() if len(json.dumps(whole)) < 120_000]
    for number in range(count):
        name = draw.choice(names)
        text = json.dumps(damaged(wholes[name], draw))
        found = fate(text, wholes[name])
        fates[found.partition(" ")[0] if found != SURVIVES else found] += 1
        if found in (SLOW, SURVIVES) or found.startswith(BARE):
            print(number, name, found[:300], flush=True)
            print(text, file=sys.stderr)
    print(fates)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
