"""Budgets: contexts in which some mean of the two costs is fixed and the cost proportion is uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr

from costderive.contexts.context import Context, Costs, positive_number, real_number
from costderive.errors import SpecError
from costderive.expressions import exact
from costderive.integrals import ExpectedLoss, Line
from costderive.pieces import Given
from costderive.symbols import s

MAX_EXPONENT = 100


@dataclass(frozen=True, slots=True)
class PowerMean(Context):
    """Costs whose power mean ``((c0^k + c1^k)/2)^(1/k)`` is fixed, with the cost proportion s uniform on [0, 1].

    ``k`` is any real number: 1 additive, -1 harmonic, 0 geometric, 2 Euclidean, ``oo`` the maximum and ``-oo`` the
    minimum of the two costs; a symbol stands for a positive ``k``. With ``mean`` 1 the loss is commensurate with
    the error rate, since then c0 = c1 = 1 where s = 1/2.

    Source: Flach (2015), sections 4 and 5.
    """

    k: Any
    mean: Any = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", _exponent(real_number(exact(self.k, place="context.k"), "context.k")))
        object.__setattr__(
            self, "mean", positive_number(exact(self.mean, place="context.mean"), "context.mean")
        )

    def given(self) -> Given:
        return Given()

    def magnitude(self) -> Expr:
        """Return ``b(s) = m (2/(s^k + (1 - s)^k))^(1/k)`` for a finite exponent k."""
        if self.k.is_zero:
            return self.mean / sympy.sqrt(s * (1 - s))
        return self.mean * (2 / (s**self.k + (1 - s) ** self.k)) ** (1 / self.k)

    def expected_loss(self) -> ExpectedLoss:
        if self.k.is_finite is not False:
            return ExpectedLoss(lines=(Line(self.magnitude(), sympy.S.One, sympy.S.Zero, sympy.S.One),))
        below, above = (1 - s, s) if self.k is sympy.oo else (s, 1 - s)
        half = sympy.Rational(1, 2)
        return ExpectedLoss(
            lines=(
                Line(self.mean / below, sympy.S.One, sympy.S.Zero, half),
                Line(self.mean / above, sympy.S.One, half, sympy.S.One),
            )
        )

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        share = generator.random(draws)
        cost = float(self.mean) / _unit_mean(share, float(self.k))
        return cost * share, cost * (1 - share)


def _exponent(k: Expr) -> Expr:
    if k.is_Rational and abs(k) > MAX_EXPONENT:
        raise SpecError(
            f"context.k = {str(k)[:40]} is beyond {MAX_EXPONENT}", "Write oo or -oo for the limit."
        )
    return k


def _unit_mean(share: NDArray[np.float64], k: float) -> NDArray[np.float64]:
    """Return the power mean of (s, 1 - s), scaled by the larger so that nothing overflows."""
    large, small = np.maximum(share, 1 - share), np.minimum(share, 1 - share)
    if k == 0:
        return np.asarray(np.sqrt(large * small))
    if np.isinf(k):
        return large if k > 0 else small
    pivot = large if k > 0 else small
    return np.asarray(pivot * ((1 + (np.minimum(large, small) / large) ** abs(k)) / 2) ** (1 / k))


def Additive(budget: Any = 2) -> PowerMean:
    """Return the context ``c0 + c1 = budget`` with s uniform; a budget of 2 gives the Brier score.

    Source: Hernandez-Orallo, Flach and Ferri (2011), Theorem 6.
    """
    return PowerMean(k=1, mean=positive_number(exact(budget, place="context.budget"), "context.budget") / 2)


def Harmonic(budget: Any = "1/2") -> PowerMean:
    """Return the context ``1/c0 + 1/c1 = 1/budget`` with s uniform; a budget of 1 gives the log loss.

    Source: Flach (2015), Theorem 1.
    """
    return PowerMean(k=-1, mean=2 * positive_number(exact(budget, place="context.budget"), "context.budget"))


def Geometric(mean: Any = 1) -> PowerMean:
    """Return the context ``c0 c1 = mean^2`` with s uniform.

    Source: the expected-loss metric that Flach (2015), section 6, leaves open.
    """
    return PowerMean(k=0, mean=mean)
