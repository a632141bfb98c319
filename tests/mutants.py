"""Falsified results of every move, which the claims of the move's step must not let pass.

A mutant is the ``after`` of one step with something wrong in it. It is put into the step and into the
``before`` of the next one, so that nothing but the claims of the step itself can notice. The generic mutants
go through every part of the object; the special ones are wrong in several places at once, in ways that belong
together. Those that are provably as right as the original are named in `EQUIVALENT`, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import chain
from typing import Any

import sympy
from sympy import Abs, Derivative, Expr, I, Integral, Rational, Symbol, atan, exp, floor, log, oo, sqrt

import costderive as cd
from costderive.contexts import Context, FixedCosts, Independent, Mixture
from costderive.derivation import Derivation
from costderive.integrals import (
    ExpectedLoss,
    Point,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.laws import exponential, halfnormal, lognormal, uniform
from costderive.moves import IntegrateMagnitude, SliceRegion
from costderive.pieces import Atom, Given, Interval, Measure, Piece, Pieces, Sign
from costderive.proof import Case, Claim, Equal, NonNegative, Positive, Regular, Tends
from costderive.rule import Losses, Properness, RiskSlope
from costderive.symbols import c0, c1, p, parameter, q, s, t
from tests.reference import derived

ZERO, ONE, HALF = sympy.S.Zero, sympy.S.One, Rational(1, 2)
TINY = Rational(1, 10**30)


# -------------------------------------------------------------------------------------------- families


CONTEXTS: dict[str, Callable[[], Context]] = {
    "smooth": lambda: cd.Geometric("m"),
    "unbounded": lambda: cd.Harmonic("d"),
    "piecewise": lambda: cd.PowerMean("oo"),
    "integral": lambda: cd.PowerMean(3),
    "rectangle": lambda: cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "corner": lambda: cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "symbolic": lambda: cd.IndependentUniform(c0=("a", "b"), c1=("d", "e")),
    "orders": lambda: cd.IndependentUniform(c0=(1, "b"), c1=(1, 2)),
    "atom": lambda: Mixture((HALF, cd.Additive()), (HALF, FixedCosts(1, 3))),
    "arc": lambda: Independent(c0=uniform(1, 2), c1=1),
    "exponential": lambda: Independent(c0=exponential("m"), c1=exponential("n")),
    "tails": lambda: Independent(c0=halfnormal(1), c1=exponential(1)),
    "bells": lambda: Independent(c0=lognormal("m", 1), c1=lognormal(1, 2)),
}
SAMPLED = {
    "symbolic": 12,
    "orders": 12,
    "rectangle": 40,
    "piecewise": 60,
    "tails": 20,
    "bells": 20,
}  # generic mutants per step; elsewhere all of them


def derivation(family: str) -> Derivation:
    """Derive a family's context, once."""
    return derived(CONTEXTS[family]())


def case(family: str) -> Case:
    """Return the first case of a family."""
    return derivation(family).cases[0]


def falsified(original: Case, number: int, after: Any) -> Case:
    """Return the case with another result of one step, from which the next step then starts."""
    steps = list(original.steps)
    steps[number] = replace(steps[number], after=after)
    if number + 1 < len(steps):
        steps[number + 1] = replace(steps[number + 1], before=after)
    return replace(original, steps=tuple(steps))


# ------------------------------------------------------------------------------------- generic mutants


@dataclass(frozen=True, slots=True)
class Mutant:
    """A falsified object, and in words what is wrong in it."""

    name: str
    after: Any


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an object, the path to it, and how to put something else there."""

    path: str
    part: Any
    put: Callable[[Any], Any]


def places(whole: Any) -> Iterator[Place]:
    """Go through all parts of an object, the object itself first."""
    yield from _places(Place("", whole, lambda new: new))


def _places(here: Place) -> Iterator[Place]:
    yield here
    if isinstance(here.part, tuple):
        for index in range(len(here.part)):
            yield from _places(_element(here, index))
    elif is_dataclass(here.part):
        for name in [field.name for field in fields(here.part)]:
            yield from _places(_field(here, name))


def _element(here: Place, index: int) -> Place:
    def put(new: Any) -> Any:
        return here.put((*here.part[:index], new, *here.part[index + 1 :]))

    return Place(f"{here.path}[{index}]", here.part[index], put)


def _field(here: Place, name: str) -> Place:
    def put(new: Any) -> Any:
        return here.put(replace(here.part, **{name: new}))

    return Place(f"{here.path}.{name}", getattr(here.part, name), put)


def generic(whole: Any) -> Iterator[Mutant]:
    """Change every expression, flag and tuple of an object in every way of the tables below."""
    for place in places(whole):
        for name, change in CHANGES:
            if (new := change(place.part)) is not None and new != place.part:
                yield Mutant(f"{place.path} {name}", place.put(new))
        if isinstance(place.part, tuple) and not isinstance(place.part, sympy.Basic):
            yield from _rearranged(place)


def _rearranged(place: Place) -> Iterator[Mutant]:
    items = place.part
    for index, item in enumerate(items):
        before, after = items[:index], items[index + 1 :]
        yield Mutant(f"{place.path} without [{index}]", place.put((*before, *after)))
        yield Mutant(f"{place.path} with [{index}] twice", place.put((*before, item, item, *after)))
        if after and after[0] != item:
            yield Mutant(
                f"{place.path} with [{index}] and the next exchanged",
                place.put((*before, after[0], item, *after[1:])),
            )


def _expression(change: Callable[[Expr], Expr]) -> Callable[[Any], Any]:
    def changed(part: Any) -> Any:
        return (
            change(part)
            if isinstance(part, Expr) and not isinstance(part, Symbol) and part.is_finite is not False
            else None
        )

    return changed


def _reparametrised(expr: Expr) -> Expr:
    parameters = sorted(expr.free_symbols - {c0, c1, p, q, s}, key=str)
    return expr.subs(parameters[0], 2 * parameters[0]) if parameters else expr


def _bounded(part: Any) -> Any:
    return sympy.Integer(3) if part is oo else None


def _signed(sign: Sign) -> Callable[[Any], Any]:
    return lambda part: sign if isinstance(part, Sign) else None


def _renamed(part: Any) -> Any:
    return {s: p, p: q}.get(part) if isinstance(part, Symbol) else None


CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("doubled", _expression(lambda expr: 2 * expr)),
    ("negated", _expression(lambda expr: -expr)),
    ("plus 1", _expression(lambda expr: expr + 1)),
    ("plus 10^-30", _expression(lambda expr: expr + TINY)),
    ("plus i", _expression(lambda expr: expr + I)),
    ("at 1 - s", _expression(lambda expr: expr.subs(s, 1 - s))),
    ("at 1 - p", _expression(lambda expr: expr.subs(p, 1 - p))),
    ("with its parameter doubled", _expression(_reparametrised)),
    ("made finite", _bounded),
    ("in another variable", _renamed),
    ("called zero", _signed(Sign.ZERO)),
    ("called positive", _signed(Sign.POSITIVE)),
    ("called not negative", _signed(Sign.NONNEGATIVE)),
    ("reversed", lambda part: not part if isinstance(part, bool) else None),
)


# ------------------------------------------------------------------------------------- special mutants


def special(after: Any) -> Iterator[Mutant]:
    """Return the mutants that only this kind of object has."""
    yield from _SPECIAL.get(type(after), lambda _: iter(()))(after)


def _of_expectation(after: ExpectedLoss) -> Iterator[Mutant]:
    yield Mutant("no costs at all", ExpectedLoss())
    yield Mutant("the integrals as points", ExpectedLoss(points=(Point(ONE, ONE, ONE),)))
    for number, area in enumerate(after.areas):
        exchanged = {c0: c1, c1: c0}
        turned = tuple(x.subs(exchanged, simultaneous=True) for x in area.constraints)
        yield Mutant(
            f"area {number} with the classes exchanged",
            replace(after, areas=(replace(area, constraints=turned),)),
        )
        yield Mutant(
            f"area {number} without constraints", replace(after, areas=(replace(area, constraints=()),))
        )
    for number, line in enumerate(after.lines):
        yield Mutant(
            f"line {number} on half its range", replace(after, lines=(replace(line, high=line.high / 2),))
        )
        yield Mutant(
            f"line {number} with all in its density",
            replace(after, lines=(replace(line, magnitude=ONE, density=line.magnitude),)),
        )


def _of_substitution(after: ThresholdIntegral) -> Iterator[Mutant]:
    for number, sheet in enumerate(after.sheets):

        def put(new: Sheet, number: int = number) -> ThresholdIntegral:
            return replace(after, sheets=(*after.sheets[:number], new, *after.sheets[number + 1 :]))

        yield Mutant(
            f"sheet {number} without its Jacobian",
            put(replace(sheet, integrand=sheet.integrand / sheet.jacobian)),
        )
        no_jacobian = replace(sheet, jacobian=ONE, integrand=sheet.integrand / sheet.jacobian)
        yield Mutant(f"sheet {number} with Jacobian 1 throughout", put(no_jacobian))
        yield Mutant(
            f"sheet {number} without the magnitude",
            put(replace(sheet, integrand=sheet.integrand * (1 - s) / c1)),
        )
        yield Mutant(f"sheet {number} without constraints", put(replace(sheet, constraints=())))
        flipped = tuple(-constraint for constraint in sheet.constraints)
        yield Mutant(
            f"sheet {number} with all constraints reversed", put(replace(sheet, constraints=flipped))
        )
    if after.densities:
        halved = tuple(replace(x, low=x.low / 2, high=x.high / 2) for x in after.densities)
        yield Mutant("densities squeezed into half the range", replace(after, densities=halved))
        yield Mutant(
            "densities in s twice",
            replace(after, densities=tuple(x.map(lambda w: w * s) for x in after.densities)),
        )
    for number, strand in enumerate(after.strands):
        low, high, value = strand.piece.low, strand.piece.high, strand.piece.value
        others = {
            "run backwards": replace(strand, slope=-strand.slope, piece=Piece(low, high, -value)),
            "with its ends exchanged": replace(strand, piece=Piece(high, low, value)),
            "backwards with its ends exchanged": replace(
                strand, slope=-strand.slope, piece=Piece(high, low, value)
            ),
            "without its slope": replace(strand, piece=Piece(low, high, value / strand.slope)),
            "on half its range": replace(strand, piece=Piece(low, (low + high) / 2, value)),
            "with a jump": replace(strand, inverse=strand.inverse + _jump(s, (low + high) / 2)),
            "with the mirrored inverse": replace(strand, inverse=strand.inverse.subs(s, 1 - s)),
        }
        for name, other in others.items():
            yield Mutant(
                f"strand {number} {name}", replace(after, strands=_one(after.strands, number, other))
            )


def _of_slices(after: SlicedIntegral) -> Iterator[Mutant]:
    for sheet, slices in enumerate(after.slices):

        def put(new: tuple[Slice, ...], sheet: int = sheet) -> SlicedIntegral:
            return replace(after, slices=(*after.slices[:sheet], new, *after.slices[sheet + 1 :]))

        for number, piece in enumerate(slices):
            here = f"slice {sheet}.{number}"

            def one(
                new: Slice, number: int = number, slices: tuple[Slice, ...] = slices
            ) -> tuple[Slice, ...]:
                return (*slices[:number], new, *slices[number + 1 :])

            yield Mutant(
                f"{here} with its bounds exchanged",
                put(one(replace(piece, lower=piece.upper, upper=piece.lower))),
            )
            yield Mutant(f"{here} up to infinity", put(one(replace(piece, upper=oo))))
            yield Mutant(f"{here} from 0", put(one(replace(piece, lower=ZERO, empty=False))))
            yield Mutant(f"{here} shrunk to its lower bound", put(one(replace(piece, upper=piece.lower))))
            yield Mutant(f"{here} shrunk to its upper bound", put(one(replace(piece, lower=piece.upper))))
            middle = (piece.lower + piece.upper) / 2
            yield Mutant(f"{here} half as long", put(one(replace(piece, upper=middle))))
            yield Mutant(
                f"{here} split in two", put((*slices[:number], *_halves(piece), *slices[number + 1 :]))
            )
            if number + 1 < len(slices):
                yield Mutant(f"{here} eats into the next", put(_moved(slices, number, HALF)))
                yield Mutant(f"{here} swallows the next", put(_moved(slices, number, ONE)))
                yield Mutant(f"{here} gives way to the next", put(_moved(slices, number, -HALF)))


def _halves(piece: Any) -> tuple[Any, Any]:
    middle = (piece.low + piece.high) / 2
    return replace(piece, high=middle), replace(piece, low=middle)


def _moved(pieces: tuple[Any, ...], number: int, share: Expr) -> tuple[Any, ...]:
    """Move the break after a piece by a share of the next piece's length, or back by a share of its own."""
    left, right = pieces[number], pieces[number + 1]
    place = left.high + share * ((right.high - right.low) if share > 0 else (left.high - left.low))
    middle = (replace(left, high=place), replace(right, low=place))
    return (*pieces[:number], *middle, *pieces[number + 2 :])


def _of_weight(after: WeightedLoss) -> Iterator[Mutant]:
    pieces, signs = after.weight.density.pieces, after.weight.signs

    def put(new: tuple[Piece, ...], known: tuple[Sign, ...] = signs) -> WeightedLoss:
        known = known if len(known) == len(new) else (Sign.NONNEGATIVE,) * len(new)
        return replace(after, weight=replace(after.weight, density=Pieces(s, new), signs=known))

    for number, piece in enumerate(pieces):
        yield Mutant(
            f"weight split at the middle of piece {number}",
            put((*pieces[:number], *_halves(piece), *pieces[number + 1 :])),
        )
        if number + 1 < len(pieces):
            for share in (HALF, -HALF, ONE):
                yield Mutant(
                    f"weight with break {number} moved by {share}", put(_moved(pieces, number, share))
                )
            joined = Piece(piece.low, pieces[number + 1].high, piece.value)
            yield Mutant(
                f"weight with piece {number} in place of the next",
                put((*pieces[:number], joined, *pieces[number + 2 :])),
            )
    yield Mutant("weight doubled on all pieces", put(tuple(x.map(lambda w: 2 * w) for x in pieces)))
    yield Mutant("no weight", put((Piece(ZERO, ONE, ZERO),), (Sign.ZERO,)))
    yield Mutant(
        "weight with the classes exchanged", put(tuple(_mirror(x) for x in reversed(pieces)), signs[::-1])
    )
    for atom in (Atom(HALF, ONE), Atom(HALF, ZERO), Atom(pieces[0].high, ONE)):
        atoms = (*after.weight.atoms, atom)
        yield Mutant(
            f"an atom of mass {atom.mass} at {atom.at}",
            replace(after, weight=replace(after.weight, atoms=atoms)),
        )
    for number, inner in enumerate(after.inner):
        lower, upper = inner.slice.lower, inner.slice.upper
        for name, change in _ADDED.items():
            if inner.antiderivative is not None:
                changed = replace(inner, antiderivative=inner.antiderivative + change)
                yield Mutant(
                    f"antiderivative {number} plus {name}",
                    replace(after, inner=_one(after.inner, number, changed)),
                )
                ends = {
                    "at_lower": inner.at_lower + change.subs(c1, lower),
                    "at_upper": inner.at_upper + change.subs(c1, upper),
                }
                moved = replace(
                    changed,
                    **ends,
                    value=inner.value + ends["at_upper"] - ends["at_lower"] - inner.at_upper + inner.at_lower,
                )
                yield Mutant(
                    f"antiderivative {number} plus {name} throughout",
                    replace(after, inner=_one(after.inner, number, moved)),
                )
        forgotten = replace(inner, antiderivative=ZERO, at_lower=ZERO, at_upper=ZERO, value=ZERO)
        yield Mutant(
            f"inner integral {number} forgotten", replace(after, inner=_one(after.inner, number, forgotten))
        )
        turned = replace(inner, at_lower=inner.at_upper, at_upper=inner.at_lower)
        yield Mutant(
            f"inner integral {number} with its limits exchanged",
            replace(after, inner=_one(after.inner, number, turned)),
        )


def _mirror(piece: Piece) -> Piece:
    return Piece(1 - piece.high, 1 - piece.low, piece.value.subs(s, 1 - s))


def _one(items: tuple[Any, ...], number: int, new: Any) -> tuple[Any, ...]:
    return (*items[:number], new, *items[number + 1 :])


def _jump(variable: Symbol, place: Expr) -> Expr:
    """Return a function with slope 0 everywhere except at one place, where it jumps by pi."""
    return atan(1 / (variable - place)) + atan(variable - place)


# What has no slope in c1 (the first two: harmless if it is added throughout), and what has one.
_ADDED: dict[str, Expr] = {
    "s": s,
    "log(s)": log(s),
    "c1 s": c1 * s,
    "a jump": _jump(c1, Rational(9, 8)),
    "i": I,
}


def _of_losses(after: Losses) -> Iterator[Mutant]:
    yield Mutant("losses exchanged", replace(after, loss0=after.loss1, loss1=after.loss0))
    yield Mutant(
        "losses and worst losses exchanged",
        replace(after, loss0=after.loss1, loss1=after.loss0, worst0=after.worst1, worst1=after.worst0),
    )
    yield Mutant("worst losses exchanged", replace(after, worst0=after.worst1, worst1=after.worst0))
    yield Mutant("losses of q", replace(after, loss0=_in(after.loss0, q), loss1=_in(after.loss1, q)))
    for name, constant in (("1", ONE), ("log 2", log(2)), ("i", I)):
        lifted0 = replace(
            after, loss0=after.loss0.map(lambda x, c=constant: x + c), worst0=after.worst0 + constant
        )
        yield Mutant(f"loss 0 lifted by {name} throughout", lifted0)
        lifted1 = replace(
            after, loss1=after.loss1.map(lambda x, c=constant: x + c), worst1=after.worst1 + constant
        )
        yield Mutant(f"loss 1 lifted by {name} throughout", lifted1)
    for loss in ("loss0", "loss1"):
        yield from _of_one_loss(after, loss)
    for number in range(len(after.loss0.pieces)):
        yield Mutant(
            f"piece {number} missing everywhere",
            _everywhere(after, lambda x, n=number: (*x[:n], *x[n + 1 :])),
        )
        yield Mutant(
            f"piece {number} twice everywhere", _everywhere(after, lambda x, n=number: (*x[:n], x[n], *x[n:]))
        )
        if number:
            yield Mutant(
                f"break {number} moved everywhere",
                _everywhere(after, lambda x, n=number: _moved(x, n - 1, -HALF)),
            )
    yield Mutant(
        "domain up to 2 everywhere",
        _everywhere(after, lambda x: (*x[:-1], replace(x[-1], high=sympy.Integer(2)))),
    )
    yield Mutant(
        "domain from 1/9 everywhere",
        _everywhere(after, lambda x: (replace(x[0], low=Rational(1, 9)), *x[1:])),
    )
    yield Mutant(
        "everything doubled",
        _everywhere(after, lambda x: tuple(piece.map(lambda value: 2 * value) for piece in x)),
    )


def _in(function: Pieces, variable: Symbol) -> Pieces:
    return Pieces(
        variable, tuple(piece.map(lambda x: x.subs(function.variable, variable)) for piece in function)
    )


def _of_one_loss(after: Losses, loss: str) -> Iterator[Mutant]:
    """Add to a piece what its slope does not show: a jump inside, or from one piece to the next."""
    function: Pieces = getattr(after, loss)
    for number, piece in enumerate(function):
        middle = (piece.low + piece.high) / 2
        steps = {
            "arctangents": _jump(p, middle),
            "floor": floor(p - middle),
            "absolute value": (p - middle) / Abs(p - middle),
            "root": (p - middle) / sqrt(sympy.expand((p - middle) ** 2)),
        }
        for name, step in steps.items():
            start = step.subs(p, piece.low)
            changed = _one(function.pieces, number, piece.map(lambda x, extra=step - start: x + extra))
            yield Mutant(
                f"{loss} jumps inside piece {number} ({name})",
                replace(after, **{loss: replace(function, pieces=changed)}),
            )
        for integral in sorted(piece.value.atoms(Integral), key=str):
            yield from _of_integral(after, loss, number, integral)


def _of_integral(after: Losses, loss: str, number: int, integral: Integral) -> Iterator[Mutant]:
    function: Pieces = getattr(after, loss)
    variable, low, high = integral.limits[0]
    ends = {"from 1/9": (Rational(1, 9), high), "to 8/9": (low, Rational(8, 9)), "backwards": (high, low)}
    others = [(name, Integral(integral.function, (variable, *pair))) for name, pair in ends.items()]
    others.append(("of another integrand", Integral(integral.function * 2 * variable, (variable, low, high))))
    others.append(
        ("over a pole", Integral(integral.function + 1 / (variable - HALF) ** 2, (variable, low, high)))
    )
    others.append(
        ("in two variables", Integral(integral.function, (variable, low, p**2 if high == p else high)))
    )
    for name, other in others:
        changed = _one(
            function.pieces, number, function.pieces[number].map(lambda x, new=other: x.subs(integral, new))
        )
        yield Mutant(f"{loss} integral {name}", replace(after, **{loss: replace(function, pieces=changed)}))


def _everywhere(after: Losses, change: Callable[[tuple[Piece, ...]], tuple[Piece, ...]]) -> Losses:
    """Change both losses and the weight in the same way."""

    def changed(function: Pieces) -> Pieces:
        return replace(function, pieces=change(function.pieces))

    density = changed(after.weight.density)
    signs = (
        after.weight.signs
        if len(density.pieces) == len(after.weight.signs)
        else (Sign.NONNEGATIVE,) * len(density.pieces)
    )
    weight = Measure(density, signs, after.weight.atoms)
    return replace(after, loss0=changed(after.loss0), loss1=changed(after.loss1), weight=weight)


def _of_slope(after: RiskSlope) -> Iterator[Mutant]:
    density = after.factor.density

    def put(pieces: tuple[Piece, ...]) -> RiskSlope:
        return replace(after, factor=replace(after.factor, density=Pieces(s, pieces)))

    yield Mutant("factor of the mirrored weight", put(tuple(_mirror(x) for x in reversed(density.pieces))))
    yield Mutant("factor doubled throughout", put(density.map(lambda x: 2 * x).pieces))
    yield Mutant("factor in s + 1/2", put(density.map(lambda x: x.subs(s, HALF) + s).pieces))
    yield Mutant("factor 0", put(density.map(lambda _: ZERO).pieces))
    yield Mutant("no factor", put(()))
    for mutant in _of_losses(after.losses):
        yield Mutant(f"with {mutant.name}", replace(after, losses=mutant.after))


def _of_properness(after: Properness) -> Iterator[Mutant]:
    places = [piece.low for piece in after.losses.weight.density] + [ONE]
    for low in places:
        for high in places:
            yield Mutant(f"strict on ({low}, {high})", replace(after, strict=((low, high),)))
            yield Mutant(
                f"strict on ({low}, {high}) too", replace(after, strict=(*after.strict, (low, high)))
            )
    yield Mutant("strict nowhere", replace(after, strict=()))
    yield Mutant("strict on (-1, 1)", replace(after, strict=((-ONE, ONE),)))
    yield Mutant("strict on (0, 2)", replace(after, strict=((ZERO, sympy.Integer(2)),)))
    yield Mutant("strict inside a piece", replace(after, strict=((Rational(1, 97), Rational(96, 97)),)))
    for mutant in _of_losses(after.losses):
        yield Mutant(f"with {mutant.name}", replace(after, losses=mutant.after))


_SPECIAL: dict[type, Callable[[Any], Iterator[Mutant]]] = {
    ExpectedLoss: _of_expectation,
    ThresholdIntegral: _of_substitution,
    SlicedIntegral: _of_slices,
    WeightedLoss: _of_weight,
    Losses: _of_losses,
    RiskSlope: _of_slope,
    Properness: _of_properness,
}


def mutants(family: str, number: int) -> list[Mutant]:
    """Return the mutants of one step of a family: the special ones and a regular sample of the generic."""
    after = case(family).steps[number].after
    common = list(generic(after))
    stride = max(1, len(common) // SAMPLED.get(family, len(common) + 1))
    return [
        mutant for mutant in chain(special(after), common[number % stride :: stride]) if mutant.after != after
    ]


# -------------------------------------------------------------------------------------- no mistake at all


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Mutants that are as right as the original: a pattern of their names, and why no claim refuses them."""

    move: type
    pattern: str
    reason: str
    families: tuple[str, ...] = ()

    def covers(self, move: object, family: str, name: str) -> bool:
        """Tell whether this is about a mutant of this name."""
        known = not self.families or family in self.families
        return known and isinstance(move, self.move) and re.fullmatch(self.pattern, name) is not None


WITH_EMPTY_SLICES = ("rectangle", "symbolic", "orders")
EQUIVALENT: tuple[Equivalent, ...] = (
    Equivalent(SliceRegion, r"slice .* split in two", "the same region, cut once more"),
    Equivalent(
        IntegrateMagnitude, r"weight split at .*", "the same function, with one breakpoint more than it needs"
    ),
    Equivalent(
        IntegrateMagnitude,
        r"\.weight\.signs\[\d\] called not negative",
        "says less than it could, and that is true",
    ),
    Equivalent(
        IntegrateMagnitude,
        r"antiderivative \d plus (s|log\(s\)|i) throughout",
        "what does not depend on c1 cancels in the difference at the bounds",
    ),
    Equivalent(
        IntegrateMagnitude,
        r"inner integral [04] forgotten|\.inner\[[04]\]\.at_(lower|upper) .*",
        "nothing reads the certificate of an empty slice, whose integral is 0",
        WITH_EMPTY_SLICES,
    ),
)


def equivalent(move: object, family: str, name: str) -> Equivalent | None:
    """Return the entry of the table that excuses a mutant, if there is one."""
    return next((entry for entry in EQUIVALENT if entry.covers(move, family, name)), None)


# --------------------------------------------------------------------------------- whole derivations


def derivation_mutants() -> Iterator[tuple[str, Derivation]]:
    """Derivations that lack something, each made of true steps: only claims about the whole can notice."""
    whole = derivation("orders")
    first, second = whole.cases
    yield "without its second case", replace(whole, cases=(first,))
    yield "without its first case", replace(whole, cases=(second,))
    yield "without cases", replace(whole, cases=())
    yield "of another context", replace(whole, context=cd.Additive())
    yield (
        "of the context with other bounds",
        replace(whole, context=cd.IndependentUniform(c0=(1, "b"), c1=(1, 3))),
    )
    for count in range(len(first.steps)):
        cut = tuple(replace(case, steps=case.steps[:count]) for case in whole.cases)
        yield f"of the first {count} steps only", replace(whole, cases=cut)
    late = tuple(replace(case, steps=case.steps[1:]) for case in whole.cases)
    yield "without its first step", replace(whole, cases=late)
    for number in (1, 3, 5):
        gap = tuple(
            replace(case, steps=case.steps[:number] + case.steps[number + 1 :]) for case in whole.cases
        )
        yield f"without step {number}", replace(whole, cases=gap)
    bound = parameter("b")
    for name, fact in (("b > 7/4", bound - Rational(7, 4)), ("b > 10", bound - 10)):
        case = replace(first, given=first.given.also(positive=(fact,)))
        yield f"under the further fact {name}", replace(whole, cases=(case, second))
    exchanged = (replace(first, given=second.given), replace(second, given=first.given))
    yield "with the facts of its cases exchanged", replace(whole, cases=exchanged)


# ----------------------------------------------------------------------------------- claims that are false


@dataclass(frozen=True, slots=True)
class Falsehood:
    """A claim that is false, or meaningless, for at least one admissible point; ``why`` names it."""

    name: str
    claim: Claim
    why: str
    given: Given = field(default_factory=Given)


a, b, d, e = (parameter(letter) for letter in "abde")
REAL = Symbol("r", real=True)
ANY = Symbol("z")
UNIT, REPORTS = Interval(s, ZERO, ONE), Interval(p, ZERO, ONE)
QUARTER = Rational(1, 4)
ROOT_GAP = s - log(s) - 2
HIDDEN_ZEROS = {
    "sin^2 + cos^2 - 1": sympy.sin(1) ** 2 + sympy.cos(1) ** 2 - 1,
    "log 6 - log 2 - log 3": log(6) - log(2) - log(3),
    "denested root": sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3),
    "atan 2 + atan 3 - 3 pi/4": atan(2) + atan(3) - 3 * sympy.pi / 4,
}


def _equal(name: str, left: Any, right: Any, why: str, on: Interval | None = UNIT) -> Falsehood:
    return Falsehood(name, Equal("", sympy.sympify(left), sympy.sympify(right), on), why)


def _at_least_zero(
    name: str, expr: Any, why: str, on: Interval | None = UNIT, given: Given | None = None
) -> Falsehood:
    return Falsehood(name, NonNegative("", sympy.sympify(expr), on), why, given or Given())


def _above_zero(
    name: str, expr: Any, why: str, on: Interval | None = UNIT, given: Given | None = None
) -> Falsehood:
    return Falsehood(name, Positive("", sympy.sympify(expr), on), why, given or Given())


def _smooth(name: str, expr: Any, why: str) -> Falsehood:
    return Falsehood(name, Regular("", sympy.sympify(expr), REPORTS), why)


def _tends(name: str, expr: Any, point: Any, side: str, value: Any, why: str) -> Falsehood:
    claim = Tends("", sympy.sympify(expr), p, sympy.sympify(point), side, sympy.sympify(value))
    return Falsehood(name, claim, why)


FALSE_EQUALITIES = (
    _equal("root of a square", sqrt(s**2 - s + QUARTER), s - HALF, "negative below 1/2"),
    _equal("root of a square of parameters", sqrt(a**2 - 2 * a * b + b**2), a - b, "a < b", None),
    _equal(
        "root of a square of 1 + log", sqrt(log(s) ** 2 + 2 * log(s) + 1), 1 + log(s), "negative below 1/e"
    ),
    _equal(
        "root of a square of asinh",
        sqrt(sympy.expand((sympy.asinh(s - HALF) + QUARTER) ** 2)),
        sympy.asinh(s - HALF) + QUARTER,
        "s = 1/10",
    ),
    _equal(
        "root of a square of erf",
        sqrt(sympy.expand((sympy.erf(s - HALF) + QUARTER) ** 2)),
        sympy.erf(s - HALF) + QUARTER,
        "s = 1/10",
    ),
    _equal("root of a square, turned", sqrt(sympy.expand(ROOT_GAP**2)), -ROOT_GAP, "s - log(s) > 2 near 0"),
    _equal("root of a square of exp", sqrt(exp(2 * s) - 4 * exp(s) + 4), exp(s) - 2, "s < log 2"),
    _equal(
        "product of imaginary roots",
        sqrt(log(s) * log(1 - s)),
        sqrt(log(s)) * sqrt(log(1 - s)),
        "the other sign",
    ),
    _equal("product of imaginary roots of s", sqrt(-s) * sqrt(s - 1), sqrt(s * (1 - s)), "the other sign"),
    _equal(
        "symbolic power of a square", (4 * s**2 - 4 * s + 1) ** a, (2 * s - 1) ** (2 * a), "complex below 1/2"
    ),
    _equal(
        "symbolic power of a square of log",
        (log(s) ** 2 + 2 * log(s) + 1) ** a,
        (1 + log(s)) ** (2 * a),
        "complex below 1/e",
    ),
    _equal("power of a negative base", (s - 1) ** Rational(2, 3), (1 - s) ** Rational(2, 3), "complex"),
    _equal("cube root", sympy.cbrt(-s), -sympy.cbrt(s), "the principal root is complex"),
    _equal("log of a square", log((2 * s - 1) ** 2), 2 * log(2 * s - 1), "complex below 1/2"),
    _equal(
        "log of a square of log", log(log(s) ** 2 + 2 * log(s) + 1), 2 * log(1 + log(s)), "complex below 1/e"
    ),
    _equal(
        "log of a product",
        log((2 * s - 1) * (3 * s - 1)),
        log(2 * s - 1) + log(3 * s - 1),
        "complex below 1/3",
    ),
    _equal(
        "log of a product of parameters", log((a - 1) * (b - 1)), log(a - 1) + log(b - 1), "a, b < 1", None
    ),
    _equal("exp of half a log", exp(log(log(s) ** 2 + 2 * log(s) + 1) / 2), 1 + log(s), "negative below 1/e"),
    _equal(
        "atan addition", atan(2 * s) + atan(3 * s), atan(5 * s / (1 - 6 * s**2)), "jumps by pi at s^2 = 1/6"
    ),
    _equal("atan of a reciprocal", atan(s - HALF) + atan(1 / (s - HALF)), sympy.pi / 2, "-pi/2 below 1/2"),
    _equal("asin of a sine", sympy.asin(sympy.sin(3 * s)), 3 * s, "s > pi/6"),
    _equal("absolute value", Abs(s - HALF), s - HALF, "s < 1/2"),
    _equal("maximum", sympy.Max(s, HALF), s, "s < 1/2"),
    _equal("piecewise", sympy.Piecewise((s, s < HALF), (s + 1, True)), s, "s > 1/2"),
    _equal("floor", floor(2 * s), ZERO, "s >= 1/2"),
    _equal("sign", sympy.sign(s - HALF), ONE, "s < 1/2"),
    _equal("slope of floor", Derivative(floor(2 * s) + s, s), ONE, "no slope at 1/2"),
    _equal("slope of a step", Derivative(sympy.Heaviside(s - HALF) + s, s), ONE, "no slope at 1/2"),
    _equal("slope of a maximum", Derivative(sympy.Max(s, HALF), s), ONE, "0 below 1/2"),
    _equal(
        "one over zero",
        1 / (sqrt(s**2 + 2 * s + 1) - s - 1),
        1 / (sqrt(s**2 + 4 * s + 4) - s - 2),
        "1/0 = 1/0",
    ),
    _equal(
        "zero over zero", (sqrt(s**2 + 2 * s + 1) - s - 1) / (sqrt(s**2 + 4 * s + 4) - s - 2), ZERO, "0/0"
    ),
    _equal("not a number", sympy.nan, sympy.nan, "nothing is said", None),
    _equal("infinity", oo, oo, "no numbers", None),
    _equal("complex infinity", sympy.zoo, sympy.zoo, "no numbers", None),
)

FALSE_SIGNS = (
    _above_zero(
        "absolute values that vanish together", c1 * (sympy.pi * Abs(a - 1) + Abs(b - 1)), "a = b = 1", None
    ),
    _at_least_zero("a symbol of any kind", ANY, "z = -1", None),
    _above_zero("a real symbol", REAL + 1, "r = -2", None),
    _above_zero("an odd power of any symbol", ANY**3 + ANY + 1, "z = -1", None),
    _above_zero("double root inside", (3 * s - 1) ** 2, "s = 1/3"),
    _above_zero("irrational double root inside", (2 * s**2 - 1) ** 2, "s = 1/sqrt(2)"),
    _above_zero("square of parameters", (a - b) ** 2, "a = b", None),
    _above_zero("Motzkin's polynomial", a**4 * b**2 + a**2 * b**4 - 3 * a**2 * b**2 + 1, "a = b = 1", None),
    _at_least_zero(
        "Motzkin's polynomial less a little",
        a**4 * b**2 + a**2 * b**4 - 3 * a**2 * b**2 + 1 - TINY,
        "a = b = 1",
        None,
    ),
    _at_least_zero("tiny dip", (3 * s - 1) ** 2 - TINY, "s = 1/3"),
    _at_least_zero("tiny dip times a parameter", a * ((3 * s - 1) ** 2 - TINY), "s = 1/3"),
    _at_least_zero("cube", (3 * s - 1) ** 3, "s = 1/4"),
    _at_least_zero("1 + log in a product", s * (1 + log(s)), "s < 1/e"),
    _at_least_zero("asin in a product", s * (sympy.asin(2 * s - 1) + 1), "s = 1/100"),
    _at_least_zero("exp - 2 in a product", a * (exp(s) - 2), "s < log 2"),
    _at_least_zero("pi and log in a product", sympy.pi * s * (log(s) + 3), "s < 1/e^3"),
    _at_least_zero("log of a number", s + log(Rational(3, 2)) - 1, "s = 1/2"),
    _at_least_zero("asin of a parameter", sympy.asin(a), "complex for a > 1", None),
    _above_zero("exp of an imaginary root", exp(sqrt(s - HALF)), "complex below 1/2"),
    _above_zero("power with an imaginary exponent", (1 + s) ** sqrt(s - HALF), "complex below 1/2"),
    _at_least_zero("root in a product", a * (sqrt(2) * sqrt(s) - HALF), "s < 1/8"),
    _at_least_zero("minimum", sympy.Min(s, 1 - s, s - QUARTER), "s < 1/4"),
    _at_least_zero("integral backwards", Integral(t, (t, 1, 0)), "is -1/2", None),
    _at_least_zero("integral of a negative function", Integral(t - 1, (t, 0, 1)), "is -1/2", None),
    _at_least_zero("integral up to a parameter", Integral(t - s, (t, 0, 1)), "s > 1/2"),
    _at_least_zero("symbolic power", (a - b) ** (2 * d), "complex for a < b", None),
    _above_zero("strict from weak", a - b, "a = b", None, Given(nonnegative=(a - b,))),
    _above_zero("strict from two weak facts", a - d, "a = b = d", None, Given(nonnegative=(a - b, b - d))),
    _above_zero(
        "strict product from weak facts", a * e - b * d, "equality", None, Given(nonnegative=(a - b, e - d))
    ),
    _at_least_zero(
        "fact with a denominator", a - 1, "a, b < 1", None, Given(nonnegative=((a - 1) / (b - 1),))
    ),
    _at_least_zero("fact with a negative denominator", b - a, "a > b", None, Given(positive=(1 / (a - b),))),
    _at_least_zero("fact that is a quotient", b - a, "a > b", None, Given(positive=(a / (a - b),))),
)

FALSE_SMOOTHNESS = (
    _smooth("imaginary", I * p, "not real"),
    _smooth("constant i", I, "not real"),
    _smooth("log of a negative constant", p * log(a - 1), "a < 1"),
    _smooth("root of a negative constant", p * sqrt(a - 1), "a < 1"),
    _smooth("pole in a parameter", p / (a - 1), "a = 1"),
    _smooth("root of -2", p * sqrt(-2), "not real"),
    _smooth("complex infinity", sympy.zoo, "not finite"),
    _smooth("not a number", sympy.nan, "not a number"),
    _smooth("absolute value", Abs(p - HALF), "kink"),
    _smooth("maximum", sympy.Max(p, HALF), "kink"),
    _smooth("sign", sympy.sign(p - HALF), "jump"),
    _smooth("floor", floor(p + HALF), "jump"),
    _smooth("piecewise", sympy.Piecewise((p, p < HALF), (p + 1, True)), "jump"),
    _smooth("pole", 1 / (p - HALF), "pole"),
    _smooth("jump of atan", atan(1 / (p - HALF)), "jump"),
    _smooth("root of a square", sqrt(p**2 - p + QUARTER), "kink"),
    _smooth("two thirds of a power", (p - HALF) ** Rational(2, 3), "complex"),
    _smooth("log of a square", log((p - HALF) ** 2), "pole"),
    _smooth("asin beyond 1", sympy.asin(2 * p), "complex above 1/2"),
    _smooth("acos of a parameter", sympy.acos(p + a), "a > 1"),
    _smooth("essential singularity", exp(1 / (p - HALF)), "pole in the exponent"),
    _smooth("symbolic power", (p - HALF) ** a, "complex"),
    _smooth("power of a negative base", (a - 1) ** p, "a < 1"),
    _smooth("log of 1 + log", log(1 + log(p)), "p < 1/e"),
    _smooth("one over 1 + log", 1 / (1 + log(p)), "p = 1/e"),
    _smooth("exp of a root", exp(sqrt(p - HALF)), "complex below 1/2"),
    _smooth("log of exp of a root", log(exp(sqrt(p - HALF)) + 1), "complex below 1/2"),
    _smooth("incomplete Gamma function", sympy.uppergamma(a, p - HALF), "complex"),
    _smooth("incomplete Beta function", sympy.betainc(a, b, 0, 2 * p), "complex"),
    _smooth("integral over a pole", Integral(1 / (s - HALF) ** 2, (s, 0, p)), "diverges"),
    _smooth("integral from a pole", Integral(1 / s, (s, 0, p)), "diverges"),
    _smooth("integral to a pole", Integral(1 / (1 - s), (s, p, 1)), "diverges"),
    _smooth("integral of a complex function", Integral(sqrt(s - HALF), (s, 0, p)), "complex"),
    _smooth("integral of a complex constant", Integral(s * log(a - 1), (s, 0, p)), "a < 1"),
)

FALSE_LIMITS = (
    *[
        _tends(f"hidden zero: {name}", p / (zero + p), 0, "+", 0, "is 1")
        for name, zero in HIDDEN_ZEROS.items()
    ],
    _tends("hidden zero inside log", log(1 + HIDDEN_ZEROS["sin^2 + cos^2 - 1"] + p) / p, 0, "+", 0, "is 1"),
    _tends("coefficient that may vanish", p**2 / ((a - b) ** 2 * p + p**2), 0, "+", 0, "1 for a = b"),
    _tends("log of a parameter", p / log(a + p), 0, "+", 0, "1 for a = 1"),
    _tends("atan of a parameter", p / atan(a - 1 + p), 0, "+", 0, "1 for a = 1"),
    _tends("erf of a parameter", p / sympy.erf(a - 1 + p), 0, "+", 0, "not 0 for a = 1"),
    _tends("power of unknown sign", p ** (a - b), 0, "+", 0, "a <= b"),
    _tends("log of a power of unknown sign", 1 / log(2 * p ** (a - b)), 0, "+", 0, "1/log 2 for a = b"),
    _tends("jump of unknown direction", atan((a - 1) / p), 0, "+", sympy.pi / 2, "a < 1"),
    _tends("infinity of unknown sign", (a - b) / p, 0, "+", oo, "a < b"),
    _tends("integral backwards", Integral(1 / s, (s, 1, p)), 0, "+", oo, "is -oo"),
    _tends("integral backwards at 1", Integral(1 / (1 - s), (s, p, 0)), 1, "-", oo, "is -oo"),
    _tends("both ends move", Integral(1 / s, (s, p, 2 * p)), 0, "+", oo, "is log 2"),
    _tends("both ends move apart", Integral(1 / s, (s, p, p**2)), 0, "+", oo, "is -oo"),
    _tends("both ends are the same", Integral(1 / s, (s, p, p)), 0, "+", oo, "is 0"),
    _tends("negative integral", -Integral(1 / s, (s, p, 1)), 0, "+", oo, "is -oo"),
    _tends(
        "pole at the other end",
        Integral(1 / (1 - s), (s, p, 2 * p)),
        HALF,
        "-",
        Integral(1 / (1 - s), (s, HALF, 1)),
        "infinite",
    ),
    _tends(
        "pole inside",
        Integral(1 / (s - HALF) ** 2, (s, 0, p)),
        1,
        "-",
        Integral(1 / (s - HALF) ** 2, (s, 0, 1)),
        "infinite",
    ),
    _tends("root of a square", sqrt(p**2 - p + QUARTER) / (p - HALF), HALF, "-", 1, "is -1"),
    _tends("imaginary roots", sqrt(p - 1) / sqrt(1 - p), 1, "-", 1, "is i"),
    _tends("absolute value", Abs(p - HALF) / (p - HALF), HALF, "-", 1, "is -1"),
    _tends("floor", floor(p), 1, "-", 1, "is 0"),
    _tends("sign", sympy.sign(p - HALF), HALF, "+", 0, "is 1"),
    _tends("piecewise", sympy.Piecewise((0, p <= HALF), (1, True)), HALF, "+", 0, "is 1"),
    _tends("0^0", p**p, 0, "+", 0, "is 1"),
    _tends("0^0, chosen", p ** (1 / log(p)), 0, "+", 1, "is e"),
    _tends("1^oo", (1 + p) ** (1 / p), 0, "+", 1, "is e"),
    _tends("growing exponential", exp(1 / p) * p**3, 0, "+", 0, "is oo"),
    _tends("growing exponential of logs", exp(log(p) ** 2) * p, 0, "+", 0, "is oo"),
    _tends("exponential of a power of unknown sign", exp((a - b) / p), 0, "+", 0, "a >= b"),
    _tends("quotient of exponentials", exp(-1 / p) / exp(-2 / p), 0, "+", 0, "is oo"),
    _tends("difference of decays", (exp(-1 / p) - exp(-2 / p)) / exp(-1 / p), 0, "+", 0, "is 1"),
    _tends("difference of equal logs", log(p + p**2) - log(p), 0, "+", 1, "is 0"),
    _tends("difference of equal terms", (sqrt(1 + p) - 1) / p, 0, "+", 1, "is 1/2"),
    _tends("the wrong infinity", log(p), 0, "+", oo, "is -oo"),
    _tends("infinity called finite", 1 / p, 0, "+", 0, "is oo"),
    _tends("complex infinity", 1 / p, 0, "+", sympy.zoo, "is oo"),
    _tends("not a number", p, 0, "+", sympy.nan, "is 0"),
    _tends("asin beyond 1", sympy.asin(1 + p), 0, "+", sympy.pi / 3, "is pi/2"),
    _tends("incomplete Beta function", sympy.betainc(a, b, 0, p) / p**b, 0, "+", 1 / b, "a < b"),
    _tends("incomplete Gamma function", sympy.lowergamma(a, p) / p**a, 0, "+", a, "is 1/a"),
    _tends("tail of a Gamma function", sympy.uppergamma(a, 1 / p) / exp(-1 / p), 0, "+", 0, "oo for a > 1"),
)

FALSEHOODS = FALSE_EQUALITIES + FALSE_SIGNS + FALSE_SMOOTHNESS + FALSE_LIMITS
