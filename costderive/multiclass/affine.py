"""Is a rule of K classes an affine change of another one? A witness that it is not: three exact forecasts.

An affine change has ``L_i(p) = k M_i(p) + n_i`` for every forecast p and class i, with k the same for all classes. Then
the three pairs ``(M_i(p), L_i(p))`` of any three forecasts are on one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr

from costderive.core.piecewise import Given
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.bounds import rule_of
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import ClassLosses
from costderive.proof.claims import Claim, Equal, Move, Positive, Same
from costderive.rules.conclusions import BeyondProperness


@dataclass(frozen=True, slots=True)
class NotAffine(BeyondProperness):
    """A proper rule that is not an affine change of another: the losses of one class at three forecasts."""

    proper: BayesProperness
    label: int
    forecasts: tuple[Forecast, ...]
    losses_here: tuple[Expr, ...]
    losses_there: tuple[Expr, ...]

    @property
    def losses(self) -> ClassLosses | SingleIntegrals:
        """The losses of the rule."""
        return self.proper.losses

    @property
    def area(self) -> Expr:
        """Twice the signed area of the triangle of the three pairs of losses: 0 if they are on one line."""
        (a, b, c), (d, e, f) = self.losses_here, self.losses_there
        return (b - a) * (f - d) - (c - a) * (e - d)


@dataclass(frozen=True, slots=True)
class CompareWith(Move):
    """Find three forecasts at which a rule differs from every affine change of another."""

    searched_by = "costderive.multiclass.search.affine:compare_with"

    other: ClassRule

    def claims(self, before: BayesProperness, after: NotAffine, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.proper)
        rule = rule_of(before)
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
