"""A second proof of the losses of a derivation, by another way: both costs integrated in one fixed order."""

from __future__ import annotations

from collections.abc import Iterator

from costderive.core.errors import SpecError
from costderive.core.time_limit import within
from costderive.costs.contexts import HeldPart
from costderive.costs.expected_loss import ExpectedLoss
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.direct_route import direct_claims
from costderive.derivation.search.direct_route import NoDirectRoute, direct_route
from costderive.proof.checker import decide
from costderive.proof.claims import Case, Finding, Open, Report
from costderive.rules import Losses


def cross_check(derivation: Derivation, *, time_limit: float = 30.0) -> Report:
    """Prove the losses of a derivation a second time, without its change of variables and its threshold weight.

    At a report p the decision is for class 1 where ``c0 < c1 p/(1 - p)``. So the losses are integrals of ``c0 f`` and
    ``c1 f`` over both costs, in c0 first and then in c1. Where both antiderivatives are found, the claims say that
    they are antiderivatives, which limits they have at the ends, and that they add up to the losses of the
    derivation. ``PROVED`` means that both ways give the same, for all p inside the pieces; that the density has total
    1 is claimed by the derivation itself. ``OPEN`` means that there was no second proof, and says where it ended.

    Raises:
        SpecError: if the derivation does not start from costs that are spread over rectangles alone, decided at the
            calibrated threshold.

    Source: Fubini's theorem is not needed, as each loss is defined in this order.

    >>> import costderive as cd
    >>> cd.cross_check(cd.derive(cd.IndependentUniform((0, 1), (0, 1)))).verdict.name
    'PROVED'
    """
    _require_areas(derivation)
    try:
        found: Report = within(time_limit, _report, derivation, time_limit)
    except TimeoutError:
        found = _open(f"no second proof was found in {time_limit:g} seconds")
    return found


def _require_areas(derivation: Derivation) -> None:
    if not (isinstance(derivation, Derivation) and all(map(_spread, derivation.cases))):
        problem = "there is no second way to these losses"
        raise SpecError(problem, "It needs costs with a density over the plane, at the calibrated threshold.")


def _spread(case: Case) -> bool:
    """Are the costs of a case spread over areas alone, and its losses those of their threshold weight?"""
    start = case.steps[0].after if case.steps else None
    alone = isinstance(start, ExpectedLoss) and not (start.lines or start.arcs or start.points)
    if alone and isinstance(case.steps[0].before, HeldPart):
        return False
    return alone and isinstance(losses(case), Losses)


def _report(derivation: Derivation, seconds: float) -> Report:
    deadline = Deadline.after(seconds)
    try:
        return Report(tuple(finding for case in derivation.cases for finding in _findings(case, deadline)))
    except NoDirectRoute as missing:
        return _open(f"no second proof was found: {missing}")


def _findings(case: Case, deadline: Deadline) -> Iterator[Finding]:
    areas, found = case.steps[0].after.areas, losses(case)
    pair = (found.loss0, found.loss1)
    rectangles, cells = direct_route(areas, pair, case.given, deadline)
    for claim in direct_claims(areas, rectangles, cells, pair, case.given):
        yield decide(claim, case.given)


def _open(why: str) -> Report:
    return Report((decide(Open(why)),))
