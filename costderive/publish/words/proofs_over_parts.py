"""The proof of losses that are means over one part of the costs: at each value of the part, and over its law."""

from __future__ import annotations

from dataclasses import replace

from costderive.costs.contexts import HeldPart
from costderive.costs.laws import Spread
from costderive.derivation.derivation import losses
from costderive.derivation.moves import TakeMeanOverPart, WeighBySlope
from costderive.derivation.moves.mean_over_part import MeanOverPart
from costderive.proof.claims import Step
from costderive.publish.words.displays import function
from costderive.publish.words.document_blocks import Block, Prose, prose
from costderive.publish.words.law_phrases import Setting, law_phrase
from costderive.publish.words.scene import Description, Scene, listed, say, show
from costderive.rules import Losses


def held_part(context: HeldPart, inner: Setting) -> Setting:
    """Describe costs at each value of a part, and the law of the part."""
    part = prose("{} be {}", context.held, law_phrase(context.law, str(context.held)))
    first = say("Let {}. At each value of {} the costs are as follows. ", part, context.held)
    return replace(
        inner,
        name="costs given a random part",
        law=prose("{}, and given {} let {}", part, context.held, inner.law),
        blocks=(first, *inner.blocks),
        known=(),
        costs=prose(
            "{}, where {} is {}", inner.costs, context.held, law_phrase(context.law, str(context.held))
        ),
        short=(),
    )


def at_each_value(scene: Scene) -> Scene:
    """Return the scene of the steps before the mean over a part is taken, if it is."""
    steps = scene.case.steps
    moves = [step.move for step in steps]
    found = next((n for n, move in enumerate(moves) if isinstance(move, TakeMeanOverPart)), None)
    if found is None:
        return scene
    held = steps[found].move.held  # type: ignore[attr-defined]
    return replace(scene, case=replace(scene.case, steps=steps[:found]), held=held)


def at_a_value(scene: Scene) -> tuple[Block, ...]:
    """State the threshold weight and the losses at a value of the part, which are shown first."""
    if scene.held is None:
        return ()
    found, given = losses(scene.case), scene.case.given
    assert isinstance(found, Losses)
    return (
        say(
            "Let {} be fixed first. It is shown that then the threshold weight and the losses are",
            scene.held,
            lead="At a value of the part.",
        ),
        function(r"\omega(s)", found.weight.density, given=given),
        function("L_0(p)", found.loss0, given=given),
        function("L_1(p)", found.loss1, given=given),
    )


def over_part(step: Step, scene: Scene) -> Description:
    """Describe ``TakeMeanOverPart``: given the value of the part, the expected cost of an error is the loss there."""
    mean: MeanOverPart = step.after
    held = step.move.held  # type: ignore[attr-defined]
    yield say(
        "So far {} was fixed. Its density at $x$ is {}, and given this value an error is "
        "expected to cost the loss there. Nothing here is negative. So by Tonelli's theorem the threshold weight and "
        "the losses of all costs are the integrals, over $x$, of this density times those at $x$.",
        *(held, listed([_density(spread) for spread in mean.part])),
        lead="The mean over the part.",
    )
    if mean.losses.loss0.breaks:
        yield say(
            "For each $x$ the formula is that of the piece which $s$, or the forecast $p$, is in: where they pass a "
            "breakpoint, as $x$ grows, the integral is divided."
        )


def _density(spread: Spread) -> Prose:
    return prose("{}, for $x$ between {} and {}", spread.density, spread.low, spread.high)


def added(step: Step, scene: Scene) -> Description:
    """Describe ``AddPartStrips``: the losses, and their limits."""
    found: Losses = step.after
    yield say("That gives the weight and the losses of the theorem. They are finite inside $(0, 1)$, and")
    yield show(
        r"L_0(1) = \mathbb{E}[c_0] = {}, \qquad L_1(0) = \mathbb{E}[c_1] = {}.", found.worst0, found.worst1
    )


def weighed(step: Step, scene: Scene) -> Description:
    """Describe ``WeighBySlope``: losses in closed form give the weight without an integral."""
    assert isinstance(step.move, WeighBySlope)
    yield say(f"As the losses are in closed form, so is the weight, by $\\omega(s) = {by_slope(step.move)}$.")


def by_slope(move: WeighBySlope) -> str:
    """Return the formula in LaTeX of a weight by the slope of a loss."""
    return "-L_1'(s)/(1 - s)" if move.label else "L_0'(s)/s"
