"""Thresholds that are not the cost proportion, in words: which report is better than a belief, and unless what."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr

from costderive.core.symbols import s
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.scene import ranges, say, series, show
from costderive.rules import Calibration, Condition, ConditionalProperness, Miscalibration

Blocks = tuple[Block, ...]


def holding(conditions: Iterable[Condition | ConditionalProperness]) -> Prose:
    """Say that letters have certain values."""
    return series([prose("${} = {}$", one.letter, one.value) for one in conditions], " and ")


def against_other_thresholds(reached: Calibration) -> Blocks:
    """State what is against a rule unless its threshold is the cost proportion."""
    broken = (_broken(index, reached) for index in range(len(reached.conditions)))
    openings = (prose("If {}, it is not proper:", one) for one in broken)
    return tuple(map(against_threshold, reached.otherwise, openings))


def against_threshold(
    reached: Miscalibration, opening: str | Prose = "The scoring rule $(L_0, L_1)$ is not proper:"
) -> Block:
    """State that the threshold of a belief is a better report than the belief."""
    if reached.between is None:
        there, place = _at_proportion(reached)
        return say(
            "{} with $T(s) = {}$, under each belief $q$ between ${}$ and $T({}) = {}$ the report $p = T(q)$ has a "
            "smaller risk than the truth.",
            *(opening, reached.threshold, place, place, there),
        )
    return say(
        "{} with $T(s) = {}$, under each belief $q$ in {} with $T(q) \\ne q$ the report $p = T(q)$ has a smaller "
        "risk than the truth. These are all beliefs there but isolated ones.",
        *(opening, reached.threshold, ranges((reached.between,))),
    )


def better_by_threshold(reached: Miscalibration) -> Blocks:
    """Prove that the threshold of a belief is a better report."""
    there, place = _at_proportion(reached)
    return (
        *_decides_as_at_s(reached),
        say("And the threshold is another than the proportion:"),
        show(f"T({{}}) = {{}} {'>' if reached.above else '<'} {{}}.", place, there, place),
    )


def only_if_calibrated(reached: Calibration, how: Prose) -> Blocks:
    """Prove both directions: ``how`` the rule is proper under the conditions, and that it is not otherwise."""
    return (
        say(
            "If {}, then $T(s) = s$, and the rule is that of the calibrated threshold, which is {}.",
            *(holding(reached.conditions), how),
        ),
        *_decides_as_at_s(reached.otherwise[0]),
        *(block for index in range(len(reached.conditions)) for block in _on_both_sides(index, reached)),
    )


def _decides_as_at_s(reached: Miscalibration) -> Blocks:
    alike = say(
        "At $p = T(s)$ the losses are those that the calibrated threshold has at $s$. So the report $T(q)$ has the "
        "risk that the truth has at the calibrated threshold, where the rule is proper, and the report $q$ that of "
        "another report than $q$ there, if $T(q) \\ne q$."
    )
    if reached.between is None:
        return alike, say(
            "That one is on the other side of the atom, if $q$ is between its place and the threshold there: it "
            "decides for the wrong class at the atom, and so has a greater risk."
        )
    return alike, say(
        "That risk is greater for beliefs in {}, as the threshold weight of the calibrated rule is positive there. "
        "Such beliefs with $T(q) \\ne q$ there are, if $T(s) \\ne s$ for one $s$: as $T(s) - s$ is analytic for "
        "$0 < s < 1$, its zeros are isolated then.",
        ranges((reached.between,)),
    )


def _on_both_sides(index: int, reached: Calibration) -> Blocks:
    condition, found = reached.conditions[index], reached.otherwise[index]
    there, place = _at_proportion(found)
    first, second = "><" if found.above else "<>"
    where = "{} \\text{ for } {} "
    text = (
        f"T({{}}) = {{}} \\quad \\text{{is }} {first} {where} > {{}} \\text{{ and }} {second} {where} < {{}}."
    )
    compared = place, condition.letter, condition.value
    return say("If {},", _broken(index, reached)), show(text, place, there, *compared, *compared)


def _broken(index: int, reached: Calibration) -> Prose:
    """Say that a condition does not hold, and those before it do."""
    *held, last = reached.conditions[: index + 1]
    broken = prose("${} \\ne {}$", last.letter, last.value)
    return prose("{} and {}", holding(held), broken) if held else broken


def _at_proportion(reached: Miscalibration) -> tuple[Expr, Expr]:
    return reached.threshold.subs(s, reached.proportion), reached.proportion
