"""The search for probabilities of labels, and a report that expects less than they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import sympy
from sympy import Rational

from costderive.batch.batch_conclusions import BatchImproperness
from costderive.batch.batch_entropies import SmoothRule
from costderive.batch.batch_moves import FindBatchWitness
from costderive.batch.linear_rules import Forecast
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.rules import Undecided, Witness

GRID, STEP, TRIED = tuple(Rational(n, 100) for n in (3, 10, 30, 50, 80, 97)), Rational(1, 50), 3


def find_batch_witness(
    move: FindBatchWitness, before: SmoothRule, given: Given
) -> BatchImproperness | Undecided:
    """Try the pairs that gain most in doubles."""
    for belief, report in _suspects(before):
        truthful, better = before.entropy(belief), before.expected(report, belief)
        if (truthful - better).is_positive:
            return BatchImproperness(before, Witness(belief, report, truthful, better))
    return Undecided(before)


def _suspects(rule: SmoothRule) -> Iterator[tuple[Forecast, Forecast]]:
    """Return the pairs of a grid, and of neighbours of its points, whose loss in doubles gains most by the report."""
    steps = [v for v in product((-1, 0, 1), repeat=rule.instances) if any(v)]
    points = list(product(GRID if rule.instances <= 2 else GRID[1:5], repeat=rule.instances))
    pairs = list(permutations(points, 2)) if rule.instances <= 2 else []
    pairs += [(q, tuple(a + b * STEP for a, b in zip(q, v, strict=True))) for q in points for v in steps]
    beliefs, reports = (np.array(side, dtype=float).T for side in zip(*pairs, strict=True))
    level = sympy.lambdify(rule.letters, [rule.entropy_function, *rule.slopes], "numpy")
    with np.errstate(all="ignore"):
        (truth, *_), (reported, *slopes) = level(*beliefs), level(*reports)
        rises = [slope * (q - w) for slope, q, w in zip(slopes, beliefs, reports, strict=True)]
        gains = np.broadcast_to(truth - reported - sum(rises), len(pairs))
        short = np.nan_to_num(gains.astype(np.float32))  # gains that only rounding tells apart are equal
    yield from (pairs[n] for n in np.argsort(-short, kind="stable")[:TRIED])
