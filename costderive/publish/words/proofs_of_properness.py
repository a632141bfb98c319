"""The proof from the threshold weight to the losses, and from the losses to properness, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import sympy
from sympy import Expr, Integral

from costderive.core.piecewise import Given, Pieces
from costderive.core.symbols import p
from costderive.proof.claims import Step
from costderive.publish.formulas.printing import chain, formula, width
from costderive.publish.formulas.shorter import by_letters
from costderive.publish.words.displays import equal, equation, function, slope, without_value
from costderive.publish.words.document_blocks import Block, Prose, displayed, ended, prose, table
from costderive.publish.words.long_values import Names
from costderive.publish.words.mirrored import SYMMETRIC, mirrored
from costderive.publish.words.named_arguments import slopes_of_arguments
from costderive.publish.words.normal_laws import exponents
from costderive.publish.words.scene import Description, Scene, listed, say, show
from costderive.publish.words.sign_of_weight import sign_of_weight, vanishes_outside
from costderive.publish.words.special_functions import slopes_in
from costderive.rules import Losses, Properness, odds_form

WIDE, BY_CASES = (
    60.0,
    34.0,
)  # what a line of formulas may hold, and one beside the conditions of cases, in digits


def by_parts(step: Step, scene: Scene) -> Description:
    """Describe ``IntegrateByParts``: slopes, continuity, and the boundary terms of each class."""
    found: Losses = step.after
    yield from _slopes(found, scene)
    if found.weight.atoms:
        yield from _jumps(found, brief=scene.brief)
    else:
        yield from _continuity(found, scene)
        if scene.brief:
            yield say(f"{_FROM_PRELIMINARIES} The limits of $L_0$ at 1 and of $L_1$ at 0 are")
            yield _limits(found)
            return
        yield from _accumulation(found)
    if not scene.brief:
        yield from _each_class(found, scene)


def _each_class(found: Losses, scene: Scene) -> Description:
    """Prove of each class that its part of the loss is the mean of its scoring rule."""
    if found.weight.atoms:
        yield from _by_tonelli()
    else:
        yield from _class0(scene.finite(found.worst0))
        yield from _class1(scene.finite(found.worst1))
    yield say(
        r"By {#eq:threshold}, $\pi_0$ times the first expectation plus $\pi_1$ times the second is $L$. Moreover "
        r"$\int_0^1 s \, {} = \mathbb{E}[c_0]$ and $\int_0^1 (1 - s) \, {} = \mathbb{E}[c_1]$, since "
        r"$c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$; these integrals are $L_0(1)$ and $L_1(0)$.",
        *(scene.measure, scene.measure),
    )


_SLOPES = "The losses and their slopes."
MOST = 2  # formulas of a weight that its multiples are written out for


def _slopes(found: Losses, scene: Scene) -> Description:
    density, given = found.weight.density, scene.case.given
    if not has_density(found):
        yield say(f"{between_atoms(found)} both losses {scene.stated} are constant.", lead="The losses.")
        return
    how = "by the fundamental theorem of calculus" if has_integral(found) else "as differentiation shows"
    yield say(f"Let $L_0$ and $L_1$ be those {scene.stated}. {_inside(found, how)},", lead=_SLOPES)
    slopes = {_SLOPE0: slope(density, p, given)}
    if not mirrored(found, given):
        slopes[_SLOPE1] = slope(density, p - 1, given)
    formulas = {piece.value for piece in density if piece.value != 0}
    known = slopes_in([piece.value for piece in (*found.loss0, *found.loss1)])
    compared = exponents(found)
    if len(formulas) > MOST or compared or any(map(_is_wide, slopes.values())):
        yield show(r", \qquad ".join(slopes) + ".")
    else:
        yield from (function(left, pieces, given=given) for left, pieces in slopes.items())
    if known:
        yield say("Here {}.{}", listed(map(prose, known)), compared)
    yield from slopes_of_arguments(scene)
    if len(slopes) == 1:
        yield say(SYMMETRIC)


def _inside(found: Losses, how: str) -> str:
    """Say where the slopes are those of formulas."""
    functions = (found.loss0, found.loss1, found.weight.density)
    if any(len({piece.value for piece in function}) > 1 for function in functions):
        return f"Inside each piece, {how}"
    return f"{how[0].upper()}{how[1:]}{', where the formulas are defined' * bool(found.loss0.breaks)}"


def _is_wide(pieces: Pieces) -> bool:
    """Return whether a slope is too wide for a line, which also says where each of several formulas holds."""
    most = WIDE if len({piece.value for piece in pieces}) == 1 else BY_CASES
    return any(width(piece.value) > most for piece in pieces)


def between_atoms(found: Losses) -> str:
    """Say where the losses of atoms alone are constant."""
    return "On either side of the atom" if len(found.weight.atoms) == 1 else "Between the atoms"


_SLOPE0 = r"L_0'(p) = p \, \omega(p)"
_SLOPE1 = r"L_1'(p) = -(1 - p) \, \omega(p)"


def has_density(found: Losses) -> bool:
    """Return whether a threshold weight is more than its atoms."""
    return any(piece.value != 0 for piece in found.weight.density)


def has_integral(found: Losses) -> bool:
    """Return whether a loss has no closed form."""
    return any(piece.value.has(Integral) for piece in (*found.loss0, *found.loss1))


def _continuity(found: Losses, scene: Scene) -> Description:
    ends = "$L_0(p) \\to 0$ as $p \\to 0$ and $L_1(p) \\to 0$ as $p \\to 1$."
    if not found.loss0.breaks:
        yield say(f"Both losses are continuous on $(0, 1)$, with {ends}")
        return
    first, second = (_at_breaks(loss, scene.case.given) for loss in (found.loss0, found.loss1))
    rows = list(zip(found.loss0.breaks, first, second, strict=True))
    limits = ", as limits where they are not defined" if _has_limits(found) else ""
    wide = any(_has_no_value(row) for row in rows) or max(sum(map(width, row)) for row in rows) > WIDE
    if _of_one_formula(found):
        yield say(_GAPS, chain(r" \text{ and } p = ", [at for at, *_ in rows]))
    elif len(rows) == 1:
        yield _at_one_breakpoint(rows[0], limits or _as_halves_vanish(found, scene.names), wide=wide)
    else:
        yield say(
            "At each breakpoint the formulas on its left and on its right agree{}{}",
            *(limits or _as_halves_vanish(found, scene.names), "." if wide else ":"),
        )
        if not wide:
            yield table(("$p$", "$L_0(p)$", "$L_1(p)$"), rows)
    yield say(f"So both losses are continuous on $(0, 1)$, with {ends}")


_GAPS = (
    "At $p = {}$, where the formulas are not defined, both have finite limits, which are the losses there."
)


def _of_one_formula(found: Losses) -> bool:
    """Return whether the losses have breakpoints only where their formulas are not defined."""
    return all(len({piece.value for piece in loss}) == 1 for loss in (found.loss0, found.loss1))


def _has_no_value(row: tuple[Expr, ...]) -> bool:
    return any(value.has(sympy.nan, sympy.zoo) for value in row)


def _at_one_breakpoint(row: tuple[Expr, Expr, Expr], why: Prose | str, *, wide: bool) -> Block:
    at, *values = row
    if wide:
        return say("At $p = {}$ the formulas on the left and on the right agree{}.", at, why)
    same = "$L_0 = L_1 = {}$" if values[0] == values[1] else "$L_0 = {}$ and $L_1 = {}$"
    return say(
        f"At $p = {{}}$ the formulas on the left and on the right agree{{}}: {same}.",
        *(at, why, *dict.fromkeys(values)),
    )


def _as_halves_vanish(found: Losses, named: Names) -> Prose:
    """Say which parts of a sum and a difference vanish, if neighbouring formulas are the two."""
    breaks = [(x, y) for loss in (found.loss0, found.loss1) for x, y in pairwise(loss)]
    zeros = [
        formula("{} = 0", named.at(part, left.high))
        for left, right in breaks
        for part in named.parts
        if named.short(left.value - right.value) in (2 * part, -2 * part)
    ]
    return prose(", as ${}$", chain(r" \text{ and } ", dict.fromkeys(zeros))) if zeros else ()


def _has_limits(found: Losses) -> bool:
    return bool(without_value(found.loss0) or without_value(found.loss1))


def _at_breaks(loss: Pieces, given: Given) -> Iterator[Expr]:
    """Return the values of a loss at its breakpoints, by the formula on the right where that on the left has none."""
    limits = without_value(loss)
    for left, right in pairwise(loss):
        piece = right if left.high in limits else left
        yield by_letters(odds_form.constant(piece.value.subs(p, left.high), given))


def _accumulation(found: Losses) -> Description:
    yield say("Therefore, for $0 < p < 1$,")
    yield show(
        r"L_0(p) = \int_0^p s \, \omega(s) \, ds, \qquad L_1(p) = \int_p^1 (1 - s) \, \omega(s) \, ds,",
        label="eq:losses",
    )
    yield say(
        "and as $\\omega \\ge 0$, the loss $L_0$ does not decrease and $L_1$ does not increase. The limits of $L_0$ "
        "at 1 and of $L_1$ at 0 are"
    )
    yield _limits(found)


def _limits(found: Losses) -> Block:
    """Display the limits of the losses, each on a line of its own if that takes two."""
    if found.worst0 == found.worst1:
        return equal("L_0(1) = L_1(0)", found.worst0)
    if width(found.worst0) + width(found.worst1) < WIDE:
        return show(r"L_0(1) = {}, \qquad L_1(0) = {}.", found.worst0, found.worst1)
    *rows, last = equation("L_0(1)", found.worst0)
    return displayed((*rows, (last[0], ended(last[1], ",")), *equation("L_1(0)", found.worst1)))


def _class0(finite: bool | None) -> Description:
    yield say(
        "We argue as [@Flach2015, Equations 6 and 11] does for additive and for harmonic costs. For $0 < t < 1$, as "
        "$L_0$ is continuous with $L_0(0) = 0$ and slope $s \\, \\omega(s)$,",
        lead="Integration by parts for class 0.",
    )
    yield show(
        r"\int_0^t s \, \omega(s) \, (1 - F_0(s)) \, ds = L_0(t) \, (1 - F_0(t)) + \int_{[0, t]} L_0(p) \, "
        r"dF_0(p)."
    )
    if finite:
        yield say(
            r"As $L_0(1)$ is finite, this holds for $t = 1$ too. There $F_0(1) = 1$, so the boundary term "
            r"vanishes and the right side is $\mathbb{E}[L_0(p) \mid Y = 0]$."
        )
        return
    yield say(
        rf"Let $t \to 1$. {_when(finite, 'L_0(1)')} hypothesis $\mathbb{{E}}[L_0(p) \mid Y = 0] < \infty$ "
        rf"makes the boundary "
        r"term vanish: it gives $p = 1$ probability 0 in class 0, and as $L_0$ does not decrease,"
    )
    yield show(
        r"0 \le L_0(t) \, (1 - F_0(t)) \le \mathbb{E}\bigl[L_0(p) \, 1\{p > t\} \bigm| Y = 0\bigr] \to 0"
    )
    yield say(r"by dominated convergence. So the right side tends to $\mathbb{E}[L_0(p) \mid Y = 0]$.")


def _class1(finite: bool | None) -> Description:
    yield say(
        "In the same way [@Flach2015, Equations 7 and 12], as $L_1(1) = 0$,",
        lead="Integration by parts for class 1.",
    )
    yield show(
        r"\int_t^1 (1 - s) \, \omega(s) \, F_1(s) \, ds = L_1(t) \, F_1(t) + \int_{(t, 1]} L_1(p) \, dF_1(p)."
    )
    if finite:
        yield say(
            r"As $L_1(0)$ is finite, this holds for $t = 0$ too. There $F_1(0) = \Pr(p = 0 \mid Y = 1)$, "
            r"so the boundary term is what the predictions $p = 0$ contribute (nothing, if $F_1$ has a "
            r"density), and the right side is $\mathbb{E}[L_1(p) \mid Y = 1]$."
        )
        return
    yield say(
        rf"Let $t \to 0$. {_when(finite, 'L_1(0)')} hypothesis $\mathbb{{E}}[L_1(p) \mid Y = 1] < \infty$ "
        rf"makes the boundary "
        r"term vanish: it gives $p = 0$ probability 0 in class 1, and as $L_1$ does not increase,"
    )
    yield show(r"0 \le L_1(t) \, F_1(t) \le \mathbb{E}\bigl[L_1(p) \, 1\{p \le t\} \bigm| Y = 1\bigr] \to 0.")
    yield say(r"So the right side tends to $\mathbb{E}[L_1(p) \mid Y = 1]$.")


def _when(finite: bool | None, value: str) -> str:
    return "The" if finite is False else f"If ${value}$ is finite, all is as for a bounded loss. If not, the"


# ---- with atoms


def _jumps(found: Losses, *, brief: bool) -> Description:
    """Between the atoms the losses are as without them; after each atom they jump."""
    values = [piece.value for piece in (*found.loss0, *found.loss1)] + [x.at for x in found.weight.atoms]
    taken = {letter.name for value in values for letter in value.free_symbols}
    m = next(letter for letter in ("m", "M", "h", "m_0") if letter not in taken)
    for atom in found.weight.atoms:
        up, down = sympy.cancel(atom.at * atom.mass), sympy.cancel((1 - atom.at) * atom.mass)
        yield say(
            f"Just after the atom at $t = {{}}$, of mass ${m} = {{}}$, the loss $L_0$ rises by $t {m} = {{}}$ and "
            rf"$L_1$ falls by $(1 - t) \, {m} = {{}}$.",
            *(atom.at, atom.mass, up, down),
        )
    atoms = "atom" if len(found.weight.atoms) == 1 else "atoms"
    reason = _FROM_PRELIMINARIES if brief else "Therefore"
    yield say(
        f"Both are continuous from the left on $(0, 1)$, and continuous there except at the {atoms}; $L_0(p) \\to 0$ "
        f"as $p \\to 0$ and $L_1(p) \\to 0$ as $p \\to 1$, and the values at 0 and 1 are the limits. {reason}"
    )
    if brief:
        return
    yield show(
        r"L_0(p) = \int_{[0, p)} s \, \Omega(ds), \qquad L_1(p) = \int_{[p, 1]} (1 - s) \, \Omega(ds).",
        label="eq:losses",
    )


_FROM_PRELIMINARIES = (
    "By [@CostContexts, Section 4], these are the losses of [@CostContexts, Theorem 1], and their mean is "
    "$L$."
)


def _by_tonelli() -> Description:
    """With atoms, exchange the order of integration: integration by parts without boundary terms."""
    yield say(
        r"As $1 - F_0(s) = \Pr(p > s \mid Y = 0)$ and $F_1(s) = \Pr(p \le s \mid Y = 1)$, Tonelli's "
        r"theorem gives",
        lead="Exchange of the order of integration.",
    )
    yield show(
        r"\int_{[0, 1]} s \, (1 - F_0(s)) \, \Omega(ds) & = \mathbb{E}\Bigl[\int_{[0, p)} s \, \Omega(ds) "
        r"\Bigm| Y = 0\Bigr] = \mathbb{E}[L_0(p) \mid Y = 0], \\ "
        r"\int_{[0, 1]} (1 - s) \, F_1(s) \, \Omega(ds) & = \mathbb{E}\Bigl[\int_{[p, 1]} (1 - s) \, "
        r"\Omega(ds) \Bigm| Y = 1\Bigr] = \mathbb{E}[L_1(p) \mid Y = 1].",
    )


# ---- properness


def risk(step: Step, scene: Scene) -> Description:
    """Describe ``SlopeOfRisk``; without a density there is nothing to describe."""
    if scene.brief or not has_density(scene.losses):
        return
    yield say(
        r"On each piece $L_0'(p) = p \, \omega(p)$ and $L_1'(p) = -(1 - p) \, \omega(p)$, as for the rules of "
        r"[@Buja2005], [@Schervish1989]. So for every belief $q$,",
        lead="The slope of the risk.",
    )
    yield show(
        r"\frac{\partial R(p|q)}{\partial p} = (1 - q) \, p \, \omega(p) - q \, (1 - p) \, \omega(p) = "
        r"\omega(p) \, (p - q)."
    )


def sign(step: Step, scene: Scene) -> Description:
    """Describe ``SignOfWeight``: the risk falls up to the belief and rises after it."""
    after: Properness = step.after
    if scene.brief:
        yield from _sign_alone(after, scene)
        return
    if not has_density(scene.losses):
        yield from _difference_with_atoms(after, scene.losses)
        return
    yield say("{}", sign_of_weight(after, scene), lead="The sign of the threshold weight.")
    if scene.losses.weight.atoms:
        yield from _difference_with_atoms(after, scene.losses)
        return
    yield say(
        "Let $p$ and $q$ lie in $(0, 1)$. The losses are continuous there, hence so is $R(\\cdot\\,|q)$, "
        "and it has the slope above except at finitely many points. Hence",
        lead="The difference of two risks.",
    )
    yield show(r"R(p|q) - R(q|q) = \int_q^p \omega(s) \, (s - q) \, ds.", label="eq:excess")
    yield say(
        "This is not negative: for $p > q$ the integrand is not negative, and for $p < q$ it is not "
        "positive but the integral runs downwards. In words, the risk falls up to $q$ and rises after it."
    )
    yield say(
        r"Let $0 < q < 1$. As $p$ tends to 0 or 1, $R(p|q)$ tends to $R(0|q)$ or $R(1|q)$, since the "
        r"values of $L_0$ and $L_1$ at 0 and 1 are their limits; so {#eq:excess} extends to these two "
        r"reports, where both sides may be infinite. For $q = 0$ it reads $L_0(p) = \int_0^p s \, "
        r"\omega(s) \, ds$ and for $q = 1$ it reads $L_1(p) = \int_p^1 (1 - s) \, \omega(s) \, ds$, "
        r"because $R(0|0) = R(1|1) = 0$; both hold by {#eq:losses}. So {#eq:excess} holds for all $p, q "
        r"\in [0, 1]$, and the rule is proper.",
        lead="The ends of the unit interval.",
    )
    yield say(equality(after, scene.losses), lead="Equality.")


def _sign_alone(after: Properness, scene: Scene) -> Description:
    """Find where the threshold weight is positive; that this is what strictness asks for is a preliminary."""
    atoms = scene.losses.weight.atoms
    if len(atoms) == 1 and not has_density(scene.losses):
        yield say(_ONE_ATOM, atoms[0].mass, atoms[0].at)
        return
    parts = [sign_of_weight(after, scene)] if has_density(scene.losses) else []
    yield say(" ".join(["{}"] * len(parts) + [then_proper(after)]), *parts)


_ONE_ATOM = (
    r"The only mass of $\Omega$ is that of the atom, ${} > 0$ at $t = {}$. By [@CostContexts, Theorem 2], $R(p|q) > "
    r"R(q|q)$ if and only if $q < t < p$ or $p \le t < q$."
)


def then_proper(after: Properness) -> str:
    """Say what follows from the sign of a threshold weight by the preliminaries."""
    if after.everywhere:
        return (
            "So $\\Omega$ gives mass to every open interval in $(0, 1)$, and the rule is strictly proper by "
            "[@CostContexts, Theorem 2]."
        )
    if not after.strict:
        return "So the rule is proper by [@CostContexts, Theorem 2]."
    return (
        "By [@CostContexts, Theorem 2], $R(p|q) > R(q|q)$ if and only if $q < p$ and $\\Omega$ gives mass to $(q, p)$, "
        "or $p < q$ and it gives mass to $[p, q)$. This is what is claimed."
    )


def equality(after: Properness, found: Losses) -> str:
    """Say for which forecasts the difference of two risks is positive."""
    if after.everywhere:
        return (
            r"If $p \ne q$, the integrand of {#eq:excess} is different from 0 between $q$ and $p$, except "
            r"at finitely many points. So $R(p|q) > R(q|q)$: the rule is strictly proper."
        )
    if not vanishes_outside(found):
        return (
            "If a part of the set where $\\omega$ is known to be positive lies between $p$ and $q$, the "
            "difference is positive."
        )
    return (
        r"The integral in {#eq:excess} is 0 if and only if $\omega$ vanishes between $p$ and $q$, apart "
        r"from finitely many points, that is, if no part of the set where $\omega$ is positive lies "
        r"between them."
    )


_STRICTLY_PROPER = (
    r" But $\omega$ is positive in $(0, 1)$ except at finitely many points, so the rule is strictly proper."
)


def _masses(found: Losses) -> str:
    one = len(found.weight.atoms) == 1
    return "The mass of the atom is not negative" if one else "The masses of the atoms are not negative"


def _difference_with_atoms(after: Properness, found: Losses) -> Description:
    yield say(
        rf"{_masses(found)}, so $\Omega$ is a measure. For all $p, q \in [0, "
        r"1]$, {#eq:losses} gives",
        lead="The difference of two risks.",
    )
    yield show(
        r"R(p|q) - R(q|q) & = \int_{[q, p)} (s - q) \, \Omega(ds) & \quad \text{if } q < p, \\ "
        r"R(p|q) - R(q|q) & = \int_{[p, q)} (q - s) \, \Omega(ds) & \quad \text{if } p < q.",
        label="eq:excess",
    )
    yield say(
        r"Neither is negative, so the rule is proper. The first is 0 if and only if $\Omega$ has no mass "
        r"in $(q, p)$, the second if and only if it has none in $[p, q)$."
        + (_STRICTLY_PROPER if after.everywhere else "")
    )


def gaps(found: Properness) -> Iterator[tuple[Expr, Expr]]:
    """Return the closed intervals between the parts where a rule is strict."""
    ends = [sympy.S.Zero, *[end for part in found.strict for end in part], sympy.S.One]
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        if low != high:
            yield low, high
