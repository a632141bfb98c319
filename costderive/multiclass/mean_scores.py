"""Scores of predictions of K classes, in doubles: a mean loss from labels and an array of probabilities.

`row_losses` explains how the losses of rows are computed, and how accurately.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from reprlib import repr as shown
from typing import Any

from sympy import Expr, Symbol

from costderive.core.errors import DataError, SpecError, require_values
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.time_limit import limited
from costderive.costs.laws import Law, x
from costderive.costs.laws.quadrature import is_steep
from costderive.multiclass.act_regions import ActLosses
from costderive.multiclass.averaged_costs import AveragedLosses
from costderive.multiclass.checked_classes import (
    Labels,
    checked_forecasts,
    checked_rows,
    require_positive,
    softmax,
)
from costderive.multiclass.class_costs import ClassContext, ClassCosts
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.cost_moves import FindDistributions, factor_of
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.letters import predicted
from costderive.multiclass.mixed_acts import MixActs, MixedLosses
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.row_acts import ActRows
from costderive.multiclass.row_expectations import SeveralRows, several_rows
from costderive.multiclass.row_losses import (
    GammaRows,
    GivenRows,
    PenalisedRows,
    RowLosses,
    SymmetricRows,
    UniformRows,
    uniform_end,
)
from costderive.multiclass.row_mixtures import MixedRows
from costderive.multiclass.row_quadrature import QuadratureRows
from costderive.multiclass.row_slopes import Slopes, Source, slopes_of
from costderive.multiclass.row_table_slopes import TableSlopes
from costderive.multiclass.row_tables import TableRows
from costderive.multiclass.search.averaged_costs import averages, expect_cheapest, mix_acts
from costderive.multiclass.search.cost_moves import find_distributions
from costderive.multiclass.several_uncertain import ExpectCheapest, ExpectedLosses
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.simplex_rule import ClassRule
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.multiclass.sums import ExponentialSum, NotASumError
from costderive.numeric.blocks import one_of
from costderive.numeric.checked_data import numbers, sample_weights

ActRule = ActLosses | AveragedLosses | MixedLosses | ExpectedLosses


@dataclass(frozen=True, slots=True)
class MulticlassLoss:
    """A scoring rule of K classes as a mean loss; the number of classes is any if it is ``None``."""

    classes: int | None
    rows: RowLosses
    source: Source | None

    __repr__ = short_repr

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        logit: ArrayLike | None = None,
        labels: Sequence[Any] | None = None,
    ) -> float:
        """Return the mean loss; weights of shape (n,) are not negative and not all 0.

        In place of probabilities may stand ``logit``, of which they are the softmax.

        Raises:
            DataError: naming the first row that cannot be scored.
        """
        losses = self.per_sample(y_true, y_proba, logit=logit, labels=labels)
        if sample_weight is None:
            return float(losses.mean())
        weights = sample_weights(sample_weight, len(losses))
        counted = weights > 0
        return float(np.average(losses[counted], weights=weights[counted]))

    def per_sample(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        logit: ArrayLike | None = None,
        labels: Sequence[Any] | None = None,
    ) -> Array:
        """Return the loss of each row, for a label or one-hot row each, and probabilities of shape (n, K).

        ``labels`` names the classes in the order of the columns, which is that of the costs: strings, numbers or
        booleans. Without it labels are 0, ..., K - 1, or names of which all K are met, in ascending order as in
        scikit-learn; booleans are those of two classes.

        A row may miss the sum 1 by the rounding of its type, ``max(K, 100) eps`` (1.2e-5 in single precision up to 100
        classes, at most 0.01), or 1e-8; it is then divided by its sum.

        Raises:
            DataError: naming the first row that cannot be scored.
        """
        name, values = one_of(y_proba=y_proba, logit=logit)
        found, forecasts = checked_rows(y_true, self._probabilities(name, values), self.classes, labels)
        if name == "logit":
            return self.rows.of_logits(numbers(name, values), forecasts, found)
        return self.rows.of_rows(forecasts, found)

    def gradient(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        logit: ArrayLike | None = None,
        wrt: str = "p",
        labels: Sequence[Any] | None = None,
    ) -> Array:
        """Return the gradient of each row's loss, of shape (n, K), at positive probabilities, or at logits.

        In ``p`` it is the vector along the simplex whose product with ``v`` is the derivative in the direction v, for
        every v that adds up to 0: its numbers add up to 0, too. With ``wrt="logit"`` it is the gradient in z, where
        ``p = softmax(z)``; its numbers add up to 0 as well. Where costs have kinks in their laws, or predictions tie
        under a penalty, it is the gradient of one side. Where densities of two costs have poles that weigh the same, as
        those of ``beta(1/2, 1/2)`` at equal probabilities, it is infinite in these logits, and NaN in p.

        Raises:
            DataError: naming the first row that cannot be scored, or has a probability 0.
            SpecError: if a cost has a positive probability: such losses have steps.
        """
        return self._slopes(y_true, y_proba, logit, wrt, labels, bends=False)[0]

    def hessian(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        logit: ArrayLike | None = None,
        wrt: str = "p",
        labels: Sequence[Any] | None = None,
    ) -> Array:
        """Return the matrix of second derivatives of each row's loss, of shape (n, K, K), as `gradient` has the first.

        In ``p`` it is ``P H P`` with the projection P on vectors that add up to 0: only directions along the simplex
        count. With ``wrt="logit"`` it is the Hessian in z. Rows and columns of both add up to 0. Where poles of two
        costs weigh the same, it is NaN in these classes.

        Raises:
            DataError: naming the first row that cannot be scored, or has a probability 0.
            SpecError: if a cost has a positive probability: such losses have steps.
        """
        found = self._slopes(y_true, y_proba, logit, wrt, labels, bends=True)[1]
        assert found is not None
        return found

    def _slopes(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None,
        logit: ArrayLike | None,
        wrt: str,
        labels: Sequence[Any] | None,
        bends: bool,
    ) -> Slopes:
        name, values = one_of(y_proba=y_proba, logit=logit)
        if wrt not in ("p", "logit"):
            raise DataError(f"wrt = {wrt!r} is not a variable of a loss", "Write wrt='p' or wrt='logit'.")
        found, forecasts = checked_rows(y_true, self._probabilities(name, values), self.classes, labels)
        if name == "y_proba":
            require_positive(forecasts)
        slopes = (
            TableSlopes.of(self.rows.laws, self.rows.factor)
            if isinstance(self.rows, TableRows)
            else slopes_of(self.source)
        )
        return (slopes.tangent if wrt == "p" else slopes.in_logits)(forecasts, found, bends)

    def _probabilities(self, name: str, values: ArrayLike) -> ArrayLike:
        return softmax(values, self.classes) if name == "logit" else values


@dataclass(frozen=True, slots=True)
class ActLoss(MulticlassLoss):
    """The rule of a cost matrix as a mean loss, and its decisions."""

    rows: ActRows | MixedRows | SeveralRows

    __repr__ = short_repr

    def decide(self, y_proba: ArrayLike, uncertain: ArrayLike | None = None) -> Labels:
        """Return the act of the least expected cost in each row, of several the first; shape (n,).

        Expected costs that differ by no more than the roundings of their sums are taken to be the same. To reject is
        the last act. If its cost is uncertain, or a letter is, ``uncertain`` has its value, in each row or in all; if
        several are, it has a column for each, in their order.

        Raises:
            DataError: naming the first row that is no forecast, or a value that is missing, or not wanted.
        """
        return self.rows.decide(checked_forecasts(y_proba, self.classes), uncertain)

    def _slopes(self, *about: Any, **how: Any) -> Slopes:
        remedy = "Train with costs of classes, and compare what is trained by these losses."
        raise SpecError("losses of a cost matrix jump between acts, and have no derivatives", remedy)


def compile(
    rule: ClassRule | ActRule | ClassContext | MulticlassDerivation,
    *,
    time_limit: float = 60.0,
) -> MulticlassLoss:
    """Return a scoring rule of several classes, or that of a derivation or of costs, as a mean loss in doubles.

    A context of costs is taken as it is, so that no closed form is needed and there may be thousands of classes. Costs
    that are all Gamma (of whole shapes), or all uniform from 0 upwards, have losses exact to about 1e-14 of themselves
    for up to 1000 classes, wherever the probabilities are; other sums of ``x^n exp(-r x)`` to 1e-14 of the mean cost.
    Any other laws with densities that are smooth above 0 (log-normal, Weibull, Pareto, Gamma of any shape, mixtures)
    are tabulated, more slowly, for losses to 1e-12 of the mean cost. Rules of an entropy are exact to a few roundings
    of their terms. At probabilities 0 and 1 are the limits, maybe infinite.
    Of a cost matrix the result is an `ActLoss`, which can decide, too; its losses are exact to about 1e-14 of
    themselves, but for the choice of the act where two cost nearly the same. With two uncertain costs with densities
    they are so to about 1e-6 of the mean cost, with more to about 1e-3.

    Raises:
        ParametersLeftError: if a parameter has no number.
        SpecError: if it is neither a rule of an entropy nor one of costs; if a law is too rough for sums, or has no
            mean; or if the distribution functions of costs are not found within ``time_limit``, in seconds of CPU
            time.

    Example:
        >>> from costderive.multiclass import log_score
        >>> round(compile(log_score())([0, 2], [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]), 6)
        0.601986
    """
    if isinstance(rule, MulticlassDerivation):
        return compile(rule.rule, time_limit=time_limit)
    if isinstance(rule, SymmetricLosses):
        _require_numbers(rule.loss)
        return MulticlassLoss(None, SymmetricRows(rule), rule)
    if isinstance(rule, GivenLosses):
        classes = rule.entropy_function.classes
        _require_numbers(*rule.losses, letters={predicted(label) for label in range(classes)})
        return MulticlassLoss(classes, GivenRows(rule), rule)
    if isinstance(rule, PenalisedRule):
        _require_numbers(rule.base.loss)
        return MulticlassLoss(rule.classes, PenalisedRows(rule), rule)
    if isinstance(rule, MixedLosses | ExpectedLosses) or (isinstance(rule, CostMatrix) and rule.parts):
        return _mixed(rule, time_limit)
    if isinstance(rule, CostMatrix | ActLosses | AveragedLosses):
        return ActLoss(_matrix_of(rule).classes, _act_rows(rule, time_limit), None)
    if isinstance(rule, ClassCosts | SingleIntegrals):
        return _of_costs(rule, time_limit)
    if not isinstance(rule, MulticlassRule):
        raise SpecError(
            f"{shown(rule)} is no rule of several classes",
            "Give costs such as IndependentCosts(...), a rule such as log_score(), or multiclass.derive(costs); "
            "costderive.numeric.compile is for the other contexts and rules of two classes.",
        )
    return MulticlassLoss(rule.classes, _cost_rows(rule.losses.costs), rule.losses.costs)


def _of_costs(costs: ClassCosts | SingleIntegrals, time_limit: float) -> MulticlassLoss:
    laws = costs.laws if isinstance(costs, ClassCosts) else tuple(one.law for one in costs.costs.of_class)
    if not all(map(_is_exponential, laws)):
        factor = factor_of(costs) if isinstance(costs, ClassCosts) else costs.costs.factor
        _require_numbers(factor, *costs.parameters)
        rows = limited(time_limit, "tables of the laws", TableRows.of, laws, float(factor))
        return MulticlassLoss(costs.classes, rows, None)
    if isinstance(costs, SingleIntegrals):
        return MulticlassLoss(costs.classes, _cost_rows(costs.costs), costs.costs)
    about = FindDistributions(), costs, costs.given()
    found = limited(time_limit, "finding the distributions of the costs", find_distributions, *about)
    return MulticlassLoss(costs.classes, _cost_rows(found), found)


@lru_cache
def _is_exponential(law: Law) -> bool:
    """Return whether a density is a sum of terms ``C x^n exp(-r x)`` with powers that are not steep."""
    try:
        found = [ExponentialSum.read(spread.density, law.given()) for spread in law.spreads]
        return all(found) and not any(is_steep(spread.density) for spread in law.spreads)
    except NotASumError:
        return False


def _mixed(rule: CostMatrix | MixedLosses | ExpectedLosses, time_limit: float) -> MulticlassLoss:
    _require_numbers(*rule.parameters)
    purpose = "finding the distributions of the costs"
    found: Any = rule
    if isinstance(rule, CostMatrix) and rule.part is None:
        found = limited(time_limit, purpose, expect_cheapest, ExpectCheapest(), rule, rule.given())
    elif isinstance(rule, CostMatrix):
        found = limited(time_limit, purpose, mix_acts, MixActs(), rule, rule.given())
    rows = MixedRows.of(found) if isinstance(found, MixedLosses) else several_rows(found)
    return ActLoss(rule.classes, rows, None)


def _matrix_of(rule: CostMatrix | ActLosses | AveragedLosses) -> CostMatrix:
    if isinstance(rule, CostMatrix):
        return rule
    return rule.matrix if isinstance(rule, ActLosses) else rule.known.matrix


def _act_rows(rule: CostMatrix | ActLosses | AveragedLosses, time_limit: float) -> ActRows:
    matrix = _matrix_of(rule)
    _require_numbers(*matrix.parameters)
    if isinstance(rule, AveragedLosses):
        return ActRows.of(matrix, rule.factor, rule.reject, rule.limited)
    purpose = "finding the distributions of the costs"
    return ActRows.of(matrix, *limited(time_limit, purpose, averages, matrix, matrix.given()))


def _require_numbers(*exprs: Expr, letters: Collection[Symbol] = (x, t)) -> None:
    left = {letter.name for expr in exprs for letter in expr.free_symbols.difference(letters)}
    require_values(sorted(left), "costs or the rule")


def _cost_rows(costs: IndependentDistributions) -> RowLosses:
    exprs = [expr for one in set(costs.of_class) for expr in (*one.marks, *one.densities)]
    _require_numbers(costs.factor, *exprs)
    laws = tuple(one.law for one in costs.of_class)
    if not all(map(_is_exponential, laws)):
        return TableRows.of(laws, float(costs.factor))
    uniform = [uniform_end(one) for one in costs.of_class]
    if None not in uniform:
        return UniformRows(float(costs.factor), tuple(end for end in uniform if end is not None))
    gammas = [_gamma_of(one) for one in costs.of_class]
    if None not in gammas:
        return GammaRows.of(float(costs.factor), tuple(one for one in gammas if one is not None))
    return QuadratureRows.of(costs)


@lru_cache
def _gamma_of(one: Distribution) -> tuple[int, float] | None:
    """Return shape and rate."""
    if one.marks:
        return None
    try:
        terms = ExponentialSum.read(one.densities[0], Given()).terms
    except NotASumError:
        return None
    return next(((n + 1, float(rate)) for n, rate in terms), None) if len(terms) == 1 else None
