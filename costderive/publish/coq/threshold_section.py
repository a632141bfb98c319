"""Rules of decisions at another threshold than that of the costs, in Coq: their losses are the expected costs.

The law of the costs, and what it costs at its own threshold, stand in a module before the rule (`own_threshold`). The
losses of a threshold that is independent of the costs are multiples of their means, and those of one that is a
function of their proportion are the calibrated ones at another report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from costderive.costs.thresholds import DistortedThreshold, RandomThreshold
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.costs_module import IMPORTS, CostsModule
from costderive.publish.coq.distorted_threshold_section import at_distorted
from costderive.publish.coq.independent_threshold_section import OF_LAW, at_independent
from costderive.publish.coq.section import Section
from costderive.publish.coq.threshold_rule import ThresholdRule

THEOREMS = ("expected_cost0", "expected_cost1")


class Named(Protocol):
    """A case of a rule, by the name of its module."""

    @property
    def name(self) -> str: ...

    @property
    def case(self) -> Case: ...


def sections(
    derivation: Derivation, cases: Iterable[Named], modules: Iterable[CostsModule]
) -> tuple[Section, ...]:
    """Return one section for each of these cases: the losses are the expected costs of the threshold.

    The modules are those on the costs at their own threshold, of all cases of the derivation.

    Raises:
        ExportError: if there is no closed form of what is needed, or a sign or an order is not visible.
        SpecError: if there is no formula for the proportion of the costs at a threshold.
    """
    costs = {id(case): module for case, module in zip(derivation.cases, modules, strict=True)}
    return tuple(_section(ThresholdRule(x.name, x.case, costs[id(x.case)])) for x in cases)


def _section(rule: ThresholdRule) -> Section:
    law = OF_LAW if isinstance(rule.threshold, RandomThreshold) else ()
    text = "\n".join([*rule.known_costs(), *_at_threshold(rule)])
    return Section(rule.name, "threshold", IMPORTS, text, (*law, *THEOREMS))


def _at_threshold(rule: ThresholdRule) -> Iterator[str]:
    threshold = rule.threshold
    if isinstance(threshold, DistortedThreshold):
        return at_distorted(rule, threshold.at)
    return at_independent(rule, threshold)
