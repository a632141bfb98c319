"""The search for the Savage representation of a symmetric entropy, and for a witness against concavity."""

from __future__ import annotations

from itertools import permutations, product

import sympy
from sympy import Expr, Rational, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass.simplex import (
    SimplexLosses,
    SymmetricEntropy,
    SymmetricLosses,
    t,
)
from costderive.multiclass.simplex_moves import FindSimplexWitness, SavageForAnyClasses
from costderive.multiclass.simplex_rule import Forecast
from costderive.rules import Improperness, Undecided, Witness

GRID = (1, 2, 4, 7)
CLEAR = 1e-9


def savage_for_any_classes(
    move: SavageForAnyClasses, before: SymmetricEntropy, given: Given
) -> SymmetricLosses:
    """Solve for the constants of the summand, and write the loss as short as it gets."""
    multiple, slope = _proportion(before.inner)
    return SymmetricLosses(before, multiple, slope, _savage(before, multiple, slope))


def _savage(entropy: SymmetricEntropy, multiple: Expr, slope: Expr) -> Expr:
    """Return what does not depend on x, and what does, each as short as it gets."""
    outer = sympy.diff(entropy.outer, t)
    level = sympy.simplify(entropy.outer - outer * (multiple * t + slope))
    rising = sympy.powsimp(outer * sympy.diff(entropy.inner, x))
    return sympy.collect(sympy.expand(level), t, sympy.simplify) + rising


def _proportion(inner: Expr) -> tuple[Expr, Expr]:
    """Find constants with ``x g'(x) = m g(x) + n x``, from two places; the claims decide it.

    A power has them at sight: at two places SymPy would look for minimal polynomials of a degree as large as its
    denominator.
    """
    base, exponent = inner.as_base_exp()
    if base == x and x not in exponent.free_symbols:
        return exponent, S.Zero
    m, n = sympy.symbols("_m _n")
    gap = x * sympy.diff(inner, x) - m * inner - n * x
    found = sympy.solve([gap.subs(x, place) for place in (S.Half, S.One * 2)], [m, n], dict=True)
    if not found or not {m, n} <= set(found[0]):
        remedy = "Give the number of classes, and the entropy in p0, p1, ..."
        raise SpecError(f"the entropy with the summand {inner} has no form for any number of classes", remedy)
    return sympy.simplify(found[0][m]), sympy.simplify(found[0][n])


def find_simplex_witness(
    move: FindSimplexWitness, before: SimplexLosses, given: Given
) -> Improperness | Undecided:
    """Try the pairs of a few exact forecasts."""
    losses_at = {forecast: before.at(forecast) for forecast in inner_forecasts(move.classes)}
    if all(loss.is_number for losses in losses_at.values() for loss in losses):
        require_real(losses_at)
        for belief, report in permutations(losses_at, 2):
            gap = _expected(losses_at[belief], belief) - _expected(losses_at[report], belief)
            if gap.n() > CLEAR:
                truthful, better = before.entropy(belief), before.risk(report, belief)
                return Improperness(before, Witness(belief, report, truthful, better))
    return Undecided(before)


def require_real(losses_at: dict[Forecast, tuple[Expr, ...]]) -> None:
    """Refuse losses that are not real numbers inside the simplex: then the entropy is not a function there.

    Raises:
        SpecError: naming a forecast.
    """
    for forecast, losses in losses_at.items():
        if any(loss.is_real is False or loss.has(sympy.nan, sympy.zoo, sympy.oo) for loss in losses):
            where = ", ".join(map(str, forecast))
            problem = f"the losses of the entropy at the forecast ({where}) are {str(losses)[:60]}"
            raise SpecError(problem, "An entropy is smooth, real and finite inside the simplex.")


def _expected(losses: tuple[Expr, ...], belief: Forecast) -> Expr:
    return sympy.Add(*[weight * loss for weight, loss in zip(belief, losses, strict=True)])


def inner_forecasts(classes: int) -> list[Forecast]:
    """Return a few forecasts inside the simplex."""
    found = [
        tuple(Rational(n, sum(counts)) for n in counts) for counts in product(GRID, repeat=min(classes, 3))
    ]
    rest = classes - len(found[0])
    return list(
        dict.fromkeys((*[n / (1 + rest) for n in one], *[Rational(1, 1 + rest)] * rest) for one in found)
    )
