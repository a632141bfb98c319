"""Mutants of one kind of object: wrong in several places at once, in ways that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy
from sympy import Abs, Expr, I, Integral, Rational, Symbol, atan, floor, log, oo, sqrt

from costderive.core.piecewise import Atom, Measure, Piece, Pieces, Sign
from costderive.core.symbols import c0, c1, p, q, s
from costderive.costs.expected_loss import (
    ExpectedLoss,
    Point,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.rules import Losses, Properness, RiskSlope
from tests.mutants.generic import HALF, ONE, ZERO, Mutant


def special(after: Any) -> Iterator[Mutant]:
    """Return the mutants that only this kind of object has."""
    yield from _SPECIAL.get(type(after), lambda _: iter(()))(after)


def _of_expectation(after: ExpectedLoss) -> Iterator[Mutant]:
    if after.totals:
        yield Mutant("no totals", replace(after, totals=()))
        yield Mutant("one total twice", replace(after, totals=(*after.totals, after.totals[0])))
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
        jump = {"a jump": _jump(c1, _place_inside(inner.slice))}
        for name, change in {**_ADDED, **jump}.items():
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


def _place_inside(piece: Slice) -> Expr:
    """Return a value of c1 in the middle of a slice, if it has numbers for its ends."""
    middle = [end.subs(s, (piece.low + piece.high) / 2) for end in (piece.lower, piece.upper)]
    return (middle[0] + middle[1]) / 2 if all(end.is_Rational for end in middle) else Rational(9, 8)


# What has no slope in c1 (the first two: harmless if it is added throughout), and what has one.
_ADDED: dict[str, Expr] = {
    "s": s,
    "log(s)": log(s),
    "c1 s": c1 * s,
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
