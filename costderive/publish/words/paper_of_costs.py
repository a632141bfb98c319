"""The theorems on the losses of a cost context, with their proofs: the expected loss, properness, the entropy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import sympy
from sympy import Add, Expr, Integral

from costderive.costs.expected_loss import ExpectedLoss, WeightedLoss
from costderive.derivation.moves import AddPartStrips, TakeMeanOverPart, WeighBySlope
from costderive.proof.claims import Case, Step
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula, width, with_slashes
from costderive.publish.words.curve_roots import roots_in
from costderive.publish.words.displays import (
    condition,
    definitions,
    function,
    has_values,
    on_open_interval,
    without_value,
)
from costderive.publish.words.document_blocks import (
    Block,
    Display,
    Proof,
    Prose,
    Theorem,
    joined,
    merged,
    prose,
    remark_on,
    run_on,
)
from costderive.publish.words.exchanged_breakpoints import exchanged_case
from costderive.publish.words.law_phrases import Setting
from costderive.publish.words.long_values import VALUE, Names
from costderive.publish.words.mirrored import loss_of_class_1
from costderive.publish.words.move_proofs import describe
from costderive.publish.words.one_formula import OneFormula, in_proof, in_theorem
from costderive.publish.words.proofs_of_properness import (
    gaps,
    has_density,
    has_integral,
)
from costderive.publish.words.proofs_over_parts import at_a_value, at_each_value, by_slope
from costderive.publish.words.scene import Scene, atoms_in_words, listed, ranges, say, series, show
from costderive.publish.words.sign_of_weight import vanishes_outside
from costderive.publish.words.special_functions import functions_in
from costderive.publish.words.ties_beside_atoms import ties_beside_atoms
from costderive.rules import Losses, Properness

LIMITS = 50.0  # the widest expected costs that are worth a place in a sentence, in digits


# ---- the first theorem


def score_theorem(
    scenes: tuple[Scene, ...], where: Setting, named: Names, one: OneFormula | None, remark: str
) -> tuple[Block, ...]:
    opening = say("Let {}. {}", where.law, _hypothesis(scenes, where)), _equality(scenes)
    long = (say("where"), definitions(named)) if named else ()
    stated = (*_stated_by_case(scenes), *long) if one is None else tuple(in_theorem(one))
    pieces = () if one is None else in_proof(one, (*_by_case(scenes), *long))
    theorem = Theorem(
        "Theorem",
        "the expected loss is a score",
        (
            *opening,
            *stated,
            *roots_in(*[scene.losses for scene in scenes]),
            *_special(scenes),
            *_densities(scenes),
        ),
        "thm:score",
        remark,
    )
    inner = tuple(map(at_each_value, scenes))
    aim, weight, losses = (_description(inner, part) for part in (_expectation, _up_to_weight, _to_losses))
    values = merged([(_condition(scene), at_a_value(scene)) for scene in inner])
    steps = (*aim, *values, *weight, *pieces, *losses, *_description(scenes, _over_part))
    proof = Proof(run_on((*_special_in_proof(scenes), *steps)), remark)
    return theorem, proof, *_remarks(scenes, where)


def _stated_by_case(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    """State what the loss is with; in a sentence of its own for each case if these begin in different ways."""
    first = [_losses(scene)[0] for scene in scenes]
    opening = WITH if all(block == first[0] for block in first) else ALONE
    return merged([(_condition(scene), _losses(scene, opening)) for scene in scenes])


def _by_case(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    """Write the threshold weight and the losses of all cases by their pieces; of the second of two what differs."""
    other = exchanged_case(*scenes) if len(scenes) == 2 else ()
    if other:
        opening, blocks = (
            say("Case {}. ", _condition(scenes[0])),
            (_density(scenes[0]), *_both_losses(scenes[0])),
        )
        return replace(opening, apart=True), *blocks, *other
    return merged([(_condition(scene), (_density(scene), *_both_losses(scene))) for scene in scenes])


def _hypothesis(scenes: tuple[Scene, ...], where: Setting) -> Prose:
    """State when the boundary terms of the integration by parts vanish, where that is not automatic."""
    wanted = [finite_mean(label) for label in (0, 1) if not _bounded(scenes, label)]
    suppose = prose(" Suppose that {}.", listed(wanted)) if wanted and not scenes[0].brief else ""
    added = "loss $L$ of the decisions, added up over this law,"
    independent = "" if where.certain else f"Let {_INDEPENDENT[where.improper]}, and let"
    return prose(
        f"{independent or 'Let'} the threshold be $s$.{{}} Then the "
        f"{added if where.improper else 'expected loss $L$ of the decisions'} is",
        suppose,
    )


_INDEPENDENT = {
    False: "the costs be independent of $(p, Y)$",
    True: "the joint measure of the costs and $(p, Y)$ be the product of the law of the costs and that of $(p, Y)$",
}


def _bounded(scenes: tuple[Scene, ...], label: int) -> bool:
    return all(scene.finite((scene.losses.worst0, scene.losses.worst1)[label]) for scene in scenes)


def finite_mean(label: int) -> Row:
    """Write that a loss has a finite expectation within its class."""
    return formula(r"\mathbb{E}[L_{}(p) \mid Y = {}] < \infty", label, label)


def _equality(scenes: tuple[Scene, ...]) -> Display:
    return show(
        r"L = {} \bigl(\pi_0 s \, (1 - F_0(s)) + \pi_1 (1 - s) \, F_1(s)\bigr) \, {} = "
        r"\pi_0 \, \mathbb{E}[L_0(p) \mid Y = 0] + \pi_1 \, \mathbb{E}[L_1(p) \mid Y = 1]",
        formula(r"\int_{[0, 1]}" if scenes[0].losses.weight.atoms else r"\int_0^1"),
        scenes[0].measure,
    )


WITH, ALONE = ("with the threshold weight", ""), ("The threshold weight", " are")


def _losses(scene: Scene, opening: tuple[str, str] = WITH) -> tuple[Block, ...]:
    """State the threshold weight and the losses of a case."""
    return *_weight(scene, (_density(scene),), opening), *_both_losses(scene)


def _density(scene: Scene) -> Block:
    """Write the density of the weight; by the slope of a loss where that gives it in pieces too long for a line."""
    density = scene.losses.weight.density.map(_collected)
    move = next((step.move for step in scene.case.steps if isinstance(step.move, WeighBySlope)), None)
    if move is not None and len(density.pieces) > 1 and any(width(piece.value) > VALUE for piece in density):
        return show(rf"\omega(s) = {by_slope(move)}")
    return on_open_interval(r"\omega(s)", density, scene.case.given)


def _collected(value: Expr) -> Expr:
    """Add up what several parts of a law contribute, if that is shorter.

    >>> from costderive.core.symbols import s
    >>> _collected(1 / s**2 + (1 / (1 - s) - 1 / s**2) / 2)
    1/(2*(1 - s)) + 1/(2*s**2)
    """
    return min(value, sympy.expand_mul(value), key=sympy.count_ops) if isinstance(value, Add) else value


def _both_losses(scene: Scene) -> tuple[Block, Block]:
    first = function("L_0(p)", scene.losses.loss0, scene.names, scene.case.given, closed=True)
    return first, loss_of_class_1(scene)


def _weight(scene: Scene, density: tuple[Block, ...], opening: tuple[str, str]) -> tuple[Block, ...]:
    """State the threshold weight: a density, atoms, or both."""
    found, (begins, have) = scene.losses, opening
    if not found.weight.atoms:
        return (say(f"{begins} ({{}}) and the losses{have}", _where(scene)), *density)
    if not has_density(found):
        return (say(f"{begins}{{}} and the losses{have}", _atoms(found)),)
    return (
        say(f"{begins}{{}} ({{}})", _atoms(found), _where(scene)),
        *density,
        say(f"and the losses{have}"),
    )


def _where(scene: Scene) -> Prose:
    """Say where a density has the values of its formulas."""
    density = scene.losses.weight.density
    changes, gaps = (any(x.value != y.value for x, y in pairwise(density))), without_value(density)
    if changes and not has_values(density, scene.case.given):
        return prose("for $0 < s < 1$ except at the breakpoints")
    return prose("for $0 < s < 1$ except at {}", listed(gaps)) if gaps else prose("for $0 < s < 1$")


def _atoms(found: Losses) -> Prose:
    atoms = prose(
        f"{'an atom' if len(found.weight.atoms) == 1 else 'atoms'} of {{}}",
        atoms_in_words(found.weight.atoms),
    )
    if has_density(found):
        apart = "it" if len(found.weight.atoms) == 1 else "them"
        return prose(f" $\\Omega$, which has {{}} and, apart from {apart}, the density", atoms)
    return prose(" $\\Omega$, which has {} and no density,", atoms)


def _special(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    """Say what the special functions in the losses are."""
    found = functions_in(_written(scenes))
    return (say("Here {}.", listed(map(prose, found))),) if found else ()


def _special_in_proof(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    """Say what further special functions are in the antiderivatives of a proof."""
    before = functions_in(_written(scenes))
    found = [
        said
        for function in _antiderivatives(scenes)
        for said in functions_in([function])
        if said not in before
    ]
    return (say("In this proof {}.", listed(map(prose, dict.fromkeys(found)))),) if found else ()


def _written(scenes: tuple[Scene, ...]) -> list[Expr]:
    return [x.value for scene in scenes for x in (*scene.losses.loss0, *scene.losses.loss1)]


def _antiderivatives(scenes: tuple[Scene, ...]) -> list[Expr]:
    """Return the antiderivatives that show that laws are laws, and those of the inner integrals."""
    reached = [step.after for scene in scenes for step in scene.case.steps]
    totals = [y for x in reached if isinstance(x, ExpectedLoss) for y in x.totals if isinstance(y, tuple)]
    found = [one.function for total in totals for one in total]
    found += [one.antiderivative for x in reached if isinstance(x, WeightedLoss) for one in x.inner]
    return [function for function in found if function is not None]


def _densities(scenes: tuple[Scene, ...]) -> tuple[Block, ...]:
    text = (
        "The values at {} are the limits: $L_0(0) = L_1(1) = 0$, {}. If the predictions have densities, "
        r"then $L$ is $\pi_0 \int_0^1 L_0(p) f_0(p) \, dp$ plus $\pi_1 \int_0^1 L_1(p) f_1(p) \, dp$."
    )
    return (say(text, listed(_ends(scenes)), _largest(scenes)),)


def _ends(scenes: tuple[Scene, ...]) -> list[Prose]:
    """Return the places where the losses are limits: 0, breakpoints at which a formula is not defined, and 1."""
    losses = [loss for scene in scenes for loss in (scene.losses.loss0, scene.losses.loss1)]
    inside = dict.fromkeys(at for loss in losses for at in without_value(loss))
    return [prose("0"), *[prose("{}", at) for at in inside], prose("1")]


def _largest(scenes: tuple[Scene, ...]) -> Prose:
    """Write the expected costs, which are the largest losses, by their values if these are short."""
    values = {(scene.losses.worst0, scene.losses.worst1) for scene in scenes}
    first, second = values.pop()
    if any(scenes[0].one_sided):
        return prose(r"$L_0(1) = \mathbb{E}[c_0; \; c_1 > 0]$ and $L_1(0) = \mathbb{E}[c_1; \; c_0 > 0]$")
    if first == second and not values and width(first) <= LIMITS and not first.has(Integral):
        return prose(r"$L_0(1) = L_1(0) = \mathbb{E}[c_0] = \mathbb{E}[c_1] = {}$", first)
    if values or first.has(Integral) or second.has(Integral) or width(first) + width(second) > LIMITS:
        return prose(r"$L_0(1) = \mathbb{E}[c_0]$ and $L_1(0) = \mathbb{E}[c_1]$")
    return prose("${}$ and ${}$", *expected_costs(scenes[0].losses))


def paid_when_sure(scenes: tuple[Scene, ...]) -> Iterator[Block]:
    """Say what is paid where one of the errors costs nothing."""
    parts = [
        prose(
            f"a forecast of exactly {1 - label} costs "
            rf"$\mathbb{{E}}[c_{label}; \; c_{1 - label} = 0] = {{}}$ more if the class is {label}",
            value,
        )
        for label, value in enumerate(scenes[0].one_sided)
        if value != 0
    ]
    if parts:
        yield say(
            "Where $c_0 = 0$, an error of class 0 costs nothing, and class 1 is predicted at all forecasts but "
            "$p = 0$; where $c_1 = 0$, class 0 is predicted at all but $p = 1$. So {}. From here on such costs are "
            "left out: the threshold weight is that of all others, and the losses at 0 and 1 are limits.",
            listed(parts),
            lead="Errors that cost nothing.",
        )


def expected_costs(found: Losses) -> tuple[Row, Row]:
    """Write the expected costs, which are the largest losses."""
    return (
        formula(r"L_0(1) = \mathbb{E}[c_0] = {}", with_slashes(found.worst0)),
        formula(r"L_1(0) = \mathbb{E}[c_1] = {}", with_slashes(found.worst1)),
    )


def _description(scenes: tuple[Scene, ...], part: Callable[[Case], tuple[Step, ...]]) -> tuple[Block, ...]:
    """Describe a part of the steps, all cases together."""
    blocks: tuple[Block, ...] = ()
    columns = [part(scene.case) for scene in scenes]
    if len({len(steps) for steps in columns}) > 1:
        return merged(
            [
                (_condition(s), tuple(b for step in steps for b in describe(step, s)))
                for s, steps in zip(scenes, columns, strict=True)
            ]
        )
    for steps in zip(*columns, strict=True):
        blocks += merged(
            [(_condition(scene), describe(step, scene)) for scene, step in zip(scenes, steps, strict=True)]
        )
    return blocks


def _expectation(case: Case) -> tuple[Step, ...]:
    return case.steps[:1]


def _up_to_weight(case: Case) -> tuple[Step, ...]:
    return case.steps[1 : _count_to_losses(case) - 1]


def _to_losses(case: Case) -> tuple[Step, ...]:
    return case.steps[max(1, _count_to_losses(case) - 1) : _count_to_losses(case)]


def _over_part(case: Case) -> tuple[Step, ...]:
    """Return the steps in which the mean over a part is taken."""
    moves = TakeMeanOverPart | AddPartStrips | WeighBySlope
    return tuple(step for step in case.steps if isinstance(step.move, moves))


def _after_losses(case: Case) -> tuple[Step, ...]:
    return case.steps[_count_to_losses(case) :]


def _count_to_losses(case: Case) -> int:
    """Return how many steps there are up to the losses."""
    return max(i for i, step in enumerate(case.steps, 1) if isinstance(step.after, Losses))


def _condition(scene: Scene) -> Row:
    return condition(scene.case.given)


def _remarks(scenes: tuple[Scene, ...], where: Setting) -> tuple[Block, ...]:
    blocks: tuple[Block, ...] = ()
    if not (_bounded(scenes, 0) and _bounded(scenes, 1)):
        text = _EITHER_SIDE[_unbounded(scenes)] if scenes[0].brief else _WITHOUT_HYPOTHESIS
        blocks += (remark_on("infinite losses", say(text, *(scenes[0].measure,) * text.count("{}"))),)
    if any(has_integral(scene.losses) for scene in scenes):
        blocks += (remark_on("closed forms", say(f"{OPEN_FORM} {_NOT_NONE}")),)
    return blocks


def _unbounded(scenes: tuple[Scene, ...]) -> bool:
    """Return whether a loss is known to be unbounded."""
    worst = [x for scene in scenes for x in (scene.losses.worst0, scene.losses.worst1)]
    return any(x.is_infinite for x in worst)


OPEN_FORM = (
    "No antiderivative in closed form was found, so losses stay integrals, to be evaluated numerically."
)
_NOT_NONE = "That does not say that there is none. The theorems are about the integrals as they stand."
_EITHER_SIDE = {
    True: "All members of the equality of Theorem {#thm:score} may be infinite: the losses are unbounded.",
    False: "All members of the equality of Theorem {#thm:score} may be infinite if an expected cost is.",
}
_WITHOUT_HYPOTHESIS = (
    r"If the hypothesis fails, the equality still holds, with all its members infinite: for class 0, Tonelli's "
    r"theorem gives $\int_0^1 s \, \Pr(p > s \mid Y = 0) \, {} = \mathbb{E}\bigl[\int_0^p s \, {} \bigm| Y = "
    r"0\bigr]$, and alike for class 1."
)


# ---- the second theorem


def properness(case: Case) -> Properness | None:
    """Return the last statement on properness that a case arrives at."""
    return next((step.after for step in reversed(case.steps) if isinstance(step.after, Properness)), None)


def properness_theorem(scenes: tuple[Scene, ...], remark: str) -> tuple[Block, ...]:
    stated = merged([(_condition(scene), _strictness(scene)) for scene in scenes])
    kind = "strictly proper" if strictly(scenes) else "proper"
    opening = say(f"The scoring rule $(L_0, L_1)$ of Theorem {{#thm:score}} is {kind}. ")
    theorem = Theorem("Theorem", "properness", joined(opening, *stated), "thm:proper", remark)
    return theorem, Proof(run_on(_description(scenes, _after_losses)), remark)


def strictly(scenes: tuple[Scene, ...]) -> bool:
    """Return whether a rule is strictly proper in all cases."""
    return all((found := properness(scene.case)) is not None and found.everywhere for scene in scenes)


def _strictness(scene: Scene) -> tuple[Block, ...]:
    found = properness(scene.case)
    if found is None:
        return ()
    if found.everywhere:
        return (say("That is, $R(p|q) > R(q|q)$ for all $p \\ne q$ in $[0, 1]$."),)
    if not has_density(scene.losses) and len(scene.losses.weight.atoms) == 1:
        text = (
            r"Equality $R(p|q) = R(q|q)$ holds if and only if $q = {}$, or $p$ and $q$ both lie in $[0, {}]$, or both "
            "in $({}, 1]$. So under no belief is the truth the only best report."
        )
        (atom,) = scene.losses.weight.atoms
        return (say(text, atom.at, atom.at, atom.at),)
    between = ties_beside_atoms(found, scene)
    if between:
        return (say(f"{_STRICT} {{}}", ranges(found.strict, " or in "), between),)
    if scene.losses.weight.atoms:
        text = (
            r"For $q < p$ equality $R(p|q) = R(q|q)$ holds if and only if $\Omega$ has no mass in the "
            r"interval $(q, p)$, for $p < q$ if and only if it has none in $[p, q)$."
        )
        return (say(text),)
    if not found.strict:
        return (say("Strictness is not claimed for any belief."),)
    return (say(f"{_STRICT} {{}}", ranges(found.strict, " or in "), _ties(found, scene.losses)),)


_STRICT = "It is strictly proper for beliefs $q$ in {}: then $R(p|q) > R(q|q)$ for every $p \\ne q$."


def _ties(found: Properness, losses_found: Losses) -> Prose:
    """Say what happens where the rule is not strict."""
    if not vanishes_outside(losses_found):
        return ("For other beliefs strictness is not claimed.",)
    ties = [prose("both lie in $[{}, {}]$", low, high) for low, high in gaps(found)]
    return prose(
        "In general, $R(p|q) = R(q|q)$ if and only if $p = q$ or $p$ and $q$ {}: both losses are constant on {}, so "
        "that its reports tie with each other.",
        series(ties, " or "),
        "this interval" if len(ties) == 1 else "each of these intervals",
    )
