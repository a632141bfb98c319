"""The shape of a proof: moves make steps, steps make claims, a checker turns claims into findings.

Nothing here knows any mathematics. A move may search by any means: nothing relies on it being right, because
``claims(before, after)`` says what must hold for the step to be right and a checker decides that. Claims are
never stored; they are made from the objects again whenever they are asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from importlib import import_module
from typing import Any, ClassVar

from sympy import Expr, Symbol

from costderive.core.errors import NotProvedError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.short_repr import html_of, short_repr

SHOWN = 5  # findings that are not proved, in a printed report


@dataclass(frozen=True, slots=True)
class Claim(ABC):
    """A statement that a checker decides; ``what`` says in words what it is about."""

    what: str


@dataclass(frozen=True, slots=True)
class Equal(Claim):
    """``left = right`` for every point of the interval (or as constants) where the facts (> 0) hold."""

    left: Expr
    right: Expr
    on: Interval | None = None
    facts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class NonNegative(Claim):
    """``expr >= 0`` on the interval, wherever the facts (expressions that are > 0) hold as well."""

    expr: Expr
    on: Interval | None = None
    facts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Positive(Claim):
    """``expr > 0`` on the interval, wherever the facts (expressions that are > 0) hold as well."""

    expr: Expr
    on: Interval | None = None
    facts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Regular(Claim):
    """``expr`` is real and analytic on the open interval, where the facts (> 0) hold."""

    expr: Expr
    on: Interval
    facts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Tends(Claim):
    """``expr -> value`` as ``variable -> point`` from above (side ``"+"``) or below (``"-"``).

    If ``on`` is given, that holds for every point of the interval of another variable.
    """

    expr: Expr
    variable: Symbol
    point: Expr
    side: str
    value: Expr
    on: Interval | None = None


@dataclass(frozen=True, slots=True)
class Reaches(Tends):
    """As ``Tends``, where an integral in the value may be infinite for some values of the letters."""


@dataclass(frozen=True, slots=True)
class Same(Claim):
    """Two objects are the same object, written the same."""

    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Consistent(Claim):
    """Facts hold together for some positive values of their letters: what follows from them is not empty."""

    given: Given


@dataclass(frozen=True, slots=True)
class Open(Claim):
    """A question that a derivation leaves open: no checker ever calls it proved."""


class Verdict(IntEnum):
    """How a claim fared, from the worst to the best."""

    REFUTED = 0
    OPEN = 1
    NUMERIC = 2
    PROVED = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its verdict, the method that decided it, the time it took, and the evidence in words."""

    claim: Claim
    verdict: Verdict
    decider: str
    seconds: float = field(compare=False)
    evidence: str = ""

    __repr__ = short_repr

    @property
    def doubt(self) -> str:
        """The verdict and the claim in a line, with what refutes it or why it is open."""
        why = self.evidence if self.verdict in (Verdict.REFUTED, Verdict.OPEN) else ""
        return f"{self.verdict.name}: {self.claim.what}" + (f" ({why})" if why else "")


class Move(ABC):
    """An act that turns one object of a derivation into the next.

    What must hold for it to be right are its claims, and they are all that is trusted of it. Where the next object has
    to be searched for, ``searched_by`` names the function that does, as ``"module:function"``: no claim imports it.
    """

    searched_by: ClassVar[str] = ""

    def apply(self, before: Any, given: Given) -> Any:
        """Find the next object, by any means: here, if it follows at once, else by the function that is named.

        Raises:
            SpecError: if none is.
        """
        if not self.searched_by:
            problem = f"no search is named for {type(self).__name__}"
            raise SpecError(problem, "Give it searched_by, or a method apply.")
        module, _, function = self.searched_by.partition(":")
        return getattr(import_module(module), function)(self, before, given)

    @abstractmethod
    def claims(self, before: Any, after: Any, given: Given) -> Iterator[Claim]:
        """Say everything that must hold for the step from ``before`` to ``after`` to be right."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move made: what it was applied to, and what it gave."""

    move: Move
    before: Any
    after: Any

    __repr__ = short_repr

    @classmethod
    def make(cls, move: Move, before: Any, given: Given) -> Step:
        """Apply a move and keep what it gave."""
        return cls(move, before, move.apply(before, given))

    def claims(self, given: Given) -> Iterator[Claim]:
        """Return the claims of the step, made from its objects each time."""
        return self.move.claims(self.before, self.after, given)


class Conclusion(ABC):
    """What a derivation arrives at: a statement about its losses."""

    __slots__ = ()

    @property
    @abstractmethod
    def judgement(self) -> StrEnum:
        """The conclusion in a word."""


@dataclass(frozen=True, slots=True)
class Case:
    """The steps of a derivation under one set of facts about the parameters (one order of the breakpoints)."""

    given: Given
    steps: tuple[Step, ...]

    __repr__ = short_repr

    def conditions(self, known: Given) -> Given:
        """Return what the case asks of the parameters beyond known facts."""
        return self.given.beyond(known)

    def start(self, context: Any) -> Any:
        """Return what its steps start from: a context, at the numbers to which the conditions leave letters."""
        values = self.conditions(context.given()).pinned
        return context.at(**{letter.name: value for letter, value in values.items()}) if values else context


@dataclass(frozen=True, slots=True)
class Proof(ABC):
    """What a checker sees of a derivation: what it starts from, and one case for each set of facts."""

    context: Any
    cases: tuple[Case, ...]

    @property
    @abstractmethod
    def rule(self) -> Any:
        """What the cases arrive at."""

    @abstractmethod
    def claims(self, case: Case) -> Iterator[Claim]:
        """Say what the steps of a case must have to do with the context, other than that the first starts from it."""


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The findings on a derivation, step by step; its verdict is that of the weakest finding.

    It is not whole if time was over before all claims were looked at; then it is not proved.
    """

    findings: tuple[Finding, ...]
    is_whole: bool = True

    @property
    def verdict(self) -> Verdict:
        """The weakest verdict among the findings."""
        return min((finding.verdict for finding in self.findings), default=Verdict.OPEN)

    @property
    def doubt(self) -> str:
        """The weakest finding in a few words, with the point that refutes it; nothing if every claim is proved."""
        weakest = min(self.findings, key=lambda finding: finding.verdict, default=None)
        if weakest is None:
            return "OPEN: there are no claims"
        if weakest.verdict is Verdict.PROVED:
            return ""
        return weakest.doubt

    def __repr__(self) -> str:
        return f"<Report: {self.verdict.name}, {len(self.findings)} claims>"

    def __str__(self) -> str:
        """Say what the verdict is, and which claims are not proved."""
        found = [finding for finding in self.findings if finding.verdict is not Verdict.PROVED]
        lines = [finding.doubt for finding in found[:SHOWN]]
        more = [f"and {len(found) - SHOWN} more that are not proved"] if len(found) > SHOWN else []
        proved = len(self.findings) - len(found)
        return "\n".join(
            [f"{self.verdict.name}: {proved} of {len(self.findings)} claims are proved", *lines, *more]
        )

    _repr_html_ = html_of

    def require_proved(self) -> Report:
        """Return the report itself if every claim is proved.

        Raises:
            NotProvedError: naming the weakest finding.
        """
        if self.doubt:
            raise NotProvedError(self.doubt, "report.findings lists all claims, and how each was decided.")
        return self
