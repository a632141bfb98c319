"""Two cases whose losses differ on one piece alone, between two breakpoints that have changed places."""

from __future__ import annotations

import sympy
from sympy import Expr

from costderive.core.piecewise import Pieces
from costderive.publish.formulas.printing import formula
from costderive.publish.formulas.turned import turned
from costderive.publish.words.displays import condition
from costderive.publish.words.document_blocks import Block, Paragraph, displayed, prose
from costderive.publish.words.scene import Scene, say


def exchanged_case(first: Scene, second: Scene) -> tuple[Block, ...]:
    """Write a case by what differs from the one before it, if that is only the piece between two breakpoints."""
    pairs = list(zip(_functions(first), _functions(second), strict=True))
    places = {_place(*pair) for pair in pairs}
    place = places.pop()
    if places or place is None:
        return ()
    between = [pieces.pieces[place] for _, pieces in pairs]
    low, high = between[0].low, between[0].high
    rows = [
        (
            formula(f"{name}({pieces.variable})"),
            formula("= {},", turned(piece.value, pieces.interval(piece), second.case.given)),
        )
        for name, (_, pieces), piece in zip((r"\omega", "L_0", "L_1"), pairs, between, strict=True)
    ]
    opening = prose(
        "Case {}. Now {} comes before {}, and between them", condition(second.case.given), low, high
    )
    closing = say("while the pieces up to {} and from {} on have the formulas of the other case.", low, high)
    return Paragraph(opening, apart=True), displayed(rows), closing


def _functions(scene: Scene) -> tuple[Pieces, ...]:
    found = scene.losses
    return found.weight.density, found.loss0, found.loss1


def _place(first: Pieces, second: Pieces) -> int | None:
    """Return the index of the only piece on which two functions differ, if its ends are the same in another order."""
    if len(first.pieces) != len(second.pieces):
        return None
    differing = [i for i, (x, y) in enumerate(zip(first, second, strict=True)) if not _same(x.value, y.value)]
    if len(differing) != 1:
        return None
    ends, others = list(first.breaks), list(second.breaks)
    (place,) = differing
    if not 0 < place < len(ends):
        return None
    ends[place - 1 : place + 1] = reversed(ends[place - 1 : place + 1])
    return place if all(map(_same, ends, others)) else None


def _same(value: Expr, other: Expr) -> bool:
    return value == other or bool(sympy.cancel(value - other) == 0)
