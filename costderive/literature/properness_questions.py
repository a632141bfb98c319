"""Questions on properness and superiority, and what a proof of properness has to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import sympy
from sympy import Expr, Rational

from costderive.core.piecewise import Given, Interval, Sign
from costderive.core.symbols import p
from costderive.deciders.order import ascending, compare
from costderive.deciders.signs import nonnegative
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import examine
from costderive.derivation.moves import FindWitness
from costderive.literature.equality_questions import at_most
from costderive.literature.loss_questions import counted, piece_on
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.literature.wording import number, pieces
from costderive.proof.checker import check, decide
from costderive.proof.claims import (
    Case,
    Equal,
    Finding,
    NonNegative,
    Positive,
    Report,
    Same,
    Step,
    Verdict,
)
from costderive.publish.formulas.printing import inline
from costderive.rules import Improperness, Judgement, Properness, RepairedProperness, Witness
from costderive.rules.loss_pair import LossPair, Value

ZERO, ONE, HALF = sympy.S.Zero, sympy.S.One, sympy.S.Half
STRICT, PROPER, ANY_IMPROPER = "strictly proper", "proper", "improper"
NOT_STRICT = "proper, not strictly"
VERDICTS = (STRICT, PROPER, NOT_STRICT, ANY_IMPROPER)
SHORT = 8
SHARES = tuple(Rational(k, 20) for k in range(1, 20))


# ---- properness


@dataclass(frozen=True, slots=True)
class IsProper(Question):
    """A pair of losses is strictly proper, proper, proper but not strictly, or improper."""

    losses: LossPair
    texts: tuple[
        str, str
    ]  # of the losses: a pair written back as expressions of a positive p would lose a value at 0
    says: str
    witness: tuple[Expr, Expr] | None = None  # a belief and a report that are meant to show a rule improper

    def formal(self) -> tuple[str, ...]:
        """The losses and what is said of them."""
        names = ("L₀(p)", self.losses.loss0), ("L₁(p)", self.losses.loss1)
        lines = [line for name, loss in names for line in pieces(name, loss)]
        ties = [
            f"L₀({inline(v.at)}) = {inline(v.loss0)}, L₁({inline(v.at)}) = {inline(v.loss1)}"
            for v in self.losses.values[1:-1]
        ]
        return (*lines, *ties, f"is {self.says}")

    def ruling(self) -> Ruling:
        """Find a proof or a witness, and check it."""
        derivation = examine(*self.texts) if self.witness is None else witnessed(self.losses, *self.witness)
        report, found = check(derivation), derivation.verdict
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, ("neither a proof nor a witness was found",), (), derivation, report)
        shown = (f"{found}: {counted(report)}", *_witness(derivation))
        holds = self._holds(derivation)
        if holds is None:
            return Ruling(
                Outcome.OPEN, (*shown, "where it is strictly proper is not known"), (), derivation, report
            )
        if holds:
            return Ruling(Outcome.HOLDS, shown + self._tie(derivation), (), derivation, report)
        return Ruling(
            Outcome.FAILS, shown + self._tie(derivation), self._instead(derivation), derivation, report
        )

    def _holds(self, derivation: Derivation) -> bool | None:
        found = derivation.verdict
        if found is Judgement.CONDITIONAL:
            return None
        if self.says == ANY_IMPROPER:
            return found in (Judgement.IMPROPER, Judgement.PROPER_AFTER_CHANGE)
        if found is Judgement.STRICTLY_PROPER or found is not Judgement.PROPER:
            return found is Judgement.STRICTLY_PROPER and self.says in (STRICT, PROPER)
        if self.says == PROPER:
            return True
        return None if _flat(derivation) is None else self.says == NOT_STRICT

    def _tie(self, derivation: Derivation) -> tuple[str, ...]:
        """Show that a rule is not strict: a belief and another report that loses as little."""
        flat = _flat(derivation) if derivation.verdict is Judgement.PROPER else None
        if flat is None or self.says == PROPER:
            return ()
        belief, report, risk = flat
        q, r = inline(belief), inline(report)
        return (
            f"not strictly: under the belief q = {q}, the report p = {r} has the same risk {inline(risk)}",
        )

    def _instead(self, derivation: Derivation) -> tuple[str, ...]:
        """Return what holds instead, if the engine found something other than a plain counterexample."""
        reached = derivation.conclusions[0]
        if isinstance(reached, RepairedProperness):
            old = reached.improper.losses.values
            new = [value for value in reached.weighed.pair.values if value not in old]
            values = [
                f"L₀({inline(v.at)}) = {inline(v.loss0)} and L₁({inline(v.at)}) = {inline(v.loss1)}"
                for v in new
            ]
            return (f"with {', '.join(values)} it is {reached.proper.judgement}",)
        if isinstance(reached, Properness):
            return (f"it is {reached.judgement}",)
        return ()


def witnessed(pair: LossPair, belief: Expr, report: Expr) -> Derivation:
    """Return the derivation that a pair of losses is improper by a given witness, for the checker to judge."""
    given = pair.given()
    places = pair.at(belief, given), pair.at(report, given)
    truthful, better = (sympy.nan if value is None else value.risk(belief) for value in places)
    reached = Improperness(pair, Witness(belief, report, truthful, better))
    return Derivation(pair, (Case(given, (Step(FindWitness(), pair, reached),)),))


def _witness(derivation: Derivation) -> tuple[str, ...]:
    witness = derivation.witness
    if witness is None:
        return ()
    q, r = inline(witness.belief), inline(witness.report)
    (p_, q_) = (r, q) if len(q) <= SHORT else ("p", "q")
    risks = f"R({p_}|{q_}) = {number(witness.better)} < {number(witness.truthful)} = R({q_}|{q_})"
    return (f"under the belief q = {q}, the report p = {r} is better than the truth: {risks}",)


def _flat(derivation: Derivation) -> tuple[Expr, Expr, Expr] | None:
    """Find a belief and another report of the same risk, where the threshold weight is zero."""
    weighed = derivation.steps[0].after
    for piece, sign in zip(weighed.weight.density, weighed.weight.signs, strict=True):
        if sign is Sign.ZERO:
            belief, report = (
                piece.low + (piece.high - piece.low) * share for share in (HALF, Rational(1, 4))
            )
            risks = [weighed.pair.at(x, weighed.pair.given()).risk(belief) for x in (belief, report)]
            same = decide(Equal("both reports have the same risk", *risks), weighed.pair.given())
            if same.verdict is Verdict.PROVED:
                return belief, report, risks[0]
    return None


# ---- superior rules


@dataclass(frozen=True, slots=True)
class IsSuperior(Question):
    """Every correct prediction (p > 1/2 of class 1, p < 1/2 of class 0) loses less than every wrong one.

    ``between`` is a number that is meant to part the two; a tie is neither correct nor wrong.
    """

    losses: LossPair
    between: Expr

    def formal(self) -> tuple[str, ...]:
        """The losses and what is said of them."""
        names = ("L₀(p)", self.losses.loss0), ("L₁(p)", self.losses.loss1)
        lines = [line for name, loss in names for line in pieces(name, loss)]
        return (*lines, "each correct prediction loses less than each wrong one")

    def ruling(self) -> Ruling:
        """Decide both bounds, or look for two predictions in the wrong order."""
        found = [finding for label in (0, 1) for finding in self._bounds(label)]
        if outcome_of(found) is Outcome.HOLDS:
            parted = f"correct ones lose at most {inline(self.between)}, wrong ones more: {how(found)}"
            return Ruling(Outcome.HOLDS, (parted,))
        against = self._counterexample()
        return Ruling(Outcome.FAILS, (against,)) if against else Ruling(Outcome.OPEN, (how(found),))

    def _bounds(self, label: int) -> Iterator[Finding]:
        """Decide that a class loses at most the parting number where it is predicted, and more elsewhere."""
        loss = (self.losses.loss0, self.losses.loss1)[label]
        breaks = ascending([ZERO, HALF, ONE, *loss.breaks], Given())
        for low, high in pairwise(breaks):
            on = Interval(p, low, high)
            value = piece_on(loss, on, Given()).value
            if (compare(low, HALF, Given()) >= 0) == (label == 1):
                yield from at_most(value, self.between, on)
            else:
                yield from at_most(-value, -self.between, on, strict=True)
        for tied in self.losses.values:
            yield from self._at_a_value(tied, label)

    def _at_a_value(self, value: Value, label: int) -> Iterator[Finding]:
        """Decide the same of the value at 0, at 1 or at a breakpoint; a tie counts for neither."""
        loss, side = value.loss(label), compare(value.at, HALF, Given())
        if side == 0:
            return
        if loss is sympy.oo:
            yield decide(
                Same("only a wrong prediction loses infinitely much", (side > 0) == (label == 0), True)
            )
        elif (side > 0) == (label == 1):
            yield decide(NonNegative("a correct prediction loses no more", self.between - loss))
        else:
            yield decide(Positive("a wrong prediction loses more", loss - self.between))

    def _counterexample(self) -> str:
        tried = dict.fromkeys((*SHARES, *[value.at for value in self.losses.values]))
        reports = [(x, label, self.losses.at(x)) for x, label in product(tried, (0, 1)) if x != HALF]
        known = [(x, label, value.loss(label)) for x, label, value in reports if value is not None]
        right = [row for row in known if (row[0] > HALF) == (row[1] == 1)]
        wrong = [row for row in known if (row[0] > HALF) != (row[1] == 1)]
        for (x, k, low), (y, j, high) in product(right, wrong):
            if low is sympy.oo or nonnegative(low - high):
                correct = f"the correct report p = {inline(x)} of class {k} loses {number(low)}"
                return f"{correct}, the wrong one p = {inline(y)} of class {j} only {number(high)}"
        return ""


# ---- what a proof of properness has to show


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a proof of properness shows: its key, what it is, and how our claims about it start."""

    key: str
    what: str
    claims: tuple[str, ...]


CONDITIONS = (
    Condition("stationary", "the risk is stationary at the truth", ("slope of loss",)),
    Condition(
        "sign", "the slope of the risk changes its sign there, from falling to rising", ("the weight is",)
    ),
    Condition(
        "breakpoints",
        "the losses join at their breakpoints",
        ("loss 0 jumps", "loss 1 jumps", "the mass of the atom", "the value of loss", "the values at a tie"),
    ),
    Condition("ends", "the reports 0 and 1 are no better", ("the report 0", "the report 1")),
)


def required(report: Report) -> tuple[Condition, ...]:
    """Return the conditions of which our own proof of properness of these losses consists."""
    said = [finding.claim.what for finding in report.findings]
    return tuple(x for x in CONDITIONS if any(what.startswith(x.claims) for what in said))
