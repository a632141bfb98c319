"""The search for three forecasts that show that a rule is no affine change of another, and the derivation with them."""

from __future__ import annotations

from itertools import combinations, product

from sympy import Expr, Rational

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.deciders.signs import positive
from costderive.multiclass.affine import CompareWith, NotAffine
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.bounds import rule_of
from costderive.multiclass.derive_classes import MulticlassDerivation
from costderive.multiclass.simplex_rule import Forecast
from costderive.multiclass.stages import ClassLosses

CLEAR = 1e-12


def compare_with(move: CompareWith, before: BayesProperness, given: Given) -> NotAffine:
    """Try all three of a few forecasts."""
    rule = rule_of(before)
    tried = [(p, rule.at(p), move.other.at(p)) for p in _forecasts(rule.classes)]
    for label, three in product(range(rule.classes), combinations(tried, 3)):
        forecasts, here, there = zip(*three, strict=True)
        found = NotAffine(before, label, forecasts, _of(here, label), _of(there, label))
        if _is_clear(found.area, given):
            return found
    raise SpecError(
        "no three forecasts were found that distinguish the rule from every affine change of the other",
        "It may be one.",
    )


def _is_clear(area: Expr, given: Given) -> bool:
    if area.free_symbols:
        return positive(area**2, None, given) is not None
    return bool(abs(area.n()) > CLEAR)


def _of(losses: tuple[tuple[Expr, ...], ...], label: int) -> tuple[Expr, ...]:
    return tuple(one[label] for one in losses)


def _forecasts(classes: int) -> list[Forecast]:
    """Return a few forecasts in which the first class has most, or some other one."""
    found = [(1,) * classes, *[(1,) * n + (3,) + (1,) * (classes - n - 1) for n in range(classes)]]
    found += [(2,) * n + (5,) + (1,) * (classes - n - 1) for n in range(classes)]
    return [tuple(Rational(x, sum(p)) for x in p) for p in found]


def not_affine(derivation: MulticlassDerivation, other: MulticlassDerivation) -> MulticlassDerivation:
    """Return the derivation with a last step: the rule of its costs is not an affine change of the other rule.

    For costs that share a budget by a Dirichlet law of shapes 1, and the Brier score, one witness for three classes
    settles every larger number: as the other probabilities tend to 0, both losses tend to those of three classes.

    Raises:
        SpecError: if the derivation is not of costs, or no witness was found, as for two such classes.

    Example:
        >>> from costderive.multiclass import DirichletCosts, brier, derive
        >>> not_affine(derive(DirichletCosts((1, 1, 1))), brier()).conclusion.area
        -83/22050
    """
    if not isinstance(derivation.conclusion, BayesProperness):
        raise SpecError(
            "the derivation is not one of costs", "Take one that costderive.multiclass.derive returns."
        )
    if not isinstance(derivation.conclusion.losses, ClassLosses):
        raise SpecError(
            "the losses are integrals, which are not compared exactly",
            "Take costs whose losses have closed forms: uniform, triangular or exponential ones, say.",
        )
    return derivation.followed_by(CompareWith(other.rule))
