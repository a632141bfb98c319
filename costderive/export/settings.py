"""Cost contexts in words: a name, the law as a phrase for a theorem, and the section that describes them.

A new context adds one function and one row to ``_SETTINGS``; without it the context is described by its ``repr``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.contexts import IndependentUniform, PowerMean
from costderive.derivation import Derivation
from costderive.export.blocks import Block, Display, Paragraph, Prose, prose
from costderive.export.displays import condition, equation, function, inequality
from costderive.export.printing import latex
from costderive.pieces import Piece, Pieces, constant
from costderive.symbols import c0, c1, s


@dataclass(frozen=True, slots=True)
class Setting:
    """A context in words; ``law`` continues "Let", ``known`` names the rule where the literature has a name for it.

    ``bounded`` says that both costs are bounded, so that both losses are.
    """

    name: str
    law: Prose
    blocks: tuple[Block, ...]
    known: Prose = ()
    bounded: bool = False


def setting(derivation: Derivation) -> Setting:
    """Describe the context of a derivation, its parameters and the cases that they lead to."""
    context = derivation.context
    described = _SETTINGS.get(type(context), _unknown)(context)
    facts = (*_parameters(derivation), *_cases(derivation), *_zero_bounds(context))
    return Setting(described.name, described.law, described.blocks + facts, described.known, described.bounded)


# ---- fixed power mean

_MEANS = {
    sympy.Integer(1): "additive costs",
    sympy.Integer(-1): "harmonic costs",
    sympy.Integer(0): "geometric costs",
    sympy.Integer(2): "Euclidean costs",
    sympy.oo: "costs with a fixed maximum",
    -sympy.oo: "costs with a fixed minimum",
}


def _power_mean(context: PowerMean) -> Setting:
    law = _relation(context.k, context.mean)
    phrase = prose(f"the costs satisfy ${law}$ with $s$ uniform on $[0, 1]$")
    bounded = bool(context.k.is_positive)
    blocks = (
        Paragraph(prose("The two costs are tied to each other by")),
        Display(((law,),)),
        Paragraph(prose(f"{_meaning(context)} The cost proportion $s$ is uniform on $[0, 1]$ [@Flach2015, Section 5].")),
        Paragraph(prose("As $c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, this makes each cost a function of $s$:")),
        Display(((rf"c_0 = s \, {_letter(context)}(s), \qquad c_1 = (1 - s) \, {_letter(context)}(s),",),)),
        Paragraph(prose("with the cost magnitude")),
        function(f"{_letter(context)}(s)", magnitude(context), {}),
        *_scale(context),
        *(_bound(context) if bounded else ()),
    )
    return Setting(_MEANS.get(context.k, "costs with a fixed power mean"), phrase, blocks, _known_mean(context), bounded)


def magnitude(context: PowerMean) -> Pieces:
    """Return the cost magnitude ``c0 + c1`` as a function of s."""
    lines = context.expected_loss().lines
    if len(lines) == 1:
        return constant(lines[0].magnitude, s)
    return Pieces(s, tuple(Piece(line.low, line.high, line.magnitude) for line in lines))


def _letter(context: PowerMean) -> str:
    """Return a letter for the cost magnitude that no parameter has."""
    taken = {symbol.name for symbol in context.parameters}
    return next(letter for letter in ("b", "B", "M", r"\beta") if letter.lstrip("\\") not in taken)


def _relation(k: Expr, mean: Expr) -> str:
    if k.is_infinite:
        name = r"\max" if k.is_positive else r"\min"
        return f"{name}(c_0, c_1) = {latex(mean)}"
    left, right = (c0 * c1, mean**2) if k.is_zero else (c0**k + c1**k, 2 * mean**k)
    return f"{latex(left)} = {latex(right)}"


def _meaning(context: PowerMean) -> str:
    if context.k.is_infinite:
        return ""
    kind = {sympy.Integer(1): "arithmetic", sympy.Integer(0): "geometric", sympy.Integer(-1): "harmonic"}.get(context.k)
    name = f"{kind} mean" if kind else f"power mean of exponent ${latex(context.k)}$"
    return f"Their {name} is ${latex(context.mean)}$."


def _scale(context: PowerMean) -> tuple[Block, ...]:
    if context.mean != 1:
        return (Paragraph(prose(f"Where $s = 1/2$ both costs are ${latex(context.mean)}$.")),)
    return (Paragraph(prose("Where $s = 1/2$ both costs are 1, so the loss is on the scale of the error rate.")),)


def _bound(context: PowerMean) -> tuple[Block, ...]:
    most = context.mean if context.k.is_infinite else context.mean * 2 ** (1 / context.k)
    return (Paragraph(prose(f"Neither cost exceeds ${latex(most)}$, so both have a finite expectation.")),)


def _known_mean(context: PowerMean) -> Prose:
    if context.k == 1:
        source = "[@HernandezOrallo2011], [@HernandezOrallo2012]"
        return prose(f"This scoring rule is {_multiple(context.mean)}the Brier score, as was found in {source}.")
    if context.k == -1:
        multiple = _multiple(context.mean / 2)
        return prose(f"This scoring rule is {multiple}the log loss, as was found in [@Flach2015, Theorem 1].")
    if context.k.is_zero:
        return prose("This is the expected loss that [@Flach2015, Section 5.1] leaves open for geometric costs.")
    return ()


def _multiple(factor: Expr) -> str:
    if factor == 1:
        return ""
    return "half " if factor == sympy.Rational(1, 2) else f"${latex(factor)}$ times "


# ---- independent uniform costs


def _rectangle(context: IndependentUniform) -> Setting:
    first, second = (f"[{latex(low)}, {latex(high)}]" for low, high in (context.c0, context.c1))
    phrase = prose(f"$c_0$ be uniform on ${first}$ and $c_1$ uniform on ${second}$, independently of each other")
    sentence = prose(
        f"The cost $c_0$ is uniform on ${first}$, the cost $c_1$ is uniform on ${second}$, and they are independent. "
        "So $(c_0, c_1)$ has the density"
    )
    density = context.expected_loss().areas[0].density
    display = Display(((f"f(c_0, c_1) = {latex(density)} \\quad \\text{{on }} D = {first} \\times {second}.",),))
    unit = all(bound == (0, 1) for bound in (context.c0, context.c1))
    known = prose("This scoring rule is the Inverse Score [@Grygorian2019].") if unit else ()
    return Setting("independent uniform costs", phrase, (Paragraph(sentence), display), known, bounded=True)


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
        f"A lower bound of 0 is not excluded: put 0 for {letters} in the result{', one after the other,' * (len(lows) > 1)} "
        "and drop the pieces whose ends meet. This is right because $L_0(p) = \\mathbb{E}[c_0 \\, 1\\{s < p\\}]$ and "
        "$L_1(p) = \\mathbb{E}[c_1 \\, 1\\{s \\ge p\\}]$ depend continuously on the bounds: so does the law of $(c_0, c_1)$, "
        "the costs stay bounded, and $s = p$ has probability 0."
    )
    return (Paragraph(prose(text)),)


# ---- any context


def _unknown(context: Any) -> Setting:
    text: Prose = ("The costs have the law of the cost context ", f"{context!r}.")
    return Setting("a cost context", ("the costs have the law described above",), (Paragraph(text),))


def _parameters(derivation: Derivation) -> tuple[Block, ...]:
    found = sorted(set().union(*[_symbols(case.given.positive) for case in derivation.cases], _own(derivation.context)), key=str)
    if not found:
        return ()
    letters = ", ".join(f"${latex(symbol)}$" for symbol in found)
    facts = [inequality(fact, "<") for fact in derivation.cases[0].given.positive]
    stand = f"The parameter {letters} stands for a positive number" if len(found) == 1 else f"The parameters {letters} stand for positive numbers"
    given = f" with {' and '.join(f'${fact}$' for fact in facts)}" if facts else ""
    return (Paragraph(prose(f"{stand}{given}.")),)


def _symbols(exprs: tuple[Expr, ...]) -> set[Symbol]:
    return set().union(*[expr.free_symbols for expr in exprs])


def _own(context: Any) -> set[Symbol]:
    return set(getattr(context, "parameters", ()))


def _cases(derivation: Derivation) -> tuple[Block, ...]:
    if len(derivation.cases) < 2:
        return ()
    conditions = [f"${condition(case.given)}$" for case in derivation.cases]
    text = (
        f"The order in which the breakpoints of the result follow each other depends on the parameters. There are "
        f"{len(conditions)} cases: {', '.join(conditions[:-1])} and {conditions[-1]}. They overlap only where breakpoints "
        "coincide; there each of them applies, and they agree."
    )
    return (Paragraph(prose(text)),)


_SETTINGS: dict[type, Callable[[Any], Setting]] = {PowerMean: _power_mean, IndependentUniform: _rectangle}
