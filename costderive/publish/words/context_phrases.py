"""Cost contexts in words: a name, the law as a phrase for a theorem, and the section that describes them.

A new context may add one function and one row to ``_SETTINGS``; else the parts of its law are described.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Piece, Pieces
from costderive.core.symbols import c0, c1, s, t
from costderive.costs.contexts import CommonFactor, Context, IndependentUniform, Mixture, PowerMean
from costderive.costs.laws import ImproperLaw, Law
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, ThresholdedContext
from costderive.derivation.derivation import Derivation
from costderive.multiclass import ClassCosts
from costderive.publish.formulas.printing import latex
from costderive.publish.words.displays import condition, function
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, prose
from costderive.publish.words.law_names import FAMILIES, family_of
from costderive.publish.words.law_phrases import (
    Setting,
    described,
    improper_words,
    law_phrase,
    parts,
    stated,
)
from costderive.publish.words.parameters import parameters
from costderive.publish.words.scene import counted, listed, say, show


def setting(derivation: Derivation) -> Setting:
    """Describe the context of a derivation, its parameters and the cases that they lead to."""
    context = derivation.context
    context = context.costs if isinstance(context, ThresholdedContext) else context
    found = setting_of(context)
    facts = (*parameters(derivation), *_cases(derivation), *_zero_bounds(context))
    return replace(found, blocks=found.blocks + facts)


def setting_of(context: Any) -> Setting:
    """Describe a context by itself."""
    found = _SETTINGS.get(type(context), described)(context)
    law = context.improper_law if isinstance(context, Context) else None
    return found if law is None else _improper(found, context, law)


def _improper(found: Setting, context: Any, law: ImproperLaw) -> Setting:
    """Say of an improper law that it is one, and what that means."""
    letters = {"c0": "c_0", "c1": "c_1", "density": "s" if isinstance(context, PowerMean) else "x"}
    letter = next(letter for name, letter in letters.items() if getattr(context, name) is law)
    name, blocks = f"{found.name} with an improper law", (*found.blocks, improper_words(law, letter))
    costs = (
        *found.costs,
        " (the total mass of this law is infinite, so losses are in units of cost times mass, not "
        "expected costs of a random instance)",
    )
    return replace(found, name=name, blocks=blocks, bounded=False, improper=True, costs=costs)


def in_short(context: Context | ClassCosts) -> Prose:
    """Say in short what a context says of the costs, and of the threshold if that is not the calibrated one."""
    if isinstance(context, ThresholdedContext):
        return (*in_short(context.costs), *prose(f"; threshold {threshold(context)}"))
    return setting_of(context).costs


def threshold(context: ThresholdedContext) -> str:
    """Say which threshold a context has, after "the threshold is"."""
    if isinstance(context.threshold, FixedThreshold):
        return f"$T = {latex(context.threshold.at)}$, whatever the costs"
    if isinstance(context.threshold, DistortedThreshold):
        return rf"$T = {latex(context.threshold.at)}$, where $s = \frac{{c_0}}{{c_0 + c_1}}$ is the cost proportion"
    law = context.threshold.law
    if law.name is not None:
        return f"random and independent of the costs: $T$ is {law_phrase(law, 'T')}"
    parts = [
        f"the density ${latex(y.density.subs(y.interval.variable, t))}$ for ${latex(y.low)} < t < {latex(y.high)}$"
        for y in law.spreads
    ]
    parts += [f"the probability ${latex(m.probability)}$ at ${latex(m.value)}$" for m in law.masses]
    return f"random and independent of the costs, with {', and '.join(parts)}"


# ---- fixed power mean

_MEANS = {
    sympy.Integer(1): "additive costs",
    sympy.Integer(-1): "harmonic costs",
    sympy.Integer(0): "geometric costs",
    sympy.Integer(2): "Euclidean costs",
    sympy.oo: "costs with a fixed maximum",
    -sympy.oo: "costs with a fixed minimum",
}

_SECTIONS = {sympy.Integer(1): "3", sympy.Integer(-1): "4", sympy.Integer(0): "5.1"}


def _power_mean(context: PowerMean) -> Setting:
    if context.c0 is not None or context.c1 is not None:
        return _one_cost(context)
    law, letter, uniform = (
        _relation(context.k, _mean_letter(context)),
        _letter(context),
        context.density is None,
    )
    of_s = "uniform on $[0, 1]$" if uniform else law_phrase(context.density)
    phrase = prose(f"the costs satisfy ${law}$ with $s$ {of_s}{_random_mean(context)}")
    costs = prose(f"${law}$, the cost proportion $s = c_0/(c_0 + c_1)$ {of_s}{_law_of_mean(context)}")
    random = isinstance(context.mean, Law)
    bounded = bool(context.k.is_extended_positive) and not random and context.improper_law is None
    blocks = (
        say("The two costs are tied to each other by"),
        show(law),
        say(
            f"{_meaning(context)} The cost proportion $s$ is {of_s}{_studied(context.k) if uniform else ''}. As "
            f"$c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, each cost is a function of $s$: $c_0 "
            f"= s \\, {letter}(s)$ and $c_1 = (1 - s) \\, {letter}(s)$ with the "
            "cost magnitude"
        )
        if not random
        else _random_words(context, of_s),
        function(f"{letter}(s)", magnitude(context), {}),
        say(
            f"Where $s = 1/2$, both costs are "
            f"${latex(context.scale)}${_on_average(context)}{_scale(context)}.{_bound(context) * bounded}"
        ),
    )
    known = _known_mean(context) if uniform else ()
    name = f"{_kind(context)}{_of_proportion(context)}{_of_mean(context)}"
    return Setting(name, phrase, blocks, known, bounded, costs=costs)


def _kind(context: PowerMean) -> str:
    return _MEANS.get(context.k, "costs with a fixed power mean")


def _of_proportion(context: PowerMean) -> str:
    """Say in a title which law the cost proportion has, if it is not uniform on [0, 1]."""
    if context.density is None:
        return ""
    family = family_of(context.density)
    if family is FAMILIES["uniform"]:
        return ", their proportion between bounds"
    return f", their proportion with {'a given' if family is None else family.with_article} law"


def _of_mean(context: PowerMean) -> str:
    return ", their mean random" if isinstance(context.mean, Law) else ""


def _one_cost(context: PowerMean) -> Setting:
    """Describe a given mean of the costs together with the law of one of them."""
    cost, law = ("c_0", context.c0) if context.c1 is None else ("c_1", context.c1)
    relation = _relation(context.k, context.mean)
    costs = f"${relation}$ with ${cost}$ {law_phrase(law, cost)}"
    blocks = (
        say("The two costs are tied to each other by"),
        show(relation),
        say(
            f"{_meaning(context)} The cost ${cost}$ is {law_phrase(law, cost)}, and determines the other cost."
        ),
        *parts(context.expected_loss(), improper=context.improper_law is not None),
    )
    return stated(f"{_kind(context)}, one of them with a given law", "the costs satisfy ", costs, blocks)


def _mean_letter(context: PowerMean) -> Expr:
    """Return the given mean, or a letter for a random one that no parameter has."""
    if not isinstance(context.mean, Law):
        return context.mean
    taken = {symbol.name for symbol in context.parameters}
    return Symbol(next(name for name in ("M", "m", "mu", "m_0") if name not in taken), positive=True)


def _random_mean(context: PowerMean) -> str:
    if not isinstance(context.mean, Law):
        return ""
    letter = latex(_mean_letter(context))
    return f", and ${letter}$ is independent of $s$ with expectation ${latex(context.scale)}$"


def _law_of_mean(context: PowerMean) -> str:
    if not isinstance(context.mean, Law):
        return ""
    letter = latex(_mean_letter(context))
    matters = f"independent of $s$ (only its expectation ${latex(context.scale)}$ matters)"
    return f", and ${letter}$ {law_phrase(context.mean, letter)}, {matters}"


def _random_words(context: PowerMean, of_s: str) -> Paragraph:
    """Say why only the expectation of a random mean enters."""
    m = latex(_mean_letter(context))
    return say(
        f"The mean ${m}$ of the costs is {law_phrase(context.mean, m)}, and independent of the cost "
        f"proportion $s$, which is {of_s}. The sum $c_0 + c_1$ is ${m}$ times a function of $s$. So only the "
        f"expectation ${latex(context.scale)}$ of ${m}$ enters $\\Omega$: given $s$, the sum $c_0 + c_1$ has the "
        "expectation"
    )


def _on_average(context: PowerMean) -> str:
    return " on average" if isinstance(context.mean, Law) else ""


def magnitude(context: PowerMean) -> Pieces:
    """Return the cost magnitude ``c0 + c1`` as a function of s."""
    return Pieces(
        s, tuple(Piece(line.low, line.high, line.magnitude) for line in context.expected_loss().lines)
    )


def _letter(context: PowerMean) -> str:
    """Return a letter for the cost magnitude that no parameter has."""
    taken = {symbol.name for symbol in context.parameters}
    return next(letter for letter in ("b", "B", "M", r"\beta") if letter.lstrip("\\") not in taken)


def _relation(k: Expr, mean: Expr) -> str:
    if k.is_infinite:
        name = r"\max" if k.is_extended_positive else r"\min"
        return f"{name}(c_0, c_1) = {latex(mean)}"
    if k.is_zero:
        return f"{latex(c0)} {latex(c1)} = {latex(mean**2)}"
    return f"{latex(c0**k)} + {latex(c1**k)} = {latex(2 * mean**k)}"


def _meaning(context: PowerMean) -> str:
    if context.k.is_infinite:
        return ""
    kind = {sympy.Integer(1): "arithmetic", sympy.Integer(0): "geometric", sympy.Integer(-1): "harmonic"}.get(
        context.k
    )
    name = f"{kind} mean" if kind else f"power mean of exponent ${latex(context.k)}$"
    return f"Their {name} is ${latex(_mean_letter(context))}$."


def _studied(k: Expr) -> str:
    if k.is_infinite:
        return ""
    return f" [@Flach2015, Section {_SECTIONS.get(k, '5.2')}]"


def _scale(context: PowerMean) -> str:
    is_commensurate = context.scale == 1 and context.improper_law is None
    return ", so the loss is on the scale of the error rate" if is_commensurate else ""


def _bound(context: PowerMean) -> str:
    most = context.scale if context.k.is_infinite else context.scale * 2 ** (1 / context.k)
    return f" Neither cost exceeds ${latex(most)}$, so both have a finite expectation."


def _known_mean(context: PowerMean) -> Prose:
    if context.k == 1:
        source = "[@HernandezOrallo2011], [@HernandezOrallo2012]"
        name = "the Brier score [@Brier1950]"
        return prose(f"This scoring rule is {_multiple(context.scale)}{name}, as was found in {source}.")
    if context.k == -1:
        name = f"{_multiple(context.scale / 2)}the log loss [@Good1952]"
        return prose(f"This scoring rule is {name}, as was found in [@Flach2015, Theorem 1].")
    if context.k.is_zero:
        return prose(
            "This is the expected loss that [@Flach2015, Section 5.1] leaves open for geometric costs."
        )
    return ()


def _multiple(factor: Expr) -> str:
    if factor == 1:
        return ""
    return "half " if factor == sympy.Rational(1, 2) else f"${latex(factor)}$ times "


# ---- independent uniform costs


def _rectangle(context: IndependentUniform) -> Setting:
    first, second = (f"[{latex(low)}, {latex(high)}]" for low, high in (context.c0, context.c1))
    each = f"$c_0$ be uniform on ${first}$ and $c_1$ uniform on ${second}$"
    costs = prose(f"independent, $c_0$ uniform on ${first}$ and $c_1$ uniform on ${second}$")
    said = f"The cost $c_0$ is uniform on ${first}$, the cost $c_1$ is uniform on ${second}$"
    if first == second:
        each, said = f"$c_0$ and $c_1$ be uniform on ${first}$", f"Both costs are uniform on ${first}$"
    phrase = prose(f"{each}, independently of each other")
    sentence = say(f"{said}, and they are independent. So $(c_0, c_1)$ has the density")
    density = latex(context.expected_loss().areas[0].density)
    unit = all(bound == (0, 1) for bound in (context.c0, context.c1))
    known = prose("This scoring rule is the Inverse Score of [@Grygorian2019, Theorem 3].") if unit else ()
    blocks = (
        sentence,
        show(rf"\varphi(c_0, c_1) = {density} \qquad \text{{on }} D = {first} \times {second}."),
    )
    return Setting(
        f"independent uniform costs{_bounds(context)}", phrase, blocks, known, bounded=True, costs=costs
    )


def _bounds(context: IndependentUniform) -> str:
    """Say in a title which bounds are given, if they are numbers: titles have no formulas."""
    if context.parameters:
        return ""
    first, second = (f"[{low}, {high}]" for low, high in (context.c0, context.c1))
    return f" on {first}" if first == second else f" on {first} and {second}"


def _zero_bounds(context: Any) -> tuple[Block, ...]:
    """Say how a lower bound of 0 follows, where the lower bounds are letters of their own."""
    if not isinstance(context, IndependentUniform):
        return ()
    others = sympy.Tuple(context.c0[1], context.c1[1]).free_symbols
    lows = [low for low in (context.c0[0], context.c1[0]) if isinstance(low, Symbol) and low not in others]
    if not lows or len(set(lows)) < len(lows):
        return ()
    letters = " or ".join(f"${latex(low)}$" for low in lows)
    text = (
        f"A lower bound of 0 is not excluded: put 0 for {letters} in the "
        f"result{', one after the other,' if len(lows) > 1 else ''} "
        "and drop the pieces whose ends meet. This is right because the losses of Theorem {#thm:score}, "
        r"which are $L_0(p) = \mathbb{E}[c_0 \, 1\{s < p\}]$ and $L_1(p) = \mathbb{E}[c_1 \, 1\{s \ge p\}]$, "
        "depend continuously on the bounds: so does the law of $(c_0, c_1)$, the costs stay bounded, and "
        "$s = p$ has probability 0."
    )
    return (say(text),)


# ---- cases


def _cases(derivation: Derivation) -> tuple[Block, ...]:
    if len(derivation.cases) < 2:
        return ()
    conditions = [f"${condition(case.given)}$" for case in derivation.cases]
    text = (
        "The order of the breakpoints of the result depends on the parameters. There are "
        f"{counted(len(conditions))} cases: {listed(conditions)}. They overlap only where breakpoints coincide; "
        "there each of them applies, and they agree."
    )
    return (say(text),)


# ---- a factor in common


def _common_factor(context: CommonFactor) -> Setting:
    """Describe the costs without the factor, and say why only its expectation matters."""
    taken = {symbol.name for symbol in context.parameters}
    letter = next(name for name in ("F", "A", "Z", "F_0") if name not in taken)
    inner, law = setting_of(context.context), law_phrase(context.factor, letter)
    costs = prose(f"; both times a factor ${letter}$, independent of them and {law}")
    why = say(
        f"Both costs are multiplied by a factor ${letter}$ that is independent of them and {law}. The cost proportion "
        f"$s$ does not depend on it, so only its expectation ${latex(context.mean)}$ enters the losses: below, every "
        "density and probability is multiplied by it."
    )
    phrase = (
        *inner.law,
        *prose(f", both multiplied by a factor ${letter}$ that is independent of them and {law}"),
    )
    return replace(
        inner,
        name=f"{inner.name}, with a factor in common",
        law=phrase,
        blocks=(*inner.blocks, why),
        known=(),
        bounded=False,
        costs=(*inner.costs, *costs),
    )


# ---- mixtures


def _mixture(context: Mixture) -> Setting:
    chances = [f"${latex(weight)}$" for weight, _ in context.parts]
    one = f"one of {counted(len(chances))} cost contexts, drawn with the probabilities {listed(chances)}"
    costs: Prose = ()
    for chance, (_, part) in zip(chances, context.parts, strict=True):
        costs += (*prose(f"{'; ' if costs else ''}with probability {chance}: "), *setting_of(part).costs)
    blocks = tuple(parts(context.expected_loss()))
    return Setting("a mixture of cost contexts", prose(f"the costs follow {one}"), blocks, costs=costs)


_SETTINGS: dict[type, Callable[[Any], Setting]] = {
    PowerMean: _power_mean,
    IndependentUniform: _rectangle,
    Mixture: _mixture,
    CommonFactor: _common_factor,
}
