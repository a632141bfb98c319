"""The proof from the law of the costs to the threshold weight, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import sympy
from sympy import Add, Expr, Integral

from costderive.core.piecewise import Given, Interval, Piece
from costderive.core.symbols import c1, s
from costderive.costs.expected_loss import (
    ExpectedLoss,
    InnerIntegral,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.derivation.moves.integrate_magnitude import poles
from costderive.proof.claims import Step
from costderive.publish.formulas.exponentials import of_exponentials
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.lines import integral
from costderive.publish.formulas.printing import Part, chain, formula, width
from costderive.publish.formulas.turned import turned
from costderive.publish.words.displays import LINE, continued, equation, interval, region, sides
from costderive.publish.words.document_blocks import (
    Block,
    Display,
    Paragraph,
    Prose,
    Table,
    displayed,
    ended,
    prose,
    table,
)
from costderive.publish.words.mixture_phrases import numbers_of_parts
from costderive.publish.words.normal_laws import normal_integral
from costderive.publish.words.proofs_beside_areas import before_areas, beside_areas, densities
from costderive.publish.words.proofs_of_totals import totals
from costderive.publish.words.scene import (
    AGAINST_WEIGHT,
    Description,
    Scene,
    listed,
    numbered,
    say,
    series,
    show,
)
from costderive.rules import odds_form

INTEGRAND = 36.0  # what a line holds beside the integral that it is from, in digits


def expectation(step: Step, scene: Scene) -> Description:
    """Describe ``TakeExpectation``: why its laws are laws, the costs of both kinds of error, and what gathers them."""
    if scene.brief:
        yield say(
            r"By [@CostContexts, Theorem 1] it remains to find the threshold weight $\Omega$ and its losses."
        )
    for place, block in enumerate(totals(step)):
        yield replace(block, lead="") if place and isinstance(block, Paragraph) else block
    if scene.brief:
        return
    yield say(
        "Given the costs, an instance of class 0 is misclassified if $p > s$, which has probability $1 - "
        "F_0(s)$, and an instance of class 1 if $p \\le s$, which has probability $F_1(s)$. As the costs "
        "are independent of $(p, Y)$,",
        lead="The expected loss.",
    )
    loss: ExpectedLoss = step.after
    single = len(loss.areas) == 1 and not (loss.lines or loss.arcs or loss.points)
    yield show(
        r"L & = \mathbb{E}\bigl[\pi_0 c_0 \, (1 - F_0(s)) + \pi_1 c_1 \, F_1(s)\bigr]"
        + (_WRITTEN_OUT if single else "")
    )
    yield say("Since $c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, this is")
    yield show(AGAINST_WEIGHT, label="eq:threshold")
    yield say(r"It remains to find the threshold weight $\Omega$ and to integrate by parts.")


_WRITTEN_OUT = (
    r" \\  & = \iint_D \bigl(\pi_0 c_0 \, (1 - F_0(s)) + \pi_1 c_1 \, F_1(s)\bigr) \, \varphi(c_0, c_1) \, dc_0 \, "
    r"dc_1, \qquad s = \frac{c_0}{c_0 + c_1}"
)


def variables(step: Step, scene: Scene) -> Description:
    """Describe ``ChangeOfVariables``: what each part of the law of the costs adds to the threshold weight."""
    before: ExpectedLoss = step.before.two_sided
    after: ThresholdIntegral = step.after
    context = scene.case.steps[0].before
    dense = densities(before)
    if dense + len(before.points) > 1:
        yield say("The parts of the law of the costs add to the threshold weight as follows.")
    if after.sheets:
        yield from before_areas(scene)
        sheets = tuple(
            replace(sheet, integrand=_with_signs(sheet.integrand, scene.case.given)) for sheet in after.sheets
        )
        yield from _substitution(sheets, numbers_of_parts(context, "areas"), alone=dense == 1)
    else:
        yield from beside_areas(scene)


def _substitution(sheets: tuple[Sheet, ...], numbers: list[int], *, alone: bool) -> Description:
    parts = dict.fromkeys(numbers)
    within = prose(f"In part{'s' * (len(parts) > 1)} {{}}, as", listed(map(str, parts))) if parts else "As"
    yield say(
        r"{} in [@Grygorian2019, Theorem 3], put $c_0 = s c_1/(1 - s)$ for fixed $c_1 > 0$. While $s$ runs from 0 to "
        r"1, $c_0$ increases from 0 to $\infty$, and",
        within,
        lead="Change of variables.",
    )
    yield show(
        r"\frac{\partial c_0}{\partial s} = {}, \qquad c_0 + c_1 = \frac{c_1}{1 - s}.", sheets[0].jacobian
    )
    yield say(
        "Nothing here is negative, so by Tonelli's theorem the order of integration is free, and by its definition "
        + (r"$\Omega$ has the density" if alone else r"$\Omega$ gets from the region the density")
    )
    yield displayed(_as_integrals(sheets, alone=alone))
    name, whole = ("D_s", "D") if len(sheets) == 1 else ("D_{i,s}", "D_i")
    yield say(
        rf"where ${name}$ is the set of those $c_1$ for which $\bigl(s c_1/(1 - s), c_1\bigr)$ lies in "
        rf"${whole}$."
    )


def _as_integrals(sheets: tuple[Sheet, ...], *, alone: bool) -> Iterator[tuple[Row, Row]]:
    """Return the rows that write the weight, or a part of it, as integrals over $c_1$."""
    left, equals = (formula(r"\omega(s)"), formula("= ")) if alone else (Row(()), Row(()))
    if len(sheets) > 1:
        first, *others = (
            line for i, sheet in enumerate(sheets, 1) for line in _over_c1(f"D_{{{i},s}}", sheet, later=i > 1)
        )
        yield left, formula("{}{}", equals, first)
        yield from continued(others)
        return
    first, *others = _over_c1("D_s", *sheets)
    others[-1:] = [ended(line, ",") for line in others[-1:]]
    first = first if others else ended(first, ",")
    if alone and (others or width(sheets[0].integrand) > INTEGRAND):
        yield left, formula("= {}", _WEIGHT)
        yield Row(()), formula("= {}", first)
    else:
        yield left, formula("{}{} = {}", equals, _WEIGHT, first)
    yield from continued(others)


_WEIGHT = formula(r"\int_{D_s} (c_0 + c_1) \, \varphi(c_0, c_1) \, \frac{\partial c_0}{\partial s} \, dc_1")


def _over_c1(domain: str, sheet: Sheet, *, later: bool = False) -> list[Row]:
    sign = formula(rf"\int_{{{domain}}}")
    return integral(formula("+ {}", sign) if later else sign, sheet.integrand, formula(c1), LINE - 10)


def slices(step: Step, scene: Scene) -> Description:
    """Describe ``SliceRegion``: the inner variable's range on each piece, and why."""
    after: SlicedIntegral = step.after
    regions = tuple(zip(after.integral.sheets, after.slices, strict=True))
    argued = [found for found in regions if not _is_one_range(found[1])]
    bent = any(_is_bent(sheet) for sheet, _ in argued)
    for index, (sheet, parts) in enumerate(regions, 1):
        whole, inner = numbered("D", index, len(regions)), "D_s" if len(regions) == 1 else f"D_{{{index},s}}"
        lead = "The region." if len(regions) == 1 else f"Region {index}."
        if len(parts) == 1 and _is_whole_ray(parts[0]):
            yield say(_WHOLE_RAY, parts[0].low, parts[0].high, inner, lead=lead)
            continue
        yield say(f"In the new variables, ${whole}$ is described by", lead=lead)
        yield show("{}.", chain(r", \qquad ", region(sheet.constraints)))
        if _is_one_range(parts):
            yield _one_range(parts[0])
            continue
        first = (sheet, parts) == argued[0]
        inner = inner if len(argued) == 1 else "D_{i,s}"
        yield _argument([found for _, found in argued], inner, bent=bent) if first else say(_ALIKE)
        yield _ranges(_turned(parts, scene.case.given), sheet.constraints, with_ends=not bent)


_ALIKE = "In the same way, $c_1$ has these ranges:"


def _argument(regions: list[tuple[Slice, ...]], inner: str, *, bent: bool) -> Paragraph:
    """Say why the ranges of c1 in some regions change only where two bounds are equal."""
    cleared = "denominators and of roots" if bent else "denominators"
    compared = "a polynomial inequality" if bent else "an inequality linear"
    ends = "" if bent else "; the last column says what is equal at the right end of each interval"
    empty, ray = any(x.empty for parts in regions for x in parts), any(map(_has_ray, regions))
    return say(
        f"Each inequality bounds $c_1$ from below or from above, and ${inner}$ reaches from the largest lower bound to "
        f"the smallest upper bound{_EMPTY * empty}. Cleared of {cleared}, a comparison of two of the bounds is "
        f"{compared} in $s$, so their order changes only where they are equal.{_THROUGH_ORIGIN * ray} "
        f"So $c_1$ has these ranges{ends}:"
    )


def _is_bent(sheet: Sheet) -> bool:
    return any(sympy.diff(constraint, c1, 2) != 0 for constraint in sheet.constraints)


def _is_one_range(parts: tuple[Slice, ...]) -> bool:
    return len(parts) == 1 and not parts[0].empty


def _is_whole_ray(part: Slice) -> bool:
    return (part.lower, part.upper) == (0, sympy.oo)


_EMPTY = "; it is empty, up to one point, where the upper one is not above the lower one"
_THROUGH_ORIGIN = (
    " An inequality between multiples of $c_1$ holds for all $c_1 > 0$ or for none, and changes where its sides are "
    "equal."
)


def _has_ray(parts: tuple[Slice, ...]) -> bool:
    """Return whether a line through the origin bounds the region: at its slope the range is not empty by its ends."""
    return any(_opens(left, right) and not _meet(left, right) for left, right in pairwise(parts))


def _opens(left: Slice, right: Slice) -> bool:
    return left.empty != right.empty


def _meet(left: Slice, right: Slice) -> bool:
    """Return whether the bounds of the range are equal at the breakpoint between it and an empty one."""
    full = right if left.empty else left
    return _vanishes(full.lower - full.upper, left.high)


def _turned(parts: tuple[Slice, ...], given: Given) -> tuple[Slice, ...]:
    """Write bounds without factors that are negative where they hold."""
    return tuple(
        replace(x, lower=turned(x.lower, on, given), upper=turned(x.upper, on, given))
        for x in parts
        for on in [Interval(s, x.low, x.high)]
    )


_WHOLE_RAY = "For every $s$ in $({}, {})$ all positive $c_1$ belong to ${}$: $c_1$ runs from 0 to $\\infty$."


def _one_range(part: Slice) -> Paragraph:
    """Describe a range of c1 whose bounds are the same for all s."""
    return say(
        "Each inequality bounds $c_1$ from below or from above, and for every $s$ in $({}, {})$ the same ones are the "
        "sharpest: $c_1$ runs from {} to {}.",
        *(part.low, part.high, part.lower, part.upper),
    )


def _ranges(parts: tuple[Slice, ...], constraints: tuple[Expr, ...], *, with_ends: bool) -> Table:
    if not with_ends:
        return table(("for", "$c_1$ runs from", "to"), map(_slice, parts))
    ends = [*[series(_equal(left, right, constraints)) for left, right in pairwise(parts)], ()]
    rows = ((*_slice(part), end) for part, end in zip(parts, ends, strict=True))
    return table(("for", "$c_1$ runs from", "to", "at the right end"), rows)


def _slice(piece: Slice) -> tuple[Part, Part, Part]:
    where = interval(Piece(piece.low, piece.high, piece.lower), s)
    return (where, "(empty)", "") if piece.empty else (where, piece.lower, piece.upper)


def _equal(left: Slice, right: Slice, constraints: tuple[Expr, ...]) -> Iterator[Row]:
    """Say which bounds are equal at the breakpoint between two slices, or which constraint begins or ends to hold."""
    pairs = [(left.lower, right.lower), (left.upper, right.upper)]
    if _opens(left, right) and _meet(left, right):
        full = right if left.empty else left
        pairs = [(full.lower, full.upper)]
    elif _opens(left, right):
        pairs = [sides(x) for x in constraints if _vanishes(x, left.high)]
    return (chain(" = ", pair) for pair in pairs if pair[0] != pair[1])


def _vanishes(difference: Expr, proportion: Expr) -> bool:
    return bool(sympy.cancel(difference.subs(s, proportion)) == 0)


def inner(step: Step, scene: Scene) -> Description:
    """Describe ``IntegrateMagnitude``: antiderivatives in c1, the sign of what comes out, and what is added to it."""
    if not step.before.integral.sheets:
        return
    yield from _normal(step.after, scene) or _by_antiderivatives(step, scene)
    yield from beside_areas(scene)


def _normal(after: WeightedLoss, scene: Scene) -> list[Block]:
    """Describe an integral over all c1 that is a normal distribution function; else return nothing."""
    if len(after.inner) != 1 or not _is_whole_ray(after.inner[0].slice):
        return []
    whole = after.inner[0].antiderivative
    return [] if whole is None else list(normal_integral(whole, scene))


def _by_antiderivatives(step: Step, scene: Scene) -> Description:
    after: WeightedLoss = step.after
    found = _antiderivatives(step.before, after.inner, scene.case.given)
    lead, sign = "The inner integral.", () if scene.brief else _not_negative(after, scene)
    if found:
        several = "Antiderivatives of the integrands in $c_1$ are"
        yield say(several if len(found) > 1 else "An antiderivative of the integrand in $c_1$ is", lead=lead)
        yield from (_with_slope(*one) for one in found)
    else:
        yield say(
            "No antiderivative in closed form was found, so the inner integral stays as it is and"
            f"{', summed over the parts,' * (len(step.before.integral.sheets) > 1)} {{}}{_empty(after)}.{{}}",
            *(_what_it_is(scene), sign),
            lead=lead,
        )
        return
    if any(x.value.has(Integral) for x in after.inner):
        yield say("Where none in closed form was found, the integral stays as it is.")
    yield say(
        f"{_increase(len(found))}{{}} {_limits(after)}{_SUMMED * (len(found) > 1)}{{}}{_empty(after)}.{{}}",
        *(_from_to(after), _what_it_is(scene), sign),
    )
    for at in dict.fromkeys(at for one in after.inner for at in poles(one, scene.case.given)):
        yield say(
            "At $s = {}$ alone the antiderivative is not defined, and a single $s$ counts for nothing.", at
        )


_SUMMED = "summed over the parts, "


def _is_alone(scene: Scene) -> bool:
    """Return whether all of the density of the threshold weight is from areas."""
    return scene.expected is not None and densities(scene.expected) == 1


def _what_it_is(scene: Scene) -> Prose:
    """Say of the inner integrals that they are the density of the threshold weight, or what areas add to it."""
    if _is_alone(scene):
        return prose(rf"is the $\omega(s)$ {scene.stated}")
    numbers = dict.fromkeys(numbers_of_parts(scene.case.steps[0].before, "areas"))
    return prose(r"is what {} to $\omega(s)$", _parts_add([*numbers]) if numbers else "the region adds")


def _parts_add(numbers: list[int]) -> Prose:
    noun, verb = ("part", "adds") if len(numbers) == 1 else ("parts", "add")
    return prose(f"{noun} {{}} {verb}", listed(map(str, numbers)))


def _with_slope(name: str, written: Expr, integrand: Expr) -> Display:
    """Display an antiderivative and its slope, in one row if both are short."""
    slope = rf"\frac{{\partial {name}}}{{\partial c_1}}"
    if width(written) + width(integrand) < INTEGRAND:
        return show(rf"{name}(s, c_1) = {{}}, \qquad {slope} = {{}}", written, integrand)
    *rows, (left, value) = equation(f"{name}(s, c_1)", written)
    return displayed((*rows, (left, ended(value, ",")), *equation(slope, integrand)))


def _not_negative(after: WeightedLoss, scene: Scene) -> Prose:
    """Say why the inner integrals are not negative: as their integrand is not, and they run upwards."""
    alone = len(after.inner) == 1 and after.inner[0].slice.upper.is_infinite
    range_ = "range that is not empty" if any(x.slice.empty for x in after.inner) else "range"
    upwards = "" if alone else f" and each {range_} runs upwards"
    what = r"$\omega \ge 0$" if _is_alone(scene) else "this is not negative"
    return prose(f" The integrand is not negative{upwards}, so {what}.")


def _increase(count: int) -> str:
    return "Its increase" if count == 1 else "The integral"


def _from_to(after: WeightedLoss) -> Prose:
    if len(after.inner) == 1:
        (only,) = after.inner
        return prose(" as $c_1$ runs from {} to {}", only.slice.lower, only.slice.upper)
    return prose(" from the lower to the upper bound of $c_1$, on each piece,")


def _empty(after: WeightedLoss) -> str:
    return "; an empty range adds nothing" if any(x.slice.empty for x in after.inner) else ""


def _limits(after: WeightedLoss) -> str:
    """Say that the values at the ends are limits, if the antiderivative has none at one of them."""
    infinite = any(x.slice.upper.is_infinite for x in after.inner)
    if any(not (x.slice.empty or _defined_at_start(x)) for x in after.inner):
        return "(with the limits at both ends) " if infinite else "(with the limit at the lower bound) "
    return "(with the limit at infinity) " if infinite else ""


def _defined_at_start(found: InnerIntegral) -> bool:
    """Return whether an antiderivative has a finite value at the lower bound as it is written."""
    if found.antiderivative is None:
        return True
    at = found.antiderivative.subs(c1, found.slice.lower)
    return not at.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.AccumBounds)


def _antiderivatives(
    before: SlicedIntegral, found: tuple[InnerIntegral, ...], given: Given
) -> list[tuple[str, Expr, Expr]]:
    """Return letter, antiderivative and integrand, each different antiderivative once."""
    owners = [
        sheet for sheet, parts in zip(before.integral.sheets, before.slices, strict=True) for _ in parts
    ]
    different = {
        x.antiderivative: sheet.integrand
        for sheet, x in zip(owners, found, strict=True)
        if x.antiderivative is not None
    }
    return [
        (
            numbered("A", index, len(different)),
            turned(_factored(written, given), _UNIT, given),
            _with_signs(integrand, given),
        )
        for index, (written, integrand) in enumerate(different.items(), 1)
    ]


_UNIT = Interval(s, sympy.S.Zero, sympy.S.One)


def _factored(expr: Expr, given: Given) -> Expr:
    return odds_form.product(expr, s, given) if expr.is_rational_function() else _by_exponentials(expr, given)


def _signed(exponent: Expr, given: Given) -> Expr:
    """Write an exponent as a product with its sign in front, if that has fewer minus signs: it mostly is negative."""
    found = _factored(exponent, given), -_factored(-exponent, given)
    return min(found, key=lambda written: str(written).lstrip("-").count("-"))


def _with_signs(expr: Expr, given: Given) -> Expr:
    """Write rational exponents as products."""
    powers = [x for x in expr.atoms(sympy.exp) if x.args[0].is_rational_function()]
    return expr.xreplace({x: sympy.exp(_signed(x.args[0], given)) for x in powers})


def _by_exponentials(expr: Expr, given: Given) -> Expr:
    """Take each exponential out of the terms that have it, where a polynomial in c1 is left of them."""
    merged = expr.replace(sympy.exp, lambda exponent: sympy.exp(_signed(exponent, given)))
    factors = of_exponentials(merged)
    if factors is None or not all(x.is_polynomial(c1) for x in factors.values()):
        return min(expr, odds_form.by_kernel(expr, s, given), key=sympy.count_ops)
    return Add(*[_times(power, factor, given) for power, factor in factors.items()])


def _times(power: Expr, factor: Expr, given: Given) -> Expr:
    """Return an exponential times a polynomial in c1, with the sign of its leading term in front."""
    if not sympy.fraction(sympy.cancel(factor))[0].has(s):  # all terms have one denominator
        return odds_form.product(factor, s, given) * power
    terms = [odds_form.product(x, s, given) * c1**n for (n,), x in sympy.Poly(factor, c1).terms()]
    sign = -1 if terms[0].could_extract_minus_sign() else 1
    return sign * power * Add(*[sign * term for term in terms])
