"""Two independent Burr costs with the same power in Coq, whose expected costs are hypergeometric functions.

Lomax and log-logistic costs are among them. The functions are defined by Euler's integral (``library/Euler.v``),
which is that of a cost times its density times the tail of the other one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.gamma_shapes import IMPORTS as GAMMAS
from costderive.publish.coq.gamma_shapes import written_by_gammas
from costderive.publish.coq.independent_pairs import areas_alone, factors, law, total
from costderive.publish.coq.law_theorems import AREAS, with_ends, with_values
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic
from costderive.publish.coq.visible_signs import visible
from costderive.rules.hypergeometric import hyp2f1

ONE = sympy.S.One
IMPORTS = (*GAMMAS, "Spread", "Euler")


@dataclass(frozen=True, slots=True)
class Burr:
    """A cost with the tail ``(1 + (x/scale)^power)^(-tail)``."""

    power: Expr
    tail: Expr
    scale: Expr

    @property
    def surplus(self) -> Expr:
        """What is positive if the mean is finite."""
        return sympy.expand(self.power * self.tail - 1)

    @property
    def mean(self) -> Expr:
        """The mean, if it is finite."""
        return self.tail * self.scale * sympy.beta(1 + 1 / self.power, self.tail - 1 / self.power)

    def has_finite_mean(self, given: Given) -> bool:
        """Return whether the mean is visibly finite."""
        seen = visible(self.surplus, None, given)
        return seen is not None and seen.strict

    def finite_mean(self, label: int, given: Given) -> str:
        """Return the tactics that put on record that the mean is finite.

        Raises:
            ExportError: if it is not visibly so.
        """
        proof = f"apply (strictly_below_by ({sure(self.surplus, None, given).text})); [field; see | see]"
        order = f"1 < {atomic(self.power)} * {atomic(self.tail)}"
        return f"pose proof power. pose proof tail{label}. assert (finite : {order}) by ({proof})."

    @property
    def density(self) -> Expr:
        """The density, as a function of x."""
        whole = self.scale**self.power
        slope = self.power * x ** (self.power - 1) / whole
        return self.tail * slope * ((x**self.power + whole) / whole) ** (-self.tail - 1)

    def text(self) -> str:
        """Return the power, the tail and the scale as arguments in Coq."""
        return f"{atomic(self.power)} {atomic(self.tail)} {atomic(self.scale)}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A case with two Burr costs of one power."""

    setting: Setting
    costs: tuple[Burr, Burr]

    @property
    def power(self) -> Expr:
        """The power of both."""
        return self.costs[0].power

    @property
    def has_finite_means(self) -> bool:
        """Whether both means are visibly finite."""
        return all(cost.has_finite_mean(self.setting.given) for cost in self.costs)

    @property
    def surplus(self) -> Expr:
        """What is positive if the expected costs are finite."""
        return sympy.expand(self.power * (self.costs[0].tail + self.costs[1].tail) - 1)

    @property
    def whole(self) -> Expr:
        """The Beta function beside the hypergeometric ones."""
        tails = self.costs[0].tail + self.costs[1].tail
        return sympy.beta(1 + 1 / self.power, tails - 1 / self.power, evaluate=False)


def burr_pair(setting: Setting, case: Case) -> Pair | None:
    """Return a case whose losses are hypergeometric functions of two Burr costs of one power; ``None`` for others."""
    if not any(formula.has(hyp2f1) for cell in setting.cells for formula in cell.formulas[:2]):
        return None
    parts = factors(areas_alone(case))
    costs = () if parts is None else tuple(cost for part in parts if (cost := burr(part)) is not None)
    if parts is None or len(costs) < 2 or sympy.simplify(costs[0].power - costs[1].power) != 0:
        return None
    first, second = costs[0], replace(costs[1], power=costs[0].power)
    ratio = sympy.log(sympy.factor(first.density * second.density) / sympy.factor(parts[0] * parts[1]))
    same = sympy.simplify(sympy.expand_log(ratio, force=True)) == 0
    return Pair(setting, (first, second)) if same else None


def burr(density: Expr) -> Burr | None:
    """Return the law whose density is a multiple of a function of x."""
    powers = sympy.powsimp(sympy.factor(density)).as_powers_dict()
    inner = [base for base in powers if base.is_Add and base.has(x)]
    exponents = {powers[base] for base in inner}
    power = ONE + powers.get(x, 0)
    if len(exponents) != 1 or power.is_zero:
        return None
    parts = sympy.collect(sympy.expand(sympy.Mul(*inner)), x**power, evaluate=False)
    if set(parts) != {ONE, x**power}:
        return None
    scale = sympy.powdenest((parts[ONE] / parts[x**power]) ** (1 / power), force=True)
    return Burr(power, sympy.expand(-exponents.pop() - 1), sympy.factor(scale))


# ---- sections


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the losses are the expected costs.

    Raises:
        ExportError: if something that is positive is not visibly so.
    """
    return tuple(map(_section, _pairs(derivation)))


def totals(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the total of the density is 1."""
    return tuple(total(pair.setting, IMPORTS) for pair in _pairs(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with two such costs: the reports 0 and 1, which cost the means."""
    return tuple(map(_ends, _pairs(derivation)))


def have_finite_means(derivation: Derivation) -> bool:
    """Return whether the means of all such costs are visibly finite."""
    return all(pair.has_finite_means for pair in _pairs(derivation))


def _pairs(derivation: Derivation) -> Iterator[Pair]:
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return (pair for setting, case in cases if (pair := burr_pair(setting, case)) is not None)


def _section(pair: Pair) -> Section:
    for cell in pair.setting.cells:
        for formula in cell.formulas[:2]:
            _refuse_reflected(pair, formula)
    facts = _known(pair)
    laws = [line for label, cost in enumerate(pair.costs) for line in law_of(label, cost)]
    laws.append("Definition areas : list area := [independent density0 density1].")
    return law(pair.setting, IMPORTS, [*facts, *laws], [_piece(pair, cell) for cell in pair.setting.cells])


def _known(pair: Pair) -> Iterator[str]:
    """Yield that the parameters are positive, and that the expected costs are finite."""
    first, second = pair.costs
    yield positive_lemma("power", pair.power, pair.setting.given)
    for label, cost in enumerate(pair.costs):
        yield from known(label, cost, pair.setting.given)
    yield lemma(
        "finite_costs",
        f"1 < {atomic(pair.power)} * ({atomic(first.tail)} + {atomic(second.tail)})",
        f"apply (strictly_below_by ({sure(pair.surplus, None, pair.setting.given).text})); [field; see | see].",
    )


def known(label: int, cost: Burr, given: Given) -> Iterator[str]:
    """Yield that the tail and the scale of a cost are positive."""
    yield positive_lemma(f"tail{label}", cost.tail, given)
    yield positive_lemma(f"scale{label}", cost.scale, given)


def positive_lemma(name: str, value: Expr, given: Given) -> str:
    """Return the lemma that a parameter is positive."""
    seen = sure(value, None, given).text
    return lemma(name, f"0 < {atomic(value)}", f"apply (positive_as ({seen})); [field; see | see].")


def law_of(label: int, cost: Burr) -> Iterator[str]:
    """Yield the density, and that it has this tail and mean."""
    shown, signs = cost.text(), f"power tail{label} scale{label}"
    yield f"Definition density{label} : R -> R := burr_density {shown}."
    yield lemma(
        f"dense{label} x",
        f"0 < x -> 0 < density{label} x /\\ continuous density{label} x",
        f"exact (burr_is_dense {shown} {signs} x).",
    )
    yield lemma(
        f"law{label}",
        f"law_of_one density{label} (burr_tail {shown}) (burr_mean_below {shown}) 0 (burr_mean {shown})",
        f"exact (burr_law {shown} {signs}).",
    )


def _of_pair(pair: Pair, theorem: str, *more: str) -> str:
    """Return a theorem of the library on both costs."""
    shown = " ".join(atomic(number) for cost in pair.costs for number in (cost.tail, cost.scale))
    return " ".join([theorem, atomic(pair.power), shown, "power tail0 scale0 tail1 scale1", *more])


def _piece(pair: Pair, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    proofs = []
    for label in (0, 1):
        cost = _of_pair(pair, f"burr_cost{label}", "finite_costs p Unit")
        shapes = written_by_gammas([pair.whole, _expanded(cell.formulas[label])])
        proofs += [
            f"- apply over_areas_is with (1 := {cost}).",
            f"  cbn [loss0 loss1 {cell.name}]. {'. '.join(shapes)}.",
            "  closed_hypergeometric.",
        ]
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  over_areas areas (pay0 p) (loss0 {cell.name} p) /\\ over_areas areas (pay1 p) (loss1 {cell.name} p)",
        " ".join(
            ["intros Unit Start Stop.", *positives(cell.formulas[:2], cell.on, pair.setting.given)],
        ),
        "pose proof power. pose proof scale0. pose proof scale1. pose proof finite_costs.",
        "destruct (burr_shapes _ _ _ power finite_costs). split.",
        *proofs,
    )


def _expanded(formula: Expr) -> Expr:
    """Return a formula with the arguments of Gamma functions as sums, so that those whole numbers apart are seen."""
    return formula.replace(sympy.gamma, lambda shape: sympy.gamma(sympy.expand(shape)))


def _refuse_reflected(pair: Pair, formula: Expr) -> None:
    """Refuse a loss that has products of two Gamma functions in closed form: Coq has no reflection formula."""
    if _gammas(pair.whole.rewrite(sympy.gamma)) != _gammas(formula):
        raise ExportError("Gamma functions are written by their reflection formula", "Coq has none.")


def _gammas(product: Expr) -> Counter[Expr]:
    """Return how often Gamma functions are factors, by their arguments but for whole numbers and halves."""
    found = Counter[Expr]()
    for base, count in sympy.powsimp(product).as_powers_dict().items():
        if isinstance(base, sympy.gamma):
            number, rest = sympy.expand(base.args[0]).as_coeff_Add()
            found[rest + number - sympy.floor(number)] += count
    return Counter({shape: count for shape, count in found.items() if count and not (2 * shape).is_Integer})


def _ends(pair: Pair) -> Section:
    """The reports 0 and 1, whose costs are infinite, or may be, where the means are not visibly finite."""
    if pair.has_finite_means:
        return _finite_ends(pair)
    means = [f"(burr_mean {cost.text()})" for cost in pair.costs]
    facts = [
        f"({_of_pair(pair, f'burr_mean_is{label}', f'L{label} expected_cost{label}')})" for label in (0, 1)
    ]
    return with_values(AREAS, pair.setting, IMPORTS, (), means, facts)


def _finite_ends(pair: Pair) -> Section:
    means = [cost.mean for cost in pair.costs]
    proofs = [
        (
            cost.finite_mean(label, pair.setting.given),
            f"apply over_areas_is with (1 := {_of_pair(pair, f'burr_mean{label}', 'finite')}).",
            "closed_beta.",
        )
        for label, cost in enumerate(pair.costs)
    ]
    return with_ends(AREAS, pair.setting, IMPORTS, means, proofs)
