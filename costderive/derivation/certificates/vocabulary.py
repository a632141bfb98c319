"""The vocabulary of certificates of two classes: contexts, losses, what they pass through, and the moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Expr

from costderive import rules
from costderive.core import piecewise
from costderive.costs import contexts, expected_loss, thresholds
from costderive.derivation import moves
from costderive.derivation.certificates.expression_trees import require
from costderive.derivation.certificates.records import Vocabulary, fits
from costderive.rules import given_by, loss_pair


def _records() -> Iterator[type]:
    for module in (expected_loss, given_by, loss_pair, piecewise, rules, thresholds):
        yield from (
            x
            for x in vars(module).values()
            if isinstance(x, type) and x.__module__.startswith(module.__name__)
        )
    yield from (getattr(moves, name) for name in moves.__all__)
    yield from (x for x in map(vars(contexts).get, contexts.__all__) if isinstance(x, type))


def _joint(density: Any, support: Any) -> contexts.Joint:
    """Build from the fields: what a joint context is made from otherwise is not what it holds."""
    require(fits(density, Expr) and fits(support, tuple[Expr, ...]), "not the fields of Joint")
    return contexts.Joint.over(density, support)


TWO_CLASSES = Vocabulary.of(_records(), {"Joint": _joint, "Mixture": lambda parts: contexts.Mixture(*parts)})
