"""False statements on pairs of losses: that an improper one is proper, and that a function was read as it was written.

A pair is improper by a belief q and a report p with ``R(p|q) < R(q|q)``, in balls, for values of the letters that the
facts of the derivation allow. A function was not read as it was written if the pieces that were made of it have another
value at some point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import costderive as cd
from costderive.core.piecewise import Given, Pieces
from costderive.core.symbols import parameter
from costderive.proof.claims import Verdict
from costderive.rules import Judgement
from tests.falsehoods import referee
from tests.falsehoods.formula import Formula, Point, called, cases, formula, letter
from tests.falsehoods.material import EDGES, SIZES
from tests.falsehoods.statement import Statement

P, Q, S = letter("p"), letter("q"), letter("s")
LETTERS = ("a", "k")
PLACES = tuple(Fraction(n, 24) for n in range(1, 24)) + (Fraction(1, 1000), Fraction(999, 1000))
PROPER = (Judgement.PROPER, Judgement.STRICTLY_PROPER)
Pair = tuple[Formula, Formula]


def tiny(draw: Random) -> Fraction:
    return Fraction(draw.randint(1, 9), 10 ** draw.choice(SIZES))


def share(draw: Random) -> Fraction:
    n = draw.choice((2, 3, 4, 5, 7, 10, 41))
    return Fraction(draw.randint(1, n - 1), n)


def proper_pair(draw: Random) -> Pair:
    """Return a proper pair: powers, logarithms, a step, or a sum of two."""
    n, t = draw.randint(0, 3), share(draw)
    found = draw.choice(
        (
            (P**2, (formula(1) - P) ** 2),
            (called("log", formula(1) - P) * -1, called("log", P) * -1),
            (
                P ** (n + 2) * Fraction(1, n + 2),
                P ** (n + 2) * Fraction(1, n + 2)
                - P ** (n + 1) * Fraction(1, n + 1)
                + Fraction(1, (n + 1) * (n + 2)),
            ),
            (cases(formula(0), "p", t, formula(t)), cases(formula(1 - t), "p", t, formula(0))),
        )
    )
    return found


# ---- examine


def perturbed(draw: Random) -> Statement | None:
    """A proper pair, with next to nothing added to one loss."""
    first, second = proper_pair(draw)
    eps = tiny(draw)
    change = draw.choice(
        (
            P * eps,
            P**3 * eps,
            (P - share(draw)) ** 2 * eps,
            P * (formula(1) - P) * eps,
            called("exp", P) * eps,
            called("sqrt", P) * eps,
        )
    )
    if ";" in first.text:
        branches = draw.choice((0, 1))
        t = Fraction(first.text.split("<= ")[1].split(";")[0].strip("()"))
        kept = formula(0) if branches else formula(t)
        first = (
            cases(formula(0) + change, "p", t, kept) if branches else cases(formula(0), "p", t, kept + change)
        )
    else:
        first = first + change
    return _examined("perturbed", (first, second), _near(draw, eps))


def ties_and_ends(draw: Random) -> Statement | None:
    """A step whose value at the tie, or whose jump, is not the right one, by next to nothing."""
    t, eps = share(draw), tiny(draw)
    shift = draw.choice((eps, -eps))
    first, second = draw.choice(
        (
            (cases(formula(0), "p", t, formula(t + shift)), cases(formula(1 - t), "p", t, formula(0))),
            (cases(P**2, "p", t, P**2 + eps), cases((formula(1) - P) ** 2, "p", t, (formula(1) - P) ** 2)),
            (cases(P**2, "p", t, P**2), cases((formula(1) - P) ** 2 + eps, "p", t, (formula(1) - P) ** 2)),
            (_tied(formula(0), t, formula(eps), formula(t)), cases(formula(1 - t), "p", t, formula(0))),
        )
    )
    return _examined("ties and ends", (first, second), _near(draw, eps, t))


def _tied(below: Formula, t: Fraction, there: Formula, above: Formula) -> Formula:
    """Return a function with a value of its own at a point."""

    def value(at: Point) -> Any:
        return there.rule(at) if at["p"] == t else below.rule(at) if at["p"] < t else above.rule(at)

    return Formula(f"{below.text} if p < {t}; {there.text} if p = {t}; {above.text}", value)


def dips(draw: Random) -> Statement | None:
    """A pair whose threshold weight dips below 0, or is below 0 close to an end: ``w = (p - r)^2 - e``."""
    r, eps = share(draw), draw.choice((tiny(draw), -(tiny(draw) ** 2))) * draw.choice((1, 1, 1))
    if eps <= 0:
        return None
    c = r * r - eps  # w = p^2 - 2 r p + c
    first = P**4 * Fraction(1, 4) - P**3 * (2 * r / 3) + P**2 * (c / 2)
    rest = P**4 * Fraction(1, 4) - P**3 * ((2 * r + 1) / 3) + P**2 * ((c + 2 * r) / 2) - P * c
    end = Fraction(1, 4) - (2 * r + 1) / 3 + (c + 2 * r) / 2 - c
    return _examined("dips", (first, rest - end), lambda: iter([(r, r + eps / 100), (r, r - eps / 100)]))


def letters(draw: Random) -> Statement | None:
    """A condition on a letter: the pair is proper for some of its values only."""
    k, c = (
        letter("k"),
        draw.choice((Fraction(6), Fraction(1), Fraction(1, 2), share(draw) * 9, Fraction(1000))),
    )
    eps = tiny(draw)
    one = formula(1)
    factor = draw.choice(
        (
            called("max", one, k - c),
            called("max", one, k / (c + 1)),
            called("min", one, k * (1 / c)),
            k,
            k - c,
            called("abs", k - c),
            one + k * eps,
            one + called("max", formula(0), k - c),
            one + called("min", formula(0), k - c),
            called("abs", k - c) + 1,
            one + (k - c) ** 2,
            called("max", k, one / k),
            called("min", k, one),
            called("max", formula(0), k - c) * eps + 1,
            called("max", one, k * letter("a")),
            called("min", k, letter("a")),
            one + called("max", k - letter("a"), formula(0)),
        )
    )
    first, second = P**2, (one - P) ** 2
    pair = draw.choice(
        (
            (first * factor, second),
            (first, second * factor),
            (first * factor, second * factor),
            (first * factor + P * eps, second * factor),
        )
    )
    return _examined("letters", pair, _near(draw, eps), ("k", "a"))


def breakpoints_with_letters(draw: Random) -> Statement | None:
    """Breakpoints that letters place, in an order that depends on them."""
    a, k, one = letter("a"), letter("k"), formula(1)
    t = draw.choice((a / (a + k), one / (one + k), a, a * Fraction(1, 2), k / 7))
    pair = draw.choice(
        (
            (cases(P**2, "p", t, P**2 + 1), cases((one - P) ** 2, "p", t, (one - P) ** 2)),
            (cases(formula(0), "p", t, a), cases(k, "p", t, formula(0))),
            (called("max", P**2, P * a), (one - P) ** 2),
            (called("abs", P - a), called("abs", one - P)),
            (P**2 * called("max", P, a), (one - P) ** 2),
        )
    )
    return _examined("breakpoints with letters", pair, _near(draw, tiny(draw)), ("k", "a"))


def _near(
    draw: Random, eps: Fraction, t: Fraction | None = None
) -> Callable[[], Iterator[tuple[Fraction, Fraction]]]:
    """Return beliefs with reports that are much closer to them than eps, and with reports far from them."""
    beliefs = [*([t] if t is not None else []), *draw.sample(PLACES, 8)]
    steps = (eps**2 / 100, -(eps**2) / 100, Fraction(1, 50), Fraction(-1, 50))

    def pairs() -> Iterator[tuple[Fraction, Fraction]]:
        for q in beliefs:
            yield from ((q, q + step) for step in steps if 0 < q + step < 1)
            yield from ((q, report) for report in (t, Fraction(1, 3)) if report is not None)
        if t is not None:
            yield from (
                (t + sign * eps**n / 9, t) for n in (1, 2) for sign in (1, -1) if 0 < t + sign * eps**n < 1
            )
            yield from (
                (t + a * eps**n / 9, t - a * eps**n)
                for n in (1, 2)
                for a in (1, -1)
                if t + eps > 0 and t - eps > 0 and t + eps < 1
            )

    return pairs


def _examined(
    family: str,
    pair: Pair,
    beliefs: Callable[[], Iterator[tuple[Fraction, Fraction]]],
    names: tuple[str, ...] = (),
) -> Statement:
    shown = f"examine({pair[0].text!r}, {pair[1].text!r})"

    def ask() -> str:
        found = cd.examine(pair[0].text, pair[1].text)
        if _is_read_wrongly(found.context, pair, names) or (
            found.verdict in PROPER and _is_improper(found, pair, beliefs, names)
        ):
            return cd.check(found).verdict.name
        return Verdict.REFUTED.name if found.verdict is not Judgement.UNDECIDED else Verdict.OPEN.name

    return Statement(
        "examine", family, shown, "a report is better than the truth, or the losses are others", ask
    )


def letter_values(names: tuple[str, ...]) -> Iterator[dict[str, Fraction]]:
    if not names:
        yield {}
        return
    for one in (*EDGES, Fraction(13, 2), Fraction(2000)):
        for other in (Fraction(1, 3), Fraction(1), Fraction(9)):
            yield dict(zip(names, (one, other), strict=True))


def allowed(given: Given, values: dict[str, Fraction]) -> bool:
    """Do the facts hold for values of letters?"""
    point = {parameter(name): value for name, value in values.items()}
    strict = all(
        not fact.free_symbols - set(point) and referee.is_positive(fact, point) for fact in given.positive
    )
    return strict and all(referee.is_not_positive(-fact, point) for fact in given.nonnegative)


def _is_improper(
    found: Any, pair: Pair, beliefs: Callable[[], Iterator[tuple[Fraction, Fraction]]], names: tuple[str, ...]
) -> bool:
    for values in letter_values(names):
        if not any(allowed(case.given, values) for case in found.cases):
            continue
        for q, report in beliefs():
            reported, truthful = (_risk(pair, q, one, values) for one in (report, q))
            if reported < truthful:
                return True
    return False


def _risk(pair: Pair, belief: Fraction, report: Fraction, values: dict[str, Fraction]) -> Any:
    first, second = (loss({**values, "p": report}) for loss in pair)
    return formula(1 - belief)({}) * first + formula(belief)({}) * second


def _is_read_wrongly(context: Any, pair: Pair, names: tuple[str, ...]) -> bool:
    given = context.given()
    for values in letter_values(names):
        if allowed(given, values):
            for loss, pieces in zip(pair, (context.loss0, context.loss1), strict=True):
                if differs(pieces, loss, "p", values):
                    return True
    return False


def differs(pieces: Pieces, written: Formula, name: str, values: dict[str, Fraction]) -> bool:
    """Has a function in pieces certainly another value than the formula, at one of some places?"""
    letters_at = {parameter(one): value for one, value in values.items()}
    for x in PLACES:
        for piece in pieces:
            low, high = (referee.number(end, letters_at) for end in (piece.low, piece.high))
            if low is not None and high is not None and low + 1e-9 < float(x) < high - 1e-9:
                try:
                    read = referee.value(piece.value, {**letters_at, pieces.variable: x})
                except (referee.NoValueError, KeyError):
                    continue
                value = written({**values, name: x})
                if value.is_finite() and (not read.imag.contains(0) or not read.real.overlaps(value)):
                    return True
    return False


GENERATORS = (perturbed, ties_and_ends, dips, letters, breakpoints_with_letters)
