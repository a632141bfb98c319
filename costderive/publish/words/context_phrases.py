"""Cost contexts in words: a name, the law as a phrase for a theorem, and the section that describes them.

A new context may add one function and one row to ``_SETTINGS``; else the parts of its law are described.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.symbols import t
from costderive.costs.contexts import (
    CommonFactor,
    Context,
    Copula,
    FixedCosts,
    HeldPart,
    Independent,
    IndependentUniform,
    Mixture,
    PowerMean,
)
from costderive.costs.laws import ImproperLaw, Law
from costderive.costs.laws.law import Name
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, ThresholdedContext
from costderive.derivation.derivation import Derivation
from costderive.multiclass.class_costs import ClassContext
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.publish.formulas.printing import formula
from costderive.publish.words.copula_phrases import copula
from costderive.publish.words.displays import condition
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, joined, prose, remark_on
from costderive.publish.words.law_phrases import (
    Setting,
    described,
    improper_words,
    law_phrase,
)
from costderive.publish.words.mixture_phrases import mixture
from costderive.publish.words.parameters import parameters
from costderive.publish.words.power_mean_phrases import law_of_proportion, power_mean
from costderive.publish.words.proofs_for_matrices import setting as of_matrix
from costderive.publish.words.proofs_over_parts import held_part
from costderive.publish.words.scene import counted, listed, say, series, show


def setting(derivation: Derivation) -> Setting:
    """Describe the context of a derivation, its parameters and the cases that they lead to."""
    context = derivation.context
    context = context.costs if isinstance(context, ThresholdedContext) else context
    found = setting_of(context)
    if isinstance(context, PowerMean) and _needs_proportion(derivation.context):
        found = replace(found, law=law_of_proportion(context, "the cost proportion $s = c_0/(c_0 + c_1)$"))
    meant = parameters(derivation)
    facts = *_cases(derivation), *_shares(derivation.context)
    return replace(found, blocks=(*_run_on(meant, found.blocks), *found.aside, *facts))


def _needs_proportion(context: Any) -> bool:
    """Return whether a law of the cost proportion has to say what that is, as the threshold does not."""
    if not isinstance(context, ThresholdedContext) or isinstance(context.threshold, DistortedThreshold):
        return False
    costs = context.costs
    return isinstance(costs, PowerMean) and costs.c0 is None and costs.c1 is None


def _run_on(meant: tuple[Block, ...], blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Let what parameters stand for run on into the costs that they are of."""
    match meant:
        case (Paragraph() as only,):
            return joined(replace(only, text=(*only.text, " ")), *blocks)
    return (*meant, *blocks)


def setting_of(context: Any) -> Setting:
    """Describe a context by itself."""
    found = _SETTINGS.get(type(context), described)(context)
    law = context.improper_law if isinstance(context, Context) else None
    return found if law is None else _improper(found, context, law)


def _improper(found: Setting, context: Any, law: ImproperLaw) -> Setting:
    """Say of an improper law that it is one, and what that means."""
    letters = {"c0": "c_0", "c1": "c_1", "density": "s" if isinstance(context, PowerMean) else "x"}
    letter = next(letter for name, letter in letters.items() if getattr(context, name) is law)
    name = found.name if letter == "s" else f"{found.name} with an improper law"
    blocks = (*found.blocks, *found.aside, improper_words(law, letter))
    costs = (
        *found.costs,
        " (the total mass of this law is infinite, so losses are in units of cost times mass, not "
        "expected costs of a random instance)",
    )
    return replace(found, name=name, blocks=blocks, aside=(), bounded=False, improper=True, costs=costs)


def in_short(context: Context | ClassContext) -> Prose:
    """Say in short what a context says of the costs, and of the threshold if that is not the calibrated one."""
    if isinstance(context, ThresholdedContext):
        return prose("{}; threshold {}", in_short(context.costs), threshold(context))
    return setting_of(context).costs


def threshold(context: ThresholdedContext) -> Prose:
    """Say which threshold a context has, after "the threshold is"; nothing depends on costs that are known."""
    known = isinstance(context.costs, FixedCosts)
    if isinstance(context.threshold, FixedThreshold):
        return prose(f"$T = {{}}${'' if known else ', whatever the costs'}", context.threshold.at)
    if isinstance(context.threshold, DistortedThreshold):
        text = r"$T = {}$, where $s = \frac{c_0}{c_0 + c_1}$ is the cost proportion"
        return prose(text, context.threshold.at)
    law, random = context.threshold.law, "random" if known else "random and independent of the costs"
    if law.name is not None:
        return prose(f"{random}: $T$ is {{}}", law_phrase(law, "T"))
    return prose(f"{random}, with {{}}", densities_of_threshold(law))


def densities_of_threshold(law: Law) -> Prose:
    """Say after "with" which densities and probabilities a random threshold has."""
    parts = [
        prose("the density {} for ${} < t < {}$", y.density.subs(y.interval.variable, t), y.low, y.high)
        for y in law.spreads
    ]
    parts += [prose("the probability {} at {}", m.probability, m.value) for m in law.masses]
    return series(parts, ", and ")


# ---- independent uniform costs


def _rectangle(context: IndependentUniform) -> Setting:
    first, second = (formula("[{}, {}]", low, high) for low, high in (context.c0, context.c1))
    each = prose("$c_0$ be uniform on {} and $c_1$ uniform on {}", first, second)
    costs = prose("independent, $c_0$ uniform on {} and $c_1$ uniform on {}", first, second)
    said = prose("The cost $c_0$ is uniform on {}, the cost $c_1$ is uniform on {}", first, second)
    if first == second:
        each = prose("$c_0$ and $c_1$ be uniform on {}", first)
        said = prose("Both costs are uniform on {}", first)
    phrase = prose("{}, independently of each other", each)
    density = context.expected_loss().areas[0].density
    unit = all(bound == (0, 1) for bound in (context.c0, context.c1))
    known = prose(_INVERSE_SCORE) if unit else ()
    blocks = (
        say("{}, and they are independent. So $(c_0, c_1)$ has the density", said),
        show(r"\varphi(c_0, c_1) = {} \qquad \text{on } D = {} \times {}.", density, first, second),
    )
    return Setting(
        f"independent uniform costs{_bounds(context)}", phrase, blocks, known, bounded=True, costs=costs
    )


_INVERSE_SCORE = (
    "This scoring rule is the Inverse Score of [@Grygorian2019, Theorem 3]. That it is proper is Theorem 4 there, "
    "whose proof finds where the slope of the risk is zero, but not that the risk is least there; Theorem "
    "{#thm:proper} shows more, that it is strictly proper."
)


def _bounds(context: IndependentUniform) -> str:
    """Say in a title which bounds are given, if they are numbers."""
    if context.parameters:
        return ""
    first, second = (f"$[{low}, {high}]$" for low, high in (context.c0, context.c1))
    return f" on {first}" if first == second else f" on {first} and {second}"


def zero_bounds(context: Any) -> tuple[Block, ...]:
    """Remark how a lower bound of 0 follows, where the lower bounds are letters of their own."""
    if not isinstance(context, IndependentUniform):
        return ()
    others = sympy.Tuple(context.c0[1], context.c1[1]).free_symbols
    lows = [low for low in (context.c0[0], context.c1[0]) if isinstance(low, Symbol) and low not in others]
    if not lows or len(set(lows)) < len(lows):
        return ()
    text = (
        "Lower bounds of 0 follow as limits: put 0 for {} in the losses"
        f"{'; in formulas by pieces, take the case that holds with these bounds,' * (len(lows) > 1)} "
        "and drop the pieces whose ends meet. This is right because the losses of Theorem {#thm:score}, "
        r"which are $L_0(p) = \mathbb{E}[c_0; \; s < p]$ and $L_1(p) = \mathbb{E}[c_1; \; s \ge p]$, "
        "depend continuously on the bounds, because the law of $(c_0, c_1)$ does, the costs stay bounded, and "
        "$s = p$ has probability 0. The threshold weight becomes $\\omega(s) = L_0'(s)/s$, which is positive where the "
        "line of all costs with the proportion $s$ passes through the inside of $D$, that is, for $s$ between {} and "
        "{}. So Theorem {#thm:proper} holds with bounds of 0 too."
    )
    ends = context.c0[0] / (context.c0[0] + context.c1[1]), context.c0[1] / (context.c0[1] + context.c1[0])
    return (remark_on("lower bounds of 0", say(text, series(lows, " or "), *ends)),)


# ---- independent costs


def _shares(context: Any) -> tuple[Block, ...]:
    """Say of Gamma costs with one scale that the cost proportion has a Beta law, and what follows."""
    pair = [_gamma(law) for law in (context.c0, context.c1)] if isinstance(context, Independent) else [None]
    known = [shape_and_scale for shape_and_scale in pair if shape_and_scale is not None]
    if len(known) < 2 or known[0][1] != known[1][1]:
        return ()
    (first, scale), (second, _) = known
    text = (
        "As both have the same scale, the cost proportion $s$ has the law {}, and is independent of the cost magnitude "
        r"$c_0 + c_1$, whose mean is ${}$. So $\Omega$ is this mean times the law of $s$; the proof below finds it "
        "without that."
    )
    return (say(text, formula(r"\mathrm{Beta}({}, {})", first, second), (first + second) * scale),)


def _gamma(law: Law) -> tuple[Expr, Expr] | None:
    """Return shape and scale of a named Gamma law, or of an exponential one; else nothing."""
    match law.name:
        case Name(family="gamma", arguments=(shape, scale)):
            return shape, scale
        case Name(family="exponential", arguments=(mean,)):
            return sympy.S.One, mean
    return None


# ---- cases


_OF_ORDER = (
    "The order of the breakpoints of the result depends on the parameters. There are {} cases: {}. They overlap "
    "only where breakpoints coincide; there each of them applies, and they agree."
)
_OF_FORM = "The form of the losses depends on the parameters. There are {} cases: {}."


def _cases(derivation: Derivation) -> tuple[Block, ...]:
    if len(derivation.cases) < 2:
        return ()
    text = _OF_ORDER if derivation.cases[0].given.weak else _OF_FORM
    conditions = [condition(case.given) for case in derivation.cases]
    return (say(text, counted(len(conditions)), listed(conditions)),)


# ---- a factor in common


def _common_factor(context: CommonFactor) -> Setting:
    """Describe the costs without the factor, and say why only its expectation matters."""
    taken = {symbol.name for symbol in context.parameters}
    letter = next(name for name in ("Z", "K", "F", "Z_0") if name not in taken)
    inner, law = setting_of(context.context), law_phrase(context.factor, letter)
    multiplied = prose("multiplied by a factor ${}$ that is independent of them and {}", letter, law)
    why = say(
        "Both costs are {}. The cost proportion $s$ does not depend on it, so only its expectation {} enters the "
        "losses. Below, $c_0$ and $c_1$ are the costs without the factor, and every density, probability and "
        "expectation of them is multiplied by this number.",
        *(multiplied, context.mean),
    )
    return replace(
        inner,
        name=f"{inner.name}, with a factor in common",
        law=prose("{}, both {}", inner.law, multiplied),
        blocks=(*inner.blocks, why),
        aside=(),
        known=(),
        bounded=False,
        certain=False,
        costs=prose("{}; both times a factor ${}$, independent of them and {}", inner.costs, letter, law),
    )


def _held_part(context: HeldPart) -> Setting:
    return held_part(context, setting_of(context.context))


def _mixture(context: Mixture) -> Setting:
    return mixture(context, setting_of)


_SETTINGS: dict[type, Callable[[Any], Setting]] = {
    PowerMean: power_mean,
    IndependentUniform: _rectangle,
    HeldPart: _held_part,
    Mixture: _mixture,
    CommonFactor: _common_factor,
    Copula: copula,
    CostMatrix: of_matrix,
}
