"""Exact piecewise functions and measures on (0, 1), and the facts known about their parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import sympy
from sympy import Expr, Symbol
from sympy.core.relational import Relational

from costderive.core.exact_values import value_at
from costderive.core.short_repr import cut

SHOWN = 120  # characters of the pieces of a function


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of the parameters: expressions that are positive, and some that are at least 0.

    Every parameter is itself a positive symbol, so ``Given()`` already says that much. What sets a case apart is in
    ``nonnegative``; it is in ``positive`` too if it is strict.
    """

    positive: tuple[Expr, ...] = ()
    nonnegative: tuple[Expr, ...] = ()

    def also(self, *, positive: tuple[Expr, ...] = (), nonnegative: tuple[Expr, ...] = ()) -> Given:
        """Return the same facts and some more; facts about numbers alone are left out."""
        return Given(
            _merged(self.positive, positive),
            _merged(self.nonnegative, nonnegative),
        )

    def without(self, variable: Symbol) -> Given:
        """Return the facts that hold whatever a variable is: under an integral its name is bound again."""
        strict, weak = (
            tuple(fact for fact in facts if variable not in fact.free_symbols)
            for facts in (self.positive, self.nonnegative)
        )
        return Given(strict, weak)

    def ends(self, x: Symbol, *, weak: bool) -> tuple[list[Expr], list[Expr]]:
        """Return the numbers that facts about a letter alone say it is above, and below; or, if weak, may be."""
        facts = self.positive + self.nonnegative if weak else self.positive
        gaps = [sympy.expand(fact) for fact in facts if fact.free_symbols == {x}]
        return [x - gap for gap in gaps if (gap - x).is_number], [
            x + gap for gap in gaps if (gap + x).is_number
        ]

    def shared(self, other: Given) -> Given:
        """Return the facts that are also others."""
        strict = tuple(fact for fact in self.positive if fact in other.positive)
        return Given(strict, tuple(fact for fact in self.nonnegative if fact in other.nonnegative))

    def beyond(self, known: Given) -> Given:
        """Return the facts that are not known ones."""
        strict = tuple(fact for fact in self.positive if fact not in known.positive)
        return Given(strict, tuple(fact for fact in self.nonnegative if fact not in known.nonnegative))

    @property
    def pinned(self) -> dict[Symbol, Expr]:
        """The letters to which facts leave one value: both ``k - 1`` and ``1 - k`` are at least 0, or n for m."""
        return dict(self._pins())

    def _pins(self) -> Iterator[tuple[Symbol, Expr]]:
        """Yield letters with values that they have, more than one perhaps: m is n, and 2."""
        pins = (self._pin(fact) for fact in self.nonnegative)
        yield from dict.fromkeys(pin for pin in pins if pin is not None)

    def _pin(self, fact: Expr) -> tuple[Symbol, Expr] | None:
        """Return a letter and its value, a number or what is positive too, if a fact says no less and no more."""
        for letter in sorted(fact.free_symbols, key=str) if -fact in self.nonnegative else ():
            slope = sympy.diff(fact, letter)
            if slope.has(letter) or not slope.is_nonzero:  # if that may be 0 the letter may have any value
                continue
            value = sympy.cancel(letter - fact / slope)
            if value.is_number or value.is_positive:
                return letter, value
        return None

    def relations(self) -> tuple[Relational, ...]:
        """Return what sets a case apart: ``k = 1`` if facts leave one number, else ``k > 1`` or ``a - b >= 0``."""
        left = [fact for fact in self.nonnegative if self._pin(fact) is None and not self._follows(fact)]
        sides = [_side(fact, strict=fact in self.positive) for fact in left]
        return (*[sympy.Eq(*pin) for pin in self._pins()], *sides)

    def _follows(self, fact: Expr) -> bool:
        """Is it less than another fact by a number, such as 3 - a beside 1 - a, or above 0 for the one value left?"""
        gaps = (fact - other for other in self.nonnegative)
        return bool(fact.subs(self.pinned).is_positive) or any(
            gap.is_positive for gap in gaps if gap.is_number
        )

    def in_words(self, write: Callable[[Expr], str] = str) -> str:
        """Say what sets a case apart, in plain text."""
        signs = [(x, "=" if isinstance(x, sympy.Eq) else x.rel_op) for x in self.relations()]
        return " and ".join(f"{write(x.lhs)} {sign} {write(x.rhs)}" for x, sign in signs)

    @property
    def weak(self) -> tuple[Expr, ...]:
        """What may be 0, as far as is known."""
        return tuple(fact for fact in self.nonnegative if fact not in self.positive)

    def holds_at(self, values: dict[Symbol, Expr]) -> bool:
        """Return whether numbers for some symbols satisfy every fact that holds no other symbol."""
        strict = (value_at(fact, values) for fact in self.positive)
        weak = (value_at(fact, values) for fact in self.nonnegative)
        return not any(v.is_number and not v.is_positive for v in strict) and not any(
            v.is_number and not v.is_nonnegative for v in weak
        )


def _side(fact: Expr, *, strict: bool) -> Relational:
    """Write that a fact is positive, or not negative, with what it takes away on the other side, or before a number."""
    less = -sympy.Add(*[term for term in sympy.Add.make_args(fact) if term.is_negative])
    more = fact + less
    if more.is_number:
        return less < more if strict else less <= more
    return more > less if strict else more >= less


def _merged(old: tuple[Expr, ...], new: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return old + tuple(fact for fact in dict.fromkeys(new) if fact.free_symbols and fact not in old)


@dataclass(frozen=True, slots=True)
class Interval:
    """The open interval ``low < variable < high``; ``high`` may be infinite, both may be symbolic."""

    variable: Symbol
    low: Expr
    high: Expr

    @property
    def facts(self) -> tuple[Expr, ...]:
        """The expressions that are positive inside the interval."""
        above = () if self.high is sympy.oo else (self.high - self.variable,)
        return (self.variable - self.low, *above)


@dataclass(frozen=True, slots=True)
class Piece:
    """A function's expression between two neighbouring breakpoints."""

    low: Expr
    high: Expr
    value: Expr

    def map(self, change: Callable[[Expr], Expr]) -> Piece:
        """Return the piece with its value changed and its ends kept."""
        return Piece(self.low, self.high, change(self.value))


@dataclass(frozen=True, slots=True, repr=False)
class Pieces:
    """A function on [0, 1] given by neighbouring pieces that share their ends.

    At an interior breakpoint the value is that of the piece on the left: a tie ``p = t`` goes to class 0,
    which makes both losses continuous from the left.
    """

    variable: Symbol
    pieces: tuple[Piece, ...]

    def __repr__(self) -> str:
        parts = [f"{piece.value} on ({piece.low}, {piece.high})" for piece in self.pieces]
        return f"<Pieces in {self.variable}: {cut(', '.join(parts), SHOWN)}>"

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    @property
    def breaks(self) -> tuple[Expr, ...]:
        """The interior breakpoints, ascending."""
        return tuple(piece.high for piece in self.pieces[:-1])

    def interval(self, piece: Piece) -> Interval:
        """Return the open interval of one piece."""
        return Interval(self.variable, piece.low, piece.high)

    def map(self, change: Callable[[Expr], Expr]) -> Pieces:
        """Return the function with every value changed."""
        return Pieces(self.variable, tuple(piece.map(change) for piece in self.pieces))

    def to_sympy(self) -> Expr:
        """Return the function as one SymPy expression, a ``Piecewise`` where pieces next to each other differ."""
        inner = [
            (piece.value, self.variable <= piece.high)
            for piece, following in pairwise(self.pieces)
            if piece.value != following.value
        ]
        return sympy.Piecewise(*inner, (self.pieces[-1].value, True))

    def piece_at(self, point: Expr) -> Piece:
        """Return the piece that holds a number in [0, 1]."""
        return next(piece for piece in self.pieces if point <= piece.high)


@dataclass(frozen=True, slots=True)
class Atom:
    """A point mass ``mass`` at ``at``."""

    at: Expr
    mass: Expr


class Sign(Enum):
    """What is known of the sign of a density on one of its pieces."""

    ZERO = "zero"
    NONNEGATIVE = "not negative"
    POSITIVE = "positive"


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure on [0, 1]: a piecewise density with the sign of each of its pieces, and atoms, ascending.

    The move that makes a measure claims its signs; later moves may rely on them.
    """

    density: Pieces
    signs: tuple[Sign, ...]
    atoms: tuple[Atom, ...] = ()
