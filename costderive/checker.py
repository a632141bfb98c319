"""Decide the claims of a derivation: differentiate, substitute, take limits, decide identities and signs.

Nothing here integrates, solves or simplifies, and nothing here knows the moves. ``PROVED`` means decided
exactly; ``NUMERIC`` means that no exact method decided and enclosures at the listed points agree to 50 digits;
``REFUTED`` names a point whose enclosure excludes the claim; ``OPEN`` is everything else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy
from sympy import Derivative, Expr, Integral, Pow

from costderive.decide.enclosure import DIGITS, Sample, sample
from costderive.decide.identities import zero
from costderive.decide.limits import Approach, tends
from costderive.decide.signs import nonnegative, positive
from costderive.pieces import Given, Interval
from costderive.proof import (
    Case,
    Claim,
    Equal,
    Finding,
    NonNegative,
    Positive,
    Regular,
    Report,
    Same,
    Tends,
    Verdict,
)

if TYPE_CHECKING:
    from costderive.derivation import Derivation

Ruling = tuple[Verdict, str, str]

ENTIRE = (sympy.exp, sympy.atan, sympy.asinh, sympy.erf)


def check(derivation: Derivation) -> Report:
    """Decide every claim of every step of a derivation.

    The claims are made anew from the objects of the derivation, so a derivation that was changed by hand is
    judged by what it holds, not by what it once claimed.
    """
    return Report(
        tuple(finding for case in derivation.cases for finding in check_case(case, derivation.context))
    )


def check_case(case: Case, start: object) -> Iterator[Finding]:
    """Decide the claims of one case, and that each step starts where the one before it ended."""
    yield decide(Same("the first step starts from the context", start, case.steps[0].before), case.given)
    for earlier, later in zip(case.steps, case.steps[1:], strict=False):
        yield decide(
            Same("the step starts from what the step before it gave", earlier.after, later.before), case.given
        )
    for step in case.steps:
        for claim in step.claims(case.given):
            yield decide(claim, case.given)


def decide(claim: Claim, given: Given = Given()) -> Finding:
    """Decide one claim under the facts that are given."""
    start = time.perf_counter()
    verdict, decider, evidence = _rule(claim, given)
    return Finding(claim, verdict, decider, time.perf_counter() - start, evidence)


def _rule(claim: Claim, given: Given) -> Ruling:
    match claim:
        case Same(left=left, right=right):
            return (
                _proved("same expression")
                if left == right
                else (Verdict.REFUTED, "same expression", "they differ")
            )
        case Equal(left=left, right=right, on=on):
            return _zero(_differentiated(left) - _differentiated(right), on, given)
        case NonNegative(expr=expr, on=on, facts=facts):
            known = given.also(nonnegative=facts)
            return _signed(nonnegative(expr, on, known), expr, on, known)
        case Positive(expr=expr, on=on, facts=facts):
            known = given.also(positive=facts)
            return _signed(positive(expr, on, known), expr, on, known)
        case Regular(expr=expr, on=on):
            return (
                _proved("domains of its parts") if _regular(expr, on, given) else _open("domain not decided")
            )
        case Tends():
            return _limit(claim, given)
    return _open(f"no decider for {type(claim).__name__}")


def _proved(decider: str) -> Ruling:
    return Verdict.PROVED, decider, ""


def _open(evidence: str) -> Ruling:
    return Verdict.OPEN, "none", evidence


def _differentiated(expr: Expr) -> Expr:
    """Carry out the derivatives that a claim writes, and nothing else (integrals stay as they are)."""
    return expr.replace(
        lambda node: isinstance(node, Derivative), lambda node: sympy.diff(node.expr, *node.variables)
    )


def _zero(expr: Expr, on: Interval | None, given: Given) -> Ruling:
    method = zero(expr, on, given)
    if method:
        return _proved(method)
    samples = sample(expr, on, given)
    for found in samples:
        if found.excludes_zero:
            return _refuted(found, "the two sides differ")
    return _agreeing(samples)


def _signed(method: str | None, expr: Expr, on: Interval | None, given: Given) -> Ruling:
    if method:
        return _proved(method)
    samples = sample(expr, on, given)
    for found in samples:
        if found.high < 0:
            return _refuted(found, "negative")
    return _agreeing(samples) if all(found.low > 0 for found in samples) else _open("sign not decided")


def _refuted(found: Sample, why: str) -> Ruling:
    where = ", ".join(f"{name} = {value}" for name, value in found.point)
    return Verdict.REFUTED, "interval enclosure", f"{why} at {where or 'constants'}"


def _agreeing(samples: list[Sample]) -> Ruling:
    if not samples:
        return _open("no exact decision, and no point could be enclosed")
    points = "; ".join(", ".join(f"{name} = {value}" for name, value in found.point) for found in samples)
    return Verdict.NUMERIC, f"agreement to {DIGITS} digits", points


def _limit(claim: Tends, given: Given) -> Ruling:
    if claim.on is not None:
        given = given.also(positive=claim.on.facts)
    method = tends(claim.expr, Approach(claim.variable, claim.point, claim.side), claim.value, given)
    return _proved(method) if method else _open("limit not decided")


def _regular(expr: Expr, on: Interval, given: Given) -> bool:
    """Is every part of the expression inside the domain where it is real and smooth?"""
    if on.variable not in expr.free_symbols:
        return True
    if isinstance(expr, Integral):
        return _integral_regular(expr, on, given)
    return _node_regular(expr, on, given) and all(_regular(arg, on, given) for arg in expr.args)


def _node_regular(node: Expr, on: Interval, given: Given) -> bool:
    if isinstance(node, (sympy.Symbol, sympy.Add, sympy.Mul, *ENTIRE)):
        return True
    if isinstance(node, Pow):
        return _power_regular(node, on, given)
    if isinstance(node, sympy.log):
        return positive(node.args[0], on, given) is not None
    if isinstance(node, sympy.asin | sympy.acos):
        return positive(1 - node.args[0] ** 2, on, given) is not None
    if isinstance(node, sympy.uppergamma | sympy.lowergamma):
        return positive(node.args[1], on, given) is not None and not node.args[0].has(on.variable)
    if isinstance(node, sympy.betainc):
        return _beta_regular(node, on, given)
    return False


def _beta_regular(node: Expr, on: Interval, given: Given) -> bool:
    """``B_z(a, b)`` with constant a, b > 0 is smooth for 0 < z < 1."""
    first, second, low, z = node.args
    inside = positive(z, on, given) and positive(1 - z, on, given)
    constants = positive(first, None, given) and positive(second, None, given)
    return bool(inside and constants and low == 0 and not (first * second).has(on.variable))


def _integral_regular(node: Integral, on: Interval, given: Given) -> bool:
    """An integral between an end of the interval and the variable, of an integrand that is smooth inside."""
    (inner, low, high), *more = node.limits
    ends = (low, high) in {(on.low, on.variable), (on.variable, on.high)}
    inside = Interval(inner, on.low, on.high)
    return (
        not more
        and ends
        and on.variable not in node.function.free_symbols
        and _regular(node.function, inside, given)
    )


def _power_regular(node: Pow, on: Interval, given: Given) -> bool:
    if node.exp.is_Integer and node.exp.is_positive:
        return True
    return positive(node.base, on, given) is not None or (
        node.exp.is_Integer and positive(-node.base, on, given) is not None
    )
