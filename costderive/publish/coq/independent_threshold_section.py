"""Rules of a threshold that is fixed, or random and independent of the costs, in Coq: multiples of their means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.costs.thresholds import FixedThreshold, RandomThreshold
from costderive.publish.coq.antiderivatives import antiderivative
from costderive.publish.coq.endpoints import stays_plain
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import ordered, sure
from costderive.publish.coq.tactics import algebra, evaluated, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.threshold_rule import ThresholdRule

ZERO, ONE = sympy.S.Zero, sympy.S.One
OF_LAW = ("total_of_threshold", "lawful_threshold")


def at_independent(rule: ThresholdRule, threshold: FixedThreshold | RandomThreshold) -> Iterator[str]:
    """Yield the lemmas that the losses are what is expected to be paid at a fixed or a random threshold.

    Raises:
        ExportError: if a mean cost is infinite or not seen, the law of a threshold has no elementary distribution
            function that is continuous at its ends, or a sign or an order is not visible.
    """
    rule.costs.require_means(0, 1)
    if isinstance(threshold, FixedThreshold):
        yield from _at_fixed(rule, threshold.at)
    else:
        yield from _at_random(rule, threshold.law)


def _at_fixed(rule: ThresholdRule, at: Expr) -> Iterator[str]:
    for label in (0, 1):
        found = f"cost{label}_at priced prices _ mean_is{label} {atomic(at)} p"
        yield _expected(rule, label, f"priced (pay{label}_at (fun _ _ => {term(at)}) p)", found)


def _at_random(rule: ThresholdRule, law: Law) -> Iterator[str]:
    bands = [_Band(k, spread, rule.given) for k, spread in enumerate(law.spreads, start=1)]
    masses = "; ".join(f"({term(mass.value)}, {term(mass.probability)})" for mass in law.masses)
    yield from (band.definition() for band in bands)
    yield f"Definition thresholds : list (band * portion) := [{'; '.join(band.pair for band in bands)}]."
    yield f"Definition masses : list (R * R) := [{masses}]."
    names = " ".join(["bands_of", "thresholds", "masses", *(band.name for band in bands)])
    yield f"Ltac thresholds_read := cbv beta iota delta [{names}] in *; reading_thresholds."
    yield from _distribution(bands)
    yield _lawful(law, bands, rule.given)
    for label, facts in ((0, "distribution"), (1, "distribution all_of_the_thresholds")):
        found = f"cost{label}_at_random priced prices _ mean_is{label} thresholds masses {facts} p"
        decided = f"(fun t => pay{label}_at (fun _ _ => t) p)"
        statement = f"at_random priced (bands_of thresholds) masses {decided}"
        yield _expected(rule, label, statement, found, "thresholds_read; ")


def _expected(rule: ThresholdRule, label: int, statement: str, found: str, read: str = "") -> str:
    """Return the theorem that a loss is what is expected, in its pieces and at their ends."""
    pieces = (rule.pair.loss0, rule.pair.loss1)[label]
    parts = [hints((piece.value,), Interval(p, piece.low, piece.high), rule.given) for piece in pieces]
    equal = algebra(tuple(dict.fromkeys(hint for part in parts for hint in part)))
    at_ends = [f"replace p with {atomic(at)} by lra; {equal}" for at in (ZERO, *rule.places, ONE)]
    return lemma(
        f"expected_cost{label} p",
        f"{'with_ends p' if rule.improper else '0 < p < 1'} ->\n  {statement} (L{label} p)",
        f"intros Unit. unfold with_ends in Unit. {rule.orders()}",
        f"refine (eq_ind _ ({statement}) ({found}) _ _).",
        f"{read}unfold L{label}; branch; first [{' | '.join([equal, *at_ends])}].",
        kind="Theorem",
    )


# ---- the law of a random threshold


def _distribution(bands: list[_Band]) -> Iterator[str]:
    """Yield the lemmas on the distribution function of a threshold, and that its total is 1."""
    yield from (band.distributed() for band in bands)
    each = [f"apply List.Forall_cons; [exact distributed_{band.name} |]." for band in bands]
    yield lemma("distribution", "all_distributed thresholds", " ".join([*each, "apply List.Forall_nil."]))
    written = tuple(dict.fromkeys(hint for band in bands for hint in band.hints_at_ends()))
    yield lemma(
        "all_of_the_thresholds",
        "all_shares thresholds + all_masses masses = 1",
        f"thresholds_read; {evaluated([band.rise for band in bands], written)}.",
    )
    yield lemma(
        "total_of_threshold",
        "over_thresholds (bands_of thresholds) masses (fun _ => 1) 1",
        "exact (total_of_thresholds thresholds masses distribution all_of_the_thresholds).",
        kind="Theorem",
    )


def _lawful(law: Law, bands: Iterable[_Band], given: Given) -> str:
    """Return the theorem that thresholds are probabilities, and that no density or probability is negative."""
    return lemma(
        "lawful_threshold",
        "lawful_thresholds (bands_of thresholds) masses",
        "thresholds_read; split; repeat apply List.Forall_cons; try apply List.Forall_nil.",
        *[line for band in bands for line in band.lawful()],
        *[_lawful_mass(mass, given) for mass in law.masses],
        kind="Theorem",
    )


def _lawful_mass(mass: Mass, given: Given) -> str:
    order, share = _between(mass.value, mass.value, given), sure(mass.probability, None, given, strict=False)
    return f"- cbn [fst snd]. split; [{order} | apply (not_negative_as ({share.text})); [algebra | see]]."


@dataclass(frozen=True)
class _Band:
    """A density of a threshold between two numbers, by its number, with an antiderivative."""

    number: int
    spread: Spread
    given: Given

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"band{self.number}"

    @property
    def pair(self) -> str:
        """The band with the probability of the thresholds below a number in it."""
        return f"({self.name}, {self._share})"

    @property
    def _share(self) -> str:
        return f"by_rise {self.name} (fun x => {term(self.rise)})"

    @property
    def _ends(self) -> tuple[Expr, Expr]:
        return self.spread.low, self.spread.high

    @property
    def _within(self) -> Given:
        return self.given.also(positive=self.spread.interval.facts)

    @cached_property
    def rise(self) -> Expr:
        """An antiderivative of the density that is plainly continuous at both ends.

        Raises:
            ExportError: if there is none.
        """
        found = antiderivative(self.spread.density, x, self._within)
        nodes = list(sympy.preorder_traversal(found))
        if found.has(sympy.betainc) or not all(stays_plain(n, end, x) for n in nodes for end in self._ends):
            raise ExportError("the probability of a threshold is unsteady at an end", "Coq needs its limit.")
        return found

    def definition(self) -> str:
        """Return the band in Coq."""
        low, high = map(atomic, self._ends)
        return f"Definition {self.name} : band := Band {low} {high} (fun x => {term(self.spread.density)})."

    def distributed(self) -> str:
        """Return the lemma that the antiderivative is right."""
        written = hints((self.rise, self.spread.density), self.spread.interval, self.given)
        return lemma(
            f"distributed_{self.name}",
            f"distributed {self.name} ({self._share})",
            ordered("order", *self._ends, None, self.given, strict=True),
            f"unfold {self.name}; distribution_by ltac:({'; '.join(written) or 'idtac'}). exact order.",
        )

    def hints_at_ends(self) -> Iterator[str]:
        """Yield the tactics that write logarithms and roots of the antiderivative at both ends."""
        for end in self._ends:
            yield from hints_at(end, (self.rise,), self.spread.interval, self.given)

    def lawful(self) -> Iterator[str]:
        """Yield the proof that thresholds are probabilities, and that no density is negative."""
        sign = sure(self.spread.density, None, self._within, strict=False)
        order = ordered("order", *self._ends, None, self.given, strict=True)
        yield f"- {order} split; [exact order |]. intros x Within. split."
        yield f"  + {_between(*self._ends, self.given)}."
        yield f"  + apply (not_negative_as ({sign.text})); [equal_exponentials | see]."


def _between(low: Expr, high: Expr, given: Given) -> str:
    """Return the tactic that what lies between two numbers lies between 0 and 1."""
    bottom = ordered("bottom", ZERO, low, None, given).removesuffix(".")
    top = ordered("top", high, ONE, None, given).removesuffix(".")
    return f"({bottom}; {top}; lra)"
