"""Scoring rules from what determines them: two losses, a threshold weight, an entropy, or a link.

Each function returns a rule that carries the derivation it comes from: ``check(rule.derivation)`` decides every
claim of it, also that ``H'' = -w``, ``L0 = H - p H'``, ``L1 = H + (1 - p) H'`` and that the link has the slope w.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.core.piecewise import Atom, Given, Interval, Measure, Pieces
from costderive.core.symbols import p, q, s
from costderive.costs.assumed_facts import facts_of
from costderive.deciders.enclosure import sample
from costderive.deciders.refutation import refuted
from costderive.deciders.signs import nonnegative
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import judged
from costderive.derivation.derived import made
from costderive.derivation.moves import (
    DifferentiateLink,
    IntegrateByParts,
    Represent,
    SignOfWeight,
    SlopeOfRisk,
    TakeTangents,
    TakeWeight,
)
from costderive.derivation.parse_losses import function_of, pair_of
from costderive.proof.claims import Case, Move, Step
from costderive.rules import Properness, ScoringRule
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight, Origin
from costderive.rules.loss_arithmetic import aligned
from costderive.rules.loss_pair import LossPair

Atoms = Mapping[Any, Any] | Iterable[tuple[Any, Any]]


def rule_from_losses(loss0: Any, loss1: Any, *, assuming: Any = (), time_limit: float = 60.0) -> ScoringRule:
    """Return the rule with two given losses; ``rule.verdict`` says whether it is proper.

    Each loss is a SymPy expression or ``Piecewise`` in p, a number, or text such as ``"0 if p <= 1/2; 1"``;
    ``assuming`` says what is known of its letters, as ``"k > 7"``.

    Raises:
        SpecError: if a loss is not a real function of p on [0, 1], finite inside, or a condition in it is not decided.

    >>> rule_from_losses("p^2", "(1-p)^2").weight
    2
    """
    pair = pair_of(loss0, loss1, assuming)
    return _derived(pair, _represented(judged(pair, pair.given(), time_limit), pair.given()))


def rule_from_weight(
    density: Any = 0, atoms: Atoms = (), *, assuming: Any = (), time_limit: float = 60.0
) -> ScoringRule:
    """Return the rule with a given threshold weight: a density of s in pieces, and atoms as ``{at: mass}``.

    ``L0(p)`` is the integral of s over [0, p) against the weight, ``L1(p)`` that of 1 - s over [p, 1]. Letters are
    positive parameters; ``assuming`` says more of them, as ``"h > l"``, or an expression that is positive, ``"h - l"``.

    Raises:
        SpecError: if the density is negative somewhere, or an atom is not inside (0, 1) or has no positive mass.
        DivergentCostError: if a loss would be infinite inside (0, 1).

    Source: Schervish (1989); Buja, Stuetzle and Shen (2005), section 3.

    >>> rule_from_weight("2", {"1/2": 1}).loss0
    Piecewise((p**2, p <= 1/2), (p**2 + 1/2, True))
    """
    read = _atoms(atoms)
    places = tuple(atom.at for atom in read)
    pieces, assumed = function_of(density, s, "density", places, facts_of(assuming))
    open_masses = [atom.mass for atom in read if not atom.mass.is_positive]
    facts = Given().also(positive=(*assumed, *open_masses)).positive
    origin = GivenWeight(pieces, tuple(sorted(read, key=lambda x: pieces.breaks.index(x.at))), facts)
    _require_positive(pieces, (), origin.given(), f"density = {density}")
    return _integrated(origin, TakeWeight(), time_limit)


def rule_from_link(link: Any, *, assuming: Any = (), time_limit: float = 60.0) -> ScoringRule:
    """Return the rule whose canonical link is given, up to a constant: a function of p that rises, and may jump.

    ``assuming`` says what is known of its letters, as ``"k > 7"``.

    Raises:
        SpecError: if the link falls, or has no finite limits at its breakpoints.
        DivergentCostError: if a loss would be infinite inside (0, 1).

    Source: Buja, Stuetzle and Shen (2005).

    >>> rule_from_link("log(p/(1-p))").loss1
    -log(p)
    """
    pieces, assumed = function_of(link, p, "link", known=facts_of(assuming))
    origin = GivenLink(pieces, assumed)
    move = DifferentiateLink()
    weight: Measure = move.apply(origin, origin.given()).weight
    _require_positive(weight.density, weight.atoms, origin.given(), f"link = {link}, whose slope")
    return _integrated(origin, move, time_limit)


def rule_from_entropy(entropy: Any, *, assuming: Any = (), time_limit: float = 60.0) -> ScoringRule:
    """Return the rule of the tangents of an entropy, a function of q: ``L0 = H - p H'``, ``L1 = H + (1 - p) H'``.

    It is proper if and only if the entropy is concave; ``rule.verdict`` says so. At a kink the report has the
    tangent of the left side. ``assuming`` says what is known of its letters, as ``"k > 7"``.

    Raises:
        SpecError: if the entropy is not a real function, jumps, or has tangents with no value at 0 or 1.

    Source: Savage (1971); Gneiting and Raftery (2007), Theorem 1.

    >>> rule_from_entropy("q*(1-q)").loss0
    p**2
    """
    pieces, assumed = function_of(entropy, q, "entropy", known=facts_of(assuming))
    origin = GivenEntropy(pieces, assumed)
    given = origin.given()
    step = Step.make(TakeTangents(), origin, given)
    steps = (step, *judged(step.after, given, time_limit))
    return _derived(origin, _represented(steps, given))


def prove(rule: ScoringRule) -> Derivation:
    """Return a derivation of a rule: the one it comes from, or, for a sum or a multiple, one from its weight.

    Raises:
        ParametersLeftError: if such a rule has several cases.
    """
    if isinstance(rule.derivation, Derivation):
        return rule.derivation
    losses = rule.only_case
    if isinstance(losses, LossPair):
        given = losses.given()
        return Derivation(losses, (Case(given, _represented(judged(losses, given, 60.0), given)),))
    given = rule.cases[0][0]
    cut = aligned(losses, given)
    origin = GivenWeight(cut.weight.density, cut.weight.atoms, given.positive)
    taken = Step.make(TakeWeight(), origin, given)
    step = Step(IntegrateByParts(), taken.after, replace(cut, weight=taken.after.weight))
    proper = made((SlopeOfRisk(), SignOfWeight()), step.after, given)
    return Derivation(origin, (Case(given, _represented((taken, step, *proper), given)),))


def _derived(origin: Origin | LossPair, steps: tuple[Step, ...]) -> ScoringRule:
    return Derivation(origin, (Case(origin.given(), steps),)).rule


def _integrated(origin: Origin, move: Move, seconds: float) -> ScoringRule:
    """Walk from an origin over its weight to the losses, and to properness."""
    given = origin.given()
    steps = made((move, IntegrateByParts(seconds), SlopeOfRisk(), SignOfWeight()), origin, given)
    return _derived(origin, _represented(steps, given))


def _require_positive(density: Pieces, atoms: tuple[Atom, ...], given: Given, shown: str) -> None:
    """Refuse what is certainly not a weight somewhere; what is not certain is decided by ``check``."""
    parts = [(piece.value, density.interval(piece)) for piece in density]
    for value, on in [*parts, *[(atom.mass, None) for atom in atoms]]:
        found = _refuted(value, on, given)
        if found is not None:
            place, why = found
            where = ", ".join(f"{name} = {number}" for name, number in place.items())
            remedy = "A threshold weight, the slope of the link, is a number and nowhere below 0."
            raise SpecError(f"{shown} is {why} at {where or 'a jump'}", remedy)


def _refuted(value: Expr, on: Interval | None, given: Given) -> tuple[dict[str, Expr], str] | None:
    """Return a point without a value of at least 0, one that was tried or one on a line, and what is there."""
    for found in sample(value, on, given):
        if found.high < 0:
            return dict(found.point), "negative"
    at = None if nonnegative(value, on, given) else refuted(value, on, given, strict=False)
    return None if at is None else ({str(x): number for x, number in at[0].items()}, at[1])


def _represented(steps: tuple[Step, ...], given: Given) -> tuple[Step, ...]:
    """Add the entropy and the link of a rule that was found proper."""
    found = steps[-1].after
    return (*steps, Step.make(Represent(), found, given)) if isinstance(found, Properness) else steps


def _atoms(atoms: Atoms) -> list[Atom]:
    pairs = list(atoms.items() if isinstance(atoms, Mapping) else atoms)
    read = [Atom(_place(at), _mass(mass, at)) for at, mass in pairs]
    places = [atom.at for atom in read]
    if len(set(places)) < len(places):
        raise SpecError(f"atoms = {pairs} has a place twice", "Give each atom once, with its mass.")
    return read


def _place(value: Any) -> Expr:
    at = exact(value, place="atoms: a place")
    if at.is_number and not (at.is_positive and (1 - at).is_positive):
        raise SpecError(f"an atom at {at} is not inside (0, 1)", "A threshold that matters is inside (0, 1).")
    return at


def _mass(value: Any, at: Any) -> Expr:
    mass = exact(value, place=f"atoms: the mass at {at}")
    if mass.is_number and not (mass.is_positive and mass.is_finite):
        raise SpecError(f"the atom at {at} has the mass {mass}", "A mass is finite and positive.")
    return mass
