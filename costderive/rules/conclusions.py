"""What a derivation concludes of a pair of losses: proper, strictly so, improper with a witness, or undecided."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Measure, Pieces
from costderive.core.short_repr import short_repr
from costderive.proof.claims import Conclusion, Report, Verdict
from costderive.rules.loss_pair import LossPair, WeighedPair
from costderive.rules.losses import Losses


@dataclass(frozen=True, slots=True)
class RiskSlope:
    """The slope ``dR(p|q)/dp = factor(p) (p - q)`` of the risk of a pair of losses."""

    losses: Losses
    factor: Measure


class Judgement(StrEnum):
    """What is concluded about a rule; a proper rule that is not called strictly proper may be so in part."""

    STRICTLY_PROPER = "strictly proper"
    PROPER = "proper"
    PROPER_AFTER_CHANGE = "improper, but proper after changing the value at a tie"
    IMPROPER = "improper"
    CONDITIONAL = "proper only under a condition"
    UNDECIDED = "undecided"


def unproved_in_words(concluded: str, doubt: str) -> str:
    """Say that a conclusion is not proved, and why; of one that is refuted, that comes first."""
    if doubt.startswith(Verdict.REFUTED.name):
        return f"not proved: {doubt}; concluded was: {concluded}"
    return f"{concluded}, not proved: {doubt}"


class Unproved(str):
    """A conclusion that the claims do not prove, in words: what is concluded, and the weakest finding against it.

    It equals no `Judgement`, so that nothing takes it for one; ``judgement`` is the conclusion alone.
    """

    judgement: Judgement
    doubt: str

    def __new__(cls, judgement: Judgement, doubt: str) -> Unproved:
        """Put a conclusion and the doubt on it in words."""
        text = super().__new__(cls, unproved_in_words(judgement, doubt))
        text.judgement, text.doubt = judgement, doubt
        return text

    def __reduce__(self) -> tuple[type[Unproved], tuple[Judgement, str]]:
        """Return what it is made from, for copies and other processes."""
        return Unproved, (self.judgement, self.doubt)


def verdict_of(judgement: Judgement, report: Report) -> Judgement | Unproved:
    """Return a conclusion as far as the findings on its derivation prove it: never more than was decided."""
    if judgement is Judgement.UNDECIDED or not report.doubt:
        return judgement
    return Unproved(judgement, report.doubt)


class Proper(Conclusion):
    """The rule is proper; ``strict`` says whether strictly so everywhere."""

    __slots__ = ()
    strict: bool

    @property
    def judgement(self) -> Judgement:
        """Strictly proper, or proper."""
        return Judgement.STRICTLY_PROPER if self.strict else Judgement.PROPER


class BeyondProperness(Conclusion):
    """More of a rule that was found ``proper``: what is concluded of its properness stays."""

    __slots__ = ()
    proper: Any

    @property
    def judgement(self) -> Judgement:
        """That of the rule."""
        return Judgement(self.proper.judgement)


@dataclass(frozen=True, slots=True)
class Witness:
    """A belief under which another report has a smaller risk than the belief itself: ``better < truthful``.

    Both are probabilities of class 1; of several classes, or of the labels of a batch, they are tuples of these.
    """

    belief: Any
    report: Any
    truthful: Expr
    better: Expr

    __repr__ = short_repr


class Improper(Conclusion):
    """The ``losses`` are not proper, as a ``witness`` shows."""

    __slots__ = ()
    losses: Any
    witness: Witness

    @property
    def judgement(self) -> Judgement:
        """Improper."""
        return Judgement.IMPROPER


@dataclass(frozen=True, slots=True)
class Undecided(Conclusion):
    """Neither a proof of properness nor a witness against it was found; parameters may decide it either way."""

    losses: Any

    __repr__ = short_repr

    @property
    def judgement(self) -> Judgement:
        """Undecided."""
        return Judgement.UNDECIDED


@dataclass(frozen=True, slots=True)
class Properness(Conclusion):
    """The losses are proper, and strictly so for beliefs inside the intervals of ``strict``."""

    losses: Losses | LossPair
    strict: tuple[tuple[Expr, Expr], ...]

    __repr__ = short_repr

    @property
    def everywhere(self) -> bool:
        """Whether the rule is strictly proper on all of (0, 1)."""
        return self.strict == ((sympy.S.Zero, sympy.S.One),)

    @property
    def judgement(self) -> Judgement:
        """Strictly proper, or proper."""
        return Judgement.STRICTLY_PROPER if self.everywhere else Judgement.PROPER


@dataclass(frozen=True, slots=True)
class Represented(BeyondProperness):
    """A proper rule with its entropy in q, and its canonical link in p if it is known on which piece 1/2 lies."""

    proper: Properness
    entropy: Pieces
    link: Pieces | None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Improperness(Improper):
    """The losses, of two classes or of several, are not proper, as a witness shows."""

    losses: Any
    witness: Witness

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Miscalibration(Conclusion):
    """The losses are improper: their threshold T(s) is not s, where the rule that decides at s is strictly ``proper``.

    Under each belief q ``between`` two where ``T(q) != q``, the report T(q) has a smaller risk than the truth. T is
    analytic, and not s at one ``proportion`` (``above`` or below it), so that these are all beliefs but isolated ones.
    Without such beliefs the ``proportion`` is that of an atom, and they are those between it and the threshold there.
    """

    losses: LossPair
    threshold: Expr
    proper: Properness
    between: tuple[Expr, Expr] | None
    proportion: Expr
    above: bool

    __repr__ = short_repr

    @property
    def judgement(self) -> Judgement:
        """Improper."""
        return Judgement.IMPROPER


@dataclass(frozen=True, slots=True)
class Condition:
    """That a ``letter`` among the parameters has a ``value`` in the others."""

    letter: Symbol
    value: Expr


@dataclass(frozen=True, slots=True)
class Calibration(Conclusion):
    """The losses are proper if and only if all ``conditions`` hold: then the threshold is s.

    For each condition ``otherwise`` says that the threshold, if those before it hold, is on one side of s for greater
    values of its letter, at the proportion that is named, and on the other side for smaller ones.
    """

    conditions: tuple[Condition, ...]
    otherwise: tuple[Miscalibration, ...]

    __repr__ = short_repr

    @property
    def proper(self) -> Properness:
        """How far the rule is proper under the conditions."""
        return self.otherwise[0].proper

    @property
    def judgement(self) -> Judgement:
        """Proper only under a condition."""
        return Judgement.CONDITIONAL


@dataclass(frozen=True, slots=True)
class RepairedProperness(Conclusion):
    """The losses are not proper, but become so with other values at ties, or at 0 and 1."""

    improper: Improperness
    weighed: WeighedPair
    proper: Properness

    __repr__ = short_repr

    @property
    def witness(self) -> Witness:
        """Where the losses fail to be proper as they stand."""
        return self.improper.witness

    @property
    def judgement(self) -> Judgement:
        """Improper as it stands."""
        return Judgement.PROPER_AFTER_CHANGE


@dataclass(frozen=True, slots=True)
class ConditionalProperness(Conclusion):
    """The losses are proper if and only if a ``letter`` among their parameters has a ``value`` in the others.

    At that value ``weighed`` is the pair with its threshold weight; a witness is against smaller values, one against
    larger ones.
    """

    losses: LossPair
    letter: Symbol
    value: Expr
    weighed: WeighedPair
    proper: Properness
    below: Witness
    above: Witness

    __repr__ = short_repr

    @property
    def judgement(self) -> Judgement:
        """Proper only under a condition."""
        return Judgement.CONDITIONAL
