"""Laws that have a name: which family a law belongs to, and with which parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import CostDeriveError
from costderive.costs.laws import Law, beta, gamma, lognormal, x


@dataclass(frozen=True, slots=True)
class NamedLaw:
    """A family, the parameters of one of its laws, and what these are where that is not plain."""

    family: str
    parameters: tuple[Expr, ...]
    remark: str = ""

    @property
    def symbol(self) -> str:
        """The name before the parameters."""
        return "LogNormal" if self.family == "log-normal" else self.family


def named(law: Law) -> NamedLaw | None:
    """Return the name of a law that is uniform, exponential, Gamma, Beta or log-normal, None for any other.

    >>> named(gamma(2, 1))
    NamedLaw(family='Gamma', parameters=(2, 1), remark='shape and scale')
    """
    if law.masses or len(law.spreads) != 1:
        return None
    (spread,) = law.spreads
    if not spread.density.has(x):
        return NamedLaw("uniform", (spread.low, spread.high))
    return next((found for build, found in _guesses(spread.density) if _is(law, build, found)), None)


def in_common(first: Law, second: Law) -> tuple[str, str]:
    """Return the family that two laws share and the remark on its parameters, as both stand in a sentence.

    >>> in_common(gamma(2, 1), gamma(3, 1)), in_common(gamma(2, 1), beta(3, 1))
    (('Gamma ', ' (shape and scale)'), ('', ''))
    """
    known, other = named(first), named(second)
    if known is None or other is None or known.family != other.family:
        return "", ""
    return f"{known.family} ", f" ({known.remark})" if known.remark else ""


def _guesses(density: Expr) -> Iterator[tuple[Callable[..., Law], NamedLaw]]:
    """Yield laws that a density may be the one of, by its powers and exponentials."""
    powers = density.as_powers_dict()
    first, second = powers[x] + 1, powers[1 - x] + 1
    exponents = [exponential.args[0] for exponential in density.atoms(sympy.exp)]
    for scale in [-x / exponent for exponent in exponents]:
        if first == 1:
            yield lambda mean: gamma(1, mean), NamedLaw("exponential", (scale,))
        yield gamma, NamedLaw("Gamma", (first, scale), "shape and scale")
    yield beta, NamedLaw("Beta", (first, second))
    for mean, variance in filter(None, map(_of_logarithm, exponents)):
        remark = "mean and variance of the logarithm"
        yield (
            lambda mean, variance: lognormal(mean, sympy.sqrt(variance)),
            NamedLaw("log-normal", (mean, variance), remark),
        )


def _of_logarithm(exponent: Expr) -> tuple[Expr, Expr] | None:
    """Return mean and variance of ``ln x`` if the exponent of a density is that of a log-normal law."""
    found = sympy.collect(sympy.expand(exponent), sympy.log(x), evaluate=False)
    square = found.get(sympy.log(x) ** 2, sympy.S.Zero)
    if square.is_zero or not square.is_negative:
        return None
    variance = -1 / (2 * square)
    return variance * found.get(sympy.log(x), sympy.S.Zero), variance


def _is(law: Law, build: Callable[..., Law], guess: NamedLaw) -> bool:
    try:
        return build(*guess.parameters) == law
    except CostDeriveError:  # no such law has these parameters
        return False
