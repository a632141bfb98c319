"""Are the losses that a derivation arrives at those that a spec expects? Decided piece by piece, and at each end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import sympy
from sympy import Expr

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import p
from costderive.derivation.derivation import Derivation, losses
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Claim, Equal, Open, Report, Same
from costderive.rules.loss_arithmetic import Cell, as_pair, cells, values
from costderive.rules.loss_pair import LossPair

NO_VALUE = (sympy.nan, sympy.zoo)


def compared(expected: tuple[Pieces, Pieces], derivation: Derivation) -> Report:
    """Decide, in every case of a derivation, that its losses are the expected ones.

    At a breakpoint an expected loss has the value of its piece on the left. Where its expression has no value, at 0 or
    at 1, its limit counts, which the piece settles.
    """
    claims = chain.from_iterable(_claims(case, expected) for case in derivation.cases)
    return Report(tuple(decide(claim, given) for claim, given in claims))


def _claims(case: Case, expected: tuple[Pieces, Pieces]) -> Iterator[tuple[Claim, Given]]:
    found = as_pair(losses(case))
    for label, wanted in enumerate(expected):
        for claim in _of_loss(found, wanted, label, case.given):
            yield claim, case.given


def _of_loss(pair: LossPair, wanted: Pieces, label: int, given: Given) -> Iterator[Claim]:
    found = pair.loss1 if label else pair.loss0
    common = _cells((found, wanted), given)
    if common is None:
        yield Open(f"the breakpoints of loss {label} and of the expected one are in one order")
        return
    for cell in common:
        derived, value = values((found, wanted), cell)
        on = Interval(p, cell.low, cell.high)
        yield Equal(f"loss {label} is the expected one for {cell.low} < p < {cell.high}", derived, value, on)
    for cell, at in ((common[0], common[0].low), *((cell, cell.high) for cell in common)):
        value = values((found, wanted), cell)[1].subs(p, at)
        yield from _at(pair, value, label, at, given)


def _cells(functions: tuple[Pieces, Pieces], given: Given) -> list[Cell] | None:
    """Return the common pieces, or ``None`` if it is not known how the breakpoints lie to each other."""
    try:
        return cells(functions, given)
    except (ParametersLeftError, StopIteration):
        return None


def _at(pair: LossPair, wanted: Expr, label: int, at: Expr, given: Given) -> Iterator[Claim]:
    """Claim that the value at a place is the expected one, unless that has none."""
    what, value = f"loss {label} is the expected one at p = {at}", pair.at(at, given)
    if value is None:
        yield Open(what)
    elif wanted.has(*NO_VALUE):
        return
    elif sympy.oo in (wanted, value.loss(label)):
        yield Same(what, value.loss(label), wanted)
    else:
        yield Equal(what, value.loss(label), wanted)
