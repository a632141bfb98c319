"""Is a law a law? The certificate of a total, or of an expectation: antiderivatives with their limits at the ends.

Where a density is not negative and F is smooth inside an interval with ``F' = g f`` and finite limits at both ends, the
integral of ``g f`` is the difference of these limits. For a joint density that is done twice: over c1 at a fixed cost
proportion s, on slices that cover the region, and then over s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import sympy
from sympy import Derivative, Expr, Integral, Mul, Pow, Symbol

from costderive import forms
from costderive.ansatz import by_ansatz
from costderive.antiderivatives import Deadline, antiderivative
from costderive.contexts import Context
from costderive.deadline import within
from costderive.decide.identities import zero
from costderive.decide.limits import Approach, value_at
from costderive.decide.signs import nonnegative, positive
from costderive.decide.smooth import regular
from costderive.errors import DivergentCostError, SpecError
from costderive.integrals import Antiderivative, Plane, PlaneIntegral, Sheet, Slice
from costderive.laws import Expectation, x
from costderive.laws.totals import REMEDY, differs_from_one
from costderive.moves.costs import COST0, UNIT, at_threshold, in_threshold
from costderive.moves.magnitude import inner_claims, integrated
from costderive.moves.regions import covering, slice_claims, sliced
from costderive.pieces import Given, Interval
from costderive.primitives import primitive
from costderive.proof import Claim, Equal, NonNegative, Positive, Regular, Same, Tends
from costderive.symbols import c1, s, u

ZERO, ONE = sympy.S.Zero, sympy.S.One
JACOBIAN = c1 / (1 - s) ** 2
SECONDS, SHARE_SECONDS = 20.0, 3.0

Found = tuple[Antiderivative, ...] | PlaneIntegral


def evaluated(context: Context, given: Given) -> tuple[Found, ...]:
    """Integrate every law of a context, as far as antiderivatives are found.

    Raises:
        SpecError: if a total is not 1.
    """
    return tuple(_evaluated(wanted, given) for wanted in context.expectations())


def _evaluated(wanted: Expectation | Plane, given: Given) -> Found:
    deadline = Deadline.after(SECONDS)
    found: Found = (
        _over_plane(wanted, given, deadline)
        if isinstance(wanted, Plane)
        else _along_line(wanted, given, deadline)
    )
    _require_value(wanted, found, given)
    return found


def evaluation_claims(context: Context, found: tuple[Found, ...], given: Given) -> Iterator[Claim]:
    """Claim that every law of a context has the total 1, and that every expectation in it is what it is said to be."""
    wanted = context.expectations()
    yield Same("every law of the context is integrated", len(wanted), len(found))
    for one, integral in zip(wanted, found, strict=False):
        plane = isinstance(one, Plane)
        yield Same("over an interval or the plane", isinstance(integral, PlaneIntegral), plane)
        if isinstance(one, Plane) and isinstance(integral, PlaneIntegral):
            yield from _plane_claims(one, integral, given)
        elif isinstance(one, Expectation) and isinstance(integral, tuple):
            yield from _line_claims(one, integral)


# ---- laws of one variable


def _along_line(wanted: Expectation, given: Given, deadline: Deadline) -> tuple[Antiderivative, ...]:
    left = wanted.value.atoms(Integral)
    parts = _integrands(wanted)
    found = tuple(
        Antiderivative()
        if _integral(integrand, on) in left
        else _searched(integrand, on, given, _candidates, deadline)
        for integrand, on in parts
    )
    if wanted.is_total or zero(_sum(wanted, found) - wanted.value, None, given):
        return found
    return tuple(_lowered(one, *part, given) for one, part in zip(found, parts, strict=True))


def _integrands(wanted: Expectation) -> list[tuple[Expr, Interval]]:
    return [(sympy.powsimp(wanted.function * part.density), part.interval) for part in wanted.law.spreads]


def _line_claims(wanted: Expectation, found: tuple[Antiderivative, ...]) -> Iterator[Claim]:
    yield Same("every part of a law is integrated", len(wanted.law.spreads), len(found))
    if wanted.is_total:
        for part in wanted.law.spreads:
            if part.high is not sympy.oo:
                yield Positive("the interval of a density has a length", part.high - part.low)
            yield NonNegative("the density of a law is not negative", part.density, part.interval)
        for mass in wanted.law.masses:
            yield Positive("a probability is positive", mass.probability)
    for (integrand, on), one in zip(_integrands(wanted), found, strict=False):
        yield from _antiderivative_claims(integrand, on, one)
    yield Equal(_what(wanted, found), _sum(wanted, found), wanted.value)


def _antiderivative_claims(integrand: Expr, on: Interval, found: Antiderivative) -> Iterator[Claim]:
    if found.function is None:
        yield Same(
            "without an antiderivative there are no limits", (found.at_low, found.at_high), (ZERO, ZERO)
        )
        yield Regular("what is integrated is smooth", integrand, on)
        yield Regular("the integral is finite", _integral(integrand, on), UNIT)
        return
    ends = (found.at_low, found.at_high)
    yield Equal("antiderivative of a density", Derivative(found.function, on.variable), integrand, on)
    yield Regular("the antiderivative is smooth between the ends", found.function, on)
    yield Tends("the antiderivative at the lower end", found.function, on.variable, on.low, "+", ends[0])
    yield Tends("the antiderivative at the upper end", found.function, on.variable, on.high, "-", ends[1])
    infinite = any(end.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) for end in ends)
    yield Same("the antiderivative is finite at both ends", infinite, False)


def _sum(wanted: Expectation, found: tuple[Antiderivative, ...]) -> Expr:
    known = [wanted.function.subs(x, mass.value) * mass.probability for mass in wanted.law.masses]
    parts = zip(_integrands(wanted), found, strict=False)
    return sympy.Add(*known, *[_increase(one, integrand, on) for (integrand, on), one in parts])


def _increase(found: Antiderivative, integrand: Expr, on: Interval) -> Expr:
    return _integral(integrand, on) if found.function is None else found.at_high - found.at_low


def _integral(integrand: Expr, on: Interval) -> Expr:
    return Integral(integrand, (on.variable, on.low, on.high))


def _what(wanted: Expectation, found: tuple[Antiderivative, ...]) -> str:
    if not wanted.is_total:
        return "the expectation is the increase of the antiderivatives"
    if any(one.function is None for one in found):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability is 1"


# ---- joint densities


def _over_plane(wanted: Plane, given: Given, deadline: Deadline) -> PlaneIntegral:
    sheets = _sheets(wanted)
    slices = tuple(sliced(sheet, given) for sheet in sheets)
    pairs = _paired(sheets, slices)
    try:
        inner = tuple(integrated(sheet, piece, given) for sheet, piece in pairs)
    except DivergentCostError:
        raise _wrong_total("infinity") from None
    outer = tuple(
        Antiderivative()
        if one.value.has(Integral)
        else _searched(one.value, _range(one.slice), given, _unit_candidates, deadline)
        for one in inner
    )
    return PlaneIntegral(slices, inner, outer)


def _sheets(wanted: Plane) -> tuple[Sheet, ...]:
    """Write the density itself in s and c1, not times the total cost as the expected loss has it."""
    return tuple(
        Sheet(
            JACOBIAN,
            at_threshold(area.density) * JACOBIAN,
            in_threshold(area),
        )
        for area in wanted.areas
    )


def _paired(sheets: tuple[Sheet, ...], slices: tuple[tuple[Slice, ...], ...]) -> list[tuple[Sheet, Slice]]:
    return [(sheet, piece) for sheet, parts in zip(sheets, slices, strict=False) for piece in parts]


def _range(piece: Slice) -> Interval:
    return Interval(s, piece.low, piece.high)


def _plane_claims(wanted: Plane, found: PlaneIntegral, given: Given) -> Iterator[Claim]:
    sheets = _sheets(wanted)
    yield Same("every area is sliced", len(sheets), len(found.slices))
    for area, sheet, parts in zip(wanted.areas, sheets, found.slices, strict=False):
        density = at_threshold(area.density) * Derivative(COST0, s)
        yield Equal("the density in s and c1", sheet.integrand, density, UNIT)
        yield from covering([(piece.low, piece.high) for piece in parts])
        for piece in parts:
            yield from slice_claims(sheet, piece)
    pairs = _paired(sheets, found.slices)
    counts = (len(found.inner), len(found.outer))
    yield Same("every slice is integrated twice", counts, (len(pairs),) * 2)
    yield Same("in its own slice", tuple(x.slice for x in found.inner), tuple(piece for _, piece in pairs))
    for (sheet, _), inner, outer in zip(pairs, found.inner, found.outer, strict=False):
        yield from inner_claims(sheet, inner, given)
        yield from _antiderivative_claims(inner.value, _range(inner.slice), outer)
    yield Equal(_plane_what(found), _plane_sum(found), ONE)


def _plane_sum(found: PlaneIntegral) -> Expr:
    parts = zip(found.inner, found.outer, strict=False)
    return sympy.Add(*[_increase(outer, inner.value, _range(inner.slice)) for inner, outer in parts])


def _plane_what(found: PlaneIntegral) -> str:
    if any(one.function is None for one in found.outer):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability of the joint density is 1"


# ---- totals that are not 1


def _require_value(wanted: Expectation | Plane, found: Found, given: Given) -> None:
    """Refuse a total that is known exactly and is another number, for some letters at least."""
    if isinstance(wanted, Plane):
        total = _plane_sum(found) if isinstance(found, PlaneIntegral) else ONE
    elif wanted.is_total and isinstance(found, tuple):
        total = _sum(wanted, found)
    else:
        return
    wrong = None if total.has(Integral) else differs_from_one(total, given)
    if wrong is not None:
        raise _wrong_total(wrong)


def _wrong_total(total: str) -> SpecError:
    return SpecError(f"a law of the context has total probability {total}, not 1", REMEDY)


# ---- the search


Candidates = Iterator[Callable[[], Expr | None]]


def _searched(
    integrand: Expr,
    on: Interval,
    given: Given,
    candidates: Callable[[Expr, Interval, Given, Deadline], Candidates],
    deadline: Deadline,
) -> Antiderivative:
    """Return the first candidate whose claims would be proved, with its limits."""
    for candidate in candidates(integrand, on, given, deadline):
        found = candidate() if deadline.left else None
        kept = None if found is None else _kept(found, integrand, on, given)
        if kept is not None:
            return kept
    return Antiderivative()


def _kept(found: Expr, integrand: Expr, on: Interval, given: Given) -> Antiderivative | None:
    if found.has(Integral, sympy.I, sympy.Piecewise):
        return None
    ends = [value_at(found, Approach(on.variable, *end), given) for end in ((on.low, "+"), (on.high, "-"))]
    if any(end is None or end.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) for end in ends):
        return None
    slope = sympy.diff(found, on.variable)
    if not (regular(found, on, given) and zero(slope - integrand, on, given)):
        return None
    return Antiderivative(found, *ends)


def _lowered(found: Antiderivative, integrand: Expr, on: Interval, given: Given) -> Antiderivative:
    """Lower the shape of incomplete Gamma and Beta functions by 1: a mean is then written with those of the total.

    ``Gamma(a + 1, y) = a Gamma(a, y) + y^a exp(-y)`` and ``(a + b) B_z(a + 1, b) = a B_z(a, b) - z^a (1 - z)^b``.
    """
    if found.function is None:
        return found
    lower = found.function.replace(sympy.uppergamma, _lower_gamma).replace(sympy.betainc, _lower_beta)
    return _kept(sympy.expand(lower), integrand, on, given) or found


def _lower_gamma(shape: Expr, y: Expr) -> Expr:
    a = sympy.expand(shape - 1)
    return a * sympy.uppergamma(a, y) + y**a * sympy.exp(-y)


def _lower_beta(first: Expr, b: Expr, low: Expr, z: Expr) -> Expr:
    a = sympy.expand(first - 1)
    return (a * sympy.betainc(a, b, low, z) - z**a * (1 - z) ** b) / (a + b)


def _candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    y = on.variable
    yield lambda: primitive(f, y, given)
    yield lambda: primitive(sympy.expand_power_base(f), y, given)
    yield lambda: _by_inner_power(f, on)
    yield lambda: _incomplete_beta(f, on, given)
    if nonnegative(1 - on.high, None, given):
        share = f.subs(y, s)
        for found in _unit_candidates(share, Interval(s, on.low, on.high), given, deadline):
            yield partial(_in_letter, found, y)
    yield lambda: by_ansatz(f, y, min(SHARE_SECONDS, deadline.left))
    yield lambda: _integrated(f, y, deadline)


def _in_letter(candidate: Callable[[], Expr | None], y: Symbol) -> Expr | None:
    found = candidate()
    return None if found is None else found.subs(s, y)


def _unit_candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    """Antiderivatives of a function of a probability, simple ones first."""
    yield lambda: primitive(f, s, given)
    yield lambda: _in_odds(f, given)
    yield lambda: antiderivative(f, on, given, deadline)


def _in_odds(f: Expr, given: Given) -> Expr | None:
    found = primitive(forms.to_odds(f, s, given) / (1 + u) ** 2, u, given)
    return None if found is None else forms.to_probability(found, s, given)


def _by_inner_power(f: Expr, on: Interval) -> Expr | None:
    """``c g^q g'`` is the slope of ``c g^(q + 1)/(q + 1)``, where g is any sum."""
    for power in (part for part in Mul.make_args(f) if isinstance(part, Pow) and part.base.is_Add):
        rest = sympy.powsimp(sympy.powdenest(f / power / sympy.diff(power.base, on.variable)))
        if not rest.has(on.variable) and power.exp != -1:
            return rest * power.base ** (power.exp + 1) / (power.exp + 1)
    return None


def _incomplete_beta(f: Expr, on: Interval, given: Given) -> Expr | None:
    """``c x^(a - 1) (1 - x)^(b - 1)`` is the slope of ``c B_x(a, b)``."""
    y = on.variable
    constant, moving = f.as_independent(y, as_Add=False)
    exponents = dict.fromkeys((y, 1 - y), ZERO)
    for part in Mul.make_args(moving):
        base, exponent = part.as_base_exp()
        if base not in exponents or exponent.has(y):
            return None
        exponents[base] += exponent
    first, second = (exponents[base] + 1 for base in (y, 1 - y))
    if not (positive(first, None, given) and positive(second, None, given)):
        return None
    return constant * sympy.betainc(first, second, 0, y)


def _integrated(f: Expr, y: Expr, deadline: Deadline) -> Expr | None:
    """Ask SymPy, in a process that is ended in time."""
    try:
        found: Expr = within(min(SHARE_SECONDS, deadline.left), sympy.integrate, f, y)
    except Exception:  # an integrator that fails has found nothing
        return None
    return found
