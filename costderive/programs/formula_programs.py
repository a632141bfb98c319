"""Losses as the formulas that they are, with parameters as inputs like ``p``, for programs in any language.

Formulas keep their digits: ``log(1 - p)`` becomes ``log1p(-p)``, constants are folded into the nearest double, and
where a loss starts from 0 a sum that would cancel gives way to its power series in p or sqrt(p).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce

import sympy
from sympy import Expr

from costderive.core.errors import ExportError, ParametersLeftError
from costderive.core.piecewise import Given
from costderive.core.symbols import p, s
from costderive.numeric.compiling import require_left
from costderive.numeric.parameter_trees import Stepwise, formula, plain, step_function, stepwise
from costderive.numeric.program_tree import (
    Call,
    Name,
    Node,
    Number,
    Operation,
    Program,
    negated,
    number,
    total,
)
from costderive.programs.portable import Branch, Conditions, Portable
from costderive.programs.power_series import NEAR_END, series_of
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair

ONE, NAN = Program((), Number(1.0)), Program((), Number(math.nan))
Place = Callable[[Node], Node]  # the argument of a program at a probability


def of_loss(rule: ScoringRule, order: int, label: int, wrt: str, of_margin: bool) -> Portable:
    """Return the loss of a class (order 0) or a derivative; ``of_margin`` for a program of the logit of p.

    Raises:
        ExportError: if there is no closed form of functions that programs have.
    """
    with _refusing():
        functions = [_loss(given, losses, label, order, wrt) for given, losses in require_left(rule).cases]
        return _merged(functions, _logit if of_margin else _report)


def density(rule: ScoringRule) -> Portable:
    """Return the density of the threshold weight, which has no values at 0 and 1."""
    with _refusing():
        return _merged([_density(given, losses) for given, losses in rule.cases], _report)


def conditions(rule: ScoringRule) -> Conditions:
    """Return what a program of a rule asks of its parameters: what all cases do, and what each does besides.

    Facts that are not strict bound the last case where others begin: it has what these leave, however they are rounded.
    """
    cases = [given for given, _ in rule.cases]
    shared = reduce(Given.shared, cases)
    needed = [*_facts(shared)]
    holding = [_all(given, shared) for given in cases[:-1]]
    last = Given(tuple(fact for fact in cases[-1].positive if fact not in shared.positive))
    if last.positive:
        one_holds = reduce(lambda x, y: Call("either", (x, y)), [*holding, _all(last, Given())])
        needed.append((one_holds, " and ".join(words for _, words in _facts(last))))
    names = tuple(symbol.name for symbol in rule.parameters)
    return Conditions(
        names, tuple(needed), tuple((f"in_case{k}", fact) for k, fact in enumerate(holding, start=1))
    )


def _facts(given: Given) -> Iterator[tuple[Call, str]]:
    """Yield facts as trees and in words."""
    yield from ((Call("above", (inlined(fact),)), f"{plain(fact)} > 0") for fact in given.positive)
    yield from ((Call("at_least", (inlined(fact),)), f"{plain(fact)} >= 0") for fact in given.weak)


def _all(given: Given, known: Given) -> Call:
    """Return whether all facts hold that are not known to."""
    own, others = ([fact for fact, _ in _facts(each)] for each in (given, known))
    left = [fact for fact in own if fact not in others] or [Call("above", (ONE.result,))]
    return reduce(lambda x, y: Call("both", (x, y)), left)


def inlined(expr: Expr) -> Node:
    """Return the formula of an expression, whose sums start with a term that is added, if there is one."""
    with _refusing():
        return _added_first(formula(expr).inlined())


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except ParametersLeftError as problem:
        raise ExportError(problem.problem, problem.remedy) from None
    except OverflowError:
        raise ExportError("a number in the loss is too large for a double", "Rescale the costs.") from None


def _added_first(tree: Node) -> Node:
    if not isinstance(tree, Operation | Call):
        return tree
    parts = tuple(map(_added_first, tree.parts))
    is_sum = isinstance(tree, Operation) and tree.sign == "+"
    return replace(tree, parts=tuple(sorted(parts, key=_is_opposite)) if is_sum else parts)


def _is_opposite(term: Node) -> bool:
    return isinstance(term, Operation) and term.sign == "-"


# ------------------------------------------------------------------------------------------------ one case


def _density(given: Given, losses: Losses | LossPair) -> Stepwise:
    assert isinstance(losses, Losses)
    pieces = losses.weight.density.map(lambda value: value.subs(s, p))
    return replace(stepwise(pieces, sympy.S.Zero, sympy.S.Zero, given), at_zero=NAN, at_one=NAN)


def _loss(given: Given, losses: Losses | LossPair, label: int, order: int, wrt: str) -> Stepwise:
    """Return a function of a case, with the series of a loss at the end where it is 0."""
    found = step_function(given, losses, label, order, wrt)
    piece = (losses.loss1.pieces[-1], losses.loss0.pieces[0])[label == 0]
    series = None if order else series_of(piece, label)
    if series is None:
        return found
    near = series.program(Name("r" if label else "p"))
    if label:
        return replace(found, breaks=(*found.breaks, formula(1 - NEAR_END)), values=(*found.values, near))
    return replace(found, breaks=(formula(NEAR_END), *found.breaks), values=(near, *found.values))


# ------------------------------------------------------------------------------------------------ all cases


def _merged(functions: Sequence[Stepwise], place: Place) -> Portable:
    """Return one function whose breakpoints and formulas are those of the case that holds."""
    count = max(len(found.values) for found in functions)
    padded = [_padded(found, count) for found in functions]
    ends = [*zip(*(found.breaks for found in padded), strict=True), [ONE]]
    highs = [_chosen([place(end.inlined()) for end in same]) for same in ends]
    values = [_program(same) for same in zip(*(found.values for found in padded), strict=True)]
    return Portable(
        tuple(map(Branch, highs, values)),
        (),
        _chosen([found.at_zero.inlined() for found in padded]),
        _chosen([found.at_one.inlined() for found in padded]),
        None,
    )


def _padded(found: Stepwise, count: int) -> Stepwise:
    more = count - len(found.values)
    return replace(found, breaks=found.breaks + (ONE,) * more, values=found.values + found.values[-1:] * more)


def _program(values: Sequence[Program]) -> Program:
    """Return the program of the case that holds; formulas of several are written out, so that no other is run."""
    if len(set(values)) == 1:
        return values[0]
    return Program((), _chosen([value.inlined() for value in values]))


def _chosen(trees: Sequence[Node]) -> Node:
    *others, found = trees
    for k in range(len(others), 0, -1):
        tree = others[k - 1]
        found = found if tree == found else Call("choose", (Name(f"in_case{k}"), tree, found))
    return found


def _report(at: Node) -> Node:
    return at


def _logit(at: Node) -> Node:
    """Return the logit of a probability."""
    if isinstance(at, Number):
        return number(math.log(at.value) - math.log1p(-at.value) if at.value < 1 else math.inf)
    return total(Call("log", (at,)), negated(Call("log1p", (negated(at),))))
