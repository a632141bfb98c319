"""Several classes whose losses have other formulas in other orders of their probabilities, times marks of the costs.

In each order the formulas have the slopes that `class_formulas` asks for, and where two marks weigh the same those of
both orders agree. Classes with the same law may be exchanged: the orders that the derivation leaves out are written.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

from sympy import Expr, S

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.multiclass.letters import predicted
from costderive.multiclass.orders import gaps
from costderive.multiclass.stages import Cell, ClassLosses, IndependentDistributions, Mark, Order
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.class_expectations import EXPECTED, bounded_costs
from costderive.publish.coq.class_expectations import IMPORTS as COSTS
from costderive.publish.coq.class_formulas import Formulas, termwise, theorems
from costderive.publish.coq.section import Section
from costderive.publish.coq.tactics import WIDTH, lemma
from costderive.publish.coq.terms import atomic

NAME, IMPORTS = "rule", ("Elementary", "Acts", "Classes", "Orders")
MOST_ORDERS = 6
LONGEST = 12_000  # characters of all slopes of an order


def ordered_rule(losses: ClassLosses, given: Given, *, strict: bool) -> OrderedRule:
    """Return a rule whose losses have a formula for each order.

    Raises:
        ExportError: if a cost has several marks, there are too many orders, losses are no rational functions, or
            slopes are too long or of a sign that is not visible.
    """
    marks = losses.cells[0].order
    if len({mark.label for mark in marks}) < len(marks):
        raise ExportError("a law has several bounds", "Coq gets costs with one, as from 0 to it.")
    cells = tuple(_all_orders(losses))
    if len(cells) > MOST_ORDERS:
        raise ExportError(f"the losses have formulas in {len(cells)} orders", f"Coq gets {MOST_ORDERS}.")
    rule = OrderedRule(cells, losses.costs, given, strict)
    for order in rule.orders:
        order.formulas.refuse_others(LONGEST)
    return rule


def _all_orders(losses: ClassLosses) -> Iterator[Cell]:
    """Yield the cells of all orders, also of those that are exchanges of classes with the same law."""
    laws, seen = losses.costs.of_class, set[Order]()
    for places in permutations(range(len(laws))):
        if all(laws[place] == law for place, law in zip(places, laws, strict=True)):
            for cell in losses.cells:
                found = _exchanged(cell, places)
                if found.order not in seen:
                    seen.add(found.order)
                    yield found


def _exchanged(cell: Cell, places: tuple[int, ...]) -> Cell:
    """Return a cell with each class in another place."""
    letters = {predicted(label): predicted(place) for label, place in enumerate(places)}
    losses = [S.Zero] * len(places)
    for label, place in enumerate(places):
        losses[place] = cell.losses[label].xreplace(letters)
    return Cell(tuple(Mark(places[mark.label], mark.value) for mark in cell.order), tuple(losses), ())


@dataclass(frozen=True)
class OrderOfMarks:
    """An order of the marks by its number, with its formulas."""

    number: int
    marks: Order
    formulas: Formulas

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"order{self.number}"

    @property
    def multiple(self) -> Expr:
        """The value that all marks have, so that probabilities compare; else 1."""
        values = {mark.value for mark in self.marks}
        return values.pop() if len(values) == 1 else S.One

    def value(self, mark: Mark) -> Expr:
        """Return what a mark weighs beside its probability."""
        return mark.value / self.multiple

    def definitions(self) -> Iterator[str]:
        """Yield the formulas and the order in Coq."""
        yield from self.formulas.definitions()
        marks = "; ".join(f"({mark.label}%nat, {atomic(self.value(mark))})" for mark in self.marks)
        named = self.formulas.named
        yield f"Definition {self.name} : formulas_in_order := InOrder\n  [{marks}] {named('L')} {named('D')}."

    def lemmas(self) -> Iterator[str]:
        """Yield the lemmas that the losses have the slopes, and that these are symmetric and positive."""
        found = self.formulas
        yield from [found.sloped(), found.symmetric(), found.same()]
        yield lemma(
            f"signed_{self.name}",
            f"positive_in {found.classes} {self.name}",
            "signed_in_order orders_read formulas_read.",
        )

    @property
    def right(self) -> str:
        """The proof of what is asked of the formulas."""
        named = self.formulas.named
        return f"(conj {named('all_of_them_sloped')} (conj {named('symmetric')} {named('same')}))"

    @property
    def signed(self) -> str:
        """The proof that the slopes are positive where the order holds."""
        return f"signed_{self.name}"

    def ties(self, other: OrderOfMarks) -> Iterator[str]:
        """Yield the tactics that put on record which probabilities are tied where both orders hold."""
        places = [other.marks.index(mark) for mark in self.marks]
        first = self.marks[0]
        for number, mark in enumerate(self.marks):
            if number == 0 or max(places[:number]) < min(places[number:]):
                first = mark
            else:
                own, value = atomic(self.value(mark)), atomic(self.value(first))
                yield f"tied_at {value} {own} p {first.label}%nat {mark.label}%nat"


@dataclass(frozen=True)
class OrderedRule:
    """A rule of several classes: formulas for each order, the laws of the costs, and whether it is strictly proper."""

    cells: tuple[Cell, ...]
    costs: IndependentDistributions
    given: Given
    strict: bool

    @cached_property
    def orders(self) -> tuple[OrderOfMarks, ...]:
        """The orders, by their numbers."""
        return tuple(
            OrderOfMarks(
                number,
                cell.order,
                Formulas(
                    tuple(map(termwise, cell.losses)),
                    self.given.also(nonnegative=gaps(cell.order)),
                    f"_in{number}",
                ),
            )
            for number, cell in enumerate(self.cells, start=1)
        )

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.costs.of_class)

    def opening(self) -> str:
        """Return the text that opens the module, with the losses of each order, and the rule."""
        letters = {predicted(label) for label in range(self.classes)}
        known = [*self.given.positive, *self.given.nonnegative]
        known += [
            expr for cell in self.cells for expr in (*cell.losses, *[mark.value for mark in cell.order])
        ]
        found = set().union(*[expr.free_symbols for expr in known]) - letters
        assumed = Assumptions(tuple(sorted(found, key=str)), self.given)
        heading = [f"Module {NAME}.", *assumed.conditions(), "Section Case.", *assumed.variables(), ""]
        return "\n".join([*heading, *self._definitions(), ""])

    def _definitions(self) -> Iterator[str]:
        for order in self.orders:
            yield from order.definitions()
        names = [order.name for order in self.orders]
        yield f"Definition orders : list formulas_in_order := [{'; '.join(names[:-1])}]."
        yield f"Definition L := loss_by_order orders {names[-1]}."
        yield f"Definition risk := risk_under {self.classes} L."
        read = f"orders app marks loss_in slope_in ascends weighed fst snd {' '.join(names)}"
        yield f"Ltac orders_read := cbv beta iota delta [{read}] in *."
        formulas = " ".join(order.formulas.names for order in self.orders)
        yield f"Ltac formulas_read :=\n  cbv [{formulas}]."

    def closing(self) -> str:
        """Return the text that closes the module."""
        return f"End Case.\nEnd {NAME}."

    def sections(self) -> tuple[Section, ...]:
        """Return that the rule is proper, and the expected costs if Coq sees their integrals."""
        with suppress(ExportError):
            return self.properness(), self._expected()
        return (self.properness(),)

    def properness(self) -> Section:
        """Return that losses have slopes, that they agree where orders meet, and that the rule is proper."""
        lemmas = [text for order in self.orders for text in order.lemmas()]
        lemmas += [
            self._all("right_in", "all_right", [order.right for order in self.orders]),
            self._all("positive_in", "all_signed", [order.signed for order in self.orders]),
            self._complete(),
            *self._agreeing(),
        ]
        facts = f"orders {self._last} all_right complete in_pairs all_signed"
        proper = theorems(self.classes, self.strict, "positive_orders", facts)
        return Section(NAME, "properness", IMPORTS, "\n".join([*lemmas, *proper.values()]), tuple(proper))

    def _expected(self) -> Section:
        """Return that the costs have laws, and that decisions cost what the losses say in each order.

        Raises:
            ExportError: if a cost has no bound, or its distribution function is no polynomial up to it.
        """
        costs = bounded_costs(self.costs)
        lemmas, theorems = costs.theorems({order.name: order.multiple for order in self.orders})
        text = "\n".join([*costs.definitions(), *lemmas, *theorems.values()])
        return Section(NAME, EXPECTED, (*IMPORTS, *COSTS, "BoundedCosts"), text, tuple(theorems))

    @property
    def _last(self) -> str:
        return self.orders[-1].name

    @property
    def _listed(self) -> str:
        return f"(orders ++ [{self._last}])"

    def _all(self, what: str, name: str, proofs: list[str]) -> str:
        """Return the lemma that something holds of all orders."""
        statement = f"List.Forall ({what} {self.classes}) {self._listed}"
        return lemma(name, statement, _by_each("in_all_orders", proofs))

    def _complete(self) -> str:
        """Return the lemma that some order holds at each forecast."""
        first = self.orders[0]
        weights = [f"({atomic(first.value(mark))} * p {mark.label}%nat)" for mark in first.marks]
        cases = ", ".join(f"(Rle_lt_dec {one} {other})" for one, other in combinations(weights, 2))
        tried = " | ".join(f"held {order.name} orders_read" for order in self.orders)
        return lemma(
            "complete",
            f"forall p, positive_forecast {self.classes} p ->\n"
            f"  exists cell, In cell {self._listed} /\\ ascends (marks cell) p",
            f"intros p P. destruct {cases};",
            f"  first [{tried}].",
        )

    def _agreeing(self) -> Iterator[str]:
        for one, other in combinations(self.orders, 2):
            ties = "; ".join(one.ties(other)) or "idtac"
            yield lemma(
                f"agree{one.number}_{other.number}",
                f"agree {self.classes} {one.name} {other.name}",
                f"agree_by orders_read ltac:(fun p => {ties}) formulas_read.",
            )
        names = [f"agree{one.number}_{other.number}" for one, other in combinations(self.orders, 2)]
        statement = f"ForallOrdPairs (agree {self.classes}) {self._listed}"
        yield lemma("in_pairs", statement, _by_each("in_all_pairs", names))


def _by_each(split: str, proofs: list[str]) -> str:
    """Return the tactic that splits a goal, with a proof for each part."""
    each = " | ".join(f"exact {proof}" for proof in proofs)
    return textwrap.fill(f"{split}; [{each}].", WIDTH, subsequent_indent="    ")
