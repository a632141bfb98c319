"""Costs along an arc in Coq: antiderivatives in its parameter, and the parameter at which the decision changes.

Both are found here and certified there: where the decision changes by a factor of the difference of the costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import Arc
from costderive.costs.laws import x
from costderive.deciders.sample_points import Point, points
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.publish.coq.antiderivatives import antiderivative, vanishing_text
from costderive.publish.coq.endpoints import at_an_end, is_root_of_0, stays_plain
from costderive.publish.coq.exponential_sums import bounded_at_0, by_rates
from costderive.publish.coq.factors import divisors, hints, hints_at
from costderive.publish.coq.facts import positives, records, sure
from costderive.publish.coq.far_terms import far_text, from_far
from costderive.publish.coq.gamma_shapes import by_gammas
from costderive.publish.coq.inverse_parameter import Inverted, inverted
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.setting import Cell
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import PositivePower, atomic, term
from costderive.publish.coq.visible_signs import visible

ZERO, ONE = sympy.S.Zero, sympy.S.One
MANY = 100  # more than what is on record without the parameter
NAMES = ("amount0", "amount1", "chance")  # of antiderivatives of what CHARGES names
BEFORE, AFTER = "before", "after"  # on which part of an arc a cost is paid that is infinite on the other one
LIMITS = {"": "along", BEFORE: "from", AFTER: "upto"}  # at which ends an antiderivative has them, in Coq
CHARGED = {BEFORE: ("Rising", "Falling"), AFTER: ("Falling", "Rising")}  # turns, by the class that pays there
NOTHING = ("Never", "Always")  # is paid by a class
OPENED = "intros x (Positive & From & Upto); arcs_read;"


@dataclass(frozen=True, slots=True)
class Turn:
    """Where class 1 is predicted along an arc, by its name in Coq, and the parameter at which that changes."""

    kind: str
    at: Expr | None = None

    @property
    def shown(self) -> str:
        """The term of Coq."""
        return self.kind if self.at is None else f"({self.kind} {atomic(self.at)})"

    def paid(self, label: int, found: Expr, arc: Arc) -> Expr:
        """Return what a class pays, from an antiderivative of its cost."""
        start, stop = found.subs(x, arc.low), ZERO if arc.high is sympy.oo else found.subs(x, arc.high)
        if self.at is None:
            return stop - start if (self.kind == "Always") == (label == 0) else ZERO
        here = found.subs(x, self.at)
        return here - start if (self.kind == "Rising") == (label == 0) else stop - here

    def keeps(self, part: str, label: int) -> bool:
        """Return whether a class is charged on a part of the arc alone, or nowhere."""
        return self.kind in (CHARGED[part][label], NOTHING[label])


@dataclass(frozen=True)
class Path:
    """An arc by its number, with antiderivatives, and the parameter as a function of the threshold."""

    number: int
    arc: Arc
    inverse: Expr
    given: Given
    betas: frozenset[tuple[Expr, ...]] = frozenset()  # shapes of incomplete Beta functions of the losses

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"arc{self.number}"

    @property
    def on(self) -> Interval:
        """The values of the parameter."""
        return Interval(x, self.arc.low, self.arc.high)

    @property
    def within(self) -> Given:
        """What is known of the letters and of the parameter."""
        return self.given.also(positive=self.on.facts)

    @cached_property
    def antiderivatives(self) -> tuple[Expr, ...]:
        """Antiderivatives in the parameter of both costs times the density, and of the density."""
        parts = (self.arc.c0, self.arc.c1, ONE)
        found = [
            sympy.powsimp(_primitive(part * self.arc.density, self.within, self.betas)) for part in parts
        ]
        return tuple(map(self._vanishing, found)) if self.arc.high is sympy.oo else tuple(found)

    def _vanishing(self, found: Expr) -> Expr:
        """Return an antiderivative less its limit at infinity."""
        found = from_far(found, x)
        inverse = None if self._visibly(found) else inverted(found, x)
        return found if inverse is None else found - inverse.formula.subs(x, ZERO)

    @cached_property
    def inverses(self) -> tuple[Inverted | None, ...]:
        """What each antiderivative is of the inverse of the parameter, if that is how its limit is read."""
        unseen = (
            self.arc.high is sympy.oo and self._starts(found) and not self._visibly(found)
            for found in self.antiderivatives
        )
        return tuple(
            inverted(found, x) if sought else None
            for found, sought in zip(self.antiderivatives, unseen, strict=True)
        )

    @cached_property
    def far(self) -> tuple[bool, ...]:
        """Whether each antiderivative vanishes at infinity by more than powers and exponentials."""
        return tuple(
            self.arc.high is sympy.oo and part != BEFORE and inverse is None and not self._plainly(found)
            for part, found, inverse in zip(self.parts, self.antiderivatives, self.inverses, strict=True)
        )

    @cached_property
    def parts(self) -> tuple[str, str, str]:
        """Of each antiderivative, if it is of a cost and Coq sees no limit at one end, the part with the other end."""
        first, second, _ = map(self._part, self.antiderivatives, self.inverses)
        return first, second, ""

    def _part(self, found: Expr, inverse: Inverted | None) -> str:
        ends = self._starts(found), inverse is not None or self._stops(found)
        return {(True, False): BEFORE, (False, True): AFTER}.get(ends, "")

    def _starts(self, found: Expr) -> bool:
        """Return whether an antiderivative is plainly continuous where the arc begins."""
        rates = by_rates(found, x, in_both_shares)
        return (
            _plain_at(self.steady(found), self.arc.low)
            if rates is None
            else self.arc.low != 0 or bounded_at_0(rates)
        )

    def steady(self, found: Expr) -> Expr:
        """Return an antiderivative with the powers that have their values at 0, if a bounded arc begins there."""

        def vanishes(node: Expr) -> bool:
            power = node.is_Pow and node.base == x and not (2 * node.exp).is_Integer
            return bool(power and visible(node.exp, None, self.given))

        bounded = self.arc.low == 0 and self.arc.high is not sympy.oo
        return found.replace(vanishes, lambda node: PositivePower(*node.args)) if bounded else found

    @property
    def powers(self) -> bool:
        """Whether an antiderivative has such powers."""
        return any(self.steady(found) != found for found in self.antiderivatives)

    def _stops(self, found: Expr) -> bool:
        """Return whether it is where the arc ends, or visibly vanishes at infinity."""
        if self.arc.high is not sympy.oo:
            return by_rates(found, x, in_both_shares) is not None or _plain_at(found, self.arc.high)
        return self._visibly(found)

    def _visibly(self, found: Expr) -> bool:
        """Return whether an antiderivative is written so that it visibly vanishes at infinity."""
        try:
            return self._plainly(found) or bool(far_text(found, x, None, self.given))
        except ExportError:
            return False

    @property
    def errors(self) -> bool:
        """Whether an antiderivative on a bounded arc has values of the error function."""
        return self.arc.high is not sympy.oo and any(
            found.has(sympy.erf, sympy.erfc) for found in self.antiderivatives
        )

    @property
    def valued_at_ends(self) -> bool:
        """Whether an antiderivative has angles, incomplete Beta functions or roots of 0 at an end."""
        nodes = [node for found in self.antiderivatives for node in sympy.preorder_traversal(found)]
        return any(
            isinstance(node, sympy.asin | sympy.betainc)
            or any(is_root_of_0(node, end, x) for end in self._ends)
            for node in nodes
        )

    @property
    def _ends(self) -> tuple[Expr, ...]:
        """The ends that are numbers."""
        return tuple(end for end in (self.arc.low, self.arc.high) if end is not sympy.oo)

    def _plainly(self, found: Expr) -> bool:
        try:
            return bool(vanishing_text(found, x, None, self.given))
        except ExportError:
            return False

    @property
    def shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return (self.name, *[f"{name}_{self.number}" for name in NAMES])

    def definitions(self) -> Iterator[str]:
        """Yield the arc and its antiderivatives in Coq."""
        yield arc_in_coq(self.name, self.arc)
        yield from map(self.defined, range(len(NAMES)))

    def defined(self, number: int) -> str:
        """Return the definition of an antiderivative of what `CHARGES` names."""
        closed = f"closed_along {self.name} (fun x => {self._written(number)})"
        return f"Definition {NAMES[number]}_{self.number} : along :=\n  {closed}."

    def counted(self) -> Iterator[str]:
        """Yield the arc with an antiderivative of its density alone, and that it is right."""
        chance = NAMES.index("chance")
        yield arc_in_coq(self.name, self.arc)
        yield self.defined(chance)
        read = f"{self.name} {NAMES[chance]}_{self.number}"
        yield f"Ltac arcs_read := cbv beta iota delta [{read}] in *; reading_arcs."
        yield self._spans()
        yield self.certified(chance)

    def _written(self, number: int) -> str:
        """Write an antiderivative so that Coq sees its limits at both ends, or at that of its part."""
        found, part = self.antiderivatives[number], self.parts[number]
        if not (part or (self._starts(found) and (self.arc.high is sympy.oo or self._stops(found)))):
            raise ExportError("an antiderivative is unbounded at an end", "Coq needs its limit.")
        if self.far[number]:
            return far_text(found, x, None, self.given)
        closed = self.arc.high is not sympy.oo or part == BEFORE or self.inverses[number] is not None
        return term(self.steady(found)) if closed else vanishing_text(found, x, None, self.given)

    def lawful(self) -> str:
        """Return the lemmas that the arc is one, that costs are positive and that the density is not negative."""
        facts = (self.arc.c0, self.arc.c1, self.arc.density)
        proofs = [self._signed(part, strict) for part, strict in zip(facts, (True, True, False), strict=True)]
        signs = lemma(
            f"lawful_{self.name}",
            f"lawful_arc {self.name}",
            f"split; [exact spans_{self.name} |]. {OPENED[:-1]}. split; [| split]; [{' | '.join(proofs)}].",
        )
        return f"{self._spans()}\n{signs}"

    def _spans(self) -> str:
        return lemma(f"spans_{self.name}", f"spans {self.name}", self._spanned())

    def _signed(self, part: Expr, strict: bool) -> str:
        """Return the tactic for a sign; that ``1 + erf y`` is bounded by 0 is seen where the sign is strict."""
        seen = sure(part, None, self.within, strict=strict)
        weakly = not strict and seen.strict and part.has(sympy.erf)
        kind = "positive_as" if strict or weakly else "not_negative_as"
        return f"apply {'Rlt_le, ' if weakly else ''}({kind} ({seen.text})); [equal_exponentials | see]"

    def integrated(self) -> Iterator[str]:
        """Yield the lemmas that the antiderivatives are right."""
        yield from map(self.certified, range(len(NAMES)))

    def certified(self, number: int) -> str:
        """Return the lemma that an antiderivative of what `CHARGES` names is right."""
        name, charge, found = NAMES[number], CHARGES[number], self.antiderivatives[number]
        formulas: tuple[Expr, ...] = (found, self.arc.c0, self.arc.c1, self.arc.density)
        part, inverse = self.parts[number], self.inverses[number]
        kind = "far_by" if self.far[number] and not part else f"{LIMITS[part]}_by"
        if inverse is not None:
            kind = f"inverse_by {self._inverted(inverse, formulas)}"
            formulas = (*formulas, inverse.formula.subs(x, 1 / x))
        elif self.steady(found) != found and not part:
            kind = f"powers_by (fun x => {term(self.steady(found)).replace('positive_power', 'Rpower')})"
        written = "; ".join(hints(formulas, self.on, self.given)) or "idtac"
        return lemma(
            f"integrated_{name}_{self.number}",
            f"integrates_{LIMITS[part]} {self.name} {charge} {name}_{self.number}",
            *positives(formulas, None, self.given),
            f"arcs_read; antiderivative_{kind} ltac:(fun x => {written}).",
        )

    def _inverted(self, inverse: Inverted, formulas: tuple[Expr, ...]) -> str:
        """Return what an antiderivative is of the inverse, and the tactic for what is positive along the arc."""
        parts = [part for part in divisors(formulas, self.on, self.given) if part.has(x)]
        known = [line.removesuffix(".") for line in records(parts, None, self.within, after=MANY)]
        recorded = f"ltac:(fun x => {'; '.join(known) or 'idtac'})"
        return f"{atomic(inverse.start)} (fun x => {term(inverse.formula)}) {recorded}"

    def hints_at_the_ends(self) -> Iterator[str]:
        """Yield tactics that write the logarithms and roots of the antiderivatives at both ends."""
        for end in self._ends:
            other = BEFORE if end == self.arc.high else AFTER
            limited = [x for x, part in zip(self.antiderivatives, self.parts, strict=True) if part != other]
            yield from hints_at(end, limited, self.on, self.given)

    def _spanned(self) -> str:
        low, width = sure(self.arc.low, None, self.given, strict=False), "exact I"
        if self.arc.high is not sympy.oo:
            seen = sure(self.arc.high - self.arc.low, None, self.given)
            width = f"apply (strictly_below_by ({seen.text})); [algebra | see]"
        return f"arcs_read; split; [apply (not_negative_as ({low.text})); [algebra | see] | {width}]."

    # ---- at a report

    def turn(self, cell: Cell) -> Turn:
        """Return where class 1 is predicted for the reports of a piece, as at one admissible report."""
        at = self._sample(cell)
        here, low, high = (value_at(end, at) for end in (self.inverse, self.arc.low, self.arc.high))
        inside = bool(here.is_real) and low < here < high
        start = here if inside else low
        middle = start + 1 if high is sympy.oo else (start + high) / 2
        above = value_at(self.gap, {**at, x: middle}) > 0
        if inside:
            return Turn("Rising" if above else "Falling", self.inverse)
        return Turn("Never" if above else "Always")

    @property
    def gap(self) -> Expr:
        """What is positive above the ray of the report: ``(1 - p) c0 - p c1``."""
        return (1 - p) * self.arc.c0 - p * self.arc.c1

    def _sample(self, cell: Cell) -> Point:
        parts = (self.inverse, self.gap, self.arc.low, self.arc.high)
        symbols = set().union(*[part.free_symbols for part in parts])
        admissible = points(symbols - {p, x}, cell.on, self.given)
        if not admissible:
            raise ExportError("no numbers satisfy the assumptions", "State the assumptions differently.")
        return admissible[0]

    def turned(self, cell: Cell) -> tuple[Expr, ...]:
        """Return the parameter at which the decision changes for the reports of a piece, if it does."""
        return () if (at := self.turn(cell).at) is None else (at,)

    def powers_at_turn(self, cell: Cell) -> Iterator[Expr]:
        """Yield the roots in the antiderivatives where the decision changes, as they stand there in Coq."""
        for at in self.turned(cell):
            for node in set().union(*[found.atoms(sympy.Pow) for found in self.antiderivatives]):
                if node.base.has(x) and node.exp.is_Rational and node.exp.q > 2:
                    yield sympy.Pow(node.base.subs(x, at), node.exp, evaluate=False)

    def turning(self, cell: Cell, known: frozenset[Expr]) -> Iterator[str]:
        """Yield the tactic that puts on record where class 1 is predicted for the reports of a piece.

        What is ``known`` to be positive is on record.

        Raises:
            ExportError: if Coq does not see it.
        """
        turn = self.turn(cell)
        proof = (
            self._everywhere(cell, turn, known)
            if turn.at is None
            else self._changed(cell, turn, turn.at, known)
        )
        yield f"assert (turn{self.number} : turns {self.name} p {turn.shown}) by ({proof})."
        for label, part in enumerate(self.parts):
            if part:
                charged = f"charged_{part}{label} {self.name} {turn.shown}"
                yield f"assert (stays{label}_{self.number} : {charged}) by ({self._kept(cell, turn, part, known)})."

    def _kept(self, cell: Cell, turn: Turn, part: str, known: frozenset[Expr]) -> str:
        """Return the proof that the parameter of the report lies before the end of the arc, or after its start."""
        if turn.at is None or (part == BEFORE and self.arc.high is sympy.oo):
            return "exact I"
        gap = self.arc.high - turn.at if part == BEFORE else turn.at - self.arc.low
        seen = sure(in_both_shares(gap), cell.on, self.given, known=known).text
        return f"hnf; arcs_read; apply (strictly_below_by ({seen})); [{self._same(cell)} | see]"

    def paid(self, cell: Cell) -> tuple[Expr, Expr]:
        """Return what the arc pays to the classes at a report of a piece.

        Raises:
            ExportError: if that is not seen to be finite.
        """
        turn = self.turn(cell)
        first, second, _ = self.antiderivatives
        if not all(turn.keeps(part, label) for label, part in enumerate(self.parts) if part):
            raise ExportError("an antiderivative has no limit that Coq sees at an end", "See its terms.")
        return turn.paid(0, first, self.arc), turn.paid(1, second, self.arc)

    def cost(self, label: int) -> str:
        """Return what the library says of the arc: it pays to a class what its antiderivative says at the turn."""
        facts = (
            f"lawful_{self.name} spans_{self.name} turn{self.number} integrated_amount{label}_{self.number}"
        )
        if part := self.parts[label]:
            return f"paid_{part}{label} {self.name} p _ _ Unit {facts} stays{label}_{self.number}"
        return f"arc_cost{label} {self.name} p _ _ Unit {facts}"

    # ---- over all of it

    def value(self, number: int) -> Expr:
        """Return the expectation over the arc of one of what `CHARGES` names.

        Raises:
            ExportError: if that is not seen to be finite.
        """
        if self.parts[number]:
            raise ExportError("a mean cost is not seen to be finite", "Coq needs its value.")
        found = Turn("Always").paid(0, self.antiderivatives[number], self.arc)
        return (
            sympy.gammasimp(at_an_end(found, self.arc.high).replace(sympy.beta, by_gammas))
            if self.betas
            else found
        )

    def whole_betas(self) -> Iterator[Expr]:
        """Yield the Beta functions that antiderivatives are at the end of the arc."""
        for node in set().union(*[found.atoms(sympy.betainc) for found in self.antiderivatives]):
            yield sympy.beta(*node.args[:2], evaluate=False)

    def mean_of(self, number: int) -> str:
        """Return the theorem of the library on the expectation of one of what `CHARGES` names."""
        return f"arc_of {self.name} _ _ spans_{self.name} integrated_{NAMES[number]}_{self.number}"

    def _everywhere(self, cell: Cell, turn: Turn, known: frozenset[Expr]) -> str:
        name, sign = ("always_on", -1) if turn.kind == "Always" else ("never_on", 1)
        seen = sure(in_both_shares(sign * self.gap), cell.on, self.within, known=known).text
        return f"apply {name}; [lra | {OPENED} apply (positive_as ({seen})); [{self._same(cell)} | see]]"

    def _changed(self, cell: Cell, turn: Turn, at: Expr, known: frozenset[Expr]) -> str:
        if cell.on.high != 1 and sympy.denom(sympy.together(at)).subs(p, cell.on.high) == 0:
            raise ExportError(
                "the parameter of a report is infinite at a breakpoint", "Coq needs what is paid there."
            )
        name, sign = ("rising_at", 1) if turn.kind == "Rising" else ("falling_at", -1)
        seen = sure(_quotient(self.gap, sign * (x - at)), cell.on, self.within, known=known).text
        return (
            f"apply ({name} _ _ _ (fun x => {seen})); [lra | arcs_read; {self._in_range(cell, at, known)} |"
            f" {OPENED} split; [{self._same(cell)} | see]]"
        )

    def _same(self, cell: Cell) -> str:
        """Return the tactic for an equality of rational functions and roots."""
        found = hints((self.gap, self.inverse), cell.on, self.given)
        return algebra(tuple(hint for hint in found if hint.startswith("factored")))

    def _in_range(self, cell: Cell, at: Expr, known: frozenset[Expr]) -> str:
        """Return the proof that the parameter of the report lies on the arc."""

        def ordered(low: Expr, high: Expr) -> str:
            seen = visible(in_both_shares(high - low), cell.on, self.given, known=known)
            if seen is not None:
                return f"apply (below_by ({seen.text})); [{self._same(cell)} | see]"
            squares = in_both_shares(high**2 - low**2)
            seen = sure(squares, cell.on, self.given, strict=False, known=known)
            return f"apply (below_by_squares ({seen.text})); [see | {self._same(cell)} | see]"

        high = "exact I" if self.arc.high is sympy.oo else ordered(at, self.arc.high)
        return f"split; [{ordered(self.arc.low, at)} | {high}]"


def _plain_at(found: Expr, end: Expr) -> bool:
    return all(stays_plain(node, end, x) for node in sympy.preorder_traversal(found))


def equality(paths: Sequence[Path]) -> str:
    """Return the tactic for an equality of closed forms at the ends of arcs, which takes hints."""
    if any(any(path.far) for path in paths):
        return "equal_far"
    if any(inverse is not None for path in paths for inverse in path.inverses):
        return "equal_at_ends_by"
    if any(path.errors for path in paths):
        return "equal_beside_errors"
    if any(path.powers for path in paths):
        return "equal_powers_by"
    return "equal_at_ends_by" if any(path.valued_at_ends for path in paths) else "equal_exponentials_by"


def _primitive(expr: Expr, given: Given, betas: Set[tuple[Expr, ...]]) -> Expr:
    """Return an antiderivative in the parameter, by roots and angles where these do for a Beta function.

    Raises:
        ExportError: if they do not and no loss has that function, or there is none.
    """
    for shapes in betas:
        if (of_line := _of_line(expr, shapes)) is not None:
            return of_line
    plain = None
    try:
        found = antiderivative(expr, x, given)
    except ExportError:
        found = plain = by_ansatz(expr, x)
        if plain is None:
            raise
    if not found.has(sympy.betainc):
        return found
    plain = plain or by_ansatz(expr, x)
    if plain is not None and not plain.has(sympy.betainc):
        return plain
    if not {node.args[:2] for node in found.atoms(sympy.betainc)} <= betas:
        raise ExportError("an antiderivative is another Beta function than the losses", "Coq gets the same.")
    return found


def _of_line(expr: Expr, shapes: tuple[Expr, ...]) -> Expr | None:
    """Return a multiple of an incomplete Beta function up to ``x/(x + b)`` that is an antiderivative, if one is."""
    lines = (node.base for node in expr.atoms(sympy.Pow) if not node.exp.is_Integer)
    for start in {sympy.expand(line - x) for line in lines}:
        if start != 0 and not start.has(x):
            found = sympy.betainc(*shapes, ZERO, x / (x + start))
            factor = sympy.powsimp(sympy.simplify(expr / sympy.diff(found, x)), force=True)
            if not factor.has(x):
                return factor * found
    return None


def arc_in_coq(name: str, arc: Arc) -> str:
    """Return the definition of an arc in Coq."""
    functions = "\n".join(f"  (fun x => {term(part)})" for part in (arc.c0, arc.c1, arc.density))
    high = "p_infty" if arc.high is sympy.oo else f"(Finite {atomic(arc.high)})"
    return f"Definition {name} : arc := Arc {atomic(arc.low)} {high}\n{functions}."


def _quotient(gap: Expr, factor: Expr) -> Expr:
    """Return the exact quotient of a gap by a factor of it, a polynomial in the parameter.

    Raises:
        ExportError: if it is not a rational function of the parameter.
    """
    top, bottom = sympy.fraction(sympy.together(gap))
    if not (top.is_polynomial(x) and bottom.is_polynomial(x)):
        raise ExportError(
            "costs along an arc are no rational functions", "Coq gets where the decision changes there."
        )
    quotient, rest = sympy.div(top, factor, x)
    if sympy.simplify(rest) != 0:
        raise ExportError(
            "the parameter of a report is no root that Coq sees", "See the inverse of the curve."
        )
    return in_both_shares(quotient / bottom)
