"""The special functions in losses, in words: what they are, and what losses are given by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import sympy
from sympy import Expr

from costderive.core.curve_parameters import CurveParameter
from costderive.publish.formulas.shorter import NormalCdf, NormalQuantile, shorter
from costderive.rules.hypergeometric import hyp2f1


def kinds_in(values: Iterable[Expr]) -> list[str]:
    """Return the kinds of functions that are integrals themselves."""
    found = [shorter(value) for value in values]
    return [name for kinds, name in _KINDS.items() if any(value.has(*kinds) for value in found)]


_KINDS: dict[tuple[type, ...], str] = {
    (CurveParameter,): "the root of an equation",
    (sympy.betainc, sympy.betainc_regularized): "incomplete Beta functions",
    (sympy.lowergamma, sympy.uppergamma): "incomplete Gamma functions",
    (sympy.Ei, sympy.expint): "exponential integrals",
    (hyp2f1,): "hypergeometric functions",
    (NormalCdf,): "the normal distribution function",
    (sympy.erf, sympy.erfc, sympy.erfi): "the error function",
}


def functions_in(values: list[Expr]) -> list[str]:
    """Say what the special functions are, in letters that are no parameters of theirs."""
    return _said_of(_FUNCTIONS, values)


def _said_of(texts: Mapping[type, str], values: list[Expr]) -> list[str]:
    drawn = [shorter(value) for value in values]
    taken = {symbol.name for value in values for symbol in value.free_symbols}
    letters = next((x for x in LETTERS if taken.isdisjoint(y.lstrip("\\") for y in x)), LETTERS[0])
    found = [said for function, said in texts.items() if any(value.has(function) for value in drawn)]
    return [re.sub("@([123])", lambda place: letters[int(place[1]) - 1], said) for said in found]


def slopes_in(values: list[Expr]) -> list[str]:
    """Write the slopes of those special functions that are no elementary ones themselves, in the same letters."""
    return _said_of(_SLOPES, values)


LETTERS = ((r"\alpha", r"\beta", r"\gamma"), ("k", "l", "j"), ("m", "n", "r"), ("v", "w", "z"))
_FUNCTIONS: dict[type | Expr, str] = {
    NormalCdf: r"$\Phi$ is the distribution function of the standard normal law",
    NormalQuantile: r"$\Phi^{-1}$ is the inverse of $\Phi(x) = \int_{-\infty}^x \mathrm{e}^{-u^2/2} \, du/\sqrt{2\pi}$",
    sympy.erf: r"$\operatorname{erf}(x) = \frac{2}{\sqrt{\pi}} \int_0^x \mathrm{e}^{-u^2} \, du$",
    sympy.erfc: r"$\operatorname{erfc}(x) = \frac{2}{\sqrt{\pi}} \int_x^\infty \mathrm{e}^{-u^2} \, du$",
    sympy.erfi: r"$\operatorname{erfi}(x) = \frac{2}{\sqrt{\pi}} \int_0^x \mathrm{e}^{u^2} \, du$",
    sympy.betainc: r"$\mathrm{B}_x(@1, @2) = \int_0^x u^{@1 - 1} (1 - u)^{@2 - 1} \, du$",
    sympy.betainc_regularized: (
        r"$\mathrm{I}_x(@1, @2)$ is $\int_0^x u^{@1 - 1} (1 - u)^{@2 - 1} \, du$ divided by the same integral up to 1"
    ),
    sympy.lowergamma: r"$\gamma(@1, x) = \int_0^x u^{@1 - 1} \mathrm{e}^{-u} \, du$",
    sympy.uppergamma: r"$\Gamma(@1, x) = \int_x^\infty u^{@1 - 1} \mathrm{e}^{-u} \, du$",
    sympy.Ei: r"$\operatorname{Ei}(x) = \int_{-\infty}^x \frac{\mathrm{e}^u}{u} \, du$ is the exponential integral",
    sympy.expint: r"$\mathrm{E}_n(x) = \int_1^\infty u^{-n} \mathrm{e}^{-x u} \, du$",
    hyp2f1: (
        r"$F$ is Gauss's hypergeometric function: for $0 < @2 < @3$ and $x < 1$, $F(@1, @2; @3; x) = "
        r"\frac{\Gamma(@3)}{\Gamma(@2) \Gamma(@3 - @2)} \int_0^1 u^{@2 - 1} (1 - u)^{@3 - @2 - 1} (1 - x u)^{-@1} "
        r"\, du$"
    ),
    sympy.EulerGamma: r"$\gamma = 0.5772\ldots$ is Euler's constant",
}
_SLOPES: dict[type, str] = {
    NormalCdf: r"$\Phi'(x) = \mathrm{e}^{-x^2/2}/\sqrt{2 \pi}$",
    sympy.betainc: r"$\frac{\partial}{\partial x} \mathrm{B}_x(@1, @2) = x^{@1 - 1} (1 - x)^{@2 - 1}$",
    sympy.lowergamma: r"$\frac{\partial}{\partial x} \gamma(@1, x) = x^{@1 - 1} \mathrm{e}^{-x}$",
    sympy.uppergamma: r"$\frac{\partial}{\partial x} \Gamma(@1, x) = -x^{@1 - 1} \mathrm{e}^{-x}$",
    sympy.Ei: r"$\operatorname{Ei}'(x) = \mathrm{e}^x/x$",
}
