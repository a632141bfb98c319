"""Integrals that are normal distribution functions, as a person finds them: by completing a square."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import c1, p, s
from costderive.deciders.identities import zero
from costderive.publish.formulas.shorter import NormalCdf, shorter
from costderive.publish.words.document_blocks import Prose, prose
from costderive.publish.words.scene import Description, Scene, say, series, show
from costderive.rules import Losses

_SHORT = 12  # operations in what one exponent has more than another
_LETTERS = (("m", r"\kappa"), ("M", r"\lambda"), ("h", r"\eta"))


def normal_integral(antiderivative: Expr, scene: Scene) -> Description:
    """Find an integral over all ``c1`` by a square, if the integrand is ``w(s)`` times a log-normal density of c1.

    Else nothing is said.
    """
    found = _mean_and_variance(antiderivative, scene.losses.weight.density, scene.case.given)
    taken = {symbol.name for symbol in antiderivative.free_symbols}
    letters = next((x for x in _LETTERS if taken.isdisjoint(y.lstrip("\\") for y in x)), None)
    if found is None or letters is None:
        return
    m, kappa = letters
    yield say(
        rf"Completing the square in $\ln c_1$ writes the integrand as the $\omega(s)$ {scene.stated} times the density "
        rf"of a log-normal $c_1$, where $\ln c_1$ has the mean ${m}(s)$ and the variance ${kappa}^2$ with",
        lead="The inner integral.",
    )
    yield show(rf"{m}(s) = {{}}, \qquad {kappa}^2 = {{}}.", *found)
    yield say(
        rf"So $A(s, c_1) = \omega(s) \, \Phi\bigl((\ln c_1 - {m}(s))/{kappa}\bigr)$ is an antiderivative in $c_1$, as "
        r"differentiation shows. It tends to 0 as $c_1 \to 0$ and to $\omega(s)$ as $c_1 \to \infty$, so the integral "
        r"is $\omega(s)$."
    )


def _mean_and_variance(antiderivative: Expr, weight: Pieces, given: Given) -> tuple[Expr, Expr] | None:
    """Return the mean, a function of s, and the variance of the logarithm of ``c1``."""
    factor, function = shorter(antiderivative).as_independent(NormalCdf, as_Add=False)
    if not isinstance(function, NormalCdf) or factor.has(c1) or len(weight.pieces) != 1:
        return None
    root = sympy.Dummy()
    argument = function.args[0].subs(sympy.log(c1), root)
    if argument.has(c1) or not argument.is_polynomial(root) or sympy.degree(argument, root) != 1:
        return None
    rising, rest = sympy.Poly(argument, root).all_coeffs()
    if rising.has(s) or not rising.is_positive:
        return None
    same = zero(factor - weight.pieces[0].value, Interval(s, sympy.S.Zero, sympy.S.One), given)
    return (_cancelled(-rest / rising), sympy.factor(1 / rising**2)) if same else None


def _cancelled(expr: Expr) -> Expr:
    """Return an expression as one fraction, its logarithms as they are."""
    logs = {log: sympy.Dummy() for log in expr.atoms(sympy.log)}
    found = sympy.cancel(expr.xreplace(logs))
    return found.xreplace({letter: log for log, letter in logs.items()})


def exponents(found: Losses) -> Prose:
    """Compare the exponents in the slopes of losses that are normal distribution functions with that of the weight."""
    weight = _exponent(found.weight.density.pieces[0].value.subs(s, p))
    if weight is None or any(len(x.pieces) != 1 for x in (found.weight.density, found.loss0, found.loss1)):
        return ()
    said = [_compared(loss.pieces[0].value, weight, y) for y, loss in enumerate((found.loss0, found.loss1))]
    return prose(" Multiplied out, {}.", series(said, ", and ")) if all(said) else ()


def _compared(loss: Expr, weight: Expr, label: int) -> Prose:
    """Say by how much the exponent in the slope of a loss exceeds that of the weight."""
    factor, function = shorter(loss).as_independent(NormalCdf, as_Add=False)
    before = _exponent(factor)
    if not isinstance(function, NormalCdf) or before is None:
        return ()
    more = _more(before - function.args[0] ** 2 / 2, weight)
    if more is None:
        return ()
    return prose(f"the exponent in $L_{label}'$ is that in $\\omega(p)${{}}", _added(more))


def _added(more: Expr) -> Prose:
    if more == 0:
        return ()
    return prose(" less {}", -more) if more.could_extract_minus_sign() else prose(" plus {}", more)


def _more(first: Expr, second: Expr) -> Expr | None:
    """Return the difference of two exponents, if it is short."""
    found = _cancelled(first - second)
    return found if sympy.count_ops(found) <= _SHORT else None


def _exponent(expr: Expr) -> Expr | None:
    """Return the exponent of a product, if it has one and the exponential is taken of nothing else."""
    powers = list(_powers(expr))
    return sympy.Add(*powers) if powers else None


def _powers(expr: Expr) -> Iterator[Expr]:
    return (x.args[0] for x in sympy.Mul.make_args(expr) if isinstance(x, sympy.exp))
