"""The letters of several classes: ``p0, p1, ...`` predicted, ``q0, q1, ...`` believed, ``c0, c1, ...`` costs.

All are positive. Forecasts and beliefs are on the open simplex, but every loss depends on the ratios of the
probabilities alone, so identities are decided for free positive letters.
"""

from __future__ import annotations

import re

from sympy import Symbol

from costderive.core.errors import SpecError

_LETTERS = re.compile("[pqc][0-9]+|x|t")


def predicted(label: int) -> Symbol:
    """Return the predicted probability of a class."""
    return Symbol(f"p{label}", positive=True)


def believed(label: int) -> Symbol:
    """Return the believed probability of a class."""
    return Symbol(f"q{label}", positive=True)


def cost(label: int) -> Symbol:
    """Return the cost of misclassifying an instance of a class."""
    return Symbol(f"c{label}", positive=True)


def is_free(symbol: Symbol) -> bool:
    """Return whether a letter is free: it stands for no class, no variable of a density and no sum over classes."""
    return _LETTERS.fullmatch(symbol.name) is None


def require_free(parameters: frozenset[Symbol], place: str) -> None:
    """Refuse parameters whose names are letters of a class, the x of densities, or the t of sums over classes.

    Raises:
        SpecError: naming the parameter.
    """
    for symbol in sorted(parameters, key=str):
        if not is_free(symbol):
            raise SpecError(
                f"{place} has a parameter {symbol.name}, which is a letter of the package",
                "Take another name.",
            )
