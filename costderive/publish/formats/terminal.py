"""A derivation on the terminal: the context in words, the rule piece by piece, and what is proved of it.

>>> from costderive.spec import context_from
>>> print(context_words(context_from({"kind": "additive"})))
c₀ + c₁ = 2, the cost proportion s = c₀/(c₀ + c₁) uniform on [0, 1]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

import sympy
from sympy import Expr, Integral, Symbol

from costderive.batch.linear_rules import BatchLoss
from costderive.core import symbols
from costderive.core.piecewise import Given, Pieces
from costderive.costs.contexts import (
    Context,
    Curve,
    FixedCosts,
    Independent,
    IndependentUniform,
    Joint,
    Mixture,
    PowerMean,
)
from costderive.costs.laws import Law, x
from costderive.costs.thresholds import FixedThreshold, ThresholdedContext
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import losses
from costderive.multiclass import ClassCosts
from costderive.multiclass.simplex import SimplexEntropy
from costderive.proof.claims import Case, Finding, Report, Verdict
from costderive.publish.formats import terminal_batch as batch
from costderive.publish.formats import terminal_classes as classes
from costderive.publish.formulas.printing import inline, unicode
from costderive.publish.words.law_names import in_common
from costderive.publish.words.scene import fixed_threshold
from costderive.publish.words.terminal_phrases import (
    IMPROPER,
    WIDTH,
    comparison,
    facts_words,
    labelled,
    law_words,
    properness,
)
from costderive.rules import (
    Conclusion,
    Improperness,
    Losses,
    Properness,
    RepairedProperness,
    Represented,
    Undecided,
)
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight, Origin
from costderive.rules.loss_pair import LossPair, Value, Witness

SHOWN_FINDINGS = 5
UNIFORM_S = "the cost proportion s = c₀/(c₀ + c₁) uniform on [0, 1]"
NO_CLOSED_FORM = (
    "none was found: the search for an antiderivative ended without one, which does not say that there is none; the "
    "losses stay integrals, and all that is proved holds for these"
)
NAMINGS = (
    "c₀: cost of misclassifying class 0 (a false positive, if class 1 is called positive)",
    "c₁: cost of misclassifying class 1 (a false negative)",
)


def summary(derivation: Certified, report: Report, *, title: str = "", source: str = "") -> str:
    """Return the result of a derivation for a reader at a terminal."""
    lines = [line for text in (title, source) for line in wrap(text, WIDTH, subsequent_indent="  ")]
    if lines:
        lines.append("")
    lines += _start(derivation.context)
    context = derivation.context
    facts = facts_words(context.given(), context.parameters, getattr(derivation, "divisors", ()))
    lines += labelled("Parameters", [facts]) if facts else []
    for number, case in enumerate(derivation.cases, start=1):
        if len(derivation.cases) > 1:
            lines += ["", f"Case {number} of {len(derivation.cases)}: {_conditions(case.given)}"]
        lines += ["", *_case(case, report.doubt)]
    return "\n".join([*lines, "", *labelled("Proof", _verdict(report))])


def as_expected(compared: Report) -> Iterator[str]:
    """Say whether the losses are those that a spec expects, and what was compared."""
    count = len(compared.findings)
    if compared.verdict is Verdict.PROVED:
        lines = [
            f"the losses are those expected, decided exactly on their pieces and at the ends: {count} comparisons"
        ]
    else:
        lines = [
            f"it is not proved that the losses are those expected, in {count} comparisons: {compared.doubt}"
        ]
    yield from labelled("Expected", lines)


def _start(context: Context | LossPair | Origin | ClassCosts | SimplexEntropy | BatchLoss) -> Iterator[str]:
    """Say what the derivation starts from."""
    if isinstance(context, BatchLoss):
        yield from batch.start(context)
        return
    if isinstance(context, ClassCosts | SimplexEntropy):
        yield from classes.start(context)
        return
    if isinstance(context, LossPair):
        yield from labelled("Losses", ["a pair of losses, as given"])
        return
    if isinstance(context, Origin):
        yield from labelled("Given", [_origin_words(context)])
        return
    costs = context.costs if isinstance(context, ThresholdedContext) else context
    yield from labelled("Costs", [context_words(costs), *NAMINGS])
    if isinstance(context, ThresholdedContext):
        yield from labelled("Threshold", [threshold_words(context)])


def _origin_words(origin: Origin) -> str:
    """Say what a rule is given by."""
    words = {
        GivenWeight: "its threshold weight",
        GivenEntropy: "its entropy",
        GivenLink: "its canonical link",
    }
    return words[type(origin)]


def table(rows: list[tuple[str, ...]], right: Iterable[int] = ()) -> str:
    """Align columns; the first row is the heading, and the columns in ``right`` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = set(right)
    cells = [
        [
            cell.rjust(w) if k in numbers else cell.ljust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    lines = ["  ".join(row).rstrip() for row in cells]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def decimals(values: Sequence[float], digits: int) -> list[str]:
    """Write numbers with the same decimals, so many that the largest has that many digits; NaN is a dash."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0) or 1.0
    places = min(15, max(0, digits - 1 - math.floor(math.log10(largest))))
    return [_decimal(value, places) for value in values]


def _decimal(value: float, places: int) -> str:
    if math.isnan(value):
        return "—"
    text = f"{abs(value):.{places}f}" if math.isfinite(value) else "∞"
    return f"−{text}" if value < 0 and text.strip("0.") else text


def printable(text: str) -> str:
    """Return a name from a file so that it cannot drive the terminal, and is not too long."""
    return "".join(c if c.isprintable() else "?" for c in text)[:40]


# ---- the context in words


def threshold_words(context: ThresholdedContext) -> str:
    """Return what the threshold of a context is, in one line."""
    threshold = context.threshold
    if isinstance(threshold, FixedThreshold):
        return f"{inline(threshold.at)}, whatever the costs"
    return f"random and independent of the costs: {law_words(threshold.law, symbols.t)}"


def context_words(context: Context | ClassCosts) -> str:
    """Return what a context says, in one line."""
    if isinstance(context, ClassCosts):
        return classes.context_words(context)
    improper = f" ({IMPROPER})" if context.improper_law else ""
    if isinstance(context, ThresholdedContext):
        return f"{_costs(context.costs)}{improper}; threshold {threshold_words(context)}"
    return f"{_costs(context)}{improper}"


def _costs(context: Context) -> str:
    match context:
        case PowerMean():
            return f"{_mean(context.k, _budget(context))}, {_uncertain(context)}"
        case IndependentUniform(c0=(a, b), c1=(d, e)):
            first, second = (f"[{inline(low)}, {inline(high)}]" for low, high in ((a, b), (d, e)))
            return f"independent, c₀ uniform on {first} and c₁ uniform on {second}"
        case Independent(c0=first, c1=second):
            words = law_words(first, symbols.c0).removesuffix(in_common(first, second)[1])
            return f"independent, {words} and {law_words(second, symbols.c1)}"
        case FixedCosts(c0=first, c1=second):
            return f"known, c₀ = {inline(first)} and c₁ = {inline(second)}"
        case Curve(c0=first, c1=second, density=law):
            return f"c₀ = {inline(first)} and c₁ = {inline(second)}, {law_words(law, x)}"
        case Joint(density=density, support=support):
            region = ", ".join(comparison(fact, "≤") for fact in support)
            return f"joint density {inline(density)} where {region}"
        case Mixture(parts=parts):
            return "; or ".join(
                f"with probability {inline(weight)} {context_words(part)}" for weight, part in parts
            )
    return str(context)


def _budget(context: PowerMean) -> Expr:
    """Return the given mean, or a letter for a random one that no parameter has."""
    if not isinstance(context.mean, Law):
        return context.mean
    taken = {symbol.name for symbol in context.parameters}
    return Symbol(next(name for name in ("M", "m", "B", "M0") if name not in taken), positive=True)


def _uncertain(context: PowerMean) -> str:
    """Say what is random when the mean of the costs is given, and what of a random mean matters."""
    if context.c0 is not None or context.c1 is not None:
        return law_words(context.c0, symbols.c0) if context.c1 is None else law_words(context.c1, symbols.c1)
    share = (
        UNIFORM_S
        if context.density is None
        else f"the cost proportion {law_words(context.density, symbols.s)}"
    )
    if not isinstance(context.mean, Law):
        return share
    mean = f"only its expectation {inline(context.scale)} matters"
    return f"{law_words(context.mean, _budget(context))}, independent of s ({mean}), {share}"


def _mean(k: Expr, mean: Expr) -> str:
    """Write what is fixed as an equation between c0 and c1."""
    if k.is_infinite:
        return f"{'max' if k is sympy.oo else 'min'}(c₀, c₁) = {inline(mean)}"
    if k.is_zero:
        return f"c₀c₁ = {inline(mean**2)}"
    first, second = (inline(cost**k) for cost in (symbols.c0, symbols.c1))
    return f"{first} + {second} = {inline(2 * mean**k)}"


def _conditions(given: Given) -> str:
    return " and ".join(comparison(fact, "≤") for fact in given.nonnegative)


# ---- one case


def _case(case: Case, doubt: str) -> Iterator[str]:
    """Describe what a case arrives at; ``doubt`` is why that is not proved, if it is not."""
    if isinstance(case.steps[0].before, BatchLoss):
        yield from batch.reached(case.steps[-1].after, doubt)
        return
    if isinstance(case.steps[0].before, ClassCosts | SimplexEntropy):
        yield from classes.reached(case.steps[-1].after, doubt)
        return
    result = losses(case)
    sign = "<" if isinstance(result, LossPair) else "≤"
    yield "Loss if the class is 0"
    yield from _pieces("L₀(p)", result.loss0, sign)
    yield ""
    yield "Loss if the class is 1"
    yield from _pieces("L₁(p)", result.loss1, sign)
    yield ""
    if isinstance(result, LossPair):
        yield from labelled("Values", list(_values(result)))
    else:
        yield from _weight(result)
    yield from _conclusion(case.steps[-1].after, doubt)
    if isinstance(case.steps[-1].after, Undecided):
        yield from labelled("Condition", list(_when_proper(case)))
    if isinstance(result, Losses):
        yield from labelled("Conditions", list(_integrability(result)))
    if any(piece.value.has(Integral) for piece in (*result.loss0, *result.loss1)):
        yield from labelled("Closed form", [NO_CLOSED_FORM])


def _weight(result: Losses) -> Iterator[str]:
    yield "Threshold weight"
    yield from _pieces("ω(s)", result.weight.density, "<")
    for atom in result.weight.atoms:
        yield f"    and a point mass {inline(atom.mass)} at s = {inline(atom.at)}"
    yield ""
    worst = [f"E[c₀] = L₀(1) = {inline(result.worst0)}", f"E[c₁] = L₁(0) = {inline(result.worst1)}"]
    yield from labelled("Expected costs", [",  ".join(worst)] if len(",  ".join(worst)) < 84 else worst)


def _values(pair: LossPair) -> Iterator[str]:
    """Write the values at 0, at breakpoints and at 1; a piece alone does not say what holds at its ends."""
    for value in pair.values:
        yield _value(value)


def _value(value: Value) -> str:
    at = inline(value.at)
    return f"L₀({at}) = {inline(value.loss0)},  L₁({at}) = {inline(value.loss1)}"


def _conclusion(reached: Conclusion, doubt: str) -> Iterator[str]:
    """Write the verdict, and the witness against a rule that is not proper."""
    match reached:
        case Represented(proper=proper):
            yield "Entropy and canonical link" if reached.link else "Entropy"
            yield from _pieces("H(q)", reached.entropy, "≤")
            if reached.link is not None:
                yield from _pieces("ψ(p)", reached.link, "≤")
            yield ""
            yield from properness(_properness(proper), doubt)
        case Properness():
            yield from properness(_properness(reached), doubt)
        case Improperness(witness=witness):
            yield from properness(reached.judgement, doubt)
            yield from labelled("Witness", list(_witness(witness)))
        case RepairedProperness(improper=improper, weighed=weighed, proper=proper):
            yield from properness(f"improper, but {_properness(proper)} with other values", doubt)
            yield from labelled("Witness", list(_witness(improper.witness)))
            old = improper.losses.values
            changed = [_value(x) for x in weighed.pair.values if x not in old]
            yield from labelled("Other values", changed)
        case Undecided():
            why = "neither a proof nor a witness against it was found"
            depends = "; it may depend on the parameters" if reached.losses.parameters else ""
            yield from properness(f"{reached.judgement}: {why}{depends}", "")


def _when_proper(case: Case) -> Iterator[str]:
    """Say when a fixed threshold gives a proper rule."""
    at, pair = fixed_threshold(case), losses(case)
    if at is not None:
        sides = f"{inline((1 - at) * pair.worst0)} = {inline(at * pair.worst1)}"
        yield f"proper if and only if (1 − t)E[c₀] = tE[c₁] at the threshold t, that is, {sides}"


def _witness(witness: Witness) -> Iterator[str]:
    belief, report = inline(witness.belief), inline(witness.report)
    yield f"under the belief q = {belief}, the report p = {report} is better than the truth:"
    yield f"R({report}|{belief}) = {inline(witness.better)}  <  {inline(witness.truthful)} = R({belief}|{belief})"


def _pieces(name: str, function: Pieces, sign: str) -> Iterator[str]:
    """Write a function piece by piece, each beside its range, or below it where that is too wide."""
    margin = 4 + len(name) + 3
    formulas = [inline(piece.value) for piece in function]
    ranges = [
        f"{inline(piece.low)} {'<' if index else sign} {function.variable} {sign} {inline(piece.high)}"
        for index, piece in enumerate(function)
    ]
    width = max(map(len, formulas))
    if margin + width + 4 + max(map(len, ranges)) <= WIDTH:
        for index, (formula, where) in enumerate(zip(formulas, ranges, strict=True)):
            yield f"{'' if index else '    ' + name + ' = ':{margin}}{formula:{width}}    {where}"
        return
    for piece, formula, where in zip(function, formulas, ranges, strict=True):
        yield f"    for {where}:"
        if len(name) + len(formula) + 11 <= WIDTH:
            yield f"        {name} = {formula}"
        else:
            yield from [
                f"        {line}".rstrip() for line in [f"{name} =", *unicode(piece.value).splitlines()]
            ]


def _properness(reached: Properness) -> str:
    if reached.everywhere:
        return "strictly proper on (0, 1)"
    parts = " and ".join(f"({inline(low)}, {inline(high)})" for low, high in reached.strict)
    return f"proper, strictly so for beliefs in {parts}" if parts else "proper, nowhere strictly"


def _integrability(result: Losses) -> Iterator[str]:
    """The boundary term of an unbounded loss vanishes under a condition on the scores."""
    if result.worst0 is sympy.oo:
        yield "E[L₀(p) | Y = 0] < ∞, since L₀ is not bounded at p = 1"
    if result.worst1 is sympy.oo:
        yield "E[L₁(p) | Y = 1] < ∞, since L₁ is not bounded at p = 0"


# ---- the proof


def _verdict(report: Report) -> list[str]:
    proved = [finding for finding in report.findings if finding.verdict is Verdict.PROVED]
    lines = [f"{report.verdict.name}: {len(proved)} of {len(report.findings)} claims are proved,"]
    methods = Counter(finding.decider for finding in proved)
    lines += [f"{times:5d}  by {method}" for method, times in methods.most_common()]
    weak = list(dict.fromkeys(map(_weak, (f for f in report.findings if f.verdict is not Verdict.PROVED))))
    more = ["and more that are not proved"] if len(weak) > SHOWN_FINDINGS else []
    return lines + weak[:SHOWN_FINDINGS] + more


def _weak(finding: Finding) -> str:
    decider = "" if finding.verdict is Verdict.OPEN else f"{finding.decider}: "
    return f"{finding.verdict.name}: {finding.claim.what} ({decider}{finding.evidence})"
