"""What rules of another threshold than that of the costs have in common in Coq: their costs, losses and breakpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, RandomThreshold
from costderive.proof.claims import Case
from costderive.publish.coq.costs_module import CostsModule
from costderive.publish.coq.facts import ordered
from costderive.publish.coq.own_threshold import decides
from costderive.rules import Improperness, RepairedProperness
from costderive.rules.loss_pair import LossPair

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class ThresholdRule:
    """The losses of a case at another threshold, by the name of its module, and the costs at their own threshold."""

    name: str
    case: Case
    costs: CostsModule

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def _decision(self) -> Any:
        return next(step for step in self.case.steps if decides(step))

    @property
    def threshold(self) -> FixedThreshold | RandomThreshold | DistortedThreshold:
        """The threshold that is decided at."""
        found: FixedThreshold | RandomThreshold | DistortedThreshold = self._decision.move.threshold
        return found

    @property
    def pair(self) -> LossPair:
        """The losses."""
        found: LossPair = self._decision.after
        return found

    @property
    def improper(self) -> bool:
        """Whether the rule is not proper; then its losses have values at the reports 0 and 1."""
        return isinstance(self.case.steps[-1].after, Improperness | RepairedProperness)

    @property
    def places(self) -> tuple[Expr, ...]:
        """The breakpoints inside (0, 1)."""
        return tuple(piece.high for piece in self.pair.loss0)[:-1]

    def orders(self) -> str:
        """Return the tactics that put the order of the breakpoints on record."""
        spans = enumerate(pairwise((ZERO, *self.places, ONE)), start=1)
        return " ".join(
            ordered(f"place{k}", low, high, None, self.given, strict=True) for k, (low, high) in spans
        )

    def known_costs(self) -> Iterator[str]:
        """Yield what is known of the costs, from the module on them."""
        yield from self.costs.definitions()
        yield self.costs.known("prices", "is_expectation priced")
        yield from self.costs.known_means()
