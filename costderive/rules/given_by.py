"""What a scoring rule may be given by, other than costs or losses: its threshold weight, its entropy, or its link."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, Symbol

from costderive.core.piecewise import Atom, Given, Pieces


class Origin(ABC):
    """A function, or a measure, that determines a scoring rule; ``assumed`` are parameters' facts (> 0)."""

    __slots__ = ()
    assumed: tuple[Expr, ...]

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given().also(positive=self.assumed)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        bound = {function.variable for function in self._functions()}
        found = set().union(*[expr.free_symbols for expr in (*self._exprs(), *self.assumed)])
        return tuple(sorted(found - bound, key=str))

    @abstractmethod
    def _functions(self) -> tuple[Pieces, ...]:
        """Return the functions that are given."""

    def _exprs(self) -> Iterator[Expr]:
        for function in self._functions():
            for piece in function:
                yield from (piece.low, piece.high, piece.value)


@dataclass(frozen=True, slots=True)
class GivenWeight(Origin):
    """A threshold weight: a density of s between breakpoints, and atoms at some of them."""

    density: Pieces
    atoms: tuple[Atom, ...] = ()
    assumed: tuple[Expr, ...] = ()

    def _functions(self) -> tuple[Pieces, ...]:
        return (self.density,)

    def _exprs(self) -> Iterator[Expr]:
        yield from Origin._exprs(self)
        for atom in self.atoms:
            yield from (atom.at, atom.mass)


@dataclass(frozen=True, slots=True)
class GivenEntropy(Origin):
    """An entropy: a function of q between breakpoints."""

    entropy: Pieces
    assumed: tuple[Expr, ...] = ()

    def _functions(self) -> tuple[Pieces, ...]:
        return (self.entropy,)


@dataclass(frozen=True, slots=True)
class GivenLink(Origin):
    """A canonical link: a rising function of p between breakpoints, at which it may jump."""

    link: Pieces
    assumed: tuple[Expr, ...] = ()

    def _functions(self) -> tuple[Pieces, ...]:
        return (self.link,)


@dataclass(frozen=True, slots=True)
class GivenCdf(Origin):
    """A distribution function F of a linear predictor x, written in ``u = exp(x)`` between breakpoints on (0, oo)."""

    cdf: Pieces
    assumed: tuple[Expr, ...] = ()

    def _functions(self) -> tuple[Pieces, ...]:
        return (self.cdf,)
