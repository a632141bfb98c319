"""Decide the claims of a derivation: differentiate, substitute, take limits, decide identities and signs.

Nothing here integrates, solves or simplifies, and nothing here knows the moves. ``PROVED`` means decided
exactly; ``NUMERIC`` means that no exact method decided and enclosures at the listed points agree to 50 digits;
``REFUTED`` names a point whose enclosure excludes the claim; ``OPEN`` is everything else.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from numbers import Real
from typing import Any

import sympy
from sympy import Derivative, Dummy, Expr, Symbol

from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import RESERVED, parameter
from costderive.core.time_limit import can_be_sent, within
from costderive.deciders.admissible import admissible
from costderive.deciders.cover import covers
from costderive.deciders.enclosure import DIGITS, Sample, sample
from costderive.deciders.ends import sign_from_ends
from costderive.deciders.exactness import rounded
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, integrals_converge, rises_to, tends
from costderive.deciders.one_way import curves_in, runs_one_way
from costderive.deciders.refutation import refuted
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import (
    Case,
    Claim,
    Conclusion,
    Consistent,
    Equal,
    Finding,
    NonNegative,
    Open,
    Positive,
    Proof,
    Reaches,
    Regular,
    Report,
    Same,
    Tends,
    Verdict,
)

Ruling = tuple[Verdict, str, str]
Tell = Callable[[Any], object]
TIME_LIMIT = 300.0  # seconds of CPU time
REMEMBERED = 64
_latest: deque[tuple[Proof, Report]] = deque(maxlen=REMEMBERED)
SHOWN = 6  # points of those at which enclosures agree


def check(derivation: Proof, *, time_limit: float | None = TIME_LIMIT) -> Report:
    """Decide every claim of every step of a derivation.

    ``PROVED`` means this. For all positive values of the letters that satisfy the facts of the context, and in each of
    the cases whose conditions they satisfy (one does, always):

    1. the losses are those of what the derivation starts from: for a cost context with threshold T they are
       ``E[c0; T < p]`` and ``E[c1; T >= p]``, finite for ``0 < p < 1``; for K classes ``E[c_i; i is not chosen]``;
       for an entropy its tangents; for a weight its integrals; for a pair of losses the pair itself;
    2. the conclusion holds: the rule is proper, strictly so for the beliefs that are named, or it is improper and the
       named report has a smaller risk than the truth; and what else was derived, such as entropy and link, is so.

    That follows from the claims by mathematics that no claim repeats: Tonelli's theorem, the change of variables, the
    fundamental theorem of calculus on each piece and the assembly of the pieces, monotone and dominated convergence,
    Savage's representation, Sylvester's criterion, and that the functions of ``regularity`` are analytic where it
    says so. Letters are positive, roots and logarithms those of the principal branch, and identities hold wherever both
    sides have a value. Also trusted are Python, SymPy's ``diff``, ``subs`` and algebra of polynomials (factors,
    remainders, counts of real roots) and mpmath's intervals. Nothing is said of programs in floating point, of the
    choice of the law, or of typesetting. The page "What PROVED means" of the site says which claims of which move give
    what.

    ``REFUTED`` means that a claim is false, at a point that is named; ``NUMERIC`` that no method decided and 50 digits
    agree, which proves nothing; ``OPEN`` is everything else. The verdict is that of the weakest claim.

    The claims are made from the objects of the derivation each time, so a derivation that was edited is judged
    by what it holds, not by what it once claimed. That is done in a child process, which is ended after ``time_limit``
    seconds of CPU time: the claim that was not decided by then is ``OPEN``, and so is what is claimed after it. With
    ``None`` it takes as long as it takes, in this process; so it does with objects of a class that cannot be imported,
    of which no child could tell.

    Raises:
        SpecError: if ``time_limit`` is not a time, or what is given is not a derivation.
    """
    _require_proof(derivation)
    found = _judged(derivation, time_limit)
    if found.is_whole:
        _latest.append((derivation, found))
    return found


def checked(derivation: Proof) -> Report:
    """Return the report of the last check of this very object; one that was not checked lately is checked now.

    Derivations do not change, so the report of one is right for as long as the object lives.
    """
    found = latest(derivation)
    return check(derivation) if found is None else found


def latest(derivation: Proof) -> Report | None:
    """Return the report of the last check of this very object, if that was lately."""
    return next((report for known, report in tuple(_latest) if known is derivation), None)


def _require_proof(given: Any) -> None:
    if not isinstance(given, Proof):
        raise SpecError(
            f"{type(given).__name__} is not a derivation that can be checked",
            "Give what derive returns, or the derivation of a rule: check(rule.derivation), check(prove(rule)).",
        )


def check_read(read: Callable[[], Proof], *, time_limit: float) -> tuple[Proof, Report]:
    """Read a derivation and decide its claims, in a child process that has so much time for both; return both.

    Raises:
        TimeoutError: if the derivation is not read in time.
        Exception: what reading raises.
    """
    told: list[Any] = []

    def judged(tell: Tell) -> tuple[Proof, Report]:
        derivation = read()
        tell(derivation)
        return derivation, _report(derivation, tell)

    try:
        found: tuple[Proof, Report] = within(time_limit, judged, heard=told.append)
    except TimeoutError:
        if not told:
            raise
        return told[0], _unfinished(told[1:], time_limit)
    return found


def _judged(derivation: Proof, time_limit: float | None) -> Report:
    """Decide the claims, in a child process if there is a time limit."""
    if time_limit is None or not can_be_sent(derivation):
        return _report(derivation)
    known = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
    if not (known and 0 < time_limit < math.inf):
        raise SpecError(f"time_limit = {time_limit!r} is not a time", "Give seconds, or None for no limit.")
    told: list[Claim | Finding] = []

    def judged(tell: Tell) -> Report:  # forked with the derivation: to pickle it would evaluate it
        return _report(derivation, tell)

    try:
        found: Report = within(time_limit, judged, heard=told.append)
    except TimeoutError:
        return _unfinished(told, time_limit)
    return found


def _unfinished(told: list[Claim | Finding], time_limit: float) -> Report:
    """Return the report of what was decided in time: the claim under way is open, and so is all after it."""
    decided = [finding for finding in told if isinstance(finding, Finding)]
    begun = told[-1] if told and isinstance(told[-1], Claim) else Open("the claims of a step can be made")
    why = f"not decided within time_limit = {time_limit:g} s, or in the memory there is"
    left = max(time_limit - sum(finding.seconds for finding in decided), 0.0)
    rest = Finding(Open("what is claimed after that"), Verdict.OPEN, "none", 0.0, "not looked at")
    return Report((*decided, Finding(begun, Verdict.OPEN, "none", left, why), rest), is_whole=False)


def _report(derivation: Proof, tell: Tell = bool) -> Report:
    return Report(tuple(_findings(derivation, tell)))


def _findings(derivation: Proof, tell: Tell) -> Iterator[Finding]:
    """Decide the claims one after the other; objects that no move ever made may have claims that cannot be made."""
    try:
        for claim, given in claimed(derivation):
            tell(claim)
            found = decide(claim, given)
            tell(found)
            yield found
    except CostDeriveError:
        raise
    except Exception as error:
        verdict, decider, evidence = _failed(error)
        yield Finding(Open("the claims of a step can be made"), verdict, decider, 0.0, evidence)


def claimed(derivation: Proof) -> Iterator[tuple[Claim, Given]]:
    """Yield every claim of a derivation, with the facts under which it is made."""
    for claim in _whole(derivation):
        yield claim, Given()
    for case in derivation.cases:
        for claim in _of_case(case, derivation):
            yield claim, case.given


def _whole(derivation: Proof) -> Iterator[Claim]:
    """The cases cover all that the context allows, under its facts and no others than their own conditions."""
    known = derivation.context.given()
    if meant := _names_of_parameters(derivation) & RESERVED:
        yield Same("no parameter is a letter with a meaning of its own", meant, set())
    if known != Given():
        yield Consistent("some parameters are as assumed", known)
    for case in derivation.cases:
        strict, weak = case.given.positive, case.given.nonnegative
        begins = "what is {} in a case is that of the context, and conditions"
        yield Same(begins.format("positive"), strict[: len(known.positive)], known.positive)
        yield Same(begins.format("not negative"), weak[: len(known.nonnegative)], known.nonnegative)
    conditions = [case.conditions(known) for case in derivation.cases]
    yield Same("the cases cover all parameters", covers(conditions, known), True)


def _names_of_parameters(derivation: Proof) -> set[str]:
    """Return the names of the letters of a context and of its rule: the one may bind what the other leaves free."""
    holders = derivation.context, derivation.rule
    return {letter.name for holder in holders for letter in getattr(holder, "parameters", ())}


def _of_case(case: Case, derivation: Proof) -> Iterator[Claim]:
    """A case makes its claims under facts about parameters: none of them is about a variable of a claim."""
    variables = set(map(parameter, RESERVED))
    for claim in _linked(case, derivation):
        variables |= _variables(claim)
        yield claim
    if case.given != Given():
        letters = _letters(case.given.positive + case.given.nonnegative)
        yield Same("what is assumed is about parameters", letters & variables, frozenset())


def _letters(exprs: tuple[Expr, ...]) -> frozenset[Symbol]:
    return frozenset().union(*[expr.free_symbols for expr in exprs])


def _variables(claim: Claim) -> set[Symbol]:
    """Return the letters for all of whose values a claim is made."""
    match claim:
        case Equal(on=on) | NonNegative(on=on) | Positive(on=on) | Regular(on=on):
            return {on.variable} if on else set()
        case Tends(variable=variable, on=on):
            return {variable, on.variable} if on else {variable}
    return set()


def _linked(case: Case, derivation: Proof) -> Iterator[Claim]:
    """The steps of a case lead from the context to a conclusion, and make their own claims."""
    befores = (*(step.before for step in case.steps), None)
    yield Same("the first step starts from the context", case.start(derivation.context), befores[0])
    last = case.steps[-1].after if case.steps else None
    yield Same("the last step arrives at a conclusion on properness", isinstance(last, Conclusion), True)
    yield from derivation.claims(case)
    for step, following in zip(case.steps, befores[1:-1], strict=False):
        yield Same("the step starts from what the step before it gave", step.after, following)
    for step in case.steps:
        yield from step.claims(case.given)


def decide(claim: Claim, given: Given = Given()) -> Finding:
    """Decide one claim under the facts that are given."""
    start = time.perf_counter()
    try:
        verdict, decider, evidence = _rule(claim, given)
    except Exception as error:  # expressions that no move ever wrote may fail in any way
        verdict, decider, evidence = _failed(error)
    return Finding(claim, verdict, decider, time.perf_counter() - start, evidence)


def _rule(claim: Claim, given: Given) -> Ruling:
    if isinstance(claim, Same):
        same = _identical(claim.left, claim.right)
        return _proved("same expression") if same else (Verdict.REFUTED, "same expression", "they differ")
    if rounded(claim) or rounded(given):
        return _open("a number in it has been rounded, and stands for no exact one")
    if any(curves_in(given)) or not all(runs_one_way(curve, given) for curve in set(curves_in(claim))):
        return _open("it is about the parameter of a curve that is not known to run one way")
    return _decided(claim, given)


def _decided(claim: Claim, given: Given) -> Ruling:
    match claim:
        case Equal(left=left, right=right, on=on, facts=facts):
            known = given.also(positive=facts)
            return _zero(_differentiated(left) - _differentiated(right), on, known)
        case NonNegative(expr=expr, on=on, facts=facts):
            known = given.also(positive=facts)
            method = nonnegative(expr, on, known) or zero(expr, on, known)
            method = method or sign_from_ends(expr, on, known, strict=False)
            return _signed(method, expr, on, known, strict=False)
        case Positive(expr=expr, on=on, facts=facts):
            known = given.also(positive=facts)
            method = positive(expr, on, known) or sign_from_ends(expr, on, known, strict=True)
            return _signed(method, expr, on, known, strict=True)
        case Regular(expr=expr, on=on, facts=facts):
            known = given.also(positive=facts)
            smooth = regular(expr, on, known) and integrals_converge(expr, on, known)
            return _proved("domains of its parts") if smooth else _open("domain not decided")
        case Tends():
            return _limit(claim, given)
        case Consistent(given=facts):
            return _consistent(facts)
        case Open():
            return _open("neither a proof nor a witness against it was found")
    return _open(f"no decider for {type(claim).__name__}")


def _consistent(facts: Given) -> Ruling:
    point = admissible(facts)
    return _open("no parameters were found that are as assumed") if point is None else _proved("exact point")


def _failed(error: Exception) -> Ruling:
    return _open(f"{type(error).__name__}: {str(error)[:200]}")


def _identical(left: Any, right: Any) -> bool:
    """Return whether two objects are equal and of one type, part by part: to Python, 1 is True and oo is inf."""
    if type(left) is not type(right) or left != right:
        return False
    if isinstance(left, tuple):
        return all(map(_identical, left, right))
    if is_dataclass(left) and not isinstance(left, type):
        return all(_identical(getattr(left, x.name), getattr(right, x.name)) for x in fields(left))
    return True


def _proved(decider: str) -> Ruling:
    return Verdict.PROVED, decider, ""


def _open(evidence: str) -> Ruling:
    return Verdict.OPEN, "none", evidence


def _differentiated(expr: Expr) -> Expr:
    """Carry out the derivatives that a claim writes, and nothing else (integrals stay as they are)."""
    return expr.replace(lambda node: isinstance(node, Derivative), _carried_out)


def _carried_out(node: Derivative) -> Expr:
    """Differentiate by letters of no known sign: of a positive one SymPy asks for the signs of further slopes."""
    plain = {x: Dummy(x.name, real=True) for x in node.variables}
    slope = sympy.diff(node.expr.xreplace(plain), *[plain[x] for x in node.variables])
    return slope.xreplace({letter: x for x, letter in plain.items()})


def _zero(expr: Expr, on: Interval | None, given: Given) -> Ruling:
    method = zero(expr, on, given)
    if method:
        return _proved(method)
    samples = sample(expr, on, given)
    for found in samples:
        if found.excludes_zero:
            return _refuted(dict(found.point), "the two sides differ", "interval enclosure")
    return _agreeing(samples)


def _signed(method: str | None, expr: Expr, on: Interval | None, given: Given, *, strict: bool) -> Ruling:
    if method:
        return _proved(method)
    counterexample = refuted(expr, on, given, strict=strict)
    if counterexample is not None:
        return _refuted(*counterexample, "exact counterexample")
    samples = sample(expr, on, given)
    for found in samples:
        if found.high < 0:
            return _refuted(dict(found.point), "negative", "interval enclosure")
    return _agreeing(samples) if all(found.low > 0 for found in samples) else _open("sign not decided")


def _refuted(point: Mapping[Any, Expr], why: str, decider: str) -> Ruling:
    where = ", ".join(f"{name} = {value}" for name, value in point.items())
    return Verdict.REFUTED, decider, f"{why} at {where or 'constants'}"


def _agreeing(samples: list[Sample]) -> Ruling:
    if not samples:
        return _open("no exact decision, and no point could be enclosed")
    shown = samples[:SHOWN]
    points = "; ".join(", ".join(f"{name} = {value}" for name, value in found.point) for found in shown)
    return Verdict.NUMERIC, f"agreement to {DIGITS} digits", points


def _limit(claim: Tends, given: Given) -> Ruling:
    if claim.on is not None:
        given = given.also(positive=claim.on.facts)
    approach = Approach(claim.variable, claim.point, claim.side)
    method = (rises_to if isinstance(claim, Reaches) else tends)(claim.expr, approach, claim.value, given)
    return _proved(method) if method else _open("limit not decided")
