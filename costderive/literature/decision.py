"""From the checks of a published claim to the verdict on it, which is computed and never stored."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from costderive.core.errors import SpecError
from costderive.core.short_repr import short_repr
from costderive.literature.kinds import question
from costderive.literature.properness_questions import CONDITIONS, IsProper, required
from costderive.literature.published import Published, find
from costderive.literature.question import Outcome, Question, Ruling


class Verdict(StrEnum):
    """What is found of a published claim."""

    CONFIRMED = "confirmed"
    TRIED = "holds as tried"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    PROOF_INCOMPLETE = "proof incomplete"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its ruling."""

    question: Question
    ruling: Ruling

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Decision:
    """A claim with its verdict and what shows it.

    ``answers`` are those to the statement as printed, ``amended`` to the corrected one (asked only where the printed
    one fails), ``premises`` to what the printed proof relies on; ``missing`` names what that proof does not show.
    """

    claim: Published
    verdict: Verdict
    answers: tuple[Answer, ...]
    amended: tuple[Answer, ...] = ()
    premises: tuple[Answer, ...] = ()
    missing: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    __repr__ = short_repr

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings on the statement as printed."""
        return tuple(answer.ruling for answer in self.answers)

    @property
    def slip(self) -> str:
        """Of what sort the error is, if the printed statement fails, and "" otherwise."""
        return self.claim.slip if self.verdict in (Verdict.CORRECTED, Verdict.REFUTED) else ""

    @property
    def conclusion(self) -> str:
        """The verdict, with the sort of an error or the instances that were tried."""
        more = self.claim.tried if self.verdict is Verdict.TRIED else self.slip
        return f"{self.verdict}: {more}" if more else str(self.verdict)

    @property
    def proof(self) -> str:
        """What is found of the printed proof; one that is only quoted in words, or not at all, is not judged."""
        if self.missing or any(answer.ruling.outcome is Outcome.FAILS for answer in self.premises):
            return "incomplete"
        if self.claim.shown is None and not self.premises:
            return "not judged"
        decided = all(answer.ruling.outcome is Outcome.HOLDS for answer in self.premises)
        return "holds as far as judged" if decided else "undecided"

    @property
    def derived(self) -> Ruling | None:
        """The first ruling that came from a derivation, which can be exported, or ``None``."""
        found = (answer.ruling for answer in (*self.answers, *self.amended))
        return next((ruling for ruling in found if ruling.derivation is not None), None)


def decide(claim: Published | str) -> Decision:
    """Decide a published claim, given itself, by its id, or by the path of its file.

    Confirmed: every check holds. Holds as tried: so it does, but the checks are limited to some instances of a
    statement on more. Corrected: one fails, with a witness, and either the engine derives what holds
    instead, or the amended statement holds. Refuted: one fails, and there is no such correction. Proof incomplete:
    every check holds, but the printed proof relies on a premise that fails, or leaves out a condition that our own,
    checked proof of properness consists of. Undecided: everything else.

    Raises:
        SpecError: if there is no such claim, or its file is not one.

    >>> decide("flach-eq-11").verdict
    <Verdict.CONFIRMED: 'confirmed'>
    """
    start = time.perf_counter()
    claim = find(claim) if isinstance(claim, str) else claim
    answers = _answers(claim.checks, f"{claim.id}: checks")
    failed = any(answer.ruling.outcome is Outcome.FAILS for answer in answers)
    amended = _answers(claim.amended, f"{claim.id}: amended") if failed else ()
    premises = _answers(claim.premises, f"{claim.id}: premises")
    missing = _missing(claim, answers)
    verdict = _verdict(answers, amended, premises, missing, claim.tried)
    return Decision(claim, verdict, answers, amended, premises, missing, time.perf_counter() - start)


def _answers(tables: tuple[Mapping[str, Any], ...], place: str) -> tuple[Answer, ...]:
    questions = [question(table, f"{place}[{index}]") for index, table in enumerate(tables)]
    return tuple(Answer(asked, _ruling(asked)) for asked in questions)


def _ruling(asked: Question) -> Ruling:
    """Answer a question; one on which the engine fails is open."""
    try:
        return asked.ruling()
    except Exception as problem:  # SymPy may fail in any way on what a claim says
        return Ruling(Outcome.OPEN, (f"it could not be decided: {str(problem).splitlines()[0]:.200}",))


def _verdict(
    answers: tuple[Answer, ...],
    amended: tuple[Answer, ...],
    premises: tuple[Answer, ...],
    missing: tuple[str, ...],
    tried: str,
) -> Verdict:
    outcomes = {answer.ruling.outcome for answer in answers}
    if Outcome.FAILS in outcomes:
        return Verdict.CORRECTED if _mended(answers, amended) else Verdict.REFUTED
    if outcomes != {Outcome.HOLDS}:
        return Verdict.UNDECIDED
    if missing or any(answer.ruling.outcome is Outcome.FAILS for answer in premises):
        return Verdict.PROOF_INCOMPLETE
    return Verdict.TRIED if tried else Verdict.CONFIRMED


def _mended(answers: tuple[Answer, ...], amended: tuple[Answer, ...]) -> bool:
    """Does the amended statement hold, or is there a derived correction for everything that fails?"""
    if amended:
        return all(answer.ruling.outcome is Outcome.HOLDS for answer in amended)
    failed = [answer.ruling for answer in answers if answer.ruling.outcome is Outcome.FAILS]
    return all(ruling.correction for ruling in failed)


def _missing(claim: Published, answers: tuple[Answer, ...]) -> tuple[str, ...]:
    """Return the conditions of our checked proofs of properness that the printed proof does not show."""
    if claim.shown is None:
        return ()
    reports = [a.ruling.report for a in answers if isinstance(a.question, IsProper) and a.ruling.report]
    for key in claim.shown:
        if key not in [condition.key for condition in CONDITIONS]:
            known = ", ".join(condition.key for condition in CONDITIONS)
            raise SpecError(f"{claim.id}: shown: {key!r:.60} is not a condition", f"Known: {known}.")
    needed = dict.fromkeys(condition for report in reports for condition in required(report))
    return tuple(condition.what for condition in needed if condition.key not in claim.shown)
