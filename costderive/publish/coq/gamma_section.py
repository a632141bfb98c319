"""Two independent costs in Coq with exponentials of one power in their densities: Gamma, and Weibull of one shape.

What the classes pay has incomplete Beta functions (``library/GammaPairs.v``). Their slopes are products of powers, and
so are those of the losses, whatever functions these are: losses with these slopes that vanish at an end are the costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Interval as Range
from costderive.core.symbols import p
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.endpoints import has_limit_at, limit
from costderive.publish.coq.facts import positives
from costderive.publish.coq.gamma_shapes import steps_down
from costderive.publish.coq.independent_pairs import (
    applied,
    areas_alone,
    factors,
    law,
    total,
)
from costderive.publish.coq.law_theorems import AREAS, with_ends
from costderive.publish.coq.moments import Interval, Stretched, family
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Range(p, ZERO, ONE)
EVERYWHERE = Interval(ZERO, sympy.oo)
IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Incomplete", "BetaGamma", "Atoms", "ExpectedLoss"),
    *("Costs", "Tails", "Areas", "Spread", "Strips", "Cuts", "ClosedForms", "Arcs", "Normal", "LogNormal"),
    *("Independent", "Bells", "Far", "Moments", "Families", "GammaPairs"),
)


@dataclass(frozen=True)
class OneCost:
    """A cost with its density, and the shape, power and rate of it."""

    label: int
    law: Stretched
    density: Expr

    @property
    def numbers(self) -> str:
        """The shape, power and rate as arguments in Coq."""
        return " ".join(_split(self))

    @property
    def mean(self) -> Expr:
        """The mean of the cost."""
        q, above = self.law.shape, sympy.expand(self.law.shape + 1 / self.law.power)
        return sympy.gammasimp(self.law.rate ** (-1 / self.law.power) * sympy.gamma(above) / sympy.gamma(q))


@dataclass(frozen=True)
class Pair:
    """Two such costs of a case, with one power in common."""

    setting: Setting
    costs: tuple[OneCost, OneCost]

    @property
    def power(self) -> Expr:
        """The power of the costs in the exponents."""
        return self.costs[0].law.power

    @cached_property
    def whole(self) -> Expr:
        """The argument of the Gamma function in what is paid."""
        shapes = [cost.law.shape for cost in self.costs]
        return sympy.expand(sympy.Add(*shapes) + 1 / self.power)

    @property
    def numbers(self) -> str:
        """Both shapes, the power and both rates as arguments in Coq."""
        first, second = (cost.law for cost in self.costs)
        found = (first.shape, second.shape, self.power, first.rate, second.rate)
        return " ".join(map(atomic, found))


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if there are others, or losses do not visibly vanish where their class is certain.
    """
    return tuple(_section(pair) for pair in _pairs(derivation))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the total of the density is 1."""
    return tuple(total(pair.setting, IMPORTS) for pair in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the reports 0 and 1, which cost the means."""
    return tuple(_ends(pair) for pair in _pairs(derivation))


def _pairs(derivation: Derivation) -> Iterator[Pair]:
    for setting, case in zip(settings(derivation), derivation.cases, strict=True):
        parts = factors(areas_alone(case))
        costs = None if parts is None else [_one(label, part) for label, part in enumerate(parts)]
        if costs is None or None in costs or len(setting.cells) != 1:
            raise ExportError(
                "costs have no exponentials of powers in their densities", "Coq gets such pairs."
            )
        first, second = (cost for cost in costs if cost is not None)
        if sympy.simplify(first.law.power - second.law.power) != 0:
            raise ExportError("the exponents of two densities have different powers", "Coq gets one power.")
        yield Pair(setting, (first, second))


def _one(label: int, part: Expr) -> OneCost | None:
    """Return a cost by its factor of the density; ``None`` if it has another law."""
    law = family(part, EVERYWHERE)
    if not isinstance(law, Stretched):
        return None
    q, c, r = law.shape, law.power, law.rate
    normed = c * r**q * x ** (q * c - 1) * sympy.exp(-r * x**c) / sympy.gamma(q)
    factor = sympy.simplify(sympy.powsimp(normed / part, force=True))
    return None if factor.has(x) else OneCost(label, law, factor * part)


def _section(pair: Pair) -> Section:
    laws = [
        *[f"Definition density{cost.label} (x : R) : R := {term(cost.density)}." for cost in pair.costs],
        "Definition areas : list area := [independent density0 density1].",
        *[line for cost in pair.costs for line in _law(cost)],
    ]
    return law(pair.setting, IMPORTS, laws, [*_vanishing(pair.setting), _weight(pair), _piece(pair)])


def _law(cost: OneCost) -> Iterator[str]:
    """Yield the lemmas on a density: which it is, which tail and mean it has, that it is positive and continuous."""
    number, law = cost.label, cost.law
    name, (q, c, r) = f"density{number}", _split(cost)
    shapes = (law.shape, *_arguments(cost.density))
    yield lemma(
        f"{name}_is x",
        f"0 < x -> {name} x = stretched {cost.numbers} x",
        f"intros Positive. unfold {name}, stretched. {_exponents(cost)}{_steps(shapes)}by_logarithms.",
    )
    conditions = f"[see | see | see | exact {name}_is]"
    yield lemma(
        f"law{number}",
        f"law_of_one {name} (stretched_tail {cost.numbers}) (stretched_mean_below {cost.numbers})"
        f" 0 (stretched_mean {cost.numbers})",
        f"apply law_of_stretched; {conditions}.",
    )
    yield lemma(
        f"dense{number} x",
        f"0 < x -> 0 < {name} x /\\ continuous {name} x",
        f"apply (stretched_is_dense {c}) with (q := {q}) (r := {r}); {conditions}.",
    )


def _split(cost: OneCost) -> tuple[str, str, str]:
    return atomic(cost.law.shape), atomic(cost.law.power), atomic(cost.law.rate)


def _exponents(cost: OneCost) -> str:
    """Return the tactics that write the exponential of a power in the density as the library does."""
    _, c, r = _split(cost)
    wanted = f"({r} * Rpower x {c})"
    return "".join(
        f"replace ({term(node)}) with (exp (- {wanted})) by (apply f_equal; transitivity (- {atomic(-node.args[0])});"
        " [apply f_equal; symmetry; by_logarithms | field; see]). "
        for node in cost.density.atoms(sympy.exp)
        if node.has(x)
    )


def _steps(shapes: tuple[Expr, ...]) -> str:
    return "".join(f"{line} " for line in steps_down(set(shapes)))


def _vanishing(setting: Setting) -> Iterator[str]:
    """Yield the lemmas that each loss vanishes where its class is certain."""
    for label, end in enumerate((ZERO, ONE)):
        if not has_limit_at(setting, label, end, ZERO):
            raise ExportError("losses do not visibly vanish where their class is certain", "Coq needs that.")
        yield limit(setting, f"loss{label}_vanishes", label, end, ZERO)


def _weight(pair: Pair) -> str:
    """The threshold weight is a product of powers."""
    (cell,), given = pair.setting.cells, pair.setting.given
    first, second = pair.costs
    (q0, c, r0), (q1, _, r1) = _split(first), _split(second)
    formula = cell.formulas[2]
    whole = _as_in(pair.whole, formula)
    shapes = (first.law.shape, second.law.shape, whole, *_arguments(formula))
    return lemma(
        "weighs p",
        f"0 < p < 1 -> weight {cell.name} p = pair_weight {pair.numbers} p (1 - p)",
        " ".join(["intros Unit.", *positives([formula], REPORTS, given)]),
        f"unfold pair_weight; cbn [weight {cell.name}].",
        f"replace (Gamma ({q0} + {q1} + 1 / {c})) with (Gamma {atomic(whole)}) by (f_equal; field; see).",
        f"replace ({r0} * Rpower p {c} + {r1} * Rpower (1 - p) {c}) with {_sum(pair, formula)}.",
        f"{_steps(shapes)}by_logarithms.",
    )


def _sum(pair: Pair, formula: Expr) -> str:
    """Return the sum of both rates times powers as the weight has it, with the proof that it is that."""
    c = pair.power
    rates = [cost.law.rate for cost in pair.costs]
    terms = [rates[0] * p**c, rates[1] * (1 - p) ** c]
    base, factor = _as_base(sympy.Add(*terms), formula)
    if base is None:
        return f"{atomic(factor)} by (rewrite !Rpower_1 by see; field; see)"
    shown = f"({atomic(base)} / {atomic(1 / factor)})"
    if c.is_Integer:
        powers = "rewrite !Rpower_1 by see" if c == 1 else f"whole_power {c} {c}%nat"
        return f"{shown} by ({powers}; field; see)"
    parts = [_part(term_, factor, base) for term_ in terms]
    written = " ".join(
        f"replace ({atomic(rate)} * Rpower {side} {atomic(c)}) with ({atomic(part)} / {atomic(1 / factor)})"
        " by by_logarithms;"
        for rate, side, part in zip(rates, ("p", "(1 - p)"), parts, strict=True)
    )
    return f"{shown} by ({written} field; see)"


def _as_base(wanted: Expr, formula: Expr) -> tuple[Expr | None, Expr]:
    """Return a base of a power in the formula, and its factor in the sum; no base if the sum is a constant."""
    simple = sympy.simplify(wanted)
    if not simple.has(p):
        return None, simple
    for node in formula.atoms(sympy.Pow):
        factor = sympy.simplify(sympy.powsimp(wanted / node.base, force=True))
        if node.base.is_Add and not factor.has(p):
            return node.base, factor
    raise ExportError("the weight has no power of the sum of both rates", "Coq compares them by this.")


def _part(wanted: Expr, factor: Expr, base: Expr) -> Expr:
    """Return the term of a base that is the wanted one but for the factor."""
    for part in base.args:
        if sympy.simplify(sympy.powsimp(wanted / (factor * part), force=True)) == 1:
            return part
    raise ExportError("the sum of both rates has other terms in the weight", "Coq compares them.")


def _piece(pair: Pair) -> str:
    """The expected costs of both classes."""
    (cell,) = pair.setting.cells
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        f"intros Unit _ _. apply (pair_costs density0 density1 {pair.numbers}); [see | see | see | see | see |",
        f"  exact density0_is | exact density1_is | exact slopes{cell.number} | exact weighs | exact loss0_vanishes |",
        "  exact loss1_vanishes | exact Unit].",
    )


def _ends(pair: Pair) -> Section:
    proofs = [
        (
            f"apply over_areas_is with (1 := {applied(f'independent_mean{cost.label}')}).",
            f"rewrite Rminus_0_r. unfold stretched_mean. {_above(cost)}{_steps(_shapes(cost))}by_logarithms.",
        )
        for cost in pair.costs
    ]
    return with_ends(AREAS, pair.setting, IMPORTS, [cost.mean for cost in pair.costs], proofs)


def _above(cost: OneCost) -> str:
    q, c, _ = _split(cost)
    return f"replace (Gamma ({q} + 1 / {c})) with (Gamma {atomic(_next(cost))}) by (f_equal; field; see). "


def _next(cost: OneCost) -> Expr:
    """Return the argument of the Gamma function in the mean."""
    return _as_in(sympy.expand(cost.law.shape + 1 / cost.law.power), cost.mean)


def _shapes(cost: OneCost) -> tuple[Expr, ...]:
    return (cost.law.shape, _next(cost), *_arguments(cost.mean))


def _as_in(shape: Expr, formula: Expr) -> Expr:
    """Return the argument of a Gamma function as a formula has it."""
    return next((found for found in _arguments(formula) if sympy.simplify(found - shape) == 0), shape)


def _arguments(expr: Expr) -> Iterator[Expr]:
    yield from (node.args[0] for node in expr.atoms(sympy.gamma))
