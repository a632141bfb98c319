"""Two independent costs in Coq of which one has a power as its density, as uniform and Pareto costs.

Of the other cost, its probability, mean and one more moment add up in any functions, as incomplete Gamma functions and
values of the error function (``library/Moments.v``); the losses are these at the costs where the decision changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.core.piecewise import Interval as Range
from costderive.core.symbols import c0, c1, p
from costderive.costs.expected_loss import Area
from costderive.costs.laws import x
from costderive.deciders.signs import positive
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.all_reports_section import growing
from costderive.publish.coq.area_section import definition
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.gamma_shapes import steps_down, tail_steps
from costderive.publish.coq.independent_pairs import areas_alone
from costderive.publish.coq.law_theorems import (
    AREAS,
    THEOREMS,
    expected,
    proper,
    strictly,
    strictly_if_spread,
    with_ends,
    with_infinite_ends,
)
from costderive.publish.coq.moments import (
    Family,
    Interval,
    InverseStretched,
    LogNormal,
    PowerLaw,
    Powers,
    Stretched,
    SumUp,
    family,
    power_law,
    powered,
)
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import visible

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Range(p, ZERO, ONE)
EXPONENTIALS = (Stretched, InverseStretched)
IMPORTS = (
    *("Elementary", "Properness", "Limits", "Endpoints", "Incomplete", "BetaGamma", "Atoms", "ExpectedLoss"),
    *(
        "Costs",
        "Tails",
        "Areas",
        "Strips",
        "Cuts",
        "ClosedForms",
        "Arcs",
        "Normal",
        "LogNormal",
        "Independent",
        "Spread",
    ),
    *("Bells", "Far", "Moments", "Families"),
)


@dataclass(frozen=True)
class Pair:
    """Two independent costs of a case: the label of the one with a power as its density, and both laws."""

    setting: Setting
    area: Area
    label: int
    power: PowerLaw
    other: Family
    on: Interval

    @property
    def is_finite(self) -> bool:
        """Whether the mean of the power is finite, and moments are where they are needed."""
        fades = positive(-self.power.exponent - 1, None, self.setting.given)
        try:
            return bool((fades or self.power.on.high is not sympy.oo) and self.sums)
        except ExportError:
            return False

    @property
    def intervals(self) -> tuple[Interval, Interval]:
        """The intervals of both costs."""
        return (self.power.on, self.on) if self.label == 0 else (self.on, self.power.on)

    @cached_property
    def sums(self) -> tuple[SumUp, SumUp, SumUp]:
        """How the probability, the mean and the further moment of the other cost add up."""
        moment = self.other.moment(1 + self.power.exponent, self.power.on)
        return self.other.moment(ZERO), self.mean or self.other.moment(ONE, self._beside), moment

    @cached_property
    def mean(self) -> SumUp | None:
        """How the mean of the other cost adds up, if it is visibly finite."""
        try:
            return self.other.moment(ONE)
        except ExportError:
            return None

    @property
    def _beside(self) -> Interval:
        return Interval(ZERO, self.power.on.high)

    @property
    def reach(self) -> str:
        """The end up to which the mean of the other cost has limits: that of the power, if it may be infinite."""
        return "Beyond" if self.mean is not None else self._beside.places[1]

    @property
    def means(self) -> tuple[Expr | None, Expr | None]:
        """The mean costs; ``None`` for one that is not visibly finite."""
        own, other = self.power.mean, None if self.mean is None else self.mean.gain
        return (own, other) if self.label == 0 else (other, own)


def sections(derivation: Derivation, *, by_law: bool = False) -> tuple[Section, ...]:
    """Return one section for each case whose costs are spread over an area: the losses are the expected costs.

    With ``by_law`` it does not need to be known that they are strictly proper: that is seen from the densities.

    Raises:
        ExportError: if there are others than two independent costs of which one has a power as its density, and the
            other one a density whose moments have a lemma.
    """
    return tuple(_section(pair, by_law=by_law) for pair in _pairs(derivation))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each such case: the total of the density is 1."""
    return tuple(_total(pair) for pair in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each such case: the reports 0 and 1, which cost the means."""
    return tuple(_ends(pair) for pair in _pairs(derivation))


def have_finite_means(derivation: Derivation) -> bool:
    """Return whether the means of all such costs are visibly finite."""
    try:
        return all(None not in pair.means for pair in _pairs(derivation))
    except ExportError:
        return True


def _pairs(derivation: Derivation) -> Iterator[Pair]:
    for setting, case in zip(settings(derivation), derivation.cases, strict=True):
        yield _pair(setting, areas_alone(case))


def _pair(setting: Setting, areas: tuple[Area, ...]) -> Pair:
    if len(areas) == 1 and (parts := factors_of(_pinned(areas[0], setting.given), setting.given)) is not None:
        for label in (1, 0):
            power = power_law(*parts[label])
            density, on = parts[1 - label]
            if power is None:
                continue
            whole = sympy.simplify(parts[label][0] / power.density)
            found = None if whole.has(x) else family(density * whole, on, setting.given)
            pair = None if found is None else Pair(setting, areas[0], label, power, found, on)
            if pair is not None and pair.is_finite:
                return pair
    raise ExportError(
        "no cost has a power as its density beside one whose moments are known", "Coq gets such pairs."
    )


def _pinned(area: Area, given: Given) -> Area:
    """Return an area with the numbers to which facts leave letters."""
    sides = tuple(side.subs(given.pinned) for side in area.constraints)
    return replace(area, density=area.density.subs(given.pinned), constraints=sides)


def factors_of(area: Area, given: Given) -> tuple[tuple[Expr, Interval], tuple[Expr, Interval]] | None:
    """Return the density's factor in each cost as a function of x, with its interval; ``None`` if it is no product."""
    parts = sympy.Mul.make_args(sympy.expand(sympy.powsimp(area.density), power_exp=True, mul=False))
    if any(part.has(c0) and part.has(c1) for part in (*parts, *area.constraints)):
        return None
    first = sympy.Mul(*[part for part in parts if not part.has(c1)])
    second = sympy.Mul(*[part for part in parts if part.has(c1)])
    intervals = [_interval(area.constraints, cost, given) for cost in (c0, c1)]
    if intervals[0] is None or intervals[1] is None:
        return None
    return (first.subs(c0, x), intervals[0]), (second.subs(c1, x), intervals[1])


def _interval(constraints: Iterable[Expr], cost: Symbol, given: Given) -> Interval | None:
    """Return where a cost lies; ``None`` if a side is not linear, or there are two on one side."""
    low, high = list[Expr](), list[Expr]()
    for side in constraints:
        if not side.has(cost):
            continue
        slope = sympy.diff(side, cost)
        if not slope.is_Rational:
            return None
        (low if slope > 0 else high).append(sympy.expand(-side.subs(cost, 0) / slope))
    low = [end for end in low if end != 0] or [ZERO]
    if len(low) > 1 or len(high) > 1:
        return None
    return Interval(low[0], high[0] if high else sympy.oo)


# ---- the section


def _section(pair: Pair, *, by_law: bool) -> Section:
    _refuse_scaled_fractions(pair)
    _refuse_halves_beside_errors(pair)
    strict = dict((strictly_if_spread if by_law else partial(strictly, AREAS))(pair.setting))
    lemmas = [
        *_definitions(pair),
        _product(pair),
        *_power(pair),
        *_other(pair),
        lemma("lawful_costs", "lawful_areas areas", f"exact (two_are_lawful {_TWO}).", kind="Theorem"),
        *[_piece(pair, cell) for cell in pair.setting.cells],
        *expected(AREAS, pair.setting),
        proper(AREAS),
        *(_spread(pair) if by_law else ()),
        *strict.values(),
    ]
    return Section(pair.setting.name, "law", IMPORTS, "\n".join(lemmas), (*THEOREMS, *strict))


_TWO = "area1 _ _ _ _ density0 density1 chance_of0 mean_of0 chance_of1 mean_of1 law0 law1 product"


def _definitions(pair: Pair) -> Iterator[str]:
    power, label, other = pair.power, pair.label, 1 - pair.label
    k, e, function = _named(power)
    yield definition(1, pair.area)
    yield "Definition areas : list area := [area1]."
    yield f"Definition density{other} (x : R) : R :=\n  {pair.other.density()}."
    for name, found in zip((f"chance_of{other}", f"mean_of{other}", "moment"), pair.sums, strict=True):
        yield f"Definition {name} : sum_up :=\n  {found.text()}."
    yield f"Definition rises : R -> R := {function}."
    yield f"Definition density{label} (x : R) : R := {k} * ({e} * rises x / x)."
    low, high = power.on.places
    yield (
        f"Definition chance_of{label} : sum_up :=\n"
        f"  SumUp (fun x => {k} * rises x) ({k} * at_place rises {low}) ({k} * at_place rises {high})."
    )
    share = f"{k} * {e} / ({e} + 1)"
    at = [f"({share} * at_place (fun x => x * rises x) {end})" for end in (low, high)]
    yield (
        f"Definition mean_of{label} : sum_up :=\n"
        f"  SumUp (fun x => {share} * (x * rises x))\n    {' '.join(at)}."
    )
    names = " ".join(f"density{n} chance_of{n} mean_of{n}" for n in (0, 1))
    pieces = " ".join(cell.name for cell in pair.setting.cells)
    yield f"Ltac moments_read := cbv beta iota delta [{names} moment rises loss0 loss1 {pieces}] in *; read_moments."


def _named(power: PowerLaw) -> tuple[str, str, str]:
    return atomic(power.factor), atomic(power.exponent), power.function()


def _product(pair: Pair) -> str:
    first, second = pair.intervals
    return lemma(
        "product",
        f"product_of area1 {first.text()} density0 {second.text()} density1",
        "intros c0 c1 Positive0 Positive1. split; [| cbn [region area1 hold within_places]; same_sides].",
        f"cbn [density area1]. {_numbers(pair)}{_plainly(pair)}",
        f"moments_read. {_exponents(pair)}{_equal_densities(pair)}.",
    )


def _numbers(pair: Pair) -> str:
    """Return the tactics that write letters by the numbers to which facts leave them."""
    pinned = pair.setting.given.pinned.items()
    return "".join(f"replace {atomic(letter)} with {atomic(value)} by lra. " for letter, value in pinned)


def _plainly(pair: Pair) -> str:
    """Return the tactic that writes the power with one factor, which is positive."""
    name, cost = f"density{pair.label}", (c0, c1)[pair.label]
    factor = atomic(sympy.factor(pair.power.factor * pair.power.exponent))
    return f"replace ({name} {cost}) with ({factor} * rises {cost} / {cost}) by (unfold {name}; field; see)."


def _exponents(pair: Pair) -> str:
    """Return the tactics that write the exponential of a power in the density as the library does."""
    if not isinstance(pair.other, EXPONENTIALS):
        return ""
    cost = c0 if pair.label == 1 else c1
    wanted = f"({atomic(pair.other.rate)} * Rpower {cost} {pair.other.shown})"
    lines = []
    for node in pair.area.density.atoms(sympy.exp):
        if node.has(cost):
            shown = atomic(-node.args[0])
            lines.append(
                f"replace ({term(node)}) with (exp (- {wanted})) by (apply f_equal; transitivity (- {shown});"
                f" [apply f_equal; symmetry; by_logarithms | field; see]). "
            )
    return "".join(lines)


def _equal_densities(pair: Pair) -> str:
    """Return the tactic for the product of both densities, whose factors may be logarithms of numbers."""
    logarithms = pair.area.density.atoms(sympy.log) if isinstance(pair.other, Powers) else ()
    written = hints(logarithms, REPORTS, pair.setting.given)
    return algebra(written) if written else "by_logarithms"


def _power(pair: Pair) -> Iterator[str]:
    power, label, given = pair.power, pair.label, pair.setting.given
    k, e, _ = _named(power)
    ends = " ".join(power.on.places)
    seen = sure(sympy.factor(power.factor * power.exponent), None, given).text
    whole = _closed(
        (power.factor, *[_unread(end, power.exponent) for end in _with_primes(power.on.costs)]), given
    )
    yield lemma("powered", f"power {e} rises", f"unfold rises. {powered(power.exponent)}.")
    yield lemma("fading", f"fades {ends} rises", "unfold rises. fading.")
    yield lemma("fading_next", f"fades {ends} (fun x => x * rises x)", "unfold rises. fading.")
    yield lemma(
        f"law{label}",
        f"law_along Beyond {ends} density{label} chance_of{label} mean_of{label}",
        f"apply (law_of_power {ends} {e} rises {k}); [cbn; repeat split; see | exact powered | exact fading |",
        f"  exact fading_next | first [see | lra] | apply (not_negative_as ({seen})); [algebra | see] |",
        f"  unfold rises; cbn [at_place]; {whole}].",
    )


def _other(pair: Pair) -> Iterator[str]:
    label = 1 - pair.label
    chance, mean, moment = pair.sums
    on = pair.on.text()
    yield lemma(
        f"law{label}",
        f"law_along {pair.reach} {on} density{label} chance_of{label} mean_of{label}",
        "split; [cbn; repeat split; see |]. split; [intros x Positive _; unfold "
        f"density{label}; apply Rlt_le; see |].",
        f"split; [{_adds(chance)} |].",
        f"split; [{_adds(mean)} |].",
        f"moments_read. {_steps((chance,), ())}{_closed((chance.gain, *_roots(pair, ())), pair.setting.given)}.",
    )
    yield lemma(
        "moment_adds_up",
        f"adds_up_beside {pair.power.on.text()} {on} (fun x => rises x * (x * density{label} x)) moment",
        f"{'' if moment.beside else 'apply adds_up_beside_any. '}{_adds(moment)}.",
    )


def _adds(found: SumUp) -> str:
    return f"refine (adds_up_as _ _ _ _ _ _ {found.proof}); intros x X _; moments_read; by_logarithms"


def _steps(sums: Iterable[SumUp], formulas: Iterable[Expr], arguments: Iterable[Expr] = ()) -> str:
    """Return the tactics that write Gamma functions by those of the least shape that is a whole number away."""
    shapes = {shape for found in sums for shape in found.shapes}
    for formula in formulas:
        shapes |= {node.args[0] for node in formula.atoms(sympy.gamma, sympy.lowergamma, sympy.uppergamma)}
    steps = list(steps_down(shapes))
    tails = list(tail_steps([found.tail for found in sums if found.tail is not None], formulas))
    alike = [*tails, "unfold upper_gamma.", *[f"argument_is {atomic(z)}." for z in arguments], "same_shapes."]
    return "".join(f"{line} " for line in (*(alike if steps or not arguments else ["same_shapes."]), *steps))


# ---- the reports


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    given = pair.setting.given
    spread = "spread_powers. " if _powers_of_numbers(pair) and isinstance(pair.other, Powers) else ""
    proofs = []
    for label in (0, 1):
        steps = _steps(pair.sums, (cell.formulas[label],), _arguments(pair))
        proofs += [
            f"- apply over_areas_is with (1 := {_cost(pair, label)}).",
            f"  moments_read. {_settled(pair, cell)}same_shapes. {steps}",
            f"  {spread}{_closed((*cell.formulas[:2], *_roots(pair), *_under_errors(pair, cell)), given)}.",
        ]
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(["intros Unit Start Stop.", *positives(cell.formulas[:2], cell.on, given), "split."]),
        *proofs,
    )


def _roots(pair: Pair, reports: Iterable[Expr] = (p, 1 - p)) -> Iterator[Expr]:
    """Yield the powers by fractions that stand in what is paid, if they are no square roots, and logarithms."""
    if isinstance(pair.other, Powers):
        yield from [sympy.log(end, evaluate=False) for end in pair.other.on.costs]
    letters = [end for end in (*pair.power.on.costs, *pair.on.costs) if not end.is_Rational]
    yield from (base**exponent for exponent in _fractions(pair) for base in (*reports, *letters))
    if found := _powers_of_numbers(pair):
        yield from (*found, *_factors_of_densities(pair))


def _powers_of_numbers(pair: Pair) -> list[Expr]:
    """Return the powers of ends that are numbers, and of their prime factors."""
    ends = [end for end in (*pair.power.on.costs, *pair.on.costs) if end.is_Rational]
    return [_unread(base, k) for k in _fractions(pair) for base in _with_primes(ends)]


def _with_primes(ends: Iterable[Expr]) -> dict[Expr, None]:
    """Return ends of intervals, and the prime factors of those that are numbers."""
    ends = list(ends)
    primes = [sympy.Integer(prime) for end in ends if end.is_Rational for prime in sympy.factorrat(end)]
    return dict.fromkeys((*ends, *primes))


def _factors_of_densities(pair: Pair) -> list[Expr]:
    """Return the factors of the powers."""
    return [law.factor for law in (pair.power, pair.other) if isinstance(law, PowerLaw | Powers)]


def _refuse_scaled_fractions(pair: Pair) -> None:
    """Refuse powers of numbers that Coq does not bring together with those of another scale of an exponential."""
    scaled = isinstance(pair.other, EXPONENTIALS) and pair.other.rate != 1
    if scaled and any(power.args[0] != 1 for power in _powers_of_numbers(pair)):
        raise ExportError(
            "fractional powers of numbers stand beside an exponential of another scale",
            "State the scale 1, or the end of the costs by a letter.",
        )


def _refuse_halves_beside_errors(pair: Pair) -> None:
    """Refuse powers by halves and other fractions beside values of the error function: they stay in exponentials."""
    exponent = pair.power.exponent
    if isinstance(pair.other, LogNormal) and exponent.is_Rational and not exponent.is_Integer:
        raise ExportError(
            "a fractional power stands beside a log-normal density", "Coq gets whole ones there."
        )


def _fractions(pair: Pair) -> list[Expr]:
    """Return the exponents of powers that are no whole numbers, if there are others than roots of squares."""
    found = [k for k in _numbers_above(pair) if not k.is_Integer]
    return found if any(k.q > 2 for k in found) else []


def _numbers_above(pair: Pair) -> list[Expr]:
    """Return the exponents of powers that are numbers."""
    e, other = pair.power.exponent, pair.other
    own = [other.exponent + order for order in (ZERO, ONE, 1 + e)] if isinstance(other, Powers) else []
    return [k for k in dict.fromkeys([e, e + 1, *own]) if k.is_Rational]


def _unread(base: Expr, exponent: Expr) -> Expr:
    """Return a power as Coq reads it: that of a number is not yet written by powers of its factors."""
    return sympy.Pow(base, exponent, evaluate=not (base.is_Rational and exponent.is_Rational))


def _arguments(pair: Pair) -> Iterator[Expr]:
    """Yield the arguments of incomplete Gamma functions where the decision changes at the ends of the power."""
    if isinstance(pair.other, EXPONENTIALS):
        odds = p / (1 - p) if pair.label == 1 else (1 - p) / p
        for end in pair.power.on.costs:
            yield pair.other.rate * (odds * end) ** pair.other.power


def _under_errors(pair: Pair, cell: Cell) -> Iterator[Expr]:
    """Yield the roots in values of the error function that Gamma functions of the shape 1/2 are."""
    if any(formula.has(sympy.erf, sympy.erfc) for formula in cell.formulas[:2]):
        yield from (sympy.sqrt(argument, evaluate=False) for argument in _arguments(pair))


def _settled(pair: Pair, cell: Cell) -> str:
    """Return the tactic that says which cost of the other one's interval is nearest to where the decision changes."""
    odds = p / (1 - p) if pair.label == 1 else (1 - p) / p
    gaps = [odds * end - bound for end in pair.power.on.costs for bound in pair.on.costs]
    if not gaps:
        return ""
    seen = [_either(gap, cell.on, pair.setting.given) for gap in gaps]
    return (
        f"settle ltac:(fun seen => first [{' | '.join(f'seen ({text})' for text in dict.fromkeys(seen))}]). "
    )


def _either(gap: Expr, on: Range, given: Given) -> str:
    """Return a difference or its opposite, whichever is visibly not negative."""
    gap = sympy.factor(gap)
    found = visible(gap, on, given)
    return found.text if found is not None else sure(-gap, on, given, strict=False).text


def _cost(pair: Pair, label: int) -> str:
    """Return the theorem of the library on what a class pays, applied to the laws."""
    k, e, _ = _named(pair.power)
    area, power = "area1 _ _ _ _ density0 density1", f"moment {k} {e} rises"
    laws = f"p {_law_beside(pair, 0)} {_law_beside(pair, 1)} product powered"
    if pair.label == 0:
        return (
            f"first_power_cost{label} {area} chance_of1 mean_of1 {power} _ _ _ _ {laws} moment_adds_up Unit"
        )
    fades = "fading" if label == 0 else "ltac:(lra) fading_next"
    sums = "chance_of0 mean_of0 chance_of1 mean_of1"
    return f"second_power_cost{label} {area} {sums} {power} {laws} (fun x _ => eq_refl) moment_adds_up Unit {fades}"


def _law_beside(pair: Pair, label: int) -> str:
    """Return the law of a cost, that of the other one beside the power."""
    found = f"law{label}"
    return found if label == pair.label or pair.mean is None else f"(law_beside _ _ _ _ _ _ {found})"


def _spread(pair: Pair) -> Iterator[str]:
    """Every threshold between the ends has costs around which both densities are positive."""
    if len(pair.setting.strict) != 1:
        raise ExportError("a rule is strictly proper in several intervals", "Coq gets one by the law alone.")
    yield from map(partial(_dense, pair), (0, 1))
    low, high = map(atomic, pair.setting.strict[0])
    yield lemma(
        "spread_thresholds",
        f"spread_between {low} {high} areas",
        f"{pair.setting.ordered} apply (two_are_spread _ _ _ _ _ _ _ {low} {high} product dense0 dense1);",
        f"  [apply law0 | apply law1 | lra | lra | intros t T U; ray_meets {low} {high}].",
    )


def _dense(pair: Pair, label: int) -> str:
    """A density is positive and continuous."""
    name, given = f"density{label}", pair.setting.given
    plain, sign = f"{name} x", f"unfold {name}; see"
    if label == pair.label:
        factor = sympy.factor(pair.power.factor * pair.power.exponent)
        seen = f"apply (positive_as ({sure(factor, None, given).text})); [algebra | see]"
        plain = f"{atomic(factor)} * (rises x / x)"
        sign = f"apply Rmult_lt_0_compat; [{seen} | unfold rises; see]"
    return lemma(
        f"dense{label} x",
        f"0 < x -> 0 < {name} x /\\ continuous {name} x",
        f"intro Positive. split; [| unfold {name}, rises, Rpower; smooth].",
        f"replace ({name} x) with ({plain}) by (unfold {name}; field; see). {sign}.",
    )


def _total(pair: Pair) -> Section:
    theorem = lemma(
        "total_is_1", "has_total_of_areas areas 1", f"exact (total_of_two {_TWO}).", kind="Theorem"
    )
    return Section(pair.setting.name, "total", IMPORTS, theorem, ("total_is_1",))


def _ends(pair: Pair) -> Section:
    seen = {label: mean for label, mean in enumerate(pair.means) if mean is not None}
    means = {label: (mean, tuple(_mean_is(pair, label, mean))) for label, mean in seen.items()}
    if len(means) == 2:
        values, proofs = zip(*means.values(), strict=True)
        return with_ends(AREAS, pair.setting, IMPORTS, values, proofs)
    growth = growing(pair.setting)
    if means.keys() | growth.keys() != {0, 1}:
        raise ExportError("a mean cost is not seen to be finite", "Coq needs its value.")
    return with_infinite_ends(AREAS, pair.setting, IMPORTS, means, growth)


def _mean_is(pair: Pair, label: int, mean: Expr) -> Iterator[str]:
    """Yield the proof of the value of a mean cost."""
    given = pair.setting.given
    yield f"apply over_areas_is with (1 := mean{label}_of_two {_TWO})."
    yield from positives([mean], None, given)
    yield f"moments_read. {_steps(pair.sums[1:2], (mean,))}{_closed((mean, *_roots(pair, ())), given)}."


def _closed(formulas: tuple[Expr, ...], given: Given) -> str:
    return f"closed_moments ltac:({'; '.join(hints(formulas, REPORTS, given)) or 'idtac'})"
