"""The parameter of a curve of costs as a function of the cost proportion, where no formula needs to give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
import sympy
from sympy import Expr, Function, Symbol
from sympy.core.expr import AtomicExpr

if TYPE_CHECKING:
    from costderive.core.curve_places import Place

GUARD = 20  # bits


class OneWay(AtomicExpr):
    """A stretch ``low < x < high`` of a curve ``c0(x)``, ``c1(x)``, from the cost proportion ``first`` to ``last``.

    ``direction`` is 1 if the proportion ``c0/(c0 + c1)`` rises along it, -1 if it falls. It is a leaf of
    expressions, so that nothing is put in for its variable; its ``letters`` stand beside it in a `CurveParameter`.
    """

    is_commutative = True
    is_number = False

    def __new__(cls, *parts: Expr) -> OneWay:
        found: OneWay = AtomicExpr.__new__(cls)
        found.parts = tuple(map(sympy.sympify, parts))
        for name, part in zip(cls.NAMES, found.parts, strict=True):
            setattr(found, name, part)
        return found

    NAMES = ("c0", "c1", "variable", "low", "high", "first", "last", "direction")
    parts: tuple[Expr, ...]
    c0: Expr
    c1: Expr
    variable: Symbol
    low: Expr
    high: Expr
    first: Expr
    last: Expr
    direction: Expr

    def __getnewargs__(self) -> tuple[Expr, ...]:
        return self.parts

    def _hashable_content(self) -> tuple[Expr, ...]:
        return self.parts

    @property
    def free_symbols(self) -> set[Symbol]:
        return set()

    @property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters of the curve other than its variable, by name."""
        free = set().union(*[part.free_symbols for part in self.parts])
        return tuple(sorted(free - {self.variable}, key=sympy.default_sort_key))

    @property
    def proportion(self) -> Expr:
        """The cost proportion, a function of the variable."""
        return self.c0 / (self.c0 + self.c1)

    @property
    def odds(self) -> tuple[Expr, Expr, Expr]:
        """Both costs, whose quotient is the odds of the proportion, and `turning`."""
        return self.c0, self.c1, self.turning

    @property
    def turning(self) -> Expr:
        """An expression with the sign of the slope of the cost proportion, where the costs are not both 0."""
        return self.along(self.variable)

    def along(self, letter: Symbol) -> Expr:
        """Return ``(c0 + c1)^2`` times the derivative of the cost proportion in a letter."""
        return sympy.diff(self.c0, letter) * self.c1 - self.c0 * sympy.diff(self.c1, letter)

    @property
    def reach(self) -> tuple[Expr, Expr]:
        """The least and the greatest cost proportion."""
        return (self.first, self.last) if self.direction == 1 else (self.last, self.first)

    def place_of(self, proportion: Any) -> Any:
        """Return the variable at a cost proportion to the working precision of mpmath, ``nan`` where there is none.

        It is found by a numerical search: a proof that needs it proves that it is there.
        """
        return self.placed(proportion).variable

    def placed(self, proportion: Any) -> Place:
        """Return the variable at a cost proportion likewise, with its distances from both ends."""
        from costderive.core.curve_places import found_place  # of no use to what does not ask for numbers

        return found_place(self, proportion)

    def with_letters(self, values: tuple[Expr, ...]) -> OneWay:
        """Return the stretch with other expressions for its letters."""
        if any(self.variable in value.free_symbols for value in values):
            raise ValueError(f"{self.variable} is the variable of the curve and cannot be in its letters")
        put = dict(zip(self.letters, values, strict=True))
        return OneWay(*[part.subs(put, simultaneous=True) for part in self.parts])

    def _sympyrepr(self, printer: Any) -> str:
        return f"OneWay({', '.join(map(printer._print, self.parts))})"

    _sympystr = _sympyrepr


class CurveParameter(Function):
    """The x between ``low`` and ``high`` at which a curve that runs one way has a given cost proportion.

    At the proportions ``first`` and ``last`` it is ``low`` and ``high``.

    >>> from costderive.symbols import p
    >>> x = sympy.Symbol("x", positive=True)
    >>> line = OneWay(x, 2 - x, x, 0, 2, 0, 1, 1)
    >>> CurveParameter(line, p), CurveParameter(line, sympy.Rational(1, 4)).evalf(5)
    (x(p), 0.50000)
    """

    is_commutative = True

    def __new__(cls, stretch: OneWay, proportion: Expr, *letters: Expr) -> Expr:
        if letters and letters != stretch.letters:
            stretch = stretch.with_letters(letters)
        at = sympy.sympify(proportion, strict=True)
        for end, reached in ((stretch.low, stretch.first), (stretch.high, stretch.last)):
            if at == reached:
                return end
        found: Expr = Expr.__new__(cls, stretch, at, *stretch.letters)
        return found

    @property
    def stretch(self) -> OneWay:
        """The curve."""
        found: OneWay = self.args[0]
        return found

    @property
    def proportion(self) -> Expr:
        """The cost proportion."""
        return self.args[1]

    @property
    def is_number(self) -> bool:
        """Whether it has no letters."""
        return not self.free_symbols

    def _eval_derivative(self, letter: Symbol) -> Expr:
        """Differentiate ``c0/(c0 + c1) = proportion``; the curve's own variable is bound, whatever letter it is."""
        curve, moved = self.stretch, sympy.diff(self.proportion, letter)
        here = {curve.variable: self}
        along = curve.along(letter) if letter in curve.letters else sympy.S.Zero
        whole, beside, turning = (part.xreplace(here) for part in (curve.c0 + curve.c1, along, curve.turning))
        return (whole**2 * moved - beside) / turning

    def _eval_evalf(self, precision: int) -> Expr | None:
        if not self.is_number:
            return None
        with mpmath.workprec(precision + GUARD):
            at = self.proportion._eval_evalf(precision + GUARD)._to_mpmath(precision + GUARD)
            return sympy.Float._new(self.stretch.place_of(at)._mpf_, precision)

    def _sympystr(self, printer: Any) -> str:
        return f"{self.stretch.variable}({printer._print(self.proportion)})"

    def _latex(self, printer: Any) -> str:
        return rf"{self.stretch.variable}\left({printer._print(self.proportion)}\right)"
