"""A log-normal cost beside one that is known, along an arc in Coq: the library has what it pays in closed form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given
from costderive.core.symbols import p
from costderive.costs.expected_loss import Arc
from costderive.costs.laws import x
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.paths import arc_in_coq
from costderive.publish.coq.setting import Cell
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic

ONE = sympy.S.One
ODDS = p / (1 - p)


@dataclass(frozen=True)
class LogNormalPath:
    """An arc by its number: the cost of the class ``uncertain`` is log-normal, the other one known."""

    number: int
    arc: Arc
    given: Given
    weight: Expr
    mean: Expr
    spread: Expr
    uncertain: int

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"arc{self.number}"

    @property
    def shown(self) -> tuple[str, ...]:
        """The names in Coq that are unfolded to read closed forms."""
        return (self.name, "standard")

    @property
    def known(self) -> Expr:
        """The cost that is known."""
        return (self.arc.c1, self.arc.c0)[self.uncertain]

    def definitions(self) -> Iterator[str]:
        """Yield the arc in Coq."""
        yield arc_in_coq(self.name, self.arc)

    def lawful(self) -> str:
        """Return the lemmas that the arc is as described, that costs are positive and the density is not negative."""
        theorem = f"lawful_uncertain{self.uncertain} {self._facts()}"
        lawful = lemma(f"lawful_{self.name}", f"lawful_arc {self.name}", f"exact ({theorem}).")
        return "\n".join([self._described(), self._costs(), self._signs(), lawful])

    def _described(self) -> str:
        parameters = (self.weight, self.mean, self.spread)
        return lemma(
            f"log_normal{self.number}",
            f"spread_log_normally {self.name} {' '.join(map(atomic, parameters))}",
            *positives((*parameters, self.arc.density), None, self.given),
            "split; [see | split; [reflexivity | split; [reflexivity |]]].",
            f"intros x X. cbn [likelihood {self.name}]. unfold log_normal_density. closed_forms_by ltac:(idtac).",
        )

    def _costs(self) -> str:
        first, second = ("x" if label == self.uncertain else atomic(self.known) for label in (0, 1))
        equal = f"cost0 {self.name} x = {first} /\\ cost1 {self.name} x = {second}"
        return lemma(f"costs{self.number} x", equal, "split; reflexivity.")

    def _signs(self) -> str:
        known = sure(self.known, None, self.given).text
        weight = sure(self.weight, None, self.given, strict=False).text
        return lemma(
            f"signs{self.number}",
            f"0 < {atomic(self.known)} /\\ 0 <= {atomic(self.weight)}",
            f"split; [apply (positive_as ({known})) | apply (not_negative_as ({weight}))]; first [algebra | see].",
        )

    def _facts(self, *, at_report: bool = False) -> str:
        """Return the arguments of theorems of the library; those on a report have it among them."""
        k, (report, inside) = self.number, (" p", " Unit") if at_report else ("", "")
        return f"{self.name} _ _ _ log_normal{k} _{report} (proj1 signs{k}){inside} costs{k} (proj2 signs{k})"

    def integrated(self) -> Iterator[str]:
        """Yield nothing: the library has integrated."""
        yield from ()

    def turned(self, cell: Cell) -> tuple[Expr, ...]:
        """Return nothing: the library knows where the decision changes."""
        return ()

    def turning(self, cell: Cell, known: frozenset[Expr]) -> Iterator[str]:
        """Yield nothing: the library knows where the decision changes."""
        yield from ()

    def hints_at_the_ends(self) -> Iterator[str]:
        """Yield nothing: the library has the limits at both ends."""
        yield from ()

    def cost(self, label: int) -> str:
        """Return the theorem of the library on what the arc pays to a class at a report."""
        return f"uncertain{self.uncertain}_cost{label} {self._facts(at_report=True)}"

    def paid(self, cell: Cell) -> tuple[Expr, Expr]:
        """Return what the arc pays to the classes at a report."""
        turn = self.known / ODDS if self.uncertain else self.known * ODDS
        up_to = self.value(self.uncertain) / 2 * (1 + self._share(turn, 1))
        beyond = self.weight * self.known / 2 * (1 - self._share(turn, 0))
        return (beyond, up_to) if self.uncertain else (up_to, beyond)

    def _share(self, turn: Expr, power: int) -> Expr:
        return sympy.erf(
            (sympy.log(turn) - self.mean - power * self.spread**2) / (self.spread * sympy.sqrt(2))
        )

    def value(self, number: int) -> Expr:
        """Return the expectation over the arc of one of what `CHARGES` names."""
        if number == 2:
            return self.weight
        if number == self.uncertain:
            return self.weight * sympy.exp(self.mean + self.spread**2 / 2)
        return self.weight * self.known

    def mean_of(self, number: int) -> str:
        """Return the theorem of the library on the expectation of one of what `CHARGES` names."""
        law = f"{self.name} _ _ _ log_normal{self.number}"
        if number == self.uncertain:
            return f"mean_of_uncertain {law} _ (fun x _ => proj{number + 1} (costs{self.number} x))"
        if number == 2:
            return f"mean_of_known {law} 1 _ (fun _ _ => eq_refl)"
        return f"mean_of_known {law} _ _ (fun x _ => proj{number + 1} (costs{self.number} x))"


def log_normal_path(number: int, arc: Arc, given: Given) -> LogNormalPath | None:
    """Return an arc on which one cost is the log-normal parameter, and the other one known; or ``None``."""
    costs = (arc.c0, arc.c1)
    alone = [k for k, cost in enumerate(costs) if cost == x and not costs[1 - k].has(x)]
    found = _log_normal(arc.density) if alone and (arc.low, arc.high) == (0, sympy.oo) else None
    return None if found is None else LogNormalPath(number, arc, given, *found, alone[0])


def _log_normal(density: Expr) -> tuple[Expr, Expr, Expr] | None:
    """Return the weight, the mean and the standard deviation of the logarithm of x, by completing a square."""
    y = Symbol("y", real=True)
    in_logarithm = sympy.powsimp((density * x).subs(sympy.log(x), y).subs(x, sympy.exp(y)), combine="exp")
    constant, exponential = in_logarithm.as_independent(y, as_Add=False)
    exponent = sympy.expand(-exponential.args[0]) if isinstance(exponential, sympy.exp) else ONE
    if not exponent.is_polynomial(y) or sympy.degree(exponent, y) != 2:
        return None
    square, slope, rest = (sympy.factor(part) for part in sympy.Poly(exponent, y).all_coeffs())
    if not square.is_positive:
        return None
    spread, mean = 1 / sympy.sqrt(2 * square), sympy.simplify(-slope / (2 * square))
    peak = sympy.simplify(rest - slope**2 / (4 * square))
    weight = sympy.simplify(constant * spread * sympy.sqrt(2 * sympy.pi) * sympy.exp(-peak))
    return weight, mean, spread
