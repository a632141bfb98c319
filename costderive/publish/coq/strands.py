"""Costs along an arc in Coq without closed forms of what they cost: that this exists, and which thresholds there are.

The expected costs exist if the threshold rises or falls along the arc, and one mean is finite: a cost that is paid lies
below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import Arc
from costderive.costs.laws import x
from costderive.deciders.signs import positive
from costderive.publish.coq.factors import divisors, hints
from costderive.publish.coq.facts import records, sure
from costderive.publish.coq.law_theorems import CHARGES
from costderive.publish.coq.paths import NAMES, OPENED, Path, arc_in_coq
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
CHANCE = NAMES.index("chance")
SIDES = ("left", "right")


@dataclass(frozen=True)
class Strand:
    """An arc by its number, with the parameter as a function of the threshold, and the thresholds along it."""

    number: int
    arc: Arc
    inverse: Expr
    thresholds: Interval
    given: Given

    @property
    def name(self) -> str:
        """The name in Coq."""
        return self.path.name

    @cached_property
    def path(self) -> Path:
        """The arc with its costs."""
        return self._path(self.arc.c0, self.arc.c1)

    def _path(self, first: Expr, second: Expr) -> Path:
        return Path(self.number, replace(self.arc, c0=first, c1=second), ZERO, self.given)

    # -- its definition

    @cached_property
    def counted(self) -> Path | None:
        """The path that has the total of the density, if it is seen."""
        path = self._path(ONE, ONE)
        return path if _has_value(path, CHANCE) else None

    def definitions(self) -> Iterator[str]:
        """Yield the arc, and the antiderivative of its density if there is one, in Coq."""
        yield arc_in_coq(self.name, self.arc)
        if self.counted is not None:
            yield self.counted.defined(CHANCE)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return (self.name, *([] if self.counted is None else [f"{NAMES[CHANCE]}_{self.number}"]))

    def reads(self, shown: tuple[str, ...]) -> str:
        """Return the tactic that reads closed forms along this arc, too, where others are ``shown``."""
        return reads((*shown, *self.shown), "::=")

    def charge(self, number: int) -> tuple[str, str]:
        """Return one of what `CHARGES` names, and its antiderivative."""
        return CHARGES[number], f"{NAMES[number]}_{self.number}"

    def certified(self) -> Iterator[str]:
        """Yield the lemmas that it is lawful and continuous, and that the antiderivative is right."""
        yield self.path.lawful()
        yield lemma(
            f"steady_{self.name}",
            f"continuous_arc {self.name}",
            f"{OPENED[:-1]}. {self._recorded(self.arc.density)} repeat split; unfold Rpower; smooth.",
        )
        if self.counted is not None:
            yield self.counted.certified(CHANCE)

    # -- that expected costs exist

    def existence(self, shown: tuple[str, ...]) -> Iterator[str]:
        """Yield the lemmas that the expected costs along the arc exist; ``shown`` names are unfolded to read forms.

        Raises:
            ExportError: if it is not seen that the threshold rises or falls, or that a mean is finite.
        """
        yield lemma(f"settles_{self.name}", f"settles {self.name}", *self._settles())
        yield from self._mean(shown)
        facts = " ".join(f"{fact}_{self.name}" for fact in ("lawful", "steady", "settles", "mean_of"))
        yield lemma(
            f"exist_{self.name}",
            f"costs_exist_over (over_arc {self.name})",
            f"intros p Unit. exact (costs_exist_along {self.name} p Unit {facts}).",
        )

    def _recorded(self, *formulas: Expr) -> str:
        """Return the tactics that record that what formulas divide by is positive along the arc."""
        parts = divisors((self.arc.c0, self.arc.c1, *formulas), self.path.on, self.given)
        return " ".join(records([part for part in parts if part.has(x)], None, self.path.within))

    def _settles(self) -> Iterator[str]:
        ratio = sympy.factor(sympy.simplify(self.arc.c0 / self.arc.c1))
        slope = sympy.factor(sympy.simplify(sympy.diff(ratio, x)))
        rises, seen = self._sign_of(slope)
        written = "; ".join(hints((ratio, slope, self.arc.c0, self.arc.c1), self.path.on, self.given))
        equal = f"equal_exponentials_by ltac:({written or 'idtac'})"
        functions = f"(fun x => {term(ratio)}) (fun x => {term(slope)}) {'true' if rises else 'false'}"
        opened = f"{OPENED[:-1]}. {self._recorded(ratio, slope)}".rstrip()
        yield f"apply (settles_by {self.name} {functions} lawful_{self.name})."
        yield f"- {opened} {equal}."
        yield f"- {opened} split; [unfold Rpower; auto_derive; [see | {equal}] |"
        yield f"    apply (not_negative_as ({seen})); [equal_exponentials | see]]."

    def _sign_of(self, slope: Expr) -> tuple[bool, str]:
        with suppress(ExportError):
            return True, sure(slope, None, self.path.within, strict=False).text
        return False, sure(-slope, None, self.path.within, strict=False).text

    def _mean(self, shown: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lemmas that a mean is finite, in the first way in which that is seen."""
        by_value = partial(self.means_by_value, shown)
        ways = (self._by_bounds, partial(by_value, plain=True), self._by_continuity, by_value)
        found = next((lines for way in ways for lines in way()), None)
        if found is None:
            raise ExportError("no mean is seen to be finite", "Coq needs that of one of both costs.")
        *lines, proof = found
        return (*lines, lemma(f"mean_of_{self.name}", f"has_a_mean {self.name}", proof))

    def means_by_value(
        self, shown: tuple[str, ...], *, plain: bool = False, of: tuple[int, ...] = (0, 1)
    ) -> Iterator[tuple[str, ...]]:
        """Yield for each mean ``of`` a class that has a closed form its definition, lemmas, and the proof of it."""
        for k in of:
            path = self._path(ONE if k else self.arc.c0, self.arc.c1 if k else ONE)
            if _has_value(path, k) and not (plain and (path.far[k] or path.inverses[k])):
                yield (
                    path.defined(k),
                    reads((*shown, f"{NAMES[k]}_{self.number}"), "::="),
                    path.certified(k),
                    f"{SIDES[k]}; eexists; exact ({path.mean_of(k)}).",
                )

    def _by_bounds(self) -> Iterator[tuple[str, ...]]:
        ends = (self.arc.low, self.arc.high) if self.counted is not None else ()
        for (k, cost), end in product(enumerate((self.arc.c0, self.arc.c1)), ends):
            bound = cost.subs(x, end)
            with suppress(ExportError):
                yield (
                    self._bounded(k, bound, sure(bound - cost, None, self.path.within, strict=False).text),
                )

    def _bounded(self, k: int, bound: Expr, gap: str) -> str:
        assert self.counted is not None
        facts = f"lawful_{self.name} steady_{self.name} ({self.counted.mean_of(CHANCE)})"
        return (
            f"apply (mean_by_bound {self.name} {atomic(bound)} _ {facts}); {SIDES[k]}; {OPENED}"
            f" apply (below_by ({gap})); [equal_exponentials | see]."
        )

    def _by_continuity(self) -> Iterator[tuple[str, ...]]:
        for k, cost in enumerate((self.arc.c0, self.arc.c1)):
            paid = cost * self.arc.density
            with suppress(ExportError):
                known = " ".join(self._positive_to_the_ends(_divided(paid)))
                facts = f"{self.name} {atomic(self.arc.high)} eq_refl lawful_{self.name}"
                opened = "intros x (From & Upto); arcs_read."
                yield (
                    f"apply (mean_by_continuity {facts}); {SIDES[k]}. {opened} {known} unfold Rpower; smooth.",
                )

    def _positive_to_the_ends(self, parts: list[Expr]) -> Iterator[str]:
        """Yield tactics that record that parts are positive along the arc and at its ends."""
        low, high = self.arc.low, self.arc.high
        within = self.given.also(positive=(x - low,), nonnegative=(high - x,))
        for number, part in enumerate(parts, start=1):
            seen = sure(part, None, within).text, sure(part.subs(x, low), None, self.given).text
            proofs = " | ".join(f"apply (positive_as ({text})); [algebra | see]" for text in seen)
            cases = "destruct (Rle_lt_or_eq_dec _ _ From) as [More | <-]"
            yield f"assert (positive{number} : 0 < {term(part)}) by ({cases}; [{proofs}])."

    # -- strictness

    def attained(self, low: Expr, high: Expr) -> str:
        """Return the tactics that a threshold between two ones, written ``p``, is attained along the arc.

        Raises:
            ExportError: if that is not seen.
        """
        on, at = Interval(p, low, high), self.inverse
        if at.has(x) or not all(_reaches(self.thresholds, end, self.given) for end in (low, high)):
            raise ExportError("the parameter of a threshold has no closed form", "Coq needs it.")
        inside = [at, at - self.arc.low, *([] if self.arc.high is sympy.oo else [self.arc.high - at])]
        order = [
            f"apply (strictly_below_by ({sure(gap, on, self.given).text})); [algebra | see]" for gap in inside
        ]
        order += ["exact I"] if self.arc.high is sympy.oo else []
        costs = [part.subs(x, at) for part in (self.arc.c0, self.arc.c1)]
        written = "; ".join(hints((*costs, at), on, self.given)) or "idtac"
        lies = f"arcs_read; split; [{order[0]} | split; [{order[1]} | {order[2]}]]"
        return (
            f"{self._dense()} assert (inside : inside_arc {self.name} {atomic(at)}) by ({lies}). exists {atomic(at)}."
            " split; [exact inside | split; [|"
            f" exact (dense _ inside)]]. arcs_read; equal_exponentials_by ltac:({written})."
        )

    def _dense(self) -> str:
        """Return the tactic that records that the density is positive along the arc."""
        seen = sure(self.arc.density, None, self.path.within).text
        proof = f"{OPENED} apply (positive_as ({seen})); [equal_exponentials | see]"
        return f"assert (dense : forall x, inside_arc {self.name} x -> 0 < likelihood {self.name} x) by ({proof})."


def reads(shown: tuple[str, ...], sign: str) -> str:
    """Return the tactic that reads closed forms, which a sign defines, or defines again."""
    return f"Ltac arcs_read {sign} cbv beta iota delta [{' '.join(shown)}] in *; reading_arcs."


def _has_value(path: Path, number: int) -> bool:
    try:
        path.defined(number)
        path.certified(number)
        return path.value(number).is_finite is not False
    except ExportError:
        return False


def _divided(formula: Expr) -> list[Expr]:
    """Return what a formula divides by, or has a power or a logarithm of that is not continuous at 0."""
    nodes = list(sympy.preorder_traversal(formula))
    powers = [
        node.base for node in nodes if node.is_Pow and (node.exp.is_negative or not node.exp.is_Integer)
    ]
    logarithms = [node.args[0] for node in nodes if isinstance(node, sympy.log)]
    return [part for part in dict.fromkeys([*powers, *logarithms]) if part.has(x)]


def _reaches(on: Interval, end: Expr, given: Given) -> bool:
    return all(
        gap == 0 or positive(gap, None, given) for gap in map(sympy.simplify, (end - on.low, on.high - end))
    )
