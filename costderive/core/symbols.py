"""The letters of the package, declared once.

Conventions, valid everywhere: class ``y`` is 0 or 1; ``p`` is the predicted and ``q`` the believed
probability of class 1; ``c0`` and ``c1`` are the costs of misclassifying an instance of class 0 and of
class 1; ``b = c0 + c1`` is the cost magnitude and ``s = c0/(c0 + c1)`` the cost proportion. A classifier
predicts class 1 when ``p > t``; a tie goes to class 0. With class 1 called positive, ``c0`` is the cost of
a false positive and ``c1`` of a false negative.

Every symbol is positive: for ``p``, ``q`` and ``s`` the open interval (0, 1) is meant, and a parameter of
a context stands for a positive number.
"""

from __future__ import annotations

import sympy

import costderive.core.bounded_logarithms  # noqa: F401  # before any expression is made

p, q, s, t, u = sympy.symbols("p q s t u", positive=True)
c0, c1 = sympy.symbols("c0 c1", positive=True)
pi0, pi1 = sympy.symbols("pi0 pi1", positive=True)

RESERVED = frozenset(symbol.name for symbol in (p, q, s, t, u, c0, c1, pi0, pi1)) | {"y"}


def parameter(name: str) -> sympy.Symbol:
    """Return the positive symbol that stands for the parameter ``name`` of a context.

    >>> parameter("a").is_positive
    True
    """
    return sympy.Symbol(name, positive=True)
