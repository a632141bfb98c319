"""Rules from a distribution function F: the report of a linear predictor x is ``F(x)``, its link is the quantile.

Source: Buja, Stuetzle and Shen (2005); Reid and Williamson (2010).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Rational

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import u
from costderive.derivation.constructed_rules import rule_from_link
from costderive.derivation.derivation import Derivation
from costderive.derivation.derived import made
from costderive.derivation.moves import IntegrateCdf, SlopeInPredictor
from costderive.derivation.search.composite_losses import CAUCHY, NORMAL
from costderive.proof.claims import Case
from costderive.rules import CompositeLosses, Judgement, ScoringRule, Unproved
from costderive.rules.given_by import GivenCdf
from costderive.rules.linear_predictor import in_predictor

HALF, ZERO, ONE, oo = Rational(1, 2), sympy.S.Zero, sympy.S.One, sympy.oo


@dataclass(frozen=True, slots=True)
class NamedCdf:
    """A distribution function as pieces ``(up to which exp(x), value)``; its quantile, or why it gives no rule in p."""

    pieces: tuple[tuple[Expr, Expr], ...]
    quantile: str = ""
    why_none: str = ""


CDFS: Mapping[str, NamedCdf] = {
    "logistic": NamedCdf(((oo, u / (1 + u)),), "log(p/(1-p))"),
    "normal": NamedCdf(((oo, NORMAL),), why_none="its quantile is not an elementary function of p"),
    "cauchy": NamedCdf(
        ((oo, CAUCHY),),
        why_none="its weight pi/sin(pi s)^2 times s has no finite integral at 0, so loss 0 has no lower bound",
    ),
    "cloglog": NamedCdf(((oo, 1 - sympy.exp(-u)),), "log(-log(1-p))"),
    "laplace": NamedCdf(((ONE, u / 2), (oo, 1 - 1 / (2 * u))), "log(2*p) if p <= 1/2; -log(2*(1-p))"),
    "step": NamedCdf(((ONE, ZERO), (oo, ONE)), why_none="all its reports are 0 or 1"),
}


@dataclass(frozen=True, slots=True)
class CompositeRule:
    """The losses ``integral of F`` and ``integral of F, less x`` of a linear predictor, with their derivation."""

    losses: CompositeLosses
    derivation: Derivation

    @property
    def loss0(self) -> Expr:
        """The loss of the predictor x (`costderive.rule.composite.predictor`) if the class is 0."""
        return in_predictor(self.losses.loss0)

    @property
    def loss1(self) -> Expr:
        """The loss of the predictor x if the class is 1."""
        return in_predictor(self.losses.loss1)

    @property
    def verdict(self) -> Judgement | Unproved:
        """Strictly proper if F rises strictly and is continuous, else proper; text that says so if it is not proved."""
        return self.derivation.verdict


def rule_from_cdf(
    cdf: Any, *, quantile: Any = None, assuming: Any = (), time_limit: float = 60.0
) -> ScoringRule:
    """Return the scoring rule whose canonical link is the quantile of a distribution function.

    ``cdf`` is a name: logistic (which gives the log loss), cloglog or laplace. For any other, give its ``quantile``
    as an expression in p, and ``assuming`` what is known of its letters. `composite_from_cdf` gives the losses in x,
    for every distribution function.

    Raises:
        SpecError: if the quantile is not known, or gives no scoring rule: normal, cauchy and step.
        DivergentCostError: if a loss is infinite inside (0, 1).

    >>> rule_from_cdf("logistic").loss1
    -log(p)
    """
    if quantile is not None:
        return rule_from_link(quantile, assuming=assuming, time_limit=time_limit)
    named = CDFS[_name(cdf)]
    if not named.quantile:
        remedy = "Use composite_from_cdf for its losses in the linear predictor."
        raise SpecError(f"{cdf} gives no scoring rule in p: {named.why_none}", remedy)
    return rule_from_link(named.quantile, time_limit=time_limit)


def composite_from_cdf(cdf: Any) -> CompositeRule:
    """Return the proper composite losses of a linear predictor x with the report ``F(x)``.

    ``cdf`` is a name (logistic, normal for the probit rule, cauchy, cloglog, laplace, step for the perceptron), or an
    expression in x whose integral is found. ``check(result.derivation)`` decides that F is a distribution function,
    that the losses have the slopes F and F - 1 in x, and hence that the risk is least where F crosses the belief.

    Raises:
        SpecError: if it is not an expression in x, or no integral of it was found.

    >>> composite_from_cdf("step").loss0
    Piecewise((0, x <= 0), (x, True))
    """
    named = CDFS.get(cdf) if isinstance(cdf, str) else None
    pieces = ((oo, _expression(cdf)),) if named is None else named.pieces
    lows = (ZERO, *[high for high, _ in pieces])
    whole = tuple(Piece(low, high, value) for low, (high, value) in zip(lows, pieces, strict=False))
    origin = GivenCdf(Pieces(u, whole))
    given = Given()
    steps = made((IntegrateCdf(), SlopeInPredictor()), origin, given)
    return CompositeRule(steps[0].after, Derivation(origin, (Case(given, steps),)))


def _name(cdf: Any) -> str:
    if not isinstance(cdf, str) or cdf not in CDFS:
        problem = f"{str(cdf)[:60]!r} is not the name of a distribution function"
        raise SpecError(problem, f"Names: {', '.join(CDFS)}; or give quantile=, an expression in p.")
    return cdf


def _expression(cdf: Any) -> Expr:
    """Read an expression in x, written in ``u = exp(x)``."""
    if isinstance(cdf, str):
        return parse(cdf, place="cdf", names={"x": sympy.log(u)})
    if not isinstance(cdf, Expr):
        raise SpecError(f"cdf = {str(cdf)[:60]!r} is not an expression in x", f"Names: {', '.join(CDFS)}.")
    letters = {symbol: sympy.log(u) for symbol in cdf.free_symbols if symbol.name == "x"}
    return exact(cdf.subs(letters), place="cdf")
