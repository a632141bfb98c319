"""A scoring rule: its losses, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from textwrap import shorten
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol

from costderive.core import symbols
from costderive.core.errors import ParametersLeftError, SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Atom, Given, Interval, Measure, Pieces
from costderive.core.symbols import p
from costderive.core.unevaluated import unevaluated
from costderive.deciders.parameter_values import contradicted, shown, values_of
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import Verdict
from costderive.rules.case_losses import facts_at, lines_of, loss_of, losses_at, weight_of
from costderive.rules.comparison import Equivalence, compare, exchanged, simplified
from costderive.rules.link import LinkedLosses, in_canonical_link, in_link, inverse_of
from costderive.rules.loss_arithmetic import (
    scaled,
    scaled_measure,
    summed,
    summed_measures,
)
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses, measure_at
from costderive.rules.representation import HALF, entropy_of, link_of

SHOWN = 60  # characters of a loss in a line


@dataclass(frozen=True, slots=True, repr=False)
class ScoringRule:
    """A scoring rule for a binary event: ``loss0(p)`` if the class is 0, ``loss1(p)`` if it is 1.

    ``cases`` holds one pair of losses for each set of facts about the parameters; a rule without parameters, or
    whose breakpoints have only one order and whose losses have one form, has one case. ``loss0(0) = 0`` and
    ``loss1(1) = 0``. A rule that need not be proper has a ``LossPair`` in place of ``Losses``, and no threshold
    weight.

    Source: Buja, Stuetzle and Shen (2005), section 3; Gneiting and Raftery (2007), section 3.
    """

    cases: tuple[tuple[Given, Losses | LossPair], ...]
    weights: tuple[Measure, ...] = ()  # of pairs of losses that a derivation found to be proper
    derivation: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        """Say the losses in a line, shortened if they are long."""
        losses = (
            f"loss{k} = {shorten(str(unevaluated(loss)), SHOWN, placeholder='...')}"
            for k, loss in self._losses()
        )
        return f"<ScoringRule: {', '.join(losses)}>"

    def __str__(self) -> str:
        """Say the losses, piece by piece."""
        cases = [[f"where {given.in_words()}:"] if len(self.cases) > 1 else [] for given, _ in self.cases]
        return "\n".join(
            line
            for opening, (_, losses) in zip(cases, self.cases, strict=True)
            for line in (*opening, *lines_of(losses))
        )

    def _repr_latex_(self) -> str:
        rows = r" \\ ".join(f"L_{k}(p) &= {sympy.latex(unevaluated(loss))}" for k, loss in self._losses())
        return rf"$\displaystyle \begin{{aligned}} {rows} \end{{aligned}}$"

    def _losses(self) -> tuple[tuple[int, Expr], tuple[int, Expr]]:
        return (0, self.loss0), (1, self.loss1)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        found = self.loss0.free_symbols | self.loss1.free_symbols
        return tuple(sorted(found - {symbols.p}, key=str))

    @property
    def loss0(self) -> Expr:
        """The loss of predicting ``p`` when the class is 0, as a SymPy expression in ``p``."""
        return self._by_case(lambda losses: loss_of(losses, 0))

    @property
    def loss1(self) -> Expr:
        """The loss of predicting ``p`` when the class is 1, as a SymPy expression in ``p``."""
        return self._by_case(lambda losses: loss_of(losses, 1))

    @property
    def closed_form(self) -> bool:
        """Whether both losses are free of integrals: for those that stay, no antiderivative was found in time."""
        return not any(
            piece.value.has(sympy.Integral)
            for _, losses in self.cases
            for piece in (*losses.loss0, *losses.loss1)
        )

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The threshold weight in each case.

        Raises:
            SpecError: if the rule has none: it is improper, or was not found to be proper.
        """
        if self.weights:
            return self.weights
        return tuple(weight_of(losses) for _, losses in self.cases)

    @property
    def weight(self) -> Expr:
        """The density of the threshold weight, as a SymPy expression in ``s``; ``atoms`` holds its point masses."""
        return self._written([measure.density for measure in self.measures])

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The point masses of the threshold weight."""
        self._require_one_case()
        return self.measures[0].atoms

    @property
    def verdict(self) -> Any:
        """What the derivation of the rule proves: strictly proper, proper, improper or undecided.

        If the claims are not all proved, it is text that says so, and no `Judgement`.

        Raises:
            SpecError: if the rule was calculated from others and has no derivation; `prove` gives one.
        """
        if self.derivation is None:
            raise SpecError("this rule was calculated and has no derivation", "Write prove(rule).verdict.")
        return self.derivation.verdict

    @property
    def risk(self) -> Expr:
        """The expected loss ``R(p|q) = (1 - q) loss0(p) + q loss1(p)`` of reporting ``p`` under the belief ``q``."""
        return (1 - symbols.q) * self.loss0 + symbols.q * self.loss1

    @property
    def entropy(self) -> Expr:
        """The minimal expected loss ``H(q) = R(q|q)``: concave, with ``-H'' = weight``.

        Source: Gneiting and Raftery (2007), Theorem 1.
        """
        if any(isinstance(losses, LossPair) and not losses.from_the_left for _, losses in self.cases):
            return self.risk.subs(symbols.p, symbols.q)
        return self._written([entropy_of(losses, given) for given, losses in self.cases])

    @property
    def generator(self) -> Expr:
        """The Bregman generator ``-H``, which is convex."""
        return -self.entropy

    @property
    def divergence(self) -> Expr:
        """The excess ``d(p, q) = R(p|q) - H(q) >= 0``: the Bregman divergence of the generator ``-H``."""
        return self.risk - self.entropy

    @property
    def link(self) -> Expr:
        """The canonical link: a function of ``p`` with the slope ``weight(p)`` and the value 0 at 1/2.

        At an atom it jumps by the mass.

        Raises:
            ParametersLeftError: if the parameters leave open on which piece 1/2 lies.

        Source: Buja, Stuetzle and Shen (2005).
        """
        return self._written(self._links())

    @property
    def inverse_link(self) -> Expr | None:
        """The report ``p`` as a function of ``eta = link(p)``; ``None`` if no closed form is found and proved."""
        self._require_one_case()
        return inverse_of(self._links()[0], self.cases[0][0])

    def _links(self) -> list[Pieces]:
        found = [link_of(losses, given) for given, losses in self.cases]
        _ = self.measures  # refuses: without a threshold weight there is no canonical link
        return found

    def in_link(self, link: object = None) -> LinkedLosses:
        """Return the losses as functions of ``x = link(p)``: slopes, curvatures, and whether they are convex in x.

        ``link`` is an expression in p that rises on (0, 1), such as ``"log(p/(1-p))"``; by default the canonical one.

        Raises:
            SpecError: if the link does not certainly rise on (0, 1).
        """
        self._require_one_case()
        given, losses = self.cases[0]
        if link is None:
            canonical = self._links()[0]
            return in_canonical_link((self.loss0, self.loss1), canonical, self.measures[0], given)
        return in_link(losses, _rising(link, given), given)

    # ---- facts about the whole rule

    @property
    def bounds(self) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
        """The least and the greatest loss of class 0, and those of class 1; the greatest may be infinite.

        Raises:
            SpecError: if the rule is not known to be proper: then its losses need not be monotone.
        """
        losses, _ = self.only_case, self.measures
        if isinstance(losses, Losses):
            return (sympy.S.Zero, losses.worst0), (sympy.S.Zero, losses.worst1)
        first, last = losses.values[0], losses.values[-1]
        return (first.loss0, last.loss0), (last.loss1, first.loss1)

    @property
    def is_symmetric(self) -> bool | None:
        """Whether ``loss1(p) = loss0(1 - p)``, ties apart if they go to class 0; ``None`` if that is not decided."""
        found = compare(self.only_case, exchanged(self.only_case), self.cases[0][0])
        if found.verdict is Verdict.OPEN:
            return None
        return found.up_to_factor and bool(found.factor == 1)

    def equivalent_to(self, other: ScoringRule) -> Equivalence:
        """Decide whether the losses are a positive multiple of another rule's, up to a constant for each class.

        Raises:
            ParametersLeftError: if either rule has several cases.
        """
        given, facts = self.cases[0][0], other.cases[0][0]
        known = given.also(positive=facts.positive, nonnegative=facts.nonnegative)
        return compare(self.only_case, other.only_case, known)

    # ---- other rules

    def __add__(self, other: ScoringRule) -> ScoringRule:
        """Return the sum of two rules; of proper rules it is proper."""
        if not isinstance(other, ScoringRule):
            return NotImplemented
        self._require_one_case()
        first, second = self.only_case, other.only_case
        given, facts = self.cases[0][0], other.cases[0][0]
        known = given.also(positive=facts.positive, nonnegative=facts.nonnegative)
        losses = summed(first, second, known)
        if isinstance(losses, Losses):
            return ScoringRule(((known, losses),))
        weights = [*self._known_weights(), *other._known_weights()]
        both = (summed_measures(weights[0], weights[1], known),) if len(weights) == 2 else ()
        return ScoringRule(((known, losses),), both)

    def __mul__(self, factor: object) -> ScoringRule:
        """Return a positive multiple.

        Raises:
            SpecError: if the factor is not positive.
        """
        number = exact(factor, place="factor")
        if not positive(number, None, self._shared):
            raise SpecError(
                f"factor = {number} is not a positive number",
                "A negative multiple of a proper rule is improper.",
            )
        cases = tuple((given, scaled(losses, number, given)) for given, losses in self.cases)
        weights = tuple(scaled_measure(x, number, self._shared) for x in self.weights)
        return ScoringRule(cases, weights)

    __rmul__ = __mul__

    def normalised(self, to: object = "budget") -> ScoringRule:
        """Return the multiple of the rule with a given size.

        ``to`` is ``"budget"`` (the mean costs add up to 2, as for the Brier score), ``"worst case"`` (the greatest
        loss is 1), ``"entropy"`` (the entropy at 1/2 is 1/4, that of the Brier score), or another rule (the same
        entropy at 1/2 as that rule).

        Raises:
            SpecError: if what is to be given a size is not finite and positive, or there is no such size.
        """
        return ScoringRule.__mul__(self, _target(to) / self._size(to))

    def _size(self, to: object) -> Expr:
        size = self._sizes(to)
        if not (size.is_finite and positive(size, None, self._shared)):
            raise SpecError(
                f"the {to if isinstance(to, str) else 'entropy'} of the rule is {size}",
                "Choose another size: budget, worst case or entropy.",
            )
        return size

    def _sizes(self, to: object) -> Expr:
        if to == "budget":
            (_, worst0), (_, worst1) = self.bounds
            return worst0 + worst1
        if to == "worst case":
            (_, worst0), (_, worst1) = self.bounds
            return _larger(worst0, worst1, self._shared)
        if to == "entropy" or isinstance(to, ScoringRule):
            return simplified(self.entropy.subs(symbols.q, HALF))
        raise SpecError(f"to = {to!r} is not a size", 'Sizes: "budget", "worst case", "entropy", or a rule.')

    def _known_weights(self) -> tuple[Measure, ...]:
        try:
            return self.measures
        except SpecError:
            return ()

    @property
    def _shared(self) -> Given:
        """What all cases take for granted."""
        return reduce(Given.shared, (given for given, _ in self.cases))

    def _require_one_case(self) -> None:
        _ = self.only_case

    @property
    def only_case(self) -> Losses | LossPair:
        """The losses of a rule with one case.

        Raises:
            ParametersLeftError: if there are several: which of them holds depends on the parameters.
        """
        if len(self.cases) > 1:
            raise ParametersLeftError(
                f"the rule has {len(self.cases)} cases: which of them holds depends on the parameters",
                "Give the parameters numbers with rule.at(a=..., b=...), or go through rule.cases.",
            )
        return self.cases[0][1]

    def at(self, **values: object) -> ScoringRule:
        """Return the rule at numeric (or symbolic) values of parameters, in the case that the values belong to.

        Raises:
            SpecError: if a name is not a parameter, a value is not finite and positive, the values satisfy the facts of
                no case, or the losses have no form there. The value 0 is for rules of costs that may be 0 there.
        """
        chosen = self._values(values)
        broken = [contradicted(given, chosen) for given, _ in self.cases]
        if all(broken):
            problem = f"{broken[0]} for {shown(chosen)}: no case of the rule admits that"
            raise SpecError(problem, "See rule.cases for what is assumed.")
        kept = [not problem for problem in broken]
        cases = [
            (facts_at(given, chosen), losses_at(losses, chosen))
            for given, losses in compress(self.cases, kept)
        ]
        weights = [measure_at(weight, chosen) for weight in compress(self.weights, kept)]
        count = len(cases) if cases[0][0].nonnegative else 1
        return ScoringRule(tuple(cases[:count]), tuple(weights[:count]))

    def _values(self, values: Mapping[str, object]) -> dict[Symbol, Expr]:
        """Read values of parameters; whether 0 is one is for the costs to say, if the rule was derived from costs."""
        written = (self.loss0, self.loss1)
        bound = {symbol.name for loss in written for symbol in loss.atoms(Symbol) - loss.free_symbols}
        derived = self.derivation is not None
        chosen = values_of(values, self.parameters, "the rule", taken=frozenset(bound), zero=derived)
        if sympy.S.Zero in chosen.values():
            self.derivation.require_values(chosen)
        return chosen

    def _written(self, functions: Sequence[Pieces]) -> Expr:
        """Write a function of each case as one expression."""
        written = [function.to_sympy() for function in functions]
        if len(set(written)) == 1:
            return written[0]
        conditions = [_condition(given) for given, _ in self.cases]
        return sympy.Piecewise(*zip(written, conditions, strict=True))

    def _by_case(self, read: Callable[[Losses | LossPair], Expr]) -> Expr:
        if len({read(losses) for _, losses in self.cases}) == 1:
            return read(self.cases[0][1])
        return sympy.Piecewise(*[(read(losses), _condition(given)) for given, losses in self.cases])


def _larger(first: Expr, second: Expr, given: Given) -> Expr:
    if nonnegative(first - second, None, given):
        return first
    return second if nonnegative(second - first, None, given) else sympy.Max(first, second)


def _target(to: object) -> Expr:
    if isinstance(to, ScoringRule):
        return simplified(to.entropy.subs(symbols.q, HALF))
    return {"budget": sympy.Integer(2), "entropy": Rational(1, 4)}.get(str(to), sympy.S.One)


def _rising(link: object, given: Given) -> Expr:
    """Read a link, and require that it rises."""
    read = parse(link, place="link", names={"p": p}) if isinstance(link, str) else exact(link, place="link")
    if not positive(sympy.diff(read, p), Interval(p, sympy.S.Zero, sympy.S.One), given):
        raise SpecError(
            f"link = {read} does not certainly rise on (0, 1)", "A link rises, as log(p/(1-p)) does."
        )
    return read


def _condition(given: Given) -> sympy.Basic:
    return sympy.And(*given.relations())
