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
from costderive.costs.laws import ImproperLaw, Law, x
from costderive.costs.thresholds import DistortedThreshold, FixedThreshold, ThresholdedContext
from costderive.derivation.derivation import Derivation
from costderive.multiclass.class_costs import ClassContext
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula
from costderive.publish.words.common_names import multiple
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
from costderive.publish.words.mixture_phrases import mixture
from costderive.publish.words.parameters import parameters
from costderive.publish.words.proofs_for_matrices import setting as of_matrix
from costderive.publish.words.scene import counted, listed, say, series, show


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
    name = found.name if letter == "s" else f"{found.name} with an improper law"
    blocks = (*found.blocks, improper_words(law, letter))
    costs = (
        *found.costs,
        " (the total mass of this law is infinite, so losses are in units of cost times mass, not "
        "expected costs of a random instance)",
    )
    return replace(found, name=name, blocks=blocks, bounded=False, improper=True, costs=costs)


def in_short(context: Context | ClassContext) -> Prose:
    """Say in short what a context says of the costs, and of the threshold if that is not the calibrated one."""
    if isinstance(context, ThresholdedContext):
        return prose("{}; threshold {}", in_short(context.costs), threshold(context))
    return setting_of(context).costs


def threshold(context: ThresholdedContext) -> Prose:
    """Say which threshold a context has, after "the threshold is"."""
    if isinstance(context.threshold, FixedThreshold):
        return prose("$T = {}$, whatever the costs", context.threshold.at)
    if isinstance(context.threshold, DistortedThreshold):
        text = r"$T = {}$, where $s = \frac{c_0}{c_0 + c_1}$ is the cost proportion"
        return prose(text, context.threshold.at)
    law = context.threshold.law
    if law.name is not None:
        return prose("random and independent of the costs: $T$ is {}", law_phrase(law, "T"))
    parts = [
        prose("the density {} for ${} < t < {}$", y.density.subs(y.interval.variable, t), y.low, y.high)
        for y in law.spreads
    ]
    parts += [prose("the probability {} at {}", m.probability, m.value) for m in law.masses]
    return prose("random and independent of the costs, with {}", series(parts, ", and "))


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
    of_s = prose("uniform on $[0, 1]$") if uniform else law_phrase(context.density)
    phrase = prose("the costs satisfy {} with $s$ {}{}", law, of_s, _random_mean(context))
    costs = prose("{}, the cost proportion $s = c_0/(c_0 + c_1)$ {}{}", law, of_s, _law_of_mean(context))
    random = isinstance(context.mean, Law)
    bounded = bool(context.k.is_extended_positive) and not random and context.improper_law is None
    blocks = (
        say("The two costs are tied to each other by"),
        show("{}", law),
        say(
            "{} The cost proportion $s$ is {}{}. As $c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, each cost "
            f"is a function of $s$: $c_0 = s \\, {letter}(s)$ and $c_1 = (1 - s) \\, {letter}(s)$ with the cost "
            "magnitude",
            *(_meaning(context), of_s, _studied(context.k) if uniform else ()),
        )
        if not random
        else _random_words(context, of_s),
        function(f"{letter}(s)", magnitude(context), {}),
        say(
            "Where $s = 1/2$, both costs are {}{}{}.{}",
            *(context.scale, _on_average(context), _scale(context), _bound(context) if bounded else ()),
        ),
    )
    known = _known_mean(context) if uniform else _known_boosting(context)
    name = f"{_kind(context)}{_of_proportion(context)}{_of_mean(context)}"
    return Setting(name, phrase, blocks, known, bounded, costs=costs)


def _kind(context: PowerMean) -> str:
    if context.k in _MEANS:
        return _MEANS[context.k]
    exponent = str(context.k).replace("-", "−")
    return f"costs with a fixed power mean{f' of exponent {exponent}' if context.k.is_number else ''}"


def _of_proportion(context: PowerMean) -> str:
    """Say in a title which law the cost proportion has, if it is not uniform on [0, 1]."""
    if context.density is None:
        return ""
    if isinstance(context.density, ImproperLaw):
        return (
            " with uniform log-odds" if _uniform_log_odds(context.density) else ", their proportion improper"
        )
    family = family_of(context.density)
    if family is FAMILIES["uniform"]:
        return ", their proportion between bounds"
    return f", their proportion with {_whose_law(context.density)} law"


def _whose_law(law: Law) -> str:
    family = family_of(law)
    return "a given" if family is None else family.with_article


def _uniform_log_odds(law: ImproperLaw) -> bool:
    """Return whether the log-odds of the cost proportion are uniform on the whole line."""
    if law.masses or [(part.low, part.high) for part in law.spreads] != [(0, 1)]:
        return False
    return not sympy.cancel(law.spreads[0].density * x * (1 - x)).free_symbols & {x}


def _of_mean(context: PowerMean) -> str:
    return ", their mean random" if isinstance(context.mean, Law) else ""


def _one_cost(context: PowerMean) -> Setting:
    """Describe a given mean of the costs together with the law of one of them."""
    cost, law = ("c_0", context.c0) if context.c1 is None else ("c_1", context.c1)
    relation, phrase = _relation(context.k, context.mean), law_phrase(law, cost)
    blocks = (
        say("The two costs are tied to each other by"),
        show("{}", relation),
        say("{} The cost ${}$ is {}, and determines the other cost.", _meaning(context), cost, phrase),
        *parts(context.expected_loss(), improper=context.improper_law is not None),
    )
    name, costs = (
        f"{_kind(context)}, one of them with {_whose_law(law)} law",
        prose("{} with ${}$ {}", relation, cost, phrase),
    )
    return stated(name, "the costs satisfy {}", costs, blocks)


def _mean_letter(context: PowerMean) -> Expr:
    """Return the given mean, or a letter for a random one that no parameter has."""
    if not isinstance(context.mean, Law):
        return context.mean
    taken = {symbol.name for symbol in context.parameters}
    return Symbol(next(name for name in ("M", "m", "mu", "m_0") if name not in taken), positive=True)


def _random_mean(context: PowerMean) -> Prose:
    if not isinstance(context.mean, Law):
        return ()
    text = " and {} independent of $s$, with expectation {}"
    return prose(text, _mean_letter(context), context.scale)


def _law_of_mean(context: PowerMean) -> Prose:
    if not isinstance(context.mean, Law):
        return ()
    letter = _mean_letter(context)
    text = ", and {} {}, independent of $s$ (only its expectation {} matters)"
    return prose(text, letter, law_phrase(context.mean, str(letter)), context.scale)


def _random_words(context: PowerMean, of_s: Prose) -> Paragraph:
    """Say why only the expectation of a random mean enters."""
    m = _mean_letter(context)
    return say(
        "The mean {} of the costs is {}, and independent of the cost proportion $s$, which is {}. The sum $c_0 + c_1$ "
        "is {} times a function of $s$. So only the expectation {} of {} enters $\\Omega$: given $s$, the sum "
        "$c_0 + c_1$ has the expectation",
        *(m, law_phrase(context.mean, str(m)), of_s, m, context.scale, m),
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


def _relation(k: Expr, mean: Expr) -> Row:
    if k.is_infinite:
        name = r"\max" if k.is_extended_positive else r"\min"
        return formula("{}(c_0, c_1) = {}", name, mean)
    if k.is_zero:
        return formula("{} {} = {}", c0, c1, mean**2)
    return formula("{} + {} = {}", c0**k, c1**k, 2 * mean**k)


def _meaning(context: PowerMean) -> Prose:
    if context.k.is_infinite:
        return ()
    kind = {sympy.Integer(1): "arithmetic", sympy.Integer(0): "geometric", sympy.Integer(-1): "harmonic"}.get(
        context.k
    )
    name = f"{kind} mean" if kind else prose("power mean of exponent {}", context.k)
    return prose("Their {} is {}.", name, _mean_letter(context))


def _studied(k: Expr) -> Prose:
    if k.is_infinite:
        return ()
    return prose(f" [@Flach2015, Section {_SECTIONS.get(k, '5.2')}]")


def _scale(context: PowerMean) -> str:
    is_commensurate = context.scale == 1 and context.improper_law is None
    return ", so the loss is on the scale of the error rate" if is_commensurate else ""


def _bound(context: PowerMean) -> Prose:
    most = context.scale if context.k.is_infinite else context.scale * 2 ** (1 / context.k)
    return prose(" Neither cost exceeds {}, so both have a finite expectation.", most)


def _known_mean(context: PowerMean) -> Prose:
    if context.k == 1:
        source = "[@HernandezOrallo2011], [@HernandezOrallo2012]"
        text = f"This scoring rule is {{}}the Brier score [@Brier1950], as was found in {source}."
        return prose(text, multiple(context.scale))
    if context.k == -1:
        text = "This scoring rule is {}the log loss [@Good1952], as was found in [@Flach2015, Theorem 1]."
        return prose(text, multiple(context.scale / 2))
    if context.k.is_zero:
        return prose(
            "This is the expected loss that [@Flach2015, Section 5.1] leaves open for geometric costs."
        )
    return ()


def _known_boosting(context: PowerMean) -> Prose:
    """Say what is known of geometric costs with uniform log-odds of their proportion."""
    law = context.density
    if not (context.k.is_zero and isinstance(law, ImproperLaw) and _uniform_log_odds(law)):
        return ()
    return prose(
        "That the expected loss of geometric costs may be connected with boosting is a remark of [@Flach2015, Section "
        "6], which leaves it open. It is, if the log-odds of $s$ are uniform, over the whole line: the rule is then a "
        "multiple of the exponential loss of boosting, which [@Buja2005] study as a proper scoring rule."
    )


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
    known = prose("This scoring rule is the Inverse Score of [@Grygorian2019, Theorem 3].") if unit else ()
    blocks = (
        say("{}, and they are independent. So $(c_0, c_1)$ has the density", said),
        show(r"\varphi(c_0, c_1) = {} \qquad \text{on } D = {} \times {}.", density, first, second),
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
    text = (
        "A lower bound of 0 is not excluded: put 0 for {} in the "
        f"result{', one after the other,' if len(lows) > 1 else ''} "
        "and drop the pieces whose ends meet. This is right because the losses of Theorem {#thm:score}, "
        r"which are $L_0(p) = \mathbb{E}[c_0 \, 1\{s < p\}]$ and $L_1(p) = \mathbb{E}[c_1 \, 1\{s \ge p\}]$, "
        "depend continuously on the bounds: so does the law of $(c_0, c_1)$, the costs stay bounded, and "
        "$s = p$ has probability 0."
    )
    return (say(text, series(lows, " or ")),)


# ---- cases


def _cases(derivation: Derivation) -> tuple[Block, ...]:
    if len(derivation.cases) < 2:
        return ()
    text = (
        "The order of the breakpoints of the result depends on the parameters. There are {} cases: {}. They overlap "
        "only where breakpoints coincide; there each of them applies, and they agree."
    )
    conditions = [condition(case.given) for case in derivation.cases]
    return (say(text, counted(len(conditions)), listed(conditions)),)


# ---- a factor in common


def _common_factor(context: CommonFactor) -> Setting:
    """Describe the costs without the factor, and say why only its expectation matters."""
    taken = {symbol.name for symbol in context.parameters}
    letter = next(name for name in ("F", "A", "Z", "F_0") if name not in taken)
    inner, law = setting_of(context.context), law_phrase(context.factor, letter)
    multiplied = prose("multiplied by a factor ${}$ that is independent of them and {}", letter, law)
    why = say(
        "Both costs are {}. The cost proportion $s$ does not depend on it, so only its expectation {} enters the "
        "losses: below, every density and probability is multiplied by it.",
        *(multiplied, context.mean),
    )
    return replace(
        inner,
        name=f"{inner.name}, with a factor in common",
        law=prose("{}, both {}", inner.law, multiplied),
        blocks=(*inner.blocks, why),
        known=(),
        bounded=False,
        costs=prose("{}; both times a factor ${}$, independent of them and {}", inner.costs, letter, law),
    )


def _mixture(context: Mixture) -> Setting:
    return mixture(context, setting_of)


_SETTINGS: dict[type, Callable[[Any], Setting]] = {
    PowerMean: _power_mean,
    IndependentUniform: _rectangle,
    Mixture: _mixture,
    CommonFactor: _common_factor,
    CostMatrix: of_matrix,
}
