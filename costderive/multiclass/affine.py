"""Is a rule of K classes an affine change of another one? A witness that it is not: three exact forecasts.

An affine change has ``L_i(p) = k M_i(p) + n_i`` for every forecast p and class i, with k the same for all classes. Then
the three pairs ``(M_i(p), L_i(p))`` of any three forecasts are on one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from sympy import Expr, Rational

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.deciders.signs import positive
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.multiclass.stages import BayesProperness, ClassLosses
from costderive.proof.claims import Case, Claim, Equal, Move, Positive, Same, Step
from costderive.rules import Conclusion, Judgement

CLEAR = 1e-12


@dataclass(frozen=True, slots=True)
class NotAffine(Conclusion):
    """A proper rule that is not an affine change of another: the losses of one class at three forecasts."""

    proper: BayesProperness
    label: int
    forecasts: tuple[Forecast, ...]
    losses_here: tuple[Expr, ...]
    losses_there: tuple[Expr, ...]

    @property
    def losses(self) -> ClassLosses:
        """The losses of the rule."""
        return self.proper.losses

    @property
    def judgement(self) -> Judgement:
        """That of the rule."""
        return self.proper.judgement

    @property
    def area(self) -> Expr:
        """Twice the signed area of the triangle of the three pairs of losses: 0 if they are on one line."""
        (a, b, c), (d, e, f) = self.losses_here, self.losses_there
        return (b - a) * (f - d) - (c - a) * (e - d)


@dataclass(frozen=True, slots=True)
class CompareWith(Move):
    """Find three forecasts at which a rule differs from every affine change of another."""

    other: ClassRule

    def apply(self, before: BayesProperness, given: Given) -> NotAffine:
        rule = MulticlassRule(before.losses)
        tried = [(p, rule.at(p), self.other.at(p)) for p in _forecasts(rule.classes)]
        for label, three in product(range(rule.classes), combinations(tried, 3)):
            forecasts, here, there = zip(*three, strict=True)
            found = NotAffine(before, label, forecasts, _of(here, label), _of(there, label))
            if _is_clear(found.area, given):
                return found
        raise SpecError(
            "no three forecasts were found that distinguish the rule from every affine change of the other",
            "It may be one.",
        )

    def claims(self, before: BayesProperness, after: NotAffine, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.proper)
        rule = MulticlassRule(before.losses)
        sizes = (len(after.forecasts), len(after.losses_here), len(after.losses_there))
        inside = [
            len(p) == rule.classes and sum(p) == 1 and all(x.is_positive for x in p) for p in after.forecasts
        ]
        known = sizes == (3, 3, 3) and all(inside) and 0 <= after.label < rule.classes
        yield Same("there are three forecasts inside the simplex, and a class", known, True)
        for p, here, there in zip(*(after.forecasts, after.losses_here, after.losses_there), strict=False):
            if known:
                yield Equal("a loss of the rule", here, rule.at(p)[after.label])
                yield Equal("a loss of the other rule", there, self.other.at(p)[after.label])
        if known:
            yield Positive("the three pairs of losses are not on a line", after.area**2)


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
    (case,) = derivation.cases
    step = Step.make(CompareWith(other.rule), derivation.conclusion, case.given)
    return MulticlassDerivation(derivation.context, (Case(case.given, (*case.steps, step)),))
