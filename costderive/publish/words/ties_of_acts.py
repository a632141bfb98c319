"""What parts any two beliefs under a matrix with uncertain letters: acts that cost the same in between."""

from __future__ import annotations

from sympy import Expr, cancel, factor

from costderive.multiclass.averaged_costs import ActProperness
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.mixed_acts import MixedLosses
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.multiclass.uncertain_strictness import IndependentTies, MovingThreshold
from costderive.publish.formulas.printing import formula
from costderive.publish.words.document_blocks import Prose
from costderive.publish.words.scene import Description, listed, say


def apart(found: ActProperness) -> Description:
    """Describe why no act costs least under two beliefs whatever the letters are."""
    assert isinstance(found.losses, MixedLosses | ExpectedLosses)
    if isinstance(found.stake, MovingThreshold):
        yield from _moving(found.losses.matrix, found.stake)
    elif isinstance(found.stake, IndependentTies):
        yield from _tied(found.losses.matrix, found.stake)


def _values(matrix: CostMatrix, values: tuple[Expr, ...]) -> Prose:
    pairs = zip(matrix.parts, values, strict=True)
    return listed([formula("{} = {}", letter, value) for (letter, _), value in pairs])


def _moving(matrix: CostMatrix, stake: MovingThreshold) -> Description:
    first, second = stake.acts
    less, more = stake.gains(matrix)
    yield say(
        "For $x > 0$ let {}. These values are where the law of each letter has a positive density, or a probability, "
        "and they move without a jump. Act {} then costs less than act {} for class 0, and more for class 1: they "
        "cost "
        "the same at the threshold $p_1 = {}$, where all other acts, if any, cost more. It comes from 0 and goes to "
        "1. "
        r"So for any $p \ne q$ it is between the two for some $x$: there the least expected cost bends, and no act "
        "costs least under both. As costs depend on the letters without a jump, this is so for all letters close to "
        "these, hence with positive probability.",
        *(_values(matrix, stake.values), first, second, cancel(less / (less + more))),
        lead="Equality.",
    )


def _tied(matrix: CostMatrix, stake: IndependentTies) -> Description:
    yield say(
        r"For $p \ne q$ with positive probabilities let $m$ be their middle, with $m_k$ in place of $p_k$ in the "
        "following values. Each is where the law of its letter has a positive density, or a probability; two acts "
        "cost the same on average, and all others more.",
        lead="Equality.",
    )
    for tie in stake.ties:
        yield say("Acts {} and {} do so where {}.", *tie.acts, _values(matrix, tie.values))
    yield say(
        "The determinant of the differences of the costs of such acts, by class, and of a row of ones is {}, which is "
        "positive. So no direction whose sum is 0 is orthogonal to all of these differences, $q - p$ not either: of "
        "one such pair of acts the first costs less than the second under one belief, and more under the other. "
        "Another act that costs least under both would cost no more than the two at $m$, as it costs the mean of both "
        "there. So no act costs least under both. As costs depend on the letters without a jump, this is so for all "
        "letters close to these, hence with positive probability.",
        factor(stake.determinant(matrix)),
    )
