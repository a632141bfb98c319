"""Questions on integrals over the scores of a classifier, for every distribution F0, F1 of the scores at once.

An expected loss is linear in ``1 - F0`` and ``F1``. So two expressions of it agree for every F0 and F1 if and only
if their factors of these agree, which is decided on each piece; no distribution is sampled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import sympy
from sympy import Derivative, Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Measure, Piece
from costderive.core.symbols import c1, pi0, pi1, s
from costderive.costs.contexts import Context
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import ascending, compare
from costderive.deciders.signs import nonnegative
from costderive.derivation.derived import made
from costderive.derivation.integration.search import Deadline, antiderivative
from costderive.derivation.moves import ChangeOfVariables, IntegrateMagnitude, SliceRegion, TakeExpectation
from costderive.literature.definitions import Where, filled
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.literature.wording import contains_half, counterexample, equations, number, span
from costderive.proof.checker import decide
from costderive.proof.claims import Equal, Finding, NonNegative, Positive, Regular, Verdict
from costderive.publish.formats.terminal import context_words
from costderive.publish.formulas.printing import inline

ZERO, ONE = sympy.S.Zero, sympy.S.One
AREA_SECONDS = 2.0
TAILS = ("(1 − F₀(s))", "F₁(s)")


# ---- integration by parts


@dataclass(frozen=True, slots=True)
class Part:
    """``integral of rate (1 - F0)`` (class 0) or of ``rate F1`` (class 1), as ``integral of kernel f`` and a rest."""

    label: int
    on: Interval
    rate: Expr
    kernel: Expr

    def before(self) -> str:
        """The integral with the distribution function."""
        return f"{self._limits} {_factor(self.rate)}{TAILS[self.label]} ds"

    def after(self) -> str:
        """The integral with the density."""
        return f"{self._limits} {_factor(self.kernel)}{('f₀', 'f₁')[self.label]}(s) ds"

    @property
    def _limits(self) -> str:
        return f"∫[{inline(self.on.low)}, {inline(self.on.high)}]"


def _factor(expr: Expr) -> str:
    text = inline(expr)
    simple = not (isinstance(expr, sympy.Add) or expr.could_extract_minus_sign() or "/" in text)
    return "" if expr == 1 else text if simple else f"({text})"


@dataclass(frozen=True, slots=True)
class ByParts(Question):
    """A sum of integrals with distribution functions is a sum with densities, and boundary terms, for every F0, F1.

    ``at`` names values of the distribution functions, as ``((letter, class, point), ...)``. If the law is ``whole``,
    the scores lie in (0, 1): ``F(0) = 0`` and ``F(1) = 1``. Then a kernel may be infinite where its factor vanishes,
    if the integrand is not negative (Tonelli): both sides are the same number, or both are infinite.
    """

    parts: tuple[Part, ...]
    boundary: Expr = ZERO
    at: tuple[tuple[Symbol, int, Expr], ...] = ()
    whole: bool = False

    def formal(self) -> tuple[str, ...]:
        """Both sides, and what the letters stand for."""
        left = " + ".join(part.before() for part in self.parts)
        right = [] if self.boundary == 0 else [inline(self.boundary)]
        right += [part.after() for part in self.parts]
        names = [f"{inline(name)} = F{'₀₁'[label]}({inline(point)})" for name, label, point in self.at]
        if self.whole:
            names.append("F(0) = 0 and F(1) = 1 in both classes")
        return (
            left,
            f"= {' + '.join(right)},",
            f"for all F₀ and F₁{', where ' if names else ''}{', '.join(names)}",
        )

    def ruling(self) -> Ruling:
        """Differentiate the kernels, then compare the boundary terms."""
        found = [decide(claim) for part in self.parts for claim in self._claims(part)]
        slopes = [(part, decide(self._slope(part))) for part in self.parts]
        for part, finding in slopes:
            if finding.verdict is Verdict.REFUTED and outcome_of(found) is Outcome.HOLDS and self._apart():
                return self._wrong_kernel(part)
        found += [finding for _, finding in slopes]
        ends = [self._ends(part) for part in self.parts]
        if outcome_of(found) is not Outcome.HOLDS or None in ends:
            return Ruling(
                Outcome.OPEN, (how(found) if None not in ends else "a boundary term has no known limit",)
            )
        total = sympy.expand(sympy.Add(*[end for end in ends if end is not None]))
        finding = decide(Equal("the boundary terms agree", self._known(self.boundary), total))
        kernels, shown = f"each kernel has the derivative needed: {how(found)}", inline(self._named(total))
        if finding.verdict is Verdict.REFUTED:
            evidence = (
                kernels,
                f"the boundary terms printed, {inline(self.boundary)}, are not those of the left side",
            )
            return Ruling(Outcome.FAILS, evidence, (f"the boundary terms are {shown}",))
        return Ruling(
            outcome_of([finding]), (kernels, f"the boundary terms add up to {shown}: {how([finding])}")
        )

    def _claims(self, part: Part) -> tuple[Positive, Regular]:
        length = Positive("the range has a length", part.on.high - part.on.low)
        return length, Regular("the kernel is smooth", self._known(part.kernel), part.on)

    def _apart(self) -> bool:
        """Do the ranges of each class have no part in common, so that a wrong kernel cannot be made up for?"""
        pairs = [(x.on, y.on) for x, y in combinations(self.parts, 2) if x.label == y.label]
        return all(nonnegative(x.low - y.high) or nonnegative(y.low - x.high) for x, y in pairs)

    def _slope(self, part: Part) -> Equal:
        rate = self._known(part.rate) if part.label == 0 else -self._known(part.rate)
        return Equal(
            "the kernel has the derivative needed", Derivative(self._known(part.kernel), s), rate, part.on
        )

    def _wrong_kernel(self, part: Part) -> Ruling:
        slope = self._slope(part)
        found = counterexample(sympy.diff(self._known(part.kernel), s), slope.right, part.on, Given())
        return Ruling(
            Outcome.FAILS, (f"the derivative of {inline(part.kernel)} is not {inline(slope.right)}{found}",)
        )

    def _ends(self, part: Part) -> Expr | None:
        """Return the boundary terms of one integral, or ``None`` if a limit is not known."""
        high, low = (
            self._end(part, point, side) for point, side in ((part.on.high, "-"), (part.on.low, "+"))
        )
        return None if high is None or low is None else high - low

    def _end(self, part: Part, point: Expr, side: str) -> Expr | None:
        """Return the limit of the kernel times ``1 - F0``, or times ``-F1``, at an end."""
        cdf = self._cdf(part.label, point)
        factor = 1 - cdf if part.label == 0 else -cdf
        limit = value_at(self._known(part.kernel), Approach(s, point, side))
        if limit is not None and not limit.is_infinite:
            return limit * factor
        rising = decide(NonNegative("the integrand is not negative", self._known(part.rate), part.on))
        return ZERO if factor == 0 and rising.verdict is Verdict.PROVED else None

    def _cdf(self, label: int, point: Expr) -> Expr:
        if self.whole and point in (ZERO, ONE):
            return point
        return Symbol(f"F{label}({point})", positive=True)

    def _known(self, expr: Expr) -> Expr:
        """Put the values of distribution functions for their letters."""
        return expr.xreplace({name: self._cdf(label, point) for name, label, point in self.at})

    def _named(self, expr: Expr) -> Expr:
        """Write the letters for values of distribution functions."""
        return expr.xreplace(
            {self._cdf(label, point): name for name, label, point in self.at if not self._at_end(point)}
        )

    def _at_end(self, point: Expr) -> bool:
        return self.whole and point in (ZERO, ONE)


# ---- the expected loss of a context


@dataclass(frozen=True, slots=True)
class Term:
    """``integral over s, and perhaps over c1, of integrand times (1 - F0(s))`` (class 0) or ``F1(s)`` (class 1)."""

    label: int
    on: Interval
    integrand: Expr
    inner: tuple[Expr, Expr] | None = None

    def __str__(self) -> str:
        inner = f" ∫[{inline(self.inner[0])}, {inline(self.inner[1])}]" if self.inner else ""
        ends = f"∫[{inline(self.on.low)}, {inline(self.on.high)}]{inner}"
        return f"{ends} {_factor(self.integrand)}{TAILS[self.label]} {'dc₁ ' if self.inner else ''}ds"

    def filled(self, where: Where) -> Term:
        """Return the term with definitions put into it."""
        ends = Interval(s, filled(self.on.low, where), filled(self.on.high, where))
        inner = None if self.inner is None else (filled(self.inner[0], where), filled(self.inner[1], where))
        return Term(self.label, ends, filled(self.integrand, where), inner)

    def factor(self) -> Expr | None:
        """Return the factor of ``1 - F0`` or of ``F1``, or ``None`` if its integral over c1 is not known."""
        if self.inner is None:
            return _powers_split(self.integrand)
        if not self.integrand.is_polynomial(c1):
            return None
        found = sympy.Poly(self.integrand, c1).integrate(c1).as_expr()
        return found.subs(c1, self.inner[1]) - found.subs(c1, self.inner[0])


def _powers_split(expr: Expr) -> Expr:
    """Split powers over positive factors, of which ``1 - s`` is one for s in (0, 1)."""
    rest = sympy.Dummy("r", positive=True)
    return sympy.expand_power_base(expr.subs(1 - s, rest)).subs(rest, 1 - s)


@dataclass(frozen=True, slots=True)
class Row:
    """The factors of ``1 - F0`` or of ``F1`` on one piece: the one printed and the one derived."""

    label: int
    on: Interval
    printed: Expr
    derived: Expr

    def claim(self) -> Equal:
        """The claim that they are equal."""
        return Equal("the factor is the one derived", self.printed, self.derived, self.on)


@dataclass(frozen=True, slots=True)
class ExpectedLossIs(Question):
    """The expected loss of a context at the calibrated threshold is a sum of printed integrals, for every F0, F1.

    If ``unweighted``, the statement is about the sum of the losses of both classes, without class proportions.
    """

    context: Context
    terms: tuple[Term, ...]
    unweighted: bool = False
    where: Where = ()

    def formal(self) -> tuple[str, ...]:
        """The context, the expected loss and the integrals."""
        left = "E[c₀(1 − F₀(s)) + c₁F₁(s)]" if self.unweighted else "E[π₀c₀(1 − F₀(s)) + π₁c₁F₁(s)]"
        lines = [f"{'+' if number else '='} {term}" for number, term in enumerate(self.terms)]
        names = [f"where {equations(self.where)},"] if self.where else []
        return (
            f"{context_words(self.context)}:",
            left,
            *lines,
            *names,
            "for all F₀ and F₁, at s = c₀/(c₀ + c₁)",
        )

    def ruling(self) -> Ruling:
        """Derive the threshold weight and compare the factors of ``1 - F0`` and ``F1`` piece by piece."""
        given = self.context.given()
        weight, steps = threshold_weight(self.context, given)
        ranges = [term.filled(self.where).on for term in self.terms]
        steps += [decide(claim, given) for on in ranges for claim in _within(on)]
        rows = [row for label in (0, 1) for row in self._rows(label, weight, given)]
        found = [decide(row.claim(), given) for row in rows]
        outcome = outcome_of([*steps, *found])
        if outcome_of(steps) is not Outcome.HOLDS or outcome is Outcome.OPEN:
            return Ruling(Outcome.OPEN, (how([*steps, *found]),))
        proved = (
            f"the threshold weight is derived and checked: {len(steps)} of {len(steps)} claims are proved"
        )
        if outcome is Outcome.HOLDS:
            return Ruling(outcome, (proved, f"equal to the derived factors on every piece: {how(found)}"))
        wrong = [row for row, f in zip(rows, found, strict=True) if f.verdict is Verdict.REFUTED]
        return Ruling(outcome, (proved, *_difference(rows, wrong, given)), self._derived(weight))

    def _rows(self, label: int, weight: Measure, given: Given) -> Iterator[Row]:
        """Return the printed and the derived factor on each piece."""
        terms = [term.filled(self.where) for term in self.terms if term.label == label]
        ends = [end for term in terms for end in (term.on.low, term.on.high)]
        breaks = ascending([ZERO, ONE, *weight.density.breaks, *ends], given)
        if weight.atoms:
            raise SpecError("the costs have point masses: the expected loss is not an integral over s")
        for low, high in pairwise(breaks):
            here = [_required(term) for term in terms if _covers(term.on, low, given)]
            share = (s, 1 - s)[label] if self.unweighted else (pi0 * s, pi1 * (1 - s))[label]
            yield Row(label, Interval(s, low, high), sympy.Add(*here), share * _at(weight, low, given))

    def _derived(self, weight: Measure) -> tuple[str, ...]:
        lines = [
            f"ω(s) = {inline(piece.value)} for {span(weight.density.interval(piece))}"
            for piece in weight.density
        ]
        pi = ("", "") if self.unweighted else ("π₀", "π₁")
        return (
            f"the expected loss is ∫[0, 1] ({pi[0]}s{TAILS[0]} + {pi[1]}(1 − s){TAILS[1]}) ω(s) ds with",
            *lines,
        )


def _within(on: Interval) -> tuple[Positive, NonNegative, NonNegative]:
    """The claims that a range of s has a length and lies in [0, 1]."""
    length = Positive("a range has a length", on.high - on.low)
    return length, NonNegative("s is at least 0", on.low), NonNegative("s is at most 1", 1 - on.high)


def _required(term: Term) -> Expr:
    factor = term.factor()
    if factor is None:
        raise SpecError(f"{inline(term.integrand)} is not a polynomial in c₁")
    return factor


def _covers(on: Interval, low: Expr, given: Given) -> bool:
    return compare(on.low, low, given) <= 0 and compare(on.high, low, given) > 0


def _at(weight: Measure, low: Expr, given: Given) -> Expr:
    pieces: list[Piece] = [piece for piece in weight.density if compare(piece.low, low, given) <= 0]
    return pieces[-1].value


def threshold_weight(context: Context, given: Given) -> tuple[Measure, list[Finding]]:
    """Return the threshold weight of a context, with the findings on the steps that lead to it."""
    moves = (TakeExpectation(), ChangeOfVariables(), SliceRegion(), IntegrateMagnitude())
    steps = made(moves, context, given)
    weight: Measure = steps[-1].after.weight
    return weight, [decide(claim, given) for step in steps for claim in step.claims(given)]


def _difference(rows: list[Row], wrong: list[Row], given: Given) -> Iterator[str]:
    """Say where factors differ, and what the losses are if all instances of a class are misclassified."""
    first = min(wrong, key=lambda row: not contains_half(row.on))
    found = counterexample(first.printed, first.derived, first.on, given)
    yield f"the factor of {TAILS[first.label]} differs from the derived one on {span(first.on)},{found}"
    for label in sorted({row.label for row in wrong}):
        mine = [row for row in rows if row.label == label]
        printed, derived = (
            _total([(getattr(row, side), row.on) for row in mine]) for side in ("printed", "derived")
        )
        if printed is not None and derived is not None:
            sides = (
                f"the printed integrals give {number(printed)}, and the expected loss is {number(derived)}"
            )
            yield f"if every instance of class {label} is misclassified, {sides}"


def _total(factors: list[tuple[Expr, Interval]]) -> Expr | None:
    """Return the sum of the integrals of functions over their intervals, or ``None`` if one is not known."""
    areas = [_area(factor, on) for factor, on in factors if factor != 0]
    return None if None in areas else sympy.factor(sympy.Add(*areas))


def _area(factor: Expr, on: Interval) -> Expr | None:
    found = antiderivative(factor, on, Given(), Deadline.after(AREA_SECONDS))
    if found is None:
        return None
    high, low = (value_at(found, Approach(s, end, side)) for end, side in ((on.high, "-"), (on.low, "+")))
    return None if high is None or low is None or (high - low).is_finite is False else high - low
