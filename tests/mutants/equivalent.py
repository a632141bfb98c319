"""Mutants that are provably as right as the original, each with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass

from costderive.derivation.moves import IntegrateMagnitude, SliceRegion


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Mutants that are as right as the original: a pattern of their names, and why no claim refuses them."""

    move: type
    pattern: str
    reason: str
    families: tuple[str, ...] = ()

    def covers(self, move: object, family: str, name: str) -> bool:
        """Return whether this is about a mutant of this name."""
        known = not self.families or family in self.families
        return known and isinstance(move, self.move) and re.fullmatch(self.pattern, name) is not None


WITH_EMPTY_SLICES = ("rectangle", "symbolic", "orders")
EQUIVALENT: tuple[Equivalent, ...] = (
    Equivalent(SliceRegion, r"slice .* split in two", "the same region, cut once more"),
    Equivalent(
        IntegrateMagnitude, r"weight split at .*", "the same function, with one breakpoint more than it needs"
    ),
    Equivalent(
        IntegrateMagnitude,
        r"weight with (break 0 moved by .*|piece 0 in place of the next)",
        "both pieces have one formula, and the breakpoint between them is where losses are told apart",
        ("integral",),
    ),
    Equivalent(
        IntegrateMagnitude,
        r"\.weight\.signs\[\d\] called not negative",
        "says less than it could, and that is true",
    ),
    Equivalent(
        IntegrateMagnitude,
        r"antiderivative \d plus (s|log\(s\)|i) throughout",
        "what does not depend on c1 cancels in the difference at the bounds",
    ),
    Equivalent(
        IntegrateMagnitude,
        r"inner integral [04] forgotten|\.inner\[[04]\]\.at_(lower|upper) .*",
        "nothing reads the certificate of an empty slice, whose integral is 0",
        WITH_EMPTY_SLICES,
    ),
)


def equivalent(move: object, family: str, name: str) -> Equivalent | None:
    """Return the entry of the table that excuses a mutant, if there is one."""
    return next((entry for entry in EQUIVALENT if entry.covers(move, family, name)), None)
