"""False statements on rules of K classes and of batches: that the rule of an entropy that is not concave is proper."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import costderive as cd
from costderive import batch, multiclass
from costderive.proof.claims import Verdict
from tests.falsehoods.formula import Formula, called, formula, letter
from tests.falsehoods.rules import PROPER, allowed, letter_values, share, tiny
from tests.falsehoods.statement import Statement

CENTRES = (
    (Fraction(1, 3),) * 3,
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 100), Fraction(1, 100), Fraction(98, 100)),
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
)


def _nearly_concave(draw: Random, x: list[Formula]) -> Formula:
    """Return a function that is concave but for next to nothing, or for some values of a letter."""
    eps, r, a, one = tiny(draw), share(draw), letter("a"), formula(1)
    squares = x[0] ** 2 + x[1] ** 2 + x[2] ** 2
    crossed = x[0] * x[1] + x[0] * x[2] + x[1] * x[2]
    log_like = (x[0] * called("log", x[0]) + x[1] * called("log", x[1]) + x[2] * called("log", x[2])) * -1
    return draw.choice(
        (
            crossed * -1,
            squares * eps,
            squares * -1 + (x[0] - x[1]) ** 2 * (Fraction(1, 2) + eps),
            squares * -1 + (x[0] - r) ** 2 * (2 + eps) + (x[1] - r) ** 2,
            squares * (a - 1),
            squares * (one - a),
            crossed * (a - r),
            log_like * (a - 1),
            log_like + squares * (a * eps + Fraction(3, 2)) + x[0] ** 2 * 30,
            (x[0] - r) ** 2 * eps - x[1] ** 2,
            x[0] ** 3 * -1 - x[1] ** 3 + x[2] ** 2 * eps,
            (x[0] - x[1]) ** 2 * eps,
            log_like * -eps,
            called("exp", x[0]) * eps - x[1] ** 2,
            squares * -1 + x[0] ** 2 * a,
            crossed * (one - a) + squares * (a * eps),
        )
    )


def simplex(draw: Random) -> Statement | None:
    """An entropy of three classes that bends up along the simplex."""
    names = ("p0", "p1", "p2")
    h = _nearly_concave(draw, [letter(name) for name in names])
    directions = [
        tuple(Fraction(n) for n in v) for v in ((1, -1, 0), (1, 0, -1), (0, 1, -1), (2, -1, -1), (-1, 2, -1))
    ]
    return _statement(
        "multiclass.from_entropy", h, names, directions, lambda text: multiclass.from_entropy(text, classes=3)
    )


def cube(draw: Random) -> Statement | None:
    """An entropy of a batch of three instances that bends up on the cube."""
    names = ("w0", "w1", "w2")
    h = _nearly_concave(draw, [letter(name) for name in names])
    directions = [
        tuple(Fraction(n) for n in v)
        for v in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, -1, 0), (2, -1, -1))
    ]
    return _statement(
        "batch.from_entropy", h, names, directions, lambda text: batch.from_entropy(text, instances=3)
    )


def _statement(
    kind: str, h: Formula, names: tuple[str, ...], directions: list[Any], make: Callable[[str], Any]
) -> Statement:
    def bends_up(values: dict[str, Fraction]) -> bool:
        return any(
            _second_difference(h, names, centre, v, step, values) > 0
            for centre in CENTRES
            for v in directions
            for step in (Fraction(1, 1000), Fraction(1, 10**40))
        )

    def ask() -> str:
        found = make(h.text)
        letters_too = (
            ("a", "k") if "a*" in h.text or "a -" in h.text or "- a" in h.text or "*a)" in h.text else ()
        )
        bad = [
            values
            for values in letter_values(letters_too)
            if any(allowed(case.given, values) for case in found.cases)
        ]
        if found.verdict in PROPER and any(bends_up(values) for values in bad):
            return cd.check(found).verdict.name
        return Verdict.REFUTED.name if found.verdict.name == "IMPROPER" else Verdict.OPEN.name

    return Statement(kind, kind, f"{kind}({h.text!r})", "the entropy bends up somewhere", ask)


def _second_difference(
    h: Formula, names: tuple[str, ...], centre: Any, v: Any, step: Fraction, values: dict[str, Fraction]
) -> Any:
    ahead, here, behind = (
        dict(zip(names, [c + sign * step * d for c, d in zip(centre, v, strict=True)], strict=True))
        for sign in (1, 0, -1)
    )
    return h({**values, **ahead}) + h({**values, **behind}) - h({**values, **here}) * 2


GENERATORS = (simplex, cube)
