"""What rules of another threshold than that of the costs have in common in Coq: their costs, losses and breakpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, RandomThreshold
from costderive.proof.claims import Case
from costderive.publish.coq.facts import ordered
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.own_threshold import decides, law_of, letters_of
from costderive.publish.coq.setting import Setting
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, identifiers
from costderive.rules import Improperness, Losses, RepairedProperness
from costderive.rules.loss_pair import LossPair

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class ThresholdRule:
    """The losses of a case at another threshold, by the name of its module, and the costs at their own threshold."""

    name: str
    case: Case
    costs: Setting

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
    def calibrated(self) -> Losses:
        """The losses of the costs at their own threshold."""
        found: Losses = self._decision.before
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
        own = self.of_costs("priced", letters_of(law_of(self.case)))
        yield f"Definition priced : (R -> R -> R) -> R -> Prop := {own}."
        yield from self._assumed()
        yield self.known("prices", "is_expectation priced")
        for label, mean in enumerate((self.calibrated.worst0, self.calibrated.worst1)):
            yield self.known(f"mean_is{label}", f"priced {CHARGES[label]} {atomic(mean)}")

    def of_costs(self, name: str, letters: set[Symbol]) -> str:
        """Return a definition of the module on the costs, at the letters that it has."""
        return " ".join([f"{self.costs.name}.{name}", *identifiers(letters & set(self.costs.parameters))])

    def known(self, name: str, statement: str, own: str = "") -> str:
        """Return a lemma that a module on the costs has, under its ``own`` name, of the letters of the rule."""
        assumed = "pose proof assumed_of_costs. " if self.costs.parameters else ""
        read = f"unfold priced, {self.costs.name}.priced"
        return lemma(
            name, statement, f"{assumed}intros. {read}. eapply {self.costs.name}.{own or name}; eassumption."
        )

    def _assumed(self) -> Iterator[str]:
        if self.costs.parameters:
            name = f"{self.costs.name}.assumed"
            statement = " ".join([name, *identifiers(self.costs.parameters)])
            yield lemma("assumed_of_costs", statement, f"unfold {name}; repeat split; assumption.")
