"""The losses of K classes are those of Bayes acts: why they are proper, and where strictly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from sympy import Expr, S

from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.multiclass.letters import believed, cost
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import ClassLosses, Distribution
from costderive.proof.claims import Claim, Conclusion, Move, NonNegative, Positive, Same
from costderive.rules.conclusions import Judgement


@dataclass(frozen=True, slots=True)
class BayesProperness(Conclusion):
    """The losses are those of a Bayes act, hence proper.

    ``strict`` holds expressions in the belief: the rule is strictly proper at a belief exactly if all are positive.
    It is ``None`` where that was not located.
    """

    losses: ClassLosses | SingleIntegrals
    strict: tuple[Expr, ...] | None

    @property
    def judgement(self) -> Judgement:
        """Strictly proper if it is so at every belief of the open simplex, else proper."""
        return Judgement.STRICTLY_PROPER if self.strict == () else Judgement.PROPER


@dataclass(frozen=True, slots=True)
class ActOptimally(Move):
    """The loss of a Bayes act is proper: for the cost that occurs, no act of another report costs less on average."""

    def apply(self, before: ClassLosses | SingleIntegrals, given: Given) -> BayesProperness:
        return BayesProperness(before, _strict_where(before.costs.of_class))

    def claims(
        self, before: ClassLosses | SingleIntegrals, after: BayesProperness, given: Given
    ) -> Iterator[Claim]:
        found = before.costs.of_class
        yield Same("the losses are the ones before", before, after.losses)
        yield Positive("the factor of the costs is positive", before.costs.factor)
        for act, other in permutations(range(len(found)), 2):
            yield _optimal(act, other, len(found))
        yield Same("where the rule is strictly proper", after.strict, _strict_where(found))
        if after.strict is not None:
            for one in found:
                yield from _support_claims(one)


def _optimal(act: int, other: int, classes: int) -> Claim:
    """Where the act is chosen under the belief, another one costs at least as much under that belief."""
    weighed = [believed(label) * cost(label) for label in range(classes)]
    chosen = tuple(weighed[act] - weight for label, weight in enumerate(weighed) if label != act)
    excess = sum(weight for label, weight in enumerate(weighed) if label != other)
    excess -= sum(weight for label, weight in enumerate(weighed) if label != act)
    return NonNegative(f"acting on class {other} costs no less than on class {act}", excess, None, chosen)


def _strict_where(found: tuple[Distribution, ...]) -> tuple[Expr, ...] | None:
    """Return what must be positive at a belief q, or ``None`` if that was not located.

    The excess ``R(p|q) - R(q|q)`` is the expectation of ``max_j q_j c_j - q_a c_a``, where a is the class for which p
    decides. So it is positive if and only if p decides, with positive probability, for a class that is not best.

    *Needed.* If ``q_m c_m <= q_j c_j`` for all costs, class m is never best alone, and a report that gives it less, and
    changes no other ratio, still decides for best ones. If all costs take finitely many values, reports close
    enough to q decide for best ones.
    *Enough, if every cost is known or spread over one interval.* Some z is such that each cost ``z/q_i`` is inside its
    interval. Near these costs q is undecided between all classes, but p decides for those with the largest
    ``p_i/q_i``, which are not all.
    *Enough, if the cost of a class j is spread up to infinity.* Take a class i with another ratio ``p_i/q_i`` than j.
    Near the largest ``q_i c_i``, where all others may be below it, ``q_j c_j`` may be just above and just below. In one
    of these cases, whichever ratio is larger, p ranks the lesser of i and j before the best.
    """
    if not any(one.carried for one in found):
        return (S.Zero,)
    endless = any(one.is_interval and one.span[1] is S.Infinity for one in found)
    if not endless and not all(one.is_interval or one.is_known for one in found):
        return None
    spans = [one.span for one in found]
    return tuple(
        high * believed(m) - low * believed(j)
        for (m, (_, high)), (j, (low, _)) in permutations(enumerate(spans), 2)
        if high is not S.Infinity and low != 0
    )


def _support_claims(found: Distribution) -> Iterator[Claim]:
    for region, density in enumerate(found.densities):
        if density != 0:
            low, high = found.bounds(region)
            yield Positive("the density is positive", density, Interval(x, low, high))
    for jump in found.jumps:
        if jump != 0:
            yield Positive("a probability is positive", jump)
