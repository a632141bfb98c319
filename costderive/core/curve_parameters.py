"""The parameter of a curve of costs as a function of the cost proportion, where no formula needs to give it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from sympy import Expr, Function, Symbol
from sympy.core.expr import AtomicExpr

GUARD = 20  # bits
MARGIN = 12  # bits that are not known of those computed
DOUBLE = 36  # bits that are known of a root found in doubles
MOST_STEPS = 5000
FARTHEST = 2**20  # of the logarithm of a place


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
        (
            found.c0,
            found.c1,
            found.variable,
            found.low,
            found.high,
            found.first,
            found.last,
            found.direction,
        ) = found.parts
        return found

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
            return sympy.Float._new(solved(self.stretch, at)._mpf_, precision)

    def _sympystr(self, printer: Any) -> str:
        return f"{self.stretch.variable}({printer._print(self.proportion)})"

    def _latex(self, printer: Any) -> str:
        return rf"{self.stretch.variable}\left({printer._print(self.proportion)}\right)"


# ---- numbers


def solved(stretch: OneWay, at: Any) -> Any:
    """Return the variable at a cost proportion to the working precision, ``nan`` beyond the ends of a stretch.

    Newton's method for the log-odds of the proportion as a function of the logit or the logarithm of the variable's
    place: next to an end one is nearly linear in the other. It starts with doubles, or if these do not do, with all
    digits at once.
    """
    with mpmath.extraprec(GUARD):
        try:
            wanted = mpmath.log(at / (1 - at))
            z = _refined(stretch, wanted)
            gap = _gap(stretch, wanted, mpmath.mp)
            found: Any = gap(_bracketed(gap, mpmath.mp) if z is None else z)[0]
        except (ArithmeticError, ValueError, TypeError):  # beyond the ends a cost need not be real
            return mpmath.nan
    return +found


def _refined(stretch: OneWay, wanted: Any) -> Any:
    """Return the place of a root, found in doubles, whose digits each step doubles; ``None`` if that fails."""
    target, known = mpmath.mp.prec, DOUBLE
    try:
        z = mpmath.mpf(_bracketed(_gap(stretch, float(wanted), mpmath.fp), mpmath.fp))
    except (ArithmeticError, ValueError, TypeError, NameError):
        return None
    while known < target:
        reached = min(target, 2 * known - MARGIN)
        with mpmath.workprec(reached):
            _, value, slope = _gap(stretch, wanted, mpmath.mp)(z)
            step = value / slope if slope else mpmath.inf
            if not abs(step) <= max(1, abs(z)) * mpmath.ldexp(1, MARGIN - known):
                return None
            z, known = z - step, reached
    return z


Gap = Callable[[Any], tuple[Any, Any, Any]]


def _bracketed(gap: Gap, numbers: Any) -> Any:
    """Return the place of a root, first put between bounds, to nearly all digits."""
    low, high = -numbers.one, numbers.one
    while gap(low)[1] > 0:
        low *= 2
    while gap(high)[1] < 0:
        high *= 2
    z, reach = (low + high) / 2, numbers.eps * 2**MARGIN
    for _ in range(MOST_STEPS):
        _, value, slope = gap(z)
        low, high = (z, high) if value < 0 else (low, z)
        step = value / slope if slope else numbers.inf
        if abs(step) <= reach * max(1, abs(z)) or high - low <= reach * max(1, abs(z)):
            break
        z = z - step if low < z - step < high else (low + high) / 2
    return z


def _gap(stretch: OneWay, wanted: Any, numbers: Any) -> Gap:
    """Return the variable, by how much the log-odds at it are more than those wanted, and their slope."""
    beyond_low, before_high, ends = _functions(stretch, "math" if numbers is mpmath.fp else "mpmath")
    low, high = (end() for end in ends)
    is_bounded = high != numbers.inf

    def gap(z: Any) -> tuple[Any, Any, Any]:
        if abs(z) > FARTHEST:
            raise OverflowError("no variable of the stretch has this cost proportion")
        step = numbers.exp(-abs(z)) if is_bounded else numbers.exp(z)
        part = (high - low) * step / (1 + step) if is_bounded else step
        from_high = is_bounded and z > 0
        x = high - part if from_high else low + part
        c0, c1, turning = (before_high if from_high else beyond_low)(part)
        if min(c0, c1) <= 0:  # too few digits are left of a cost that is near 0
            return x, numbers.inf if c0 > c1 else -numbers.inf, 0
        speed = part / (1 + step) if is_bounded else part
        return x, numbers.log(c0 / c1) - wanted, turning / (c0 * c1) * speed

    return gap if stretch.direction == 1 else lambda z: _falling(*gap(z))


def _falling(x: Any, value: Any, slope: Any) -> tuple[Any, Any, Any]:
    return x, -value, -slope


@lru_cache(maxsize=64)
def _functions(
    stretch: OneWay, module: str
) -> tuple[Callable[..., Any], Callable[..., Any], Sequence[Callable[[], Any]]]:
    """Return both costs and the sign of the slope as functions of the distance from each end, and the ends."""
    distance = sympy.Dummy("distance", positive=True)
    places = (stretch.low + distance, distance if stretch.high is sympy.oo else stretch.high - distance)
    near = (
        sympy.lambdify(
            distance, [_at(part, stretch.variable, place) for part in stretch.odds], module, cse=True
        )
        for place in places
    )
    return next(near), next(near), [sympy.lambdify((), end, module) for end in (stretch.low, stretch.high)]


def _at(expr: Expr, variable: Symbol, place: Expr) -> Expr:
    """Put in a place; a polynomial is multiplied out, so that it does not cancel where it is 0."""
    found = expr.subs(variable, place)
    return sympy.expand(found) if expr.is_polynomial(variable) else found
