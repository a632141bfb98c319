"""The walks: from a cost context to a scoring rule, and from any pair of losses to a verdict on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, zip_longest
from numbers import Real
from typing import Any, NamedTuple

from sympy import Expr

from costderive.core.curve_parameters import CurveParameter
from costderive.core.errors import SpecError
from costderive.core.expressions.exact_numbers import shown
from costderive.core.piecewise import Given
from costderive.core.time_limit import within
from costderive.core.user_cache import kept
from costderive.costs.contexts import Context, HeldPart
from costderive.costs.expected_loss import WeightedLoss
from costderive.costs.read_threshold import threshold_from
from costderive.costs.thresholds import (
    Calibrated,
    DistortedThreshold,
    Threshold,
    ThresholdedContext,
    thresholded,
)
from costderive.deciders.order import OpenSign, Undecided
from costderive.deciders.signs import nonnegative
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.derived import made
from costderive.derivation.in_time import derived_in_time, read, written
from costderive.derivation.integration.search_time import search_seconds
from costderive.derivation.moves import (
    ActAsBayes,
    ChangeOfVariables,
    ChangeValues,
    DistortThreshold,
    FindCondition,
    FindWeight,
    FindWitness,
    IntegrateByParts,
    IntegrateMagnitude,
    JudgeProperness,
    LeaveOpen,
    SetThreshold,
    SignOfWeight,
    SliceRegion,
    SlopeOfRisk,
    TakeExpectation,
)
from costderive.derivation.parse_losses import pair_of
from costderive.derivation.search.distorted_thresholds import (
    as_written_in,
    calibrations,
    miscalibrations,
    miscalibrations_at_atoms,
    witnesses,
)
from costderive.derivation.search.explicit_curves import curve_steps, has_long_curves
from costderive.derivation.search.held_beside import steps_with_held_costs
from costderive.derivation.search.held_costs import most_nesting, nesting
from costderive.derivation.search.letter_cases import changes_of_form, changes_of_verdict
from costderive.derivation.search.mean_over_part import steps_over_part, with_closed_weight
from costderive.derivation.search.name_integrals import naming
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Move, Step, Verdict
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses

MAX_CASES = 32
MAX_SECONDS = 1e9
SECONDS_A_LETTER = 20.0
VERDICT_SECONDS = 5.0  # for a verdict on a pair of losses, where time for searches is over
REASON_SECONDS = 10.0  # for each kind of verdict on a threshold that is a function of s
RISK = (SlopeOfRisk(), SignOfWeight())


def derive(context: Context, *, threshold: Any = Calibrated(), time_limit: float = 60.0) -> Derivation:
    """Derive the scoring rule of a cost context, with the steps of its proof.

    At the calibrated threshold the rule is proper. At a fixed threshold, a random one that is independent of the costs,
    or a function of the cost proportion, it usually is not: then the derivation ends with a witness. Besides a
    ``FixedThreshold``, ``RandomThreshold`` or ``DistortedThreshold`` it may be written as in a spec: ``1/2``,
    ``"beta(2, 3)"`` (a law), ``"s^2"`` or ``"2*c0/(2*c0 + c1)"``.

    If the order of the breakpoints depends on the parameters, there is one case for each order, under its
    condition.

    Searches take ``time_limit`` seconds of CPU time, from 0 to 1e9, all together: a loss for which no closed form is
    found by then stays an integral. All else has 30 seconds more. If these are over too, the last whole derivation that
    was found is returned, though others might be simpler; without one that is an error. So that this holds for every
    step, in any thread, a derivation is made in a child process, and leaves no trace when it is ended. A context that
    no certificate can hold is derived in this process, where only searches have a limit. A browser has no such
    processes: there the page interrupts. Nor has Windows, where nothing is interrupted.

    Raises:
        SpecError: if the context is not meaningful, or no rule was found in time; ``DivergentCostError`` if it has no
            scoring rule.
    """
    if not isinstance(context, Context):
        remedy = (
            "Build one, e.g. costderive.Additive(); costs of K classes are for costderive.multiclass.derive."
        )
        raise SpecError(f"{shown(context)} is not a cost context", remedy)
    _require_seconds(time_limit)
    decided_at = threshold_from(threshold)
    start = _start(context, decided_at)
    return kept(
        ("derivation", start, time_limit),
        lambda: derived_in_time(start, _drafts, decided_at, time_limit),
        written=written,
        read=read,
    )


def _require_seconds(time_limit: Any) -> None:
    known = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
    if not (known and 0 <= time_limit <= MAX_SECONDS):
        raise SpecError(f"time_limit = {shown(time_limit)} is not a number of seconds", "Write 60, say.")


def _start(context: Context, threshold: Threshold) -> Context:
    if isinstance(context, ThresholdedContext):
        remedy = "Write derive(context.costs, threshold=context.threshold)."
        raise SpecError(f"{context!r} has a threshold already", remedy)
    start = thresholded(context, threshold)
    _require_possible(start.given())
    return start


def _require_possible(given: Given) -> None:
    """Refuse facts about letters that contradict each other: all would follow from them."""
    for fact in given.positive:
        others = Given(tuple(x for x in given.positive if x != fact), given.nonnegative)
        if fact.free_symbols and nonnegative(-fact, None, others):
            letters = ", ".join(sorted(map(str, fact.free_symbols)))
            raise SpecError(
                f"no values of {letters} fit the costs and the threshold: {fact} has to be positive, and cannot be",
                "Is one letter used for two quantities, or do assumptions contradict each other?",
            )


def _walk(threshold: Threshold, seconds: float) -> _Walk:
    to_losses = (
        TakeExpectation(),
        ChangeOfVariables(),
        SliceRegion(),
        IntegrateMagnitude(),
        IntegrateByParts(seconds),
    )
    if isinstance(threshold, Calibrated):
        return _Walk(to_losses, RISK)
    if isinstance(threshold, DistortedThreshold):
        return _Walk(to_losses, (DistortThreshold(threshold, seconds),), seconds)
    return _Walk(to_losses, (SetThreshold(threshold, seconds),), seconds)


def examine(loss0: Any, loss1: Any, *, assuming: Any = (), time_limit: float = 60.0) -> Derivation:
    """Decide whether any pair of losses is proper: a proof, a witness against it, or "undecided".

    Each loss is a SymPy expression or ``Piecewise`` in p, a number, or text such as ``"0 if p <= 1/2; 1"``. The
    derivation has a ``verdict`` and, for an improper rule, a ``witness``; ``check`` decides its claims again. A
    condition on letters is not guessed: ``assuming`` states what is known of them, as ``"k > 7"``, or several such. The
    conditions of the derivation say it.

    Raises:
        SpecError: if a loss is not a real function of p on [0, 1], finite inside, or a condition in it is not decided.

    Source: Gneiting and Raftery (2007), Theorem 1; Buja, Stuetzle and Shen (2005), section 3.

    >>> examine("p", "1 - p").witness
    Witness(belief=1/3, report=0, truthful=4/9, better=1/3)
    """
    _require_seconds(time_limit)
    pair = pair_of(loss0, loss1, assuming)
    given = pair.given()
    return Derivation(pair, (Case(given, judged(pair, given, time_limit)),))


class _Walk(NamedTuple):
    """Moves to the losses, those after them, and the seconds for a verdict on a pair of losses, if they lead to one."""

    to_losses: tuple[Move, ...]
    end: tuple[Move, ...]
    seconds: float = 0.0


def _drafts(start: Context, threshold: Threshold, seconds: float) -> Iterator[Derivation]:
    """Yield a derivation, and others that are better, as they are found."""
    for cases in _cases(start, _walk(threshold, seconds), start.given()):
        yield Derivation(start, cases)


def _cases(context: Context, walk: _Walk, given: Given) -> Iterator[tuple[Case, ...]]:
    """Walk; where integrals are left whose form changes at a number, walk below, above and at it if that helps."""
    whole: tuple[Case, ...] = ()
    for whole in _in_any_order(context, walk, given):
        yield whole
    parts = [_in_time(context, walk, case) for case in whole]
    if any(parts):
        yield tuple(chain.from_iterable(part or (case,) for part, case in zip(parts, whole, strict=True)))


def _in_time(context: Context, walk: _Walk, case: Case) -> tuple[Case, ...]:
    """Return cases for letters above, below and at numbers, if they are found soon."""
    changes = _changes(case)
    if not changes:
        return ()
    letters = set[Any]().union(*(fact.free_symbols for fact in changes))
    seconds = SECONDS_A_LETTER * max(len(letters), len(changes) - 1)
    try:
        left = search_seconds(seconds)
        found: tuple[Case, ...] = within(left, _by_letter, context, walk, case.given, changes, nests=True)
    except TimeoutError:
        return ()
    return found


def _changes(case: Case) -> tuple[Expr, ...]:
    """Return the facts on which the form of the losses depends, or a verdict that was not found."""
    found, last = losses(case), case.steps[-1]
    if isinstance(found, Losses):
        return changes_of_form(found)
    return changes_of_verdict(found, case.given) if isinstance(last.move, LeaveOpen) else ()


def _by_letter(context: Context, walk: _Walk, given: Given, changes: tuple[Expr, ...]) -> tuple[Case, ...]:
    """Return cases for several numbers of one letter, or for facts, positive, negative and 0, if all are closed."""
    if rungs := _closed_cases(context, walk, list(_ladder(given, changes))):
        return rungs
    pairs = [pair for pair in combinations(changes, 2) if pair[0].free_symbols != pair[1].free_symbols]
    for facts in (*pairs, *[(fact,) for fact in changes]):
        sides = [given]
        for fact in facts:
            sides = [side for known in sides for side in _sides(known, fact)]
        cases = _closed_cases(context, walk, sides)
        if cases:
            return cases
    return ()


def _sides(given: Given, fact: Expr) -> Iterator[Given]:
    """Yield what is given with a fact above 0, below it, and at it."""
    for side in (fact, -fact):
        yield given.also(positive=(side,), nonnegative=(side,))
    yield given.also(nonnegative=(fact, -fact))


def _ladder(given: Given, changes: tuple[Expr, ...]) -> Iterator[Given]:
    """Yield what is given with one letter below, at, between and above the values at which the form changes."""
    rungs = _rungs(changes)
    if len(rungs) < 2:
        return
    yield given.also(positive=(-rungs[0],), nonnegative=(-rungs[0],))
    for rung, following in zip_longest(rungs, rungs[1:]):
        yield given.also(nonnegative=(rung, -rung))
        inside = (rung,) if following is None else (rung, -following)
        yield given.also(positive=inside, nonnegative=inside)


def _rungs(changes: tuple[Expr, ...]) -> list[Expr]:
    """Put facts ``letter - value`` in the order of the values, if these are multiples of one expression, or numbers."""
    letters = set[Any].intersection(*(fact.free_symbols for fact in changes))
    for letter in sorted(letters, key=str):
        values = {fact: letter - fact for fact in changes}
        _, unit = values[changes[0]].as_coeff_Mul()
        multiples = {fact: value / unit for fact, value in values.items()}
        if all(multiple.is_number for multiple in multiples.values()):
            return sorted(changes, key=multiples.__getitem__)
    return []


def _closed_cases(context: Context, walk: _Walk, sides: list[Given]) -> tuple[Case, ...]:
    """Walk under each of several facts, until a case is not proved in closed form, or is none: then there are none."""
    cases: list[Case] = []
    for side in sides:
        try:
            found = tuple(_in_order(Case(side, ()).start(context), walk, side))
        except SpecError:
            return ()
        if not all(_closed(case) for case in found):
            return ()
        cases += found
    return tuple(cases)


def _closed(case: Case) -> bool:
    found = losses(case)
    proved = all(_proved(step, case.given) for step in case.steps)
    return proved and not (isinstance(found, Losses) and nesting(found))


def _in_any_order(context: Context, walk: _Walk, given: Given) -> Iterator[tuple[Case, ...]]:
    """Walk; if the order of two breakpoints is open, walk under each of its two answers."""
    try:
        for steps in _any_walks(context, walk, given):
            yield (Case(given, steps),)
    except OpenSign as open_sign:
        yield tuple(_by_sign(context, walk, given, open_sign.fact))
    except Undecided as open_order:
        yield tuple(_by_order(context, walk, given, open_order.fact))


def _in_order(context: Context, walk: _Walk, given: Given) -> Iterator[Case]:
    """Yield the cases of the last and best walk."""
    *_, last = _in_any_order(context, walk, given)
    yield from last


def _by_sign(context: Context, walk: _Walk, given: Given, fact: Expr) -> Iterator[Case]:
    """Yield the cases of a fact that is positive, negative and 0.

    Raises:
        SpecError: if letters that fit one of them have no expected cost.
    """
    for side in _sides(given, fact):
        for case in _in_order(Case(side, ()).start(context), walk, side):
            _require_not_refuted(case, fact)
            yield case


def _require_not_refuted(case: Case, fact: Expr) -> None:
    for claim in (claim for step in case.steps for claim in step.claims(case.given)):
        found = decide(claim, case.given)
        if found.verdict is Verdict.REFUTED:
            raise SpecError(
                f"the rule depends on the sign of {fact}, and it is wrong for some letters that {claim.what}:"
                f" {found.evidence}",
                "Give the parameters numbers, or write a + 1 for one that is greater than 1.",
            )


def _by_order(context: Context, walk: _Walk, given: Given, fact: Expr) -> Iterator[Case]:
    _require_polynomial(fact)
    for side in (-fact, fact):
        known = given.also(nonnegative=(side,))
        if len(known.nonnegative) >= MAX_CASES.bit_length():
            raise SpecError(
                "the breakpoints have too many possible orders", "Give some of the parameters numbers."
            )
        yield from _in_order(context, walk, known)


def _require_polynomial(fact: Expr) -> None:
    """Refuse to branch on a sign from which nothing would follow: only facts on polynomials decide others."""
    if not fact.is_polynomial():
        raise SpecError(
            f"the order of the breakpoints depends on the sign of {fact}",
            "Give some of the parameters numbers.",
        )


def _any_walks(context: Context, walk: _Walk, given: Given) -> Iterator[tuple[Step, ...]]:
    if isinstance(context, HeldPart):
        yield from _over_part(context, walk, given)
    else:
        yield from _walks(context, walk, given)


def _over_part(context: HeldPart, walk: _Walk, given: Given) -> Iterator[tuple[Step, ...]]:
    """Yield steps to the losses at each value of the part that is held, to their mean, and to a verdict on it.

    Raises:
        SpecError: if the form of these losses depends on the value, or is not closed.
    """
    try:
        *_, steps = _walks(context, walk, given)
    except Undecided as open_order:
        if not open_order.fact.has(context.held):
            raise
        problem = f"the form of the losses depends on the sign of {open_order.fact}, in which {context.held} is held"
        raise SpecError(problem, "Give some of the parameters numbers.") from None
    last = max(index for index, step in enumerate(steps) if isinstance(step.after, Losses))
    before = steps[: last + 1]
    if any(piece.value.has(CurveParameter) for piece in (*before[-1].after.loss0, *before[-1].after.loss1)):
        problem = f"the losses at each value of {context.held} are in the parameter of a curve"
        raise SpecError(problem, "Give the parts laws with simpler densities, or the parameters numbers.")
    mean = steps_over_part(context, before[-1].after, given)
    weighed = tuple(step for step in with_closed_weight(mean[-1].after, given) if _proved(step, given))
    found = (*before, *mean, *weighed)
    yield (*found, *_end_of_held(found[-1], walk, given))


def _walks(context: Context, walk: _Walk, given: Given) -> Iterator[tuple[Step, ...]]:
    """Yield steps to a verdict and, if there are any, others with losses that are simpler."""
    *to_weight, to_losses = walk.to_losses
    weighed = made(to_weight, context, given)
    steps = _by_held_costs(weighed, walk, context, given) or _by_curves(weighed, walk, given)
    if not steps:
        plain = (*weighed, *made((to_losses,), weighed[-1].after, given))
        if walk.end == RISK:
            yield (*plain, *made(RISK, plain[-1].after, given))
        steps = _finished(_in_parameters(plain, given), walk, context, given)
    reached = steps[-1].after
    if not isinstance(reached, LossPair):
        yield steps
        return
    yield (*steps, *_verdict_at_end(steps[-1], given, walk.seconds))


def _by_held_costs(
    weighed: tuple[Step, ...], walk: _Walk, context: Context, given: Given
) -> tuple[Step, ...]:
    """Go on with a cost held from a threshold weight that promises little else, if the losses are simple then."""
    before = weighed[-1].after
    most = most_nesting(context, before)
    if most is None:
        return ()
    held = steps_with_held_costs(context, weighed[0].after, before, given)
    simple = held and nesting(held[-1].after) <= most and all(_proved(step, given) for step in held)
    return (*weighed, *_named(held, walk, given)) if simple else ()


def _by_curves(weighed: tuple[Step, ...], walk: _Walk, given: Given) -> tuple[Step, ...]:
    """Go on in the parameters of curves from a long threshold weight, if that gives losses in closed form."""
    last = curve_steps(weighed, given) if has_long_curves(weighed) else ()
    closed = last and not nesting(last[-1].after) and all(_proved(step, given) for step in last)
    return (*weighed, *last, *made(walk.end, last[-1].after, given)) if closed else ()


def _end_of_held(step: Step, walk: _Walk, given: Given) -> tuple[Step, ...]:
    return made((ActAsBayes(),) if walk.end == RISK else walk.end, step.after, given)


def _in_parameters(steps: tuple[Step, ...], given: Given) -> tuple[Step, ...]:
    """Put losses in closed form, found in the parameters of curves, in the place of integrals over the proportion."""
    found = steps[-1].after
    if not (isinstance(found, Losses) and nesting(found)):
        return steps
    other = curve_steps(steps[:-1], given)
    closed = other and not nesting(other[-1].after) and _proved(other[-1], given)
    return (*steps[:-1], *other) if closed else steps


def _finished(steps: tuple[Step, ...], walk: _Walk, context: Context, given: Given) -> tuple[Step, ...]:
    """Go on from the losses; from others found with a cost held, if these are simpler, or proved where they are not."""
    losses, before = steps[-1].after, steps[-1].before
    may = isinstance(losses, Losses) and nesting(losses) and isinstance(before, WeightedLoss)
    held = steps_with_held_costs(context, steps[0].after, before, given) if may else ()
    if held and nesting(held[-1].after) > nesting(losses):
        held = ()
    wanted = held and (nesting(held[-1].after) < nesting(steps[-1].after) or not _proved(steps[-1], given))
    if not wanted or not all(_proved(step, given) for step in held):
        return (*steps, *made(walk.end, steps[-1].after, given))
    return (*steps[:-1], *_named(held, walk, given))


def _named(held: tuple[Step, ...], walk: _Walk, given: Given) -> tuple[Step, ...]:
    """Name the integrals in losses found with a cost held, and go on to a verdict."""
    named = tuple(step for step in naming(held[-1].after, given) if _proved(step, given))
    found = (*held, *named)
    return (*found, *_end_of_held(found[-1], walk, given))


def _verdict_at_end(step: Step, given: Given, seconds: float) -> tuple[Step, ...]:
    """Return the verdict on a pair; what a threshold that is a function of s says comes first, but for atoms alone.

    Of these a witness is mostly found, which says more.
    """
    pair: LossPair = step.after
    if not isinstance(step.move, DistortThreshold):
        return judged(pair, given, seconds)
    for reason in (calibrations, witnesses, miscalibrations):
        if found := _of_distortion(reason, step, given, seconds):
            return found
    found = judged(pair, given, seconds)
    is_open = isinstance(found[-1].move, LeaveOpen)
    return (_of_distortion(miscalibrations_at_atoms, step, given, seconds) if is_open else ()) or found


def _of_distortion(
    reason: Callable[[Step, Given], Iterator[Step]], step: Step, given: Given, seconds: float
) -> tuple[Step, ...]:
    """Return the first verdict on a threshold that is a function of the cost proportion that is proved."""
    most = min(search_seconds(seconds), REASON_SECONDS)
    try:
        found: tuple[Step, ...] = within(most, _first_proved, reason, step, given)
    except Exception:  # as in `_proved_step`
        return ()
    return tuple(as_written_in(step, verdict) for verdict in found)


def _first_proved(
    reason: Callable[[Step, Given], Iterator[Step]], step: Step, given: Given
) -> tuple[Step, ...]:
    return next(((verdict,) for verdict in reason(step, given) if _proved(verdict, given)), ())


# ---- any pair of losses


def judged(pair: LossPair, given: Given, seconds: float) -> tuple[Step, ...]:
    """Return the steps to a verdict that the checker proves, or one that leaves it open."""
    try:
        found: tuple[Step, ...] = within(
            min(seconds, search_seconds(seconds) + VERDICT_SECONDS), _verdict, pair, given
        )
    except TimeoutError:
        found = ()
    return found or (Step.make(LeaveOpen(), pair, given),)


def _verdict(pair: LossPair, given: Given) -> tuple[Step, ...]:
    proper = _proved_steps((FindWeight(), JudgeProperness()), pair, given)
    if proper:
        return proper
    improper = _proved_steps((FindWitness(),), pair, given)
    if improper:
        return _proved_steps((FindWitness(), ChangeValues()), pair, given) or improper
    return _proved_steps((FindCondition(),), pair, given) if pair.parameters else ()


def _proved_steps(moves: tuple[Move, ...], pair: LossPair, given: Given) -> tuple[Step, ...]:
    """Make the moves; return their steps if every claim of each is proved, else none."""
    steps: list[Step] = []
    for move in moves:
        step = _proved_step(move, steps[-1].after if steps else pair, given)
        if step is None:
            return ()
        steps.append(step)
    return tuple(steps)


def _proved_step(move: Move, before: Any, given: Given) -> Step | None:
    try:
        step = Step.make(move, before, given)
        proved = _proved(step, given)
    except Exception:  # SymPy may fail in any way on the losses of a user: then this search has found nothing
        return None
    return step if proved else None


def _proved(step: Step, given: Given) -> bool:
    return all(decide(claim, given).verdict is Verdict.PROVED for claim in step.claims(given))
