"""The work of compiling losses, in a child process that is ended when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr

from costderive.core.errors import (
    CompileTimeError,
    CostDeriveError,
    LostError,
    OutOfMemoryError,
    ParametersLeftError,
    SpecError,
)
from costderive.core.piecewise import Given
from costderive.core.time_limit import within
from costderive.core.user_cache import kept
from costderive.core.work import TooMuchWorkError, at_most
from costderive.deciders.enclosure import differ, sample
from costderive.numeric import common_factors
from costderive.numeric.blocks import Both
from costderive.numeric.function import Pair
from costderive.numeric.loss_functions import compiled, in_panels
from costderive.numeric.many_digits import forget_values
from costderive.numeric.mirror import mirrored
from costderive.numeric.parameters import require_names
from costderive.rules import Losses, ScoringRule
from costderive.rules.hypergeometric import by_integrals
from costderive.rules.loss_pair import LossPair

CLOSELY = 3e9  # units of work, some six seconds, after which losses are put into tables of few values
NO_NUMBERS = sympy.nan, sympy.zoo
LATEST = 30.0  # seconds of CPU time, after which they are too, if it is not exact values that take so long
COMPILING = threading.RLock()  # mpmath's precision is that of the process


def functions(
    rule: ScoringRule,
    order: int = 0,
    wrt: str = "p",
    *,
    in_lanes: bool = False,
    of_margin: bool = False,
    time_limit: float | None = 60.0,
) -> Pair:
    """Return the losses of class 0 and 1 as compiled functions, or their derivatives of the first or second order.

    ``of_margin`` asks for programs that take p and ``1 - p`` as both are computed from a logit.

    Raises:
        CompileTimeError: if that takes longer than ``time_limit`` seconds.
        LostError: if the process that compiles is ended from outside, twice.
        ParametersLeftError: if a parameter of the rule has no number.
    """
    return _functions(in_numbers(rule), order, wrt, in_lanes, of_margin, time_limit)


@lru_cache(maxsize=64)  # a gallery writes the same losses in several languages
def _functions(
    losses: Losses | LossPair,
    order: int,
    wrt: str,
    in_lanes: bool,
    of_margin: bool,
    time_limit: float | None,
) -> Pair:
    pair: Pair = limited(time_limit, _pair, (losses, order, wrt, in_lanes, False, of_margin))
    return pair


def in_numbers(rule: ScoringRule) -> Losses | LossPair:
    """Return the losses of a rule without parameters."""
    if rule.parameters:
        names = [symbol.name for symbol in rule.parameters]
        example = ", ".join(f"{name}={value}" for value, name in enumerate(names, start=1))
        raise ParametersLeftError(
            f"the rule has open parameters: {', '.join(names)}",
            f"Give each parameter a number first: rule.at({example}).",
        )
    losses = require_left(rule).cases[0][1]
    return losses.map(by_integrals) if isinstance(losses, Losses) else losses


def require_left(rule: ScoringRule) -> ScoringRule:
    """Return a rule whose values at breakpoints are those of the pieces on their left, and refuse others."""
    for given, losses in rule.cases:
        if isinstance(losses, LossPair) and _jumps_from_the_left(losses, given):
            raise SpecError(
                "a value at a breakpoint is not the one on its left",
                "Compiled losses are continuous from the left.",
            )
    return rule


def _jumps_from_the_left(pair: LossPair, given: Given) -> bool:
    """Does a value at an inner breakpoint differ from what the piece on its left reaches there?"""
    if pair.from_the_left:
        return False
    x, breaks = pair.loss0.variable, pair.values[1:-1]
    ends = [
        (piece.value.subs(x, value.at), value.loss(label))
        for label, loss in enumerate((pair.loss0, pair.loss1))
        for piece, value in zip(loss, breaks, strict=False)
    ]
    return not all(reached == value or _agree(reached, value, given) for reached, value in ends)


def _agree(reached: Expr, value: Expr, given: Given) -> bool:
    """Are two values the same, as far as numbers show it?"""
    finite = not (reached.has(*NO_NUMBERS) or value.has(*NO_NUMBERS))
    return finite and bool(sample(reached, None, given)) and not differ(reached, value, None, given)


def without_factors(rule: ScoringRule, seconds: float | None) -> tuple[tuple[str, ...], ScoringRule]:
    """Return the parameters that all costs are proportional to, and the rule with 1 in their place."""
    require_names(tuple(symbol.name for symbol in require_left(rule).parameters))
    if not rule.parameters:
        return (), rule
    plain = ScoringRule(rule.cases)  # its derivation stays here
    names, rest = limited(seconds, _split, (plain, 0))
    return names, rest


def _split(rule: ScoringRule, _: int) -> tuple[tuple[str, ...], ScoringRule]:
    return common_factors.split(rule)


def limited(seconds: float | None, task: Callable[..., Any], about: tuple[Any, ...], *given: Any) -> Any:
    """Return ``task(*about, *given)``, in a child process if there is a limit, unless an earlier process found it.

    What is ``given`` follows from what it is ``about``: losses or a rule, the order of a derivative, and how it is
    compiled. If exact values are more work than :data:`CLOSELY`, it may be tables of few values unless there is no
    limit.
    """
    if seconds is not None and not seconds > 0:
        raise SpecError(f"time_limit = {seconds!r} is not a time", "Give seconds, or None for no limit.")
    try:
        if seconds is None or task not in ROUGH:
            return kept((task.__name__, *about), lambda: _computed(seconds, task, about, *given))
        return kept(("few values", task.__name__, *about), lambda: _in_time(seconds, task, about, *given))
    except (CompileTimeError, LostError, OutOfMemoryError):
        raise
    except TimeoutError:
        what = f"the derivatives of order {about[1]}" if about[1] else "the losses"
        raise CompileTimeError(
            f"{what} were not compiled within time_limit = {seconds:g} s",
            "Give compile a longer time_limit, or None to wait as long as it takes.",
        ) from None


def _computed(seconds: float | None, task: Callable[..., Any], about: tuple[Any, ...], *given: Any) -> Any:
    with COMPILING:
        if seconds is None:
            return task(*about, *given)
        return within(seconds, task, *about, *given)


def _in_time(seconds: float, task: Callable[..., Any], about: tuple[Any, ...], *given: Any) -> Any:
    """Return what a task finds, or tables of few values if there is nothing by :data:`LATEST` and more time."""
    first = min(seconds, LATEST)
    try:
        return _computed(first, _closely, (task, *about), *given)
    except LostError:  # which says nothing of the time that is needed
        raise
    except TimeoutError:
        if first == seconds:
            raise
        return _computed(seconds - first, ROUGH[task], about, *given)


def _closely(task: Callable[..., Any], *about: Any) -> Any:
    """Return what a task finds in so much work, else tables of few values, made of what is known by then."""
    forget_values()  # for what is known from earlier is no work
    try:
        with at_most(CLOSELY):
            return task(*about)
    except (TooMuchWorkError, CostDeriveError):
        return ROUGH[task](*about)


def _pair(losses: Losses | LossPair, order: int, wrt: str, *how: bool) -> Pair:
    return compiled(losses, 0, order, wrt, *how), compiled(losses, 1, order, wrt, *how)


def _rough_pair(losses: Losses | LossPair, order: int, wrt: str, *how: bool) -> Pair:
    return _pair(losses, order, wrt, *how, True)


def both(
    losses: Losses | LossPair,
    order: int,
    wrt: str,
    is_mirrored: bool,
    in_lanes: bool = False,
    is_rough: bool = False,
) -> Both:
    chosen = mirrored(losses) if is_mirrored else losses
    pair = _pair(chosen, order, wrt, in_lanes, is_mirrored, False, is_rough)
    return Both(pair, is_mirrored=True, sign=(-1) ** order) if is_mirrored else Both(pair)


def _rough_both(
    losses: Losses | LossPair, order: int, wrt: str, is_mirrored: bool, in_lanes: bool = False
) -> Both:
    return both(losses, order, wrt, is_mirrored, in_lanes, True)


ROUGH: dict[Callable[..., Any], Callable[..., Any]] = {both: _rough_both, _pair: _rough_pair}


def panelled(
    losses: Losses | LossPair, order: int, wrt: str, is_mirrored: bool, in_lanes: bool, both: Both
) -> Both:
    """Return functions with panels; ``in_lanes`` says how ``both`` were compiled."""
    del in_lanes
    chosen = mirrored(losses) if is_mirrored else losses
    return replace(both, panels=in_panels(chosen, both.functions, order, wrt, is_mirrored))
