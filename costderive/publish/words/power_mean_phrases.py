"""Costs with a given power mean in words: their name, their law and what is known of their scoring rule."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Mul, Rational, Symbol

from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import c0, c1, s
from costderive.costs.contexts import PowerMean
from costderive.costs.laws import ImproperLaw, Law, x
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula
from costderive.publish.words.common_names import multiple
from costderive.publish.words.displays import on_open_interval
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, prose
from costderive.publish.words.law_names import FAMILIES, family_of
from costderive.publish.words.law_phrases import (
    Setting,
    law_phrase,
    parts,
    stated,
)
from costderive.publish.words.scene import say, series, show

HALF = Rational(1, 2)
_MEANS = {
    sympy.Integer(1): "additive costs",
    sympy.Integer(-1): "harmonic costs",
    sympy.Integer(0): "geometric costs",
    sympy.Integer(2): "Euclidean costs",
    sympy.oo: "costs with a fixed maximum",
    -sympy.oo: "costs with a fixed minimum",
}

_SECTIONS = {sympy.Integer(1): "3", sympy.Integer(-1): "4", sympy.Integer(0): "5.1"}


def power_mean(context: PowerMean) -> Setting:
    """Describe costs with a given power mean, by the law of their proportion or of one of them."""
    if context.c0 is not None or context.c1 is not None:
        return _one_cost(context)
    law, uniform = _relation(context.k, _mean_letter(context)), context.density is None
    of_s = _of_s(context)
    costs = prose("{}, the cost proportion $s = c_0/(c_0 + c_1)$ {}{}", law, of_s, _law_of_mean(context))
    random = isinstance(context.mean, Law)
    bounded = bool(context.k.is_extended_positive) and not random and context.improper_law is None
    blocks = (
        say("The two costs are tied to each other by"),
        show("{}", law),
        *_magnitude(context, of_s),
    )
    known = _known_mean(context) if uniform else _known_boosting(context)
    name = f"{_kind(context)}{_of_proportion(context)}{_of_mean(context)}"
    aside = _remarks(context, bounded=bounded)
    return Setting(name, law_of_proportion(context), blocks, known, bounded, costs=costs, aside=aside)


def law_of_proportion(context: PowerMean, proportion: str = "$s$") -> Prose:
    """Say after "let" what ties the costs and which law their proportion has, by its letter or more than that."""
    relation, of_s = _relation(context.k, _mean_letter(context)), _of_s(context)
    text = f"the costs satisfy {{}}, where {proportion} is {{}}{{}}"
    return prose(text, relation, of_s, _random_mean(context))


def _of_s(context: PowerMean) -> Prose:
    return prose("uniform on $[0, 1]$") if context.density is None else law_phrase(context.density)


def _remarks(context: PowerMean, *, bounded: bool) -> tuple[Block, ...]:
    """Say what the costs are in the middle, if their proportion may be there, and by what they are bounded."""
    middle = prose(
        "At $s = 1/2$ both costs are {}{}{}.", context.scale, _on_average(context), _scale(context)
    )
    found = [middle] * _reaches_middle(context) + [_bound(context)] * bounded
    return (say("{}", series(found, " ")),) if found else ()


def _reaches_middle(context: PowerMean) -> bool:
    """Return whether the cost proportion may be on either side of 1/2, as far as that is decided."""
    if not isinstance(context.density, Law) or context.density.masses:
        return True
    ends = [(x.low - HALF, x.high - HALF) for x in (one.interval for one in context.density.spreads)]
    return not all(low.is_nonnegative or high.is_nonpositive for low, high in ends)


def _magnitude(context: PowerMean, of_s: Prose) -> Iterator[Block]:
    """Say what the costs are at each cost proportion, by their sum: a function of it, or a number."""
    letter, total = _letter(context), magnitude(context)
    studied = _studied(context.k) if context.density is None else ()
    proportion = prose(
        "{} The cost proportion $s$ is {}{}{}.", _meaning(context), of_s, studied, _density(context)
    )
    whole = r"$c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$"
    if isinstance(context.mean, Law):
        yield _random_words(context, of_s)
    elif len(total.pieces) == 1 and not total.pieces[0].value.has(s):
        yield say(
            "{} So the costs are $c_0 = {}$ and $c_1 = {}$.", proportion, *_shares(total.pieces[0].value)
        )
        return
    else:
        yield say(
            f"{{}} As {whole}, each cost is a function of $s$: $c_0 = s \\, {letter}(s)$ and "
            f"$c_1 = (1 - s) \\, {letter}(s)$ with the cost magnitude",
            proportion,
        )
    yield on_open_interval(f"{letter}(s)", total, Given())
    yield from _closed_costs(context, total)


def _closed_costs(context: PowerMean, total: Pieces) -> Iterator[Block]:
    """Write the costs, or their expectations at each cost proportion, as functions of it where they are simple."""
    costs = [_shares(piece.value) for piece in total]
    if len(costs) == 1 and all(cost.is_rational_function(s) for cost in costs[0]):
        random = isinstance(context.mean, Law)
        text = (
            "Given $s$, the costs have the expectations ${}$ and ${}$."
            if random
            else "That is, $c_0 = {}$ and $c_1 = {}$."
        )
        yield say(text, *costs[0])


def _shares(total: Expr) -> tuple[Expr, Expr]:
    """Return both costs whose sum is given, as functions of the cost proportion."""
    if not total.has(s):
        return total * s, Mul(total, 1 - s, evaluate=False)
    return (s * total).cancel(), ((1 - s) * total).cancel()


def _density(context: PowerMean) -> Prose:
    """Write the density of a law of the cost proportion that is known by its name."""
    law = context.density
    if not isinstance(law, Law) or law.name is None or len(law.spreads) != 1 or law.masses:
        return ()
    (spread,) = law.spreads
    where = prose(" there") if (spread.low, spread.high) != (0, 1) else ()
    return prose(", so that its density is {}{}", spread.density.subs(x, s), where)


def _kind(context: PowerMean) -> str:
    if context.k in _MEANS:
        return _MEANS[context.k]
    exponent = str(context.k).replace("-", "−")
    return f"costs with a fixed power mean{f' of exponent {exponent}' if context.k.is_number else ''}"


def _of_proportion(context: PowerMean) -> str:
    """Say in a title which law the cost proportion has, if it is not uniform on [0, 1]."""
    if context.density is None:
        return ""
    law = context.density
    if isinstance(law, ImproperLaw):
        return " with uniform log-odds" if _whole_line(law) else " whose proportion has an improper law"
    if _uniform_log_odds(law):
        return " with uniform log-odds between bounds"
    family = family_of(law)
    if family is FAMILIES["uniform"]:
        return " whose proportion lies between bounds"
    return (
        f" whose proportion has {family.with_article} law" if family else " whose proportion is not uniform"
    )


def _whose_law(law: Law) -> str:
    family = family_of(law)
    return "a given" if family is None else family.with_article


def _uniform_log_odds(law: Law | ImproperLaw) -> bool:
    """Return whether the log-odds of the cost proportion are uniform on an interval."""
    return len(law.spreads) == 1 and not law.masses and _is_reciprocal(law.spreads[0].density)


def _is_reciprocal(density: Expr) -> bool:
    return not sympy.cancel(density * x * (1 - x)).has(x)


def _whole_line(law: ImproperLaw) -> bool:
    """Return whether the log-odds are uniform on the whole line."""
    return _uniform_log_odds(law) and (law.spreads[0].low, law.spreads[0].high) == (0, 1)


def _of_mean(context: PowerMean) -> str:
    return " with a random mean" if isinstance(context.mean, Law) else ""


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
    text = " and {} is independent of $s$, with expectation {}"
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
    return ", as in the error rate" if is_commensurate else ""


def _bound(context: PowerMean) -> Prose:
    most = context.scale if context.k.is_infinite else context.scale * 2 ** (1 / context.k)
    return prose("Neither cost exceeds {}, so both have a finite expectation.", most)


def _known_mean(context: PowerMean) -> Prose:
    if context.k == 1:
        source = "[@HernandezOrallo2011], [@HernandezOrallo2012]"
        text = f"This scoring rule is {{}}the Brier score [@Brier1950], as was found in {source}."
        return prose(text, multiple(context.scale))
    if context.k == -1:
        text = "This scoring rule is {}the log loss [@Good1952], as was found in [@Flach2015, Theorem 1]."
        return prose(text, multiple(context.scale / 2))
    if context.k.is_zero:
        return prose("The expected loss of geometric costs is left open in [@Flach2015, Section 5.1].")
    return prose(_OTHER_MEANS) if context.k.is_finite else ()


_OTHER_MEANS = (
    "Flach [@Flach2015] finds the scoring rules of costs with a fixed arithmetic or harmonic mean and a uniform cost "
    "proportion; for any exponent but 0, Section 5.2 there has the loss at each cost proportion, but not its mean."
)


def _known_boosting(context: PowerMean) -> Prose:
    """Say what is known of geometric costs with uniform log-odds of their proportion."""
    law = context.density
    if not (context.k.is_zero and isinstance(law, ImproperLaw) and _whole_line(law)):
        return ()
    return prose(
        "That the expected loss of geometric costs may be connected with boosting is a remark of [@Flach2015, Section "
        "6], which leaves the question open. There is a connection: if the log-odds of $s$ are uniform on the whole "
        r"line, the rule is a multiple of the exponential loss of boosting, which is $\mathrm{e}^F$ in class 0 and "
        r"$\mathrm{e}^{-F}$ in class 1 with $F = \frac{1}{2} \ln(p/(1 - p))$, and which Buja et al. [@Buja2005] study "
        "as a proper scoring rule."
    )
