"""Closed forms as programs in ``p`` and ``r = 1 - p``, which NumPy runs on arrays and Numba on numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, Function, Pow

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.symbols import p
from costderive.deciders.size import steep
from costderive.numeric.distance_trees import distance, distance_of_margin
from costderive.numeric.many_digits import End, in_p_and_r, r
from costderive.numeric.point_pairs import Points
from costderive.numeric.program_tree import (
    EXACTLY,
    PAST,
    PRECISE,
    SHORT_OF,
    Name,
    Number,
    Operation,
    Program,
    Step,
    body,
    negated,
    total,
)
from costderive.numeric.tree_of import LOG_P, LOG_R, NAMES, program_of

LANES = {"log", "log_p", "log_r", "sqrt", EXACTLY}  # what a processor computes for several numbers at a time
ROOT_P, ROOT_R = sympy.sqrt(p), sympy.sqrt(r)
WELL_CONDITIONED = {
    sympy.log(p): LOG_P(p, r),
    sympy.log(r): LOG_R(p, r),
    sympy.asin(ROOT_P): sympy.atan2(ROOT_P, ROOT_R),
    sympy.asin(ROOT_R): sympy.atan2(ROOT_R, ROOT_P),
}
DISTANCE = sympy.Symbol("distance", positive=True)
REST = sympy.Symbol("rest", real=True)  # what rounding 1 - p to r has lost
RESTORED = REST.name, total(Number(1.0), negated(Name("r")), negated(Name("p")))
LONGEST = 120  # operations in a form that is still worth rewriting
LONGEST_FRACTION = 10**12  # the denominator of a breakpoint in which it is worth rewriting
LONGEST_EXPONENT = 10**6  # numbers in exponents
HIGHEST = 12  # power in one
MOST_OF_SEVERAL = 2  # times as high may be powers of exponentials that are none of each other
MOST_GENERATORS = 6  # of one: factoring takes long in many
DIVISION = 6  # what a division costs in other operations


@dataclass(frozen=True, slots=True)
class Closed:
    """A program of ``p`` and ``r``; ``cost`` counts its operations, ``text`` is what NumPy runs."""

    program: Program
    cost: int
    text: str = field(compare=False)

    @classmethod
    def of(cls, program: Program, cost: int) -> Closed:
        """Print a program."""
        return cls(program, cost, body(program))

    @property
    def in_lanes(self) -> bool:
        """Whether a loop over it can take several numbers at a time."""
        return self.program.calls() <= LANES

    def __call__(self, points: Points) -> Array:
        """Return the values at some points."""
        value = _function(self.text)(points.p, points.r)
        if isinstance(value, np.ndarray):
            return value
        return np.full(len(points), float(value))

    def function(self, functions: Mapping[str, Any]) -> Callable[[Any, Any], Any]:
        """Return the program with others in the place of NumPy's functions."""
        return _defined(self.text, functions)

    def precisely(self, p: Array) -> NDArray[np.longdouble]:
        """Return the values at doubles in the longest floating-point numbers of the machine."""
        longer = p.astype(np.longdouble)
        value = _function(body(self.program, PRECISE))(longer, 1 - longer)
        return np.asarray(np.broadcast_to(np.asarray(value, dtype=np.longdouble), p.shape))


def closed_forms(
    expr: Expr, ends: tuple[End, ...] = (), in_lanes: bool = False, of_margin: bool = False
) -> Iterator[Closed]:
    """Yield programs for an expression in ``p`` and ``r``, none if it has a function without a name here.

    A rational function is also written in the distance from each of the ``ends``. A program that runs ``in_lanes``
    has functions of :data:`LANES` alone. One ``of_margin`` is for p and r that were rounded apart: there is no putting
    back what rounding ``1 - p`` has lost, and the distance is that of logits.
    """
    if not _has_names(_written(expr)):
        return
    programs = [program for form in _forms(expr) for program in _programs(form)]
    programs += [program for end in ends for program in closed_forms_from(expr, end, of_margin)]
    yield from dict.fromkeys(
        program
        for program in programs
        if (program.in_lanes or not in_lanes) and not (of_margin and RESTORED in program.program.steps)
    )


def closed_forms_from(expr: Expr, end: End, of_margin: bool = False) -> Iterator[Closed]:
    """Yield programs for an expression in the distance from an end, and nothing else: none if it is not rational."""
    away = (distance_of_margin if of_margin else distance)(end)
    for form in _from_end(expr, end):
        yield from _programs(form, ((DISTANCE.name, away),))


def is_short(expr: Expr) -> bool:
    """Return whether an expression can be factored quickly."""
    powers = (abs(node.exp) for node in expr.atoms(Pow) if node.exp.is_number)
    if sympy.count_ops(expr) > LONGEST or any(power > HIGHEST for power in powers) or steep(expr):
        return False
    if len(_generators(expr)) > MOST_GENERATORS:
        return False
    numbers = (number for node in expr.atoms(sympy.exp) for number in node.atoms(sympy.Rational))
    if any(max(abs(number.p), number.q) > LONGEST_EXPONENT for number in numbers):
        return False  # however they are written, exponentials may be high powers of each other
    return all(power <= HIGHEST for power in _powers_of_exponentials(expr))


def _generators(expr: Expr) -> set[Expr]:
    """Return what a polynomial that is to be factored would have besides letters: functions, and bases of roots."""
    functions: set[Expr] = expr.atoms(Function)
    return functions | {x.base for x in expr.atoms(Pow) if x.exp.is_Rational and not x.exp.is_Integer}


def _powers_of_exponentials(expr: Expr) -> Iterator[Expr]:
    """Yield the powers that exponentials are of one that they are all powers of, for each kind of exponent."""
    kinds: dict[Expr, list[sympy.Rational]] = {}
    for node in expr.atoms(sympy.exp):
        for term in sympy.Add.make_args(sympy.expand(node.args[0])):
            factor, kind = term.as_coeff_Mul(rational=True)
            kinds.setdefault(kind, []).append(abs(factor))
    for factors in kinds.values():
        yield max(factors) / functools.reduce(sympy.gcd, factors)
    if len(kinds) > 1:  # a polynomial in several takes each to the numerator of its factor
        yield max(factor.p for factors in kinds.values() for factor in factors) / MOST_OF_SEVERAL


def _from_end(expr: Expr, end: End) -> Iterator[Expr]:
    """Yield a rational function as fractions and as partial fractions in the distance from a breakpoint."""
    plain = expr.subs(r, 1 - p)
    if end.at in (0, 1) or not end.at.is_Rational or end.at.q > LONGEST_FRACTION or not is_short(plain):
        return
    if plain.is_rational_function(p):
        shifted = sympy.factor(plain.subs(p, end.at + end.side * DISTANCE))
        yield shifted
        yield _apart(shifted)
        above, below = sympy.fraction(shifted)
        yield above / sympy.horner(sympy.expand(below))  # near the end its constant counts for most


def _forms(expr: Expr) -> Iterator[Expr]:
    """Yield ways of writing an expression: as it is, as one fraction, as partial fractions, in r alone."""
    yield expr
    plain = expr.subs(r, 1 - p)
    if not (is_short(expr) and is_short(plain)):  # exponents that are one in r may be several in p
        return
    ways: tuple[Callable[[Expr], Expr], ...] = (sympy.factor, sympy.cancel, _apart, _expanded)
    for way in ways:
        yield in_p_and_r(way(plain))
    flipped = sympy.factor(plain.subs(p, 1 - r))
    yield flipped
    yield sympy.expand(flipped) if flipped.is_polynomial(r) else _apart(flipped)


def _apart(expr: Expr) -> Expr:
    (symbol,) = expr.free_symbols or (p,)
    return sympy.apart(expr, symbol) if expr.is_rational_function(symbol) else expr


def _expanded(expr: Expr) -> Expr:
    return sympy.horner(expr, p) if expr.is_polynomial(p) else sympy.expand_log(sympy.powsimp(expr))


def _programs(expr: Expr, before: tuple[Step, ...] = ()) -> Iterator[Closed]:
    """Yield the programs of a form: as it is, and with what rounding ``1 - p`` has lost put back."""
    written = _written(expr)
    if not _has_names(written):
        return
    yield from _arranged(written, before)
    restored = written.replace(_is_power_of_r, lambda node: _restored(int(node.exp)))
    if restored != written:
        yield from _arranged(restored, (*before, RESTORED))


def _written(expr: Expr) -> Expr:
    return _constants_folded(expr.xreplace(WELL_CONDITIONED))


def _has_names(written: Expr) -> bool:
    return all(node.func in NAMES for node in written.atoms(Function))


def _is_power_of_r(node: Expr) -> bool:
    return isinstance(node, Pow) and node.base == r and node.exp.is_Integer and abs(node.exp) <= HIGHEST


def _restored(power: int) -> Expr:
    """Write ``(r + rest)^n`` to first order in the rest: exactly, as doubles go."""
    size = abs(power)
    return Pow(r ** (size - 1) * (r + size * REST), power // size)


def _arranged(expr: Expr, before: tuple[Step, ...]) -> Iterator[Closed]:
    """Yield programs with the rational factor of a product in the numerator, in the denominator, or at the end."""
    constant, rest = expr.as_coeff_Mul()
    above, below = sympy.fraction(rest)
    ways: list[tuple[Expr, ...]] = [(expr,)]
    if constant.is_Rational and constant.q != 1 and rest != 1:
        over = sympy.Integer(constant.q)
        ways.append((constant.p * rest, over))
        if below != 1:
            ways.append((constant.p * above, over * below))
    operations = int(sympy.count_ops(expr))
    for parts in ways:
        with suppress(OverflowError):  # a number beyond the range of doubles
            yield _closed(parts, before, operations)


def _closed(parts: tuple[Expr, ...], before: tuple[Step, ...], operations: int) -> Closed:
    """Return the program of an expression, or of the quotient of two, in which nothing is computed twice."""
    program = program_of(*parts, before=before)
    divisions = sum(isinstance(node, Operation) and node.sign == "/" for node in program.nodes())
    return Closed.of(program, operations + DIVISION * divisions)


def _constants_folded(expr: Expr) -> Expr:
    return expr.replace(lambda node: node.is_number and not node.is_Rational, lambda node: node.evalf(40))


@functools.lru_cache(maxsize=4096)
def _function(text: str) -> Callable[[Any, Any], Any]:
    """Compile the body of a function, which holds nothing but names from the tables here and numbers."""
    names: dict[str, Any] = {name: getattr(np, name, None) for name in (*NAMES.values(), "sqrt", "power")}
    return _defined(text, names | {"number": np.longdouble, **LOGARITHMS, **DISTANCES})


def _defined(text: str, functions: Mapping[str, Any]) -> Callable[[Any, Any], Any]:
    names = dict(functions)
    exec(f"def function(p, r):\n{text}", names)
    function: Callable[[Any, Any], Any] = names["function"]
    return function


LOGARITHMS: dict[str, Any] = {"log_p": lambda p, r: np.log(p), "log_r": lambda p, r: np.log1p(-p)}
DISTANCES: dict[str, Any] = {
    PAST: lambda p, r, high, low, *_: (p - high) - low,
    SHORT_OF: lambda p, r, high, low, *_: (high - p) + low,
}
