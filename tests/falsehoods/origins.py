"""False statements on rules of a weight, an entropy or a link: that one is proper, or another function was read."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import costderive as cd
from costderive.proof.claims import Verdict
from costderive.rules import Judgement
from tests.falsehoods.formula import Formula, called, cases, formula, letter
from tests.falsehoods.rules import PLACES, PROPER, P, Q, S, allowed, differs, letter_values, share, tiny
from tests.falsehoods.statement import Statement


def weights(draw: Random) -> Statement | None:
    """A threshold weight that is negative somewhere."""
    r, eps, one = share(draw), tiny(draw), formula(1)
    a = letter("a")
    w, x = draw.choice(
        (
            ((S - r) ** 2 - eps, r),
            ((S - r) ** 2 * (S + 1) - eps, r),
            (S - eps, eps / 2),
            (one - S - eps, 1 - eps / 2),
            (one - (one + formula(eps)) * S, 1 - eps / 9),
            (a - 1, r),
            (a - S, r),
            (a - r, r),
            (one - a * S, r),
            ((S - a) ** 2 - eps, None),
            (called("max", S - r, formula(-eps)), r / 2),
            (called("min", S, a - 1), r),
            (called("exp", S - r) - 1 - S + r - eps, r),
            (a * (S - r) ** 2 + (a - 1) * eps, r),
            (S**2 - a * S + r, None),
        )
    )
    return _of_function(
        "rule_from_weight", cd.rule_from_weight, w, "s", lambda values: _some_negative(w, "s", x, values)
    )


def _some_negative(f: Formula, name: str, x: Fraction | None, values: dict[str, Fraction]) -> bool:
    places = (*([x] if x is not None else []), *PLACES, *[v for v in values.values() if 0 < v < 1])
    return any(f({**values, name: place}) < 0 for place in places)


def entropies(draw: Random) -> Statement | None:
    """An entropy that is not concave: a second difference is positive."""
    r, eps, one, a = share(draw), tiny(draw), formula(1), letter("a")
    h = draw.choice(
        (
            Q * (one - Q) + (Q - r) ** 2 * (1 + eps),
            Q * (one - Q) * a - Q**2 * (one - a),
            Q * (one - Q) * (a - 1),
            Q * (one - Q) - called("max", formula(0), Q - r) * eps * -1,
            called("min", Q, one - Q) + called("max", Q - r, formula(0)) * eps,
            Q * (one - Q) * (a - r),
            (Q - r) ** 4 * Fraction(-1, 12) + (Q - r) ** 2 * (eps / 2),
            called("abs", Q - r) * eps - Q**2 * 0 + Q * (one - Q) * 0,
            Q * (one - Q) + called("abs", Q - r) * eps,
            Q**3 * Fraction(-1, 6) + Q**2 * (eps / 2),
            called("sqrt", Q * (one - Q)) * (a - 1),
            Q * a - Q**2 * (one - a * eps),
        )
    )
    places = ((r, eps**2), (r, eps / 100), (eps / 4, eps / 9), *((x, Fraction(1, 100)) for x in PLACES[:23]))

    def bends_up(values: dict[str, Fraction]) -> bool:
        gaps = (
            (h({**values, "q": x - d}) + h({**values, "q": x + d}) - h({**values, "q": x}) * 2)
            for x, d in places
            if x - d > 0 and x + d < 1
        )
        return any(gap > 0 for gap in gaps)

    return _of_function("rule_from_entropy", cd.rule_from_entropy, h, "q", bends_up)


def links(draw: Random) -> Statement | None:
    """A canonical link that falls somewhere."""
    r, eps, one, a = share(draw), tiny(draw), formula(1), letter("a")
    f = draw.choice(
        (
            (P - r) ** 3 - P * eps,
            P * (a - 1),
            called("log", P / (one - P)) * (a - r),
            P**3 * Fraction(1, 3) - P**2 * r + P * (r * r - eps),
            cases(P, "p", r, P - eps),
            called("max", P - r, (P - r) * -1),
            P * a - P**2,
            P - P**2 * (Fraction(1, 2) + eps),
            called("abs", P - r) * eps - P * (eps / 2),
            P**2 * a - P * eps,
        )
    )
    steps = (
        (r, eps**2),
        (r, eps / 9),
        (1 - eps / 4, eps / 8),
        (eps / 9, eps / 90),
        *((x, Fraction(1, 100)) for x in PLACES[:23]),
    )

    def falls(values: dict[str, Fraction]) -> bool:
        return any(
            f({**values, "p": x + d}) < f({**values, "p": x - d}) for x, d in steps if x - d > 0 and x + d < 1
        )

    return _of_function("rule_from_link", cd.rule_from_link, f, "p", falls)


def _of_function(
    kind: str, make: Callable[[Any], Any], f: Formula, name: str, false: Callable[[dict[str, Fraction]], bool]
) -> Statement:
    names = ("a", "k") if "a" in f.text.replace("max", "").replace("abs", "").replace("atan", "") else ()

    def ask() -> str:
        rule = make(f.text)
        found = rule.derivation
        bad = [
            values
            for values in letter_values(names)
            if any(allowed(case.given, values) for case in found.cases)
        ]
        wrongly = any(
            differs(pieces, f, name, values) for pieces in found.context._functions() for values in bad
        )
        if wrongly or (found.verdict in PROPER and any(false(values) for values in bad)):
            return cd.check(found).verdict.name
        return Verdict.REFUTED.name if found.verdict is not Judgement.UNDECIDED else Verdict.OPEN.name

    return Statement(
        kind,
        kind,
        f"{kind}({f.text!r})",
        "not proper for some allowed letters, or read as another function",
        ask,
    )


GENERATORS = (weights, entropies, links)
