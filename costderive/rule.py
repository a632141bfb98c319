"""Scoring rules: two losses, one per class, and the threshold weight that mixes them from cost-weighted 0/1 losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import sympy
from sympy import Expr, Symbol

from costderive import symbols
from costderive.errors import ParametersLeftError, SpecError
from costderive.expressions import exact
from costderive.pairs import LossPair, WeighedPair, Witness
from costderive.pieces import Atom, Given, Measure, Piece, Pieces


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of class 0 and 1 as functions of ``p``, and their threshold weight as a measure of ``s``.

    ``worst0`` is the limit of loss 0 at ``p = 1``, the expected cost ``E[c0]``; ``worst1`` that of loss 1 at 0.
    """

    loss0: Pieces
    loss1: Pieces
    weight: Measure
    worst0: Expr
    worst1: Expr

    def subs(self, values: Mapping[Symbol, Expr]) -> Losses:
        """Return the losses at given parameter values; pieces that shrink to a point disappear."""
        return Losses(
            _merged(_at_values(self.loss0, values)),
            _merged(_at_values(self.loss1, values)),
            _measure_at(self.weight, values),
            self.worst0.subs(values),
            self.worst1.subs(values),
        )


def _measure_at(weight: Measure, values: Mapping[Symbol, Expr]) -> Measure:
    kept = _kept(weight.density, values)
    pieces = tuple(piece for _, piece in kept)
    signs = tuple(weight.signs[index] for index, _ in kept)
    atoms = tuple(Atom(atom.at.subs(values), atom.mass.subs(values)) for atom in weight.atoms)
    return Measure(Pieces(weight.density.variable, pieces), signs, atoms)


def _at_values(function: Pieces, values: Mapping[Symbol, Expr]) -> Pieces:
    return Pieces(function.variable, tuple(piece for _, piece in _kept(function, values)))


def _kept(function: Pieces, values: Mapping[Symbol, Expr]) -> list[tuple[int, Piece]]:
    """Substitute from the left to the right; an end that is 0/0 belongs to an empty piece and takes its other end."""
    kept: list[tuple[int, Piece]] = []
    low = sympy.S.Zero
    for index, piece in enumerate(function):
        high = piece.high.subs(values)
        high = low if high is sympy.nan else high
        if high != low:
            kept.append((index, Piece(low, high, piece.value.subs(values))))
        low = high
    return kept


def _merged(function: Pieces) -> Pieces:
    """Join neighbouring pieces that are written the same."""
    joined: list[Piece] = []
    for piece in function:
        if joined and joined[-1].value == piece.value:
            joined[-1] = Piece(joined[-1].low, piece.high, piece.value)
        else:
            joined.append(piece)
    return Pieces(function.variable, tuple(joined))


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
    UNDECIDED = "undecided"


class Conclusion(ABC):
    """What a derivation arrives at: a statement about its losses."""

    __slots__ = ()

    @property
    @abstractmethod
    def judgement(self) -> Judgement:
        """The conclusion in a word."""


@dataclass(frozen=True, slots=True)
class Properness(Conclusion):
    """The losses are proper, and strictly so for beliefs inside the intervals of ``strict``."""

    losses: Losses | LossPair
    strict: tuple[tuple[Expr, Expr], ...]

    @property
    def everywhere(self) -> bool:
        """Whether the rule is strictly proper on all of (0, 1)."""
        return self.strict == ((sympy.S.Zero, sympy.S.One),)

    @property
    def judgement(self) -> Judgement:
        """Strictly proper, or proper."""
        return Judgement.STRICTLY_PROPER if self.everywhere else Judgement.PROPER


@dataclass(frozen=True, slots=True)
class Improperness(Conclusion):
    """The losses are not proper, as a witness shows."""

    losses: LossPair
    witness: Witness

    @property
    def judgement(self) -> Judgement:
        """Improper."""
        return Judgement.IMPROPER


@dataclass(frozen=True, slots=True)
class RepairedProperness(Conclusion):
    """The losses are not proper, but become so with other values at ties, or at 0 and 1."""

    improper: Improperness
    weighed: WeighedPair
    proper: Properness

    @property
    def judgement(self) -> Judgement:
        """Improper as it stands."""
        return Judgement.PROPER_AFTER_CHANGE


@dataclass(frozen=True, slots=True)
class Undecided(Conclusion):
    """Neither a proof of properness nor a witness against it was found; parameters may decide it either way."""

    losses: LossPair

    @property
    def judgement(self) -> Judgement:
        """Undecided."""
        return Judgement.UNDECIDED


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """A scoring rule for a binary event: ``loss0(p)`` if the class is 0, ``loss1(p)`` if it is 1.

    ``cases`` holds one pair of losses for each set of facts about the parameters; a rule without parameters, or
    whose breakpoints have only one order, has one case. ``loss0(0) = 0`` and ``loss1(1) = 0``. A rule that need
    not be proper has a ``LossPair`` in place of ``Losses``, and no threshold weight.

    Source: Buja, Stuetzle and Shen (2005), section 3; Gneiting and Raftery (2007), section 3.
    """

    cases: tuple[tuple[Given, Losses | LossPair], ...]

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        found = self.loss0.free_symbols | self.loss1.free_symbols
        return tuple(sorted(found - {symbols.p}, key=str))

    @property
    def loss0(self) -> Expr:
        """The loss of predicting ``p`` when the class is 0, as a SymPy expression in ``p``."""
        return self._by_case(lambda losses: _loss(losses, 0))

    @property
    def loss1(self) -> Expr:
        """The loss of predicting ``p`` when the class is 1, as a SymPy expression in ``p``."""
        return self._by_case(lambda losses: _loss(losses, 1))

    @property
    def closed_form(self) -> bool:
        """Whether both losses are free of integrals: for those that stay, no antiderivative was found in time."""
        return not any(
            piece.value.has(sympy.Integral)
            for _, losses in self.cases
            for piece in (*losses.loss0, *losses.loss1)
        )

    @property
    def weight(self) -> Expr:
        """The density of the threshold weight, as a SymPy expression in ``s``; ``atoms`` holds its point masses."""
        return self._by_case(lambda losses: weight_of(losses).density.to_sympy())

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The point masses of the threshold weight."""
        return weight_of(self.only_case).atoms

    @property
    def risk(self) -> Expr:
        """The expected loss ``R(p|q) = (1 - q) loss0(p) + q loss1(p)`` of reporting ``p`` under the belief ``q``."""
        return (1 - symbols.q) * self.loss0 + symbols.q * self.loss1

    @property
    def entropy(self) -> Expr:
        """The minimal expected loss ``H(q) = R(q|q)``: concave, with ``-H'' = weight``.

        Source: Gneiting and Raftery (2007), Theorem 1.
        """
        return self.risk.subs(symbols.p, symbols.q)

    @property
    def divergence(self) -> Expr:
        """The excess ``d(p, q) = R(p|q) - H(q) >= 0``: the Bregman divergence of the generator ``-H``."""
        return self.risk - self.entropy

    @property
    def only_case(self) -> Losses | LossPair:
        """The losses of a rule with one case.

        Raises:
            ParametersLeftError: if the order of the breakpoints depends on the parameters.
        """
        if len(self.cases) > 1:
            raise ParametersLeftError(
                f"the rule has {len(self.cases)} cases, for different orders of its breakpoints",
                "Give the parameters numbers with rule.at(a=..., b=...), or go through rule.cases.",
            )
        return self.cases[0][1]

    def at(self, **values: object) -> ScoringRule:
        """Return the rule at numeric (or symbolic) values of parameters, in the case that the values belong to.

        Raises:
            SpecError: if a name is no parameter, or the values satisfy the facts of no case.
        """
        chosen = {self._parameter(name): exact(value, place=name) for name, value in values.items()}
        kept = [(given, losses) for given, losses in self.cases if _compatible(given, chosen)]
        if not kept:
            shown = ", ".join(f"{name} = {value}" for name, value in chosen.items())
            raise SpecError(f"no case of the rule admits {shown}", "See rule.cases for what is assumed.")
        substituted = tuple((_facts_at(given, chosen), losses.subs(chosen)) for given, losses in kept)
        return ScoringRule(substituted[:1] if not substituted[0][0].nonnegative else substituted)

    def _parameter(self, name: str) -> Symbol:
        for symbol in self.parameters:
            if symbol.name == name:
                return symbol
        known = ", ".join(symbol.name for symbol in self.parameters) or "none"
        raise SpecError(f"{name} is not a parameter of the rule", f"Its parameters: {known}.")

    def _by_case(self, read: Callable[[Losses | LossPair], Expr]) -> Expr:
        if len({read(losses) for _, losses in self.cases}) == 1:
            return read(self.cases[0][1])
        return sympy.Piecewise(*[(read(losses), _condition(given)) for given, losses in self.cases])


def _loss(losses: Losses | LossPair, label: int) -> Expr:
    if isinstance(losses, LossPair):
        return losses.to_sympy(label)
    return (losses.loss0, losses.loss1)[label].to_sympy()


def weight_of(losses: Losses | LossPair) -> Measure:
    """Return the threshold weight of losses that have one.

    Raises:
        SpecError: if the losses were not derived from a threshold weight.
    """
    if isinstance(losses, LossPair):
        raise SpecError(
            "this rule has no threshold weight: it was not derived at the calibrated threshold",
            "Only proper rules are mixtures over thresholds.",
        )
    return losses.weight


def _condition(given: Given) -> sympy.Basic:
    return sympy.And(*[fact >= 0 for fact in given.nonnegative])


def _facts_at(given: Given, values: Mapping[Symbol, Expr]) -> Given:
    return Given().also(
        positive=tuple(fact.subs(values) for fact in given.positive),
        nonnegative=tuple(fact.subs(values) for fact in given.nonnegative),
    )


def _compatible(given: Given, values: Mapping[Symbol, Expr]) -> bool:
    strict = [fact.subs(values) for fact in given.positive]
    weak = [fact.subs(values) for fact in given.nonnegative]
    return not any(f.is_nonpositive for f in strict) and not any(f.is_negative for f in weak)
