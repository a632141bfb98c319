"""The threshold weight in Coq: on each of its pieces it is the integral over the costs that have this threshold.

A derivation holds the certificate: which c1 have both costs in the region, and an antiderivative in c1. Coq solves
the bounds, differentiates, and puts the bounds in. The threshold is written ``p``, as the report is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, s
from costderive.costs.expected_loss import (
    Area,
    ExpectedLoss,
    InnerIntegral,
    Slice,
    SlicedIntegral,
    WeightedLoss,
)
from costderive.deciders.signs import nonnegative
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.facts import ordered, sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import visible

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Weights")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over areas of the plane; none where they are not.

    Raises:
        ExportError: if an inner integral has no antiderivative in Coq's functions, or a sign is not visible.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    found = [(setting, _costs(case)) for setting, case in cases]
    return tuple(_section(setting, costs) for setting, costs in found if costs is not None)


@dataclass(frozen=True, slots=True)
class _Costs:
    """The costs of a case, and its shares of the weight: for each area those of its slices."""

    costs: ExpectedLoss
    shares: tuple[tuple[_Share, ...], ...]


def _costs(case: Case) -> _Costs | None:
    found = {type(step.after): step.after for step in case.steps}
    costs = found.get(ExpectedLoss)
    if costs is None or not costs.areas:
        return None
    if costs.arcs or costs.lines:
        raise ExportError("beside areas there are costs on curves", "Coq gets the weight of areas alone.")
    sliced, inner = found[SlicedIntegral], iter(found[WeightedLoss].inner)
    rows = enumerate(zip(costs.areas, sliced.slices, strict=True), start=1)
    for area, slices in zip(costs.areas, sliced.slices, strict=True):
        _refuse_roots(area, slices)
    return _Costs(costs, tuple(_shares(k, area, slices, inner, case.given) for k, (area, slices) in rows))


def _refuse_roots(area: Area, slices: tuple[Slice, ...]) -> None:
    """Coq integrates where the integrand is continuous, ends included, and a slice may start at ``c1 = 0``."""
    if any(
        sympy.diff(constraint, cost, 2) != 0 for constraint in area.constraints for cost in (c0, c1)
    ) or any(sympy.diff(constraint, c0, c1) != 0 for constraint in area.constraints):
        raise ExportError(
            "a region is bounded by a curve", "Coq gets the weights of regions bounded by lines."
        )
    plain = area.density.replace(lambda node: isinstance(node, sympy.exp), lambda node: node.args[0])
    bottom = sympy.denom(sympy.together(plain.subs(c0, s * c1 / (1 - s))))
    pole = bottom.subs(c1, 0) == 0 and any(x.lower == 0 and not x.empty for x in slices)
    if pole or not plain.is_rational_function(c0, c1):
        raise ExportError(
            f"the density {str(area.density)[:200]} is not known to be smooth where a cost is 0",
            "Coq gets the weights of densities that are made of powers and exponentials.",
        )


def _shares(
    k: int, area: Area, slices: tuple[Slice, ...], inner: Iterator[InnerIntegral], given: Given
) -> tuple[_Share, ...]:
    return tuple(
        _Share(f"area{k}_slice{i}", f"area{k}", area.constraints, next(inner), given)
        for i, _ in enumerate(slices, start=1)
    )


def _section(setting: Setting, costs: _Costs) -> Section:
    shares = [share.lemma() for row in costs.shares for share in row]
    theorems = [_theorem(cell, costs, setting.given) for cell in setting.cells]
    names = tuple(_name(cell) for cell in setting.cells)
    return Section(setting.name, "weights", IMPORTS, "\n".join([*shares, *theorems]), names)


@dataclass(frozen=True, slots=True)
class _Bound:
    """What one constraint says of c1: it rises with c1 from its zero on, or it falls up to its zero."""

    number: int
    constraint: Expr
    slope: str
    zero: Expr
    rises: bool

    def solved(self) -> str:
        """Return the tactic that solves the constraint for c1."""
        law = "rises_from" if self.rises else "falls_up_to"
        says = f"{atomic(self.zero, s)} <= c1" if self.rises else f"c1 <= {atomic(self.zero, s)}"
        proof = f"unfold c0; apply ({law} ({self.slope})); [see | field; see]"
        return f"assert (bound{self.number} : 0 <= {term(self.constraint)} <-> {says}) by ({proof})."


@dataclass(frozen=True, slots=True)
class _Share:
    """What one area contributes to the weight on one slice: the integral over c1, with its certificate."""

    name: str
    area: str
    constraints: tuple[Expr, ...]
    inner: InnerIntegral
    given: Given

    @property
    def on(self) -> Interval:
        """The thresholds of the slice."""
        return Interval(s, self.inner.slice.low, self.inner.slice.high)

    def lemma(self) -> str:
        """Return the lemma that says what the area contributes."""
        between = f"{term(self.on.low)} < p < {term(self.on.high)}"
        statement = f"{between} -> share {self.area} p {atomic(self.inner.value, s)}"
        proof = self._nothing() if self.inner.slice.empty else self._integral()
        return lemma(f"{self.name} p", statement, "intros [Low High].", *self._unit(), *proof)

    def _unit(self) -> Iterator[str]:
        """Yield what is known of p."""
        if self.on.low != 0:
            yield ordered("below", ZERO, self.on.low, None, self.given)
        if self.on.high != 1:
            yield ordered("above", self.on.high, ONE, None, self.given)
        yield "assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra."

    def _nothing(self) -> Iterator[str]:
        """Two bounds contradict each other."""
        yield ordered("gap", self.inner.slice.upper, self.inner.slice.lower, self.on, self.given, strict=True)
        yield "apply over_nothing."
        yield from self._solved()
        yield f"{self._held()} lra."

    def _integral(self) -> Iterator[str]:
        """The bounds of c1 are those of the slice, and an antiderivative is known."""
        lower, upper = self.inner.slice.lower, self.inner.slice.upper
        found = self._antiderivative()
        yield from self._orders()
        if upper is sympy.oo:
            yield f"apply (over_half_line {self.area} p {atomic(lower, s)})."
        else:
            yield f"apply (over_slice {self.area} p {atomic(lower, s)} {atomic(upper, s)})."
        yield "- split; [lra |]."
        yield from [f"  {line}" for line in self._solved()]
        yield f"  split; [{self._held()} lra | intro Within; repeat split]."
        yield from [f"  + apply bound{bound.number}; lra." for bound in self._bounds()]
        if upper is sympy.oo:
            yield from _to_infinity(found, self)
        else:
            yield f"- apply (between_bounds (fun c1 => {term(found, s)})); [lra | certified {self.area} | equal]."

    def _antiderivative(self) -> Expr:
        found = self.inner.antiderivative
        if found is None:
            raise ExportError(
                "an inner integral has no antiderivative", "Proofs for Coq need an elementary antiderivative."
            )
        return found

    def shown(self, expr: Expr) -> str:
        """Write a function of s with factors that are positive on the slice, if its sign is seen."""
        for sign, minus in ((1, ""), (-1, "- ")):
            seen = visible(sign * expr, self.on, self.given)
            if seen is not None:
                return f"{minus}({seen.text})"
        return term(sympy.factor(expr), s)

    def _orders(self) -> Iterator[str]:
        """Yield that the bounds of the slice lie between the zeros of the constraints."""
        lower, upper = self.inner.slice.lower, self.inner.slice.upper
        pairs = [(ZERO, lower), *[(x.zero, lower) if x.rises else (upper, x.zero) for x in self._bounds()]]
        pairs += [(lower, upper)] if upper is not sympy.oo else []
        for number, (low, high) in enumerate(_different(pairs), start=1):
            yield ordered(f"order{number}", low, high, self.on, self.given)

    def _bounds(self) -> list[_Bound]:
        return [self._bound(number, x) for number, x in enumerate(self.constraints, start=1)]

    def _bound(self, number: int, constraint: Expr) -> _Bound:
        slope, zero = _solution(constraint)
        rising = visible(slope, self.on, self.given)
        if rising is not None:
            return _Bound(number, constraint, rising.text, zero, True)
        return _Bound(number, constraint, sure(-slope, self.on, self.given).text, zero, False)

    def _solved(self) -> Iterator[str]:
        yield f"intros c1 Positive. unfold {self.area}, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p))."
        for bound in self._bounds():
            yield bound.solved()

    def _held(self) -> str:
        numbers = [bound.number for bound in self._bounds()]
        held = " & ".join(f"H{number}" for number in numbers)
        return f"intros ({held} & _); " + " ".join(f"apply bound{number} in H{number};" for number in numbers)


def _to_infinity(found: Expr, share: _Share) -> Iterator[str]:
    """Yield the tactics for an antiderivative that vanishes at infinity: polynomial times exponential, or a power."""
    rates = {_rate(node) for node in found.atoms(sympy.exp) if node.has(c1)}
    rate = rates.pop() if len(rates) == 1 else ZERO
    factor = sympy.cancel(found.subs({x: 1 for x in found.atoms(sympy.exp) if x.has(c1)}))
    if rate and factor.is_polynomial(c1):
        seen = sure(rate, share.on, share.given).text
        coefficients = "; ".join(share.shown(x) for x in reversed(sympy.Poly(factor, c1).all_coeffs()))
        yield f"- assert (rate : 0 < {seen}) by see."
        yield f"  apply (from_a_bound (fun c1 => polynomial [{coefficients}] c1 * exp (- ({seen} * c1))));"
        yield f"    [certified {share.area} | apply polynomial_exponential_vanishes, rate | cbn [polynomial]; equal]."
        return
    power = sympy.degree(sympy.denom(sympy.together(found)), c1)
    number = sympy.cancel(found * c1**power)
    if rates or number.has(c1) or power < 1:
        raise ExportError(
            f"the limit at infinity of {str(found)[:200]} has no proof for Coq",
            "There are proofs for polynomials times an exponential, and for powers.",
        )
    yield f"- apply (from_a_bound (fun c1 => {atomic(number, s)} / c1 ^ {power}));"
    yield f"    [certified {share.area} | apply inverse_power_vanishes | equal]."


def _rate(node: Expr) -> Expr:
    """Return r of an exponential of ``- r c1``, or 0 if it is none."""
    rate = sympy.factor(-node.args[0] / c1)
    return ZERO if rate.has(c1) else rate


def _solution(constraint: Expr) -> tuple[Expr, Expr]:
    """Return slope and zero in c1 of a constraint, once c0 is written in s and c1."""
    expr = constraint.subs(c0, s * c1 / (1 - s))
    slope = sympy.factor(sympy.diff(expr, c1))
    if slope == 0:
        raise ExportError(
            f"the constraint {str(constraint)[:200]} does not bound c1", "Coq solves it for c1."
        )
    return slope, sympy.factor(-expr.subs(c1, 0) / slope)


def _name(cell: Cell) -> str:
    return f"weight{cell.number}_is_inner_integral"


def _theorem(cell: Cell, costs: _Costs, given: Given) -> str:
    """The weight of a piece is the sum of the shares of the areas, each from the slice that holds the piece."""
    held = [_held(row, cell, given) for row in costs.shares]
    areas = "; ".join(f"area{k}" for k in range(1, len(held) + 1))
    total = "".join(f"{atomic(share.inner.value, s)} + (" for share in held) + "0" + ")" * len(held)
    return lemma(
        f"{_name(cell)} p",
        f"{cell.low} < p < {cell.high} -> weight_of_areas [{areas}] p (weight {cell.name} p)",
        "intros [Low High].",
        *_inside(cell, held, given),
        f"replace (weight {cell.name} p) with ({total}) by (cbn [weight {cell.name}]; algebra).",
        *[f"apply one_more_area; [apply {share.name}; lra |]." for share in held],
        "apply no_area.",
        kind="Theorem",
    )


def _inside(cell: Cell, held: list[_Share], given: Given) -> Iterator[str]:
    """Yield that p lies in (0, 1), and in every slice that holds the piece."""
    pairs = [(ZERO, cell.on.low), (cell.on.high, ONE)]
    for share in held:
        pairs += [(share.on.low, cell.on.low), (cell.on.high, share.on.high)]
    for number, (low, high) in enumerate(_different(pairs), start=1):
        yield ordered(f"inside{number}", low, high, None, given)
    yield "assert (0 < p) by lra. assert (0 < 1 - p) by lra."


def _different(pairs: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    return [(low, high) for low, high in dict.fromkeys(pairs) if low != high]


def _held(row: tuple[_Share, ...], cell: Cell, given: Given) -> _Share:
    for share in row:
        if _holds(share, cell, given):
            return share
    raise ExportError(
        f"it is open which slice holds the piece from {cell.low}", "Give the parameters numbers."
    )


def _holds(share: _Share, cell: Cell, given: Given) -> bool:
    return bool(
        nonnegative(cell.on.low - share.on.low, None, given)
        and nonnegative(share.on.high - cell.on.high, None, given)
    )
