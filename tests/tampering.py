"""Certificates that someone has changed: every kind of change, made in one place and wherever it shows.

The one who tampers knows the format: what is changed is changed in the rule and in later steps too, where the change
would otherwise be seen at once. The context stays as it is, unless it is what is changed. ``python -m tests.tampering``
tries all of it on all families and prints how many changed certificates were refused when read, and how many by which
verdict; more than a sample takes minutes.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from typing import Any

import costderive as cd
from costderive import batch, multiclass
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.costs.contexts import (
    Additive,
    Curve,
    FixedCosts,
    Harmonic,
    IndependentUniform,
    Joint,
    Mixture,
)
from costderive.derivation.certificates import document
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation
from costderive.proof import checker
from costderive.proof.claims import Claim, Verdict
from costderive.rules import RepairedProperness

Document = dict[str, Any]
Path = tuple[Any, ...]
Edit = Callable[[Document], Document | None]

CASES: Path = ("derivation", "cases")
SURVIVES = "SURVIVE"
READ = (Derivation, multiclass.MulticlassDerivation, batch.BatchDerivation)
ENDS = ("low", "high", "at")
SEVERAL = ("SplitCell", "Cell", "GivenLosses")
PARTS = (
    "pieces",
    "signs",
    "atoms",
    "densities",
    "sheets",
    "slices",
    "inner",
    "areas",
    "lines",
    "values",
    "limits",
    "marks",
    "jumps",
    "cdfs",
    "moments",
    "of_class",
    "cells",
    "order",
    "losses",
    "integrals",
    "masses",
    "strict",
    "forecasts",
    "terms",
    "weights",
    "law",
    "flat",
    "regions",
    "rivals",
    "multipliers",
    "inside",
    "idle",
    "shares",
    "limited",
    "slopes",
)

FAMILIES: dict[str, Callable[[], Certified]] = {
    "additive": lambda: cd.derive(Additive()),
    "harmonic": lambda: cd.derive(Harmonic("d")),
    "rectangle": lambda: cd.derive(IndependentUniform(c0=(0, 1), c1=(0, 1))),
    "orders": lambda: cd.derive(IndependentUniform(c0=(1, "b"), c1=(1, 2))),
    "joint": lambda: cd.derive(Joint(2, "c0 + c1 <= 1")),
    "curve": lambda: cd.derive(Curve("x", "1 - x", "beta(2, 2)")),
    "atoms": lambda: cd.derive(Mixture(("1/3", Additive()), ("2/3", FixedCosts("a", 1)))),
    "laws": lambda: cd.derive(cd.Independent(c0="exponential(m)", c1="exponential(1)")),
    "fixed threshold": lambda: cd.derive(Additive(), threshold=cd.FixedThreshold("1/3")),
    "distorted threshold": lambda: cd.derive(FixedCosts(1, "b"), threshold=cd.DistortedThreshold("s^2")),
    "condition": lambda: cd.derive(FixedCosts("m", "n"), threshold=cd.FixedThreshold("k")),
    "random threshold": lambda: cd.derive(FixedCosts(1, "b"), threshold=cd.RandomThreshold("2*t")),
    "proper pair": lambda: cd.examine("-log(1-p)", "-log(p)"),
    "improper pair": lambda: cd.examine("p", "1 - p"),
    "tie": lambda: cd.examine("p^2 if p<=1/2; p^2+1", "(1-p)^2+1 if p<1/2; (1-p)^2"),
    "shares": lambda: multiclass.derive(multiclass.DirichletCosts((1, 2, 1), "B")),
    "squares": lambda: multiclass.derive(multiclass.IndependentCosts(("uniform(0, 1)",) * 3)),
    "masses": lambda: multiclass.derive(multiclass.IndependentCosts(({1: "1/3", 4: "2/3"}, "uniform(0, b)"))),
    "not affine": lambda: multiclass.not_affine(
        multiclass.derive(multiclass.DirichletCosts((1, 1, 1))), multiclass.brier()
    ),
    "with penalty": lambda: multiclass.penalised(multiclass.brier(), 3),
    "shared tie": lambda: multiclass.penalised(multiclass.log_score(), 3, ties="all"),
    "superior": lambda: multiclass.superior(multiclass.penalised(multiclass.log_score(), 3)),
    "not superior": lambda: multiclass.superior(multiclass.brier(), 3),
    "not superior for any": lambda: multiclass.superior(multiclass.brier()),
    "matrix": lambda: multiclass.derive(
        multiclass.CostMatrix([[0, 1, 2, 2], [1, 0, 1, 1], [2, 1, 0, 2]], reject="2/3")
    ),
    "uncertain part": lambda: multiclass.derive(
        multiclass.CostMatrix([[0, 1], ["2*m", 0]], parts={"m": "uniform(1, 2)"})
    ),
    "uncertain reject": lambda: multiclass.derive(
        multiclass.CostMatrix([[0, 1], ["b", 0]], reject="exponential(m)", factor="uniform(1, 2)")
    ),
    "any classes": multiclass.power,
    "norm": multiclass.pseudospherical,
    "entropy": lambda: multiclass.from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3),
    "no entropy": lambda: multiclass.from_entropy("p0^2 + p1^2", classes=2),
    "batch sum": lambda: batch.additive("q*(1 - q)", ("a", 2)),
    "batch norm": lambda: batch.homogeneous("5/2"),
    "batch ranks": batch.rank_based,
    "batch decisions": lambda: batch.lowest([["w0", "2 - 2*w0"], ["w0 + w1", "1/2"]], 2),
    "batch entropy": lambda: batch.from_entropy("-w0^2 - w1^2 - w0*w1", 2),
    "no batch entropy": lambda: batch.from_entropy("w0*w1", 2),
    "batch area": batch.auc_alone,
}

NO_COSTS = ("any classes", "norm", "shared tie", "not superior", "not superior for any")
BATCHES = ("batch norm", "batch ranks", "batch decisions", "batch entropy", "no batch entropy", "batch area")
WITHOUT = {  # kinds of changes, and the families in which there is nothing to change
    "breakpoint": ("matrix", *NO_COSTS, "entropy", "no entropy", *BATCHES),
    "classes swapped": ("matrix", "uncertain part", "uncertain reject", *NO_COSTS, *BATCHES),
    "coefficient": ("batch ranks", "no batch entropy"),
    "part missing": NO_COSTS,
}


@cache
def original(family: str) -> Certified:
    """Derive what is tampered with, once."""
    return FAMILIES[family]()


@cache
def _document(family: str) -> Document:
    derivation = original(family)
    document: Document = json.loads(derivation.to_json(cd.check(derivation)))
    return document


# ---- the parts of a document


def places(tree: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path to every node of a JSON tree."""
    yield path
    inner = enumerate(tree) if isinstance(tree, list) else tree.items() if isinstance(tree, dict) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def at(tree: Any, path: Path) -> Any:
    """Return the node at a path."""
    for key in path:
        tree = tree[key]
    return tree


def put(tree: Any, path: Path, new: Any) -> None:
    """Put something else at a path."""
    at(tree, path[:-1])[path[-1]] = new


def cases(whole: Document) -> list[Any]:
    """Return the cases of a document, without the word that they start with."""
    found: list[Any] = whole["derivation"]["cases"][1:]
    return found


def _is(node: Any, *types: str) -> bool:
    return isinstance(node, dict) and node.get("type") in types


def expressions(whole: Document) -> list[Path]:
    """Return the paths of all expressions after the context that are no part of another one."""
    return list(_expressions(whole["derivation"]["cases"], ("derivation", "cases")))


def _expressions(node: Any, path: Path) -> Iterator[Path]:
    if isinstance(node, dict):
        for key, item in node.items():
            if not _is_context(path, key):
                yield from _expressions(item, (*path, key))
    elif isinstance(node, list) and node[0] == "tuple":
        for index, item in enumerate(node[1:], start=1):
            yield from _expressions(item, (*path, index))
    elif isinstance(node, list):
        yield path


def _is_context(path: Path, key: str) -> bool:
    return key == "before" and path[-2:] == ("steps", 1)


def everywhere(document: Document, change: Callable[[Any], Any]) -> None:
    """Change every node of the cases and of the rule, but not the context that they start from."""
    document["derivation"]["cases"] = _mapped(document["derivation"]["cases"], change)
    document["rule"] = _mapped(document["rule"], change)
    for case in cases(document):
        case["steps"][1]["before"] = document["derivation"]["context"]


def _mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, dict):
        return change({key: _mapped(item, change) for key, item in node.items()})
    return change([_mapped(item, change) for item in node] if isinstance(node, list) else node)


# ---- kinds of changes: each yields edits, which change a copy of the document


def _negated(tree: Any) -> Any:
    return ["Mul", ["Integer", "-1"], tree]


def _sign(whole: Document) -> Iterator[Edit]:
    for path in expressions(whole):
        if at(whole, path) != ["Integer", "0"]:
            yield from _both(whole, path, _negated)


def _coefficient(whole: Document) -> Iterator[Edit]:
    for path in expressions(whole):
        for inner in _integers(at(whole, path)):
            yield from _both(whole, path, lambda tree, inner=inner: _raised(tree, inner))


def _integers(tree: Any) -> list[Path]:
    return [path for path in places(tree) if isinstance(x := at(tree, path), list) and x[:1] == ["Integer"]]


def _raised(tree: Any, path: Path) -> Any:
    """Add one to a whole number inside a tree."""
    other = deepcopy([tree])
    put(other, (0, *path), ["Integer", str(int(at(tree, path)[1]) + 1)])
    return other[0]


def _both(whole: Document, path: Path, change: Callable[[Any], Any]) -> Iterator[Edit]:
    """Change an expression in one place, and, if it is no number or letter, wherever it stands."""
    old = at(whole, path)
    yield lambda document: put(document, path, change(old))
    if old[0] not in ("Integer", "Rational", "Symbol"):
        yield lambda document: everywhere(document, lambda node: change(old) if node == old else node)


def _breakpoint(whole: Document) -> Iterator[Edit]:
    for path in expressions(whole):
        if path[-1] in ENDS:
            old = at(whole, path)
            new = ["Mul", ["Rational", "1", "2"], ["Add", ["Integer", "1"], old]]
            yield lambda document, path=path, new=new: put(document, path, new)
            if old not in (["Integer", "0"], ["Integer", "1"]):
                yield lambda document, old=old, new=new: everywhere(
                    document, lambda node: _moved(node, old, new)
                )


def _moved(node: Any, old: Any, new: Any) -> Any:
    return (
        {k: new if k in ENDS and x == old else x for k, x in node.items()} if isinstance(node, dict) else node
    )


def _swapped(whole: Document) -> Iterator[Edit]:
    yield lambda document: everywhere(document, _exchanged)
    for path in places(whole["derivation"]["cases"]):
        node = at(whole["derivation"]["cases"], path)
        if _is(node, "Losses", "LossPair", *SEVERAL) and path[-3:] != ("steps", 1, "before"):
            yield lambda document, path=path, node=node: put(document, CASES + path, _exchanged(node))


def _exchanged(node: Any) -> Any:
    if _is(node, *SEVERAL):
        head, first, second, *others = node["losses"]
        return {**node, "losses": [head, second, first, *others]}
    pairs = {"loss0": "loss1", "worst0": "worst1", "loss1": "loss0", "worst1": "worst0"}
    return {k: node[pairs.get(k, k)] for k in node} if _is(node, "Losses", "LossPair", "Value") else node


def _missing(whole: Document) -> Iterator[Edit]:
    """Leave out a part, with its sign if it is a piece, in one place and wherever there are as many."""
    for path in places(whole["derivation"]["cases"]):
        parts = at(whole["derivation"]["cases"], path)
        known = path and path[-1] in PARTS and isinstance(parts, list) and parts[:1] == ["tuple"]
        if known and ("steps", 1, "before") not in zip(path, path[1:], path[2:], strict=False):
            length = len(parts)
            for index in range(1, length):
                yield lambda document, path=path, index=index: _delete(document, (*CASES, *path, index))
                yield lambda document, index=index, length=length: _delete_all(document, index, length)


def _delete(document: Document, path: Path) -> None:
    del at(document, path[:-1])[path[-1]]


def _delete_all(document: Document, index: int, length: int) -> None:
    everywhere(document, lambda node: _without(node, index, length))


def _without(node: Any, index: int, length: int) -> Any:
    if not isinstance(node, dict):
        return node
    return {
        k: x[:index] + x[index + 1 :] if k in PARTS[:3] and isinstance(x, list) and len(x) == length else x
        for k, x in node.items()
    }


def _removed(whole: Document) -> Iterator[Edit]:
    for number, case in enumerate(cases(whole)):
        for index in range(1, len(case["steps"])):
            for linked in (False, True):
                yield lambda document, number=number, index=index, linked=linked: _cut(
                    cases(document)[number]["steps"], index, linked
                )


def _cut(steps: list[Any], index: int, linked: bool) -> None:
    """Remove a step; the next one may then start from where it started."""
    gone = steps.pop(index)
    if linked and index < len(steps):
        steps[index]["before"] = gone["before"]


def _spliced(whole: Document) -> Iterator[Edit]:
    """Put in one step, or all from one step on, of another derivation; the rule follows."""
    for family in FAMILIES:
        if _document(family) == whole:
            continue
        shorter = min(len(cases(x)[0]["steps"]) for x in (whole, _document(family)))
        for index in range(1, shorter):
            for tail in (False, True):
                yield lambda document, family=family, index=index, tail=tail: _splice(
                    document, family, index, tail
                )


def _splice(document: Document, family: str, index: int, tail: bool) -> None:
    other, steps = deepcopy(_document(family)), cases(document)[0]["steps"]
    foreign, start = cases(other)[0]["steps"], steps[index]["before"]
    if tail:
        steps[index:], document["rule"][0] = foreign[index:], other["rule"][0]
    else:
        steps[index] = foreign[index]
    steps[index]["before"] = start


def _forged(whole: Document) -> Iterator[Edit]:
    """Say that all is proved of a first result that is wrong, with findings or without."""
    for wrong in islice(_sign(whole), 0, None, 9):
        yield lambda document, wrong=wrong: {**applied(wrong, document), "verdict": "PROVED"}
        yield lambda document, wrong=wrong: {**applied(wrong, document), "findings": []}


def _assumption(whole: Document) -> Iterator[Edit]:
    """Weaken or strengthen what is assumed of the parameters in a case, or leave out a case."""
    letter = ["Symbol", "b"]
    for number, case in enumerate(cases(whole)):
        for kind in ("positive", "nonnegative"):
            facts = case["given"][kind]
            lists = [facts[:k] + facts[k + 1 :] for k in range(1, len(facts))]
            lists += [
                [*facts, fact] for fact in (letter, _negated(letter), ["Add", ["Integer", "-9"], letter])
            ]
            for new in lists:
                yield lambda document, number=number, kind=kind, new=new: _assume(document, number, kind, new)
        if len(cases(whole)) > 1:
            yield lambda document, number=number: _leave_out(document, number)


def _assume(document: Document, number: int, kind: str, facts: Any) -> None:
    cases(document)[number]["given"][kind] = document["rule"][number]["given"][kind] = facts


def _leave_out(document: Document, number: int) -> None:
    del document["derivation"]["cases"][number + 1], document["rule"][number]


def _context(whole: Document) -> Iterator[Edit]:
    """Put another context at the start of the same steps."""
    own = whole["derivation"]["context"]
    others = [_document(family)["derivation"]["context"] for family in FAMILIES]
    for other in others + [_raised(own, path) for path in _integers(own)]:
        for steps_too in (False, True):
            yield lambda document, other=other, steps_too=steps_too: _start_from(document, other, steps_too)


def _start_from(document: Document, context: Any, steps_too: bool) -> None:
    document["derivation"]["context"] = context
    for case in cases(document) if steps_too else ():
        case["steps"][1]["before"] = context


KINDS: dict[str, Callable[[Document], Iterator[Edit]]] = {
    "sign": _sign,
    "coefficient": _coefficient,
    "breakpoint": _breakpoint,
    "classes swapped": _swapped,
    "part missing": _missing,
    "step removed": _removed,
    "step spliced in": _spliced,
    "findings forged": _forged,
    "assumption": _assumption,
    "context": _context,
}


def applied(edit: Edit, document: Document) -> Document:
    """Return the document that an edit makes of a copy."""
    copy = deepcopy(document)
    return edit(copy) or copy


# ---- what becomes of them


@cache
def decided(claim: Claim, given: Any) -> Any:
    """Decide a claim once: certificates that differ in one place share most of their claims."""
    return _decide(claim, given)


_decide = checker.decide


def fate(family: str, changed: Document) -> str:
    """Return how a changed certificate fares: refused when read, or the verdict on what was read."""
    try:
        read = document.read(json.dumps(changed), READ)
    except SpecError:
        return "refused"
    checker.decide = lambda claim, given=Given(): decided(claim, given)
    try:
        verdict = cd.check(read, time_limit=None).verdict  # here, where decisions are kept
    except SpecError:
        return "refused"
    except (
        Exception
    ) as error:  # objects that no move ever made may fail in any way; the command says so in words
        return type(error).__name__
    finally:
        checker.decide = _decide
    same = _theorem(read) == _theorem(original(family))
    return verdict.name if verdict is not Verdict.PROVED else "PROVED of the same" if same else SURVIVES


def _theorem(derivation: Certified) -> tuple[Any, ...]:
    """Return the theorem; without their last step, those that say more than properness still say so much."""
    reached = [case.steps[-1].after for case in derivation.cases]
    without = {RepairedProperness: "improper", multiclass.NotAffine: "proper"}
    said = [getattr(x, without[type(x)]) if type(x) in without else x for x in reached]
    return derivation.context, derivation.rule, said


def sample(family: str, kind: str, count: int | None) -> Iterator[Document]:
    """Yield some changed certificates of one kind, or all, each other than the original."""
    whole = _document(family)
    edits = list(KINDS[kind](whole))
    if count is not None:
        random.Random(family + kind).shuffle(edits)
    changed = (applied(edit, whole) for edit in edits)
    others = (x for x in changed if any(x[part] != whole[part] for part in ("derivation", "rule")))
    yield from islice(others, count)


def main(count: int | None) -> int:
    """Print what became of the changed certificates, family by family."""
    surviving = 0
    for family in FAMILIES:
        for kind in KINDS:
            fates = Counter(fate(family, changed) for changed in sample(family, kind, count))
            surviving += fates[SURVIVES]
            summary = ", ".join(f"{times} {what}" for what, times in fates.most_common())
            print(f"{family:17} {kind:16} {fates.total():5}  {summary}", flush=True)
    print(f"{surviving} changed certificates prove something else")
    return 1 if surviving else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else None))
