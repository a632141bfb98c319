"""Costs that a copula joins, in words: the copula by its formula, and how strongly the costs depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr, asin, exp, log, pi, symbols

from costderive.costs.contexts import Copula, CopulaFamily, Independent
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import drawn, flat, formula
from costderive.publish.words.document_blocks import Block, prose
from costderive.publish.words.law_names import in_common
from costderive.publish.words.law_phrases import Setting, described, law_phrase, parts, stated
from costderive.publish.words.scene import say, show

U, V = symbols("u v", positive=True)


@dataclass(frozen=True, slots=True)
class _Words:
    """A family in words: its name, its distribution function and Kendall's rank correlation, if there are formulas.

    Source: Nelsen (2006), An Introduction to Copulas.
    """

    name: str
    joined: Callable[[Expr], Row] | None = None
    kendall: Callable[[Expr], Expr] | None = None

    @property
    def in_title(self) -> str:
        """The name without what it means."""
        return self.name.partition(",")[0]


def _one_and_product(theta: Expr) -> Row:
    """Write the copula of Farlie, Gumbel and Morgenstern."""
    sign, size = ("-", -theta) if theta.could_extract_minus_sign() else ("+", theta)
    factor = formula("") if size == 1 else formula(r"{} \, ", size)
    return formula(rf"u v \bigl(1 {sign} {{}}(1 - u) (1 - v)\bigr)", factor)


_FAMILIES: Mapping[CopulaFamily, _Words] = {
    CopulaFamily.CLAYTON: _Words(
        "a Clayton copula",
        lambda theta: formula(
            r"\bigl(u^{{}} + v^{{}} - 1\bigr)^{{}}", *map(flat, (-theta, -theta, -1 / theta))
        ),
        lambda theta: theta / (theta + 2),
    ),
    CopulaFamily.FRANK: _Words(
        "a Frank copula",
        lambda theta: drawn(
            -log(1 - (1 - exp(-theta * U)) * (1 - exp(-theta * V)) / (1 - exp(-theta))) / theta
        ),
    ),
    CopulaFamily.FGM: _Words(
        "a Farlie\u2013Gumbel\u2013Morgenstern copula",
        _one_and_product,
        lambda theta: 2 * theta / 9,
    ),
    CopulaFamily.GAUSSIAN: _Words("a Gaussian copula", kendall=lambda rho: 2 * asin(rho) / pi),
    CopulaFamily.GUMBEL: _Words(
        "a Gumbel copula",
        lambda theta: drawn(exp(-(((-log(U)) ** theta + (-log(V)) ** theta) ** (1 / theta)))),
        lambda theta: 1 - 1 / theta,
    ),
    CopulaFamily.COMONOTONE: _Words(
        "the comonotone copula, so that $c_1$ is an increasing function of $c_0$"
    ),
    CopulaFamily.COUNTERMONOTONE: _Words(
        "the countermonotone copula, so that $c_1$ is a decreasing function of $c_0$"
    ),
}


def copula(context: Copula) -> Setting:
    """Describe the two laws and what joins them, or the simpler context that this is."""
    simpler = context.simpler()
    if isinstance(simpler, Independent):
        return described(simpler)
    words = _FAMILIES[context.family]
    first, second = law_phrase(context.c0, "c_0"), law_phrase(context.c1, "c_1")
    laws = (
        prose("both {}", first) if context.c0 == context.c1 else prose("$c_0$ {} and $c_1$ {}", first, second)
    )
    parameter = "correlation" if context.family is CopulaFamily.GAUSSIAN else "parameter"
    value = "" if context.theta is None else prose(f" with {parameter} {{}}", context.theta)
    costs = prose("dependent, {}, joined by {}{}", laws, prose(words.name), value)
    blocks = (
        say("The two costs are {} [@Nelsen2006].", costs),
        *_joined(words, context.theta),
        *parts(context.expected_loss()),
    )
    family, _ = in_common(context.c0, context.c1)
    return stated(
        f"{family}costs joined by {words.in_title}", "the costs $c_0$ and $c_1$ be {}", costs, blocks
    )


def _joined(words: _Words, theta: Expr | None) -> tuple[Block, ...]:
    """Define the copula by its formula, and say how strongly it ties the costs."""
    blocks: tuple[Block, ...] = ()
    if words.joined is not None and theta is not None:
        blocks += (
            say("That is, with the distribution functions $G_0$ and $G_1$ of the two costs,"),
            show(
                r"\Pr(c_0 \le x, \; c_1 \le y) & = C(G_0(x), \, G_1(y)), \\ C(u, v) & = {}.",
                words.joined(theta),
            ),
        )
    if words.kendall is not None and theta is not None:
        blocks += (say("Kendall's rank correlation of the costs is {}.", words.kendall(theta)),)
    return blocks
